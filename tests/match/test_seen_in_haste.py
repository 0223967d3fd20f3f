"""Players in a hurry before a camera that is slower than they are: what went by between two looks is asked about, or told by what came
after it, and charged to nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import About, DieState, SeenCube, SeenDie, SeenDoubt
from tests.match.seen_table import AFTER_62, FAR, NEAR, Table, begun, moved, plays, throw
from tests.match.test_seen_honest import AFTER_31, AFTER_54, accused, given, kinds, on_point, quick, watched

THROWN, NEXT = throw(FAR, 3, 1), throw(NEAR, 5, 4, place=20)
HIT = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5))  # far's 4-1 may hit on near's 19


def asked(table: Table) -> str:
    return table.service.state.question_code


def hitting() -> tuple[Table, Position]:
    """Far has thrown 4-1, and a play of his that hits."""
    table = begun(False)
    given(table, HIT)
    quick(table, HIT, *throw(FAR, 4, 1), n=3)
    return table, next(p for p in plays(HIT, FAR, 4, 1) if p.bar == (1, 0))


def test_hands_over_the_board_before_the_dice_were_last_seen_hide_no_turn() -> None:
    table, after = hitting()
    dice = throw(FAR, 4, 1)
    watched(table, HIT, *dice, seconds=8.0, hand=True)
    quick(table, after, *dice, n=1)
    quick(table, after, n=1, gap=0.8)
    mine = throw(NEAR, 4, 2, place=20)
    entered = next(p for p in plays(after, NEAR, 4, 2) if p.bar == (0, 0))
    quick(table, entered, *mine, n=1, gap=0.8)
    quick(table, entered, *mine, n=4)
    assert kinds(table)[-2:] == ["played", "rolled"]
    assert (table.phase, table.service.state.on_roll) == (Phase.ROLLED, NEAR)


def test_a_hit_checker_that_lay_beside_the_bar_was_not_moved_by_its_owner() -> None:
    table, after = hitting()
    beside = replace(after, bar=(0, 0), off=(1, 0))
    quick(table, beside, *throw(FAR, 4, 1), n=3)
    quick(table, after, n=1, gap=0.8)
    mine = throw(NEAR, 4, 2, place=20)
    quick(table, after, *mine, n=1, gap=0.8, doubts=(on_point(18, 0, 1),))
    entered = next(p for p in plays(after, NEAR, 4, 2) if p.bar == (0, 0))
    quick(table, entered, *mine, n=6, gap=0.3)
    assert not accused(table)
    assert kinds(table)[-2:] == ["played", "rolled"]


def test_the_other_hits_back_at_once_and_the_checker_lies_beside_the_bar_yet() -> None:
    table, after = hitting()
    point = next(place for place, (n, m) in enumerate(zip(HIT.points, after.points, strict=True)) if n > 0 > m)
    quick(table, after, n=1, gap=0.8)
    mine = throw(NEAR, 25 - (point + 1), 3, place=20)
    quick(table, after, *mine, n=1, gap=0.8)
    points = tuple(1 if place == point else n for place, n in enumerate(after.points))
    back = Position(points, (0, 0), (0, 1))
    quick(table, back, *mine, n=6, gap=0.3)
    assert not accused(table)
    assert kinds(table)[-2:] == ["played", "rolled"]


def test_a_point_in_doubt_has_no_part_in_what_the_other_plays() -> None:
    table, after = hitting()
    dice, mine = throw(FAR, 4, 1), throw(NEAR, 4, 2, place=20)
    quick(table, after, *dice, n=3)
    quick(table, after, *dice, *mine, n=2)
    blot = after.points.index(-1)
    hit = Position(tuple(0 if place == blot else n for place, n in enumerate(after.points)), (1, 1))  # and near's own is in his hand yet
    quick(table, hit, *mine, n=5, gap=0.3, doubts=(on_point(18, 0, 1),))
    assert not accused(table)
    assert kinds(table)[-2:] == ["played", "rolled"]


def test_his_next_throw_tells_of_a_turn_that_went_by_between_two_looks() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, n=3)
    quick(table, AFTER_31, n=1, gap=0.8)
    again = throw(FAR, 6, 4, place=50)
    quick(table, AFTER_54, *again, n=3, gap=0.15)  # and moves on before the board has stood for long
    quick(table, moved(AFTER_54, (12, 18), sign=-1), *again, n=1, gap=0.5)
    quick(table, moved(AFTER_54, (12, 18), sign=-1), n=6, gap=0.3)
    assert not accused(table)
    assert asked(table) == "turns_unseen"


def test_dice_with_other_numbers_after_the_others_throw_are_not_his_last_ones_brushed_aside() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, n=3)
    quick(table, AFTER_31, *NEXT, n=1, gap=0.8)
    again = throw(FAR, 6, 4, place=50)
    quick(table, AFTER_54, *again, n=3, gap=0.15)
    quick(table, moved(AFTER_54, (12, 18), sign=-1), *again, n=4, gap=0.15)
    quick(table, moved(AFTER_54, (12, 22), sign=-1), *again, n=2, gap=0.3)
    quick(table, moved(AFTER_54, (12, 22), sign=-1), n=6, gap=0.3)
    assert not accused(table)


def test_a_quick_turn_without_a_look_at_its_dice_is_asked_about() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, n=3)
    quick(table, AFTER_31, *THROWN, n=2)
    quick(table, AFTER_54, n=1, gap=3.8)
    quick(table, AFTER_54, n=8, gap=0.3)
    assert not accused(table)
    assert asked(table) == "turn_unseen"


def test_a_throw_in_doubt_is_a_throw_to_him_who_is_judged() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, n=3)
    quick(table, AFTER_31, n=1, gap=0.8)
    doubt = SeenDoubt(About.DIE, "value", "", centre=NEXT[0].centre, values=(5, 2))
    quick(table, AFTER_54, *NEXT, n=1, gap=1.0, doubts=(doubt,))
    quick(table, AFTER_54, *NEXT, n=6, gap=0.2, doubts=(doubt,))
    assert not accused(table)


def test_a_die_brushed_aside_that_is_in_doubt_keeps_the_play_open() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, n=3)
    a, b = THROWN
    aside = replace(b, centre=(b.centre[0] + 40, b.centre[1] + 6), confidence=0.7)
    doubt = SeenDoubt(About.DIE, "value", "", centre=aside.centre, values=(1, 2))
    quick(table, AFTER_31, a, aside, n=8, gap=0.3, doubts=(doubt,))
    assert table.phase is Phase.ROLLED
    other = next(p for p in plays(AFTER_62, FAR, 3, 1) if p not in (AFTER_31, AFTER_62))
    quick(table, other, a, aside, n=3, gap=0.3, doubts=(doubt,))
    quick(table, other, n=4, gap=0.3)
    played = table.event(e.Played)
    assert isinstance(played, e.Played)
    assert played.position == other


def knocked_over(die: SeenDie) -> SeenDie:
    """``die`` where a hand has brushed it aside, and it shows a 2 now."""
    return replace(die, value=2, centre=(die.centre[0] + 25, die.centre[1] - 20))


def far_plays() -> Table:
    """Near has played 6-2 and far has thrown 3-1."""
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    return table


@pytest.mark.parametrize("shown", [(6, 2), (5, 1)])
def test_dice_laid_down_again_while_the_other_plays_are_no_throw_whatever_they_show(shown: tuple[int, int]) -> None:
    """As near has just played them, and turned."""
    laid, thrown = throw(NEAR, *shown, place=120), throw(NEAR, 5, 4, place=20)
    table = far_plays()
    quick(table, AFTER_62, *THROWN, *laid)
    quick(table, AFTER_31, *THROWN, *laid)
    quick(table, AFTER_31, *laid, gap=0.3)
    assert kinds(table)[-1] == "played"
    quick(table, AFTER_31, *thrown, gap=0.3)
    assert table.last == e.Rolled(NEAR, (5, 4))


def test_a_throw_that_looked_like_dice_laid_down_is_told_by_its_play() -> None:
    table = far_plays()
    thrown = throw(NEAR, 6, 2, place=120)
    quick(table, AFTER_62, *THROWN, *thrown)
    quick(table, AFTER_31, *THROWN, *thrown)
    quick(table, AFTER_31, *thrown, gap=0.3)
    after = plays(AFTER_31, NEAR, 6, 2)[0]
    quick(table, after, *thrown, gap=0.3)
    quick(table, after, gap=0.3)
    assert [kind for kind in kinds(table) if kind != "dice_lifted"][-3:] == ["played", "rolled", "played"]


def test_a_throw_made_ahead_keeps_its_numbers_when_one_of_its_dice_is_knocked_over() -> None:
    table = far_plays()
    first, second = throw(NEAR, 5, 4, place=20)
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, *THROWN, first, second)
    over = knocked_over(second)
    quick(table, AFTER_31, first, over, gap=0.3)
    assert table.last == e.Rolled(NEAR, (5, 4))
    quick(table, plays(AFTER_31, NEAR, 5, 4)[0], first, over, gap=0.3)
    quick(table, plays(AFTER_31, NEAR, 5, 4)[0], gap=0.3)
    assert kinds(table)[-1] == "played"


def test_other_numbers_seen_after_a_while_out_of_sight_accuse_nobody() -> None:
    table = far_plays()
    later = plays(plays(AFTER_62, FAR, 3, 1)[0], NEAR, 6, 1)[0]
    other = throw(FAR, 6, 5, place=40)
    table.now += 7.0
    quick(table, later, *other, n=3)
    quick(table, plays(later, FAR, 6, 5)[0], n=6, gap=0.3)
    assert not accused(table)


def near_hit() -> tuple[Table, Position]:
    """Far has hit with his 4-1 and taken up his dice; near, on the bar, is to throw."""
    table, after = hitting()
    quick(table, after, *throw(FAR, 4, 1), n=2)
    quick(table, after, n=2, gap=0.4)
    assert table.phase is Phase.TO_ROLL
    return table, after


def test_dice_laid_down_again_ask_nothing_of_a_player_on_the_bar() -> None:
    table, after = near_hit()
    laid = throw(FAR, 4, 1, place=120)
    quick(table, after, *laid, n=16, gap=0.5)
    assert asked(table) == ""
    quick(table, after, *laid, *throw(NEAR, 6, 2))
    assert table.last == e.Rolled(NEAR, (6, 2))


def test_dice_with_other_numbers_are_given_time_to_be_told_from_a_dance_nobody_saw() -> None:
    table, after = near_hit()
    laid = throw(FAR, 3, 1, place=120)
    quick(table, after, *laid, n=8, gap=0.4)
    assert asked(table) == ""
    quick(table, after, *laid, *throw(NEAR, 6, 2))
    assert table.last == e.Rolled(NEAR, (6, 2))


def doubtful(*dice: SeenDie) -> tuple[SeenDoubt, ...]:
    return tuple(SeenDoubt(About.DIE, "state", "flat or cocked", centre=die.centre) for die in dice)


def test_a_throw_in_doubt_that_is_played_keeps_its_numbers_when_a_die_is_knocked_over() -> None:
    table = begun(False)
    first, second = THROWN
    second = replace(second, confidence=0.7)
    quick(table, AFTER_62, first, second, doubts=doubtful(second))
    over = replace(second, value=5, centre=(second.centre[0] + 30, second.centre[1] - 20), confidence=1.0)
    partly = moved(AFTER_62, (17, 20), sign=-1)
    quick(table, partly, first, over, n=3)
    assert table.last == e.Rolled(FAR, (3, 1))
    quick(table, AFTER_31, first, over, gap=0.3)
    quick(table, AFTER_31, gap=0.3)
    assert kinds(table)[-1] == "played"


def test_a_throw_in_doubt_of_which_a_die_lies_beside_where_it_lay_is_asked_about() -> None:
    table = begun(False)
    first, second = THROWN
    second = replace(second, confidence=0.7)
    quick(table, AFTER_62, first, second, doubts=doubtful(second))
    over = replace(second, value=5, centre=(second.centre[0] + 30, second.centre[1] - 20), confidence=1.0)
    quick(table, AFTER_62, first, over, n=3)
    assert asked(table) == "throw_unsure"


def test_dice_that_lay_there_as_a_double_was_answered_are_no_throw_of_the_doubler() -> None:
    table = begun(False)
    laid = throw(NEAR, 5, 4, place=120)
    quick(table, AFTER_62, *laid, n=2, gap=0.3)
    table.cube = SeenCube(2, None, NEAR)
    quick(table, AFTER_62, *laid, n=5, gap=0.5)
    assert table.phase is Phase.DOUBLED
    table.cube = SeenCube(2, NEAR)
    quick(table, AFTER_62, *laid, n=10, gap=0.8)
    assert table.phase is Phase.TO_ROLL
    assert "roll_void" not in kinds(table)


def test_dice_that_come_after_a_whole_play_of_other_numbers_are_no_throw_of_it() -> None:
    table = begun(False)
    quick(table, AFTER_31, n=4, gap=0.3)  # the throw went by unseen
    quick(table, AFTER_31, *throw(FAR, 6, 2, place=120), n=12, gap=0.3)
    assert "rolled" not in kinds(table)[-2:]
    assert asked(table) == "roll_unseen"


def test_who_moves_as_he_is_seen_again_may_be_at_his_next_turn() -> None:
    table = begun(False)
    table.now += 8.0
    again = throw(FAR, 6, 2, place=40)
    quick(table, AFTER_54, *again, n=1, gap=0.1)
    begun_it = moved(AFTER_54, (12, 18), sign=-1)
    quick(table, begun_it, *again, n=1, gap=0.5)
    quick(table, begun_it, *again, n=8, gap=0.3)
    assert "rolled" not in kinds(table)
    assert not accused(table)


def test_dice_that_come_after_a_throw_in_doubt_was_played_are_the_next_throw() -> None:
    table = far_plays()
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, gap=0.3)
    first, second = NEXT
    unsure = replace(second, confidence=0.7, state=DieState.COCKED)
    quick(table, AFTER_31, first, unsure, n=3, doubts=doubtful(unsure))
    quick(table, AFTER_54, first, second, n=1, gap=0.6)
    thrown = throw(FAR, 6, 2, place=40)
    quick(table, AFTER_54, first, second, *thrown, n=3)
    quick(table, AFTER_54, *thrown, gap=0.3)
    after = plays(AFTER_54, FAR, 6, 2)[0]
    quick(table, after, *thrown, gap=0.3)
    quick(table, after, gap=0.3)
    assert isinstance(table.last, e.Played)
    assert (table.last.seat, table.last.position) == (FAR, after)


def test_the_others_moved_checkers_tell_of_turns_that_went_by_out_of_sight() -> None:
    table = far_plays()
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, gap=0.3)
    table.now += 8.0
    unknown = moved(moved(AFTER_31, (13, 6)), (12, 22), (17, 22), (19, 22), sign=-1)  # near's turn, and more of far's than one turn
    again = throw(NEAR, 6, 1, place=40)
    quick(table, unknown, *again, n=12, gap=0.2)
    assert "rolled" not in kinds(table)[-2:]
    assert table.service.state.doubt is not None


def test_dice_laid_down_before_the_play_are_no_throw_though_the_board_was_in_doubt_till_then() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN, doubts=(on_point(6, 5, 4),))
    laid = throw(NEAR, 5, 1, place=120)
    quick(table, AFTER_62, *THROWN, *laid, n=1)
    quick(table, AFTER_31, *THROWN, *laid, n=4, gap=0.5)
    quick(table, AFTER_31, *laid, gap=0.3)
    assert kinds(table)[-1] == "played"


def test_dice_that_lay_there_as_a_throw_in_doubt_came_are_not_the_next() -> None:
    table = begun(False)
    first, second = THROWN
    unsure, laid = replace(second, confidence=0.7), throw(NEAR, 5, 1, place=120)
    quick(table, AFTER_62, first, unsure, *laid, n=4, gap=0.5, doubts=doubtful(unsure))
    assert asked(table) == "throw_unsure"
    table.answer(0)
    quick(table, AFTER_31, first, second, *laid)
    quick(table, AFTER_31, *laid, gap=0.3)
    assert kinds(table)[-1] == "played"


def test_a_die_knocked_over_before_the_throw_was_settled_does_not_change_what_is_played() -> None:
    table = far_plays()
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, gap=0.3)
    first, second = NEXT
    quick(table, AFTER_31, first, second, n=1)
    over = knocked_over(second)
    quick(table, AFTER_54, first, over, n=3, gap=0.3)
    assert table.last == e.Rolled(NEAR, (5, 4))
    quick(table, AFTER_54, gap=0.3)
    assert kinds(table)[-1] == "played"


def test_of_two_numbers_that_a_die_in_doubt_may_show_the_play_tells_which_though_it_was_knocked_over() -> None:
    table = far_plays()
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, gap=0.3)
    first, second = NEXT
    unsure = replace(second, value=2, confidence=0.7)
    doubt = SeenDoubt(About.DIE, "value", "2 or 4", centre=second.centre, values=(2, 4))
    quick(table, AFTER_31, first, unsure, n=3, doubts=(doubt,))
    over = knocked_over(second)
    quick(table, AFTER_54, first, over, n=3, gap=0.3)
    assert table.last == e.Rolled(NEAR, (5, 4))


def test_three_turns_that_went_by_in_six_seconds_out_of_sight_are_asked_about() -> None:
    table = far_plays()
    after_near = plays(AFTER_31, NEAR, 6, 5)[0]
    after_far = plays(after_near, FAR, 6, 4)[-1]
    table.now += 6.0
    quick(table, after_far, n=10, gap=0.3)
    assert not accused(table)
    assert asked(table) == "turns_unseen"


def test_who_hits_back_before_his_throw_was_first_seen_makes_no_illegal_play_of_the_others() -> None:
    table = begun(False)
    start = Position((3, 2, 3, 0, 0, 2, 0, 0, 0, 2, -1, -2, 0, -1, 0, -1, -2, -3, -4, 1, 2, -1, 0, 0))
    given(table, start)
    quick(table, start, *throw(FAR, 6, 6), n=4)
    mine, table.now = throw(NEAR, 3, 2, place=20), table.now + 5.2
    back = Position((3, 2, 3, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, -1, -3, -5, -4, -1, 2, 1, 0, 0), (0, 0), (0, 1))
    quick(table, back, *mine, n=1)  # far's 6-6 hit, and near hits from the bar: far's checker lies beside it
    quick(table, replace(back, bar=(0, 1), off=(0, 0)), *mine, n=1, gap=0.4)
    on = Position((3, 2, 3, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, -1, -3, -5, -4, 1, 2, 0, 0, 0), (0, 1), (0, 1))
    quick(table, on, *mine, n=5, gap=0.2)
    assert not accused(table)
    assert asked(table) == "several"
    table.answer(0)
    quick(table, on, *mine, n=4)
    assert kinds(table)[-2:] == ["played", "rolled"]


def test_turns_that_went_by_are_asked_about_though_he_who_has_thrown_since_moves_on_before_the_next_look() -> None:
    table = begun(False)
    table.now += 9.0
    first = plays(AFTER_62, FAR, 5, 3)[2]
    second = plays(first, NEAR, 4, 2)[3]
    again = throw(FAR, 6, 1, place=40)
    begun_it = plays(second, FAR, 6, 1)[3]
    quick(table, moved(second, (12, 18), sign=-1), *again, n=3)
    quick(table, begun_it, *again, n=3, gap=0.5, doubts=(on_point(1, 2, 3),))
    assert "rolled" not in kinds(table), "they are dice of another turn of his"


def test_who_has_borne_off_while_nobody_looked_has_had_a_turn() -> None:
    table = begun(False)
    home = Position((6, 2, 2, *(0,) * 15, 0, -1, -2, -4, -3, -2), (0, 0), (5, 3))
    given(table, home)
    quick(table, home, *throw(FAR, 6, 3))
    table.now += 6.5
    later, again = Position((4, 2, 2, *(0,) * 15, 0, 0, -2, -3, -3, -2), (0, 0), (7, 5)), throw(FAR, 3, 6, place=70)
    quick(table, later, *throw(FAR, 2, 1, place=40), n=1)
    quick(table, later, *again, n=6, gap=0.2)
    begun_it = replace(later, points=(*later.points[:21], -2, *later.points[22:]), off=(7, 6))
    quick(table, begun_it, *again, n=3, gap=0.4)
    quick(table, begun_it, n=6, gap=0.3)
    assert not accused(table)
    assert asked(table) == "turns_unseen"


def test_what_went_by_besides_a_play_while_nobody_looked_is_not_forgotten_with_it() -> None:
    table = begun(False)
    home = Position((6, 2, 2, *(0,) * 15, 0, -1, -2, -4, -3, -2), (0, 0), (5, 3))
    after = Position((6, 2, 2, *(0,) * 15, 0, 0, -2, -3, -3, -2), (0, 0), (5, 5))
    given(table, home)
    for board in (home, after):
        quick(table, board, *throw(FAR, 6, 3), gap=0.3)
    quick(table, after, *throw(FAR, 6, 3), *throw(NEAR, 2, 1), gap=0.2)
    table.now += 7.0
    later = Position((4, 2, 2, *(0,) * 15, 0, 0, -1, -3, -3, -1), (0, 0), (7, 7))  # a turn of each
    quick(table, later, n=1)
    quick(table, later, *throw(NEAR, 6, 5, place=40), n=3, gap=0.4)
    quick(table, replace(later, points=(4, 2, 1, *later.points[3:]), off=(8, 7)), *throw(NEAR, 6, 5, place=40), n=2)
    assert kinds(table)[-2:] == ["played", "doubt"], "the throw is of a later turn"
    assert asked(table) == "position_differs"
