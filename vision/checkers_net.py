"""The nets of the checker reader: one looks at all strips, one closer at those the first is not sure of, one at what is borne off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.checkers_colours import occupancy
from vision.checkers_input import CHANNELS, exchanged, exchanged_back, fill_picture, fill_place, mirrored
from vision.checkers_strips import Cut, Image, StripCutter
from vision.nets import network
from vision.table import Table

WIDE_MODEL, CLOSE_MODEL, OFF_MODEL = "checkers.onnx", "checkers_close.onnx", "checkers_off.onnx"


class Look:
    """One net with all it needs to look at the strips of one table. ``start_image`` (h, w, 3) BGR is the known picture of
    ``start``, or None."""

    def __init__(self, name: str, cut: Cut, table: Table, start_image: NDArray[Any] | None, start: tuple[int, ...]) -> None:
        self._name, self.cut = name, cut
        self.cutter = StripCutter(table, cut=cut)
        self.start: Image | None = None
        self._occupied: Image | None = None
        if start_image is not None:
            self.start = self.cutter.cut(start_image)
            self._occupied = occupancy(start, cut)
        self._maps: NDArray[Any] | None = None

    def moved(self, table: Table) -> Look:
        """The same net, with all it has been shown, for the board at its new place in the picture."""
        other = object.__new__(Look)
        other.__dict__.update(self.__dict__)
        other.cutter, other._maps = StripCutter(table, cut=self.cut), None
        return other

    def _place(self, kind: type[np.generic]) -> NDArray[Any]:
        """The maps of all strips as far as they belong to the table."""
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

    def answers_to(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.float64]:
        """The same to the ``strips`` numbered ``which``."""
        return self._asked(self._maps_of(which, strips, lookup))

    def answers_around(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.float64]:
        """The mean of the net's answers to the same strips seen in a mirror, with the players exchanged, and both. To a net that knew all
        they would be the answers to the strips as they are; what differs is its error."""
        maps = self._maps_of(which, strips, lookup)
        other = exchanged(maps)
        swapped = self._asked(other) + self._asked(mirrored(other))
        return (self._asked(mirrored(maps)) + exchanged_back(swapped)) / 3

    def _maps_of(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[Any]:
        maps = self._place(np.uint8)[which]
        fill_picture(maps, strips, lookup)
        return maps

    def _asked(self, maps: NDArray[Any]) -> NDArray[np.float64]:
        """One strip after the other: a fifth faster than all at once, because one strip's layers stay in the processor's cache."""
        net, answers = network(self._name), []
        for k in range(len(maps)):
            net.setInput(np.asarray(maps[k : k + 1], np.float32))
            answers.append(np.asarray(net.forward()[0], np.float64))
        return np.array(answers)
