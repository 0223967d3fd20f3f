"""Dice that are overlooked, misread or pushed about for a moment: nobody is accused for it, and no throw is made or lost of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.wording import sentence
from referee.match.state import Phase
from referee.observations import About, DieState, Reading, SeenDie, SeenDoubt, SeenPosition
from referee.rules.reason import because
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, plays, throw
from tests.match.test_between import AFTER_31, UNREADABLE, accused, both_ways, kinds, taken_up
from tests.match.test_between_again import SHUT_OUT, voided
from tests.match.test_judge import moved

THROWN = throw(FAR, 3, 1)
HALF_PLAYED = moved(AFTER_62, (17, 20), sign=-1)


def quickly(table: Table, position: Position, *dice: SeenDie, looks: int = 2) -> list[str]:
    """What is logged of ``looks`` at the board a tenth of a second apart."""
    logged: list[str] = []
    for _ in range(looks):
        table.now += 0.1
        reading = Reading(dice, SeenPosition(position.points, position.bar), table.cube, (), table.now, f"{table.now}")
        logged += [one.event.type for one in table.service.observe(reading)]
    return logged


@both_ways
@pytest.mark.parametrize("first", [(replace(THROWN[0], value=5), THROWN[1]), THROWN[:1], THROWN[1:], ()], ids=["misread", "3", "1", "none"])
def test_dice_of_the_last_turn_are_no_bad_throw_after_a_restart_whose_first_look_errs(stills: bool, first: tuple[SeenDie, ...]) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31)
    since = taken_up(table, stills)
    table.see(AFTER_31, *first, looks=1)
    for _ in range(3):
        table.see(AFTER_31, *THROWN)
    assert voided(table, since) == []
    assert table.see(AFTER_31, *THROWN, *throw(NEAR, 5, 4)) == ["rolled"]


@both_ways
def test_a_die_that_is_misread_for_good_is_no_bad_throw_after_a_restart(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31)
    since = taken_up(table, stills)
    for _ in range(3):
        table.see(AFTER_31, replace(THROWN[0], value=5), THROWN[1])
    assert voided(table, since) == []


@both_ways
def test_a_die_that_lies_on_after_a_restart_in_the_roll_is_no_throw(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    since = taken_up(table, stills)
    for _ in range(2):
        table.see(AFTER_31, THROWN[0])
    assert table.service.state.on_roll is NEAR
    assert voided(table, since) == []


@both_ways
def test_the_others_throw_counts_after_a_restart_though_it_shows_the_same_numbers(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    taken_up(table, stills)
    table.see(AFTER_31, *throw(NEAR, 3, 1), looks=6)
    assert (table.phase, table.service.state.on_roll) == (Phase.ROLLED, NEAR)


@both_ways
def test_dice_of_a_roll_that_is_typed_before_it_is_thrown_and_cannot_be_played_are_no_bad_throw(stills: bool) -> None:
    table = begun(stills)
    table.say(c.SetPosition, position=SHUT_OUT)
    table.see(SHUT_OUT)
    assert table.say(c.EnterRoll, dice=(4, 4)) == ["rolled", "played"]
    since = len(table.service.log)
    table.see(SHUT_OUT)
    for _ in range(2):
        table.see(SHUT_OUT, die(4, LEFT), die(4, LEFT, place=90))
    assert voided(table, since) == []


@both_ways
@pytest.mark.parametrize("numbers", [(3, 1), (3, 2)])
def test_dice_put_back_with_the_numbers_just_played_are_no_throw_of_the_other(stills: bool, numbers: tuple[int, int]) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    assert table.see(AFTER_31) == ["played"]
    there = die(numbers[0], LEFT, place=30), die(numbers[1], LEFT, place=70)
    if numbers != (3, 1):
        # He may have laid them there, or near has thrown to the wrong side: that is told when they stay.
        assert table.see(AFTER_31, *there) == (["roll_void"] if stills else [])
        assert table.see(AFTER_31, *there, looks=1 if stills else 12) == ([] if stills else ["roll_void"])
        return
    assert table.see(AFTER_31, *there) == []
    near = throw(NEAR, 5, 4, place=20)
    assert table.see(AFTER_31, *there, *near) == ["rolled"]
    after = moved(AFTER_31, (13, 8), (13, 9))
    table.see(after, *there, *near)
    assert table.see(after, *there) == ["played"], "nor do they become his next roll"
    assert table.see(after) == []


@pytest.mark.parametrize("board", [AFTER_62, HALF_PLAYED], ids=["nothing moved", "half played"])
def test_nobody_is_accused_while_one_of_his_dice_lies_there(board: Position) -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    since = len(table.service.log)
    table.see(board, THROWN[0], looks=12)
    assert accused(table, since) == []
    table.see(AFTER_31, *THROWN)
    assert table.see(AFTER_31) == ["played"]


def test_nobody_is_accused_while_a_die_of_the_opening_lies_there_and_nothing_was_moved() -> None:
    table = Table(False)
    table.see(START)
    table.see(START, *OPENING)
    since = len(table.service.log)
    table.see(START, OPENING[1], looks=12)
    assert accused(table, since) == []
    table.see(AFTER_62, *OPENING)
    assert table.see(AFTER_62) == ["played"]


def test_the_opening_die_that_is_overlooked_in_two_looks_was_not_taken_up() -> None:
    table = Table(False)
    table.see(START)
    table.see(START, *OPENING)
    quickly(table, AFTER_62, OPENING[1])
    assert table.phase is Phase.ROLLED


def test_a_die_in_doubt_for_a_moment_ends_no_turn() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)  # tried, and not decided yet
    doubts = (SeenDoubt(About.DIE, "value", "", centre=THROWN[0].centre, values=(5, 3)),)
    table.see(AFTER_31, replace(THROWN[0], value=5), THROWN[1], doubts=doubts, looks=2)
    assert table.phase is Phase.ROLLED


def test_a_checker_that_is_laid_straight_as_the_dice_are_lifted_is_no_illegal_play() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    since = len(table.service.log)
    quickly(table, moved(AFTER_31, (13, 12)), looks=3)
    assert accused(table, since) == []
    assert table.see(AFTER_31) == ["played"]


def test_a_die_pushed_aside_as_the_other_is_lifted_is_no_bad_throw_of_the_next_player() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    since = len(table.service.log)
    for _ in range(2):
        table.see(AFTER_31, replace(THROWN[0], centre=(THROWN[0].centre[0] + 70, 300.0)))
    assert table.service.state.on_roll is NEAR
    assert voided(table, since) == []


@both_ways
def test_a_throw_after_a_void_one_counts_though_a_die_lies_and_shows_as_before(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.COCKED))
    table.see(AFTER_62)
    assert table.see(AFTER_62, die(5, LEFT), die(2, LEFT)) == ["rolled"]


def test_a_void_throw_that_was_taken_up_is_still_offered_when_the_turn_was_missed() -> None:
    table = begun(True)
    table.see(AFTER_62, die(3, LEFT), die(1, LEFT, DieState.COCKED))
    table.see(AFTER_62)
    table.see(AFTER_31)
    table.see(AFTER_31)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert (doubt.doubt.answers[0].says.get("high"), doubt.doubt.answers[0].says.get("low")) == (3, 1)


@both_ways
def test_a_throw_into_the_wrong_half_is_still_void(stills: bool) -> None:
    table = begun(stills)
    since = len(table.service.log)
    table.see(AFTER_62, *throw(NEAR, 5, 4, place=20), looks=4 if stills else 22)
    assert voided(table, since) == ["roll_void"]
    assert kinds(table, since) == ["roll_void"]
    assert isinstance(table.last, e.RollVoid)
    assert table.last.reason.code == "wrong_half"
    assert sentence(table.last.reason, ("Ann", "Ben")) == "It is Ben’s turn; dice count only in that player’s right-hand half."


def test_dice_taken_up_after_a_typed_roll_hide_no_throw_that_comes_to_lie_there() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.say(c.EnterPlay, play="8/5 6/5")
    table.say(c.EnterRoll, dice=(5, 4))
    table.see(AFTER_31, *throw(NEAR, 5, 4))
    after = moved(AFTER_31, (13, 8), (13, 9))
    table.see(after, *throw(NEAR, 5, 4))
    table.say(c.EnterPlay, play="13/8 13/9")
    since = len(table.service.log)
    lies_there = replace(THROWN[0], value=6), die(2, LEFT, place=90)
    assert table.see(after, *lies_there) == ["rolled"]
    assert voided(table, since) == []


@pytest.mark.parametrize("rules", ["traditional", "magriel"])
@pytest.mark.parametrize("how", ["hidden", "one lifted"])
def test_no_throw_is_premature_while_the_dice_of_the_turn_before_are_out_of_sight(rules: str, how: str) -> None:
    table = begun(False, rules)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    since = len(table.service.log)
    if how == "hidden":
        quickly(table, AFTER_31, *throw(NEAR, 5, 4), looks=1)
        table.see(None, *throw(NEAR, 5, 4), looks=1, doubts=UNREADABLE)
    else:
        quickly(table, AFTER_31, THROWN[0], *throw(NEAR, 5, 4))
    table.see(AFTER_31, *throw(NEAR, 5, 4))
    assert voided(table, since) == []
    assert "doubt" not in kinds(table, since)
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 4))


CLOSED = Position((2, 2, 2, 2, 2, 2, 3, 0, 0, 0, 0, 0, *(0,) * 6, -2, -2, -2, -2, -2, -4), (0, 1), (0, 0))
"""Near has closed far out and is to bear off."""


def closing(stills: bool) -> Table:
    """Near is on roll, and far closed out."""
    table = begun(stills)
    table.say(c.SetPosition, position=CLOSED)
    table.say(c.SetTurn, seat=NEAR)
    table.see(CLOSED)
    return table


@both_ways
def test_who_throws_again_at_once_because_the_other_is_closed_out_has_played(stills: bool) -> None:
    table = closing(stills)
    assert table.see(CLOSED, *throw(NEAR, 6, 1)) == ["rolled"]
    after = moved(CLOSED, (7, 1), (7, 6))
    table.see(after, *throw(NEAR, 6, 1))
    since = len(table.service.log)
    table.see(after, *throw(NEAR, 5, 3, place=40))
    assert [kind for kind in kinds(table, since) if kind != "dice_lifted"] == ["played", "no_roll", "rolled"]
    assert table.service.state.dice == (5, 3)


TWICE = moved(CLOSED, (7, 1), (7, 6), (7, 1), (2, 1))
ELSEWHERE = (die(6, RIGHT, place=-90), die(1, RIGHT, place=120))


def played_twice(stills: bool, between: int) -> Table:
    """Near plays 6-1, throws 6-1 again, far being closed out, and plays that. The dice are out of sight for so many looks."""
    table = closing(stills)
    table.see(CLOSED, *throw(NEAR, 6, 1))
    after = moved(CLOSED, (7, 1), (7, 6))
    table.see(after, *throw(NEAR, 6, 1))
    if between:
        table.see(after, looks=between)
    table.see(after, *ELSEWHERE)
    table.see(TWICE, *ELSEWHERE)
    table.see(TWICE)
    return table


@both_ways
def test_the_same_numbers_thrown_again_are_a_throw_where_the_dice_were_seen_to_be_taken_up(stills: bool) -> None:
    table = played_twice(stills, 1 if stills else 2)
    assert [one for one in kinds(table, 0) if one != "dice_lifted"][-5:] == ["rolled", "played", "no_roll", "rolled", "played"]


@both_ways
def test_the_same_numbers_thrown_again_unseen_are_asked_about_and_not_an_illegal_play(stills: bool) -> None:
    table = played_twice(stills, 0)
    assert accused(table, 0) == []
    doubt = table.event(e.Doubt)
    assert isinstance(doubt, e.Doubt)
    assert (doubt.about, doubt.reason.code) == ("play", "turn_unseen")
    assert [answer.says.code for answer in doubt.answers] == ["then_rolled", "illegal_as_seen"]
    table.answer(0)
    assert (table.phase, table.service.state.on_roll, table.service.state.position) == (Phase.TO_ROLL, FAR, TWICE)


def test_dice_pushed_aside_are_no_throw_though_the_other_is_closed_out() -> None:
    table = closing(stills=False)
    table.see(CLOSED, *throw(NEAR, 6, 1))
    after = moved(CLOSED, (7, 1), (7, 6))
    table.see(after, *throw(NEAR, 6, 1, place=70))
    assert table.phase is Phase.ROLLED


@both_ways
def test_what_is_taken_back_while_the_checkers_are_moved_stops_no_turn(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    table.see(HALF_PLAYED, *THROWN)
    table.say(c.EnterRoll, dice=(3, 1))  # said again, and taken back
    assert table.say(c.Undo) == ["undone"]
    since = len(table.service.log)
    table.see(HALF_PLAYED, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.see(AFTER_31)
    assert "played" in kinds(table, since)
    assert accused(table, since) == []


@both_ways
def test_a_play_taken_back_is_not_made_again_by_dice_of_another_roll(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *THROWN)
    assert table.see(AFTER_31) == ["played"]
    since = len(table.service.log)
    table.say(c.Undo)
    for _ in range(2):
        table.see(AFTER_31, *throw(NEAR, 5, 4))
    assert kinds(table, since) == ["undone"]


AFTER_54 = moved(AFTER_31, (13, 9), (13, 8))
"""Near has played 5-4 after far's 3-1."""


