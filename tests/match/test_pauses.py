"""A match that is paused by hand or for the camera: play goes on by hand, and it ends as any other. No time runs while a camera is lost."""

from __future__ import annotations

import pytest

from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.views import table_view
from referee.match.state import Phase
from referee.observations import CAMERA, TOWER
from referee.rules.reason import because
from tests.match.hand import NEAR, Hand
from tests.match.test_timing import Timed


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


def timed() -> Timed:
    """Near has opened, and 20 of his 600 seconds are gone beside the free ones."""
    at = Timed()
    at.begin()
    at.now += 32
    return at


def test_both_clocks_stand_from_the_loss_of_the_camera_until_it_is_back() -> None:
    at = timed()
    at.table.note(e.DeviceLost(CAMERA, because("camera_lost")))
    at.now += 100
    assert at.shown == ([580.0, 600.0], None)
    at.table.note(e.DeviceBack(CAMERA))
    at.now += 5
    assert at.shown == ([575.0, 600.0], "near")


def test_or_until_somebody_goes_on_by_hand() -> None:
    at = timed()
    at.table.note(e.DeviceLost(CAMERA, because("camera_lost")))
    at.do(c.EnterPlay, after=100, play="8/5 6/5")
    at.now += 15
    assert at.shown == ([580.0, 597.0], "far")


def test_or_until_a_person_starts_the_clock() -> None:
    at = timed()
    at.table.note(e.DeviceLost(CAMERA, because("camera_lost")))
    assert "start_clock" in table_view(at.table.state, at.table.rules)["can"]
    at.do(c.StartClock, after=100)
    assert "stop_clock" in table_view(at.table.state, at.table.rules)["can"]
    at.now += 5
    assert at.shown == ([575.0, 600.0], "near")


@pytest.mark.parametrize(("kind", "more"), [
    (c.SetNames, {"names": ("Ann", "Bob")}), (c.SetScore, {"score": (1, 1)}), (c.Rule, {"stands": True, "role": e.Role.DIRECTOR}),
    (c.Penalise, {"seat": NEAR, "points": 1, "role": e.Role.DIRECTOR}), (c.SetLength, {"length": 7}),
])  # fmt: skip
def test_with_what_is_no_play_nobody_goes_on_by_hand(kind: type[c.Command], more: dict[str, object]) -> None:
    at = timed()
    at.do(c.EnterPlay, play="8/5 6/5")
    at.now += 15
    at.table.note(e.DeviceLost(CAMERA, because("camera_lost")))
    at.now += 100
    stood, _ = at.shown
    at.do(kind, **more)
    now = at.shown
    assert now[1] is None and (now[0] == stood or kind is c.SetLength)
    at.now += 100
    assert at.shown == now
    at.table.note(e.DeviceBack(CAMERA))
    assert at.shown == (now[0], "far")


def test_a_tower_that_is_lost_and_back_stops_no_clock() -> None:
    at = timed()
    at.table.note(e.DeviceLost(TOWER, because("tower_lost")))
    at.now += 10
    assert at.shown == ([570.0, 600.0], "near")
    at.table.note(e.DeviceBack(TOWER))
    at.now += 10
    assert at.shown == ([560.0, 600.0], "near")
