"""A die that can lean on nothing is not cocked; one that can is judged by what is seen of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board.position import START
from referee.observations import About, DieState, Half, SeenDie, SeenDoubt, SeenPosition, Touch
from tests.vision.drawn_table import table, view_at
from vision.dice.judge import RIM, judge
from vision.dice.lean import ALONE, BY_IT, LEANS, LEVEL_AT_MOST, SURE_COCKED, by_both, leaning, present, standing, sure_flat
from vision.dice.possible import possible
from vision.dice.raised import Raised, raised
from vision.dice.reader import OnBoard

BOARD = table(25)
EMPTY = SeenPosition((0,) * 24, (0, 0))
OPEN = (12.0, 2.0)  # cm: far from rails and bar


def test_on_an_open_field_a_die_can_lean_on_nothing() -> None:
    seen = raised(BOARD, EMPTY, ())
    die = view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.6)
    gap = seen.gap(die.centre)
    assert gap == pytest.approx((12.0 - BOARD.measures.bar / 2) / BOARD.measures.die, abs=0.02)
    flat, doubts = judge(replace(die, tilted=leaning(die, gap)), BOARD, [])
    assert flat.state is DieState.FLAT and not doubts


@pytest.mark.parametrize("what", ["checker", "doubted checker", "unseen point", "die", "rail", "bar"])
def test_beside_a_raised_thing_it_is_rather_taken_for_cocked(what: str) -> None:
    m, at, others, position, doubts = BOARD.measures, OPEN, [], EMPTY, ()
    x, y, _ = BOARD.checker_centre(20, 0)
    beside = (x, y - m.checker / 2 - 0.6)
    if what == "checker":
        points = [0] * 24
        points[19] = 1
        position, at = SeenPosition(tuple(points), (0, 0)), beside
    elif what == "doubted checker":
        doubts, at = (SeenDoubt(About.POINT, "count", "none or 1 checker", point=20, values=(0, -1)),), beside
    elif what == "unseen point":
        doubts, at = (SeenDoubt(About.POINT, "hidden", "not seen", point=20, values=(0, 1)),), beside
    elif what == "die":
        others = [view_at(BOARD, OPEN[0] + 1.4, OPEN[1], m.die).centre]
    elif what == "rail":
        at = (12.0, m.inner[1] / 2 - 0.8)
    else:
        at = (m.bar / 2 + 0.8, 2.0)
    die = view_at(BOARD, *at, m.die, tilted=0.7)
    gap = raised(BOARD, position, doubts).gap(die.centre, others)
    assert gap < LEANS
    assert leaning(die, gap) > die.tilted


def test_a_checker_that_is_seen_beside_it_counts_though_none_was_read() -> None:
    die = view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.7, by_checker=1.0)
    assert leaning(die, 5.0) == pytest.approx(0.7)


def test_a_tilt_is_doubted_sooner_where_there_is_something_to_lean_on_and_later_where_there_is_nothing() -> None:
    def tilt(seen: float, gap: float) -> float:
        return leaning(view_at(BOARD, *OPEN, BOARD.measures.die, tilted=seen), gap)

    assert tilt(0.2, LEANS / 2) < LEVEL_AT_MOST < tilt(0.27, LEANS / 2)
    assert tilt(0.27, LEANS) < LEVEL_AT_MOST
    assert tilt(0.9, ALONE) < LEVEL_AT_MOST < tilt(0.99, ALONE)  # a crumb may lie anywhere


def test_what_the_looks_and_the_lean_say_counts_about_alike() -> None:
    assert by_both(0.5, 0.5) < LEVEL_AT_MOST  # dice lean more rarely than both were shown
    assert LEVEL_AT_MOST < by_both(0.85, 0.5) < SURE_COCKED < by_both(0.99, 0.99)
    assert by_both(0.9, 0.1) == pytest.approx(by_both(0.1, 0.9), abs=0.1)


@given(st.floats(0, 1), st.floats(0, 10), st.floats(0, 10))
def test_further_from_everything_is_never_more_likely_tilted(tilted: float, one: float, other: float) -> None:
    die = view_at(BOARD, *OPEN, BOARD.measures.die, tilted=tilted)
    near, far = sorted((one, other))
    assert 0 <= leaning(die, far) <= leaning(die, near) <= 1


def test_all_checkers_of_a_reading_are_raised() -> None:
    assert len(raised(BOARD, SeenPosition(START.points, (0, 0)), ()).centres) == 30
    for x, y in raised(BOARD, SeenPosition(START.points, (0, 0)), ()).centres:
        assert np.all(np.abs((x, y)) < np.array(BOARD.measures.inner) / 2)


def test_a_die_seen_where_a_checker_was_read_is_not_taken_for_flat_without_a_doubt() -> None:
    m = BOARD.measures
    points = [0] * 24
    points[19] = 1
    seen = raised(BOARD, SeenPosition(tuple(points), (0, 0)), ())
    x, y, _ = BOARD.checker_centre(20, 0)
    for support, state in (((0.94, 0.05, 0.01), DieState.FLAT), ((0.55, 0.44, 0.01), DieState.ON_CHECKER)):
        die = view_at(BOARD, x, y, m.die, support=support)
        die, doubts = judge(replace(die, support=standing(die, seen.gap(die.centre))), BOARD, [])
        assert die.state is state
        assert any(d.about is About.DIE and d.code == "state" for d in doubts) == (state is DieState.FLAT)


@pytest.mark.parametrize(("away", "rim", "doubted"), [(0.95, 0.27, True), (0.95, 0.14, False), (1.6, 0.27, False), (1.6, 0.42, True)])
def test_a_die_that_has_no_room_beside_a_checker_is_no_flat_one_where_a_little_of_a_rim_is_about_it(
    away: float, rim: float, doubted: bool
) -> None:
    m = BOARD.measures
    points = [0] * 24
    points[19] = 1
    seen = raised(BOARD, SeenPosition(tuple(points), (0, 0)), ())
    x, y, _ = BOARD.checker_centre(20, 0)
    die = view_at(BOARD, x - away * m.checker / 2, y, m.checker_height + m.die, support=(0.93, 0.04, 0.03))
    flat = sure_flat(die, seen.gap(die.centre), False, seen.upon(die.centre))
    read, doubts = judge(die, BOARD, [], rim, flat)
    assert read.state is DieState.FLAT
    assert ("state" in [doubt.code for doubt in doubts]) == doubted


@pytest.mark.parametrize("other", ["checker", "bar", "rail", "checker on the same side"])
@pytest.mark.parametrize("room", [0.3, 0.5, 1.2])
def test_a_die_that_would_not_fit_between_what_stands_on_either_side_of_it_is_not_taken_for_flat_without_a_doubt(
    other: str, room: float
) -> None:
    m = BOARD.measures
    half, free = m.checker / 2, room * m.die
    x, out = {"bar": (m.bar / 2 + free / 2, 1), "rail": (m.inner[0] / 2 - free / 2, -1)}.get(other, (OPEN[0], 1))
    there = [(x + out * (free / 2 + half), OPEN[1])]
    if other == "checker":
        there.append((x - free / 2 - half, OPEN[1]))
    elif other == "checker on the same side":
        there.append((x + free / 2 + half, OPEN[1] + m.checker))
    seen = Raised(BOARD, np.array(there))
    die = view_at(BOARD, x, OPEN[1], m.die, support=(0.94, 0.03, 0.03))
    flat = sure_flat(die, seen.gap(die.centre, []), False, seen.upon(die.centre), seen.wedged(die.centre))
    _, doubts = judge(replace(die, tilted=0.01), BOARD, [], 0.0, flat)
    assert ("state" in [doubt.code for doubt in doubts]) == (room < 1 and other != "checker on the same side")


@pytest.mark.parametrize(("checker", "doubted"), [(0.04, True), (0.35, False)])
def test_a_rim_alone_does_not_put_a_die_on_a_checker_beyond_doubt(checker: float, doubted: bool) -> None:
    die = view_at(BOARD, *OPEN, BOARD.measures.die, support=(0.96 - checker, checker, 0.04))
    read, doubts = judge(die, BOARD, [], rim=0.68)
    assert (read.state, [doubt.code for doubt in doubts]) == (DieState.ON_CHECKER, ["state"] * doubted)


@given(st.floats(0, 1), st.floats(-2, 10))
def test_what_a_die_stands_on_stays_a_probability(checker: float, gap: float) -> None:
    die = view_at(BOARD, *OPEN, BOARD.measures.die, support=((1 - checker) * 0.9, checker, (1 - checker) * 0.1))
    now = standing(die, gap)
    assert min(now) >= 0
    assert sum(now) == pytest.approx(1, abs=1e-6)
    assert standing(die, -1.0)[1] >= now[1] >= standing(die, 9.0)[1]


@pytest.mark.parametrize(("edge", "gap", "in_tray", "doubted"), [
    (13.0, 0.8, False, True), (13.0, 2.0, False, False), (13.0, 0.8, True, False), (15.0, 0.8, False, False), (10.0, 2.0, False, True),
])  # fmt: skip
def test_of_a_small_die_beside_something_nobody_can_tell_how_it_lies(edge: float, gap: float, in_tray: bool, doubted: bool) -> None:
    die = replace(view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.01), edge=edge)
    read, doubts = judge(die, BOARD, [], flat=sure_flat(die, gap, in_tray))
    assert read.state is DieState.FLAT
    assert ("state" in [doubt.code for doubt in doubts]) == doubted


@pytest.mark.parametrize(("edge", "gap", "doubted"), [(17.0, 0.8, True), (17.0, 2.0, False), (24.0, 0.8, False)])
def test_a_slight_lean_of_a_small_die_that_touches_something_is_in_doubt(edge: float, gap: float, doubted: bool) -> None:
    die = replace(view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.3), edge=edge)
    read, doubts = judge(die, BOARD, [], flat=sure_flat(die, gap, in_tray=False))
    assert read.state is DieState.FLAT
    assert ("state" in [doubt.code for doubt in doubts]) == doubted


def test_on_an_open_field_what_may_be_a_die_is_rather_one() -> None:
    seen, m = raised(BOARD, EMPTY, ()), BOARD.measures
    maybe = replace(view_at(BOARD, *OPEN, m.die), die=0.62)
    gap = seen.gap(maybe.centre)
    assert present(maybe, gap, maybe.edge) > 0.85
    assert present(maybe, gap, maybe.edge / 2) == pytest.approx(0.62), "not when it is twice as large as this board's dice"
    assert present(maybe, 0.5, maybe.edge) == pytest.approx(0.62), "nor beside a checker, a rail or another die"
    assert present(replace(maybe, die=0.5), gap, maybe.edge) < 0.85


def test_over_a_checker_only_what_is_plain_is_reported() -> None:
    points = [0] * 24
    points[19] = 1
    seen = raised(BOARD, SeenPosition(tuple(points), (0, 0)), ())
    x, y, _ = BOARD.checker_centre(20, 0)
    glint = replace(view_at(BOARD, x, y, BOARD.measures.checker_height), die=0.75)
    assert seen.covers(glint.centre) and not possible(glint, seen)
    assert possible(replace(glint, die=0.95), seen), "a die may stand on it"
    assert not seen.covers(view_at(BOARD, *OPEN, BOARD.measures.die).centre)
    assert possible(glint, raised(BOARD, EMPTY, ()))


def test_what_is_certainly_a_die_is_reported_though_its_value_cannot_be_told() -> None:
    """A die that is left out is a throw of one die; one with an unclear value is asked about."""
    seen = raised(BOARD, EMPTY, ())
    for y in (*OPEN[1:], BOARD.measures.inner[1] / 2 - 0.5 * BOARD.measures.die):  # on the field, and against the rail
        blurred = replace(view_at(BOARD, OPEN[0], y, BOARD.measures.die), die=0.94, values=(0.3, 0.2, 0.2, 0.1, 0.1, 0.1))
        assert possible(blurred, seen)
        _, doubts = judge(blurred, BOARD, [])
        assert "value" in [doubt.code for doubt in doubts]
        assert not possible(replace(blurred, die=0.6), seen), "what is no die shows no clear value either"


def test_in_a_tray_a_hint_of_a_lean_is_none_and_a_plain_one_is_still_cocked() -> None:
    """Its bottom is level and nothing stands there but its walls."""
    at = (BOARD.measures.inner[0] / 2 + 8.0, 0.0)
    gap = raised(BOARD, EMPTY, ()).gap(view_at(BOARD, *at, BOARD.measures.die).centre)
    hint, plain = (leaning(view_at(BOARD, *at, BOARD.measures.die, tilted=p), gap, in_tray=True) for p in (0.3, 0.99))
    assert hint < LEVEL_AT_MOST
    assert plain > SURE_COCKED


def test_a_die_whose_middle_lies_within_a_checker_is_never_plainly_flat() -> None:
    die = view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.01)
    for gap, doubted in ((-0.15, True), (0.3, False)):
        seen, doubts = judge(die, BOARD, [], flat=sure_flat(die, gap, in_tray=False))
        assert seen.state is DieState.FLAT and [d.code for d in doubts] == ["state"] * doubted


@pytest.mark.parametrize(("gap", "sure", "doubted"), [(-0.07, 0.906, True), (-0.07, 0.99, False), (0.3, 0.906, False)])
def test_what_may_be_a_glint_on_a_checkers_edge_is_no_die_beyond_doubt(gap: float, sure: float, doubted: bool) -> None:
    die = replace(view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.01), die=sure)
    _, doubts = judge(die, BOARD, [], flat=sure_flat(die, gap, in_tray=False))
    assert [doubt.code for doubt in doubts] == ["presence"] * doubted


@pytest.mark.parametrize(("radii", "checker", "doubted"), [(0.9, 0.15, True), (1.2, 0.15, True), (0.9, 0.05, False), (1.6, 0.15, False)])
def test_a_die_that_may_stand_on_a_checkers_edge_is_in_doubt(radii: float, checker: float, doubted: bool) -> None:
    """Seen aslant its middle is elsewhere than that of a die on the field: beside the checker rather than over it."""
    m = BOARD.measures
    one = SeenPosition((*([0] * 5), 1, *([0] * 18)), (0, 0))
    x, y, _ = BOARD.checker_centre(6, 0)
    px = BOARD.camera.project(np.array([[x, y + radii * m.checker / 2, m.checker_height + m.die]]))[0]
    die = replace(view_at(BOARD, *OPEN, m.die, tilted=0.01), centre=(float(px[0]), float(px[1])), support=(1 - checker, checker, 0.0))
    seen = raised(BOARD, one, ())
    assert seen.upon(die.centre) == pytest.approx(radii, abs=0.02)
    flat = sure_flat(die, 0.9, in_tray=False, upon=seen.upon(die.centre))
    read, doubts = judge(die, BOARD, [], flat=flat)
    assert read.state is DieState.FLAT
    assert ("state" in [doubt.code for doubt in doubts]) == doubted
    assert raised(BOARD, EMPTY, ()).upon(die.centre) == np.inf


@pytest.mark.parametrize(("gap", "in_tray", "doubted"), [
    (BY_IT, False, True), (9.0, False, True), (LEANS, False, False), (9.0, True, False),
])  # fmt: skip
def test_a_die_that_nothing_is_near_is_not_called_cocked_without_a_doubt(gap: float, in_tray: bool, doubted: bool) -> None:
    """It can lean on nothing but a crumb; worn or in glare a flat one may look so, and its player is not to lose the throw for that."""
    die = view_at(BOARD, *OPEN, BOARD.measures.die, tilted=0.99)
    seen, doubts = judge(die, BOARD, [], flat=sure_flat(die, gap, in_tray))
    assert seen.state is DieState.COCKED
    assert [d.code for d in doubts] == ["state"] * doubted


@pytest.mark.parametrize(("checker", "beside", "counts"), [(0.02, 6.0, False), (0.02, 0.8, True), (0.3, 6.0, True)])
def test_lines_that_look_like_a_checkers_rim_count_only_where_one_may_stand(checker: float, beside: float, counts: bool) -> None:
    """A flat die on the open field was called on a checker by the tips of triangles about it."""
    m, (x, y) = BOARD.measures, OPEN
    way = np.linspace(0, 2 * np.pi, 60)
    rim = np.stack([x + m.checker / 2 * np.cos(way), y + m.checker / 2 * np.sin(way), np.full(60, m.checker_height)], 1)
    picture = np.full((BOARD.camera.size[1], BOARD.camera.size[0], 3), 160, np.uint8)
    cv2.fillPoly(picture, [BOARD.camera.project(rim).round().astype(np.int32)], (60, 60, 60))
    die = replace(view_at(BOARD, x, y, m.checker_height + m.die), support=(1 - checker, checker, 0.0))
    at = np.array([[x + beside * m.checker / 2, y]])
    assert (OnBoard(picture, BOARD, None, Raised(BOARD, at)).rim(die) > RIM) is counts


@pytest.mark.parametrize("what", [Touch.BAR, Touch.RAIL])
@pytest.mark.parametrize("half", [Half.LEFT, Half.RIGHT])
def test_of_a_die_at_the_bar_or_a_rail_is_told_whose_half_it_is_in_and_that_it_touches(what: Touch, half: Half) -> None:
    """A cocked one is its thrower's, by its half; some rules let a flat one count only when it touches nothing."""
    m, side = BOARD.measures, -1 if half is Half.LEFT else 1

    def judged(clear: float, **changes: float | tuple[float, ...]) -> tuple[SeenDie, list[str]]:
        at = (side * (m.bar / 2 + clear), 2.0) if what is Touch.BAR else (side * 14.0, m.inner[1] / 2 - clear)
        seen, doubts = judge(view_at(BOARD, *at, m.die, **changes), BOARD, [])
        return seen, [doubt.code for doubt in doubts]

    for clear, touches in ((0.75 * m.die / 1.4, (what,)), (2 * m.die, ())):
        flat, doubts = judged(clear)
        assert (flat.state, flat.half, flat.touches, doubts) == (DieState.FLAT, half, touches, [])
    cocked, doubts = judged(-0.2, tilted=0.99)
    assert (cocked.state, cocked.half, doubts) == (DieState.COCKED, half, [])
    faceless = judged(-0.2, tilted=0.99, values=(0.3, 0.3, 0.1, 0.1, 0.1, 0.1))
    assert "presence" in faceless[1], "it may be a hinge, and void no throw"
