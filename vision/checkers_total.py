"""What the number of a player's checkers says about the trust in a reading; it never changes what was read."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, POINTS, Seat
from referee.observations import About, SeenDoubt, SeenPosition

Probabilities = NDArray[np.float64]

MOST_DOUBTED = 5  # points of one colour whose counts are weighed together
FAINT = 0.003  # a count this likely, against the one read, is worth a doubt when it would bring back a missing checker


def all_there(seen: SeenPosition) -> tuple[bool, bool]:
    """Whether near's and far's checkers add up to fifteen on points and bar."""
    near, far = sum(n for n in seen.points if n > 0), -sum(n for n in seen.points if n < 0)
    return near + seen.bar[0] == CHECKERS, far + seen.bar[1] == CHECKERS


def total_doubts(seen: SeenPosition, points: Probabilities, bar: Probabilities, doubts: list[SeenDoubt]) -> list[SeenDoubt]:
    """Doubts about a player with more than fifteen checkers, or with fewer though he cannot be bearing off just now.

    ``points`` (24, 31) and ``bar`` (2, 6) are the likelihoods behind ``seen``; ``doubts`` those already had. A doubt is added
    only where none of the old ones can explain the number.
    """
    found = []
    for seat in Seat:
        sign = 1 if seat is Seat.NEAR else -1
        own = [max(0, sign * n) for n in seen.points]
        total = sum(own) + seen.bar[seat.index]
        if total > CHECKERS:
            found += _too_many(seat, sign, seen, points, doubts)
        elif total < CHECKERS and (seen.bar[seat.index] or any(own[p] for p in _outside(seat))):
            found += _missing(seat, sign, own, CHECKERS - total, seen, points, bar, doubts)
    return found


def completed(seen: SeenPosition, points: Probabilities, doubts: list[SeenDoubt]) -> SeenPosition:
    """``seen`` with the doubted points at the likeliest counts that make fifteen of each player who cannot be bearing off just
    now, and no more than fifteen of any. Undoubted points and the doubts themselves stay as they are."""
    counts = list(seen.points)
    for seat in Seat:
        sign = 1 if seat is Seat.NEAR else -1
        doubted = [d.point - 1 for d in doubts if d.about is About.POINT and d.point is not None and counts[d.point - 1] * sign > 0]
        own = [max(0, sign * n) for n in counts]
        total = sum(own) + seen.bar[seat.index]
        whole = bool(seen.bar[seat.index]) or any(own[p] for p in _outside(seat))
        if not doubted or total == CHECKERS or (total < CHECKERS and not whole):
            continue
        best: tuple[float, dict[int, int]] | None = None
        for choice in product(*(_likely_own(points[p], sign) for p in doubted[:MOST_DOUBTED])):
            changed = total + sum(n - own[p] for p, n in zip(doubted, choice, strict=False))
            if changed == CHECKERS or (changed < CHECKERS and not whole):
                chance = float(sum(np.log(points[p, CHECKERS + sign * n] + 1e-9) for p, n in zip(doubted, choice, strict=False)))
                if best is None or chance > best[0]:
                    best = chance, dict(zip(doubted, choice, strict=False))
        for p, n in best[1].items() if best is not None else ():
            counts[p] = sign * n
    return replace(seen, points=tuple(counts))


def _likely_own(likely: Probabilities, sign: int) -> list[int]:
    """The counts of one colour that a point may well have."""
    own = [(float(likely[CHECKERS + sign * n]), n) for n in range(1, CHECKERS + 1)]
    return [n for chance, n in sorted(own, reverse=True)[:4] if chance > FAINT]


def _outside(seat: Seat) -> range:
    return range(6, POINTS) if seat is Seat.NEAR else range(POINTS - 6)


def _too_many(seat: Seat, sign: int, seen: SeenPosition, points: Probabilities, doubts: list[SeenDoubt]) -> list[SeenDoubt]:
    own = [p for p in range(POINTS) if seen.points[p] * sign > 0]
    doubted = {d.point for d in doubts if d.about is About.POINT}
    if not own or any(p + 1 in doubted for p in own) or any(d.about is About.BAR and d.seat is seat for d in doubts):
        return []
    worst = min(own, key=lambda p: float(points[p].max()))
    values = tuple(sorted((int(k) - CHECKERS for k in np.argsort(-points[worst])[:2]), key=abs))
    text = f"{seat.value} has more than {CHECKERS} checkers"
    return [SeenDoubt(About.POINT, "too_many", text, point=worst + 1, values=values)]


def _missing(
    seat: Seat,
    sign: int,
    own: list[int],
    missing: int,
    seen: SeenPosition,
    points: Probabilities,
    bar: Probabilities,
    doubts: list[SeenDoubt],
) -> list[SeenDoubt]:
    """The bar, where a checker of its own colour is easily overlooked, and the likeliest point; what is doubted already is not
    doubted twice."""
    text = f"{seat.value} has only {CHECKERS - missing} checkers in sight"
    on_bar = seen.bar[seat.index]
    found = []
    if not any(d.about is About.BAR and d.seat is seat for d in doubts):
        found.append(SeenDoubt(About.BAR, "missing", text, seat=seat, values=(sign * on_bar, sign * (on_bar + missing))))
    doubted = {d.point for d in doubts if d.about is About.POINT}
    odds = []
    for p in range(POINTS):
        odds.append(float(points[p, CHECKERS + sign * min(CHECKERS, own[p] + missing)] / points[p, CHECKERS + seen.points[p]]))
        if p + 1 in doubted and odds[-1] > FAINT:
            return found
    best = int(np.argmax(odds))
    if odds[best] > max(FAINT, float(bar[seat.index][min(on_bar + missing, bar.shape[1] - 1)] / bar[seat.index][on_bar])):
        found.append(SeenDoubt(About.POINT, "missing", text, point=best + 1, values=(seen.points[best], sign * (own[best] + missing))))
    return found
