"""What lies where it lay before the first roll is a cube that nobody has turned, or none; a number hard to see is read by its hue."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import web.demo
from referee.board.position import Seat
from tests.found import found_in
from vision.boardfile import SetUpLook
from vision.cube import CubeReader
from vision.pictures import Image, load_picture
from vision.reader import Reader

PICTURES = Path(web.demo.__file__).parent / "pictures"
FACE = 16  # px from the middle of a cube's face, as far as its number reaches
EDGE = 50  # px of its face
SIDE = 44  # px about a cube's middle, its shadow with it
CENTRE, AT_NEAR, BARE = (761, 437), (772, 766), (758, 330)  # px in these pictures: the cube at first, once near owns it, and the bar alone


def put(image: Image, source: Image, taken: tuple[int, int], laid: tuple[int, int]) -> None:
    """Copies what lies about the px ``taken`` of ``source`` to ``laid``."""
    square = [slice(v - SIDE, v + SIDE) for v in reversed(taken)]
    image[laid[1] - SIDE : laid[1] + SIDE, laid[0] - SIDE : laid[0] + SIDE] = source[square[0], square[1]]


def later(start: Image) -> Image:
    """The same scene a moment later: a camera's noise is another."""
    return np.clip(start + np.random.default_rng(3).normal(0, 2, start.shape), 0, 255).astype(np.uint8)


def test_lettering_that_was_there_before_the_game_is_no_cube() -> None:
    start, played = load_picture(PICTURES / "f000.jpg"), load_picture(PICTURES / "f031.jpg")
    board = found_in(PICTURES / "f000.jpg")
    put(start, start, BARE, CENTRE)
    put(start, played, AT_NEAR, AT_NEAR)
    seen, _ = CubeReader(board).read(later(start))
    assert seen is not None
    assert (seen.value, seen.owner) == (2, Seat.NEAR), "nothing is known of before"
    assert CubeReader(board, start).read(later(start)) == (None, ()), "and nobody looks for a cube where none was kept"


def test_a_cube_that_was_in_sight_at_set_up_is_missed() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    gone = later(start)
    put(gone, start, BARE, CENTRE)
    seen, doubts = CubeReader(found_in(PICTURES / "f000.jpg"), start).read(gone)
    assert (seen, [doubt.code for doubt in doubts]) == (None, ["hidden"]), "it may lie where the camera does not find it"


def test_so_is_one_whose_number_a_lamp_outshone_at_set_up() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    gone = later(start)
    put(gone, start, BARE, CENTRE)
    start[CENTRE[1] - FACE : CENTRE[1] + FACE, CENTRE[0] - FACE : CENTRE[0] + FACE] = 255
    seen, doubts = CubeReader(found_in(PICTURES / "f000.jpg"), start).read(gone)
    assert (seen, [doubt.code for doubt in doubts]) == (None, ["hidden"]), "it was no lettering"


def test_the_cube_kept_at_one_side_is_nobodys_until_it_is_turned() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    board = found_in(PICTURES / "f000.jpg")
    put(start, start, CENTRE, AT_NEAR)
    put(start, start, BARE, CENTRE)
    seen, doubts = CubeReader(board).read(later(start))
    assert seen is not None
    assert [doubt.text for doubt in doubts] == ["it shows 64, as before the first double"], "it may be the last of all, which near owns"
    seen, doubts = CubeReader(board, start).read(later(start))
    assert seen is not None
    assert (seen.value, seen.owner, seen.offered_to, doubts) == (1, None, None, ())
    turned, played = later(start), load_picture(PICTURES / "f031.jpg")
    put(turned, played, AT_NEAR, AT_NEAR)
    seen, _ = CubeReader(board, start).read(turned)
    assert seen is not None
    assert (seen.value, seen.owner) == (2, Seat.NEAR), "turned where it lay"


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_in_the_set_up_picture_itself_it_is_nobodys_too_however_dim_the_room_is(light: float) -> None:
    picture, board = load_picture(PICTURES / "f000.jpg"), found_in(PICTURES / "f000.jpg")
    put(picture, picture, CENTRE, AT_NEAR)
    put(picture, picture, BARE, CENTRE)
    start = (picture * light).astype(np.uint8)
    reading = Reader(board, SetUpLook(start)).read(start.copy())
    assert reading.cube is not None
    assert (reading.cube.value, reading.cube.owner, reading.doubts) == (1, None, ())


def marbled(number: int, edge: int) -> Image:
    """The face of a grey cube, marbled as dark as the red number on it: (edge, edge, 3)."""
    n, rng = 160, np.random.default_rng(number)
    grain = sum(w * cv2.resize(rng.random((k, k)), (n, n), interpolation=cv2.INTER_CUBIC) for k, w in ((5, 1.0), (12, 0.8), (30, 0.5)))
    grain = ((grain - np.min(grain)) / np.ptp(grain))[..., None]
    (w, h), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_DUPLEX, 3.2, 8)
    ink = np.zeros((n, n), np.uint8)
    cv2.putText(ink, str(number), ((n - w) // 2, (n + h) // 2), cv2.FONT_HERSHEY_DUPLEX, 3.2, 255, 8, cv2.LINE_AA)
    share = ink[..., None] / 255
    face = np.repeat(40 + 135 * grain, 3, 2) * (1 - share) + np.array((50, 50, 200)) * (0.55 + 0.6 * grain) * share
    return np.asarray(cv2.resize(face.clip(0, 255).astype(np.uint8), (edge, edge), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("number", [2, 4, 8, 16, 32])
def test_a_number_that_marbling_hides_is_read_by_its_hue(number: int) -> None:
    reader, image = CubeReader(found_in(PICTURES / "f000.jpg")), load_picture(PICTURES / "f000.jpg")
    plain = reader.read(image)[0]
    assert plain is not None and plain.centre is not None
    x, y = map(round, plain.centre)
    image[y - EDGE // 2 : y + EDGE // 2, x - EDGE // 2 : x + EDGE // 2] = marbled(number, EDGE)
    cube, doubts = reader.read(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8))
    assert cube is not None
    assert cube.value == number
    assert "value" not in {doubt.code for doubt in doubts}
