"""Who may have something put right, and until when: illegal plays and wrong starting positions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.board.plays import BAR
from referee.board.position import START, Position, Seat
from referee.rules.citing import cite
from referee.rules.plays import closed_out
from referee.rules.reason import Reason, because
from referee.rules.ruleset import IllegalMoves, IllegalWindow, RuleSet, SetupUntil


class Act(Enum):
    """What the opponent did after a play that may be illegal."""

    THROW = "throw"
    """He threw, whether or not the throw counts."""
    VALID_ROLL = "valid_roll"
    VALID_DOUBLE = "valid_double"


class Who(Enum):
    """Who decides on a correction: nobody, it must be made; the opponent chooses; either player may ask for it."""

    MUST = "must"
    OPPONENT = "opponent"
    EITHER = "either"


def who_corrects(rules: RuleSet) -> Who:
    """Who decides on putting an illegal play right."""
    who = {IllegalMoves.LEGAL_MOVES: Who.MUST, IllegalMoves.RESPONSIBLE: Who.OPPONENT, IllegalMoves.EITHER_MAY: Who.EITHER}
    return who[rules.illegal_moves]


def closes(act: Act, rules: RuleSet) -> bool:
    """Whether ``act`` ends the time for correction, so that the play stands."""
    closing = {
        IllegalWindow.THROW: {Act.THROW, Act.VALID_ROLL},
        IllegalWindow.VALID_ROLL: {Act.VALID_ROLL},
        IllegalWindow.VALID_ROLL_OR_DOUBLE: {Act.VALID_ROLL, Act.VALID_DOUBLE},
    }
    return act in closing[rules.illegal_window]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """``seat`` has ``stand`` checkers on his ``point`` (25 bar, 0 off) where ``should`` belong."""

    seat: Seat
    point: int
    stand: int
    should: int


def misplaced(seen: Position) -> tuple[Misplaced, ...]:
    """Where the starting position is set up wrongly, each player's points from his 24-point down."""
    return tuple(
        Misplaced(seat, point, seen.on_point(seat, point), START.on_point(seat, point))
        for seat in Seat
        for point in range(BAR, -1, -1)
        if seen.on_point(seat, point) != START.on_point(seat, point)
    )


def setup_stands(rules: RuleSet, rolls: int, moved: bool) -> Reason | None:
    """Whether a wrong starting position must be played on with: None while it can still be put right.

    ``rolls`` thrown so far in this game, ``moved``: a checker was moved. The third roll begins the starter's second turn.
    """
    until = rules.setup_error_until
    if until is SetupUntil.FIRST_MOVE:
        over = moved
    elif until is SetupUntil.SECOND_TURN:
        over = rolls >= 3
    else:
        over = rolls >= until
    return because("setup_stands", setup_rule(rules)) if over else None


def setup_rule(rules: RuleSet) -> str:
    """The rule on a wrong starting position; none where it is put right later than the one source that speaks of it has it (S4-03)."""
    return cite(rules, "setup") if rules.setup_error_until is SetupUntil.FIRST_MOVE else ""


def impossible(position: Position) -> Reason | None:
    """A position that cannot arise and must always be put right: both players closed out (S1-15), or not thirty checkers."""
    if all(closed_out(position, seat) for seat in Seat):
        return because("both_closed_out", "S1-15")
    defects = position.defects()
    return because("not_thirty", what="; ".join(defects)) if defects else None
