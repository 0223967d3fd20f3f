"""First guess: which four marks are the checkers in the board's corners, from the pattern of the starting position.

All tops lie in one plane, so whatever the camera, four corner checkers fix where the others must be, up to two ratios
that differ from board to board: bar to pitch, and checker to height.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.colours import LAYER, standing
from vision.finder.eye import Marks
from vision.table import column_of

BARS = (0.45, 0.9, 1.35)  # bar widths tried, in pitches
STEPS = (0.066, 0.072, 0.078, 0.085, 0.092, 0.1, 0.108)  # checker sizes tried, in distances between the two sides' first checkers
SHAKES = ((25, 0.02, 0.03), (30, 0.004, 0.012))  # how many, and how far: about the field, then about the likeliest guesses
ROUNDS, LIKELIEST = 2, 8
MOST, MOST_IN_GAME = 6, 8  # guesses that are told of: of the start, and of a position that tells less
CORNERS = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])  # far left, far right, near right, near left

Scorer = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From (k, n, 2) px of a position's places to (k,) scores: how many fall on marks of about the right size."""


@dataclass(frozen=True, eq=False)
class Guess:
    """``homography`` (3, 3) takes the plane of the tops (x, y; the outermost columns at x = +-0.5, the first checkers of the columns at
    y = +-0.5, near below) to px. ``mirrored``: near's home is on the left."""

    homography: NDArray[np.float64]
    mirrored: bool
    bar: float
    step: float
    score: float

    def places(self, position: Position) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """((n, 2) px tops of the checkers of ``position``, (n,) px across each)."""
        flat = pattern(position, self.bar, self.step, self.mirrored)
        half = np.array([0.5 * 0.95 / (11 + self.bar), 0.5 * self.step])
        px, a, b, c, d = (apply(self.homography[None], flat + half * way)[0] for way in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)))
        u, v = b - a, d - c
        return px, np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))

    def tops(self, position: Position) -> NDArray[np.float64]:
        """(n, 2) px: the first that `places` has."""
        return np.asarray(apply(self.homography[None], pattern(position, self.bar, self.step, self.mirrored))[0])


@lru_cache(maxsize=8 * len(BARS) * len(STEPS))  # asked for again and again, of a position or two
def pattern(position: Position, bar: float, step: float, mirrored: bool) -> NDArray[np.float64]:
    """(n, 2) where the tops of ``position`` lie in the plane of `Guess`, home on the right or ``mirrored``, of checkers whose place is
    known."""
    out = []
    whole = 11 + bar
    for point, i, _ in standing(position):
        column, way = column_of(point)
        out.append((0.5 - (column + (bar if column > 5 else 0.0)) / whole, way * (-0.5 + i * step)))
    places = np.array(out).reshape(-1, 2) * ([-1, 1] if mirrored else [1, 1])
    places.flags.writeable = False  # for whoever asks next
    return places


def guesses(
    marks: Marks, position: Position, field: NDArray[np.float64] | None, by_checkers: bool = True, also: Sequence[Guess] = ()
) -> list[Guess]:
    """The likeliest guesses, best first; ``field`` (4, 2) px: the playing field's corners, clockwise, when they are known.
    ``by_checkers``: the position has checkers in all four corners, so that four marks may be these. ``also``: guesses to weigh with the
    others."""
    xy = marks.xy
    if len(xy) < 8:
        return []
    quads = [_corner_quads(xy)] if by_checkers else []
    if field is not None:
        quads.append(_from_field(field))
        if not by_checkers:
            quads.append(_shaken(quads[-1], *SHAKES[0]))
    boxes = np.concatenate([np.zeros((0, 4, 2)), *quads])
    scores_of = _scorer(marks, position)
    turned = position == START  # it looks the same from both chairs
    found = _scored(boxes, range(4), (False,) if turned else (False, True), position, scores_of)
    found += [replace(g, score=float(scores_of(g.tops(position)[None])[0])) for g in also]
    if not by_checkers:
        for _ in range(ROUNDS):  # look closer about the likeliest
            best = sorted(found, key=lambda g: -g.score)[:LIKELIEST]
            for g in best:
                near = _shaken(apply(g.homography[None], CORNERS), *SHAKES[1])
                found += _scored(near, (0,), (g.mirrored,), position, scores_of)
    return _different(sorted(found, key=lambda g: -g.score), MOST if turned else MOST_IN_GAME)


