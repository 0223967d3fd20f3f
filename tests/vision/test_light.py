"""Rooms are dim, the light changes during a match, and cameras change their exposure and white balance: what is read stays the same."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.observations import Reading, SeenDie
from tests.found import remembered
from vision.boardfile import SetUpLook
from vision.checkers.set_up_light import SetUpLight
from vision.light import Means, brightened, change_of_light, change_of_tone, well_lit
from vision.pictures import load_picture
from vision.reader import Reader
from vision.training.labels import load_labels

BOARDS = Path(__file__).parent.parent / "data" / "boards"
BALANCES = [(0.6, 0.6, 0.6), (0.7, 0.85, 1.0), (1.1, 0.87, 1.1)]


def levels(seed: int) -> Means:
    """(240, 3): the means of blocks of any colour that is neither dark nor burnt."""
    return np.random.default_rng(seed).integers(60, 130, (240, 3)).astype(float)


@given(st.integers(0, 999), st.tuples(*[st.floats(0.55, 1.7)] * 3), st.floats(0, 0.5))
@settings(max_examples=60, deadline=None)
def test_the_change_is_told_by_what_has_not_been_moved(seed: int, light: tuple[float, float, float], moved: float) -> None:
    start = levels(seed)
    now = np.where(np.random.default_rng(seed).random((240, 1)) < moved, levels(seed + 1000), start)
    change = change_of_light(now * light, start)
    if max(abs(np.log(light))) < 0.02:
        assert change is None
    elif max(abs(np.log(light))) > 0.05:
        assert change is not None
        assert change * light == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(("times", "told"), [(1.02, False), (1.05, True), (0.98, False), (0.36, True), (0.32, False)])
def test_a_change_so_slight_that_nothing_comes_of_it_and_one_too_great_to_be_made_good_are_none(times: float, told: bool) -> None:
    assert (change_of_light(levels(3) * times, levels(3)) is not None) is told


def test_where_little_is_as_it_was_nothing_is_told_of_the_light() -> None:
    for change in (change_of_light, change_of_tone):
        assert change(levels(1), levels(2)) is None, "another picture"
        assert change(np.full_like(levels(1), 3), levels(1)) is None, "a dark one"


@given(st.integers(0, 999), st.one_of(st.floats(0.6, 0.8), st.floats(1.25, 1.8)), st.floats(0.8, 1.2), st.floats(0, 0.4))
@settings(max_examples=60, deadline=None)
def test_a_tone_curve_is_told_by_what_has_not_been_moved(seed: int, gamma: float, gain: float, moved: float) -> None:
    rng = np.random.default_rng(seed)
    start = rng.uniform(30, 200, (600, 1)) * rng.uniform(0.8, 1.2, (600, 3))
    shown = np.where(rng.random((600, 1)) < moved, rng.permutation(start), start)
    tone = change_of_tone(200 * gain * (shown / 200) ** gamma, start)
    assert tone is not None
    for level in (60, 120):
        now = round(200 * gain * (level / 200) ** gamma)
        assert tone[now].astype(float) == pytest.approx(level, rel=0.08)


def test_a_mere_gain_is_no_tone_curve() -> None:
    start = np.random.default_rng(5).uniform(30, 200, (600, 3))
    for gain in (0.6, 1.0, 1.2):
        assert change_of_tone(start * gain, start) is None


@pytest.mark.parametrize("gamma", [0.3, 3.0])
def test_a_curve_steeper_or_flatter_than_a_camera_bends_it_is_none(gamma: float) -> None:
    start = np.random.default_rng(5).uniform(60, 150, (600, 3))
    assert change_of_tone(100 * (start / 100) ** gamma, start) is None


def test_past_what_the_board_tells_a_tone_curve_goes_on_as_a_mere_gain() -> None:
    """A lamp or a dark table beside the board is not bent on by what the board shows of the curve."""
    start = np.random.default_rng(5).uniform(60, 150, (600, 3))
    tone = change_of_tone(100 * (start / 100) ** 1.7, start)
    assert tone is not None
    bright, dark = tone[[210, 240]].mean(1), tone[[20, 40]].mean(1)
    assert bright[1] / bright[0] == pytest.approx(240 / 210, rel=0.02)
    assert dark[1] / dark[0] == pytest.approx(2.0, rel=0.05)


def test_a_picture_is_made_as_bright_as_the_table_was() -> None:
    picture = np.full((4, 5, 3), (100, 120, 140), np.uint8)
    assert brightened(picture, np.array([0.5, 1.0, 2.0]))[2, 3].tolist() == [50, 120, 255]


@pytest.mark.parametrize("folder", ["train-001000", "train-002000"])
def test_checkers_are_read_in_another_light_as_in_that_of_set_up(folder: str) -> None:
    start = load_picture(BOARDS / folder / "f00.jpg")
    reader = Reader(remembered(start), SetUpLook(start))
    for frame in load_labels(BOARDS / folder)["frames"][1:]:
        picture = load_picture(BOARDS / folder / frame["image"])
        usual = reader.read(picture)
        for balance in BALANCES:
            read = reader.read((picture * np.array(balance)).clip(0, 255).astype(np.uint8))
            assert read.position is not None and usual.position is not None
            assert (read.position.points, read.position.bar) == (usual.position.points, usual.position.bar)


@pytest.mark.parametrize(("folder", "share"), [("test-022012", 0.15), ("train-002000", 0.3)])
def test_a_dim_room_is_set_up_and_read_like_a_bright_one(folder: str, share: float) -> None:
    bright, dim = ([_lit(path, light) for path in sorted((BOARDS / folder).glob("f*.jpg"))] for light in (1.0, share))
    usual, reader = (Reader(remembered(pictures[0]), SetUpLook(pictures[0])) for pictures in (bright, dim))
    for picture, same in zip(bright[1:], dim[1:], strict=True):
        was, read = usual.read(picture), reader.read(same)
        assert was.position is not None and read.position is not None
        assert (read.position.points, read.position.bar) == (was.position.points, was.position.bar)
        assert any(_is_among(die, _plain(read)) for die in _plain(was)) or not _plain(was)
        for one, other in ((was, read), (read, was)):
            assert all(_is_among(die, other.dice) for die in _plain(one))


def _plain(reading: Reading) -> list[SeenDie]:
    """The dice that certainly are some and of whose values none is in doubt."""
    doubted = {doubt.centre for doubt in reading.doubts if doubt.code in ("presence", "value")}
    return [die for die in reading.dice if die.centre not in doubted]


def _is_among(die: SeenDie, others: Iterable[SeenDie]) -> bool:
    """Whether one of ``others`` lies where the ``die`` does and shows the same."""
    return any(math.dist(die.centre, other.centre) < 5 and die.value == other.value for other in others)


def _lit(path: Path, share: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray((load_picture(path) * share).round(), np.uint8)


@pytest.mark.parametrize("share", [0.96, 1.04])
def test_the_light_of_set_up_is_known_for_a_board_that_was_found_anew_with_other_measures(share: float) -> None:
    """A board that is found once more when the program starts anew has a checker a little smaller or larger than it had."""
    start = load_picture(BOARDS / "train-001000" / "f00.jpg")
    table = remembered(start)
    again = replace(table, measures=replace(table.measures, checker=table.measures.checker * share))
    light = SetUpLight.of(table, start)
    shadow = np.linspace(0.6, 1.0, start.shape[1])[None, :, None]
    for dimmed in (start * 0.7, start * shadow):
        picture = dimmed.astype(np.uint8)
        board = cv2.fillConvexPoly(np.zeros(start.shape[:2], np.uint8), table.corners().round().astype(np.int32), 1) > 0
        assert np.abs(light.moved(again).restored(picture)[board].astype(int) - start[board]).mean() < 6  # it is 17 darker, or 33
    assert again.measures != table.measures and light.moved(again).was.shape != light.was.shape


def test_a_picture_that_shows_enough_is_left_as_it_is() -> None:
    picture = load_picture(BOARDS / "train-001000" / "f00.jpg")
    assert well_lit(picture) is picture
    dim = (picture // 5).astype(np.uint8)
    assert np.percentile(well_lit(dim).max(2), 95) == pytest.approx(150, abs=8)
    assert well_lit(np.full((64, 64, 3), 10, np.uint8)).max() == 80, "eight times as bright at most"
    black = np.zeros((64, 64, 3), np.uint8)
    assert not well_lit(black).any()
