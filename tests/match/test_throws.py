"""Which of the dice in sight are a throw, and whether it counts: dice on the bar, beside the board, in the tray, hardly believed in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Seat
from referee.match.arbiter.throws import Throw, Verdict, opening_throw, throw_of
from referee.observations import About, DieState, SeenDie, SeenDoubt
from referee.rules.presets import preset
from tests.match.seen_table import FAR, LEFT, NEAR, RIGHT, die
from tests.match.test_seen_throws import value_doubt
from tests.match.test_tray import tray

BRAY = preset("bray")


def thrown(*dice: SeenDie, doubts: tuple[SeenDoubt, ...] = (), seat: Seat = NEAR) -> Throw:
    return throw_of(seat, dice, doubts, BRAY)


def opened(*dice: SeenDie, doubts: tuple[SeenDoubt, ...] = ()) -> Throw:
    return opening_throw(dice, doubts, BRAY)


def code(throw: Throw) -> str:
    assert throw.verdict is Verdict.VOID and throw.reason is not None
    return throw.reason.code


def no_die(seen: SeenDie) -> SeenDoubt:
    return SeenDoubt(About.DIE, "presence", "", centre=seen.centre)


def hardly(seen: SeenDie) -> SeenDie:
    return replace(seen, confidence=0.3)


def test_a_die_that_shows_nothing_may_show_anything_and_one_in_doubt_what_it_is_likely_to() -> None:
    blank, five = replace(die(1), value=None), die(5)
    assert thrown(blank, five).rolls == tuple((max(5, face), min(5, face)) for face in (1, 2, 3, 4, 5, 6))
    assert thrown(blank, five, doubts=(value_doubt(blank, 1, 6),)).rolls == ((5, 1), (6, 5))


def test_a_die_that_is_not_read_is_named_last() -> None:
    assert thrown(replace(die(1), value=None), die(5)).values == (5, None)
    assert thrown(replace(die(1, None, DieState.ON_BAR), value=None), die(2)).values == (2, None)


def test_dice_kept_on_the_bar_are_no_throw_and_one_of_a_throw_that_fell_there_is() -> None:
    bar = die(3, None, DieState.ON_BAR)
    for kept in ((bar,), (bar, replace(bar, centre=(500.0, 380.0)))):
        assert thrown(*kept).verdict is Verdict.NONE
    assert code(thrown(bar, die(2, None, DieState.OFF_BOARD))) == "on_bar", "the other one fell off the board"
    assert code(thrown(bar, die(6))) == "on_bar"


def test_a_die_alone_in_the_others_half_was_put_there() -> None:
    assert thrown(die(3, LEFT)).verdict is Verdict.NONE
    assert code(thrown(die(3, LEFT, DieState.COCKED))) == "cocked", "one that leans there was thrown"
    assert code(thrown(die(3, LEFT), die(2, LEFT))) == "wrong_half", "and so were two"
    assert code(thrown(die(6), die(3, LEFT), doubts=(value_doubt(die(6), 6, 5),))) == "wrong_half", "whatever his other one shows"


def test_beside_one_that_counts_a_single_other_die_is_the_rest_of_the_throw() -> None:
    assert thrown(die(6), die(3, None, DieState.OFF_BOARD), die(1, None, DieState.OFF_BOARD)).values == (6, 3)


def test_one_die_alone_is_waited_with_while_it_is_in_doubt_and_asked_about_when_it_shows_nothing() -> None:
    assert thrown(die(3), doubts=(value_doubt(die(3), 3, 5),)).verdict is Verdict.WAIT
    assert thrown(replace(die(3), value=None)).verdict is Verdict.UNSURE


def test_one_die_alone_that_the_reader_hardly_believes_in_is_no_throw() -> None:
    assert code(thrown(die(3))) == "missing_die"
    assert thrown(hardly(die(3))).verdict is Verdict.NONE
    assert thrown(die(3), doubts=(no_die(die(3)),)).verdict is Verdict.NONE


@pytest.mark.parametrize("seat", Seat)
def test_a_die_that_seems_to_lie_on_the_bar_and_may_lie_beside_it_makes_the_throw_unsure(seat: Seat) -> None:
    half = RIGHT if seat is NEAR else LEFT
    edge, six = die(3, None, DieState.ON_BAR), die(6, half)
    unsure = (SeenDoubt(About.DIE, "state", "", centre=edge.centre),)
    assert thrown(edge, six, doubts=unsure, seat=seat).verdict is Verdict.UNSURE
    assert thrown(edge, six, die(1, None, DieState.OFF_BOARD), doubts=unsure, seat=seat).verdict is Verdict.UNSURE, "an old die lies by"
    second = replace(edge, centre=(500.0, 380.0))
    both = (*unsure, SeenDoubt(About.DIE, "state", "", centre=second.centre))
    assert code(thrown(edge, second, six, doubts=both, seat=seat)) == "missing_die", "which of two it is nobody can tell"
    assert code(thrown(edge, six, doubts=(*unsure, no_die(edge)), seat=seat)) == "missing_die", "it may be no die at all"
    across = die(2, LEFT if seat is NEAR else RIGHT)
    assert code(thrown(edge, six, across, doubts=unsure, seat=seat)) == "wrong_half", "the other die is in sight"


def test_of_three_dice_in_a_half_it_is_asked_which_two() -> None:
    three = (die(6), die(4), die(1))
    assert (thrown(*three).verdict, thrown(*three).rolls) == (Verdict.UNSURE, ((6, 4), (6, 1), (4, 1)))
    assert thrown(die(6), die(4), die(1, state=DieState.COCKED)).rolls == ((6, 4),)
    assert thrown(die(6), hardly(die(4)), die(1)).values == (6, 1)
    assert thrown(die(6), die(4), die(1), doubts=(no_die(die(4)),)).values == (6, 1)


def test_an_opening_die_on_the_bar_or_off_the_board_is_the_others_who_is_missing_his() -> None:
    for lost, why in ((die(3, None, DieState.ON_BAR), "on_bar"), (die(3, None, DieState.OFF_BOARD), "off_board")):
        throw = opened(die(6, RIGHT), lost)
        assert (throw.seat, throw.values, code(throw)) == (FAR, (6, 3), why)
        throw = opened(die(6, LEFT), lost)
        assert (throw.seat, throw.values, code(throw)) == (NEAR, (3, 6), why)
        assert opened(lost).verdict is Verdict.WAIT
        assert opened(die(6, RIGHT), die(2, LEFT), lost).values == (6, 2), "both have theirs"


def test_both_opening_dice_in_one_half_are_thrown_again() -> None:
    assert code(opened(die(6, RIGHT), die(2, RIGHT))) == "wrong_half"
    doubts = (value_doubt(die(2), 2, 5), value_doubt(die(6), 6, 3))
    assert opened(die(6, RIGHT), die(2, RIGHT), doubts=doubts).verdict is Verdict.UNSURE


def test_an_opening_die_that_may_be_none_is_passed_over_beside_one_that_is_sure() -> None:
    for beside, doubts in ((hardly(die(2, RIGHT)), ()), (die(2, RIGHT), (no_die(die(2)),))):
        assert opened(die(6, RIGHT), beside, doubts=doubts).verdict is Verdict.WAIT
        assert opened(die(6, RIGHT), beside, die(1, LEFT), doubts=doubts).values == (6, 1)


def test_three_opening_dice_are_asked_about() -> None:
    throw = opened(die(6, RIGHT), die(5, RIGHT), die(2, LEFT))
    assert (throw.verdict, throw.values) == (Verdict.UNSURE, (6, 5, 2))


def test_opening_dice_in_the_tray_are_a_throw_whatever_lies_on_the_board() -> None:
    assert opened(tray(4, 900), tray(4, 950), die(1, RIGHT)).values == (4, 4)
    assert opened(tray(4, 900), die(4, RIGHT)).verdict is Verdict.WAIT, "the other is still to come"
    assert opened(tray(4, 900), tray(4, 950), hardly(tray(1, 1000))).values == (4, 4)
    assert opened(tray(4, 900), tray(4, 950), tray(1, 1000)).verdict is Verdict.WAIT, "one too many"


def test_a_cocked_opening_die_in_the_tray_is_thrown_again_and_one_in_doubt_asked_about_both_ways_round() -> None:
    cocked = tray(4, 900, DieState.COCKED)
    assert code(opened(cocked, tray(2, 950))) == "cocked"
    throw = opened(tray(2, 950), tray(4, 900))
    assert (throw.verdict, throw.values, throw.rolls) == (Verdict.UNSURE, (4, 2), ((4, 2), (2, 4)))
    throw = opened(tray(2, 950), cocked, doubts=(value_doubt(cocked, 4, 5),))
    assert (throw.verdict, throw.rolls) == (Verdict.UNSURE, ((4, 2), (2, 4), (5, 2), (2, 5)))
    blank = replace(tray(1, 900), value=None)
    assert opened(blank, tray(2, 950)).verdict is Verdict.UNSURE


@pytest.mark.parametrize("state", [DieState.ON_BAR, DieState.OFF_BOARD])
def test_what_is_hardly_a_die_makes_no_throw_good_of_which_the_other_die_lies_badly(state: DieState) -> None:
    assert code(thrown(die(3), die(2, None, state), hardly(die(5)))) == state.value


@pytest.mark.parametrize("code", ["value", "state"])
def test_a_die_of_a_throw_that_was_hardly_read_is_asked_about_whatever_lies_beside_the_board(code: str) -> None:
    blurred = replace(die(5), confidence=0.4)
    doubt = SeenDoubt(About.DIE, code, "", centre=blurred.centre, values=(5, 3) if code == "value" else ())
    throw = thrown(die(4), blurred, die(6, None, DieState.OFF_BOARD), doubts=(doubt,))
    assert (throw.verdict, throw.rolls) == (Verdict.UNSURE, ((5, 4), (4, 3)) if code == "value" else ((5, 4),))


def test_the_others_two_dice_beside_the_board_make_no_throw_bad() -> None:
    beside = (die(6, None, DieState.OFF_BOARD), die(2, None, DieState.OFF_BOARD))
    assert thrown(die(4), hardly(die(5)), *beside).roll == (5, 4)
