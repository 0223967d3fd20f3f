"""Our own ``.json``: a `Record`, whole, and beside it, when it comes from the referee's journal, every logged row.

``docs/record.schema.json`` describes it. ``version`` 1; a reader refuses a later one by name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from referee.board.position import Position
from referee.match.events import Logged, MatchStarted, RulesSet, Undone
from referee.match.folding import fold
from referee.match.shown.views import position_view
from referee.records.codec import CodecError, decode_event
from referee.records.record import Action, Do, Game, NotARecord, Owner, Parsed, Record, Side
from referee.rules.ruleset import RuleSet

FORMAT = "backgammon-referee match"
VERSION = 1
LIMIT = 12_000_000  # characters; the log of a long match is a few million
ACTION_LIMIT = 50_000
STEP_LIMIT = 1_000  # a play has four; a damaged record is kept as it is
ON_THE_BOARD = 30  # checkers, of both players: no count is larger, and writers write them one by one

_RULES = frozenset({MatchStarted.type, RulesSet.type, Undone.type})
"""The rows that tell what a match is played under."""

T = TypeVar("T")
_FAULTS = (KeyError, TypeError, ValueError, IndexError, AttributeError)  # what a value that is missing or of another kind leads to


def write_json(record: Record, rows: list[dict[str, Any]] | None = None) -> str:
    """``record`` as a document; ``rows``: the journal's rows as they are stored, kept as they are."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "names": list(record.names),
        "length": record.length,
        "tags": dict(record.tags),
        "jacoby": record.jacoby,
        "crawford": record.crawford,
        "winner": record.winner.value if record.winner else None,
        "games": [_game(g) for g in record.games],
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    if rows is not None:
        lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
        text = f'{text[:-2]},\n "log": [\n{lines}\n ]\n}}'
    return text + "\n"


def _game(game: Game) -> dict[str, Any]:
    return {
        "number": game.number,
        "score": list(game.score),
        "winner": game.winner.value if game.winner else None,
        "points": game.points,
        "resigned": game.resigned,
        "crawford": game.crawford,
        "cube": game.cube,
        "awarded": list(game.awarded),
        "ruled": game.ruled,
        "actions": [_action(a) for a in game.actions],
    }


def _action(action: Action) -> dict[str, Any]:
    full = {
        "side": action.side.value,
        "do": action.do.value,
        "row": action.row or None,
        "dice": list(action.dice) if action.dice else None,
        "steps": [list(s) for s in action.steps] if action.steps is not None else None,
        "value": action.value or None,
        "position": None if action.position is None else position_view(action.position),
        "owner": action.owner.value if action.owner else None,
        "text": action.text or None,
    }
    return {key: value for key, value in full.items() if value is not None}


def read_json(text: str) -> Parsed:
    """Parses a document. Raises `NotARecord` with what is wrong."""
    if len(text) > LIMIT:
        raise NotARecord(f"the file is too large to be a match record ({len(text)} characters)")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotARecord(f"this is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise NotARecord("this is no JSON of a match: what is in it is nested too deeply, or a number has too many digits") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotARecord(f'this JSON is no match record of the referee (no "format": "{FORMAT}")')
    if document.get("version") != VERSION:
        raise NotARecord(f"this record has version {document.get('version')!r}, this program reads version {VERSION}: update it")
    try:
        names = document["names"]
        tags = tuple((_text(k), _text(v)) for k, v in dict(document.get("tags", {})).items())
        if sum(len(g["actions"]) + 1 for g in document["games"]) > ACTION_LIMIT:
            raise NotARecord("the record holds far more moves than any match")
        games = _all("game", _read_game, document["games"])
        record = Record(
            (_text(names[0]), _text(names[1])),
            _whole(document["length"]),
            games,
            tags,
            _maybe(document.get("jacoby")),
            _maybe(document.get("crawford")),
            Side(document["winner"]) if document.get("winner") is not None else None,
        )
    except _Damaged as error:
        raise NotARecord(f"the record is damaged in {error}: save it again, or compare it with docs/record.schema.json") from None
    except _FAULTS:
        said = "its names, length, tags, games or winner cannot be read"
        raise NotARecord(f"the record is damaged, {said}: save it again, or compare it with docs/record.schema.json") from None
    if not games and record.winner is None:  # a match may be given to a player before anything was played in it
        raise NotARecord("the record holds no game")
    return Parsed(record, rules=_rules(document))


def _rules(document: dict[str, Any]) -> RuleSet | None:
    """The rule set that its log ends with; None without a log, or where that cannot be read."""
    rows = document.get("log")
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict) or rows[0].get("type") != MatchStarted.type:
        return None
    telling = (row for row in rows if isinstance(row, dict) and row.get("type") in _RULES)
    try:
        rules = fold(Logged(_whole(row.get("seq")), decode_event(row["type"], VERSION, row.get("event"))) for row in telling).rule_set
    except (CodecError, RecursionError, ValueError):
        return None
    return rules if rules is not None and not rules.defects() else None


