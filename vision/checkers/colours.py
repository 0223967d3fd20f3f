"""How much a pixel looks like near's checkers, far's checkers or the bare board, learned from one known picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.checkers.strips import BAR, WIDE, Cut, Image, strips_of
from vision.colours import LAYER

TOP = 0.46  # D from its middle, as far as a checker's own colour is learned: of some only the rims differ
LEVELS = 32  # steps per channel of the lookup
STRAYS = 10.0  # grey levels: how far a colour strays from what it was at set-up
FARTHER = 22.0  # grey levels: how far a colour counts that is 0.6 (the root of 1/e) times as common as the commonest

_STEP = 256 // LEVELS
_AXIS = (np.arange(LEVELS, dtype=np.float32) + 0.5) * _STEP
CELLS = np.stack(np.meshgrid(_AXIS, _AXIS, _AXIS, indexing="ij"), -1).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Palette:
    """Colours (k, 4) of near's tops, far's tops and the bare board (``ground`` may be empty): BGR 0..255, and how common each is; and by
    how many grey levels they stray."""

    near: NDArray[np.float32]
    far: NDArray[np.float32]
    ground: NDArray[np.float32]
    strays: float = STRAYS


def disc_mask(cut: Cut, spots: list[tuple[float, float]], radius: float, margin: int = 0) -> NDArray[np.bool_]:
    """Pixels of a point strip with a margin within ``radius`` D of any of the ``spots`` (D along from the rail, across)."""
    i = (np.arange(cut.length + 2 * margin) + 0.5 - margin)[:, None] / cut.scale - cut.before
    j = (np.arange(cut.width + 2 * margin) + 0.5 - margin - cut.width / 2)[None, :] / cut.scale
    mask = np.zeros((len(i), j.shape[1]), bool)
    for along, across in spots:
        mask |= (i - along) ** 2 + (j - across) ** 2 < radius * radius
    return mask


def neat_spots(count: int) -> list[tuple[float, float]]:
    """Where up to five of ``count`` checkers of a neat single column stand, D from the rail."""
    return [(k + 0.5, 0.0) for k in range(min(abs(count), LAYER))]


def occupancy(points: tuple[int, ...], cut: Cut, margin: int = 0) -> Image:
    """A picture (strips, length, width) of a known position: 255 near's checkers, 0 far's, 128 none. `OFF` has no
    ``points``: ()."""
    maps = np.full((strips_of(cut), cut.length + 2 * margin, cut.width + 2 * margin), 128, np.uint8)
    for strip, count in enumerate(points):
        if count:
            maps[strip][disc_mask(cut, neat_spots(count), 0.45, margin)] = 255 if count > 0 else 0
    return maps


def cells(pixels: Image) -> NDArray[np.int32]:
    """The cell (...) of the lookup that each of the ``pixels`` (..., 3) BGR falls into."""
    small = pixels >> 3
    return np.asarray((small[..., 0].astype(np.int32) << 10) | (small[..., 1].astype(np.int32) << 5) | small[..., 2], np.int32)


def _samples(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Every colour (k, 4) among ``pixels`` (..., 3) BGR, to a step of the lookup, and how many there are of it."""
    many = np.bincount(cells(pixels).ravel(), minlength=len(CELLS))
    return np.column_stack([CELLS[many > 0], many[many > 0]]).astype(np.float32)


def learn_palette(strips: Image, points: tuple[int, ...] = START.points) -> Palette:
    """Colour samples from the wide strips (25, length, width, 3) of a picture of known ``points``, on which both players have checkers."""
    margin = (strips.shape[1] - WIDE.length) // 2
    i = (np.arange(strips.shape[1]) + 0.5 - margin) / WIDE.scale - WIDE.before
    j = (np.arange(strips.shape[2]) + 0.5 - strips.shape[2] / 2) / WIDE.scale
    tops: dict[int, list[NDArray[np.uint8]]] = {1: [], -1: []}
    bare = []
    for strip in range(BAR):
        count = points[strip]
        if count:
            tops[1 if count > 0 else -1].append(strips[strip][disc_mask(WIDE, neat_spots(count), TOP, margin)])
        # the point's own bare ground: beyond its column, within its own half of the field
        rows = (i > abs(count) + (0.4 if count else 0.1)) & (i < 5.0)
        if rows.any():
            bare.append(strips[strip][rows][:, np.abs(j) < 0.45].reshape(-1, 3))
    near, far = (_samples(np.concatenate(tops[side])) for side in (1, -1))
    return Palette(near, far, _samples(np.concatenate(bare)))


def plain_palette(near_rgb: tuple[float, float, float], far_rgb: tuple[float, float, float]) -> Palette:
    """When there is no known picture: one colour each, nothing known of the board."""
    near, far = (np.array([[*rgb[::-1], 1]], np.float32) for rgb in (near_rgb, far_rgb))
    return Palette(near, far, np.zeros((0, 4), np.float32), strays=FARTHER)


def blurred(many: NDArray[Any], strays: float) -> NDArray[np.float64]:
    """(cells,): how common each of the `CELLS` is, of which so ``many`` (`LEVELS`, thrice) were seen, where colours stray by so much."""
    blur = np.exp(-((_AXIS[:, None] - _AXIS) ** 2) / (2 * strays**2), dtype=np.float64)
    return np.asarray(np.einsum("ai,bj,ck,ijk->abc", blur, blur, blur, many, optimize=True).ravel())


def _distance(samples: NDArray[np.float32], strays: float) -> NDArray[np.float32]:
    """How far each of the `CELLS` is from what is common among the ``samples`` (k, 4), which stray by so many grey levels: 0 for their
    commonest colour."""
    many = np.bincount(cells(np.clip(samples[:, :3], 0, 255).astype(np.uint8)), samples[:, 3], len(CELLS)).reshape(LEVELS, LEVELS, LEVELS)
    common = blurred(many, strays)
    return np.asarray(FARTHER * np.sqrt(-2 * np.log(np.maximum(common / common.max(), 1e-300))), np.float32)


def likeness_table(palette: Palette) -> Image:
    """Lookup (cells, 4): near against far, near against board, far against board (255 the first, 0 the second), strangeness."""
    near, far = _distance(palette.near, palette.strays), _distance(palette.far, palette.strays)
    ground = _distance(palette.ground, palette.strays) if len(palette.ground) else None
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
    return np.asarray(table.view(np.uint32)[:, 0].take(cells(pixels))[..., None].view(np.uint8))
