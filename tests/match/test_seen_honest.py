"""Honest players in a hurry before a camera that misses looks: nobody is accused for what was not seen well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import About, DieState, Reading, SeenDie, SeenDoubt, SeenPosition
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, RIGHT, START, Table, begun, die, moved, plays, throw

AFTER_31 = moved(AFTER_62, (17, 20), (19, 20), sign=-1)  # far's 8/5 6/5
AFTER_54 = moved(AFTER_31, (13, 8), (13, 9))
NEXT = throw(NEAR, 5, 4, place=20)
both = pytest.mark.parametrize("stills", [True, False])


def kinds(table: Table) -> list[str]:
    return [one.event.type for one in table.service.log]


def accused(table: Table) -> list[str]:
    return [kind for kind in kinds(table) if kind in ("roll_void", "illegal_play", "illegal_play_stood")]


def given(table: Table, position: Position) -> None:
    """Far is on roll in this position."""
    table.service.note(e.PositionSet(position))
    soon(table, position)


def soon(table: Table, position: Position, *dice: SeenDie) -> None:
    """Seen as `Table.see` does, and nothing for five seconds after."""
    table.see(position, *dice)
    table.now -= 5.0


def quick(table: Table, position: Position, *dice: SeenDie, n: int = 4, doubts: Sequence[SeenDoubt] = (), gap: float = 0.12) -> None:
    """``n`` looks ``gap`` s apart."""
    for _ in range(n):
        table.now += gap
        seen = SeenPosition(position.points, position.bar)
        table.service.observe(Reading(dice, seen, table.cube, tuple(doubts), table.now, f"{table.now}"))


def watched(table: Table, position: Position, *dice: SeenDie, seconds: float, hand: bool = False) -> None:
    """Looks at the camera's rhythm for so long: some at once, then one a second."""
    end, steps = table.now + seconds, [0.1, 0.15, 0.2, 0.3]
    while table.now < end:
        doubts = (SeenDoubt(About.DIE, "hidden", ""), SeenDoubt(About.CUBE, "hidden", "")) if hand else ()
        seen = SeenPosition(position.points, position.bar)
        table.service.observe(Reading(dice, seen, table.cube, doubts, table.now, f"{table.now}", hand=hand))
        table.now += steps.pop(0) if steps else 1.0
    table.now = end + 0.6


def on_point(point: int, *values: int) -> SeenDoubt:
    return SeenDoubt(About.POINT, "count", "", point=point, values=values)


@both
def test_the_game_is_won_though_the_winner_leaves_his_dice_lying(stills: bool) -> None:
    table = begun(stills)
    far = [0] * 25
    far[5], far[7] = 5, 3
    before, after = (Position.from_sides((n, *(0,) * 24), tuple(far)) for n in (2, 0))
    table.service.note(e.PositionSet(before), e.TurnSet(NEAR))
    table.see(before)
    table.see(before, *throw(NEAR, 2, 1))
    for _ in range(2):
        table.see(after, *throw(NEAR, 2, 1))
    assert "game_won" in kinds(table)


def test_a_whole_turn_under_a_hand_and_then_the_next_throw() -> None:
    table = begun(False)
    watched(table, AFTER_62, *throw(FAR, 3, 1), seconds=1.0)
    watched(table, AFTER_31, *throw(FAR, 3, 1), seconds=1.0)
    watched(table, AFTER_31, *NEXT, seconds=0.05)
    watched(table, AFTER_31, *NEXT, seconds=6.0, hand=True)
    again = throw(FAR, 6, 6, place=50)
    watched(table, AFTER_54, *again, seconds=0.5)
    watched(table, moved(AFTER_54, (12, 18), sign=-1), *again, seconds=0.6)
    assert not accused(table)


def test_a_turn_while_the_camera_was_away_and_then_a_cocked_throw() -> None:
    table = begun(False)
    watched(table, AFTER_62, *throw(FAR, 3, 1), seconds=1.0)
    table.now += 8.0
    watched(table, AFTER_54, *NEXT, seconds=0.5)
    watched(table, AFTER_54, die(6, LEFT), die(5, LEFT, DieState.COCKED), seconds=0.8)
    watched(table, AFTER_54, seconds=0.8)
    again = throw(FAR, 6, 6, place=50)
    watched(table, AFTER_54, *again, seconds=0.2)
    watched(table, moved(AFTER_54, (12, 18), sign=-1), *again, seconds=0.6)
    assert not [kind for kind in accused(table) if kind != "roll_void"]


