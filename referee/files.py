"""Files that people name: written whole or not at all, so that what went wrong half-way leaves the one that was there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a neighbour and puts it in ``path``'s place. Raises OSError, and then ``path`` is as it was."""
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a pipe cannot be replaced
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    if path.exists():
        path.open("a").close()  # what is protected from writing is not replaced
    part = path.with_name(f"{path.stem[:40]}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
