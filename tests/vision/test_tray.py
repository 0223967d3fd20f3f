"""A dice tower's tray on the picture: drawn once, kept in the board file, read by the dice reader, watched by the gate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.observations import DieState
from tests.found import found_in, remembered
from tests.web.phone import PICTURES, TRAY, picture, with_dice
from vision.boardfile import SetUpLook, load_table, save_table
from vision.camera.gate import Gate, settled
from vision.camera.source import Frame
from vision.reader import Reader
from vision.table import Table, TrayError, tray_at, with_trays_of

CORNERS = TRAY * [1600, 900]
THROWN = ((4, 1275, 297), (3, 1300, 640))


@pytest.fixture(scope="module")
def table() -> Table:
    found = found_in(PICTURES / "f000.jpg")
    return replace(found, trays=(tray_at(found, CORNERS),))


def test_it_is_kept_in_the_board_file_to_the_pixel(table: Table, tmp_path: Path) -> None:
    save_table(table, tmp_path / "board.json")
    (outline,) = load_table(tmp_path / "board.json").outlines()
    np.testing.assert_allclose(outline, CORNERS, atol=0.5)


def test_dice_in_it_are_read_there_and_elsewhere_as_ever(table: Table) -> None:
    start = picture("f000")
    seen = Reader(table, SetUpLook(start)).read(with_dice(start, (*THROWN, (5, 1000, 420))))
    assert [(die.value, die.state, die.tray, die.half is None) for die in seen.dice] == [
        (5, DieState.FLAT, False, False), (4, DieState.FLAT, True, True), (3, DieState.FLAT, True, True),
    ]
    without = Reader(replace(table, trays=()), SetUpLook(start)).read(with_dice(start, THROWN))
    assert not any(die.tray or die.state is DieState.FLAT for die in without.dice), "no tray was drawn: they lie beside the field"


def test_a_die_that_falls_into_it_is_movement(table: Table) -> None:
    start = picture("f000")
    thrown = with_dice(start, ((4, 1515, 300), (3, 1515, 400)))
    beside = tray_at(table, np.array([[1470, 200], [1560, 200], [1560, 600], [1470, 600]], float))
    for trays, moved in (((beside,), True), ((), False)):
        gate = Gate(replace(table, trays=trays))
        for i in range(8):
            gate.see(start, 0.1 * i)
        assert (not gate.see(thrown, 0.9).settled) == moved


def test_one_that_is_drawn_while_a_camera_is_followed_is_watched_from_then_on(table: Table) -> None:
    start = picture("f000")
    thrown = with_dice(start, ((4, 1515, 300), (3, 1515, 400)))
    beside = tray_at(table, np.array([[1470, 200], [1560, 200], [1560, 600], [1470, 600]], float))
    board = replace(table, trays=())

    def frames() -> Iterator[Frame]:
        nonlocal board
        for i in range(24):
            if i == 12:
                board = replace(table, trays=(beside,))
            yield Frame(thrown if i % 2 else start, str(i), 0.1 * i, still=False)

    read = [int(frame.name) for frame in settled(frames(), lambda: board)]
    assert read and 8 < max(read) < 12


def test_it_stays_where_it_is_when_the_players_sides_are_swapped(table: Table) -> None:
    other = remembered(picture("f000"), near_at="top")
    (outline,) = with_trays_of(other, table).outlines()
    np.testing.assert_allclose(outline, CORNERS, atol=6.0)


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ([[600, 300], [800, 300], [800, 500], [600, 500]], "over the playing field"),
        ([[1240, 95], [1336, 775], [1295, 93], [1278, 780]], "cross one another"),
        ([[1240, 95], [1245, 95], [1245, 99], [1240, 99]], "too small"),
    ],
)
def test_what_cannot_be_a_tray_is_refused(table: Table, corners: list[list[float]], says: str) -> None:
    with pytest.raises(TrayError, match=says):
        tray_at(table, np.array(corners, float))


def test_above_the_horizon_there_is_no_table() -> None:
    """A low camera: what lies high up in the picture is no place on the table."""
    from vision.table import Camera

    found = found_in(PICTURES / "f000.jpg")
    tilt, _ = cv2.Rodrigues(np.array([np.deg2rad(100.0), 0.0, 0.0]))
    low = Camera(found.camera.matrix, np.zeros(5), tilt, np.array([0.0, 5.0, 80.0]), found.camera.size)
    with pytest.raises(TrayError, match="behind the table"):
        tray_at(replace(found, camera=low), np.array([[700, 10], [900, 10], [900, 60], [700, 60]], float))


def test_from_set_up_to_reading_at_the_command_line(referee: Any, tmp_path: Path) -> None:
    board, thrown = tmp_path / "board.json", tmp_path / "thrown.png"
    cv2.imwrite(str(thrown), with_dice(picture("f000"), THROWN))
    words = [f"{x:.0f},{y:.0f}" for x, y in CORNERS]
    code, _, err = referee("setup", PICTURES / "f000.jpg", "-o", board, "--tray", *words)
    assert code == 0, err
    _, out, _ = referee("read", "--board", board, thrown, "--json")
    dice = json.loads(out)["dice"]
    assert [(die["value"], die["state"], die["half"], die["tray"]) for die in dice] == [(4, "flat", None, True), (3, "flat", None, True)]
    on_field = ("600,300", "800,300", "800,500", "600,500")
    code, _, err = referee("setup", PICTURES / "f000.jpg", "-o", board, "--tray", *on_field)
    assert code == 2
    assert "over the playing field" in err
