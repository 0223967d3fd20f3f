"""Throws that are in doubt: looked at again, settled by later sight, or asked about. Never accepted silently."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Seat
from referee.match import judge
from referee.match.events import Answer, Doubt, DoubtResolved, Event, OpeningRolled, OpeningTied, Rolled, RollVoid
from referee.match.settle import AGAIN, Settle, Sight, Step, ask, same_dice, same_place
from referee.match.state import MatchState, Phase
from referee.match.throws import Throw
from referee.match.turn import legal_results, mover_rules, opened
from referee.observations import DieState, Reading
from referee.rules.citing import cite_bad_throw
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet


def _void_reason(settle: Settle, rules: RuleSet) -> Reason:
    """What was wrong with a throw that its thrower did not count: the die that lay badly, or looked as if it did."""
    bad = next((die for die in settle.unsure_dice if die.state is not DieState.FLAT), None)
    return because(bad.state.value if bad is not None else "cocked", cite_bad_throw(rules))


def settle_throw(state: MatchState, throw: Throw, sight: Sight, settle: Settle, rules: RuleSet) -> Step:
    """An unsure throw in sight: first another look, then a question; an earlier unsure one was thrown again."""
    known = same_dice(settle.unsure_dice, throw.dice)
    before: tuple[Event, ...] = ()
    if not known:
        settle, before = rethrown(state, settle, throw, rules)
        settle = replace(settle, unsure_dice=throw.dice, unsure_rolls=throw.rolls, unsure_at=sight.reading.captured_at)
    looked_again = known and (settle.unsure_at != sight.reading.captured_at if settle.stills else sight.dice_for >= AGAIN)
    unseen = state.doubt is not None and state.doubt.doubt.reason.code == "throw_not_seen"  # the tower's question: now it is seen
    if before or not looked_again or (state.doubt is not None and not unseen):
        return settle, before
    settle, asked = ask_throw(state, settle, rules)
    return settle, (DoubtResolved("throw"), *asked) if unseen and asked else asked


def ask_throw(state: MatchState, settle: Settle, rules: RuleSet) -> Step:
    """The question about a throw: what it may have been, and that it does not count."""
    answers: list[Answer] = []
    opened = state.phase is Phase.OPENING and all(die.tray for die in settle.unsure_dice)
    for a, b in settle.unsure_rolls[: judge.ANSWERS - 1]:
        roll = _roll(state, a, b)
        if opened and isinstance(roll, OpeningRolled):
            answers.append(Answer(because("starts", "", seat=roll.seat.value, high=max(a, b), low=min(a, b)), (roll,)))
        else:
            answers.append(Answer(because("rolled", "", high=a, low=b), (roll,)))
    values = tuple(die.value for die in settle.unsure_dice)
    reason = _void_reason(settle, rules)
    seat = state.on_roll if state.phase is not Phase.OPENING else None
    answers.append(Answer(because("does_not_count"), (RollVoid(seat, values, reason),)))
    code = "tray_opening" if opened else "throw_unsure"
    about = because(code, "", **{f"die{i}": die.value or 0 for i, die in enumerate(settle.unsure_dice, start=1)})
    return ask(settle, state, Doubt("throw", about, tuple(answers)), settle.unsure_dice)


def _roll(state: MatchState, a: int, b: int) -> Event:
    if state.phase is Phase.OPENING:
        return opened((a, b))
    assert state.on_roll is not None
    return Rolled(state.on_roll, (a, b))


def rethrown(state: MatchState, settle: Settle, throw: Throw, rules: RuleSet) -> Step:
    """A throw came to rest. An earlier one that was in doubt and lies there no more was not counted by its thrower: void.
    The same dice read clearly, whatever they now show, need no word."""
    was, rolls = settle.unsure_dice, settle.unsure_rolls
    settle = replace(settle, unsure_dice=(), unsure_rolls=())
    if not was or any(same_place(die, before) for die in throw.dice for before in was):
        return settle, ()
    seat = state.on_roll if state.phase is not Phase.OPENING else None
    if seat is None and len(rolls) == 1 and rolls[0][0] == rolls[0][1]:
        return settle, (OpeningTied(rolls[0]),)
    void = RollVoid(seat, tuple(die.value for die in was), _void_reason(replace(settle, unsure_dice=was), rules))
    return settle, (void,)


def played_anyway(state: MatchState, settle: Settle, board: Reading | None, rules: RuleSet) -> tuple[int, int] | None:
    """The roll of a throw that was in doubt, told by what was then played: the only one whose values were read, or the only one under
    which the board shows a legal play. In the opening (near's, far's). None when that does not tell."""
    if board is None:
        return None
    rolls = [(a, b) for a, b in settle.unsure_rolls or settle.glimpse if state.on_roll is not None or a != b]
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for a, b in rolls:
        seat = state.on_roll or (Seat.NEAR if a > b else Seat.FAR)
        results = legal_results(state.position, seat, (a, b), mover_rules(state, seat, rules))
        verdict = judge.judge(state.position, seat, board, tuple(results))
        if isinstance(verdict, judge.Legal) and (verdict.position != state.position or not results):
            found.setdefault((a, b) if state.on_roll is None else tuple(sorted((a, b))), (a, b))
    if len(found) == 1:
        return next(iter(found.values()))
    moved = board.position is not None and not judge.agrees(board, state.position) and not judge.doubted(board.doubts).whole
    return rolls[0] if len(settle.unsure_rolls) == 1 and len(rolls) == 1 and moved else None
