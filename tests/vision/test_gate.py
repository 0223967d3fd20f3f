"""The gate: what has settled, what moves, and a camera that is not well. Sources of pictures, whole and broken."""

from __future__ import annotations

import re
import threading
import time
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.observations import Half
from tests.vision.test_pictures import heif
from vision.gate import Gate, Health, settled
from vision.pictures import load_picture
from vision.source import CameraSource, Frame, PushSource, SourceError, SourceLost, open_source, without_secrets
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


@cache
def noises() -> list[Image]:
    rng = np.random.default_rng(1)
    return [rng.normal(0, 3, (720, 1280, 1)).astype(np.int16).repeat(3, axis=2) for _ in range(5)]


class Camera:
    """Adds the noise that every real camera has."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, image: Image, gain: float = 1.0) -> tuple[Image, float]:
        self.count += 1
        lit = image if gain == 1.0 else cv2.convertScaleAbs(image, alpha=gain)
        return np.asarray(cv2.add(lit, noises()[self.count % 5], dtype=cv2.CV_8U)), self.count / 30


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


def test_slow_light_does_not_unsettle_it() -> None:
    gate, camera = Gate(), Camera()
    for _ in range(10):
        gate.see(*camera(board()))
    assert all(gate.see(*camera(board(), 1.0 + 0.001 * i)).settled for i in range(120))


def banded(image: Image, at: float, strength: float) -> Image:
    """``image`` as a camera sees it that takes its rows one after another under mains light: bands that wander up the picture."""
    rows = np.arange(image.shape[0], dtype=np.float32)[:, None, None]
    lit = image * (1 + strength * np.sin(2 * np.pi * (rows / 200 + 1.3 * at)))
    return np.minimum(lit, 255).astype(np.uint8)


@pytest.mark.parametrize("upright", [False, True], ids=["lying camera", "upright camera"])
@pytest.mark.parametrize(("brightest", "strength"), [(190, 0.25), (250, 0.15)], ids=["strong", "cut off where it is bright"])
def test_bands_of_mains_light_are_no_movement_and_a_die_in_them_is(brightest: int, strength: float, upright: bool) -> None:
    gate, camera = Gate(), Camera()

    def delivered(image: Image, at: float) -> Image:
        seen = banded(image, at, strength)
        return np.rot90(seen) if upright else seen

    scene = cv2.convertScaleAbs(board(), alpha=brightest / 190)
    looks = []
    for i in range(60):
        image, at = camera(scene)
        looks.append(gate.see(delivered(image, i / 30), at))
    assert all(look.settled for look in looks[10:])
    moving = []
    for i in range(60, 72):
        image, at = camera(with_die(scene, 300 + 12 * (i - 60), 350))
        moving.append(gate.see(delivered(image, i / 30), at).settled)
    assert not any(moving)


def seen_from_above() -> Table:
    """A board whose field lies at x 296..984, y 85..635 of the pictures."""
    matrix = np.array([[1000, 0, 640], [0, 1000, 360], [0, 0, 1.0]])
    camera = TableCamera(matrix, np.zeros(5), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 80.0]), (1280, 720))
    return Table(camera, Measures((55.0, 44.0), 4.4, 4.2), Half.RIGHT, (230.0, 225.0, 215.0), (35.0, 33.0, 30.0))


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

    def streamed(second: int, frame: int, die: int | None = None) -> bool:
        image = board().copy() if die is None else with_die(board(), die, 300)
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


def test_nothing_is_read_of_a_camera_that_is_not_well_and_a_film_may_stand_still() -> None:
    frames = [Frame(board(), str(i), i / 30, still=False) for i in range(120)]
    said: list[Health] = []
    read = [int(f.name) for f in settled(frames, live=True, watcher=lambda _, health: said.append(health))]
    assert max(read) <= 60
    assert [health for health, _ in groupby(said)] == [Health.GOOD, Health.FROZEN]
    assert max(int(f.name) for f in settled(frames)) > 90
    camera = Camera()
    dark = [Frame(camera(board() if i < 15 or i > 45 else board() // 12)[0], str(i), i / 30, still=False) for i in range(75)]
    said.clear()
    read = [int(f.name) for f in settled(dark, live=True, watcher=lambda _, health: said.append(health))]
    assert not [i for i in read if 15 <= i <= 45]
    assert [i for i in read if i > 45]
    assert [health for health, _ in groupby(said)] == [Health.GOOD, Health.DARK, Health.GOOD]


class Device:
    """What OpenCV hands out for a camera: so many pictures, of whatever size, and then none."""

    def __init__(self, *pictures: Image) -> None:
        self._left = list(pictures)
        self.released = False

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Image | None]:
        time.sleep(0.01)
        return (True, self._left.pop(0)) if self._left else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_camera_drops_what_nobody_takes_changes_its_size_and_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.source.SILENCE", 1.0)
    small = cv2.resize(board(), (640, 480))
    device = Device(*[board(i) for i in range(20)], *[small] * 20)
    source = CameraSource("7", lambda: device)
    sizes: list[tuple[int, ...]] = []

    def take() -> None:
        for frame in source:
            assert frame.image is not None
            sizes.append(frame.image.shape[:2])
            time.sleep(0.05)

    with pytest.raises(SourceLost, match="camera 7 has sent no picture"):
        take()
    assert len(sizes) < 35
    assert set(sizes) == {(720, 1280), (480, 640)}
    source.close()


@pytest.mark.parametrize("kind", ["grey", "grey with one channel", "16 bit", "16 bit grey", "with alpha"])
def test_a_camera_gives_colour_of_eight_bits_whatever_it_sends(kind: str) -> None:
    colour = board()
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    sent: Image = {
        "grey": grey, "grey with one channel": grey[..., None], "16 bit": colour.astype(np.uint16) * 257,
        "16 bit grey": grey.astype(np.uint16) * 257, "with alpha": cv2.cvtColor(colour, cv2.COLOR_BGR2BGRA),
    }[kind]  # fmt: skip
    wanted = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if "grey" in kind else colour
    source = CameraSource("7", lambda: Device(sent))
    image = next(iter(source)).image
    source.close()
    assert image is not None
    assert (image.dtype, image.shape) == (np.uint8, wanted.shape)
    assert np.array_equal(image, wanted)


@pytest.mark.parametrize("sent", [
    np.zeros((720, 1280, 2), np.uint8), np.zeros((1, 1280, 3), np.uint8), np.zeros((720, 1280, 3), np.float32)
])  # fmt: skip
def test_what_a_camera_gives_that_is_no_picture_is_none(sent: Image) -> None:
    with pytest.raises(SourceError, match="camera 7 gives no picture"):
        CameraSource("7", lambda: Device(sent))


def test_a_camera_that_no_driver_makes_sense_of_is_one_sentence() -> None:
    def opener() -> Device:
        raise cv2.error("bad argument")

    with pytest.raises(SourceError, match="camera 8 gives no picture"):
        CameraSource("8", opener)


def test_cameras_that_are_not_well_are_named() -> None:
    gate = Gate()
    assert [gate.see(board(), i / 30).health for i in range(90)][-1] is Health.FROZEN
    camera = Camera()
    assert Gate().see(*camera(np.zeros((720, 1280, 3), np.uint8))).health is Health.DARK
    assert Gate().see(*camera(np.full((720, 1280, 3), 255, np.uint8))).health is Health.OVEREXPOSED
    gate = Gate()
    covered = np.zeros((720, 1280, 3), np.uint8)
    assert {gate.see(covered, i / 30).health for i in range(90)} == {Health.DARK}, "a covered lens may send one black picture for ever"
    gate = Gate()
    for _ in range(5):
        gate.see(*camera(board()))
    assert gate.see(cv2.GaussianBlur(board(), (0, 0), 40), 1.0).health is Health.BLURRED


def real_board(name: str) -> Image:
    return np.asarray(cv2.resize(load_picture(BOARDS / name / "f00.jpg"), (1280, 720), interpolation=cv2.INTER_AREA))


def page() -> Image:
    """A score sheet."""
    sheet = np.full((720, 1280, 3), 235, np.uint8)
    sheet[::3, ::4] = 20
    return sheet


@pytest.mark.parametrize("name", ["test-000129", "train-002000"])  # one of few edges, one of little contrast
@pytest.mark.parametrize("before", ["hand", "page", "snow", "darkness"])
def test_what_was_before_the_lens_for_a_moment_is_over_when_it_is_gone(before: str, name: str) -> None:
    rng = np.random.default_rng(3)
    seen = real_board(name)
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
        assert {gate.see(*camera(seen)).health for _ in range(10)} == {Health.GOOD}
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


def test_a_folder_is_read_in_name_order_and_a_broken_picture_is_said(tmp_path: Path) -> None:
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), board())
    (tmp_path / "c.jpg").write_bytes(b"not a picture")
    (tmp_path / "notes.txt").write_text("x")
    frames = list(open_source(str(tmp_path)))
    assert [f.name for f in frames] == ["a.png", "b.png", "c.jpg"]
    assert all(f.still for f in frames)
    assert frames[2].image is None
    assert frames[2].trouble


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    """Taken in another order, a picture of a later position would be an illegal play."""
    names = ["2.png", "10.png", "IMG_9.png", "IMG_010.png", "IMG_10.png", "IMG_11.png", "f007.png", "f012.png"]
    for name in names:
        cv2.imwrite(str(tmp_path / name), board())
    assert [f.name for f in open_source(str(tmp_path))] == names


def test_a_phones_heic_is_a_picture_that_is_not_read_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("IMG_1.HEIC", "IMG_1", "IMG_1.mp4", "folder/IMG_1.heic"):
        path = tmp_path / name
        path.write_bytes(heif(b"heic", b"mif1", b"heic"))
        (frame,) = open_source(str(path.parent if path.parent.name == "folder" else path))
        assert frame.still
        assert frame.image is None
        assert "take JPEG" in frame.trouble


def test_a_video_that_ends_in_the_middle_of_a_frame_ends_there(tmp_path: Path) -> None:
    whole = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc("M", "J", "P", "G"), 30, (1280, 720))
    for i in range(20):
        writer.write(board(i))
    writer.release()
    cut = tmp_path / "cut.avi"
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) * 2 // 3])
    *frames, end = open_source(str(cut))
    assert 5 <= len(frames) < 20
    times = [f.at for f in frames]
    assert times == sorted(set(times))
    assert all(frame.image is not None for frame in frames)
    assert (end.image, "cut.avi breaks off after" in end.trouble) == (None, True)
    assert all(frame.image is not None for frame in open_source(str(whole)))


def test_a_damaged_picture_in_a_video_is_passed_over_and_the_rest_is_seen(tmp_path: Path) -> None:
    film = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc("M", "J", "P", "G"), 30, (1280, 720))
    for i in range(12):
        writer.write(board(i))
    writer.release()
    data = bytearray(film.read_bytes())
    starts = [found.start() for found in re.finditer(rb"00dc....\xff\xd8", bytes(data), re.DOTALL)]
    assert len(starts) == 12
    for start in starts[5:8]:
        end = start + 8 + int.from_bytes(data[start + 4 : start + 8], "little")
        data[start + 8 : end] = bytes(end - start - 8)
    film.write_bytes(bytes(data))
    frames = list(open_source(str(film)))
    assert [frame.image is not None for frame in frames] == [True] * 9
    assert frames[5].at - frames[4].at > 0.1, "when they were taken stays as it was"


def test_a_single_picture_is_a_still_and_a_film_none_whatever_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = cv2.imencode(".jpg", board())[1].tobytes()
    (tmp_path / "photo").write_bytes(jpeg)
    (tmp_path / "20:15").write_bytes(5 * jpeg)
    monkeypatch.chdir(tmp_path)
    photo, film = (list(open_source(name)) for name in ("photo", "20:15"))
    assert [(one.still, one.name) for one in photo] == [(True, "photo")]
    assert [one.still for one in film] == 5 * [False]


@pytest.mark.parametrize("what", ["no-such-thing", "empty", "rubbish.mp4", "zero.mp4", "97", "99999999999999", "²"])
def test_a_source_that_cannot_be_opened_is_one_sentence(what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "rubbish.mp4").write_bytes(b"rubbish" * 1000)
    (tmp_path / "zero.mp4").write_bytes(b"")
    with pytest.raises(SourceError) as caught:
        open_source(what if what.isdigit() else str(tmp_path / what))
    assert "\n" not in str(caught.value)
    capfd.readouterr()


def test_a_phone_that_falls_silent_is_lost_and_its_newest_picture_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.source.SILENCE", 0.3)
    source = PushSource()
    for i in range(3):
        source.push(board(i))
    frames = iter(source)
    first = next(frames)
    assert np.array_equal(first.image, board(2))  # type: ignore[arg-type]
    threading.Timer(0.05, source.push, (board(3),)).start()
    assert next(frames).at >= first.at
    begun = time.monotonic()
    with pytest.raises(SourceLost):
        next(frames)
    assert time.monotonic() - begun < 3


def test_a_cameras_password_is_shown_to_nobody() -> None:
    with pytest.raises(SourceError) as refused:
        open_source("http://admin:secret@127.0.0.1:9/video.mjpg?token=hidden")
    assert "camera http://127.0.0.1:9/video.mjpg gives no picture" in str(refused.value)
    assert without_secrets("rtsp://[::broken") == "rtsp://..."
    assert without_secrets("/dev/video0") == "/dev/video0"


def test_a_phones_picture_counts_from_when_it_was_taken() -> None:
    now = 100.0
    phone = PushSource(clock=lambda: now)
    frames = iter(phone)
    image = np.zeros((48, 64, 3), np.uint8)
    times = []
    for age in (0.5, 0.0, 3.0):  # the last one was overtaken on its way
        phone.push(image, age)
        times.append(next(frames).at)
    assert times == [99.5, 100.0, 100.0]
