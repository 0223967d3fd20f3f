"""What several looks at dice come to: one view a die, whether it is one, and what is in doubt about its value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.observations import About, SeenDie, SeenDoubt
from vision.dice.net import DieView
from vision.nets import softmax
from vision.table import Table

Dice = tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]
"""The dice of a picture, and what is in doubt about them."""

SURE_DIE = 0.85  # less likely one than this, it is in doubt
CLEAR_DIE = 0.95  # least probability of a die and of its value, of one that is clear
CERTAIN_DIE = 0.92  # from here on it is one though no value is clear: of 42 such places 41 were dice
SURE_VALUE = 0.85  # a value less likely than this is in doubt
OF_HUES, SHOWN = 0.4, 0.3  # how much what the hues alone show counts of a value that is in doubt; how likely a die they must show
NEAR = 0.7  # edges between the middles of two views of one die


def mean_view(looks: list[DieView], place: DieView) -> DieView:
    """What several looks at one die show on average; where it lies, how large it is and how it was marked is as ``place`` has it."""

    def mean(of: Callable[[DieView], tuple[float, ...]]) -> list[float]:
        return [sum(column) / len(looks) for column in zip(*map(of, looks), strict=True)]

    die, tilted, by_checker = mean(lambda v: (v.die, v.tilted, v.by_checker))
    field, checker, rail = mean(lambda v: v.support)
    values = tuple(mean(lambda v: v.values))
    return replace(place, die=die, values=values, tilted=tilted, support=(field, checker, rail), by_checker=by_checker)


def with_hues(seen: DieView, looks: list[DieView], hues: list[DieView]) -> DieView:
    """A view with its values by ``looks`` at the die and by looks at its ``hues`` alone; as it is where the hues show no die, as in a grey
    picture."""
    if sum(v.die for v in hues) < SHOWN * len(hues):
        return seen
    logs = [np.log(np.maximum([v.values for v in views], 1e-6)).mean(0) for views in (looks, hues)]
    return replace(seen, values=tuple(softmax((1 - OF_HUES) * logs[0] + OF_HUES * logs[1]).tolist()))


def _near(v: DieView, kept: Sequence[DieView]) -> bool:
    """Whether a view is of one of the dice ``kept``, of any size: nearer than `NEAR`. It is reckoned by the mean of both: the surest view
    of a die may be half as large again as it is."""
    return any(math.dist(v.centre, w.centre) <= NEAR * (v.edge + w.edge) / 2 for w in kept)


def apart(views: Sequence[DieView], same: Callable[[DieView, Sequence[DieView]], bool] = _near) -> list[DieView]:
    """One view a die: of those that are of the ``same`` one the surest stays. From left to right."""
    kept: list[DieView] = []
    for v in sorted(views, key=likelihood, reverse=True):
        if not same(v, kept):
            kept.append(v)
    return sorted(kept, key=lambda v: v.centre[0])


def likelihood(v: DieView) -> float:
    """How likely a view shows a die and has its value right."""
    return v.die * v.clear


def sureness(v: DieView) -> float:
    """How surely a view shows a die and its value: the less likely of the two."""
    return min(v.die, v.clear)


def undoubted(v: DieView) -> bool:
    """Whether neither that a view shows a die nor its value is in doubt."""
    return v.die >= SURE_DIE and v.clear >= SURE_VALUE


def plainness(v: DieView) -> float:
    """How plainly a view shows a die: what is none shows no clear value either, which counts half."""
    return v.die * math.sqrt(v.clear)


def clear_enough(v: DieView, limit: float) -> bool:
    """Whether it is certainly a die, or one that shows a value."""
    return v.die >= CERTAIN_DIE or plainness(v) >= limit


def top_height(v: DieView, table: Table) -> float:
    """How high over the field the top face of a view's die lies, cm."""
    m = table.measures
    return m.die + (m.checker_height if v.support[1] > 0.5 else 0.0)


def top_of(v: DieView, table: Table) -> tuple[float, float]:
    """Where (x, y) on the board the middle of that face lies, cm."""
    return table.camera.spot(v.centre, top_height(v, table))


def unclear_value(v: DieView, centre: tuple[float, float]) -> SeenDoubt:
    """A doubt between the two likeliest values of a die."""
    best = np.argsort(v.values)[::-1][:2]
    likely = (int(best[0]) + 1, int(best[1]) + 1)
    return SeenDoubt(About.DIE, "value", f"{likely[0]} or {likely[1]}", centre=centre, values=likely)


def in_picture(centre: tuple[float, float], image: NDArray[np.uint8]) -> bool:
    """Whether the picture shows a die's middle, or it lies no more than 2 px beyond its edge."""
    height, width = image.shape[:2]
    return bool(-2 <= centre[0] <= width + 1 and -2 <= centre[1] <= height + 1)
