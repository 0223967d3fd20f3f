"""What people see on screens of every size: names beside a clock, one row of controls, the printed sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import LONG, opening, play, roll, says, shows, start, state
from web.scripts import address

SIZES = ((1024, 768), (768, 1024), (844, 390), (1366, 768), (390, 844))
LAID_OUT = """() => {
  const shown = ["chip", "name", "seat", "clock", "points"].map((one) => `.scoreline .${one}`).join();
  const parts = [...document.querySelectorAll(`${shown}, #about`)].map((one) => [one.getAttribute("class"), one.getBoundingClientRect()]);
  const meet = (p, q) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1;
  const over = parts.flatMap(([a, p], i) => parts.slice(i + 1).filter(([, q]) => meet(p, q)).map(([b]) => `${a} over ${b}`));
  const letter = (name) => parseFloat(getComputedStyle(name).fontSize) * .62;
  const letters = [...document.querySelectorAll(".scoreline .name")].map((name) => name.clientWidth / letter(name));
  return { over, letters: Math.min(...letters), wide: document.documentElement.scrollWidth > innerWidth };
}"""
"""What overlaps in the line of names, how many letters of the shorter one have room, whether the page is wider than the screen."""
WRAPPED = """() => [...document.querySelectorAll(".top button, .top nav a")].filter((one) => one.offsetWidth && one.offsetHeight > 40)
  .map((one) => one.textContent)"""
OUT_OF_SIGHT = """() => [...document.querySelectorAll("main :is(button, input, a, p, li, td, h1, .card):not(.scroll *)")].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  const cut = one.matches("p, li") && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
  return right > innerWidth + 1 || left < -1 || cut;
}).map((one) => one.outerHTML.slice(0, 90))"""
"""What reaches out of the screen at a side, or out of its own box."""


@pytest.mark.parametrize("names", [["Katharina Baumann", "Alexander Schmidt"], LONG], ids=["usual", "long"])
def test_both_names_can_be_read_beside_a_clock(table: Served, page: Page, names: list[str]) -> None:
    say = says(table)
    say("start_match", names=names, length=7, rules="usbgf")
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("double")
    page.goto(f"{table.url}table")
    for step in ("offered", "taken"):
        shows(page, table)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(LAID_OUT)
            assert seen["over"] == [], (step, width)
            assert seen["letters"] >= 8, (step, width)
            assert not seen["wide"], (step, width)
        if step == "offered":
            say("take")


def test_in_overtime_clock_and_pips_have_their_room_on_a_tablet(table: Served, page: Page) -> None:
    say = says(table)
    clock = {"mode": "simple_delay", "delay_s": 0, "overtime_s": 600}
    say("start_match", names=["Konstantinos Papadopoulos", "Wolfgang-Maximilian Schmidt"], length=25, rules="usbgf", clock=clock, aids=True)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("double")
    say("take")
    say("clock_set", remaining=[3000, 0.5])
    say("clock_start")
    page.goto(f"{table.url}table?lang=de")
    expect(page.locator("#clock-far")).to_contain_text("Zusatzzeit")
    for width, height in ((768, 1024), (820, 1180), (992, 744), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(LAID_OUT)
        assert (seen["over"], seen["wide"]) == ([], False), width
        if width < 992:  # else the side column stands beside it
            seats = "() => [...document.querySelectorAll('.seat')].every((one) => one.scrollWidth < one.clientWidth + 2)"
            assert page.evaluate(seats), width


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_a_phone_lying_down_shows_the_whole_board_and_what_is_pressed_next_without_scrolling(
    table: Served, page: Page, size: tuple[int, int]
) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=7, rules="usbgf")
    say("start_game")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}table")

    def seen(*places: str) -> None:
        shows(page, table)
        for place in places:
            box = page.locator(place).bounding_box()
            assert box is not None and box["x"] >= 0 and box["y"] >= 0, place
            assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1], place
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]

    seen("#board", "#expected", "#die-near-6")
    say("roll", dice=[3, 1])
    shows(page, table)
    for place in (8, 5, 6):
        page.click(f'#board [data-place="{place}"]')
    seen("#board", "#expected", "#confirm", "#notation")
    page.click("#confirm")
    expect(page.locator("#under")).to_have_text("Anna 3-1: 8/5 6/5")
    seen("#board", "#clock-far", "#die-far-6", "#do-double")
    say("double")
    seen("#board", "#do-take", "#do-drop")


@pytest.mark.parametrize("width", [390, 1600])
def test_a_long_name_without_a_space_pushes_nothing_out_of_sight(table: Served, page: Page, width: int) -> None:
    say = says(table)
    say("start_match", names=["W" * 31, "M" * 31], length=7)
    say("start_game")
    say("roll", dice=[6, 5])
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("table", "scoreboard", "text", "matches", f"matches/{state(table)['match']}"):
        page.goto(f"{table.url}{path}")
        expect(page.locator("main")).to_contain_text("W" * 31)
        assert page.evaluate(OUT_OF_SIGHT) == [], path


@pytest.mark.parametrize("board", [1, 0])
def test_a_scoreboard_on_the_wall_shows_all_it_says_without_scrolling(table: Served, page: Page, board: int) -> None:
    say = says(table)
    say("start_match", names=LONG, length=7, rules="usbgf", event="Freundschaftsturnier der Landeshauptstadt, zweite Chance", aids=True)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("double")
    page.goto(f"{table.url}scoreboard?lang=de&board={board}")
    shows(page, table)
    for width, height in ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920), (820, 1180), (390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") <= height, (width, height)
        assert page.evaluate("document.getElementById('last').getBoundingClientRect().bottom") <= height, (width, height)
        last, line = page.evaluate("""["last", "line"].map((id) => {
          const range = document.createRange();
          range.selectNodeContents(document.getElementById(id));
          return range.getBoundingClientRect();
        })""")
        assert last["right"] <= line["left"] or last["bottom"] <= line["top"], (width, height)
        parts = page.evaluate("[...document.querySelectorAll('#about span, .side')].map((one) => one.getBoundingClientRect())")
        assert max(part["bottom"] for part in parts[:2]) <= min(part["top"] for part in parts[2:]), (width, height)
        if board:
            assert page.evaluate("document.getElementById('board').getBoundingClientRect().height") > height / 5, (width, height)


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
def test_no_name_is_broken_within_a_word_on_the_scoreboard(table: Served, page: Page, size: tuple[int, int]) -> None:
    say = says(table)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}scoreboard")
    say("start_match", names=["Christopher", "Ann"], length=13)
    say("score", score=[10, 11])
    shows(page, table)
    lines = page.evaluate("""() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector("#near .name"));
      return range.getClientRects().length;
    }""")
    assert lines == 1


def test_every_page_is_as_easy_to_read_on_a_tv_and_on_a_4k_screen(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=7)
    for path in ("table", "matches", "setup", "text", f"matches/{state(table)['match']}", "nowhere"):
        page.goto(f"{table.url}{path}")
        letters, marks = [], []
        for width, height in ((1440, 900), (1920, 1080), (3840, 2160)):
            page.set_viewport_size({"width": width, "height": height})
            letters.append(page.evaluate("parseFloat(getComputedStyle(document.querySelector('.top nav a')).fontSize)") / width)
            marks.append(page.evaluate("document.querySelector('#theme svg').getBoundingClientRect().width") / width)
        assert min(letters) >= 0.8 * letters[0], path
        assert min(marks) >= 0.8 * marks[0], path


def test_the_scoreboard_says_how_much_is_offered_with_a_resignation(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=7)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("double")
    say("take")
    page.goto(f"{table.url}scoreboard")
    for kind, words in (("single", "a single game · 2"), ("gammon", "a gammon · 4"), ("backgammon", "a backgammon · 6")):
        say("resign", seat="far", kind=kind)
        expect(page.locator("#expected")).to_have_text("Anna: accept the resignation?")
        expect(page.locator("#last")).to_have_text(f"Boris offers to resign {words} points")
        say("refuse")
    expect(page.locator("#last")).to_have_text("Anna 6-5: 24/13")
    page.goto(f"{table.url}text")
    say("resign", seat="far", kind="gammon")
    expect(page.locator("#expected")).to_have_text("Boris offers to resign a gammon · 4 points. Anna: accept the resignation?")


OLD = """for (const [kind, names] of [[Array.prototype, ["at", "findLast", "findLastIndex", "toSorted"]], [String.prototype, ["at"]],
  [Object, ["hasOwn", "groupBy"]], [AbortSignal, ["timeout", "any"]], [window, ["structuredClone"]]])
    for (const name of names) delete kind[name];"""
"""What the browsers of televisions do not have that are a few years old, and those in stream programs."""


def test_before_the_crawford_game_the_cube_of_the_game_before_lies_beside_nobody(table: Served, page: Page) -> None:
    """Where the room's screens say that there is no cube."""
    say = says(table)
    for name, body in (
        ("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("start_game", {}), ("roll", {"dice": [3, 1]}),
        ("play", {"play": "8/5 6/5"}), ("double", {}), ("take", {}),
    ):
        say(name, **body)
    screen = page.context.new_page()
    page.goto(f"{table.url}scoreboard")
    screen.goto(f"{table.url}overlay")
    expect(page.locator("#near")).to_contain_text("cube at 2")
    expect(screen.locator("#near")).to_contain_text("cube 2")
    say("resign", seat="near")
    say("accept")
    expect(page.locator("#about")).to_contain_text("next: Crawford gameno cube")
    expect(screen.locator("#about")).to_contain_text("next: Crawford game")
    for one in (page, screen):
        expect(one.locator("#near")).not_to_contain_text("cube")


def test_the_rooms_screens_are_shown_by_the_browsers_of_older_televisions_and_stream_programs(table: Served, page: Page) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.add_init_script(OLD)
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=7)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/13")
    say("resign", seat="far", kind="gammon")
    for path in ("scoreboard", "scoreboard?board=0", "overlay?board=1", "text"):
        page.goto(f"{table.url}{path}")
        expect(page.locator("main")).to_contain_text("Boris offers to resign a gammon" if "overlay" not in path else "Anna")
    say("refuse")
    say("double")
    say("drop")
    page.goto(f"{table.url}scoreboard?board=0")
    expect(page.locator("#last")).to_contain_text("drops")
    assert not wrong


