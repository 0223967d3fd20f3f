"""What lies in the picture just as it did when the table was set up: hinges, rails, the tips of points. No thrown die."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTHS = (1.1, 1.5)  # edges of a die or cube, of the squares that are compared
BUMP = 2  # px, how far the picture may have shifted since
ALIKE = 0.9  # only then are the whole pictures compared, which takes longer; a small sharp patch has less than 0.99 with itself
PLAIN = 5.0  # grey levels: of colours that spread less correlation tells nothing,
STIRRED = 2.5  # and what came to lie there differs from them by more than this: dice by 11 and more, the noise of a dim picture by 1.7


class Before:
    """The set-up picture ``start`` (BGR uint8), to compare later pictures with."""

    def __init__(self, start: NDArray[np.uint8]) -> None:
        self.picture = start

    def same(self, image: NDArray[np.uint8], centre: tuple[float, float], edge: float) -> float:
        """How alike ``image`` is to the set-up picture in a square a little larger than a die (``edge`` px) about ``centre``: the
        correlation of their colours, 1 for unchanged (also where the bare field is as bare as it was), about 0 where something else
        lies there."""
        least = 1.0
        for width in WIDTHS:
            side = 2 * max(4, round(width * edge / 2)) + 1
            was = _patch(self.picture, side + 2 * BUMP, centre)
            now = _patch(image, side, centre)
            if min(_spread(was), _spread(now)) < PLAIN:
                if _difference(was, now) > STIRRED:
                    return 0.0
            else:
                least = min(least, float(cv2.matchTemplate(was, now, cv2.TM_CCOEFF_NORMED).max()))
        if least > ALIKE and image.shape == self.picture.shape and np.array_equal(image[::7, ::7], self.picture[::7, ::7]):
            return 0.0  # the set-up picture itself
        return least


def _patch(image: NDArray[np.uint8], side: int, centre: tuple[float, float]) -> NDArray[np.float32]:
    return cv2.GaussianBlur(cv2.getRectSubPix(image, (side, side), centre), (0, 0), 0.8).astype(np.float32)


def _difference(was: NDArray[np.float32], now: NDArray[np.float32]) -> float:
    """By how many grey levels a patch differs from where it fits best in another, how bright they are on the whole aside."""
    squares = cv2.matchTemplate(was - was.mean((0, 1)), now - now.mean((0, 1)), cv2.TM_SQDIFF)
    return float(np.sqrt(max(0.0, float(squares.min())) / now.size))


def _spread(patch: NDArray[np.float32]) -> float:
    return float(cv2.meanStdDev(patch)[1].mean())  # a tenth of the time that numpy takes for so few pixels
