"""Reads dice in a picture without a board: of any size, and with no geometry to tell how they lie."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import DieState, SeenDie, SeenDoubt
from vision.dice.crops import Look
from vision.dice.find import DIE_PX, MOST_SPOTS, find
from vision.dice.net import DieView, read_dice
from vision.dice.views import SURE_VALUE, Dice, apart, clear_enough, in_picture, mean_view, sureness, unclear_value, with_hues
from vision.light import well_lit

FOUND = 0.25  # the finder's score from which a place is read
HINT = 0.15  # a die's probability from which it is read again
LEAST = 0.7  # the same from which it is looked at closer
ALL, CLEAR = 0.95, 0.6  # the same by all looks from which it is one, and the same with its value's (`clear_enough`): of 915 dice that are
# read right in half of the `tune` photographs four are lost that 0.93 would keep, of 48 things that are none six
SURE = 0.95  # the same from which its size is this picture's usual one
LEAST_SIZE = 0.4  # of the usual one: what is smaller is none
FINEST, COARSER = 1.4, 1.25  # the finder is shown the picture so large, then each time by so much smaller: a die is near its size once
LARGEST_SIDE, SMALLEST_SIDE = 4000, 48  # px it may be shown: the long side, for time and memory; the short one, where no die can be left
OWN_SIZE = (0.55, 1.8)  # of `DIE_PX`: what it finds smaller or larger is better seen at another scale
SQUEEZED = (1.0, 0.75), (1.0, 0.5625), (0.75, 1.0), (0.5625, 1.0)  # what is left of width and height where a square picture is given
# the shape back that cameras make, 4:3 or 16:9, lying or upright
MORE, TIMES = 4, 1.3  # so many more plain dice, and so many times as many, must show then
TURNED = ((1.1, 0.0), (0.92, 0.15), (1.0, -0.15))  # edges and lean of the closer looks


def read_loose(image: NDArray[np.uint8]) -> Dice:
    """Dice of any size in a picture without a board, from the top of the picture down: a die's top face lies high in its outline, so one
    that goes through outlines in this order finds each die before the neighbour that covers it. Dice of one picture are taken to be of
    like size. No camera makes square pictures: such a one was cut out, or squeezed, which shows where more dice are plain unsqueezed."""
    image = well_lit(image)
    seen = _as_it_is(image)
    if image.shape[0] != image.shape[1]:
        return seen
    best = max((_unsqueezed(image, *shape) for shape in SQUEEZED), key=_plain)
    return best if _plain(best) >= max(_plain(seen) + MORE, _plain(seen) * TIMES) else seen


def _plain(seen: Dice) -> int:
    """How many dice are read without a doubt."""
    return len(seen[0]) - len(seen[1])


def _unsqueezed(image: NDArray[np.uint8], wide: float, high: float) -> Dice:
    """What is read of the picture made ``wide`` and ``high`` times as large, in its own coordinates."""
    dice, doubts = _as_it_is(np.asarray(cv2.resize(image, None, fx=wide, fy=high, interpolation=cv2.INTER_AREA), np.uint8))

    def back(centre: tuple[float, float]) -> tuple[float, float]:
        return round(centre[0] / wide, 1), round(centre[1] / high, 1)

    return (
        tuple(replace(die, centre=back(die.centre)) for die in dice),
        tuple(replace(doubt, centre=back(doubt.centre)) if doubt.centre else doubt for doubt in doubts),
    )


def _as_it_is(image: NDArray[np.uint8]) -> Dice:
    """What is read of a well lit picture in which dice have the shape that a camera sees."""
    places = [v for v in _at_all_scales(image) if v.die > LEAST and in_picture(v.centre, image)]
    views = apart([v for v in (_closer(image, place) for place in places) if v.die >= ALL and clear_enough(v, CLEAR)])
    sure_edges = [v.edge for v in views if v.die > SURE]
    usual = float(np.median(sure_edges)) if sure_edges else 0.0
    dice: list[SeenDie] = []
    doubts: list[SeenDoubt] = []
    for v in sorted(views, key=lambda v: (v.centre[1], v.centre[0])):
        if v.edge <= LEAST_SIZE * usual:
            continue
        centre = (round(v.centre[0], 1), round(v.centre[1], 1))
        dice.append(SeenDie(v.value, DieState.FLAT, None, centre, round(sureness(v), 3), value_confidence=round(v.clear, 3)))
        if v.clear < SURE_VALUE:
            doubts.append(unclear_value(v, centre))
    return tuple(dice), tuple(doubts)


def _closer(image: NDArray[np.uint8], v: DieView) -> DieView:
    """The mean of what was seen of a die and of closer looks, where its value is in doubt that of these and of its hues."""
    looks = [Look(v.centre, v.edge * k, lean, None) for k, lean in TURNED]
    near = read_dice(image, looks, close=True)
    seen = mean_view([v, *near], v)
    if seen.die < ALL or seen.clear >= SURE_VALUE:
        return seen
    return with_hues(seen, near, read_dice(image, looks, close=True, hues=True))


def _at_all_scales(image: NDArray[np.uint8]) -> list[DieView]:
    """What is seen of dice of any size: the finder looks at the picture smaller and smaller, each time for dice of about its own size."""
    views: list[DieView] = []
    scale = min(FINEST, LARGEST_SIDE / max(image.shape[:2]))
    while scale * min(image.shape[:2]) >= SMALLEST_SIDE:
        found = [s for s in find(image, scale, FOUND, MOST_SPOTS).dice if OWN_SIZE[0] < s.edge * scale / DIE_PX < OWN_SIZE[1]]
        first = read_dice(image, [Look(s.centre, s.edge, 0.0, None) for s in found])
        views += read_dice(image, [Look(v.centre, v.edge, 0.0, None) for v in first if v.die > HINT])
        scale /= COARSER
    return views
