"""The set-up page over a slow or broken line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Served
from tests.web.late import Late
from tests.web.pressing import start, state


@pytest.mark.parametrize("lost", [False, True])
def test_a_start_that_is_pressed_again_before_its_answer_has_come_starts_one_match(table: Served, page: Page, lost: bool) -> None:
    """The page is told over the stream that it is on, so that who presses again has seen that; the answer is late, or never comes."""
    start(page, table)
    match = state(table)["match"]
    page.goto(f"{table.url}setup")
    page.fill("#f-near", "Cleo")
    late = Late(page, "start_match")
    page.click("#start")
    late.asked()
    expect(page.locator("#running")).to_contain_text("Cleo")
    if lost:
        late.is_lost()
        expect(page.locator("#wrong")).to_contain_text("cannot be reached")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    assert state(table)["match"] == match + 1
