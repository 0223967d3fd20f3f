"""A record is written whole or not at all: a disk that is full half-way leaves the file that was there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.files import write_whole
from tests.web.conftest import SCRIPT
from web.port import ServerError
from web.tls import certificate

RECORD = Path(__file__).parents[1] / "records" / "anna_boris.mat"


@contextmanager
def full_disk(room: int = 200) -> Iterator[None]:
    """Files may grow to ``room`` bytes: to the program the same as a disk that is full."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "dont_write_bytecode", True)  # half a compiled file would be taken for a whole one
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


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
    with full_disk(), pytest.raises(ServerError, match="the certificate cannot be kept"):
        certificate(tmp_path, frozenset({"localhost", "table.local"}))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert (tmp_path / "server.pem").stat().st_mode & 0o777 == 0o600
