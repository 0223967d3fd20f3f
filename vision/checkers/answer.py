"""What the nets' answers to one picture mean: a position, as likely as the box, the bar and what is borne off make it, with its doubts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS
from referee.observations import SeenDoubt, SeenPosition
from vision.checkers.doubts import bar_doubts, point_doubts, total_doubts
from vision.checkers.input import BAR_COUNTS, COUNTS, HIDDEN
from vision.checkers.joint import weighed
from vision.checkers.off import seen_off
from vision.checkers.strips import BAR
from vision.checkers.whose import owned
from vision.nets import sigmoid, softmax

Probabilities = NDArray[np.float64]

TEMPERATURE = 0.8  # of the net's answers; best on set-ups it never saw (checkers.calibrate)
# The net is trained on full points and stacks far more often than games have them: log of how much, by size of count.
_RARER = np.array([0.5, 0, 0, 0, 0, -0.2, -0.6, -0.8, -1.2, *[-1.6] * 7])
BASE_RATES = _RARER[np.abs(np.arange(COUNTS) - CHECKERS)]
# The same of the bar's 0..5: of 35,560 in positions of 66 match records 3 lie there 0.4 %, 4 0.04 %, 5 never; of the trained ones 2 % each
BAR_RATES = np.array([0.0, 0.0, 0.0, -1.6, -3.0, -3.5])
FIRST_OF_BAR, OWN_OF_BAR = 0.4, 1.0  # of the first net's answer to the bar and its own net's, where there are both
ON_BAR = np.log([0.93, 0.055, 0.012, 0.004, 0.0004, 0.0002])  # how often games have 0..5 there; the bar's own net was shown all as often
FIRST_SHARE, CLOSER_SHARE = 0.3, 0.9  # of the two nets' answers where there are both
CLEAR = 0.35  # a strip likelier than this to be covered is in doubt
CLEAR_HAND = 0.1  # the same once a hand is in the picture
COVERED = 0.5  # likelier than this: something is over the board


@dataclass(frozen=True, eq=False)
class Answers:
    """What the nets say of one picture, before it is weighed: the first to all strips (``wide`` (25, outputs)), the second to the points
    ``again`` (n,), 0..23, that deserve its closer look (``close`` (n, outputs)), and the bar's own net (``own`` (32,)), where it was
    asked."""

    wide: Probabilities
    again: NDArray[np.int64]
    close: Probabilities
    own: Probabilities | None = None

    def counts(self) -> Probabilities:
        """The log odds (24, 31) of every signed count of the points, by both nets where both were asked."""
        logits = self.wide[:BAR, :COUNTS].copy()
        logits[self.again] = FIRST_SHARE * logits[self.again] + CLOSER_SHARE * self.close[:, :COUNTS]
        return logits

    def bar(self) -> Probabilities:
        """The same (2, 6) of what lies on the bar of either player's, by its own net too where that was asked."""
        first = self.wide[BAR, HIDDEN + 1 :].reshape(2, BAR_COUNTS) + BAR_RATES
        if self.own is None:
            return np.asarray(first / TEMPERATURE)
        own = self.own.reshape(2, CHECKERS + 1)[:, :BAR_COUNTS]
        return np.asarray(FIRST_OF_BAR * first + OWN_OF_BAR * own + (1 - FIRST_OF_BAR) * ON_BAR)


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

    @property
    def doubted(self) -> NDArray[np.bool_]:
        """Which strips (25,) there is a doubt about."""
        doubted = np.zeros(BAR + 1, bool)
        doubted[[BAR if doubt.point is None else doubt.point - 1 for doubt in self.doubts]] = True
        return doubted


def counts_likely(logits: Probabilities) -> Probabilities:
    """How likely each count (..., 31) of a point is by what a net says of it: games have some far more often than others."""
    return softmax((logits + BASE_RATES) / TEMPERATURE)


def interpret(
    answers: Answers, odds: Probabilities | None = None, off: Probabilities | None = None, apart: bool = False
) -> CheckerAnswer:
    """The nets' ``answers`` as a position with its doubts. ``odds`` (24, 31): log odds of the points' counts by their colours
    (`Whose.odds`); ``off`` (2, 16): likelihoods of what is borne off, where that was looked at; ``apart``: the nets know the players'
    colours, and these differ."""
    alone = counts_likely(answers.counts())
    bar_alone = softmax(answers.bar())
    covered = sigmoid(answers.wide[:, HIDDEN])
    hand = bool((covered > COVERED).any())
    hidden = covered > (CLEAR_HAND if hand else CLEAR)
    points, bar = weighed(alone if odds is None else owned(alone, odds), bar_alone, hidden, off)
    counts = points.argmax(1) - CHECKERS
    seen = SeenPosition(tuple(int(n) for n in counts), (int(bar[0].argmax()), int(bar[1].argmax())))
    doubts = [*point_doubts(points, alone, hidden, apart), *bar_doubts(bar, bar_alone, bool(hidden[BAR]))]
    doubts += total_doubts(seen, points, doubts)
    return CheckerAnswer(replace(seen, off=seen_off(seen, off)), tuple(doubts), hand, points, alone, covered)
