"""Every legal play of a roll: `LegalPlays`.

A *move* is one checker and one die; a *play* is all the moves of one turn. Plays that lead to the same position are
one play, so a set of plays is a set of resulting positions.

The generator works on bit sets, one bit a point in the mover's own numbering (bit 25 his bar), and names a result by
the sum of small integers, one for each move, so that only the positions which differ are ever built. Rules: S0-06
to S0-21, S2-09 to S2-16 of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from referee.board.position import Position, Seat

BAR = 25
OFF = 0
_POINTS = (1 << 25) - 2  # bits 1..24
_OUTSIDE = ((1 << 26) - 1) ^ 127  # everything above the home board, the bar included

Roll = tuple[int, int]
"""The numbers on the two dice of a throw."""


class Move(NamedTuple):
    """One checker moved by one die, in the mover's own numbering: 25 is his bar, 0 is off."""

    source: int
    target: int
    hit: bool = False


_Moves = tuple[Move, ...]
_PLAIN = tuple(tuple(Move(s, t, False) for t in range(26)) for s in range(26))
_HITS = tuple(tuple(Move(s, t, True) for t in range(26)) for s in range(26))
_WEIGHT = tuple(32**p for p in range(27))  # a play changes no point by 16 or more: sums of these name a result exactly
_PLAIN_KEY = tuple(tuple(_WEIGHT[t] - _WEIGHT[s] for t in range(26)) for s in range(26))
_HIT_KEY = tuple(tuple(2 * _WEIGHT[t] - _WEIGHT[s] + _WEIGHT[26] for t in range(26)) for s in range(26))


@dataclass(frozen=True, slots=True)
class Play:
    """One turn's play: the moves, one for each number played, from the highest source down, and where they lead."""

    moves: tuple[Move, ...]
    result: Position


class LegalPlays:
    """The legal plays of one roll, one for each different resulting position; nothing is worked out before it is asked for.

    ``roll`` is two numbers from 1 to 6 in any order; equal ones are played four times. ``higher_number`` False drops
    the rule that the higher number must be played when only one of the two can be (S4 does not have it).
    ``rest_frozen`` True: a player hit while bearing off moves nothing else until that checker is home again (S4-08);
    the position tells, because a player who has borne off and has a checker outside has been hit. False where what counts as off
    was never on the board.

    Empty when nothing can be played. ``in`` takes a `Play` or a resulting `Position`. Raises ValueError for a roll that
    is no roll and for a position that is not thirty checkers.
    """

    __slots__ = ("_found", "_higher_number", "_rest_frozen", "_results", "position", "roll", "seat")

    def __init__(
        self, position: Position, seat: Seat, roll: Roll, higher_number: bool = True, rest_frozen: bool = False
    ) -> None:
        if len(roll) != 2 or not all(1 <= die <= 6 for die in roll):
            raise ValueError(f"a roll is two numbers from 1 to 6, not {', '.join(map(str, roll))}")
        if defects := position.defects():
            raise ValueError(f"plays need a position of thirty checkers: {'; '.join(defects)}")
        self.position = position
        self.seat = seat
        self.roll = roll
        self._higher_number = higher_number
        self._rest_frozen = rest_frozen
        self._found: list[_Moves] | None = None
        self._results: Mapping[Position, Play] | None = None

    @property
    def results(self) -> Mapping[Position, Play]:
        """Every position the roll can lead to, with the play that leads there."""
        if self._results is None:
            build = _Builder(self.position, self.seat)
            plays = [Play(moves, build(moves)) for moves in self._moves()]
            self._results = MappingProxyType({play.result: play for play in plays})
        return self._results

    def __iter__(self) -> Iterator[Play]:
        if self._results is not None:
            yield from self._results.values()
            return
        build = _Builder(self.position, self.seat)
        for moves in self._moves():
            yield Play(moves, build(moves))

    def __len__(self) -> int:
        return len(self._moves())

    def __bool__(self) -> bool:
        return bool(self._moves())

    def __contains__(self, item: Play | Position) -> bool:
        wanted = item.result if isinstance(item, Play) else item
        if self._results is not None:
            return wanted in self._results
        build = _Builder(self.position, self.seat)
        return any(build(moves) == wanted for moves in self._moves())

    def __repr__(self) -> str:
        return f"LegalPlays({self.position!r}, {self.seat}, {self.roll})"

    def _moves(self) -> list[_Moves]:
        if self._found is None:
            self._found = _generate(self.position, self.seat, self.roll, self._higher_number, self._rest_frozen)
        return self._found


