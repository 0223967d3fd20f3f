"""A die's side is no other die; and a die whose top face is burnt out is asked about, whatever one of its sides shows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.observations import DieState, Reading, SeenDie
from vision.boardfile import SetUpLook
from vision.dice.crops import Look
from vision.dice.sides import may_be_a_side, side_doubts, top_burnt_out
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
