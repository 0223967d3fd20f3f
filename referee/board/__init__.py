"""The board: positions, legal plays, notation and position IDs."""

from referee.board.difference import Change, difference, explaining_rolls
from referee.board.ids import IdError, position_from_id, position_to_id
from referee.board.matchid import (
    GameState,
    MatchInfo,
    gnubgid_from_text,
    gnubgid_to_text,
    match_from_id,
    match_to_id,
    turned,
    xgid_from_text,
    xgid_to_text,
)
from referee.board.notation import Fault, NotationError, Parsed, Path, format_moves, format_play, parse_paths, parse_play
from referee.board.plays import BAR, OFF, LegalPlays, Move, Play, make
from referee.board.position import CHECKERS, START, Position, Seat

__all__ = [
    "BAR",
    "CHECKERS",
    "OFF",
    "START",
    "Change",
    "Fault",
    "GameState",
    "IdError",
    "LegalPlays",
    "MatchInfo",
    "Move",
    "NotationError",
    "Parsed",
    "Path",
    "Play",
    "Position",
    "Seat",
    "difference",
    "explaining_rolls",
    "format_moves",
    "format_play",
    "gnubgid_from_text",
    "gnubgid_to_text",
    "make",
    "match_from_id",
    "match_to_id",
    "parse_paths",
    "parse_play",
    "position_from_id",
    "position_to_id",
    "turned",
    "xgid_from_text",
    "xgid_to_text",
]
