"""The strips the checker reader looks at: one for every point, and one along the whole bar.

A strip is a straightened cut of the picture at the height of a checker's top. Point strips run from the rail towards
the middle and past it, all turned the same way; their unit is the checker's diameter D, so every board looks alike.
Stacked checkers stand higher than the strip's plane and are shifted by parallax; `drift` tells by how much.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Camera, Table

Image = NDArray[np.uint8]

WIDTH = 56  # px across a strip
LENGTH = 224  # px along a strip
POINT_SCALE = 28.0  # px per D: 2 D across
BAR_SCALE = 20.0  # px per D: 11.2 D along, a whole bar
BEFORE = 0.7  # D of a point strip that lie before the rail
BAR = 24  # the bar's place among the strips; point p is at p - 1
STRIPS = 25


@dataclass(frozen=True, slots=True)
class StripFrame:
    """Where one strip lies: pixel (along i, across j) is at ``origin + u (i + .5) + v (j + .5 - w / 2)``, cm, height ``z``."""

    origin: tuple[float, float]
    u: tuple[float, float]
    v: tuple[float, float]
    z: float
    scale: float  # px per D


def strip_frame(table: Table, strip: int) -> StripFrame:
    """The place of strip 0..23 (points 1..24) or `BAR` on ``table``, in the board frame."""
    m = table.measures
    if strip == BAR:
        step = m.checker / BAR_SCALE
        # from near's rail to far's, as near sees it
        return StripFrame((0.0, -step * LENGTH / 2), (0.0, step), (step, 0.0), m.bar_height + m.checker_height, BAR_SCALE)
    x, y, way = table.point_base(strip + 1)
    step = m.checker / POINT_SCALE
    return StripFrame((x, y - way * BEFORE * m.checker), (0.0, way * step), (way * step, 0.0), m.checker_height, POINT_SCALE)


def strip_ground(frame: StripFrame, width: int = WIDTH, length: int = LENGTH) -> NDArray[np.float64]:
    """Board-frame (length, width, 3) cm of every pixel of a strip; a wider or longer strip grows evenly on all sides."""
    i = np.arange(length) + 0.5 - (length - LENGTH) / 2
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
    for i, j in ((0, 0), (LENGTH, 0), (0, WIDTH)):
        x = frame.origin[0] + frame.u[0] * i + frame.v[0] * (j - WIDTH / 2)
        y = frame.origin[1] + frame.u[1] * i + frame.v[1] * (j - WIDTH / 2)
        shift = (np.array([x, y]) - eye[:2]) / max(float(eye[2]) - frame.z, 1.0)
        rows.append([(shift @ np.array(frame.u)) / step, (shift @ np.array(frame.v)) / step])
    return np.array(rows, np.float32)


def image_scale(table: Table) -> float:
    """Picture pixels per strip pixel in the middle of the field."""
    step = table.measures.checker / POINT_SCALE
    px = table.camera.project(np.array([[0.0, 0.0, 1.0], [step, 0.0, 1.0], [0.0, step, 1.0]]))
    return float(max(np.hypot(*(px[1] - px[0])), np.hypot(*(px[2] - px[0]))))


def shrunk(camera: Camera, factor: float) -> Camera:
    """The same camera with pictures made smaller by ``factor`` (0..1)."""
    matrix = camera.matrix.copy()
    matrix[:2] *= factor
    matrix[:2, 2] += (factor - 1) / 2  # pixel centres stay centres
    return replace(camera, matrix=matrix, size=(round(camera.size[0] * factor), round(camera.size[1] * factor)))


def drift_ramp(corners: NDArray[np.float32], width: int = WIDTH, length: int = LENGTH) -> NDArray[np.float32]:
    """The parallax of a whole strip (length, width, 2) from its values at three corners (3, 2); it is linear."""
    i = ((np.arange(length) + 0.5) / length)[:, None, None].astype(np.float32)
    j = ((np.arange(width) + 0.5) / width)[None, :, None].astype(np.float32)
    return np.asarray(corners[0] + i * (corners[1] - corners[0]) + j * (corners[2] - corners[0]), np.float32)


class StripCutter:
    """Cuts all strips of one table out of pictures; the lookup maps are made once."""

    def __init__(self, table: Table, width: int = WIDTH, length: int = LENGTH) -> None:
        self.table = table
        self.shape = (length, width)
        scale = image_scale(table)
        self._factor = min(1.0, 1.25 / scale)  # bilinear sampling must not skip picture pixels
        camera = shrunk(table.camera, self._factor)
        self._size = camera.size
        maps, drifts = [], []
        for strip in range(STRIPS):
            frame = strip_frame(table, strip)
            ground = strip_ground(frame, width, length)
            maps.append(camera.project(ground).astype(np.float32))
            drifts.append(drift(table, frame))
        grid = np.concatenate(maps)
        inside = (grid[..., 0] > 0) & (grid[..., 1] > 0) & (grid[..., 0] < camera.size[0] - 1) & (grid[..., 1] < camera.size[1] - 1)
        self.inside: NDArray[np.bool_] = inside.reshape(STRIPS, length, width)
        self.drift: NDArray[np.float32] = np.stack(drifts)  # (25, 3, 2)
        self._map1, self._map2 = cv2.convertMaps(grid[..., 0].copy(), grid[..., 1].copy(), cv2.CV_16SC2)

    def cut(self, image: NDArray[Any]) -> Image:
        """Strips (25, length, width, 3) BGR of ``image`` (h, w, 3) BGR; what lies outside the picture is black."""
        if self._factor < 1.0:
            image = cv2.resize(image, self._size, interpolation=cv2.INTER_AREA)
        flat = cv2.remap(image, self._map1, self._map2, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0))
        return np.asarray(flat, np.uint8).reshape(STRIPS, *self.shape, 3)
