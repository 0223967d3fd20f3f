"""Makes every training strip look different: other colours, lights, blurs, slips of the geometry, things in the way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.checkers.colours import Palette, disc_mask, likeness_table, neat_spots, plain_palette
from vision.checkers.input import BAR_COUNTS, column_maps, exchanged, known_columns, mirrored, net_input
from vision.checkers.strips import BAR, WIDE, Cut
from vision.training.checkers.data import UNKNOWN, Sample, margin_of

Rng = np.random.Generator
FEWER = known_columns(tuple(n if abs(n) < 5 else 0 for n in START.points))  # boards may be shown in other positions too
PALE = 0.15  # share of pictures with paler colours, and of those with less or more contrast
PLAIN = 0.3  # share of pictures whose light and sharpness stay as they are


@dataclass(frozen=True, eq=False)
class Batch:
    """Inputs (n, 20, length, width) and their answers; weights are 0 where the answer is not known."""

    maps: NDArray[np.uint8]
    kind: NDArray[np.int64]  # 0 a point, 1 the bar
    count: NDArray[np.int64]  # class of a point
    bar: NDArray[np.int64]  # (n, 2)
    weight: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_weight: NDArray[np.float32]


class ColourChange:
    """One random change of colours, the same for pictures and palette."""

    def __init__(self, rng: Rng) -> None:
        self.order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
        mix = np.eye(3) + (rng.normal(0, 0.12, (3, 3)) if rng.random() < 0.5 else 0)
        self.mix = (mix / np.maximum(mix.sum(1, keepdims=True), 0.3)).astype(np.float32)
        if rng.random() < 0.1:
            self.mix = np.full((3, 3), 1 / 3, np.float32)  # a grey camera
        elif rng.random() < PALE:
            self.mix += np.float32(rng.uniform(0, 0.9)) * (np.float32(1 / 3) - self.mix)
        self.gain = (np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.08, 3))).astype(np.float32)
        self.gamma = float(np.exp(rng.normal(0, 0.2)))
        contrast = float(np.exp(rng.uniform(-0.6, 0.4))) if rng.random() < PALE else 1.0

        level = 128 + contrast * (255 * (np.arange(256, dtype=np.float32) / 255) ** self.gamma - 128)
        self.levels = np.clip(level[:, None] * self.gain, 0, 255).astype(np.float32).reshape(1, 256, 3)
        self.turn = np.ascontiguousarray(self.mix[:, np.argsort(self.order)])

    def __call__(self, bgr: NDArray[Any]) -> NDArray[np.float32]:
        flat = np.ascontiguousarray(bgr).reshape(-1, 1, 3)
        if bgr.dtype != np.uint8:
            flat = np.clip(flat + 0.5, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(cv2.transform(flat, self.turn), self.levels), np.float32).reshape(bgr.shape)

    def samples(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """The colours (k, 4) of a `Palette`, changed."""
        return np.column_stack([self(samples[:, :3]), samples[:, 3:]])


def pick_strips(rng: Rng, sample: Sample, count: int) -> list[int]:
    """Strips of one picture, the full points more often than the empty ones; closer looks are mostly at stacks."""
    n = np.abs(sample.points)
    if sample.cut is WIDE:
        weight = np.where(n == 0, 0.45, np.where(n <= 5, 1.0, 1.5))
        return [BAR, *rng.choice(24, count - 1, replace=False, p=weight / weight.sum())]
    weight = np.where(n == 0, 0.1, np.where(n <= 3, 0.25, np.where(n == 4, 0.6, np.where(n == 5, 1.5, 2.0))))
    return list(rng.choice(24, count, replace=False, p=weight / weight.sum()))


def cover(rng: Rng, strip: NDArray[np.float32], count: int, cut: Cut) -> float:
    """Lays something over a point strip and returns the largest share it hides of a place that matters."""
    length, width = strip.shape[:2]
    mask = np.zeros((length, width), np.uint8)
    middle = (rng.uniform(-5, width + 5), rng.uniform(0, length * 0.8))
    unit = cut.scale / 28
    size = (rng.uniform(12, 60) * unit, rng.uniform(8, 30) * unit)
    cv2.ellipse(mask, (middle, size, float(rng.uniform(0, 180))), 1, -1)
    if rng.random() < 0.5:  # a finger or an arm reaching in
        end = (int(middle[0] + rng.normal(0, 80) * unit), int(middle[1] + rng.normal(0, 80) * unit))
        cv2.line(mask, (int(middle[0]), int(middle[1])), end, 1, int(rng.uniform(8, 40) * unit))
    colour = rng.uniform(10, 245, 3) if rng.random() < 0.4 else np.array([0.55, 0.65, 0.9]) * rng.uniform(60, 240)
    shade = cv2.GaussianBlur(rng.standard_normal((length, width), dtype=np.float32), (0, 0), float(rng.uniform(4, 20)))
    shade = 1 + 0.25 * shade / max(float(shade.std()), 1e-6)
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.8)[..., None]
    strip[:] = strip * (1 - soft) + soft * np.clip(colour * shade[..., None], 0, 255)
    worst = 0.0
    for k in range(min(5, count + 1)):
        y, x = (cut.before + k + 0.5) * cut.scale, width / 2
        r = cut.scale * 0.42
        place = mask[int(max(0, y - r)) : int(y + r), int(max(0, x - r)) : int(x + r)]
        worst = max(worst, float(place.mean()) if place.size else 0.0)
    return worst


def small_thing(rng: Rng, strip: NDArray[np.float32], cut: Cut) -> None:
    """A die-sized square somewhere, with dots."""
    length, width = strip.shape[:2]
    side = cut.scale * rng.uniform(0.28, 0.42)
    centre = np.array([rng.uniform(0, width), rng.uniform(0, length)])
    box = cv2.boxPoints((tuple(centre), (side, side), float(rng.uniform(0, 90))))
    colour = (
        rng.choice([rng.uniform(200, 250), rng.uniform(5, 60)]) + rng.normal(0, 12, 3) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    )
    cv2.fillConvexPoly(strip, (box * 8).astype(np.int32), tuple(float(c) for c in colour), cv2.LINE_AA, 3)
    dot = tuple([20.0] * 3 if colour.mean() > 120 else [235.0] * 3)
    for _ in range(int(rng.integers(1, 6))):
        a, b = rng.uniform(0.2, 0.8, 2)
        p = box[0] + a * (box[1] - box[0]) + b * (box[3] - box[0])
        cv2.circle(strip, tuple(int(v * 8) for v in p), int(side * 0.09 * 8), dot, -1, cv2.LINE_AA, 3)


def make_batch(rng: Rng, samples: list[Sample], per_picture: int) -> Batch:
    """A batch of ``per_picture`` strips from each sample, changed at random."""
    parts, kinds, counts, bars, weights, hiddens, hidden_weights = [], [], [], [], [], [], []
    for sample in samples:
        cut, margin = sample.cut, margin_of(sample.cut)
        picked = pick_strips(rng, sample, per_picture)
        change = ColourChange(rng)
        slip = rng.integers(0, 2 * margin + 1, 2)
        now = _crop(sample.strips, picked, slip, cut)
        before = _crop(sample.start, picked, slip, cut)
        inside, occupied = _crop(sample.inside, picked, slip, cut), _crop(sample.occupied, picked, np.array([margin, margin]), cut)
        now, before = change(now), change(before)
        near, far, ground = (change.samples(s) for s in (sample.palette.near, sample.palette.far, sample.palette.ground))
        palette = Palette(near, far, ground)
        drift, points, bar = sample.drift[picked], sample.points, sample.bar
        visible = sample.visible[picked].copy()
        if rng.random() > PLAIN:
            now = _worsened(rng, now, before, picked, sample)
        for k, strip in enumerate(picked):
            if rng.random() < 0.12:
                small_thing(rng, now[k], cut)
            if strip != BAR and visible[k] != UNKNOWN and rng.random() < 0.07:
                visible[k] = min(visible[k], 1 - cover(rng, now[k], abs(int(points[strip])), cut))
        now8, before8 = np.clip(now, 0, 255).astype(np.uint8), np.clip(before, 0, 255).astype(np.uint8)
        if rng.random() < 0.3:
            quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 92))]
            now8 = np.stack([np.asarray(cv2.imdecode(cv2.imencode(".jpg", s, quality)[1], cv2.IMREAD_COLOR), np.uint8) for s in now8])
        swapped = rng.random() < 0.5
        known = rng.random() > 0.06
        if not known:
            palette = plain_palette(mean_colour(palette.near), mean_colour(palette.far))
        seen = (before8, occupied) if known else (None, None)
        columns = _columns(rng, sample, picked, slip, change, known)
        maps = np.concatenate([net_input(now8, inside, drift, likeness_table(palette), *seen), columns], 1)
        if swapped:
            maps, points, bar = exchanged(maps), -points, (bar[1], bar[0])
        if rng.random() < 0.5:
            maps = mirrored(maps)
        parts.append(maps)
        for k, strip in enumerate(picked):
            kinds.append(int(strip == BAR))
            counts.append(15 if strip == BAR else int(points[strip]) + 15)
            bars.append([min(bar[0], BAR_COUNTS - 1), min(bar[1], BAR_COUNTS - 1)])
            v = visible[k]
            weights.append(1.0 if v > 0.8 else 0.5 if v > 0.5 else 0.1 if v != UNKNOWN else 0.0)
            hiddens.append(float(v < 0.5))
            hidden_weights.append(0.0 if v == UNKNOWN or 0.5 <= v < 0.85 else 1.0)
    return Batch(
        np.concatenate(parts),
        np.array(kinds),
        np.array(counts),
        np.array(bars),
        np.array(weights, np.float32),
        np.array(hiddens, np.float32),
        np.array(hidden_weights, np.float32),
    )


def _columns(rng: Rng, sample: Sample, picked: list[int], slip: NDArray[Any], change: ColourChange, known: bool) -> NDArray[np.uint8]:
    """The maps of the ``picked`` strips' known columns, with the colours changed; black where nothing is ``known``."""
    columns = (sample.columns if rng.random() > 0.2 else FEWER)[picked]
    size = (sample.cut.length, sample.cut.width)
    if not known or (columns < 0).all():
        return column_maps(None, columns, size)
    used, places = np.unique(columns[columns >= 0], return_inverse=True)
    shown = columns.copy()
    shown[columns >= 0] = places
    changed = np.clip(change(_crop(sample.start, used.tolist(), slip, sample.cut)), 0, 255).astype(np.uint8)
    return column_maps(changed, shown, size)


