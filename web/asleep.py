"""How long the computer has been asleep: its lid was shut. Nobody saw what was done at the table meanwhile."""

from __future__ import annotations

import ctypes
import sys
import time


def asleep() -> float:
    """Seconds for which the computer was suspended since it was switched on: by how much a clock that goes on meanwhile is ahead of one
    that stands. 0 where the system has no two such clocks."""
    if sys.platform == "win32":
        awake, kernel = ctypes.c_ulonglong(), ctypes.windll.kernel32
        kernel.GetTickCount64.restype = ctypes.c_ulonglong
        kernel.QueryUnbiasedInterruptTime(ctypes.byref(awake))  # in 100 ns
        return float(kernel.GetTickCount64() / 1000 - awake.value / 1e7)
    # On macOS this clock goes on, and Python's monotonic one stands.
    on = time.CLOCK_MONOTONIC if sys.platform == "darwin" else getattr(time, "CLOCK_BOOTTIME", None)
    return time.clock_gettime(on) - time.monotonic() if on is not None else 0.0
