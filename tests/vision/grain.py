"""The noise that every real camera has."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]


@cache
def _grain(noise: float) -> list[tuple[Image, Image]]:
    """What pictures of 1280x720 are brighter by, and what they are darker by: with ``noise`` grey levels of deviation, five times."""
    rng = np.random.default_rng(1)
    grain = [rng.normal(0, noise, (720, 1280, 1)).astype(np.int16).repeat(3, axis=2) for _ in range(5)]
    return [(np.maximum(one, 0).astype(np.uint8), np.maximum(-one, 0).astype(np.uint8)) for one in grain]


def grainy(image: Image, count: int, noise: float = 3.0) -> Image:
    """``image`` (no larger than 1280x720) as the ``count``-th of a stream."""
    height, width = image.shape[:2]
    more, less = (one[:height, :width] for one in _grain(noise)[count % 5])
    return np.asarray(cv2.subtract(cv2.add(image, more), less))
