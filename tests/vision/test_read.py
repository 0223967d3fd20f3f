"""`referee read` on the pictures of the demonstration: what it answers, what it keeps of what it saw, and how commands refuse."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import web.demo
from referee.board.position import START
from referee.observations import About
from tests.found import found_in
from vision.boardfile import SetUpLook
from vision.pictures import load_picture
from vision.reader import Reader
from vision.stills import StillReader
from web.cli.bench.speed import one_core

PICTURES = Path(web.demo.__file__).parent / "pictures"
# what really stood and lay there: points, bar, values of the flat dice
TRUTH: dict[str, tuple[list[int], list[int], list[int]]] = {
    "f001.jpg": (list(START.points), [0, 0], [5, 5]),
    "f002.jpg": (list(START.points), [0, 0], [2, 5]),
    "f005.jpg": ([-1, 0, 2, 0, 0, 4, 0, 2, 0, 0, 0, -4, 5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 2], [0, 1], []),
    "f008.jpg": ([-1, -1, 2, 0, 0, 4, 0, 2, 0, 0, 0, -3, 5, 0, -1, 0, -4, 0, -5, 0, 0, 0, 0, 2], [0, 0], [2, 6]),
    "f013.jpg": ([-1, -1, 2, 0, 0, 4, 0, 2, 0, 0, 1, -3, 4, 0, 0, 0, -4, 1, -4, -2, 0, 0, 0, 1], [0, 0], [3, 4]),
}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board file from the demonstration's first picture."""
    from vision.boardfile import save_table

    path = tmp_path_factory.mktemp("board") / "board.json"
    save_table(found_in(PICTURES / "f000.jpg"), path, SetUpLook(load_picture(PICTURES / "f000.jpg")))
    return path


def _about(line: dict[str, Any]) -> set[str]:
    return {d["about"] for d in line["doubt"]}


def test_the_demonstrations_pictures_are_read_right_or_doubted(referee: Any) -> None:
    code, out, err = referee("read", "--json", "--start", PICTURES / "f000.jpg", *(PICTURES / name for name in TRUTH))
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [Path(line["image"]).name for line in lines] == list(TRUTH)
    exact = values_right = 0
    for line, (points, bar, values) in zip(lines, TRUTH.values(), strict=True):
        assert set(line) >= {"image", "dice", "position", "cube", "doubt"}
        right = line["position"]["points"] == points and line["position"]["bar"] == bar
        assert right or _about(line) & {"point", "bar"}, f"{line['image']} is read wrong without a doubt"
        exact += right
        flat = [d for d in line["dice"] if d["state"] == "flat" and d["confidence"] > 0.5]
        values_right += sorted(d["value"] for d in flat) == values
        assert line["cube"] == {"value": 1, "owner": None, "offered_to": None} or "cube" in _about(line)
    assert exact >= 4
    assert values_right >= 4


def test_a_board_file_reads_as_the_picture_does_in_which_it_was_found(referee: Any, board: Path) -> None:
    pictures = [PICTURES / name for name in TRUTH]
    by_file, by_picture = (
        [json.loads(line) for line in referee("read", "--json", option, path, *pictures)[1].splitlines()]
        for option, path in (("--board", board), ("--start", PICTURES / "f000.jpg"))
    )
    for one, other in zip(by_file, by_picture, strict=True):
        assert one["position"] == other["position"], one["image"]
        assert [die["value"] for die in one["dice"]] == [die["value"] for die in other["dice"]], one["image"]
        assert _about(one) == _about(other), one["image"]


def test_dice_that_lay_in_the_set_up_picture_are_read_in_it_by_its_board_file_too(referee: Any, tmp_path: Path) -> None:
    from vision.boardfile import save_table

    thrown, board = PICTURES / "f002.jpg", tmp_path / "board.json"
    save_table(found_in(PICTURES / "f000.jpg"), board, SetUpLook(load_picture(thrown)))
    (line,) = referee("read", "--json", "--board", board, thrown)[1].splitlines()
    assert sorted(die["value"] for die in json.loads(line)["dice"]) == TRUTH["f002.jpg"][2]


