"""Reads the checkers of a still picture: colour and count of every point and the bar, with honest doubt.

Every point is cut out as a straight strip and a small net says how likely each count of each colour is, and whether
something is in the way. What the rules allow, or what stood there before, is never asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, START, Seat
from referee.observations import About, SeenDoubt, SeenPosition
from vision.checkers_bar import beyond_doubt, compared, new_bodies, room_for, whose, with_bodies
from vision.checkers_colours import learn_palette, likeness_table, plain_palette
from vision.checkers_input import BAR_COUNTS, COUNTS, HIDDEN
from vision.checkers_joint import weighed
from vision.checkers_memory import Memory
from vision.checkers_net import CLOSE_MODEL, OFF_MODEL, WIDE_MODEL, OffLook, PointsLook
from vision.checkers_off import likelihoods, seen_off
from vision.checkers_strips import BAR, CLOSE, OFF, WIDE, Image
from vision.checkers_total import total_doubts
from vision.checkers_whose import learn_whose
from vision.colours import LAYER
from vision.nets import sigmoid, softmax
from vision.set_up_light import SetUpLight
from vision.table import Table

Probabilities = NDArray[np.float64]

TEMPERATURE = 0.8  # of the net's answers; best on set-ups it never saw (checkers_calibrate)
# The net is trained on full points and stacks far more often than games have them: log of how much, by size of count.
_RARER = np.array([0.5, 0, 0, 0, 0, -0.2, -0.6, -0.8, -1.2, *[-1.6] * 7])
BASE_RATES = _RARER[np.abs(np.arange(COUNTS) - CHECKERS)]
# The same of the bar's 0..5: of 35,560 in positions of 66 match records 3 lie there 0.4 %, 4 0.04 %, 5 never; of the trained ones 2 % each
BAR_RATES = np.array([0.0, 0.0, 0.0, -1.6, -3.0, -3.5])
SURE = 0.96  # a count less likely than this is in doubt
OWN = 0.1  # the same by the strip itself, whatever the other points make of it
STACK = 5  # counts from this on get the closer look
SMALLEST = 4  # and from this on when less likely than `PLAIN`
PLAIN = 0.97
MOST_CLOSE = 8  # points that get it
FIRST_SHARE, CLOSER_SHARE = 0.3, 0.9  # of the two nets' answers where there are both
CLEAR = 0.35  # a strip likelier than this to be covered is in doubt
CLEAR_HAND = 0.1  # the same once a hand is in the picture
COVERED = 0.5  # likelier than this: something is over the board
UNCHANGED, WITHIN, BLUR = 20.0, 95, 5  # levels of 255 by which the middle of a strip, blurred over so many px, differs from set-up's (all
# but the rest of 100 per cent) where nothing came to lie over it: of 182 strips under hands none differs by less than 35
LIKELY = 0.03  # counts at least this likely are named in a doubt


@dataclass(frozen=True, eq=False)
class CheckerAnswer:
    """What was read. ``probabilities`` (24, 31): of signed count -15..15 on near's points 1..24, ``alone`` the same by each strip itself,
    whatever the others show; ``covered`` (25,): how likely something hides a point or (last) the bar. ``hand``: something is over the
    board."""

    position: SeenPosition
    doubts: tuple[SeenDoubt, ...]
    hand: bool
    probabilities: Probabilities
    alone: Probabilities
    covered: Probabilities


class CheckerReader:
    """Reads one table. ``start_image`` (BGR) is a picture of ``start`` (by default the starting position) taken with
    ``table``, with nothing on the bar if that was ``bare``; without it only the two colours of ``table`` are known, and there will be
    more doubt."""

    def __init__(
        self, table: Table, start_image: NDArray[Any] | None = None, start: tuple[int, ...] = START.points, bare: bool = True
    ) -> None:
        self.table = table
        known = start_image is not None and any(n > 0 for n in start) and any(n < 0 for n in start)
        picture = self._fitted(start_image) if start_image is not None and known else None
        self._wide = PointsLook(WIDE_MODEL, WIDE, table, picture, start)
        self._close = PointsLook(CLOSE_MODEL, CLOSE, table, picture, start)
        self._off = OffLook(OFF_MODEL, OFF, table, picture if start == START.points else None, ())
        seen = self._wide.start
        palette = plain_palette(table.near_rgb, table.far_rgb) if seen is None else learn_palette(seen, start)
        self._lookup = likeness_table(palette)
        self._whose = learn_whose(seen, start) if seen is not None else None
        self._bare = bare
        self._light = SetUpLight.of(table, picture) if picture is not None else None
        self._memory = Memory()

    def moved(self, table: Table) -> CheckerReader:
        """The same reader, with all it has learned, for the board at its new place in the picture."""
        other = object.__new__(CheckerReader)
        other.__dict__.update(self.__dict__)
        other.table = table
        other._wide, other._close, other._off = self._wide.moved(table), self._close.moved(table), self._off.moved(table)
        other._light = None if self._light is None else self._light.moved(table)
        other._memory = Memory()
        return other

    def _fitted(self, image: NDArray[Any]) -> NDArray[Any]:
        size = self.table.camera.size
        if (image.shape[1], image.shape[0]) != tuple(size):
            return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
        return image

    def read(self, image: NDArray[Any], stream: bool = False) -> CheckerAnswer:
        """Reads a settled picture (h, w, 3) BGR of this table. In a ``stream`` of them, strips that were plainly read twice and have not
        changed since are not looked at again."""
        image = self._fitted(image)
        start = self._wide.start
        image = image if self._light is None else self._light.restored(image)
        strips = self._wide.cutter.cut(image)
        wide = self.table.measures.bar / self.table.measures.checker
        bar = compared(strips[BAR], start[BAR], wide) if start is not None else None
        bodies = new_bodies(bar)
        owners = tuple(whose(body, self.table.near_rgb, self.table.far_rgb) for body in bodies)
        certain = beyond_doubt(bodies, self.table.near_rgb, self.table.far_rgb)
        room = room_for(bar if self._bare else None)
        memory = self._memory if stream else Memory()
        if stream:
            memory.see(strips)
        looks = _Looks(self._wide, self._close, self._lookup, image, strips, memory)
        raw = looks.wide(np.arange(BAR + 1))
        again = look_again(raw)
        closer = looks.close(again)
        odds = self._whose.odds(strips) if self._whose is not None else None
        answer = interpret(raw, again, closer, owners, certain, odds=odds, room=room)
        raw, again, closer = _with_more_looks(looks, answer, raw, again, closer)
        if answer.doubts or answer.position.off != (0, 0):
            off = likelihoods(self._off.answer(image, self._lookup), 1 - float(self._off.cutter.inside.mean()))
            answer = interpret(raw, again, closer, owners, certain, off, odds, room)
        if stream:
            memory.keep(_doubted(answer))
        return answer


@dataclass(frozen=True, eq=False)
class _Looks:
    """The nets asked about one ``image`` and its straight ``strips``, as far as the ``memory`` does not know their answers, which are (n,
    outputs); ``around`` as in `PointsLook.answers_around`."""

    first: PointsLook
    closer: PointsLook
    lookup: Image
    image: NDArray[Any]
    strips: Image
    memory: Memory

    def wide(self, which: NDArray[np.int64], around: bool = False) -> Probabilities:
        """The first net's answers to the strips ``which``."""
        ask = self.first.answers_around if around else self.first.answers
        answers = self.memory.answers(f"wide{around}", which, lambda fresh: ask(fresh, self.strips[fresh], self.lookup))
        for answer, strip in zip(answers, which, strict=True):
            if sigmoid(answer[HIDDEN]) > CLEAR_HAND and self._as_at_set_up(strip):
                answer[HIDDEN] = -np.inf  # a lamp's glare looks like something over the board; but it was there before
        return answers

    def _as_at_set_up(self, strip: int) -> bool:
        """Whether the ``strip`` (0..24) shows in its middle, where its checkers lie, what it showed at set-up."""
        if self.first.start is None:
            return False
        now, then = (cv2.blur(strips[strip].astype(np.float32), (BLUR, BLUR)) for strips in (self.strips, self.first.start))
        quarter = now.shape[1] // 4
        change = np.abs(now - then).max(-1)[:, quarter:-quarter]
        return float(np.percentile(change, WITHIN)) < UNCHANGED

    def close(self, points: NDArray[np.int64], around: bool = False) -> Probabilities:
        """The second net's, to the ``points`` (0..23) as it sees them."""
        ask, cut = (self.closer.answers_around if around else self.closer.answers), self.closer.cutter.cut
        return self.memory.answers(f"close{around}", points, lambda fresh: ask(fresh, cut(self.image, fresh), self.lookup))


