"""Whose time runs, and what of it is given back, where a turn ends in an unusual way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match.shown.views import table_view
from referee.match.state import Phase
from referee.rules.presets import preset
from referee.rules.ruleset import ClockMode, RuleSet, TurnEnd
from tests.match.hand import FAR, NEAR, Hand


def clocked(mode: ClockMode) -> RuleSet:
    usual = preset("usbgf")
    return replace(usual, name="clocked", clock=replace(usual.clock, mode=mode, delay_s=30.0, minus_per_point_scored=0.0))


def running(hand: Hand) -> Seat | None:
    state = hand.table.state
    assert state.clock is not None
    return state.clock.reading(state.at).running


@pytest.mark.parametrize("mode", [ClockMode.SIMPLE_DELAY, ClockMode.BRONSTEIN, ClockMode.FISCHER])
def test_who_has_lost_by_the_last_checker_is_given_no_seconds_for_a_turn_that_never_began(mode: ClockMode) -> None:
    hand = Hand(5, clocked(mode))
    hand.open()
    hand.set({1: 1}, {6: 5}, NEAR, (6, 5))
    assert hand.table.state.clock is not None
    before = hand.table.state.clock.reserve
    hand.do(c.EnterPlay, play="1/off")
    state = hand.table.state
    assert state.phase is Phase.GAME_OVER and state.clock is not None
    assert state.clock.reserve[FAR.index] == before[FAR.index]
    assert state.clock.since is None


def test_who_must_answer_a_resignation_pays_also_once_the_press_has_ended_his_turn() -> None:
    hand = Hand(5, replace(clocked(ClockMode.SIMPLE_DELAY), turn_end=TurnEnd.CLOCK))
    hand.roll(3, 1)
    hand.do(c.PressClock, seat=NEAR)
    assert hand.table.state.phase is Phase.JUDGING
    assert running(hand) is FAR
    hand.do(c.Resign, seat=FAR)
    assert (hand.table.state.decider, running(hand)) == (NEAR, NEAR)
    hand.do(c.RefuseResignation)
    assert running(hand) is FAR


def test_who_presses_before_he_has_rolled_is_told_that_he_still_has_to() -> None:
    hand = Hand(5, replace(clocked(ClockMode.SIMPLE_DELAY), turn_end=TurnEnd.CLOCK))
    hand.do(c.SetTurn, seat=NEAR)
    hand.do(c.PressClock, seat=NEAR)
    told = table_view(hand.table.state, hand.table.rules, director=True)["rulings"][-1]
    assert (told["code"], told["text"]) == ("pressed_without_roll", "The clock was pressed without rolling; the roll is still owed.")
    assert hand.table.state.phase is Phase.TO_ROLL and running(hand) is NEAR
