"""More than fifteen checkers are a doubt; the number never changes what was read."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.board.position import START
from referee.observations import About, SeenDoubt, SeenPosition
from vision.checkers.doubts import total_doubts


def certain(points: tuple[int, ...], bar: tuple[int, int] = (0, 0)) -> tuple[SeenPosition, np.ndarray]:
    """A reading without any uncertainty."""
    p = np.full((24, 31), 1e-6)
    for k, n in enumerate(points):
        p[k, n + 15] = 1
    return SeenPosition(points, bar), p


def changed(point: int, count: int) -> tuple[int, ...]:
    points = list(START.points)
    points[point - 1] = count
    return tuple(points)


def test_fifteen_of_each_raise_no_doubt() -> None:
    assert total_doubts(*certain(START.points), []) == []


def test_fewer_than_fifteen_raise_no_doubt_here() -> None:
    assert total_doubts(*certain(changed(6, 2)), []) == []


@given(point=st.integers(0, 23), extra=st.integers(1, 8))
def test_more_than_fifteen_is_always_a_doubt(point: int, extra: int) -> None:
    count = START.points[point]
    seen, points = certain(changed(point + 1, count + (extra if count >= 0 else -extra)))
    (doubt,) = total_doubts(seen, points, [])
    assert doubt.code == "too_many"
    assert doubt.point is not None
    assert seen.points[doubt.point - 1] in doubt.values


def test_one_too_many_on_the_bar_is_a_doubt_too() -> None:
    seen, points = certain(START.points, (1, 0))
    (doubt,) = total_doubts(seen, points, [])
    assert doubt.point is not None
    assert seen.points[doubt.point - 1] > 0


def test_a_point_in_doubt_that_explains_the_number_is_not_doubted_twice() -> None:
    seen, points = certain(changed(6, 6))
    had = [SeenDoubt(About.POINT, "count", "5 or 6 checkers", point=6, values=(5, 6))]
    assert total_doubts(seen, points, had) == []
