"""Light: dim rooms, and how it has changed since set-up: lamps warm up, the sun goes, cameras change their exposure and white balance."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Means = NDArray[np.float64]

DARK, BURNT = 16.0, 245.0  # grey levels: below and above, a block tells nothing of the light
SAME = 0.1  # log ratio by which a block may differ from the median and still tell of the light
ENOUGH = 0.3  # share of the blocks that must
STEADY = 0.03  # log ratio: a change of light less than this is none
MOST = 1.1  # log ratio: a greater change is not made good

SLOPES = 0.4, 2.5  # of a tone curve's logarithm; steeper or flatter, it is none
BETTER = 0.1  # share of the blocks that must agree with it and do not with a mere gain
ROUNDS = 8  # of weighing blocks by how far they are from the curve

LIT = 150.0  # grey levels that one pixel of twenty has in a picture that needs no more light
FAINTEST = 8.0  # times as bright at most: beyond, noise is all there is
EVERY = 8  # px between those that are looked at


def well_lit(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) BGR, made brighter where it was taken in a dim room: the readers learned from pictures that show enough."""
    bright = float(np.percentile(image[::EVERY, ::EVERY].max(2), 95))
    if bright >= LIT:
        return image
    return brightened(image, np.full(3, min(FAINTEST, LIT / max(bright, 1.0))))


def change_of_light(now: Means, was: Means) -> NDArray[np.float64] | None:
    """How many times brighter (b, g, r) the table was than it is, by its blocks (n, 3) BGR ``now`` and as they were, as most of them tell,
    on which nothing has been moved; None where it is as bright as it was, or where too few agree."""
    clear = telling(now, was)
    if not clear.any():
        return None
    ratio = np.log(was[clear] / now[clear])
    near = (np.abs(ratio - np.median(ratio, axis=0)) < SAME).all(1)
    if near.sum() < ENOUGH * len(now):
        return None
    change = ratio[near].mean(0)
    return np.exp(change) if STEADY < np.abs(change).max() < MOST else None


def telling(now: Means, was: Means) -> NDArray[np.bool_]:
    """Which of the blocks (..., 3) are and were neither dark nor burnt."""
    return np.asarray(((np.minimum(now, was) > DARK) & (np.maximum(now, was) < BURNT)).all(-1))


def change_of_tone(now: Means, was: Means) -> NDArray[np.uint8] | None:
    """Levels (256, 3) BGR that a picture has now, as they were at set-up, where the camera renders dark and bright otherwise than it did
    (contrast, gamma, light behind), by blocks (n, 3) of the board ``now`` and as they were; None where it does not, or too few agree.

    The camera bends all channels alike after it has balanced them: the logarithm is a parabola, of which only the height is each channel's
    own. Whatever was moved since is far off it, and counts little (iteratively reweighted least squares).
    """
    clear = telling(now, was)
    if clear.sum() < ENOUGH * len(now):
        return None
    seen, old = np.log(now[clear]), np.log(was[clear])
    gain, middle = np.median(old - seen, axis=0), float(np.median(seen))
    at = seen - middle
    heights, slope, bend = _parabola(at, old, gain + middle)
    ends = np.percentile(at, [2, 98])
    slopes = slope + 2 * bend * ends
    told, plain = (float((np.abs(old - x) < SAME).all(1).mean()) for x in (heights + slope * at + bend * at**2, seen + gain))
    if slopes.min() < SLOPES[0] or slopes.max() > SLOPES[1] or told < ENOUGH or told < plain + BETTER:
        return None
    levels = np.log(np.maximum(np.arange(256), 1))[:, None] - middle
    known = np.clip(levels, *ends)  # past what the board tells it goes on as a mere gain
    return np.asarray(np.clip(np.exp(heights + slope * known + bend * known**2 + levels - known), 0, 255).round(), np.uint8)


def _parabola(at: Means, old: Means, heights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, float]:
    """Heights (3,), slope and bend of the parabolas that most of the blocks follow from ``at`` to ``old`` (n, 3), which differ in height
    alone; sought from straight lines of slope one at the ``heights``."""
    own = np.broadcast_to(np.eye(3), (len(at), 3, 3))  # [block, channel]: which channel's height counts
    terms = np.concatenate([own, at[..., None], at[..., None] ** 2], 2).reshape(-1, 5)
    fit = np.array([*heights, 1.0, 0.0])
    for _ in range(ROUNDS):
        off = (old - (terms @ fit).reshape(-1, 3)) / SAME
        weights = (1 / (1 + (off**2).max(1)) ** 2).repeat(3)[:, None]
        fit = np.linalg.lstsq(terms.T @ (weights * terms), terms.T @ (weights[:, 0] * old.ravel()), rcond=None)[0]
    return fit[:3], float(fit[3]), float(fit[4])


def brightened(image: NDArray[Any], times: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) BGR so many ``times`` (b, g, r) as bright."""
    levels = np.clip(np.arange(256)[:, None] * times, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels[None]), np.uint8)
