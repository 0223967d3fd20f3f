"""The board is found where it is, in drawn pictures whose truth is exact, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.board.position import START, Position
from tests.vision.drawn_table import PLACES, checkers_off
from vision.colours import exchanged, standing
from vision.finder import BoardNotFound, find_table
from vision.finder.again import find_again
from vision.finder.check import CLOSE, Verdict
from vision.finder.eye import look
from vision.finder.layout import field_quad, guesses
from vision.finder.pose import Fit, Shown, refine, slots_of, table_of, turned, widened
from vision.finder.search import Corners, _best, _best_at_start
from vision.pictures import load_picture
from vision.table import Table
from vision.training.cut_out import moved, part_about
from vision.training.finder.draw import Drawing, draw
from vision.training.labels import load_labels, true_position, true_table

CLOTH, LOW = (Path(__file__).parent.parent / "data" / name / "start.jpg" for name in ("cloth", "low"))
SIZE = (1280, 720)


# drawings that show the whole board, with light enough to tell the sides apart
STARTS = (403, 404, 405, 406, 409, 411, 415)
OTHERS = (400, 401)


@cache
def _drawn(seed: int) -> Drawing:
    return draw(seed, SIZE)


@cache
def _found(seed: int) -> Table | None:
    """The board as it is found in that drawing, None when it is not."""
    try:
        return find_table(_drawn(seed).image)
    except BoardNotFound:
        return None


def _same_way(true: Table, found: Table) -> bool:
    """Whether near is on the same side in both (a drawing knows nothing of seats)."""
    middle = np.array([[0, -10.0, 0], [0, 10.0, 0]])
    a, b = (np.diff(t.camera.project(middle), axis=0)[0] for t in (true, found))
    return bool(a @ b > 0)


def test_most_drawn_boards_are_found_and_where_they_are() -> None:
    right = 0
    for d, found in zip(map(_drawn, STARTS), map(_found, STARTS), strict=True):
        assert d.position == START
        if found is None:
            continue
        if _same_way(d.table, found):
            assert found.home is d.table.home
            worst = checkers_off(d.table, found)
        else:
            assert found.home is not d.table.home
            worst = checkers_off(_turned(d.table), found)
        assert worst < 0.5, "a board that is found is never found elsewhere"
        right += worst < 0.3
    assert right >= 5


@pytest.mark.parametrize(("seed", "right", "down"), [(403, 16, -12), (406, 14, 0)])
def test_a_board_in_a_picture_cut_out_of_a_larger_one_is_found_where_it_is(seed: int, right: float, down: float) -> None:
    """As in a photograph that was trimmed, or a stream that shows a part of what its camera sees."""
    image, true = _cut_out(_drawn(seed), right, down)
    found = find_table(image)
    assert checkers_off(true if _same_way(true, found) else _turned(true), found) < 0.5


def _cut_out(d: Drawing, right: float, down: float) -> tuple[NDArray[np.uint8], Table]:
    """The board of a drawing as its camera sees it when it looks past it by so many degrees, cut out."""
    camera = d.table.camera
    part = part_about(d.table.corners(), camera.matrix, SIZE, right, down)
    at = replace(camera, matrix=part.matrix, rotation=part.look @ camera.rotation, translation=part.look @ camera.translation)
    return part.of(d.image), replace(d.table, camera=at)


@pytest.mark.parametrize(("seed", "by"), [(404, 4 / 3), (409, 3 / 4), (415, 3 / 4)])
def test_a_board_in_a_stretched_picture_is_found_where_it_is(seed: int, by: float) -> None:
    """As a stream shows a camera of 4:3 in 16:9, or the other way round."""
    d = _drawn(seed)
    size = (round(SIZE[0] * by), SIZE[1]) if by > 1 else (SIZE[0], round(SIZE[1] / by))
    stretched = np.diag([size[0] / SIZE[0], size[1] / SIZE[1], 1.0])
    true = replace(d.table, camera=replace(d.table.camera, matrix=stretched @ d.table.camera.matrix, size=size))
    found = find_table(np.asarray(cv2.resize(d.image, size, interpolation=cv2.INTER_CUBIC), np.uint8))
    assert checkers_off(true if _same_way(true, found) else _turned(true), found) < 0.2
    assert found.camera.matrix[0, 0] / found.camera.matrix[1, 1] == pytest.approx(by, rel=0.05)


def test_of_a_picture_as_it_was_taken_nothing_is_made(one: tuple[Drawing, Table]) -> None:
    (fx, _, x), (_, fy, y), _ = one[1].camera.matrix
    assert fx == pytest.approx(fy, rel=1e-3)
    assert (x, y) == pytest.approx([(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2], abs=0.1)


def test_labels_go_with_the_picture_that_is_cut_out() -> None:
    board = _drawn(403).table
    part = part_about(board.corners(), board.camera.matrix, SIZE, 16, -12)
    dot = cv2.circle(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), (700, 330), 6, (255, 255, 255), -1)
    labels = moved({"frames": [{"dice": [{"centre_px": [700, 330], "value": 3}]}]}, part)
    (die,) = labels["frames"][0]["dice"]
    m = cv2.moments(part.of(dot)[..., 0])
    assert die["value"] == 3 and die["centre_px"] == pytest.approx([m["m10"] / m["m00"], m["m01"] / m["m00"]], abs=1)


def _turned(t: Table) -> Table:
    flip = np.diag([-1.0, -1.0, 1.0])
    home = next(h for h in type(t.home) if h is not t.home)
    return replace(t, camera=replace(t.camera, rotation=t.camera.rotation @ flip), home=home)


@pytest.fixture(scope="module")
def one() -> tuple[Drawing, Table]:
    return next((_drawn(seed), found) for seed in STARTS if (found := _found(seed)) is not None)


@pytest.fixture(scope="module")
def fit(one: tuple[Drawing, Table]) -> tuple[Shown, Fit]:
    """What is marked in that drawing, and the best fit of the start to it."""
    marks, size = look(one[0].image), (one[0].image.shape[1], one[0].image.shape[0])
    shown = Shown(marks, size, slots_of(START))
    good = _best(shown, guesses(marks, START, field_quad(marks)), START, None, None)
    assert good is not None
    return shown, good


def test_a_board_is_found_on_a_cloth_whose_squares_look_faintly_like_checkers() -> None:
    corners = find_table(load_picture(CLOTH)).corners()
    true = [(355.8, 274.5), (826.6, 107.3), (1121.9, 391.4), (602.9, 630.6)]  # as rendered; three checkers are 60 px
    assert np.linalg.norm(corners - true, axis=1).max() < 20


def test_near_sits_where_he_is_said_to_sit(one: tuple[Drawing, Table]) -> None:
    d, plain = one
    near, far = plain.camera.project(np.array([[0, -10.0, 0], [0, 10.0, 0]]))
    lower = near[1] - far[1]
    sides = ("bottom", "top") if abs(lower) > abs(near[0] - far[0]) else ("right", "left")
    one_way, other_way = (find_table(d.image, near_at=side) for side in sides)  # type: ignore[arg-type]
    assert one_way.home is not other_way.home
    assert np.allclose(one_way.near_rgb, other_way.far_rgb, atol=6)
    assert not _same_way(one_way, other_way)


def test_checkers_that_changed_sides_are_told_by_their_colours_unless_these_are_alike(one: tuple[Drawing, Table]) -> None:
    def plays(near: tuple[float, float, float], far: tuple[float, float, float]) -> Table:
        return replace(one[1], near_rgb=near, far_rgb=far)

    white, black, dusk = (220.0, 215, 205), (40.0, 38, 35), (110.0, 95, 80)
    assert exchanged(plays(white, black), plays(black, white))
    assert exchanged(plays(white, black), plays((15, 12, 10), dusk)), "though the lamp is off"
    assert not exchanged(plays(white, black), plays(white, black))
    assert not exchanged(plays(white, black), plays(dusk, (15, 12, 10)))
    assert not exchanged(plays(white, (200, 195, 185)), plays((200, 195, 185), white))


def given(px: NDArray[np.float64]) -> Corners:
    """Four places (4, 2) px as a person gives them."""
    a, b, c, d = ((float(x), float(y)) for x, y in px)
    return a, b, c, d


def test_four_corners_by_hand_are_made_exact(one: tuple[Drawing, Table]) -> None:
    d, plain = one
    w, h = np.array(plain.measures.inner) / 2
    corners = plain.camera.project(np.array([[-w, h, 0], [w, -h, 0], [w, h, 0], [-w, -h, 0]]))
    rough = corners + np.array([[4, -3], [-3, 4], [3, 3], [-4, -4]])
    found = find_table(d.image, corners=given(rough))
    assert checkers_off(plain, found) < 0.25


@pytest.mark.parametrize("name", ["train-001001", "train-001002", "test-023021"])  # two have a border between points and rails
def test_corners_shown_with_a_finger_do_not_move_the_board_from_its_checkers(name: str) -> None:
    """On a phone they are off by a third of a checker each way."""
    folder = Path(__file__).parent.parent / "data" / "boards" / name
    true = true_table(folder)
    off = 0.35 * true.checker_px * np.array([[1, -1], [1, 1], [-1, 1], [1, -1]])
    found = find_table(load_picture(folder / "f00.jpg"), corners=given(true.corners() + off))
    assert checkers_off(true, found) < 0.18


def test_corners_of_the_frame_about_the_field_are_refused(one: tuple[Drawing, Table]) -> None:
    """With them a die on the bar was read as a good one."""
    d, plain = one
    with pytest.raises(BoardNotFound, match="corners do not go with the checkers: give the inner corners"):
        find_table(d.image, corners=given(plain.corners(1.12)))


@pytest.mark.parametrize(("name", "picture", "grow"), [("train-001001", "f03.jpg", 1.1), ("train-002000", "f02.jpg", 1.12)])
def test_corners_of_the_frame_are_refused_in_mid_game_too(name: str, picture: str, grow: float) -> None:
    folder = Path(__file__).parent.parent / "data" / "boards" / name
    frame = next(one for one in load_labels(folder)["frames"] if one["image"] == picture)
    corners = given(true_table(folder).corners(grow))
    with pytest.raises(BoardNotFound, match="corners do not go with the checkers"):
        find_table(load_picture(folder / picture), true_position(frame), corners=corners)


def test_corners_that_are_none_are_refused(one: tuple[Drawing, Table]) -> None:
    with pytest.raises(BoardNotFound, match="four corners"):
        find_table(one[0].image, corners=((10, 10), (10, 10), (500, 10), (500, 400)))
    with pytest.raises(BoardNotFound, match="outside of the picture"):
        find_table(one[0].image, corners=((-1e4, 0), (1e4, 1), (2, 2e4), (3, -3e4)))


def test_a_bumped_board_is_found_again(one: tuple[Drawing, Table]) -> None:
    d, plain = one
    turn = cv2.getRotationMatrix2D((640, 360), 3.0, 1.0) + np.array([[0, 0, 12.0], [0, 0, -8.0]])
    bumped: Any = cv2.warpAffine(d.image, turn, SIZE, borderMode=cv2.BORDER_REPLICATE)
    again = find_again(bumped, plain, START)
    places = np.array([plain.checker_centre(p, i) for p, i in PLACES])
    wanted = plain.camera.project(places) @ turn[:, :2].T + turn[:, 2]
    across = np.linalg.norm(wanted[4] - wanted[0]) / 4
    assert np.linalg.norm(again.camera.project(places) - wanted, axis=1).max() < 0.4 * across


def test_a_camera_knocked_away_is_not_followed(one: tuple[Drawing, Table]) -> None:
    d, plain = one
    away: Any = cv2.warpAffine(d.image, np.array([[1, 0, 500.0], [0, 1, 200.0]]), SIZE)
    with pytest.raises(BoardNotFound, match="set it up again"):
        find_again(away, plain, START)


NOISE = np.random.default_rng(0).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
DISCS = np.full((720, 1280, 3), 90, np.uint8)
for _i in range(30):
    cv2.circle(DISCS, (int(NOISE[0, _i, 0]) * 5, int(NOISE[1, _i, 1]) * 2 + 100), 24, (200, 200, 200), -1, cv2.LINE_AA)


@pytest.mark.parametrize(
    ("image", "what_to_do"),
    [
        (np.zeros((720, 1280, 3), np.uint8), ": take it with more light"),
        (np.full((720, 1280, 3), 255, np.uint8), ": take it with less light"),
        (NOISE, "; set up all checkers"),
        (DISCS, "; set up all checkers"),
    ],
    ids=["black", "white", "noise", "scattered discs"],
)
def test_no_board_is_found_where_there_is_none(image: Any, what_to_do: str) -> None:
    with pytest.raises(BoardNotFound) as refused:
        find_table(image)
    assert what_to_do in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("side", "checkers"), [(-1, 1), (1, 1), (-1, -1), (1, -1)])
def test_a_fit_that_begins_each_column_at_the_wrong_checker_is_put_right(fit: tuple[Shown, Fit], side: int, checkers: int) -> None:
    shown, good = fit
    assert (good.off < CLOSE).sum() >= 28
    over = refine(shown, widened(good.unknowns, side, checkers), good.mirrored)
    assert (over.off < CLOSE).sum() < (good.off < CLOSE).sum(), "it stays where it was put"
    again = _best_at_start(shown, [over])
    assert again is not None and (again.off < CLOSE).sum() >= (good.off < CLOSE).sum()


def test_a_fit_seen_from_the_other_chair_has_its_points_from_there(fit: tuple[Shown, Fit]) -> None:
    other = turned(fit[1])
    table = table_of(other)
    places = table.camera.project(np.array([table.checker_centre(point, index) for point, index, _ in standing(START)]))
    assert (np.linalg.norm(places - other.places, axis=1) < CLOSE * other.across).all()
    there = other.of_mark >= 0
    assert np.allclose(other.seen[there], fit[0].marks.xy[other.of_mark[there]])


def test_of_a_board_whose_rail_hides_checkers_from_a_low_camera_it_is_said_to_raise_it() -> None:
    with pytest.raises(BoardNotFound, match=r"^from so low rails hide checkers, 2\d of 30 are seen in their places: raise the camera$"):
        find_table(load_picture(LOW))


def test_checkers_laid_untidily_still_make_the_start_but_a_moved_one_does_not() -> None:
    untidy = Verdict(expected=30, found=26, gone=0, extra=0, wrong=(8, 13), colours=0.95, sound=True, elevation=60.0)
    assert untidy.good
    assert replace(untidy, found=29, extra=1).good, "a mark of the wood beside a checker that lies off its place"
    assert not replace(untidy, found=29, gone=1, extra=1).good, "one away from its place and one too many: somebody played"
    assert not replace(untidy, gone=4).good


def test_another_position_is_not_taken_for_the_start() -> None:
    for d in map(_drawn, OTHERS):
        assert d.position != START
        with pytest.raises(BoardNotFound):
            find_table(d.image)


def test_a_position_with_too_few_single_checkers_is_refused(one: tuple[Drawing, Table]) -> None:
    stacked = Position((15, *[0] * 22, -15))
    with pytest.raises(BoardNotFound, match="too few checkers"):
        find_table(one[0].image, stacked)


def test_nobody_sits_at_a_side_at_which_no_long_side_lies(one: tuple[Drawing, Table]) -> None:
    d, plain = one
    near, far = plain.camera.project(np.array([[0, -10.0, 0], [0, 10.0, 0]]))
    upright = abs(near[1] - far[1]) > abs(near[0] - far[0])
    image = d.image if upright else cv2.rotate(d.image, cv2.ROTATE_90_CLOCKWISE)
    with pytest.raises(BoardNotFound, match="at the top and bottom of the picture: near sits at one of these"):
        find_table(np.asarray(image, np.uint8), near_at="left")
