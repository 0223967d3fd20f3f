"""The strips the checker reader looks at: one for every point, one along the whole bar, and one beside the home board.

A strip is a straightened cut of the picture at the height of a checker's top. Point strips run from the rail towards
the middle and past it, all turned the same way; their unit is the checker's diameter D, so every board looks alike.
Stacked checkers stand higher than the strip's plane and are shifted by parallax; `drift` tells by how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import Half
from vision.pictures import smaller
from vision.table import Table

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Cut:
    """The size of point strips: ``length`` px along and ``width`` px across, ``scale`` px per D; ``before`` D lie before the rail."""

    length: int
    width: int
    scale: float
    before: float


WIDE = Cut(224, 56, 28.0, 0.7)  # what is looked at first, on every point
CLOSE = Cut(320, 64, 44.0, 0.6)  # the closer look, at what the first one is not sure of
BARS = Cut(320, 80, 28.0, 0.0)  # the whole bar from nearer, 2.9 D across
OFF = Cut(272, 96, 20.0, 0.0)  # beside the home board, where borne-off checkers lie: from near's end to far's, 4.8 D outwards
BAR_SCALE = 20.0  # px per D of the bar's strip, as large as a wide one: 11.2 D along, a whole bar
BAR = 24  # the bar's place among the strips; point p is at p - 1
STRIPS = 25
BLOCK = 7  # px, a quarter of a checker in a wide strip


@dataclass(frozen=True, slots=True)
class StripFrame:
    """Where one strip lies: pixel (along i, across j) is at ``origin + u (i + .5) + v (j + .5 - w / 2)``, cm, height ``z``."""

    origin: tuple[float, float]
    u: tuple[float, float]
    v: tuple[float, float]
    z: float
    cut: Cut


def strip_frame(table: Table, strip: int, cut: Cut) -> StripFrame:
    """The place of strip 0..23 (points 1..24) or `BAR` on ``table``, in the board frame."""
    m = table.measures
    if strip == BAR:
        return bar_frame(table, Cut(WIDE.length, WIDE.width, BAR_SCALE, 0.0))
    x, y, way = table.point_base(strip + 1)
    step = m.checker / cut.scale
    return StripFrame((x, y - way * cut.before * m.checker), (0.0, way * step), (way * step, 0.0), m.checker_height, cut)


def bar_frame(table: Table, cut: Cut) -> StripFrame:
    """The place of a strip along the whole bar, from near's rail to far's, as near sees it."""
    m = table.measures
    step = m.checker / cut.scale
    return StripFrame((0.0, -step * cut.length / 2), (0.0, step), (step, 0.0), m.bar_height + m.checker_height, cut)


def off_frame(table: Table) -> StripFrame:
    """The place of the strip beside the home board, level with the field."""
    m = table.measures
    step = m.checker / OFF.scale
    way = 1.0 if table.home is Half.RIGHT else -1.0
    middle = (way * (m.inner[0] + step * OFF.width) / 2, -step * OFF.length / 2)
    return StripFrame(middle, (0.0, step), (way * step, 0.0), 0.0, OFF)


def strips_of(cut: Cut) -> int:
    """How many strips a cut has: wide ones are the 24 points' and the bar's, close ones only the points'; `OFF` and `BARS` are one."""
    return 1 if cut in (OFF, BARS) else STRIPS if cut is WIDE else BAR


def strip_frames(table: Table, cut: Cut) -> list[StripFrame]:
    """The places of all strips of one cut."""
    if cut in (OFF, BARS):
        return [off_frame(table) if cut is OFF else bar_frame(table, cut)]
    return [strip_frame(table, strip, cut) for strip in range(strips_of(cut))]


def strip_ground(frame: StripFrame, margin: int) -> NDArray[np.float64]:
    """Board-frame (length, width, 3) cm of every pixel of a strip with ``margin`` px more on all sides."""
    length, width = frame.cut.length + 2 * margin, frame.cut.width + 2 * margin
    i = np.arange(length) + 0.5 - margin
    j = np.arange(width) + 0.5 - width / 2
    x = frame.origin[0] + frame.u[0] * i[:, None] + frame.v[0] * j[None, :]
    y = frame.origin[1] + frame.u[1] * i[:, None] + frame.v[1] * j[None, :]
    return np.stack([x, y, np.full_like(x, frame.z)], -1)


