"""Whose the cube is follows from where it lies; and what lies there is no die."""

from __future__ import annotations

import numpy as np
import pytest

from referee.board.position import Seat
from referee.observations import About, DieState, SeenCube, SeenDie, SeenDoubt
from tests.vision.drawn_table import table
from vision.cube import EDGE, CubeReader, placed
from vision.dice.net import CubeView


@pytest.mark.parametrize(
    ("x", "y", "number", "value", "owner", "offered"),
    [
        (0.0, 0.0, 64, 1, None, None),
        (0.0, -17.0, 2, 2, Seat.NEAR, None),
        (-33.0, 18.0, 8, 8, Seat.FAR, None),
        (15.0, 2.0, 2, 2, None, Seat.NEAR),
        (-15.0, -3.0, 4, 4, None, Seat.FAR),
    ],
)
def test_whose_the_cube_is_follows_from_its_place(
    x: float, y: float, number: int, value: int, owner: Seat | None, offered: Seat | None
) -> None:
    board = table(20)
    px = board.camera.project(np.array([x, y, EDGE + (1.5 if x == 0 else 0)]))
    cube, clear = placed(CubeView(1.0, (1.0, 0, 0, 0, 0, 0), (float(px[0]), float(px[1])), 40.0), number, board)
    assert (cube.value, cube.owner, cube.offered_to, clear) == (value, owner, offered, True)


def test_a_doubtful_die_in_the_cube_s_place_is_the_cube() -> None:
    board = table(20)
    reader = CubeReader(board)
    at = tuple(float(c) for c in board.camera.project(np.array([0.0, 15.0, EDGE])))
    cube = SeenCube(2, Seat.FAR, None, (at[0], at[1]))
    here, there = (SeenDie(1, DieState.ON_BAR, None, centre, 0.7, ()) for centre in ((at[0] + 3, at[1]), (at[0] + 90, at[1])))
    maybe = tuple(SeenDoubt(About.DIE, "presence", "this may be a die", centre=die.centre) for die in (here, there))
    assert reader.others(cube, (), (here, there), maybe) == ((there,), maybe[1:])
    assert reader.others(cube, (), (here, there), ()) == ((here, there), ()), "a die beyond doubt stays one"
    unsure = (SeenDoubt(About.CUBE, "presence", "this may be the cube", centre=at),)
    assert reader.others(cube, unsure, (here, there), maybe) == ((here, there), maybe)
    assert reader.others(None, (), (here,), maybe) == ((here,), maybe)
