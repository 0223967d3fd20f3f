"""What the finder marks on the bare field is a die though its value does not show; what adorns the points is none."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.observations import About
from tests.vision.drawn_table import table, view_at
from vision.boardfile import SetUpLook
from vision.dice.before import Before
from vision.dice.crops import look_at
from vision.dice.net import DieView
from vision.dice.possible import MARKED, possible
from vision.dice.raised import Raised
from vision.dice.set_up import ORNAMENT_OF_POINTS, AtSetUp
from vision.pictures import load_picture
from vision.reader import Reader
from vision.table import Table
from vision.training.labels import load_labels, true_table

BOARDS = Path(__file__).parent.parent / "data" / "boards"
FOLDERS = [BOARDS / name for name in ("train-001000", "train-002000", "train-003000")]
RING, WIDE = 0.62, 0.3  # radius and width of a ring at a point's tip, cm
Image = NDArray[np.uint8]


@pytest.mark.parametrize("name", ["test-022012", "train-001000"])
def test_a_die_whose_face_the_light_burns_out_is_asked_about_and_not_overlooked(name: str) -> None:
    board, frames = true_table(BOARDS / name), load_labels(BOARDS / name)["frames"]
    start, image = (load_picture(BOARDS / name / frame["image"]) for frame in frames[:2])
    for die in (die for die in frames[1]["dice"] if die["state"] != "on_checker"):
        face = np.array(die["top_quad_px"])
        face = face.mean(0) + 1.05 * (face - face.mean(0))
        burnt = cv2.fillConvexPoly(image.copy(), face.round().astype(np.int32), (255, 255, 255), cv2.LINE_AA)
        reading = Reader(board, SetUpLook(start)).read(np.asarray(cv2.GaussianBlur(burnt, (0, 0), 0.7), np.uint8))
        here = [d.centre for d in reading.dice if math.dist(d.centre, die["centre_px"]) < 10]
        assert len(here) == 1
        assert {d.code for d in reading.doubts if d.centre == here[0]} >= {"value", "burnt_out"}


@pytest.mark.parametrize(
    ("on", "place", "faint"), [("point", 9, 0.45), ("point", 20, 0.45), ("point", 22, 0.45), ("bar", -9, 0.55), ("bar", 3, 0.55)]
)
def test_what_shimmers_on_a_checker_or_the_bar_is_asked_about_only_where_a_die_is_missing(on: str, place: int, faint: float) -> None:
    folder = BOARDS / "test-023021"
    board, frames = true_table(folder), load_labels(folder)["frames"]
    frame = next(frame for frame in frames if frame["image"] == "f03.jpg")
    start, image = load_picture(folder / frames[0]["image"]), load_picture(folder / frame["image"])
    m = board.measures
    on_it = board.camera.project(np.array(board.checker_centre(place, 0) if on == "point" else (0.0, place, m.bar_height + m.die)))
    (x, y), (u, v) = (np.round(at).astype(int) for at in (frame["dice"][0]["centre_px"], on_it))
    shimmer = image[v - 10 : v + 11, u - 10 : u + 11]
    shimmer[:] = (1 - faint) * shimmer + faint * image[y - 10 : y + 11, x - 10 : x + 11]

    def seen_on_it() -> list[str]:
        reading = Reader(board, SetUpLook(start)).read(image)
        return [d.code for d in reading.doubts if d.about is About.DIE and d.centre is not None and math.dist(d.centre, (u, v)) < 10]

    assert seen_on_it() == []
    x, y = np.round(frame["dice"][1]["centre_px"]).astype(int)
    image[y - 20 : y + 21, x - 20 : x + 21] = start[y - 20 : y + 21, x - 20 : x + 21]
    assert "presence" in seen_on_it()


def test_a_mark_on_the_bare_field_is_a_die_though_no_value_shows_and_one_on_a_checker_or_the_bar_is_not() -> None:
    board = table(25)
    m = board.measures
    checker = np.array([(m.inner[0] / 4, 0.0)])
    raised = Raised(board, checker)

    def unclear(x: float, y: float, z: float, marked: float, die: float = 0.6) -> DieView:
        return view_at(board, x, y, z, die=die, values=(0.2, 0.2, 0.15, 0.15, 0.15, 0.15), marked=marked)

    field, beside = (m.inner[0] / 4, 3 * m.checker, m.die), (m.inner[0] / 4, 0.9 * m.checker, m.die)
    assert possible(unclear(*field, MARKED), raised)
    assert possible(unclear(*beside, MARKED), raised)
    assert not possible(unclear(*field, MARKED - 0.1), raised)
    assert not possible(unclear(*field, MARKED, die=0.3), raised)
    assert not possible(unclear(m.inner[0] / 4, 0.0, m.die + m.checker_height, MARKED), raised)
    assert not possible(unclear(0.0, 0.0, m.die + m.bar_height, MARKED), raised)


def with_rings(folder: Path, frame: dict[str, Any], board: Table) -> tuple[Image, dict[int, tuple[float, float]]]:
    """A picture with a ring at the tip of every point where no checker hides it, and where (px) these are."""
    image, m, turn, shown = load_picture(folder / frame["image"]), board.measures, np.linspace(0, 2 * np.pi, 40), {}
    for point, count in enumerate(frame["position"]["points"], 1):
        x, y, way = board.point_base(point)
        tip = y + way * (m.point_length + RING)
        if abs(tip - y) > (min(abs(count), 5) + 0.2) * m.checker + RING:
            for radius, colour in ((RING, (190, 235, 245)), (RING - WIDE, (40, 50, 70))):
                rim = np.column_stack([x + radius * np.cos(turn), tip + radius * np.sin(turn), 0 * turn])
                cv2.fillConvexPoly(image, np.round(board.camera.project(rim) * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
            px = board.camera.project(np.array([x, tip, 0.0]))
            shown[point] = (float(px[0]), float(px[1]))
    return image, shown


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_ring_that_a_checker_hid_at_set_up_is_known_by_those_of_the_other_points(folder: Path) -> None:
    board, (first, *later) = true_table(folder), load_labels(folder)["frames"]
    start, shown_then = with_rings(folder, first, board)
    before, at_set_up, known = Before(start), AtSetUp(board, start), []
    for frame in later:
        image, shown = with_rings(folder, frame, board)
        for at in (at for point, at in shown.items() if point not in shown_then):
            if all(math.dist(at, die["centre_px"]) > 40 for die in frame["dice"]) and not frame.get("occluded"):
                edge = look_at(board, at, board.measures.die, board.measures.die).edge
                known.append(at_set_up.elsewhere(image, at, edge) > ORNAMENT_OF_POINTS)
                assert before.same(image, at, edge) < ORNAMENT_OF_POINTS, "a checker lay there"
        for die in frame["dice"]:
            at = tuple(die["centre_px"])
            assert at_set_up.elsewhere(image, at, look_at(board, at, 1.4, 1.4).edge) < ORNAMENT_OF_POINTS - 0.1
    assert sum(known) > len(known) / 2, "one lies in a neighbour's shadow"
