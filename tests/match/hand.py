"""A person at a table that is refereed by hand, for the tests of what commands lead to."""

from __future__ import annotations

from typing import Any

from referee.board.position import Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.commands import Accepted, Command, Outcome, Refused
from referee.match.journal import MemoryJournal
from referee.match.shown.views import table_view
from referee.match.table import TableService
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet
from tests.match.random_play import never

NEAR, FAR = Seat.NEAR, Seat.FAR


class Hand:
    """A person at the table who always looks before he speaks."""

    def __init__(self, length: int = 5, rules: str | RuleSet = "bray", games: int = 0, start: bool = True, **match: object) -> None:
        chosen = preset(rules) if isinstance(rules, str) else rules
        self.table = TableService(MemoryJournal(), chosen, never, None)
        self.do(c.StartMatch, names=("Anna", "Boris"), length=length, rules=chosen.name, games=games, **match)
        if start:
            self.do(c.StartGame)

    def say(self, kind: type[Command], /, **values: Any) -> Outcome:
        return self.table.command(kind(seen_seq=self.table.state.seq, **values))

    def do(self, kind: type[Command], /, **values: object) -> list[e.Event]:
        outcome = self.say(kind, **values)
        assert isinstance(outcome, Accepted), (kind, outcome)
        return [one.event for one in outcome.events]

    def refused(self, kind: type[Command], /, **values: object) -> str:
        seq = self.table.state.seq
        outcome = self.say(kind, **values)
        assert isinstance(outcome, Refused), outcome
        assert self.table.state.seq == seq, "a refusal logs nothing"
        return outcome.reason.code

    def roll(self, *dice: int) -> None:
        self.do(c.EnterRoll, dice=dice)

    def can(self) -> set[str]:
        """The commands that the page offers."""
        return set(table_view(self.table.state, self.table.rules, director=True)["can"])

    def open(self, near: int = 3, far: int = 1, play: str = "8/5 6/5") -> None:
        self.roll(near, far)
        self.do(c.EnterPlay, play=play)

    def set(self, near: dict[int, int], far: dict[int, int], on_roll: Seat = NEAR, dice: tuple[int, int] | None = None) -> None:
        """Both players' checkers, by their own points; the rest is off."""
        sides = [tuple(side.get(point, 0) for point in range(1, 26)) for side in (near, far)]
        self.do(c.SetPosition, position=Position.from_sides(sides[0], sides[1]))
        self.do(c.SetTurn, seat=on_roll, dice=dice)
