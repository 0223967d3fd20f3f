"""The matches of one table in one SQLite file: append-only logs, durable when `append` returns, one writing process.

A row of ``events`` carries the hash of the row before it, so a change behind our back shows when the log is read. Rows are
never changed (triggers refuse it); deleting takes a whole match and leaves a tombstone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from referee.match.events import Evidence, Logged, Role
from referee.match.journal import Conflict, Heard, JournalError
from referee.match.state import MatchState, fold
from referee.records.codec import VERSION, CodecError, decode_event, encode_event
from referee.records.lock import WriterLock

APPLICATION_ID = 0x42475246  # "BGRF" in the file's header
SCHEMA = 1
BUSY_S = 5.0

_meta = sa.MetaData()
_matches = sa.Table(
    "matches", _meta,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("deleted", sa.Text),
    sqlite_autoincrement=True,
)
_events = sa.Table(
    "events", _meta,
    sa.Column("match", sa.Integer, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("captured", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("committed", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("frame", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("evidence_file", sa.Text),
    sa.Column("evidence_hash", sa.Text),
    sa.Column("before", sa.Text, nullable=False),
)
_heard = sa.Table(
    "heard", _meta,
    sa.Column("device", sa.Text, primary_key=True),
    sa.Column("boot", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("match", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
_TRIGGERS = (
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER events_remain BEFORE DELETE ON events WHEN (SELECT deleted FROM matches WHERE id = OLD.match) IS NULL"
    " BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
)


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """One match of the store: ``state`` is its fold. ``created`` UTC, ISO 8601. ``problem``: why its log cannot be used (the
    state is empty then)."""

    id: int
    created: str
    state: MatchState
    problem: str = ""


class Store:
    """Opens (and makes) the file at ``where``, a path or an ``sqlite:///`` URL, and holds it against other writers.

    Raises JournalError with one sentence when it is not ours, damaged, newer than this program, held by another process or
    cannot be written; nothing is changed then.
    """

    def __init__(self, where: str | Path) -> None:
        self.path = _path(where)
        _check_header(self.path)
        self._guard = threading.RLock()
        self._folded: dict[int, MatchState] = {}
        self._writer = WriterLock(self.path)
        try:
            self._engine = sa.create_engine(
                sa.URL.create("sqlite", database=str(self.path)), connect_args={"timeout": BUSY_S}, poolclass=sa.pool.QueuePool
            )
            sa.event.listen(self._engine, "connect", _on_connect)
            sa.event.listen(self._engine, "begin", _on_begin)
            with self._sentences(), self._engine.connect() as raw:
                self._prepare(raw)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets the file go."""
        if hasattr(self, "_engine"):
            self._engine.dispose()
        self._writer.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_match(self) -> MatchJournal:
        """An empty match, at the end of the list."""
        with self._guard, self._sentences(), self._engine.begin() as db:
            key = db.execute(sa.insert(_matches).values(created=_utc())).inserted_primary_key
        assert key is not None
        return MatchJournal(self, int(key[0]))

    def journal(self, match: int) -> MatchJournal:
        """The log of match ``match``. Raises JournalError when there is no such match (any more)."""
        if match not in self._ids():
            raise JournalError(f"There is no match {match} in {self.path.name}.")
        return MatchJournal(self, match)

    def matches(self) -> tuple[MatchInfo, ...]:
        """All matches that were not deleted, oldest first."""
        with self._guard, self._sentences(), self._engine.connect() as db:
            counts = sa.select(_events.c.match, sa.func.max(_events.c.seq)).group_by(_events.c.match)
            last = {row[0]: row[1] for row in db.execute(counts)}
        found = []
        for key, created in self._ids().items():
            known = self._folded.get(key)
            if known is None or known.seq != last.get(key, 0):  # a finished match is folded once
                try:
                    known = self._folded[key] = replace(fold(MatchJournal(self, key).read()), before=None)
                except JournalError as error:
                    found.append(MatchInfo(key, created, MatchState(), str(error)))
                    continue
            found.append(MatchInfo(key, created, known))
        return tuple(found)

    def latest(self) -> MatchJournal:
        """The newest match, or a new one in an empty store."""
        ids = self._ids()
        return MatchJournal(self, max(ids)) if ids else self.new_match()

    def delete(self, match: int) -> tuple[str, ...]:
        """Removes a match and leaves its tombstone; returns its evidence files, which the caller removes."""
        with self._guard, self._sentences(), self._engine.begin() as db:
            mine = _events.c.match == match
            files = db.execute(sa.select(_events.c.evidence_file).where(mine, _events.c.evidence_file.is_not(None))).scalars().all()
            found = db.execute(sa.update(_matches).where(_matches.c.id == match, _matches.c.deleted.is_(None)).values(deleted=_utc()))
            if found.rowcount == 0:
                raise JournalError(f"There is no match {match} in {self.path.name}.")
            db.execute(sa.delete(_events).where(mine))
            db.execute(sa.delete(_heard).where(_heard.c.match == match))
        return tuple(dict.fromkeys(files))

    def knows(self, said: Heard) -> bool:
        """Whether this very message was kept before, in whichever match. Raises JournalError."""
        with self._guard, self._sentences(), self._engine.connect() as db:
            key = (_heard.c.device == said.device) & (_heard.c.boot == said.boot) & (_heard.c.sequence == said.sequence)
            return db.execute(sa.select(sa.literal(1)).where(key)).first() is not None

    def heard(self, match: int) -> tuple[Heard, ...]:
        """What devices said during ``match``, in the order it came."""
        with self._guard, self._sentences(), self._engine.connect() as db:
            query = sa.select(_heard).where(_heard.c.match == match).order_by(sa.text("rowid"))
            return tuple(Heard(r.device, r.boot, r.sequence, r.text, r.at) for r in db.execute(query))

    def _ids(self) -> dict[int, str]:
        with self._guard, self._sentences(), self._engine.connect() as db:
            query = sa.select(_matches.c.id, _matches.c.created).where(_matches.c.deleted.is_(None)).order_by(_matches.c.id)
            return {row.id: row.created for row in db.execute(query)}

    def _prepare(self, db: sa.Connection) -> None:
        """Makes the tables of a new file in one transaction; switches to write-ahead logging."""
        if db.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION_ID:
            if db.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
                raise JournalError(_foreign(self.path))
            _meta.create_all(db)
            for trigger in _TRIGGERS:
                db.exec_driver_sql(trigger)
            db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            db.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")
        db.commit()
        driver = db.connection.dbapi_connection
        assert driver is not None
        cursor = driver.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        if cursor.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise JournalError(_damaged(self.path))

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turns the driver's errors into one sentence each."""
        try:
            yield
        except DBAPIError as error:
            raise JournalError(_sentence(self.path, str(error.orig))) from error
        except sqlite3.Error as error:
            raise JournalError(_sentence(self.path, str(error))) from error


