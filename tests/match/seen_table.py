"""A table whose camera is told what it sees: for tests of the arbiter."""

from __future__ import annotations

from typing import TypeVar

from referee.board.plays import LegalPlays
from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.commands import Accepted, AnswerDoubt, Command, StartMatch
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.match.unattended import Unattended
from referee.observations import DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet
from tests.match.test_judge import moved

NEAR, FAR = Seat.NEAR, Seat.FAR
RIGHT, LEFT = Half.RIGHT, Half.LEFT
CENTRED = SeenCube(1, None)
Kind = TypeVar("Kind", bound=e.Event)


class Table:
    """A table whose camera is told what it sees, a second later each time."""

    def __init__(self, stills: bool = True, rules: str | RuleSet = "bray", length: int = 0) -> None:
        chosen = preset(rules) if isinstance(rules, str) else rules
        self.service = TableService(MemoryJournal(), chosen, consider, Memory(stills=stills))
        self.service.command(StartMatch(seen_seq=0, names=("", ""), rules=chosen.name, length=length))
        self.alone: Unattended | None = None
        self.looks = 1 if stills else 4
        self.now = 0.0
        self.cube: SeenCube | None = CENTRED

    def see(
        self, position: Position | None, *dice: SeenDie, doubts: tuple[SeenDoubt, ...] = (), looks: int = 0, hand: bool = False
    ) -> list[str]:
        """The types of what was logged. ``position`` None: the board could not be read."""
        board = SeenPosition(position.points, position.bar) if position is not None else None
        logged: list[str] = []
        for _ in range(looks or self.looks):
            self.now += 0.5
            before = len(self.service.log)
            (self.alone or self.service).observe(Reading(dice, board, self.cube, doubts, self.now, f"{self.now}", hand=hand))
            logged += [one.event.type for one in self.service.log[before:] if one.event.type != "dice_lifted"]
        self.now += 5.0
        return logged

    @property
    def last(self) -> e.Event:
        return self.service.log[-1].event

    @property
    def phase(self) -> Phase:
        return self.service.state.phase

    def event(self, kind: type[Kind]) -> Kind:
        return next(one.event for one in reversed(self.service.log) if isinstance(one.event, kind))

    def say(self, kind: type[Command], /, **values: object) -> list[str]:
        """The types of what was logged, empty when it was refused."""
        outcome = self.service.command(kind(seen_seq=self.service.state.seq, **values))  # type: ignore[arg-type]
        return [one.event.type for one in outcome.events] if isinstance(outcome, Accepted) else []

    def answer(self, place: int | None) -> None:
        state = self.service.state
        assert state.doubt is not None
        self.service.command(AnswerDoubt(seen_seq=state.seq, doubt_seq=state.doubt.seq, answer=place))

    def left_alone(self) -> Table:
        """The same table, with nobody there to answer from here on."""
        self.alone = Unattended(self.service)
        return self


def die(value: int, half: Half | None = RIGHT, state: DieState = DieState.FLAT, place: float = 0.0) -> SeenDie:
    left = 800.0 if half is RIGHT else 200.0
    return SeenDie(value, state, half, (left + 30 * value + place, 300.0 + place))


def throw(seat: Seat, a: int, b: int, place: float = 0.0) -> tuple[SeenDie, SeenDie]:
    half = RIGHT if seat is NEAR else LEFT
    return die(a, half, place=place), die(b, half, place=place + 60)


OPENING = (die(6, RIGHT), die(2, LEFT))  # near starts with 6-2
AFTER_62 = moved(START, (24, 18), (13, 11))


def begun(stills: bool = True, rules: str | RuleSet = "bray", length: int = 0) -> Table:
    """A game in which near has played 62 and far is to roll."""
    table = Table(stills, rules, length)
    assert table.see(START) == ["game_started"]
    assert table.see(START, *OPENING) == ["opening_rolled"]
    assert table.see(AFTER_62) == ["played"]
    return table


def plays(position: Position, seat: Seat, a: int, b: int) -> list[Position]:
    return list(LegalPlays(position, seat, (a, b)).results)
