"""The clock on the page: it counts by the server's time, stands after a restart until it is started, and can be set."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.waiting import until
from tests.web.conftest import Served, starter
from tests.web.pressing import opening, play, post, state


def say(server: Served, name: str, **body: Any) -> None:
    assert post(server, name, seq=state(server)["seq"], **body)[0] == 200


RULES = {
    "quick": "[clock]\ndelay_s = 0\novertime_s = 60", "generous": "[clock]\ndelay_s = 3\novertime_s = 60",
    "strict": "[clock]\ndelay_s = 0\novertime_s = 0", "pressed": 'turn_end = "clock"',
}
"""Sets with fewer seconds of a turn that cost nothing than any real one has, so that nobody waits for them here; one of another kind."""


def with_rules(database: Path) -> list[str]:
    """What `serve` is told to keep its matches there, under these rules too."""
    words = ["serve", "--port", "0", "--db", str(database)]
    for name, line in RULES.items():
        file = database.with_name(f"{name}.toml")
        file.write_text(f'name = "{name}"\nbase = "usbgf"\n{line}\n', encoding="utf-8")
        words += ["--rules", str(file)]
    return words


@pytest.fixture(scope="module")
def clocks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that those share who do not end it; each starts a match of its own on it."""
    with starter() as start:
        yield start(*with_rules(tmp_path_factory.mktemp("clocks") / "matches.db"))


def near_has_rolled(server: Served, reserve: float, rules: str = "quick", *, aids: bool = False) -> None:
    """A match begins in which near has rolled and both clocks stand, with ``reserve`` seconds left to him and 60 to far."""
    say(server, "start_match", names=["Anna", "Boris"], length=3, rules=rules, aids=aids)
    say(server, "start_game")
    say(server, "roll", dice=[3, 1])
    say(server, "clock_set", remaining=[reserve, 60])


def near_thinks(server: Served, reserve: float) -> None:
    """The same, and his clock runs."""
    near_has_rolled(server, reserve)
    say(server, "clock_start")


def test_the_clock_follows_the_turn(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=3, rules="usbgf")[0] == 200
    page.goto(server.url)
    expect(page.locator("#clock-near")).to_have_text(re.compile(r"^\d+:\d\d$"))
    page.click("#do-start_game")
    opening(page, 3, 1)
    running = page.locator("#clock-near.running")
    expect(running).to_have_text(re.compile(r"\+\d+$"))  # the free seconds run first
    first = running.text_content()
    expect(running).not_to_have_text(first or "")
    play(page, "8/5 6/5")
    expect(page.locator("#clock-far.running")).to_be_visible()
    expect(page.locator("#clock-near.running")).to_have_count(0)

    server.kill()
    again = serve("serve", "--port", str(server.port), "--db", database)
    expect(page.locator("#do-clock_start")).to_be_visible()
    expect(page.locator(".clock.running")).to_have_count(0)
    page.click("#correct")
    page.fill("#f-clock-far", "1:15")
    page.click("#dialog-yes")
    expect(page.locator("#clock-far")).to_have_text("1:15")
    page.click("#do-clock_start")
    expect(page.locator("#clock-far.running")).to_be_visible()
    assert state(again)["clock"]["running"] == "far"


def test_after_a_restart_every_page_says_that_the_clocks_stand(serve: Callable[..., Served], page: Page, database: str) -> None:
    ended = serve(*with_rules(Path(database)))
    near_thinks(ended, 60)
    ended.kill()
    server = serve("serve", "--port", "0", "--db", database)
    said = "Both clocks stand until somebody presses Start clocks."
    for name, place in (("scoreboard", "#last"), ("text", "#expected"), ("table", "#more")):
        page.goto(f"{server.url}{name}")
        expect(page.locator(place)).to_contain_text(said)
    page.set_viewport_size({"width": 390, "height": 844})
    button = page.locator("#do-clock_start")  # is where it is asked for, above the board
    expect(button).to_be_visible()
    box, board = button.bounding_box(), page.locator("#board").bounding_box()
    assert box is not None and board is not None and box["y"] + box["height"] < board["y"]
    button.click()
    expect(page.locator("#more")).to_be_hidden()
    expect(button).to_have_count(0)


@pytest.mark.skipif(sys.platform == "win32", reason="cannot: Windows has no signal that asks a process to end")
def test_what_a_player_had_thought_when_the_referee_was_ended_is_not_given_back_to_him(serve: Callable[..., Served], database: str) -> None:
    ended = serve(*with_rules(Path(database)))
    near_thinks(ended, 60)
    time.sleep(2.5)
    ended.process.send_signal(signal.SIGINT)
    assert ended.process.wait(120) == 0
    clock = state(serve(*with_rules(Path(database))))["clock"]
    assert clock["running"] is None and clock["remaining"][0] < 58


