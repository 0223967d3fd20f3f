"""`referee bench`: finds its parts, passes them their options, and says what is wrong in a sentence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import CliRunner

from vision.training.labels import load_labels, start_of
from web.cli import bench

PART = '''"""Counts what it is given."""
import json
def run(json_out, size=1, folders=(), name="", to_file=None):
    print(json.dumps([json_out, size, list(folders), name]))
    return 0 if size < 9 else 1
'''


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "counting.py").write_text(PART)
    monkeypatch.setattr(bench, "__path__", [str(tmp_path)])


def test_the_parts_are_listed_with_what_they_measure(part: None) -> None:
    assert CliRunner().invoke(bench.command, []).output.split() == ["counting", "Counts", "what", "it", "is", "given."]
    assert json.loads(CliRunner().invoke(bench.command, ["--json"]).output) == {"part": "counting", "measures": "Counts what it is given."}


def test_options_reach_the_part_and_its_answer_is_the_exit_status(part: None) -> None:
    run = CliRunner().invoke(bench.command, ["counting", "--json", "--size", "9", "--folders", "a", "b", "--name=x"])
    assert json.loads(run.output) == [True, 9, ["a", "b"], "x"]
    assert run.exit_code == 1


@pytest.mark.parametrize("words", [["nothing"], ["counting", "--depth", "3"], ["counting", "stray"], ["counting", "--size"]])
def test_what_is_not_understood_is_named(part: None, words: list[str]) -> None:
    run = CliRunner().invoke(bench.command, words)
    assert run.exit_code == 2
    assert "Traceback" not in run.output
    assert words[-1].removeprefix("--") in run.output or words[1].removeprefix("--") in run.output


def test_an_option_that_a_part_has_not_is_answered_with_those_it_has(part: None) -> None:
    assert "it takes --size, --folders, --name, --to-file, --json" in CliRunner().invoke(bench.command, ["counting", "--depth", "3"]).output


def test_a_number_is_asked_for_where_one_is_meant_and_a_name_may_be_one(part: None) -> None:
    for size in ("big", "-1"):
        run = CliRunner().invoke(bench.command, ["counting", "--size", size])
        assert (run.exit_code, run.exception is None or isinstance(run.exception, SystemExit)) == (2, True)
        assert f"--size takes a whole number from 0, not ‘{size}’" in run.output
    named = CliRunner().invoke(bench.command, ["counting", "--name", "7", "--folders", "2026"])
    assert json.loads(named.output) == [False, 1, ["2026"], "7"]


def test_a_no_is_not_taken_for_yes() -> None:
    run = CliRunner().invoke(bench.command, ["arbiter", "--turns", "0", "--perfect", "no"])
    assert (run.exit_code, "--perfect takes 1 for yes or 0 for no, not ‘no’" in run.output) == (2, True)


@pytest.mark.parametrize("part", ["players", "arbiter"])
def test_no_turns_at_all_measure_nothing(part: str) -> None:
    run = CliRunner().invoke(bench.command, [part, "--turns", "0"])
    assert run.exit_code == 2
    assert "--turns is 1 or more" in run.output


@pytest.mark.parametrize(("option", "value"), [("--singly", "0"), ("--spoilt", "1"), ("--spoilt", "nan")])
def test_figures_that_no_tower_can_give_are_refused(option: str, value: str) -> None:
    run = CliRunner().invoke(bench.command, ["tower", option, value])
    assert (run.exit_code, option in run.output) == (2, True)


@pytest.mark.parametrize("text", ["", "[]", '{"pos": 1}', '{"pos": "4HPwATDgc/ABMA", "dice": [7, 1], "results": []}', "\x1f"])
def test_a_file_without_cases_measures_nothing(text: str, tmp_path: Path) -> None:
    for cases in (tmp_path / "cases.jsonl", tmp_path / "cases.gz"):
        cases.write_text(text)
        run = CliRunner().invoke(bench.command, ["plays", "--cases", str(cases)])
        assert run.exit_code == 2
        assert f"{cases} is not a file of cases" in run.output
    cases.write_bytes(gzip.compress(text.encode() + bytes(range(256)))[:-20] + bytes(30))
    assert "is not a file of cases" in CliRunner().invoke(bench.command, ["plays", "--cases", str(cases)]).output


@pytest.mark.parametrize("part", ["eyes", "board"])
def test_folders_without_a_labelled_set_up_measure_nothing(part: str, tmp_path: Path) -> None:
    there, missing = Path(__file__).parents[1] / "data" / "boards", tmp_path / "missing"
    for folder, why in ((missing, "is no folder"), (tmp_path, "holds no labelled set-up (a folder with labels.json)")):
        run = CliRunner().invoke(bench.command, [part, "--folders", str(there), str(folder)])
        assert run.exit_code == 2
        assert run.output.endswith(f"Error: --folders: {folder} {why}\n")


def test_every_part_that_ships_says_what_it_measures() -> None:
    assert all(said.endswith(".") for said in bench.parts().values())


@pytest.mark.parametrize("part", ["eyes", "board"])
@pytest.mark.parametrize("labels", ["", "[]", "{}", '{"frames": []}', '{"frames": [{"role": "calibration", "image": "none.jpg"}]}'])
def test_a_set_up_that_cannot_be_read_is_named(labels: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(labels)
    run = CliRunner().invoke(bench.command, [part, "--folders", str(tmp_path)])
    assert run.exit_code == 2
    assert f"{tmp_path}: its labels.json names no picture of the starting position" in run.output


@pytest.mark.parametrize(("part", "changed", "said"), [
    ("board", {"camera": {}}, "its labels.json does not say where camera and board are"),
    ("eyes", {"frames": [{"role": "throw"}]}, "its labels.json has a frame without role or image"),
    ("eyes", {"frames": [{"role": "throw", "image": "none.jpg"}]}, "none.jpg, which its labels.json names, is no picture that can be read"),
    ("eyes", {"frames": [{"role": "throw", "image": "START"}]}, "its labels.json does not say which dice and checkers are in "),
])
def test_what_the_labels_of_a_set_up_lack_is_said(part: str, changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    there = Path(__file__).parents[1] / "data" / "boards" / "train-001000"
    labels = load_labels(there)
    start = start_of(labels)
    copy(there / start["image"], tmp_path)
    frames = [start, *changed.get("frames", [])]
    text = json.dumps(labels | changed | {"frames": frames}).replace("START", start["image"])
    (tmp_path / "labels.json").write_text(text)
    run = CliRunner().invoke(bench.command, [part, "--folders", str(tmp_path)])
    assert (run.exit_code, run.exception is None or isinstance(run.exception, SystemExit)) == (2, True)
    assert f"--folders: {tmp_path}: {said}" in run.output
