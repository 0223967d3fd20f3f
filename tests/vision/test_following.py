"""A board that is bumped in play is found again by itself; one that is knocked away is named, and nothing is read of it meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import web.demo
from referee.board.position import START, Position
from referee.observations import About
from tests.found import found_in, remembered
from vision.boardfile import SetUpLook
from vision.camera.sharpness import edges
from vision.colours import standing
from vision.finder.bumped import Anchor, moved_by
from vision.following import Following, Where
from vision.pictures import Image, load_picture
from vision.reader import Reader
from vision.stills import StillReader
from vision.table import Table
from vision.training.labels import load_labels, true_table

PICTURES = Path(web.demo.__file__).parent / "pictures"
PLAYED = (-1, 0, 2, 0, 0, 4, 0, 2, 0, 0, 0, -4, 5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 2)  # as f005.jpg shows it, near's checker on the bar
NEARLY = Position((-1, 0, 2, 0, 0, 4, 0, 2, 0, 0, 0, -4, 5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 2), (0, 1))


def table() -> Table:
    return found_in(PICTURES / "f000.jpg")


def corners(t: Table, grow: float = 1.0) -> NDArray[np.float64]:
    w, h = (side / 2 * grow for side in t.measures.inner)
    return t.camera.project(np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]]))


def bumped(image: NDArray[Any], x: float, y: float, turn: float) -> tuple[NDArray[np.uint8], Table]:
    """The picture with its board slid by (x, y) cm and turned by ``turn`` degrees on its table, and where it is then."""
    t, angle = table(), np.radians(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    camera = replace(
        t.camera, rotation=t.camera.rotation @ spin, translation=t.camera.translation + t.camera.rotation @ np.array([x, y, 0.0])
    )
    now = replace(t, camera=camera)
    plane = cv2.getPerspectiveTransform(corners(t).astype(np.float32), corners(now).astype(np.float32))
    size = (image.shape[1], image.shape[0])
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners(now, 1.14)).astype(np.int32), (255,))
    out = image.copy()
    np.copyto(out, cv2.warpPerspective(image, plane, size, borderMode=cv2.BORDER_REPLICATE), where=mask[:, :, None] > 0)
    return out, now


def test_a_tray_that_is_drawn_changes_nothing_that_was_learned() -> None:
    """The board was found in mid-game, then bumped; of the tray alone is more known than before."""
    picture = load_picture(PICTURES / "f005.jpg")
    eyes = Following(Reader(table(), SetUpLook(picture, NEARLY)), lambda: NEARLY)
    image, _ = bumped(picture, 3, 0, 2)
    before = eyes.read(image, "a", 1.0)
    tray = ((-45.0, -8.0), (-35.0, -8.0), (-35.0, 8.0), (-45.0, 8.0))
    drawn = eyes.with_trays((tray,))
    after = drawn.read(image, "a", 2.0)
    assert before is not None
    assert after is not None
    assert (after.position, after.cube, after.doubts) == (before.position, before.cube, before.doubts)
    assert drawn.where is Where.HERE
    assert drawn.reader.set_up is eyes.reader.set_up
    drawn.read(bumped(picture, -2, 1, -3)[0], "b", 3.0)
    assert (drawn.where, drawn.reader.table.trays) == (Where.FOUND, (tray,))


def test_a_tray_that_is_drawn_while_a_bumped_board_is_found_again_leaves_it_found() -> None:
    """What the eyes know of the old place and of the new one must not be mixed."""
    picture = load_picture(PICTURES / "f005.jpg")
    drawn: list[Following] = []
    drawing = Thread(target=lambda: drawn.append(eyes.with_trays(())))

    def known() -> Position:
        if eyes.reader.table is not found and not drawing.ident:  # the new place is known, what it looks like there is not yet
            drawing.start()
            drawing.join(0.2)
        return NEARLY

    found = table()
    eyes = Following(Reader(found, SetUpLook(picture, NEARLY)), known)
    moved, _ = bumped(picture, 3, 0, 2)
    assert eyes.read(moved, "a", 1.0) is not None
    assert eyes.where is Where.FOUND
    drawing.join()
    assert drawn[0].read(moved, "b", 2.0) is not None
    assert drawn[0].where is Where.HERE


@pytest.mark.parametrize(("x", "y", "turn"), [(4.2, 0, 0), (-3, 3, 4), (2, -2, -7), (5.2, -1.1, 1.2)])
def test_a_bumped_board_is_found_again_and_read_where_it_is_now(x: float, y: float, turn: float) -> None:
    start = load_picture(PICTURES / "f000.jpg")
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: NEARLY)
    moved, now = bumped(load_picture(PICTURES / "f005.jpg"), x, y, turn)
    reading = eyes.read(moved, "1", 1.0)
    assert eyes.where is Where.FOUND
    away = np.linalg.norm(corners(eyes.reader.table) - corners(now), axis=1).max()
    pitch = float(np.linalg.norm(np.diff(corners(now)[:2], axis=0))) / 13
    assert away < 0.15 * pitch
    assert reading is not None
    assert reading.position is not None
    doubted = {d.point for d in reading.doubts}
    differ = {p + 1 for p, (a, b) in enumerate(zip(reading.position.points, PLAYED, strict=True)) if a != b}
    assert differ <= doubted, "what is not read right is doubted"
    assert len(differ) <= 2
    again = eyes.read(moved, "2", 1.2)
    assert eyes.where is Where.HERE
    assert again is not None


def test_a_board_bumped_late_in_the_game_is_found_though_nearly_all_checkers_lie_in_piles() -> None:
    """Where a checker of a pile lies is not known, so that piles confirm no more than an empty board does."""
    piles = Position((6, *[0] * 19, -1, 0, 0, -10), off=(9, 4))
    start = load_picture(PICTURES / "f000.jpg")
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: piles)
    moved, now = bumped(start, 2.0, -1.0, 3.0)
    assert eyes.read(moved, "1", 1.0) is not None
    assert eyes.where is Where.FOUND
    assert moved_by(now, eyes.reader.table) < 0.15


@pytest.mark.parametrize(("known", "where"), [(START, Where.AWAY), (Position((2, *[0] * 22, -2), off=(13, 13)), Where.FOUND)])
def test_a_moved_board_is_known_by_its_ornaments_alone_where_few_checkers_stand(known: Position, where: Where) -> None:
    start = load_picture(PICTURES / "f000.jpg")
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: known)
    eyes.read(bumped(cleared(start), 2.0, -1.0, 3.0)[0], "1", 1.0)
    assert eyes.where is where


def test_the_sun_through_blinds_is_another_light_and_no_other_place() -> None:
    start, played = (load_picture(PICTURES / name) for name in ("f000.jpg", "f005.jpg"))
    blinds = np.where(np.arange(start.shape[1]) // 30 % 2, 0.2, 1.0)[None, :, None]
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: START)
    for at, picture in enumerate((start, played)):
        assert eyes.read((picture * blinds).astype(np.uint8), str(at), float(at)) is not None
        assert eyes.where is Where.HERE


def test_a_board_is_not_taken_to_stand_two_points_beside_where_its_checkers_are() -> None:
    """The whole picture slides by about a point and a half: two points on, the bare board looks alike."""
    start, middle = (load_picture(PICTURES / name) for name in ("f000.jpg", "f005.jpg"))
    _, now = bumped(middle, 5.477885950996226, 0.5844561526072027, 2.677913528923714)
    plane = cv2.getPerspectiveTransform(corners(table()).astype(np.float32), corners(now).astype(np.float32))
    knocked = cv2.warpPerspective(middle, plane, middle.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: NEARLY)
    for at in (1.0, 2.0):
        reading = eyes.read(np.asarray(knocked, np.uint8), "1", at)
    assert eyes.where is Where.HERE
    assert reading is not None
    assert reading.position is not None
    assert moved_by(now, eyes.reader.table) < 0.25
    differ = {p + 1 for p, (a, b) in enumerate(zip(reading.position.points, PLAYED, strict=True)) if a != b}
    assert differ <= {d.point for d in reading.doubts}


def test_a_board_far_from_where_its_file_says_is_named() -> None:
    elsewhere = np.roll(load_picture(PICTURES / "f000.jpg"), 200, axis=1)
    eyes = Following(Reader(table()), lambda: START)
    readings = [eyes.read(elsewhere, str(i), float(i)) for i in range(14)]
    assert (eyes.where, readings[-1]) == (Where.LOST, None)


def test_a_board_that_stands_is_left_where_it_is_whatever_is_played() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    anchor = Anchor(start, table(), START)
    for name in ("f001.jpg", "f009.jpg", "f019.jpg"):
        motion = anchor.motion(edges(load_picture(PICTURES / name)))
        assert motion is not None
        assert motion.checkers < 0.05


def nudged(image: NDArray[Any], points: range, x: int, y: int) -> NDArray[np.uint8]:
    """The picture of the starting position with the checkers of some points pushed by (x, y) px."""
    t, out, pushed = table(), image.copy(), np.roll(image, (y, x), (0, 1))
    for point in points:
        for index in range(abs(START.points[point - 1])):
            at = np.array([t.checker_centre(point, index)])
            middle, rim = (t.camera.project(at + (side, 0.0, 0.0))[0] for side in (0.0, t.measures.checker / 2))
            cover = cv2.circle(np.zeros(image.shape[:2], np.uint8), middle.astype(int).tolist(), round(float(rim[0] - middle[0])), (1,), -1)
            out = np.where(np.roll(cover, (y, x), (0, 1))[..., None] > 0, pushed, out)
    return np.asarray(out, np.uint8)


@pytest.mark.parametrize(("points", "x", "y"), [(range(13, 25), 0, -4), (range(1, 7), 4, 0)])
def test_checkers_put_straight_are_no_bump(points: range, x: int, y: int) -> None:
    start = load_picture(PICTURES / "f000.jpg")
    motion = Anchor(start, table(), START).motion(edges(nudged(start, points, x, y)))
    assert motion is not None
    assert motion.checkers == 0


def test_a_board_file_of_another_evening_is_put_right_by_the_starting_position() -> None:
    moved, now = bumped(load_picture(PICTURES / "f000.jpg"), 3.0, -2.0, 3.0)
    eyes = Following(Reader(table()), lambda: START)
    reading = eyes.read(moved, "1", 1.0)
    assert reading is not None
    assert np.linalg.norm(corners(eyes.reader.table) - corners(now), axis=1).max() < 8
    assert reading.position is not None
    assert reading.position.points == START.points or reading.doubts


def test_a_board_file_of_another_evening_is_put_right_though_a_hand_came_first() -> None:
    moved, now = bumped(load_picture(PICTURES / "f000.jpg"), 3.0, -2.0, 3.0)
    hand = moved.copy()
    height, width = hand.shape[:2]
    cv2.ellipse(hand, (width // 3, height // 2), (width // 5, height // 3), 20, 0, 360, (120, 150, 205), -1)
    eyes = Following(Reader(table()), lambda: START)
    eyes.read(hand, "1", 1.0)
    reading = eyes.read(moved, "2", 2.1)
    assert eyes.where is Where.FOUND
    assert np.linalg.norm(corners(eyes.reader.table) - corners(now), axis=1).max() < 8
    assert reading is not None
    assert reading.position is not None
    assert reading.position.points == START.points or reading.doubts
    assert eyes.read(moved, "3", 3.2) is not None
    assert eyes.where is Where.HERE


def test_a_board_knocked_away_is_named_and_never_read() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: START)
    away = np.roll(start, start.shape[1] // 2, axis=1)
    assert eyes.read(away, "1", 1.0) is None
    assert eyes.where is Where.AWAY
    assert eyes.read(away, "2", 12.0) is None
    assert eyes.where is Where.LOST
    assert eyes.read(start, "3", 13.0) is not None, "it was put back"
    assert eyes.where is Where.HERE
    eyes.read(away, "4", 20.0)
    assert eyes.read(bumped(start, 3, 0, 2)[0], "5", 21.0) is not None, "it was put back beside its place"
    assert eyes.where is Where.FOUND
    assert eyes.read(away, "6", 31.0) is None
    assert eyes.where is Where.AWAY, "it has only just gone"


def test_a_board_that_lies_under_an_arm_is_not_soon_called_lost() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    eyes, arm = Following(Reader(table(), SetUpLook(start)), lambda: START), start.copy()
    height, width = arm.shape[:2]
    cv2.line(arm, (width // 3, height), (width // 2, height // 3), (90, 120, 170), width // 2)
    told = []
    for at in (1.0, 8.0, 12.0):
        eyes.read(arm, str(at), at)
        told.append(eyes.where)
    assert told == [Where.AWAY, Where.AWAY, Where.LOST]


def test_an_arm_over_the_board_is_no_bump() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    eyes = Following(Reader(table(), SetUpLook(start)), lambda: START)
    arm = start.copy()
    height, width = arm.shape[:2]
    cv2.line(arm, (width // 3, height), (width // 2, height // 2), (90, 120, 170), width // 9)
    assert eyes.read(arm, "1", 1.0) is not None
    assert eyes.where is Where.HERE


def test_what_a_hand_may_hide_is_in_doubt() -> None:
    start = load_picture(PICTURES / "f000.jpg")
    arm = start.copy()
    height, width = arm.shape[:2]
    cv2.line(arm, (width // 3, height), (width // 2, height // 2), (90, 120, 170), width // 7)
    reading = Reader(table(), SetUpLook(start)).read(arm)
    assert reading.hand
    assert {About.DIE, About.CUBE} <= {doubt.about for doubt in reading.doubts}
    assert not Reader(table(), SetUpLook(start)).read(start).doubts


@pytest.mark.parametrize(("shown", "read"), [(1.0, True), (0.97, True), (0.85, False)])
def test_pictures_of_another_size_are_read_where_the_known_position_tells_that_they_show_the_same(shown: float, read: bool) -> None:
    """A camera that changes its resolution in play; some then show only a part of what they did."""
    picture = load_picture(PICTURES / "f005.jpg")
    eyes = Following(Reader(table()), lambda: NEARLY)
    assert eyes.read(picture, "a", 1.0) is not None
    height, width = picture.shape[:2]
    y, x = (round(side * (1 - shown) / 2) for side in (height, width))
    smaller = np.asarray(cv2.resize(picture[y : height - y, x : width - x], (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
    readings = [eyes.read(smaller, "b", at) for at in (2.0, 3.5, 6.0)]
    if read:
        assert all(one is not None and one.position is not None and one.position.points == PLAYED for one in readings)
        assert eyes.reader.table.camera.size == (1280, 720)
    else:
        assert readings == [None] * 3
        assert eyes.where is Where.LOST
    again = eyes.read(picture, "c", 7.5)
    assert again is not None
    assert again.position is not None
    assert again.position.points == PLAYED


def cleared(image: Image) -> Image:
    """The picture of the starting position with every checker taken off, the ground about it in its place."""
    t, cover = table(), np.zeros(image.shape[:2], np.uint8)
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = 0.6 * t.measures.checker * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(24)])
    for point, index, _ in standing(START):
        top = np.array(t.checker_centre(point, index)) + circle
        outline = cv2.convexHull(t.camera.project(np.concatenate([top, top * (1, 1, 0)])).astype(np.float32))
        cv2.fillConvexPoly(cover, np.round(outline).astype(np.int32), (255,))
    return np.asarray(cv2.inpaint(image, cover, 3, cv2.INPAINT_TELEA), np.uint8)


@pytest.mark.parametrize(("x", "y", "turn"), [(6, 0, 8), (2.8, -0.8, -8.3), (1.3, 2.9, -10.9)])
def test_a_board_is_followed_though_every_checker_has_left_its_place(x: float, y: float, turn: float) -> None:
    start = load_picture(PICTURES / "f000.jpg")
    moved, now = bumped(cleared(start), x, y, turn)
    motion = Anchor(start, table(), START).motion(edges(moved))
    assert motion is not None
    assert np.linalg.norm(corners(motion.table) - corners(now), axis=1).max() < 2


def test_a_still_is_read_though_hardly_a_checker_is_where_it_stood_at_the_start() -> None:
    folder = Path(__file__).parent.parent / "data" / "burnt" / "test-038553"
    labels = load_labels(folder)
    start, now = (load_picture(folder / name) for name in ("f00.jpg", "f04.jpg"))
    (truth,) = (frame["position"] for frame in labels["frames"] if frame["image"] == "f04.jpg")
    reading = StillReader(Reader(true_table(folder, labels), SetUpLook(start))).read(now)
    assert reading.position is not None
    assert list(reading.position.points) == truth["points"]


def test_a_board_of_which_hardly_a_corner_shows_stands_where_it_stood_as_a_whole() -> None:
    """Plain and dim boards late in a game: what could be followed is under checkers, and the rest is noise."""
    start, later = (load_picture(PICTURES / name) for name in ("f000.jpg", "f005.jpg"))
    anchor = Anchor(start, table(), START)
    anchor._features = anchor._features[:10]
    motion = anchor.motion(edges(later))
    assert motion is not None
    assert motion.checkers == 0.0
    for x, y, turn in ((1.0, 0.0, 0.0), (0.0, 0.6, 0.0), (0.0, 0.0, 2.0), (0.0, 0.0, -5.0), (2.0, 1.0, 3.0)):
        assert anchor.motion(edges(bumped(later, x, y, turn)[0])) is None
    covered = later.copy()
    covered[:, : covered.shape[1] // 2] = 40
    assert anchor.motion(edges(covered)) is None


def test_a_board_seen_from_low_down_stands_late_in_a_game_and_no_other_board_in_its_place() -> None:
    folder = Path(__file__).parent.parent / "data" / "bare"
    start, later, *others = (load_picture(folder / f"{name}.jpg") for name in ("low_start", "low", "columns", "rows"))
    anchor = Anchor(start, remembered(start), START)
    anchor._features = anchor._features[:10]
    motion = anchor.motion(edges(later))
    assert motion is not None
    assert motion.checkers < 0.05
    assert [anchor.motion(edges(other)) for other in others] == [None, None]
