"""Reads the dice in a picture: value, state, half, what they touch, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.observations import About, DieState, Half, SeenDie, SeenDoubt, Touch
from vision.dice_before import Before
from vision.dice_crops import Look, look_at
from vision.dice_find import DIE_PX, MOST_SPOTS, Spot, board_finder, find
from vision.dice_lean import CLEAR, LEGIBLE, SIZE, Raised, leaning, legible, present, standing
from vision.dice_read import DieView, read_dice
from vision.dice_support import rim_score
from vision.table import Table

MOST, LARGE = 14, 5  # places that are read; those of larger dice, where none of the usual size is sure
RAIL_WIDTH = 2.2  # cm, where nothing better is known
SURE_DIE, POSSIBLE_DIE = 0.85, 0.48  # the second with the value's probability
POSSIBLE_CLEAR, POSSIBLE_CLOSE = 0.36, 0.72  # the same where nothing raised is within `CLEAR` die widths, and where something is:
# a hole between four checkers (0.6 from each) or a mark on one is taken for a die now and then, the bare field hardly ever
POSSIBLE_OVER = 0.8  # over a checker that was read; what stands on one is plain to see
A_CHECKER = 0.25  # so likely on a checker, beside the board: it may as well be a glint on one that was borne off
CERTAIN_DIE = 0.92  # from here on it is one though no value is clear: of 42 such places 41 were dice
HINT_OF_DIE = 0.25  # from here on it is worth a closer look
BESIDE_IT = ((1.08, 0.0, 0.06, 0.0), (0.93, 0.1, 0.0, 0.06), (1.0, -0.1, -0.06, 0.0), (1.0, 0.05, 0.0, -0.06))  # edges, lean, x, y in edges
CLOSER = 11.0  # px: a die as wide as this is looked at closer too
NO_DIE, AGREED = 0.2, 0.6  # what the closer look says of a die: 0 and 8 of 597 dice are below these, of 11 other things 3 and 8
UNUSUAL = 0.84  # a die of another size than the board's is always in doubt, unless there are two clear ones of one size:
CLEAR_LARGE, ALIKE = 0.95, 1.15  # least probability of a die and of its value; how much larger one may be than the other
LEAST_SPOT, CLEAR_SPOT = 0.2, 0.3  # the finder's score from which a place is read (of 219 dice of `photoreal` none has less, of 367 other
# places half have), and from which a die is no less likely
SURE_VALUE = 0.85
LOOSE_DIE, LOOSE_CLEAR, LOOSE_SIZE = 0.7, 0.6, 0.4  # without a board: least probability, the same with its value's, least size by the usual
LOOSE_SPOT, LOOSE_HINT, LOOSE_SURE = 0.25, 0.15, 0.95  # the finder's score from which a place is read, and a die's probability from which
# it is read again, and from which its size is this picture's usual one
FINEST, COARSER = 1.4, 1.5  # the finder is shown the picture so large, then each time by so much smaller
LARGEST_SIDE, SMALLEST_SIDE = 4000, 48  # px it may be shown: the long side, for time and memory; the short one, where no die can be left
OWN_SIZE = (0.55, 1.8)  # of `DIE_PX`: what it finds smaller or larger is better seen at another scale
TURNED = ((1.1, 0.0), (0.92, 0.15), (1.0, -0.15))  # edges and lean of the closer looks there
TOUCHING = 0.78  # edges between the middles of a large die and a small one that is no part of it
TILT_PLAIN, TILT_SURE_FLAT, TILTED, TILT_SURE_COCKED = 0.22, 0.35, 0.77, 0.86  # the net saw leaning dice more often than they are thrown
UNCHANGED, HARDLY_CHANGED = 0.9, 0.7  # likeness to the set-up picture that rules a die out, or one that is unsure by itself
UNCHANGED_BAR = 0.78  # the same of one by the bar: of 76 dice there none was liker than 0.75, of hinges taken for dice none less than 0.81
RIM, RIM_POSSIBLE = 0.45, 0.4  # how much of a checker's rim about a die tells that it stands on one, or makes it no surer than
RIM_UNSURE = 0.6  # this that it does not
ON_CHECKER, RIM_WITH_IT = 0.8, 0.28  # the net's probability of a checker under it that tells so too, or the rim together with an even one
SURE_FLAT, SURE_ON_IT = 0.65, 0.75  # a state less sure than this is in doubt: flat; on a checker, the bar or a rail
BY_A_DIE = 1.25  # edges between the middles of two dice that may touch

Likeness = Callable[[tuple[float, float], float], float]
"""``likeness(centre, edge)``: how like the set-up picture a die's place (px) is, 0 where there is none: `Before.same`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies by geometry: its state when it is not tilted, its half, how clear that is (0..1), what it touches."""

    state: DieState
    half: Half | None
    sure: float
    touches: tuple[Touch, ...]
    tray: bool = False


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
    image: NDArray[np.uint8], table: Table, before: Before | None, raised: Raised | None = None
) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
    """`DiceReader.read` of a set-up ``table``; ``before``: the set-up picture to compare with, None when there is none."""

    def likeness(centre: tuple[float, float], edge: float) -> float:
        return before.same(image, centre, edge) if before is not None else 0.0

    views = _usual(image, table, likeness)
    if not any(v.die >= SURE_DIE for v in views):  # on small boards dice are large; but all dice of a board are of one size
        larger = _larger(image, table, likeness, raised)
        alike = _alike(larger, raised) if before is not None and raised is not None else []
        views += [v if v in alike else _unusual(v) for v in larger]
    closer = [_closer(image, table, v) for v in views if _possible(v, raised) and _in_picture(v.centre, image)]
    views = apart([v for v in closer if v.die > 0])
    views = [v for v in views if (limit := _may_look_alike(v, table)) is None or likeness(v.centre, v.edge) < limit]
    dice, doubts = [], []
    for i, v in enumerate(views):
        others = views[:i] + views[i + 1 :]
        seen, least = (v, LEGIBLE) if raised is None else _about(v, raised, others)
        die, doubt = judge(seen, table, others, rim_score(image, v.centre, table), least)
        dice.append(die)
        doubts += doubt
    return tuple(dice), tuple(doubts)


