"""The cube through a game as its record tells it, for formats that do not write its value at every turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board.matchid import LARGEST_CUBE
from referee.records.record import Action, Do, Game, Side


@dataclass(slots=True)
class TurnedCube:
    """Value and owner (None: the middle) after the actions so far; ``offered``: to what it is turned by an open double, 0 when none is."""

    value: int = 1
    owner: Side | None = None
    offered: int = 0

    def after(self, action: Action) -> int:
        """Follows one action; what the cube shows by it where it is a turn of the cube, else 0. A value that is written counts."""
        side, do = action.side, action.do
        if do is Do.DOUBLE:
            self.offered = min(action.value or 2 * self.value, LARGEST_CUBE)
            return self.offered
        if do in (Do.BEAVER, Do.RACCOON):
            # The first of them turns what was offered, the next ones what the cube shows by then.
            self.value = min(action.value or 2 * (self.offered or self.value), LARGEST_CUBE)
            self.owner, self.offered = (side if do is Do.BEAVER else self.owner), 0
            return self.value
        if do is Do.TAKE and self.offered:
            self.value, self.owner = self.offered, side
        elif do is Do.SET_CUBE:
            self.value = min(action.value, LARGEST_CUBE) or self.value
            self.owner = action.owner.side if action.owner else self.owner
        if do not in (Do.SET_POSITION, Do.UNREAD):  # a board that is put right answers no double
            self.offered = 0
        return 0


def with_values(game: Game) -> Game:
    """The game with the cube's value at every turn of it that had none."""
    cube = TurnedCube(game.cube)
    shown = [(action, cube.after(action)) for action in game.actions]
    return replace(game, actions=tuple(replace(a, value=value) if value and not a.value else a for a, value in shown))
