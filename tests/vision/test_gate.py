"""The gate: what has settled, what moves, and a camera that is not well."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.observations import Half
from tests.vision.grain import grainy
from vision.camera.gate import Gate, Health, settled
from vision.camera.source import FROZEN_AFTER, SQUEEZED_AFTER, Frame, NetworkSource
from vision.pictures import load_picture
from vision.table import Camera as TableCamera
from vision.table import Measures, Table

Image = NDArray[Any]
BOARDS = Path(__file__).parents[1] / "data" / "boards"


@cache
def board(seed: int = 0) -> Image:
    """Something with edges and texture, 1280x720."""
    rng = np.random.default_rng(seed)
    image = np.asarray(cv2.resize(rng.integers(60, 190, (18, 32, 3), np.uint8), (1280, 720), interpolation=cv2.INTER_NEAREST))
    image.flags.writeable = False  # for whoever asks next
    return image


class Camera:
    """Adds the noise that every real camera has."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, image: Image, gain: float = 1.0) -> tuple[Image, float]:
        self.count += 1
        lit = image if gain == 1.0 else cv2.convertScaleAbs(image, alpha=gain)
        return grainy(lit, self.count), self.count / 30


def with_die(image: Image, x: int, y: int, size: int = 20) -> Image:
    out = image.copy()
    out[y : y + size, x : x + size] = 250
    return out


def test_a_still_board_settles_in_a_fifth_of_a_second_and_stays_settled() -> None:
    gate, camera = Gate(), Camera()
    looks = [gate.see(*camera(board())) for _ in range(60)]
    first = next(i for i, look in enumerate(looks) if look.settled)
    assert first <= 8
    assert all(look.settled for look in looks[first:])


def test_one_small_die_moving_unsettles_it() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(15):
        gate.see(*camera(board()))
    moving = [gate.see(*camera(with_die(board(), 300 + 12 * i, 350))).settled for i in range(12)]
    assert not any(moving)
    resting = [gate.see(*camera(with_die(board(), 432, 350))).settled for _ in range(10)]
    assert resting[-1]


def test_a_stream_that_stutters_shows_no_die_at_rest_that_rolls_on() -> None:
    """A film of a stream has as many pictures a second as ever where the stream had none: the last one again and again."""
    gate, camera = Gate(), Camera()
    for _ in range(15):
        gate.see(*camera(board()))
    for i in range(4):
        gate.see(*camera(with_die(board(), 300 + 12 * i, 350)))
    rolling, since = camera(with_die(board(), 360, 350))
    camera.count += 10
    assert not any(gate.see(rolling, since + i / 30).settled for i in range(11))
    assert not gate.see(*camera(with_die(board(), 420, 350))).settled
    assert [gate.see(*camera(with_die(board(), 420, 350))).settled for _ in range(6)][-1], "it rests"
    repeated = [one for i in range(20) for one in [camera(with_die(board(), 480 if i < 5 else 540, 350))[0]] * 2]
    looks = [gate.see(image, 2 + i / 60).settled for i, image in enumerate(repeated)]
    assert looks.index(True) <= 20, "each picture twice is no stuttering"


def test_a_film_without_noise_settles_all_the_same() -> None:
    gate = Gate()
    looks = [gate.see(board() if i < 10 else with_die(board(), 300, 350), i / 30).settled for i in range(40)]
    assert [looks[i] for i in (10, 20, 26, 39)] == [False, False, True, True]


def test_slow_light_does_not_unsettle_it() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(10):
        gate.see(*camera(board()))
    assert all(gate.see(*camera(board(), 1.0 + 0.001 * i)).settled for i in range(120))