def test_points_of_three_figures_leave_the_names_their_room(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=0, rules="money", stake=5, unit="EUR", aids=True)
    say("start_game")
    say("score", score=[128, 9])
    for name in ("scoreboard", "table"):
        page.goto(f"{table.url}{name}")
        shows(page, table)
        for width, height in ((390, 844), (1280, 720), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(LAID_OUT.replace(".scoreline .name", ".name"))
            assert seen["letters"] >= 9, (name, width)
            assert not seen["wide"], (name, width)


def test_the_page_of_a_match_is_as_wide_as_the_smallest_phone(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=5)
    say("start_game")
    say("roll", dice=[6, 5])
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("body")).to_have_attribute("data-ready", "")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    dice = page.locator("#dice")
    assert dice.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "the counts of the dice"
    columns = dice.locator("tr").evaluate_all(
        "all => all.map((row) => [...row.cells].slice(1).map((one) => one.getBoundingClientRect().right))"
    )
    assert len(columns) == 4
    assert all(row == columns[0] for row in columns), "the numbers stand below their heads"


def test_a_roll_reads_high_die_first_everywhere(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 5, 6)
    for place in ("#expected", "#hand h2", "#rulings li >> nth=0"):
        expect(page.locator(place)).to_contain_text("6-5")
    play(page, "24/13")
    roll(page, "near", 1, 6)
    play(page, "13/7 8/7")
    expect(page.locator("#under")).to_have_text("Anna 6-1: 13/7 8/7")


