"""The whole way from a start picture to a reading, on the rendered set-ups kept with the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.board.position import Seat
from referee.observations import About
from tests.found import found_in
from tests.vision.drawn_table import checkers_off
from vision.boardfile import SetUpLook
from vision.pictures import load_picture
from vision.reader import Reader
from vision.training.labels import load_labels, set_ups, true_position, true_table

BOARDS = set_ups([Path(__file__).parent.parent / "data" / "boards"])


def test_the_set_ups_are_there() -> None:
    assert len(BOARDS) >= 6


def test_set_ups_are_found_among_folders_and_in_folders_of_them(tmp_path: Path) -> None:
    for name in ("photographs/one", "photographs/two", "game"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "labels.json").write_text("{}")
    (tmp_path / "linked").symlink_to(tmp_path / "game")
    found = [folder.relative_to(tmp_path).as_posix() for folder in set_ups([tmp_path])]
    assert found == ["game", "linked", "photographs/one", "photographs/two"]
    assert set_ups([tmp_path / "game"]) == [tmp_path / "game"]


@pytest.mark.parametrize("folder", BOARDS, ids=lambda f: f.name)
def test_the_board_is_found_and_what_is_read_wrong_is_doubted(folder: Path) -> None:
    labels = load_labels(folder)
    truth = true_table(folder, labels)
    frames = {f["role"] == "calibration": f for f in reversed(labels["frames"])}
    start = load_picture(folder / frames[True]["image"])
    found = found_in(folder / frames[True]["image"])
    assert found.home is truth.home
    assert checkers_off(truth, found) < 0.3
    reader = Reader(found, SetUpLook(start))
    for frame in labels["frames"]:
        reading = reader.read(load_picture(folder / frame["image"]))
        assert reading.position is not None
        true = true_position(frame)
        doubted = {d.about for d in reading.doubts}
        if (reading.position.points, reading.position.bar) != (true.points, true.bar):
            assert doubted & {About.POINT, About.BAR}, f"{frame['image']} is read wrong without a doubt"


def test_of_a_pile_on_the_bar_one_checker_shows_and_the_others_are_missed() -> None:
    """Of three on the bar the camera sees one; the board beside it shows that near has borne off none."""
    folder = next(b for b in BOARDS if b.name == "test-023021")
    found, picture = found_in(folder / "f00.jpg"), load_picture(folder / "f03.jpg")
    reading = Reader(found, SetUpLook(load_picture(folder / "f00.jpg"))).read(picture)
    assert load_labels(folder)["frames"][1]["position"]["bar"] == [3, 0]
    (doubt,) = (d for d in reading.doubts if d.about is About.BAR and d.seat is Seat.NEAR)
    assert {1, 3} <= set(doubt.values)