def _generate(position: Position, seat: Seat, roll: Roll, higher_number: bool, rest_frozen: bool) -> list[_Moves]:
    own, open_, blots, counts = _bits(position, seat)
    frozen = rest_frozen and position.off[seat.index] > 0
    low, high = sorted(roll)
    if low == high:
        return _doubles(own, open_, blots, counts, low, frozen)
    return _two_numbers(own, open_, blots, counts, high, low, frozen) or _one_number(own, open_, blots, (high, low), frozen, higher_number)


def moves_of_die(position: Position, seat: Seat, die: int, rest_frozen: bool = False) -> tuple[Move, ...]:
    """The legal moves of one die taken alone, from the highest source down."""
    own, open_, blots, _ = _bits(position, seat)
    frozen = rest_frozen and position.off[seat.index] > 0
    return tuple(moves[0] for moves in reversed(_one_number(own, open_, blots, (die,), frozen, True)))


def _bits(position: Position, seat: Seat) -> tuple[int, int, int, list[int]]:
    """The mover's view as bit sets: where he stands, where he may land, the opponent's blots; and his counts, 0..25."""
    counts = [0] * 26
    own = open_ = blots = 0
    points = position.points if seat is Seat.NEAR else [-n for n in reversed(position.points)]
    bit = 1
    for point, n in enumerate(points, start=1):
        bit <<= 1
        if n > 0:
            counts[point] = n
            own |= bit
            open_ |= bit
        elif n >= -1:
            open_ |= bit
            if n:
                blots |= bit
    if position.bar[seat.index]:
        counts[BAR] = position.bar[seat.index]
        own |= 1 << BAR
    return own, open_, blots, counts


def _sources(own: int, die: int, open_: int, frozen: bool) -> int:
    """The points, as bits, from which ``die`` can be played. ``own``: where the mover stands; ``open_``: where he may land."""
    if own >> BAR:
        return 1 << BAR if open_ >> (BAR - die) & 1 else 0
    if own >= 128:  # a checker outside: nothing comes off
        return (own & _OUTSIDE if frozen else own) & (open_ << die) & _POINTS
    found = own & (open_ << die)
    if own >> die & 1:
        return found | 1 << die
    if own and own < 1 << die:
        return found | 1 << (own.bit_length() - 1)
    return found


def _two_numbers(own: int, open_: int, blots: int, counts: list[int], high: int, low: int, frozen: bool) -> list[_Moves]:
    """Plays of both numbers of an ordinary roll."""
    found: dict[int, _Moves] = {}
    for first, second in ((high, low), (low, high)):
        left = _sources(own, first, open_, frozen)
        while left:
            source_bit = left & -left
            left ^= source_bit
            source = source_bit.bit_length() - 1
            target = source - first if source > first else OFF
            still = own if counts[source] > 1 else own ^ source_bit
            blots_left = blots
            if target:
                target_bit = 1 << target
                still |= target_bit
                if blots & target_bit:
                    blots_left ^= target_bit
            then = _sources(still, second, open_, frozen)
            if not then:
                continue
            if blots_left != blots:
                move, key = _HITS[source][target], _HIT_KEY[source][target]
            else:
                move, key = _PLAIN[source][target], _PLAIN_KEY[source][target]
            while then:
                bit = then & -then
                then ^= bit
                source2 = bit.bit_length() - 1
                target2 = source2 - second if source2 > second else OFF
                if target2 and blots_left >> target2 & 1:
                    name = key + _HIT_KEY[source2][target2]
                    if name not in found:
                        move2 = _HITS[source2][target2]
                        found[name] = (move2, move) if source2 > source else (move, move2)
                else:
                    name = key + _PLAIN_KEY[source2][target2]
                    if name not in found:
                        move2 = _PLAIN[source2][target2]
                        found[name] = (move2, move) if source2 > source else (move, move2)
    return list(found.values())