def test_the_page_parts_an_offer_from_what_else_it_says(clocks: Served, page: Page) -> None:
    near_has_rolled(clocks, 60)
    say(clocks, "resign", seat="near")
    page.goto(clocks.url)
    expect(page.locator("#more")).to_have_text(
        "Anna offers to resign a single game · 1 point. Both clocks stand until somebody presses Start clocks."
    )
    say(clocks, "clock_start")
    expect(page.locator("#more")).to_have_text("Anna offers to resign a single game · 1 point")


def test_the_page_in_words_has_what_is_left_to_each_and_what_money_is_won(clocks: Served, page: Page) -> None:
    near_has_rolled(clocks, 80)
    page.goto(f"{clocks.url}text")
    expect(page.locator("#score li").nth(0)).to_have_text("Anna: 0 1:20")
    say(clocks, "start_match", names=["Anna", "Boris"], length=0, stake=5, unit="EUR")
    say(clocks, "score", score=[0, 2])
    expect(page.locator("#score li").nth(0)).to_have_text("Anna: 0, −2 (−10 EUR)")


def test_after_a_press_of_the_clock_nobody_waits_for_a_hand_that_no_camera_sees(clocks: Served) -> None:
    say(clocks, "start_match", names=["Anna", "Boris"], length=3, rules="pressed")
    say(clocks, "start_game")
    say(clocks, "roll", dice=[3, 1])
    say(clocks, "press", seat="near")
    found = state(clocks)
    assert (found["phase"], found["clock"]["running"], found["expected"]["text"]) == ("judging", "far", "Anna to play 3-1")
    say(clocks, "play", play="8/5 6/5")
    assert state(clocks)["expected"]["text"] == "Boris to roll or double"


def test_an_open_page_goes_on_into_overtime_and_says_so(clocks: Served, page: Page) -> None:
    """No event comes when a reserve runs out: the page goes on by itself."""
    near_has_rolled(clocks, 0.5, "generous")
    page.goto(clocks.url)
    expect(page.locator("#do-clock_start")).to_be_visible()
    say(clocks, "clock_start")
    clock = page.locator("#clock-near.running")
    expect(clock).to_have_text(re.compile(r"^0:01"))
    seq = page.locator("body").get_attribute("data-seq")
    expect(clock).to_have_text(re.compile(r"^overtime 0:5\d$"))
    first = clock.text_content()
    expect(clock).not_to_have_text(first or "")
    assert page.locator("body").get_attribute("data-seq") == seq


@pytest.mark.parametrize("language", ["en", "de"])
def test_in_overtime_too_the_pips_are_whole_in_a_window_of_any_width(clocks: Served, page: Page, language: str) -> None:
    near_has_rolled(clocks, 0.01, "generous", aids=True)
    page.goto(f"{clocks.url}table?lang={language}")
    say(clocks, "clock_start")
    expect(page.locator("#clock-near .label")).to_be_visible()
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    for width in (1440, 1366, 1281, 1100, 1024, 993, 800, 641, 320):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.eval_on_selector_all("#near :is(.seat, .clock)", cut) == [], width


def test_a_clock_on_the_wall_that_is_put_right_changes_no_players_time(clocks: Served, page: Page) -> None:
    """The computer's or the phone's time of day jumps by an hour while a player's clock runs."""
    near_thinks(clocks, 3000)
    page.context.add_init_script("Date.now = ((now) => () => now() + (window.jump ?? 0))(Date.now)")
    jumped = {-3600_000: page, 3600_000: page.context.new_page()}
    for jump, one in jumped.items():
        one.goto(clocks.url)
        expect(one.locator("#clock-near.running")).to_have_text(re.compile(r"^(50:00|49:5\d)"))
        one.evaluate(f"window.jump = {jump}")
    page.wait_for_timeout(6000)  # a beat and more
    for one in jumped.values():
        expect(one.locator("#clock-near.running")).to_have_text(re.compile(r"^(50:00|49:[345]\d)"))


