"""What a rule set says, to be read where it is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.rules import PRESETS
from referee.rules.plain import settled
from tests.web.conftest import Served
from tests.web.pressing import state
from web.language import words

CLOCK = "Clock: 120 s for each point of the match and 12 s of simple delay a turn"


Club = Callable[[str], Served]


@pytest.fixture
def club(serve: Callable[..., Served], page: Page, tmp_path: Path) -> Club:
    """Serves a club's own set, "house", which is bray's with one line otherwise; the dialog of a new match is open."""

    def begun(line: str) -> Served:
        rules = tmp_path / "club.toml"
        rules.write_text(f'name = "house"\nbase = "bray"\n{line}\n')
        server = serve("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--rules", str(rules))
        page.goto(server.url)
        page.click("#new-match")
        return server

    return begun


def test_a_rule_set_can_be_read_where_it_is_chosen(club: Club, page: Page) -> None:
    server = club("crawford = false")
    said = page.locator("#dialog .says")
    expect(said.locator("li").first).to_be_hidden()
    said.locator("summary").click()
    expect(said).to_contain_text("There is no clock.")
    page.select_option("#f-rules", "usbgf")
    expect(said).to_contain_text(CLOCK)
    expect(said).to_contain_text("It can be put right until")
    expect(said).not_to_contain_text("The referee announces")  # asked below
    expect(said).not_to_contain_text("chouette")
    page.select_option("#f-rules", "house")
    expect(said).to_contain_text("There is no Crawford rule.")
    expect(said.locator("li").first).to_be_visible()
    page.goto(f"{server.url}setup")
    page.select_option("#f-rules", "usbgf")
    page.click(".says summary")
    expect(page.locator(".says")).to_contain_text(CLOCK)


def test_a_club_s_rules_say_whether_aids_are_shown(club: Club, page: Page) -> None:
    server = club("aids = true")
    aids = page.locator("#f-aids")
    expect(aids).not_to_be_checked()
    page.select_option("#f-rules", "house")
    expect(aids).to_be_checked()
    page.goto(f"{server.url}setup")
    page.select_option("#f-rules", "house")
    expect(page.locator("#f-aids")).to_be_checked()
    page.uncheck("#f-aids")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    assert not state(server)["aids"]
    page.goto(f"{server.url}setup")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    expect(page.locator("#f-aids")).not_to_be_checked()  # as at the last match under these rules
    page.select_option("#f-rules", "usbgf")
    page.select_option("#f-rules", "house")
    expect(page.locator("#f-aids")).not_to_be_checked()


def test_every_sentence_of_every_rule_set_is_said_in_german() -> None:
    german = words("de")
    assert not {text for known in PRESETS.values() for text in settled(known.rules) if german.said(text) == text}
