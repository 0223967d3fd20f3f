"""`referee replay` of files that somebody has changed or cut: what is wrong with them is one sentence and an exit status."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.waiting import until
from tests.web.conftest import SCRIPT, referee

SET_UP = Path(__file__).parents[1] / "data" / "boards" / "train-001000"
DEEP = "[" * 100_000
SHORT = {"dice": [], "position": {"points": [0] * 23, "bar": [0, 0]}, "cube": None, "doubt": []}


def said(*args: Path | str) -> str:
    """What the command says of something it cannot use."""
    run = referee("replay", *map(str, args))
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1, run.stderr
    return run.stderr


@pytest.mark.parametrize("labels", [DEEP, '{"frames": [{"image": "f.jpg", "dice": [], "turn": [1]}]}', '{"frames": []}', "[]"])
def test_labels_that_are_none(tmp_path: Path, labels: str) -> None:
    (tmp_path / "labels.json").write_text(labels)
    assert "holds no labelled pictures" in said(tmp_path, "--make", "-o", tmp_path / "clip.mp4")
    assert [file.name for file in tmp_path.iterdir()] == ["labels.json"]


def test_a_folder_without_labels(tmp_path: Path) -> None:
    assert "(labels.json: No such file or directory)" in said(tmp_path, "--make", "-o", tmp_path / "clip.mp4")


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be asked to end there")
def test_half_a_clip_is_none(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    words = [sys.executable, "-c", SCRIPT, "replay", str(SET_UP), "--make", "-o", str(clip)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        assert until(lambda: clip.exists() and clip.stat().st_size > 100_000)  # it is under way
        run.send_signal(signal.SIGTERM)
        assert run.wait(60) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("truth", [DEEP, '{"moments": [], "start": 5}', "[]", "{"])
def test_a_truth_that_is_none(tmp_path: Path, truth: str) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"a film")
    (tmp_path / "clip.json").write_text(truth)
    assert "clip.json is not the truth of a clip" in said(tmp_path / "clip.mp4")


@pytest.mark.parametrize("line", [DEEP, json.dumps(SHORT)])
def test_readings_that_are_none(tmp_path: Path, line: str) -> None:
    with zipfile.ZipFile(tmp_path / "saw.zip", "w") as bundle:
        bundle.writestr("board.json", "{}")
        bundle.writestr("readings.jsonl", line)
    assert "its readings.jsonl is damaged" in said(tmp_path / "saw.zip")
