"""The editor in which a position is set by hand: what a press on a point does there."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, point, start, state


def test_a_press_takes_one_of_the_others_checkers_away_and_not_all_of_them(table: Served, page: Page) -> None:
    """Whoever has missed a point by one puts one checker back; of a blot the chosen player's takes the place, as when it is hit."""
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    expect(page.locator("#brush-near")).to_have_attribute("aria-pressed", "true")
    place = page.locator('#board [data-place="12"]')
    for left in (4, 3, 2, 1):
        point(page, 12)
        expect(place).to_have_attribute("aria-label", f"Point 12: {left} of Boris’s")
    page.click("#brush-none")
    point(page, 6)
    page.click("#brush-near")
    point(page, 12)
    expect(place).to_have_attribute("aria-label", "Point 12: 1 of Anna’s")
    page.click("#brush-far")
    for _ in range(4):
        point(page, 17)
    page.click("#position-done")
    expect(page.locator("#position-done")).to_have_count(0)
    points = state(table)["position"]["points"]
    assert (points[11], points[16], points[5]) == (1, -7, 4)
