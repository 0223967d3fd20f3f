"""Turns that overlap, and plays that go on after the dice were taken up: honest players who do not wait for each other."""

from __future__ import annotations

import pytest

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import SeenDie
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, Table, begun, die, moved, plays, throw
from vision.camera.gate import AGAIN, STILL_AFTER

both_ways = pytest.mark.parametrize("stills", [True, False])
THROWN, NEXT = throw(FAR, 3, 1), throw(NEAR, 5, 4, place=20)
AFTER_31 = moved(AFTER_62, (17, 20), (19, 20), sign=-1)  # far's 8/5 6/5
AFTER_54 = moved(AFTER_31, (13, 8), (13, 9))
SHUT_OUT = Position((*AFTER_31.points[:17], 0, *AFTER_31.points[18:]), (1, 0))


def kinds(table: Table) -> list[str]:
    return [one.event.type for one in table.service.log if one.event.type != "dice_lifted"]


def rhythm(table: Table, position: Position, looks: int, *dice: SeenDie) -> list[str]:
    """The first ``looks`` at a settled board as a camera gives them."""
    logged = []
    for pause in (0.0, *AGAIN)[:looks]:
        table.now += pause - 0.5
        logged += table.see(position, *dice, looks=1)
        table.now -= 5.0
    return logged


def soon(table: Table, position: Position, *dice: SeenDie) -> list[str]:
    """Looks, of which the next comes at once."""
    logged = table.see(position, *dice)
    table.now -= 5.0
    return logged


def overlapping(stills: bool, rules: str = "bray") -> Table:
    """Far has played his 3-1 and not taken up his dice; near has thrown 5-4."""
    table = begun(stills, rules)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.see(AFTER_31, *THROWN, *NEXT)
    return table


def shut_out(stills: bool) -> Table:
    """Far has played his 3-1 and not taken up his dice; near has a checker on the bar, which enters with neither 6 nor 5."""
    table = begun(stills)
    before = Position((*AFTER_62.points[:17], 0, *AFTER_62.points[18:]), (1, 0))
    table.service.note(e.PositionSet(before))
    table.see(before)
    table.see(before, *THROWN)
    table.see(SHUT_OUT, *THROWN)
    return table


@both_ways
@pytest.mark.parametrize("rules", ["bray", "magriel", "traditional", "usbgf"])
def test_who_moves_before_the_others_dice_are_lifted_makes_no_illegal_play_of_the_others(stills: bool, rules: str) -> None:
    table = overlapping(stills, rules)
    table.see(moved(AFTER_31, (13, 8)), *THROWN, *NEXT)
    table.see(moved(AFTER_31, (13, 8)), *NEXT)
    assert not [kind for kind in kinds(table) if kind.startswith("illegal")]
    assert table.event(e.Played) == e.Played(FAR, (3, 1), "8/5 6/5", AFTER_31)
    assert table.service.state.on_roll is NEAR


@both_ways
def test_he_is_followed_to_the_end_of_his_turn(stills: bool) -> None:
    table = overlapping(stills)
    table.see(moved(AFTER_31, (13, 8)), *NEXT)
    assert table.last == e.Rolled(NEAR, (5, 4), premature=True)
    assert table.see(AFTER_54, *NEXT) == []
    assert table.see(AFTER_54) == ["played"]
    assert table.see(AFTER_54, *throw(FAR, 6, 6, place=40)) == ["rolled"]


@both_ways
@pytest.mark.parametrize("lifts", [True, False])
def test_a_whole_turn_beside_dice_that_lie_on_is_a_turn(stills: bool, lifts: bool) -> None:
    table = overlapping(stills)
    table.see(AFTER_54, *THROWN, *NEXT)
    since = len(kinds(table))
    table.see(AFTER_54, *THROWN)
    again = throw(FAR, 6, 2, place=50)
    if lifts:
        table.see(AFTER_54)
    table.see(AFTER_54, *again)
    assert kinds(table)[since:] == ["played", "rolled", "played", "rolled"]
    assert (table.phase, table.service.state.on_roll, table.service.state.dice) == (Phase.ROLLED, FAR, (6, 2))


def test_dice_thrown_again_where_the_last_ones_lay_on_are_the_next_throw() -> None:
    table = overlapping(False)
    table.see(AFTER_54, *THROWN, *NEXT)
    since = len(kinds(table))
    table.see(AFTER_54, *throw(FAR, 6, 2, place=50))
    assert kinds(table)[since:] == ["played", "rolled", "played", "rolled"]
    assert table.service.state.dice == (6, 2)


