"""How the process holds its memory."""

from __future__ import annotations

import ctypes
import sys

ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1  # M_... of GNU's malloc.h
MB = 1 << 20


def share_memory() -> None:
    """Has all threads that begin from now on take memory from one place, and what is large be given back as it is freed, where the C
    library is GNU's: else what each of them has held stays its own, 40 MB of pictures and layers in all, and up to 80 MB more stay held."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(ARENA_MAX, 1)
            mallopt(MMAP_THRESHOLD, 8 * MB)  # unless told it rises to 32 MB as such pieces are freed; with less a reading takes longer
            mallopt(TRIM_THRESHOLD, 32 * MB)
