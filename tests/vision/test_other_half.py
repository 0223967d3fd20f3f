"""Where all checkers stand on one side of the bar, as late in a race, the board's other half is found where it is, or it is said that it
is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.board.position import Position
from tests.vision.drawn_table import checkers_off
from vision.colours import standing
from vision.finder import BoardNotFound, Side, find_table, opposite
from vision.finder.bar import bar_seen
from vision.table import Table
from vision.training.finder.draw import Drawing, draw

RACE = Position((3, 4, 3, 2, 2, 1, *[0] * 12, -1, -2, -3, -3, -4, -2))
NARROW, WIDE = 426, 439  # drawings whose bars are 2.5 and 6 cm wide, by a checker's 4
FACING: dict[Side, Side] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _drawn(seed: int) -> Drawing:
    return draw(seed, (1280, 720), RACE)


def _tops(t: Table) -> NDArray[np.float64]:
    return np.array([t.checker_centre(point, index) for point, index, _ in standing(RACE)])


def _with_bar(t: Table, bar: float) -> Table:
    """The table with another bar, its known half where it was."""
    m, c, way = t.measures, t.camera, np.sign(_tops(t)[0, 0])
    more = bar - m.bar
    translation = c.translation.reshape(3) - c.rotation @ [way * more / 2, 0, 0]
    return replace(t, camera=replace(c, translation=translation), measures=replace(m, bar=bar, inner=(m.inner[0] + more, m.inner[1])))


@pytest.mark.parametrize("seed", [NARROW, WIDE])
def test_the_half_without_checkers_is_found_where_it_is(seed: int) -> None:
    d = _drawn(seed)
    found = find_table(d.image, RACE, near_at=FACING[opposite(d.table)])
    assert checkers_off(d.table, found) < 0.35


@pytest.mark.parametrize("seed", [NARROW, WIDE])
@pytest.mark.parametrize("taken", [2.0, 4.0, 6.5])
def test_however_wide_the_bar_was_taken_to_be_it_is_seen_as_wide_as_it_is(seed: int, taken: float) -> None:
    d = _drawn(seed)
    wrong = _with_bar(d.table, taken)
    bar = bar_seen(d.image, wrong, _tops(wrong))
    slack = d.table.measures.inner[0] - d.table.measures.bar - 12 * d.table.measures.pitch
    assert bar == pytest.approx(d.table.measures.bar + slack / 2, abs=0.8)


def test_where_the_other_half_is_hidden_the_four_corners_are_asked_for() -> None:
    d = _drawn(NARROW)
    m, way = d.table.measures, -np.sign(_tops(d.table)[0, 0])
    x, y = way * np.array([m.bar / 2, 60, 60, m.bar / 2]), 40 * np.array([-1, -1, 1, 1])
    cloth = d.table.camera.project(np.column_stack([x, y, np.zeros(4)])).round().astype(np.int32)
    image = cv2.fillConvexPoly(d.image.copy(), cloth, (120, 130, 125))
    with pytest.raises(BoardNotFound, match=r"^one half of the board, .* cannot be made out: show its four corners"):
        find_table(np.asarray(image, np.uint8), RACE, near_at=FACING[opposite(d.table)])
