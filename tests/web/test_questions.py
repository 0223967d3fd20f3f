"""What the referee asks and holds, answered on the page in a real browser; readings are put to the same desk the camera speaks to."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match.commands import Accepted
from referee.match.events import DeviceLost
from referee.observations import CAMERA, About, DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition
from referee.rules.reason import because
from tests.match.seen_table import plays, throw
from tests.web.late import Late
from web.house import House
from web.runtime.shown import unsure_dice

MIDDLE = SeenCube(1, None)
PICTURE = Path(__file__).parents[2] / "web" / "demo" / "pictures" / "f010.jpg"


def seen(position: Position, *dice: tuple[int, Half], frame: str = "") -> Reading:
    thrown = tuple(SeenDie(value, DieState.FLAT, half, (400.0 + 60 * i, 300.0)) for i, (value, half) in enumerate(dice))
    return Reading(thrown, SeenPosition(position.points, position.bar), MIDDLE, frame=frame)


def moved(position: Position, *moves: tuple[int, int]) -> Position:
    """Near's moves on his own points."""
    points = list(position.points)
    for source, target in moves:
        points[source - 1] -= 1
        points[target - 1] += 1
    return Position(tuple(points), position.bar, position.off)


def begin(house: House, rules: str = "bray") -> None:
    """Anna opens with 3-1, as a camera sees it."""
    desk = house.desk
    assert isinstance(desk.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3, rules=rules)), Accepted)
    desk.observe(seen(START))
    desk.observe(seen(START, (3, Half.RIGHT), (1, Half.LEFT)))
    assert desk.state.dice == (3, 1)


def boris_to_roll(house: House, page: Page) -> Position:
    """Anna has played her 3-1, and the page shows it: the position after it."""
    begin(house)
    after = moved(START, (8, 5), (6, 5))
    house.desk.observe(seen(after))
    page.goto(house.address)
    expect(page.locator("#expected")).to_have_text("Boris to roll or double")
    return after


def test_an_illegal_play_is_held_and_put_right(house: House, page: Page) -> None:
    begin(house)
    page.goto(house.address)
    house.desk.observe(seen(moved(START, (8, 5), (6, 4))))
    expect(page.locator("#voice")).to_have_class("card voice held")
    expect(page.locator("#expected")).to_contain_text("put the play right")
    expect(page.locator("#board .point.wrong")).to_have_count(4)
    expect(page.locator("#rulings .bad").first).to_contain_text("illegal")
    house.desk.observe(seen(moved(START, (8, 5), (6, 5))))
    expect(page.locator("#rulings li").first).to_contain_text("corrected to 8/5 6/5")
    expect(page.locator("#expected")).to_contain_text("Boris")
    expect(page.locator("#board .point.wrong")).to_have_count(0)


def test_a_director_lets_an_illegal_play_stand(house: House, page: Page) -> None:
    begin(house)
    page.goto(house.address)
    house.desk.observe(seen(moved(START, (8, 5), (6, 4))))
    expect(page.locator("#voice")).to_have_class("card voice held")
    page.click("#rule")
    page.fill("#f-note", "Both players agreed.")
    page.click("#dialog-yes")
    expect(page.locator("#expected")).to_contain_text("Boris")
    assert house.desk.state.position == moved(START, (8, 5), (6, 4))


