"""GNU Backgammon's look at a kept match: in the background, with figures; said plainly when it is missing or may not be asked."""

from __future__ import annotations

import errno
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from referee.records.gnubg import Analysis, NoAnalysis, Player, Tick
from referee.records.record import Record
from referee.records.store import Store
from tests.gnubg import needs_gnubg
from tests.web.conftest import Here, Served
from tests.web.pressing import post, state
from tests.web.test_matches import sayer, two_matches
from web.analysis import Analyst
from web.app import create_app
from web.cli._service import make_house
from web.house import House

ADDRESS = "/api/v1/matches/1/analysis"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Store(tmp_path / "m.db") as store:
        made = make_house(store)
        yield made
        made.analyst.stop()


@pytest.fixture
def client(house: House) -> FlaskClient:
    client = create_app(house).test_client()
    two_matches(sayer(client))
    return client


def until(client: FlaskClient, status: str) -> dict[str, Any]:
    end = time.monotonic() + 120
    while (found := client.get(ADDRESS).get_json())["status"] != status:
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return dict(found)


def test_without_the_program_it_is_said(house: House, client: FlaskClient) -> None:
    house.analyst = Analyst(installed=lambda: None)
    found = client.post(ADDRESS, json={}).get_json()
    assert found["status"] == "missing"
    assert "gnu.org/software/gnubg" in found["text"]


def test_one_at_a_time_in_the_background_and_it_can_be_ended(house: House, client: FlaskClient) -> None:
    looking = threading.Event()

    def look(_record: Record, _plies: int, _limit: float, tick: Tick) -> Analysis:
        looking.set()
        while True:
            tick(0.0, 1)
            time.sleep(0.01)

    house.analyst = Analyst(look, lambda: "gnubg")
    assert client.get(ADDRESS).get_json()["status"] == "none"
    assert client.post(ADDRESS, json={}).get_json()["status"] == "running"
    assert looking.wait(60)
    end = time.monotonic() + 60
    while not (now := client.get(ADDRESS).get_json())["done"]:
        assert time.monotonic() < end
    assert (now["done"], now["games"]) == (1, 1), "how far it has come"
    sayer(client)("start_match", names=["Eve", "Finn"], length=1)  # the table goes on meanwhile; Carl's match is kept
    assert client.post("/api/v1/matches/2/analysis", json={}).get_json()["status"] == "busy"
    assert client.delete(ADDRESS).get_json()["status"] == "none"


def test_what_was_found_is_kept_with_the_time_it_took(house: House, client: FlaskClient) -> None:
    players = Player("Anna", 20, -0.4, -0.1, 0.2, ()), Player("Boris", 10, 0.0, 0.0, -0.2, ())
    house.analyst = Analyst(lambda *_: Analysis(players, (), (), 0, 12.34), lambda: "gnubg")
    client.post(ADDRESS, json={})
    found = until(client, "done")
    assert (found["seconds"], found["text"]) == (12.3, "")
    assert [player["name"] for player in found["analysis"]["players"]] == ["Anna", "Boris"]


def test_a_failure_is_told_and_can_be_tried_again(house: House, client: FlaskClient) -> None:
    def look(_record: Record, _plies: int, _limit: float, _tick: Tick) -> Analysis:
        raise NoAnalysis("GNU Backgammon gave no analysis of this match")

    house.analyst = Analyst(look, lambda: "gnubg")
    client.post(ADDRESS, json={})
    assert until(client, "failed")["text"] == "GNU Backgammon gave no analysis of this match."


@pytest.mark.logs
def test_a_fault_ends_the_analysis_and_the_next_can_begin(house: House, client: FlaskClient) -> None:
    def look(_record: Record, _plies: int, _limit: float, _tick: Tick) -> Analysis:
        raise OSError(errno.ENOSPC, "No space left on device")

    house.analyst = Analyst(look, lambda: "gnubg")
    client.post(ADDRESS, json={})
    assert "log of the program" in until(client, "failed")["text"]
    client.post(ADDRESS, json={})
    until(client, "failed")


def test_a_match_being_played_is_not_analysed_for_its_players(client: FlaskClient) -> None:
    refused = client.post("/api/v1/matches/2/analysis", json={})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "match_on")
    assert client.get("/api/v1/matches/9/analysis").status_code == 404


