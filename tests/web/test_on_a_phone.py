"""The pages on a phone beside the board: nothing moves under a finger, and nothing is too small for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PATIENCE, Here, Served
from tests.web.pressing import LONG as WIDE
from tests.web.pressing import opening, play, point, says, shows, start, state

SMALL = """() => [...document.querySelectorAll(":is(main, dialog[open]) :is(button, input, select, summary, a)")]
  .filter((one) => one.offsetHeight && !["radio", "checkbox"].includes(one.type))
  .filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44).map((one) => one.outerHTML.slice(0, 90))"""
"""What is narrower or lower than a finger."""
BROKEN = """() => [...document.querySelectorAll(":is(main, dialog[open]) button")].filter((one) => one.offsetHeight).flatMap((one) => {
  const lines = (text) => [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  });
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(...lines(texts.currentNode).map(([word]) => word));
  return found;
})"""
"""Words on buttons that go over the end of a line."""


UNCOVERED = """(one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [[left, top], [right, top], [left, bottom], [right, bottom]].every(([x, y]) =>
    document.elementFromPoint(x + (x === left ? 8 : -8), y + (y === top ? 3 : -3))?.closest("button, input") === one);
}"""
"""Whether a button is in sight, all of it."""


LONG, SHORT = ("Katharina Baumann", "Alexander Schmidt"), ("Anna", "Boris")


@pytest.fixture
def phone(browser: Any) -> Iterator[Callable[..., Page]]:
    """Opens pages of phones, each in its size and language."""
    opened = []

    def open_one(width: int, height: int, locale: str = "en") -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, locale=locale)
        opened.append(context)
        page: Page = context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    yield open_one
    for context in opened:
        context.close()


@pytest.mark.parametrize(
    ("size", "locale", "names"),
    [
        ((320, 844), "de", LONG),
        ((390, 844), "en", SHORT),
        ((568, 320), "en", SHORT),
        ((568, 320), "de", LONG),
        ((667, 375), "de", LONG),
        ((844, 390), "de", LONG),
        ((844, 390), "en", SHORT),
    ],
)
def test_on_a_phone_what_is_pressed_stays_where_it_is(
    table: Served, phone: Callable[..., Page], size: tuple[int, int], locale: str, names: tuple[str, str]
) -> None:
    """When it is told what came of a throw, while a play is put together, refused and taken back, and when the cube is offered."""
    page = phone(*size, locale)
    start(page, table, *names)

    def places(*wanted: str) -> list[tuple[float, float]]:
        shows(page, table)
        below = page.evaluate("document.querySelector('.side').scrollTop")  # as after a field was typed into, on a phone lying down
        boxes = {place: page.locator(place).first.bounding_box() for place in wanted or ("#board", "#hand")}
        return [(one["x"], one["y"] + (0 if place in ("#board", "#back") else below)) for place, one in boxes.items() if one]

    def pick(*points: int) -> None:
        for place in points:
            page.click(f'#board [data-place="{place}"]')

    stood, dice = places(), places(".keypad")
    page.click("#die-near-3")
    expect(page.locator("#die-near-3")).to_have_attribute("aria-pressed", "true")
    assert places(".keypad") == dice, "the other die is asked for"
    page.click("#die-far-3")
    expect(page.locator("#more")).to_contain_text("3; ")
    assert places() == stood, "a tie is told"
    opening(page, 3, 1)
    pick(8)
    expect(page.locator("#back")).to_be_visible()
    back = places("#back")
    pick(5)
    expect(page.locator("#left")).to_contain_text("8/5: 1 ")
    assert (places(), places("#back")) == (stood, back)
    pick(6)
    expect(page.locator("#confirm")).to_contain_text("8/5 6/5")
    assert (places(), places("#back")) == (stood, back)
    page.click("#confirm")
    expect(page.locator("#under")).to_have_text(f"{names[0]} 3-1: 8/5 6/5")
    assert places() == stood
    page.click("#die-far-5")
    page.click("#die-far-5")
    expect(page.locator("#expected")).to_contain_text("5-5")
    pick(12, 12, 17)
    page.click("#judge")
    expect(page.locator("#hold")).to_be_visible()
    assert (places(), places("#back")) == (stood, back), "the play is refused, and can be held"
    page.click("#back")
    expect(page.locator("#hold")).to_have_count(0)  # another play than the one that was refused
    play(page, "13/3(2)")
    page.wait_for_timeout(400)  # "Take back" was pressed where "Double" is now, and nobody types a play that fast
    page.click("#do-double")
    expect(page.locator("#do-take")).to_be_visible()
    assert places() == stood
    page.click("#do-take")
    expect(page.locator("#do-take")).to_have_count(0)
    foot = places(".foot")
    page.click("#die-near-5")
    expect(page.locator("#forget")).to_be_visible()
    assert (places(), places(".foot")) == (stood, foot)
    page.click("#undo")
    expect(page.locator("#dialog-yes")).to_be_visible()
    assert page.evaluate(BROKEN) == []
    page.keyboard.press("Escape")
    page.click("#set-position")
    expect(page.locator("#brush-near")).to_be_visible()
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("size", [(844, 390), (667, 375), (568, 320)])
def test_on_a_phone_lying_down_what_is_to_be_done_next_is_in_sight_whatever_was_pressed_below_it(
    table: Served, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = phone(*size)

    def then(*wanted: str) -> None:
        for place in wanted:
            expect(page.locator(place)).to_be_visible()
            page.wait_for_function(f"(place) => ({UNCOVERED})(document.querySelector(place))", arg=place)

    def down() -> None:
        page.evaluate("document.querySelector('.side').scrollTop = 1e4")

    start(page, table, length="5")
    opening(page, 3, 1)
    page.fill("#notation", "8/5 6/5")
    down()  # as the keyboard of a phone pushes it
    page.press("#notation", "Enter")
    then("#die-far-6", "#do-double")
    page.click("#set-position")
    then("#position-done", "#brush-far")
    point(page, 24)
    page.click("#position-done")
    then("#die-far-6", "#do-double")
    page.click("#set-position")
    down()
    page.locator(".row", has=page.locator("#position-done")).locator("button").last.click()
    then("#die-far-6", "#do-double")
    page.click("#die-far-6")
    page.click("#die-far-6")
    expect(page.locator("#expected")).to_contain_text("6-6")
    point(page, 1)
    expect(page.locator("#back")).to_be_visible()  # with a play half put together, which lies over the foot of the column
    page.click("#resign")
    page.click("#dialog-yes")
    then("#do-accept", "#do-refuse")
    down()
    page.click("#undo")
    page.select_option("#f-to", index=1)
    page.click("#dialog-yes")
    then("#die-far-6", "#do-double")
    page.click("#do-pause")
    then("#do-resume")


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_on_a_small_phone_the_board_is_in_sight_with_what_sets_its_checkers(
    table: Served, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = phone(*size)
    start(page, table)
    opening(page, 3, 1)
    page.evaluate("document.querySelector('#set-position').scrollIntoView()")
    page.click("#set-position")
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    for place in ("#brush-near", "#position-done"):
        expect(page.locator(place)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_on_a_phone_lying_down_long_names_cover_nothing_of_what_sets_a_position(
    table: Served, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = phone(*size, "de")
    start(page, table, *WIDE)
    opening(page, 3, 1)
    page.click("#set-position")
    expect(page.locator("#brush-far")).to_be_visible()
    assert page.locator("#position-done").evaluate(UNCOVERED)


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (667, 375), (568, 320)])
def test_what_a_finger_presses_is_44_pixels_wide_and_high_and_the_header_no_higher_for_it(
    table: Served, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = phone(*size)
    start(page, table)
    expect(page.locator("#die-near-6")).to_be_visible()
    assert page.evaluate(SMALL) == []
    opening(page, 3, 1)
    page.click("#download")
    assert page.evaluate(SMALL) == []
    header = page.locator(".top").bounding_box()
    assert header is not None and header["height"] < (92 if size[0] < 640 else 48)
    page.click("#another-match")
    expect(page.locator("#dialog-yes")).to_be_attached()
    assert page.evaluate(SMALL) == []
    page.goto(f"{table.url}setup")
    expect(page.locator("#start")).to_be_enabled()
    assert page.evaluate(SMALL) == []
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("#steps button").first).to_be_visible()
    assert page.evaluate(SMALL) == []
    page.goto(f"{table.url}matches")
    expect(page.locator("tbody tr").first).to_be_visible()
    assert page.evaluate(SMALL.replace(", a)", ")")) == []  # a match's name is a link in a line of text


def test_before_the_first_match_a_small_phone_shows_what_starts_it(alone: Here, phone: Callable[..., Page]) -> None:
    page = phone(360, 640, "de")
    page.goto(alone.url)
    expect(page.locator("#new-match")).to_be_in_viewport(ratio=1)


def test_on_a_small_phone_the_newest_match_is_in_sight_below_what_finds_others(table: Served, phone: Callable[..., Page]) -> None:
    page = phone(360, 640, "de")
    start(page, table)
    page.goto(f"{table.url}matches")
    expect(page.locator("#rows tr").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("[...document.querySelectorAll('#filter input')].every((one) => one.offsetWidth >= one.scrollWidth)")


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_a_kept_match_opens_on_its_board_and_is_stepped_through_without_moving(
    table: Served, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = phone(*size)
    start(page, table, *LONG)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Alexander")
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("#said")).to_contain_text("8/5 6/5")
    expect(page.locator("#title .unbroken")).to_have_text("0–0")  # no end of a line parts the score
    assert page.evaluate("scrollY") == 0, "its name and its board come first"
    page.locator("#back").scroll_into_view_if_needed()
    stood = page.locator("#back").bounding_box()
    for button, said in (("#first", "against"), ("#next", "Game 1"), ("#next", "starts with 3-1"), ("#final", "8/5 6/5"), ("#back", "3-1")):
        page.click(button)
        expect(page.locator("#said")).to_contain_text(said)
        assert page.locator("#back").bounding_box() == stood, said
        expect(page.locator("#steps [aria-current]")).to_contain_text(said)
        assert page.evaluate("""() => {
          const [list, one] = ["#steps", "#steps [aria-current]"].map((which) => document.querySelector(which).getBoundingClientRect());
          return one.top >= list.top && one.bottom <= list.bottom;
        }"""), "the step that is shown is in sight in the list"


@pytest.mark.parametrize(("size", "language"), [((320, 568), "en"), ((320, 568), "de"), ((360, 640), "de"), ((360, 740), "de")])
@pytest.mark.parametrize("rules", ["bray", "usbgf"])
def test_a_phone_shows_both_players_opening_dice_below_the_board_and_its_clocks(
    table: Served, phone: Callable[..., Page], size: tuple[int, int], language: str, rules: str
) -> None:
    page = phone(*size, language)
    start(page, table, *LONG, rules=rules)
    page.goto(table.url)
    expect(page.locator("#clock-near")).to_be_visible(visible=rules == "usbgf")
    for seat in ("near", "far"):
        expect(page.locator(f"#die-{seat}-6")).to_be_in_viewport(ratio=1)
    page.click("#die-near-3")
    expect(page.locator("#die-far-6")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_whoever_is_offered_a_resignation_on_a_small_phone_sees_what_to_answer(
    table: Served, phone: Callable[..., Page], locale: str
) -> None:
    say = says(table)
    say("start_match", names=SHORT, length=3)
    say("start_game")
    say("roll", dice=[5, 4])
    page = phone(360, 640, locale)
    page.goto(table.url)
    shows(page, table)
    say("resign", seat="near", kind="single")
    expect(page.locator("#do-refuse")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    for answer in ("accept", "refuse"):
        assert page.locator(f"#do-{answer}").evaluate(UNCOVERED), answer
    say("refuse")
    point(page, 8)
    say("resign", seat="near", kind="single")
    expect(page.locator("#back")).to_be_visible()  # what is half put together can be taken back all the same


BROKEN = """(place) => [...document.querySelectorAll(place)].flatMap((one) => [...one.childNodes]).filter(({ data }) => data)
  .flatMap((text) => [...text.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word))"""
"""The words in there that are broken at the end of a line."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_of_a_heading_or_of_what_a_dialog_does_is_broken_with_large_letters(table: Served, page: Page, language: str) -> None:
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#do-double")).to_be_visible()
    page.set_viewport_size({"width": 180, "height": 320})
    page.goto(f"{table.url}table?lang={language}")
    for button in ("#another-match", "#correct", "#rule", "#undo", "#resign"):
        page.click(button)
        expect(page.locator("#dialog-title")).to_be_visible()
        assert page.evaluate(BROKEN, "#dialog-title, #dialog-yes") == [], button
        page.keyboard.press("Escape")
    for place in ("setup", f"matches/{state(table)['match']}", "text"):
        page.goto(f"{table.url}t/1/{place}?lang={language}")
        expect(page.locator("main")).to_contain_text("Anna")
        assert page.evaluate(BROKEN, "h1, h2, h3") == [], place
