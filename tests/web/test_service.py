"""What keeps the service up: ticks and connections go on after a fault, and what cannot be served is said in one sentence."""

from __future__ import annotations

import errno
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from referee.records.store import Store
from tests.web.conftest import referee
from web.cli import _service
from web.cli._service import make_house
from web.server import ServerError
from web.tls import TlsFront, certificate


@pytest.mark.logs
def test_a_fault_in_one_tick_does_not_end_the_clocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_service, "TICK_S", 0.01)
    done, ticks = threading.Event(), [0]
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)

        def tick() -> None:
            ticks[0] += 1
            if ticks[0] == 5:
                done.set()
            raise FileNotFoundError("a picture was deleted meanwhile")

        monkeypatch.setattr(house.desk, "tick", tick)
        monkeypatch.setattr(house, "tidy", tick)
        _service._tick(house, done)
    assert ticks[0] >= 5


class Tired:
    """A listener that has no descriptor for its first callers."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener, self.failed = listener, 0

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        if self.failed < 3:
            self.failed += 1
            raise OSError(errno.EMFILE, "Too many open files")
        return self._listener.accept()

    def close(self) -> None:
        self._listener.close()


def test_https_goes_on_after_connections_that_could_not_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as inner:
        front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {})
        tired = Tired(front._listener)
        monkeypatch.setattr(front, "_listener", tired)
        front.start(inner.getsockname()[1])
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        try:
            with socket.create_connection(("127.0.0.1", front.port), 10) as raw, trusting.wrap_socket(raw) as outer:
                outer.sendall(b"hello")
                through, _ = inner.accept()
                with through:
                    assert through.recv(5) == b"hello"
        finally:
            front.close()
    assert tired.failed == 3


@pytest.mark.parametrize("name", ["foo_bar", "my table", "x" * 64])
def test_a_name_that_no_certificate_can_hold_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(ServerError, match="--name"):
        certificate(tmp_path, frozenset({"localhost", name}))


def test_a_host_is_written_as_addresses_have_it() -> None:
    assert [_service._in_address(host) for host in ("192.168.1.7", "table.local", "2001:db8::5")] == [
        "192.168.1.7", "table.local", "[2001:db8::5]",
    ]


def test_a_thread_that_is_still_in_opencv_does_not_abort_the_program() -> None:
    """As a camera's that is being opened is, or one that looks for the board: at its end Python tears threads out of C++."""
    program = """
import sys, threading, cv2, numpy
picture = numpy.zeros((1500, 1500, 3), numpy.uint8)
def blur():
    while True:
        cv2.GaussianBlur(picture, (0, 0), 5)
threading.Thread(target=blur, daemon=True).start()
sys.argv[1:] = ["rules", "bray"]
from web.cli import main
main()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert "bray" in run.stdout


@pytest.mark.parametrize("words", [("ids",), ("rules",), ("chouette",), ("check",), ("setup", "-o", "b.json"), ("convert", "a.mat")])
def test_a_name_too_long_for_a_file_is_one_sentence(words: tuple[str, ...]) -> None:
    run = referee(words[0], "x" * 300, *words[1:])
    assert run.returncode in (1, 2)
    assert "Traceback" not in run.stderr
    assert len((run.stdout + run.stderr).strip().splitlines()) == 1