def test_a_die_that_is_overlooked_for_two_seconds_is_no_bad_throw() -> None:
    table = begun(False)
    a, b = throw(FAR, 3, 1)
    watched(table, AFTER_62, a, seconds=2.0)
    watched(table, AFTER_62, a, b, seconds=1.0)
    assert not accused(table)
    assert table.phase is Phase.ROLLED


@both
def test_turns_that_overlap_and_a_point_in_doubt_make_no_legal_play_illegal(stills: bool) -> None:
    table = begun(stills)
    before = Position((1, -2, -1, -1, 1, 3, 1, 1, 0, 0, 0, -4, 4, 0, 1, 0, 1, 0, -5, 0, 0, 2, -1, 0), (0, 1))
    whole = Position((1, -2, 0, -2, -1, 3, 1, 1, 0, 0, 0, -4, 4, 0, 1, 0, 1, 0, -5, 0, 0, 2, -1, 0), (1, 0))
    then = Position((1, -2, 0, -2, 1, 3, 0, 1, 0, 0, 0, -4, 4, 0, 1, 0, 1, 0, -5, 0, 0, 2, -1, 1), (0, 1))
    given(table, before)
    soon(table, before, *throw(FAR, 4, 2))
    soon(table, whole, *throw(FAR, 4, 2))
    dice = throw(NEAR, 2, 1, place=20)
    soon(table, whole, *throw(FAR, 4, 2), *dice)
    quick(table, then, *dice, n=1 if stills else 8, doubts=(on_point(8, 0, 1), on_point(13, 4, 5)))
    assert not accused(table)


@both
def test_a_dance_that_nobody_saw_makes_the_others_throw_no_bad_one(stills: bool) -> None:
    table = begun(stills)
    shut = Position((2, 2, 2, 2, 2, 0, 0, 3, 0, 0, 0, -5, 2, 0, 0, 0, -3, 0, -6, 0, 0, 0, 0, 0), (0, 1))
    assert not plays(shut, FAR, 5, 3)
    given(table, shut)
    soon(table, shut, *throw(NEAR, 4, 2, place=20))
    if not stills:  # he may have laid his dice there: a throw of far's would tell
        watched(table, shut, *throw(NEAR, 4, 2, place=20), seconds=12.0)
    assert not accused(table)
    assert table.service.state.doubt is not None


def test_a_hit_checker_may_come_to_the_bar_before_the_one_that_hits_it_moves() -> None:
    table = begun(False)
    before = Position((*AFTER_62.points[:3], -1, *AFTER_62.points[4:16], -2, *AFTER_62.points[17:]), (0, 0))
    given(table, before)
    after = next(p for p in plays(before, FAR, 3, 1) if p.points[3] == -1 and p.bar == (0, 0))
    table.see(before, *throw(FAR, 3, 1))
    table.see(after, *throw(FAR, 3, 1))
    dice = throw(NEAR, 4, 2, place=20)
    table.see(after, *throw(FAR, 3, 1), *dice)
    points = list(after.points)
    points[3] = 0
    quick(table, Position(tuple(points), (0, 1)), *dice, n=6)
    assert not accused(table)


def test_a_new_doubt_is_not_cured_by_what_was_read_before() -> None:
    """Near's checker, hit, is put on the bar late, and whether it lies there is in doubt."""
    table = begun(False)
    before = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5))
    given(table, before)
    hit = next(p for p in plays(before, FAR, 5, 3) if p.bar == (1, 0))
    aside = Position(hit.points)
    table.see(before, *throw(FAR, 5, 3))
    table.see(aside, *throw(FAR, 5, 3))
    quick(table, aside, n=1)
    table.now += 0.6
    quick(table, hit, n=4, doubts=(SeenDoubt(About.BAR, "count", "", seat=NEAR, values=(0, 1)),))
    assert not accused(table)


def test_a_throw_in_doubt_that_is_brushed_aside_was_thrown_once() -> None:
    table = begun(False)
    a, b = throw(FAR, 3, 1)
    quick(table, AFTER_62, a, b, n=2, doubts=(SeenDoubt(About.DIE, "value", "", centre=a.centre, values=(3, 5)),))
    table.now += 0.5
    brushed = replace(a, centre=(a.centre[0] + 15, a.centre[1] + 5)), replace(b, centre=(b.centre[0] - 12, b.centre[1]))
    quick(table, AFTER_62, *brushed)
    assert not accused(table)


