"""Turns that nobody saw and nobody can tell any more: the question about them has an answer with which play goes on, and the record
claims nothing of what was played meanwhile."""

from __future__ import annotations

import pytest

from referee.board.position import Position, Seat
from referee.match import events as e
from referee.match.commands import SetPosition, SetTurn
from referee.match.state import Phase
from referee.records.formats import read_bytes
from referee.records.replay import replay
from referee.records.whole import Whole
from referee.rules.reason import because
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, Table, begun, die, moved, plays, throw

both = pytest.mark.parametrize("stills", [True, False], ids=["stills", "stream"])
FIRST = plays(AFTER_62, FAR, 5, 3)[2]
SECOND = plays(FIRST, NEAR, 4, 2)[3]
THIRD = plays(SECOND, FAR, 6, 1)[3]
LATER = plays(THIRD, NEAR, 6, 4)[2]


def covered(table: Table, board: Position) -> None:
    """The players have gone on for a minute before a covered camera, and the board is seen again."""
    table.now += 60
    for _ in range(4):
        table.see(board)


def watched_nothing(table: Table) -> None:
    """Looks at a board that is covered, without a gap between them."""
    table.now -= 5.0
    table.see(None, looks=40)
    table.now -= 5.0


def says(table: Table) -> list[tuple[str, str | int | None]]:
    doubt = table.service.state.doubt
    return [(answer.says.code, answer.says.get("seat")) for answer in doubt.doubt.answers] if doubt is not None else []


def told(table: Table, seat: Seat) -> None:
    """A person says that turns went by, and who is to roll."""
    table.answer(says(table).index(("goes_on", seat.value)))


@both
def test_after_turns_that_nobody_saw_one_answer_lets_play_go_on(stills: bool) -> None:
    table = begun(stills, length=5)
    covered(table, THIRD)
    told(table, NEAR)
    table.see(THIRD)
    assert (table.phase, table.service.state.on_roll, table.service.state.position) == (Phase.TO_ROLL, NEAR, THIRD)
    assert table.see(THIRD, *throw(NEAR, 6, 4)) == ["rolled"]
    assert table.see(LATER) == ["played"]
    logged = [one.event for one in table.service.log]
    assert e.Ruled("position", because("gap")) in logged, "the gap is in the log"
    assert sum(isinstance(event, e.Played) for event in logged) == 2, "and nothing that nobody saw"


@both
def test_what_was_thrown_and_played_before_the_answer_is_followed_from_there(stills: bool) -> None:
    table = begun(stills)
    covered(table, THIRD)
    table.see(THIRD, *throw(NEAR, 6, 4))
    table.see(LATER, *throw(NEAR, 6, 4))
    table.see(LATER)
    told(table, NEAR)
    table.see(LATER)
    assert (table.service.state.reconcile, table.service.state.position, table.service.state.on_roll) == (False, LATER, FAR)


@both
def test_none_of_the_rolls_that_may_explain_the_board_is_no_dead_end(stills: bool) -> None:
    table = begun(stills)
    covered(table, SECOND)
    assert says(table)[0][0] != "goes_on"
    table.answer(None)
    table.see(SECOND)
    table.see(SECOND)
    told(table, FAR)
    assert table.see(SECOND, *throw(FAR, 6, 1)) == ["board_agreed", "rolled"]
    assert table.see(THIRD) == ["played"]


@both
def test_of_a_board_that_is_put_back_and_changed_again_the_rolls_are_asked_about_again(stills: bool) -> None:
    table = begun(stills)
    after = plays(AFTER_62, FAR, 6, 1)[0]
    covered(table, after)
    asked = says(table)
    table.see(AFTER_62)
    assert table.service.state.doubt is None
    covered(table, after)
    assert says(table) == asked


def test_turns_that_were_missed_while_a_roll_was_played_need_not_be_called_an_illegal_play() -> None:
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    covered(table, LATER)
    doubt = table.event(e.Doubt)
    assert isinstance(doubt, e.Doubt)
    assert doubt.reason.code == "turns_unseen"
    assert says(table)[-1][0] == "illegal_as_seen"
    told(table, FAR)
    table.see(LATER)
    assert (table.phase, table.service.state.on_roll, table.service.state.position) == (Phase.TO_ROLL, FAR, LATER)


def test_that_turns_went_by_which_nobody_can_tell_no_play_after_them_settles() -> None:
    """Near's next play follows from that answer alone: it is a person's to give all the same."""
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    covered(table, LATER)
    assert ("goes_on", "near") in says(table)
    assert table.see(LATER, *throw(NEAR, 6, 5)) == []
    after = plays(LATER, NEAR, 6, 5)[0]
    for _ in range(2):
        assert table.see(after) == []
    assert table.service.state.question_code == "turns_unseen"
    told(table, NEAR)
    table.see(after)
    assert (table.service.state.on_roll, table.service.state.position) == (FAR, after), "and is followed once he has"


