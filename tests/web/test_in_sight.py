"""On a phone beside the board, and on it with large letters: what people look for is in sight, whole and told as it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import says, shows, start, state

NAMES = ["Katharina Baumann", "Alexander Schmidt"]
WHOLE = "(one) => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1"
LETTERS = """(place) => {
  const line = document.querySelector(place), range = document.createRange(), box = line.getBoundingClientRect();
  const text = line.firstChild;
  let n = 0;
  for (; n < text.length; n++) {
    range.setStart(text, n);
    range.setEnd(text, n + 1);
    if (range.getBoundingClientRect().right > box.right) break;
  }
  return n;
}"""
"""How many letters of a name stand in its line, with what marks it as shortened."""
DICE = """() => [...document.querySelectorAll("#board .die")].map((one) =>
  [one.classList.contains("near") ? "near" : "far", one.querySelectorAll("circle").length, one.getBoundingClientRect().left])"""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(360, 640), (390, 844), (640, 360), (844, 390)])
def test_on_a_phone_it_is_told_whole_whose_the_cube_is(table: Served, page: Page, size: tuple[int, int], language: str) -> None:
    say = says(table)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for money in (True, False):
        if money:
            say("start_match", names=NAMES, length=0, rules="money", stake=2, unit="EUR")
        else:
            say("start_match", names=NAMES, length=5)
            say("score", score=[4, 2], crawford=False)
        say("start_game")
        say("cube", value=2, owner="near")
        page.goto(f"{table.url}table?lang={language}")
        shows(page, table)
        expect(page.locator("#about")).to_contain_text("Katharina Baumann")
        assert page.locator("#about").evaluate(WHOLE), money
        assert page.locator("#about span").evaluate(WHOLE), money


@pytest.mark.parametrize("size", [(360, 640), (640, 360)])
def test_who_throws_on_a_small_phone_sees_the_dice_to_press(table: Served, page: Page, size: tuple[int, int]) -> None:
    say = says(table)
    say("start_match", names=NAMES, length=5)
    say("start_game")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}table?lang=de")
    shows(page, table)
    box = page.locator("#die-far-6").bounding_box()
    assert box is not None and box["y"] + box["height"] <= size[1]


def test_on_a_small_phone_what_goes_on_is_in_sight(table: Served, page: Page) -> None:
    say = says(table)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{table.url}table?lang=de")

    def sees(place: str) -> None:
        shows(page, table)
        box = page.locator(place).bounding_box()
        assert box is not None and box["y"] + box["height"] <= 640, place

    say("start_match", names=NAMES, length=3)
    sees("#do-start_game")
    say("start_game")
    say("roll", dice=[3, 1])
    say("play", play="8/5 6/5")
    say("double")
    sees("#do-take")
    say("drop")
    sees("#do-start_game")
    say("start_game")
    say("cube", value=4)
    say("roll", dice=[3, 1])
    say("resign", seat="far", kind="single")
    say("accept")
    sees("#new-match")


@pytest.mark.parametrize("size", [(640, 360), (844, 390)])
def test_with_letters_twice_as_large_on_a_phone_lying_down_both_are_told_by_name(table: Served, page: Page, size: tuple[int, int]) -> None:
    says(table)("start_match", names=NAMES, length=5)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.url}table")
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
    page.reload()
    shows(page, table)
    for seat in ("near", "far"):
        assert page.evaluate(LETTERS, f"#{seat} .name") >= 6, seat
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    box = page.locator("#board").bounding_box()
    assert box is not None and box["height"] <= size[1], "the board is in sight whole once it is scrolled to"


def test_the_tables_head_is_whole_on_a_phone_with_large_letters_where_it_says_who_one_is(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    page.goto(f"{server.url}table?lang=de")
    expect(page.locator("#rank")).to_have_text("Zuschauer")
    letters = page.context.new_cdp_session(page)
    for width, size in ((360, 24), (360, 32), (412, 32)):
        page.set_viewport_size({"width": width, "height": 640})
        letters.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        boxes = page.eval_on_selector_all(".top .end > *", "all => all.map((one) => one.getBoundingClientRect())")
        assert all(box["left"] >= 0 and box["right"] <= width for box in boxes), (width, size)


def test_each_opening_die_is_that_of_who_threw_it_and_lies_in_his_half(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=NAMES, length=5)
    say("start_game")
    say("roll", dice=[2, 6])
    for place in ("table", "overlay?board=1", f"t/1/matches/{state(table)['match']}"):
        page.goto(f"{table.url}{place}")
        expect(page.locator("#board .die")).to_have_count(2)
        dice = sorted(page.evaluate(DICE), key=lambda one: one[2])
        assert [one[:2] for one in dice] == [["far", 6], ["near", 2]], place
    say("play", play="24/18 13/11")
    say("roll", dice=[3, 1])
    page.goto(f"{table.url}table")
    shows(page, table)
    assert [one[0] for one in page.evaluate(DICE)] == ["near", "near"]


def test_what_is_over_the_length_of_a_match_is_shown_nowhere(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=3)
    say("start_game")
    say("cube", value=8)
    say("roll", dice=[3, 1])
    say("resign", seat="far", kind="single")
    say("accept")
    assert state(table)["score"] == [8, 0]
    for place, score in (("table", "#near .points"), ("scoreboard", "#near .points"), ("overlay", "#near .points")):
        page.goto(f"{table.url}{place}?lang=en")
        expect(page.locator(score)).to_have_text("3")
    page.goto(f"{table.url}table?lang=en")
    expect(page.locator("#rulings")).to_contain_text("Anna wins the match, 3-0")
    assert "3–0" in page.title()
    page.goto(f"{table.url}matches?lang=en")
    expect(page.locator("#rows tr:first-child .number")).to_have_text("3–0")
    page.click("#rows tr:first-child a")
    expect(page.locator("#title")).to_contain_text("3–0")
    expect(page.locator("#facts")).to_contain_text("score 3–0")
    page.goto(f"{table.url}text?lang=en")
    expect(page.locator("#score")).to_contain_text("Anna: 3")


def test_a_name_that_has_no_room_does_not_end_without_a_word(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#another-match")
    said = page.locator(".field:has(#f-near) [role=status]")
    page.fill("#f-near", "Anna")
    expect(said).to_be_empty()
    page.fill("#f-near", "")
    page.locator("#f-near").press_sequentially("Wolfgang-Maximilian Schmidtbauer-Grünenfelder")
    expect(page.locator("#f-near")).to_have_value("Wolfgang-Maximilian Schmidtbaue")
    expect(said).to_have_text("No more than 31 letters go in here.")
    page.locator("#f-near").press("Backspace")
    expect(said).to_be_empty()
