"""Viewers read, the table's PIN acts, the director's PIN rules; nobody else changes anything by any means."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.records.store import Store
from web.access import HASH, TRIES, WINDOW_S, Access, AccessError, Pins
from web.api.commands import COMMANDS
from web.app import create_app
from web.cli._service import make_house, set_pins
from web.house import House

PINS = Pins("246810", "135791")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with Store(tmp_path / "m.db") as store:
        made = make_house(store)
        made.access = Access(tmp_path / "access.json", clock)
        made.access.set_pins(PINS)
        yield made


@pytest.fixture
def app(house: House) -> Flask:
    return create_app(house)


def enter(client: FlaskClient, pin: str) -> Any:
    return client.post("/api/v1/enter", json={"pin": pin})


HASHED = f"{HASH}$salt$0123456789abcdef"


@pytest.mark.parametrize(
    "content",
    [b"rubbish", b"[1, 2]", b"\xff\xfe", b"{}",
     *(json.dumps({"key": "0" * 64} | damaged).encode() for damaged in (
         {"director": HASHED}, {"table": HASHED}, {"table": "", "director": HASHED}, {"table": HASHED, "director": "scrypt:9:8:1$a$b"},
         {"table": HASHED, "director": HASHED, "key": "\ud800"}, {"lent": "\u00e9"}, {"key": 5},
     ))],
)
def test_a_damaged_file_of_pins_closes_the_table_and_says_so(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "access.json"
    file.write_bytes(content)
    access = Access(file)
    assert not access.open
    assert "--new-pins" in access.trouble
    assert file.read_bytes() == content
    assert access.set_pins(PINS) == PINS
    assert not Access(file).trouble


START = {"seq": 0, "names": ["Anna", "Boris"], "length": 3}
SET_UP = {"points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], "bar": [0, 0], "off": [0, 0]}
BODIES: dict[str, dict[str, Any]] = {
    "start_match": START,
    "roll": {"seq": 0, "dice": [3, 1]},
    "play": {"seq": 0, "play": "8/5"},
    "moves": {"seq": 0, "moves": []},
    "resign": {"seq": 0, "seat": "near"},
    "names": {"seq": 0, "names": ["Anna", "Boris"]},
    "score": {"seq": 0, "score": [1, 1]},
    "length": {"seq": 0, "length": 7},
    "rules": {"seq": 0, "rules": "bray"},
    "cube": {"seq": 0, "value": 2},
    "turn": {"seq": 0, "seat": "far"},
    "answer": {"seq": 0, "doubt": 1, "answer": None},
    "rule": {"seq": 0, "stands": True},
    "award": {"seq": 0, "seat": "near"},
    "award_match": {"seq": 0, "seat": "near"},
    "penalise": {"seq": 0, "seat": "near", "points": 1},
    "press": {"seq": 0, "seat": "near"},
    "clock_set": {"seq": 0, "remaining": [60, 60]},
    "position": {"seq": 0, "position": SET_UP},
    "mix_dice": {"seq": 0, "seat": "near"},
    "refuse_first_throw": {"seq": 0, "seat": "near"},
    "late": {"seq": 0, "seat": "near", "minutes": 5},
    "moment": {"seq": 0, "text": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "bottom": "near"},
    "pins": {"table": "1111", "director": "2222"},
    "camera": {"source": None},
    "board": {},
    "tray": {"corners": None},
    "matches/<int:match>": {"names": ["Anna", "Boris"]},
    "matches/<int:match>/analysis": {},
    "matches/<int:match>/continue": {"on": 1},
}


@pytest.mark.parametrize("hours", [-1, 1, 24 * 365])
def test_whoever_gave_a_pin_may_act_whatever_the_computers_clock_says(app: Flask, hours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    client, real = app.test_client(), time.time
    assert enter(client, PINS.director).status_code == 200
    monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)
    assert client.get("/api/v1/me").json == {"open": False, "rank": "director"}


def test_a_viewer_changes_nothing(app: Flask, house: House) -> None:
    """Whatever the service takes besides reading is refused to a viewer, but for giving a PIN and giving it back."""
    tried = set()
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}:
            name = rule.rule.removeprefix("/api/v1/")
            if name in ("enter", "leave"):
                continue
            answer = app.test_client().open(rule.rule.replace("<int:match>", "1"), method=method, json=BODIES.get(name, {"seq": 0}))
            assert answer.status_code == 403, (method, name, answer.get_data(as_text=True))
            assert answer.get_json()["error"] in ("pin_needed", "director_needed")
            tried.add(name)
    assert {*COMMANDS, "pins", "camera", "frames", "lending", "matches/<int:match>"} <= tried
    assert house.desk.log == ()
    assert house.access.enter(PINS.table, "x") == 1


def test_two_tables_on_one_computer_do_not_share_a_cookie(tmp_path: Path, app: Flask) -> None:
    other = Access(tmp_path / "other.json")
    other.set_pins(PINS)
    elsewhere = Flask("elsewhere")
    other.guard(elsewhere)
    assert elsewhere.config["SESSION_COOKIE_NAME"] != app.config["SESSION_COOKIE_NAME"]


def test_each_pin_gives_its_own_rights(app: Flask, house: House) -> None:
    client = app.test_client()
    assert client.get("/api/v1/me").get_json() == {"rank": "viewer", "open": False}
    answer = enter(client, PINS.table)
    assert answer.get_json()["rank"] == "table"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert client.post("/api/v1/start_match", json=START).status_code == 200
    assert client.post("/api/v1/award", json={"seq": 1, "seat": "near"}).get_json()["error"] == "director_needed"
    enter(client, PINS.director)
    assert client.get("/api/v1/me").get_json()["rank"] == "director"
    client.post("/api/v1/leave", json={})
    assert client.get("/api/v1/me").get_json()["rank"] == "viewer"
    assert [one.role.value for one in house.desk.log] == ["referee"]


def test_guessing_is_limited(app: Flask, clock: Clock) -> None:
    client = app.test_client()
    for _ in range(TRIES):
        assert enter(client, "000000").status_code == 403
    full = enter(client, PINS.director)
    assert full.status_code == 429
    assert int(full.headers["Retry-After"]) > 0
    clock.now += WINDOW_S + 1
    assert enter(client, PINS.director).status_code == 200


def test_a_right_pin_buys_no_more_guesses(app: Flask) -> None:
    client = app.test_client()
    for _ in range(TRIES - 1):
        assert enter(client, "000000").status_code == 403
    assert enter(client, PINS.table).status_code == 200
    assert enter(client, "000000").status_code == 403
    assert enter(client, "000001").status_code == 429


def test_new_pins_end_every_other_session(app: Flask, house: House) -> None:
    player, director = app.test_client(), app.test_client()
    enter(player, PINS.table)
    enter(director, PINS.director)
    assert director.post("/api/v1/pins", json={"table": "4444", "director": "4444"}).status_code == 422
    assert director.post("/api/v1/pins", json={"table": "4444", "director": "5555"}).get_json()["rank"] == "director"
    assert player.get("/api/v1/me").get_json()["rank"] == "viewer"
    assert enter(player, PINS.table).status_code == 403
    assert enter(player, "4444").get_json()["rank"] == "table"


def test_only_hashes_are_kept_and_they_last(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    Access(file).set_pins(PINS)
    assert PINS.table not in file.read_text()
    assert [one.name for one in tmp_path.iterdir()] == ["kept.json"]
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o077 == 0  # nobody else on this computer reads it
    assert Access(file).enter(PINS.director, "x") == 2


def test_whoever_starts_a_table_again_is_told_that_its_pins_hold_and_how_to_make_new_ones(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house.access = Access(tmp_path / "new.json")
    set_pins(house, "127.0.0.1", new=False)
    assert capsys.readouterr().out == ""  # only this computer reaches it: it needs none
    set_pins(house, "0.0.0.0", new=False)
    assert re.search(r"PIN \d{6}\b.*PIN \d{6}\b", capsys.readouterr().out)
    for host in ("0.0.0.0", "127.0.0.1"):
        set_pins(house, host, new=False)
        said = capsys.readouterr().out
        assert "keeps the PINs" in said
        assert "--new-pins" in said
        assert not re.search(r"\d{6}", said)


def test_a_full_disk_is_what_whoever_lends_the_camera_is_told_of(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    director = app.test_client()
    enter(director, PINS.director)

    def no_room(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_room)
    for language, said in (("en", f"The disk with {tmp_path / 'access.json'} is full; make room"), ("de", "Platz schaffen")):
        refused = director.post("/api/v1/lending", json={}, headers={"accept-language": language})
        assert (refused.status_code, said in refused.get_json()["message"]) == (503, True), refused.get_json()


def test_pins_that_cannot_be_written_are_refused_and_the_old_ones_hold(app: Flask, house: House, tmp_path: Path) -> None:
    director = app.test_client()
    enter(director, PINS.director)
    kept = (tmp_path / "access.json").rename(tmp_path / "kept")
    (tmp_path / "access.json").mkdir()  # in the way of the new file
    refused = director.post("/api/v1/pins", json={"table": "4444", "director": "5555"})
    assert (refused.status_code, "cannot be kept in" in refused.get_json()["message"]) == (503, True)
    assert director.get("/api/v1/me").get_json()["rank"] == "director"
    with pytest.raises(AccessError):
        house.access.lend()
    assert not house.access.lent
    assert Access(kept).enter(PINS.table, "x") == 1


def undo(client: FlaskClient, house: House, **more: Any) -> Any:
    return client.post("/api/v1/undo", json={"seq": house.desk.state.seq, **more})


def test_what_a_director_ruled_only_a_director_takes_back(app: Flask, house: House) -> None:
    player, director = app.test_client(), app.test_client()
    enter(player, PINS.table)
    enter(director, PINS.director)
    player.post("/api/v1/start_match", json=START)
    director.post("/api/v1/penalise", json={"seq": house.desk.state.seq, "seat": "near", "points": 1})
    for more in ({}, {"to_seq": 1}):
        assert undo(player, house, **more).get_json()["error"] == "director_ruled"
    assert house.desk.state.score == (0, 1)
    player.post("/api/v1/start_game", json={"seq": house.desk.state.seq})
    assert undo(player, house).status_code == 200, "what came after the ruling is the players' own"
    assert undo(director, house).status_code == 200
    assert house.desk.state.score == (0, 0)


def test_at_an_open_table_whoever_ruled_takes_it_back(app: Flask, house: House, tmp_path: Path) -> None:
    house.access = Access(tmp_path / "open.json")
    anybody = app.test_client()
    anybody.post("/api/v1/start_match", json=START)
    anybody.post("/api/v1/penalise", json={"seq": 1, "seat": "near", "points": 1})
    assert undo(anybody, house).status_code == 200
    assert house.desk.state.score == (0, 0)
