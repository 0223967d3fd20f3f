"""Shows pictures of a table as they would be, had the light not changed since set-up, when what is known of its colours was learned."""

from __future__ import annotations

from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import brightened, change_of_light, change_of_tone
from vision.shade import Blocks, change_in_parts, made_good
from vision.table import Table


class SetUpLight:
    """The light in which the board of ``table`` lay when the picture ``start`` (h, w, 3) BGR of it was taken."""

    def __init__(self, table: Table, start: NDArray[Any]) -> None:
        self._blocks = Blocks.of(table)
        self._was = self._blocks.means(start)

    def moved(self, table: Table) -> Self:
        """The same light, for the board at its new place in the picture."""
        other = object.__new__(type(self))
        other._blocks, other._was = Blocks.of(table), self._was
        return other

    def restored(self, image: NDArray[Any]) -> NDArray[Any]:
        """The picture in that light: what has changed in parts first, for a shadow may look like another tone curve, seldom the other way
        round; then the camera's curve; then its gain."""
        blocks = self._blocks
        now, inside = blocks.means(image), blocks.inside
        parts = change_in_parts(now, self._was, inside)
        if parts is not None:
            return made_good(image, parts, blocks.table)
        tone = change_of_tone(now[inside], self._was[inside])
        if tone is not None:
            return np.asarray(cv2.LUT(image, tone[None]))
        gain = change_of_light(now[inside], self._was[inside])
        return image if gain is None else brightened(image, gain)
