"""The match as it stands: an immutable value, which `referee.match.folding` makes of the events."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from referee.board.position import START, Position, Seat
from referee.match.clock import Clock
from referee.match.events import Doubt, IllegalPlay, Kind, Role
from referee.rules.cube import CubeFacts, no_access
from referee.rules.reason import Reason
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game


class Phase(Enum):
    """Where the turn stands."""

    SETTING_UP = "setting_up"
    OPENING = "opening"
    TO_ROLL = "to_roll"
    DOUBLED = "doubled"
    ROLLED = "rolled"
    JUDGING = "judging"
    HELD = "held"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"
    PAUSED = "paused"


PLAYING = frozenset({Phase.ROLLED, Phase.JUDGING, Phase.HELD})
"""A roll is being played."""
TO_THROW = frozenset({Phase.OPENING, Phase.TO_ROLL, Phase.DOUBLED})
"""The next thing may be a throw: a doubler who throws has been taken."""
IN_GAME = PLAYING | TO_THROW
BETWEEN_GAMES = frozenset({Phase.SETTING_UP, Phase.GAME_OVER})
"""The board is being set up for the next game."""


@dataclass(frozen=True, slots=True)
class Cube:
    """``value`` as it counts now; ``owner`` None is the middle. ``offered_by`` is set while a double waits for its answer,
    ``value`` still being the old one. ``turned``: somebody doubled and it was taken in this game, or a person set it
    as such a cube lies (Jacoby asks).
    ``beavers``: how often this double was turned again at once. ``unsaid``: that it was taken in this turn was told by the cube or by
    the doubler's throw, and by nobody's word."""

    value: int = 1
    owner: Seat | None = None
    offered_by: Seat | None = None
    turned: bool = False
    beavers: int = 0
    unsaid: bool = False


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose that waits for its answer."""

    seat: Seat
    points: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class OpenDoubt:
    """A question that waits for its answer. ``seq`` names it; ``doubt`` holds the answers."""

    seq: int
    doubt: Doubt
    frame: str


