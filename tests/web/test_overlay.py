"""What a stream shows: the overlay, in sources of every size, with long names, a delay, or no line."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.match import commands as c
from referee.match.events import Logged
from referee.match.folding import apply
from referee.match.state import MatchState
from referee.match.table import open_table
from referee.records.store import Store
from referee.rules.ruleset import ClockMode, ClockRules
from tests.web.conftest import Here, Served
from tests.web.pressing import LONG, says, shows, state
from web.access import Rank
from web.cli._service import make_house
from web.house import House

LONG_EVENT = "Internationales Backgammon-Freundschaftsturnier der Landeshauptstadt, Hauptrunde der zweiten Chance"
CUT = """() => {
  const what = document.querySelector("#expected .what");
  return what.getBoundingClientRect().right - what.parentElement.getBoundingClientRect().right;
}"""
"""By how many pixels the play reaches out of its line."""
WHOLE = """() => {
  const line = document.querySelector("#about").getBoundingClientRect();
  const lies = (box) => box.top >= line.top - 1 && box.bottom <= line.bottom + 1 && box.right <= line.right + 1;
  const texts = document.createTreeWalker(document.querySelector("#about"), NodeFilter.SHOW_TEXT), said = [];
  while (texts.nextNode()) {
    const { parentElement } = texts.currentNode, range = document.createRange();
    range.selectNode(texts.currentNode);
    const box = (parentElement.className === "short" ? parentElement : range).getBoundingClientRect();
    if (lies(box)) said.push(parentElement.scrollWidth > parentElement.clientWidth ? "…" : texts.currentNode.data);
    else if (box.top < line.bottom - 1) said.push("cut");
  }
  return said.join("");
}"""
"""What the upper line shows: "…" for what is shortened."""
OVERLAID = """() => [...document.querySelectorAll("#overlay .player :is(.name, .facts, .clock, .points)")].filter((one) => {
  const row = one.closest(".player").getBoundingClientRect();
  const { top, right, bottom } = one.getBoundingClientRect();
  const cut = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
  return !one.hidden && (cut || top < row.top - 1 || bottom > row.bottom + 1 || right > row.right + 1);
}).map((one) => one.outerHTML.slice(0, 90))"""
"""What on the overlay is shortened or reaches out of its player's line."""


