"""Writes Snowie's ``.txt`` match: the columns of ``.mat`` without its tags, and illegal plays that stood as
``62: Illegal play (POSITION LINE)`` with the board after them. gnubg reads it back byte for byte."""

from __future__ import annotations

from referee.board.position import Position
from referee.records import mat
from referee.records.record import Do, Game, Record, Side
from referee.records.turned import TurnedCube

_KEPT_APART = str.maketrans({";": ",", ")": "]", "\\": "/"})
"""What would end a field or the line in a name; gnubg takes the backslash for a sign that the semicolon behind it does not count."""


def write_snowie(record: Record) -> str:
    """``record`` as text with LF line ends, to be written as UTF-8."""
    lines = mat.columns(record, lambda game, index, cube: _illegal(record, game, index, cube))
    return f" {record.length} point match\n\n" + lines


def _illegal(record: Record, game: Game, index: int, cube: TurnedCube) -> str | None:
    """The words for an illegal play at ``index`` of the game's actions, None for every other action; ``cube`` as it stands then."""
    action = game.actions[index]
    if action.do is not Do.ROLL or action.dice is None or action.position is None:
        return None
    later = next((a.dice for a in game.actions[index + 1 :] if a.do is Do.ROLL and a.dice), (0, 0))
    line = _position_line(record, game, action.side.other, action.position, cube, later)
    return f"{action.dice[0]}{action.dice[1]}: Illegal play ({line})"


def _position_line(record: Record, game: Game, on_roll: Side, position: Position, cube: TurnedCube, dice: tuple[int, int]) -> str:
    """Snowie's one-line position as gnubg 1.07 writes it: from the roller's 1-point, his checkers positive."""
    me, other = on_roll.seat, on_roll.other.seat
    names = [name.replace("Game ", "Game_") for name in mat.names_of(record)]  # gnubg begins a game at every line with "Game "
    own, theirs = position.side(me), position.side(other)
    points = [own[p] - theirs[23 - p] for p in range(24)]
    fields: list[int | str] = [
        record.length,
        int(bool(record.jacoby)),
        0,
        int(record.length == 0),
        on_roll.other.index,  # who played; with the other number gnubg takes each player's checkers for the other's
        names[on_roll.index],
        names[on_roll.other.index],
        int(bool(game.crawford)),
        game.score[on_roll.index],
        game.score[on_roll.other.index],
        cube.value,
        0 if cube.owner is None else 1 if cube.owner is on_roll else -1,
        -theirs[24],
        *points,
        own[24],
        *dice,
    ]
    return "".join(f"{str(f).translate(_KEPT_APART)};" for f in fields)
