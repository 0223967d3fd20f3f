"""Who is told what: an illegal play that the referee must not call is the director's alone, and so are pictures to people with the PIN."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.records.formats import WRITERS
from referee.records.pictures import Pictures
from referee.records.store import Store
from web.access import Access, Pins
from web.app import create_app
from web.cli._service import make_house
from web.house import House
from web.live import RESERVED

PINS = Pins("246810", "135791")
JPEG = b"\xff\xd8 a picture \xff\xd9"


class Camera:
    """Eyes that see one picture."""

    picture: bytes | None = JPEG

    def whole(self) -> bytes | None:
        return JPEG

    def saw(self) -> bytes | None:
        return b"PK"

    def status(self) -> dict[str, Any]:
        return {"status": "watching", "text": "dice 6-2", "picture": 3, "board": True, "tray": None}


@dataclass
class Hall:
    house: House
    app: Flask

    def visitor(self, pin: str = "") -> FlaskClient:
        client = self.app.test_client()
        if pin:
            assert client.post("/api/v1/enter", json={"pin": pin}).status_code == 200
        return client


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A table with PINs and a camera, under responsible moves: Anna has thrown 6-2."""
    with Store(tmp_path / "m.db") as store:
        kept = Pictures(store.path).keep(1, JPEG)
        begun = (
            e.Logged(1, e.MatchStarted(("Anna", "Boris"), 3, "wbgf-responsible")),
            e.Logged(2, e.GameStarted(1, (0, 0))),
            e.Logged(3, e.OpeningRolled(Seat.NEAR, (6, 2)), source="camera", frame="f1.jpg", evidence=kept),
        )
        store.new_match().append(begun)
        house = make_house(store)
        house.access = Access(tmp_path / "access.json")
        house.access.set_pins(PINS)
        house.eyes = Camera()
        yield Hall(house, create_app(house))


def illegal(house: House) -> Position:
    """Anna plays the six alone, which the rule set does not let the referee call. Returns the position then."""
    points = list(START.points)
    points[23] -= 1
    points[17] += 1
    held = house.desk.command(c.EnterPlay(seen_seq=house.desk.state.seq, play="24/18", hold=True))
    assert isinstance(held, c.Accepted)
    assert [type(one.event).type for one in held.events] == ["illegal_play"]
    return Position(tuple(points), START.bar, START.off)


def events(client: FlaskClient, wish: str = "") -> str:
    """The first snapshots of the stream."""
    with client.get(f"/api/v1/stream{wish}", buffered=False) as answer:
        text = b""
        for chunk in answer.response:
            text += chunk if isinstance(chunk, bytes) else chunk.encode()
            if b"event: camera" in text:
                return text.decode()
    raise AssertionError("no snapshot came")


def unzipped(data: bytes) -> str:
    """All that is in an archive, names and texts."""
    with zipfile.ZipFile(io.BytesIO(data)) as bag:
        return "".join(name + bag.read(name).decode() for name in bag.namelist())


READS: dict[str, Callable[[FlaskClient], str]] = {
    "state": lambda client: client.get("/api/v1/state").get_data(as_text=True),
    "stream": events,
    "match": lambda client: client.get("/api/v1/matches/1").get_data(as_text=True),
    "record": lambda client: client.get("/api/v1/record.mat").get_data(as_text=True),
    "json": lambda client: client.get("/api/v1/matches/1/record.json").get_data(as_text=True),
    "sgf": lambda client: client.get("/api/v1/matches/1/record.sgf").get_data(as_text=True),
    "txt": lambda client: client.get("/api/v1/matches/1/record.txt").get_data(as_text=True),
    "lost": lambda client: client.get("/api/v1/matches/1/lost").get_data(as_text=True),
    "archives": lambda client: "".join(unzipped(client.get(f"/api/v1/records.zip?ending={ending}").data) for ending in WRITERS),
}
TELLING = (
    "illegal_play", "illegal play", "is illegal", "number_not_played", "S2-12", '"held":{', '"phase":"held"', '"legal":false',
    '"announced":false',
)