def test_a_shadow_that_creeps_over_half_the_board_does_not_unsettle_it_and_a_checker_pushed_slowly_does() -> None:
    gate, camera = Gate(), Camera()

    def settled_with(count: int, shade: float = 0.0, x: int = 400, step: float = 0.0) -> list[bool]:
        out = []
        for i in range(count):
            lit = board().copy()
            lit[:, :640] = cv2.convertScaleAbs(lit[:, :640], alpha=1 - shade * i)
            cv2.circle(lit, (round(16 * (x + step * i)), 16 * 350), 16 * 30, (50, 50, 50), -1, cv2.LINE_AA, 4)
            out.append(gate.see(*camera(lit)).settled)
        return out

    settled_with(15, x=500)
    assert settled_with(20)[-1], "it has been put down"
    assert all(settled_with(120, shade=0.002))
    settled_with(60)
    assert not any(settled_with(120, step=0.4)[10:]), "though each picture is like the one before"
    assert settled_with(20, x=448)[-1]


def banded(image: Image, at: float, strength: float) -> Image:
    """``image`` as a camera sees it that takes its rows one after another under mains light: bands that wander up the picture."""
    rows = np.arange(image.shape[0], dtype=np.float32)[:, None, None]
    lit = image * (128 * (1 + strength * np.sin(2 * np.pi * (rows / 200 + 1.3 * at)))).astype(np.uint16) >> 7
    return np.minimum(lit, 255).astype(np.uint8)


@pytest.mark.parametrize("upright", [False, True], ids=["lying camera", "upright camera"])
@pytest.mark.parametrize(("brightest", "strength"), [(190, 0.25), (250, 0.15)], ids=["strong", "cut off where it is bright"])
def test_bands_of_mains_light_are_no_movement_and_a_die_in_them_is(brightest: int, strength: float, upright: bool) -> None:
    gate, camera = Gate(), Camera()

    def delivered(image: Image, at: float) -> Image:
        seen = banded(image, at, strength)
        return cv2.rotate(seen, cv2.ROTATE_90_COUNTERCLOCKWISE) if upright else seen

    scene = cv2.convertScaleAbs(board(), alpha=brightest / 190)
    looks = []
    for i in range(40):
        image, at = camera(scene)
        looks.append(gate.see(delivered(image, i / 30), at))
    assert all(look.settled for look in looks[10:])
    moving = []
    for i in range(40, 52):
        image, at = camera(with_die(scene, 300 + 12 * (i - 40), 350))
        moving.append(gate.see(delivered(image, i / 30), at).settled)
    assert not any(moving)
    lying = []
    for i in range(52, 92):
        image, at = camera(with_die(scene, 432, 350))
        lying.append(gate.see(delivered(image, i / 30), at).settled)
    assert any(lying[:10]) and sum(lying) > 30, "what was seen as it came to rest is compared with every picture"


def seen_from_above() -> Table:
    """A board whose field lies at x 296..984, y 85..635 of the pictures."""
    matrix = np.array([[1000, 0, 640], [0, 1000, 360], [0, 0, 1.0]])
    camera = TableCamera(matrix, np.zeros(5), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 80.0]), (1280, 720))
    return Table(camera, Measures((55.0, 44.0), 4.4, 4.2), Half.RIGHT, (230.0, 225.0, 215.0), (35.0, 33.0, 30.0))


def test_of_pictures_of_another_size_than_the_board_was_found_in_all_is_watched() -> None:
    gate = Gate(seen_from_above())
    half = cv2.resize(board(), (640, 360), interpolation=cv2.INTER_AREA)
    for i in range(27):
        image, at = with_die(half, 170 + 12 * (i - 15), 100, 12) if i >= 15 else half, i / 30
        settled = gate.see(grainy(image, i), at).settled
        assert settled == (4 < i < 15) or i < 8


def with_hand(image: Image, i: int, x: int, y: int) -> Image:
    """A hand of 40 px about (x, y) that never rests, in its ``i``-th picture."""
    out = image.copy()
    cv2.circle(out, (x + 12 * (i % 3), y), 20, (90, 120, 200), -1)
    return np.asarray(out)


