"""Boards as the finder finds them, each looked for once for all the tests that ask for it: the finder is pure, and slow for a test."""

from __future__ import annotations

import pickle
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.finder import BoardNotFound, Corners, Side, find_table
from vision.pictures import load_picture
from vision.table import Table

_found: dict[str, Table | BoardNotFound] = {}
_shared: Path | None = None


def share(folder: Path) -> None:
    """From now on what is found is kept in ``folder`` too, where the other processes that run the tests look for it."""
    global _shared
    folder.mkdir(exist_ok=True)
    _shared = folder


def remembered(image: NDArray[np.uint8], position: Position = START, corners: Corners | None = None, near_at: Side | None = None) -> Table:
    """`find_table`, which does not look again where it has found this board in this very picture, or none."""
    key = sha256(repr((image.shape, position, corners, near_at)).encode() + image.tobytes()).hexdigest()
    found = _found.get(key) or _kept(key)
    if found is None:
        try:
            found = find_table(image, position, corners, near_at)
        except BoardNotFound as error:
            found = BoardNotFound(str(error))
        _keep(key, found)
    _found[key] = found
    if isinstance(found, BoardNotFound):
        raise found.with_traceback(None)
    return found


def _kept(key: str) -> Table | BoardNotFound | None:
    if _shared is None:
        return None
    with suppress(FileNotFoundError):
        found: Table | BoardNotFound = pickle.loads((_shared / key).read_bytes())
        return found
    return None


def _keep(key: str, found: Table | BoardNotFound) -> None:
    if _shared is not None:
        part = _shared / uuid4().hex  # of this thread alone, for two cameras may see the same
        part.write_bytes(pickle.dumps(found))
        part.replace(_shared / key)


def found_in(picture: Path) -> Table:
    """The board in a picture of the starting position."""
    return remembered(load_picture(picture))
