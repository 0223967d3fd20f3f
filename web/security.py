"""What keeps other pages on the web from acting at this table.

Requests that change something must come from our own pages or from no page at all (``Sec-Fetch-Site``, ``Origin``); the host
must be an address or a name of this machine, so that a foreign name pointed at us (DNS rebinding) reads nothing; the pages may
run only their own scripts.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web.errors import Problem

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
THEMED = CONTENT_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""For a page whose look others may change."""


def protect(app: Flask, hosts: frozenset[str]) -> None:
    """Adds the checks before and the headers after every request. ``hosts``: more names this service is reached by."""
    whole = socket.gethostname().lower()  # on macOS with whatever the network puts behind it
    here = whole.partition(".")[0]
    names = frozenset({"localhost", whole, here, f"{here}.local"}) | hosts

    @app.before_request
    def check() -> None:
        if not _known_host(request.host, names):
            raise Problem(400, "unknown_host", "This name is not one of the referee’s; open it by its address, or start it with --name.")
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
        if site not in (None, "same-origin", "none") or (origin is not None and _place_of(origin) != request.host.lower()):
            raise Problem(403, "cross_site", "Another site’s page may not act at this table.")
        if request.is_json:
            try:
                request.get_json()  # kept by Flask for whoever reads it next
            except (RecursionError, ValueError):
                raise Problem(400, "bad_request", "The request’s JSON is nested too deeply or holds a number too long.") from None

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _place_of(origin: str) -> str:
    """Host and port of an Origin header, empty when it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _known_host(host: str, names: frozenset[str]) -> bool:
    name = (urlsplit(f"//{host}").hostname or "").lower()
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
