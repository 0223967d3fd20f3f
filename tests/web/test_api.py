"""The API's promises that need no browser: one error shape, nobody else's pages act here, streams are capped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.records.store import Store
from web.app import create_app
from web.cli._service import make_house
from web.house import House
from web.schemas import COMMANDS

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
    assert {"error", "message", "status"} <= set(body) <= {"error", "message", "status", "fields", "by"}
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
        ("POST", "/api/v1/roll", b"[]", 422),
        ("POST", "/api/v1/roll", b"{}", 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [7, 1]}', 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [6, 1], "extra": 1}', 422),
        ("POST", "/api/v1/roll", b'{"seq": 0, "dice": [6, 1]}', 409),
        ("POST", "/api/v1/roll", b'{"seq": 99, "dice": [6, 1]}', 409),
        ("POST", "/api/v1/start_match", b'{"seq": 0, "names": ["A", "B"], "rules": "none"}', 422),
        ("POST", "/api/v1/start_match", b'{"seq": 0, "names": ["A\\n", "B"]}', 422),
        ("POST", "/api/v1/position", b'{"seq": 0, "position": {"points": [], "bar": [0, 0], "off": [0, 0]}}', 422),
        ("POST", "/api/v1/play", b'{"seq": 0, "play": "' + b"x" * 300_000 + b'"}', 413),
    ],
)
def test_every_error_has_one_shape(client: FlaskClient, method: str, path: str, content: bytes | None, status: int) -> None:
    the_shape(client.open(path, method=method, data=content, content_type=JSON if content else None), status)


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
    for path in ("/", "/table", "/scoreboard"):
        answer = client.get(path)
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        text = answer.get_data(as_text=True)
        assert "://" not in text.replace("http://www.w3.org", ""), "a page names another host"
        assert "<script>" not in text
        assert " style=" not in text


def test_errors_are_pages_for_people(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "Back to the table" in answer.get_data(as_text=True)


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


def test_a_match_that_cannot_start_leaves_the_running_one(client: FlaskClient, house: House) -> None:
    assert say(client, "start_match", seq=0, names=["Anna", "Boris"], length=3).status_code == 200
    say(client, "start_game", seq=1)
    refused = say(client, "start_match", seq=1, names=["Carl", "Dora"], length=3)
    assert the_shape(refused, 409)["error"] == "stale"
    assert house.desk.state.names == ("Anna", "Boris")
    assert say(client, "start_match", seq=house.desk.state.seq, names=["Carl", "Dora"], length=3).status_code == 200
    assert house.desk.state.names == ("Carl", "Dora")
    assert [info.state.names for info in house.desk.store.matches()] == [("Anna", "Boris"), ("Carl", "Dora")]


def test_the_document_describes_every_command(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    for name in COMMANDS:
        assert "post" in document["paths"][f"/api/v1/{name}"], name
    assert {"/api/v1/state", "/api/v1/rules", "/api/v1/record.mat", "/api/v1/picture.jpg"} <= set(document["paths"])
