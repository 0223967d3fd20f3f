"""Who may act at the table: anybody reads, whoever gave the table's PIN plays and referees, the director's PIN rules and deletes.

A table that has no PINs is open to whoever reaches it, which is this computer alone unless it listens to the network. Only hashes are
kept, beside the database; new PINs end every session and the lending of the camera.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from flask import Flask, request, session
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from werkzeug.security import check_password_hash, generate_password_hash

from referee.files import disk_full, write_whole
from referee.match.events import Role
from web.errors import Problem

TRIES = 5
WINDOW_S = 60.0
DIGITS = 6
HASH = "scrypt:4096:8:1"  # six digits fall to anyone who has the file; what guards them is the limit on attempts
_HASHED, _HEX = re.compile(re.escape(HASH) + r"\$[A-Za-z0-9]+\$[0-9a-f]+"), re.compile(r"[0-9a-f]{64}")
_FORMS = {"key": _HEX, "table": _HASHED, "director": _HASHED, "lent": _HEX}
"""What is kept in the file of PINs, and how it is written."""

DIRECTORS = frozenset({"rule", "award", "award_match", "penalise", "late"})
"""Commands that need the director's PIN."""


class Rank(IntEnum):
    """What a visitor may do; each includes the one before."""

    VIEWER = 0
    TABLE = 1
    DIRECTOR = 2


@dataclass(frozen=True, slots=True)
class Pins:
    """PINs as they are told to people, once."""

    table: str
    director: str


class AccessError(Exception):
    """The file of PINs cannot be kept; one sentence says why and what to do."""


