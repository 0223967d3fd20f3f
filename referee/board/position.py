"""A position of the checkers on the board, written from the near player's chair."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

CHECKERS = 15
POINTS = 24


class Seat(Enum):
    """A player by where he sits in the camera's picture. A seat stays with its player for the whole match."""

    NEAR = "near"
    FAR = "far"

    @property
    def other(self) -> Seat:
        return Seat.FAR if self is Seat.NEAR else Seat.NEAR

    @property
    def index(self) -> int:
        """0 for near, 1 for far: the place in every ``(near, far)`` pair."""
        return 0 if self is Seat.NEAR else 1

    @property
    def sign(self) -> int:
        """1 for near, -1 for far: that of his checkers in ``points``."""
        return 1 if self is Seat.NEAR else -1

    def own(self, point: int) -> int:
        """His own number of near's ``point`` 1..24, and near's of his own."""
        return point if self is Seat.NEAR else 25 - point


@dataclass(frozen=True, slots=True)
class Position:
    """Thirty checkers, or what somebody says about them; `defects` tells whether it can be one.

    ``points[0]`` is the near player's 1-point and far's 24-point; positive counts are near's checkers, negative
    far's. ``bar`` and ``off`` are (near, far) counts.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if len(self.points) != POINTS:
            raise ValueError(f"a position has {POINTS} points, not {len(self.points)}")

    def on_point(self, seat: Seat, point: int) -> int:
        """How many of ``seat``'s checkers stand on his own ``point`` (1..24; 25 is his bar, 0 his borne-off pile)."""
        if point == 25:
            return self.bar[seat.index]
        if point == 0:
            return self.off[seat.index]
        count = self.points[point - 1] if seat is Seat.NEAR else -self.points[24 - point]
        return max(0, count)

    def side(self, seat: Seat) -> tuple[int, ...]:
        """``seat``'s checkers on his own points 1..24, then his bar: 25 counts."""
        if seat is Seat.NEAR:
            return (*[n if n > 0 else 0 for n in self.points], self.bar[0])
        return (*[-n if n < 0 else 0 for n in reversed(self.points)], self.bar[1])

    def pips(self, seat: Seat) -> int:
        """Pip count: the sum of the distances still to go, the bar counting 25."""
        return sum(p * n for p, n in enumerate(self.side(seat), start=1))

    def defects(self) -> tuple[str, ...]:
        """Everything that keeps this from being thirty checkers, one short phrase each; empty when sound."""
        found = []
        near = sum([n for n in self.points if n > 0])
        on_points = (near, near - sum(self.points))
        for seat in Seat:
            total = on_points[seat.index] + self.bar[seat.index] + self.off[seat.index]
            if total != CHECKERS:
                found.append(f"{seat.value} has {total} checkers")
            if self.bar[seat.index] < 0 or self.off[seat.index] < 0:
                found.append(f"{seat.value} has a negative count")
        return tuple(found)

    @staticmethod
    def from_sides(near: tuple[int, ...], far: tuple[int, ...]) -> Position:
        """Builds a position from both players' 25 counts (own points 1..24, then bar); what is missing from 15 is off.

        Raises ValueError when one point would hold both colours or a side has more than 15 checkers.
        """
        points = []
        for p in range(1, 25):
            ours, theirs = near[p - 1], far[24 - p]
            if ours and theirs:
                raise ValueError(f"near’s {p}-point holds checkers of both players")
            points.append(ours - theirs)
        if sum(near) > CHECKERS or sum(far) > CHECKERS:
            raise ValueError("a side has more than 15 checkers")
        return Position(tuple(points), (near[24], far[24]), (CHECKERS - sum(near), CHECKERS - sum(far)))


START = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
"""The starting position, the same from both chairs."""
