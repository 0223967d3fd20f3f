"""The arbiter: from the match as it stands and what is seen, the events that follow. Pure.

`consider` goes by the phases of a turn: setting up, opening, to roll, doubled, rolled, judging, held. On stills the first
later picture without the roller's dice ends the turn and is judged once; on a stream a fact is believed when enough readings
agree. What cannot be told is looked at again, and then asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.board.position import CHECKERS, START, Seat
from referee.match.arbiter.before_roll import doubled, opening, to_roll
from referee.match.arbiter.between import caught_up, marked, other_has_moved
from referee.match.arbiter.cubes import cube_went_by
from referee.match.arbiter.displaced import displaced
from referee.match.arbiter.memory import NO_QUESTION, CubeMemory, Memory, Step, TurnMemory, ask, fresh, resolved
from referee.match.arbiter.missed import TWICE_STILLS, UNSEEN
from referee.match.arbiter.playing import held, judging, rolled
from referee.match.arbiter.settle import (
    AT_REST,
    AWAY,
    ENOUGH,
    KEPT,
    RECENT,
    STILL_UNSEEN,
    Dice,
    Runs,
    Sight,
    look,
    same_dice,
    same_place,
    seen_position,
    without,
)
from referee.match.arbiter.throws import numbered, throw_of
from referee.match.arbiter.unseen import differs_doubt, unexplained
from referee.match.arbiter.unsure import ask_throw
from referee.match.early import early_due
from referee.match.events import BoardAgreed, DoubtResolved, Event, IllegalPlay, IllegalPlayStood, Logged, TurnSet
from referee.match.folding import apply
from referee.match.judge import agrees, as_seen
from referee.match.said.decide import next_game
from referee.match.state import MatchState, Phase
from referee.observations import DieState, Reading
from referee.rules.dice import belongs, right_half
from referee.rules.ruleset import RuleSet

STEPS = 12
"""One reading may end a turn, begin the next and more, but never this often."""

DIE = 0.8
"""A die in which the reader believes less than this, before anything was thrown, is taken for a mark on the board."""

BLOCKING = frozenset({"roll", "position", "game_over", "throw", "double"})
"""Questions that must be answered, or settled by later sight, before play is followed further."""


def consider(state: MatchState, reading: Reading, memory: Memory, rules: RuleSet) -> Step:
    """What follows from one settled reading: the memory to hand in next time, and the events to log, in order."""
    if state.phase is Phase.PAUSED:  # what is played meanwhile nobody judges: the board counts as out of sight
        return replace(memory, runs=replace(memory.runs, absent=memory.runs.absent + STILL_UNSEEN)), ()
    memory, events = _consider(state, reading, caught_up(state, reading, memory), rules)
    memory = cube_went_by(state, events, memory)
    return marked(state, after(state, events), reading, events, memory), events


def _consider(state: MatchState, reading: Reading, memory: Memory, rules: RuleSet) -> Step:
    events: list[Event] = []
    if _told_as_seen(state, memory):
        # A person has said how the play was made that is seen: the board shows it, or what came after it.
        memory, events = replace(_begun_anew(memory, memory.turn.old), waiting=memory.waiting), [BoardAgreed()]
        state = after(state, events)
    if memory.waiting and not blocked(state) and not state.reconcile:
        memory, new = _meanwhile(state, memory, rules)
        events += new
        state = after(state, new)
    if over(state):
        return memory, tuple(events)
    if _thrown_since(state, memory, rules):
        memory = _kept(memory, reading)
        memory, new = _later_sight(state, memory, rules)
        return memory, (*events, *new)
    memory, new = _reading(state, reading, memory, rules)
    events += new
    if blocked(after(state, new)):
        memory = _kept(memory, reading)
    else:
        # Where this reading itself has settled the question, what was seen before it is past.
        memory = replace(memory, waiting=() if blocked(state) else memory.waiting, latest=None)
    return memory, tuple(events)


def _meanwhile(state: MatchState, memory: Memory, rules: RuleSet) -> Step:
    """A question has been answered: what was seen while it was open is gone through, as settled moments, up to the next one."""
    waiting, stills, events = memory.waiting, memory.stills, list[Event]()
    memory = replace(memory, waiting=(), stills=True)
    for i, earlier in enumerate(waiting):
        then, new = _reading(state, earlier, memory, rules)
        if not stills and any(isinstance(event, IllegalPlay) for event in new):
            continue  # it may have been under way
        memory = then
        events += new
        state = after(state, new)
        if blocked(state) or over(state):
            memory = replace(memory, waiting=waiting[i:] if blocked(state) else ())
            break
    return replace(memory, stills=stills), tuple(events)


def _told_as_seen(state: MatchState, memory: Memory) -> bool:
    """Whether the answer to a question about the very position in which the match is now said to stand has put the last play right, or
    let play go on from there."""
    last, asked = state.last_turn, memory.asked
    if not state.reconcile or state.phase is not Phase.TO_ROLL or asked.of != state.position or blocked(state):
        return False
    if state.rulings and state.rulings[-1].reason.code == "gap":
        return asked.about in ("roll", "position", "play")
    return asked.about == "roll" and last is not None and state.on_roll is last.seat.other and last.after == state.position


def _thrown_since(state: MatchState, memory: Memory, rules: RuleSet) -> bool:
    """A play, or which throw it is of, is in question and the other player has thrown since, or, where his turn is part of the question,
    he whose play it was: what is seen now is no longer that play."""
    asked = state.phase is Phase.JUDGING or (state.phase is Phase.HELD and state.question == "throw")
    if not blocked(state) or not asked or state.on_roll is None:
        return False
    seats, turn = tuple(Seat) if state.question_code in UNSEEN else (state.on_roll.other,), memory.turn
    new = [(kept, without(fresh(turn, kept.dice)[1], turn.announced)) for kept in memory.waiting]
    return any(throw_of(seat, dice, kept.doubts, rules).valid for kept, dice in new for seat in seats)


def _later_sight(state: MatchState, memory: Memory, rules: RuleSet) -> Step:
    """Settles a question about a play by what came after it: one of its answers alone lets the other player's next play be
    followed to a legal end."""
    assert state.doubt is not None
    doubt = state.doubt.doubt
    told: list[Step] = []
    for answer in doubt.answers:
        if not answer.events or any(isinstance(event, TurnSet) for event in answer.events):
            continue  # that turns went by which nobody can tell, a person says
        events: list[Event] = [DoubtResolved(doubt.about), *answer.events]
        anew = replace(memory, turn=TurnMemory(old=memory.turn.old), waiting=(), stills=True)
        now = after(state, events)
        turns = now.turns
        for kept in memory.waiting:
            anew, new = _reading(now, kept, anew, rules)
            events += new
            now = after(now, new)
            if blocked(now) or over(now):
                break
        if now.turns > turns and not blocked(now) and not any(isinstance(event, IllegalPlay | IllegalPlayStood) for event in events[1:]):
            told.append((replace(anew, stills=memory.stills), tuple(events)))
    return told[0] if len(told) == 1 else (memory, ())


def finish(state: MatchState, memory: Memory, rules: RuleSet) -> Step:
    """The source has ended: what still waited for another look is asked. Nothing follows from a stream's last look by itself."""
    if memory.runs.last is None or state.doubt is not None or state.seq == 0:
        return memory, ()
    if not memory.stills and memory.runs.board_run.count < ENOUGH:
        return memory, ()
    runs, sight = look(memory.runs, memory.runs.last, stills=True)
    memory, turn = replace(memory, stills=True, runs=runs), memory.turn
    if state.phase in (Phase.OPENING, Phase.TO_ROLL) and turn.unsure_throw.dice:
        return ask_throw(state, memory, rules)
    strange = as_seen(turn.strange)
    if state.phase in (Phase.OPENING, Phase.TO_ROLL) and strange is not None and strange != state.position:
        return unexplained(state, strange, memory, rules)
    if state.phase is Phase.JUDGING:
        return judging(state, replace(sight, ended=True), memory, rules)
    return memory, ()


