"""waitress in front of the app, with a thread for every stream it allows and some for everything else."""

from __future__ import annotations

import logging
import select
from typing import Any

from flask import Flask

from web.errors import CODES, Problem, answer
from web.lending import READERS
from web.port import bind, socket_options

SPARE_THREADS = 8
MOST_WAITING = 2 * 2**20  # bytes that wait for a slow reader; then his stream goes on with the newest instead of piling up
IDLE_S = 30  # a connection on which nothing is asked gives its place back: many of them must not keep everybody out
KEPT_FREE = 16  # places that are made free for whoever comes next; there are no fewer when a hundred half-sent requests hold the others
MOST_SELECTED = 240  # on Windows, which has no poll: 512 sockets are watched at most, and one more would end the server; HTTPS takes two
MOST_BYTES = 16 * 2**20  # of a request, twice the largest picture: more is refused before it is kept anywhere


def connections(streams: int) -> int:
    """How many connections are taken at once where ``streams`` pages may follow the table."""
    wanted = streams * 2 + 200
    return wanted if hasattr(select, "poll") else min(wanted, MOST_SELECTED)


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
