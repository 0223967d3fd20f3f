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

    def start(self, seat: Seat, at: float, fresh: bool = True) -> Clock:
        """A new move: ``seat``'s time runs from ``at``; the turn that ran until then is charged. ``fresh`` False gives no free
        seconds: a player who plays an illegal play again does so after they have run out."""
        over = self.end_turn(at)
        return replace(over, turn=seat, since=at, free=over.free if fresh else (0.0, 0.0))

    def press(self, at: float) -> Clock:
        """The player whose turn it is ends it and the other's begins."""
        return self if self.turn is None else self.start(self.turn.other, at)

    def run(self, seat: Seat, at: float) -> Clock:
        """``seat``'s time runs from ``at`` within the move, with what is left of his free seconds; the other's turn is charged."""
        return self.resume(at) if self.turn is seat else replace(self._settled(at), turn=seat, since=at, used=0.0)

    def stop(self, at: float) -> Clock:
        """Both stand. The turn is not over: `resume` goes on in it, with what is left of its free seconds."""
        if self.since is None:
            return self
        return replace(self._flagging(at), since=None, used=self._used(at))

    def resume(self, at: float) -> Clock:
        """The stopped turn runs on from ``at``."""
        return self if self.turn is None or self.since is not None else replace(self, since=at)

    def end_turn(self, at: float) -> Clock:
        """The move is over: the turn is charged and both stand; in the next each has his free seconds."""
        return replace(self._settled(at), turn=None, since=None, used=0.0, free=free_seconds(self.rules))

    def set(self, near: float, far: float) -> Clock:
        """A person sets the reserves; both stand, the turn begins anew, and a flag is taken back."""
        return replace(self, reserve=(near, far), since=None, used=0.0, free=free_seconds(self.rules), flagged=None)

    def reading(self, now: float) -> ClockReading:
        """What it shows at ``now``."""
        clock = self._flagging(now)
        remaining, overtime = list(clock.reserve), list(clock.overtime)
        free_left = 0.0
        if clock.turn is not None:
            used, place = clock._used(now), clock.turn.index
            running_free = clock.free[place] if clock.rules.mode is ClockMode.SIMPLE_DELAY else 0.0
            left = clock.reserve[place] - max(0.0, used - running_free)
            if left <= 0 and clock._may_have_overtime(place) and used > running_free:
                left, overtime[place] = left + clock.rules.overtime_s, True
            remaining[place] = left
            free_left = max(0.0, running_free - used)
        shown = (max(0.0, remaining[0]), max(0.0, remaining[1]))
        return ClockReading(shown, free_left, self.turn if self.since is not None else None, (overtime[0], overtime[1]), clock.flagged)

    def _used(self, at: float) -> float:
        """Seconds of this turn until ``at``; an instant before its beginning counts as its beginning."""
        return self.used + (max(0.0, at - self.since) if self.since is not None else 0.0)

    def _may_have_overtime(self, place: int) -> bool:
        return self.rules.overtime_s > 0 and not self.overtime[place]

    def _budget(self, seat: Seat) -> float:
        """The seconds of this turn with which everything is used."""
        place = seat.index
        budget = max(0.0, self.reserve[place]) + (self.rules.overtime_s if self._may_have_overtime(place) else 0.0)
        return budget + (self.free[place] if self.rules.mode is ClockMode.SIMPLE_DELAY else 0.0)

    def _flagging(self, at: float) -> Clock:
        if self.turn is None or self.flagged is not None or self.rules.mode is ClockMode.NONE:
            return self
        return replace(self, flagged=self.turn) if self._used(at) >= self._budget(self.turn) else self

    def _settled(self, at: float) -> Clock:
        """The running turn charged to its player's reserve."""
        clock = self._flagging(at)
        if clock.turn is None:
            return clock
        place, used = clock.turn.index, clock._used(at)
        reserve, overtime, free = list(clock.reserve), list(clock.overtime), list(clock.free)
        running_free = free[place] if clock.rules.mode is ClockMode.SIMPLE_DELAY else 0.0
        charged = max(0.0, used - running_free)
        if charged > 0 and reserve[place] - charged <= 0 and clock._may_have_overtime(place):
            reserve[place] += clock.rules.overtime_s
            overtime[place] = True
        reserve[place] = max(0.0, reserve[place] - charged)
        if clock.flagged is not clock.turn:
            if clock.rules.mode is ClockMode.BRONSTEIN:
                reserve[place] += min(used, free[place])
            elif clock.rules.mode is ClockMode.FISCHER:
                reserve[place] += free[place]
        free[place] = 0.0 if clock.rules.mode is ClockMode.FISCHER else max(0.0, free[place] - used)
        return replace(clock, reserve=(reserve[0], reserve[1]), overtime=(overtime[0], overtime[1]), free=(free[0], free[1]))


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
