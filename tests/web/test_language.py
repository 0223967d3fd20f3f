"""The pages in other languages: complete catalogues, and the language a page is shown in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect

from referee.match.shown import wording
from referee.records.dbfile import damaged, foreign, full, moved, unusable
from referee.records.store import Store
from referee.rules.reason import because
from tests.web.conftest import Served
from tests.web.pressing import post, state
from tests.web.texts import WEB, catalogue, collect
from vision.camera.source import PushSource, SourceLost
from vision.finder import BoardNotFound, find_table
from web.app import create_app
from web.cli._given import not_found
from web.cli._service import make_house
from web.language import LANGUAGES, as_sentence, words

OTHERS = sorted(set(LANGUAGES) - {"en"})
BLANK = re.compile(r"\{(\w+)\}")
NAMES = {"Snowie", "record", "PIN"}
"""Words in templates that are names."""
NOT_TEXT = re.compile(r"\{\{.*?\}\}|\{% block body_class %\}.*?\{% endblock %\}|\{%.*?%\}|<code>.*?</code>", re.DOTALL)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with Store(tmp_path / "m.db") as store:
        yield create_app(make_house(store)).test_client()


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_pages_and_rulings_is_said_in_every_language(language: str) -> None:
    """`python -m tests.web.texts` puts what is missing into the catalogue; somebody must then say it. What devices and the service's
    own files say may be English for a while."""
    texts = {text for text, places in collect().items() if not all(place.endswith(".py") for place in places)}
    found = {str(one.id): one for one in catalogue(language) if one.id and one.string and not one.fuzzy}
    assert texts - set(found) == set()
    wrong = [text for text, one in found.items() if set(BLANK.findall(str(one.string))) != set(BLANK.findall(text))]
    assert wrong == [], "other blanks than the English text"


def test_german_names_cube_and_opening_as_german_players_do() -> None:
    """The cube is the Doppler, a Dopplerwürfel; an Anwurf is of handball."""
    said = {str(one.id): str(one.string) for one in catalogue("de") if one.string}
    assert said["cube in the middle"] == "Doppler in der Mitte"
    assert said["Opening roll: one die each"] == "Eröffnungswurf: je ein Würfel"
    assert said["{name} plays {dice}: choose on the board, or type"].endswith("auf dem Brett wählen oder eingeben"), "who taps also 'tippt'"
    assert [one for text in said.items() for one in text if re.search(r"\b(click|tap)|klick|Ctrl", one)] == [], "for fingers and for arrows"
    assert [one for one in said.values() if re.search("Verdoppler|Anwurf", one)] == []


def test_apostrophes_and_quotation_marks_are_those_of_print() -> None:
    said = [*collect(), *(str(one.string) for one in catalogue("de") if one.id)]
    assert [text for text in said if re.search("['\"]", text)] == []


def test_templates_and_scripts_have_no_text_that_cannot_be_translated() -> None:
    left = []
    for file in (WEB / "templates").glob("*.html"):
        plain = NOT_TEXT.sub(" ", file.read_text(encoding="utf-8")).split("</head>")[-1]
        shown = re.sub(r"<[^>]*>", "\n", plain) + "\n".join(re.findall(r'(?:aria-label|alt|placeholder|title)="([^"]*)"', plain))
        left += [f"{file.name}: {word}" for word in re.findall(r"(?<![\w./])[^\W\d_]{3,}", shown) if word not in NAMES]
    for file in (WEB / "static" / "js").glob("*.js"):
        code = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
        code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
        code = re.sub(r'\btn?\((?:[^"()]|\([^()]*\))*"(?:[^"\\]|\\.)*"(?:\s*[,:]\s*"(?:[^"\\]|\\.)*")?', "", code)
        left += [f"{file.name}: {text}" for text in re.findall(r'["`]([A-Z][a-z]+ [^"`]*)["`]', code)]
    assert not left, left


def test_the_language_is_asked_for_chosen_or_the_browsers(client: FlaskClient) -> None:
    def lang(url: str = "/t/1/table", **headers: str) -> str:
        found = re.search(r'<html lang="(\w+)"', client.get(url, headers=headers).get_data(as_text=True))
        assert found is not None
        return found[1]

    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
    assert lang() == "en"
    assert lang(**{"Accept-Language": "fi"}) == "en"
    assert lang(**german) == "de"
    client.set_cookie("lang", "en")
    assert lang(**german) == "en"
    assert lang("/t/1/table?lang=de") == "de"
    assert lang("/t/1/table?lang=xx", **german) == "en"


def test_what_the_referee_says_is_in_the_language_of_who_asks(client: FlaskClient) -> None:
    start = {"seq": 0, "names": ["Anna", "Boris"], "length": 3}
    assert client.post("/api/v1/start_match", json=start).status_code == 200
    for name, body in (("start_game", {}), ("roll", {"dice": [3, 1]})):
        client.post(f"/api/v1/{name}", json={"seq": client.get("/api/v1/state").get_json()["seq"], **body})
    seen = client.get("/api/v1/state?lang=de").get_json()
    assert seen["expected"]["text"] == "Anna zieht 3-1"
    assert seen["log"][-1]["text"] == "Anna beginnt mit 3-1"
    assert client.get("/api/v1/state").get_json()["expected"]["text"] == "Anna to play 3-1"
    client.set_cookie("lang", "de")
    refused = client.post("/api/v1/play", json={"seq": seen["seq"], "play": "24/23 13/11"}).get_json()
    assert refused["message"].startswith("Dieser Zug ist nicht erlaubt.")
    assert client.get("/api/v1/matches/77").get_json()["message"] == "Ein Match 77 gibt es in m.db nicht."
    questions = [one for rules in client.get("/api/v1/rules").get_json()["rules"] for one in rules["questions"]]
    assert "Jacoby-Regel" in {one["title"] for one in questions}
    steps = client.get("/api/v1/matches/1").get_json()
    assert "Anna beginnt mit 3-1" in [step["text"] for step in steps["steps"]]
    assert "Zu wenige" in steps["dice"]["near"]["text"]
    titles = {one["name"]: one["title"] for one in client.get("/api/v1/rules").get_json()["rules"]}
    assert titles["usbgf"] == "usbgf: Turnierspiel in den Vereinigten Staaten"
    assert client.get("/api/v1/rules?lang=en").get_json()["rules"][-1]["title"] == "money: money play"
    late = client.post("/api/v1/roll", json={"seq": 1, "dice": [3, 1]}).get_json()
    assert (late["by"], late["message"]) == (
        "game_started", "Das Match ist inzwischen weitergegangen (ein Spiel wurde begonnen); noch einmal hinsehen.",
    )


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"raccoons": True}, "Raccoons gibt es nur, wo mindestens ein Beaver erlaubt ist."),
        ({"crawford": False}, "Das Regelwerk bray überlässt „crawford“ nicht den Spielern; es überlässt ihnen "),
        ({"beavers": 7}, "Beaver muss eines davon sein: 0 or 1 or 3."),
    ],
)
def test_answers_that_cannot_be_are_refused_in_german_too(chosen: dict[str, object], said: str, client: FlaskClient) -> None:
    start = {"seq": 0, "names": ["Anna", "Boris"], "length": 0, "rules": "bray", "choices": chosen}
    refused = client.post("/api/v1/start_match", json=start, headers={"Accept-Language": "de"})
    assert refused.get_json()["message"].startswith(said)


@pytest.mark.parametrize(
    ("text", "said"), [("XGID=foo", "ist keine XGID"), ("4HPw:cAkA", "taugt nicht als"), ("4HPwATDgc/ABMA", "ist keine GNUBGID")]
)
def test_what_is_wrong_with_an_id_is_said_in_german_too(text: str, said: str, client: FlaskClient) -> None:
    client.post("/api/v1/start_match", json={"seq": 0, "names": ["Anna", "Boris"], "length": 3})
    client.post("/api/v1/start_game", json={"seq": 1})
    refused = client.post("/api/v1/moment", json={"seq": 2, "text": text}, headers={"Accept-Language": "de"})
    assert said in refused.get_json()["message"]


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("roll", {"dice": [0, 7]}, "dice: Möglich ist 1 bis 6."),
        ("roll", {}, "dice: Die Angabe fehlt."),
        ("play", {"play": "8/5 " * 20}, "play: Das ist zu lang: höchstens 60."),
        ("turn", {"seat": "left"}, "seat: Möglich ist eines von: near, far."),
        ("cube", {"value": "two"}, "value: Das ist keine ganze Zahl."),
        ("moment", {"text": "4HPwATDgc/ABMA:x"}, "„x“ taugt nicht als Match-ID: nötig sind 12 Zeichen aus A-Z a-z 0-9 + /."),
    ],
)
def test_what_is_wrong_with_a_field_is_said_in_german_too(name: str, body: dict[str, Any], said: str, client: FlaskClient) -> None:
    client.post("/api/v1/start_match", json={"seq": 0, "names": ["Anna", "Boris"], "length": 5})
    client.post("/api/v1/start_game", json={"seq": 1})
    seq = client.get("/api/v1/state").get_json()["seq"]
    answer = client.post(f"/api/v1/{name}?lang=de", json={"seq": seq, **body}).get_json()
    assert answer["message"] == said


def test_that_there_is_no_picture_yet_is_said_in_german_too(client: FlaskClient) -> None:
    assert client.get("/api/v1/picture.jpg?lang=de").get_json()["message"] == "Es gibt noch kein Bild."


@pytest.mark.parametrize("language", OTHERS)
def test_what_keeps_a_match_from_being_kept_is_said_in_every_language(language: str) -> None:
    """Nothing is accepted at the table until somebody has done what it says."""
    path, others = Path("cup.db"), ("database is locked", "attempt to write a readonly database", "disk I/O error", "unable to open", "odd")
    for error in (full(path), moved(path), foreign(path), damaged(path), *(unusable(path, ValueError(other)) for other in others)):
        assert words(language).said(str(error)) != str(error)


def test_finished_sentences_find_their_text_again() -> None:
    german = words("de")
    assert german.said("There is no match 12.") == "Ein Match 12 gibt es nicht."
    assert german.said("dice 5-2; position read") == "Würfel 5-2; Stellung gelesen"
    assert german.said("Waiting for the phone’s first picture.") == "Warten auf das erste Bild des Telefons."
    assert german.said("Opening rtsp://cam.local/1.") == "rtsp://cam.local/1 wird geöffnet."
    assert german.said("house: the club’s own") == "house: eigenes Regelwerk des Clubs"
    assert german.said("‘8/5;’ is not a move; write one like 24/18, 8/5(2), bar/21* or 6/off.").startswith("„8/5;“ ist kein Zug; ")
    assert german.said("‘’ is no GNUBGID: it needs a position ID, a colon and a match ID.").startswith("„“ ist keine GNUBGID: ")
    assert german.said("Nobody ever wrote this.") == "Nobody ever wrote this."
    assert words("en").said("There is no match 12.") == "There is no match 12."
    ruling = wording.sentence(because("hit_left", seat="far", point=6), ("Anna", "Boris"), german)
    assert ruling == "Der Stein von Boris auf Punkt 6 wurde geschlagen und muss auf die Bar."


def test_why_no_board_is_found_is_said_without_a_command_line_and_in_german() -> None:
    blank = np.full((720, 1280, 3), 90, np.uint8)
    with pytest.raises(BoardNotFound) as found:
        find_table(blank)
    said = as_sentence(str(found.value))
    do = "set up all checkers, show the whole board with hands away, or show its four corners"
    assert said == f"No board was found, no checkers can be seen; {do}."
    assert words("de").said(said) == (
        "Kein Brett ist zu finden, Steine sind keine zu sehen; stellt alle Steine auf, zeigt das ganze Brett ohne Hände darüber, "
        "oder zeigt seine vier Ecken selbst."
    )
    assert "or show its four corners with `referee setup --corners`" in not_found(found.value)
    wrong = "The board is not in the starting position, near’s points 5, 6 differ (28 of 30 checkers in place)"
    assert words("de").said(wrong).startswith("Das Brett steht nicht in der Anfangsstellung, die Punkte 5, 6 von nah weichen ab (28 von 30")


def test_a_phone_that_falls_silent_is_said_in_german_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.1)
    phone = PushSource()
    phone.push(np.zeros((720, 1280, 3), np.uint8))
    with pytest.raises(SourceLost) as lost:
        list(phone)
    assert words("de").said(as_sentence(str(lost.value))).startswith("Das Telefon hat seit 0 s kein Bild gesendet: es wecken")


def test_a_german_browser_plays_in_german_and_can_change(table: Served, browser: Any) -> None:
    context = browser.new_context(locale="de-DE", reduced_motion="reduce")
    page = context.new_page()
    assert post(table, "start_match", seq=state(table)["seq"], names=["Ada", "Bob"], length=3)[0] == 200
    page.goto(f"{table.url}table")
    expect(page.locator("#expected")).to_have_text("Die Anfangsstellung aufbauen")
    expect(page.locator("#do-start_game")).to_have_text("Spiel beginnen")
    expect(page.locator("#about")).to_contain_text("3 Punkte")
    page.select_option("#lang", "en")
    expect(page.locator("#expected")).to_have_text("Set up the starting position")
    page.goto(f"{table.url}text")
    expect(page.locator("h1")).to_have_text("The match in words")
    page.goto(f"{table.url}scoreboard?lang=de")
    expect(page.locator("#expected")).to_have_text("Die Anfangsstellung aufbauen")
    context.close()


def test_a_language_chosen_before_the_pages_script_has_come_is_the_one_it_is_shown_in(table: Served, page: Page) -> None:
    """On a slow line the page is seen before."""
    late: list[Route] = []
    page.route("**/js/table.js*", lambda route: late.append(route), times=1)
    page.goto(f"{table.url}table", wait_until="commit")
    page.select_option("#lang", "de")
    late[0].continue_()
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize("locale", ["de-DE", "en-GB", "ja-JP"])
def test_a_day_is_written_in_the_pages_language_as_the_readers_country_has_it(table: Served, browser: Any, locale: str) -> None:
    assert post(table, "start_match", seq=state(table)["seq"], names=["Ada", "Bob"], length=3)[0] == 200
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{table.url}matches/{state(table)['match']}?lang=en")
    expect(page.locator("body")).to_have_attribute("data-ready", "")
    day = page.locator("#about").inner_text().split(" · ")[-1]
    context.close()
    assert re.match(r"^\d+ [A-Z]\w+ \d{4}$" if locale == "en-GB" else r"^[A-Z]\w+ \d+, \d{4}$", day), day
