"""Setting a table up in the browser: a phone as the camera over HTTPS, corners by hand, the match; PINs asked for."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.waiting import until
from tests.web.conftest import BROWSERS, Served, answer, starter
from tests.web.phone import Phone
from tests.web.pressing import opening, post, state
from tests.web.test_accessible import faults

PICTURE = Path(__file__).parents[2] / "web" / "demo" / "pictures" / "f000.jpg"


@pytest.fixture(scope="module")
def phones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that tests share whose camera is a phone."""
    with starter() as start:
        yield start("serve", "--port", "0", "--db", str(tmp_path_factory.mktemp("phones") / "matches.db"))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that tests share at which nothing is done without a PIN."""
    with starter() as start:
        yield start("serve", "--port", "0", "--db", str(tmp_path_factory.mktemp("guarded") / "matches.db"), "--new-pins")


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that tests share whose camera is a recording of one picture."""
    film = tmp_path_factory.mktemp("film")
    shutil.copy(PICTURE, film)
    with starter() as start:
        yield start("serve", "--port", "0", "--db", str(tmp_path_factory.mktemp("filmed") / "matches.db"), "--camera", str(film))


def test_a_table_in_a_few_clicks(table: Served, page: Page) -> None:
    page.goto(f"{table.url}setup")
    page.click("#use-none")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    assert state(table)["names"] == ["Anna", "Boris"]


def test_a_clock_is_chosen_for_any_rule_set(table: Served, page: Page) -> None:
    page.goto(f"{table.url}setup")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#length-3")
    expect(page.locator("#f-minutes")).to_be_hidden()
    page.select_option("#f-clock", "bronstein")
    page.fill("#f-minutes", "1.5")
    page.fill("#f-free", "8")
    page.click("#start")
    expect(page.locator("#do-start_game")).to_be_visible()
    found = state(table)
    assert (found["rules"], found["clock"]["mode"], found["clock"]["remaining"]) == ("bray", "bronstein", [270, 270])
    page.click("#another-match")  # the next match is played with the same clock
    expect(page.locator("#f-clock")).to_have_value("bronstein")
    expect(page.locator("#f-minutes")).to_have_value("1.5")
    page.click("#length-0")
    expect(page.locator("#f-clock")).to_be_hidden()  # money is played without one
    page.click("#length-3")
    page.select_option("#f-rules", "usbgf")
    expect(page.locator("#f-clock")).to_have_value("")
    expect(page.locator("dialog")).to_contain_text("12 s of simple delay a turn")
    page.select_option("#f-clock", "none")
    page.click("#dialog-yes")
    expect(page.locator("#clock-near")).to_be_hidden()
    found = state(table)
    assert (found["rules"], found["clock"]) == ("usbgf", None)


def test_what_ends_a_turn_is_chosen_with_the_clock(table: Served, page: Page) -> None:
    page.goto(f"{table.url}setup")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.select_option("#f-clock", "fischer")
    page.check("#f-press")
    page.click("#start")
    page.click("#do-start_game")
    opening(page, 3, 1)
    page.click("#do-press")  # the dice lie on
    expect(page.locator("#clock-far.running")).to_be_visible()
    page.click("#another-match")
    expect(page.locator("#f-press")).to_be_checked()
    page.select_option("#f-clock", "own")
    expect(page.locator("#f-press")).to_be_hidden()
    page.click("#dialog-yes")
    expect(page.locator("#clock-near")).to_be_hidden()
    assert state(table)["clock_rules"]["turn_end"] == "lift_by_anyone"
    page.click("#another-match")
    expect(page.locator("#f-clock")).to_have_value("own")


