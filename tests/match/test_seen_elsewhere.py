"""Another camera is put up, or the one that is there looks from another place: the same dice lie there yet, and nobody has thrown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START
from referee.match.arbiter.displaced import seen_elsewhere
from referee.match.events import OpeningRolled
from referee.observations import About, DieState, SeenDie, SeenDoubt
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, Table, begun, die, throw


def _there(place: tuple[float, float]) -> tuple[float, float]:
    return 1500 - 1.1 * place[0], 900 - 0.9 * place[1]


def _elsewhere(*dice: SeenDie) -> tuple[SeenDie, ...]:
    return tuple(replace(one, centre=_there(one.centre)) for one in dice)


def _carried(table: Table) -> int:
    """The camera is carried elsewhere; how long the log is."""
    table.service.carry_over(lambda memory: seen_elsewhere(memory, _there))
    table.now += 20
    return len(table.service.log)


def _since(table: Table, since: int) -> list[str]:
    return [one.event.type for one in table.service.log[since:]]


def _lie_there_until_thrown(table: Table, *dice: SeenDie) -> None:
    """From elsewhere nothing is said of ``dice`` that lie there, and the next throw counts."""
    since = _carried(table)
    for _ in range(2):
        table.see(AFTER_62, *_elsewhere(*dice))
    assert _since(table, since) == []
    table.see(AFTER_62)
    assert table.see(AFTER_62, *throw(FAR, 5, 4)) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("lie", ["old", "tied", "void"])
def test_opening_dice_that_lie_there_are_thrown_no_second_time(stills: bool, lie: str) -> None:
    table = Table(stills)
    dice = {"old": OPENING, "tied": (die(3), die(3, LEFT)), "void": (die(3, LEFT, DieState.COCKED), die(1))}[lie]
    if lie == "old" and stills:
        dice = (*dice, die(5))  # of a still only what cannot be the opening throw is none
    table.see(START, *dice if lie == "old" else ())
    if lie != "old":
        assert table.see(START, *dice) == [{"tied": "opening_tied", "void": "roll_void"}[lie]]
    since = _carried(table)
    for _ in range(2):
        table.see(START, *_elsewhere(*dice))
    assert _since(table, since) == []
    table.see(START)
    table.see(START, die(4, place=50), die(5, LEFT, place=50))
    assert table.event(OpeningRolled) == OpeningRolled(FAR, (4, 5))


@pytest.mark.parametrize("stills", [True, False])
def test_a_bad_throw_that_lies_there_is_ruled_void_once(stills: bool) -> None:
    table = begun(stills)
    dice = die(3, LEFT, DieState.COCKED), die(1, LEFT, place=60)
    assert table.see(AFTER_62, *dice) == ["roll_void"]
    _lie_there_until_thrown(table, *dice)


@pytest.mark.parametrize("stills", [True, False])
def test_a_throw_that_a_person_has_not_counted_counts_for_no_other_camera(stills: bool) -> None:
    table, dice = begun(stills), throw(FAR, 3, 1)
    unsure = SeenDoubt(About.DIE, "value", "", centre=dice[0].centre, values=(3, 5))
    for _ in range(3):
        table.see(AFTER_62, *dice, doubts=(unsure,))
    doubt = table.service.state.doubt
    assert doubt is not None
    table.answer(len(doubt.doubt.answers) - 1)
    _lie_there_until_thrown(table, *dice)


def test_the_dice_of_the_roll_that_is_played_are_known_where_they_lie() -> None:
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    since = _carried(table)
    table.see(AFTER_62, *_elsewhere(*throw(FAR, 3, 1)), *throw(NEAR, 5, 4))
    assert "illegal_play" not in _since(table, since)
    assert {(one.value, one.centre) for one in table.service.memory.turn.announced} == {
        (one.value, one.centre) for one in _elsewhere(*throw(FAR, 3, 1))
    }