def blocked(state: MatchState) -> bool:
    """Whether an open question holds up the match."""
    return state.question in BLOCKING or (state.question == "play" and state.phase is Phase.JUDGING) or early_due(state)


def over(state: MatchState) -> bool:
    """The game is decided, though the event that says so is added by the caller."""
    dropped = state.phase is Phase.DOUBLED and state.cube.offered_by is None
    held = state.held_in_silence if state.phase is Phase.HELD else None
    silent = held is not None and held.position.off[held.seat.index] == CHECKERS
    return dropped or silent or (state.phase is Phase.TO_ROLL and CHECKERS in state.position.off)


def after(state: MatchState, events: Iterable[Event]) -> MatchState:
    """The state once ``events`` are logged."""
    for event in events:
        state = apply(state, Logged(state.seq + 1, event))
    return state


def _kept(memory: Memory, reading: Reading) -> Memory:
    """With a reading to be gone through later as a settled moment: on a stream one that the look before it bears out."""
    if not memory.stills and (reading.hand or reading.position is None):
        return memory  # the board is out of sight
    before, memory = memory.latest, replace(memory, latest=reading)
    if not memory.stills and before is not None and reading.captured_at - before.captured_at >= AWAY:
        memory = replace(memory, waiting=(*memory.waiting, *_unseen(before.captured_at, reading.captured_at))[-KEPT:])
    if not memory.stills and (before is None or not _alike(before, reading)):
        return memory
    if memory.waiting and _alike(memory.waiting[-1], reading):
        return replace(memory, waiting=(*memory.waiting[:-1], reading))
    return replace(memory, waiting=(*memory.waiting, reading)[-KEPT:])


