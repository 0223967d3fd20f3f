"""The board file comes back as it went, and nothing else is taken for one."""

from __future__ import annotations

import json
import resource
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.board.position import Position
from vision.boardfile import BoardFileError, SetUpLook, load_board, load_table, save_table
from vision.table import WIDEST_BORDER, Table
from vision.training.finder.draw import draw


@pytest.fixture(scope="module")
def table() -> Table:
    return draw(4, (160, 90)).table


def test_a_table_comes_back_as_it_went(table: Table, tmp_path: Path) -> None:
    save_table(table, tmp_path / "board.json")
    back = load_table(tmp_path / "board.json")
    assert back.measures == table.measures
    assert back.home is table.home
    assert back.near_rgb == table.near_rgb
    assert back.far_rgb == table.far_rgb
    places = np.array([table.checker_centre(p, i) for p in (1, 6, 13, 24) for i in range(3)])
    assert np.allclose(back.camera.project(places), table.camera.project(places))


def test_the_look_at_which_it_was_found_comes_back_with_it(table: Table, tmp_path: Path) -> None:
    file, drawn = tmp_path / "board.json", draw(4, (160, 90))
    stood = Position((2, *(0,) * 21, -1, 0), (1, 0), (12, 14))
    save_table(table, file, SetUpLook(drawn.image, stood, begun=True))
    back, look = load_board(file)
    assert back.measures == table.measures
    assert look is not None
    assert (look.position, look.begun) == (stood, True)
    assert np.abs(look.picture.astype(int) - drawn.image).mean() < 4.0
    save_table(table, file)
    assert load_board(file)[1] is None, "files of an earlier version have none"


def test_a_look_knows_the_picture_that_it_was_kept_of_and_no_later_one(table: Table, tmp_path: Path) -> None:
    file, image = tmp_path / "board.json", draw(4, (160, 90)).image
    save_table(table, file, SetUpLook(image))
    look = load_board(file)[1]
    assert look is not None
    assert look.is_of(image)
    later = image.copy()
    later[80:84, 100:104] ^= 64
    assert not look.is_of(later)
    assert not look.is_of(image[:-2])


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("look", 7), ("look.jpeg", "not a picture"), ("look.jpeg", "/9j/"), ("look.position.points", [2, 3]),
        ("look.position.bar", [1]), ("look.position.off", [16, 0]), ("look.position", None),
        ("camera.size", [320, 180]),  # it was not found in this picture then
    ],
)
def test_a_damaged_look_is_named(table: Table, tmp_path: Path, path: str, new: Any) -> None:
    file = tmp_path / "board.json"
    save_table(table, file, SetUpLook(draw(4, (160, 90)).image))
    file.write_text(_changed(json.loads(file.read_text()), path, new))
    with pytest.raises(BoardFileError, match="damaged"):
        load_board(file)


def _changed(value: dict[str, Any], path: str, new: Any) -> str:
    part: Any = value
    *way, last = path.split(".")
    for name in way:
        part = part[name]
    part[last] = new
    return json.dumps(value)


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("camera.matrix", [[1, 2], [3, 4]]), ("camera.rotation", [[0, 0, 0]] * 3), ("camera.size", ["wide", 2]), ("measures.pitch", "NaN"),
        ("measures.inner", [1e9, 3]), ("measures", None), ("home", "middle"), ("near_rgb", [1, 2]),
        ("trays", [[1, 2]]), ("camera.translation", [None] * 3),
        ("measures.border", float("nan")), ("measures.rail_height", float("inf")), ("measures.bar_height", float("-inf")),
        ("camera.matrix", [[100, 0, 80], [0, 0, 45], [0, 0, 1]]), ("camera.translation", [0, 0, -90]),
        ("camera.matrix", [[100, 0, 1e308], [0, 100, 45], [0, 0, 1]]), ("camera.matrix", [[1e-300, 0, 80], [0, 1e-300, 45], [0, 0, 1]]),
        ("camera.translation", [0, 0, 7]), ("camera.translation", [0, 9000, 9000]),  # nearer than its own rim, and beside the picture
        ("measures.checker", 0.1), ("measures.checker", 200), ("measures.die", 0.1), ("measures.die", 200), ("measures.pitch", 200),
        ("measures.rails", [0.1]), ("measures.rails", [0.5, 0.2]), ("measures.rails", [0, 1e9]),
        ("camera.size", [10**9, 10**9]), ("camera.size", []), ("measures.inner", [62.0]), ("camera.dist", [1e9] * 5),
    ],
)
def test_damage_is_named(table: Table, tmp_path: Path, path: str, new: Any) -> None:
    file = tmp_path / "board.json"
    save_table(table, file)
    file.write_text(_changed(json.loads(file.read_text()), path, new))
    with pytest.raises(BoardFileError, match="damaged"):
        load_table(file)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"format": "something else"}', "\x00\xff", "[" * 100_000])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "board.json").write_text(text, encoding="latin-1")
    with pytest.raises(BoardFileError, match=r"not a board file.*referee setup"):
        load_table(tmp_path / "board.json")


def test_a_file_from_before_rails_were_looked_for_says_nothing_of_them(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    save_table(replace(table, measures=replace(table.measures, rails=(0.2, 0.5))), file)
    assert load_table(file).measures.rails == (0.2, 0.5)
    value = json.loads(file.read_text())
    del value["measures"]["rails"]
    file.write_text(json.dumps(value))
    assert load_table(file).measures == replace(table.measures, rails=(0.0, WIDEST_BORDER))


def test_a_later_version_is_refused_by_name(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    save_table(table, file)
    file.write_text(_changed(json.loads(file.read_text()), "version", 99))
    with pytest.raises(BoardFileError, match="another version"):
        load_table(file)


def test_places_that_cannot_be_written_are_refused(table: Table, tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match="cannot be written"):
        save_table(table, tmp_path / "no such folder" / "board.json")
    with pytest.raises(BoardFileError, match="no board file"):
        load_table(tmp_path / "none.json")


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    save_table(table, file)
    before = file.read_text()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, hard))  # as when the disk is full
    try:
        with pytest.raises(BoardFileError, match="cannot be written"):
            save_table(table, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, was)
    assert file.read_text() == before
    assert [f.name for f in tmp_path.iterdir()] == ["board.json"]
