"""Where the `referee` command begins. It loads nothing that takes a while: Ctrl-C ends it without a word also while the rest is loaded."""

from __future__ import annotations

import os
import signal

from web.ending import INTERRUPTED


def main() -> None:
    """Entry point."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in the background of a script
    if heeded:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from web.cli import main as begin

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    begin()