def drift(table: Table, frame: StripFrame) -> NDArray[np.float32]:
    """Parallax at three corners (start, end, start's other side) of a strip, (3, 2): how far, along and across it, the
    picture moves for a unit of height. It is linear over the strip."""
    eye = table.camera.eye
    step = float(np.hypot(*frame.u))
    rows = []
    for i, j in ((0, 0), (frame.cut.length, 0), (0, frame.cut.width)):
        x = frame.origin[0] + frame.u[0] * i + frame.v[0] * (j - frame.cut.width / 2)
        y = frame.origin[1] + frame.u[1] * i + frame.v[1] * (j - frame.cut.width / 2)
        shift = (np.array([x, y]) - eye[:2]) / max(float(eye[2]) - frame.z, 1.0)
        rows.append([(shift @ np.array(frame.u)) / step, (shift @ np.array(frame.v)) / step])
    return np.array(rows, np.float32)


def image_scale(table: Table, cut: Cut) -> float:
    """Picture pixels per strip pixel in the middle of the field."""
    step = table.measures.checker / cut.scale
    px = table.camera.project(np.array([[0.0, 0.0, 1.0], [step, 0.0, 1.0], [0.0, step, 1.0]]))
    return float(max(np.hypot(*(px[1] - px[0])), np.hypot(*(px[2] - px[0]))))


def drift_ramp(corners: NDArray[np.float32], width: int, length: int) -> NDArray[np.float32]:
    """The parallax of a whole strip (length, width, 2) from its values at three corners (3, 2); it is linear."""
    i = ((np.arange(length) + 0.5) / length)[:, None, None].astype(np.float32)
    j = ((np.arange(width) + 0.5) / width)[None, :, None].astype(np.float32)
    return np.asarray(corners[0] + i * (corners[1] - corners[0]) + j * (corners[2] - corners[0]), np.float32)


class StripCutter:
    """Cuts the strips of one table out of pictures, with ``margin`` px more on all sides; the lookup maps are made once."""

    def __init__(self, table: Table, margin: int = 0, cut: Cut = WIDE) -> None:
        scale = image_scale(table, cut)
        self._factor = min(1.0, 1.25 / scale)  # bilinear sampling must not skip picture pixels
        size = (round(table.camera.size[0] * self._factor), round(table.camera.size[1] * self._factor))
        camera = table.camera.resized(size, (self._factor, self._factor))
        self._size = camera.size
        frames = strip_frames(table, cut)
        grid = np.stack([camera.project(strip_ground(frame, margin)).astype(np.float32) for frame in frames])
        self.drift: NDArray[np.float32] = np.stack([drift(table, frame) for frame in frames])  # (n, 3, 2)
        within = (grid[..., 0] > 0) & (grid[..., 1] > 0) & (grid[..., 0] < camera.size[0] - 1) & (grid[..., 1] < camera.size[1] - 1)
        self.inside: NDArray[np.bool_] = within  # (n, length, width)
        flat = grid.reshape(-1, grid.shape[2], 2)
        self._map1, self._map2 = cv2.convertMaps(flat[..., 0].copy(), flat[..., 1].copy(), cv2.CV_16SC2)

    def cut(self, image: NDArray[Any], strips: NDArray[np.int64] | None = None) -> Image:
        """All strips, or those numbered, (n, length, width, 3) BGR of ``image`` (h, w, 3) BGR; outside the picture is black."""
        if self._factor < 1.0:
            image = smaller(image, self._size)
        count, length, width = self.inside.shape
        map1, map2 = self._map1, self._map2
        if strips is not None:
            count = len(strips)
            map1 = map1.reshape(-1, length, width, 2)[strips].reshape(-1, width, 2)
            map2 = map2.reshape(-1, length, width)[strips].reshape(-1, width)
        flat = cv2.remap(image, map1, map2, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0))
        return np.asarray(flat, np.uint8).reshape(count, length, width, 3)


def block_means(strips: Image) -> NDArray[np.float32]:
    """(n, rows, columns, 3): the means of the blocks of ``strips`` (n, length, width, 3), by which two looks at a strip are compared."""
    count, length, width = strips.shape[:3]
    flat = cv2.resize(strips.reshape(count * length, width, 3), (width // BLOCK, count * length // BLOCK), interpolation=cv2.INTER_AREA)
    return np.asarray(flat, np.float32).reshape(count, length // BLOCK, width // BLOCK, 3)
