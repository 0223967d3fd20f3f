"""The live stream: every page follows the table over server-sent events.

A stream begins with a snapshot and sends a new one after every change; a slow reader skips what came in between. A
heartbeat tells a quiet table from a dead line. The number of streams is capped, because each holds a thread of the server.
What a stream tells depends on who listens: the hub makes one snapshot for each audience and language, and a reader gets his own alone.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from web.access import Rank

Snapshot = Callable[[Rank, str], dict[str, Any]]

RESERVED = 4
"""Places that people without a PIN do not get, so that a crowd of viewers never keeps out those who act at the table."""

HEARTBEAT_S = 5.0
"""Between two signs that the line is alive."""


class Full(Exception):
    """All places of the stream table are taken."""


class Feed:
    """An answer that goes on: what ``made`` yields. ``done`` is called once when it ends, also when nothing of it was ever read."""

    def __init__(self, made: Iterator[bytes], done: Callable[[], None]) -> None:
        self._made, self._done = made, done
        self._guard = threading.Lock()
        self._over = False

    def __iter__(self) -> Feed:
        return self

    def __next__(self) -> bytes:
        return next(self._made)

    def close(self) -> None:
        """Called by the server when the reader has gone or the end is reached."""
        with self._guard:
            over, self._over = self._over, True
        if not over:
            self._done()


class Hub:
    """``state`` and ``camera`` make the two snapshots of an audience, in a language; each is made once for a change, however many
    follow it. ``places``: how many may follow at once; ``taken``: how many do now."""

    def __init__(self, state: Snapshot, camera: Snapshot, places: int) -> None:
        self.places = places
        self._make = {"state": state, "camera": camera}
        self._version = {"state": 1, "camera": 1}
        self._made: dict[tuple[str, Rank, str], tuple[tuple[int, int], str]] = {}
        self._news = threading.Condition()
        self._making = threading.Lock()
        self.taken = 0
        self._closed = False

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

    def text(self, what: str, audience: Rank, language: str = "en") -> tuple[int, str]:
        """(version, JSON) of the newest snapshot for ``audience``, its sentences in ``language``."""
        with self._making:
            version = self._version[what]
            basis = (version, self._version["camera"])  # what the camera says is part of every snapshot
            known = self._made.get((what, audience, language))
            if known is None or known[0] != basis:
                text = json.dumps(self._make[what](audience, language), separators=(",", ":"), ensure_ascii=False)
                known = self._made[what, audience, language] = (basis, text)
            return version, known[1]

    def stream(self, audience: Rank, gone: Callable[[], bool], language: str) -> Feed:
        """One reader's stream. ``gone`` tells that the reader has left, or may not listen any longer. Raises `Full` at once when
        there is no place."""
        with self._news:
            places = self.places if audience is not Rank.VIEWER else max(1, self.places - RESERVED)
            if self.taken >= places:
                raise Full
            self.taken += 1
        return Feed(self._follow(audience, language, gone), self._leave)

    def _leave(self) -> None:
        with self._news:
            self.taken -= 1

    def _follow(self, audience: Rank, language: str, gone: Callable[[], bool]) -> Iterator[bytes]:
        sent, told = {"state": 0, "camera": 0}, {"state": "", "camera": ""}
        yield b"retry: 1500\n\n" + self._beat()
        beat = time.monotonic() + HEARTBEAT_S
        while not self._closed and not gone():
            for what in ("state", "camera"):
                if sent[what] != self._version[what]:
                    sent[what], text = self.text(what, audience, language)
                    if text != told[what]:  # to most who look, a new picture of the camera is no news
                        told[what] = text
                        yield _event(what, text)
            with self._news:
                self._news.wait_for(lambda: self._closed or sent != self._version, timeout=max(0.0, min(1.0, beat - time.monotonic())))
            if time.monotonic() >= beat:
                beat = time.monotonic() + HEARTBEAT_S
                yield self._beat()

    def _beat(self) -> bytes:
        """Pages take the server's clock from it: the monotonic one, since the time of day may be put right in mid-match."""
        return _event("beat", json.dumps({"every": HEARTBEAT_S, "now": time.monotonic()}))


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()