def _usual(image: NDArray[np.uint8], table: Table, likeness: Likeness) -> list[DieView]:
    """What is seen where dice of the board's usual size may lie and the picture is not as it was at set-up."""
    die = table.measures.die
    spots = [(s, look_at(table, s.centre, die, die)) for s in board_finder(table).find(image).dice if s.score >= LEAST_SPOT]
    fresh = [(s, look) for s, look in spots if likeness(s.centre, look.edge) < UNCHANGED]
    views = _looked_at(image, table, fresh[:MOST])
    views = [_once_more(image, table, v) if v.die > HINT_OF_DIE and not _plain(v) else v for v in views]
    return [v if v.edge < SIZE * _usual_edge(v, table) else _unusual(v) for v in views]


def _larger(image: NDArray[np.uint8], table: Table, likeness: Likeness, raised: Raised | None) -> list[DieView]:
    """The same where larger dice may lie; rather beside checkers than over them."""
    die = table.measures.die
    found = sorted(board_finder(table).larger(image), key=lambda s: raised is not None and raised.covers(s.centre))[:LARGE]
    spots = [(s, replace(look_at(table, s.centre, die, die), edge=s.edge)) for s in found]
    return [v for v in _looked_at(image, table, spots) if likeness(v.centre, v.edge) < UNCHANGED]


def _unusual(v: DieView) -> DieView:
    """A view of a die of another size than the board's."""
    return replace(v, die=v.die * UNUSUAL)


def _about(v: DieView, raised: Raised, others: list[DieView]) -> tuple[DieView, float]:
    """A view with what is known of the checkers and ``others`` about the die; and how wide (px) it must be to be sure that it lies flat."""
    gap, in_tray = raised.gap(v.centre, [w.centre for w in others]), raised.table.in_tray(v.centre)
    die = present(v, gap, _usual_edge(v, raised.table))
    return replace(v, die=die, tilted=leaning(v, gap, in_tray), support=standing(v, gap)), legible(gap, in_tray)


def _looked_at(image: NDArray[np.uint8], table: Table, spots: list[tuple[Spot, Look]]) -> list[DieView]:
    """What two looks show at each place, the second nearer; what the finder hardly saw is less likely a die."""
    first = read_dice(image, [look for _, look in spots])
    keep = [(s, v) for (s, _), v in zip(spots, first, strict=True) if v.die > 0.1]
    again = read_dice(image, [_look(v, table) for _, v in keep])
    views = [(s, _mean([v, w], w)) for (s, v), w in zip(keep, again, strict=True)]
    return [replace(v, die=v.die * min(1.0, math.sqrt(s.score / CLEAR_SPOT))) for s, v in views]


