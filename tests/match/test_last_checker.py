"""The last checker borne off by a play that is not legal, or by a ruling: the game is won with it and nothing goes on."""

from __future__ import annotations

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.state import Phase
from tests.match.test_match import Hand

NEAR, FAR = Seat.NEAR, Seat.FAR


def two_left(rules: str = "bray") -> Hand:
    """Near has checkers on his 6- and 1-point and 2-1 to play: neither die bears off the one on the 6-point."""
    hand = Hand(rules=rules)
    hand.open()
    hand.set({6: 1, 1: 1}, {6: 5, 8: 3}, NEAR, (2, 1))
    return hand


def test_a_late_ruling_wins_the_game_though_the_next_double_is_open() -> None:
    hand = two_left()
    hand.do(c.EnterPlay, play="6/4 1/off")
    hand.do(c.Double, seat=FAR)
    logged = hand.do(c.Rule, stands=True, play="6/off 1/off")
    assert [type(one) for one in logged] == [e.Ruled, e.IllegalPlayStood, e.GameWon]
    state = hand.table.state
    assert (state.phase, state.winner, state.score[0], state.cube.offered_by) == (Phase.GAME_OVER, NEAR, 1, None)
