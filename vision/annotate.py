"""Draws over a picture what was found and read in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position, Seat
from referee.observations import About, Reading, SeenDie, SeenDoubt, SeenPosition
from vision.colours import LAYER, ring, standing
from vision.pictures import Image
from vision.table import Table

Bgr = tuple[int, int, int]
NEAR, FAR, FINE, DOUBT, GRID, TRAY = (80, 220, 80), (255, 140, 40), (255, 255, 255), (40, 40, 255), (0, 215, 255), (255, 80, 255)
SHIFT = 3  # bits of a pixel's fraction that lines are drawn to
CLOSE_UP = 960  # px wide
SURE = 0.9  # a die of less confidence is marked like a doubt


def annotate(
    image: Image, table: Table | None, reading: Reading | None = None, *, unit: float | None = None, words: bool = True,
    stood: Position | None = START,
) -> Image:
    """A copy of ``image`` with the found geometry and, where there is a reading, its counts, dice, cube and doubts (in red).

    ``unit`` is the size of one stroke in px; without ``words`` only marks and numbers are written. Without a reading the checkers of
    the position in which the board ``stood`` are drawn, where there is one.
    """
    out = image.copy()
    if table is not None and not table.camera.fits(image):  # its lines would lie beside the board
        table = None
    unit = max(1.0, image.shape[1] / 1280) if unit is None else unit
    if table is not None:
        _board(out, table, unit)
        if reading is None and stood is not None:
            _columns(out, table, stood, unit)
    if reading is None:
        return out
    if table is not None and reading.position is not None:
        _counts(out, table, reading.position, reading.doubts, unit)
    for die in reading.dice:
        _die(out, die, unit, words)
    if words:
        _told(out, reading, unit)
    return out


def close_up(image: Image, table: Table, reading: Reading) -> Image:
    """The board with its trays alone, `CLOSE_UP` px wide, with what was read drawn large enough for a small view of it; the
    ``image`` as it came where it is not of the table's camera: nothing is known of where the board is in it."""
    if not table.camera.fits(image):
        return image
    m = table.measures
    w, h = m.inner[0] * 0.7, m.inner[1] * 0.6
    corners = table.camera.project(np.array([[-w, -h, 0.0], [w, -h, 0.0], [w, h, 0.0], [-w, h, 0.0]]))
    corners = np.concatenate([corners, *table.outlines()])
    x0, y0 = (max(0, int(v)) for v in corners.min(axis=0))
    x1, y1 = (min(most, int(v)) for most, v in zip((image.shape[1], image.shape[0]), corners.max(axis=0), strict=True))
    if x1 - x0 < 40 or y1 - y0 < 40:
        return annotate(image, table, reading)
    scale = CLOSE_UP / (x1 - x0)
    cut = np.asarray(cv2.resize(image[y0:y1, x0:x1], (CLOSE_UP, round((y1 - y0) * scale)), interpolation=cv2.INTER_AREA), np.uint8)
    matrix = np.diag([scale, scale, 1.0]) @ np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ table.camera.matrix
    camera = replace(table.camera, matrix=matrix, size=(cut.shape[1], cut.shape[0]))
    dice = tuple(replace(die, centre=((die.centre[0] - x0) * scale, (die.centre[1] - y0) * scale)) for die in reading.dice)
    return annotate(cut, replace(table, camera=camera), replace(reading, dice=dice), unit=CLOSE_UP / 640, words=False)


def _board(out: Image, table: Table, unit: float) -> None:
    m = table.measures
    w, h, b = m.inner[0] / 2, m.inner[1] / 2, m.bar / 2
    for x0, x1 in ((-w, -b), (b, w)):
        outline = np.array([[x0, -h, 0], [x1, -h, 0], [x1, h, 0], [x0, h, 0]])
        _lines(out, table, outline, GRID, unit)
    for tray in table.trays:
        _lines(out, table, np.array([(*corner, 0.0) for corner in tray]), TRAY, unit)
    for point in range(1, 25):
        x, y, way = table.point_base(point)
        tip = np.array([[x - m.pitch / 2, y, 0], [x, y + way * m.point_length, 0], [x + m.pitch / 2, y, 0]])
        _lines(out, table, tip, GRID, unit, closed=False, thin=True)
        px = table.camera.project(np.array([x, y - way * 1.6, m.rail_height]))
        _text(out, str(point), (round(px[0] - 8 * unit), round(px[1] + 5 * unit)), unit, GRID)


