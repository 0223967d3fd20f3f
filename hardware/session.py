"""The host's side of the conversation with a box, without a port: bytes and times in, messages and bytes out.

Numbers in the comments are the rules of PROTOCOL.md, "Delivery".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware.protocol import (
    EVENTS,
    VERSION,
    WORD_MAX,
    Ack,
    BoxEvent,
    Framer,
    Hello,
    Query,
    Rest,
    Show,
    ShowLamp,
    Status,
    Unknown,
    What,
    encode,
    parse,
)

QUERY_EVERY = 1.0  # s (4)
NOT_A_TOWER_AFTER = 5.0  # s (4)
HUNG_AFTER = 45.0  # s (5)
DEAF_AFTER = 5.0  # s (6)
SAME = 10.0  # s (2) by which the time of an event may differ between two reports of it: a busy machine reads a line late


class NotATower(Exception):
    """The device on the line is not a tower this program can use; the text says why and what to do."""


@dataclass(slots=True)
class Counters:
    """What went over the line; a link's sessions count on."""

    lines: int = 0
    bad_lines: int = 0
    events: int = 0
    repeats: int = 0
    unknown: int = 0
    resets: int = 0
    lost: int = 0  # events that happened and were never told: the box had no room for them, or their numbers never came
    before: int = 0  # events that a box which was on before its line was opened had lost by its first status: of when, nobody knows
    not_kept: dict[tuple[str, int], int] = field(default_factory=dict)  # by box and boot, how many it says it had no room for


@dataclass(frozen=True, slots=True)
class Heard:
    """A new event. ``at`` is when it happened, seconds on the caller's clock."""

    device: str
    event: BoxEvent
    at: float


