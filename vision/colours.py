"""The colours of the two players' checkers, measured where they are known to stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import Position, Seat
from vision.table import Camera, Table

Rgb = tuple[float, float, float]
APART = 40.0  # of 255; two colours nearer than this may be exchanged by the light alone
SURE = 0.7  # cosine
LAYER = 5  # checkers of a point that lie side by side; more lie on each other somehow


def standing(position: Position) -> Iterator[tuple[int, int, Seat]]:
    """Every checker on a point whose place is known, as (near's point, index from the rail, owner): those of points with no more than
    `LAYER`."""
    for point, count in enumerate(position.points, start=1):
        for index in range(abs(count) if abs(count) <= LAYER else 0):
            yield point, index, Seat.NEAR if count > 0 else Seat.FAR


def checker_colours(image: NDArray[np.uint8], table: Table, position: Position) -> tuple[Rgb, Rgb]:
    """Median sRGB of near's and far's checker tops in ``image`` where ``position`` puts them."""
    samples: dict[Seat, list[NDArray[Any]]] = {Seat.NEAR: [], Seat.FAR: []}
    for point, index, seat in standing(position):
        patch = top_pixels(image, table.camera, np.array(table.checker_centre(point, index)), table.measures.checker)
        if len(patch):
            samples[seat].append(np.median(patch, axis=0))
    near, far = (np.median(np.array(samples[s]), axis=0)[::-1] if samples[s] else np.full(3, 128.0) for s in Seat)
    return (float(near[0]), float(near[1]), float(near[2])), (float(far[0]), float(far[1]), float(far[2]))


def exchanged(before: Table, now: Table) -> bool:
    """Whether near's checkers have become far's. Not where that is unsure."""
    return _likeness(before, now) < -SURE


def unexchanged(before: Table, now: Table) -> bool:
    """Whether near's checkers are near's still. Not where that is unsure."""
    return _likeness(before, now) > SURE


def _likeness(before: Table, now: Table) -> float:
    """How alike what tells near's checkers from far's is on two tables, -1..1; 0 where the colours are too alike. Other light leaves the
    darker the darker."""
    was, here = (np.subtract(table.near_rgb, table.far_rgb) for table in (before, now))
    apart = float(np.linalg.norm(was)), float(np.linalg.norm(here))
    return float(was @ here) / (apart[0] * apart[1]) if min(apart) >= APART else 0.0


def ring(across: float, corners: int = 16) -> NDArray[np.float64]:
    """The outline of a checker ``across`` cm wide about its top's centre, (corners, 3) cm."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return across / 2 * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(corners)])


def top_pixels(
    image: NDArray[np.uint8], camera: Camera, top: NDArray[Any], checker: float, inner: float = 0.0, outer: float = 0.68
) -> NDArray[np.uint8]:
    """BGR pixels (n, 3) of a checker's top whose centre is ``top`` (3,) cm, between the ``inner`` and ``outer`` share of its radius."""
    circle = ring(checker)
    outline = np.round(camera.project(top + outer * circle)).astype(np.int32)
    x, y, w, h = cv2.boundingRect(outline)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, image.shape[1]), min(y + h, image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return np.empty((0, 3), np.uint8)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, outline - (x0, y0), 1)
    if inner > 0:
        cv2.fillConvexPoly(mask, np.round(camera.project(top + inner * circle)).astype(np.int32) - (x0, y0), 0)
    return np.asarray(image[y0:y1, x0:x1][mask > 0], np.uint8)
