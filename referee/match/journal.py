"""The log of one match as the table service needs it. `referee.records.store` keeps it in SQLite; tests may keep it in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.match.events import Logged


class JournalError(Exception):
    """The log cannot be read or written; the message is one sentence for the user. Nothing was changed."""


class NoRoom(JournalError):
    """The disk is full."""


class Conflict(JournalError):
    """Another writer was first: the expected sequence is not the last one."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A device's message or a reading that led to nothing, unique by (device, boot, sequence). ``text`` as it came."""

    device: str
    boot: int
    sequence: int
    text: str
    at: float = 0.0


class Journal(Protocol):
    """Append-only. Rows are chained by hash, so that a change behind our back shows."""

    def read(self) -> tuple[Logged, ...]:
        """All events, in order. Raises JournalError when the chain is broken."""
        ...

    def append(self, events: Sequence[Logged], heard: Sequence[Heard] = ()) -> None:
        """Commits ``events`` (their sequences follow the last one without a gap, from 1) and ``heard`` in one transaction, durable
        when this returns. A `Heard` already known is left out. Raises Conflict or JournalError, and then nothing of it is stored."""
        ...

    def try_out(self) -> None:
        """Finds out whether something could be kept now, and keeps nothing. Raises JournalError where it could not."""
        ...


class MemoryJournal:
    """A journal that lasts as long as the process: for the demo's rehearsals and for recorded sources."""

    def __init__(self) -> None:
        self._rows: list[Logged] = []

    def read(self) -> tuple[Logged, ...]:
        return tuple(self._rows)

    def append(self, events: Sequence[Logged], heard: Sequence[Heard] = ()) -> None:
        if [e.seq for e in events] != list(range(len(self._rows) + 1, len(self._rows) + 1 + len(events))):
            raise Conflict("the log has moved on")
        self._rows.extend(events)

    def try_out(self) -> None:
        """Memory can always keep more."""
