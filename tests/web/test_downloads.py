"""What people take home: the records of an evening in one archive, and what a format leaves out, said where it is chosen."""

from __future__ import annotations

import io
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect

from referee.records.export import record_of
from referee.records.formats import WRITERS, read_bytes
from referee.records.record import Record
from referee.records.store import Store
from referee.records.whole import Whole
from tests.web.conftest import Served
from tests.web.pressing import says, start, state
from web.app import create_app
from web.cli._service import make_house

NASTY = [
    ["CON", "a/b\\c:*?\"<>|."], ["../../x", "..."], ["Jörg", "李小龍"], ["Anna", "Boris"], ["anna", "boris"], ["?", "!"],
    ["A" * 31, "漢" * 31],
]
"""Names that no system, Windows among them, takes for a file's, and such as it takes for the same."""
NACKGAMMON = {"points": [-2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2], "bar": [0, 0], "off": [0, 0]}


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    """A table at which those have played a game each, and the store of its matches."""
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store, table="7")).test_client()
        for names in NASTY:
            say(client, "start_match", names=names, length=3)
            say(client, "start_game")
            say(client, "roll", dice=[3, 1])
            say(client, "play", play="8/5 6/5")
        yield client, store


def say(client: FlaskClient, name: str, **body: Any) -> None:
    seq = client.get("/api/v1/state").get_json()["seq"]
    answer = client.post(f"/api/v1/{name}", json={"seq": seq, **body})
    assert answer.status_code == 200, answer.get_json()


def unpacked(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as bag:
        assert bag.testzip() is None
        return {name: bag.read(name).decode() for name in bag.namelist()}


@pytest.mark.parametrize("ending", list(WRITERS))
def test_every_record_of_an_evening_comes_in_one_archive(evening: tuple[FlaskClient, Store], ending: str) -> None:
    client, _store = evening
    answer = client.get(f"/api/v1/records.zip?ending={ending}")
    assert answer.mimetype == "application/zip"
    assert "records-7.zip" in answer.headers["Content-Disposition"]
    files = unpacked(answer.data)
    left_out = files.pop("left-out.txt", "")
    singly = [client.get(f"/api/v1/matches/{n}/record{ending}").get_data(as_text=True) for n in range(1, 1 + len(NASTY))]
    assert list(files.values()) == singly
    for name, text in files.items():
        assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{4}-[^<>:\"/\\|?*\x00-\x1f. ]+\.\w+", name), "Windows takes it"
        assert len(name.encode("utf-16-le")) / 2 < 128
        assert not read_bytes(text.encode()).problems
    assert len({name.lower() for name in files}) == len(NASTY)
    assert bool(left_out) == (ending != ".json")
    assert (list(files)[-1] in left_out) == (ending != ".json")


def test_the_archive_has_those_matches_that_the_list_shows(evening: tuple[FlaskClient, Store]) -> None:
    client, _store = evening
    names = list(unpacked(client.get("/api/v1/records.zip?player=boris&ending=.json").data))
    assert [name[16:] for name in names] == ["Anna-Boris.json", "anna-boris.json"]
    assert client.get("/api/v1/records.zip?since=2999-01-01").status_code == 404
    for wrong in ("ending=.exe", "ending=", "since=yesterday"):
        assert client.get(f"/api/v1/records.zip?{wrong}").status_code == 422, wrong


def test_of_a_table_at_which_nothing_was_played_there_is_nothing_to_take_home(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store)).test_client()
        for path in ("records.zip", "matches/1/lost", "matches/2/lost"):
            assert client.get(f"/api/v1/{path}").status_code == 404, path


def test_a_damaged_match_is_named_and_keeps_no_other_from_coming(evening: tuple[FlaskClient, Store]) -> None:
    client, store = evening
    with store._engine.begin() as db:
        db.exec_driver_sql("DROP TRIGGER events_stay")
        db.exec_driver_sql("UPDATE events SET payload = '{' WHERE match = 4 AND seq = 3")
    files = unpacked(client.get("/api/v1/records.zip?ending=.json").data)
    assert len(files) == len(NASTY)
    why = client.get("/api/v1/matches/4/record.json").get_json()["message"]
    assert re.fullmatch(rf"{re.escape(why)}\n  [\d-]+-Anna-Boris\.json\n", files["left-out.txt"])


