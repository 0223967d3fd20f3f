"""Reads crops with the small networks: what they say of a die or a cube, in probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import Look
from vision.dice.hue import by_hue
from vision.nets import network, sigmoid, softmax

Array = NDArray[np.float32]
SIZE = 64
LEAN_SIZE, LEAN_EDGE = 96, 38.0  # the crop in which a leaning die is told, and a die in it, px: what it leans on is to be seen too


@dataclass(frozen=True, slots=True)
class CropNet:
    """A net that is shown crops of `SIZE` px with dice or cubes of ``edge`` px in their middles. ``square``: where the elevation is known
    they are stretched until a flat die's top face is square."""

    model: str
    edge: float
    square: bool

    def ask(self, image: NDArray[np.uint8], look: Look, hues: bool) -> Array:
        """What it says of a ``look``; with ``hues`` of its hues alone (`by_hue`)."""
        crop = look.crop(image, SIZE, self.edge, self.square)
        shown = _layers(look, by_hue(crop, self.edge) if hues else crop)
        return np.asarray(network(self.model).ask({"x": shown[None]}, ["y"])[0][0])

    def corrected(self, look: Look, aim: Array) -> tuple[tuple[float, float], float]:
        """Centre and edge (px of the picture) by its ``aim``: where the top face's centre lies from the crop's (in edges) and how much
        larger the edge is."""
        x, y = (SIZE / 2 + float(off) * self.edge for off in aim[:2])
        return look.back(x, y, SIZE, self.edge, self.square), look.edge * math.exp(float(np.clip(aim[2], -0.7, 0.7)))


DIE, CLOSE = CropNet("dice_read.onnx", 24.0, square=True), CropNet("dice_close.onnx", 38.0, square=True)
CUBE = CropNet("cube_read.onnx", 34.0, square=False)


@dataclass(frozen=True, slots=True)
class DieView:
    """What one crop shows. ``values`` are the probabilities of 1..6, ``support`` of field, checker, bar or rail; ``centre`` (px of the
    picture) and ``edge`` (px) are corrected ones. ``marked``: how much the finder took the place for a die."""

    die: float
    values: tuple[float, ...]
    tilted: float
    support: tuple[float, float, float]
    by_checker: float
    centre: tuple[float, float]
    edge: float
    marked: float = 0.0

    @property
    def clear(self) -> float:
        """How likely its likeliest value is."""
        return max(self.values)

    @property
    def value(self) -> int:
        """The likeliest one."""
        return int(np.argmax(self.values)) + 1


@dataclass(frozen=True, slots=True)
class CubeView:
    """``numbers`` are the probabilities of 2, 4, 8, 16, 32, 64 on top."""

    cube: float
    numbers: tuple[float, ...]
    centre: tuple[float, float]
    edge: float


def read_dice(image: NDArray[np.uint8], looks: list[Look], close: bool = False, hues: bool = False) -> list[DieView]:
    """What a net says of each of the ``looks``; with ``close`` one that sees the die larger, and less of what lies about it, with
    ``hues`` by its hues alone, which tell its value and nothing else."""
    net, views = CLOSE if close else DIE, []
    for look in looks:
        y = net.ask(image, look, hues)
        values, (field, checker, rail) = softmax(y[1:7]).tolist(), softmax(y[8:11]).tolist()
        centre, edge = net.corrected(look, y[12:15])
        die, tilted, by_checker = sigmoid(y[[0, 7, 11]]).tolist()
        views.append(DieView(die, tuple(values), tilted, (field, checker, rail), by_checker, centre, edge))
    return views


def read_leans(image: NDArray[np.uint8], look: Look) -> float:
    """How likely the die of a ``look`` at a known table leans: what a net says of it as it is and in a mirror, on average."""
    seen = _layers(look, look.crop(image, LEAN_SIZE, LEAN_EDGE, square=True))
    both = np.stack([seen, seen[..., ::-1]])
    return float(sigmoid(network("dice_lean.onnx").ask({"x": both}, ["y"])[0].mean()))


def read_cubes(image: NDArray[np.uint8], looks: list[Look], hues: bool = False) -> list[CubeView]:
    """What the cube's net says of each of the ``looks``; with ``hues`` by its hues alone, which tell its number and nothing else."""
    views = []
    for look in looks:
        y = CUBE.ask(image, look, hues)
        centre, edge = CUBE.corrected(look, y[7:10])
        views.append(CubeView(float(sigmoid(y[0])), tuple(softmax(y[1:7]).tolist()), centre, edge))
    return views


def _layers(look: Look, crop: NDArray[np.uint8]) -> Array:
    """What a net is shown of a ``crop`` (n, n, 3): its colours about their mean, and the sine of the camera's elevation, 0 where that is
    unknown; (4, n, n)."""
    colours = crop.astype(np.float32)
    colours = (colours - colours.mean()) / (colours.std() + 8)
    plane = math.sin(math.radians(look.elevation)) if look.elevation is not None else 0.0
    return np.concatenate([colours.transpose(2, 0, 1), np.full((1, *crop.shape[:2]), plane, np.float32)])

