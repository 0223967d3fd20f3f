"""The API's promises that need no browser: one error shape, nobody else's pages act here, streams are capped."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from referee.match.events import DeviceLost
from referee.records.store import Store
from referee.rules.reason import because
from web.api.commands import COMMANDS
from web.api.setup import MAX_PICTURE
from web.app import create_app
from web.cli._service import make_house
from web.house import House
from web.runtime.camera import CameraChoice
from web.server import listen

JSON = "application/json"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Store(tmp_path / "m.db") as store:
        yield make_house(store, streams=2)


@pytest.fixture
def client(house: House) -> FlaskClient:
    return create_app(house).test_client()


def say(client: FlaskClient, name: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{name}", json=body)


def the_shape(response: Any, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.get_data(as_text=True)
    assert response.content_type == JSON
    body: dict[str, Any] = response.get_json()
    assert {"error", "message", "status"} <= set(body) <= {"error", "message", "status", "fields", "by", "same"}
    assert body["status"] == status
    assert body["error"]
    assert body["message"].endswith((".", "!", "?")), body
    assert isinstance(body.get("fields", {}), dict)
    return body


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("GET", "/api/v1/nothing", None, 404),
        ("DELETE", "/api/v1/state", None, 405),
        ("GET", "/api/v1/roll", None, 405),
        ("GET", "/api/v1/record.mat", None, 404),
        ("GET", "/api/v1/picture.jpg", None, 404),
        ("POST", "/api/v1/roll", b"{", 400),
        *(("GET", f"/api/v1/state?ago={ago}", None, 422) for ago in ("601", "-1", "nan", "soon", "")),
        ("POST", "/api/v1/roll", b"[]", 422),
        ("POST", "/api/v1/roll", b"{}", 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [7, 1]}', 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [6, 1], "extra": 1}', 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [6, 1]}', 409),
        ("POST", "/api/v1/roll", b'{"seq": 99, "dice": [6, 1]}', 409),
        ("POST", "/api/v1/start_match", b'{"seq": 0, "names": ["A", "B"], "rules": "none"}', 409),
        ("POST", "/api/v1/start_match", b'{"seq": 0, "names": ["A\\n", "B"]}', 422),
        ("POST", "/api/v1/position", b'{"seq": 0, "position": {"points": [], "bar": [0, 0], "off": [0, 0]}}', 422),
        ("POST", "/api/v1/play", b'{"seq": 0, "play": "' + b"x" * 300_000 + b'"}', 413),
    ],
)
def test_every_error_has_one_shape(client: FlaskClient, method: str, path: str, content: bytes | None, status: int) -> None:
    the_shape(client.open(path, method=method, data=content, content_type=JSON if content else None), status)


def test_a_phones_picture_may_be_larger_but_not_without_end(client: FlaskClient, house: House) -> None:
    house.chooser = CameraChoice(house.desk, lambda: None)
    for size, status in ((1_000_000, 409), (MAX_PICTURE + 1, 413)):  # not wanted, and too large to be looked at
        the_shape(client.post("/api/v1/frames", data=bytes(size), content_type="image/jpeg"), status)


def test_what_a_phone_sent_that_is_no_picture_is_said_as_such_in_the_readers_language(client: FlaskClient, house: House) -> None:
    """And is no table that wants no phone."""
    house.chooser = chooser = CameraChoice(house.desk, lambda: None)

    def sent(data: bytes) -> dict[str, Any]:
        answer = client.post("/api/v1/frames?lang=de", data=data, content_type="image/jpeg")
        the_shape(answer, 409)
        return cast(dict[str, Any], answer.get_json())

    chooser.choose(None)
    assert sent(b"")["error"] == "no_phone"
    chooser.choose("phone")
    try:
        for data in (b"", b"rubbish"):
            assert sent(data)["error"] == "no_picture"
        assert sent(b"")["message"] == "Das Bild ist leer (0 Bytes): noch einmal kopieren oder neu aufnehmen."
    finally:
        chooser.stop()


def test_the_cameras_to_choose_from_are_listed(client: FlaskClient, house: House) -> None:
    the_shape(client.get("/api/v1/cameras"), 409)  # the demo has none to choose
    house.chooser = CameraChoice(house.desk, lambda: None)
    found = client.get("/api/v1/cameras").get_json()["cameras"]
    assert all(set(one) == {"source", "name"} for one in found)
    house.access.set_pins()
    the_shape(client.get("/api/v1/cameras"), 403)


class Phone(CameraChoice):
    """Keeps how old each picture was."""

    def __init__(self) -> None:
        self.ages: list[float] = []

    def push(self, data: bytes, age: float = 0.0) -> None:
        self.ages.append(age)


def test_a_phone_measures_its_clock_and_says_when_a_picture_was_taken(client: FlaskClient, house: House) -> None:
    phone = house.chooser = Phone()
    answer = client.post("/api/v1/frames", data=b"picture", content_type="image/jpeg")
    now = float(answer.headers["Server-Time"])
    for captured in (now - 2.0, now + 60, now - 3600, "yesterday", "nan"):
        client.post("/api/v1/frames", data=b"picture", content_type="image/jpeg", headers={"Captured": str(captured)})
    assert 1.9 <= phone.ages.pop(1) < 5.0  # the header is rounded
    assert phone.ages == [0.0] * 5


def test_what_pages_count_from_goes_on_when_the_time_of_day_is_put_right(
    client: FlaskClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks and a phone's pictures: a computer that sets its time of day by the network does so in the middle of a match, too."""
    house.chooser = Phone()
    say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3, rules="usbgf")

    def told() -> list[float]:
        answer = client.post("/api/v1/frames", data=b"picture", content_type="image/jpeg")
        with client.get("/api/v1/stream", buffered=False) as stream:
            beat = next(iter(stream.response))
        assert isinstance(beat, bytes)
        say(client, "score", seq=client.get("/api/v1/state").get_json()["seq"], score=[0, 0])
        clock = client.get("/api/v1/state").get_json()["clock"]
        return [float(answer.headers["Server-Time"]), json.loads(beat.split(b"data: ")[1])["now"], clock["at"]]

    before = told()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)
    assert all(0 <= later - earlier < 60 for earlier, later in zip(before, told(), strict=True))