def _unseen(since: float, until: float) -> list[Reading]:
    """Stills in which the board is hidden, for the time (s) between two looks in which turns may have gone by."""
    return [Reading((), None, None, captured_at=since)] * int(min(until - since, TWICE_STILLS) // STILL_UNSEEN)


def _alike(a: Reading, b: Reading) -> bool:
    return a.position == b.position and same_dice(a.dice, b.dice) and a.cube == b.cube


def _reading(state: MatchState, reading: Reading, memory: Memory, rules: RuleSet) -> Step:
    events: list[Event] = []
    last = memory.runs.last
    if state.reconcile and last is not None and agrees(last, state.position) and (memory.stills or not agrees(reading, state.position)):
        # A person set right what the picture before this one shows.
        memory, events = _begun_anew(memory, memory.turn.old), [BoardAgreed()]
        state = after(state, events)
    runs, sight = look(memory.runs, reading, memory.stills)
    turn = replace(memory.turn, absent=max(memory.turn.absent, sight.absent))
    memory = replace(memory, runs=runs, turn=turn, left=memory.left if state.reconcile else None)
    if not sight.still:
        throws = state.on_roll if state.phase in (Phase.TO_ROLL, Phase.DOUBLED) else None
        memory = displaced(memory, sight, right_half(throws.other) if throws is not None else None)
    if state.phase is Phase.OPENING and sight.cube is not None:
        memory = replace(memory, cube=replace(memory.cube, lay=sight.cube))
    for _ in range(STEPS):
        if state.seq == 0 or over(state):
            break
        memory, new = _step(state, sight, memory, rules)
        if not new:
            break
        events += new
        state = after(state, new)
    return memory, tuple(events)


def _step(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    if state.reconcile:
        # While the dice of the roll lie there its checkers are being moved, and may stand anyhow.
        moving = state.phase is Phase.ROLLED and sight.dice is not None and len(_of_the_roll(state, sight)) == 2
        if other_has_moved(state, sight.reading) if moving else not sight.shows(state.position):
            return _gone_on(state, sight, memory, rules)
        return _begun_anew(memory, _idle(state, sight, memory.turn, memory.left or ())), (*resolved(state, "position"), BoardAgreed())
    phases: dict[Phase, Callable[[MatchState, Sight, Memory, RuleSet], Step]] = {
        Phase.SETTING_UP: setting_up,
        Phase.GAME_OVER: setting_up,
        Phase.OPENING: opening,
        Phase.TO_ROLL: to_roll,
        Phase.DOUBLED: doubled,
        Phase.ROLLED: rolled,
        Phase.JUDGING: judging,
        Phase.HELD: held,
    }
    step = phases.get(state.phase)
    return step(state, sight, memory, rules) if step is not None else (memory, ())


def _gone_on(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """The board is to be put as a person has set the match, and somebody has thrown on it as it stands: nobody reads what is to be put
    back, or it was set wrongly. It is asked how play goes on; silence would last for as long as they play."""
    if memory.left is None:
        return replace(memory, left=sight.reading.dice), ()
    seen, dice = seen_position(sight), without(sight.dice or (), memory.left)
    threw = any(throw_of(seat, dice, sight.die_doubts, rules).valid for seat in Seat)
    if seen is None or not threw or state.doubt is not None or not sight.board_stood(AT_REST):
        return memory, ()
    return ask(memory, state, differs_doubt(state, seen, rules), seen)


def _begun_anew(memory: Memory, old: Dice) -> Memory:
    """The memory once the board agrees with what a person has put right: what was seen and asked before is of another course.
    ``old``: the dice that play no part in what comes."""
    return replace(memory, turn=TurnMemory(old=old, voided=memory.turn.voided), waiting=(), asked=NO_QUESTION, left=None)


def _idle(state: MatchState, sight: Sight, turn: TurnMemory, left: Dice) -> Dice:
    """The dice in sight that play no part once a person has put the match right: all but those of the roll that is to be played again, or
    may be the next. ``left``: what lay there as he did."""
    if state.dice is None:
        there = right_half(state.on_roll.other) if state.on_roll is not None else None
        return (*turn.old, *(die for die in left if die.half is there))
    played = _of_the_roll(state, sight)
    return tuple(die for die in sight.reading.dice if die not in played)


def _of_the_roll(state: MatchState, sight: Sight) -> Dice:
    """The dice that show the roll being played, where its player throws."""
    seat = state.on_roll
    his = [die for die in sight.reading.dice if seat is not None and (state.opening_turn or belongs(die, seat))]
    return numbered(his, state.dice or ())


def setting_up(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """Nothing is judged until the starting position is read undoubted."""
    if seen_position(sight) != START:
        return memory, ()
    memory = replace(memory, turn=TurnMemory(old=_unthrown(memory.runs, sight)), cube=CubeMemory(), waiting=())
    return memory, (next_game(state, rules),)


def _unthrown(runs: Runs, sight: Sight) -> Dice:
    """What lies in sight as the game starts and is no opening throw: on a stream every die, left from the last game. A still is
    looked at once, and may show the opening throw already: there unused dice, and marks that the eyes half take for dice. On a stream
    dice that were not there in earlier looks at the starting position have been thrown while it was yet in doubt."""
    if not sight.still:
        recent = runs.recent[-RECENT:]
        lay = {die for reading in recent for die in without(reading.dice, sight.reading.dice)}  # one may flicker
        earlier = [one for one in recent if not one.hand and one.position is not None and agrees(one, START)]
        there = {die: [any(same_place(die, d) for d in one.dice) for one in earlier] for die in sight.reading.dice}
        came = {die for die, looks in there.items() if looks and not looks[0] and looks == sorted(looks)}  # and stayed
        return (*(die for die in there if die not in came), *lay)
    on_board = [die for die in sight.reading.dice if die.state is not DieState.OFF_BOARD and not die.tray]
    return tuple(die for die in sight.reading.dice if die not in on_board or len(on_board) > 2 or die.confidence < DIE)
