"""Whatever the eyes say, in whatever order, nothing breaks; and read perfectly, any game is logged as it was played."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.board.plays import LegalPlays
from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.arbiter.consider import consider, finish
from referee.match.arbiter.memory import Memory
from referee.match.arbiter.underway import hit_beside
from referee.match.commands import AnswerDoubt, PressClock, StartMatch
from referee.match.folding import fold
from referee.match.journal import MemoryJournal
from referee.match.judge import Unsure, judge
from referee.match.table import TableService
from referee.observations import About, DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition, Touch
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import ClockMode, ClockRules, DiceSets, RuleSet, TurnEnd
from tests.match.test_judge import moved
from web.cli.bench._confusion import Confusion, TrueTurn, pictures, random_game

PLACES = st.tuples(st.sampled_from([200.0, 205.0, 400.0, 900.0]), st.sampled_from([300.0, 306.0, 500.0]))
HALVES = st.sampled_from([Half.LEFT, Half.RIGHT, None])
DICE = st.builds(
    SeenDie, st.one_of(st.none(), st.integers(1, 6)), st.sampled_from(DieState), HALVES, PLACES, st.sampled_from([0.2, 0.6, 1.0]),
    st.lists(st.sampled_from(Touch), max_size=2).map(tuple),
)
DOUBTS = st.builds(
    SeenDoubt, st.sampled_from(About), st.sampled_from(["count", "value", "state", "presence"]), st.just(""),
    st.one_of(st.none(), st.integers(0, 25)), st.one_of(st.none(), st.sampled_from(Seat)), st.one_of(st.none(), PLACES),
    st.lists(st.integers(-6, 9), max_size=3).map(tuple),
)
CUBES = st.one_of(
    st.none(),
    st.builds(
        SeenCube, st.sampled_from([1, 2, 4, 3, 64]), st.sampled_from([None, *Seat]), st.sampled_from([None, *Seat])
    ),
)
AFTER = moved(START, (24, 18), (13, 11))
KNOWN = [START, AFTER, moved(AFTER, (12, 17), (12, 13), sign=-1), moved(AFTER, (17, 18), sign=-1), Position((0,) * 24, (0, 0), (15, 15))]
COUNTS = st.lists(st.integers(-16, 16), min_size=24, max_size=24).map(tuple)
OFF = st.tuples(st.one_of(st.none(), st.integers(0, 15)), st.one_of(st.none(), st.integers(0, 15)))
POSITIONS = st.one_of(
    st.none(),
    st.sampled_from(KNOWN).map(lambda p: SeenPosition(p.points, p.bar)),
    st.builds(SeenPosition, COUNTS, st.tuples(st.integers(0, 15), st.integers(0, 15)), OFF),
)


_CLOCK = ClockRules(ClockMode.SIMPLE_DELAY)
SETS = [
    *(made.rules for made in PRESETS.values()),
    replace(preset("magriel"), name="clock", turn_end=TurnEnd.CLOCK, clock=_CLOCK),
    replace(preset("magriel"), name="club", turn_end=TurnEnd.LIFT_BY_ANYONE, dice_sets=DiceSets.SHARED),
    replace(preset("agca"), name="one pair", turn_end=TurnEnd.CLOCK, clock=_CLOCK),
]
"""Every preset, and what no preset has."""


@st.composite
def readings(draw: st.DrawFn) -> list[Reading]:
    at, found = 0.0, []
    for number in range(draw(st.integers(1, 14))):
        at += draw(st.sampled_from([0.0, 0.2, 1.5, 4.0]))
        dice = draw(st.lists(DICE, max_size=4).map(tuple))
        doubts = draw(st.lists(DOUBTS, max_size=3).map(tuple))
        reading = Reading(dice, draw(POSITIONS), draw(CUBES), doubts, at, str(number), hand=draw(st.booleans()) and draw(st.booleans()))
        found += [reading] * draw(st.integers(1, 3))
    return found


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(readings(), st.booleans(), st.sampled_from(SETS), st.data())
def test_no_readings_whatever_break_it(seen: list[Reading], stills: bool, rules: RuleSet, data: st.DataObject) -> None:
    table: TableService[Any] = TableService(MemoryJournal(), rules, consider, Memory(stills=stills))
    table.command(StartMatch(seen_seq=0, names=("", ""), rules=rules.name, length=3))
    table.observe(Reading((), SeenPosition(START.points, START.bar), None))
    table.observe(Reading((), SeenPosition(START.points, START.bar), None, captured_at=0.2))
    assert table.state.game == 1
    for reading in seen:
        table.observe(reading)
        if table.state.on_roll is not None and data.draw(st.booleans()):
            table.command(PressClock(seen_seq=table.state.seq, seat=table.state.on_roll))
        doubt = table.state.doubt
        if doubt is not None and data.draw(st.booleans()):
            choices = [None, *range(len(doubt.doubt.answers))]
            table.command(AnswerDoubt(seen_seq=table.state.seq, doubt_seq=doubt.seq, answer=data.draw(st.sampled_from(choices))))
    _, left = finish(table.state, table.memory, table.rules)
    table.note(*left)
    assert fold(table.log) == table.state
    assert not table.state.position.defects(), "what was accepted is always thirty checkers"


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_a_random_game_read_perfectly_is_logged_as_it_was_played(stills: bool, seed: int) -> None:
    perfect = Confusion(**dict.fromkeys(Confusion.__dataclass_fields__, 0.0))
    # An illegal play that is one checker from a legal one, and a checker that is nowhere, are asked about: not here.
    dice, true, scenes = next(
        (dice, true, scenes)
        for tried in range(20)
        for dice in [random.Random(20 * seed + tried)]
        for true, scenes in [random_game(dice, 0.1)]
        if not any(turn.illegal is not None and _asked_about(turn) for turn in true)
    )
    table = TableService(MemoryJournal(), preset("bray"), consider, Memory(stills=stills))
    table.command(StartMatch(seen_seq=0, names=("", ""), games=1))
    for _, reading in pictures(scenes, dice, perfect, 1 if stills else 3):
        table.observe(reading)
    wanted: list[tuple[Any, ...]] = []
    for turn in true:
        if turn.roll is None:
            wanted.append(("no_roll", turn.seat))
            continue
        wanted.append(("rolled", turn.seat, tuple(sorted(turn.roll))))
        if turn.illegal is not None:
            wanted.append(("illegal_play", turn.seat, turn.illegal))
        kind = "played" if turn.illegal is None else "play_corrected" if turn.legal else "illegal_play_stood"
        wanted.append((kind, turn.seat, turn.final))
    assert [line for one in table.log if (line := _line(one.event))] == wanted
    counted = [one.event.type for one in table.log]
    assert counted.count("roll_void") == sum(scene.what == "bad throw" for scene in scenes)
    assert counted.count("opening_tied") == sum(scene.what == "tie" for scene in scenes)
    assert counted.count("doubled") == counted.count("taken") == sum(scene.what == "offer" for scene in scenes)
    assert "doubt" not in counted
    assert counted[-2:] == ["game_won", "match_won"]


def _asked_about(turn: TrueTurn) -> bool:
    assert turn.roll is not None
    legal = tuple(LegalPlays(turn.before, turn.seat, turn.roll).results)
    assert turn.illegal is not None
    if turn.illegal == turn.before or hit_beside(turn.before, turn.illegal, turn.seat, legal) is not None:
        return True  # or waited for
    reading = Reading((), SeenPosition(turn.illegal.points, turn.illegal.bar), None)
    return isinstance(judge(turn.before, turn.seat, reading, legal), Unsure)


def _line(event: e.Event) -> tuple[Any, ...] | None:
    match event:
        case e.NoRoll():
            return ("no_roll", event.seat)
        case e.Rolled() | e.OpeningRolled():
            return ("rolled", event.seat, tuple(sorted(event.dice)))
        case e.Played() | e.PlayCorrected() | e.IllegalPlayStood() | e.IllegalPlay():
            return (event.type, event.seat, event.position)
    return None
