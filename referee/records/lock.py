"""Holds a file against a second writing process, on every system, and lets go when the process dies.

The lock is an exclusive transaction on an empty SQLite file beside it: SQLite already knows how each system locks.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from referee.match.journal import JournalError
from referee.records.dbfile import full, has_room


def held_alone(file: Path, wait: float = 0.0) -> sqlite3.Connection:
    """What holds ``file`` for this process until it is closed. Raises `sqlite3.Error`: with "locked" in its words where another holds it
    still after ``wait`` seconds, otherwise since nothing can be written beside it."""
    real = file.resolve()  # a link to the file is the same file
    held = sqlite3.connect(real.with_name(real.name + "-writer"), timeout=wait, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        held.close()
        raise
    return held


class WriterLock:
    """Held from construction to `release`. Raises JournalError when another process (or table) holds it."""

    def __init__(self, database: Path) -> None:
        try:
            self._held: sqlite3.Connection | None = held_alone(database)
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise JournalError(f"{database} is in use by another referee; close that one or name another file with --db.") from error
            if not has_room(database):
                raise full(database) from error
            raise JournalError(f"{database} cannot be written: its folder is read-only or missing.") from error

    def release(self) -> None:
        """Lets go; a second call does nothing."""
        if self._held is not None:
            self._held.close()
            self._held = None
