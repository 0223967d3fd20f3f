"""Somebody's shadow, a second lamp, the sun, a camera with another tone curve: what is read is what is read in the light of set-up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.observations import SeenPosition
from tests.found import found_in
from vision.boardfile import SetUpLook
from vision.checkers.shade import AROUND, STEP, change_in_parts
from vision.pictures import Image, load_picture
from vision.reader import Reader
from vision.training.labels import load_labels

BOARDS = Path(__file__).parent.parent / "data" / "boards"
ROWS, COLUMNS = 22, 28


def ground(seed: int) -> NDArray[np.float64]:
    """(rows, columns, 3): blocks of a board with points of two colours on a field."""
    rng = np.random.default_rng(seed)
    field, *points = rng.uniform(60, 170, (3, 3))
    board = np.tile(field, (ROWS, COLUMNS, 1))
    for x in range(0, COLUMNS, 2):
        board[:9, x] = board[13:, x] = points[x // 2 % 2]
    return board * rng.normal(1, 0.01, board.shape)


def with_moved(board: NDArray[np.float64], seed: int, columns: int) -> NDArray[np.float64]:
    """The same with checkers come to so many ``columns`` of points."""
    rng = np.random.default_rng(seed + 1)
    colours = rng.uniform(40, 220, (2, 3))
    changed = board.copy()
    for x in rng.choice(COLUMNS // 2, columns, replace=False) * 2:
        top, deep = rng.random() < 0.5, int(rng.integers(2, 9))
        changed[slice(0, deep) if top else slice(ROWS - deep, ROWS), x : x + 2] = colours[rng.integers(2)]
    return changed


def most_about_a_place(changed: NDArray[np.bool_]) -> float:
    """The largest share of the blocks about one that have ``changed`` (rows, columns)."""
    reach = round(AROUND / STEP)
    disc = cv2.circle(np.zeros((2 * reach + 1, 2 * reach + 1), np.float32), (reach, reach), reach, (1.0,), -1)
    parts = changed.astype(np.float32), np.ones(changed.shape, np.float32)
    some, whole = (cv2.filter2D(part, -1, disc, borderType=cv2.BORDER_CONSTANT) for part in parts)
    return float((some / whole).max())


@given(st.integers(0, 999), st.floats(0.5, 0.75), st.integers(0, 6), st.booleans())
@settings(max_examples=50, deadline=None)
def test_a_shadow_over_half_the_board_is_told_from_checkers_that_came(seed: int, dark: float, moved: int, across: bool) -> None:
    light = np.ones((ROWS, COLUMNS, 1))
    light[(slice(None), slice(COLUMNS // 2, None)) if across else slice(ROWS // 2, None)] = dark
    change = change_in_parts(with_moved(ground(seed), seed, moved) * light, ground(seed), np.ones((ROWS, COLUMNS), bool))
    assert change is not None
    shadow = light[..., 0] < 1
    assert np.median(change[shadow]) == pytest.approx(-np.log(dark), abs=0.06)
    assert np.median(change[~shadow]) == pytest.approx(0, abs=0.06)


@given(st.integers(0, 999), st.floats(0.6, 1.4), st.integers(0, 6))
@settings(max_examples=50, deadline=None)
def test_light_that_is_alike_everywhere_has_not_changed_in_parts(seed: int, gain: float, moved: int) -> None:
    changed = with_moved(ground(seed), seed, moved)
    assume(most_about_a_place((changed != ground(seed)).any(-1)) < 0.6)  # where most has changed alike, it may as well be a shadow
    now = changed * gain
    assert change_in_parts(now, ground(seed), np.ones((ROWS, COLUMNS), bool)) is None


def test_another_picture_tells_nothing_of_the_light() -> None:
    rng = np.random.default_rng(3)
    now, was = rng.uniform(40, 200, (2, ROWS, COLUMNS, 3))
    assert change_in_parts(now, was, np.ones((ROWS, COLUMNS), bool)) is None


def shadow(picture: Image) -> NDArray[np.float64]:
    """Somebody leans over the near right of the table."""
    x, y = _places(picture)
    return picture * (1 - 0.4 / (1 + np.exp(-(x + y - 1.1) / 0.02)))[..., None]


def second_lamp(picture: Image) -> NDArray[np.float64]:
    """A warm lamp to the right is put on, and the camera exposes for it."""
    x, _ = _places(picture)
    return picture * (0.6 + 0.6 * x)[..., None] * np.stack([1 - 0.2 * x, np.ones_like(x), np.ones_like(x)], -1)


def steep(picture: Image) -> NDArray[np.float64]:
    """A camera that has come to render dark darker."""
    return np.asarray(255 * (picture / 255) ** 1.4)


def flat(picture: Image) -> NDArray[np.float64]:
    """One that lifts shadows and lowers lights."""
    return np.asarray(picture * 0.75 + 30)


def _places(picture: Image) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    return x / picture.shape[1], y / picture.shape[0]


@cache
def _usual(folder: str) -> tuple[Reader, list[tuple[Image, SeenPosition]]]:
    """The reader of the board in a folder, and what it reads in each picture as it is."""
    start = load_picture(BOARDS / folder / "f00.jpg")
    reader = Reader(found_in(BOARDS / folder / "f00.jpg"), SetUpLook(start))
    pictures = [load_picture(BOARDS / folder / frame["image"]) for frame in load_labels(BOARDS / folder)["frames"][1:]]
    read = [(picture, reader.read(picture).position) for picture in pictures]
    return reader, [(picture, position) for picture, position in read if position is not None]


@pytest.mark.parametrize("change", [shadow, second_lamp, steep, flat])
@pytest.mark.parametrize("folder", ["train-001000", "train-002000"])
def test_what_stands_on_the_board_is_read_in_another_light(folder: str, change: Callable[[Image], NDArray[np.float64]]) -> None:
    reader, pictures = _usual(folder)
    assert pictures
    for picture, usual in pictures:
        read = reader.read(change(picture).clip(0, 255).astype(np.uint8)).position
        assert read is not None and (read.points, read.bar) == (usual.points, usual.bar)


def test_in_bands_of_hard_light_checkers_of_the_other_player_are_not_seen_without_a_doubt() -> None:
    reader, pictures = _usual("train-001000")
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_board = cv2.getPerspectiveTransform(reader.table.corners().astype(np.float32), corners)
    for picture, usual in pictures:
        y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
        along = cv2.perspectiveTransform(np.stack([x, y], -1).reshape(1, -1, 2).astype(np.float32), to_board)[0, :, 0].reshape(x.shape)
        light = cv2.GaussianBlur(np.exp(0.5 * np.sign(np.sin(4 * np.pi * (along - 0.5)))), (0, 0), 6)
        reading = reader.read((picture * light[..., None]).clip(0, 255).astype(np.uint8))
        assert reading.position is not None
        doubted = {doubt.point for doubt in reading.doubts}
        swapped = {p for p, (now, was) in enumerate(zip(reading.position.points, usual.points, strict=True), start=1) if now * was < 0}
        assert swapped <= doubted
