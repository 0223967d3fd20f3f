"""What the checker net is shown of a strip: fourteen maps of bytes, the same in training and at the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.checkers_colours import likeness
from vision.checkers_strips import Image, drift_ramp

CHANNELS = 14
DRIFT_SPAN = 2.0  # the largest parallax (the tangent of the view's slant) that the maps can hold
COUNTS = 31  # classes of a point: signed count + 15
BAR_COUNTS = 6  # classes of one player's checkers on the bar: 0..4, 5 and more
HIDDEN = COUNTS  # place of the output that says "something is in the way"
OUTPUTS = COUNTS + 1 + 2 * BAR_COUNTS


def fill_picture(maps: NDArray[Any], strips: Image, lookup: Image) -> None:
    """Writes the seven maps that change with every picture into ``maps`` (n, 14, length, width), bytes or floats.

    ``strips`` (n, length, width, 3) BGR; ``lookup`` a likeness table.
    """
    maps[:, 0:3] = strips.transpose(0, 3, 1, 2)
    maps[:, 3:7] = likeness(lookup, strips).transpose(0, 3, 1, 2)


def fill_place(
    maps: NDArray[Any], inside: NDArray[np.bool_], drift: NDArray[np.float32], start: Image | None, occupied: Image | None
) -> None:
    """Writes the seven maps that belong to the table. ``inside`` (n, length, width): pixels within the picture; ``drift``
    (n, 3, 2); ``start`` (n, length, width, 3) the same strips in the known picture and ``occupied`` (n, length, width)
    where checkers stood there, both None when unknown."""
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
    """All fourteen maps (n, 14, length, width), bytes, of some strips."""
    n, length, width = strips.shape[:3]
    maps = np.empty((n, CHANNELS, length, width), np.uint8)
    fill_picture(maps, strips, lookup)
    fill_place(maps, inside, drift, start, occupied)
    return maps


def mirrored(maps: NDArray[Any]) -> NDArray[Any]:
    """All fourteen maps (n, 14, length, width) of the same strips with left and right exchanged, which changes no answer."""
    maps = maps[..., ::-1].copy()
    maps[:, 9] = 255 - maps[:, 9]
    return maps


def exchanged(maps: NDArray[Any]) -> NDArray[Any]:
    """All fourteen maps (n, 14, length, width) of the same strips had the players each other's checkers."""
    maps = maps.copy()
    maps[:, 3] = 255 - maps[:, 3]
    maps[:, [4, 5]] = maps[:, [5, 4]]
    maps[:, 13] = np.where(maps[:, 13] == 128, 128, 255 - maps[:, 13])
    return maps


def exchanged_back(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The answers (n, outputs) to `exchanged` maps in terms of the players as they are."""
    counts, hidden, bar = np.split(answers, [COUNTS, HIDDEN + 1], axis=1)
    return np.concatenate([counts[:, ::-1], hidden, bar[:, BAR_COUNTS:], bar[:, :BAR_COUNTS]], axis=1)
