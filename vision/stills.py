"""Reads single pictures, and asks of each first whether it can be read: is there light, does the board stand where it was found?

A stream is asked by `vision.camera.gate` and `vision.following`; a single picture has nothing before it but the set-up picture, and no
known position to find a moved board by.
"""

from __future__ import annotations

from dataclasses import replace

from referee.observations import About, Reading, SeenDoubt
from vision.camera.gate import Health, unlit
from vision.camera.sharpness import SOFT, edges, sharpness
from vision.finder.bumped import Anchor
from vision.following import BUMPED, STRONG
from vision.pictures import Image
from vision.reader import Reader
from vision.table import Table

NUDGED = 0.5  # checkers a board may have moved to be read where it is now: further off another scene may seem to be the board

_LIGHT = {
    Health.DARK: "the picture is too dark to read: take it with more light",
    Health.OVEREXPOSED: "the picture is too bright to read: take it with less light or a shorter exposure",
}
_MOVED = "the board does not stand where it was found at set-up: put it and the camera back, or set up again"
_SOFT = "the picture is far less sharp than that of set-up, dice may be overlooked: check the focus and take it again"
_TORN = "a part of the picture shows nothing of the board, as if it were damaged or covered: take it or copy it again"
_COVERED = "too little of the board can be seen to tell whether it stands where it was found at set-up"


class StillReader:
    """``reader`` for pictures that have nothing to do with one another. Without the look at which its table was found nothing tells whether
    the board still stands there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._anchor = Anchor.where(reader.look, reader.table)

    @property
    def table(self) -> Table:
        return self._reader.table

    def read(self, image: Image, frame: str = "") -> Reading:
        """What is in ``image`` (BGR uint8). Nothing is told, but why, where all would be wrong."""
        if not self.table.camera.fits(image):
            return self._reader.read(image, frame)  # which says what is wrong
        light = unlit(image)
        if light is not None:
            return _nothing(SeenDoubt(About.PICTURE, light.value, _LIGHT[light]), frame)
        look = self._reader.look
        if look is not None and look.is_of(image):
            image = look.picture  # by which the readers know it: dice that lie in it have not been thrown since, but are dice
        if self._anchor is None:
            return self._reader.read(image, frame)
        now = edges(image)
        motion, share = self._anchor.motion(now), sharpness(now, self._anchor.edges)
        if motion is not None and motion.checkers > BUMPED:
            if motion.checkers <= NUDGED and motion.share >= STRONG:
                return _if_sharp(share, self._reader.moved(motion.table).read(image, frame))
            return _nothing(SeenDoubt(About.BOARD, "moved", _MOVED), frame)
        if motion is not None and self._anchor.torn(now):  # which may look like an arm
            return _nothing(SeenDoubt(About.PICTURE, "torn", _TORN), frame)
        reading = _if_sharp(share, self._reader.read(image, frame))
        if motion is not None:
            return reading
        doubt = SeenDoubt(About.BOARD, "hidden", _COVERED)
        # An arm over much of the board is an everyday thing, and what it leaves is read; anything else is another scene.
        return replace(reading, doubts=(*reading.doubts, doubt)) if reading.hand else _nothing(doubt, frame)


def _if_sharp(share: float | None, reading: Reading) -> Reading:
    """``reading``, in doubt where the ``share`` of set-up's sharpness says that it is out of focus: no reader doubts a die that it does
    not see."""
    if share is None or share >= SOFT:
        return reading
    return replace(reading, doubts=(*reading.doubts, SeenDoubt(About.PICTURE, Health.BLURRED.value, _SOFT)))


def _nothing(doubt: SeenDoubt, frame: str) -> Reading:
    return Reading((), None, None, (doubt,), frame=frame)
