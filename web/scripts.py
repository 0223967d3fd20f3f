"""What pages are made of, for slow lines. Scripts import each other, and a browser finds one only when it has read another that wants it,
one wait after the other: so a page tells it of all at once. What it has fetched it keeps, without asking whether that is still the same."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from flask import url_for
from markupsafe import Markup

FOLDER = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"\./([\w.-]+\.js)"', re.MULTILINE)


def address() -> str:
    """Below which scripts, styles and letters lie: another one whenever any of them is another, so that no browser goes on with old."""
    return f"/static/{made_of()}"


@functools.cache
def made_of() -> str:
    """What tells the scripts, styles and letters of this program from those of another."""
    found = hashlib.sha256()
    for file in sorted(one for one in FOLDER.rglob("*") if one.is_file()):
        found.update(f"{file.relative_to(FOLDER).as_posix()}\0".encode() + file.read_bytes())
    return found.hexdigest()[:12]


@functools.cache
def needs(first: str) -> tuple[str, ...]:
    """The scripts that a page beginning with ``first`` runs, that one before the others."""
    found = {first: None}
    for name in (waiting := [first]):
        new = [one for one in _IMPORT.findall((FOLDER / "js" / name).read_text(encoding="utf-8")) if one not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


def script(first: str) -> Markup:
    """The tags with which a page runs the script ``first``."""
    begun, *others = (url_for("static", filename=f"js/{name}") for name in needs(first))
    tag = Markup('<script type="module" src="{}"></script>').format(begun)
    return tag + Markup("").join(Markup('\n<link rel="modulepreload" href="{}">').format(other) for other in others)
