"""A board as one camera sees it, views of dice on it, and how far a found board is from the true one, by geometry alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referee.observations import Half
from vision.dice.net import DieView
from vision.table import Camera, Measures, Table

PLACES = [(p, i) for p in range(1, 25) for i in range(5)]


def table(tilt: float) -> Table:
    """A camera 90 cm over a board, ``tilt`` degrees from straight above, seen from the near side."""
    a = math.radians(tilt)
    eye = 90 * np.array([0, -math.sin(a), math.cos(a)])
    ahead = -eye / 90
    right = np.array([1.0, 0, 0])
    rotation = np.array([right, np.cross(ahead, right), ahead])
    matrix = np.array([[1500.0, 0, 960], [0, 1500, 540], [0, 0, 1]])
    camera = Camera(matrix, np.zeros(5), rotation, -rotation @ eye, (1920, 1080))
    return Table(camera, Measures((54, 43), 4.4, 4.1), Half.RIGHT, (220, 220, 220), (20, 20, 20))


def view_at(board: Table, x: float, y: float, z: float, **changes: Any) -> DieView:
    px = board.camera.project(np.array([x, y, z]))
    told = {
        "die": 1.0,
        "values": (0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
        "tilted": 0.0,
        "support": (1.0, 0.0, 0.0),
        "by_checker": 0.0,
        "edge": 23.0,
    }
    return DieView(centre=(float(px[0]), float(px[1])), **{**told, **changes})


def checkers_off(true: Table, found: Table) -> float:
    """The worst distance of a checker's place from where it is, in checkers."""
    a, b = (t.camera.project(np.array([t.checker_centre(p, i) for p, i in PLACES])) for t in (true, found))
    side = np.array([true.measures.checker / 2, 0, 0])
    tops = np.array([true.checker_centre(p, i) for p, i in PLACES])
    across = np.linalg.norm(true.camera.project(tops + side) - true.camera.project(tops - side), axis=1)
    return float((np.linalg.norm(a - b, axis=1) / across).max())
