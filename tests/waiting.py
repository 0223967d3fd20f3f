"""For tests of what other threads and programs do in their own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 120.0) -> T:
    """What ``condition`` gives as soon as it counts as true, or at the end of ``seconds``: to be asserted, with a message of its own. What
    takes long is asked for less often, for asking a service takes time from it."""
    end, pause = time.monotonic() + seconds, 0.02
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(pause)
        pause = min(1.2 * pause, 0.1)
    return condition()
