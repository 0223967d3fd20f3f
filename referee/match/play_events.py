"""Events of play: matches and games, dice, plays, the cube, resignations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.board.position import Position, Seat
from referee.match.event import EVERYTHING, GAME, Event, Fact, How
from referee.rules.reason import Reason
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import Kind

# --- match and game -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchStarted(Event):
    """``names`` (near, far). ``length`` in points, 0 when there is none (money play); then ``games`` ends the session
    after so many games (0: never). ``aids``: pip counts and legal plays may reach the players. ``rules`` names the rule set,
    ``rule_set`` is all its choices, so that the match goes on under them whatever becomes of the name. ``stake``: what a point is
    worth in money play, in ``unit``."""

    type: ClassVar[str] = "match_started"
    changes: ClassVar[frozenset[Fact]] = EVERYTHING
    names: tuple[str, str]
    length: int
    rules: str
    aids: bool = False
    games: int = 0
    event: str = ""
    round: str = ""
    place: str = ""
    transcriber: str = ""
    rule_set: RuleSet | None = None
    stake: int = 1
    unit: str = ""


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """Game ``game`` (1 is the first) begins at ``score`` (near, far); ``crawford``: no cube in this game."""

    type: ClassVar[str] = "game_started"
    changes: ClassVar[frozenset[Fact]] = GAME
    game: int
    score: tuple[int, int]
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class GameWon(Event):
    """``seat`` won ``points`` = cube x ``kind``'s factor (a rule set may pay less)."""

    type: ClassVar[str] = "game_won"
    changes: ClassVar[frozenset[Fact]] = GAME | {Fact.SCORE}
    seat: Seat
    points: int
    kind: Kind
    how: How = How.BORNE_OFF


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """``seat`` reached the match's length; ``points`` is his final score, not capped. ``kind`` is the last game's."""

    type: ClassVar[str] = "match_won"
    changes: ClassVar[frozenset[Fact]] = EVERYTHING
    seat: Seat
    points: int
    kind: Kind


# --- dice -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpeningTied(Event):
    """Both threw the same number; throw again."""

    type: ClassVar[str] = "opening_tied"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL})
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class AutoDoubled(Event):
    """The rule set turns the cube on an opening tie: it stays in the middle at ``value``."""

    type: ClassVar[str] = "auto_doubled"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE})
    value: int


@dataclass(frozen=True, slots=True)
class FirstThrowRefused(Event):
    """``seat`` refused the opening throw, where the rule set allows it: the cube, in the middle, goes to ``value``, and both
    throw again."""

    type: ClassVar[str] = "first_throw_refused"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN, Fact.CUBE})
    seat: Seat
    value: int


@dataclass(frozen=True, slots=True)
class OpeningRolled(Event):
    """``seat`` threw the higher die and plays both. ``dice`` (near's, far's)."""

    type: ClassVar[str] = "opening_rolled"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN})
    seat: Seat
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """``seat``'s valid throw. ``premature``: thrown before the other turn was over, and the rule set lets it stand."""

    type: ClassVar[str] = "rolled"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL})
    seat: Seat
    dice: tuple[int, int]
    premature: bool = False


@dataclass(frozen=True, slots=True)
class RollVoid(Event):
    """A throw that does not count. ``seat`` None: nobody's. ``dice`` as far as read. ``reason.code`` is one of cocked,
    on_checker, on_bar, off_board, wrong_half, missing_die, premature."""

    type: ClassVar[str] = "roll_void"
    changes: ClassVar[frozenset[Fact]] = frozenset()
    seat: Seat | None
    dice: tuple[int | None, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class EarlyRoll(Event):
    """``seat``'s valid throw before the other turn was over stands, by the rules or as a person let it: his roll when his turn comes.
    ``premature`` False: the turn was not known to be over, and nobody saw whether it was."""

    type: ClassVar[str] = "early_roll"
    changes: ClassVar[frozenset[Fact]] = frozenset()
    seat: Seat
    dice: tuple[int, int]
    premature: bool = True


@dataclass(frozen=True, slots=True)
class NoRoll(Event):
    """``seat`` is closed out and does not roll; the turn passes."""

    type: ClassVar[str] = "no_roll"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.PLAY, Fact.TURN})
    seat: Seat


