"""Turns that overlap: the other player has thrown, and moves, while the dice of the turn before lie there yet. Pure.

He whose dice lie may change his play until he takes them up; what the other's checkers do meanwhile is none of it.
"""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.board.difference import difference
from referee.board.plays import BAR, OFF, Roll
from referee.board.position import Position
from referee.match import judge
from referee.match.arbiter.memory import Ahead, TurnMemory
from referee.match.arbiter.settle import ROUND, Dice, Sight, same_place, seen_position, without
from referee.match.arbiter.throws import NO_THROW, Throw, Verdict, other_numbers, roll_of, same_numbers, still_there, throw_of
from referee.match.arbiter.underway import on_the_bar, passed
from referee.match.arbiter.unseen import has_played
from referee.match.mover import mover, outcomes_now, results_now
from referee.match.state import MatchState, Phase
from referee.observations import Reading
from referee.rules.dice import belongs, premature
from referee.rules.ruleset import DiceSets, RuleSet

BESIDE = 60.0
"""px: no further than this a hand that moves checkers brushes a die aside."""


def others_throw(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> Throw:
    """The throw of the player who is not on roll, by dice in his own half that did not lie there before."""
    seat = state.on_roll
    if seat is None or sight.dice is None:
        return NO_THROW
    if rules.dice_sets is DiceSets.SHARED and still_there(turn.announced, sight.dice):
        return NO_THROW  # there is one pair, and it lies there
    over = state.phase is not Phase.ROLLED  # while his own dice are out, whatever lies in the tray is his
    new = tuple(die for die in without(sight.dice, turn.known) if (over if die.tray else belongs(die, seat.other)))
    return throw_of(seat.other, new, sight.die_doubts, rules) if new else NO_THROW


def laid_again(state: MatchState, turn: TurnMemory, looks: tuple[Reading, ...], rules: RuleSet) -> bool:
    """Whether what the other seems to have thrown ahead are his dice, laid down to have them at hand: they show what he played last, or
    came before anything was moved, where that is against the rules and there is something to move. One does so more often than one throws
    then; what he plays tells. Over a dance, or where the last of the ``looks`` before they came shows those of the roll to be gone, he has
    seen that the turn is his."""
    last, seat, ahead = state.last_turn, state.on_roll, turn.ahead
    if last is None or last.dice is None or seat is None or last.seat is seat or state.dice is None or len(ahead.dice) != len(last.dice):
        return False
    against = ahead.before == state.position and premature(state.position, seat, state.dice, rules) is not None
    before = [one.dice for one in looks if not (one.hand or one.position is None or still_there(ahead.dice, one.dice))][-1:]
    came_after = bool(turn.announced and before) and not still_there(turn.announced, before[0])
    again = same_numbers(last.dice, (die.value for die in ahead.dice)) and not came_after
    return again or (against and bool(results_now(state, rules)))


def knocked_over(ahead: Dice, throw: Throw) -> Roll | None:
    """What ``throw`` showed when it was made ahead of its turn, where one of its dice has been knocked over since: it lies beside where it
    lay, and the other where it lay. None where it was not."""
    was, now = without(ahead, throw.dice), without(throw.dice, ahead)
    if not (len(ahead) == len(throw.dice) == 2 and len(was) == len(now) == 1):
        return None
    if same_place(was[0], now[0]) or dist(was[0].centre, now[0].centre) > BESIDE:
        return None
    roll = roll_of(ahead)
    return (max(roll), min(roll)) if roll is not None else None


def noted(state: MatchState, sight: Sight, other: Throw, turn: TurnMemory, rules: RuleSet) -> Ahead:
    """What tells overlapping turns apart while the roll is being played: the last whole legal play of it that was seen, and the
    ``other``'s throw."""
    return thrown_ahead(whole_so(state, seen_position(sight), stood_so(state, sight, other, turn), rules), other)


def thrown_ahead(ahead: Ahead, other: Throw) -> Ahead:
    """With the ``other``'s throw where it is a valid one, as its dice first lay; with what it may be where it is in doubt."""
    if other.verdict is Verdict.UNSURE:
        return replace(ahead, perhaps=other.rolls)
    return replace(ahead, dice=other.dice) if other.valid and knocked_over(ahead.dice, other) is None else ahead


def whole_so(state: MatchState, seen: Position | None, ahead: Ahead, rules: RuleSet) -> Ahead:
    """With ``seen`` where that is a whole legal play of the roll, and not what the other makes of an earlier one; with none where all of it
    was taken back."""
    if seen is None or _on_the_way(state, seen, ahead, rules):
        return ahead
    if seen in outcomes_now(state, rules):
        return replace(ahead, whole=seen)
    return replace(ahead, whole=None) if seen == state.position else ahead


def stood_so(state: MatchState, sight: Sight, other: Throw, turn: TurnMemory) -> Ahead:
    """With the position that stands as the ``other``'s throw is first seen: so far nothing of it is his, or it came with it. One that comes
    after dice that he had laid down, and has moved nothing with, is another."""
    ahead, seen = turn.ahead, seen_position(sight) if sight.dice is not None else None
    if seen is None or other.verdict is Verdict.UNSURE:
        return ahead
    if ahead.dice:
        played = state.on_roll is None or ahead.stood is None or has_played(ahead.stood, seen, state.on_roll.other)
        if played or not other.valid or still_there(ahead.dice, other.dice):
            return ahead
    if other.valid:
        return came_with(state, seen, sight.dice or (), turn)
    return ahead if ahead.perhaps else replace(ahead, stood=seen, at_once=False)


def came_with(state: MatchState, seen: Position | None, dice: Dice, turn: TurnMemory) -> Ahead:
    """With ``seen`` as what stands as the other's throw is first seen; ``dice``: all in sight. Where those of the roll lie there and
    nothing was moved he has not moved either."""
    unbegun = seen == state.position and 0 < len(turn.announced) == still_there(turn.announced, dice)
    return replace(turn.ahead, stood=seen, at_once=seen != turn.ahead.stood and not unbegun)


def _played_before(state: MatchState, seen: Position, ahead: Ahead) -> Position | None:
    """The whole play of the seat on roll, where ``seen`` is that and what the other, who has thrown, has moved since."""
    seat, whole = state.on_roll, ahead.whole
    if seat is None or whole is None or not ahead.dice:
        return None
    changes = difference(whole, seen)
    hit = all(point in (BAR, OFF) for point in changes[seat].arrived)  # a checker that was hit may lie beside the bar yet
    moved = bool(changes[seat.other].left or changes[seat].left)
    return whole if hit and moved else None


def played_meanwhile(state: MatchState, verdict: judge.Verdict, board: Reading, turn: TurnMemory, rules: RuleSet) -> Position | None:
    """The play to log in place of what ``board`` shows, because the other has begun to move. A legal result may be that too: a checker
    that was hit may have entered where it stood, and after a while out of sight more turns than his may have gone by."""
    seen = verdict.position if isinstance(verdict, judge.Illegal) else judge.as_seen(board)  # what is in doubt is none of an illegal one
    if seen is None or state.on_roll is None:
        return None
    rounds = turn.absent >= ROUND and has_played(state.position, seen, state.on_roll.other)  # perhaps more turns than one
    if (rounds or isinstance(verdict, judge.Legal)) and not _on_the_way(state, seen, turn.ahead, rules):
        return None
    whole = _played_before(state, seen, turn.ahead) if not _taken_back(state, seen, turn.ahead, rules) else None
    left = turn.ahead.left if turn.alone and turn.ahead.left in outcomes_now(state, rules) else None  # of this very roll
    return whole or _only_play_before(state, seen, turn, rules) or left


def _taken_back(state: MatchState, seen: Position, ahead: Ahead, rules: RuleSet) -> bool:
    """Whether the last whole play was taken back before the other threw, which may look like hits: it stood otherwise then, and ``seen``
    is that with moves of his throw."""
    seat, before = state.on_roll, ahead.before
    if seat is None or before is None:
        return False
    stood = on_the_bar(state.position, before, seat.other)
    return stood != ahead.whole and (seen == before or _comes_to(state, stood, seen, ahead.rolls, rules))


def _only_play_before(state: MatchState, seen: Position, turn: TurnMemory, rules: RuleSet) -> Position | None:
    """The legal play of the seat on roll from which alone the other, who has thrown, comes to ``seen`` by moves of his throw; None where
    his checkers had been moved before he threw, or the board was out of sight for a while. Where the throw and the move came between two
    looks, as of who enters a checker with the other hand, nobody saw which was first."""
    stood = turn.ahead.before
    if state.on_roll is None or turn.away:
        return None
    if stood is not None and has_played(state.position, on_the_bar(state.position, stood, state.on_roll.other), state.on_roll.other):
        return None
    found = plays_before(state, seen, turn.ahead, rules)
    return found[0] if len(found) == 1 else None


def plays_before(state: MatchState, seen: Position, ahead: Ahead, rules: RuleSet) -> list[Position]:
    """The legal plays of the seat on roll from which the other, who has thrown, comes to ``seen`` by moves of his throw."""
    if state.dice is None or not ahead.rolls:
        return []
    return [before for before in outcomes_now(state, rules) if _comes_to(state, before, seen, ahead.rolls, rules)]


def _comes_to(state: MatchState, before: Position, seen: Position, rolls: tuple[Roll, ...], rules: RuleSet) -> bool:
    """Whether the other comes from ``before`` to ``seen`` by moves of one of ``rolls``."""
    assert state.on_roll is not None
    other, seen = state.on_roll.other, on_the_bar(before, seen, state.on_roll)
    if not difference(before, seen)[other].left:
        return False
    return any(seen in passed(mover(state, other, rules, before), roll) for roll in rolls)


def moved_since(state: MatchState, before: Position, seen: Position, other: Throw, rules: RuleSet) -> bool:
    """Whether the other has come from ``before`` to ``seen`` by moves of the throw that lies there."""
    return other.valid and _comes_to(state, before, seen, (other.roll,), rules)


def left_before(state: MatchState, seen: Position, turn: TurnMemory, rules: RuleSet) -> Position | None:
    """What stood on the board before the other threw, where ``seen`` is that and what he has moved of his throw since. None where a
    checker that was hit lay beside the bar yet: the play was under way as it stood so."""
    stood, seat = turn.ahead.stood, state.on_roll
    if stood is None or seat is None or turn.away:
        return None
    if on_the_bar(state.position, stood, seat.other) != stood:
        return None
    return stood if _comes_to(state, stood, seen, turn.ahead.rolls, rules) else None


def _on_the_way(state: MatchState, seen: Position, ahead: Ahead, rules: RuleSet) -> bool:
    """Whether the other comes to ``seen`` from the last whole play by moves of his throw."""
    before = _played_before(state, seen, ahead)
    return before is not None and _comes_to(state, before, seen, ahead.rolls, rules)


def played_on(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> bool:
    """The other has thrown and played the whole of his roll, and one of the two has taken up his dice: what lies in the half of the seat
    on roll are those of his finished turn, or his next throw. That the other could not play is told by that throw alone: who takes up
    dice that he threw too soon may mean to throw them again."""
    seen = seen_position(sight)
    if seen is None or sight.dice is None or state.on_roll is None:
        return False
    ahead, whole = turn.ahead, turn.ahead.whole
    lie, danced = still_there(ahead.dice, sight.dice), seen == whole
    if lie and (danced or still_there(turn.announced, sight.dice)):
        return False
    if danced and not _other_numbers_lie(state, sight.dice, turn):
        return False
    before = whole if danced else _played_before(state, seen, ahead)
    if before is None:
        return False
    theirs = mover(state, state.on_roll.other, rules, before)
    results = (theirs.results(roll) for roll in ahead.rolls)
    return any(not found if danced else seen in found for found in results)


def _other_numbers_lie(state: MatchState, dice: Dice, turn: TurnMemory) -> bool:
    """Whether the seat on roll has other dice in his half than those of his roll, with other numbers."""
    assert state.on_roll is not None
    new = [die for die in dice if belongs(die, state.on_roll) and not still_there(turn.known, (die,))]
    return len(new) == 2 and other_numbers(state, (die.value for die in new))