def test_a_clock_goes_on_while_the_line_is_gone(serve: Callable[..., Served], page: Page, database: str) -> None:
    """A page may be older than the computer's last start: what it counts from is still what the server told it."""
    server = serve(*with_rules(Path(database)))
    near_thinks(server, 3000)
    page.add_init_script("performance.now = ((now) => () => now() + 1e10)(performance.now.bind(performance))")
    page.goto(server.url)
    clock = page.locator("#clock-near.running")
    expect(clock).to_have_text(re.compile(r"^49:5[0-8]$"))
    server.kill()
    expect(page.locator("body")).to_have_class(re.compile("stale"))
    first = clock.text_content()
    expect(clock).not_to_have_text(first or "")
    expect(clock).to_have_text(re.compile(r"^49:[345]\d$"))


def test_setting_one_clock_gives_the_other_player_no_time_back(clocks: Served, page: Page) -> None:
    """No event comes while a clock runs down: the form begins with what the clocks show, and what is left as it is runs on."""
    near_has_rolled(clocks, 60)
    say(clocks, "clock_start")
    page.goto(clocks.url)
    expect(page.locator("#clock-near.running")).to_have_text(re.compile(r"^0:5[0-8]$"))
    page.click("#correct")
    shown = int(page.input_value("#f-clock-near").removeprefix("0:"))
    assert shown <= 58
    page.fill("#f-clock-far", "90")
    assert not page.evaluate("document.getElementById('f-clock-far').checkValidity()"), "minutes or seconds? nobody guesses"
    page.fill("#f-clock-far", "1:30")
    expect(page.locator("#clock-near.running")).to_have_text(re.compile(rf"^0:{shown - 2}$"))
    page.click("#dialog-yes")
    expect(page.locator("#clock-far")).to_have_text("1:30")
    assert state(clocks)["clock"]["remaining"][0] <= shown - 2


def test_the_overlay_shows_the_clocks_unless_a_stream_does_not_want_them(clocks: Served, page: Page) -> None:
    near_has_rolled(clocks, 75)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{clocks.url}overlay?clock=0")
    expect(page.locator("#near .name")).to_have_text("Anna")
    expect(page.locator(".clock")).to_have_count(0)
    page.goto(f"{clocks.url}overlay")
    expect(page.locator("#clock-near")).to_have_text("1:15")
    expect(page.locator("#clock-far")).to_have_text("1:00")
    say(clocks, "clock_start")
    expect(page.locator("#clock-near.running")).to_have_text(re.compile(r"^1:1\d$"))
    say(clocks, "clock_set", remaining=[0, 60])
    say(clocks, "clock_start")
    expect(page.locator("#clock-near.running.low")).to_have_text(re.compile(r"^overtime 0:5\d$"))
    say(clocks, "start_match", names=["Anna", "Boris"], length=3)
    expect(page.locator("#about")).to_contain_text("3 points")
    expect(page.locator(".clock:visible")).to_have_count(0)


def test_the_overlays_clocks_are_as_late_as_the_rest_of_it(clocks: Served, page: Page) -> None:
    """Nothing is shown before its time, and a running clock shows what it showed then."""
    near_thinks(clocks, 2000)
    page.goto(f"{clocks.url}table")
    expect(page.locator("#clock-near.running")).to_have_text(re.compile(r"^33:1[0-8]$"))
    page.goto(f"{clocks.url}overlay?delay=6")
    expect(page.locator("#clock-near.running")).to_have_text(re.compile(r"^33:"))  # until then it may show what went before
    late = reading(page)
    page.goto(f"{clocks.url}overlay")
    expect(page.locator("#clock-near.running")).to_be_visible()
    assert 5 <= late - reading(page) <= 10


def reading(page: Page) -> int:
    """The seconds of near's reserve that are shown."""
    minutes, seconds = page.locator("#clock-near").inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def test_whose_clock_runs_and_whose_turn_it_is_is_seen_where_a_browser_forces_its_own_colours(clocks: Served, page: Page) -> None:
    near_thinks(clocks, 3000)
    page.emulate_media(forced_colors="active")
    for name in ("table", "scoreboard"):
        page.goto(f"{clocks.url}{name}")
        expect(page.locator("#clock-near.running")).to_be_visible()
        grounds = [page.locator(f"#clock-{seat}").evaluate("(one) => getComputedStyle(one).backgroundColor") for seat in ("near", "far")]
        assert grounds[0] != grounds[1], name
    edges = [page.locator(f"#{seat}").evaluate("(one) => getComputedStyle(one).outlineStyle") for seat in ("near", "far")]
    assert edges == ["solid", "none"]


