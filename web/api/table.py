"""The API under /api/v1: the state, the live stream, every command, the camera's picture, the match record."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from flask import Blueprint as Plain
from flask import Response, current_app, jsonify, request
from flask_smorest import Blueprint

from referee.match.commands import Accepted, Refused, Undo
from referee.match.events import Logged, Role
from referee.match.shown import wording
from referee.match.state import MatchState, Phase
from referee.match.told import told_log, told_types
from referee.records.whole import Whole
from referee.rules.agreement import clock_of, questions_of
from referee.rules.plain import sentence_of, settled
from web.access import Pins, Rank, needed, sender
from web.api import commands, schemas
from web.errors import DIRECTORS_PIN, NO_PICTURE, TABLE_PIN, Problem, refuses
from web.house import Eyes, House
from web.language import chosen, spoken
from web.live import Full

api = Blueprint("api", __name__, url_prefix="/api/v1", description="The table")
streams = Plain("streams", __name__, url_prefix="/api/v1")
_WRONG = {
    403: "The sender has not given the PIN this needs, or is another site’s page.",
    409: "The referee refuses the command; `error` says why, `stale` that something came first.",
    422: "Something in the request is wrong.",
}


def house() -> House:
    found = current_app.extensions["referee"]
    assert isinstance(found, House)
    return found


@api.get("/state")
@api.arguments(schemas.AgoSchema, location="query")
@api.response(200, schemas.StateSchema)
def state(wanted: dict[str, Any]) -> Response:
    """What the table looks like now to the sender: the snapshot every page is drawn from; `as=viewer` as for the stream. With `ago`: what
    it looked like so many seconds ago, 600 at most. The header `Server-Time` tells the server's clock (seconds, monotonic)."""
    if wanted["ago"]:
        answer = jsonify(house().state(_audience(), chosen(), wanted["ago"]))
    else:
        answer = Response(house().hub.text("state", _audience(), chosen())[1], mimetype="application/json")
    answer.headers["Server-Time"] = f"{time.monotonic():.3f}"
    return answer


def _audience() -> Rank:
    """Who is told what the present request asks for."""
    return Rank.VIEWER if request.args.get("as") == "viewer" else house().access.audience()