@dataclass(slots=True)
class Session:
    """One opened line. Feed it with `receive` and `tick`, send what `outgoing` gives, and `acknowledge` an event once
    it is stored. Raises `NotATower` from both when the device cannot be used."""

    opened_at: float
    hello: Hello | None = None
    counters: Counters = field(default_factory=Counters)
    _framer: Framer = field(default_factory=Framer)
    _bad: int = 0
    _out: bytearray = field(default_factory=bytearray)
    _pending: dict[tuple[int, int], Heard] = field(default_factory=dict)
    _stored: Heard | None = None  # the last one
    _number: int | None = None  # the highest of an event since the box began to count
    _queried_at: float | None = None
    _last_line: float = 0.0  # when; none has come before `hello`
    _vain: tuple[object, float] | None = None  # the event that has come again and again, acknowledged or not understood; since when
    _stranger: bool = False  # a box has told of something, and nothing of itself

    def receive(self, data: bytes, now: float) -> list[Hello | Heard | Unknown]:
        """What ``data`` completed: new events, every HELLO, and an event that is not understood and comes again and again."""
        news: list[Hello | Heard | Unknown] = []
        for payload in self._framer.feed(data):
            self.counters.lines += 1
            self._last_line = now
            message = parse(payload)
            if isinstance(message, Hello):
                self._met(message)
                news.append(message)
            elif isinstance(message, BoxEvent):
                heard = self._hear(message, now)
                if heard is not None:
                    news.append(heard)
            elif isinstance(message, Unknown):
                self.counters.unknown += 1
                if message.word and message.word != "WHAT":
                    self._send(What(message.word))
                if message.word in EVENTS and self._in_vain(message, now):
                    news.append(message)
            # Our own words echoed back, or WHAT: nothing to do.
        self.counters.bad_lines += self._framer.bad - self._bad
        self._bad = self._framer.bad
        return news

    def tick(self, now: float) -> None:
        """To be called a few times a second: asks for HELLO until it comes, gives up on a device that never says it."""
        if self.hello is None:
            if now - self.opened_at >= NOT_A_TOWER_AFTER:
                if self._stranger:
                    raise _deaf()
                raise NotATower(
                    "the device on this line does not answer as a dice tower: "
                    "check that it is the right port and that the box runs its firmware"
                )
            self._ask(now)
        elif now - self._last_line >= HUNG_AFTER:
            raise NotATower(f"the tower {self.hello.device} has been silent for {HUNG_AFTER:.0f} s: it is opened anew")

    def stood_still(self, now: float) -> None:
        """(5) Nobody has listened until ``now``: what came meanwhile is dropped, and the box is neither silent nor deaf for that."""
        self._last_line, self._vain = now, None

    def acknowledge(self, boot: int, seq: int) -> None:
        """The event is stored for good."""
        self._stored = self._pending.pop((boot, seq), self._stored)
        self._send(Ack(boot, seq))

    def forget(self, boot: int, seq: int) -> None:
        """The event could not be stored: the box repeats it, and it will be new again."""
        if self._pending.pop((boot, seq), None) is not None:
            self.counters.events -= 1

    def show(self, what: Show) -> None:
        """Lamp and buzzer."""
        self._send(ShowLamp(what))

    def outgoing(self) -> bytes:
        """Bytes to send, handed out once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _send(self, message: Ack | Query | ShowLamp | What) -> None:
        self._out += encode(message)

    def _ask(self, now: float) -> None:
        """Asks for HELLO, unless that was asked just now."""
        if self._queried_at is None or now - self._queried_at >= QUERY_EVERY:
            self._queried_at = now
            self._send(Query())

    def _met(self, hello: Hello) -> None:
        if hello.version != VERSION:
            raise NotATower(
                f"the tower {hello.device} speaks version {hello.version} of the protocol, this program {VERSION}: "
                "update the older of the two"
            )
        if hello.rest is Rest.INSIDE and not hello.reads:
            raise NotATower(
                f"the tower {hello.device} keeps its dice inside and does not read them, so nobody could see a throw: "
                "use a box whose dice come out, or one that reads them"
            )
        if self.hello is not None and (self.hello.device, self.hello.boot) != (hello.device, hello.boot):
            self.counters.resets += 1
            self._pending.clear()
        if any(device == hello.device for device, _ in self.counters.not_kept):  # known: what it loses after its reset is ours
            self.counters.not_kept.setdefault((hello.device, hello.boot), 0)
        # After a HELLO the numbers may begin again, though the boot is the same (a worn-out EEPROM): whoever stores can tell.
        self._stored = self._vain = self._number = None
        self.hello = hello

    def _hear(self, event: BoxEvent, now: float) -> Heard | None:
        key = (event.stamp.boot, event.stamp.seq)
        if self.hello is None or event.stamp.boot != self.hello.boot:  # (3)
            self._stranger = True
            self._ask(now)
            return None
        heard = Heard(self.hello.device, event, now - event.stamp.age_ms / 1000.0)
        last = self._stored
        if last is not None and key == (last.event.stamp.boot, last.event.stamp.seq) and _repeats(last, heard):
            self.counters.repeats += 1  # (2) stored before: acknowledge again
            self._send(Ack(*key))
            if self._in_vain(key, now):
                raise _deaf()
            return None
        if key in self._pending:  # being stored just now
            self.counters.repeats += 1
            return None
        self._vain = None
        self._pending[key] = heard
        self.counters.events += 1
        self._miss(event, heard.at)
        return heard

    def _in_vain(self, event: object, now: float) -> bool:
        """(6) Whether the box has told nothing but this ``event`` for so long."""
        if self._vain is None or self._vain[0] != event:
            self._vain = event, now
        return now - self._vain[1] >= DEAF_AFTER

    def _miss(self, event: BoxEvent, at: float) -> None:
        """Counts what was lost before a new ``event``, which happened ``at``."""
        number = event.stamp.seq
        if self._number is not None and number > self._number + 1:
            self.counters.lost += number - self._number - 1
        self._number = max(number, self._number or 0)
        if isinstance(event, Status) and self.hello is not None:
            box = (self.hello.device, self.hello.boot)
            if box not in self.counters.not_kept and at - event.uptime_s < self.opened_at:
                self.counters.before += event.lost
            else:  # it began under our eyes, or its count is known
                self.counters.lost += max(0, event.lost - self.counters.not_kept.get(box, 0))
            self.counters.not_kept[box] = event.lost


def _deaf() -> NotATower:
    return NotATower(
        "the dice tower on this line does not hear the referee: check its cable, or switch it off and on; play goes on without it"
    )


def same(text: str, at: float, now: Heard) -> bool:
    """Whether ``now`` may be the event that was stored under its numbers as ``text`` at ``at``: what they say, and when it happened."""
    return _says(text, now) and (now.event.stamp.age_ms == WORD_MAX or now.at <= at + SAME)


def _repeats(last: Heard, now: Heard) -> bool:
    """Whether ``now`` is ``last``, the event stored last since the box began to count, once more: it has grown older, however late the
    line was read."""
    older = now.event.stamp.age_ms > last.event.stamp.age_ms
    return same(str(last.event), last.at, now) or (older and _says(str(last.event), now))


def _says(text: str, now: Heard) -> bool:
    before, again = text.split(), str(now.event).split()
    # A status counts its own repetitions.
    return before[0] == again[0] and (before[4:] == again[4:] or isinstance(now.event, Status))
