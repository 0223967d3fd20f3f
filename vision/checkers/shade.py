"""Light that has changed in one part of the board more than in another since set-up: somebody's shadow, a second lamp, the sun.

What is learned of colours at set-up would mislead in a shadow. Where most of what lies about a place has become darker by the same
factor, it is light that has changed there, and is made good; a checker that came or went changes its own place alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import MOST, SAME, Means, telling
from vision.pictures import smaller
from vision.table import Table

STEP = 0.5  # D: side of the blocks of the board that are compared
AROUND = 3.0  # D about a block within which others must tell the same of the light
AGREE = 0.35  # share of them that must: six new checkers about a place are a sixth
ENOUGH = 0.25  # share of the board's blocks that must tell of the light
SPREAD = 1.0  # D over which what the blocks tell is smoothed
FAR, SLIGHT = 4.0, 1e-3  # D over which it is where none is near, and how much that counts elsewhere
EVEN = 0.08  # log ratio (standard deviation over the board): a change that differs less has not changed in parts
COARSE = 16  # px between the places of the picture of which the light is reckoned

Logs = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks (rows, columns) of the playing field of a ``table``, bar included, `STEP` apart: their ``places`` in a picture made as
    small as ``size`` px, in which a block is about a pixel wide, and which of them are ``inside`` it."""

    table: Table
    size: tuple[int, int]
    places: NDArray[np.float32]
    inside: NDArray[np.bool_]

    @staticmethod
    def of(table: Table) -> Blocks:
        """Those of one table."""
        camera, step = table.camera, STEP * table.measures.checker
        x, y = (np.arange(-(side - step) / 2, side / 2, step) for side in table.measures.inner)
        seen = camera.project(np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], -1))
        width = max(1.0, float(np.median(np.linalg.norm(np.diff(seen, axis=1), axis=-1))))
        size = (max(1, round(camera.size[0] / width)), max(1, round(camera.size[1] / width)))
        places = (seen + 0.5) * (np.array(size) / np.array(camera.size)) - 0.5
        inside = (seen >= 0).all(-1) & (seen <= np.array(camera.size) - 1).all(-1)
        return Blocks(table, size, places.astype(np.float32), np.asarray(inside))

    def means(self, image: NDArray[Any]) -> Means:
        """(rows, columns, 3) BGR: of the picture (h, w, 3) of this table."""
        return np.asarray(_at(smaller(image, self.size), self.places), np.float64)


def change_in_parts(now: Means, was: Means, seen: NDArray[np.bool_]) -> Logs | None:
    """By what log ratio (rows, columns, 3) each of the blocks of which ``now`` and ``was`` (rows, columns, 3) are the means was brighter;
    None where the light has changed alike everywhere, or where too little tells of it. ``seen`` (rows, columns): which to regard."""
    clear = seen & telling(now, was)
    ratio = np.log(np.maximum(was, 1) / np.maximum(now, 1)).astype(np.float32)
    agreed = clear & (_agreement(ratio, clear) >= AGREE)
    if agreed.sum() < ENOUGH * seen.sum():
        return None
    change = _smoothed(ratio, agreed.astype(np.float32))
    if float(change[seen].std(0).max()) < EVEN or float(np.abs(change).max()) > MOST:
        return None
    return change


def _agreement(ratio: Logs, clear: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(rows, columns): the share of the clear blocks about each that tell what it does."""
    reach = round(AROUND / STEP)
    rows, columns = clear.shape
    layers = np.ascontiguousarray(ratio.transpose(2, 0, 1))
    wide = np.pad(layers, ((0, 0), (reach, reach), (reach, reach)))
    there = np.pad(clear, reach)
    alike, many = np.zeros((rows, columns), np.float32), np.zeros((rows, columns), np.float32)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if 0 < dx * dx + dy * dy <= reach * reach and (dx + dy) % 2 == 0:  # every other one tells as much
                y, x = slice(reach + dy, reach + dy + rows), slice(reach + dx, reach + dx + columns)
                other = there[y, x]
                many += other
                alike += other & (np.abs(wide[:, y, x] - layers).max(0) < SAME)
    return np.asarray(alike / np.maximum(many, 1))


def _smoothed(ratio: Logs, weights: NDArray[np.float32]) -> Logs:
    """What the blocks of some weight tell, everywhere."""

    def blurred(values: NDArray[np.float32]) -> NDArray[np.float32]:
        near, far = (cv2.GaussianBlur(values, (0, 0), d / STEP, borderType=cv2.BORDER_REFLECT) for d in (SPREAD, FAR))
        return np.asarray(near + SLIGHT * far, np.float32)

    return np.asarray(blurred(ratio * weights[..., None]) / np.maximum(blurred(weights), 1e-9)[..., None], np.float32)


def _at(values: NDArray[Any], places: NDArray[np.float32]) -> NDArray[Any]:
    """The ``values`` (h, w, n) at the ``places`` (..., 2), and beyond the edge those at it."""
    return np.asarray(cv2.remap(values, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def made_good(image: NDArray[Any], change: Logs, table: Table) -> NDArray[np.uint8]:
    """The picture (h, w, 3) BGR of the ``table`` in the light of set-up, from which it differs by the log ratios ``change`` of its
    `Blocks`. Beside the board it is as at its edge."""
    height, width = image.shape[:2]
    x, y = ((np.arange(side // COARSE) + 0.5) * (side / (side // COARSE)) - 0.5 for side in (width, height))
    places = np.stack(np.meshgrid(x, y), -1)
    ground = table.camera.on_plane(places, 0.0)
    m = table.measures
    at = ((ground + np.array(m.inner) / 2) / (STEP * m.checker) - 0.5).clip(-1e4, 1e4).astype(np.float32)
    times = np.exp(_at(change, at))
    full = cv2.resize(times, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, full, dtype=cv2.CV_8U), np.uint8)
