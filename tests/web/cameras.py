"""Cameras that show what a test wants, and a match before them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.match import commands as c
from vision.camera.source import Frame, Source
from vision.pictures import load_picture
from web.desk import Desk

PICTURES = Path(__file__).parents[2] / "web" / "demo" / "pictures"


AGAIN_S = 0.25
"""Until a picture is shown again that was dealt with: to read the same one over and over tells nothing, and takes a whole core."""


class Still(Source):
    """A camera whose picture is changed by hand: another one is shown at once. ``passed``: the one that was dealt with last."""

    live = True

    def __init__(self, image: NDArray[np.uint8]) -> None:
        super().__init__("camera")
        self.image = image
        self.passed: NDArray[np.uint8] | None = None

    def __iter__(self) -> Iterator[Frame]:
        for i in itertools.count():
            image = self.image
            yield Frame(image, f"{i:06d}", 1.0 * i, still=True)
            self.passed, again = image, time.monotonic() + AGAIN_S
            while self.image is image and time.monotonic() < again and not self._closed.wait(0.02):
                pass
            if self._closed.is_set():
                return


def playing(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    desk.command(c.StartGame(seen_seq=desk.state.seq))


def start() -> NDArray[np.uint8]:
    return load_picture(PICTURES / "f000.jpg")


def round_about(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What a camera sees from the other long side."""
    return np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8)