@pytest.mark.parametrize("back", ["as he throws", "as he has played"])
def test_who_has_thrown_again_after_a_round_that_nobody_saw_has_played_nothing_illegal(back: str) -> None:
    """The camera is away from far's throw until his next one, a turn of each player later."""
    table = begun(False)
    assert table.see(AFTER_62, *THROWN) == ["rolled"]
    table.service.note(e.DeviceLost("camera", because("camera_lost")))
    table.now += 60
    table.service.note(e.DeviceBack("camera"))
    since, again = len(table.service.log), throw(FAR, 6, 5, place=45)
    if back == "as he throws":
        table.see(AFTER_54, *again)
    after = next(play for play in plays(AFTER_54, FAR, 6, 5) if play.bar == AFTER_54.bar)
    table.see(after, looks=12)
    assert accused(table, since) == []
    doubt = table.event(e.Doubt)
    assert isinstance(doubt, e.Doubt)
    assert (doubt.about, doubt.reason.code) == ("play", "turn_unseen" if back == "as he throws" else "turns_unseen")
    if back == "as he throws":
        says = [(answer.says.code, answer.says.get("high"), answer.says.get("low")) for answer in doubt.answers]
        assert ("then_rolled", 5, 4) in says
        played = [one.event.dice for one in table.service.log if isinstance(one.event, e.Played)]
        assert played[-2:] == [(5, 4), (6, 5)]  # what he plays next can follow that answer alone
        assert accused(table, since) == []
        assert (table.service.state.on_roll, table.service.state.position) == (NEAR, after)


