"""The pages on a phone beside the board: nothing moves under a finger, and nothing is too small for one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, start
from tests.web.test_screens import shows

SMALL = """() => [...document.querySelectorAll(":is(main, dialog[open]) :is(button, input, select, summary, a)")]
  .filter((one) => one.offsetHeight && !["radio", "checkbox"].includes(one.type) && !one.matches(".keypad button"))
  .filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44).map((one) => one.outerHTML.slice(0, 90))"""
"""What is narrower or lower than a finger; six dice beside each other are as wide as a small phone has room for."""


def test_on_a_phone_the_board_and_what_is_pressed_below_it_stay_where_they_are(table: Served, page: Page) -> None:
    """When it is told what came of a throw, and while a play is put together."""
    page.set_viewport_size({"width": 390, "height": 844})
    start(page, table)

    def places() -> list[float]:
        shows(page, table)
        found = [page.locator(place).bounding_box() for place in ("#board", "#hand")]
        return [one["y"] for one in found if one]

    stood = places()
    page.click("#die-near-3")
    page.click("#die-far-3")
    expect(page.locator("#more")).to_have_text("Both threw 3; throw again")
    assert places() == stood
    opening(page, 3, 1)
    for place in (8, 5, 6):
        page.click(f'#board [data-place="{place}"]')
    expect(page.locator("#confirm")).to_be_visible()
    assert places() == stood
    page.click("#confirm")
    expect(page.locator("#under")).to_have_text("Anna 3-1: 8/5 6/5")
    assert places() == stood


@pytest.mark.parametrize("size", [(390, 844), (667, 375)])
def test_what_a_finger_presses_is_44_pixels_wide_and_high_and_the_header_no_higher_for_it(
    table: Served, browser: Any, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True)
    page = context.new_page()
    start(page, table)
    opening(page, 3, 1)
    page.click("#download")
    assert page.evaluate(SMALL) == []
    header = page.locator(".top").bounding_box()
    assert header is not None and header["height"] < (92 if size[0] < 640 else 48)
    page.click("#another-match")
    expect(page.locator("#dialog-yes")).to_be_attached()
    assert page.evaluate(SMALL) == []
    page.goto(f"{table.url}setup")
    expect(page.locator("#start")).to_be_enabled()
    assert page.evaluate(SMALL) == []
    page.goto(f"{table.url}matches")
    expect(page.locator("tbody tr").first).to_be_visible()
    assert page.evaluate(SMALL.replace(", a)", ")")) == []  # a match's name is a link in a line of text
    context.close()
