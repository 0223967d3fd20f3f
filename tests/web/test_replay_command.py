"""`referee replay` of files that somebody has changed or cut: what is wrong with them is one sentence and an exit status."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import web.demo
from referee.board.position import START
from referee.match.arbiter.memory import Memory
from referee.match.journal import Journal
from referee.match.table import TableService, open_table
from referee.observations import About, DieState, Half, Reading, SeenDie, SeenDoubt, SeenPosition
from referee.rules.ruleset import RuleSet, TurnEnd
from tests.waiting import until
from tests.web.conftest import SCRIPT, answer
from vision.camera.source import Frame, SourceError
from vision.pictures import load_picture
from web.cli._given import to_its_end
from web.cli._misread import Scene, announced_wrong, misread
from web.cli.replay import _Live, command

PICTURES = Path(web.demo.__file__).parent / "pictures"
SET_UP = Path(__file__).parents[1] / "data" / "boards" / "train-001000"
DEEP = "[" * 100_000
STRANGE = '{"start": "f.jpg", "moments": [{"at": 1, "kind": "rest", "still": "f.jpg"}], "stills": {"f.jpg": {"dice": [5]}}}'
SHORT = {"dice": [], "position": {"points": [0] * 23, "bar": [0, 0]}, "cube": None, "doubt": []}


def said(*args: Path | str) -> str:
    """What the command says of something it cannot use."""
    run = answer("replay", *map(str, args))
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


def lying(value: int, *quad: tuple[int, int]) -> dict[str, object]:
    return {"value": value, "state": "flat", "top_quad_px": quad}


SIZE = (1200, 675)  # of the demo's pictures here, three quarters of their own: half the work
THROWN = [lying(5, (429, 292), (415, 305), (403, 292), (416, 279)), lying(2, (836, 343), (826, 359), (843, 368), (852, 352))]
"""The dice of the demo's f002.jpg in that size."""


