"""Finds the table in one picture of a known position.

A small net marks checkers and the field (`eye`); the pattern of the position says which checker is which (`layout`); least squares give
the camera and the measures (`pose`); and the answer is believed only when nearly all the checkers are really there (`check`).
"""

from __future__ import annotations

from vision.finder.search import BoardNotFound, Corners, Side, find_table, opposite

__all__ = ["BoardNotFound", "Corners", "Side", "find_table", "opposite"]
