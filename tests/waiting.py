"""For tests of what other threads and programs do in their own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 120.0) -> T:
    """What ``condition`` gives as soon as it counts as true, or at the end of ``seconds``: to be asserted, with a message of its own."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    return condition()
