"""What commands write: a file that takes no place of what they read, nor of a picture, and lines that leave the terminal as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click


def check_output(out: str, option: str, inputs: Iterable[str | None], picture: bool = False) -> None:
    """Finds out whether ``out`` can be written and may be, and leaves everything as it is. ``inputs``: what the command reads; ``picture``:
    a picture is written. Raises `click.UsageError`."""
    from vision.source import PICTURES

    path = Path(out)
    if any(_same(path, one) for one in inputs if one is not None):
        raise click.UsageError(f"{out} is read and would be written over: choose another name with {option}")
    if not picture and path.suffix.lower() in PICTURES:
        raise click.UsageError(f"{out} is the name of a picture, and no picture is written there: choose another name with {option}")
    try:
        if path.is_fifo():  # whoever reads it would find its end here already, before anything is written
            return
        new = not path.exists()
        with path.open("a"):
            pass
        if new:
            path.unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"{out} cannot be written ({reason}): choose another place with {option}") from None


def _same(path: Path, other: str) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def printable(text: str) -> str:
    """``text`` from a file, which may hold anything: nothing of it may steer the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