def test_what_was_misread_of_a_clip_is_told(tmp_path: Path, found_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the numbers that truly lay there, not only by when something was said: a throw read as another would pass for clean."""
    folder, clip = tmp_path / "pictures", tmp_path / "clip.mp4"
    folder.mkdir()
    frames = []
    for name, dice in (("f000.jpg", []), ("f002.jpg", THROWN)):
        cv2.imwrite(str(folder / name), cv2.resize(load_picture(PICTURES / name), SIZE, interpolation=cv2.INTER_AREA))
        frames.append({"image": name, "dice": dice, "position": {"points": list(START.points), "bar": [0, 0], "off": [0, 0]}})
    (folder / "labels.json").write_text(json.dumps({"frames": frames}))
    assert answer("replay", str(folder), "--make", "-o", str(clip)).returncode == 0
    monkeypatch.setattr("web.cli.replay.STEP", 2)
    club, turn_ends = tmp_path / "club.toml", []
    club.write_text('turn_end = "clock"\n[clock]\nmode = "simple_delay"\n')

    def opened(journal: Journal, rules: RuleSet) -> TableService[Memory]:
        turn_ends.append(rules.turn_end)
        return open_table(journal, rules)

    monkeypatch.setattr("referee.match.table.open_table", opened)
    replayed = CliRunner().invoke(command, [str(clip), "--json", "--rules", str(club)])
    assert turn_ends == [TurnEnd.LIFT_BY_ANYONE], "nobody presses a clock of ours in a clip"
    small, *told = replayed.stderr.splitlines()
    assert "the picture has only 1200x675 pixels" in small
    assert told == [f"{at} s replayed" for at in (2, 4, 6) if f"{at} s replayed" in told], "a busy machine passes over parts of the clip"
    assert told
    report = json.loads(replayed.stdout)
    assert (report["announced"], report["wrong"]) == (1, [])
    assert (report["read"]["dice"], report["read"]["points"], report["read"]["undoubted"]) == ({}, {}, 0)
    assert report["read"]["compared"] > 0
    truth = json.loads(clip.with_suffix(".json").read_text())
    truth["stills"]["f002.jpg"]["dice"][0] = [6, "flat"]
    truth["stills"]["f002.jpg"]["points"][0] += 1
    clip.with_suffix(".json").write_text(json.dumps(truth))
    run = answer("replay", str(clip))
    assert run.returncode == 1
    assert "missed 0, extra 0, wrong 1, " in run.stdout
    assert "times 6 flat read as 5 flat" in run.stdout
    assert "times point 1: -1 read as -2" in run.stdout
    start = folder / "f000.jpg"
    (tmp_path / "unreadable").mkdir()
    (tmp_path / "unreadable" / "f001.jpg").write_text("no picture")
    run = answer("replay", str(tmp_path / "unreadable"), "--start", str(start))
    assert (run.returncode, run.stdout) == (1, "")
    assert "f001.jpg" in run.stderr and "nothing was replayed: no picture could be read" in run.stderr
    film = cv2.VideoWriter(str(tmp_path / "pushed.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    for k in range(10):
        film.write(np.roll(load_picture(start), 40 * k, axis=1))
    film.release()
    pushed = CliRunner().invoke(command, [str(tmp_path / "pushed.avi"), "--start", str(start)])
    assert (pushed.exit_code, pushed.stdout) == (1, "")
    assert "in none was the board seen at rest" in pushed.stderr, "the pictures are sound"


def test_a_doubted_misreading_is_told_and_is_no_error_without_a_doubt() -> None:
    """Nor is anything compared while a hand is at it, of dice that are yet to be thrown, or of how a nudged die lies."""
    points = (*START.points, 0, 0)
    scenes = [Scene(1.0, None, points), Scene(2.0, ((5, "flat"), (2, "flat")), points), Scene(3.0)]
    die = SeenDie(4, DieState.FLAT, Half.RIGHT, (10.0, 10.0))
    doubt = SeenDoubt(About.DIE, "value", "4 or 5")
    seen = SeenPosition(START.points, (0, 1), (None, None))
    sure, unsure = Reading((die,), seen, None, ()), Reading((die,), seen, None, (doubt, SeenDoubt(About.BAR, "count", "0 or 1")))
    for reading, undoubted in ((sure, 3), (unsure, 0)):
        found = misread(scenes, [(2.5, reading), (3.5, reading), (0.5, reading)])
        assert found == {
            "compared": 1, "dice": {"2 flat read as 4 flat": 1, "5 flat not seen": 1}, "points": {"bar: 0 read as 1": 1},
            "undoubted": undoubted,
        }  # fmt: skip
    assert misread(scenes, [(1.5, Reading((die,), None, None, ()))])["dice"] == {}


@pytest.mark.parametrize(("true", "announced", "wrong"), [
    ([[5, "flat"], [2, "flat"]], (2, 5), False),
    ([[5, "flat"], [2, "flat"]], (2, 6), True),
    ([[5, "flat"], [2, "cocked"]], (2, 5), True),  # a bad die was accepted
    ([[5, "flat"], [2, "flat"], [1, "flat"], [1, "flat"]], (5, 2), False),  # the other's dice still lie there
])  # fmt: skip
def test_a_roll_is_announced_wrong_where_no_such_dice_lie(true: list[list[object]], announced: tuple[int, int], wrong: bool) -> None:
    assert announced_wrong(true, announced) is wrong


@pytest.mark.parametrize("truth", [DEEP, '{"moments": [], "start": 5}', "[]", "{", STRANGE])
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


def test_that_a_clip_breaks_off_is_told_though_a_picture_is_just_being_read() -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    clip = [Frame(picture, "1", 0.0, False), Frame(picture, "2", 0.1, False), Frame(None, "c", 0.2, False, "c breaks off")]
    live = _Live(to_its_end(clip))
    frames = iter(live)
    assert next(frames).name == "1"
    live.busy_until = 9.0
    with pytest.raises(SourceError, match="c breaks off"):
        next(frames)
    assert live.dropped == 1
