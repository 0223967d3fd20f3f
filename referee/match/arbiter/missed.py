"""Turns that were missed: the board was out of sight, or an illegal play was held, and the other may have thrown and played
meanwhile. They are asked about, never charged to the player who was last seen to roll."""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.board.position import Position
from referee.match import judge
from referee.match.arbiter.memory import Memory, Step, TurnMemory, ask, ask_alone
from referee.match.arbiter.overlap import BESIDE, others_throw
from referee.match.arbiter.settle import AGAIN, AT_REST, AWAY, QUICK, ROUND, STILL_UNSEEN, STRANGE, Dice, Sight, seen_position, without
from referee.match.arbiter.throws import Throw, Verdict, opening_throw, other_numbers, throw_of
from referee.match.arbiter.underway import passed
from referee.match.arbiter.unseen import gone_on_doubt, has_played, moved_on, round_doubt, turn_doubt
from referee.match.events import Answer, Doubt, OpeningTied, Rolled
from referee.match.mover import mover
from referee.match.state import MatchState, Phase
from referee.match.turn import illegal_stood, opened, says_roll
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

TWICE_STILLS = 4 * STILL_UNSEEN
"""The same as `ROUND` on stills: his play, the other's throw and play, and his next throw."""

UNSEEN = ("turn_unseen", "turns_unseen")
"""Questions about a play after which a turn went by unseen, or more than can be told."""


def round_unseen(state: MatchState, sight: Sight, dice: Dice, turn: TurnMemory, rules: RuleSet) -> bool:
    """Whether ``dice`` where he throws whose roll is being played are another throw of his, with turns between that nobody saw: the board
    was out of sight for a while, or the other has thrown. With other numbers that is told where a turn of each leads to what stands there;
    with the same, after a while out of sight, where the other has moved, or is on the bar and more was played than the roll."""
    seen = seen_position(sight)
    unwatched = turn.away or turn.ahead.dice
    if sight.still or not unwatched or seen is None or len(dice) != 2 or not sight.board_stood(AT_REST):
        return False
    if other_numbers(state, (die.value for die in dice)):
        return turn_doubt(state, seen, rules) is not None
    seat, roll = state.rolled
    danced = seen.bar[seat.other.index] and seen not in passed(mover(state, seat, rules), roll)
    return turn.away and (bool(danced) or has_played(state.position, seen, seat.other))


def round_thrown(state: MatchState, sight: Sight, dice: Dice, turn: TurnMemory) -> bool:
    """The other has thrown, and ``dice`` that lie where he whose play it is throws are another throw of his: they show other numbers, or
    his were gone while the other's lay there. What was played meanwhile may not be told."""
    if len(dice) != 2 or not turn.ahead.dice or sight.still or not sight.dice_lain(AT_REST):
        return False
    return turn.alone or (other_numbers(state, (die.value for die in dice)) and not _turned(turn.announced, dice))


def _turned(announced: Dice, dice: Dice) -> bool:
    """Whether ``dice`` may be those of the roll, brushed aside or knocked over: they lie beside where those lay."""
    lay = [known.centre for known in announced]
    return len(lay) == 2 and all(any(dist(die.centre, at) <= BESIDE for at in lay) for die in dice)


