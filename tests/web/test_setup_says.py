"""What the set-up page says of the camera, and what it offers for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.records.store import Store
from tests.web.cameras import playing
from web.access import Access, Pins
from web.app import create_app
from web.cli._service import make_house
from web.house import House


class Eyes:
    """They have found the board."""

    picture = None

    def __init__(self, die: dict[str, Any]) -> None:
        self._die = die

    def status(self) -> dict[str, Any]:
        return {"status": "watching", "text": "no dice", "picture": None, "board": True, "tray": None, "die": self._die}

    def whole(self) -> None: ...

    def saw(self) -> None: ...


@pytest.mark.parametrize(("px", "said"), [(26, "26 pixels wide: enough"), (14, "14 pixels wide, fewer than 20: move the camera nearer")])
def test_how_large_dice_are_to_the_camera_is_said_and_what_to_do(house: House, page: Page, px: int, said: str) -> None:
    house.eyes = Eyes({"px": px, "enough": px >= 20})
    page.goto(f"{house.address}setup")
    expect(page.locator("#status")).to_contain_text(f"then start the match. Dice are about {said}")


def test_who_looks_at_the_set_up_while_a_match_is_played_is_not_told_to_start_one(house: House, page: Page) -> None:
    house.eyes = Eyes({"px": 26, "enough": True})
    playing(house.desk)
    page.goto(f"{house.address}setup")
    expect(page.locator("#status")).to_have_text("The board is found. Look whether the lines fit. Dice are about 26 pixels wide: enough.")


def test_where_the_camera_is_not_chosen_on_the_page_it_says_so_and_offers_nothing_that_is_refused(house: House, page: Page) -> None:
    """As in the demo."""
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    house.eyes = Eyes({"px": 26, "enough": True})
    page.goto(f"{house.address}setup")
    expect(page.locator("#camera")).to_contain_text("The camera of this table cannot be changed from here.")
    expect(page.locator("#status")).to_contain_text("The board is found.")
    expect(page.locator("#lent-text")).to_have_text("The camera is not lent.")
    for offered in ("#use-0", "#use-phone", "#again", "#corners", "#near-at", "#tray"):
        expect(page.locator(offered)).to_be_hidden()
    assert refused == []


@pytest.mark.parametrize(
    ("address", "can"),
    [("http://127.0.0.1:80", False), ("http://192.168.1.5:80", False), ("https://localhost:80", False), ("https://10.0.0.5:80", True)],
)
def test_a_phone_is_led_to_a_page_that_gets_its_camera_or_it_is_said_what_that_takes(tmp_path: Path, address: str, can: bool) -> None:
    with Store(tmp_path / "m.db") as store:
        made = make_house(store)
        made.address = address
        shown = create_app(made).test_client().get("/t/1/setup").get_data(as_text=True)
    assert ("/api/v1/phone.svg" in shown and f"{address}/t/1/camera" in shown) is can
    assert ("--https --host 0.0.0.0" in shown) is not can


def test_who_may_not_see_the_cameras_picture_is_shown_no_empty_frame(house: House, page: Page, tmp_path: Path) -> None:
    house.eyes = Eyes({"px": 26, "enough": True})
    house.access = Access(tmp_path / "access.json")
    house.access.set_pins(Pins("246810", "135791"))
    page.goto(f"{house.address}setup")
    expect(page.locator("#status")).to_contain_text("The board is found.")
    expect(page.locator("#preview")).to_be_hidden()
