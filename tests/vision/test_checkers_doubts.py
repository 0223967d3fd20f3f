"""What is in doubt of counts. More than fifteen checkers are a doubt; the number never changes what was read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board.position import START, Seat
from referee.observations import About, SeenDoubt, SeenPosition
from vision.checkers.doubts import bar_doubts, point_doubts, total_doubts


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


OPEN = np.zeros(24, bool)
OCCUPIED = {point for point, n in enumerate(START.points, start=1) if n}


def by_itself(points: np.ndarray, other: float, *of: int) -> np.ndarray:
    """``points``, but that the strips ``of`` these show the other player's checkers as likely as that."""
    alone = points.copy()
    for point in of:
        alone[point - 1] = (1 - other) * points[point - 1] + other * points[point - 1, ::-1]
    return alone


@pytest.mark.parametrize(("which", "other", "doubted"), [((6,), 0.3, False), ((6, 19), 0.3, True), ((6, 19), 0.05, False)])
def test_where_two_strips_leave_open_whose_their_checkers_are_the_light_misleads_and_no_owner_is_sure(
    which: tuple[int, ...], other: float, doubted: bool
) -> None:
    """In a lamp's bands dark checkers passed for light ones beside others of which nothing could be told: weighed with these, for sure."""
    _, points = certain(START.points)
    alone = by_itself(points, other, *which)
    doubts = list(point_doubts(points, alone, OPEN, apart=True))
    assert {doubt.point for doubt in doubts} == (OCCUPIED if doubted else set())
    for doubt in doubts:
        assert doubt.point is not None
        count = START.points[doubt.point - 1]
        assert set(doubt.values) == {count, -count}
    assert list(point_doubts(points, alone, OPEN, apart=False)) == [], "of players whose colours nobody knows they never tell"


def test_what_is_under_a_hand_tells_nothing_of_the_light() -> None:
    _, points = certain(START.points)
    hidden = OPEN.copy()
    hidden[18] = True
    assert [doubt.code for doubt in point_doubts(points, by_itself(points, 0.4, 6, 19), hidden, apart=True)] == ["hidden"]


@pytest.mark.parametrize(("told", "alone", "doubted"), [(0.97, 0.97, False), (0.94, 0.97, True), (0.97, 0.08, True), (0.97, 0.3, False)])
def test_a_count_is_sure_that_is_likely_among_the_others_and_not_against_its_strip(told: float, alone: float, doubted: bool) -> None:
    _, points = certain(START.points)
    weighed, strips = points.copy(), points.copy()
    for likely, share in ((weighed, told), (strips, alone)):
        likely[5, [20, 19, 18]] = share, (1 - share) * 0.6, (1 - share) * 0.4
    found = list(point_doubts(weighed, strips, OPEN))
    assert [(doubt.point, doubt.code) for doubt in found] == [(6, "count")] * doubted
    assert all(5 in doubt.values for doubt in found)


def test_a_strip_that_shows_a_layer_less_than_the_others_make_of_it_is_in_doubt() -> None:
    """From above ten look like five."""
    _, points = certain(START.points)
    strips = points.copy()
    strips[5, [20, 25]] = 0.2, 0.8
    (doubt,) = point_doubts(points, strips, OPEN)
    assert (doubt.point, doubt.values) == (6, (5, 10))


@pytest.mark.parametrize(
    ("told", "alone", "count", "doubted"),
    [
        (0.97, 0.97, 1, False), (0.9, 0.97, 1, True), (0.97, 0.05, 1, True), (0.97, 0.3, 1, False),
        (0.99, 0.99, 4, False), (0.99, 0.99, 5, True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seat", Seat)
def test_checkers_on_the_bar_are_sure_as_those_of_a_point_are_but_for_a_pile_of_five_or_more(
    seat: Seat, told: float, alone: float, count: int, doubted: bool
) -> None:
    weighed, strip = np.zeros((2, 6)), np.zeros((2, 6))
    for likely, share in ((weighed, told), (strip, alone)):
        likely[:, 0] = 1
        likely[seat.index] = 0
        likely[seat.index, [count, count - 1]] = share, 1 - share
    found = list(bar_doubts(weighed, strip, hidden=False))
    assert [(doubt.about, doubt.code, doubt.seat) for doubt in found] == [(About.BAR, "count", seat)] * doubted
    assert all(count * seat.sign in doubt.values for doubt in found)
    assert [doubt.code for doubt in bar_doubts(weighed, strip, hidden=True)] == ["hidden"] * 2


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
