"""Whose checkers stand on a point, by three rings of each place: how much commoner its colours are among near's checkers of the known
picture than among far's.

The nets see how far each colour is from what is common among a player's. That tells little where both players' checkers bear the same
colours in other places, as inlaid ones do that differ in their rims alone, and where no colour is common, as among those of grained wood.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS
from vision.checkers.colours import CELLS, LEVELS, blurred, cells, disc_mask
from vision.checkers.input import COUNTS
from vision.checkers.strips import BAR, WIDE, Image
from vision.colours import LAYER

RINGS = 0.0, 0.2, 0.34, 0.46  # D from a checker's middle, in between which a ring lies
STRAYS = 6.0  # grey levels: how far a colour strays from what it was at set-up
RARE = 1e-6  # share of a player's pixels that every colour has
MOST = 3.0  # log odds of a pixel, at most
SPREAD = 0.15  # of the log odds of checkers of one player, at least
SHARED = 3.0  # log odds of a pixel by which the two players' checkers differ on average, below which the nets see next to no difference:
# 1.5 where inlays are four fifths of a checker's width and alike, 2.6 where seven tenths, 3.5 and more in 112 sets without such
AT_MOST, AT_MOST_SHARED = 3.0, 4.5  # log odds of a point: what lies in a shadow or in glare may look like the other's


@dataclass(frozen=True, eq=False)
class Whose:
    """What tells the two players' checkers apart: the log odds (rings, cells) of a pixel of each colour to be near's, and from the mean of
    them over a checker the point's log odds: less ``middle``, times ``scale``. ``shared``: both bear the same colours, and the nets see
    next to no difference."""

    tables: NDArray[np.float64]
    middle: float
    scale: float
    shared: bool

    def odds(self, strips: Image) -> NDArray[np.float64]:
        """The log odds (24, 31) of every signed count -15..15 by the colours of as many places of the wide ``strips`` (24 or 25, length,
        width, 3) as it has checkers, half of what near's differ from far's by."""
        means = _means(self.tables, strips[:BAR])
        many = np.arange(1, LAYER + 1)
        first = np.cumsum(means, 1) / many  # (24, 5): of the first so many places
        most = AT_MOST_SHARED if self.shared else AT_MOST
        odds = np.clip((first - self.middle) * self.scale, -most, most) / 2
        counts = np.arange(-CHECKERS, CHECKERS + 1)
        return np.asarray(np.sign(counts) * odds[:, np.clip(np.abs(counts), 1, LAYER) - 1])


def owned(alone: NDArray[np.float64], odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """``alone`` (24, 31) with what the log ``odds`` say of whose the checkers are; none at all stays as likely."""
    some = np.arange(COUNTS) != CHECKERS
    told = alone * np.exp(odds) * some
    return np.asarray(np.where(some, told * alone.sum(1, keepdims=True, where=some) / told.sum(1, keepdims=True), alone))


def learn_whose(strips: Image, points: tuple[int, ...]) -> Whose | None:
    """What tells the checkers apart in the wide ``strips`` (25, length, width, 3) of a picture of known ``points`` (24,), on which both
    players have some; None where they do not differ."""
    places = {sign: [(p, k) for p, n in enumerate(points) if n * sign > 0 for k in range(min(LAYER, abs(n)))] for sign in (1, -1)}
    flat = strips.reshape(len(strips), -1, 3)
    shares = {sign: [_shares(np.concatenate([flat[p, r[k]] for p, k in places[sign]])) for r in _rings()] for sign in (1, -1)}
    tables = np.array([np.clip(np.log((a + RARE) / (b + RARE)), -MOST, MOST) for a, b in zip(shares[1], shares[-1], strict=True)])
    means = _means(tables, strips[:BAR])
    near, far = (np.array([means[place] for place in places[sign]]) for sign in (1, -1))
    apart = float(near.mean() - far.mean())
    if apart <= 0:
        return None
    a, b = max(SPREAD, float(near.std())), max(SPREAD, float(far.std()))
    middle = (float(near.mean()) * b + float(far.mean()) * a) / (a + b)
    return Whose(tables, middle, apart / (a * b), apart < SHARED)


@cache
def _rings() -> list[NDArray[np.int64]]:
    """For each ring (5, n): which pixels of a strip, row by row, are in it, about each place of a column."""
    discs = [np.array([disc_mask(WIDE, [(k + 0.5, 0.0)], r) for k in range(LAYER)]) for r in RINGS]
    return [np.array([np.flatnonzero(place) for place in outer & ~inner]) for inner, outer in pairwise(discs)]


def _shares(pixels: Image) -> NDArray[np.float64]:
    """(cells,): how much of the ``pixels`` (n, 3) has each colour."""
    many = np.bincount(cells(pixels), minlength=len(CELLS)).reshape(LEVELS, LEVELS, LEVELS)
    common = blurred(many, STRAYS)
    return np.asarray(common / common.sum())


def _means(tables: NDArray[np.float64], strips: Image) -> NDArray[np.float64]:
    """(24, 5): in ``strips`` (24, length, width, 3), the mean log odds of the pixels about each place of a column."""
    flat, rings = strips.reshape(len(strips), -1, 3), _rings()
    by_ring = [ring.shape[1] * table[cells(flat[:, ring])].mean(2) for table, ring in zip(tables, rings, strict=True)]
    return np.asarray(sum(by_ring) / sum(ring.shape[1] for ring in rings))
