"""Whatever is said to the table, each page that has followed it from the start shows what it shows when it is loaded anew, and all of
them show the names and the score that the referee keeps."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Here, Served
from tests.web.pressing import post, says, state

PAGES = ("table", "scoreboard", "overlay?board=1", "text")
SEATS = ("near", "far")
NAMES = (["Anna", "Boris"], ["محمد", "🎲 Ann"], ["Konstantinos Papadopoulos-Mavro", "x"])
RULES = ("bray", "money", "usbgf", "wbgf-responsible", "agca", "traditional")
SHOWN = """() => {
  const copy = document.querySelector("main").cloneNode(true);
  for (const other of copy.querySelectorAll(".clock, #toast, .line, #dialog")) other.remove();   // that run on, or tell of the page itself
  for (const one of copy.querySelectorAll("*")) {
    for (const name of ["data-key", "style", "tabindex", "data-code"]) one.removeAttribute(name);
    if (!one.className) one.removeAttribute("class");
  }
  return copy.innerHTML.replace(/\\s+/g, " ");
}"""


def next_of(now: dict[str, Any], dice: random.Random) -> tuple[str, dict[str, Any]]:
    """What somebody says next: mostly what belongs to the game."""
    can, phase = set(now["can"]), now["phase"]
    rolled = [dice.randint(1, 6), dice.randint(1, 6)]
    seat = dice.choice(SEATS)
    wanted: list[tuple[int, bool, str, dict[str, Any]]] = [
        (8, "start_game" in can, "start_game", {}),
        (8, "enter_roll" in can and phase in ("opening", "to_roll"), "roll", {"dice": rolled}),
        (1, phase == "rolled", "roll", {"dice": rolled}),
        (12, phase == "rolled" and bool(now.get("plays")), "play", {"play": dice.choice(now.get("plays") or [""])}),
        (1, phase == "rolled", "play", {"play": "8/4 6/5", "hold": True}),
        *((3, name in can, name, {}) for name in ("double", "take", "drop", "beaver", "resume")),
        (1, "resign" in can, "resign", {"seat": seat}),
        *((2, "accept_resignation" in can, name, {}) for name in ("accept", "refuse")),
        (2, "undo" in can, "undo", {"to_seq": dice.randint(1, max(1, now["seq"] - 1))}),
        (1, True, "names", {"names": dice.choice(NAMES), "event": dice.choice(["", "Club <b>night</b>"])}),
        (1, "set_score" in can, "score", {"score": [dice.randint(0, 3), dice.randint(0, 3)]}),
        (1, "set_length" in can, "length", {"length": dice.choice([0, 1, 3, 5])}),
        (1, "set_rules" in can, "rules", {"rules": dice.choice(RULES), "aids": dice.choice([True, False])}),
        (1, "set_cube" in can, "cube", {"value": dice.choice([1, 2, 4]), "owner": dice.choice([None, *SEATS])}),
        (1, "set_turn" in can, "turn", {"seat": seat, "dice": dice.choice([None, [3, 1]])}),
        (1, "penalise" in can, "penalise", {"seat": seat, "points": 1, "note": "late"}),
        (1, "award_game" in can, "award", {"seat": seat, "kind": "gammon"}),
        (1, "pause" in can, "pause", {}),
        (1, "start_clock" in can, "clock_start", {}),
        (9, phase == "match_over", "start_match", {
            "names": NAMES[0], "length": dice.choice([0, 1, 3]), "rules": dice.choice(RULES), "aids": True, "stake": dice.choice([1, 5]),
        }),
    ]  # fmt: skip
    _, _, name, body = dice.choices(wanted, [weight * possible for weight, possible, _, _ in wanted])[0]
    return name, body


@pytest.mark.parametrize("seed", [1, 2])
def test_every_page_shows_what_it_shows_when_it_is_loaded_anew(alone: Here, browser: Browser, page: Page, seed: int) -> None:
    dice = random.Random(seed)
    post(alone, "start_match", seq=0, names=NAMES[0], length=3, rules="bray", aids=True)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    following = {path: context.new_page() for path in PAGES}
    for path, one in following.items():
        one.goto(f"{alone.url}{path}")
    said = []
    for _ in range(7):
        for _ in range(7):
            now = state(alone)
            name, body = next_of(now, dice)
            status, answer = post(alone, name, seq=now["seq"], **body)
            assert status in (200, 409), (name, body, answer)
            said.append((name, body, status))
        now = state(alone)
        for path, one in following.items():
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto(f"{alone.url}{path}")
            for each in (one, page):
                expect(each.locator("body")).to_have_attribute("data-seq", str(now["seq"]))
                expect(each.locator("body")).to_contain_text(now["names"][0][:12])
            assert one.evaluate(SHOWN) == page.evaluate(SHOWN), (path, said)
            if path != "text" and now["money"] is None:
                kept = [str(min(points, now["length"])) for points in now["score"]]
                assert [one.inner_text(f"#{seat} .points") for seat in SEATS] == kept, (path, said)
    context.close()


def test_a_double_that_a_score_put_right_annuls_is_told_on_every_page(table: Served, page: Page) -> None:
    """Its cube goes back into the middle while people play; whose turn it is tells nothing of that."""
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    for name, body in (("start_game", {}), ("roll", {"dice": [3, 1]}), ("play", {"play": "8/5 6/5"}), ("double", {}), ("take", {})):
        say(name, **body)
    say("score", score=[4, 0])
    told = (("table", "#voice"), ("scoreboard", "#last"), ("text", "#expected"), ("overlay", "#expected"))
    for name, place in told:
        page.goto(f"{table.url}{name}")
        expect(page.locator(place)).to_contain_text("The double in the Crawford game is annulled")
    say("roll", dice=[6, 2])
    for name, place in told:
        page.goto(f"{table.url}{name}")
        expect(page.locator(place)).to_contain_text("6-2" if name != "scoreboard" else "3-1")
        expect(page.locator(place)).not_to_contain_text("annulled")