def test_a_checker_that_enters_where_it_was_hit_takes_no_hit_back() -> None:
    """Far hits on his 6 point and goes on to his 3; near enters on that very 6 point before far's dice are gone."""
    table = begun(False)
    before = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 4, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5), (1, 0))
    hit = moved(before, (14, 22), sign=-1)
    after = Position((*hit.points[:18], 0, *hit.points[19:]), (2, 0))
    assert after in plays(before, FAR, 5, 3), "the hit on the way"
    assert hit in plays(before, FAR, 5, 3), "and the way round it"
    table.service.note(e.PositionSet(before))
    table.see(before)
    table.see(before, *throw(FAR, 5, 3))
    table.see(after, *throw(FAR, 5, 3))
    dice = throw(NEAR, 6, 4, place=20)
    table.see(after, *throw(FAR, 5, 3), *dice)
    entered = Position(hit.points, (1, 0))
    table.see(entered, *throw(FAR, 5, 3), *dice)
    table.see(entered, *dice)
    played = table.event(e.Played)
    assert isinstance(played, e.Played)
    assert (played.seat, played.position) == (FAR, after)


@both_ways
def test_who_takes_up_what_he_threw_too_soon_and_could_not_play_may_throw_again(stills: bool) -> None:
    table, after = shut_out(stills), SHUT_OUT
    table.see(after, *THROWN, *throw(NEAR, 6, 5, place=20))
    table.see(after, *THROWN)
    since = len(kinds(table))
    table.see(after)
    assert kinds(table)[since:] == ["played"]
    table.see(after, *throw(NEAR, 6, 4, place=-20))
    assert table.service.state.dice == (6, 4)
    assert table.see(plays(after, NEAR, 6, 4)[0]) == ["played"]


@both_ways
def test_a_play_changed_for_an_illegal_one_beside_the_others_throw_is_still_illegal(stills: bool) -> None:
    table = overlapping(stills)
    wrong = moved(AFTER_62, (17, 20), (19, 21), sign=-1)
    table.see(wrong, *THROWN, *NEXT)
    table.see(wrong, *NEXT)
    assert "illegal_play_stood" in kinds(table)


@pytest.mark.parametrize("first", [AFTER_62, moved(AFTER_62, (17, 20), sign=-1)], ids=["nothing", "one checker"])
def test_dice_taken_up_before_the_play_is_finished_accuse_nobody_who_finishes_it(first: Position) -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(first, *THROWN)
    assert rhythm(table, first, 4) == []
    table.now += 0.6  # his hand is over the board
    assert rhythm(table, AFTER_31, 2) == ["played"]
    half = moved(AFTER_31, (13, 8))
    table.see(half, *NEXT)
    assert rhythm(table, half, 5) == ["illegal_play"], "what stays so is what was played"


@pytest.mark.parametrize(
    ("wrong", "looks"),
    [
        (moved(AFTER_62, (17, 20), (12, 17), sign=-1), 4),
        (moved(AFTER_62, (17, 20), (12, 13), sign=-1), 5),
        (moved(AFTER_62, (17, 20), sign=-1), 5),
    ],
    ids=["too far", "one pip off", "one die"],
)
def test_an_illegal_play_is_said_within_a_second_at_a_cameras_rhythm(wrong: Position, looks: int) -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(wrong, *THROWN)
    assert rhythm(table, wrong, looks) == ["illegal_play"]
    assert STILL_AFTER + sum(AGAIN[: looks - 1]) < 0.95


def test_a_checker_laid_straight_after_the_dice_were_taken_up_accuses_nobody() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    askew = moved(AFTER_31, (20, 21), sign=-1)
    table.see(askew, *THROWN)
    assert rhythm(table, askew, 4) == []
    assert rhythm(table, AFTER_31, 2) == ["played"]


def test_a_hit_checker_that_lies_beside_the_bar_for_a_moment_accuses_nobody() -> None:
    table = begun(False)
    before = moved(AFTER_62, (12, 14), sign=-1)
    table.service.note(e.PositionSet(before), e.Rolled(FAR, (6, 6)), e.Played(FAR, (6, 6), "", before))
    table.see(before)
    after = next(p for p in plays(before, NEAR, 6, 4) if p.bar[1])
    aside = Position(after.points, (0, 0), (0, 1))
    dice = throw(NEAR, 6, 4)
    assert table.see(before, *dice) == ["rolled"]
    table.see(aside, *dice)
    assert rhythm(table, aside, 4) == []
    assert rhythm(table, after, 2) == ["played"]
    assert table.phase is Phase.TO_ROLL


