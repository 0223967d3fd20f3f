"""Pages over a slow line: scripts do not wait for each other, nothing is fetched twice, texts come packed."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from referee.records.store import Store
from tests.web.cameras import PICTURES
from tests.web.conftest import Served
from tests.web.pressing import post
from tests.web.test_accessible import READY
from web import scripts
from web.app import create_app
from web.cli._service import make_house
from web.house import House

PACKED = {"Accept-Encoding": "gzip"}
SHELLS = ("table", "scoreboard", "text", "overlay", "matches", "matches/1", "setup", "camera", "nothing")
"""Every page, and the one that says there is none."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with Store(tmp_path / "m.db") as store:
        yield create_app(make_house(store)).test_client()


def begin(server: Served) -> None:
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=3)[0] == 200


def test_a_page_tells_the_browser_at_once_of_every_script_it_runs_and_of_no_other(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    begin(server)
    for path in SHELLS:
        ran: set[str] = set()
        page.on("response", lambda response, ran=ran: ran.add(response.url) if response.request.resource_type == "script" else None)
        page.goto(f"{server.url}{path}", wait_until="networkidle" if path == "nothing" else "load")
        if path in READY:
            expect(page.locator(READY[path]).first).to_be_attached()
        told = page.evaluate("[...document.querySelectorAll('[type=module], [rel=modulepreload]')].map((one) => one.src || one.href)")
        assert len(told) == len(set(told)), path
        assert {one for one in ran if not one.endswith(("/shared.js", "/started.js"))} <= set(told), path  # the worker's; no module
        imported = page.evaluate(
            """async () => { const found = new Set(), wanted = [document.querySelector("script[src]").src];
              for (const one of wanted) {
                if (found.has(one)) continue;
                found.add(one);
                const text = await (await fetch(one)).text();
                for (const [, name] of text.matchAll(/^import [^;]*"([^"]+)";/gm)) wanted.push(new URL(name, one).href);
              }
              return [...found]; }"""
        )
        assert sorted(told) == sorted(imported), path


def test_what_a_browser_has_of_a_page_it_does_not_ask_for_again(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    begin(server)
    page.goto(f"{server.url}table")
    expect(page.locator("body[data-seq]")).to_be_attached()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    asked: list[str] = []
    kept: set[str] = set()
    session.on("Network.responseReceived", lambda event: asked.append(event["response"]["url"]))
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    fetched: list[str] = []
    session.on("Network.loadingFinished", lambda event: fetched.append(event["requestId"]) if event["encodedDataLength"] else None)
    names: dict[str, str] = {}
    session.on("Network.requestWillBeSent", lambda event: names.update({event["requestId"]: event["request"]["url"]}))
    page.goto(f"{server.url}table?again")
    expect(page.locator("body[data-seq]")).to_be_attached()
    assert any("/static/" in url for url in asked)
    assert not [names[one] for one in fetched if one not in kept and "/static/" in names.get(one, "")]


def test_other_scripts_have_another_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Browsers keep them for a year, and must not run those of the program before."""
    monkeypatch.setattr(scripts, "FOLDER", tmp_path)
    found = []
    for name, text in (("a.js", "1"), ("a.js", "2"), ("b.js", "2")):
        (tmp_path / name).write_text(text)
        scripts.made_of.cache_clear()
        found.append(scripts.address())
    scripts.made_of.cache_clear()
    assert len(set(found)) == 3


def test_texts_come_packed_to_whoever_unpacks_them(client: FlaskClient) -> None:
    static = scripts.address()
    for path in ("/t/1/table", f"{static}/js/board.js", f"{static}/css/base.css", "/api/v1/rules", "/api/v1/openapi.json"):
        whole = client.get(path)
        packed = client.get(path, headers=PACKED)
        assert whole.headers.get("Content-Encoding") is None
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in whole.headers["Vary"] and "Accept-Encoding" in packed.headers["Vary"]
        assert len(packed.data) < len(whole.data) / 2
        assert gzip.decompress(packed.data) == whole.data
        for plain in ("identity", "gzip;q=0", "br;q=0, gzip;q=0.0"):
            assert client.get(path, headers={"Accept-Encoding": plain}).data == whole.data
        assert client.get(path, headers={"Accept-Encoding": "br;q=0, gzip;q=0.5"}).headers["Content-Encoding"] == "gzip"
    kept = client.get(f"{static}/js/board.js", headers=PACKED)
    again = client.get(f"{static}/js/board.js", headers=PACKED | {"If-None-Match": kept.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_what_gains_nothing_is_not_packed(client: FlaskClient) -> None:
    """Letters and pictures are packed already, and a stream must come piece by piece."""
    for path in (f"{scripts.address()}/fonts/inter-latin.woff2", "/api/v1/me"):
        assert client.get(path, headers=PACKED).headers.get("Content-Encoding") is None
    with client.get("/api/v1/stream", headers=PACKED) as stream:
        assert stream.headers.get("Content-Encoding") is None
        assert next(iter(stream.response)).startswith(b"retry")


def test_the_set_up_page_is_told_once_how_the_table_stands(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    begin(server)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(f"{server.url}api/v1/")))
    page.goto(f"{server.url}setup")
    expect(page.locator("#f-near")).to_have_value("Anna")
    expect(page.locator("#start")).to_be_enabled()
    assert "rules" in asked and "state" not in asked


class Quick:
    """Eyes that have a new picture whenever they are asked how they are, and take half a second to hand one over."""

    count = 0

    def status(self) -> dict[str, Any]:
        self.count += 1
        return {"status": "looking", "text": "Looking for the board.", "picture": self.count, "board": False, "tray": None, "die": None}

    def whole(self) -> bytes:
        time.sleep(0.5)
        return (PICTURES / "f000.jpg").read_bytes()

    picture = property(whole)

    def saw(self) -> None: ...


@pytest.mark.parametrize(("place", "shown", "asked"), [("setup", "whole", "whole.jpg"), ("table", "picture", "picture.jpg")])
def test_pictures_that_come_faster_than_the_line_carries_them_are_seen_all_the_same(
    house: House, page: Page, place: str, shown: str, asked: str
) -> None:
    """Each was given up for the next one, and none was ever seen."""
    house.eyes = Quick()
    given_up: list[str] = []
    page.on("requestfailed", lambda request: given_up.append(request.url) if asked in request.url else None)
    # one that is shown has no width any more from when the next is asked for: it is told as it comes
    page.add_init_script("document.addEventListener('load', ({ target }) => { if (target.naturalWidth) window.came = target.id; }, true)")
    page.goto(f"{house.address}{place}")
    for _ in range(100):
        house.hub.announce("camera")
        page.wait_for_timeout(150)
        if page.evaluate("window.came") == shown:
            break
    else:
        raise AssertionError("no picture was seen")
    assert given_up == []


class Still(Quick):
    """Eyes that have one picture and no other, as of a phone that was lost since."""

    def status(self) -> dict[str, Any]:
        return super().status() | {"picture": 7}


@pytest.mark.parametrize(("place", "shown", "asked"), [("setup", "whole", "whole.jpg"), ("table", "picture", "picture.jpg")])
def test_a_picture_that_did_not_come_is_asked_for_again(house: House, page: Page, place: str, shown: str, asked: str) -> None:
    house.eyes = Still()
    page.route(f"**/{asked}*", lambda route: route.abort(), times=1)
    page.goto(f"{house.address}{place}")
    expect(page.locator(f"#{shown}")).not_to_have_js_property("naturalWidth", 0)
