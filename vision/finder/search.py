"""The search itself: look, guess, refine, look closer, refine, check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.camera.gate import Health, unlit
from vision.checkers.reader import CheckerReader
from vision.colours import checker_colours
from vision.finder import rails, tops
from vision.finder.bar import bar_seen
from vision.finder.check import ALIKE, CLOSE, Verdict, hidden_points, judge, other_points
from vision.finder.eye import MODEL, Marks, look
from vision.finder.lattice import voted
from vision.finder.layout import Guess, field_quad, guesses
from vision.finder.pose import FEW, Fit, Shown, places_of, refine, shapes_seen, slots_of, spread, start_unknowns, table_of, turned, widened
from vision.light import well_lit
from vision.nets import release
from vision.table import Table

Side = Literal["left", "right", "top", "bottom"]
Corner = tuple[float, float]
Corners = tuple[Corner, Corner, Corner, Corner]

CLOSE_UP = 24.0  # px across a checker when the net looks closer
FOCALS = (0.85, 1.3)  # picture widths
LOOKS = 2  # at the checkers' tops: from the second on they are cut out as the first had them
LIKELIEST = 4  # fits of which others are made
LEVEL = 0.05  # of the picture's height: long sides whose middles are lower or higher by less are equally low
ASIDE = 0.3  # of what the long sides differ the other way: by less they do not lie at the side that is named
NEARLY_ALL, MORE = 0.9, 4  # share of the checkers in their places below which others are looked for; among so many marks more than there
# are checkers
GOOD, HOPELESS = 0.045, 0.3  # badness a checker from which no better fit is looked for, and over which no fit is the board
ALTERED = 9.0  # cost by which the fit is better where a picture was cut out of a larger one, or stretched: of 118 as taken 6.9 at most
RARER = 3.0  # the same of one that was stretched, and not cut out, where from nearly above both explain what is seen
ENOUGH = 24  # checkers whose places are known: fewer do not tell that
GAIN = 0.1  # badness by which a fit is better than another for more than chance
CONTRADICTED, BESIDE = 36.0, 0.8  # cost by which given corners make a fit worse, and checkers by which one of them lies beside the board
# that the checkers alone tell of, where they are others than the field's: those of 33 boards cost 11 at most, and where they are off by
# 0.35 of a checker each way 34, or lie no more than 0.7 beside; those of a frame that is a tenth farther out 69 or more, 35 in mid-game
LEAST_CHECKER, SMALLEST, LARGEST = 4.0, 320, 1280  # px across a checker, and on the long side, within which the net looks closer
MARGIN = 0.06  # of the field's longer side that is looked at about it


LOW = 40.0  # degrees of elevation from which a board is found; from lower near's rail hides the checkers behind it
CORNERS = "show its four corners"
STANDS = "say how the checkers stand"
"""How either is done is said by who knows whether a page is looked at or a command line."""


class BoardNotFound(Exception):
    """No board in the asked-for position was found; the text says what was missed and what to do."""


def find_table(image: NDArray[np.uint8], position: Position = START, corners: Corners | None = None, near_at: Side | None = None) -> Table:
    """The `Table` in ``image`` (BGR uint8), whose checkers stand in ``position``.

    ``corners``: the four inner corners of the playing field in px, in any order, when a person gives them. ``near_at`` is the side
    of the picture at which the near player sits; without it he is the one whose long side is lower. Raises `BoardNotFound`.
    """
    taken, image = image, well_lit(image)
    given = None if corners is None else _given(np.array(corners, np.float64), (image.shape[1], image.shape[0]))
    slots = slots_of(position)
    if len(slots) < FEW:
        raise BoardNotFound("too few checkers stand in columns of up to five to find the board by: set up the starting position")
    shown = Shown(look(image), (image.shape[1], image.shape[0]), slots, given)
    field = given if given is not None else field_quad(shown.marks)
    best = _first_fit(shown, position, near_at, field)
    if best is None or best.badness > HOPELESS * len(slots):
        _see_light(taken)
        raise BoardNotFound(f"{_nothing(shown.marks, position, field is not None)}; {_do(given is not None, position)}")
    best, shown = _closer(image, shown, best)
    whole = _with_other_half(image, shown, best)
    best = _right_way(whole or best, position, near_at)
    verdict = judge(image, best, shown.marks, position)
    if not verdict.good:
        raise BoardNotFound(_why(verdict, position, given is not None))
    if whole is None:
        raise BoardNotFound(f"one half of the board, where no column of up to five checkers stands, cannot be made out: {CORNERS}")
    _see_corners(shown, best)
    table = table_of(best)
    near, far = checker_colours(image, table, position)
    table = replace(table, measures=replace(table.measures, rails=rails.rails(table, image)), near_rgb=near, far_rgb=far)
    for model in (MODEL, tops.MODEL, rails.MODEL):
        release(model)
    answer = CheckerReader(table).read(image)
    if position != START and given is None:
        _see_all(hidden_points(answer))
    _compare(other_points(answer, position), position)
    return table


def _see_light(image: NDArray[np.uint8]) -> None:
    """Raises `BoardNotFound` where it is the light that shows no board: of a covered lens it is no help that checkers are to be set up."""
    light = unlit(image)
    if light is Health.DARK:
        raise BoardNotFound("the picture is too dark to find the board in it: take it with more light, and with nothing over the lens")
    if light is not None:
        raise BoardNotFound("the picture is too bright to find the board in it: take it with less light or a shorter exposure")


def _see_corners(shown: Shown, fit: Fit) -> None:
    """Raises `BoardNotFound` where the corners that a person gave are not those of the field in which the checkers of the ``fit`` stand, as
    those of its frame are not: the bar and the rails would be taken to lie elsewhere, and dice on them to be good."""
    if shown.corners is None:
        return
    free = refine(replace(shown, corners=None), fit.unknowns, fit.mirrored)
    beside = np.linalg.norm(table_of(free).corners()[:, None] - shown.corners, axis=2).min(0).max() / float(np.median(free.across))
    if fit.cost - free.cost > CONTRADICTED and beside > BESIDE:
        raise BoardNotFound(
            "the four corners do not go with the checkers: give the inner corners of the playing field, where its surface meets the rails"
        )


def _see_all(hidden: list[int]) -> None:
    """Raises `BoardNotFound` where points are ``hidden``. In the middle of a game the few checkers that are seen beside a hand do not tell
    exactly where the rest of the board is, and what it hides would be learned wrong."""
    if hidden:
        points = ", ".join(map(str, hidden))
        raise BoardNotFound(f"near’s points {points} are hidden: show the whole board with hands away, or {CORNERS}")


def _compare(other: list[tuple[int, int, int]], position: Position) -> None:
    """Raises `BoardNotFound` where there are ``other`` points, as `other_points` has them, than those of ``position``: what is learned
    from the picture would be learned wrong."""
    if not other:
        return
    points, seen, told = (", ".join(map(str, column)) for column in zip(*other, strict=True))
    if position == START:
        raise BoardNotFound(
            f"near’s points {points} show {seen} checkers and not {told} as at the start: put them right, "
            f"or {STANDS}"
        )
    raise BoardNotFound(
        f"near’s points {points} show {seen} checkers and not {told} as in the given position: "
        "make sure that the checkers stand so, close together, seen from near’s chair"
    )


def _first_fit(shown: Shown, position: Position, near_at: Side | None, field: NDArray[np.float64] | None) -> Fit | None:
    """The best fit to what the net marked in the whole picture; ``field`` (4, 2) px: the playing field's corners, where they are known."""
    marks, by_hand, start = shown.marks, shown.corners is not None, position == START
    also = () if by_hand or start else voted(marks, shown.size, position)
    tried = guesses(marks, position, field, start and not by_hand, also)
    best = _best(shown, tried, position, near_at, field)
    if not start or by_hand or (best is not None and (best.off < CLOSE).mean() >= NEARLY_ALL):
        return best
    surest = guesses(marks.surest(len(shown.slots) + MORE), position, field)  # a chequered cloth looks faintly like checkers all over
    fits = (best, _best(shown, surest, position, near_at, field))
    return min((fit for fit in fits if fit is not None), key=lambda fit: fit.badness, default=None)


