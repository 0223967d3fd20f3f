"""A damaged picture is not read: what is smeared in it looks like an empty board, and no reader doubts that."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import web.demo
from referee.board.position import START
from tests.found import found_in, remembered
from vision.boardfile import SetUpLook
from vision.camera.sharpness import edges
from vision.finder.bumped import Anchor
from vision.following import Following, Where
from vision.pictures import Image, load_picture
from vision.reader import Reader
from vision.stills import StillReader
from vision.table import Table

PICTURES = Path(web.demo.__file__).parent / "pictures"
BARE = Path(__file__).parents[1] / "data" / "bare"
DAMAGE = ("smeared", "repeated", "grey", "columns")
PLAYED = ("f002.jpg", "f005.jpg", "f013.jpg", "f030.jpg", "f045.jpg")


def table() -> Table:
    return found_in(PICTURES / "f000.jpg")


def start() -> Image:
    return load_picture(PICTURES / "f000.jpg")


def damaged(image: Image, how: str) -> Image:
    """The picture with its lower half as a lost packet leaves it, or some of its columns smeared."""
    out, half = image.copy(), image.shape[0] // 2
    if how == "columns":
        out[:, half : half + half // 4] = out[:, half - 1 : half]
        return np.asarray(cv2.imdecode(cv2.imencode(".jpg", out)[1], cv2.IMREAD_COLOR), np.uint8)
    out[half:] = {"smeared": out[half - 1], "repeated": out[: len(out) - half], "grey": np.uint8(128)}[how]
    return out


@pytest.mark.parametrize("how", DAMAGE)
def test_nothing_is_read_of_a_damaged_still_and_that_is_said(how: str) -> None:
    careful = StillReader(Reader(table(), SetUpLook(start())))
    reading = careful.read(damaged(load_picture(PICTURES / "f005.jpg"), how))
    assert (reading.position, reading.dice) == (None, ())
    assert [doubt.code for doubt in reading.doubts] == ["torn"]


def test_a_stream_is_read_again_once_its_picture_is_whole() -> None:
    eyes = Following(Reader(table(), SetUpLook(start())), lambda: START)
    assert eyes.read(start(), "0", 0.0) is not None
    assert eyes.read(damaged(load_picture(PICTURES / "f002.jpg"), "smeared"), "1", 1.0) is None
    assert eyes.where is Where.TORN
    assert eyes.read(load_picture(PICTURES / "f002.jpg"), "2", 2.0) is not None
    assert eyes.where is Where.HERE


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_played_and_other_light_do_not_damage_a_picture(name: str) -> None:
    anchor, image = Anchor(start(), table(), START), load_picture(PICTURES / name)
    noise = np.random.default_rng(1).normal(0, 5, image.shape)
    dim = np.clip(image * 0.3 + noise, 0, 255).astype(np.uint8)
    shade = np.clip(image * np.linspace(0.2, 1, image.shape[0])[:, None, None] + noise / 2, 0, 255).astype(np.uint8)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 4.0), np.uint8)
    assert not any(anchor.torn(edges(seen)) for seen in (image, dim, shade, soft))


def test_an_arm_along_the_board_is_no_damage() -> None:
    arm = start()
    height, width = arm.shape[:2]
    cv2.line(arm, (0, round(height * 0.65)), (round(width * 0.7), round(height * 0.5)), (120, 150, 190), height // 6)
    assert not Anchor(start(), table(), START).torn(edges(arm))


def framed(image: Image) -> Image:
    """The picture as a stream shows it, the board in a plain frame."""
    inside = np.zeros(image.shape[:2], np.uint8)
    left, top = table().corners().min(0).astype(int)
    right, bottom = table().corners().max(0).astype(int)
    inside[max(0, top) : bottom, max(0, left) : right] = 1
    return np.asarray(np.where(inside[..., None] > 0, image, 40), np.uint8)


@pytest.mark.parametrize("name", PLAYED)
def test_a_plain_frame_about_the_board_is_no_damage(name: str) -> None:
    anchor, image = Anchor(framed(start()), table(), START), framed(load_picture(PICTURES / name))
    assert not anchor.torn(edges(image))
    assert all(anchor.torn(edges(framed(damaged(image, how)))) for how in DAMAGE)


def test_a_board_that_showed_nothing_when_it_was_found_tells_of_no_damage() -> None:
    assert not Anchor(np.full_like(start(), 110), table(), START).torn(edges(start()))


@pytest.mark.parametrize("name", PLAYED)
def test_a_picture_most_of_which_is_one_column_is_damaged(name: str) -> None:
    anchor, image = Anchor(start(), table(), START), load_picture(PICTURES / name)
    left = image.shape[1] * 3 // 10
    image[:, left:] = image[:, left - 1 : left]
    assert anchor.torn(edges(image))


@pytest.mark.parametrize("bare", ["rows", "columns"])
def test_where_the_checkers_of_the_start_are_gone_the_picture_is_not_damaged(bare: str) -> None:
    """Faint points, and the checkers stood side by side: what they leave is plain from side to side, or from top to bottom."""
    first = load_picture(BARE / f"{bare}_start.jpg")
    anchor = Anchor(first, remembered(first), START)
    assert not anchor.torn(edges(load_picture(BARE / f"{bare}.jpg")))
    assert all(anchor.torn(edges(damaged(load_picture(BARE / f"{bare}.jpg"), how))) for how in ("smeared", "grey"))
