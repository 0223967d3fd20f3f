"""Whether a picture is damaged: a lost packet leaves a video's rows smeared, repeated or grey from somewhere on, so does a damaged file.

Readers would read what is smeared there, and doubt nothing. But the rails, the bar and the points are missed too, from side to side; what
comes and goes on a board, and an arm over it, leave some of them in every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.sharpness import MARKED, Edges, alike

ALIKE = 0.6  # correlation of the coarse in two pictures of the same thing; noise and little light leave as much
STRANGE = 0.1  # share of the marked parts in rows that show nothing of the board: some are alike by chance
ENOUGH = 10  # marked parts in such rows ..
SHARE = 0.2  # .. and of all on the board: 320 pictures in the middle of games have up to 0.14, 40 with hands 0.07


def torn(now: Edges, then: Edges, board: NDArray[Any]) -> bool:
    """Whether rows of ``now`` from side to side show nothing of the ``board`` (parts of the picture, bool) that stands in the same place
    ``then``."""
    marked = board & (then.coarse_power > MARKED)
    same = marked & (alike(now, then) > ALIKE)
    many, alike_still = (np.concatenate([[0], np.cumsum(parts.sum(1))]) for parts in (marked, same))
    rows, kept = (sums[None, :] - sums[:, None] for sums in (many, alike_still))  # [i, j]: in the rows from i to before j
    worst = int(rows[kept <= STRANGE * rows].max(initial=0))
    return worst >= max(ENOUGH, SHARE * int(many[-1]))
