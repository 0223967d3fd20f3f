"""What games are worth, and the worked games of the books."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import START, LegalPlays, Position, Seat, parse_play
from referee.rules import preset
from referee.rules.cube import CubeFacts, no_double
from referee.rules.dice import tied_cube
from referee.rules.scoring import (
    Kind,
    balance,
    crawford_game,
    forfeited,
    game_over,
    kind_of_win,
    late_penalty,
    points_of,
    resignable,
)

NEAR, FAR = Seat.NEAR, Seat.FAR
BRAY = preset("bray")
S, G, B = Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON


def won(loser: dict[int, int]) -> Position:
    """Near has won; far's checkers stand on these of his points (25 his bar), the rest are off."""
    side = tuple(loser.get(p, 0) for p in range(1, 26))
    return Position.from_sides((0,) * 25, side)


LOSERS = {
    "one off, all home": {6: 14},
    "one off, one outside": {6: 13, 7: 1},
    "one off, one in the winner's home": {6: 13, 20: 1},
    "one off, one on the bar": {6: 13, 25: 1},
    "none off, all home": {6: 15},
    "none off, one outside": {6: 14, 12: 1},
    "none off, one in the winner's home": {6: 14, 19: 1},
    "none off, one on the bar": {6: 14, 25: 1},
}
WINS = {
    "magriel": (S, S, S, S, G, G, B, G),  # the bar is not mentioned
    "strato": (S, G, B, B, G, G, B, B),
    "bray": (S, S, S, S, G, G, B, B),
    "traditional": (S, S, S, S, G, G, B, B),
    "agca": (S, S, S, S, G, G, G, G),  # it knows no backgammon
    "money": (S, S, S, S, G, G, B, B),
}


@pytest.mark.parametrize("name", WINS)
def test_each_source_sizes_wins_by_its_own_conditions(name: str) -> None:
    found = tuple(kind_of_win(won(loser), NEAR, preset(name), cube_turned=True) for loser in LOSERS.values())
    assert found == WINS[name]


def test_what_wins_pay() -> None:
    assert [points_of(kind, 4, BRAY) for kind in Kind] == [4, 8, 12]
    assert [points_of(kind, 4, preset("agca")) for kind in Kind] == [4, 8, 8]
    assert [kind.factor for kind in Kind] == [1, 2, 3]


def test_jacoby_counts_singles_until_the_cube_was_taken() -> None:
    money, gammon = preset("money"), won({6: 15})
    assert kind_of_win(gammon, NEAR, money, money=True) is S
    assert kind_of_win(gammon, NEAR, money, money=True, cube_turned=True) is G
    assert kind_of_win(gammon, NEAR, money, money=False) is G  # never in a match
    assert kind_of_win(gammon, NEAR, BRAY, money=True) is G


def test_the_crawford_game_comes_once() -> None:
    assert crawford_game(5, (4, 2), False, BRAY)
    assert crawford_game(5, (0, 4), False, BRAY)
    assert not crawford_game(5, (4, 2), True, BRAY)
    assert not crawford_game(5, (4, 4), False, BRAY)  # both a point away: it has been played, or was never due
    assert not crawford_game(5, (3, 2), False, BRAY)
    assert not crawford_game(1, (0, 0), False, BRAY)
    assert not crawford_game(5, (4, 2), False, preset("money"))


def test_who_has_won() -> None:
    assert game_over(START) is None
    assert game_over(won({6: 15})) is NEAR


def test_resignations() -> None:
    money = preset("money")
    assert resignable(G, money, money=True) is S
    assert resignable(G, money, money=True, cube_turned=True) is G
    assert resignable(B, BRAY) is B
    assert [resignable(kind, replace(BRAY, backgammon_pays=2)) for kind in Kind] == [S, G, G]


@given(st.lists(st.tuples(st.sampled_from(Seat), st.integers(1, 192)), max_size=30))
def test_money_always_sums_to_zero(games: list[tuple[Seat, int]]) -> None:
    near, far = (sum(points for seat, points in games if seat is winner) for winner in Seat)
    assert sum(balance((near, far))) == 0
    assert balance((near, far))[0] == sum(points if seat is NEAR else -points for seat, points in games)


def test_penalty_points() -> None:
    assert [late_penalty(m) for m in (0, 4.9, 5, 9.9, 10, 27)] == [0, 0, 1, 1, 2, 5]
    assert [forfeited(7, points) for points in (2, 3, 4)] == [False, False, True]
    assert not forfeited(0, 50)


# --- the books' worked games ----------------------------------------------------------------------------------------


def test_brays_three_moves() -> None:
    """Black 62: 24/18 13/11, White 55: 8/3(2) 6/1(2)*, Black's 63 dances, White doubles, Black drops: one point."""
    black, white = NEAR, FAR
    position = START
    for text, seat, roll in (("24/18, 13/11", black, (6, 2)), ("8/3(2) 6/1(2)*", white, (5, 5))):
        parsed = parse_play(text, position, seat, roll)
        assert parsed.play is not None
        position = parsed.play.result
    assert position.bar == (1, 0)
    assert not LegalPlays(position, black, (6, 3))
    assert no_double(CubeFacts(), white, False, BRAY) is None
    assert points_of(Kind.SINGLE, 1, BRAY) == 1


def test_thirty_two_units() -> None:
    """Three automatic doubles, one double during the game, a gammon."""
    rules = replace(preset("traditional"), auto_doubles=None)
    cube = 1
    for tie in range(3):
        cube = tied_cube(cube, tie, rules, money=True)
    cube *= 2
    assert points_of(kind_of_win(won({6: 15}), NEAR, rules, money=True, cube_turned=True), cube, rules) == 32


def test_six_hundred_and_forty() -> None:
    """A unit of ten and six doubles."""
    cube = 1
    for tie in range(6):
        cube = tied_cube(cube, tie, preset("agca"), money=True)
    assert [10 * points for points in balance((points_of(Kind.SINGLE, cube, preset("agca")), 0))] == [640, -640]
