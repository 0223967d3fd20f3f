"""The table's one writer: commit, apply, publish, in that order; whatever people say, in any number of threads."""

from __future__ import annotations

import threading
import typing
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import fold
from referee.match.journal import Heard, JournalError, MemoryJournal
from referee.match.shown.views import table_view
from referee.match.shown.wording import sentence
from referee.match.state import MatchState
from referee.match.table import RETRY_S, TableService
from referee.observations import Reading
from referee.records.export import record_of
from referee.records.mat import write_mat
from referee.records.store import Store
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import DieOnChecker, RuleSet
from tests.match.full_disk import FullDisk
from tests.match.hand import Hand
from tests.match.random_play import never, play_match

POSITIONS = st.sampled_from([START, Position((15,) + (0,) * 22 + (-15,)), Position((3,) * 24), Position((0,) * 24, (99, -1), (2, 2))])
SMALL = st.integers(-3, 9) | st.sampled_from([2**40, -(2**40)])
SPECIAL: dict[Any, st.SearchStrategy[Any]] = {
    int: SMALL,
    str: st.text(max_size=8) | st.sampled_from(["8/5 6/5", "24/18", "bar/off", "bray", "money", "\ud800", "a\nb"]),
    Position: POSITIONS,
    tuple[int, int]: st.tuples(st.integers(0, 7), st.integers(0, 7)),
    tuple[str, str]: st.tuples(st.text(max_size=80), st.sampled_from(["", "\ud800x", "Boris"])),
    tuple[tuple[int, int], ...]: st.lists(st.tuples(SMALL, SMALL), max_size=5).map(tuple),
}


def _value(hint: Any) -> st.SearchStrategy[Any]:
    if hint in SPECIAL:
        return SPECIAL[hint]
    options = typing.get_args(hint)
    if type(None) in options:
        return st.none() | st.one_of([_value(option) for option in options if option is not type(None)])
    return st.from_type(hint)


def _commands() -> st.SearchStrategy[c.Command]:
    kinds = []
    for kind in [cls for cls in c.Command.__subclasses__() if getattr(c, cls.__name__) is cls]:
        hints = typing.get_type_hints(kind)
        given_values = {f.name: _value(hints[f.name]) for f in fields(kind) if f.name not in ("seen_seq", "role", "source")}
        kinds.append(st.builds(kind, seen_seq=st.just(0), **given_values))
    return st.one_of(kinds)


@given(st.lists(_commands(), min_size=5, max_size=40), st.sampled_from(list(PRESETS)), st.sampled_from([0, 1, 3, 5]))
@settings(max_examples=60, deadline=None)
def test_whatever_people_say_is_logged_whole_or_refused_with_a_sentence(said: list[c.Command], rules: str, length: int) -> None:
    table = TableService(MemoryJournal(), preset(rules), never, None)
    table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=length, rules=rules))
    table.command(c.StartGame(seen_seq=1))
    table.command(c.EnterRoll(seen_seq=2, dice=(3, 1)))
    for command in said:
        before = table.state
        outcome = table.command(replace(command, seen_seq=before.seq))
        if isinstance(outcome, c.Refused):
            assert table.state is before
            assert sentence(outcome.reason).endswith((".", "?")), outcome
        else:
            assert table.state.seq == before.seq + len(outcome.events)
        table_view(table.state, table.rules)
        assert table.state == fold(table.log)
        assert all(0 <= points <= 2**30 for points in table.state.score)
    write_mat(record_of(table.log)).encode()


def test_what_is_published_was_committed_before() -> None:
    class Watched(MemoryJournal):
        def append(self, events: Sequence[e.Logged], heard: Sequence[Heard] = ()) -> None:
            super().append(events, heard)
            order.extend(("committed", one.seq) for one in events)

    order: list[tuple[str, int]] = []
    table = TableService(Watched(), preset("bray"), never, None)
    table.subscribe(lambda state, logged: order.extend(("shown", one.seq) for one in logged))
    play_match(4, 1, table=table)
    committed: set[int] = set()
    for what, seq in order:
        if what == "committed":
            committed.add(seq)
        assert seq in committed
    assert [seq for what, seq in order if what == "shown"] == list(range(1, table.state.seq + 1))


def test_a_failed_commit_shows_nothing_and_says_so() -> None:
    def rolls(state: MatchState, reading: Reading, memory: int, rules: RuleSet) -> tuple[int, tuple[e.Event, ...]]:
        return memory + 1, (e.OpeningRolled(Seat.NEAR, (3, 1)),)

    journal = FullDisk()
    table = TableService(journal, preset("bray"), rolls, 0)
    table.command(c.StartMatch(seen_seq=0, names=("A", "B")))
    table.command(c.StartGame(seen_seq=1))
    heard: list[tuple[MatchState, tuple[e.Logged, ...]]] = []
    table.subscribe(lambda state, logged: heard.append((state, logged)))
    journal.full, before = True, table.state
    assert table.observe(Reading((), None, None)) == ()
    assert table.state is before
    assert (table.trouble, table.memory) == ("The disk is full.", 0)
    assert heard[-1] == (before, ())
    refused = table.command(c.EnterRoll(seen_seq=2, dice=(3, 1)))
    assert isinstance(refused, c.Refused)
    assert sentence(refused.reason) == "The disk is full."
    with pytest.raises(JournalError):
        table.hear(Heard("tower", 1, 1, "$THROW"))
    journal.full = False
    assert [one.event for one in table.observe(Reading((), None, None))] == [e.OpeningRolled(Seat.NEAR, (3, 1))]
    assert (table.trouble, table.memory) == ("", 1)


