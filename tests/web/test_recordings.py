"""Recordings and single pictures at the table: when they wait, how they end, and why no board was found in them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match.events import Role
from tests.found import found_in
from tests.waiting import until
from tests.web.cameras import PICTURES
from vision.camera.source import Frame, Source
from vision.pictures import load_picture
from web.desk import Desk
from web.house import CameraError
from web.language import words
from web.runtime.eyes import Runtime
from web.runtime.said import WAITS

pytestmark = pytest.mark.usefixtures("found_once")


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


class Film(Source):
    """A recording counts its seconds from its beginning."""

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(load_picture(PICTURES / "f000.jpg"), "000001", 0.0, still=True)


class Long(Source):
    """A film of a table at which nothing moves: a picture a second."""

    def __iter__(self) -> Iterator[Frame]:
        image = load_picture(PICTURES / "f000.jpg")
        for second in range(7):
            yield Frame(image, f"{second:06d}", float(second), still=True)


def test_a_film_that_has_waited_for_its_match_is_played_as_fast_as_it_was_taken_and_to_its_end(desk: Desk) -> None:
    """It does not catch up with the time it waited, and goes on when the match is over, as one that is given up is."""
    eyes = Runtime(desk, "film.mp4", table=found_in(PICTURES / "f000.jpg"), opener=lambda: Long("film.mp4")).start()
    try:
        assert until(lambda: eyes.status()["text"] == WAITS)
        time.sleep(7.5)
        begun = time.monotonic()
        desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=1))
        assert until(lambda: desk.state.game == 1)
        desk.command(c.AwardMatch(seen_seq=desk.state.seq, seat=Seat.NEAR, role=Role.DIRECTOR, note="Boris has left"))
        assert not desk.state.on
        assert until(lambda: eyes.status()["status"] == "ended", 60)
        assert time.monotonic() - begun > 3, "the last picture is of six seconds after the first"
    finally:
        eyes.stop()


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
        assert "near’s points 1, 3, 12, 17 differ" in text
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


def test_at_the_end_of_a_film_that_is_cut_off_that_is_said_and_the_board_stays(desk: Desk, tmp_path: Path) -> None:
    """Who looks at the page when the film has ended learns that there was more of it. To look for the board again there is no picture: it
    is refused, and what was found is not given up for a search without end."""
    film, picture = tmp_path / "cut.avi", load_picture(PICTURES / "f000.jpg")
    out = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (picture.shape[1], picture.shape[0]))
    for _ in range(30):
        out.write(picture)
    out.release()
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 3])
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    eyes = Runtime(desk, str(film), table=found_in(PICTURES / "f000.jpg")).start()
    try:
        assert until(lambda: eyes.status()["status"] == "ended")
        end = eyes.status()
        assert re.fullmatch(r"The recording has ended; go on by hand\. cut\.avi breaks off after 1 of 3 s: .*\.", end["text"])
        assert re.fullmatch(r"Die Aufnahme .*\. cut\.avi bricht nach 1 von 3 s ab: .*\.", words("de").said(end["text"]))
        with pytest.raises(CameraError, match="no other picture comes"):
            eyes.look_again()
        assert eyes.status() == end
        assert end["board"]
    finally:
        eyes.stop()
