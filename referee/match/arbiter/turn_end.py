"""When a play is over: its dice are taken up, or the board and the other's throw tell that they were. Pure.

What ends a turn by the clock is decided elsewhere (`timing.py`); a hand that lies on the dice, or one die that a reader misses, ends none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board.position import CHECKERS, Position
from referee.match import judge
from referee.match.arbiter.memory import TurnMemory
from referee.match.arbiter.missed import round_thrown, round_unseen
from referee.match.arbiter.overlap import others_throw, played_on
from referee.match.arbiter.settle import AGAIN, GONE, MISSING, Dice, Sight, same_place, seen_position, without
from referee.match.arbiter.throws import Throw, believed, other_numbers, still_there
from referee.match.arbiter.unseen import has_played
from referee.match.state import MatchState
from referee.match.timing import press_ends_turn
from referee.match.turn import verdict_on
from referee.observations import SeenDie
from referee.rules.dice import belongs
from referee.rules.plays import closed_out
from referee.rules.ruleset import RuleSet, TurnEnd


@dataclass(frozen=True, slots=True)
class Lying:
    """What is seen of the dice of a roll. ``own``: those that lay in the half of the player on roll (of the opening's only one is his);
    ``here``: how many of these lie where they lay; ``elsewhere``: what else lies in his half; ``moved``: of that what the reader stands
    by."""

    own: Dice
    here: int
    elsewhere: Dice
    moved: Dice

    @property
    def count(self) -> int:
        """How many dice lie in his half, as far as the reader stands by them."""
        return self.here + len(self.moved)


def lying(state: MatchState, sight: Sight, turn: TurnMemory) -> Lying:
    """What is seen of the announced dice; those in sight are settled."""
    assert sight.dice is not None
    own = in_own_half(state, turn.announced) or turn.announced
    elsewhere = in_own_half(state, without(sight.dice, turn.known))
    return Lying(own, sum(lies_there(die, sight) for die in own), elsewhere, believed(elsewhere, sight.die_doubts))


def ended(state: MatchState, sight: Sight, other: Throw, turn: TurnMemory, rules: RuleSet) -> TurnMemory | None:
    """What is remembered of the ``turn`` once it is over and the play is to be judged; None while it may go on. ``other``: the throw of
    the player who is not on roll. What is in sight of dice is settled."""
    if not turn.announced:
        # A roll that was entered by hand, its dice never in sight: only a whole legal play or the other's throw ends the turn.
        return turn if other.valid or legal_and_moved(state, sight, rules) else None
    if not without(turn.announced, turn.ahead.dice) and _other_has_moved(state, sight):
        # They were not slid into the other's half: he has thrown the same numbers, and moves.
        return replace(turn, announced=())
    dice = lying(state, sight, turn)
    if (
        played_on(state, sight, turn, rules)
        or (sight.board_stood(AGAIN) and all_off(state, sight, rules))
        or _lifted(state, sight, other, dice, turn, rules)
        # Where a clock we cannot see ends the turn, a whole play and the other's throw tell that it was pressed.
        or (rules.turn_end is TurnEnd.LIFT_BY_ANYONE and other.valid and legal_and_moved(state, sight, rules))
    ):
        return turn
    if dice.here == 0 and round_thrown(state, sight, dice.moved, turn):
        return replace(turn, round=True)
    return None


def _lifted(state: MatchState, sight: Sight, other: Throw, dice: Lying, turn: TurnMemory, rules: RuleSet) -> bool:
    """Whether the dice of the roll are gone, rather than brushed aside, badly lit, out of sight or overlooked."""
    here, wanted = dice.here, len(dice.own)
    lasts = sight.dice_lain(GONE)
    maybe = dice.count < wanted and (len(dice.elsewhere) > len(dice.moved) or sight.hidden)
    if maybe or 0 < dice.count < wanted:
        # One die may be overlooked as well as lifted: that the play is over is told by the other's throw, or, where no die that may be
        # his lies there, by the board, once that die stays alone. On a stream it stood so before: what comes as a die goes may go on.
        whole = here + len(dice.elsewhere) < wanted and legal_and_moved(state, sight, rules)
        alone = sight.dice_lain(MISSING) and (sight.still or turn.lain.play == whole_play(state, sight, rules))
        return (lasts and other.valid) or (alone and whole)
    # In a tray other dice may be the next throw already, and where the other is closed out: that is told by a whole play on the board.
    other_dice = here == 0 and (_thrown_after(state, sight, dice.moved, rules) or round_unseen(state, sight, dice.moved, turn, rules))
    gone = dice.count == 0 or other_dice
    if wanted > 1 or not still_there(turn.announced, sight.dice or ()):
        return gone
    # Of the opening's dice the other's still lies there: his own alone may be overlooked, while he has not yet played to the end.
    return gone and lasts and (sight.still or other.valid or legal_and_moved(state, sight, rules))


def in_own_half(state: MatchState, dice: Dice) -> Dice:
    """Those of ``dice`` that lie on the board where the player on roll throws."""
    seat = state.on_roll
    assert seat is not None
    return tuple(die for die in dice if belongs(die, seat))


def of_the_roll(state: MatchState, found: Dice, sight: Sight, turn: TurnMemory, rules: RuleSet) -> bool:
    """Whether dice that show the roll are those of it: in the other's half they may be his, and in the right one, once turns may have gone
    by, the next ones."""
    seen, own = seen_position(sight), bool(in_own_half(state, found))
    if state.opening_turn:
        return True
    if turn.away and seen is None:
        return False
    if seen is not None and has_played(turn.thrown_on.position or state.position, seen, state.rolled[0].other):
        return False
    return own or (sight.board is not None and not legal_and_moved(state, sight, rules))


def lies_there(known: SeenDie, sight: Sight) -> bool:
    """Whether a die of the roll lies where it lay, or one that is read otherwise there is in doubt."""
    assert sight.dice is not None
    here = [die for die in sight.dice if same_place(die, known)]
    return any(die.value == known.value or not believed((die,), sight.die_doubts) for die in here)


def lie_again(state: MatchState, sight: Sight, announced: Dice, rules: RuleSet) -> int:
    """How many of the ``announced`` dice lie there and say that the play goes on; after a press of the clock they say nothing."""
    if sight.dice is None or press_ends_turn(state, rules):
        return 0
    return still_there(announced, sight.dice)


def clock_unseen(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> bool:
    """The turn was ended by a clock we cannot see: the dice lie on, and the other has thrown."""
    return rules.turn_end is TurnEnd.LIFT_BY_ANYONE and others_throw(state, sight, turn, rules).valid


def whole_play(state: MatchState, sight: Sight, rules: RuleSet) -> Position | None:
    """The position after the roll, where a whole legal play of it is seen and nothing about that is in doubt."""
    verdict = verdict_on(state, sight.board, rules) if sight.board is not None else None
    return verdict.position if isinstance(verdict, judge.Legal) and verdict.undoubted else None


def all_off(state: MatchState, sight: Sight, rules: RuleSet) -> bool:
    """Whether the whole play is seen that bears off the last checker: the game is over, though the dice lie on."""
    after = whole_play(state, sight, rules)
    return after is not None and state.on_roll is not None and after.off[state.on_roll.index] == CHECKERS


def legal_and_moved(state: MatchState, sight: Sight, rules: RuleSet) -> bool:
    """Whether a whole legal play is seen that moves checkers."""
    return whole_play(state, sight, rules) not in (None, state.position)


def _other_has_moved(state: MatchState, sight: Sight) -> bool:
    """Whether the player who is not on roll has moved checkers."""
    seen = seen_position(sight)
    return seen is not None and state.on_roll is not None and has_played(state.position, seen, state.on_roll.other)


def _thrown_after(state: MatchState, sight: Sight, dice: Dice, rules: RuleSet) -> bool:
    """The roll is played, and ``dice`` are of a throw after it: in a tray, or with other numbers where the other player is closed out."""
    after = whole_play(state, sight, rules)
    if after is None or state.on_roll is None:
        return False
    again = len(dice) == 2 and other_numbers(state, (die.value for die in dice)) and closed_out(after, state.on_roll.other)
    return again or (all(die.tray for die in dice) and after != state.position)
