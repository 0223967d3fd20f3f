"""Where a board lies is voted for by its checkers' places and sizes, whatever else lies about."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.board.position import Position
from referee.observations import Half
from vision.finder.eye import Marks
from vision.finder.lattice import LEAST, voted
from vision.finder.pose import CHECKER, NAMES, THICK, camera_of, slots_of
from vision.table import Camera, Measures, Table
from vision.training.render.game import played

SIZE = (1280, 720)


def table_at(rng: np.random.Generator, tilt: float) -> Table:
    """A board of usual make, seen from ``tilt`` degrees off the vertical and turned any way."""
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    lean = np.radians(tilt)
    tip = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    rotation = tip @ np.diag([1.0, -1.0, -1.0]) @ spin
    u = np.zeros(len(NAMES))
    u[6] = np.log(rng.uniform(0.9, 1.3))
    matrix = camera_of(u, SIZE).matrix
    camera = Camera(matrix, np.zeros(5), rotation, np.array([0.0, 0.0, rng.uniform(110, 150)]), SIZE)
    bar, pitch = rng.uniform(2, 6), rng.uniform(4.1, 4.4)
    m = Measures(inner=(12 * pitch + bar, rng.uniform(42, 50)), bar=bar, pitch=pitch, checker=CHECKER, checker_height=THICK)
    return Table(camera, m, Half.RIGHT, (0, 0, 0), (0, 0, 0))


def tops(table: Table, position: Position) -> NDArray[np.float64]:
    """(n, 3) cm, in the order of `slots_of`."""
    return np.array([
        table.checker_centre(int(column) + 1 if way > 0 else 24 - int(column), int(index)) for column, way, index in slots_of(position)
    ])


def marks_of(table: Table, xyz: NDArray[np.float64], rng: np.random.Generator) -> Marks:
    """What the net marks of checkers with these tops: a little beside them, their sizes give or take a twentieth."""
    at = table.camera.project(xyz)
    ways = [table.camera.project(xyz + way) - table.camera.project(xyz - way) for way in ((CHECKER / 2, 0, 0), (0, CHECKER / 2, 0))]
    width = np.sqrt(np.abs(ways[0][:, 0] * ways[1][:, 1] - ways[0][:, 1] * ways[1][:, 0]))
    at = at + rng.normal(0, 0.04, at.shape) * width[:, None]
    radius = width / 2 * np.exp(rng.normal(0, 0.05, len(width)))
    return Marks(at, radius, np.full(len(at), 0.9), np.zeros((8, 8), np.float32), np.eye(2, 3))


@pytest.mark.parametrize(("tilt", "strays"), [(2, 10), (20, 0), (40, 10)])
def test_most_boards_in_mid_game_are_among_the_likeliest_guesses(tilt: int, strays: int) -> None:
    rng = np.random.default_rng([tilt, strays])
    found = tried = 0
    while tried < 12:
        position = played(rng)
        if len(slots_of(position)) < 10:
            continue
        tried += 1
        table = table_at(rng, tilt)
        xyz = tops(table, position)
        beside = np.column_stack([  # borne off, in a block beside the board
            table.measures.inner[0] / 2 + 3 + 4.2 * (np.arange(strays) % 3), 8 - 4.2 * (np.arange(strays) // 3), np.full(strays, THICK)
        ])
        guesses = sorted(voted(marks_of(table, np.vstack([xyz, beside]), rng), SIZE, position), key=lambda g: -g.score)
        true = table.camera.project(xyz)
        off = [float(np.median(np.linalg.norm(px - true, axis=1) / size)) for px, size in (g.places(position) for g in guesses[:8])]
        found += min(off) < 0.4
    assert found >= 11


def test_few_marks_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    table, position = table_at(rng, 10), played(rng)
    few = marks_of(table, tops(table, position)[: LEAST - 1], rng)
    assert voted(few, SIZE, position) == []
    unsure = Marks(few.xy.repeat(3, 0), few.radius.repeat(3), np.full(3 * len(few.xy), 0.1), few.field, few.to_cell)
    assert voted(unsure, SIZE, position) == []
