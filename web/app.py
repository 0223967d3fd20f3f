"""The Flask application of one table."""

from __future__ import annotations

import importlib.metadata
import logging
import mimetypes
from typing import Any

from flask import Flask, request
from flask_compress import Compress
from werkzeug.exceptions import HTTPException, InternalServerError

from referee.match.journal import JournalError
from web.access import AccessError
from web.api.analysis import analysis
from web.api.lending import camera, lending
from web.api.matches import matches
from web.api.setup import setup
from web.api.table import api, streams
from web.errors import Problem, RefereeApi, answer
from web.house import House
from web.language import speak
from web.pages import NAVIGATION, pages, short
from web.scripts import address, script
from web.security import protect

MAX_REQUEST = 256 * 1024
YEAR = 365 * 24 * 3600
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2"}
"""What the files are that pages are made of. Python would ask Windows, where any program may have called a script plain text in the
registry, and no browser runs one that is."""
PACKED = ["br", "gzip"]  # the ways in which texts are packed, for whoever can unpack them so; the best first

ABOUT = """Everything the pages do. Every error has the shape `Error`. A command carries in `seq` the log sequence its sender looked at.

Besides what is listed here there are two answers that never end. `GET /api/v1/stream` follows the table (server-sent events: `state` and
`camera`, first and after every change, and `beat`). `GET /camera.mjpg?token=` is the camera, lent by `POST /lending`. When all places are
taken both answer 503 with `Retry-After`; so does every operation for which the log cannot be written or read."""

log = logging.getLogger(__name__)


def create_app(house: House, hosts: frozenset[str] = frozenset()) -> Flask:
    """The service of ``house``'s table. ``hosts``: names besides this machine's own that it may be reached by."""
    for ending, kind in KINDS.items():
        mimetypes.add_type(kind, ending)
    app = Flask(__name__, static_url_path=address())
    app.config.update(
        API_TITLE="Backgammon referee",
        API_VERSION=importlib.metadata.version("backgammon-referee"),
        OPENAPI_VERSION="3.0.3",
        API_SPEC_OPTIONS={"info": {"description": ABOUT}},
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        MAX_CONTENT_LENGTH=MAX_REQUEST,
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,
        COMPRESS_ALGORITHM=PACKED,
        COMPRESS_ALGORITHM_STREAMING=PACKED,  # of static files
    )
    app.extensions["referee"] = house
    house.access.guard(app)
    app.context_processor(lambda: {"nav": NAVIGATION, "table_name": house.table, "script": script})
    speak(app)
    rest = RefereeApi(app)
    rest.register_blueprint(api)
    rest.register_blueprint(matches)
    rest.register_blueprint(setup)
    rest.register_blueprint(analysis)
    rest.register_blueprint(lending)
    for pages_and_streams in (streams, camera, pages, short):
        app.register_blueprint(pages_and_streams)
    protect(app, hosts)
    Compress(app)

    @app.before_request
    def heed_refusals() -> None:
        """A way of packing with ``q=0`` is one that the browser cannot unpack; Compress would take it for one that it can."""
        if any(not quality for _, quality in request.accept_encodings):
            can = (f"{way};q={quality}" for way, quality in request.accept_encodings if quality)
            request.environ["HTTP_ACCEPT_ENCODING"] = ", ".join(can)

    @app.errorhandler(Exception)
    def fault(error: Exception) -> Any:
        if isinstance(error, HTTPException):
            return answer(error)
        if isinstance(error, JournalError):
            return answer(Problem(503, "store_failed", str(error), {"Retry-After": "5"}))
        if isinstance(error, AccessError):
            return answer(Problem(503, "pins_not_kept", str(error)))
        log.exception("a fault while answering")
        return answer(InternalServerError())

    return app