class Access:
    """Keeps the PINs' hashes and the cookies' key in ``file``. ``clock``: seconds, monotonic."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._guard = threading.Lock()
        self._misses: dict[str, list[float]] = {}
        self.trouble = ""
        self._kept: dict[str, str] = {"key": secrets.token_hex(32)}
        if file is not None and file.exists():
            try:
                self._kept = _sound(json.loads(file.read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError):
                # Closed to everybody rather than open to everybody: no PIN fits until the console makes new ones.
                self._kept |= {"table": "unreadable", "director": "unreadable"}
                self.trouble = f"{file} cannot be read, so nobody may act at the table: start once with --new-pins"
        if file is not None and not file.exists():
            self._keep(self._kept)

    @property
    def open(self) -> bool:
        """Nobody needs a PIN."""
        return "table" not in self._kept

    def set_pins(self, pins: Pins | None = None) -> Pins:
        """New PINs (made up when None), from now on the only ones. Raises `AccessError`."""
        if pins is None:
            table, director = (f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}" for _ in range(2))
            pins = Pins(table, director if director != table else table[::-1] + "1")
        with self._guard:
            self._keep({
                "key": secrets.token_hex(32),
                "table": generate_password_hash(pins.table, HASH),
                "director": generate_password_hash(pins.director, HASH),
            })
        return pins

    def _keep(self, kept: dict[str, str]) -> None:
        """``kept`` counts from now on, once it is written. Raises `AccessError`, and then nothing has changed."""
        if self._file is None:
            self._kept = kept
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps(kept), private=True)  # half a file would close the table
        except OSError as error:
            if disk_full(error):
                raise AccessError(f"The disk with {self._file} is full; make room and try again.") from error
            why = error.strerror or error
            raise AccessError(f"The PINs cannot be kept in {self._file} ({why}); move it away or make its folder writable.") from error
        self._kept = kept

    def enter(self, pin: str, who: str) -> Rank:
        """The rank of ``pin``, tried from address ``who``. Raises `Problem` for a wrong one, and after too many."""
        with self._guard:
            now = self._clock()
            misses = {name: [at for at in times if now - at < WINDOW_S] for name, times in self._misses.items()}
            self._misses = {name: times for name, times in misses.items() if times}
            # Many addresses together get ten times what one gets, so that a PIN cannot be guessed from a crowd of them.
            if len(self._misses.get(who, ())) >= TRIES or sum(map(len, self._misses.values())) >= 10 * TRIES:
                raise Problem(429, "too_many", "Too many wrong PINs; wait a minute.", {"Retry-After": str(int(WINDOW_S))})
            # Counted before it is checked: two at once cannot both slip through.
            self._misses.setdefault(who, []).append(now)
        for name, rank in (("director", Rank.DIRECTOR), ("table", Rank.TABLE)):
            if name in self._kept and check_password_hash(self._kept[name], pin):
                with self._guard:  # this one was no miss; those before stay, or the table's PIN would buy tries at the director's
                    if now in self._misses.get(who, ()):
                        self._misses[who].remove(now)
                return rank
        raise Problem(403, "wrong_pin", "That is not a PIN of this table.")

    # the camera, lent to a stream program -----------------------------------------------------------------------------

    def lend(self) -> str:
        """A new token that reads the camera's stream; from now on the only one. Raises `AccessError`."""
        token = secrets.token_urlsafe(16)
        with self._guard:
            self._keep(self._kept | {"lent": _digest(token)})
        return token

    def end_lending(self) -> None:
        """No token reads the camera's stream. Raises `AccessError`."""
        with self._guard:
            if "lent" in self._kept:
                self._keep({name: value for name, value in self._kept.items() if name != "lent"})

    @property
    def lent(self) -> bool:
        """Whether there is a token."""
        return "lent" in self._kept

    def reads(self, token: str) -> bool:
        """Whether ``token`` reads the camera's stream now."""
        return secrets.compare_digest(self._kept.get("lent", ""), _digest(token))

    # sessions ------------------------------------------------------------------------------------------------------------

    def guard(self, app: Flask) -> None:
        """Sets the cookie's ways; the key changes with the PINs. Browsers keep one jar for all ports of a computer, so the cookie of
        each table has a name of its own."""
        name = f"referee-{self.generation[:8]}"
        app.config.update(SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_NAME=name)
        app.secret_key = self._kept["key"]
        app.session_interface = _Sessions()

    @property
    def generation(self) -> str:
        """Changes with the PINs."""
        return _digest(self._kept["key"])[:16]

    def rank(self) -> Rank:
        """Of the present request's sender."""
        if self.open:
            return Rank.DIRECTOR
        if session.get("generation") != self.generation:
            return Rank.VIEWER
        return Rank(session.get("rank", 0))

    def audience(self) -> Rank:
        """Whose view the sender gets. At an open table everybody may act, but nobody is told what the players must not know."""
        return Rank.TABLE if self.open else self.rank()

    def remember(self, rank: Rank) -> None:
        """The sender acts with ``rank`` from now on, until he leaves or the PINs change."""
        session.clear()
        session["rank"], session["generation"] = int(rank), self.generation

    def forget(self) -> None:
        """The sender is a viewer from now on."""
        session.clear()

    def need(self, rank: Rank) -> Role:
        """The authority on which the sender acts. Raises `Problem` when it is less than ``rank``."""
        have = self.rank()
        if have < rank:
            if rank is Rank.DIRECTOR:
                raise Problem(403, "director_needed", "This needs the director’s PIN.")
            raise Problem(403, "pin_needed", "Give the table’s PIN to act at this table.")
        # At an open table everybody may do what the director does, but acts on what the players see.
        return Role.DIRECTOR if Rank.DIRECTOR in (rank, self.audience()) else Role.REFEREE


class _Timeless(TimestampSigner):
    """Signs without the time of day: a cookie made before the computer's clock was set back would count for none until then."""

    def get_timestamp(self) -> int:
        return 0


class _Sessions(SecureCookieSessionInterface):
    """A session lasts until its sender leaves or the PINs change, whatever the clock says."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        made = super().get_signing_serializer(app)
        if made is not None:
            made.signer = _Timeless
        return made


def needed(command: str) -> Rank:
    """The rank a command needs."""
    return Rank.DIRECTOR if command in DIRECTORS else Rank.TABLE


def _sound(found: Any) -> dict[str, str]:
    """What ``found`` in the file of PINs says, where it is what this program writes there; both PINs or none. Raises ValueError or
    TypeError."""
    kept = {name: found[name] for name in _FORMS if name in found}
    written = all(_FORMS[name].fullmatch(text) for name, text in kept.items())
    if not written or "key" not in kept or ("table" in kept) != ("director" in kept):
        raise ValueError("not as it was written")
    return kept


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def sender(peers: Mapping[str, str]) -> str:
    """The address the request came from. ``peers``: real addresses by local port, behind our own TLS front."""
    return peers.get(str(request.environ.get("REMOTE_PORT", "")), request.remote_addr or "")
