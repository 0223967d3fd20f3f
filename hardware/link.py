"""The link to a tower over any pyserial address: finds it, keeps it, opens it again when it went away.

One daemon thread owns the port and never blocks the table: new events go to the ``store`` callback, which stores them and returns
True when they may be acknowledged. Whatever goes wrong is a sentence in `Link.health`, not an exception.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit

import serial
from serial.tools import list_ports

from hardware.protocol import Hello, Show, Unknown
from hardware.session import Counters, Heard, NotATower, Session

log = logging.getLogger(__name__)

BAUD = 115200
_MISSING = ("no such file", "filenotfound", "no matches", "no ports found", "could not open")
"""Signs in pyserial's errors that there is no such port."""
READ_WAIT = 0.05  # s a read waits for the first byte: an idle link wakes 20 times a second
LATE = 1.0  # s after which what waits to be read is older than it says: the box repeats it, with its age
PATIENCE = 3.0  # s a port has to answer as a tower
RETRY_AFTER = 0.5  # s between attempts to open; with the open and HELLO well under the 2 s a reconnection may take
NAMESAKE = 0.5  # s in which another box may answer by the name of the one that was found
OTHERS_AFTER = 10.0  # s in which the box that was met before is looked for alone: what else answers may be the next table's


class LinkState(Enum):
    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "lost"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Health:
    """How the link is: ``reason`` is a sentence when it is not connected. ``opened`` counts successful openings."""

    state: LinkState
    hello: Hello | None
    counters: Counters
    reason: str = ""
    opened: int = 0


def why_not(error: BaseException, address: str) -> str:
    """One sentence that says what is wrong with a port and what to do."""
    number = getattr(error, "errno", None)
    text = str(error).replace(address, "")  # a port named clock is not locked for that
    if number == errno.EACCES or "Permission" in text or "denied" in text.lower():
        return (
            f"no permission to open {address}: on Linux join the group that owns it (`sudo usermod -aG {_group(address)} $USER`, "
            "then log in again), on Windows close the program that has it open"
        )
    if number in (errno.ENOTTY, errno.EISDIR) or "ioctl" in text:
        return f"{address} is no serial port: name the device the tower is plugged into (`referee tower auto` looks through all ports)"
    if number == errno.EBUSY or "lock" in text.lower() or "busy" in text.lower():
        return f"{address} is in use by another program: close it and the link opens by itself"
    if isinstance(error, ValueError):
        return (
            f"{address or 'an empty word'} is not a serial address: name a device such as /dev/ttyUSB0 or COM3, "
            "or hwgrep://TEXT, socket://HOST:PORT, rfc2217://HOST:PORT"
        )
    if address.startswith(("socket://", "rfc2217://")) and isinstance(error, serial.SerialException):
        return f"nothing answers at {address}: check host and port, and that the tower (or its server) is running"
    if number == errno.ENOENT or any(sign in text.lower() for sign in _MISSING):
        return f"there is no {address}: check the cable and the name (`referee tower auto` looks through all ports)"
    return f"{address} does not answer ({error}): check the cable and the box’s power; play goes on without it"


def _group(address: str) -> str:
    """The group that may use a device; dialout where that cannot be told."""
    if sys.platform != "win32":  # where there are no such groups
        with contextlib.suppress(OSError, KeyError):
            if (group := Path(address).group()) != "root":
                return group
    return "dialout"


def unusable(address: str) -> str:
    """One sentence when no tower can ever be at ``address``, empty otherwise."""
    try:
        if address != "auto":
            _port_at(address)
    except ValueError as error:
        return why_not(error, address)
    except OSError:  # hwgrep:// finds nothing now
        pass
    return ""


def _port_at(address: str) -> serial.SerialBase:
    """The port at a pyserial address, not open. Raises ValueError when it is none, OSError when there is none such."""
    try:
        parts = urlsplit(address)
        if not address.strip() or (parts.scheme in ("socket", "rfc2217") and not (parts.hostname and parts.port)):
            raise ValueError(address)
        return serial.serial_for_url(address, do_not_open=True, timeout=READ_WAIT, write_timeout=1.0)
    except re.error as error:  # hwgrep:// takes a regular expression
        raise ValueError(str(error)) from None


@contextlib.contextmanager
def _vanishing() -> Iterator[None]:
    """pyserial itself fails like this when a port vanishes under it."""
    try:
        yield
    except (TypeError, AttributeError) as error:
        raise OSError(str(error)) from error


def open_port(address: str) -> serial.SerialBase:
    """Opens a pyserial address for the protocol. Raises OSError or ValueError."""
    port = _port_at(address)
    port.baudrate = BAUD
    if hasattr(port, "exclusive") and "://" not in address:
        port.exclusive = True
    port.open()
    return port


