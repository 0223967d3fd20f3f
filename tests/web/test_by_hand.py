"""A match refereed with no camera at all, through the table page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests import gnubg
from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, post, roll, start, state


def test_a_short_match_by_hand(table: Served, page: Page, tmp_path: Path) -> None:
    start(page, table)
    expect(page.locator("#about")).to_contain_text("3 points")

    # the opening: a tie, then Anna's 3-1 played by clicking points
    opening(page, 5, 5)
    expect(page.locator("#rulings li").first).to_contain_text("throw again")
    opening(page, 3, 1)
    expect(page.locator("#expected")).to_contain_text("Anna")
    expect(page.locator("#board .die")).to_have_count(2)
    point(page, 8)
    point(page, 5)
    point(page, 6)
    expect(page.locator("#confirm")).to_contain_text("8/5 6/5")
    page.click("#confirm")
    expect(page.locator("#expected")).to_contain_text("Boris")
    assert state(table)["position"]["points"][4] == 2

    # Boris by typing; an illegal play is refused with its reason and changes nothing
    roll(page, "far", 6, 2)
    play(page, "24/18 13/10")
    expect(page.locator("#toast")).to_be_visible()
    assert state(table)["phase"] == "rolled"
    expect(page.locator("#hold")).to_be_visible()
    play(page, "24/18 13/11")
    expect(page.locator("#rulings li").first).to_contain_text("24/18 13/11")

    # what was really played is typed after the turn, too
    page.click("#other-play")
    play(page, "24/18 13/10")
    expect(page.locator("#toast")).to_be_visible()
    play(page, "24/16")
    expect(page.locator("#rulings li").first).to_contain_text("24/16")
    expect(page.locator("#expected")).to_contain_text("Anna")
    page.click("#other-play")
    play(page, "24/18 13/11")
    expect(page.locator("#rulings li").first).to_contain_text("24/18 13/11")

    # the cube: offered, taken
    page.click("#do-double")
    expect(page.locator("#board .cube.offered")).to_be_visible()
    page.click("#do-take")
    expect(page.locator("#about")).to_contain_text("cube at 2 with Boris")
    page.keyboard.press("4")
    page.keyboard.press("2")
    play(page, "8/4 6/4")
    expect(page.locator("#expected")).to_contain_text("Boris")

    # Boris resigns; Anna refuses at first, then accepts: 2 points, and the next is the Crawford game
    for answer in ("#do-refuse", "#do-accept"):
        page.click("#resign")
        page.select_option("#f-seat", "far")
        page.click("#dialog-yes")
        page.click(answer)
        expect(page.locator(answer)).to_have_count(0)
    expect(page.locator("#near .points")).to_have_text("2")
    page.click("#do-start_game")
    expect(page.locator("#about")).to_contain_text("Crawford")
    opening(page, 2, 6)
    play(page, "24/18 13/11")
    expect(page.locator("#expected")).to_have_text("Anna to roll")
    expect(page.locator("#do-double")).to_have_count(0)
    page.click("#resign")
    page.select_option("#f-seat", "far")
    page.click("#dialog-yes")
    page.click("#do-accept")
    expect(page.locator("#near .points")).to_have_text("3")
    expect(page.locator("body")).to_have_attribute("data-phase", "match_over")
    assert state(table)["score"] == [3, 0]

    page.click("#download")
    with page.expect_download() as download:
        page.click("#record")
    record = Path(download.value.path()).read_text(encoding="utf-8")
    assert gnubg.games(record, tmp_path) == [("left", 2), ("left", 1)]


def test_corrections(table: Served, page: Page) -> None:
    """Undo over several steps, dice corrected, the position, the score, the cube and the turn set by hand."""
    start(page, table, length="5")
    opening(page, 4, 1)
    page.click("#other-dice")
    opening(page, 6, 3)
    play(page, "24/15")
    roll(page, "far", 5, 5)
    expect(page.locator("#expected")).to_contain_text("5-5")

    page.click("#undo")
    expect(page.locator("#f-to option").last).to_have_text("Game 1: Anna 0, Boris 0")  # the match itself cannot be taken back
    page.select_option("#f-to", label="Anna played 24/15")
    page.click("#dialog-yes")
    expect(page.locator("#expected")).to_contain_text("6-3")
    expect(page.locator("#put-back")).to_contain_text("from the 15-point on the 24-point")
    assert state(table)["position"]["points"][23] == 2

    page.click("#set-position")
    page.click("#brush-none")
    point(page, 24)
    page.click("#brush-near")
    point(page, 23)
    page.click("#position-done")
    expect(page.locator("#brush-near")).to_have_count(0)
    points = state(table)["position"]["points"]
    assert (points[23], points[22]) == (1, 1)

    page.click("#set-position")
    page.click("#from-id")
    page.fill("#f-text", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:5:10")
    page.select_option("#f-bottom", "near")
    page.click("#dialog-yes")
    expect(page.locator("#expected")).to_have_text("Anna to play 5-2")
    expect(page.locator("#brush-near")).to_have_count(0)
    assert state(table)["position"]["points"][23] == 2

    page.click("#correct")
    page.fill("#f-far", "2")
    page.select_option("#f-cube", "2")
    page.select_option("#f-owner", "near")
    page.select_option("#f-seat", "far")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#far .points")).to_have_text("2")
    now = state(table)
    assert now["score"] == [0, 2]
    assert now["cube"] == {"value": 2, "owner": "near", "offered_by": None}
    assert now["on_roll"] == "far"


def test_a_tap_that_cannot_set_a_checker_takes_no_other_away(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    page.click("#brush-near")
    point(page, 19)  # five of far's, while all of near's are on the board
    expect(page.locator("#toast")).to_contain_text("take one away first")
    page.click("#position-done")
    expect(page.locator("#brush-near")).to_have_count(0)
    assert state(table)["position"]["points"][18] == -5


def test_what_the_corrections_offer_can_be_corrected(table: Served, page: Page) -> None:
    """A refused step leaves the dialog open; what went before it is not sent again. There is no cube between games, and nothing
    but the names and the length to correct after the match."""
    start(page, table, length="2")
    page.click("#correct")
    page.fill("#f-near", "1")
    page.select_option("#f-cube", "2")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-wrong")).to_contain_text("the cube stays at 1")
    page.select_option("#f-cube", "1")
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()
    assert state(table)["score"] == [1, 0]

    opening(page, 3, 1)
    for over in ("game_over", "match_over"):
        page.click("#resign")
        page.select_option("#f-seat", "near")
        page.click("#dialog-yes")
        page.click("#do-accept")
        expect(page.locator("body")).to_have_attribute("data-phase", over)
        page.click("#correct")
        expect(page.locator("#f-cube")).to_have_count(0)
        if over == "game_over":
            expect(page.locator("#f-near")).to_be_visible()
            page.keyboard.press("Escape")
            page.click("#do-start_game")
            opening(page, 3, 1)
    assert page.eval_on_selector_all("#dialog input, #dialog select", "inputs => inputs.map((one) => one.name)") == [
        "length", "name-far", "name-near", "event",
    ]
    page.fill("#f-name-near", "Anne")
    page.click("#dialog-yes")
    expect(page.locator("#near .name")).to_have_text("Anne")


def test_a_checker_that_both_dice_bear_off_leaves_the_larger_to_the_other(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    bare = {"points": [0] * 4 + [1, 1] + [0] * 12 + [-2] + [0] * 5, "bar": [0, 0], "off": [13, 13]}
    assert post(table, "position", seq=state(table)["seq"], position=bare)[0] == 200
    assert post(table, "turn", seq=state(table)["seq"], seat="near", dice=[6, 5])[0] == 200
    expect(page.locator("#expected")).to_have_text("Anna to play 6-5")
    point(page, 5)
    expect(page.locator("#left")).to_have_text("5/off: 6 to play")
    point(page, 6)
    page.click("#confirm")
    expect(page.locator("body")).to_have_attribute("data-phase", "game_over")


def test_a_checker_that_cannot_be_borne_off_yet_is_told_what_comes_first(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    for points, place, said in (({1: 2, 2: 1}, 1, "farthest back: choose that one first"), ({2: 1, 13: 1}, 2, "before all are home")):
        board = {"points": [points.get(n, 0) for n in range(1, 19)] + [-2] + [0] * 5, "bar": [0, 0], "off": [15 - sum(points.values()), 13]}
        assert post(table, "position", seq=state(table)["seq"], position=board)[0] == 200
        assert post(table, "turn", seq=state(table)["seq"], seat="near", dice=[6, 6])[0] == 200
        expect(page.locator("body")).to_have_attribute("data-seq", str(state(table)["seq"]))
        point(page, place)
        expect(page.locator("#toast")).to_contain_text(said)
        point(page, max(points))  # and what was wrong is not said any longer
        expect(page.locator("#left")).to_contain_text("to play")
        expect(page.locator("#toast")).to_be_hidden()


def test_an_illegal_play_that_was_made_is_held_and_put_right(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    point(page, 8)
    point(page, 5)
    expect(page.locator("#left")).to_have_text("8/5: 1 to play")
    page.click("#judge")
    expect(page.locator("#toast")).to_contain_text("not legal")
    page.keyboard.press("?")  # whatever is opened over the page, what was said before does not show through behind it
    expect(page.locator("dialog[open]")).to_be_visible()
    expect(page.locator("#toast")).to_be_hidden(timeout=2000)
    page.keyboard.press("Escape")
    page.press("#hold", "Enter")  # it stands where it was asked to be judged; a finger that comes down there twice at once has pressed once
    expect(page.locator("body")).to_have_attribute("data-phase", "held")
    expect(page.locator("#expected")).to_contain_text("Anna: put the play right")
    play(page, "8/5 6/5")
    expect(page.locator("#rulings li").first).to_contain_text("corrected to 8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")


def test_money_play_with_what_its_rules_leave_open(table: Served, page: Page) -> None:
    page.goto(table.url)
    page.click("#new-match, #another-match")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.select_option("#f-rules", "traditional")
    expect(page.locator("#q-first_throw_refusal")).to_have_count(0)
    page.click("#length-0")
    page.fill("#f-stake", "5")
    page.fill("#f-unit", "EUR")
    page.check("#q-auto_doubles input[value='\"unlimited\"']")
    page.click("#dialog-yes")
    expect(page.locator("#about")).to_contain_text("Money game, 5 EUR a point")
    page.click("#do-start_game")
    opening(page, 4, 4)
    expect(page.locator("#about")).to_contain_text("cube at 2 in the middle")
    expect(page.locator("#more")).to_have_text("Both threw 4; throw again · The cube turns to 2")
    opening(page, 6, 2)
    expect(page.locator("#more")).to_be_hidden()
    page.click("#resign")
    page.select_option("#f-seat", "far")
    page.click("#dialog-yes")
    page.click("#do-accept")
    expect(page.locator("#near .seat")).to_contain_text("+2 (+10 EUR)")
    expect(page.locator("#far .seat")).to_contain_text("−2 (−10 EUR)")


def test_a_stale_command_is_refused_by_name(table: Served, page: Page) -> None:
    """Two people act at once: the second is told what came first, and nothing of his is done."""
    start(page, table)
    opening(page, 3, 1)
    seen = state(table)["seq"]  # what the page shows
    # the page is cut off from the stream; meanwhile somebody else enters the play
    page.route("**/api/v1/play", lambda route: (post(table, "play", seq=seen, play="8/5 6/5"), route.continue_())[1])
    play(page, "24/23 13/10")
    toast = page.locator("#toast")
    expect(toast).to_be_visible()
    expect(toast).to_have_attribute("data-code", "stale")
    expect(toast).to_contain_text("moved on")
    assert state(table)["last_turn"]["play"] == "8/5 6/5"
    status, body = post(table, "roll", seq=seen, dice=[6, 1], seat="near")
    assert (status, body["error"], body["status"]) == (409, "stale", 409)
    assert body["by"] == "played"


def test_killed_and_started_again_it_is_the_same_match(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database)
    start(page, server)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    before = state(server)
    server.kill()
    expect(page.locator("#line")).to_have_attribute("data-line", "stale")
    again = serve("serve", "--port", str(server.port), "--db", database)
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    after = state(again)
    assert {k: v for k, v in after.items() if k != "camera"} == {k: v for k, v in before.items() if k != "camera"}
    roll(page, "far", 6, 2)
    expect(page.locator("#expected")).to_contain_text(re.compile("Boris.*6-2"))


def test_the_keyboard_alone(table: Served, page: Page) -> None:
    """A play is put together on the board with arrow keys and Enter."""
    start(page, table)
    opening(page, 3, 1)
    expect(page.locator('#board [data-place="6"]')).to_have_attribute("role", "button")  # the board takes keys once the roll is there
    page.focus('#board [data-place="6"]')
    page.keyboard.press("ArrowLeft")  # over the bar
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('#board [data-place="8"]')).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator('#board [data-place="5"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_contain_text("8/5 6/5")
    page.keyboard.press("Backspace")
    expect(page.locator("#left")).to_have_text("8/5: 1 to play")
    expect(page.locator("#confirm")).to_have_count(0)
    page.keyboard.press("Enter")
    page.focus("#confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#expected")).to_contain_text("Boris")
    assert state(table)["last_turn"]["play"] == "8/5 6/5"


def test_who_chooses_where_a_checker_went_by_itself_moves_it_no_further(table: Served, page: Page) -> None:
    """With one place to go to a checker goes there at once; a person who is used to choosing both places chooses that one too."""
    start(page, table)
    opening(page, 6, 5)
    point(page, 24)
    expect(page.locator("#left")).to_have_text("24/18: 5 to play")
    point(page, 18)
    expect(page.locator("#left")).to_have_text("24/18: 5 to play")
    point(page, 13)
    expect(page.locator("#confirm")).to_have_text("Play 24/18 18/13")
    page.click("#back")
    page.click("#back")
    for place in (24, 18, 18, 13):  # from, to, from, to
        point(page, place)
    expect(page.locator("#confirm")).to_have_text("Play 24/18 18/13")
    page.click("#back")
    point(page, 13)
    expect(page.locator("#confirm")).to_have_text("Play 24/18 13/8")


def test_a_pause_loses_nothing_of_a_play_half_entered(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 6, 5)
    point(page, 24)
    expect(page.locator("#left")).to_have_text("24/18: 5 to play")
    page.click("#do-pause")
    expect(page.locator("body")).to_have_attribute("data-phase", "paused")
    expect(page.locator("#left")).to_be_hidden()
    page.keyboard.press("Backspace")
    page.click("#do-resume")
    expect(page.locator("#left")).to_have_text("24/18: 5 to play")
    point(page, 13)
    page.click("#confirm")
    expect(page.locator("#under")).to_have_text("Anna 6-5: 24/18 13/8")
    page.click("#die-far-2")  # and of a throw
    page.click("#do-pause")
    page.click("#do-resume")
    expect(page.locator("#die-far-2")).to_have_attribute("aria-pressed", "true")
    page.click("#die-far-1")
    expect(page.locator("#expected")).to_contain_text("2-1")
    page.fill("#notation", "24/2")  # and of what is typed
    page.click("#do-pause")
    expect(page.locator("#notation")).to_have_count(0)
    page.click("#do-resume")
    expect(page.locator("#notation")).to_have_value("24/2")
    play(page, "24/21")
    roll(page, "near", 3, 1)
    expect(page.locator("#notation")).to_have_value("")


def test_every_action_of_a_turn_has_its_key(table: Served, page: Page) -> None:
    start(page, table)
    expected = page.locator("#expected")
    for key in ("3", "1"):  # in the opening first near's die
        page.keyboard.press(key)
    expect(expected).to_have_text("Anna to play 3-1")
    page.keyboard.press("/")
    expect(page.locator("#notation")).to_be_focused()
    page.keyboard.type("8/5 6/5")
    page.keyboard.press("Enter")
    expect(expected).to_have_text("Boris to roll or double")
    page.keyboard.press("d")
    expect(expected).to_have_text("Anna: take or drop?")
    page.keyboard.press("t")
    expect(page.locator("#about")).to_contain_text("cube at 2 with Anna")
    page.keyboard.press("6")
    expect(page.locator("#die-far-6")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#die-far-6")).to_have_attribute("aria-pressed", "false")
    for key in ("6", "2"):
        page.keyboard.press(key)
    expect(expected).to_have_text("Boris to play 6-2")
    page.keyboard.press("b")
    expect(page.locator("#board [data-place]:focus")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator("#toast")).to_contain_text("can be played")
    page.keyboard.press("o")
    expect(page.locator("#other-dice")).to_have_count(0)
    for key in ("4", "2"):
        page.keyboard.press(key)
    expect(expected).to_have_text("Boris to play 4-2")
    play(page, "8/4 6/4")
    expect(expected).to_contain_text("Anna")
    page.locator("#hand").focus()
    page.keyboard.press("o")
    expect(page.locator("#notation")).to_be_focused()
    page.keyboard.type("13/9 13/11")
    page.keyboard.press("Enter")
    expect(page.locator("#rulings li").first).to_contain_text("13/11 13/9")
    page.keyboard.press("?")
    expect(page.locator(".keys")).to_contain_text("correct the dice, or the play")
    page.keyboard.press("Escape")
    for key, field in (("u", "#f-to"), ("r", "#f-kind"), ("?", "#dialog-done")):
        page.keyboard.press(key)
        expect(page.locator(field)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#dialog")).to_be_hidden()


def test_the_scoreboard_follows(table: Served, page: Page) -> None:
    page.goto(f"{table.url}scoreboard")
    assert post(table, "start_match", seq=state(table)["seq"], names=["Ann", "Bob"], length=7)[0] == 200
    expect(page.locator("#near")).to_contain_text("Ann")
    assert post(table, "start_game", seq=1)[0] == 200
    post(table, "roll", seq=state(table)["seq"], dice=[6, 2])
    expect(page.locator("#expected")).to_contain_text("6-2")
    expect(page.locator("#board .die")).to_have_count(2)
