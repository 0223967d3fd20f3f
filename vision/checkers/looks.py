"""Which strips of a picture the nets are asked about, how often and from how near: all once, stacks and what is in doubt more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS
from vision.checkers.answer import CLEAR_HAND, Answers, CheckerAnswer, counts_likely
from vision.checkers.input import COUNTS, HIDDEN
from vision.checkers.memory import Memory, Outputs
from vision.checkers.net import CountLook, PointsLook
from vision.checkers.strips import BAR, Image
from vision.nets import sigmoid, softmax

STACK = 5  # counts from this on get the closer look
SMALLEST = 4  # and from this on when less likely than `PLAIN`
PLAIN = 0.97
MOST_CLOSE = 8  # points that get it
BARE = 0.99  # a bar less likely to be bare than this gets its own
UNCHANGED, WITHIN, BLUR = 20.0, 95, 5  # levels of 255 by which the middle of a strip, blurred over so many px, differs from set-up's (all
# but the rest of 100 per cent) where nothing came to lie over it: of 182 strips under hands none differs by less than 35


@dataclass(frozen=True, eq=False)
class CheckerLooks:
    """The nets asked about one ``image`` and its straight ``strips``, as far as the ``memory`` does not know their answers, which are (n,
    outputs); ``around`` as in `PointsLook.answers_around`."""

    wide: PointsLook
    close: PointsLook
    bar: CountLook
    lookup: Image
    image: NDArray[Any]
    strips: Image
    memory: Memory

    def first(self) -> Answers:
        """What they say at first."""
        wide = self._wide(np.arange(BAR + 1))
        again = look_again(wide)
        answers = Answers(wide, again, self._close(again))
        return answers if softmax(answers.bar())[:, 0].min() > BARE else replace(answers, own=self._bar())

    def more(self, answers: Answers, answer: CheckerAnswer) -> Answers:
        """The ``answers`` of which an ``answer`` was made, with more looks where it is in doubt. Under a hand much is, and will be seen
        soon: there only counts are looked at more closely."""
        wide, again, close = answers.wide.copy(), answers.again, answers.close.copy()
        doubted = np.flatnonzero(answer.doubted)
        if not answer.hand and len(doubted):
            wide[doubted] = _with_around(wide[doubted], self._wide(doubted, around=True))
            few = np.setdiff1d(doubted[doubted < BAR], again)[:MOST_CLOSE]  # no stacks, but the closer look may tell whose they are
            again, close = np.concatenate([again, few]), np.concatenate([close, self._close(few)])
        counts = [doubt.point - 1 for doubt in answer.doubts if doubt.code == "count" and doubt.point is not None]
        unsure = np.flatnonzero(np.isin(again, counts))
        if len(unsure):
            close[unsure] = _with_around(close[unsure], self._close(again[unsure], around=True))
        return Answers(wide, again, close, self._bar())

    def _bar(self) -> Outputs:
        """The answer (32,) of the net that looks at the bar alone."""
        (answer,) = self.memory.answers("bar", np.array([BAR]), lambda _: self.bar.answer(self.image, self.lookup)[None])
        return np.asarray(answer)

    def _wide(self, which: NDArray[np.int64], around: bool = False) -> Outputs:
        """The first net's answers to the strips ``which``."""
        ask = self.wide.answers_around if around else self.wide.answers
        answers = self.memory.answers(f"wide{around}", which, lambda fresh: ask(fresh, self.strips[fresh], self.lookup))
        for answer, strip in zip(answers, which, strict=True):
            if sigmoid(answer[HIDDEN]) > CLEAR_HAND and self._as_at_set_up(strip):
                answer[HIDDEN] = -np.inf  # a lamp's glare looks like something over the board; but it was there before
        return answers

    def _as_at_set_up(self, strip: int) -> bool:
        """Whether the ``strip`` (0..24) shows in its middle, where its checkers lie, what it showed at set-up."""
        if self.wide.start is None:
            return False
        now, then = (cv2.blur(strips[strip].astype(np.float32), (BLUR, BLUR)) for strips in (self.strips, self.wide.start))
        quarter = now.shape[1] // 4
        change = np.abs(now - then).max(-1)[:, quarter:-quarter]
        return float(np.percentile(change, WITHIN)) < UNCHANGED

    def _close(self, points: NDArray[np.int64], around: bool = False) -> Outputs:
        """The second net's, to the ``points`` (0..23) as it sees them."""
        ask, cut = (self.close.answers_around if around else self.close.answers), self.close.cutter.cut
        return self.memory.answers(f"close{around}", points, lambda fresh: ask(fresh, cut(self.image, fresh), self.lookup))


def _with_around(plain: NDArray[np.float64], around: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of answers (n, outputs) to a strip as it is and, as their mean, of three `PointsLook.answers_around`."""
    return (plain + 3 * around) / 4


def look_again(raw: Outputs) -> NDArray[np.int64]:
    """The points (0..23) that deserve the closer look by the first net's answers (25, outputs): stacks, and what it is not sure of."""
    likely = counts_likely(raw[:BAR, :COUNTS])
    best = likely.max(1)
    size = np.abs(likely.argmax(1) - CHECKERS)
    wanted = (size >= STACK) | ((best < PLAIN) & (size >= SMALLEST))
    order = np.argsort(best)
    return np.sort(order[wanted[order]][:MOST_CLOSE])
