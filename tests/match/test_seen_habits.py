"""What people do at a board by habit: nobody is accused for it, and what cannot be told is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import DieState, SeenDie
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, plays, throw
from tests.match.test_between import AFTER_31, both_ways
from tests.match.test_between_again import voided
from tests.match.test_seen_honest import accused, given, watched
from tests.match.test_seen_throws import value_doubt

BEFORE = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5))
HIT = next(play for play in plays(BEFORE, FAR, 5, 3) if play.bar == (1, 0))  # far's 9/6* 9/4
ASIDE = Position(HIT.points, (0, 0), (1, 0))


def hit_and_laid_aside() -> Table:
    """Far hits with 5-3, lays near's checker beside the bar and takes up his dice."""
    table = begun(False)
    given(table, BEFORE)
    watched(table, BEFORE, *throw(FAR, 5, 3), seconds=2)
    watched(table, ASIDE, *throw(FAR, 5, 3), seconds=2)
    return table


def test_a_hit_checker_is_waited_for_and_put_on_the_bar() -> None:
    table = hit_and_laid_aside()
    watched(table, ASIDE, seconds=2.5)
    assert table.phase is Phase.JUDGING
    watched(table, HIT, seconds=1)
    assert not accused(table)
    assert isinstance(table.last, e.Played)
    assert table.service.state.position == HIT


def test_a_hit_checker_that_stays_beside_the_bar_is_asked_about_and_settled_by_what_follows() -> None:
    table = hit_and_laid_aside()
    watched(table, ASIDE, seconds=6)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "hit_beside"
    assert [answer.says.code for answer in doubt.doubt.answers] == ["played", "illegal_as_seen"]
    thrown, entered = throw(NEAR, 4, 1, place=20), plays(HIT, NEAR, 4, 1)[0]
    watched(table, ASIDE, *thrown, seconds=4)
    watched(table, entered, *thrown, seconds=2)
    watched(table, entered, seconds=3)
    assert not accused(table)
    assert table.service.state.position == entered
    assert table.service.state.on_roll is FAR


def test_so_is_one_that_was_on_the_bar_before_the_play_was_taken_back_and_made_anew() -> None:
    table, dice, thrown = begun(False), throw(FAR, 5, 3), throw(NEAR, 4, 1, place=20)
    given(table, BEFORE)
    for board in (BEFORE, HIT, BEFORE, ASIDE):
        watched(table, board, *dice, seconds=2)
    watched(table, ASIDE, seconds=0.5)
    watched(table, ASIDE, *thrown, seconds=3)
    assert table.service.state.question_code == "hit_beside"
    table.answer(1)
    watched(table, ASIDE, *thrown, seconds=1)
    entered = plays(ASIDE, NEAR, 4, 1)[0]
    watched(table, entered, *thrown, seconds=2)
    watched(table, entered, seconds=2)
    assert accused(table) == ["illegal_play", "illegal_play_stood"], "far’s, and nothing of near’s"


def test_one_that_its_player_takes_off_the_bar_before_he_throws_is_not_asked_about() -> None:
    table, dice, thrown = begun(False), throw(FAR, 5, 3), throw(NEAR, 4, 1, place=20)
    given(table, BEFORE)
    for board in (BEFORE, HIT, ASIDE):
        watched(table, board, *dice, seconds=1.5)
    watched(table, ASIDE, seconds=0.5)
    watched(table, ASIDE, *thrown, seconds=3)
    assert not any(isinstance(one.event, e.Doubt) for one in table.service.log)
    assert (table.service.state.on_roll, table.service.state.position) == (NEAR, HIT)


