"""The one writer of one match: everything that happens at the table goes through here.

Whatever comes in (a reading, a tower's throw, a command) is decided into events by pure functions; the events are committed
to the journal, then folded into the state, then shown to subscribers, in that order. One lock keeps it to one at a time.
When a commit fails nothing of it is shown, the state stays, and `TableService.trouble` says why until something can be kept again.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

from referee.match.arbiter.memory import Memory
from referee.match.commands import Accepted, Command, Outcome, Refused, SetRules, StartMatch
from referee.match.events import ClockStopped, Event, Evidence, Logged, Role, Rolled, Ruled
from referee.match.folding import apply, fold
from referee.match.follow import consequences
from referee.match.journal import Heard, Journal, JournalError
from referee.match.log import stamp
from referee.match.otherwise import otherwise
from referee.match.said.decide import decide, stale
from referee.match.said.refusal import refused
from referee.match.state import IN_GAME, MatchState
from referee.match.timing import flag_fallen
from referee.match.told import told_type
from referee.match.witness import Witness, Witnesses, camera_looks, camera_says, in_sight, recalled, time_passes, tower_says
from referee.observations import CAMERA, TOWER, Reading, TowerThrow
from referee.rules.agreement import agreed
from referee.rules.presets import RulesError, preset
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

Subscriber = Callable[[MatchState, tuple[Logged, ...]], None]
"""Called in order after each commit, from the thread that caused it, with the new state and what was logged (nothing, when only
`TableService.trouble` changed). Must be quick and must not call back into the service."""

RETRY_S = 10.0
"""Seconds between two tries, while nothing can be kept, whether it can be again."""

S = TypeVar("S")

Consider = Callable[[MatchState, Reading, S, RuleSet], tuple[S, tuple[Event, ...]]]
"""``consider(state, reading, memory, rules) -> (memory, events)``: judges a reading. Pure."""

Proof = Callable[[], Evidence | None] | None
"""Keeps the picture a reading was made from; called only when something is logged because of it."""

Finish = Callable[[MatchState, S, RuleSet], tuple[S, tuple[Event, ...]]]
"""``finish(state, memory, rules) -> (memory, events)``: what is still said when a source has ended. Pure."""

_log = logging.getLogger(__name__)


class TableService(Generic[S]):
    """``journal`` holds the match and may already hold its beginning; ``rules`` is its rule set (a running match that was started under
    another one keeps that), ``sets`` are others beside the presets that a match may be started under; ``consider`` judges readings,
    ``memory`` is what it remembers, at first. ``clock``: seconds, monotonic."""

    def __init__(
        self, journal: Journal, rules: RuleSet, consider: Consider[S], memory: S, clock: Callable[[], float] = time.monotonic,
        finish: Finish[S] | None = None, sets: Sequence[RuleSet] = (),
    ) -> None:
        self._lock = threading.RLock()
        self._journal = journal
        self._rules = rules
        self._sets = (rules, *sets)
        self._consider = consider
        self._finish = finish
        self._memory = self._fresh = memory
        self._witness = Witness()
        self._now = clock
        self._log: list[Logged] = list(journal.read())
        self._state = fold(self._log)
        self._subscribers: list[Subscriber] = []
        self._trouble = ""
        self._retry_at = 0.0
        self._unstopped: float | None = None
        self._ticked = self._state.at
        if self._state.seq:
            self._rules = self._state.rule_set or _rules_named(self._state.rules, self._sets) or rules
        self._interrupted()

    def _interrupted(self) -> None:
        """Nobody watched for a while: both clocks stand where the last instant that is known left them, until a person starts them."""
        runs = self._state.clock is not None and not self._state.clock_held and self._state.play_phase in IN_GAME
        if runs and self._unstopped is None:
            self._unstopped = max(self._state.at, self._ticked)
            with contextlib.suppress(JournalError):  # as on a full disk: tried again as time passes
                self._stop_clock()

    def _stop_clock(self) -> None:
        if self._unstopped is not None:
            self._write((ClockStopped(),), self._unstopped, "referee", Role.MACHINE, "", None, ())
            self._unstopped = None

    @property
    def state(self) -> MatchState:
        """The last committed state."""
        return self._state

    @property
    def rules(self) -> RuleSet:
        return self._rules

    @property
    def memory(self) -> S:
        """What judging readings remembers at this moment."""
        return self._memory

    @property
    def log(self) -> tuple[Logged, ...]:
        """Everything committed, in order."""
        with self._lock:
            return tuple(self._log)

    @property
    def moment(self) -> tuple[MatchState, tuple[Logged, ...]]:
        """The last committed state, and the log that has led to it and no further."""
        with self._lock:
            return self._state, tuple(self._log)

    @property
    def trouble(self) -> str:
        """One sentence while the log cannot be written, empty otherwise."""
        return self._trouble

    @property
    def stands_since(self) -> float | None:
        """The instant from which both clocks stand, as long as that could not be kept, as on a full disk; else None."""
        return self._unstopped

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """``callback`` is called at once with the present state, then after every commit; the function returned ends it."""
        with self._lock:
            self._subscribers.append(callback)
            callback(self._state, ())

        def leave() -> None:
            with self._lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return leave

    def observe(self, reading: Reading, evidence: Proof = None) -> tuple[Logged, ...]:
        """Judges a reading; returns what was logged because of it. After a failed commit it is as if the reading had not come."""
        with self._lock:
            reading = in_sight(_readable(reading), self._witness)
            memory, events = self._consider(self._state, reading, self._memory, self._rules)
            witness, events, counts = camera_says(events, camera_looks(reading, self._witness), self._now())
            kept = evidence() if evidence is not None and events else None
            try:
                logged = self._commit(events, reading.captured_at, CAMERA, Role.MACHINE, reading.frame, kept)
            except JournalError:
                return ()
            self._witness = witness
            if counts:
                self._memory = memory
            return logged

    def finish(self, at: float | None = None) -> tuple[Logged, ...]:
        """The source of readings has ended, at ``at`` if not with the last event: logs what still waited for another look."""
        if self._finish is None:
            return ()
        with self._lock:
            memory, events = self._finish(self._state, self._memory, self._rules)
            try:
                logged = self._commit(events, self._state.at if at is None else at, CAMERA, Role.MACHINE)
            except JournalError:
                return ()
            self._memory = memory
            return logged

    def throw(self, throw: TowerThrow, heard: Heard | None = None) -> tuple[Logged, ...]:
        """A throw that the tower felt or read; `referee.match.witness` says what comes of it. The line it came in is kept with it in
        one transaction. Raises JournalError when it could not be kept, and then it must not be acknowledged.
        """
        with self._lock:
            witness, events = tower_says(self._state, throw, self._rules, self._witness, self._now())
            logged = self._commit(events, throw.captured_at, TOWER, Role.MACHINE, heard=() if heard is None else (heard,))
            self._witness = witness
            return logged

    def take_up(self, memory: S, events: Sequence[Event], at: float) -> None:
        """Play is taken up again where nobody answers (`referee.match.unattended`): ``events`` are logged, and what comes is
        judged with ``memory``."""
        with self._lock, contextlib.suppress(JournalError):
            self._commit(events, at, "referee", Role.MACHINE)
            self._memory = memory

    def carry_over(self, change: Callable[[S], S]) -> None:
        """What judging readings remembers is true of how the board is seen from now on once ``change`` has been made."""
        with self._lock:
            self._memory = change(self._memory)

    def recall(self, die: TowerThrow) -> None:
        """The one opening die that the tower had read before the program was started again."""
        with self._lock:
            self._witness = recalled(self._state, die, self._witness)

    def set_witnesses(self, who: Witnesses, camera_on: bool) -> None:
        """Whose word makes a throw, and whether a camera sees the board."""
        with self._lock:
            self._witness = replace(self._witness, who=who, camera_on=camera_on)

    def set_inside(self, inside: bool) -> None:
        """Whether the dice stay inside the box that is connected: its word alone makes a throw then."""
        with self._lock:
            self._witness = replace(self._witness.forgotten(), inside=inside)

    def hear(self, *heard: Heard, events: Sequence[Event] = ()) -> None:
        """Keeps device messages, with ``events`` that are no judgement and no command. Raises JournalError when they could not be kept."""
        with self._lock:
            self._commit(events, self._now(), TOWER, Role.MACHINE, heard=heard)

    def note(self, *events: Event, source: str = "referee") -> tuple[Logged, ...]:
        """Logs what is no judgement and no command: a device lost or back, a match put back on the table."""
        with self._lock:
            try:
                return self._commit(events, self._now(), source, Role.MACHINE)
            except JournalError:
                return ()

    def slept(self) -> None:
        """The program stood still since the last `tick`, as when the computer sleeps: as after a start nothing is remembered of what was
        seen before, and the clocks stand where they stood then."""
        with self._lock:
            self._memory, self._witness = self._fresh, self._witness.forgotten()
            if self._state.play_phase in IN_GAME:
                self._interrupted()
                self.note(Ruled("clock", because("slept")))

    def left(self) -> None:
        """Nobody watches from now on: the clocks stand where they stood at the last `tick`, for whoever opens the match again."""
        with self._lock:
            self._interrupted()

    def command(self, command: Command, heard: Heard | None = None) -> Outcome:
        """What a person says: logged, or refused with a reason. ``heard``: the line in which a button came, and when it was pressed."""
        with self._lock:
            at = self._now() if heard is None else max(self._state.at, min(heard.at, self._now()))
            if (overtaken := self.overtaken(command)) is not None:
                return overtaken
            rules = self._rules
            if isinstance(command, StartMatch | SetRules):
                named = _rules_named(command.rules, self._sets) or (rules if rules.name == command.rules else None)
                if named is None:
                    return refused("no_rule_set", name=command.rules)
                try:
                    rules = agreed(named, dict(command.choices), command.clock, command.turn_end)
                except RulesError as error:
                    return refused("bad_choice", text=str(error))
            decision = decide(self._state, command, rules, tuple(self._log))
            if isinstance(decision, Refused):
                return decision
            if (why := otherwise(decision, self._log, self._state)) is not None:
                return why
            try:
                return Accepted(self._commit(decision, at, command.source, command.role, heard=() if heard is None else (heard,)))
            except JournalError as error:
                return refused("store_failed", text=str(error))

    def overtaken(self, command: Command) -> Refused | None:
        """Why ``command`` comes too late for what its sender was looking at; None when it does not."""
        with self._lock:
            if command.seen_seq > self._state.seq:
                return refused("unknown_seq", seen=command.seen_seq, last=self._state.seq)
            meanwhile = stale(command, tuple(self._log[max(0, command.seen_seq) :]))
            if meanwhile is None:
                return None
            by = told_type(meanwhile.event, command.role is Role.DIRECTOR)
            return refused("stale", by=by, seq=meanwhile.seq, same=self._said_already(command))

    def _said_already(self, command: Command) -> bool:
        """Whether all that has come since the sender of ``command`` looked is what he says himself: two phones, or a phone and the camera,
        told of the same thing."""
        if isinstance(command, StartMatch | SetRules):
            return False
        log = tuple(self._log[: max(0, command.seen_seq)])
        seen = fold(log)
        decision = decide(seen, command, self._rules, log)
        if isinstance(decision, Refused):
            return False
        said = [event for event, _ in _with_consequences(seen, decision, self._rules)]
        since = [one.event for one in self._log[len(log) :]]
        mine, other = ([_as_said(one) for one in events if one.changes & command.changes] for events in (said, since))
        return mine == other

    def tick(self, now: float | None = None) -> tuple[Logged, ...]:
        """The passing of time; call a few times a second. Returns what was logged because of it."""
        with self._lock:
            now = self._ticked = self._now() if now is None else now
            logged: tuple[Logged, ...] = ()
            self._look_for_room(now)
            with contextlib.suppress(JournalError):
                self._stop_clock()
                witness, events = time_passes(self._state, self._rules, self._witness, now)
                logged = self._commit(events, now, TOWER, Role.MACHINE)
                self._witness = witness
                logged += self._commit(flag_fallen(self._state, now), now, "referee", Role.MACHINE)
            return logged

    def _look_for_room(self, now: float) -> None:
        """While nothing can be kept: whether it can be again. Else the page would say what held when somebody last acted."""
        if not self._trouble or now < self._retry_at:
            return
        self._retry_at, before = now + RETRY_S, self._trouble
        try:
            self._journal.try_out()
            self._trouble = ""
        except JournalError as error:
            self._trouble = str(error)
        if self._trouble != before:
            self._publish(())

    def _commit(
        self, events: Sequence[Event], at: float, source: str, role: Role, frame: str = "", evidence: Evidence | None = None,
        heard: Sequence[Heard] = (),
    ) -> tuple[Logged, ...]:
        """Commit, apply, publish."""
        if not events and not heard:
            return ()
        self._stop_clock()  # first, or what can be kept again would be charged the time that nobody watched
        return self._write(events, at, source, role, frame, evidence, heard)

    def _write(
        self, events: Sequence[Event], at: float, source: str, role: Role, frame: str, evidence: Evidence | None, heard: Sequence[Heard]
    ) -> tuple[Logged, ...]:
        captured = stamp(datetime.now(UTC))
        at = at if math.isfinite(at) else 0.0
        frame = frame.encode("utf-8", "replace").decode()
        state, logged = self._state, []
        for event, own in _with_consequences(state, events, self._rules):
            by, on = (source, role) if own else ("referee", Role.MACHINE)
            one = Logged(state.seq + 1, event, at, captured, by, on, frame, evidence)
            state = apply(state, one)
            logged.append(one)
        try:
            self._journal.append(logged, heard)
        except JournalError as error:
            self._trouble, self._retry_at = str(error), self._now() + RETRY_S
            self._publish(())
            raise
        self._trouble = ""
        self._state, self._rules = state, state.rule_set or self._rules
        self._log.extend(logged)
        self._publish(tuple(logged))
        return tuple(logged)

    def _publish(self, logged: tuple[Logged, ...]) -> None:
        for callback in tuple(self._subscribers):
            try:
                callback(self._state, logged)
            except Exception:
                _log.exception("a subscriber failed")


def _readable(reading: Reading) -> Reading:
    """A die that shows no number from 1 to 6 was not read."""
    if all(die.value is None or 1 <= die.value <= 6 for die in reading.dice):
        return reading
    dice = tuple(replace(die, value=die.value if die.value in range(1, 7) else None) for die in reading.dice)
    return replace(reading, dice=dice)


def _with_consequences(state: MatchState, events: Sequence[Event], rules: RuleSet) -> list[tuple[Event, bool]]:
    """``events`` with what follows of itself from each (False beside it), in the order they are logged."""
    found: list[tuple[Event, bool]] = []
    waiting = [(event, True) for event in reversed(events)]
    while waiting:
        event, own = waiting.pop()
        found.append((event, own))
        after = apply(state, Logged(state.seq + 1, event))
        waiting.extend((following, False) for following in reversed(consequences(state, event, after, after.rule_set or rules)))
        state = after
    return found


def _as_said(event: Event) -> Event:
    """``event`` without what two people may say differently and mean the same."""
    if isinstance(event, Rolled):
        return replace(event, dice=(max(event.dice), min(event.dice)))
    return event


def _rules_named(name: str, given: Sequence[RuleSet]) -> RuleSet | None:
    if found := next((rules for rules in given if rules.name == name), None):
        return found
    try:
        return preset(name)
    except RulesError:
        return None


def open_table(
    journal: Journal, rules: RuleSet | str = "bray", clock: Callable[[], float] = time.monotonic, stills: bool = False,
    sets: Sequence[RuleSet] = (),
) -> TableService[Memory]:
    """The table of ``journal``'s match with the arbiter wired in. ``stills``: each reading is a settled moment. ``sets``: a club's own.

    Raises RulesError for an unknown rule set, JournalError when the log cannot be read.
    """
    from referee.match.arbiter.consider import consider, finish  # the service itself does not depend on how readings are judged

    chosen = preset(rules) if isinstance(rules, str) else rules
    return TableService(journal, chosen, consider, Memory(stills=stills), clock, finish, sets)
