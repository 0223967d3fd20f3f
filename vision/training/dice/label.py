"""What a training crop of a die or cube says of itself."""

from __future__ import annotations

import numpy as np

CROP, EDGE, CUBE_EDGE = 144, 42.0, 66.0  # a crop's side, a die's and a cube's edge in it, px; fine enough for the closer look
LABEL = np.dtype([
    ("kind", "i4"), ("value", "i4"), ("tilt", "f4"), ("support", "i4"), ("quad", "f4", (4, 2)), ("elevation", "f4"), ("touch", "i4"),
    ("level", "f4", (2, 2)),  # takes the crop to what it looks like from above; 0 where the elevation tells
])  # fmt: skip
NOTHING, A_DIE, A_CUBE = 0, 1, 2  # what is not known of one is -1; the corners of a top face, ``quad``, then lie all in the middle