def test_a_board_that_stands_elsewhere_than_its_file_says_is_in_doubt(referee: Any, board: Path, tmp_path: Path) -> None:
    image, aside = load_picture(PICTURES / "f002.jpg"), np.array([[1.0, 0, 90], [0, 1, 40]])
    moved = cv2.warpAffine(image, aside, (image.shape[1], image.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    cv2.imwrite(str(tmp_path / "moved.png"), moved)
    _, out, _ = referee("read", "--json", "--board", board, tmp_path / "moved.png")
    assert "board" in _about(json.loads(out))


def test_a_picture_out_of_focus_is_in_doubt_and_a_sharp_one_is_not() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    careful = StillReader(Reader(found_in(PICTURES / "f000.jpg"), SetUpLook(start)))
    for name in ("f002.jpg", "f005.jpg", "f013.jpg"):
        image = load_picture(PICTURES / name)
        assert About.PICTURE not in {doubt.about for doubt in careful.read(image).doubts}
        soft = careful.read(np.asarray(cv2.GaussianBlur(image, (0, 0), 3.0 * image.shape[1] / 1280), np.uint8))
        assert [doubt.code for doubt in soft.doubts if doubt.about is About.PICTURE] == ["blurred"]


def test_a_bad_picture_in_the_list_is_doubted_and_the_rest_goes_on(referee: Any, board: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "cut.jpg").write_bytes((PICTURES / "f001.jpg").read_bytes()[:9000])
    cv2.imwrite(str(tmp_path / "small.jpg"), cv2.resize(load_picture(PICTURES / "f001.jpg"), None, fx=0.5, fy=0.5))
    bad = [tmp_path / name for name in ("empty.jpg", "cut.jpg", "small.jpg", "none.jpg")]
    code, out, err = referee("read", "--json", "--board", board, *bad, PICTURES / "f001.jpg")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 5
    for line in lines[:4]:
        assert line["position"] is None
        assert _about(line) == {"picture"}
    assert lines[4]["position"]["points"] == list(START.points)
    assert code == 1
    assert "3 of 5 pictures could not be read" in err


def test_in_words_a_picture_that_cannot_be_read_is_named_once(referee: Any, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    code, out, _ = referee("read", "--dice", tmp_path / "empty.jpg", tmp_path)
    assert code == 1
    assert out.splitlines() == [
        "empty.jpg is empty (0 bytes): copy it again or take a new picture", f"{tmp_path.name} is a folder: name a picture file"
    ]


def test_what_it_saw_is_kept(referee: Any, board: Path, tmp_path: Path) -> None:
    bundle, folder = tmp_path / "saw.zip", tmp_path / "drawn"
    names = [PICTURES / "f001.jpg", PICTURES / "f002.jpg"]
    code, out, _ = referee("read", "--board", board, *names, "--json", "--bundle", bundle, "--annotate", folder)
    assert code == 0
    assert sorted(p.name for p in folder.iterdir()) == ["f001.png", "f002.png"]
    with zipfile.ZipFile(bundle) as kept:
        assert kept.read("readings.jsonl").decode().splitlines() == out.splitlines()
        assert json.loads(kept.read("board.json"))["format"] == json.loads(board.read_text())["format"]
        assert kept.read("pictures/000-f001.jpg") == names[0].read_bytes()
    code, out, _ = referee("replay", bundle)
    assert (code, out.splitlines()) == (0, ["000-f001.jpg: read as before", "001-f002.jpg: read as before"])


def test_dice_that_were_read_without_a_board_are_read_anew(referee: Any, tmp_path: Path) -> None:
    bundle = tmp_path / "saw.zip"
    assert referee("read", "--dice", PICTURES / "f002.jpg", "--bundle", bundle)[0] == 0
    assert referee("replay", bundle)[:2] == (0, "000-f002.jpg: read as before\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no names that are no text")
def test_a_picture_may_have_a_name_that_is_no_text(referee: Any, board: Path, tmp_path: Path) -> None:
    picture, bundle, folder = tmp_path / "caf\udce9.jpg", tmp_path / "saw.zip", tmp_path / "drawn"
    picture.write_bytes((PICTURES / "f002.jpg").read_bytes())
    code, _, err = referee("read", "--board", board, picture, "--json", "--bundle", bundle, "--annotate", folder)
    assert (code, err) == (0, "")
    assert load_picture(folder / "caf\udce9.png").shape == load_picture(picture).shape
    assert referee("replay", bundle)[:2] == (0, "000-caf?.jpg: read as before\n")


def test_a_bundle_whose_reading_has_changed_is_a_failed_check(referee: Any, board: Path, tmp_path: Path) -> None:
    bundle, other = tmp_path / "saw.zip", tmp_path / "other.zip"
    assert referee("read", "--board", board, PICTURES / "f002.jpg", "--bundle", bundle)[0] == 0
    with zipfile.ZipFile(bundle) as kept, zipfile.ZipFile(other, "w") as changed:
        for name in kept.namelist():
            data = kept.read(name)
            changed.writestr(name, data.replace(b'"value": 5', b'"value": 4') if name == "readings.jsonl" else data)
    code, out, _ = referee("replay", other)
    assert (code, "dice were 2 flat, 4 flat, are 2 flat, 5 flat" in out) == (1, True)
    (tmp_path / "no.zip").write_bytes(b"no zip")
    code, _, err = referee("replay", tmp_path / "no.zip")
    assert (code, "no bundle" in err) == (2, True)


def test_where_near_sits_is_not_asked_of_a_board_that_was_set_up(referee: Any, board: Path) -> None:
    code, out, err = referee("read", "--board", board, "--near-at", "top", PICTURES / "f001.jpg")
    assert (code, out) == (2, "")
    assert "the board file says where near sits" in err


@pytest.mark.parametrize("line", ["[]", "{}", "7", '{"dice": [{}], "position": null, "cube": null, "doubt": []}', "{"])
def test_a_damaged_bundle_is_said(referee: Any, board: Path, tmp_path: Path, line: str) -> None:
    bundle, other = tmp_path / "saw.zip", tmp_path / "other.zip"
    assert referee("read", "--board", board, PICTURES / "f002.jpg", "--bundle", bundle)[0] == 0
    with zipfile.ZipFile(bundle) as kept, zipfile.ZipFile(other, "w") as damaged:
        for name in kept.namelist():
            damaged.writestr(name, line.encode() if name == "readings.jsonl" else kept.read(name))
    code, out, err = referee("replay", other)
    assert (code, out) == (2, "")
    assert "other.zip: its readings.jsonl is damaged: save another bundle" in err


def test_a_bundle_with_another_cameras_set_up_picture_is_refused(referee: Any, board: Path, tmp_path: Path) -> None:
    bundle, other = tmp_path / "saw.zip", tmp_path / "other.zip"
    assert referee("read", "--board", board, PICTURES / "f002.jpg", "--bundle", bundle)[0] == 0
    small = cv2.imencode(".png", cv2.resize(load_picture(PICTURES / "f000.jpg"), (640, 360)))[1].tobytes()
    with zipfile.ZipFile(bundle) as kept, zipfile.ZipFile(other, "w") as mixed:
        for name in kept.namelist():
            if not name.startswith("start."):
                mixed.writestr(name, kept.read(name))
        mixed.writestr("start.png", small)
    code, _, err = referee("replay", other)
    assert (code, "other.zip: its set-up picture is not of its board" in err) == (2, True)


def test_a_bundle_is_read_anew_though_a_picture_could_not_be_read(referee: Any, board: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "saw.zip"
    (tmp_path / "cut.jpg").write_bytes(b"no picture")
    assert referee("read", "--board", board, tmp_path / "cut.jpg", PICTURES / "f001.jpg", "--bundle", bundle)[0] == 1
    code, out, _ = referee("replay", bundle)
    assert (code, out.splitlines()) == (0, ["000-f001.jpg: read as before"])


def test_every_doubt_about_a_die_has_its_centre_or_null(referee: Any, board: Path, tmp_path: Path) -> None:
    """Null: dice that a hand may hide, of which none is seen."""
    arm = load_picture(PICTURES / "f002.jpg").copy()
    height, width = arm.shape[:2]
    cv2.line(arm, (width // 3, height), (width // 2, height // 2), (90, 120, 170), width // 7)
    cv2.imwrite(str(tmp_path / "arm.png"), arm)
    _, out, _ = referee("read", "--json", "--board", board, tmp_path / "arm.png")
    doubts = [doubt for doubt in json.loads(out)["doubt"] if doubt["about"] == "die"]
    assert [doubt["centre"] for doubt in doubts if doubt["code"] == "hidden"] == [None]


def test_a_picture_of_another_scene_is_never_read_as_the_board(referee: Any, board: Path, tmp_path: Path) -> None:
    image = load_picture(PICTURES / "f008.jpg")
    scenes = {"slid": np.roll(image, 45, axis=1), "round": cv2.rotate(image, cv2.ROTATE_180)}
    lights = {"black": np.zeros_like(image), "white": np.full_like(image, 255)}
    for name, scene in (scenes | lights).items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), scene)
    bundle = tmp_path / "saw.zip"
    code, out, _ = referee(
        "read", "--json", "--start", PICTURES / "f000.jpg", *(tmp_path / f"{name}.png" for name in scenes | lights), "--bundle", bundle
    )
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(line["position"], line["dice"], len(line["doubt"])) for line in lines] == [(None, [], 1)] * 4
    assert [_about(line) for line in lines] == [{"board"}] * 2 + [{"picture"}] * 2
    assert referee("replay", bundle)[0] == 0
    _, out, _ = referee("read", "--json", "--board", board, *(tmp_path / f"{name}.png" for name in lights))
    assert [_about(json.loads(line)) for line in out.splitlines()] == [{"picture"}] * 2


def test_light_and_an_arm_do_not_make_the_board_another() -> None:
    start, image = load_picture(PICTURES / "f000.jpg"), load_picture(PICTURES / "f008.jpg")
    plain = Reader(found_in(PICTURES / "f000.jpg"), SetUpLook(start))
    careful = StillReader(plain)
    height, width = image.shape[:2]
    arm, much = image.copy(), image.copy()
    cv2.line(arm, (width // 3, height), (width // 2, height // 2), (90, 120, 170), width // 9)
    cv2.line(much, (width // 3, height), (width // 2, height // 3), (90, 120, 170), width // 2)
    lamp = np.clip(image * np.linspace(0.5, 1.4, width)[None, :, None], 0, 255).astype(np.uint8)
    for seen in (image, arm, lamp):
        assert careful.read(seen) == plain.read(seen)
    nudged = careful.read(np.roll(image, 25, axis=1))
    assert nudged.position is not None
    assert (list(nudged.position.points), nudged.doubts) == (TRUTH["f008.jpg"][0], ()), "a nudged board is read where it is now"
    reading = careful.read(much)
    assert reading.position == plain.read(much).position, "what the arm leaves is read"
    assert About.BOARD in {doubt.about for doubt in reading.doubts}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["read", PICTURES / "f001.jpg", "--json"], 2, "--start IMAGE, --board board.json or --dice"),
        (["read", "--dice", "--start", PICTURES / "f000.jpg", PICTURES / "f001.jpg"], 2, "one of"),
        (["read", "--start", "nowhere.jpg", PICTURES / "f001.jpg"], 2, "nowhere.jpg is not there"),
        (["read", "--start", PICTURES / "f009.jpg", PICTURES / "f001.jpg"], 1, "not in the starting position, near’s points"),
        (["read", "--board", __file__, PICTURES / "f001.jpg"], 2, "not a board file"),
        (["setup", "nowhere", "-o", "x.json"], 2, "there is no nowhere"),
        (["setup", PICTURES / "f009.jpg", "-o", "x.json"], 1, "not in the starting position"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--corners", "1,2", "3,4", "5", "6,7"], 2, "is not a corner"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--corners", "nan,2", "3,4", "5,5", "6,7"], 2, "is not a corner"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--corners", "1,2", "1e300,4", "5,5", "6,7"], 2, "is not a corner"),
        (["setup", "caf\udce9.mp4", "-o", "x.json"], 2, "give it another name"),
        (["replay", PICTURES, "--make", "-o", "caf\udce9.mp4"], 2, "choose another name"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--position", "[1, 2]"], 2, "neither an XGID nor"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--position", '{"points": [1e999]}'], 2, "neither an XGID nor"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--position", '{"points": [0.5' + ", 0" * 23 + "]}"], 2, "neither an XGID nor"),
        (["replay", PICTURES, "--start", PICTURES / "f000.jpg", "--rules", "nonsense"], 2, "there is no rule set ‘nonsense’"),
        (["setup", PICTURES / "f000.jpg", "-o", "no such folder/x.json"], 2, "cannot be written"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--annotate", "no such folder/x.png"], 2, "cannot be written"),
        (["setup", PICTURES / "f000.jpg", "-o", "x.json", "--annotate", "x.board"], 2, "cannot be written"),
    ],
)
def test_refusals_say_what_to_do(
    referee: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[object], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    got, out, err = referee(*words)
    assert (got, out) == (code, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["setup", "f000.jpg", "-o", "f000.jpg"], "f000.jpg is read and would be written over"),
        (["setup", "f000.jpg", "-o", "f001.png"], "f001.png is the name of a picture"),
        (["setup", "f000.jpg", "-o", "x.json", "--annotate", "f000.jpg"], "f000.jpg is read and would be written over"),
        (["read", "--start", "f000.jpg", "--annotate", "f001.png", "f001.png"], "f001.png is read and would be written over"),
        (["read", "--start", "f000.jpg", "--annotate", ".", "f000.jpg", "f001.png"], "f001.png is read and would be written over"),
        (["read", "--start", "f000.jpg", "--annotate", "drawn", "f001.png", "sub/f001.png"], "would both be drawn into"),
        (["read", "--start", "f000.jpg", "--bundle", "f001.png", "f000.jpg"], "f001.png is the name of a picture"),
        (["watch", "sub", "--board", "board.json", "-o", "board.json"], "board.json is read and would be written over"),
    ],
)
def test_nothing_that_is_read_is_written_over(
    referee: Any, board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "drawn").mkdir()
    (tmp_path / "f000.jpg").write_bytes((PICTURES / "f000.jpg").read_bytes())
    for name in ("f001.png", "sub/f001.png"):
        cv2.imwrite(str(tmp_path / name), load_picture(PICTURES / "f001.jpg"))
    (tmp_path / "board.json").write_bytes(board.read_bytes())
    before = {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()}
    code, out, err = referee(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()} == before


def test_a_clip_takes_no_other_files_place(referee: Any, tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"frames": [{"image": "f000.jpg", "dice": []}, {"image": "f000.jpg", "dice": []}]}')
    cv2.imwrite(str(tmp_path / "f000.jpg"), np.zeros((48, 64, 3), np.uint8))
    before = (tmp_path / "labels.json").read_bytes()
    code, out, err = referee("replay", tmp_path, "--make", "-o", tmp_path / "labels.mp4")
    assert (code, out) == (2, "")
    assert "labels.json is there and is not the truth of a clip" in err
    assert (tmp_path / "labels.json").read_bytes() == before
    for _ in range(2):  # its own truth makes room
        assert referee("replay", tmp_path, "--make", "-o", tmp_path / "clip.mp4")[0] == 0
    assert "moments" in (tmp_path / "clip.json").read_text()


def test_a_damaged_truth_beside_a_clip_is_said(referee: Any, tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"any")
    for text in ("", "[]", '{"moments": [{"at": "x", "kind": "rest", "still": "f1.jpg"}], "start": "f0.jpg"}'):
        (tmp_path / "clip.json").write_text(text)
        code, out, err = referee("replay", tmp_path / "clip.mp4")
        assert (code, out) == (2, "")
        assert "is not the truth of a clip" in err


def test_dice_that_lay_there_when_the_board_was_found_again_in_a_game_are_read() -> None:
    thrown = load_picture(PICTURES / "f002.jpg")
    table = found_in(PICTURES / "f002.jpg")
    again = np.clip(thrown.astype(np.int16) + np.random.default_rng(1).normal(0, 2, thrown.shape).round(), 0, 255).astype(np.uint8)
    assert sorted(die.value or 0 for die in Reader(table, SetUpLook(thrown, START, begun=True)).read(again).dice) == [2, 5]
    assert Reader(table, SetUpLook(thrown, START)).read(again).dice == ()  # before a game what lies there unchanged is the board's own


def test_a_picture_is_read_on_one_core_as_on_several() -> None:
    reader = Reader(found_in(PICTURES / "f000.jpg"), SetUpLook(load_picture(PICTURES / "f000.jpg")))
    several = [reader.read(load_picture(PICTURES / name)) for name in TRUTH]
    with one_core():
        assert [reader.read(load_picture(PICTURES / name)) for name in TRUTH] == several