def _alike(views: list[DieView], raised: Raised) -> list[DieView]:
    """The clear ones among ``views`` that another is as large as, and that lie over no checker."""
    clear = [v for v in views if min(v.die, max(v.values)) >= CLEAR_LARGE and not raised.covers(v.centre)]
    return [v for v in clear if any(w is not v and 1 / ALIKE < v.edge / w.edge < ALIKE for w in clear)]


def _may_look_alike(v: DieView, table: Table) -> float | None:
    """How like the set-up picture the place of a view may be at most; None where it need not be compared. Over and by the bar are hinges
    and clasps."""
    m = table.measures
    if v.die < SURE_DIE:
        return HARDLY_CHANGED
    return UNCHANGED_BAR if abs(float(table.camera.on_plane(np.array(v.centre), m.bar_height)[0])) < (m.bar + m.die) / 2 else None


def _possible(v: DieView, raised: Raised | None) -> bool:
    """Whether a view is worth reporting as a die."""
    limit = POSSIBLE_DIE
    if raised is not None:
        borne_off = v.support[1] > A_CHECKER and place_of(v, raised.table).state is DieState.OFF_BOARD
        beside = POSSIBLE_OVER if borne_off or raised.covers(v.centre) else POSSIBLE_CLOSE
        limit = beside if raised.gap(v.centre, []) < CLEAR else POSSIBLE_CLEAR
    return _clear_enough(v, limit)


def _clear_enough(v: DieView, limit: float) -> bool:
    """Whether it is certainly a die, or one that shows a value: what is no die shows no clear value either."""
    return v.die >= CERTAIN_DIE or v.die * math.sqrt(max(v.values)) >= limit


def _plain(v: DieView) -> bool:
    """Whether there is nothing to doubt about a die but where it lies."""
    return v.die >= SURE_DIE and max(v.values) >= SURE_VALUE and not TILT_PLAIN < v.tilted < TILT_SURE_COCKED


def _once_more(image: NDArray[np.uint8], table: Table, v: DieView) -> DieView:
    """The mean of what two looks showed and of four more from a little beside them."""
    look = _look(v, table)
    x, y = look.centre
    looks = [replace(look.turned(a), edge=k * v.edge, centre=(x + i * v.edge, y + j * v.edge)) for k, a, i, j in BESIDE_IT]
    return _mean([v, v, *read_dice(image, looks)], v)


def _closer(image: NDArray[np.uint8], table: Table, v: DieView) -> DieView:
    """What was seen of a die, and where the picture shows it large enough the mean of that and a closer look. Whether it is one the first
    net says; what the closer look hardly takes for a die is less likely one, or none (0)."""
    if v.edge < CLOSER:
        return v
    near = read_dice(image, [_look(v, table)], close=True)[0]
    share = 1.0 if near.die >= AGREED else near.die if near.die >= NO_DIE else 0.0
    return replace(_mean([v, near], v), die=v.die * share)


def judge(v: DieView, table: Table, others: list[DieView], rim: float = 0.0, least: float = LEGIBLE) -> tuple[SeenDie, list[SeenDoubt]]:
    """One die's state by geometry, the network's eye and the ``rim`` of a checker about it, with its doubts; less than ``least`` px
    wide it is never sure to lie flat."""
    centre = (round(v.centre[0], 1), round(v.centre[1], 1))
    place = place_of(v, table)
    state, sure = _lies(v, place, rim)
    half = place.half
    if state is DieState.COCKED and half is None and not place.tray:
        half = _half_of(v.centre, table)
    value, value_sure = int(np.argmax(v.values)) + 1, max(v.values)
    touches = list(place.touches)
    if any(math.dist(v.centre, w.centre) < BY_A_DIE * (v.edge + w.edge) / 2 for w in others):
        touches.append(Touch.DIE)
    by_checker = not place.tray and state in (DieState.FLAT, DieState.COCKED) and v.by_checker > 0.5
    if state is DieState.ON_CHECKER or by_checker:
        touches.append(Touch.CHECKER)
    confidence = round(min(v.die, value_sure, sure), 3)
    die = SeenDie(value, state, half, centre, confidence, tuple(dict.fromkeys(touches)), place.tray)
    return die, _doubts(v, die, sure, least)


