"""Inlaid sets, both players' checkers of which are the same but for their rims: where on a checker its colours are tells whose it is."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.checkers.colours import disc_mask, neat_spots
from vision.checkers.reader import CheckerReader
from vision.checkers.strips import STRIPS, WIDE, Image, StripCutter
from vision.checkers.whose import learn_whose
from vision.colours import LAYER
from vision.pictures import load_picture
from vision.table import Table
from vision.training.labels import load_labels, start_of, true_position, true_table

BOARDS = Path(__file__).parent.parent / "data" / "boards"
SET_UPS = sorted(p.parent.name for p in BOARDS.glob("*/labels.json") if len(load_labels(p.parent)["frames"]) > 1)
SIDE, WHOLE = 64, 0.8  # px of the drawn inlay; its share of a checker's width
LIGHT, DARK, RED = (60, 150, 215), (40, 60, 90), (40, 40, 170)  # woods, BGR


def star() -> NDArray[np.float32]:
    """(`SIDE`, `SIDE`, 3): a star of two woods about a red disc."""
    x, y = np.meshgrid(*[(np.arange(SIDE) + 0.5) / SIDE * 2 - 1] * 2)
    far = np.hypot(x, y)
    tile = np.where((np.cos(4 * np.arctan2(y, x)) / 2 + 0.75 > 1.5 * far)[..., None], LIGHT, DARK).astype(np.float32)
    tile[far < 0.25] = RED
    return tile


def inlaid(image: Image, table: Table, position: Position) -> Image:
    """The picture with the same inlay laid into every checker of the lowest layer."""
    reach = table.measures.checker * WHOLE / 2
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    disc = cv2.circle(np.zeros((SIDE, SIDE), np.float32), (SIDE // 2, SIDE // 2), SIDE // 2 - 1, 1.0, -1)
    out = image.astype(np.float32)
    for point, count in enumerate(position.points, 1):
        for k in range(min(LAYER, abs(count))):
            x, y, z = table.checker_centre(point, k)
            corners = [(x + u * reach, y + v * reach, z) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            px = table.camera.project(np.array(corners))
            left, top = np.maximum(np.floor(px.min(0)).astype(int) - 2, 0)
            ground = out[top : int(px[:, 1].max()) + 3, left : int(px[:, 0].max()) + 3]  # beyond it nothing changes
            change = cv2.getPerspectiveTransform(square, (px - (left, top)).astype(np.float32))
            size = (ground.shape[1], ground.shape[0])
            share = cv2.warpPerspective(disc, change, size)[..., None]
            ground += (cv2.warpPerspective(star(), change, size, flags=cv2.INTER_AREA) - ground) * share
    return out.astype(np.uint8)


@pytest.mark.parametrize("name", SET_UPS)
def test_no_checker_of_an_inlaid_set_is_given_to_the_other_player(name: str) -> None:
    labels, table = load_labels(BOARDS / name), true_table(BOARDS / name)
    start, *frames = sorted(labels["frames"], key=lambda f: f["role"] != "calibration")
    reader = CheckerReader(table, inlaid(load_picture(BOARDS / name / start["image"]), table, true_position(start)))
    for frame in (f for f in frames if not f.get("occluded")):
        position = true_position(frame)
        answer = reader.read(inlaid(load_picture(BOARDS / name / frame["image"]), table, position))
        assert all(n * m >= 0 for n, m in zip(answer.position.points, position.points, strict=True)), frame["image"]
        assert answer.position.points == position.points or answer.doubts, frame["image"]


def shown(points: tuple[int, ...], near: tuple[int, int, int], far: tuple[int, int, int]) -> Image:
    """Strips of inlaid checkers with such rims, a little off their places, on a field of one colour."""
    rng = np.random.default_rng(3)
    strips = np.full((STRIPS, WIDE.length, WIDE.width, 3), (70, 110, 60), np.float64)
    for point, count in enumerate(points):
        spots = [(along + rng.uniform(0, 0.05), rng.normal(0, 0.03)) for along, _ in neat_spots(count)]
        for radius, colour in ((0.5, near if count > 0 else far), (0.38, LIGHT), (0.3, DARK), (0.15, RED)):
            strips[point][disc_mask(WIDE, spots, radius)] = colour
    return np.clip(strips + rng.normal(0, 4, strips.shape), 0, 255).astype(np.uint8)


def test_colours_that_both_players_have_tell_whose_a_checker_is_by_their_place() -> None:
    whose = learn_whose(shown(START.points, LIGHT, DARK), START.points)
    assert whose is not None
    points = (-1, 2, -3, 4, -5, 6, 0, *START.points[7:])
    odds = whose.odds(shown(points, LIGHT, DARK))
    for point, count in enumerate(points):
        if count:
            assert odds[point, 15 + count] > 1 > -1 > odds[point, 15 - count], point
    assert np.array_equal(odds, -odds[:, ::-1]), "what speaks for one player speaks against the other, and none is as likely as it was"


@pytest.mark.parametrize("name", SET_UPS)
def test_other_sets_are_told_apart_by_their_colours_too(name: str) -> None:
    labels = load_labels(BOARDS / name)
    frames = labels["frames"]
    cutter = StripCutter(true_table(BOARDS / name))
    start = start_of(labels)
    whose = learn_whose(cutter.cut(load_picture(BOARDS / name / start["image"])), true_position(start).points)
    assert whose is not None
    told = []
    for frame in frames:
        if not frame.get("occluded"):
            odds = whose.odds(cutter.cut(load_picture(BOARDS / name / frame["image"])))
            told += [odds[point, 15 + count] > 0 for point, count in enumerate(true_position(frame).points) if count]
    assert np.mean(told) > 0.9
