"""What lies on the bar that did not lie there at set-up.

A checker on a bar of its own colour (black on black leather) is hard to make out, but easy to see as a change: under it the bar's own
hinges, seams and edges are gone. Both strips show the same place of the same table; nothing here knows the match.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, Seat
from vision.checkers_input import BAR_COUNTS
from vision.checkers_off import borne_out
from vision.checkers_strips import BAR_SCALE, LENGTH, WIDTH

Strip = NDArray[np.uint8]
Rgb = tuple[float, float, float]

ALIKE = 0.6  # correlation with the bar at set-up below which something else lies there; bare bar keeps above 0.75
WINDOW = 0.45  # D: half a window along the bar
STEP = 2  # px
BREADTH, NARROW, BROAD = 0.4, 0.2, 0.45  # bar widths to either side of its middle that are looked at; in D at least and at most
NARROWEST, WIDEST = 0.8, 2.1  # D: of a single checker's run of changed windows
FLAT = 3.0  # grey levels: a bar without more structure than this tells nothing by its change
OTHER = 0.2  # correlation that every single checker falls below; a shifted shadow or a moved die does not
CHECKER = (1.15, 2.1)  # D: length of a checker's run
ENDS = 1.2  # D at either end, where a cube is kept
BARE = 2.0  # times as much structure as the bar has elsewhere: something lay there at set-up already
OWN_COLOUR = 55.0  # grey levels from a player's colour to his checker on the bar: 24 of 27 lay nearer, of 9 single other things none
CERTAIN_SHARE, MAYBE_SHARE = 0.96, 0.45  # of the likelihood that goes to as many checkers as bodies say; the second leaves a doubt
ROOM = 0.8  # D of changed bar for every checker on it: of 129 single ones in 623 pictures all but three changed 1.0 and more
PILED_UP = 0.05  # of the likelihood of more than there is room for: they may lie on each other
SAME, UNSEEN = 0.9, 0.01  # a bar as much alike as this throughout; of the likelihood of any checker on it
NEARER = 1.35  # times nearer a body's colour must be to one player's checkers than to the other's

_HALF = int(WINDOW * BAR_SCALE)


@dataclass(frozen=True, eq=False)
class Compared:
    """The bar ``now`` and at ``start`` (`LENGTH`, width, 3), as wide as it is looked at; the ``middles`` of windows along it, px, how much
    ``alike`` both are there, -1..1, and what ``structure`` there is at start."""

    now: Strip
    start: Strip
    middles: NDArray[np.int64]
    alike: NDArray[np.float64]
    structure: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Body:
    """Something new on the bar: its mean colour (b, g, r), and what was ``under`` it at set-up.
    ``checker``: as long as one, on bar that was bare at set-up, and away from the ends; not just something as a cube or a die may be."""

    colour: tuple[float, float, float]
    under: tuple[float, float, float]
    checker: bool


@dataclass(frozen=True, eq=False)
class NewOnBar:
    """What is new on the bar: the ``owners`` of the bodies, 0 near, 1 far, None when that cannot be told; whether all of them are checkers
    for ``certain``; and for how many there is ``room`` (`BAR_COUNTS`,), as `room_for` has it."""

    owners: tuple[int | None, ...] = ()
    certain: bool = False
    room: NDArray[np.float64] = field(default_factory=lambda: np.ones(BAR_COUNTS))

    @staticmethod
    def of(bar: Compared | None, near_rgb: Rgb, far_rgb: Rgb, bare: bool) -> NewOnBar:
        """By how the ``bar`` compares, which at set-up was ``bare`` or not, and the colours of the players' checkers."""
        bodies = new_bodies(bar)
        owners = tuple(whose(body, near_rgb, far_rgb) for body in bodies)
        return NewOnBar(owners, beyond_doubt(bodies, near_rgb, far_rgb), room_for(bar if bare else None))


