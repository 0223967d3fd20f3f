"""Which events of a log still count, and what it says of an event beside the event itself."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from referee.match import events as e

_TURN_ENDS = (e.GameStarted, e.Played, e.PlayCorrected, e.IllegalPlayStood, e.NoRoll, e.FirstThrowRefused, e.OpeningTied, e.GameWon)

_Chain = tuple[e.Logged, "_Chain | None"]


def effective(log: Iterable[e.Logged]) -> tuple[e.Logged, ...]:
    """The events that still count, in order: what an undo struck out is left out, and the undo itself."""
    chain: _Chain | None = None
    numbers, after = [0], [chain]  # numbers rise along a log
    for logged in log:
        if isinstance(logged.event, e.Undone):
            to = max(0, bisect_right(numbers, logged.event.to_seq) - 1)
            chain = after[to]
        else:
            chain = (logged, chain)
        numbers.append(logged.seq)
        after.append(chain)
    found: list[e.Logged] = []
    while chain is not None:
        found.append(chain[0])
        chain = chain[1]
    return tuple(reversed(found))


def stamp(at: datetime) -> str:
    """A moment (UTC) as the log has it: of two the later one is the greater text."""
    return at.isoformat(timespec="milliseconds")


def as_it_was(log: tuple[e.Logged, ...], ago: float, now: datetime, at: float) -> tuple[e.Logged, ...]:
    """The log as it was ``ago`` seconds before ``now`` (UTC), which was ``at`` on the clock of the events. What has a time to come was
    logged before the computer's clock was set back. That nobody watched is logged afterwards, and the clocks stood from when it began."""
    then, today = stamp(now - timedelta(seconds=ago)), stamp(now)
    end = next((place for place, one in enumerate(log) if then < one.captured <= today), len(log))
    if 0 < end < len(log) and isinstance(log[end].event, e.ClockStopped) and log[end].at <= at:
        end += 1
    return log[:end]


def replaced_rolls(log: Iterable[e.Logged]) -> dict[int, e.Logged]:
    """Rolls that were put right before they were played: by the number of what put it right, the roll that does not count."""
    found: dict[int, e.Logged] = {}
    roll: e.Logged | None = None
    for one in effective(log):
        event = one.event
        if roll is not None and (
            isinstance(event, e.Rolled | e.OpeningRolled | e.OpeningTied)
            or (isinstance(event, e.TurnSet) and event.seat is getattr(roll.event, "seat", None))
        ):
            found[one.seq] = roll
        if isinstance(event, e.Rolled | e.OpeningRolled):
            roll = one
        elif isinstance(event, (*_TURN_ENDS, e.TurnSet)):
            roll = None
    return found


@dataclass(frozen=True, slots=True)
class Beside:
    """What the rest of a log says of its events. ``replaced`` as `replaced_rolls`; ``raccoons``: the numbers of those turns of the cube
    at once that the doubler made, after a beaver."""

    replaced: Mapping[int, e.Logged] = field(default_factory=dict)
    raccoons: frozenset[int] = frozenset()

    @staticmethod
    def of(log: Iterable[e.Logged]) -> Beside:
        log = tuple(log)
        return Beside(replaced_rolls(log), _raccoons(log))


def _raccoons(log: Iterable[e.Logged]) -> frozenset[int]:
    doubler, found = None, set()
    for one in effective(log):
        if isinstance(one.event, e.Doubled):
            doubler = one.event.seat
        elif isinstance(one.event, e.Beavered) and one.event.seat is doubler:
            found.add(one.seq)
    return frozenset(found)
