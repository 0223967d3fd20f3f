"""What tells near's checkers from far's is learned from the set-up picture, wherever on a checker it is."""

from __future__ import annotations

import numpy as np

from referee.board.position import START
from vision.checkers.colours import Palette, disc_mask, learn_palette, likeness, likeness_table, neat_spots
from vision.checkers.strips import STRIPS, WIDE

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


def test_a_colour_that_is_common_to_both_players_tells_nothing_and_a_rare_one_less_than_a_common_one() -> None:
    marble, glint, nears, fars = (200, 200, 200), (250, 250, 250), (40, 60, 150), (60, 140, 60)
    near = np.array([[*nears, 60], [*marble, 38], [*glint, 2]], np.float32)
    far = np.array([[*fars, 60], [*marble, 20], [*glint, 20]], np.float32)
    shown = np.array([nears, fars, marble, glint], np.uint8)
    near_against_far = likeness(likeness_table(Palette(near, far, np.zeros((0, 4), np.float32))), shown)[:, 0].astype(int)
    assert near_against_far[0] > 230
    assert near_against_far[1] < 25
    assert abs(near_against_far[2] - 128) < 64
    assert near_against_far[3] < near_against_far[2]


def test_what_is_learned_of_a_picture_is_the_same_wherever_a_colour_was_seen() -> None:
    rng = np.random.default_rng(2)
    strips = rng.choice(np.array([INLAY, NEARS_RIM, FARS_RIM, FIELD], np.uint8), (STRIPS, WIDE.length, WIDE.width))
    side_by_side = likeness_table(learn_palette(strips))
    for strip in strips[1:]:
        strip[:] = strip[:, ::-1]  # the masks are alike on both sides of a strip's middle
    assert np.array_equal(likeness_table(learn_palette(strips)), side_by_side)
