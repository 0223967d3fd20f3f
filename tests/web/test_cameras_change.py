"""Another camera, another side of the table, another match: what one camera knew goes over to the next, and what one has said does not."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match.events import DeviceLost
from referee.observations import Reading, SeenPosition
from tests.found import found_in
from tests.waiting import until
from tests.web.cameras import PICTURES, Still, playing, round_about, start
from tests.web.conftest import answer
from tests.web.phone import noisy, picture, with_dice
from vision.boardfile import SetUpLook, load_board, table_from_text
from vision.camera.devices import Listed
from vision.camera.source import CameraSource, Frame, PushSource, Source, SourceError, SourceLost
from vision.following import BUMPED, Following, Where
from vision.pictures import load_picture
from vision.table import Table
from web.access import Rank
from web.desk import Desk
from web.house import NO_EYES, CameraError
from web.lending import Lender
from web.runtime.camera import CameraChoice
from web.runtime.eyes import Runtime
from web.runtime.seats import Seats
from web.saw import unpack
from web.snapshot import state_snapshot

MIDDLE = Position((-1, 0, 2, 0, 0, 4, 0, 2, 0, 0, 0, -4, 5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 2), (0, 1))  # about what f005.jpg shows
TRAY = ((33.0, -20.0), (38.0, -20.0), (38.0, 20.0), (33.0, 20.0))

pytestmark = pytest.mark.usefixtures("found_once")


def table() -> Table:
    return found_in(PICTURES / "f000.jpg")


def last_read(eyes: Runtime) -> Any:
    """The picture that was read last."""
    return cv2.imdecode(np.frombuffer(unpack(eyes.saw() or b"").pictures[0][1], np.uint8), 1)


class Dies(Source):
    live = True

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(load_picture(PICTURES / "f000.jpg"), "1", 0.0, still=True)
        raise SourceLost("camera has sent no picture for 3 s")


def test_players_keep_their_seats_when_another_camera_is_chosen(desk: Desk) -> None:
    eyes = CameraChoice(desk, lambda: None)
    try:
        eyes.use("0", Still(start()))
        assert until(lambda: eyes.status()["board"])
        home = desk.home
        playing(desk)
        eyes.use("1", Still(round_about(start())))
        assert until(lambda: eyes.status()["board"])
        assert desk.home is home
    finally:
        eyes.stop()


@pytest.mark.parametrize("how", ["another camera", "carried elsewhere"])
def test_a_tie_that_lies_there_is_none_again_for_a_camera_that_looks_from_elsewhere(desk: Desk, how: str) -> None:
    """The cube would be turned of itself each time, and the next throw be none."""
    lie = with_dice(start(), [(4, 520, 430), (4, 1000, 430)])
    height, width = lie.shape[:2]
    turned = cv2.getRotationMatrix2D((width / 2, height / 2), 172, 0.9)
    carried = cv2.warpAffine(lie, turned, (width, height), borderMode=cv2.BORDER_REPLICATE)
    first = Still(start())
    eyes = CameraChoice(desk, lambda: None)
    eyes.use("0", first, table(), SetUpLook(start()))
    try:
        playing(desk)
        assert until(lambda: first.passed is first.image)
        first.image = lie
        assert until(lambda: desk.state.ties == 1)
        now = first
        if how == "another camera":
            now = Still(np.asarray(carried, np.uint8))
            eyes.use("1", now)
        else:
            first.image = np.asarray(carried, np.uint8)
            assert until(lambda: first.passed is first.image)
            eyes.look_again()
        assert until(lambda: eyes.status()["status"] == "watching" and now.passed is now.image)
        at, seen = time.monotonic(), len(desk.log)
        assert until(lambda: time.monotonic() > at + 1.0)
        assert (desk.state.ties, len(desk.log)) == (1, seen)
    finally:
        eyes.stop()


def test_the_pages_are_answered_while_who_sits_where_is_written_down(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, written = threading.Event(), threading.Event()

    def keep(*_args: object) -> None:
        begun.set()
        written.wait(10)

    monkeypatch.setattr(Seats, "keep", keep)
    playing(desk)
    eyes = Runtime(desk, "0", table=table(), opener=lambda: Still(start())).start()
    answer = threading.Thread(target=eyes.status, daemon=True)
    try:
        assert begun.wait(10)
        answer.start()
        answer.join(2)
        assert not answer.is_alive()
    finally:
        written.set()
        eyes.stop()


def test_the_tray_stays_where_it_is_when_the_camera_is_carried_round(desk: Desk) -> None:
    camera = Still(start())
    eyes = Runtime(desk, "0", table=replace(table(), trays=(TRAY,)), opener=lambda: camera)
    playing(desk)
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        home, before = desk.home, np.array(eyes.status()["tray"])
        camera.image = round_about(camera.image)
        assert until(lambda: camera.passed is camera.image)
        eyes.look_again()
        assert until(lambda: eyes.status()["board"])
        assert desk.home is home
        assert np.abs(np.array(eyes.status()["tray"]) - (1 - before)).max() < 0.02
    finally:
        eyes.stop()


def test_a_camera_that_is_carried_round_in_mid_game_finds_the_board(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.runtime.eyes.LOOK_S", 0.05)
    monkeypatch.setattr("web.runtime.eyes.known_position", lambda _state: MIDDLE)
    camera = Still(load_picture(PICTURES / "f005.jpg"))
    eyes = Runtime(desk, "0", table=table(), opener=lambda: camera)
    playing(desk)
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        home = desk.home
        camera.image = round_about(camera.image)
        assert until(lambda: camera.passed is camera.image)
        eyes.look_again()
        assert until(lambda: eyes.status()["board"])
        assert desk.home is home
    finally:
        eyes.stop()


@pytest.mark.parametrize("then", ["fails", "opens"])
def test_a_camera_that_was_given_up_says_nothing_more(desk: Desk, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    """It is lost, and opening it again takes long; meanwhile a person has chosen another."""
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.05)
    opening, go_on = threading.Event(), threading.Event()

    def opener(_src: str) -> Source:
        opening.set()
        go_on.wait(30)
        if then == "fails":
            raise SourceError("camera rtsp gives no picture")
        return Still(load_picture(PICTURES / "f005.jpg"))

    monkeypatch.setattr("web.runtime.eyes.open_source", opener)
    playing(desk)
    lent = Lender()
    eyes = CameraChoice(desk, lambda: None, lent=lent)
    eyes.use("rtsp://x", Dies("rtsp"), table())
    given_up = next(one for one in threading.enumerate() if one.name == "eyes")
    assert opening.wait(20)
    chosen = Still(start())
    eyes.use("1", chosen, table())
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        assert until(lambda: "camera" not in desk.state.lost)
        chosen.close()
        time.sleep(0.5)
        observed: list[str] = []
        observe = desk.observe
        monkeypatch.setattr(desk, "observe", lambda *a: observed.append(a[0].frame) or observe(*a))
        lent.offer(start())
        since = desk.state.seq
        go_on.set()
        given_up.join(20)
        assert [one.event.type for one in desk.log if one.seq > since] == []
        assert observed == []
        lent.follow().close()  # what the chosen one lends is not ended
    finally:
        go_on.set()
        eyes.stop()


def test_the_last_choice_counts_though_an_earlier_camera_answers_later(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opening, go_on = threading.Event(), threading.Event()

    def slow(_src: str) -> Source:
        opening.set()
        go_on.wait(30)
        return Still(start())

    monkeypatch.setattr("vision.camera.source.open_source", slow)
    eyes = CameraChoice(desk, lambda: None)
    told: list[str] = []

    def choose() -> None:
        try:
            eyes.choose("rtsp://slow")
        except CameraError as error:
            told.append(str(error))

    first = threading.Thread(target=choose)
    first.start()
    assert opening.wait(20)
    eyes.choose(None)
    go_on.set()
    first.join(20)
    assert told == ["Another camera was chosen meanwhile"]
    assert eyes.status()["status"] == "none"


def test_the_camera_that_is_on_can_be_chosen_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does when it is frozen. A device has one reader."""
    readers: list[Any] = []

    class Device:
        def __init__(self) -> None:
            self.mine = not readers
            readers.extend([self] if self.mine else [])

        def isOpened(self) -> bool:  # OpenCV's name
            return True

        def read(self) -> tuple[bool, Any]:
            time.sleep(0.03)
            return self.mine, np.random.default_rng().integers(0, 255, (90, 160, 3), np.uint8) if self.mine else None

        def release(self) -> None:
            if self.mine:
                readers.remove(self)
                self.mine = False

    monkeypatch.setattr("vision.camera.source.open_source", lambda src: CameraSource(src, Device))
    eyes = CameraChoice(desk, lambda: None)
    try:
        eyes.choose("0")
        eyes.choose("0")
        assert len(readers) == 1
        assert eyes.status()["status"] != "none"
    finally:
        eyes.stop()


