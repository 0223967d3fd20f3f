"""`referee setup`: what it finds, what it refuses, and the one sentence that says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.board.position import START
from tests.found import found_in
from tests.vision.test_pictures import heif, with_orientation
from tests.vision.test_read import PICTURES, TRUTH
from vision.annotate import FAR, NEAR
from vision.boardfile import load_table
from vision.colours import LAYER, ring
from vision.pictures import load_picture
from web.readings import position_from_text


def test_set_up_writes_a_board_that_reading_takes(referee: Any, tmp_path: Path) -> None:
    drawn = tmp_path / "found.png"
    code, out, _ = referee("setup", PICTURES / "f000.jpg", "-o", tmp_path / "board.json", "--annotate", drawn)
    assert code == 0
    assert "Dice will be about" in out
    assert "blurred" not in out
    assert load_picture(drawn).shape == load_picture(PICTURES / "f000.jpg").shape
    code, out, _ = referee("read", "--board", tmp_path / "board.json", PICTURES / "f002.jpg", "--json")
    assert code == 0
    assert json.loads(out)["position"]["points"] == TRUTH["f002.jpg"][0]


def test_set_up_at_a_known_position_and_from_a_folder(referee: Any, tmp_path: Path) -> None:
    position = json.dumps({"points": TRUTH["f008.jpg"][0], "bar": [0, 0], "off": [0, 0]})
    code, out, _ = referee("setup", PICTURES / "f008.jpg", "-o", tmp_path / "a.json", "--position", position)
    assert (code, "Found the board" in out) == (0, True)
    code, out, _ = referee("setup", PICTURES, "-o", tmp_path / "b.json")
    assert (code, "Found the board" in out) == (0, True)


def test_the_picture_of_what_was_found_shows_the_checkers_that_were_told(referee: Any, tmp_path: Path) -> None:
    told, drawn = TRUTH["f008.jpg"][0], tmp_path / "found.png"
    position = json.dumps({"points": told, "bar": [0, 0], "off": [0, 0]})
    code, _, _ = referee("setup", PICTURES / "f008.jpg", "-o", tmp_path / "a.json", "--position", position, "--annotate", drawn)
    assert code == 0
    table, image = load_table(tmp_path / "a.json"), load_picture(drawn)

    def circled(point: int, ink: tuple[int, int, int]) -> bool:
        """Whether the point's first checker has a circle of this colour round it."""
        circle = table.camera.project(ring(table.measures.checker, corners=36) + np.array(table.checker_centre(point, 0)))
        x, y = np.round(circle).astype(int).T
        return bool((np.abs(image[y, x].astype(int) - ink).max(axis=1) < 40).mean() > 0.6)

    for point, count in enumerate(told, start=1):
        assert (circled(point, NEAR), circled(point, FAR)) == (0 < count <= LAYER, -LAYER <= count < 0), point


def test_set_up_out_of_focus_is_said(referee: Any, tmp_path: Path) -> None:
    image = load_picture(PICTURES / "f000.jpg")
    cv2.imwrite(str(tmp_path / "soft.png"), cv2.GaussianBlur(image, (0, 0), 0.16 * found_in(PICTURES / "f000.jpg").die_px))
    said = "the picture is too blurred to read dice: focus the camera and set up again"
    code, out, _ = referee("setup", tmp_path / "soft.png", "-o", tmp_path / "board.json")
    assert (code, said in out.lower()) == (0, True)
    code, _, err = referee("read", "--start", tmp_path / "soft.png", PICTURES / "f001.jpg")
    assert (code, said in err) == (0, True)


def test_set_up_says_when_dice_lie_on_the_board(referee: Any, tmp_path: Path) -> None:
    said = "Dice lay on the board when it was found: they count once they are thrown"
    for name, lay in (("f000.jpg", False), ("f002.jpg", True)):
        code, out, _ = referee("setup", PICTURES / name, "-o", tmp_path / "board.json")
        assert (code, said in out) == (0, lay)
    code, _, err = referee("read", "--start", PICTURES / "f002.jpg", PICTURES / "f001.jpg")
    assert (code, said[1:] in err) == (0, True)


