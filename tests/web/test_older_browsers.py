"""Browsers of some years ago, which lack what newer ones have: a page works in them all the same."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route

from tests.web.conftest import Served
from tests.web.pressing import says, shows


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
