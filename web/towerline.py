"""The tower at the table: the link's events as observations and commands, stored before they are acknowledged."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any

from hardware.link import Link, LinkState
from hardware.protocol import WORD_MAX, Button, Hello, Lie, Lift, Press, Rest, Roll, Show, Side, Status, Throw, parse
from hardware.session import Heard as FromBox
from hardware.session import same
from referee.board.position import Seat
from referee.match import commands as c
from referee.match.commands import Command
from referee.match.events import ClockStopped, DeviceBack, DeviceLost, IllegalPlay, Logged, OpeningRolled, Role, Rolled, RollVoid, Ruled
from referee.match.journal import Heard, JournalError
from referee.match.state import MatchState, Phase
from referee.match.told import as_told
from referee.match.witness import STALE
from referee.observations import TOWER, DieState, Rests, TowerThrow
from referee.rules.reason import because
from web.desk import Desk
from web.language import as_sentence

log = logging.getLogger(__name__)

_LIES = {Lie.FLAT: DieState.FLAT, Lie.COCKED: DieState.COCKED, Lie.UNREAD: None}
BOOTS = WORD_MAX + 1
"""A box counts its resets up to this and then again from the beginning; sooner, when its memory was erased."""


COUNTS_S = 2.0
"""s between two looks at what went over the line, for the page: a flood must not keep it busy."""


class TowerLine:
    """Keeps the link to ``url`` and tells the desk what it says. ``changed`` is called when the link's state changes, ``say`` with
    a sentence about it."""

    def __init__(
        self, desk: Desk, url: str, changed: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda _text: None
    ) -> None:
        self._desk, self._changed, self._say = desk, changed, say
        self._said: tuple[LinkState, str, Hello | None] | None = None
        self._told = (desk.match, desk.state.seq)
        self._commits = deque([(float("-inf"), desk.state.seq)], maxlen=256)
        self._inside = False
        self._counted: tuple[object, ...] = ()
        self._shown_at = float("-inf")
        self._missed = self._missed_before = 0
        self._rounds: dict[tuple[str, int], int] = {}
        self._counts_again: set[str] = set()
        met = ""
        with contextlib.suppress(JournalError):
            met = desk.store.last_device()
        self.link = Link(url, self._store, time.monotonic, met)
        desk.watch(self._follow)
        self._recall()

    def start(self) -> TowerLine:
        self.link.start()
        return self

    def stop(self) -> None:
        self.link.close()

    def status(self) -> dict[str, Any]:
        """For the page: state, what the box is, counters, and a sentence when it is not connected."""
        health = self.link.health
        hello, counters = health.hello, health.counters
        return {
            "status": health.state.value,
            "text": as_sentence(health.reason),
            "device": hello.device if hello else None,
            "rest": hello.rest.value if hello else None,
            "reads": hello.reads if hello else None,
            "lines": counters.lines,
            "bad_lines": counters.bad_lines,
            "events": counters.events,
            "repeats": counters.repeats,
            "resets": counters.resets,
            "lost": counters.lost,
            "before": counters.before,
        }

    def tick(self) -> None:
        """Notes a tower that went or came back; call a few times a second."""
        health = self.link.health
        if (lost := health.counters.lost) > self._missed:
            self._missed = lost
            self._say(f"{lost} report(s) of the dice tower did not arrive: enter by hand what is missing")
        if (before := health.counters.before) > self._missed_before:
            self._missed_before = before
            self._say(f"{before} report(s) were lost before the dice tower was heard: where they are of this match, enter them by hand")
        connected = health.hello if health.state is LinkState.CONNECTED else None
        inside = connected is not None and connected.rest is Rest.INSIDE
        if inside != self._inside:
            self._inside = inside
            self._desk.set_inside(inside)
        if connected is not None:  # said again where it could not be written, or of a match that was continued since
            self._desk.regain(TOWER)
        said = (health.state, health.reason, connected)
        if said == self._said:
            if (counted := astuple(health.counters)) != self._counted and time.monotonic() >= self._shown_at + COUNTS_S:
                self._counted, self._shown_at = counted, time.monotonic()
                self._changed()
            return
        earlier, self._said = self._said, said
        if connected is not None:
            alone = "; its dice stay inside, so its word alone makes a throw, whatever --witnesses says" if inside else ""
            self._say(f"the dice tower {connected.device} is connected{alone}")
            self._show(())  # after its reset it shows nothing
        elif health.reason:
            self._say(health.reason)
        if health.state is LinkState.LOST and earlier is not None and earlier[0] is LinkState.CONNECTED:
            self._desk.lose(DeviceLost(TOWER, because("tower_lost")))
        self._changed()

    # from the box ------------------------------------------------------------------------------------------------------

    def _store(self, news: FromBox) -> bool:
        try:
            heard = self._to_keep(news)
            if heard is None:
                return True  # stored before, its acknowledgement was lost
            try:
                self._take(news, heard)
            except JournalError:
                raise
            except Exception as error:  # the event is kept and stands in the way of no later one
                log.exception("an event of %s", news.device)
                self._desk.hear(heard)
                self._say(
                    f"what the dice tower {news.device} said last could not be judged ({error!r}): "
                    "see on the table page whether it counts, and enter it by hand if not"
                )
        except JournalError:
            return False
        return True

    def _take(self, news: FromBox, heard: Heard) -> None:
        """What an event means to the match, committed with it."""
        event = news.event
        if isinstance(event, Throw | Roll):
            self._desk.throw(self._throw(news, event), heard)
        elif isinstance(event, Press):
            self._press(event, heard)
        elif isinstance(event, Lift | Status):
            self._desk.hear(heard)

    def _to_keep(self, news: FromBox) -> Heard | None:
        """The event under the numbers it is kept by; None when it is kept already. A boot number that comes again (the box's memory
        was erased, another box has its name) is kept with `BOOTS` added for each time that it came before."""
        device, stamp = news.device, news.event.stamp
        box = (device, stamp.boot)
        if box not in self._rounds:
            self._rounds[box] = 0
            while self._desk.store.kept(device, stamp.boot + BOOTS * (self._rounds[box] + 1)) is not None:
                self._rounds[box] += 1
        while True:
            boot = stamp.boot + BOOTS * self._rounds[box]
            before = self._desk.store.kept(device, boot, stamp.seq)
            if before is None:
                return Heard(device, boot, stamp.seq, str(news.event), news.at)
            last = self._desk.store.kept(device, boot)
            if last is not None and last.sequence == stamp.seq and same(before.text, before.at, news):
                return None
            # A box sends one event until it is acknowledged, and none before that again: it has begun to count anew.
            self._rounds[box] += 1
            if device not in self._counts_again:
                self._counts_again.add(device)
                self._say(
                    f"the dice tower {device} counts its resets anew: its throws are kept, but if another box has the same name, "
                    "give one of them another"
                )

    def _throw(self, news: FromBox, event: Throw | Roll) -> TowerThrow:
        hello = self.link.health.hello
        rests = Rests(hello.rest.value) if hello else Rests.FIELD
        values = tuple(die.value for die in event.dice) if isinstance(event, Roll) else None
        states = tuple(_LIES[die.lie] for die in event.dice) if isinstance(event, Roll) else ()
        stamp = event.stamp
        reads = hello is not None and hello.reads
        seat = None if event.side is Side.ANY else Seat(event.side.value)
        return TowerThrow(news.device, stamp.boot, stamp.seq, values, states, seat, news.at, rests, reads)

    def _recall(self) -> None:
        """Takes up the one opening die that the box had told of when the program ended: its player waits for the other's."""
        desk, devices = self._desk, (DeviceLost, DeviceBack, ClockStopped)
        began = next((one.at for one in reversed(desk.log) if not isinstance(one.event, devices)), 0.0)
        try:
            said = [one for one in desk.store.heard(desk.match) if began < one.at <= time.monotonic()]
        except JournalError:
            return
        read = [(one, roll) for one in said if isinstance(roll := parse(one.text), Roll)]
        if read and len(read[-1][1].dice) == 1:
            one, roll = read[-1]
            desk.recall(self._throw(FromBox(one.device, roll, one.at), roll))

    def _press(self, event: Press, heard: Heard) -> None:
        """A button acts like the person at the table whose moment it is; it is no director. Of the cube it is that person's word who was
        on when it was pressed: reported later, it is not the other's."""
        if time.monotonic() - heard.at > STALE:  # as a throw: what was meant then is not what is on now
            self._desk.hear(heard)
            return
        if event.button is Button.DIRECTOR and self._desk.state.seq:
            self._desk.hear(heard, Ruled("director", because("director_called")))
            return
        for _ in range(3):  # what is logged meanwhile makes no press too late: it is judged by what holds then
            command = command_of(event.button, self._desk.state)
            if command is None:
                self._desk.hear(heard)
                return
            if not isinstance(command, c.PressClock):  # which names its player
                command = replace(command, seen_seq=min(command.seen_seq, self._seq_at(heard.at)))
            outcome = self._desk.command(command, heard)
            if not isinstance(outcome, c.Refused) or outcome.reason.code != "stale":
                break
        if isinstance(outcome, c.Refused):
            if outcome.reason.code == "store_failed":
                raise JournalError(str(outcome.reason.get("text")))
            self._desk.hear(heard)

    def _seq_at(self, at: float) -> int:
        """The last event that was logged by the time ``at``."""
        return next((seq for when, seq in reversed(tuple(self._commits)) if when <= at), 0)

    # to the box --------------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        log, before = self._desk.log, self._told
        self._told = (self._desk.match, log[-1].seq if log else 0)
        if self._told == before:
            return
        another = before[0] != self._desk.match
        if another:
            self._commits.clear()
        self._commits.append((time.monotonic(), self._told[1]))
        self._show(() if another else tuple(one for one in log if one.seq > before[1]))

    def _show(self, new: Sequence[Logged]) -> None:
        what = lamp_for(new, as_told(self._desk.state, self._desk.service.rules))
        if what is not None:
            self.link.show(what)


