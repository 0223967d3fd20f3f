"""Reads the doubling cube: its number, whose it is, and whether it is being offered."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from referee.board.position import Seat
from referee.observations import About, SeenCube, SeenDie, SeenDoubt
from vision.dice_crops import look_at
from vision.dice_find import board_finder
from vision.dice_read import CubeView, read_cubes
from vision.table import Table

NUMBERS = (2, 4, 8, 16, 32, 64)
EDGE = 2.7  # cm, what a cube measures when nothing is known
SURE_CUBE, POSSIBLE_CUBE, SURE_NUMBER = 0.95, 0.65, 0.85


class CubeReader:
    """Reads the cube on and about a set-up ``table``."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, image: NDArray[np.uint8], dice: tuple[SeenDie, ...] = ()) -> tuple[SeenCube | None, tuple[SeenDoubt, ...]]:
        """The cube in ``image`` (BGR uint8), None when none is in sight, and doubts about it. ``dice`` are not taken for it."""
        table = self._table
        spots = list(board_finder(table).find(image).cubes[:4])
        looks = [look_at(table, s.centre, EDGE, EDGE) for s in spots]
        views = [v for v in read_cubes(image, looks) if v.cube > 0.1]
        again = read_cubes(image, [look_at(table, v.centre, EDGE, v.edge / _edge_px(table, v.centre) * EDGE) for v in views])
        both = [(_mean(v, w), s.score) for v, w, s in zip(views, again, spots, strict=False)]
        both = [(v, s) for v, s in both if v.cube >= POSSIBLE_CUBE]
        if not both:
            return None, ()
        view = max(both, key=lambda b: b[0].cube * b[1])[0]
        centre = (round(view.centre[0], 1), round(view.centre[1], 1))
        number, sure = NUMBERS[int(np.argmax(view.numbers))], max(view.numbers)
        cube, clear = placed(view, number, table)
        doubts = []
        if view.cube < SURE_CUBE:
            doubts.append(SeenDoubt(About.CUBE, "presence", "this may be the cube", centre=centre))
        if sure < SURE_NUMBER:
            best = np.argsort(view.numbers)[::-1][:2]
            likely = (NUMBERS[int(best[0])], NUMBERS[int(best[1])])
            doubts.append(SeenDoubt(About.CUBE, "value", f"{likely[0]} or {likely[1]}", centre=centre, values=likely))
        if not clear:
            doubts.append(SeenDoubt(About.CUBE, "owner", "it lies between the players' sides", centre=centre))
        return cube, tuple(doubts)


def placed(view: CubeView, number: int, table: Table) -> tuple[SeenCube, bool]:
    """Owner or offer by where the cube lies, and whether that is clear.

    In the middle along the sides it is nobody's, nearer a player it is his; 64 is the number it shows before the first
    double. On the field of one half it is an offer to the
    seat whose right-hand half the other one is: a double is offered before the roll, the taker reaches it with his right hand.
    """
    m = table.measures
    field = table.camera.on_plane(np.array(view.centre), EDGE)
    x, y = float(field[0]), float(field[1])
    inside = abs(x) > m.bar / 2 + 0.35 * EDGE and abs(x) < m.inner[0] / 2 - 0.35 * EDGE and abs(y) < m.inner[1] / 2 - 0.35 * EDGE
    if inside:
        bx = float(table.camera.on_plane(np.array(view.centre), EDGE + m.bar_height)[0])
        inside = abs(bx) > m.bar / 2
    if inside:
        to = Seat.NEAR if x > 0 else Seat.FAR
        return SeenCube(number, None, to), number != 64
    share = y / (m.inner[1] / 2)
    if number == 64 and abs(share) < 0.7:  # checkers on the bar push it out of the middle
        return SeenCube(1, None), abs(share) < 0.55
    if abs(share) < 0.3:
        return SeenCube(1 if number == 64 else number, None), False
    return SeenCube(number, Seat.NEAR if share < 0 else Seat.FAR), abs(share) > 0.45 and number != 64


def _edge_px(table: Table, centre: tuple[float, float]) -> float:
    return look_at(table, centre, EDGE, EDGE).edge


def _mean(v: CubeView, w: CubeView) -> CubeView:
    numbers = tuple(math.sqrt(a * b) for a, b in zip(v.numbers, w.numbers, strict=True))
    total = sum(numbers)
    return CubeView((v.cube + w.cube) / 2, tuple(n / total for n in numbers), w.centre, w.edge)
