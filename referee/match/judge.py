"""Judges one finished play: legal, illegal, or unsure. Pure, and never a mixture of what was seen and what is legal.

Let R be the reading and L the legal results. Exactly one member of L agrees with R on every point that is not in doubt: that
play. Several: a doubt with those as answers. None, and every point where R differs from the nearest members of L is
undoubted: illegal. Anything else: a doubt. An undoubted point is never overruled by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import sub

from referee.board.position import CHECKERS, Position, Seat
from referee.observations import About, Reading, SeenDoubt, SeenPosition

ANSWERS = 3
"""How many likely answers a question carries at most."""

BORNE_OFF = "borne_off_or_not"
"""While bearing off, where a checker should have come home, or when nothing could be played, one checker more or fewer on one point
is as likely an act as a miscount."""

Counts = tuple[int, ...]
"""The 26 counts of a position: 24 points as near numbers them, then near's bar and far's bar."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The play that leads to ``position``. ``undoubted``: no count was in doubt."""

    position: Position
    undoubted: bool = True


@dataclass(frozen=True, slots=True)
class NothingMoved:
    """The checkers stand as before the play although there was a legal one."""

    position: Position


@dataclass(frozen=True, slots=True)
class Illegal:
    """No legal play leads to ``position``, which is what was seen. ``undoubted``: no count was in doubt."""

    position: Position
    undoubted: bool = True


@dataclass(frozen=True, slots=True)
class Unsure:
    """It cannot be told. ``code`` and ``values`` say why; ``answers`` are legal results that may have been meant, likeliest first;
    ``seen`` is the position as read, when all of it was read. ``not_legal``: whatever stands where it is in doubt, the rest
    alone is two checkers or more from every legal result."""

    code: str
    values: tuple[tuple[str, int | str], ...] = ()
    answers: tuple[Position, ...] = ()
    seen: Position | None = None
    not_legal: bool = False


Verdict = Legal | NothingMoved | Illegal | Unsure


def counts(position: Position | SeenPosition) -> Counts:
    """The 26 counts: points signed as in `Position`, then both bars (unsigned)."""
    return (*position.points, *position.bar)


@dataclass(frozen=True, slots=True)
class Doubted:
    """What of a reading is in doubt. ``likely`` gives each place in doubt its likely counts (empty: any count)."""

    whole: bool
    likely: tuple[tuple[int, frozenset[int]], ...]
    off: tuple[bool, bool]

    @property
    def places(self) -> frozenset[int]:
        return frozenset(place for place, _ in self.likely)

    @property
    def nothing(self) -> bool:
        return not self.whole and not self.likely and not any(self.off)

    def allows(self, place: int, count: int) -> bool:
        """Whether ``count`` may be what stands on the doubted ``place``; likely counts may be given without their sign."""
        for at, values in self.likely:
            if at == place:
                unsigned = place > 23 or min(values, default=0) >= 0
                return not values or count in values or (unsigned and abs(count) in {abs(value) for value in values})
        return False


def doubted(doubts: Iterable[SeenDoubt]) -> Doubted:
    """Sorts a reading's doubts by the counts they are about. A doubt about a bar without a seat is about both."""
    whole, off = False, [False, False]
    likely: dict[int, frozenset[int]] = {}

    def add(place: int, values: tuple[int, ...]) -> None:
        # Two doubts about one place: any count that either allows; a doubt without counts allows all.
        both = place not in likely or (likely[place] and values)
        likely[place] = frozenset(values) | likely.get(place, frozenset()) if both else frozenset()

    for doubt in doubts:
        if doubt.about in (About.BOARD, About.PICTURE):
            whole = True
        elif doubt.about is About.POINT:
            if doubt.point is not None and 1 <= doubt.point <= 24:
                add(doubt.point - 1, doubt.values)
            else:
                whole = True
        elif doubt.about is About.BAR:
            for seat in Seat if doubt.seat is None else (doubt.seat,):
                add(24 + seat.index, doubt.values)
        elif doubt.about is About.OFF:
            for seat in Seat if doubt.seat is None else (doubt.seat,):
                off[seat.index] = True
    return Doubted(whole, tuple(sorted(likely.items())), (off[0], off[1]))


def on_board(seen: Counts, seat: Seat, leave_out: frozenset[int] = frozenset()) -> int:
    """``seat``'s checkers on points and bar, the places of ``leave_out`` not counted."""
    sign = seat.sign
    points = sum(max(0, sign * n) for place, n in enumerate(seen[:24]) if place not in leave_out)
    return points + (seen[24 + seat.index] if 24 + seat.index not in leave_out else 0)


