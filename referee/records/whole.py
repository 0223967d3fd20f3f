"""A refereed match in any format, and its whole log as plain rows: the lossless form, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.match.events import Evidence, GameWon, Logged, MatchStarted, Role, RulesSet, TurnSet
from referee.match.log import effective
from referee.records.codec import VERSION, CodecError, decode, decode_event, encode_event
from referee.records.export import record_of
from referee.records.formats import WRITERS, lost_in
from referee.records.jsonrecord import write_json
from referee.records.record import NotARecord, Record
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import Kind

TURN_LOST = "who is on roll, set by hand: only .json says so"
LOG_LOST = "the clock, rulings, doubts, resignations that were refused, and pictures: only .json has them"
GAMMONS_LOST = "how these rules count gammons and backgammons: other programs count them their own way"


@dataclass(frozen=True, slots=True)
class Whole:
    """A match as its record, which every format can tell, and as its ``log``; that is empty where another program kept the match."""

    record: Record
    log: Sequence[Logged]

    @staticmethod
    def of(log: Sequence[Logged]) -> Whole:
        """The match of ``log``."""
        return Whole(record_of(log), log)

    def written(self, ending: str) -> str:
        """The match as a file of this ending (`.mat .sgf .txt .json`); `.json` has the whole log in it. Raises KeyError."""
        return write_json(self.record, rows_of(self.log)) if ending == ".json" and self.log else WRITERS[ending](self.record)

    def lost(self, *endings: str) -> tuple[str, ...]:
        """What files of these endings cannot carry of it, one sentence each."""
        found = (one for ending in endings for one in (*lost_in(self.record, ending), *_lost_beside(self.log, ending)))
        return tuple(dict.fromkeys(found))


def _lost_beside(log: Sequence[Logged], ending: str) -> tuple[str, ...]:
    """What the record of the match does not show to be lost, as only the log says it."""
    if ending == ".json" or not log:
        return ()
    events = [one.event for one in effective(log)]
    rules = next((event.rule_set for event in reversed(events) if isinstance(event, MatchStarted | RulesSet) and event.rule_set), RuleSet())
    gammon = any(isinstance(event, GameWon) and event.kind is not Kind.SINGLE for event in events)
    said = {
        TURN_LOST: any(isinstance(event, TurnSet) for event in events),
        GAMMONS_LOST: gammon and _counting(rules) != _counting(RuleSet()),
        LOG_LOST: True,
    }
    return tuple(text for text, lost in said.items() if lost)


def _counting(rules: RuleSet) -> tuple[object, ...]:
    return rules.gammon_if, rules.backgammon_if, rules.backgammon_pays


def rows_of(log: Sequence[Logged]) -> list[dict[str, Any]]:
    """Every event with when, by whom and on what evidence it was logged, undone ones too, as plain values."""
    return [
        {
            "seq": one.seq,
            "type": type(one.event).type,
            "version": VERSION,
            "at": one.at,
            "captured": one.captured,
            "source": one.source,
            "role": one.role.value,
            "frame": one.frame,
            "evidence": {"file": one.evidence.file, "sha256": one.evidence.sha256} if one.evidence else None,
            "event": encode_event(one.event),
        }
        for one in log
    ]


def log_of(text: str) -> tuple[Logged, ...]:
    """The log in a `.json` written by `Whole.written`, as it was; empty when the document has none. Raises `NotARecord`."""
    try:
        rows = list(json.loads(text).get("log", []))
        json.dumps(rows, ensure_ascii=False).encode()  # JSON can name half a character, which no file can hold
    except (TypeError, ValueError, AttributeError, RecursionError):
        raise NotARecord("the log in this record is damaged") from None
    return tuple(_logged(row, number) for number, row in enumerate(rows, 1))


def _logged(row: dict[str, Any], number: int) -> Logged:
    """One entry, the ``number``-th, of a record's log."""
    try:
        return Logged(
            int(row["seq"]),
            decode_event(row["type"], row["version"], row["event"]),
            float(row["at"]),
            str(row["captured"]),
            str(row["source"]),
            Role(row["role"]),
            str(row["frame"]),
            decode(Evidence, row["evidence"]) if row["evidence"] else None,
        )
    except CodecError as error:
        raise NotARecord(f"the log in this record is damaged: its entry {number} {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError):
        raise NotARecord(f"the log in this record is damaged in its entry {number}") from None
