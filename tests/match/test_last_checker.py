"""The last checker borne off by a play that is not legal, or by a ruling: the game is won with it and nothing goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.state import Phase
from referee.match.turn import illegal
from referee.observations import SeenCube
from referee.rules.presets import preset
from referee.rules.reason import because
from tests.match.hand import Hand
from tests.match.seen_table import begun, throw

NEAR, FAR = Seat.NEAR, Seat.FAR
SILENT = ("usbgf", "magriel", "wbgf-responsible")
STOOD = [e.IllegalPlay, e.IllegalPlayStood, e.GameWon]


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


@pytest.mark.parametrize("goes_on", [(c.EnterRoll, {"dice": (5, 2)}), (c.Double, {})])
def test_a_held_play_that_took_the_last_checker_off_wins_once_the_other_goes_on(goes_on: tuple[type[c.Command], dict[str, object]]) -> None:
    hand = two_left()
    hand.do(c.EnterPlay, play="6/off 1/off", hold=True)
    assert hand.table.state.phase is Phase.HELD, "it may be put right"
    command, values = goes_on
    assert [type(one) for one in hand.do(command, seat=FAR, **values)] == [e.IllegalPlayStood, e.GameWon]
    state = hand.table.state
    assert (state.phase, state.winner, state.score, state.dice) == (Phase.GAME_OVER, NEAR, (1, 0), None)


@pytest.mark.parametrize("rules", SILENT)
def test_what_nobody_is_told_of_wins_the_game_at_once(rules: str) -> None:
    hand = two_left(rules)
    assert [type(one) for one in hand.do(c.EnterPlay, play="6/off 1/off")] == STOOD
    assert (hand.table.state.phase, hand.table.state.score) == (Phase.GAME_OVER, (1, 0))
    hand.do(c.Undo)
    assert (hand.table.state.phase, hand.table.state.dice) == (Phase.ROLLED, (2, 1))


def test_so_does_the_answer_to_a_question() -> None:
    hand = two_left("usbgf")
    off = Position.from_sides(tuple([0] * 25), hand.table.state.position.side(FAR))
    answer = e.Answer(because("illegal_as_seen"), (illegal(hand.table.state, off, hand.table.rules),))
    hand.table.note(e.Doubt("play", because("not_sure"), (answer,)), source="camera")
    hand.do(c.AnswerDoubt, doubt_seq=hand.table.state.seq, answer=0)
    assert (hand.table.state.phase, hand.table.state.winner) == (Phase.GAME_OVER, NEAR)


@pytest.mark.parametrize("stills", [True, False])
def test_so_does_what_the_camera_sees(stills: bool) -> None:
    """Also where the same picture shows the cube offered: the game is over before."""
    table = begun(stills, replace(preset("bray"), referee_speaks=preset("usbgf").referee_speaks))
    near, far = [0] * 25, [0] * 25
    near[5] = near[4] = 1
    far[5], far[7] = 5, 3
    before = Position.from_sides(tuple(near), tuple(far))
    table.say(c.SetPosition, position=before)
    table.say(c.SetTurn, seat=NEAR)
    assert table.see(before, *throw(NEAR, 2, 1)) == ["board_agreed", "rolled"]
    table.cube = SeenCube(2, None, NEAR)
    assert table.see(Position.from_sides((0,) * 25, tuple(far))) == ["illegal_play", "illegal_play_stood", "game_won"]
    assert table.phase is Phase.GAME_OVER
