"""When enough readings agree. Vision says that the pixels are still; here a fact is believed once several readings have shown it.

A still is a settled moment by itself. On a stream dice, checkers and cube each need their own run of agreeing readings, so that
one flicker of the cube does not hold up the dice. Readings of one standing position complete each other: a point that one
of them doubts and another reads is read. Nothing here knows the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

from referee.board.position import Position, Seat
from referee.match.judge import agrees, as_seen, counts, doubted
from referee.observations import About, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition

PLACE = 10.0
"""px: two dice of the same value this near to each other in two pictures are one die that has not moved."""
ENOUGH = 2
"""Agreeing readings that make a fact on a stream."""
RECENT = 3
"""Earlier readings one of which a reading's dice must agree with (stream)."""
LOOKS = 6
"""Readings that are kept to tell what lay there a moment ago (stream)."""
AGREED = 3
"""Looks that must agree on a die for each that stands by another number on it (stream)."""
FLICKERS = 5.0
"""s after which a throw is asked about though no two looks doubt the same of it (stream)."""
CUBE_REST = 1.0
"""s the cube must rest before a double is believed (stream)."""
GONE = 0.7
"""s one die of two must be out of sight before it counts as lifted (stream): a reader may miss one for a moment."""
AT_REST = 0.4
"""s the board must be at rest before a play is called illegal (stream): at a camera's rhythm the fourth look at it."""
UNFINISHED = 0.7
"""The same (s) where the play may be going on: dice are taken up early, a checker is laid straight, or one that was hit lies beside the
bar for a moment. The fifth look, a second after the hand left; the next would be a second later."""
UNMOVED = 4.0
"""The same (s) where nothing was moved and nobody was on the bar: who overlooks no dance knows that he has a play. The dice were laid
there for him and he takes them up to throw, both call them cocked and he throws again, or he plays what he has in mind: so long it takes
to take them up, shake them and throw."""
STILL = 0.36
"""s between two looks in which a hand may have been over the board: those at a settled board follow each other sooner at first (stream)."""
AGAIN = 1.0
"""s a doubt must stand, looked at again and again, before it is asked (stream)."""
STRANGE = 3.0
"""s a position nobody can explain must stand before it is asked about (stream)."""
MISSING = 3.0
"""s one die must lie there alone before it is asked where the other is, and before the other is taken to be lifted (stream): it may be
overlooked for a moment, and whoever threw it off the board, or takes it up, knows."""
LAID = 10.0
"""s two dice must lie in the half where only the other throws before they are a throw that came down on the wrong side (stream): more often
he has laid his own there after his turn, and a throw of the right player tells so, who may take his time."""
AWAY = 5.0
"""s without sight of the whole board (stream) in which a turn may have gone by; nobody throws, plays and lifts his dice in less."""
PLAYED = 2.0
"""s without sight of the whole board in which a throw may have come to rest, and have been played."""
QUICK = 3.5
"""s after dice were last seen to lie there in which, where both are in a hurry, they may have been taken up and the other may have thrown,
played and taken up his: that his checkers moved is no proof of it, but a reason to ask."""
ROUND = 8.0
"""s without it in which each player, in a hurry, may have had a turn."""
STILL_UNSEEN = 4.0
"""s that a still in which the board is hidden stands for. A turn has two, its throw and its play: in two the other may have had his, in
three he has, and the next throw is lying there."""
KEPT = 40
"""Readings kept while a question is open."""

Dice = tuple[SeenDie, ...]
"""Dice as they lie in one picture."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of agreeing readings: how many, and when (capture time, s) the first of them was taken."""

    count: int = 0
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Sight:
    """What is settled at this reading: None where readings still disagree. ``board`` is a reading whose position and
    doubts are those of the whole run. ``dice_for``, ``board_for``: s for which they have agreed. ``hidden``: dice may lie there that this
    reading cannot show; of what is not seen nothing follows. ``absent``: s for which the board had been out of sight before it.
    ``ended``: there will be no further reading. ``disputed``: doubts about dice on which the last looks read different numbers (stream).
    ``still``: the reading is a settled moment by itself, not one of a stream."""

    reading: Reading
    dice: Dice | None
    board: Reading | None
    cube: SeenCube | None
    dice_for: float = 0.0
    board_for: float = 0.0
    hidden: bool = False
    absent: float = 0.0
    ended: bool = False
    disputed: tuple[SeenDoubt, ...] = ()
    still: bool = False

    def board_stood(self, seconds: float) -> bool:
        """Whether the board has stood so for so many ``seconds``; of a still that is taken for granted."""
        return self.still or self.board_for >= seconds

    def dice_lain(self, seconds: float) -> bool:
        """The same of the dice."""
        return self.still or self.dice_for >= seconds

    def shows(self, position: Position) -> bool:
        """Whether the settled board agrees with ``position`` on all that is not in doubt."""
        return self.board is not None and agrees(self.board, position)

    @property
    def die_doubts(self) -> tuple[SeenDoubt, ...]:
        return (*(doubt for doubt in self.reading.doubts if doubt.about is About.DIE), *self.disputed)


