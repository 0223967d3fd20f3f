"""A name that was typed wrong is put right while the match goes on: everything says the new one, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import fold
from referee.match.journal import MemoryJournal
from referee.match.shown.views import table_view
from referee.match.shown.wording import sentence
from referee.match.state import Phase
from referee.match.table import TableService
from referee.rules.presets import preset
from tests.match.hand import Hand
from tests.match.random_play import never
from web.archive import steps
from web.snapshot import log_lines


def rolled(hand: Hand) -> None:
    hand.roll(3, 1)


def held(hand: Hand) -> None:
    rolled(hand)
    hand.do(c.EnterPlay, play="8/5", hold=True)


def doubled(hand: Hand) -> None:
    rolled(hand)
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.do(c.Double)


def resigned(hand: Hand) -> None:
    rolled(hand)
    hand.do(c.Resign, seat=Seat.NEAR)


def game_over(hand: Hand) -> None:
    resigned(hand)
    hand.do(c.AcceptResignation)


def match_over(hand: Hand) -> None:
    hand.do(c.AwardMatch, seat=Seat.FAR, role=e.Role.DIRECTOR)


def paused(hand: Hand) -> None:
    held(hand)
    hand.do(c.Pause)


@pytest.mark.parametrize("until", [lambda _: None, rolled, held, doubled, resigned, game_over, match_over, paused])
def test_names_are_put_right_at_any_moment_and_nothing_else_changes(until: object) -> None:
    hand = Hand(5, "usbgf", event="Cub")
    until(hand)  # type: ignore[operator]
    before = hand.table.state
    assert "set_names" in table_view(before, hand.table.rules)["can"]
    assert hand.do(c.SetNames, names=("  Anne\t", "Borys"), event=" Club  night ") == [e.NamesSet(("Anne", "Borys"), "Club night")]
    after = hand.table.state
    assert (after.names, after.event) == (("Anne", "Borys"), "Club night")
    kept = replace(after, names=before.names, event=before.event, seq=before.seq, clock=before.clock, gone_on=before.gone_on)
    assert kept == before
    if before.clock is not None and after.clock is not None:
        assert after.clock.reading(after.at) == before.clock.reading(after.at), "it costs nobody time"
    assert fold(hand.table.log).names == ("Anne", "Borys")

    hand.do(c.Undo)
    assert (hand.table.state.names, hand.table.state.event) == (("Anna", "Boris"), "Cub")
    assert hand.table.state.phase is before.phase


def test_names_not_given_with_an_event_leave_it_and_two_players_are_not_called_alike() -> None:
    hand = Hand(5, event="Club night")
    assert hand.do(c.SetNames, names=("Anne", "Boris")) == [e.NamesSet(("Anne", "Boris"), "Club night")]
    assert hand.refused(c.SetNames, names=("Boris", " boris ")) == "same_names"
    empty: TableService[None] = TableService(MemoryJournal(), preset("bray"), never, None)
    refusal = empty.command(c.SetNames(seen_seq=0, names=("Anne", "Boris")))
    assert isinstance(refusal, c.Refused)
    assert refusal.reason.code == "no_match"


def test_who_plays_on_meanwhile_is_not_refused_and_who_names_the_players_too_is() -> None:
    hand = Hand(5)
    seen = hand.table.state.seq
    hand.do(c.SetNames, names=("Anne", "Boris"))
    late = hand.table.command(c.SetNames(seen_seq=seen, names=("Annie", "Boris")))
    assert isinstance(late, c.Refused)
    assert sentence(late.reason) == "The match has moved on meanwhile (the names were set by hand); look again."
    assert isinstance(hand.table.command(c.EnterRoll(seen_seq=seen, dice=(3, 1))), c.Accepted)


def test_a_question_stays_open() -> None:
    hand = Hand(5)
    hand.roll(3, 1)
    hand.table.note(e.Doubt("play", e.Reason("several")))
    doubt = hand.table.state.doubt
    assert doubt is not None
    hand.do(c.SetNames, names=("Anne", "Boris"))
    assert hand.table.state.doubt == doubt


def test_every_line_that_was_said_before_says_the_new_names() -> None:
    hand = Hand(5)
    hand.roll(3, 1)
    hand.do(c.Penalise, seat=Seat.FAR, points=1, role=e.Role.DIRECTOR)
    hand.do(c.SetNames, names=("Anne", "Borys"))
    table = [line["text"] for line in log_lines(hand.table.log, hand.table.state)]
    assert table == [step["text"] for step in steps(hand.table.log, pictures=False)]
    assert table[0] == "Anne against Borys, to 5 points"
    assert "Anne starts with 3-1" in table
    assert "Ruled: penalty points against Borys: 1 (by the director)" in table
    assert not [text for text in table if "Anna" in text or "Boris" in text]
    rulings = table_view(hand.table.state, hand.table.rules)["rulings"]
    assert rulings[-1]["text"] == "Ruled: penalty points against Borys: 1."
    assert hand.table.state.phase is Phase.ROLLED
