"""The tables of the database, and an event as a row of them, with its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from referee.match.events import Evidence, Logged, Role
from referee.records.codec import VERSION, decode_event, encode_event

META = sa.MetaData()
MATCHES = sa.Table(
    "matches", META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("deleted", sa.Text),
    sqlite_autoincrement=True,
)
EVENTS = sa.Table(
    "events", META,
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
HEARD = sa.Table(
    "heard", META,
    sa.Column("device", sa.Text, primary_key=True),
    sa.Column("boot", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("match", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
TRIGGERS = (
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER events_remain BEFORE DELETE ON events WHEN (SELECT deleted FROM matches WHERE id = OLD.match) IS NULL"
    " BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
)


def row_of(match: int, one: Logged, committed: str, before: str) -> dict[str, Any]:
    """The row of an event of ``match`` that is ``committed`` now (UTC, ISO 8601); ``before``: the hash of the row before it."""
    return {
        "match": match, "seq": one.seq, "type": type(one.event).type, "version": VERSION, "captured": one.captured, "at": float(one.at),
        "committed": committed, "source": one.source, "role": one.role.value, "frame": one.frame,
        "payload": json.dumps(encode_event(one.event), separators=(",", ":"), ensure_ascii=False),
        "evidence_file": one.evidence.file if one.evidence else None,
        "evidence_hash": one.evidence.sha256 if one.evidence else None, "before": before,
    }


def hash_of(row: Sequence[Any]) -> str:
    """SHA-256 of a row as a JSON list in the order of its columns, the hash of the row before among them; empty where it holds half a
    letter, which this program writes nowhere."""
    try:
        return hashlib.sha256(json.dumps(list(row), ensure_ascii=False).encode()).hexdigest()
    except UnicodeEncodeError:
        return ""


_KINDS = tuple(
    ({"match": int, "seq": int, "version": int, "at": float}.get(column.name, str), type(None) if column.nullable else None)
    for column in EVENTS.columns
)


def sound(row: Sequence[Any]) -> bool:
    """Whether every column holds what this program writes there: whoever changed a row by hand may have put anything in."""
    return all(type(value) in kinds for value, kinds in zip(row, _KINDS, strict=True))


def logged(row: Any) -> Logged:
    """The event of a `sound` row. Raises CodecError or ValueError with half a sentence."""
    event = decode_event(row.type, row.version, json.loads(row.payload))
    evidence = Evidence(row.evidence_file, row.evidence_hash or "") if row.evidence_file is not None else None
    return Logged(row.seq, event, row.at, row.captured, row.source, Role(row.role), row.frame, evidence)
