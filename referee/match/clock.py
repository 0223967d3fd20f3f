"""The players' clock as a value. Time comes in with every call, in seconds on one monotonic clock; nothing here looks at one.

Three ways to give the free seconds, once in a move to each player, of which the first two charge a turn of ``used`` seconds the same
``max(0, used - free)``:

- simple delay: the reserve stands still while the free seconds run, so nobody can flag inside them;
- Bronstein: the reserve runs at once, and up to the free seconds are given back when the turn ends, so that a player with
  less than them in reserve can flag inside them;
- Fischer: the reserve runs at once and the free seconds are added whole, so that unused ones accumulate.

When a reserve has run out and the rules give overtime, it is added once, by itself; after that the player has flagged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board.position import Seat
from referee.rules.ruleset import ClockMode, ClockRules


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the clock shows at one instant. Pairs are (near, far). ``remaining``: seconds of reserve, overtime included once it
    has begun, never below 0. ``free_left``: free seconds left to the running player (0 unless simple delay). ``overtime``:
    who is in it. ``flagged``: who has used everything."""

    remaining: tuple[float, float]
    free_left: float
    running: Seat | None
    overtime: tuple[bool, bool]
    flagged: Seat | None


@dataclass(frozen=True, slots=True)
class Clock:
    """``reserve`` (near, far) as it stood when the running turn began, or stands when nothing runs.

    ``turn`` is whose turn it is, also while stopped; ``since`` the instant from which it runs, None while both stand;
    ``used`` the seconds of this turn before ``since``. ``free`` (near, far): the free seconds each has left in this move, of which
    one player may have several turns, as when he must answer a double or is refused his resignation. ``overtime``: who was given it.
    """

    rules: ClockRules
    reserve: tuple[float, float]
    turn: Seat | None = None
    since: float | None = None
    used: float = 0.0
    free: tuple[float, float] = (0.0, 0.0)
    overtime: tuple[bool, bool] = (False, False)
    flagged: Seat | None = None

    def run(self, seat: Seat, at: float) -> Clock:
        """``seat``'s time runs from ``at`` within the move, with what is left of his free seconds; the other's turn is charged, and his own
        that was stopped runs on."""
        if self.turn is seat:
            return self if self.since is not None else replace(self, since=at)
        return replace(self._settled(at), turn=seat, since=at, used=0.0)

    def stop(self, at: float) -> Clock:
        """Both stand. The turn is not over: `run` goes on in it, with what is left of its free seconds."""
        return replace(self._flagging(at), since=None, used=self._used(at))

    def end_turn(self, at: float) -> Clock:
        """The move is over: the turn is charged and both stand; in the next each has his free seconds."""
        return replace(self._settled(at), turn=None, since=None, used=0.0, free=free_seconds(self.rules))

    def set(self, near: float, far: float, at: float) -> Clock:
        """A person sets the reserves; both stand, and the turn begins anew. Who has time again is flagged no more, and who has more than
        the overtime has not begun it; what is left as it was, since the other's is set, stays what it was."""
        reserve, flagged = (near, far), self._flagging(at).flagged
        begun = tuple(given and left <= self.rules.overtime_s for given, left in zip(self._charged(at).overtime, reserve, strict=True))
        if flagged is not None and reserve[flagged.index] > 0:
            flagged = None
        return replace(
            self, reserve=reserve, since=None, used=0.0, free=free_seconds(self.rules), overtime=(begun[0], begun[1]), flagged=flagged
        )

    def add(self, seconds: float, at: float) -> Clock:
        """Both reserves are longer by so much, or shorter, down to nothing; the turn goes on. Who has time again is flagged no more, and
        who has more than the overtime has all of that before him."""
        clock = self._flagging(at)
        reserve, overtime, whole = [max(0.0, left + seconds) for left in clock.reserve], list(clock.overtime), self.rules.overtime_s
        for place, left in enumerate(reserve):
            if overtime[place] and left > whole:
                reserve[place], overtime[place] = left - whole, False
        flagged = None if seconds > 0 else clock.flagged
        return replace(clock, reserve=(reserve[0], reserve[1]), overtime=(overtime[0], overtime[1]), flagged=flagged)

    def reading(self, now: float) -> ClockReading:
        """What it shows at ``now``."""
        clock = self._flagging(now)
        shown = clock._charged(now)
        near, far = shown.reserve
        free_left = max(0.0, clock._standing_free() - clock._used(now))
        running = self.turn if self.since is not None else None
        return ClockReading((max(0.0, near), max(0.0, far)), free_left, running, shown.overtime, clock.flagged)

    def _used(self, at: float) -> float:
        """Seconds of this turn until ``at``; an instant before its beginning counts as its beginning."""
        return self.used + (max(0.0, at - self.since) if self.since is not None else 0.0)

    def _standing_free(self) -> float:
        """The free seconds of this turn during which its player's reserve stands still."""
        return self.free[self.turn.index] if self.turn is not None and self.rules.mode is ClockMode.SIMPLE_DELAY else 0.0

    def _overtime_left(self, place: int) -> float:
        return 0.0 if self.overtime[place] else max(0.0, self.rules.overtime_s)

    def _flagging(self, at: float) -> Clock:
        """Flagged, where this turn has used up everything by ``at``."""
        if self.turn is None or self.flagged is not None or self.rules.mode is ClockMode.NONE:
            return self
        place = self.turn.index
        budget = max(0.0, self.reserve[place]) + self._overtime_left(place) + self._standing_free()
        return replace(self, flagged=self.turn) if self._used(at) >= budget else self

    def _charged(self, at: float) -> Clock:
        """This turn charged to its player's reserve, and overtime given where that has run out."""
        if self.turn is None:
            return self
        reserve, overtime, place = list(self.reserve), list(self.overtime), self.turn.index
        charge, more = max(0.0, self._used(at) - self._standing_free()), self._overtime_left(place)
        if 0 < charge >= reserve[place] and more:
            reserve[place] += more
            overtime[place] = True
        reserve[place] = max(0.0, reserve[place] - charge)
        return replace(self, reserve=(reserve[0], reserve[1]), overtime=(overtime[0], overtime[1]))

    def _settled(self, at: float) -> Clock:
        """The turn is over: it is charged, and its free seconds are given as the mode has it."""
        clock = self._flagging(at)
        if clock.turn is None:
            return clock
        place, used, free = clock.turn.index, clock._used(at), list(clock.free)
        clock = clock._charged(at)
        reserve = list(clock.reserve)
        if clock.flagged is not clock.turn:
            if clock.rules.mode is ClockMode.BRONSTEIN:
                reserve[place] += min(used, free[place])
            elif clock.rules.mode is ClockMode.FISCHER:
                reserve[place] += free[place]
        free[place] = 0.0 if clock.rules.mode is ClockMode.FISCHER else max(0.0, free[place] - used)
        return replace(clock, reserve=(reserve[0], reserve[1]), free=(free[0], free[1]))


def free_seconds(rules: ClockRules) -> tuple[float, float]:
    """What each player is given in a move; never less than nothing, which would charge time that nobody used."""
    return max(0.0, rules.delay_s), max(0.0, rules.delay_s)


def reserve_of(rules: ClockRules, length: int, score: tuple[int, int] = (0, 0)) -> float:
    """The reserve of a match to ``length`` points that stands at ``score``, seconds; the same for both players."""
    return max(0.0, rules.bank_s_per_point * length - rules.minus_per_point_scored * sum(score))


def new_clock(rules: ClockRules, length: int, score: tuple[int, int] = (0, 0)) -> Clock | None:
    """Both clocks at the start of a match, standing; None where no clock is used (none in the rules, or no match length)."""
    if rules.mode is ClockMode.NONE or length < 1:
        return None
    reserve = reserve_of(rules, length, score)
    return Clock(rules, (reserve, reserve))
