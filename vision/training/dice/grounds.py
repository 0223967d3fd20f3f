"""Grounds to lay dice on: rectified fields of labelled pictures and drawn ones; and the cube's digits in many letterings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.dice.decoys import ornament
from vision.training.dice.scenes import NUMBERS, Rng, colour
from vision.training.labels import load_labels, start_of


def rectified(folder: Path, per_cm: float = 12.0) -> NDArray[Any]:
    """The set-up picture of ``folder`` seen from above, linear light."""
    labels = load_labels(folder)
    frame = start_of(labels)
    w, h = labels["board"]["inner_cm"]
    size = (int((w + 8) * per_cm), int((h + 8) * per_cm))
    m = 4 * per_cm
    to = np.array([[m, m], [size[0] - m, m], [size[0] - m, size[1] - m], [m, size[1] - m]], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(labels["board"]["corners_px"], np.float32), to)
    picture = cv2.imread(str(folder / frame["image"]))
    if picture is None:
        raise SystemExit(f"{folder / frame['image']} cannot be read")
    return linear(cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_AREA))


def linear(bgr: NDArray[Any]) -> NDArray[Any]:
    """BGR uint8 to linear RGB."""
    return np.ascontiguousarray(((bgr[..., ::-1] / 255.0) ** 2.2).astype(np.float32))


def drawn(rng: Rng) -> NDArray[Any]:
    """A plain, speckled, grained or striped ground with triangles, linear RGB."""
    n = 400
    base = np.ones((n, n, 3)) * colour(rng)
    for _ in range(int(rng.integers(0, 12))):
        x, w = rng.integers(0, n), rng.integers(25, 60)
        way = 1 if rng.random() < 0.5 else -1
        tip = n // 2 + way * int(rng.integers(0, 60))
        points = np.array([[x, 0 if way > 0 else n], [x + w, 0 if way > 0 else n], [x + w // 2, tip]], np.int32)
        cv2.fillPoly(base, [points], colour(rng).tolist(), cv2.LINE_AA)
        if rng.random() < 0.3:
            cv2.polylines(base, [points], True, colour(rng).tolist(), 1, cv2.LINE_AA)
    if rng.random() < 0.35:
        base = linear(ornament(rng, n, rng.uniform(14, 30))).astype(np.float64)
    kind = rng.random()
    if kind < 0.35:
        noise = cv2.GaussianBlur(rng.normal(0, 1, (n, n)), (0, 0), rng.uniform(0.6, 3))
    elif kind < 0.6:
        noise = cv2.GaussianBlur(rng.normal(0, 1, (n, n)), (0, 0), sigmaX=rng.uniform(8, 30), sigmaY=rng.uniform(0.6, 2))
    elif kind < 0.75:
        noise = -(cv2.GaussianBlur(rng.normal(0, 1, (n, n)), (0, 0), 1.5) > rng.uniform(0.2, 0.4)).astype(float)
    else:
        noise = np.zeros((n, n))
    if noise.std() > 0:
        noise = noise / noise.std() * rng.uniform(0.03, 0.25)
    return np.ascontiguousarray(np.clip(base * (1 + noise[..., None]), 0, 1).astype(np.float32))


def varied(ground: NDArray[Any], rng: Rng) -> NDArray[Any]:
    """The same ground in other colours."""
    mix = np.eye(3)[rng.permutation(3)] if rng.random() < 0.6 else np.eye(3)
    return np.ascontiguousarray(np.clip((ground @ mix.T) ** rng.uniform(0.6, 1.6) * rng.uniform(0.6, 1.4), 0, 1).astype(np.float32))


def grounds(folders: list[Path], rng: Rng, count: int = 150) -> list[NDArray[Any]]:
    """``count`` grounds, two in three from pictures where there are any."""
    real = [rectified(f) for f in folders]
    return [varied(real[int(rng.integers(len(real)))], rng) if real and rng.random() < 0.6 else drawn(rng) for _ in range(count)]


def glyphs(rng: Rng, fonts: list[Path], size: int = 64) -> NDArray[Any]:
    """The six numbers (6, size, size) in 0..1, in one lettering."""
    from PIL import Image, ImageDraw, ImageFont

    out = np.zeros((6, size, size))
    path = fonts[int(rng.integers(len(fonts)))]
    narrow, line = rng.uniform(0.7, 1.1), rng.random() < 0.1
    for i, number in enumerate(NUMBERS):
        font = ImageFont.truetype(str(path), 96)
        tile = Image.new("L", (320, 160))
        ImageDraw.Draw(tile).text((160, 80), str(number), 255, font=font, anchor="mm")
        ink = np.asarray(tile)
        ys, xs = np.nonzero(ink > 20)
        ink = ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        k = size * 0.62 / ink.shape[0]
        k = min(k, size * 0.85 / ink.shape[1] / narrow)
        ink = cv2.resize(ink, (max(1, int(ink.shape[1] * k * narrow)), max(1, int(ink.shape[0] * k))), interpolation=cv2.INTER_AREA)
        y, x = (size - ink.shape[0]) // 2, (size - ink.shape[1]) // 2
        out[i, y : y + ink.shape[0], x : x + ink.shape[1]] = ink / 255.0
        if line and number in (2, 4, 8):
            cv2.line(out[i], (size // 4, size - 6), (size * 3 // 4, size - 6), 1.0, 3)
    return out
