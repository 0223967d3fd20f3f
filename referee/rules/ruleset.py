"""A rule set: one frozen value, one field for each question on which the rule books part ways.

Where a field cites rules (``S2-06``), ``docs/rules.md`` says what they say.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.board.plays import LegalPlays
from referee.board.position import Position, Seat


class DieOnChecker(Enum):
    """A die that lies flat on a checker: thrown again (S0-34, S2-06, S3-15) or good (S1-06)."""

    INVALID = "invalid"
    VALID = "valid"


class EdgeTouch(Enum):
    """A die that lies flat but touches the bar or the frame: good, or cast again (S4-02)."""

    OK = "ok"
    INVALID = "invalid"


class Reroll(Enum):
    """After a bad throw both dice are thrown again (S2-06, S3-15), or the faulty one alone (S4-02)."""

    BOTH = "both"
    FAULTY = "faulty"


class PrematureRoll(Enum):
    """A valid throw before the other turn was over: stands, the other finishing with knowledge of it (S2-09); is thrown
    again (S3-14); or a person decides (S0-36 forbids it and names no remedy)."""

    STANDS = "stands"
    REROLL = "reroll"
    ASK = "ask"


class EarlyRoll(Enum):
    """When rolling early is no offence at all: never, or in races and forced plays (S0-36)."""

    NEVER = "never"
    RACE_OR_FORCED = "race_or_forced"


class IllegalMoves(Enum):
    """Who acts on an illegal play: it must be put right (S2-08), the opponent chooses (responsible moves), or either
    player may have it put right (S0-37)."""

    LEGAL_MOVES = "legal_moves"
    RESPONSIBLE = "responsible"
    EITHER_MAY = "either_may"


class IllegalWindow(Enum):
    """What closes the time for correction: the opponent's next throw, his next valid roll, or that or a valid double."""

    THROW = "throw"
    VALID_ROLL = "valid_roll"
    VALID_ROLL_OR_DOUBLE = "valid_roll_or_double"


class TurnEnd(Enum):
    """What ends a turn: its player lifts his dice (S2-07), presses the clock, or anybody lifts them (where a club's own
    clock, which we cannot see, ends turns)."""

    DICE_LIFT = "dice_lift"
    CLOCK = "clock"
    LIFT_BY_ANYONE = "lift_by_anyone"


class HitBearingOff(Enum):
    """A player hit while bearing off: once the checker has entered his others may move (S0-19), or not before it is
    home again (S4-08)."""

    REST_FREE = "rest_free"
    REST_FROZEN = "rest_frozen"


class GammonIf(Enum):
    """A gammon: the loser has borne off none (S0-26, S2-18), or that or has a checker outside his home (S1-19)."""

    NONE_OFF = "none_off"
    NONE_OFF_OR_OUTSIDE = "none_off_or_outside"


class BackgammonIf(Enum):
    """A backgammon: none off and a checker in the winner's home (S0-27); the same or on the bar (S2-18); or a checker
    there whatever has been borne off (S1-20)."""

    NONE_OFF_AND_HOME = "none_off_and_home"
    NONE_OFF_AND_HOME_OR_BAR = "none_off_and_home_or_bar"
    HOME_OR_BAR = "home_or_bar"


class EarliestDouble(Enum):
    """``after_opening``: the first chance is the second player's first turn. ``first_turn``: any turn of one's own
    before rolling, so that a starter who may refuse the opening throw (S3-20) may also double before he casts it anew."""

    FIRST_TURN = "first_turn"
    AFTER_OPENING = "after_opening"


class DiceSets(Enum):
    """One pair of dice for both (S4-14), or a pair each."""

    SHARED = "shared"
    OWN = "own"


class SetupUntil(Enum):
    """Until when a wrong starting position is put right: before the first checker is moved (S4-03), or before the
    starter's second turn."""

    FIRST_MOVE = "first_move"
    SECOND_TURN = "second_turn"


class DropPays(Enum):
    """Chouette: whom a partner pays who drops while others take: the box (S0-32), or the captain, who takes over his
    share (S4-12)."""

    BOX = "box"
    CAPTAIN = "captain"


class TeamDecides(Enum):
    """Chouette: each partner answers a double for himself, or the captain decides (S4-12)."""

    EACH = "each"
    CAPTAIN = "captain"


class ClockMode(Enum):
    """How the free seconds of a turn are given: before the reserve runs (simple delay), given back afterwards as far as
    used (Bronstein), or added whole (Fischer)."""

    NONE = "none"
    SIMPLE_DELAY = "simple_delay"
    BRONSTEIN = "bronstein"
    FISCHER = "fischer"


class RefereeSpeaks(Enum):
    """What the referee says aloud to the players; everything is logged and shown to the director all the same."""

    ALWAYS = "always"
    DICE_AND_CUBE_ONLY = "dice_and_cube_only"
    LOG_ONLY = "log_only"


NO_RACCOONS = "raccoons need at least one beaver"
"""The one defect that a table's answers to what a set leaves open can make."""


