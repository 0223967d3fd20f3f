"""Files that people name: written whole or not at all, so that what went wrong half-way leaves the one that was there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a neighbour and puts it in ``path``'s place. Raises OSError, and then ``path`` is as it was."""
    data = content.encode() if isinstance(content, str) else content
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a pipe cannot be replaced
        path.write_bytes(data)
        return
    if path.exists():
        path.open("a").close()  # what is protected from writing is not replaced
    part = path.with_name(f"{path.stem[:40]}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
