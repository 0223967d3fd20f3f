"""The phases after a throw: rolled (the checkers move), judging (the dice are gone), held (an illegal play waits to be put right)."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Position
from referee.match import judge
from referee.match.arbiter.explained import explained
from referee.match.arbiter.memory import Ahead, Asked, Lain, Memory, Step, TurnMemory, ask, ask_alone, resolved
from referee.match.arbiter.missed import gone_on_unseen, round_begun, thrown_anew, thrown_instead
from referee.match.arbiter.overlap import (
    came_with,
    laid_again,
    left_before,
    moved_since,
    noted,
    others_throw,
    played_meanwhile,
    played_on,
    plays_before,
    stood_so,
    thrown_ahead,
    whole_so,
)
from referee.match.arbiter.settle import AGAIN, AT_REST, STRANGE, UNFINISHED, UNMOVED, Dice, Sight, combine, seen_position, without
from referee.match.arbiter.throws import NO_THROW, Throw, Verdict, numbered, other_numbers, roll_of, showing, still_there
from referee.match.arbiter.turn_end import all_off, clock_unseen, ended, in_own_half, lie_again, lies_there, lying, of_the_roll, whole_play
from referee.match.arbiter.underway import hit_beside, knocked, unfinished
from referee.match.arbiter.unseen import has_played, sweep_doubt
from referee.match.early import decided, early_doubt, too_early
from referee.match.events import DiceLifted, Event, IllegalPlay
from referee.match.mover import mover_now, outcomes_now, results_now
from referee.match.state import MatchState
from referee.match.timing import press_ends_turn
from referee.match.turn import corrected, illegal, illegal_stood, play_doubt, played, verdict_on
from referee.observations import DieState, Reading
from referee.rules.citing import cite
from referee.rules.correction import Act, closes
from referee.rules.dice import premature
from referee.rules.plays import closed_out
from referee.rules.reason import because
from referee.rules.ruleset import PrematureRoll, RuleSet

ANEW = ("thrown_beside", "opened_instead")
"""Questions about another throw while a roll is being played."""


def _adopted(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> TurnMemory:
    """The announced dice where they were not seen to be thrown: those that show the roll, wherever they lie until it is played."""
    unsure = turn.unsure_throw.dice
    told = len(unsure) > 1 or all(die.value in (state.dice or ()) for die in unsure)  # by a person, or by the play
    if told and not turn.announced and state.dice is not None:
        turn = replace(turn, announced=_told(showing(unsure, state.dice)))
    turn = replace(turn, unsure_throw=NO_THROW, glimpse=())
    if turn.announced or sight.dice is None or state.dice is None:
        return turn
    there = tuple(die for die in without(sight.dice, turn.old) if die.state is not DieState.OFF_BOARD)
    own = () if state.opening_turn else in_own_half(state, there)  # the other may have thrown one of the numbers since
    found = max((numbered(own, state.dice), numbered(there, state.dice)), key=len)
    return replace(turn, announced=_told(found)) if len(found) == 2 and of_the_roll(state, found, sight, turn, rules) else turn


def _chosen(state: MatchState, turn: TurnMemory) -> TurnMemory:
    """The memory once it has been said which of two throws counts (`_thrown_beside`): the dice of the other are none of the roll."""
    anew = turn.unsure_throw.dice
    if state.opening_turn or not other_numbers(state, (die.value for die in anew)):
        return replace(turn.with_old(turn.announced), announced=_told(anew), unsure_throw=NO_THROW)
    return replace(turn.with_old(anew), unsure_throw=NO_THROW)


def _told(dice: Dice) -> Dice:
    """``dice`` whose numbers are known otherwise than by what was read on them."""
    return tuple(replace(die, confidence=1.0, value_confidence=1.0) for die in dice)


def rolled(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """Any arrangement of checkers passes here; the turn ends when the roller's dice leave the field, or, where the rule set says so, by
    the press of the clock alone."""
    seat = state.on_roll
    if seat is None or state.dice is None:
        return memory, ()
    if memory.asked.code in ANEW and memory.turn.announced and memory.turn.unsure_throw.dice:
        if state.question == "throw":
            return memory, ()
        memory = replace(memory, turn=_chosen(state, memory.turn))
    if sight.dice is None:
        return replace(memory, turn=_glimpsed_ahead(state, sight, memory.turn, rules)), ()
    turn = _adopted(state, sight, memory.turn, rules)
    if still_there(memory.turn.announced, sight.dice) == 2:
        # They lie where they lay: nobody has had a turn meanwhile.
        lain = Lain(sight.reading.captured_at, whole_play(state, sight, rules) or turn.lain.play)
        turn = replace(turn, absent=0.0, alone=False, lain=lain)
    if (instead := _thrown_beside(state, sight, replace(memory, turn=turn), rules)) is not None:
        return instead
    other = others_throw(state, sight, turn, rules)
    turn = _left_alone(other, sight, replace(turn, ahead=noted(state, sight, other, turn, rules)))
    memory = replace(memory, turn=turn)
    clock = press_ends_turn(state, rules)
    over = ended(state, sight, other, memory.turn, rules) if not clock else None
    if over is not None:
        return replace(memory, turn=over), (DiceLifted(seat),)
    if not memory.turn.announced:
        return _premature(state, other, memory, rules) if clock else (memory, ())
    dice = lying(state, sight, memory.turn)
    if dice.here < len(dice.own) and dice.count == len(dice.own) == 2:
        # Whether they are his next throw is told by the board, unless it shows no more than a whole play after a while out of sight.
        told = not sight.still and sight.board is not None and sight.board_stood(AT_REST)
        told = told and not (turn.away and whole_play(state, sight, rules) is not None)
        kept = told or not (turn.away or turn.ahead.dice)
        memory = replace(memory, turn=_disturbed(memory.turn, sight, dice.moved, kept))
    elif dice.here == 0 and len(dice.elsewhere) == len(dice.own) == 2:  # in part in doubt: what they may show now is remembered too
        memory = replace(memory, turn=replace(memory.turn, again=roll_of(dice.elsewhere) or memory.turn.again))
    if dice.count < len(dice.own):  # lifted or out of sight: whether the other threw too soon is not told yet
        return memory, ()
    return _premature(state, other, memory, rules)


def _thrown_beside(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """The question about another throw of his while the dice of the roll lie where they lay, or of both in place of the opening's: dice
    that somebody has laid there are no roll, and both may agree to throw again. None where there is none."""
    turn, seen = memory.turn, seen_position(sight)
    lie = still_there(turn.announced, sight.dice or ())
    if len(turn.announced) != 2 or seen is None or lie != (0 if state.opening_turn else 2):
        return None
    return thrown_instead(state, seen, sight, memory, rules) if sight.dice_lain(AT_REST) else None


def _left_alone(other: Throw, sight: Sight, turn: TurnMemory) -> TurnMemory:
    """With what is seen once the ``other``'s throw lies there, and neither the dice of the roll nor any that may be them: a whole play that
    stands so is left."""
    if turn.alone or not other.valid or sight.hidden or not turn.announced:
        return turn
    rest = without(sight.reading.dice, (*other.dice, *turn.old))
    if any(die.state is not DieState.OFF_BOARD for die in rest):
        return turn
    whole = turn.ahead.whole
    left = whole if whole is not None and judge.as_seen(sight.reading) == whole else None
    return replace(turn, alone=True, ahead=replace(turn.ahead, left=left))


def _glimpsed_ahead(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> TurnMemory:
    """Dice that have not settled: that the other has thrown is remembered, for the case that they are never seen better; and so are two of
    his whose play it is that lie elsewhere after a while out of sight."""
    if sight.still or sight.reading.hand:
        return turn
    own = in_own_half(state, without(sight.reading.dice, turn.known))
    if turn.away and len(own) == 2:
        turn = replace(turn, again=roll_of(own) or turn.again)
    glimpse = others_throw(state, replace(sight, dice=sight.reading.dice), turn, rules)
    turn = _left_alone(glimpse, sight, turn)
    if turn.ahead.dice or not glimpse.valid:
        return turn
    stood = judge.as_seen(sight.reading) or turn.ahead.stood
    ahead = replace(came_with(state, stood, sight.reading.dice, turn), dice=glimpse.dice)
    return replace(turn, ahead=whole_so(state, stood, ahead, rules))


def _disturbed(turn: TurnMemory, sight: Sight, moved: Dice, kept: bool) -> TurnMemory:
    """Dice that shift after they were announced: the announced values stay, and what they show now is remembered. ``kept``: they are the
    same dice, rather than perhaps his next throw."""
    assert sight.dice is not None
    now = (*(die for die in turn.announced if lies_there(die, sight)), *moved)
    return replace(turn, announced=now if kept else turn.announced, again=roll_of(now) or turn.again)


def _premature(state: MatchState, other: Throw, memory: Memory, rules: RuleSet) -> Step:
    """The other player throws before the turn is over (S2-09, S3-14)."""
    turn = memory.turn
    if not other.valid or not without(other.dice, (*turn.early, *turn.voided)):
        return memory, ()
    seat, roll = state.rolled
    ruling = premature(state.position, seat, roll, rules)
    if ruling not in (PrematureRoll.REROLL, PrematureRoll.ASK):
        return replace(memory, turn=replace(turn, early=other.dice if ruling is not None else ())), ()
    voided = replace(memory, turn=replace(turn, voided=other.dice))
    if ruling is PrematureRoll.REROLL:
        return voided, (too_early(seat.other, other.values, rules),)
    if decided(state):  # the tower felt it first
        return voided, ()
    if state.doubt is not None:  # one question at a time
        return memory, ()
    return ask(voided, state, early_doubt(seat.other, other.values, rules), other.dice)


def judging(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """The dice are gone: legal gives `Played`; illegal is held, or stands when the other threw first; unsure is looked at once
    more and then asked."""
    board = sight.board
    if state.on_roll is None or state.dice is None or state.question == "throw":
        return memory, ()
    turn = replace(memory.turn, round=round_begun(state, sight, memory.turn, rules))
    if board is None:
        return replace(memory, turn=_glimpsed_ahead(state, sight, turn, rules)), ()
    memory = replace(memory, turn=turn)
    if state.question == "game_over" and seen_position(sight) == state.position:
        return memory, resolved(state, "game_over")  # the board is put back
    if not turn.announced and turn.unsure_play is None:
        turn = replace(turn, announced=_roll_lying(state, sight, turn.old))
    lie = lie_again(state, sight, turn.announced, rules) == len(turn.announced) > 0
    if lie and not clock_unseen(state, sight, turn, rules) and not all_off(state, sight, rules):
        return replace(memory, turn=turn), ()  # the dice lie there again: the play goes on
    if turn.unsure_play is not None and sight.still:
        board = combine(turn.unsure_play, board) or board
    other = others_throw(state, sight, turn, rules)
    turn = replace(turn, ahead=thrown_ahead(stood_so(state, sight, other, turn), other))
    memory = replace(memory, turn=turn)
    verdict = verdict_on(state, board, rules)
    whole = played_meanwhile(state, verdict, board, turn, rules)
    if whole is not None:
        return _over(state, whole, sight, memory, rules, played(state, whole, rules))
    match verdict:
        case judge.Legal(position):
            events = _put_right(state, position, turn.unsure_play, rules) or (played(state, position, rules),)
            return _over(state, position, sight, memory, rules, *events)
        case judge.Unsure():
            return _unsure(state, verdict, board, sight, memory, rules)
        case _:
            return _not_legal(state, verdict, other, sight, memory, rules)


def _over(state: MatchState, after: Position, sight: Sight, memory: Memory, rules: RuleSet, *events: Event) -> Step:
    """The turn has led to ``after``: ``events`` say how, and settle what was asked about it."""
    return replace(memory, turn=_next_turn(state, after, sight, memory, rules)), (*resolved(state, "play", "game_over"), *events)


def _not_legal(
    state: MatchState, verdict: judge.NothingMoved | judge.Illegal, other: Throw, sight: Sight, memory: Memory, rules: RuleSet
) -> Step:
    """What is seen is no legal play: whatever else may explain it is asked about, and what nothing explains is illegal."""
    turn, seen = memory.turn, verdict.position
    first = turn.unsure_play if sight.still else None
    nearly = _nearly_legal(state, first, sight, rules) if first is not None else None
    if first is not None and nearly is not None:
        # The first look and this one are of two positions: the other may have played on meanwhile.
        return ask_alone(memory, state, play_doubt(state, nearly, rules), first.position)
    if state.question_code in ("swept", "other_began") or not _left_so(state, verdict, other, sight, memory, rules):
        return memory, ()  # the board is being cleared or put back
    left = left_before(state, seen, turn, rules) if not turn.round else None
    question = explained(state, seen, left, sight, memory, rules)
    if question is not None:
        return question
    if left is not None and left in outcomes_now(state, rules):
        return _over(state, left, sight, memory, rules, played(state, left, rules))
    several = plays_before(state, seen, turn.ahead, rules)[: judge.ANSWERS] if turn.ahead.at_once and other.valid and left is None else []
    if several:  # the other had moved when his throw was first seen: who has left it so cannot be told
        return ask_alone(memory, state, play_doubt(state, judge.Unsure("several", (), tuple(several), seen), rules), seen)
    may_be_put_back = not other.valid and not sight.board_stood(STRANGE)
    if may_be_put_back and knocked(seen, turn.lain.play, state.rolled[0], outcomes_now(state, rules)):
        return memory, ()  # by whoever sees it
    act = illegal(state, left or seen, rules)
    if (other.valid and not _owed_anew(other, turn.voided, rules)) or left is not None:
        # Thrown before it was said: the window is closed, and the ruling is logged without alarm.
        return _over(state, act.position, sight, memory, rules, illegal_stood(state, act, late=True))
    return replace(memory, turn=replace(turn, unsure_play=None)), (*resolved(state, "play", "game_over"), act)


def _nearly_legal(state: MatchState, first: Reading, sight: Sight, rules: RuleSet) -> judge.Unsure | None:
    """The verdict on the ``first`` look at the play, where that may have been a legal one and this look contradicts it."""
    if sight.board is None or combine(first, sight.board) is not None:
        return None
    verdict = verdict_on(state, first, rules)
    return verdict if isinstance(verdict, judge.Unsure) and not verdict.not_legal else None


def _left_so(
    state: MatchState, verdict: judge.NothingMoved | judge.Illegal, other: Throw, sight: Sight, memory: Memory, rules: RuleSet
) -> bool:
    """Whether the board is left as it stands, rather than a play under way, or one whose dice were not all seen."""
    unmoved = isinstance(verdict, judge.NothingMoved)
    if unmoved and memory.asked == Asked(state.game, state.turns, "game_over", "swept", memory.asked.of):
        return False  # it was cleared away in mid-play, and set up again
    if sight.still:
        return True
    if unmoved and _overlooked(state, sight, memory.turn, rules):
        return False
    again = thrown_anew(state, sight, memory.turn.known, rules) is not None
    if unmoved and memory.turn.thrown_on.found and not (again or other.valid):
        return False  # the dice lay there before anybody looked, and are taken up to be thrown
    seat, roll = state.rolled
    if hit_beside(state.position, verdict.position, seat, results_now(state, rules)) is not None:
        return sight.board_stood(AGAIN if other.valid else STRANGE)  # it is put on the bar yet
    going_on = unfinished(mover_now(state, rules), roll, verdict.position)
    # It stood so before the other threw, and stands so since: nobody is moving.
    going_on = going_on and (not other.valid or verdict.position != memory.turn.ahead.before)
    deciding = going_on and unmoved and not state.position.bar[seat.index] and not press_ends_turn(state, rules)
    rests = sight.board_stood(UNMOVED if deciding else UNFINISHED if going_on else AT_REST)
    return rests or again  # the next throw lies there


def _overlooked(state: MatchState, sight: Sight, turn: TurnMemory, rules: RuleSet) -> bool:
    """A die of the roll lies there and nothing was moved: the other die was not seen, rather than taken up."""
    there = sight.dice is None or still_there(turn.announced, sight.dice) > 0
    return there and not others_throw(state, sight, turn, rules).valid


def _roll_lying(state: MatchState, sight: Sight, old: Dice) -> Dice:
    """The dice of the roll, where they lie and it is not remembered that they do: after a restart, or put back by hand. ``old``: those that
    are none of it."""
    assert state.dice is not None
    dice = without(sight.dice or (), old)
    own = dice if state.opening_turn else in_own_half(state, dice)
    return own if not other_numbers(state, (die.value for die in own)) else ()


def _put_right(state: MatchState, now: Position, first: Reading | None, rules: RuleSet) -> tuple[Event, ...]:
    """That the play was put right, where the ``first`` look at it was in part in doubt, but in no way legal, and the board has changed
    since; nothing where that is not so."""
    if first is None or judge.agrees(first, now):
        return ()
    verdict = verdict_on(state, first, rules)
    if not isinstance(verdict, judge.Unsure) or not verdict.not_legal:
        return ()
    right, was = corrected(state, now, rules), judge.with_off(first.position)
    if was is None:
        return (right,)
    # That it was not legal is sure, what was wrong with it is not.
    seat, roll = state.rolled
    why = because("not_legal", cite(rules, "illegal"), d1=roll[0], d2=roll[1])
    return IllegalPlay(seat, roll, was, why, rules.announces_plays), right


def _unsure(state: MatchState, verdict: judge.Unsure, board: Reading, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    first_look = sight.still and memory.turn.unsure_play is None
    if sight.still:
        memory = replace(memory, turn=replace(memory.turn, unsure_play=board))
    if first_look and not sight.ended and verdict.code != judge.BORNE_OFF:
        return memory, ()
    if state.doubt is not None or not sight.board_stood(AGAIN):
        return memory, ()
    sweep = sweep_doubt(state, judge.as_seen(board), rules)
    return ask(memory, state, sweep or play_doubt(state, verdict, rules), board.position)


def _next_turn(state: MatchState, after: Position, sight: Sight, memory: Memory, rules: RuleSet) -> TurnMemory:
    """What is remembered of the next turn, which begins from ``after``, once the one in ``memory`` is over: dice of it that lie there yet,
    and whatever lies where only its player throws, unless he is to throw again."""
    turn = memory.turn
    dice = sight.dice if sight.dice is not None else sight.reading.dice
    again = state.on_roll is not None and closed_out(after, state.on_roll.other)
    # While the other's throw lies there and nothing was moved with it, his are dice that he has laid down again.
    lies = others_throw(state, sight, turn, rules).valid
    again = again or (turn.round and not lies) or played_on(state, sight, turn, rules)
    known, his = turn.known, () if again else in_own_half(state, dice)
    left = tuple(die for die in dice if still_there(known, (die,)) or (die in his and not die.tray))
    gone = len(turn.announced) == 2 and not left
    ahead = without(turn.ahead.dice, turn.announced)
    left = (*left, *ahead) if laid_again(state, turn, memory.runs.recent, rules) else left
    made = Ahead(ahead, at_once=turn.ahead.at_once)
    absent = 0.0 if sight.shows(after) else turn.absent  # what went by besides is not told yet
    return TurnMemory(absent=absent, old=left, gone=gone, early=turn.early, ahead=made, voided=turn.voided)


def held(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """An illegal play is held. A later position that is legal from before the turn is its correction; the other's valid throw
    (or, by the rule set, any throw, or a double) closes the window and the play stands."""
    if state.held is None or state.on_roll is None or state.dice is None:
        return memory, ()
    if lie_again(state, sight, memory.turn.announced, rules):
        return memory, ()  # the dice are put back while the play is put right
    play = state.held.play
    verdict = verdict_on(state, sight.board, rules) if sight.board is not None else None
    if isinstance(verdict, judge.Legal):
        return _over(state, verdict.position, sight, memory, rules, corrected(state, verdict.position, rules))
    seen = seen_position(sight)
    sweep = sweep_doubt(state, seen, rules)
    if sweep is not None:
        return ask_alone(memory, state, sweep, seen) if sight.board_stood(AGAIN) else (memory, ())
    if state.question == "game_over":
        return memory, resolved(state, "game_over") if seen in (play.position, state.position) else ()
    if state.question in ("roll", "throw"):
        return memory, ()  # somebody has thrown, or played on unseen: what is seen now is of another throw
    instead = thrown_instead(state, seen, sight, memory, rules) if seen is not None else None
    if instead is not None:
        return instead
    other = others_throw(state, sight, memory.turn, rules)
    if not _owed_anew(other, memory.turn.voided, rules) and _window_closed(state, other, sight, rules):
        play = replace(play, position=_as_it_stands(state, play.position, verdict, other, rules))
        return _over(state, play.position, sight, memory, rules, illegal_stood(state, play))
    unsure, stood = memory.turn.unsure_throw, memory.turn.stood
    if other.verdict is Verdict.UNSURE and other.rolls:
        if not unsure.rolls:
            stood = _as_it_stands(state, play.position, verdict, other, rules)
        return replace(memory, turn=replace(memory.turn, unsure_throw=other, stood=stood)), ()
    if unsure.rolls and verdict is not None and not sight.shows(play.position):
        # The other's throw was in doubt, and he has played on: it counted, and the window is closed.
        play = replace(play, position=stood or play.position)
        memory, events = _over(state, play.position, sight, memory, rules, illegal_stood(state, play))
        return replace(memory, turn=replace(memory.turn, unsure_throw=unsure)), events
    return gone_on_unseen(state, verdict, sight, memory, rules)


def _as_it_stands(state: MatchState, held: Position, verdict: judge.Verdict | None, other: Throw, rules: RuleSet) -> Position:
    """Where the checkers of a play that was ``held`` stand as the ``other`` throws. He whose play it is may have shifted it, or a part of
    the board was in doubt; what the other has moved since he threw is none of it."""
    assert state.on_roll is not None
    now = verdict.position if isinstance(verdict, judge.NothingMoved | judge.Illegal) else None
    if now is None or (isinstance(verdict, judge.Illegal) and not verdict.undoubted):
        return held
    # Where those stand otherwise than before the play and after it he has had a turn that nobody saw.
    missed = all(has_played(was, now, state.on_roll.other) for was in (state.position, held))
    return held if missed or moved_since(state, held, now, other, rules) else now


def _owed_anew(other: Throw, voided: Dice, rules: RuleSet) -> bool:
    """Whether the ``other``'s throw was made before this turn was over and is to be thrown again (S3-14): he has yet to throw."""
    return rules.premature_roll is PrematureRoll.REROLL and other.valid and not without(other.dice, voided)


def _window_closed(state: MatchState, other: Throw, sight: Sight, rules: RuleSet) -> bool:
    """Whether the ``other``'s throw, or a double of his that is seen, ends the time in which the held play can be put right."""
    assert state.on_roll is not None
    cube = sight.cube
    doubled = cube is not None and cube.value == 2 * state.cube.value and cube.offered_to is state.on_roll
    acts = {
        Act.VALID_ROLL: other.valid,
        Act.THROW: other.verdict is Verdict.VOID,
        Act.VALID_DOUBLE: doubled and state.may_double(state.on_roll.other),
    }
    return any(done and closes(act, rules) for act, done in acts.items())
