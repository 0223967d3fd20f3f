"""What every event has: a name, and the facts of the match it touches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class Fact(Enum):
    """What an event or a command changes."""

    MATCH = "match"
    ROLL = "roll"
    PLAY = "play"
    CUBE = "cube"
    SCORE = "score"
    TURN = "turn"
    DOUBT = "doubt"
    RESIGNATION = "resignation"
    CLOCK = "clock"


GAME = frozenset({Fact.ROLL, Fact.PLAY, Fact.CUBE, Fact.TURN, Fact.RESIGNATION})
"""Everything within a game."""
EVERYTHING = GAME | {Fact.MATCH, Fact.SCORE, Fact.DOUBT, Fact.CLOCK}


class How(Enum):
    """How a game ended."""

    BORNE_OFF = "borne_off"
    DROP = "drop"
    RESIGNATION = "resignation"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""

    type: ClassVar[str] = ""
    changes: ClassVar[frozenset[Fact]] = frozenset()