def _different(found: list[Guess], most: int) -> list[Guess]:
    """The first ``most`` of those that say something new."""
    kept: list[Guess] = []
    for g in found:
        corners = apply(g.homography[None], CORNERS)[0]
        size = np.linalg.norm(corners[0] - corners[2])
        alike = [k for k in kept if k.mirrored == g.mirrored]
        if not any(np.abs(apply(k.homography[None], CORNERS)[0] - corners).max() < 0.03 * size for k in alike):
            kept.append(g)
        if len(kept) == most:
            break
    return kept


def _scored(boxes: NDArray[np.float64], turns: Iterable[int], sides: Iterable[bool], position: Position, scores_of: Scorer) -> list[Guess]:
    """What (k, 4, 2) px quads of corner checkers are worth, the best two of each bar and step; ``turns``: which corner is far left."""
    found: list[Guess] = []
    for turned in turns:
        h = _homographies(np.roll(boxes, turned, axis=1))
        for mirrored in sides:
            for bar in BARS:
                for step in STEPS:
                    scores = scores_of(apply(h, pattern(position, bar, step, mirrored)))
                    found += [Guess(h[i], mirrored, bar, step, float(scores[i])) for i in np.argsort(-scores)[:2]]
    return found


def _shaken(quads: NDArray[np.float64], count: int, whole: float, corner: float) -> NDArray[np.float64]:
    """``count`` quads (count, 4, 2) about each of ``quads`` (k, 4, 2): moved as a ``whole`` and at each ``corner`` by about these shares
    of their size. The same every time."""
    rng = np.random.default_rng(7)
    size = np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1)[:, None, None, None]
    noise = whole * rng.normal(size=(1, count, 1, 2)) + corner * rng.normal(size=(1, count, 4, 2))
    return np.asarray((quads[:, None] + size * noise).reshape(-1, 4, 2))


