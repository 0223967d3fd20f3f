"""Where the `referee` command begins. It loads nothing that takes a while: Ctrl-C ends it without a word also while the rest is loaded."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130
"""The status of a command that Ctrl-C has ended, as shells have it."""


def heeded() -> tuple[signal.Signals, ...]:
    """The signals that ask a program to end, by Ctrl-C, from outside, or as its window is closed; not those that it is not to heed, as
    under nohup."""
    known = (getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
    return tuple(one for one in known if signal.getsignal(one) is not signal.SIG_IGN)


def main() -> None:
    """Entry point."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in the background of a script
    if heeded:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from web.cli import main as begin

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    begin()
