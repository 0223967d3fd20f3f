"""A journal on a disk that may be full."""

from __future__ import annotations

from collections.abc import Sequence

from referee.match.events import Logged
from referee.match.journal import Heard, JournalError, MemoryJournal


class FullDisk(MemoryJournal):
    """Keeps nothing while it is ``full``."""

    full = False

    def append(self, events: Sequence[Logged], heard: Sequence[Heard] = ()) -> None:
        self.try_out()
        super().append(events, heard)

    def try_out(self) -> None:
        if self.full:
            raise JournalError("The disk is full.")
