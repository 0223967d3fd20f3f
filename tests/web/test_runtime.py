"""The camera's thread: a camera that goes is said and logged once, is opened again, and the match goes on meanwhile."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match.events import DeviceLost
from referee.match.wording import sentence
from referee.observations import About, DieState, Half, Reading, SeenDie, SeenDoubt, SeenPosition
from tests.found import found_in, remembered
from tests.waiting import until
from tests.web.cameras import Still, round_about, start
from tests.web.conftest import referee
from vision.dice_sides import burnt_out
from vision.following import MOVED, Where
from vision.pictures import load_picture
from vision.source import Frame, Source, SourceLost
from vision.training.draw import draw
from web.desk import Desk
from web.language import words
from web.runtime import Runtime
from web.runtime_said import GLARE, OTHER_WAY, WAITS, glare, other_way_round, summary
from web.saw import unpack

PICTURES = Path(__file__).parents[2] / "web" / "demo" / "pictures"

pytestmark = pytest.mark.usefixtures("found_once")


class Flaky(Source):
    """Gives the starting position, then falls silent as a camera does whose cable is pulled."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        yield Frame(image, "000001", 0.0, still=True)
        raise SourceLost("camera 0 has sent no picture for 3 s: check its cable and power")


def test_a_camera_that_goes_is_said_and_comes_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.runtime.RETRY_S", 0.1)
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


def test_a_recording_without_a_picture_that_can_be_read_is_no_game_that_ended(desk: Desk, tmp_path: Path) -> None:
    rubbish = tmp_path / "f000.jpg"
    rubbish.write_bytes(b"\xff\xd8 rubbish")
    eyes = Runtime(desk, str(rubbish)).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
        assert "no board was found in it" in str(eyes.status()["text"])
        text = str(eyes.status()["text"])
        assert text.endswith("f000.jpg is cut off, its end is missing: copy it again or take a new picture.")
        assert text.count("f000.jpg") == 1
        assert words("de").said(text).endswith("f000.jpg ist abgeschnitten, das Ende fehlt: noch einmal kopieren oder neu aufnehmen.")
    finally:
        eyes.stop()


def test_a_recording_that_ends_without_a_board_says_why_in_the_readers_language(desk: Desk) -> None:
    """The reason was on the page for a moment only: a single picture ends at once."""
    eyes = Runtime(desk, str(PICTURES / "f004.jpg")).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
        text = str(eyes.status()["text"])
        assert "no board was found in it" in text
        assert "near's points 1, 3, 12, 17 differ" in text
        assert "die Punkte 1, 3, 12, 17 von nah weichen ab" in words("de").said(text)
    finally:
        eyes.stop()


def test_a_camera_of_too_few_pixels_is_refused_at_set_up(desk: Desk, tmp_path: Path) -> None:
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), cv2.resize(load_picture(PICTURES / "f000.jpg"), (1024, 576), interpolation=cv2.INTER_AREA))
    eyes = Runtime(desk, str(small)).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
        text = str(eyes.status()["text"])
        assert text.endswith("The picture has only 1024x576 pixels: set the camera to at least 1280x720, or take another.")
        assert "Das Bild hat nur 1024x576 Pixel" in words("de").said(text)
        assert not eyes.status()["board"]
    finally:
        eyes.stop()


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
    assert sentence(gone.reason) == "What reads the camera's pictures has a fault; play goes on by hand."


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
    eyes = Runtime(desk, "0", lambda: heard.append((eyes.status()["status"], eyes.status()["text"])), opener=lambda: Pushed("camera 0"))
    assert eyes.saw() is None
    eyes.start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    assert ("lost", MOVED[Where.LOST]) in heard
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
    monkeypatch.setattr("web.runtime.RETRY_S", 0.1)
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
        phone.turned.set()
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        phone.turned.set()
        eyes.stop()
    assert devices() == ["camera_resized", "device_back"]


def test_players_keep_their_seats_when_the_camera_is_carried_to_the_other_side(desk: Desk) -> None:
    camera = Still(start())
    eyes = Runtime(desk, "0", opener=lambda: camera).start()

    def look(near_at: Any = None) -> Half:
        """The side of near's home, by which the two chairs differ, as the board is found now."""
        eyes.look_again(near_at=near_at)
        assert until(lambda: eyes.status()["board"])
        return desk.home

    try:
        annas = look()
        camera.image = round_about(start())
        assert look() is not annas, "before the first game near is who sits lower"
        camera.image = start()
        assert look() is annas
        desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
        desk.command(c.StartGame(seen_seq=desk.state.seq))
        camera.image = round_about(start())
        assert look() is annas
        assert look("bottom") is not annas, "a person's word counts more than colours"
    finally:
        eyes.stop()


