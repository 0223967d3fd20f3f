"""What stands in one field of a record in columns: the words and steps of a play, the board after an illegal one."""

from __future__ import annotations

import re
from itertools import pairwise

from referee.board.position import START, Position
from referee.records.record import Action, Side, Step

_STILL = re.compile(r"(\d{1,2}|bar|off)/\1(\(\d\))?$", re.I)
_ROLLED = re.compile("[1-6][1-6]:")
_STEP = re.compile(r"^(bar|off|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?\*?$", re.I)


def words_of(play: str) -> list[str]:
    """The words of a play; marks such as ``!``, ``??`` and ``ILLEGAL?`` are none, nor is ``0/0`` or ``25/25``: a die that nothing was
    played with."""
    words = (marked.strip("?!") for marked in play.replace(",", " ").split() if marked.casefold() != "illegal?")
    return [word for word in words if word and not _STILL.match(word)]


def parse_steps(word: str) -> list[Step] | None:
    """The steps of one word such as ``bar/21``, ``24/18*/16``, ``13/3(2)``, one that goes the wrong way too; None when it is no move."""
    found = _STEP.match(word)
    if found is None:
        return None
    places = [_place(found[1]), *(_place(p.rstrip("*")) for p in found[2].split("/")[1:])]
    if any(not 0 <= p <= 25 for p in places) or any(a == b for a, b in pairwise(places)):
        return None
    return list(pairwise(places)) * min(4, int(found[3] or 1))


def holds_moves(text: str) -> bool:
    """Whether any of it is a play, as of one that goes on in the next line, and not a remark."""
    return any(parse_steps(word) is not None for word in words_of(text))


def holds_unread(roll: Action) -> bool:
    """Whether words stand behind the roll, or among its steps, that are no move."""
    if roll.steps == () or not _ROLLED.match(roll.text):
        return False
    return any(parse_steps(word) is None for word in words_of(roll.text[3:]))


def may_go_on(roll: Action) -> bool:
    """Whether less is written behind ``roll`` than its dice would let be played."""
    if roll.dice is None or roll.steps == () or roll.position is not None:
        return False
    high, low = roll.dice
    steps, moves = roll.steps or (), 4 if high == low else 2
    return len(steps) < moves and sum(source - target for source, target in steps) < (high + low) * moves // 2


def may_be_cut(roll: Action) -> bool:
    """Whether ``roll``, at the end of a file, may be less than was played: steps are owed, its last word is none, or the number of its
    last point may have had another figure."""
    return roll.position is None and bool(may_go_on(roll) or holds_unread(roll) or (roll.steps and roll.steps[-1][1] in (1, 2)))


def _place(word: str) -> int:
    return int(word) if word.isdigit() else {"bar": 25, "off": 0}[word.lower()]


def begun_as_usual(position: Position, waiting: Side) -> bool:
    """Whether ``position`` can be of a game whose first play was made while ``waiting`` waited: nothing of his was moved, as his first
    points cannot be hit. Else it is the start of another game, such as Nackgammon, which some servers write as an illegal play."""
    return position.side(waiting.seat) == START.side(waiting.seat)


def snowie_position(text: str, mover: Side) -> tuple[Position | None, str]:
    """The board of a Snowie position line after ``mover``'s play, so seen from the other: fields 12..37 are the opponent's bar
    (negative), the roller's 24 points, his bar. (The line's own field for who is on roll is not reliable in the wild.)"""
    fields = text.split(";")
    if len(fields) < 38:
        return None, f"{len(fields)} fields, 40 expected"
    try:
        more = max(0, len(fields) - 41) if not fields[-1].strip() else 0  # where a name holds a semicolon
        numbers = [int(f) for f in fields[12 + more : 38 + more]]
    except ValueError:
        return None, "a field is not a number"
    own = [max(0, n) for n in numbers[1:25]] + [max(0, numbers[25])]
    other = [max(0, -n) for n in reversed(numbers[1:25])] + [max(0, -numbers[0])]
    try:
        left, right = (own, other) if mover is Side.RIGHT else (other, own)
        return Position.from_sides(tuple(left), tuple(right)), ""
    except ValueError as error:
        return None, str(error)
