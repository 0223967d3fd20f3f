"""A die that the camera overlooks for a moment, or for long: nobody is accused of it, and no throw is lost by it."""

from __future__ import annotations

from referee.board.position import START
from referee.match.state import Phase
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
