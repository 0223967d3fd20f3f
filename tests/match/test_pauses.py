"""A match that is paused by hand or for the camera: play goes on by hand, and it ends as any other."""

from __future__ import annotations

import pytest

from referee.match import commands as c
from referee.match import events as e
from referee.match.state import Phase
from tests.match.hand import NEAR, Hand


def test_play_goes_on_by_hand_while_the_match_is_paused() -> None:
    hand = Hand()
    hand.open()
    hand.table.note(e.Paused(e.Reason("camera_dark")))
    hand.roll(6, 4)
    hand.do(c.EnterPlay, play="24/14")
    assert hand.table.state.phase is Phase.PAUSED
    assert hand.table.state.play_phase is Phase.TO_ROLL
    hand.do(c.Resume)
    assert (hand.table.state.phase, hand.table.state.on_roll) == (Phase.TO_ROLL, NEAR)


@pytest.mark.parametrize("length", [0, 1])
def test_any_match_that_goes_on_can_be_paused(length: int) -> None:
    hand = Hand(length)
    hand.open()
    assert "pause" in hand.can()
    hand.do(c.Pause)
    assert {"pause", "resume"} & hand.can() == {"resume"}
    hand.do(c.Resume)
    hand.do(c.AwardMatch, seat=NEAR)
    assert not {"pause", "resume"} & hand.can()


def test_a_match_that_ends_in_a_pause_is_over() -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Pause)
    hand.do(c.AwardMatch, seat=NEAR)
    assert (hand.table.state.phase, hand.table.state.winner) == (Phase.MATCH_OVER, NEAR)
    assert hand.refused(c.Pause) == "match_over"
    hand.do(c.Undo)
    assert hand.table.state.phase is Phase.PAUSED
