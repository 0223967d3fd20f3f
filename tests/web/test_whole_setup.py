"""The whole set-up through the real eyes: from `referee serve` to the first accepted roll, on the board and in a tower's tray."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hardware.protocol import Rest
from hardware.simulator import Identity, Simulator
from referee.records.store import Store
from tests.waiting import until
from tests.web.conftest import Here, Served, answering
from tests.web.phone import TRAY, Phone, picture, with_dice
from tests.web.pressing import post, state
from web.cli._service import _tick, make_house
from web.runtime.camera import CameraChoice
from web.towerline import TowerLine


@pytest.fixture
def tower() -> Iterator[Simulator]:
    """A tower that only feels throws; its dice come to rest in a tray."""
    box = Simulator(Identity("oak", Rest.TRAY, reads=False), tty=False).start()
    yield box
    box.close()


@contextmanager
def evening(database: str, tower: Simulator | None = None, witnesses: str = "auto") -> Iterator[Here]:
    """What `referee serve` makes with these options, without a process of its own: a board is looked for once for all evenings."""
    with Store(database) as store:
        house = make_house(store)
        changed = partial(house.hub.announce, "camera")
        eyes = CameraChoice(house.desk, changed, house.pictures, Path(f"{database}.board.json"), house.lent)
        house.eyes = house.chooser = eyes
        line = None if tower is None else TowerLine(house.desk, f"socket://127.0.0.1:{tower.port}", changed).start()
        house.tower = line
        over = threading.Event()
        ticks = threading.Thread(target=_tick, args=(house, over))
        ticks.start()
        try:
            with answering(house):
                yield Here(house.address)
        finally:
            over.set()
            ticks.join(10)
            eyes.stop()
            if line is not None:
                line.stop()


@contextmanager
def phoning(server: Served | Here, image: Any) -> Iterator[Phone]:
    phone = Phone(server.url, image)
    try:
        yield phone
    finally:
        phone.stop()


def drag(page: Page, corner: int, to: tuple[float, float]) -> None:
    """Drags a corner to a place given as shares of the picture."""
    frame, knob = page.locator("#preview").bounding_box(), page.locator(".corner").nth(corner).bounding_box()
    assert frame is not None
    assert knob is not None
    page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + to[0] * frame["width"], frame["y"] + to[1] * frame["height"], steps=4)
    page.mouse.up()


def test_from_serve_to_the_first_accepted_roll_in_eight_clicks(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    clicks = 0

    def click(what: str) -> None:
        nonlocal clicks
        clicks += 1
        page.click(what)

    page.goto(server.url)
    click("nav a[href$='setup']")
    with phoning(server, picture("f000")) as phone:
        click("#use-phone")
        expect(page.locator("#status")).to_contain_text("The board is found", timeout=120_000)
        expect(page.locator("#status")).to_contain_text(re.compile(r"Dice are about \d\d pixels wide"))
        click("#f-far")
        page.keyboard.type("Boris")
        page.keyboard.press("Tab")
        page.keyboard.type("Anna")
        click("#start")
        expect(page.locator("body")).to_contain_text("Each throws one die", timeout=120_000)
        phone.show(picture("f002"))  # near throws 2, far 5
        found = until(lambda: state(server)["dice"])
    assert (found["seat"], sorted(found["values"])) == ("far", [2, 5])
    assert clicks <= 8


def test_the_next_match_has_the_last_ones_names_and_record(table: Served, page: Page, browser: Any) -> None:
    """Names, length, rules, event, round, place and transcriber come back; one press swaps the sides; another device knows the names."""
    page.goto(f"{table.url}setup")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    page.locator("#for-record summary").click()
    said = {"near": "Anna", "far": "Boris", "event": "Club night", "round": "Final", "place": "Berlin", "transcriber": "Clara"}
    for field, value in said.items():
        page.fill(f"#f-{field}", value)
    page.click("#length-7")
    page.select_option("#f-rules", "traditional")
    page.check("#f-aids")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    first = state(table)["match"]

    page.goto(f"{table.url}setup")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    for field, value in said.items():
        expect(page.locator(f"#f-{field}")).to_have_value(value)
    expect(page.locator("#f-length")).to_have_value("7")
    expect(page.locator("#f-rules")).to_have_value("traditional")
    expect(page.locator("#f-aids")).to_be_checked()
    expect(page.locator("#running")).to_contain_text("Anna and Boris are playing")
    page.click("#swap")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    now = state(table)
    assert (now["names"], now["length"], now["rules"], now["match"]) == (["Boris", "Anna"], 7, "traditional", first + 1)
    with urllib.request.urlopen(f"{table.url}api/v1/record.mat", timeout=60) as answer:
        record = answer.read().decode()
    assert all(said[name] in record for name in ("event", "round", "place", "transcriber")), record

    context = browser.new_context()
    other = context.new_page()
    other.goto(f"{table.url}setup")
    expect(other.locator("#f-near")).to_have_value("Boris")
    expect(other.locator("#f-far")).to_have_value("Anna")
    context.close()


def test_throws_count_in_the_tray_that_was_drawn(page: Page, database: str, tower: Simulator, found_once: None) -> None:
    start = picture("f000")
    with evening(database, tower) as server, phoning(server, start) as phone:
        page.goto(f"{server.url}setup")
        page.click("#use-phone")
        expect(page.locator("#tower")).to_contain_text("oak: its dice come to rest in a tray.")
        expect(page.locator("#tower")).to_contain_text("Draw the tray: throws count there.", timeout=120_000)
        page.click("#tray")
        for corner, (x, y) in enumerate(TRAY):
            drag(page, corner, (float(x), float(y)))
        page.click("#use-tray")
        expect(page.locator("#tower")).to_contain_text("Throws count in the tray that is drawn.")
        drawn = state(server)["camera"]["tray"]
        assert [[round(v, 2) for v in corner] for corner in drawn] == [[pytest.approx(v, abs=0.011) for v in corner] for corner in TRAY]
        kept = json.loads(Path(database + ".board.json").read_text())
        assert len(kept["trays"]) == 1

        page.fill("#f-far", "Boris")
        page.fill("#f-near", "Anna")
        page.click("#start")
        assert until(lambda: state(server)["phase"] == "opening")
        # One die each in the same tray: nobody sees whose is whose.
        tower.command("throw any")
        phone.show(with_dice(start, ((4, 1275, 297), (3, 1300, 640))))
        expect(page.locator("body")).to_contain_text("Both opening dice lie in the tray. Who starts?", timeout=120_000)
        page.get_by_role("button", name="Boris starts with 4-3").click()
        found = until(lambda: state(server)["dice"])
        assert (found["seat"], found["values"]) == ("far", [3, 4])

    with evening(database) as server, phoning(server, start):  # another evening: the tray is where it was
        page.goto(f"{server.url}setup")
        page.click("#use-phone")
        again = until(lambda: state(server)["camera"]["tray"])
        assert again == [[pytest.approx(v, abs=0.005) for v in corner] for corner in drawn]
        page.click("#no-tray")
        assert until(lambda: state(server)["camera"]["tray"] is None)


def test_the_camera_reads_what_lies_in_the_tray_and_the_tower_says_that_it_was_thrown(
    serve: Callable[..., Served], database: str, tower: Simulator
) -> None:
    """Under the strictest setting: both must speak. Dice on the field that the tower did not feel are asked about."""
    server = serve("serve", "--port", "0", "--db", database, "--tower", f"socket://127.0.0.1:{tower.port}", "--witnesses", "both")
    assert post(server, "camera", source="phone")[0] == 200
    start = picture("f000")
    with phoning(server, start) as phone:
        assert until(lambda: state(server)["camera"]["board"])
        assert post(server, "tray", corners=TRAY.tolist())[0] == 200
        assert post(server, "start_match", seq=0, names=["Anna", "Boris"])[0] == 200
        assert until(lambda: state(server)["phase"] == "opening")
        assert post(server, "turn", seq=state(server)["seq"], seat="near")[0] == 200
        tower.command("throw near")
        phone.show(with_dice(start, ((4, 1275, 297), (3, 1300, 640))))
        assert until(lambda: state(server)["dice"])
        found = state(server)
        assert (found["dice"]["seat"], sorted(found["dice"]["values"]), found["doubt"]) == ("near", [3, 4], None)
        assert post(server, "undo", seq=found["seq"])[0] == 200

        phone.show(with_dice(start, ((4, 1060, 420), (3, 1120, 470))))
        assert until(lambda: state(server)["doubt"])
        assert "the tower felt no throw" in state(server)["doubt"]["text"]


def test_a_tray_that_cannot_be_one_is_refused_with_a_sentence(database: str, found_once: None) -> None:
    with evening(database) as server:
        over_the_field = [[0.3, 0.3], [0.5, 0.3], [0.5, 0.6], [0.3, 0.6]]
        assert post(server, "tray", corners=over_the_field)[1]["message"] == "There is no camera; choose one first."
        assert post(server, "camera", source="phone")[0] == 200
        assert "not found yet" in post(server, "tray", corners=over_the_field)[1]["message"]
        with phoning(server, picture("f000")):
            assert until(lambda: state(server)["camera"]["board"])
        for corners, says in (
            (over_the_field, "over the playing field"),
            ([[0.8, 0.2], [0.85, 0.8], [0.85, 0.2], [0.8, 0.8]], "cross one another"),
            ([[0.8, 0.2], [0.801, 0.2], [0.801, 0.202], [0.8, 0.202]], "too small"),
        ):
            status, body = post(server, "tray", corners=corners)
            assert (status, body["error"]) == (409, "no_tray")
            assert says in body["message"]
