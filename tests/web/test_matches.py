"""Kept matches: the list, stepping, exports, dice, deleting; the text page and the overlay."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, Route, expect

from referee.board.position import START, Seat
from referee.match import commands as c
from referee.match.events import Logged, Played, Rolled
from referee.records.formats import read_bytes
from referee.records.store import Store
from tests.match.random_play import play_match
from tests.web.conftest import Here, Served, answering
from tests.web.pressing import post, state
from web.app import create_app
from web.archive import chi_square_tail, dice_statistics
from web.cli._service import make_house
from web.language import words


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with Store(tmp_path / "m.db") as store:
        yield create_app(make_house(store)).test_client()


def two_matches(say: Callable[..., Any]) -> None:
    """A short match at an event, then another on the table."""
    say("start_match", seq=0, names=["Anna", "=Boris"], length=1, event="Club night")
    for name, body in (
        ("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("roll", {"dice": [6, 2], "seat": "far"}),
        ("play", {"play": "24/18 13/11"}), ("resign", {"seat": "far"}), ("accept", {}),
    ):
        say(name, seq=None, **body)
    say("start_match", seq=None, names=["Carl", "Dora"], length=3)


def sayer(client: FlaskClient) -> Callable[..., Any]:
    def say(name: str, seq: int | None = None, **body: Any) -> None:
        now = client.get("/api/v1/state").get_json()["seq"] if seq is None else seq
        answer = client.post(f"/api/v1/{name}", json={"seq": now, **body})
        assert answer.status_code == 200, answer.get_json()

    return say


def test_a_match_whose_beginning_cannot_be_kept_leaves_the_running_one_on_the_table(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        first = desk.match
        desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))
        score = 0
        with store._engine.connect() as db:  # SQLite's own limit on the file's pages stands in for the disk's
            pages = db.exec_driver_sql("PRAGMA page_count").scalar()
            db.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        while isinstance(desk.command(c.SetScore(seen_seq=desk.state.seq, score=(score % 2, 1))), c.Accepted):
            score += 1
        before = desk.state
        again = c.StartMatch(seen_seq=before.seq, names=("Carl", "Dora"), length=3)
        refused = desk.command(again)
        assert isinstance(refused, c.Refused)
        assert refused.reason.code == "store_failed"
        assert (desk.match, desk.state) == (first, before)
        assert [one.id for one in store.matches()] == [first]
        with store._engine.connect() as db:
            db.exec_driver_sql("PRAGMA max_page_count = 100000")
        told: list[int] = []
        desk.watch(lambda: told.append(desk.match))
        assert isinstance(desk.command(again), c.Accepted)
        assert (desk.state.names, desk.match, told) == (("Carl", "Dora"), first + 1, [first + 1])
        assert isinstance(desk.command(c.StartGame(seen_seq=1)), c.Accepted)
    with Store(tmp_path / "m.db") as store:
        assert [(one.id, one.state.names[0], one.problem) for one in store.matches()] == [(first, "Anna", ""), (first + 1, "Carl", "")]
        assert make_house(store).desk.match == first + 1


def test_the_list_and_its_filter(client: FlaskClient) -> None:
    two_matches(sayer(client))
    every = client.get("/api/v1/matches").get_json()
    assert [m["names"] for m in every["matches"]] == [["Carl", "Dora"], ["Anna", "=Boris"]]
    assert every["on"] == every["matches"][0]["id"]
    assert [m["score"] for m in client.get("/api/v1/matches?player=boris").get_json()["matches"]] == [[1, 0]]
    assert len(client.get("/api/v1/matches?event=club").get_json()["matches"]) == 1
    assert client.get("/api/v1/matches?since=2999-01-01").get_json()["matches"] == []
    assert client.get("/api/v1/matches?since=monday").status_code == 422
    rows = list(csv.reader(io.StringIO(client.get("/api/v1/results.csv?event=club").get_data(as_text=True))))
    assert rows[1][2:] == ["Club night", "", "Anna", "'=Boris", "1", "0", "1", "Anna"]


def test_results_have_no_more_points_than_the_match_is_long(client: FlaskClient) -> None:
    """A gammon at match point wins by the points that were needed, as every page says."""
    say = sayer(client)
    say("start_match", seq=0, names=["Anna", "Boris"], length=1)
    say("start_game", seq=1)
    say("roll", seq=2, dice=[3, 1])
    say("resign", seq=3, seat="far", kind="gammon")
    say("accept", seq=4)
    rows = list(csv.reader(io.StringIO(client.get("/api/v1/results.csv").get_data(as_text=True))))
    assert rows[1][4:] == ["Anna", "Boris", "1", "0", "1", "Anna"]


def test_results_for_a_spreadsheet_say_that_they_are_utf8(client: FlaskClient) -> None:
    """Without the mark a German Excel shows other letters; programs get the rows alone."""
    sayer(client)("start_match", seq=0, names=["Jörg", "Zoë"], length=1)
    plain, marked = (client.get(f"/api/v1/results.csv{query}").data for query in ("?player=jörg", "?player=jörg&bom=true"))
    assert plain.startswith(b"id,") and "Jörg,Zoë" in plain.decode("utf-8")
    assert marked == b"\xef\xbb\xbf" + plain
    german = client.get("/api/v1/results.csv?bom=true", headers={"Accept-Language": "de-AT"}).data.decode("utf-8-sig")
    assert german == plain.decode("utf-8").replace(",", ";"), "in one cell a row else"
    assert client.get("/api/v1/results.csv", headers={"Accept-Language": "de-AT"}).data == plain
    page = client.get("/matches", follow_redirects=True).get_data(as_text=True)
    assert 'href="/api/v1/results.csv?bom=true"' in page


def test_of_a_match_that_nobody_has_started_there_is_nothing_to_be_had(client: FlaskClient) -> None:
    number = client.get("/api/v1/state").get_json()["match"]
    place = f"/api/v1/matches/{number}"
    asked = client.get(place), client.get(f"{place}/record.mat"), client.get(f"{place}/analysis"), client.post(f"{place}/analysis", json={})
    for answer in (*asked, client.post(f"{place}/continue", json={"on": number})):
        said = answer.get_json()
        assert (answer.status_code, said["error"], said["message"]) == (404, "no_match", f"Match {number} has not been started.")


def test_a_match_step_by_step_and_in_every_format(client: FlaskClient) -> None:
    two_matches(sayer(client))
    found = client.get("/api/v1/matches/1").get_json()
    texts = [step["text"] for step in found["steps"]]
    assert "Anna played 8/5 6/5" in texts
    assert found["steps"][texts.index("Anna played 8/5 6/5")]["pips"] == [163, 167]
    thrown = next(step for step in found["steps"] if step["type"] == "opening_rolled")
    assert thrown["dice"] == {"seat": "near", "values": [3, 1], "opening": True} and found["steps"][0]["dice"] is None
    assert found["dice"]["near"]["counts"] == [0, 0, 1, 0, 0, 0]
    assert found["dice"]["far"]["counts"] == [1, 1, 0, 0, 0, 1]
    assert found["dice"]["both"]["counts"] == [1, 1, 1, 0, 0, 1], "the dice may be one pair for both"
    assert "Too few" in found["dice"]["near"]["text"]
    for ending in (".mat", ".sgf", ".txt", ".json"):
        answer = client.get(f"/api/v1/matches/1/record{ending}")
        assert answer.status_code == 200
        assert read_bytes(answer.data).record.names == ("Anna", "=Boris")
        assert f'{ending}"' in answer.headers["Content-Disposition"]
    assert client.get("/api/v1/matches/1/record.exe").status_code == 404
    assert client.get("/api/v1/matches/7").get_json()["error"] == "no_match"


def test_a_match_that_there_is_not_has_no_page_and_a_page_of_an_error_waits_for_nothing(table: Served, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    for path in ("matches/9999", "nothing"):
        answer = page.goto(f"{table.url}t/1/{path}")
        assert answer is not None and answer.status == 404
        expect(page.locator("main")).to_contain_text("There is no ")
        expect(page.locator("#line")).to_have_count(0)
        expect(page.locator("main a")).to_have_text("Back to the table")
    page.click("#theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.set_viewport_size({"width": 390, "height": 844})
    card = page.locator("main .card").bounding_box()
    assert card is not None and card["x"] >= 8 and card["x"] + card["width"] <= 382


def test_the_oldest_pictures_make_room_but_never_those_on_the_table(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        two_matches(sayer(create_app(house).test_client()))
        old, new = (house.pictures.keep(match, bytes(6000)) for match in (1, 2))
        assert house.tidy() == ()
        house.pictures.limit = 10_000
        assert house.tidy() == (1,)
        house.pictures.limit = 1
        assert house.tidy() == ()
        assert old is not None and new is not None
        assert house.pictures.read(old) is None
        assert house.pictures.read(new) is not None


def test_matches_that_can_be_continued_keep_their_pictures_longer_than_finished_ones(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        say = sayer(create_app(house).test_client())
        two_matches(say)  # the second goes on
        say("start_match", names=["Emil", "Fritz"], length=3)
        say("award_match", seat="near")
        say("start_match", names=["Gerd", "Hans"], length=3)
        for match in (2, 3, 4):
            house.pictures.keep(match, bytes(6000))
        house.pictures.limit = 15_000
        assert house.tidy() == (3,)
        house.pictures.limit = 10_000
        assert house.tidy() == (2,)


def test_pictures_of_a_match_whose_deletion_was_broken_off_go_with_the_next_look(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        two_matches(sayer(create_app(house).test_client()))
        old, new = (house.pictures.keep(match, b"jpeg") for match in (1, 2))
        store.delete(1)  # and there the program ended
        assert old is not None and new is not None
        assert house.pictures.read(old) is not None
        assert house.tidy() == ()
        assert (house.pictures.read(old), house.pictures.read(new)) == (None, b"jpeg")


def test_deleting_takes_a_whole_match_and_wants_its_names(client: FlaskClient) -> None:
    two_matches(sayer(client))
    delete = "/api/v1/matches/1"
    assert client.delete(delete, json={"names": ["Anna", "Dora"]}).get_json()["error"] == "not_confirmed"
    assert client.delete("/api/v1/matches/2", json={"names": ["Carl", "Dora"]}).get_json()["error"] == "match_on"
    assert client.delete(delete, json={"names": ["Anna", "=Boris"]}).get_json() == {"deleted": 1}
    assert client.get(delete).status_code == 404
    assert [m["id"] for m in client.get("/api/v1/matches").get_json()["matches"]] == [2]


@given(st.floats(0, 60))
def test_the_chi_square_tail_is_a_tail(square: float) -> None:
    assert 0 <= chi_square_tail(square) <= 1
    assert chi_square_tail(square + 1) < chi_square_tail(square)


@pytest.mark.parametrize(("square", "p"), [(1.145, 0.95), (4.351, 0.50), (9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)])
def test_the_chi_square_tail_agrees_with_the_printed_table(square: float, p: float) -> None:
    """Percentage points of the chi-square distribution with 5 degrees of freedom, as every statistics book prints them."""
    assert chi_square_tail(square) == pytest.approx(p, rel=2e-3)


def test_what_hardly_happens_is_no_share_of_nothing() -> None:
    """Every die a six: even dice would not do that in 0.0% of matches."""
    odd = [number for number in range(1, 6) for _ in range(8)] + [6] * 20
    sixes = [Rolled(Seat.NEAR, (6, 6))] * 30
    more_sixes = [Rolled(Seat.FAR, dice) for dice in zip(odd[:30], odd[30:], strict=True)]
    turns = [event for roll in sixes + more_sixes for event in (roll, Played(roll.seat, roll.dice, (), START))]
    found = dice_statistics([Logged(seq, event) for seq, event in enumerate(turns, start=1)])
    assert found["near"]["text"].startswith("Even dice would differ this much in fewer than one match in a thousand;")
    assert "weniger als einem von tausend" in words("de").said(found["near"]["text"])
    assert 0.001 < found["far"]["p"] < 0.05
    assert re.match(r"Even dice would differ this much in only \d\.\d% of matches\.", found["far"]["text"])


def test_the_pages_of_matches_text_and_overlay(alone: Here, page: Page) -> None:
    def say(name: str, seq: int | None = None, **body: Any) -> None:
        status, answer = post(alone, name, seq=state(alone)["seq"] if seq is None else seq, **body)
        assert status == 200, answer

    two_matches(say)
    page.goto(f"{alone.url}matches")
    expect(page.locator("#rows tr")).to_have_count(2)
    page.fill("#player", "anna")
    expect(page.locator("#rows tr")).to_have_count(1)
    page.click("#rows a")
    expect(page.locator("#title")).to_contain_text("1–0")
    expect(page.locator("#said")).not_to_be_empty()
    page.keyboard.press("Home")
    page.click("#first")
    page.click("#next")
    expect(page.locator("#said")).to_contain_text("Game 1")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_have_text("Anna played 8/5 6/5")
    expect(page.locator("#dice tbody tr")).to_have_count(3)
    expect(page.locator("#dice tbody tr").last).to_contain_text("All dice")
    page.click("#delete")
    page.fill("#f-confirm", "Anna")
    page.click("#dialog-yes")
    expect(page.locator("#rows tr")).to_have_count(1)

    page.goto(f"{alone.url}text")
    expect(page.locator("#points")).to_contain_text("24: 2 checkers")
    page.goto(f"{alone.url}overlay?board=1")
    say("start_game")
    say("roll", dice=[6, 2])
    expect(page.locator("#expected")).to_contain_text("6-2")
    expect(page.locator("#board .die")).to_have_count(2)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


def test_a_damaged_match_is_listed_and_says_what_is_wrong(tmp_path: Path) -> None:
    where = tmp_path / "m.db"
    with Store(where) as store:
        two_matches(sayer(create_app(make_house(store)).test_client()))
    with contextlib.closing(sqlite3.connect(where)) as raw:
        raw.execute("DROP TRIGGER events_stay")
        raw.execute("""UPDATE events SET payload = replace(payload, '3', '4') WHERE "match" = 1 AND seq = 3""")
        raw.execute("UPDATE matches SET created = 'q' || substr(created, 2) WHERE id = 2")
        began = raw.execute("""SELECT captured FROM events WHERE "match" = 2 AND seq = 1""").fetchone()[0]
        raw.commit()
    with Store(where) as store:
        client = create_app(make_house(store)).test_client()
        matches = client.get("/api/v1/matches").get_json()["matches"]
        listed = {one["id"]: one["problem"] for one in matches}
        assert (listed[2], matches[0]["created"]) == ("", began), "when it began is known from its log"
        assert "was changed; the match cannot be used" in listed[1]
        german = client.get("/api/v1/matches?lang=de").get_json()["matches"]
        assert "wurde verändert; das Match ist nicht zu verwenden" in german[1]["problem"]
        for path in ("", "/record.mat", "/pictures/3.jpg"):
            answer = client.get(f"/api/v1/matches/1{path}")
            assert (answer.status_code, answer.get_json()["error"]) == (409, "damaged"), path


@pytest.mark.parametrize("row", [3, 1], ids=["with names", "without any"])
def test_a_damaged_match_can_be_deleted_on_its_page(tmp_path: Path, page: Page, row: int) -> None:
    """It says for ever what is wrong with it, else."""
    where = tmp_path / "m.db"
    with Store(where) as store:
        two_matches(sayer(create_app(make_house(store)).test_client()))
    with contextlib.closing(sqlite3.connect(where)) as raw:
        raw.execute("DROP TRIGGER events_stay")
        raw.execute("""UPDATE events SET payload = payload || ' ' WHERE "match" = 1 AND seq = ?""", (row,))
        raw.commit()
    with Store(where) as store, answering(make_house(store)) as house:
        page.goto(f"{house.address}matches")
        page.click("#rows .problem a")
        expect(page.locator("#said")).to_contain_text("was changed; the match cannot be used")
        page.click("#delete")
        if row > 1:
            page.fill("#f-confirm", "Anna")
        page.click("#dialog-yes")
        expect(page.locator("#none")).to_have_text("1 match")
        expect(page.locator("#rows")).to_contain_text("Carl – Dora")


def test_the_list_says_who_won_a_match_that_its_winner_was_behind_in(table: Served, page: Page) -> None:
    for name, body in (
        ("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("score", {"score": [0, 2]}), ("award_match", {"seat": "near"}),
    ):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    page.goto(f"{table.url}matches")
    expect(page.locator("#rows tr").first).to_contain_text("Anna – Boris · won by Anna · on the table")
    page.goto(f"{table.url}matches?lang=de")
    expect(page.locator("#rows tr").first).to_contain_text("gewonnen von Anna")


def test_pages_that_have_nothing_to_show_yet_say_so(alone: Here, page: Page) -> None:
    page.goto(f"{alone.url}text")
    expect(page.locator("#last")).to_have_text("Nothing has happened yet.")
    page.goto(f"{alone.url}matches")
    expect(page.locator("#none")).to_contain_text("No match has been played yet.")
    page.fill("#player", "xenia")
    expect(page.locator("#none")).to_have_text("No match fits.")


def test_what_went_wrong_with_an_earlier_filter_is_not_said_of_the_list_of_a_later_one(table: Served, page: Page) -> None:
    post(table, "start_match", seq=state(table)["seq"], names=["Xenia", "Boris"])
    held: list[Route] = []
    page.route("**/api/v1/matches?", lambda route: held.append(route))
    page.goto(f"{table.url}matches")
    expect(page.locator("#none")).to_have_text("Loading…")
    page.fill("#player", "xenia")
    expect(page.locator("#none")).to_have_text("1 match")
    with page.expect_event("requestfailed"):
        held[0].abort()
    page.wait_for_timeout(200)
    expect(page.locator("#none")).to_have_text("1 match")


def test_the_page_of_a_long_match_waits_for_a_slow_computer(table: Served, page: Page) -> None:
    """The thousands of steps of a long session take a small computer more than the ten seconds after which it counts as out of reach."""
    post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"])
    page.clock.install()
    held: list[Route] = []
    page.route(f"**/api/v1/matches/{state(table)['match']}", lambda route: held.append(route))
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("#said")).to_have_text("Loading…")
    page.clock.fast_forward(30_000)
    held[0].continue_()
    expect(page.locator("#title")).to_contain_text("Anna – Boris")


def test_a_kept_match_of_many_steps_opens_with_the_last_one_in_sight_in_the_list(tmp_path: Path, page: Page) -> None:
    with Store(tmp_path / "m.db") as store, answering(make_house(store)) as house:
        play_match(2, length=3, table=house.desk.service)
        page.goto(f"{house.address}matches/1")
        expect(page.locator("#said")).to_contain_text("wins the match")
        assert page.locator("#steps button").count() > 100, "more than the list has room for"
        for step, then in (("last", "#first"), ("first", "#final"), ("last", "#final")):
            expect(getattr(page.locator("#steps button"), step)).to_be_in_viewport(ratio=0.9)
            page.click(then)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [180, 240, 288])
def test_kept_matches_and_their_dice_are_read_on_a_phone_with_large_letters(table: Served, page: Page, width: int, language: str) -> None:
    two_matches(lambda name, seq, **body: post(table, name, seq=state(table)["seq"], **body))
    page.set_viewport_size({"width": width, "height": 640})
    for name, cells in (("matches", "#list td"), (f"matches/{state(table)['match'] - 1}", "#dice :is(th, td)")):
        page.goto(f"{table.url}t/1/{name}?lang={language}")
        expect(page.locator(cells).nth(9)).to_be_visible()
        over = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        assert page.locator(cells).evaluate_all(over) == [], "no figure lies over the one beside it"
