"""Every page lies below its table's name; the short addresses lead there, so that nobody's scenes break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.records.store import Store
from tests.web.conftest import answer
from web.app import create_app
from web.cli._service import make_house

PAGES = ("table", "setup", "scoreboard", "overlay", "text", "matches", "matches/1", "camera")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with Store(tmp_path / "m.db") as store:
        house = make_house(store, table="hall-3")
        house.address = "https://192.168.1.7:8765"
        client = create_app(house).test_client()
        start = {"seq": 0, "names": ["Ann", "Ben"], "length": 1}
        assert client.post("/api/v1/start_match", json=start).status_code == 200  # a match that there is not has no page
        yield client


@pytest.mark.parametrize("page", PAGES)
def test_a_page_lies_below_its_table(client: FlaskClient, page: str) -> None:
    assert client.get(f"/t/hall-3/{page}").status_code == 200
    other = client.get(f"/t/hall-4/{page}", headers={"Accept": "text/html"})
    assert other.status_code == 404
    assert "no such table" in other.get_data(as_text=True)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_of_a_table_that_has_another_name_now_leads_to_it(client: FlaskClient, page: str) -> None:
    other = client.get(f"/t/hall-4/{page}?board=0&lang=de", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert "dies ist Tisch hall-3" in other
    assert f'class="button" href="/t/hall-3/{page}?board=0&amp;lang=de"' in other


@pytest.mark.parametrize("page", PAGES)
def test_a_short_address_leads_there_with_all_it_asked(client: FlaskClient, page: str) -> None:
    found = client.get(f"/{page}?board=1&delay=3&name=Zo%C3%AB&delay=4")
    assert found.status_code == 302
    assert found.headers["Location"] == f"/t/hall-3/{page}?board=1&delay=3&name=Zo%C3%AB&delay=4"


@pytest.mark.parametrize("address", ["/", "/t/hall-3/", "/t/hall-3"])
def test_the_root_leads_to_the_only_table(client: FlaskClient, address: str) -> None:
    found = client.get(address, follow_redirects=True)
    assert found.status_code == 200
    assert found.request.path == "/t/hall-3/table"


def test_pages_lead_to_each_other_below_the_table(client: FlaskClient) -> None:
    text = client.get("/t/hall-3/matches").get_data(as_text=True)
    assert 'href="/t/hall-3/scoreboard"' in text
    assert "https://192.168.1.7:8765/t/hall-3/camera" in client.get("/t/hall-3/setup").get_data(as_text=True)


@pytest.mark.parametrize("name", ["", "a/b", "x" * 31])
def test_a_name_that_fits_no_address_is_one_sentence(tmp_path: Path, name: str) -> None:
    run = answer("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--table", name)
    assert run.returncode == 2
    assert "table’s name" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["", "my table", "hall/3", "küche.local"])
def test_a_name_that_no_host_can_have_is_one_sentence(tmp_path: Path, name: str) -> None:
    run = answer("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--name", "hall-3.local", "--name", name)
    assert run.returncode == 2
    assert run.stderr == f"referee: {name!r} cannot be a host’s name: use a to z, digits, - and dots, such as --name hall-3.local\n"


def test_the_title_of_a_page_names_its_table(client: FlaskClient) -> None:
    """A director has the pages of several tables open."""
    assert "<title>Scoreboard hall-3 ·" in client.get("/t/hall-3/scoreboard").get_data(as_text=True)


def test_a_phone_puts_its_table_on_the_home_screen(client: FlaskClient) -> None:
    """By a name that tells it from the other tables, in the language of the page, whose cookies a browser does not send for it; and with
    icons that are there."""
    client.set_cookie("lang", "de")
    named = re.search('rel="manifest" href="([^"]+)"', client.get("/t/hall-3/table").get_data(as_text=True))
    client.delete_cookie("lang")
    assert named is not None
    found = client.get(named[1])
    said = found.get_json()
    assert (found.mimetype, said["lang"]) == ("application/manifest+json", "de")
    assert said["name"].startswith("Backgammon-") and said["name"].endswith(" hall-3") and said["short_name"] == "Backgammon hall-3"
    assert client.get(said["start_url"]).request.path == "/t/hall-3/table"
    for icon in said["icons"]:
        shown = client.get(icon["src"])
        assert (shown.status_code, shown.mimetype) == (200, icon["type"])


def test_the_results_of_several_tables_lie_beside_each_other(client: FlaskClient) -> None:
    assert 'filename="results-hall-3.csv"' in client.get("/api/v1/results.csv").headers["Content-Disposition"]


@pytest.mark.parametrize("whole", ["Anns-Mac", "Anns-Mac.local", "Anns-Mac.fritz.box"])
def test_a_table_is_reached_by_its_computers_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: str) -> None:
    """On macOS it may have the network's domain with it, as the program sees it, and is found in the network as .local all the same."""
    monkeypatch.setattr("socket.gethostname", lambda: whole)
    with Store(tmp_path / "m.db") as store:
        client = create_app(make_house(store)).test_client()
    for host in ("anns-mac", "Anns-Mac.local:8765", f"{whole}:8765"):
        assert client.get("/api/v1/me", headers={"Host": host}).status_code == 200
    assert client.get("/api/v1/me", headers={"Host": "anns-mac.evil.example"}).status_code == 400