@pytest.mark.logs
def test_a_fault_of_ours_has_the_shape_too(house: House) -> None:
    app = create_app(house)
    app.add_url_rule("/api/v1/fault", view_func=lambda: 1 // 0)
    the_shape(app.test_client().get("/api/v1/fault"), 500)


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}],
    ids=str,
)
def test_another_sites_page_cannot_act(client: FlaskClient, house: House, headers: dict[str, str]) -> None:
    body = {"seq": 0, "names": ["Anna", "Boris"], "length": 3}
    the_shape(client.post("/api/v1/start_match", json=body, headers=headers), 403)
    assert house.desk.state.seq == 0
    own = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
    assert client.post("/api/v1/start_match", json=body, headers=own).status_code == 200


@pytest.mark.parametrize("body", ["[" * 100_000, '{"seq": ' + "9" * 6000 + "}"], ids=["deep", "long number"])
def test_json_made_to_hurt_is_refused(client: FlaskClient, house: House, body: str) -> None:
    the_shape(client.post("/api/v1/roll", data=body, content_type="application/json"), 400)
    assert house.desk.state.seq == 0


def test_a_foreign_name_pointed_here_reads_nothing(client: FlaskClient) -> None:
    the_shape(client.get("/api/v1/state", headers={"Host": "evil.example"}), 400)
    assert client.get("/api/v1/state", headers={"Host": "192.168.1.7:8765"}).status_code == 200


