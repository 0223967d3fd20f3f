"""Drawn things that are no dice though they have dots or a die's outline: hinges, screws, clocks, lettering,
inlays, figures on blocks, gaps between checkers."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.dice.label import CROP, LABEL, NOTHING

Rng = np.random.Generator
Colour = tuple[float, float, float]  # B, G, R 0..255
WOODS = np.array([(205, 165, 105), (170, 120, 70), (120, 75, 40), (70, 42, 25), (35, 25, 20), (225, 205, 160), (60, 90, 75), (140, 55, 40)])


def tint(rng: Rng) -> Colour:
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


def wood(rng: Rng) -> Colour:
    """Light and dark woods, ivory, black, and the dull greens and reds of stained inlays."""
    r, g, b = WOODS[int(rng.integers(len(WOODS)))] * rng.uniform(0.75, 1.2) + rng.normal(0, 8, 3)
    return float(np.clip(b, 0, 255)), float(np.clip(g, 0, 255)), float(np.clip(r, 0, 255))


def ornament(rng: Rng, n: int, unit: float, middle: bool = False) -> NDArray[Any]:
    """Inlaid woodwork, ``n`` px square: bands of little tiles, braids, chequers, nested diamonds, stars. ``unit`` px is about a die's
    edge; with ``middle`` it passes near the picture's middle."""
    x = ground(rng, n)
    pick = wood if rng.random() < 0.6 else tint
    if pick is wood:
        plank = np.array(wood(rng))
        grain = cv2.GaussianBlur(rng.normal(0, 1, (n, n)), (0, 0), sigmaX=rng.uniform(0.6, 2), sigmaY=rng.uniform(8, 30))
        x[:] = np.clip(plank * (1 + rng.uniform(0, 0.25) * (grain / grain.std())[..., None]), 0, 255)
    colours = [pick(rng) for _ in range(int(rng.integers(2, 6)))]
    dark, light = pick(rng), pick(rng)
    for _ in range(int(rng.integers(1, 4))):
        kind, at = rng.random(), n / 2 + rng.normal(0, 0.5 * unit, 2) if middle else rng.uniform(0, n, 2)
        if kind < 0.25:
            braid(rng, x, float(at[0]), unit, dark, light)
        elif kind < 0.5:
            band(rng, x, float(at[0]), unit, colours, dark)
        elif kind < 0.6:
            cells, step = int(rng.integers(2, 9)), unit * rng.uniform(0.15, 0.6)
            for i in range(cells):
                for j in range(cells):
                    low = at + (np.array([i, j]) - cells / 2) * step
                    cell = colours[(i + j) % 2] if rng.random() < 0.95 else light
                    cv2.rectangle(x, _whole(low), _whole(low + step), cell, -1)
        elif kind < 0.8:
            reach, rings, shape = unit * rng.uniform(0.5, 3.5), int(rng.integers(1, 6)), rng.uniform(0.6, 1.7)
            for k in range(rings):
                r = reach * (1 - k / rings)
                corners = at + r * np.array([[1, 0], [0, shape], [-1, 0], [0, -shape]])
                cv2.fillPoly(x, [corners.astype(np.int32)], colours[k % len(colours)], cv2.LINE_AA)
                for t in np.arange(0, 1, 0.2 * unit / r) if rng.random() < 0.4 else ():
                    for p, q in zip(corners, np.roll(corners, 1, 0), strict=True):
                        cv2.circle(x, _whole(p + (q - p) * t), max(1, int(unit * 0.08)), light, -1, cv2.LINE_AA)
        else:
            reach, arms = unit * rng.uniform(0.4, 1.6), int(rng.choice([4, 6, 8]))
            turn = rng.uniform(0, 1)
            for k in range(arms):
                way = 2 * np.pi * (k + np.array([turn - 0.5, turn, turn + 0.5])) / arms
                far = reach * np.array([0.45, 1.0, 0.45])
                rim = at + np.column_stack([np.cos(way), np.sin(way)]) * far[:, None]
                cv2.fillPoly(x, [np.vstack([rim, at]).astype(np.int32)], colours[k % len(colours)], cv2.LINE_AA)
            if rng.random() < 0.6:
                cv2.circle(x, _whole(at), int(reach * rng.uniform(1, 1.3)), dark, max(1, int(unit * 0.1)), cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.circle(x, _whole(at), max(1, int(reach * rng.uniform(0.08, 0.25))), light, -1, cv2.LINE_AA)
    return x


def band(rng: Rng, x: NDArray[Any], left: float, unit: float, colours: list[Colour], line: Colour) -> None:
    """A strip of small tiles from top to bottom, between two lines."""
    n = x.shape[0]
    wide, tall, rows = unit * rng.uniform(0.3, 1.1), unit * rng.uniform(0.12, 0.6), int(rng.integers(1, 4))
    slant = wide * rng.uniform(-0.5, 0.5) if rng.random() < 0.3 else 0.0
    lines, stick = (int(rng.integers(2, 5)) if rng.random() < 0.5 else 0), rng.uniform(0.35, 0.7)
    for row in range(rows):
        y, k, x0 = 0.0, 0, left + row * wide / rows
        while y < n:
            step = tall * (1 if k % 2 or rng.random() < 0.5 else rng.uniform(0.5, 1.5))
            tile = np.array([[x0, y], [x0 + wide / rows, y + slant], [x0 + wide / rows, y + step + slant], [x0, y + step]])
            cv2.fillPoly(x, [tile.astype(np.int32)], colours[(k + row) % len(colours)], cv2.LINE_AA)
            if lines and k % 2:  # every other tile is of little sticks, which look like pips from afar
                for i in range(lines):
                    at, end = tile[0] + (tile[1] - tile[0]) * (i + 0.5) / lines, tile[3] + (tile[2] - tile[3]) * (i + 0.5) / lines
                    thick = max(1, round(wide / rows * stick / lines))
                    cv2.line(x, _whole(at), _whole(end), colours[(k + i + 1) % len(colours)], thick, cv2.LINE_AA)
            y, k = y + step, k + 1
    for edge in (left, left + wide):
        cv2.line(x, (int(edge), 0), (int(edge), n), line, max(1, int(unit * rng.uniform(0.03, 0.12))), cv2.LINE_AA)


def braid(rng: Rng, x: NDArray[Any], left: float, unit: float, dark: Colour, light: Colour) -> None:
    """A row of light and dark blobs from top to bottom, between dotted or plain lines."""
    n = x.shape[0]
    wide, step, slant = unit * rng.uniform(0.3, 0.9), unit * rng.uniform(0.2, 0.5), float(rng.uniform(0, 90))
    cv2.rectangle(x, (int(left), 0), (int(left + wide), n), dark, -1)
    for k, y in enumerate(np.arange(0, n, step)):
        at = (int(left + wide * (0.5 + 0.12 * (k % 2))), int(y))
        cv2.ellipse(x, at, (max(1, int(wide * rng.uniform(0.2, 0.4))), max(1, int(step * 0.4))), slant, 0, 360, light, -1, cv2.LINE_AA)
    dots = rng.random() < 0.5
    for edge in (left, left + wide):
        if dots:
            for y in np.arange(0, n, unit * 0.15):
                cv2.circle(x, (int(edge), int(y)), max(1, int(unit * 0.04)), light, -1, cv2.LINE_AA)
        else:
            cv2.line(x, (int(edge), 0), (int(edge), n), light, max(1, int(unit * 0.05)), cv2.LINE_AA)


def inlay(rng: Rng, x: NDArray[Any]) -> None:
    x[:] = ornament(rng, x.shape[0], x.shape[0] * rng.uniform(0.22, 0.5), rng.random() < 0.7)
    if rng.random() < 0.6:
        x[:] = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.5, 1.6))


