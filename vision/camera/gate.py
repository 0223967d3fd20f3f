"""The gate before the readers: is the picture still, is the camera well?

`Gate.see` is cheap enough for every frame. It says when the board has settled, so that the full readers run on settled pictures only,
and it names a camera that is frozen, dark, overexposed, covered or blurred. Slow changes of light pass; a switched lamp is movement
until it has settled again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.sharpness import Focus
from vision.camera.source import FROZEN_AFTER, Frame
from vision.camera.steady import Smooth, steadied
from vision.pictures import Image
from vision.table import Table

WIDTH = 320  # the gate looks at a picture this wide
SMOOTH = 1.0  # px of it: with finer edges what has moved by part of a pixel could not be told from what has changed
WIDEST = 1920  # px: of wider pictures not every pixel counts
MARGIN = 1.15  # of the playing field: what moves on its rails and beside it is watched too
BESIDE_AFTER = 1.5  # s in which nothing moves but before or behind the field: settled all the same; dice do not roll for so long
EACH, MEMORY = 1.0, 0.1  # s, and how much one such stretch counts, ..
OFTEN = 0.6  # .. of which what changes in more is let be beside the field: a clock that ticks in a stream's frame, or a player's picture
STILL_AFTER = 0.1  # s without movement: settled; two readings a tenth of a second apart must agree besides
STUTTER = 0.4  # s for which a stream may show the last picture of a movement over and over: one look at it, and no rest
CHANGED_PIXEL = 14.0  # grey levels a pixel must differ by, over noise, to have moved
CHANGED_SMOOTH = 10.0  # .. where the camera trembles, in a smooth picture, which has less noise
CHANGED_SHARE = 0.00018  # share of the watched area that must have moved: a die of 14 px in a picture of 1280x720
SHARP = 0.5  # Laplacian over variance: boards have 0.17 to 0.8 or a little more, and what has 10 is print or noise before the lens
BLURRED = 0.12  # of the sharpest picture so far: less sharp than this, focus or lens is not well
DARK, BRIGHT = 30, 245  # grey levels: a picture that has next to nothing over the one or under the other cannot be read, ..
PLAIN, ROUND = 0.05, 65  # deviation from what is round about (px), over the mean: a board has twice as much, what covers a lens less
BURNT, MOST_BURNT = 252, 0.6  # .. nor one of which a larger share is brighter than this
UNEVEN = 5.0  # times by how much more or less light a row has than the picture: so much more must a pixel of it differ, for what is at an
# edge, or cut off where it is bright, is not brighter by the row's factor
FULL = 250  # grey levels: what is as bright may be brighter
CREEP = 0.1  # of the way that the anchor follows what is seen with each picture
RESTLESS_AFTER = 30.0  # s without a settled picture: no turn is so long in the hand, but a camera may shake for ever
AGAIN = (0.1, 0.15, 0.2, 0.3)  # s between repeated readings of one settled scene, then `LATER`
LATER = 1.0

Grey = NDArray[Any]
"""uint8 (height, width)."""


class Health(Enum):
    """How a camera is, by its pictures."""

    GOOD = "good"
    FROZEN = "frozen"
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    COVERED = "covered"
    BLURRED = "blurred"
    RESTLESS = "never at rest"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate says of a frame. ``settled``: still for at least `STILL_AFTER`, and in focus."""

    settled: bool
    health: Health


class _Seen(NamedTuple):
    """A frame made small: as it is, and ``smooth``."""

    grey: Grey
    smooth: Smooth


