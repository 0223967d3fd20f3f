"""What the referee accepted: one frozen value for each kind of event, and the envelope it is logged in.

An event carries everything `referee.match.folding.apply` needs to fold it, so that folding never asks a rule set. ``type``
is its name in the journal and in ``watch --json``; ``changes`` are the facts of the match it touches (a command that
changes the same fact and did not know of the event is stale). Positions are written from near's chair.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.match.event import EVERYTHING, GAME, Event, Fact, How
from referee.match.play_events import (
    AutoDoubled,
    Beavered,
    DiceLifted,
    Doubled,
    Dropped,
    EarlyRoll,
    FirstThrowRefused,
    GameStarted,
    GameWon,
    IllegalPlay,
    IllegalPlayStood,
    MatchStarted,
    MatchWon,
    NoRoll,
    OpeningRolled,
    OpeningTied,
    PlayCorrected,
    Played,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    Rolled,
    RollVoid,
    Taken,
)
from referee.match.table_events import (
    Answer,
    BoardAgreed,
    ClockSet,
    ClockStarted,
    ClockStopped,
    CubeSet,
    DeviceBack,
    DeviceLost,
    DiceMixed,
    Doubt,
    DoubtResolved,
    Flagged,
    LengthSet,
    NamesSet,
    Paused,
    Penalised,
    PositionSet,
    Reopened,
    Resumed,
    Ruled,
    RulesSet,
    ScoreSet,
    SetupStands,
    TurnSet,
    Undone,
)
from referee.rules.reason import Reason
from referee.rules.scoring import Kind

__all__ = [
    "EVENT_TYPES",
    "EVERYTHING",
    "GAME",
    "Answer",
    "AutoDoubled",
    "Beavered",
    "BoardAgreed",
    "ClockSet",
    "ClockStarted",
    "ClockStopped",
    "CubeSet",
    "DeviceBack",
    "DeviceLost",
    "DiceLifted",
    "DiceMixed",
    "Doubled",
    "Doubt",
    "DoubtResolved",
    "Dropped",
    "EarlyRoll",
    "Event",
    "Evidence",
    "Fact",
    "FirstThrowRefused",
    "Flagged",
    "GameStarted",
    "GameWon",
    "How",
    "IllegalPlay",
    "IllegalPlayStood",
    "Kind",
    "LengthSet",
    "Logged",
    "MatchStarted",
    "MatchWon",
    "NamesSet",
    "NoRoll",
    "OpeningRolled",
    "OpeningTied",
    "Paused",
    "Penalised",
    "PlayCorrected",
    "Played",
    "PositionSet",
    "Reason",
    "Reopened",
    "ResignationAccepted",
    "ResignationRefused",
    "Resigned",
    "Resumed",
    "Role",
    "RollVoid",
    "Rolled",
    "Ruled",
    "RulesSet",
    "ScoreSet",
    "SetupStands",
    "Taken",
    "TurnSet",
    "Undone",
]

# A dataclass with slots is made twice; the later, final one wins here.
EVENT_TYPES: dict[str, type[Event]] = {cls.type: cls for cls in Event.__subclasses__()}
"""Every kind of event by its name in the journal."""


class Role(Enum):
    """On whose authority: a sensor's reading, a player, the person who referees, the director."""

    MACHINE = "machine"
    PLAYER = "player"
    REFEREE = "referee"
    DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A kept picture: ``file`` beside the database, ``sha256`` of its bytes."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Logged:
    """An event in the log. ``seq`` counts from 1 within the match. ``at``: seconds on the capturing process's monotonic
    clock (or from the start of a clip) when it happened; ``captured`` the same in UTC, ISO 8601. ``source``: camera,
    person, tower, referee. ``frame`` names the picture it was seen in."""

    seq: int
    event: Event
    at: float = 0.0
    captured: str = ""
    source: str = "referee"
    role: Role = Role.MACHINE
    frame: str = ""
    evidence: Evidence | None = None
