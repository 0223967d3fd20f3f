"""Finds where dice and the doubling cube may lie: one small network over the picture, scaled so that a die is `DIE_PX` wide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import look_at
from vision.nets import network, sigmoid
from vision.pictures import smaller
from vision.table import Table

DIE_PX = 12.0  # a die's edge in the network's input
STRIDE = 4  # px of the input to a cell of the network's maps
LEAST = 0.15  # of a spot on or about a board
MOST_SPOTS = 40  # of a kind that one look tells of
LARGER = 1.8  # times as large as this board's dice should be: what `BoardFinder.larger` looks for
FINER = 1.3  # times as fine as the first look, one that is made where no cube was found, or not two plain dice
SHOULDER, APART = 0.3, 2.0  # of a spot that is no peak of its own, and how far (cells) from every other it must be


@dataclass(frozen=True, slots=True)
class Spot:
    """A place (px) that looks like a die or cube, how much so (0..1), and the die-sized edge there as the network sees it (px;
    for a cube half its edge)."""

    centre: tuple[float, float]
    score: float
    edge: float


@dataclass(frozen=True, slots=True)
class Found:
    """Where dice and cubes may lie, the likeliest first."""

    dice: tuple[Spot, ...]
    cubes: tuple[Spot, ...]


def find(image: NDArray[np.uint8], scale: float, least: float, most: int) -> Found:
    """Looks over ``image`` (BGR) resized by ``scale``, and over its mirror image; keeps at most ``most`` spots of each kind with a score of
    ``least`` or more."""
    return _Seen(image, scale, least, most).twice


class _Seen:
    """What the network tells of an ``image`` (BGR) resized by ``scale``, which is asked for once: at most ``most`` spots of each kind with
    a score of ``least`` or more. ``corner``: where (px) the image's first pixel lies in the picture that it is cut out of."""

    def __init__(self, image: NDArray[np.uint8], scale: float, least: float, most: int, corner: tuple[int, int] = (0, 0)) -> None:
        self._small = _resized(image, scale)  # in bytes: as layers it would be four times as large, and it stays until the next picture
        self._fx, self._fy = self._small.shape[1] / image.shape[1], self._small.shape[0] / image.shape[0]
        self._least, self._most, self._corner = least, most, corner

    @cached_property
    def once(self) -> Found:
        """In the image as it is."""
        return self._spots(self._plain)

    @cached_property
    def twice(self) -> Found:
        """By the mean of what is told of the image and of its mirror image, in as much time again: how the cells lie over a die makes its
        score vary by a third."""
        mirrored = _maps(_layers(self._small[:, ::-1]))
        return self._spots(np.asarray((self._plain + mirrored[..., ::-1]) / 2, np.float32))

    @cached_property
    def _plain(self) -> NDArray[np.float32]:
        return _maps(_layers(self._small))

    def _spots(self, maps: NDArray[np.float32]) -> Found:
        dice, cubes = (
            tuple(self._spot(plane, maps[2], y, x) for y, x in _peaks(plane, self._least)[: self._most]) for plane in sigmoid(maps[:2])
        )
        return Found(dice, cubes)

    def _spot(self, plane: NDArray[np.float32], sizes: NDArray[np.float32], y: int, x: int) -> Spot:
        cx, cy = _middle(plane, x, y)
        edge = DIE_PX * math.exp(float(np.clip(sizes[y, x], -1.5, 1.5))) / self._fx
        u, v = ((cx + 0.5) * STRIDE) / self._fx - 0.5, ((cy + 0.5) * STRIDE) / self._fy - 0.5
        return Spot((u + self._corner[0], v + self._corner[1]), float(plane[y, x]), edge)


