"""The phases in which dice are waited for: the opening, to roll, and a double that waits for its answer."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Position, Seat
from referee.match.cubes import cube_back, cube_doubled, cube_to_roll
from referee.match.events import DoubtResolved, Event, NoRoll, OpeningTied, Rolled, RollVoid, Taken
from referee.match.judge import agrees, as_seen
from referee.match.overlap import roll_ahead, told_ahead
from referee.match.settle import AGAIN, STRANGE, Settle, Sight, Step, ask, combine, forgotten, fresh, same_dice, without
from referee.match.state import MatchState
from referee.match.throws import NO_THROW, NOISE, Throw, Verdict, believed, opening_throw, showing, throw_of
from referee.match.timing import press_ends_turn
from referee.match.turn import opened
from referee.match.unseen import roll_doubt, sweep_doubt, unexplained
from referee.match.unsure import ask_throw, played_anyway, rethrown, settle_throw
from referee.observations import DieState, SeenDie
from referee.rules.dice import right_half
from referee.rules.plays import closed_out
from referee.rules.ruleset import Reroll, RuleSet


def resolved(state: MatchState, *about: str) -> tuple[Event, ...]:
    """Later sight settles an open question of these kinds."""
    return (DoubtResolved(state.question),) if state.question in about else ()


def seen_position(sight: Sight) -> Position | None:
    """The settled position, all of it undoubted."""
    return as_seen(sight.board) if sight.board is not None else None


def opening(state: MatchState, sight: Sight, rules: RuleSet, settle: Settle) -> Step:
    """One die each: different numbers give `OpeningRolled`, equal ones `OpeningTied`."""
    if sight.dice is None:
        return _glimpsed(None, sight, settle, rules), ()
    settle, new = fresh(settle, sight.dice, sight.hidden)
    left = without(new, settle.voided)
    if not left:
        if settle.tied and not settle.voided and not sight.dice and not sight.hidden:
            settle = replace(settle, tied=False)  # the dice of the tie are taken up: another is another
        return _strange(state, sight, settle, rules)
    if settle.tied and len(left) < len(new):  # after a tie both throw again
        return settle, ()
    throw = opening_throw(new, sight.die_doubts, rules)
    if throw.verdict is Verdict.UNSURE and throw.rolls:
        return settle_throw(state, throw, sight, settle, rules)
    if throw.verdict not in (Verdict.VALID, Verdict.VOID):
        return settle, ()
    if throw.verdict is Verdict.VOID and throw.seat is None:
        # Two dice in one half: perhaps the second turn's throw, the opening and the first play having been missed.
        told = played_anyway(state, settle, sight.board, rules)
        if told is not None:
            return _told(state, told, settle)
        settle, seen = _puzzle(settle, sight)
        if seen is not None and seen != state.position:
            return unexplained(state, seen, settle, rules)
    settle, before = rethrown(state, settle, throw, rules)
    before = (*resolved(state, "throw"), *before)
    if throw.verdict is Verdict.VOID:
        assert throw.reason is not None
        return replace(settle, voided=new, tied=False), (*before, RollVoid(throw.seat, throw.values, throw.reason))
    event = opened(throw.roll)
    if isinstance(event, OpeningTied) and settle.tied and not settle.voided and event.dice == state.tie:
        return replace(settle, voided=new), before  # a person, or the tower, has told it already
    if isinstance(event, OpeningTied):
        return replace(settle, voided=new, tied=True), (*before, event)
    return replace(forgotten(settle), announced=throw.dice), (*before, event)


def to_roll(state: MatchState, sight: Sight, rules: RuleSet, settle: Settle) -> Step:
    """The seat on roll throws, doubles first, or is closed out."""
    seat = state.on_roll
    if seat is None:
        return settle, ()
    if state.question in ("roll", "position", "game_over"):
        back = seen_position(sight) == state.position and settle.asked[-1:] != (state.position,)
        return settle, resolved(state, state.question) if back else ()
    shut = closed_out(state.position, seat)
    if state.early is not None and state.early.seat is seat and not shut:
        return settle, ()  # he has thrown before his turn, and that is his roll
    if shut and not state.may_double(seat) and not press_ends_turn(state, rules):
        return settle, (NoRoll(seat),)  # where the clock ends turns he still presses it
    settle, events = cube_to_roll(state, sight, settle, rules)
    if events:
        return settle, events
    if sight.dice is None:
        return _glimpsed(seat, sight, settle, rules), ()
    throw, new, settle = _throw(seat, sight, settle, rules)
    match throw.verdict:
        case Verdict.VALID if shut and any(die.tray for die in throw.dice):
            return settle, (NoRoll(seat),)  # he cannot move and did not double: the other has thrown
        case Verdict.VALID:
            return _accepted(state, seat, throw, sight, settle, rules)
        case Verdict.UNSURE if throw.rolls:
            return settle_throw(state, throw, sight, settle, rules)
        case Verdict.VOID:
            return _void(state, seat, throw, new, sight, settle, rules)
        case _:
            # One die in doubt may be none: what the checkers say is heard all the same.
            return _strange(state, sight, settle, rules) if not believed(new, sight.die_doubts) else (settle, ())


def _throw(seat: Seat, sight: Sight, settle: Settle, rules: RuleSet) -> tuple[Throw, tuple[SeenDie, ...], Settle]:
    """The throw in sight, with the new dice. Dice of a void throw that still lie there are no new throw, and where both must
    be thrown again neither is one of them with another."""
    if sight.dice is None:
        return NO_THROW, (), settle
    if not settle.stills and not sight.hidden and all(die.state is DieState.OFF_BOARD or die.confidence < NOISE for die in sight.dice):
        settle = replace(settle, old=sight.dice)  # what hardly looks like dice, and lies there alone before the throw, is none of it
    settle, new = fresh(settle, sight.dice, sight.hidden)
    left = without(new, settle.voided)
    if not left:
        return NO_THROW, (), settle
    if len(left) < len(new) and len(settle.voided) > 1 and rules.reroll is Reroll.BOTH:
        return Throw(Verdict.WAIT), new, settle
    return throw_of(seat, new, sight.die_doubts, rules), new, settle


def _accepted(state: MatchState, seat: Seat, throw: Throw, sight: Sight, settle: Settle, rules: RuleSet) -> Step:
    """A valid throw of the seat on roll. Where the checkers tell that two turns were missed it is asked about instead; any
    other difference is left to the judging of the play, which starts from the last accepted position and knows of this one."""
    ahead = bool(settle.ahead) and same_dice(settle.ahead, throw.dice)  # and he may have begun to play
    seen = seen_position(sight) if not ahead else None
    if seen is not None and seen != state.position and state.doubt is None and (settle.stills or sight.board_for >= AGAIN):
        question = sweep_doubt(state, seen) or roll_doubt(state, seen, rules)
        if question.answers and question.reason.get("turns") != 1:
            return ask(replace(settle, strange=None), state, question, seen)
    settle, before = rethrown(state, settle, throw, rules)
    early = bool(settle.early) and same_dice(settle.early, throw.dice)
    settle = replace(forgotten(settle), announced=throw.dice, thrown_on=seen if seen != state.position else None)
    return settle, (*resolved(state, "throw"), *before, Rolled(seat, throw.roll, early))


def _void(state: MatchState, seat: Seat, throw: Throw, new: tuple[SeenDie, ...], sight: Sight, settle: Settle, rules: RuleSet) -> Step:
    """A throw that does not count, unless it is the other player's or one that is not all seen yet."""
    assert throw.reason is not None
    others = throw_of(seat.other, new, sight.die_doubts, rules).verdict
    if others in (Verdict.VALID, Verdict.UNSURE) and not any(die.half is right_half(seat) for die in throw.dice):
        settle, events = _other_has_thrown(state, seat, sight, settle, rules)
        if events is not None:
            return settle, events
    if throw.reason.code == "missing_die" and (sight.hidden or (not settle.stills and sight.dice_for < AGAIN)):
        return settle, ()
    settle, before = rethrown(state, settle, throw, rules)
    settle = replace(settle, voided=new, strange=None)
    return settle, (*resolved(state, "throw"), *before, RollVoid(seat, throw.values, throw.reason))


