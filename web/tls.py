"""HTTPS for the local network: a certificate of our own, kept, and a front that speaks TLS before the server.

A browser gives a phone's camera only to HTTPS pages. The certificate is signed by nobody the browser knows, so it warns once; what it
will ask is printed at start. waitress speaks no TLS, so the front passes the bytes on to it over the loopback.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from pathlib import Path

from web.server import ServerError, bind, socket_options

DAYS = 397  # browsers refuse certificates of servers that are valid longer
HANDSHAKE_S = 10.0
PAUSE_S = 0.1  # after a connection that could not be taken
CHUNK = 65536


def local_addresses() -> tuple[str, ...]:
    """This computer's addresses that others in the network may reach, likeliest first."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells which of our addresses would be used
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]  # type: ignore[misc]
    return tuple(a for a in dict.fromkeys(found) if not ipaddress.ip_address(a).is_loopback)


def certificate(folder: Path, names: frozenset[str]) -> ssl.SSLContext:
    """A server context with the certificate kept in ``folder``, made anew when it is missing, damaged, old, or lacks a name.

    Raises `ServerError` when it cannot be kept there, or one of the ``names`` is none.
    """
    try:
        return _certificate(folder, names)
    except OSError as error:
        raise ServerError(
            f"the certificate cannot be kept in {folder} ({error.strerror or error}): move what is there away or make its folder writable"
        ) from None


def _certificate(folder: Path, names: frozenset[str]) -> ssl.SSLContext:
    import trustme

    folder.mkdir(parents=True, exist_ok=True)
    kept, about = folder / "server.pem", folder / "server.txt"
    wanted = sorted(names)
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        until, *known = about.read_text(encoding="utf-8").split()
        fresh = set(wanted) <= set(known) and datetime.date.fromisoformat(until) > today + datetime.timedelta(days=30) and kept.exists()
    except (OSError, ValueError):
        fresh = False
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if fresh:
        try:
            context.load_cert_chain(kept)
        except ssl.SSLError:
            fresh = False
    if not fresh:
        end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=DAYS)
        try:
            issued = trustme.CA(organization_name="Backgammon referee").issue_cert(*wanted, common_name=wanted[0], not_after=end)
        except ValueError as error:
            said = f"no certificate can be made for the names {', '.join(wanted)} ({error})"
            raise ServerError(f"{said}: give --name a host's name, of letters, digits, - and dots") from None
        kept.touch(0o600)
        kept.write_bytes(issued.private_key_and_cert_chain_pem.bytes())
        about.write_text(" ".join([end.date().isoformat(), *wanted]), encoding="utf-8")
        context.load_cert_chain(kept)
    return context


class TlsFront:
    """Listens on ``host``:``port`` with TLS and passes everything to 127.0.0.1:``inner``. ``peers`` is kept up to date: the
    address behind each of our local ports; ``room``: connections at once. Raises `ServerError` when it cannot listen."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext, peers: dict[str, str], room: int = 400) -> None:
        self._listener = bind(host, port)
        self.port: int = self._listener.getsockname()[1]
        self._context, self._peers = context, peers
        self._room = threading.BoundedSemaphore(room)
        self._inner = 0
        self._closed = threading.Event()

    def start(self, inner: int) -> None:
        self._inner = inner
        threading.Thread(target=self._accept, name="tls", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                raw, address = self._listener.accept()
            except OSError:  # closed; or no descriptor is free, or the caller is gone already: others still come
                self._closed.wait(PAUSE_S)
                continue
            if not self._room.acquire(blocking=False):
                raw.close()
                continue
            threading.Thread(target=self._serve, args=(raw, address[0]), daemon=True).start()

    def _serve(self, raw: socket.socket, address: str) -> None:
        port = ""
        try:
            for level, option, value in socket_options():
                raw.setsockopt(level, option, value)
            raw.settimeout(HANDSHAKE_S)
            within = ("127.0.0.1", self._inner)
            with self._context.wrap_socket(raw, server_side=True) as outer, socket.create_connection(within, 10) as inner:
                outer.settimeout(None)
                inner.settimeout(None)
                port = str(inner.getsockname()[1])
                self._peers[port] = address
                back = threading.Thread(target=_pump, args=(inner, outer), daemon=True)
                back.start()
                _pump(outer, inner)
                back.join()
        except (OSError, ValueError):
            pass  # a browser that does not like the certificate, or went away
        finally:
            raw.close()
            self._peers.pop(port, None)
            self._room.release()


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(CHUNK):
            target.sendall(data)
    except (OSError, ValueError):
        pass
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


__all__ = ["ServerError", "TlsFront", "certificate", "local_addresses"]