def test_a_roll_nobody_saw_is_asked_about(house: House, page: Page) -> None:
    begin(house)
    page.goto(house.address)
    desk = house.desk
    after = moved(START, (8, 5), (6, 5))
    desk.observe(seen(after))
    # Boris's 6-2 (24/18 13/11) was played while nobody looked
    points = list(after.points)
    for source, target in ((24, 18), (13, 11)):
        points[24 - source] += 1
        points[24 - target] -= 1
    strange = Position(tuple(points))
    desk.observe(seen(strange, frame="f009.jpg"))
    desk.observe(seen(strange, (3, Half.RIGHT), (2, Half.RIGHT), frame="f010.jpg"))
    question = page.locator(".question")
    expect(question).to_contain_text("What was rolled?")
    told: list[str] = []
    page.on("request", lambda request: told.append(request.url) if request.url.endswith("/answer") else None)
    question.get_by_role("button", name="Boris rolled 6-2").dblclick()
    expect(page.locator(".question")).to_have_count(0)
    expect(page.locator("#rulings")).to_contain_text("Boris played 24/18 13/11")
    assert desk.state.doubt is None
    assert desk.state.position.points == tuple(points)
    assert len(told) == 1, "pressed twice it is one answer"
    expect(page.locator("#toast")).to_be_hidden()


def test_a_die_in_doubt_is_shown_enlarged_as_flat_or_cocked(house: House, page: Page) -> None:
    """Boris's throw has a die that may be cocked: its picture is cut out, and one press says which it is."""
    boris_to_roll(house, page)
    desk = house.desk
    picture = PICTURE.read_bytes()
    for at in (1.0, 2.0):  # looked at twice, then asked
        dice = (SeenDie(6, DieState.FLAT, Half.LEFT, (320.0, 360.0)), SeenDie(2, DieState.FLAT, Half.LEFT, (400.0, 300.0), 0.6))
        doubt = SeenDoubt(About.DIE, "state", "flat or cocked", centre=(400.0, 300.0))
        reading = Reading(dice, SeenPosition(moved(START, (8, 5), (6, 5)).points, (0, 0)), MIDDLE, (doubt,), captured_at=at)
        desk.observe(reading, lambda: house.pictures.keep(desk.match, picture), unsure_dice(reading, (1280, 720)))
    question = page.locator(".question")
    expect(question.locator(".die-view")).to_have_count(1)
    expect(question.locator(".die-view img")).to_have_css("transform", re.compile("matrix"))
    wide = "image => image.naturalWidth > 0 && image.clientWidth > 2 * image.parentElement.clientWidth"
    assert question.locator(".die-view img").evaluate(wide)
    expect(question.get_by_role("button", name="Cocked: throw again")).to_be_visible()
    question.get_by_role("button", name="Flat: 6-2").click()
    expect(page.locator("#expected")).to_contain_text("6-2")
    assert desk.state.dice == (6, 2)


def test_a_throw_that_does_not_count_is_said_beside_the_board(house: House, page: Page) -> None:
    """Also the next one of the same kind, to whoever listens: all else on the page stays as it is."""
    after = boris_to_roll(house, page)
    desk = house.desk
    page.evaluate("""() => {
      window.heard = [];
      new MutationObserver((changes) => window.heard.push(...changes.flatMap((one) => [...one.addedNodes].map((node) => node.textContent))))
        .observe(document.getElementById("more"), { childList: true });
    }""")
    bad = SeenDie(2, DieState.ON_CHECKER, Half.LEFT, (400.0, 300.0))
    for times in (1, 2):
        seq = desk.state.seq
        desk.observe(Reading((SeenDie(6, DieState.FLAT, Half.LEFT, (320.0, 360.0)), bad), SeenPosition(after.points, (0, 0)), MIDDLE))
        desk.observe(seen(after))
        assert desk.state.seq > seq
        expect(page.locator("#rulings .warn")).to_have_count(times)
        expect(page.locator("#more")).to_have_text("Boris: A die lies on a checker; throw again")
        expect(page.locator("#expected")).to_have_text("Boris to roll or double")
        assert page.evaluate("window.heard") == ["Boris: A die lies on a checker; throw again"] * times
    desk.observe(seen(after, (6, Half.LEFT), (2, Half.LEFT)))
    expect(page.locator("#expected")).to_have_text("Boris to play 6-2")
    expect(page.locator("#more")).to_be_hidden()


