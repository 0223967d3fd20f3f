"""What lies on the board in one drawn picture: checkers on points and bar, spare ones, dice and the cube; and what of it is in sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.table import Measures, Table
from vision.training.checkers.positions import Layout
from vision.training.checkers.rays import hidden_share
from vision.training.checkers.things import CUBE, DICE, Solids

Rng = np.random.Generator
NOBODY = 9.0, 0.1  # cm below the table and radius of what stands for checkers where there are none


@dataclass
class Lying(Solids):
    """``upright`` boxes lie along the axes, the others are dice and cubes. ``slots``: for points 1..24 and the bar the
    places (x, y, z) that tell how many checkers are there, and how wide they are, cm."""

    upright: int = 0
    slots: list[tuple[list[list[float]], float]] = field(default_factory=list)

    def take(self, other: Solids) -> None:
        """``other`` lies there too."""
        self.cylinders += other.cylinders
        self.cylinder_mats += other.cylinder_mats
        self.boxes += other.boxes
        self.box_mats += other.box_mats

    def cube(self, rng: Rng, size: float, x: float, y: float, z: float, mat: int, tilt: float = 0.0) -> None:
        """A die or a doubling cube, turned at random."""
        turn = cv2.Rodrigues(np.array([0, 0, rng.uniform(0, 6.3)]))[0] @ cv2.Rodrigues(np.array([tilt, 0, 0]))[0]
        order = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], (3, 1))
        self.boxes.append([x, y, z + size / 2, *([size / 2] * 3), *(order @ turn.T).ravel(), size])
        self.box_mats.append(mat)

    def checker_on_bar(self, y: float, reach: float) -> bool:
        """Whether a checker lies in the middle of the bar within ``reach`` of ``y``, cm."""
        return any(abs(c[0]) < 1 and abs(c[1] - y) < reach for c in self.cylinders)

    def solid(self) -> tuple[Any, Any]:
        """The cylinders and what they are made of, one at least."""
        below, radius = NOBODY
        return np.array(self.cylinders or [[0.0, 0.0, -below, 0.1 - below, radius]], float), np.array(self.cylinder_mats or [0])


def on_points(rng: Rng, table: Table, layout: Layout, points: list[int], lying: Lying) -> None:
    """Checkers in columns and stacks."""
    m = table.measures
    d, thick = m.checker, m.checker_height
    for p in range(1, 25):
        count = points[p - 1]
        x, y, way = table.point_base(p)
        opposite = abs(points[24 - p])
        room = (m.inner[1] - 2 * m.border) / d - min(opposite, 5) - 0.2
        spots = layout.column(rng, abs(count), room)
        limit = (m.pitch - d) / 2 + max(0.06, layout.aside) * d
        places = []
        for along, across, layer in spots:
            aside = x + way * float(np.clip(across * d, -limit, limit)) if not layer else x + way * across * d
            c = [aside, y + way * along * d, layer * thick, (layer + 1) * thick, d / 2]
            lying.cylinders.append(c)
            lying.cylinder_mats.append(0 if count > 0 else 1)
            places.append([c[0], c[1], c[3]])
        used = len({round(s[0], 1) for s in spots if s[2] == 0})
        if used < 5:
            places.append([x, y + way * (used + 0.5) * d, 0.0])
        lying.slots.append((places, d * 0.38))


def on_bar(rng: Rng, m: Measures, bar: list[int], lying: Lying) -> None:
    """Hit checkers, mostly each player's on his own side of the middle."""
    d, top = m.checker, m.bar_height + m.checker_height
    places = []
    step = d * rng.uniform(1.0, 1.25)
    for seat, sign in ((0, 1), (1, -1)):
        if rng.random() < 0.15:
            sign = -sign
        for k in range(bar[seat]):
            y = sign * (0.5 * step + k * step) + rng.normal(0, 0.1)
            lying.cylinders.append([rng.normal(0, min(0.1 * d, 0.3)), y, m.bar_height, top, d / 2])
            lying.cylinder_mats.append(seat)
            places.append([0.0, y, top])
    places += [[0.0, k * d, m.bar_height] for k in (-1.5, -0.5, 0.5, 1.5)]
    lying.slots.append((places, d * 0.3))


