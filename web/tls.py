"""HTTPS for the local network: a certificate of our own, kept, and a front that speaks TLS before the server.

A browser gives a phone's camera only to HTTPS pages. The certificate is signed by nobody the browser knows, so it warns once; what it
will ask is printed at start. waitress speaks no TLS, so the front passes the bytes on to it over the loopback.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Coroutine, Iterable
from pathlib import Path

from referee.files import write_whole
from web.port import ServerError, bind, in_address, socket_options

DAYS = 397  # browsers refuse certificates of servers that are valid longer
HANDSHAKE_S = 10.0
CLOSE_S = 3.0  # for the goodbye of a connection
PAUSE_S = 0.1  # after a connection that could not be taken
CHUNK = 65536


def local_addresses() -> tuple[str, ...]:
    """This computer's addresses that others in the network may reach, likeliest first."""
    found = [used] if (used := network_address()) else []
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(a for a in dict.fromkeys(found) if not ipaddress.ip_address(a).is_loopback)


def network_address() -> str:
    """This computer's address in the network now, empty where it is in none. Quick."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells which of our addresses would be used
        return str(probe.getsockname()[0])
    return ""


def certificate(folder: Path, names: frozenset[str]) -> ssl.SSLContext:
    """A server context with the certificate kept in ``folder``, made anew when it is missing, damaged, old, or lacks a name.

    Raises `ServerError` when it cannot be kept there, or one of the ``names`` is none.
    """
    try:
        return _certificate(folder, names)
    except OSError as error:
        raise ServerError(
            f"the certificate cannot be kept in {folder} ({error.strerror or error}): move what is there away or make its folder writable"
        ) from error


def _certificate(folder: Path, names: frozenset[str]) -> ssl.SSLContext:
    folder.mkdir(parents=True, exist_ok=True)
    kept, about = folder / "server.pem", folder / "server.txt"
    now = datetime.datetime.now(datetime.UTC)
    until, known = _told(about)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if names <= known and until > (now + datetime.timedelta(days=30)).date():
        with contextlib.suppress(ssl.SSLError, FileNotFoundError):
            context.load_cert_chain(kept)
            return context
    end = now + datetime.timedelta(days=DAYS)
    # With what another table of this folder goes by, or this one elsewhere, for browsers know it by now; without where one of that is none.
    held, issued = _issued((sorted(names | known), sorted(names)), min(names), end)
    write_whole(kept, issued, private=True)
    write_whole(about, " ".join([end.date().isoformat(), *held]))
    context.load_cert_chain(kept)
    return context


def _told(about: Path) -> tuple[datetime.date, set[str]]:
    """Until when the certificate is valid that is kept, and for which names; for none where that cannot be read."""
    try:
        until, *known = about.read_text(encoding="utf-8").split()
        return datetime.date.fromisoformat(until), set(known)
    except (OSError, ValueError):
        return datetime.date.min, set()


def _issued(choices: Iterable[list[str]], first: str, end: datetime.datetime) -> tuple[list[str], bytes]:
    """The first of these ``choices`` of names for which a certificate can be made, and it with its key. Raises `ServerError` where none."""
    import trustme

    for names in choices:
        try:
            made = trustme.CA(organization_name="Backgammon referee").issue_cert(*names, common_name=first, not_after=end)
        except ValueError as error:
            why = f"no certificate can be made for the names {', '.join(names)} ({error})"
        else:
            return names, made.private_key_and_cert_chain_pem.bytes()
    raise ServerError(f"{why}: give --name a host’s name, of letters, digits, - and dots")


class TlsFront:
    """Listens on ``host``:``port`` with TLS and passes everything to 127.0.0.1:``inner``, all on one thread: OpenSSL lets no two threads
    use one connection at once. ``peers`` is kept up to date: the address behind each of our local ports; ``room``: connections at once.
    Raises `ServerError` when it cannot listen."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext, peers: dict[str, str], room: int = 400) -> None:
        self._listener = bind(host, port)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._context, self._peers, self._room = context, peers, room
        self._loop = asyncio.SelectorEventLoop()  # that of Windows shuts down what does not agree on TLS before it is answered
        self._serving: set[asyncio.Task[None]] = set()
        self._shaking: dict[asyncio.Task[None], None] = {}  # not agreed on TLS yet, the oldest first
        self._closed = asyncio.Event()
        self._thread: threading.Thread | None = None

    def start(self, inner: int) -> None:
        self._thread = threading.Thread(target=self._run, args=(inner,), name="tls", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends every connection and frees the port."""
        if self._thread is None:
            self._loop.close()
        elif self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closed.set)
            self._thread.join(CLOSE_S)
        self._listener.close()

    def _run(self, inner: int) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # at its end it cancels whatever is still served
            runner.run(self._until_closed(inner))

    async def _until_closed(self, inner: int) -> None:
        self._keep(self._accept(inner))
        await self._closed.wait()

    def _keep(self, serving: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(serving)
        self._serving.add(task)
        task.add_done_callback(self._gone)
        return task

    def _gone(self, task: asyncio.Task[None]) -> None:
        self._serving.discard(task)
        self._shaking.pop(task, None)

    async def _accept(self, inner: int) -> None:
        while True:
            try:
                raw, address = await self._loop.sock_accept(self._listener)
            except OSError:  # no descriptor is free, or the caller is gone already: others still come
                await asyncio.sleep(PAUSE_S)
                continue
            if len(self._serving) > self._room:  # this task is one of them
                if not self._shaking:
                    raw.close()
                    continue
                oldest = next(iter(self._shaking))  # a hundred that say nothing must not keep out whoever comes next
                del self._shaking[oldest]
                oldest.cancel()
            self._shaking[self._keep(self._serve(raw, address[0], inner))] = None
            await asyncio.sleep(0)  # begun, so that it closes what it was given however it ends

    async def _serve(self, raw: socket.socket, address: str, inner: int) -> None:
        port, writers = "", list[asyncio.StreamWriter]()
        try:
            from_out, to_out = await self._shaken(raw)
            writers.append(to_out)
            if (task := asyncio.current_task()) is not None:
                self._shaking.pop(task, None)
            from_in, to_in = await asyncio.open_connection("127.0.0.1", inner, limit=CHUNK)
            writers.append(to_in)
            port = str(to_in.get_extra_info("sockname")[1])
            self._peers[port] = address
            ways = [asyncio.ensure_future(_pump(*way)) for way in ((from_out, to_in), (from_in, to_out))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
        except (OSError, ValueError):
            pass  # a browser that does not like the certificate, or went away
        finally:
            self._peers.pop(port, None)
            for writer in writers:
                writer.close()
        for writer in writers:  # what is on its way is still sent
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _shaken(self, raw: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The connection once TLS is agreed on. Raises OSError, and then it is closed; whoever came without TLS was told where it is."""
        try:
            for level, option, value in socket_options():
                raw.setsockopt(level, option, value)
            plain = raw.dup()  # stays when asyncio closes what does not agree on TLS
        except OSError:
            raw.close()
            raise
        reader = asyncio.StreamReader(CHUNK)
        protocol = asyncio.StreamReaderProtocol(reader)
        with plain:
            try:
                transport, _ = await self._loop.connect_accepted_socket(
                    lambda: protocol, raw, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S, ssl_shutdown_timeout=CLOSE_S
                )
            except ssl.SSLError as error:
                if error.reason == "HTTP_REQUEST":  # what OpenSSL calls a request in the clear
                    plain.send(_elsewhere(plain.getsockname()[0], self.port))
                raise
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)


def _elsewhere(host: str, port: int) -> bytes:
    """The answer to a browser that was given the address without its https: it goes to the table by itself."""
    return f"HTTP/1.1 302 Found\r\nLocation: https://{in_address(host)}:{port}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
