"""Positions: whose checkers stand where, from both chairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import CHECKERS, START, Position, Seat, turned
from tests.board.positions import positions

NEAR, FAR = Seat.NEAR, Seat.FAR


def test_the_starting_position() -> None:
    for seat in Seat:
        assert {p: START.on_point(seat, p) for p in range(26) if START.on_point(seat, p)} == {24: 2, 13: 5, 8: 3, 6: 5}
        assert START.pips(seat) == 167
        assert sum(START.side(seat)) == CHECKERS
    assert START.defects() == ()
    assert turned(START) == START


@given(positions())
def test_both_sides_make_the_position(position: Position) -> None:
    assert Position.from_sides(position.side(NEAR), position.side(FAR)) == position
    assert position.defects() == ()
    assert turned(turned(position)) == position
    for seat in Seat:
        assert turned(position).side(seat) == position.side(seat.other)
        assert sum(position.on_point(seat, p) for p in range(26)) == CHECKERS


def test_defects_are_all_told() -> None:
    assert Position(START.points, (1, 0), (0, 2)).defects() == ("near has 16 checkers", "far has 17 checkers")
    assert "near has a negative count" in Position(START.points, (-1, 0), (1, 0)).defects()


@given(st.integers(0, 40).filter(lambda n: n != 24))
def test_a_position_has_24_points(number: int) -> None:
    with pytest.raises(ValueError, match="24 points"):
        Position((0,) * number)


def test_what_makes_no_position() -> None:
    both = (0,) * 23 + (1, 0)
    with pytest.raises(ValueError, match="both players"):
        Position.from_sides(both, (1,) + (0,) * 24)
    with pytest.raises(ValueError, match="more than 15"):
        Position.from_sides((16,) + (0,) * 24, (0,) * 25)
