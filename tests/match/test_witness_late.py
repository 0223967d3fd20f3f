"""A throw that the tower reports late: its line was gone, and the player who sees it on the box waits for the referee."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import Seat
from referee.match.commands import AnswerDoubt, EnterPlay, EnterRoll, StartGame, StartMatch
from referee.match.events import Doubt, Event, Logged, OpeningRolled, Rolled
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import open_table
from referee.match.witness import PAST, STALE, Witness, Witnesses, tower_says
from referee.observations import Rests, TowerThrow
from tests.match.tower_said import BRAY, ROLL, inside, opening, throw, to_roll

LATE = STALE + 3.0


def asked(events: tuple[Event, ...]) -> list[str]:
    return [event.reason.code for event in events if isinstance(event, Doubt)]


@pytest.mark.parametrize("witness", [Witness(camera_on=False), Witness(Witnesses.TOWER)], ids=["no camera", "the tower's word"])
def test_a_throw_of_this_turn_is_asked_about_and_never_logged_unasked(witness: Witness) -> None:
    after, events = tower_says(to_roll(), throw((6, 2)), BRAY, witness, 10.0 + LATE)
    assert after == witness
    (question,) = events
    assert isinstance(question, Doubt)
    assert (question.about, question.reason.code) == ("throw", "throw_late")
    assert [answer.events for answer in question.answers] == [ROLL, ()]


def test_it_is_no_throw_of_a_later_turn() -> None:
    state = to_roll()
    state = apply(state, Logged(state.seq + 1, Rolled(Seat.FAR, (5, 4)), 12.0))
    assert tower_says(state, inside((6, 2)), BRAY, Witness(), 10.0 + LATE)[1] == ()


def test_what_was_thrown_before_the_last_play_was_made_is_not_asked_about() -> None:
    state = replace(to_roll(), at=12.0)
    assert state.before is not None
    assert tower_says(state, inside((6, 2)), BRAY, Witness(), 10.0 + LATE)[1] == ()


def test_where_a_camera_sees_the_dice_it_has_the_word() -> None:
    assert tower_says(to_roll(), throw((6, 2)), BRAY, Witness(), 10.0 + LATE)[1] == ()
    assert tower_says(to_roll(), throw((6, 2)), BRAY, Witness(Witnesses.CAMERA), 10.0 + LATE)[1] == ()


def test_a_throw_too_long_ago_or_of_the_other_player_or_not_read_is_not_asked_about() -> None:
    assert tower_says(to_roll(), inside((6, 2)), BRAY, Witness(), 10.0 + PAST + 1.0)[1] == ()
    assert tower_says(to_roll(), throw((6, 2), seat=Seat.NEAR, rests=Rests.INSIDE), BRAY, Witness(), 10.0 + LATE)[1] == ()
    assert tower_says(to_roll(), throw(None), BRAY, Witness(camera_on=False), 10.0 + LATE)[1] == ()


@pytest.mark.parametrize("late", [1.0, STALE - 0.1])
def test_what_a_box_that_cannot_tell_whose_reports_when_the_turn_is_entered_by_hand_is_asked_about(late: float) -> None:
    """It may be the throw that was entered, and no throw of the player who is on roll since."""
    for seat, codes in ((None, ["throw_late"]), (Seat.FAR, [])):
        state = replace(to_roll(), at=10.0 + late / 2)
        after, events = tower_says(state, throw((6, 2), seat=seat, rests=Rests.INSIDE), BRAY, Witness(), 10.0 + late)
        assert asked(events) == codes
        assert after.felt is None
        if not codes:
            assert events == ROLL, "whose it is the box has said"
    assert tower_says(to_roll(), throw((6, 2), seat=None, rests=Rests.INSIDE), BRAY, Witness(), 10.0 + late)[1] == ROLL


def test_opening_dice_that_are_reported_late_are_asked_about_as_one_throw() -> None:
    witness = Witness(camera_on=False)
    for seat, value in ((Seat.NEAR, 3), (Seat.FAR, 5)):
        witness, events = tower_says(opening(), inside_of(seat, value), BRAY, witness, 10.0 + LATE)
        assert asked(events) == (["throw_late"] if seat is Seat.FAR else [])
    (question,) = events
    assert isinstance(question, Doubt)
    assert [answer.events for answer in question.answers] == [(OpeningRolled(Seat.FAR, (3, 5)),), ()]


def inside_of(seat: Seat, value: int) -> TowerThrow:
    return replace(inside((value,)), seat=seat)


@pytest.mark.parametrize("new", [False, True])
def test_the_answer_is_the_roll_and_a_new_throw_needs_none(new: bool) -> None:
    now = [10.0]
    table = open_table(MemoryJournal(), clock=lambda: now[0])
    for command in (StartMatch(seen_seq=0, names=("", "")), StartGame(seen_seq=1), EnterRoll(seen_seq=2, dice=(3, 1))):
        table.command(command)
    table.set_inside(True)
    table.command(EnterPlay(seen_seq=table.state.seq, play="8/5 6/5"))
    now[0] = 25.0
    assert asked(tuple(one.event for one in table.throw(replace(inside((6, 2)), captured_at=15.0)))) == ["throw_late"]
    assert table.state.phase is Phase.TO_ROLL
    if new:
        table.throw(replace(inside((5, 4)), sequence=2, captured_at=25.0))
    else:
        assert table.state.doubt is not None
        table.command(AnswerDoubt(seen_seq=table.state.seq, doubt_seq=table.state.doubt.seq, answer=0))
    assert (table.state.phase, table.state.dice, table.state.doubt) == (Phase.ROLLED, (5, 4) if new else (6, 2), None)
