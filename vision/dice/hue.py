"""A die by its hues alone. A lamp that is mirrored in a die has no hue of its own, and red pips are often as dark as the black or blue die
they are on: what hides them in a picture's brightness is not there in its hues."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MIDDLE = 0.4  # edges from a die's middle within which all is its top face
DARK = 24  # grey levels that are added before colours are divided by their brightness: what is all but black has no hue to speak of
FAINTEST = 24  # the least difference of hue, in hundredths of the brightness, that is spread over all grey levels
DARKEST, BRIGHTEST = 2, 99  # percent of the top face's pixels that are darker, in the picture of its hues, than black and than white


def by_hue(crop: NDArray[np.uint8], edge: float) -> NDArray[np.uint8]:
    """A ``crop`` (BGR) about a die's middle, its edge ``edge`` px: how far each pixel's hue goes the way in which those of the top face
    differ most, the few different ones (the pips) bright; grey, three channels."""
    blue, green, red = cv2.split(crop.astype(np.float32))
    hues = np.dstack([red - green, blue - (red + green) / 2]) / ((blue + green + red) / 3 + DARK)[..., None] * 100
    y, x = np.indices(crop.shape[:2])
    height, width = crop.shape[:2]
    inner = (abs(x - (width - 1) / 2) < MIDDLE * edge) & (abs(y - (height - 1) / 2) < MIDDLE * edge)
    face = hues[inner]
    way = np.linalg.svd(face - face.mean(0), full_matrices=False)[2][0]
    along = (hues - face.mean(0)) @ way
    if np.mean((along[inner] - np.median(along[inner])) ** 3) < 0:
        along = -along
    low, high = np.percentile(along[inner], [DARKEST, BRIGHTEST])
    grey = np.clip((along - low) / max(high - low, FAINTEST) * 255, 0, 255).astype(np.uint8)
    return np.dstack([grey, grey, grey])
