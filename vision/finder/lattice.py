"""First guess from the checkers alone: how large they look tells how the board is inclined, then where they all lie votes for the place.

Checkers are of one size and lie in one plane. A disc's area in the picture goes with the inverse cube of its depth, and depth's inverse is
linear in the picture: so is (radius)^(2/3), whose gradient tells the plane's inclination. In the plane seen from above columns and rows
run at right angles; every pair of a mark and a place votes for a shift, and the right shift gets a vote from nearly every checker,
whatever else lies about, in trays or beside the board.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import Position
from vision.finder.eye import Marks
from vision.finder.layout import BARS, STEPS, Guess, apply, pattern

Array = NDArray[np.float64]
FOCALS = (0.9, 1.3)  # picture widths
PITCHES = (1.045, 1.2)  # checkers from point to point
LIKELY = 0.4  # marks less sure than this do not vote
NEIGHBOURS = (0.85, 1.25)  # checkers between the middles of two that lie side by side
CELL = 0.3  # checkers, of the map of shifts
MOST = 2  # shifts of a kind of board and a turn that are told of
LEAST = 6  # marks below which nothing can be told


def voted(marks: Marks, size: tuple[int, int], position: Position) -> list[Guess]:
    """Guesses for pictures of ``size`` (width, height) px of a board in ``position``, each with its votes as its score, in no order."""
    sure = marks.sure > LIKELY
    xy, radius = marks.xy[sure], marks.radius[sure]
    if len(xy) < LEAST:
        return []
    found = []
    for focal in FOCALS:
        to_picture = _inclined(xy, radius, focal * max(size), size)
        if to_picture is None:
            continue
        flat = apply(np.asarray(np.linalg.inv(to_picture), np.float64)[None], xy)[0]
        for pitch in PITCHES:
            found += _shifted(flat, _turn_of(flat), pitch, to_picture, position)
    return found


def _inclined(xy: Array, radius: Array, focal: float, size: tuple[int, int]) -> Array | None:
    """(3, 3) homography that takes the plane of the checkers' tops, in checkers, to px; None when the checkers tell of no plane."""
    middle = (np.array(size) - 1) / 2
    a: Array = np.column_stack([(xy - middle) / focal, np.ones(len(xy))])
    size_of, weight = (radius / focal) ** (2 / 3), np.ones(len(xy))
    for _ in range(6):  # what is marked too large or small, a hand or a glass, counts little
        plane = np.linalg.lstsq(a * weight[:, None], size_of * weight, rcond=None)[0]
        off = np.abs(a @ plane / size_of - 1)
        weight = 1 / (1 + (off / 0.05) ** 2)
    if (a @ plane <= 0).any():
        return None
    normal = plane / np.linalg.norm(plane)
    first = np.cross(normal, [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    # a point s of the plane lies at depth, in checkers: normal . X = height, and radius^2 = focal^2 height / 4 depth^3
    height = float(np.linalg.norm(plane)) ** -1.5 / 2
    ray = np.diag([focal, focal, 1.0])
    ray[:2, 2] = middle
    return np.asarray(ray @ np.column_stack([first, second, height * normal]))


def _turn_of(flat: Array) -> float:
    """The angle, 0 to a right one, at which columns and rows of checkers run."""
    gap = flat[:, None] - flat[None]
    far = np.linalg.norm(gap, axis=2)
    side_by_side = gap[(far > NEIGHBOURS[0]) & (far < NEIGHBOURS[1])]
    four = 4 * np.arctan2(side_by_side[:, 1], side_by_side[:, 0])
    return float(np.arctan2(np.sin(four).sum(), np.cos(four).sum()) / 4)


def _shifted(flat: Array, turn: float, pitch: float, to_picture: Array, position: Position) -> list[Guess]:
    """The guesses with most votes for every make of board and every way it may lie; ``flat`` (n, 2) checkers."""
    found = []
    for quarter in range(4):
        angle = turn + quarter * np.pi / 2
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        upright = flat @ spin
        for mirrored, bar, step in product((False, True), BARS, STEPS):
            whole = np.array([(11 + bar) * pitch, -1 / step])  # y grows towards near here
            places = pattern(position, bar, step, mirrored) * whole
            board = np.eye(3)
            for shift, votes in _best_shifts(upright, places):
                board[:2, :2], board[:2, 2] = spin * whole, spin @ shift
                found.append(Guess(to_picture @ board, mirrored, bar, step, votes))
    return found


def _best_shifts(upright: Array, places: Array) -> list[tuple[Array, float]]:
    """The shifts that bring most ``places`` (m, 2) to marks ``upright`` (n, 2), and how many."""
    gap = upright[:, None] - places[None]
    low = gap.reshape(-1, 2).min(0)
    cells = ((gap - low) / CELL).astype(np.int64)
    wide, tall = cells.reshape(-1, 2).max(0) + 1
    count = np.bincount((cells[..., 0] * tall + cells[..., 1]).reshape(-1), minlength=wide * tall).reshape(wide, tall)
    # of a cell and the eight about it
    votes = cv2.boxFilter(count.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    out = []
    for _ in range(MOST):
        i, j = np.unravel_index(int(np.argmax(votes)), votes.shape)
        near = (np.abs(cells - (i, j)) <= 1).all(-1)
        out.append((gap[near].mean(0), float(votes[i, j])))
        votes[max(0, i - 2) : i + 3, max(0, j - 2) : j + 3] = 0
    return out
