"""Long names, names read from right to left, large sums and small phones: what is shown is whole, or begins with its beginning."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.phone import PICTURES
from tests.web.pressing import LONG, says, shows, state

ARABIC = "محمد عبد الرحمن"
FIRST_WORD = """() => {
  const name = document.querySelector("#far .name"), walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
  const text = walk.nextNode(), at = text.textContent.indexOf("محمد"), range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + 4);
  const word = range.getBoundingClientRect(), box = name.getBoundingClientRect();
  return { cut: name.scrollWidth > name.clientWidth, inside: word.left >= box.left - 1 && word.right <= box.right + 1 };
}"""
"""Whether the far player's name is shortened, and its first word inside its line."""
ORDER = """() => {
  const walk = document.createTreeWalker(document.getElementById("expected"), NodeFilter.SHOW_TEXT), text = walk.nextNode();
  const left = (letter) => {
    const range = document.createRange(), at = text.textContent.indexOf(letter);
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  };
  return [left("م"), left("offers"), left("2")];
}"""
LINES = """(place) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(place));
  return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
}"""

WHOLE = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  done([...document.querySelectorAll(".name")].every((one) => one.scrollHeight <= one.clientHeight + 1)))))"""
"""Whether every name is whole, once the screen is drawn."""
ALL_IN = """() => [...document.querySelectorAll(".player .name")].map((name) => {
  const box = name.getBoundingClientRect(), text = document.createRange();
  text.selectNodeContents(name.firstChild);
  const inside = (line) => line.left >= box.left - 1 && line.right <= box.right + 1 && (line.top + line.bottom) / 2 < box.bottom;
  return [...text.getClientRects()].every(inside);
})"""
"""Whether the middle of every line of each name is in its box, from end to end."""
END_IN = """(line) => {
  const text = document.createRange();
  text.selectNodeContents(line);
  text.setStart(text.endContainer, text.endOffset - 1);
  return text.getBoundingClientRect().right <= line.getBoundingClientRect().right + 1;
}"""
"""Whether the end of what stands in a line is inside it."""


def test_a_name_read_from_right_to_left_is_shortened_at_its_end(table: Served, page: Page) -> None:
    says(table)("start_match", names=[LONG[0], f"{ARABIC} بن خالد"], length=5)
    page.set_viewport_size({"width": 568, "height": 320})
    page.goto(f"{table.url}table")
    shows(page, table)
    assert page.evaluate(FIRST_WORD) == {"cut": True, "inside": True}
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate(FIRST_WORD)["inside"]


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024), (1366, 768)])
def test_long_names_are_whole_at_the_table(table: Served, page: Page, size: tuple[int, int]) -> None:
    say = says(table)
    say("start_match", names=["Alexander Wolkenstein", "Katharina Baumgartner"], length=5, aids=True)
    say("start_game")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}table")
    shows(page, table)
    page.evaluate("document.fonts.ready")
    assert page.evaluate(ALL_IN) == [True, True]


def test_a_shortened_name_leaves_the_sentence_on_the_overlay_its_order_and_its_end(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["maximilian von hohenlohe-langen", f"{ARABIC} بن خالد"], length=5)
    say("start_game")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    page.goto(f"{table.url}overlay?lang=en")
    page.evaluate("document.getElementById('expected').style.webkitLineClamp = 1")  # a theme may give it less room
    say("double")
    expect(page.locator("#expected")).to_contain_text("offers the cube at 2 · Maximilian von…: take or drop?")
    name, verb, value = page.evaluate(ORDER)
    assert name < verb < value


def test_figures_stand_beside_the_name_they_belong_to_on_the_page_of_a_match(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", ARABIC], length=5)
    say("start_game")
    say("roll", dice=[3, 1])
    page.goto(f"{table.url}t/1/matches/{state(table)['match']}?lang=en")
    line = page.locator("#dice-said p").nth(1)
    expect(line).to_contain_text("0 rolls")
    left = page.evaluate("""() => {
      const text = document.querySelectorAll("#dice-said p")[1].firstChild, range = document.createRange();
      return [": ", "0 rolls", "0 doubles"].map((part) => {
        range.setStart(text, text.textContent.indexOf(part));
        range.setEnd(text, text.textContent.indexOf(part) + 1);
        return range.getBoundingClientRect().left;
      });
    }""")
    assert left == sorted(left)


def test_what_is_won_for_money_is_shown_whole_on_a_small_phone(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=0, rules="money", stake=250, unit="Schweizer Fr", aids=True)
    say("score", score=[0, 40])
    for width in (320, 390, 1366):
        page.set_viewport_size({"width": width, "height": 720})
        page.goto(f"{table.url}table")
        shows(page, table)
        expect(page.locator("#near .seat")).to_contain_text("(−10000 Schweizer Fr)")
        assert page.evaluate("[...document.querySelectorAll('.seat')].every((one) => one.scrollWidth <= one.clientWidth + 1)"), width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 390])
def test_what_is_won_for_money_is_not_torn_between_two_lines(table: Served, page: Page, width: int) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=0, rules="money", stake=2, unit="EUR", aids=True)
    page.set_viewport_size({"width": width, "height": 720})
    page.goto(f"{table.url}table")
    shows(page, table)
    lines = page.evaluate("""() => [...document.querySelectorAll(".seat")].map(({ firstChild: text }) => {
      const sum = document.createRange();
      sum.setStart(text, text.data.indexOf("(") - 2);
      sum.setEnd(text, text.data.length);
      return sum.getClientRects().length;
    })""")
    assert lines == [1, 1]


def test_the_seconds_that_run_beside_a_clock_move_nothing(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Katharina Baumann", "Alexander Schmidt"], length=11, rules="usbgf", aids=True)
    say("start_game")
    say("roll", dice=[3, 1])
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{table.url}table?lang=de")
    shows(page, table)
    expect(page.locator("#clock-near")).to_contain_text("+")
    before = page.locator("#board").bounding_box()
    say("clock_stop")
    expect(page.locator("#clock-near")).not_to_contain_text("+")
    assert page.locator("#board").bounding_box() == before


def test_no_heading_on_a_small_phone_ends_within_a_word(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    for width in (320, 200):   # the smallest phone, and one with letters twice as large
        page.set_viewport_size({"width": width, "height": 568})
        page.goto(f"{table.url}table?lang=de")
        shows(page, table)
        assert page.evaluate(LINES, ".log h2") == 1, width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.click("#download")
        box = page.locator("#records .list").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width, width


@pytest.mark.parametrize("names", [["Bartholomäus Grünenfelder-Wyss", "Guðrún Þorvaldsdóttir"], LONG], ids=["words", "longer"])
def test_a_scoreboard_shows_long_names_whole(table: Served, page: Page, names: list[str]) -> None:
    say = says(table)
    event = "Zürcher Herbstmeisterschaft im Backgammon 2026, Gruppe der Fortgeschrittenen"
    say("start_match", names=names, length=0, rules="money", stake=250, unit="Schweizer Fr", aids=True, event=event)
    say("start_game")
    say("score", score=[0, 40])
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    page.goto(f"{table.url}scoreboard?lang=de")
    shows(page, table)
    for width, height in ((1920, 1080), (1280, 720), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#last")).to_have_text(f"{names[0]} 3-1: 8/5 6/5")
        assert page.evaluate(WHOLE), (width, height)
        if width > height:
            assert page.evaluate("document.getElementById('last').getBoundingClientRect().bottom") <= height


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1080, 1920)])
def test_what_was_played_last_is_on_the_wall_though_all_else_is_long(table: Served, page: Page, size: tuple[int, int]) -> None:
    say = says(table)
    event = "Internationales Backgammon-Freundschaftsturnier der Hauptstadt"
    say("start_match", names=LONG, length=25, rules="usbgf", aids=True, event=event)
    say("score", score=[10, 17])
    say("start_game")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    say("cube", value=512, owner="near")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}scoreboard")
    shows(page, table)
    box = page.locator("#last").bounding_box()
    assert box is not None and box["y"] + box["height"] <= size[1]
    assert page.evaluate(WHOLE)
    points, size_of = page.locator("#near .points"), "(one) => parseFloat(getComputedStyle(one).fontSize)"
    small = points.evaluate(size_of)
    say("start_match", names=["Anna", "Boris"], length=25)
    expect(page.locator("#near .name")).to_have_text("Anna")
    assert points.evaluate(size_of) > small, "smaller only where it must be"


def test_a_fact_on_the_scoreboard_is_not_torn_between_two_lines(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Wilhelmina Wippenburg", "Boris"], length=25, aids=True)
    say("start_game")
    say("cube", value=32768, owner="near")
    for width, height in ((1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{table.url}scoreboard")
        shows(page, table)
        expect(page.locator("#near .facts")).to_have_text("cube at 32768 · 167 pips · 25 away")
        tops = page.evaluate(
            "[...document.querySelectorAll('#near .facts span')].map((one) => [...one.getClientRects()].map((line) => line.top))"
        )
        assert all(len(lines) == 1 for lines in tops), tops
        assert tops[0] < tops[2], "else there is nothing that could be torn"


def test_a_sum_that_its_line_on_the_scoreboard_does_not_hold_lies_over_no_points(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=0, rules="money", stake=5, unit="Schweizer Fr")
    say("score", score=[9999, 0])
    for width, height in ((1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{table.url}scoreboard")
        expect(page.locator("#near .facts")).to_contain_text("Schweizer")
        fact, points = (page.locator(f"#near {one}").bounding_box() for one in (".facts span:last-child", ".points"))
        assert fact and points and fact["x"] + fact["width"] <= points["x"]


def test_the_largest_cube_holds_its_number(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=0, rules="money")
    say("start_game")
    page.goto(f"{table.url}table")
    for value in (1, 2, 128, 1024, 32768):
        say("cube", value=value)
        shows(page, table)
        text, rect = (page.locator(f"#board .cube {part}").bounding_box() for part in ("text", "rect"))
        assert text and rect and text["width"] <= rect["width"] * 0.95, value


def test_on_a_phone_lying_down_what_is_pressed_stands_before_the_cameras_picture(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    say("start_game")
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"{table.url}table")
    shows(page, table)
    page.evaluate("document.getElementById('camera').hidden = false")
    box = page.locator("#die-near-6").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 390


def test_what_is_pressed_does_not_move_when_the_cameras_first_picture_has_come(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    page.route("**/api/v1/picture.jpg?n=1", lambda route: route.fulfill(path=PICTURES / "f000.jpg"))
    page.goto(f"{table.url}table")
    shows(page, table)
    tops = page.evaluate("""async () => {
      const picture = document.getElementById("picture"), top = () => document.getElementById("hand").getBoundingClientRect().top;
      document.getElementById("camera").hidden = false;
      const tops = [top()];   // the camera is being opened
      picture.hidden = false;
      tops.push(top());       // its picture is on the way
      picture.src = "/api/v1/picture.jpg?n=1";
      await picture.decode();
      return [...tops, top()];
    }""")
    assert max(tops) - min(tops) <= 2, tops


def test_no_end_of_a_line_parts_a_point_from_its_number(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    say("start_game")
    say("roll", dice=[6, 2])
    say("play", play="24/18 13/10", hold=True)
    page.goto(f"{table.url}table")
    shows(page, table)
    lines = "all => all.map((one) => one.getClientRects().length)"
    for width in range(300, 420, 8):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.eval_on_selector_all("#put-back .unbroken", lines) == [1, 1, 1, 1], width
    expect(page.locator("#put-back .unbroken").first).to_have_text("18-point")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
def test_what_is_pressed_does_not_move_with_every_hand_over_the_board(table: Served, page: Page, size: tuple[int, int]) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}table")
    shows(page, table)
    hand = "no dice; position read; a hand over the board; point 12 in doubt; point 19 in doubt; 4 more in doubt"
    tops = page.evaluate(
        """texts => {
          const camera = document.getElementById("camera"), top = () => document.getElementById("hand").getBoundingClientRect().top;
          camera.hidden = document.getElementById("saw").hidden = false;
          camera.classList.add("found");
          return texts.map((text) => { document.getElementById("camera-text").textContent = text; return top(); });
        }""",
        ["no dice; position read", hand],
    )
    assert tops[0] == tops[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_position_is_set_on_a_laptop_without_scrolling(table: Served, page: Page, language: str) -> None:
    say = says(table)
    say("start_match", names=["Katharina Baumann", "Alexander Schmidt"], length=5)
    say("start_game")
    page.goto(f"{table.url}table?lang={language}")
    shows(page, table)
    page.click("#set-position")
    expect(page.locator("#brush-near")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    tops = [box["y"] for box in (page.locator(f"#brush-{one}").bounding_box() for one in ("near", "far", "none")) if box]
    assert len(tops) == 3 and max(tops) == min(tops), "one row"
    box = page.locator("#position-done").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 900


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_smallest_phone_lying_down_shows_the_whole_board(table: Served, page: Page, language: str) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    page.set_viewport_size({"width": 568, "height": 320})
    page.goto(f"{table.url}table?lang={language}")
    shows(page, table)
    box = page.locator("#board").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 320
    tops = [part["y"] for part in (page.locator(one).bounding_box() for one in ("#voice", ".hand", ".log")) if part]
    assert len(tops) == 3 and tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollHeight") <= 320
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.top nav'))")


def test_a_long_name_in_what_was_played_is_shortened_and_the_play_is_whole(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=LONG, length=5)
    say("start_game")
    say("roll", dice=[6, 5])
    say("play", play="24/18 13/8")
    for width, height in ((568, 320), (320, 568), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{table.url}table")
        last = page.locator("#under .last")
        expect(last).to_have_text("Konstantinos Papadopoulos-Mavro 6-5: 24/18 13/8")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert last.evaluate(END_IN), (width, height)


def test_no_page_is_wider_than_a_phone_with_letters_twice_as_large(table: Served, page: Page) -> None:
    says(table)("start_match", names=LONG, length=25)
    match = state(table)["match"]
    page.set_viewport_size({"width": 200, "height": 420})
    for name in ("table", "scoreboard", "matches", f"matches/{match}", "setup", "text"):
        page.goto(f"{table.url}t/1/{name}?lang=de")
        expect(page.locator("main")).to_contain_text("Konstantinos")
        assert page.evaluate("document.documentElement.scrollWidth") <= 200, name


@pytest.mark.parametrize("width", [195, 160])
def test_the_formats_of_a_record_are_whole_on_a_phone_with_letters_twice_as_large(table: Served, page: Page, width: int) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    for name, body in (("start_game", {}), ("roll", {"dice": [3, 1]})):
        say(name, **body)
    page.set_viewport_size({"width": width, "height": 420})
    for name in ("table", "matches", f"matches/{state(table)['match']}"):
        page.goto(f"{table.url}t/1/{name}?lang=de")
        expect(page.locator("main")).to_contain_text("Anna")
        page.click("#records summary")
        boxes = page.eval_on_selector_all("#records a", "all => all.map((one) => one.getBoundingClientRect())")
        assert all(box["left"] >= 0 and box["right"] <= width for box in boxes), name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_dice_are_no_smaller_where_letters_are_larger(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    say("start_game")
    page.set_viewport_size({"width": 360, "height": 640})
    sizes = []
    for letters in (16, 24, 32):
        page.goto(f"{table.url}table")
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters}})
        page.reload()
        shows(page, table)
        box = page.locator("#die-near-6 svg").bounding_box()
        assert box is not None
        sizes.append(min(box["width"], box["height"]))
    assert sizes == sorted(sizes)


def test_names_events_and_reasons_of_one_endless_word_are_whole_on_every_page(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["M" * 31, "W" * 31], length=5, event="W" * 100)
    say("start_game")
    say("penalise", seat="near", points=1, note="W" * 300)
    match = state(table)["match"]
    for name, place in (("text", "#points h3"), (f"matches/{match}", "#steps button span"), ("matches", "#list td")):
        for width in (320, 1366):
            page.set_viewport_size({"width": width, "height": 720})
            page.goto(f"{table.url}t/1/{name}")
            expect(page.locator(place).first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            over = "(place) => [...document.querySelectorAll(place)].filter((one) => one.getBoundingClientRect().right > innerWidth).length"
            assert page.evaluate(over, place) == 0, (name, width)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_can_be_gone_to_on_the_smallest_phone(table: Served, page: Page, language: str) -> None:
    letters = page.context.new_cdp_session(page)
    for width, height, size in ((320, 568, 16), (390, 568, 16), (360, 740, 20), (390, 568, 24), (640, 360, 20)):
        page.set_viewport_size({"width": width, "height": height})
        letters.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        page.goto(f"{table.url}matches?lang={language}")
        right = max(box["right"] for box in page.eval_on_selector_all(".top nav a", "all => all.map((one) => one.getBoundingClientRect())"))
        assert right <= width, "no name of a page is out of sight"
        room = "(one) => { const width = one.offsetWidth; one.style.width = 'auto'; return width >= one.offsetWidth; }"
        assert page.locator("#lang").evaluate(room), "nor has the language's name no room"
        assert page.locator(".top nav").evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth"), (width, size)


def test_figures_that_change_are_equally_wide_and_a_names_hyphen_is_not_made_as_wide(table: Served, page: Page) -> None:
    says(table)("start_match", names=["Ann-Kathrin", "Jean-Luc"], length=5, rules="usbgf")
    wide = """(box, [text, features]) => {
      const mark = document.createElement("span");
      mark.textContent = text.repeat(20);
      if (features) mark.style.fontVariantNumeric = mark.style.fontFeatureSettings = features;
      box.append(mark);
      const { width } = mark.getBoundingClientRect();
      mark.remove();
      return Math.round(width);
    }"""
    for name in ("table", "scoreboard", "overlay"):
        page.goto(f"{table.url}{name}")
        shows(page, table)
        clock, player = page.locator("#far .clock"), page.locator("#far .name")
        assert clock.evaluate(wide, ["1", ""]) == clock.evaluate(wide, ["0", ""]), name
        assert player.evaluate(wide, ["-", ""]) == player.evaluate(wide, ["-", "normal"]), name