@pytest.mark.parametrize("stood", [False, True])
@pytest.mark.parametrize("pin", ["", PINS.table], ids=["viewer", "player"])
def test_nobody_but_the_director_learns_of_it_by_any_means(hall: Hall, pin: str, stood: bool) -> None:
    after = illegal(hall.house)
    if stood:
        hall.visitor(PINS.director).post("/api/v1/rule", json={"seq": hall.house.desk.state.seq, "stands": True})
    for name, read in READS.items():
        text = read(hall.visitor(pin))
        for sign in TELLING:
            assert sign not in text.replace(" ", "") and sign not in text, (name, sign)
    told = hall.visitor(pin).get("/api/v1/state").get_json()
    assert told["position"]["points"] == list(after.points)  # to the players Anna has simply played, and Boris is on roll
    assert (told["phase"], told["on_roll"], told["held"]) == ("to_roll", "far", None)
    assert [line["text"] for line in told["log"] if line["type"] == "played"] == ["Anna played 24/18"]
    assert told["rulings"] == [] or [one["type"] for one in told["rulings"]] == ["ruled"]


@pytest.mark.parametrize("pin", [PINS.table, None], ids=["player", "open table"])
def test_players_go_on_from_it_as_from_any_play(hall: Hall, pin: str | None) -> None:
    if pin is None:
        hall.house.access = Access()
    illegal(hall.house)
    player = hall.visitor(pin or "")
    seq = player.get("/api/v1/state").get_json()["seq"]
    stale = player.post("/api/v1/play", json={"seq": seq - 1, "play": "24/18 13/11"})
    assert stale.get_json()["by"] == "played"
    assert player.post("/api/v1/take", json={"seq": seq}).get_json()["error"] != "stale"
    done = player.post("/api/v1/roll", json={"seq": seq, "dice": [5, 2]})
    assert done.get_json()["events"] == ["rolled"]  # Anna's play is no news
    assert [type(one.event).type for one in hall.house.desk.log[-2:]] == ["illegal_play_stood", "rolled"]
    told = player.get("/api/v1/state").get_json()
    assert (told["on_roll"], told["dice"]["values"]) == ("far", [5, 2])


def test_the_director_sees_it_live(hall: Hall) -> None:
    illegal(hall.house)
    director = hall.visitor(PINS.director)
    snapshot = json.loads(events(director).split("event: state\ndata: ")[1].split("\n")[0])
    for seen in (snapshot, director.get("/api/v1/state").get_json()):
        assert (seen["audience"], seen["phase"]) == ("director", "held")
        assert seen["held"]["code"] == "number_not_played"
        assert seen["rulings"][0]["announced"] is False
        assert "rule" in seen["can"]
        assert seen["log"][-1]["type"] == "illegal_play"
    assert "illegal_play" in director.get("/api/v1/matches/1/record.json").get_data(as_text=True)


def test_a_scoreboard_in_the_directors_browser_shows_what_anybody_may_know(hall: Hall) -> None:
    illegal(hall.house)
    director = hall.visitor(PINS.director)
    for text in (events(director, "?as=viewer"), director.get("/api/v1/state?as=viewer").get_data(as_text=True)):
        for sign in TELLING:
            assert sign not in text.replace(" ", "") and sign not in text, sign
        assert '"audience":"viewer"' in text


