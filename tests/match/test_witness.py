"""Camera and tower as witnesses of one throw: they agree, they differ, or one of them is silent."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Seat
from referee.match.events import Doubt, Logged, OpeningRolled, Played, Rolled
from referee.match.folding import apply
from referee.match.witness import HANDS, PATIENCE, Witness, Witnesses, camera_looks, camera_says, time_passes, tower_says
from referee.observations import DieState, Rests, SeenDie
from tests.match.tower_said import BRAY, ROLL, look, opening, playing_on, throw, to_roll


def test_when_both_say_the_same_the_roll_is_accepted() -> None:
    witness, events = tower_says(to_roll(), throw((2, 6)), BRAY, Witness(), 10.0)
    assert events == ()
    witness, events, counts = camera_says(ROLL, witness, 10.5)
    assert (events, counts, witness.felt) == (ROLL, True, None)


def test_dice_inside_a_box_are_the_boxs_to_tell_whatever_the_setting() -> None:
    for who in Witnesses:
        inside = Witness(who, inside=True)
        assert camera_says(ROLL, inside, 1.0)[1:] == ((), False)
        assert tower_says(to_roll(), throw((6, 2), rests=Rests.INSIDE), BRAY, inside, 10.0)[1] == ROLL


def test_when_they_differ_it_is_asked_with_both_as_answers() -> None:
    witness, _ = tower_says(to_roll(), throw((2, 5)), BRAY, Witness(), 10.0)
    _, events, _ = camera_says(ROLL, witness, 10.5)
    (doubt,) = events
    assert isinstance(doubt, Doubt)
    assert doubt.reason.code == "camera_and_tower"
    assert [a.events[0].dice for a in doubt.answers if a.events and isinstance(a.events[0], Rolled)] == [(6, 2), (2, 5)]


def test_a_tower_that_reads_has_said_nothing_until_it_has_read() -> None:
    """Where its word is wanted, that a throw began is not yet its word about the dice."""
    begun = replace(throw(None), reads=True)
    for who, code in ((Witnesses.BOTH, "camera_and_tower"), (Witnesses.TOWER, "rolled")):
        witness, _ = tower_says(to_roll(), begun, BRAY, Witness(who), 10.0)
        witness, events, _ = camera_says(ROLL, witness, 10.5)
        assert events == ()
        _, (event,) = tower_says(to_roll(), replace(throw((5, 2), at=10.8), reads=True), BRAY, witness, 10.9)
        assert (event.reason.code if isinstance(event, Doubt) else event.type) == code
    witness, _ = tower_says(to_roll(), begun, BRAY, Witness(), 10.0)
    assert camera_says(ROLL, witness, 10.5)[1] == ROLL, "either's word will do"


def test_a_die_the_tower_could_not_read_contradicts_nothing() -> None:
    for values in ((6, None), (None, 2), (None, None)):
        witness, _ = tower_says(to_roll(), throw(values), BRAY, Witness(Witnesses.BOTH), 10.0)
        assert camera_says(ROLL, witness, 10.5)[1] == ROLL
    witness, _ = tower_says(to_roll(), throw((5, None)), BRAY, Witness(), 10.0)
    (doubt,) = camera_says(ROLL, witness, 10.5)[1]
    assert isinstance(doubt, Doubt)
    assert [a.says.code for a in doubt.answers] == ["rolled", "does_not_count"]


def test_a_die_that_lay_badly_for_the_tower_and_well_for_the_camera_is_asked_about() -> None:
    cocked = replace(throw((6, 2)), states=(DieState.COCKED, DieState.FLAT))
    witness, _ = tower_says(to_roll(), cocked, BRAY, Witness(), 10.0)
    (doubt,) = camera_says(ROLL, witness, 10.5)[1]
    assert isinstance(doubt, Doubt)
    assert [a.says.code for a in doubt.answers] == ["rolled", "does_not_count"]


def test_a_throw_felt_and_not_seen_is_asked_after_three_seconds_not_before() -> None:
    witness, _ = tower_says(to_roll(), throw(None), BRAY, Witness(), 10.0)
    witness, events = time_passes(to_roll(), BRAY, witness, 10.0 + PATIENCE - 0.1)
    assert events == ()
    witness = camera_looks(look(10.0 + PATIENCE), witness)
    witness, events = time_passes(to_roll(), BRAY, witness, 10.0 + PATIENCE)
    assert isinstance(events[0], Doubt)
    assert events[0].reason.code == "throw_not_seen"
    assert time_passes(to_roll(), BRAY, witness, 99.0)[1] == ()


def test_while_hands_keep_the_camera_from_looking_nothing_is_asked() -> None:
    """Who plays at once has his hands over the board before the dice can be read."""
    witness, _ = tower_says(to_roll(), throw(None), BRAY, Witness(), 10.0)
    witness = camera_looks(look(10.5), witness)  # the dice are still on their way through the tower
    assert time_passes(to_roll(), BRAY, witness, 16.0)[1] == ()
    witness = camera_looks(replace(look(16.0), hand=True), witness)
    assert time_passes(to_roll(), BRAY, witness, 16.0)[1] == ()
    assert time_passes(to_roll(), BRAY, camera_looks(look(17.0), witness), 17.0)[1] != ()
    assert time_passes(to_roll(), BRAY, witness, 10.0 + HANDS)[1] != (), "nor for ever"


def test_dice_that_are_in_sight_are_the_cameras_to_ask_about() -> None:
    old, new = SeenDie(3, DieState.FLAT, None, (10.0, 10.0)), SeenDie(None, DieState.FLAT, None, (200.0, 90.0))
    witness, _ = tower_says(to_roll(), throw(None), BRAY, camera_looks(look(9.0, old), Witness()), 10.0)
    assert time_passes(to_roll(), BRAY, camera_looks(look(13.0, old), witness), 10.0 + PATIENCE)[1] != ()
    assert time_passes(to_roll(), BRAY, camera_looks(look(13.0, old, new), witness), 10.0 + PATIENCE)[1] == ()


def test_camera_and_tower_are_compared_in_the_opening_by_both_dice() -> None:
    seen = (OpeningRolled(Seat.FAR, (2, 6)),)
    witness, _ = tower_says(opening(), throw((2,), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    witness, events = tower_says(opening(), throw((6,), seat=Seat.FAR), BRAY, witness, 11.0)
    assert events == ()
    assert camera_says(seen, witness, 11.5)[1] == seen


def test_both_wanted_and_no_camera_is_asked() -> None:
    witness, _ = tower_says(to_roll(), throw((6, 2)), BRAY, Witness(Witnesses.BOTH, camera_on=False), 10.0)
    _, events = time_passes(to_roll(), BRAY, witness, 10.0 + PATIENCE)
    assert isinstance(events[0], Doubt)
    assert events[0].answers[0].events == ROLL


def test_a_throw_nobody_could_see_is_not_the_one_that_is_seen_later() -> None:
    witness, _ = tower_says(to_roll(), throw(None), BRAY, Witness(camera_on=False), 10.0)
    assert time_passes(to_roll(), BRAY, witness, 10.0 + PATIENCE) == (replace(witness, felt=None), ())


def test_a_blind_tower_that_is_believed_alone_lets_the_camera_say_what_it_felt() -> None:
    who = Witness(Witnesses.TOWER)
    assert camera_says(ROLL, who, 10.0)[1] == ()
    witness, _ = tower_says(to_roll(), throw(None), BRAY, who, 10.0)
    assert camera_says(ROLL, witness, 10.5)[1:] == (ROLL, True)


def test_each_setting_believes_whom_it_names() -> None:
    state = to_roll()
    assert tower_says(state, throw((6, 2)), BRAY, Witness(Witnesses.CAMERA), 10.0) == (Witness(Witnesses.CAMERA), ())
    assert camera_says(ROLL, Witness(Witnesses.CAMERA), 1.0)[1] == ROLL
    assert tower_says(state, throw((6, 2)), BRAY, Witness(Witnesses.TOWER), 10.0)[1] == ROLL
    assert camera_says(ROLL, Witness(Witnesses.TOWER), 1.0)[1:] == ((), False)


def test_both_wanted_and_the_tower_silent_is_asked() -> None:
    witness, events, counts = camera_says(ROLL, Witness(Witnesses.BOTH), 1.0)
    assert (events, counts) == ((), False)
    _, events, counts = camera_says(ROLL, witness, 1.0 + PATIENCE)
    assert isinstance(events[0], Doubt)
    assert events[0].reason.code == "throw_not_felt"
    assert counts


def test_a_die_nobody_read_or_knows_whose_is_asked_about_in_one_question() -> None:
    """The answer that a throw does not count logs nothing, and no other question after it."""
    cases = ((to_roll(), ((6, None),), Seat.FAR, "die_not_read", 1), (opening(), ((6,), (2,)), None, "throw_unsure", 3))
    for state, said, seat, code, answers in cases:
        witness = Witness()
        for values in said:
            witness, _ = tower_says(state, throw(values, seat=seat), BRAY, witness, 10.0)
        _, (doubt,) = time_passes(state, BRAY, camera_looks(look(10.0 + PATIENCE), witness), 10.0 + PATIENCE)
        assert isinstance(doubt, Doubt)
        assert (doubt.reason.code, len(doubt.answers)) == (code, answers)
        assert not any(isinstance(event, Doubt) for answer in doubt.answers for event in answer.events)


def test_what_one_had_said_when_a_person_entered_the_roll_is_not_of_the_next_throw() -> None:
    near_rolls = (Rolled(Seat.NEAR, (5, 4)),)
    state = playing_on("bray")
    after = apply(state, Logged(state.seq + 1, Played(Seat.FAR, (6, 2), "", state.position)))
    witness, _, _ = camera_says(ROLL, Witness(Witnesses.BOTH), 10.0)
    witness, _ = time_passes(state, BRAY, witness, 10.5)
    witness, events = tower_says(after, throw((6, 2), at=12.0, seat=Seat.NEAR), BRAY, witness, 12.0)
    assert events == (), "the camera has said nothing of this throw"
    witness, _ = tower_says(to_roll(), throw((6, 2)), BRAY, Witness(), 10.0)
    witness, _ = time_passes(state, BRAY, witness, 10.5)
    assert camera_says(near_rolls, witness, 12.0)[1] == near_rolls
