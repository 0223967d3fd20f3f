"""How round the tops of checkers look in a picture: a small learned net.

Checkers are the only things on a board whose proportions are known: they are round. So their tops tell how the board is inclined, which
its points, of any width, do not. The net sees the picture about each checker by angle and distance from its middle, and marks where
along each ray the top ends.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import network, softmax
from vision.pictures import smaller
from vision.table import Camera

MODEL = "finder_tops.onnx"
ANGLES = 48
WRAP = 8  # rays on either side that are seen again beyond the first and last
STEP = 0.015
RADII = 0.2 + STEP * np.arange(40)  # diameters from the middle
FINE = 1 / (1.5 * STEP)  # px a checker: pictures that show much larger ones are made smaller first
AROUND = np.arange(ANGLES) * 2 * np.pi / ANGLES
RAYS = np.column_stack([np.cos(AROUND), np.sin(AROUND)])

Array = NDArray[np.float64]


ENDS = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]) / 2  # of the diameters along the board's x and y, from a checker's middle


def diameters(camera: Camera, tops: Array, checker: float) -> Array:
    """(n, 2, 2) px: as columns, the diameters along the board's x and y of checkers ``checker`` cm across with their ``tops`` (n, 3) cm
    there."""
    return between(camera.project(tops[:, None] + ENDS * checker))


def between(ends: Array) -> Array:
    """(..., 2, 2) px: the diameters, as columns, of which (..., 4, 2) are the projected `ENDS`."""
    return np.asarray((ends[..., :2, :] - ends[..., 2:, :]).swapaxes(-1, -2))


def width_of(across: Array) -> Array:
    """(...) px across of circles with the area of ellipses of which ``across`` (..., 2, 2) has two diameters, as `diameters` does."""
    return np.asarray(np.sqrt(np.abs(across[..., 0, 0] * across[..., 1, 1] - across[..., 0, 1] * across[..., 1, 0])))


def shape_of(across: Array) -> Array:
    """(..., 2) how far from round circles are of which ``across`` (..., 2, 2) has two diameters at right angles, as columns, px:
    (xx - yy, 2 xy) / (xx + yy) of the spread of their outlines along x and y."""
    return _shape(across @ across.swapaxes(-1, -2))


def _shape(spread: Array) -> Array:
    wide, tall = spread[..., 0, 0], spread[..., 1, 1]
    return np.asarray(np.stack([wide - tall, 2 * spread[..., 0, 1]], -1) / (wide + tall)[..., None])


def rays(image: NDArray[np.uint8], xy: Array, across: Array) -> NDArray[np.float32]:
    """(n, 3, ANGLES + 2 WRAP, 40) what the net is shown: RGB 0..1 along the rays from ``xy`` (n, 2) px, each as far as ``across``
    (n, 2, 2) has a checker's diameters along the board, px."""
    coarse = float(np.median(width_of(across))) / FINE
    if coarse > 1.25:
        size = (round(image.shape[1] / coarse), round(image.shape[0] / coarse))
        k = size[0] / image.shape[1]
        image, xy, across = smaller(image, size), (xy + 0.5) * k - 0.5, across * k
    ways = np.concatenate([RAYS[-WRAP:], RAYS, RAYS[:WRAP]])
    spots = np.einsum("nij,arj->nari", across, ways[:, None] * RADII[None, :, None]) + xy[:, None, None]
    flat = spots.reshape(-1, len(RADII), 2).astype(np.float32)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen.reshape(len(xy), len(ways), len(RADII), 3)
    return np.asarray(np.ascontiguousarray(seen[..., ::-1].transpose(0, 3, 1, 2)), np.float32) / np.float32(255)


def look_closer(image: NDArray[np.uint8], xy: Array, across: Array) -> Array:
    """(n, 2) how far from round, as `shape_of` has it, are in ``image`` (BGR uint8) the tops of checkers that are at ``xy`` (n, 2) px
    and lie about as ``across`` (n, 2, 2) has it."""
    if not len(xy):
        return np.zeros((0, 2))
    ends = network(MODEL).ask({"rays": rays(image, xy, across)}, ["ends"])[0]
    told = fitted(softmax(np.asarray(ends, np.float64)[:, 0, WRAP:-WRAP]) @ RADII)
    spread = np.stack([np.stack([1 + told[:, 0], told[:, 1]], 1), np.stack([told[:, 1], 1 - told[:, 0]], 1)], 1)
    return _shape(across @ spread @ across.transpose(0, 2, 1))


def fitted(ends: Array) -> Array:
    """(n, 2) how far from round are tops that end at ``ends`` (n, ANGLES) diameters from about their middle.

    An ellipse that is nearly a circle of radius r ends at r (1 + (d cos 2a + e sin 2a) / 2); one that lies beside the middle by a little
    adds cos a and sin a to that."""
    waves = np.column_stack([np.ones(ANGLES), RAYS, np.cos(2 * AROUND), np.sin(2 * AROUND)])
    fit = np.linalg.lstsq(waves, ends.T, rcond=None)[0].T
    return np.asarray(2 * fit[:, 3:] / fit[:, :1])