def command_of(button: Button, state: MatchState) -> Command | None:
    """What a button means now; None when it means nothing to the match."""
    match button:
        case Button.DOUBLE:
            return c.Double(seen_seq=state.seq, role=Role.PLAYER, source=TOWER)
        case Button.TAKE:
            return c.Take(seen_seq=state.seq, role=Role.PLAYER, source=TOWER)
        case Button.DROP:
            return c.Drop(seen_seq=state.seq, role=Role.PLAYER, source=TOWER)
        case Button.NEAR | Button.FAR:
            return c.PressClock(seen_seq=state.seq, role=Role.PLAYER, source=TOWER, seat=Seat(button.value))
        case _:
            return None


def lamp_for(new: Sequence[Logged], state: MatchState) -> Show | None:
    """What lamp and buzzer say after ``new`` was logged (None: as before): a ruling where the rule set lets the referee say it aloud, else
    how the match stands, as where nothing is new: to a box that has come back, or in another match. ``state``: as the players know it."""
    aloud = state.played_by.announces_dice
    for one in reversed(new):
        match one.event:
            case RollVoid() if aloud:
                return Show.REROLL
            case IllegalPlay() if one.event.announced and state.phase is Phase.HELD:
                return Show.ILLEGAL
            case Rolled() | OpeningRolled():
                break
    if state.doubt is not None:
        return Show.DOUBT
    if state.phase is Phase.HELD:
        return None if new else Show.ILLEGAL
    return Show.READY if state.phase in (Phase.TO_ROLL, Phase.OPENING) else Show.OFF
