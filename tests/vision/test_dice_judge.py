"""Where a die lies by geometry, how it lies, and what is in doubt of that."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from referee.observations import About, DieState, Half, Touch
from tests.vision.drawn_table import table, view_at
from vision.dice.judge import judge, place_of
from vision.dice.raised import Raised


@pytest.mark.parametrize("tilt", [4, 25, 40])
@pytest.mark.parametrize(
    ("x", "y", "z", "state", "half"),
    [
        (12.0, 5.0, 0.0, DieState.FLAT, Half.RIGHT),
        (-25.5, -19.5, 0.0, DieState.FLAT, Half.LEFT),
        (0.0, 6.0, 1.5, DieState.ON_BAR, None),
        (14.0, -22.6, 1.5, DieState.ON_BAR, None),
        (14.0, 32.0, 0.0, DieState.OFF_BOARD, None),
        (-36.0, 0.0, 0.0, DieState.OFF_BOARD, None),
    ],
)
def test_where_a_die_lies_follows_from_its_top_face(tilt: float, x: float, y: float, z: float, state: DieState, half: Half | None) -> None:
    board = table(tilt)
    board = replace(board, measures=replace(board.measures, rails=(0.0, 0.0)))  # where they stand is known
    place = place_of(view_at(board, x, y, z + board.measures.die), board)
    assert (place.state, place.half) == (state, half)


@pytest.mark.parametrize("tilt", [4, 25, 40])
@pytest.mark.parametrize(("x", "y"), [(26.7, 3.0), (-26.7, 3.0), (12.0, 21.2), (2.4, 0.0)])
def test_a_die_that_would_be_in_a_rail_and_does_not_stand_on_it_either_is_called_flat_in_doubt(tilt: float, x: float, y: float) -> None:
    board = table(tilt)
    board = replace(board, measures=replace(board.measures, rails=(0.0, 0.0)))
    seen, doubts = judge(view_at(board, x, y, board.measures.die), board, [])
    assert (seen.state, [doubt.code for doubt in doubts]) == (DieState.FLAT, ["state"])


def test_a_tilted_die_is_cocked_and_a_die_on_a_checker_is_called_so() -> None:
    board = table(20)
    assert judge(view_at(board, 10, 3, 1.4, tilted=0.99), board, [])[0].state is DieState.COCKED
    on = judge(view_at(board, 10, 3, 2.4, support=(0.02, 0.97, 0.01)), board, [])[0]
    assert (on.state, on.half, on.touches) == (DieState.ON_CHECKER, Half.RIGHT, (Touch.CHECKER,))


@pytest.mark.parametrize(("die", "doubted"), [(0.999, False), (0.94, True)])
def test_what_may_be_the_marbling_of_a_checker_is_no_die_on_it_beyond_doubt(die: float, doubted: bool) -> None:
    board = table(20)
    seen, doubts = judge(view_at(board, 10, 3, 2.4, die=die, support=(0.02, 0.97, 0.01)), board, [])
    assert (seen.state, [doubt.code for doubt in doubts]) == (DieState.ON_CHECKER, ["presence"] * doubted)
    assert judge(view_at(board, 10, 3, 1.4, die=die), board, [])[1] == [], "on the field it is plain"


def test_an_unsure_value_or_tilt_is_doubted_and_a_sure_one_is_not() -> None:
    board = table(20)
    sure, none = judge(view_at(board, 10, 3, 1.4), board, [])
    assert (sure.value, sure.state, none) == (3, DieState.FLAT, [])
    _, doubts = judge(view_at(board, 10, 3, 1.4, values=(0.0, 0.0, 0.55, 0.0, 0.45, 0.0)), board, [])
    assert [(d.about, d.code, d.values) for d in doubts] == [(About.DIE, "value", (3, 5))]
    leans, doubts = judge(view_at(board, 10, 3, 1.4, tilted=0.5), board, [])
    assert [d.code for d in doubts] == ["state"]
    assert leans.confidence <= 0.5
    assert leans.value_confidence == sure.value_confidence > 0.9, "its value shows as plainly"


def test_where_three_checkers_hem_in_a_place_what_shows_between_them_is_hardly_a_die() -> None:
    board = table(20)
    radius, (x, y) = board.measures.checker / 2, (14.0, 5.0)
    centre = view_at(board, x, y, board.measures.die).centre

    def about(*away: float) -> Raised:
        turned = [(x + (radius + d) * math.cos(2 * k), y + (radius + d) * math.sin(2 * k)) for k, d in enumerate(away)]
        return Raised(board, np.array(turned, np.float64).reshape(-1, 2))

    assert about(0.5, 0.8, 1.1).hole(centre)
    assert not about(0.5, 0.8).hole(centre)
    assert not about(0.5, 0.8, 1.5).hole(centre)
    assert not about(-0.6, 0.8, 0.9).hole(centre)  # it stands on one of them


@pytest.mark.parametrize(("beyond", "border"), [(0.3, True), (1.5, True), (2.0, False)])
def test_a_die_just_beyond_a_long_side_s_checkers_may_lie_on_a_border_behind_the_points(beyond: float, border: bool) -> None:
    """Set-up sees where the first checkers lie, and not how far behind them the rail is: a die there is not called bad, but doubted."""
    board = table(20)
    y = board.measures.inner[1] / 2 + beyond
    for side in (-1, 1):
        v = view_at(board, 14.0, side * y, board.measures.die)
        die, doubts = judge(v, board, [])
        assert (die.state, die.half) == ((DieState.FLAT, Half.RIGHT) if border else (DieState.ON_BAR, None))
        assert ("state" in [doubt.code for doubt in doubts]) is border
    upon, doubts = judge(view_at(board, board.measures.inner[0] / 2 + beyond, 5.0, board.measures.die + 1.5), board, [])
    assert (upon.state, doubts) == (DieState.ON_BAR, []), "where a short side's rail stands is seen"


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("border", [0.0, 1.6])
def test_where_the_rail_is_known_to_stand_a_die_beside_it_lies_flat_and_one_beyond_it_on_it(border: float, side: int) -> None:
    board = table(20)
    m = replace(board.measures, rails=(border, border))
    board = replace(board, measures=m)
    rail = m.inner[1] / 2 + border
    flat, doubts = judge(view_at(board, 14.0, side * (rail - 0.8), m.die), board, [])
    assert (flat.state, flat.half, doubts) == (DieState.FLAT, Half.RIGHT, [])
    upon, doubts = judge(view_at(board, 14.0, side * (rail + 0.6), m.die + m.rail_height), board, [])
    assert (upon.state, upon.half, doubts) == (DieState.ON_BAR, None, [])


def test_nobody_can_tell_how_a_die_of_nine_pixels_lies() -> None:
    board = table(20)
    for edge, doubted in ((9.0, ["state"]), (23.0, [])):
        die, doubts = judge(view_at(board, 12, 3, board.measures.die, edge=edge), board, [])
        assert die.state is DieState.FLAT
        assert [doubt.code for doubt in doubts] == doubted


def test_what_a_die_touches_is_told_by_the_net_of_checkers_and_by_the_gap_of_dice_bar_and_rails() -> None:
    board = table(20)
    m = board.measures
    free = view_at(board, 10, 3, m.die)
    assert judge(free, board, [])[0].touches == ()
    assert judge(replace(free, by_checker=0.8), board, [])[0].touches == (Touch.CHECKER,)
    by_another, apart = (view_at(board, 10 + m.die * gap, 3, m.die) for gap in (1.05, 1.8))
    assert judge(free, board, [by_another])[0].touches == (Touch.DIE,)
    assert judge(free, board, [apart])[0].touches == ()
    assert judge(free, board, [replace(apart, edge=2 * apart.edge)])[0].touches == (Touch.DIE,), "which is larger than it was taken to be"
    by_bar, beside, by_rail = (view_at(board, x, 3, m.die) for x in (m.bar / 2 + 0.8, m.bar / 2 + 1.5, m.inner[0] / 2 - 0.8))
    assert [judge(v, board, [])[0].touches for v in (by_bar, beside, by_rail)] == [(Touch.BAR,), (), (Touch.RAIL,)]


def test_the_nearer_a_die_on_the_bar_lies_to_its_edge_the_less_sure_is_that_it_is_there() -> None:
    board = table(20)
    m = board.measures
    middle, edge = (place_of(view_at(board, x, 3, m.die + m.bar_height), board) for x in (0.0, m.bar / 2 - 0.1))
    assert (middle.state, edge.state) == (DieState.ON_BAR, DieState.ON_BAR)
    assert middle.sure == 1.0 > edge.sure > 0.6
    for side in (-1, 1):
        end = place_of(view_at(board, 0.0, side * (m.inner[1] / 2 + 0.3), m.die + m.bar_height), board)
        assert end.state is DieState.ON_BAR, "which ends where the rails' tops begin"


def test_a_die_is_on_a_checker_where_the_net_is_sure_or_a_rim_about_it_tells_so_too() -> None:
    board = table(20)
    v = view_at(board, 10, 3, 1.4, support=(0.4, 0.6, 0.0))
    assert judge(v, board, [], rim=0.0)[0].state is DieState.FLAT
    assert judge(v, board, [], rim=0.35)[0].state is DieState.ON_CHECKER
    assert judge(replace(v, support=(0.6, 0.4, 0.0)), board, [], rim=0.35)[0].state is DieState.FLAT
    assert judge(replace(v, support=(0.6, 0.4, 0.0)), board, [], rim=0.5)[0].state is DieState.ON_CHECKER