def test_once_there_is_room_again_the_table_says_so_without_being_asked() -> None:
    now = [100.0]
    journal = FullDisk()
    table = TableService(journal, preset("bray"), never, None, lambda: now[0])
    table.command(c.StartMatch(seen_seq=0, names=("A", "B")))
    journal.full = True
    table.command(c.StartGame(seen_seq=1))
    shown: list[str] = []
    table.subscribe(lambda _state, _logged: shown.append(table.trouble))
    for seconds in (1, 60, 60):
        now[0] += seconds
        table.tick()
    assert shown == ["The disk is full."], "what has not changed is not told again"
    journal.full = False
    table.tick()
    assert table.trouble, "it is tried at a calm pace"
    now[0] += RETRY_S
    table.tick()
    assert shown == ["The disk is full.", ""]
    assert table.state.seq == 1, "and nothing is logged by it"
    assert isinstance(table.command(c.StartGame(seen_seq=1)), c.Accepted)


BY_HAND: tuple[tuple[type[c.Command], dict[str, Any]], ...] = (
    (c.StartGame, {}),
    (c.EnterRoll, {"dice": (3, 3)}),
    (c.EnterRoll, {"dice": (3, 1)}),
    (c.EnterPlay, {"play": "8/5 6/5"}),
    (c.EnterPlay, {"play": "24/23 13/10"}),  # what was really played
    (c.Undo, {}),
    (c.EnterPlay, {"play": "8/5 6/5"}),
    (c.Double, {}),
    (c.Take, {}),
    (c.EnterRoll, {"dice": (2, 6), "seat": Seat.FAR}),
    (c.EnterPlay, {"play": "24/18", "hold": True}),
    (c.Rule, {"stands": False, "play": "24/18 13/11"}),
    (c.SetClock, {"remaining": (100.0, 90.0)}),
    (c.StartClock, {}),
    (c.Resign, {"seat": Seat.NEAR}),
    (c.AcceptResignation, {}),
    (c.SetScore, {"score": (1, 3)}),
)


def said_already(outcome: c.Outcome) -> bool:
    """Whether it is refused, as stale, because another has said the same."""
    return isinstance(outcome, c.Refused) and outcome.reason.code == "stale" and bool(outcome.reason.get("same"))


def test_what_two_people_say_at_the_same_moment_is_done_once_and_the_second_is_told_that_it_is() -> None:
    table = TableService(MemoryJournal(), preset("usbgf"), never, None)
    table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=5, rules="usbgf"))
    for kind, said in BY_HAND:
        both = [kind(seen_seq=table.state.seq, **said)] * 2
        first, second = (table.command(one) for one in both)
        assert isinstance(first, c.Accepted), (kind, first)
        assert first.events
        assert said_already(second), (kind, second)


def test_dice_are_the_same_in_any_order_but_those_of_the_opening() -> None:
    hand = Hand()
    seen = hand.table.state.seq
    hand.roll(3, 1)
    assert not said_already(hand.table.command(c.EnterRoll(seen_seq=seen, dice=(1, 3)))), "the other player would begin"
    hand.do(c.EnterPlay, play="8/5 6/5")
    seen = hand.table.state.seq
    hand.roll(6, 2)
    assert said_already(hand.table.command(c.EnterRoll(seen_seq=seen, dice=(2, 6))))
    assert not said_already(hand.table.command(c.EnterRoll(seen_seq=seen, dice=(2, 5))))


def test_what_was_said_at_the_same_moment_and_stands_no_more_is_not_done() -> None:
    hand = Hand()
    hand.open()
    seen = hand.table.state.seq
    hand.roll(6, 2)
    late = c.EnterRoll(seen_seq=seen, dice=(6, 2))
    hand.do(c.Undo)
    assert not said_already(hand.table.command(late)), "it was taken back"
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18 13/11")
    assert not said_already(hand.table.command(late)), "and played"


def test_two_people_at_once_never_overwrite_each_other() -> None:
    table = TableService(MemoryJournal(), preset("bray"), never, None)
    table.command(c.StartMatch(seen_seq=0, names=("A", "B")))
    table.command(c.StartGame(seen_seq=1))
    table.command(c.EnterRoll(seen_seq=2, dice=(3, 1)))
    start, outcomes = threading.Barrier(8), []

    def play(text: str) -> None:
        start.wait()
        outcomes.append(table.command(c.EnterPlay(seen_seq=3, play=text)))

    threads = [threading.Thread(target=play, args=("8/5 6/5" if i % 2 else "24/20",)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = [outcome for outcome in outcomes if isinstance(outcome, c.Accepted)]
    assert len(accepted) == 1
    assert {outcome.reason.code for outcome in outcomes if isinstance(outcome, c.Refused)} == {"stale"}
    assert table.state.turns == 1


@pytest.mark.logs
def test_a_page_that_fails_does_not_stop_the_table() -> None:
    table = TableService(MemoryJournal(), preset("bray"), never, None)
    calls = []

    def fails(state: MatchState, logged: tuple[e.Logged, ...]) -> None:
        calls.append(state.seq)
        if state.seq:
            raise RuntimeError("gone")

    leave = table.subscribe(fails)
    table.command(c.StartMatch(seen_seq=0, names=("A", "B")))
    leave()
    table.command(c.StartGame(seen_seq=1))
    assert (table.state.seq, calls) == (2, [0, 1])


def test_a_match_goes_on_under_the_rules_it_was_started_with(tmp_path: Path) -> None:
    club = replace(preset("bray"), name="Thursday club", die_on_checker=DieOnChecker.VALID)
    with Store(tmp_path / "a.db") as store:
        TableService(store.latest(), club, never, None).command(c.StartMatch(seen_seq=0, names=("A", "B"), rules="Thursday club"))
    with Store(tmp_path / "a.db") as store:
        assert TableService(store.latest(), preset("agca"), never, None).rules == club
