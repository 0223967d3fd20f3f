"""A die whose top face a lamp has burnt out: what is read may be one of its sides."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import About, DieState, SeenDie, SeenDoubt
from vision.dice_crops import Look
from vision.light import BURNT

STEEP = 58.0  # degrees: from higher up a side is seen too narrow to be read
REACH = 0.25  # edges about a place that are looked at
ABOVE = 0.6, 0.8  # edges up from the middle of a side: there the top face is seen
WHITE, CLEAR = 0.55, 0.3  # share that is burnt out there at least, and of the face that was read at most. Of 979 rendered dice that were
# called flat or cocked five are so, of all of which a side was read, of most without a doubt


def may_be_a_side(image: NDArray[np.uint8], look: Look) -> bool:
    """Whether over the face that was read in ``image`` (BGR) at a ``look`` everything is burnt out, as it is where that is a side."""
    if look.elevation is None or look.elevation >= STEEP:
        return False
    up = np.linalg.solve(look.upright(False), (0.0, -look.edge))
    side = 2 * max(1, round(REACH * look.edge)) + 1

    def burnt(edges: float) -> float:
        x, y = look.centre + edges * up
        return float((cv2.cvtColor(cv2.getRectSubPix(image, (side, side), (x, y)), cv2.COLOR_BGR2GRAY) >= BURNT).mean())

    return burnt(0.0) <= CLEAR and max(map(burnt, ABOVE)) >= WHITE


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
