"""Browsers of some years ago, which lack what newer ones have: a page works in them all the same."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, says, shows, start, state

NEWER = """for (const [of, name] of [[Array, "findLast"], [Array, "findLastIndex"], [Array, "at"]]) delete of.prototype[name];
delete globalThis.structuredClone;
delete AbortSignal.timeout;"""
"""Takes away what Chrome 91 and Firefox 90 do not have yet."""


def test_a_game_is_played_by_hand_in_a_browser_of_some_years_ago(table: Served, page: Page) -> None:
    page.add_init_script(NEWER)
    start(page, table)
    opening(page, 3, 6)
    play(page, "24/15")
    page.click("#die-near-4")
    page.click("#die-near-4")
    for place in (24, 24, 13, 13, 9):
        point(page, place)
    expect(page.locator("#confirm")).to_have_text("Play 24/20 24/20 13/9 13/9")
    page.click("#set-position")
    point(page, 13)
    page.get_by_role("button", name="Starting position").click()
    page.click("#position-done")
    expect(page.locator("#rulings")).to_contain_text("set")
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("body")).to_have_attribute("data-ready", "")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#sheet p")).not_to_have_count(0)


def test_the_board_is_in_sight_on_a_phone_lying_down_whose_browser_knows_one_height_only(table: Served, page: Page) -> None:
    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"[^;{}]*\ddvh[^;}]*;?", "", answer.text()))

    page.route("**/*.css", older)
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"{table.url}table")
    shows(page, table)
    box = page.locator("#board").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 390
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