@pytest.mark.parametrize("seen", [1, 2], ids=["its fellow was overlooked till then", "both had been seen"])
def test_a_die_that_was_first_seen_in_mid_play_may_have_been_knocked_over(seen: int) -> None:
    table = begun(stills=False)
    first, second = throw(FAR, 6, 4)
    over = replace(second, value=6)
    half = moved(AFTER_62, (1, 7), sign=-1)
    after = moved(half, (1, 5), sign=-1)
    table.see(AFTER_62, *(first, second)[:seen], looks=6)
    table.see(half, *((first, over) if seen == 1 else (first, second)))
    table.see(after, first, over if seen == 1 else second)
    table.see(moved(half, (1, 4), sign=-1) if seen == 2 else after, looks=8)
    called = [one.event for one in table.service.log if isinstance(one.event, e.IllegalPlay)]
    if seen == 2:
        assert called, "what is plainly seen is called"
        return
    assert not called
    assert table.service.state.doubt is not None
    table.answer(0)
    assert table.service.state.last_turn.dice == (6, 4)  # type: ignore[union-attr]


@pytest.mark.parametrize("state", [DieState.COCKED, DieState.ON_CHECKER])
def test_dice_that_lie_badly_where_only_the_other_throws_are_not_at_once_a_throw_of_this_player(state: DieState) -> None:
    table = begun(False)
    since = len(table.service.log)
    first, second = throw(NEAR, 5, 4, place=20)
    table.see(AFTER_62, first, replace(second, state=state))
    assert voided(table, since) == []
    table.see(AFTER_62, first, replace(second, state=state), looks=12)
    assert voided(table, since) == ["roll_void"], "but for so long nobody leaves them so"


