"""Reads the dice in a picture: value, state, half, what they touch, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from referee.observations import DieState, SeenDie, SeenDoubt
from vision.dice_before import A_CUBE, Before, hides
from vision.dice_crops import Look, look_at
from vision.dice_find import Spot, board_finder
from vision.dice_judge import FLAT, SURE_DIE, TILT_PLAIN, judge, place_of, top_height
from vision.dice_lean import (
    ALONE,
    CLEAR,
    HINT,
    LEGIBLE,
    RIM_POSSIBLE,
    SIZE,
    SURE_COCKED,
    Flat,
    Raised,
    at_set_up,
    by_both,
    leaning,
    present,
    standing,
    sure_flat,
)
from vision.dice_loose import read_loose
from vision.dice_read import DieView, read_dice, read_leans
from vision.dice_sides import is_a_side, may_be_a_side, side_doubts
from vision.dice_support import rim_score
from vision.dice_views import NEAR, SURE_VALUE, apart, clear_enough, in_picture, mean_view, with_hues
from vision.table import Table

PAIR, SURE_FINER = 2, 0.92  # so many plain dice are a throw: where there are none, or one is left over, the finder looks once more, finer;
# where what it finds then is a die, and its value, as surely as this, it is one (seven of 56 real dice that were missed on photographs of
# boards)
MOST, LARGE = 14, 24  # places that are read; those of larger dice, where none of the usual size is sure
POSSIBLE_DIE = 0.48  # least probability of a die with its value's (`clear_enough`)
POSSIBLE_CLEAR, POSSIBLE_CLOSE = 0.36, 0.72  # the same where nothing raised is within `CLEAR` die widths, and where something is:
# a hole between four checkers (0.6 from each) or a mark on one is taken for a die now and then, the bare field hardly ever
MARKED, MARKED_DIE = 0.4, 0.4  # the finder's score, and how likely a die at least, from which what lies on the bare field is one though no
# value shows (on 142 boards 38 dice, and nothing else)
POSSIBLE_IN_HOLE = 0.95  # in a hole between checkers, where a die hardly comes to lie and the ground looks like one
POSSIBLE_OVER = 0.8  # over a checker that was read; what stands on one is plain to see
A_CHECKER = 0.25  # so likely on a checker, beside the board: it may as well be a glint on one that was borne off
HINT_OF_DIE = 0.25  # from here on it is worth a closer look
ASIDE = (0.4, 0.0), (-0.4, 0.0), (0.0, 0.35), (0.0, -0.35)  # edges up and across
BESIDE_IT = ((1.08, 0.0, 0.06, 0.0), (0.93, 0.1, 0.0, 0.06), (1.0, -0.1, -0.06, 0.0), (1.0, 0.05, 0.0, -0.06))  # edges, lean, x, y in edges
CLOSER = 11.0  # px: a die as wide as this is looked at closer too
NO_DIE, AGREED = 0.2, 0.6  # what the closer look says of a die: 0 and 8 of 597 dice are below these, of 11 other things 3 and 8
STRONG_SPOT, UNCLEAR = 0.45, 0.6  # the finder's score of a place that is looked at from beside it too (it may have marked a side face),
# where the first look shows a die and its value less surely than this; another must be so much surer, and as sure as this, to be taken
BETTER, FAINT = 1.5, 0.15
UNUSUAL = 0.84  # a die of another size than the board's is always in doubt, unless there are two clear ones of one size:
CLEAR_LARGE, ALIKE = 0.95, 1.15  # least probability of a die and of its value; how much larger one may be than the other
LEAST_SPOT, CLEAR_SPOT = 0.2, 0.3  # the finder's score from which a place is read (of 219 dice of `photoreal` none has less, of 367 other
# places half have), and from which a die is no less likely
UNCHANGED, LITTLE_CHANGED, HARDLY_CHANGED = 0.9, 0.84, 0.7  # likeness to the set-up picture from which a place is not looked at, and which
# rules a die out that shows no value as clear as `CLEAR_LARGE`, and one that is unsure by itself. Of 799 labelled dice none is liker than
# 0.82, of 30 other things taken for dice five are
UNCHANGED_CLEAR = 0.95  # .. and one that does: grey dice where black meets white are as like as 0.9, by that edge
NOT_UPON = 2.5  # checker radii from the middle of a die, if it stood on a checker, to the nearest one's: of 17 that did all had less than 1
ORNAMENT = 0.8  # share of a rim seen about a die that set-up showed already, from which the rim is an ornament's
ORNAMENT_OF_POINTS = 0.93  # likeness of a place that a checker hid at set-up to its like at other points: 242 of 243 dice have less than
# 0.8 and one, 8 px wide, 0.91, the rings of two boards 0.96 and more
BESIDE = 0.9, 2.0  # edges between the middles of a die and of an ornament that it hides or shades in part
OF_CUBE = 1.5, 2.0  # a cube's edges in edges of a die: without the side that one may see of it and its shadow, and with them
UNCHANGED_BAR = 0.78  # the same of one by the bar: of 76 dice there none was liker than 0.75, of hinges taken for dice none less than 0.81

Likeness = Callable[[tuple[float, float], float], float]
"""``likeness(centre, edge)``: how like the set-up picture a die's place (px) is, 0 where there is none: `Before.same`."""


