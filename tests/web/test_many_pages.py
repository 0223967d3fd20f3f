"""A browser has six lines to a server, and more pages than that may follow one table."""

from __future__ import annotations

import socket
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.records.store import Store
from tests.web.conftest import PATIENCE, Served
from tests.web.test_by_hand import post
from web.app import create_app
from web.cli._service import make_house
from web.scripts import address
from web.server import listen

PAGES = ("table", "scoreboard", "overlay?board=1", "text", "setup", "table", "scoreboard", "text", "overlay")


def begin(server: Served) -> None:
    """A match has been started over the API."""
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=3)[0] == 200


def test_nine_pages_of_one_browser_follow_the_table(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    pages = [page, *(page.context.new_page() for _ in PAGES[1:])]
    for one, name in zip(pages, PAGES, strict=True):
        one.set_default_timeout(PATIENCE)
        one.goto(f"{server.url}{name}")
    begin(server)
    for one, name in zip(pages, PAGES, strict=True):
        if name != "setup":
            expect(one.locator("body")).to_contain_text("Anna")
    pages[0].close()  # whichever began the line, the others keep it
    assert post(server, "start_game", seq=1)[0] == 200
    assert post(server, "roll", seq=2, dice=[3, 1])[0] == 200
    expect(pages[1].locator("body")).to_contain_text("3-1")
    expect(pages[7].locator("body")).to_contain_text("3-1")


def test_connections_that_ask_for_nothing_keep_nobody_out_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.server.IDLE_S", 2)
    monkeypatch.setattr("web.server.connections", lambda _streams: 20)
    with Store(tmp_path / "m.db") as store:
        server = listen(create_app(make_house(store)), "127.0.0.1", 0, 4)
        threading.Thread(target=server.run, daemon=True).start()
        silent = [socket.create_connection(("127.0.0.1", server.effective_port)) for _ in range(40)]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.effective_port}/api/v1/state", timeout=30) as answer:
                assert answer.status == 200
        finally:
            for one in silent:
                one.close()
            server.task_dispatcher.shutdown()  # the thread that answered may be telling the server so
            server.close()


@pytest.mark.parametrize("without", [False, True], ids=["shared", "no shared workers"])
def test_a_page_that_comes_later_is_up_to_date_at_once(serve: Callable[..., Served], page: Page, database: str, without: bool) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    begin(server)
    if without:  # as on many phones
        page.context.add_init_script("delete window.SharedWorker")
    page.goto(f"{server.url}scoreboard")
    expect(page.locator("body")).to_contain_text("Anna")
    later = page.context.new_page()
    later.set_default_timeout(PATIENCE)
    later.goto(f"{server.url}table")
    expect(later.locator("body")).to_contain_text("Anna")
    expect(later.locator("#line")).to_have_attribute("data-line", "live")
    server.kill()
    for one in (page, later):
        expect(one.locator("#line")).to_have_attribute("data-line", "stale")
    again = serve("serve", "--port", str(server.port), "--db", database)
    for one in (page, later):
        expect(one.locator("#line")).to_have_attribute("data-line", "live")
    assert post(again, "start_game", seq=1)[0] == 200
    assert post(again, "roll", seq=2, dice=[3, 1])[0] == 200
    expect(page.locator("body")).to_contain_text("3-1")


def test_whoever_gives_the_directors_pin_sees_as_the_director_on_all_pages(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    director = server.said.split("PIN ")[2][:6]
    other = page.context.new_page()
    for one in (page, other):
        one.goto(f"{server.url}table")
        expect(one.locator("#line")).to_have_attribute("data-line", "live")
    other.evaluate(
        """async () => {
          const { follow } = await import("/static/js/line.js");
          const { language } = await import("/static/js/words.js");
          follow(`/api/v1/stream?lang=${language}`).addEventListener("state", (event) => {
            document.body.dataset.audience = JSON.parse(event.data).audience;
          });
        }""".replace("/static", address())
    )
    expect(other.locator("body")).to_have_attribute("data-audience", "viewer")
    page.evaluate(
        """async (pin) => {
          const { post } = await import("/static/js/api.js");
          await post("enter", { pin });
          dispatchEvent(new Event("rank"));
        }""".replace("/static", address()),
        director,
    )
    expect(other.locator("body")).to_have_attribute("data-audience", "director")
