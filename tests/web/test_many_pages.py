"""A browser has six lines to a server, and more pages than that may follow one table."""

from __future__ import annotations

import re
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from referee.records.store import Store
from tests.web.conftest import PATIENCE, Here, Served
from tests.web.pressing import post
from web.app import create_app
from web.cli._service import make_house
from web.scripts import address
from web.server import listen

PAGES = ("table", "scoreboard", "overlay?board=1", "text", "setup", "table", "scoreboard", "text", "overlay")


def begin(server: Served) -> None:
    """A match has been started over the API."""
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=3)[0] == 200


def test_nine_pages_of_one_browser_follow_the_table(alone: Here, page: Page) -> None:
    pages = [page, *(page.context.new_page() for _ in PAGES[1:])]
    for one, name in zip(pages, PAGES, strict=True):
        one.set_default_timeout(PATIENCE)
        one.goto(f"{alone.url}{name}")
    begin(alone)
    for one, name in zip(pages, PAGES, strict=True):
        if name != "setup":
            expect(one.locator("body")).to_contain_text("Anna")
    pages[0].close()  # whichever began the line, the others keep it
    assert post(alone, "start_game", seq=1)[0] == 200
    assert post(alone, "roll", seq=2, dice=[3, 1])[0] == 200
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


def test_half_sent_requests_by_the_hundred_hold_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They had every place until they had been silent for half a minute; who is being answered keeps his."""
    monkeypatch.setattr("web.server.connections", lambda _streams: 60)
    with Store(tmp_path / "m.db") as store:
        server = listen(create_app(make_house(store)), "127.0.0.1", 0, 4)
        threading.Thread(target=server.run, daemon=True).start()
        followed = urllib.request.urlopen(f"http://127.0.0.1:{server.effective_port}/api/v1/stream", timeout=10)
        halves = [socket.create_connection(("127.0.0.1", server.effective_port)) for _ in range(100)]
        try:
            for one in halves:
                with suppress(OSError):  # it had to make room already
                    one.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            for _ in range(3):
                with urllib.request.urlopen(f"http://127.0.0.1:{server.effective_port}/api/v1/state", timeout=10) as answer:
                    assert answer.status == 200
            assert followed.readline()
        finally:
            followed.close()
            for one in halves:
                one.close()
            server.task_dispatcher.shutdown()
            server.close()


def test_a_page_that_comes_later_is_up_to_date_at_once(
    serve: Callable[..., Served], browser: Browser, page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--table", "7")
    begin(server)
    context = browser.new_context()
    context.add_init_script("delete window.SharedWorker")  # as on many phones
    followed = []
    for first in (page, context.new_page()):
        later = first.context.new_page()
        for one, name in ((first, "scoreboard"), (later, "table")):
            one.set_default_timeout(PATIENCE)
            one.goto(f"{server.url}{name}")
            expect(one.locator("body")).to_contain_text("Anna")
        expect(first.locator("#about")).to_contain_text("Table 7 · ")  # several tables may have theirs on one wall
        expect(later.locator("#line")).to_have_attribute("data-line", "live")
        followed += [first, later]
    server.kill()
    for one in followed:
        expect(one.locator("#line")).to_have_attribute("data-line", "stale")
    again = serve("serve", "--port", str(server.port), "--db", database)
    for one in followed:
        expect(one.locator("#line")).to_have_attribute("data-line", "live")
    assert post(again, "start_game", seq=1)[0] == 200
    assert post(again, "roll", seq=2, dice=[3, 1])[0] == 200
    for one in followed:
        expect(one.locator("body")).to_contain_text("3-1")
    context.close()


def test_an_open_page_takes_the_name_that_its_table_has_since_it_was_started_again(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--table", "7")
    begin(server)
    opened = {which: page.context.new_page() for which in ("scoreboard?board=0", "table", "overlay", "text", "setup")}
    for which, one in opened.items():
        one.goto(f"{server.url}t/7/{which}")
        expect(one.locator("body")).to_contain_text("Anna")
    server.kill()
    serve("serve", "--port", str(server.port), "--db", database, "--table", "hall-8")
    for which, one in opened.items():
        expect(one).to_have_title(re.compile(" hall-8 ·"))
        assert one.url == f"{server.url}t/hall-8/{which}"
        expect(one.locator("body")).to_contain_text("Anna")


def test_an_open_page_is_loaded_again_once_when_the_program_is_another(alone: Here, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.goto(f"{alone.url}scoreboard")
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    page.evaluate("document.body.dataset.old = 1")
    monkeypatch.setattr("web.house.made_of", lambda: "another")
    assert post(alone, "start_match", seq=0, names=["Anna", "Boris"], length=3)[0] == 200
    expect(page.locator("body[data-old]")).to_have_count(0)
    expect(page.locator("body")).to_contain_text("Anna")
    page.evaluate("document.body.dataset.old = 1")
    assert post(alone, "start_game", seq=1)[0] == 200
    expect(page.locator("body")).to_have_attribute("data-seq", "2")
    expect(page.locator("body[data-old]")).to_have_count(1)


def test_a_page_that_is_on_its_way_anew_is_not_asked_for_once_more(alone: Here, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow program would be asked with every throw, and never have sent it whole."""
    page.goto(f"{alone.url}scoreboard")
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    asked: list[Route] = []
    page.route("**/scoreboard", lambda route: asked.append(route))
    monkeypatch.setattr("web.house.made_of", lambda: "another")
    for seq, (name, body) in enumerate([("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("start_game", {})]):
        assert post(alone, name, seq=seq, **body)[0] == 200
        page.wait_for_timeout(700)
    assert len(asked) == 1
    asked[0].continue_()
    expect(page.locator("body")).to_have_attribute("data-seq", "2")


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


class Proxy(ThreadingHTTPServer):
    """What stands before the server whose address is ``behind``."""

    daemon_threads = True
    behind = ""


class Buffering(BaseHTTPRequestHandler):
    """A proxy that passes an answer on when it is whole, as some virus scanners do: of one that never ends comes nothing."""

    server_version = "Buffering"
    server: Proxy

    def do_GET(self) -> None:
        asked = urllib.request.Request(f"{self.server.behind}{self.path[1:]}", headers={"accept-language": "en"})
        with suppress(OSError), urllib.request.urlopen(asked, timeout=60) as answer:
            whole = answer.read()
            self.send_response(answer.status)
            for name in ("content-type", "server-time"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("content-length", str(len(whole)))
            self.end_headers()
            self.wfile.write(whole)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def buffered() -> Iterator[Callable[[Served], str]]:
    """The address of a proxy before a server."""
    proxy = Proxy(("127.0.0.1", 0), Buffering)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()

    def before(server: Served) -> str:
        proxy.behind = server.url
        return f"http://127.0.0.1:{proxy.server_address[1]}/"

    yield before
    proxy.shutdown()
    proxy.server_close()


@pytest.mark.parametrize("why", ["all places are taken", "it is held back on the way"])
def test_whoever_gets_no_stream_sees_the_table_all_the_same(
    serve: Callable[..., Served], browser: Browser, page: Page, database: str, why: str, buffered: Callable[[Served], str]
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--streams", "1")
    begin(server)
    url = server.url
    if why == "all places are taken":
        page.goto(f"{server.url}scoreboard")
        expect(page.locator("#line")).to_have_attribute("data-line", "live")
        context = browser.new_context()  # somebody else's browser
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
    else:
        url = buffered(server)
    page.goto(f"{url}table")
    expect(page.locator("body")).to_contain_text("Anna")
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    assert post(server, "start_game", seq=1)[0] == 200
    assert post(server, "roll", seq=2, dice=[3, 1])[0] == 200
    expect(page.locator("body")).to_contain_text("3-1")
    server.kill()
    expect(page.locator("#line")).to_have_attribute("data-line", "stale")
    page.close()
