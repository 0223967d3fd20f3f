"""Answers that come late, over a slow line: what somebody has begun meanwhile stays as it is."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.late import Late
from tests.web.pressing import start


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
