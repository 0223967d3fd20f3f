"""The live stream: every page follows the table over server-sent events.

A stream begins with a snapshot and sends a new one after every change; a slow reader skips what came in between. A
heartbeat tells a quiet table from a dead line. The number of streams is capped, because each holds a thread of the server.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

Snapshot = Callable[[], dict[str, Any]]


class Full(Exception):
    """All places of the stream table are taken."""


class Hub:
    """``state`` and ``camera`` make the two snapshots; each is made once for a change, however many follow it."""

    def __init__(self, state: Snapshot, camera: Snapshot, *, places: int = 32, heartbeat_s: float = 5.0) -> None:
        self.places = places
        self.heartbeat_s = heartbeat_s
        self._make = {"state": state, "camera": camera}
        self._version = {"state": 1, "camera": 1}
        self._made: dict[str, tuple[int, str]] = {}
        self._news = threading.Condition()
        self._making = threading.Lock()
        self._taken = 0
        self._closed = False

    @property
    def taken(self) -> int:
        """Streams that are open now."""
        return self._taken

    def announce(self, what: str = "state") -> None:
        """Something changed: wakes every stream. Quick."""
        with self._news:
            self._version[what] += 1
            self._news.notify_all()

    def close(self) -> None:
        """Ends every stream."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def text(self, what: str) -> tuple[int, str]:
        """(version, JSON) of the newest snapshot."""
        with self._making:
            version = self._version[what]
            known = self._made.get(what)
            if known is None or known[0] != version:
                known = self._made[what] = (version, json.dumps(self._make[what](), separators=(",", ":"), ensure_ascii=False))
            return known

    def stream(self, gone: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """One reader's stream. ``gone`` tells that the reader has left. Raises `Full` at once when there is no place."""
        with self._news:
            if self._taken >= self.places:
                raise Full
            self._taken += 1
        return self._follow(gone)

    def _follow(self, gone: Callable[[], bool]) -> Iterator[bytes]:
        sent = {"state": 0, "camera": 0}
        try:
            yield b"retry: 1500\n\n" + _event("beat", json.dumps({"every": self.heartbeat_s, "now": time.time()}))
            beat = time.monotonic() + self.heartbeat_s
            while not self._closed and not gone():
                for what in ("state", "camera"):
                    if sent[what] != self._version[what]:
                        sent[what], text = self.text(what)
                        yield _event(what, text)
                with self._news:
                    self._news.wait_for(lambda: self._closed or sent != self._version, timeout=max(0.0, min(1.0, beat - time.monotonic())))
                if time.monotonic() >= beat:
                    beat = time.monotonic() + self.heartbeat_s
                    yield _event("beat", json.dumps({"every": self.heartbeat_s, "now": time.time()}))
        finally:
            with self._news:
                self._taken -= 1


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()
