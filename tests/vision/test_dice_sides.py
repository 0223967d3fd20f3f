"""A die's side is no other die; and a die whose top face is burnt out is asked about, whatever one of its sides shows."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.observations import DieState, Reading, SeenDie
from tests.vision.drawn_table import table, view_at
from vision.boardfile import SetUpLook
from vision.dice.crops import Look
from vision.dice.sides import is_a_side, may_be_a_side, side_doubts, top_burnt_out
from vision.pictures import load_picture
from vision.reader import Reader
from vision.training.labels import load_labels, true_table

BURNT = Path(__file__).parent.parent / "data" / "burnt" / "test-038553"
EDGE = 20.0


def read(name: str) -> tuple[Reading, list[dict[str, Any]]]:
    """What is read in a picture, and the dice that are in it."""
    labels = load_labels(BURNT)
    start, frame = (next(f for f in labels["frames"] if f["image"] == image) for image in ("f00.jpg", name))
    reading = Reader(true_table(BURNT, labels), SetUpLook(load_picture(BURNT / start["image"]))).read(load_picture(BURNT / name))
    return reading, frame["dice"]


def test_a_side_that_is_read_for_a_burnt_out_top_face_is_in_doubt() -> None:
    reading, dice = read("f01.jpg")
    in_doubt = {doubt.centre for doubt in reading.doubts if doubt.code == "value"}
    nearest = [min(reading.dice, key=lambda s: math.dist(s.centre, die["centre_px"])) for die in dice]
    wrong = [s for s, die in zip(nearest, dice, strict=True) if s.value != die["value"]]
    assert len(wrong) == 1
    assert wrong[0].centre in in_doubt


def test_why_a_burnt_out_die_is_in_doubt_is_said_and_of_no_other_die() -> None:
    reading, _ = read("f01.jpg")
    assert {d.centre for d in reading.doubts if d.code == "burnt_out"} == {d.centre for d in reading.doubts if d.code == "value"}
    image = np.full((60, 60, 3), 255, np.uint8)
    assert top_burnt_out(image, (30.0, 30.0), EDGE)
    cv2.rectangle(image, (25, 25), (35, 35), (120, 120, 120), -1)
    assert not top_burnt_out(image, (30.0, 30.0), EDGE)


@pytest.mark.parametrize("name", ["f01.jpg", "f04.jpg"])
def test_a_side_is_no_other_die(name: str) -> None:
    reading, dice = read(name)
    assert len(reading.dice) == len(dice)
    for seen, die in zip(reading.dice, sorted(dice, key=lambda die: die["centre_px"][0]), strict=True):
        assert math.dist(seen.centre, die["centre_px"]) < 4


@pytest.mark.parametrize(
    ("above", "elevation", "doubted"), [(255, 45.0, True), (150, 45.0, False), (255, 75.0, False), (255, None, False)]
)
def test_only_what_lies_below_something_burnt_out_and_is_seen_from_aslant_may_be_a_side(
    above: int, elevation: float | None, doubted: bool
) -> None:
    image = np.full((100, 100, 3), 90, np.uint8)
    cv2.rectangle(image, (40, 25), (60, 43), (above,) * 3, -1)
    assert may_be_a_side(image, Look((50.0, 53.0), EDGE, 0.0, elevation)) is doubted


@pytest.mark.parametrize(("elevation", "doubted"), [(56.0, True), (60.0, False)])
def test_from_higher_up_a_side_is_seen_too_narrow_to_be_read(elevation: float, doubted: bool) -> None:
    image = np.full((100, 100, 3), 90, np.uint8)
    cv2.rectangle(image, (40, 25), (60, 43), (255,) * 3, -1)
    assert may_be_a_side(image, Look((50.0, 53.0), EDGE, 0.0, elevation)) is doubted


@pytest.mark.parametrize(("rows", "doubted"), [((0, 39), True), ((0, 32), False), ((33, 43), True), ((39, 43), False), ((30, 53), False)])
def test_a_face_is_a_side_where_what_is_seen_over_it_near_or_far_is_mostly_burnt_out_and_it_is_not(
    rows: tuple[int, int], doubted: bool
) -> None:
    """Of the ``rows`` that are burnt out those from 32 to 46 lie where a top face over a side would be seen, from 48 to 58 the side."""
    image = np.full((100, 100, 3), 90, np.uint8)
    image[rows[0] : rows[1]] = 255
    assert may_be_a_side(image, Look((50.0, 53.0), EDGE, 0.0, 45.0)) is doubted


@pytest.mark.parametrize("way", [-0.6, 0.0, 0.6])
@pytest.mark.parametrize(("off", "tilted", "a_side"), [(0.0, 0.8, True), (0.3, 0.8, False), (0.0, 0.3, False)])
def test_a_side_of_a_die_is_told_by_where_it_lies_and_that_it_seems_tilted(way: float, off: float, tilted: float, a_side: bool) -> None:
    """``way``: radians by which the side is turned from the camera; ``off``: edges from its middle."""
    board, (x, y) = table(50), (0.0, 4.0)
    half = board.measures.die / 2
    die = view_at(board, x, y, 2 * half)
    seen = view_at(board, x + half * math.sin(way), y - half * math.cos(way), half, tilted=tilted)
    seen = replace(seen, centre=(seen.centre[0], seen.centre[1] + off * die.edge))
    assert is_a_side(seen, [die, seen], board) is a_side


def test_a_burnt_out_face_itself_is_no_side_below_one() -> None:
    assert not may_be_a_side(np.full((100, 100, 3), 255, np.uint8), Look((50.0, 50.0), EDGE, 0.0, 45.0))


@pytest.mark.parametrize("value", range(1, 7))
def test_what_a_side_shows_leaves_every_face_but_the_opposite_one(value: int) -> None:
    (doubt,) = side_doubts(SeenDie(value, DieState.FLAT, None, (5.0, 5.0), 0.9, ()))
    assert doubt.code == "value"
    assert doubt.values[0] == value
    assert sorted(doubt.values) == sorted(set(range(1, 7)) - {7 - value})


def test_what_looks_cocked_by_a_side_may_lie_flat() -> None:
    (doubt,) = side_doubts(SeenDie(3, DieState.COCKED, None, (5.0, 5.0), 0.9, ()))
    assert doubt.code == "state"
    assert not side_doubts(SeenDie(3, DieState.ON_BAR, None, (5.0, 5.0), 0.9, ()))
