"""What people, a restart or the tower settle between two looks: the camera, which still sees the dice and the cube of it, tells it no
second time and holds it against nobody."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.observations import About, DieState, SeenCube, SeenDoubt
from referee.rules.presets import preset
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, plays, throw
from tests.match.test_judge import moved

both_ways = pytest.mark.parametrize("stills", [True, False])
AFTER_31 = moved(AFTER_62, (17, 20), (19, 20), sign=-1)  # far's 8/5 6/5
UNREADABLE = (SeenDoubt(About.BOARD, "hidden", ""),)


def accused(table: Table, since: int) -> list[str]:
    """The illegal plays that were logged after the first ``since`` events."""
    return [one.event.type for one in table.service.log[since:] if isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood)]


def kinds(table: Table, since: int) -> list[str]:
    return [one.event.type for one in table.service.log[since:]]


def taken_up(table: Table, stills: bool, rules: str = "bray") -> int:
    """The program starts anew with the match as it was logged; how long the log is."""
    journal = MemoryJournal()
    journal.append(table.service.log)
    table.service = TableService(journal, preset(rules), consider, Memory(stills=stills))
    return len(table.service.log)


def continued(stills: bool) -> tuple[Table, int]:
    """A match that is taken up from among the kept ones, after its opening roll; how long its log is then."""
    table = begun(stills)
    taken_up(table, stills)
    table.service.note(e.Reopened(), source="person")
    return table, len(table.service.log)


@both_ways
def test_a_play_that_is_undone_is_no_refusal_to_move_once_the_board_is_put_back(stills: bool) -> None:
    table = begun(stills)
    since = len(table.service.log)
    assert table.say(c.Undo) == ["undone"]
    table.see(START, *OPENING)
    table.see(START, *OPENING)
    assert accused(table, since) == []
    assert table.phase is Phase.ROLLED
    assert table.see(AFTER_62) == ["played"]


@both_ways
def test_an_accusation_that_is_undone_does_not_come_back(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(moved(AFTER_62, (12, 17), sign=-1)) == ["illegal_play"]
    since = len(table.service.log)
    table.say(c.Undo)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert accused(table, since) == []


@both_ways
def test_a_position_set_by_hand_while_the_play_is_asked_about_accuses_nobody(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, doubts=UNREADABLE, looks=8)
    assert table.phase is Phase.JUDGING
    since = len(table.service.log)
    assert table.say(c.SetPosition, position=AFTER_31)
    table.see(AFTER_31)
    assert accused(table, since) == []


@both_ways
def test_a_play_that_is_undone_while_the_others_dice_lie_is_played_again(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    lifted = next(one.seq for one in table.service.log if isinstance(one.event, e.DiceLifted))
    since = len(table.service.log)
    table.say(c.Undo, to_seq=lifted - 1)
    table.see(START, *throw(FAR, 3, 1))
    table.see(START, *throw(FAR, 3, 1))
    assert accused(table, since) == []
    assert (table.phase, table.service.state.on_roll) == (Phase.ROLLED, NEAR)


def test_what_one_unsettled_look_showed_is_no_roll() -> None:
    after = plays(AFTER_62, FAR, 6, 4)[0]
    table = begun(False)
    since = len(table.service.log)
    table.see(AFTER_62, *throw(FAR, 5, 4), looks=1)  # the die still rolls, and comes to rest as 6-4
    table.see(after, looks=8)
    table.see(after, *throw(NEAR, 5, 3), looks=8)
    assert accused(table, since) == []
    assert "rolled" not in kinds(table, since)


@both_ways
@pytest.mark.parametrize("pause", [False, True])
def test_dice_of_a_turn_that_was_ended_by_hand_do_not_end_the_next(stills: bool, pause: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, *throw(FAR, 3, 1))
    if pause:
        table.say(c.Pause)
    assert table.say(c.EnterPlay, play="8/5 6/5")
    assert table.say(c.EnterRoll, dice=(5, 4))
    if pause:
        table.see(AFTER_31)
        table.say(c.Resume)
    since = len(table.service.log)
    for _ in range(3):
        table.see(AFTER_31)
    assert accused(table, since) == []


@both_ways
def test_dice_that_lie_on_after_a_play_by_hand_do_not_hide_the_others_throw(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, *throw(FAR, 3, 1))
    table.say(c.EnterPlay, play="8/5 6/5")
    for _ in range(3):
        table.see(AFTER_31, *throw(FAR, 3, 1), *throw(NEAR, 5, 4))
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 4))


@both_ways
@pytest.mark.parametrize("how", ["answer", "hand"])
def test_one_tie_turns_the_cube_once(stills: bool, how: str) -> None:
    table = Table(stills, "agca")
    table.see(START)
    dice = die(3, RIGHT), die(3, LEFT)
    if how == "answer":
        unsure = (SeenDoubt(About.DIE, "value", "", centre=dice[0].centre, values=(3, 5)),)
        for _ in range(4):
            table.see(START, *dice, doubts=unsure)
        table.answer(0)
        table.see(START, *dice, doubts=unsure)
    else:
        assert "opening_tied" in table.say(c.EnterRoll, dice=(3, 3))
    for _ in range(2):
        table.see(START, *dice)
    assert table.service.state.cube.value == 2
    again = die(4, RIGHT, place=60), die(4, LEFT, place=60)
    table.see(START)
    assert table.see(START, *again) == ["opening_tied", "auto_doubled"]


@both_ways
@pytest.mark.parametrize("again", [False, True], ids=["", "started again"])
@pytest.mark.parametrize("by", [c.Undo, c.SetCube])
def test_a_double_that_was_taken_back_is_not_announced_of_the_same_cube(stills: bool, by: type[c.Command], again: bool) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62, looks=6)
    assert table.phase is Phase.DOUBLED
    since = len(table.service.log)
    assert table.say(by, **({"value": 1} if by is c.SetCube else {}))
    if again:
        taken_up(table, stills)
    for _ in range(2):
        table.see(AFTER_62, looks=6)
    assert "doubled" not in kinds(table, since)
    table.cube = SeenCube(1, None)
    table.see(AFTER_62, looks=6)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62, looks=6)
    assert table.phase is Phase.DOUBLED


@both_ways
def test_dice_of_the_last_turn_are_no_bad_throw_after_a_restart(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(AFTER_31) == ["played"]
    taken_up(table, stills)
    since = len(table.service.log)
    for _ in range(2):
        table.see(AFTER_31, *throw(FAR, 3, 1))
    assert kinds(table, since) == []
    assert table.see(AFTER_31, *throw(FAR, 3, 1), *throw(NEAR, 5, 4)) == ["rolled"]


@both_ways
def test_dice_of_the_opening_are_no_bad_throw_after_a_restart(stills: bool) -> None:
    table = begun(stills)
    taken_up(table, stills)
    since = len(table.service.log)
    for _ in range(2):
        table.see(AFTER_62, *OPENING)
    assert kinds(table, since) == []


@both_ways
def test_dice_of_the_last_game_are_no_bad_opening_throw_after_a_restart(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    taken_up(table, stills)
    since = len(table.service.log)
    table.see(START, *throw(FAR, 3, 1))
    table.see(START, *throw(FAR, 3, 1))
    assert kinds(table, since) == []
    assert table.see(START, *OPENING, *throw(FAR, 3, 1)) == ["opening_rolled"]


@both_ways
@pytest.mark.parametrize("state", [DieState.COCKED, DieState.ON_CHECKER, DieState.ON_BAR, DieState.OFF_BOARD])
def test_a_throw_that_was_ruled_void_is_ruled_so_once_though_the_program_is_started_again(stills: bool, state: DieState) -> None:
    half = LEFT if state in (DieState.COCKED, DieState.ON_CHECKER) else None
    dice = die(3, half, state, place=300), die(1, LEFT)
    table = begun(stills)
    assert table.see(AFTER_62, *dice) == ["roll_void"]
    since = taken_up(table, stills)
    table.see(AFTER_62, *dice)
    table.see(AFTER_62, *dice)
    assert kinds(table, since) == []
    table.see(AFTER_62)
    assert table.see(AFTER_62, *dice) == ["roll_void"]
    table.see(AFTER_62)
    assert table.see(AFTER_62, *throw(FAR, 5, 4)) == ["rolled"]


@both_ways
def test_a_throw_made_while_the_program_was_down_is_not_taken_for_the_one_that_was_ruled_void(stills: bool) -> None:
    spare = die(3, None, DieState.OFF_BOARD, place=300)
    table = begun(stills)
    assert table.see(AFTER_62, spare, die(1, LEFT)) == ["roll_void"]
    taken_up(table, stills)
    assert table.see(AFTER_62, spare, *throw(FAR, 5, 4)) == ["rolled"]


@both_ways
@pytest.mark.parametrize("how", ["not counted", "taken back", "alone"])
def test_a_throw_that_a_person_has_put_aside_is_none_though_the_program_is_started_again(stills: bool, how: str) -> None:
    table, dice = begun(stills), throw(FAR, 3, 1)[: 1 if how == "alone" else 2]
    unsure = SeenDoubt(About.DIE, "value", "", centre=dice[0].centre, values=(3, 5))
    for _ in range(3):
        table.see(AFTER_62, *dice, doubts=(unsure,) if how == "not counted" else ())
    if how == "taken back":
        assert table.say(c.Undo) == ["undone"]
    else:
        doubt = table.service.state.doubt
        assert doubt is not None
        table.answer(len(doubt.doubt.answers) - 1)
    since = taken_up(table, stills)
    for _ in range(3):
        table.see(AFTER_62, *dice)
    assert kinds(table, since) == (["board_agreed"] if how == "taken back" else [])
    table.see(AFTER_62)
    assert table.see(AFTER_62, *throw(FAR, 5, 4)) == ["rolled"]


@both_ways
@pytest.mark.parametrize("how", ["judging", "held"])
def test_dice_that_are_laid_down_again_are_those_of_the_roll_though_the_program_is_started_again(stills: bool, how: str) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(moved(AFTER_62, (12, 17), sign=-1), doubts=UNREADABLE if how == "judging" else ())
    assert table.phase is (Phase.HELD if how == "held" else Phase.JUDGING)
    taken_up(table, stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.service.memory.turn.voided == ()


def test_dice_that_the_other_had_laid_down_before_the_roll_was_told_by_hand_are_no_throw() -> None:
    laid = throw(NEAR, 4, 1, place=40)
    table = begun(False)
    table.see(AFTER_62, *laid)
    since = len(table.service.log)
    table.say(c.EnterRoll, dice=(3, 1))
    table.see(AFTER_62, *laid, *throw(FAR, 3, 1))
    table.see(AFTER_31, *laid)
    assert kinds(table, since) == ["rolled", "dice_lifted", "played"]
    assert table.see(AFTER_31, *laid, *throw(NEAR, 5, 4)) == ["rolled"]


@pytest.mark.parametrize("half", ["the other's", "his own"])
def test_dice_that_show_the_roll_by_chance_after_turns_went_by_are_another_throw(half: str) -> None:
    """The program is started again while a roll is played, and turns go by before the camera sees the board again."""
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    since = taken_up(table, False)
    one, two = moved(AFTER_31, (18, 15), (13, 8)), moved(moved(AFTER_31, (18, 15), (13, 8)), (12, 16), (12, 14), sign=-1)
    table.now += 40
    dice = throw(NEAR if half == "the other's" else FAR, 3, 1, place=40)
    if half == "his own":
        table.see(one)
    begin = moved(two, (6, 3)) if half == "the other's" else one
    table.see(two if half == "the other's" else moved(one, (12, 16), sign=-1), *dice, looks=1)
    table.see(begin, *dice, looks=1)  # checkers are being moved
    table.see(begin, *dice, looks=1)
    table.now -= 5.0
    table.see(two)
    table.see(two, *throw(NEAR, 5, 4))
    assert accused(table, since) == []
    table.see(two)
    assert table.service.state.question == "play"


@both_ways
@pytest.mark.parametrize("made", [AFTER_62, moved(AFTER_62, (17, 20), sign=-1), AFTER_31], ids=["nothing", "a move", "all"])
def test_dice_that_the_other_has_laid_down_are_no_throw_after_a_restart_while_the_roll_is_played(stills: bool, made: Position) -> None:
    laid = throw(NEAR, 4, 1, place=40)
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    since = taken_up(table, stills)
    table.see(made, *laid, *throw(FAR, 3, 1))
    table.see(AFTER_31, *laid)
    assert kinds(table, since) == ["dice_lifted", "played"]
    assert table.see(AFTER_31, *laid, *throw(NEAR, 5, 4)) == ["rolled"]


@both_ways
def test_an_opening_throw_that_was_ruled_void_is_ruled_so_once_though_the_program_is_started_again(stills: bool) -> None:
    cocked, good = die(3, LEFT, DieState.COCKED), die(1, RIGHT)
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(4, LEFT), die(4, RIGHT)) == ["opening_tied"]
    table.see(START)
    assert table.see(START, cocked, good) == ["roll_void"]
    since = taken_up(table, stills)
    table.see(START, cocked, good)
    table.see(START, cocked, good)
    assert kinds(table, since) == []
    table.see(START)
    assert table.see(START, *OPENING) == ["opening_rolled"]


def test_dice_that_lay_there_at_a_restart_before_the_opening_are_taken_up_and_thrown() -> None:
    table = Table(False)
    table.see(START)
    since = taken_up(table, False)
    assert table.see(START, *OPENING) == ["opening_rolled"]
    for _ in range(5):
        table.see(START)
    assert accused(table, since) == []
    table.see(START, die(1, RIGHT, place=40), die(5, LEFT, place=40))
    assert table.service.state.question == "throw"
    table.answer(0)
    assert table.event(e.OpeningRolled) == e.OpeningRolled(FAR, (1, 5))
    assert accused(table, since) == []


@both_ways
def test_dice_of_another_match_are_no_throw_of_the_one_that_is_continued(stills: bool) -> None:
    table, since = continued(stills)
    table.see(None, *throw(FAR, 6, 4), looks=1)
    table.see(START, *throw(FAR, 6, 4))
    table.see(AFTER_62, *throw(FAR, 6, 4))
    assert kinds(table, since) == ["board_agreed"]
    assert table.see(AFTER_62, *throw(FAR, 5, 3, place=40)) == ["rolled"]


@both_ways
def test_a_throw_made_on_the_right_board_counts_though_a_match_is_continued_by_hand(stills: bool) -> None:
    table, since = continued(stills)
    table.see(AFTER_62, *throw(FAR, 6, 4))
    assert kinds(table, since) == ["board_agreed", "rolled"]


@both_ways
def test_whether_the_game_is_over_is_no_question_once_the_board_is_put_back(stills: bool) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62, looks=6)
    points = list(AFTER_62.points)
    points[5] = points[7] = 0
    swept = Position(tuple(points), (0, 0), (15 - sum(p for p in points if p > 0), 0))
    table.see(swept, looks=12)
    assert table.service.state.question == "game_over"
    table.see(AFTER_62, looks=12)
    assert (table.service.state.question, table.phase) == ("", Phase.DOUBLED)


@both_ways
def test_a_checker_that_is_put_back_before_the_opening_is_no_question(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    for _ in range(2):
        table.see(moved(START, (24, 23)), looks=12)
    assert table.service.state.question == "position"
    table.see(START, looks=12)
    assert table.service.state.question == ""


def unseen_turn() -> tuple[Table, Position]:
    """Far finished and near played while the board could not be read, and it is asked about; what the board shows now."""
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, doubts=UNREADABLE, looks=12)
    table.see(AFTER_31, *throw(NEAR, 5, 4), doubts=UNREADABLE)
    after = moved(AFTER_31, (13, 8), (13, 9))
    table.see(after, *throw(NEAR, 5, 4))
    table.see(after)
    table.see(after)
    asked = table.service.state.doubt
    assert asked is not None and asked.doubt.reason.code == "turn_unseen"
    return table, after


def test_none_of_these_accuses_nobody() -> None:
    table, after = unseen_turn()
    since = len(table.service.log)
    table.answer(None)
    for _ in range(3):
        table.see(after)
    assert accused(table, since) == []


def test_a_checker_that_was_moved_before_the_throw_is_not_charged_to_the_thrower() -> None:
    table = begun(False)
    odd = moved(AFTER_62, (6, 5))  # near shifts a checker after his play, and far throws at once
    table.see(odd, looks=2)
    table.see(odd, *throw(FAR, 3, 1))
    since = len(table.service.log)
    after = moved(odd, (17, 20), (19, 20), sign=-1)
    table.see(after, looks=8)
    assert accused(table, since) == []
    asked = table.service.state.doubt
    assert asked is not None
    assert [answer.says.code for answer in asked.doubt.answers] == ["board_was_so", "illegal_as_seen"]
    table.answer(0)
    assert (table.phase, table.service.state.position) == (Phase.TO_ROLL, after)
    assert table.see(after, *throw(NEAR, 5, 3)) == ["rolled"]
