"""A checker's rim about a die tells that it stands on one; a neighbour's, a straight edge or grain do not."""

from __future__ import annotations

import math

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.drawn_table import table
from vision.colours import ring
from vision.dice.judge import RIM
from vision.dice.lean import RIM_POSSIBLE
from vision.dice.support import rim_score

TILT = st.sampled_from([4.0, 20.0, 40.0])
PLACE = st.tuples(st.floats(-20, 20), st.floats(-8, 8))
CHECKER = st.integers(60, 160).flatmap(lambda field: st.tuples(st.just(field), st.sampled_from([field - 55, field + 55])))


def _shown(
    tilt: float, at: tuple[float, float], grey: tuple[int, int], away: float, way: float
) -> tuple[NDArray[np.uint8], tuple[float, float]]:
    """A field of one grey with a checker of another, ``away`` cm from a die on a level with it, and the middle of this (px)."""
    board = table(tilt)
    m = board.measures
    image = np.full((1080, 1920, 3), grey[0], np.uint8)
    top = np.array([at[0] + away * math.cos(way), at[1] + away * math.sin(way), m.checker_height])
    rim = board.camera.project(top + ring(m.checker, 60))
    cv2.fillConvexPoly(image, np.round(rim * 16).astype(np.int32), [grey[1]] * 3, cv2.LINE_AA, 4)
    half = m.die / 2
    die = np.array([[x, y, m.checker_height + z] for x in (-half, half) for y in (-half, half) for z in (0, m.die)]) + (*at, 0)
    outline = cv2.convexHull(board.camera.project(die).astype(np.float32))
    cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), (235, 235, 235), cv2.LINE_AA)
    x, y = board.camera.project(np.array([*at, m.checker_height + m.die])).tolist()
    return image, (x, y)


@given(TILT, PLACE, CHECKER, st.floats(0, 1), st.floats(0, 2 * math.pi))
@settings(max_examples=40, deadline=None)
def test_the_rim_of_a_checker_under_a_die_is_seen_wherever_the_die_stands_on_it(
    tilt: float, at: tuple[float, float], grey: tuple[int, int], away: float, way: float
) -> None:
    board = table(tilt)
    image, centre = _shown(tilt, at, grey, 0.6 * away * board.measures.checker / 2, way)
    assert rim_score(image, centre, board) > RIM


@given(TILT, PLACE, CHECKER, st.floats(1.6, 2.5), st.floats(0, 2 * math.pi))
@settings(max_examples=40, deadline=None)
def test_the_rim_of_a_checker_beside_a_die_is_not_about_it(
    tilt: float, at: tuple[float, float], grey: tuple[int, int], away: float, way: float
) -> None:
    board = table(tilt)
    image, centre = _shown(tilt, at, grey, away * board.measures.checker / 2, way)
    assert rim_score(image, centre, board) < RIM_POSSIBLE


@given(TILT, PLACE, CHECKER, st.floats(-1.5, 1.5), st.floats(0, math.pi))
@settings(max_examples=40, deadline=None)
def test_a_straight_edge_is_no_rim(tilt: float, at: tuple[float, float], grey: tuple[int, int], off: float, way: float) -> None:
    board = table(tilt)
    image, centre = _shown(tilt, at, (grey[0], grey[0]), 0.0, 0.0)
    along, across = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    beyond_it = np.array([at + o * across + k * along for o, k in ((off, -60), (off, 60), (off + 60, 60), (off + 60, -60))])
    side = board.camera.project(np.column_stack([beyond_it, np.full(4, board.measures.checker_height)]))
    beyond = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(beyond, np.round(side).astype(np.int32), (1,))
    plain = (image == grey[0]).all(-1)
    image[plain & (beyond > 0)] = grey[1]
    assert rim_score(image, centre, board) < RIM_POSSIBLE