def _other_has_thrown(
    state: MatchState, seat: Seat, sight: Sight, settle: Settle, rules: RuleSet
) -> tuple[Settle, tuple[Event, ...] | None]:
    """``seat`` is on roll and was closed out, or had a turn that nobody saw. None where nothing tells so."""
    if closed_out(state.position, seat):
        return settle, (NoRoll(seat),)
    told = played_anyway(state, told_ahead(settle), sight.board, rules)
    if told is not None:
        return _told(state, told, settle)
    settle, seen = _puzzle(settle, sight)
    if seen is not None and seen != state.position:
        return unexplained(state, seen, settle, rules)
    if seen is None and not (sight.board is not None and agrees(sight.board, state.position)):
        return settle, ()  # something has moved, and what is still in doubt: another look
    if settle.unsure_rolls:
        # His throw was in doubt, and nothing was played with it: by rights, or not.
        return ask_throw(state, settle, rules)
    if settle.void and state.doubt is None:
        question = roll_doubt(state, state.position, rules)
        if question.reason.get("turns") == 1:  # his last throw was ruled void, perhaps wrongly, and he had nothing to play
            return ask(settle, state, question, state.position)
    return settle, None


def _glimpsed(seat: Seat | None, sight: Sight, settle: Settle, rules: RuleSet) -> Settle:
    """Dice that have not settled: what they show is kept for the case that they are never seen better."""
    _, new = fresh(settle, sight.reading.dice)
    if not new:
        return settle
    doubts = sight.die_doubts
    throw = throw_of(seat, new, doubts, rules) if seat is not None else opening_throw(new, doubts, rules)
    if throw.verdict is Verdict.VALID:
        return replace(settle, glimpse=(throw.roll,))
    return replace(settle, glimpse=throw.rolls) if throw.verdict is Verdict.UNSURE and not settle.glimpse else settle


