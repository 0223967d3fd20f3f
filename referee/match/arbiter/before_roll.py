"""The phases in which dice are waited for: the opening, to roll, and a double that waits for its answer."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import START, Position, Seat
from referee.match.arbiter.cubes import cube_back, cube_doubled, cube_to_roll
from referee.match.arbiter.memory import NO_QUESTION, Memory, Step, ThrownOn, TurnMemory, ask, fresh, resolved
from referee.match.arbiter.overlap import thrown_ahead
from referee.match.arbiter.settle import AGAIN, STRANGE, Sight, seen_position, without
from referee.match.arbiter.thrown import accepted, in_part, laid_beside, pieced_together, throw_in_sight, void, void_lies
from referee.match.arbiter.throws import NO_THROW, NOISE, Throw, Verdict, believed, opening_throw, throw_of
from referee.match.arbiter.underway import unfinished
from referee.match.arbiter.unseen import sweep_doubt, unexplained
from referee.match.arbiter.unsure import rethrown, settle_throw, told_by_play
from referee.match.events import NoRoll, OpeningTied, RollVoid, Taken
from referee.match.judge import agrees, as_seen, with_off
from referee.match.mover import mover
from referee.match.state import MatchState
from referee.match.timing import press_ends_turn
from referee.match.turn import opened
from referee.rules.dice import right_half
from referee.rules.plays import closed_out
from referee.rules.ruleset import RuleSet

LOOKS, LOOKS_LIVE = 4, 20
"""Looks (stills, stream) at a board that stands plainly elsewhere than it was left, after which it is asked about though points of it are
in doubt: silence would last for as long as they are."""


def opening(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """One die each: different numbers give `OpeningRolled`, equal ones `OpeningTied`."""
    if sight.dice is None:
        return replace(memory, turn=_glimpsed(None, sight, memory.turn, rules)), ()
    turn, new = fresh(memory.turn, sight.dice, sight.hidden)
    left = without(new, turn.voided)
    if turn.tied and not turn.voided and not new and not sight.hidden:
        turn = replace(turn, tied=False)  # the dice of the tie are taken up: another is another
    memory = replace(memory, turn=turn)
    if not left:
        return _strange(state, sight, memory, rules)
    if turn.tied and len(left) < len(new):  # after a tie both throw again
        return memory, ()
    throw = opening_throw(new, sight.die_doubts, rules)
    if throw.verdict is Verdict.UNSURE and throw.rolls:
        return settle_throw(state, throw, sight, memory, rules)
    if throw.verdict not in (Verdict.VALID, Verdict.VOID):
        memory = in_part(state, throw, sight, memory)
        return _strange(state, sight, memory, rules) if not believed(new, sight.die_doubts) else (memory, ())
    if throw.verdict is Verdict.VOID and throw.seat is None:
        # Two dice in one half: perhaps the second turn's throw, the opening and the first play having been missed.
        told = told_by_play(state, sight, memory, rules)
        if told is not None:
            return told
        strange, seen = pieced_together(turn.strange, sight)
        if seen is not None and seen != state.position:
            return unexplained(state, seen, memory, rules) if state.question in ("", "cube") else (memory, ())
        turn = replace(turn, strange=strange)
    before = (*resolved(state, "throw"), *rethrown(state, turn.unsure_throw, throw, sight, rules))
    turn = replace(turn, unsure_throw=NO_THROW, in_part=())  # the die that was seen first is of this throw
    if throw.verdict is Verdict.VOID:
        assert throw.reason is not None
        return replace(memory, turn=replace(turn, voided=new, tied=False)), (*before, RollVoid(throw.seat, throw.values, throw.reason))
    event = opened(throw.roll)
    if isinstance(event, OpeningTied) and turn.tied and not turn.voided and event.dice == state.tie:
        return replace(memory, turn=replace(turn, voided=new)), before  # a person, or the tower, has told it already
    before = (*resolved(state, "roll", "position", "game_over"), *before)  # they have begun all the same
    if isinstance(event, OpeningTied):
        return replace(memory, turn=replace(turn, voided=new, tied=True)), (*before, event)
    late = turn.away and not sight.shows(state.position)
    thrown_on = ThrownOn.seen(state.position, as_seen(turn.strange), seen_position(sight), late=late, found=turn.away)
    return replace(memory, turn=TurnMemory(old=turn.old, announced=throw.dice, thrown_on=thrown_on)), (*before, event)


def to_roll(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """The seat on roll throws, doubles first, or is closed out."""
    seat = state.on_roll
    if seat is None:
        return memory, ()
    if state.question in ("roll", "position", "game_over"):
        return _back(state, memory) if seen_position(sight) == state.position else (memory, ())
    shut = closed_out(state.position, seat)
    if state.early is not None and state.early.seat is seat and not shut:
        return memory, ()  # he has thrown before his turn, and that is his roll
    if shut and not state.may_double(seat) and not press_ends_turn(state, rules):
        return memory, (NoRoll(seat),)  # where the clock ends turns he still presses it
    memory, events = cube_to_roll(state, sight, memory, rules)
    if events:
        return memory, events
    if sight.dice is None:
        moved = not agrees(sight.reading, state.position)
        return replace(memory, turn=_glimpsed(seat, sight, memory.turn, rules, moved)), ()
    throw, new, memory = throw_in_sight(seat, sight, memory, rules)
    match throw.verdict:
        case Verdict.VALID if shut and any(die.tray for die in throw.dice):
            return memory, (NoRoll(seat),)  # he cannot move and did not double: the other has thrown
        case Verdict.VALID:
            return accepted(state, seat, throw, sight, memory, rules)
        case Verdict.UNSURE if throw.rolls:
            unmoved = sight.shows(state.position)
            if unmoved and not sight.still and not memory.turn.unsure_throw.dice:
                memory = replace(memory, turn=memory.turn.with_old(laid_beside(seat, sight, memory.turn)))
            return settle_throw(state, throw, sight, memory, rules)
        case Verdict.VOID:
            return void(state, seat, throw, new, sight, memory, rules)
        case _:
            memory = in_part(state, throw, sight, memory)
            theirs = throw_of(seat.other, new, sight.die_doubts, rules)
            if theirs.verdict is Verdict.UNSURE:  # good dice were laid there, while one of this seat's or a void throw of his lies here
                memory = replace(memory, turn=replace(memory.turn, ahead=thrown_ahead(memory.turn.ahead, theirs)))
            # One die in doubt may be none, and what lies where the other throws is his: what the checkers say is heard all the same.
            his = all(die.half is right_half(seat.other) for die in believed(new, sight.die_doubts))
            return _strange(state, sight, memory, rules) if his else (memory, ())


def _glimpsed(seat: Seat | None, sight: Sight, turn: TurnMemory, rules: RuleSet, moved: bool = False) -> TurnMemory:
    """Dice that have not settled: what they show is kept for the case that they are never seen better. ``moved``: checkers have been since
    what was seen first, and a die may have been knocked over."""
    _, new = fresh(turn, sight.reading.dice)
    if not without(new, turn.voided) or (seat is not None and void_lies(turn.voided, new, rules)):
        return turn
    doubts = sight.die_doubts
    throw = throw_of(seat, new, doubts, rules) if seat is not None else opening_throw(new, doubts, rules)
    if throw.valid:
        return replace(turn, glimpse=tuple(dict.fromkeys((*turn.glimpse, throw.roll))) if moved else (throw.roll,))
    return replace(turn, glimpse=throw.rolls) if throw.verdict is Verdict.UNSURE and not turn.glimpse else turn


def _strange(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """No dice, and checkers elsewhere than they were left. Looked at twice, then asked about."""
    if sight.board is None:
        return memory, ()
    turn, asked, moved = memory.turn, memory.asked, not sight.shows(state.position)
    # That nothing was moved tells no dance: he may have taken up a throw that does not count, to throw again.
    told = told_by_play(state, sight, memory, rules) if moved else None
    if told is not None:
        return told
    if not moved:
        return _back(state, replace(memory, turn=replace(turn, to_make=False, strange=None, strange_looks=0)))
    if turn.to_make and _being_made(state, sight, rules):
        return memory, ()
    if (asked.game, asked.turns, asked.about, asked.of) == (state.game, state.turns - 1, "play", sight.board.position):
        return memory, ()  # a person has said what was played there
    first_look = turn.strange is None
    strange, seen = pieced_together(turn.strange, sight)
    turn = replace(turn, strange=strange, strange_looks=turn.strange_looks + 1)
    memory = replace(memory, turn=turn)
    if seen is None and turn.strange_looks >= (LOOKS if sight.still else LOOKS_LIVE):
        seen = with_off(sight.board.position)
    if seen is None or seen == state.position or state.question not in ("", "cube"):
        return memory, ()
    if (sight.still and first_look) or not _stands(seen, sight):
        return memory, ()
    return unexplained(state, seen, memory, rules)


def _being_made(state: MatchState, sight: Sight, rules: RuleSet) -> bool:
    """Whether the board shows the last play before it is whole, rather than another play of its roll."""
    last, seen = state.last_turn, seen_position(sight)
    if last is None or last.dice is None or seen is None:
        return False
    his = mover(state, last.seat, rules, last.before)
    return unfinished(his, last.dice, seen) and seen not in his.results(last.dice)


def _back(state: MatchState, memory: Memory) -> Step:
    """The board is as it was again: what was asked of another is settled, and would be asked anew."""
    settled = resolved(state, "roll", "position", "game_over") if memory.asked.of != state.position else ()
    return (replace(memory, asked=NO_QUESTION) if settled else memory), settled


def _stands(seen: Position, sight: Sight) -> bool:
    """Whether a strange position has stood for long enough to be asked about: nobody leaves the starting position standing for long."""
    return sight.board_stood(AGAIN if seen == START else STRANGE)


def doubled(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """Taken when the cube rests on the taker's side, or by the doubler's next throw."""
    doubler = state.cube.offered_by
    if doubler is None:
        return memory, ()
    memory, events = cube_doubled(state, sight, memory, rules)
    if events:
        return memory, (*resolved(state, "game_over"), *events)
    if not sight.still and sight.dice:
        # Who answers a double does not throw: dice in his half are no throw of the doubler's that came down on the wrong side.
        idle = tuple(die for die in sight.dice if die.half is right_half(doubler.other))
        memory = replace(memory, turn=memory.turn.with_old(without(idle, memory.turn.old)))
    if state.question == "game_over" and not sight.shows(state.position):
        return memory, ()  # what is thrown now may be of the next game
    throw, _, memory = throw_in_sight(doubler, sight, memory, rules)
    threw = _has_thrown(doubler, throw, sight)
    back = cube_back(state, sight, memory) if threw else None
    if back is not None:
        if state.question not in ("", "cube", "game_over"):
            return memory, ()
        memory, asked = ask(memory, state, back, state.cube)
        return memory, (*(resolved(state, "cube", "game_over") if asked else ()), *asked)
    if threw:
        return memory, (*resolved(state, "game_over"), Taken(doubler.other, 2 * state.cube.value, inferred=True))
    seen = seen_position(sight)
    if seen == state.position:
        return memory, resolved(state, "game_over")
    if seen is None or state.doubt is not None or not _stands(seen, sight):
        return memory, ()
    question = sweep_doubt(state, seen, rules)
    return ask(memory, state, question, seen) if question is not None else (memory, ())


def _has_thrown(doubler: Seat, throw: Throw, sight: Sight) -> bool:
    """Whether the ``doubler`` has thrown, so that his double was taken, be it that the throw does not count or is in doubt: both dice lie
    where he throws. One that is not valid must have lain there for a while: before he has an answer he may lay down his dice anyhow."""
    if throw.valid:
        return True
    lies = all(die.half is right_half(doubler) and die.confidence >= NOISE for die in throw.dice)
    return lies and len(throw.dice) == 2 and sight.dice_lain(AGAIN)
