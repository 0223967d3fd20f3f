"""The referee's camera, lent to stream programs: two programs cannot open one camera, so the referee passes its pictures on.

A motion JPEG: parts of one endless answer. The thread that reads the camera only leaves its newest picture here; each reader takes the
newest when it is ready for one, so that a slow reader misses pictures and holds nobody up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from web.live import Feed, Full

READERS = 2
EVERY_S = 1 / 25  # pictures come no faster
AGAIN_S = 5.0  # a picture that stays is sent again: a browser shows one only when the next begins
STUCK_S = 10.0  # a reader that has taken nothing for so long has lost its place
QUALITY = 85
BOUNDARY = "picture"


class NoCamera(Exception):
    """There is no camera whose pictures could be lent."""


class Lender:
    """Lends the pictures it is offered to ``readers`` at most. ``clock``: seconds, monotonic."""

    def __init__(self, readers: int = READERS, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = readers, clock
        self._fresh = threading.Condition()
        self._making = threading.Lock()
        self._newest: Any = None
        self._count = 0
        self._made: tuple[int, bytes] = (0, b"")
        self._seen: dict[object, float] = {}

    @property
    def readers(self) -> int:
        """Programs that are reading now."""
        return len(self._seen)

    def offer(self, image: Any) -> None:
        """The camera's newest picture, BGR uint8 (height, width, 3). Quick."""
        with self._fresh:
            self._newest, self._count = image, self._count + 1
            self._fresh.notify_all()

    def end(self) -> None:
        """The camera has gone: every reader's stream ends."""
        with self._fresh:
            self._newest = None
            self._fresh.notify_all()

    def follow(self, gone: Callable[[], bool] = lambda: False) -> Feed:
        """One reader's stream. ``gone``: the reader has left or may not look any longer. Raises `NoCamera`, and `Full` when all
        places are taken."""
        place, now = object(), self._clock()
        with self._fresh:
            if self._newest is None:
                raise NoCamera
            self._seen = {one: at for one, at in self._seen.items() if now - at < STUCK_S}
            if len(self._seen) >= self._most:
                raise Full
            self._seen[place] = now
        return Feed(self._follow(place, gone), lambda: self._leave(place))

    def _leave(self, place: object) -> None:
        with self._fresh:
            self._seen.pop(place, None)

    def _follow(self, place: object, gone: Callable[[], bool]) -> Iterator[bytes]:
        given, begun = 0, 0.0
        while True:
            count, image = self._next(place, given)
            if image is None or gone():
                break
            if count == given and self._clock() - begun < AGAIN_S:
                continue
            begun, given = self._clock(), count
            data = self._jpeg(count, image)
            yield f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n"
            time.sleep(max(0.0, begun + EVERY_S - self._clock()))
        yield f"--{BOUNDARY}--\r\n".encode()

    def _next(self, place: object, given: int) -> tuple[int, Any]:
        """The newest picture and its number, waited for a second at most if it is the ``given`` one; None when there are no more for
        this reader."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is None or self._count != given, timeout=min(1.0, AGAIN_S))
            if place not in self._seen:
                return self._count, None
            self._seen[place] = self._clock()
            return self._count, self._newest

    def _jpeg(self, count: int, image: Any) -> bytes:
        """The picture as JPEG; made once however many read."""
        import cv2  # only where there is a camera

        with self._making:
            if self._made[0] != count:
                self._made = (count, cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1].tobytes())
            return self._made[1]
