"""Labelled set-ups turned into strips for training and measuring the checker reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.checkers.colours import Palette, learn_palette, likeness_table, occupancy
from vision.checkers.input import column_maps, known_columns, net_input
from vision.checkers.strips import STRIPS, WIDE, Cut, Image, StripCutter
from vision.finder import BoardNotFound, find_table
from vision.pictures import load_picture
from vision.table import Camera, Table
from vision.training.labels import labelled_table, load_labels, start_of

MARGIN = 4  # px kept around every wide strip, for shifting it in training; of others the same part of a checker
# What hands hide in the labelled pictures that do not say so: (strips hidden, strips partly hidden), points and 0 for the bar.
HIDDEN_BY_HAND: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "dev04/f05.jpg": ((13,), (14,)),
    "dev07/f03.jpg": ((1, 2), (3,)),
    "dev08/f01.jpg": ((1,), (2, 3, 24)),
    "dev11/f01.jpg": ((1, 21, 22, 23), (2, 3, 20, 24)),
    "dev14/f04.jpg": ((13, 14, 15), (11, 12, 16)),
    "hd05/f01.jpg": ((0, 19, 20), (5, 6, 18, 21)),
    "hd07/f04.jpg": ((18,), (0, 7, 8, 17)),
    "hd07/f05.jpg": ((17, 18), (0, 9, 10, 16, 19)),
    "hd08/f05.jpg": ((23, 24), (22,)),
}
UNKNOWN = -1.0  # visibility nobody labelled


def visible_shares(folder: Path, frame: dict[str, Any]) -> NDArray[np.float32]:
    """How much of each point and (last) the bar is in sight, (25,), or `UNKNOWN`."""
    seen = np.ones(STRIPS, np.float32)
    if "visible" in frame:
        return np.array(frame["visible"], np.float32)
    if frame.get("occluded"):
        name = f"{folder.name}/{frame['image']}"
        if name not in HIDDEN_BY_HAND:
            return np.full(STRIPS, UNKNOWN, np.float32)
        hidden, partly = HIDDEN_BY_HAND[name]
        seen[[p - 1 for p in hidden]], seen[[p - 1 for p in partly]] = 0.2, 0.7
    return seen


def misplaced(table: Table, rng: np.random.Generator, size: float = 1.0) -> Table:
    """The table as a board finder might report it: no lens distortion, the focal length some percent wrong and the pose bent
    to suit it, places a few millimetres off, heights and measures guessed."""
    m, camera = table.measures, table.camera
    spots = np.array([table.checker_centre(p, i) for p in range(1, 25) for i in (0, 2, 4)])
    drift = rng.normal(0, 0.12 * size, 2) + spots[:, :2] @ rng.normal(0, 0.004 * size, (2, 2))
    seen = camera.project(spots + np.column_stack([drift, np.zeros(len(spots))]))
    matrix = camera.matrix.copy()
    matrix[[0, 1], [0, 1]] *= float(np.exp(rng.normal(0, 0.1 * size)))
    matrix[:2, 2] = np.array(camera.size) / 2
    turn, _ = cv2.Rodrigues(camera.rotation)
    far = camera.translation.reshape(3, 1) * matrix[0, 0] / camera.matrix[0, 0]
    ok, turn, shift = cv2.solvePnP(spots, seen, matrix, None, turn.copy(), far.copy(), True, cv2.SOLVEPNP_ITERATIVE)
    if not ok:
        return table
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    found = Camera(matrix, np.zeros(5), rotation, np.asarray(shift, np.float64).reshape(3), camera.size)
    measures = replace(
        m,
        inner=(m.inner[0], m.inner[1] + rng.normal(0, 0.12 * size)),
        bar=m.bar + rng.normal(0, 0.1 * size),
        checker=m.checker * (1 + rng.normal(0, 0.02 * size)),
        checker_height=m.checker_height * (1 + rng.normal(0, 0.05 * size)),
        bar_height=m.checker / 2 if rng.random() < 0.6 * size else max(0.0, m.bar_height + rng.normal(0, 0.3 * size)),  # or the usual guess
    )
    return replace(table, camera=found, measures=measures)


def with_views(folders: list[Path], views: list[int]) -> list[tuple[Path, int]]:
    """Each folder with its number of wrong tables; the last of the ``views`` is meant for all that follow."""
    return [(folder, views[min(k, len(views) - 1)]) for k, folder in enumerate(folders)]


NEAR_ENOUGH = 0.5  # checker diameters: how far off a found table's points may be


def found_table(true: Table, picture: Image) -> Table:
    """The table as our board finder makes it of the known ``picture``; the ``true`` one where it does not find the board."""
    try:
        table = find_table(picture)
    except BoardNotFound:
        return true
    spots = np.array([true.checker_centre(p, 1) for p in range(1, 25)])
    there = np.array([table.checker_centre(p, 1) for p in range(1, 25)])
    away = np.linalg.norm(true.camera.project(spots) - table.camera.project(there), axis=1)
    across = np.linalg.norm(np.diff(true.camera.project(spots[:6]), axis=0), axis=1)
    return table if away.max() < NEAR_ENOUGH * float(across.min()) else true


def wrong_tables(true: Table, start: Image | None, rng: np.random.Generator, views: int, size: float = 1.0) -> Iterator[Table]:
    """``views`` tables as they may be at the game: misplaced at random, and every second one a little off what the board finder makes
    of the picture ``start`` of the starting position."""
    by_finder = true if start is None or views < 2 else found_table(true, start)
    for view in range(views):
        yield misplaced(by_finder, rng, 0.25 * size) if view % 2 and by_finder is not true else misplaced(true, rng, size)


@dataclass(frozen=True, eq=False)
class Sample:
    """All strips of one picture, with margins, and what is on them."""

    cut: Cut
    strips: Image  # (25 or 24, length + 2 margins, width + 2 margins, 3)
    inside: NDArray[np.bool_]
    start: Image
    occupied: Image
    drift: NDArray[np.float32]
    palette: Palette
    points: NDArray[np.int64]  # 24 signed counts
    bar: tuple[int, int]
    visible: NDArray[np.float32]  # 25 shares, or UNKNOWN
    columns: NDArray[np.int64]  # (25, 2), `known_columns`


def margin_of(cut: Cut) -> int:
    """px kept around every strip."""
    return round(MARGIN * cut.scale / WIDE.scale)


def middle_of(sample: Sample) -> tuple[slice, slice, slice]:
    """The strips of a sample without their margins."""
    m, cut = margin_of(sample.cut), sample.cut
    return slice(None), slice(m, m + cut.length), slice(m, m + cut.width)


def all_maps(sample: Sample) -> NDArray[np.uint8]:
    """The twenty maps (n, 20, length, width) of an unchanged sample's strips."""
    crop = middle_of(sample)
    strips, start = np.ascontiguousarray(sample.strips[crop]), sample.start[crop]
    maps = net_input(strips, sample.inside[crop], sample.drift, likeness_table(sample.palette), start, sample.occupied[crop])
    columns = column_maps(start, sample.columns[: len(strips)], (sample.cut.length, sample.cut.width))
    return np.concatenate([maps, columns], 1)


