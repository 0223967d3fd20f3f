"""Which position is known to stand on the board, to find it again by. It is never read with."""

from __future__ import annotations

from referee.board.position import START, Position
from referee.match.state import IN_GAME, MatchState


def known_position(state: MatchState) -> Position:
    """The last committed position; between games the starting position, which is being set up."""
    return state.position if state.game and state.play_phase in IN_GAME else START
