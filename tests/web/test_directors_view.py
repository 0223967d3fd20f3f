"""Under responsible moves the director sees an illegal play live on his page; everybody else's page shows a play like any other."""

from __future__ import annotations

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