def read_some(port: serial.SerialBase) -> bytes:
    """What has arrived, after waiting at most `READ_WAIT` for a first byte. Raises OSError."""
    with _vanishing():
        data = bytes(port.read(1))
        waiting = port.in_waiting if data else 0
        if waiting > 1:
            return data + bytes(port.read(min(4096, waiting)))
        if waiting:  # a socket only says that there is something
            port.timeout = 0
            data += bytes(port.read(4096))
            port.timeout = READ_WAIT
        return data


def identify(address: str, patience: float = PATIENCE) -> Hello | None:
    """The HELLO of the box at ``address`` within ``patience`` seconds, None when there is none. Raises OSError or ValueError when the
    port cannot be opened, `NotATower` when a box answers that cannot be used."""
    port = open_port(address)
    begun = time.monotonic()
    session = Session(begun)
    try:
        while time.monotonic() - begun < patience:
            session.tick(time.monotonic())
            with _vanishing():
                port.write(session.outgoing())
            for news in session.receive(read_some(port), time.monotonic()):
                if isinstance(news, Hello):
                    return news
    except OSError:
        return None
    finally:
        port.close()
    return None


def find_tower(patience: float = PATIENCE, known: str = "", alone: bool = False) -> str:
    """The serial port of this machine at which the box ``known`` answers, else (unless it is wanted ``alone``) the first that answers as a
    tower, USB ports first; all are asked at once. Raises `NotATower`; its text tells of two towers of one name, of one that cannot be used,
    or of a USB port that could not be opened, for the tower may be there."""
    ports = sorted(list_ports.comports(), key=lambda p: (p.vid is None, p.device))[:32]
    answers: queue.SimpleQueue[tuple[str, Hello | Exception | None]] = queue.SimpleQueue()

    def ask(device: str) -> None:
        try:
            answers.put((device, identify(device, patience)))
        except (OSError, ValueError, NotATower) as error:
            answers.put((device, error))

    for port in ports:
        threading.Thread(target=ask, args=(port.device,), daemon=True).start()
    names: dict[str, str] = {}
    shut: dict[str, Exception] = {}
    end = time.monotonic() + patience + 1.0
    with contextlib.suppress(queue.Empty):  # the search ends in time, however many ports hang while they are opened
        for _ in ports:
            device, answer = answers.get(timeout=max(0.0, end - time.monotonic()))
            if isinstance(answer, Hello):
                names[device] = answer.device
                if answer.device == known:
                    end = min(end, time.monotonic() + NAMESAKE)
            elif answer is not None:
                shut[device] = answer
    found = [port.device for port in ports if port.device in names and (names[port.device] == known or not alone)]
    if found:
        first = next((device for device in found if names[device] == known), found[0])
        if list(names.values()).count(name := names[first]) > 1:
            raise NotATower(
                f"two dice towers here are called {name} and cannot be told apart: name this table’s port instead of auto, "
                "or give each box a name of its own (BOX_ID of its firmware)"
            )
        return str(first)
    for port in ports:
        if isinstance(refusal := shut.get(port.device), NotATower):
            raise refusal
    if known:  # a port that could not be opened may well be the next table's
        raise NotATower(f"the dice tower {known} was not found on any serial port: plug it in, or name its port instead of auto")
    for port in ports:
        if port.device in shut and port.vid is not None:
            raise NotATower(why_not(shut[port.device], port.device))
    raise NotATower("no tower was found on any serial port: plug it in, or name its port instead of auto")


class _Moved(Exception):
    """Another box answers where the tower was, and the tower at another port."""


