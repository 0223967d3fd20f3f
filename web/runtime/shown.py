"""What the pages are given of a camera: its latest picture as JPEG with what is said of it, and places in it as shares of its width and
height."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cv2

from referee.observations import About, DieState, Reading
from vision.pictures import Image
from vision.table import Table
from web.desk import Places

WIDTH = 1280  # px, widest picture sent to the page


class Shown:
    """The latest picture (``image`` as it came, ``jpeg`` for the pages, its ``number`` counts them) and what is ``said``: the status, and a
    sentence. The thread that follows the camera tells; any may ask. ``changed`` is called after each change."""

    def __init__(self, said: tuple[str, str], changed: Callable[[], None]) -> None:
        self.said, self.changed = said, changed
        self.image: Image | None = None
        self.jpeg: bytes | None = None
        self.number: int | None = None
        self._guard = threading.Lock()

    def say(self, status: str, text: str) -> None:
        with self._guard:
            if self.said == (status, text):
                return
            self.said = status, text
        self.changed()

    def show(self, image: Image, drawn: Image) -> None:
        """``drawn``: the ``image``, or a part of it, with what was read drawn over it."""
        data = jpeg(drawn)
        with self._guard:
            self.image, self.jpeg = image, data
            self.number = (self.number or 0) + 1  # last: who is told of it gets this picture, or a later one
        self.changed()


def jpeg(image: Any) -> bytes:
    """A picture ((h, w, 3) BGR uint8), no wider than `WIDTH`."""
    height, width = image.shape[:2]
    if width > WIDTH:
        image = cv2.resize(image, (WIDTH, round(WIDTH * height / width)), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 80))
    return data.tobytes()


def tray_corners(table: Table) -> list[list[float]] | None:
    """The corners of the tray; None without one."""
    outline = next(iter(table.outlines()), None)
    return None if outline is None else [[round(float(v), 4) for v in corner / table.camera.size] for corner in outline]


def unsure_dice(reading: Reading, size: tuple[int, int]) -> Places:
    """Where the dice lie, in a picture of ``size`` (width, height) px, of which a person may be asked: those the reader doubts or saw lie
    badly, else all (at most three)."""
    doubted = {doubt.centre for doubt in reading.doubts if doubt.about is About.DIE}
    bad = [die for die in reading.dice if die.state is not DieState.FLAT or die.value is None or die.centre in doubted]
    return tuple((die.centre[0] / size[0], die.centre[1] / size[1]) for die in (bad or reading.dice)[:3])
