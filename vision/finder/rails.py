"""How far behind the points the rails of the long sides stand: checkers tell where points begin, and nothing of a border behind them.

A small net looks at what lies about the points' bases, a half of the board at a time, and says how likely the rail stands how far out.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import network, softmax
from vision.table import Table

MODEL = "rails.onnx"
REACH, ROWS = 3.2, 64  # cm before and behind the bases that are looked at, and in how many rows
COLUMNS, FINER = 80, 2  # of a half, from the bar to its end; so many places of the picture to one of them
NEAREST, STEP, PLACES = -0.8, 0.1, 36  # cm: the first of the places where a rail may stand, how far they lie apart, how many there are
STEEPEST = 3.0  # cm that a line of sight goes sideways for every one that it falls; more is not told
SHARE, ANY = 0.35, 1e-4  # that each of the four strips counts, for they see the same board and are wrong together; and of any place
NEARER, FURTHER = 0.1, 0.05  # how likely a rail stands nearer, and further out, than is said: by little, which is allowed for where dice
# are judged. By more than 0.3 cm it stood nearer in one of 229 boards that the net was not shown, further out in three

Strips = NDArray[np.uint8]
Sight = NDArray[np.float32]


def rails(table: Table, image: NDArray[np.uint8]) -> tuple[float, float]:
    """Between what the rails of the long sides of a ``table`` stand, found in ``image`` (BGR uint8): cm behind the points' bases."""
    return span(network(MODEL).ask({"x": shown(*strips(image, table))}, ["y"])[0])


def span(told: NDArray[Any]) -> tuple[float, float]:
    """The same by the logits (4, `PLACES`) of a board's strips."""
    up_to = np.cumsum(softmax(SHARE * np.log(softmax(np.asarray(told, np.float64)) + ANY).sum(0)))
    ends = places() + STEP / 2
    return float(np.interp(NEARER, up_to, ends)), float(np.interp(1 - FURTHER, up_to, ends))


def strips(image: NDArray[np.uint8], table: Table, rows: int = ROWS, columns: int = COLUMNS) -> tuple[Strips, Sight]:
    """What lies about the points' bases in ``image`` (BGR uint8), of near's left half and right, far's left and right: (4, rows, columns,
    3), from the field outwards and from the bar on; and how far lines of sight go along and outwards as they fall by one, (4, 2).
    More ``rows`` and ``columns`` show more on all sides."""
    m = table.measures
    half_wide = (m.inner[0] - m.bar) / 2
    seen, sight = np.empty((4, rows, columns * FINER, 3), np.uint8), np.empty((4, 2), np.float32)
    along = m.bar / 2 + half_wide * ((np.arange(columns * FINER) + 0.5) / FINER - (columns - COLUMNS) / 2) / COLUMNS
    out = m.base + 2 * REACH / ROWS * (np.arange(rows) + 0.5 - rows / 2)
    ex, ey, ez = table.camera.eye
    for k, (side, half) in enumerate((side, half) for side in (-1, 1) for half in (-1, 1)):
        x, y = np.meshgrid(half * along, side * out)
        px = table.camera.project(np.stack([x, y, np.zeros_like(x)], -1)).astype(np.float32)
        seen[k] = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        sight[k] = (m.bar + half_wide) / 2 - half * ex, m.base - side * ey
    cut = seen.reshape(4, rows, columns, FINER, 3).mean(3).astype(np.uint8)
    return cut, np.clip(sight / ez, -STEEPEST, STEEPEST)


def shown(cut: Strips, sight: Sight) -> NDArray[np.float32]:
    """What the net is shown of `strips`: their colours about their mean, and the ``sight``; (n, 5, rows, columns)."""
    colours = cut.astype(np.float32)
    colours = (colours - colours.mean((1, 2, 3), keepdims=True)) / (colours.std((1, 2, 3), keepdims=True) + 8)
    planes = np.broadcast_to(sight[:, :, None, None], (*sight.shape, *cut.shape[1:3]))
    return np.concatenate([colours.transpose(0, 3, 1, 2), planes], 1).astype(np.float32)


def places() -> NDArray[np.float64]:
    """The `PLACES` where a rail may stand, cm behind the points' bases."""
    return np.asarray(NEAREST + STEP * np.arange(PLACES), np.float64)


def place(rail: float) -> float:
    """Which of these, in fractions too, is so many cm behind the bases."""
    return (rail - NEAREST) / STEP