def samples_of(folder: Path, rng: np.random.Generator, views: int, misplace: float = 1.0, cut: Cut = WIDE) -> list[Sample]:
    """Every picture of a set-up, as seen through ``views`` slightly wrong tables; every second one is what the board finder makes."""
    labels = load_labels(folder)
    if "R" not in labels["camera"]:
        return []
    true = labelled_table(labels)
    frames = labels["frames"]
    first = start_of(labels)
    standing = tuple(first["position"]["points"])
    pictures = {f["image"]: load_picture(folder / f["image"]) for f in frames}
    margin = margin_of(cut)
    found = []
    for table in wrong_tables(true, pictures[first["image"]] if standing == START.points else None, rng, views, misplace):
        cutter = StripCutter(table, margin, cut)
        start = cutter.cut(pictures[first["image"]])
        palette = learn_palette(start if cut is WIDE else StripCutter(table).cut(pictures[first["image"]]), standing)
        occupied = occupancy(standing, cut, margin)
        for f in frames:  # the known picture too: what has not changed has not changed
            found.append(
                Sample(
                    cut,
                    cutter.cut(pictures[f["image"]]),
                    cutter.inside,
                    start,
                    occupied,
                    cutter.drift,
                    palette,
                    np.array(f["position"]["points"]),
                    tuple(f["position"]["bar"]),
                    visible_shares(folder, f),
                    known_columns(standing),
                )
            )
    return found