class Gate:
    """Compares each frame with the last; keep one for a stream. ``table`` limits it to the board with its margin, and the trays.
    ``frozen_after``: s of bit-identical pictures of a camera that is frozen."""

    def __init__(self, table: Table | None = None, frozen_after: float = FROZEN_AFTER) -> None:
        self._table, self._frozen_after = table, frozen_after
        self._last: _Seen | None = None
        self._whole = self._field = _Rest(np.zeros((0, 0), np.uint8), 0, 0.0)
        self._beside = _Beside(np.zeros((0, 0), np.bool_), 0.0)
        self._same_since = 0.0  # since when it is the same to the bit
        self._sharpness = self._spread = 0.0  # of the sharpest picture so far that shows as much as others, and its variance
        self._focus = Focus()

    def see(self, image: Image, at: float) -> Judged:
        """Judges one frame (BGR, any size) captured at ``at`` seconds."""
        now, last = _seen(image), self._last
        self._last = now
        if last is None or last.grey.shape != now.grey.shape:
            self._start(now.grey, image, at)
            return Judged(False, self._health(now.grey, at))
        if not np.array_equal(now.grey, last.grey):
            self._same_since = at
        if self._beside.see(now.grey, last.grey, at):
            self._whole.ignore(self._beside.restless)
            self._field.ignore(self._beside.restless)
        rested = self._whole.see(now, last, at)
        stutters = self._whole.since == self._same_since > at - STUTTER
        whole = rested >= STILL_AFTER and not stutters
        # What moves beside the field and not over it is let be in the end: somebody's hand may never rest. A die that runs along the
        # rail does before.
        settled = whole or self._field.see(now, last, at) >= BESIDE_AFTER
        if whole:
            self._field.begin(at, self._whole.anchor)
        health = self._health(now.grey, at)
        if health is Health.GOOD and self._focus.lost(image if settled else None, at):
            health = Health.BLURRED
        return Judged(settled and not self._focus.soft, health)

    def _start(self, small: Grey, image: Image, at: float) -> None:
        self._same_since = at
        whole = field = inside = np.full(small.shape, 255, np.uint8)
        if self._table is not None and self._table.camera.fits(image):
            scale = WIDTH / image.shape[1]
            whole, field, inside = (
                _filled(small, *(scale * shape for shape in (self._table.corners(wide, deep), *self._table.outlines())))
                for wide, deep in ((MARGIN, MARGIN), (MARGIN, 1.0), (1.0, 1.0))
            )
        least = CHANGED_SHARE * np.count_nonzero(whole)
        self._whole, self._field, self._beside = _Rest(whole, least, at), _Rest(field, least, at), _Beside(inside == 0, at)

    def _health(self, small: Grey, at: float) -> Health:
        light = brightness(small)
        if light is not None:  # the picture of a covered lens may be the same for ever
            return light
        if float((small - cv2.blur(small, (ROUND, ROUND)).astype(np.float32)).std()) < PLAIN * float(small.mean()):
            return Health.COVERED
        if at - self._same_since >= self._frozen_after:
            return Health.FROZEN
        spread = max(1.0, float(small.var()))
        sharpness = min(SHARP, float(cv2.Laplacian(small, cv2.CV_32F).var()) / spread)
        if spread > 2 * self._spread:  # what came before was covered or unlit: only its noise was sharp
            self._sharpness, self._spread = sharpness, spread
        elif 2 * spread > self._spread and sharpness > self._sharpness:
            self._sharpness = sharpness
        return Health.BLURRED if sharpness < BLURRED * self._sharpness else Health.GOOD


def _seen(image: Image) -> _Seen:
    return _Seen(_small(image, 2 * WIDTH), cv2.GaussianBlur(_small(image, WIDEST).astype(np.float32), (0, 0), SMOOTH))


