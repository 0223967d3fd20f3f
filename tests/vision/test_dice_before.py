"""What lay on the table when it was set up is no thrown die, whatever it looks like."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.board.position import START
from referee.observations import DieState, Half
from vision.cube import EDGE
from vision.dice.before import Before
from vision.dice.crops import look_at
from vision.dice.find import Spot
from vision.dice.judge import RIM
from vision.dice.looks import CLOSER
from vision.dice.net import DieView
from vision.dice.reader import DiceReader, OnBoard
from vision.dice.set_up import AtSetUp
from vision.pictures import load_picture
from vision.table import Table
from vision.training.labels import load_labels, start_of, true_table

BOARDS = Path(__file__).parent.parent / "data" / "boards"
Image = NDArray[np.uint8]


def noisy(image: Image, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def field(square: tuple[int, int, int]) -> Image:
    """A green field with a red edge beside a square of the given colour (b, g, r)."""
    image = np.full((80, 80, 3), (40, 110, 60), np.uint8)
    image[:, :25] = (40, 30, 120)
    image[32:48, 32:48] = square
    return cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.uint8)


def test_another_thing_in_the_same_place_has_changed_though_it_is_as_bright() -> None:
    orange, blue = (20, 110, 200), (255, 90, 150)
    bright = [int(cv2.cvtColor(np.array([[c]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0]) for c in (orange, blue)]
    assert abs(bright[0] - bright[1]) <= 3, "the test is about things that are equally bright"
    before = Before(field(orange))
    assert before.same(noisy(field(orange), 1), (39.5, 39.5), 16.0) > 0.9
    assert before.same(noisy(field(blue), 2), (39.5, 39.5), 16.0) < 0.7


@pytest.mark.parametrize("edge", [9.0, 11.5, 16.0])
def test_the_set_up_picture_itself_rules_nothing_out(edge: float) -> None:
    """Whoever reads the picture the board was found in wants to know of the dice in it, however small and sharp they are."""
    grain = np.random.default_rng(4).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    assert Before(grain).same(grain.copy(), (31.3, 30.8), edge) == 0.0
    assert Before(grain).same(noisy(grain, 1), (31.3, 30.8), edge) > 0.9


def test_bare_field_that_is_as_bare_as_it_was_has_not_changed() -> None:
    """Rings that hardly show on a dark board were taken for dice in picture after picture."""
    start = np.full((80, 80, 3), (40, 44, 36), np.uint8)
    ring = cv2.circle(start.copy(), (40, 40), 4, (48, 44, 42), 2, cv2.LINE_AA)
    before = Before(noisy(ring, 1))
    assert before.same(np.clip(noisy(ring, 2) + 8.0, 0, 255).astype(np.uint8), (40.0, 40.0), 11.0) > 0.9
    for shade in (-12, 12):  # a die as dark as the field
        with_die = ring.copy()
        with_die[34:47, 34:47] = np.clip(np.array((40, 44, 36)) + shade, 0, 255)
        assert before.same(noisy(with_die, 3), (40.0, 40.0), 11.0) == 0.0


def squares(image: Image, x: int, y: int) -> Image:
    """``image`` with an ornament of two rows of dark tiles, which looks like a six, about (``x``, ``y``) px."""
    out = image.copy()
    out[y - 9 : y + 10, x - 9 : x + 10] = (150, 200, 225)
    for i in (-6, -1, 4):
        for j in (-6, 3):
            out[y + i : y + i + 3, x + j : x + j + 4] = (40, 60, 30)
    return out


def test_an_ornament_that_another_die_hides_in_part_has_not_changed() -> None:
    """A die that fell on a row of inlaid tiles made a six of those beside it."""
    start = squares(field((40, 110, 60)), 44, 40)
    image = start.copy()
    image[26:44, 50:68] = (30, 20, 150)  # a die, and its shadow
    image[44:47, 50:68] = image[44:47, 50:68] // 2
    before, ornament, die = Before(noisy(start, 1)), (44.0, 40.0), (58.5, 34.5)
    assert before.same(noisy(image, 2), ornament, 18.0) < 0.84
    assert before.same(noisy(image, 2), ornament, 18.0, (die, 18.0)) > 0.95
    bare = Before(noisy(field((40, 110, 60)), 1))
    assert bare.same(noisy(image, 2), ornament, 18.0, (die, 18.0)) < 0.5, "a die there, beside another, is one"
    assert before.same(noisy(image, 2), die, 18.0, (ornament, 18.0)) < 0.5


@pytest.mark.parametrize("shade", [0, 255])
def test_a_die_beside_another_on_a_field_that_shows_nothing_has_changed_it(shade: int) -> None:
    """Blown out to white, or black, a field has nothing in it that what lies there could be like."""
    start = np.full((80, 80, 3), shade, np.uint8)
    image = squares(squares(start, 40, 40), 60, 40)
    assert Before(start).same(image, (40.0, 40.0), 18.0, ((60.0, 40.0), 18.0)) == 0.0


def with_a_die_on_the_bar(image: Image, die: Image, at: tuple[int, int]) -> Image:
    out, side = image.copy(), die.shape[0]
    x, y = at[0] - side // 2, at[1] - side // 2
    out[y : y + side, x : x + side] = die
    return out


@pytest.mark.parametrize("name", ["train-001000", "train-002000"])
def test_a_hinge_that_looks_like_a_die_is_none_under_the_cube_too_and_a_die_thrown_there_is_one(name: str) -> None:
    folder = BOARDS / name
    labels = load_labels(folder)
    table = true_table(folder)
    start = load_picture(folder / start_of(labels)["image"])
    m = table.measures
    image, die, edge = next(
        (image, d, edge)
        for f in labels["frames"]
        for image in [load_picture(folder / f["image"])]
        for d in f["dice"]
        for edge in [look_at(table, tuple(d["centre_px"]), m.die, m.die).edge]
        if edge > 10 and any(math.dist(x.centre, d["centre_px"]) < 5 and x.confidence > 0.9 for x in DiceReader(table).read(image)[0])
    )
    half = math.ceil(0.9 * edge)
    x, y = (round(v) for v in die["centre_px"])
    patch = image[y - half : y + half + 1, x - half : x + half + 1]
    bar = table.camera.project(np.array([0.0, -0.15 * m.inner[1], m.bar_height + m.die / 2]))
    at = (round(float(bar[0])), round(float(bar[1])))

    def seen_there(set_up: Image, now: Image = image) -> list[tuple[DieState, Half | None]]:
        dice, _ = DiceReader(table, set_up).read(noisy(with_a_die_on_the_bar(now, patch, at), 3))
        return [(d.state, d.half) for d in dice if math.dist(d.centre, at) < edge]

    assert seen_there(with_a_die_on_the_bar(start, patch, at)) == []
    assert len(seen_there(start)) == 1
    u, v = (round(c) for c in start_of(labels)["cube"]["centre_px"])
    wide = look_at(table, (float(u), float(v)), EDGE, EDGE).edge
    x, y, half = at[0], round(at[1] - 0.5 * wide - 0.4 * edge), round(0.52 * wide)  # the cube, laid so that it hides a little of it
    covered = with_a_die_on_the_bar(image, patch, at)
    covered[y - half : y + half + 1, x - half : x + half + 1] = start[v - half : v + half + 1, u - half : u + half + 1]
    covered = noisy(covered, 4)
    view = DieView(1.0, (0.0, 0, 0, 1.0, 0, 0), 0.0, (1.0, 0.0, 0.0), 0.0, at, max(edge, CLOSER))
    cube, hinge = Spot((float(x), float(y)), 0.9, wide / 2), AtSetUp(table, with_a_die_on_the_bar(start, patch, at))
    assert hinge.shows(covered, view, (), (cube,))
    assert not hinge.shows(covered, view)
    assert not AtSetUp(table, start).shows(covered, view, (), (cube,))


@pytest.mark.parametrize("name", ["train-002000", "train-003000"])
def test_what_the_cube_hid_on_the_bar_at_set_up_is_a_die_only_where_it_is_a_clear_one(name: str) -> None:
    folder = BOARDS / name
    table, start = true_table(folder), load_picture(folder / start_of(load_labels(folder))["image"])
    m = table.measures
    u, v = (round(c) for c in start_of(load_labels(folder))["cube"]["centre_px"])
    half = round(0.52 * look_at(table, (float(u), float(v)), EDGE, EDGE).edge)
    bar = table.camera.project(np.array([0.0, -0.15 * m.inner[1], m.bar_height + EDGE]))
    at = (round(float(bar[0])), round(float(bar[1])))
    hid = with_a_die_on_the_bar(start, start[v - half : v + half + 1, u - half : u + half + 1], at)
    at_set_up = AtSetUp(table, hid)
    faint = DieView(0.9, (0.0, 0, 0, 1.0, 0, 0), 0.0, (0.0, 1.0, 0.0), 0.0, at, 16.0)
    clear = replace(faint, die=0.99)
    cube = Spot((float(at[0]), float(at[1])), 0.9, float(half))
    assert at_set_up.shows(start, faint)
    assert not at_set_up.shows(start, clear)
    assert not at_set_up.shows(start, faint, (), (cube,)), "what lies beside the cube where it lies still"
    assert not AtSetUp(table, hid[::-1, ::-1].copy()).shows(noisy(start, 1), faint)


def with_a_ring(image: Image, table: Table, at: tuple[float, float]) -> Image:
    """``image`` with a ring as large as a checker, such as boards have for an ornament, about the die whose middle is ``at`` px."""
    m = table.measures
    x, y = (float(v) for v in table.camera.on_plane(np.array(at), m.die))
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    z = np.full(60, m.checker_height)
    rim = table.camera.project(np.column_stack([x + m.checker / 2 * np.cos(turn), y + m.checker / 2 * np.sin(turn), z]))
    out = image.copy()
    cv2.polylines(out, [np.round(rim * 16).astype(np.int32)], True, (250, 250, 250), 2, cv2.LINE_AA, 4)
    return np.asarray(cv2.addWeighted(image, 0.55, out, 0.45, 0), np.uint8)


def test_a_ring_that_was_there_at_set_up_is_no_checker_under_a_die() -> None:
    folder = BOARDS / "train-003000"
    labels = load_labels(folder)
    frames = labels["frames"]
    table = true_table(folder)
    start = load_picture(folder / start_of(labels)["image"])
    standing = [table.checker_centre(p, i)[:2] for p, n in enumerate(START.points, 1) for i in range(abs(n))]
    tried = 0
    for frame in frames:
        image = load_picture(folder / frame["image"])
        for die in frame["dice"]:
            at = tuple(die["centre_px"])
            xy = table.camera.on_plane(np.array(at), table.measures.die)
            if die["state"] != "flat" or min(math.dist(xy, one) for one in standing) < 1.02 * table.measures.checker:
                continue
            tried += 1
            view = DieView(1.0, (1.0, 0, 0, 0, 0, 0), 0.0, (1.0, 0.0, 0.0), 0.0, at, 10.0)
            ringed = with_a_ring(image, table, at)
            plain, ringed_then = AtSetUp(table, start), AtSetUp(table, with_a_ring(start, table, at))
            assert OnBoard(ringed, table, plain, None).rim(view) == OnBoard(ringed, table, None, None).rim(view) > RIM
            assert OnBoard(ringed, table, ringed_then, None).rim(view) == 0.0
    assert tried >= 2
