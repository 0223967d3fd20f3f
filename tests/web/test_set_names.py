"""A name that was typed wrong is put right on the page: every page and every record says the new one, also after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from playwright.sync_api import Page, expect

from referee.records.formats import read_bytes
from referee.records.store import Store
from tests import gnubg
from tests.web.conftest import Served
from tests.web.pressing import post, shows, start, state
from tests.web.test_matches import sayer
from web.app import create_app
from web.cli._service import make_house

ENDINGS = (".mat", ".sgf", ".txt", ".json")
SCHEMA = Path(__file__).parents[2] / "docs" / "record.schema.json"


def test_a_name_put_right_on_the_page_is_right_everywhere(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    page.goto(server.url)
    page.click("#new-match")
    page.fill("#f-near", "Hanna")
    page.fill("#f-far", "Boris")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    for name, body in (
        ("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("resign", {"seat": "far"}), ("accept", {}),
    ):
        assert post(server, name, seq=state(server)["seq"], **body)[0] == 200

    page.click("#correct")
    page.fill("#f-name-near", " boris ")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_have_text("Both players are called boris; give them two different names.")
    page.fill("#f-name-near", "  ")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_have_text("Give both players a name.")
    page.fill("#f-name-near", " Anna ")
    page.fill("#f-event", "Club night")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#near .name")).to_have_text("Anna")
    expect(page.locator("#rulings li").first).to_contain_text("The names were set to Anna and Boris, the event to Club night")
    expect(page.locator("#rulings")).to_contain_text("Anna played 8/5 6/5")

    for left in ("Boris", "Anna"):  # they sit the other way round than was entered; and back
        page.click("#correct")
        expect(page.locator("#f-name-far")).to_have_value(left)
        page.click("#swap")
        page.click("#dialog-yes")
        expect(page.locator("#dialog")).to_be_hidden()
        expect(page.locator("#near .name")).to_have_text(left)

    for again in (False, True):
        if again:
            server.kill()
            server = serve("serve", "--port", "0", "--db", database)
        pages = (
            ("table", "#near .name"), ("scoreboard", "#near .name"), ("overlay", "#near .name"), ("text", "#score"),
            ("matches", "#rows"), ("matches/1", "#title"),
        )
        for path, place in pages:
            page.goto(f"{server.url}{path}")
            expect(page.locator(place)).to_contain_text("Anna")
            if path in ("scoreboard", "overlay"):
                expect(page.locator("#about")).to_contain_text("Club night")
            expect(page.locator("body")).not_to_contain_text("Hanna")


def test_who_swaps_the_names_is_told_whose_the_score_is_then(table: Served, page: Page) -> None:
    """It was won on a side, by whoever sits there: with players who have changed seats in mid-match it does not go."""
    start(page, table)
    hint = page.get_by_text("The score stays with its side.")
    page.click("#correct")
    expect(page.locator("#swap")).to_be_visible()
    expect(hint).to_have_count(0)
    page.keyboard.press("Escape")
    assert post(table, "award", seq=state(table)["seq"], seat="near")[0] == 200
    shows(page, table)
    page.click("#correct")
    expect(hint).to_be_visible()
    page.click("#swap")
    page.click("#dialog-yes")
    expect(page.locator("#near .name")).to_have_text("Boris")
    expect(page.locator("#near .points")).to_have_text("1")


def test_a_name_is_put_right_however_high_the_score(table: Served, page: Page) -> None:
    """A field that could not be filled with the score as it stands would keep the whole form from being sent."""
    for name, body in (
        ("start_match", {"names": ["Hanna", "Boris"], "rules": "money"}), ("start_game", {}), ("cube", {"value": 2048}),
        ("award", {"seat": "near", "kind": "backgammon"}),
    ):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    page.goto(table.url)
    expect(page.locator("#near .points")).to_have_text("6144")
    page.click("#correct")
    page.fill("#f-name-near", "Anna")
    page.click("#dialog-yes")
    expect(page.locator("#near .name")).to_have_text("Anna")
    assert state(table)["score"] == [6144, 0]


def test_every_record_has_the_names_put_right_and_gnubg_opens_it(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store)).test_client()
        say = sayer(client)
        say("start_match", seq=0, names=["Hanna", "Boris"], length=3, event="Cub")
        for name, body in (
            ("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}),
            ("resign", {"seat": "far", "kind": "backgammon"}), ("accept", {}),
            ("names", {"names": ["Anna", "Boris"], "event": "Club night"}),
        ):
            say(name, **body)
        files = {ending: client.get(f"/api/v1/matches/1/record{ending}") for ending in ENDINGS}
        now = client.get("/api/v1/record.mat")
    for answer in (*files.values(), now):
        record = read_bytes(answer.data).record
        assert record.names == ("Anna", "Boris")
        assert "Anna-Boris" in answer.headers["Content-Disposition"]
    assert {read_bytes(files[ending].data).record.tag("Event") for ending in (".mat", ".sgf", ".json")} == {"Club night"}
    jsonschema.validate(json.loads(files[".json"].data), json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert gnubg.games(files[".mat"].get_data(as_text=True), tmp_path) == [("left", 3)]
    read = (tmp_path / "out.mat").read_text(encoding="utf-8")
    assert "Anna : 0" in read and "Hanna" not in read


@pytest.mark.parametrize(
    ("body", "status"),
    [({"names": ["Anna", " anna"]}, 409), ({"names": ["", "Boris"]}, 422), ({"names": ["Anna"]}, 422), ({"event": "Club night"}, 422)],
)
def test_what_is_no_two_names_is_refused(body: dict[str, Any], status: int, tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store)).test_client()
        sayer(client)("start_match", seq=0, names=["Hanna", "Boris"], length=3)
        assert client.post("/api/v1/names", json={"seq": 1, **body}).status_code == status
        assert client.get("/api/v1/state").get_json()["names"] == ["Hanna", "Boris"]
