"""The program is started anew in the middle of a match: who sits where, what its start showed and what was played meanwhile are known."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.records.pictures import Pictures
from referee.records.store import Store
from tests.waiting import until
from tests.web.cameras import PICTURES, Still, playing, round_about, start
from vision.pictures import load_picture
from web.app import create_app
from web.cli._service import make_house
from web.runtime.camera import CameraChoice
from web.saw import unpack

pytestmark = pytest.mark.usefixtures("found_once")


@pytest.mark.logs
@pytest.mark.parametrize("kept", ["as it was", "damaged", "gone"])
def test_players_keep_their_seats_when_the_program_starts_anew(tmp_path: Path, kept: str) -> None:
    """It is killed between two games, when the board tells nothing; meanwhile the camera is carried to the other side."""
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store, stills=True).desk
        first = CameraChoice(desk, lambda: None)
        first.use("0", Still(start()))
        playing(desk)
        assert until(lambda: first.status()["status"] == "watching")
        home = desk.home
        seats = tmp_path / "m.db.seats"
        assert until(seats.exists)
        if kept == "damaged":
            seats.write_text(seats.read_text()[:200])
        elif kept == "gone":
            seats.unlink()
        again = make_house(store, stills=True).desk
        second = CameraChoice(again, lambda: None)
        second.use("0", Still(round_about(start())))
        try:
            assert until(lambda: second.status()["board"])
            assert (again.home is home) == (kept == "as it was")
        finally:
            second.stop()
            first.stop()


@pytest.mark.parametrize("since", ["nothing", "knocked", "dimmed", "picture gone", "carried round", "asked to look again"])
def test_what_the_start_of_the_match_showed_is_known_when_the_program_starts_anew(tmp_path: Path, since: str) -> None:
    """The hinges and the cube's place, which a picture from the middle of the game does not tell from dice and a cube that was turned."""
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store, stills=True).desk
        pictures = Pictures(store.path)
        first = CameraChoice(desk, lambda: None, pictures)
        first.use("0", Still(start()))
        playing(desk)
        assert until((tmp_path / "m.db.seats").exists)
        first.stop()
        desk.command(c.EnterRoll(seen_seq=desk.state.seq, dice=(2, 5)))
        image = load_picture(PICTURES / "f002.jpg")
        if since == "knocked":
            image = np.asarray(cv2.warpAffine(image, np.array([[1, 0, 20], [0, 1, 12]], np.float32), image.shape[1::-1]), np.uint8)
        elif since == "dimmed":
            image = (image * 0.5).astype(np.uint8)
        elif since == "picture gone":
            pictures.remove(desk.match)
        elif since == "carried round":
            image = round_about(image)
        again = make_house(store, stills=True).desk
        second = CameraChoice(again, lambda: None, pictures)
        second.use("0", Still(image))
        try:
            assert until(lambda: second.status()["status"] == "watching")
            if since == "asked to look again":
                second.look_again()
                assert until(lambda: second.status()["status"] == "watching")
            saw = second.saw()
            assert saw is not None
            known = since in ("nothing", "knocked")
            assert json.loads(unpack(saw).set_up)["begun"] is not known
        finally:
            second.stop()
        if known:  # and when it is killed once more, after the board was found again
            third = CameraChoice(make_house(store, stills=True).desk, lambda: None, pictures)
            third.use("0", Still(image))
            try:
                assert until(lambda: third.status()["status"] == "watching")
                assert not json.loads(unpack(third.saw() or b"").set_up)["begun"]
                assert len(list((pictures.folder / str(desk.match)).iterdir())) == 1
            finally:
                third.stop()


@pytest.mark.parametrize("camera", ["where it was", "knocked", "carried round"])
def test_a_play_made_while_the_program_was_down_is_seen_when_it_starts_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: str
) -> None:
    """Only the position before the play is known then. From the other side of the table the places are the same, the checkers are not."""
    monkeypatch.setattr("web.runtime.eyes.LOOK_S", 0.05)
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store, stills=True).desk
        first = CameraChoice(desk, lambda: None)
        first.use("0", Still(start()))
        playing(desk)
        assert until((tmp_path / "m.db.seats").exists)
        first.stop()
        desk.command(c.EnterRoll(seen_seq=desk.state.seq, dice=(2, 5)))
        image = load_picture(PICTURES / "f003.jpg")  # 24/22 13/8
        if camera == "knocked":
            image = np.asarray(cv2.warpAffine(image, np.array([[1, 0, 20], [0, 1, 12]], np.float32), image.shape[1::-1]), np.uint8)
        again = make_house(store, stills=True).desk
        second = CameraChoice(again, lambda: None)
        second.use("0", Still(round_about(image) if camera == "carried round" else image))
        try:
            if camera == "carried round":
                assert until(lambda: "differ" in str(second.status()["text"]))
                assert not second.status()["board"]
            else:
                assert until(lambda: again.state.on_roll is Seat.NEAR)
                assert again.state.position.points[16:19] == (-4, 0, -5)
        finally:
            second.stop()


@pytest.mark.parametrize("anew", [False, True], ids=["the same evening", "started anew since"])
def test_a_deleted_match_takes_with_it_where_its_board_stood(tmp_path: Path, anew: bool) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store, stills=True)
        camera = house.chooser = CameraChoice(house.desk, lambda: None, house.pictures)
        camera.use("0", Still(start()))
        playing(house.desk)
        seats = tmp_path / "m.db.seats"
        assert until(seats.exists)
        camera.stop()
        match, names = house.desk.match, house.desk.state.names
        if anew:
            house = make_house(store, stills=True)
            house.chooser = CameraChoice(house.desk, lambda: None, house.pictures)
        client = create_app(house).test_client()

        def delete(match: int, names: tuple[str, str]) -> int:
            return client.delete(f"/api/v1/matches/{match}", json={"names": names}).status_code

        assert delete(match, names) == 409  # it is on the table
        house.desk.command(c.StartMatch(seen_seq=house.desk.state.seq, names=("Cleo", "Dora"), length=3))
        another = house.desk.match
        house.desk.command(c.StartMatch(seen_seq=house.desk.state.seq, names=("Emil", "Fred"), length=3))
        assert delete(another, ("Cleo", "Dora")) == 200
        assert seats.exists()  # it is of another match
        assert delete(match, names) == 200
        assert not seats.exists()
