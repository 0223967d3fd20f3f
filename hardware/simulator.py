"""A tower without a tower: a `Box` behind a real pseudo-terminal and a TCP port, with faults on demand.

The pseudo-terminal exists on POSIX systems only; elsewhere the TCP port (``socket://127.0.0.1:PORT``) does the same.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from hardware.box import REPEAT_EVERY, Box
from hardware.faults import Faults
from hardware.protocol import WORD_MAX, Button, Rest, Side, die_of

COMMANDS = {
    "throw": "throw near|far|any",
    "roll": "roll near|far|any 6 2 (6c is cocked, -u unread)",
    "lift": "lift near|far|any",
    "button": "button near|far|double|take|drop|director",
    "reset": "reset (in the middle of a line)",
    "hang": "hang SECONDS",
    "unplug": "unplug SECONDS",
    "drop": "drop SHARE (of the lines, 0 to 1)",
    "double": "double SHARE",
    "spoil": "spoil SHARE",
    "delay": "delay SHARE",
    "wait": "wait SECONDS",
}
HELP = "\n".join((*COMMANDS.values(), "quit"))
LONGEST = 1_000_000.0  # s
DONE_IN = 3.0  # s a command is waited for


class BadCommand(Exception):
    """The simulator does not know this; the text is one sentence that says what it knows."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a simulated box says of itself."""

    device: str = "simulated-box"
    rest: Rest = Rest.FIELD
    reads: bool = True


class Simulator:
    """Runs a box on a thread. ``tty`` is the pseudo-terminal's name (None where there are none), ``port`` the TCP port."""

    def __init__(
        self, identity: Identity | None = None, port: int = 0, tty: bool = True, boot: int = 1, repeat_every: float = REPEAT_EVERY
    ) -> None:
        self.identity = identity or Identity()
        self.faults_out, self.faults_in = Faults(), Faults(seed=1)
        self._repeat_every = repeat_every
        self._lock = threading.Lock()
        self._boot = boot
        self._stop = threading.Event()
        self._hang_until = 0.0
        self._unplugged_until = 0.0
        self._tail = b""
        self.tty: str | None = None
        self._master: int | None = None
        self._slave: int | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if tty:
            self._open_tty()
        self._server = socket.create_server(("127.0.0.1", port))
        self.port = self._server.getsockname()[1]
        self._client: socket.socket | None = None
        self._woken, self._wake = socket.socketpair()  # a command is carried out at once, not when the next byte comes
        self._woken.setblocking(False)
        self.box = self._new_box()
        self._asked: queue.SimpleQueue[tuple[_Act, threading.Event]] = queue.SimpleQueue()
        self._script: deque[_Act] = deque()
        self._script_at = 0.0
        self._thread = threading.Thread(target=self._run, name="simulated tower", daemon=True)

    def start(self) -> Simulator:
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the thread; the terminal and the port go."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(3.0)
        self._close_tty()
        if self._folder is not None:
            self._folder.cleanup()
        for sock in (self._client, self._server, self._woken, self._wake):
            if sock is not None:
                sock.close()

    def run_script(self, lines: list[str]) -> None:
        """Queues commands, ``wait`` between them; carried out by the simulator's own thread. Raises `BadCommand`, and then queues none."""
        self._script.extend([_act_of(line) for line in map(_without_remark, lines) if line])

    def command(self, line: str) -> None:
        """Has the simulator's own thread carry out one line of `HELP`, for nobody else may close what it reads, and waits until it has.
        Raises `BadCommand`."""
        act, done = _act_of(line), threading.Event()
        self._asked.put((act, done))
        with contextlib.suppress(OSError):  # closed
            self._wake.send(b"!")
        done.wait(DONE_IN)

    @property
    def idle(self) -> bool:
        """The script is done and every event acknowledged."""
        return not self._script and time.monotonic() >= self._script_at and self.waiting == 0

    @property
    def waiting(self) -> int:
        """Events not acknowledged yet."""
        with self._lock:
            return self.box.waiting

    def _new_box(self) -> Box:
        i = self.identity
        return Box(i.device, self._boot, time.monotonic(), i.rest, i.reads, self._repeat_every)

    def hang(self, until: float) -> None:
        """Neither listens nor speaks until then."""
        self._hang_until = until

    def wait(self, until: float) -> None:
        """Holds the script until then."""
        self._script_at = until

    def damage(self, kind: str, share: float) -> None:
        """From now on this share of the lines is spoilt, dropped, doubled or delayed, both ways."""
        for faults in (self.faults_out, self.faults_in):
            setattr(faults, kind, share)

    def reset(self, now: float) -> None:
        """As a brown-out would: whatever line was being sent stops in the middle."""
        self.box.tick(now)
        self._write(self.box.outgoing()[:11])
        self._boot = self._boot % WORD_MAX + 1
        self.box = self._new_box()

    def unplug(self, until: float) -> None:
        """The port vanishes, and comes back then."""
        self._unplugged_until = until
        self._close_tty()
        if self._client is not None:
            self._client.close()
            self._client = None

    def _open_tty(self) -> None:
        if sys.platform == "win32":  # no such lines there: the simulator is at its port alone
            return
        import pty
        import tty

        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        # A name of our own, so that it stays the same when the box is plugged in again.
        if self.tty is None:
            self._folder = tempfile.TemporaryDirectory(prefix="tower-")
            self.tty = os.path.join(self._folder.name, "tower")
        os.symlink(os.ttyname(self._slave), self.tty)

    def _close_tty(self) -> None:
        for fd in (self._master, self._slave):
            if fd is not None:
                with contextlib.suppress(OSError):
                    os.close(fd)
        self._master = self._slave = None
        if self.tty is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.tty)

    def _run(self) -> None:
        while not self._stop.is_set():
            now = time.monotonic()
            while not self._asked.empty():
                act, done = self._asked.get()
                with self._lock:
                    act(self, now)
                done.set()
            if self._script and now >= self._script_at:
                act = self._script.popleft()
                with self._lock:
                    act(self, now)
            self._plug(now)
            data = self._read()
            now = time.monotonic()
            with self._lock:
                if now < self._hang_until or now < self._unplugged_until:
                    continue
                self.box.receive(self.faults_in.pass_on(self._lines(data)), now)
                self._write(self.faults_out.pass_on(self.box.outgoing()))
                if self.box.worn_out:
                    self.reset(now)

    def _plug(self, now: float) -> None:
        if self.tty is not None and self._master is None and now >= self._unplugged_until:
            self._open_tty()
            with self._lock:
                self.reset(now)

    def _lines(self, data: bytes) -> bytes:
        """Whole lines only, so that a fault spoils a line and not a piece of one."""
        data = self._tail + data
        whole, end, self._tail = data.rpartition(b"\n")
        self._tail = self._tail[-256:]
        return whole + end

    def _read(self) -> bytes:
        watched: list[int | socket.socket] = [s for s in (self._master, self._client, self._server, self._woken) if s is not None]
        ready = select.select(watched, [], [], 0.01)[0]
        data = b""
        for one in ready:
            if one is self._server:
                client, _ = self._server.accept()
                if self._client is not None:
                    self._client.close()
                self._client = client
                client.setblocking(False)
                if time.monotonic() < self._unplugged_until:
                    client.close()
                    self._client = None
            elif one is self._woken:
                self._woken.recv(4096)
            elif isinstance(one, int):
                with contextlib.suppress(OSError):
                    data += os.read(one, 4096)
            else:
                try:
                    got = one.recv(4096)
                except OSError:
                    got = b""
                if not got:
                    one.close()
                    self._client = None
                data += got
        return data

    def _write(self, data: bytes) -> None:
        if not data:
            return
        if self._master is not None:
            with contextlib.suppress(OSError):  # nobody reads the terminal and its buffer is full
                os.write(self._master, data)
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.sendall(data)


