"""The looks at one place of a picture: how often, from where and how near it is looked at, and what all looks together show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import Look, look_at
from vision.dice.find import Spot
from vision.dice.lean import ALONE, SURE_COCKED, by_both
from vision.dice.net import DieView, read_dice, read_leans
from vision.dice.views import (
    CLEAR_DIE,
    NEAR,
    SURE_VALUE,
    apart,
    likelihood,
    mean_view,
    sureness,
    top_height,
    undoubted,
    with_hues,
)
from vision.table import Table

FAINTEST = 0.1  # of a die, in the first look: what shows less is not looked at again
HINT_OF_DIE = 0.25  # from here on it is worth more looks
CLEAR_SPOT = 0.3  # the finder's score from which a die is no less likely
STRONG_SPOT, UNCLEAR = 0.45, 0.6  # the finder's score of a place that is looked at from beside it too (it may have marked a side face),
# where the first look shows a die and its value less surely than this; another must be so much surer, and as sure as this, to be taken
BETTER, FAINT = 1.5, 0.15
ASIDE = (0.4, 0.0), (-0.4, 0.0), (0.0, 0.35), (0.0, -0.35)  # edges up and across
BESIDE_IT = ((1.08, 0.0, 0.06, 0.0), (0.93, 0.1, 0.0, 0.06), (1.0, -0.1, -0.06, 0.0), (1.0, 0.05, 0.0, -0.06))  # edges, lean, x, y in edges
TILT_PLAIN = 0.22  # probability of a tilt up to which a die plainly lies flat
CLOSER = 11.0  # px: a die as wide as this is looked at closer too
TOUCHING = 0.9  # edges on the board's plane between the middles of two dice one behind the other
NO_DIE, AGREED = 0.2, 0.6  # what the closer look says of a die: 0 and 8 of 597 dice are below these, of 11 other things 3 and 8


@dataclass(frozen=True, eq=False)
class DiceLooks:
    """Looks at what may be dice in one ``image`` (BGR uint8) of a set-up ``table``."""

    image: NDArray[np.uint8]
    table: Table

    def at(self, spots: Sequence[tuple[Spot, Look]]) -> list[DieView]:
        """What two looks show at each place, the second nearer; what the finder hardly saw is less likely a die."""
        first = read_dice(self.image, [look for _, look in spots])
        first = [self._aside(spot, look, v) for (spot, look), v in zip(spots, first, strict=True)]
        keep = [(spot, v) for (spot, _), v in zip(spots, first, strict=True) if v.die > FAINTEST]
        again = read_dice(self.image, [self.look(v) for _, v in keep])
        views = [(spot, mean_view([v, w], w)) for (spot, v), w in zip(keep, again, strict=True)]
        return [replace(v, die=v.die * min(1.0, math.sqrt(spot.score / CLEAR_SPOT)), marked=spot.score) for spot, v in views]

    def _aside(self, spot: Spot, look: Look, v: DieView) -> DieView:
        """The first look ``v`` at a place, or where it shows no die though the finder is sure, the surest of four from beside it."""
        if spot.score < STRONG_SPOT or likelihood(v) >= UNCLEAR:
            return v
        up = np.linalg.solve(look.upright(False), (0.0, -look.edge))
        beside = [look.centre + i * up + j * np.array([-up[1], up[0]]) for i, j in ASIDE]
        best = max(read_dice(self.image, [replace(look, centre=(float(x), float(y))) for x, y in beside]), key=likelihood)
        return best if likelihood(best) > max(FAINT, BETTER * likelihood(v)) else v

    def once_more(self, v: DieView) -> DieView:
        """What two looks showed; where it is in doubt more than by where it lies, the mean of that and of four more from a little beside
        them."""
        plain = undoubted(v) and not TILT_PLAIN < v.tilted < SURE_COCKED
        if plain or v.die <= HINT_OF_DIE:
            return v
        look = self.look(v)
        x, y = look.centre
        looks = [replace(look.turned(a), edge=k * v.edge, centre=(x + i * v.edge, y + j * v.edge)) for k, a, i, j in BESIDE_IT]
        return mean_view([v, v, *read_dice(self.image, looks)], v)

    def closer(self, v: DieView) -> DieView:
        """What was seen of a die, and where the picture shows it large enough the mean of that and a closer look. Whether it is one the
        first net says; what the closer look hardly takes for a die is less likely one, or none (0). Where its value is in doubt its hues
        are looked at."""
        if v.edge < CLOSER:
            return v
        look = self.look(v)
        near = read_dice(self.image, [look], close=True)[0]
        share = 1.0 if near.die >= AGREED else near.die if near.die >= NO_DIE else 0.0
        seen = replace(mean_view([v, near], v), die=v.die * share)
        if not share or seen.clear >= SURE_VALUE:
            return seen
        return with_hues(seen, [v, near], read_dice(self.image, [look], close=True, hues=True))

    def about(self, v: DieView, gap: float) -> DieView:
        """A view with what a larger crop tells of how the die lies, where it is on the field and ``gap`` (die widths) from something it
        could lean on."""
        if v.edge < CLOSER or gap >= ALONE or v.support[1] > 0.5 or self.table.in_tray(v.centre):
            return v
        return replace(v, tilted=by_both(v.tilted, read_leans(self.image, self.look(v))))

    def look(self, v: DieView) -> Look:
        """Where to look once more at the die of a view: at its own centre and size, on a checker where it seems to stand on one."""
        return replace(look_at(self.table, v.centre, top_height(v, self.table), self.table.measures.die), edge=v.edge)

    def beside(self, v: DieView, away: Sequence[float]) -> list[tuple[float, float]]:
        """Places (px) round about the die of a view, so many edges ``away`` from its middle on the board's plane."""
        angles = np.arange(0.0, 2 * math.pi, math.pi / 4)
        ring = v.edge * np.stack([np.cos(angles), np.sin(angles)])
        places = np.linalg.solve(np.array(self.look(v).level), np.concatenate([k * ring for k in away], axis=1))
        return [(v.centre[0] + float(x), v.centre[1] + float(y)) for x, y in places.T]

    def seen_at(self, centre: tuple[float, float], views: Sequence[DieView], sure: float) -> bool:
        """Whether a place (px) is one of which there is a view already. Seen aslant, the middles of two dice one behind the other are
        nearer than a die is wide: what is clearly one (``sure``) is told from the other by where it lies on the board."""
        near = [v for v in views if math.dist(centre, v.centre) < NEAR * v.edge]
        return any(sure < CLEAR_DIE or self._apart(v, centre) < TOUCHING for v in near)

    def one_each(self, views: Sequence[DieView]) -> list[DieView]:
        """One view a die, the surest, as `seen_at` tells them; dice are alike in size. From left to right."""
        return apart(views, lambda v, kept: self.seen_at(v.centre, kept, sureness(v)))

    def _apart(self, v: DieView, centre: tuple[float, float]) -> float:
        """How far a place (px) lies from the middle of the die of a view, in its edges on the board's plane."""
        return float(np.linalg.norm(np.array(self.look(v).level) @ np.subtract(centre, v.centre))) / v.edge

    def usual(self, centre: tuple[float, float]) -> Look:
        """Where to look for a die of this board's size on the field at a place (px)."""
        die = self.table.measures.die
        return look_at(self.table, centre, die, die)
