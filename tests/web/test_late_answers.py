"""Answers that come late, over a slow line: what somebody has begun meanwhile stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from referee.board.position import START
from referee.match.commands import StartMatch
from referee.match.events import Evidence
from referee.observations import Half
from tests.web.cameras import PICTURES
from tests.web.conftest import Served
from tests.web.late import Late
from tests.web.pressing import opening, play, point, says, shows, start, state
from tests.web.test_questions import moved, seen
from web.house import House


def test_a_dialog_that_was_waited_for_takes_the_place_of_no_other(table: Served, page: Page) -> None:
    start(page, table)
    late = Late(page, "rules")
    page.click("#another-match")
    page.click("#correct")
    page.fill("#f-event", "Autumn cup")
    late.comes()
    expect(page.locator("#dialog-title")).to_have_text("Correct")
    expect(page.locator("#f-event")).to_have_value("Autumn cup")
    late = Late(page, "rules")
    page.click("#to-rules")
    page.get_by_role("button", name="Cancel").click()
    late.comes()
    expect(page.locator("#dialog")).to_be_hidden()
    page.click("#correct")
    page.click("#to-rules")
    expect(page.locator("#dialog-title")).to_have_text("Rules and clock")


def test_a_dialog_that_was_left_while_it_was_sent_closes_no_later_one(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.click("#correct")
    page.fill("#f-event", f"Cup {state(table)['match']}")
    late = Late(page, "names")
    page.click("#dialog-yes")
    late.asked()
    page.get_by_role("button", name="Cancel").click()
    page.click("#resign")
    page.select_option("#f-kind", "gammon")
    late.comes()
    expect(page.locator("#dialog-title")).to_have_text("Resign")
    expect(page.locator("#dialog-title")).to_be_visible()
    expect(page.locator("#f-kind")).to_have_value("gammon")


@pytest.mark.parametrize("played", ["8/5 6/5", "8/5 8/5"])
def test_the_answer_to_a_play_changes_nothing_of_the_next_turn(table: Served, page: Page, played: str) -> None:
    """It is taken, or refused as illegal and then played otherwise on another phone; by then the next roll is being played."""
    start(page, table)
    opening(page, 3, 1)
    late = Late(page, "play")
    play(page, played)
    late.asked()
    if state(table)["phase"] == "rolled":
        says(table)("play", play="8/5 6/5")
    says(table)("roll", dice=[6, 2], seat="far")
    expect(page.locator("#expected")).to_contain_text("6-2")
    point(page, 1)
    point(page, 7)
    late.comes()
    expect(page.locator("#left")).to_contain_text("24/18")
    expect(page.locator("#hold")).to_have_count(0)


def test_a_lost_answer_is_no_referee_out_of_reach_where_the_page_shows_what_was_done(table: Served, page: Page) -> None:
    """Where it was another who went on meanwhile, that is said."""
    start(page, table)
    opening(page, 3, 1)
    late = Late(page, "play")
    play(page, "8/5 6/5")
    late.asked()
    shows(page, table)
    with page.expect_response("**/api/v1/play"):
        late.is_lost()
    page.wait_for_timeout(300)
    expect(page.locator("#toast")).to_be_hidden()
    assert [line["type"] for line in state(table)["log"]].count("played") == 1
    held: list[Route] = []
    page.route("**/api/v1/double", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/v1/double"):
        page.click("#do-double")
    says(table)("roll", dice=[6, 2], seat="far")
    shows(page, table)
    held.pop().abort()
    expect(page.locator("#toast")).to_contain_text("moved on")


def test_what_was_typed_of_a_play_is_nothing_of_a_later_one_that_the_page_hears_of_late(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.focus("#notation")
    page.keyboard.type("8/5 6")
    page.evaluate("dispatchEvent(new Event('pagehide'))")  # the line is gone, as of a phone that is put away
    says(table)("play", play="8/5 6/5")
    says(table)("roll", dice=[6, 2], seat="far")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator("#expected")).to_contain_text("6-2")
    expect(page.locator("#notation")).to_be_focused()
    expect(page.locator("#notation")).to_have_value("")
    page.keyboard.type("24/18 1")
    says(table)("names", names=["Anne", "Boris"])
    expect(page.locator("#near .name")).to_contain_text("Anne")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("13/1")
    expect(page.locator("#notation")).to_have_value("24/18 13/11")


def test_the_picture_of_one_step_is_not_shown_with_another_whose_own_is_on_its_way(house: House, page: Page) -> None:
    desk = house.desk
    pictures = iter(sorted(PICTURES.glob("f00*.jpg")))

    def proof() -> Evidence | None:
        return house.pictures.keep(desk.match, next(pictures).read_bytes())

    desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3, rules="bray"))
    desk.observe(seen(START))
    desk.observe(seen(START, (3, Half.RIGHT), (1, Half.LEFT)), proof)
    desk.observe(seen(moved(START, (8, 5), (6, 5))), proof)
    late: list[Route] = []
    page.goto(f"{house.address}matches/{desk.match}")
    expect(page.locator("#said")).to_contain_text("8/5 6/5")
    picture = page.locator("#evidence-picture")
    expect(picture).to_be_visible()
    page.wait_for_function("document.getElementById('evidence-picture').naturalWidth")
    page.route("**/pictures/*.jpg", lambda route: late.append(route), times=1)
    page.click("#back")
    expect(page.locator("#said")).to_contain_text("3-1")
    expect(page.locator("#evidence")).to_be_visible()
    expect(picture).to_be_hidden()
    late[0].continue_()
    expect(picture).to_be_visible()


def test_a_match_whose_deletion_got_no_answer_is_deleted_for_whoever_presses_again(table: Served, page: Page) -> None:
    start(page, table)
    match = state(table)["match"]
    says(table)("start_match", names=["Cleo", "Dan"], length=3)
    page.goto(f"{table.url}matches/{match}")
    expect(page.locator("#title")).to_contain_text("Anna")  # what the page itself asks for has come
    page.click("#delete")
    page.fill("#f-confirm", "Anna")
    late = Late(page, f"matches/{match}")
    page.click("#dialog-yes")
    late.is_lost()
    expect(page.locator("#dialog .wrong")).to_contain_text("cannot be reached")
    page.click("#dialog-yes")
    expect(page.locator("#rows")).to_contain_text("Cleo")


def test_who_one_is_is_not_taken_back_by_what_held_before_the_pin_was_given(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    late = Late(page, "me")
    page.goto(server.url)
    late.asked()
    page.click("#new-match")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#dialog-yes")
    page.fill("#pin-input", server.said.split("PIN ")[2][:6])
    page.press("#pin-input", "Enter")
    expect(page.locator("#do-start_game")).to_be_visible()
    expect(page.locator("#rank")).to_have_text("Director")
    late.comes()
    expect(page.locator("#rank")).to_have_text("Director")


def test_a_wrong_pin_that_is_sent_off_again_and_again_before_it_is_answered_is_one(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    page.goto(server.url)
    page.click("#rank")
    page.fill("#pin-input", "000000")
    late = Late(page, "enter")
    for _ in range(5):
        page.press("#pin-input", "Enter")
    late.comes()
    expect(page.locator("dialog.pin .wrong")).to_have_text("That is not a PIN of this table.")
    page.fill("#pin-input", server.said.split("PIN ")[2][:6])
    page.press("#pin-input", "Enter")
    expect(page.locator("#rank")).to_have_text("Director")


@pytest.mark.parametrize("since", ["set", "thrown"])
def test_what_is_begun_once_a_position_was_sent_stays_when_it_is_answered(table: Served, page: Page, since: str) -> None:
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    page.click("#set-position")
    page.click("#brush-none")
    point(page, 6)
    late = Late(page, "position")
    page.click("#position-done")
    late.asked()
    page.get_by_role("button", name="Cancel").click()
    if since == "thrown":
        page.click("#die-far-6")
        late.comes()
        expect(page.locator("#die-far-6")).to_have_attribute("aria-pressed", "true")
        return
    page.click("#set-position")
    page.click("#brush-none")
    point(page, 8)
    late.comes()
    expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("1 on 8, 3 on 6"))
    expect(page.locator("#position-done")).to_be_visible()


def test_a_position_that_is_being_set_goes_on_when_its_setting_is_asked_for_again(table: Served, page: Page) -> None:
    """As by a finger that comes down twice."""
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    page.click("#brush-none")
    point(page, 6)
    page.click("#set-position")
    point(page, 6)
    expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("3 on 8, 3 on 6"))
    page.get_by_role("button", name="Starting position").click()
    expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("3 on 8, 5 on 6"))


def test_whoever_comes_back_to_the_list_of_matches_sees_those_that_its_fields_say(table: Served, page: Page) -> None:
    """A browser fills them in again by itself once the list is asked for."""
    start(page, table)
    page.goto(f"{table.url}matches")
    expect(page.locator("#rows")).to_contain_text("Anna")
    page.fill("#since", "2031-01-01")
    expect(page.locator("#none")).to_have_text("No match fits.")
    page.get_by_role("link", name="Text").click()
    expect(page.locator("#points")).not_to_be_empty()
    page.go_back()
    expect(page.locator("#rows")).to_contain_text("Anna")
    expect(page.locator("#since")).to_have_value("")


def test_who_has_entered_both_opening_dice_is_not_told_of_the_tie_before_them(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 5, 5)
    expect(page.locator("#more")).to_have_text("Both threw 5; throw again")
    held: list[Route] = []
    page.route("**/api/v1/roll", lambda route: held.append(route), times=1)
    page.evaluate("""() => {
      const box = document.getElementById("voice"), said = window.said = [];
      new MutationObserver(() => said.push(box.innerText)).observe(box, { subtree: true, childList: true, attributes: true });
    }""")
    page.click("#die-near-5")
    page.click("#die-far-1")
    while not held:
        page.wait_for_timeout(20)
    expect(page.locator("#more")).to_be_hidden()
    held.pop().continue_()
    expect(page.locator("#expected")).to_have_text("Anna to play 5-1")
    assert not [said for said in page.evaluate("said") if "Both threw" in said or "Each throws" in said]


def test_a_play_that_was_not_typed_is_none_that_cannot_be_made(table: Served, page: Page) -> None:
    start(page, table, rules="usbgf")  # whose referee is silent: what is entered counts, be it illegal
    opening(page, 6, 3)
    page.press("#notation", "Enter")
    page.fill("#notation", "24/15")
    page.press("#notation", "Enter")
    expect(page.locator("#expected")).to_contain_text("Boris")
    assert state(table)["last_turn"]["play"] == "24/15"
