"""What only the director sees, as an illegal play under responsible moves that all others are shown like any other, and does by his PIN."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.conftest import PATIENCE, Served
from web.scripts import address

ACT = """async ([pin, commands]) => {
  const { post } = await import("/static/js/api.js");
  await post("enter", { pin });
  dispatchEvent(new Event("rank"));
  let seq = 0;
  for (const [name, body] of commands) ({ seq } = await post(name, { seq, ...body }));
}""".replace("/static", address())
COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("start_match", {"names": ["Anna", "Boris"], "length": 5, "rules": "wbgf-responsible"}),
    ("start_game", {}),
    ("roll", {"dice": [6, 2]}),
    ("play", {"play": "24/18", "hold": True}),
]


def test_the_director_sees_what_the_others_are_not_told(
    serve: Callable[..., Served], browser: Any, page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    pin = server.said.split("PIN ")[2][:6]
    visit = browser.new_context()
    viewer = visit.new_page()
    viewer.set_default_timeout(PATIENCE)
    for one in (page, viewer):
        one.goto(f"{server.url}table")
        expect(one.locator("#line")).to_have_attribute("data-line", "live")
    page.evaluate(ACT, [pin, COMMANDS])
    expect(page.locator("body")).to_have_attribute("data-phase", "held")
    expect(page.locator("#rulings")).to_contain_text("illegal")
    expect(page.locator("#rulings")).to_contain_text("Only you see this.")
    expect(viewer.locator("#rulings")).to_contain_text("Anna played 24/18")
    expect(viewer.locator("body")).to_have_attribute("data-phase", "to_roll")
    expect(viewer.locator("body")).not_to_contain_text("illegal")
    visit.close()


def test_the_tables_pin_given_for_the_directors_is_told_apart_and_what_he_ruled_asks_for_his_where_it_is_taken_back(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    table, director = re.findall(r"\d{6}", server.said)[:2]
    page.goto(server.url)
    page.evaluate(ACT, [table, COMMANDS[:1]])

    def give(pin: str) -> None:
        page.fill("#pin-input", pin)
        page.click("#pin-yes")

    def answer_for_the_director() -> None:
        give(table)
        expect(page.locator("dialog.pin .wrong")).to_have_text("That is the table’s PIN.")
        give(director)
        expect(page.locator("#dialog")).to_be_hidden()
        expect(page.locator("#rank")).to_have_text("Director")

    page.click("#rule")
    page.select_option("#f-what", "penalise")
    page.select_option("#f-seat", "near")
    page.click("#dialog-yes")
    expect(page.locator("dialog.pin")).to_contain_text("This needs the director’s PIN.")
    answer_for_the_director()
    expect(page.locator("#far .points")).to_have_text("1")
    page.click("#rank")
    give(table)
    expect(page.locator("#rank")).to_have_text("At the table")
    page.click("#undo")
    page.click("#dialog-yes")
    expect(page.locator("dialog.pin")).to_contain_text("only a director takes that back")
    answer_for_the_director()
    expect(page.locator("#far .points")).to_have_text("0")
