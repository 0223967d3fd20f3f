"""A board as one camera sees it, and views of dice on it, by geometry alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referee.observations import Half
from vision.dice.net import DieView
from vision.table import Camera, Measures, Table


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
