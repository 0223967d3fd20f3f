"""Shows pictures of a table as they would be, had the light not changed since set-up, when what is known of its colours was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.shade import Blocks, change_in_parts, made_good
from vision.light import Means, brightened, change_of_light, change_of_tone
from vision.table import Table


@dataclass(frozen=True, eq=False)
class SetUpLight:
    """What the ``blocks`` of a board were (rows, columns, 3) in the light of set-up."""

    blocks: Blocks
    was: Means

    @staticmethod
    def of(table: Table, start: NDArray[Any]) -> SetUpLight:
        """The light in which the board of ``table`` lay when the picture ``start`` (h, w, 3) BGR of it was taken."""
        blocks = Blocks.of(table)
        return SetUpLight(blocks, blocks.means(start))

    def moved(self, table: Table) -> SetUpLight:
        """The same light, for the board at its new place in the picture. Where it was found anew its measures are a little others than
        they were, and it may have a row of blocks more."""
        blocks = Blocks.of(table)
        rows, columns = blocks.inside.shape
        return SetUpLight(blocks, np.asarray(cv2.resize(self.was, (columns, rows))))

    def restored(self, image: NDArray[Any]) -> NDArray[Any]:
        """The picture in that light: what has changed in parts first, for a shadow may look like another tone curve, seldom the other way
        round; then the camera's curve; then its gain."""
        blocks, was = self.blocks, self.was
        now, inside = blocks.means(image), blocks.inside
        parts = change_in_parts(now, was, inside)
        if parts is not None:
            return made_good(image, parts, blocks.table)
        tone = change_of_tone(now[inside], was[inside])
        if tone is not None:
            return np.asarray(cv2.LUT(image, tone[None]))
        gain = change_of_light(now[inside], was[inside])
        return image if gain is None else brightened(image, gain)