def _text(value: Any) -> str:
    """A string that can be written again: JSON can hold half a character."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _whole(value: Any, least: int = 0, most: int = 10**9 - 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"not a whole number from {least} to {most}: {value!r}")
    return value


def _maybe(value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"not true, false or null: {value!r}")
    return value


class _Damaged(Exception):
    """What cannot be read; the text says where it stands."""


def _all(word: str, read: Callable[[Any], T], values: Iterable[Any]) -> tuple[T, ...]:
    """All ``values`` as ``read`` reads them; each is called ``word`` and its number where it cannot be read."""
    found = []
    for number, value in enumerate(values, start=1):
        try:
            found.append(read(value))
        except _Damaged as error:
            raise _Damaged(f"{word} {number}, {error}") from None
        except _FAULTS as error:  # only a ValueError says what a person can use
            raise _Damaged(f"{word} {number} ({error})" if isinstance(error, ValueError) else f"{word} {number}") from None
    return tuple(found)


def _read_game(game: dict[str, Any]) -> Game:
    winner, awarded = game.get("winner"), game.get("awarded", (0, 0))
    return Game(
        _whole(game["number"]),
        (_whole(game["score"][0]), _whole(game["score"][1])),
        _all("action", _read_action, game["actions"]),
        Side(winner) if winner is not None else None,
        _whole(game.get("points", 0)),
        _maybe(game.get("resigned")),
        _maybe(game.get("crawford")),
        _whole(game.get("cube", 1)) or 1,
        (_whole(awarded[0], -(10**9)), _whole(awarded[1], -(10**9))),
        _maybe(game.get("ruled")) or False,
    )


def _read_action(action: dict[str, Any]) -> Action:
    do, dice, steps = Do(action["do"]), action.get("dice"), action.get("steps")
    if dice is not None:
        first, second = dice
        dice = (_whole(first, 1, 6), _whole(second, 1, 6))
    if do is Do.ROLL and dice is None:
        raise ValueError("a roll without dice")
    found = None
    if steps is not None:
        found = tuple((_whole(a), _whole(b)) for a, b in steps)
        if len(found) > STEP_LIMIT or any(a == b or max(a, b) > 25 for a, b in found):
            raise ValueError(f"not steps: {repr(steps)[:60]}")
    position = action.get("position")
    if position is not None:
        if found is not None and any(a <= b for a, b in found):  # as earlier versions wrote a checker that went backwards
            found = None
        (near, far), (near_off, far_off) = ((_whole(n, 0, ON_THE_BOARD) for n in position[key]) for key in ("bar", "off"))
        position = Position(tuple(_whole(n, -ON_THE_BOARD, ON_THE_BOARD) for n in position["points"]), (near, far), (near_off, far_off))
    return Action(
        Side(action["side"]),
        do,
        _whole(action.get("row", 0)),
        dice,
        found,
        _whole(action.get("value", 0)),
        position,
        _text(action.get("text", "")),
        Owner(action["owner"]) if action.get("owner") is not None else None,
    )