def _small(image: Image, widest: int) -> Grey:
    """``image`` in grey, `WIDTH` px wide. Of one n times as wide as ``widest`` every nth row and column is looked at."""
    height, width = image.shape[:2]
    step = width // widest
    if step > 1:  # sooner than [::step, ::step]
        image = np.asarray(cv2.resize(image, (-(-width // step), -(-height // step)), interpolation=cv2.INTER_NEAREST), np.uint8)
    return cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (WIDTH, round(WIDTH * height / width)), interpolation=cv2.INTER_AREA)


def _medians(values: NDArray[np.float32], lit: NDArray[np.bool_], otherwise: float) -> NDArray[np.float32]:
    """The median (rows, 1) of each row's ``lit`` values; ``otherwise`` where a row has none."""
    count = lit.sum(axis=1)
    ordered = np.sort(np.where(lit, values, np.float32(np.inf)), axis=1)
    middle = ordered[np.arange(len(ordered)), np.minimum(count // 2, ordered.shape[1] - 1)]
    return np.where(count > 0, middle, np.float32(otherwise)).astype(np.float32)[:, None]


def brightness(grey: Grey) -> Health | None:
    """How a ``grey`` picture is that is too dark or too bright to be read; None for one with enough light."""
    low, high = np.percentile(grey, (5, 95))
    if high < DARK:
        return Health.DARK
    return Health.OVEREXPOSED if low > BRIGHT or float(np.mean(grey > BURNT)) > MOST_BURNT else None


def unlit(image: Image) -> Health | None:
    """The same of a picture (BGR, any size)."""
    height, width = image.shape[:2]
    return brightness(cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (WIDTH, max(1, round(WIDTH * height / width)))))


class _Rest:
    """How long what a ``mask`` shows has been at rest; ``least`` pixels must differ for more than noise, ``at`` is when it begins."""

    def __init__(self, mask: Grey, least: float, at: float) -> None:
        self.anchor: _Seen | None = None
        self._all = self._mask = mask > 0
        self._least, self.since = least, at

    def ignore(self, restless: NDArray[np.bool_]) -> None:
        """Leaves out from now on what is ``restless``, and nothing else."""
        self._mask = self._all & ~restless

    def begin(self, at: float, anchor: _Seen | None) -> None:
        """Counts from ``at`` seconds on, when ``anchor`` is what is seen."""
        self.since, self.anchor = at, anchor

    def see(self, now: _Seen, last: _Seen, at: float) -> float:
        """For how many seconds it has been at rest, when it is seen ``now`` and was seen ``last``."""
        still = self._still(now, last)
        if still is not None and self.anchor is not None:
            still = self._still(now, self.anchor)
        if still is None:
            self.begin(at, now)
        elif self.anchor is not None:
            # Follow slow light: the anchor creeps towards what is seen, too slowly to swallow a moved checker.
            self.anchor = _Seen(*(cv2.addWeighted(then, 1 - CREEP, it, CREEP, 0) for then, it in zip(self.anchor, still, strict=True)))
        return at - self.since

    def _still(self, now: _Seen, then: _Seen) -> _Seen | None:
        """What is seen ``now`` from where the camera was ``then``; None where more differs than a change of the light and a trembling
        camera make."""
        if not self._differ(now.grey, then.grey, CHANGED_PIXEL):
            return now
        smooth = steadied(now.smooth, then.smooth)
        return None if smooth is None or self._differ(smooth, then.smooth, CHANGED_SMOOTH) else _Seen(now.grey, smooth)

    def _differ(self, a: Grey, b: Grey, least: float) -> bool:
        """Whether more than light differs, by ``least`` grey levels. Bands of mains light lie along the rows of the sensor, which are
        columns of the picture where the camera is held upright."""
        return self._differ_in_rows(a, b, least, self._mask) and self._differ_in_rows(a.T, b.T, least, self._mask.T)

    def _differ_in_rows(self, a: Grey, b: Grey, least: float, mask: NDArray[np.bool_]) -> bool:
        """Whether they do once a change of the light is taken out: a lamp or the camera's exposure makes every pixel brighter by the same
        factor, and under mains light a camera that takes its rows one after another sees bands of light."""
        some = np.s_[1::3, ::3]  # rows in the middle of those that `cv2.resize` makes of each below
        here, there = a[some].astype(np.float32), b[some].astype(np.float32)
        lit = mask[some] & (here < FULL) & (there < FULL)
        bright = (here + 1) / (there + 1)
        whole = float(np.median(bright[lit])) if lit.any() else 1.0
        gain = cv2.resize(_medians(bright, lit, whole), (1, a.shape[0]))
        difference = a - np.minimum((b + np.float32(1)) * gain - 1, np.float32(255))
        difference[(b >= FULL) & (difference > 0)] = 0  # it was brighter than it could be shown
        difference[[0, -1]] = 0  # of the light of the rows at the ends too little is known
        enough = least * (1 + UNEVEN * np.abs(gain / whole - 1))
        return bool(np.count_nonzero((np.abs(difference) > enough) & mask) > self._least)


class _Beside:
    """What never rests ``beside`` the field, where that is true: it tells nothing of the game. What moves there only for a while, as a die
    or a hand, is none of it."""

    def __init__(self, beside: NDArray[np.bool_], at: float) -> None:
        self.restless = np.zeros_like(beside)
        self._beside, self._due = beside, at + EACH
        self._changed = np.zeros_like(beside)  # since the last stretch ended
        self._often = np.zeros(beside.shape, np.float32)  # share of the stretches, the last ones most

    def see(self, now: Grey, last: Grey, at: float) -> bool:
        """Whether what is ``restless`` is another than before, now that it is seen ``now`` and was seen ``last``."""
        self._changed |= cv2.absdiff(now, last) > CHANGED_PIXEL
        if at < self._due:
            return False
        self._often += MEMORY * (self._changed - self._often)
        self._due, self._changed = at + EACH, np.zeros_like(self._beside)
        often = (self._often > OFTEN).astype(np.uint8)
        restless = (cv2.dilate(often, np.ones((7, 7), np.uint8)) > 0) & self._beside
        changed = not np.array_equal(restless, self.restless)
        self.restless = restless
        return changed


def _filled(small: Grey, *shapes: NDArray[np.float64]) -> Grey:
    """A mask of ``small``'s size that shows what lies in one of the ``shapes`` (n, 2) px."""
    mask = np.zeros(small.shape, np.uint8)
    for shape in shapes:
        cv2.fillConvexPoly(mask, np.round(shape).astype(np.int32), (255,))
    return mask


class Rhythm:
    """When a settled scene is read: a few times at once, then every `LATER` seconds, and anew after each movement."""

    def __init__(self) -> None:
        self._due, self._times = -math.inf, 0

    def wants(self, settled: bool, at: float) -> bool:
        """Whether the frame captured at ``at`` seconds, which is ``settled`` or not, is to be read."""
        if not settled:
            self._due, self._times = -math.inf, 0
            return False
        if at < self._due:
            return False
        self._due = at + (AGAIN[self._times] if self._times < len(AGAIN) else LATER)
        self._times += 1
        return True


def settled(
    frames: Iterable[Frame], table: Callable[[], Table | None] = lambda: None, frozen_after: float = math.inf,
    watcher: Callable[[Frame, Health], None] = lambda *_: None,
) -> Iterator[Frame]:
    """The frames worth a full reading: every still; of a video, each settled scene a few times at once, then every second.

    ``table`` is asked before each frame: where it tells another one (the board was found, a tray was drawn) just that is watched from
    then on. ``watcher`` is told of every frame of a video, and how the camera is; while it is not well nothing is read. ``frozen_after``
    as `Source.frozen_after`.
    """
    watched, rhythm = table(), Rhythm()
    rested: float | None = None
    gate = Gate(watched, frozen_after)
    for frame in frames:
        if frame.still or frame.image is None:
            yield frame
            continue
        now = table()
        if now is not watched and now is not None:
            watched, gate = now, Gate(now, frozen_after)
        seen = gate.see(frame.image, frame.at)
        health = seen.health
        if rested is None or seen.settled or health is not Health.GOOD:
            rested = frame.at
        elif frame.at - rested >= RESTLESS_AFTER:
            health = Health.RESTLESS
        watcher(frame, health)
        if health is Health.GOOD and rhythm.wants(seen.settled, frame.at):
            yield frame
