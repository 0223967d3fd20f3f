"""A record is written whole or not at all: a disk that is full half-way leaves the file that was there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from referee.files import write_whole
from tests.web.conftest import SCRIPT
from tests.web.test_watch import PICTURES, START
from web.tls import certificate

RECORD = Path(__file__).parents[1] / "records" / "anna_boris.mat"
FULL = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)); {SCRIPT}"
"""Files may grow to 200 bytes: to the program the same as a disk that is full."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize(
    "words",
    [
        ("convert", RECORD, "OUT"),
        ("watch", "STILLS", "--start", START, "-o", "OUT"),
        ("read", "--dice", PICTURES / "f001.jpg", "--bundle", "OUT"),
        ("read", "--dice", PICTURES / "f001.jpg", "--annotate", "OUT"),
    ],
)
def test_a_full_disk_leaves_the_record_that_was_there(tmp_path: Path, words: tuple[str | Path, ...]) -> None:
    out, stills = tmp_path / ("out.png" if "--annotate" in words else "out.json"), tmp_path / "stills"
    out.write_text("an earlier record")
    stills.mkdir()
    (stills / "f001.jpg").write_bytes((PICTURES / "f001.jpg").read_bytes())
    args = [str({"OUT": out, "STILLS": stills}.get(str(word), word)) for word in words]
    done = subprocess.run([sys.executable, "-B", "-c", FULL, *args], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr
    assert "cannot be written" in done.stderr
    assert out.read_text() == "an earlier record"
    assert sorted(one.name for one in tmp_path.iterdir()) == [out.name, "stills"]


def test_a_link_to_a_record_stays_one_and_its_rights_too(tmp_path: Path) -> None:
    out, link = tmp_path / "out.json", tmp_path / "link.json"
    out.write_text("an earlier record")
    out.chmod(0o640)
    link.symlink_to(out)
    subprocess.run([sys.executable, "-c", SCRIPT, "convert", str(RECORD), str(link)], check=True, timeout=300)
    assert link.is_symlink()
    assert out.read_text().startswith("{")
    assert sys.platform == "win32" or out.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_record_goes_through_a_pipe_to_whoever_reads_it(tmp_path: Path) -> None:
    """Finding out whether it can be written would end it for the reader, and then nobody is left to write for."""
    pipe, got = tmp_path / "out.mat", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    done = subprocess.run([sys.executable, "-c", SCRIPT, "convert", str(RECORD), str(pipe)], capture_output=True, text=True, timeout=60)
    reader.join(timeout=60)
    assert (done.returncode, done.stderr, got) == (0, "", [RECORD.read_bytes()])


def test_what_takes_a_files_place_lies_on_the_disk_by_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a power cut leaves an empty file there: the name may reach the disk before what it stands for."""
    out, on_disk, fsync = tmp_path / "board.json", list[tuple[int, str]](), os.fsync
    out.write_text("an earlier one")

    def spied(file: int) -> None:
        fsync(file)
        on_disk.append((os.fstat(file).st_size, out.read_text()))

    monkeypatch.setattr(os, "fsync", spied)
    write_whole(out, "a longer one that takes its place")
    assert on_disk == [(out.stat().st_size, "an earlier one")]
    assert out.read_text() == "a longer one that takes its place"


def test_two_who_write_one_file_at_once_leave_that_of_one_of_them(tmp_path: Path) -> None:
    out, wrong = tmp_path / "board.json", list[OSError]()
    both = [letter * 2_000_000 for letter in (b"a", b"b")]

    def write(content: bytes) -> None:
        try:
            for _ in range(40):
                write_whole(out, content)
        except OSError as error:
            wrong.append(error)

    writers = [threading.Thread(target=write, args=(content,)) for content in both]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not wrong
    assert out.read_bytes() in both
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files, and other rights")
def test_a_full_disk_leaves_the_certificate_that_was_there(tmp_path: Path) -> None:
    certificate(tmp_path, frozenset({"localhost"}))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    anew = "from pathlib import Path; from web.tls import certificate; certificate(Path({!r}), frozenset({{'localhost', 'table.local'}}))"
    limited = FULL.replace(SCRIPT, anew.format(str(tmp_path)))
    done = subprocess.run([sys.executable, "-B", "-c", limited], capture_output=True, text=True, timeout=300)
    assert "ServerError: the certificate cannot be kept" in done.stderr
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert (tmp_path / "server.pem").stat().st_mode & 0o777 == 0o600
