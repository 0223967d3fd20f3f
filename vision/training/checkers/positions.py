"""Random positions for training pictures, and how checkers are put down in columns and stacks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from referee.board.position import START
from vision.table import Measures

Rng = np.random.Generator


def random_points(rng: Rng) -> tuple[list[int], list[int]]:
    """Counts on the points and bar (near, far); any counts, not only possible positions."""
    style = rng.random()
    if style < 0.45:
        return _moved_about(rng)
    points = _few_held(rng) if style < 0.65 else _any_counts(rng)
    return points, [int(rng.choice([0, 1, 2, 3, 4], p=[0.4, 0.3, 0.15, 0.1, 0.05])) for _ in range(2)]


def _moved_about(rng: Rng) -> tuple[list[int], list[int]]:
    """The starting position after some moves of single checkers, with their hits."""
    points, bar = list(START.points), [0, 0]
    for _ in range(int(rng.integers(3, 70))):
        side = 1 if rng.random() < 0.5 else -1
        own = [p for p in range(24) if points[p] * side > 0]
        if not own:
            continue
        source = int(rng.choice(own))
        target = source - side * int(rng.integers(1, 7))
        if not 0 <= target < 24:
            if rng.random() < 0.3:
                points[source] -= side
            continue
        if points[target] * side < -1:
            continue
        points[source] -= side
        if points[target] * side < 0:
            points[target] = 0
            bar[0 if side < 0 else 1] += 1
        points[target] += side
        for seat, s in ((0, 1), (1, -1)):
            if bar[seat] and rng.random() < 0.6:
                entry = int(rng.integers(18, 24)) if s > 0 else int(rng.integers(0, 6))
                if points[entry] * s >= 0:
                    points[entry] += s
                    bar[seat] -= 1
    return points, bar


def _few_held(rng: Rng) -> list[int]:
    """All of a player's checkers on two to five points."""
    points = [0] * 24
    for side in (1, -1):
        places = rng.choice(24, int(rng.integers(2, 6)), replace=False)
        for p, n in zip(places, rng.multinomial(15, rng.dirichlet(np.full(len(places), 0.8))), strict=True):
            if n and not points[int(p)]:
                points[int(p)] = side * int(n)
    return points


def _any_counts(rng: Rng) -> list[int]:
    points = [0] * 24
    for p in range(24):
        if rng.random() < 0.6:
            points[p] = int(rng.choice([-1, 1])) * int(
                rng.choice([rng.integers(1, 6), rng.integers(5, 11), rng.integers(10, 16)], p=[0.55, 0.37, 0.08])
            )
    return points


class Layout:
    """How untidy one table's players are, and how they stack."""

    def __init__(self, rng: Rng, measures: Measures) -> None:
        room = int((measures.inner[1] / 2 - measures.border) / measures.checker + 0.15)
        self.capacity = int(rng.choice([5, min(room, 6), 4], p=[0.85, 0.1, 0.05]))
        self.pyramid = rng.random() < 0.15
        self.long = rng.random() < 0.25
        self.loose = float(rng.choice([0.015, 0.04, 0.09]))
        self.gap = float(rng.choice([0.0, 0.02, 0.06, 0.16], p=[0.3, 0.3, 0.25, 0.15]))
        self.aside = float(rng.choice([0.0, 0.05, 0.18], p=[0.5, 0.3, 0.2]))  # how far whole columns stand beside their point, D

    def column(self, rng: Rng, count: int, room: float) -> list[tuple[float, float, int]]:
        """(along, across, layer) of ``count`` checkers in D from the rail; ``room`` D are free on this side."""
        capacity = self.capacity
        if self.long and count > capacity and room > count and count < 8:
            capacity = count
        aside = rng.normal(0, self.aside)
        spots: list[tuple[float, float, int]] = []
        below: list[tuple[float, float]] = []
        layer = 0
        while len(spots) < count:
            places: list[tuple[float, float]] = []
            if layer == 0 or not self.pyramid:
                along = (abs(rng.normal(0, self.gap * 2)) + 0.5) if layer == 0 else 0.0
                for k in range(capacity):
                    if layer:
                        a, c = below[k]
                        places.append((a + rng.normal(0, self.loose * 0.8), c + rng.normal(0, self.loose * 0.8)))
                    else:
                        c = aside + rng.normal(0, self.loose)
                        if places:  # touching, with a little air
                            side = c - places[-1][1]
                            along = places[-1][0] + np.sqrt(max(0.5, 1.0 - side * side)) + abs(rng.normal(0, self.gap))
                        places.append((along, c))
            else:
                places = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + rng.normal(0, self.loose)) for a, b in pairwise(below)]
                if not places:
                    places = [below[0]]
            for a, c in places[: count - len(spots)]:
                spots.append((a, c, layer))
            below, layer = places, layer + 1
            if layer > 5:
                break
        return spots[:count]
