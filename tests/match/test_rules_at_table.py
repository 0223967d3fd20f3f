"""Rulings about the cube, the score and the set-up, at the table."""

from __future__ import annotations

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.state import Phase
from referee.match.views import scoreboard_view
from referee.match.wording import set_up
from referee.records.export import record_of
from referee.records.record import Do, Parsed
from referee.records.replay import replay
from tests.match.test_match import Hand


def test_a_double_in_what_turns_out_to_be_the_crawford_game_is_annulled() -> None:
    for answered in (True, False):
        hand = Hand(length=5)
        hand.open()
        hand.do(c.Double)
        if answered:
            hand.do(c.Take)
        logged = hand.do(c.SetScore, score=(4, 2))
        assert [one.reason.code for one in logged if isinstance(one, e.Ruled)] == ["crawford_annulled"]
        assert logged[-1] == e.CubeSet(1, None)
        state = hand.table.state
        assert state.crawford and state.cube.value == 1 and state.cube.owner is None
        assert state.play_phase is Phase.TO_ROLL
        record = record_of(hand.table.log)
        assert all(action.do is Do.ROLL for action in record.games[0].actions)
        assert replay(Parsed(record)).problems == ()


def test_a_score_put_right_before_anyone_doubled_annuls_nothing() -> None:
    hand = Hand(length=5)
    hand.open()
    assert [type(one) for one in hand.do(c.SetScore, score=(4, 2))] == [e.ScoreSet]


def test_money_play_shows_what_each_is_up_or_down() -> None:
    hand = Hand(length=0, rules="money")
    hand.do(c.SetScore, score=(5, 2))
    assert scoreboard_view(hand.table.state)["money"] == [3, -3]
    assert scoreboard_view(Hand(length=5).table.state)["money"] is None


def test_checkers_set_up_wrongly_are_named_before_the_first_throw() -> None:
    hand = Hand(start=False)
    points = list(START.points)
    points[5], points[4] = 4, 1
    assert set_up(hand.table.state, Position(tuple(points))) == ("Put Anna's checker from the 5-point on the 6-point.",)
    assert set_up(hand.table.state, START) == ()
    assert set_up(hand.table.state, None) == ()
    heap = Position((15,) + (0,) * 22 + (-15,))
    assert set_up(hand.table.state, heap) == (), "nobody is setting up yet"
    hand.do(c.StartGame)
    assert set_up(hand.table.state, Position(tuple(points))) == (), "the game has begun"
