"""What stood on the board before the other threw, and what he has moved since: an illegal play is the first alone, and turns that nobody
saw are in neither."""

from __future__ import annotations

import pytest

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from referee.records.export import record_of
from referee.records.record import Parsed
from referee.records.replay import replay
from tests.match.seen_table import AFTER_62, FAR, NEAR, Table, begun, plays, throw
from tests.match.test_between import both_ways
from tests.match.test_judge import moved
from tests.match.test_overlooked import CLOSED
from tests.match.test_seen_honest import AFTER_31, AFTER_54, given, kinds, quick
from tests.match.test_seen_plays import illegal_table
from tests.match.test_seen_throws import value_doubt

THROWN, NEXT = throw(FAR, 3, 1), throw(NEAR, 5, 4, place=20)


@both_ways
def test_an_illegal_play_stands_without_what_the_other_has_moved_of_his_throw(stills: bool) -> None:
    table, wrong, _ = illegal_table(stills)
    begun_to_play = moved(wrong, (13, 8))
    assert table.see(begun_to_play, *NEXT) == ["illegal_play_stood", "rolled"]
    assert table.service.state.position == wrong
    after = moved(begun_to_play, (13, 9))
    table.see(after, *NEXT)
    assert table.see(after) == ["played"]


@both_ways
def test_an_illegal_play_that_was_shifted_before_the_other_threw_stands_as_it_is(stills: bool) -> None:
    table, wrong, _ = illegal_table(stills)
    shifted = moved(wrong, (21, 22), sign=-1)
    assert table.see(shifted, *NEXT) == ["illegal_play_stood", "rolled"]
    assert table.service.state.position == shifted


def test_while_it_is_asked_what_was_rolled_after_an_illegal_play_the_next_throw_tells_nothing() -> None:
    table, wrong, _ = illegal_table(stills=False)
    gone_on = next(p for p in plays(wrong, NEAR, 5, 4) if p.bar == (0, 0))
    table.see(gone_on, looks=10)
    assert (table.service.state.question, table.phase) == ("roll", Phase.HELD)
    further = next(p for p in plays(gone_on, FAR, 6, 2) if p.bar == (0, 0))
    assert table.see(further, *throw(NEAR, 6, 3, place=40)) == []
    assert table.phase is Phase.HELD


def test_half_a_play_that_stood_before_and_after_the_others_throw_is_a_whole_one() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    half = moved(AFTER_62, (17, 20), sign=-1)
    table.see(half, *THROWN)
    quick(table, half, n=3)
    quick(table, half, *NEXT, n=6)
    assert kinds(table)[-2:] == ["illegal_play_stood", "rolled"]


def test_half_a_play_is_not_a_whole_one_as_soon_as_the_dice_are_gone() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    half = moved(AFTER_62, (17, 20), sign=-1)
    table.see(half, *THROWN)
    quick(table, half, n=6)
    assert not [kind for kind in kinds(table) if kind.startswith("illegal")]


BARRED = Position((-1, 1, -2, -5, -2, 5, 0, 0, 1, -2, 1, 1, 0, 0, 0, 0, 1, 0, 1, 3, 0, 0, 0, -1), (0, 2), (1, 0))
ENTERED = Position((-1, -1, -2, -5, -3, 5, 0, 0, 1, -2, 1, 1, 0, 0, 0, 0, 1, 0, 1, 3, 0, 0, 0, -1), (1, 0), (1, 0))


@pytest.mark.parametrize("moves", [(), ((11, 6), (9, 6))], ids=["thrown", "thrown and played"])
def test_a_play_that_was_tried_and_taken_back_is_not_what_was_played(moves: tuple[tuple[int, int], ...]) -> None:
    """Far's checkers lie on the bar as if near had hit them."""
    table = begun(False)
    given(table, BARRED)
    dice = throw(FAR, 5, 2)
    table.see(BARRED, *dice)
    table.see(ENTERED, *dice)
    table.see(BARRED, *dice)
    quick(table, BARRED, n=2)
    near = throw(NEAR, 5, 3, place=20)
    quick(table, BARRED, *near, n=2)
    table.see(moved(BARRED, *moves), *near)
    assert ENTERED not in [one.event.position for one in table.service.log if isinstance(one.event, e.Played)]


def test_the_play_that_stands_as_the_other_throws_counts_though_another_was_seen_before() -> None:
    """Far goes round near's checker, then hits it after all; near enters where it was hit, and all looks as at first."""
    table = begun(False)
    before = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 4, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5), (1, 0))
    round_it = moved(before, (14, 22), sign=-1)
    hit = Position((*round_it.points[:18], 0, *round_it.points[19:]), (2, 0))
    given(table, before)
    dice, near = throw(FAR, 5, 3), throw(NEAR, 6, 4, place=20)
    table.see(before, *dice)
    table.see(round_it, *dice)
    quick(table, hit, n=1)
    quick(table, hit, *near, n=1)
    quick(table, round_it, *near, n=6)
    played = [one.event for one in table.service.log if isinstance(one.event, e.Played)][-1]
    assert (played.seat, played.position) == (FAR, hit)


