"""Finds a table again that was bumped or turned a little: same camera, same board, a known position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import Position
from vision.colours import checker_colours, standing
from vision.finder.eye import Marks, look
from vision.finder.pose import CHECKER, FEW, NO_MARK, match
from vision.finder.search import BoardNotFound
from vision.light import well_lit
from vision.table import Camera, Table

SHIFTS = np.linspace(-6, 6, 9)  # cm
TURNS = np.radians(np.linspace(-10, 10, 9))
NEEDED = 0.85  # of the checkers
CLOSE = 0.35  # checkers from its place, of one that is there
REACHES = (0.5, 0.5, 0.35, 0.3, 0.3)  # checkers within which a mark is a place's own, fit by fit
BETTER = 0.85  # of how far off all are when the board is slid and turned: less, and it is the camera that was moved
OFF = 0.06  # checkers by which marks are off their places, one standard deviation
MOVES = np.array([0.06] * 3 + [2.5] * 3)  # radians, cm: how far a camera is moved, one standard deviation

Fit = Callable[[Camera, NDArray[np.float64], NDArray[np.float64]], Camera]
"""``fit(camera, tops, px)``: the camera that sees ``tops`` (n, 3) cm nearest to ``px`` (n, 2); `_slid` or `_moved`."""


def find_again(image: NDArray[np.uint8], table: Table, position: Position) -> Table:
    """``table`` where it is now in ``image`` (BGR uint8 from the same camera), its checkers standing in ``position``.

    Bumps of up to about 6 cm and 10 degrees are followed. Raises `BoardNotFound` when fewer than most checkers are there; then the
    camera or the board was moved farther, or the position is another: set up again.
    """
    if not table.camera.fits(image):
        raise BoardNotFound("the picture has another size than the one the board was set up with: set up again")
    tops = np.array([table.checker_centre(p, i) for p, i, _ in standing(position)]).reshape(-1, 3)
    image = well_lit(image)
    marks = look(image)
    if min(len(tops), len(marks.xy)) < FEW:
        raise BoardNotFound("too few checkers can be seen to find the board again: set it up again")
    start = _nearest_start(table.camera, tops, marks)
    moved, rest = _settle(start, tops, marks, table.measures.checker, _slid)
    freely, better = _settle(moved, tops, marks, table.measures.checker, _moved)
    if better < BETTER * rest:  # not the board on its table but the camera was moved
        moved = freely
    _, off = match(moved.project(tops), _across(moved, tops, table.measures.checker), marks)
    found = int((off < CLOSE).sum())
    if found < NEEDED * len(tops):
        raise BoardNotFound(f"the board was not found again, at best {found} of {len(tops)} checkers are where they stood: set it up again")
    again = replace(table, camera=moved)
    near, far = checker_colours(image, again, position)
    return replace(again, near_rgb=near, far_rgb=far)


def _nearest_start(camera: Camera, tops: NDArray[np.float64], marks: Marks) -> Camera:
    """The slide and turn of the board on its table that puts most checkers near marks."""
    best, chosen = -1.0, camera
    spread = 0.6 * float(np.median(marks.radius)) + 1e-6
    for turn in TURNS:
        for dx in SHIFTS:
            for dy in SHIFTS:
                seen = _of_moved_board(camera, _spin(turn), np.array([dx, dy, 0]))
                gap = np.linalg.norm(seen.project(tops)[:, None] - marks.xy[None], axis=2).min(1)
                score = float(np.exp(-((gap / spread) ** 2) / 4).sum())
                if score > best + 1e-9:
                    best, chosen = score, seen
    return chosen


def _settle(camera: Camera, tops: NDArray[np.float64], marks: Marks, checker: float, fit: Fit) -> tuple[Camera, float]:
    """(the camera that fits best by ``fit``, the mean distance in checkers of what was matched)."""
    off = np.full(len(tops), NO_MARK)
    for reach in REACHES:
        of, off = match(camera.project(tops), _across(camera, tops, checker), marks)
        has = (of >= 0) & (off < max(reach, 1.5 * float(np.median(off))))
        if has.sum() < FEW:
            break
        camera = fit(camera, tops[has], marks.xy[of[has]])
    return camera, float(np.mean(np.minimum(off, 0.5)))


def _moved(camera: Camera, tops: NDArray[np.float64], px: NDArray[np.float64]) -> Camera:
    """Any small motion of the camera: Gauss-Newton from where it was, which it leaves only as far as the marks ask for."""
    across = _across(camera, tops, CHECKER)[:, None]
    step = np.array([1e-5] * 3 + [1e-3] * 3)

    def shifted(v: NDArray[np.float64]) -> Camera:
        spin, _ = cv2.Rodrigues(v[:3])
        return replace(camera, rotation=np.asarray(spin) @ camera.rotation, translation=np.asarray(spin) @ camera.translation + v[3:])

    def residuals(v: NDArray[np.float64]) -> NDArray[np.float64]:
        off = (shifted(v).project(tops) - px) / across / OFF
        far = np.linalg.norm(off, axis=1, keepdims=True)
        off *= np.sqrt(np.minimum(1, 2 / np.maximum(far, 1e-9)))  # Huber
        return np.concatenate([off.reshape(-1), v / MOVES])

    v = np.zeros(6)
    for _ in range(5):
        r = residuals(v)
        jacobian = np.column_stack([(residuals(v + h) - r) / h.sum() for h in np.diag(step)])
        v = v - np.linalg.solve(jacobian.T @ jacobian, jacobian.T @ r)
    return shifted(v)


def _slid(camera: Camera, tops: NDArray[np.float64], px: NDArray[np.float64]) -> Camera:
    """The board turned and slid on its table: the rigid motion in the plane of the tops (Kabsch)."""
    seen = camera.on_plane(px, float(np.median(tops[:, 2])))
    a, b = tops[:, :2].mean(0), seen.mean(0)
    cross = (tops[:, :2] - a).T @ (seen - b)
    turn = np.arctan2(cross[0, 1] - cross[1, 0], cross[0, 0] + cross[1, 1])
    spin = _spin(turn)
    return _of_moved_board(camera, spin, np.array([*(b - spin[:2, :2] @ a), 0]))


def _spin(turn: float) -> NDArray[np.float64]:
    """(3, 3) a turn of the board on its table, radians."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _of_moved_board(camera: Camera, spin: NDArray[np.float64], slide: NDArray[np.float64]) -> Camera:
    """The camera as it sees the board once that was turned by ``spin`` (3, 3) and slid by ``slide`` (3,) cm."""
    return replace(camera, rotation=camera.rotation @ spin, translation=camera.translation + camera.rotation @ slide)


def _across(camera: Camera, tops: NDArray[np.float64], checker: float) -> NDArray[np.float64]:
    reach = np.array([checker / 2, 0, 0])
    ends = camera.project(tops + reach) - camera.project(tops - reach)
    return np.asarray(np.linalg.norm(ends, axis=1))