class Link:
    """Keeps one tower connected. ``address``: a pyserial address or ``auto``; ``store(heard) -> bool`` runs on the link's thread;
    ``met``: the name of the box that was this table's the last time, which ``auto`` looks for first."""

    def __init__(
        self, address: str, store: Callable[[Heard], bool], clock: Callable[[], float] = time.monotonic, met: str = ""
    ) -> None:
        self.address = address
        self._store = store
        self._clock = clock
        self._shows: queue.SimpleQueue[Show] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._counters = Counters()
        self._health = Health(LinkState.CONNECTING, None, self._counters)
        self._opened = 0
        self._met = met if address == "auto" else ""  # the name of the box that was connected last
        self._sought: float | None = None  # since when it has been looked for
        self._known: set[str] = set()  # other ports that were there then, and those at which it did not answer since
        self._astray = False  # something else is at the address now
        self._thread = threading.Thread(target=self._run, name="tower", daemon=True)

    def start(self) -> Link:
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the thread and frees the port."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(3.0)

    @property
    def health(self) -> Health:
        return self._health

    def show(self, what: Show) -> None:
        """Lamp and buzzer; forgotten when nothing is connected."""
        if self._health.state is LinkState.CONNECTED:
            self._shows.put(what)

    def _run(self) -> None:
        while not self._stop.is_set():
            address = self._place()
            try:
                if address == "auto":
                    address = self._search()
                self._converse(address)
            except _Moved:
                self._astray = True
                continue
            except NotATower as error:
                self._astray = True
                self._stands(LinkState.LOST, str(error))
            except (OSError, ValueError) as error:  # serial.SerialException is an OSError
                self._stands(LinkState.LOST, why_not(error, address))
            except Exception as error:  # the link outlives every fault, its own too
                log.exception("the link to %s", address)
                self._stands(LinkState.LOST, f"the link to {address} failed ({error!r}): it is opened anew; play goes on without it")
            self._stop.wait(RETRY_AFTER)
        self._stands(LinkState.CLOSED)

    def _search(self) -> str:
        """The port of this table's tower, among all there are. Raises `NotATower`."""
        if self._sought is None:
            self._sought = self._clock()
        return find_tower(known=self._met, alone=bool(self._met) and self._clock() - self._sought < OTHERS_AFTER)

    def _place(self) -> str:
        """Where the tower is to be opened: at the address given; where that port is gone, or is something else's now, at one that came
        since and at which the same box answers, for a system may give it another name when it is plugged in again."""
        if not self._met or self.address == "auto" or "://" in self.address:
            return self.address
        here = self._ports()
        if not self._astray and (self.address in here or Path(self.address).exists()):
            return self.address
        return self._elsewhere(here) or self.address

    def _ports(self) -> set[str]:
        """The machine's serial ports; one that is gone is new when it comes again."""
        here: set[str] = {port.device for port in list_ports.comports()}
        self._known &= here
        return here

    def _elsewhere(self, here: set[str]) -> str:
        """Which of the ports that are ``here`` and were not before has the box that was connected last; empty when none has."""
        for device in sorted(here - self._known - {self.address}):
            try:
                hello = identify(device)
            except (OSError, ValueError):  # its rights may still be on the way
                continue
            except NotATower:
                hello = None
            if hello is not None and hello.device == self._met:
                return device
            self._known.add(device)
        return ""

    def _stands(self, state: LinkState, reason: str = "", hello: Hello | None = None) -> None:
        self._health = Health(state, hello, self._counters, reason, self._opened)

    def _converse(self, address: str) -> None:
        port = open_port(address)
        try:
            while not self._shows.empty():
                self._shows.get()  # what it should have shown before it went is past
            now = self._clock()
            session = Session(now, counters=self._counters)
            while not self._stop.is_set():
                session.tick(now)
                while not self._shows.empty():
                    session.show(self._shows.get())
                data = session.outgoing()
                if data:
                    with _vanishing():
                        port.write(data)
                before, data, now = now, read_some(port), self._clock()
                if now - before >= LATE:
                    with _vanishing():
                        port.reset_input_buffer()
                    session.stood_still(now)
                    continue
                for news in session.receive(data, now):
                    self._hear(news, address, session)
            session.show(Show.OFF)  # nobody referees any more
            with _vanishing():
                port.write(session.outgoing())
        finally:
            port.close()

    def _hear(self, news: Hello | Heard | Unknown, address: str, session: Session) -> None:
        if isinstance(news, Hello):
            if self._health.state is not LinkState.CONNECTED:
                if address == self.address and self._met not in ("", news.device) and self._elsewhere(self._ports()):
                    raise _Moved
                self._astray, self._sought = False, None
                self._opened += 1
                self._met, self._known = news.device, {port.device for port in list_ports.comports()} - {address}
            self._stands(LinkState.CONNECTED, hello=news)
        elif isinstance(news, Unknown):  # whatever happens at the table waits behind it
            word = news.word
            self._stands(
                LinkState.LOST,
                f"the tower says again and again what is not understood ({word}): switch it off and on, and update its firmware or this "
                "program; play goes on without it",
                session.hello,
            )
        elif self._kept(news, session):
            session.acknowledge(news.event.stamp.boot, news.event.stamp.seq)
        else:
            session.forget(news.event.stamp.boot, news.event.stamp.seq)

    def _kept(self, news: Heard, session: Session) -> bool:
        """Whether the event may be acknowledged. A fault in storing it is said until one is stored again: the box repeats it meanwhile."""
        try:
            kept = self._store(news)
        except Exception as error:
            before, device = self._health.reason, news.device
            self._stands(
                LinkState.LOST,
                f"what the tower {device} says cannot be taken in ({error!r}): it is tried again; play goes on without it",
                session.hello,
            )
            if self._health.reason != before:
                log.exception("an event of %s", device)
            return False
        if kept and self._health.state is LinkState.LOST:
            self._stands(LinkState.CONNECTED, hello=session.hello)
        return kept
