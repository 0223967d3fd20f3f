"""A play as match records write it, such as ``bar/21 24/18*/16``: its words, and the steps of each. Whether it is legal is not asked."""

from __future__ import annotations

import re
from itertools import pairwise

from referee.records.record import Step

_STILL = re.compile(r"(\d{1,2}|bar|off)/\1(\(\d\))?$", re.I)
_STEP = re.compile(r"^(bar|off|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?\*?$", re.I)


def words_of(play: str) -> list[str]:
    """The words of a play; marks such as ``!`` and ``??`` are none, nor is ``0/0`` or ``25/25``: a die that nothing was played with."""
    words = (marked.strip("?!") for marked in play.replace(",", " ").split())
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


def _place(word: str) -> int:
    return int(word) if word.isdigit() else {"bar": 25, "off": 0}[word.lower()]
