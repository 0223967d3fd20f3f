"""Where fewer than two dice of the throw are seen the finder looks once more, at the mirror image and finer, and the reader beside the one
that is there; what is printed on the board is none of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.boardfile import SetUpLook
from vision.dice.find import BoardFinder, Found
from vision.pictures import load_picture
from vision.reader import Reader
from vision.table import Table
from vision.training.labels import load_labels, true_table

Image = NDArray[np.uint8]
BOARDS = Path(__file__).parent.parent / "data" / "boards"
PICTURES = [("test-022012", False), ("test-023021", False), ("train-003000", False), ("test-023021", True), ("train-003000", True)]
SIDE = 96  # px of a drawn five


def five() -> Image:
    """A die's face, as a board may have for an ornament."""
    face = np.full((SIDE, SIDE, 3), (235, 240, 240), np.uint8)
    for x, y in ((22, 22), (74, 22), (48, 48), (22, 74), (74, 74)):
        cv2.circle(face, (x, y), 10, (20, 20, 20), -1, cv2.LINE_AA)
    return face


def printed(image: Image, board: Table, frame: dict[str, Any]) -> Image:
    """The picture with a five on every point, under the first checker's place: it shows where the ``frame`` has no checkers."""
    size, half, out = (image.shape[1], image.shape[0]), board.measures.die / 2, image.astype(np.float32)
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    for point in (p for p, count in enumerate(frame["position"]["points"], 1) if not count):
        x, y, way = board.point_base(point)
        middle = np.array([x, y + way * board.measures.checker / 2, 0.0])
        corners = middle + half * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        change = cv2.getPerspectiveTransform(square, board.camera.project(corners).astype(np.float32))
        share = cv2.warpPerspective(np.ones((SIDE, SIDE), np.float32), change, size)[..., None]
        out = out * (1 - share) + cv2.warpPerspective(five().astype(np.float32), change, size, flags=cv2.INTER_AREA) * share
    return out.astype(np.uint8)


@pytest.mark.parametrize(("name", "ornate"), PICTURES)
def test_a_die_that_the_first_look_does_not_mark_is_read_by_a_finer_one(name: str, ornate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    board, frames = true_table(BOARDS / name), load_labels(BOARDS / name)["frames"]
    start, image = (load_picture(BOARDS / name / frame["image"]) for frame in frames[:2])
    if ornate:
        start, image = printed(start, board, frames[0]), printed(image, board, frames[1])
    find = BoardFinder.find
    for die in frames[1]["dice"]:

        def blind(self: BoardFinder, image: Image, at: list[float] = die["centre_px"]) -> Found:
            found = find(self, image)
            return replace(found, dice=tuple(s for s in found.dice if math.dist(s.centre, at) > s.edge))

        monkeypatch.setattr(BoardFinder, "find", blind)
        read = Reader(board, SetUpLook(start)).read(image).dice
        assert ornate or len(read) == len(frames[1]["dice"])
        nearest = min(read, key=lambda d: math.dist(d.centre, die["centre_px"]))
        assert math.dist(nearest.centre, die["centre_px"]) < 4
        assert (nearest.value, nearest.state.value) == (die["value"], die["state"])


def blind(look: Callable[[BoardFinder, Image], Found], at: list[float], reach: float) -> Callable[[BoardFinder, Image], Found]:
    """The same ``look``, that marks nothing nearer than ``reach`` edges to a place."""

    def seen(self: BoardFinder, image: Image) -> Found:
        found = look(self, image)
        return replace(found, dice=tuple(s for s in found.dice if math.dist(s.centre, at) > reach * s.edge))

    return seen


@pytest.mark.parametrize("missed", range(4))
@pytest.mark.parametrize("looks", [("find",), ("find", "finer")])
def test_one_of_two_players_dice_that_the_first_look_does_not_mark_is_read_too(
    missed: int, looks: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both throws of one board in one picture: where an odd one is left over, another is looked for, in the mirror image too."""
    folder = BOARDS / "train-003000"
    board, frames = true_table(folder), load_labels(folder)["frames"]
    start, image, other = (load_picture(folder / frame["image"]) for frame in frames[:3])
    dice = frames[1]["dice"] + frames[2]["dice"]
    for die in frames[2]["dice"]:
        x, y = map(round, die["centre_px"])
        image[y - 20 : y + 21, x - 20 : x + 21] = other[y - 20 : y + 21, x - 20 : x + 21]
    for look in looks:
        monkeypatch.setattr(BoardFinder, look, blind(getattr(BoardFinder, look), dice[missed]["centre_px"], 1.0))
    read = Reader(board, SetUpLook(start)).read(image).dice
    assert sorted(die.value for die in read if die.value) == sorted(die["value"] for die in dice)


@pytest.mark.parametrize("way", range(8))
def test_of_two_dice_that_touch_one_that_no_look_marks_is_read_beside_the_other(way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = BOARDS / "train-003000"
    board, frames = true_table(folder), load_labels(folder)["frames"]
    frame = next(frame for frame in frames if frame["image"] == "f05.jpg")
    start, image = load_picture(folder / frames[0]["image"]), load_picture(folder / frame["image"])
    one, other = frame["dice"]
    x, y = map(round, other["centre_px"])
    half, rest = (int(max(np.ptp(np.array(die["top_quad_px"]), axis=0))) // 2 + 1 for die in (other, one))
    die = image[y - half : y + half + 1, x - half : x + half + 1].copy()
    image[y - 22 : y + 23, x - 22 : x + 23] = start[y - 22 : y + 23, x - 22 : x + 23]
    u, v = (round(at + (half + rest) * turn(way * math.pi / 4)) for at, turn in zip(one["centre_px"], (math.cos, math.sin), strict=True))
    image[v - half : v + half + 1, u - half : u + half + 1] = die
    for look in ("find", "surer", "finer"):
        monkeypatch.setattr(BoardFinder, look, blind(getattr(BoardFinder, look), [u, v], 0.6))
    read = Reader(board, SetUpLook(start)).read(image).dice
    assert sorted(die.value for die in read if die.value) == sorted((one["value"], other["value"]))


def test_a_die_behind_another_that_touches_it_is_seen_though_the_finder_takes_both_for_one() -> None:
    folder = BOARDS.parent / "behind" / "test-038833"
    start, throw = load_labels(folder)["frames"]
    read = Reader(true_table(folder), SetUpLook(load_picture(folder / start["image"]))).read(load_picture(folder / throw["image"])).dice
    assert len(read) == len(throw["dice"]) == 2
    for die in throw["dice"]:
        nearest = min(read, key=lambda d: math.dist(d.centre, die["centre_px"]))
        assert math.dist(nearest.centre, die["centre_px"]) < 2
        assert nearest.value == die["value"]
