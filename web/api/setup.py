"""Setting a table up over the API: the camera, a phone as the camera, where the board is."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

import segno
from flask import Response, request
from flask_smorest import Blueprint

from web.access import Rank
from web.api import schemas
from web.api.table import house, seen
from web.errors import NO_PICTURE, TABLE_PIN, Problem, refuses
from web.house import CameraError, Chooser, NoPicture
from web.language import as_sentence, spoken

setup = Blueprint("setup", __name__, url_prefix="/api/v1", description="Setting up")
MAX_PICTURE = 8 * 1024 * 1024
OLDEST_S = 5.0  # a picture said to be older was taken by a clock that is wrong


def _chooser() -> Chooser:
    chooser = house().chooser
    if chooser is None:
        raise Problem(409, "no_choice", "The camera of this table cannot be changed from here.")
    return chooser


def _done(code: str, act: Callable[[Chooser], None]) -> dict[str, Any]:
    """How the camera is once ``act`` is done. Raises `Problem` unless the sender may act; of this ``code`` where it cannot be done."""
    house().access.need(Rank.TABLE)
    chooser = _chooser()
    try:
        act(chooser)
    except CameraError as error:
        raise Problem(409, code, as_sentence(str(error))) from None
    now = chooser.status()
    return now | {"text": spoken().said(now["text"])}


@setup.get("/cameras")
@setup.response(200, schemas.CamerasSchema)
@refuses(setup, {403: TABLE_PIN, 409: "The camera of this table cannot be changed."})
def cameras() -> dict[str, Any]:
    """The cameras that this computer has."""
    house().access.need(Rank.TABLE)
    return {"cameras": [{"source": source, "name": name} for source, name in _chooser().cameras()]}


@setup.post("/camera")
@setup.arguments(schemas.CameraSchema)
@setup.response(200, schemas.CameraStatusSchema)
@refuses(setup, {403: TABLE_PIN, 409: "The camera cannot be had."})
def camera(body: dict[str, Any]) -> dict[str, Any]:
    """Takes a camera: its number or address, `phone`, or null for none."""
    return _done("no_camera", lambda chooser: chooser.choose(body["source"]))


@setup.post("/board")
@setup.arguments(schemas.BoardSchema)
@setup.response(200, schemas.CameraStatusSchema)
@refuses(setup, {403: TABLE_PIN, 409: "There is no camera."})
def board(body: dict[str, Any]) -> dict[str, Any]:
    """Finds the board anew, with its four corners (shares of the picture's width and height) when they are given."""
    return _done("no_camera", lambda chooser: chooser.look_again([(x, y) for x, y in body["corners"] or ()], body["near_at"]))


@setup.post("/tray")
@setup.arguments(schemas.TraySchema)
@setup.response(200, schemas.CameraStatusSchema)
@refuses(setup, {403: TABLE_PIN, 409: "The board is not found yet, or no tray can be there."})
def tray(body: dict[str, Any]) -> dict[str, Any]:
    """Draws the tray in which the dice tower's dice come to rest; throws count there. Null for no tray."""
    return _done("no_tray", lambda chooser: chooser.set_tray([(x, y) for x, y in body["corners"] or ()]))


@setup.get("/whole.jpg")
@setup.response(200, {"type": "string", "format": "binary"}, content_type="image/jpeg")
@refuses(setup, {403: TABLE_PIN, 404: NO_PICTURE})
def whole() -> Response:
    """The camera's whole picture with what was found drawn over it."""
    return Response(seen(lambda eyes: eyes.whole()), mimetype="image/jpeg")


@setup.get("/saw.zip")
@setup.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
@refuses(setup, {403: TABLE_PIN, 404: NO_PICTURE})
def saw() -> Response:
    """What the referee saw last: the picture as it came, what was read in it, and where the board is, to be looked into or reported."""
    found = seen(lambda eyes: eyes.saw())
    return Response(found, mimetype="application/zip", headers={"Content-Disposition": 'attachment; filename="what-it-saw.zip"'})


@setup.post("/frames")
@setup.response(204)
@refuses(setup, {403: TABLE_PIN, 409: "No phone is wanted, or it is no picture.", 415: "Not a JPEG."})
def frames() -> Response:
    """A picture from the phone that is this table's camera: a JPEG as the body. The answer's header `Server-Time` tells the server's
    clock (seconds, monotonic); a phone that has measured its own against it says in `Captured`, in that clock's seconds, when the
    picture was taken."""
    house().access.need(Rank.TABLE)
    if request.mimetype != "image/jpeg":
        raise Problem(415, "media_type", "Send a JPEG picture (content-type: image/jpeg).")
    request.max_content_length = MAX_PICTURE
    try:
        _chooser().push(request.get_data(cache=False), _age(request.headers.get("Captured", type=float)))
    except CameraError as error:
        code = "no_picture" if isinstance(error, NoPicture) else "no_phone"
        raise Problem(409, code, as_sentence(str(error))) from None
    return Response(status=204, headers={"Server-Time": f"{time.monotonic():.3f}"})


def _age(captured: float | None) -> float:
    """Seconds since ``captured``; 0 when it is not said, or cannot be."""
    age = 0.0 if captured is None else time.monotonic() - captured
    return age if 0 <= age <= OLDEST_S else 0.0


@setup.get("/phone.svg")
@setup.response(200, {"type": "string"}, content_type="image/svg+xml")
def phone() -> Response:
    """The QR code of the page that makes a phone the camera."""
    out = io.BytesIO()
    segno.make(house().page("camera")).save(out, kind="svg", scale=6, border=2, xmldecl=False, dark="#000", light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")