def _worsened(rng: Rng, now: NDArray[Any], before: NDArray[Any], picked: list[int], sample: Sample) -> NDArray[Any]:
    """The strips ``now`` in worse light and by a worse camera; lamps that checkers mirror are in the known picture ``before`` too."""
    cut = sample.cut
    if rng.random() < 0.4:  # the light has changed since set-up
        now = now * np.exp(rng.normal(0, 0.15)) + rng.normal(0, 4)
    if rng.random() < 0.25:
        _sheen(rng, now, before, picked, sample)
    if rng.random() < 0.3:
        _burnt(rng, now, before, picked, sample)
    if rng.random() < 0.35:
        _shadow(rng, now)
    if rng.random() < 0.25:
        _glare(rng, now)
    if rng.random() < 0.5:
        now = now + _noise(rng, now.size).reshape(now.shape) * rng.uniform(1, 9)
    if rng.random() < 0.4:
        sigma = float(rng.uniform(0.4, 1.3) * cut.scale / WIDE.scale)
        return np.stack([cv2.GaussianBlur(s, (0, 0), sigma) for s in now])
    if rng.random() < 0.3:
        f = rng.uniform(0.45, 0.9)
        small = [cv2.resize(s, None, fx=f, fy=f, interpolation=cv2.INTER_AREA) for s in now]
        return np.stack([cv2.resize(s, (cut.width, cut.length)) for s in small])
    return now


