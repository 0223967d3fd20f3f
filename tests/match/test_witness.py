"""Camera and tower as witnesses of one throw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import LegalPlays, Seat, format_play
from referee.board.position import Position
from referee.match.commands import AcceptResignation, Double, EnterPlay, EnterRoll, Resign, SetPosition, StartGame, StartMatch
from referee.match.events import (
    DeviceLost,
    DiceLifted,
    Doubt,
    EarlyRoll,
    Event,
    GameWon,
    Kind,
    Logged,
    NoRoll,
    OpeningRolled,
    OpeningTied,
    Played,
    Rolled,
    RollVoid,
    Taken,
    TurnSet,
)
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.memory import Memory
from referee.match.state import MatchState, Phase
from referee.match.table import TableService, open_table
from referee.match.witness import HANDS, PATIENCE, Witness, Witnesses, camera_looks, camera_says, time_passes, tower_says
from referee.match.wording import log_line
from referee.observations import DieState, Reading, Rests, SeenDie, TowerThrow
from referee.rules.presets import preset
from referee.rules.reason import because

BRAY = preset("bray")


def to_roll(rules: str = "bray") -> MatchState:
    """Near opened 3-1 and played; far is to roll."""
    table = open_table(MemoryJournal(), rules)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules=rules))
    table.command(StartGame(seen_seq=table.state.seq))
    state = table.state
    play = next(iter(LegalPlays(state.position, Seat.NEAR, (3, 1))))
    events: list[Event] = [
        OpeningRolled(Seat.NEAR, (3, 1)),
        Played(Seat.NEAR, (3, 1), format_play(play), play.result),
    ]
    for event in events:
        state = apply(state, Logged(state.seq + 1, event))
    return state


def playing(journal: MemoryJournal, opening: bool = True) -> TableService[Memory]:
    """Near has opened with 3-1, if ``opening``; the box keeps its dice inside."""
    table = open_table(journal, clock=lambda: 10.0)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules="bray"))
    table.command(StartGame(seen_seq=table.state.seq))
    if opening:
        table.command(EnterRoll(seen_seq=table.state.seq, dice=(3, 1)))
    table.set_inside(True)
    return table


def inside(values: tuple[int | None, ...]) -> TowerThrow:
    return throw(values, rests=Rests.INSIDE)


def throw(values: tuple[int | None, ...] | None, at: float = 10.0, seat: Seat | None = Seat.FAR, rests: Rests = Rests.FIELD) -> TowerThrow:
    states = tuple(DieState.FLAT if v else None for v in values) if values else ()
    return TowerThrow("oak", 1, 1, values, states, seat, at, rests)


def look(at: float, *dice: SeenDie) -> Reading:
    """What the camera sees of the dice at a moment."""
    return Reading(dice, None, None, captured_at=at)


ROLL = (Rolled(Seat.FAR, (6, 2)),)


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


def opening(rules: str = "bray") -> MatchState:
    table = open_table(MemoryJournal(), rules, clock=lambda: 0.0)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules=rules))
    table.command(StartGame(seen_seq=table.state.seq))
    return table.state


def test_the_opening_is_one_die_of_each_player_inside_the_tower_too() -> None:
    state = opening()
    for first, second in ((Seat.NEAR, Seat.FAR), (Seat.FAR, Seat.NEAR)):
        die = {Seat.NEAR: 2, Seat.FAR: 6}
        witness, events = tower_says(state, throw((die[first],), seat=first, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
        assert events == ()
        witness, events = tower_says(state, throw((die[second],), seat=second, rests=Rests.INSIDE), BRAY, witness, 11.0)
        assert events == (OpeningRolled(Seat.FAR, (2, 6)),)
        assert witness.opening == ()


def test_a_tower_that_cannot_tell_whose_opening_die_it_is_asks_who_starts() -> None:
    witness, _ = tower_says(opening(), throw((2,), seat=None, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
    _, (doubt,) = tower_says(opening(), throw((6,), seat=None, rests=Rests.INSIDE), BRAY, witness, 11.0)
    assert isinstance(doubt, Doubt)
    assert [a.says.get("seat") for a in doubt.answers] == ["far", "near", None]
    witness, _ = tower_says(opening(), throw((4,), seat=None, rests=Rests.INSIDE), BRAY, Witness(), 10.0)
    assert tower_says(opening(), throw((4,), seat=None, rests=Rests.INSIDE), BRAY, witness, 11.0)[1] == (OpeningTied((4, 4)),)


def test_camera_and_tower_are_compared_in_the_opening_by_both_dice() -> None:
    seen = (OpeningRolled(Seat.FAR, (2, 6)),)
    witness, _ = tower_says(opening(), throw((2,), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    witness, events = tower_says(opening(), throw((6,), seat=Seat.FAR), BRAY, witness, 11.0)
    assert events == ()
    assert camera_says(seen, witness, 11.5)[1] == seen


def test_dice_that_stay_inside_have_only_the_tower_to_speak_for_them() -> None:
    assert tower_says(to_roll(), throw((6, 2), rests=Rests.INSIDE), BRAY, Witness(), 10.0)[1] == ROLL


def test_without_a_camera_the_tower_is_believed_unless_both_are_wanted() -> None:
    alone = Witness(camera_on=False)
    assert tower_says(to_roll(), throw((6, 2)), BRAY, alone, 10.0)[1] == ROLL
    assert tower_says(to_roll(), throw((6, 2)), BRAY, replace(alone, who=Witnesses.BOTH), 10.0)[1] == ()


def test_a_camera_that_is_lost_is_no_witness() -> None:
    state = to_roll()
    lost = apply(state, Logged(state.seq + 1, DeviceLost("camera", because("camera_lost"))))
    assert tower_says(lost, throw((6, 2)), BRAY, Witness(), 10.0)[1] == ROLL


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


def playing_on(rules: str, *events: Event) -> MatchState:
    """Far plays 6-2."""
    state = to_roll(rules)
    for event in (Rolled(Seat.FAR, (6, 2)), *events):
        state = apply(state, Logged(state.seq + 1, event))
    return state


def test_a_throw_before_its_turn_that_the_tower_alone_tells_of_stands_or_is_asked_about() -> None:
    """It cannot see whether the other has taken up his dice: it never says that a player threw too soon."""
    for rules, kind in (("bray", EarlyRoll), ("traditional", Doubt), ("magriel", Doubt)):
        for who in (Witness(camera_on=False), Witness(Witnesses.BOTH, camera_on=False), Witness(Witnesses.TOWER)):
            _, events = tower_says(playing_on(rules), throw((4, 4), seat=Seat.NEAR), preset(rules), who, 10.0)
            assert [type(e) for e in events] == [kind]


def test_dice_thrown_when_the_other_has_taken_up_his_are_no_offence() -> None:
    """Quick players throw before the play is judged."""
    for rules in ("bray", "traditional", "magriel"):
        for said in (throw(None, seat=Seat.NEAR), throw((4, 4), seat=Seat.NEAR), throw((4, 4), seat=Seat.NEAR, rests=Rests.INSIDE)):
            _, events = tower_says(playing_on(rules, DiceLifted(Seat.FAR)), said, preset(rules), Witness(), 10.0)
            assert [e for e in events if not isinstance(e, EarlyRoll)] == []


def test_whether_a_throw_came_too_soon_is_the_cameras_to_see() -> None:
    for rules in ("bray", "traditional", "magriel"):
        for values in (None, (4, 4)):
            assert tower_says(playing_on(rules), throw(values, seat=Seat.NEAR), preset(rules), Witness(), 10.0)[1] == ()


@pytest.mark.parametrize("who", [Witnesses.TOWER, Witnesses.BOTH])
@pytest.mark.parametrize("seat", [Seat.NEAR, None])
def test_a_throw_felt_before_the_play_was_judged_is_felt(who: Witnesses, seat: Seat | None) -> None:
    """However long the judging takes, nobody has to answer whether it counts."""
    state, roll = playing_on("bray", DiceLifted(Seat.FAR)), (Rolled(Seat.NEAR, (4, 3)),)
    witness, _ = tower_says(state, throw(None, seat=seat), BRAY, Witness(who), 10.0)
    witness, events = time_passes(state, BRAY, witness, 20.0)
    state = apply(state, Logged(state.seq + 1, Played(Seat.FAR, (6, 2), "", state.position)))
    assert (events, time_passes(state, BRAY, witness, 20.0)[1]) == ((), ())
    witness, events, _ = camera_says(roll, witness, 20.0)
    assert events == roll
    assert camera_says(roll, witness, 30.0)[1] == (), "it was felt once"


def test_a_throw_read_early_that_the_camera_misses_is_asked_about_when_its_turn_comes() -> None:
    state = playing_on("bray")
    witness, _ = tower_says(state, throw((4, 4), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    witness, events = time_passes(state, BRAY, camera_looks(look(20.0), witness), 20.0)
    assert events == ()
    after = apply(state, Logged(state.seq + 1, Played(Seat.FAR, (6, 2), "", state.position)))
    witness, events = time_passes(after, BRAY, witness, 20.5)
    assert events == ()
    _, (doubt,) = time_passes(after, BRAY, camera_looks(look(24.0), witness), 24.0)
    assert isinstance(doubt, Doubt)
    assert [answer.events for answer in doubt.answers] == [(Rolled(Seat.NEAR, (4, 4)),), ()]


def test_a_throw_felt_early_is_gone_with_its_turn() -> None:
    state = playing_on("bray")
    witness, _ = tower_says(state, throw((4, 4), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    differing = camera_says((Rolled(Seat.NEAR, (4, 3)),), witness, 11.0)[1]
    assert isinstance(differing[0], Doubt), "both have read it"
    for event in (Rolled(Seat.NEAR, (4, 3)), GameWon(Seat.FAR, 1, Kind.SINGLE)):
        witness, _ = time_passes(apply(state, Logged(state.seq + 1, event)), BRAY, witness, 12.0)
        assert witness.ahead is None


def test_an_opening_die_reported_late_is_no_throw_before_its_turn() -> None:
    for rules in ("bray", "traditional", "magriel"):
        state = opening(rules)
        state = apply(state, Logged(state.seq + 1, OpeningRolled(Seat.NEAR, (6, 2)), 11.0))
        for values in (None, (2,)):
            assert tower_says(state, throw(values, at=10.5), preset(rules), Witness(), 11.2)[1] == ()
    witness, _ = tower_says(state, throw((2,), at=10.5), BRAY, Witness(), 11.2)
    assert camera_says(ROLL, witness, 12.0)[1] == ROLL


def test_an_early_throw_that_stands_is_the_roll_when_its_turn_comes() -> None:
    journal = MemoryJournal()
    table = playing(journal)
    table.throw(replace(inside((4, 3)), seat=Seat.FAR))
    table = open_table(journal, clock=lambda: 10.0)  # the program was ended meanwhile
    near = next(iter(LegalPlays(table.state.position, Seat.NEAR, (3, 1))))
    table.command(EnterPlay(seen_seq=table.state.seq, play=format_play(near)))
    assert table.log[-1].event == Rolled(Seat.FAR, (4, 3)), "whether it came too soon nobody saw"
    said = [log_line(one, table.state) for one in table.log]
    assert not [text for text in said if "before the other turn" in text], said
    assert "Boris has thrown 4-3; it is the next roll" in said


def test_an_early_throw_is_gone_with_its_game() -> None:
    table = playing(MemoryJournal())
    table.throw(replace(inside((6, 6)), seat=Seat.FAR))
    table.command(Resign(seen_seq=table.state.seq, seat=Seat.NEAR))
    table.command(AcceptResignation(seen_seq=table.state.seq))
    table.command(StartGame(seen_seq=table.state.seq))
    table.command(EnterRoll(seen_seq=table.state.seq, dice=(3, 1)))
    play = next(iter(LegalPlays(table.state.position, Seat.NEAR, (3, 1))))
    table.command(EnterPlay(seen_seq=table.state.seq, play=format_play(play)))
    table.tick()
    assert (table.state.phase, table.state.game) == (Phase.TO_ROLL, 2)


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