class DiceReader:
    """Reads dice on and about a set-up ``table``; without one, any dice in a picture of unknown scale (``half`` None)."""

    def __init__(self, table: Table | None, start: NDArray[np.uint8] | None = None) -> None:
        """``start`` (BGR uint8) is the set-up picture, when there is one: what lies there unchanged is no thrown die."""
        self._table = table
        self._before = Before(start) if start is not None else None

    def read(self, image: NDArray[np.uint8], raised: Raised | None = None) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
        """The dice in ``image`` (BGR uint8), from left to right, and doubts about them. ``raised``: where checkers stand, when that was
        read; without it any die may lean on something."""
        if self._table is None:
            return read_loose(image)
        return read_board(image, self._table, self._before, raised)


def read_board(
    image: NDArray[np.uint8], table: Table, before: Before | None, raised: Raised | None
) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
    """`DiceReader.read` of a set-up ``table``; ``before``: the set-up picture to compare with, None when there is none."""

    def likeness(centre: tuple[float, float], edge: float) -> float:
        return before.same(image, centre, edge) if before is not None else 0.0

    def as_it_was(v: DieView, others: Sequence[DieView] = ()) -> bool:
        return before is not None and _as_it_was(image, v, others, finder.find(image).cubes, table, before)

    def settles(v: DieView) -> bool:
        return _settles(v) and not as_it_was(v)

    finder, bare = board_finder(table), raised if before is not None else None
    views = _usual(image, table, likeness, finder.find(image).dice, bare)
    settled = sum(map(settles, views))
    if not settled or settled % PAIR:
        finer = _usual(image, table, likeness, [s for s in finder.finer(image).dice if not _seen_at(s, views)], bare)
        more = [v for v in finer if _sureness(v) >= SURE_FINER]
        views, settled = views + more, settled + sum(map(settles, more))
    if raised is not None and not settled:  # on small boards dice are large; but all dice of a board are of one size
        larger = _larger(image, table, likeness, raised)
        alike = _alike(larger) if before is not None else []
        size = max((v.edge for v in larger if _sureness(v) >= CLEAR_LARGE), default=0.0)
        views = [v if v.edge > size / SIZE else _unusual(v) for v in views] + alike
        views += [_unusual(v) for v in larger if v not in alike and place_of(v, table).state is not DieState.OFF_BOARD]  # borne off: glints
    closer = [_closer(image, table, v) for v in views if _possible(v, raised) and in_picture(v.centre, image)]
    views = [v for v in apart([v for v in closer if v.die > 0], alike=True) if not as_it_was(v, views)]
    known = _known(image, table, views, raised)
    alone = [v for v, (seen, _) in zip(views, known, strict=True) if not is_a_side(seen, views, table)]
    if len(alone) < len(views):  # a die that leans on nothing but its own side
        views, known = alone, _known(image, table, alone, raised)
    dice, doubts = [], []
    for i, (v, (seen, flat)) in enumerate(zip(views, known, strict=True)):
        die, doubt = judge(seen, table, views[:i] + views[i + 1 :], _rim(image, seen, table, before, raised), flat)
        dice.append(die)
        doubts += doubt
        if may_be_a_side(image, _look(v, table)):
            doubts += [d for d in side_doubts(die) if d.code not in {e.code for e in doubt}]
    return tuple(dice), tuple(doubts)


