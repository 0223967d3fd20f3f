"""A match that was started under the wrong rules or with the wrong clock is put right on the page, and not lost."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, post, says, shows, start, state


def to_rules(page: Page) -> None:
    page.click("#correct")
    page.click("#to-rules")
    expect(page.locator("#dialog-title")).to_have_text("Rules and clock")


def start_money(page: Page, server: Served, rules: str = "bray") -> None:
    say = says(server)
    say("start_match", names=["Anna", "Boris"], rules=rules)
    say("start_game")
    page.goto(server.url)
    shows(page, server)


def save(page: Page) -> None:
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()


def test_rules_and_clock_are_put_right_in_mid_match(serve: Callable[..., Served], database: str, page: Page) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    start(page, server, length="5")
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    to_rules(page)
    expect(page.locator("#f-rules")).to_have_value("bray")
    page.select_option("#f-rules", "ukbgf")
    page.check("[name=q-die_on_checker] >> nth=1")
    page.select_option("#f-clock", "simple_delay")
    page.fill("#f-minutes", "3")
    save(page)
    expect(page.locator("#rulings li").first).to_contain_text("The rules were set to ukbgf")
    expect(page.locator("#far .clock")).to_be_visible()
    now = state(server)
    assert (now["rules"], now["choices"]["die_on_checker"], now["position"]["points"][4]) == ("ukbgf", "valid", 2)
    assert now["clock"]["remaining"][0] == 900.0
    page.click("#another-match")
    expect(page.locator("#f-rules")).to_have_value("ukbgf")  # what was started wrongly is not what the next one begins with
    page.keyboard.press("Escape")

    server.kill()
    again = serve("serve", "--port", "0", "--db", database)
    assert (state(again)["rules"], state(again)["clock_rules"]["bank_s_per_point"]) == ("ukbgf", 180.0)


def test_what_would_have_gone_otherwise_is_said_in_the_dialog(table: Served, page: Page) -> None:
    start_money(page, table, "agca")
    page.click("#die-near-3")
    page.click("#die-far-3")
    expect(page.locator("#more")).to_contain_text("throw again")
    to_rules(page)
    expect(page.locator("#f-clock")).to_be_hidden()  # money is played without
    page.fill("#f-stake", "5")
    page.select_option("#f-rules", "bray")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_have_text(
        "With that, the cube would have gone otherwise in game 1. "
        "Undo that first, or start a new match and set its score under ‘Correct…’."
    )
    assert post(table, "undo", seq=state(table)["seq"])[0] == 200
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("The match has moved on meanwhile")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    assert (state(table)["rules"], state(table)["money"]["stake"]) == ("bray", 5)


def test_a_money_game_is_made_a_match(table: Served, page: Page) -> None:
    start_money(page, table)
    page.click("#correct")
    expect(page.locator("#f-length")).to_have_value("0")
    page.fill("#f-length", "7")
    save(page)
    expect(page.locator("#about")).to_contain_text("7 points")


def test_rules_for_one_match_are_not_set_in_another(table: Served, page: Page) -> None:
    start_money(page, table, "money")
    to_rules(page)
    says(table)("start_match", names=["Carla", "Dora"], length=3, rules="ukbgf")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("The match has moved on meanwhile")
    expect(page.locator("#f-rules")).to_have_value("ukbgf")
    save(page)
    assert state(table)["rules"] == "ukbgf"
