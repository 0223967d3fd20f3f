"""A match that was started to the wrong length goes on to the right one: its score, its Crawford game, its clocks and its records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.commands import Refused
from referee.match.folding import fold
from referee.match.shown.views import table_view
from referee.match.shown.wording import sentence
from referee.match.state import Phase
from referee.records.export import record_of
from referee.rules.presets import preset
from tests.match.hand import Hand
from web.snapshot import log_lines

NEAR, FAR = Seat.NEAR, Seat.FAR


def test_a_match_started_to_too_few_points_goes_on_to_the_right_number() -> None:
    hand = Hand(1)
    hand.open()
    assert hand.refused(c.Double) == "no_cube"
    assert hand.do(c.SetLength, length=3) == [e.LengthSet(3)]
    assert log_lines(hand.table.log, hand.table.state)[-1]["text"] == "The match length was set to 3 points"
    hand.do(c.Double)
    hand.do(c.Drop)
    assert (hand.table.state.phase, hand.table.state.score) == (Phase.GAME_OVER, (0, 1))
    assert fold(hand.table.log).length == record_of(hand.table.log).length == 3


def test_the_crawford_game_is_that_of_the_right_length() -> None:
    hand = Hand(5)
    hand.do(c.AwardGame, seat=NEAR)
    assert hand.do(c.SetLength, length=2) == [e.LengthSet(2, crawford=True)]
    assert hand.table.state.crawford_now
    hand.do(c.StartGame)
    assert hand.table.state.crawford
    assert hand.do(c.SetLength, length=7) == [e.LengthSet(7)]
    hand.open()
    assert hand.table.state.may_double(FAR)
    hand.do(c.Double)
    hand.do(c.Take)
    logged = hand.do(c.SetLength, length=2)
    assert [type(one) for one in logged] == [e.LengthSet, e.Ruled, e.CubeSet], "nobody may double in the Crawford game"
    assert (hand.table.state.crawford, hand.table.state.cube.value) == (True, 1)
    assert record_of(hand.table.log).games[-1].crawford


def test_both_clocks_have_the_time_of_the_points_that_were_missing() -> None:
    hand = Hand(3, "usbgf", start=False)
    hand.do(c.SetLength, length=5)
    hand.do(c.StartGame)
    hand.roll(3, 1)
    before = hand.table.state
    assert before.clock is not None
    hand.do(c.SetLength, length=7)
    after = hand.table.state
    assert after.clock is not None
    gained = [now - was for now, was in zip(after.clock.reading(after.at).remaining, before.clock.reading(after.at).remaining, strict=True)]
    assert gained == pytest.approx([2 * after.clock.rules.bank_s_per_point] * 2)
    assert (after.clock.turn, after.clock_held) == (NEAR, False), "the turn goes on"
    hand.do(c.SetLength, length=5)
    shorter = hand.table.state
    assert shorter.clock is not None
    assert shorter.clock.reading(shorter.at).remaining == pytest.approx(before.clock.reading(shorter.at).remaining)


def test_who_ran_out_of_time_in_too_short_a_match_has_time_again() -> None:
    rules = preset("usbgf")
    hand = Hand(3, replace(rules, clock=replace(rules.clock, delay_s=0.0, overtime_s=0.0)))
    hand.roll(3, 1)
    hand.do(c.SetClock, remaining=(0.0, 60.0))
    hand.do(c.StartClock)
    hand.table.tick()
    assert hand.table.state.flagged is NEAR
    hand.do(c.SetLength, length=5)
    hand.table.tick()
    assert hand.table.state.flagged is None


def test_whether_it_is_the_crawford_game_of_the_right_length_can_be_said_with_it() -> None:
    hand = Hand(7)
    hand.do(c.SetScore, score=(4, 2))
    hand.refused(c.SetLength, length=6, crawford=True)
    assert hand.do(c.SetLength, length=5, crawford=False) == [e.LengthSet(5, crawford=False)]
    state = hand.table.state
    assert (state.crawford, state.crawford_before) == (False, True)
    hand.do(c.AwardGame, seat=FAR)
    assert not hand.table.state.crawford_now


def test_a_match_won_at_too_short_a_length_goes_on() -> None:
    hand = Hand(3, "usbgf")
    hand.do(c.SetScore, score=(2, 1))
    hand.do(c.AwardGame, seat=NEAR)
    assert hand.table.state.phase is Phase.MATCH_OVER
    assert "set_length" in table_view(hand.table.state, hand.table.rules)["can"]
    assert hand.refused(c.SetLength, length=2) == "score_over"
    hand.do(c.SetNames, names=("Anne", "Boris"))
    assert hand.do(c.SetLength, length=4) == [e.LengthSet(4, crawford=True)], "that of another length was played"
    state = hand.table.state
    assert (state.phase, state.score, state.crawford_now) == (Phase.GAME_OVER, (3, 1), True)
    assert record_of(hand.table.log).winner is None
    hand.do(c.StartGame)
    assert hand.table.state.crawford
    hand.do(c.AwardGame, seat=NEAR)
    assert (hand.table.state.phase, hand.table.state.winner, hand.table.state.score) == (Phase.MATCH_OVER, NEAR, (4, 1))

    fined = Hand(3)
    fined.open()
    fined.do(c.Penalise, seat=FAR, points=3)
    assert "set_length" not in table_view(fined.table.state, fined.table.rules)["can"], "its last game is not over"
    assert fined.refused(c.SetLength, length=5) == "match_over"


def test_what_cannot_be_the_length_is_refused() -> None:
    hand = Hand(5)
    assert "set_length" in table_view(hand.table.state, hand.table.rules)["can"]
    hand.do(c.SetScore, score=(2, 0))
    assert hand.refused(c.SetLength, length=2) == "score_over"
    fined = Hand(11)
    fined.do(c.Penalise, seat=NEAR, points=4)
    assert fined.refused(c.SetLength, length=7) == "penalties_over", "four are more than half of seven"
    assert fined.do(c.SetLength, length=8) == [e.LengthSet(8)]
    assert hand.refused(c.SetLength, length=-1) == hand.refused(c.SetLength, length=100) == "bad_length"
    hand.do(c.AwardMatch, seat=NEAR)
    assert hand.refused(c.SetLength, length=7) == "match_over"

    doubled = Hand(5)
    doubled.open()
    doubled.do(c.Double)
    assert doubled.refused(c.SetLength, length=1) == "no_cube"


def test_a_match_started_as_a_money_game_is_made_a_match_while_nothing_was_otherwise() -> None:
    hand = Hand(0, replace(preset("money"), crawford=True, clock=preset("usbgf").clock))
    assert "set_length" in hand.can()
    hand.open()
    assert hand.do(c.SetLength, length=3) == [e.LengthSet(3)]
    state = hand.table.state
    assert state.clock is not None and (state.clock.turn, state.clock.reading(state.at).remaining) == (FAR, (360.0, 360.0))
    assert hand.do(c.SetLength, length=0) == [e.LengthSet(0)]
    assert hand.table.state.clock is None
    assert log_lines(hand.table.log, hand.table.state)[-1]["text"] == "The match was made a money game"
    hand.do(c.Double)
    hand.do(c.Beaver)
    assert hand.refused(c.SetLength, length=3) == "cube_otherwise", "there are no beavers in a match"
    hand.do(c.Undo)
    hand.do(c.Drop)
    hand.do(c.SetLength, length=2)
    assert (hand.table.state.score, hand.table.state.crawford_now) == ((0, 1), True)


def test_a_money_game_in_which_a_gammon_did_not_count_stays_one() -> None:
    hand = Hand(0, "money")
    hand.set({1: 1}, {23: 15}, NEAR, (6, 5))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon) and won.points == 1, "nobody had doubled"
    outcome = hand.say(c.SetLength, length=5)
    assert isinstance(outcome, Refused)
    assert " ".join(map(sentence, (outcome.reason, *outcome.detail))) == (
        "With that, game 1 would have counted otherwise. Undo that first, or start a new match and set its score under ‘Correct…’."
    )


def test_a_length_put_right_can_be_taken_back() -> None:
    hand = Hand(5)
    hand.open()
    hand.do(c.SetLength, length=7)
    hand.do(c.Undo)
    assert (hand.table.state.length, hand.table.state.phase) == (5, Phase.TO_ROLL)
