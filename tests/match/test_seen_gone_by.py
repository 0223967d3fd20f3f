"""Turns that went by in the few seconds in which nobody looked: they are asked about, and charged to nobody."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Position
from referee.match import events as e
from referee.observations import About, SeenDoubt
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, Table, begun, die, moved, plays, throw
from tests.match.test_seen_honest import AFTER_31, AFTER_54, accused, quick

THROWN = throw(FAR, 3, 1)
SHUT_OUT = Position((*AFTER_31.points[:17], 0, *AFTER_31.points[18:]), (1, 0))  # near, on the bar, enters with neither 6 nor 5


def far_has_thrown(board: Position = AFTER_62) -> Table:
    table = begun(False)
    if board != AFTER_62:
        table.service.note(e.PositionSet(board))
        quick(table, board)
    quick(table, board, *THROWN)
    return table


def asked(table: Table) -> str:
    return table.service.state.question_code


def test_a_turn_that_explains_the_board_is_not_forgotten_when_the_next_throw_comes_before_it_is_asked_about() -> None:
    table = far_has_thrown()
    table.now += 4.7
    quick(table, AFTER_54, n=3)
    first, second = throw(FAR, 6, 2, place=70)
    unsure = replace(second, value=4, confidence=0.7)
    doubt = SeenDoubt(About.DIE, "value", "", centre=unsure.centre, values=(4, 2))
    quick(table, AFTER_54, first, unsure, n=4, gap=0.2, doubts=(doubt,))
    after = plays(AFTER_54, FAR, 6, 2)[0]
    quick(table, after, first, second, n=1, gap=0.6)
    quick(table, after, n=6)
    assert not accused(table)


def test_who_moves_on_after_a_throw_of_the_others_that_was_danced_has_had_another_turn() -> None:
    table = far_has_thrown(Position((*AFTER_62.points[:17], 0, *AFTER_62.points[18:]), (1, 0)))
    quick(table, SHUT_OUT, *THROWN)
    quick(table, SHUT_OUT, *THROWN, *throw(NEAR, 6, 5, place=20))
    table.now += 6.0
    after = plays(SHUT_OUT, FAR, 6, 2)[0]
    quick(table, after, n=1)
    quick(table, after, *throw(NEAR, 6, 4, place=60), n=5)
    assert not accused(table)


def test_the_same_numbers_elsewhere_after_the_other_has_moved_are_another_throw() -> None:
    table = far_has_thrown()
    table.now += 5.7
    again = die(3, LEFT, place=100), die(1, LEFT, place=30)
    quick(table, AFTER_54, *again, gap=0.2)
    after = plays(AFTER_54, FAR, 3, 1)[0]
    quick(table, after, *again, n=2, gap=0.5)
    quick(table, after, n=6)
    assert not accused(table)


def test_other_numbers_that_were_seen_for_a_moment_after_a_while_out_of_sight_are_another_throw() -> None:
    before = Position((*AFTER_62.points[:17], 0, *AFTER_62.points[18:]), (1, 0))
    table = far_has_thrown(before)
    table.now += 7.5
    first, second = throw(FAR, 6, 2, place=70)
    quick(table, SHUT_OUT, first, second, n=1)
    quick(table, moved(SHUT_OUT, (12, 18), sign=-1), first, replace(second, centre=(500.0, 250.0)), n=1, gap=0.6)
    quick(table, plays(SHUT_OUT, FAR, 6, 2)[0], n=8)
    assert not accused(table)
    assert asked(table) == "turns_unseen"
