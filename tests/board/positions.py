"""Positions and rolls for the tests of the board."""

from __future__ import annotations

from hypothesis import strategies as st

from referee.board import CHECKERS, Position


def near_of(**points: int) -> tuple[int, ...]:
    """A player's 25 counts by name: ``near_of(p6=5, bar=1)``."""
    counts = [0] * 25
    for name, n in points.items():
        counts[24 if name == "bar" else int(name[1:]) - 1] = n
    return tuple(counts)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any thirty checkers: each point at most one colour, any number on the bars and off."""
    sides = [[0] * 25, [0] * 25]
    for seat in (0, 1):
        off = draw(st.sampled_from([0, 0, 0, 3, 8, 12, 14]))
        spread = draw(st.sampled_from([range(25), range(6), range(12), [*range(6), 24], range(18, 25)]))
        free = [p for p in spread if p == 24 or not sides[1 - seat][23 - p]] or [24]
        for p in draw(st.lists(st.sampled_from(free), min_size=CHECKERS - off, max_size=CHECKERS - off)):
            sides[seat][p] += 1
    return Position.from_sides(tuple(sides[0]), tuple(sides[1]))


def rolls() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, 6), st.integers(1, 6))
