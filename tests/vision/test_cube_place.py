"""Whose the cube is follows from where it lies; and what lies there is no die."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.board.position import Seat
from referee.observations import About, DieState, SeenCube, SeenDie, SeenDoubt
from tests.vision.drawn_table import table
from vision.cube import EDGE, CubeReader, judge, placed
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


@pytest.mark.parametrize(
    ("x", "y", "z", "number", "cube", "clear"),
    [
        (0.0, 0.2, 1.5, 2, SeenCube(2, None), False),
        (0.0, 0.36, 1.5, 2, SeenCube(2, Seat.FAR), False),
        (0.0, -0.36, 1.5, 2, SeenCube(2, Seat.NEAR), False),
        (0.0, -0.6, 1.5, 2, SeenCube(2, Seat.NEAR), True),
        (0.0, 0.5, 1.5, 64, SeenCube(1, None), True),
        (0.0, -0.62, 1.5, 64, SeenCube(1, None), False),
        (0.0, 0.85, 1.5, 64, SeenCube(64, Seat.FAR), False),
        (15.0, 0.1, 0.0, 64, SeenCube(64, None, Seat.NEAR), False),
        (0.0, 0.6, 0.0, 4, SeenCube(4, Seat.FAR), True),
        (2.9, 0.6, 0.0, 4, SeenCube(4, Seat.FAR), True),
        (-26.3, 0.6, 0.0, 4, SeenCube(4, Seat.FAR), True),
    ],
)
def test_between_the_sides_it_is_in_doubt_and_only_one_that_lies_clear_of_bar_and_rails_is_offered(
    x: float, y: float, z: float, number: int, cube: SeenCube, clear: bool
) -> None:
    """``y`` in shares of the way to a side, ``z`` cm of what it lies on. A 64 may be the last of all, or one that nobody has turned yet."""
    board = table(20)
    px = board.camera.project(np.array([x, y * board.measures.inner[1] / 2, EDGE + z]))
    assert placed(CubeView(1.0, (1.0, 0, 0, 0, 0, 0), (float(px[0]), float(px[1])), 40.0), number, board) == (cube, clear)


@pytest.mark.parametrize("x", [-2.1, 2.1])
def test_a_cube_on_the_bars_edge_that_a_camera_beside_the_board_sees_over_the_field_is_not_offered(x: float) -> None:
    board = table(40)
    beside = replace(board.camera, rotation=board.camera.rotation @ np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    u, v = beside.project(np.array([x, 15.0, EDGE + board.measures.bar_height])).tolist()
    cube, clear = placed(CubeView(1.0, (1.0, 0, 0, 0, 0, 0), (u, v), 40.0), 2, replace(board, camera=beside))
    assert (cube, clear) == (SeenCube(2, Seat.FAR), True)


@pytest.mark.parametrize(
    ("cube", "sure", "codes"), [(0.97, 0.92, []), (0.93, 0.92, ["presence"]), (0.97, 0.88, ["value"]), (0.6, 0.6, ["presence", "value"])]
)
def test_a_cube_that_may_be_none_and_a_number_that_may_be_another_are_in_doubt(cube: float, sure: float, codes: list[str]) -> None:
    board = table(20)
    x, y = board.camera.project(np.array([0.0, -17.0, EDGE])).tolist()
    seen, doubts = judge(CubeView(cube, (0.0, 0, 1 - sure, sure, 0, 0), (x, y), 40.0), board)
    assert (seen.value, seen.owner) == (16, Seat.NEAR)
    assert [doubt.code for doubt in doubts] == codes
    assert all(doubt.values == (16, 8) for doubt in doubts if doubt.code == "value")


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
