"""The arbiter's benchmark in small: perfect eyes make it perfect, and eyes that misread never make a legal play illegal."""

from __future__ import annotations

import random
from dataclasses import asdict, replace

import pytest

from referee.board.plays import LegalPlays
from web.cli.bench._confusion import Confusion, random_game
from web.cli.bench.arbiter import play

PERFECT = replace(Confusion(), **dict.fromkeys(asdict(Confusion()), 0.0))


@pytest.mark.parametrize("stills", [True, False])
def test_perfect_eyes_referee_perfectly(stills: bool) -> None:
    tally = play(200, 5, PERFECT, stills)
    assert (tally.alarms, tally.silent, tally.questions) == (0, 0, 0)
    assert tally.caught == tally.illegal > 0
    assert tally.voids == tally.true_voids > 0


@pytest.mark.parametrize("stills", [True, False])
def test_eyes_that_misread(stills: bool) -> None:
    tally = play(400, 2, Confusion(), stills)
    assert tally.alarms == 0, tally.faults
    assert tally.silent == 0, tally.faults
    assert tally.caught + tally.by_question >= 0.95 * (tally.illegal - tally.unannounced - tally.in_time)
    assert tally.questions <= 0.03 * tally.turns


def test_the_illegal_plays_of_the_benchmark_are_illegal() -> None:
    turns, _ = random_game(random.Random(3), 0.5)
    wrong = [turn for turn in turns if turn.illegal is not None]
    assert wrong
    for turn in wrong:
        assert turn.roll is not None
        assert turn.illegal not in (LegalPlays(turn.before, turn.seat, turn.roll).results or {turn.before: None})
