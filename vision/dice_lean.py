"""What a die could lean or stand on: one that lies far from checkers, bar, rails and other dice cannot be cocked, nor be on a checker.

Of the labelled cocked dice none has its centre further than 1.06 die widths from the nearest raised thing; three flat dice of four have.
Of those on a checker none has it further out than 0.3 die widths within the checker's edge, of 263 flat ones none that far in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from referee.observations import SeenDoubt, SeenPosition
from vision.dice_read import DieView
from vision.table import Table

LEANS, ALONE = 1.05, 1.8  # die widths from a die's centre to the nearest raised thing: it may lean, it cannot
OF_LOOKS, OF_LEAN, RARER = 0.5, 0.45, 0.8  # what the looks at a die and the net that sees what it leans on count, and log odds against a
# tilt, which both were shown oftener than it is thrown
AGAINST = 4.0  # log odds against a tilt of a die that can lean on nothing; it could still lie on a crumb
OVER, BESIDE = -0.2, 0.6  # die widths: it must stand on something, it must lie beside it
WITHIN = -0.1  # die widths: nearer than this no die lies on the field, and what looks flat there is doubted
UPON, HINT = 1.25, 0.08  # checker radii, and probability of one under it: a die whose middle would be that near a checker's if it stood on
# one, and that shows so much of one, is in doubt. So are all but two of 64 dice on checkers, and none of 330 flat ones
ON_ONE, TOO_NEAR = 1.05, 0.15  # checker radii and die widths: what would stand that near a checker's middle, and has so little room to lie
# beside it: all of 20 dice on checkers, and 3 of 122 flat ones with one near
RIM_POSSIBLE, RIM_HINT = 0.4, 0.2  # how much of a rim about a die leaves it no sure flat one, and about such a die: those 20 had no less
STANDS, LIES = 2.5, 1.5  # log odds for and against a checker under it
CLEAR = 0.75  # die widths: from here on nothing raised is near
OPEN = 1.3  # log odds for a die on the bare field: of 29 unsure places there, all of 26 that were a die by 0.6 or more were one
SIZE = 1.5  # by so much a die of the board's usual size may look larger or smaller
FOR = 0.6  # log odds for a tilt of a die that touches something: of those every other one is cocked
LEVEL = 1.4  # log odds against a tilt in a tray: nothing stands there, and the net was shown leaning dice more often than they are thrown
LEGIBLE, LEGIBLE_BESIDE = 11.0, 14.0  # px: of a die less wide nobody can tell how it lies; of one with something beside it,
BY_IT = 1.3  # which is nearer than this (die widths: where a small die's middle is seen is less exact)
HOLE = 0.85  # die widths within which three checkers lie of a hole between them: none of 597 labelled flat dice has three within 1.1
LEVEL_AT_MOST, LEVEL_AT_MOST_SMALL, SMALL = 0.35, 0.22, 20.0  # probability of a tilt up to which a die lies flat without a doubt; of one
# that touches something and is less wide than this (px): there a lean of 10 degrees is hardly seen
SURE_COCKED, NEVER = 0.93, 1.1  # the probability from which it is cocked without a doubt; of one by which nothing is to lean on, none
IN_A_ROW = 6  # checkers of a point that may lie side by side


@dataclass(frozen=True, eq=False)
class Raised:
    """Where checkers stand or may stand: ``centres`` (n, 2) cm in the board frame."""

    table: Table
    centres: NDArray[np.float64]

    def gap(self, centre: tuple[float, float], others: list[tuple[float, float]]) -> float:
        """Die widths from a flat die's centre (px of its top face) to the nearest raised thing; ``others`` (px): other dice."""
        m = self.table.measures
        x, y = (float(c) for c in self.table.camera.on_plane(np.array(centre), m.die))
        gaps = [m.inner[0] / 2 - abs(x), m.inner[1] / 2 - abs(y), abs(x) - m.bar / 2]
        if len(self.centres):
            gaps.append(float(np.hypot(*(self.centres - (x, y)).T).min()) - m.checker / 2)
        for other in others:
            u, v = (float(c) for c in self.table.camera.on_plane(np.array(other), m.die))
            gaps.append(math.hypot(x - u, y - v) - m.die / 2)
        return min(gaps) / m.die

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

    def _away(self, centre: tuple[float, float], height: float) -> NDArray[np.float64]:
        """How far (cm) each checker's middle is from what is seen at a place (px), if that is so ``height`` cm above the field."""
        at = self.table.camera.on_plane(np.array(centre), height)
        return np.asarray(np.hypot(*(self.centres - at[:2]).T), np.float64)


