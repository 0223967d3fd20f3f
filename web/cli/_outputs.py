"""What commands write: a file that takes no place of what they read, nor of a picture, and lines that leave the terminal as it is."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from referee.board.position import Position
    from vision.table import Table


def check_output(out: str, option: str, inputs: Iterable[str | None], picture: bool = False) -> None:
    """Finds out whether ``out`` can be written and may be, and leaves everything as it is. ``inputs``: what the command reads; ``picture``:
    a picture is written. Raises `click.UsageError`."""
    from referee.files import patiently
    from vision.camera.source import PICTURES

    path = Path(out)
    if any(_same(path, one) for one in inputs if one is not None):
        raise click.UsageError(f"{out} is read and would be written over: choose another name with {option}")
    if not picture and path.suffix.lower() in PICTURES:
        raise click.UsageError(f"{out} is the name of a picture, and no picture is written there: choose another name with {option}")
    if sys.platform == "win32" and ":" in path.name:  # a stream of another file, which would lie there empty
        raise click.UsageError(f"{out} holds a ‘:’, which no name of a file may have on Windows: choose another name with {option}")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.is_fifo():  # whoever reads it would find its end here already, before anything is written
            return
        new = not path.exists()
        with path.open("a"):
            pass
        if new:
            patiently(path.unlink)
    except (OSError, ValueError) as error:
        raise unwritten(out, error, option) from None


def unwritten(out: str | Path, error: Exception, option: str) -> click.ClickException:
    """What is said where ``out`` cannot be written: it was ill chosen, unless it is the disk that is full."""
    why = f"{out} cannot be written ({getattr(error, 'strerror', None) or error}): choose another place with {option}"
    return refused(why, error)


def refused(why: str, error: BaseException | None) -> click.ClickException:
    """The end of a command for an ``error`` of what was named on the command line: bad usage, unless it is the disk that is full."""
    from referee.files import disk_full

    return (click.ClickException if disk_full(error) else click.UsageError)(why)


def ending_of(path: Path) -> str:
    """The ending that says in which format a match record is written. Raises `click.UsageError` for another one."""
    from referee.records.formats import WRITERS

    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise click.UsageError(f"{path.name}: choose an ending among {' '.join(WRITERS)}")
    return ending


def write_output(out: str | Path, data: str | bytes, option: str) -> None:
    """Writes the whole file ``out``. Raises `click.ClickException` where it cannot be written."""
    from referee.files import write_whole

    try:
        write_whole(Path(out), data)
    except OSError as error:
        raise unwritten(out, error, option) from None


def check_drawing(path: str, inputs: Iterable[str | None]) -> None:
    """Raises `click.UsageError` when no picture can be written there, or one of ``inputs`` lies there, before anything else is done."""
    import cv2

    if not Path(path).parent.is_dir() or not cv2.haveImageWriter(f"x{_kind(path)}"):
        raise click.UsageError(f"{path} cannot be written: choose a file that ends in .png or .jpg in a folder that is there")
    check_output(path, "--annotate", inputs, picture=True)


def write_drawing(path: str, image: Any, table: Table | None, reading: Any = None, stood: Position | None = None) -> None:
    """Writes the annotated picture; `annotate` says of what. Raises `click.ClickException` when the file cannot be written."""
    import cv2

    from vision.annotate import annotate

    # the file is ours to write: OpenCV does not know every name that a file can have
    write_output(path, cv2.imencode(_kind(path), annotate(image, table, reading, stood=stood))[1].tobytes(), "--annotate")


def _kind(path: str) -> str:
    """The ending that says what kind of picture is written; .none where there is none."""
    ending = Path(path).suffix
    return ending if ending.isascii() and ending else ".none"


def _same(path: Path, other: str) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def printable(text: str) -> str:
    """``text`` from a file, which may hold anything: nothing of it may steer the terminal."""
    return "\n".join(map(one_line, text.split("\n")))


def one_line(text: str) -> str:
    """The same of a name or a sentence, which has no second line."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