class MatchJournal:
    """The log of one match in a `Store`; a `referee.match.journal.Journal`."""

    def __init__(self, store: Store, match: int) -> None:
        self.store = store
        self.match = match
        self._last: tuple[int, str] | None = None

    @property
    def last_seq(self) -> int:
        return self._end()[0]

    def read(self, after: int = 0) -> tuple[Logged, ...]:
        store = self.store
        with store._guard, store._sentences(), store._engine.connect() as db:
            rows = db.execute(sa.select(_events).where(_events.c.match == self.match).order_by(_events.c.seq)).all()
        before, found = "", []
        for expected, row in enumerate(rows, start=1):
            if row.seq != expected or row.before != before:
                raise JournalError(
                    f"The log of match {self.match} in {store.path.name} was changed at row {row.seq}; it is not used. Restore a copy."
                )
            before = _hash(row._mapping)
            found.append(_logged(row, store.path))
        self._last = (len(rows), before)
        return tuple(found[after:])

    def append(self, events: Sequence[Logged], heard: Sequence[Heard] = ()) -> None:
        store = self.store
        with store._guard:
            seq, before = self._end()
            if [one.seq for one in events] != list(range(seq + 1, seq + 1 + len(events))):
                raise Conflict("The log has moved on; look again.")
            rows, committed = [], _utc()
            for one in events:
                rows.append(_row(self.match, one, committed, before))
                before = _hash(rows[-1])
            with store._sentences(), store._engine.begin() as db:
                if rows:
                    db.execute(sa.insert(_events), rows)
                for said in heard:
                    db.execute(
                        sa.insert(_heard).prefix_with("OR IGNORE").values(
                            device=said.device, boot=said.boot, sequence=said.sequence, match=self.match, at=said.at, text=said.text
                        )
                    )
            self._last = (seq + len(events), before)

    def _end(self) -> tuple[int, str]:
        """The last row's sequence and hash, as this process wrote or read it: nobody else writes."""
        if self._last is None:
            self.read()
        assert self._last is not None
        return self._last


