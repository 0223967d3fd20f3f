"""The sides of a die, which a camera that looks aslant sees too: one may be read for another die, or for a top face that a lamp has burnt
out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import About, DieState, SeenDie, SeenDoubt
from vision.dice.crops import Look
from vision.dice.net import DieView
from vision.light import BURNT
from vision.table import Table

FACING = np.radians(np.linspace(-50, 50, 11))  # how far a side may be turned from the camera and be read
AT_A_SIDE, ASLANT = 0.2, 0.5  # edges from the middle of such a side, and how likely it seems to be tilted: of 2,600 rendered dice nine lie
# so near where another shows a side, all flat and plainly so (0.02); sides that were read for dice there seem tilted by 0.76 or more
STEEP = 58.0  # degrees: from higher up a side is seen too narrow to be read
REACH = 0.25  # edges about a place that are looked at
ABOVE = 0.6, 0.8  # edges up from the middle of a side: there the top face is seen
WHITE, CLEAR = 0.55, 0.3  # share that is burnt out there at least, and of the face that was read at most. Of 979 rendered dice that were
# called flat or cocked five are so, of all of which a side was read, of most without a doubt
FACE, WHITE_FACE = 0.4, 0.5  # edges from the middle of a top face to a corner of what is looked at, and share of it that is burnt out where
# its pips may be: so are 4 of 27 rendered dice whose value is in doubt


def is_a_side(v: DieView, views: Sequence[DieView], table: Table) -> bool:
    """Whether what a view shows, and does not seem to lie flat, is a side of a die of the ``views``: it lies just there, where no die has
    its own top."""
    return v.tilted > ASLANT and any(_off_a_side(v.centre, w, table) < AT_A_SIDE for w in views)


def _off_a_side(px: tuple[float, float], w: DieView, table: Table) -> float:
    """How far, in edges, ``px`` is from the middle of the nearest side that the die of a view, lying flat on the field, may show."""
    half = table.measures.die / 2
    x, y = table.camera.spot(w.centre, 2 * half)
    towards = np.arctan2(*(table.camera.eye[1::-1] - (y, x))) + FACING
    sides = np.column_stack([x + half * np.cos(towards), y + half * np.sin(towards), np.full(len(towards), half)])
    return float(np.linalg.norm(table.camera.project(sides) - px, axis=1).min()) / w.edge


def may_be_a_side(image: NDArray[np.uint8], look: Look) -> bool:
    """Whether over the face that was read in ``image`` (BGR) at a ``look`` everything is burnt out, as it is where that is a side."""
    if look.elevation is None or look.elevation >= STEEP:
        return False
    up = np.linalg.solve(look.upright(False), (0.0, -look.edge))
    side = 2 * max(1, round(REACH * look.edge)) + 1

    def burnt(edges: float) -> float:
        x, y = look.centre + edges * up
        return _burnt(image, (float(x), float(y)), side)

    return burnt(0.0) <= CLEAR and max(map(burnt, ABOVE)) >= WHITE


def top_burnt_out(image: NDArray[np.uint8], centre: tuple[float, float], edge: float) -> bool:
    """Whether the top face of ``edge`` px about ``centre`` in ``image`` (BGR) is burnt out itself, pips and all."""
    return _burnt(image, centre, 2 * max(1, round(FACE * edge / 2**0.5)) + 1) >= WHITE_FACE


def _burnt(image: NDArray[np.uint8], centre: tuple[float, float], side: int) -> float:
    """The share that is burnt out of the square of ``side`` px about ``centre``."""
    return float((cv2.cvtColor(cv2.getRectSubPix(image, (side, side), centre), cv2.COLOR_BGR2GRAY) >= BURNT).mean())


def burnt_out(centre: tuple[float, float]) -> SeenDoubt:
    """Why the value of a die at ``centre`` is in doubt, for who can do something about it."""
    return SeenDoubt(About.DIE, "burnt_out", "the light burns its top face out", centre=centre)


def side_doubts(die: SeenDie) -> tuple[SeenDoubt, ...]:
    """What is in doubt about a ``die`` of which a side may have been read: one that seems to lie flat shows that or one of the faces next
    to it, and one that seems to be cocked may lie flat."""
    text = "its top face may be burnt out, and this a side"
    if die.state is DieState.COCKED:
        return (SeenDoubt(About.DIE, "state", text, centre=die.centre),)
    if die.state is not DieState.FLAT or die.value is None:
        return ()
    values = (die.value, *(v for v in range(1, 7) if v not in (die.value, 7 - die.value)))
    return (SeenDoubt(About.DIE, "value", text, centre=die.centre, values=values),)
