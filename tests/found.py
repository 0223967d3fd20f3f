"""Boards as the finder finds them, each found once for all the tests that ask for it: the finder is pure, and slow for a test."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.finder import Corners, Side, find_table
from vision.pictures import load_picture
from vision.table import Table

_found: dict[tuple[Any, ...], Table] = {}


def remembered(image: NDArray[np.uint8], position: Position = START, corners: Corners | None = None, near_at: Side | None = None) -> Table:
    """`find_table`, which does not look again where it has found this board in this very picture."""
    key = (sha256(image.tobytes()).digest(), image.shape, position, corners, near_at)
    if key not in _found:
        _found[key] = find_table(image, position, corners, near_at)
    return _found[key]


def found_in(picture: Path) -> Table:
    """The board in a picture of the starting position."""
    return remembered(load_picture(picture))
