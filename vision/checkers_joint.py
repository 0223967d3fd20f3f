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
FLOOR_BAR = 0.02  # the same of the bar, where a checker of the bar's own colour is easily overlooked
ALIKE = 0.02  # share of a stack's likelihood that goes to a whole layer more or less, which looks all but the same from above
LOST = 0.08  # how often a player with a checker outside his home has borne some off before
EXTRA = 0.004  # how often anybody has sixteen
MOST = 2 * CHECKERS  # totals are told apart up to this


def weighed(
    points: Probabilities, bar: Probabilities, hidden: NDArray[np.bool_], off: Probabilities | None = None
) -> tuple[Probabilities, Probabilities]:
    """``points`` (24, 31) and ``bar`` (2, 6) likelihoods, each strip by itself, made what they are worth among all the others.
    ``hidden`` (25,): strips whose answers say nothing. ``off`` (2, 16): likelihoods of what is borne off, where that was looked at."""
    points = _with_layers(points)
    told, told_bar = points.copy(), bar.copy()
    for seat, sign in ((0, 1), (1, -1)):
        own = np.stack([_own(points[p], sign) if not hidden[p] else _anything() for p in range(POINTS)])
        on_bar = np.zeros(CHECKERS + 1)
        on_bar[: bar.shape[1]] = bar[seat] if not hidden[POINTS] else _anything()[: bar.shape[1]]
        own = (1 - FLOOR) * own + FLOOR / (CHECKERS + 1)
        every = np.vstack([own, (1 - FLOOR_BAR) * on_bar / on_bar.sum() + FLOOR_BAR * _anything()])
        outside = [*(range(6, POINTS) if sign > 0 else range(POINTS - 6)), POINTS]
        total = _totals(1 - float(np.prod(every[outside, 0])))
        if off is not None:
            total[: CHECKERS + 1] *= off[seat, ::-1] * (CHECKERS + 1)
        rest = _rest(every, total)
        counts = np.clip(sign * (np.arange(points.shape[1]) - CHECKERS), 0, CHECKERS)
        told *= rest[:POINTS, counts]
        told_bar[seat] = every[POINTS, : bar.shape[1]] * rest[POINTS, : bar.shape[1]]
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


def _own(likely: Probabilities, sign: int) -> Probabilities:
    """How likely 0..15 checkers of one colour are."""
    own = likely[CHECKERS:].copy() if sign > 0 else likely[CHECKERS::-1].copy()
    own[0] = 1 - own[1:].sum()
    return np.maximum(own, 0)


def _anything() -> Probabilities:
    few = 0.5 ** np.arange(CHECKERS + 1)
    return np.asarray(few / few.sum())


def _totals(outside: float) -> Probabilities:
    """How likely each total is for a player who has a checker outside his home with the chance ``outside``."""
    whole, home = np.zeros(MOST + 1), np.zeros(MOST + 1)
    whole[:CHECKERS] = LOST / CHECKERS
    whole[CHECKERS], whole[CHECKERS + 1] = 1 - LOST - EXTRA, EXTRA
    home[: CHECKERS + 1] = (1 - EXTRA) / (CHECKERS + 1)
    home[CHECKERS + 1] = EXTRA
    return np.asarray(outside * whole + (1 - outside) * home) + 1e-6


def _rest(every: Probabilities, total: Probabilities) -> Probabilities:
    """(25, 16): how well each count of each place goes with all the other places (25, 16) and the likely totals."""
    n = len(every)
    before, after = [np.ones(1)], [np.ones(1)]
    for k in range(n - 1):
        before.append(np.convolve(before[-1], every[k])[: MOST + 1])
        after.append(np.convolve(after[-1], every[n - 1 - k])[: MOST + 1])
    rest = np.empty((n, CHECKERS + 1))
    padded = np.concatenate([total, np.zeros(CHECKERS + 1)])
    for k in range(n):
        others = np.zeros(MOST + 1)
        both = np.convolve(before[k], after[n - 1 - k])[: MOST + 1]
        others[: len(both)] = both
        rest[k] = np.correlate(padded, others, "valid")[: CHECKERS + 1]
    return rest + 1e-12