def test_a_hand_that_never_rests_on_the_rail_holds_up_nothing_for_long() -> None:
    gate, camera = Gate(seen_from_above()), Camera()

    def settled_with(*hands: tuple[int, int], count: int = 60, die: bool = False) -> list[bool]:
        out = []
        for i in range(count):
            image = with_die(board(), 600, 300) if die else board()
            for hand in hands:
                image = with_hand(image, i, *hand)
            out.append(gate.see(*camera(image)).settled)
        return out

    near_rail, over_the_edge, home_tray, field = (600, 662), (600, 645), (1000, 300), (700, 400)
    assert settled_with()[-1]
    beside = settled_with(near_rail)
    assert not any(beside[:40]), "nor is a die that rolls along the rail read too early"
    assert all(beside[50:])
    thrown = settled_with(near_rail, die=True)
    assert not any(thrown[:40])
    assert all(thrown[50:])
    for hand in (over_the_edge, home_tray, field):
        assert not any(settled_with(hand, near_rail)), hand
    assert settled_with()[-1]


def test_what_never_rests_in_a_streams_frame_holds_up_nothing_and_hides_no_die() -> None:
    """A clock ticks, and a player's picture moves, beside the board; dice roll on it."""
    gate, camera, rng = Gate(seen_from_above()), Camera(), np.random.default_rng(5)

    def streamed(second: int, frame: int, die: int | None = None, hand: bool = False) -> bool:
        image = board().copy() if die is None else with_die(board(), die, 300)
        image = with_hand(image, frame, 600, 662) if hand else image
        cv2.putText(image, f"{second % 100:02d}", (1000, 600), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (255, 255, 255), 3)
        image[90:200, 1000:1150] = cv2.resize(rng.integers(0, 255, (4, 6, 3), np.uint8), (150, 110)) if frame % 2 else 90
        return gate.see(*camera(image)).settled

    assert not any(streamed(second, frame) for second in range(5) for frame in range(30)), "as yet it may be a hand"
    for second in range(5, 11):
        for frame in range(30):
            streamed(second, frame)
    assert all(streamed(second, frame) for second in range(11, 13) for frame in range(30))
    assert not any(streamed(13, frame, 400 + 12 * frame) for frame in range(30))
    assert [streamed(14, frame, 748) for frame in range(30)][-1]
    assert [streamed(second, frame, 748, hand=True) for second in (15, 16) for frame in range(30)][-1], "nor a hand on the rail"


def test_a_switched_lamp_settles_again() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(15):
        gate.see(*camera(board()))
    after = [gate.see(*camera(board(), 0.75)).settled for _ in range(20)]
    assert after[-1]


def test_a_lamp_switched_evenly_is_no_movement() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(15):
        gate.see(*camera(board()))
    fading = [gate.see(*camera(board(), gain)).settled for gain in (0.95, 0.9, 0.85, 0.8, *[0.78] * 10, 0.85, 0.95, 1.0)]
    assert all(fading)


def test_nor_where_what_is_too_bright_to_be_shown_comes_to_be_seen() -> None:
    gate, camera = Gate(), Camera()
    glossy = board().astype(np.float32)
    glossy[200:300, 500:700] = 320
    lit = [np.minimum(glossy * gain, 255).astype(np.uint8) for gain in (*[1.0] * 15, 0.95, 0.9, 0.85, 0.8, 0.75, *[0.7] * 10)]
    assert all([gate.see(*camera(image)).settled for image in lit][10:])


