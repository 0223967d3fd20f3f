"""A throw of the player on roll has come to rest: it is accepted or void, the other's, none at all, or asked about."""

from __future__ import annotations

from dataclasses import replace

from referee.board.plays import Roll
from referee.board.position import Position, Seat
from referee.match.arbiter.between import left_lying
from referee.match.arbiter.memory import Memory, Step, ThrownOn, TurnMemory, ask, fresh, resolved
from referee.match.arbiter.overlap import knocked_over
from referee.match.arbiter.settle import AGAIN, LAID, MISSING, PLAYED, Dice, Sight, combine, same_dice, seen_position, without
from referee.match.arbiter.throws import NO_THROW, NOISE, Throw, Verdict, believed, same_numbers, still_there, throw_of
from referee.match.arbiter.underway import passed, unfinished
from referee.match.arbiter.unseen import PIPS, ask_how, has_played, others_in_part, roll_doubt, seen_in_part, sweep_doubt, unexplained
from referee.match.arbiter.unsure import (
    ask_throw,
    checkers_moved,
    one_die,
    perhaps_played,
    rethrown,
    settle_throw,
    still_lies,
    told_by_play,
)
from referee.match.events import Doubt, Event, NoRoll, Rolled, RollVoid
from referee.match.judge import agrees, as_seen
from referee.match.mover import mover
from referee.match.state import MatchState
from referee.observations import DieState, Reading
from referee.rules.dice import belongs, right_half
from referee.rules.plays import closed_out
from referee.rules.ruleset import Reroll, RuleSet


def throw_in_sight(seat: Seat, sight: Sight, memory: Memory, rules: RuleSet) -> tuple[Throw, Dice, Memory]:
    """The throw in sight, with the new dice. Dice of a void throw that still lie there are no new throw, and where both must
    be thrown again neither is one of them with another."""
    if sight.dice is None:
        return NO_THROW, (), memory
    turn = memory.turn
    idle = (DieState.OFF_BOARD, *([DieState.ON_BAR] if sight.dice_lain(AGAIN) else []))  # the first of a throw may lie there
    if not sight.still and not sight.hidden and all(die.state in idle or die.confidence < NOISE for die in sight.dice):
        turn = replace(turn, old=sight.dice)  # what hardly looks like dice, and lies there alone before the throw, is none of it
    turn, new = fresh(turn, sight.dice, sight.hidden)
    memory, left = replace(memory, turn=turn), without(new, turn.voided)
    if not left:
        return NO_THROW, (), memory
    if void_lies(turn.voided, new, rules):
        whole = throw_of(seat, left, sight.die_doubts, rules)  # two others make one: those of the void throw are somebody else's
        return whole if whole.valid else Throw(Verdict.WAIT), new, memory
    return throw_of(seat, new, sight.die_doubts, rules), new, memory


def void_lies(voided: Dice, dice: Dice, rules: RuleSet) -> bool:
    """Whether one of ``dice`` is of a ``voided`` throw of which both are to be thrown again, so that it makes none with another."""
    return len(voided) > 1 and rules.reroll is Reroll.BOTH and len(without(dice, voided)) < len(dice)


