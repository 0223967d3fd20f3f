"""What is in doubt about the checkers that were read: how many a point or the bar has, and more of a player's than there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, POINTS, Seat
from referee.observations import About, SeenDoubt, SeenPosition
from vision.checkers.input import BAR_COUNTS
from vision.colours import LAYER

Probabilities = NDArray[np.float64]

SURE = 0.96  # a count less likely than this is in doubt
OWN = 0.1  # the same by the strip itself, whatever the other points make of it
LIKELY = 0.03  # counts at least this likely are named in a doubt
EITHERS, SEVERAL = 0.1, 2  # how likely a strip by itself has the other player's checkers, and strips of which that is so, from which on the
# light leaves open whose any are: of 140 pictures in the light of set-up none has two, 41 of 90 in hard bands have


def point_doubts(points: Probabilities, alone: Probabilities, hidden: NDArray[np.bool_], apart: bool = False) -> Iterator[SeenDoubt]:
    """About the counts of ``points`` (24, 31), weighed among all the others, and as each strip by itself (``alone``) has them; ``hidden``
    (24 or more,): points that something is over. ``apart``: in the light of set-up each strip by itself tells whose its checkers are."""
    anybodys = apart and _anybodys(points, alone, hidden[:POINTS])
    for p in range(POINTS):
        values = _likely((points[p] + alone[p]) / 2, CHECKERS)
        if hidden[p]:
            yield SeenDoubt(About.POINT, "hidden", "not seen", point=p + 1, values=values)
            continue
        count = int(points[p].argmax()) - CHECKERS
        sure = points[p].max() >= SURE and alone[p, count + CHECKERS] >= OWN and not _a_layer_apart(alone[p], points[p])
        if anybodys:
            values = tuple(sorted({sign * n for n in ((count,) if sure else values) for sign in (1, -1)}, key=lambda n: (abs(n), n)))
        if not sure or (anybodys and count):
            yield SeenDoubt(About.POINT, "count", count_text(values), point=p + 1, values=values)


def _anybodys(points: Probabilities, alone: Probabilities, hidden: NDArray[np.bool_]) -> bool:
    """Whether so many strips by themselves leave open whose their checkers are that the light is to blame, which misleads elsewhere too:
    where it burns out what lies in it, or falls in bands, dark checkers pass for light ones."""
    counts = points.argmax(1) - CHECKERS
    others = np.where(counts > 0, alone[:, :CHECKERS].sum(1), alone[:, CHECKERS + 1 :].sum(1))
    return int(((others >= EITHERS) & (counts != 0) & ~hidden).sum()) >= SEVERAL


def _a_layer_apart(alone: Probabilities, weighed: Probabilities) -> bool:
    """Whether a strip by itself (31,) shows a whole layer more or less than all the others make of it: from above they look alike, and who
    was hit after he had borne some off has as many less."""
    own, told = int(alone.argmax()) - CHECKERS, int(weighed.argmax()) - CHECKERS
    return own * told > 0 and abs(own - told) == LAYER


def bar_doubts(bar: Probabilities, alone: Probabilities, hidden: bool) -> Iterator[SeenDoubt]:
    """The same about the ``bar`` (2, 6), whose last count is any from there on; ``hidden``: something is over it."""
    for seat in Seat:
        likely = bar[seat.index]
        count = int(likely.argmax())
        values = tuple(n * seat.sign for n in _likely(likely, 0))
        if hidden:
            yield SeenDoubt(About.BAR, "hidden", "not seen", seat=seat, values=values)
        elif likely.max() < SURE or alone[seat.index, count] < OWN or count == BAR_COUNTS - 1:
            yield SeenDoubt(About.BAR, "count", count_text(values), seat=seat, values=values)


def total_doubts(seen: SeenPosition, points: Probabilities, doubts: list[SeenDoubt]) -> list[SeenDoubt]:
    """A doubt about every player with more than fifteen checkers, which is never corrected, at his least sure point.

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


def _likely(probabilities: Probabilities, zero: int) -> tuple[int, ...]:
    """The likely counts, smallest in size first; ``zero`` is the class of none."""
    order = np.argsort(-probabilities)
    kept = [int(k) for k in order[:4] if probabilities[k] >= LIKELY] or [int(order[0])]
    if len(kept) == 1:
        kept.append(int(order[1]))
    return tuple(sorted((k - zero for k in kept), key=lambda n: (abs(n), n)))


def count_text(values: tuple[int, ...]) -> str:
    """Likely signed counts in words: "4 or 5 checkers", "none or 1 of far's checkers"."""
    signs = {np.sign(v) for v in values if v}
    if len(signs) <= 1:
        words = " or ".join("none" if v == 0 else str(abs(v)) for v in values)
        return f"{words} checker{'s' if abs(values[-1]) != 1 else ''}"
    return " or ".join("none" if v == 0 else f"{abs(v)} of {'near' if v > 0 else 'far'}’s" for v in values) + " checkers"
