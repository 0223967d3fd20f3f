"""What a program says that is left running: on a thread of its own, and what comes again and again whole once, then how often."""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Protocol, TextIO

AGAIN_S = 600.0
MOST = 1000  # different things that are known to have been said; texts that wait for a console
END_S = 1.0  # the end of the program waits for a console no longer


class Writable(Protocol):
    """What can be written to."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Console:
    """Standard error, whose writer never waits: a console that is held (Ctrl-S, text that is marked in its window) stops no clock and no
    camera."""

    def __init__(self) -> None:
        self._stream = _our_own(sys.stderr)
        self._waiting: queue.Queue[str] = queue.Queue(MOST)
        threading.Thread(target=self._write, name="console", daemon=True).start()

    def write(self, text: str) -> None:
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(text)

    def flush(self) -> None:
        """Nothing: what was written is on its way."""

    def finish(self) -> None:
        """Waits for a moment until all is said."""
        end = time.monotonic() + END_S
        while self._waiting.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.01)

    def _write(self) -> None:
        while True:
            text = self._waiting.get()
            with contextlib.suppress(AttributeError, OSError, ValueError):  # nobody reads it any more
                self._stream.write(text)
                self._stream.flush()
            self._waiting.task_done()


def _our_own(stream: TextIO) -> TextIO:
    """``stream`` once more: who writes to the one waits for nobody who writes to the other, not even at the end of the program."""
    try:
        return os.fdopen(os.dup(stream.fileno()), "w", buffering=1, encoding=stream.encoding, errors=stream.errors)
    except (AttributeError, OSError, ValueError):  # there is none, it is no file, or closed
        return stream


class Log(logging.StreamHandler[Writable]):
    """Writes to ``stream``. ``clock``: seconds, monotonic."""

    def __init__(self, stream: Writable, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self.setLevel(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s referee: %(message)s"))
        self._clock = clock
        self._said: dict[tuple[object, ...], tuple[float, int]] = {}  # when, and how often it came since

    def emit(self, record: logging.LogRecord) -> None:
        key, now = _which(record), self._clock()
        said_at, since = self._said.get(key, (float("-inf"), 0))
        if now < said_at + AGAIN_S:
            self._said[key] = (said_at, since + 1)
            return
        if key in self._said:
            record = _again(record, since + 1)
        elif len(self._said) >= MOST:
            self._said.clear()
        self._said[key] = (now, 0)
        super().emit(record)

    def close(self) -> None:
        """The program ends."""
        if isinstance(self.stream, Console):
            self.stream.finish()
        super().close()


def _which(record: logging.LogRecord) -> tuple[object, ...]:
    """What tells a record from another: of a fault the place where it happened, for its words may differ each time."""
    fault = record.exc_info[1] if record.exc_info else None
    if fault is None:
        return record.name, record.getMessage()
    trace = traceback.extract_tb(fault.__traceback__)
    return record.name, record.msg, type(fault), *((trace[-1].filename, trace[-1].lineno) if trace else ())


def _again(record: logging.LogRecord, times: int) -> logging.LogRecord:
    """``record`` in one line, with how often it came since it was last said."""
    short = copy.copy(record)
    fault = f" ({record.exc_info[1]!r})" if record.exc_info else ""
    short.msg, short.args = f"{record.getMessage()}{fault}: again, {times} times since this was last said", ()
    short.exc_info = short.exc_text = None
    return short


def keep_log() -> Console:
    """From now on what goes wrong in the program is said so, on standard error, which is returned to say more there."""
    console = Console()
    logging.getLogger().addHandler(Log(console))
    return console
