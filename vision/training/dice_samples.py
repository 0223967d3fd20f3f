"""Turns stored crops into varied network inputs: other scales, places, colours, sharpness, noise."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_crops import rotation, stretched
from vision.training.dice_label import CROP

Rng = np.random.Generator
PLANE = 0.01  # how far off the level plane is that set-up finds: of 61 boards squares came out 0.015 from square on average


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


def normal(x: NDArray[Any]) -> NDArray[Any]:
    """Mean 0, spread about 1 over the crop, planes first."""
    return np.ascontiguousarray(((x - x.mean()) / (x.std() + 8)).transpose(2, 0, 1))


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


def shape_of(quad: NDArray[Any], change: NDArray[Any]) -> tuple[float, float, float]:
    """How far a top face of which the corners ``quad`` (4, 2) are seen through ``change`` (2, 2) is from a square: how much wider than
    tall, how slanting, in -1..1, and 1 where that is known. None of it depends on how the die is turned about its own upright."""
    a, b = quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0]
    sides = change @ np.stack([a, b], 1)
    spread = sides @ sides.T
    size = float(spread[0, 0] + spread[1, 1])
    if size < 1e-6:
        return 0.0, 0.0, 0.0
    return float(spread[0, 0] - spread[1, 1]) / size, 2 * float(spread[0, 1]) / size, 1.0


def pictured(
    image: NDArray[Any], m: NDArray[Any], k: float, goal: NDArray[Any], middle: int, size: int, rng: Rng
) -> NDArray[Any]:
    """The stored crop ``image`` through ``m`` (2, 2), which makes it ``k`` times as large, with its middle at ``goal`` of ``middle`` px,
    as a camera with so few pixels, another light and its faults would show it; then ``size`` px square, float 0..255."""
    source = cv2.GaussianBlur(image, (0, 0), 0.45 / k) if k < 0.75 else image
    m = np.column_stack([m, goal - m @ np.array([CROP / 2, CROP / 2])])
    x = recolour(cv2.warpAffine(source, m, (middle, middle), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), rng)
    if rng.random() < 0.35:
        x = np.asarray(cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.1) * max(0.6, middle / size)), np.float32)
    if rng.random() < 0.12:
        n = int(rng.integers(2, 5))
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, int(rng.integers(n))), (n - 1, int(rng.integers(n))), 1, 1)
        x = np.asarray(cv2.filter2D(x, -1, kernel / max(kernel.sum(), 1e-6)), np.float32)
    x = worsen(x, rng)
    if middle != size:
        x = np.asarray(cv2.resize(x, (size, size), interpolation=cv2.INTER_LINEAR if middle < size else cv2.INTER_AREA), np.float32)
    return x


def sample(
    image: NDArray[Any], label: Any, rng: Rng, size: int, edge_in: float, edge_out: float, fine: tuple[float, float], square: bool
) -> tuple[Any, ...]:
    """One input (4, size, size) and its targets: centre offset in edges (2), log of the true edge by the assumed one.

    The last values: whether the elevation is told, whether the die was put beside the middle on purpose, its imitated edge, and the
    `shape_of` its top face.
    ``square`` makes crops of known elevation level as `Look.crop` does. ``fine`` is the range of the edge in camera pixels that is
    imitated.
    """
    known = label["elevation"] > 0 and rng.random() < 0.75
    spin = float(rng.normal(0, (3 if rng.random() < 0.7 else 12) if known else 25))  # from high above the vertical is badly known
    if not known and (label["elevation"] > 80 or label["elevation"] < 0) and rng.random() < 0.5:
        spin = float(rng.uniform(-180, 180))
    zoom = float(np.exp(rng.normal(0, 0.09 if known else 0.17)))
    if known and rng.random() < 0.35:  # dice and cubes are not always as large as checkers like these say
        zoom = float(np.exp(rng.uniform(math.log(0.72), math.log(1.5))))
    shift = rng.normal(0, 0.09, 2).clip(-0.25, 0.25)
    beside = label["kind"] == 1 and rng.random() < 0.06
    if beside or rng.random() < 0.25:  # a side face in the middle, or the die's shadow; far off it is not where the die is to be found
        way = rng.normal(-math.pi / 2, 0.5) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi)
        shift = rng.uniform(*((0.75, 1.0) if beside else (0.1, 0.5))) * np.array([math.cos(way), math.sin(way)])
    flip = rng.random() < 0.5 and label["kind"] != 2
    px = float(np.exp(rng.uniform(*np.log(fine))))
    middle = int(np.clip(round(size * px / edge_out), 24, size * 1.2))
    k = middle / size * edge_out / edge_in * zoom
    m = rotation(math.radians(spin)) * k
    if known and square:
        level = label["level"] if label["level"].any() else stretched(float(label["elevation"]))
        m = m @ (np.eye(2) + rng.normal(0, PLANE, (2, 2))) @ level
    if flip:
        m = np.diag([-1.0, 1.0]) @ m
    shape = shape_of(label["quad"], m)
    goal = middle / 2 + shift * edge_out * middle / size
    x = pictured(image, m, k, goal, middle, size, rng)
    told = float(np.clip(label["elevation"] + rng.normal(0, 3), 20, 90))  # set-up is a little off
    plane = np.full((1, size, size), math.sin(math.radians(told)) if known else 0.0, np.float32)
    return np.concatenate([normal(x), plane]), (shift[0], shift[1], np.log(zoom)), known, beside, px, shape