def test_pages_allow_only_their_own_scripts(client: FlaskClient) -> None:
    for page in ("table", "scoreboard", "overlay", "text", "matches", "matches/1", "setup", "camera"):
        answer = client.get(f"/t/1/{page}")
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert ("style-src 'self' 'unsafe-inline'" in policy) == (page == "overlay")  # the stream program's custom CSS
        assert "unsafe" not in policy.replace("style-src 'self' 'unsafe-inline'", "")
        text = answer.get_data(as_text=True)
        assert not re.findall(r"""(?:src|href|action|url)\s*[=(]\s*["']?(?:[a-z]+:)?//""", text), "a page loads from another host"
        assert "<script>" not in text
        assert " style=" not in text


def test_a_fault_names_its_field(client: FlaskClient) -> None:
    said = {
        the_shape(say(client, "roll", seq=0, dice=[7, 1]), 422)["message"]: "dice",
        the_shape(say(client, "score", seq=0, score=[1.5, 0]), 422)["message"]: "score",  # and is not taken for 1
        the_shape(say(client, "late", seq=0, seat="near"), 422)["message"]: "minutes",
        the_shape(client.get("/api/v1/matches?since=monday"), 422)["message"]: "since",
    }
    assert all(message.startswith(f"{field}: ") for message, field in said.items()), said
    for choice in ([1], 1.5, {"more": 1}, "x" * 41):
        body = {"seq": 0, "names": ["A", "B"], "length": 0, "rules": "traditional", "choices": {"auto_doubles": choice}}
        assert the_shape(say(client, "start_match", **body), 409)["message"] == "Auto_doubles must be a whole number or unlimited."


def test_errors_are_pages_for_people(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    text = answer.get_data(as_text=True)
    assert "<h1>Nothing here</h1>" in text and "Back to the table" in text


def test_the_stream_begins_with_a_snapshot_and_is_capped(client: FlaskClient, house: House) -> None:
    first = client.get("/api/v1/stream", buffered=False)
    text = b""
    chunks = iter(first.response)
    while b"event: camera" not in text:
        text += next(chunks)  # type: ignore[arg-type]
    snapshot = json.loads(text.split(b"event: state\ndata: ")[1].split(b"\n")[0])
    assert snapshot["seq"] == 0
    assert b"event: beat" in text
    second = client.get("/api/v1/stream", buffered=False)
    assert house.hub.taken == 2
    full = client.get("/api/v1/stream")
    assert the_shape(full, 503)["error"] == "full"
    assert int(full.headers["Retry-After"]) > 0
    say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3)
    assert b'"seq":1' in next(chunks)  # type: ignore[operator]
    first.close()
    second.close()
    assert house.hub.taken == 0


def test_a_stream_that_is_never_read_gives_its_place_back(client: FlaskClient, house: House) -> None:
    for _ in range(house.places + 1):
        with client.head("/api/v1/stream") as answer:  # closed unread, as the server does
            assert answer.status_code == 200
    assert house.hub.taken == 0


def test_a_match_that_cannot_start_leaves_the_running_one(client: FlaskClient, house: House) -> None:
    assert say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3).status_code == 200
    say(client, "start_game", seq=1)
    refused = say(client, "start_match", seq=1, names=["Carl", "Dora"], length=3)
    assert the_shape(refused, 409)["error"] == "stale"
    assert house.desk.state.names == ("Anna", "Boris")
    assert say(client, "start_match", seq=house.desk.state.seq, names=["Carl", "Dora"], length=3).status_code == 200
    assert house.desk.state.names == ("Carl", "Dora")
    assert [info.state.names for info in house.desk.store.matches()] == [("Anna", "Boris"), ("Carl", "Dora")]


def test_a_start_that_comes_twice_or_late_leaves_the_new_match(client: FlaskClient, house: House) -> None:
    assert say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3).status_code == 200
    for seq in range(1, 4):
        say(client, ("start_game", "roll", "undo")[seq - 1], seq=house.desk.state.seq, **({"dice": [3, 1]} if seq == 2 else {}))
    before, seen = house.desk.match, house.desk.state.seq
    again = {"seq": seen, "names": ["Carl", "Dora"], "length": 5}
    assert client.post("/api/v1/start_match", json=again).status_code == 200
    now = house.desk.match
    assert the_shape(client.post("/api/v1/start_match", json=again), 409)["error"] == "unknown_seq"
    assert the_shape(client.post("/api/v1/start_match", json=again | {"match": before, "seq": 1}), 409)["error"] == "stale"
    assert house.desk.match == now != before