def test_a_question_is_answered_with_the_keyboard_alone(house: House, page: Page) -> None:
    """It is there to be read out before it is asked, one key leads to its answers, and the next Tab goes on from where they were."""
    after = boris_to_roll(house, page)
    desk = house.desk
    assert page.evaluate("getComputedStyle(document.getElementById('questions')).display") != "none"
    page.keyboard.press("a")  # nothing is asked yet
    for at in (1.0, 2.0):
        doubt = SeenDoubt(About.DIE, "state", "flat or cocked", centre=(400.0, 300.0))
        dice = (SeenDie(6, DieState.FLAT, Half.LEFT, (320.0, 360.0)), SeenDie(2, DieState.FLAT, Half.LEFT, (400.0, 300.0), 0.6))
        desk.observe(Reading(dice, SeenPosition(after.points, (0, 0)), MIDDLE, (doubt,), captured_at=at))
    expect(page.locator(".question")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator(".question button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#expected")).to_have_text("Boris to play 6-2")
    expect(page.locator("#questions")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#hand :focus, #camera :focus")).to_have_count(1)


def test_only_the_director_sees_a_play_that_the_rules_keep_from_the_players(house: House, page: Page) -> None:
    begin(house, "wbgf-responsible")
    pins = json.dumps({"table": "246810", "director": "135791"}).encode()
    ask = urllib.request.Request(f"{house.address}api/v1/pins", pins, {"content-type": "application/json"})
    urllib.request.urlopen(ask, timeout=60).close()
    page.goto(house.address)
    rank = page.locator("#rank")
    expect(rank).to_have_text("Viewer")
    house.desk.observe(seen(moved(START, (8, 5), (6, 4))))
    expect(page.locator("#expected")).to_contain_text("Boris")  # to others it was a play
    expect(page.locator("#rulings .bad")).to_have_count(0)
    page.click("#rank")
    page.fill("#pin-input", "135791")
    page.click("#pin-yes")
    expect(rank).to_have_text("Director")
    expect(page.locator("#more")).to_contain_text("Only you see this.")
    expect(page.locator("#rulings .bad").first).to_contain_text("Only you see this.")
    page.click("#rank")
    page.click("#pin-leave")
    expect(rank).to_have_text("Viewer")
    expect(page.locator("#rulings .bad")).to_have_count(0)
    expect(page.locator("#more")).to_be_hidden()


def test_the_page_says_that_the_clocks_stand_while_the_camera_is_lost(house: House, page: Page) -> None:
    for command in (c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3, rules="usbgf"), c.StartGame(seen_seq=1),
                    c.EnterRoll(seen_seq=2, dice=(3, 1))):
        assert isinstance(house.desk.command(command), Accepted)
    page.goto(house.address)
    expect(page.locator("#clock-near.running")).to_be_visible()
    house.desk.lose(DeviceLost(CAMERA, because("camera_lost")))
    expect(page.locator("#more")).to_contain_text("Both clocks stand without the camera")
    expect(page.locator(".clock.running")).to_have_count(0)
    assert isinstance(house.desk.command(c.EnterPlay(seen_seq=house.desk.state.seq, play="8/5 6/5")), Accepted)
    expect(page.locator("#clock-far.running")).to_be_visible()
    expect(page.locator("#more")).to_be_hidden()


HEARD = """() => {
  window.tones = []; window.said = [];
  const silent = { setValueAtTime() {}, exponentialRampToValueAtTime() {}, connect: () => silent, start() {}, stop() {} };
  window.AudioContext = class {
    currentTime = 0; state = "running";
    createOscillator() { return { ...silent, frequency: { set value(pitch) { window.tones.push(pitch); } } }; }
    createGain() { return { gain: silent, connect: () => silent }; }
  };
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: { cancel() {}, speak: ({ text }) => window.said.push(text) } });
}"""
"""What a page sounds and says is written down."""


