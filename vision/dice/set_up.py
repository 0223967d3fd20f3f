"""Whether what was taken for a die was there already when the table was set up: hinges, rails, the tips of points, ornaments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.colours import standing
from vision.dice.before import Before, Point, alike, moved
from vision.dice.find import Spot, board_finder
from vision.dice.looks import CLOSER
from vision.dice.net import DieView
from vision.dice.support import rim_score
from vision.dice.views import CLEAR_DIE, SURE_DIE, sureness, top_of
from vision.table import Table, point_at

UNCHANGED, LITTLE_CHANGED, HARDLY_CHANGED = 0.9, 0.84, 0.7  # likeness to the set-up picture from which a place is not looked at, and which
# rules a die out that shows no value as clear as `CLEAR_DIE`, and one that is unsure by itself. Of 799 labelled dice none is liker than
# 0.82, of 30 other things taken for dice five are
UNCHANGED_CLEAR = 0.95  # what rules out one that is clear: grey dice
# where black meets white are as like as 0.9, by that edge
UNCHANGED_BAR = 0.78  # the same of one by the bar: of 76 dice there none was liker than 0.75, of hinges taken for dice none less than 0.81
ORNAMENT = 0.8  # share of a rim seen about a die that set-up showed already, from which the rim is an ornament's
ORNAMENT_OF_POINTS = 0.93  # likeness of a place that a checker hid at set-up to its like at other points: 242 of 243 dice have less than
# 0.8 and one, 8 px wide, 0.91, the rings of two boards 0.96 and more
BESIDE = 0.9, 2.0  # edges between the middles of a die and of an ornament that it hides or shades in part
OF_CUBE = 1.5, 2.0  # a cube's edges in edges of a die: without the side that one may see of it and its shadow, and with them
A_CUBE, HIDDEN = 0.45, 2.0  # the finder's score of a cube; edges of a die that it, or the side one sees of it, reaches into a die's place


class AtSetUp:
    """What lay on and about the board of ``table`` in the set-up picture ``start`` (BGR uint8). What has not changed since is no die."""

    def __init__(self, table: Table, start: NDArray[np.uint8]) -> None:
        self._table, self._before = table, Before(start)

    @cached_property
    def _stood(self) -> NDArray[np.float64]:
        """Where checkers stood, (30, 2) cm."""
        return np.array([self._table.checker_centre(p, i)[:2] for p, i, _ in standing(START)])

    @cached_property
    def _cubes(self) -> tuple[Spot, ...]:
        return board_finder(self._table).find(self._before.picture).cubes

    def unchanged(self, image: NDArray[np.uint8], centre: Point, edge: float) -> bool:
        """Whether a place (px) in ``image`` (BGR uint8) where a die would be ``edge`` px wide looks just as it did."""
        return self._before.same(image, centre, edge) >= UNCHANGED

    def shows(self, image: NDArray[np.uint8], v: DieView, others: Sequence[DieView] = (), cubes: Sequence[Spot] = ()) -> bool:
        """Whether what a view of ``image`` shows was there: its place looks as it did; or where a checker hid it, as other points did; or
        as far as what may lie beside it, of ``others`` and ``cubes``, leaves it in sight, and enough pixels are left: an ornament that a
        die has fallen on, a hinge that the cube lies on. Where the cube hid it, and lies no more, there is nothing to compare with: only a
        clear die is one."""
        most = self._may_look_alike(v)
        return (
            (self._by_the_bar(v) and sureness(v) < CLEAR_DIE and hides(self._cubes, v.centre) and not hides(cubes, v.centre))
            or self._before.same(image, v.centre, v.edge) >= most
            or self.elsewhere(image, v.centre, v.edge) >= ORNAMENT_OF_POINTS
            or (v.edge >= CLOSER and any(self._before.same(image, v.centre, v.edge, it) >= most for it in _beside(v, others, cubes)))
        )

    def _may_look_alike(self, v: DieView) -> float:
        """How like the set-up picture the place of a view may be at most. Over and by the bar are hinges and clasps."""
        if v.die < SURE_DIE:
            return HARDLY_CHANGED
        if self._by_the_bar(v):
            return UNCHANGED_BAR
        return UNCHANGED_CLEAR if sureness(v) >= CLEAR_DIE else LITTLE_CHANGED

    def _by_the_bar(self, v: DieView) -> bool:
        """Whether a view shows what lies on the bar or just beside it."""
        m = self._table.measures
        return abs(self._table.camera.spot(v.centre, m.bar_height)[0]) < (m.bar + m.die) / 2

    def elsewhere(self, image: NDArray[np.uint8], centre: Point, edge: float) -> float:
        """How like a place that a checker of the starting position hid is to its like at the other points of that side and colour, as far
        as they were bare: what adorns a point's tip adorns all. 0 where there is nothing to compare with."""
        table, m = self._table, self._table.measures
        x, y = here = table.camera.spot(centre, 0.0)
        columns = [table.point_base(point_at(column, 1 if y < 0 else -1))[0] for column in range(12)]
        own = min(range(12), key=lambda i: abs(columns[i] - x))
        if self._bare(here) or abs(columns[own] - x) > m.pitch:
            return 0.0
        places = [(x + columns[i] - columns[own], y) for i in range(own % 2, 12, 2) if i != own]
        pictures = (moved(self._before.picture, table, here, place) for place in places if self._bare(place))
        return max((alike(was_of, image, centre, edge) for was_of in pictures), default=0.0)

    def _bare(self, at: Point) -> bool:
        """Whether no checker stood so near a place (cm) that it hid some of it."""
        return self._to_a_checker(at) > self._table.measures.checker / 2 + self._table.measures.die

    def _to_a_checker(self, at: Point) -> float:
        """How far (cm) the middle of the nearest checker was from a place."""
        return float(np.hypot(*(self._stood - at).T).min())

    def shows_rim(self, v: DieView, rim: float) -> bool:
        """Whether as much of a checker's ``rim`` as is seen about the die of a view was seen there though no checker stood near: an
        ornament's."""
        free = self._to_a_checker(top_of(v, self._table)) > self._table.measures.checker
        return free and rim_score(self._before.picture, v.centre, self._table) > ORNAMENT * rim


def hides(cubes: Iterable[Spot], centre: Point) -> bool:
    """Whether one of ``cubes``, as the finder sees them, lies over ``centre`` (px) or so near that it hides some of a die's place."""
    return any(spot.score >= A_CUBE and math.dist(spot.centre, centre) < HIDDEN * spot.edge for spot in cubes)


def _beside(v: DieView, others: Sequence[DieView], cubes: Sequence[Spot]) -> Iterator[tuple[Point, float]]:
    """The middle and edge (px) of each thing that may lie on what a view shows, and leave some of it in sight."""
    things = [*((w.centre, v.edge) for w in others), *((s.centre, k * s.edge) for s in cubes if s.score >= A_CUBE for k in OF_CUBE)]
    return (it for it in things if BESIDE[0] < math.dist(v.centre, it[0]) / v.edge < BESIDE[1] * it[1] / v.edge)
