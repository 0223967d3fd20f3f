"""The matches of one table in one SQLite file: append-only logs, durable when `append` returns, one writing process.

A row of ``events`` carries the hash of the row before it, so a change behind our back shows when the log is read. Rows are
never changed (triggers refuse it); deleting takes a whole match and leaves a tombstone.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from referee.match.events import (
    EVENT_TYPES,
    GameStarted,
    GameWon,
    LengthSet,
    Logged,
    MatchStarted,
    MatchWon,
    NamesSet,
    Penalised,
    RulesSet,
    ScoreSet,
    Undone,
)
from referee.match.folding import fold
from referee.match.journal import Conflict, Heard, JournalError
from referee.match.log import stamp
from referee.match.state import MatchState
from referee.records.codec import VERSION, CodecError
from referee.records.dbfile import (
    APPLICATION_ID,
    SCHEMA,
    changed,
    check_file,
    damaged,
    foreign,
    full,
    gone,
    has_room,
    identity,
    moved,
    newer,
    path_of,
    unread,
    unusable,
)
from referee.records.lock import WriterLock
from referee.records.rows import EVENTS, HEARD, MATCHES, META, TRIGGERS, hash_of, logged, row_of, sound

BUSY_S = 5.0
_UNKNOWN = stamp(datetime.fromtimestamp(0, UTC))

OUTLINE = frozenset(
    one.type for one in (MatchStarted, GameStarted, GameWon, MatchWon, NamesSet, ScoreSet, LengthSet, RulesSet, Penalised, Undone)
)
"""The events that make what a list of matches tells."""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """One match of the store: ``state`` as far as a list tells it (names, length, rules, score, game, winner, whether it is over), with
    nothing of the board. ``created`` UTC, ISO 8601, that of its first row where its own is damaged. ``problem``: why its log cannot be
    used from there on."""

    id: int
    created: str
    state: MatchState
    problem: str = ""


class Store:
    """Opens (and makes) the file at ``where``, a path or an ``sqlite:///`` URL, and holds it against other writers. ``reading``: only
    looks into a file that is there, which another process may be writing.

    Raises JournalError with one sentence when it is not ours, damaged, newer than this program, held by another process or
    cannot be written; nothing is changed then.
    """

    def __init__(self, where: str | Path, reading: bool = False) -> None:
        self.path = path_of(where)
        check_file(self.path)
        self._guard = threading.RLock()
        self._listed: dict[int, tuple[int, MatchInfo]] = {}  # by match: how long its log was, and what was told of it then
        self._reading = reading
        self._file: tuple[int, int] | None = None
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)), connect_args={"timeout": BUSY_S}, poolclass=sa.pool.QueuePool,
            execution_options={"looking": reading},
        )
        self._writer = None if reading else WriterLock(self.path)
        try:
            sa.event.listen(self._engine, "connect", _on_connect_to_read if reading else _on_connect)
            sa.event.listen(self._engine, "begin", _on_begin)
            with self._sentences(), self._engine.connect() as raw:
                self._prepare(raw)
            self._file = None if reading else identity(self.path)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets the file go."""
        self._engine.dispose()
        if self._writer is not None:
            self._writer.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_match(self) -> MatchJournal:
        """An empty match, at the end of the list."""
        with self._guard, self._sentences(), self._engine.begin() as db:
            return MatchJournal(self, _add(db))

    def next_match(self) -> MatchJournal:
        """A match that comes to the end of the list with its first rows, in one transaction: without them there is none."""
        return MatchJournal(self, 0)

    def journal(self, match: int) -> MatchJournal:
        """The log of match ``match``. Raises JournalError when there is no such match (any more)."""
        if match not in self._ids():
            raise JournalError(f"There is no match {match} in {self.path.name}.")
        return MatchJournal(self, match)

    def matches(self) -> tuple[MatchInfo, ...]:
        """All matches that were not deleted, oldest first."""
        with self._looking() as db:
            counts = sa.select(EVENTS.c.match, sa.func.max(EVENTS.c.seq)).group_by(EVENTS.c.match)
            last = {row[0]: row[1] for row in db.execute(counts)}
        found = []
        for key, created in self._ids().items():
            length, (seq, info) = last.get(key, 0), self._listed.get(key, (-1, None))
            if info is None or seq != length:  # a finished match is read once
                log, problem = MatchJournal(self, key).readable(OUTLINE)
                begun = next(filter(_is_moment, (created, *(one.captured for one in log[:1]))), _UNKNOWN)
                info = MatchInfo(key, begun, replace(fold(log), before=None), problem)
                if not problem:
                    self._listed[key] = (length, info)
            found.append(info)
        return tuple(found)

    def latest(self) -> MatchJournal:
        """The match that was last written to; the newest where that has no row yet, and a new one in an empty store or where the last is
        damaged and cannot go on."""
        with self._looking() as db:
            last = db.execute(sa.select(EVENTS.c.match).order_by(sa.text("rowid DESC")).limit(1)).scalar()
        written = MatchJournal(self, last) if last is not None else None
        if written is not None and not written.readable()[1]:
            return written
        newest = MatchJournal(self, max(self._ids(), default=0))
        return newest if newest.match and newest.readable() == ((), "") else self.new_match()

    def delete(self, match: int) -> None:
        """Removes a match and leaves its tombstone; its pictures are left to `Pictures`."""
        with self._guard, self._sentences(), self._engine.begin() as db:
            mine = EVENTS.c.match == match
            found = db.execute(sa.update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.deleted.is_(None)).values(deleted=_utc()))
            if found.rowcount == 0:
                raise JournalError(f"There is no match {match} in {self.path.name}.")
            db.execute(sa.delete(EVENTS).where(mine))
            db.execute(sa.delete(HEARD).where(HEARD.c.match == match))

    def deleted(self) -> tuple[int, ...]:
        """The numbers of the matches that were deleted."""
        with self._looking() as db:
            return tuple(db.execute(sa.select(MATCHES.c.id).where(MATCHES.c.deleted.is_not(None))).scalars())

    def kept(self, device: str, boot: int, sequence: int | None = None) -> Heard | None:
        """The message of a device that was kept under these numbers, in whichever match; without ``sequence`` the last of that boot.
        Raises JournalError."""
        mine = (HEARD.c.device == device) & (HEARD.c.boot == boot)
        if sequence is not None:
            mine &= HEARD.c.sequence == sequence
        with self._looking() as db:
            r = db.execute(sa.select(HEARD).where(mine).order_by(HEARD.c.sequence.desc()).limit(1)).first()
            return None if r is None else Heard(r.device, r.boot, r.sequence, r.text, r.at)

    def heard(self, match: int) -> tuple[Heard, ...]:
        """What devices said during ``match``, in the order it came."""
        with self._looking() as db:
            query = sa.select(HEARD).where(HEARD.c.match == match).order_by(sa.text("rowid"))
            return tuple(Heard(r.device, r.boot, r.sequence, r.text, r.at) for r in db.execute(query))

    def last_device(self) -> str:
        """The device that was heard last, in whichever match; empty when none was. Raises JournalError."""
        with self._looking() as db:
            return str(db.execute(sa.select(HEARD.c.device).order_by(sa.text("rowid DESC")).limit(1)).scalar() or "")

    def _ids(self) -> dict[int, str]:
        with self._looking() as db:
            query = sa.select(MATCHES.c.id, MATCHES.c.created).where(MATCHES.c.deleted.is_(None)).order_by(MATCHES.c.id)
            return {int(row.id): str(row.created) for row in db.execute(query)}

    def _prepare(self, db: sa.Connection) -> None:
        """Makes the tables of a new file in one transaction; switches to write-ahead logging."""
        if db.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION_ID:
            if self._reading or db.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
                raise foreign(self.path)
            META.create_all(db)
            for trigger in TRIGGERS:
                db.exec_driver_sql(trigger)
            db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            db.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")
        db.commit()
        driver = db.connection.dbapi_connection
        assert driver is not None
        cursor = driver.cursor()
        if not self._reading:
            cursor.execute("PRAGMA journal_mode = WAL")
        if cursor.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise damaged(self.path)

    @contextlib.contextmanager
    def _looking(self) -> Iterator[sa.Connection]:
        """The file at one moment, held up neither by who writes nor by who waits to."""
        with self._sentences(), self._engine.connect().execution_options(looking=True) as db:
            yield db

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turns the driver's errors into one sentence each. Nothing is read or written once the file is not in its place: SQLite would
        begin another there, and take it for the one whose last rows lie beside it."""
        if self._file is not None and identity(self.path) != self._file:
            raise moved(self.path)
        try:
            yield
        except DBAPIError as error:
            raise unusable(self.path, error.orig) from error
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error
        except UnicodeDecodeError:  # of its own words on a damaged file
            raise damaged(self.path) from None


class MatchJournal:
    """The log of one match in a `Store`; a `referee.match.journal.Journal`. ``match`` is 0 while it is not in the list yet."""

    def __init__(self, store: Store, match: int) -> None:
        self.store = store
        self.match = match
        self._last: tuple[int, str] | None = None

    def read(self) -> tuple[Logged, ...]:
        found, problem = self.readable()
        if problem:
            raise JournalError(problem)
        return found

    def readable(self, types: Set[str] = EVENT_TYPES.keys()) -> tuple[tuple[Logged, ...], str]:
        """The log as far as it is sound, and what is wrong with it after that (empty: nothing); only events of these ``types``, for
        whoever needs no others, though every row is looked at. Raises JournalError when the file itself cannot be read."""
        store = self.store
        with store._looking() as db:
            rows = db.execute(sa.select(EVENTS).where(EVENTS.c.match == self.match).order_by(EVENTS.c.seq)).all()
        found: list[Logged] = []
        name, before = store.path.name, ""
        for expected, row in enumerate(rows, start=1):
            if row.seq == expected and row.before != before:  # the hash is of the row before, which is no longer what was written
                return tuple(one for one in found if one.seq < expected - 1), str(changed(name, self.match, max(1, expected - 1)))
            if row.seq != expected:
                return tuple(found), str(gone(name, self.match, expected))
            mark = hash_of(row) if sound(row) else ""
            if not mark:
                return tuple(found), str(changed(name, self.match, expected))
            if row.type not in EVENT_TYPES or row.version > VERSION:
                return tuple(found), str(newer(name, self.match, expected, row.type, row.version))
            try:
                if row.type in types or expected == len(rows):
                    found.append(logged(row))  # the last one, too, for no hash tells of it yet
                before = mark
            except CodecError as error:
                return tuple(found), str(unread(name, self.match, expected, str(error)))
            except (ValueError, RecursionError):
                return tuple(found), str(changed(name, self.match, expected))
        self._last = self._last or (len(rows), before)  # `append` keeps it from then on, whoever looks meanwhile
        return tuple(found), ""

    def append(self, events: Sequence[Logged], heard: Sequence[Heard] = ()) -> None:
        store = self.store
        with store._guard:
            seq, before = self._end()
            if [one.seq for one in events] != list(range(seq + 1, seq + 1 + len(events))):
                raise Conflict("The log has moved on; look again.")
            rows, committed = [], _utc()
            with store._sentences(), store._engine.begin() as db:
                match = self.match or _add(db)
                for one in events:
                    rows.append(row_of(match, one, committed, before))
                    before = hash_of(tuple(rows[-1].values()))
                if rows:
                    db.execute(sa.insert(EVENTS), rows)
                for said in heard:
                    db.execute(
                        sa.insert(HEARD).prefix_with("OR IGNORE").values(
                            device=said.device, boot=said.boot, sequence=said.sequence, match=match, at=said.at, text=said.text
                        )
                    )
            self.match, self._last = match, (seq + len(events), before)

    def try_out(self) -> None:
        store = self.store
        with store._guard, store._sentences():
            if not has_room(store.path):
                raise full(store.path)
            with store._engine.begin() as db:
                db.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")  # as it is: written all the same

    def _end(self) -> tuple[int, str]:
        """The last row's sequence and hash, as this process wrote or read it: nobody else writes."""
        if self._last is None:
            self.read()
        assert self._last is not None
        return self._last


def _add(db: sa.Connection) -> int:
    """A new match; its number."""
    key = db.execute(sa.insert(MATCHES).values(created=_utc())).inserted_primary_key
    assert key is not None
    return int(key[0])


def _on_connect(driver: Any, _record: Any) -> None:
    driver.isolation_level = None  # transactions begin where we say so, below
    driver.text_factory = _text
    cursor = driver.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _on_connect_to_read(driver: Any, record: Any) -> None:
    _on_connect(driver, record)
    driver.execute("PRAGMA query_only = ON").close()


def _text(data: bytes) -> str:
    """What is no text stays recognisable as none; it is found out row by row."""
    return data.decode("utf-8", "surrogateescape")


def _on_begin(db: sa.Connection) -> None:
    db.exec_driver_sql("BEGIN" if db.get_execution_options().get("looking") else "BEGIN IMMEDIATE")


def _is_moment(text: str) -> bool:
    """Whether this is a moment as it is written here: no hash tells of one that was changed."""
    try:
        return stamp(datetime.fromisoformat(text)) == text and 1900 < int(text[:4]) < 2100  # any zone's day of it can be told
    except ValueError:
        return False


def _utc() -> str:
    return stamp(datetime.now(UTC))