@dataclass(frozen=True, slots=True)
class Runs:
    """The readings so far, as far as they tell what is settled. ``last``: the one before; ``recent``: the last few; ``dice_since``:
    since when (capture time, s) the dice lie so; ``board_run``, ``cube_run``: those of board and cube. ``board``: what the readings of the
    board's run show together. ``seen_at``: when the whole board was last in sight (stream); ``absent``: s that the stills since then stand
    for."""

    last: Reading | None = None
    recent: tuple[Reading, ...] = ()
    dice_since: float = 0.0
    board_run: Run = Run()
    cube_run: Run = Run()
    board: Reading | None = None
    seen_at: float = 0.0
    absent: float = 0.0


def same_place(a: SeenDie, b: SeenDie) -> bool:
    """One die that has not moved between two pictures, whatever was read on it."""
    return hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]) <= PLACE


def points_at(doubt: SeenDoubt, die: SeenDie) -> bool:
    """Whether a doubt is about this very die."""
    at = doubt.centre
    return at is not None and hypot(at[0] - die.centre[0], at[1] - die.centre[1]) <= 2 * PLACE


def same_die(a: SeenDie, b: SeenDie) -> bool:
    """The same, and it was read alike."""
    return a.value == b.value and same_place(a, b)


def without(dice: Dice, known: Dice) -> Dice:
    """``dice`` that are none of the ``known``, each known one standing for one die."""
    left = list(known)
    found = []
    for die in dice:
        match = next((k for k in left if same_die(die, k)), None)
        if match is None:
            found.append(die)
        else:
            left.remove(match)
    return tuple(found)


def same_dice(a: Dice, b: Dice) -> bool:
    """As many dice, each of which is one that has not moved."""
    return len(a) == len(b) and not without(a, b)


def _same_rest(a: Reading, b: Reading) -> bool:
    """The dice of two readings lie alike and are judged alike."""
    return same_dice(a.dice, b.dice) and sorted(d.state.value for d in a.dice) == sorted(d.state.value for d in b.dice)


def look(runs: Runs, reading: Reading, stills: bool = False) -> tuple[Runs, Sight]:
    """Takes in one reading: the runs with it, and what is settled now. ``stills``: it is a settled moment by itself."""
    return _look_at_still(runs, reading) if stills else _look_at_stream(runs, reading)


def _look_at_still(runs: Runs, reading: Reading) -> tuple[Runs, Sight]:
    """The same of a still: all of it is settled, but what it doubts of the cube."""
    hidden, cube = _dice_hidden(reading, stills=True), None if _doubts_cube(reading) else reading.cube
    looks = runs.cube_run.count + 1 if _same_cube(runs.last, reading) else 1
    sight = Sight(reading, reading.dice, reading, cube, hidden=hidden, absent=runs.absent, still=True)
    absent = runs.absent + STILL_UNSEEN if hidden else 0.0
    return replace(runs, last=reading, cube_run=Run(looks, reading.captured_at), absent=absent), sight


def _look_at_stream(runs: Runs, reading: Reading) -> tuple[Runs, Sight]:
    """The same of one of a stream: dice, board and cube are settled each by its own run of readings that agree."""
    last, now, first, hidden = runs.last, reading.captured_at, Run(1, reading.captured_at), _dice_hidden(reading, stills=False)
    dice_since = runs.dice_since if last and _same_rest(last, reading) else now
    cube_run = replace(runs.cube_run, count=runs.cube_run.count + 1) if _same_cube(last, reading) else first
    board, board_run = _follow(runs, reading, first)
    agreed = any(_same_rest(earlier, reading) for earlier in runs.recent[-RECENT:])
    disputed = _disputed(reading, runs.recent)
    sight = Sight(
        reading,
        reading.dice if agreed and not reading.hand else None,
        board if board_run.count >= ENOUGH else None,
        reading.cube if now - cube_run.since >= CUBE_REST else None,
        now - dice_since,
        now - board_run.since,
        hidden,
        now - runs.seen_at,
        disputed=disputed,
    )
    recent, seen_at = (*runs.recent, reading)[-LOOKS:], runs.seen_at if hidden else now
    return Runs(reading, recent, dice_since, board_run, cube_run, board, seen_at), sight


def _same_cube(last: Reading | None, reading: Reading) -> bool:
    """Whether a reading shows the cube as the one before it did, and does not doubt that."""
    return last is not None and last.cube == reading.cube and not _doubts_cube(reading)


