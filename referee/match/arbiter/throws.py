"""Which of the dice in sight are the throw, and whether it counts.

Every die in sight is reported by the eyes; here the new ones are told from those that lay there before, and a throw is found
valid, void with the reason, or in doubt. Nothing is accepted silently: a die that is in doubt makes the throw one to look at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, product

from referee.board.plays import Roll
from referee.board.position import Seat
from referee.match.arbiter.settle import Dice, points_at, same_die
from referee.match.state import MatchState
from referee.observations import DieState, SeenDie, SeenDoubt
from referee.rules.citing import cite_bad_throw
from referee.rules.dice import belongs, both_read, fault, rests_well, right_half, thrown_again
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet

NOISE = 0.5
"""A third die that the reader itself believes in less than this is taken for none."""


class Verdict(Enum):
    NONE = "none"
    VALID = "valid"
    VOID = "void"
    UNSURE = "unsure"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Throw:
    """``dice``: those of the throw, as they lie; in the opening (near's, far's). ``rolls``: what it may have been when it is unsure,
    likeliest first, or waited for, and one die of it in doubt is seen alone. ``seat`` None: nobody's, or the opening's. ``since``: when one
    that is in doubt was first seen in its turn (capture time, s)."""

    verdict: Verdict
    seat: Seat | None = None
    dice: Dice = ()
    reason: Reason | None = None
    rolls: tuple[Roll, ...] = ()
    since: float | None = None

    @property
    def values(self) -> tuple[int | None, ...]:
        """What its dice show, as far as it was read."""
        return _values(self.dice)

    @property
    def valid(self) -> bool:
        return self.verdict is Verdict.VALID

    @property
    def roll(self) -> Roll:
        """The two numbers of a valid throw."""
        roll = both_read(self.values)
        assert roll is not None
        return roll


NO_THROW = Throw(Verdict.NONE)


def _doubt_about(die: SeenDie, doubts: Sequence[SeenDoubt]) -> SeenDoubt | None:
    """The first doubt that points at this very die."""
    return next((doubt for doubt in doubts if points_at(doubt, die)), None)


def _unread(dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt], rules: RuleSet) -> bool:
    """Whether one of ``dice`` is in doubt, or lies well and shows nothing."""
    return any(_doubt_about(die, doubts) or (die.value is None and rests_well(die, rules)) for die in dice)


def _faces(die: SeenDie, doubts: Sequence[SeenDoubt]) -> tuple[int, ...]:
    """What the die may show, likeliest first."""
    likely = tuple(v for doubt in doubts if points_at(doubt, die) for v in doubt.values if 1 <= v <= 6)
    if die.value is None:
        return likely or (1, 2, 3, 4, 5, 6)
    return tuple(dict.fromkeys((die.value, *likely)))


def _rolls(dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt]) -> tuple[Roll, ...]:
    return tuple(dict.fromkeys((a, b) for a, b in product(*(_faces(die, doubts) for die in dice))))


def with_another(faces: Iterable[int]) -> tuple[Roll, ...]:
    """What a throw may be of which one die alone is seen, that shows one of ``faces``."""
    return tuple(dict.fromkeys((max(face, other), min(face, other)) for face in faces for other in range(1, 7)))


def _values(dice: Sequence[SeenDie]) -> tuple[int | None, ...]:
    return tuple(die.value for die in dice)


def throw_of(seat: Seat, dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt], rules: RuleSet) -> Throw:
    """The throw of ``seat`` among ``dice``, which are all new. ``doubts``: those about dice.

    Two dice that count in the right half are the throw; another die elsewhere is somebody else's. Dice beside the board alone are
    no throw: that is where dice lie that nobody uses. Where dice came to rest in the tower's tray, the throw is there.
    """
    tray = [die for die in dice if die.tray]
    inside = tray or [die for die in dice if belongs(die, seat)]
    outside = list(believed([die for die in dice if die not in inside], doubts))
    if len(inside) == 1 and all(die.state is DieState.OFF_BOARD for die in outside):
        inside += _by_the_field(dice, doubts)
    if len(inside) == 2 and sum(die.state in (DieState.ON_BAR, DieState.OFF_BOARD) for die in outside) == 1:  # two: somebody else's
        inside = [die for die in inside if not _hardly(die, doubts)] or inside  # the other die of the throw is the one that lies badly
    inside = _without_noise(inside, doubts)
    good = [die for die in inside if rests_well(die, rules)]
    if len(inside) > 2:
        return _too_many(seat, inside, good)
    thrown = inside
    if len(inside) < 2:
        thrown = _with_missing(inside, outside)
        if all(_may_be_none(die, doubts) for die in thrown):
            return NO_THROW
        if len(thrown) == 1 and _doubt_about(thrown[0], doubts):
            return Throw(Verdict.WAIT, seat, tuple(thrown), rolls=with_another(_faces(thrown[0], doubts)))
    thrown.sort(key=lambda die: -(die.value or 0))
    # A die that lies elsewhere is bad whatever it shows; one in its half is in doubt by its value or by how it rests.
    # One that lies wrong beyond doubt makes the throw bad, whatever the other may be.
    lost = len(inside) < 2 and len(thrown) == 2
    wrong = next((die for die in thrown if die in inside and not rests_well(die, rules) and _doubt_about(die, doubts) is None), None)
    if wrong is not None:
        return Throw(Verdict.VOID, seat, tuple(thrown), _why(wrong, thrown, seat, rules))
    if not lost and _unread(inside, doubts, rules):
        rolls = _rolls(thrown, doubts) if len(thrown) == 2 else ()
        high_first = tuple(dict.fromkeys((max(roll), min(roll)) for roll in rolls))
        return Throw(Verdict.UNSURE, seat, tuple(thrown), rolls=high_first)
    if len(good) == 2:
        return Throw(Verdict.VALID, seat, tuple(thrown))
    bad = next((die for die in thrown if die not in good), None)
    reason = _why(bad, thrown, seat, rules) if bad is not None else None
    return Throw(Verdict.VOID, seat, tuple(thrown), reason or because("missing_die", cite_bad_throw(rules)))


def _by_the_field(dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt]) -> list[SeenDie]:
    """The one of ``dice`` that seems to lie on bar or rail and may as well lie flat on the field beside it; none where there are more."""
    on_bar = [die for die in dice if die.state is DieState.ON_BAR and die.confidence >= NOISE and not _may_be_none(die, doubts)]
    found = [die for die in on_bar if _doubt_about(die, doubts)]
    return found if len(found) == 1 else []


def _with_missing(inside: list[SeenDie], outside: list[SeenDie]) -> list[SeenDie]:
    """The dice of a throw of which one or none is ``inside``, where it counts: the missing one is a die on the board that lies wrong;
    beside the board only where the other is on it. A single die that lies flat in the other's half was put there by its owner, and so
    were dice on the bar where no other is: there many keep them."""
    astray = [die for die in outside if die.state is not DieState.OFF_BOARD]
    beside = [die for die in outside if die.state is DieState.OFF_BOARD]
    kept = len(astray) == 1 and astray[0].state is DieState.FLAT
    on_bar = not beside and all(die.state is DieState.ON_BAR for die in astray)
    if not inside and (not astray or kept or on_bar):
        return []
    thrown = [*inside, *astray, *beside][:2]
    return thrown if len(thrown) == 2 else [die for die in thrown if die.confidence >= NOISE]


def _why(bad: SeenDie, thrown: Sequence[SeenDie], seat: Seat, rules: RuleSet) -> Reason | None:
    """What is wrong with the throw, ``again`` 1 where the faulty die alone is thrown again."""
    reason = fault(bad, seat, rules)
    alone = len(thrown) == 2 and len(thrown_again(tuple(thrown), seat, rules)) == 1
    return replace(reason, values=(*reason.values, ("again", 1))) if reason is not None and alone else reason


def _without_noise(dice: list[SeenDie], doubts: Sequence[SeenDoubt]) -> list[SeenDie]:
    """More than two dice in one half: those the reader hardly believes in are passed over when two others are left."""
    likely = [die for die in dice if die.confidence >= NOISE and not _may_be_none(die, doubts)]
    return next((some for some in (likely, list(believed(dice, doubts))) if len(some) == 2), dice)


def _hardly(die: SeenDie, doubts: Sequence[SeenDoubt]) -> bool:
    """Whether this is hardly a die, and not one of which the reader doubts the number or how it lies alone."""
    return die.confidence < NOISE and (_doubt_about(die, doubts) is None or _may_be_none(die, doubts))


def _may_be_none(die: SeenDie, doubts: Sequence[SeenDoubt]) -> bool:
    """Whether the reader is not sure that this is a die at all."""
    return any(doubt.code in ("presence", "false") and points_at(doubt, die) for doubt in doubts)


def _too_many(seat: Seat, inside: list[SeenDie], good: list[SeenDie]) -> Throw:
    read = filter(None, (both_read(_values(pair)) for pair in combinations(good, 2)))
    return Throw(Verdict.UNSURE, seat, tuple(inside), rolls=tuple(dict.fromkeys((max(roll), min(roll)) for roll in read)))


def opening_throw(dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt], rules: RuleSet) -> Throw:
    """One die each: near's in the right half, far's in the left. ``values`` of a valid throw are (near's, far's).

    WAIT while one die is at rest and the other still to come. Dice on the bar or beside the board belong to nobody here unless a
    player's own die is the one missing.
    """
    if any(die.tray for die in dice):
        return _opening_in_tray([die for die in dice if die.tray], doubts, rules)
    near, far = (_only_sure([die for die in dice if die.half is right_half(seat)], doubts) for seat in Seat)
    astray = [die for die in dice if die.state is DieState.ON_BAR]
    beside = [die for die in dice if die.state is DieState.OFF_BOARD]
    if len(near) == 1 and len(far) == 1:
        both = (near[0], far[0])
        if _unread(both, doubts, rules):
            return Throw(Verdict.UNSURE, None, both, rolls=_rolls(both, doubts))
        for seat, die in zip(Seat, both, strict=True):
            if not rests_well(die, rules):
                return Throw(Verdict.VOID, seat, both, fault(die, seat, rules))
        return Throw(Verdict.VALID, None, both)
    if len(near) + len(far) == 1 and astray + beside:
        thrower = Seat.FAR if near else Seat.NEAR
        other = (astray + beside)[0]
        thrown = (*near, other, *far)
        if _doubt_about(other, doubts):  # it may lie flat on the field
            return Throw(Verdict.UNSURE, None, thrown, rolls=_rolls(thrown, doubts))
        return Throw(Verdict.VOID, thrower, thrown, fault(other, thrower, rules))
    if len(near) + len(far) == 2:  # both in one half
        thrown = tuple(near or far)
        if any(_doubt_about(die, doubts) for die in thrown):
            return Throw(Verdict.UNSURE, None, thrown)
        return Throw(Verdict.VOID, None, thrown, because("wrong_half", cite_bad_throw(rules)))
    if len(near) + len(far) > 2:
        return Throw(Verdict.UNSURE, None, (*near, *far))
    if not dice:
        return NO_THROW
    others = range(1, 7)
    rolls = [(face, other) if near else (other, face) for die in (*near, *far) for face in _faces(die, doubts) for other in others]
    return Throw(Verdict.WAIT, rolls=tuple(rolls))


def _opening_in_tray(dice: list[SeenDie], doubts: Sequence[SeenDoubt], rules: RuleSet) -> Throw:
    """Both players' dice in one tray: nobody sees which is whose, so that different numbers are asked about."""
    dice = _without_noise(dice, doubts)
    if len(dice) != 2:
        return Throw(Verdict.WAIT)
    both = tuple(sorted(dice, key=lambda die: -(die.value or 0)))
    clear = not any(_doubt_about(die, doubts) or die.value is None for die in both)
    bad = next((die for die in both if not rests_well(die, rules)), None)
    if clear and bad is not None:
        return Throw(Verdict.VOID, None, both, fault(bad, Seat.NEAR, rules))
    if clear and both[0].value == both[1].value:
        return Throw(Verdict.VALID, None, both)
    rolls = _rolls(both, doubts)
    return Throw(Verdict.UNSURE, None, both, rolls=tuple(dict.fromkeys(r for a, b in rolls for r in ((a, b), (b, a)))))


