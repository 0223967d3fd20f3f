"""What a person can say. Each command carries the log sequence its sender was looking at.

A command is *stale*, and refused by name, when an event after ``seen_seq`` changed what it changes (``Command.changes``);
a doubt or a device message does not make it so. The outcome is a value: `Accepted` with what was logged or `Refused` with a
code that `referee.match.shown.wording` turns into a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.board.position import Position, Seat
from referee.match.events import EVERYTHING, GAME, Fact, Kind, Logged, Role
from referee.rules.agreement import Said
from referee.rules.reason import Reason
from referee.rules.ruleset import ClockRules, TurnEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Base of all commands. ``role``: on whose authority (the web checks PINs before it sets one)."""

    changes: ClassVar[frozenset[Fact]] = frozenset()
    seen_seq: int
    role: Role = Role.REFEREE
    source: str = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartMatch(Command):
    """Begins the match of an empty log. ``names`` (near, far); ``length`` 0: no match length, ``games`` then limits the
    number of games (0: none). ``aids`` None: as the rule set has it. ``stake``: what a point is worth in money play, in ``unit``.
    ``choices``: what the table agreed on of the things the rule set leaves open (`referee.rules.agreement`); ``clock`` and
    ``turn_end`` None: as the rule set has it."""

    changes: ClassVar[frozenset[Fact]] = EVERYTHING - {Fact.CLOCK}  # that of the match before is none of it: at a restart it is stopped
    names: tuple[str, str]
    length: int = 0
    rules: str = "bray"
    aids: bool | None = None
    games: int = 0
    event: str = ""
    round: str = ""
    place: str = ""
    transcriber: str = ""
    stake: int = 1
    unit: str = ""
    choices: tuple[tuple[str, Said], ...] = ()
    clock: ClockRules | None = None
    turn_end: TurnEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MixDice(Command):
    """``seat`` demands, before a game, that all dice are mixed in one cup and picked in turn. Only under rule sets that know it."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupError(Command):
    """The starting position was set up wrongly. While the rule set lets it be put right it is; later it stands, and ``position``, the
    board as it is now, is what is played on from (None: not known, and then it is refused)."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame(Command):
    """The board is set up: the next game begins with the opening roll."""

    changes: ClassVar[frozenset[Fact]] = GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterRoll(Command):
    """A throw. In the opening ``dice`` is (near's die, far's die) and ``seat`` is not looked at; later ``seat`` None is
    the seat on roll. While a roll is already announced it replaces it, and the doubler's is a take."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN, Fact.CUBE})
    dice: tuple[int, int]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseFirstThrow(Command):
    """``seat`` refuses the opening throw by doubling; both throw again. Only under rule sets that know it, in money play."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN, Fact.CUBE})
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlay(Command):
    """The play of the announced roll, in notation (``8/5 6/5``; empty: nothing can be played). An illegal one is refused with
    its reason, or, with ``hold`` or under a set that announces no illegal play, held like one that was seen, when it can be made on
    the board at all."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY, Fact.ROLL, Fact.TURN})
    play: str
    hold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterMoves(Command):
    """The play as single moves, (from, to) in the mover's own numbers, 25 the bar, 0 off."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY, Fact.ROLL, Fact.TURN})
    moves: tuple[tuple[int, int], ...]
    hold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTurn(Command):
    """The seat on roll is closed out and does not roll."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Double(Command):
    """The seat on roll (or ``seat``, refused when it is not) offers the cube."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE, Fact.ROLL, Fact.TURN})
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Command):
    """The double is taken, in the position in which it was offered."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE, Fact.PLAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Command):
    """Drops the double, or a beaver or raccoon before it is rolled on: the game is lost at half of what was offered."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE, Fact.PLAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaver(Command):
    """Turns the cube again at once: a beaver by the one who was doubled, a raccoon by the doubler after a beaver."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE, Fact.PLAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """``seat`` offers to lose a ``kind``."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION, Fact.CUBE})
    seat: Seat
    kind: Kind = Kind.SINGLE


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptResignation(Command):
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseResignation(Command):
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.RESIGNATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Command):
    """Strikes out everything after ``to_seq``, and what belongs to the first of it; None: the last thing that changed the game.
    ``rulings``: who says it may take back what a director ruled."""

    changes: ClassVar[frozenset[Fact]] = EVERYTHING
    to_seq: int | None = None
    rulings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPosition(Command):
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMoment(Command):
    """Puts the running game to the moment an XGID or GNUBGID tells. ``bottom``: who its bottom player is."""

    changes: ClassVar[frozenset[Fact]] = GAME | {Fact.SCORE}
    text: str
    bottom: Seat = Seat.NEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNames(Command):
    """The players' names (near, far), which were typed wrong or not at all, and the ``event``'s (None: as it was)."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.MATCH})
    names: tuple[str, str]
    event: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScore(Command):
    """``crawford`` None: worked out from the score and what was played."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    score: tuple[int, int]
    crawford: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLength(Command):
    """The match was started to another length than is played; 0: it is a money game. ``crawford`` None: worked out from the score."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    length: int
    crawford: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRules(Command):
    """The match was started under other rules, with another clock or for another stake than it is played: what is said of them as in
    `StartMatch` (``aids``, ``stake``, ``unit`` None: as they are)."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.MATCH, Fact.SCORE})
    rules: str
    aids: bool | None = None
    stake: int | None = None
    unit: str | None = None
    choices: tuple[tuple[str, Said], ...] = ()
    clock: ClockRules | None = None
    turn_end: TurnEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCube(Command):
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CUBE})
    value: int
    owner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTurn(Command):
    """Who is on roll, with nothing rolled, or with ``dice`` already thrown."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN})
    seat: Seat
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDoubt(Command):
    """Chooses ``answer`` (its place in the open doubt's answers); None: none of these, a person puts it right.
    ``doubt_seq`` names the doubt that was seen; another one open meanwhile makes it stale."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.PLAY, Fact.CUBE, Fact.SCORE, Fact.TURN})
    doubt_seq: int
    answer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Command):
    """Rules on the play that is held (or on the last turn): ``stands`` lets it stand as seen, otherwise ``play`` in
    notation is what counts. ``note``: why, in the ruler's words."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.PLAY})
    stands: bool
    play: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardGame(Command):
    """A director gives the game (``points`` None: the cube times ``kind``)."""

    changes: ClassVar[frozenset[Fact]] = GAME | {Fact.SCORE}
    seat: Seat
    kind: Kind = Kind.SINGLE
    points: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardMatch(Command):
    """A director gives the match; ``on_time``: because the other's time ran out. A fallen flag alone says no such thing: the match may
    be given for another reason all the same."""

    changes: ClassVar[frozenset[Fact]] = EVERYTHING
    seat: Seat
    on_time: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalise(Command):
    """A director gives ``seat`` penalty points, which the other scores. More than half the match in all forfeits it."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    seat: Seat
    points: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late(Command):
    """A director notes that ``seat`` came ``minutes`` late; the penalty points follow from that."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.SCORE})
    seat: Seat
    minutes: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Command):
    """Nothing is judged until it is resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    """Judging goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressClock(Command):
    """``seat`` ends his turn on the clock, where the rule set has turns end so. Pressed before rolling, by one who is not closed out,
    it ends nothing: that the roll is owed is ruled."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.ROLL, Fact.TURN})
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StartClock(Command):
    """The clock runs on, for whoever's turn it is, or as soon as it is somebody's."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})


@dataclass(frozen=True, slots=True, kw_only=True)
class StopClock(Command):
    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClock(Command):
    """``remaining`` seconds of reserve (near, far); both stand until the clock is started."""

    changes: ClassVar[frozenset[Fact]] = frozenset({Fact.CLOCK})
    remaining: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Accepted:
    """``events``: what was logged, in order."""

    events: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was logged. ``reason.code``: stale (``by``: the event's type; ``same``: all that came is what the command says itself, and
    stands), wrong_phase, not_your_cube, crawford, illegal_play, not_notation, no_such_answer, store_failed ..."""

    reason: Reason
    detail: tuple[Reason, ...] = ()


Outcome = Accepted | Refused