@pytest.mark.parametrize(("grey", "said"), [(0, "too dark to find the board"), (255, "too bright to find the board")])
def test_set_up_says_that_it_is_the_light_that_shows_no_board(referee: Any, tmp_path: Path, grey: int, said: str) -> None:
    lens = tmp_path / "lens.png"
    cv2.imwrite(str(lens), np.full((720, 1280, 3), grey, np.uint8))
    for words in (("setup", lens, "-o", tmp_path / "board.json"), ("read", "--start", lens, PICTURES / "f001.jpg")):
        code, _, err = referee(*words)
        assert (code, said in err, "checkers" in err) == (1, True, False)


def test_set_up_says_when_a_position_was_written_from_the_other_chair(referee: Any, tmp_path: Path) -> None:
    points = [-n for n in reversed(TRUTH["f008.jpg"][0])]
    words = ("setup", PICTURES / "f008.jpg", "-o", tmp_path / "board.json", "--position", json.dumps({"points": points}))
    code, out, err = referee(*words)
    assert (code, out) == (1, "")
    assert "as the player at the top of the picture sees it" in err
    assert "--near-at top" in err
    code, out, _ = referee(*words, "--near-at", "top")
    assert (code, "Found the board" in out) == (0, True)


def test_set_up_asks_to_check_a_position_that_is_not_there(referee: Any, tmp_path: Path) -> None:
    position = json.dumps({"points": TRUTH["f013.jpg"][0][12:] + TRUTH["f013.jpg"][0][:12]})
    code, out, err = referee("setup", PICTURES / "f008.jpg", "-o", tmp_path / "board.json", "--position", position)
    assert (code, out) == (1, "")
    assert "make sure that the checkers stand so, seen from near’s chair" in err


ADDED = (8, 0), (10, 0)  # a checker on a point without one ..
TAKEN = (15, 4), (13, 4)  # .. and the bare board on the last of five


def with_other_checkers(*changes: tuple[tuple[int, int], tuple[int, int]]) -> np.ndarray:
    """The demonstration's starting position, with what lies in one place (point, index) laid on another too."""
    image, table = load_picture(PICTURES / "f000.jpg"), found_in(PICTURES / "f000.jpg")

    def place(point: int, index: int) -> np.ndarray:
        x, y, z = table.checker_centre(point, index)
        half = table.measures.pitch / 2, table.measures.checker * 0.58
        ring = [(x + u * half[0], y + v * half[1], z) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return table.camera.project(np.array(ring)).astype(np.float32)

    shown = image.copy()
    for (p, i), (q, j) in changes:
        change = cv2.getPerspectiveTransform(place(p, i), place(q, j))
        mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), np.round(place(q, j)).astype(np.int32), (255,))
        np.copyto(shown, cv2.warpPerspective(image, change, image.shape[1::-1]), where=mask[:, :, None] > 0)
    return shown


def test_set_up_refuses_a_starting_position_of_which_a_checker_was_played(referee: Any, tmp_path: Path) -> None:
    """The fit is good but for one checker of thirty; what the readers learn of such a picture would be wrong."""
    assert cv2.imwrite(str(tmp_path / "played.png"), with_other_checkers(ADDED, TAKEN))
    words = ("setup", tmp_path / "played.png", "-o", tmp_path / "board.json")
    code, out, err = referee(*words)
    assert (code, out) == (1, "")
    assert "near’s points 10, 13 show 1, 4 checkers and not 0, 5 as at the start" in err
    assert not (tmp_path / "board.json").exists()
    points = [n + {10: 1, 13: -1}.get(p, 0) for p, n in enumerate(START.points, 1)]
    code, out, err = referee(*words, "--position", json.dumps({"points": points}))
    assert (code, "Found the board" in out) == (0, True), err


@pytest.mark.parametrize(
    ("change", "said"),
    [(ADDED, "points 10 show 1 checkers and not 0"), (TAKEN, "points 13 show 4 checkers and not 5")],
    ids=["one too many", "one too few"],
)
def test_set_up_names_the_point_on_which_a_checker_is_missing_or_too_many(referee: Any, tmp_path: Path, change: Any, said: str) -> None:
    """Weighed with the other points, of which fifteen of each player's make a box, it would be in doubt alone."""
    assert cv2.imwrite(str(tmp_path / "start.png"), with_other_checkers(change))
    code, out, err = referee("setup", tmp_path / "start.png", "-o", tmp_path / "board.json")
    assert (code, out) == (1, "")
    assert f"near’s {said} as at the start" in err