@dataclass(frozen=True, slots=True)
class Early:
    """A throw before its turn that stands: ``seat``'s roll when his turn comes. ``premature`` as in `EarlyRoll`."""

    seat: Seat
    dice: tuple[int, int]
    premature: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """An illegal play that waits for correction. ``told``: as of a `Turn`."""

    seq: int
    play: IllegalPlay
    told: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: whose, its roll (None: closed out), the position before and after, the play in notation, and
    whether it was legal. ``told``: a person has said so, and it may yet have to be made on the board."""

    seq: int
    seat: Seat
    dice: tuple[int, int] | None
    before: Position
    after: Position
    play: str = ""
    legal: bool = True
    told: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """One of the last rulings: what it was (an event's type) and why. ``dice``: of a throw, as far as they were read."""

    seq: int
    type: str
    seat: Seat | None
    reason: Reason
    role: Role
    announced: bool
    dice: tuple[int | None, ...]


LAST_RULINGS = 8


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after event ``seq`` (0: before anything). Pairs are (near, far).

    ``position`` is the last *committed* position: while a roll is being played it is the one before the turn.
    ``resume`` is the phase a pause interrupted. ``reconcile``: after an undo or a position set by hand nothing is judged until
    the board is seen to agree. ``before`` is the state one event earlier, for undoing; it does not count in comparisons.
    """

    seq: int = 0
    phase: Phase = Phase.SETTING_UP
    resume: Phase | None = None
    names: tuple[str, str] = ("", "")
    length: int = 0
    games: int = 0
    rules: str = "bray"
    rule_set: RuleSet | None = None
    aids: bool = False
    event: str = ""
    round: str = ""
    place: str = ""
    transcriber: str = ""
    stake: int = 1
    """What a point is worth in money play, in ``unit``."""
    unit: str = ""
    score: tuple[int, int] = (0, 0)
    penalties: tuple[int, int] = (0, 0)
    """Penalty points each was given; the other's score holds them."""
    game: int = 0
    crawford: bool = False
    crawford_played: bool = False
    opening_turn: bool = False
    """The roll being played is the opening roll."""
    refused: tuple[bool, bool] = (False, False)
    """Who has refused the first throw of this game."""
    auto_doubles: int = 0
    """How often opening ties turned the cube in this game."""
    tie: tuple[int, int] | None = None
    """The last opening tie of this game."""
    ties: int = 0
    """Opening ties of this game."""
    turns: int = 0
    """Turns finished in this game."""
    cube: Cube = Cube()
    on_roll: Seat | None = None
    dice: tuple[int, int] | None = None
    early: Early | None = None
    position: Position = START
    missing: tuple[int, int] = (0, 0)
    """Checkers that were never set up in this game; ``position.off`` counts them."""
    last_turn: Turn | None = None
    gone_on: bool = False
    """Something came since the last turn, or a play held in silence, that would be taken back with it to enter another play."""
    held: Held | None = None
    doubt: OpenDoubt | None = None
    resignation: Resignation | None = None
    winner: Seat | None = None
    """Who won the last finished game or, in ``MATCH_OVER``, the match."""
    rulings: tuple[Ruling, ...] = ()
    lost: tuple[str, ...] = ()
    """Devices that are gone."""
    reconcile: bool = False
    clock: Clock | None = None
    """Both players' time; None where no clock is used."""
    clock_held: bool = False
    """The clock was stopped by hand (or by a restart) and stands until a person starts it."""
    flagged: Seat | None = None
    """Whose time was found to be used up."""
    at: float = field(default=0.0, compare=False)
    """When event ``seq`` happened, seconds on the log's monotonic clock."""
    before: MatchState | None = field(default=None, compare=False, repr=False)
    undone_to: int | None = field(default=None, compare=False, repr=False)
    """The event an undo went back to, where ``seq`` is that undo."""

    def as_of(self, seq: int) -> MatchState:
        """The state as it was after event ``seq`` (the earliest known when that is before the match began)."""
        state = self
        while state.seq > seq and state.before is not None:
            state = state.before
        return state

    @property
    def followed(self) -> MatchState | None:
        """The state before the last event that counts: after an undo that of what it went back to."""
        state = self
        while state.undone_to is not None and state.before is not None:
            state = state.before.as_of(state.undone_to)
        return state.before

    @property
    def awaits(self) -> tuple[object, ...]:
        """What tells whether it is still the same throw that is waited for."""
        return self.game, self.turns, self.ties, self.on_roll, self.play_phase

    @property
    def doubled_now(self) -> MatchState | None:
        """The state in which the double of this turn waited for its answer; None where nobody has doubled."""
        was: MatchState | None = self
        while was is not None and (was.game, was.turns) == (self.game, self.turns):
            if was.play_phase is Phase.DOUBLED:
                return was
            was = was.followed
        return None

    def away(self, seat: Seat) -> int | None:
        """Points ``seat`` still needs, None without a match length."""
        return self.length - self.score[seat.index] if self.length else None

    @property
    def score_shown(self) -> tuple[int, int]:
        """The score without what is over the match's length, which is irrelevant (Magriel)."""
        near, far = self.score
        return (min(near, self.length), min(far, self.length)) if self.length else (near, far)

    @property
    def may_be_longer(self) -> bool:
        """Whether the length can be put right: of a match that goes on, or that was won by the points of its last game, as when it was
        to be longer."""
        won = self.winner
        if self.phase is not Phase.MATCH_OVER or won is None:
            return self.phase is not Phase.MATCH_OVER
        return 0 < self.length <= self.score[won.index] and not self.penalties[won.other.index]

    @property
    def played_by(self) -> RuleSet:
        """The rule set; for a log that names none, the one they are all made from."""
        return self.rule_set or RuleSet()

    @property
    def cube_facts(self) -> CubeFacts:
        """The cube as the rules ask about it; after a beaver the double still stands open to be turned again."""
        cube = self.cube
        doubler = self.on_roll if cube.beavers else cube.offered_by
        return CubeFacts(cube.value, cube.owner, doubler, cube.beavers, self.length, self.crawford)

    def may_double(self, seat: Seat) -> bool:
        """Whether ``seat`` has access to the cube in this game (not whether it is his moment: `said.cube.no_double`)."""
        return no_access(self.cube_facts, seat, self.played_by) is None

    @property
    def held_in_silence(self) -> IllegalPlay | None:
        """The illegal play that is held without the players' knowledge: to them it is played, and the turn over."""
        return self.held.play if self.held is not None and not self.held.play.announced else None

    def late_turn(self, seat: Seat) -> Turn | None:
        """The finished turn of ``seat`` while the other seat is on roll already: what is ruled on it now is ruled late. Else None."""
        turn = self.last_turn
        return turn if turn is not None and turn.seat is seat and self.on_roll is seat.other else None

    @property
    def standing_turn(self) -> Turn | None:
        """The last turn while the board stands as its play has left it; None where nothing was rolled in it."""
        turn = self.last_turn
        return turn if turn is not None and turn.dice is not None and turn.after == self.position else None

    @property
    def crawford_before(self) -> bool:
        """Whether the Crawford game came before the game being played or, between games, before the next."""
        return self.crawford_played and not (self.crawford and self.play_phase in IN_GAME)

    @property
    def crawford_now(self) -> bool:
        """Whether the game being played or, between games, the next is the Crawford game."""
        if self.play_phase in BETWEEN_GAMES:
            return crawford_game(self.length, self.score, self.crawford_before, self.played_by)
        return self.crawford

    @property
    def play_phase(self) -> Phase:
        """The phase of play: what a pause interrupted, else `phase`. People go on by hand while nothing is judged."""
        return (self.resume or Phase.SETTING_UP) if self.phase is Phase.PAUSED else self.phase

    @property
    def on(self) -> bool:
        """A match has been started and is not over."""
        return bool(self.seq) and self.phase is not Phase.MATCH_OVER

    @property
    def rolled(self) -> tuple[Seat, tuple[int, int]]:
        """Whose roll is being played, and the roll. Only to be asked while one is."""
        assert self.on_roll is not None
        assert self.dice is not None
        return self.on_roll, self.dice

    @property
    def question(self) -> str:
        """What the open question is about, empty when there is none."""
        return self.doubt.doubt.about if self.doubt is not None else ""

    @property
    def question_code(self) -> str:
        """The code of what it asks, empty when there is none."""
        return self.doubt.doubt.reason.code if self.doubt is not None else ""

    @property
    def decider(self) -> Seat | None:
        """Who must act now: the seat on roll, the one who answers a double or a resignation, None when nobody in particular."""
        if self.resignation is not None:
            return self.resignation.seat.other
        if self.play_phase is Phase.DOUBLED and self.cube.offered_by is not None:
            return self.cube.offered_by.other
        return self.on_roll if self.play_phase in IN_GAME else None
