"""The board on its table as one camera sees it: the camera's pose, the board's measures and the seats.

Board frame, in centimetres: origin at the centre of the playing field on its surface, x to the near player's right,
y away from him, z up from the surface. Pixels are (x right, y down).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import Half

Array = NDArray[np.float64]

Tray = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners (x, y) cm, in order round the tray."""
MANY = 500  # points that are sooner projected here than by OpenCV
FAR_AWAY = 150.0  # cm from the board's centre; no tray is there
SAME_RATIO = 0.005  # sides are whole numbers of pixels: 854x480 is as wide as 1920x1080
OVERLAP = 0.1  # share of a tray that may seem to lie over the field, by a hand's slip or the tray's height
WIDEST_BORDER = 2.1  # cm that rails may stand behind the points where nothing is known of them
READ_WELL = 20.0  # px of a die's width, from which it is read well


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera with distortion. ``matrix`` 3x3 px, ``dist`` (k1 k2 p1 p2 k3), ``size`` (width, height) px;
    a point X of the board frame lies at ``rotation @ X + translation`` (cm) before the camera."""

    matrix: Array
    dist: Array
    rotation: Array
    translation: Array
    size: tuple[int, int]

    def fits(self, image: NDArray[Any]) -> bool:
        """Whether a picture (height, width, ..) has the `size` of this camera's."""
        return (image.shape[1], image.shape[0]) == self.size

    def project(self, xyz: NDArray[Any]) -> Array:
        """Board frame (..., 3) cm to pixels (..., 2)."""
        points = np.asarray(xyz, np.float64)
        flat = points.reshape(-1, 1, 3)
        if len(flat) > MANY:
            return self._project_many(flat[:, 0]).reshape(*points.shape[:-1], 2)
        px, _ = cv2.projectPoints(flat, self._turn, self.translation, self.matrix, self.dist)
        return np.asarray(px, np.float64).reshape(*points.shape[:-1], 2)

    def _project_many(self, xyz: Array) -> Array:
        """(n, 3) cm to (n, 2) px by the same sums as OpenCV's, which for every point also reckons slopes that nobody asks for."""
        k1, k2, p1, p2, k3 = self.dist.reshape(-1).tolist()
        (fx, _, cx), (_, fy, cy), _ = self.matrix.tolist()
        with np.errstate(all="ignore"):  # of what lies beside the lens
            x, y, z = self.rotation @ xyz.T + self.translation.reshape(3, 1)
            z[z == 0] = 1
            x, y = x / z, y / z
            r2 = x * x + y * y
            bent = ((k3 * r2 + k2) * r2 + k1) * r2 + 1
            u = x * bent + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
            v = y * bent + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
            return np.column_stack([fx * u + cx, fy * v + cy])

    def on_plane(self, px: NDArray[Any], z: float) -> Array:
        """Pixels (..., 2) to board-frame (..., 2) cm where their rays meet the height ``z`` cm."""
        pixels = np.asarray(px, np.float64)
        rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.matrix, self.dist).reshape(-1, 2)
        direction = rays @ self.rotation[:2] + self.rotation[2]
        eye = self.eye
        step = (z - eye[2]) / direction[:, 2]
        return np.asarray(eye[:2] + step[:, None] * direction[:, :2]).reshape(*pixels.shape[:-1], 2)

    def spot(self, px: tuple[float, float], z: float) -> tuple[float, float]:
        """`on_plane` of one pixel."""
        x, y = self.on_plane(np.array(px), z).tolist()
        return x, y

    @cached_property
    def eye(self) -> Array:
        """The camera's own place in the board frame, cm."""
        return np.asarray(-self.rotation.T @ self.translation.reshape(3))

    @cached_property
    def _turn(self) -> Array:
        """`rotation` as OpenCV takes it."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0])

    def resized(self, size: tuple[int, int], scale: tuple[float, float]) -> Camera:
        """The same camera with pictures of ``size`` px, which have ``scale`` times as many pixels (across, down) to what they show."""
        matrix, times = self.matrix.copy(), np.array(scale)
        matrix[:2] *= times[:, None]
        matrix[:2, 2] += (times - 1) / 2  # pixels are counted from their middles
        return replace(self, matrix=matrix, size=size)


@dataclass(frozen=True, slots=True)
class Measures:
    """The board's measures in cm. ``inner`` (width, height) of the playing field inside the rails, bar included.
    ``border`` is the gap between the rail and the point's base, ``bar`` the bar's whole width, ``pitch`` the
    distance between neighbouring points' centre lines. ``rails``: how far behind the points' bases those of the long sides stand, at
    least and at most."""

    inner: tuple[float, float]
    bar: float
    pitch: float
    border: float = 0.0
    point_length: float = 18.0
    rail_height: float = 1.5
    bar_height: float = 1.5
    checker: float = 4.0
    checker_height: float = 1.0
    die: float = 1.4
    rails: tuple[float, float] = (0.0, WIDEST_BORDER)

    @property
    def base(self) -> float:
        """How far (cm) from the middle the points of either side begin."""
        return self.inner[1] / 2 - self.border


@dataclass(frozen=True, eq=False)
class Table:
    """All that set-up finds: camera, measures, side of the near player's home, both players' checker colours.

    ``home`` is the half that holds the near player's home board. Colours are median sRGB (r, g, b) 0..255
    of the checkers' tops under the set-up's light. ``trays``: where a dice tower's dice come to rest, drawn by a person; four
    corners each in the board frame, cm, z = 0.
    """

    camera: Camera
    measures: Measures
    home: Half
    near_rgb: tuple[float, float, float]
    far_rgb: tuple[float, float, float]
    trays: tuple[Tray, ...] = ()

    def point_base(self, point: int) -> tuple[float, float, float]:
        """Near's ``point`` 1..24: (x, y, way) cm, the middle of its base at the rail and the sign of y towards its tip."""
        m = self.measures
        column, way = column_of(point)
        half_width = (m.inner[0] - m.bar) / 2
        slack = (half_width - 6 * m.pitch) / 2
        along = slack + (column % 6 + 0.5) * m.pitch  # from the outer edge of its half, towards the other half
        x = m.inner[0] / 2 - along if column < 6 else -m.bar / 2 - along
        if self.home is Half.LEFT:
            x = -x
        return x, -way * m.base, float(way)

    def checker_centre(self, point: int, index: int) -> tuple[float, float, float]:
        """Where the top of the ``index``-th checker (0 = at the rail) of a neat column has its centre, in cm."""
        x, y, way = self.point_base(point)
        m = self.measures
        return x, y + way * (index + 0.5) * m.checker, m.checker_height

    def corners(self, grown: float = 1.0, deep: float | None = None) -> Array:
        """The playing field's corners in the picture, (4, 2) px from far left by far right; ``grown`` so many times about its middle, from
        near to far ``deep`` times."""
        w, h = grown * self.measures.inner[0] / 2, (grown if deep is None else deep) * self.measures.inner[1] / 2
        return self.camera.project(np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]]))

    @property
    def die_large_enough(self) -> bool:
        """Whether a die is so wide that it is read well."""
        return self.die_px >= READ_WELL

    @property
    def die_px(self) -> float:
        """How many px a die in the middle of the board is wide."""
        return self._px_across(self.measures.die, self.measures.die)

    @property
    def checker_px(self) -> float:
        """How many px a checker in the middle of the board is wide."""
        return self._px_across(self.measures.checker, 0.0)

    def _px_across(self, cm: float, z: float) -> float:
        """How many px is seen what lies ``cm`` long across the middle of the board, ``z`` cm high."""
        ends = self.camera.project(np.array([[-cm / 2, 0, z], [cm / 2, 0, z]]))
        return float(np.linalg.norm(ends[0] - ends[1]))

    def resized(self, size: tuple[int, int]) -> Table | None:
        """The table in pictures of another ``size`` (width, height) px that show the same; None where their sides have another
        ratio, and so cannot."""
        w, h = self.camera.size
        scale = (size[0] / w, size[1] / h)
        return replace(self, camera=self.camera.resized(size, scale)) if abs(scale[0] / scale[1] - 1) <= SAME_RATIO else None

    def outlines(self) -> tuple[Array, ...]:
        """The trays in the picture, (4, 2) px each."""
        return tuple(self.camera.project(np.array([(x, y, 0.0) for x, y in tray])) for tray in self.trays)

    def in_tray(self, px: tuple[float, float]) -> bool:
        """Whether what is seen at ``px`` lies in a tray."""
        return any(cv2.pointPolygonTest(outline.astype(np.float32), px, measureDist=False) >= 0 for outline in self.outlines())


