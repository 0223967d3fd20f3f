"""Taking back: whole acts, by their last line as well as by their first, and nothing else."""

from __future__ import annotations

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.log import effective
from referee.match.state import MatchState, Phase
from tests.match.hand import Hand

NEAR, FAR = Seat.NEAR, Seat.FAR


def newest(hand: Hand) -> MatchState:
    """Takes back everything from the newest line of the log."""
    hand.do(c.Undo, to_seq=hand.table.state.seq - 1)
    return hand.table.state


def test_the_newest_line_takes_what_it_follows_from_with_it() -> None:
    off = Hand()
    off.open()
    off.set({1: 2}, {1: 2}, NEAR, (2, 1))
    off.do(c.EnterPlay, play="1/off(2)")
    state = newest(off)
    assert (state.phase, state.dice, state.position.off[0], state.score) == (Phase.ROLLED, (2, 1), 13, (0, 0))

    dropped = Hand()
    dropped.open()
    dropped.do(c.Double)
    dropped.do(c.Drop)
    state = newest(dropped)
    assert (state.phase, state.cube.offered_by, state.decider) == (Phase.DOUBLED, FAR, NEAR)

    won = Hand(length=1)
    won.roll(3, 1)
    won.do(c.Resign, seat=FAR)
    won.do(c.AcceptResignation)
    state = newest(won)
    assert (state.phase, state.score) == (Phase.ROLLED, (0, 0))
    assert state.resignation is not None, "the offer waits for its answer again"

    tied = Hand(0, "agca")
    tied.roll(3, 3)
    assert tied.table.state.cube.value == 2
    assert newest(tied).cube.value == 1
    assert not any(isinstance(one.event, e.OpeningTied) for one in effective(tied.table.log))

    lost = Hand(length=3)
    lost.roll(3, 1)
    lost.do(c.Penalise, seat=NEAR, points=3)
    assert lost.table.state.phase is Phase.MATCH_OVER
    assert (newest(lost).score, lost.table.state.phase, lost.table.state.penalties) == ((0, 0), Phase.ROLLED, (0, 0))


@pytest.mark.parametrize(
    ("kind", "values"),
    [(c.Penalise, {"seat": NEAR, "points": 1}), (c.AwardGame, {"seat": NEAR}), (c.AwardMatch, {"seat": NEAR})],
)
def test_a_ruling_goes_with_what_was_ruled(kind: type[c.Command], values: dict[str, object]) -> None:
    hand = Hand()
    hand.open()
    before, seq = effective(hand.table.log), hand.table.state.seq
    hand.do(kind, **values)
    hand.do(c.Undo)
    assert effective(hand.table.log) == before
    assert hand.table.state.rulings == ()
    assert hand.table.log[-1].event == e.Undone(seq)


def test_acts_of_different_moments_stay_apart() -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Double)
    hand.do(c.Take)
    assert newest(hand).phase is Phase.DOUBLED
    hand.do(c.Undo, to_seq=hand.table.state.seq - 1)
    assert hand.table.state.cube.value == 2, "an undo alone can be taken back too"


def test_a_take_inferred_from_a_roll_goes_with_the_roll_whatever_was_asked() -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Double)
    hand.table.note(e.Doubt("cube", e.Reason("cube_unclear")), source="camera")
    logged = hand.do(c.EnterRoll, dice=(6, 2))
    assert [type(one) for one in logged] == [e.Taken, e.DoubtResolved, e.Rolled]
    state = newest(hand)
    assert (state.phase, state.cube.offered_by) == (Phase.DOUBLED, FAR)
    assert state.doubt is not None


@pytest.mark.parametrize("rules", ["bray", "usbgf"])
def test_a_pause_lasts_through_an_undo(rules: str) -> None:
    hand = Hand(rules=rules)
    hand.open()
    hand.do(c.Pause)
    hand.do(c.Undo)
    state = hand.table.state
    assert (state.phase, state.play_phase, state.dice) == (Phase.PAUSED, Phase.ROLLED, (3, 1))
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.roll(6, 2)
    hand.do(c.Undo)
    assert (hand.table.state.phase, hand.table.state.play_phase) == (Phase.PAUSED, Phase.TO_ROLL), "the pause was not taken back"
    hand.do(c.Resume)
    assert hand.table.state.phase is Phase.TO_ROLL


def test_whom_the_roll_had_take_the_double_may_drop_it_once_the_play_is_taken_back_as_before_it() -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Double)
    hand.roll(6, 2)
    assert "drop" in hand.can()
    hand.do(c.EnterPlay, play="24/18 13/11")
    hand.do(c.Undo)
    assert "drop" in hand.can()
    hand.roll(5, 2)
    hand.do(c.EnterPlay, play="13/8 13/11")
    hand.do(c.Undo)
    hand.do(c.Drop)
    assert (hand.table.state.phase, hand.table.state.score) == (Phase.GAME_OVER, (0, 1))
