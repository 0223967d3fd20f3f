"""The nets of the checker reader: one looks at all strips, one closer at points, one at the bar, one at what is borne off."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colours import occupancy
from vision.checkers.input import (
    MAPS,
    PICTURE,
    column_maps,
    exchanged,
    exchanged_back,
    fill_picture,
    known_columns,
    mirrored,
    net_input,
)
from vision.checkers.strips import Cut, Image, StripCutter
from vision.nets import network
from vision.table import Table

WIDE_MODEL, CLOSE_MODEL, BAR_MODEL, OFF_MODEL = "checkers.onnx", "checkers_close.onnx", "checkers_bar.onnx", "checkers_off.onnx"
KNOWN = ("halves", "quarters", "eighths")  # what a points' net is told of the place; another net says it once for a table

Known = tuple[NDArray[np.float32], ...]


def place_model(name: str) -> str:
    """The file of the net that says to the points' net of this ``name`` what is known of a strip's place."""
    return name.replace(".onnx", "_place.onnx")


class _StripsLook:
    """What a net needs to look at the strips of one table. ``picture`` (h, w, 3) BGR is the known one, or None, and ``points`` what stood
    on the points in it, where the strips are theirs. ``start``: the strips of that picture."""

    def __init__(self, name: str, cut: Cut, table: Table, picture: NDArray[Any] | None, points: tuple[int, ...] = ()) -> None:
        self._name, self.cut = name, cut
        self.cutter = StripCutter(table, cut=cut)
        self.start: Image | None = None
        self._occupied: Image | None = None
        if picture is not None:
            self.start = self.cutter.cut(picture)
            self._occupied = occupancy(points, cut)

    def moved(self, table: Table) -> Self:
        """The same net, with all it has been shown, for the board at its new place in the picture."""
        other = copy.copy(self)
        other.cutter = StripCutter(table, cut=self.cut)
        return other

    def _maps(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.uint8]:
        """The fourteen maps of the ``strips`` numbered ``which``; ``lookup`` is a likeness table."""
        seen = (None, None) if self.start is None or self._occupied is None else (self.start[which], self._occupied[which])
        return net_input(strips, self.cutter.inside[which], self.cutter.drift[which], lookup, *seen)


class CountLook(_StripsLook):
    """A net that counts the checkers of one place: what is borne off, or what lies on the bar."""

    def answer(self, image: NDArray[Any], lookup: Image) -> NDArray[np.float64]:
        """The net's raw answer (32,) to a picture (h, w, 3) BGR."""
        maps = self._maps(np.zeros(1, np.int64), self.cutter.cut(image), lookup).astype(np.float32)
        return _answers(self._name, {"strips": maps})


class PointsLook(_StripsLook):
    """One of the two nets that count the checkers of points and bar."""

    def __init__(self, name: str, cut: Cut, table: Table, picture: NDArray[Any] | None, points: tuple[int, ...]) -> None:
        super().__init__(name, cut, table, picture, points)
        self._columns = known_columns(points)
        self._known: dict[int, Known] = {}

    def moved(self, table: Table) -> Self:
        other = super().moved(table)
        other._known = {}
        return other

    def answers(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.float64]:
        """The net's raw answers (n, outputs) to the ``strips`` of a picture that are numbered ``which``; ``lookup`` is a likeness table."""
        picture = np.empty((1, PICTURE, self.cut.length, self.cut.width), np.float32)
        answers = []
        for k, strip in enumerate(which.tolist()):
            if strip not in self._known:
                maps = self._all_maps(which[k : k + 1], strips[k : k + 1], lookup)
                self._known[strip] = self._place(maps)
            fill_picture(picture, strips[k : k + 1], lookup)
            answers.append(self._asked(picture, self._known[strip]))
        return np.array(answers)

    def answers_around(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.float64]:
        """The mean of the net's answers to the same strips seen in a mirror, with the players exchanged, and both. To a net that knew all
        they would be the answers to the strips as they are; what differs is its error."""
        maps = self._all_maps(which, strips, lookup)
        other = exchanged(maps)
        swapped = self._fresh(other) + self._fresh(mirrored(other))
        return (self._fresh(mirrored(maps)) + exchanged_back(swapped)) / 3

    def _all_maps(self, which: NDArray[np.int64], strips: Image, lookup: Image) -> NDArray[np.uint8]:
        columns = column_maps(self.start, self._columns[which], (self.cut.length, self.cut.width))
        return np.concatenate([self._maps(which, strips, lookup), columns], 1)

    def _fresh(self, maps: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The answers to strips given by all their maps (n, 20, length, width)."""
        return np.array([self._asked(m[:, :PICTURE], self._place(m)) for m in np.split(maps, len(maps))])

    def _place(self, maps: NDArray[np.uint8]) -> Known:
        """What is said of the place of one strip, given by all its maps (1, 20, length, width)."""
        return tuple(network(place_model(self._name)).ask({"place": maps[:, PICTURE:MAPS].astype(np.float32)}, KNOWN))

    def _asked(self, picture: NDArray[Any], known: Known) -> NDArray[np.float64]:
        """The answer to one strip; one after the other is a fifth faster than all at once, because a strip's layers stay in the cache."""
        return _answers(self._name, {"strips": np.asarray(picture, np.float32), **dict(zip(KNOWN, known, strict=True))})


def _answers(name: str, inputs: dict[str, NDArray[np.float32]]) -> NDArray[np.float64]:
    return np.asarray(network(name).ask(inputs, ["answers"])[0][0], np.float64)
