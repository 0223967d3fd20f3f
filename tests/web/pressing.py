"""What people press on the pages to play by hand, and what the service says then."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.conftest import Served

LONG = ["Konstantinos Papadopoulos-Mavro", "Wolfgang-Maximilian Schmidtbaue"]
"""Names that have hardly room anywhere."""


def state(server: Served) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server.url}api/v1/state", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def post(server: Served, name: str, **body: Any) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        f"{server.url}api/v1/{name}", json.dumps(body).encode(), {"content-type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def says(server: Served) -> Callable[..., None]:
    """Says commands to the service, on what it shows now, which it must obey."""
    def say(name: str, **body: Any) -> None:
        status, answer = post(server, name, seq=state(server)["seq"], **body)
        assert status == 200, answer

    return say


def shows(page: Page, server: Served) -> None:
    """Waits until the page shows what the service does."""
    expect(page.locator("body")).to_have_attribute("data-seq", str(state(server)["seq"]))


def start(page: Page, server: Served, near: str = "Anna", far: str = "Boris", length: str = "3", rules: str = "bray") -> None:
    """Starts a match and its first game on the page, and waits until the page shows the opening."""
    page.goto(server.url)
    page.click("#new-match, #another-match")
    page.fill("#f-near", near)
    page.fill("#f-far", far)
    page.fill("#f-length", length)
    page.select_option("#f-rules", rules)
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-seq", "1")
    page.click("#do-start_game")
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")


def opening(page: Page, near: int, far: int) -> None:
    """Enters the opening throw, and waits until the page shows it."""
    page.click(f"#die-near-{near}")
    page.click(f"#die-far-{far}")
    if near != far:
        expect(page.locator("#expected")).to_contain_text(f"{max(near, far)}-{min(near, far)}")


def roll(page: Page, seat: str, *dice: int) -> None:
    for die in dice:
        page.click(f"#die-{seat}-{die}")


def play(page: Page, text: str) -> None:
    page.fill("#notation", text)
    page.press("#notation", "Enter")


def point(page: Page, place: int | str) -> None:
    page.click(f'#board [data-place="{place}"]')
