"""Where dice are looked for, and how a crop about one is turned and scaled."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_table import table
from vision.cube import EDGE
from vision.dice.crops import Look, look_at
from vision.dice.find import BoardFinder, Spot, find
from vision.dice.lean import LEGIBLE
from vision.dice.looks import DiceLooks
from vision.dice.net import DieView
from vision.pictures import load_picture
from vision.training.labels import true_table

DATA = Path(__file__).parent.parent / "data" / "boards"
FOLDERS = sorted(p.parent for p in DATA.glob("*/labels.json"))
PLAIN = [p for p in FOLDERS if p.name not in ("test-000129", "train-001001")]  # of which there are dice that are read beyond doubt


@given(st.floats(-3, 3), st.floats(10, 60), st.floats(-20, 20), st.floats(-20, 20))
@settings(max_examples=60, deadline=None)
def test_a_spot_in_a_crop_is_found_again_in_the_picture(lean: float, edge: float, dx: float, dy: float) -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    look = Look((200.0, 200.0), edge, lean, None)
    x, y = look.back(32 + dx, 32 + dy, 64, 24)
    yy, xx = np.mgrid[:400, :400]
    image[:] = (255 * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * (edge / 8) ** 2)))[..., None].astype(np.uint8)
    crop = look.crop(image, 64, 24)[..., 0]
    row, column = np.unravel_index(int(crop.argmax()), crop.shape)
    assert abs(column - (32 + dx)) <= 2
    assert abs(row - (32 + dy)) <= 2


def test_the_vertical_is_upright_in_a_crop_and_the_edge_has_its_length() -> None:
    board = table(35)
    for x, y in ((-20.0, -15.0), (22.0, 14.0), (0.0, 0.0)):
        foot, top = board.camera.project(np.array([[x, y, 0.0], [x, y, 1.4]]))
        look = look_at(board, (float(top[0]), float(top[1])), 1.4, 1.4)
        up = top - foot
        leaned = math.atan2(up[0], -up[1])
        assert look.lean == pytest.approx(-leaned, abs=0.02)
        assert look.elevation == pytest.approx(55, abs=13)
        sides = board.camera.project(np.array([[x - 0.7, y, 1.4], [x + 0.7, y, 1.4]]))
        assert look.edge == pytest.approx(float(np.linalg.norm(sides[1] - sides[0])), rel=0.1)


@given(st.floats(0, 55), st.floats(-26, 26), st.floats(-20, 20), st.floats(0, 1.5), st.floats(-0.5, 0.5))
@settings(max_examples=80, deadline=None)
def test_a_flat_die_is_square_and_upright_in_its_crop_wherever_it_lies(tilt: float, x: float, y: float, turn: float, angle: float) -> None:
    board = table(tilt)
    c, s = 0.7 * math.cos(turn), 0.7 * math.sin(turn)
    top = board.camera.project(np.array([[x + a * c - b * s, y + a * s + b * c, 1.4] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]))
    centre = board.camera.project(np.array([x, y, 1.4]))
    look = look_at(board, (float(centre[0]), float(centre[1])), 1.4, 1.4)
    sides = np.diff(top @ look.upright(True).T, axis=0)[:2]
    assert np.linalg.norm(sides, axis=1) == pytest.approx(look.edge, rel=0.015)
    assert sides[0] @ sides[1] == pytest.approx(0, abs=0.015 * look.edge**2)
    assert sides[0, 0] * sides[1, 1] < sides[0, 1] * sides[1, 0], "not mirrored: the picture's y goes down"
    foot, head = board.camera.project(np.array([[x, y, 0.7], [x, y, 2.1]])) @ look.upright(True).T
    if np.linalg.norm(head - foot) > 0.1 * look.edge:
        assert (head - foot) / np.linalg.norm(head - foot) == pytest.approx([0, -1], abs=0.05)
    turned = look.turned(angle)
    again = top @ turned.upright(True).T
    assert np.linalg.norm(np.diff(again, axis=0)[:2], axis=1) == pytest.approx(look.edge, rel=0.015)
    back = turned.back(*(turned.upright(True) @ (3.0, 5.0) * 24 / look.edge + 32), 64, 24, square=True)
    assert back == pytest.approx((look.centre[0] + 3, look.centre[1] + 5), abs=1e-6)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_a_picture_and_its_mirror_image_show_dice_at_the_same_places(folder: Path) -> None:
    image = load_picture(sorted(folder.glob("*.jpg"))[-1])[:704, :1280]
    height, width = image.shape[:2]
    plain, mirrored = (find(np.asarray(one).copy(), 1.0, 0.3, 20) for one in (image, image[:, ::-1]))
    there, back = plain.dice + plain.cubes, [(width - 1 - s.centre[0], s.centre[1]) for s in mirrored.dice + mirrored.cubes]
    assert there and width % 8 == height % 8 == 0
    for spot in there:
        assert min(math.dist(spot.centre, at) for at in back) < 1.5


@pytest.mark.parametrize("below", [0.45, 0.6, 0.7])
@pytest.mark.parametrize("folder", PLAIN, ids=lambda p: p.name)
def test_a_die_is_read_though_the_finder_marked_its_side_face(folder: Path, below: float) -> None:
    board, told = true_table(folder), 0
    for frame in json.loads((folder / "labels.json").read_text())["frames"]:
        image = load_picture(folder / frame["image"])
        for die in frame["dice"]:

            def seen(away: float, at: list[float] = die["centre_px"], picture: Any = image) -> DieView | None:
                size = board.measures.die
                edge = look_at(board, (at[0], at[1]), size, size).edge
                look = look_at(board, (at[0], at[1] + away * edge), size, size)
                return next(iter(DiceLooks(picture, board).at([(Spot(look.centre, 0.8, edge), look)])), None)

            plain = seen(0.0)
            if plain is not None and min(plain.die, max(plain.values)) > 0.96 and (below < 0.7 or plain.edge >= LEGIBLE):
                lower = seen(below)
                assert lower is not None and lower.die > 0.8
                assert np.argmax(lower.values) == np.argmax(plain.values)
                assert math.dist(lower.centre, plain.centre) < 0.3 * plain.edge
                told += 1
    assert told


def test_a_cube_put_aside_beyond_rail_and_tray_is_looked_for() -> None:
    board = table(20)
    x0, y0, x1, y1 = BoardFinder(board).box
    for x in (-46.0, 46.0):
        across, down = board.camera.project(np.array([x, -15.0, EDGE]))
        assert x0 < across < x1 and y0 < down < y1
