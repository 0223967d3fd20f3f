"""waitress in front of the app, with a thread for every stream it allows and some for everything else."""

from __future__ import annotations

import errno
import logging
import socket
from typing import Any

from flask import Flask

from web.errors import CODES, Problem, answer
from web.lending import READERS

SPARE_THREADS = 8
MOST_WAITING = 2 * 2**20  # bytes that wait for a slow reader; then his stream goes on with the newest instead of piling up
IDLE_S = 30  # a connection on which nothing is asked gives its place back: many of them must not keep everybody out
KEPT_FREE = 16  # places that are made free for whoever comes next; there are no fewer when a hundred half-sent requests hold the others
SILENT_S = 20  # what was sent and nobody took for so long is a line that is gone: a phone asleep, a laptop out of reach
MOST_BYTES = 16 * 2**20  # of a request, twice the largest picture: more is refused before it is kept anywhere


class ServerError(Exception):
    """The server cannot listen; one sentence says why and what to do."""


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens on ``host``:``port`` (0: any free one). Raises `ServerError`."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise ServerError(_not_ours(host)) from None
    family, kind, protocol, _, address = addresses[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows SO_REUSEADDR would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ServerError(_why(error, host, port)) from None
    return listener


def connections(streams: int) -> int:
    """How many connections are taken at once where ``streams`` pages may follow the table."""
    return streams * 2 + 200


def socket_options() -> list[tuple[int, int, int]]:
    """What is set on every connection: small pieces go at once, and a line that is gone gives its place back. (level, option, value)"""
    found = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; others take minutes to find out
        found.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_S * 1000))
    return found


def listen(app: Flask, host: str, port: int, streams: int) -> Any:
    """A waitress server bound to ``host``:``port`` (0: any free one), not yet running. Raises `ServerError`."""
    from waitress.server import create_server

    logging.getLogger("waitress").setLevel(logging.ERROR)  # a request that waits for a thread is no news
    server = create_server(
        app, sockets=[bind(host, port)], threads=streams + READERS + SPARE_THREADS, channel_request_lookahead=1,
        connection_limit=connections(streams), channel_timeout=IDLE_S, cleanup_interval=IDLE_S // 2,
        ident="backgammon-referee", clear_untrusted_proxy_headers=True,
        max_request_body_size=MOST_BYTES, outbuf_high_watermark=MOST_WAITING, asyncore_use_poll=True, log_socket_errors=False,
    )
    server.adj.socket_options = socket_options()
    server.channel_class = _channel(app)
    return server


def _channel(app: Flask) -> type:
    """waitress's connection, whose end is no fault: the thread that waits for what comes may close it while another is about to send."""
    from waitress.channel import HTTPChannel

    class Channel(HTTPChannel):  # type: ignore[misc]  # waitress comes without types
        error_task_class = _refusing(app)

        def __init__(self, server: Any, *rest: Any, **named: Any) -> None:
            super().__init__(server, *rest, **named)
            _make_room(server)

        def send(self, data: bytes, do_close: bool = True) -> Any:
            try:
                return super().send(data, do_close)
            except AttributeError:
                if self.socket is not None:
                    raise
                raise ConnectionAbortedError("closed meanwhile") from None

    return Channel


def _make_room(server: Any) -> None:
    """Where few places are left, connections give theirs back at once, not after `IDLE_S`: first those whose request has stopped half-way,
    then those on which nothing is asked, the longest silent first. Who is being answered keeps his."""
    over = len(server.active_channels) + KEPT_FREE - server.adj.connection_limit
    if over <= 0:
        return
    waiting = [one for one in server.active_channels.values() if not one.requests and not one.total_outbufs_len and not one.will_close]
    for one in sorted(waiting, key=lambda one: (one.request is None, one.last_activity))[:over]:
        one.will_close = True


def _refusing(app: Flask) -> type:
    """waitress's task for a request that it refuses before the app sees it, with the app's own answer for every error."""
    from waitress.task import ErrorTask

    class Refusing(ErrorTask):  # type: ignore[misc]  # waitress comes without types
        def execute(self) -> None:
            code = self.request.error.code
            asked = {"accept": str(self.request.headers.get("ACCEPT", ""))}
            place = "/api/v1/" if str(getattr(self.request, "path", "")).startswith("/api/") else "/"
            with app.test_request_context(place, headers=asked):
                answered = app.process_response(answer(Problem(code, *CODES.get(code, CODES[400]))))
            self.status = answered.status
            self.response_headers.extend((name, value) for name, value in answered.headers if name.lower() != "content-length")
            self.set_close_on_finish()
            body = answered.get_data()
            self.content_length = len(body)
            self.write(body)

    return Refusing


def _not_ours(host: str) -> str:
    return f"{host!r} is not an address of this computer; use 127.0.0.1, or 0.0.0.0 for everybody in the network"


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)):
        return f"port {port} is already in use: stop the other program, or choose another with --port"
    if error.errno in (errno.EACCES, getattr(errno, "WSAEACCES", errno.EACCES)):
        return f"port {port} may not be used by you: choose one above 1023 with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return _not_ours(host)
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"
