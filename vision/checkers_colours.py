"""How much a pixel looks like near's checkers, far's checkers or the bare board, learned from one known picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.checkers_strips import BAR, BEFORE, LENGTH, POINT_SCALE, STRIPS, WIDTH, Image, StripFrame, strip_frame
from vision.table import Table

CENTRES = 6  # colour samples kept of each player's checkers: marble and pearl need several
GROUNDS = 10  # of the bare board
LEVELS = 32  # steps per channel of the lookup


@dataclass(frozen=True, eq=False)
class Palette:
    """Colour samples (k, 3) BGR 0..255 of near's tops, far's tops and the bare board (``ground`` may be empty)."""

    near: NDArray[np.float32]
    far: NDArray[np.float32]
    ground: NDArray[np.float32]


def disc_mask(
    frame: StripFrame, spots: list[tuple[float, float]], radius: float, width: int = WIDTH, length: int = LENGTH
) -> NDArray[np.bool_]:
    """Pixels (length, width) of a strip within ``radius`` D of any of the ``spots`` (D along from the strip's start, across)."""
    i = (np.arange(length) + 0.5 - (length - LENGTH) / 2)[:, None] / frame.scale
    j = (np.arange(width) + 0.5 - width / 2)[None, :] / frame.scale
    mask = np.zeros((length, width), bool)
    for along, across in spots:
        mask |= (i - along) ** 2 + (j - across) ** 2 < radius * radius
    return mask


def neat_spots(count: int) -> list[tuple[float, float]]:
    """Where ``count`` checkers of a neat single column stand in a point strip, D."""
    return [(BEFORE + k + 0.5, 0.0) for k in range(count)]


def occupancy(table: Table, points: tuple[int, ...], width: int = WIDTH, length: int = LENGTH) -> Image:
    """A picture (25, length, width) of a known position: 255 near's checkers, 0 far's, 128 none."""
    maps = np.full((STRIPS, length, width), 128, np.uint8)
    for strip in range(BAR):
        count = points[strip]
        if count:
            mask = disc_mask(strip_frame(table, strip), neat_spots(min(abs(count), 5)), 0.45, width, length)
            maps[strip][mask] = 255 if count > 0 else 0
    return maps


def _clusters(pixels: NDArray[np.uint8], count: int) -> NDArray[np.float32]:
    samples = pixels.reshape(-1, 3).astype(np.float32)
    if len(samples) > 6000:
        samples = samples[:: len(samples) // 6000 + 1]
    if len(samples) <= count:
        return samples
    cv2.setRNGSeed(1)
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    _, _, centres = cv2.kmeans(samples, count, np.zeros((0, 1), np.int32), until, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(centres, np.float32)


def learn_palette(table: Table, strips: Image, points: tuple[int, ...] = START.points) -> Palette:
    """Colour samples from the strips (25, length, width, 3) of a picture whose position is known.

    Raises ValueError when the position shows no checker of one colour on the first five places of any point.
    """
    length, width = strips.shape[1:3]
    tops: dict[int, list[NDArray[np.uint8]]] = {1: [], -1: []}
    bare = []
    for strip in range(BAR):
        count = points[strip]
        frame = strip_frame(table, strip)
        if count:
            mask = disc_mask(frame, neat_spots(min(abs(count), 5)), 0.36, width, length)
            tops[1 if count > 0 else -1].append(strips[strip][mask])
        # the point's own bare ground: beyond its column, within its own half of the field
        i = (np.arange(length) + 0.5 - (length - LENGTH) / 2) / POINT_SCALE - BEFORE
        j = (np.arange(width) + 0.5 - width / 2) / POINT_SCALE
        rows = (i > abs(count) + (0.4 if count else 0.1)) & (i < 5.0)
        if rows.any():
            bare.append(strips[strip][rows][:, np.abs(j) < 0.45].reshape(-1, 3))
    if not tops[1] or not tops[-1]:
        raise ValueError("the known position must show checkers of both players on the points")
    near, far = (_clusters(np.concatenate(tops[side]), CENTRES) for side in (1, -1))
    return Palette(near, far, _clusters(np.concatenate(bare), GROUNDS))


def plain_palette(near_rgb: tuple[float, float, float], far_rgb: tuple[float, float, float]) -> Palette:
    """When there is no known picture: one colour each, nothing known of the board."""
    return Palette(np.array([near_rgb[::-1]], np.float32), np.array([far_rgb[::-1]], np.float32), np.zeros((0, 3), np.float32))


_STEP = 256 // LEVELS
_AXIS = (np.arange(LEVELS, dtype=np.float32) + 0.5) * _STEP
CELLS = np.stack(np.meshgrid(_AXIS, _AXIS, _AXIS, indexing="ij"), -1).reshape(-1, 3)


def _distance(cells: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.float32]:
    square = (centres**2).sum(1)[:, None] - 2 * centres @ cells.T  # long rows, for speed
    return np.asarray(np.sqrt(np.maximum(np.minimum.reduce(square, axis=0) + (cells**2).sum(1), 0.0)), np.float32)


def likeness_table(palette: Palette, cells: NDArray[np.float32] = CELLS) -> Image:
    """Lookup (cells, 4): near against far, near against board, far against board (255 the first, 0 the second), strangeness."""
    near, far = _distance(cells, palette.near), _distance(cells, palette.far)
    ground = _distance(cells, palette.ground) if len(palette.ground) else None
    slack = 12.0  # about the noise of one colour

    def against(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(127.5 + 127.5 * (b - a) / (a + b + slack), np.float32)

    if ground is None:
        neutral = np.full_like(near, 127.5)
        maps = [against(near, far), neutral, neutral, 255 * (1 - np.exp(-np.minimum(near, far) / 40))]
    else:
        strange = np.minimum(np.minimum(near, far), ground)
        maps = [against(near, far), against(near, ground), against(far, ground), 255 * (1 - np.exp(-strange / 40))]
    return np.asarray(np.clip(np.stack(maps, -1), 0, 255), np.uint8)


def likeness(table: Image, pixels: Image) -> Image:
    """The four maps (..., 4) of ``pixels`` (..., 3) BGR by a `likeness_table`."""
    small = pixels >> 3
    index = (small[..., 0].astype(np.int32) << 10) | (small[..., 1].astype(np.int32) << 5) | small[..., 2]
    return np.asarray(table.view(np.uint32)[:, 0].take(index)[..., None].view(np.uint8))
