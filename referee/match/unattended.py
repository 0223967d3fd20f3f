"""A recording is watched and nobody is there to answer: how play is taken up again after a question that stays open.

Nothing is guessed. A throw that was seen in part is told by the board where one of its answers alone fits what was seen of it. What else
was not seen stays unknown; the position is set to one that was read undoubted as a valid throw came to lie there, whose throw that was
says whose turn it is, and a legal play of it that was seen to the end bears that out: a throw of which checkers had been moved before it
was seen accuses nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.board.plays import Roll
from referee.board.position import CHECKERS, Position, Seat
from referee.match.arbiter.consider import after, blocked, consider
from referee.match.arbiter.memory import Mark, Memory, TurnMemory
from referee.match.arbiter.settle import ENOUGH, Dice
from referee.match.arbiter.throws import still_there, throw_of
from referee.match.arbiter.unseen import others_in_part, seen_in_part
from referee.match.early import EARLY, early_due
from referee.match.events import DoubtResolved, Event, IllegalPlayStood, OpeningRolled, PositionSet, Rolled, Ruled, TurnSet
from referee.match.judge import as_seen
from referee.match.state import TO_THROW, MatchState
from referee.match.table import TableService
from referee.observations import Reading
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

PATIENCE = 3
"""Different readings after a question for which its answer is waited for."""
KEPT = 400
"""Readings that are kept while a question is open."""


@dataclass(frozen=True, slots=True)
class Start:
    """How play is taken up: ``events`` close the question and set position and turn; ``again`` are the readings to look at from there, with
    ``memory``."""

    memory: Memory
    events: tuple[Event, ...]
    again: tuple[Reading, ...] = ()


class Unattended:
    """The ``table`` of a match where nobody answers."""

    def __init__(self, table: TableService[Memory]) -> None:
        self._table = table
        self._since: tuple[Reading, ...] = ()
        self._last: Reading | None = None

    def observe(self, reading: Reading) -> None:
        """Judges a reading, and takes play up again where it can be. Every time that begins with a later reading: it comes to an end."""
        table, waiting = self._table, [reading]
        while waiting:
            one = waiting.pop(0)
            table.observe(one)
            memory = table.memory
            if memory.stills or memory.runs.board_run.count >= ENOUGH or memory.waiting[-1:] == (one,):
                self._last = one  # what a stream shows in one look alone is not looked at twice
            self._since = (*self._since, one)[-KEPT:] if blocked(table.state) else ()
            waiting = [*self._take_up(reading.captured_at, PATIENCE), *waiting]

    def finish(self, at: float) -> None:
        """The recording has ended, at ``at``: nothing more comes for which an answer could wait."""
        table = self._table
        table.finish(at)
        turns = -1
        while self._last is not None and table.state.turns > turns:
            turns = table.state.turns
            for again in (*self._take_up(at, 0), *((self._last,) if not blocked(table.state) else ())):
                self.observe(again)
            table.finish(at)

    def _take_up(self, at: float, patience: int) -> tuple[Reading, ...]:
        """Takes play up again where it can be. Returns the readings that are to be looked at again from there."""
        table = self._table
        start, self._since = taken_up(table.state, table.memory, table.rules, self._since, patience)
        if start is None:
            return ()
        table.take_up(start.memory, start.events, at)
        return start.again


def taken_up(
    state: MatchState, memory: Memory, rules: RuleSet, since: tuple[Reading, ...], patience: int
) -> tuple[Start | None, tuple[Reading, ...]]:
    """How play is taken up, None where no question holds it up or it is too early; and what is still to be kept of the readings ``since``
    the question was asked. ``patience``: after how many an answer is not waited for any more."""
    if state.doubt is None or not blocked(state):
        return None, ()
    if early_due(state):
        # A throw before its time stands where nobody says otherwise.
        answer = state.doubt.doubt.answers[0]
        return Start(memory, (DoubtResolved(EARLY, 0), Ruled(EARLY, because("nobody_answered_early")), *answer.events)), ()
    if len(memory.waiting) <= patience:
        return None, since
    told = _told_in_part(state, memory)
    if told is not None:
        about, answer = state.doubt.doubt.about, state.doubt.doubt.answers[told]
        return Start(memory, (DoubtResolved(about, told), Ruled(about, because("nobody_answered_in_part")), *answer.events)), ()
    kept, before = since, None
    for number, reading in enumerate(since):
        start = _begun(state, memory, rules, before, since[number:])
        before = reading if as_seen(reading) is not None else before
        followed = _followed(state, rules, start) if start is not None else None
        if start is not None and followed:
            return start, ()
        if followed is False:
            kept = since[number:]
        elif start is not None:
            break  # he has not played yet
    return None, kept


def _told_in_part(state: MatchState, memory: Memory) -> int | None:
    """The place of the answer that alone fits what was seen of its throws, of which dice were overlooked or in doubt; None where several
    do, or nothing was seen of one."""
    assert state.doubt is not None
    doubt = state.doubt.doubt
    if doubt.reason.code != "roll_unseen":
        return None
    parts = [_either_way(rolls) for rolls in (seen_in_part(state.on_roll, memory.turn), others_in_part(memory.turn))]
    if state.on_roll is None:
        parts = [set(seen_in_part(None, memory.turn))]  # near's die, far's
    thrown = [[event.dice for event in answer.events if isinstance(event, Rolled | OpeningRolled)] for answer in doubt.answers]
    fitting = [n for n, rolls in enumerate(thrown) if rolls and all(roll in part for roll, part in zip(rolls, parts, strict=False))]
    return fitting[0] if len(fitting) == 1 else None


def _either_way(rolls: Iterable[Roll]) -> set[Roll]:
    return {way for a, b in rolls for way in ((a, b), (b, a))}


def _begun(state: MatchState, memory: Memory, rules: RuleSet, before: Reading | None, again: tuple[Reading, ...]) -> Start | None:
    """Play taken up at the first of the readings ``again``; None where no throw comes to lie there that tells whose turn it is. ``before``:
    the last one until then in which the whole board was read."""
    assert state.doubt is not None
    found = _throw(again[0], rules)
    if found is None:
        return None
    position, seat, dice = found
    if before is None:
        came = memory.stills and state.phase in TO_THROW  # a still shows a throw with which nothing was moved yet
    else:
        came = not still_there(dice, before.dice) and (memory.stills or as_seen(before) == position)
    if not came:
        return None
    about = state.doubt.doubt.about
    events = (DoubtResolved(about), Ruled(about, because("nobody_answered")), PositionSet(position), TurnSet(seat))
    now = after(state, events)
    turn = TurnMemory(old=before.dice if before is not None else ())
    return Start(Memory(memory.stills, turn=turn, mark=Mark(now, now), cube=memory.cube), events, again)


def _throw(reading: Reading, rules: RuleSet) -> tuple[Position, Seat, Dice] | None:
    seen = as_seen(reading)
    if seen is None or seen.defects() or CHECKERS in seen.off:
        return None
    threw = [throw for seat in Seat if (throw := throw_of(seat, reading.dice, reading.doubts, rules)).valid]
    if len(threw) != 1 or threw[0].seat is None:  # of two throws one is of a turn before
        return None
    return seen, threw[0].seat, threw[0].dice


def _followed(state: MatchState, rules: RuleSet, start: Start) -> bool | None:
    """Whether a legal play is seen to the end from ``start`` on, be it put right before; None while that cannot be told."""
    now, memory = after(state, start.events), start.memory
    turns = now.turns
    for reading in start.again:
        memory, events = consider(now, reading, memory, rules)
        now = after(now, events)
        if blocked(now) or any(isinstance(event, IllegalPlayStood) for event in events):
            return False
        if now.turns > turns:
            return True
    return None