def test_the_overlay_is_drawn_smaller_where_it_does_not_fit_and_stays_as_designed_where_it_does(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=7, rules="usbgf")
    say("start_game")
    page.goto(f"{table.url}overlay?board=1")
    shows(page, table)
    for width, height in ((1920, 1080), (1280, 720), (1024, 600), (640, 360), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        for place in ("#overlay", "#board"):
            box = page.locator(place).bounding_box()
            assert box is not None and box["x"] >= 0 and box["y"] >= 0, (place, width)
            assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height, (place, width)
            if place == "#overlay":
                assert (round(box["width"]) == 1200) == (width >= 1280), width


@pytest.mark.parametrize(("left", "wide"), [(40, 2400), (2640, 1200)])
def test_the_overlay_is_as_large_in_a_4k_source_as_in_any(table: Served, page: Page, left: int, wide: int) -> None:
    """Unless a theme has put it where it has no room to be larger."""
    page.set_viewport_size({"width": 3840, "height": 2160})
    page.goto(f"{table.url}overlay?board=1")
    page.evaluate("left => document.getElementById('overlay').style.setProperty('--o-left', `${left}px`)", left)
    page.evaluate("dispatchEvent(new Event('resize'))")
    box = page.locator("#overlay").bounding_box()
    assert box is not None and (round(box["x"]), round(box["width"])) == (left, wide)


def test_the_custom_css_of_a_stream_program_counts_on_the_overlay(table: Served, page: Page) -> None:
    page.goto(f"{table.url}overlay")
    page.evaluate("""() => {
      const style = document.createElement("style");   // as OBS puts it in
      style.append(".overlay { --o-left: 60px; --o-accent: gold }");
      document.head.append(style);
    }""")
    box = page.locator("#overlay").bounding_box()
    assert box is not None and round(box["x"]) == 60


def test_the_overlay_says_that_the_line_is_gone_and_catches_up(serve: Callable[..., Served], page: Page, tmp_path: Path) -> None:
    server = serve("serve", "--port", "0", "--db", str(tmp_path / "matches.db"))
    says(server)("start_match", names=LONG, length=7)
    page.goto(f"{server.url}overlay?board=1&delay=1")
    page.wait_for_selector("#about .what:has-text('7 points')")
    lost = page.get_by_text("Connection lost: reconnecting")
    expect(lost).to_be_hidden()
    server.kill()
    expect(lost).to_be_visible()
    expect(page.locator("#expected")).to_be_hidden()
    again = serve("serve", "--port", str(server.port), "--db", str(tmp_path / "matches.db"))
    says(again)("names", names=["Anna", "Boris"])
    expect(lost).to_be_hidden()
    expect(page.locator("#near .name")).to_have_text("Anna")


def test_the_overlay_tells_what_the_scoreboard_tells(table: Served, page: Page) -> None:
    say, told = says(table), page.locator("#expected")
    page.goto(f"{table.url}overlay?board=1")
    say("start_match", names=["Anna", "Boris"], length=3)
    say("start_game")
    say("roll", dice=[3, 1])
    expect(told).to_have_text("Anna 3-1")
    say("play", play="8/5 6/5")
    expect(told).to_have_text("Anna 8/5 6/5")
    say("double")
    expect(told).to_have_text("Boris offers the cube at 2 · Anna: take or drop?")
    say("drop")
    expect(told).to_have_text("Anna drops · Boris wins 1 point")
    expect(page.locator("#board .cube")).to_have_count(1)
    say("score", score=[0, 2])
    expect(page.locator("#about")).to_have_text("3 points · Game 1 · next: Crawford game")
    say("start_game")
    expect(page.locator("#about")).to_have_text("3 points · Game 2 · Crawford game")
    expect(page.locator("#board .cube")).to_have_count(0)
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    say("resign", seat="far")
    expect(told).to_have_text("Boris offers 1 point · Anna: accept the resignation?")
    say("accept")
    expect(told).to_have_text("Anna wins 1 point")
    expect(page.locator("#about")).to_have_text("3 points · Game 2 · next: post-Crawford")
    say("start_game")
    say("award_match", seat="near")
    expect(told).to_have_text("Anna has won the match · Ruled: the match is Anna’s")
    say("start_match", names=["Anna", "Boris"], length=1)
    say("start_game")
    shows(page, table)
    expect(page.locator("#board .cube")).to_have_count(0)


def test_the_overlay_tells_of_a_cube_that_was_turned_and_is_nobodys(table: Served, page: Page) -> None:
    """An automatic double is said once; what is played for is told as long as it is so."""
    say = says(table)
    page.goto(f"{table.url}overlay")
    say("start_match", names=["Anna", "Boris"], length=0, rules="money")
    say("start_game")
    expect(page.locator("#about")).to_have_text("Money game · Game 1")
    say("cube", value=4, owner=None)
    expect(page.locator("#about")).to_have_text("cube 4 · Money game · Game 1")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    say("double")
    expect(page.locator("#about")).to_have_text("Money game · Game 1")
    say("take")
    expect(page.locator("#near .facts")).to_contain_text("cube 8")
    expect(page.locator("#about")).to_have_text("Money game · Game 1")


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_overlay_shortens_a_name_and_never_the_play(table: Served, page: Page, size: tuple[int, int]) -> None:
    say = says(table)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}overlay")
    say("start_match", names=LONG, length=3)
    say("start_game")
    say("roll", dice=[6, 5])
    expect(page.locator("#expected .what")).to_have_text("6-5")
    assert page.evaluate(CUT) <= 0
    say("play", play="24/18 13/8")
    expect(page.locator("#expected .what")).to_have_text("24/18 13/8")
    assert page.evaluate(CUT) <= 0
    say("double")
    for language, asked in (("en", "take or drop?"), ("de", "annehmen oder ablehnen?")):
        page.goto(f"{table.url}overlay?lang={language}")
        expect(page.locator("#expected")).to_contain_text(asked)
        for name in LONG:  # a sentence has three lines: there is room for both
            expect(page.locator("#expected")).to_contain_text(name)
        assert page.evaluate("document.getElementById('expected').scrollHeight <= document.getElementById('expected').clientHeight")