def test_many_checkers_that_have_gone_forward_while_a_roll_was_played_are_no_sweep() -> None:
    table = begun(True)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    gone = AFTER_62
    for seat, roll in ((FAR, (5, 3)), (NEAR, (4, 4)), (FAR, (3, 3)), (NEAR, (6, 5))):
        gone = next(after for after in plays(gone, seat, *roll) if after.bar == (0, 0))
    covered(table, gone)
    assert table.service.state.question == "play"
    assert ("goes_on", "far") in says(table)


@both
def test_with_a_checker_neither_on_the_board_nor_off_nobody_is_offered_to_go_on(stills: bool) -> None:
    table = begun(stills)
    points = list(THIRD.points)
    points[points.index(min(points))] += 1
    covered(table, Position(tuple(points), THIRD.bar, (0, 1)))
    assert "goes_on" not in [code for code, _ in says(table)]


@pytest.mark.parametrize("ending", [".sgf", ".json"])
def test_the_record_has_the_gap_and_no_fault_in_it(ending: str) -> None:
    table = begun(length=5)
    covered(table, THIRD)
    told(table, NEAR)
    table.see(THIRD, *throw(NEAR, 6, 4))
    table.see(LATER)
    report = replay(read_bytes(Whole.of(table.service.log).written(ending).encode()))
    assert (report.illegal, report.breaks, report.unplayed, report.problems) == ((), (), (), ())
    lost = Whole.of(table.service.log).lost(".mat")
    assert any("set by hand" in text for text in lost), "who takes it as .mat is told what that leaves out"


@both
def test_nobody_is_charged_with_two_turns_of_his_while_the_other_danced(stills: bool) -> None:
    before = Position((2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, -4, -4, -4, -2, 0, 0), (0, 1))
    table = begun(stills)
    table.service.note(e.Played(FAR, (3, 1), "", before))
    table.see(before)
    assert table.see(before, *throw(NEAR, 5, 2)) == ["rolled"]
    table.now += 20
    for _ in range(5):
        table.see(None)  # covered: near plays, far dances, near plays again
    after = plays(plays(before, NEAR, 5, 2)[0], NEAR, 4, 3)[1]
    for _ in range(3):
        table.see(after)
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
    told(table, FAR)
    table.see(after)
    assert (table.phase, table.service.state.on_roll, table.service.state.position) == (Phase.TO_ROLL, FAR, after)


def set_otherwise(stills: bool) -> Table:
    """A person has set the match as the board stood before the last turn, and nobody puts the checkers back."""
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    table.see(FIRST, *throw(FAR, 5, 3))
    table.say(SetPosition, position=AFTER_62)
    table.say(SetTurn, seat=NEAR)
    table.see(FIRST, *throw(FAR, 5, 3))
    table.see(FIRST)
    assert table.service.state.reconcile
    return table


@both
def test_where_nobody_puts_the_board_as_the_match_was_set_and_throws_it_is_asked_how_play_goes_on(stills: bool) -> None:
    table = set_otherwise(stills)
    assert table.see(FIRST, *throw(NEAR, 4, 2)) == ["doubt"]
    told(table, NEAR)
    assert table.see(FIRST, *throw(NEAR, 4, 2)) == ["board_agreed", "rolled"]
    assert table.see(SECOND) == ["played"]


def test_so_it_is_where_they_are_in_a_hurry() -> None:
    table = set_otherwise(False)
    for _ in range(5):
        table.see(FIRST, *throw(NEAR, 4, 2), looks=1)
        table.now -= 5.3
    assert table.service.state.question == "position"


@both
def test_a_board_that_is_put_as_the_match_was_set_needs_no_answer(stills: bool) -> None:
    table = set_otherwise(stills)
    table.see(FIRST, *throw(NEAR, 4, 2))
    assert "board_agreed" in table.see(AFTER_62)
    assert table.service.state.question == ""
    assert table.see(AFTER_62, *throw(NEAR, 6, 4)) == ["rolled"]


def test_the_same_numbers_thrown_again_after_turns_that_nobody_saw_charge_nobody() -> None:
    table = begun(stills=False)
    table.see(AFTER_62, *throw(FAR, 5, 3))
    table.now += 20
    again = die(5, LEFT, place=120), die(3, LEFT, place=20)
    assert table.see(SECOND, *again) == ["doubt"], "both have played, and far has thrown the same once more"
    after = plays(SECOND, FAR, 5, 3)[1]
    table.see(after, *again)
    table.now -= 4.5  # his dice are taken up at once
    for _ in range(3):
        table.see(after)
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
    assert (table.service.state.question, table.service.state.on_roll) == ("", NEAR), "what was played next has told it"
    assert table.service.state.position == after


