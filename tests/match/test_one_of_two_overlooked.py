"""A die that the camera overlooks for a moment, or for long: nobody is accused of it, and no throw is lost by it."""

from __future__ import annotations

import pytest

from referee.board.position import START
from referee.match.state import Phase
from referee.observations import About, SeenDoubt
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, Table, begun, die, moved, plays, throw


def opened() -> Table:
    """Near has thrown 6-2 in the opening and is to play."""
    table = Table(stills=False)
    table.see(START)
    assert table.see(START, *OPENING) == ["opening_rolled"]
    return table


HALF_PLAYED = moved(START, (24, 18))


def test_who_has_played_half_of_the_opening_is_not_accused_though_his_own_die_is_overlooked() -> None:
    table, his = opened(), OPENING[1]
    assert table.see(HALF_PLAYED, his, looks=8) == []
    assert table.see(HALF_PLAYED, *OPENING) == []
    assert table.see(AFTER_62) == ["played"]


def test_half_of_the_opening_is_no_whole_play_once_the_other_takes_up_his_die_too() -> None:
    table, his = opened(), OPENING[1]
    assert table.see(HALF_PLAYED, his) == []
    assert table.see(HALF_PLAYED, looks=6) == ["illegal_play"]


def test_half_of_the_opening_stands_once_the_other_throws() -> None:
    table, his = opened(), OPENING[1]
    assert table.see(HALF_PLAYED, his) == []
    assert table.see(HALF_PLAYED, his, *throw(FAR, 5, 4, 90)) == ["illegal_play_stood", "rolled"]


def test_the_opening_is_played_once_its_player_has_taken_up_his_die() -> None:
    table, his = opened(), OPENING[1]
    assert table.see(AFTER_62, his) == ["played"]
    assert (table.phase, table.service.state.on_roll) == (Phase.TO_ROLL, FAR)


def test_a_throw_of_which_a_die_was_overlooked_until_it_was_played_is_the_roll_once_both_are_seen() -> None:
    table = begun(stills=False)
    after = plays(AFTER_62, FAR, 3, 1)[0]
    three, one = die(3, LEFT), die(1, LEFT, place=60)
    assert table.see(AFTER_62, one, looks=12) == []
    assert table.see(after, three, one) == ["rolled"]
    assert table.service.state.dice == (3, 1)
    assert table.see(after) == ["played"]
    assert table.service.state.on_roll is NEAR


@pytest.mark.parametrize("stills", [True, False])
def test_after_an_illegal_play_that_was_read_in_doubt_the_other_is_judged_from_the_board_as_it_stood_when_he_threw(stills: bool) -> None:
    table = begun(stills)
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["rolled"]
    board = moved(AFTER_62, (17, 20), sign=-1)  # half of it
    misread = moved(board, (6, 5))
    doubts = tuple(SeenDoubt(About.POINT, "count", "", point=p, values=v) for p, v in ((5, (1, 0)), (6, (4, 5))))
    assert table.see(misread, doubts=doubts, looks=1 if stills else 8) == ["illegal_play"]
    dice = throw(NEAR, 5, 4, 30)
    unsure = (SeenDoubt(About.DIE, "state", "", centre=dice[0].centre),)
    assert table.see(board, *dice, doubts=unsure, looks=1 if stills else 3) == []
    after = plays(board, NEAR, 5, 4)[0]
    assert table.see(after) == ["illegal_play_stood", "rolled", "played"]
    assert table.service.state.position == after
