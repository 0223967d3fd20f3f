"""How a command is asked to end, and what it says then."""

from __future__ import annotations

import math
import signal
import time
from types import FrameType

INTERRUPTED = 130
"""The status of a command that Ctrl-C has ended, as shells have it."""

AGAIN_S = 1.0
"""s after which Ctrl-C is pressed once more, and not twice at once."""

_asked = -math.inf


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """The handler of such signals. What comes just after another, pressed twice or sent by two, asks for the same: it does not break off
    what the first has begun to end. Raises KeyboardInterrupt."""
    global _asked
    now = time.monotonic()
    if now - _asked >= AGAIN_S:
        _asked = now
        raise KeyboardInterrupt


def heeded() -> tuple[signal.Signals, ...]:
    """The signals that ask a program to end, by Ctrl-C, from outside, or as its window is closed; not those that it is not to heed, as
    under nohup."""
    known = (getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
    return tuple(one for one in known if signal.getsignal(one) is not signal.SIG_IGN)
