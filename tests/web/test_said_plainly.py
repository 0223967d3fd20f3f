"""What a person at the table needs to be told, where he looks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, post, roll, says, start, state
from tests.web.test_two_phones import other


def resign(page: Page, seat: str, kind: str) -> None:
    page.click("#resign")
    page.select_option("#f-seat", seat)
    page.select_option("#f-kind", kind)
    page.click("#dialog-yes")


def test_before_a_match_the_players_are_told_once_by_their_places(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    for path, place in (("table", "#{} .who"), ("scoreboard", "#{} .said")):
        page.goto(f"{server.url}{path}")
        for seat, said in (("far", "Far player"), ("near", "Near player")):
            expect(page.locator(place.format(seat))).to_have_text(said)


@pytest.mark.parametrize("size", [(568, 320), (360, 640), (390, 844)])
def test_on_a_phone_it_says_so_where_there_is_room_and_both_players_dice_are_in_sight(
    table: Served, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    start(page, table, rules="usbgf" if size[1] == 844 else "bray")
    before = page.locator("#die-far-6").bounding_box()
    page.click("#die-near-4")
    expect(page.locator("#expected")).to_have_text("Now Boris’s die, here too")
    box = page.locator("#die-far-6").bounding_box()
    assert box is not None and box == before and box["y"] + box["height"] <= size[1] + 1
    page.click("#die-far-3")
    expect(page.locator("#expected")).to_contain_text("4-3")


def test_after_one_opening_die_the_page_says_whose_is_missing(table: Served, page: Page) -> None:
    """On two phones each player presses his own die on his own phone, and both wait."""
    start(page, table)
    told = page.locator("#expected")
    expect(told).to_have_text("Each throws one die")
    page.click("#die-far-4")
    expect(told).to_have_text("Now Anna’s die, here too")
    page.click("#die-near-4")
    expect(told).to_have_text("Each throws one die")
    page.click("#die-near-2")
    expect(told).to_have_text("Now Boris’s die, here too")


def test_a_tie_in_the_opening_is_said_where_it_is_looked_for(table: Served, page: Page) -> None:
    """What is expected reads the same before and after it: whoever entered the dice must see that they were taken."""
    start(page, table)
    opening(page, 2, 2)
    expect(page.locator("#more")).to_have_text("Both threw 2; throw again")
    expect(page.locator("#expected")).to_have_text("Each throws one die")
    for path, place, said in (
        ("scoreboard", "#last", "Both threw 2; throw again"), ("overlay", "#expected", "Both threw 2; throw again"),
        ("text", "#expected", "Both threw 2; throw again. Each throws one die"),
    ):
        page.goto(f"{table.url}{path}")
        expect(page.locator(place)).to_have_text(said)
    page.goto(table.url)
    expect(page.locator("#more")).to_be_visible()
    opening(page, 6, 2)
    expect(page.locator("#more")).to_be_hidden()


def test_who_must_throw_again_hears_it(table: Served, page: Page) -> None:
    """With the sound on a tie is heard like any other throw that does not count."""
    page.add_init_script("""
        window.heard = [];
        const quiet = { connect: (next) => next, start() {}, stop() {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } };
        window.AudioContext = class {
            currentTime = 0; state = "running";
            createGain() { return quiet; }
            createOscillator() { return { ...quiet, frequency: { set value(pitch) { window.heard.push(pitch); } } }; }
        };
    """)
    start(page, table)
    page.click("#voice-mode")
    assert page.evaluate("heard.splice(0)") == [440]
    opening(page, 2, 2)
    expect(page.locator("#more")).to_have_text("Both threw 2; throw again")
    assert page.evaluate("heard") == [440, 330]


def test_after_the_crawford_game_every_page_says_that_it_has_been(table: Served, page: Page) -> None:
    """The cube is back, and a free drop or a double at once is what players think of then."""
    match = {"names": ["Anna", "Boris"], "length": 3, "rules": "bray"}  # the page would begin with the rules of the match before
    started = (("start_match", match), ("start_game", {}))
    for name, body in (*started, ("score", {"score": [0, 2]}), ("award", {"seat": "near", "kind": "single"}), ("start_game", {})):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    for path, place in (("table", "#about"), ("scoreboard", "#about"), ("overlay", "#about"), ("text", "#score")):
        page.goto(f"{table.url}{path}")
        expect(page.locator(place)).to_contain_text(re.compile("Game 2(,| ·) post-Crawford"))
    page.goto(f"{table.url}table")
    expect(page.locator("#about")).to_contain_text("post-Crawford · cube in the middle")
    box = page.locator("#about span").bounding_box()
    assert box is not None and box["height"] < 25, "in one line: the board stays where it was in the games before"


def test_the_correction_asks_in_the_order_of_the_score_line(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#correct")
    labels = page.locator("#dialog label").all_inner_texts()
    assert [label for label in labels if "Score" in label] == ["Score: Boris", "Score: Anna"]
    assert [label for label in labels if "player" in label] == ["Far player", "Near player"]
    page.fill("#f-far", "1")
    page.click("#dialog-yes")
    expect(page.locator("#far .points")).to_have_text("1")
    assert state(table)["score"] == [0, 1]
    expect(page.locator("#rulings li").first).to_have_text("The score was set to Anna 0, Boris 1")


def test_a_ruling_shows_the_play_it_is_about(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#rule")
    expect(page.locator("#f-what")).to_be_visible()
    expect(page.locator("#about-play")).to_have_count(0)
    page.keyboard.press("Escape")
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#under")).to_contain_text("8/5 6/5")
    page.click("#rule")
    expect(page.locator("#about-play")).to_have_text("Anna 3-1: 8/5 6/5")
    page.select_option("#f-what", "penalise")
    expect(page.locator("#about-play")).to_be_hidden()
    page.keyboard.press("Escape")
    roll(page, "far", 6, 2)
    play(page, "24/18 13/10")
    page.click("#hold")
    expect(page.locator("#voice")).to_have_class(re.compile("held"))
    page.click("#rule")
    expect(page.locator("#about-play")).to_contain_text("3 pips")


def test_the_table_says_what_is_resigned_and_how_the_game_ended(table: Served, page: Page) -> None:
    start(page, table, length="7")
    opening(page, 3, 1)
    resign(page, "far", "gammon")
    expect(page.locator("#more")).to_have_text("Boris offers to resign a gammon · 2 points")
    page.click("#do-accept")
    expect(page.locator("#more")).to_have_text("Anna wins a gammon, 2 points")
    page.goto(f"{table.url}text")
    expect(page.locator("#expected")).to_have_text("Anna wins a gammon, 2 points. Set up for the next game")
    page.goto(table.url)
    page.click("#do-start_game")
    expect(page.locator("#more")).to_be_hidden()


def test_time_that_is_up_is_said_as_long_as_it_is(serve: Callable[..., Served], page: Page, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('name = "quick"\nbase = "usbgf"\n[clock]\ndelay_s = 0\novertime_s = 0\n')
    server = serve("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--rules", str(club))
    bodies = ({"names": ["Anna", "Boris"], "length": 3, "rules": "quick"}, {}, {"dice": [3, 1]}, {"remaining": [1, 60]}, {})
    for name, body in zip(("start_match", "start_game", "roll", "clock_set", "clock_start"), bodies, strict=True):
        assert post(server, name, seq=state(server)["seq"], **body)[0] == 200
    page.goto(server.url)
    expect(page.locator("#more")).to_have_text("Anna’s time is up. Ruling… says what comes of it.")
    expect(page.locator("#voice")).to_have_class(re.compile("asks"))  # somebody must act on it
    page.goto(f"{server.url}text")
    expect(page.locator("#expected")).to_have_text("Anna to play 3-1. Anna’s time is up.")
    page.goto(f"{server.url}scoreboard")
    expect(page.locator("#last")).to_have_text("Anna’s time is up.")
    assert post(server, "undo", seq=state(server)["seq"], to_seq=2)[0] == 200
    expect(page.locator("#last")).not_to_contain_text("time")


def test_another_device_offers_the_match_that_is_on_again(table: Served, page: Page) -> None:
    assert post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=99, rules="ukbgf")[0] == 200
    for at, opens in (("", "#another-match"), ("setup", "#fields summary")):
        page.goto(f"{table.url}{at}")
        page.locator(opens).first.click()
        expect(page.locator("#f-length")).to_have_value("99")
        expect(page.locator("#f-rules")).to_have_value("ukbgf")
        assert page.eval_on_selector("#f-length", "box => box.checkValidity()"), "as long as any that the referee takes"


def test_another_device_offers_what_the_table_agreed_on_again(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    agreed: dict[str, Any] = {"rules": "bray", "choices": {"jacoby": True, "beavers": 1}, "stake": 5, "unit": "EUR", "aids": True}
    assert post(server, "start_match", seq=0, names=["Anna", "Boris"], length=0, **agreed)[0] == 200
    page.goto(f"{server.url}setup")
    expect(page.locator("#f-stake")).to_have_value("5")
    expect(page.locator("#f-unit")).to_have_value("EUR")
    expect(page.locator("#f-aids")).to_be_checked()
    expect(page.locator("#q-jacoby input:checked")).to_have_value("true")
    page.goto(server.url)
    page.click("#another-match")
    page.click("#dialog-yes")
    expect(page.locator("body")).to_have_attribute("data-match", "2")
    now = state(server)
    assert (now["money"]["stake"], now["money"]["unit"], now["aids"]) == (5, "EUR", True)
    assert (now["choices"]["jacoby"], now["choices"]["beavers"], now["choices"]["auto_doubles"]) == (True, 1, 0)


def test_a_length_that_is_wiped_out_can_be_typed_anew(table: Served, page: Page) -> None:
    assert post(table, "start_match", seq=state(table)["seq"], names=["Anna", "Boris"], length=9)[0] == 200
    page.goto(table.url)
    page.click("#another-match")
    length = page.locator("#f-length")
    expect(length).to_have_value("9")
    length.press("End")
    length.press("Backspace")
    expect(length).to_have_value("")
    length.press_sequentially("13")
    expect(length).to_have_value("13")


def test_the_list_of_records_closes_when_one_is_taken(table: Served, page: Page) -> None:
    start(page, table)
    page.click("#download")
    with page.expect_download():
        page.click("#record")
    expect(page.locator("#record")).to_be_hidden()


def test_no_line_of_the_log_ends_between_two_dice(table: Served, page: Page) -> None:
    broken = r"""() => {
      const found = [];
      for (const list of document.querySelectorAll("#rulings, #steps")) {
        const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const at = texts.currentNode.data.search(/\b\d-\d\b/);
          if (at < 0) continue;
          const dice = document.createRange();
          dice.setStart(texts.currentNode, at);
          dice.setEnd(texts.currentNode, at + 3);
          if (new Set([...dice.getClientRects()].map((box) => box.top)).size > 1) found.push(texts.currentNode.data);
        }
      }
      return found;
    }"""
    said = ("start_match", {"names": ["A" * 19, "Boris"], "length": 3}), ("start_game", {}), ("roll", {"dice": [6, 1]})
    for name, body in said:
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    for path, log in (("table", "#rulings"), (f"matches/{state(table)['match']}", "#steps")):
        page.goto(f"{table.url}{path}")
        expect(page.locator(log)).to_contain_text("6-1")
        for width in range(320, 480, 4):  # wherever the line ends
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(broken) == [], width


def test_a_match_that_is_over_leads_to_its_page_and_the_tab_names_it(table: Served, page: Page) -> None:
    start(page, table, length="1")
    expect(page).to_have_title(re.compile("^Anna – Boris 0–0 · Table"))
    opening(page, 3, 1)
    other(table, "resign", seat="far")
    page.click("#do-accept")
    expect(page).to_have_title(re.compile("^Anna – Boris 1–0 · Table"))
    page.click("#whole-match")
    expect(page.locator("#title")).to_contain_text("Anna – Boris")
    expect(page.locator("#said")).to_have_text("Anna wins the match, 1-0")


def test_why_a_match_ended_away_from_the_board_is_said_with_its_winner(table: Served, page: Page) -> None:
    page.goto(f"{table.url}scoreboard")
    for name, body in (
        ("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("start_game", {}), ("roll", {"dice": [3, 1]}),
        ("late", {"seat": "near", "minutes": 12, "note": "not for the wall"}),
    ):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    expect(page.locator("#expected")).to_have_text("Boris has won the match")
    expect(page.locator("#last")).to_have_text("Ruled: Anna came 12 minutes late; penalty points: 2")
    for seat in ("near", "far"):
        expect(page.locator(f"#{seat} .facts")).to_have_text("")  # nothing is to go any more


def test_where_one_is_closed_out_the_dice_are_the_others(table: Served, page: Page) -> None:
    """The page says who rolls; dice pressed then are his, and no roll of the one who could not throw."""
    start(page, table)
    opening(page, 3, 1)
    points = [0, 0, 0, 4, 5, 5, *[0] * 12, *[-2] * 6]
    points[0] = -3
    for name, body in (("position", {"position": {"points": points, "bar": [1, 0], "off": [0, 0]}}), ("turn", {"seat": "near"})):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    expect(page.locator("#expected")).to_have_text("Anna is closed out and may double")
    expect(page.locator("#hand h2")).to_have_text("Boris rolls")
    page.click("#do-double")
    page.click("#do-take")
    expect(page.locator("#expected")).to_have_text("Anna is closed out; Boris to roll")
    page.keyboard.press("6")
    page.click("#die-far-2")
    expect(page.locator("#expected")).to_have_text("Boris to play 6-2")
    assert [line["text"] for line in state(table)["log"]][-2:] == ["Anna is closed out", "Boris rolled 6-2"]


def test_the_page_of_words_tells_the_dice_that_lie_there(table: Served, page: Page) -> None:
    page.goto(f"{table.url}text")
    for name, body in (("start_match", {"names": ["Anna", "Boris"], "length": 3}), ("start_game", {}), ("roll", {"dice": [3, 1]})):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    expect(page.locator("#score")).to_contain_text("Dice: 3-1")
    post(table, "roll", seq=state(table)["seq"], dice=[6, 4])
    expect(page.locator("#score")).to_contain_text("Dice: 6-4")
    post(table, "play", seq=state(table)["seq"], play="24/18 13/9")
    expect(page.locator("#score")).not_to_contain_text("Dice")


def test_a_cube_that_is_turned_again_at_once_is_the_takers_beaver_and_the_doublers_raccoon(table: Served, page: Page) -> None:
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=0, rules="money", choices={"beavers": 3})
    for name, body in (("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("double", {})):
        say(name, **body)
    page.goto(f"{table.url}table")
    for turn in ("Beaver", "Raccoon", "Beaver", "Raccoon", "Beaver"):
        expect(page.locator("#do-beaver")).to_have_text(turn)
        page.click("#do-beaver")
    expect(page.locator("#do-beaver")).to_have_text("Raccoon")
