"""axe-core finds no serious fault on any page, light or dark, phone or laptop."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Here, Served
from tests.web.pressing import opening, post, roll, says, start, state
from tests.web.test_matches import two_matches

READY = {
    "table": "body[data-seq]", "scoreboard": "body[data-seq]", "text": "body[data-seq]", "matches": "#rows tr",
    "matches/1": "#steps button", "setup": "#f-rules option", "camera": "#start",
}
"""Every page, and what is there once it shows its content."""


def faults(page: Any) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:160]} {node.get('failureSummary', '')}"
        for fault in found if fault["impact"] in ("serious", "critical") for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("scheme", "size"), [("light", (1440, 900)), ("dark", (390, 844))], ids=["laptop", "phone"])
def test_no_serious_fault(alone: Here, browser: Any, scheme: str, size: tuple[int, int]) -> None:
    def say(name: str, seq: int | None = None, **body: Any) -> None:
        assert post(alone, name, seq=state(alone)["seq"] if seq is None else seq, **body)[0] == 200

    two_matches(say)
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    for path in READY:
        page.goto(f"{alone.url}{path}")
        expect(page.locator(READY[path]).first).to_be_attached()
        assert not faults(page), path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is wider than the screen"

    # the table in its busier moments: a roll being played, a double, a dialog
    page.goto(f"{alone.url}table")
    say("start_game")
    expect(page.locator("#die-near-1")).to_be_visible()
    assert not faults(page)
    say("roll", dice=[6, 2])
    page.click('#board [data-place="24"]')
    expect(page.locator("#confirm, .hit.target").first).to_be_attached()
    assert not faults(page)
    page.keyboard.press("?")
    expect(page.locator("#dialog-done")).to_be_visible()
    assert not faults(page)
    page.click("#dialog-done")
    say("play", play="24/18 13/11")
    say("double")
    expect(page.locator("#do-take")).to_be_visible()
    for dialog, field in (("#another-match", "#length-0"), ("#correct", "#f-cube"), ("#rule", "#f-what"), ("#undo", "#f-to")):
        page.click(dialog)
        expect(page.locator(field)).to_be_visible()
        if dialog == "#another-match":
            page.click(field)  # money play, with its stake and questions
            expect(page.locator("#f-stake")).to_be_visible()
        assert not faults(page), dialog
        if dialog == "#correct":
            page.locator("#to-rules").press("Enter")
            expect(page.locator("#f-rules")).to_be_focused()  # in the place of what had the focus
            assert not faults(page), "rules"
        page.keyboard.press("Escape")
        expect(page.locator("#dialog")).to_be_hidden()
    say("take")
    say("roll", dice=[6, 5], seat="far" if state(alone)["on_roll"] == "far" else "near")
    page.click("#set-position")
    expect(page.locator("#brush-near")).to_be_visible()
    assert not faults(page), "setting a position"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"
    context.close()


def test_why_a_play_is_held_and_what_to_put_back_is_read_out_with_whose_turn_it_is(table: Served, page: Page) -> None:
    """Each of it once, and to whoever does not see the page too: "put the play right" alone does not say what was wrong."""
    start(page, table)
    opening(page, 6, 2)
    page.evaluate("""() => {
      window.heard = [];
      const aloud = (changes) => changes.filter((one) => one.target.closest?.("[aria-live=polite]"));
      const texts = ({ addedNodes }) => [...addedNodes].map((one) => one.textContent);
      new MutationObserver((changes) => window.heard.push(...aloud(changes).flatMap(texts)))
        .observe(document.body, { subtree: true, childList: true });
    }""")
    assert post(table, "play", seq=state(table)["seq"], play="24/18 13/10", hold=True)[0] == 200
    expect(page.locator("body")).to_have_attribute("data-phase", "held")
    assert page.evaluate("window.heard") == [
        "Anna: put the play right", "3 pips with one checker on a roll of 6-2.",
        "Put Anna’s checker from the 18-point on the 24-point.", "Put Anna’s checker from the 10-point on the 13-point.",
    ]


def test_what_is_put_together_and_what_was_played_is_read_out(table: Served, page: Page) -> None:
    """A board that is not seen is walked over with the keyboard: the point says what was picked up and where it can go, the play is read
    out as it grows, and when it is over, once, as everybody hears it who follows the table in words."""
    start(page, table)
    opening(page, 6, 4)
    page.evaluate("""() => {
      window.heard = [];
      const under = document.getElementById("under");
      new MutationObserver(() => window.heard.push(under.closest("[aria-live=polite]") ? under.innerText.replace(/\\s+/g, " ") : "silence"))
        .observe(under, { childList: true });
    }""")
    words = page.context.new_page()
    words.goto(f"{table.url}text")
    place = page.locator('#board [data-place="24"]')
    page.keyboard.press("b")
    place.focus()
    page.keyboard.press("Enter")
    expect(place).to_have_attribute("aria-label", "Point 24: 2 of Anna’s, picked up")
    target = page.locator('#board [data-place="18"]')
    expect(target).to_have_attribute("aria-label", "Point 18: empty, can be put here")
    target.focus()
    page.keyboard.press("Enter")
    expect(target).to_have_attribute("aria-label", "Point 18: 1 of Anna’s")
    page.locator('#board [data-place="13"]').focus()
    page.keyboard.press("Enter")
    page.click("#confirm")
    expect(words.locator("#expected")).to_have_text("Anna played 24/18 13/9. Boris to roll or double")
    roll(page, "far", 6, 2)
    expect(words.locator("#expected")).to_have_text("Boris to play 6-2")
    assert page.evaluate("window.heard") == [
        "Take back", "24/18: 4 to play Take back That was all: judge it", "Play 24/18 13/9 Take back", "Anna 6-4: 24/18 13/9",
    ]
    page.click("#set-position")
    expect(page.locator("#under")).to_have_attribute("aria-live", "off")
    words.close()


def test_in_the_colours_of_the_system_a_chosen_die_is_told_from_the_others(table: Served, browser: Any) -> None:
    """Whoever has the system draw all pages in a few colours of high contrast: the page's own say nothing then."""
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    start(page, table)
    page.click("#die-near-3")
    expect(page.locator("#die-near-3")).to_have_css("outline-style", "solid")
    expect(page.locator("#die-near-4")).to_have_css("outline-style", "none")
    context.close()