def _lies(v: DieView, place: Place, rim: float) -> tuple[DieState, float]:
    """How the die of a view lies in its ``place``, and how sure (0..1) that is; ``rim`` as in `judge`."""
    if place.state is DieState.OFF_BOARD:
        return place.state, place.sure
    if v.tilted > TILTED:
        return DieState.COCKED, v.tilted
    if place.tray:
        return place.state, 1 - v.tilted
    if place.state is not DieState.FLAT:
        return place.state, min(place.sure, 1 - v.tilted)
    checker = v.support[1]
    if rim > RIM or checker > ON_CHECKER or (checker > 0.5 and rim > RIM_WITH_IT):
        return DieState.ON_CHECKER, max(checker, min(1.0, 2 * rim))
    return DieState.FLAT, min(place.sure, 1 - v.tilted, 1 - checker, RIM_UNSURE if rim > RIM_POSSIBLE else 1.0)


def _doubts(v: DieView, die: SeenDie, sure: float, least: float) -> list[SeenDoubt]:
    """What is in doubt about the ``die`` of a view, whose state is ``sure`` (0..1); ``least`` as in `judge`."""
    doubts = []
    if v.die < SURE_DIE:
        doubts.append(SeenDoubt(About.DIE, "presence", "this may be a die", centre=die.centre))
    if die.state is DieState.FLAT and max(v.values) < SURE_VALUE:
        doubts.append(_unclear(v, die.centre))
    if die.state is DieState.FLAT and (v.tilted > TILT_SURE_FLAT or sure < SURE_FLAT or v.edge < least):
        doubts.append(SeenDoubt(About.DIE, "state", "it may not lie flat", centre=die.centre))
    if die.state is DieState.COCKED and v.tilted < TILT_SURE_COCKED:
        doubts.append(SeenDoubt(About.DIE, "state", "it may lie flat", centre=die.centre))
    if die.state in (DieState.ON_CHECKER, DieState.ON_BAR) and sure < SURE_ON_IT:
        doubts.append(SeenDoubt(About.DIE, "state", "it may lie flat on the field", centre=die.centre))
    return doubts


def _unclear(v: DieView, centre: tuple[float, float]) -> SeenDoubt:
    """A doubt between the two likeliest values of a die."""
    best = np.argsort(v.values)[::-1][:2]
    likely = (int(best[0]) + 1, int(best[1]) + 1)
    return SeenDoubt(About.DIE, "value", f"{likely[0]} or {likely[1]}", centre=centre, values=likely)


def place_of(v: DieView, table: Table) -> Place:
    """By the ray through the top face's centre: in a tray, on the field, on the bar or a rail, or off the board.

    A die that lies on the field keeps its whole width clear of bar and rails, so its centre is half a die away from them at least.
    """
    m = table.measures
    if table.in_tray(v.centre):
        return Place(DieState.FLAT, None, 1.0, (), tray=True)
    half_w, half_h, r = m.inner[0] / 2, m.inner[1] / 2, m.die / 2
    x, y = (float(c) for c in table.camera.on_plane(np.array(v.centre), _height(v, table)))
    inside = min(half_w - abs(x), half_h - abs(y))  # of the centre, to the nearest rail
    beside = abs(x) - m.bar / 2
    bx, by = (float(c) for c in table.camera.on_plane(np.array(v.centre), m.die + m.bar_height))
    rx, ry = (float(c) for c in table.camera.on_plane(np.array(v.centre), m.die + m.rail_height))
    over_bar = abs(bx) < m.bar / 2 and abs(by) < half_h + 0.5
    out = max(abs(rx) - half_w, abs(ry) - half_h)
    half = Half.LEFT if x < 0 else Half.RIGHT
    if inside > 0.55 * r and beside > 0.55 * r:
        if v.support[2] > 0.6 and (over_bar or 0 < out < RAIL_WIDTH):
            return Place(DieState.ON_BAR, None, v.support[2], ())
        touches = []
        if beside < 1.5 * r:
            touches.append(Touch.BAR)
        if inside < 1.5 * r:
            touches.append(Touch.RAIL)
        return Place(DieState.FLAT, half, min(1.0, 0.5 + min(inside, beside) / r), tuple(touches))
    if over_bar and inside > 0:
        return Place(DieState.ON_BAR, None, min(1.0, 0.6 + (m.bar / 2 - abs(bx)) / r), (Touch.BAR,))
    if out < RAIL_WIDTH:
        return Place(DieState.ON_BAR, None, min(1.0, 0.6 + abs(min(inside, 0.0)) / r), (Touch.RAIL,))
    return Place(DieState.OFF_BOARD, None, 1.0, ())


