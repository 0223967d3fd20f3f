"""Finds the board and knows who sits where: players keep their seats for the match, wherever a camera is carried and whichever it is."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from referee.board.position import Position
from referee.files import write_whole
from vision.boardfile import BoardFileError, board_text, table_from_text
from vision.colours import exchanged, unexchanged
from vision.finder import BoardNotFound, Corners, Side, find_table, opposite
from vision.finder.again import find_again
from vision.pictures import Image
from vision.table import Table, with_trays_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a person said about where the board is: its four inner corners (px of the whole picture), where near sits."""

    corners: Corners | None = None
    near_at: Side | None = None


class Seats:
    """Remembers the table that a match was last played on; in ``file``, where there is one, for the next start of the program too."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._last = _read(file) if file is not None and file.exists() else None

    def keep(self, match: int, table: Table) -> None:
        """``match`` is played on ``table``."""
        self._last = match, table
        if self._file is None:
            return
        try:
            write_whole(self._file, f"{match}\n{board_text(table)}")
        except OSError as error:
            log.warning("who sits where is not kept for the next start: %s", error)

    def of(self, match: int) -> Table | None:
        """The table that ``match`` was last played on."""
        return self._last[1] if self._last is not None and self._last[0] == match else None

    def find(self, image: Image, known: Position, aim: Aim, match: int, before: Table | None) -> Table:
        """The table in ``image``, on which ``known`` stands, with the trays of the one ``before``. In a match that was played on the
        players' checkers tell who is who, unless a person has said where near sits: the starting position itself looks the same from
        both chairs. Raises `BoardNotFound`."""
        seated = self.of(match) if aim.near_at is None else None
        table = _seated(seated, image, known, aim) if seated is not None else find_table(image, known, aim.corners, aim.near_at)
        if before is None:
            return table
        if seated is not None and unexchanged(seated, table):
            return replace(table, trays=before.trays)  # near's board is the same one, from wherever it is seen
        return with_trays_of(table, before)

    def still_there(self, image: Image, known: Position, match: int) -> Table | None:
        """The table that ``match`` was last played on, as ``image`` shows it, where most of ``known`` stands there yet: a play was made
        while nobody looked, and only the position before it is known. None where it does not stand there any more."""
        last = self.of(match)
        if last is None:
            return None
        try:
            table = find_again(image, last, known)
        except BoardNotFound:
            return None
        return table if unexchanged(last, table) else None  # from the other side the places are the same ones, the checkers are not


def _read(file: Path) -> tuple[int, Table] | None:
    """What `Seats.keep` wrote, the match's number and the board file below it; None for anything else."""
    try:
        match, _, board = file.read_text(encoding="utf-8").partition("\n")
        return int(match), table_from_text(board, file.name)
    except (OSError, ValueError, BoardFileError) as error:
        log.warning("%s does not tell who sits where: %s", file.name, error)
        return None


def _seated(before: Table, image: Image, known: Position, aim: Aim) -> Table:
    try:
        table = find_table(image, known, aim.corners)
    except BoardNotFound as error:
        try:  # in the middle of a game the board is looked for from near's side alone, which need no longer be the lower one
            return find_table(image, known, aim.corners, opposite(before))
        except BoardNotFound:
            raise error from None
    return find_table(image, known, aim.corners, opposite(table)) if exchanged(before, table) else table