def raised(table: Table, position: SeenPosition, doubts: tuple[SeenDoubt, ...]) -> Raised:
    """The checkers of a reading, as many as its doubts leave possible; a point that is not seen may be full."""
    most = [abs(n) for n in position.points]
    for doubt in doubts:
        if doubt.point is not None:
            full = IN_A_ROW if doubt.code == "hidden" else max((abs(v) for v in doubt.values), default=0)
            most[doubt.point - 1] = max(most[doubt.point - 1], full)
    spots = [table.checker_centre(p, i)[:2] for p, n in enumerate(most, 1) for i in range(min(n, IN_A_ROW))]
    return Raised(table, np.array(spots, np.float64).reshape(-1, 2))


def at_set_up(table: Table) -> NDArray[np.float64]:
    """Where the checkers of the starting position stand, (30, 2) cm in the board frame."""
    return raised(table, SeenPosition(START.points, START.bar), ()).centres


def present(v: DieView, gap: float, usual: float) -> float:
    """The probability that a view shows a die, given the ``gap``; ``usual`` (px): the edge of this board's dice there."""
    return _weighed(v.die, OPEN if gap >= CLEAR and 1 / SIZE < v.edge / usual < SIZE else 0.0)


def by_both(tilted: float, leans: float) -> float:
    """The probability of a tilt by the looks at a die (``tilted``) and by what is seen of it and of what it leans on (``leans``)."""
    return _weighed(0.5, OF_LOOKS * _log_odds(tilted) + OF_LEAN * _log_odds(leans) - RARER)


def leaning(v: DieView, gap: float, in_tray: bool = False) -> float:
    """The probability that the die of a view is tilted, given the ``gap`` to what it could lean on. What the picture shows of a
    checker beside it counts more than where checkers were read."""
    if in_tray:
        return _weighed(v.tilted, -LEVEL)
    alone = min(1.0, max(0.0, (gap - LEANS) / (ALONE - LEANS))) * (1 - max(v.by_checker, v.support[1]))
    return _weighed(v.tilted, FOR if gap < LEANS else -AGAINST * alone)


@dataclass(frozen=True, slots=True)
class Flat:
    """What it takes to be sure that a die lies flat: how wide it is at least (px), how probable a tilt and how much of a checker's
    ``rim`` is about it at most; and that it does not: how probable one is at least (``cocked``). ``room``: it has room to lie there; else
    it may be a glint on what stands there."""

    edge: float = LEGIBLE
    tilted: float = LEVEL_AT_MOST
    cocked: float = SURE_COCKED
    rim: float = RIM_POSSIBLE
    room: bool = True


def sure_flat(v: DieView, gap: float, in_tray: bool, upon: float = math.inf) -> Flat:
    """What it takes for the die of a view, given the ``gap`` to what it could lean on, and `Raised.upon` of it."""
    if in_tray:
        return Flat()
    if gap < WITHIN or (upon < UPON and v.support[1] > HINT):
        return Flat(tilted=0.0, room=gap >= TOO_NEAR)
    edge = LEGIBLE_BESIDE if gap < BY_IT else LEGIBLE
    tilted = LEVEL_AT_MOST_SMALL if gap < LEANS and v.edge < SMALL else LEVEL_AT_MOST
    rim = RIM_HINT if gap < TOO_NEAR and upon < ON_ONE else RIM_POSSIBLE
    return Flat(edge, tilted, NEVER if gap >= BY_IT else SURE_COCKED, rim, gap >= TOO_NEAR)


def standing(v: DieView, gap: float) -> tuple[float, float, float]:
    """What the die of a view stands on (field, checker, bar or rail), given the same ``gap``."""
    field, checker, rail = v.support
    now = _weighed(checker, STANDS if gap < OVER else -LIES if gap > BESIDE else 0.0)
    share = (1 - now) / max(1e-9, field + rail)
    return field * share, now, rail * share


def _log_odds(probability: float) -> float:
    return math.log(max(1e-9, probability) / max(1e-9, 1 - probability))


def _weighed(probability: float, log_odds: float) -> float:
    """``probability`` with what else is known, as ``log_odds`` for it."""
    odds = probability / max(1e-9, 1 - probability) * math.exp(log_odds)
    return odds / (1 + odds)
