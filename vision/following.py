"""Reads a stream of settled pictures of one table, wherever its board stands by now.

Before a picture is read it is asked whether the board is still where it was found. A board that was bumped, or a camera that was
turned a little, is found again; while it is not, nothing is read, for a reading in the wrong place would be wrong without a doubt.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from contextlib import suppress
from enum import Enum

from referee.board.position import Position
from referee.observations import About, Reading
from vision.camera.sharpness import edges
from vision.colours import standing
from vision.finder.again import find_again
from vision.finder.bumped import Anchor, Motion, moved_by
from vision.finder.pose import FEW
from vision.finder.search import BoardNotFound
from vision.pictures import Image
from vision.reader import Reader
from vision.table import Table, Tray

BUMPED = 0.12  # checkers: readers do not mind less
ALIKE = 0.3  # checkers between where the features and where the checkers tell that the board is: further apart the features have locked
# on to the next point but one (2 checkers), where the board looks alike; nearer than 0.23 otherwise
LOST_AFTER = 3.0  # s without finding the board again: it is said
COVERED = 10.0  # s, where it looks as if something lay over the board
STRONG = 0.8  # share of the followed features by which a motion is believed though too few checkers stand to confirm it
PLACE_AGAIN = 1.0  # s between looks at whether the board is where its file says, until one tells


class Where(Enum):
    """What has become of the board. HERE: as it was; FOUND: it had moved and has been found again; AWAY: it has moved, and is being
    looked for; LOST: it was not found again, the camera or the board must be put back or set up again; TORN: the picture is damaged."""

    HERE = "here"
    FOUND = "found"
    AWAY = "away"
    LOST = "lost"
    TORN = "torn"


MOVED = {
    Where.FOUND: "The board had moved a little and was found again.",
    Where.AWAY: "The board is not where it stood: looking for it.",
    Where.LOST: "The board or the camera was moved and is not found again: put it back, or set up again.",
    Where.TORN: "A part of the picture is damaged or covered: nothing is read until it is whole.",
}
"""What is said of it."""


class Placed(Enum):
    """How it is known where the board is. SEEN: it was seen there. TOLD: its file says so, which may be of another evening; it is read
    there until it is seen elsewhere. RECKONED: it was there in pictures of another size, and is not read before it is seen in these."""

    SEEN = "seen"
    TOLD = "told"
    RECKONED = "reckoned"


class Following:
    """``reader`` follows its board: what this looks like is told by the look at which it was found, else by the first picture that is read.
    ``known`` gives the last committed position: it helps to find a moved board, and is never read with."""

    def __init__(self, reader: Reader, known: Callable[[], Position]) -> None:
        self.reader = reader
        self._known = known
        self._anchor = Anchor.where(reader.look, reader.table)
        self._away_since: float | None = None
        self._placed = Placed.TOLD if self._anchor is None else Placed.SEEN
        self._place_due = float("-inf")  # s, of the next look whether the board is where `reader.table` says, until it was seen
        self._reading = threading.Lock()  # held while a picture is read: meanwhile `reader` may be of one place and the anchor of another
        self.where = Where.HERE

    def with_trays(self, trays: tuple[Tray, ...]) -> Following:
        """The same, with these ``trays`` about the board. It takes over from this one; where that is reading in another thread, when it has
        read."""
        with self._reading:
            other = copy.copy(self)
        other.reader = other.reader.with_trays(trays)
        if other._anchor is not None:
            other._anchor = other._anchor.of(other.reader.table)
        return other

    def read(self, image: Image, frame: str, at: float) -> Reading | None:
        """The reading of a settled picture captured at ``at`` s; None while the board is not where it can be read. `where` says why."""
        with self._reading:
            return self._read(image, frame, at)

    def _read(self, image: Image, frame: str, at: float) -> Reading | None:
        if not self.reader.table.camera.fits(image) and not self._resized((image.shape[1], image.shape[0])):
            return self._seen(image, frame, at)  # which says what is wrong
        if self._placed is not Placed.SEEN and at >= self._place_due:
            self._place_due = at + PLACE_AGAIN
            elsewhere = self._elsewhere(image)
            if elsewhere is not None:
                return self._found(elsewhere, image, frame, at)
        if self._placed is Placed.RECKONED:
            self._missed(LOST_AFTER, at)
            return None
        anchor = self._anchor or self._take_anchor(image)
        now = edges(image)
        motion = anchor.motion(now)
        if motion is None or motion.checkers > BUMPED:
            return self._look_again(image, frame, at, motion)
        if anchor.torn(now):  # which may look like an arm
            self.where = Where.TORN
            return None
        self.where = Where.HERE
        reading = self._seen(image, frame, at)
        if self._placed is Placed.TOLD and self._agrees(reading):
            self._placed = Placed.SEEN
        if self._placed is Placed.SEEN or not reading.hand:
            self._away_since = None
        elif self._not_for(COVERED, at):  # the board's file names a place where no board is: that looks like a hand over it
            self.where = Where.LOST
            return None
        return reading

    def _resized(self, size: tuple[int, int]) -> bool:
        """The camera's pictures have another ``size``: whether they can show the same. That they do, and not a part of it, is told by
        the known position; nothing is read before."""
        table = self.reader.table.resized(size)
        if table is None:
            return False
        self.reader = self.reader.moved(table)
        self._anchor, self._placed, self._place_due = None, Placed.RECKONED, float("-inf")
        return True

    def _seen(self, image: Image, frame: str, at: float) -> Reading:
        return self.reader.read(image, frame=frame, captured_at=at, stream=True)

    def _found(self, table: Table, image: Image, frame: str, at: float) -> Reading:
        """The reading of a board that was found again, where ``table`` says."""
        self.reader = self.reader.moved(table)
        self._take_anchor(image)
        self.where, self._away_since = Where.FOUND, None
        return self._seen(image, frame, at)

    def _missed(self, patience: float, at: float) -> None:
        """The board is away, and lost once it was for ``patience`` s."""
        self.where = Where.LOST if self._not_for(patience, at) else Where.AWAY

    def _not_for(self, patience: float, at: float) -> bool:
        """Whether the board has not been seen for ``patience`` s."""
        self._away_since = at if self._away_since is None else self._away_since
        return at - self._away_since >= patience

    def _elsewhere(self, image: Image) -> Table | None:
        """A board file may be of another evening: where the known position stands elsewhere, that is where the board is. None where it
        was not found elsewhere; a hand, or another position, may keep one picture from telling."""
        table = _again(image, self._known(), self.reader.table)
        if table is None:
            return None
        self._placed = Placed.SEEN
        return table if moved_by(self.reader.table, table) > BUMPED else None

    def _agrees(self, reading: Reading) -> bool:
        """Whether just the known position was read, undoubted."""
        sure = all(doubt.about is About.CUBE for doubt in reading.doubts)
        return sure and reading.position is not None and reading.position.points == self._known().points

    def _take_anchor(self, image: Image) -> Anchor:
        """What the board looks like from now on."""
        self._anchor = Anchor(image, self.reader.table, self._known())
        return self._anchor

    def _look_again(self, image: Image, frame: str, at: float, motion: Motion | None) -> Reading | None:
        """The board has moved, as far as ``motion`` tells: many features tell a small motion more exactly than the checkers do, and where
        few of these stand they tell it alone."""
        position = self._known()
        told = [motion.table] if motion is not None else []  # the features may have locked on to the next point but one
        table = _again(image, position, *told, self.reader.table)
        if table is None:
            if motion is None or motion.share < STRONG or len(list(standing(position))) >= FEW:
                return self._not_found(image, frame, at, motion)
            table = motion.table
        if motion is not None and moved_by(motion.table, table) <= ALIKE:
            table = motion.table
        return self._found(table, image, frame, at)

    def _not_found(self, image: Image, frame: str, at: float, motion: Motion | None) -> Reading | None:
        if motion is not None:
            self._missed(LOST_AFTER, at)
            return None
        # Nothing tells a motion: an arm or a cup over most of the board, other light, or a camera that was knocked away.
        reading = self._seen(image, frame, at)
        if not self._agrees(reading):
            self._missed(COVERED if reading.hand else LOST_AFTER, at)
            return None
        self._take_anchor(image)
        self.where, self._away_since = Where.HERE, None
        return reading


def _again(image: Image, position: Position, *starts: Table) -> Table | None:
    """Where the board is found again near the first of ``starts`` near which it is, its checkers standing in ``position``."""
    for start in starts:
        with suppress(BoardNotFound):
            return find_again(image, start, position)
    return None
