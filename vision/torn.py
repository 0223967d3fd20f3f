"""Whether a picture is damaged: a lost packet leaves a video's rows smeared, repeated or grey from somewhere on, so does a damaged file.

Readers would read what is smeared there, and doubt nothing. But the rails, the bar and the points are missed too, from side to side; what
comes and goes on a board, and an arm over it, leave some of them in every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.sharpness import MARKED, Edges, parts_of

ALIKE = 0.6  # correlation of the coarse in two pictures of the same thing; noise and little light leave as much
STRANGE = 0.1  # share of the marked parts in rows that show nothing of the board: some are alike by chance
ENOUGH = 10  # marked parts in such rows ..
SHARE = 0.2  # .. and of all on the board: 553 pictures in the middle of games have 0.06 and less, 72 with hands 0.04
SHOWN = 0.25  # of a part, or of a line beside the longest, that is board: less tells nothing of it
PLAIN, USUAL = 0.1, 75  # of the usual change (per cent of the lines have less) from one line to the next, beside the same lines at set-up:
# less, and they are repeated
NOTHING = 0.01  # of the change at set-up: less is no change, also where most of the lines are repeated, and that is the usual
LEAST = 0.5  # grey levels from one line to the next: what changes by less at set-up, as a plain frame about the board, tells nothing
REPEATED = 12  # px of lines that are, a third of a checker where a board fills the picture: 625 pictures of games, hands among them, have
# up to 6


def torn(now: Edges, then: Edges, board: NDArray[Any]) -> bool:
    """Whether rows of ``now`` from side to side show nothing of the ``board`` (bool, the px of both) that stands in the same place
    ``then``, or one of its lines is repeated over those that follow."""
    share = parts_of(board.astype(np.float32))
    coarse, coarse_then = board * now.coarse, board * then.coarse
    power, power_then = parts_of(coarse**2), parts_of(coarse_then**2)
    marked = (share > SHOWN) & (power_then > MARKED * share)
    same = marked & (parts_of(coarse * coarse_then) > ALIKE * np.sqrt(power * power_then))
    many, alike_still = (np.concatenate([[0], np.cumsum(parts.sum(1))]) for parts in (marked, same))
    rows, kept = (sums[None, :] - sums[:, None] for sums in (many, alike_still))  # [i, j]: in the rows from i to before j
    worst = int(rows[kept <= STRANGE * rows].max(initial=0))
    if worst >= max(ENOUGH, SHARE * int(many[-1])):
        return True
    return bool(board.any()) and any(smeared(now.grey, then.grey, board, axis) >= REPEATED for axis in (0, 1))


def smeared(now: NDArray[Any], then: NDArray[Any], board: NDArray[Any], axis: int) -> int:
    """How many lines (``axis`` 0: rows, 1: columns) of ``now`` (h, w) repeat one that lies beside them, across the whole of the ``board``;
    those of ``then`` in their place differ."""
    lines = board[1:] & board[:-1] if axis == 0 else board[:, 1:] & board[:, :-1]
    shown = lines.sum(1 - axis)
    change, before = ((lines * np.abs(np.diff(grey, axis=axis))).sum(1 - axis) / np.maximum(shown, 1) for grey in (now, then))
    telling = (shown > SHOWN * shown.max()) & (before >= LEAST)
    if not telling.any():
        return 0
    share = change / np.maximum(before, LEAST)
    differs = telling & (share >= max(NOTHING, PLAIN * np.percentile(share[telling], USUAL)))
    return int(np.bincount(np.cumsum(differs), telling & ~differs).max())
