"""The lines of PROTOCOL.md as values: parsing, printing and framing. No port, no clock.

The enums are the wire's words, which change with PROTOCOL.md alone; `web.towerline` says them in the referee's (`referee.observations`).
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from enum import Enum

VERSION = 1  # of the protocol, as HELLO tells it
LINE_LIMIT = 64  # bytes, from "$" to the line feed
WORD_MAX = 65535
EVENTS = frozenset({"THROW", "ROLL", "LIFT", "BUTTON", "STATUS"})  # words of what a box repeats until it is acknowledged


class Rest(Enum):
    """Where a box's dice come to rest."""

    FIELD = "field"
    TRAY = "tray"
    INSIDE = "inside"


class Side(Enum):
    """Whose side an event belongs to; ANY where the box cannot tell."""

    NEAR = "near"
    FAR = "far"
    ANY = "any"


class Button(Enum):
    """Near's and far's clock, the cube, and the call for the director, which decides nothing."""

    NEAR = "near"
    FAR = "far"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    DIRECTOR = "director"


class Show(Enum):
    """What lamp and buzzer are to tell."""

    READY = "ready"
    REROLL = "reroll"
    ILLEGAL = "illegal"
    DOUBT = "doubt"
    OFF = "off"


class Lie(Enum):
    """How a die lies, as a box that reads its dice says it."""

    FLAT = "f"
    COCKED = "c"
    UNREAD = "u"


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a roll; ``value`` 1..6, None when it is not known."""

    value: int | None
    lie: Lie

    def __str__(self) -> str:
        return f"{self.value or '-'}{self.lie.value}"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a box is. ``boot`` counts its resets."""

    device: str
    version: int
    boot: int
    rest: Rest
    reads: bool

    def __str__(self) -> str:
        return f"HELLO {self.device} {self.version} {self.boot} rest={self.rest.value} reads={'yes' if self.reads else 'no'}"


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which event this is, and how many milliseconds before its transmission it happened."""

    boot: int
    seq: int
    age_ms: int

    def __str__(self) -> str:
        return f"{self.boot} {self.seq} {self.age_ms}"


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw began: something passed the beam."""

    stamp: Stamp
    side: Side

    def __str__(self) -> str:
        return f"THROW {self.stamp} {self.side.value}"


@dataclass(frozen=True, slots=True)
class Roll:
    """What was thrown: one to four dice."""

    stamp: Stamp
    side: Side
    dice: tuple[Die, ...]

    def __str__(self) -> str:
        return f"ROLL {self.stamp} {self.side.value} {' '.join(map(str, self.dice))}"


@dataclass(frozen=True, slots=True)
class Lift:
    """The dice were taken up."""

    stamp: Stamp
    side: Side

    def __str__(self) -> str:
        return f"LIFT {self.stamp} {self.side.value}"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed."""

    stamp: Stamp
    button: Button

    def __str__(self) -> str:
        return f"BUTTON {self.stamp} {self.button.value}"


@dataclass(frozen=True, slots=True)
class Status:
    """How a box is since its reset: seconds, lines repeated, bad lines received, events lost because the queue was full."""

    stamp: Stamp
    uptime_s: int
    repeats: int
    errors: int
    lost: int

    def __str__(self) -> str:
        return f"STATUS {self.stamp} {self.uptime_s} {self.repeats} {self.errors} {self.lost}"


@dataclass(frozen=True, slots=True)
class Ack:
    """The event is stored; it is not to be repeated."""

    boot: int
    seq: int

    def __str__(self) -> str:
        return f"ACK {self.boot} {self.seq}"


@dataclass(frozen=True, slots=True)
class Query:
    """The box is to say HELLO."""

    def __str__(self) -> str:
        return "QUERY"


@dataclass(frozen=True, slots=True)
class ShowLamp:
    """The box is to show something."""

    show: Show

    def __str__(self) -> str:
        return f"SHOW {self.show.value}"


@dataclass(frozen=True, slots=True)
class What:
    """The message that begins with ``word`` is not known."""

    word: str

    def __str__(self) -> str:
        return f"WHAT {self.word}"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A sound line whose message is not in this version, or whose values are out of range. ``word`` is its first."""

    word: str


