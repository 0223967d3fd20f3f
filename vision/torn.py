"""Whether a picture is damaged: a lost packet leaves a video's rows smeared, repeated or grey from somewhere on, so does a damaged file.

Readers would read what is smeared there, and doubt nothing. But the rails, the bar and the points are missed too, from side to side; what
comes and goes on a board, and an arm over it, leave some of them in every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.sharpness import MARKED, TILE, Edges, alike

ALIKE = 0.6  # correlation of the coarse in two pictures of the same thing; noise and little light leave as much
STRANGE = 0.1  # share of the marked parts in rows that show nothing of the board: some are alike by chance
ENOUGH = 10  # marked parts in such rows ..
SHARE = 0.2  # .. and of all on the board: 320 pictures in the middle of games have up to 0.14, 40 with hands 0.07
PLAIN, USUAL = 0.1, 75  # of the usual change (per cent of the lines have less) from one line to the next, beside the same lines at set-up:
# less, and they are repeated
LEAST = 0.5  # grey levels from one line to the next: what changes by less at set-up, as a plain frame about the board, tells nothing
REPEATED = 20  # px of lines that are, half a checker where a board fills the picture: 561 pictures of games, hands among them, have up to 7


def torn(now: Edges, then: Edges, board: NDArray[Any]) -> bool:
    """Whether rows of ``now`` from side to side show nothing of the ``board`` (parts of the picture, bool) that stands in the same place
    ``then``, or one of its lines is repeated over those that follow."""
    marked = board & (then.coarse_power > MARKED)
    same = marked & (alike(now, then) > ALIKE)
    many, alike_still = (np.concatenate([[0], np.cumsum(parts.sum(1))]) for parts in (marked, same))
    rows, kept = (sums[None, :] - sums[:, None] for sums in (many, alike_still))  # [i, j]: in the rows from i to before j
    worst = int(rows[kept <= STRANGE * rows].max(initial=0))
    if worst >= max(ENOUGH, SHARE * int(many[-1])):
        return True
    return bool(board.any()) and any(smeared(now.grey, then.grey, board, axis) >= REPEATED for axis in (0, 1))


def smeared(now: NDArray[Any], then: NDArray[Any], board: NDArray[Any], axis: int) -> int:
    """How many lines (``axis`` 0: rows, 1: columns) of ``now`` (h, w) repeat one that lies beside them, across the whole of the ``board``;
    those of ``then`` in their place differ."""
    rows, columns = (slice(TILE * int(there.min()), TILE * (int(there.max()) + 1)) for there in np.nonzero(board))
    change, before = (np.abs(np.diff(grey[rows, columns], axis=axis)).mean(1 - axis) for grey in (now, then))
    telling = before >= LEAST
    if not telling.any():
        return 0
    share = change / np.maximum(before, LEAST)
    differs = ~telling | (share >= PLAIN * np.percentile(share[telling], USUAL))
    breaks = np.flatnonzero(np.concatenate([[True], differs, [True]]))
    return int(np.diff(breaks).max()) - 1
