"""Rulings on the cube."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import Seat
from referee.board.matchid import LARGEST_CUBE
from referee.rules import preset
from referee.rules.cube import CubeFacts, crawford_annulled, dead_cube, no_access, no_beaver, no_double, put_right
from referee.rules.reason import Reason

NEAR, FAR = Seat.NEAR, Seat.FAR
BRAY, MONEY = preset("bray"), preset("money")
MATCH = CubeFacts(length=7)


def code(reason: Reason | None) -> str:
    return reason.code if reason else ""


def doubling(cube: CubeFacts, on_roll: Seat = NEAR, rolled: bool = False) -> str:
    return code(no_double(cube, on_roll, rolled, BRAY))


def test_before_rolling_on_ones_own_turn() -> None:
    assert doubling(MATCH) == ""
    assert doubling(MATCH, rolled=True) == "double_before_roll"
    assert doubling(replace(MATCH, offered_by=NEAR, value=1)) == "double_open"


def test_by_the_owner_only_once_it_is_owned() -> None:
    owned = replace(MATCH, value=2, owner=FAR)
    assert doubling(owned) == "not_your_cube"
    assert doubling(owned, FAR) == ""
    assert code(no_access(replace(owned, value=LARGEST_CUBE), FAR, BRAY)) == "cube_at_end"


def test_nobody_doubles_in_the_crawford_game_or_to_one_point() -> None:
    for seat in Seat:
        reason = no_access(replace(MATCH, crawford=True), seat, BRAY)
        assert reason is not None
        assert (reason.code, reason.rule) == ("crawford", "S2-25")
    assert no_access(replace(MATCH, crawford=True), NEAR, preset("money")) is None
    assert code(no_access(CubeFacts(length=1), NEAR, BRAY)) == "no_cube"


def test_beavers_and_raccoons() -> None:
    doubled = CubeFacts(value=1, offered_by=NEAR)
    assert no_beaver(doubled, MONEY) is None
    beavered = CubeFacts(value=4, offered_by=NEAR, beavers=1)
    assert no_beaver(beavered, MONEY) is None
    assert code(no_beaver(beavered, replace(MONEY, raccoons=False))) == "no_raccoons"
    raccooned = CubeFacts(value=8, offered_by=NEAR, beavers=2)
    assert code(no_beaver(raccooned, MONEY)) == "no_beavers"
    assert no_beaver(raccooned, replace(MONEY, beavers=3)) is None
    assert code(no_beaver(doubled, BRAY)) == "no_beavers"
    assert code(no_beaver(replace(doubled, length=5), MONEY)) == "no_beavers"
    assert code(no_beaver(CubeFacts(), MONEY)) == "no_double"


def test_where_three_beavers_are_agreed_each_is_answered_by_a_raccoon() -> None:
    agreed = replace(MONEY, beavers=3)
    for beavers in range(6):
        assert no_beaver(CubeFacts(value=1 << beavers, offered_by=NEAR, beavers=beavers), agreed) is None
    assert code(no_beaver(CubeFacts(value=64, offered_by=NEAR, beavers=6), agreed)) == "no_beavers"


@pytest.mark.parametrize(("value", "owner"), [(4, NEAR), (2, FAR), (2, None), (64, NEAR)])
def test_a_cube_that_lies_wrong_is_put_right(value: int, owner: Seat | None) -> None:
    cube = CubeFacts(value=2, owner=NEAR)
    reason = put_right(cube, value, owner)
    assert reason is not None
    assert (reason.get("value"), reason.get("owner"), reason.get("seen")) == (2, "near", value)
    assert put_right(cube, 2, NEAR) is None


def test_a_double_in_the_crawford_game_is_annulled() -> None:
    taken = CubeFacts(value=2, owner=FAR, length=5, crawford=True)
    assert code(crawford_annulled(taken, BRAY)) == "crawford_annulled"
    assert code(crawford_annulled(replace(taken, value=1, owner=None, offered_by=NEAR), BRAY)) == "crawford_annulled"
    assert crawford_annulled(replace(taken, crawford=False), BRAY) is None
    assert crawford_annulled(CubeFacts(length=5, crawford=True), BRAY) is None


def test_a_dead_cube_is_only_a_remark() -> None:
    assert dead_cube(replace(MATCH, value=4), (3, 0), NEAR)
    assert not dead_cube(replace(MATCH, value=4), (3, 0), FAR)
    assert not dead_cube(CubeFacts(value=64), (3, 0), NEAR)
    assert doubling(replace(MATCH, value=8)) == ""
