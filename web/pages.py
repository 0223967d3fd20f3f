"""The pages, each below the name of its table. They are empty shells: everything on them comes over the live stream."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for

from web.api.matches import journal_of
from web.api.table import house
from web.errors import Problem
from web.language import chosen, spoken
from web.security import THEMED

pages = Blueprint("pages", __name__, url_prefix="/t/<table>")
short = Blueprint("short", __name__)

NAVIGATION = (
    ("pages.table", "Table"),
    ("pages.scoreboard", "Scoreboard"),
    ("pages.matches", "Matches"),
    ("pages.setup", "Set-up"),
    ("pages.text", "Text"),
)
"""The pages every page leads to."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@pages.url_value_preprocessor
def _at_table(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values is not None and values.pop("table") != (table := house().table):
        # A screen in the hall still has the name that the table had before it was started again.
        raise Problem(404, "no_table", f"There is no such table here; this is table {table}.", page=_address(str(endpoint), **values))


@pages.url_defaults
def _this_table(_endpoint: str, values: dict[str, Any]) -> None:
    values.setdefault("table", house().table)


for _name in ("table", "scoreboard", "text", "matches", "camera"):
    pages.add_url_rule(f"/{_name}", _name, partial(render_template, f"{_name}.html"))


@pages.get("/table.webmanifest")
def manifest() -> Response:
    """What a phone that puts the table on its home screen calls it there. It opens it as a page of the browser, where one can load it anew:
    without the referee there is nothing to show."""
    named = "" if house().table == "1" else f" {house().table}"
    icons = [
        {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": url_for("static", filename="icon.png"), "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    ]
    answer = jsonify(
        name=spoken()("Backgammon referee") + named, short_name=f"Backgammon{named}", lang=chosen(), icons=icons,
        start_url=url_for("pages.table"), display="browser", background_color="#f4f2ec", theme_color="#17624f",
    )
    answer.mimetype = "application/manifest+json"
    return answer


@pages.get("/overlay")
def overlay() -> Response:
    answer = make_response(render_template("overlay.html"))
    answer.headers["Content-Security-Policy"] = THEMED  # a stream program puts its custom CSS into the page as a style element
    return answer


@pages.get("/matches/<int:match>")
def match(match: int) -> str:
    journal_of(match)  # a match that there is not has no page
    return render_template("match.html", match=match)


@pages.get("/setup")
def setup() -> str:
    here = house()
    address = urlsplit(here.page("camera"))
    phones = address.scheme == "https" and address.hostname not in LOOPBACK  # they give their camera only to pages over HTTPS
    return render_template("setup.html", address=address.geturl(), phones=phones, chosen_here=here.chooser is not None)


# Addresses without a table lead to the only one, so that what somebody has set up with them goes on working.


@pages.get("/")
@short.get("/")
@short.get("/table")
def home() -> Response:
    return _lead("pages.table")


@short.get("/<any(scoreboard, text, overlay, matches, setup, camera):page>")
def shortened(page: str) -> Response:
    return _lead(f"pages.{page}")


@short.get("/matches/<int:match>")
def shortened_match(match: int) -> Response:
    return _lead("pages.match", match=match)


def _lead(endpoint: str, **values: Any) -> Response:
    """To a page of the only table."""
    found = redirect(_address(endpoint, **values))
    assert isinstance(found, Response)
    return found


def _address(endpoint: str, **values: Any) -> str:
    """Where a page of the only table is, with whatever was asked of it."""
    query = request.query_string.decode("latin-1")
    return url_for(endpoint, **values) + (f"?{query}" if query else "")
