"""Dice that lie elsewhere than they lay and were not thrown: the board was bumped, or a hand brushed them aside.

Remembered dice are known by where they lie in the picture; here they are followed, so that none of them becomes a throw. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import hypot, inf

from referee.match.arbiter.memory import Memory, TurnMemory
from referee.match.arbiter.settle import AWAY, Dice, Runs, Sight, same_place
from referee.match.arbiter.throws import roll_of, same_numbers
from referee.observations import Half, Reading, SeenDie

Place = tuple[float, float]
"""In the picture, px."""

NUDGED = 30.0
"""px: a die of the same value this near to where one is missing is that one, brushed aside; a throw hardly ever lands so."""
TOGETHER = 3.0
"""px: dice that all moved this nearly alike were moved with the board. No limit is set to how far: two dice that are thrown again
do not show the same numbers at the same distance and angle from each other."""


def displaced(memory: Memory, sight: Sight, idle: Half | None) -> Memory:
    """The memory with its dice where they lie now. ``idle``: the half into which nobody throws at the moment."""
    if sight.dice is None:
        return memory
    shift = _shift(memory.lay, sight.dice)
    if shift is not None and hypot(*shift) <= TOGETHER:
        return memory  # they lie as they lay, read a little differently
    known = _placed(memory, partial(_by, shift)) if shift is not None else replace(memory, turn=_nudged(memory.turn, sight.dice, idle))
    turn = _slid(known.turn, sight.dice, memory.runs.recent)
    return replace(known, turn=turn, lay=memory.lay if not sight.dice and sight.hidden else sight.dice)


def _shift(before: Dice, now: Dice) -> tuple[float, float] | None:
    """How far all dice have moved together, in px. None for a single die: a like one elsewhere may have been thrown."""
    was, here = (sorted(dice, key=_likeness) for dice in (before, now))
    if len(here) < 2 or [_likeness(die)[:-1] for die in was] != [_likeness(die)[:-1] for die in here]:
        return None
    steps = [(b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]) for a, b in zip(was, here, strict=True)]
    x, y = (sum(axis) / len(steps) for axis in zip(*steps, strict=True))
    return (x, y) if all(hypot(dx - x, dy - y) <= TOGETHER for dx, dy in steps) else None


def _by(step: Place, place: Place) -> Place:
    return place[0] + step[0], place[1] + step[1]


def _likeness(die: SeenDie) -> tuple[int, str, str, bool, tuple[float, float]]:
    return die.value or 0, die.state.value, die.half.value if die.half is not None else "", die.tray, die.centre


def seen_elsewhere(memory: Memory, to: Callable[[Place], Place]) -> Memory:
    """The memory once the board was found in another place of the picture, or by another camera: what was seen at a place is seen where
    ``to`` says from now on, and new looks tell what is settled."""
    left, latest = memory.left, memory.latest
    return replace(
        _placed(memory, to), lay=_at(memory.lay, to), left=_at(left, to) if left is not None else None,
        waiting=tuple(_look_at(reading, to) for reading in memory.waiting), latest=_look_at(latest, to) if latest is not None else None,
        runs=Runs(seen_at=memory.runs.seen_at, absent=memory.runs.absent),
    )


def _look_at(reading: Reading, to: Callable[[Place], Place]) -> Reading:
    doubts = tuple(replace(doubt, centre=to(doubt.centre)) if doubt.centre is not None else doubt for doubt in reading.doubts)
    return replace(reading, dice=_at(reading.dice, to), doubts=doubts)


def _placed(memory: Memory, to: Callable[[Place], Place]) -> Memory:
    """The memory with the dice of the turn, and those that were asked about, where ``to`` says."""
    was, asked = memory.turn, memory.asked
    turn = replace(
        was, announced=_at(was.announced, to), old=_at(was.old, to), voided=_at(was.voided, to), lifted=_at(was.lifted, to),
        early=_at(was.early, to), ahead=replace(was.ahead, dice=_at(was.ahead.dice, to)), others=_at(was.others, to),
        unsure_throw=replace(was.unsure_throw, dice=_at(was.unsure_throw.dice, to)),
    )
    if isinstance(asked.of, tuple):
        asked = asked._replace(of=tuple(replace(one, centre=to(one.centre)) if isinstance(one, SeenDie) else one for one in asked.of))
    return replace(memory, turn=turn, asked=asked)


def _at(dice: Dice, to: Callable[[Place], Place]) -> Dice:
    return tuple(replace(die, centre=to(die.centre)) for die in dice)


def _nudged(turn: TurnMemory, dice: Dice, idle: Half | None) -> TurnMemory:
    """Dice of the roll and of past turns that were brushed aside lie where a like die lies now, when all that is new in their half
    are such dice. In the ``idle`` half they may have been pushed any distance."""
    new = [die for die in dice if not die.tray and not any(same_place(die, k) for k in turn.known)]
    missing = [die for die in turn.known if not die.tray and not any(same_place(die, d) for d in dice)]
    now: dict[SeenDie, SeenDie] = {}
    for half in Half if missing else ():
        here = [die for die in new if die.half is half]
        found = _found([die for die in missing if die.half is half], here, inf if half is idle else NUDGED)
        if len(found) == len(here):
            now |= found
    announced, old = (tuple(now.get(die, die) for die in kept) for kept in (turn.announced, turn.old))
    return replace(turn, announced=announced, old=old) if now else turn


def _found(missing: list[SeenDie], dice: list[SeenDie], reach: float) -> dict[SeenDie, SeenDie]:
    """For each of ``dice`` the nearest of the ``missing`` with the same value."""
    found: dict[SeenDie, SeenDie] = {}
    for die in dice:
        like = [(hypot(die.centre[0] - k.centre[0], die.centre[1] - k.centre[1]), k) for k in missing if k.value == die.value]
        near = [(far, k) for far, k in like if far <= reach and k not in found]
        if near:
            found[min(near, key=lambda pair: pair[0])[1]] = die
    return found


def _slid(turn: TurnMemory, dice: Dice, looks: tuple[Reading, ...]) -> TurnMemory:
    """Dice of the roll that were slid out of the way, or taken up and laid down again: wherever on the board they lie now, they show what
    they showed, and at no look was there neither the one nor the other. Two in the half where only the other throws may be his throw of
    the same numbers all the same: that is remembered, and nobody is charged with what he moves."""
    gone = [die for die in turn.announced if not die.tray and not any(same_place(die, d) for d in dice)]
    new = [d for d in dice if d.half is not None and not any(same_place(d, k) for k in turn.known)]
    if not gone or not same_numbers((die.value for die in gone), (die.value for die in new)):
        return turn
    later = looks[-1].captured_at if looks else 0.0
    for look in reversed(looks):
        if later - look.captured_at >= AWAY:
            return turn  # each may have had a turn meanwhile, and he has thrown the same numbers again
        later = look.captured_at
        if all(any(same_place(die, d) for d in look.dice) for die in gone):
            if any(same_place(die, d) for d in look.dice for die in new):
                return turn  # the other's throw of the same numbers, which lay beside it
            break
        if not look.hand and not all(any(same_place(die, d) for d in look.dice) for die in new):
            return turn
    else:
        return turn
    turn = replace(turn, again=roll_of(gone) or turn.again)  # or thrown again, where the other is closed out
    across = len(new) == 2 and not turn.ahead.dice and all(die.half is not known.half for die in new for known in gone)
    turn = replace(turn, announced=(*(die for die in turn.announced if die not in gone), *new))
    return replace(turn, ahead=replace(turn.ahead, dice=tuple(new), at_once=True)) if across else turn
