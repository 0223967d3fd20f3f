"""The lid is shut in the middle of a game: the service's own process, whose C library tells it that the computer has slept."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.waiting import until
from tests.web.conftest import Served
from tests.web.pressing import says, state

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or not sys.platform.startswith("linux"), reason="cannot: needs gcc and Linux's clocks"
)
CLOCKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t which, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int found = real(which, at);
    FILE *file = which == CLOCK_BOOTTIME ? fopen(getenv("SLEPT"), "r") : NULL;
    long seconds = 0;
    if (file && fscanf(file, "%ld", &seconds) == 1) at->tv_sec += seconds;
    if (file) fclose(file);
    return found;
}
"""
"""The clock that goes on while a computer sleeps has gone on by as many seconds as a file says."""

STOOD = "The referee stood still, as when the computer sleeps; what was done meanwhile nobody saw."
Sleep = Callable[[int], None]


@pytest.fixture
def sleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sleep:
    """Has what is started from now on believe that the computer slept for so many seconds."""
    source, made, slept = tmp_path / "clocks.c", tmp_path / "clocks.so", tmp_path / "slept"
    source.write_text(CLOCKS)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True, capture_output=True)
    monkeypatch.setenv("LD_PRELOAD", str(made))
    monkeypatch.setenv("SLEPT", str(slept))

    def fall_asleep(seconds: int) -> None:
        slept.with_suffix(".new").write_text(str(seconds))
        slept.with_suffix(".new").rename(slept)

    return fall_asleep


def test_a_sleep_is_seen_at_whatever_the_program_was_and_once(sleep: Sleep) -> None:
    program = "from web.asleep import Watch\nwatch = Watch()\nwhile input():\n    print(watch.stood_still(), flush=True)"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for hours, stood in ((0, "False\n"), (2, "True\n"), (2, "False\n"), (3, "True\n")):
            sleep(hours * 3600)
            print("ask", file=running.stdin, flush=True)
            assert running.stdout.readline() == stood
        print(file=running.stdin, flush=True)


def near_plays(server: Served) -> None:
    """A game with clocks, of which near's runs."""
    say = says(server)
    say("start_match", names=["Anna", "Boris"], length=3, rules="usbgf")
    say("start_game")
    say("roll", dice=[3, 1])


def test_both_clocks_stand_after_a_sleep_until_a_person_starts_them(
    sleep: Sleep, serve: Callable[..., Served], database: str, page: Page
) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    near_plays(server)
    assert state(server)["clock"]["running"] == "near"
    page.goto(server.url)
    expect(page.locator("#clock-near.running")).to_be_visible()

    sleep(2 * 3600)
    expect(page.locator(".clock.running")).to_have_count(0)
    expect(page.locator("#more")).to_contain_text("Both clocks stand until somebody presses Start clocks.")
    expect(page.locator("#rulings")).to_contain_text(STOOD)
    reserve = state(server)["clock"]["remaining"]
    assert reserve[1] == 360 and 300 < reserve[0] <= 360, "nobody pays for the hours"
    page.click("#do-clock_start")
    expect(page.locator("#clock-near.running")).to_be_visible()

    sleep(2 * 3600 + 1)
    assert not until(lambda: not state(server)["clock"]["running"], 2), "a moment in which the computer did nothing is no sleep"
    sleep(3 * 3600)
    assert until(lambda: state(server)["clock"]["held"]), "and each sleep is one"


def test_a_program_that_was_held_has_let_no_clock_run_down_and_its_pages_come_back(
    serve: Callable[..., Served], database: str, page: Page
) -> None:
    """Ctrl-Z in its terminal."""
    server = serve("serve", "--port", "0", "--db", database)
    near_plays(server)
    page.goto(server.url)
    expect(page.locator("#clock-near.running")).to_be_visible()
    server.process.send_signal(signal.SIGSTOP)
    expect(page.locator("#line")).to_have_attribute("data-line", "stale")
    time.sleep(15)
    server.process.send_signal(signal.SIGCONT)
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    expect(page.locator(".clock.running")).to_have_count(0)
    assert state(server)["clock"]["remaining"][0] > 355, "hardly more than his free seconds had gone by"


def test_without_a_clock_only_a_game_that_is_on_is_told_of(sleep: Sleep, serve: Callable[..., Served], database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    sleep(3600)
    assert not until(lambda: state(server)["seq"], 1.5)
    say = says(server)
    say("start_match", names=["Anna", "Boris"], length=3)
    say("start_game")
    seq = state(server)["seq"]
    sleep(7200)
    assert until(lambda: state(server)["seq"] > seq)
    assert state(server)["log"][-1]["text"] == STOOD
    say("roll", dice=[3, 1])  # and play goes on
