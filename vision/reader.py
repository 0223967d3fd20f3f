"""Reads a still picture of the set-up table: checkers, dice and cube, each by its own reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import About, Reading, SeenDie, SeenDoubt
from vision.table import Table

SAME = 0.8  # correlation of two looks at the same place from which nothing has changed there


class Reader:
    """Reads pictures of one `Table`. ``start`` is the set-up picture (BGR uint8) of the starting position, when there is one: the
    readers compare the checkers with it, and what has lain unchanged since then is no thrown die."""

    def __init__(self, table: Table, start: NDArray[np.uint8] | None = None) -> None:
        from vision.checkers import CheckerReader
        from vision.cube import CubeReader
        from vision.dice import DiceReader

        self.table = table
        self._start = start
        self._checkers = CheckerReader(table, start)
        self._dice = DiceReader(table)
        self._cube = CubeReader(table)
        self._before: list[_Look] | None = None

    def read(self, image: NDArray[np.uint8], frame: str = "", captured_at: float = 0.0) -> Reading:
        """Everything in ``image`` (BGR uint8 of the size the table was set up with)."""
        height, width = image.shape[:2]
        if (width, height) != self.table.camera.size:
            w, h = self.table.camera.size
            text = f"the picture has {width}x{height} pixels, the board was set up with {w}x{h}: set up again"
            return Reading((), None, None, (SeenDoubt(About.PICTURE, "size", text, values=(width, height)),), captured_at, frame)
        checkers = self._checkers.read(image)
        dice, dice_doubts = self._thrown(image, *self._dice.read(image))
        cube, cube_doubts = self._cube.read(image, dice)
        doubts = (*checkers.doubts, *dice_doubts, *cube_doubts)
        return Reading(tuple(dice), checkers.position, cube, doubts, captured_at, frame, hand=checkers.hand)

    def _thrown(
        self, image: NDArray[np.uint8], dice: tuple[SeenDie, ...], doubts: tuple[SeenDoubt, ...]
    ) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
        """Without what looked like a die already when the table was set up and looks just the same now."""
        if self._start is None or not dice:
            return dice, doubts
        if self._before is None:
            seen, _ = self._dice.read(self._start)
            self._before = [_Look.at(self._start, self.table, d.centre) for d in seen]
        gone = {d.centre for d in dice if any(b.same(_Look.at(image, self.table, d.centre, b)) for b in self._before)}
        kept = tuple(d for d in dice if d.centre not in gone)
        return kept, tuple(d for d in doubts if d.centre not in gone)


@dataclass(frozen=True, eq=False)
class _Look:
    """A small grey square of ``patch`` px around ``centre`` px; ``reach`` px is half its side, a die wide."""

    centre: tuple[float, float]
    reach: float
    patch: NDArray[Any]

    @staticmethod
    def at(image: NDArray[np.uint8], table: Table, centre: tuple[float, float], like: _Look | None = None) -> _Look:
        """A look at ``centre``, or at the same place as ``like`` when that is within a die."""
        if like is not None:
            away = float(np.hypot(centre[0] - like.centre[0], centre[1] - like.centre[1]))
            where, reach = (like.centre, like.reach) if away < like.reach else (centre, like.reach)
        else:
            x, y = table.camera.on_plane(np.array(centre), table.measures.die)
            ends = table.camera.project(np.array([[x, y, 0.0], [x + table.measures.die, y, 0.0]]))
            where, reach = centre, max(6.0, float(np.linalg.norm(ends[1] - ends[0])))
        side = 2 * round(reach)
        patch = cv2.getRectSubPix(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (side, side), where)
        return _Look(where, reach, cv2.GaussianBlur(patch, (0, 0), 1.0).astype(np.float32))

    def same(self, other: _Look) -> bool:
        if other.centre != self.centre:
            return False
        a, b = self.patch - self.patch.mean(), other.patch - other.patch.mean()
        return bool((a * b).sum() > SAME * np.sqrt((a * a).sum() * (b * b).sum()) + 1e-9)
