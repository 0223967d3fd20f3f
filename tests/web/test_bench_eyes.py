"""`referee bench eyes`: what is right, in doubt and wrong is counted as it is, and a run can be gone on with."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import cv2
from click.testing import CliRunner

from vision.pictures import load_picture
from web.cli import bench
from web.cli.bench._eyes_score import count, wilson

BOARDS = Path(__file__).parents[1] / "data" / "boards"
POSITION = {"points": [0] * 23 + [2], "bar": [1, 0], "off": [12, 15]}
QUAD = [[0, 0], [30, 0], [30, 30], [0, 30]]
FRAME: dict[str, Any] = {
    "image": "f.jpg", "occluded": False, "position": POSITION, "cube": {"value": 2, "owner": "near", "offered_to": None},
    "dice": [
        {"value": 6, "state": "flat", "half": "right", "centre_px": [100, 100], "top_quad_px": QUAD},
        {"value": 1, "state": "flat", "half": "right", "centre_px": [200, 100], "top_quad_px": QUAD},
    ],
}  # fmt: skip


def line(**other: Any) -> dict[str, Any]:
    """What `referee read --json` prints when it reads FRAME right, with some of it otherwise."""
    dice = [{**{k: d[k] for k in ("value", "state", "half")}, "centre": [d["centre_px"][0] + 3, d["centre_px"][1]]} for d in FRAME["dice"]]
    right = {"position": {**POSITION, "off": [None, None]}, "cube": dict(FRAME["cube"]), "dice": dice, "doubt": []}
    return {**copy.deepcopy(right), **other}


def test_a_right_reading_is_right_and_a_doubt_about_it_needless() -> None:
    right = count(FRAME, line())
    assert (right["right"], right["position"], right["throw"], right["cube"], right["blind"], right["needless"]) == (1, 1, 1, 1, 0, 0)
    assert count(FRAME, line(doubt=[{"about": "cube"}]))["needless"] == 1


def test_an_error_counts_as_undoubted_only_without_a_doubt_about_that_thing() -> None:
    wrong = {**POSITION, "points": [2] + [0] * 22 + [2], "off": [None, None]}
    assert count(FRAME, line(position=wrong))["position_blind"] == 1
    assert count(FRAME, line(position=wrong, doubt=[{"about": "die"}]))["blind"] == 1
    assert count(FRAME, line(position=wrong, doubt=[{"about": "point", "point": 1}]))["blind"] == 0
    misread = line()
    misread["dice"][0]["value"] = 5
    assert count(FRAME, misread)["throw_blind"] == 1
    assert count(FRAME, line(cube=None))["cube_blind"] == 1
    cocked = {**FRAME, "dice": [{**FRAME["dice"][0], "state": "cocked"}, FRAME["dice"][1]]}
    assert count(cocked, line())["bad_blind"] == 1
    assert count({**FRAME, "cube": None}, line())["cube_blind"] == 1, "a cube where there is none"


def test_dice_are_told_by_where_they_lie_and_small_ones_and_hands_are_counted_apart() -> None:
    elsewhere = line()
    elsewhere["dice"][0]["centre"] = [400, 300]
    counts = count(FRAME, elsewhere)
    assert (counts["missed"], counts["phantom"], counts["value"]) == (1, 1, 1)
    small = copy.deepcopy(FRAME)
    small["dice"][0]["top_quad_px"] = small["dice"][1]["top_quad_px"] = [[0, 0], [15, 0], [15, 15], [0, 15]]
    assert count(small, line())["small_throw"] == 1
    small["dice"][1]["top_quad_px"] = [[0, 0], [13, 0], [13, 13], [0, 13]]
    assert count(small, line())["tiny_throw"] == 1
    assert count({**FRAME, "occluded": True}, line())["covered_right"] == 1


def test_the_interval_holds_the_share() -> None:
    assert wilson(0, 0) is None
    low, high = wilson(97, 100) or (1.0, 0.0)
    assert low < 0.97 < high
    assert (wilson(0, 600) or (0, 1))[1] < 0.007


def test_a_labelled_folder_is_scored_and_not_read_twice(tmp_path: Path) -> None:
    folder, kept = BOARDS / "train-001000", tmp_path / "kept.jsonl"
    words = ["eyes", "--json", "--folders", str(folder), "--kept", str(kept)]
    first = CliRunner().invoke(bench.command, words)
    assert first.exit_code == 0, first.output
    rows = [json.loads(one) for one in first.stdout.splitlines()]
    assert rows[-1] == {"set_ups": 1, "not_found": []}
    pictures = len(json.loads((folder / "labels.json").read_text())["frames"]) - 1
    assert sum(row["of"] for row in rows[:-1] if row["what"] == "position exact") == pictures
    again = CliRunner().invoke(bench.command, words)
    assert again.stdout == first.stdout
    assert "pictures right" in first.stderr
    assert again.stderr == ""


def test_a_picture_that_read_refuses_is_counted_as_one_of_which_nothing_was_reported(tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(BOARDS / "train-001000", folder)
    image = load_picture(folder / "f01.jpg")
    image[len(image) // 2 :] = image[len(image) // 2]  # as a lost packet leaves it; two of its four dice lie above
    cv2.imwrite(str(folder / "f01.jpg"), image)
    run = CliRunner().invoke(bench.command, ["eyes", "--json", "--folders", str(folder)])
    assert run.exit_code == 0, run.output
    rows = {row["what"]: (row["n"], row["of"]) for row in map(json.loads, run.stdout.splitlines()) if "what" in row and row["of"]}
    assert (rows["position exact"], rows["die not reported"]) == ((1, 2), (4, 6))
