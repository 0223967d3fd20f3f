"""Names and other single lines that people write, as they are kept: one line, nothing invisible, not too long."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 60
LONGEST_EVENT = 100


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """One line of printable text, cut at ``longest``; invisible characters go, what cannot be written in UTF-8 is replaced. Empty when
    nothing is left to be seen."""
    whole = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    shown = "".join(char if char.isprintable() else " " if char.isspace() or unicodedata.category(char) == "Cc" else "" for char in whole)
    seen = any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK for char in shown)
    return " ".join(shown.split())[:longest].rstrip() if seen else ""


def isolated(name: str) -> str:
    """``name`` so that it leaves the order of what is written beside it alone: one that is read from right to left would swap the sides of
    a score (Unicode Standard Annex #9, FSI and PDI)."""
    return f"\u2068{name}\u2069" if any(unicodedata.bidirectional(char) in ("R", "AL") for char in name) else name


def same_name(one: str, other: str) -> bool:
    """Whether two names look alike on a page."""
    return unicodedata.normalize("NFKC", one).casefold() == unicodedata.normalize("NFKC", other).casefold()


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""