def block_with_figure(rng: Rng, x: NDArray[Any]) -> None:
    """A little wooden block that bears a figure instead of pips."""
    n = x.shape[0]
    half, middle, wood = rng.uniform(0.1, 0.2) * n, np.full(2, n / 2) + rng.normal(0, n / 40, 2), tint(rng)
    turn = cv2.getRotationMatrix2D((n / 2, n / 2), float(rng.uniform(0, 90)), 1.0)
    tile = x.copy()
    cv2.rectangle(tile, _whole(middle - half * 1.05 + 3), _whole(middle + half + 5), tuple(0.4 * c for c in wood), -1, cv2.LINE_AA)
    cv2.rectangle(tile, _whole(middle - half), _whole(middle + half), wood, -1, cv2.LINE_AA)
    scale, thick = half / 14 * rng.uniform(0.6, 1.0), int(rng.integers(1, 4))
    text = str(rng.integers(1, 10))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    cv2.putText(tile, text, _whole(middle + np.array([-w / 2, h / 2])), cv2.FONT_HERSHEY_SIMPLEX, scale, tint(rng), thick, cv2.LINE_AA)
    x[:] = cv2.warpAffine(tile, turn, (n, n), borderMode=cv2.BORDER_REFLECT_101)


def _whole(point: Any) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def medallion(rng: Rng, x: NDArray[Any]) -> None:
    """A checker, or a stack of them, with a dot or an inlaid disc in its middle."""
    n = x.shape[0]
    pick = wood if rng.random() < 0.4 else tint
    face, dot, radius = np.array(pick(rng)), np.array(pick(rng)), rng.uniform(0.2, 0.42) * n
    middle, lean = n / 2 + rng.normal(0, n / 25, 2), rng.normal(0, 0.12, 2) * radius
    flat = rng.uniform(0.75, 1.0)
    for k in range(int(rng.integers(1, 4)), -1, -1):
        at, shade = middle + lean * k, 1.0 if k == 0 else rng.uniform(0.45, 0.8)
        size = int(radius), max(1, int(radius * flat))
        cv2.ellipse(x, _whole(at), size, 0, 0, 360, (face * shade).tolist(), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):
        ring = rng.uniform(0.4, 0.97)
        tone = np.clip(face * rng.uniform(0.6, 1.35), 0, 255).tolist()
        size = int(radius * ring), max(1, int(radius * ring * flat))
        cv2.ellipse(x, _whole(middle), size, 0, 0, 360, tone, int(rng.integers(1, 4)), cv2.LINE_AA)
    inner = rng.uniform(0.1, 0.45)
    size = max(1, int(radius * inner)), max(1, int(radius * inner * flat))
    cv2.ellipse(x, _whole(middle + rng.normal(0, 0.03, 2) * radius), size, 0, 0, 360, dot.tolist(), -1, cv2.LINE_AA)
    x[:] = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.8))


KINDS = (hinge, display, gap, inlay, block_with_figure, medallion)
SHARES = (0.1, 0.1, 0.14, 0.38, 0.08, 0.2)


def decoys(rng: Rng, count: int, shares: tuple[float, ...] = SHARES) -> tuple[NDArray[Any], NDArray[Any]]:
    """``count`` crops of nothing with their labels; ``shares`` of the `KINDS`."""
    images, labels = np.zeros((count, CROP, CROP, 3), np.uint8), np.zeros(count, LABEL)
    n = CROP * 3 // 2
    for i in range(count):
        x = ground(rng, n)
        KINDS[int(rng.choice(len(KINDS), p=shares))](rng, x)
        m = cv2.getRotationMatrix2D((n / 2, n / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.6, 1.1)))
        m = np.column_stack([m[:, :2], m[:, 2] + (CROP - n) / 2])
        images[i] = cv2.warpAffine(x, m, (CROP, CROP), borderMode=cv2.BORDER_REFLECT_101)
    labels["kind"], labels["tilt"], labels["support"], labels["touch"], labels["quad"] = NOTHING, -1, -1, -1, CROP / 2
    labels["elevation"] = rng.uniform(40, 89, count)
    return images, labels
