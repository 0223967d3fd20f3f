"""The benchmark of players before a live camera in small: perfect eyes referee calm players perfectly, and hurry accuses nobody."""

from __future__ import annotations

import random
from dataclasses import asdict, replace

from referee.board.position import START, Position, Seat
from referee.match.commands import SetPosition, SetTurn
from referee.match.state import Phase
from referee.observations import Reading, SeenCube, SeenPosition
from web.cli._bench_players import EYES, play
from web.cli._confusion import Confusion, Scene, TrueTurn, random_game
from web.cli._players import PACES, Habits, filmed, watched
from web.cli._refereed import Refereed, Tally

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


def test_the_last_checker_off_is_told_by_hand_as_the_end_of_the_game() -> None:
    before = Position.from_sides((1, *[0] * 24), (2, *[0] * 24))
    after = Position.from_sides((0, *[0] * 24), (2, *[0] * 24))
    turns = [TrueTurn(Seat.NEAR, (3, 1), before, after)]
    referee = Refereed(turns, Tally(), stills=True)
    cube = SeenCube(1, None)
    referee.table.observe(Reading((), SeenPosition(START.points, START.bar), cube))
    referee.table.command(SetPosition(seen_seq=referee.table.state.seq, position=before))
    referee.table.command(SetTurn(seen_seq=referee.table.state.seq, seat=Seat.NEAR, dice=(3, 1)))
    referee._by_hand(Scene(0, after, (), cube, "played"))
    assert referee.table.state.phase is Phase.MATCH_OVER
    assert referee.tally.silent == 0
