"""What a line of a record in two columns is, by itself: a header's tag, the match's length, a game's heading, its names and score, a row
of fields, a board set by hand."""

from __future__ import annotations

import re

FULL_COLUMN = 31  # bytes that a name and its score take before gnubg's second column

TAG = re.compile(r"\s*+[;#]\s*+\[\s*+([^\"\]]++)\"(.*?)\"\s*+\]?\s*+$")
LENGTH = re.compile(r"\s*(?:match\s\d{1,6}:\s*+)?(\d{1,6})\s*-?\s*(?:points?|pts?\.?)\s+match\b", re.I)
MONEY = re.compile(r"\s*(?:unlimited|money) (?:match|game|session)$", re.I)
GAME = re.compile(r"\s*Game\s+(\d{1,6})\b(?![^:]*:\s*\d)", re.I)  # and no score, which a player "Game 7" would have
_SCORE = re.compile(r":\s*+(\d{1,9})(?=\s)")
_FULL_SCORE = re.compile(r":\s*+(\d{1,9})(?=[^\s\d/])")
_LAST_SCORE = re.compile(r":\s*+(\d{1,9})$")
ROW = re.compile(r"\s*(\d{1,6})(?:\)|\.(?!\d))")
FIELD = re.compile(
    r"(?:^|(?<=\s))"
    r"(?=[1-6][1-6]:(?!\d\d\b(?!/))|00:(?!\d)|(?:re)?doubles?\b|takes?\b|drops?\b|pass(?:es)?\b|beavers?\b|raccoons?\b|accepts?\b|rejects?\b|wins\b|loss(?:es)?\b|loses\b"
    r"|concedes\b|resign(?:s|ed)?\b|lost on time\b|timed out\b|forfeit(?:s|ed)?\b)",
    re.I,
)
NO_COLON = re.compile(r"(?:^|(?<=^\s)|(?<=\s\s))([1-6][1-6])\s(?=\s*(?:bar|\d{1,2})/)", re.I)
"""A roll that stands where one belongs, before a move, and lacks its colon."""
_CUT = re.compile(r"((\d|bar)/|(?<!=>)\s(\d{1,2}|bar?))$", re.I)
ODD_FIELD = re.compile(r"(?<=\s)(?:(?=\w{0,2}\d)(?![1-6][1-6]:|00:)\w{1,3}:(?=\s|$)|[^\s\d/:]{2,20}\s?=+>\s?\d)")
"""What stands where a roll or a double does, behind another field, and is none: ``04:``, ``3l:``, ``Doubls => 2``."""
HIDDEN = re.compile(r"(?:^|(?<=^\s)|(?<=\s\s))\?{3,}(?=\s|$)")
"""The turn of which nothing was seen, in a field of its own; behind a play such marks are somebody's opinion of it."""
ILLEGAL = re.compile(r"illegal play\s*\(((?:(?!illegal play).)*?\d;\s*|[^)]*)\)", re.I)
"""An illegal play with the board after it, up to the bracket behind the dice; the names in it may hold brackets."""
SET = re.compile(r"\s*;\s*Set Pos=([-A-P]{26})(?:/(-?)(\d{1,2}))?$", re.I)
"""XG's board of a game that begins elsewhere: the left player's checkers in capitals; the cube as a power of two, the left player's behind
a minus, else the right one's."""


def names_in(line: str) -> tuple[tuple[str, str], tuple[int, int], int] | None:
    """The names and the score of a line ``Anna : 0    Boris : 2``, which ends in no space, and where the right name begins; None when it
    is none. Two spaces part the players, or one where a second name follows, which may be empty else; or none, as gnubg writes it where
    the left name fills its column."""
    last = _LAST_SCORE.search(line)
    if last is None:
        return None
    scores = [(first, line[first.end() : last.start()]) for first in _SCORE.finditer(line, 0, last.start())]
    apart = [(first, rest) for first, rest in scores if rest.startswith("  ")]  # else a name holds what looks like a score
    if not scores:
        full = (first for first in _FULL_SCORE.finditer(line, 0, last.start()) if len(line[: first.end()].encode()) > FULL_COLUMN)
        scores = [(first, line[first.end() : last.start()]) for first in full]
    for first, rest in apart or scores:
        if rest.strip() or len(rest) > 1:
            names = line[: first.start()].strip(), rest.strip()
            return names, (int(first[1]), int(last[1])), last.start() - len(rest.lstrip())
    return None


def cut_short(lines: list[str]) -> bool:
    """The last line stops within a step or a roll: ``13/`` or ``5`` with no line end."""
    return bool(ROW.match(lines[-1]) and _CUT.search(lines[-1]))
