"""The camera's thread: a camera that goes is said and logged once, is opened again, and the match goes on meanwhile."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from referee.board.position import START
from referee.match import commands as c
from referee.match.events import DeviceLost
from referee.match.shown.wording import sentence
from tests.waiting import until
from tests.web.cameras import PICTURES
from vision.camera.source import Frame, PushSource, Source, SourceError, SourceLost
from vision.pictures import load_picture
from vision.training.finder.draw import draw
from web.desk import Desk
from web.runtime.eyes import Runtime
from web.runtime.said import LOST
from web.runtime.shown import jpeg
from web.saw import unpack

pytestmark = pytest.mark.usefixtures("found_once")


class Flaky(Source):
    """Gives the starting position, then falls silent as a camera does whose cable is pulled."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        yield Frame(image, "000001", 0.0, still=True)
        raise SourceLost("camera 0 has sent no picture for 3 s: check its cable and power")


def test_a_camera_that_goes_is_said_and_comes_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.1)
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    opened: list[Source] = []

    def opener() -> Source:
        opened.append(Flaky("camera 0"))
        return opened[-1]

    eyes = Runtime(desk, "0", opener=opener).start()
    try:
        assert until(lambda: len(opened) >= 2 and "device_back" in [type(one.event).type for one in desk.log])
        assert until(lambda: eyes.status()["status"] == "lost")
        assert eyes.status()["text"] == "Camera 0 has sent no picture for 3 s: check its cable and power."
        kinds = [type(one.event).type for one in desk.log if type(one.event).type.startswith("device")]
        assert kinds[:2] == ["device_lost", "device_back"]
        assert all(a != b for a, b in itertools.pairwise(kinds)), kinds
        picture = eyes.picture
        assert picture is not None
        assert picture.startswith(b"\xff\xd8")
        assert desk.state.game == 1, "the starting position was not seen"
        desk.command(c.EnterRoll(seen_seq=desk.state.seq, dice=(3, 1)))
        assert desk.state.dice == (3, 1)
    finally:
        eyes.stop()


class Watched(Source):
    """A camera that sends one settled picture and then stands still until it is turned off."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(load_picture(PICTURES / "f000.jpg"), "000000", 0.0, still=True)
        self._closed.wait(60)


def test_a_camera_that_is_turned_off_is_no_recording_that_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    ended: list[bool] = []
    monkeypatch.setattr(desk, "finish", lambda: ended.append(True))
    eyes = Runtime(desk, "0", opener=lambda: Watched("camera 0")).start()
    assert until(lambda: eyes.status()["status"] == "watching")
    eyes.stop()
    assert eyes.status()["status"] == "watching"
    assert not ended, "something follows from the last look"


class Faulty(Source):
    """A camera whose pictures are none that a reader could take."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(np.zeros((100, 160), np.uint8), "000000", 0.0, still=True)


@pytest.mark.logs
def test_a_fault_of_the_reader_is_a_camera_that_is_lost(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    eyes = Runtime(desk, "0", table=draw(4, (160, 100)).table, opener=lambda: Faulty("camera 0")).start()
    try:
        assert until(lambda: desk.state.lost == ("camera",))
    finally:
        eyes.stop()
    assert eyes.status()["status"] == "lost"
    gone = next(one.event for one in desk.log if isinstance(one.event, DeviceLost))
    assert sentence(gone.reason) == "What reads the camera’s pictures has a fault; play goes on by hand."


class FaultyFilm(Faulty):
    """The same, of a film."""

    live = False


@pytest.mark.logs
@pytest.mark.parametrize(("camera", "again"), [(Faulty, True), (FaultyFilm, False)])
def test_a_camera_is_opened_again_after_a_fault_and_a_film_does_not_begin_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, camera: type[Source], again: bool
) -> None:
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.05)
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    opened: list[Source] = []

    def opener() -> Source:
        opened.append(camera("0"))
        return opened[-1]

    eyes = Runtime(desk, "0", table=draw(4, (160, 100)).table, opener=opener).start()
    try:
        assert until(lambda: eyes.status()["status"] == "lost")
        assert until(lambda: len(opened) > 1, 60 if again else 1) == again
    finally:
        eyes.stop()


def test_why_there_are_no_pictures_is_said_on_the_console_once_however_often_it_is_tried(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.02)
    reasons, tried, said = ["there is no camera 0", "camera 0 is in use by another program"], list[str](), list[str]()

    def opener() -> Source:
        tried.append(reasons[len(tried) >= 3])
        raise SourceError(tried[-1])

    eyes = Runtime(desk, "0", opener=opener, tell=said.append).start()
    try:
        assert until(lambda: len(tried) > 6)
        assert said == reasons
    finally:
        eyes.stop()


