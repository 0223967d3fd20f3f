"""Whether the program stood still: the computer was asleep, its lid shut, or the program itself was held."""

from __future__ import annotations

import sys
import threading
import time

NAP_S = 10.0
"""Longer than this no busy computer keeps a thread waiting."""


def going_on() -> float:
    """Seconds on a clock that goes on while the computer sleeps. Python's monotonic one does so on Windows alone."""
    if sys.platform == "win32":
        return time.monotonic()
    on = time.CLOCK_MONOTONIC if sys.platform == "darwin" else getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(on)


def waited(done: threading.Event, seconds: float) -> bool:
    """Waits until ``done``, or for as many ``seconds``; whether the program stood still meanwhile."""
    begun = going_on()
    done.wait(seconds)
    return going_on() - begun >= seconds + NAP_S
