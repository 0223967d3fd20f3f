"""The API keeps to its own document, whatever it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

import web
from referee.board.matchid import LARGEST_CUBE
from referee.records.store import Store
from web.api.commands import COMMANDS
from web.app import create_app
from web.cli._service import make_house

schemathesis = pytest.importorskip("schemathesis")
positive_data_acceptance = pytest.importorskip("schemathesis.specs.openapi.checks").positive_data_acceptance


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    with Store(tmp_path / "m.db") as store:
        made = create_app(make_house(store))
        client = made.test_client()
        client.post("/api/v1/start_match", json={"seq": 0, "names": ["Anna", "Boris"], "length": 5})
        client.post("/api/v1/start_game", json={"seq": 1})
        client.post("/api/v1/roll", json={"seq": 2, "dice": [3, 1]})
        yield made


def test_the_page_offers_the_cubes_that_the_api_takes(app: Flask) -> None:
    document = app.test_client().get("/api/v1/openapi.json").get_json()
    taken = document["components"]["schemas"]["SetCube"]["properties"]["value"]["enum"]
    said = (Path(web.__file__).parent / "static" / "js" / "dialogs.js").read_text()
    assert f"const CUBES = Array.from({{ length: {len(taken)} }}, (_, i) => 2 ** i);" in said
    assert taken == [2**n for n in range(len(taken))] and taken[-1] == LARGEST_CUBE


def test_no_fault_and_no_surprise(app: Flask) -> None:
    """Generated requests for every operation: no 5xx, and every answer is one the document describes."""
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    tried = set()
    for found in document.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/pins"):  # everything after it would only be refused
            continue
        tried.add(operation.path)

        @settings(max_examples=8, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            # what a schema cannot say (thirty checkers, two different names) may refuse what it allows
            case.call_and_validate(excluded_checks=[positive_data_acceptance], headers={"Accept-Encoding": "identity"})

        check()
    assert {f"/api/v1/{name}" for name in COMMANDS} <= tried
