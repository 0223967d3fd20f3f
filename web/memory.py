"""How the process holds its memory."""

from __future__ import annotations

import ctypes
import sys

ARENA_MAX = -8  # M_ARENA_MAX of GNU's malloc.h


def share_memory() -> None:
    """Has all threads that begin from now on take memory from one place, where the C library is GNU's: else what each of them has held
    stays its own, 40 MB of pictures and layers in all."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(ARENA_MAX, 1)