def turn_missed(state: MatchState, seen: Position, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """The board was out of sight for a while, in which the other may have played on from a legal play: asked about, never charged to
    the player who was last seen to roll. None when nothing speaks for it."""
    seat, turn = state.on_roll, memory.turn
    assert seat is not None
    asked = memory.asked
    if asked[:3] == (state.game, state.turns, "play") and asked.code in UNSEEN:
        if state.doubt is not None or asked.code != "turn_unseen" or asked.of != seen:
            return memory, ()  # a person is asked, or has put it aside: what came of it he tells, or a legal play
        return ask(memory, state, round_doubt(state, seen, rules), seen)  # it was another roll, or more turns went by
    moved = has_played(state.position, seen, seat.other)
    quick = not sight.still and moved and sight.reading.captured_at - sight.board_for - turn.lain.at >= QUICK
    unwatched = turn.away or (turn.round and not sight.still) or quick
    other = others_throw(state, sight, turn, rules)
    thrown = turn.ahead.dice or turn.ahead.perhaps or other.rolls  # what is in doubt of it counts too
    if not (unwatched or thrown) or (seen == turn.ahead.stood and not unwatched):
        return None
    if not turn.round and other.verdict is not Verdict.NONE and moved:
        rolls = (other.roll,) if other.valid else other.rolls
        return replace(memory, turn=replace(turn, glimpse=rolls or turn.glimpse)), ()  # while his dice lie he may not have finished
    question = turn_doubt(state, seen, rules, turn.glimpse or turn.ahead.rolls or turn.ahead.perhaps)
    if question is None:
        return None
    stands = turn.round or sight.board_stood(AGAIN)
    if state.doubt is not None or not stands:  # the next turn is on: it will not stand for long
        return replace(memory, turn=replace(turn, absent=max(turn.absent, ROUND))), ()
    return ask(replace(memory, turn=replace(turn, glimpse=())), state, question, seen)


def round_begun(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> bool:
    """Whether turns have gone by while a play is judged: its player has thrown other numbers, or his dice showed them where they lay
    next. Once the other was seen to throw, one look is enough: nobody is charged with what the board shows then."""
    looked = replace(sight, dice=sight.reading.dice) if turn.ahead.dice and not sight.reading.hand else sight
    again = turn.again is not None and other_numbers(state, turn.again)
    return turn.round or again or thrown_anew(state, looked, turn.known, rules) is not None


def round_missed(
    state: MatchState, seen: Position, left: Position | None, sight: Sight, memory: Memory, rules: RuleSet
) -> Step | None:
    """More turns have gone by than can be told: asked about once it stands so for a while. ``left``: what stood there before the other
    began to move, where that can be told. None where nothing tells so."""
    begun = memory.turn.round
    if not begun and (left is not None or not _round_likely(state, seen, sight, memory.turn)):
        return None
    return ask_alone(memory, state, round_doubt(state, seen, rules), seen) if begun or sight.board_stood(AGAIN) else (memory, ())


def _round_likely(state: MatchState, seen: Position, sight: Sight, turn: TurnMemory) -> bool:
    """Whether the other's checkers stand elsewhere, and he has thrown, or the board was out of sight for long enough, or for a while and
    they have moved on by a turn; or whether it was so for so long that the one on roll may have had another turn, and the other, who has a
    checker on the bar, none to be seen: he danced, or what he moved was hit."""
    if state.on_roll is None:
        return False
    other, since = state.on_roll.other, not sight.still and turn.ahead.dice and seen != turn.ahead.stood
    twice = turn.absent >= (TWICE_STILLS if sight.still else AWAY if turn.ahead.dice else ROUND)
    if twice and seen.bar[other.index] and has_played(state.position, seen, state.on_roll):
        return True
    unwatched = turn.away or (sight.still and turn.ahead.dice)  # he threw before a picture of the play was taken
    if unwatched and moved_on(state.position, seen, other):
        return True
    return (bool(since) or turn.absent >= ROUND) and has_played(state.position, seen, other)


def gone_on_unseen(state: MatchState, verdict: judge.Verdict | None, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """While an illegal play is held the board has come to a position that is no correction: the other may have thrown and played
    unseen. Looked at twice, then asked about; where nothing explains it, it is a correction under way."""
    if state.held is None or state.doubt is not None or not isinstance(verdict, judge.Illegal) or not verdict.undoubted:
        return memory, ()
    again = thrown_anew(state, sight, memory.turn.known, rules) is not None
    if not again:
        if verdict.position == state.held.play.position or not sight.board_stood(STRANGE):
            return memory, ()
        if sight.still and (memory.turn.strange is None or not judge.agrees(memory.turn.strange, verdict.position)):
            return replace(memory, turn=replace(memory.turn, strange=sight.board)), ()
    question = gone_on_doubt(state, illegal_stood(state, state.held.play), verdict.position, again, rules)
    return ask(memory, state, question, verdict.position) if question.answers or again else (memory, ())


def thrown_instead(state: MatchState, seen: Position, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """He whose play is made, judged or held took his dice up with nothing played, throws again, and perhaps plays that: both have agreed on
    it, or what lay there, or lies there yet, was no throw of his. So may both with the opening's. None where that is not so."""
    seat, turn, throw = state.on_roll, memory.turn, thrown_anew(state, sight, memory.turn.known, rules)
    if seat is None or throw is None or turn.ahead.dice:
        return None
    roll = opened(throw.roll) if throw.seat is None else Rolled(seat, throw.roll)
    thrower = None if isinstance(roll, OpeningTied) else roll.seat
    begun = passed(mover(state, thrower, rules), roll.dice) if thrower is not None else {state.position}
    if seen not in begun:
        return None
    if state.doubt is not None:
        return memory, ()
    if throw.seat is None:
        why = because("opened_instead")
    else:
        why = because("thrown_beside" if state.phase is Phase.ROLLED else "thrown_instead", seat=seat.value)
    if state.phase is Phase.ROLLED:  # whose the dice are that lie there is told by the answer
        turn = replace(turn, unsure_throw=throw)
    else:
        turn = TurnMemory(old=(*turn.old, *turn.announced), unsure_throw=throw)
    return ask(replace(memory, turn=turn), state, Doubt("throw", why, (Answer(says_roll(roll), (roll,)),)), throw.roll)


def thrown_anew(state: MatchState, sight: Sight, known: Dice, rules: RuleSet) -> Throw | None:
    """The throw of other numbers that lies there of the player whose play is judged or held; or of both (its seat None) in place of the
    opening's. ``known``: the dice whose turn is told."""
    if state.on_roll is None or state.dice is None or sight.dice is None:
        return None
    new = without(sight.dice, known)
    if state.opening_turn:
        again = opening_throw(new, sight.die_doubts, rules)
        if again.valid and again.roll != state.dice:
            return again
    throw = throw_of(state.on_roll, new, sight.die_doubts, rules)
    return throw if throw.valid and other_numbers(state, throw.roll) else None
