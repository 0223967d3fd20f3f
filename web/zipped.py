"""Files as one zip archive, made while it is sent: no more than one of them is held at a time."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

READABLE = 0o644 << 16
EARLIEST = 1980
"""No file in a zip archive is older."""


class _Out:
    """Takes what the archive writes until it is sent. Nothing sent can be gone back to: zipfile sees that by the lack of `tell`."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def write(self, data: bytes) -> int:
        self._waiting += data
        return len(data)

    def flush(self) -> None:
        """What is written waits for `taken`."""

    def close(self) -> None:
        """The same."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        data = bytes(self._waiting)
        self._waiting.clear()
        return data


def zipped(files: Iterable[tuple[str, datetime, str]]) -> Iterator[bytes]:
    """The archive of ``files``: each one's name, when it is of (the time of day on the wall), and its text."""
    out = _Out()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bag:
        for name, at, text in files:
            entry = zipfile.ZipInfo(name, max(at.timetuple()[:6], (EARLIEST, 1, 1, 0, 0, 0)))
            entry.external_attr, entry.compress_type = READABLE, zipfile.ZIP_DEFLATED
            bag.writestr(entry, text.encode())
            yield out.taken()
    yield out.taken()
