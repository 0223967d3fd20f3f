"""What is not to be done is refused by name, and nothing of it is logged."""

from __future__ import annotations

from typing import Any

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.journal import MemoryJournal
from referee.match.table import TableService
from referee.rules import parse_rules
from referee.rules.presets import preset
from tests.match.hand import Hand
from tests.match.random_play import never

NEAR, FAR = Seat.NEAR, Seat.FAR


def test_a_roll_is_entered_for_the_player_whose_throw_it_is() -> None:
    hand = Hand()
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5 6/5")
    assert hand.refused(c.EnterRoll, dice=(6, 2), seat=NEAR) == "not_on_roll"
    hand.do(c.EnterRoll, dice=(6, 2), seat=FAR)
    assert hand.refused(c.EnterRoll, dice=(6, 2), seat=NEAR) == "not_on_roll", "nor while it is played"
    hand.do(c.EnterPlay, play="24/18 13/11")
    hand.do(c.Double)
    assert hand.refused(c.EnterRoll, dice=(6, 2), seat=FAR) == "answer_the_double"
    assert [type(one) for one in hand.do(c.EnterRoll, dice=(6, 2), seat=NEAR)] == [e.Taken, e.Rolled]


@pytest.mark.parametrize(
    ("values", "why"), [({"length": 10**6}, "bad_length"), ({"length": -1}, "bad_length"), ({"games": -1}, "bad_games")]
)
def test_no_match_is_begun_of_a_length_that_none_has(values: dict[str, Any], why: str) -> None:
    table = TableService(MemoryJournal(), preset("bray"), never, None)
    outcome = table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), rules="bray", **values))
    assert isinstance(outcome, c.Refused)
    assert (outcome.reason.code, table.log) == (why, ())


def test_dice_that_there_are_not_are_set_for_nobody() -> None:
    hand = Hand()
    for dice in ((0, 1), (7, 1)):
        assert hand.refused(c.SetTurn, seat=NEAR, dice=dice) == "bad_dice"
        assert hand.refused(c.EnterRoll, dice=dice) == "bad_dice"


def test_a_clock_is_pressed_by_whose_turn_it_is_stopped_while_it_runs_and_started_while_it_stands() -> None:
    hand = Hand(rules=parse_rules('base = "usbgf"\nturn_end = "clock"', "club"), start=False)
    assert hand.refused(c.StartClock) == "clock_stands", "between games it is nobody's"
    hand.do(c.StartGame)
    hand.roll(3, 1)
    assert hand.refused(c.PressClock, seat=FAR) == "not_your_clock"
    assert hand.refused(c.StartClock) == "clock_runs"
    hand.do(c.StopClock)
    assert hand.refused(c.StopClock) == "clock_stopped"
    hand.do(c.StartClock)
