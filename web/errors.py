"""One shape for every error the service answers with.

``{"error": code, "message": one sentence, "status": HTTP status}``, with ``fields`` (what is wrong with which field) where the
request itself was at fault, where a command was stale ``by`` (the event that came first) and, if what a
command says is so already, ``same``. Pages get the same as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import marshmallow as ma
from flask import Response, jsonify, render_template, request
from flask_smorest import Api, Blueprint
from werkzeug.exceptions import HTTPException

from web.language import spoken

CODES = {
    400: ("bad_request", "The request cannot be understood."),
    403: ("forbidden", "This is not allowed from here."),
    404: ("not_found", "There is no such page."),
    405: ("method_not_allowed", "This address does not take such a request."),
    409: ("refused", "The referee refuses this."),
    413: ("too_large", "What was sent is too large."),
    415: ("media_type", "Send JSON (content-type: application/json)."),
    422: ("invalid", "Something in the request is missing or wrong."),
    431: ("headers_too_large", "The request’s headers are too large."),
    501: ("not_implemented", "The referee does not understand such a request."),
    429: ("too_many", "Too many attempts; wait a little."),
    500: ("internal", "The referee has a fault; it is in the log of the program."),
    503: ("unavailable", "The referee cannot do this now; try again in a moment."),
}


class Problem(HTTPException):
    """An error with a code and a sentence of its own; ``extra`` joins the JSON, ``headers`` the answer. ``page``: where what was asked
    for is to be found."""

    def __init__(self, status: int, error: str, message: str, headers: dict[str, str] | None = None, page: str = "", **extra: Any) -> None:
        super().__init__(description=message)
        self.code = status
        self.error = error
        self.page = page
        self.extra = extra
        self.more_headers = headers or {}


ErrorSchema = ma.Schema.from_dict(
    {
        "error": ma.fields.String(required=True, metadata={"description": "What went wrong, as a code"}),
        "message": ma.fields.String(required=True, metadata={"description": "One sentence for people"}),
        "status": ma.fields.Integer(required=True, metadata={"description": "The HTTP status"}),
        "fields": ma.fields.Dict(metadata={"description": "What is wrong with which field"}),
        "by": ma.fields.String(metadata={"description": "The type of the event that made the command stale"}),
        "same": ma.fields.Boolean(metadata={"description": "True where what the command says is so already, so that it is done"}),
    },
    name="Error",
)
"""The one error shape."""

TABLE_PIN, DIRECTORS_PIN = "The table’s PIN is needed.", "The director’s PIN is needed."
NO_MATCH, DAMAGED = "There is no such match.", "The match’s log is damaged."
NO_PICTURE = "There is no picture yet."

View = TypeVar("View", bound=Callable[..., Any])


def refuses(blueprint: Blueprint, why: Mapping[int, str]) -> Callable[[View], View]:
    """Describes what an operation of ``blueprint`` answers where it is refused: by status, ``why``."""

    def described(view: View) -> View:
        for status, text in why.items():
            view = blueprint.alt_response(status, schema=ErrorSchema, description=text)(view)
        return view

    return described


class RefereeApi(Api):
    """flask-smorest with our error shape instead of its own, for every address of the service."""

    ERROR_SCHEMA = ErrorSchema

    def handle_http_exception(self, error: HTTPException) -> Any:
        return answer(error)


def answer(error: HTTPException) -> Response:
    """The answer for ``error``: JSON for the API and for programs, a page for people."""
    status = error.code or 500
    if status < 400:
        return Response(error.get_response().get_data(), status, dict(error.get_response().headers))
    code, sentence = CODES.get(status, ("error", error.name + "."))
    said = spoken().said
    body: dict[str, Any] = {"error": code, "message": sentence, "status": status}
    headers: dict[str, str] = {}
    page = ""
    if isinstance(error, Problem):
        page = error.page
        body.update({"error": error.error, "message": error.description, **error.extra})
        headers = error.more_headers
    if refused := getattr(error, "data", None):  # by webargs: what is wrong with the body or with what was asked
        (fields,) = refused["messages"].values()
        body["fields"] = fields if isinstance(fields, dict) else {"_schema": fields}
        place, fault = _first(body["fields"])
        body["message"] = f"{place}: {said(fault)}" if place else fault
    body["message"] = said(body["message"])
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after", "location"):
            headers.setdefault(name, value)
    wants_page = not request.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")
    response = (
        Response(render_template("error.html", title=said(_title(status)), message=body["message"], page=page), mimetype="text/html")
        if wants_page
        else jsonify(body)
    )
    response.status_code = status
    response.headers.update(headers)
    return response


def _title(status: int) -> str:
    return {404: "Nothing here", 403: "Not allowed", 503: "Not now"}.get(status, "That did not work")


def _first(fields: Any) -> tuple[str, str]:
    """The first fault, where it is and what: ("dice", "Must be between 1 and 6.")."""
    place, fault = [], fields
    while isinstance(fault, dict) and fault:
        name, fault = next(iter(fault.items()))
        if not str(name).isdigit():
            place.append(str(name))
    return ".".join(p for p in place if p != "_schema"), str(fault[0] if isinstance(fault, list) and fault else fault)
