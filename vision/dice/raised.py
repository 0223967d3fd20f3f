"""Where checkers stand that were read: what a die may lean on, stand on, or be hemmed in by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.observations import SeenDoubt, SeenPosition
from vision.table import Table

HOLE = 0.85  # die widths within which three checkers lie of a hole between them: none of 597 labelled flat dice has three within 1.1
OPPOSITE, WEDGED = -0.42, 0.6  # cosine of 115 degrees: two things on either side of a place; die widths that they leave free there, less
# than which no die lies between them: of 492 flat dice one has less than 1.2 (0.7), of thirteen that stand on two checkers, or on one and
# the bar, none more than 0.6
IN_A_ROW = 6  # checkers of a point that may lie side by side


@dataclass(frozen=True, eq=False)
class Raised:
    """Where checkers stand or may stand: ``centres`` (n, 2) cm in the board frame."""

    table: Table
    centres: NDArray[np.float64]

    def gap(self, centre: tuple[float, float], others: Sequence[tuple[float, float]] = ()) -> float:
        """Die widths from a flat die's centre (px of its top face) to the nearest raised thing; ``others`` (px): other dice."""
        m = self.table.measures
        at = self.table.camera.spot(centre, m.die)
        gaps = [float(self._about(centre)[1].min())]
        for other in others:
            gaps.append(math.dist(at, self.table.camera.spot(other, m.die)) - m.die / 2)
        return min(gaps) / m.die

    def wedged(self, centre: tuple[float, float]) -> bool:
        """Whether a flat die (px of its top face) would have no room between two raised things on either side of it: it stands on them."""
        ways, gaps = self._about(centre)
        return bool(((gaps[:, None] + gaps)[ways @ ways.T < OPPOSITE] < WEDGED * self.table.measures.die).any())

    def upon(self, centre: tuple[float, float]) -> float:
        """Checker radii from the middle of a die (px of its top face), if it stood on a checker, to the nearest checker's middle."""
        m = self.table.measures
        return float(self._away(centre, m.checker_height + m.die).min(initial=np.inf)) / (m.checker / 2)

    def hole(self, centre: tuple[float, float]) -> bool:
        """Whether a place (px of a flat die's top face) is hemmed in by three checkers: what shows between them may look like a die."""
        m = self.table.measures
        gaps = self._away(centre, m.die) - m.checker / 2
        return bool((gaps > 0).all() and (gaps < HOLE * m.die).sum() >= 3)

    def covers(self, centre: tuple[float, float]) -> bool:
        """Whether a checker stands at a place (px of a checker's top): what looks like a die there may be an inlay or a glint."""
        m = self.table.measures
        return bool((self._away(centre, m.checker_height) < m.checker / 2).any())

    def _about(self, centre: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Rails, bar and checkers about a flat die (px of its top face): the way to each, (n, 2), and how far off its edge is, (n,) cm."""
        m = self.table.measures
        x, y = self.table.camera.spot(centre, m.die)
        walls = np.array([(math.copysign(1, x), 0.0), (0.0, math.copysign(1, y)), (-math.copysign(1, x), 0.0)])
        to_walls = m.inner[0] / 2 - abs(x), m.base + m.rails[0] - abs(y), abs(x) - m.bar / 2
        away = self._away(centre, m.die)
        ways = (self.centres - (x, y)) / np.maximum(away, 1e-9)[:, None]
        return np.concatenate([walls, ways]), np.concatenate([to_walls, away - m.checker / 2])

    def _away(self, centre: tuple[float, float], height: float) -> NDArray[np.float64]:
        """How far (cm) each checker's middle is from what is seen at a place (px), if that is so ``height`` cm above the field."""
        return np.asarray(np.hypot(*(self.centres - self.table.camera.spot(centre, height)).T), np.float64)


def raised(table: Table, position: SeenPosition, doubts: tuple[SeenDoubt, ...]) -> Raised:
    """The checkers of a reading, as many as its doubts leave possible; a point that is not seen may be full."""
    most = [abs(n) for n in position.points]
    for doubt in doubts:
        if doubt.point is not None:
            full = IN_A_ROW if doubt.code == "hidden" else max((abs(v) for v in doubt.values), default=0)
            most[doubt.point - 1] = max(most[doubt.point - 1], full)
    spots = [table.checker_centre(p, i)[:2] for p, n in enumerate(most, 1) for i in range(min(n, IN_A_ROW))]
    return Raised(table, np.array(spots, np.float64).reshape(-1, 2))