def missed() -> Table:
    """Far's 3-1 and near's 5-4 went by unseen, and far has thrown again."""
    table = begun(False)
    quick(table, AFTER_54, n=1)
    quick(table, AFTER_54, *throw(FAR, 6, 2, place=40), n=3)
    return table


def test_a_throw_after_two_turns_that_nobody_saw_is_no_throw_of_the_first() -> None:
    table = missed()
    assert "rolled" not in kinds(table)
    quick(table, AFTER_54, *throw(FAR, 6, 2, place=40), n=12)
    asked = table.service.state.doubt
    assert asked is not None
    assert (asked.doubt.about, asked.doubt.reason.get("turns")) == ("roll", 2)


def test_nor_when_he_begins_to_play_it_at_once() -> None:
    table = missed()
    quick(table, moved(AFTER_54, (12, 18), sign=-1), *throw(FAR, 6, 2, place=40), n=3)
    assert table.service.state.question == "roll"
    assert "rolled" not in kinds(table)


CLOSED_TO_SIXES = Position((0, *CLOSED.points[1:6], CLOSED.points[6] + 2, *CLOSED.points[7:]), CLOSED.bar)


def taken_up_in_doubt() -> Table:
    """Far has taken up a throw of which one die was in doubt, and moved nothing."""
    table = begun(False)
    given(table, CLOSED_TO_SIXES)
    dice = throw(FAR, 6, 6)
    table.see(CLOSED_TO_SIXES, *dice, doubts=(value_doubt(dice[0], 6, 1),), looks=2)
    table.see(CLOSED_TO_SIXES)
    return table


def test_a_throw_in_doubt_with_which_nothing_was_moved_is_no_dance() -> None:
    """He has taken it up to throw again."""
    table = taken_up_in_doubt()
    assert "rolled" not in kinds(table)
    assert table.see(CLOSED_TO_SIXES, *throw(FAR, 5, 1, place=40)) == ["roll_void", "rolled"]


def test_it_is_one_once_the_other_throws() -> None:
    table = taken_up_in_doubt()
    assert table.see(CLOSED_TO_SIXES, *throw(NEAR, 5, 4)) == ["rolled", "played", "rolled"]



@both_ways
@pytest.mark.parametrize("late", [False, True], ids=["it was held", "it was found too late"])
def test_a_play_that_is_put_right_after_the_next_throw_makes_no_illegal_play_of_that(stills: bool, late: bool) -> None:
    table, wrong, right = illegal_table(stills) if not late else found_too_late(stills)
    table.see(wrong, *NEXT)
    assert table.event(e.IllegalPlayStood).late is late
    stood = len(table.service.log)
    table.see(right, *NEXT)
    after = moved(right, (13, 8), (13, 9))
    table.see(after, *NEXT)
    table.see(after, looks=8)
    assert not any(isinstance(one.event, e.IllegalPlay) for one in table.service.log[stood:])
    asked = table.event(e.Doubt)
    assert (asked.reason.code, [answer.says.code for answer in asked.answers]) == ("changed_since", ["played_otherwise", "illegal_as_seen"])
    table.answer(0)
    assert (table.phase, table.service.state.position, table.service.state.on_roll) == (Phase.TO_ROLL, after, FAR)
    assert replay(Parsed(record_of(table.service.log))).illegal == ()


@both_ways
def test_nor_does_the_others_own_checker_that_he_puts_back_where_it_was_before_that_play(stills: bool) -> None:
    table, pushed = begun(stills), moved(AFTER_31, (13, 15))
    table.see(AFTER_62, *THROWN)
    table.see(pushed, *THROWN)
    table.see(pushed)
    assert table.event(e.IllegalPlay).reason.code == "opponent_moved"
    table.see(pushed, *NEXT)
    stood = len(table.service.log)
    table.see(AFTER_31, *NEXT)
    table.see(AFTER_54, *NEXT)
    table.see(AFTER_54, looks=8)
    assert not any(isinstance(one.event, e.IllegalPlay) for one in table.service.log[stood:])
    assert table.service.state.question_code == "changed_since"
    table.answer(0)
    assert (table.phase, table.service.state.position, table.service.state.on_roll) == (Phase.TO_ROLL, AFTER_54, FAR)


def found_too_late(stills: bool) -> tuple[Table, Position, Position]:
    """The same play, which nobody could rule on before the other threw."""
    table, (_, wrong, right) = begun(stills), illegal_table(stills)
    table.see(AFTER_62, *THROWN)
    table.see(wrong, *THROWN)
    table.see(wrong, *THROWN, *NEXT)
    return table, wrong, right
