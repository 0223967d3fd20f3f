"""Draws boards of every make: rough pictures with exact truth, so that the finder learns boards nobody photographed for it.

Nothing here looks real; it varies what really varies (measures, colours, grain, light, camera, things lying about) far more
widely than any set of photographs does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from referee.observations import Half
from vision.table import Camera, Measures, Table

Image = NDArray[Any]
TURN = np.linspace(0, 2 * np.pi, 28, endpoint=False)
SHIFT = 4  # fraction bits of drawn polygons


@dataclass(frozen=True, eq=False)
class Drawing:
    """``image`` BGR uint8; ``tops`` (n, 3) cm the centres of the tops of all checkers lying flat, ``near`` (n,) whose they are."""

    image: NDArray[np.uint8]
    table: Table
    position: Position
    tops: NDArray[np.float64]
    near: NDArray[np.bool_]


@lru_cache(maxsize=1)
def _grains() -> list[Image]:
    """Single-channel patterns about 0 +- 1: plain, felt, marble, wood."""
    rng = np.random.default_rng(5)
    side, out = 384, []

    def noise(sx: float, sy: float) -> Image:
        n = cv2.GaussianBlur(rng.normal(size=(side, side)).astype(np.float32), (0, 0), max(sx, 0.3), sigmaY=max(sy, 0.3))
        return n / (n.std() + 1e-6)

    for _ in range(6):
        out.append(noise(0.6, 0.6))
        out.append(0.6 * noise(0.8, 0.8) + 0.8 * noise(6, 6))
        wood = 0.7 * noise(0.8, 40) + 0.7 * noise(3, 90) + 0.2 * noise(0.5, 3)
        out += [wood, wood.T.copy()]
        x = np.linspace(0, 30, side, dtype=np.float32)[None] + 2.5 * noise(14, 14) + 1.2 * noise(5, 5)
        out.append(np.sin(x))
        out.append(1.5 * np.sign(noise(1.6, 1.6)) * (np.abs(noise(1.2, 1.2)) > 1))
    return [g.astype(np.float32) for g in out]


class _Painter:
    def __init__(self, rng: np.random.Generator, size: tuple[int, int]) -> None:
        self.rng = rng
        self.w, self.h = size
        self.canvas = np.zeros((self.h, self.w, 3), np.float32)

    def fill(self, outline: Image, colour: Image, grain: int = -1, depth: float = 0.0, alpha: float = 1.0) -> None:
        """Fills a polygon (n, 2) px with a colour (BGR 0..255) under a grain of the given depth."""
        box = cv2.boundingRect(np.clip(outline, -4000, 4000).astype(np.float32))
        x0, y0, x1, y1 = max(box[0] - 1, 0), max(box[1] - 1, 0), min(box[0] + box[2] + 1, self.w), min(box[1] + box[3] + 1, self.h)
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((np.clip(outline, -4000, 4000) - (x0, y0)) * (1 << SHIFT)).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, SHIFT)
        paint: Image = np.broadcast_to(np.asarray(colour, np.float32), (*mask.shape, 3))
        if grain >= 0 and depth > 0:
            g = _grains()[grain]
            rows = (np.arange(y1 - y0) + self.rng.integers(384)) % 384
            cols = (np.arange(x1 - x0) + self.rng.integers(384)) % 384
            paint = paint * (1 + depth * g[rows][:, cols])[..., None]
        a = (mask.astype(np.float32) * (alpha / 255))[..., None]
        part = self.canvas[y0:y1, x0:x1]
        part += a * (paint - part)

    def any_colour(self) -> Image:
        rng = self.rng
        if rng.random() < 0.35:  # woods and skins
            hsv = (rng.uniform(5, 25), rng.uniform(60, 190), rng.uniform(40, 240))
        elif rng.random() < 0.4:
            hsv = (rng.uniform(0, 180), rng.uniform(0, 40), rng.uniform(15, 250))
        else:
            hsv = (rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(25, 240))
        return cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)

    def grain(self) -> int:
        return int(self.rng.integers(len(_grains())))


def random_camera(rng: np.random.Generator, size: tuple[int, int], reach: tuple[float, float]) -> Camera:
    """A camera that looks at a board of ``reach`` (half width, half height) cm from above, turned anyhow."""
    w, h = size
    f = w * rng.uniform(0.62, 1.8)
    tilt = np.radians(rng.uniform(0, 9) if rng.random() < 0.35 else rng.uniform(5, 46))
    side = rng.choice([0, 0, 0, 180, 90, -90]) + rng.normal(0, 14)
    azimuth = np.radians(rng.uniform(-180, 180) if rng.random() < 0.3 else side)
    back = np.array([np.sin(azimuth) * np.sin(tilt), -np.cos(azimuth) * np.sin(tilt), np.cos(tilt)])  # from the board to the eye
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    rotation = np.stack([right, np.cross(-back, right), -back])
    roll = np.radians(rng.normal(0, 5))
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ rotation
    dist = np.array([rng.uniform(-0.12, 0.05), rng.uniform(-0.01, 0.03), 0, 0, 0])
    matrix = np.array([[f, 0, w / 2 + rng.normal(0, 0.01 * w)], [0, f, h / 2 + rng.normal(0, 0.01 * h)], [0, 0, 1]])
    corners = np.array([[x * reach[0], y * reach[1], 0] for x in (-1, 1) for y in (-1, 1)])
    low, high = 20.0, 600.0
    fill = rng.uniform(0.6, 1.05)
    for _ in range(20):  # the distance at which the board fills that much of the frame
        far = (low + high) / 2
        camera = Camera(matrix, dist, rotation, np.array([0, 0, far]), size)
        px = camera.project(corners)
        span = max(np.ptp(px[:, 0]) / w, np.ptp(px[:, 1]) / h)
        low, high = (far, high) if span > fill else (low, far)
    room = np.array([max(0.0, w - np.ptp(px[:, 0])), max(0.0, h - np.ptp(px[:, 1]))]) / 2
    aim = np.array([w / 2, h / 2]) - px.mean(0) * 0 + rng.uniform(-0.9, 0.9, 2) * room
    middle = (px.min(0) + px.max(0)) / 2
    shift = (aim - middle) / f * far
    return Camera(matrix, dist, rotation, np.array([shift[0], shift[1], far]), size)


def _measures(rng: np.random.Generator) -> Measures:
    d = 4.0
    pitch = d * rng.uniform(1.0, 1.12) if rng.random() < 0.8 else d * rng.uniform(1.1, 1.3)
    bar = d * rng.uniform(0.5, 1.6)
    slack = rng.choice([0.0, rng.uniform(0, 0.5)]) * d
    rail = rng.uniform(0.4, 3.0)
    height = d * (rng.uniform(10.2, 12.8) if rng.random() < 0.65 else rng.uniform(12, 15.5))
    return Measures(
        inner=(12 * pitch + bar + 2 * slack, height), bar=bar, pitch=pitch, border=rng.choice([0.0, rng.uniform(0, 0.6)]),
        point_length=height * rng.uniform(0.34, 0.46), rail_height=rail, bar_height=rail * rng.choice([1.0, rng.uniform(0, 1)]),
        checker=d, checker_height=d * rng.uniform(0.18, 0.32), die=d * rng.uniform(0.32, 0.42),
    )


def _position(rng: np.random.Generator) -> Position:
    if rng.random() < 0.5:
        return START
    points = [0] * 24
    for sign in (1, -1):
        left = int(rng.integers(6, 16))
        for _ in range(60):
            p, n = int(rng.integers(24)), int(rng.integers(1, 6))
            if left and points[p] * sign >= 0 and abs(points[p]) < 5:
                n = min(n, left, 5 - abs(points[p]))
                points[p] += sign * n
                left -= n
    return Position(tuple(points))


def draw(seed: int, size: tuple[int, int] = (640, 360), position: Position | None = None) -> Drawing:
    """A picture of a random board, in a random ``position`` where none is given, by a random camera; the same for the same ``seed``."""
    rng = np.random.default_rng(seed)
    m = _measures(rng)
    rail_w = (rng.uniform(0.8, 4.0), rng.uniform(0.8, 4.0))
    tray_w = rng.uniform(3.5, 6.5) if rng.random() < 0.45 else 0.0
    one_tray = rng.random() < 0.3
    outer = (m.inner[0] / 2 + rail_w[0] + tray_w + (rail_w[0] * 0.6 if tray_w else 0), m.inner[1] / 2 + rail_w[1])
    camera = random_camera(rng, size, outer)
    home = Half.RIGHT if rng.random() < 0.5 else Half.LEFT
    p = _Painter(rng, size)
    # colours: two players that differ, anything else as it comes
    near = p.any_colour()
    far = p.any_colour()
    for _ in range(20):
        if np.abs(near - far).sum() > 90:
            break
        far = p.any_colour()
    near_rgb, far_rgb = near[::-1].tolist(), far[::-1].tolist()
    table = Table(camera, m, home, tuple(near_rgb), tuple(far_rgb))
    position = position or _position(rng)
    _draw_board(p, table, outer, rail_w, tray_w, one_tray)
    tops, owner = _draw_checkers(p, table, position, near, far)
    _draw_things(p, table, outer)
    return Drawing(_light(rng, p.canvas), table, position, tops, owner)


def _box(x0: float, y0: float, x1: float, y1: float, z: float) -> Image:
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])


def _draw_board(p: _Painter, t: Table, outer: tuple[float, float], rail_w: tuple[float, float], tray_w: float, one_tray: bool) -> None:
    rng, m, camera = p.rng, t.measures, t.camera
    hw, hh, rail = m.inner[0] / 2, m.inner[1] / 2, m.rail_height
    p.fill(np.array([[-9, -9], [p.w + 9, -9], [p.w + 9, p.h + 9], [-9, p.h + 9]]), p.any_colour(), p.grain(), rng.uniform(0, 0.3))
    wood = p.any_colour()
    grain, depth = p.grain(), rng.uniform(0, 0.25)
    floor = camera.project(_box(-outer[0], -outer[1], outer[0], outer[1], -rng.uniform(0.3, 3)))
    top = camera.project(_box(-outer[0], -outer[1], outer[0], outer[1], rail))
    shade = cv2.convexHull((np.vstack([floor, top]) + rng.normal(0, 6, 2)).astype(np.float32))[:, 0]
    p.fill(shade, np.zeros(3), alpha=rng.uniform(0.1, 0.6))
    p.fill(cv2.convexHull(np.vstack([floor, top]).astype(np.float32))[:, 0], wood * rng.uniform(0.3, 0.8), grain, depth)
    p.fill(top, wood, grain, depth)
    field = p.any_colour()
    if tray_w:
        for sign in (-1, 1):
            if one_tray and sign > 0:
                continue
            a, b = sign * (hw + rail_w[0] * 0.6), sign * (hw + rail_w[0] * 0.6 + tray_w)
            ends = (-hh, -hh * 0.12, hh * 0.12, hh) if rng.random() < 0.6 else (-hh, hh)
            for y0, y1 in pairwise(ends):
                p.fill(camera.project(_box(a, y0 + 0.3, b, y1 - 0.3, rail)), wood * 0.4, grain, depth)
                p.fill(camera.project(_box(a, y0 + 0.3, b, y1 - 0.3, 0)), field * rng.uniform(0.7, 1), grain, depth)
    mouth = camera.project(_box(-hw, -hh, hw, hh, rail))
    p.fill(mouth, wood * rng.uniform(0.25, 0.8), grain, depth)
    kept = p.canvas.copy()
    felt, felt_depth = p.grain(), rng.uniform(0, 0.2)
    p.fill(camera.project(_box(-hw, -hh, hw, hh, 0)), field, felt, felt_depth)
    colours = (p.any_colour(), p.any_colour() if rng.random() < 0.85 else field)
    line = p.any_colour() if rng.random() < 0.4 else None
    for point in range(1, 25):
        x, y, way = t.point_base(point)
        half = m.pitch * rng.uniform(0.4, 0.5)
        tri = camera.project(np.array([[x - half, y, 0], [x + half, y, 0], [x, y + way * m.point_length, 0]]))
        if line is not None:
            p.fill(tri, line)
            mid = tri.mean(0)
            tri = mid + (tri - mid) * 0.88
        p.fill(tri, colours[point % 2], felt, felt_depth)
    if rng.random() < 0.4:  # inlays and badges in the middle of the halves
        for sx in (-1, 1):
            cx, size = sx * (hw + m.bar / 2) / 2, rng.uniform(0.6, 4)
            ring = np.array([[cx, -size, 0], [cx + size, 0, 0], [cx, size, 0], [cx - size, 0, 0]])
            p.fill(camera.project(ring), p.any_colour(), felt, 0.2)
            p.fill(camera.project((ring - [cx, 0, 0]) * 0.6 + [cx, 0, 0]), p.any_colour(), felt, 0.2)
    mask = np.zeros((p.h, p.w), np.uint8)
    cv2.fillPoly(mask, [np.round(np.clip(mouth, -4000, 4000) * (1 << SHIFT)).astype(np.int32)], 255, cv2.LINE_AA, SHIFT)
    inside: Image = mask.astype(np.float32)[..., None] / 255
    p.canvas = kept + inside * (p.canvas - kept)
    p.__dict__.update(mouth=inside, wood=wood, wood_grain=(grain, depth))


def _draw_bar(p: _Painter, t: Table) -> None:
    m, camera, wood = t.measures, t.camera, p.__dict__["wood"]
    grain, depth = p.__dict__["wood_grain"]
    hh = m.inner[1] / 2
    low, high = (camera.project(_box(-m.bar / 2, -hh, m.bar / 2, hh, z)) for z in (0.0, m.bar_height))
    p.fill(cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0], wood * 0.5, grain, depth)
    p.fill(high, wood if p.rng.random() < 0.7 else p.any_colour(), grain, depth)
    if p.rng.random() < 0.6:
        seam = camera.project(_box(-0.12, -hh, 0.12, hh, m.bar_height))
        p.fill(seam, wood * 0.3)
        for y in (-0.55 * hh, 0.55 * hh):
            p.fill(camera.project(_box(-1, y - 1.2, 1, y + 1.2, m.bar_height + 0.1)), p.any_colour())


def _draw_checkers(p: _Painter, t: Table, position: Position, near: Image, far: Image) -> tuple[Any, Any]:
    rng, m = p.rng, t.measures
    gap, across, along = m.checker * rng.choice([0.0, rng.uniform(0, 0.12)]), rng.uniform(0, 0.25), rng.uniform(0, 0.15)
    places: list[tuple[float, float, float, bool]] = []
    for point, count in enumerate(position.points, start=1):
        x, y, way = t.point_base(point)
        at = y + way * (rng.exponential(0.12) * m.checker * 0.3)
        for _ in range(abs(count)):
            places.append((x + rng.normal(0, across), at + way * m.checker / 2, m.checker_height, count > 0))
            at += way * (m.checker + gap + abs(rng.normal(0, along)))
    if rng.random() < 0.2 and places:  # some stand on others
        for i in rng.integers(len(places), size=2):
            x, y, z, who = places[i]
            if z <= m.checker_height:
                places[i] = (x, y, z - 1000, who)  # hidden from the truth: the one on top is seen instead
                places.append((x + rng.normal(0, 0.2), y + rng.normal(0, 0.2), 2 * m.checker_height, who))
    tops = np.array(places, np.float64).reshape(-1, 4)
    eye = t.camera.eye
    styles = {True: _style(p, near), False: _style(p, far)}
    order = sorted(range(len(tops)), key=lambda i: -float(np.hypot(tops[i, 0] - eye[0], tops[i, 1] - eye[1])) + tops[i, 2] * 0)
    behind = [i for i in order if (tops[i, 0] > 0) != (eye[0] > 0)]
    front = [i for i in order if i not in set(behind)]
    kept = p.canvas.copy()
    light = rng.normal(0, 0.5, 2)
    for group in (behind, None, front):
        if group is None:
            _draw_bar(p, t)
            continue
        for i in group:
            x, y, z, who = tops[i]
            z = z + 1000 if z < 0 else z
            _checker(p, t, np.array([x, y, z]), styles[bool(who)], light)
    if m.rail_height >= m.checker_height:
        a = p.__dict__["mouth"]
        p.canvas = kept + a * (p.canvas - kept)
    seen = tops[:, 2] > 0
    return tops[seen, :3], tops[seen, 3] > 0


def _style(p: _Painter, colour: Image) -> dict[str, Any]:
    rng = p.rng
    rings = []
    if rng.random() < 0.75:
        for r in np.sort(rng.uniform(0.25, 0.93, int(rng.integers(1, 4))))[::-1]:
            rings.append((r, rng.uniform(0.6, 1.35) if rng.random() < 0.75 else None, p.any_colour()))
    return {
        "colour": colour, "grain": p.grain(), "depth": rng.uniform(0, 0.3), "rings": rings, "side": rng.uniform(0.45, 1.0),
        "shine": rng.uniform(0, 70),
    }


def _checker(p: _Painter, t: Table, top: Image, style: dict[str, Any], light: Image) -> None:
    rng, m, camera = p.rng, t.measures, t.camera
    circle = np.column_stack([np.cos(TURN), np.sin(TURN), np.zeros(len(TURN))]) * m.checker / 2
    low, high = camera.project(circle + top - [0, 0, m.checker_height]), camera.project(circle + top)
    p.fill(camera.project(circle * 1.06 + top + [light[0], light[1], -m.checker_height]), np.zeros(3), alpha=0.35)
    colour = style["colour"] * rng.uniform(0.88, 1.12)
    p.fill(cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0], colour * style["side"], style["grain"], style["depth"])
    p.fill(high, np.minimum(colour * 1.1, 255), style["grain"], style["depth"])
    p.fill(camera.project(circle * 0.93 + top), colour, style["grain"], style["depth"])
    for r, factor, other in style["rings"]:
        paint = other if factor is None else np.minimum(colour * factor, 255)
        p.fill(camera.project(circle * r + top), paint, style["grain"], style["depth"])
        p.fill(camera.project(circle * (r - 0.08) + top), colour, style["grain"], style["depth"])
    shift = rng.normal(0, 0.25, 2) * m.checker / 2
    p.fill(camera.project(circle * 0.4 + top + [*shift, 0]), np.full(3, 255.0), alpha=style["shine"] / 255)


def _draw_things(p: _Painter, t: Table, outer: tuple[float, float]) -> None:
    """Dice and a cube on the field, cups, cards and hands anywhere."""
    rng, m, camera = p.rng, t.measures, t.camera
    for _ in range(int(rng.integers(0, 5))):
        side = m.die if rng.random() < 0.7 else m.die * 1.8
        x, y = rng.uniform(-m.inner[0] / 2 - 4, m.inner[0] / 2 + 4), rng.uniform(-0.35, 0.35) * m.inner[1]
        a = rng.uniform(0, 2 * np.pi)
        square = np.array([[np.cos(a + k * np.pi / 2), np.sin(a + k * np.pi / 2), 0] for k in range(4)]) * side * 0.7 + [x, y, 0]
        colour = p.any_colour()
        low, top = camera.project(square), camera.project(square + np.array([0, 0, side]))
        p.fill(cv2.convexHull(np.vstack([low, top]).astype(np.float32))[:, 0], colour * 0.6)
        p.fill(top, colour)
        spot = p.any_colour()
        for _ in range(int(rng.integers(0, 7))):
            dx, dy = rng.uniform(-0.3, 0.3, 2) * side
            ring = np.column_stack([np.cos(TURN), np.sin(TURN), np.zeros(len(TURN))]) * side * 0.09 + [x + dx, y + dy, side]
            p.fill(camera.project(ring), spot)
    for _ in range(int(rng.integers(0, 4))):
        a = rng.uniform(0, 2 * np.pi)
        where = np.array([np.cos(a) * (outer[0] + 6), np.sin(a) * (outer[1] + 6)]) * rng.uniform(1, 1.4)
        colour = p.any_colour()
        if rng.random() < 0.5:  # a cup
            r, high = rng.uniform(1.5, 5), rng.uniform(0, 10)
            circle = np.column_stack([np.cos(TURN) * r + where[0], np.sin(TURN) * r + where[1], np.zeros(len(TURN))])
            low, top = camera.project(circle), camera.project(circle + np.array([0, 0, high]))
            p.fill(cv2.convexHull(np.vstack([low, top]).astype(np.float32))[:, 0], colour * 0.6)
            p.fill(top, colour)
            p.fill(top.mean(0) + (top - top.mean(0)) * rng.uniform(0.6, 0.9), p.any_colour() * 0.6)
        else:
            w, h = rng.uniform(1, 9, 2)
            c, s = np.cos(a * 3), np.sin(a * 3)
            box = _box(-w, -h, w, h, 0.5) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + [*where, 0]
            p.fill(camera.project(box), colour, p.grain(), 0.1)
    if rng.random() < 0.12:  # an arm from the frame's edge
        tip = np.array([rng.uniform(0.2, 0.8) * p.w, rng.uniform(0.2, 0.8) * p.h])
        root = np.array([tip[0] + rng.normal(0, 80), p.h + 20 if rng.random() < 0.6 else -20])
        across = np.array([root[1] - tip[1], tip[0] - root[0]])
        across = across / (np.linalg.norm(across) + 1e-6) * p.w * 0.04
        arm = np.array([tip - across * 0.6, tip + across * 0.6, root + across * 1.6, root - across * 1.6])
        skin = np.array([[[rng.integers(4, 18), rng.integers(60, 170), rng.integers(70, 230)]]], np.uint8)
        p.fill(arm, cv2.cvtColor(skin, cv2.COLOR_HSV2BGR)[0, 0], 1, 0.1)


def _light(rng: np.random.Generator, canvas: Image) -> NDArray[np.uint8]:
    h, w = canvas.shape[:2]
    low = rng.normal(1.0, rng.uniform(0, 0.35), (3, 4)).astype(np.float32)
    gain = cv2.resize(low, (w, h), interpolation=cv2.INTER_CUBIC)[..., None] * rng.uniform(0.6, 1.25)
    out = canvas * np.clip(gain, 0.15, 2.2) * rng.normal(1, 0.07, 3)
    for _ in range(int(rng.integers(0, 3))):  # lamps mirrored
        x, y, r = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0.02, 0.12) * w
        yy, xx = np.ogrid[:h, :w]
        out += (rng.uniform(0, 160) * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * r * r)))[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def degrade(rng: np.random.Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What cameras do: gamma, colour cast, loss of colour, blur, noise, JPEG."""
    x: Image = image.astype(np.float32) / 255
    x = np.clip(x, 0, 1) ** rng.uniform(0.65, 1.5)
    if rng.random() < 0.15:
        x = x + rng.uniform(0.3, 1) * (x.mean(2, keepdims=True) - x)
    if rng.random() < 0.3:
        x = x[..., rng.permutation(3)]
    x = x * rng.normal(1, 0.06, 3).astype(np.float32) * rng.uniform(0.75, 1.2)
    if rng.random() < 0.4:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.3, 1.3))
    x = x + rng.normal(0, rng.uniform(0, 0.04), x.shape).astype(np.float32)
    out = np.clip(x * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        ok, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        if ok:
            out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out
