"""A match that was left for another one goes on where it stood."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from referee.match.commands import StartMatch
from referee.match.events import Doubt
from referee.observations import Reading
from referee.records.store import Store
from referee.rules.reason import because
from tests.web.conftest import Here
from tests.web.pressing import post, state
from web.access import Rank
from web.app import create_app
from web.cli._service import make_house
from web.house import NO_EYES
from web.snapshot import state_snapshot


def playing(say: Callable[..., Any]) -> None:
    """A match in its first game, Boris to roll; then another one, started by mistake."""
    say("start_match", names=["Anna", "Boris"], length=5)
    say("start_game")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    say("start_match", names=["Carl", "Dora"], length=3)


def sayer(house: Any) -> Callable[..., Any]:
    client = create_app(house).test_client()

    def say(name: str, **body: Any) -> Any:
        seq = {} if "continue" in name else {"seq": client.get("/api/v1/state").get_json()["seq"]}
        answer = client.post(f"/api/v1/{name}", json=seq | body)
        assert answer.status_code == 200, answer.get_json()
        return answer.get_json()

    return say


def test_where_the_dice_lie_that_a_question_is_about_is_not_told_of_another_matchs_picture(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        for match, names in enumerate((("Anna", "Boris"), ("Carl", "Dora")), start=1):
            desk.command(StartMatch(seen_seq=desk.state.seq, names=names, length=3))
            desk.observe(Reading((), None, None), None, ((0.1 * match, 0.5),))
            desk.service.note(Doubt("throw", because("throw_unsure")))
        assert state_snapshot(desk, dict(NO_EYES), Rank.TABLE, pictures=True)["doubt"]["dice"] == ((0.2, 0.5),)
        desk.reopen(1, instead_of=2)
        assert state_snapshot(desk, dict(NO_EYES), Rank.TABLE, pictures=True)["doubt"]["dice"] == ()


def test_a_match_that_was_left_is_continued_and_still_on_the_table_after_a_restart(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        say = sayer(house)
        playing(say)
        told: list[int] = []
        house.desk.watch(lambda: told.append(house.desk.match))
        left = next(one.state for one in store.matches() if one.id == 1)
        say("matches/1/continue", on=2)
        assert (house.desk.match, told[-1]) == (1, 1)
        now = house.desk.state
        assert (now.names, now.on_roll, now.position) == (("Anna", "Boris"), left.on_roll, left.position)
        assert now.reconcile, "other checkers stood on the board meanwhile"
        for on in (1, 2):  # as a page shows it that has been told, or one on which it was pressed at the same moment
            assert say("matches/1/continue", on=on)["events"] == [], "asked twice, done once"
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        assert (house.desk.match, house.desk.state) == (1, now)
        say = sayer(house)
        say("roll", dice=[6, 2], seat="far")
        say("undo")
        say("undo")
        assert house.desk.state.dice == (3, 1), "an undo takes back plays, not that the match was left"
        say("matches/2/continue", on=1)
        say("start_match", names=["Emma", "Finn"], length=1)
        assert house.desk.match == 3
    with Store(tmp_path / "m.db") as store:
        assert store.latest().match == 3


def test_clocks_stand_in_a_match_that_is_continued(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        say = sayer(house)
        say("start_match", names=["Anna", "Boris"], length=5, rules="usbgf")
        say("start_game")
        say("roll", dice=[3, 1])
        assert house.desk.state.clock is not None
        assert house.desk.state.clock.since is not None
        say("start_match", names=["Carl", "Dora"], length=3)
        say("matches/1/continue", on=2)
        assert house.desk.state.clock_held
        assert house.desk.state.clock.since is None
        say("clock_start")
        assert house.desk.state.clock.since is not None


def test_what_cannot_be_continued_is_said_and_changes_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store)
        say = sayer(house)
        say("start_match", names=["Anna", "Boris"], length=1)
        say("start_game")
        say("roll", dice=[3, 1])
        say("resign", seat="far")
        say("accept")
        say("start_match", names=["Carl", "Dora"], length=3)
        say("start_match", names=["Emma", "Finn"], length=3)
        client = create_app(house).test_client()
        lines = {one["id"]: one["open"] for one in client.get("/api/v1/matches").get_json()["matches"]}
        assert lines == {1: False, 2: True, 3: True}
        with sqlite3.connect(tmp_path / "m.db") as raw:
            count = raw.execute("SELECT count(*) FROM events").fetchone()
        for match, on, status, error in ((1, 3, 409, "match_over"), (9, 3, 404, "no_match"), (2, 1, 409, "stale"), (2, 0, 422, "invalid")):
            answer = client.post(f"/api/v1/matches/{match}/continue", json={"on": on})
            assert (answer.status_code, answer.get_json()["error"]) == (status, error), answer.get_json()
        with sqlite3.connect(tmp_path / "m.db") as raw:
            assert raw.execute("SELECT count(*) FROM events").fetchone() == count
        assert house.desk.match == 3


def test_it_is_continued_from_its_page(alone: Here, page: Page) -> None:
    def say(name: str, **body: Any) -> None:
        status, answer = post(alone, name, seq=state(alone)["seq"], **body)
        assert status == 200, answer

    playing(say)
    page.goto(f"{alone.url}matches")
    expect(page.locator("#rows tr").nth(1)).to_contain_text("not finished")
    page.click("#rows a >> text=Anna")
    page.click("#continue")
    page.click("#dialog-yes")
    expect(page.locator("body")).to_have_attribute("data-match", "1")
    expect(page.locator("#expected")).to_contain_text("Boris")
    page.click("#undo")
    expect(page.locator("#f-to option").first).to_have_text("Anna played 8/5 6/5")
    page.goto(f"{alone.url}matches/1")
    expect(page.locator("#title")).to_contain_text("Anna")
    expect(page.locator("#continue")).to_be_hidden()


def test_whoever_was_told_that_another_match_began_meanwhile_continues_his_with_the_next_press(alone: Here, page: Page) -> None:
    def say(name: str, **body: Any) -> None:
        assert post(alone, name, seq=state(alone)["seq"], **body)[0] == 200

    playing(say)
    page.goto(f"{alone.url}matches/1")
    page.click("#continue")
    say("start_match", names=["Emil", "Fritz"], length=3)
    with page.expect_response("**/api/v1/matches/1"):
        page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    expect(page.locator("#dialog-yes")).not_to_have_attribute("aria-busy", "true")
    page.click("#dialog-yes")
    expect(page.locator("#near .name")).to_have_text("Anna")


def test_a_money_session_has_no_end_to_miss(alone: Here, page: Page) -> None:
    for length in (0, 5):
        status, answer = post(alone, "start_match", seq=state(alone)["seq"], names=["Anna", "Boris"], length=length)
        assert status == 200, answer
    page.goto(f"{alone.url}matches")
    expect(page.locator("#rows tr").nth(0)).to_contain_text("on the table")
    expect(page.locator("#rows tr").nth(1)).to_contain_text("can go on")
