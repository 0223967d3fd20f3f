"""What changed between two positions, and which rolls can explain it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from referee.board.plays import BAR, OFF, LegalPlays, Roll
from referee.board.position import Position, Seat

ROLLS = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 different rolls, each (lower, higher)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One player's checkers that left and arrived, each a point in his own numbering (25 bar, 0 off), once a checker.

    Both are in falling order. They are equally long when no checker was lost sight of.
    """

    seat: Seat
    left: tuple[int, ...]
    arrived: tuple[int, ...]

    @property
    def steps(self) -> tuple[tuple[int, int], ...] | None:
        """Each checker that left with one that arrived, highest first; None when they cannot be paired (one vanished or came from
        nowhere), or when one would have gone backwards."""
        pairs = tuple(zip(self.left, self.arrived, strict=False))
        return pairs if len(self.left) == len(self.arrived) and all(source > target for source, target in pairs) else None


def difference(before: Position, after: Position) -> dict[Seat, Change]:
    """What each player's checkers did, as net changes of each point; a checker that moved and came back is not seen."""
    found = {}
    for seat in Seat:
        left: list[int] = []
        arrived: list[int] = []
        for point in range(BAR, OFF - 1, -1):
            change = after.on_point(seat, point) - before.on_point(seat, point)
            (arrived if change > 0 else left).extend([point] * abs(change))
        found[seat] = Change(seat, tuple(left), tuple(arrived))
    return found


def explaining_rolls(
    before: Position, after: Position, seat: Seat, higher_number: bool = True, rest_frozen: bool = False
) -> tuple[Roll, ...]:
    """The rolls, each (lower, higher), under which ``after`` is a legal result of ``seat``'s turn.

    When nothing moved these are the rolls that leave no legal play.
    """
    moved = before.pips(seat) - after.pips(seat)
    found = []
    for roll in ROLLS:
        most = 2 * sum(roll) if roll[0] == roll[1] else sum(roll)
        if moved > most or moved < 0:
            continue
        plays = LegalPlays(before, seat, roll, higher_number, rest_frozen)
        if after in plays if plays else after == before:
            found.append(roll)
    return tuple(found)
