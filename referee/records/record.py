"""A match record as every format tells it: two columns, games, actions. What was written, not what was legal.

The left column is gnubg's player 0 (SGF White), the right one player 1 (SGF Black). For replaying, left sits at `Seat.NEAR`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from referee.board import BAR, OFF, Position, Seat
from referee.rules.ruleset import RuleSet


class Side(Enum):
    """A column of the record."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> Side:
        return Side.RIGHT if self is Side.LEFT else Side.LEFT

    @property
    def index(self) -> int:
        """0 for left, 1 for right: the place in every ``(left, right)`` pair."""
        return 0 if self is Side.LEFT else 1

    @property
    def seat(self) -> Seat:
        """Where this column sits when the record is replayed."""
        return Seat.NEAR if self is Side.LEFT else Seat.FAR

    @staticmethod
    def of(seat: Seat) -> Side:
        return Side.LEFT if seat is Seat.NEAR else Side.RIGHT


class Do(Enum):
    """What a player did in one field of the record."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"
    SET_POSITION = "set_position"
    SET_CUBE = "set_cube"
    UNREAD = "unread"
    """What stands here cannot be read: where the checkers are from here on nobody knows."""


class Owner(Enum):
    """Where the cube was put by hand."""

    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"

    @property
    def side(self) -> Side | None:
        """Whose it is, None in the middle."""
        return None if self is Owner.MIDDLE else Side(self.value)

    @staticmethod
    def of(side: Side | None) -> Owner:
        return Owner.MIDDLE if side is None else Owner(side.value)


Step = tuple[int, int]
"""(from, to) in the mover's own numbers, 25 the bar, 0 off; may cover both dice of a roll."""


def steps_text(steps: Iterable[Sequence[int]]) -> str:
    """Steps in words, such as ``bar/22 6/off``."""
    return " ".join(f"{'bar' if a == BAR else a}/{'off' if b == OFF else b}" for a, b in steps)


@dataclass(frozen=True, slots=True)
class Action:
    """One field. ``row`` is its number in the file (0 where the format has none).

    ``dice`` and ``steps`` belong to `Do.ROLL`: ``steps`` None when nothing is written behind the roll, empty when the file says
    that nothing could be played. ``value`` is the cube's new value as written, or 0. ``position`` (left at near): the
    board after an illegal play that stood, or the board set by `Do.SET_POSITION`. `Do.SET_CUBE` gives ``value`` (0: as it was) and
    ``owner`` (None: as it was). ``text`` is the field as written.
    """

    side: Side
    do: Do
    row: int = 0
    dice: tuple[int, int] | None = None
    steps: tuple[Step, ...] | None = None
    value: int = 0
    position: Position | None = None
    text: str = ""
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """``score`` before it and ``points`` declared for its ``winner``, as written; ``winner`` None: no result written.

    ``resigned``: the winner did not have to play it out (known only to formats that say so; else None). ``crawford`` None where
    the format does not say. ``cube``: the cube's value at the start (automatic doubles). ``awarded``: what (left, right) got
    or lost between this game's start and the next one's besides what was won: penalties, a score set by hand. ``ruled``: a person gave
    the game to its winner, for as many points as he said.
    """

    number: int
    score: tuple[int, int]
    actions: tuple[Action, ...] = ()
    winner: Side | None = None
    points: int = 0
    resigned: bool | None = None
    crawford: bool | None = None
    cube: int = 1
    awarded: tuple[int, int] = (0, 0)
    ruled: bool = False

    def score_after(self, winner: Side | None, points: int) -> tuple[int, int]:
        """The score that the next game begins at when ``winner`` has won ``points``."""
        (left, right), (more_left, more_right) = self.score, self.awarded
        return left + more_left + points * (winner is Side.LEFT), right + more_right + points * (winner is Side.RIGHT)


@dataclass(frozen=True, slots=True)
class Record:
    """``names`` (left, right). ``length`` 0: money play. ``tags``: what else the header says, in its own words (Event, Round,
    Site, EventDate, Transcriber, Variation ...). ``jacoby``, ``crawford`` None where the format does not say. ``winner``: who won the
    match, by whatever way (points, penalties, awarded), where the format says so."""

    names: tuple[str, str]
    length: int
    games: tuple[Game, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    jacoby: bool | None = None
    crawford: bool | None = None
    winner: Side | None = None

    def tag(self, name: str) -> str:
        """The header's word for ``name``, empty when it has none."""
        return next((value for key, value in self.tags if key.lower() == name.lower()), "")


CUT = "the file ends in the middle of a line"


class NotARecord(Exception):
    """This is not a match record that can be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a reader found: the record and, one sentence each, what was wrong with the text. ``rules``: what it was played under, where
    the file says so. ``remarks``: comments or an analysis stood in it, which no record holds."""

    record: Record
    problems: tuple[str, ...] = ()
    rules: RuleSet | None = None
    remarks: bool = False
    open_end: bool = False
    """The last line has no end, so that what stands last may be only part of what was written."""
