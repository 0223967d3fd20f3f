"""What the checkers' nets are shown of a strip: maps of bytes, the same in training and at the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colours import likeness
from vision.checkers.strips import BAR, STRIPS, Image, drift_ramp
from vision.colours import LAYER

PICTURE = 7  # maps that change with every picture
CHANNELS = 14  # with those that belong to the table
MAPS = 20  # and with the known columns of both players, which the points' nets compare a strip with
DRIFT_SPAN = 2.0  # the largest parallax (the tangent of the view's slant) that the maps can hold
COUNTS = 31  # classes of a point: signed count + 15
BAR_COUNTS = 6  # classes of one player's checkers on the bar: 0..4, 5 and more
HIDDEN = COUNTS  # place of the output that says "something is in the way"
OUTPUTS = COUNTS + 1 + 2 * BAR_COUNTS


def fill_picture(maps: NDArray[Any], strips: Image, lookup: Image) -> None:
    """Writes the seven maps that change with every picture into ``maps`` (n, 7 or more, length, width), bytes or floats.

    ``strips`` (n, length, width, 3) BGR; ``lookup`` a likeness table.
    """
    maps[:, 0:3] = strips.transpose(0, 3, 1, 2)
    maps[:, 3:7] = likeness(lookup, strips).transpose(0, 3, 1, 2)


def fill_place(
    maps: NDArray[Any], inside: NDArray[np.bool_], drift: NDArray[np.float32], start: Image | None, occupied: Image | None
) -> None:
    """Writes the seven maps that belong to the table into ``maps`` (n, 14 or more, length, width). ``inside`` (n, length, width): pixels
    within the picture; ``drift`` (n, 3, 2); ``start`` (n, length, width, 3) the same strips in the known picture and ``occupied`` (n,
    length, width) where checkers stood there, both None when unknown."""
    n, _, length, width = maps.shape
    maps[:, 7] = inside * np.uint8(255)
    for k in range(n):
        ramp = drift_ramp(drift[k], width, length)
        maps[k, 8:10] = np.clip(127.5 + 127.5 * ramp / DRIFT_SPAN, 0, 255).astype(np.uint8).transpose(2, 0, 1)
    if start is None or occupied is None:
        maps[:, 10:13], maps[:, 13] = 0, 128
    else:
        maps[:, 10:13] = start.transpose(0, 3, 1, 2)
        maps[:, 13] = occupied


def net_input(
    strips: Image, inside: NDArray[np.bool_], drift: NDArray[np.float32], lookup: Image, start: Image | None, occupied: Image | None
) -> NDArray[np.uint8]:
    """The first fourteen maps (n, 14, length, width), bytes, of some strips."""
    n, length, width = strips.shape[:3]
    maps = np.empty((n, CHANNELS, length, width), np.uint8)
    fill_picture(maps, strips, lookup)
    fill_place(maps, inside, drift, start, occupied)
    return maps


def known_columns(points: tuple[int, ...]) -> NDArray[np.int64]:
    """(25, 2): which points (0..23) of a known position show the column of near's and the one of far's checkers that each strip is compared
    with, -1 where there is none: the fullest that stands in one layer, of such those on the strip's own side, the nearest of them."""
    columns = np.full((STRIPS, 2), -1)
    for strip in range(STRIPS):
        place = 5 if strip == BAR else strip  # the bar's neighbour
        for k, sign in enumerate((1, -1)):
            there = [(-n * sign, q // 12 != place // 12, min(abs(q - place), abs(23 - q - place)), q) for q, n in enumerate(points)]
            fitting = [rank for rank in there if 0 < -rank[0] <= LAYER]
            if fitting:
                columns[strip, k] = min(fitting)[-1]
    return columns


def column_maps(start: Image | None, columns: NDArray[np.int64], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The six maps (n, 6, length, width) of known columns: near's and far's, as the strips ``start`` (25 or 24, length, width, 3) of the
    known picture show them at the ``columns`` (n, 2) of `known_columns`; 0 where there are none. ``size``: length and width."""
    maps = np.zeros((len(columns), 2, 3, *size), np.uint8)
    if start is not None:
        for seat in range(2):
            there = columns[:, seat] >= 0
            maps[there, seat] = start[columns[there, seat]].transpose(0, 3, 1, 2)
    return maps.reshape(len(columns), MAPS - CHANNELS, *size)


def mirrored(maps: NDArray[Any]) -> NDArray[Any]:
    """All maps (n, 14 or 20, length, width) of the same strips with left and right exchanged, which changes no answer."""
    maps = maps[..., ::-1].copy()
    maps[:, 9] = 255 - maps[:, 9]
    return maps


def exchanged(maps: NDArray[Any]) -> NDArray[Any]:
    """All maps (n, 14 or 20, length, width) of the same strips had the players each other's checkers."""
    maps = maps.copy()
    maps[:, 3] = 255 - maps[:, 3]
    maps[:, [4, 5]] = maps[:, [5, 4]]
    maps[:, 13] = np.where(maps[:, 13] == 128, 128, 255 - maps[:, 13])
    near, far = np.split(maps[:, CHANNELS:].copy(), 2, 1)
    maps[:, CHANNELS:] = np.concatenate([far, near], 1)
    return maps


def exchanged_back(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The answers (n, outputs) to `exchanged` maps in terms of the players as they are."""
    counts, hidden, bar = np.split(answers, [COUNTS, HIDDEN + 1], axis=1)
    return np.concatenate([counts[:, ::-1], hidden, bar[:, BAR_COUNTS:], bar[:, :BAR_COUNTS]], axis=1)
