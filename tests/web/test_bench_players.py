"""The benchmark of players before a live camera in small: perfect eyes referee calm players perfectly, and hurry accuses nobody."""

from __future__ import annotations

import random
from dataclasses import asdict, replace

from referee.board.position import START, Position, Seat
from referee.match.commands import SetPosition, SetTurn, StartMatch
from referee.match.events import IllegalPlay, IllegalPlayStood, Played
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import open_table
from referee.match.unattended import Unattended
from referee.observations import About, Half, Reading, SeenCube, SeenDoubt, SeenPosition
from web.cli.bench._confusion import Confusion, Scene, TrueTurn, lying, random_game
from web.cli.bench._players import PACES, Habits, filmed, watched
from web.cli.bench._refereed import Refereed, Tally
from web.cli.bench.players import EYES, play

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


def test_an_opening_tie_that_was_read_in_doubt_is_told_as_what_it_was() -> None:
    rng, cube = random.Random(1), SeenCube(1, None)
    thrown = (*lying(rng, (6,), Half.RIGHT), *lying(rng, (6,), Half.LEFT))
    referee = Refereed([TrueTurn(Seat.FAR, (3, 1), START, START)], Tally(), stills=True)
    referee.table.observe(Reading((), SeenPosition(START.points, START.bar), cube))
    doubt = SeenDoubt(About.DIE, "state", "flat or cocked", centre=thrown[0].centre)
    seen = Reading(thrown, SeenPosition(START.points, START.bar), cube, (doubt,))
    scene = Scene(0, START, thrown, cube, "tie")
    referee.watch((scene, replace(seen, captured_at=float(at))) for at in (1, 2))
    assert referee.tally.questions == 1
    assert (referee.table.state.phase, referee.table.state.tie, referee.tally.by_hand) == (Phase.OPENING, (6, 6), 0)


def test_a_recording_in_which_turns_go_by_unseen_accuses_nobody_and_is_followed_on() -> None:
    rng = random.Random(8)
    turns, scenes = random_game(rng, 0.0)
    turns, scenes = turns[:36], [scene for scene in scenes if scene.turn < 36]
    table = open_table(MemoryJournal(), "bray")
    table.command(StartMatch(seen_seq=0, names=("", ""), games=1))
    alone, until, number = Unattended(table), 0.0, 0
    for scene, reading in watched(filmed(turns, scenes, PACES["calm"], Habits(), rng), rng, PERFECT, NO_HABITS):
        if scene.turn // 12 > number:  # covered for half a minute after every dozen turns
            number, until = scene.turn // 12, reading.captured_at + 30.0
        if reading.captured_at >= until:
            alone.observe(reading)
    assert not any(isinstance(one.event, IllegalPlay | IllegalPlayStood) for one in table.log)
    assert sum(isinstance(one.event, Played) for one in table.log) > 0.5 * len(turns)