def test_a_command_to_another_match_is_stale(client: FlaskClient, house: House) -> None:
    say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3)
    seen = house.desk.match
    say(client, "start_match", seq=house.desk.state.seq, names=["Carl", "Dora"], length=3)
    seq = house.desk.state.seq
    assert the_shape(client.post("/api/v1/start_game", json={"seq": seq, "match": seen}), 409)["error"] == "stale"
    assert client.post("/api/v1/start_game", json={"seq": seq, "match": house.desk.match}).status_code == 200


def test_a_stale_command_is_told_when_what_it_says_stands_already(client: FlaskClient, house: House) -> None:
    say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3)
    say(client, "start_game", seq=house.desk.state.seq)
    seq = house.desk.state.seq
    say(client, "roll", seq=seq, dice=[6, 2])
    same, other = (the_shape(say(client, "roll", seq=seq, dice=dice), 409) for dice in ([6, 2], [5, 2]))
    assert [answer["by"] for answer in (same, other)] == ["opening_rolled", "opening_rolled"]
    assert (same.get("same"), other.get("same")) == (True, None)
    assert house.desk.state.seq == seq + 1


@pytest.mark.parametrize("before", ["no match", "a match"])
def test_who_starts_the_match_that_another_has_just_started_is_told_that_it_stands(
    client: FlaskClient, house: House, before: str
) -> None:
    if before == "a match":
        say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3)
    seen = {"match": house.desk.match, "seq": house.desk.state.seq}
    wanted = {"names": ["Carl", "Dora"], "length": 5, "rules": "usbgf", "choices": {"referee_speaks": "always"}}
    assert say(client, "start_match", **seen, **wanted).status_code == 200
    now = house.desk.match
    for other in ({}, {"length": 7}, {"names": ["Dora", "Carl"]}, {"choices": {}}, {"event": "Club night"}, {"names": ["Dora", "dora"]}):
        answer = the_shape(say(client, "start_match", **seen, **(wanted | other)), 409)
        assert (answer["error"], answer["by"], answer.get("same")) == ("stale", "match_started", None if other else True), other
    say(client, "start_game", seq=1)
    assert "same" not in the_shape(say(client, "start_match", **seen, **wanted), 409), "it has gone on since"
    assert (house.desk.match, len(house.desk.store.matches())) == (now, 2 if before == "a match" else 1)


def test_of_many_who_act_at_once_one_is_heard_and_the_others_are_told_what_came_first(house: House) -> None:
    app = create_app(house)
    for name, body in (("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("start_game", {})):
        say(app.test_client(), name, seq=house.desk.state.seq, **body)
    seq, together = house.desk.state.seq, threading.Barrier(6)

    def act(second: int) -> Any:
        together.wait(60)
        return say(app.test_client(), "roll", seq=seq, dice=[6, second])

    with ThreadPoolExecutor(5) as people:
        waiting = [people.submit(act, second) for second in range(1, 6)]
        together.wait(60)
        answers = [one.result(60) for one in waiting]
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    for answer in answers:
        if answer.status_code == 409:
            assert (answer.get_json()["error"], answer.get_json()["by"]) == ("stale", "opening_rolled")
    assert house.desk.state.seq == seq + 1


def test_the_document_describes_every_command(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    for name in COMMANDS:
        assert "post" in document["paths"][f"/api/v1/{name}"], name
    assert {"/api/v1/state", "/api/v1/rules", "/api/v1/record.mat", "/api/v1/picture.jpg"} <= set(document["paths"])


MOST_HEADERS = 256 * 1024  # waitress refuses at this byte; sending more would reset the line before the answer is read


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"rubbish\r\n\r\n", 400),
        (b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: many\r\nACCEPT\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ".ljust(MOST_HEADERS, b"x"), 431),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nACCEPT\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nACCEPT\r\nTransfer-Encoding: magic\r\n\r\n", 501),
    ],
    ids=["no request", "no number", "headers", "body", "coding"],
)
def test_what_the_server_itself_refuses_has_the_shape_too(listening: int, request_: bytes, status: int, accept: str) -> None:
    with socket.create_connection(("127.0.0.1", listening), 20) as line:
        line.sendall(request_.replace(b"ACCEPT", f"Accept: {accept}".encode()))
        answer = b""
        while data := line.recv(65536):
            answer += data
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.0 {status} ".encode()) or head.startswith(f"HTTP/1.1 {status} ".encode()), head
    if accept == "text/html" and b"ACCEPT" in request_ and not request_.startswith(b"GET /api/"):
        assert b"Back to the table" in body
    else:
        found = json.loads(body)
        assert set(found) == {"error", "message", "status"}
        assert found["status"] == status
    assert b"default-src 'none'" in head


