"""Whether the program stood still: the computer was asleep, its lid shut, or the program itself was held."""

from __future__ import annotations

import sys
import time

NAP_S = 10.0
"""Longer than this no busy computer keeps a thread waiting."""


def going_on() -> float:
    """Seconds on a clock that goes on while the computer sleeps. Python's monotonic one does so on Windows alone."""
    if sys.platform == "win32":
        return time.monotonic()
    on = time.CLOCK_MONOTONIC if sys.platform == "darwin" else getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(on)


class Watch:
    """Asked every moment, tells whether the program stood still since it was last asked, at whatever it was."""

    def __init__(self) -> None:
        self._asked_at = going_on()

    def stood_still(self) -> bool:
        """Whether the last time is longer ago than a program that goes on takes to come back."""
        before, self._asked_at = self._asked_at, going_on()
        return self._asked_at - before >= NAP_S
