"""What else is in drawn scenes: a hand over the board, and what lies beside the home board, borne-off checkers above all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.table import Measures

Rng = np.random.Generator
SKIN, SLEEVE, CUP, DICE, CUBE, THING = 12, 13, 14, (15, 16), 17, 10  # rows of a scene's materials


@dataclass
class Solids:
    """Upright cylinders (x, y, bottom, top, radius), cm, boxes along the axes as `checkers.trace` has them, and what each is made of."""

    cylinders: list[list[float]] = field(default_factory=list)
    cylinder_mats: list[int] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    box_mats: list[int] = field(default_factory=list)

    def checker(self, seat: int, x: float, y: float, z: float, size: float, thick: float) -> None:
        self.cylinders.append([x, y, z, z + thick, size / 2])
        self.cylinder_mats.append(seat)

    def block(self, centre: Sequence[float], half: Sequence[float], mat: int) -> None:
        """A box along the axes, by its centre and half its size, cm."""
        self.boxes.append([*centre, *half, *np.eye(3).ravel(), float(np.linalg.norm(half)) + 1e-3])
        self.box_mats.append(mat)


@dataclass(frozen=True)
class Ground:
    """Where things can lie beside the home board: ``way`` is 1 where that is at +x; ``tray`` is the width of the tray there, 0 without
    one, ``thick`` that of the rails, ``floor`` the height of the table, cm."""

    measures: Measures
    way: float
    tray: float
    thick: float
    floor: float

    @property
    def tray_middle(self) -> float:
        """x, cm"""
        return self.way * (self.measures.inner[0] / 2 + self.thick + self.tray / 2)

    @property
    def outside(self) -> float:
        """How far from the board's middle the table begins, cm."""
        return self.measures.inner[0] / 2 + self.thick + (self.tray + self.thick if self.tray else 0)


def lay_beside(rng: Rng, ground: Ground) -> tuple[Solids, list[list[Any]]]:
    """Borne-off checkers of both players and a few other things; each checker is listed as the labels have it: x, y, height of its top,
    whose, -1."""
    m = ground.measures
    beside, lying = Solids(), []
    turned = rng.random() < 0.08  # mostly each at his own end
    for seat, name in enumerate(("near", "far")):
        least, most = ((0, 0), (1, 3), (1, 15))[int(rng.choice(3, p=[0.3, 0.3, 0.4]))]
        count = int(rng.integers(least, most + 1))
        if not count:
            continue
        own = -1.0 if (seat == 0) != turned else 1.0
        lay = _in_tray if ground.tray > m.checker and rng.random() < 0.8 else _on_table
        for x, y, z, on_rim in lay(rng, ground, count, own):
            d, thick = m.checker, m.checker_height
            if on_rim:
                beside.block([x, y, z + d / 2], [d / 2, 0.46 * thick, d / 2], seat)  # a little air tells them apart
            else:
                beside.checker(seat, x, y, z, d, thick)
            lying.append([round(x, 2), round(y, 2), round(z + (d if on_rim else thick), 2), name, -1])
    _others(rng, ground, beside)
    return beside, lying


Place = tuple[float, float, float, bool]  # x, y, underside, on its rim