def _one_number(own: int, open_: int, blots: int, dice: tuple[int, ...], frozen: bool, higher_number: bool) -> list[_Moves]:
    """Plays of one number, when no two can be played. ``dice`` from the higher down."""
    found: dict[int, _Moves] = {}
    for die in dice:
        left = _sources(own, die, open_, frozen)
        while left:
            bit = left & -left
            left ^= bit
            source = bit.bit_length() - 1
            target = max(source - die, OFF)
            hit = target != OFF and blots >> target & 1
            key = (_HIT_KEY if hit else _PLAIN_KEY)[source][target]
            found.setdefault(key, ((_HITS if hit else _PLAIN)[source][target],))
        if found and higher_number:
            break
    return list(found.values())


def _doubles(own: int, open_: int, blots: int, counts: list[int], die: int, frozen: bool) -> list[_Moves]:
    """Plays of a double: as many of the four as possible.

    Moves of one die can always be put in order of falling sources, so only that order is searched, and each set of
    sources found in it is a different result. A branch that stops early because a higher source was passed over is
    shorter than the longest one and drops out.
    """
    best: list[_Moves] = []
    length = 1

    def search(own: int, blots: int, below: int, moves: _Moves) -> None:
        nonlocal best, length
        left = _sources(own, die, open_, frozen) & below if len(moves) < 4 else 0
        if not left:
            if len(moves) > length:
                best, length = [moves], len(moves)
            elif len(moves) == length:
                best.append(moves)
            return
        while left:
            source = left.bit_length() - 1
            bit = 1 << source
            left ^= bit
            target = source - die if source > die else OFF
            counts[source] -= 1
            counts[target] += 1
            still = own if counts[source] else own ^ bit
            if target and blots >> target & 1:
                search(still | 1 << target, blots ^ 1 << target, 2 * bit - 1, (*moves, _HITS[source][target]))
            else:
                search(still | 1 << target if target else still, blots, 2 * bit - 1, (*moves, _PLAIN[source][target]))
            counts[source] += 1
            counts[target] -= 1

    search(own, blots, (1 << 26) - 1, ())
    return best


def make(position: Position, seat: Seat, moves: tuple[Move, ...]) -> Position:
    """The position after ``moves``, legal or not, taken at their word; hits are those the moves say."""
    return _Builder(position, seat)(moves)


class _Builder:
    """Makes the position after a play; holds what does not depend on the play."""

    __slots__ = ("bar", "near", "off", "points")

    def __init__(self, position: Position, seat: Seat) -> None:
        self.points, self.bar, self.off = position.points, position.bar, position.off
        self.near = seat is Seat.NEAR

    def __call__(self, moves: _Moves) -> Position:
        points = list(self.points)
        entered = borne_off = hits = 0
        if self.near:
            for source, target, hit in moves:
                if source == BAR:
                    entered += 1
                else:
                    points[source - 1] -= 1
                if hit:
                    hits += 1
                    points[target - 1] += 2
                elif target:
                    points[target - 1] += 1
                else:
                    borne_off += 1
            near_bar, far_bar = self.bar
            near_off, far_off = self.off
            return Position(tuple(points), (near_bar - entered, far_bar + hits), (near_off + borne_off, far_off))
        for source, target, hit in moves:
            if source == BAR:
                entered += 1
            else:
                points[24 - source] += 1
            if hit:
                hits += 1
                points[24 - target] -= 2
            elif target:
                points[24 - target] -= 1
            else:
                borne_off += 1
        near_bar, far_bar = self.bar
        near_off, far_off = self.off
        return Position(tuple(points), (near_bar + hits, far_bar - entered), (near_off, far_off + borne_off))