def as_seen(reading: Reading | None) -> Position | None:
    """The position as read with what is missing from 15 borne off; None where there is none, any count is in doubt or a colour has more
    than 15."""
    return with_off(reading.position) if reading is not None and doubted(reading.doubts).nothing else None


def with_off(seen: SeenPosition | None) -> Position | None:
    """The counts as read, doubted or not, with what is missing from 15 borne off; None where none were or a colour has more than 15."""
    if seen is None:
        return None
    off = tuple(CHECKERS - on_board(counts(seen), seat) for seat in Seat)
    if min(off) < 0 or min(seen.bar) < 0:
        return None
    return Position(seen.points, seen.bar, (off[0], off[1]))


def agrees(reading: Reading, position: Position) -> bool:
    """Whether ``position`` agrees with the reading on every count that is not in doubt."""
    if reading.position is None:
        return False
    doubt = doubted(reading.doubts)
    return not doubt.whole and _agrees(counts(reading.position), doubt, counts(position))


def _agrees(seen: Counts, doubt: Doubted, wanted: Counts) -> bool:
    return all(n == m or doubt.allows(place, m) for place, (n, m) in enumerate(zip(seen, wanted, strict=True)))


def distance(seen: Counts, wanted: Counts, leave_out: frozenset[int] = frozenset()) -> int:
    """How many checkers differ, the places of ``leave_out`` not counted."""
    apart: int = sum(map(abs, starmap(sub, zip(seen, wanted, strict=True))))
    return apart - sum(abs(seen[place] - wanted[place]) for place in leave_out) if leave_out else apart


def judge(before: Position, seat: Seat, reading: Reading, results: Sequence[Position]) -> Verdict:
    """Judges what ``seat`` left on the board. ``results``: every legal position after the roll, empty when nothing can be played.

    The caller decides when a play is finished and, on a stream, asks for two readings that agree before it calls an illegal one.
    """
    seen = reading.position
    doubt = doubted(reading.doubts)
    if seen is None or doubt.whole:
        return Unsure("unreadable")
    read, legal = counts(seen), tuple(results) or (before,)
    for who in Seat:
        sure = on_board(read, who, doubt.places)
        if sure > CHECKERS:
            return Unsure("too_many", (("seat", who.value), ("count", sure)), _nearest(read, doubt, legal))
    fitting = [position for position in legal if _agrees(read, doubt, counts(position))]
    if len(fitting) == 1:
        return _tray_differs(before, seen, doubt, fitting[0]) or Legal(fitting[0], doubt.nothing)
    if fitting:
        fitting.sort(key=lambda position: distance(read, counts(position)))
        return Unsure("several", (), tuple(fitting[:ANSWERS]), with_off(seen))
    verdict = _misfit(before, seat, seen, doubt, legal)
    return NothingMoved(before) if isinstance(verdict, Illegal) and verdict.position == before else verdict


def _nearest(read: Counts, doubt: Doubted, legal: Sequence[Position]) -> tuple[Position, ...]:
    def far(position: Position) -> tuple[int, int]:
        return distance(read, counts(position), doubt.places), distance(read, counts(position))

    ranked = sorted(legal, key=far)
    best = far(ranked[0])[0]
    return tuple(position for position in ranked[:ANSWERS] if far(position)[0] <= best + 2)


def _tray_differs(before: Position, seen: SeenPosition, doubt: Doubted, after: Position) -> Unsure | None:
    """Trays speak only of the side whose pile this play has changed: an old miscount in a tray is not asked about every turn."""
    for who in Seat:
        shown = seen.off[who.index]
        if shown is None or doubt.off[who.index] or after.off[who.index] == before.off[who.index]:
            continue
        if shown != after.off[who.index]:
            return Unsure("off_differs", (("seat", who.value), ("count", after.off[who.index]), ("seen", shown)), (after,))
    return None