_Act = Callable[[Simulator, float], None]


def check(line: str) -> None:
    """Raises `BadCommand` when ``line`` of a script is neither a command nor empty nor a remark."""
    line = _without_remark(line)
    if line:
        _act_of(line)


def _without_remark(line: str) -> str:
    return line.split("#")[0].strip()


def _act_of(line: str) -> _Act:
    """What a command does to a simulator at a time. Raises `BadCommand`."""
    words = line.split()
    if not words or words[0] not in COMMANDS:
        raise BadCommand(f"{_shown(line)} is no command of the simulator: say one of {', '.join(COMMANDS)}")
    try:
        return _meant(words)
    except ValueError:
        raise BadCommand(f"{_shown(line)} is not understood: write it as {COMMANDS[words[0]]}") from None


def _shown(line: str) -> str:
    line = "".join(c if c.isprintable() else "?" for c in line.strip())
    return repr(line if len(line) <= 60 else line[:60] + "…")


def _meant(words: list[str]) -> _Act:
    match words:
        case ["throw", side]:
            whose = Side(side)
            return lambda box, now: box.box.throw(whose, now)
        case ["roll", side, *dice] if 1 <= len(dice) <= 4:
            whose, values = Side(side), tuple(die_of(d if d[-1] in "fcu" else f"{d}f") for d in dice)
            return lambda box, now: box.box.roll(whose, values, now)
        case ["lift", side]:
            whose = Side(side)
            return lambda box, now: box.box.lift(whose, now)
        case ["button", name]:
            button = Button(name)
            return lambda box, now: box.box.press(button, now)
        case ["reset"]:
            return lambda box, now: box.reset(now)
        case ["hang" | "unplug" | "wait" as kind, text]:
            seconds = _between(text, LONGEST)
            return {
                "hang": lambda box, now: box.hang(now + seconds),
                "unplug": lambda box, now: box.unplug(now + seconds),
                "wait": lambda box, now: box.wait(now + seconds),
            }[kind]
        case ["drop" | "double" | "spoil" | "delay" as kind, text]:
            share = _between(text, 1.0)
            return lambda box, _now: box.damage(kind, share)
    raise ValueError(words)


def _between(text: str, most: float) -> float:
    number = float(text)
    if not 0.0 <= number <= most:
        raise ValueError(text)
    return number