def test_a_die_of_a_throw_ahead_that_was_first_seen_in_mid_play_may_have_been_knocked_over() -> None:
    table = begun(stills=False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.now += 4.0  # nothing is seen: far takes his dice up, near throws, moves and knocks a die over
    first, over = throw(NEAR, 6, 3)
    half = moved(AFTER_31, (13, 7))
    after = moved(half, (13, 8))
    quickly(table, half, first, over)
    table.see(half, first, over)
    table.see(after, first, over)
    table.see(after, looks=8)
    assert accused(table, 0) == []
    assert table.service.state.doubt is not None
    table.answer(0)
    assert table.service.state.last_turn.dice == (6, 5)  # type: ignore[union-attr]


def test_a_throw_ahead_that_was_seen_before_anything_was_moved_with_it_is_the_one_that_an_illegal_play_is_judged_by() -> None:
    table, first = begun(stills=False), throw(NEAR, 6, 3)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.see(AFTER_31, *THROWN, *first)
    table.now -= 2.0  # for three seconds nothing is seen
    after = moved(AFTER_31, (13, 7), (13, 8))
    table.see(after, *first)
    table.see(after, looks=8)
    assert accused(table, 0) == ["illegal_play"]


@pytest.mark.parametrize("besides", [(), throw(FAR, 5, 5, place=200.0)], ids=["alone", "the other has laid his down"])
def test_a_die_that_comes_to_lie_where_one_of_two_that_were_laid_down_had_lain_is_of_the_throw(besides: tuple[SeenDie, ...]) -> None:
    table = begun(stills=False)
    laid = throw(NEAR, 5, 2)
    table.see(AFTER_62, *laid)
    table.see(AFTER_62, *laid, *THROWN)
    table.see(AFTER_31, *laid)
    assert table.see(AFTER_31, replace(laid[0], value=4), die(1, RIGHT, place=150.0), *besides, looks=8) == ["rolled"]
    assert table.service.state.dice == (4, 1)
