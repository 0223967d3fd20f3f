"""What a die that was seen comes to: where it lies and how, what it touches, and what is in doubt about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.observations import About, DieState, Half, SeenDie, SeenDoubt, Touch
from vision.dice.lean import FLAT, HINT, Flat
from vision.dice.net import DieView
from vision.dice.views import SURE_DIE, SURE_VALUE, top_of, unclear_value
from vision.table import Table

RAIL_WIDTH = 2.2  # cm, where nothing better is known
ON_FIELD, BESIDE = 0.55, 1.5  # half edges from a die's middle to bar or rail: it lies on the field from there on, touches them up to there
BAR_END = 0.5  # cm that the bar may reach beyond the field
UNSURE_FLAT = 0.6  # how sure it is that a die lies flat where set-up could not tell where a rail stands, or by one in which it would be
# if it lay flat and on which it does not stand either
UPON_RAIL = 0.14  # by how much surer it is for each half edge that a die stands on a rail: eight that did were sure by 0.76 and more, one
# that did not by 0.74, four others were flat
SURE_OVER = 0.98  # on a checker, whose marbling and glints look like a die, it is in doubt when less likely one than this: of 15 dice on
# checkers all were one by 0.999 and more
LEGIBLE_FACE = 0.6  # so is what makes a throw void, where no face is likelier: of 12 such things 4 were none and one lay flat, of 140
# others 5 were none
TILTED = 0.77  # the probability of a tilt from which a die is cocked; the net saw leaning dice more often than they are thrown. (When
# without a doubt, either way: `lean.sure_flat`.)
RIM, RIM_UNSURE = 0.45, 0.6  # how much of a checker's rim about a die tells that it stands on one; how sure that is where the net sees none
# under it, and that it does not where there is some of a rim
ON_CHECKER, RIM_WITH_IT = 0.8, 0.28  # the net's probability of a checker under it that tells so too, or the rim together with an even one
SURE_FLAT, SURE_ON_IT = 0.65, 0.75  # a state less sure than this is in doubt: flat; on a checker, the bar or a rail
BY_A_DIE = 1.25  # edges between the middles of two dice that may touch


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies by geometry: its state when it is not tilted, its half, how clear that is (0..1), what it touches."""

    state: DieState
    half: Half | None
    sure: float
    touches: tuple[Touch, ...]
    tray: bool = False


def judge(v: DieView, table: Table, others: list[DieView], rim: float = 0.0, flat: Flat = FLAT) -> tuple[SeenDie, list[SeenDoubt]]:
    """One die's state by geometry, the network's eye and the ``rim`` of a checker about it, with its doubts; ``flat`` is what it takes
    to be sure that it lies flat, or does not."""
    centre = (round(v.centre[0], 1), round(v.centre[1], 1))
    place = place_of(v, table)
    state, sure = _lies(v, place, rim, flat)
    half = place.half
    if state is DieState.COCKED and half is None and not place.tray:
        half = _half_of(v.centre, table)
    touches = list(place.touches)
    if any(math.dist(v.centre, w.centre) < BY_A_DIE * (v.edge + w.edge) / 2 for w in others):
        touches.append(Touch.DIE)
    by_checker = not place.tray and state in (DieState.FLAT, DieState.COCKED) and v.by_checker > 0.5
    if state is DieState.ON_CHECKER or by_checker:
        touches.append(Touch.CHECKER)
    confidence = round(min(v.die, v.clear, sure), 3)
    die = SeenDie(v.value, state, half, centre, confidence, tuple(touches), place.tray, round(v.clear, 3))
    return die, _doubts(v, die, sure, flat)


def _lies(v: DieView, place: Place, rim: float, flat: Flat) -> tuple[DieState, float]:
    """How the die of a view lies in its ``place``, and how sure (0..1) that is; ``rim`` and ``flat`` as in `judge`."""
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
        return DieState.ON_CHECKER, max(checker, min(1.0 if checker > HINT else RIM_UNSURE, 2 * rim))
    return DieState.FLAT, min(place.sure, 1 - v.tilted, 1 - checker, RIM_UNSURE if rim > flat.rim else 1.0)


