"""The program is started again between two players in a hurry: what it has not seen is charged to nobody."""

from __future__ import annotations

import pytest

from referee.board.position import Position
from referee.match.commands import EnterRoll
from referee.match.state import Phase
from referee.observations import SeenDie
from tests.match.seen_table import AFTER_62, FAR, NEAR, begun, moved, throw
from tests.match.test_between import accused, both_ways, kinds, taken_up
from tests.match.test_seen_honest import AFTER_31, AFTER_54, quick, watched

THROWN, NEXT = throw(FAR, 3, 1), throw(NEAR, 5, 4, place=20)
SAME, AFTER_SAME = throw(NEAR, 6, 2, place=20), moved(AFTER_31, (24, 18), (13, 11))  # what near has played before


@both_ways
@pytest.mark.parametrize(("dice", "first", "after"), [
    (NEXT, moved(AFTER_31, (13, 8)), AFTER_54), (SAME, moved(AFTER_31, (24, 18)), AFTER_SAME),
])  # fmt: skip
def test_a_throw_made_in_a_hurry_before_a_restart_makes_no_illegal_play_of_the_others(
    stills: bool, dice: tuple[SeenDie, ...], first: Position, after: Position
) -> None:
    table = begun(stills)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, *THROWN, *dice)
    since = taken_up(table, stills)
    quick(table, AFTER_31, *THROWN, *dice)
    quick(table, first, *dice, n=1, gap=0.8)
    quick(table, after, *dice, n=4)
    quick(table, after, n=4, gap=0.3)
    assert accused(table, since) == []
    assert kinds(table, since) == ["dice_lifted", "played", "rolled", "dice_lifted", "played"]
    assert (table.phase, table.service.state.on_roll, table.service.state.position) == (Phase.TO_ROLL, FAR, after)


@pytest.mark.parametrize("how", ["started again", "told by hand"])
def test_a_throw_that_shares_a_number_with_the_roll_is_not_taken_for_the_dice_of_it(how: str) -> None:
    table, shared = begun(False), throw(NEAR, 4, 3, place=20)
    quick(table, AFTER_62, *(THROWN if how == "started again" else ()))
    if how == "told by hand":
        table.say(EnterRoll, dice=(3, 1))
    since = len(table.service.log)
    if how == "started again":
        taken_up(table, False)
    quick(table, AFTER_31, *THROWN, n=1)
    quick(table, AFTER_31, *shared, *THROWN, n=8, gap=0.3)
    quick(table, AFTER_31, *shared, n=4, gap=0.3)
    assert kinds(table, since) == ["dice_lifted", "played", "rolled"]
    assert table.service.state.dice == (4, 3)


@pytest.mark.parametrize("numbers", [(3, 1), (6, 2)], ids=["as he last threw them", "others"])
def test_dice_laid_down_to_be_thrown_that_were_there_at_a_restart_accuse_nobody_as_they_are_taken_up(numbers: tuple[int, int]) -> None:
    table, laid = begun(False), throw(FAR, *numbers, place=30)
    quick(table, AFTER_62, *THROWN)
    for dice in (THROWN, (), laid, (*laid, *NEXT)):
        quick(table, AFTER_31, *dice)
    for dice in ((*laid, *NEXT), laid):
        quick(table, AFTER_54, *dice)
    assert (table.phase, table.service.state.on_roll) == (Phase.TO_ROLL, FAR)
    since = taken_up(table, False)
    watched(table, AFTER_54, *laid, seconds=3.0)
    watched(table, AFTER_54, seconds=8.0)
    assert accused(table, since) == []
    watched(table, AFTER_54, *throw(FAR, 5, 2, place=55), seconds=4.0)
    assert table.service.state.question == "throw"
    table.answer(0)
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 2))


@pytest.mark.parametrize(("rules", "asked"), [("traditional", "roll_unseen"), ("magriel", "premature_seen")])
def test_a_throw_made_too_soon_before_a_restart_is_no_roll_by_being_played(rules: str, asked: str) -> None:
    table = begun(False, rules)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, *THROWN, *NEXT)
    since = taken_up(table, False, rules)
    quick(table, AFTER_31, *THROWN, *NEXT)
    quick(table, AFTER_31, *NEXT)
    quick(table, AFTER_54, *NEXT)
    watched(table, AFTER_54, seconds=8.0)
    assert "rolled" not in kinds(table, since)
    assert accused(table, since) == []
    assert table.service.state.question_code == asked
