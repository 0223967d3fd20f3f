"""What is written down of who sits where, for the next start of the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.board.position import START
from referee.records.pictures import Pictures
from tests.found import found_in
from tests.web.cameras import PICTURES, start
from vision.boardfile import SetUpLook
from vision.reader import SetUp
from vision.table import Table, tray_at
from web.runtime.seats import Seats

PLAYED = replace(START, points=(*START.points[:4], 2, 4, START.points[6], 2, *START.points[8:]))
"""After 8/5 6/5."""


@pytest.fixture
def table() -> Table:
    return found_in(PICTURES / "f000.jpg")


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "m.db")


def kept(pictures: Pictures, match: int) -> int:
    return len(list((pictures.folder / str(match)).glob("*")))


def test_each_match_keeps_the_picture_of_its_start_for_itself(tmp_path: Path, pictures: Pictures, table: Table) -> None:
    """The board was found once, for both; the first is deleted, and its pictures go."""
    seats, set_up = Seats(tmp_path / "seats", pictures), SetUp(table, SetUpLook(start()))
    for match in (1, 1, 2):
        seats.keep(match, table, set_up)
    assert (kept(pictures, 1), kept(pictures, 2)) == (1, 1)
    pictures.remove(1)
    match, file, sha256 = (tmp_path / "seats").read_text().splitlines()[0].split(" ")
    assert (match, file.split("/")[0]) == ("2", "2")
    assert (pictures.folder / file).is_file() and len(sha256) == 64


@pytest.mark.parametrize("look", [SetUpLook(start(), PLAYED), SetUpLook(start(), START, begun=True)], ids=["played", "begun"])
def test_a_picture_that_is_none_of_the_start_is_not_kept_as_one(tmp_path: Path, pictures: Pictures, table: Table, look: SetUpLook) -> None:
    """Dice that lie in it would be taken for ornaments ever after."""
    Seats(tmp_path / "seats", pictures).keep(1, table, SetUp(table, look))
    assert kept(pictures, 1) == 0
    assert (tmp_path / "seats").read_text().startswith("1\n")
    assert Seats(tmp_path / "seats", pictures).of(1) is not None


def test_a_board_that_is_elsewhere_than_at_the_start_is_known_by_its_place_of_now(tmp_path: Path, pictures: Pictures, table: Table) -> None:
    """A bump is followed from the start's place; a board that was carried away is not, and the start's picture is of no use."""
    tray = (tray_at(table, np.array([(100, 100), (200, 100), (200, 200), (100, 200)], np.float64)),)
    now = replace(table, trays=tray)
    seats = Seats(tmp_path / "seats", pictures)
    seats.keep(1, now, SetUp(table, SetUpLook(start())))
    known = Seats(tmp_path / "seats", pictures).of(1)
    assert known is not None and len(known.trays) == 1, "a tray that was drawn since is kept"
    other = replace(table, camera=replace(table.camera, size=(1280, 720)))
    seats.keep(1, other, SetUp(table, SetUpLook(start())))
    assert (tmp_path / "seats").read_text().startswith("1\n")


def test_what_is_known_of_a_deleted_match_goes_and_of_another_stays(tmp_path: Path, pictures: Pictures, table: Table) -> None:
    seats = Seats(tmp_path / "seats", pictures)
    seats.keep(2, table)
    seats.forget(1)
    assert seats.of(2) is not None and (tmp_path / "seats").exists()
    seats.forget(2)
    assert seats.of(2) is None and not (tmp_path / "seats").exists()


@pytest.mark.logs
def test_a_match_can_be_deleted_while_another_program_has_the_file_and_the_next_match_is_written_there(
    tmp_path: Path, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "seats"
    seats = Seats(file)
    seats.keep(1, table)
    file.unlink()
    (file / "held").mkdir(parents=True)  # cannot be removed
    seats.forget(1)
    assert seats.of(1) is None
    assert "deleted match" in caplog.text
    (file / "held").rmdir()
    file.rmdir()
    seats.keep(2, table)
    assert Seats(file).of(2) is not None


@pytest.mark.logs
@pytest.mark.parametrize("text", ["", "one\n{}", "1\n", "1 a b c\n{}", "\x00"])
def test_a_file_that_tells_of_no_seats_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "seats").write_text(text)
    assert Seats(tmp_path / "seats").of(1) is None
