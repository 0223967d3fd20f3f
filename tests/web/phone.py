"""A phone that shows the table pictures of a real board: pushed as its page does, a little different each time, as a camera's are."""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

PICTURES = Path(__file__).parents[2] / "web" / "demo" / "pictures"
TRAY = np.array([[1240, 95], [1295, 93], [1336, 775], [1278, 780]]) / [1600, 900]
"""The board's own side tray in those pictures, used as a dice tower's: corners as shares of the picture."""
DICE = {5: ("f004", 877, 299), 4: ("f035", 820, 409), 3: ("f035", 836, 466), 2: ("f041", 934, 369)}
"""Where a die with that number lies on plain cloth."""


def picture(name: str) -> Any:
    return cv2.imread(str(PICTURES / f"{name}.jpg"))


def with_dice(image: Any, dice: Sequence[tuple[int, int, int]]) -> Any:
    """``image`` with dice (number, x, y) laid on it, cut from other pictures of the same board."""
    out = image.copy()
    for number, x, y in dice:
        name, cx, cy = DICE[number]
        r = 19
        out[y - r : y + r, x - r : x + r] = picture(name)[cy - r : cy + r, cx - r : cx + r]
    return out


def noisy(image: Any) -> list[bytes]:
    """``image`` as a camera sends it, a little different each time, as JPEG."""
    noise = np.random.default_rng(7)
    made = []
    for _ in range(3):
        grain = noise.integers(-2, 3, image.shape, np.int16)
        made.append(cv2.imencode(".jpg", np.clip(image + grain, 0, 255).astype(np.uint8), (cv2.IMWRITE_JPEG_QUALITY, 92))[1].tobytes())
    return made


class Phone:
    """Shows one picture again and again, on a thread of its own, until `stop`."""

    def __init__(self, url: str, image: Any) -> None:
        self._url, self._frames, self._stop = f"{url}api/v1/frames", noisy(image), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def show(self, image: Any) -> None:
        self._frames = noisy(image)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(10)

    def _run(self) -> None:
        count = 0
        while not self._stop.wait(0.2):
            count += 1
            frames = self._frames
            request = urllib.request.Request(self._url, frames[count % len(frames)], {"content-type": "image/jpeg"}, method="POST")
            try:
                urllib.request.urlopen(request, timeout=60).close()
            except OSError:  # the server is starting again, or wants no phone yet
                continue
