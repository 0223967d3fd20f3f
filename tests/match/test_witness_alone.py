"""The tower speaks for the dice alone: no camera sees them, or they rest inside of it."""

from __future__ import annotations

from dataclasses import replace

from referee.board import LegalPlays, Seat, format_play
from referee.board.position import Position
from referee.match.commands import AcceptResignation, Double, EnterPlay, EnterRoll, Resign, SetPosition, StartGame
from referee.match.events import DeviceLost, Doubt, Logged, NoRoll, OpeningRolled, OpeningTied, Played, Rolled, RollVoid, Taken, TurnSet
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.witness import Witness, Witnesses, tower_says
from referee.observations import DieState, Rests
from referee.rules.reason import because
from tests.match.tower_said import BRAY, ROLL, inside, opening, playing, throw, to_roll


def test_without_a_camera_the_tower_is_believed_unless_both_are_wanted() -> None:
    alone = Witness(camera_on=False)
    assert tower_says(to_roll(), throw((6, 2)), BRAY, alone, 10.0)[1] == ROLL
    assert tower_says(to_roll(), throw((6, 2)), BRAY, replace(alone, who=Witnesses.BOTH), 10.0)[1] == ()


def test_a_camera_that_is_lost_is_no_witness() -> None:
    state = to_roll()
    lost = apply(state, Logged(state.seq + 1, DeviceLost("camera", because("camera_lost"))))
    assert tower_says(lost, throw((6, 2)), BRAY, Witness(), 10.0)[1] == ROLL


def test_dice_that_stay_inside_have_only_the_tower_to_speak_for_them() -> None:
    assert tower_says(to_roll(), throw((6, 2), rests=Rests.INSIDE), BRAY, Witness(), 10.0)[1] == ROLL


def test_a_die_the_tower_read_as_cocked_voids_the_throw() -> None:
    cocked = replace(throw((6, 2), rests=Rests.INSIDE), states=(DieState.COCKED, DieState.FLAT))
    (event,) = tower_says(to_roll(), cocked, BRAY, Witness(), 10.0)[1]
    assert isinstance(event, RollVoid)
    assert event.reason.code == "cocked"


def test_a_die_the_tower_could_not_read_is_asked_about_never_guessed() -> None:
    (event,) = tower_says(to_roll(), throw((6, None), rests=Rests.INSIDE), BRAY, Witness(), 10.0)[1]
    assert isinstance(event, Doubt)


def test_of_three_dice_in_the_tower_it_is_asked_which_two_are_the_throw() -> None:
    alone = Witness(camera_on=False)
    _, (doubt,) = tower_says(to_roll(), throw((4, 1, 4)), BRAY, alone, 10.0)
    assert isinstance(doubt, Doubt) and doubt.reason.code == "throw_unsure"
    assert [answer.events for answer in doubt.answers] == [(Rolled(Seat.FAR, (4, 1)),), (Rolled(Seat.FAR, (4, 4)),), ()]
    cocked = replace(throw((4, 1, 6)), states=(DieState.FLAT, DieState.COCKED, DieState.FLAT))
    _, (doubt,) = tower_says(to_roll(), cocked, BRAY, alone, 10.0)
    assert isinstance(doubt, Doubt) and [answer.events for answer in doubt.answers] == [(Rolled(Seat.FAR, (6, 4)),), ()]


