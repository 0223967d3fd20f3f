"""Whether a fit is believed: nearly all checkers really there, nothing else that looks like one, two colours where they belong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import CHECKERS, Position, Seat
from referee.observations import Half
from vision.checkers.answer import CheckerAnswer
from vision.colours import LAYER, standing, top_pixels
from vision.finder.eye import Marks
from vision.finder.pose import Fit, table_of
from vision.table import Table, point_at

CLOSE = 0.33  # checkers: how far from its neat place a checker may lie
SURE = 0.6
TWICE = 0.6  # checkers: two marks nearer to each other than this are one checker
HIDDEN = 0.1  # share of the checkers that may be hidden, by a high rail on near's side or by a glint
UNTIDY = 0.2  # share of the checkers that may lie off their neat places, when each is near its own
STRAY = 0.3  # as many marks, by the number of checkers, that may be none where every checker is in its place
UNLIKELY = 0.05  # a count is not believed that a point shows with less
COLUMN, COLUMNS = (0.1, 5.2), (0.1, 5.9)  # checkers from a rail, and points from a short side, within which what is marked lies on a
# point: the middle of the field may have ornaments that look like checkers
LOWEST = 0.4  # sine of the least elevation from which a camera sees a board's middle
PITCHES, BARS, TALL = (0.9, 1.8), (-0.1, 3.5), (0.5, 1.25)  # checkers from point to point and across the bar, height by width of the field
ALIKE = 0.62  # share of checkers that look like their own side; chance gives a half, glints and marble cost up to a third


@dataclass(frozen=True, slots=True)
class Verdict:
    """``found`` of ``expected`` checkers are where they should be, of the others ``gone`` are not even near; ``extra`` more lie on the
    points; ``wrong`` points (near's numbers) differ; ``colours`` is the share of checkers that look like their owner's others;
    ``elevation``: about how many degrees above the board's middle the camera stands."""

    expected: int
    found: int
    gone: int
    extra: int
    wrong: tuple[int, ...]
    colours: float
    sound: bool
    elevation: float

    @property
    def good(self) -> bool:
        """Whether the fit is believed."""
        missed = self.expected - self.found
        moved = self.gone and self.extra  # one that is missed here and one too many there: somebody played
        most = UNTIDY if not self.gone else HIDDEN
        enough = missed <= max(1, round(most * self.expected)) and self.extra <= max(1, round(STRAY * self.expected))
        return self.sound and enough and not moved and self.colours >= ALIKE


def judge(image: NDArray[np.uint8], fit: Fit, marks: Marks, position: Position) -> Verdict:
    """The verdict on ``fit``, whose near side is already the right one."""
    table = table_of(fit)
    points, owners = [p for p, _, _ in standing(position)], [seat for _, _, seat in standing(position)]
    there = fit.off < CLOSE
    wrong = {p for p, ok in zip(points, there, strict=True) if not ok}
    strays = [p for p in _strays(table, fit, marks) if abs(position.points[p - 1]) <= LAYER]
    colours = _colours(image, table, fit, owners)
    gone = int((fit.of_mark < 0).sum())
    differ = tuple(sorted(wrong.union(strays)))
    elevation = math.degrees(math.asin(_sine(table)))
    return Verdict(len(points), int(there.sum()), gone, len(strays), differ, colours, _sound(table), elevation)


def hidden_points(answer: CheckerAnswer) -> list[int]:
    """Near's points that a hand, or what looks like one, hides in the picture of which the reader says ``answer``."""
    return sorted({doubt.point for doubt in answer.doubts if doubt.code == "hidden" and doubt.point is not None}) if answer.hand else []


def other_points(answer: CheckerAnswer, position: Position) -> list[tuple[int, int, int]]:
    """Near's points that show more or fewer checkers than ``position`` has there, as (point, how many are read, how many it has). The fit
    hardly minds a checker or two that stand elsewhere.

    The reader is not told here that the picture shows that position: it would believe it. So it knows little of the colours, and whose
    checkers they are is left to the fit; nor does it know stacks well, and what stands on one is not known to the fit either. And every
    point is asked by itself: weighed with all others, one checker too few or too many in the box is but a doubt.
    """
    unseen = {doubt.point for doubt in answer.doubts if doubt.code == "hidden"}
    likely = answer.alone + answer.alone[:, ::-1]  # of as many of either player's
    return [
        (point, abs(int(likely[point - 1].argmax()) - CHECKERS), abs(told))
        for point, told in enumerate(position.points, start=1)
        if abs(told) <= LAYER and point not in unseen and likely[point - 1, CHECKERS + told] < UNLIKELY
    ]


def _strays(table: Table, fit: Fit, marks: Marks) -> list[int]:
    """Near's point numbers of sure marks on the points that belong to no place."""
    m = table.measures
    out = []
    for j in range(len(marks.xy)):
        if j in fit.of_mark or marks.sure[j] < SURE:
            continue
        if (np.linalg.norm(fit.seen - marks.xy[j], axis=1) < TWICE * fit.across).any():  # the same checker, marked twice
            continue
        x, y = table.camera.on_plane(marks.xy[j], m.checker_height)
        beyond = (m.inner[1] / 2 - abs(y)) / m.checker
        from_outside = (m.inner[0] / 2 - abs(x)) / m.pitch
        if not (COLUMN[0] < beyond < COLUMN[1] and COLUMNS[0] < from_outside < COLUMNS[1]):
            continue
        column = int(from_outside)
        at_home = (x > 0) == (table.home is Half.RIGHT)
        out.append(point_at(column if at_home else 11 - column, 1 if y < 0 else -1))
    return out


def _colours(image: NDArray[np.uint8], table: Table, fit: Fit, owners: list[Seat]) -> float:
    """Share of checkers whose colour is nearer to their own side's (the others of it) than to the other side's."""
    lab: list[Any] = []
    side = []
    seen = fit.off < CLOSE
    for i, place in enumerate(_top_places(fit, table)):
        if not seen[i]:
            continue
        rings = [top_pixels(image, table.camera, place, table.measures.checker, *ring) for ring in ((0.0, 0.45), (0.45, 0.7), (0.7, 0.95))]
        if all(len(pixels) for pixels in rings):  # checkers may differ in their rims or inlays alone
            colours = np.array([np.median(pixels, axis=0) for pixels in rings], np.float32).reshape(1, 3, 3) / 255
            lab.append(cv2.cvtColor(colours, cv2.COLOR_BGR2Lab).reshape(-1))
            side.append(owners[i] is Seat.NEAR)
    if len(set(side)) < 2:
        return 1.0 if lab else 0.0
    values, near = np.array(lab), np.array(side)
    right = 0
    for i in range(len(values)):
        others = np.arange(len(values)) != i
        if not (others & (near == near[i])).any():
            right += 1
            continue
        own = np.median(np.abs(values[others & (near == near[i])] - values[i]).sum(1))
        other = np.median(np.abs(values[near != near[i]] - values[i]).sum(1))
        right += own < other
    return right / len(values)


def _top_places(fit: Fit, table: Table) -> NDArray[np.float64]:
    """(n, 3) cm: the tops where they were seen, else where they should be."""
    z = table.measures.checker_height
    return np.column_stack([table.camera.on_plane(fit.seen, z), np.full(len(fit.seen), z)])


def _sound(table: Table) -> bool:
    """Whether such a board and camera may exist."""
    m = table.measures
    tall = m.inner[1] / m.inner[0]
    steep = _sine(table) > LOWEST
    ratios = ((m.pitch / m.checker, PITCHES), (m.bar / m.checker, BARS), (tall, TALL))
    return bool(steep and all(least < ratio < most for ratio, (least, most) in ratios))


def _sine(table: Table) -> float:
    """Sine of the elevation from which the camera looks at the board's middle."""
    eye = table.camera.eye
    return float(eye[2] / np.linalg.norm(eye))
