"""What keeps the service up: ticks and connections go on after a fault, and what cannot be served is said in one sentence."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from referee.match.commands import StartGame, StartMatch
from referee.records.store import Store
from tests.waiting import until
from tests.web.conftest import answer
from web.access import Rank
from web.cli import _service
from web.cli._service import make_house
from web.house import NO_EYES
from web.port import ServerError, in_address
from web.snapshot import state_snapshot
from web.tls import TlsFront, certificate, local_addresses


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


def test_a_service_that_is_ended_ticks_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its database may be closed by then."""
    monkeypatch.setattr(_service, "TICK_S", 60.0)
    done, ticked = threading.Event(), list[bool]()
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        monkeypatch.setattr(house.desk, "tick", lambda: ticked.append(True))
        threading.Timer(0.1, done.set).start()
        _service._tick(house, done)
    assert not ticked


class Tired:
    """A listener that has no descriptor for its first callers."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener, self.failed = listener, 0

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        if self.failed < 3:
            self.failed += 1
            raise OSError(errno.EMFILE, "Too many open files")
        return self._listener.accept()

    def fileno(self) -> int:
        return self._listener.fileno()

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def inner() -> Iterator[socket.socket]:
    """What stands behind the front."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.settimeout(20)
        yield found


@contextmanager
def over_tls(front: TlsFront) -> Iterator[ssl.SSLSocket]:
    """A browser's connection to ``front``."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", front.port), 20) as raw, trusting.wrap_socket(raw) as outer:
        yield outer


def test_https_goes_on_after_connections_that_could_not_be_taken(
    tmp_path: Path, inner: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {})
    tired = Tired(front._listener)
    monkeypatch.setattr(front, "_listener", tired)
    front.start(inner.getsockname()[1])
    try:
        with over_tls(front) as outer:
            outer.sendall(b"hello")
            through, _ = inner.accept()
            with through:
                assert through.recv(5) == b"hello"
    finally:
        front.close()
    assert tired.failed == 3


def test_https_serves_every_connection_on_one_thread(tmp_path: Path, inner: socket.socket) -> None:
    """OpenSSL breaks down where one thread reads a connection while another writes to it."""
    peers: dict[str, str] = {}
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), peers)
    front.start(inner.getsockname()[1])
    threads = threading.active_count()
    try:
        with ExitStack() as held:
            for number in range(5):
                outer = held.enter_context(over_tls(front))
                outer.sendall(b"%d?" % number)
                through, place = inner.accept()
                held.enter_context(through)
                assert through.recv(2) == b"%d?" % number
                assert peers[str(place[1])] == "127.0.0.1"
                through.sendall(b"%d!" % number)
                assert outer.recv(2) == b"%d!" % number
            assert threading.active_count() == threads
    finally:
        front.close()
    assert threading.active_count() == threads - 1
    assert peers == {}


def test_https_sends_the_whole_answer_of_a_server_that_then_closes(tmp_path: Path, inner: socket.socket) -> None:
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {})
    front.start(inner.getsockname()[1])
    answer, found = bytes(range(256)) * 8192, bytearray()
    try:
        with over_tls(front) as outer:
            outer.sendall(b"?")
            through, _ = inner.accept()
            assert through.recv(1) == b"?"
            sending = threading.Thread(target=lambda: (through.sendall(answer), through.close()))
            sending.start()
            while data := outer.recv(65536):
                found += data
            sending.join()
    finally:
        front.close()
    assert bytes(found) == answer


def test_a_browser_that_was_given_the_address_without_https_is_sent_on(tmp_path: Path, inner: socket.socket) -> None:
    """As typed on a phone. The answer is whole, and the connection ends."""
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {})
    front.start(inner.getsockname()[1])
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", front.port, timeout=20)) as asked:
            asked.request("GET", "/t/1/table", headers={"User-Agent": "x" * 4000})
            answer = asked.getresponse()
            assert (answer.status, answer.getheader("Location")) == (302, f"https://127.0.0.1:{front.port}/")
        with socket.create_connection(("127.0.0.1", front.port), 20) as raw:
            raw.sendall(b"neither the one nor the other\r\n\r\n")
            assert b"HTTP" not in raw.recv(1000)
    finally:
        front.close()


def test_https_has_no_more_connections_than_it_has_room_for(tmp_path: Path, inner: socket.socket) -> None:
    """Those that are still shaking hands count: a crowd that says nothing would use up the program's descriptors. They keep nobody out,
    though: the one that has said nothing for longest makes room."""
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {}, room=2)
    front.start(inner.getsockname()[1])
    try:
        with ExitStack() as held:
            quiet = [held.enter_context(socket.create_connection(("127.0.0.1", front.port), 20)) for _ in range(3)]
            assert quiet[0].recv(1) == b""
            outer = held.enter_context(over_tls(front))
            assert quiet[1].recv(1) == b""
            held.enter_context(over_tls(front))
            assert quiet[2].recv(1) == b""
            with suppress(OSError), over_tls(front):
                raise AssertionError("both places are taken by who is served")
            outer.close()

            def taken() -> bool:
                with suppress(OSError), over_tls(front):
                    return True
                return False

            assert until(taken)
    finally:
        front.close()


@pytest.mark.parametrize("name", ["foo_bar", "my table", "x" * 64])
def test_a_name_that_no_certificate_can_hold_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(ServerError, match="--name"):
        certificate(tmp_path, frozenset({"localhost", name}))


def test_two_tables_of_one_folder_keep_one_certificate(tmp_path: Path) -> None:
    """Or the phones of each would be warned anew, and its open pages not come back, whenever it is started after the other."""
    made = []
    for name in ("table7.local", "table8.local", "table7.local", "table8.local"):
        certificate(tmp_path, frozenset({"localhost", name}))
        made.append((tmp_path / "server.pem").read_bytes())
    assert made[0] != made[1] and made[1:] == [made[1]] * 3
    about = tmp_path / "server.txt"
    about.write_text(about.read_text().replace("table8", "table_8\N{DEGREE SIGN}"), encoding="utf-8")
    certificate(tmp_path, frozenset({"localhost", "table9.local"}))
    assert about.read_text().split()[1:] == ["localhost", "table9.local"], "what was kept and is no name keeps nothing from being made"


def test_the_addresses_told_are_those_that_others_in_the_network_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, 0)) for address in ("127.0.1.1", "192.168.1.8", "192.168.1.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: named)
    monkeypatch.setattr("web.tls.network_address", lambda: "192.168.1.7")
    assert local_addresses() == ("192.168.1.7", "192.168.1.8"), "the one in use first, and none that is this computer's alone"
    monkeypatch.setattr("web.tls.network_address", lambda: "")
    assert local_addresses() == ("192.168.1.8", "192.168.1.7")


def test_a_host_is_written_as_addresses_have_it() -> None:
    assert [in_address(host) for host in ("192.168.1.7", "table.local", "2001:db8::5")] == [
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
    run = answer(words[0], "x" * 300, *words[1:])
    assert run.returncode in (1, 2)
    assert "Traceback" not in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_snapshot_made_while_something_is_logged_is_of_one_moment(tmp_path: Path) -> None:
    """Else a page takes what it has announced for news once more."""
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
        found: list[dict[str, Any]] = []
        maker = threading.Thread(target=lambda: found.append(state_snapshot(desk, dict(NO_EYES), Rank.VIEWER, pictures=True)))
        with desk.service._lock:  # as while a reading is judged
            maker.start()
            maker.join(0.3)
            desk.command(StartGame(seen_seq=1))
        maker.join(30)
    assert found[0]["seq"] == found[0]["log"][-1]["seq"]
