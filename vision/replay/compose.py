"""Makes video out of settled pictures: dice roll in, hands move checkers and lift dice, light drifts, a lamp is switched, a die is nudged.

The pictures show true settled moments; what lies between them is composed at 30 frames a second, so that every moment of
the clip has a known truth: when dice came to rest, when a hand left the board, when something happened that is no event at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
FPS = 30
# times as large as the outline of a die's top face: the die alone, with its sides and shadow, all that it hides when it is taken away, and
# all that may change when it comes or goes
ALONE, SHADED, HIDES, CHANGES = 1.25, 1.9, 2.4, 2.6


@dataclass(frozen=True, eq=False)
class Still:
    """A settled picture. ``dice``: outlines (4, 2) px of the dice in it. ``name`` of its file. ``from_near``: whose hand comes next."""

    image: Image
    dice: tuple[NDArray[np.float64], ...]
    name: str
    from_near: bool = True


@dataclass(frozen=True, slots=True)
class Moment:
    """What is true of the clip at ``at`` seconds. ``kind``: rest (all dice of ``still`` lie), lifting (a hand comes for dice), moved
    (the hand has left the board as ``still`` shows it), reaching (a hand comes, for no dice), nudge, lamp."""

    at: float
    kind: str
    still: str


@dataclass(slots=True)
class Clip:
    """Composes frames; iterate `frames`, then read `moments`. The seed decides everything."""

    stills: list[Still]
    seed: int = 0
    hold: tuple[float, float] = (1.6, 3.0)
    moments: list[Moment] = field(default_factory=list)
    _count: int = 0

    def frames(self) -> Iterator[Image]:
        """BGR frames at `FPS`."""
        rng = np.random.default_rng(self.seed)
        shape = self.stills[0].image.shape
        light = _Light(rng, shape)
        before = self.stills[0]
        yield from self._hold(before.image, light, rng, before)
        for still in self.stills[1:]:
            gone = [d for d in before.dice if not _among(d, still.dice)]
            new = [d for d in still.dice if not _among(d, before.dice)]
            current = before.image
            if gone or _differs(before.image, still.image, new):
                current = _without(still.image, before.image, new)
                yield from self._hand(before, current, gone, light, rng, still)
            if new:
                for frame in _throw(current, still, new, rng):
                    yield self._frame(light, frame)
                self._note("rest", still)
            yield from self._hold(still.image, light, rng, still, current if new else None)
            before = still

    def _now(self) -> float:
        return self._count / FPS

    def _frame(self, light: _Light, scene: Image) -> Image:
        """The next frame: the ``scene`` in the light of this moment."""
        frame = light.on(scene, self._now())
        self._count += 1
        return frame

    def _note(self, kind: str, still: Still) -> None:
        self.moments.append(Moment(round(self._now(), 3), kind, still.name))

    def _hold(self, image: Image, light: _Light, rng: np.random.Generator, still: Still, bare: Image | None = None) -> Iterator[Image]:
        """Nothing happens for a while; or a lamp is switched, or (with ``bare``, the board without the dice) a die is nudged."""
        frames = int(rng.uniform(*self.hold) * FPS)
        lamp = int(frames * 0.6) if rng.random() < 0.06 else -1
        nudge = int(frames * 0.6) if bare is not None and rng.random() < 0.1 else -1
        for i in range(frames):
            if i == lamp:
                light.switch(self._now())
                self._note("lamp", still)
            if i == nudge and bare is not None:
                image = _nudged(image, bare, still.dice[0], rng)
                self._note("nudge", still)
            yield self._frame(light, image)

    def _hand(
        self, before: Still, after: Image, gone: list[NDArray[np.float64]], light: _Light, rng: np.random.Generator, still: Still
    ) -> Iterator[Image]:
        """A hand reaches for each place that changes, and uncovers it changed as it goes on; dice are taken last."""
        places = _places(before.image, after, gone)
        self._note("lifting" if gone else "reaching", before)
        hand = _Hand(rng, before.image.shape, before.from_near)
        current = before.image.copy()
        at = hand.away
        for centre, mask in places:
            for where in hand.path(at, centre, rng):
                yield self._frame(light, hand.over(current, where))
            np.copyto(current, after, where=mask[:, :, None] > 0)
            at = centre
        for where in hand.path(at, hand.away, rng):
            yield self._frame(light, hand.over(current, where))
        self._note("moved", still)


class _Light:
    """Sensor noise, slow drift of exposure, and a lamp that is switched off and on again."""

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
        self._noise = [rng.normal(0, 2.0, (*shape[:2], 1)).repeat(3, 2).astype(np.int16) for _ in range(6)]
        self._period, self._phase = rng.uniform(12, 30), rng.uniform(0, 6)
        self._lamp_at = -100.0
        self._turn = 0

    def switch(self, at: float) -> None:
        self._lamp_at = at

    def on(self, image: Image, at: float) -> Image:
        gain = 1.0 + 0.05 * np.sin(2 * np.pi * at / self._period + self._phase)
        since = at - self._lamp_at
        if 0 <= since < 4.3:
            gain *= 1 - 0.22 * min(1.0, since / 0.15, max(0.0, (4.3 - since) / 0.15))
        self._turn = (self._turn + 1) % len(self._noise)
        lit = cv2.convertScaleAbs(image, alpha=float(gain))
        return np.asarray(cv2.add(lit, self._noise[self._turn], dtype=cv2.CV_8U), np.uint8)


class _Hand:
    """An arm from the player's edge with a hand at its end, drawn soft."""

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...], from_near: bool) -> None:
        h, w = shape[:2]
        self.size = 0.06 * w
        x = w * rng.uniform(0.3, 0.7)
        self.away = np.array([x, h * 1.25 if from_near else -h * 0.25])
        self._root = np.array([x + rng.uniform(-0.1, 0.1) * w, h * 1.6 if from_near else -h * 0.6])
        tone = rng.uniform(0.35, 1.0)
        self._skin = tuple(float(c * tone) for c in (140, 170, 225))
        self._sleeve = tuple(float(c) for c in rng.uniform(20, 200, 3))

    def path(self, a: NDArray[np.float64], b: NDArray[np.float64], rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
        steps = max(6, int(np.linalg.norm(b - a) / (self.size * rng.uniform(0.7, 1.2))))
        bend = rng.uniform(-0.1, 0.1) * np.array([-(b - a)[1], (b - a)[0]])
        for i in range(1, steps + 1):
            t = i / steps
            s = t * t * (3 - 2 * t)
            yield a + (b - a) * s + bend * np.sin(np.pi * s)
        for _ in range(int(rng.integers(2, 7))):
            yield b

    def over(self, image: Image, where: NDArray[np.float64]) -> Image:
        layer = np.zeros_like(image)
        mask = np.zeros(image.shape[:2], np.uint8)
        back = (self._root - where) / (np.linalg.norm(self._root - where) + 1e-6)
        side = np.array([-back[1], back[0]])

        def stroke(a: NDArray[np.float64], b: NDArray[np.float64], width: float, colour: tuple[float, ...]) -> None:
            p, q = tuple(np.round(a).astype(int).tolist()), tuple(np.round(b).astype(int).tolist())
            cv2.line(layer, p, q, colour, max(1, int(width)), cv2.LINE_AA)
            cv2.line(mask, p, q, (255,), max(1, int(width)), cv2.LINE_AA)

        s = self.size
        stroke(where + back * s, self._root, s * 0.9, self._skin)
        stroke(where + back * 2.6 * s, self._root, s * 1.5, self._sleeve)
        for k in range(-2, 3):
            stroke(where + back * 0.7 * s + side * k * 0.22 * s, where - back * 0.35 * s + side * k * 0.28 * s, s * 0.22, self._skin)
        stroke(where + back * 0.4 * s, where + back * 0.9 * s, s * 0.95, self._skin)
        out = image.copy()
        x, y, w, h = cv2.boundingRect(cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=int(s * 0.2) + 16))
        if not w or not h:
            return out
        box = (slice(y, y + h), slice(x, x + w))
        near = mask[box]
        soft = cv2.GaussianBlur(near, (9, 9), 0)[:, :, None].astype(np.float32) / 255
        shift = np.array([[1, 0, s * 0.2], [0, 1, s * 0.25]], np.float32)
        shadow = cv2.blur(cv2.warpAffine(near, shift, (w, h)), (25, 25))
        shade = shadow[:, :, None].astype(np.float32) / 255
        lit = out[box].astype(np.float32) * (1 - 0.35 * shade)
        out[box] = (lit * (1 - soft) + layer[box].astype(np.float32) * soft).astype(np.uint8)
        return out


