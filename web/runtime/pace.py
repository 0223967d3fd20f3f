"""How a recording is played to be watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.match.events import Logged


@dataclass(frozen=True, slots=True)
class Pace:
    """How a recording is played: ``pause`` seconds after an ordinary picture, ``long`` after one that led to a ruling."""

    pause: float
    long: float

    def after(self, events: tuple[Logged, ...]) -> float:
        spoken = {"roll_void", "illegal_play", "doubt", "doubled", "game_won", "opening_tied", "play_corrected"}
        return self.long if any(type(one.event).type in spoken for one in events) else self.pause


AfterFrame = Callable[[str], None]
"""Called with a picture's name a while after it was shown: the demo presses its buttons here."""