@dataclass(frozen=True, slots=True)
class DiceLifted(Event):
    """``seat`` took up his dice: his play is judged as soon as the board is settled."""

    type: ClassVar[str] = "dice_lifted"
    changes: ClassVar[frozenset[Fact]] = frozenset()
    seat: Seat


# --- plays ----------------------------------------------------------------------------------------------------------

_PLAY = frozenset({Fact.ROLL, Fact.PLAY, Fact.TURN})


@dataclass(frozen=True, slots=True)
class Played(Event):
    """A legal play. ``play`` in standard notation, empty when nothing could be played; ``position`` after it."""

    type: ClassVar[str] = "played"
    changes: ClassVar[frozenset[Fact]] = _PLAY
    seat: Seat
    dice: tuple[int, int]
    play: str
    position: Position


@dataclass(frozen=True, slots=True)
class IllegalPlay(Event):
    """What was played is not legal and is held for correction. ``position`` as seen. ``announced``: the rule set lets
    the referee speak; otherwise it is marked for the director only."""

    type: ClassVar[str] = "illegal_play"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    seat: Seat
    dice: tuple[int, int]
    position: Position
    reason: Reason
    announced: bool = True


@dataclass(frozen=True, slots=True)
class PlayCorrected(Event):
    """The held play was put right: as `Played`."""

    type: ClassVar[str] = "play_corrected"
    changes: ClassVar[frozenset[Fact]] = _PLAY
    seat: Seat
    dice: tuple[int, int]
    play: str
    position: Position


@dataclass(frozen=True, slots=True)
class IllegalPlayStood(Event):
    """The window closed (or a person ruled): the illegal play stands at ``position``. ``play`` in notation where it can
    be written, else empty. ``late``: found only after the opponent's throw, logged without alarm. ``announced``: the players
    were told that it was illegal."""

    type: ClassVar[str] = "illegal_play_stood"
    changes: ClassVar[frozenset[Fact]] = _PLAY
    seat: Seat
    dice: tuple[int, int]
    play: str
    position: Position
    reason: Reason
    late: bool = False
    announced: bool = True

    @property
    def as_played(self) -> Played:
        """What it is to whoever is not told of it: a play like any other, "?" where it cannot be written. Nothing moved is written so."""
        return Played(self.seat, self.dice, self.play or ("" if self.reason.code == "no_move" else "?"), self.position)


# --- cube and resignation -------------------------------------------------------------------------------------------

_CUBE = frozenset({Fact.CUBE})


@dataclass(frozen=True, slots=True)
class Doubled(Event):
    """``seat`` offers the cube at ``value`` (the new one). ``inferred``: seen only by its result."""

    type: ClassVar[str] = "doubled"
    changes: ClassVar[frozenset[Fact]] = _CUBE
    seat: Seat
    value: int
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """``seat`` took: he owns the cube at ``value``."""

    type: ClassVar[str] = "taken"
    changes: ClassVar[frozenset[Fact]] = _CUBE
    seat: Seat
    value: int
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Dropped(Event):
    """``seat`` dropped the double to ``value`` and loses the game at half of it."""

    type: ClassVar[str] = "dropped"
    changes: ClassVar[frozenset[Fact]] = _CUBE
    seat: Seat
    value: int
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Beavered(Event):
    """``seat`` turned the cube at once to ``value``. By the taker it is a beaver (he owns the cube), by the doubler a
    raccoon (the cube does not change hands)."""

    type: ClassVar[str] = "beavered"
    changes: ClassVar[frozenset[Fact]] = _CUBE
    seat: Seat
    value: int
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """``seat`` offers to lose a ``kind`` worth ``points``."""

    type: ClassVar[str] = "resigned"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION})
    seat: Seat
    points: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class ResignationAccepted(Event):
    """``seat`` accepted the other's resignation."""

    type: ClassVar[str] = "resignation_accepted"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION})
    seat: Seat


@dataclass(frozen=True, slots=True)
class ResignationRefused(Event):
    """``seat`` refused; play goes on."""

    type: ClassVar[str] = "resignation_refused"
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION})
    seat: Seat