def test_what_a_person_shows_during_a_search_is_not_lost_to_its_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Any] = []

    def search(image: Any, known: Any, corners: Any, near_at: Any) -> Any:
        searches.append(near_at)
        if len(searches) == 2:  # while the second search runs, he says where near sits
            eyes.look_again(near_at="top")
        return remembered(image, known, corners, near_at)

    monkeypatch.setattr("web.runtime_seats.find_table", search)
    eyes = Runtime(desk, "0", opener=lambda: Still(start()))
    eyes.start()
    try:
        assert until(lambda: eyes.status()["board"])
        below = desk.home
        eyes.look_again()
        assert until(lambda: len(searches) >= 2 and eyes.status()["board"])
        assert desk.home is not below
        assert searches == [None, None, "top"]
    finally:
        eyes.stop()


class Bumped(Source):
    """A camera that first sees the board in mid-game, and then the same scene elsewhere in its picture."""

    live = True

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f005.jpg")
        for i, seen in enumerate((image, np.roll(image, 24, axis=1), np.roll(image, 24, axis=1))):
            yield Frame(seen, f"{i:06d}", 8.0 * i, still=True)


def test_a_bundle_of_a_board_found_in_mid_game_and_bumped_is_read_again_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    points = (-1, 0, 2, 0, 0, 4, 0, 2, 0, 0, 0, -4, 5, 0, 0, 0, -4, 0, -5, 0, 0, 0, 0, 2)
    monkeypatch.setattr("web.runtime.known_position", lambda _state: Position(points, (0, 1)))
    eyes = Runtime(desk, "0", opener=lambda: Bumped("camera 0")).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    data = eyes.saw() or b""
    stood = json.loads(unpack(data).set_up)
    assert stood["position"]["points"] == list(points)
    assert stood["board"] != json.loads(unpack(data).board)
    (tmp_path / "saw.zip").write_bytes(data)
    run = referee("replay", str(tmp_path / "saw.zip"))
    assert (run.returncode, "read as before" in run.stdout) == (0, True), run.stdout + run.stderr


class Film(Source):
    """A recording counts its seconds from its beginning."""

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(load_picture(PICTURES / "f000.jpg"), "000001", 0.0, still=True)


def test_what_a_recording_shows_is_logged_on_the_tables_own_clock(desk: Desk) -> None:
    begun = time.monotonic()
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    eyes = Runtime(desk, "film.mp4", opener=lambda: Film("film.mp4")).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    seen = [one.at for one in desk.log if one.source == "camera"]
    assert seen
    assert min(seen) >= begun


def test_the_caption_stays_short() -> None:
    doubts = tuple(SeenDoubt(About.POINT, "count", "4 or 5 checkers", point, values=(4, 5)) for point in range(1, 13))
    assert summary(Reading((), None, None, doubts)) == (
        "no dice; no position; point 1: 4 or 5 checkers; point 2: 4 or 5 checkers; 10 more in doubt"
    )


def test_the_caption_says_what_is_in_doubt_in_the_language_of_the_page() -> None:
    doubts = [
        SeenDoubt(About.POINT, "count", "4 or 5 checkers", 3, values=(-5, -4)), SeenDoubt(About.POINT, "hidden", "not seen", 3),
        SeenDoubt(About.POINT, "count", "1 of near's or 1 of far's checkers", 3, values=(-1, 1)),
        SeenDoubt(About.DIE, "value", "2 or 6", centre=(0, 0), values=(6, 2)), SeenDoubt(About.DIE, "state", "it may lie flat"),
        SeenDoubt(About.DIE, "presence", "this may be a die"), SeenDoubt(About.DIE, "hidden", "a hand may hide dice"),
        SeenDoubt(About.CUBE, "presence", "this may be the cube"), *(SeenDoubt(about, "other", "in English") for about in About),
    ]
    german = words("de")
    for doubt in doubts:
        said = summary(Reading((), None, None, (doubt, doubt, doubt)))
        told = zip(said.split("; "), german.said(said).split("; "), strict=True)
        assert [one for one, other in told if one == other] == [], said
    first = summary(Reading((), None, None, tuple(doubts[:2])))
    assert german.said(first) == "keine Würfel; keine Stellung; Punkt 3: 4 oder 5 Steine; Punkt 3 im Zweifel"


