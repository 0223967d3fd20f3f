"""The table's match as the web knows it: which match is on, and everything people and the camera say to it.

A `TableService` referees one match. The desk holds the one that is on, and swaps it for a new one when a match is
started while another is in its log, or for one that was left unfinished and is continued.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from referee.match.arbiter.displaced import seen_elsewhere
from referee.match.arbiter.memory import Memory
from referee.match.commands import Accepted, Command, Outcome, Refused, StartMatch
from referee.match.events import DeviceBack, DeviceLost, Doubt, Event, Logged, MatchStarted, Reopened
from referee.match.folding import fold
from referee.match.journal import Heard, Journal, JournalError, MemoryJournal
from referee.match.log import as_it_was
from referee.match.state import MatchState, Phase
from referee.match.table import Proof, TableService
from referee.match.witness import Witnesses
from referee.observations import CAMERA, Half, Reading, SeenPosition, TowerThrow
from referee.records.store import MatchJournal, Store
from referee.rules.reason import because

Places = tuple[tuple[float, float], ...]
"""Places in a picture, as shares of its width and height."""

Opener = Callable[[Journal], TableService[Memory]]
"""Makes the service of a journal."""


class Desk:
    """Holds the match that is on. Thread-safe. ``home`` is the side of the near player's home board on the page,
    ``seen`` the position of the last reading, ``asked_about`` the last question's sequence and where its dice lie in its picture.
    The match that was left last is kept as it was then, for who is shown the table late."""

    def __init__(self, store: Store, opener: Opener) -> None:
        self._guard = threading.RLock()
        self._open = opener
        self._watchers: list[Callable[[], None]] = []
        self._witnesses = (Witnesses.ANY, False)
        self._inside = False
        self.store = store
        self.home = Half.RIGHT
        self._away: dict[str, DeviceLost] = {}
        self._left: tuple[MatchState, tuple[Logged, ...]] = (MatchState(), ())
        journal = store.latest()
        self._hold(journal, self._opened(journal))

    def _opened(self, journal: MatchJournal) -> TableService[Memory]:
        service = self._open(journal)
        service.set_witnesses(*self._witnesses)
        service.set_inside(self._inside)
        return service

    def _hold(self, journal: MatchJournal, service: TableService[Memory]) -> None:
        self.service = service
        self.match = journal.match
        self.seen: SeenPosition | None = None
        self.asked_about: tuple[int, Places] = (0, ())
        self._unsure_dice: Places = ()
        self._leave = service.subscribe(self._published)

    def _swap(self, journal: MatchJournal, service: TableService[Memory]) -> None:
        self.service.left()
        self._leave()
        self._left = self.moment
        self._hold(journal, service)

    def _published(self, _state: MatchState, events: tuple[Logged, ...]) -> None:
        for one in events:
            if isinstance(one.event, Doubt):
                self.asked_about = (one.seq, self._unsure_dice)
        self.changed()

    def changed(self) -> None:
        """Tells every watcher that there is something new to show. Under the guard, as after a commit: watchers look at the log and keep
        what they saw, one at a time and always in this order of locks."""
        with self._guard:
            for watcher in tuple(self._watchers):
                watcher()

    def watch(self, watcher: Callable[[], None]) -> None:
        """``watcher`` is called after every commit; it must be quick."""
        self._watchers.append(watcher)

    @property
    def state(self) -> MatchState:
        return self.service.state

    @property
    def log(self) -> tuple[Logged, ...]:
        return self.service.log

    @property
    def moment(self) -> tuple[MatchState, tuple[Logged, ...]]:
        """The state and the log that has led to it, for whoever puts one beside the other."""
        return self.service.moment

    def moment_ago(self, ago: float) -> tuple[MatchState, tuple[Logged, ...]]:
        """The `moment` so many seconds ago, of the match that was on the table then; where none was, or it is not known any more which,
        that of this one's beginning."""
        now, at, moments = datetime.now(UTC), time.monotonic() - ago, (self.moment, self._left)
        for state, log in moments:
            then = as_it_was(log, ago, now, at)
            if then and not any(isinstance(one.event, MatchStarted | Reopened) for one in log[len(then) :]):
                return state.as_of(then[-1].seq), then
        state, log = moments[0]
        then = as_it_was(log, ago, now, at) or log[:1]
        return state.as_of(len(then)), then

    def moment_on(self, match: int) -> tuple[MatchState, tuple[Logged, ...]] | None:
        """The same while ``match`` is on; None while another is."""
        with self._guard:
            return self.moment if match == self.match else None

    def command(self, command: Command, heard: Heard | None = None, match: int | None = None) -> Outcome:
        """What a person says who looks at ``match``. A new match gets a log of its own; the one before stays as it is."""
        with self._guard:
            if match is not None and match != self.match:
                return self._late(command, Refused(because("stale", by="match_started")))
            if isinstance(command, StartMatch) and self.state.seq:
                return self._start_another(command)
            outcome = self.service.command(command, heard)
            if isinstance(command, StartMatch):
                self._note_away()
            return outcome

    def _start_another(self, command: StartMatch) -> Outcome:
        if (overtaken := self.service.overtaken(command)) is not None:
            return self._late(command, overtaken)
        journal = self.store.next_match()  # which a match that cannot start leaves as it is
        try:
            service = self._opened(journal)
        except JournalError as error:
            return Refused(because("store_failed", text=str(error)))
        outcome = service.command(replace(command, seen_seq=0))
        if isinstance(outcome, Accepted):  # until its beginning is kept the match before stays on the table
            self._swap(journal, service)
            self._note_away()
        return outcome

    def _late(self, command: Command, overtaken: Refused) -> Refused:
        """``overtaken``; it says so where another has just started the very match that ``command`` is to start, so that it stands."""
        if not isinstance(command, StartMatch) or overtaken.reason.code != "stale":
            return overtaken
        rehearsal = self._open(MemoryJournal()).command(replace(command, seen_seq=0))
        said = rehearsal.events if isinstance(rehearsal, Accepted) else ()
        mine, other = ([one.event for one in log if one.event.changes & command.changes] for log in (said, self.log))
        return Refused(because("stale", by="match_started", same=True)) if mine == other else overtaken

    def reopen(self, match: int, instead_of: int) -> Outcome:
        """Puts an unfinished match back on the table, for a person who saw ``instead_of`` there; that one stays as it is. Raises
        JournalError when there is no such match, or its log is damaged."""
        with self._guard:
            if match == self.match:
                return Accepted(())
            if instead_of != self.match:
                return Refused(because("stale", by="match_started"))
            journal = self.store.journal(match)
            if fold(journal.read()).phase is Phase.MATCH_OVER:
                return Refused(because("match_over"))
            service = self._opened(journal)
            logged = service.note(Reopened(), source="person")
            if not logged:
                return Refused(because("store_failed", text=service.trouble))
            self._swap(journal, service)
            self._note_away()
            return Accepted(logged)

    def delete(self, match: int) -> bool:
        """Deletes a match's log, unless it is the one on the table. Whether it did."""
        with self._guard:
            if match == self.match:
                return False
            self.store.delete(match)
            return True

    def observe(self, reading: Reading, evidence: Proof = None, unsure_dice: Places = ()) -> tuple[Logged, ...]:
        """A settled reading from the camera; ``unsure_dice``: where in its picture those dice lie that a question may be about."""
        with self._guard:
            self.seen, self._unsure_dice = reading.position, unsure_dice
            logged = self.service.observe(reading, evidence)
            if not logged and self.state.reconcile:
                self.changed()  # which checkers to put back follows the board
            return logged

    def seen_elsewhere(self, to: Callable[[tuple[float, float]], tuple[float, float]]) -> None:
        """The board is seen in another place from now on: what lay at a place (px) of the last reading lies where ``to`` says."""
        with self._guard:
            self.service.carry_over(lambda memory: seen_elsewhere(memory, to))

    def finish(self) -> None:
        """The source of readings has ended: what still waited for another look is asked."""
        with self._guard:
            self.service.finish()

    def lose(self, gone: DeviceLost) -> None:
        """A device has gone: noted once in the match that is on, and in every other that begins without it."""
        with self._guard:
            self._away.setdefault(gone.device, gone)
            self._note_away()

    def regain(self, device: str) -> None:
        """A device is there."""
        with self._guard:
            self._away.pop(device, None)
            if device in self.state.lost:
                self.service.note(DeviceBack(device))

    def _note_away(self) -> None:
        for device, gone in self._away.items():
            if self.state.seq and device not in self.state.lost:
                self.service.note(gone)

    def hear(self, heard: Heard, *events: Event) -> None:
        """Keeps a device's message, and with it ``events`` that are no judgement and no command. Raises JournalError."""
        with self._guard:
            self.service.hear(heard, events=events)

    def throw(self, throw: TowerThrow, heard: Heard) -> None:
        """A throw the tower felt or read, with its message. Raises JournalError."""
        with self._guard:
            self.service.throw(throw, heard)

    def recall(self, die: TowerThrow) -> None:
        """The one opening die that the tower had read before the program was started again."""
        with self._guard:
            self.service.recall(die)

    def set_witnesses(self, who: Witnesses, camera_on: bool) -> None:
        """Whose word makes a throw from now on."""
        with self._guard:
            self._witnesses = (who, camera_on)
            self.service.set_witnesses(who, camera_on)

    def set_camera(self, on: bool) -> None:
        """Whether the table has a camera from now on."""
        with self._guard:
            if not on:
                self._away.pop(CAMERA, None)
            self.set_witnesses(self._witnesses[0], on)

    def set_inside(self, inside: bool) -> None:
        """Whether the dice stay inside the box that is connected from now on: its word alone makes a throw then."""
        with self._guard:
            self._inside = inside
            self.service.set_inside(inside)

    def slept(self) -> None:
        """The program stood still since the last `tick`."""
        with self._guard:
            self.service.slept()

    def close(self) -> None:
        """The program ends."""
        with self._guard:
            self.service.left()

    def tick(self) -> None:
        """The passing of time."""
        with self._guard:
            self._note_away()  # what could not be written when it went
            self.service.tick()
