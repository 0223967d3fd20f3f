"""What every command ends with: 0 when it is done, 1 when the answer is no or what was begun cannot be brought to its end, 2 when it cannot
be begun as it is written. And why is one sentence on standard error."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

import web.cli
from tests.web.conftest import SCRIPT, answer
from tests.web.test_watch import PICTURES, START
from tests.web.test_written_whole import RECORD, full_disk

PICTURE = PICTURES / "f001.jpg"
SERVE = ("serve", "--port", "0")
CHOUETTE = ("start", "Ann", "Ben", "Cleo")
NAMES = [  # X is what is named
    ("analyse", "X"), ("check", RECORD, "--rules", "X"), ("chouette", "X", "tie"), ("chouette", "new.json", *CHOUETTE, "--rules", "X"),
    ("convert", "X", "out.mat"), ("ids", "X"), ("read", "--start", "X", PICTURE), ("read", "--board", "X", PICTURE),
    ("replay", "X", "--start", START), ("replay", PICTURE, "--board", "X"), ("replay", "--make", "X", "-o", "clip.mp4"), ("rules", "X"),
    ("rules", "bray", "X"), (*SERVE, "--db", "m.db", "--board", "X"), (*SERVE, "--db", "m.db", "--rules", "X"),
    ("setup", "X", "-o", "b.json"), ("tower", "--simulate", "--script", "X"), ("watch", "X", "--start", START),
    ("watch", PICTURES, "--start", "X"), ("watch", PICTURES, "--start", START, "--rules", "X"), ("bench", "X"),
    ("bench", "plays", "--cases", "X"), ("bench", "records", "--folder", "X"),
]  # fmt: skip
KINDS = ("missing", "folder", "empty", "binary", "odd\nname")
DONE = [(words, "empty") for words in NAMES if words[0] == "tower"]  # a tower that does nothing
WRITES = [  # X is a place to write
    ("chouette", "X.json", *CHOUETTE), ("convert", RECORD, "X.sgf"), ("read", "--dice", PICTURE, "--annotate", "X.png"),
    ("setup", START, "-o", "X.json"), ("setup", START, "-o", "b.json", "--annotate", "X.png"),
    ("read", "--dice", PICTURE, "--bundle", "X.zip"), ("watch", "stills", "--start", START, "-o", "X.json"), (*SERVE, "--db", "X.db"),
]  # fmt: skip
GO_ON = ("chouette", "serve")  # with the file that is there
BAD_WORDS = {  # of commands that name nothing, and of some others
    "demo": ("--speed", "0"), "plays": ("more",), "check": (), "tower": (), "rules": ("bray", "agca", "wbgf"), "watch": (PICTURES,),
    "replay": ("--make", PICTURES), "serve": ("--table", "a b"), "bench": ("plays", "--hats", "3"),
}  # fmt: skip
Words = tuple[str | Path, ...]


def ends(status: int, done: subprocess.CompletedProcess[str]) -> None:
    """Whether ``done`` ended with ``status``, and said why in one line."""
    assert done.returncode == status, (done.args, done.stderr)
    assert done.stderr.startswith("referee: ") and done.stderr.count("\n") == 1 and len(done.stderr) < 400, done.stderr


def filled(words: Words, named: str | Path) -> list[str]:
    """``words`` with X in them replaced."""
    return [str(word).replace("X", str(named), 1) if isinstance(word, str) and word.split(".")[0] == "X" else str(word) for word in words]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found_once: None) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stills").mkdir()
    shutil.copy(PICTURE, tmp_path / "stills")
    return tmp_path


def test_every_command_is_tried() -> None:
    assert {words[0] for words in NAMES} | set(BAD_WORDS) == set(web.cli._Commands().list_commands(web.cli.click.Context(web.cli._group)))


@pytest.mark.parametrize("words", [(name, *rest) for name, rest in BAD_WORDS.items()])
def test_words_that_cannot_be_are_bad_usage(words: Words, here: Path) -> None:
    ends(2, answer(*filled(words, "")))


@pytest.mark.parametrize("words", [("setup", START, "-o", "b.json", "--position", ""), ("chouette", "c.json", *CHOUETTE, "--rules", "")])
def test_an_empty_word_is_no_word_left_out(words: Words, here: Path) -> None:
    """A variable that a script never set, that is; what the word was for would go another way without a word."""
    before = sorted(here.iterdir())
    ends(2, answer(*map(str, words)))
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(("words", "kind"), [one for one in product(NAMES, KINDS) if one not in DONE])
def test_what_is_not_there_or_of_another_kind_is_bad_usage(words: Words, kind: str, here: Path) -> None:
    if kind == "folder":
        (here / kind).mkdir()
    if kind == "empty":
        (here / kind).touch()
    if kind == "binary":
        (here / kind).write_bytes(bytes(range(256)) * 20)
    before = sorted(here.iterdir())
    ends(2, answer(*filled(words, kind)))
    assert sorted(here.iterdir()) == before, "nothing was begun"


@pytest.mark.parametrize("words", WRITES)
def test_a_place_where_nothing_can_be_written_is_bad_usage(words: Words, here: Path) -> None:
    (here / "file").touch()
    ends(2, answer(*filled(words, here / "file" / "out")))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize("words", [*WRITES, ("demo", "--port", "0", "--no-browser")])
def test_a_full_disk_is_no_bad_usage_and_leaves_the_file_that_was_there(words: Words, here: Path) -> None:
    out = [here / str(word).replace("X", "out") for word in words if str(word).startswith("X.") and words[0] not in GO_ON]
    for file in out:
        file.write_text("an earlier one")
    before = sorted(here.iterdir())
    with full_disk(300_000 if "b.json" in words else 200):  # room for the board file, none for the picture
        ends(1, answer(*filled(words, here / "out")))
    for file in out:
        assert file.read_text() == "an earlier one"
        assert sorted({*here.iterdir()} - {here / "b.json"}) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here is always full")
def test_nor_is_an_output_that_cannot_be_written(here: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", SCRIPT, "rules"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    ends(1, done)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that one is in cannot be removed there")
def test_a_folder_that_is_gone_is_bad_usage(here: Path) -> None:
    words = [sys.executable, "-c", f"import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); {SCRIPT}", *SERVE, "--db", "m.db"]
    ends(2, subprocess.run(words, capture_output=True, text=True, timeout=60))


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
def test_a_link_that_leads_to_itself_is_no_place_to_write(here: Path) -> None:
    (here / "c.json").symlink_to("c.json")
    ends(2, answer("chouette", "c.json", *CHOUETTE))
    assert (here / "c.json").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="a closed output is a shell's doing")
@pytest.mark.parametrize("words", [("read", "--dice", "none"), ("check", "none"), ("chouette", "none"), ("ids", "none")])
def test_where_there_is_no_output_it_ends_no_otherwise(words: Words, here: Path) -> None:
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", SCRIPT, *map(str, words)]
    done = subprocess.run(closed, capture_output=True, text=True, timeout=60)
    ends(answer(*map(str, words)).returncode, done)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("replay", PICTURE, "--start", START, "-o", "report.json"), "--output"),
        (("replay", PICTURE, "--start", START, "--seed", "1"), "--seed"),
        (("replay", PICTURES, "--make", "-o", "clip.mp4", "--rules", "bray"), "--rules"),
        (("replay", "saw.zip", "--board", "b.json"), "--board"),
        (("tower", "socket://127.0.0.1:9", "--for", "1", "--script", "throws.txt"), "--script"),
        (("tower", "socket://127.0.0.1:9", "--for", "1", "--blind"), "--reads/--blind"),
        (("read", "--dice", PICTURE, "--near-at", "left"), "--near-at"),
        (("ids", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "--game", "2"), "--game"),
    ],
)  # fmt: skip
def test_an_option_that_would_do_nothing_is_bad_usage(words: Words, option: str, here: Path) -> None:
    done = answer(*map(str, words))
    ends(2, done)
    assert f"referee: {option} does nothing with" in done.stderr


def plain(folder: Path) -> Path:
    """A picture without a board."""
    cv2.imwrite(str(folder / "plain.png"), np.full((720, 1280, 3), 90, np.uint8))
    return folder / "plain.png"


def begun(folder: Path) -> Path:
    answer("chouette", str(folder / "c.json"), *CHOUETTE)
    return folder / "c.json"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("setup", "X", "-o", "b.json"), plain), (("read", "--start", "X", PICTURE), plain), (("watch", PICTURES, "--start", "X"), plain),
        (("chouette", "X", "join", "Ann"), begun), (("chouette", "X", "leave", "Dan"), begun),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_is_one(words: Words, named: Callable[[Path], Path], here: Path) -> None:
    ends(1, answer(*filled(words, named(here))))


def test_of_several_files_each_has_its_answer(here: Path) -> None:
    (here / "binary").write_bytes(bytes(range(256)) * 20)
    done = answer("check", "--json", "binary", str(RECORD), "none")
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False, True, False]
    ends(1, done)
    ends(1, answer("read", "--dice", "--json", "binary", str(PICTURE), "none"))
