"""Which position is known to stand on the board, to find it again by. It is never read with."""

from __future__ import annotations

from referee.board.position import START, Position
from referee.match.state import MatchState, Phase


def known_position(state: MatchState) -> Position:
    """The last committed position; between games the starting position, which is being set up."""
    between = state.play_phase in (Phase.SETTING_UP, Phase.GAME_OVER, Phase.MATCH_OVER)
    return state.position if state.game and not between else START