def _doubts(v: DieView, die: SeenDie, sure: float, flat: Flat) -> list[SeenDoubt]:
    """What is in doubt about the ``die`` of a view, whose state is ``sure`` (0..1); ``flat`` as in `judge`."""
    doubts = []
    sure_die = SURE_OVER if die.state is DieState.ON_CHECKER or not flat.room else SURE_DIE
    if v.die < sure_die or (die.state is not DieState.FLAT and v.clear < LEGIBLE_FACE):
        doubts.append(SeenDoubt(About.DIE, "presence", "this may be a die", centre=die.centre))
    if die.state is DieState.FLAT and v.clear < SURE_VALUE:
        doubts.append(unclear_value(v, die.centre))
    if die.state is DieState.FLAT and (v.tilted > flat.tilted or sure < SURE_FLAT or v.edge < flat.edge):
        doubts.append(SeenDoubt(About.DIE, "state", "it may not lie flat", centre=die.centre))
    if die.state is DieState.COCKED and v.tilted < flat.cocked:
        doubts.append(SeenDoubt(About.DIE, "state", "it may lie flat", centre=die.centre))
    if die.state in (DieState.ON_CHECKER, DieState.ON_BAR) and sure < SURE_ON_IT:
        doubts.append(SeenDoubt(About.DIE, "state", "it may lie flat on the field", centre=die.centre))
    return doubts


def place_of(v: DieView, table: Table) -> Place:
    """By the ray through the top face's centre: in a tray, on the field, on the bar or a rail, or off the board.

    A die that lies on the field keeps its whole width clear of bar and rails, so its centre is half a die away from them at least.
    """
    if table.in_tray(v.centre):
        return Place(DieState.FLAT, None, 1.0, (), tray=True)
    m = table.measures
    half_w, half_h, r = m.inner[0] / 2, m.base + m.rails[0], m.die / 2
    x, y = top_of(v, table)
    half = Half.LEFT if x < 0 else Half.RIGHT
    inside, beside = min(half_w - abs(x), half_h - abs(y)), abs(x) - m.bar / 2  # cm from the centre to the nearest rail, and to the bar
    touches = tuple(touch for touch, gap in ((Touch.BAR, beside), (Touch.RAIL, inside)) if gap < BESIDE * r)
    if min(inside, beside) > ON_FIELD * r:
        return Place(DieState.FLAT, half, 1.0, touches)
    bx, by = table.camera.spot(v.centre, m.die + m.bar_height)  # were it on the bar
    if abs(bx) < m.bar / 2 and abs(by) < half_h + BAR_END:
        return Place(DieState.ON_BAR, None, min(1.0, 0.6 + (m.bar / 2 - abs(bx)) / r), (Touch.BAR,))
    rx, ry = table.camera.spot(v.centre, m.die + m.rail_height)  # were it on a rail
    out = max(abs(rx) - half_w, abs(ry) - half_h)
    if out >= RAIL_WIDTH:
        return Place(DieState.OFF_BOARD, None, 1.0, ())
    at_long_side = half_w - abs(x) > 0 > half_h - abs(y) - ON_FIELD * r
    on_border = at_long_side and abs(y) < m.base + m.rails[1] - ON_FIELD * r
    upon = r - inside + out  # cm: how far it would be in the rail if it lay flat, and how far beyond its edge if it stands on it
    if on_border or upon <= 0:
        return Place(DieState.FLAT, half, UNSURE_FLAT, touches)
    return Place(DieState.ON_BAR, None, min(1.0, 0.5 + UPON_RAIL * upon / r), (Touch.RAIL,))


def _half_of(centre: tuple[float, float], table: Table) -> Half:
    return Half.LEFT if table.camera.spot(centre, table.measures.die)[0] < 0 else Half.RIGHT