def test_once_a_flag_has_fallen_the_director_rules_what_comes_of_it(clocks: Served, page: Page) -> None:
    """That it fell is no ruling: the match may be given for another reason all the same."""
    near_has_rolled(clocks, 60, "strict")
    offered = page.locator("#f-what option[value=lost_on_time]")
    page.goto(clocks.url)
    page.click("#rule")
    expect(page.locator("#f-what")).to_be_visible()
    expect(offered).to_have_count(0)
    page.keyboard.press("Escape")
    say(clocks, "clock_set", remaining=[0.1, 60])
    say(clocks, "clock_start")
    expect(page.locator("#more")).to_contain_text("Anna’s time is up.")
    say(clocks, "award_match", seat="far")
    expect(page.locator("#rulings")).to_contain_text("Ruled: the match is Boris’s")
    say(clocks, "undo")
    page.click("#rule")
    expect(offered).to_have_text("Anna loses the match on time")
    expect(page.locator("#f-what")).to_have_value("lost_on_time")
    page.click("#dialog-yes")
    expect(page.locator("#rulings")).to_contain_text("Ruled: Anna’s time ran out; the match is Boris’s")


@pytest.mark.parametrize("ruled", [False, True])
def test_that_a_players_time_is_up_is_said_until_play_goes_on_all_the_same(clocks: Served, page: Page, *, ruled: bool) -> None:
    """He may finish his turn; once the other has had his, or the director has ruled, the pages say again what was played."""
    near_has_rolled(clocks, 0.1, "strict")
    say(clocks, "clock_start")
    assert until(lambda: state(clocks)["log"][-1]["type"] == "flagged")
    say(clocks, "play", play="8/5 6/5")
    page.goto(f"{clocks.url}scoreboard")
    expect(page.locator("#last")).to_have_text("Anna’s time is up.")
    if ruled:
        say(clocks, "penalise", seat="near", points=1, note="out of time")
    else:
        say(clocks, "roll", dice=[6, 2], seat="far")
        expect(page.locator("#last")).to_have_text("Anna’s time is up.")
        say(clocks, "play", play="24/18 13/11")
    expect(page.locator("#last")).to_contain_text("Anna 3-1" if ruled else "Boris 6-2")
    for name, place in (("text", "#expected"), ("table", "#voice")):
        page.goto(f"{clocks.url}{name}")
        expect(page.locator(place)).to_contain_text("to roll")
        expect(page.locator(place)).not_to_contain_text("time is up")
    page.click("#rule")
    expect(page.locator("#f-what option[value=lost_on_time]")).to_have_count(1)
    expect(page.locator("#f-what")).not_to_have_value("lost_on_time")


def test_the_overlay_says_a_loss_on_time_whole(clocks: Served, page: Page) -> None:
    near_has_rolled(clocks, 0.1, "strict")
    say(clocks, "names", names=["Katharina Baumann", "Alexander Schmidt"])
    say(clocks, "clock_start")
    page.goto(f"{clocks.url}overlay")
    expect(page.locator("#clock-near.flagged")).to_have_css("background-color", "rgb(179, 38, 30)")  # though it still runs
    assert until(lambda: state(clocks)["log"][-1]["type"] == "flagged"), "the page knows it first"
    say(clocks, "award_match", seat="far", on_time=True)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        for language, said in (("en", "the match is Alexander Schmidt’s"), ("de", "das Match geht an Alexander Schmidt")):
            page.goto(f"{clocks.url}overlay?lang={language}")
            expect(page.locator("#expected")).to_contain_text(said)
            assert page.locator("#expected").evaluate("(one) => one.scrollHeight <= one.clientHeight")
            assert page.locator(".middle").evaluate("(one) => one.scrollHeight <= one.parentElement.clientHeight")


def test_a_clock_on_the_scoreboard_stays_where_it_is_while_it_runs(clocks: Served, page: Page) -> None:
    """Beside what is said of its player there is room for it only while that is short, and the seconds beside it have run out."""
    for name, body in (
        ("start_match", {"names": ["Katharina Baumann", "Alexander Schmidt"], "length": 7, "rules": "usbgf"}), ("start_game", {}),
        ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("double", {"seat": "far"}),
    ):
        say(clocks, name, **body)
    page.goto(f"{clocks.url}scoreboard")
    for width, height in ((1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for act in ("clock_stop", "clock_start"):
            say(clocks, act)
            expect(page.locator("body")).to_have_attribute("data-seq", str(state(clocks)["seq"]))
            facts, clock = (page.locator(one).bounding_box() for one in ("#near .facts", "#clock-near"))
            assert facts is not None and clock is not None and clock["y"] >= facts["y"] + facts["height"], (width, act)
