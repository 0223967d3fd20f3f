"""Files that people name, or that must be there tomorrow: written whole or not at all, so that what went wrong half-way leaves the one
that was there; and read no further than what they should be can go."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))

WAITS = (0.01, 0.03, 0.1, 0.3, 0.6)
"""s between tries to take a file that another holds."""


def disk_full(error: BaseException | None) -> bool:
    """Whether there was no room for what was to be written: the disk is full, or what one may use of it."""
    return isinstance(error, OSError) and error.errno in _FULL


def read_most(path: Path, most: int) -> bytes:
    """What is in a file, as far as one byte more than ``most``: a film named by mistake, or a device without an end, fills no memory.
    Raises OSError."""
    with path.open("rb") as file:
        return file.read(most + 1)


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Writes a neighbour and puts it in ``path``'s place once it lies on the disk: a power cut leaves the one or the other, and no empty
    file. ``private``: nobody else on this computer may read it. Raises OSError, and then ``path`` is as it was."""
    data = content.encode() if isinstance(content, str) else content
    try:
        path = path.resolve()  # a link stays one
    except RuntimeError:  # it leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    if path.exists() and not path.is_file():  # a pipe cannot be replaced
        path.write_bytes(data)
        return
    if path.exists():
        path.open("a").close()  # what is protected from writing is not replaced
    part = path.with_name(f"{path.stem[:40]}.{secrets.token_hex(6)}.part")
    try:
        with open(part, "xb", opener=_for_the_owner if private else None) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and not private:
            shutil.copymode(path, part)
        patiently(lambda: part.replace(path))
    finally:
        part.unlink(missing_ok=True)


def patiently(act: Callable[[], object]) -> None:
    """Does ``act``, which replaces or removes a file. Windows refuses that while anybody has the file open, such as a virus scanner for a
    moment, or a thread that reads it: so it is tried again for a second. Raises OSError."""
    for wait in WAITS:
        try:
            act()
        except PermissionError:
            time.sleep(wait)
        else:
            return
    act()


def _for_the_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
