"""Sources of pictures, whole and broken: folders, films, cameras and phones."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_gate import Image, board
from tests.vision.test_pictures import heif
from tests.waiting import until
from vision.camera.source import LATELY, CameraSource, Frame, PushSource, SourceError, SourceLost, open_source, without_secrets


class Device:
    """What OpenCV hands out for a camera: so many pictures, of whatever size, and then none."""

    def __init__(self, *pictures: Image | None) -> None:
        self._left = list(pictures)
        self.released = False
        self.asked: list[tuple[int, float]] = []

    def isOpened(self) -> bool:
        return True

    def set(self, what: int, value: float) -> bool:
        self.asked.append((what, value))
        return True

    def read(self) -> tuple[bool, Image | None]:
        time.sleep(0.01)
        image = self._left.pop(0) if self._left else None
        return image is not None, image

    def release(self) -> None:
        self.released = True


def test_a_camera_drops_what_nobody_takes_changes_its_size_and_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.SILENCE", 1.0)
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


def test_a_camera_whose_first_pictures_are_broken_is_taken_by_the_first_whole_one() -> None:
    source = CameraSource("7", lambda: Device(None, None, board()))
    assert next(iter(source)).image is not None
    source.close()


def test_a_camera_that_no_driver_makes_sense_of_is_one_sentence() -> None:
    def opener() -> Device:
        raise cv2.error("bad argument")

    with pytest.raises(SourceError, match="camera 8 gives no picture"):
        CameraSource("8", opener)


def test_a_camera_is_let_go_when_it_is_closed_and_when_it_gives_no_picture() -> None:
    """Else it is in use, for whoever opens it next."""
    seen, dumb = Device(*[board()] * 500), Device()
    CameraSource("7", lambda: seen).close()
    assert seen.released
    with pytest.raises(SourceError):
        CameraSource("7", lambda: dumb)
    assert dumb.released


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_camera_of_linux_is_asked_for_packed_pictures_before_it_is_for_large_ones(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """Of large ones that are not packed a USB camera sends five a second."""
    device = Device(board(), board())
    monkeypatch.setattr(cv2, "VideoCapture", lambda _number: device)
    monkeypatch.setattr("vision.camera.source.sys.platform", system)
    open_source("0").close()
    size = [(cv2.CAP_PROP_FRAME_WIDTH, 1920), (cv2.CAP_PROP_FRAME_HEIGHT, 1080)]
    assert device.asked == ([(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))] if system == "linux" else []) + size


def test_how_many_pictures_come_in_a_second_is_told_once_enough_have_come() -> None:
    now, image = 100.0, np.zeros((48, 64, 3), np.uint8)
    phone = PushSource(clock=lambda: now)
    for each in (0.2, 0.05):
        for _ in range(LATELY):
            assert phone.rate is None or each == 0.05
            now += each
            phone.push(image)
        assert phone.rate == pytest.approx(1 / each)


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


def film_of(folder: Path, pictures: int) -> Path:
    """A film of so many pictures of a board."""
    film = folder / "clip.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc("M", "J", "P", "G"), 30, (1280, 720))
    for i in range(pictures):
        writer.write(board(i))
    writer.release()
    return film


def test_a_video_that_ends_in_the_middle_of_a_frame_ends_there(tmp_path: Path) -> None:
    whole = film_of(tmp_path, 20)
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
    film = film_of(tmp_path, 12)
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
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.3)
    source = PushSource()
    for i in range(3):
        source.push(board(i))
    frames = iter(source)
    first = next(frames)
    assert first.image is not None and np.array_equal(first.image, board(2))
    threading.Timer(0.05, source.push, (board(3),)).start()
    assert next(frames).at >= first.at
    begun = time.monotonic()
    with pytest.raises(SourceLost):
        next(frames)
    assert time.monotonic() - begun < 3


def test_a_phone_may_take_its_time_until_it_sends_its_first_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.1)
    phone = PushSource()
    threading.Timer(0.4, phone.push, (board(),)).start()
    assert next(iter(phone)).image is not None


@pytest.mark.parametrize("sent", [0, 1])
def test_who_waits_for_a_picture_is_let_go_when_the_camera_is_closed(sent: int) -> None:
    phone, taken = PushSource(), list[Frame]()
    for i in range(sent):
        phone.push(board(i))
    waits = threading.Thread(target=lambda: taken.extend(phone), daemon=True)
    waits.start()
    assert until(lambda: len(taken) == sent)
    phone.close()
    waits.join(2.0)
    assert not waits.is_alive()
    assert len(taken) == sent, "nothing is read twice"


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
