"""Whether a die stands on a checker: is there a checker's round rim about it?"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Table

PER_CM = 10.0
ANGLES = 40
STEP = 12.0  # grey levels a pixel that count as a clear edge


@cache
def _rings(radius: float, reach: float, side: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Candidate rims about the middle of a patch ``side`` px wide: where their points lie in it, flat (c, a), how far these are from
    its middle, px (c, a), and the outward directions (a, 2)."""
    way = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    out = np.stack([np.cos(way), np.sin(way)], 1)
    grid = np.arange(-reach, reach + 0.1, 2.0)
    centres = np.array([(x, y) for x in grid for y in grid if x * x + y * y <= reach * reach])
    points = np.concatenate([centres[:, None] + out[None] * radius * k for k in (0.93, 1.0)])
    at = np.clip(np.rint(points + side / 2).astype(np.intp), 1, side - 2)
    return at[..., 1] * side + at[..., 0], np.hypot(points[..., 0], points[..., 1]), out.astype(np.float32)


def rim_score(image: NDArray[np.uint8], centre: tuple[float, float], table: Table) -> float:
    """0..1, how much of a checker's rim is seen about the die whose top face's centre is at ``centre`` px.

    The place is looked at from above on the plane of a checker's top; a checker under the die has its centre within a radius of it,
    a neighbour's is further away. Rim points hidden by the die itself are left out.
    """
    m = table.measures
    z = m.checker_height
    x, y = table.camera.spot(centre, z + m.die)
    radius = m.checker / 2
    half = radius * 1.95
    corners = np.array([[x - half, y + half, z], [x + half, y + half, z], [x + half, y - half, z], [x - half, y - half, z]])
    px = table.camera.project(corners).astype(np.float32)
    n = int(2 * half * PER_CM)
    to = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32)
    patch = cv2.warpPerspective(image, cv2.getPerspectiveTransform(px, to), (n, n), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    patch = cv2.GaussianBlur(patch, (0, 0), 1.2).astype(np.float32)
    gx = (np.roll(patch, -1, 1) - np.roll(patch, 1, 1)) / 2
    gy = (np.roll(patch, -1, 0) - np.roll(patch, 1, 0)) / 2
    at, away, out = _rings(round(radius * PER_CM, 1), round(0.8 * radius * PER_CM, 1), n)
    best = across = np.float32(0)
    for channel in range(3):
        sx, sy = gx[..., channel].ravel()[at], gy[..., channel].ravel()[at]
        best = np.maximum(best, np.abs(sx * out[:, 0] + sy * out[:, 1]))
        across = np.maximum(across, np.abs(sx * out[:, 1] - sy * out[:, 0]))
    aligned = best / (best + across + 2)
    seen = away > 0.85 * m.die * PER_CM
    strength = np.clip(best / STEP, 0, 1) * np.clip((aligned - 0.5) * 2.5, 0, 1) * seen
    return float((strength.sum(1) / np.maximum(seen.sum(1), ANGLES / 3)).max())
