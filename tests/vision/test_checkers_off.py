"""What is borne off: counted beside the board, said only where it agrees with what is missing on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from referee.board.position import START
from referee.observations import SeenPosition
from tests.found import found_in
from vision.boardfile import SetUpLook
from vision.checkers.joint import weighed
from vision.checkers.off import likelihoods, seen_off
from vision.pictures import load_picture
from vision.reader import Reader
from vision.training.labels import load_labels

BOARDS = Path(__file__).parent.parent / "data" / "boards"


def told(near: int, far: int) -> NDArray[np.float64]:
    """A net's answer that is as sure of both counts as an answer can be."""
    answer = np.full((2, 16), -20.0)
    answer[0, near] = answer[1, far] = 20
    return answer.ravel()


@given(arrays(np.float32, 32, elements=st.floats(-1000, 1000, width=32)), st.floats(0, 1))
def test_likelihoods_are_never_certain(answer: NDArray[np.float32], outside: float) -> None:
    off = likelihoods(answer, outside)
    assert off.shape == (2, 16)
    assert np.allclose(off.sum(1), 1)
    assert off.min() > 0.001


@given(st.integers(0, 15), st.integers(0, 15))
def test_what_the_net_is_sure_of_is_likeliest(near: int, far: int) -> None:
    off = likelihoods(told(near, far))
    assert (off[0].argmax(), off[1].argmax()) == (near, far)


def test_what_lies_outside_the_picture_is_not_taken_for_none() -> None:
    ratio = [off[0, 0] / off[0, 4] for off in (likelihoods(told(0, 0), outside) for outside in (0.0, 0.5, 1.0))]
    assert ratio[0] > 12 and 6 < ratio[1] < 10 and ratio[2] == pytest.approx(1)


def test_all_on_the_board_is_none_borne_off() -> None:
    assert seen_off(SeenPosition(START.points, (0, 0)), None) == (0, 0)


def test_what_is_missing_is_borne_off_only_where_it_lies_there() -> None:
    seen = SeenPosition((3, 3, *[0] * 21, -15), (0, 0))
    off = np.full((2, 16), 0.01)
    off[0, 9] = off[1, 0] = 0.85
    assert seen_off(seen, off) == (9, 0)
    off[0] = off[0, ::-1]
    assert seen_off(seen, off) == (None, 0)
    assert seen_off(seen, None) == (None, 0)


@pytest.mark.parametrize("folder", ["train-001001", "train-001002", "train-002000"])
def test_borne_off_checkers_are_read_or_not_claimed(folder: str) -> None:
    """Where a count of borne-off checkers is given, it is right."""
    labels = load_labels(BOARDS / folder)
    start = load_picture(BOARDS / folder / "f00.jpg")
    reader = Reader(found_in(BOARDS / folder / "f00.jpg"), SetUpLook(start))
    for frame in labels["frames"]:
        reading = reader.read(load_picture(BOARDS / folder / frame["image"]))
        assert reading.position is not None
        if not reading.doubts:
            assert all(seen in (None, true) for seen, true in zip(reading.position.off, frame["position"]["off"], strict=True))


def test_borne_off_checkers_that_are_not_in_sight_are_not_looked_for_under_a_stack() -> None:
    """Five plain checkers stay five where five others are missing and none lie where they are looked for."""
    points = np.zeros((24, 31))
    points[:, 15] = 1.0
    points[23] = 0.0
    points[23, [10, 5]] = 0.99, 0.01  # five of far's, or hardly ten
    points[[20, 22]] = 0.0
    points[[20, 22], [12, 13]] = 1.0  # and three and two more
    bar = np.tile(np.array([1.0, 0, 0, 0, 0, 0]), (2, 1))
    read, _ = weighed(points, bar, np.zeros(25, bool), likelihoods(told(15, 0)))
    assert read[23].argmax() == 10