def _columns(out: Image, table: Table, stood: Position, unit: float) -> None:
    circle = ring(table.measures.checker, corners=36)
    for point, i, seat in standing(stood):
        _lines(out, table, circle + np.array(table.checker_centre(point, i)), NEAR if seat is Seat.NEAR else FAR, unit)


def _counts(out: Image, table: Table, seen: SeenPosition, doubts: tuple[SeenDoubt, ...], unit: float) -> None:
    doubted = {d.point: d.code for d in doubts if d.about is About.POINT}
    checker, middle = table.measures.checker, table.measures.inner[1] / 2
    for point, count in enumerate(seen.points, start=1):
        if not count and point not in doubted:
            continue
        x, y, way = table.point_base(point)
        beyond = min((min(abs(count), LAYER) + 0.7) * checker, middle - 0.4 * checker)  # of its own checkers, on its own side
        px = table.camera.project(np.array([x, y + way * beyond, 0]))
        colour = DOUBT if point in doubted else NEAR if count > 0 else FAR
        told = "" if doubted.get(point) == "hidden" else str(abs(count))  # what is not seen is not shown as none
        _text(out, f"{told}{'?' if point in doubted else ''}", (round(px[0] - 8 * unit), round(px[1] + 6 * unit)), 1.3 * unit, colour)


def _die(out: Image, die: SeenDie, unit: float, words: bool) -> None:
    x, y = (round(v) for v in die.centre)
    cv2.circle(out, (x, y), round(14 * unit), FINE if die.confidence > SURE else DOUBT, round(2 * unit), cv2.LINE_AA)
    said = f"{die.value or '?'} {die.state.value} {die.confidence:.2f}" if words else f"{die.value or '?'}"
    _text(out, said, (x + round(16 * unit), y), unit * (1.0 if words else 1.6), FINE)


def _told(out: Image, reading: Reading, unit: float) -> None:
    """What has no place in the picture: cube, bar and off at the top, the doubts from the bottom up."""
    lines = []
    if reading.cube is not None:
        whose = reading.cube.owner.value if reading.cube.owner else "middle"
        if reading.cube.offered_to is not None:
            whose = f"offered to {reading.cube.offered_to.value}"
        lines.append(f"cube {reading.cube.value}, {whose}")
    if reading.position is not None:
        bar, off = (" and ".join("?" if n is None else str(n) for n in pair) for pair in (reading.position.bar, reading.position.off))
        lines.append(f"bar {bar}, off {off}")
    for i, line in enumerate(lines):
        _text(out, line, (round(10 * unit), round((24 + 24 * i) * unit)), unit, FINE)
    for i, doubt in enumerate(reading.doubts):
        where = f" {doubt.point}" if doubt.point is not None else ""
        at = round(10 * unit), out.shape[0] - round((12 + 22 * i) * unit)
        _text(out, f"? {doubt.about.value}{where}: {doubt.text}", at, unit, DOUBT)


def _lines(out: Image, table: Table, outline: NDArray[Any], colour: Bgr, unit: float, closed: bool = True, thin: bool = False) -> None:
    px = np.round(np.clip(table.camera.project(outline), -20000, 20000) * (1 << SHIFT)).astype(np.int32)
    cv2.polylines(out, [px], closed, colour, 1 if thin else max(1, round(1.5 * unit)), cv2.LINE_AA, SHIFT)


def _text(out: Image, text: str, at: tuple[int, int], unit: float, colour: Bgr) -> None:
    plain = text.encode("ascii", "replace").decode()
    thin = max(1, round(unit))
    around = [(at[0] + x, at[1] + y) for x in (-thin, 0, thin) for y in (-thin, 0, thin) if x or y]
    for ink, places in (((0, 0, 0), around), (colour, [at])):  # a thicker pen would set the letters further apart
        for place in places:
            cv2.putText(out, plain, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, ink, thin, cv2.LINE_AA)
