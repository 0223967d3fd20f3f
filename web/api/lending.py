"""Lending the camera over the API: the director makes and ends the address, a stream program reads there."""

from __future__ import annotations

from typing import Any

from flask import Blueprint as Plain
from flask import Response, request, url_for
from flask_smorest import Blueprint

from web.access import Rank
from web.api import schemas
from web.api.table import disconnected, house
from web.errors import DIRECTORS_PIN, NO_PICTURE, Problem, refuses
from web.lending import BOUNDARY, NoCamera
from web.live import Full

lending = Blueprint("lending", __name__, url_prefix="/api/v1", description="Lending the camera to stream programs")
camera = Plain("camera", __name__)


@lending.get("/lending")
@lending.response(200, schemas.LendingSchema)
@refuses(lending, {403: DIRECTORS_PIN})
def lent() -> dict[str, Any]:
    """Whether the camera is lent to stream programs, and how many read it now."""
    house().access.need(Rank.DIRECTOR)
    return _now()


@lending.post("/lending")
@lending.response(200, schemas.LendingSchema)
@refuses(lending, {403: DIRECTORS_PIN})
def lend() -> dict[str, Any]:
    """Makes the address where stream programs read the camera; it is told once, and ends an earlier one."""
    house().access.need(Rank.DIRECTOR)
    scheme = house().address.partition(":")[0] or request.scheme
    path = url_for("camera.pictures", table=house().table, token=house().access.lend())
    return _now(f"{scheme}://{request.host}{path}")


@lending.route("/lending", methods=["DELETE"])
@lending.response(200, schemas.LendingSchema)
@refuses(lending, {403: DIRECTORS_PIN})
def end() -> dict[str, Any]:
    """No stream program reads the camera any longer."""
    house().access.need(Rank.DIRECTOR)
    house().access.end_lending()
    return _now()


def _now(address: str | None = None) -> dict[str, Any]:
    return {"lent": house().access.lent, "readers": house().lent.readers, "address": address}


@camera.get("/camera.mjpg")
@camera.get("/t/<table>/camera.mjpg")
def pictures(table: str = "") -> Response:
    """The camera's pictures as they come, as motion JPEG, for a stream program that has the token."""
    token, left, access = request.args.get("token", ""), disconnected(), house().access
    if table not in ("", house().table):
        raise Problem(404, "no_table", "There is no such table here.")
    if not access.reads(token):
        raise Problem(403, "no_token", "This address of the camera is not lent, or not any more; the director makes a new one.")
    try:
        made = house().lent.follow(lambda: left() or not access.reads(token))
    except NoCamera:
        raise Problem(404, "no_picture", NO_PICTURE) from None
    except Full:
        raise Problem(503, "full", "Two programs read the camera already; end one of them.", {"Retry-After": "10"}) from None
    return Response(made, content_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}")
