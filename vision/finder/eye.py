"""Where checkers and the playing field may be in a picture: a small learned net."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import network, sigmoid

MODEL = "finder.onnx"
STRIDE = 4  # px of the net's input to a cell of its maps
LONG_SIDE = 640  # px at which a whole picture is seen
LIKELY = 0.3  # least likely cell that is marked as a checker's top


@dataclass(frozen=True, eq=False)
class Marks:
    """``xy`` (n, 2) px tops of checkers, ``radius`` (n,) px (of a circle of the same area), ``sure`` (n,) 0..1, best first;
    ``field`` (h, w) 0..1 how likely each cell belongs to the playing field and ``to_cell`` (2, 3), which takes px to its cells."""

    xy: NDArray[np.float64]
    radius: NDArray[np.float64]
    sure: NDArray[np.float64]
    field: NDArray[np.float32]
    to_cell: NDArray[np.float64]

    def surest(self, count: int) -> Marks:
        """The same with no more than ``count`` checkers."""
        return replace(self, xy=self.xy[:count], radius=self.radius[:count], sure=self.sure[:count])


def look(image: NDArray[np.uint8], region: tuple[float, float, float, float] | None = None, long_side: int = LONG_SIDE) -> Marks:
    """Marks in ``image`` (BGR uint8), or in its ``region`` (x0, y0, x1, y1) px seen at ``long_side`` px."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = region or (0.0, 0.0, float(width), float(height))
    scale = long_side / max(x1 - x0, y1 - y0)
    size = tuple(int(np.ceil((b - a) * scale / 32)) * 32 for a, b in ((x0, x1), (y0, y1)))
    to_input = np.array([[scale, 0, (0.5 - x0) * scale - 0.5], [0, scale, (0.5 - y0) * scale - 0.5]])  # pixel centres stay centres
    fine = cv2.GaussianBlur(image, (0, 0), 0.45 / scale) if scale < 0.75 else image  # shrunk without aliasing
    small = cv2.warpAffine(fine, to_input, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    layers = np.asarray(cv2.dnn.blobFromImage(small, 1 / 255, swapRB=True), np.float32)
    maps = network(MODEL).ask({"picture": layers}, ["maps"])[0][0]
    heat, field = (sigmoid(maps[k]) for k in (0, 2))
    top = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LIKELY)
    ys, xs = np.nonzero(top)
    order = np.argsort(-heat[ys, xs])
    ys, xs = ys[order], xs[order]
    fine = np.array([_peak(maps[0], x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]).reshape(-1, 2)
    xy = ((fine + 0.5) * STRIDE - 0.5 - to_input[:, 2]) / scale
    radius = 8 * np.exp(maps[1][ys, xs]) / scale
    to_cell = to_input / STRIDE
    to_cell[:, 2] += 0.5 / STRIDE - 0.5
    return Marks(xy, radius.astype(np.float64), heat[ys, xs].astype(np.float64), field.astype(np.float32), to_cell)


def _peak(logit: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """The sub-cell place of a local maximum, by parabolas through the logarithm of the probability."""
    h, w = logit.shape

    def bend(a: float, b: float, c: float) -> float:
        a, b, c = (-np.log1p(np.exp(-np.clip(v, -30, 30))) for v in (a, b, c))
        below = a - 2 * b + c
        return float(np.clip(0.5 * (a - c) / below, -0.5, 0.5)) if below < -1e-6 else 0.0

    dx = bend(logit[y, x - 1], logit[y, x], logit[y, x + 1]) if 0 < x < w - 1 else 0.0
    dy = bend(logit[y - 1, x], logit[y, x], logit[y + 1, x]) if 0 < y < h - 1 else 0.0
    return x + dx, y + dy
