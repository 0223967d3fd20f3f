"""Whether the board still stands where it was found, and where it stands now when it was bumped or the camera turned a little.

Corners and edges of the board itself are followed from a picture of it in its known place. Checkers come and go, so where they stood then
is left out; rails, bar, points and ornaments stay, and most of what is followed tells one motion as long as the board is in sight.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import Position
from vision.boardfile import SetUpLook
from vision.camera.sharpness import Edges, edges, scale_of
from vision.camera.torn import Whole
from vision.colours import LAYER, ring
from vision.table import Table

FEATURES = 140
MARGIN = 1.12  # of the playing field: its rails belong to the board
ENOUGH = 20  # features that must tell the same motion
SHARE = 0.4  # of those that could be followed
TOGETHER = 1.5  # px: features this near to one motion belong to it
BACK = 1.0  # px: a feature followed there and back comes home to within this
FAR = 8.0  # px
STILL = 0.25  # px: where half of the features have moved by less the board stands, whatever was nudged on it
STRAIGHT = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
TURN = np.radians(25)  # no bump turns the camera by more
REACH, OFF, LIKE, QUARTERS = 8, 1.0, 0.35, 3  # px within which a quarter of the board is looked for, how far from where it was it is liker
# than elsewhere, how like it is there at least, and of how many quarters that is true where the board stands
PLAIN = 128  # what is as bright as what lies around it; a black margin would be the strongest edge there is
BLED = 9  # px: so far the coarse edge of a checker reaches into what lies beside it
ABOUT = 1.15  # of a checker's width: what is left out where one stood, with its edge and some shadow


@dataclass(frozen=True, eq=False)
class Motion:
    """``table`` where the board is now; ``checkers``: how far its farthest corner has moved in the picture, in checkers; ``share`` of
    the followed features that tell so."""

    table: Table
    checkers: float
    share: float


class Anchor:
    """What the board of ``table`` looks like in ``image`` (BGR uint8 of the table's size), where it is known to stand while the
    checkers stand in ``position``."""

    def __init__(self, image: NDArray[np.uint8], table: Table, position: Position) -> None:
        self.table = table
        self._scale = scale_of(table.camera.size)  # as `edges` has it
        self.edges = edges(image)
        self._then = _plain(self.edges)
        mask = np.zeros(self._then.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(table.corners(MARGIN) * self._scale).astype(np.int32), (255,))
        board = mask > 0
        for outline in _outlines(table, position):
            cv2.fillConvexPoly(mask, np.round(outline * self._scale).astype(np.int32), (0,))
        found: Any = cv2.goodFeaturesToTrack(self._then, FEATURES, 0.01, 6, mask=mask)
        self._features = np.zeros((0, 1, 2), np.float32) if found is None else found
        self._mask = mask
        bare = cv2.erode(mask, np.ones((BLED, BLED), np.uint8)) > 0
        self._wholes = [Whole(self.edges, parts) for parts in (board, bare)]

    @classmethod
    def where(cls, look: SetUpLook | None, table: Table) -> Anchor | None:
        """The anchor of the ``look`` at which ``table`` was found, if there is one."""
        return cls(look.picture, table, look.position) if look is not None else None

    def of(self, table: Table) -> Anchor:
        """The same look of the same board, of which ``table`` says more."""
        other = copy.copy(self)
        other.table = table
        return other

    def motion(self, now: Edges) -> Motion | None:
        """Where the board is in a picture of that size with the edges ``now``; None when that cannot be told: it is covered, dark, or has
        moved too far."""
        seen = _plain(now)
        return self._told(seen) or (Motion(self.table, 0.0, 0.0) if self._stands(seen) else None)

    def _told(self, now: NDArray[np.uint8]) -> Motion | None:
        """What the followed features tell; None when they are too few, or do not agree."""
        found = self._followed(now) if len(self._features) >= ENOUGH else None
        if found is None:
            return None
        a, b, inliers, plane = found
        if inliers.any() and np.abs(b - a)[inliers[:, 0] > 0].max() > FAR:  # turned patches match badly: look again, put straight
            straight: Any = cv2.warpPerspective(now, plane, now.shape[::-1], flags=STRAIGHT, borderValue=PLAIN)
            closer = self._followed(straight)
            if closer is None:
                return None
            a, there, inliers, _ = closer
            b = np.asarray(cv2.perspectiveTransform(there[:, None], plane)[:, 0], np.float32)
        same = inliers[:, 0] > 0
        share = float(np.mean(same))
        if np.count_nonzero(same) < ENOUGH or share < SHARE:
            return None
        if float(np.median(np.linalg.norm(b - a, axis=1))) < STILL:
            return Motion(self.table, 0.0, share)
        table = _moved(self.table, a[same] / self._scale, b[same] / self._scale)
        if table is None:
            return None
        return Motion(table, moved_by(self.table, table), share)

    def _stands(self, now: NDArray[np.uint8]) -> bool:
        """Whether most of the board's quarters are nowhere liker to what they were than where they were. What is plain, dim or noisy shows
        few corners, and late in a game much is bare that checkers hid; as a whole it is known all the same."""
        w, h = (side / 2 * MARGIN for side in self.table.measures.inner)
        then, here = (np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8) for picture in (self._then, now))
        found = 0
        for x, y in ((-w, h), (w, h), (w, -h), (-w, -h)):
            quarter = self.table.camera.project(np.array([[0, 0, 0], [x, 0, 0], [x, y, 0], [0, y, 0]])) * self._scale
            found += _there(then, here, self._mask, quarter)
        return found >= QUARTERS

    def torn(self, now: Edges) -> bool:
        """Whether a picture with the edges ``now``, in which the board has not moved, is damaged, or something lies right across it. Where
        checkers stood much may have changed since; of the rest more is under checkers now. Damage spares neither."""
        return all(whole.torn(now) for whole in self._wholes)

    def _followed(self, now: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint8], Any] | None:
        """Features then and ``now`` (n, 2) px of the small pictures, which of them (n, 1) move together, and how (3, 3)."""
        # the flow's own output arrays are optional, which its types do not say
        follow: Any = cv2.calcOpticalFlowPyrLK
        there, ok, _ = follow(self._then, now, self._features, None, winSize=(21, 21), maxLevel=4)
        back, ok_back, _ = follow(now, self._then, there, None, winSize=(21, 21), maxLevel=4)
        kept = (ok[:, 0] > 0) & (ok_back[:, 0] > 0) & (np.linalg.norm(back - self._features, axis=2)[:, 0] < BACK)
        if np.count_nonzero(kept) < ENOUGH:
            return None
        a, b = self._features[kept, 0], there[kept, 0]
        plane, inliers = cv2.findHomography(a, b, cv2.RANSAC, TOGETHER)
        return None if inliers is None else (a, b, np.asarray(inliers, np.uint8), plane)


def _there(then: NDArray[np.uint8], now: NDArray[np.uint8], mask: NDArray[np.uint8], quarter: NDArray[np.float64]) -> bool:
    """Whether what the ``mask`` has of a ``quarter`` (4, 2) px lies ``now`` where it lay ``then``."""
    x0, y0 = np.maximum(np.floor(quarter.min(0)).astype(int), REACH)
    x1, y1 = np.minimum(np.ceil(quarter.max(0)).astype(int), np.array(then.shape[::-1]) - REACH)
    if min(x1 - x0, y1 - y0) < 4 * REACH:
        return False
    part = np.zeros(then.shape, np.uint8)
    cv2.fillConvexPoly(part, np.round(quarter).astype(np.int32), (1,))
    part = np.asarray(part[y0:y1, x0:x1] * (mask[y0:y1, x0:x1] > 0), np.uint8)
    about = now[y0 - REACH : y1 + REACH, x0 - REACH : x1 + REACH]
    like = np.nan_to_num(cv2.matchTemplate(about, then[y0:y1, x0:x1], cv2.TM_CCOEFF_NORMED, mask=part), posinf=0.0)
    v, u = np.unravel_index(int(like.argmax()), like.shape)
    return bool(np.hypot(u - REACH, v - REACH) <= OFF and like[v, u] >= LIKE)


def _outlines(table: Table, position: Position) -> Iterator[NDArray[np.float32]]:
    """What the checkers of ``position`` on the points hide of the board, each (n, 2) px; those of a pile as those below them."""
    circle = ring(ABOUT * table.measures.checker)
    for point, count in enumerate(position.points, start=1):
        for index in range(min(abs(count), LAYER)):
            top = np.array(table.checker_centre(point, index)) + circle
            both = table.camera.project(np.concatenate([top, top * (1, 1, 0)])).astype(np.float32)
            yield np.asarray(cv2.convexHull(both)[:, 0], np.float32)


def moved_by(before: Table, now: Table) -> float:
    """How far the board's farthest corner has moved in the picture, in checkers."""
    then, here = (t.corners() for t in (before, now))
    return float(np.linalg.norm(here - then, axis=1).max()) / max(1.0, before.checker_px)


def _moved(table: Table, then: NDArray[np.float32], now: NDArray[np.float32]) -> Table | None:
    """The camera's new pose from features (n, 2) px of the board's plane, by least squares; None for what no bump does."""
    camera = table.camera
    plane = camera.on_plane(then.astype(np.float64), 0.0)
    places = np.column_stack([plane, np.zeros(len(plane))])
    turn, _ = cv2.Rodrigues(camera.rotation)
    # The old pose projects the same places to `then` but for rounding, so what is fitted is the motion alone.
    ok, rvec, tvec = cv2.solvePnP(
        places, now.astype(np.float64), camera.matrix, camera.dist, turn.copy(), camera.translation.reshape(3, 1).copy(),
        useExtrinsicGuess=True, flags=cv2.SOLVEPNP_ITERATIVE,
    )
    if not ok:
        return None
    rotation = np.asarray(cv2.Rodrigues(rvec)[0], np.float64)
    between, _ = cv2.Rodrigues(rotation @ camera.rotation.T)
    if float(np.linalg.norm(between)) > TURN or not np.isfinite(tvec).all():
        return None
    return replace(table, camera=replace(camera, rotation=rotation, translation=np.asarray(tvec, np.float64).reshape(3)))


def _plain(seen: Edges) -> NDArray[np.uint8]:
    """Small and grey, without the light: what is brighter or darker than its surroundings."""
    grey = seen.grey - cv2.blur(seen.grey, (31, 31))
    spread = cv2.sqrt(np.maximum(cv2.blur(grey * grey, (31, 31)), 0))  # of what is plain, rounding makes it less than nothing
    return np.asarray(np.clip(PLAIN + 42 * grey / (spread + 4), 0, 255), np.uint8)