def test_a_throw_made_too_soon_that_could_not_be_played_takes_no_dice_of_the_other_for_its_own() -> None:
    """Near throws 6-6 beside far's dice, and has nothing to play; far then throws 6-6 too, and plays it."""
    table, after = shut_out(False), SHUT_OUT
    table.see(after, *THROWN, *throw(NEAR, 6, 6, place=20))
    table.see(after)
    dice = throw(FAR, 6, 6, place=50)
    assert table.see(after, *dice) == ["rolled", "played", "rolled"]
    assert (table.service.state.on_roll, table.service.state.dice) == (FAR, (6, 6))
    assert table.see(plays(after, FAR, 6, 6)[0]) == ["played"]


def test_rest_is_counted_from_when_the_hand_last_left() -> None:
    table = begun(False)
    first = moved(AFTER_62, (17, 20), sign=-1)
    table.see(AFTER_62, *THROWN)
    table.see(first, *THROWN)
    assert rhythm(table, first, 3) == []
    table.now += 0.6  # he reaches for the other checker, and thinks again
    assert rhythm(table, first, 4) == []
    assert rhythm(table, AFTER_31, 2) == ["played"]


WRONG = moved(AFTER_62, (17, 20), (12, 17), sign=-1)
OTHERS = moved(AFTER_31, (13, 9))  # far's 3-1, and a checker of near's


@pytest.mark.parametrize("wrong", [WRONG, moved(AFTER_62, (17, 20), sign=-1), OTHERS], ids=["too far", "one die", "other's"])
@pytest.mark.parametrize("begun_to_move", [False, True])
def test_an_illegal_play_that_stood_before_the_other_threw_is_said_though_he_moves(wrong: Position, begun_to_move: bool) -> None:
    table = begun(False)
    soon(table, AFTER_62, *THROWN)
    soon(table, wrong, *THROWN)
    soon(table, wrong, *THROWN, *NEXT)
    since, seen = len(kinds(table)), wrong
    if begun_to_move:
        seen = moved(wrong, (13, 8))
        soon(table, seen, *THROWN, *NEXT)
    soon(table, seen, *NEXT)
    assert kinds(table)[since:] == ["illegal_play_stood", "rolled"]
    stood = table.event(e.IllegalPlayStood)
    assert isinstance(stood, e.IllegalPlayStood)
    assert (stood.position, stood.late) == (wrong, True)
    assert soon(table, moved(wrong, (13, 8), (13, 9) if wrong is not OTHERS else (9, 5))) == ["played"]


def test_who_finishes_his_play_while_the_other_moves_has_played_it() -> None:
    table = begun(False)
    soon(table, AFTER_62, *THROWN)
    soon(table, moved(AFTER_62, (17, 20), sign=-1), *THROWN)
    soon(table, moved(AFTER_62, (17, 20), sign=-1), *THROWN, *NEXT)
    soon(table, moved(AFTER_31, (13, 8)), *THROWN, *NEXT)
    assert soon(table, moved(AFTER_31, (13, 8)), *NEXT) == ["played", "rolled"]
    played = next(one.event for one in reversed(table.service.log) if isinstance(one.event, e.Played))
    assert played == e.Played(FAR, (3, 1), "8/5 6/5", AFTER_31)


def test_a_throw_of_the_others_that_was_seen_once_is_why_his_checkers_have_moved() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    table.see(AFTER_31, *THROWN, *NEXT, looks=1)
    table.see(AFTER_31, *THROWN, NEXT[0], looks=1)
    table.see(AFTER_54)
    assert not [kind for kind in kinds(table) if kind.startswith("illegal")]
    assert kinds(table)[-3:] == ["played", "rolled", "played"]


def test_dice_thrown_where_the_last_ones_lay_are_not_those_brushed_aside_while_the_board_is_not_read() -> None:
    table, after = shut_out(False), SHUT_OUT
    table.see(after, *THROWN, *throw(NEAR, 6, 5, place=20))
    again = throw(FAR, 6, 2, place=50)
    table.see(moved(after, (0, 1), sign=-1), *again, looks=1)
    assert rhythm(table, after, 5, *again) == ["played", "rolled", "played", "rolled"]
    assert (table.service.state.on_roll, table.service.state.dice) == (FAR, (6, 2))


def test_what_stands_there_after_half_a_minute_out_of_sight_is_not_all_of_the_throw_that_lies_there() -> None:
    """Near has hit, far has danced, and near has thrown again meanwhile: what he moves then was called too many moves."""
    ran = moved(AFTER_62, (1, 5), sign=-1)
    hit = moved(ran, (11, 5), (6, 5))
    hit = Position((*hit.points[:4], 2, *hit.points[5:]), (0, 1))
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    soon(table, ran, *THROWN)
    table.now += 33.0
    hers = throw(NEAR, 4, 3, place=20)
    soon(table, hit, *hers)
    soon(table, moved(hit, (13, 9), (13, 10)), *hers)
    soon(table, moved(hit, (13, 9), (13, 10)))
    assert not {"illegal_play", "illegal_play_stood"} & set(kinds(table))
    assert table.event(e.Doubt).reason.code == "turns_unseen"