def test_without_a_camera_nothing_is_said_to_be_found_by_itself(phones: Served, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{phones.url}setup?lang=de")
    page.click("#use-phone")
    expect(page.locator("#hint")).to_be_visible()
    page.click("#use-none")
    expect(page.locator("#hint")).to_be_hidden()
    page.click("#use-other")
    box = page.locator("#source").bounding_box()
    assert box is not None and box["width"] > 200, "an address can be read while it is typed"


@pytest.mark.parametrize("place", ["setup", "table"])
def test_where_the_rule_sets_do_not_come_no_match_is_begun_under_another(table: Served, page: Page, place: str) -> None:
    page.goto(f"{table.url}{place}")
    page.evaluate("localStorage.setItem('match', JSON.stringify({ rules: 'usbgf', near: 'Anna', far: 'Boris', length: 5 }))")
    page.route("**/api/v1/rules", lambda route: route.abort())
    page.reload()
    if place == "table":
        page.click("#new-match, #another-match")
    expect(page.locator("#toast, #wrong").first).to_contain_text("cannot be reached")
    expect(page.locator("#dialog-yes, #start:enabled")).to_have_count(0)


def test_a_phones_pictures_are_looked_at(serve: Callable[..., Served], page: Page, database: str) -> None:
    """Pictures pushed as a phone does; the board is found in one, drawn over the preview, and can be shown by hand."""
    server = serve("serve", "--port", "0", "--db", database)
    page.goto(f"{server.url}setup")
    page.click("#use-phone")
    expect(page.locator("#status")).to_contain_text("Waiting for the phone")
    form = page.locator("#match").bounding_box()

    def push(data: bytes, kind: str = "image/jpeg") -> int:
        request = urllib.request.Request(f"{server.url}api/v1/frames", data, {"content-type": kind}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            assert json.load(error)["message"]
            return error.code

    assert push(PICTURE.read_bytes()) == 204
    assert push(b"no picture") == 409
    assert push(PICTURE.read_bytes(), "text/plain") == 415
    phone = Phone(server.url, cv2.imread(str(PICTURE)))
    expect(page.locator("#status")).to_contain_text("The board is found", timeout=120_000)
    phone.stop()
    expect(page.locator("#whole")).to_be_visible()
    assert page.locator("#match").bounding_box() == form, "the form has moved while somebody filled it in"
    page.click("#corners")
    expect(page.locator(".corner")).to_have_count(4)
    knob = page.locator(".corner").first
    before = knob.bounding_box()
    knob.focus()
    page.keyboard.press("Shift+ArrowRight")
    after = knob.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] > before["x"]
    page.click("#use-corners")
    expect(page.locator(".corner")).to_have_count(0)


def test_cameras_are_chosen_by_their_names(table: Served, serve: Callable[..., Served], page: Page, database: str) -> None:
    """This machine may have none, so the list is given; what is asked of the server when one is pressed is real."""
    known = {"cameras": [{"source": "6", "name": "HD Webcam"}, {"source": "7", "name": "Capture card"}]}
    page.route("**/api/v1/cameras", lambda route: route.fulfill(json=known))
    page.goto(f"{table.url}setup")
    expect(page.locator("#use-0")).to_have_text("HD Webcam")
    page.click("#use-1")
    expect(page.locator("#use-1")).to_have_text("Capture card")
    expect(page.locator("#status")).to_contain_text("Camera 7 gives no picture")
    page.goto(f"{serve('serve', '--port', '0', '--db', database, '--camera', '7').url}setup")
    expect(page.locator(".choices [aria-pressed=true]")).to_have_text("Capture card")


def test_the_camera_that_is_on_is_the_one_that_is_marked(phones: Served, filmed: Served, page: Page) -> None:
    """Also for whoever comes to the page later, or has it open while another chooses."""
    marked = page.locator(".choices [aria-pressed=true]")
    page.goto(f"{filmed.url}setup")
    expect(marked).to_have_id("use-other")
    page.goto(f"{phones.url}setup")
    for chosen in ("use-phone", "use-none"):
        page.click(f"#{chosen}")
        expect(marked).to_have_id(chosen)
    assert post(phones, "camera", source="phone")[0] == 200
    expect(marked).to_have_id("use-phone")


def test_the_camera_is_lent_and_the_address_told_once(guarded: Served, page: Page) -> None:
    page.goto(f"{guarded.url}setup")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    page.click("#use-phone")
    page.fill("#pin-input", guarded.said.split("PIN ")[2][:6])
    page.click("#pin-yes")
    expect(page.locator("#lent-text")).to_contain_text("not lent")
    page.click("#lend")
    expect(page.locator("#lent-at")).to_have_value(re.compile(rf"{guarded.url}t/1/camera\.mjpg\?token=\S{{16,}}"))
    page.reload()
    expect(page.locator("#unlend")).to_have_text("End it")
    expect(page.locator("#lent")).to_be_hidden()
    page.click("#unlend")
    expect(page.locator("#lent-text")).to_contain_text("not lent")


def test_what_is_answered_of_a_camera_is_in_the_readers_language(phones: Served) -> None:
    """The set-up page shows the answer, and for a phone nothing else is said until its first picture comes."""
    headers = {"content-type": "application/json", "accept-language": "de"}
    for path, body, text in (
        ("camera", {"source": "phone"}, "Warten auf das erste Bild des Telefons."),
        ("board", {}, "Das Brett wird gesucht."),
    ):
        request = urllib.request.Request(f"{phones.url}api/v1/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["text"] == text


def test_only_cameras_can_be_named(table: Served) -> None:
    """No path of the server's disk, no other kind of address."""
    for source in ("/etc/passwd", "..", "file:///etc/passwd", "C:\\", "-1", "rtsp://"):
        status, body = post(table, "camera", source=source)
        assert (status, body["error"]) == (409, "no_camera"), source


def test_a_table_in_the_network_wants_its_pin(guarded: Served, page: Page) -> None:
    pin = guarded.said.split("PIN ")[1][:6]
    before = state(guarded)["seq"]
    page.goto(guarded.url)
    page.click("#new-match, #another-match")
    page.fill("#f-near", "Anna")
    page.fill("#f-far", "Boris")
    page.click("#dialog-yes")
    page.fill("#pin-input", "000")
    page.click("#pin-yes")
    expect(page.locator("dialog.pin .wrong")).to_contain_text("not a PIN")
    assert state(guarded)["seq"] == before
    page.fill("#pin-input", pin)
    page.click("#pin-yes")
    page.click("#do-start_game")
    expect(page.locator("#die-near-1")).to_be_visible()
    assert post(guarded, "roll", seq=2, dice=[3, 1])[0] == 403
    page.click("#rank")
    page.route("**/api/v1/leave", lambda route: route.abort())
    page.click("#pin-leave")
    expect(page.locator("dialog.pin .wrong")).to_contain_text("cannot be reached")


def test_https_with_a_certificate_of_our_own(serve: Callable[..., Served], browser: Any, database: str, tmp_path: Path) -> None:
    """The pages, the live stream and a phone's camera over TLS; the certificate is kept."""
    server = serve("serve", "--port", "0", "--db", database, "--https")
    assert server.url.startswith("https://")
    kept = tmp_path / "certificate" / "server.pem"
    first = kept.read_bytes()
    with socket.create_connection(("127.0.0.1", server.port), 10) as plain:  # a plain request does not hang the front
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
    context = browser.new_context(ignore_https_errors=True, permissions=["camera"])
    page = context.new_page()
    page.goto(f"{server.url}table")
    expect(page.locator("#line")).to_have_attribute("data-line", "live")
    context.close()
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    with urllib.request.urlopen(f"{server.url}api/v1/state", timeout=60, context=unchecked) as answer:
        assert answer.status == 200
    server.kill()
    serve("serve", "--port", "0", "--db", database, "--https")
    assert kept.read_bytes() == first


@pytest.fixture(scope="module")
def fake_camera_browser(browser: Any) -> Any:
    """A browser whose camera is a test pattern."""
    path = next(filter(None, map(shutil.which, BROWSERS)))
    flags = ["--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    opened = browser.browser_type.launch(executable_path=path, args=flags)
    yield opened
    opened.close()


def test_the_phones_page_sends_its_pictures(phones: Served, fake_camera_browser: Any) -> None:
    context = fake_camera_browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{phones.url}camera")
    page.click("#start")
    expect(page.locator("#said")).to_contain_text("Sending")
    with page.expect_request(lambda request: "captured" in request.headers):
        pass  # the phone has measured its clock against the server's
    expect(page.locator("body")).to_have_attribute("data-sent", re.compile("[1-9]"))
    watching = context.new_page()  # a still picture is shown on the table's page; a test pattern is no board
    watching.goto(f"{phones.url}table")
    expect(watching.locator("#picture")).to_be_visible()
    assert state(phones)["camera"]["status"] in ("looking", "starting", "lost")
    context.close()


def test_a_phone_goes_on_when_the_program_is_started_anew(serve: Callable[..., Served], fake_camera_browser: Any, database: str) -> None:
    """Nobody has to find the set-up page in the middle of a match; once somebody has chosen there, that counts."""
    first = serve("serve", "--port", "0", "--db", database)
    context = fake_camera_browser.new_context()
    page = context.new_page()
    page.goto(f"{first.url}camera")
    page.click("#start")
    expect(page.locator("#said")).to_contain_text("Sending")
    first.kill()
    expect(page.locator("#said")).to_contain_text("cannot be reached")
    again = serve("serve", "--port", str(first.port), "--db", database)
    expect(page.locator("#said")).to_contain_text("Sending")
    assert state(again)["camera"]["source"] == "phone"
    assert post(again, "camera", source=None)[0] == 200
    expect(page.locator("#said")).to_contain_text("does not use a phone")
    assert state(again)["camera"]["source"] is None
    context.close()


def test_the_phones_page_goes_on_after_a_picture_that_is_never_answered(phones: Served, fake_camera_browser: Any) -> None:
    """A line that dies says nothing: a browser alone would wait for minutes."""
    context = fake_camera_browser.new_context()
    page = context.new_page()
    page.add_init_script("AbortSignal.timeout = ((real) => () => real(2000))(AbortSignal.timeout)")  # the page's own patience is longer
    swallowed = []
    page.route("**/frames", lambda route: route.continue_() if swallowed else swallowed.append(route))
    page.goto(f"{phones.url}camera")
    page.click("#start")
    expect(page.locator("body")).to_have_attribute("data-sent", re.compile("[1-9]"))
    assert len(swallowed) == 1
    swallowed[0].abort()
    context.close()


def test_a_phone_whose_camera_is_taken_away_sends_its_last_picture_no_more(phones: Served, fake_camera_browser: Any) -> None:
    """What does not move would be read as a board on which nothing happens."""
    context = fake_camera_browser.new_context()
    page = context.new_page()
    page.goto(f"{phones.url}camera")
    page.click("#start")
    expect(page.locator("body")).to_have_attribute("data-sent", re.compile("[1-9]"))
    page.evaluate("document.getElementById('video').srcObject.getTracks()[0].stop()")
    expect(page.locator("#said")).to_contain_text("The camera was taken away")
    page.click("#start")
    expect(page.locator("#said")).to_contain_text("Sending")
    context.close()


def test_a_phone_that_gives_no_camera_says_what_to_do_and_leaves_the_table_its_own(filmed: Served, page: Page) -> None:
    page.goto(f"{filmed.url}camera")
    faulty = {"NotAllowedError": "was not allowed", "NotReadableError": "used by another program", "NotFoundError": "no camera"}
    for why, said in faulty.items():
        page.evaluate("why => { navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', why); }; }", why)
        page.click("#start")
        expect(page.locator("#said")).to_contain_text(said)
        expect(page.locator("#start")).to_have_text("Try again")
        expect(page.locator("#allow")).to_be_visible(visible=why == "NotAllowedError")
        assert faults(page) == []
    assert until(lambda: state(filmed)["camera"]["status"] == "ended")


def test_a_camera_that_is_not_there_is_the_same_mistake_everywhere(tmp_path: Path) -> None:
    for words in (
        ("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--camera", "no-such-film.mp4"),
        ("watch", "no-such-film.mp4", "--start", str(PICTURE)),
        ("setup", "no-such-film.mp4", "-o", str(tmp_path / "board.json")),
    ):
        run = answer(*words)
        assert run.returncode == 2, words
        assert "there is no no-such-film.mp4" in run.stderr


def test_the_lines_are_drawn_over_a_recording_too(filmed: Served, page: Page) -> None:
    """The preview is the whole picture with the found board's lines, whatever the source and the phase of the match."""
    page.goto(f"{filmed.url}setup")
    expect(page.locator("#status")).to_contain_text("The recording has ended", timeout=120_000)
    expect(page.locator("#status")).not_to_contain_text(".jpg")
    with urllib.request.urlopen(f"{filmed.url}api/v1/whole.jpg", timeout=60) as answer:
        shown = cv2.imdecode(np.frombuffer(answer.read(), np.uint8), cv2.IMREAD_COLOR)
    plain = cv2.resize(cv2.imread(str(PICTURE)), (shown.shape[1], shown.shape[0]), interpolation=cv2.INTER_AREA)
    assert shown.shape[0] / shown.shape[1] == pytest.approx(900 / 1600, abs=0.01)
    drawn = np.abs(shown.astype(int) - plain).max(axis=2) > 60
    assert drawn.mean() > 0.005
    size = page.locator("#whole").evaluate("img => [img.clientWidth / img.clientHeight, img.naturalWidth / img.naturalHeight]")
    assert size[0] == pytest.approx(size[1], rel=0.01), "the preview is neither cropped nor stretched"


def test_a_camera_that_says_nothing_is_waited_for_until_the_referee_has_given_it_up(phones: Served, page: Page) -> None:
    """It takes OpenCV half a minute: meanwhile the page does not say that the referee is out of reach."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        page.goto(f"{phones.url}setup")
        page.click("#use-other")
        page.fill("#source", f"rtsp://127.0.0.1:{silent.getsockname()[1]}/x")
        page.press("#source", "Enter")
        expect(page.locator("#status")).to_contain_text("gives no picture", timeout=60_000)
