"""The nets of the checker reader: one looks at all strips, one closer at those the first is not sure of, one at what is borne off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.checkers_colours import occupancy
from vision.checkers_input import CHANNELS, fill_picture, fill_place
from vision.checkers_strips import Cut, Image, StripCutter
from vision.nets import network
from vision.table import Table

WIDE_MODEL, CLOSE_MODEL, OFF_MODEL = "checkers.onnx", "checkers_close.onnx", "checkers_off.onnx"


class Look:
    """One net with all it needs to look at the strips of one table. ``start_image`` (h, w, 3) BGR is the known picture of
    ``start``, or None. With a ``margin`` (px) the same strip can be looked at a little to all sides."""

    def __init__(
        self, name: str, cut: Cut, table: Table, start_image: NDArray[Any] | None, start: tuple[int, ...], margin: int = 0
    ) -> None:
        self._name, self.cut, self._margin = name, cut, margin
        self.cutter = StripCutter(table, margin, cut)
        self.start: Image | None = None
        self._occupied: Image | None = None
        if start_image is not None:
            self.start = self.cutter.cut(start_image)
            self._occupied = occupancy(start, cut, margin)
        self._maps: NDArray[Any] | None = None

    def moved(self, table: Table) -> Look:
        """The same net, with all it has been shown, for the board at its new place in the picture."""
        other = object.__new__(Look)
        other.__dict__.update(self.__dict__)
        other.cutter, other._maps = StripCutter(table, self._margin, self.cut), None
        return other

    def _place(self, kind: type[np.generic]) -> NDArray[Any]:
        """The maps of all strips, with margins, as far as they belong to the table."""
        if self._maps is None:
            n, length, width = self.cutter.inside.shape
            self._maps = np.zeros((n, CHANNELS, length, width), kind)
            fill_place(self._maps, self.cutter.inside, self.cutter.drift, self.start, self._occupied)
        return self._maps

    def answers(self, strips: Image, lookup: Image, which: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """The net's raw answers (n, outputs) to all strips of a picture, or to those ``which``; ``lookup`` is a likeness table."""
        maps = self._place(np.float32)
        if which is not None:
            maps, strips = maps[which], strips[which]
        fill_picture(maps, strips, lookup)
        return self._asked(maps)

    def answers_to(
        self, which: NDArray[np.int64], strips: Image, lookup: Image, slide: tuple[int, int] = (0, 0)
    ) -> NDArray[np.float64]:
        """The same to the strips numbered ``which``, cut with their margins, ``slide`` (along, across) px away from their place."""
        maps = self._place(np.uint8)[which]
        fill_picture(maps, strips, lookup)
        i, j = self._margin + slide[0], self._margin + slide[1]
        return self._asked(maps[:, :, i : i + self.cut.length, j : j + self.cut.width].astype(np.float32))

    def _asked(self, maps: NDArray[Any]) -> NDArray[np.float64]:
        """One strip after the other: a fifth faster than all at once, because one strip's layers stay in the processor's cache."""
        net, answers = network(self._name, classic=True), []
        for k in range(len(maps)):
            net.setInput(maps[k : k + 1])
            answers.append(np.asarray(net.forward()[0], np.float64))
        return np.array(answers)