def test_the_same_numbers_thrown_again_while_nobody_looked_are_another_roll_though_the_other_has_danced() -> None:
    table = shut_out(False)
    table.now += 30.0
    again = die(3, LEFT, place=100), die(1, LEFT, place=30)
    soon(table, SHUT_OUT, *again)
    soon(table, moved(SHUT_OUT, (12, 15), sign=-1), *again)
    after = moved(SHUT_OUT, (12, 15), (12, 14), sign=-1)
    soon(table, after, *again)
    soon(table, after)
    assert not {"illegal_play", "illegal_play_stood"} & set(kinds(table))
    table.see(after)
    assert table.service.state.question == "play"


@both_ways
def test_a_throw_over_a_dance_is_the_roll_as_soon_as_the_dice_that_danced_are_taken_up(stills: bool) -> None:
    table, danced, over = shut_out(stills), throw(NEAR, 6, 5, place=20), throw(FAR, 6, 4, place=40)
    table.see(SHUT_OUT)
    table.see(SHUT_OUT, *danced)
    table.see(SHUT_OUT, *danced, *over)
    assert table.see(SHUT_OUT, *over) == ["played", "rolled"], "he had seen that there was nothing to play"
    assert table.event(e.Rolled).dice == (6, 4)


def test_a_throw_that_comes_after_dice_were_laid_down_is_the_roll_when_its_turn_comes() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_62, *THROWN, *throw(NEAR, 6, 2, place=-20))
    table.see(AFTER_31, *THROWN)
    table.see(AFTER_31, *THROWN, *NEXT)
    assert table.see(AFTER_31, *NEXT) == ["played", "rolled"]


@pytest.mark.parametrize("beside", [True, False])
def test_the_numbers_of_ones_last_roll_are_a_throw_where_they_came_after_the_others_dice_were_gone(beside: bool) -> None:
    table, same = begun(False), throw(NEAR, 6, 2, place=20)
    table.see(AFTER_62, *THROWN)
    soon(table, AFTER_31, *THROWN)
    table.see(AFTER_31, *((*THROWN, *same) if beside else ()), looks=1)
    table.now -= 5.0
    assert table.see(AFTER_31, *same) == (["played"] if beside else ["played", "rolled"]), "beside them they may be laid down again"


def test_what_the_other_moves_once_the_dice_of_a_dance_were_seen_to_be_gone_is_charged_to_him_alone() -> None:
    table, danced, over = shut_out(False), throw(NEAR, 6, 5, place=20), throw(FAR, 6, 4, place=40)
    table.see(SHUT_OUT)
    table.see(SHUT_OUT, *danced)
    table.see(SHUT_OUT, *danced, *over)
    wrong = moved(SHUT_OUT, (13, 7))  # far takes one of near's checkers for his own
    table.see(SHUT_OUT, *over, looks=1)
    table.see(wrong, *over)
    table.see(wrong)
    assert not [kind for kind in kinds(table) if kind.startswith("illegal")]
    assert table.event(e.Played) == e.Played(NEAR, (6, 5), "", SHUT_OUT)


def test_a_throw_played_before_its_turn_is_not_forgotten_for_the_next_one_of_its_player() -> None:
    table, lie = begun(stills=False), throw(FAR, 3, 1)
    table.see(AFTER_62, *lie)
    ahead = throw(NEAR, 5, 5)
    after = next(one for one in plays(AFTER_31, NEAR, 5, 5) if one.bar == (0, 0))
    for board, dice in ((AFTER_31, lie), (AFTER_31, (*lie, *ahead)), (after, (*lie, *ahead)), (after, lie)):
        table.see(board, *dice)
        table.now -= 4.8
    then = next(one for one in plays(after, FAR, 3, 1) if one.bar == (0, 0))
    for board in (after, then):
        table.see(board, *throw(FAR, 3, 1, place=60))
        table.now -= 4.8
    table.see(then, looks=2)
    table.now -= 4.8
    last = next(one for one in plays(then, NEAR, 4, 2) if one.bar == (0, 0))
    for board in (then, last):
        table.see(board, *throw(NEAR, 4, 2, place=80), looks=4)
        table.now -= 4.8
    assert not any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in table.service.log)
