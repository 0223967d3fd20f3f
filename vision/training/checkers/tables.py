"""Random tables for training pictures: a board's measures and a camera looking at it."""

from __future__ import annotations

import numpy as np

from referee.observations import Half
from vision.table import Camera, Measures, Table

Rng = np.random.Generator


def random_table(rng: Rng) -> Table:
    """A board of ordinary proportions before a camera anywhere from straight above to 38 degrees above the horizon."""
    d = rng.uniform(3.0, 4.7)
    pitch = d * rng.uniform(1.015, 1.12)
    bar = rng.choice([d * rng.uniform(0.85, 1.35), rng.uniform(1.0, 3.0)], p=[0.8, 0.2])
    border = float(rng.choice([0.0, rng.uniform(0, 2.0)], p=[0.65, 0.35]))
    slack = float(rng.choice([0.0, rng.uniform(0, 0.8)]))
    inner = (bar + 12 * pitch + 4 * slack, d * rng.uniform(10.3, 12.3) + 2 * border)
    rail = rng.uniform(0.6, 2.6)
    measures = Measures(
        inner,
        bar,
        pitch,
        border,
        min(d * rng.uniform(3.7, 5.0), inner[1] / 2 - border - 0.5),
        rail,
        float(rng.choice([rail, rail * rng.uniform(0.3, 0.9), 0.15], p=[0.6, 0.25, 0.15])),
        d,
        d * rng.uniform(0.2, 0.28),
        rng.uniform(1.2, 1.6),
    )
    size = ((960, 540), (1120, 630), (1280, 720), (960, 720))[int(rng.choice(4, p=[0.55, 0.2, 0.1, 0.15]))]
    high = np.radians(90 - abs(rng.normal(0, 12)) if rng.random() < 0.5 else rng.uniform(38, 85))
    around = np.radians(
        rng.choice(
            [rng.normal(0, 8), rng.uniform(-180, 180), 90 * rng.choice([-1, 1]) + rng.normal(0, 8), 180 + rng.normal(0, 8)],
            p=[0.6, 0.2, 0.12, 0.08],
        )
    )
    focal = size[0] * rng.uniform(0.65, 1.5)
    matrix = np.array([[focal, 0, size[0] / 2 + rng.normal(0, 8)], [0, focal, size[1] / 2 + rng.normal(0, 8)], [0, 0, 1.0]])
    away = np.array([np.sin(around) * np.cos(high), -np.cos(around) * np.cos(high), np.sin(high)])
    up = np.array([np.sin(around) * -np.sin(high), np.cos(around) * np.sin(high), np.cos(high)])
    right = np.cross(-away, up)
    roll = np.radians(rng.normal(0, 4))
    right, up = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    rotation = np.stack([right, -up, -away])
    dist = np.array([rng.normal(0, 0.04), rng.normal(0, 0.02), 0, 0, 0])
    corners = np.array([[sx * inner[0] / 2, sy * inner[1] / 2, 0] for sx in (-1, 1) for sy in (-1, 1)])
    fill = rng.uniform(0.68, 0.99)
    distance = 90.0
    aim = np.array([rng.normal(0, 1.5), rng.normal(0, 1.5), 0])
    for _ in range(12):
        camera = Camera(matrix, dist, rotation, -rotation @ (aim + away * distance), size)
        px = camera.project(corners)
        half = np.abs(px - np.array(size) / 2).max(0) / (np.array(size) / 2)
        distance *= float(half.max()) / fill
    near, far = (250.0, 250.0, 250.0), (0.0, 0.0, 0.0)
    return Table(camera, measures, Half.LEFT if rng.random() < 0.5 else Half.RIGHT, near, far)
