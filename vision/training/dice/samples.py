"""What is done to stored pictures of dice before a net is shown them: other colours, noise, fingers and lamps' mirror images."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.dice.label import CROP

Rng = np.random.Generator


def recolour(image: NDArray[Any], rng: Rng) -> NDArray[Any]:
    """Other light and, at times, other colours; float 0..255."""
    x: Any = image.astype(np.float32)
    if rng.random() < 0.3:
        x = x[..., rng.permutation(3)]
    if rng.random() < 0.06:
        x = 255 - x
    if rng.random() < 0.2:
        hsv = cv2.cvtColor(np.clip(x, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
        x = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    if rng.random() < 0.1:
        x = np.repeat(x.mean(2, keepdims=True), 3, 2)
    x = 255 * np.clip(x / 255, 0, 1) ** rng.uniform(0.65, 1.5)
    x = x * (1 + rng.normal(0, 0.06, 3)) * rng.uniform(0.6, 1.35) + rng.normal(0, 8)
    if rng.random() < 0.1:  # too bright: light dice wash out
        x = np.minimum(x * (rng.uniform(235, 330) / max(60.0, float(np.percentile(x, 98)))), 255)
    return np.asarray(x, np.float32)


def worsen(x: Any, rng: Rng) -> NDArray[Any]:
    """Noise and JPEG, at times much of it."""
    if rng.random() < 0.1:  # pips that hardly differ from the die: what is left of them must stand out from the noise
        x = x.mean() + (x - x.mean()) * rng.uniform(0.25, 0.7)
    if rng.random() < 0.6:
        x = x + rng.normal(0, rng.uniform(0.5, 7) if rng.random() < 0.85 else rng.uniform(7, 16), x.shape).astype(np.float32)
    x = np.clip(x, 0, 255)
    if rng.random() < 0.4:
        _, data = cv2.imencode(".jpg", x.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))])
        x = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32)
    return np.asarray(x, np.float32)


def covered(image: NDArray[Any], rng: Rng, edge: float) -> tuple[NDArray[Any], float]:
    """The crop with fingers or a sleeve laid over it, and how much of a die or cube of ``edge`` px in its middle they hide."""
    mask = np.zeros((CROP, CROP), np.uint8)
    way, wide = rng.uniform(0, 2 * math.pi), edge * rng.uniform(0.35, 0.9)
    along, beside = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    skin = np.array([rng.uniform(0.45, 0.8), rng.uniform(0.6, 0.85), 1.0]) * rng.uniform(40, 245)  # B, G, R
    hue = skin if rng.random() < 0.75 else rng.uniform(0, 255, 3)
    first = CROP / 2 + beside * rng.normal(0, 0.5) * edge + along * rng.uniform(0, 1) * edge
    shade = np.zeros((CROP, CROP), np.float32)
    for k in range(int(rng.integers(1, 5))):
        tip = first + beside * wide * 1.02 * k + along * rng.normal(0, 0.3) * edge
        end = tip - along * 2 * CROP + beside * rng.normal(0, 10)
        here = np.zeros_like(mask)
        cv2.line(here, (int(tip[0]), int(tip[1])), (int(end[0]), int(end[1])), 255, int(wide), cv2.LINE_AA)
        round_ = cv2.GaussianBlur(here, (0, 0), wide / 4).astype(np.float32) / 255
        shade = np.where(here > 127, round_, shade)
        mask = np.maximum(mask, here)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (CROP, CROP)).astype(np.float32), (0, 0), rng.uniform(0.7, 3)) * rng.uniform(0, 12)
    hand = np.clip(hue * (0.35 + 0.75 * shade[..., None]) + noise[..., None], 0, 255)
    alpha = mask[..., None] / 255.0
    low, high = int(CROP / 2 - edge / 2), int(CROP / 2 + edge / 2)
    return np.asarray(image * (1 - alpha) + hand * alpha, np.uint8), float(alpha[low:high, low:high].mean())


def glare(image: NDArray[Any], quad: NDArray[Any], rng: Rng, edge: float) -> NDArray[Any]:
    """A lamp or a window mirrored in a die's slightly bulging top face, and nowhere else: arcs, streaks, spots, a window. ``quad`` (4, 2)
    px are the face's corners, all alike where they are not known; the die's ``edge`` is in px."""
    inside = np.zeros((CROP, CROP), np.uint8)
    middle = quad.mean(0)
    if np.ptp(quad) > 1:
        cv2.fillPoly(inside, [np.round(middle + (quad - middle) * rng.uniform(0.9, 1.05)).astype(np.int32)], 255, cv2.LINE_AA)
    else:
        cv2.circle(inside, (round(float(middle[0])), round(float(middle[1]))), round(edge * 0.52), 255, -1, cv2.LINE_AA)
    light = np.zeros((CROP, CROP), np.uint8)
    kind, thick = int(rng.integers(4)), max(1, round(edge * rng.uniform(0.03, 0.13)))
    for _ in range(int(rng.integers(1, 4 if kind == 2 else 3))):
        at = middle + rng.normal(0, 0.22, 2) * edge
        centre, turn = (round(float(at[0])), round(float(at[1]))), float(rng.uniform(0, 360))
        if kind < 2:  # arcs of lamps like rings, and nearly straight ones
            radius = edge * (rng.uniform(0.2, 0.5) if kind == 0 else rng.uniform(0.6, 2.0))
            spread = float(rng.uniform(50, 340) if kind == 0 else rng.uniform(15, 60))
            if kind == 1:
                away = np.array([np.cos(np.radians(turn + spread / 2)), np.sin(np.radians(turn + spread / 2))]) * radius
                centre = (round(float(at[0] - away[0])), round(float(at[1] - away[1])))
            axes = (round(radius), max(1, round(radius * (rng.uniform(0.55, 1.0) if kind == 0 else 1.0))))
            cv2.ellipse(light, centre, axes, 0.0 if kind else float(rng.uniform(0, 180)), turn, turn + spread, 255, thick, cv2.LINE_AA)
        elif kind == 2:
            cv2.ellipse(light, (centre, tuple(edge * rng.uniform(0.06, 0.35, 2)), turn), 255, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((tuple(at), tuple(edge * rng.uniform(0.15, 0.6, 2)), turn))
            cv2.fillPoly(light, [np.round(box).astype(np.int32)], 255, cv2.LINE_AA)
            if rng.random() < 0.5:  # its bars
                ends = np.round((box + np.roll(box, -1, 0)) / 2).astype(int)
                for k in (0, 1):
                    cv2.line(light, tuple(ends[k].tolist()), tuple(ends[k + 2].tolist()), 0, max(1, thick // 3), cv2.LINE_AA)
    soft = cv2.GaussianBlur(np.minimum(light, inside), (0, 0), max(0.5, edge * rng.uniform(0.01, 0.06)))
    share = soft.astype(np.float32)[..., None] / 255
    lamp = rng.uniform(170, 255) * np.array([1, 1, 1] + rng.normal(0, 0.05, 3))
    return np.asarray(np.clip(image + share * rng.uniform(0.35, 1.0) * (lamp - image), 0, 255), np.uint8)
