"""What a tower says, and the moments of a match at which it says so, for the tests of camera and tower."""

from __future__ import annotations

from referee.board import LegalPlays, Seat, format_play
from referee.match.arbiter.memory import Memory
from referee.match.commands import EnterRoll, StartGame, StartMatch
from referee.match.events import Event, Logged, OpeningRolled, Played, Rolled
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.state import MatchState
from referee.match.table import TableService, open_table
from referee.observations import DieState, Reading, Rests, SeenDie, TowerThrow
from referee.rules.presets import preset

BRAY = preset("bray")
ROLL = (Rolled(Seat.FAR, (6, 2)),)


def to_roll(rules: str = "bray") -> MatchState:
    """Near opened 3-1 and played; far is to roll."""
    table = open_table(MemoryJournal(), rules)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules=rules))
    table.command(StartGame(seen_seq=table.state.seq))
    state = table.state
    play = next(iter(LegalPlays(state.position, Seat.NEAR, (3, 1))))
    events: list[Event] = [
        OpeningRolled(Seat.NEAR, (3, 1)),
        Played(Seat.NEAR, (3, 1), format_play(play), play.result),
    ]
    for event in events:
        state = apply(state, Logged(state.seq + 1, event))
    return state


def playing_on(rules: str, *events: Event) -> MatchState:
    """Far plays 6-2."""
    state = to_roll(rules)
    for event in (Rolled(Seat.FAR, (6, 2)), *events):
        state = apply(state, Logged(state.seq + 1, event))
    return state


def opening(rules: str = "bray") -> MatchState:
    table = open_table(MemoryJournal(), rules, clock=lambda: 0.0)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules=rules))
    table.command(StartGame(seen_seq=table.state.seq))
    return table.state


def playing(journal: MemoryJournal, opening: bool = True) -> TableService[Memory]:
    """Near has opened with 3-1, if ``opening``; the box keeps its dice inside."""
    table = open_table(journal, clock=lambda: 10.0)
    table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, rules="bray"))
    table.command(StartGame(seen_seq=table.state.seq))
    if opening:
        table.command(EnterRoll(seen_seq=table.state.seq, dice=(3, 1)))
    table.set_inside(True)
    return table


def throw(values: tuple[int | None, ...] | None, at: float = 10.0, seat: Seat | None = Seat.FAR, rests: Rests = Rests.FIELD) -> TowerThrow:
    states = tuple(DieState.FLAT if v else None for v in values) if values else ()
    return TowerThrow("oak", 1, 1, values, states, seat, at, rests)


def inside(values: tuple[int | None, ...]) -> TowerThrow:
    return throw(values, rests=Rests.INSIDE)


def look(at: float, *dice: SeenDie) -> Reading:
    """What the camera sees of the dice at a moment."""
    return Reading(dice, None, None, captured_at=at)