def test_a_match_that_is_deleted_while_the_archive_is_sent_is_named_and_the_rest_comes(evening: tuple[FlaskClient, Store]) -> None:
    client, store = evening
    answer = client.get("/api/v1/records.zip?ending=.json", buffered=False)
    parts = iter(answer.response)
    begun = next(parts)
    store.delete(4)
    files = unpacked(begun + b"".join(parts))
    assert len(files) == len(NASTY), "with what says which is missing"
    assert re.fullmatch(r"There is no match 4 [^\n]*\n  [\d-]+-Anna-Boris\.json\n", files["left-out.txt"])


def test_no_more_than_a_match_is_made_before_it_is_sent(evening: tuple[FlaskClient, Store], monkeypatch: pytest.MonkeyPatch) -> None:
    client, _store = evening
    made: list[object] = []

    def counted(whole: Whole, ending: str) -> str:
        made.append(whole)
        return "x" * 100_000

    monkeypatch.setattr(Whole, "written", counted)
    answer = client.get("/api/v1/records.zip", buffered=False)
    parts = iter(answer.response)
    next(parts)
    assert len(made) == 1
    answer.close()


def test_the_record_of_each_match_of_an_archive_is_made_once(
    evening: tuple[FlaskClient, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _store = evening
    made: list[object] = []

    def counted(log: Any) -> Record:
        made.append(log)
        return record_of(log)

    monkeypatch.setattr("referee.records.whole.record_of", counted)
    unpacked(client.get("/api/v1/records.zip?ending=.mat").data)
    assert len(made) == len(NASTY)


def test_the_page_of_the_matches_has_the_archive_of_those_it_shows(table: Served, page: Page) -> None:
    event = f"Evening {time.time_ns()}"
    says(table)("start_match", names=["Zip", "Zap"], length=3, event=event)
    for size in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{table.url}matches")
        page.fill("#event", event)
        expect(page.locator("#rows tr")).to_have_count(1)
        page.click("#download")
        box = page.locator("#records .list").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        with page.expect_download() as download:
            page.click("#records a[data-ending='.sgf']")
        taken = unpacked(Path(download.value.path()).read_bytes())
        assert [name.partition("-Zip")[2] or name for name in taken] == ["-Zap.sgf", "left-out.txt"]
    page.fill("#player", "nobody of that name")
    expect(page.locator("#none")).to_have_text("No match fits.")
    expect(page.locator("#records")).to_be_hidden()


@pytest.mark.parametrize("width", [1440, 768, 390])
def test_what_a_format_leaves_out_of_a_match_is_said_where_it_is_chosen(table: Served, page: Page, width: int) -> None:
    """Automatic doubles and a game that began from another position: a .mat file says nothing of either."""
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=0, rules="money", choices={"auto_doubles": 1})
    say("start_game")
    say("roll", dice=[3, 3])
    say("position", position=NACKGAMMON)
    say("roll", dice=[3, 1])
    match = state(table)["match"]
    page.set_viewport_size({"width": width, "height": 900})
    for where in ("table", f"matches/{match}"):
        page.goto(f"{table.url}{where}")
        page.click("#download")
        left_out = page.locator("#left-out")
        expect(left_out).to_contain_text("automatic doubles: only .sgf and .json can carry them")
        expect(left_out).to_contain_text("what was set by hand, for most programs: in .mat and .txt only")
        expect(left_out).to_contain_text("the clock, rulings,")
        expect(left_out).to_be_in_viewport(ratio=1)
        box = page.locator("#records .list").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width


def test_what_is_left_out_is_said_though_the_menu_was_opened_before_the_page_was_whole(table: Served, page: Page) -> None:
    """On a slow line the page is seen before its script has come."""
    start(page, table)
    late: list[Route] = []
    page.route("**/js/match.js*", lambda route: late.append(route), times=1)
    page.goto(f"{table.url}matches/{state(table)['match']}", wait_until="commit")
    page.click("#download")
    expect(page.locator("#records")).to_have_attribute("open", "")
    expect(page.locator("#left-out")).to_be_empty()
    late[0].continue_()
    expect(page.locator("#left-out")).to_contain_text("the clock, rulings,")
    expect(page.locator("#record")).to_have_attribute("href", re.compile(r"/record\.mat$"))


def test_what_is_left_out_is_said_of_the_match_that_is_on(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=0, rules="money", choices={"auto_doubles": 1})
    says(table)("start_game")
    says(table)("roll", dice=[3, 3])
    page.goto(table.url)
    page.click("#download")
    expect(page.locator("#left-out")).to_contain_text("automatic doubles")
    page.click("#download")
    start(page, table)
    page.click("#download")
    expect(page.locator("#left-out")).to_contain_text("the clock, rulings,")
    expect(page.locator("#left-out")).not_to_contain_text("automatic doubles")
