"""Names of files, and what stands in them, may hold anything: none of it steers the terminal, or makes a second line of one."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.web.test_watch import PICTURES, START
from web.cli import plays, read, replay, setup, watch

ODD = "f001\x1b[2J\nNear won.jpg"

pytestmark = [
    pytest.mark.usefixtures("found_once"),
    pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A picture of such a name, and a file that is none."""
    stills = tmp_path / "stills"
    stills.mkdir()
    shutil.copy(PICTURES / "f001.jpg", stills / ODD)
    (stills / f"no {ODD}").touch()
    return stills


def steers_nothing(done: Result) -> None:
    """Whether ``done`` told of the name, in a line, as it cannot hurt."""
    assert "\x1b" not in done.output
    assert "\ufffd[2J\ufffdNear won" in done.output
    assert not any(line.startswith("Near won") for line in done.output.splitlines())


def test_of_pictures_that_are_watched(folder: Path) -> None:
    done = CliRunner().invoke(watch.command, [str(folder), "--start", str(START)], color=True)
    steers_nothing(done)


def test_of_pictures_that_are_read_and_read_anew(folder: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "saw.zip"
    words = ["--dice", *map(str, folder.iterdir()), "--bundle", str(bundle)]
    for done in (
        CliRunner().invoke(read.command, words, color=True), CliRunner().invoke(replay.command, [str(bundle)], color=True)
    ):  # fmt: skip
        steers_nothing(done)


def test_of_a_file_that_is_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(setup.command, [str(START), "-o", str(tmp_path / ODD.replace(".jpg", ".json"))], color=True)
    steers_nothing(done)


def test_of_a_question_about_plays() -> None:
    done = CliRunner().invoke(plays.command, input='{"position_id": "\\u001b[2J\\nNear won", "dice": [3, 1]}\n', color=True)
    assert (done.exit_code, "\x1b" in done.stderr, done.stderr.count("\n")) == (2, False, 1)
