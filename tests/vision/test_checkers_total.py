"""The number of checkers may raise a doubt, never change a reading."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.board.position import START, Seat
from referee.observations import About, SeenDoubt, SeenPosition
from vision.checkers_total import all_there, total_doubts

Probabilities = np.ndarray


def certain(points: tuple[int, ...], bar: tuple[int, int] = (0, 0)) -> tuple[SeenPosition, Probabilities, Probabilities]:
    """A reading without any uncertainty."""
    p, b = np.full((24, 31), 1e-6), np.full((2, 6), 1e-6)
    for k, n in enumerate(points):
        p[k, n + 15] = 1
    for seat in (0, 1):
        b[seat, bar[seat]] = 1
    return SeenPosition(points, bar), p, b


def changed(point: int, count: int) -> tuple[int, ...]:
    points = list(START.points)
    points[point - 1] = count
    return tuple(points)


def test_fifteen_of_each_raise_no_doubt() -> None:
    assert total_doubts(*certain(START.points), []) == []
    assert all_there(SeenPosition(START.points, (0, 0))) == (True, True)


def test_a_missing_checker_is_doubted_where_it_most_likely_stands() -> None:
    seen, points, bar = certain(changed(6, 4))
    points[5, 5 + 15] = 0.2
    bar_doubt, doubt = total_doubts(seen, points, bar, [])
    assert (doubt.about, doubt.point, doubt.values) == (About.POINT, 6, (4, 5))
    assert (bar_doubt.about, bar_doubt.seat) == (About.BAR, Seat.NEAR)


def test_a_checker_missed_on_the_bar_is_doubted_there() -> None:
    seen, points, bar = certain(changed(19, -4))
    bar[1, 1] = 0.01
    (doubt,) = total_doubts(seen, points, bar, [])
    assert (doubt.about, doubt.seat, doubt.values) == (About.BAR, Seat.FAR, (0, -1))


def test_a_missing_checker_always_puts_the_bar_in_doubt() -> None:
    (doubt,) = total_doubts(*certain(changed(6, 4)), [])
    assert (doubt.about, doubt.seat, doubt.values) == (About.BAR, Seat.NEAR, (0, 1))


def test_bearing_off_is_not_missing() -> None:
    home = (3, 2, 2, 0, 1, 0, *[0] * 12, -3, -3, -3, -2, -2, -2)
    seen, points, bar = certain(home)
    points[0, 4 + 15] = 0.05
    assert total_doubts(seen, points, bar, []) == []


def test_a_point_in_doubt_that_explains_the_number_is_not_doubted_twice() -> None:
    seen, points, bar = certain(changed(6, 4))
    points[5, 5 + 15] = 0.2
    had = [SeenDoubt(About.POINT, "count", "4 or 5 checkers", point=6, values=(4, 5))]
    assert [d.about for d in total_doubts(seen, points, bar, had)] == [About.BAR]


@given(point=st.integers(0, 23), extra=st.integers(1, 8))
def test_more_than_fifteen_is_always_a_doubt(point: int, extra: int) -> None:
    count = START.points[point]
    seen, points, bar = certain(changed(point + 1, count + (extra if count >= 0 else -extra)))
    (doubt,) = total_doubts(seen, points, bar, [])
    assert doubt.code == "too_many"
    assert doubt.point is not None
    assert seen.points[doubt.point - 1] in doubt.values