def carried_over(before: Table, now: Table) -> Callable[[tuple[float, float]], tuple[float, float]]:
    """Where a die that was seen at a place (px) of the board ``before`` is seen ``now``, by another camera or from another place."""
    wide, deep = (here / there for here, there in zip(now.measures.inner, before.measures.inner, strict=True))

    def to(px: tuple[float, float]) -> tuple[float, float]:
        x, y = before.camera.spot(px, before.measures.die)
        u, v = now.camera.project(np.array((wide * x, deep * y, now.measures.die))).tolist()
        return u, v

    return to


def column_of(point: int) -> tuple[int, int]:
    """The column 0..11 of near's ``point`` 1..24, 0 the outermost of the home side, and its way: 1 from near's rail on, -1 from far's."""
    return (point - 1, 1) if point <= 12 else (24 - point, -1)


def point_at(column: int, way: int) -> int:
    """Near's point of a column and a way, as `column_of` has them."""
    return column + 1 if way > 0 else 24 - column


class TrayError(Exception):
    """What was drawn cannot be a tray; the text says why and what to do."""


def tray_at(table: Table, corners: NDArray[Any]) -> Tray:
    """The tray that was drawn round ``corners`` (4, 2) px. Raises `TrayError` where no tray can be."""
    px = np.asarray(corners, np.float64)
    if px.shape != (4, 2) or not np.isfinite(px).all() or not cv2.isContourConvex(np.round(px * 16).astype(np.int32)):
        raise TrayError("the corners of the tray cross one another: drag them into a plain four-sided shape round it")
    cm = table.camera.on_plane(px, 0.0)
    again = table.camera.project(np.column_stack([cm, np.zeros(4)]))  # what lies above the horizon comes back elsewhere
    if np.abs(cm).max() > FAR_AWAY or np.abs(again - px).max() > 2.0:
        raise TrayError("a corner of the tray lies far behind the table: drag it to where the tray stands")
    sides = np.linalg.norm(cm - np.roll(cm, 1, axis=0), axis=1)
    if sides.min() < 2 * table.measures.die:
        raise TrayError("the tray is too small for two dice: drag its corners apart")
    w, h = table.measures.inner
    field = np.array([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]], np.float32)
    shared, _ = cv2.intersectConvexConvex(cm.astype(np.float32), field)
    if shared > OVERLAP * float(sides[0] * sides[1]):
        raise TrayError("the tray lies over the playing field: drag its corners to where the tower’s dice come to rest")
    return tray_of(cm)


def tray_of(corners: Iterable[Iterable[float]]) -> Tray:
    """A tray with these ``corners``, (4, 2) cm. Raises ValueError for any other number of them."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def with_trays_of(table: Table, before: Table) -> Table:
    """``table``, found anew, with the trays of the one before; turned with it when the players' sides were swapped."""
    axis = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    now, then = (np.diff(t.camera.project(axis), axis=0)[0] for t in (table, before))
    way = -1.0 if float(now @ then) < 0 else 1.0
    return replace(table, trays=tuple(tray_of((way * x, way * y) for x, y in tray) for tray in before.trays))
