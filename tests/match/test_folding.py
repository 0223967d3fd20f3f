"""Folding is pure and total: any events, in any order, whatever they say; and an undo restores what was."""

from __future__ import annotations

import typing
from dataclasses import fields, replace
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.folding import apply, fold
from referee.match.log import effective
from referee.match.shown.views import event_line, scoreboard_view, table_view
from referee.match.shown.wording import event_sentence, expected
from referee.match.state import MatchState
from referee.records.codec import CodecError, decode_event, encode_event
from referee.rules.presets import preset
from referee.rules.reason import Reason
from tests.match.random_play import play_match

POSITIONS = st.sampled_from(
    [START, Position((0,) * 24, (0, 0), (15, 15)), Position((15,) + (0,) * 22 + (-15,)), Position((-9,) * 24, (3, -1), (99, 0))]
)
VALUE = st.tuples(st.sampled_from(["seat", "point", "die", "text"]), st.integers(0, 30) | st.text(max_size=5))
VALUES = st.lists(VALUE, unique_by=lambda pair: pair[0])
REASONS = st.builds(Reason, st.sampled_from(["cocked", "several", "unclear", "nonsense", ""]), VALUES.map(tuple), st.text(max_size=5))
ANSWERS = st.builds(e.Answer, REASONS, st.just((e.Rolled(Seat.NEAR, (3, 1)),)))
SPECIAL: dict[Any, st.SearchStrategy[Any]] = {
    Position: POSITIONS, Reason: REASONS, tuple[int, int]: st.tuples(st.integers(1, 6), st.integers(1, 6)),
    tuple[e.Answer, ...]: st.lists(ANSWERS, max_size=3).map(tuple), int: st.integers(-3, 40),
    tuple[float, float]: st.tuples(st.floats(0, 1e4), st.floats(0, 1e4)),
}


def _events() -> st.SearchStrategy[e.Event]:
    kinds = []
    for kind in e.EVENT_TYPES.values():
        hints = typing.get_type_hints(kind)
        made = {f.name: SPECIAL[h] if (h := hints[f.name]) in SPECIAL else st.from_type(h) for f in fields(kind)}
        kinds.append(st.builds(kind, **made))
    return st.one_of(kinds)


def _logged(events: list[e.Event], first: int = 1) -> tuple[e.Logged, ...]:
    return tuple(e.Logged(first + i, event) for i, event in enumerate(events))


LOGS = st.lists(_events(), max_size=20).map(_logged)


def test_every_event_has_a_name_of_its_own_and_is_the_final_class() -> None:
    for name, kind in e.EVENT_TYPES.items():
        assert kind.type == name
        assert getattr(e, kind.__name__) is kind
    assert len(e.EVENT_TYPES) == len({cls.__name__ for cls in e.Event.__subclasses__()})


@given(LOGS)
@settings(max_examples=80, deadline=None)
def test_any_log_folds_shows_and_is_written_and_read_back(log: tuple[e.Logged, ...]) -> None:
    state = fold(log)
    assert state.seq == len(log)
    assert fold(log) == state, "folding the same log gives the same state"
    for rules in (preset("bray"), preset("money")):
        table_view(state, rules, director=True)
    scoreboard_view(state)
    assert expected(state)
    for one in log:
        event_line(one)
        event_sentence(one.event, ("Anna", ""))
        assert decode_event(one.event.type, 1, encode_event(one.event)) == one.event


@given(LOGS, st.integers(0, 20))
@settings(max_examples=50, deadline=None)
def test_a_log_that_goes_on_where_it_was_read_gives_the_same_state(log: tuple[e.Logged, ...], cut: int) -> None:
    assert reduce(apply, log[cut:], fold(log[:cut])) == fold(log)


@given(LOGS, st.integers(0, 21))
@settings(max_examples=50, deadline=None)
def test_an_undo_restores_the_state_and_can_itself_be_undone(log: tuple[e.Logged, ...], to: int) -> None:
    to = min(to, len(log))
    before = fold(log)
    undone = apply(before, e.Logged(len(log) + 1, e.Undone(to)))
    then = fold(log[:to])
    assert replace(undone, seq=then.seq, reconcile=then.reconcile, lost=then.lost) == then
    assert undone.lost == before.lost, "a lost camera does not come back by an undo"
    back = apply(undone, e.Logged(len(log) + 2, e.Undone(len(log))))
    assert replace(back, seq=before.seq, reconcile=before.reconcile) == before


@given(LOGS)
@settings(max_examples=50, deadline=None)
def test_what_was_struck_out_does_not_count(log: tuple[e.Logged, ...]) -> None:
    """Folding only the events that count gives the same match, but for what an undo itself leaves behind."""
    counting = effective(log)
    assert not [one for one in counting if isinstance(one.event, e.Undone)]
    state, short = fold(log), fold(counting)
    for name in ("phase", "score", "game", "cube", "on_roll", "dice", "position", "names", "turns", "crawford", "doubt", "held"):
        assert getattr(state, name) == getattr(short, name), name


def test_every_moment_of_a_real_match_can_be_taken_back_to() -> None:
    log = play_match(11, 3).log
    state, moments = MatchState(), [MatchState()]
    for one in log:
        state = apply(state, one)
        moments.append(state)
    for to in range(0, len(log), 7):
        undone = apply(state, e.Logged(len(log) + 1, e.Undone(to)))
        assert replace(undone, seq=to, reconcile=moments[to].reconcile) == moments[to]


@pytest.mark.parametrize(
    "payload",
    [{}, {"seat": "near"}, {"seat": "up", "dice": [1, 2]}, {"seat": "near", "dice": [1]}, [], {"seat": "near", "dice": [1, 2], "x": 1}],
)
def test_a_payload_that_is_not_ours_is_named(payload: Any) -> None:
    with pytest.raises(CodecError):
        decode_event("rolled", 1, payload)