def _crop(strips: NDArray[Any], picked: list[int], slip: NDArray[Any], cut: Cut) -> NDArray[Any]:
    return strips[picked, slip[0] : slip[0] + cut.length, slip[1] : slip[1] + cut.width]


@cache
def _pool() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(8_000_000, dtype=np.float32)


def _noise(rng: Rng, size: int) -> NDArray[np.float32]:
    """Normal noise, a random part of one long row of it."""
    first = int(rng.integers(0, len(_pool()) - size))
    return _pool()[first : first + size]


def mean_colour(samples: NDArray[np.float32]) -> tuple[float, float, float]:
    """The mean of the colours (k, 4) of a `Palette`: red, green, blue."""
    blue, green, red = np.average(samples[:, :3], axis=0, weights=samples[:, 3]).tolist()
    return red, green, blue


def _sheen(rng: Rng, now: NDArray[np.float32], before: NDArray[np.float32], picked: list[int], sample: Sample) -> None:
    """A lamp or a bright wall mirrored by glossy checkers and not by the field, at the same places now and at set-up."""
    tint = (rng.uniform(0.75, 1.0, 3) * rng.uniform(120, 255)).astype(np.float32)
    slope = np.linspace(rng.uniform(0, 1), rng.uniform(0, 1), now.shape[1], dtype=np.float32)[:, None]
    for k, strip in enumerate(picked):
        if strip == BAR or rng.random() < 0.3:
            continue
        share = slope * rng.uniform(0.05, 0.6)
        for strips, count in ((now, int(sample.points[strip])), (before, START.points[strip])):
            if count:
                _mirror(strips[k], sample.cut, count, 1.0, share, tint)


