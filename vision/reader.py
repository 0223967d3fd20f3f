"""Reads a still picture of the set-up table: checkers, dice and cube, each by its own reader."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from referee.observations import About, Reading, SeenDoubt
from vision.boardfile import SetUpLook
from vision.checkers.reader import CheckerReader
from vision.cube import CubeReader
from vision.dice.before import Point
from vision.dice.find import board_finder
from vision.dice.raised import raised
from vision.dice.reader import DiceReader
from vision.light import well_lit
from vision.table import Table, Tray

UNDER_A_HAND = (
    SeenDoubt(About.DIE, "hidden", "a hand may hide dice"),
    SeenDoubt(About.CUBE, "hidden", "a hand may hide the cube"),
)
DICE_LAY = "dice lay on the board when it was found: they count once they are thrown, or enter the throw by hand"


@dataclass(frozen=True, eq=False)
class SetUp:
    """The ``table`` as it was found, and the ``look`` at it."""

    table: Table
    look: SetUpLook


class Reader:
    """Reads pictures of one `Table`. ``look``: that at which it was found, when it is known: the readers compare the checkers with it, and
    what has lain unchanged since then is no thrown die. Once the game has begun thrown dice may lie in its picture; then only the
    checkers are learned from it."""

    def __init__(self, table: Table, look: SetUpLook | None = None) -> None:
        self.set_up = SetUp(table, look) if look is not None else None
        start = well_lit(look.picture) if look is not None else None
        self._checkers = CheckerReader(table, start, self.stood)
        before_game = look is not None and look.position == START and not look.begun
        self._stands(table, start if before_game else None)

    def _stands(self, table: Table, start: NDArray[np.uint8] | None) -> None:
        """What is told of the board of ``table``, and by ``start`` of what lies about it."""
        self.table, self._start = table, start
        self._dice, self._cube = DiceReader(table, start), CubeReader(table, start)

    @property
    def stood(self) -> Position:
        """What stood on the board when it was found; the starting position where no picture tells."""
        return self.set_up.look.position if self.set_up is not None else START

    @property
    def look(self) -> SetUpLook | None:
        """The look at which the board was found, where it still stands there."""
        return self.set_up.look if self.set_up is not None and self.set_up.table.camera is self.table.camera else None

    @property
    def dice_lay(self) -> tuple[Point, ...]:
        """Where dice plainly lay on the field in the set-up picture: while they lie there no later reading tells of them (`DICE_LAY`)."""
        if self._start is None:
            return ()
        dice, doubts = self._dice.read(self._start)
        unsure = {doubt.centre for doubt in doubts if doubt.code != "state"}  # nobody has told what they could lean on
        return tuple(die.centre for die in dice if die.half is not None and die.centre not in unsure)

    def still_lies(self, image: NDArray[np.uint8], places: tuple[Point, ...]) -> bool:
        """Whether ``image`` (BGR uint8) shows at one of the ``places`` what lay there at set-up."""
        at, seen = self._dice.at_set_up, well_lit(image)
        return at is not None and any(at.unchanged(seen, place, self.table.die_px) for place in places)

    def moved(self, table: Table) -> Reader:
        """The same reader, with what it has learned at set-up, for the board at its new place in the picture."""
        other = copy.copy(self)
        other._checkers = self._checkers.moved(table)
        other._stands(table, None if self._start is None else _put(self._start, self.table, table))
        return other

    def with_trays(self, trays: tuple[Tray, ...]) -> Reader:
        """The same reader, with what it has learned, of the board where it is, with these ``trays`` about it."""
        other = copy.copy(self)
        other._stands(replace(self.table, trays=trays), self._start)
        return other

    def read(self, image: NDArray[np.uint8], frame: str = "", captured_at: float = 0.0, stream: bool = False) -> Reading:
        """Everything in ``image`` (BGR uint8 of the size the table was set up with). ``stream``: it is one of many, and points that look
        as they did need not be looked at again."""
        if not self.table.camera.fits(image):
            height, width = image.shape[:2]
            doubt = SeenDoubt(About.PICTURE, "size", _another_size((width, height), self.table), values=(width, height))
            return Reading((), None, None, (doubt,), captured_at, frame)
        image = well_lit(image)
        with _begun(partial(board_finder(self.table).find, image)):  # which keeps what it finds
            checkers = self._checkers.read(image, stream)
        dice, dice_doubts = self._dice.read(image, None if checkers.hand else raised(self.table, checkers.position, checkers.doubts))
        cube, cube_doubts = self._cube.read(image, dice)
        dice, dice_doubts = self._cube.others(cube, cube_doubts, dice, dice_doubts)
        covered = checkers.hand or any(doubt.code == "hidden" for doubt in checkers.doubts)
        doubts = (*checkers.doubts, *dice_doubts, *cube_doubts, *(UNDER_A_HAND if covered else ()))
        return Reading(tuple(dice), checkers.position, cube, doubts, captured_at, frame, hand=checkers.hand)


@contextmanager
def _begun(work: Callable[[], object]) -> Iterator[None]:
    """Has ``work`` that will be asked for done on another core meanwhile, where there is one."""
    thread = Thread(target=work, name="meanwhile")
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _put(start: NDArray[np.uint8], before: Table, now: Table) -> NDArray[np.uint8]:
    """The set-up picture with the board of ``before`` where ``now`` has it."""
    then, here = (t.corners().astype(np.float32) for t in (before, now))
    plane = cv2.getPerspectiveTransform(then, here)
    return np.asarray(cv2.warpPerspective(start, plane, now.camera.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _another_size(size: tuple[int, int], table: Table) -> str:
    """Why a picture of this ``size`` (width, height) is not read."""
    (width, height), (w, h) = size, table.camera.size
    return f"the picture has {width}x{height} pixels, the board was set up with {w}x{h}: set up again"
