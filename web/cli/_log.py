"""The log of a program that is left running: what comes again and again is said whole once, and after that how often."""

from __future__ import annotations

import copy
import logging
import time
import traceback
from collections.abc import Callable
from typing import TextIO

AGAIN_S = 600.0
MOST = 1000  # different things that are known to have been said


class Log(logging.StreamHandler[TextIO]):
    """Writes to ``stream`` (standard error). ``clock``: seconds, monotonic."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
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


def keep_log() -> None:
    """From now on what goes wrong in the program is said so, on standard error."""
    logging.getLogger().addHandler(Log())
