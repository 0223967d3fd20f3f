"""Names and other single lines that people write, as they are kept: one line, nothing invisible, not too long."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 60
LONGEST_EVENT = 100
JOINERS = "\u200c\u200d"
"""Persian and Indian names are spelt with them, and they make one picture of several."""


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """One line of printable text, cut at ``longest``; invisible characters go, but for those that join or part letters and pictures, and
    what cannot be written in UTF-8 is replaced. Empty when nothing is left to be seen."""
    whole = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    shown = _JOINED.sub("", "".join(map(_shown, whole)))
    seen = any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK for char in shown)
    return " ".join(shown.split())[:longest].rstrip(f" {JOINERS}") if seen else ""


def _shown(char: str) -> str:
    if char.isprintable() or char in JOINERS:
        return char
    return " " if char.isspace() or unicodedata.category(char) == "Cc" else ""


def isolated(name: str) -> str:
    """``name`` so that it leaves the order of what is written beside it alone: one that is read from right to left would swap the sides of
    a score (Unicode Standard Annex #9, FSI and PDI)."""
    return f"\u2068{name}\u2069" if any(unicodedata.bidirectional(char) in ("R", "AL") for char in name) else name


def same_name(one: str, other: str) -> bool:
    """Whether two names look alike on a page."""
    return _alike(one) == _alike(other)


def _alike(name: str) -> str:
    return unicodedata.normalize("NFKC", name.translate(dict.fromkeys(map(ord, JOINERS)))).casefold()


_JOINED = re.compile(rf"(?<![^\x00-\x7f\s{JOINERS}])[{JOINERS}]|[{JOINERS}](?![^\x00-\x7f\s{JOINERS}])")
"""Joiners that do not stand between two characters which could be joined: seen by nobody."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""
