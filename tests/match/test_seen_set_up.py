"""A game that is begun on a board that was set up wrongly, or where dice of the last one lie, as the camera sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START
from referee.match import events as e
from referee.match.commands import EnterRoll, SetupError, StartGame
from referee.match.state import Phase
from referee.observations import DieState
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, Table, die, throw
from tests.match.test_judge import moved

WRONG = moved(START, (6, 5))  # one of near's checkers stands beside its point
PLAYED = moved(WRONG, (24, 18), (13, 11))
THEIRS = moved(START, (17, 18), sign=-1)  # one of far's does


def begun_by_word(stills: bool, rules: str) -> Table:
    """The game is begun by a person, though the board is set up wrongly, and near throws 6-2."""
    table = Table(stills, rules)
    table.say(StartGame)
    table.see(WRONG, looks=3 if stills else 30)
    table.see(WRONG, *OPENING)
    return table


def played(stills: bool, rules: str = "bray") -> Table:
    """Near has played it, from the board as it stands."""
    table = begun_by_word(stills, rules)
    table.see(PLAYED, *OPENING)
    table.see(PLAYED, looks=2 if stills else 20)
    return table


@pytest.mark.parametrize("stills", [True, False])
def test_nobody_is_charged_with_a_board_that_was_set_up_wrongly(stills: bool) -> None:
    table = played(stills)
    assert not any(isinstance(one.event, e.IllegalPlay) for one in table.service.log)
    doubt = table.event(e.Doubt)
    assert doubt.reason.code == "set_up_otherwise"
    assert [answer.says.code for answer in doubt.answers] == ["set_up_wrongly", "board_was_so", "illegal_as_seen"]


@pytest.mark.parametrize("stills", [True, False])
def test_in_time_the_board_is_put_right_and_the_roll_played_again(stills: bool) -> None:
    table = played(stills)
    table.answer(0)
    assert table.service.state.reconcile and table.service.state.dice == (6, 2)
    table.see(START)
    table.see(AFTER_62)
    assert table.phase is Phase.TO_ROLL and table.service.state.position == AFTER_62


@pytest.mark.parametrize("stills", [True, False])
def test_or_the_play_counts_from_the_board_as_it_stood(stills: bool) -> None:
    table = played(stills)
    table.answer(1)
    assert (table.phase, table.service.state.position, table.event(e.Played).play) == (Phase.TO_ROLL, PLAYED, "24/18 13/11")
    table.see(PLAYED)
    assert table.see(PLAYED, *throw(FAR, 3, 1)) == ["rolled"]


def test_once_a_man_was_moved_it_is_too_late_where_the_book_says_so() -> None:
    table = played(True, "agca")
    doubt = table.event(e.Doubt)
    assert [answer.says.code for answer in doubt.answers] == ["set_up_wrongly", "illegal_as_seen"]
    table.answer(0)
    ruled = table.event(e.Ruled)
    assert (ruled.reason.code, ruled.reason.rule) == ("setup_stands", "S4-03")
    assert (table.phase, table.service.state.position) == (Phase.TO_ROLL, PLAYED)


def test_a_wrong_board_of_the_other_players_is_asked_about_as_well() -> None:
    table = Table()
    table.say(StartGame)
    after = moved(THEIRS, (24, 16), sign=1)
    table.see(THEIRS, *OPENING)
    table.see(after)
    assert table.event(e.Doubt).reason.code == "set_up_otherwise"
    assert table.service.state.on_roll is NEAR


def test_pictures_from_before_the_opening_throw_are_not_what_was_played_with_it() -> None:
    table = begun_by_word(True, "bray")
    assert table.see(WRONG, *OPENING) == []
    assert table.phase is Phase.ROLLED


@pytest.mark.parametrize(("rules", "rule"), [("bray", ""), ("wbgf", ""), ("agca", "S4-03")])
def test_the_one_book_that_speaks_of_it_is_cited_where_it_is_followed(rules: str, rule: str) -> None:
    table = begun_by_word(True, rules)
    table.say(SetupError)
    ruled = table.event(e.Ruled)
    assert (ruled.reason.code, ruled.reason.rule) == ("setup_put_right", rule)


@pytest.mark.parametrize("stills", [True, False])
def test_nor_where_the_opening_throw_was_told_by_a_person(stills: bool) -> None:
    table = Table(stills)
    table.say(StartGame)
    table.see(WRONG, looks=3 if stills else 30)
    table.say(EnterRoll, dice=(6, 2))
    table.see(WRONG, *OPENING)
    table.see(PLAYED, *OPENING)
    table.see(PLAYED, looks=2 if stills else 20)
    assert table.event(e.Doubt).reason.code == "set_up_otherwise"
    assert not any(isinstance(one.event, e.IllegalPlay) for one in table.service.log)


@pytest.mark.parametrize("state", [DieState.ON_BAR, DieState.OFF_BOARD])
def test_a_die_of_the_last_game_that_is_left_on_the_bar_hides_no_opening_throw(state: DieState) -> None:
    left, near = (replace(die(3, None, state), centre=(500.0, 300.0)),), throw(NEAR, 6, 2)
    table = Table(False)
    assert table.see(START, *near, *left) == ["game_started"]
    assert table.see(START, *left) == []
    assert table.see(START, near[0], die(4, LEFT), *left) == ["opening_rolled"]  # where one of the last game had lain
