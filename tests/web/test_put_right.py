"""What people put right, leave for another match, or type while somebody else does something: nothing is lost and nothing turns round."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.match.names import isolated
from referee.records.export import record_of
from referee.records.store import Store
from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, post, roll, says, start, state
from web.access import Pins
from web.app import create_app
from web.cli._service import make_house
from web.house import House


class Client:
    """One who talks to the service without a page."""

    def __init__(self, path: Path) -> None:
        self.house: House = make_house(Store(path))
        self.web = create_app(self.house).test_client()

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.web.get("/api/v1/state").get_json()
        return found

    def say(self, name: str, **body: Any) -> tuple[int, dict[str, Any]]:
        answer = self.web.post(f"/api/v1/{name}", json={"seq": self.state()["seq"], **body})
        return answer.status_code, answer.get_json()

    def begin(self, **values: Any) -> None:
        assert self.say("start_match", names=["Anna", "Boris"], **({"length": 5} | values))[0] == 200
        assert self.say("start_game")[0] == 200


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    one = Client(tmp_path / "m.db")
    yield one
    one.house.desk.store.close()


def other(server: Served, name: str, **body: Any) -> None:
    """Somebody else says it."""
    status, said = post(server, name, seq=state(server)["seq"], **body)
    assert status == 200, said


def test_a_die_pressed_by_mistake_is_let_go_of(table: Served, page: Page) -> None:
    """On a phone, too, which has no Esc: pressed once more it would be a double. So is a correction of dice that were right."""
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#forget")).to_have_count(0)
    page.click("#die-far-4")
    page.click("#forget")
    expect(page.locator("#die-far-4")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#forget")).to_have_count(0)
    roll(page, "far", 6, 2)
    expect(page.locator("#expected")).to_have_text("Boris to play 6-2")
    for leave in (lambda: page.click("#forget"), lambda: page.keyboard.press("Escape")):
        page.click("#other-dice")
        page.click("#die-far-5")
        leave()
        expect(page.locator("#die-far-5")).to_have_count(0)
        expect(page.locator("#other-dice")).to_be_visible()
    assert state(table)["dice"]["values"] == [6, 2]


def test_who_types_a_play_anew_reads_its_points_from_the_board(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    first = page.locator("#board .numbers text").first  # near's ace point
    play(page, "8/5 6/5")
    expect(first).to_have_text("24")  # Boris throws
    page.click("#other-play")
    expect(first).to_have_text("1")
    page.click("#forget")
    expect(first).to_have_text("24")


def test_the_last_play_that_is_let_stand_stays_on_the_board(client: Client) -> None:
    client.begin()
    client.say("roll", dice=[3, 1])
    client.say("play", play="8/5 6/5")
    before = client.state()
    assert client.say("rule", stands=True)[0] == 200
    now = client.state()
    assert (now["position"], now["on_roll"]) == (before["position"], "far")
    assert now["log"][-1]["type"] == "ruled"


def test_no_ruling_is_offered_on_a_play_that_is_not_on_the_board_any_more(client: Client) -> None:
    client.begin()
    client.say("roll", dice=[3, 1])
    client.say("play", play="8/5 6/5")
    assert "rule" in client.state()["can"]
    points = list(client.state()["position"]["points"])
    points[23], points[22] = points[23] - 1, points[22] + 1
    assert client.say("position", position={"points": points, "bar": [0, 0], "off": [0, 0]})[0] == 200
    assert "rule" not in client.state()["can"]


def test_a_ruling_on_the_last_play_is_offered_while_a_double_waits(client: Client) -> None:
    client.begin()
    client.say("roll", dice=[3, 1])
    client.say("play", play="8/5 6/5")
    client.say("double")
    assert "rule" in client.state()["can"]
    assert client.say("rule", stands=False, play="24/23 13/10")[0] == 200
    now = client.state()
    assert (now["last_turn"]["play"], now["phase"], now["cube"]["offered_by"]) == ("24/23 13/10", "doubled", "far")


def test_the_checkers_to_put_back_are_told_though_a_pause_or_a_standing_clock_lasts_through_the_undo(client: Client) -> None:
    client.begin(rules="usbgf")
    client.say("roll", dice=[3, 1])
    client.say("play", play="8/5 6/5")
    client.say("clock_stop")
    client.say("pause")
    assert client.say("undo", to_seq=3)[1]["events"] == ["undone", "clock_stopped", "paused"]
    told = client.state()["put_back"]
    assert len(told) == 2
    client.say("resume")
    client.say("clock_start")
    assert client.state()["put_back"] == told, "nobody has said yet that they are back"
    client.say("play", play="24/23 13/10")
    assert client.state()["put_back"] == []


def test_an_illegal_play_that_is_undone_while_it_is_held_is_to_be_put_back(client: Client) -> None:
    client.begin()
    client.say("roll", dice=[6, 1])
    client.say("play", play="13/10 6/5", hold=True)
    held = client.state()["held"]["put_back"]
    assert client.say("undo", to_seq=2)[0] == 200
    assert client.state()["phase"] == "opening"
    assert sorted(client.state()["put_back"]) == sorted(held)


def test_opening_dice_are_put_right_for_the_one_who_is_said_to_have_thrown(client: Client) -> None:
    client.begin()
    client.say("roll", dice=[1, 3])
    client.say("roll", dice=[4, 1], seat="far")
    assert client.state()["on_roll"] == "far"
    client.say("roll", dice=[4, 1])
    assert client.state()["on_roll"] == "near", "near's die and far's"


def test_opening_dice_are_put_right_on_the_page_one_for_each_player(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 1, 3)
    page.click("#other-dice")
    opening(page, 2, 5)
    assert (state(table)["on_roll"], state(table)["dice"]["values"]) == ("far", [2, 5])


def test_a_die_chosen_before_a_tie_is_forgotten(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#die-near-4")
    other(table, "roll", dice=[4, 4])
    expect(page.locator("#die-near-4")).to_have_attribute("aria-pressed", "false")
    page.click("#die-far-6")
    expect(page.locator("#die-far-6")).to_have_attribute("aria-pressed", "true")
    assert state(table)["phase"] == "opening"


def test_a_half_typed_play_stays_whatever_others_do(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.type("#notation", "8/5 6")
    other(table, "names", names=["Anne", "Boris"])
    expect(page.locator("#near .name")).to_contain_text("Anne")
    assert page.input_value("#notation") == "8/5 6"
    page.keyboard.type("/5")
    page.keyboard.press("Enter")
    expect(page.locator("#expected")).to_contain_text("Boris")
    roll(page, "far", 6, 2)
    expect(page.locator("#notation")).to_have_value("")
    play(page, "24/18 13/11")


def test_the_dialog_of_a_new_match_keeps_what_is_typed(table: Served, page: Page) -> None:
    """A slow line: it is asked for twice."""
    start(page, table)
    slow: list[Any] = []
    page.route("**/api/v1/rules", lambda route: slow.append(route))
    page.click("#another-match")
    page.click("#another-match")
    page.wait_for_timeout(300)
    slow[0].continue_()
    page.fill("#f-near", "Cleopatra")
    for late in slow[1:]:
        late.continue_()
    page.wait_for_timeout(800)
    assert page.input_value("#f-near") == "Cleopatra"


def test_a_score_stands_beside_its_names_whichever_way_they_are_read(table: Served, page: Page) -> None:
    start(page, table, far="אבי")
    other(table, "score", score=[2, 1])
    other(table, "names", names=["Anna", "אבי"], event="גביע")
    match = state(table)["match"]

    def lefts(within: str, *told: str) -> list[float]:
        """Where each of these stands on the page, px."""
        expect(page.locator(within)).to_contain_text(re.compile(".*".join(told)))
        found: list[float] = page.evaluate("""([within, told]) => {
          const texts = [], walk = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) texts.push(walk.currentNode);
          return told.map((one) => {
            const range = document.createRange(), text = texts.findLast((text) => text.data.includes(one));
            range.setStart(text, text.data.lastIndexOf(one));
            range.setEnd(text, text.data.lastIndexOf(one) + one.length);
            return range.getBoundingClientRect().left;
          });
        }""", [within, told])
        return found

    for path, *found in ((f"matches/{match}", "#title", "2", "1"), (f"matches/{match}", "#about", "גביע", "3 points"),
                         ("scoreboard", "#about", "גביע", "3 points"), ("overlay", "#about", "גביע", "3 points")):  # fmt: skip
        page.goto(f"{table.url}t/1/{path}")
        assert lefts(*found) == sorted(lefts(*found)), (path, found)
    assert isolated("אבי") in state(table)["log"][0]["text"] or isolated("אבי") in state(table)["expected"]["text"]


def test_a_match_that_was_left_keeps_its_secrets(client: Client) -> None:
    client.begin(rules="wbgf-responsible")
    client.say("roll", dice=[3, 1])
    client.say("play", play="24/18")  # illegal, which this rule set does not tell
    assert "illegal" not in client.web.get("/api/v1/matches/1").get_data(as_text=True)
    client.say("start_match", names=["Carl", "Dora"], length=1)
    assert "illegal" not in client.web.get("/api/v1/matches/1").get_data(as_text=True)
    assert client.web.post("/api/v1/matches/1/continue", json={"on": 2}).status_code == 200


def test_a_match_that_was_left_is_not_analysed_for_its_players(tmp_path: Path) -> None:
    client = Client(tmp_path / "m.db")
    client.house.access.set_pins(Pins("1111", "2222"))
    client.web = create_app(client.house).test_client()
    assert client.web.post("/api/v1/enter", json={"pin": "1111"}).status_code == 200
    for length, analysed in ((5, 409), (0, 409)):
        client.begin(aids=False, length=length)
        client.say("roll", dice=[3, 1])
        match = client.state()["match"]
        assert client.web.get(f"/api/v1/matches/{match}/analysis").status_code == analysed
        client.say("start_match", names=["Carl", "Dora"], length=1)
        assert client.web.get(f"/api/v1/matches/{match}/analysis").status_code == (409 if length else 200)


def test_the_days_of_matches_are_the_club_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.records.store._utc", lambda: "2026-11-21T01:30:00.000+00:00")
    was = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        client = Client(tmp_path / "m.db")
        client.begin()
        found = client.web.get("/api/v1/matches?since=2026-11-20&until=2026-11-20").get_json()["matches"]
        assert len(found) == 1
        assert "2026-11-20" in client.web.get("/api/v1/results.csv").get_data(as_text=True)
    finally:
        if was is None:
            monkeypatch.delenv("TZ")
        else:
            monkeypatch.setenv("TZ", was)
        time.tzset()


def test_the_day_of_a_match_is_the_club_s_wherever_it_is_read(table: Served, browser: Any) -> None:
    other(table, "start_match", names=["Anna", "Boris"], length=3)
    kept = f"matches/{state(table)['match']}"
    told = []
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):  # whose days are never the same
        context = browser.new_context(timezone_id=zone)
        page = context.new_page()
        page.goto(f"{table.url}matches")
        day = page.locator("#rows td").first
        expect(day).to_contain_text("20")
        shown = day.inner_text()
        page.goto(f"{table.url}{kept}")
        expect(page.locator("body")).to_have_attribute("data-ready", "")
        page.pdf()
        head = page.locator("#sheet .head")
        expect(head).to_contain_text("3 points")
        told.append((shown, head.inner_text()))
        context.close()
    assert told[0] == told[1]


def test_an_analysis_leads_to_the_roll_it_names_though_dice_were_put_right(client: Client) -> None:
    client.begin()
    for name, body in (
        ("roll", {"dice": [3, 1]}), ("roll", {"dice": [4, 1]}), ("play", {"play": "24/23 13/9"}), ("roll", {"dice": [6, 2], "seat": "far"}),
        ("play", {"play": "24/18 13/11"}),
    ):
        assert client.say(name, **body)[0] == 200
    steps = client.web.get("/api/v1/matches/1").get_json()["steps"]
    shown = [step["dice"]["values"] for step in steps if step["type"] in ("rolled", "opening_rolled") and not step["replaced"]]
    rolls = [list(action.dice) for action in record_of(client.house.desk.log).games[0].actions if action.do.value == "roll"]
    assert shown == rolls


def test_what_several_undos_in_a_row_took_back_is_all_to_be_put_back(client: Client) -> None:
    """Two presses are as one that goes back as far: of the first nobody has said that its checkers are back."""
    client.begin()
    start = client.state()["seq"]
    client.say("roll", dice=[3, 1])
    client.say("play", play="8/5 6/5")
    between = client.state()["seq"]
    client.say("roll", dice=[6, 4])
    client.say("play", play="24/14")
    client.say("undo", to_seq=between)
    once = client.state()["put_back"]
    client.say("undo", to_seq=start)
    twice = client.state()["put_back"]
    assert len(once) == 1
    assert len(twice) == 3
    assert set(once) < set(twice)


def test_a_match_started_to_the_wrong_length_is_put_right_on_the_page(table: Served, page: Page) -> None:
    start(page, table, length="5")
    for length, score in (("7", "6"), ("3", "1")):  # up before the score and down after it: each would not fit the other way
        page.click("#correct")
        page.fill("#f-length", length)
        page.fill("#f-near", score)
        page.click("#dialog-yes")
        expect(page.locator("#dialog")).to_be_hidden()
        expect(page.locator("#about")).to_contain_text(f"{length} points")
        expect(page.locator("#near .points")).to_have_text(score)
    expect(page.locator("#rulings")).to_contain_text("The match length was set to 3 points")


@pytest.mark.parametrize("length", [3, 1, 0])
def test_whether_it_is_the_crawford_game_is_asked_of_the_score_and_the_length_that_are_entered(
    table: Served, page: Page, length: int
) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=length)
    say("start_game")
    page.goto(table.url)
    page.click("#correct")
    page.fill("#f-far", "6")
    page.fill("#f-length", "7")
    page.fill("#f-near", "6")
    expect(page.locator("#f-crawford")).to_be_hidden()
    page.fill("#f-near", "4")
    page.select_option("#f-crawford", "no")
    page.click("#dialog-yes")
    expect(page.locator("#about")).to_contain_text("7 points")
    expect(page.locator("#far .points")).to_have_text("6")
    now = state(table)
    assert (now["score"], now["crawford"]) == ([4, 6], False)


@pytest.mark.parametrize("score", ["4", "3"], ids=["set before", "set with it"])
def test_a_length_that_was_too_long_is_put_right_in_a_game_after_the_crawford_game(table: Served, page: Page, score: str) -> None:
    """Whose cube was turned: it would be annulled."""
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=7)
    say("score", score=[int(score), 2])
    for name, body in (("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("double", {}), ("take", {})):
        say(name, **body)
    page.goto(table.url)
    page.click("#correct")
    page.fill("#f-near", "4")
    expect(page.locator("#f-crawford")).to_be_hidden()
    page.fill("#f-length", "5")
    page.select_option("#f-crawford", "no")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#about")).to_contain_text("5 points")
    expect(page.locator("#about")).to_contain_text("post-Crawford · cube at 2 with Anna")
    assert [state(table)[name] for name in ("score", "crawford")] == [[4, 2], False]


@pytest.mark.parametrize(("rules", "double"), [("bray", True), ("traditional", False)])
def test_whoever_does_not_ask_for_an_illegal_play_to_be_put_right_goes_on_and_it_stands(
    table: Served, page: Page, rules: str, double: bool
) -> None:
    """At a table without a camera, and without a director."""
    post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=5, rules=rules)
    post(table, "start_game", seq=1)
    page.goto(table.url)
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")
    opening(page, 3, 1)
    play(page, "8/5 6/4")
    page.click("#hold")
    expect(page.locator("body")).to_have_attribute("data-phase", "held")
    expect(page.locator("#do-double")).to_have_count(int(double))
    if double:
        page.click("#do-double")
        page.click("#do-take")
    roll(page, "far", 6, 2)
    expect(page.locator("#expected")).to_contain_text(re.compile("Boris.*6-2"))
    expect(page.locator("#rulings")).to_contain_text("illegal play 8/5 6/4 stands")


def test_a_score_that_was_mistyped_makes_no_second_crawford_game(table: Served, page: Page) -> None:
    """The Crawford game was played; a score set by mistake, and set right, would annul the cube of the game after it."""
    start(page, table, length="5", rules="bray")
    post(table, "score", seq=state(table)["seq"], score=[4, 0])
    post(table, "award", seq=state(table)["seq"], seat="far")
    post(table, "start_game", seq=state(table)["seq"])
    opening(page, 6, 5)
    play(page, "24/13")
    page.click("#do-double")
    page.click("#do-take")
    for score, crawford in ((2, None), (4, "no")):
        page.click("#correct")
        page.fill("#f-near", str(score))
        if crawford is None:
            expect(page.locator("#f-crawford")).to_be_hidden()
        else:
            page.select_option("#f-crawford", crawford)
        page.click("#dialog-yes")
        expect(page.locator("#near .points")).to_have_text(str(score))
    now = state(table)
    assert (now["score"], now["crawford"], now["cube"]["value"]) == ([4, 1], False, 2)
    page.click("#correct")
    page.select_option("#f-crawford", "yes")
    page.click("#dialog-yes")
    expect(page.locator("#about")).to_contain_text("Crawford game")


def test_points_are_marked_as_played_only_while_the_checkers_lie_as_they_were_played(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    played = page.locator("#board path.to")
    expect(played).to_have_count(3)
    page.click("#set-position")
    page.click("#brush-none")
    point(page, 24)
    page.click("#position-done")
    expect(page.locator("#brush-none")).to_have_count(0)
    expect(page.locator("#under")).to_contain_text("8/5 6/5")
    expect(played).to_have_count(0)
