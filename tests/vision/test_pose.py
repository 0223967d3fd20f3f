"""What the finder makes of checkers that are marked exactly: the camera and the board, whatever the board's proportions."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.board.position import START
from vision.finder.eye import Marks
from vision.finder.pose import AXIS, CHECKER, NAMES, PRIOR, Shown, camera_of, places_of, projected, refine, slots_of
from vision.finder.search import ALTERED
from vision.finder.tops import RAYS, diameters, fitted, look_closer, shape_of, width_of
from vision.table import Camera
from vision.training.finder.draw import draw

SIZE = (1280, 720)
SLOTS = slots_of(START)
Array = NDArray[np.float64]


def _unknowns(tilt: float, turn: float, focal: float, pitch: float) -> Array:
    """A board seen ``tilt`` degrees from straight above and turned by ``turn`` degrees, which fills most of the picture."""
    about, _ = cv2.Rodrigues(np.array([0, 0, np.radians(turn)]))
    over, _ = cv2.Rodrigues(np.array([np.radians(tilt), 0, 0]))
    rotation, _ = cv2.Rodrigues(np.asarray(over) @ np.diag([1.0, -1.0, -1.0]) @ np.asarray(about))
    more = {"tz": focal * 75, "f": np.log(focal), "k1": -0.04, "bar": 4.6, "pitch": pitch, "half": 24.0, "gap": 0.03}
    return np.array([*rotation[:, 0], *(more.get(name, 0.0) for name in NAMES[3:])])


def _seen(u: Array) -> Shown:
    """What a perfect eye marks of all checkers."""
    camera, places = camera_of(u, SIZE), places_of(u, SLOTS, False)
    px, across = camera.project(places), diameters(camera, places, CHECKER)
    marks = Marks(px, width_of(across) / 2, np.ones(len(px)), np.zeros((4, 4), np.float32), np.eye(2, 3))
    return Shown(marks, SIZE, SLOTS, shapes=shape_of(across))


def _found(u: Array) -> tuple[float, float]:
    """By what factors the focal length and the eye's height come out wrong by what a perfect eye marks, when one starts from a usual
    camera and board."""
    begin = u.copy()
    begin[NAMES.index("pitch")] = PRIOR["pitch"][0]
    begin[NAMES.index("f")], begin[NAMES.index("tz")] = np.log(0.9), 0.9 * 75
    fit = refine(_seen(u), begin, False, rounds=6)
    high, true = (camera_of(v, SIZE).eye[2] for v in (fit.unknowns, u))
    return float(np.exp(fit.unknowns[NAMES.index("f")] - u[NAMES.index("f")])), float(high / true)


@settings(max_examples=40, deadline=None)
@given(
    tilt=st.floats(22, 48), turn=st.sampled_from([0.0, 90.0, 180.0]), focal=st.floats(0.65, 1.4), pitch=st.floats(4.05, 4.6)
)  # fmt: skip
def test_a_board_seen_squarely_tells_the_focal_length(tilt: float, turn: float, focal: float, pitch: float) -> None:
    """From a long or a short side a wide board from high up looks like a narrow one from lower down, but for the shapes of its checkers."""
    length, high = _found(_unknowns(tilt, turn, focal, pitch))
    assert length == pytest.approx(1, abs=0.1)
    assert high == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize(
    ("tilt", "turn", "right", "down"), [(40, 0, 0.2, 0.0), (35, 90, -0.15, 0.1), (45, 180, 0.1, -0.1), (30, 15, -0.2, 0.15)]
)
def test_of_a_picture_cut_out_of_a_larger_one_the_board_tells_where_the_camera_looked(
    tilt: float, turn: float, right: float, down: float
) -> None:
    u = _unknowns(tilt, turn, 0.9, 4.2)
    u[AXIS] = right, down
    shown, begin = _seen(u), _unknowns(tilt, turn, 1.1, 4.2)
    first = shown.marks.xy, 2 * shown.marks.radius
    whole, cut_out = (refine(replace(shown, how=of), begin, False, rounds=6, first=first) for of in ("as taken", "cut out"))
    assert cut_out.cost < whole.cost - ALTERED
    assert cut_out.off.max() < 0.05, "every checker is where it is seen"
    assert np.abs(cut_out.unknowns[AXIS] - [right, down]).max() < 0.1


@settings(deadline=None)
@given(d=st.floats(-0.2, 0.2), e=st.floats(-0.2, 0.2), x=st.floats(-0.05, 0.05), y=st.floats(-0.05, 0.05))
def test_where_rays_leave_a_top_tells_its_shape(d: float, e: float, x: float, y: float) -> None:
    values, ways = np.linalg.eigh(np.array([[1 + d, e], [e, 1 - d]]) / 4)
    inverse = ways @ np.diag(1 / values) @ ways.T
    middle = np.array([x, y])
    a, b, c = np.einsum("ai,ij,aj->a", RAYS, inverse, RAYS), RAYS @ inverse @ middle, middle @ inverse @ middle - 1
    told = fitted(((b + np.sqrt(b * b - a * c)) / a)[None])
    assert told[0] == pytest.approx([d, e], abs=0.02)


def test_the_eye_tells_how_round_drawn_checkers_are() -> None:
    off = []
    for seed in range(700, 712):
        d = draw(seed, SIZE)
        near = np.linalg.norm(d.tops[:, None, :2] - d.tops[None, :, :2], axis=2) + 9 * np.eye(len(d.tops))
        tops = d.tops[near.min(1) > 0.9 * d.table.measures.checker]
        across = diameters(d.table.camera, tops, d.table.measures.checker)
        guess = across @ np.array([[1.05, 0.0], [0.03, 0.96]])
        xy = d.table.camera.project(tops)
        off.append(np.abs((look_closer(d.image, xy, guess) - shape_of(across)).mean(0)).mean())
    assert np.median(off) < 0.6 * 0.05, "a guess that is off by so much is made better by it"


@given(data=st.lists(st.tuples(st.floats(0, 50), st.floats(-180, 180), st.floats(0.7, 2.0), st.floats(3.6, 5.2)), min_size=1, max_size=4))
@settings(max_examples=25)
def test_many_cameras_at_once_see_what_each_does(data: list[tuple[float, float, float, float]]) -> None:
    us = np.stack([_unknowns(*one) for one in data])
    places = places_of(us, SLOTS, False)
    each = np.stack([camera_of(u, SIZE).project(at) for u, at in zip(us, places, strict=True)])
    assert np.abs(projected(us, places, SIZE) - each).max() < 1e-3  # px: half a turn through OpenCV and back is exact to 1e-4


def test_where_nothing_is_marked_nothing_is_told() -> None:
    grey = np.full((720, 1280, 3), 90, np.uint8)
    assert look_closer(grey, np.zeros((0, 2)), np.zeros((0, 2, 2))).shape == (0, 2)


def test_many_points_lie_where_few_at_a_time_do() -> None:
    rng = np.random.default_rng(3)
    rotation, _ = cv2.Rodrigues(np.array([2.6, 0.2, -0.1]))
    lens = np.array([[900.0, 0, 640], [0, 950.0, 360], [0, 0, 1]])
    camera = Camera(lens, np.array([-0.2, 0.05, 0.004, -0.006, 0.01]), np.asarray(rotation), np.array([2.0, -3.0, 80.0]), SIZE)
    places = rng.uniform(-25, 25, (40, 50, 3))
    assert camera.project(places) == pytest.approx(np.stack([camera.project(row) for row in places]), abs=1e-8)