def _misfit(before: Position, seat: Seat, seen: SeenPosition, doubt: Doubted, legal: Sequence[Position]) -> Verdict:
    """No legal result agrees: illegal when all that differs is undoubted and all thirty checkers are accounted for."""
    read = counts(seen)
    near_ones = _nearest(read, doubt, legal)
    least = min(distance(read, counts(position), doubt.places) for position in legal)
    unclear = sorted(
        {
            place
            for position in legal
            if distance(read, counts(position), doubt.places) == least
            for place in doubt.places
            if read[place] != counts(position)[place]
        }
    )
    whole = with_off(seen)
    if unclear:
        # A point in doubt may differ by chance where others, undoubted, tell by themselves that no legal play was made.
        aside = any(not doubt.allows(place, counts(position)[place]) for position in near_ones[:1] for place in unclear)
        counted = _by_fifteen(before, seen, doubt) if least >= 2 and not aside else None
        if counted is not None:
            return Illegal(counted, undoubted=False)
        return Unsure("unclear", tuple(_named(place) for place in unclear), near_ones, whole, least >= 2)
    if whole is None:
        who = Seat.NEAR if on_board(read, Seat.NEAR) > CHECKERS else Seat.FAR
        return Unsure("too_many", (("seat", who.value), ("count", on_board(read, who))), near_ones)
    for who in Seat:
        if whole.off[who.index] < before.off[who.index]:
            values = (("seat", who.value), ("count", whole.off[who.index]), ("before", before.off[who.index]))
            return Unsure("off_fell", values, near_ones, whole)
        shown = seen.off[who.index]
        if shown is not None and not doubt.off[who.index] and shown != whole.off[who.index] != before.off[who.index]:
            return Unsure("off_differs", (("seat", who.value), ("count", whole.off[who.index]), ("seen", shown)), near_ones, whole)
    if doubt.likely and whole.off != before.off:  # what is missing from fifteen is off only when nothing is in doubt
        return Unsure("unclear", tuple(_named(place) for place, _ in doubt.likely), near_ones, whole, least >= 2)
    missing = _only_missing(before, seat, whole, seen, legal)
    if missing is not None:
        return missing
    return Illegal(whole, doubt.nothing)


def _by_fifteen(before: Position, seen: SeenPosition, doubt: Doubted) -> Position | None:
    """The position when at most one count a colour is in doubt and fifteen checkers, with as many off as before, tell what it is."""
    read = list(counts(seen))
    for who in Seat:
        short = CHECKERS - before.off[who.index] - on_board(tuple(read), who)
        if not short:
            continue
        sign = who.sign
        mine = [p for p in doubt.places if (read[p] * sign > 0 or (read[p] == 0 and short > 0) if p < 24 else p - 24 == who.index)]
        if len(mine) != 1:
            return None
        place = mine[0]
        count = read[place] + (short * sign if place < 24 else short)
        if (count * sign < 0 if place < 24 else count < 0) or not doubt.allows(place, count):
            return None
        read[place] = count
    return with_off(SeenPosition(tuple(read[:24]), (read[24], read[25])))


def _only_missing(before: Position, seat: Seat, whole: Position, seen: SeenPosition, legal: Sequence[Position]) -> Unsure | None:
    """A legal result but for one checker on one point, which is borne off too many or too few: it was overlooked, counted twice,
    lies beside the board, or was wrongly borne off or not. That is asked about, unless a tray shows which.

    A checker just hit that is not on the bar is an act of its own (it was put off the board), and illegal.
    """
    for position in legal:
        wanted = counts(position)
        apart = [place for place, (n, m) in enumerate(zip(counts(whole), wanted, strict=True)) if n != m]
        if len(apart) != 1 or distance(counts(whole), wanted) != 1:
            continue
        place = apart[0]
        who = Seat.NEAR if whole.off[Seat.NEAR.index] != position.off[Seat.NEAR.index] else Seat.FAR
        missing = whole.off[who.index] > position.off[who.index]
        if seen.off[who.index] == whole.off[who.index]:
            return None
        if place > 23 and missing and who is not seat and position.bar[who.index] > before.bar[who.index]:
            continue  # unless it is another that was overlooked, after another play
        code = "checker_missing" if missing else "checker_more"
        home = not any(before.on_point(seat, point) for point in range(7, 26))
        point = who.own(place + 1) if place < 24 else 25
        arrived = missing and point <= 6 and position.on_point(who, point) > before.on_point(who, point)
        if who is seat and (home or arrived or (missing and tuple(legal) == (before,))):
            code = BORNE_OFF
        return Unsure(code, (("seat", who.value), _named(place)), (position,), whole)
    return None


def _named(place: int) -> tuple[str, int | str]:
    """A count's name and value in a reason: ``point`` in near's numbers, or whose ``bar``."""
    return ("point", place + 1) if place < 24 else ("bar", (Seat.NEAR, Seat.FAR)[place - 24].value)
