"""Whether what was seen is a die at all, by what lies about it: in some places it takes more than in others."""

from __future__ import annotations

from referee.observations import DieState
from vision.dice.judge import place_of
from vision.dice.lean import CLEAR
from vision.dice.net import DieView
from vision.dice.raised import Raised
from vision.dice.views import clear_enough, plainness

POSSIBLE_DIE = 0.48  # least probability of a die with its value's (`clear_enough`)
POSSIBLE_CLEAR, POSSIBLE_CLOSE = 0.36, 0.72  # the same where nothing raised is within `CLEAR` die widths, and where something is:
# a hole between four checkers (0.6 from each) or a mark on one is taken for a die now and then, the bare field hardly ever
MARKED, MARKED_DIE = 0.4, 0.4  # the finder's score, and how likely a die at least, from which what lies on the bare field is one though no
# value shows (on 142 boards 38 dice, and nothing else)
POSSIBLE_IN_HOLE = 0.95  # in a hole between checkers, where a die hardly comes to lie and the ground looks like one
POSSIBLE_OVER = 0.8  # over a checker that was read; what stands on one is plain to see
POSSIBLE_TO_BOTH = 0.45  # how likely a die, after a closer look that agrees, what lies beside checkers or none is though its value does not
# show, as on a face that the light burns out: on 100 boards six dice, and nothing else
A_CHECKER = 0.25  # so likely on a checker, beside the board: it may as well be a glint on one that was borne off


def possible(v: DieView, raised: Raised | None) -> bool:
    """Whether a view is worth reporting as a die. ``raised``: where checkers stand, None when they were not read."""
    if raised is None:
        return clear_enough(v, POSSIBLE_DIE)
    if raised.hole(v.centre):
        return plainness(v) >= POSSIBLE_IN_HOLE
    gap = raised.gap(v.centre)
    if gap >= 0 and v.marked >= MARKED and v.die >= MARKED_DIE:
        return True
    if gap >= CLEAR:
        return clear_enough(v, POSSIBLE_CLEAR)
    if raised.covers(v.centre) or _on_one_borne_off(v, raised):
        return clear_enough(v, POSSIBLE_OVER)
    return clear_enough(v, POSSIBLE_CLOSE)


def possible_to_both(v: DieView, raised: Raised | None) -> bool:
    """The same of a view that is not `possible`, after the closer look at it."""
    return raised is not None and v.die >= POSSIBLE_TO_BOTH and raised.gap(v.centre) >= 0 and not raised.hole(v.centre)


def _on_one_borne_off(v: DieView, raised: Raised) -> bool:
    return v.support[1] > A_CHECKER and place_of(v, raised.table).state is DieState.OFF_BOARD
