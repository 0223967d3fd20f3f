"""Rolls nobody saw, sweeps, and the questions they lead to."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import About, SeenCube, SeenDie, SeenDoubt
from tests.match.seen_table import (
    AFTER_62,
    CENTRED,
    FAR,
    LEFT,
    NEAR,
    OPENING,
    Kind,
    Table,
    begun,
    die,
    plays,
    throw,
)
from tests.match.test_judge import moved


def in_answers(table: Table, kind: type[Kind]) -> list[Kind]:
    """What the answers to the last question would log of this ``kind``."""
    return [event for answer in table.event(e.Doubt).answers for event in answer.events if isinstance(event, kind)]


@pytest.mark.parametrize("stills", [True, False])
def test_a_roll_nobody_saw_is_asked_about_and_never_guessed(stills: bool) -> None:
    table = begun(stills)
    after = next(p for p in plays(AFTER_62, FAR, 6, 1) if p not in plays(AFTER_62, FAR, 4, 3))
    logged = table.see(after, looks=12 if not stills else 0) + table.see(after)
    assert logged == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "roll"
    assert "rolled" not in table.see(after, *throw(NEAR, 6, 5)), "nothing goes on before the answer"
    wanted = next(i for i, a in enumerate(asked.answers) if any(isinstance(v, e.Rolled) and sorted(v.dice) == [1, 6] for v in a.events))
    table.answer(wanted)
    assert table.service.state.position == after
    assert "rolled" in table.see(after, *throw(NEAR, 6, 5)), "what was seen while the question was open is gone through"


@pytest.mark.parametrize("roll", [(6, 1), (5, 3), (2, 2), (1, 1), (4, 2)])
def test_of_the_rolls_that_explain_a_board_three_are_offered_at_most_and_no_double_before_another(roll: tuple[int, int]) -> None:
    for after in plays(AFTER_62, FAR, *roll):
        table = begun()
        table.see(after)
        table.see(after)
        doubles = [len(set(rolled.dice)) == 1 for rolled in in_answers(table, e.Rolled)]
        assert 1 <= len(table.event(e.Doubt).answers) <= 3
        assert doubles == sorted(doubles)


@pytest.mark.parametrize("seat", [NEAR, FAR])
def test_who_made_an_opening_roll_that_nobody_saw_threw_the_higher_die(seat: Seat) -> None:
    table = Table()
    table.see(START)
    after = plays(START, seat, 4, 2)[0]
    table.see(after)
    table.see(after)
    rolled = in_answers(table, e.OpeningRolled)
    assert rolled
    for event in rolled:
        assert event.seat is seat
        assert event.dice[seat.index] > event.dice[seat.other.index]


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("stills", [True, False])
def test_a_point_in_doubt_for_good_keeps_no_missed_turn_from_being_asked_about(stills: bool, opening: bool) -> None:
    table = Table(stills) if opening else begun(stills)
    if opening:
        table.see(START)
    doubt = (SeenDoubt(About.POINT, "count", "", point=12, values=(-5, 5)),)
    position = START if opening else AFTER_62
    after = plays(position, FAR, 6, 4)[0]
    logged = [kind for _ in range(8) for kind in table.see(after, doubts=doubt)]
    assert logged == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert any(after == getattr(answer.events[-1], "position", None) for answer in asked.answers)


def test_a_die_in_doubt_tells_no_opening_from_a_board_on_which_both_have_played() -> None:
    table = Table()
    table.see(START)
    dice = (OPENING[0], die(3, LEFT))
    table.see(START, *dice, doubts=(SeenDoubt(About.DIE, "state", "", centre=dice[1].centre),))
    both = plays(plays(START, FAR, 6, 4)[0], NEAR, 5, 4)[0]
    logged = [kind for _ in range(4) for kind in table.see(both)]
    assert "opening_rolled" not in logged
    assert logged == ["doubt"]


def test_an_unseen_roll_is_forgotten_when_the_position_is_back() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_a_question_put_aside_is_not_asked_again_of_the_same_sight() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    table.answer(None)
    assert table.see(after) + table.see(after) == ["doubt"]
    assert table.service.state.question == "position", "none of the rolls was right: how does play go on?"
    table.answer(None)
    assert table.see(after) + table.see(after) + table.see(after) == []


def test_two_turns_that_nobody_saw_are_asked_about_together() -> None:
    table = begun()
    middle = plays(AFTER_62, FAR, 6, 1)[0]
    after = plays(middle, NEAR, 5, 4)[0]
    table.see(after)
    table.see(after)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.answers
    for answer in asked.answers:
        positions = [event.position for event in answer.events if isinstance(event, e.Played | e.PlayCorrected)]
        assert positions[-1] == after


def test_a_sweep_is_asked_about_once() -> None:
    table = begun()
    swept = Position((0,) * 24, (0, 0), (15, 15))
    assert table.see(swept) + table.see(swept) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "game_over"
    assert table.see(swept) == []
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_sweeping_up_with_the_dice_gone_is_no_illegal_play() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(Position((0,) * 24, (0, 0), (15, 15))) == ["doubt"]
    table.answer(0)
    assert table.phase is Phase.GAME_OVER


def test_a_double_that_hits_three_and_is_played_wrongly_is_no_sweep() -> None:
    table = begun()
    table.see(AFTER_62)
    before = Position((0, -1, -1, -1, 0, 6, 0, 5, 0, 0, 0, 0, 4, 0, 0, 0, -5, 0, -7, 0, 0, 0, 0, 0), (0, 0), (0, 0))
    table.say(c.SetPosition, position=before)
    table.say(c.SetTurn, seat=NEAR)
    assert table.see(before, *throw(NEAR, 4, 4))[-1] == "rolled"
    after = Position((0, 1, 1, 1, 0, 3, 0, 4, 0, 0, 0, 0, 5, 0, 0, 0, -5, 0, -7, 0, 0, 0, 0, 0), (0, 3), (0, 0))
    assert table.see(after) == ["illegal_play"]


def two_turns_unseen() -> tuple[Table, Position, Position]:
    """Far has rolled 5-3 when the camera is covered; far plays, near rolls 4-2 and plays too. With it the position after either."""
    table = begun(stills=False)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    first = next(after for after in plays(AFTER_62, FAR, 5, 3) if after.bar == (0, 0))
    table.now += 60
    return table, first, plays(first, NEAR, 4, 2)[0]


def test_a_turn_that_went_by_unseen_does_not_make_the_play_before_it_illegal() -> None:
    table, _, second = two_turns_unseen()
    assert table.see(second, looks=10) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert (asked.about, asked.reason.code, asked.answers[-1].says.code) == ("play", "turn_unseen", "illegal_as_seen")
    wanted = next(i for i, a in enumerate(asked.answers) if e.Rolled(NEAR, (4, 2)) in a.events)
    table.answer(wanted)
    assert table.service.state.position == second
    assert table.see(second, *throw(FAR, 6, 1, place=50)) == ["rolled"]


def test_while_the_others_dice_lie_his_unseen_turn_is_waited_for() -> None:
    table, first, second = two_turns_unseen()
    dice = throw(NEAR, 4, 2)
    assert table.see(moved(first, (13, 11)), *dice, looks=10) == []
    assert table.see(second, *dice, looks=10) == []
    assert table.see(second, looks=10) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert e.Rolled(NEAR, (4, 2)) in asked.answers[0].events, "what his dice showed comes first"
    table.answer(0)
    assert table.see(plays(second, FAR, 4, 2)[0], looks=12) == ["doubt"], "what near's dice showed tells nothing of far's roll"


def test_play_that_goes_on_before_the_answer_accuses_nobody() -> None:
    table, _, second = two_turns_unseen()
    table.see(second, looks=10)
    third = plays(second, FAR, 6, 1)[0]
    assert "illegal_play" not in table.see(second, *throw(FAR, 6, 1, place=50)) + table.see(third, looks=10)
    assert "illegal_play" not in table.see(plays(third, NEAR, 6, 5)[0], looks=10)


def test_an_illegal_play_that_no_unseen_turn_explains_is_held_though_the_camera_was_away() -> None:
    table, _, _ = two_turns_unseen()
    assert table.see(moved(AFTER_62, (17, 19), (17, 21), sign=-1), looks=10) == ["illegal_play"]


def two_turns_played(stills: bool) -> tuple[Table, Position]:
    """Near has played 6-2 and far 3-1; with the position after it."""
    table, after = begun(stills), plays(AFTER_62, FAR, 3, 1)[3]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(after)
    return table, after


def about_to_win(stills: bool) -> Table:
    """Near has two checkers left and has thrown 6-5, which takes both off."""
    table, before = begun(stills), Position((1, 1) + (0,) * 18 + (-8, -4, 0, 0), (0, 0), (13, 3))
    table.say(c.SetPosition, position=before)
    table.say(c.SetTurn, seat=NEAR)
    assert table.see(before, *throw(NEAR, 6, 5))[-1] == "rolled"
    return table


@pytest.mark.parametrize("stills", [True, False])
def test_a_board_that_is_set_up_anew_after_a_few_turns_is_asked_about_and_charged_to_nobody(stills: bool) -> None:
    table, after = two_turns_played(stills)
    table.see(after, *throw(NEAR, 6, 5))
    assert table.see(START) == ["doubt"]  # near gives up with his roll unplayed
    assert table.service.state.question == "game_over"
    table.answer(0)
    assert table.see(START) == ["game_started"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_double_that_is_dropped_by_setting_the_board_up_anew_is_no_take_at_the_next_games_throw(stills: bool) -> None:
    table, after = two_turns_played(stills)
    table.cube = SeenCube(2, None, FAR)
    assert table.see(after) == ["doubled"]
    table.cube = CENTRED
    assert table.see(START) + table.see(START) == ["doubt"]
    table.see(START, *OPENING)
    table.see(AFTER_62)
    table.see(AFTER_62, *throw(FAR, 4, 3))
    second = plays(AFTER_62, FAR, 4, 3)[0]
    table.see(second)
    assert table.see(second, *throw(NEAR, 5, 4)) == []  # of the next game, and no take
    table.answer(0)
    assert table.see(second, *throw(NEAR, 5, 4)) == ["game_started", "opening_rolled", "played", "rolled", "played", "rolled"]
    assert table.service.state.score == (1, 0)


@pytest.mark.parametrize("stills", [True, False])
def test_a_game_that_is_given_up_while_an_illegal_play_is_held_is_asked_about(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    illegal = moved(AFTER_62, (17, 22), sign=-1)
    assert table.see(illegal) == ["illegal_play"]
    for cleared, goes_on in ((13, 15), True), ((15, 15), False):
        empty = Position((*(0,) * 23, 15 - cleared[0]), (0, 0), cleared)
        assert table.see(empty) == ["doubt"]
        if goes_on:
            assert table.see(illegal) == ["doubt_resolved"]
    table.answer(0)
    assert table.phase is Phase.GAME_OVER


@pytest.mark.parametrize("stills", [True, False])
def test_who_wins_by_his_roll_and_sweeps_up_at_once_is_offered_that_play(stills: bool) -> None:
    table = about_to_win(stills)
    assert table.see(START) + table.see(START) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt) and asked.about == "game_over"
    table.answer(0)
    assert table.service.state.score == (1, 0)


@pytest.mark.parametrize("stills", [True, False])
def test_a_loser_who_takes_his_checkers_up_as_the_last_one_is_borne_off_makes_no_illegal_play_of_it(stills: bool) -> None:
    table = about_to_win(stills)
    assert table.see(Position((0,) * 20 + (-8, -1, 0, 0), (0, 0), (15, 6))) == ["doubt"]
    assert table.service.state.question == "game_over"
    table.answer(0)
    assert table.service.state.score == (1, 0)


def test_pictures_that_miss_a_round_charge_nobody_with_what_both_have_moved() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 5, 3))
    first = plays(AFTER_62, FAR, 5, 3)[2]
    second = plays(first, NEAR, 4, 2)[3]
    third = plays(second, FAR, 6, 1)[3]
    assert table.see(third, *throw(NEAR, 6, 4)) == ["doubt"]
    assert table.service.state.question_code == "turns_unseen"


@pytest.mark.parametrize("stills", [True, False])
def test_the_next_games_opening_throw_is_no_bad_throw_of_a_game_that_was_given_up(stills: bool) -> None:
    table, _ = two_turns_played(stills)
    assert table.see(START, *OPENING, looks=1 if stills else 3) == ["doubt"]
    assert table.service.state.question == "game_over"
    table.answer(0)
    assert table.see(START, *OPENING)[:1] == ["game_started"]


def test_the_starting_position_is_asked_about_before_the_next_game_can_have_begun() -> None:
    table, _ = two_turns_played(stills=False)
    assert table.see(START, looks=4) == ["doubt"]


@pytest.mark.parametrize(("off", "second"), [(0, e.Resigned(FAR, 4, e.Kind.GAMMON)), (2, e.Resigned(NEAR, 2, e.Kind.SINGLE))])
def test_who_gives_up_before_he_has_borne_off_may_have_given_up_a_gammon(off: int, second: e.Resigned) -> None:
    table = begun(length=7)
    before = Position((3, 3, 2, *(0,) * 17, off - 15, 0, 0, 0), (0, 0), (7, off))
    table.service.note(e.CubeSet(2, NEAR), e.PositionSet(before))
    table.cube = SeenCube(2, NEAR)
    table.see(before)
    assert table.see(START) + table.see(START) == ["doubt"]
    assert in_answers(table, e.Resigned)[:2] == [e.Resigned(FAR, 2, e.Kind.SINGLE), second]
    table.answer(1)
    assert table.service.state.score == ((4, 0) if off == 0 else (0, 2))


def test_who_bears_off_his_last_checkers_without_a_throw_may_have_been_let_win() -> None:
    table = begun(length=7)
    before = Position((*(0,) * 18, 3, 0, 0, 0, 0, -2), (0, 0), (12, 13))
    table.service.note(e.PositionSet(before))
    table.see(before)
    after = Position((*(0,) * 18, 3, 0, 0, 0, 0, 0), (0, 0), (12, 15))
    assert table.see(after) + table.see(after) == ["doubt"]
    assert in_answers(table, e.Resigned) == [e.Resigned(NEAR, 1, e.Kind.SINGLE)]
    table.answer(2)
    assert table.service.state.score == (0, 1)


@pytest.mark.parametrize("thrown", [False, True], ids=["the cube lay there", "he threw"])
def test_who_sweeps_after_a_double_may_have_dropped_it_whatever_was_taken_for_a_take(thrown: bool) -> None:
    table = begun(False, length=7)
    first = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(first)
    table.cube = SeenCube(2, None, FAR) if thrown else SeenCube(2, FAR)
    table.see(first)
    if thrown:
        table.see(first, *throw(NEAR, 5, 4, place=20))
    assert isinstance(table.event(e.Taken), e.Taken)
    table.cube = CENTRED
    table.see(START, looks=8)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert [answer.says.code for answer in asked.answers] == ["dropped", "resigned", "resigned"]
    table.answer(0)
    assert table.service.state.score == (1, 0)
    table.see(START)
    assert (table.phase, table.service.state.game) == (Phase.OPENING, 2), "the next game is begun"


def test_who_sweeps_after_a_double_of_a_turned_cube_loses_what_it_stood_at() -> None:
    table = begun(length=7)
    table.say(c.SetCube, value=2, owner=NEAR)
    table.cube = SeenCube(2, NEAR)
    first = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(first)
    table.cube = SeenCube(4, None, FAR)
    table.see(first)
    table.cube = CENTRED
    table.see(START, looks=8)
    table.answer(0)
    assert table.service.state.score == (2, 0)


def test_a_game_that_is_ended_by_hand_after_an_undo_does_not_keep_the_next_from_beginning() -> None:
    table = begun(False, length=7)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(plays(AFTER_62, FAR, 3, 1)[0])
    assert table.say(c.Undo)
    assert table.service.state.reconcile
    assert table.say(c.Resign, seat=NEAR)
    assert table.say(c.AcceptResignation)[-1] == "game_won"
    assert table.see(START) == ["game_started"]


@pytest.mark.parametrize("stills", [True, False])
def test_turns_that_went_by_unseen_are_no_sweep_however_many_checkers_they_moved(stills: bool) -> None:
    table = begun(stills)
    gone_by = moved(moved(AFTER_62, (1, 7), (1, 7), (12, 17), (12, 17), (12, 17), sign=-1), (13, 8), (13, 8), (6, 4), (8, 4))
    table.now += 60
    table.see(gone_by)
    table.see(gone_by)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "position_differs"


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("dice", [(), throw(FAR, 3, 1)], ids=["dice gone", "dice laid there again"])
def test_a_board_that_is_cleared_in_mid_play_and_set_up_again_is_played_on_from(stills: bool, dice: tuple[SeenDie, ...]) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(Position((0,) * 24, (0, 0), (15, 15)), looks=8) == ["doubt"]
    assert table.see(AFTER_62, *dice, looks=12) == ["doubt_resolved"]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(plays(AFTER_62, FAR, 3, 1)[0])
    assert "played" in [one.event.type for one in table.service.log[-2:]]