def test_what_a_cocked_throw_seemed_to_show_at_first_is_no_roll_once_it_is_void() -> None:
    table = begun(False)
    shut = Position((2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 0, 0, 0, -2, -2, -4), (0, 1))
    assert not plays(shut, FAR, 6, 6)
    given(table, shut)
    table.now += 5.0
    a, b = throw(FAR, 6, 5)
    b = replace(b, state=DieState.COCKED)
    quick(table, shut, a, replace(b, value=6), n=1, doubts=(SeenDoubt(About.DIE, "value", "", centre=b.centre, values=(6, 5)),))
    quick(table, shut, a, b, n=5)
    assert kinds(table)[-1] == "roll_void"


def test_a_die_in_doubt_where_it_lay_ends_no_turn_beside_a_play_that_is_tried() -> None:
    table = begun(False)
    a, b = throw(FAR, 3, 1)
    table.see(AFTER_62, a, b)
    other = replace(a, value=5)
    doubt = SeenDoubt(About.DIE, "value", "", centre=a.centre, values=(5, 3))
    quick(table, AFTER_31, other, b, n=8, doubts=(doubt,), gap=0.3)
    assert table.phase is Phase.ROLLED


def test_a_die_laid_beside_the_board_before_the_other_is_no_throw() -> None:
    table = begun(False)
    a, b = throw(FAR, 3, 1)
    quick(table, AFTER_62, a, b, n=1)
    table.now += 1.5
    quick(table, AFTER_31, b, die(4, None, DieState.OFF_BOARD, place=400.0), n=3)
    assert not accused(table)


def test_a_mark_that_may_be_a_die_makes_no_throw_with_dice_beside_the_board() -> None:
    table = begun(False)
    beside = die(4, None, DieState.OFF_BOARD, place=400.0), die(2, None, DieState.OFF_BOARD, place=300.0)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, *throw(FAR, 3, 1))
    ghost = replace(die(3, place=30), confidence=0.7)
    quick(table, AFTER_31, *beside, ghost, doubts=(SeenDoubt(About.DIE, "presence", "", centre=ghost.centre),))
    assert not accused(table)


def test_an_opening_die_thrown_before_the_starting_position_is_read_without_doubt_is_thrown() -> None:
    table = Table(False)
    a, b = die(6), die(2, LEFT)
    quick(table, START, n=5, doubts=(on_point(6, 5, 4),))
    quick(table, START, a)
    quick(table, START, a, b, n=5)
    assert "opening_rolled" in kinds(table)


def test_a_glimpse_of_a_play_under_way_is_no_illegal_play_when_the_question_is_answered() -> None:
    table = begun(False)
    a, b = throw(FAR, 3, 1)
    doubt = SeenDoubt(About.DIE, "value", "", centre=a.centre, values=(3, 5))
    quick(table, AFTER_62, a, b, n=6, doubts=(doubt,), gap=0.4)
    asked = table.service.state.doubt
    assert asked is not None
    assert asked.doubt.about == "throw"
    table.now += 2.0
    quick(table, moved(AFTER_62, (17, 20), sign=-1), n=2)  # 8/5 and the dice are taken up, the other checker is in the air
    table.now += 0.5
    rolls = [next((event.dice for event in one.events if isinstance(event, e.Rolled)), ()) for one in asked.doubt.answers]
    table.answer([sorted(roll) for roll in rolls].index([1, 3]))
    quick(table, AFTER_31, n=3)
    assert not accused(table)


def test_who_has_thrown_other_numbers_is_not_charged_with_his_last_roll() -> None:
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    quick(table, AFTER_31, *throw(FAR, 3, 1), n=1)
    quick(table, AFTER_31, n=1, gap=0.8)
    quick(table, moved(AFTER_31, (13, 8)), n=1, gap=2.5)
    again = throw(FAR, 6, 6, place=50)
    quick(table, AFTER_54, n=2, gap=0.5)
    quick(table, AFTER_54, *again, n=1, gap=0.7)
    quick(table, moved(AFTER_54, (12, 18), sign=-1), *again, n=1, gap=0.9)
    quick(table, moved(AFTER_54, (12, 18), sign=-1), *again, n=5, gap=0.15)
    assert not accused(table)


