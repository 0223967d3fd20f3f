"""What can lie on the bar, by where it looks otherwise than at set-up."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers_bar import compared, room_for
from vision.checkers_strips import BAR_SCALE, LENGTH, WIDTH

WIDE, NARROW = 1.2, 0.7  # D across


def bare(seed: int = 1) -> NDArray[np.uint8]:
    """A bar strip with grain in it."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 40, (LENGTH, WIDTH, 3)), (0, 0), 2) * 4
    return np.clip(120 + grain, 0, 255).astype(np.uint8)


def with_checker(strip: NDArray[np.uint8], along: float, across: float = 0.0) -> NDArray[np.uint8]:
    """A white disc on it, ``along`` from near's rail and ``across`` from the middle, D."""
    middle = (round(WIDTH / 2 + across * BAR_SCALE), round(along * BAR_SCALE))
    return np.asarray(cv2.circle(strip.copy(), middle, round(BAR_SCALE / 2), (230, 230, 230), -1), np.uint8)


def test_a_bar_that_looks_as_it_did_is_empty() -> None:
    again = np.clip(bare().astype(int) + np.random.default_rng(2).integers(-4, 5, (LENGTH, WIDTH, 3)), 0, 255).astype(np.uint8)
    room = room_for(compared(again, bare(), WIDE))
    assert room[0] == 1 and (room[1:] < 0.02).all()


def test_one_changed_place_has_no_room_for_three_checkers() -> None:
    room = room_for(compared(with_checker(bare(), 4.0), bare(), WIDE))
    assert room[0] == room[1] == 1 and (room[3:] < 0.1).all()
    room = room_for(compared(with_checker(with_checker(bare(), 4.0), 7.5), bare(), WIDE))
    assert room[2] == 1 and (room[5:] < 0.1).all()


def test_what_stands_beside_a_narrow_bar_is_not_on_it() -> None:
    beside = with_checker(bare(), 4.0, 1.0)
    assert (room_for(compared(beside, bare(), NARROW))[1:] < 0.02).all()
    assert (room_for(compared(with_checker(bare(), 4.0), bare(), NARROW))[:2] == 1).all()


def test_a_bar_without_structure_tells_nothing() -> None:
    plain = np.full((LENGTH, WIDTH, 3), 40, np.uint8)
    assert (room_for(compared(plain, plain, WIDE)) == 1).all()