@both
def test_a_throw_on_a_board_that_no_play_of_it_explains_is_asked_about_after_a_gap(stills: bool) -> None:
    before = Position((2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 2, -2, -2, -4, -3, -2, 0, 0, 0), (0, 2))
    table = begun(stills)
    table.service.note(e.Played(FAR, (3, 1), "", before))
    table.see(before)
    table.now += 30
    for _ in range(5):
        table.see(None)  # covered: near plays 21, far dances, and near throws 43
    first = plays(before, NEAR, 2, 1)[0]
    begun_with = moved(first, (16, 12))
    table.see(begun_with, *throw(NEAR, 4, 3))
    table.see(moved(begun_with, (16, 13)), *throw(NEAR, 4, 3))
    table.see(moved(begun_with, (16, 13)))
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
    assert says(table), "it is asked"


def test_a_die_that_was_first_seen_beside_the_whole_play_may_have_been_knocked_over() -> None:
    table = begun(stills=False)
    after = plays(AFTER_62, FAR, 5, 3)[0]
    table.now -= 2.5
    for _ in range(3):
        table.see(after, *throw(FAR, 6, 3))  # thrown as 53 and played within a few seconds in which nobody could look
        table.now -= 4.5
    for _ in range(3):
        table.see(after)
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
    assert table.service.state.doubt is not None
    assert table.service.state.doubt.doubt.answers[0].says.get("high") == 5
    table.answer(0)
    last = table.service.state.last_turn
    assert last is not None
    assert last.dice == (5, 3)


def test_who_throws_on_a_board_on_which_the_other_has_moved_is_not_charged_with_that() -> None:
    table = begun(stills=False)
    table.now -= 2.5
    board = moved(AFTER_62, (8, 6))  # near has changed his play while nobody could look, and far has begun to play 53
    for step in ((12, 17), (17, 20)):
        board = moved(board, step, sign=-1)
        table.see(board, *throw(FAR, 5, 3))
        table.now -= 4.5
    for _ in range(3):
        table.see(board)
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
    assert says(table)[0] == ("goes_on", "near")


@both
def test_two_turns_that_went_by_while_a_play_was_held_are_no_part_of_that_play(stills: bool) -> None:
    table, wrong = begun(stills), moved(AFTER_62, (17, 20), (19, 21), sign=-1)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(wrong) == ["illegal_play"]
    later = plays(plays(wrong, NEAR, 5, 3)[2], FAR, 4, 2)[2]
    covered(table, later)
    table.see(later, *throw(NEAR, 6, 5))
    assert table.event(e.IllegalPlayStood).position == wrong
    assert table.service.state.question == "roll", "what was played since is asked"


@both
def test_what_a_person_sets_as_the_last_look_shows_it_is_agreed_though_the_next_one_shows_the_play(stills: bool) -> None:
    table = set_otherwise(stills)
    table.see(FIRST, *throw(NEAR, 4, 2))
    table.say(SetPosition, position=FIRST)
    table.say(SetTurn, seat=NEAR, dice=(4, 2))
    assert table.see(SECOND)[:1] == ["board_agreed"]
    assert table.service.state.question == ""
    assert (table.service.state.on_roll, table.service.state.position) == (FAR, SECOND)


@pytest.mark.parametrize("looks", [True, False], ids=["covered", "no looks"])
def test_turns_that_went_by_unseen_while_a_question_was_open_are_no_illegal_play_once_it_is_answered(looks: bool) -> None:
    table, thrown = begun(False), throw(FAR, 5, 2)
    covered(table, SECOND)
    assert table.service.state.question == "roll"
    played = plays(SECOND, FAR, 5, 2)[12]
    hit = next(play for play in plays(played, NEAR, 3, 1) if play.bar[FAR.index])
    table.see(SECOND, *thrown)
    table.see(played, *thrown)
    if looks:
        watched_nothing(table)
    else:
        table.now += 20
    entered = plays(hit, FAR, 3, 1)[6]  # near has hit, and far has entered
    table.see(entered)
    table.answer(0)
    table.see(entered)
    logged = [one.event for one in table.service.log]
    assert e.Rolled(FAR, (5, 2)) in logged
    assert not [event for event in logged if isinstance(event, e.IllegalPlay | e.IllegalPlayStood)]
    assert says(table)
