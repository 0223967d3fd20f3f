"""Finds the board and knows who sits where: players keep their seats for the match, wherever a camera is carried and whichever it is."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from referee.board.position import START, Position
from referee.files import patiently, write_whole
from referee.match.events import Evidence
from referee.records.pictures import Pictures
from vision.boardfile import BoardFileError, SetUpLook, board_text, load_table, table_from_text
from vision.colours import exchanged, unexchanged
from vision.finder import BoardNotFound, Corners, Side, find_table, opposite
from vision.finder.again import find_again
from vision.finder.bumped import moved_by
from vision.pictures import Image, PictureError, decode_picture, too_small_for_setup
from vision.reader import Reader, SetUp
from vision.table import Table, with_trays_of

NEAR = 2.0  # checkers between where the board stood and where it is found, from which another camera may look, or from another place
OTHER_LIGHT = 40.0  # levels of 255 by which the light has changed either player's checkers: better learn them anew than from before

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a person said about where the board is: its four inner corners (px of the whole picture), where near sits."""

    corners: Corners | None = None
    near_at: Side | None = None


class Seats:
    """Remembers the table that a match was last played on; in ``file``, where there is one, for the next start of the program too. Then
    the picture of its start is kept among the match's ``pictures``, and goes with them."""

    def __init__(self, file: Path | None = None, pictures: Pictures | None = None) -> None:
        self._file, self._pictures = file, pictures
        self._last, self._start = _read(file) if file is not None and file.exists() else (None, None)
        self._guard = threading.Lock()  # a match is deleted by another thread than that which follows the camera
        self._kept: tuple[SetUpLook, Evidence] | None = None  # the look whose picture is kept, and where

    def keep(self, match: int, table: Table, set_up: SetUp | None = None) -> None:
        """``match`` is played on ``table``, which was found at ``set_up``. Where that showed the match's start, and the board was but
        bumped since, the next start of the program is told its place of then."""
        with self._guard:
            self._last, self._start = (match, table), None
            if self._file is None:
                return
            start = self._picture(match, set_up.look) if set_up is not None and _near(set_up.table, table) else None
            if set_up is not None and start is not None:
                self._kept = set_up.look, start
                table = replace(set_up.table, trays=table.trays)
            picture = f" {start.file} {start.sha256}" if start is not None else ""
            try:
                write_whole(self._file, f"{match}{picture}\n{board_text(table)}")
            except OSError as error:
                log.warning("who sits where is not kept for the next start: %s", error)

    def _picture(self, match: int, look: SetUpLook) -> Evidence | None:
        """Where the picture of a ``look`` at the start is kept."""
        if self._pictures is None or look.position != START or look.begun:
            return None
        if self._kept is not None and self._kept[0] is look and self._kept[1].file.startswith(f"{match}/"):
            return self._kept[1]
        return self._pictures.keep(match, look.jpeg())

    def forget(self, match: int) -> None:
        """``match`` is deleted: nothing of it is kept; in the file neither, or where another program has that, until the next board."""
        with self._guard:
            if self.of(match) is None:
                return
            self._last = self._start = self._kept = None
            if self._file is None:
                return
            try:
                patiently(partial(self._file.unlink, missing_ok=True))
            except OSError as error:
                log.warning("where the board of a deleted match stood is told until the next board is found: %s", error)

    def of(self, match: int) -> Table | None:
        """The table that ``match`` was last played on."""
        return self._last[1] if self._last is not None and self._last[0] == match else None

    def begin(
        self, image: Image, known: Position, aim: Aim, match: int, before: Table | None, begun: bool
    ) -> Reader:
        """The reader of the board in ``image``, which is its look where it shows ``known`` there. In the middle of a game, and where nobody
        has said where the board is, it is also known by where it stood, and read with what the match's start showed. Raises
        `BoardNotFound`."""
        resuming = begun and aim == Aim()
        look: SetUpLook | None = SetUpLook(image, known, begun)
        try:
            table = self._find(image, known, aim, match, before)
        except BoardNotFound:
            there = self._still_there(image, known, match) if resuming else None
            if there is None:
                raise
            table, look = there, None
        return (self._resumed(table, match) if resuming else None) or Reader(table, look)

    def _find(self, image: Image, known: Position, aim: Aim, match: int, before: Table | None) -> Table:
        """The table in ``image``, on which ``known`` stands, with the trays of the one ``before``. In a match that was played on the
        players' checkers tell who is who, unless a person has said where near sits: the starting position itself looks the same from
        both chairs. Raises `BoardNotFound`, also for a picture with too few pixels to play by."""
        if too_small_for_setup(image) is not None:
            height, width = image.shape[:2]
            raise BoardNotFound(f"the picture has only {width}x{height} pixels: set the camera to at least 1280x720, or take another")
        seated = self.of(match) if aim.near_at is None else None
        table = _seated(seated, image, known, aim) if seated is not None else find_table(image, known, aim.corners, aim.near_at)
        if before is None:
            return table
        if seated is not None and unexchanged(seated, table):
            return replace(table, trays=before.trays)  # near's board is the same one, from wherever it is seen
        return with_trays_of(table, before)

    def _still_there(self, image: Image, known: Position, match: int) -> Table | None:
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

    def _resumed(self, table: Table, match: int) -> Reader | None:
        """The reader of ``table``, found in the middle of ``match`` when the program started anew, with what the match's start showed: the
        cube's place, hinges and ornaments that are no dice. None where that was not kept, or the camera's place or the light is another."""
        last = self.of(match)
        if last is None or self._start is None or self._pictures is None or not _near(last, table):
            return None
        lit = max(float(np.linalg.norm(np.subtract(a, b))) for a, b in ((last.near_rgb, table.near_rgb), (last.far_rgb, table.far_rgb)))
        data = self._pictures.read(self._start) if lit < OTHER_LIGHT else None
        if data is None:
            return None
        try:
            look = SetUpLook(decode_picture(data))
        except PictureError:
            return None
        self._kept = look, self._start
        return Reader(last, look).moved(table)


def kept(board_file: Path | None) -> Table | None:
    """The board of an earlier evening, for its tray; None when there is none that can be used."""
    if board_file is None or not board_file.exists():
        return None
    try:
        return load_table(board_file)
    except BoardFileError as error:
        log.warning("%s", error)
        return None


def _near(before: Table, now: Table) -> bool:
    """Whether the board is where it stood, or was but bumped since, as the same camera sees it."""
    return before.camera.size == now.camera.size and moved_by(before, now) < NEAR


def _read(file: Path) -> tuple[tuple[int, Table] | None, Evidence | None]:
    """What `Seats.keep` wrote: the match's number, where its picture is, and the board file below them; None for anything else."""
    try:
        head, _, board = file.read_text(encoding="utf-8").partition("\n")
        match, *picture = head.split(" ")
        return (int(match), table_from_text(board, file.name)), Evidence(*picture) if len(picture) == 2 else None
    except (OSError, ValueError, BoardFileError) as error:
        log.warning("%s does not tell who sits where: %s", file.name, error)
        return None, None


def _seated(before: Table, image: Image, known: Position, aim: Aim) -> Table:
    try:
        table = find_table(image, known, aim.corners)
    except BoardNotFound as error:
        try:  # in the middle of a game the board is looked for from near's side alone, which need no longer be the lower one
            return find_table(image, known, aim.corners, opposite(before))
        except BoardNotFound:
            raise error from None
    return find_table(image, known, aim.corners, opposite(table)) if exchanged(before, table) else table
