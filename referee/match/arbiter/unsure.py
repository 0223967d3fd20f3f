"""Throws that are in doubt: looked at again, settled by later sight, or asked about. Never accepted silently."""

from __future__ import annotations

from dataclasses import replace

from referee.board.plays import Roll
from referee.board.position import Seat
from referee.match import judge
from referee.match.arbiter.memory import Memory, Step, TurnMemory, ask, resolved
from referee.match.arbiter.settle import AGAIN, FLICKERS, Dice, Sight, same_dice, same_place, without
from referee.match.arbiter.throws import Throw, Verdict, believed, same_numbers, showing, still_there, with_another
from referee.match.arbiter.unseen import has_played, opening_doubt, roll_doubt
from referee.match.events import Answer, Doubt, DoubtResolved, Event, OpeningTied, Rolled, RollVoid
from referee.match.mover import mover
from referee.match.state import MatchState, Phase
from referee.match.turn import opened, says_roll
from referee.observations import DieState, Reading
from referee.rules.citing import cite_bad_throw
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet


def one_die(throw: Throw) -> Throw:
    """``throw``, of which one die alone is seen, as one in doubt: whether the other has left the board or is overlooked the picture does
    not tell, and it may show anything."""
    (seen,) = throw.values
    return replace(throw, verdict=Verdict.UNSURE, rolls=with_another((seen,)) if seen is not None else ())


def _void_reason(throw: Throw, rules: RuleSet) -> Reason:
    """What was wrong with a throw that its thrower did not count: the die that lay badly, or looked as if it did, or was not seen."""
    if len(throw.dice) == 1:
        return because("missing_die", cite_bad_throw(rules))
    bad = next((die for die in throw.dice if die.state is not DieState.FLAT), None)
    return because(bad.state.value if bad is not None else "cocked", cite_bad_throw(rules))


