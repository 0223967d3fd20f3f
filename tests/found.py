"""Boards as the finder finds them, each looked for once for all the tests that ask for it: the finder is pure, and slow for a test."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.finder import BoardNotFound, Corners, Side, find_table
from vision.pictures import load_picture
from vision.table import Table

_found: dict[tuple[Any, ...], Table | BoardNotFound] = {}


def remembered(image: NDArray[np.uint8], position: Position = START, corners: Corners | None = None, near_at: Side | None = None) -> Table:
    """`find_table`, which does not look again where it has found this board in this very picture, or none."""
    key = (sha256(image.tobytes()).digest(), image.shape, position, corners, near_at)
    if key not in _found:
        try:
            _found[key] = find_table(image, position, corners, near_at)
        except BoardNotFound as error:
            _found[key] = error
    found = _found[key]
    if isinstance(found, BoardNotFound):
        raise found.with_traceback(None)
    return found


def found_in(picture: Path) -> Table:
    """The board in a picture of the starting position."""
    return remembered(load_picture(picture))