class Pushed(Source):
    """A camera that is knocked away and put back: one settled picture every few seconds."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        away = np.roll(image, image.shape[1] // 2, axis=1)
        for i, seen in enumerate((image, away, away, away, image)):
            yield Frame(seen, f"{i:06d}", 8.0 * i, still=True)


def test_a_camera_that_is_knocked_away_is_named_and_nothing_is_read_meanwhile(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    heard: list[tuple[str, str]] = []
    shown: list[bytes | None] = []

    def changed() -> None:
        heard.append((eyes.status()["status"], eyes.status()["text"]))
        if heard[-1][0] == "lost":
            shown.append(eyes.whole())

    eyes = Runtime(desk, "0", changed, opener=lambda: Pushed("camera 0"))
    assert eyes.saw() is None
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    assert ("lost", LOST) in heard
    image = load_picture(PICTURES / "f000.jpg")
    assert shown[0] == jpeg(np.roll(image, image.shape[1] // 2, axis=1)), "lines are drawn where the board is not"
    kinds = [type(one.event).type for one in desk.log if type(one.event).type.startswith("device")]
    assert kinds == ["device_lost", "device_back"]
    saw = unpack(eyes.saw() or b"")
    assert json.loads(saw.lines[0])["position"]["points"] == list(START.points)
    assert "backgammon-referee board" in saw.board
    assert saw.start is not None


class Resized(Source):
    """A camera that falls silent and comes back with pictures of another size than the board was set up with."""

    live = True
    opened = 0

    def __iter__(self) -> Iterator[Frame]:
        Resized.opened += 1
        if Resized.opened > 1:
            yield Frame(load_picture(PICTURES / "f000.jpg"), "000001", 0.0, still=True)
        raise SourceLost("camera 0 has sent no picture for 3 s: check its cable and power")


def test_a_camera_whose_pictures_cannot_be_read_is_not_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.1)
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    said: list[str] = []
    table = draw(4, (160, 100)).table
    eyes = Runtime(desk, "0", lambda: said.append(eyes.status()["text"]), table=table, opener=lambda: Resized("camera 0"))
    eyes.start()
    try:
        assert until(lambda: Resized.opened > 2)
    finally:
        eyes.stop()
    assert any("the board was set up with 160x100" in text for text in said)
    assert [type(one.event).type for one in desk.log if type(one.event).type.startswith("device")] == ["device_lost"]


class Shaking(Source):
    """A camera on a table that never stands still."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        for i in range(200):
            yield Frame(np.roll(image, 8 * (i % 2), axis=1), f"{i:06d}", i / 5, still=False)


def test_a_camera_that_never_stands_still_is_said_and_is_not_lost(desk: Desk) -> None:
    heard: list[tuple[str, str]] = []
    eyes = Runtime(desk, "0", lambda: heard.append((eyes.status()["status"], eyes.status()["text"])), opener=lambda: Shaking("camera 0"))
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    assert any(status == "looking" and text.startswith("Something before the camera is never at rest") for status, text in heard)
    assert not [one for one in desk.log if isinstance(one.event, DeviceLost)]


class Turned(Source):
    """A phone's camera whose picture changes its size when the phone is turned."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        yield Frame(image, "000001", 0.0, still=True)
        yield Frame(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), "000002", 1.0, still=True)
        self.turned.wait(40)
        yield Frame(image, "000003", 2.0, still=True)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.turned = threading.Event()


def test_a_camera_that_changes_the_size_of_its_pictures_is_named_and_pauses_the_rulings(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    phone = Turned("phone")
    eyes = Runtime(desk, "phone", opener=lambda: phone).start()

    def devices() -> list[str]:
        kept = [one.event for one in desk.log if type(one.event).type.startswith("device")]
        return [one.reason.code if isinstance(one, DeviceLost) else type(one).type for one in kept]

    try:
        assert until(lambda: devices() == ["camera_resized"])
        assert eyes.status()["status"] == "lost"
        assert eyes.status()["text"] == "The picture has 900x1600 pixels, the board was set up with 1600x900: set up again."
        turned = jpeg(cv2.rotate(load_picture(PICTURES / "f000.jpg"), cv2.ROTATE_90_CLOCKWISE))
        assert eyes.picture == eyes.whole() == turned, "lines are drawn beside the board"
        phone.turned.set()
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        phone.turned.set()
        eyes.stop()
    assert devices() == ["camera_resized", "device_back"]


class Covered(Source):
    """A camera over whose lens something is laid."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        for i, seen in enumerate((image, image // 40, image // 40)):
            yield Frame(seen, f"{i:06d}", 1.0 * i, still=False)


def test_what_a_camera_sees_that_is_not_well_is_shown(desk: Desk) -> None:
    """Who turns at its lens, or at the lamp, looks at the page whether it gets better."""
    eyes = Runtime(desk, "0", opener=lambda: Covered("camera 0")).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    assert eyes.picture == jpeg(load_picture(PICTURES / "f000.jpg") // 40)


def test_that_no_picture_comes_is_still_said_to_who_has_the_board_looked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was looked for, by what the page said, for as long as the phone slept."""
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.02)
    phones: list[PushSource] = []

    def opener() -> PushSource:
        phones.append(PushSource())
        return phones[-1]

    image, eyes = load_picture(PICTURES / "f000.jpg"), Runtime(desk, "phone", opener=opener)
    eyes.start()

    def push() -> bool:
        phones[-1].push(image)
        return bool(eyes.status()["board"])

    try:
        assert until(lambda: bool(phones))
        assert until(push)
        assert until(lambda: len(phones) == 2 and eyes.status()["status"] == "lost")
        lost = eyes.status()
        eyes.look_again()
        assert (eyes.status()["status"], eyes.status()["text"]) == (lost["status"], lost["text"])
        assert until(lambda: push() and eyes.status()["status"] == "watching")
    finally:
        eyes.stop()