def _closer(image: NDArray[np.uint8], shown: Shown, fit: Fit) -> tuple[Fit, Shown]:
    """The fit to what the net marks in the board's part of the picture, from ``fit`` on, and to the shapes of the checkers there; and what
    it was made to."""
    x0, y0, x1, y1 = region = _region(fit, shown.size)
    px = float(np.median(fit.across))
    long_side = max(x1 - x0, y1 - y0) * CLOSE_UP / max(px, LEAST_CHECKER)
    shown = replace(shown, marks=look(image, region, int(np.clip(long_side, SMALLEST, LARGEST))))
    fit, shown = _rounded(image, shown, refine(shown, fit.unknowns, fit.mirrored))
    if len(shown.slots) < ENOUGH:
        return fit, shown
    ways = [replace(shown, how=how) for how in ("cut out", "stretched")]
    altered = [refine(way, fit.unknowns, fit.mirrored) for way in ways]
    if min(one.cost for one in altered) > fit.cost - ALTERED:
        return fit, shown
    cut_out, stretched = (_rounded(image, way, one) for way, one in zip(ways, altered, strict=True))
    return stretched if stretched[0].cost < cut_out[0].cost - RARER else cut_out


def _rounded(image: NDArray[np.uint8], shown: Shown, fit: Fit) -> tuple[Fit, Shown]:
    """The fit to the checkers' shapes besides, and what it was made to."""
    for _ in range(LOOKS):
        shown = replace(shown, shapes=shapes_seen(image, fit, shown.marks))
        fit = refine(shown, fit.unknowns, fit.mirrored)
    return fit, shown