def unsure(*dice: SeenDie) -> tuple[SeenDie, ...]:
    """``dice``, of the first of which the value was read with little confidence."""
    return replace(dice[0], value_confidence=0.9), *dice[1:]


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("sure", [True, False])
def test_a_play_that_is_legal_with_another_number_on_a_die_whose_value_was_hardly_read_is_asked_about(stills: bool, sure: bool) -> None:
    table = begun(stills)
    dice = tuple(replace(one, confidence=0.8) for one in throw(FAR, 3, 1)) if sure else unsure(*throw(FAR, 3, 1))
    after = next(play for play in plays(AFTER_62, FAR, 5, 1) if play not in plays(AFTER_62, FAR, 3, 1))
    table.see(AFTER_62, *dice)
    table.see(after)
    assert accused(table) == (["illegal_play"] if sure else [])
    if not sure:
        doubt = table.service.state.doubt
        assert doubt is not None
        assert (doubt.doubt.reason.code, doubt.doubt.answers[-1].says.code) == ("misread", "illegal_as_seen")
        table.answer(next(i for i, answer in enumerate(doubt.doubt.answers) if e.Rolled(FAR, (5, 1)) in answer.events))
        assert table.service.state.position == after
        assert not accused(table)


def test_so_is_the_play_of_the_opening_throw_and_a_dance() -> None:
    table = Table(False)
    table.see(START)
    table.see(START, *unsure(*OPENING))
    table.see(plays(START, NEAR, 5, 2)[0])
    assert table.service.state.question == "play"
    assert not accused(table)
    table = begun(False)
    barred = Position((2, 2, 0, 2, 2, 2, 0, 5, 0, 0, 0, -5, 0, 0, 0, 0, -3, 0, -6, 0, 0, 0, 0, 0), (0, 1))  # only a 3 enters
    given(table, barred)
    table.see(barred, *unsure(*throw(FAR, 3, 1)))
    table.see(barred)
    assert table.service.state.question == "play"
    assert not accused(table)


def test_what_a_person_has_said_is_on_a_die_is_not_asked_again() -> None:
    table = begun(False)
    dice = unsure(*throw(FAR, 3, 1))
    table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),), looks=8)
    table.answer(0)
    assert table.service.state.dice == (3, 1)
    table.see(AFTER_62, *dice)
    table.see(next(play for play in plays(AFTER_62, FAR, 5, 1) if play not in plays(AFTER_62, FAR, 3, 1)))
    assert accused(table) == ["illegal_play"]


LAID = tuple(SeenDie(value, DieState.FLAT, LEFT, (100.0 + 30 * value, 480.0)) for value in (5, 4))


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_of_two_throws_in_one_half_it_is_asked_which_is_the_roll(stills: bool, first: bool) -> None:
    """Near lays his dice down, tidily, where far throws, ``first`` or beside far's throw."""
    table, thrown = begun(stills), throw(FAR, 3, 1)
    assert table.see(AFTER_62, *(LAID if first else thrown)) == ["rolled"]
    assert table.see(AFTER_62, *LAID, *thrown) == ["doubt"]
    table.answer(0 if first else None)
    assert table.service.state.dice == (3, 1)
    after = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(after, *LAID, *thrown)
    table.see(after, *LAID)
    assert not accused(table)
    assert isinstance(table.last, e.Played)
    table.see(after, *LAID, *throw(NEAR, 6, 1, place=25))
    assert table.last == e.Rolled(NEAR, (6, 1))


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_an_opening_thrown_again_without_a_look_between_is_asked_about(stills: bool, counts: bool) -> None:
    table = Table(stills)
    again = die(6, RIGHT, place=40), die(2, LEFT, place=-50)
    table.see(START)
    assert table.see(START, die(5, RIGHT), die(4, LEFT)) == ["opening_rolled"]
    assert table.see(START, *again) == ["doubt"]
    table.answer(0 if counts else None)
    assert table.service.state.dice == ((6, 2) if counts else (5, 4))
    after = AFTER_62 if counts else plays(START, NEAR, 5, 4)[0]
    table.see(after, *again)
    assert table.see(after) == ["played"]


