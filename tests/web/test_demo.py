"""The whole way through the house: the recorded game, real eyes, the pages, the match record."""

from __future__ import annotations

import signal
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import gnubg
from tests.web.conftest import Served
from tests.web.pressing import state

SAID = [
    "Both threw 5; throw again",
    "Boris starts with 5-2",
    "Boris’s play is illegal: Anna’s checker moved.",
    "Boris corrected to 10/5 6/5",
    "Anna: A die lies on a checker; throw again.",
    "Boris doubles to 2",
    "Anna takes at 2",
    "Anna: A die is cocked; throw again.",
    "Anna played 13/11*/9 7/5 6/4",
    "Boris cannot move",
    "Anna doubles to 4",
    "Boris drops",
    "Anna wins 2 points",
]
POSITION = {
    "points": [0, -1, 2, 2, 2, 2, 1, 0, 1, 0, 0, -3, 2, 0, 0, 0, -2, 0, -2, -3, -2, 1, 1, 1],
    "bar": [0, 2],
    "off": [0, 0],
}
FINAL = (
    "Anna: 1 on 24, 1 on 23, 1 on 22, 2 on 13, 1 on 9, 1 on 7, 2 on 6, 2 on 5, 2 on 4, 2 on 3. "
    "Boris: 2 on the bar, 1 on 23, 3 on 13, 2 on 8, 2 on 6, 3 on 5, 2 on 4"
)
"""The position of the last picture, as it was built."""


def test_the_demo_to_the_end_of_the_game(serve: Callable[..., Served], page: Page, tmp_path: Path) -> None:
    server = serve("demo", "--no-browser", "--port", "0", "--speed", "1000")
    page.goto(server.url)
    expect(page.locator("#near")).to_contain_text("Anna")
    expect(page.locator("#camera img")).to_be_visible(timeout=300_000)
    expect(page.locator("body")).to_have_attribute("data-phase", "game_over", timeout=900_000)

    # Anna's redouble to 4 is dropped: two points
    expect(page.locator("#near .points")).to_have_text("2")
    expect(page.locator("#far .points")).to_have_text("0")
    said = page.locator("#rulings li > span:nth-child(2)").all_inner_texts()[::-1]
    for words in SAID:
        assert words in said, (words, said)
    # A checker taken off too early lies out of sight: it is called, or waited for until it is back.
    assert {"Anna corrected to 8/5* 8/4*", "Anna played 8/5* 8/4*"} & set(said)
    shown = page.locator("#board").get_attribute("aria-label")
    assert shown == FINAL
    now = state(server)
    assert now["doubt"] is None
    assert now["position"] == POSITION
    with urllib.request.urlopen(f"{server.url}api/v1/record.mat", timeout=60) as answer:
        record = answer.read().decode()
    assert gnubg.games(record, tmp_path) == [("left", 2)]


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be asked to end there")
@pytest.mark.parametrize("asked", ["SIGTERM", "SIGHUP"])  # its window is closed
def test_nothing_is_left_of_a_demo_that_is_asked_to_end(
    serve: Callable[..., Served], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = serve("demo", "--no-browser", "--port", "0")
    assert list(tmp_path.glob("referee-demo-*"))
    server.process.send_signal(getattr(signal, asked))
    assert server.process.wait(60) == 0
    assert list(tmp_path.glob("referee-demo-*")) == []
