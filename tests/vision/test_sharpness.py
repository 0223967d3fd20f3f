"""A lens that goes out of focus is told from all that goes on before it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.grain import grainy
from vision.camera.gate import Gate, Health, Judged
from vision.camera.sharpness import DIE_PX, edges, sharpness, too_soft
from vision.pictures import load_picture
from vision.training.labels import true_table

Image = NDArray[Any]
BOARDS = Path(__file__).parents[1] / "data" / "boards"
FPS = 5
NAMES = ("test-000129", "train-001000", "train-002000")  # one of few edges, one of many, one of little contrast


def board(name: str) -> Image:
    return np.asarray(cv2.resize(load_picture(BOARDS / name / "f00.jpg"), (1280, 720), interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("name", NAMES)
def test_set_up_tells_a_picture_too_blurred_for_dice_from_one_in_focus(name: str) -> None:
    seen, table = load_picture(BOARDS / name / "f00.jpg"), true_table(BOARDS / name)
    noisy = np.clip(seen * 0.6 + np.random.default_rng(1).normal(0, 4, seen.shape), 0, 255).astype(np.uint8)
    assert not any(too_soft(image, table) for image in (seen, noisy, soft(seen, 0.04 * table.die_px)))
    assert too_soft(soft(seen, 0.16 * max(table.die_px, DIE_PX)), table)


class Stream:
    """A gate, and a camera with noise of its own."""

    def __init__(self) -> None:
        self._gate, self._count = Gate(), 0

    def sees(self, image: Image, seconds: float, noise: float = 3.0) -> list[Health]:
        """How the camera is as ``image`` stays before it."""
        return [look.health for look in self.looks(image, seconds, noise)]

    def looks(self, image: Image, seconds: float, noise: float = 3.0) -> list[Judged]:
        out = []
        for _ in range(round(seconds * FPS)):
            self._count += 1
            out.append(self._gate.see(grainy(image, self._count, noise), self._count / FPS))
        return out


def soft(image: Image, px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), px))


def with_arm(image: Image) -> Image:
    """An arm without a feature over nearly half the board, its shadow beside it."""
    out = image.copy()
    out[:, 300:480] = out[:, 300:480] // 2
    cv2.rectangle(out, (480, 0), (900, 600), (120, 150, 190), -1)
    return np.asarray(out)


@pytest.mark.parametrize("name", NAMES)
def test_a_lens_three_pixels_out_of_focus_is_named_until_it_is_put_right(name: str) -> None:
    stream, seen = Stream(), board(name)
    assert set(stream.sees(seen, 2)) == {Health.GOOD}
    out_of_focus = stream.sees(soft(seen, 3), 3)
    assert set(out_of_focus[:5]) == {Health.GOOD}, "a lens may look for its focus for a moment"
    assert set(out_of_focus[-3:]) == {Health.BLURRED}
    assert stream.sees(seen, 2)[-1] is Health.GOOD


@pytest.mark.parametrize("name", NAMES)
def test_what_lies_over_the_board_and_other_light_are_no_blur(name: str) -> None:
    stream, seen = Stream(), board(name)
    scenes: Iterable[tuple[Image, float]] = (
        (seen, 9.0), (with_arm(seen), 3.0), (seen, 3.0), (seen // 2, 3.0), (soft(seen, 0.8), 3.0), (np.roll(seen, 40, axis=1), 1.0),
        (np.full_like(seen, 110), 2.0), (seen, 3.0),
    )  # fmt: skip
    assert {health for scene, noise in scenes for health in stream.sees(scene, 3, noise)} == {Health.GOOD, Health.COVERED}


@pytest.mark.parametrize("name", NAMES)
def test_blur_is_told_by_the_same_scene_alone(name: str) -> None:
    """What is held before the lens for long is what later pictures are compared with, and then the board again."""
    stream, seen = Stream(), board(name)
    snow = np.random.default_rng(2).integers(90, 160, (720, 1280, 1), np.uint8).repeat(3, 2)
    for scene in (seen, snow, seen):
        assert set(stream.sees(scene, 8)) == {Health.GOOD}
    assert stream.sees(soft(seen, 3), 3)[-1] is Health.BLURRED, "and blur is still named"


def test_a_lens_that_loses_its_focus_behind_a_hand_or_before_another_board_is_named() -> None:
    stream, seen, other = Stream(), board(NAMES[0]), board(NAMES[1])
    hand = np.full_like(seen, 110)
    assert [set(stream.sees(scene, seconds)) for scene, seconds in ((seen, 8), (hand, 1))] == [{Health.GOOD}, {Health.COVERED}]
    assert stream.sees(soft(seen, 3), 3)[-1] is Health.BLURRED
    assert stream.sees(other, 8)[-1] is Health.GOOD
    assert stream.sees(soft(other, 3), 3)[-1] is Health.BLURRED


def test_while_a_lens_looks_for_its_focus_nothing_is_read_in_which_dice_are_overlooked() -> None:
    stream, seen = Stream(), board(NAMES[0])
    assert stream.looks(seen, 2)[-1].settled
    sought = stream.looks(soft(seen, 3), 0.8)
    assert [look for look in sought if look.settled] == []
    assert {look.health for look in sought} == {Health.GOOD}, "it may find it yet"
    assert stream.looks(seen, 0.6)[-1].settled


def test_a_camera_that_finds_its_focus_only_later_is_measured_by_that() -> None:
    stream, seen = Stream(), board(NAMES[1])
    for scene in (soft(seen, 3), seen):
        assert set(stream.sees(scene, 3)) == {Health.GOOD}
    assert stream.sees(soft(seen, 3), 3)[-1] is Health.BLURRED


@pytest.mark.parametrize("size", [(16, 16), (31, 400), (2000, 60)])
def test_small_and_narrow_pictures_are_compared_too(size: tuple[int, int]) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8)
    assert sharpness(edges(picture), edges(picture)) is None  # too little of the same is there to tell
