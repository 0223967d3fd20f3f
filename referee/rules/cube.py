"""Rulings on the doubling cube: who may turn it, when, and what a wrong or annulled turn comes to."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board.matchid import LARGEST_CUBE
from referee.board.position import Seat
from referee.rules.citing import cite
from referee.rules.reason import Reason, because
from referee.rules.ruleset import EarliestDouble, RuleSet


@dataclass(frozen=True, slots=True)
class CubeFacts:
    """What a ruling on the cube asks. ``value`` counts now, ``owner`` None is the middle, ``offered_by`` has a double open.
    ``beavers``: how often the present double was turned again at once. ``length`` 0: money. ``crawford``: this is that game."""

    value: int = 1
    owner: Seat | None = None
    offered_by: Seat | None = None
    beavers: int = 0
    length: int = 0
    crawford: bool = False


def no_access(cube: CubeFacts, seat: Seat, rules: RuleSet) -> Reason | None:
    """Why ``seat`` may not double in this game as it stands, None when he may. His moment is another question (`no_double`)."""
    if cube.length == 1:
        return because("no_cube", "S1-01")
    if cube.crawford and rules.crawford:
        return because("crawford", cite(rules, "crawford"))
    if cube.owner is seat.other:
        return because("not_your_cube", cite(rules, "cube_owner"), seat=seat.other.value)
    return at_end(2 * cube.value)


def at_end(turned: int) -> Reason | None:
    """Why a cube cannot be turned to ``turned``, None when it can."""
    return because("cube_at_end", value=LARGEST_CUBE) if turned > LARGEST_CUBE else None


def turned(value: int) -> int:
    """What a cube at ``value`` shows when it is turned by nobody's double, as far as it goes."""
    return min(2 * value, LARGEST_CUBE)


def no_double(cube: CubeFacts, on_roll: Seat, rolled: bool, rules: RuleSet) -> Reason | None:
    """Why the player ``on_roll`` may not double now, None when he may: before rolling (S2-20), also when he is closed out and has nothing
    to roll (S2-14). ``rolled``: the dice of this turn are thrown. Nobody is on roll before the opening throw, which is the starter's
    roll: so the first chance is the second player's."""
    if cube.offered_by is not None:
        return because("double_open", cite(rules, "take_or_drop"), seat=cube.offered_by.value)
    if rolled:
        return because("double_before_roll", cite(rules, "double_before_roll"))
    return no_access(cube, on_roll, rules)


def before_opening(rules: RuleSet) -> bool:
    """Whether a starter may double before the opening throw: one who may refuse that throw has his turn before it."""
    return rules.earliest_double is EarliestDouble.FIRST_TURN and rules.first_throw_refusal


def no_beaver(cube: CubeFacts, rules: RuleSet) -> Reason | None:
    """Why the cube may not be turned again at once (S2-23), None when it may.

    The one who was doubled beavers instead of taking and owns the cube; the doubler may then raccoon, and so on while
    the set allows beavers. Nothing may come between.
    """
    if cube.length or not rules.beavers:
        return because("no_beavers", cite(rules, "beaver"))
    if cube.offered_by is None:
        return because("no_double")
    by_doubler = cube.beavers % 2 == 1
    if by_doubler and not rules.raccoons:
        return because("no_raccoons", cite(rules, "beaver"))
    if not by_doubler and cube.beavers // 2 >= rules.beavers:
        return because("no_beavers", cite(rules, "beaver"))
    return at_end(cube.value * (2 if by_doubler else 4))


def put_right(cube: CubeFacts, seen_value: int, seen_owner: Seat | None) -> Reason | None:
    """A cube that shows another value or lies elsewhere than it counts is put right whenever it is noticed, at no cost to
    anybody; None when it lies right."""
    if seen_value == cube.value and seen_owner is cube.owner:
        return None
    owner = cube.owner.value if cube.owner else "middle"
    return because("cube_put_right", value=cube.value, owner=owner, seen=seen_value)


def crawford_annulled(cube: CubeFacts, rules: RuleSet) -> Reason | None:
    """A double in the Crawford game, whoever offered it and even when it was taken, is annulled until the next game starts:
    the game counts as if nobody had doubled. None when there is nothing to annul."""
    if not (cube.crawford and rules.crawford) or (cube.value == 1 and cube.offered_by is None):
        return None
    return because("crawford_annulled", cite(rules, "crawford"))


def dead_cube(cube: CubeFacts, score: tuple[int, int], seat: Seat) -> bool:
    """Whether ``seat`` has no use for doubling because the cube as it stands already wins him the match (S1-22): legal, and a
    remark on the match page, never a ruling."""
    return bool(cube.length) and score[seat.index] + cube.value >= cube.length
