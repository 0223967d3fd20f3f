"""Holds a database against a second writing process, on every system, and lets go when the process dies.

The lock is an exclusive transaction on an empty SQLite file beside the database: SQLite already knows how each system locks.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from referee.match.journal import JournalError
from referee.records.dbfile import full, has_room


class WriterLock:
    """Held from construction to `release`. Raises JournalError when another process (or table) holds it."""

    def __init__(self, database: Path) -> None:
        real = database.resolve()  # a link to the database is the same database
        file = real.with_name(real.name + "-writer")
        held = None
        try:
            held = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if held is not None:
                held.close()
            if "locked" in str(error):
                raise JournalError(f"{database} is in use by another referee; close that one or name another file with --db.") from error
            if not has_room(database):
                raise full(database) from error
            raise JournalError(f"{database} cannot be written: its folder is read-only or missing.") from error
        self._held: sqlite3.Connection | None = held

    def release(self) -> None:
        """Lets go; a second call does nothing."""
        if self._held is not None:
            self._held.close()
            self._held = None
