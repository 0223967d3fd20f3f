"""How like a place of a picture is to what the set-up picture shows there."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import Table

Point = tuple[float, float]
WIDTHS = (1.1, 1.5)  # edges of a die or cube, of the squares that are compared
HIDES, LEFT = 0.95, 0.35  # edges about a die's or cube's middle that it hides or shades; share of a square that must be left to tell
# anything
BUMP = 2  # px, how far the picture may have shifted since
ALIKE = 0.9  # only then are the whole pictures compared, which takes longer; a small sharp patch has less than 0.99 with itself
OTHER = 0.5  # what is less alike is something else, and how much less nobody asks
PLAIN = 5.0  # grey levels: of colours that spread less correlation tells nothing,
STIRRED = 2.5  # and what came to lie there differs from them by more than this: dice by 11 and more, the noise of a dim picture by 1.7


class Before:
    """The set-up picture ``start`` (BGR uint8), to compare later pictures with."""

    def __init__(self, start: NDArray[np.uint8]) -> None:
        self.picture = start

    def is_of(self, image: NDArray[np.uint8]) -> bool:
        """Whether ``image`` is the set-up picture itself, by what it shows: then all looks as it did, and nothing follows from that."""
        return np.array_equal(image[::7], self.picture[::7])

    def same(self, image: NDArray[np.uint8], centre: Point, edge: float, but: tuple[Point, float] | None = None) -> float:
        """How alike ``image`` is to the set-up picture in a square a little larger than a die (``edge`` px) about ``centre``: the
        correlation of their colours, 1 for unchanged (also where the bare field is as bare as it was), about 0 where something else
        lies there, or where ``image`` is that picture. What a die or cube hides and shades whose middle and edge are ``but`` (px) does not
        count."""
        like = alike(lambda side: _cut(self.picture, side, centre), image, centre, edge, but)
        return 0.0 if like > ALIKE and self.is_of(image) else like


def alike(
    was_of: Callable[[int], NDArray[np.uint8]],
    image: NDArray[np.uint8],
    centre: Point,
    edge: float,
    but: tuple[Point, float] | None = None,
) -> float:
    """`Before.same`, where ``was_of(side)`` is the square that ``image`` is compared with."""
    least = 1.0
    for width in WIDTHS:
        side = 2 * max(4, round(width * edge / 2)) + 1
        was = _soft(was_of(side + 2 * BUMP))
        now = _soft(_cut(image, side, centre))
        if but is not None:
            (x, y), wide = but
            least = min(least, _alike_but(was, now, (x - centre[0], y - centre[1]), HIDES * wide))
        elif min(_spread(was), _spread(now)) < PLAIN:
            if _difference(was, now) > STIRRED:
                return 0.0
        else:
            least = min(least, float(cv2.matchTemplate(was, now, cv2.TM_CCOEFF_NORMED).max()))
        if least < OTHER:
            break
    return least


def _alike_but(was: NDArray[np.float32], now: NDArray[np.float32], away: Point, reach: float) -> float:
    """The correlation of what of ``now`` lies farther than ``reach`` px from the place ``away`` of its middle; 0 where little is left, or
    where either is so plain that this tells nothing."""
    side = now.shape[0]
    v, u = np.mgrid[:side, :side] - side // 2
    left = np.hypot(u - away[0], v - away[1]) > reach
    if left.mean() < LEFT or min(_spread(was[BUMP:-BUMP, BUMP:-BUMP][left]), _spread(now[left])) < PLAIN:
        return 0.0
    mask = np.repeat(left[..., None], 3, 2).astype(np.float32)
    return float(np.nan_to_num(cv2.matchTemplate(was, now, cv2.TM_CCOEFF_NORMED, mask=mask), posinf=0.0).max())  # inf, nan: no spread


def moved(picture: NDArray[np.uint8], table: Table, to: Point, place: Point) -> Callable[[int], NDArray[np.uint8]]:
    """Squares of what lies at a ``place`` of the field as it would be seen if it lay at another (both cm), about that one."""
    corner = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    there, here = (table.camera.project(corner + (*at, 0.0)).astype(np.float32) for at in (to, place))

    def square(side: int) -> NDArray[np.uint8]:
        back = cv2.getAffineTransform(there - there[0] + np.float32(side // 2), here)
        return np.asarray(cv2.warpAffine(picture, back, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.uint8)

    return square


def _cut(image: NDArray[np.uint8], side: int, centre: Point) -> NDArray[np.uint8]:
    return np.asarray(cv2.getRectSubPix(image, (side, side), centre), np.uint8)


def _soft(patch: NDArray[np.uint8]) -> NDArray[np.float32]:
    return cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32)


def _difference(was: NDArray[np.float32], now: NDArray[np.float32]) -> float:
    """By how many grey levels a patch differs from where it fits best in another, how bright they are on the whole aside."""
    squares = cv2.matchTemplate(was - was.mean((0, 1)), now - now.mean((0, 1)), cv2.TM_SQDIFF)
    return float(np.sqrt(max(0.0, float(squares.min())) / now.size))


def _spread(patch: NDArray[np.float32]) -> float:
    return float(cv2.meanStdDev(patch.reshape(-1, 1, 3))[1].mean())  # a tenth of the time that numpy takes for so few pixels
