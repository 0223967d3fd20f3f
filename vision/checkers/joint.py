"""Weighs the counts of all points and the bar together: a player owns fifteen checkers.

That is what lies in the box, no rule of play: where two counts of one point look alike, the other points and what lies beside the board
tell which of them leaves fifteen. Where nothing tells what is borne off, fewer are as good as fifteen once nothing of a player's stands
outside his home.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, POINTS
from vision.colours import LAYER

Probabilities = NDArray[np.float64]

FLOOR = 1e-3  # share of every count that is given to all counts alike: the net is never surer than that
OVERLOOKED = 0.002  # how often a checker on the bar is overlooked, which may be of its colour: of 1,984 bars bare by 0.99 none had one
PILED = 0.01  # how often there is one more than is seen on the bar, or half as often two, where one is: the top of a pile hides the others
ALIKE = 0.02  # share of a stack's likelihood that goes to a whole layer more or less, which looks all but the same from above
LOST = 0.08  # how often a player with a checker outside his home has borne some off before
EXTRA = 0.004  # how often anybody has sixteen
MOST = 20  # totals are told apart up to this


def weighed(
    points: Probabilities, bar: Probabilities, hidden: NDArray[np.bool_], off: Probabilities | None = None
) -> tuple[Probabilities, Probabilities]:
    """``points`` (24, 31) and ``bar`` (2, 6) likelihoods, each strip by itself, made what they are worth among all the others.
    ``hidden`` (25,): strips whose answers say nothing. ``off`` (2, 16): likelihoods of what is borne off, where that was looked at."""
    points = _with_layers(points)
    every = np.where(hidden[:POINTS, None], _anything(CHECKERS), (1 - FLOOR) * points + FLOOR / points.shape[1])
    on_bar, totals = np.zeros((2, points.shape[1])), []
    for seat, sign in ((0, 1), (1, -1)):
        read = bar[seat] if not hidden[POINTS] else _anything(0)[: bar.shape[1]]
        own = _with_more(np.pad(read / read.sum(), (0, CHECKERS + 1 - bar.shape[1])))
        on_bar[seat, CHECKERS::sign] = own
        outside = every[6:] if sign > 0 else every[:-6]
        none = 1 - (outside[:, CHECKERS + 1 :] if sign > 0 else outside[:, :CHECKERS]).sum(1)
        total = _totals(1 - float(np.prod(none)) * float(own[0]))
        if off is not None:
            total[: CHECKERS + 1] *= off[seat, ::-1] * (CHECKERS + 1)
        totals.append(total)
    places = np.vstack([every, on_bar])
    rest = _rest(places, np.outer(*totals))
    told = points * rest[:POINTS]
    told_bar = np.stack([(on_bar * rest[POINTS:])[seat, CHECKERS::sign][: bar.shape[1]] for seat, sign in ((0, 1), (1, -1))])
    return told / told.sum(1, keepdims=True), told_bar / told_bar.sum(1, keepdims=True)


def _with_layers(points: Probabilities) -> Probabilities:
    """``points`` (24, 31) with some of every stack's likelihood given to a layer more and a layer less."""
    out = points.copy()
    for sign in (1, -1):
        for n in range(LAYER, CHECKERS - LAYER + 1):
            few, many = CHECKERS + sign * n, CHECKERS + sign * (n + LAYER)
            out[:, many] += ALIKE * points[:, few]
            out[:, few] += ALIKE * points[:, many]
    return np.asarray(out / out.sum(1, keepdims=True))


def _with_more(bar: Probabilities) -> Probabilities:
    """The likelihoods (16,) of so many on the ``bar`` with what may have been overlooked, or lie under what was seen."""
    none, some = np.where(np.arange(len(bar)) == 0, bar, 0), np.where(np.arange(len(bar)) > 0, bar, 0)
    more = np.convolve(none, (1 - OVERLOOKED, OVERLOOKED))[: len(bar)] + np.convolve(some, (1 - 1.5 * PILED, PILED, PILED / 2))[: len(bar)]
    return np.asarray((1 - FLOOR) * more + FLOOR * _anything(0))


def _anything(fewest: int) -> Probabilities:
    """How likely ``-fewest`` to 15 checkers are where nothing is seen."""
    few = 0.5 ** np.abs(np.arange(-fewest, CHECKERS + 1))
    return np.asarray(few / few.sum())


def _totals(outside: float) -> Probabilities:
    """How likely each total is for a player who has a checker outside his home with the chance ``outside``."""
    whole, home = np.zeros(MOST + 1), np.zeros(MOST + 1)
    whole[:CHECKERS] = LOST / CHECKERS
    whole[CHECKERS], whole[CHECKERS + 1] = 1 - LOST - EXTRA, EXTRA
    home[: CHECKERS + 1] = (1 - EXTRA) / (CHECKERS + 1)
    home[CHECKERS + 1] = EXTRA
    return np.asarray(outside * whole + (1 - outside) * home) + 1e-6


def _rest(places: Probabilities, totals: Probabilities) -> Probabilities:
    """(n, 31): how well each count of each of the ``places`` (n, 31) goes with all the other places and the likely ``totals``, near's by
    far's (`MOST` + 1, `MOST` + 1)."""
    reach = np.arange(MOST + 1)
    more = reach - reach[:, None]  # checkers that lead from one total, the row, to another
    reached = (more >= 0) & (more <= CHECKERS)
    near, far = (np.where(reached, places[:, CHECKERS + sign * np.clip(more, 0, CHECKERS)], 0.0) for sign in (1, -1))
    none = places[:, CHECKERS, None, None]
    before, after = [np.zeros((MOST + 1, MOST + 1))], [totals]
    before[0][0, 0] = 1.0
    for k in range(len(places) - 1):
        a, b = before[-1], after[-1]
        before.append(near[k].T @ a + a @ far[k] - none[k] * a)
        last = len(places) - 1 - k
        after.append(near[last] @ b + b @ far[last].T - none[last] * b)
    rest = np.empty_like(places)
    for k, (a, b) in enumerate(zip(before, after[::-1], strict=True)):
        for sign, way in ((1, a @ b.T), (-1, a.T @ b)):
            rest[k, CHECKERS::sign] = np.bincount(more[reached], way[reached], CHECKERS + 1)
    return rest + 1e-12