def _row(match: int, one: Logged, committed: str, before: str) -> dict[str, Any]:
    return {
        "match": match, "seq": one.seq, "type": type(one.event).type, "version": VERSION, "captured": one.captured, "at": float(one.at),
        "committed": committed, "source": one.source, "role": one.role.value, "frame": one.frame,
        "payload": json.dumps(encode_event(one.event), separators=(",", ":"), ensure_ascii=False),
        "evidence_file": one.evidence.file if one.evidence else None,
        "evidence_hash": one.evidence.sha256 if one.evidence else None, "before": before,
    }


def _hash(row: Any) -> str:
    """SHA-256 of a row as a JSON list in the order of its columns, the hash of the row before among them."""
    text = json.dumps([row[column.name] for column in _events.columns], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _logged(row: Any, path: Path) -> Logged:
    try:
        event = decode_event(row.type, row.version, json.loads(row.payload))
        evidence = Evidence(row.evidence_file, row.evidence_hash or "") if row.evidence_file is not None else None
        return Logged(row.seq, event, row.at, row.captured, row.source, Role(row.role), row.frame, evidence)
    except (CodecError, ValueError) as error:
        raise JournalError(f"Row {row.seq} of match {row.match} in {path.name} {error}.") from error


def _path(where: str | Path) -> Path:
    if isinstance(where, str) and "://" in where:
        try:
            url = make_url(where)
        except ArgumentError:
            raise JournalError(f"'{where}' is no database address; write sqlite:///path/to/file.db.") from None
        if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
            raise JournalError("Matches are kept in an SQLite file; write sqlite:///path/to/file.db.")
        where = url.database
    path = Path(where).expanduser()
    if path.is_dir():
        raise JournalError(f"{path} is a folder; name the database file in it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return path


def _check_header(path: Path) -> None:
    """Looks at the file's first 100 bytes before SQLite touches it, so that a foreign file stays as it is."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        return
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.") from error
    if not head or path.with_name(path.name + "-journal").exists():
        return
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise JournalError(_foreign(path))
    if int.from_bytes(head[60:64], "big") > SCHEMA:
        raise JournalError(f"{path} was written by a newer version of this program; install that one.")


def _foreign(path: Path) -> str:
    return f"{path} is not a database of matches; name another file, or none to use the usual place."


def _damaged(path: Path) -> str:
    return f"{path} is damaged; restore a copy, or name another file."


def _sentence(path: Path, message: str) -> str:
    low = message.lower()
    if "full" in low:
        return f"The disk with {path} is full; make room, nothing is accepted until then."
    if "readonly" in low or "read-only" in low:
        return f"{path} is read-only; make it writable, nothing is accepted until then."
    if "locked" in low:
        return f"{path} is in use by another program; close that one."
    if "constraint" in low:
        return f"{path} was changed by another program while it was open; close that one and start the referee again."
    if any(sign in low for sign in ("malformed", "not a database", "corrupt", "no such", "no column")):
        return _damaged(path)
    if "i/o error" in low:
        return f"The disk with {path} cannot be written; nothing is accepted until it can."
    if "unable to open" in low:
        return f"{path} cannot be opened; check that the folder exists and may be written to."
    return f"{path} cannot be used: {message}."


def _on_connect(driver: Any, _record: Any) -> None:
    driver.isolation_level = None  # transactions begin where we say so, below
    cursor = driver.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _on_begin(db: sa.Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE")


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
