"""Two phones beside one board: what is said on one counts for what that one showed, also when the other was quicker."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, post, roll, shows, start, state


def other(server: Served, name: str, **body: Any) -> None:
    """Somebody does it on another phone, which shows what holds now."""
    status, said = post(server, name, seq=state(server)["seq"], **body)
    assert status == 200, said


def test_an_undo_takes_back_nothing_that_its_list_did_not_show(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    roll(page, "far", 6, 2)
    expect(page.locator("#expected")).to_contain_text("6-2")
    page.click("#undo")
    other(table, "play", play="24/18 13/11")
    other(table, "roll", dice=[5, 5])
    expect(page.locator("#expected")).to_contain_text("5-5")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    assert [state(table)[key] for key in ("on_roll", "phase")] == ["near", "rolled"], "the play and the roll stand"
    expect(page.locator("#f-to option").first).to_have_text("Anna rolled 5-5")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    assert [state(table)[key] for key in ("on_roll", "phase")] == ["near", "to_roll"], "once the list shows it, the roll is taken back"


def test_what_a_refused_dialog_was_told_stays_beside_what_came_meanwhile(table: Served, page: Page) -> None:
    start(page, table, length="7")
    page.click("#correct")
    page.fill("#f-near", "3")
    page.fill("#f-event", "Club night")
    other(table, "score", score=[1, 2])
    expect(page.locator("#far .points")).to_have_text("2")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    assert [page.input_value(f"#f-{name}") for name in ("near", "far", "event")] == ["3", "2", "Club night"]
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    assert [state(table)[key] for key in ("score", "event")] == [[3, 2], "Club night"]


def test_what_both_enter_at_once_is_entered_and_neither_is_told_of_a_fault(table: Served, page: Page) -> None:
    """Both players look at the same page, and both say what has just happened."""
    start(page, table)

    def meanwhile(name: str, **body: Any) -> None:
        """The next that the page sends comes to the referee just after somebody else's."""
        page.route(f"**/api/v1/{name}", lambda route: (other(table, name, **body), route.continue_())[1], times=1)

    meanwhile("roll", dice=[3, 1])
    opening(page, 3, 1)
    meanwhile("play", play="8/5 6/5")
    play(page, "6/5 8/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    meanwhile("roll", dice=[6, 2], seat="far")
    roll(page, "far", 2, 6)
    expect(page.locator("#expected")).to_contain_text("6-2")
    meanwhile("undo")
    page.click("#undo")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#do-double")).to_be_visible()
    meanwhile("double")
    page.click("#do-double")
    expect(page.locator("#do-take")).to_be_visible()
    expect(page.locator("#toast")).to_be_hidden()
    for name in ("pause", "resume"):
        meanwhile(name)
        with page.expect_response(f"**/api/v1/{name}") as answered:
            page.click(f"#do-{name}")
        assert answered.value.json()["same"] is True
        expect(page.locator("body")).to_have_attribute("data-phase", "paused" if name == "pause" else "doubled")
    expect(page.locator("#toast")).to_be_hidden()
    types = [line["type"] for line in state(table)["log"]]
    assert types[:5] == ["match_started", "game_started", "opening_rolled", "played", "doubled"]


@pytest.mark.parametrize("place", ["table", "setup"])
def test_a_match_that_both_start_at_once_is_started_and_neither_is_told_of_a_fault(table: Served, page: Page, place: str) -> None:
    start(page, table)
    page.goto(f"{table.url}{place}")
    if place == "table":
        page.click("#another-match")
    page.fill("#f-near", "Cleo")
    seq, match = (state(table)[key] for key in ("seq", "match"))

    def also(route: Route) -> None:
        """The other phone's comes to the referee first, with the same in it."""
        assert post(table, "start_match", **json.loads(route.request.post_data or ""))[0] == 200
        route.continue_()

    page.route("**/api/v1/start_match", also, times=1)
    page.click("#dialog-yes, #start")
    expect(page.locator("#near")).to_contain_text("Cleo")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#toast")).to_be_hidden()
    page.click("#do-start_game")
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")
    assert (state(table)["match"] - match, seq) == (1, 2)


def test_a_position_set_on_a_board_that_has_changed_is_not_taken(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    other(table, "play", play="8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    page.click("#position-done")
    expect(page.locator("#toast")).to_contain_text("moved on")
    assert state(table)["position"]["points"][4] == 2, "the play that was made stays on the board"


def test_a_position_that_is_being_set_is_left_with_its_game(table: Served, page: Page) -> None:
    """Otherwise its controls would stand before those of what is on the table by then, and could set nothing."""
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    other(table, "resign", seat="far")
    expect(page.locator("#position-done")).to_be_visible()
    other(table, "accept")
    expect(page.locator("#position-done")).to_have_count(0)
    page.click("#do-start_game")
    opening(page, 3, 1)
    page.click("#set-position")
    other(table, "start_match", names=["Cleo", "Dan"], length=3)
    other(table, "start_game")
    expect(page.locator("#near .name")).to_contain_text("Cleo")
    expect(page.locator("#position-done")).to_have_count(0)
    expect(page.locator("#die-near-1")).to_be_visible()


def test_a_match_started_on_the_other_phone_stays_on_the_table(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#another-match")
    expect(page.locator("#dialog-yes")).to_be_visible()
    other(table, "start_match", names=["Cleo", "Dan"], length=7)
    expect(page.locator("#near")).to_contain_text("Cleo")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    assert state(table)["names"] == ["Cleo", "Dan"]
    page.click("#dialog-yes")
    expect(page.locator("#near")).to_contain_text("Anna")  # told of it, he starts the next one all the same
    assert state(table)["names"] == ["Anna", "Boris"]


def test_a_match_that_is_refused_for_its_names_replaces_none_that_was_started_meanwhile(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#another-match")
    other(table, "start_match", names=["Cleo", "Dan"], length=7)
    expect(page.locator("#near")).to_contain_text("Cleo")
    page.fill("#f-far", " ")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_have_text("Give both players a name.")
    page.fill("#f-far", "Boris")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("moved on")
    assert state(table)["names"] == ["Cleo", "Dan"]


def test_a_throw_pressed_before_the_page_shows_the_double_is_no_take(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#do-double")).to_be_visible()
    slow: list[Callable[[], None]] = []
    page.route("**/api/v1/double", lambda route: slow.append(route.continue_))
    with page.expect_request("**/api/v1/double"):
        page.click("#do-double")
    roll(page, "far", 6, 2)  # nothing seemed to happen
    slow[0]()
    expect(page.locator("#toast")).to_contain_text("moved on")
    now = state(table)
    assert (now["phase"], now["cube"]["value"]) == ("doubled", 1), "Anna has not been asked yet"


def test_that_nobody_answers_is_said_no_longer_than_it_is_so(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    start(page, server)
    opening(page, 3, 1)
    page.evaluate("() => { const later = setTimeout; window.setTimeout = (what, ms) => later(what, ms === 9000 ? 6e5 : ms); }")
    server.kill()
    play(page, "8/5 6/5")
    expect(page.locator("#toast")).to_contain_text("cannot be reached")
    serve("serve", "--port", str(server.port), "--db", database)
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    expect(page.locator("#toast")).to_be_hidden()


def test_a_press_that_gets_no_answer_is_said_and_the_next_one_counts_again(table: Served, page: Page) -> None:
    page.clock.install()
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    held: list[Callable[[], None]] = []
    page.route("**/api/v1/double", lambda route: held.append(route.abort))  # as a line that is dead: nothing comes, and nothing is refused
    with page.expect_request("**/api/v1/double"):
        page.click("#do-double")
    page.clock.fast_forward(9_000)
    expect(page.locator("#toast")).not_to_contain_text("cannot be reached")
    page.clock.fast_forward(1_100)
    expect(page.locator("#toast")).to_contain_text("cannot be reached")
    for let_go in held:
        let_go()
    page.unroute("**/api/v1/double")
    page.click("#do-double")
    expect(page.locator("#do-take")).to_be_visible()


def test_why_a_point_cannot_be_chosen_is_said_no_longer_than_its_turn(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 6, 5)
    point(page, 24)
    point(page, 24)
    expect(page.locator("#toast")).to_have_text("No die that is left brings a checker from there to an open point.")
    other(table, "play", play="24/18 13/8")
    shows(page, table)
    assert page.locator("#toast").is_hidden()
