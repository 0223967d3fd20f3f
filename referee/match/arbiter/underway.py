"""What the board shows while a play is being made: the moves of a roll one by one, hit checkers that lie beside the bar yet, and a checker
that is not laid straight, or knocked from its point. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from functools import lru_cache

from referee.board.plays import Roll, make, moves_of_die
from referee.board.position import Position, Seat
from referee.match.mover import Mover


def passed(mover: Mover, roll: Roll) -> frozenset[Position]:
    """Every position that ``mover`` passes while he plays ``roll``, that before the first and after the last move too."""
    return _passed(mover.before, mover.seat, roll, mover.rules.rest_frozen)


@lru_cache(maxsize=64)
def _passed(position: Position, seat: Seat, roll: Roll, rest_frozen: bool) -> frozenset[Position]:
    orders = ((roll[0],) * 4,) if roll[0] == roll[1] else (roll, roll[::-1])
    found = {position}
    for dice in orders:
        here = {position}
        for die in dice:
            here = {make(one, seat, (move,)) for one in here for move in moves_of_die(one, seat, die, rest_frozen)}
            found |= here
    return frozenset(found)


def unfinished(mover: Mover, roll: Roll, seen: Position) -> bool:
    """Whether ``seen`` may be a legal play of ``mover`` that is still being made: a part of it, its hit checkers not yet all on the bar, or
    a checker of his laid between two points."""
    seen = on_the_bar(mover.before, seen, mover.seat.other)
    part_of = passed(mover, roll)
    return seen in part_of or any(_askew(seen, position, mover.seat) for position in part_of)


def on_the_bar(before: Position, seen: Position, seat: Seat) -> Position:
    """``seen`` with the checkers of ``seat`` on the bar that have left the board since ``before``: they were hit, and lie beside it yet."""
    aside = seen.off[seat.index] - before.off[seat.index]
    if aside <= 0:
        return seen
    bar, off = list(seen.bar), list(seen.off)
    bar[seat.index], off[seat.index] = bar[seat.index] + aside, off[seat.index] - aside
    return replace(seen, bar=(bar[0], bar[1]), off=(off[0], off[1]))


def hit_beside(before: Position, seen: Position, seat: Seat, results: Container[Position]) -> Position | None:
    """The one of ``results`` that ``seen`` is but for checkers hit by ``seat`` that lie beside the bar; None where it is none."""
    whole = on_the_bar(before, seen, seat.other)
    return whole if whole != seen and whole in results else None


def knocked(seen: Position, lain: Position | None, seat: Seat, outcomes: Iterable[Position]) -> bool:
    """Whether ``seen`` is a play of ``seat`` but for one checker on the point beside its own, which nobody meant to move: the play that had
    ``lain`` there, or, where it is the other's checker, one of the ``outcomes``."""
    by_either = lain is not None and any(_askew(seen, lain, one) for one in Seat)
    return by_either or any(_askew(seen, after, seat.other) for after in outcomes)


def _askew(seen: Position, wanted: Position, seat: Seat) -> bool:
    """Whether ``seen`` is ``wanted`` but for one checker of ``seat`` on the point beside its own."""
    if seen.bar != wanted.bar or seen.off != wanted.off:
        return False
    apart = [place for place, (n, m) in enumerate(zip(seen.points, wanted.points, strict=True)) if n != m]
    if len(apart) != 2 or apart[1] != apart[0] + 1 or apart[1] % 6 == 0:  # quarters do not lie side by side
        return False
    return all(abs(seen.on_point(seat, p) - wanted.on_point(seat, p)) == 1 for p in (seat.own(place + 1) for place in apart))
