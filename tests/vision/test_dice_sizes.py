"""Dice of another size than the board's checkers suggest."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.observations import DieState
from tests.vision.drawn_table import table
from vision.dice.raised import Raised
from vision.dice.reader import DiceReader


def _with_threes(side: int, *places: tuple[int, int], on: NDArray[np.uint8] | None = None, white: float = 240.0) -> NDArray[np.uint8]:
    """A plain field, or what is given, with drawn dice of ``side`` px, three on top, about ``places`` px."""
    image = np.full((1080, 1920, 3), (60, 90, 40), np.uint8) if on is None else on.copy()
    turn = math.radians(20)
    for x, y in places:
        cv2.fillPoly(image, [cv2.boxPoints(((x, y), (side, side), 20)).astype(np.int32)], (white - 5, white, white), cv2.LINE_AA)
        for k in (-0.25 * side, 0.0, 0.25 * side):
            pip = (round(x + k * (math.cos(turn) - math.sin(turn))), round(y + k * (math.sin(turn) + math.cos(turn))))
            cv2.circle(image, pip, round(0.1 * side), (20, 20, 20), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("side", [40, 44, 48, 52])
def test_one_die_twice_as_large_as_the_board_s_is_never_beyond_doubt(side: int) -> None:
    """All dice of a board are of one size, here 23 px: what looks like a larger one may be a checker with a glint."""
    board, picture = table(10), _with_threes(side, (1250, 500))
    seen, doubts = DiceReader(board).read(picture, Raised(board, np.zeros((0, 2))))
    assert [die.value for die in seen] == [3]
    assert "presence" in [doubt.code for doubt in doubts]
    seen, doubts = DiceReader(board).read(picture)
    assert [doubt.code for doubt in doubts].count("presence") == len(seen), "nor where nothing is known of the checkers"


@pytest.mark.parametrize("side", [44, 46, 48])
def test_two_clear_ones_of_one_size_are_this_board_s_dice(side: int) -> None:
    """Boards with small checkers are played with dice of the usual size."""
    board = table(10)
    picture, bare = _with_threes(side, (1250, 500), (1380, 640)), _with_threes(side)
    seen, doubts = DiceReader(board, bare).read(picture, Raised(board, np.zeros((0, 2))))
    assert [die.value for die in seen] == [3, 3]
    assert "presence" not in [doubt.code for doubt in doubts]
    under = np.array([board.camera.on_plane(np.array(px, float), board.measures.checker_height)[:2] for px in ((1250, 500), (1380, 640))])
    seen, doubts = DiceReader(board).read(picture, Raised(board, np.zeros((0, 2))))
    assert [doubt.code for doubt in doubts].count("presence") == len(seen) == 2, "unless the bare board is known, inlays"
    assert DiceReader(board, bare).read(picture, Raised(board, under)) == ((), ()), "over checkers, their own holes or inlays"


@pytest.mark.parametrize("side", [38, 40])
def test_so_are_two_that_are_half_as_large_again(side: int) -> None:
    board, nobody = table(10), Raised(table(10), np.zeros((0, 2)))
    at = (1250, 500), (1380, 640)
    picture, bare = _with_threes(side, *at), _with_threes(side)
    seen, doubts = DiceReader(board, bare).read(picture, nobody)
    assert ([die.value for die in seen], doubts) == ([3, 3], ())
    under = np.array([board.camera.on_plane(np.array(px, float), board.measures.checker_height)[:2] for px in at])
    for start, stand in ((None, nobody), (bare, Raised(board, under))):
        seen, doubts = DiceReader(board, start).read(picture, stand)
        assert [doubt.code for doubt in doubts].count("presence") == len(seen), "unless they may be inlays, of the board or of checkers"


def test_a_large_one_alone_beside_the_board_is_a_glint_on_what_was_borne_off() -> None:
    board, aside, nobody = table(10), (1530, 500), Raised(table(10), np.zeros((0, 2)))
    bare = _with_threes(44)
    assert DiceReader(board, bare).read(_with_threes(44, aside), nobody) == ((), ())
    seen, _ = DiceReader(board, bare).read(_with_threes(44, (1250, 500), aside), nobody)
    assert [(die.value, die.state) for die in seen] == [(3, DieState.FLAT), (3, DieState.OFF_BOARD)]


def test_large_dice_are_found_among_inlays_that_look_like_dice() -> None:
    board = table(10)
    inlays = [(x, y) for x in (500, 640, 780) for y in (250, 400, 650, 800)]
    thrown = (1250, 500), (1380, 640)
    bare = _with_threes(44, *inlays)
    picture = _with_threes(48, *thrown, on=bare, white=180.0)  # less plain than the inlays are
    seen, _ = DiceReader(board, bare).read(picture, Raised(board, np.zeros((0, 2))))
    assert [die.value for die in seen] == [3, 3]
    assert all(min(math.dist(die.centre, at) for at in thrown) < 8 for die in seen)
