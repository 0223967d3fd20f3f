"""What the table page lets hear."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Served
from tests.web.pressing import says, shows

AS_A_PHONE = """localStorage.setItem("voice", "sound");
window.heard = [];
let pressed = false, waiting = [];
addEventListener("click", () => { pressed = true; setTimeout(() => { pressed = false; }); }, true);
const quiet = { connect: (next) => next, stop() {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } };
window.AudioContext = class {
  currentTime = 0; state = "suspended";
  constructor() { window.audio = this; }
  resume() {
    return new Promise((done) => {
      waiting.push(done);
      if (!pressed) return;
      this.state = "running";
      for (const one of waiting.splice(0)) one();
    });
  }
  createGain() { return quiet; }
  createOscillator() { return { ...quiet, start: () => heard.push(this.state), frequency: {} }; }
};"""
"""Sound is on since the last time. As on a phone a page makes it only once it asks for that while something is pressed; `heard` has how it
was with each note."""


def test_sound_that_was_on_the_last_time_is_heard_from_the_first_press_on(table: Served, page: Page) -> None:
    """What was to be heard until then is not heard later, as if it were news; a call silences the phone, and the next press ends that."""
    say = says(table)
    say("start_match", names=["Anna", "Boris"], length=5)
    say("start_game")
    page.add_init_script(AS_A_PHONE)
    page.goto(f"{table.url}table")
    shows(page, table)
    say("roll", dice=[3, 3])
    expect(page.locator("#more")).to_have_text("Both threw 3; throw again")
    page.evaluate("(now => { performance.now = () => now() + 2000; })(performance.now.bind(performance))")  # two seconds later
    for dice in ([4, 4], [5, 5]):
        page.click("#theme")
        say("roll", dice=dice)
        expect(page.locator("#more")).to_have_text(f"Both threw {dice[0]}; throw again")
        assert page.evaluate("heard.splice(0)") == ["running", "running"]
        page.evaluate("audio.state = 'interrupted'")
