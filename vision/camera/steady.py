"""What is seen now, as it would be seen from where the camera was: a stand that trembles, or a lens that looks for its focus, moves the
whole picture by a little, and nothing on the board.

The shift, turn and magnification between two pictures follow from least squares on their differences (B. D. Lucas and T. Kanade,
“An iterative image registration technique with an application to stereo vision”, 1981). What moved by itself differs most, and counts
least.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Smooth = NDArray[Any]
"""float32 (height, width), grey levels; no edge is sharper than two pixels."""

LEAST, MOST = 0.03, 1.0  # px by which the picture moved where it did most: with less the camera stands, with more the board is elsewhere
EACH = 2  # of so many rows and columns one is looked at
DIFFERENT = 8.0  # grey levels: what differs by so much, once the camera's movement is taken out, counts half
FAR = 100.0  # px: what a turn or a magnification does there is about as much as a shift does


def steadied(now: Smooth, then: Smooth) -> Smooth | None:
    """The picture that is seen ``now``, moved as a whole to where it was ``then``; None where a part of it would move by more than `MOST`,
    or none does, or nothing tells how."""
    height, width = now.shape
    some = np.s_[EACH:-EACH:EACH, EACH:-EACH:EACH]
    right, down = (cv2.Scharr(then, cv2.CV_32F, *axis)[some] / 32 for axis in ((1, 0), (0, 1)))
    x, y = ((np.arange(size, dtype=np.float32)[EACH:-EACH:EACH] - np.float32(size / 2)) / np.float32(FAR) for size in (width, height))
    x, y = x[None], y[:, None]
    does = np.stack([d.ravel() for d in (-right, -down, right * y - down * x, -(right * x + down * y))])
    moved, there = np.eye(3), now
    for way in (cv2.INTER_LINEAR, cv2.INTER_CUBIC):
        short = (then - there)[some].ravel()
        counts = does / (1 + (short / np.float32(DIFFERENT)) ** 2)
        try:
            across, along, turn, larger = np.linalg.solve(counts @ does.T, counts @ short) / (1, 1, FAR, FAR)
        except np.linalg.LinAlgError:
            return None
        moved = _about((width / 2, height / 2), across, along, turn, larger) @ moved
        there = cv2.warpAffine(now, moved[:2], (width, height), flags=way, borderMode=cv2.BORDER_REPLICATE)
    corners = np.array(((0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1))).T
    return there if LEAST <= np.hypot(*(moved @ corners - corners)[:2]).max() <= MOST else None


def _about(middle: tuple[float, float], across: float, along: float, turn: float, larger: float) -> NDArray[np.float64]:
    """A small movement (3, 3) of homogeneous px: by ``turn`` radians and 1 + ``larger`` times about ``middle``, then shifted."""
    x, y = middle
    return np.array(((1 + larger, -turn, across + turn * y - larger * x), (turn, 1 + larger, along - turn * x - larger * y), (0, 0, 1)))
