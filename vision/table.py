"""The board on its table as one camera sees it: the camera's pose, the board's measures and the seats.

Board frame, in centimetres: origin at the centre of the playing field on its surface, x to the near player's right,
y away from him, z up from the surface. Pixels are (x right, y down).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import Half

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera with distortion. ``matrix`` 3x3 px, ``dist`` (k1 k2 p1 p2 k3), ``size`` (width, height) px;
    a point X of the board frame lies at ``rotation @ X + translation`` (cm) before the camera."""

    matrix: Array
    dist: Array
    rotation: Array
    translation: Array
    size: tuple[int, int]

    def project(self, xyz: NDArray[Any]) -> Array:
        """Board frame (..., 3) cm to pixels (..., 2)."""
        points = np.asarray(xyz, np.float64)
        flat = points.reshape(-1, 1, 3)
        rvec, _ = cv2.Rodrigues(self.rotation)
        px, _ = cv2.projectPoints(flat, rvec, self.translation, self.matrix, self.dist)
        return np.asarray(px, np.float64).reshape(*points.shape[:-1], 2)

    def on_plane(self, px: NDArray[Any], z: float) -> Array:
        """Pixels (..., 2) to board-frame (..., 2) cm where their rays meet the height ``z`` cm."""
        pixels = np.asarray(px, np.float64)
        rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.matrix, self.dist).reshape(-1, 2)
        direction = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        eye = -self.rotation.T @ self.translation.reshape(3)
        step = (z - eye[2]) / direction[:, 2]
        return np.asarray(eye[:2] + step[:, None] * direction[:, :2]).reshape(*pixels.shape[:-1], 2)

    @property
    def eye(self) -> Array:
        """The camera's own place in the board frame, cm."""
        return np.asarray(-self.rotation.T @ self.translation.reshape(3))


@dataclass(frozen=True, slots=True)
class Measures:
    """The board's measures in cm. ``inner`` (width, height) of the playing field inside the rails, bar included.
    ``border`` is the gap between the rail and the point's base, ``bar`` the bar's whole width, ``pitch`` the
    distance between neighbouring points' centre lines."""

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


@dataclass(frozen=True, eq=False)
class Table:
    """All that set-up finds: camera, measures, side of the near player's home, both players' checker colours.

    ``home`` is the half that holds the near player's home board. Colours are linear-free mean sRGB (r, g, b) 0..255
    of the checkers' tops under the set-up's light. ``tray`` outlines, if any, are board-frame boxes (x0, y0, x1, y1) cm.
    """

    camera: Camera
    measures: Measures
    home: Half
    near_rgb: tuple[float, float, float]
    far_rgb: tuple[float, float, float]
    trays: tuple[tuple[float, float, float, float], ...] = ()

    def point_base(self, point: int) -> tuple[float, float, float]:
        """Near's ``point`` 1..24: (x, y, way) cm, the middle of its base at the rail and the sign of y towards its tip."""
        m = self.measures
        column = point - 1 if point <= 12 else 24 - point  # 0 = the outermost column of the home side
        half_width = (m.inner[0] - m.bar) / 2
        slack = (half_width - 6 * m.pitch) / 2
        along = slack + (column % 6 + 0.5) * m.pitch  # from the outer edge of its half, towards the other half
        x = m.inner[0] / 2 - along if column < 6 else -m.bar / 2 - along
        if self.home is Half.LEFT:
            x = -x
        edge = m.inner[1] / 2 - m.border
        return (x, -edge, 1.0) if point <= 12 else (x, edge, -1.0)

    def checker_centre(self, point: int, index: int, layer: int = 0) -> tuple[float, float, float]:
        """Where the top of the ``index``-th checker (0 = at the rail) of a neat column has its centre, in cm."""
        x, y, way = self.point_base(point)
        m = self.measures
        return x, y + way * (index + 0.5) * m.checker, (layer + 1) * m.checker_height