def listening(house: House, page: Page, rules: str) -> None:
    """The page of a match in which Anna opened with 3-1, with sound and voice switched on."""
    page.add_init_script(f"({HEARD})()")
    begin(house, rules)
    page.goto(house.address)
    page.click("#voice-mode")
    page.click("#voice-mode")
    expect(page.locator("#voice-mode")).to_have_text("Sound and voice")
    page.evaluate("window.tones.length = 0")


def hears(house: House, page: Page) -> tuple[list[str], bool]:
    """What was said since, and whether anything sounded."""
    expect(page.locator("body")).to_have_attribute("data-seq", str(house.desk.state.seq))
    said, tones = page.evaluate("[window.said, window.tones]")
    return said, bool(tones)


@pytest.mark.parametrize(
    ("rules", "speaks"), [("bray", True), ("wbgf-responsible", False), ("usbgf", False)]
)
def test_an_illegal_play_is_announced_by_sound_and_voice_where_the_rules_let_the_referee_speak(
    house: House, page: Page, rules: str, speaks: bool
) -> None:
    listening(house, page, rules)
    house.desk.observe(seen(moved(START, (8, 5), (6, 4))))
    heard, sounded = hears(house, page)
    assert ([text.partition(":")[0] for text in heard], sounded) == (["Anna’s play is illegal"] if speaks else [], speaks)


@pytest.mark.parametrize(("rules", "speaks"), [("bray", True), ("usbgf", False)])
def test_a_premature_roll_is_announced_by_sound_and_voice(house: House, page: Page, rules: str, speaks: bool) -> None:
    listening(house, page, rules)
    anna = moved(START, (8, 5), (6, 5))
    own, early = throw(Seat.FAR, 3, 1), throw(Seat.NEAR, 5, 2)
    boris = plays(anna, Seat.FAR, 3, 1)[0]
    for position, dice in ((anna, ()), (anna, own), (boris, (*own, *early)), (boris, early)):
        house.desk.observe(Reading(dice, SeenPosition(position.points, position.bar), MIDDLE))
    assert house.desk.state.dice == (5, 2)
    heard, sounded = hears(house, page)
    assert heard == (["Anna rolled 5-2 before the other turn was over; it stands"] if speaks else [])
    assert sounded is speaks


def test_of_a_tie_it_is_spoken_too_to_what_it_turns_the_cube(house: House, page: Page) -> None:
    page.add_init_script(f"({HEARD})()")
    choices = (("auto_doubles", "unlimited"),)
    money = c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=0, rules="traditional", choices=choices)
    assert isinstance(house.desk.command(money), Accepted)
    house.desk.observe(seen(START))
    page.goto(house.address)
    page.click("#voice-mode")
    page.click("#voice-mode")
    hears(house, page)
    house.desk.observe(seen(START, (4, Half.RIGHT), (4, Half.LEFT)))
    assert hears(house, page)[0] == ["Both threw 4; throw again. The cube turns to 2"]


def test_a_question_is_answered_though_the_answer_to_the_one_before_is_still_on_its_way(house: House, page: Page) -> None:
    after = boris_to_roll(house, page)

    def doubtful(value: int, x: float, at: float) -> None:
        doubt = SeenDoubt(About.DIE, "state", "flat or cocked", centre=(x, 300.0))
        dice = (SeenDie(6, DieState.FLAT, Half.LEFT, (320.0, 360.0)), SeenDie(value, DieState.FLAT, Half.LEFT, (x, 300.0), 0.6))
        for moment in (at, at + 1):
            house.desk.observe(Reading(dice, SeenPosition(after.points, (0, 0)), MIDDLE, (doubt,), captured_at=moment))

    doubtful(2, 400.0, 1)
    late = Late(page, "answer")
    page.get_by_role("button", name="Cocked: throw again").click()
    late.asked()
    house.desk.observe(seen(after))
    doubtful(3, 480.0, 5)
    page.get_by_role("button", name="Flat: 6-3").click()
    expect(page.locator("#expected")).to_have_text("Boris to play 6-3")
    late.comes()