def _puzzle(settle: Settle, sight: Sight) -> tuple[Settle, Position | None]:
    """The position as seen, pieced together from the looks at it since it first seemed strange; None while a part is in doubt."""
    board = sight.board
    if board is None:
        return settle, None
    if settle.strange is not None:
        board = combine(settle.strange, board) or board
    return replace(settle, strange=board), as_seen(board)


def _told(state: MatchState, roll: tuple[int, int], settle: Settle) -> Step:
    """A throw that was in doubt, or made ahead of its turn, is told by what was played with it."""
    event = opened(roll) if state.on_roll is None else Rolled(state.on_roll, roll)
    ahead = settle.ahead if roll in roll_ahead(settle) else ()
    settle = replace(forgotten(settle), announced=showing(settle.unsure_dice, roll) or ahead)
    return settle, (*resolved(state, "throw"), event)


def _strange(state: MatchState, sight: Sight, settle: Settle, rules: RuleSet) -> Step:
    """No dice, and checkers elsewhere than they were left. Looked at twice, then asked about."""
    if sight.board is None:
        return settle, ()
    moved = not agrees(sight.board, state.position)
    told = played_anyway(state, told_ahead(settle) if moved else settle, sight.board, rules)
    if told is not None:
        return _told(state, told, settle)
    if not moved:
        back = settle.asked[-1:] != (state.position,)
        return replace(settle, strange=None), resolved(state, "roll", "position", "game_over") if back else ()
    if settle.asked[:3] == (state.game, state.turns - 1, "play") and settle.asked[-1] == sight.board.position:
        return settle, ()  # a person has said what was played there
    first_look = settle.strange is None
    settle, seen = _puzzle(settle, sight)
    if seen is None or seen == state.position or state.question not in ("", "cube"):
        return settle, ()
    if (settle.stills and first_look) or (not settle.stills and sight.board_for < STRANGE):
        return settle, ()
    return unexplained(state, seen, settle, rules)


def doubled(state: MatchState, sight: Sight, rules: RuleSet, settle: Settle) -> Step:
    """Taken when the cube rests on the taker's side, or by the doubler's next valid throw."""
    doubler = state.cube.offered_by
    if doubler is None:
        return settle, ()
    settle, events = cube_doubled(state, sight, settle, rules)
    if events:
        return settle, (*resolved(state, "game_over"), *events)
    throw, _, settle = _throw(doubler, sight, settle, rules)
    back = cube_back(state, sight, settle) if throw.verdict is Verdict.VALID else None
    if back is not None:
        if state.question not in ("", "cube", "game_over"):
            return settle, ()
        settle, asked = ask(settle, state, back, state.cube)
        return settle, (*(resolved(state, "cube", "game_over") if asked else ()), *asked)
    if throw.verdict is Verdict.VALID:
        return settle, (*resolved(state, "game_over"), Taken(doubler.other, 2 * state.cube.value, inferred=True))
    seen = seen_position(sight)
    if seen == state.position:
        return settle, resolved(state, "game_over")
    if seen is None or state.doubt is not None or (not settle.stills and sight.board_for < STRANGE):
        return settle, ()
    question = sweep_doubt(state, seen)
    return ask(settle, state, question, seen) if question is not None else (settle, ())
