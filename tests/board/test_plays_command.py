"""`referee plays` and `referee bench plays` from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.cli.bench import plays as bench_plays

CASES = Path(__file__).parent.parent / "data" / "legal_cases.jsonl"


def plays(text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from web.cli import main; main()", "plays"]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)


def test_answers_line_by_line() -> None:
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    run = plays("".join(json.dumps({"position_id": row["pos"], "dice": row["dice"]}) + "\n" for row in rows))
    assert (run.returncode, run.stderr) == (0, "")
    for row, line in zip(rows, run.stdout.splitlines(), strict=True):
        answer = json.loads(line)["plays"]
        assert {play["position_id"] for play in answer} == set(row["results"])
        assert len(answer) == len(row["results"])
        assert all(play["play"] for play in answer)


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[]",
        "{}",
        '{"position_id": 3, "dice": [1, 2]}',
        '{"position_id": "4HPwATDgc/ABMA", "dice": [3, 7]}',
        '{"position_id": "4HPwATDgc/ABMA", "dice": [3]}',
        '{"position_id": "4HPwATDgc/ABMA", "dice": [true, 1]}',
        '{"position_id": "4HPwATDgc", "dice": [3, 1]}',
        "[" * 100_000,
        '{"position_id": "4HPwATDgc/ABMA", "dice": [3, ' + "1" * 5_000 + "]}",
    ],
)
def test_a_bad_line_is_one_sentence(line: str) -> None:
    good = '{"position_id": "4HPwATDgc/ABMA", "dice": [3, 1]}'
    run = plays(f"{line}\n\n{good}\n")
    assert run.returncode == 2
    assert run.stderr.startswith("referee plays: line 1: ")
    assert len(run.stderr.strip().splitlines()) == 1
    assert "sys." not in run.stderr  # a word of Python's
    wrong, right = (json.loads(answer) for answer in run.stdout.splitlines())
    assert set(wrong) == {"error"}
    assert len(right["plays"]) == 16


def test_bench_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_plays.run(True, cases=str(CASES)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["disagreements"] == 0
    assert report["cases"] == len(CASES.read_text().splitlines())
    assert bench_plays.run(False, count=50) == 0
    assert "full result sets a second" in capsys.readouterr().out


def test_bench_notices_a_disagreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = json.loads(CASES.read_text().splitlines()[0])
    row["results"] = []
    (tmp_path / "wrong.jsonl").write_text(json.dumps(row))
    assert bench_plays.run(True, cases=str(tmp_path / "wrong.jsonl")) == 1
    assert json.loads(capsys.readouterr().out)["disagreements"] == 1


def test_an_ordinary_roll_within_a_millisecond_and_the_worst_double_within_fifty() -> None:
    report = bench_plays.measure(bench_plays.random_cases(400))
    # A millisecond and fifty on a desktop computer; ten times that where the machine is slow or busy.
    assert report["slowest_ordinary_ms"] < 10
    assert report["slowest_double_ms"] < 500


@pytest.mark.skipif(os.name != "posix", reason="cannot: a closed standard input is a shell's doing")
def test_without_standard_input_it_says_so() -> None:
    run = subprocess.run(
        ["sh", "-c", f"{sys.executable} -c 'from web.cli import main; main()' plays <&-"], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "referee: there is no standard input to read questions from\n"


def test_what_is_no_text_is_answered_line_by_line() -> None:
    command = [sys.executable, "-c", "from web.cli import main; main()", "plays"]
    good = b'\xef\xbb\xbf{"position_id": "4HPwATDgc/ABMA", "dice": [3, 1]}\n'
    run = subprocess.run(command, input=good + b"\xff\xfe\x00\n" + good, capture_output=True, timeout=60)
    first, second, third = (json.loads(line) for line in run.stdout.splitlines())
    assert len(first["plays"]) == len(third["plays"]) == 16 and "error" in second
    assert run.returncode == 2
