"""The database as a file: where it is, whether it is ours, and what is said when it cannot be used."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from referee.files import disk_full
from referee.match.journal import JournalError, NoRoom

APPLICATION_ID = 0x42475246  # "BGRF" in the file's header
SCHEMA = 1
ROOM = 256 * 1024  # bytes: more than a moment at the table takes, so that there is room for the next one too


def path_of(where: str | Path) -> Path:
    """The file that a path or an ``sqlite:///`` address names; its folder is made. Raises JournalError."""
    if isinstance(where, str) and ("://" in where or where.startswith(("sqlite:", "file:"))):  # as a path: in a folder of that name
        try:
            url = make_url(where)
        except ArgumentError:
            raise JournalError(f"‘{where}’ is no database address; write sqlite:///path/to/file.db.") from None
        name = url.database or ""
        if url.get_backend_name() != "sqlite" or name in ("", ":memory:") or "\0" in name or url.query:  # its options would go unheeded
            raise JournalError("Matches are kept in an SQLite file; write sqlite:///path/to/file.db.")
        where = name
    try:
        path = Path(where).expanduser()
    except RuntimeError:
        raise JournalError(f"{where} begins with ~ and no user’s name of this computer; write the whole path.") from None
    if path.is_dir():
        raise JournalError(f"{path} is a folder; name the database file in it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return path


def check_file(path: Path) -> None:
    """Looks at the file's first 100 bytes before SQLite touches it, so that a foreign file stays as it is. Raises JournalError."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
            links = os.fstat(file.fileno()).st_nlink
    except FileNotFoundError:
        rest = path.with_name(path.name + "-wal")
        if rest.exists() and rest.stat().st_size:
            raise JournalError(f"{path} is not there, but its last rows are, in {rest.name}: put it back beside them.") from None
        return
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.") from error
    if links > 1:  # its other name has another log beside it, and SQLite would not know of it
        raise JournalError(f"{path} has a second name (a hard link), under which another program may write it; remove one, or copy it.")
    if not head or path.with_name(path.name + "-journal").exists():
        return
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise foreign(path)
    if int.from_bytes(head[60:64], "big") > SCHEMA:
        raise JournalError(f"{path} was written by a newer version of this program; install that one.")


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another of the same name, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def has_room(path: Path) -> bool:
    """Whether the disk with ``path`` has room: found out by writing, as nothing else heeds every kind of limit."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as trial:
            trial.write(bytes(ROOM))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        return not disk_full(error)  # what else keeps a file from being made there need not keep ours from being written
    return True


def moved(path: Path) -> JournalError:
    """The file is not in its place any more."""
    return JournalError(f"{path} was moved, renamed or deleted while it was open: put it back, and nothing is lost.")


def foreign(path: Path) -> JournalError:
    """The file is none of ours."""
    return JournalError(f"{path} is not a database of matches; name another file, or none to use the usual place.")


def damaged(path: Path) -> JournalError:
    """SQLite cannot read the file."""
    return JournalError(f"{path} is damaged; restore a copy, or name another file.")


def full(path: Path) -> NoRoom:
    """The disk has no room."""
    return NoRoom(f"The disk with {path} is full; make room, nothing is accepted until then.")


def changed(name: str, match: int, row: int) -> JournalError:
    """A row of a match in the file ``name`` is not what this program wrote there."""
    return JournalError(f"Row {row} of match {match} in {name} was changed; the match cannot be used. Restore a copy.")


def gone(name: str, match: int, row: int) -> JournalError:
    """A row is missing."""
    return JournalError(f"Row {row} of match {match} in {name} is gone; the match cannot be used. Restore a copy.")


def newer(name: str, match: int, row: int, kind: str, version: int) -> JournalError:
    """A row holds what only a newer program knows."""
    return JournalError(
        f"Row {row} of match {match} in {name} holds a ‘{kind}’ of version {version}, which this version of the program does not know."
    )


def unread(name: str, match: int, row: int, what: str) -> JournalError:
    """A row holds ``what`` cannot be understood, in half a sentence."""
    return JournalError(f"Row {row} of match {match} in {name} {what}.")


def unusable(path: Path, error: BaseException | None) -> JournalError:
    """What an error of SQLite means."""
    message = str(error)
    low = message.lower()
    if "full" in low:
        return full(path)
    if "readonly" in low or "read-only" in low:
        return JournalError(f"{path} is read-only; make it writable, nothing is accepted until then.")
    if "locked" in low:
        return JournalError(f"{path} is in use by another program; close that one.")
    if "constraint" in low:
        return JournalError(f"{path} was changed by another program while it was open; close that one and start the referee again.")
    if any(sign in low for sign in ("malformed", "not a database", "corrupt", "no such", "no column")):
        return damaged(path)
    if "i/o error" in low:
        return JournalError(f"The disk with {path} cannot be written; nothing is accepted until it can.")
    if "unable to open" in low:
        return JournalError(f"{path} cannot be opened; check that the folder exists and may be written to.")
    return JournalError(f"{path} cannot be used: {message}.")