@both
@pytest.mark.parametrize("value", [3, 6])
@pytest.mark.parametrize("before", [True, False])
def test_one_die_put_back_while_the_other_lies_beside_the_board_is_no_throw(stills: bool, value: int, before: bool) -> None:
    """Far has played and lays his dice aside: to near's throw they say nothing, whichever is laid down first."""
    table = begun(stills)
    beside = die(4, None, DieState.OFF_BOARD, place=400.0)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31)
    if before:
        table.see(AFTER_31, beside)
    back = die(value, LEFT, place=80)
    for _ in range(2):
        table.see(AFTER_31, back, beside)
    assert not accused(table)
    table.see(AFTER_31, back, beside, *NEXT)
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 4))
    assert not accused(table)


@both
def test_a_throw_of_which_one_die_is_lost_from_the_table_is_bad_still(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31)
    table.see(AFTER_31, die(3, RIGHT), die(4, None, DieState.OFF_BOARD, place=400.0))
    assert accused(table) == ["roll_void"]


@both
@pytest.mark.parametrize("looks", [1, 6])
def test_who_throws_and_enters_in_one_movement_makes_no_illegal_play_of_the_others(stills: bool, looks: int) -> None:
    """Far hits and takes up his dice; when the board is next in sight near's dice lie there and his checker has entered."""
    table = begun(stills)
    before = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5))
    given(table, before)
    hit = next(p for p in plays(before, FAR, 4, 1) if p.bar == (1, 0))
    entered = Position(tuple(n + (place == 20) for place, n in enumerate(hit.points)))
    dice = throw(NEAR, 4, 1, place=20)
    after = next(p for p in plays(hit, NEAR, 4, 1) if p.points[20] == 1)
    soon(table, before, *throw(FAR, 4, 1))
    quick(table, entered, *dice, n=1 if stills else looks)
    quick(table, after, *dice, n=1 if stills else 6)
    quick(table, after, n=1 if stills else 6)
    assert not accused(table)
    made = [one.event for one in table.service.log if isinstance(one.event, e.Played)][-2:]
    assert [(event.seat, event.position) for event in made] == [(FAR, hit), (NEAR, after)]


@both
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_throw_that_was_seen_in_doubt_alone_tells_whose_checkers_were_moved_next(stills: bool, goes_on: bool) -> None:
    """Far's dice lie there yet as near throws, and how near's lie is in doubt; in the next look all are gone, and near has played."""
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    doubts = tuple(SeenDoubt(About.DIE, "state", "it may not lie flat", centre=NEXT[k].centre) for k in (0, 1))
    table.see(AFTER_31, *throw(FAR, 3, 1), *NEXT, doubts=doubts)
    table.see(AFTER_54, looks=12)
    assert accused(table) == []
    doubt = table.event(e.Doubt)
    assert isinstance(doubt, e.Doubt)
    likeliest = doubt.answers[0].says
    assert (likeliest.code, likeliest.get("high"), likeliest.get("low")) == ("then_rolled", 5, 4)
    if goes_on:  # what can only follow that answer settles it
        table.see(AFTER_54, *throw(FAR, 6, 2, place=45))
        after = next(play for play in plays(AFTER_54, FAR, 6, 2) if play.bar == AFTER_54.bar)
        table.see(after, looks=12)
        assert accused(table) == []
        assert (table.service.state.on_roll, table.service.state.position) == (NEAR, after)


@pytest.mark.parametrize("doubt", [on_point(9), on_point(17, -2, -3)], ids=["any count", "either of two"])
def test_a_throw_after_a_turn_of_which_the_dice_alone_were_seen_waits_until_the_board_is_read(doubt: SeenDoubt) -> None:
    """Near's dice lay there and are gone: far must have played a roll that nobody saw, and the board shows which may have been."""
    table = begun(False)
    since = len(kinds(table))
    quick(table, AFTER_62, *NEXT, n=6, gap=0.3)
    quick(table, AFTER_54, n=2, gap=0.3, doubts=(SeenDoubt(About.BOARD, "hidden", ""),))
    dice = throw(FAR, 6, 4, place=45)
    quick(table, AFTER_54, *dice, n=5, gap=0.3, doubts=(doubt,))
    assert kinds(table)[since:] == [], "it is not taken for the roll that follows near's last play"
    quick(table, AFTER_54, *dice, n=8, gap=0.5)
    assert (kinds(table)[since:], table.service.state.question) == (["doubt"], "roll")