def spares(rng: Rng, m: Measures, lying: Lying) -> None:
    """Checkers that were borne off, or a spare one on the table."""
    for _ in range(int(rng.integers(1, 8))):
        side = rng.choice([-1, 1])
        x, y = side * rng.uniform(m.inner[0] / 2 + 4.5, m.inner[0] / 2 + 9), rng.uniform(-0.5, 0.5) * m.inner[1]
        lying.cylinders.append([x, y, 0.0, m.checker_height * int(rng.integers(1, 5)), m.checker / 2])
        lying.cylinder_mats.append(int(rng.integers(0, 2)))


def thrown(rng: Rng, m: Measures, lying: Lying) -> None:
    """Dice on the field and on checkers."""
    for i in range(int(rng.choice([0, 1, 2, 2, 2, 4]))):
        mat = DICE[i % 2]
        if rng.random() < 0.25 and len(lying.cylinders):
            c = lying.cylinders[int(rng.integers(0, len(lying.cylinders)))]
            lying.cube(rng, m.die, c[0] + rng.normal(0, 0.5), c[1] + rng.normal(0, 0.5), c[3], mat)
        else:
            x, y = rng.uniform(-0.48, 0.48) * m.inner[0], rng.uniform(-0.48, 0.48) * m.inner[1]
            lying.cube(rng, m.die, x, y, 0.0, mat, float(rng.choice([0, rng.uniform(0, 0.6)])))


def doubling_cube(rng: Rng, m: Measures, on_field: bool, lying: Lying) -> None:
    """The cube on the bar or, where ``on_field`` lets it, on the field."""
    spot = rng.random()
    if spot < 0.6 or not on_field:
        y = rng.choice([0.0, rng.uniform(-0.45, 0.45)]) * m.inner[1]
        if lying.checker_on_bar(y, m.checker / 2 + m.die):
            y = rng.choice([-1, 1]) * (m.inner[1] / 2 - m.die)  # nobody stands the cube on a checker
        lying.cube(rng, m.die * 1.9, rng.normal(0, 0.1), y, m.bar_height, CUBE)
    else:
        lying.cube(rng, m.die * 1.9, rng.uniform(-0.45, 0.45) * m.inner[0], rng.uniform(-0.15, 0.15) * m.inner[1], 0.0, CUBE)


def kept_on_bar(rng: Rng, m: Measures, lying: Lying) -> None:
    """Dice kept on the bar."""
    for _ in range(int(rng.integers(1, 5))):
        y = rng.uniform(-0.4, 0.4) * m.inner[1]
        if not lying.checker_on_bar(y, m.checker / 2 + m.die):
            lying.cube(rng, m.die, rng.normal(0, 0.2), y, m.bar_height, int(rng.integers(DICE[0], DICE[1] + 1)))


def in_sight(table: Table, lying: Lying, hand: Any) -> list[float]:
    """The share in sight of each of the ``slots``, past the ``hand`` (capsules) and within the picture."""
    eye, (w, h) = np.asarray(table.camera.eye, float), table.camera.size
    ring = [(r * np.cos(a), r * np.sin(a)) for r in (0.0, 0.55, 1.0) for a in np.linspace(0, 6.28, 8)]
    visible = []
    for places, radius in lying.slots:
        worst = 0.0
        for px, py, pz in places:
            spots = np.array([[px + radius * a, py + radius * b, pz] for a, b in ring])
            if len(hand):
                worst = max(worst, float(hidden_share(eye, spots, hand)))
            q = table.camera.project(np.array([px, py, pz]))
            if not (2 < q[0] < w - 2 and 2 < q[1] < h - 2):
                worst = 1.0
        visible.append(round(1 - worst, 3))
    return visible
