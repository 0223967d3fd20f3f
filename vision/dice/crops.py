"""Where to look for one die: a place in the picture, how large a die is there and which way is up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Camera, Table

Matrix = tuple[tuple[float, float], tuple[float, float]]
FLATTEST = 0.45  # how much shorter than wide a level square may look and still be made square


@dataclass(frozen=True, slots=True)
class Look:
    """A place (px), a die's edge there (px, as seen face on), how far the vertical leans from the picture's (radians), the camera's
    elevation over it (degrees, None when unknown), and ``level``, which takes px to what a level plane there looks like from above, at
    the same scale and with the vertical upright (None when unknown)."""

    centre: tuple[float, float]
    edge: float
    lean: float
    elevation: float | None
    level: Matrix | None = None

    def upright(self, square: bool) -> NDArray[np.float64]:
        """(2, 2): takes px to px with the vertical upright; with ``square`` besides a flat die's top face to a square."""
        return np.array(self.level) if square and self.level is not None else rotation(self.lean)

    def turned(self, angle: float) -> Look:
        """The same, turned by so many radians."""
        level = None if self.level is None else _rows(rotation(angle) @ np.array(self.level))
        return replace(self, lean=self.lean + angle, level=level)

    def crop(self, image: NDArray[np.uint8], size: int, edge: float, square: bool = False) -> NDArray[np.uint8]:
        """``size`` px square with the die's edge at ``edge`` px, `upright`."""
        k, change = edge / self.edge, self.upright(square)
        if k < 0.6:  # much finer than needed: halve first, else warping would alias
            shrink = 2.0 ** math.floor(math.log2(1 / k / 0.83))
            reach = int(size / k) + 8
            x0, y0 = max(0, int(self.centre[0]) - reach), max(0, int(self.centre[1]) - reach)
            part = image[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
            if part.size:
                small = cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
                at = ((self.centre[0] - x0 + 0.5) / shrink - 0.5, (self.centre[1] - y0 + 0.5) / shrink - 0.5)
                return _warp(np.asarray(small, np.uint8), at, k * shrink * change, size)
        return _warp(image, self.centre, k * change, size)

    def back(self, x: float, y: float, size: int, edge: float, square: bool = False) -> tuple[float, float]:
        """A pixel of the crop, in the picture."""
        away = np.linalg.solve(self.upright(square), (x - size / 2, y - size / 2)) * self.edge / edge
        return self.centre[0] + float(away[0]), self.centre[1] + float(away[1])


def _warp(image: NDArray[np.uint8], centre: tuple[float, float], change: NDArray[np.float64], size: int) -> NDArray[np.uint8]:
    m = np.column_stack([change, size / 2 - change @ centre])
    return np.asarray(cv2.warpAffine(image, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def rotation(angle: float) -> NDArray[np.float64]:
    """(2, 2): turns by ``angle`` radians, from the first axis to the second."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def _rows(m: NDArray[np.float64]) -> Matrix:
    return (float(m[0, 0]), float(m[0, 1])), (float(m[1, 0]), float(m[1, 1]))


def look_at(table: Table, px: tuple[float, float], z: float, edge: float) -> Look:
    """For something whose top face's centre is seen at ``px`` and lies ``z`` cm over the field; ``edge`` its length in cm."""
    return look_from(table.camera, px, z, edge)


def look_from(camera: Camera, px: tuple[float, float], z: float, edge: float) -> Look:
    """The same, by the camera alone."""
    x, y = camera.spot(px, z)
    u, v, w = (camera.eye - (x, y, z)).tolist()
    far = math.hypot(u, v, w)
    elevation = math.degrees(math.asin(max(-1.0, min(1.0, w / far))))
    level_part = math.hypot(u, v)
    above = level_part < 0.02 * far  # the vertical has no direction in the picture
    side = (1.0, 0.0, 0.0) if level_part < 1e-6 * far else (v / level_part, -u / level_part, 0.0)  # level, and across the line of sight
    half = edge / 2 * np.array([side, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
    ends = camera.project(np.concatenate([half, -half]) + (x, y, z))
    across, right, away, up = ends[:4] - ends[4:]
    length = math.hypot(*across)
    lean = 0.0 if above else -math.atan2(float(up[0]), -float(up[1]))
    level = levelled(np.column_stack([right, away]), length, None if above else up)
    if level is None:
        level = stretched(elevation) @ rotation(lean)
    return Look((float(px[0]), float(px[1])), max(1.0, length), lean, elevation, _rows(level))


def stretched(elevation: float) -> NDArray[np.float64]:
    """(2, 2): makes a level square square that is seen upright from an ``elevation`` (degrees), where nothing more is known."""
    return np.diag([1.0, 1 / max(FLATTEST, math.sin(math.radians(elevation)))])


def levelled(plane: NDArray[np.float64], length: float, up: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """(2, 2): takes px to the level plane seen from above, where a die's edge is ``length`` px and the vertical, ``up`` (2,) px in the
    picture, is upright; where it has no direction (None) nothing is turned. ``plane`` (2, 2): px that a die's edge to the board's right
    and one away from near are long. None where the plane is seen too flat.

    What is seen of a level square depends on the plane alone, which set-up finds well, and hardly on how far off and how wide the camera
    is, which it finds badly: the elevation is not asked."""
    (a, b), (c, d) = plane.tolist()
    most, least = math.hypot(a + d, c - b), math.hypot(a - d, c + b)  # sum and difference of the singular values
    if not abs(most - least) > FLATTEST * (most + least):
        return None
    level = length / (a * d - b * c) * np.array([[d, -b], [c, -a]])  # the inverse, its second axis turned: pixels go down
    if up is None:
        angle = -math.atan2(level[1, 0] - level[0, 1], level[0, 0] + level[1, 1])
    else:
        over = level @ up
        angle = -math.atan2(float(over[0]), -float(over[1]))
    return np.asarray(rotation(angle) @ level)
