"""Answers that are text go out packed, to whoever can unpack them: a page and its scripts are a third as long, a long match a tenth."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

TEXTS = frozenset({"text/html", "text/css", "text/javascript", "application/javascript", "text/plain", "image/svg+xml", "application/json"})
LEAST = 600  # bytes: what fits into a packet of the network anyway gains nothing
LEVEL = 4  # of 9: half the time of the usual 6, for a twentieth more


def pack(app: Flask) -> None:
    """Packs the answers of ``app``."""

    @app.after_request
    def packed(response: Response) -> Response:
        if request.method != "GET" or response.status_code != 200 or response.mimetype not in TEXTS:
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings.quality("gzip"):
            return response
        response.direct_passthrough = False  # of a file
        data = response.get_data()
        if len(data) < LEAST:
            return response
        response.set_data(gzip.compress(data, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        tag, _weak = response.get_etag()
        if tag is not None:
            response.set_etag(tag, weak=True)  # the same text, in other bytes
        return response
