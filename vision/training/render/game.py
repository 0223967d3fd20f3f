"""Positions as games have them: a game played out by a simple player, and one moment of it."""

from __future__ import annotations

import numpy as np

from referee.board.plays import LegalPlays, Roll
from referee.board.position import START, Position, Seat

from .paint import Rng

HIGHEST = 3  # checkers on a point before more of them are worth less


def played(rng: Rng) -> Position:
    """A position of a game between two simple players, any turn of it alike likely; never one in which the game is over."""
    position, seat = START, Seat.NEAR if rng.random() < 0.5 else Seat.FAR
    course = [START]
    while len(course) < 200:
        a, b = (int(v) for v in rng.integers(1, 7, 2))
        position = choose(position, seat, (a, b), rng)
        if not any(position.side(seat)):
            break
        course.append(position)
        seat = seat.other
    return course[int(rng.integers(len(course)))]


def choose(position: Position, seat: Seat, roll: Roll, rng: Rng) -> Position:
    """The position after a simple player's play, or the same where he has none."""
    results = list(LegalPlays(position, seat, roll).results)
    if not results:
        return position
    worth = np.array([_worth(r.side(seat), r.side(seat.other)) for r in results])
    return results[int(np.argmax(worth + rng.gumbel(0, 0.25, len(results))))]


def _worth(own: tuple[int, ...], other: tuple[int, ...]) -> float:
    """What a position is worth to who has just played, roughly: points held, most of all at home and in a row, blots in reach, stacks,
    checkers hit and the race. Counts on the player's own points 1..24 and the bar."""
    theirs = np.array([other[24], *other[23::-1]])  # on the player's own points, with his bar as point 0
    mine = np.array([0, *own[:24]])
    held = mine >= 2
    worth = float(np.where(held, np.where(np.arange(25) < 8, 1.0, 0.5), 0.0).sum())
    longest, run = 0, 0
    for holds in held[1:13].tolist():
        run = run + 1 if holds else 0
        longest = max(longest, run)
    worth += 0.35 * longest**1.5 * bool(theirs[:7].any())
    for p in np.flatnonzero(mine == 1):
        near, behind = int(theirs[max(0, p - 6) : p].sum()), int(theirs[max(0, p - 11) : p].sum())
        worth -= (0.008 * (25 - p) + 0.06) * (min(behind, 3) * 0.5 + min(near, 3) * 0.8)
    worth -= 0.25 * float((np.maximum(mine - HIGHEST, 0) ** 2).sum())
    worth += 1.2 * other[24] * (1 + 0.25 * float(held[1:7].sum()))
    pips = float((mine * np.arange(25)).sum()) + 25 * own[24]
    last = 25 if own[24] else int(np.flatnonzero(mine).max(initial=0))
    return worth - pips * (0.03 if theirs[:last].any() else 0.5)
