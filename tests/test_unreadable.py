"""Files that one may not open: one among several is answered as every other, and said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import web.demo

PICTURE = Path(web.demo.__file__).parent / "pictures" / "f001.jpg"
MATCH = Path(__file__).parent / "records" / "anna_boris.mat"
PROGRAM = "import sys; sys.argv[0] = 'referee'; from web.cli import main; main()"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or (os.geteuid() == 0 and shutil.which("setpriv") is None), reason="permissions do not bind this user"
)


def _referee(*words: object) -> subprocess.CompletedProcess[str]:
    """The command of a user whom permissions bind: root gives up what lets him pass over them."""
    bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    return subprocess.run([*bound, sys.executable, "-c", PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120)


def _pair(folder: Path, source: Path) -> tuple[Path, Path]:
    """A file that may not be opened, and one that may."""
    one, other = folder / f"a{source.suffix}", folder / f"b{source.suffix}"
    for copy in (one, other):
        copy.write_bytes(source.read_bytes())
    one.chmod(0)
    return one, other


def test_a_picture_that_may_not_be_opened_is_doubted_and_the_rest_is_read(tmp_path: Path) -> None:
    pair = _pair(tmp_path, PICTURE)
    done = _referee("read", "--dice", "--json", *pair)
    closed, read = map(json.loads, done.stdout.splitlines())
    assert [closed["image"], read["image"]] == [str(path) for path in pair]
    assert [doubt["about"] for doubt in closed["doubt"]] == ["picture"]
    assert "Permission denied" in closed["doubt"][0]["text"]
    assert read["dice"]
    assert (done.returncode, done.stderr.strip()) == (1, "referee: 1 of 2 pictures could not be read: their lines say why")


def test_a_record_that_may_not_be_opened_is_said_and_the_rest_is_checked(tmp_path: Path) -> None:
    pair = _pair(tmp_path, MATCH)
    done = _referee("check", "--json", *pair)
    closed, read = map(json.loads, done.stdout.splitlines())
    assert (closed["file"], closed["ok"]) == (str(pair[0]), False)
    assert closed["problems"] == ["the file cannot be read (Permission denied): check that you may open it"]
    assert (read["file"], read["ok"]) == (str(pair[1]), True)
    assert (done.returncode, done.stderr.strip()) == (1, "referee: 1 of 2 files are no match records: their lines say why")