def _among(die: NDArray[np.float64], dice: tuple[NDArray[np.float64], ...]) -> bool:
    return any(np.linalg.norm(die.mean(0) - other.mean(0)) < 3 for other in dice)


def _region(die: NDArray[np.float64], shape: tuple[int, ...], grow: float = SHADED) -> Image:
    """A mask (h, w), 0 or 255, of what lies within a die's outline grown so many times about its middle."""
    centre = die.mean(0)
    mask = np.zeros(shape[:2], np.uint8)
    hull = cv2.convexHull(np.round(centre + (die - centre) * grow).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, (255,))
    return np.asarray(mask, np.uint8)


def _without(image: Image, other: Image, dice: list[NDArray[np.float64]]) -> Image:
    """``image`` with ``dice`` taken out of it: what ``other`` shows there."""
    out = image.copy()
    for die in dice:
        np.copyto(out, other, where=_region(die, image.shape, HIDES)[:, :, None] > 0)
    return out


def _changed(a: Image, b: Image) -> Image:
    difference = cv2.absdiff(cv2.GaussianBlur(a, (5, 5), 0), cv2.GaussianBlur(b, (5, 5), 0)).max(2)
    mask = (difference > 14).astype(np.uint8) * 255
    return np.asarray(cv2.dilate(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.ones((15, 15), np.uint8)), np.uint8)


