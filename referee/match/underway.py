"""What the board shows while a play is being made: the moves of a roll one by one, and hit checkers that lie beside the bar yet. Pure."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from referee.board.plays import make, moves_of_die
from referee.board.position import Position, Seat
from referee.rules.ruleset import RuleSet


def passed(position: Position, seat: Seat, roll: tuple[int, int], rules: RuleSet) -> frozenset[Position]:
    """Every position that ``seat`` passes while he plays ``roll`` from ``position``, that before the first and after the last move too."""
    return _passed(position, seat, roll, rules.rest_frozen)


@lru_cache(maxsize=64)
def _passed(position: Position, seat: Seat, roll: tuple[int, int], rest_frozen: bool) -> frozenset[Position]:
    orders = ((roll[0],) * 4,) if roll[0] == roll[1] else (roll, roll[::-1])
    found = {position}
    for dice in orders:
        here = {position}
        for die in dice:
            here = {make(one, seat, (move,)) for one in here for move in moves_of_die(one, seat, die, rest_frozen)}
            found |= here
    return frozenset(found)


def unfinished(before: Position, seat: Seat, roll: tuple[int, int], seen: Position, rules: RuleSet) -> bool:
    """Whether ``seen`` may be a legal play that is still being made: a part of it, or its hit checkers not yet all on the bar."""
    other = seat.other.index
    aside = seen.off[other] - before.off[other]
    if aside > 0:
        bar, off = list(seen.bar), list(seen.off)
        bar[other], off[other] = bar[other] + aside, off[other] - aside
        seen = replace(seen, bar=(bar[0], bar[1]), off=(off[0], off[1]))
    return seen in passed(before, seat, roll, rules)
