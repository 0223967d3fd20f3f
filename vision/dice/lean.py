"""What a die could lean or stand on: one that lies far from checkers, bar, rails and other dice cannot be cocked, nor be on a checker.

Of the labelled cocked dice none has its centre further than 1.06 die widths from the nearest raised thing; three flat dice of four have.
Of those on a checker none has it further out than 0.3 die widths within the checker's edge, of 263 flat ones none that far in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.dice.net import DieView

LEANS, ALONE = 1.05, 1.8  # die widths from a die's centre to the nearest raised thing: it may lean, it cannot
OF_LOOKS, OF_LEAN, RARER = 0.5, 0.45, 0.8  # what the looks at a die and the net that sees what it leans on count, and log odds against a
# tilt, which both were shown oftener than it is thrown
AGAINST = 4.0  # log odds against a tilt of a die that can lean on nothing; it could still lie on a crumb
OVER, BESIDE = -0.2, 0.6  # die widths: it must stand on something, it must lie beside it
WITHIN = -0.1  # die widths: nearer than this no die lies on the field, and what looks flat there is doubted
UPON, HINT = 1.25, 0.08  # checker radii, and probability of one under it: a die whose middle would be that near a checker's if it stood on
# one, and that shows so much of one, is in doubt. So are all but two of 64 dice on checkers, and none of 330 flat ones
ON_ONE, TOO_NEAR = 1.05, 0.15  # checker radii and die widths: what would stand that near a checker's middle, and has so little room to lie
# beside it: all of 20 dice on checkers, and 3 of 122 flat ones with one near
RIM_POSSIBLE, RIM_HINT = 0.4, 0.2  # how much of a rim about a die leaves it no sure flat one, and about such a die: those 20 had no less
STANDS, LIES = 2.5, 1.5  # log odds for and against a checker under it
CLEAR = 0.75  # die widths: from here on nothing raised is near
OPEN = 1.3  # log odds for a die on the bare field: of 29 unsure places there, all of 26 that were a die by 0.6 or more were one
SIZE = 1.5  # by so much a die of the board's usual size may look larger or smaller
FOR = 0.6  # log odds for a tilt of a die that touches something: of those every other one is cocked
LEVEL = 1.4  # log odds against a tilt in a tray: nothing stands there, and the net was shown leaning dice more often than they are thrown
LEGIBLE, LEGIBLE_BESIDE = 11.0, 14.0  # px: of a die less wide nobody can tell how it lies; of one with something beside it,
BY_IT = 1.3  # which is nearer than this (die widths: where a small die's middle is seen is less exact)
LEVEL_AT_MOST, LEVEL_AT_MOST_SMALL, SMALL = 0.35, 0.22, 20.0  # probability of a tilt up to which a die lies flat without a doubt; of one
# that touches something and is less wide than this (px): there a lean of 10 degrees is hardly seen
SURE_COCKED, NEVER = 0.93, 1.1  # the probability from which it is cocked without a doubt; of one by which nothing is to lean on, none


def present(v: DieView, gap: float, usual: float) -> float:
    """The probability that a view shows a die, given the ``gap``; ``usual`` (px): the edge of this board's dice there."""
    return _weighed(v.die, OPEN if gap >= CLEAR and as_large(v, usual) else 0.0)


def as_large(v: DieView, usual: float) -> bool:
    """Whether a view may show a die that is ``usual`` px wide."""
    return 1 / SIZE < v.edge / usual < SIZE


def by_both(tilted: float, leans: float) -> float:
    """The probability of a tilt by the looks at a die (``tilted``) and by what is seen of it and of what it leans on (``leans``)."""
    return _weighed(0.5, OF_LOOKS * _log_odds(tilted) + OF_LEAN * _log_odds(leans) - RARER)


def leaning(v: DieView, gap: float, in_tray: bool = False) -> float:
    """The probability that the die of a view is tilted, given the ``gap`` to what it could lean on. What the picture shows of a
    checker beside it counts more than where checkers were read."""
    if in_tray:
        return _weighed(v.tilted, -LEVEL)
    alone = min(1.0, max(0.0, (gap - LEANS) / (ALONE - LEANS))) * (1 - max(v.by_checker, v.support[1]))
    return _weighed(v.tilted, FOR if gap < LEANS else -AGAINST * alone)


@dataclass(frozen=True, slots=True)
class Flat:
    """What it takes to be sure that a die lies flat: how wide it is at least (px), how probable a tilt and how much of a checker's
    ``rim`` is about it at most; and that it does not: how probable one is at least (``cocked``). ``room``: it has room to lie there; else
    it may be a glint on what stands there."""

    edge: float = LEGIBLE
    tilted: float = LEVEL_AT_MOST
    cocked: float = SURE_COCKED
    rim: float = RIM_POSSIBLE
    room: bool = True


FLAT = Flat()  # of one that nothing is known to lie beside


def sure_flat(v: DieView, gap: float, in_tray: bool, upon: float = math.inf, wedged: bool = False) -> Flat:
    """What it takes for the die of a view, given the ``gap`` to what it could lean on, `Raised.upon` and `Raised.wedged` of it."""
    if in_tray:
        return FLAT
    if wedged or gap < WITHIN or (upon < UPON and v.support[1] > HINT):
        return Flat(tilted=0.0, room=not wedged and gap >= TOO_NEAR)
    edge = LEGIBLE_BESIDE if gap < BY_IT else LEGIBLE
    tilted = LEVEL_AT_MOST_SMALL if gap < LEANS and v.edge < SMALL else LEVEL_AT_MOST
    rim = RIM_HINT if gap < TOO_NEAR and upon < ON_ONE else RIM_POSSIBLE
    return Flat(edge, tilted, NEVER if gap >= BY_IT else SURE_COCKED, rim, gap >= TOO_NEAR)


def standing(v: DieView, gap: float) -> tuple[float, float, float]:
    """What the die of a view stands on (field, checker, bar or rail), given the same ``gap``."""
    field, checker, rail = v.support
    now = _weighed(checker, STANDS if gap < OVER else -LIES if gap > BESIDE else 0.0)
    share = (1 - now) / max(1e-9, field + rail)
    return field * share, now, rail * share


def _log_odds(probability: float) -> float:
    return math.log(max(1e-9, probability) / max(1e-9, 1 - probability))


def _weighed(probability: float, log_odds: float) -> float:
    """``probability`` with what else is known, as ``log_odds`` for it."""
    odds = probability / max(1e-9, 1 - probability) * math.exp(log_odds)
    return odds / (1 + odds)
