"""A board that is found when a match is on, again or late: who sits where, and what lay on it already."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.board.position import Position
from referee.match import commands as c
from referee.match.state import MatchState, Phase
from referee.observations import Half, Reading
from tests.found import found_in, remembered
from tests.waiting import until
from tests.web.cameras import PICTURES, Still, playing, round_about, start
from tests.web.conftest import referee
from vision.camera.sharpness import TOO_SOFT
from vision.camera.source import Frame, Source
from vision.dice.sides import burnt_out
from vision.pictures import load_picture
from vision.reader import DICE_LAY, Reader
from web.desk import Desk
from web.language import words
from web.runtime.cautions import Cautions
from web.runtime.eyes import Runtime
from web.runtime.said import GLARE, SLOW
from web.saw import unpack

pytestmark = pytest.mark.usefixtures("found_once")


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

    monkeypatch.setattr("web.runtime.seats.find_table", search)
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


@pytest.mark.parametrize("between", [True, False])
def test_that_the_start_is_set_up_the_other_way_round_is_said_between_games(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    if not between:
        desk.command(c.StartGame(seen_seq=desk.state.seq))
    monkeypatch.setattr("web.runtime.cautions.other_way_round", lambda _reading: True)
    monkeypatch.setattr(desk, "observe", lambda *_: ())
    eyes = Runtime(desk, "0", table=found_in(PICTURES / "f000.jpg"), opener=lambda: Still(start())).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        assert ("the other way round" in eyes.status()["text"]) == between
    finally:
        eyes.stop()


def test_that_pictures_are_few_does_not_come_and_go_with_every_one() -> None:
    image, reader, cautions = start(), Reader(found_in(PICTURES / "f000.jpg")), Cautions()
    rates = (8.2, 7.9, 8.1, 7.9, 9.9, 10.1, 8.1, 7.9, None)
    said = [SLOW in cautions.of(Reading((), None, None), image, reader, MatchState(), rate) for rate in rates]
    assert said == [False, True, True, True, True, False, False, True, False]


def test_what_is_said_beside_the_readings_is_what_holds() -> None:
    """Dice that lay on the board are hidden by a hand, and in the middle of a game are nobody's matter."""
    image, reader = start(), Reader(found_in(PICTURES / "f000.jpg"))
    bare, burnt, hand = Reading((), None, None), Reading((), None, None, (burnt_out((5.0, 5.0)),)), Reading((), None, None, hand=True)
    begins, playing = MatchState(), MatchState(phase=Phase.TO_ROLL)

    def said(cautions: Cautions, reading: Reading, state: MatchState) -> list[str]:
        return cautions.of(reading, image, reader, state, None)

    found, lay = Cautions(), Cautions(soft=True, lay=((20.0, 20.0),))
    assert [said(found, one, begins) for one in (hand, burnt, bare)] == [[], [GLARE], [GLARE]]
    assert said(lay, hand, begins) == [TOO_SOFT, DICE_LAY]
    assert said(lay, hand, playing) == [TOO_SOFT]


@pytest.mark.parametrize(("rate", "playing", "said"), [(5.0, False, True), (5.0, True, False), (30.0, False, False), (None, False, False)])
def test_a_camera_of_few_pictures_is_said_before_play_begins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, rate: float | None, playing: bool, said: bool
) -> None:
    desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
    if playing:
        desk.command(c.StartGame(seen_seq=desk.state.seq))
        desk.command(c.EnterRoll(seen_seq=desk.state.seq, dice=(6, 1)))
    monkeypatch.setattr(Still, "rate", rate)
    eyes = Runtime(desk, "0", table=found_in(PICTURES / "f000.jpg"), opener=lambda: Still(start())).start()
    try:
        assert until(lambda: eyes.status()["status"] == "watching")
        assert ("few pictures a second" in eyes.status()["text"]) == said
        assert ("wenige Bilder" in words("de").said(eyes.status()["text"])) == said
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
    with_none = Runtime(desk, "0", opener=lambda: Still(start())).start()
    try:
        assert until(lambda: with_none.status()["status"] == "watching")
        assert "dice lay" not in with_none.status()["text"].lower()
    finally:
        with_none.stop()


@pytest.mark.parametrize("how", ["bumped", "in smaller pictures", "found anew"])
def test_dice_that_are_seen_elsewhere_because_the_board_is_are_thrown_no_second_time(desk: Desk, how: str) -> None:
    tie = load_picture(PICTURES / "f001.jpg")
    after = {
        "bumped": np.roll(tie, 24, axis=1),
        "in smaller pictures": np.asarray(cv2.resize(tie, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8),
        "found anew": np.roll(tie, 60, axis=1),
    }[how]
    camera = Still(start())
    eyes = Runtime(desk, "0", opener=lambda: camera).start()
    try:
        assert until(lambda: eyes.status()["board"])
        playing(desk)
        camera.image = tie
        assert until(lambda: "opening_tied" in [one.event.type for one in desk.log])
        camera.image = after
        if how == "found anew":
            eyes.look_again()
        assert until(lambda: camera.passed is after)
        assert until(lambda: eyes.status()["text"].startswith("dice 5-5; position read"))
        read = eyes.status()["picture"]
        assert until(lambda: eyes.status()["picture"] >= read + 6), "a throw is announced when it was seen more than once"
        assert [one.event.type for one in desk.log].count("opening_tied") == 1
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
    monkeypatch.setattr("web.runtime.eyes.known_position", lambda _state: Position(points, (0, 1)))
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