def test_the_printed_sheet_has_what_a_score_sheet_has(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=3, event="Club night")
    say("start_game")
    say("roll", dice=[3, 6])
    say("play", play="24/15")
    say("resign", seat="far")
    say("refuse")
    say("penalise", seat="far", points=1)
    say("roll", dice=[4, 2])
    say("resign", seat="far")
    say("accept")
    say("start_game")
    say("roll", dice=[5, 3])
    say("award_match", seat="near")
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("body")).to_have_attribute("data-ready", "")
    page.pdf()  # the sheet is made when it is printed
    page.emulate_media(media="print")
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator(".head")).to_contain_text("Club night")
    expect(sheet.locator("h2")).to_have_text(["Game 1: Anna 0, Boris 0", "Game 2, the Crawford game: Anna 2, Boris 0"])
    lines = [line.replace("\n", " ") for line in sheet.locator("p:not(.head)").all_inner_texts()]
    assert lines == [
        "6-3 Boris played 24/15", "Boris offers to resign a single game", "Anna refuses the resignation",
        "Ruled: penalty points against Boris: 1 (by the director) · 1–0",
        "4-2 Anna rolled 4-2", "Boris offers to resign a single game", "Anna accepts the resignation",
        "Anna wins 1 point · 2–0", "5-3 Anna starts with 5-3", "Ruled: the match is Anna’s (by the director)", "Anna wins the match",
    ]
    expect(sheet.locator(".unbroken")).to_have_text(["1–0", "2–0"])  # no end of a line parts a score
    for control in ("#ids", ".stepper", ".top", "#steps"):
        expect(page.locator(control)).to_be_hidden()


