"""What the nets have said of strips that have not changed since: in a stream of pictures of one board, most have not."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers_input import OUTPUTS
from vision.checkers_strips import STRIPS, Image

BLOCK = 7  # px of a wide strip: a strip is compared by the means of its blocks, a quarter of a checker wide
SAME = 8.0  # grey levels that no block's mean may differ by; of 6,090 labelled strips on which the count changed none did by less than 28
DARK = 8.0  # grey levels that keep the darkest blocks from counting in how much brighter a picture is
LOOKS = 2  # so often a strip is looked at as it is now before an answer is believed again: a play is never ruled on by one look


class Memory:
    """The nets' answers to the strips of one table at one place in the picture, as long as a strip looks the same.

    Only what the nets said is kept, where it left no doubt: what it means together is weighed anew each time. ``raw`` (25, outputs): the
    first net's answers; ``closer``: the second's (outputs,) to points 0..23 it was asked about."""

    def __init__(self) -> None:
        self._blocks: NDArray[np.float32] | None = None
        self._now: NDArray[np.float32] | None = None
        self._looks = np.zeros(STRIPS, np.int64)
        self.raw = np.zeros((STRIPS, OUTPUTS))
        self.closer: dict[int, NDArray[np.float64]] = {}
        self._same = self._known = np.zeros(STRIPS, bool)

    def known(self, strips: Image) -> NDArray[np.bool_]:
        """Which strips (25, length, width, 3) need not be looked at."""
        self._now = _blocks(strips)
        if self._blocks is not None:
            before = self._blocks + DARK
            brighter = np.median((self._now + DARK) / before, axis=(1, 2), keepdims=True)  # as cameras adapt to a hand or a cloud
            self._same = np.asarray(np.abs(self._now + DARK - brighter * before).max((1, 2, 3)) < SAME)
        self._known = self._same & (self._looks >= LOOKS)
        return self._known

    def keep(self, raw: NDArray[Any], again: NDArray[np.int64], closer: NDArray[Any], doubted: NDArray[np.bool_]) -> None:
        """The answers to the strips last asked about: the first net's (25, outputs), the second's (n, outputs) to the points ``again``;
        ``doubted`` (25,): strips whose answers are not worth keeping."""
        assert self._now is not None, "`known` comes first"
        if self._blocks is None:
            self._blocks = self._now.copy()
        self._blocks[~self._known] = self._now[~self._known]
        self._looks = np.where(doubted, 0, np.where(self._same, self._looks + 1, 1))
        self.raw = raw
        for point in np.nonzero(~self._same | doubted)[0]:
            self.closer.pop(int(point), None)
        self.closer |= {int(point): answer for point, answer in zip(again, closer, strict=True) if not doubted[point]}


def _blocks(strips: Image) -> NDArray[np.float32]:
    """The means (n, rows, columns, 3) of the blocks of strips."""
    count, length, width = strips.shape[:3]
    flat = cv2.resize(strips.reshape(count * length, width, 3), (width // BLOCK, count * length // BLOCK), interpolation=cv2.INTER_AREA)
    return np.asarray(flat, np.float32).reshape(count, length // BLOCK, width // BLOCK, 3)