def _mirror(
    strip: NDArray[np.float32], cut: Cut, count: int, blur: float, share: NDArray[Any], tint: NDArray[np.float32], clear: float = 0.0
) -> None:
    """Lays light of the colour ``tint`` over the tops of a strip's neat column, as much as ``share`` (length, 1 or width); ``clear`` is
    how much of what lies under it still shows."""
    tops = cv2.GaussianBlur(disc_mask(cut, neat_spots(count), 0.47).astype(np.float32), (0, 0), blur)
    veil = np.minimum(tops * share, 1)[..., None]
    strip[:] = strip * (1 - veil * (1 - clear)) + tint * veil


def _burnt(rng: Rng, now: NDArray[np.float32], before: NDArray[np.float32], picked: list[int], sample: Sample) -> None:
    """A lamp mirrored in glossy checkers: those near one place of a strip have all but white tops, and only the rim below has their
    colour. Lamp and camera stand still, so the place is mostly the same at set-up."""
    cut = sample.cut
    along = ((np.arange(cut.length) + 0.5) / cut.scale - cut.before).astype(np.float32)[:, None]
    across = ((np.arange(cut.width) + 0.5 - cut.width / 2) / cut.scale).astype(np.float32)[None]
    for k, strip in enumerate(picked):
        if strip == BAR or rng.random() < 0.5:
            continue
        lamp, side, reach = rng.uniform(0, 5.5), rng.normal(0, 0.4), rng.uniform(0.5, 2.5)
        share = rng.uniform(0.5, 1.1) * np.exp(-(((along - lamp) ** 2 + (across - side) ** 2) / reach**2))
        tint = (rng.uniform(0.85, 1.0, 3) * rng.uniform(200, 270)).astype(np.float32)
        blur, clear = float(rng.uniform(0.5, 1.5)), float(rng.uniform(0, 1))
        for strips, count in ((now, int(sample.points[strip])), (before, START.points[strip])):
            if count and (strips is now or rng.random() < 0.75):
                _mirror(strips[k], cut, count, blur, share, tint, clear)


def _shadow(rng: Rng, strips: NDArray[np.float32]) -> None:
    """A shadow's soft edge or a slope of light over each strip."""
    length, width = strips.shape[1:3]
    y, x = np.mgrid[0:length, 0:width].astype(np.float32)
    for strip in strips:
        a = rng.uniform(0, 6.28)
        edge = (x * np.cos(a) + y * np.sin(a) - rng.uniform(-width, length)) / rng.choice([3.0, 30.0, 120.0])
        strip *= (1 - rng.uniform(0, 0.55) / (1 + np.exp(-np.clip(edge, -30, 30))))[..., None]


def _glare(rng: Rng, strips: NDArray[np.float32]) -> None:
    """A lamp mirrored in the board: a soft bright veil over part of some strips."""
    length, width = strips.shape[1:3]
    y, x = np.mgrid[0:length, 0:width].astype(np.float32)
    tint = rng.uniform(0.7, 1.0, 3).astype(np.float32)
    for strip in strips:
        if rng.random() < 0.6:
            away = ((x - rng.uniform(-20, width + 20)) ** 2 + (y - rng.uniform(0, length)) ** 2) / rng.uniform(12, 70) ** 2
            strip += np.exp(-away)[..., None] * (tint * rng.uniform(15, 150))
