"""The pictures kept as evidence, beside the database: one file a picture, named by its hash, in one folder a match.

When they take more room than they may, the oldest finished matches lose theirs first; the log keeps name and hash.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from referee.files import patiently
from referee.match.events import Evidence

LIMIT = 1_000_000_000
"""Bytes that pictures may take by default."""


class Pictures:
    """The folder beside ``database``, made when the first picture comes. ``limit``: bytes all pictures may take."""

    def __init__(self, database: Path, limit: int = LIMIT) -> None:
        self.folder = database.with_name(database.name + "-pictures")
        self.limit = limit

    def keep(self, match: int, data: bytes) -> Evidence | None:
        """Keeps a JPEG picture of ``match``; None when it cannot be written, which must not hold up the match."""
        digest = hashlib.sha256(data).hexdigest()
        name = f"{match}/{digest[:32]}.jpg"
        path = self.folder / name
        part = path.with_suffix(".part")
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                with part.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                patiently(lambda: part.replace(path))
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            return None
        return Evidence(name, digest)

    def read(self, evidence: Evidence) -> bytes | None:
        """The picture as it was kept; None when it is gone, is another by now, or the name leads elsewhere."""
        path = self.folder / evidence.file
        try:
            data = path.read_bytes() if path.resolve().is_relative_to(self.folder.resolve()) else b""
        except (OSError, ValueError):
            return None
        return data if hashlib.sha256(data).hexdigest() == evidence.sha256 else None

    def remove(self, match: int) -> None:
        """Removes all pictures of a match."""
        shutil.rmtree(self.folder / str(match), ignore_errors=True)

    def prune(self, matches: Iterable[int]) -> tuple[int, ...]:
        """Makes room: ``matches``, in this order, lose their pictures until all others fit. Returns those that did."""
        gone = []
        used = self.used()
        for match in matches:
            if used <= self.limit:
                break
            size = _size(self.folder / str(match))
            if size:
                self.remove(match)
                used -= size
                gone.append(match)
        return tuple(gone)

    def used(self) -> int:
        """Bytes all pictures take."""
        return _size(self.folder)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
