"""The benchmark of players before a live camera in small: perfect eyes referee calm players perfectly, and hurry accuses nobody."""

from __future__ import annotations

import random
from dataclasses import asdict, replace

from web.cli._bench_players import EYES, play
from web.cli._confusion import Confusion, random_game
from web.cli._players import PACES, Habits, filmed, watched

PERFECT = replace(Confusion(), **dict.fromkeys(asdict(Confusion()), 0.0))
NO_HABITS = replace(Habits(), **dict.fromkeys(asdict(Habits()), 0.0))


def test_calm_players_before_perfect_eyes() -> None:
    tally = play(150, 5, replace(PACES["calm"], hurry=0.0, early=0.0), NO_HABITS, PERFECT, 0.05)
    assert (tally.alarms, tally.wrong_rolls, tally.wrong_voids, tally.silent, tally.questions) == (0, 0, 0, 0, 0), tally.faults
    assert tally.caught == tally.illegal > 0
    assert tally.voids == tally.true_voids > 0


def test_players_in_a_hurry_before_eyes_that_misread() -> None:
    tally = play(250, 11, PACES["fast"], Habits(), EYES, 0.02)
    assert (tally.alarms, tally.silent) == (0, 0), tally.faults
    assert tally.questions <= 0.05 * tally.turns


def test_time_goes_on_and_every_turn_is_filmed() -> None:
    rng = random.Random(3)
    turns, scenes = random_game(rng, 0.05)
    readings = list(watched(filmed(turns, scenes, PACES["calm"], Habits(), rng), rng, EYES, Habits()))
    times = [reading.captured_at for _, reading in readings]
    assert times == sorted(times)
    assert {scene.turn for scene, _ in readings} >= {n for n, turn in enumerate(turns) if turn.roll is not None}
