"""Where to look for one die: a place in the picture, how large a die is there and which way is up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Table


@dataclass(frozen=True, slots=True)
class Look:
    """A place (px), a die's edge there (px, as seen face on), how far the vertical leans from the picture's (radians), and the
    camera's elevation over it (degrees, None when unknown)."""

    centre: tuple[float, float]
    edge: float
    lean: float
    elevation: float | None

    @property
    def stretch(self) -> float:
        """What makes a flat die's top face square again where the elevation is known."""
        return 1.0 if self.elevation is None else 1 / max(0.45, math.sin(math.radians(self.elevation)))

    def crop(self, image: NDArray[np.uint8], size: int, edge: float, square: bool = False) -> NDArray[np.uint8]:
        """``size`` px square with the die's edge at ``edge`` px and the vertical upright; with ``square`` stretched along it so that
        the top face of a flat die is square."""
        k, tall = edge / self.edge, self.stretch if square else 1.0
        if k < 0.6:  # much finer than needed: halve first, else warping would alias
            shrink = 2.0 ** math.floor(math.log2(1 / k / 0.83))
            if shrink >= 2:
                reach = int(size / k) + 8
                x0, y0 = max(0, int(self.centre[0]) - reach), max(0, int(self.centre[1]) - reach)
                part = image[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
                if part.size:
                    small = cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
                    at = ((self.centre[0] - x0 + 0.5) / shrink - 0.5, (self.centre[1] - y0 + 0.5) / shrink - 0.5)
                    return _warp(np.asarray(small, np.uint8), at, k * shrink, self.lean, size, tall)
        return _warp(image, self.centre, k, self.lean, size, tall)

    def back(self, x: float, y: float, size: int, edge: float, square: bool = False) -> tuple[float, float]:
        """A pixel of the crop, in the picture."""
        k = self.edge / edge
        c, s = math.cos(self.lean) * k, math.sin(self.lean) * k
        dx, dy = x - size / 2, (y - size / 2) / (self.stretch if square else 1.0)
        return self.centre[0] + c * dx + s * dy, self.centre[1] - s * dx + c * dy


def _warp(image: NDArray[np.uint8], centre: tuple[float, float], k: float, lean: float, size: int, tall: float) -> NDArray[np.uint8]:
    c, s = math.cos(lean) * k, math.sin(lean) * k
    x, y = centre
    m = np.array([[c, -s, size / 2 - c * x + s * y], [s * tall, c * tall, size / 2 - (s * x + c * y) * tall]])
    return np.asarray(cv2.warpAffine(image, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def look_at(table: Table, px: tuple[float, float], z: float, edge: float) -> Look:
    """For something whose top face's centre is seen at ``px`` and lies ``z`` cm over the field; ``edge`` its length in cm."""
    camera = table.camera
    x, y = camera.on_plane(np.array(px), z)
    eye = camera.eye
    at = np.array([x, y, z])
    ray = eye - at
    far = float(np.linalg.norm(ray))
    elevation = math.degrees(math.asin(max(-1.0, min(1.0, float(ray[2]) / far))))
    ends = camera.project(np.array([[x, y, z - edge / 2], [x, y, z + edge / 2]]))
    up = ends[1] - ends[0]
    side = np.array([ray[1], -ray[0], 0.0]) / far  # level, and across the line of sight
    norm = float(np.linalg.norm(side))
    side = np.array([1.0, 0, 0]) if norm < 1e-6 else side / norm
    width = camera.project(np.array([at - side * edge / 2, at + side * edge / 2]))
    length = float(np.linalg.norm(width[1] - width[0]))
    lean = math.atan2(float(up[0]), -float(up[1])) if norm > 0.02 else 0.0
    return Look((float(px[0]), float(px[1])), max(1.0, length), -lean, elevation)