def read_loose(image: NDArray[np.uint8]) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
    """Dice of any size in a picture without a board. Dice of one picture are taken to be of like size."""
    views = [v for v in _at_all_scales(image) if v.die > LOOSE_DIE and _in_picture(v.centre, image)]
    views = apart(views, TOUCHING)
    sure_edges = [v.edge for v in views if v.die > LOOSE_SURE]
    usual = float(np.median(sure_edges)) if sure_edges else 0.0
    dice: list[SeenDie] = []
    doubts: list[SeenDoubt] = []
    for v in views:
        if v.edge <= LOOSE_SIZE * usual:
            continue
        turned = read_dice(image, [Look(v.centre, v.edge * k, lean, None) for k, lean in TURNED], close=True)
        v = _mean([v, *turned], v)
        if v.die < LOOSE_DIE or not _clear_enough(v, LOOSE_CLEAR):
            continue
        value, sure = int(np.argmax(v.values)) + 1, max(v.values)
        centre = (round(v.centre[0], 1), round(v.centre[1], 1))
        dice.append(SeenDie(value, DieState.FLAT, None, centre, round(min(v.die, sure), 3)))
        if sure < SURE_VALUE:
            doubts.append(_unclear(v, centre))
    return tuple(dice), tuple(doubts)


def _at_all_scales(image: NDArray[np.uint8]) -> list[DieView]:
    """What is seen of dice of any size: the finder looks at the picture smaller and smaller, each time for dice of about its own size."""
    views: list[DieView] = []
    scale = min(FINEST, LARGEST_SIDE / max(image.shape[:2]))
    while scale * min(image.shape[:2]) >= SMALLEST_SIDE:
        found = [s for s in find(image, scale, LOOSE_SPOT, MOST_SPOTS).dice if OWN_SIZE[0] < s.edge * scale / DIE_PX < OWN_SIZE[1]]
        first = read_dice(image, [Look(s.centre, s.edge, 0.0, None) for s in found])
        views += read_dice(image, [Look(v.centre, v.edge, 0.0, None) for v in first if v.die > LOOSE_HINT])
        scale /= COARSER
    return views


def apart(views: list[DieView], gap: float = 0.7) -> list[DieView]:
    """One view a die: of views nearer than 0.7 edges the surest stays, of much smaller ones (a side face, a pip) nearer than ``gap``.
    From left to right."""
    kept: list[DieView] = []
    for v in sorted(views, key=lambda v: -v.die * max(v.values)):
        if all(math.dist(v.centre, w.centre) > (gap if v.edge < 0.7 * w.edge else 0.7) * max(v.edge, w.edge) for w in kept):
            kept.append(v)
    return sorted(kept, key=lambda v: v.centre[0])


def _height(v: DieView, table: Table) -> float:
    """Of the die's top face over the field, cm."""
    m = table.measures
    return m.die + (m.checker_height if v.support[1] > 0.5 else 0.0)


def _look(v: DieView, table: Table) -> Look:
    """Where to look once more at the die of a view: at its own centre and size, on a checker where it seems to stand on one."""
    return replace(look_at(table, v.centre, _height(v, table), table.measures.die), edge=v.edge)


def _usual_edge(v: DieView, table: Table) -> float:
    """The edge (px) of this board's dice where a view lies."""
    die = table.measures.die
    return look_at(table, v.centre, die, die).edge


def _half_of(centre: tuple[float, float], table: Table) -> Half:
    return Half.LEFT if table.camera.on_plane(np.array(centre), table.measures.die)[0] < 0 else Half.RIGHT


def _mean(looks: list[DieView], place: DieView) -> DieView:
    """What several looks at one die show on average; where it lies and how large it is is as ``place`` has it."""

    def mean(of: Callable[[DieView], tuple[float, ...]]) -> list[float]:
        return [sum(column) / len(looks) for column in zip(*map(of, looks), strict=True)]

    die, tilted, by_checker = mean(lambda v: (v.die, v.tilted, v.by_checker))
    field, checker, rail = mean(lambda v: v.support)
    return DieView(die, tuple(mean(lambda v: v.values)), tilted, (field, checker, rail), by_checker, place.centre, place.edge)


def _in_picture(centre: tuple[float, float], image: NDArray[np.uint8]) -> bool:
    height, width = image.shape[:2]
    return bool(-2 <= centre[0] <= width + 1 and -2 <= centre[1] <= height + 1)