@pytest.fixture
def listening(house: House) -> Iterator[int]:
    """The port of the real server in front of the service."""
    server = listen(create_app(house), "127.0.0.1", 0, 2)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server.effective_port
    server.close()


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("DROP TABLE events", "m.db is damaged; restore a copy, or name another file."),
        ("BEGIN EXCLUSIVE", "m.db is in use by another program; close that one."),
        (
            "INSERT INTO events SELECT match, seq + 1, type, version, captured, at, committed, source, role, frame, payload, evidence_file,"
            " evidence_hash, before FROM events",
            "m.db was changed by another program while it was open; close that one and start the referee again.",
        ),
    ],
    ids=["damaged", "locked", "changed"],
)
def test_a_log_that_cannot_be_written_is_said_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("referee.records.store.BUSY_S", 0.2)
    with Store("m.db") as store, contextlib.closing(sqlite3.connect("m.db", isolation_level=None)) as other:
        client = create_app(make_house(store)).test_client()
        assert say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3).status_code == 200
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute(harm)
        refused = say(client, "start_game", seq=1)
        assert the_shape(refused, 503)["message"] == says
        assert int(refused.headers["Retry-After"]) > 0
        assert client.get("/api/v1/state").get_json()["trouble"] == says


def test_the_first_throw_is_refused_where_the_rule_set_knows_it(client: FlaskClient) -> None:
    """S3-20: in money play, where it was agreed, the opening throw is refused by doubling and thrown again."""
    say(client, "start_match", seq=0, names=["Ann", "Bob"], length=0, rules="traditional", choices={"first_throw_refusal": True})
    say(client, "start_game", seq=client.get("/api/v1/state").get_json()["seq"])
    say(client, "roll", seq=client.get("/api/v1/state").get_json()["seq"], dice=[6, 2])
    state = client.get("/api/v1/state").get_json()
    assert "refuse_first_throw" in state["can"]
    assert state["refusers"] == ["near", "far"]
    assert say(client, "refuse_first_throw", seq=state["seq"], seat="far").status_code == 200
    after = client.get("/api/v1/state").get_json()
    assert (after["phase"], after["cube"]["value"], after["dice"], after["refusers"]) == ("opening", 2, None, [])
    say(client, "roll", seq=after["seq"], dice=[2, 6])
    assert client.get("/api/v1/state").get_json()["refusers"] == ["near"]  # who has done so may not once more


def test_a_command_is_answered_with_its_own_last_event_though_others_follow_at_once(client: FlaskClient, house: House) -> None:
    """With that number its sender says what he looked at: it tells of nothing that he has not seen."""
    say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3)
    house.desk.watch(lambda: house.desk.lose(DeviceLost("camera", because("camera_lost"))))
    answer = say(client, "start_game", seq=1).get_json()
    assert (answer["seq"], answer["events"]) == (2, ["game_started"])
    assert [one.event.type for one in house.desk.log] == ["match_started", "game_started", "device_lost"]