def _differs(a: Image, b: Image, dice: list[NDArray[np.float64]]) -> bool:
    """Whether more than the dice changed."""
    mask = _changed(a, b)
    for die in dice:
        mask[_region(die, a.shape, CHANGES) > 0] = 0
    return int(np.count_nonzero(mask)) > 400


def _places(before: Image, after: Image, gone: list[NDArray[np.float64]]) -> list[tuple[NDArray[np.float64], Image]]:
    """Where the board changes, each with its centre and mask; the dice last."""
    mask = _changed(before, after)
    dice = np.zeros(mask.shape, np.uint8)
    for die in gone:
        dice |= _region(die, before.shape, CHANGES)
    rest = mask.copy()
    rest[dice > 0] = 0
    found: list[tuple[NDArray[np.float64], Image]] = []
    count, labels, stats, centres = cv2.connectedComponentsWithStats(rest)
    order = sorted(range(1, count), key=lambda k: -int(stats[k, cv2.CC_STAT_AREA]))[:5]
    for k in order:
        found.append((np.asarray(centres[k], np.float64), np.asarray((labels == k) * 255, np.uint8)))
    for die in gone:
        found.append((die.mean(0), _region(die, before.shape, CHANGES)))
    everything = np.full(mask.shape, 255, np.uint8)
    if found:
        found[-1] = (found[-1][0], everything)
        return found
    return [(np.array([before.shape[1] / 2.0, before.shape[0] / 2.0]), everything)]


def _nudged(image: Image, bare: Image, die: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """The die pushed by less than half its width."""
    width = float(np.linalg.norm(die[0] - die[1]))
    angle = rng.uniform(0, 2 * np.pi)
    shift = np.array([[1, 0, 0.4 * width * np.cos(angle)], [0, 1, 0.4 * width * np.sin(angle)]], np.float32)
    mask = _region(die, image.shape)
    out = _without(image, bare, [die])
    size = (image.shape[1], image.shape[0])
    moved, moved_mask = cv2.warpAffine(image, shift, size), cv2.warpAffine(mask, shift, size)
    np.copyto(out, moved, where=moved_mask[:, :, None] > 127)
    return out


def _throw(bare: Image, still: Still, dice: list[NDArray[np.float64]], rng: np.random.Generator) -> Iterator[Image]:
    """The new dice of ``still`` tumble in over ``bare`` and come to rest."""
    h, w = bare.shape[:2]
    steps = int(rng.uniform(0.5, 0.9) * FPS)
    flights = []
    for die in dice:
        away = np.array([w * rng.uniform(0.35, 0.65), h * (1.1 if still.from_near else -0.1)]) - die.mean(0)
        flights.append((die, away * rng.uniform(0.35, 0.6), rng.uniform(2, 7), rng.uniform(0.85, 1.0)))
    for i in range(steps):
        out = bare.copy()
        for die, away, spin, end in flights:
            t = min(1.0, (i + 1) / (steps * end))
            if t >= 1.0:
                np.copyto(out, still.image, where=_region(die, bare.shape)[:, :, None] > 0)
                continue
            left = (1 - t) ** 2
            blur = max(1, int(np.linalg.norm(away) * 2 * (1 - t) / steps * 0.8)) | 1
            _fly(out, still.image, die, away * left, float(np.degrees(spin * left * 3)), 1 + 0.25 * left, blur)
        yield out


def _fly(out: Image, image: Image, die: NDArray[np.float64], away: NDArray[np.float64], turn: float, scale: float, blur: int) -> None:
    """Draws the die of ``image`` into ``out``, moved by ``away`` px, turned by ``turn`` degrees, enlarged and blurred."""
    centre = die.mean(0)
    half = int(2.5 * np.linalg.norm(die[0] - die[1])) + blur
    target = np.round(centre + away).astype(int)
    h, w = out.shape[:2]
    x0, y0 = max(0, target[0] - half), max(0, target[1] - half)
    x1, y1 = min(w, target[0] + half), min(h, target[1] + half)
    if x1 <= x0 or y1 <= y0:
        return
    matrix = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), turn, scale)
    matrix[:, 2] += target - centre - (x0, y0)
    mask = cv2.warpAffine(_region(die, image.shape, ALONE), matrix, (x1 - x0, y1 - y0))
    moved = cv2.warpAffine(image, matrix, (x1 - x0, y1 - y0))
    if blur > 1:
        moved, mask = cv2.blur(moved, (blur, blur)), cv2.blur(mask, (blur, blur))
    alpha = mask[:, :, None].astype(np.float32) / 255
    out[y0:y1, x0:x1] = (out[y0:y1, x0:x1] * (1 - alpha) + moved * alpha).astype(np.uint8)