def _with_more_looks(
    looks: _Looks, answer: CheckerAnswer, raw: Probabilities, again: NDArray[np.int64], closer: Probabilities
) -> tuple[Probabilities, NDArray[np.int64], Probabilities]:
    """The answers ``raw`` and, at the points ``again``, ``closer``, of which ``answer`` was made, with more looks where it is in doubt.
    Under a hand much is, and will be seen soon: there only counts are looked at more closely."""
    if not answer.hand:
        doubted = np.flatnonzero(_doubted(answer))
        if len(doubted):
            raw = raw.copy()
            raw[doubted] = _with_around(raw[doubted], looks.wide(doubted, around=True))
            few = np.setdiff1d(doubted[doubted < BAR], again)[:MOST_CLOSE]  # no stacks, but the closer look may tell whose they are
            closer = np.concatenate([closer, looks.close(few)])
            again = np.concatenate([again, few])
    counts = {doubt.point for doubt in answer.doubts if doubt.code == "count"}
    unsure = [k for k, p in enumerate(again) if p + 1 in counts]
    if unsure:
        closer[unsure] = _with_around(closer[unsure], looks.close(again[unsure], around=True))
    return raw, again, closer


def _with_around(plain: NDArray[np.float64], around: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of answers (n, outputs) to a strip as it is and, as their mean, of three `PointsLook.answers_around`."""
    return (plain + 3 * around) / 4


def _doubted(answer: CheckerAnswer) -> NDArray[np.bool_]:
    """Which strips (25,) there is a doubt about."""
    doubted = np.zeros(BAR + 1, bool)
    doubted[[BAR if doubt.point is None else doubt.point - 1 for doubt in answer.doubts]] = True
    return doubted


def look_again(raw: Probabilities) -> NDArray[np.int64]:
    """The points (0..23) that deserve the closer look by the first net's answers (25, outputs): stacks, and what it is not sure of."""
    likely = softmax((raw[:BAR, :COUNTS] + BASE_RATES) / TEMPERATURE)
    best = likely.max(1)
    size = np.abs(likely.argmax(1) - CHECKERS)
    wanted = (size >= STACK) | ((best < PLAIN) & (size >= SMALLEST))
    order = np.argsort(best)
    return np.sort(order[wanted[order]][:MOST_CLOSE])


def interpret(
    raw: Probabilities,
    again: NDArray[np.int64],
    closer: Probabilities,
    owners: tuple[int | None, ...] = (),
    certain: bool = False,
    off: Probabilities | None = None,
    odds: Probabilities | None = None,
    room: Probabilities | float = 1.0,
) -> CheckerAnswer:
    """The nets' answers (25, outputs) to all strips and (n, outputs) to the points ``again`` as a position with its doubts.
    ``owners``: of what is new on the bar since set-up; ``certain``: all of that is checkers beyond doubt; ``off`` (2, 16):
    likelihoods of what is borne off; ``odds`` (24, 31): log odds of the points' counts by their colours (`Whose.odds`); ``room`` (6,)
    as `room_for`."""
    logits = raw[:BAR, :COUNTS].copy()
    logits[again] = FIRST_SHARE * logits[again] + CLOSER_SHARE * closer[:, :COUNTS]
    alone = softmax((logits + BASE_RATES) / TEMPERATURE)
    bar_alone = softmax((raw[BAR, HIDDEN + 1 :].reshape(2, BAR_COUNTS) + BAR_RATES) / TEMPERATURE) * room
    bar_alone /= bar_alone.sum(1, keepdims=True)
    if certain:
        bar_alone = with_bodies(bar_alone, alone.argmax(1) - CHECKERS, owners, certain)
    covered = sigmoid(raw[:, HIDDEN])
    hand = bool((covered > COVERED).any())
    hidden = covered > (CLEAR_HAND if hand else CLEAR)
    points, bar = weighed(alone if odds is None else _owned(alone, odds), bar_alone, hidden, off)
    counts = points.argmax(1) - CHECKERS
    if not certain:
        bar = with_bodies(bar, counts, owners, certain, off)
    seen = SeenPosition(tuple(int(n) for n in counts), (int(bar[0].argmax()), int(bar[1].argmax())))
    doubts = [*_point_doubts(points, alone, hidden), *_bar_doubts(bar, bar_alone, bool(hidden[BAR]))]
    doubts += total_doubts(seen, points, doubts)
    return CheckerAnswer(replace(seen, off=seen_off(seen, off)), tuple(doubts), hand, points, alone, covered)


def _owned(alone: Probabilities, odds: Probabilities) -> Probabilities:
    """Probabilities (24, 31) with what the log ``odds`` say of whose the checkers are; none at all stays as likely."""
    some = np.arange(COUNTS) != CHECKERS
    told = alone * np.exp(odds) * some
    return np.asarray(np.where(some, told * alone.sum(1, keepdims=True, where=some) / told.sum(1, keepdims=True), alone))


def _point_doubts(points: Probabilities, alone: Probabilities, hidden: NDArray[np.bool_]) -> Iterator[SeenDoubt]:
    """About the counts of ``points`` (24, 31), weighed among all the others, and as each strip by itself (``alone``) has them."""
    for p in range(BAR):
        values = _likely((points[p] + alone[p]) / 2, CHECKERS)
        if hidden[p]:
            yield SeenDoubt(About.POINT, "hidden", "not seen", point=p + 1, values=values)
        elif points[p].max() < SURE or alone[p, points[p].argmax()] < OWN or _a_layer_apart(alone[p], points[p]):
            yield SeenDoubt(About.POINT, "count", count_text(values), point=p + 1, values=values)


def _a_layer_apart(alone: Probabilities, weighed: Probabilities) -> bool:
    """Whether a strip by itself (31,) shows a whole layer more or less than all the others make of it: from above they look alike, and who
    was hit after he had borne some off has as many less."""
    own, told = int(alone.argmax()) - CHECKERS, int(weighed.argmax()) - CHECKERS
    return own * told > 0 and abs(own - told) == LAYER


def _bar_doubts(bar: Probabilities, alone: Probabilities, hidden: bool) -> Iterator[SeenDoubt]:
    """The same about the ``bar`` (2, 6); its last count is any from there on."""
    for seat in Seat:
        likely = bar[seat.index]
        count = int(likely.argmax())
        values = tuple(n * seat.sign for n in _likely(likely, 0))
        if hidden:
            yield SeenDoubt(About.BAR, "hidden", "not seen", seat=seat, values=values)
        elif likely.max() < SURE or alone[seat.index, count] < OWN or count == BAR_COUNTS - 1:
            yield SeenDoubt(About.BAR, "count", count_text(values), seat=seat, values=values)


def _likely(probabilities: Probabilities, zero: int) -> tuple[int, ...]:
    """The likely counts, smallest in size first; ``zero`` is the class of none."""
    order = np.argsort(-probabilities)
    kept = [int(k) for k in order[:4] if probabilities[k] >= LIKELY] or [int(order[0])]
    if len(kept) == 1:
        kept.append(int(order[1]))
    return tuple(sorted((k - zero for k in kept), key=lambda n: (abs(n), n)))


def count_text(values: tuple[int, ...]) -> str:
    """Likely signed counts in words: "4 or 5 checkers", "none or 1 of far's checkers"."""
    signs = {np.sign(v) for v in values if v}
    if len(signs) <= 1:
        words = " or ".join("none" if v == 0 else str(abs(v)) for v in values)
        return f"{words} checker{'s' if abs(values[-1]) != 1 else ''}"
    return " or ".join("none" if v == 0 else f"{abs(v)} of {'near' if v > 0 else 'far'}'s" for v in values) + " checkers"
