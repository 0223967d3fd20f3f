"""Events around the game: doubts, rulings, corrections by hand, pauses, the clock, devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.board.position import Position, Seat
from referee.match.event import EVERYTHING, Event, Fact
from referee.rules.reason import Reason
from referee.rules.ruleset import RuleSet

# --- doubts, rulings, corrections -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """One likely answer to a doubt: what it says (a code with values, for the button) and what is logged when it is
    chosen. No events: "none of these", a person puts it right by hand."""

    says: Reason
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt(Event):
    """The referee asks. ``about``: play, roll, cube, position, game_over, off, board, throw."""

    type: ClassVar[str] = "doubt"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.DOUBT})
    about: str
    reason: Reason
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class DoubtResolved(Event):
    """The open doubt is closed: by ``answer`` (its place in the doubt's answers), or by later sight or another command
    (None). What follows is logged as events of their own."""

    type: ClassVar[str] = "doubt_resolved"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.DOUBT})
    about: str
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """A person ruled (director or referee); what it changes is logged as events of their own. ``note`` is his reason in
    his own words."""

    type: ClassVar[str] = "ruled"
    changes: ClassVar[frozenset[Fact]] = frozenset()
    about: str
    reason: Reason
    note: str = ""


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """Everything after ``to_seq`` is struck out: the match stands as it stood then."""

    type: ClassVar[str] = "undone"
    changes: ClassVar[frozenset[Fact]] = EVERYTHING
    to_seq: int


@dataclass(frozen=True, slots=True)
class PositionSet(Event):
    """A person set the position (it need not be reachable)."""

    type: ClassVar[str] = "position_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    position: Position


@dataclass(frozen=True, slots=True)
class BoardAgreed(Event):
    """After an undo or a position set by hand, the board was seen to agree with the log again, or the roll that stands to be played."""

    type: ClassVar[str] = "board_agreed"
    changes: ClassVar[frozenset[Fact]] = frozenset()


@dataclass(frozen=True, slots=True)
class NamesSet(Event):
    """A person put the players' names (near, far) or the event's right."""

    type: ClassVar[str] = "names_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.MATCH})
    names: tuple[str, str]
    event: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSet(Event):
    """A person set the score (near, far), and whether this game is the Crawford game."""

    type: ClassVar[str] = "score_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    score: tuple[int, int]
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class LengthSet(Event):
    """A person set the match's length (0: a money game), and whether this game is the Crawford game."""

    type: ClassVar[str] = "length_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    length: int
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class RulesSet(Event):
    """A person put right which rules the match is played under: those of ``rule_set``, called ``rules``, with ``aids``, ``stake`` and
    ``unit`` as in `MatchStarted`. ``changed`` names what of it is otherwise than before, ``crawford`` says whether this game is the
    Crawford game then."""

    type: ClassVar[str] = "rules_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.MATCH, Fact.SCORE})
    rules: str
    rule_set: RuleSet
    aids: bool
    stake: int
    unit: str
    changed: tuple[str, ...] = ()
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class Penalised(Event):
    """``seat`` was given penalty points; they go to the other's score."""

    type: ClassVar[str] = "penalised"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CubeSet(Event):
    """A person set the cube; ``owner`` None is the middle. An open offer is withdrawn."""

    type: ClassVar[str] = "cube_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE})
    value: int
    owner: Seat | None


@dataclass(frozen=True, slots=True)
class TurnSet(Event):
    """A person set who is on roll, with nothing rolled yet, or with ``dice`` already thrown."""

    type: ClassVar[str] = "turn_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN})
    seat: Seat
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SetupStands(Event):
    """The starting position was wrong and it was found too late: play goes on from ``position``, the board as it is. ``missing``
    (near, far): checkers that were never on the board; they are not borne off, though ``position`` counts them so."""

    type: ClassVar[str] = "setup_stands"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    position: Position
    missing: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class DiceMixed(Event):
    """``seat`` had the dice mixed before the game: all in one cup, picked one each in turn."""

    type: ClassVar[str] = "dice_mixed"
    seat: Seat


# --- around the game ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """Nothing is judged until `Resumed`. A camera that is lost pauses nothing: see `DeviceLost`."""

    type: ClassVar[str] = "paused"
    reason: Reason


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    type: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class Reopened(Event):
    """A match that was left for another one is back on the table: the board, on which other things stood meanwhile, must be seen to
    agree before anything is judged."""

    type: ClassVar[str] = "reopened"


@dataclass(frozen=True, slots=True)
class ClockStarted(Event):
    """``seat``'s time runs from the envelope's ``at``; None: nobody's yet, and then from the next turn, answer or `Resumed` on."""

    type: ClassVar[str] = "clock_started"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class ClockStopped(Event):
    """Both stand, from the envelope's ``at``, until `ClockStarted`."""

    type: ClassVar[str] = "clock_stopped"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})


@dataclass(frozen=True, slots=True)
class ClockSet(Event):
    """A person set the reserves (near, far), seconds; both stand."""

    type: ClassVar[str] = "clock_set"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})
    remaining: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Flagged(Event):
    """``seat`` has used all his time."""

    type: ClassVar[str] = "flagged"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})
    seat: Seat


@dataclass(frozen=True, slots=True)
class DeviceLost(Event):
    """``device`` (camera, tower) is gone or unusable; the match goes on by hand."""

    type: ClassVar[str] = "device_lost"
    device: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class DeviceBack(Event):
    type: ClassVar[str] = "device_back"
    device: str
