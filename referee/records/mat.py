"""Writes a match record in Jellyfish's `.mat` text, byte for byte as GNU Backgammon writes it (the steps of a play in the record's order).

Left column from character 6, right column from 34 (counted from 1); rolls with the higher number first, one ``from/to`` a die, 25 the
bar, 0 off, ``*`` after the first arrival that hits. The format has no resignations (a win while the game runs says it), no Crawford mark
(a tag may say that there is none), no automatic doubles and no illegal plays: those are written as if legal. A board and a cube that were
set by hand, and one that an illegal play left, have a line of their own, ``; Set Pos=``, as eXtreme Gammon writes it
and GNU Backgammon reads it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from referee.board.matchid import xgid_board
from referee.board.plays import LegalPlays
from referee.board.position import START, Position
from referee.match.names import JOINERS
from referee.records.record import Action, Do, Game, Record, Side, Step
from referee.records.turned import TurnedCube, with_values
from referee.rules.scoring import match_point

_CUBE = {Do.DOUBLE: " Doubles => {}", Do.TAKE: " Takes", Do.DROP: " Drops", Do.BEAVER: " Beavers => {}", Do.RACCOON: " Beavers => {}"}
"""One word for both, as gnubg writes it: it passes over "Raccoons", and counts the game at half."""
_NAME_BYTES = 31
SETS = (Do.SET_POSITION, Do.SET_CUBE)


def write_mat(record: Record) -> str:
    """``record`` as text with LF line ends, to be written as UTF-8."""
    tags = list(record.tags)
    if record.crawford is False and record.length > 1 and not record.tag("Crawford"):
        tags.append(("Crawford", "Off"))  # else readers take the first game at match point for one
    lines = [f'; [{tag} "{_tag_value(value)}"]' for tag, value in tags]
    head = "\n".join([*lines, "", f" {record.length} point match", "", ""])
    return head + columns(record)


Instead = Callable[[Game, int, TurnedCube], str | None]
"""``instead(game, index, cube)`` may give other words for the action at ``index``, before which the cube stands so."""


def columns(record: Record, instead: Instead = lambda game, index, cube: None) -> str:
    """The games in two columns."""
    left, right = names_of(record)
    return "".join(_game(game, left, right, instead) for game in record.games)


def names_of(record: Record) -> tuple[str, str]:
    """Both names as the columns can hold them, told apart."""
    left, right = (_name(name, default) for name, default in zip(record.names, ("Near", "Far"), strict=True))
    return left, f"{_name(right, 'Far', _NAME_BYTES - 2)} 2" if left == right else right


def leaves_out_rolls(record: Record) -> bool:
    """Whether a roll that was not played is not written, because readers would play it."""
    for game in record.games:
        board = _Board()
        if any(_field(action, board) is None and action.do is Do.ROLL for action in with_values(game).actions):
            return True
    return False


def other_crawford(record: Record) -> bool:
    """Whether readers, who take the first game at match point for the Crawford game, take another than was played as such, or one where it
    came before the record."""
    if record.crawford is False:
        return False  # is written as a tag
    taken = next((game for game in record.games if match_point(record.length, game.score)), None)
    return any(game.crawford is not None and game.crawford != (game is taken) for game in record.games)


def unsaid_by_hand(record: Record) -> tuple[bool, bool]:
    """Whether a board that was set by hand is none that `columns` can say, and whether a cube is none: in the middle it shows one, else it
    does not."""
    board = cube = False
    for game in record.games:
        follows = TurnedCube(game.cube)
        for action in game.actions:
            follows.after(action)
            board = board or (action.do is Do.SET_POSITION and (action.position is None or bool(action.position.defects())))
            cube = cube or (action.do is Do.SET_CUBE and (follows.value == 1) != (follows.owner is None))
    return board, cube


def _game(game: Game, left: str, right: str, instead: Instead) -> str:
    rows, board, cube = _Rows(), _Board(), TurnedCube(game.cube)
    for index, action in enumerate(with_values(game).actions):
        if not board.told and action.do not in SETS and not cube.offered:  # the answer to a double follows it at once
            rows.put_apart(_set_pos(board, cube))
        words = _field(action, board)
        if (others := instead(game, index, cube)) is not None:
            words, board.told = others, True
        cube.after(action)
        if words is not None:
            rows.put(action.side, words)
    if not board.told and game.actions[-1].do is not Do.DROP:
        rows.put_apart(_set_pos(board, cube))
    names = f" {f'{left} : {game.score[0]}':<29s}  {right} : {game.score[1]}\n"  # readers part them at two spaces
    return f" Game {game.number}\n{names}{rows.text}{_end(game, rows.column)}\n"


class _Rows:
    """The numbered rows of a game, a field for each player in them; ``column``: whose field is written next."""

    def __init__(self) -> None:
        self.text, self.column, self._row = "", Side.LEFT, 1

    def put(self, side: Side, words: str) -> None:
        """Writes ``words`` into the next field of ``side``; one of the other player before it stays empty."""
        if self.column is not side:
            self._next("")
        self._next(words)

    def put_apart(self, line: str) -> None:
        """A ``line`` of its own, where there is one; the row that it breaks off goes on in the next."""
        if line and self.column is Side.RIGHT:
            self._next("")
        self.text += line

    def _next(self, words: str) -> None:
        if self.column is Side.LEFT:
            self.text += f"{self._row:3d}) {words:<27s} "
        else:
            self.text += f"{words}\n"
            self._row += 1
        self.column = self.column.other


def _set_pos(board: _Board, cube: TurnedCube) -> str:
    """How the board and the cube stand where the fields do not tell it; empty where that cannot be said of the board."""
    board.told, position = True, board.position()
    if position is None:
        return ""
    power = "" if cube.owner is None else f"{'-' if cube.owner is Side.LEFT else ''}{cube.value.bit_length() - 1}"
    return f"; Set Pos={xgid_board(position)}/{power or 0}\n"


def _end(game: Game, column: Side) -> str:
    """The game's last line; a drop in the left column has its win beside it."""
    half_row = "\n" if column is Side.RIGHT else ""
    if game.winner is None:
        return half_row
    wins = f"Wins {game.points} point{'' if game.points == 1 else 's'}"
    if half_row and game.actions and game.actions[-1].do is Do.DROP:
        return f" {wins} \n"
    return f"{half_row}{' ' * (6 if game.winner is Side.LEFT else 34)}{wins}\n"


