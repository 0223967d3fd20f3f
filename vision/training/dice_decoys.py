"""Drawn things that are no dice though they have dots or a die's outline: hinges, screws, clocks, lettering, gaps between checkers."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.dice_make import CROP, LABEL, NOTHING

Rng = np.random.Generator


def tint(rng: Rng) -> tuple[float, float, float]:
    b, g, r = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.clip(rng.uniform(0, 255) + rng.normal(0, 15, 3), 0, 255)
    return float(b), float(g), float(r)


def ground(rng: Rng, n: int) -> NDArray[Any]:
    x = np.ones((n, n, 3)) * tint(rng)
    if rng.random() < 0.5:
        points = rng.uniform(0, n, (3, 2)).astype(np.int32)
        cv2.fillPoly(x, [points], tint(rng), cv2.LINE_AA)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (n, n)), (0, 0), rng.uniform(0.5, 3))
    return np.asarray(np.clip(x + (noise / noise.std() * rng.uniform(0, 22))[..., None], 0, 255), np.uint8)


def hinge(rng: Rng, x: NDArray[Any]) -> None:
    """Two leaves with screws on either side of a line."""
    n = x.shape[0]
    half, tall, metal = rng.uniform(0.1, 0.3) * n, rng.uniform(0.15, 0.5) * n, tint(rng)
    middle = n / 2 + rng.normal(0, n / 10, 2)
    low, high = (middle - (half, tall)).astype(int), (middle + (half, tall)).astype(int)
    cv2.rectangle(x, (int(low[0]), int(low[1])), (int(high[0]), int(high[1])), metal, -1, cv2.LINE_AA)
    cv2.line(x, (int(middle[0]), 0), (int(middle[0]), n), tint(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
    screw, rows, size = tint(rng), int(rng.integers(1, 5)), rng.uniform(0.015, 0.05) * n
    for side in (-0.55, 0.55):
        for k in range(rows):
            at = middle + (side * half, ((k + 0.5) / rows * 2 - 1) * tall * 0.85)
            cv2.circle(x, tuple(int(v) for v in at), max(1, int(size)), screw, -1, cv2.LINE_AA)


def display(rng: Rng, x: NDArray[Any]) -> None:
    """A clock's figures, or lettering."""
    n = x.shape[0]
    text = "".join(rng.choice(list("0123456789:.-AbgBL"), int(rng.integers(1, 5))))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_PLAIN]))
    scale, thick = rng.uniform(0.6, 3) * n / 96, int(rng.integers(1, 7))
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    if rng.random() < 0.6:
        cv2.rectangle(x, (int(n / 2 - w * 0.7), int(n / 2 - h)), (int(n / 2 + w * 0.7), int(n / 2 + h)), tint(rng), -1)
    cv2.putText(x, text, (int((n - w) / 2 + rng.normal(0, w / 6)), int((n + h) / 2)), font, scale, tint(rng), thick, cv2.LINE_AA)


def gap(rng: Rng, x: NDArray[Any]) -> None:
    """Round checkers side by side: what is left between four of them looks like a small square."""
    n = x.shape[0]
    radius = rng.uniform(0.3, 0.6) * n
    colours = [tint(rng), tint(rng)]
    step = 2 * radius * rng.uniform(0.97, 1.1)
    middle = n / 2 + rng.normal(0, n / 12, 2)
    for i in (-0.5, 0.5, 1.5):
        for j in (-0.5, 0.5, -1.5):
            if rng.random() < 0.88:
                at = tuple(int(v) for v in middle + step * np.array([i, j]) + rng.normal(0, radius * 0.05, 2))
                face = np.array(colours[0] if rng.random() < 0.75 else colours[1])
                cv2.circle(x, (at[0] + 1, at[1] + 2), int(radius), (face * 0.4).tolist(), -1, cv2.LINE_AA)
                cv2.circle(x, at, int(radius), face.tolist(), -1, cv2.LINE_AA)
                cv2.circle(
                    x, at, int(radius * 0.75), np.clip(face * rng.uniform(0.8, 1.2), 0, 255).tolist(), int(rng.integers(1, 4)), cv2.LINE_AA
                )


def decoys(rng: Rng, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """``count`` crops of nothing with their labels."""
    images, labels = np.zeros((count, CROP, CROP, 3), np.uint8), np.zeros(count, LABEL)
    for i in range(count):
        x = ground(rng, 144)
        (hinge, display, gap)[int(rng.integers(3))](rng, x)
        m = cv2.getRotationMatrix2D((72, 72), float(rng.uniform(0, 360)), float(rng.uniform(0.6, 1.1)))
        m = np.column_stack([m[:, :2], m[:, 2] + CROP / 2 - 72])
        images[i] = cv2.warpAffine(x, m, (CROP, CROP), borderMode=cv2.BORDER_REFLECT_101)
    labels["kind"], labels["tilt"], labels["support"], labels["touch"], labels["quad"] = NOTHING, -1, -1, -1, CROP / 2
    labels["elevation"] = rng.uniform(40, 89, count)
    return images, labels