def _with_other_half(image: NDArray[np.uint8], shown: Shown, fit: Fit) -> Fit | None:
    """The same where checkers tell of both halves of the board; else that with the other half as it is seen, and where it is not, as
    corners that a person gave have it, or None."""
    tops = places_of(fit.unknowns, shown.slots, fit.mirrored)
    ways = np.sign(tops[:, 0])
    if (ways != ways[0]).any():
        return fit
    bar = bar_seen(image, table_of(fit), tops)
    if bar is None:
        return fit if shown.corners is not None else None
    return refine(replace(shown, bar=bar), spread(fit.unknowns, bar, float(ways[0])), fit.mirrored)


def _best(
    shown: Shown, tried: list[Guess], position: Position, near_at: Side | None, field: NDArray[np.float64] | None
) -> Fit | None:
    """The best fit of all guesses. The few checkers of a game tell little of the board: there the ``field``'s outline is fitted first
    where checkers alone do not do, and a fit that is good is taken."""
    fits: Iterable[Fit] = (
        refine(shown, start_unknowns(guess, shown.size, focal), guess.mirrored, first=guess.places(position))
        for guess in tried for focal in FOCALS
    )  # fmt: skip
    if position == START:
        return _best_at_start(shown, sorted(fits, key=lambda fit: fit.badness))
    if field is not None and shown.corners is None:
        fits = chain(fits, (_by_outline(shown, guess, field) for guess in tried))
    best: Fit | None = None
    for fit in fits:
        if _near_is_right(table_of(fit), near_at) and (best is None or fit.badness < best.badness):
            best = fit
            if best.badness < GOOD * len(shown.slots):
                break
    return best


def _best_at_start(shown: Shown, fits: list[Fit]) -> Fit | None:
    """The best of ``fits``, best first. Where checkers are missed, those in which the columns of one side begin a checker further out
    or in are looked at too: a side that is taken to begin at its second checkers has all but the last of each column in a place."""
    if not fits or (fits[0].off < CLOSE).all():
        return fits[0] if fits else None
    best = []
    for fit in fits[:LIKELIEST]:
        while True:
            moved = [widened(fit.unknowns, side, checkers) for side in (-1, 1) for checkers in (1, -1)]
            better = min((refine(shown, u, fit.mirrored) for u in moved), key=lambda fit: fit.badness)
            if better.badness > fit.badness - GAIN:
                break
            fit = better
        best.append(fit)
    return min(best, key=lambda fit: fit.badness)


def _by_outline(shown: Shown, guess: Guess, outline: NDArray[np.float64]) -> Fit:
    """The fit to the field's ``outline`` (4, 2) px in order round, then to that and to the checkers, then to these alone."""
    nowhere = np.full((len(shown.slots), 2), -1e6), np.ones(len(shown.slots))
    within = replace(shown, corners=outline)
    fit = refine(within, start_unknowns(guess, shown.size, sum(FOCALS) / 2), guess.mirrored, rounds=1, first=nowhere)
    fit = refine(within, fit.unknowns, guess.mirrored, rounds=1)
    return refine(shown, fit.unknowns, guess.mirrored, loose=True)


def opposite(table: Table) -> Side:
    """The side of the picture at which the far player sits: one at which a long side lies."""
    right, down = _towards_near(table)
    if abs(right) > abs(down):
        return "left" if right > 0 else "right"
    return "top" if down > 0 else "bottom"