def test_set_up_refuses_a_given_position_with_a_checker_fewer_than_stand_there(referee: Any, tmp_path: Path) -> None:
    points = [n - (p == 13) for p, n in enumerate(TRUTH["f008.jpg"][0], 1)]
    position = json.dumps({"points": points, "bar": [0, 0], "off": [1, 0]})
    code, out, err = referee("setup", PICTURES / "f008.jpg", "-o", tmp_path / "board.json", "--position", position)
    assert (code, out) == (1, "")
    assert "near’s points 13 show 5 checkers and not 4 as in the given position: " in err
    assert "stand so, close together" in err


def test_set_up_in_the_middle_of_a_game_asks_for_hands_away(referee: Any, tmp_path: Path) -> None:
    """What is seen beside a hand tells roughly where the rest of the board is; off by a checker, other points were read, undoubted."""
    table, image = found_in(PICTURES / "f000.jpg"), load_picture(PICTURES / "f008.jpg").copy()
    x, y, way = table.point_base(10)
    ends = table.camera.project(np.array([[x, y - 12 * way, 1.0], [x, y + way * table.measures.point_length, 1.0]]))
    across = 2.2 * table.measures.pitch * table.checker_px / table.measures.checker
    cv2.line(image, *(tuple(map(int, end)) for end in ends), (90, 120, 170), int(across))
    cv2.imwrite(str(tmp_path / "arm.png"), image)
    position = json.dumps({"points": TRUTH["f008.jpg"][0], "bar": [0, 0], "off": [0, 0]})
    words = ("setup", tmp_path / "arm.png", "-o", tmp_path / "board.json", "--position", position)
    code, out, err = referee(*words)
    assert (code, out) == (1, "")
    assert "near’s points 9, 10, 11 are hidden: show the whole board with hands away, or show its four corners" in err
    corners = (f"{x:.1f},{y:.1f}" for x, y in table.corners())
    code, out, err = referee(*words, "--corners", *corners)
    assert (code, "Found the board" in out) == (0, True), err


@pytest.mark.parametrize("name", ["photo", "photo.jfif"])
def test_a_phones_picture_is_turned_whatever_its_name(referee: Any, tmp_path: Path, name: str) -> None:
    """Lying on its side, the near player of the picture as it is stored would sit elsewhere."""
    lying = cv2.rotate(load_picture(PICTURES / "f000.jpg"), cv2.ROTATE_90_COUNTERCLOCKWISE)
    data = cv2.imencode(".jpg", lying, (cv2.IMWRITE_JPEG_QUALITY, 95))[1].tobytes()
    (tmp_path / name).write_bytes(with_orientation(data, 6))
    assert referee("setup", tmp_path / name, "-o", tmp_path / "board.json")[0] == 0
    upright, found = found_in(PICTURES / "f000.jpg"), load_table(tmp_path / "board.json")
    assert found.camera.size == upright.camera.size
    assert np.abs(found.corners() - upright.corners()).max() < 5


def test_set_up_says_why_a_phones_heic_is_not_read(referee: Any, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    for name, code in (("photo", 2), ("photos/f0.heic", 1)):
        path = tmp_path / name
        path.write_bytes(heif(b"heic", b"mif1", b"heic"))
        got, out, err = referee("setup", path if code == 2 else path.parent, "-o", tmp_path / "board.json")
        assert (got, out) == (code, "")
        assert f"{path.name} is a HEIC picture, which is not read: save it as JPEG" in err


def test_a_position_is_given_by_its_points_alone_with_bar_and_tray_or_as_an_xgid() -> None:
    points = list(START.points)
    assert position_from_text(json.dumps({"points": points})) == START
    assert position_from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10") == START
    points[5] -= 2
    given = position_from_text(json.dumps({"points": points, "bar": [1, 0], "off": [1, 0]}))
    assert (given.points, given.bar, given.off) == (tuple(points), (1, 0), (1, 0))