def settle_throw(state: MatchState, throw: Throw, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """An unsure throw in sight: first another look, then a question; an earlier unsure one was thrown again."""
    now, was = sight.reading.captured_at, memory.turn.unsure_throw
    lies = _same_places(was.dice, throw.dice)
    known = same_dice(was.dice, throw.dice) if sight.still else lies  # on a stream one may flicker
    before: tuple[Event, ...] = ()
    if perhaps_played(state, was, throw, sight):
        return memory, ()  # what checkers have been moved with is not forgotten for what may be a later throw
    if not known:
        before = rethrown(state, was, throw, sight, rules)
        memory = replace(memory, turn=replace(memory.turn, unsure_throw=replace(throw, since=now)))
    # One that this look alone does not doubt is settled by the next, unless it flickers.
    doubted = len(believed(throw.dice, sight.reading.doubts)) < len(throw.dice)
    stands = (doubted and sight.dice_lain(AGAIN)) or now - (was.since or 0.0) >= FLICKERS
    looked_again = known and (was.since != now if sight.still else stands)
    unseen = state.question_code == "throw_not_seen"  # the tower's question: now it is seen
    if before or not looked_again or (state.doubt is not None and not unseen):
        return memory, before
    memory, asked = ask_throw(state, memory, rules)
    return memory, (DoubtResolved("throw"), *asked) if unseen and asked else asked


def perhaps_played(state: MatchState, was: Throw, throw: Throw, sight: Sight) -> bool:
    """Whether the throw that ``was`` in doubt lies there no more as ``throw`` does, and checkers have been moved, with it perhaps."""
    return checkers_moved(state, sight) and bool(was.dice) and not still_lies(was, throw)


def checkers_moved(state: MatchState, sight: Sight) -> bool:
    """Whether the settled board shows that checkers have been moved since the last play."""
    return sight.board is not None and not judge.agrees(sight.board, state.position)


def still_lies(was: Throw, throw: Throw) -> bool:
    """Whether a die of ``throw`` lies where one of the throw that ``was`` in doubt did."""
    return any(same_place(die, before) for die in throw.dice for before in was.dice)


def _same_places(a: Dice, b: Dice) -> bool:
    return len(a) == len(b) and all(any(same_place(die, one) for one in b) for die in a)


def ask_throw(state: MatchState, memory: Memory, rules: RuleSet) -> Step:
    """The question about a throw: what it may have been, and that it does not count."""
    throw, answers = memory.turn.unsure_throw, list[Answer]()
    tray = state.phase is Phase.OPENING and all(die.tray for die in throw.dice)
    alone = len(throw.dice) == 1
    for a, b in throw.rolls if alone else throw.rolls[: judge.ANSWERS - 1]:  # what one of six it is a tap tells
        roll = opened((a, b)) if state.on_roll is None else Rolled(state.on_roll, (a, b))
        answers.append(Answer(says_roll(roll) if tray else because("rolled", high=a, low=b), (roll,)))  # else as the dice lie
    answers.append(Answer(because("does_not_count"), (RollVoid(state.on_roll, throw.values, _void_reason(throw, rules)),)))
    code = "one_die_seen" if alone else "tray_opening" if tray else "throw_unsure"
    about = because(code, "", **{f"die{i}": die.value or 0 for i, die in enumerate(throw.dice, start=1)})
    return ask(memory, state, Doubt("throw", about, tuple(answers)), throw.dice)


def rethrown(state: MatchState, was: Throw, throw: Throw, sight: Sight, rules: RuleSet) -> tuple[Event, ...]:
    """A ``throw`` came to rest. One before it that was in doubt, ``was``, and lies there no more, was not counted by its thrower: void;
    unless checkers have been moved since, for then it may have been played. The same dice read clearly, whatever they now show, need no
    word; but where one alone was seen, what another might have shown tells nothing."""
    if not was.dice or still_lies(was, throw):
        return ()
    if throw.reason is None and len(was.dice) > 1 and any(same_numbers(throw.values, roll) for roll in was.rolls):
        return ()  # brushed aside: what it shows now is what it may have been
    if checkers_moved(state, sight):
        return ()
    tie = next((roll for roll in was.rolls if roll[0] == roll[1]), None)
    # Else it was rather the die that lay badly; and no cube is turned by a die that was not read.
    told = len(was.rolls) == 1 or (not rules.auto_doubles and all(die.state is DieState.FLAT for die in was.dice))
    if state.on_roll is None and tie is not None and told:  # that is why both have thrown again
        return (OpeningTied(tie),)
    return (RollVoid(state.on_roll, was.values, _void_reason(was, rules)),)


def told_by_play(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step | None:
    """A throw that was in doubt, or never settled, or was made ahead of its turn, is the roll where what was then played tells it. None
    where that does not tell."""
    turn = memory.turn
    roll = _played_anyway(state, turn, sight.board, rules)
    if roll is None:
        return None
    event = opened(roll) if state.on_roll is None else Rolled(state.on_roll, roll)
    ahead = turn.ahead.dice if roll in turn.ahead.rolls else ()
    turn = TurnMemory(old=without(turn.old, ahead), announced=showing(turn.unsure_throw.dice, roll) or ahead)
    return replace(memory, turn=turn), (*resolved(state, "throw"), event)


def _played_anyway(state: MatchState, turn: TurnMemory, board: Reading | None, rules: RuleSet) -> Roll | None:
    """Of what a throw in doubt may have been the only roll under which the ``board`` shows a legal play, or the only one whose values were
    read, where no other explains it; failing that of what was seen of one that never settled, or was made ahead and counts. In the opening
    (near's, far's)."""
    if board is None:
        return None
    # Of a die that nobody saw the play tells nothing for certain: it may be an illegal one of another number.
    thrown = turn.unsure_throw.rolls if len(turn.unsure_throw.dice) > 1 else ()
    ahead = turn.ahead.rolls if not still_there(turn.void, turn.ahead.dice) else ()
    rolls = [(a, b) for a, b in thrown or turn.glimpse or ahead if state.on_roll is not None or a != b]
    found: dict[tuple[int, ...], Roll] = {}
    for a, b in rolls:
        seat = state.on_roll or (Seat.NEAR if a > b else Seat.FAR)
        results = mover(state, seat, rules).results((a, b))
        verdict = judge.judge(state.position, seat, board, tuple(results))
        if isinstance(verdict, judge.Legal) and (verdict.position != state.position or not results):
            found.setdefault((a, b) if state.on_roll is None else tuple(sorted((a, b))), (a, b))
    if len(found) == 1:
        return next(iter(found.values()))
    moved = board.position is not None and not judge.agrees(board, state.position) and not judge.doubted(board.doubts).whole
    if len(thrown) != 1 or len(rolls) != 1 or not moved:
        return None
    return None if _otherwise(state, rolls[0], board, rules) else rolls[0]


def _otherwise(state: MatchState, roll: Roll, board: Reading, rules: RuleSet) -> bool:
    """Whether other numbers, or turns that nobody saw, explain what ``board`` shows: then a die in doubt may have been misread, and its
    thrower is not to be charged with a play that was none of it."""
    seat = state.on_roll or (Seat.NEAR if roll[0] > roll[1] else Seat.FAR)
    guess = judge.with_off(board.position)
    if guess is None or has_played(state.position, guess, seat.other):
        return True
    return bool((roll_doubt if state.on_roll is not None else opening_doubt)(state, guess, rules).answers)