def _known(image: NDArray[np.uint8], table: Table, views: list[DieView], raised: Raised | None) -> list[tuple[DieView, Flat]]:
    """`_about` each of the ``views``, the others and how it seems to lean taken into account; where no checkers were read that alone."""
    known = []
    for i, v in enumerate(views):
        gap = 0.0 if raised is None else raised.gap(v.centre, [w.centre for w in views[:i] + views[i + 1 :]])
        lying = _lying(image, table, v, gap)
        known.append((lying, FLAT) if raised is None else _about(lying, raised, gap))
    return known


def _as_it_was(
    image: NDArray[np.uint8], v: DieView, others: Sequence[DieView], cubes: Sequence[Spot], table: Table, before: Before
) -> bool:
    """Whether the place of a view looks as it did at set-up, or where a checker hid it, as other points did; or as far as what may lie
    beside it, of ``others`` and ``cubes``, leaves it in sight, and enough pixels are left: an ornament that a die has fallen on, a hinge
    that the cube lies on. Where it hid one at set-up, and lies no more, there is nothing to compare with: only a clear die is one."""
    most = _may_look_alike(v, table)
    if _by_the_bar(v, table) and _sureness(v) < CLEAR_LARGE and before.cube_hid(v.centre, table) and not hides(cubes, v.centre):
        return True
    if before.same(image, v.centre, v.edge) >= most or before.same_elsewhere(image, table, v.centre, v.edge) >= ORNAMENT_OF_POINTS:
        return True
    things = [*((w.centre, v.edge) for w in others), *((s.centre, k * s.edge) for s in cubes if s.score >= A_CUBE for k in OF_CUBE)]
    beside = (it for it in things if BESIDE[0] < math.dist(v.centre, it[0]) / v.edge < BESIDE[1] * it[1] / v.edge)
    return v.edge >= CLOSER and any(before.same(image, v.centre, v.edge, it) >= most for it in beside)


def _rim(image: NDArray[np.uint8], v: DieView, table: Table, before: Before | None, raised: Raised | None) -> float:
    """How much of a checker's rim is seen about the die of a view, 0 where nothing else tells of a checker there, or where the set-up
    picture shows as much of one and no checker stood near then: triangles make one by chance, ornaments may have one."""
    if raised is not None and raised.upon(v.centre) > NOT_UPON and v.support[1] < HINT:
        return 0.0
    rim = rim_score(image, v.centre, table)
    if before is None or rim <= RIM_POSSIBLE:
        return rim
    at = table.camera.on_plane(np.array(v.centre), top_height(v, table))
    near = float(np.hypot(*(at_set_up(table) - at).T).min())
    ornament = near > table.measures.checker and rim_score(before.picture, v.centre, table) > ORNAMENT * rim
    return 0.0 if ornament else rim


def _seen_at(spot: Spot, views: list[DieView]) -> bool:
    """Whether a place is one of which there is a view already."""
    return any(math.dist(spot.centre, v.centre) < NEAR * v.edge for v in views)


