"""Checkers on the bar are seen wherever they lie on it, in piles too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.board.position import START
from tests.found import found_in
from vision.checkers.reader import CheckerReader
from vision.light import well_lit
from vision.pictures import load_picture
from vision.training.labels import load_labels, true_position

BOARD = Path(__file__).parent.parent / "data" / "bar" / "test-038173"
FRAMES: dict[str, Any] = {frame["image"]: frame for frame in load_labels(BOARD)["frames"]}


def read(image: str, begun: str = "f00.jpg") -> tuple[Any, ...]:
    """What is read of a picture on the board as it was set up in the position of the picture ``begun``; and the truth."""
    table = found_in(BOARD / "f00.jpg")
    reader = CheckerReader(table, well_lit(load_picture(BOARD / begun)), true_position(FRAMES[begun]))
    return reader.read(well_lit(load_picture(BOARD / image))), FRAMES[image]["position"]


@pytest.mark.parametrize("image", ["f01.jpg", "f04.jpg"])
def test_checkers_at_the_bars_ends_and_in_piles_are_counted(image: str) -> None:
    """One far from the middle was in doubt, and of two piles of two nothing was seen, without a doubt."""
    answer, true = read(image)
    assert (list(answer.position.points), list(answer.position.bar)) == (true["points"], true["bar"])
    assert not answer.doubts


def test_a_bare_bar_stays_bare() -> None:
    answer, _ = read("f00.jpg")
    assert answer.position.points == START.points and answer.position.bar == (0, 0) and not answer.doubts


def test_a_board_that_was_set_up_with_checkers_on_its_bar_is_never_plainly_misread() -> None:
    answer, true = read("f01.jpg", begun="f04.jpg")
    assert list(answer.position.bar) == true["bar"] or answer.doubts
