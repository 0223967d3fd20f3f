"""A real server as a process of its own, and a real browser."""

from __future__ import annotations

import io
import logging
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee.records.store import Store
from web.app import create_app
from web.cli import run as command_line
from web.cli._service import make_house
from web.desk import Desk
from web.house import House
from web.server import listen

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SCRIPT = "from web.start import main; main()"
PATIENCE = 60_000
"""How long a page may take, in ms, before a test fails: a busy machine is no fault of the page."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser test that fails is run once more, and said to have been: a browser may miss any deadline on a starved machine."""
    for item in items:
        if "page" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@dataclass
class Served:
    """A running `referee` process and where it answers."""

    process: subprocess.Popen[str]
    url: str
    said: str = ""

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1].strip("/"))


def referee(*args: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Runs `referee` to its end."""
    return subprocess.run([sys.executable, "-c", SCRIPT, *args], capture_output=True, text=True, timeout=timeout)


def answer(*args: str) -> subprocess.CompletedProcess[str]:
    """What `referee` says and ends with, without a process of its own: for what it does nothing but answer."""
    heard, said, argv, handlers = io.StringIO(), io.StringIO(), sys.argv, logging.getLogger().handlers[:]
    sys.argv = ["referee", *args]
    try:
        with redirect_stdout(heard), redirect_stderr(said):
            status = command_line()
    finally:
        sys.argv, logging.getLogger().handlers[:] = argv, handlers  # `serve` keeps a log
    return subprocess.CompletedProcess(args, status, heard.getvalue(), said.getvalue())


@contextmanager
def starter() -> Iterator[Callable[..., Served]]:
    """Starts `referee` with the given arguments and waits until it says where it listens; ends it afterwards."""
    running: list[subprocess.Popen[str]] = []

    def start(*args: str) -> Served:
        process = subprocess.Popen([sys.executable, "-u", "-c", SCRIPT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"https?://[^ ]+/", line):
                return Served(process, found.group(0), said)
        raise AssertionError(f"the server did not start: {said!r} {process.communicate()[1]}")

    yield start
    for process in running:
        process.kill()
        _out, err = process.communicate()
        assert "Traceback" not in err, err


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """Starts a server of the test's own."""
    with starter() as start:
        yield start


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that tests share; each starts a match of its own on it."""
    with starter() as start:
        yield start("serve", "--port", "0", "--db", str(tmp_path_factory.mktemp("table") / "matches.db"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        opened = driver.chromium.launch(executable_path=path, args=args, timeout=6 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A laptop-sized page; a script's error or a refused resource fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()
    assert not faults, faults


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "matches.db")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A table at which a camera takes stills."""
    with Store(tmp_path / "m.db") as store:
        yield make_house(store, stills=True).desk


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """The house of a table that is served, at its ``address``, to which a test speaks as a camera does."""
    with Store(tmp_path / "m.db") as store, answering(make_house(store, stills=True, streams=4)) as made:
        yield made


@dataclass(frozen=True)
class Here:
    """Where a table answers that is served from this process."""

    url: str


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Here]:
    """A table of the test's own, at which no match was ever started, without a process of its own."""
    with Store(tmp_path / "matches.db") as store, answering(make_house(store)) as house:
        yield Here(house.address)
        house.analyst.stop()


@contextmanager
def answering(house: House) -> Iterator[House]:
    """``house``, served at its ``address`` from a thread of this process."""
    server = listen(create_app(house), "127.0.0.1", 0, house.places)
    house.address = f"http://127.0.0.1:{server.effective_port}/"
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    yield house
    house.hub.close()
    server.task_dispatcher.shutdown(timeout=60)  # its threads write to what `close` takes away
    for kept in list(server.active_channels.values()):
        kept.will_close = True  # a browser may ask something more on it, and the thread waits until nobody is connected
    server.pull_trigger()
    server.close()
    running.join(10)
