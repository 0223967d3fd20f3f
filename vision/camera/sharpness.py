"""Whether a camera has gone out of focus: how sharp a picture is beside an earlier one of the same scene.

How sharp a picture looks says more of what is in it than of the lens. So it is compared part by part with one of before, and only where
both show the same: there it is the lens alone that takes fine edges away and leaves the coarse ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image
from vision.table import Table

LONG_SIDE = 640  # px of the pictures that are compared
TILE = 32  # px of their parts
FINE, COARSE = 1.0, (2.0, 5.0)  # px: what is finer than the one is an edge's sharpness; between the others is what it is an edge of
MARKED = 20.0  # grey levels, squared: of the coarse in a part; fainter edges are noise
ALIKE = 0.8  # correlation of the coarse in two pictures of the same thing
PLAIN = 10  # per cent of the parts that have least in them: what is fine there is noise
ENOUGH = 20  # parts that must show the same

EVERY = 0.1  # s between two looks: so soon a settled scene is read again
SOFT = 0.45  # as sharp as before: less, and dice are missed; what comes and goes on the board leaves 0.65 or more
SOFT_AFTER = 1.0  # s: a lens that looks for its focus, and a video that has yet to catch up with a movement, are done by then
SHARPER = 1.2  # as sharp as before: more, and what was before was out of focus itself
OTHER_AFTER = 5.0  # s of another scene: it is what later pictures are compared with

DIE_PX = 12.0  # of a die in a picture that nothing is known to compare with: it is blurred dice that are not seen
LEAST = 0.25  # of what is coarse in the sharper parts of a board is fine: 123 set-ups in focus have 0.29 or more; 117 of them less when
# out of focus by 0.15 of a die, all but where dice are under 11 px wide; then most dice are overlooked, by 0.1 of a die one in fourteen
SHARPER_PARTS = 75  # per cent of the parts that are less sharp: ornaments and shadows may be soft
TOO_SOFT = "the picture is too blurred to read dice: focus the camera and set up again"

Parts = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Edges:
    """What there is of edges in a picture made small: its ``grey`` and the ``coarse`` (h, w), and by parts the squares of the fine and of
    the coarse."""

    grey: Parts
    coarse: Parts
    fine_power: Parts
    coarse_power: Parts


class Focus:
    """Tells whether a camera's lens has lost its focus; keep one for a stream."""

    def __init__(self) -> None:
        self._then: Edges | None = None
        self._due = -math.inf
        self._same_at = -math.inf  # when last the scene was the one of `_then`
        self._soft_since: float | None = None
        self._lost = False

    def lost(self, image: Image | None, at: float) -> bool:
        """Whether it has by ``at`` seconds, when it sees ``image`` (BGR uint8); None while something moves, which tells nothing."""
        if image is None or at < self._due:
            return self._lost
        self._due = at + EVERY
        now = edges(image)
        share = sharpness(now, self._then) if self._then is not None else None
        if share is None:
            if at - self._same_at >= OTHER_AFTER:
                self._take(now, at)
            return self._lost
        self._same_at = at
        if share > SHARPER:
            self._take(now, at)
        elif share >= SOFT:
            self._soft_since, self._lost = None, False
        else:
            self._soft_since = at if self._soft_since is None else self._soft_since
            self._lost = at - self._soft_since >= SOFT_AFTER
        return self._lost

    @property
    def soft(self) -> bool:
        """Whether the last look was at a softer picture than before: dice that lie on the board are overlooked in it."""
        return self._soft_since is not None

    def _take(self, now: Edges, at: float) -> None:
        """What later pictures are compared with."""
        self._then, self._same_at, self._soft_since, self._lost = now, at, None, False


def too_soft(image: Image, table: Table) -> bool:
    """Whether set-up's picture (BGR uint8) of ``table`` is so far out of focus that dice will be overlooked. There is nothing to compare
    it with, but a board has straight edges and round ones, which are steep where they are sharp."""
    size = image.shape[1], image.shape[0]
    long_side = max(size) * min(1.0, DIE_PX / table.die_px)
    seen = edges(image, long_side)
    parts = parts_within([table.corners()], size, long_side) & (seen.coarse_power > MARKED)
    if np.count_nonzero(parts) < ENOUGH:
        return False
    return float(np.percentile(np.sqrt(seen.fine_power[parts] / seen.coarse_power[parts]), SHARPER_PARTS)) < LEAST


def scale_of(size: tuple[int, int], long_side: float = LONG_SIDE) -> float:
    """How many times as large pictures of ``size`` (width, height) px are compared: smaller where they have more px than ``long_side``."""
    return min(1.0, long_side / max(size))


def edges(image: Image, long_side: float = LONG_SIDE) -> Edges:
    """Of a picture (BGR uint8, any size), made smaller by `scale_of`."""
    height, width = image.shape[:2]
    scale = scale_of((width, height), long_side)
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    grey: Any = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    coarse = cv2.GaussianBlur(grey, (0, 0), COARSE[0]) - cv2.GaussianBlur(grey, (0, 0), COARSE[1])
    fine = grey - cv2.GaussianBlur(grey, (0, 0), FINE)
    power = parts_of(fine * fine)
    return Edges(grey, coarse, np.maximum(power - np.float32(np.percentile(power, PLAIN)), 0), parts_of(coarse * coarse))


def sharpness(now: Edges, then: Edges) -> float | None:
    """How sharp ``now`` is beside ``then``, 1 for alike; None where too little of both is the same thing."""
    if now.coarse.shape != then.coarse.shape:
        return None
    same = (alike(now, then) > ALIKE) & (now.coarse_power > MARKED) & (then.coarse_power > MARKED) & (then.fine_power > 0)
    if np.count_nonzero(same) < ENOUGH:
        return None
    share = (now.fine_power[same] / now.coarse_power[same]) / (then.fine_power[same] / then.coarse_power[same])
    return float(np.sqrt(np.median(share)))


def alike(now: Edges, then: Edges) -> Parts:
    """How alike the coarse is in each part of two pictures of one size, -1..1; 1 where both show the same, in whatever light."""
    return np.asarray(parts_of(now.coarse * then.coarse) / np.sqrt(now.coarse_power * then.coarse_power + 1e-6), np.float32)


def parts_within(outlines: Sequence[NDArray[Any]], size: tuple[int, int], long_side: float) -> NDArray[np.bool_]:
    """Which parts of a picture of this ``size`` (width, height) px lie mostly within the ``outlines``, (n, 2) px each; ``long_side`` as
    in `edges`."""
    scale = scale_of(size, long_side)
    mask = np.zeros((round(size[1] * scale), round(size[0] * scale)), np.float32)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), (1.0,))
    return np.asarray(parts_of(mask) > 0.5)


def parts_of(values: Any) -> Parts:
    """The mean of each part of ``values`` (h, w); what is narrower than a part is one."""
    down, across = (max(1, side // TILE) for side in values.shape)
    return np.asarray(cv2.resize(values[: down * TILE, : across * TILE], (across, down), interpolation=cv2.INTER_AREA), np.float32)
