"""What is drawn over a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.board.position import START
from referee.observations import About, Reading, SeenDoubt, SeenPosition
from tests.found import found_in
from vision.annotate import annotate
from vision.pictures import Image, load_picture

PICTURE = Path(__file__).parents[1] / "data" / "boards" / "train-001000" / "f00.jpg"


def drawn(point: int, count: int, code: str = "") -> Image:
    points = list(START.points)
    points[point - 1] = count
    doubts = (SeenDoubt(About.POINT, code, "", point=point),) if code else ()
    reading = Reading((), SeenPosition(tuple(points), (0, 0), (0, 0)), None, doubts)
    return annotate(load_picture(PICTURE), found_in(PICTURE), reading, words=False)


@pytest.mark.parametrize(("point", "side"), [(3, -1), (22, 1)])
def test_a_high_count_stands_on_its_own_points_side(point: int, side: int) -> None:
    """Beyond the middle it would be read as the count of the point that lies opposite."""
    table = found_in(PICTURE)
    y, x = np.nonzero((drawn(point, 8) != drawn(point, 0)).any(axis=2))
    places = table.camera.on_plane(np.column_stack([x, y]).astype(np.float64), 0.0)
    assert len(places) > 20
    assert (side * places[:, 1]).min() > 0


def test_what_is_not_seen_is_not_drawn_as_none() -> None:
    """A mark stands there, whatever count was likeliest."""
    hidden = drawn(3, 0, "hidden")
    assert (hidden != drawn(3, 0)).any()
    assert (hidden != drawn(3, 0, "count")).any()