def _middle(plane: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """Where (x, y) the weight lies of the cells next to one of a map (h, w)."""
    x0, y0 = max(0, x - 1), max(0, y - 1)
    weights = [(x0 + i, y0 + j, weight) for j, row in enumerate(plane[y0 : y + 2, x0 : x + 2].tolist()) for i, weight in enumerate(row)]
    total = sum(weight for *_, weight in weights)
    return sum(u * weight for u, _, weight in weights) / total, sum(v * weight for _, v, weight in weights) / total


def _resized(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """``image`` resized by ``scale``, to whole cells of the network's maps."""
    h, w = image.shape[:2]
    size = (max(32, math.ceil(w * scale / 8) * 8), max(32, math.ceil(h * scale / 8) * 8))
    return smaller(image, size) if scale < 1 else np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _layers(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What the network is shown of a ``small`` picture (h, w, 3): (1, 3, h, w) in 0..1."""
    return np.asarray(np.multiply(small.transpose(2, 0, 1)[None], np.float32(1 / 255), order="C"), np.float32)


def _maps(layers: NDArray[np.float32]) -> NDArray[np.float32]:
    """The network's maps (3, h, w) of what it is shown: log odds of a die and of a cube, and the logarithm of how large one is."""
    return np.asarray(network("dice_find.onnx").ask({"x": layers}, ["y"])[0][0], np.float32)


def _peaks(plane: NDArray[np.float32], least: float) -> list[tuple[int, int]]:
    """The cells (y, x) of a map (h, w) that stand out by ``least`` or more, the likeliest first. Of two dice that touch, one may be but a
    shoulder of the other: it counts too where it is high and far enough from every peak."""
    top = plane >= cv2.dilate(plane, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((plane >= least) & (top | (plane >= SHOULDER)))
    order = np.lexsort((-plane[ys, xs], ~top[ys, xs]))  # peaks before shoulders
    found: list[tuple[int, int]] = []
    for y, x in zip(ys[order].tolist(), xs[order].tolist(), strict=True):
        if top[y, x] or all(math.hypot(y - v, x - u) >= APART for v, u in found):
            found.append((y, x))
    return sorted(found, key=lambda at: -float(plane[at]))


class BoardFinder:
    """`find` over the board and what lies round it. The last picture's answers are kept: dice and cube readers share their looks."""

    MARGIN = (20.0, 14.0)  # cm beside and beyond the field that are searched: rails, trays, and where a cube is put aside

    def __init__(self, table: Table) -> None:
        m = table.measures
        x, y = m.inner[0] / 2 + self.MARGIN[0], m.inner[1] / 2 + self.MARGIN[1]
        corners = table.camera.project(
            np.array([[sx * x, sy * y, z] for sx in (-1, 1) for sy in (-1, 1) for z in (0.0, m.die + m.rail_height)])
        )
        around = look_at(table, (float(table.camera.size[0]) / 2, float(table.camera.size[1]) / 2), m.die, m.die).edge
        corners = np.concatenate([corners, *(outline + side * around for outline in table.outlines() for side in (-1, 1))])
        w, h = table.camera.size
        x0, y0 = np.clip(corners.min(0), 0, (w - 32, h - 32)).astype(int)
        x1, y1 = np.clip(corners.max(0), (x0 + 32, y0 + 32), (w, h)).astype(int)
        self.box = (int(x0), int(y0), int(x1), int(y1))
        inner = table.camera.project(np.array([[sx * m.inner[0] / 3, sy * m.inner[1] / 3, m.die] for sx in (-1, 1) for sy in (-1, 1)]))
        edges = [look_at(table, (float(px[0]), float(px[1])), m.die, m.die).edge for px in inner]
        self.scale = DIE_PX / math.sqrt(min(edges) * max(edges))
        self._rim = round(DIE_PX / self.scale)
        self._last: NDArray[np.uint8] | None = None
        self._sum = b""
        self._seen: dict[float, _Seen] = {}

    def find(self, image: NDArray[np.uint8]) -> Found:
        """Dice and cubes on and about the board in ``image`` (BGR uint8)."""
        return self._look(image, self.scale).once

    def surer(self, image: NDArray[np.uint8]) -> Found:
        """The same as the mean of that look and of one at the picture's mirror image."""
        return self._look(image, self.scale).twice

    def finer(self, image: NDArray[np.uint8]) -> Found:
        """The same in a look `FINER` than the first."""
        return self._look(image, self.scale * FINER).once

    def larger(self, image: NDArray[np.uint8]) -> tuple[Spot, ...]:
        """Dice in a look made for such as are `LARGER` than this board's should be."""
        return self._look(image, self.scale / LARGER).once.dice

    def _look(self, image: NDArray[np.uint8], scale: float) -> _Seen:
        probe = image[::37, ::41].tobytes()
        if image is not self._last or probe != self._sum:
            self._seen, self._last, self._sum = {}, image, probe
        if scale not in self._seen:
            self._seen[scale] = self._cut(image, scale)
        return self._seen[scale]

    def _cut(self, image: NDArray[np.uint8], scale: float) -> _Seen:
        x0, y0, x1, y1 = self.box
        h, w = image.shape[:2]
        rim = self._rim  # a cube that the picture's edge cuts through has its middle at the edge, or beyond
        sides = (rim * (y0 == 0), rim * (y1 == h), rim * (x0 == 0), rim * (x1 == w))
        seen = image[y0:y1, x0:x1]
        if any(sides):
            seen = np.asarray(cv2.copyMakeBorder(seen, *sides, cv2.BORDER_REPLICATE), np.uint8)
        return _Seen(seen, scale, LEAST, MOST_SPOTS, (x0 - sides[2], y0 - sides[0]))


_finders: WeakKeyDictionary[Table, BoardFinder] = WeakKeyDictionary()


def board_finder(table: Table) -> BoardFinder:
    """The one finder of a table."""
    finder = _finders.get(table)
    if finder is None:
        finder = _finders[table] = BoardFinder(table)
    return finder