def test_the_overlay_has_room_for_clock_cube_and_pips_beside_a_name(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Katharina Baumann", "Alexander Schmidt"], length=25, rules="usbgf", aids=True)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("double")
    say("take")
    say("clock_set", remaining=[4000, 0])
    say("clock_start")
    page.add_init_script("performance.now = ((now) => () => now() + (window.later ?? 0))(performance.now.bind(performance))")
    for language, owned, over in (("en", "cube 2 · 156 pips", "overtime"), ("de", "Doppler 2 · 156 Pips", "Zusatzzeit")):
        page.goto(f"{table.url}overlay?lang={language}")
        expect(page.locator("#near .facts")).to_have_text(owned)
        expect(page.locator("#near .clock")).to_have_text("1:06:40")
        page.evaluate("window.later = 12_500")  # the free seconds are over
        expect(page.locator("#far .clock")).to_contain_text(over)
        assert page.evaluate(OVERLAID) == []
    say("start_match", names=["Katharina Baumann", "Alexander Schmidt"], rules="money", aids=True)
    say("score", score=[0, 118])
    expect(page.locator("#far .points")).to_have_text("118")
    assert page.evaluate(OVERLAID) == []


def test_the_longest_names_are_whole_on_the_overlay_beside_their_clocks(table: Served, page: Page) -> None:
    say = says(table)
    page.set_viewport_size({"width": 1280, "height": 720})
    for names, long in ((LONG, 2), (["Katharina Baumann", "Bo"], 0)):
        say("start_match", names=names, length=7, rules="usbgf")
        page.goto(f"{table.url}overlay")
        shows(page, table)
        expect(page.locator("#near .clock")).to_be_visible()
        expect(page.locator(".player .name.long")).to_have_count(long)
        assert page.eval_on_selector_all(".player .name", "all => all.map((one) => one.scrollWidth - one.clientWidth)") == [0, 0]


def test_the_longest_names_are_whole_on_the_overlay_while_their_clocks_run(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=25, rules="usbgf", aids=True)
    say("start_game")
    say("roll", dice=[3, 1])
    say("cube", value=512, owner="near")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{table.url}overlay")
    expect(page.locator("#near .clock.running")).to_contain_text("+")
    cut = "all => all.map((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)"
    assert page.eval_on_selector_all(".player .name", cut) == [False, False]
    assert page.evaluate(OVERLAID) == []
    room = page.eval_on_selector_all(".player .said", "all => all.map((one) => one.clientWidth)")
    assert room[0] == room[1]  # else a name changed its size with every turn


def test_a_long_event_is_kept_whole_and_hides_no_length_on_the_overlay(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5, event=LONG_EVENT)
    assert state(table)["event"] == LONG_EVENT
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{table.url}overlay")
    expect(page.locator("#about")).to_have_text(f"{LONG_EVENT} · 5 points · Game 1")
    assert page.evaluate(CUT.replace("#expected", "#about")) <= 0


def test_on_the_overlay_a_long_event_gives_way_to_cube_stake_and_game(table: Served, page: Page) -> None:
    """Before they are cut it is shortened, and where there is no room for a word of it, it is not shown; a stake is shortened last."""
    say = says(table)
    page.set_viewport_size({"width": 1920, "height": 1080})
    for event, stake, unit, shown in (
        ("Open", 5, "EUR", "Open · cube 64 · Money game, 5 EUR a point · Game 1"),
        (LONG_EVENT, 5, "EUR", "… · cube 64 · Money game, 5 EUR a point · Game 1"),
        (LONG_EVENT, 1, "Franken", "cube 64 · Money game, 1 Franken a point · Game 1"),
        (LONG_EVENT, 1_000_000, "Schweizer Fr", "cube 64 · … · Game 1"),
    ):
        say("start_match", names=["Anna", "Boris"], length=0, rules="money", event=event, stake=stake, unit=unit)
        say("start_game")
        say("cube", value=64, owner=None)
        page.goto(f"{table.url}overlay")
        shows(page, table)
        assert page.evaluate(WHOLE) == shown


class AnHourAgo(datetime):
    """What happens now was written down an hour ago."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> AnHourAgo:
        return cls.fromtimestamp(time.time() - 3600, tz)


def test_how_the_table_was_is_told_without_folding_its_log_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A late overlay asks for it once a second until its delay is over, of an evening's money game with thousands of events."""
    say = says(Here(house.address))
    with monkeypatch.context() as earlier:
        earlier.setattr("referee.match.table.datetime", AnHourAgo)
        say("start_match", names=["Anna", "Boris"], length=3)
        say("start_game")
        say("roll", dice=[3, 1])
        say("play", play="8/5 6/5")
        say("undo")
        then = house.state(Rank.VIEWER, "en")
    say("play", play="6/3 3/2")
    say("undo")
    folded: list[int] = []

    def counted(state: MatchState, logged: Logged) -> MatchState:
        folded.append(logged.seq)
        return apply(state, logged)

    monkeypatch.setattr("referee.match.folding.apply", counted)
    assert house.state(Rank.VIEWER, "en", ago=600.0) == then
    assert house.state(Rank.VIEWER, "en", ago=600.0)["seq"] == 5
    assert not folded


def test_a_late_overlay_shows_at_once_how_the_table_was(house: House, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that is switched to is not empty until the delay is over, and shows nothing before its time."""
    say = says(Here(house.address))
    with monkeypatch.context() as earlier:
        earlier.setattr("referee.match.table.datetime", AnHourAgo)
        say("start_match", names=["Anna", "Boris"], length=3)
        say("start_game")
        say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    page.goto(f"{house.address}overlay?delay=500")
    expect(page.locator("#expected")).to_have_text("Anna 3-1")
    expect(page.locator("#near .name")).to_have_text("Anna")


def killed_an_hour_ago(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match in which Boris's time ran then."""
    with monkeypatch.context() as earlier:
        earlier.setattr("referee.match.table.datetime", AnHourAgo)
        table = open_table(store.latest(), clock=lambda: time.monotonic() - 3600)
        table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5, clock=ClockRules(mode=ClockMode.FISCHER)))
        for one in (c.StartGame(seen_seq=1), c.EnterRoll(seen_seq=2, dice=(3, 1)), c.EnterPlay(seen_seq=3, play="8/5 6/5")):
            assert isinstance(table.command(one), c.Accepted)
    assert table.state.clock is not None and table.state.clock.since is not None


