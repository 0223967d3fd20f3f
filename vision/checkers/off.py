"""How many checkers have been borne off, by what lies in the tray or on the table at the home side.

A small net counts both players' checkers there. Piles and checkers on their rims cannot be counted to the last one, so what it says is
a likelihood of each count; `checkers.joint` weighs it with what stands on the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, Seat
from referee.observations import SeenPosition
from vision.nets import softmax

ELSEWHERE = 0.06  # how often borne-off checkers are kept where this does not look
MISTAKEN = 0.05  # how often something is taken for one
AGREES = 0.65  # of the likelihood of the likeliest count: from there on a count agrees with what lies there


def likelihoods(told: NDArray[Any], outside: float = 0.0) -> NDArray[np.float64]:
    """(2, 16): of near's and far's 0..15 borne-off checkers, from the net's answer (32,); ``outside`` is the share of the strip that lies
    outside the picture, of which nothing is known."""
    unknown = min(1.0, MISTAKEN + outside)
    there = softmax(np.asarray(told, np.float64).reshape(2, CHECKERS + 1))
    seen = (1 - ELSEWHERE) * there + ELSEWHERE * there[:, :1]  # however many lie elsewhere, none are seen
    whole = (1 - unknown) * seen + unknown / (CHECKERS + 1)
    return np.asarray(whole / whole.sum(1, keepdims=True))


def seen_off(seen: SeenPosition, off: NDArray[np.float64] | None) -> tuple[int | None, int | None]:
    """Near's and far's borne-off checkers: what is missing from fifteen, where the likelihoods ``off`` (2, 16) bear it out or all
    stand on the board; None where they do not."""
    known: list[int | None] = []
    for seat in Seat:
        missing = CHECKERS - seen.on_board(seat)
        known.append(missing if missing == 0 or borne_out(off, seat, missing) else None)
    return known[0], known[1]


def borne_out(off: NDArray[np.float64] | None, seat: Seat, missing: int) -> bool:
    """Whether what lies beside the board says that all of a player's ``missing`` checkers are borne off."""
    return off is not None and missing >= 0 and bool(off[seat.index, missing] > AGREES * off[seat.index].max())