def accepted(state: MatchState, seat: Seat, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A valid throw of the seat on roll. Where the checkers tell that two turns were missed it is asked about instead; any
    other difference is left to the judging of the play, which starts from the last accepted position and knows of this one."""
    unmoved, unsure = sight.shows(state.position), memory.turn.unsure_throw
    if state.question == "throw" and perhaps_played(state, unsure, throw, sight):
        return memory, ()  # the throw that is asked about was played, and turns may have gone by since
    missed = _turns_missed(state, seat, throw, sight, memory, rules) if not unmoved else None
    if missed is not None:
        return missed
    over = knocked_over(unsure.dice, throw)
    if over is not None and over != throw.roll:
        return _knocked_over(state, seat, throw, sight, memory, rules)
    as_first_seen = _played_as_first_seen(state, seat, throw, sight, memory, rules) if not unmoved else None
    return as_first_seen or _counted(state, seat, throw, sight, memory, rules)


def _counted(state: MatchState, seat: Seat, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """The ``throw`` is the roll, with what is remembered of how it came."""
    turn, unmoved, ahead = memory.turn, sight.shows(state.position), _made_ahead(throw, memory.turn)
    before = rethrown(state, turn.unsure_throw, throw, sight, rules)
    at_once = not sight.still and (unmoved or not (turn.away or still_lies(turn.unsure_throw, throw)))  # else he may have played it
    looks = (as_seen(turn.strange), seen_position(sight)) if not ahead else ()  # in one made ahead he may have begun to play
    shifted = not unmoved if ahead else turn.strange is not None
    watched = [one.dice for one in memory.runs.recent if not one.hand and one.position is not None]
    found = turn.away and all(still_there(throw.dice, dice) for dice in watched)
    alone = bool(turn.in_part) or len(turn.unsure_throw.dice) == 1  # one die of it was seen before, and the other was not
    late = not (unmoved or (ahead and not turn.ahead.at_once)) and (turn.absent >= PLAYED or alone)
    thrown_on = ThrownOn.seen(state.position, *looks, shifted=shifted, late=late, found=found)
    first = knocked_over(turn.ahead.dice, throw)
    now = TurnMemory(
        old=(*turn.old, *_parked(seat, sight, turn, at_once)),
        announced=throw.dice, thrown_on=thrown_on, again=throw.roll if first is not None else None,
    )
    roll = Rolled(seat, first or throw.roll, premature=same_dice(turn.early, throw.dice))
    return replace(memory, turn=now), (*resolved(state, "throw"), *before, roll)


def _made_ahead(throw: Throw, turn: TurnMemory) -> bool:
    """Whether ``throw`` was made before the turn, and its player may have begun to play."""
    return same_dice(turn.ahead.dice, throw.dice)


def _turns_missed(state: MatchState, seat: Seat, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """Another look, then the question, where checkers that have moved before ``throw`` tell that turns were missed, or may have been. None
    where they do not."""
    turn = memory.turn
    if (_made_ahead(throw, turn) and not turn.away) or state.doubt is not None:
        return None
    seen = seen_position(sight)
    played = bool(turn.others) and not still_there(turn.others, sight.dice or ())  # the other has taken up his throw: a turn of his too
    if not sight.still and (seen is None if played else turn.away and sight.board is None):
        return memory, ()  # he may be moving already
    after, stood = None if sight.still else throw.roll, as_seen(turn.strange)
    likely, before = (turn.away and look is not None and _turns_told(state, seat, throw, look, rules) for look in (seen, stood))
    before = before and stood != seen  # he has moved on from there
    for where, missed, roll in ((seen, played, None), (stood, played or before, after), (seen, likely, None)):
        question = _missed_doubt(state, where, rules, missed, roll, turn)
        if question is None or where is None:
            continue
        if not (sight.board_stood(AGAIN) if where is seen else sight.board is not None):
            strange = sight.board if where is seen else turn.strange
            return replace(memory, turn=replace(turn, strange=strange, glimpse=(throw.roll,))), ()
        return ask_how(state, question, where, replace(memory, turn=replace(turn, strange=None)), rules)
    return None


def _turns_told(state: MatchState, seat: Seat, throw: Throw, seen: Position, rules: RuleSet) -> bool:
    """Whether ``seen`` is what came of turns that nobody saw, rather than what ``seat`` has begun to play of his ``throw``."""
    if state.position.pips(seat.other) - seen.pips(seat.other) >= PIPS:
        return True
    begun = unfinished(mover(state, seat, rules), throw.roll, seen)
    return not begun and has_played(state.position, seen, seat)


def _parked(seat: Seat, sight: Sight, turn: TurnMemory, at_once: bool) -> Dice:
    """Dice that lie there beside the throw of ``seat`` and are none of it: those of a void throw that lie where only the other throws,
    and, where it is seen ``at_once``, what was laid there."""
    parked = tuple(die for die in turn.voided if not belongs(die, seat) and still_there((die,), sight.dice or ()))
    return (*parked, *without(laid_beside(seat, sight, turn), parked)) if at_once else parked


def laid_beside(seat: Seat, sight: Sight, turn: TurnMemory) -> Dice:
    """What lies in the other's half as ``seat``'s throw is first seen: it was laid there, for nobody throws twice before the first look.
    Nothing where the other has thrown ahead."""
    others = [die for die in sight.dice or () if die.half is right_half(seat.other)]
    return without(tuple(others), turn.old) if not turn.ahead.dice else ()


def _knocked_over(state: MatchState, seat: Seat, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A throw that was in doubt, of which a die has been knocked over since: it counts as it was thrown once checkers have been moved
    with it. Before that nobody can tell that die from one that was thrown again."""
    was = memory.turn.unsure_throw
    if sight.board is None:
        return memory, ()
    if len(was.rolls) == 1 and not sight.shows(state.position):
        return _as_first_seen(state, seat, was.rolls[0], throw, memory)
    if state.doubt is not None:
        return memory, ()
    unsure = replace(was, dice=throw.dice, rolls=(*was.rolls[:1], throw.roll))
    asking, events = ask_throw(state, replace(memory, turn=replace(memory.turn, unsure_throw=unsure)), rules)
    return replace(asking, turn=memory.turn), events


def _played_as_first_seen(state: MatchState, seat: Seat, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """Checkers have been moved, and the throw showed something else before it was settled: a die of it may have been knocked over since.
    Of what was seen on the dice that is the throw with which the board can have been moved; several: another look. None: the last."""
    turn = memory.turn
    if sight.still or _made_ahead(throw, turn):
        return None
    unsure = turn.unsure_throw  # of a die that was seen alone nobody has seen what the other showed
    doubted = unsure.rolls if len(unsure.dice) > 1 and still_lies(unsure, throw) else ()
    rolls = tuple(dict.fromkeys((*doubted, *turn.glimpse, throw.roll)))
    if len(rolls) < 2:
        return None
    seen, mine = seen_position(sight), mover(state, seat, rules)
    fits = [roll for roll in rolls if seen is not None and unfinished(mine, roll, seen)]
    if seen is None or len(fits) > 1:
        return replace(memory, turn=replace(turn, glimpse=rolls)), ()
    return _as_first_seen(state, seat, fits[0], throw, memory) if fits and fits[0] != throw.roll else None


def _as_first_seen(state: MatchState, seat: Seat, roll: Roll, throw: Throw, memory: Memory) -> Step:
    """The ``throw`` counts as ``roll``, which its dice showed before one of them was knocked over."""
    turn = TurnMemory(old=memory.turn.old, announced=throw.dice, again=throw.roll)
    return replace(memory, turn=turn), (*resolved(state, "throw"), Rolled(seat, roll))


def _missed_doubt(
    state: MatchState, seen: Position | None, rules: RuleSet, missed: bool, roll: Roll | None, turn: TurnMemory
) -> Doubt | None:
    """The question about ``seen`` where it tells that turns were missed, or that the game is over. ``missed``: something else tells that
    they were. ``roll``: what was thrown after ``seen`` had stood there (None: nothing): of a whole play that is none of that roll a throw
    was missed. ``turn``: what was seen, in doubt, of that one."""
    seat = state.on_roll
    if seen is None or seat is None or seen == state.position:
        return None
    question = sweep_doubt(state, seen, rules) or roll_doubt(state, seen, rules, seen_in_part(seat, turn), others_in_part(turn))
    moving = roll is None or seen in passed(mover(state, seat, rules), roll)
    return question if missed or (question.answers and not (moving and question.reason.get("turns") == 1)) else None


def void(state: MatchState, seat: Seat, throw: Throw, new: Dice, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A throw that does not count, unless it is the other player's or one that is not all seen yet."""
    his = throw_of(seat.other, new, sight.die_doubts, rules)
    if his.valid:  # for the case that this seat's turn, and then his, go by before anything more is told
        memory = replace(memory, turn=replace(memory.turn, others=his.dice))
    other_threw = his.verdict in (Verdict.VALID, Verdict.UNSURE)
    mine = tuple(die for die in new if die.half is right_half(seat))
    if other_threw and len(mine) == 1 and len(throw.dice) == 2:
        throw = throw_of(seat, mine, sight.die_doubts, rules)  # the other's whole throw is his: one of this seat's dice lies there alone
    if throw.reason is None:
        return memory, ()
    seen = seen_position(sight)
    sweep = sweep_doubt(state, seen, rules)
    if sweep is not None and seen is not None:  # they are of the next game, if it is over
        return ask_how(state, sweep, seen, memory, rules) if state.doubt is None else (memory, ())
    put_back = _put_back(state, seat, throw)
    surely = put_back and sight.shows(state.position) and not sight.still and not closed_out(state.position, seat)
    if other_threw and not surely and not any(die.half is right_half(seat) for die in throw.dice):
        memory, events = _other_has_thrown(state, seat, sight, memory, rules)
        if events is not None:
            return memory, events
    if put_back:
        return replace(memory, turn=replace(memory.turn.with_old(new), strange=None, glimpse=())), ()
    if _just_laid(state, seat, throw, sight):
        return memory, ()
    if _slid_aside(memory.turn.unsure_throw, throw):
        return ask_throw(state, memory, rules) if state.doubt is None else (memory, ())
    if _half_seen(state, throw, sight):
        if len(throw.dice) == 1:
            memory = in_part(state, one_die(throw), sight, memory)
        return memory, ()
    if throw.reason.code == "missing_die" and len(throw.dice) == 1:
        unsure = memory.turn.unsure_throw.dice
        if len(unsure) > 1 and still_there(unsure, throw.dice):
            return memory, ()  # it is one of a throw in doubt, of which the other is taken up
        return settle_throw(state, one_die(throw), sight, memory, rules)
    reason = throw.reason
    if his.valid and reason.code == "wrong_half" and len(throw.dice) == 2:  # whoever has thrown: the other, or this seat into his half
        reason = replace(reason, values=(*reason.values, ("seat", seat.value)))
    was = memory.turn.unsure_throw
    before = rethrown(state, was, throw, sight, rules)
    kept = was if perhaps_played(state, was, throw, sight) else NO_THROW
    part = memory.turn.in_part if checkers_moved(state, sight) else ()  # then a die seen before may be of what was played
    turn = replace(memory.turn, voided=new, strange=None, glimpse=(), in_part=part, unsure_throw=kept)
    return replace(memory, turn=turn), (*resolved(state, "throw"), *before, RollVoid(seat, throw.values, reason))


def in_part(state: MatchState, throw: Throw, sight: Sight, memory: Memory) -> Memory:
    """With what a ``throw`` may be of which a single die is seen, before anything was moved."""
    return replace(memory, turn=replace(memory.turn, in_part=throw.rolls)) if throw.rolls and sight.shows(state.position) else memory


def _half_seen(state: MatchState, throw: Throw, sight: Sight) -> bool:
    """Whether a throw that misses a die may yet turn out to be none: the die may still come into sight, or both are being taken up."""
    code = throw.reason.code if throw.reason is not None else ""
    if code == "missing_die" and (sight.hidden or not sight.dice_lain(MISSING)):
        return True
    if code not in ("missing_die", "off_board") or sight.still:
        return False
    # Once the board is no more as it was the dice are being taken up, not thrown.
    moved = not sight.shows(state.position)
    return moved or len(believed(throw.dice, sight.die_doubts)) < len(throw.dice)


def _just_laid(state: MatchState, seat: Seat, throw: Throw, sight: Sight) -> bool:
    """Whether two dice have not lain in the other's half, however they lie, for long enough to be a throw that came down on the wrong side;
    after the opening two flat ones in either half, where each has thrown a die and may lay down his other."""
    across = all(die.half is right_half(seat.other) for die in throw.dice)
    across = across or (state.turns == 1 and all(die.state is DieState.FLAT and die.half is not None for die in throw.dice))
    return across and len(throw.dice) == 2 and not sight.dice_lain(LAID)


def _slid_aside(unsure: Throw, throw: Throw) -> bool:
    """Whether ``throw`` is the one that was in doubt, of which a die has been slid aside since."""
    return same_numbers(unsure.values, throw.values) and len(throw.dice) == 2 and still_there(unsure.dice, throw.dice) == 1


def _put_back(state: MatchState, seat: Seat, throw: Throw) -> bool:
    """Whether dice lie where the other threw that show what he has just played: he has laid them there again, to show or to keep them, as
    one does more often than a throw of the same numbers comes down on the wrong side."""
    if state.turns == 1 and len(left_lying(state, throw.dice)) == len(throw.dice) == 2:
        return True  # the opening's lay in either half, a die in each
    last, there = state.last_turn, right_half(seat.other)
    if last is None or last.dice is None or last.seat is seat or any(die.half is not there for die in throw.dice):
        return False
    return same_numbers(last.dice, throw.values)


def _other_has_thrown(
    state: MatchState, seat: Seat, sight: Sight, memory: Memory, rules: RuleSet
) -> tuple[Memory, tuple[Event, ...] | None]:
    """``seat`` is on roll and was closed out, or had a turn that nobody saw. None where nothing tells so."""
    if closed_out(state.position, seat):
        return memory, (NoRoll(seat),)
    turn = memory.turn
    told = told_by_play(state, sight, memory, rules)
    if told is not None:
        return told
    strange, seen = pieced_together(turn.strange, sight)
    memory = replace(memory, turn=replace(turn, strange=strange))
    if seen is not None and seen != state.position:
        return unexplained(state, seen, memory, rules)
    if seen is None and not sight.shows(state.position):
        return memory, ()  # something has moved, and what is still in doubt: another look
    if turn.unsure_throw.rolls:
        # His throw was in doubt, and nothing was played with it: by rights, or not.
        return ask_throw(state, memory, rules)
    if (turn.void or state.position.bar[seat.index]) and state.doubt is None:
        if not sight.dice_lain(LAID):
            return memory, ()  # more often he has laid his dice there after his turn
        question = roll_doubt(state, state.position, rules)
        if question.reason.get("turns") == 1:  # he had nothing to play: his throw was void, perhaps wrongly, or he danced before it settled
            return ask(memory, state, question, state.position)
    return memory, None


def pieced_together(strange: Reading | None, sight: Sight) -> tuple[Reading | None, Position | None]:
    """The looks at a board since it first seemed ``strange``, put together with this one; and the position as seen, None while a part of it
    is in doubt."""
    board = sight.board
    if board is None:
        return strange, None
    whole = as_seen(strange)
    if strange is not None:
        board = combine(strange, board) or board
    seen = as_seen(board)
    # A look that doubts a part of it, and shows nothing else, does not undo that it stood so.
    return (strange if whole is not None and seen is None and agrees(board, whole) else board), seen
