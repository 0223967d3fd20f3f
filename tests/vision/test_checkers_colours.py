"""What tells near's checkers from far's is learned from the set-up picture, wherever on a checker it is."""

from __future__ import annotations

import numpy as np

from referee.board.position import START
from vision.checkers_colours import disc_mask, learn_palette, likeness, likeness_table, neat_spots
from vision.checkers_strips import STRIPS, WIDE

INLAY, NEARS_RIM, FARS_RIM, FIELD = (60, 120, 190), (30, 60, 110), (160, 200, 230), (70, 110, 60)  # BGR


def test_checkers_with_the_same_inlay_are_told_by_their_rims() -> None:
    rng = np.random.default_rng(1)
    strips = np.full((STRIPS, WIDE.length, WIDE.width, 3), FIELD, np.float64)
    rims = {}
    for point, count in enumerate(START.points):
        if count:
            whole, inlay = (disc_mask(WIDE, neat_spots(count), radius) for radius in (0.5, 0.37))
            strips[point][whole] = NEARS_RIM if count > 0 else FARS_RIM
            strips[point][inlay] = INLAY
            rims[point] = whole & ~inlay
    picture = np.clip(strips + rng.normal(0, 4, strips.shape), 0, 255).astype(np.uint8)
    maps = likeness(likeness_table(learn_palette(picture)), picture)
    for point, rim in rims.items():
        near_against_far = float(np.median(maps[point][rim][:, 0]))
        assert near_against_far > 200 if START.points[point] > 0 else near_against_far < 55, point