def _usual(
    image: NDArray[np.uint8], table: Table, likeness: Likeness, found: Sequence[Spot], bare: Raised | None
) -> list[DieView]:
    """What is seen where dice of the board's usual size were ``found`` and the picture is not as it was at set-up. ``bare``: the checkers
    beside which the board is known to be bare, None where that is not known."""
    die = table.measures.die
    spots = [(s, look_at(table, s.centre, die, die)) for s in found if s.score >= LEAST_SPOT]
    fresh = [(s, look) for s, look in spots if likeness(s.centre, look.edge) < UNCHANGED]
    views = _looked_at(image, table, fresh[:MOST])
    views = [_once_more(image, table, v) if v.die > HINT_OF_DIE and not _plain(v) else v for v in views]
    alike = _alike([v for v in views if not bare.covers(v.centre)]) if bare is not None else []
    return [v if v in alike or 1 / SIZE < v.edge / _usual_edge(v, table) < SIZE else _unusual(v) for v in views]


def _larger(image: NDArray[np.uint8], table: Table, likeness: Likeness, raised: Raised) -> list[DieView]:
    """The same where larger dice may lie beside checkers: over one, its own hole or inlay is a large one."""
    die = table.measures.die
    found = (s for s in board_finder(table).larger(image) if not raised.covers(s.centre))
    spots = ((s, replace(look_at(table, s.centre, die, die), edge=s.edge)) for s in found)
    fresh = (spot for spot in spots if likeness(spot[0].centre, spot[0].edge) < UNCHANGED)
    views = [v for v in _looked_at(image, table, list(islice(fresh, LARGE))) if likeness(v.centre, v.edge) < UNCHANGED]
    return [_once_more(image, table, v) if v.die > HINT_OF_DIE and not _plain(v) else v for v in views]


def _sureness(v: DieView) -> float:
    """How surely a view shows a die and its value: the less likely of the two."""
    return min(v.die, max(v.values))


def _settles(v: DieView) -> bool:
    """Whether a view tells how large this board's dice are: it shows a die with its value, and not just a few pixels."""
    return v.die >= SURE_DIE and max(v.values) >= SURE_VALUE and v.edge >= LEGIBLE


def _unusual(v: DieView) -> DieView:
    """A view of a die of another size than the board's."""
    return replace(v, die=v.die * UNUSUAL)


def _lying(image: NDArray[np.uint8], table: Table, v: DieView, gap: float) -> DieView:
    """A view with what a larger crop tells of how the die lies, where it is on the field and ``gap`` from something it could lean on."""
    if v.edge < CLOSER or gap >= ALONE or v.support[1] > 0.5 or table.in_tray(v.centre):
        return v
    return replace(v, tilted=by_both(v.tilted, read_leans(image, _look(v, table))))


def _about(v: DieView, raised: Raised, gap: float) -> tuple[DieView, Flat]:
    """A view with what is known of what lies about the die; and what it takes to be sure that it lies flat."""
    in_tray = raised.table.in_tray(v.centre)
    die = present(v, gap, _usual_edge(v, raised.table))
    flat = sure_flat(v, gap, in_tray, raised.upon(v.centre))
    return replace(v, die=die, tilted=leaning(v, gap, in_tray), support=standing(v, gap)), flat


def _looked_at(image: NDArray[np.uint8], table: Table, spots: list[tuple[Spot, Look]]) -> list[DieView]:
    """What two looks show at each place, the second nearer; what the finder hardly saw is less likely a die."""
    first = read_dice(image, [look for _, look in spots])
    first = [_aside(image, s, look, v) for (s, look), v in zip(spots, first, strict=True)]
    keep = [(s, v) for (s, _), v in zip(spots, first, strict=True) if v.die > 0.1]
    again = read_dice(image, [_look(v, table) for _, v in keep])
    views = [(s, mean_view([v, w], w)) for (s, v), w in zip(keep, again, strict=True)]
    return [replace(v, die=v.die * min(1.0, math.sqrt(s.score / CLEAR_SPOT)), marked=s.score) for s, v in views]


def _aside(image: NDArray[np.uint8], spot: Spot, look: Look, v: DieView) -> DieView:
    """The first look ``v`` at a place, or where it shows no die though the finder is sure, the surest of four from beside it."""

    def surely(w: DieView) -> float:
        return w.die * max(w.values)

    if spot.score < STRONG_SPOT or surely(v) >= UNCLEAR:
        return v
    up = np.linalg.solve(look.upright(False), (0.0, -look.edge))
    beside = [look.centre + i * up + j * np.array([-up[1], up[0]]) for i, j in ASIDE]
    best = max(read_dice(image, [replace(look, centre=(float(x), float(y))) for x, y in beside]), key=surely)
    return best if surely(best) > max(FAINT, BETTER * surely(v)) else v


