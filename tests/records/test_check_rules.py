"""A record is judged by the rules it was played under."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.records.whole import Whole
from tests.match.hand import FAR, NEAR, Hand
from web.cli.check import command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A match under a set that lets the lower number be played and has no backgammons, where both matter, in two formats."""
    hand = Hand(length=5, rules="agca")
    hand.open()
    hand.set({20: 1}, {16: 2}, NEAR, (6, 5))  # either number can be played, not both
    hand.do(c.EnterPlay, play="20/15")
    hand.set({1: 1}, {23: 15}, NEAR, (6, 5))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon) and won.points == 2
    for ending in (".json", ".sgf"):
        (tmp_path / f"agca{ending}").write_text(Whole.of(hand.table.log).written(ending))
    return tmp_path


def checked(*words: str) -> tuple[int, dict[str, Any]]:
    run = CliRunner().invoke(command, [*words, "--json"])
    return run.exit_code, json.loads(run.stdout)


def test_our_own_record_says_its_rules(folder: Path) -> None:
    assert checked(str(folder / "agca.json"))[0] == 0
    status, answer = checked(str(folder / "agca.json"), "--rules", "bray")
    assert (status, len(answer["illegal_plays"]), len(answer["problems"])) == (1, 1, 1)


def test_another_record_is_judged_by_the_set_that_is_named(folder: Path) -> None:
    status, answer = checked(str(folder / "agca.sgf"))
    assert status == 1
    assert answer["illegal_plays"][0]["code"] == "higher_not_played"
    assert answer["problems"] == ["game 1: 2 points are declared, 3 follow from the play and the cube"]
    assert len(answer["illegal_plays"]) == 1, "a board set by hand behind a play is no illegal play"
    assert checked(str(folder / "agca.sgf"), "--rules", "agca")[0] == 0


def test_a_set_that_is_not_there_is_named(folder: Path) -> None:
    run = CliRunner().invoke(command, [str(folder / "agca.sgf"), "--rules", "agcb"])
    assert run.exit_code == 2 and "did you mean ‘agca’" in run.output


def test_a_log_with_a_damaged_rule_set_is_judged_by_the_common_ones(folder: Path) -> None:
    text = (folder / "agca.json").read_text()
    for right, other in (('"higher_number": false', '"higher_number": "maybe"'), ('"raccoons": false', '"raccoons": true')):
        wrong = text.replace(right, other)
        assert wrong != text
        (folder / "wrong.json").write_text(wrong)
        assert checked(str(folder / "wrong.json"))[0] == 1


def test_what_is_wrong_has_a_place_that_can_be_found_in_a_format_without_rows(tmp_path: Path) -> None:
    hand = Hand(length=5, rules="wbgf")
    hand.open()
    hand.roll(3, 2)
    hand.do(c.EnterPlay, play="", hold=True)
    hand.do(c.Rule, stands=True, role=e.Role.DIRECTOR)
    hand.roll(6, 5)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    hand.do(c.Rule, stands=True, role=e.Role.DIRECTOR)
    for ending, lines in (
        (".json", ("game 1, action 2, right, 32: Nothing was played", "game 1, action 3, left, 24/18: The 5 was not played")),
        (".sgf", ("game 1, action 2, right, 32", "game 1, action 3, left, 65: illegal play: The 5")),
        (".txt", ("game 1, row 1, right, 32", "game 1, row 2, left, 65")),
    ):
        file = tmp_path / f"m{ending}"
        file.write_text(Whole.of(hand.table.log).written(ending))
        said = CliRunner().invoke(command, [str(file)]).output
        assert "row 0" not in said and "::" not in said, said
        assert all(line in said for line in lines), said


def test_a_gammon_of_who_began_with_fewer_checkers_is_no_fault_of_our_own_record(tmp_path: Path) -> None:
    hand = Hand(length=5)
    hand.open()
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18 13/11")
    hand.roll(5, 1)
    short = list(START.points)
    short[18] += 1  # far began with fourteen
    hand.do(c.SetupError, position=Position(tuple(short), (0, 0), (0, 1)))
    gone = [0] * 24
    gone[0], gone[23] = 1, -14
    hand.do(c.SetPosition, position=Position(tuple(gone), (0, 0), (14, 1)))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon) and won.points == 2
    for ending in (".json", ".sgf"):
        (tmp_path / f"m{ending}").write_text(Whole.of(hand.table.log).written(ending))
        status, answer = checked(str(tmp_path / f"m{ending}"))
        assert (status, answer["problems"], answer["final_score"]) == (0, [], [2, 0]), ending


@pytest.mark.parametrize("points", [3, 0])
def test_a_match_that_was_decided_before_its_first_game_can_be_checked(points: int, tmp_path: Path) -> None:
    hand = Hand(length=5, start=False)
    if points:
        hand.do(c.Penalise, seat=NEAR, points=points)
    else:
        hand.do(c.AwardMatch, seat=FAR)
    (tmp_path / "m.json").write_text(Whole.of(hand.table.log).written(".json"))
    status, answer = checked(str(tmp_path / "m.json"))
    assert (status, answer["ok"], answer["final_score"], answer["problems"]) == (0, True, [0, points], [])
    assert "right won the match" in CliRunner().invoke(command, [str(tmp_path / "m.json")]).output
