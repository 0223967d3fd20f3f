"""How a recording is played to be watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.match.events import Logged


@dataclass(frozen=True, slots=True)
class Pace:
    """How a recording is played: ``pause`` seconds after an ordinary picture, ``long`` after one that led to a ruling; then ``go_on`` is
    called with the picture's name: the demo presses its buttons here."""

    pause: float
    long: float
    go_on: Callable[[str], None]

    def after(self, events: tuple[Logged, ...]) -> float:
        spoken = {"roll_void", "illegal_play", "doubt", "doubled", "game_won", "opening_tied", "play_corrected"}
        return self.long if any(one.event.type in spoken for one in events) else self.pause
