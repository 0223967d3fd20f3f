"""How wide the bar is where all checkers stand on one side of it, as late in a race: they tell nothing of the other half.

Both halves of a field are made alike, and their points' colours alternate on across the bar: the other half looks as the one whose place is
known does, six points and the bar further on. Two points beyond it would look so too, but no bar is that much wider than another.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Table

Array = NDArray[np.float64]
FINE = 0.2  # cm from one place that is looked at to the next, and from one width that is tried to the next
WIDEST = 8.2  # cm
SHORE = 0.3  # cm at the rails that are left out
DISC = 0.62  # of a checker's diameter from the middle is left out about each
LEAST_SEEN = 0.4  # of a row: others do not count
SOFT = 2.0  # places that edges are blurred over: a point's sides lie a little elsewhere than they are sought
ALIKE, BETTER = 0.45, 0.1  # how alike the halves must be, and by how much more than were the bar wider or narrower by
OTHERWISE = 1.0  # cm or more: of 88 drawn boards so 81 were told, and 23 of 24 rendered ones, none wrong by more than 0.8 cm


def bar_seen(image: NDArray[np.uint8], table: Table, tops: Array) -> float | None:
    """cm across the bar of a ``table`` that is known but for that, with its checkers' ``tops`` (n, 3) cm on one side of it alone, in
    ``image`` (BGR uint8); None where the other half cannot be told."""
    m = table.measures
    way, wide, tall = 1.0 if tops[:, 0].mean() > 0 else -1.0, 6 * m.pitch, m.inner[1] / 2 - SHORE
    if min(wide, tall) < m.checker:  # no board, as will be found out
        return None
    # outwards from the furthest that the other half may begin to where the known one ends
    along = np.arange(m.bar / 2 - WIDEST - wide, m.bar / 2 + wide, FINE)
    x, y = np.meshgrid(way * along, np.arange(-tall, tall, FINE))
    px = table.camera.project(np.stack([x, y, np.zeros_like(x)], -1)).astype(np.float32)
    seen = cv2.remap(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    edges = np.gradient(cv2.GaussianBlur(seen, (0, 0), SOFT), axis=1)  # light that falls off across the board has none
    height, width = image.shape[:2]
    within = np.logical_and(px > 0, px < (width - 1, height - 1)).min(-1)
    many = round(wide / FINE)
    half = slice(len(along) - many, None)
    counts = within[:, half] & ~_covered(table, tops, x[:, half], y[:, half])
    bars = np.arange(WIDEST, 0, -FINE)
    alike = np.array([
        _alike(edges[:, half], edges[:, k : k + many], counts & within[:, k : k + many]) for k in range(len(bars))
    ])  # fmt: skip
    best = int(alike.argmax())
    others = alike[np.abs(bars - bars[best]) > OTHERWISE].max(initial=-1.0)
    return float(bars[best]) if alike[best] > max(ALIKE, others + BETTER) else None


def _covered(table: Table, tops: Array, x: Array, y: Array) -> NDArray[np.bool_]:
    """Which places (h, w) of the field the checkers with these ``tops`` hide or stand on."""
    eye = table.camera.eye
    out = np.zeros(x.shape, np.bool_)
    for top in tops:
        for share in (0.0, 0.5, 1.0):  # of its height
            at = top[:2] + (top[:2] - eye[:2]) * share * top[2] / (eye[2] - share * top[2])
            out |= np.hypot(x - at[0], y - at[1]) < DISC * table.measures.checker
    return out


def _alike(a: NDArray[np.float32], b: NDArray[np.float32], counts: NDArray[np.bool_]) -> float:
    """How alike two pieces (h, w, 3) look, -1..1, in the places that count: the middle of their rows' correlations, of which things that
    lie there spoil a few."""
    rows = counts.mean(1) > LEAST_SEEN
    if rows.sum() < len(rows) / 5:
        return -1.0
    weight = counts[rows, :, None].astype(np.float32)
    a, b = ((part[rows] - (part[rows] * weight).sum(1, keepdims=True) / weight.sum(1, keepdims=True)) * weight for part in (a, b))
    together, alone = (a * b).sum((1, 2)), np.sqrt((a * a).sum((1, 2)) * (b * b).sum((1, 2)))
    return float(np.median(together / np.maximum(alone, 1e-3)))