@streams.get("/stream")
def stream() -> Response:
    """Server-sent events: `state` and `camera` snapshots, first and after every change, and `beat` heartbeats. With `as=viewer` they are
    those that anybody gets, whoever the sender is: a scoreboard in the director's browser must not show what he alone may know."""
    access, left = house().access, disconnected()
    generation = access.generation
    try:
        events = house().hub.stream(_audience(), lambda: left() or access.generation != generation, chosen())
    except Full:
        raise Problem(503, "full", "All places of the live stream are taken; try again in a moment.", {"Retry-After": "5"}) from None
    return Response(events, mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def disconnected() -> Callable[[], bool]:
    """What tells whether the present request's sender has gone."""
    found: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return found


@api.get("/rules")
@api.response(200, schemas.RuleSetsSchema)
def rules_offered() -> dict[str, Any]:
    """The rule sets a match can be played under, what each of them says, and what it leaves to the players."""
    said = spoken().said

    def asked(question: dict[str, Any]) -> dict[str, Any]:
        answers = [answer | {"text": said(answer["text"])} for answer in question["answers"]]
        return question | {"title": said(question["title"]), "answers": answers}

    found = [
        {
            "name": rules.name,
            "title": said(title),
            "aids": rules.aids,
            "clock": clock_of(rules),
            "clock_says": said(sentence_of("clock", rules.clock)),
            "says": [said(text) for text in settled(rules)],
            "questions": [asked(one) for one in questions_of(rules)],
        }
        for rules, title in house().rule_sets
    ]
    return {"rules": found}


@api.get("/record.mat")
@api.response(200, {"type": "string"}, content_type="text/plain")
def record() -> Response:
    """The match record, as GNU Backgammon and most other programs read it."""
    state, log = house().desk.moment
    if not log:
        raise Problem(404, "no_match", "No match has been started yet.")
    written = Whole.of(told(state, log)).written(".mat")
    return Response(written, mimetype="text/plain", headers=attachment("-".join(state.names), ".mat"))


def knows_all(running: bool) -> bool:
    """Whether the sender may read what the referee must not tell the players: the director, and at an open table everybody once the
    match is no longer ``running``."""
    access = house().access
    return access.audience() is Rank.DIRECTOR or (access.open and not running)


def told(state: MatchState, log: tuple[Logged, ...]) -> tuple[Logged, ...]:
    """The log that has led to this state, as the sender may read it: until the match is over as the players may, on the table or left."""
    return log if knows_all(state.phase is not Phase.MATCH_OVER) else told_log(log, state)


@api.get("/picture.jpg")
@api.response(200, {"type": "string", "format": "binary"}, content_type="image/jpeg")
@refuses(api, {403: TABLE_PIN, 404: NO_PICTURE})
def picture() -> Response:
    """The camera's latest picture with what was read drawn over it."""
    return Response(seen(lambda eyes: eyes.picture), mimetype="image/jpeg")


def seen(what: Callable[[Eyes], bytes | None]) -> bytes:
    """``what`` of the camera's eyes. Raises `Problem` unless the sender may see it, and while there is nothing to see."""
    may_see()
    eyes = house().eyes
    found = what(eyes) if eyes is not None else None
    if found is None:
        raise Problem(404, "no_picture", NO_PICTURE)
    return found


def may_see() -> None:
    """Raises `Problem` unless the sender may see what the camera sees."""
    if not house().shows_pictures(house().access.audience()):
        raise Problem(403, "pin_needed", "Give the table’s PIN to see the camera’s pictures.")


@api.get("/me")
@api.response(200, schemas.RankSchema)
def me() -> dict[str, Any]:
    """What the sender may do."""
    return me_now()


@api.post("/enter")
@api.arguments(schemas.PinSchema)
@api.response(200, schemas.RankSchema)
@refuses(api, {403: "Not a PIN of this table.", 429: "Too many attempts."})
def enter(body: dict[str, Any]) -> dict[str, Any]:
    """Gives a PIN; the cookie that comes back lets its sender act."""
    access = house().access
    access.remember(access.enter(body["pin"], sender(house().peers)))
    return me_now()


@api.post("/leave")
@api.response(200, schemas.RankSchema)
def leave() -> dict[str, Any]:
    """Gives the right to act back."""
    house().access.forget()
    return me_now()


@api.post("/pins")
@api.arguments(schemas.PinsSchema)
@api.response(200, schemas.RankSchema)
@refuses(api, {403: DIRECTORS_PIN})
def pins(body: dict[str, Any]) -> dict[str, Any]:
    """Sets both PINs."""
    access = house().access
    access.need(Rank.DIRECTOR)
    access.set_pins(Pins(body["table"], body["director"]))
    access.guard(current_app)
    access.remember(Rank.DIRECTOR)
    house().hub.announce()  # ends the streams of those whose PIN counts no more
    return me_now()


def me_now() -> dict[str, Any]:
    access = house().access
    return {"rank": access.rank().name.lower(), "open": access.open}


def attachment(name: str, ending: str) -> dict[str, str]:
    """The header that names a download; any script is kept, in the form every browser reads."""
    named = plain(name)
    known = named.encode("ascii", "ignore").decode() or "match"
    return {"Content-Disposition": f"attachment; filename=\"{known}{ending}\"; filename*=UTF-8''{quote(named)}{ending}"}


def plain(name: str) -> str:
    """``name`` as part of a file's: without what any system, Windows among them, does not take in one, and not too long for it."""
    return "".join(c for c in name if c.isalnum() or c in "-_").strip("-_")[:80] or "match"


def _add(name: str, schema: type[commands.CommandSchema], about: str) -> None:
    def view(body: dict[str, Any]) -> dict[str, Any]:
        return obey(name, body)

    view.__doc__ = about
    view.__name__ = name
    api.post(f"/{name}")(api.arguments(schema)(api.response(200, schemas.DoneSchema)(refuses(api, _WRONG)(view))))


def obey(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """Gives the command to the table. Raises `Problem` when it is refused."""
    desk = house().desk
    role = house().access.need(needed(name))
    before = desk.state
    command = commands.build(name, body, role)
    if isinstance(command, Undo):
        command = replace(command, rulings=house().access.rank() is Rank.DIRECTOR)
    outcome = desk.command(command, match=body["match"])
    if isinstance(outcome, Accepted):
        # What came after it is nothing that the sender has seen.
        seq = outcome.events[-1].seq if outcome.events else desk.state.seq
        return {"seq": seq, "events": told_types((one.event for one in outcome.events), before, role is Role.DIRECTOR)}
    raise refusal(outcome)


def refusal(outcome: Refused) -> Problem:
    """The answer to a refused command: 409, or 503 when the log cannot be written."""
    code = outcome.reason.code
    if code == "store_failed":  # said by the store, and not to be put into other letters: it names a file
        return Problem(503, code, str(outcome.reason.get("text")), {"Retry-After": "5"})
    names, words = house().desk.state.names, spoken()
    sentence = wording.sentence(outcome.reason, names, words)
    more = [wording.sentence(reason, names, words) for reason in outcome.detail]
    by = outcome.reason.get("by")
    extra: dict[str, Any] = {"by": str(by)} if by is not None else {}
    if outcome.reason.get("same"):
        extra["same"] = True
    return Problem(409, code, " ".join([sentence, *more]), **extra)


for _name, (_schema, _command, _about) in commands.COMMANDS.items():
    _add(_name, _schema, _about)