def _disputed(reading: Reading, recent: tuple[Reading, ...]) -> tuple[SeenDoubt, ...]:
    """Doubts about dice that flicker: of the last looks at one that has not moved some read another number on it, or doubt its own, and
    fewer than `AGREED` times as many read this one and stand by it."""
    found = []
    for die in reading.dice:
        since = _since_it_came(die, (*recent, reading))
        looks = [(seen, _number_doubts(seen, one)) for one in since for seen in one.dice if same_place(seen, die)]
        sure = [seen.value == die.value for seen, unsure in looks if not unsure]
        if all(sure) and len(sure) == len(looks):
            continue
        if sum(sure) < max(ENOUGH, AGREED * sure.count(False)):
            values = (v for seen, unsure in looks for v in (seen.value, *(n for doubt in unsure for n in doubt.values)))
            found.append(SeenDoubt(About.DIE, "value", "", centre=die.centre, values=tuple(dict.fromkeys(v for v in values if v))))
    return tuple(found)


def _since_it_came(die: SeenDie, looks: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Those of the ``looks`` since ``die`` came to lie there: what lay in its place before that was last seen empty was another."""
    empty = 0
    for place in range(len(looks) - 1, -1, -1):
        look = looks[place]
        empty = 0 if look.hand or any(same_place(seen, die) for seen in look.dice) else empty + 1
        if empty == ENOUGH:  # the reader overlooks a die for a moment
            return looks[place:]
    return looks


def _number_doubts(die: SeenDie, reading: Reading) -> list[SeenDoubt]:
    """The doubts about the number that is read on ``die``."""
    return [doubt for doubt in reading.doubts if doubt.about is About.DIE and doubt.code == "value" and points_at(doubt, die)]


def _follow(runs: Runs, reading: Reading, first: Run) -> tuple[Reading | None, Run]:
    if reading.hand or reading.position is None:
        return None, Run()
    # When dice come or go, hands have been at the board: what was read before says nothing about a point in doubt now.
    if runs.board is not None and same_dice(runs.board.dice, reading.dice):
        both = combine(runs.board, reading)
        if both is not None:
            run, now = runs.board_run, reading.captured_at
            return both, Run(run.count + 1, now if _moved_between(runs, now) else run.since)
    for earlier in reversed(runs.recent[-RECENT:]):  # one look that contradicts does not undo those on either side of it
        both = combine(earlier, reading) if same_dice(earlier.dice, reading.dice) and not earlier.hand else None
        if both is not None:
            return both, Run(ENOUGH, reading.captured_at)
    return reading, first


def _moved_between(runs: Runs, now: float) -> bool:
    """Whether a hand was over the board since the look before, though nothing has changed: its rest begins anew. Where the looks are
    always as far apart the reader is slow."""
    times = [reading.captured_at for reading in runs.recent[-runs.board_run.count :][-2:]]
    if len(times) < 2 or times[1] - runs.board_run.since >= UNFINISHED:
        return False
    return now - times[1] > STILL >= times[1] - times[0]


def _doubts_cube(reading: Reading) -> bool:
    return any(doubt.about in (About.CUBE, About.PICTURE) for doubt in reading.doubts)


def combine(first: Reading, second: Reading) -> Reading | None:
    """``second`` with what ``first`` read of the same standing position; None when they contradict each other.

    Only readings are put together, never a reading and a legal position.
    """
    if first.position is None or second.position is None:
        return None
    a, b = doubted(first.doubts), doubted(second.doubts)
    if a.whole or b.whole:
        return None
    here, there = dict(a.likely), dict(b.likely)
    merged = list(counts(second.position))
    likely: dict[int, frozenset[int]] = {}
    for place, (n, m) in enumerate(zip(counts(first.position), counts(second.position), strict=True)):
        if place in here and place in there:
            likely[place] = here[place] | there[place] if here[place] and there[place] else frozenset()
        elif place in here:
            if not a.allows(place, m):
                likely[place] = here[place] | {m}
        elif place in there:
            if n != m and second.captured_at - first.captured_at > STILL:
                likely[place] = there[place] | {n, m} if there[place] else frozenset()
                continue
            merged[place] = n
            if not b.allows(place, n):
                likely[place] = there[place] | {n}
        elif n != m:
            return None
    doubts = tuple(d for d in second.doubts if d.about not in (About.POINT, About.BAR)) + tuple(
        _doubt(place, values) for place, values in likely.items()
    )
    seen = SeenPosition(tuple(merged[:24]), (merged[24], merged[25]), second.position.off)
    return replace(second, position=seen, doubts=doubts)


def _doubt(place: int, values: frozenset[int]) -> SeenDoubt:
    text = " or ".join(str(abs(n)) for n in sorted(values)) or "not seen"
    if place < 24:
        return SeenDoubt(About.POINT, "count", text, point=place + 1, values=tuple(sorted(values)))
    return SeenDoubt(About.BAR, "count", text, seat=(Seat.NEAR, Seat.FAR)[place - 24], values=tuple(sorted(values)))


def _dice_hidden(reading: Reading, stills: bool) -> bool:
    """`Sight.hidden` of a ``reading``."""
    if reading.hand or reading.position is None:
        return True
    unseen = any(d.about is About.PICTURE or (d.about is About.DIE and d.centre is None) for d in reading.doubts)
    return unseen and not stills


def seen_position(sight: Sight) -> Position | None:
    """The settled position, all of it undoubted."""
    return as_seen(sight.board)
