"""A `.json` with numbers that no match has is refused in one sentence, or checked with the fault named: never a traceback, never a wait."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.records.formats import WRITERS, read_bytes
from referee.records.whole import Whole
from tests.match.random_play import play_match
from web.cli.check import command as check
from web.cli.convert import command as convert

_SOUND = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
_NUMBERS = ("Infinity", "-Infinity", "NaN", "1e999", "1000000000", "-1000000000", "31", "1" * 400, "2.5", "true", '"5"', "null", "[]")


def document(**actions: Any) -> dict[str, Any]:
    """A record of one roll and one more action."""
    first = {"side": "left", "do": "roll", "dice": [3, 1], "steps": [[8, 5], [6, 5]]}
    game = {"number": 1, "score": [0, 0], "winner": None, "points": 0, "cube": 1, "actions": [first, {"side": "right", **actions}]}
    return {"format": "backgammon-referee match", "version": 1, "names": ["Anna", "Boris"], "length": 5, "games": [game]}


def put(points: list[Any], bar: Any = (0, 0), off: Any = (0, 0)) -> dict[str, Any]:
    return document(do="set_position", position={"points": points, "bar": list(bar), "off": list(off)})


def run(folder: Path, text: str) -> tuple[int, dict[str, Any]]:
    """What `check` says, after `convert` has written what it can in every format, soon."""
    source = folder / "odd.json"
    source.write_text(text)
    begun = time.process_time()
    for ending in WRITERS:
        made = CliRunner().invoke(convert, [str(source), str(folder / f"out{ending}")])
        assert made.exit_code == 0 or (made.exit_code in (1, 2) and isinstance(made.exception, SystemExit)), made.exception
    answer = CliRunner().invoke(check, [str(source), "--json"])
    assert answer.exit_code in (0, 1) and (answer.exception is None or isinstance(answer.exception, SystemExit)), answer.exception
    assert time.process_time() - begun < 2.0
    return answer.exit_code, json.loads(answer.stdout)


def test_where_a_record_is_damaged_is_said(tmp_path: Path) -> None:
    status, answer = run(tmp_path, json.dumps(document(do="dance")))
    assert (status, len(answer["problems"])) == (1, 1)
    assert answer["problems"][0].startswith("the record is damaged in game 1, action 2 ('dance' is not a valid Do): save it again")
    answer = run(tmp_path, json.dumps(document(do="roll") | {"games": None}))[1]
    assert answer["problems"][0].startswith("the record is damaged, its names, length, tags, games or winner cannot be read: save it again")


@pytest.mark.parametrize("number", _NUMBERS)
def test_a_number_of_checkers_that_no_board_holds_is_no_record(number: str, tmp_path: Path) -> None:
    for odd in (put(["X", *_SOUND[1:]]), put(_SOUND, bar=["X", 0]), put(_SOUND, off=[0, "X"])):
        status, answer = run(tmp_path, json.dumps(odd).replace('"X"', number))
        assert (status, answer["ok"], len(answer["problems"])) == (1, False, 1)


@pytest.mark.parametrize("dice", [[True, 2], [2, False], [7, 1], [0, 1], [2.0, 1], ["2", 1], [2], [1, 2, 3], 21, "21", {"2": 1, "1": 2}])
def test_dice_that_no_die_shows_are_no_record(dice: Any, tmp_path: Path) -> None:
    assert run(tmp_path, json.dumps(document(do="roll", dice=dice)))[1]["ok"] is False


def test_a_board_that_is_not_thirty_checkers_is_named_at_its_row(tmp_path: Path) -> None:
    points = _SOUND[:]
    points[0:6] = [-2, 0, 9, 0, 0, 5]
    said = "the board is put where left has 24 checkers: what is played on it is not judged"
    assert run(tmp_path, json.dumps(put(points))) == (
        1, {**run(tmp_path, json.dumps(put(_SOUND)))[1], "problems": [f"game 1: {said}"]}
    )
    stood = document(do="roll", row=7, dice=[6, 2], position={"points": points, "bar": [0, 0], "off": [0, 0]})
    status, answer = run(tmp_path, json.dumps(stood))
    assert status == 1 and answer["problems"] == [f"game 1, row 7: {said}"] and len(answer["illegal_plays"]) == 1
    assert run(tmp_path, json.dumps(put(_SOUND)))[0] == 0


def test_a_cube_that_none_shows_is_named(tmp_path: Path) -> None:
    odd = document(do="roll", dice=[6, 2], steps=[[24, 18], [13, 11]])
    odd["games"][0]["cube"] = 3
    assert run(tmp_path, json.dumps(odd))[1]["problems"] == ["game 1 begins with the cube at 3, which no cube shows"]


_KEPT = Whole.of(play_match(8, 1).log).written(".json")
_places = st.sampled_from([found.start() for found in re.finditer(r'(?<![\d"])\d', _KEPT)])


@settings(max_examples=12, deadline=None)
@given(_places, st.sampled_from(_NUMBERS))
@example(_KEPT.index('"seq": 1,') + 7, "Infinity")
@example(_KEPT.index('"at": ') + 6, "1" * 400)
def test_whatever_number_is_damaged_the_answer_is_a_sentence(tmp_path_factory: pytest.TempPathFactory, place: int, number: str) -> None:
    end = next(i for i in range(place, len(_KEPT)) if not _KEPT[i].isdigit())
    run(tmp_path_factory.getbasetemp(), _KEPT[:place] + number + _KEPT[end:])


def test_an_unsound_board_that_was_kept_is_still_read() -> None:
    points = [*_SOUND[:23], 1]
    assert read_bytes(json.dumps(put(points)).encode()).record.games[0].actions[1].position is not None