def test_a_late_overlay_tells_of_no_flag_while_the_program_was_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the clocks stood is logged only when it is started again."""
    with Store(tmp_path / "m.db") as store:
        killed_an_hour_ago(store, monkeypatch)
        house = make_house(store)
        shown, late = (house.state(Rank.VIEWER, "en", ago)["clock"] for ago in (0.0, 60.0))
    assert shown["running"] is None
    assert (late["running"], late["flagged"], late["remaining"]) == (None, None, shown["remaining"])


def test_a_table_that_starts_where_nothing_can_be_kept_tells_of_no_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the clocks stand cannot be logged until then."""
    with Store(tmp_path / "m.db") as store:
        killed_an_hour_ago(store, monkeypatch)
        for kept in ("ON", "OFF"):
            with closing(store._engine.raw_connection()) as db:
                db.cursor().execute(f"PRAGMA query_only = {kept}")
            if kept == "ON":
                house = make_house(store)
            house.desk.tick()
            shown = house.state(Rank.VIEWER, "en")
            assert ("read-only" in shown["trouble"]) == (kept == "ON")
            assert (shown["clock"]["running"], shown["clock"]["flagged"]) == (None, None)


def test_a_late_overlay_shows_the_match_before_until_the_new_one_is_due(house: House, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the video does. Right after a start, when that is not known, it shows the beginning of this one: it is never empty."""
    say = says(Here(house.address))
    say("start_match", names=["Anna", "Boris"], length=3)
    page.goto(f"{house.address}overlay?delay=500")
    expect(page.locator("#near .name")).to_have_text("Anna")
    expect(page.locator("#about")).to_contain_text("3 points")
    with monkeypatch.context() as earlier:
        earlier.setattr("referee.match.table.datetime", AnHourAgo)
        say("start_match", names=["Carla", "Dora"], length=5)
        say("start_game")
        say("roll", dice=[3, 1])
    first = house.desk.match
    say("start_match", names=["Emil", "Fritz"], length=7)
    page.reload()
    expect(page.locator("#expected")).to_have_text("Carla 3-1")
    house.desk.reopen(first, house.desk.match)
    page.reload()
    expect(page.locator("#expected")).to_have_text("Carla 3-1")