def field_quad(marks: Marks) -> NDArray[np.float64] | None:
    """The four corners (4, 2) px, clockwise, of the area that looks like a playing field; None when there is no such area."""
    mask = (marks.field > 0.5).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    biggest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[biggest, cv2.CC_STAT_AREA] < 0.02 * mask.size:
        return None
    outline = max(cv2.findContours((labels == biggest).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    quad = _four_corners(cv2.convexHull(outline)[:, 0].astype(np.float64))
    if quad is None:
        return None
    a, b = marks.to_cell[:, :2], marks.to_cell[:, 2]
    return np.asarray((quad - b) @ np.linalg.inv(a).T)


def _four_corners(hull: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The hull's best quadrilateral: shortest edges are taken away by lengthening their neighbours (least area added first)."""
    points = [np.asarray(p) for p in hull]
    while len(points) > 4:
        best: tuple[float, int, Any] | None = None
        n = len(points)
        for i in range(n):
            a, b, c, d = points[i - 1], points[i], points[(i + 1) % n], points[(i + 2) % n]
            u, v = b - a, c - d
            across = u[0] * v[1] - u[1] * v[0]
            if abs(across) < 1e-9:
                continue
            s = ((d - a)[0] * v[1] - (d - a)[1] * v[0]) / across
            t = ((d - a)[0] * u[1] - (d - a)[1] * u[0]) / across
            if s < 1 or t < 1:
                continue
            meet = a + s * u
            added = abs((c - b)[0] * (meet - b)[1] - (c - b)[1] * (meet - b)[0])
            if best is None or added < best[0]:
                best = (added, i, meet)
        if best is None:
            return None
        _, i, meet = best
        points[i] = meet
        del points[(i + 1) % n]
    return np.array(points) if len(points) == 4 else None


def _corner_quads(xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, 4, 2) convex quadrilaterals of outlying marks that hold most marks."""
    xy = xy[:48]
    left = list(range(len(xy)))
    outlying: list[int] = []
    for _ in range(3):
        if len(left) < 4:
            break
        layer = cv2.convexHull(xy[left].astype(np.float32), returnPoints=False)[:, 0]
        chosen = [left[int(i)] for i in layer]
        outlying += chosen
        left = [i for i in left if i not in chosen]
    quads = xy[np.array(list(combinations(outlying[:20], 4)), np.int64).reshape(-1, 4)]
    angle = np.arctan2(*(quads - quads.mean(1, keepdims=True)).transpose(2, 0, 1)[::-1])
    quads = np.take_along_axis(quads, np.argsort(angle, axis=1)[..., None], axis=1)
    edge = np.roll(quads, -1, axis=1) - quads
    ahead = np.roll(edge, -1, axis=1)
    turn = edge[..., 0] * ahead[..., 1] - edge[..., 1] * ahead[..., 0]
    quads, edge = quads[(turn > 0).all(1)], edge[(turn > 0).all(1)]
    reach = np.linalg.norm(edge, axis=2)
    offset = xy[None, None] - quads[:, :, None]
    side = (edge[:, :, None, 0] * offset[..., 1] - edge[:, :, None, 1] * offset[..., 0]) / reach[..., None]
    span = np.sqrt(cv2.contourArea(cv2.convexHull(xy.astype(np.float32))))
    inside = (side > -0.015 * span).all(1).sum(1)
    good = inside >= 0.6 * len(xy)
    order = np.argsort(-inside[good])[:1500]
    return np.asarray(quads[good][order])


def _from_field(field: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corner checkers guessed from the field's corners: half a checker inside them. Both ways of being long are tried."""
    out = []
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    h = _homographies(field[None], square)
    for dx, dy in ((0.039, 0.047), (0.047, 0.039), (0.045, 0.055), (0.055, 0.045)):
        inset = square * (1 - 2 * np.array([dx, dy])) + (dx, dy)
        out.append(apply(h, inset)[0])
    return np.array(out)


def _homographies(quads: NDArray[np.float64], source: NDArray[np.float64] = CORNERS) -> NDArray[np.float64]:
    """(k, 3, 3) taking the four ``source`` points to each of (k, 4, 2) ``quads``."""
    k = len(quads)
    a = np.zeros((k, 8, 8))
    b = np.zeros((k, 8))
    for i, (x, y) in enumerate(source):
        u, v = quads[:, i, 0], quads[:, i, 1]
        a[:, 2 * i, 0], a[:, 2 * i, 1], a[:, 2 * i, 2] = x, y, 1
        a[:, 2 * i + 1, 3], a[:, 2 * i + 1, 4], a[:, 2 * i + 1, 5] = x, y, 1
        a[:, 2 * i, 6], a[:, 2 * i, 7] = -u * x, -u * y
        a[:, 2 * i + 1, 6], a[:, 2 * i + 1, 7] = -v * x, -v * y
        b[:, 2 * i], b[:, 2 * i + 1] = u, v
    a += 1e-9 * np.eye(8)
    h = np.linalg.solve(a, b[..., None])[..., 0]
    return np.concatenate([h, np.ones((k, 1))], axis=1).reshape(k, 3, 3)


def apply(h: NDArray[np.float64], xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, n, 2) of (k, 3, 3) homographies on (n, 2) points."""
    p = np.column_stack([xy, np.ones(len(xy))]) @ h.transpose(0, 2, 1)
    w = p[..., 2:]
    return np.asarray(p[..., :2] / np.where(np.abs(w) < 1e-9, 1e-9, w))


def _scorer(marks: Marks, position: Position) -> Scorer:
    """Of the places of ``position``."""
    low = marks.xy.min(0) - 40
    cell = max(1.0, float(np.median(marks.radius)) / 6)
    w, h = (int(v) for v in np.ceil((marks.xy.max(0) + 40 - low) / cell))
    best = np.zeros((h, w), np.float32)
    size = np.full((h, w), np.inf, np.float32)
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    for (x, y), r in zip((marks.xy - low) / cell, marks.radius / cell, strict=True):
        x0, x1, y0, y1 = int(max(x - 2 * r, 0)), int(min(x + 2 * r + 1, w)), int(max(y - 2 * r, 0)), int(min(y + 2 * r + 1, h))
        near = np.clip(1.2 - np.hypot(xx[y0:y1, x0:x1] - x, yy[y0:y1, x0:x1] - y) / r, 0, 1)
        mine = near > best[y0:y1, x0:x1]
        best[y0:y1, x0:x1][mine] = near[mine]
        size[y0:y1, x0:x1][mine] = 2 * r * cell
    counts = [abs(c) for c in position.points if 0 < abs(c) <= LAYER]
    column = np.repeat(np.arange(len(counts)), counts)
    n = len(column)
    step = np.array([i + 1 if i + 1 < n and column[i + 1] == column[i] else i - 1 for i in range(n)])  # a neighbour in the same column
    lonely = np.array([counts[c] == 1 for c in column])

    def score(px: NDArray[np.float64]) -> NDArray[np.float64]:
        at = np.nan_to_num((px - low) / cell, nan=-1, posinf=-1, neginf=-1)
        ix, iy = np.clip(at[..., 0], -1, w).astype(np.int64), np.clip(at[..., 1], -1, h).astype(np.int64)
        ok = (ix >= 0) & (iy >= 0) & (ix < w) & (iy < h)
        ix, iy = np.clip(ix, 0, w - 1), np.clip(iy, 0, h - 1)
        apart = np.linalg.norm(px - px[:, step], axis=2) / size[iy, ix]
        ok &= lonely | ((apart > 0.55) & (apart < 1.7))
        return np.asarray((best[iy, ix] * ok).sum(-1))

    return score