def test_dice_laid_down_in_either_half_after_the_opening_are_no_bad_throw() -> None:
    table = begun(False)
    watched(table, AFTER_62, die(5, LEFT), die(4, RIGHT), seconds=4)
    watched(table, AFTER_62, seconds=1)
    watched(table, AFTER_62, *throw(FAR, 3, 1), seconds=1)
    assert not accused(table)
    assert table.last == e.Rolled(FAR, (3, 1))


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("kept", [1, 2])
def test_dice_that_are_kept_on_the_bar_are_no_throw_and_hide_none(stills: bool, kept: int) -> None:
    table = begun(stills)
    on_bar = tuple(die(value, None, DieState.ON_BAR, place=300) for value in (5, 4))[:kept]
    assert table.see(AFTER_62, *on_bar) == []
    assert table.see(AFTER_62, *on_bar, *throw(FAR, 3, 1)) == ["rolled"]
    assert table.last == e.Rolled(FAR, (3, 1))


@pytest.mark.parametrize("stills", [True, False])
def test_dice_of_a_bad_throw_that_lie_there_hide_no_whole_throw_beside_them(stills: bool) -> None:
    table = begun(stills)
    bad = die(5, LEFT, place=150), die(4, None, DieState.ON_BAR, place=300)
    assert table.see(AFTER_62, *bad) == ["roll_void"]
    assert table.see(AFTER_62, *bad, *throw(FAR, 3, 1)) == ["rolled"]
    assert table.last == e.Rolled(FAR, (3, 1))


def test_a_die_that_is_kept_on_the_bar_is_none_of_a_throw_of_which_one_die_is_overlooked() -> None:
    table = begun(False)
    on_bar, (first, second) = die(5, None, DieState.ON_BAR, place=300), throw(FAR, 3, 1)
    watched(table, AFTER_62, on_bar, seconds=3)
    watched(table, AFTER_62, on_bar, first, seconds=1)
    watched(table, AFTER_62, on_bar, first, second, seconds=1)
    assert not accused(table)
    assert table.last == e.Rolled(FAR, (3, 1))


def test_dice_laid_down_where_only_the_other_throws_are_no_throw_of_his_while_he_takes_his_time() -> None:
    table, laid = begun(False), throw(NEAR, 5, 4, place=20)
    watched(table, AFTER_62, *laid, seconds=8.0)
    watched(table, AFTER_62, *laid, *throw(FAR, 3, 1), seconds=1.0)
    assert not accused(table)
    assert table.last == e.Rolled(FAR, (3, 1))


@pytest.mark.parametrize("rules", ["bray", "traditional"])
def test_dice_laid_down_while_the_other_has_a_cocked_throw_lying_there_are_no_throw(rules: str) -> None:
    table = begun(False, rules)
    dice, laid, again = throw(FAR, 5, 4), throw(NEAR, 4, 1), throw(FAR, 6, 3, place=40)
    cocked = (dice[0], replace(dice[1], state=DieState.COCKED))
    assert table.see(AFTER_62, *cocked) == ["roll_void"]
    assert table.see(AFTER_62, *cocked, *laid) == []
    assert table.see(AFTER_62, *again, *laid) == ["rolled"]
    after = plays(AFTER_62, FAR, 6, 3)[0]
    assert table.see(after, *again, *laid) == [], "not thrown too soon"
    assert table.see(after, *laid) == ["played"]
    assert table.see(after, *throw(NEAR, 5, 2, place=30)) == ["rolled"]


@both_ways
def test_a_die_that_lay_there_and_is_read_otherwise_once_its_fellow_is_gone_is_none_of_a_throw(stills: bool) -> None:
    near, far = throw(NEAR, 5, 2), [replace(one, half=None, state=DieState.OFF_BOARD) for one in throw(FAR, 5, 2)]
    for laid, of_throw in ((near, 2), (near, 0), (far, 1)):
        table = begun(stills)
        table.see(AFTER_62, *laid)
        table.see(AFTER_62, *laid, *throw(FAR, 3, 1))
        table.see(AFTER_31, *laid)
        since = len(table.service.log)
        other = replace(laid[0], value=4)
        table.see(AFTER_31, other, *throw(NEAR, 6, 3)[:of_throw], looks=1 if of_throw else 10)
        assert table.service.state.doubt is None
        table.see(AFTER_31, other, *throw(NEAR, 6, 3), looks=4)
        assert (table.service.state.dice, voided(table, since)) == ((6, 3), [])
