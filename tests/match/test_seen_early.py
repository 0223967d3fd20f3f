"""Throws before their turn under rules that ask, and turns that a clock ends, as they are seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.views import table_view
from referee.match.state import Early, Phase
from referee.match.witness import Witnesses
from referee.observations import DieState, Rests, TowerThrow
from referee.rules.presets import preset
from referee.rules.ruleset import ClockMode, ClockRules, DiceSets, RuleSet, TurnEnd
from tests.match.seen_table import AFTER_62, FAR, NEAR, Table, begun, die, moved, plays, throw

OWN, EARLY = throw(FAR, 3, 1), throw(NEAR, 5, 2)
AFTER_31 = plays(AFTER_62, FAR, 3, 1)[0]


def early(stills: bool = True) -> Table:
    """Far has 3-1 to play, and near has thrown 5-2: under a set that asks."""
    table = begun(stills, "magriel")
    table.see(AFTER_62, *OWN)
    assert table.see(AFTER_62, *OWN, *EARLY) == ["doubt"]
    return table


@pytest.mark.parametrize("stills", [True, False])
def test_an_early_throw_that_is_let_stand_is_the_roll_when_its_turn_comes(stills: bool) -> None:
    table = early(stills)
    assert table.see(AFTER_31, *OWN, *EARLY) == [], "it is asked once"
    table.answer(0)
    assert table.service.state.early == Early(NEAR, (5, 2))
    assert table_view(table.service.state, table.service.rules)["early"] == {"seat": "near", "dice": [5, 2]}
    assert table.phase is Phase.ROLLED, "the turn goes on"
    assert table.see(AFTER_31, *EARLY) == ["played", "rolled"]
    assert table.last == e.Rolled(NEAR, (5, 2), premature=True)
    assert table.service.state.early is None
    assert table.see(AFTER_31, *EARLY) == []
    assert table.see(plays(AFTER_31, NEAR, 5, 2)[0]) == ["played"]


@pytest.mark.parametrize("stills", [True, False])
def test_an_early_throw_that_does_not_count_is_thrown_again(stills: bool) -> None:
    table = early(stills)
    table.answer(1)
    assert table.event(e.RollVoid).reason.code == "premature"
    assert table.see(AFTER_31, *EARLY) == ["played"], "the dice that lie there are no throw"
    assert table.see(AFTER_31, *throw(NEAR, 6, 5, place=40)) == ["rolled"]
    assert table.last == e.Rolled(NEAR, (6, 5))


@pytest.mark.parametrize("stills", [True, False])
def test_a_throw_that_is_owed_anew_does_not_close_the_time_for_putting_right_what_was_played_after_it(stills: bool) -> None:
    table = begun(stills, "traditional")
    wrong = moved(AFTER_62, (12, 15), (12, 14), sign=-1)
    table.see(AFTER_62, *OWN)
    assert table.see(AFTER_62, *OWN, *EARLY) == ["roll_void"]
    table.see(wrong, *OWN, *EARLY)
    assert table.see(wrong, *EARLY) == ["illegal_play"]
    assert table.see(wrong, *EARLY, looks=6) == []
    assert table.see(AFTER_31, *EARLY) == ["play_corrected"]
    assert table.see(AFTER_31, *throw(NEAR, 6, 5, place=40)) == ["rolled"]


def test_the_throw_that_was_owed_closes_it() -> None:
    table = begun(True, "traditional")
    wrong = moved(AFTER_62, (12, 15), (12, 14), sign=-1)
    table.see(AFTER_62, *OWN)
    table.see(AFTER_62, *OWN, *EARLY)
    table.see(wrong, *EARLY)
    assert table.see(wrong, *throw(NEAR, 6, 5, place=40)) == ["illegal_play_stood", "rolled"]


def test_the_end_of_the_turn_does_not_answer_the_question() -> None:
    table = early()
    assert table.see(AFTER_31, *EARLY) == ["played"]
    assert table.service.state.doubt is not None
    table.answer(0)
    assert table.last == e.Rolled(NEAR, (5, 2), premature=True), "it is his turn by now"


def test_throwing_again_answers_it() -> None:
    table = early()
    table.see(AFTER_31, *EARLY)
    assert table.see(AFTER_31, *throw(NEAR, 6, 5, place=40)) == ["rolled", "doubt_resolved"]


def test_play_that_went_on_before_the_answer_is_gone_through_after_it() -> None:
    table = early()
    assert table.see(AFTER_31, *EARLY) == ["played"]
    after = plays(AFTER_31, NEAR, 5, 2)[0]
    table.see(after)
    table.answer(0)
    assert table.service.state.dice == (5, 2)
    assert table.see(after, *throw(FAR, 6, 5, place=77)) == ["played", "rolled"]


def test_where_nobody_is_there_to_answer_the_throw_stands() -> None:
    table = early().left_alone()
    assert table.service.state.early is None, "its turn has not come"
    table.see(AFTER_31, *EARLY)
    assert table.last == e.Rolled(NEAR, (5, 2), premature=True)
    assert table.see(plays(AFTER_31, NEAR, 5, 2)[0]) == ["played"]


def test_in_a_race_the_book_calls_it_no_offence() -> None:
    table = begun(rules="magriel")
    race = Position((3, 3, 3, 3, 3, 0, *(0,) * 12, 0, -3, -3, -3, -3, -3))
    table.service.note(e.Played(FAR, (3, 1), "", race), e.Rolled(NEAR, (4, 3)), e.Played(NEAR, (4, 3), "", race))
    assert table.see(race, *OWN) == ["rolled"]
    assert table.see(race, *OWN, *EARLY) == []
    after = plays(race, FAR, 3, 1)[0]
    assert table.see(after, *EARLY) == ["played", "rolled"]
    assert table.last == e.Rolled(NEAR, (5, 2))


def felt(table: Table, values: tuple[int, int] | None) -> list[str]:
    said = TowerThrow("tower", 1, len(table.service.log), values, seat=NEAR, captured_at=table.service._now(), rests=Rests.FIELD)
    return [one.event.type for one in table.service.throw(said)]


def test_the_tower_and_the_camera_ask_the_same_question_once() -> None:
    table = begun(rules="magriel")
    table.see(AFTER_62, *OWN)
    table.service.set_witnesses(Witnesses.ANY, camera_on=False)
    assert felt(table, (5, 2)) == ["doubt"]
    table.service.set_witnesses(Witnesses.ANY, camera_on=True)
    asked = table.last
    assert isinstance(asked, e.Doubt)
    assert [answer.says.code for answer in asked.answers] == ["premature_stands", "does_not_count"]
    assert table.see(AFTER_62, *OWN, *EARLY) == []
    table.answer(1)
    assert table.see(AFTER_31, *EARLY) == ["played"], "what the camera sees was ruled on already"
    assert felt(table, None) == []


def test_whether_a_throw_was_early_is_left_to_the_camera() -> None:
    table = begun(rules="magriel")
    table.see(AFTER_62, *OWN)
    table.service.set_witnesses(Witnesses.ANY, camera_on=True)
    assert felt(table, None) == felt(table, (5, 2)) == []
    table.service.set_witnesses(Witnesses.ANY, camera_on=False)
    assert felt(table, None) == ["doubt"]


# --- turns that a clock ends ----------------------------------------------------------------------------------------------

CLOCK = ClockRules(ClockMode.SIMPLE_DELAY)


def clocked(turn_end: TurnEnd = TurnEnd.CLOCK, dice: DiceSets = DiceSets.OWN, stills: bool = False) -> Table:
    """Far has 3-1 to play, under a set in which turns end by the clock."""
    rules: RuleSet = replace(preset("bray"), turn_end=turn_end, clock=CLOCK, dice_sets=dice)
    table = Table(stills, rules, length=5)
    table.say(c.StartGame)
    table.say(c.EnterRoll, dice=(6, 2))
    table.say(c.EnterPlay, play="24/18 13/11")
    assert table.see(AFTER_62, *OWN) == ["rolled"]
    return table


def test_the_press_ends_the_turn_and_the_dice_lie_on() -> None:
    table = clocked()
    assert table.see(AFTER_31, *OWN) == []
    assert table.see(AFTER_31, looks=8) == [], "lifting the dice ends nothing"
    assert table.see(AFTER_31, *OWN) == []
    assert table.say(c.PressClock, seat=FAR) == ["dice_lifted"]
    assert table.see(AFTER_31, *OWN) == ["played"]
    assert table.see(AFTER_31, *OWN, looks=8) == [], "dice of the turn before are no throw"
    assert table.see(AFTER_31, *throw(NEAR, 5, 4, place=11)) == ["rolled"]


def test_after_the_press_an_illegal_play_is_put_right_beside_the_dice() -> None:
    table = clocked()
    wrong = moved(AFTER_62, (17, 19), (17, 21), sign=-1)
    table.see(wrong, *OWN)
    table.say(c.PressClock, seat=FAR)
    assert table.see(wrong, *OWN) == ["illegal_play"]
    assert table.service.state.clock is not None and table.service.state.clock.turn is FAR, "the offender's time runs"
    assert table.say(c.PressClock, seat=FAR) == [], "not before it is put right"
    assert table.see(AFTER_62, *OWN) == []
    assert table.see(AFTER_31, *OWN) == ["play_corrected"]


def test_a_throw_before_the_press_is_premature() -> None:
    table = clocked()
    assert table.see(AFTER_31, *OWN, *EARLY) == []
    table.say(c.PressClock, seat=FAR)
    assert table.see(AFTER_31, *OWN, *EARLY) == ["played", "rolled"]
    assert table.last == e.Rolled(NEAR, (5, 2), premature=True)


def test_a_press_without_a_throw_that_counts_is_named_and_ends_nothing() -> None:
    table = clocked()
    table.see(AFTER_31, *OWN)
    table.say(c.PressClock, seat=FAR)
    table.see(AFTER_31, *OWN)
    assert table.say(c.PressClock, seat=NEAR) == ["ruled"]
    assert table.service.state.rulings[-1].reason.code == "pressed_without_roll"
    assert table.see(AFTER_31, die(5), die(4, state=DieState.COCKED)) == ["roll_void"]
    assert table.say(c.PressClock, seat=NEAR) == ["ruled"]
    assert table.service.state.rulings[-1].reason.code == "roll_owed"
    assert (table.phase, table.service.state.on_roll) == (Phase.TO_ROLL, NEAR)


@pytest.mark.parametrize("stills", [True, False])
def test_where_the_clubs_clock_cannot_be_seen_a_whole_play_and_the_next_throw_tell(stills: bool) -> None:
    table = clocked(TurnEnd.LIFT_BY_ANYONE, stills=stills)
    assert table.see(AFTER_31, *OWN) == []
    assert table.see(AFTER_31, *OWN, *EARLY) == ["played", "rolled"]
    assert table.last == e.Rolled(NEAR, (5, 2)), "nothing premature in it"
    other = clocked(TurnEnd.LIFT_BY_ANYONE, stills=stills)
    assert other.see(AFTER_62, *OWN, *EARLY) == [], "half-way through the play it tells nothing"
    assert other.see(AFTER_31) == ["played"], "whoever lifts the dice"


def test_with_one_pair_for_both_nobody_throws_while_it_lies_there() -> None:
    rules = replace(preset("traditional"), dice_sets=DiceSets.SHARED, mix_dice=False)
    table = begun(rules=rules)
    table.see(AFTER_62, *OWN)
    assert table.see(AFTER_62, *OWN, *EARLY) == [], "other dice in sight are not in the game"
    pairs = begun(rules="traditional")
    pairs.see(AFTER_62, *OWN)
    assert pairs.see(AFTER_62, *OWN, *EARLY) == ["roll_void"]