def _alike(views: list[DieView]) -> list[DieView]:
    """The clear ones among ``views`` that another is as large as."""
    clear = [v for v in views if _sureness(v) >= CLEAR_LARGE]
    return [v for v in clear if any(w is not v and 1 / ALIKE < v.edge / w.edge < ALIKE for w in clear)]


def _may_look_alike(v: DieView, table: Table) -> float:
    """How like the set-up picture the place of a view may be at most. Over and by the bar are hinges and clasps."""
    if v.die < SURE_DIE:
        return HARDLY_CHANGED
    if _by_the_bar(v, table):
        return UNCHANGED_BAR
    return UNCHANGED_CLEAR if _sureness(v) >= CLEAR_LARGE else LITTLE_CHANGED


def _by_the_bar(v: DieView, table: Table) -> bool:
    """Whether a view shows what lies on the bar or just beside it."""
    m = table.measures
    return abs(float(table.camera.on_plane(np.array(v.centre), m.bar_height)[0])) < (m.bar + m.die) / 2


def _possible(v: DieView, raised: Raised | None) -> bool:
    """Whether a view is worth reporting as a die."""
    limit = POSSIBLE_DIE
    if raised is not None:
        if raised.hole(v.centre):
            return v.die * math.sqrt(max(v.values)) >= POSSIBLE_IN_HOLE
        borne_off = v.support[1] > A_CHECKER and place_of(v, raised.table).state is DieState.OFF_BOARD
        beside = POSSIBLE_OVER if borne_off or raised.covers(v.centre) else POSSIBLE_CLOSE
        gap = raised.gap(v.centre, [])
        if gap >= 0 and v.marked >= MARKED and v.die >= MARKED_DIE:
            return True
        limit = beside if gap < CLEAR else POSSIBLE_CLEAR
    return clear_enough(v, limit)


def _plain(v: DieView) -> bool:
    """Whether there is nothing to doubt about a die but where it lies."""
    return v.die >= SURE_DIE and max(v.values) >= SURE_VALUE and not TILT_PLAIN < v.tilted < SURE_COCKED


def _once_more(image: NDArray[np.uint8], table: Table, v: DieView) -> DieView:
    """The mean of what two looks showed and of four more from a little beside them."""
    look = _look(v, table)
    x, y = look.centre
    looks = [replace(look.turned(a), edge=k * v.edge, centre=(x + i * v.edge, y + j * v.edge)) for k, a, i, j in BESIDE_IT]
    return mean_view([v, v, *read_dice(image, looks)], v)


def _closer(image: NDArray[np.uint8], table: Table, v: DieView) -> DieView:
    """What was seen of a die, and where the picture shows it large enough the mean of that and a closer look. Whether it is one the first
    net says; what the closer look hardly takes for a die is less likely one, or none (0). Where its value is in doubt its hues are
    looked at."""
    if v.edge < CLOSER:
        return v
    look = _look(v, table)
    near = read_dice(image, [look], close=True)[0]
    share = 1.0 if near.die >= AGREED else near.die if near.die >= NO_DIE else 0.0
    seen = replace(mean_view([v, near], v), die=v.die * share)
    if not share or max(seen.values) >= SURE_VALUE:
        return seen
    return with_hues(seen, [v, near], read_dice(image, [look], close=True, hues=True))


def _look(v: DieView, table: Table) -> Look:
    """Where to look once more at the die of a view: at its own centre and size, on a checker where it seems to stand on one."""
    return replace(look_at(table, v.centre, top_height(v, table), table.measures.die), edge=v.edge)


def _usual_edge(v: DieView, table: Table) -> float:
    """The edge (px) of this board's dice where a view lies."""
    die = table.measures.die
    return look_at(table, v.centre, die, die).edge