def test_light_that_burns_dice_out_is_told_until_dice_are_seen_well_again() -> None:
    burnt = Reading((), None, None, (burnt_out((5.0, 5.0)),))
    one = SeenDie(3, DieState.FLAT, None, (5.0, 5.0), 0.9)
    assert glare(burnt, False)
    assert glare(Reading((), None, None, ()), True)
    assert not glare(Reading((one,), None, None, ()), True)
    assert "burn" not in summary(burnt)  # which is said once
    assert words("de").said(GLARE) != GLARE


@pytest.mark.parametrize("how", ["colours", "sides", "both"])
def test_a_start_that_is_set_up_the_other_way_round_for_the_next_game_is_said(how: str) -> None:
    near = [*range(12, 0, -1), *range(24, 12, -1)]  # where each point lies once the home boards are on the other side
    points = [START.points[point - 1] for point in near] if how != "colours" else list(START.points)
    seen = Reading((), SeenPosition(tuple(n if how == "sides" else -n for n in points), (0, 0)), None, ())
    assert other_way_round(seen)
    assert not other_way_round(Reading((), SeenPosition(START.points, (0, 0)), None, ()))
    assert not other_way_round(Reading((), None, None, ()))
    assert words("de").said(OTHER_WAY) != OTHER_WAY


@pytest.mark.parametrize("between", [True, False])
def test_that_the_start_is_set_up_the_other_way_round_is_said_between_games(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    if not between:
        desk.command(c.StartGame(seen_seq=desk.state.seq))
    monkeypatch.setattr("web.runtime.other_way_round", lambda _reading: True)
    monkeypatch.setattr(desk, "observe", lambda *_: ())
    eyes = Runtime(desk, "0", table=found_in(PICTURES / "f000.jpg"), opener=lambda: Still(start())).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        assert ("the other way round" in eyes.status()["text"]) == between
    finally:
        eyes.stop()


class Thrown(Source):
    """A camera that was put up when dice lay on the board already; they are ``taken`` away."""

    live = True

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.taken = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        noise, number = np.random.default_rng(5), itertools.count()
        for name in ("f002", "f000"):
            seen = load_picture(PICTURES / f"{name}.jpg")
            for at in itertools.islice(number, 30):  # no two pictures of a camera are the same
                image = np.clip(seen + noise.normal(0, 2, seen.shape[:2])[..., None], 0, 255).astype(np.uint8)
                yield Frame(image, f"{at:06}", 0.1 * at, still=False)
            self.taken.wait(60)
        self._closed.wait(60)


def test_dice_that_lay_on_the_board_when_it_was_found_are_no_throw_and_are_said_for_as_long_as_they_lie_there(desk: Desk) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    camera = Thrown("camera 0")
    eyes = Runtime(desk, "0", opener=lambda: camera).start()
    try:
        assert until(lambda: "dice lay on the board" in eyes.status()["text"].lower())
        assert words("de").said(eyes.status()["text"]) != eyes.status()["text"]
        assert until(lambda: eyes.status()["picture"] >= 3)
        assert [type(one.event).type for one in desk.log] == ["match_started", "game_started"]
        assert "dice lay on the board" in eyes.status()["text"].lower()
        camera.taken.set()
        assert until(lambda: eyes.status()["text"].startswith("no dice; position read"))
        desk.command(c.EnterRoll(seen_seq=desk.state.seq, dice=(3, 1)))
        assert desk.state.dice == (3, 1)
    finally:
        camera.taken.set()
        eyes.stop()
    with_none = Runtime(desk, "0", opener=lambda: Watched("camera 0")).start()
    try:
        assert until(lambda: with_none.status()["status"] == "watching")
        assert "dice lay" not in with_none.status()["text"].lower()
    finally:
        with_none.stop()


def test_a_recording_waits_for_the_match_it_is_of(desk: Desk, tmp_path: Path) -> None:
    """Its board is found and shown; the throws of a game that nobody has begun are not passed by."""
    for name in ("f000", "f001", "f002"):
        (tmp_path / f"{name}.jpg").symlink_to(PICTURES / f"{name}.jpg")
    eyes = Runtime(desk, str(tmp_path)).start()
    try:
        assert until(lambda: eyes.status()["text"] == WAITS)
        assert eyes.status()["board"] and eyes.picture is not None
        time.sleep(1)
        assert eyes.status()["text"] == WAITS
        eyes.look_again()  # in the next picture
        assert until(lambda: eyes.status()["board"] and eyes.status()["text"] == WAITS)
        desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
        assert until(lambda: eyes.status()["status"] == "ended")
    finally:
        eyes.stop()
    assert desk.state.game == 1
