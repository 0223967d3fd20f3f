"""`referee watch`: real pictures through the real eyes, and what a user can do wrong."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import web
from referee.board.position import Seat
from referee.match import commands as c
from referee.match.journal import MemoryJournal
from referee.match.table import open_table
from tests.found import found_in
from vision.boardfile import SetUpLook, save_table
from vision.pictures import load_picture
from web.cli.replay import command as replay
from web.cli.watch import command, summary

PICTURES = Path(web.__file__).parent / "demo" / "pictures"
START = PICTURES / "f000.jpg"


pytestmark = pytest.mark.usefixtures("found_once")


def watch(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args])


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game's opening tie, the opening roll and the first plays; one file that is no picture."""
    folder = tmp_path_factory.mktemp("some")
    for number in range(1, 6):
        shutil.copy(PICTURES / f"f{number:03d}.jpg", folder)
    (folder / "f005b.jpg").write_bytes(b"no picture")
    return folder


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board file from the demo's first picture."""
    path = tmp_path_factory.mktemp("board") / "board.json"
    save_table(found_in(START), path, SetUpLook(load_picture(START)))
    return path


def test_a_folder_of_pictures_becomes_events_and_a_record(some: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.mat"
    result = watch(some, "--start", START, "--near", "Anna", "--far", "Boris", "--json", "-o", record)
    assert result.exit_code == 0, result.output
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert (events[0]["at"], events[-1]["at"]) == (0.0, 4.0)  # the source's own time: the pictures are a second apart
    told = [event for event in events if event["type"] not in ("dice_lifted", "doubt", "doubt_resolved")]
    kinds = [event["type"] for event in told]
    assert kinds == ["match_started", "game_started", "opening_tied", "opening_rolled", "played", "rolled", "played"]
    assert (told[3]["seat"], sorted(told[3]["dice"])) == ("far", [2, 5])
    assert (told[4]["play"], told[6]["play"]) == ("24/22 13/8", "8/3* 6/3")
    assert told[6]["frame"] == "f005.jpg"
    assert "f005b.jpg" in result.stderr
    text = record.read_text()
    assert " Game 1" in text
    assert "52: 24/22 13/8" in text
    assert "Anna" in text


def test_without_json_the_events_are_sentences_with_a_summary_at_the_end(some: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.mat"
    result = watch(some, "--start", START, "-o", record)
    assert result.exit_code == 0
    assert "Far starts with 5-2" in result.stdout
    last = result.stdout.splitlines()[-1]
    assert last.startswith("Nobody has won: Near 0, Far 0. 2 turns, 1 game, 0 illegal plays, ")
    assert last.endswith(f"The record is in {record}.")


def _process(*args: str | Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", "from web.cli import main; main()", "watch", *map(str, args)]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def test_the_record_is_whole_although_nobody_reads_what_is_printed(some: Path, board: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.mat"
    with _process(some, "--board", board, "-o", record) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        said = run.stderr.read()
    assert "Traceback" not in said
    assert "52: 24/22 13/8" in record.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be asked to end there")
@pytest.mark.parametrize("asked", ["SIGTERM", "SIGHUP"])  # its window is closed
def test_asked_to_end_it_writes_what_was_refereed_until_then(some: Path, board: Path, tmp_path: Path, asked: str) -> None:
    """And not what the last of its pictures shows."""
    many, record = tmp_path / "many", tmp_path / "game.mat"
    many.mkdir()
    for number in range(100):
        shutil.copy(some / f"f{min(number + 1, 5):03d}.jpg", many / f"{number:03d}.jpg")
    shutil.copy(PICTURES / "f006.jpg", many / "last.jpg")
    with _process(many, "--board", board, "-o", record) as run:
        assert run.stdout is not None
        while "8/3* 6/3" not in run.stdout.readline():
            assert run.poll() is None
        run.send_signal(getattr(signal, asked))
        said = run.stdout.read()
    assert run.returncode == 0
    assert f"The record is in {record}." in said
    assert "52: 24/22 13/8" in record.read_text()
    assert "rolled 3-2" not in said


@pytest.mark.parametrize(("near", "shown"), [("Anna", "Anna"), ("", "Near"), ("\u05d0\u05e0\u05d4", "\u2068\u05d0\u05e0\u05d4\u2069")])
def test_the_summary_says_who_won_and_what_was_asked(near: str, shown: str) -> None:
    """Who has no name is called by his seat, and a name that is read from right to left leaves the score in its order."""
    table = open_table(MemoryJournal())
    for kind, values in (
        (c.StartMatch, {"names": (near, "Boris"), "length": 1}), (c.StartGame, {}), (c.EnterRoll, {"dice": (3, 1)}),
        (c.EnterPlay, {"play": "8/5 6/5"}), (c.Resign, {"seat": Seat.FAR}), (c.AcceptResignation, {}),
    ):
        assert isinstance(table.command(kind(seen_seq=table.state.seq, **values)), c.Accepted)
    assert summary(table.log, table.state) == f"{shown} won: {shown} 1, Boris 0. 1 turn, 1 game, 0 illegal plays, 0 questions."


def test_a_match_in_which_no_game_began_is_said_so() -> None:
    """As when the camera was dark or elsewhere all the time: that nobody has won would sound as if something had been refereed."""
    table = open_table(MemoryJournal())
    table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=1))
    assert summary(table.log, table.state) == "No game began: the starting position was not seen at rest."


def test_a_board_file_does_as_well_as_a_picture(some: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    save_table(found_in(START), board)
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("f000.jpg", "f001.jpg", "f002.jpg"):
        shutil.copy(PICTURES / name, folder)
    result = watch(folder, "--board", board, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout.splitlines()[0])["type"] == "match_started"


def test_pictures_that_show_the_same_in_another_size_are_read(tmp_path: Path) -> None:
    board, folder = tmp_path / "board.json", tmp_path / "pictures"
    save_table(found_in(START), board)
    folder.mkdir()
    for name in ("f000.jpg", "f001.jpg", "f002.jpg"):
        cv2.imwrite(str(folder / name), cv2.resize(load_picture(PICTURES / name), (1280, 720), interpolation=cv2.INTER_AREA))
    result = watch(folder, "--board", board, "--json")
    assert result.exit_code == 0, result.output
    kinds = [json.loads(line)["type"] for line in result.stdout.splitlines()]
    assert kinds == ["match_started", "game_started", "opening_tied", "opening_rolled"]


def test_pictures_of_another_size_than_the_boards_are_said_once(tmp_path: Path) -> None:
    from vision.training.finder.draw import draw

    board, folder = tmp_path / "board.json", tmp_path / "pictures"
    save_table(draw(4, (160, 100)).table, board)
    folder.mkdir()
    for name in ("f000.jpg", "f001.jpg"):
        shutil.copy(PICTURES / name, folder)
    result = watch(folder, "--board", board)
    assert result.exit_code == 1
    assert result.stderr.count("the board was set up with 160x100: set up again") == 1
    assert "no picture could be read" in result.stderr
    assert "Traceback" not in result.output


def film_of(folder: Path) -> Path:
    """A film of the demo game's first pictures."""
    film = folder / "film.avi"
    pictures = [cv2.imread(str(PICTURES / name)) for name in ("f000.jpg", "f002.jpg")]
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (width, height))
    noise = np.random.default_rng(1)
    grain = [noise.integers(-2, 3, pictures[0].shape, np.int16) for _ in range(3)]
    for picture in pictures:
        for i in range(12):
            writer.write(np.asarray(cv2.add(picture, grain[i % 3], dtype=cv2.CV_8U)))
    writer.release()
    return film


def test_a_video_is_read_to_its_end(tmp_path: Path) -> None:
    result = watch(film_of(tmp_path), "--start", START, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout.splitlines()[0])["type"] == "match_started"


def test_a_video_that_breaks_off_is_not_read_to_its_end(tmp_path: Path) -> None:
    whole, cut, record = film_of(tmp_path), tmp_path / "cut.avi", tmp_path / "half.mat"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    result = watch(cut, "--start", START, "-o", record)
    assert (result.exit_code, record.exists()) == (1, True), result.output
    assert result.stderr.count("cut.avi breaks off after") == 1
    assert "The record is in" in result.stdout
    report = CliRunner().invoke(replay, [str(cut), "--start", str(START), "--json"])
    assert (report.exit_code, report.stdout) == (1, ""), "of half a clip a report would be taken for that of all of it"
    assert "cut.avi breaks off after" in report.stderr


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["FOLDER"], 2, "--start IMAGE or --board"),
        (["FOLDER", "--start", "START", "--board", "x.json"], 2, "--start IMAGE or --board"),
        (["nowhere", "--start", "START"], 2, "nowhere"),
        (["phone", "--start", "START"], 2, "a phone is the camera of a table only: start one with `referee serve --https"),
        (["EMPTY", "--start", "START"], 2, "no pictures"),
        (["CUT", "--start", "START"], 2, "it may be cut off: copy it again"),
        (["FOLDER", "--start", "nothing.jpg"], 2, "nothing.jpg"),
        (["FOLDER", "--start", "PLAIN"], 1, "plain.png"),
        (["FOLDER", "--start", "SMALL"], 1, "the picture has only 640x360 pixels: dice will be hard to read"),
        (["FOLDER", "--board", "nothing.json"], 2, "nothing.json"),
        (["FOLDER", "--start", "START", "--rules", "chess"], 2, "chess"),
        (["FOLDER", "--start", "START", "--length", "0"], 2, "length"),
        (["FOLDER", "--start", "START", "--near", "A", "--far", "A"], 2, "two different names"),
        (["FOLDER", "--start", "START", "-o", "game.doc"], 2, "ending"),
        (["FOLDER", "--start", "START", "-o", "nowhere/game.mat"], 2, "nowhere"),
        (["FOLDER", "--start", "START", "-o", f"{'long' * 70}.mat"], 2, "cannot be written"),
    ],
)
def test_what_a_user_can_do_wrong_is_one_sentence(some: Path, tmp_path: Path, args: list[str], code: int, words: str) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((720, 1280, 3), 120, np.uint8))
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.full((360, 640, 3), 120, np.uint8))
    (tmp_path / "empty").mkdir()
    cut = tmp_path / "cut.mp4"  # its table of contents, which is at its end, is missing
    cut.write_bytes(b"\0\0\0\x1cftypisom\0\0\2\0isomiso2mp41\0\1\0\0mdat" + bytes(5000))
    known = {"FOLDER": some, "START": START, "EMPTY": tmp_path / "empty", "PLAIN": plain, "SMALL": small, "CUT": cut}
    result = watch(*(known.get(arg, arg) for arg in args))
    assert result.exit_code == code, result.output
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_folder_of_broken_pictures_is_no_match(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(b"\xff\xd8 no picture")
    record = tmp_path / "game.mat"
    record.write_text("of an earlier game")
    run = watch(folder, "--start", START, "-o", record)
    assert record.read_text() == "of an earlier game"
    *pictures, last = run.stderr.splitlines()
    assert (run.exit_code, last) == (1, "Error: nothing was refereed: no picture could be read")
    assert "won" not in run.stdout
    for name, line in zip(("a.jpg", "b.jpg"), pictures, strict=True):  # each is named once
        assert (line.count(name), line.startswith(f"referee: {name} is cut off")) == (1, True)