def _in_tray(rng: Rng, ground: Ground, count: int, own: float) -> list[Place]:
    m = ground.measures
    d, thick = m.checker, m.checker_height
    middle = ground.tray_middle
    end = m.inner[1] / 2 - abs(rng.normal(0, 0.1))
    if rng.random() < 0.5:  # in a row on their rims
        step = thick * rng.uniform(1.0, 1.15)
        return [(middle + rng.normal(0, 0.15), own * (end - (k + 0.5) * step), 0.0, True) for k in range(count)]
    high = int(rng.choice([1, 2, 3, 4, 5, 5, 6, 8]))
    step = d + abs(rng.normal(0, 0.3))
    if (count / high + 1) * step > m.inner[1] / 2:  # no further than the middle
        high = max(high, int(np.ceil(count / max(1, int(m.inner[1] / 2 / step)))))
    shifts = rng.normal(0, min(0.2, (ground.tray - d) / 4), count)
    slips = rng.normal(0, 0.08, (count, 2)).clip(-0.15, 0.15)  # two piles must not lie in each other
    return [
        (middle + shifts[k // high] + slips[k, 0], own * (end - (k // high + 0.5) * step) + slips[k, 1], k % high * thick, False)
        for k in range(count)
    ]


def _on_table(rng: Rng, ground: Ground, count: int, own: float) -> list[Place]:
    m = ground.measures
    d, thick = m.checker, m.checker_height
    first = ground.outside + d / 2 + abs(rng.normal(0, 1.2))
    high = int(rng.choice([1, 1, 2, 3, 4, 5, 5, 7]))
    step = d * rng.uniform(1.01, 1.3)
    start = rng.uniform(0.8 * d, m.inner[1] / 2 - d / 2)
    inwards = rng.random() < 0.5
    rows = min(int(rng.integers(1, 6)), int((start - 0.6 * d) / step) + 1 if inwards else 5)  # the other player's may lie beyond the middle
    out: list[Place] = []
    for k in range(count):
        column, row = divmod(k // high, rows)
        y = own * (start + (-row if inwards else row) * step)
        x = ground.way * (first + column * step)
        out.append((x + rng.normal(0, 0.02), y + rng.normal(0, 0.02), ground.floor + k % high * thick, False))
    return out


def _others(rng: Rng, ground: Ground, beside: Solids) -> None:
    """A cup, a clock or a pad, the cube: not where checkers lie."""
    m, out = ground.measures, ground.outside

    def free(x: float, y: float, size: float) -> bool:
        solid = [(c[0], c[1]) for c in beside.cylinders] + [(b[0], b[1]) for b in beside.boxes]
        return all(np.hypot(x - a, y - b) > size + m.checker / 2 for a, b in solid)

    if rng.random() < 0.2:
        radius = rng.uniform(2.5, 4.5)
        x, y = ground.way * (out + radius + rng.uniform(0.3, 6)), rng.uniform(-0.5, 0.5) * m.inner[1]
        if free(x, y, radius):
            beside.cylinders.append([x, y, ground.floor, ground.floor + rng.uniform(1, 9), radius])
            beside.cylinder_mats.append(CUP)
    if rng.random() < 0.2:
        half = [rng.uniform(1.5, 5), rng.uniform(1.5, 5), rng.uniform(0.05, 1.5)]
        x, y = ground.way * (out + half[0] + rng.uniform(0.3, 4)), rng.uniform(-0.5, 0.5) * m.inner[1]
        if free(x, y, max(half[:2])):
            beside.block([x, y, ground.floor + half[2]], half, THING)
    if rng.random() < 0.3:
        size = m.die * 0.95
        in_tray = ground.tray > 0 and rng.random() < 0.7
        x = ground.tray_middle if in_tray else ground.way * (out + rng.uniform(2, 5))
        y = float(rng.choice([0.0, rng.uniform(-0.45, 0.45)])) * m.inner[1]
        if free(x, y, size):
            beside.block([x, y, (0.0 if in_tray else ground.floor) + size], [size] * 3, CUBE)


def hand(rng: Rng, m: Measures) -> tuple[list[list[float]], list[int]]:
    """A forearm with five fingers over the board, as capsules (both ends and a radius, cm), and what each is made of."""
    palm = np.array([rng.uniform(-0.5, 0.5) * m.inner[0], rng.uniform(-0.5, 0.5) * m.inner[1], rng.uniform(2.5, 9)])
    side = rng.choice([-1, 1])
    elbow = np.array([palm[0] + rng.normal(0, 12), side * (m.inner[1] / 2 + rng.uniform(8, 25)), rng.uniform(6, 16)])
    reach = palm - elbow
    reach /= np.linalg.norm(reach)
    wrist = palm - reach * rng.uniform(6, 9)
    cross = np.cross(reach, [0, 0, 1.0])
    caps = [[*palm, *(palm - reach * 5), 3.2], [*(palm + cross * 1.5), *(palm - cross * 1.5), 2.4]]
    mats = [SKIN, SKIN]
    for k in range(4):
        root = palm + cross * (k - 1.5) * 2.0 + reach * 2
        tip = root + reach * rng.uniform(2, 6) + cross * rng.normal(0, 0.8) + np.array([0, 0, rng.uniform(-3, 0.5)])
        tip[2] = max(tip[2], 1.2)
        caps.append([*root, *tip, float(rng.uniform(0.7, 0.95))])
        mats.append(SKIN)
    thumb = palm - cross * 3 * rng.choice([-1, 1])
    caps.append([*thumb, *(thumb + reach * 3 + [0, 0, -1.0]), 0.95])
    mats.append(SKIN)
    sleeve = rng.uniform(0, 0.8)
    middle = wrist + (elbow - wrist) * sleeve
    caps += [[*wrist, *middle, 2.6], [*middle, *(elbow + (elbow - wrist)), float(rng.uniform(3.2, 5))]]
    mats += [SKIN, SLEEVE]
    return caps, mats
