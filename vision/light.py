"""Light: dim rooms, and how it has changed since set-up: lamps warm up, the sun goes, cameras change their exposure and white balance."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers_strips import Image, block_means

DARK, BURNT = 16.0, 245.0  # grey levels: below and above, a block tells nothing of the light
SAME = 0.1  # log ratio by which a block may differ from the median and still tell of the light
ENOUGH = 0.3  # share of the blocks that must
STEADY = 0.03  # log ratio: a change of light less than this is none
MOST = 1.1  # log ratio: a greater change is not made good

LIT = 150.0  # grey levels that one pixel of twenty has in a picture that needs no more light
FAINTEST = 8.0  # times as bright at most: beyond, noise is all there is
EVERY = 8  # px between those that are looked at


def well_lit(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) BGR, made brighter where it was taken in a dim room: the readers learned from pictures that show enough."""
    bright = float(np.percentile(image[::EVERY, ::EVERY].max(2), 95))
    if bright >= LIT:
        return image
    return brightened(image, np.full(3, min(FAINTEST, LIT / max(bright, 1.0))))


def change_of_light(now: Image, start: Image) -> NDArray[np.float64] | None:
    """How many times brighter (b, g, r) the table was in the strips ``start`` (n, length, width, 3) than it is in ``now``, as most blocks
    of the board tell, on which nothing has been moved; None where it is as bright as it was, or where too few agree."""
    seen, was = (block_means(strips).reshape(-1, 3).astype(np.float64) for strips in (now, start))
    clear = ((np.minimum(seen, was) > DARK) & (np.maximum(seen, was) < BURNT)).all(1)
    if not clear.any():
        return None
    ratio = np.log(was[clear] / seen[clear])
    near = (np.abs(ratio - np.median(ratio, axis=0)) < SAME).all(1)
    if near.sum() < ENOUGH * len(seen):
        return None
    change = ratio[near].mean(0)
    return np.exp(change) if STEADY < np.abs(change).max() < MOST else None


def brightened(image: NDArray[Any], times: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) BGR so many ``times`` (b, g, r) as bright."""
    levels = np.clip(np.arange(256)[:, None] * times, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels[None]), np.uint8)
