"""The bundle "what it saw": pictures as they came, what was read in them, and where the board was, in one zip file.

    board.json       the board file, where the board was found
    start.png        the set-up picture, where there was one (its own ending where it was a file)
    set-up.json      the board file and the position that go with it, and whether the game had begun; without it they are board.json and
                     the starting position of a game that had not
    pictures/NNN-NAME
    readings.jsonl   one line a picture, as `referee read --json` prints it
    said.txt         what the table page said at the time
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

MOST = 200_000_000  # bytes of one file in a bundle
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError,  # no archive, or what is packed in it is damaged
    NotImplementedError, RuntimeError,  # packed in a way that is not known, or under a password
    KeyError, ValueError,  # a file that belongs in it is missing, or is no text
)
"""What reading a file comes to that is no bundle of ours, or was packed anew by some program and damaged since."""


class SawError(Exception):
    """The file is no bundle; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Saw:
    """``board`` the board file's text, empty where none was found; ``start`` (ending, bytes) of the set-up picture; ``pictures`` (name,
    bytes); ``lines`` the readings, in their order; ``set_up`` is what set-up.json holds, or empty."""

    board: str
    start: tuple[str, bytes] | None
    pictures: Sequence[tuple[str, bytes]]
    lines: Sequence[str]
    said: str = ""
    set_up: str = ""


def pack(saw: Saw) -> bytes:
    """The zip file."""
    out = io.BytesIO()
    width = max(3, len(str(len(saw.pictures))))  # by their names they are in their order
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as bag:
        if saw.board:
            bag.writestr("board.json", saw.board)
        if saw.start is not None:
            bag.writestr(f"start{saw.start[0]}", saw.start[1])
        if saw.set_up:
            bag.writestr("set-up.json", saw.set_up)
        for number, (name, data) in enumerate(saw.pictures):
            kept = PurePosixPath(name).name.encode("utf-8", "replace").decode()  # some systems have names that are no text
            bag.writestr(f"pictures/{number:0{width}d}-{kept}", data)
        bag.writestr("readings.jsonl", "".join(f"{line}\n" for line in saw.lines))
        if saw.said:
            bag.writestr("said.txt", saw.said + "\n")
    return out.getvalue()


def unpack(data: bytes | IO[bytes]) -> Saw:
    """What `pack` wrote; of an open file that is none, hardly anything is read. Raises `SawError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else data) as bag:
            names = sorted(bag.namelist())
            if any(bag.getinfo(name).file_size > MOST for name in names):
                raise SawError("the bundle holds a file too large to be a picture: take it anew at the table")
            pictures = [(name.removeprefix("pictures/"), bag.read(name)) for name in names if name.startswith("pictures/")]
            start = next((name for name in names if name.startswith("start.")), None)
            lines = bag.read("readings.jsonl").decode("utf-8").splitlines()
            board = bag.read("board.json").decode("utf-8") if "board.json" in names else ""
            said = bag.read("said.txt").decode("utf-8").strip() if "said.txt" in names else ""
            set_up = bag.read("set-up.json").decode("utf-8") if "set-up.json" in names else ""
            return Saw(board, (PurePosixPath(start).suffix, bag.read(start)) if start else None, pictures, lines, said, set_up)
    except _DAMAGED:
        raise SawError("it is no bundle of what the referee saw: save one on the table page or with `referee read --bundle`") from None
