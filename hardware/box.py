"""The box's side of the protocol, without a port: what the firmware does, for the simulator and the tests.

Numbers in the comments are the rules of PROTOCOL.md, "Delivery".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.protocol import (
    VERSION,
    WORD_MAX,
    Ack,
    BoxEvent,
    Button,
    Die,
    Framer,
    Hello,
    Lift,
    Press,
    Query,
    Rest,
    Roll,
    Show,
    ShowLamp,
    Side,
    Stamp,
    Status,
    Throw,
    Unknown,
    What,
    encode,
    parse,
)

REPEAT_EVERY = 0.1  # s (1)
LINE_EVERY = 0.01  # s, "Rates"
KEPT = 8  # events (1)
STATUS_EVERY = 30.0  # s

_Make = Callable[[Stamp], BoxEvent]


@dataclass(slots=True)
class Box:
    """One box from a reset on. Times are seconds on the caller's clock; `repeat_every` may be shortened for tests."""

    device: str
    boot: int
    started: float
    rest: Rest = Rest.FIELD
    reads: bool = False
    repeat_every: float = REPEAT_EVERY
    lamp: Show = Show.OFF
    lost: int = 0
    repeats: int = 0
    seq: int = 0
    _queue: deque[tuple[int, float, _Make]] = field(default_factory=deque)
    _sent_at: float | None = None
    _line_at: float = float("-inf")
    _status_at: float = 0.0
    _framer: Framer = field(default_factory=Framer)
    _out: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._status_at = self.started
        self._hello()

    def throw(self, side: Side, now: float) -> None:
        """A throw begins on ``side`` at ``now`` seconds."""
        self._happen(now, lambda stamp: Throw(stamp, side))

    def roll(self, side: Side, dice: tuple[Die, ...], now: float) -> None:
        """Its ``dice`` have come to rest."""
        self._happen(now, lambda stamp: Roll(stamp, side, dice))

    def lift(self, side: Side, now: float) -> None:
        """The dice are taken up."""
        self._happen(now, lambda stamp: Lift(stamp, side))

    def press(self, button: Button, now: float) -> None:
        """The ``button`` is pressed."""
        self._happen(now, lambda stamp: Press(stamp, button))

    @property
    def worn_out(self) -> bool:
        """It has counted to the end and is to be reset: all it has said is acknowledged."""
        return self.seq >= WORD_MAX and not self._queue

    @property
    def waiting(self) -> int:
        """Events not acknowledged yet."""
        return len(self._queue)

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the host."""
        for payload in self._framer.feed(data):
            match parse(payload):
                case Query():
                    self._hello()
                case Ack(boot, seq):
                    if boot == self.boot and self._queue and self._queue[0][0] == seq:
                        self._queue.popleft()
                        self._sent_at = None
                case ShowLamp(show):
                    self.lamp = show
                case Unknown(word) if word != "WHAT":
                    self._out += encode(What(word or "?"))
                case _:
                    pass
        self.tick(now)

    def tick(self, now: float) -> None:
        """Sends the oldest event when it is due; to be called at least every few milliseconds."""
        if now - self._status_at >= STATUS_EVERY:
            self._status_at = now
            if not self._queue:  # while nobody listens what happens at the table needs the room
                self._status(now)
        if self._queue and now - self._line_at >= LINE_EVERY and (self._sent_at is None or now - self._sent_at >= self.repeat_every):
            self.repeats += self._sent_at is not None
            seq, happened, make = self._queue[0]
            age = min(WORD_MAX, max(0, round((now - happened) * 1000)))
            self._out += encode(make(Stamp(self.boot, seq, age)))
            self._sent_at = self._line_at = now

    def outgoing(self) -> bytes:
        """What is to be sent, which is then forgotten."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _hello(self) -> None:
        self._out += encode(Hello(self.device, VERSION, self.boot, self.rest, self.reads))

    def _status(self, now: float) -> None:
        up, bad = int(now - self.started), min(self._framer.bad, WORD_MAX)
        repeats, lost = min(self.repeats, WORD_MAX), min(self.lost, WORD_MAX)
        self._happen(now, lambda stamp: Status(stamp, up, repeats, bad, lost))

    def _happen(self, now: float, make: _Make) -> None:
        if len(self._queue) >= KEPT or self.seq >= WORD_MAX:
            self.lost += 1
            return
        self.seq += 1
        self._queue.append((self.seq, now, make))
