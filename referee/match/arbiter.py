"""The arbiter: from the match as it stands and what is seen, the events that follow. Pure.

`consider` goes by the phases of a turn: setting up, opening, to roll, doubled, rolled, judging, held. On stills the first
later picture without the roller's dice ends the turn and is judged once; on a stream a fact is believed when enough readings
agree. What cannot be told is looked at again, and then asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.board.position import CHECKERS, START
from referee.match.before_roll import doubled, opening, to_roll
from referee.match.between import caught_up, marked
from referee.match.decide import next_game
from referee.match.displaced import displaced
from referee.match.early import early_due
from referee.match.events import BoardAgreed, DoubtResolved, Event, IllegalPlay, IllegalPlayStood, Logged
from referee.match.folding import apply
from referee.match.judge import agrees, as_seen
from referee.match.playing import held, judging, rolled
from referee.match.settle import KEPT, Settle, Sight, Step, forgotten, fresh, look, same_dice, without
from referee.match.state import MatchState, Phase
from referee.match.throws import Verdict, numbered, throw_of
from referee.match.unseen import unexplained
from referee.match.unsure import ask_throw
from referee.observations import DieState, Reading, SeenDie
from referee.rules.dice import belongs, right_half
from referee.rules.ruleset import RuleSet

STEPS = 12
"""One reading may end a turn, begin the next and more, but never this often."""

DIE = 0.8
"""A die in which the reader believes less than this, before anything was thrown, is taken for a mark on the board."""

BLOCKING = frozenset({"roll", "position", "game_over", "throw", "double"})
"""Questions that must be answered, or settled by later sight, before play is followed further."""


def consider(state: MatchState, reading: Reading, rules: RuleSet, settle: Settle) -> Step:
    """What follows from one settled reading: the memory to hand in next time, and the events to log, in order."""
    settle, events = _consider(state, reading, rules, caught_up(state, reading, settle))
    return marked(state, after(state, events), reading, events, settle), events


def _consider(state: MatchState, reading: Reading, rules: RuleSet, settle: Settle) -> Step:
    events: list[Event] = []
    if settle.waiting and not blocked(state) and not state.reconcile:
        # A question has been answered: what was seen meanwhile is gone through first, as settled moments.
        waiting, stills = settle.waiting, settle.stills
        settle = replace(settle, waiting=(), stills=True)
        for i, earlier in enumerate(waiting):
            settle, new = _reading(state, earlier, rules, settle)
            events += new
            state = after(state, new)
            if blocked(state) or over(state):
                settle = replace(settle, waiting=waiting[i:] if blocked(state) else ())
                break
        settle = replace(settle, stills=stills)
    if over(state):
        return settle, tuple(events)
    if _gone_by(state, rules, settle):
        settle = _kept(settle, reading)
        settle, new = _later_sight(state, rules, settle)
        return settle, (*events, *new)
    settle, new = _reading(state, reading, rules, settle)
    events += new
    if blocked(after(state, new)):
        settle = _kept(settle, reading)
    elif blocked(state):  # this reading itself settled the question: what was seen before it is past
        settle = replace(settle, waiting=())
    return settle, tuple(events)


def _gone_by(state: MatchState, rules: RuleSet, settle: Settle) -> bool:
    """A play is in question and the other player has thrown since: what is seen now is no longer that play."""
    if not blocked(state) or state.phase is not Phase.JUDGING or state.on_roll is None:
        return False
    return any(
        throw_of(state.on_roll.other, fresh(settle, kept.dice)[1], kept.doubts, rules).verdict is Verdict.VALID for kept in settle.waiting
    )


def _later_sight(state: MatchState, rules: RuleSet, settle: Settle) -> Step:
    """Settles a question about a play by what came after it: one of its answers alone lets the other player's next play be
    followed to a legal end."""
    assert state.doubt is not None
    doubt = state.doubt.doubt
    told: list[Step] = []
    for answer in doubt.answers:
        if not answer.events:
            continue
        events: list[Event] = [DoubtResolved(doubt.about), *answer.events]
        now, memory = after(state, events), replace(forgotten(settle), waiting=(), stills=True)
        turns = now.turns
        for kept in settle.waiting:
            memory, new = _reading(now, kept, rules, memory)
            events += new
            now = after(now, new)
            if blocked(now) or over(now):
                break
        if now.turns > turns and not blocked(now) and not any(isinstance(event, IllegalPlay | IllegalPlayStood) for event in events[1:]):
            told.append((replace(memory, stills=settle.stills), tuple(events)))
    return told[0] if len(told) == 1 else (settle, ())


def finish(state: MatchState, rules: RuleSet, settle: Settle) -> Step:
    """The source has ended: what still waited for another look is asked."""
    if settle.last is None or state.doubt is not None or state.seq == 0:
        return settle, ()
    settle, sight = look(replace(settle, stills=True, ended=True), settle.last)
    if state.phase in (Phase.OPENING, Phase.TO_ROLL) and settle.unsure_dice:
        return ask_throw(state, settle, rules)
    strange = as_seen(settle.strange) if settle.strange is not None else None
    if state.phase in (Phase.OPENING, Phase.TO_ROLL) and strange is not None and strange != state.position:
        return unexplained(state, strange, settle, rules)
    if state.phase is Phase.JUDGING:
        return judging(state, sight, rules, settle)
    return settle, ()


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


def _kept(settle: Settle, reading: Reading) -> Settle:
    """With a reading to be gone through later as a settled moment: on a stream one that the look before it bears out."""
    before, settle = settle.glance, replace(settle, glance=reading)
    if not settle.stills and (before is None or not _alike(before, reading)):
        return settle
    if settle.waiting and _alike(settle.waiting[-1], reading):
        return replace(settle, waiting=(*settle.waiting[:-1], reading))
    return replace(settle, waiting=(*settle.waiting, reading)[-KEPT:])


def _alike(a: Reading, b: Reading) -> bool:
    return a.position == b.position and same_dice(a.dice, b.dice) and a.cube == b.cube


def _reading(state: MatchState, reading: Reading, rules: RuleSet, settle: Settle) -> Step:
    events: list[Event] = []
    if state.reconcile and settle.stills and settle.last is not None and agrees(settle.last, state.position):
        # A person set right what the picture before this one shows.
        settle, events = _begun_anew(settle), [BoardAgreed()]
        state = after(state, events)
    settle, sight = look(settle, reading)
    if not settle.stills:
        throws = state.on_roll if state.phase in (Phase.TO_ROLL, Phase.DOUBLED) else None
        settle = displaced(settle, sight, right_half(throws.other) if throws is not None else None)
    if state.phase is Phase.OPENING and sight.cube is not None:
        settle = replace(settle, cube_lay=sight.cube)
    for _ in range(STEPS):
        if state.seq == 0 or over(state):
            break
        settle, new = _step(state, sight, rules, settle)
        if not new:
            break
        events += new
        state = after(state, new)
    return settle, tuple(events)


def _step(state: MatchState, sight: Sight, rules: RuleSet, settle: Settle) -> Step:
    if state.reconcile:
        # While the dice of the roll lie there its checkers are being moved, and may stand anyhow.
        moving = state.phase is Phase.ROLLED and sight.dice is not None and len(_of_the_roll(state, sight)) == 2
        if not moving and (sight.board is None or not agrees(sight.board, state.position)):
            return settle, ()
        return replace(_begun_anew(settle), old=_idle(state, sight, settle)), (BoardAgreed(),)
    phases: dict[Phase, Callable[[MatchState, Sight, RuleSet, Settle], Step]] = {
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
    return step(state, sight, rules, settle) if step is not None else (settle, ())


def _begun_anew(settle: Settle) -> Settle:
    """The memory once the board agrees with what a person has put right: what was seen and asked before is of another course."""
    return replace(forgotten(settle), waiting=(), voided=settle.voided, asked=())


def _idle(state: MatchState, sight: Sight, settle: Settle) -> tuple[SeenDie, ...]:
    """The dice in sight that play no part once a person has put the match right: all but those of the roll that is to be played again."""
    if state.dice is None:
        return settle.old
    played = _of_the_roll(state, sight)
    return tuple(die for die in sight.reading.dice if die not in played)


def _of_the_roll(state: MatchState, sight: Sight) -> tuple[SeenDie, ...]:
    """The dice that show the roll being played, where its player throws."""
    seat = state.on_roll
    his = [die for die in sight.reading.dice if seat is not None and (state.opening_turn or belongs(die, seat))]
    return numbered(his, state.dice or ())


def setting_up(state: MatchState, sight: Sight, rules: RuleSet, settle: Settle) -> Step:
    """Nothing is judged until the starting position is read undoubted."""
    if sight.board is None or as_seen(sight.board) != START:
        return settle, ()
    settle = replace(forgotten(settle), cube_asked=None, cube_lay=None, waiting=(), old=_unthrown(settle, sight))
    return settle, (next_game(state, rules),)


def _unthrown(settle: Settle, sight: Sight) -> tuple[SeenDie, ...]:
    """What lies in sight as the game starts and is no opening throw: on a stream every die, left from the last game. A still is
    looked at once, and may show the opening throw already: there unused dice, and marks that the eyes half take for dice."""
    if not settle.stills:
        lay = {die for reading in settle.recent for die in without(reading.dice, sight.reading.dice)}  # one may flicker
        return (*sight.reading.dice, *lay)
    on_board = [die for die in sight.reading.dice if die.state is not DieState.OFF_BOARD and not die.tray]
    return tuple(die for die in sight.reading.dice if die not in on_board or len(on_board) > 2 or die.confidence < DIE)
