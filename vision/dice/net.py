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
SQUARE = True  # dice crops of known elevation are stretched until a flat die's top face is square
DIE_EDGE, CUBE_EDGE = 24.0, 34.0  # of a die or cube in its crop, px
CLOSE_EDGE = 38.0  # of a die in the crop of the closer look
LEAN_SIZE, LEAN_EDGE = 96, 38.0  # the crop in which a leaning die is told, and a die in it, px: what it leans on is to be seen too


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


@dataclass(frozen=True, slots=True)
class CubeView:
    """``numbers`` are the probabilities of 2, 4, 8, 16, 32, 64 on top."""

    cube: float
    numbers: tuple[float, ...]
    centre: tuple[float, float]
    edge: float


def read_dice(image: NDArray[np.uint8], looks: list[Look], close: bool = False, hues: bool = False) -> list[DieView]:
    """What a net says of each of the ``looks``; with ``close`` one that sees the die larger, and less of what lies about it, with
    ``hues`` besides its hues alone (`by_hue`), which tell its value and nothing else."""
    views = []
    model, shown = ("dice_close.onnx", CLOSE_EDGE) if close else ("dice_read.onnx", DIE_EDGE)
    for look, y in zip(looks, _run(model, image, looks, shown, SQUARE, hues), strict=True):
        values, (field, checker, rail) = softmax(y[1:7]).tolist(), softmax(y[8:11]).tolist()
        centre, edge = _corrected(look, y[12:15], shown, SQUARE)
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
    for look, y in zip(looks, _run("cube_read.onnx", image, looks, CUBE_EDGE, False, hues), strict=True):
        centre, edge = _corrected(look, y[7:10], CUBE_EDGE, False)
        views.append(CubeView(float(sigmoid(y[0])), tuple(softmax(y[1:7]).tolist()), centre, edge))
    return views


def _run(model: str, image: NDArray[np.uint8], looks: list[Look], edge: float, square: bool, hues: bool = False) -> list[Array]:
    net = network(model)
    out = []
    for look in looks:
        seen = look.crop(image, SIZE, edge, square)
        out.append(net.ask({"x": _layers(look, by_hue(seen, edge) if hues else seen)[None]}, ["y"])[0][0])
    return out


def _layers(look: Look, crop: NDArray[np.uint8]) -> Array:
    """What a net is shown of a ``crop`` (n, n, 3): its colours about their mean, and the sine of the camera's elevation, 0 where that is
    unknown; (4, n, n)."""
    colours = crop.astype(np.float32)
    colours = (colours - colours.mean()) / (colours.std() + 8)
    plane = math.sin(math.radians(look.elevation)) if look.elevation is not None else 0.0
    return np.concatenate([colours.transpose(2, 0, 1), np.full((1, *crop.shape[:2]), plane, np.float32)])


def _corrected(look: Look, aim: Array, edge: float, square: bool) -> tuple[tuple[float, float], float]:
    """The network tells where the top face's centre lies from the crop's (in edges) and how much larger the edge is."""
    centre = look.back(SIZE / 2 + float(aim[0]) * edge, SIZE / 2 + float(aim[1]) * edge, SIZE, edge, square)
    return centre, look.edge * math.exp(float(np.clip(aim[2], -0.7, 0.7)))