def test_the_page_of_a_match_being_played_does_not_ask_for_its_analysis(alone: Here, page: Page) -> None:
    assert post(alone, "start_match", seq=0, names=["Anna", "Boris"], length=1)[0] == 200
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{alone.url}matches/1")
    expect(page.locator("#analysis")).to_contain_text("it can be analysed when it is over")
    expect(page.locator("#analyse")).to_have_text("Try again")
    assert refused == []


@needs_gnubg
def test_the_button_on_the_match_page(alone: Here, page: Page) -> None:
    def say(name: str, seq: int | None = None, **body: Any) -> None:
        assert post(alone, name, seq=state(alone)["seq"] if seq is None else seq, **body)[0] == 200

    two_matches(say)
    page.goto(f"{alone.url}matches/1")
    page.click("#analyse")
    expect(page.locator("#analysis")).to_have_attribute("data-status", "done", timeout=300_000)
    rows = page.locator("#analysis .tally tbody tr")
    expect(rows.filter(has_text="Error rate").locator("td")).to_have_count(2)
    expect(rows.filter(has_text="PR").first).to_contain_text("0.")
    expect(rows.filter(has_text="Luck")).to_contain_text("+")
    expect(page.locator("#analysis .worst .unbroken").first).to_have_text(re.compile("^(6-2|3-1)$"))
    page.click("#analysis .worst button")  # the roll that was played badly, on the board
    expect(page.locator("#said")).to_contain_text(re.compile("Boris rolled 6-2|Anna starts with 3-1"))
    page.goto(f"{alone.url}matches/2")
    expect(page.locator("#analysis")).to_contain_text("it can be analysed when it is over")


@needs_gnubg
def test_who_decided_nothing_has_no_rating_on_the_match_page(alone: Here, page: Page) -> None:
    for name, body in (
        ("start_match", {"names": ["Anna", "Boris"], "length": 1}), ("start_game", {}), ("roll", {"dice": [3, 1]}),
        ("play", {"play": "24/20"}), ("resign", {"seat": "far"}), ("accept", {}),
    ):  # fmt: skip
        assert post(alone, name, seq=state(alone)["seq"], **body)[0] == 200
    page.goto(f"{alone.url}matches/1")
    page.click("#analyse")
    expect(page.locator("#analysis")).to_have_attribute("data-status", "done", timeout=300_000)
    rows = page.locator("#analysis .tally tbody tr")
    for name in ("PR", "Error rate"):
        anna, boris = rows.filter(has_text=name).locator("td").all_inner_texts()
        assert (anna[:1].isdigit(), boris) == (True, "–"), name
    assert rows.filter(has_text="Decisions").locator("td").all_inner_texts()[1] == "0"


def test_whoever_gives_no_pin_or_loses_the_network_can_ask_for_the_analysis_again(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=1, aids=True)[0] == 200
    page.goto(f"{server.url}matches/1")
    page.route("**/analysis", lambda route: route.abort())
    page.click("#analyse")
    expect(page.locator("#analysis")).to_contain_text("cannot be reached")
    page.unroute("**/analysis")
    page.click("#analyse")  # tries again
    expect(page.locator("#analysis")).to_have_attribute("data-status", "none")
    server.kill()

    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    page.goto(f"{server.url}matches/1")
    page.click("#analyse")
    page.click("dialog.pin button:has-text('Cancel')")
    expect(page.locator("#analysis")).to_contain_text("PIN")
    page.click("#analyse")
    expect(page.locator("#analysis")).to_have_attribute("data-status", "none")


def test_the_button_that_ends_an_analysis_keeps_the_focus_while_the_seconds_go_on(table: Served, page: Page) -> None:
    post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=0)
    match = state(table)["match"]
    post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=3)
    seconds = iter(range(1, 1000))
    running = {"status": "running", "text": "", "analysis": None, "done": 3, "games": 7}
    page.route("**/analysis", lambda route: route.fulfill(json=running | {"seconds": next(seconds)}))
    page.goto(f"{table.url}matches/{match}")
    page.focus("#analyse-stop")
    expect(page.locator("#analysis")).to_contain_text("3 seconds")
    expect(page.locator("#analysis")).to_contain_text("3 of 7 games")
    assert page.locator("#analysis progress").evaluate("bar => bar.position") == pytest.approx(3 / 7)
    expect(page.locator("#analyse-stop")).to_be_focused()