BoxEvent = Throw | Roll | Lift | Press | Status
Message = Hello | BoxEvent | Ack | Query | ShowLamp | What | Unknown


def _number(text: str, top: int = WORD_MAX, bottom: int = 0) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or not bottom <= int(text) <= top:
        raise ValueError(text)
    return int(text)


def _flag(text: str, name: str) -> str:
    key, _, value = text.partition("=")
    if key != name:
        raise ValueError(text)
    return value


def die_of(text: str) -> Die:
    """The die that the wire says so, such as 6f. Raises ValueError when it says none."""
    if not re.fullmatch(r"[1-6][fcu]|-u", text):
        raise ValueError(text)
    return Die(None if text[0] == "-" else int(text[0]), Lie(text[1]))


def _stamp(words: list[str]) -> Stamp:
    return Stamp(_number(words[1]), _number(words[2], bottom=1), _number(words[3]))


def parse(payload: str) -> Message:
    """The message of a line's payload. Never raises: what is not known, or has a value out of range, is `Unknown`."""
    words = payload.split(" ")
    try:
        match words[0], len(words):
            case "HELLO", 6:
                reads = _flag(words[5], "reads")
                if not re.fullmatch(r"[A-Za-z0-9_-]{1,16}", words[1]) or reads not in ("yes", "no"):
                    raise ValueError(payload)
                return Hello(words[1], _number(words[2]), _number(words[3]), Rest(_flag(words[4], "rest")), reads == "yes")
            case "THROW", 5:
                return Throw(_stamp(words), Side(words[4]))
            case "ROLL", n if 6 <= n <= 9:
                return Roll(_stamp(words), Side(words[4]), tuple(map(die_of, words[5:])))
            case "LIFT", 5:
                return Lift(_stamp(words), Side(words[4]))
            case "BUTTON", 5:
                return Press(_stamp(words), Button(words[4]))
            case "STATUS", 8:
                return Status(_stamp(words), _number(words[4], 2**32 - 1), *(_number(w) for w in words[5:]))
            case "ACK", 3:
                return Ack(_number(words[1]), _number(words[2], bottom=1))
            case "QUERY", 1:
                return Query()
            case "SHOW", 2:
                return ShowLamp(Show(words[1]))
            case "WHAT", 2:
                return What(words[1])
    except ValueError:
        pass
    return Unknown(words[0][:16])


def encode(message: Message | str) -> bytes:
    """The whole line of a message. Raises ValueError when it would not fit `LINE_LIMIT` or breaks the alphabet."""
    payload = str(message).encode("ascii")
    if any(not 32 <= b <= 126 or b in b"$*" for b in payload):
        raise ValueError(f"not sendable: {payload!r}")
    line = b"$%s*%04X\n" % (payload, binascii.crc_hqx(payload, 0))
    if len(line) > LINE_LIMIT:
        raise ValueError(f"line of {len(line)} bytes, {LINE_LIMIT} allowed: {payload!r}")
    return line


class Framer:
    """Cuts a stream of bytes, in any pieces, into the payloads of sound lines; ``bad`` counts what was dropped."""

    def __init__(self) -> None:
        self.bad = 0
        self._line: bytearray | None = None  # None: waiting for "$"

    def feed(self, data: bytes) -> list[str]:
        """The payloads completed by ``data``."""
        found = []
        for byte in data:
            if byte == 0x24:  # "$" starts afresh
                self.bad += self._line is not None
                self._line = bytearray()
            elif self._line is None:
                continue
            elif byte == 0x0A:
                payload = self._check(bytes(self._line))
                self._line = None
                if payload is None:
                    self.bad += 1
                else:
                    found.append(payload)
            else:
                self._line.append(byte)
                if len(self._line) > LINE_LIMIT - 1:  # "$" and the line feed are not in it, a carriage return may be
                    self._line = None
                    self.bad += 1
        return found

    @staticmethod
    def _check(line: bytes) -> str | None:
        line = line.removesuffix(b"\r")
        if not re.fullmatch(rb"[ -#%-)+-~]+\*[0-9A-F]{4}", line) or len(line) > LINE_LIMIT - 2:
            return None
        payload, crc = line[:-5], line[-4:]
        return payload.decode("ascii") if binascii.crc_hqx(payload, 0) == int(crc, 16) else None
