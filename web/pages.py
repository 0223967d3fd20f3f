"""The pages. They are empty shells: everything on them comes over the live stream."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.api import house

pages = Blueprint("pages", __name__)

NAVIGATION = (
    ("pages.table", "Table"),
    ("pages.scoreboard", "Scoreboard"),
    ("pages.matches", "Matches"),
    ("pages.setup", "Set-up"),
    ("pages.text", "Text"),
)
"""The pages every page leads to."""


@pages.get("/")
def home() -> str:
    return render_template("table.html")


@pages.get("/table")
def table() -> str:
    return render_template("table.html")


@pages.get("/scoreboard")
def scoreboard() -> str:
    return render_template("scoreboard.html")


@pages.get("/text")
def text() -> str:
    return render_template("text.html")


@pages.get("/overlay")
def overlay() -> str:
    return render_template("overlay.html")


@pages.get("/matches")
def matches() -> str:
    return render_template("matches.html")


@pages.get("/matches/<int:match>")
def match(match: int) -> str:
    return render_template("match.html", match=match)


@pages.get("/setup")
def setup() -> str:
    return render_template("setup.html", address=house().address)


@pages.get("/camera")
def camera() -> str:
    return render_template("camera.html")