def _only_sure(dice: list[SeenDie], doubts: Sequence[SeenDoubt]) -> list[SeenDie]:
    """The one of ``dice`` that the reader stands by; all of them where that is not just one."""
    sure = list(believed(dice, doubts))
    return sure if len(sure) == 1 else dice


def believed(dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt]) -> Dice:
    """The dice that the reader stands by."""
    return tuple(die for die in dice if die.confidence >= NOISE and _doubt_about(die, doubts) is None)


def showing(dice: Sequence[SeenDie], roll: Roll) -> Dice:
    """Those of ``dice``, the surest first, that show the roll; all of two."""
    if len(dice) <= 2:
        return tuple(dice)
    found: list[SeenDie] = []
    for value in roll:
        left = [die for die in dice if die.value == value and die not in found]
        found += sorted(left, key=lambda die: -die.confidence)[:1]
    return tuple(found)


def numbered(dice: Sequence[SeenDie], roll: tuple[int, ...]) -> Dice:
    """Those of ``dice``, in their order, that show the roll: at most one for each of its numbers."""
    wanted, found = list(roll), []
    for die in dice:
        if die.value in wanted:
            wanted.remove(die.value)
            found.append(die)
    return tuple(found)


def roll_of(dice: Sequence[SeenDie]) -> Roll | None:
    """The numbers on two dice, in their order; None where there are not two, or one was not read."""
    return both_read(_values(dice))


def same_numbers(one: Iterable[int | None], other: Iterable[int | None]) -> bool:
    """Whether dice show the same, whichever of them which; one that was not read (None) shows what another that was not does."""
    return sorted(value or 0 for value in one) == sorted(value or 0 for value in other)


def other_numbers(state: MatchState, values: Iterable[int | None]) -> bool:
    """Whether ``values``, what two dice show, are not those of the roll that is being played."""
    return not same_numbers(values, state.dice or ())


def still_there(known: Sequence[SeenDie], dice: Sequence[SeenDie]) -> int:
    """How many of the ``known`` dice lie where they lay."""
    return sum(any(same_die(k, die) for die in dice) for k in known)