def _field(action: Action, board: _Board) -> str | None:
    if action.do is Do.ROLL and action.dice is not None:
        if action.steps is None and action.position is None and len(board.plays(action.side, action.dice)) == 1:
            return None  # readers would play the forced play for the player who did not
        steps = board.play(action.side, action.steps or ())
        if action.position is not None:
            board.told = False  # gnubg makes another play of one that goes beyond its dice
            board.set(action.position)
        return f"{max(action.dice)}{min(action.dice)}: " + " ".join(steps) + (" " if 0 < len(steps) < 4 else "")
    if action.do is Do.SET_POSITION and action.position is not None:
        board.set(action.position)
    if action.do in SETS:
        board.told = False
    if action.do in _CUBE:
        return _CUBE[action.do].format(action.value)
    return None


class _Board:
    """Where the checkers stand while a game is written, to know which steps hit. ``told``: what is written so far tells it."""

    told = True

    def __init__(self) -> None:
        self.set(START)

    def set(self, position: Position) -> None:
        self.counts = {side: [position.on_point(side.seat, point) for point in range(26)] for side in Side}

    def position(self) -> Position | None:
        """None where the record has lost track of the checkers."""
        left, right = (tuple(self.counts[side][1:]) for side in Side)
        try:
            found = Position.from_sides(left, right)
        except ValueError:
            return None
        return None if found.defects() else found

    def plays(self, side: Side, dice: tuple[int, int]) -> LegalPlays | tuple[()]:
        """The legal plays of a roll; none where nobody knows on which board."""
        position = self.position()
        return LegalPlays(position, side.seat, dice) if position is not None else ()

    def play(self, side: Side, steps: tuple[Step, ...]) -> list[str]:
        """Makes ``steps`` whatever they are, and writes them."""
        own, theirs = self.counts[side], self.counts[side.other]
        written = []
        for source, target in steps:
            hit = 1 <= target <= 24 and theirs[25 - target] == 1
            own[source] -= 1
            own[target] += 1
            if hit:
                theirs[25 - target] = 0
                theirs[25] += 1
            written.append(f"{source}/{target}{'*' if hit else ''}")
        return written


def _name(name: str, default: str, most: int = _NAME_BYTES) -> str:
    """A name that keeps the columns apart: no colon, no control characters, no double spaces, at most ``most`` bytes."""
    shown = (c if c in JOINERS else " " if unicodedata.category(c)[0] == "C" else "-" if c == ":" else c for c in name)
    clean = " ".join("".join(shown).split())
    while len(clean.encode()) > most:
        clean = clean[:-1].rstrip(f" {JOINERS}")
    return clean or default


def _tag_value(value: str) -> str:
    return " ".join(value.replace('"', "'").split())
