"""How a command is asked to end, and what it says then."""

from __future__ import annotations

import signal

INTERRUPTED = 130
"""The status of a command that Ctrl-C has ended, as shells have it."""


def heeded() -> tuple[signal.Signals, ...]:
    """The signals that ask a program to end, by Ctrl-C, from outside, or as its window is closed; not those that it is not to heed, as
    under nohup."""
    known = (getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
    return tuple(one for one in known if signal.getsignal(one) is not signal.SIG_IGN)
