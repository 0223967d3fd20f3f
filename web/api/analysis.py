"""GNU Backgammon's look at a kept match over the API: begun, followed, ended."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask_smorest import Blueprint
from marshmallow import fields, validate

from referee.records.export import record_of
from referee.records.gnubg import MISSING, plain_values
from web.access import Rank
from web.analysis import Job, Status
from web.api.matches import analysed, begun
from web.api.schemas import Strict
from web.api.table import house
from web.errors import NO_MATCH, TABLE_PIN, Problem, refuses
from web.language import spoken

WORST = 10
_SAID = {
    Status.MISSING: f"{MISSING}.",
    Status.BUSY: "GNU Backgammon is looking at another match; try again when it has finished.",
}

analysis = Blueprint("analysis", __name__, url_prefix="/api/v1", description="GNU Backgammon’s look at a match")


class PliesSchema(Strict):
    """How deep it looks; every step takes much longer."""

    plies = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 2))


class AnalysisSchema(ma.Schema):
    """``status``: none, running, done, failed, missing (it is not installed) or busy (with another match); ``text`` says why there is
    none; ``seconds`` so far, in which ``done`` of its ``games`` were looked at. ``analysis``: what `referee analyse --json` says of a
    file, the file's name apart."""

    status = fields.String(required=True)
    text = fields.String(required=True)
    seconds = fields.Float(required=True)
    done = fields.Integer(required=True)
    games = fields.Integer(required=True)
    analysis = fields.Dict(required=True, allow_none=True)


@analysis.get("/matches/<int:match>/analysis")
@analysis.response(200, AnalysisSchema)
@refuses(analysis, {404: NO_MATCH})
def found(match: int) -> dict[str, Any]:
    """How far the look at a match has come, and what was found."""
    log = _allowed(match)
    return _plain(house().analyst.job(match, len(log)))


@analysis.post("/matches/<int:match>/analysis")
@analysis.arguments(PliesSchema)
@analysis.response(200, AnalysisSchema)
@refuses(analysis, {403: TABLE_PIN, 404: NO_MATCH, 409: "The match is being played without aids."})
def begin(body: dict[str, Any], match: int) -> dict[str, Any]:
    """Has GNU Backgammon look at a match, as a program of its own in the background."""
    house().access.need(Rank.TABLE)
    log = _allowed(match)
    return _plain(house().analyst.start(match, len(log), record_of(log), body["plies"]))


@analysis.route("/matches/<int:match>/analysis", methods=["DELETE"])
@analysis.response(200, AnalysisSchema)
@refuses(analysis, {403: TABLE_PIN, 404: NO_MATCH})
def end(match: int) -> dict[str, Any]:
    """Ends the look at a match."""
    house().access.need(Rank.TABLE)
    log = _allowed(match)
    house().analyst.stop(match)
    return _plain(house().analyst.job(match, len(log)))


def _allowed(match: int) -> tuple[Any, ...]:
    """The match's log. Raises `Problem` while it may not be analysed, or was never started."""
    state, log = begun(match)
    if not analysed(match, state):
        raise Problem(409, "match_on", "This match is being played; it can be analysed when it is over.")
    return log


def _plain(job: Job) -> dict[str, Any]:
    text = spoken().said(job.trouble or _SAID.get(job.status, ""))
    return {"status": job.status.value, "text": text, "seconds": round(job.seconds, 1), "done": job.done, "games": job.games,
            "analysis": None if job.found is None else plain_values(job.found, WORST)}
