"""Boards as the finder finds them in pictures of the starting position: each found once, for all the tests that ask for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from vision.finder import find_table
from vision.pictures import load_picture
from vision.table import Table


@cache
def found_in(picture: Path) -> Table:
    return find_table(load_picture(picture))
