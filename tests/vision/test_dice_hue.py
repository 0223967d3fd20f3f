"""A die by its hues alone: `vision.dice.hue`."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice.hue import by_hue

Colour = tuple[int, int, int]  # B, G, R
EDGE = 38.0
MIDDLE = 31.5


def _face(body: Colour, pip: Colour, lamp: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A five on grey paper (64, 64, 3), where its pips are, and where its top face is."""
    crop = np.full((64, 64, 3), 170, np.uint8)
    cv2.rectangle(crop, (13, 13), (50, 50), body, -1)
    pips = np.zeros((64, 64), np.uint8)
    for x, y in ((-9, -9), (-9, 9), (9, -9), (9, 9), (0, 0)):
        cv2.circle(pips, (round(MIDDLE + x), round(MIDDLE + y)), 3, 255, -1)
    crop[pips > 0] = pip
    if lamp:
        cv2.line(crop, (20, 22), (44, 40), (230, 230, 230), 2)
    face = np.zeros((64, 64), bool)
    face[15:49, 15:49] = True
    return crop, pips > 0, face


@pytest.mark.parametrize("lamp", [False, True])
@pytest.mark.parametrize(("body", "pip"), [((70, 70, 70), (45, 45, 130)), ((130, 80, 60), (65, 70, 125)), ((60, 60, 190), (60, 150, 150))])
def test_pips_stand_out_that_are_as_dark_as_the_die_and_a_lamp_does_not(body: Colour, pip: Colour, lamp: bool) -> None:
    crop, pips, face = _face(body, pip, lamp)
    grey = by_hue(crop, EDGE)[..., 0].astype(float)
    mirrored = face & (crop.min(2) > 220)
    bare = face & ~pips & ~cv2.dilate((pips | mirrored).astype(np.uint8), np.ones((3, 3))).astype(bool)
    assert np.mean(grey[pips & ~mirrored]) > np.mean(grey[bare]) + 120
    if lamp and max(body) - min(body) < 20:  # of a die without a hue of its own the lamp has the same one: none
        assert np.mean(grey[mirrored]) < np.mean(grey[bare]) + 40


@given(st.integers(0, 255), st.integers(0, 2**31 - 1))
def test_any_crop_has_a_picture_of_its_hues(level: int, seed: int) -> None:
    noise = np.random.default_rng(seed).integers(-3, 4, (64, 64, 1))
    crop = np.repeat(np.clip(level + noise, 0, 255), 3, 2).astype(np.uint8)
    seen = by_hue(crop, EDGE)
    assert seen.shape == crop.shape
    assert seen.dtype == np.uint8
    assert np.ptp(seen[20:44, 20:44].astype(int)) <= 40 or level < 8  # what has no hue shows none