def test_where_the_keyboard_is_can_be_seen_whole_on_a_narrow_page(table: Served, page: Page) -> None:
    """As narrow as a page is that a reader has enlarged: the row of pages scrolls there, and cuts off what reaches out of it."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{table.url}t/1/table")
    page.focus(".brand")
    for _ in range(5):
        page.keyboard.press("Tab")
        assert page.evaluate("""() => {
          const link = document.activeElement, { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(link);
          return link.matches(".top nav a") && outlineStyle === "solid" && parseFloat(outlineOffset) + parseFloat(outlineWidth) <= 0;
        }""")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_asks_for_more_contrast_gets_it_for_words_and_board(table: Served, browser: Any, scheme: str) -> None:
    """As a player in the sun: 7 to 1 for what is read, 3 to 1 for a point on its cloth and for a checker's edge."""
    context = browser.new_context(color_scheme=scheme, contrast="more")
    page = context.new_page()
    start(page, table)
    colours = page.evaluate("""() => {
      const of = (place, what) => getComputedStyle(document.querySelector(place))[what];
      return { ground: of("body", "backgroundColor"), card: of(".card.voice", "backgroundColor"), words: of(".about", "color"),
        foot: of(".foot button", "color"), cloth: of("#board .felt", "fill"), odd: of("#board .point.odd", "fill"),
        even: of("#board .point.even", "fill"), far: of("#board .checker.far .body", "stroke"),
        near: of("#board .checker.near .body", "fill"), numbers: of("#board .numbers text", "fill"), frame: of("#board .frame", "fill") };
    }""")
    context.close()

    def light(colour: str) -> float:
        parts = [int(one) / 255 for one in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(colours[one]), light(colours[other])))
        return (high + 0.05) / (low + 0.05)

    assert min(contrast("words", "ground"), contrast("foot", "card"), contrast("numbers", "frame")) >= 7
    assert min(contrast(one, "cloth") for one in ("odd", "even", "far", "near")) >= 3


def test_letters_are_as_large_as_the_reader_has_set_his_browser() -> None:
    """Sizes in pixels at the root would leave his setting to the layout alone, which goes by it: a phone's page in small letters."""
    sheets = Path(__file__).parents[2] / "web" / "static" / "css"
    text = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets.glob("*.css"))
    found = re.findall(r"(?<![\w.#-])html \{[^}]*\}", text)
    assert found
    assert not [rule for rule in found if re.search(r"font(-size)?: *\d+px", rule)]


@pytest.mark.parametrize("path", ["table", "matches"])
def test_who_downloads_a_record_with_the_keyboard_keeps_his_place_on_the_page(table: Served, page: Page, path: str) -> None:
    says(table)("start_match", names=["Anna", "Boris"], length=5)
    page.goto(f"{table.url}{path}")
    expect(page.locator("#download")).to_be_visible()
    page.focus("#download")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#record")).to_be_focused()
    with page.expect_download():
        page.keyboard.press("Enter")
    expect(page.locator("#record")).to_be_hidden()
    expect(page.locator("#download")).to_be_focused()
