"""Whether a picture is damaged: a lost packet leaves a video's rows smeared, repeated or grey from somewhere on, so does a damaged file.

Readers would read what is smeared there, and doubt nothing. But the rails, the bar and the points are missed too, from side to side; what
comes and goes on a board, and an arm over it, leave some of them in every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.camera.sharpness import MARKED, Edges, parts_of

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
NEXT = (np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])  # of two lines the one that follows, by axis


class Whole:
    """What a picture with the edges ``then`` shows of the ``board`` (bool, its px), which stands in the same place in the later ones."""

    def __init__(self, then: Edges, board: NDArray[Any]) -> None:
        self._board = board
        self._coarse = board * then.coarse
        self._power = parts_of(self._coarse**2)
        share = parts_of(board.astype(np.float32))
        self._marked = (share > SHOWN) & (self._power > MARKED * share)
        self._lines = tuple(board[ahead] & board[behind] for ahead, behind in NEXT)
        self._before = tuple(_change(then.grey, lines, axis) for axis, lines in enumerate(self._lines))
        shown = [lines.sum(1 - axis) for axis, lines in enumerate(self._lines)]
        self._telling = tuple((n > SHOWN * n.max()) & (before >= LEAST) for n, before in zip(shown, self._before, strict=True))

    def torn(self, now: Edges) -> bool:
        """Whether rows of ``now`` from side to side show nothing of the board, or one of its lines is repeated over those that follow."""
        coarse = self._board * now.coarse
        same = self._marked & (parts_of(coarse * self._coarse) > ALIKE * np.sqrt(parts_of(coarse**2) * self._power))
        many, alike_still = (np.concatenate([[0], np.cumsum(parts.sum(1))]) for parts in (self._marked, same))
        rows, kept = (sums[None, :] - sums[:, None] for sums in (many, alike_still))  # [i, j]: in the rows from i to before j
        worst = int(rows[kept <= STRANGE * rows].max(initial=0))
        if worst >= max(ENOUGH, SHARE * int(many[-1])):
            return True
        return any(self._smeared(now.grey, axis) >= REPEATED for axis in (0, 1))

    def _smeared(self, grey: NDArray[Any], axis: int) -> int:
        """How many lines (``axis`` 0: rows, 1: columns) of a picture's ``grey`` (h, w) repeat one that lies beside them, across the whole
        of the board; those of then in their place differ."""
        telling = self._telling[axis]
        if not telling.any():
            return 0
        share = _change(grey, self._lines[axis], axis) / np.maximum(self._before[axis], LEAST)
        differs = telling & (share >= max(NOTHING, PLAIN * np.percentile(share[telling], USUAL)))
        return int(np.bincount(np.cumsum(differs), telling & ~differs).max())


def _change(grey: NDArray[Any], lines: NDArray[Any], axis: int) -> NDArray[Any]:
    """By how many grey levels each line differs from the one before, on average over what is in ``lines`` (bool) of both."""
    return np.asarray((lines * np.abs(np.diff(grey, axis=axis))).sum(1 - axis) / np.maximum(lines.sum(1 - axis), 1))
