"""Random colours and materials of boards and checkers, as rows of `checkers.trace`."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.training.checkers import trace
from vision.training.checkers.textures import TEXTURES

Rng = np.random.Generator


def material(rng: Rng, rgb: Any, **more: float) -> list[float]:
    """One material row; colours are sRGB 0..1."""
    row = [0.0] * trace.MATERIAL
    base = np.clip(np.asarray(rgb, float), 0.01, 0.98)
    second = np.clip(base * rng.uniform(0.55, 1.5) + rng.uniform(-0.08, 0.08, 3), 0.01, 0.98)
    row[0:3], row[3:6] = list(base**2.2), list(second**2.2)
    row[trace.TEX], row[trace.TSCALE] = float(rng.integers(0, TEXTURES)), float(rng.uniform(2, 14))
    row[trace.AMOUNT] = float(rng.choice([0, 0.3, 0.7, 1.0]))
    if rng.random() < 0.6:
        row[trace.GLOSS], row[trace.SHINE] = float(rng.uniform(0.05, 1.2)), float(10 ** rng.uniform(0.8, 2.4))
    for key, value in more.items():
        row[getattr(trace, key)] = value
    return row


def colour(rng: Rng) -> Any:
    """An sRGB colour as boards have them: greys, woods, and plain strong colours."""
    style = rng.random()
    if style < 0.3:
        return np.full(3, rng.choice([rng.uniform(0.03, 0.2), rng.uniform(0.75, 0.97)])) + rng.uniform(-0.04, 0.04, 3)
    if style < 0.55:
        return np.array([0.95, 0.68, 0.42]) * rng.uniform(0.2, 1.0) + rng.uniform(-0.05, 0.08, 3)
    hsv = np.array([[[rng.integers(0, 180), rng.integers(90, 255), rng.integers(40, 245)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] / 255.0


def apart(rng: Rng, others: list[Any], gap: float) -> Any:
    for _ in range(60):
        c = colour(rng)
        if all(np.linalg.norm(c - o) > gap for o in others):
            return c
    return 1 - others[0]
