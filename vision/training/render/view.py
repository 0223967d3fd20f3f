"""Cameras: pinhole with radial distortion in OpenCV's convention, fitted to the board; numpy only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .paint import Array
from .spec import BoardSpec, ViewSpec


@dataclass(frozen=True, eq=False)
class Cam:
    """``k`` 3x3 px, ``dist`` (k1 k2 p1 p2 k3), ``r``, ``t`` board frame to camera (cm), ``size`` (w, h) px."""

    k: Array
    dist: Array
    r: Array
    t: Array
    size: tuple[int, int]

    def project(self, xyz: Array) -> Array:
        """Board frame (..., 3) to pixels (..., 2)."""
        p = np.asarray(xyz, float) @ self.r.T + self.t
        n = distort(p[..., :2] / p[..., 2:3], self.dist)
        return np.asarray(n * (self.k[0, 0], self.k[1, 1]) + (self.k[0, 2], self.k[1, 2]))

    def in_picture(self, xyz: Array) -> Array:
        """Which of the points (n, 3) lie within the picture, (n,) bool."""
        at = self.project(xyz)
        return np.asarray(((at >= 0) & (at <= np.array(self.size) - 1)).all(-1))

    @property
    def eye(self) -> Array:
        return np.asarray(-self.r.T @ self.t)

    def scaled(self, by: float) -> Cam:
        """The same camera with another number of pixels, without distortion."""
        size = (round(self.size[0] * by), round(self.size[1] * by))
        s = np.diag([size[0] / self.size[0], size[0] / self.size[0], 1.0])
        k = s @ self.k
        return Cam(k, np.zeros(5), self.r, self.t, size)


def distort(n: Array, dist: Array) -> Array:
    """Normalised image coordinates (..., 2) through OpenCV's five-term model."""
    x, y = n[..., 0], n[..., 1]
    r2 = x * x + y * y
    k1, k2, p1, p2, k3 = dist
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.stack([x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y], -1)


def undistort(n: Array, dist: Array) -> Array:
    """The inverse of `distort`, by fixed-point iteration."""
    out = n.copy()
    for _ in range(12):
        out = out + (n - distort(out, dist))
    return out


def outline(board: BoardSpec) -> Array:
    """The board's outer corners (8, 3): top of the rails and foot."""
    left = board.inner[0] / 2 + board.rail_width + (board.trays[0] + board.rail_width if board.trays[0] else 0)
    right = board.inner[0] / 2 + board.rail_width + (board.trays[1] + board.rail_width if board.trays[1] else 0)
    y = board.inner[1] / 2 + board.rail_width
    return np.array([(x, s * y, z) for z in (board.rail_height, -board.base) for x in (-left, right) for s in (-1, 1)])


def field_corners(board: BoardSpec) -> Array:
    """Inner playing field, on its surface: far-left, far-right, near-right, near-left."""
    x, y = board.inner[0] / 2, board.inner[1] / 2
    return np.array([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])


def _pose(view: ViewSpec, target: Array, distance: float) -> tuple[Array, Array]:
    tilt, az = np.radians(view.tilt), np.radians(view.azimuth)
    back = np.array([np.sin(tilt) * np.sin(az), -np.sin(tilt) * np.cos(az), np.cos(tilt)])  # from the target to the eye
    up = np.array([-np.sin(az), np.cos(az), 0.0])
    forward = -back
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = np.radians(view.roll)
    right, down = np.cos(roll) * right + np.sin(roll) * down, -np.sin(roll) * right + np.cos(roll) * down
    r = np.stack([right, down, forward])
    return r, -r @ (target + back * distance)


def place_camera(board: BoardSpec, view: ViewSpec, size: tuple[int, int]) -> Cam:
    """Puts the camera where the board fills ``view.fill`` of the frame, moved off the middle by ``view.shift`` (-1..1 of the room left)."""
    w, h = size
    f = w / 2 / np.tan(np.radians(view.fov) / 2)
    k = np.array([[f, 0, w / 2 - 0.5], [0, f, h / 2 - 0.5], [0, 0, 1.0]])
    box = outline(board)
    dist = np.array(view.dist)
    target = np.array([(box[:, 0].min() + box[:, 0].max()) / 2, 0.0, 0.0])
    distance = 100.0
    cam = Cam(k, dist, *_pose(view, target, distance), size)
    for _ in range(25):
        px = cam.project(box)
        lo, hi = px.min(0), px.max(0)
        share = float(((hi - lo) / (w, h)).max())
        distance *= float(np.clip(share / view.fill, 0.7, 1.4)) ** 0.9
        want = np.array([w, h]) / 2 + np.array(view.shift) * (np.array([w, h]) * 0.98 - (hi - lo)).clip(0) / 2
        off = (want - (lo + hi) / 2) * distance / f  # cm at the target
        target = target - cam.r[0] * off[0] - np.array([cam.r[1][0], cam.r[1][1], 0]) * off[1]
        target[2] = 0.0
        cam = Cam(k, dist, *_pose(view, target, distance), size)
    return cam
