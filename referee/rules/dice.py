"""Rulings on dice: which count, which are thrown again, a throw before its time, the opening.

Pure: what was seen comes in, a ruling goes out. Which of the dice in sight are a throw is decided before.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.board.plays import BAR, Roll
from referee.board.position import Position, Seat
from referee.observations import DieState, Half, SeenDie, Touch
from referee.rules.citing import cite, cite_bad_throw
from referee.rules.cube import turned
from referee.rules.reason import Reason, because
from referee.rules.ruleset import DieOnChecker, EarlyRoll, EdgeTouch, PrematureRoll, Reroll, RuleSet


def right_half(seat: Seat) -> Half:
    """The half to ``seat``'s own right hand, as the near player sees it (S0-33, S2-06)."""
    return Half.RIGHT if seat is Seat.NEAR else Half.LEFT


def belongs(die: SeenDie, seat: Seat) -> bool:
    """Whether ``die`` lies where ``seat`` throws: in his own half, or in the dice tower's tray, where both throw."""
    return die.tray or die.half is right_half(seat)


def rests_well(die: SeenDie, rules: RuleSet) -> bool:
    """Whether a die counts by how it lies, wherever that is."""
    if die.state is DieState.FLAT:
        edge = Touch.BAR in die.touches or Touch.RAIL in die.touches
        return not (edge and rules.edge_touch is EdgeTouch.INVALID)
    return die.state is DieState.ON_CHECKER and rules.die_on_checker is DieOnChecker.VALID


def fault(die: SeenDie, seat: Seat, rules: RuleSet) -> Reason | None:
    """Why ``die`` does not count as one of ``seat``'s throw; None when it does."""
    if rests_well(die, rules):
        return None if belongs(die, seat) else because("wrong_half", cite_bad_throw(rules))
    if die.state is DieState.FLAT:
        at_edge = belongs(die, seat)
        return because("on_bar" if at_edge else "wrong_half", cite_bad_throw(rules, at_edge=at_edge))
    return because(die.state.value, cite_bad_throw(rules, on_checker=die.state is DieState.ON_CHECKER))


def thrown_again(thrown: tuple[SeenDie, ...], seat: Seat, rules: RuleSet) -> tuple[SeenDie, ...]:
    """The dice to throw again after a bad throw: both (S2-06), or the faulty alone (S4-02); none when all count."""
    faulty = tuple(die for die in thrown if fault(die, seat, rules) is not None)
    return thrown if faulty and rules.reroll is Reroll.BOTH else faulty


def both_read(values: Iterable[int | None]) -> Roll | None:
    """What two dice show, in that order; None where there are not two, or one was not read."""
    match tuple(values):
        case int(first), int(second):
            return first, second
    return None


def starter(near: int, far: int) -> Seat | None:
    """Who begins and plays both dice, by one die each: the higher (S2-03). None on a tie, which is thrown again."""
    return None if near == far else Seat.NEAR if near > far else Seat.FAR


def tied_cube(cube: int, ties: int, rules: RuleSet, money: bool) -> int:
    """The value of the cube, in the middle, after an opening tie at ``cube``; ``ties`` in this game before it. In money play a tie turns
    it up to the rule set's limit, and nobody owns it then (S0-28, S3-20, S4-09)."""
    turns = money and (rules.auto_doubles is None or ties < rules.auto_doubles)
    return turned(cube) if turns else cube


def may_refuse_first_throw(rules: RuleSet, money: bool, opened: bool, refused: tuple[bool, bool], seat: Seat) -> Reason | None:
    """Whether ``seat`` may refuse the opening throw by doubling and casting anew (S3-20): None when he may, once in a game and
    before anything is played. ``refused``: who has done so (near, far)."""
    if not rules.first_throw_refusal or not money:
        return because("no_refusal", cite(rules, "first_throw"))
    if opened:
        return because("already_played", cite(rules, "first_throw"))
    if refused[seat.index]:
        return because("already_refused", cite(rules, "first_throw"))
    return None


def may_mix_dice(rules: RuleSet, between_games: bool) -> Reason | None:
    """Whether a player may have the dice mixed and picked alternately (S3-16): None when he may; never in mid-game."""
    if not rules.mix_dice:
        return because("no_mixing")  # the one book that speaks of it has it (S3-16)
    return None if between_games else because("mid_game", cite(rules, "mixing"))


def premature(position: Position, playing: Seat, roll: tuple[int, int], rules: RuleSet) -> PrematureRoll | None:
    """What becomes of a valid throw made while ``playing`` still had ``roll`` to play from ``position``; None where the set does not
    count it as early at all."""
    if rules.early_roll is EarlyRoll.RACE_OR_FORCED and (is_race(position) or len(rules.plays(position, playing, roll)) <= 1):
        return None
    return rules.premature_roll


def is_race(position: Position) -> bool:
    """Whether the two sides have passed each other, so that nothing can be hit any more."""
    rearmost = [max((p for p in range(1, BAR + 1) if position.on_point(seat, p)), default=0) for seat in Seat]
    return sum(rearmost) < 25