def test_a_webcam_that_was_plugged_in_anew_goes_on_under_its_new_number(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    here, opened = [[Listed("0", 0, "HD Webcam"), Listed("2", 2, "Brio")]], list[str]()
    monkeypatch.setattr("vision.camera.devices.listed", lambda: here[0])
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.05)

    def opener(src: str) -> Source:
        opened.append(src)
        return Still(start()) if src == "3" else Dies("camera")

    monkeypatch.setattr("web.runtime.eyes.open_source", opener)
    told: list[str] = []
    eyes = Runtime(desk, "2", tell=told.append)
    eyes.use(Dies("camera"))
    eyes.start()
    try:
        assert until(lambda: len(opened) > 1)
        here[0] = [Listed("0", 0, "HD Webcam"), Listed("2", 2, "HD Webcam")]
        assert until(lambda: "choose one of these: 0 (HD Webcam), 2 (HD Webcam)" in told[-1])
        assert until(lambda: "Brio" in eyes.status()["text"])
        here[0] = [Listed("0", 0, "HD Webcam"), Listed("3", 3, "Brio")]
        assert until(lambda: "3" in opened and eyes.status()["status"] != "lost")
        assert (set(opened), eyes.src) == ({"2", "3"}, "3")
    finally:
        eyes.stop()


