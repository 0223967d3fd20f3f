"""More than fifteen checkers of one player are always a doubt, never corrected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, POINTS, Seat
from referee.observations import About, SeenDoubt, SeenPosition

Probabilities = NDArray[np.float64]


def total_doubts(seen: SeenPosition, points: Probabilities, doubts: list[SeenDoubt]) -> list[SeenDoubt]:
    """A doubt about every player with more than fifteen checkers, at his least sure point.

    ``points`` (24, 31) are the likelihoods behind ``seen``; nothing is added where one of the ``doubts`` already had may explain the
    number.
    """
    found = []
    for seat in Seat:
        own = [p for p in range(POINTS) if seen.points[p] * seat.sign > 0]
        doubted = {d.point for d in doubts if d.about is About.POINT}
        explained = any(p + 1 in doubted for p in own) or any(d.about is About.BAR and d.seat is seat for d in doubts)
        if seen.on_board(seat) > CHECKERS and own and not explained:
            worst = min(own, key=lambda p: float(points[p].max()))
            values = tuple(sorted((int(k) - CHECKERS for k in np.argsort(-points[worst])[:2]), key=abs))
            text = f"{seat.value} has more than {CHECKERS} checkers"
            found.append(SeenDoubt(About.POINT, "too_many", text, point=worst + 1, values=values))
    return found