def compared(now: Strip, start: Strip, wide: float) -> Compared | None:
    """The strips (`LENGTH`, `WIDTH`, 3) of a bar ``wide`` D across, or of its middle: beside a narrow one stand the checkers of the
    points. None for a bar that has too little structure to tell by."""
    half = int(min(max(BREADTH * wide, NARROW), BROAD) * BAR_SCALE)
    now, start = (strip[:, WIDTH // 2 - half : WIDTH // 2 + half] for strip in (now, start))
    a, b = (strip.astype(np.float64).mean(-1) for strip in (now, start))
    if float(np.std(b)) < FLAT:
        return None
    middles = np.arange(_HALF, LENGTH - _HALF, STEP)
    return Compared(now, start, middles, *_windows(a, b, middles - _HALF, middles + _HALF))


def new_bodies(bar: Compared | None) -> tuple[Body, ...]:
    """The single checkers' worth of things on the ``bar`` that it did not show at start.

    Empty when any changed stretch is not as long as a checker: then it is something else, or more than one thing.
    """
    if bar is None:
        return ()
    bodies = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (bar.alike < ALIKE).astype(np.int8), [0]])))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        length = (last - first) * STEP / BAR_SCALE
        if length < NARROWEST / 4:
            continue  # a glint
        if not NARROWEST <= length <= WIDEST:
            return ()
        middle = int((bar.middles[first] + bar.middles[last - 1]) / 2)
        colour, under = (_colour(strip[middle - _HALF // 2 : middle + _HALF // 2]) for strip in (bar.now, bar.start))
        along = middle / BAR_SCALE
        bare = float(bar.structure[first:last].max()) < BARE * float(np.median(bar.structure))
        away = ENDS < along < LENGTH / BAR_SCALE - ENDS
        checker = bool(bar.alike[first:last].min() < OTHER) and CHECKER[0] <= length <= CHECKER[1] and bare and away
        bodies.append(Body(colour, under, checker))
    return tuple(bodies)


def room_for(bar: Compared | None) -> NDArray[np.float64]:
    """What is left of the likelihood of 0, 1... checkers on the ``bar`` (`BAR_COUNTS`,) by where it looks otherwise than at start, when
    nothing lay on it; 1 where that tells nothing."""
    counts = np.arange(BAR_COUNTS)
    if bar is None:
        return np.ones(BAR_COUNTS)
    if bar.alike.min() > SAME:
        return np.where(counts > 0, UNSEEN, 1.0)
    most = int(np.count_nonzero(bar.alike < ALIKE) * STEP / BAR_SCALE / ROOM)
    return np.where(counts > most, PILED_UP, 1.0)


def _colour(disc: Strip) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in np.median(disc.reshape(-1, 3), axis=0))
    return blue, green, red


def _windows(
    a: NDArray[np.float64], b: NDArray[np.float64], first: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For the windows of the rows ``first`` to ``end``: the correlation of ``a`` and ``b``, -1..1, blind to brightness and contrast,
    and the spread of ``b``."""
    a, b = a - a.mean(), b - b.mean()

    def mean(of: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.concatenate([[0.0], np.cumsum(of.sum(1))])
        return np.asarray((total[end] - total[first]) / ((end - first) * of.shape[1]))

    mean_a, mean_b = mean(a), mean(b)
    spread_a, spread_b = np.maximum(mean(a * a) - mean_a**2, 0), np.maximum(mean(b * b) - mean_b**2, 0)
    pixels = (end - first) * a.shape[1]
    together = pixels * (mean(a * b) - mean_a * mean_b)
    return together / np.sqrt(pixels * spread_a * pixels * spread_b + 1.0), np.sqrt(spread_b)


def _away(body: Body, *colours: Rgb) -> list[float]:
    """How far a body's colour lies from each of ``colours``, grey levels."""
    return [float(np.linalg.norm(np.array(body.colour[::-1]) - np.array(rgb))) for rgb in colours]


def whose(body: Body, near_rgb: Rgb, far_rgb: Rgb) -> int | None:
    """0 when the body looks like near's checkers, 1 like far's, None when that cannot be told."""
    near, far = _away(body, near_rgb, far_rgb)
    if near * NEARER < far:
        return 0
    return 1 if far * NEARER < near else None


def beyond_doubt(bodies: tuple[Body, ...], near_rgb: Rgb, far_rgb: Rgb) -> bool:
    """Whether all that is new on the bar is checkers for certain: as long as one, and of a player's own colour. A cube is neither's, and
    what looks like the bar that was there may be the bar, with something gone beside it."""
    return bool(bodies) and all(
        body.checker and min(_away(body, near_rgb, far_rgb)) < min(OWN_COLOUR, _away(body, body.under[::-1])[0]) for body in bodies
    )


def with_bodies(
    bar: NDArray[np.float64], counts: NDArray[np.int64], new: NewOnBar, off: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """``bar`` (2, 6) likelihoods with what ``new`` bodies tell: where a player's missing checkers are as many as the new bodies of his
    colour that the net did not take for checkers, they may lie on the bar. That is a doubt and no more, since the cube or a die may be
    such a body, unless all of them are checkers for certain. ``counts`` (24,) signed, of the points. ``off`` (2, 16): likelihoods
    of what is borne off; checkers that are not missing because they lie there are not looked for on the bar."""
    share = CERTAIN_SHARE if new.certain else MAYBE_SHARE
    out = bar.copy()
    read = bar.argmax(1)
    for seat in Seat:
        on_bar = int(read[seat.index])
        missing = CHECKERS - int(counts[counts * seat.sign > 0].sum() * seat.sign) - on_bar
        if missing <= 0 or borne_out(off, seat, missing):
            continue
        unread = new.owners.count(seat.index) - on_bar
        if unread == missing and None not in new.owners and len(new.owners) == int(read.sum()) + missing:
            out[seat.index] *= 1 - share
            out[seat.index, min(on_bar + missing, bar.shape[1] - 1)] += share
    return out