@dataclass(frozen=True, slots=True)
class ClockRules:
    """Times in seconds. The reserve is ``bank_s_per_point`` for every point of the match, less
    ``minus_per_point_scored`` for every point either side has; ``overtime_s`` is given once when it has run out."""

    mode: ClockMode = ClockMode.NONE
    delay_s: float = 12.0
    bank_s_per_point: float = 120.0
    minus_per_point_scored: float = 0.0
    overtime_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All choices. The defaults are those of ``bray``, from which every other set differs.

    - ``higher_number``: when only one of two numbers can be played it must be the higher, if that can (S2-12).
    - ``backgammon_pays``: 3, or 2 where there is no such thing (S4-10).
    - ``auto_doubles``: how often an opening tie turns the cube in one game; 0 never, None without limit (S4-09).
    - ``first_throw_refusal``: a player may refuse the first throw by doubling and casting anew (S3-20).
    - ``jacoby``: in money play gammons and backgammons count only once the cube was turned by a take.
    - ``crawford``: in a match nobody doubles in the game after one side comes within a point of it (S2-25).
    - ``beavers``: how often a double may be turned again at once by its taker, ``raccoons``: and then by the doubler.
    - ``mix_dice``: before a game either player may demand that the dice are mixed and picked (S3-16).
    - ``setup_error_until``: a `SetupUntil`, or that many rolls from the start of the game.
    - ``aids``: pip counts, legal plays, equity and hints may reach the players.
    """

    name: str = "bray"
    die_on_checker: DieOnChecker = DieOnChecker.INVALID
    edge_touch: EdgeTouch = EdgeTouch.OK
    reroll: Reroll = Reroll.BOTH
    premature_roll: PrematureRoll = PrematureRoll.STANDS
    early_roll: EarlyRoll = EarlyRoll.NEVER
    illegal_moves: IllegalMoves = IllegalMoves.LEGAL_MOVES
    illegal_window: IllegalWindow = IllegalWindow.VALID_ROLL_OR_DOUBLE
    turn_end: TurnEnd = TurnEnd.DICE_LIFT
    higher_number: bool = True
    hit_bearing_off: HitBearingOff = HitBearingOff.REST_FREE
    gammon_if: GammonIf = GammonIf.NONE_OFF
    backgammon_if: BackgammonIf = BackgammonIf.NONE_OFF_AND_HOME_OR_BAR
    backgammon_pays: int = 3
    auto_doubles: int | None = 0
    first_throw_refusal: bool = False
    jacoby: bool = False
    crawford: bool = True
    beavers: int = 0
    raccoons: bool = False
    earliest_double: EarliestDouble = EarliestDouble.AFTER_OPENING
    mix_dice: bool = False
    dice_sets: DiceSets = DiceSets.OWN
    setup_error_until: SetupUntil | int = SetupUntil.SECOND_TURN
    chouette_drop_pays: DropPays = DropPays.BOX
    team_decides: TeamDecides = TeamDecides.EACH
    clock: ClockRules = ClockRules()
    referee_speaks: RefereeSpeaks = RefereeSpeaks.ALWAYS
    aids: bool = False

    @property
    def rest_frozen(self) -> bool:
        return self.hit_bearing_off is HitBearingOff.REST_FROZEN

    def plays(self, position: Position, seat: Seat, roll: tuple[int, int]) -> LegalPlays:
        """The legal plays of a roll under this set."""
        return LegalPlays(position, seat, roll, self.higher_number, self.rest_frozen)

    def same_plays(self, other: RuleSet) -> bool:
        """Whether the same plays are legal under both sets."""
        return (self.higher_number, self.rest_frozen) == (other.higher_number, other.rest_frozen)

    @property
    def announces_plays(self) -> bool:
        """Whether an illegal play may be announced to the players, not only marked for the director."""
        return self.referee_speaks is RefereeSpeaks.ALWAYS

    @property
    def announces_dice(self) -> bool:
        """Whether rulings on dice and cube may be announced."""
        return self.referee_speaks is not RefereeSpeaks.LOG_ONLY

    def defects(self) -> tuple[str, ...]:
        """Everything in which the choices contradict each other or a number is impossible; empty when sound."""
        found = []
        if self.backgammon_pays not in (2, 3):
            found.append("backgammon_pays must be 3 or 2")
        if self.auto_doubles is not None and self.auto_doubles < 0:
            found.append("auto_doubles cannot be negative")
        if self.beavers < 0:
            found.append("beavers cannot be negative")
        if self.raccoons and not self.beavers:
            found.append(NO_RACCOONS)
        if isinstance(self.setup_error_until, int) and self.setup_error_until < 1:
            found.append("setup_error_until must be at least one roll")
        clock = self.clock
        if min(clock.delay_s, clock.bank_s_per_point, clock.minus_per_point_scored, clock.overtime_s) < 0:
            found.append("the clock’s times cannot be negative")
        if clock.mode is not ClockMode.NONE and clock.bank_s_per_point == 0:
            found.append("a clock needs a bank_s_per_point above 0")
        if self.turn_end is TurnEnd.CLOCK and clock.mode is ClockMode.NONE:
            found.append("turn_end clock needs a clock mode other than none; where the club’s own clock ends turns write lift_by_anyone")
        return tuple(found)
