"""The set-up page over a slow or broken line."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Served
from tests.web.late import Late
from tests.web.pressing import start, state
from web.house import NO_EYES, CameraError, House


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
    if not lost:
        late.is_lost()


class Cameras:
    """Can be chosen, all but the one called 9; each looks for the board for ever."""

    picture = None

    def __init__(self, house: House) -> None:
        self._house, self._now = house, NO_EYES
        house.chooser = house.eyes = self

    def choose(self, source: str | None) -> None:
        if source == "9":
            raise CameraError("There is no camera 9")
        self._now = NO_EYES if source is None else NO_EYES | {"status": "looking", "text": "Looking for the board.", "source": source}
        self._house.hub.announce("camera")

    def take_a_picture(self) -> None:
        self.sends({"die": {"px": 19, "enough": False}})  # which is told of it

    def sends(self, now: dict[str, Any]) -> None:
        self._now = self._now | now
        self._house.hub.announce("camera")

    def status(self) -> dict[str, Any]:
        return self._now

    def whole(self) -> None: ...

    def cameras(self) -> tuple[tuple[str, str], ...]:
        return ()


def test_the_last_choice_of_a_camera_is_shown_whatever_comes_of_earlier_ones_and_when(house: House, page: Page) -> None:
    cameras = Cameras(house)
    page.goto(f"{house.address}setup")
    expect(page.locator("#start")).to_be_enabled()
    late = Late(page, "camera")
    page.click("#use-0")
    late.asked()
    expect(page.locator("#use-0")).to_have_attribute("aria-pressed", "true")
    cameras.choose(None)  # on another phone
    expect(page.locator("#use-none")).to_have_attribute("aria-pressed", "true")
    late.comes()
    expect(page.locator("#use-none")).to_have_attribute("aria-pressed", "true")
    late = Late(page, "camera")
    page.click("#use-other")
    page.fill("#source", "9")
    page.press("#source", "Enter")
    late.asked()
    page.click("#use-none")
    expect(page.locator("#status")).to_have_text("No camera: everything is entered by hand.")
    late.comes()
    expect(page.locator("#status")).to_have_text("No camera: everything is entered by hand.")


def test_why_a_camera_cannot_be_had_is_still_said_when_the_next_picture_comes_of_the_one_that_stays(house: House, page: Page) -> None:
    cameras = Cameras(house)
    cameras.choose("0")
    page.goto(f"{house.address}setup")
    expect(page.locator("#status")).to_have_text("Looking for the board.")
    page.click("#use-other")
    page.fill("#source", "9")
    page.press("#source", "Enter")
    expect(page.locator("#status")).to_have_text("There is no camera 9.")
    cameras.take_a_picture()
    page.wait_for_timeout(500)
    expect(page.locator("#status")).to_have_text("There is no camera 9.")
    cameras.choose("1")  # on another phone
    expect(page.locator("#status")).to_have_text("Looking for the board.")


def test_the_form_of_a_match_comes_though_the_line_was_gone_when_it_was_asked_for(table: Served, page: Page) -> None:
    start(page, table)
    gone: list[Route] = []
    page.route("**/api/v1/rules", lambda route: (gone.append(route), route.abort()), times=1)
    page.goto(f"{table.url}setup")
    expect(page.locator("#f-near")).to_have_value("Anna")
    expect(page.locator("#wrong")).to_be_empty()
    expect(page.locator("#start")).to_be_enabled()
    assert len(gone) == 1


def test_the_address_of_the_camera_that_is_shown_is_one_that_counts_whichever_answer_comes_first(house: House, page: Page) -> None:
    Cameras(house).choose("0")
    page.goto(f"{house.address}setup")
    expect(page.locator("#lent-text")).to_have_text("The camera is not lent.")
    late = Late(page, "lending")
    page.click("#lend")
    late.asked()
    page.click("#lend")
    page.wait_for_timeout(500)
    late.comes()
    page.wait_for_timeout(500)
    assert house.access.reads(page.input_value("#lent-at").rpartition("=")[2])


def test_who_shows_the_corners_is_told_that_the_camera_is_gone_and_who_gives_it_up_how_it_is(house: House, page: Page) -> None:
    cameras = Cameras(house)
    cameras.choose("0")
    cameras.sends({"picture": 1})
    page.goto(f"{house.address}setup")
    said = page.locator("#status")
    page.click("#corners")
    expect(said).to_have_text("Drag the corners to those of the playing field.")
    page.click("#corners")  # given up
    expect(said).to_have_text("Looking for the board.", timeout=3000)
    page.click("#corners")
    cameras.sends({"status": "lost", "text": "The picture is too dark to read: put on a light."})
    expect(said).to_have_text("The picture is too dark to read: put on a light.")
    cameras.sends({"status": "looking", "text": "Looking for the board."})
    expect(said).to_have_text("Drag the corners to those of the playing field.")