def test_nothing_is_read_of_a_camera_that_is_not_well_and_a_film_may_stand_still() -> None:
    frames = [Frame(board(), str(i), i / 30, still=False) for i in range(120)]
    said: list[Health] = []
    read = [int(f.name) for f in settled(frames, frozen_after=FROZEN_AFTER, watcher=lambda _, health: said.append(health))]
    assert max(read) <= 60
    assert [health for health, _ in groupby(said)] == [Health.GOOD, Health.FROZEN]
    assert max(int(f.name) for f in settled(frames)) > 90
    camera = Camera()
    dark = [Frame(camera(board() if i < 15 or i > 45 else board() // 12)[0], str(i), i / 30, still=False) for i in range(75)]
    said.clear()
    read = [int(f.name) for f in settled(dark, frozen_after=FROZEN_AFTER, watcher=lambda _, health: said.append(health))]
    assert not [i for i in read if 15 <= i <= 45]
    assert [i for i in read if i > 45]
    assert [health for health, _ in groupby(said)] == [Health.GOOD, Health.DARK, Health.GOOD]


def test_a_camera_in_the_network_may_send_a_quiet_scene_as_one_picture_for_a_while() -> None:
    """What it squeezes its pictures with leaves out what has hardly changed, until it sends a whole one again."""
    frames = [Frame(board(), str(i), i / 10, still=False) for i in range(int(10 * SQUEEZED_AFTER) + 20)]
    said: list[Health] = []
    read = [int(f.name) for f in settled(frames, frozen_after=NetworkSource.frozen_after, watcher=lambda _, health: said.append(health))]
    assert 10 * (SQUEEZED_AFTER - 2) < max(read) <= 10 * SQUEEZED_AFTER
    assert [health for health, _ in groupby(said)] == [Health.GOOD, Health.FROZEN]


def test_cameras_that_are_not_well_are_named() -> None:
    gate = Gate()
    assert [gate.see(board(), i / 30).health for i in range(90)][-1] is Health.FROZEN
    camera = Camera()
    assert Gate().see(*camera(np.zeros((720, 1280, 3), np.uint8))).health is Health.DARK
    washed_out = np.where(np.arange(1280)[None, :, None] < 900, 255, board())
    for too_bright in (np.full((720, 1280, 3), 255), np.full((720, 1280, 3), 249), washed_out):
        assert Gate().see(*camera(too_bright.astype(np.uint8))).health is Health.OVEREXPOSED
    gate = Gate()
    covered = np.zeros((720, 1280, 3), np.uint8)
    assert {gate.see(covered, i / 30).health for i in range(90)} == {Health.DARK}, "a covered lens may send one black picture for ever"
    gate, seen = Gate(), real_board("test-000129")
    blurred = np.asarray(cv2.GaussianBlur(seen, (0, 0), 40), np.uint8)
    assert gate.see(blurred, 0.0).health is Health.GOOD, "it may be a table on which the board does not lie yet"
    gate.see(*camera(seen))
    assert gate.see(blurred, 1.0).health is Health.BLURRED


def test_what_covers_the_lens_is_named_and_no_board_is() -> None:
    """A sheet of paper, darker towards its edges, is neither dark nor blurred: its grain is as sharp as it can be. A board is seen through
    haze that leaves it half of its contrast."""
    y, x = np.mgrid[0:720, 0:1280]
    paper = 170 * (1 - 0.3 * ((x - 640) ** 2 + (y - 360) ** 2) / (640**2 + 360**2))
    sheet, gate, camera = paper.astype(np.uint8)[..., None].repeat(3, 2), Gate(), Camera()
    hazy = [cv2.addWeighted(seen, 0.5, np.full_like(seen, 128), 0.5, 0) for seen in map(real_board, ("test-000129", "train-002000"))]
    assert Gate().see(*camera(sheet)).health is Health.COVERED, "from the beginning, too"
    for seen in hazy:
        assert [gate.see(*camera(one)).health for one in (seen, sheet, sheet, seen)] == [
            Health.GOOD, Health.COVERED, Health.COVERED, Health.GOOD,
        ]


def real_board(name: str) -> Image:
    return np.asarray(cv2.resize(load_picture(BOARDS / name / "f00.jpg"), (1280, 720), interpolation=cv2.INTER_AREA))


def page() -> Image:
    """A score sheet."""
    sheet = np.full((720, 1280, 3), 235, np.uint8)
    sheet[::3, ::4] = 20
    return sheet


@pytest.mark.parametrize("name", ["test-000129", "train-002000"])  # one of few edges, one of little contrast
@pytest.mark.parametrize("before", ["hand", "page", "snow", "darkness"])
def test_what_was_before_a_lens_that_is_not_of_the_best_is_over_when_it_is_gone(before: str, name: str) -> None:
    rng = np.random.default_rng(3)
    seen = np.asarray(cv2.GaussianBlur(real_board(name), (0, 0), 1.5), np.uint8)
    held = {
        "hand": np.full_like(seen, 110),
        "page": page(),
        "snow": rng.integers(0, 255, (720, 1280, 1), np.uint8).repeat(3, 2),
        "darkness": seen // 5,
    }[before]
    for first in (5, 0):
        gate, camera = Gate(), Camera()
        for _ in range(first):
            gate.see(*camera(seen))
        for _ in range(3):
            gate.see(*camera(held))
        assert {gate.see(*camera(seen)).health for _ in range(4)} == {Health.GOOD}
        assert gate.see(cv2.GaussianBlur(seen, (0, 0), 12), 2.0).health is Health.BLURRED, "and blur is still named"


def test_a_picture_of_another_size_starts_anew() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(10):
        gate.see(*camera(board()))
    assert not gate.see(cv2.resize(board(), (640, 480)), 1.0).settled


def test_settled_scenes_are_read_a_few_times_at_once_and_then_now_and_then() -> None:
    camera = Camera()
    frames = []
    for i in range(150):
        image, at = camera(with_die(board(), 300 + 15 * i, 300) if 30 <= i < 45 else board())
        frames.append(Frame(image, str(i), at, still=False))
    read = [int(f.name) for f in settled(frames)]
    assert not [i for i in read if 30 <= i < 45]
    assert 3 <= len([i for i in read if i >= 45 and i < 90]) <= 6
    assert len([i for i in read if i >= 90]) <= 4


def trembling(image: Image, count: int) -> Image:
    """As a camera on a soft stand sees it: moved by up to 2.5 px and turned by up to a twentieth of a degree, otherwise each time."""
    turned = cv2.getRotationMatrix2D((640, 360), 0.05 * np.sin(1.3 * count), 1.0)
    turned[:, 2] += 1.5 * np.sin(0.9 * count), 1.2 * np.cos(0.7 * count)
    return np.asarray(cv2.warpAffine(image, turned, (1280, 720), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


def test_a_camera_that_trembles_sees_a_board_at_rest_and_what_moves_on_it() -> None:
    gate, camera = Gate(), Camera()

    def settled_with_die_at(*places: int) -> list[bool]:
        return [gate.see(*camera(trembling(with_die(board(), x, 350), camera.count))).settled for x in places]

    assert all(settled_with_die_at(*[300] * 60)[8:])
    assert not any(settled_with_die_at(*range(306, 420, 6))), "it rolls"
    assert all(settled_with_die_at(*[420] * 30)[8:])
    assert not any(settled_with_die_at(426, 426)), "it was nudged"
    assert all(settled_with_die_at(*[426] * 30)[8:])


def test_a_board_that_is_pushed_is_no_trembling() -> None:
    gate, camera = Gate(), Camera()
    assert [gate.see(*camera(board())).settled for _ in range(15)][-1]
    pushed = np.roll(board(), 8, axis=1)
    assert not gate.see(*camera(pushed)).settled
    assert all([gate.see(*camera(pushed)).settled for _ in range(20)][8:])


def test_a_camera_that_shakes_for_ever_is_named_until_it_rests() -> None:
    camera, told = Camera(), []
    shaken = [np.roll(board(), 6 * (i % 2), axis=1) for i in range(2)]
    frames = (Frame(camera(shaken[i % 2] if i < 200 else shaken[0])[0], str(i), i / 5, still=False) for i in range(215))
    read = [int(frame.name) for frame in settled(frames, watcher=lambda frame, health: told.append(health))]
    assert told[:150] == 150 * [Health.GOOD], "half a minute is a long turn"
    assert set(told[155:200]) == {Health.RESTLESS}
    assert told[-1] is Health.GOOD
    assert read, "it is read when it rests"
    assert min(read) > 200


def test_too_much_light_for_half_a_minute_is_not_called_shaking() -> None:
    shaken = [np.roll(board(), 6 * i, axis=1) for i in range(2)]
    bright = [np.where(np.arange(1280)[None, :, None] < 900, 255, one).astype(np.uint8) for one in shaken]
    frames = (Frame((bright if i < 160 else shaken)[i % 2], str(i), i / 5, still=False) for i in range(180))
    told: list[Health] = []
    assert list(settled(frames, watcher=lambda _, health: told.append(health))) == []
    assert told == 160 * [Health.OVEREXPOSED] + 20 * [Health.GOOD]