@pytest.mark.parametrize("first", [True, False])
def test_a_lost_phone_is_lost_for_the_match_that_begins_without_it(desk: Desk, monkeypatch: pytest.MonkeyPatch, first: bool) -> None:
    monkeypatch.setattr("web.runtime.eyes.RETRY_S", 0.05)
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.5)
    eyes = CameraChoice(desk, lambda: None)
    phone = PushSource()
    eyes.use("phone", phone, table())
    if not first:
        playing(desk)
    phone.push(start())
    try:
        assert until(lambda: eyes.status()["status"] == "lost")
        time.sleep(0.2)
        desk.command(c.StartMatch(seen_seq=desk.state.seq, names=("Carl", "Dora"), length=3))
        assert desk.state.lost == ("camera",)
        pictures = itertools.cycle(noisy(start()))  # the same one for seconds would be a frozen camera's

        def pushed() -> bool:
            """It wakes, and sends picture after picture."""
            eyes.push(next(pictures))
            return desk.state.lost == ()

        assert until(pushed)
        eyes.choose(None)
        desk.command(c.StartMatch(seen_seq=desk.state.seq, names=("Emil", "Fay"), length=3))
        assert desk.state.lost == ()
    finally:
        eyes.stop()


def test_a_tray_that_is_drawn_leaves_the_look_in_the_board_file(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    eyes = Runtime(desk, "0", table=table(), look=SetUpLook(start()), opener=lambda: Still(start()), board_file=file).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        eyes.set_tray([(0.775, 0.105), (0.809, 0.103), (0.835, 0.861), (0.799, 0.867)])
    finally:
        eyes.stop()
    kept, look = load_board(file)
    assert len(kept.trays) == 1
    assert look is not None
    assert look.picture.shape == start().shape


def test_a_tray_that_is_saved_does_not_undo_that_somebody_has_the_board_looked_for(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes = Runtime(desk, "0", table=table(), opener=lambda: Still(start()), board_file=tmp_path / "b.json")
    looked: list[str] = []
    monkeypatch.setattr("web.runtime.seats.find_table", lambda *_a: looked.append("again") or table())
    monkeypatch.setattr("web.runtime.eyes.save_table", lambda *_a: eyes.look_again())
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        with pytest.raises(CameraError, match="draw the tray again"):
            eyes.set_tray([(0.775, 0.105), (0.809, 0.103), (0.835, 0.861), (0.799, 0.867)])
        assert until(lambda: looked == ["again"])
    finally:
        eyes.stop()


def test_a_board_that_somebody_has_looked_for_anew_is_not_lost_by_the_look_before(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    playing(desk)
    eyes = Runtime(desk, "0", table=table(), opener=lambda: Still(start()))
    read, looks = Following.read, itertools.count()

    def lost_at_first(self: Following, *args: Any) -> Reading | None:
        if next(looks):
            return read(self, *args)
        self.where = Where.LOST
        eyes.look_again()  # while the picture is read
        return None

    monkeypatch.setattr(Following, "read", lost_at_first)
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        assert not [one for one in desk.log if isinstance(one.event, DeviceLost)]
    finally:
        eyes.stop()


def test_checkers_to_put_right_are_not_told_by_a_camera_that_is_gone_nor_of_another_match(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    points = list(START.points)
    points[5], points[6] = 4, 1
    desk.seen = SeenPosition(tuple(points), (0, 0), (0, 0))
    assert state_snapshot(desk, dict(NO_EYES) | {"status": "watching"}, Rank.TABLE, pictures=True)["put_back"]
    assert state_snapshot(desk, dict(NO_EYES), Rank.TABLE, pictures=True)["put_back"] == []
    desk.command(c.StartMatch(seen_seq=desk.state.seq, names=("Carl", "Dora"), length=3))
    assert desk.seen is None


def test_the_bundle_shows_the_picture_in_which_no_board_is_found(desk: Desk) -> None:
    camera = Still(start())
    eyes = Runtime(desk, "0", opener=lambda: camera).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        camera.image = np.full_like(camera.image, 90)
        assert until(lambda: camera.passed is camera.image)
        eyes.look_again()
        assert until(lambda: "no board" in eyes.status()["text"].lower())
        saw = unpack(eyes.saw() or b"")
        shown = cv2.imdecode(np.frombuffer(saw.pictures[0][1], np.uint8), 1)
        assert np.array_equal(shown, camera.image)
    finally:
        eyes.stop()


def test_a_bundle_knows_that_dice_lay_there_when_the_board_was_found(desk: Desk, tmp_path: Path) -> None:
    playing(desk)
    lie = with_dice(picture("f000"), ((4, 1000, 420), (3, 1100, 470)))
    camera = Still(np.asarray(lie, np.uint8))
    eyes = Runtime(desk, "0", opener=lambda: camera).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        noise = np.random.default_rng(1).integers(-2, 3, lie.shape)
        camera.image = later = np.clip(lie.astype(int) + noise, 0, 255).astype(np.uint8)
        assert until(lambda: camera.passed is later)
        assert np.array_equal(last_read(eyes), later)
        (tmp_path / "saw.zip").write_bytes(eyes.saw() or b"")
    finally:
        eyes.stop()
    run = answer("replay", str(tmp_path / "saw.zip"))
    assert (run.returncode, "read as before" in run.stdout) == (0, True), run.stdout + run.stderr


def test_a_creep_is_followed_by_what_the_page_shows_too(desk: Desk) -> None:
    """The camera sags, a little in every picture: the board is found again whenever that adds up to what readers mind."""
    image = start()
    camera = Still(image)
    eyes = Runtime(desk, "0", opener=lambda: camera).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        for i in range(1, 11):
            slide = np.array([[1, 0, 3.0 * i], [0, 1, 0]])
            camera.image = np.asarray(cv2.warpAffine(image, slide, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)
            assert until(lambda: camera.passed is camera.image)
        assert np.array_equal(last_read(eyes), camera.image)
        shown = table_from_text(unpack(eyes.saw() or b"").board)
        assert np.linalg.norm(shown.corners() - table().corners() - (30, 0), axis=1).max() < (BUMPED + 0.03) * shown.checker_px
    finally:
        eyes.stop()