def _right_way(fit: Fit, position: Position, near_at: Side | None) -> Fit:
    """The starting position looks the same from both chairs: takes the one that is near's. Raises `BoardNotFound` where no chair stands
    at the side that is named: what little the long sides differ along it is chance."""
    table = table_of(fit)
    right, down = _towards_near(table)
    if near_at in ("left", "right") and abs(right) < ASIDE * abs(down):
        raise BoardNotFound("the board’s long sides are at the top and bottom of the picture: near sits at one of these")
    if near_at in ("top", "bottom") and abs(down) < ASIDE * abs(right):
        raise BoardNotFound("the board’s long sides are at the left and right of the picture: near sits at one of these")
    return turned(fit) if position == START and not _near_is_right(table, near_at) else fit


def _near_is_right(table: Table, near_at: Side | None) -> bool:
    """Whether near's long side is where near sits: lower in the picture (to the right when both are equally low), or where ``near_at``
    says."""
    right, down = _towards_near(table)
    if near_at is not None:
        return {"left": right < 0, "right": right > 0, "top": down < 0, "bottom": down > 0}[near_at]
    return right > 0 if abs(down) < LEVEL * table.camera.size[1] else down > 0


def _towards_near(table: Table) -> tuple[float, float]:
    """(right, down) px from the middle of far's long side to the middle of near's."""
    height = table.measures.inner[1]
    near, far = table.camera.project(np.array([[0, -height / 2, 0], [0, height / 2, 0]]))
    return float(near[0] - far[0]), float(near[1] - far[1])


def _region(fit: Fit, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The part of the picture that holds the field, with a margin."""
    px = table_of(fit).corners()
    low, high = px.min(0), px.max(0)
    margin = MARGIN * (high - low).max()
    x0, y0 = np.clip(low - margin, 0, np.array(size) - 32)
    x1, y1 = np.clip(high + margin, (x0 + 32, y0 + 32), size)
    return float(x0), float(y0), float(x1), float(y1)


def _given(corners: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """The ``corners`` (4, 2) px that a person gave, clockwise. Raises `BoardNotFound` when they are none of a field in a picture of this
    ``size``."""
    if (np.abs(corners / size - 0.5) > 1.5).any():
        raise BoardNotFound("a corner lies far outside of the picture: give the four inner corners of the playing field as it shows it")
    middle = corners.mean(0)
    ordered = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    edge = np.roll(ordered, -1, axis=0) - ordered
    after = np.roll(edge, -1, axis=0)
    if (edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0] < 100).any():
        raise BoardNotFound("the four corners do not make a field: give the four inner corners of the playing field, none of them twice")
    return np.asarray(ordered)


def _what(position: Position) -> str:
    return "the starting position" if position == START else "the given position"


def _do(given: bool, position: Position) -> str:
    """What to do. A position that somebody named may be the wrong one, or be written from the other chair."""
    if given:
        return "check the four corners and that all checkers are in place"
    if position == START:
        return f"set up all checkers, show the whole board with hands away, or {CORNERS}"
    return f"make sure that the checkers stand so, seen from near’s chair, show the whole board with hands away, or {CORNERS}"


def _nothing(marks: Marks, position: Position, field: bool) -> str:
    """Which part was missed: the checkers, the playing field's edge, or how the two go together."""
    sure, what = int((marks.sure > 0.5).sum()), _what(position)
    if not sure:
        return "no board was found, no checkers can be seen"
    if sure < 8:
        return f"no board was found, only {sure} checkers can be seen"
    if not field:
        return f"about {sure} checkers were seen, but not where the playing field ends"
    return f"about {sure} checkers and a playing field were seen, but not the board with {what}"


def _why(v: Verdict, position: Position, given: bool) -> str:
    found, expected, what = v.found, v.expected, _what(position)
    if not v.sound and found >= expected - 3:
        return "the checkers are found, but no camera sees a board so: raise the camera, or do not stretch the picture"
    if found < 0.6 * expected or not v.sound:
        missed = f"no board in {what} was found, at best {found} of {expected} checkers are in place"
    elif v.colours < ALIKE and found >= expected - 3 and v.extra <= 3:
        return f"the checkers lie as in {what}, but their colours do not: check who stands where, or light the board evenly"
    elif v.elevation < LOW and not v.extra:
        return f"from so low rails hide checkers, {found} of {expected} are seen in their places: raise the camera"
    else:
        points = ", ".join(str(p) for p in v.wrong)
        missed = f"the board is not in {what}, near’s points {points} differ ({found} of {expected} checkers in place)"
    return f"{missed}; {_do(given, position)}"
