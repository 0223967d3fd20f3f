"""What all points together say about each of them: it may settle what looks alike, never overrule what was plainly seen."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.board.position import START
from vision.checkers.doubts import SURE
from vision.checkers.joint import weighed

Likely = np.ndarray
OPEN = np.zeros(25, bool)


def likely(points: tuple[int, ...], bar: tuple[int, int] = (0, 0), rest: float = 1e-4) -> tuple[Likely, Likely]:
    """Likelihoods of a reading that is all but certain."""
    p, b = np.full((24, 31), rest / 30), np.full((2, 6), rest / 5)
    for k, n in enumerate(points):
        p[k, n + 15] = 1 - rest
    for seat in (0, 1):
        b[seat, bar[seat]] = 1 - rest
    return p, b


def between(points: Likely, point: int, counts: dict[int, float]) -> None:
    points[point - 1] = 1e-5
    for n, share in counts.items():
        points[point - 1, n + 15] = share


def changed(**counts: int) -> tuple[int, ...]:
    points = list(START.points)
    for name, n in counts.items():
        points[int(name[1:]) - 1] = n
    return tuple(points)


def best(points: Likely) -> tuple[int, ...]:
    return tuple(int(n) - 15 for n in points.argmax(1))


def test_what_looks_like_five_or_six_is_what_makes_fifteen() -> None:
    points, bar = likely(START.points)
    between(points, 6, {5: 0.45, 6: 0.55})
    told, _ = weighed(points, bar, OPEN)
    assert best(told) == START.points
    assert told[5].max() > 0.97


def test_a_colour_in_doubt_is_settled_by_both_numbers() -> None:
    points, bar = likely(START.points)
    between(points, 24, {2: 0.4, -2: 0.6})
    told, _ = weighed(points, bar, OPEN)
    assert best(told) == START.points
    assert told[23].max() > 0.99


@given(point=st.sampled_from([1, 6, 8, 12, 13, 17, 19, 24]), more=st.sampled_from([-1, 1]))
def test_what_is_plainly_seen_is_not_overruled(point: int, more: int) -> None:
    """A board with a checker too many or too few is read as it lies."""
    n = START.points[point - 1]
    lies = changed(**{f"p{point}": n + more * (1 if n > 0 else -1)})
    told, bar = weighed(*likely(lies), OPEN)
    assert best(told) == lies
    assert tuple(bar.argmax(1)) == (0, 0)


@given(point=st.sampled_from([1, 6, 8, 12, 13, 17, 19, 24]))
def test_a_checker_too_many_leaves_what_is_seen_of_the_others_beyond_doubt(point: int) -> None:
    """That they are too many is said once, of one point: not that each of a player's points may have one less."""
    n = START.points[point - 1]
    told, _ = weighed(*likely(changed(**{f"p{point}": n + (1 if n > 0 else -1)}), rest=1e-3), OPEN)
    assert told.max(1).min() > SURE


def test_two_counts_that_could_make_up_for_each_other_stay_in_doubt() -> None:
    points, bar = likely(changed(p6=6, p8=2))
    between(points, 6, {5: 0.5, 6: 0.5})
    between(points, 8, {2: 0.5, 3: 0.5})
    told, _ = weighed(points, bar, OPEN)
    assert told[5].max() < 0.7
    assert told[7].max() < 0.7


def test_one_missing_with_a_checker_outside_makes_the_bar_less_sure_and_puts_none_on_it() -> None:
    points, bar = likely(changed(p19=-4))
    _, told = weighed(points, bar, OPEN)
    assert 0.6 < told[1, 0] < 0.9
    assert told[0, 0] > 0.98


def test_bearing_off_makes_fewer_as_good_as_fifteen() -> None:
    home = (3, 2, 2, 0, 1, 0, *[0] * 12, -3, -3, -3, -2, -2, -2)
    points, bar = likely(home)
    told, told_bar = weighed(points, bar, OPEN)
    assert best(told) == home
    assert told.max(1).min() > 0.9
    assert told_bar[:, 0].min() > 0.9


def test_a_hidden_point_says_nothing_of_its_own() -> None:
    points, bar = likely(changed(p8=0))
    hidden = OPEN.copy()
    hidden[7] = True
    told, _ = weighed(points, bar, hidden)
    for p in range(24):
        if p != 7:
            assert told[p].argmax() - 15 == START.points[p]
            assert told[p].max() > 0.9


def test_a_whole_layer_that_may_be_missing_is_a_doubt() -> None:
    """From straight above two full layers look like one: a stack of five is not believed when just five are missing."""
    points, bar = likely(changed(p8=-5, p12=0, p17=-5, p19=0, p1=0), rest=1e-6)
    told, _ = weighed(points, bar, OPEN)
    assert told[7].max() < 0.95
    assert told[7, 15 - 10] > 0.03


def test_what_lies_beside_the_board_tells_a_stack_of_five_from_one_of_ten() -> None:
    home = (5, 5, *[0] * 16, -2, -2, -2, -3, -3, -3)
    points, bar = likely(home)
    between(points, 1, {5: 0.5, 10: 0.5})
    for borne_off, count in ((5, 5), (0, 10)):
        off = np.full((2, 16), 0.003)
        off[0, borne_off] = off[1, 0] = 0.955
        told, _ = weighed(points, bar, OPEN, off)
        assert told[0].argmax() - 15 == count
        assert told[0].max() > 0.95
    alone, _ = weighed(points, bar, OPEN)
    assert alone[0].max() < 0.9


def test_a_checker_that_both_players_would_want_is_given_to_neither() -> None:
    """Near lacks two, and point 24 shows far's two, which are all that make his fifteen: what near lacks lies under his checker on the bar,
    or is off."""
    lies = changed(p24=-2, p13=4, p1=0)
    points, bar = likely(lies, (1, 0))
    between(points, 24, {-2: 0.97, 2: 0.03})
    told, told_bar = weighed(points, bar, OPEN)
    assert best(told) == lies
    assert told_bar[0, 3] > 0.3


def test_under_a_checker_on_the_bar_there_may_be_another_and_on_a_bare_bar_there_is_no_pile() -> None:
    one_less, two_less = changed(p13=4), changed(p13=3)
    _, under = weighed(*likely(one_less, (1, 0)), OPEN)
    assert under[0, 1] > 0.99  # fifteen
    _, under = weighed(*likely(two_less, (1, 0)), OPEN)
    assert under[0, 2] > 0.3
    _, bare = weighed(*likely(two_less), OPEN)
    assert bare[0, 0] > 0.96


@given(seed=st.integers(0, 2**32 - 1), off=st.booleans())
def test_it_is_the_same_from_the_other_chair(seed: int, off: bool) -> None:
    rng = np.random.default_rng(seed)
    points, bar = rng.dirichlet(np.full(31, 0.05), 24) + 1e-6, rng.dirichlet(np.full(6, 0.3), 2)
    hidden, beside = rng.random(25) < 0.1, rng.dirichlet(np.full(16, 0.3), 2) if off else None
    told, told_bar = weighed(points, bar, hidden, beside)
    turned = weighed(points[::-1, ::-1], bar[::-1], np.append(hidden[23::-1], hidden[24]), None if beside is None else beside[::-1])
    assert np.allclose(told, turned[0][::-1, ::-1])
    assert np.allclose(told_bar, turned[1][::-1])