def test_the_opening_is_one_die_of_each_player_inside_the_tower_too() -> None:
    state = opening()
    for first, second in ((Seat.NEAR, Seat.FAR), (Seat.FAR, Seat.NEAR)):
        die = {Seat.NEAR: 2, Seat.FAR: 6}
        witness, events = tower_says(state, throw((die[first],), seat=first, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
        assert events == ()
        witness, events = tower_says(state, throw((die[second],), seat=second, rests=Rests.INSIDE), BRAY, witness, 11.0)
        assert events == (OpeningRolled(Seat.FAR, (2, 6)),)
        assert witness.opening == ()


def test_an_opening_die_that_lay_badly_in_the_tower_or_was_not_read_opens_nothing() -> None:
    state = opening()
    for badly, kind, why in ((DieState.COCKED, RollVoid, "cocked"), (None, Doubt, "die_not_read")):
        witness, _ = tower_says(state, throw((2,), seat=Seat.NEAR, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
        second = throw((6 if badly else None,), seat=Seat.FAR, rests=Rests.INSIDE)
        _, (event,) = tower_says(state, replace(second, states=(badly,)), BRAY, witness, 11.0)
        assert isinstance(event, kind) and event.reason.code == why


def test_a_tower_that_cannot_tell_whose_opening_die_it_is_asks_who_starts() -> None:
    witness, _ = tower_says(opening(), throw((2,), seat=None, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
    _, (doubt,) = tower_says(opening(), throw((6,), seat=None, rests=Rests.INSIDE), BRAY, witness, 11.0)
    assert isinstance(doubt, Doubt)
    assert [a.says.get("seat") for a in doubt.answers] == ["far", "near", None]
    witness, _ = tower_says(opening(), throw((4,), seat=None, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
    assert tower_says(opening(), throw((4,), seat=None, rests=Rests.INSIDE), BRAY, witness, 11.0)[1] == (OpeningTied((4, 4)),)


def test_an_opening_die_of_another_game_opens_nothing() -> None:
    table = playing(MemoryJournal(), opening=False)
    table.throw(replace(inside((3,)), seat=Seat.NEAR))
    table.command(EnterRoll(seen_seq=table.state.seq, dice=(6, 1)))
    table.command(Resign(seen_seq=table.state.seq, seat=Seat.NEAR))
    table.command(AcceptResignation(seen_seq=table.state.seq))
    table.command(StartGame(seen_seq=table.state.seq))
    assert table.throw(replace(inside((5,)), seat=Seat.FAR)) == ()
    rolled = table.throw(replace(inside((2,)), seat=Seat.NEAR))
    assert [one.event for one in rolled] == [OpeningRolled(Seat.FAR, (2, 5))]


def test_the_doublers_next_throw_in_the_box_is_a_take() -> None:
    table = playing(MemoryJournal())
    near = next(iter(LegalPlays(table.state.position, Seat.NEAR, (3, 1))))
    table.command(EnterPlay(seen_seq=table.state.seq, play=format_play(near)))
    table.command(Double(seen_seq=table.state.seq))
    assert table.throw(replace(inside((6, 5)), seat=Seat.NEAR)) == (), "the taker has not taken by throwing"
    cocked = replace(inside((6, 5)), states=(DieState.COCKED, DieState.FLAT))
    assert [type(one.event) for one in table.throw(cocked)] == [RollVoid]
    taken = table.throw(replace(inside((6, 5)), seat=Seat.FAR))
    assert [one.event for one in taken] == [Taken(Seat.NEAR, 2, inferred=True), Rolled(Seat.FAR, (6, 5))]


def test_when_the_one_on_roll_is_closed_out_the_other_throws_in_the_box() -> None:
    table = playing(MemoryJournal())
    shut = Position((0, 0, 0, 0, 0, 0, *(0,) * 12, -2, -2, -2, -2, -2, -2), (1, 0), (14, 3))
    table.note(Played(Seat.NEAR, (3, 1), "", shut), TurnSet(Seat.NEAR))
    thrown = table.throw(replace(inside((6, 5)), seat=Seat.FAR))
    assert [one.event for one in thrown] == [NoRoll(Seat.NEAR), Rolled(Seat.FAR, (6, 5))]


def test_a_throw_reported_long_after_it_happened_is_not_judged() -> None:
    assert tower_says(to_roll(), throw((6, 2), at=10.0, rests=Rests.INSIDE), BRAY, Witness(), 60.0)[1] == ()


def test_a_roll_that_leaves_nothing_to_play_ends_the_turn_where_no_camera_watches() -> None:
    """The next throw out of the box is the other player's: it must not be lost."""
    for watched in (False, True):
        table = playing(MemoryJournal())
        table.set_witnesses(Witnesses.ANY, watched)
        table.command(EnterPlay(seen_seq=table.state.seq, play="8/5 6/5"))
        closed = Position((2, 2, 2, 2, 2, 0, 0, 5, 0, 0, 0, 0, -5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 0), (0, 1), (0, 0))
        table.command(SetPosition(seen_seq=table.state.seq, position=closed))
        said = [one.event.type for one in table.throw(replace(inside((5, 4)), seat=None))]
        assert said == (["rolled"] if watched else ["rolled", "played"])
