"""What the rule book offers as a procedure, pressed on the page: dice mixed, a board set up wrongly, a player who came late."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, post, roll, start, state


def test_the_dice_are_mixed_on_demand_before_a_game(table: Served, page: Page) -> None:
    page.goto(table.url)
    for rules in ("bray", "traditional"):
        assert post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=3, rules=rules)[0] == 200
        expect(page.locator("#mix-far")).to_have_count(int(rules == "traditional"))
    page.click("#mix-far")
    expect(page.locator("#rulings")).to_contain_text("Boris has the dice mixed: all go in one cup, and the players pick one each in turn")
    page.click("#do-start_game")
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")
    expect(page.locator("#mix-far")).to_have_count(0)


def test_a_board_that_was_set_up_wrongly_is_put_right_in_time_and_stands_as_it_is_later(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.click("#setup-error")
    expect(page.locator("#rulings")).to_contain_text("The starting position was set up wrongly; put it right and go on.")
    assert state(table)["position"]["points"][12] == 5, "the log has begun from the right one"
    play(page, "8/5 6/5")
    roll(page, "far", 6, 2)
    play(page, "24/18 13/11")
    roll(page, "near", 6, 2)
    expect(page.locator("body")).to_have_attribute("data-phase", "rolled")  # pressed sooner, it is about what was shown before
    page.click("#setup-error")  # the starter's second turn has begun: how it stands now is to be shown
    expect(page.locator("#position-done")).to_be_visible()
    page.click("#brush-none")
    point(page, 13)
    page.click("#brush-near")
    point(page, 12)
    page.click("#position-done")
    expect(page.locator("#rulings")).to_contain_text("The faulty starting position stands; it was found too late.")
    points = state(table)["position"]["points"]
    assert (points[12], points[11]) == (4, 1)


def test_who_comes_late_is_given_penalty_points_by_the_minutes(table: Served, page: Page) -> None:
    start(page, table, length="9")
    page.click("#rule")
    page.select_option("#f-what", "late")
    page.select_option("#f-seat", "far")
    page.fill("#f-minutes", "12")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#rulings")).to_contain_text("Boris came 12 minutes late; penalty points: 2")
    assert state(table)["score"] == [2, 0]


def test_an_undo_reaches_back_over_every_step_that_the_page_shows(table: Served, page: Page) -> None:
    started = ("start_match", {"names": ["Anna", "Boris"], "length": 3, "aids": True})
    for name, body in (started, ("start_game", {}), ("roll", {"dice": [2, 1]})):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    for turn in range(20):
        now = state(table)
        assert post(table, "play", seq=now["seq"], play=now["plays"][0])[0] == 200
        assert post(table, "roll", seq=state(table)["seq"], dice=[2, 1] if turn % 2 else [1, 2])[0] == 200
    page.goto(table.url)
    page.click("#undo")
    steps = page.locator("#f-to option")
    expect(steps).to_have_count(len(state(table)["log"]) - 1)  # all but that the match was started
    page.select_option("#f-to", index=steps.count() - 1)
    page.click("#dialog-yes")
    expect(page.locator("body")).to_have_attribute("data-phase", "setting_up")