def test_a_phones_header_is_two_rows_and_stays_where_it_is(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}table")
    page.evaluate("""async (pin) => {
      const { post } = await import("/static/js/api.js");
      await post("enter", { pin });
      dispatchEvent(new Event("rank"));
    }""".replace("/static", address()), server.said.split("PIN ")[1][:6])
    expect(page.locator("#rank")).to_have_text("At the table")
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    assert page.evaluate(WRAPPED) == []
    header = page.locator(".top").bounding_box()
    assert header is not None
    assert header["height"] < 90
    server.kill()
    expect(page.locator("#line")).to_have_text("Connection lost: reconnecting")
    expect(page.locator("#line")).to_be_visible()
    assert page.locator(".top").bounding_box() == header
    assert page.evaluate(WRAPPED) == []


@pytest.mark.parametrize("theme", ["system", "chosen"])
def test_a_page_is_printed_black_on_white_whole_and_without_buttons(table: Served, browser: Any, theme: str) -> None:
    say = says(table)
    say("start_match", names=LONG, length=7, event="Club night")
    say("start_game")
    say("roll", dice=[3, 6])
    for _ in range(12):
        say("resign", seat="far")
        say("refuse")
    context = browser.new_context(viewport={"width": 1000, "height": 700}, color_scheme="dark" if theme == "system" else "light")
    page = context.new_page()
    if theme == "chosen":
        page.add_init_script("localStorage.setItem('theme', 'dark')")
    for where in ("table", f"matches/{state(table)['match']}"):
        page.goto(f"{table.url}{where}")
        expect(page.locator("h1, #expected").last).to_contain_text(LONG[1])
        page.evaluate("dispatchEvent(new Event('beforeprint'))")  # as when it is printed
        page.emulate_media(media="print")
        told = page.locator("h1, .quiet, #expected, #rulings li, #sheet p, #about").filter(visible=True)
        assert set(told.evaluate_all("all => all.map((one) => getComputedStyle(one).color)")) == {"rgb(0, 0, 0)"}
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator("button, .button, a, input, select").filter(visible=True).count() == 0
        cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).length"
        assert page.locator("#rulings, .side, .player .name, #sheet p").filter(visible=True).evaluate_all(cut) == 0
        page.set_viewport_size({"width": 480, "height": 700})  # A5, or print twice as large
        assert page.evaluate("document.documentElement.scrollWidth") <= 480
        page.set_viewport_size({"width": 300, "height": 700})  # a roll of paper: two columns would part names in their middle
        assert len(set(page.locator("#sheet h2, #sheet p").evaluate_all("all => all.map((one) => one.getBoundingClientRect().x)"))) <= 1
        page.set_viewport_size({"width": 1000, "height": 700})
        page.emulate_media(media="screen")
    context.close()
