"""More of what is settled between two looks: ties, restarts, turns and positions put right by hand, and what must still be judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.match.witness import Witnesses
from referee.observations import About, DieState, Half, SeenCube, SeenDie, SeenDoubt
from referee.rules.presets import preset
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, plays, throw
from tests.match.test_between import AFTER_31, UNREADABLE, accused, both_ways, kinds, taken_up, unseen_turn
from tests.match.test_judge import moved

TIE = die(3, RIGHT), die(3, LEFT)
TIE_AGAIN = die(3, RIGHT, place=60), die(3, LEFT, place=60)
DARK = (SeenDoubt(About.PICTURE, "dark", ""),)
DOUBTED = (SeenDoubt(About.DIE, "value", "", centre=die(2, RIGHT).centre, values=(2, 1)),)
SHUT_OUT = Position((2, 2, 2, 2, 2, 0, 0, 2, 0, 0, 0, -5, 3, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, -1), (0, 1), (0, 0))
"""Far has a checker on the bar and enters with a six alone."""


def voided(table: Table, since: int) -> list[str]:
    return [one.event.type for one in table.service.log[since:] if isinstance(one.event, e.RollVoid)]


def tray(value: int, x: float) -> SeenDie:
    return replace(die(value, None), half=None, tray=True, centre=(1000.0 + x, 500.0))


@pytest.mark.parametrize("beside", [(), (die(4, None, DieState.OFF_BOARD),)], ids=["", "a die beside the board"])
@pytest.mark.parametrize(("stills", "look_between"), [(True, True), (True, False), (False, True)])
def test_a_second_tie_of_the_same_number_turns_the_cube_again(stills: bool, look_between: bool, beside: tuple[SeenDie, ...]) -> None:
    table = Table(stills, "agca")
    table.see(START, *beside)
    assert table.see(START, *TIE, *beside) == ["opening_tied", "auto_doubled"]
    if look_between:
        table.see(START, *beside)
    assert table.see(START, *TIE_AGAIN, *beside) == ["opening_tied", "auto_doubled"]


@both_ways
def test_after_a_tie_one_die_that_still_lies_is_no_opening_throw(stills: bool) -> None:
    table = Table(stills, "agca")
    table.see(START)
    while "opening_tied" not in table.see(START, *TIE, looks=1):
        assert table.now < 60
    if not stills:
        table.see(START, hand=True, looks=3)
    table.see(START, TIE[0], die(5, LEFT, place=60))
    assert table.phase is Phase.OPENING


@both_ways
@pytest.mark.parametrize("rules", ["bray", "agca"])
def test_a_second_tie_that_was_misread_and_undone_does_not_come_back(stills: bool, rules: str) -> None:
    table = Table(stills, rules)
    for dice in ((), TIE, ()):
        table.see(START, *dice)
    wrong = die(5, RIGHT, place=60), die(5, LEFT, place=60)
    table.see(START, *wrong)
    since = len(table.service.log)
    assert table.say(c.Undo) == ["undone"]
    for _ in range(2):
        table.see(START, *wrong)
    assert "opening_tied" not in kinds(table, since)


@both_ways
def test_a_tie_is_not_told_again_after_a_restart(stills: bool) -> None:
    table = Table(stills, "agca")
    table.see(START)
    table.see(START, *TIE)
    since = taken_up(table, stills, "agca")
    for _ in range(2):
        table.see(START, *TIE)
    assert kinds(table, since) == []


@both_ways
@pytest.mark.parametrize("first", ["hand", "dark"])
def test_dice_of_the_last_turn_are_known_after_a_restart_whose_first_look_shows_nothing(stills: bool, first: str) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31)
    since = taken_up(table, stills)
    table.see(None, hand=first == "hand", doubts=DARK if first == "dark" else (), looks=1)
    for _ in range(3):
        table.see(AFTER_31, *throw(FAR, 3, 1))
    assert voided(table, since) == []


@both_ways
def test_a_throw_in_the_tray_that_shares_a_number_with_the_last_counts_after_a_restart(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, tray(3, 0), tray(1, 60))
    assert table.see(AFTER_31) == ["played"]
    taken_up(table, stills)
    for _ in range(3):
        table.see(AFTER_31, tray(3, 10), tray(5, 90))
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 3))


@both_ways
def test_dice_of_the_last_turn_are_no_throw_after_a_restart_in_a_double_or_a_typed_roll(stills: bool) -> None:
    for how in ("double", "typed"):
        table = begun(stills)
        table.see(AFTER_62, *throw(FAR, 3, 1))
        table.see(AFTER_31, *throw(FAR, 3, 1))
        table.say(c.EnterPlay, play="8/5 6/5")
        assert table.say(c.Double) if how == "double" else table.say(c.EnterRoll, dice=(5, 4))
        since = taken_up(table, stills)
        table.see(AFTER_31, *throw(FAR, 3, 1))
        if how == "double":
            table.say(c.Take)
        for _ in range(3):
            table.see(AFTER_31, *throw(FAR, 3, 1))
        assert (voided(table, since), accused(table, since)) == ([], []), how


@both_ways
def test_who_begins_is_put_right_and_he_plays_on_while_the_dice_lie(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    lie = die(6, RIGHT), die(2, LEFT)  # near's is a 1 that is read as a 6
    assert table.see(START, *lie) == ["opening_rolled"]
    table.say(c.EnterRoll, dice=(1, 2))
    assert table.service.state.on_roll is FAR
    table.see(START, *lie)
    for _ in range(2):
        table.see(plays(START, FAR, 2, 1)[0], *lie)
    assert table.phase is Phase.ROLLED


@both_ways
def test_the_turn_is_put_right_and_he_plays_on_while_the_dice_lie(stills: bool) -> None:
    table = begun(stills)
    dice = tray(3, 0), tray(1, 60)
    table.see(AFTER_62, *dice)
    table.say(c.SetTurn, seat=NEAR, dice=(3, 1))
    table.see(AFTER_62, *dice)
    for _ in range(2):
        table.see(plays(AFTER_62, NEAR, 3, 1)[0], *dice)
    assert table.phase is Phase.ROLLED


@both_ways
def test_the_same_roll_two_turns_later_is_not_the_one_that_was_put_right(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_31)
    table.say(c.SetPosition, position=AFTER_62)
    table.say(c.SetTurn, seat=FAR, dice=(3, 1))  # by who had not seen that it was played already
    since = len(table.service.log)
    answered = plays(AFTER_31, NEAR, 5, 4)[0]
    table.see(answered, *throw(NEAR, 5, 4))
    again = plays(answered, FAR, 3, 1)[0]
    for board in (answered, again):
        table.see(board, *throw(FAR, 3, 1, place=40))
    table.see(again, looks=8)
    table.see(again, *throw(NEAR, 6, 4), looks=8)
    assert accused(table, since) == []
    assert table.service.state.reconcile


@both_ways
def test_an_opening_that_the_tower_did_not_feel_is_played_while_the_dice_lie(stills: bool) -> None:
    table = Table(stills)
    table.service = TableService(MemoryJournal(), preset("bray"), consider, Memory(stills=stills), lambda: table.now)
    table.service.command(c.StartMatch(seen_seq=0, names=("", ""), rules="bray"))
    table.service.set_witnesses(Witnesses.BOTH, True)
    table.see(START)
    for _ in range(6):
        table.see(START, *OPENING)
    assert table.service.state.question == "throw"
    table.answer(0)
    assert table.phase is Phase.ROLLED
    for _ in range(2):
        table.see(AFTER_62, *OPENING)
    assert table.phase is Phase.ROLLED


@both_ways
def test_a_position_that_answers_what_was_played_ends_the_turn(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, doubts=UNREADABLE, looks=8)
    table.see(AFTER_31, *throw(NEAR, 5, 4), doubts=UNREADABLE)
    since = len(table.service.log)
    assert "played" in table.say(c.SetPosition, position=AFTER_31)
    for _ in range(3):
        table.see(AFTER_31, *throw(NEAR, 5, 4))
    assert accused(table, since) == []
    assert (table.phase, table.service.state.on_roll, table.service.state.dice) == (Phase.ROLLED, NEAR, (5, 4))


def test_a_turn_that_was_unseen_is_judged_when_it_is_played_again() -> None:
    table, _ = unseen_turn()
    table.answer(0)
    rolled = next(one.seq for one in table.service.log if isinstance(one.event, e.Rolled))
    table.say(c.Undo, to_seq=rolled)
    table.see(AFTER_62)
    table.now -= 5
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.now -= 5
    since = len(table.service.log)
    table.see(moved(AFTER_62, (12, 17), sign=-1), looks=20)
    assert accused(table, since) == ["illegal_play"]


@both_ways
def test_an_answer_that_is_undone_leaves_the_roll_to_be_played(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    unclear = tuple(SeenDoubt(About.POINT, "count", "", point=p) for p in (17, 18, 19, 20, 21))
    for _ in range(3):
        table.see(AFTER_31, doubts=unclear, looks=1 if stills else 8)
    assert table.service.state.question == "play"
    table.answer(0)
    table.see(AFTER_31)
    since = len(table.service.log)
    assert table.say(c.Undo) == ["undone"]
    for _ in range(2):
        table.see(AFTER_62, *throw(FAR, 3, 1))
    assert accused(table, since) == []


def test_an_undo_of_the_play_leaves_the_score_that_was_set_meanwhile() -> None:
    table = begun(False, length=5)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31, hand=True, looks=1)
    table.see(None, looks=6)
    table.see(AFTER_31, doubts=UNREADABLE, looks=2)
    assert table.phase is Phase.JUDGING
    table.say(c.SetScore, score=(2, 1))
    assert "played" in table.see(AFTER_31)
    table.say(c.Undo)
    assert table.service.state.score == (2, 1)


@both_ways
def test_an_opening_play_that_is_undone_is_judged_when_played_again(stills: bool) -> None:
    table = begun(stills)
    assert table.say(c.Undo) == ["undone"]
    for _ in range(2):
        table.see(START, *OPENING)
    for _ in range(2):
        table.see(AFTER_62, *OPENING)
    assert table.phase is Phase.ROLLED, "the dice lie there"
    since = len(table.service.log)
    for _ in range(3):
        table.see(moved(START, (24, 20)))
    assert accused(table, since) == ["illegal_play"]


def test_who_cannot_move_is_not_charged_with_a_checker_moved_before_his_throw() -> None:
    table = begun(False)
    assert table.say(c.SetPosition, position=SHUT_OUT)
    table.see(SHUT_OUT, looks=4)
    odd = moved(SHUT_OUT, (8, 7))
    table.see(odd, looks=2)
    table.see(odd, *throw(FAR, 5, 4))
    since = len(table.service.log)
    table.see(odd, looks=8)
    assert accused(table, since) == []


@both_ways
def test_dice_of_a_typed_roll_that_cannot_be_played_are_no_bad_throw(stills: bool) -> None:
    table = begun(stills)
    table.say(c.SetPosition, position=SHUT_OUT)
    table.see(SHUT_OUT)
    assert table.say(c.EnterRoll, dice=(4, 4)) == ["rolled", "played"]
    since = len(table.service.log)
    for _ in range(2):
        table.see(SHUT_OUT, die(4, LEFT), die(4, LEFT, place=90))
    assert voided(table, since) == []


@both_ways
@pytest.mark.parametrize("opening", [True, False])
def test_dice_of_a_turn_that_was_told_before_they_were_seen_are_no_bad_throw(stills: bool, opening: bool) -> None:
    table = Table(stills) if opening else begun(stills)
    table.see(START if opening else AFTER_62)
    roll, play, after = ((6, 2), "24/18 13/11", AFTER_62) if opening else ((3, 1), "8/5 6/5", AFTER_31)
    assert table.say(c.EnterRoll, dice=roll)
    assert table.say(c.EnterPlay, play=play)
    since = len(table.service.log)
    for _ in range(3):
        table.see(after, *(OPENING if opening else throw(FAR, 3, 1)))
    assert voided(table, since) == []


@both_ways
@pytest.mark.parametrize("how", ["pause", "by word"])
def test_a_double_taken_back_after_a_pause_or_a_word_is_not_told_of_the_cube(stills: bool, how: str) -> None:
    table = begun(stills)
    if how == "by word":
        table.say(c.Double)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62, looks=6)
    assert table.phase is Phase.DOUBLED
    if how == "pause":
        table.say(c.Pause)
        table.see(AFTER_62, looks=6)
    since = len(table.service.log)
    assert table.say(c.SetCube, value=1)
    if how == "pause":
        table.see(AFTER_62, looks=6)
        table.say(c.Resume)
    for _ in range(2):
        table.see(AFTER_62, looks=6)
    assert "doubled" not in kinds(table, since)


@both_ways
def test_who_plays_on_in_a_pause_is_asked_what_was_played_and_accused_of_nothing(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.say(c.Pause)
    turns = [(FAR, 3, 1), (NEAR, 6, 4), (FAR, 5, 2), (NEAR, 4, 3)]
    now = AFTER_62
    for seat, a, b in turns:
        dice, now = throw(seat, a, b), plays(now, seat, a, b)[0]
        for seen in (dice, ()):
            table.now -= 5.0  # a camera looks all the time
            table.see(now, *seen)
    table.now -= 5.0
    assert table.say(c.Resume)
    since = len(table.service.log)
    for _ in range(3):
        table.see(now)
    assert accused(table, since) == []
    assert table.service.state.doubt is not None


@both_ways
@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("again", [False, True], ids=["", "started again"])
def test_a_play_that_is_told_before_it_is_made_on_the_board_is_waited_for(stills: bool, again: bool, made: bool) -> None:
    table, thrown = begun(stills), throw(FAR, 3, 1)
    table.see(AFTER_62, *thrown)
    assert table.say(c.EnterPlay, play="8/5 6/5") == ["played"]
    if again:
        taken_up(table, stills)
    for board in (AFTER_62, moved(AFTER_62, (17, 20), sign=-1)):
        assert table.see(board, *thrown, looks=8) == []
        assert table.see(board, looks=8) == []
    if not made:  # on the board it is another one
        assert table.see(next(play for play in plays(AFTER_62, FAR, 3, 1) if play != AFTER_31), looks=8) == ["doubt"]
        return
    assert table.see(AFTER_31) == []
    assert table.see(AFTER_31, *throw(NEAR, 5, 4)) == ["rolled"]


@both_ways
def test_a_play_that_was_told_and_made_and_is_taken_back_is_asked_about(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.say(c.EnterPlay, play="8/5 6/5")
    table.see(AFTER_31)
    assert table.see(AFTER_62, looks=8) == ["doubt"]


@both_ways
@pytest.mark.parametrize(("looks", "again"), [(1, False), (2, False), (1, True)], ids=["a look", "two looks", "started again"])
@pytest.mark.parametrize("by", [c.Undo, c.SetCube])
def test_a_double_that_was_taken_is_not_announced_again_once_it_was_taken_back(
    stills: bool, by: type[c.Command], looks: int, again: bool
) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, NEAR)
    for _ in range(looks):
        table.see(AFTER_62, looks=6)
    assert (table.phase, table.service.state.cube.owner) == (Phase.TO_ROLL, NEAR)
    since = len(table.service.log)
    for _ in range(2 if by is c.Undo else 1):
        assert table.say(by, **({"value": 1} if by is c.SetCube else {}))
        if again:
            taken_up(table, stills)
        table.see(AFTER_62, looks=6)
    assert not {"doubled", "taken"} & set(kinds(table, since))
    assert table.service.state.cube.value == 1
    table.cube = SeenCube(1, None)
    table.see(AFTER_62, looks=6)
    table.cube = SeenCube(2, NEAR)
    table.see(AFTER_62, looks=6)
    assert kinds(table, since)[-2:] == ["doubled", "taken"]


@both_ways
@pytest.mark.parametrize("lies", [LEFT, RIGHT], ids=["his throw", "laid down"])
def test_dice_that_lay_there_as_a_person_put_the_board_right_are_a_throw_where_it_is_his(stills: bool, lies: Half) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(AFTER_31)
    strange = moved(AFTER_31, (6, 5))
    dice = throw(NEAR if lies is RIGHT else FAR, 5, 4, place=40)
    table.see(strange)
    table.say(c.SetPosition, position=AFTER_31)
    table.say(c.SetTurn, seat=FAR)
    since = len(table.service.log)
    for board in (strange, strange, AFTER_31):
        table.see(board, *dice, looks=2 if stills else 16)
    assert voided(table, since) == []
    assert (table.service.state.dice == (5, 4)) is (lies is LEFT)
    table.see(AFTER_31, *throw(FAR, 6, 5), *(dice if lies is RIGHT else ()))
    assert (table.phase, table.service.state.on_roll) == (Phase.ROLLED, FAR)


@pytest.mark.parametrize(("doubts", "roll"), [((), (5, 2)), (DOUBTED, (6, 4))], ids=["seen for a moment", "seen in doubt"])
def test_what_was_seen_of_the_opening_throw_tells_nothing_of_who_is_put_on_roll_instead(
    doubts: tuple[SeenDoubt, ...], roll: tuple[int, int]
) -> None:
    table = Table(stills=False)
    table.see(START)
    table.see(START, die(2, RIGHT), die(5, LEFT), doubts=doubts, looks=2 if doubts else 1)
    table.say(c.SetTurn, seat=NEAR)
    since = len(table.service.log)
    table.see(START if doubts else plays(START, NEAR, *roll)[0], *throw(NEAR, *roll, place=60))
    assert kinds(table, since) == ["rolled"]
    assert table.service.state.dice == roll
