"""What is otherwise on Windows, as far as it can be shown on any system."""

from __future__ import annotations

import asyncio
import errno
import http.client
import mimetypes
import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import pytest

from referee.files import write_whole
from referee.records import export
from referee.records.pictures import Pictures
from referee.records.store import Store
from tests.found import found_in
from tests.web.cameras import PICTURES
from web import scripts
from web.app import create_app
from web.cli._outputs import check_output
from web.cli._service import make_house
from web.port import ServerError, bind
from web.runtime.seats import Seats
from web.server import connections
from web.tls import TlsFront, certificate


def held(act: Callable[..., None], times: int) -> Callable[..., None]:
    """``act`` on files, which another program has open so many times."""
    left = [times]

    def refused(*names: Any) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "The process cannot access the file: it is being used by another process", str(names[0]))
        act(*names)

    return refused


def test_a_file_that_a_virus_scanner_holds_is_replaced_when_it_lets_it_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", held(os.replace, 3))
    write_whole(tmp_path / "board.json", "the board")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("board.json", "the board")]


def test_one_that_stays_open_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "board.json").write_text("before")
    monkeypatch.setattr("referee.files.WAITS", (0.0, 0.0))
    monkeypatch.setattr(os, "replace", held(os.replace, 100))
    with pytest.raises(PermissionError):
        write_whole(tmp_path / "board.json", "the board")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("board.json", "before")]


def test_a_picture_that_is_held_while_it_is_kept_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = Pictures(tmp_path / "m.db")
    monkeypatch.setattr(os, "replace", held(os.replace, 2))
    kept = pictures.keep(1, b"a picture")
    assert kept is not None and pictures.read(kept) == b"a picture"


def test_where_the_board_of_a_deleted_match_stood_goes_though_it_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = Seats(tmp_path / "seats")
    seats.keep(1, found_in(PICTURES / "f000.jpg"))
    monkeypatch.setattr(os, "unlink", held(os.unlink, 2))
    seats.forget(1)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_would_be_a_stream_of_another_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows would write the match where nobody finds it, beside an empty file of its first word."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(click.UsageError, match="‘:’"):
        check_output(str(tmp_path / "final: Ann, Bo.mat"), "--out", ())
    assert list(tmp_path.iterdir()) == []
    check_output(str(tmp_path / "final.mat"), "--out", ())


def test_scripts_and_styles_are_that_whatever_the_registry_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser runs none that is said to be plain text, and then the pages are empty."""
    registry = mimetypes.MimeTypes()
    files = [one for one in scripts.FOLDER.rglob("*") if one.suffix not in ("", ".txt")]
    for one in files:
        registry.add_type("text/plain", one.suffix)
    monkeypatch.setattr(mimetypes, "_db", registry)
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2"}
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store)).test_client()
        for one in files:
            with client.get(f"{scripts.address()}/{one.relative_to(scripts.FOLDER).as_posix()}") as answer:
                assert answer.mimetype == kinds[one.suffix], one.name


def test_there_are_no_more_connections_than_can_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's select takes 512 sockets there, the server's own among them, and HTTPS has two for each connection."""
    monkeypatch.delattr(select, "poll", raising=False)
    assert 2 * connections(2000) < 500


class Proactors(asyncio.SelectorEventLoop):
    """A loop that, as Windows' own does, shuts down the connection that it closes."""

    def _make_ssl_transport(self, rawsock: socket.socket, *rest: Any, **named: Any) -> Any:
        made: Any = super()
        return made._make_ssl_transport(Shut(fileno=rawsock.detach()), *rest, **named)


class Shut(socket.socket):
    def close(self) -> None:
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)
        super().close()


def test_a_browser_that_was_given_the_address_without_https_is_sent_on_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "new_event_loop", Proactors)
    front = TlsFront("127.0.0.1", 0, certificate(tmp_path, frozenset({"localhost"})), {})
    front.start(9)
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", front.port, timeout=20)) as asked:
            asked.request("GET", "/")
            assert asked.getresponse().status == 302
    finally:
        front.close()


def test_a_port_that_the_system_keeps_is_no_matter_of_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(*_: object) -> None:
        raise PermissionError(errno.EACCES, "An attempt was made to access a socket in a way forbidden by its access permissions")

    monkeypatch.setattr("socket.socket.bind", kept)
    for port, advice in ((8765, "choose another with --port"), (80, "choose one above 1023 with --port")):
        with pytest.raises(ServerError, match=advice):
            bind("127.0.0.1", port)


class Only6(socket.socket):
    """Made for IPv6 alone, as Windows makes them. It takes no port: not every computer has IPv6."""

    def __init__(self, family: int = -1, *rest: Any, **named: Any) -> None:
        super().__init__(family, *rest, **named)
        if family == socket.AF_INET6:
            self.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)

    def bind(self, address: Any) -> None: ...

    def listen(self, *backlog: int) -> None: ...


def test_who_listens_everywhere_listens_at_the_addresses_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", Only6)
    with bind("::", 0) as listening:
        assert listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) == 0


def test_a_day_of_which_the_system_has_no_local_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a match whose log was begun before 1970, by a clock that had lost its time."""

    class Windows(datetime):
        def astimezone(self, tz: Any = None) -> Any:
            if self.timestamp() < 0:
                raise OSError(errno.EINVAL, "Invalid argument")
            return super().astimezone(tz)

    monkeypatch.setattr(export, "datetime", Windows)
    assert [export._day(at) for at in ("1969-12-31T12:00:00+00:00", "2026-05-01T12:00:00+00:00")] == ["", "2026.05.01"]


def test_a_reader_that_has_enough_ends_a_command_without_a_word() -> None:
    """As `more`, or PowerShell's `Select-Object -First`. Windows does not say that the pipe is broken."""
    program = """
import errno, io, os, sys
class Pipe(io.RawIOBase):
    def writable(self):
        return True
    def fileno(self):
        return 1
    def write(self, data):
        try:
            return os.write(1, data)
        except BrokenPipeError:
            raise OSError(errno.EINVAL, "Invalid argument") from None
sys.stdout = io.TextIOWrapper(io.BufferedWriter(Pipe()), "utf-8")
from web.start import main
main()
"""
    words = [sys.executable, "-c", program, "rules", "bray", "traditional"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None and run.stderr is not None
        run.stdout.close()
        assert (run.stderr.read(), run.wait()) == ("", 0)
