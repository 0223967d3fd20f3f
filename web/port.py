"""The port a server listens on: had, or refused with one sentence. It loads nothing that takes a while, for a refusal comes at once."""

from __future__ import annotations

import errno
import socket

SILENT_S = 20  # what was sent and nobody took for so long is a line that is gone: a phone asleep, a laptop out of reach


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
        if host == "::":  # on Windows it would be for IPv6 alone, and the addresses that are told are IPv4's
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ServerError(_why(error, host, port)) from None
    return listener


def in_address(host: str) -> str:
    """A host as it is written in a web address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def socket_options() -> list[tuple[int, int, int]]:
    """What is set on every connection: small pieces go at once, and a line that is gone gives its place back. (level, option, value)"""
    found = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; others take minutes to find out
        found.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_S * 1000))
    return found


def _not_ours(host: str) -> str:
    return f"{host!r} is not an address of this computer; use 127.0.0.1, or 0.0.0.0 for everybody in the network"


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)):
        return f"port {port} is already in use: stop the other program, or choose another with --port"
    if error.errno in (errno.EACCES, getattr(errno, "WSAEACCES", errno.EACCES)):
        which = "one above 1023" if port < 1024 else "another"  # Windows keeps whole ranges of higher ones for its own
        return f"port {port} may not be used by you: choose {which} with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return _not_ours(host)
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"
