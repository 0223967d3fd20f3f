"""What the arbiter remembers between readings: of the turn that is being played, and beyond it. All that counts is in the match's state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee.board.plays import Roll
from referee.board.position import Position
from referee.match.arbiter.settle import AWAY, Dice, Runs, same_die, same_place
from referee.match.arbiter.throws import NO_THROW, Throw, roll_of
from referee.match.events import Doubt, DoubtResolved, Event
from referee.match.state import MatchState
from referee.observations import DieState, Half, Reading, SeenCube


@dataclass(frozen=True, slots=True)
class Lain:
    """Both dice of the roll as they lay. ``at``: when they were last seen to (capture time, s); ``play``: the last whole legal play that
    was seen while they did."""

    at: float = 0.0
    play: Position | None = None


@dataclass(frozen=True, slots=True)
class ThrownOn:
    """The board on which the roll was thrown. ``position``: where that is not the one that the last play had left. ``shifted``: it was seen
    to stand otherwise before the throw, if only in part. ``late``: checkers had been moved before all of the throw was first seen, and a
    die of it may have been knocked over. ``found``: after a longer while its dice lay there at the first look, thrown or laid there to be
    thrown."""

    position: Position | None = None
    shifted: bool = False
    late: bool = False
    found: bool = False

    @staticmethod
    def seen(
        position: Position, *looks: Position | None, shifted: bool = False, late: bool = False, found: bool = False
    ) -> ThrownOn:
        """The board, where one of the ``looks`` at it shows that it does not stand as ``position``."""
        return ThrownOn(next((seen for seen in looks if seen not in (None, position)), None), shifted, late, found)


@dataclass(frozen=True, slots=True)
class Ahead:
    """The other player's throw before the turn is over, whatever is ruled on it, and what tells his moves from the play of the roll.
    ``dice``: as they first lay; ``perhaps``: what he may have thrown, where that was seen in doubt alone. ``stood``: the last position seen
    before he threw; ``at_once``: it was first seen with his throw, and he may have moved in it. ``whole``: the last whole legal play of the
    roll that was seen while one of its dice lay there; ``left``: the same where it stood as they were gone and his lay there. When his own
    turn begins ``dice`` and ``at_once`` alone are handed on."""

    dice: Dice = ()
    perhaps: tuple[Roll, ...] = ()
    stood: Position | None = None
    at_once: bool = False
    whole: Position | None = None
    left: Position | None = None

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """What was thrown, as rolls: one, or none."""
        roll = roll_of(self.dice)
        return (roll,) if roll is not None else ()

    @property
    def before(self) -> Position | None:
        """What stood before he threw, where nothing in it is his; None where that cannot be told."""
        return None if self.at_once else self.stood


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """What is remembered of one turn, from the wait for its throw on. When its throw is accepted, and when it is over, a new one is made of
    the little that still counts. Dice are kept as they lie: on a stream those that were moved and not thrown are followed."""

    absent: float = 0.0  # s for which, at most, the board was not all in sight

    # Dice that lie there and are no throw to come.
    old: Dice = ()  # those of finished turns, and unused ones beside the board
    gone: bool = False  # the dice of the turn before were seen to be taken up
    voided: Dice = ()  # the last throw that does not count, while its dice lie there
    lifted: Dice = ()  # the same once they are taken up

    # The throw that is waited for.
    to_make: bool = False  # the play before was told by hand, and may be made on the board yet
    tied: bool = False  # in the opening: the last throw, seen or told by hand, was a tie
    unsure_throw: Throw = NO_THROW  # one that was in doubt; later another in place of the roll, or, while a play is held, the other's
    in_part: tuple[Roll, ...] = ()  # what one may have been of which a single die was seen, before anything was moved
    glimpse: tuple[Roll, ...] = ()  # what one that was seen but never settled showed; while a play is judged, the other's
    others: Dice = ()  # the other's throw, where this turn is not seen to be over
    strange: Reading | None = None  # a position that nothing explains, as far as it was read; also while a play is held (stills)
    strange_looks: int = 0  # how often it was looked at

    # The roll that is being played.
    announced: Dice = ()  # its dice
    again: Roll | None = None  # what they showed after they had moved
    lain: Lain = Lain()
    thrown_on: ThrownOn = ThrownOn()
    unsure_play: Reading | None = None  # a play that waits for another look (stills)

    # What the other player does before the turn is over.
    stood: Position | None = None  # the board of a play that is held, as his throw in doubt was first seen
    early: Dice = ()  # a throw made before its turn that stands
    ahead: Ahead = Ahead()
    alone: bool = False  # his throw was seen to lie there while none of the dice of the roll did
    round: bool = False  # he whose play is judged has thrown other numbers: the other's turn must have gone by

    def with_old(self, dice: Dice) -> TurnMemory:
        """The same, with ``dice`` too as some that are no throw to come."""
        return replace(self, old=(*self.old, *dice))

    @property
    def known(self) -> Dice:
        """The dice whose turn is told: those of the roll that is being played, and old ones."""
        return (*self.announced, *self.old)

    @property
    def void(self) -> Dice:
        """The last throw that does not count, whether its dice lie there yet or were taken up."""
        return self.voided or self.lifted

    @property
    def away(self) -> bool:
        """The board was out of sight for so long that a turn may have gone by."""
        return self.absent >= AWAY


@dataclass(frozen=True, slots=True)
class Mark:
    """How the match stood before a reading and after it. ``doubled``: the cube as it lay when it was taken for an offer that waits for its
    answer, or for one that was taken, until the roll."""

    before: MatchState
    after: MatchState
    doubled: SeenCube | None = None


@dataclass(frozen=True, slots=True)
class CubeMemory:
    """The cube as it lay, where that is no offer or has been asked about. ``lay``: before the first roll, until it is seen where it
    belongs; ``asked``: when it was last asked about; ``passed``: when a throw came before the answer."""

    lay: SeenCube | None = None
    asked: SeenCube | None = None
    passed: SeenCube | None = None


class Asked(NamedTuple):
    """A question: in which game, after how many of its turns, about what, its code; ``of``: the position or dice that were seen."""

    game: int
    turns: int
    about: str
    code: str
    of: object

    def was_of(self, seen: object, state: MatchState) -> bool:
        """Whether it was asked of ``seen`` in the turn in which the match is."""
        return (self.of, self.game, self.turns) == (seen, state.game, state.turns)


NO_QUESTION = Asked(0, 0, "", "", None)
"""No question has been asked yet, or none that counts now."""


@dataclass(frozen=True, slots=True)
class Memory:
    """All that is handed from one reading to the next."""

    stills: bool = False  # what the camera gives: settled moments, or a stream (`Sight.still`: what the reading that is judged is)
    runs: Runs = field(default_factory=Runs)  # what tells what is settled
    turn: TurnMemory = TurnMemory(absent=AWAY)  # at first nobody knows for how long no camera has looked
    lay: Dice = ()  # the dice that were in sight when they were last settled (stream)
    mark: Mark | None = None  # how the match stood after the last reading, to know what has been settled by hand since; None before one
    cube: CubeMemory = CubeMemory()
    left: Dice | None = None  # the dice in sight when a person had set the match otherwise than the board stands, until it agrees
    asked: Asked = NO_QUESTION  # the last question: put aside, it is not asked again of the same sight
    waiting: tuple[Reading, ...] = ()  # settled readings since a question was asked
    latest: Reading | None = None  # the last look while one was open, settled or not; none at a board out of sight (stream)


Step = tuple[Memory, tuple[Event, ...]]
"""What a reading leads to: the memory to hand in next time, and the events to log, in order."""


def fresh(turn: TurnMemory, dice: Dice, hidden: bool = False) -> tuple[TurnMemory, Dice]:
    """The dice that are not left from before, whatever they seem to show now. While no die is on the board but one that is left on the
    bar, those in sight are noted as lying there unused, and a throw that did not count has been taken up. ``hidden``: dice may lie there
    unseen, and none is forgotten."""
    left = tuple(die for die in dice if die.state is DieState.ON_BAR and any(same_place(die, known) for known in turn.old))
    if all(die.state is DieState.OFF_BOARD or die in left for die in dice) and not hidden:
        return replace(turn, old=dice, voided=(), lifted=turn.void), ()
    new = tuple(die for die in dice if not any(same_place(die, known) for known in turn.old))
    if all(any(same_place(known, die) for die in dice) for known in turn.old):
        return turn, new
    for half in Half:  # one has gone: the other die of a throw may have come to lie where its fellow lay
        unlike = [die for die in dice if die.half is half and not any(same_die(die, known) for known in turn.old)]
        if len(unlike) == 2 and sum(die in new for die in unlike) == 1:  # without a throw it is misread, or turned over
            new = tuple(die for die in dice if die in new or die in unlike)
    return turn, new


def ask(memory: Memory, state: MatchState, doubt: Doubt, of: object) -> Step:
    """Asks ``doubt`` about ``of`` (a position, dice), once: what was put aside is not asked again until the sight changes."""
    now = Asked(state.game, state.turns, doubt.about, doubt.reason.code, of)
    if now == memory.asked:
        return memory, ()
    return replace(memory, asked=now), (doubt,)


def ask_alone(memory: Memory, state: MatchState, doubt: Doubt, of: object) -> Step:
    """Asks, unless something is asked already: one question at a time."""
    return ask(memory, state, doubt, of) if state.doubt is None else (memory, ())


def resolved(state: MatchState, *about: str) -> tuple[Event, ...]:
    """Later sight settles an open question of these kinds."""
    return (DoubtResolved(state.question),) if state.question in about else ()