def test_a_kept_picture_is_asked_for_anew_though_its_address_is_the_same(hall: Hall) -> None:
    player, place = hall.visitor(PINS.table), "/api/v1/matches/1/pictures/3.jpg"
    first = player.get(place)
    assert (first.status_code, first.data, "no-cache" in first.headers["Cache-Control"]) == (200, JPEG, True)
    again = player.get(place, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = player.get(place, headers={"If-None-Match": '"of another evening"'})
    assert (other.status_code, other.data) == (200, JPEG)


def test_a_stream_ends_when_its_pin_counts_no_more(hall: Hall) -> None:
    director = hall.visitor(PINS.director)
    with director.get("/api/v1/stream", buffered=False) as answer:
        chunks = iter(answer.response)
        next(chunks)
        hall.house.access.set_pins(Pins("1111", "2222"))
        illegal(hall.house)
        assert not any(b"number_not_played" in chunk for chunk in chunks)  # type: ignore[operator]
    assert hall.house.hub.taken == 0


def test_at_an_open_table_everybody_is_a_player_until_the_match_is_over(hall: Hall) -> None:
    hall.house.access = Access()
    illegal(hall.house)
    client = hall.visitor()
    assert client.get("/api/v1/state").get_json()["audience"] == "table"
    assert "illegal_play" not in client.get("/api/v1/matches/1/record.json").get_data(as_text=True)
    hall.house.desk.command(c.Rule(seen_seq=hall.house.desk.state.seq, role=e.Role.DIRECTOR, stands=True))
    hall.house.desk.command(c.AwardMatch(seen_seq=hall.house.desk.state.seq, role=e.Role.DIRECTOR, seat=Seat.NEAR))
    assert "illegal_play" in client.get("/api/v1/matches/1/record.json").get_data(as_text=True)


PICTURES = ("/api/v1/picture.jpg", "/api/v1/whole.jpg", "/api/v1/saw.zip", "/api/v1/matches/1/pictures/3.jpg")


@pytest.mark.parametrize(
    ("pin", "public", "sees"),
    [("", False, False), (PINS.table, False, True), (PINS.director, False, True), ("", True, True)],
    ids=["viewer", "player", "director", "public"],
)
def test_pictures_are_for_people_with_the_pin(hall: Hall, pin: str, public: bool, sees: bool) -> None:
    illegal(hall.house)
    hall.house.public_pictures = public
    client = hall.visitor(pin)
    for path in PICTURES:
        answer = client.get(path)
        kind = "application/zip" if path.endswith(".zip") else "image/jpeg"
        assert (answer.status_code, answer.content_type) == ((200, kind) if sees else (403, "application/json")), path
    text = events(client)
    assert ('"picture":3' in text) is sees
    steps = client.get("/api/v1/matches/1").get_json()["steps"]
    assert any(step["picture"] for step in steps) is sees


def test_a_crowd_of_viewers_leaves_places_to_those_who_act(hall: Hall) -> None:
    hall.house.hub.places = RESERVED + 1
    followed = [hall.visitor().get("/api/v1/stream", buffered=False)]
    full = hall.visitor().get("/api/v1/stream")
    assert (full.status_code, full.get_json()["error"]) == (503, "full")
    followed += [hall.visitor(PINS.table).get("/api/v1/stream", buffered=False) for _ in range(RESERVED)]
    assert [answer.status_code for answer in followed] == [200] * (RESERVED + 1)
    assert hall.visitor(PINS.director).get("/api/v1/stream").status_code == 503
    for answer in followed:
        answer.close()


def test_every_picture_the_service_has_is_kept_from_viewers(hall: Hall) -> None:
    """Whatever answers with a picture, or with several in one file, refuses who has not given the PIN."""
    document = hall.visitor().get("/api/v1/openapi.json").get_json()
    pictures = {
        path
        for path, ways in document["paths"].items()
        for kind in ways.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if kind.startswith("image/jpeg") or ("zip" in kind and path != "/api/v1/records.zip")  # which holds text alone
    }
    assert {"/api/v1/picture.jpg", "/api/v1/whole.jpg", "/api/v1/matches/{match}/pictures/{seq}.jpg"} <= pictures
    for path in pictures:
        answer = hall.visitor().get(path.replace("{match}", "1").replace("{seq}", "3"))
        assert (answer.status_code, answer.get_json()["error"]) == (403, "pin_needed"), path
