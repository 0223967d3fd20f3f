"""Pages as people use them: several tabs of one browser, others who act meanwhile, keys that are held, browsers that remember nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Served
from tests.web.pressing import opening, play, point, post, roll, start, state
from tests.web.test_directors_view import ACT, COMMANDS
from tests.web.test_two_phones import other
from web.scripts import address


def test_a_scoreboard_in_the_directors_browser_keeps_his_secrets(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    director = re.findall(r"\d{6}", server.said)[1]
    page.goto(server.url)
    screen = page.context.new_page()
    screen.goto(f"{server.url}scoreboard")
    second = page.context.new_page()
    second.goto(server.url)
    expect(second.locator("#rank")).to_have_text("Viewer")
    page.click("#rank")
    page.fill("#pin-input", director)
    page.click("#pin-yes")
    expect(page.locator("#rank")).to_have_text("Director")
    expect(second.locator("#rank")).to_have_text("Director")  # its cookie is the same
    fetch = """([name, body]) => fetch(`/api/v1/${name}`, {method: 'POST', body: JSON.stringify(body),
        headers: {'content-type': 'application/json'}})"""
    for name, body in (
        ("start_match", {"names": ["Anna", "Boris"], "length": 3, "rules": "wbgf-responsible"}),
        ("start_game", {}),
        ("roll", {"dice": [6, 1]}),
        ("play", {"play": "13/10 6/5", "hold": True}),
    ):
        page.evaluate(fetch, [name, body | {"seq": state(server)["seq"]}])
    expect(page.locator("#voice")).to_contain_text("Only you see this")
    expect(screen.locator("#expected")).to_contain_text("Boris")
    expect(screen.locator("#expected")).not_to_have_class(re.compile("held"))
    assert "6-1" not in screen.inner_text("#expected")


def test_who_one_is_can_be_said_though_the_page_did_not_learn_it_at_once(serve: Callable[..., Served], page: Page, database: str) -> None:
    """A slow line loses a request now and then."""
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    page.route("**/api/v1/me", lambda route: route.abort(), times=1)
    page.goto(server.url)
    expect(page.locator("#rank")).to_be_visible()
    expect(page.locator("#rank")).to_have_text("Viewer")


def test_who_has_only_the_tables_pin_is_told_before_he_writes_a_ruling(serve: Callable[..., Served], page: Page, database: str) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--new-pins")
    table, director = re.findall(r"\d{6}", server.said)[:2]
    page.goto(server.url)
    page.evaluate(ACT, [table, COMMANDS[:1]])
    for pin, rank, told in ((table, "At the table", 1), (director, "Director", 0)):
        page.click("#rank")
        page.fill("#pin-input", pin)
        page.click("#pin-yes")
        expect(page.locator("#rank")).to_have_text(rank)
        page.click("#rule")
        expect(page.locator("#f-what")).to_be_visible()
        expect(page.locator("#asks-director")).to_have_count(told)
        page.keyboard.press("Escape")
    page.goto(f"{server.url}table?lang=de")
    expect(page.locator("#rank")).to_have_text("Turnierleitung")
    for width in (320, 360, 412):  # on a phone it takes no row of its own
        page.set_viewport_size({"width": width, "height": 640})
        sign, who = (page.locator(place).bounding_box() for place in (".brand", "#rank"))
        assert sign and who and who["y"] < sign["y"] + sign["height"], width


def test_a_stake_that_cannot_be_is_in_nobodys_way_once_points_are_played_for(table: Served, page: Page) -> None:
    page.goto(table.url)
    page.click("#new-match, #another-match")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#length-0")
    page.fill("#f-stake", "0.5")
    page.click("#length-3")
    expect(page.locator("#f-stake")).to_be_hidden()
    page.click("#dialog-yes")
    expect(page.locator("#dialog")).to_be_hidden()


def test_a_position_set_by_hand_is_sent_though_somebody_acted_meanwhile(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.click("#set-position")
    page.click("#brush-none")
    point(page, 6)
    post(table, "play", seq=state(table)["seq"], play="8/5 6/5")
    page.click("#position-done")
    expect(page.locator("#toast")).to_have_attribute("data-code", "stale")
    page.click("#position-done")
    expect(page.locator("#position-done")).to_have_count(0)
    assert state(table)["position"]["points"][5] == 4


def test_a_key_that_is_held_is_one_die(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    post(table, "play", seq=state(table)["seq"], play="8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    page.keyboard.down("4")
    page.keyboard.down("4")  # as often as the keyboard repeats it
    expect(page.locator("#die-far-4")).to_have_attribute("aria-pressed", "true")
    assert state(table)["phase"] == "to_roll"


def test_the_page_of_a_match_leaves_the_browser_its_keys(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.goto(f"{table.url}matches")
    page.goto(f"{table.url}matches/{state(table)['match']}")
    expect(page.locator("body")).to_have_attribute("data-ready", "")
    said = page.inner_text("#said")
    page.focus("#lang")
    page.keyboard.press("ArrowLeft")
    page.evaluate("document.activeElement.blur()")
    prevented = """key => { const pressed = new KeyboardEvent('keydown', {...key, bubbles: true, cancelable: true});
        document.body.dispatchEvent(pressed); return pressed.defaultPrevented; }"""
    assert not page.evaluate(prevented, {"key": "ArrowLeft", "altKey": True})
    assert not page.evaluate(prevented, {"key": "ArrowDown"})
    assert page.inner_text("#said") == said
    assert page.evaluate(prevented, {"key": "ArrowLeft"})
    assert page.inner_text("#said") != said


@pytest.mark.parametrize("kept", ["forbidden", "damaged"])
def test_a_browser_that_remembers_nothing_shows_the_table(table: Served, page: Page, kept: str) -> None:
    forbid = """for (const kept of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, kept, { get() { throw new DOMException("no", "SecurityError"); } });
    window.SharedWorker = class { constructor() { throw new DOMException("The operation is insecure.", "SecurityError"); } };"""
    page.add_init_script(forbid if kept == "forbidden" else "localStorage.setItem('match', '[{'); localStorage.setItem('theme', '?')")
    start(page, table)
    page.goto(f"{table.url}scoreboard")
    expect(page.locator("#expected")).not_to_be_empty()
    page.goto(f"{table.url}setup")
    expect(page.locator("#f-rules option").first).to_be_attached()


@pytest.mark.parametrize("path", ["table", "scoreboard", "matches"])
def test_a_page_whose_scripts_do_not_run_says_so(table: Served, page: Page, path: str) -> None:
    """One of them was lost on the way, or the browser is too old for it."""
    said = page.get_by_text("This page could not start.")
    page.goto(f"{table.url}{path}")
    expect(page.locator("html[data-runs]")).to_be_attached()
    expect(said).to_be_hidden()
    page.route("**/facts.js", lambda route: route.abort())
    page.reload()
    expect(said).to_be_in_viewport()
    page.unroute("**/facts.js")
    page.get_by_role("link", name="Load again").click()
    expect(page.locator("html[data-runs]")).to_be_attached()
    expect(said).to_be_hidden()


def test_a_question_about_a_roll_nobody_saw_enlarges_no_later_dice(table: Served, page: Page) -> None:
    start(page, table)
    asked: dict[str, Any] = {
        "seq": 7, "about": "roll", "code": "roll_unseen", "text": "What was rolled?", "picture": True, "dice": [[0.4, 0.5]],
        "answers": [{"text": "Boris rolled 3-2", "code": "rolled"}],
    }
    script = """doubt => import('/static/js/question.js').then(({showQuestion}) => showQuestion({doubt, match: 1}, () => {}))"""
    script = script.replace("/static", address())
    page.evaluate(script, asked)
    expect(page.locator(".question .die-view")).to_have_count(0)
    page.evaluate(script, asked | {"about": "throw", "seq": 8})
    expect(page.locator(".question .die-view")).to_have_count(1)


def test_a_finger_that_comes_down_twice_starts_no_game_where_a_resignation_was_accepted(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    other(table, "resign", seat="far")
    box = page.locator("#do-accept").bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    now = datetime(2030, 1, 1)
    page.clock.install(time=now)
    page.clock.pause_at(now + timedelta(seconds=1))
    page.mouse.click(*place)
    expect(page.locator("#do-start_game")).to_be_visible()
    below = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button')?.id", list(place))
    assert below == "do-start_game"
    page.mouse.click(*place)
    page.clock.run_for(1000)
    page.wait_for_timeout(300)
    assert state(table)["phase"] == "game_over"
    page.mouse.click(*place)
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")


def test_a_key_does_nothing_that_the_page_does_not_offer(table: Served, page: Page) -> None:
    """A position is being set, or the match is paused: neither a throw nor a double is entered meanwhile."""
    start(page, table)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#do-double")).to_be_visible()
    page.locator("body").click(position={"x": 3, "y": 300})
    page.click("#set-position")
    for key in ("d", "4", "2"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    expect(page.locator("#do-double")).to_be_visible()
    page.click("#do-pause")
    expect(page.locator("#do-resume")).to_be_visible()
    seq = state(table)["seq"]
    for key in ("4", "2", "d"):
        page.keyboard.press(key)
    page.click("#do-resume")
    expect(page.locator("#do-double")).to_be_visible()
    assert state(table)["seq"] == seq + 1
    page.keyboard.press("d")
    expect(page.locator("#do-take")).to_be_visible()


def test_who_began_to_type_a_play_leaves_it_by_a_key_and_uses_the_board(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    page.keyboard.press("/")
    page.keyboard.type("8/2")
    page.keyboard.press("Enter")
    expect(page.locator("#hold")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#notation")).to_have_value("")
    expect(page.locator("#hold")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator("#board [data-place]:focus")).to_have_count(1)
    page.reload()
    expect(page.locator("#notation")).to_have_value("")


def test_a_match_that_was_paused_with_a_resignation_open_goes_on(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 3, 1)
    other(table, "resign", seat="far")
    page.click("#do-pause")
    page.click("#do-resume")
    expect(page.locator("body")).to_have_attribute("data-phase", "rolled")
    expect(page.locator("#do-accept")).to_be_visible()


def test_the_next_tab_goes_on_from_where_a_control_was_that_is_gone(table: Served, page: Page) -> None:
    start(page, table)
    other(table, "start_match", names=["Anna", "Boris"], length=3)
    page.focus("#do-start_game")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")
    page.keyboard.press("Tab")
    expect(page.locator("#die-near-1")).to_be_focused()
    opening(page, 3, 1)
    page.fill("#notation", "8/5 6/5")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-phase", "to_roll")
    expect(page.locator("#hand")).to_be_focused()
    expect(page.locator("#hand")).to_have_css("outline-style", "none")
    page.keyboard.press("Tab")
    expect(page.locator("#die-far-1")).to_be_focused()
    # a dialog gives the focus back to what opened it, drawn anew or not
    page.focus("#undo")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_be_visible()
    page.focus("#dialog-yes")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-phase", "rolled")
    expect(page.locator("#undo")).to_be_focused()
    # a point of the board is a control only while something is played there
    page.keyboard.press("b")
    expect(page.locator('#board [data-place="6"]')).to_be_focused()
    other(table, "play", play="8/5 6/5")
    expect(page.locator("body")).to_have_attribute("data-phase", "to_roll")
    expect(page.locator("section.play")).to_be_focused()


def test_the_tray_is_offered_only_to_a_checker_that_may_be_borne_off(table: Served, page: Page) -> None:
    """Not while one stands outside home, and a larger number takes none from behind which one stands higher."""
    start(page, table)
    opening(page, 3, 1)
    tray = page.locator('#board [data-place="off"]')
    for points, dice, place, borne in (({6: 2, 5: 1, 13: 1}, [6, 1], 6, False), ({6: 2, 5: 1, 4: 1}, [6, 1], 6, True),
                                       ({6: 2, 3: 1}, [5, 1], 3, False), ({4: 2, 3: 1}, [5, 1], 4, True)):
        board = {"points": [points.get(n, 0) for n in range(1, 19)] + [-2] + [0] * 5, "bar": [0, 0], "off": [15 - sum(points.values()), 13]}
        assert post(table, "position", seq=state(table)["seq"], position=board)[0] == 200
        assert post(table, "turn", seq=state(table)["seq"], seat="near", dice=dice)[0] == 200
        expect(page.locator("body")).to_have_attribute("data-seq", str(state(table)["seq"]))
        point(page, place)
        if borne:  # two ways to go: both are offered
            expect(tray).to_have_class("hit target")
            page.click("#back")
        else:
            expect(page.locator("#left")).to_contain_text(f"{place}/{place - 1}")
            page.click("#back")


def test_on_a_slow_line_who_has_pressed_something_is_told_that_it_is_on_its_way(table: Served, page: Page) -> None:
    start(page, table)
    held: list[Route] = []
    page.route("**/api/v1/roll", lambda route: held.append(route))
    page.click("#die-near-3")
    page.click("#die-far-1")
    toast = page.locator("#toast")
    expect(toast).to_have_text("Waiting for the referee…")
    held.pop().continue_()
    expect(page.locator("#expected")).to_have_text("Anna to play 3-1")
    expect(toast).to_be_hidden()
    page.route("**/api/v1/names", lambda route: held.append(route))
    page.click("#correct")
    page.fill("#f-name-near", "Hanna")
    page.click("#dialog-yes")
    expect(page.locator("#dialog-yes")).to_have_attribute("aria-busy", "true")
    while not held:
        page.wait_for_timeout(20)
    held.pop().continue_()
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#near .name")).to_contain_text("Hanna")


def test_a_screen_beside_the_board_stays_on_while_people_play(table: Served, page: Page) -> None:
    """A phone would lock itself between two throws. In a pause and after the match the screen may go out, and after long silence."""
    page.add_init_script("""
      let locks = 0;
      const held = (more) => { locks += more; document.documentElement.dataset.locks = locks; };
      const request = async () => { held(1); return { release: async () => held(-1) }; };
      Object.defineProperty(navigator, "wakeLock", { value: { request } });
      const later = window.setTimeout;
      window.setTimeout = (act, ms, ...rest) => { if (ms >= 60000) window.longest = act; return later(act, ms, ...rest); };
    """)

    def on(wanted: int) -> None:
        expect(page.locator("html")).to_have_attribute("data-locks", str(wanted))

    start(page, table)
    on(1)
    opening(page, 3, 1)
    play(page, "8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    on(1)
    page.click("#do-pause")
    on(0)
    page.click("#do-resume")
    on(1)
    page.evaluate("longest()")
    on(0)
    roll(page, "far", 6, 2)
    on(1)
    page.goto(f"{table.url}scoreboard")
    on(1)
    assert post(table, "award_match", seq=state(table)["seq"], seat="near")[0] == 200
    on(0)


def test_a_die_pressed_twice_enlarges_nothing(table: Served, page: Page) -> None:
    """A double is two quick taps on one die, which phones take for a wish to see more of it."""
    start(page, table)
    for place in ("#die-near-5", '#board [data-place="8"]'):
        assert page.locator(place).evaluate("one => getComputedStyle(one).touchAction") == "manipulation"


def test_a_scoreboard_leaves_the_board_out_where_it_is_not_wanted(table: Served, page: Page) -> None:
    for name, body in (("start_match", {"names": ["Anna", "Boris"], "length": 7}), ("start_game", {}), ("roll", {"dice": [6, 5]})):
        assert post(table, name, seq=state(table)["seq"], **body)[0] == 200
    page.goto(f"{table.url}scoreboard")
    expect(page.locator("#board")).to_be_visible()
    page.goto(f"{table.url}scoreboard?board=0")
    expect(page.locator("#expected")).to_contain_text("6-5")
    expect(page.locator("#board")).to_be_hidden()
    for width, height in ((1920, 1080), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        box = page.locator("#near").bounding_box()
        assert box is not None and box["width"] > 0.9 * width, "the players have its room"


def test_what_is_half_entered_is_still_there_when_the_page_is_loaded_again(table: Served, page: Page) -> None:
    """A phone that was put away for a while loads its pages anew."""
    start(page, table)
    page.click("#die-far-4")
    page.reload()
    expect(page.locator("#die-far-4")).to_have_attribute("aria-pressed", "true")
    page.click("#die-near-6")
    expect(page.locator("#expected")).to_have_text("Anna to play 6-4")
    page.click('#board [data-place="24"]')
    page.click('#board [data-place="18"]')
    page.fill("#notation", "24/18 1")
    page.click("#do-pause")
    expect(page.locator("body")).to_have_attribute("data-phase", "paused")
    page.reload()
    page.click("#do-resume")
    expect(page.locator("#left")).to_have_text("24/18: 4 to play")
    expect(page.locator("#notation")).to_have_value("24/18 1")
    page.click('#board [data-place="18"]')
    page.click("#confirm")
    expect(page.locator("#expected")).to_have_text("Boris to roll or double")
    page.click("#die-far-2")
    page.click("#forget")
    page.reload()
    expect(page.locator("#die-far-2")).to_have_attribute("aria-pressed", "false")


def test_a_position_that_is_being_set_is_still_there_when_the_page_is_loaded_again(table: Served, page: Page) -> None:
    start(page, table)
    opening(page, 6, 5)
    page.click("#set-position")
    page.click("#brush-none")
    page.click('#board [data-place="6"]')
    page.click("#brush-far")
    page.reload()
    expect(page.locator("#brush-far")).to_have_attribute("aria-pressed", "true")
    page.click("#brush-near")
    page.click('#board [data-place="4"]')
    page.reload()
    page.click("#position-done")
    expect(page.locator("#position-done")).to_have_count(0)
    assert [state(table)["position"]["points"][place - 1] for place in (4, 6)] == [1, 4]
    page.click("#set-position")
    page.click('#board [data-place="4"]')
    page.click("#hand button:has-text('Cancel')")
    page.reload()
    expect(page.locator("#set-position")).to_be_visible()
    expect(page.locator("#position-done")).to_have_count(0)
    page.click("#do-pause")  # in which people put the board in order
    expect(page.locator("body")).to_have_attribute("data-phase", "paused")
    page.click("#set-position")
    page.click('#board [data-place="3"]')
    page.reload()
    expect(page.locator("#position-done")).to_be_visible()
