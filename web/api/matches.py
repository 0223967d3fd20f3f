"""The kept matches over the API: the list, one match step by step, its record in every format, all records at once, deleting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from flask import Response, request, stream_with_context
from flask_smorest import Blueprint
from marshmallow import fields, validate

from referee.match.commands import Refused
from referee.match.events import Logged
from referee.match.folding import fold
from referee.match.journal import Journal, JournalError
from referee.match.state import MatchState, Phase
from referee.records.formats import WRITERS
from referee.records.store import OUTLINE, MatchInfo
from referee.records.whole import Whole
from web import archive
from web.access import Rank
from web.api import schemas
from web.api.table import attachment, house, knows_all, may_see, plain, refusal, told
from web.errors import DAMAGED, DIRECTORS_PIN, NO_MATCH, TABLE_PIN, Problem, refuses
from web.language import chosen, spoken
from web.zipped import zipped

matches = Blueprint("matches", __name__, url_prefix="/api/v1", description="Kept matches")


class ContinueSchema(schemas.Strict):
    """``on``: the match that the sender saw on the table."""

    on = fields.Integer(strict=True, required=True, validate=validate.Range(1, schemas.MAX_SEQ))


def played(match: int, state: MatchState) -> bool:
    """Whether ``match``, which stands at ``state``, is being played. One that was left for another can be continued; at an open table,
    which keeps nothing from anybody for long, a session for money that was left is taken to be over."""
    on_table = match == house().desk.match or (bool(state.length) and not house().access.open)
    return on_table and state.phase is not Phase.MATCH_OVER


def analysed(match: int, state: MatchState) -> bool:
    """Whether the sender may have ``match`` analysed: not while it is played without aids, for equity is an aid."""
    return state.aids or not played(match, state) or house().access.audience() is Rank.DIRECTOR


def begun(match: int) -> tuple[MatchState, tuple[Logged, ...]]:
    """How a match stands that has been started, and its log as the sender may read it. Raises `Problem` for any other."""
    state, log = house().desk.moment_on(match) or _kept(match)
    return state, _started(match, told(state, log))


def log_of(match: int) -> tuple[Logged, ...]:
    """The second of `begun`, without folding the log of a match that is over: everybody may read it."""
    if (moment := house().desk.moment_on(match)) is not None:
        return _started(match, told(*moment))
    log = _read(match)
    over = fold(one for one in log if one.event.type in OUTLINE).phase is Phase.MATCH_OVER
    return _started(match, log if knows_all(not over) else told(fold(log), log))


def _started(match: int, log: tuple[Logged, ...]) -> tuple[Logged, ...]:
    """``log``. Raises `Problem` where nothing is in it."""
    if not log:
        raise Problem(404, "no_match", f"Match {match} has not been started.")
    return log


def journal_of(match: int) -> Journal:
    """Where the log of ``match`` is kept. Raises `Problem` when there is no such match."""
    try:
        return house().desk.store.journal(match)
    except JournalError as error:
        raise Problem(404, "no_match", str(error)) from None


def _kept(match: int) -> tuple[MatchState, tuple[Logged, ...]]:
    log = _read(match)
    return fold(log), log


def _read(match: int) -> tuple[Logged, ...]:
    """The whole log as it is kept. Raises `Problem` when there is no such match, or its log is damaged."""
    journal = journal_of(match)
    try:
        return journal.read()
    except JournalError as error:
        raise Problem(409, "damaged", str(error)) from None


def _listed(match: int) -> MatchInfo:
    """What the list tells of a match. Raises `Problem` when it is not in it, or not any more."""
    found = next((info for info in house().desk.store.matches() if info.id == match), None)
    if found is None:
        raise Problem(404, "no_match", f"There is no match {match}.")
    return found


@matches.get("/matches")
@matches.arguments(schemas.WantedSchema, location="query")
@matches.response(200, schemas.MatchesSchema)
def listed(wanted: dict[str, str]) -> dict[str, Any]:
    """All matches, newest first, filtered by parts of a player's or event's name and by day."""
    return {"matches": [archive.line(info, spoken().said) for info in _wanted(wanted)], "on": house().desk.match}


def _wanted(wanted: dict[str, str]) -> list[MatchInfo]:
    filter_ = archive.Wanted(**wanted)
    return [info for info in reversed(house().desk.store.matches()) if (info.state.seq or info.problem) and filter_.fits(info)]


@matches.get("/results.csv")
@matches.arguments(schemas.ResultsSchema, location="query")
@matches.response(200, {"type": "string"}, content_type="text/csv")
def results(wanted: dict[str, Any]) -> Response:
    """The results of those matches, for a spreadsheet or, without ``bom``, a program."""
    mark = "\ufeff" if wanted.pop("bom") else ""
    between = ";" if mark and chosen() == "de" else ","  # where the comma is the decimal point a spreadsheet parts cells at semicolons
    headers = attachment(_of_table("results"), ".csv")
    return Response(mark + archive.results_csv(_wanted(wanted), between), mimetype="text/csv", headers=headers)


@matches.get("/records.zip")
@matches.arguments(schemas.RecordsSchema, location="query")
@matches.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
@refuses(matches, {404: NO_MATCH})
def records(wanted: dict[str, str]) -> Response:
    """The records of those matches as one zip archive, in the format `ending`, each as `/matches/{match}/record{ending}` has it. Its file
    `left-out.txt` says what the format cannot carry, and which matches are not in it and why."""
    ending = wanted.pop("ending")
    found = _wanted(wanted)
    if not found:
        raise Problem(404, "no_match", "No match fits.")
    headers = attachment(_of_table("records"), ".zip")
    return Response(stream_with_context(zipped(_files(found, ending))), mimetype="application/zip", headers=headers)


def _of_table(name: str) -> str:
    """What a download is called: a director has those of several tables."""
    return name if house().table == "1" else f"{name}-{house().table}"


def _files(found: Iterable[MatchInfo], ending: str) -> Iterator[tuple[str, datetime, str]]:
    """The records of these matches, as the sender may read them, the oldest first; last what is not in them, by sentence."""
    left_out: dict[str, list[str]] = {}
    said = spoken().said
    for info in sorted(found, key=lambda info: info.id):
        name = f"{archive.day_of(info)}-{info.id:04d}-{plain('-'.join(info.state.names))}{ending}"
        try:
            whole = Whole.of(log_of(info.id))
        except Problem as problem:  # damaged, or deleted just now
            left_out.setdefault(str(problem.description), []).append(name)
            continue
        yield name, archive.begun_at(info), whole.written(ending)
        for text in whole.lost(ending):
            left_out.setdefault(said(text), []).append(name)
    lines = (f"{text}\n" + "".join(f"  {name}\n" for name in names) for text, names in left_out.items())
    if left_out:
        yield "left-out.txt", datetime.now(), "\n".join(lines)


@matches.get("/matches/<int:match>")
@matches.response(200, schemas.MatchSchema)
@refuses(matches, {404: NO_MATCH, 409: DAMAGED})
def one(match: int) -> dict[str, Any]:
    """Every step of a match, and its dice counted."""
    (state, log), info = begun(match), _listed(match)
    free = analysed(match, state)
    pictures = house().shows_pictures(house().access.audience())
    steps = archive.steps(log, pictures=pictures, translate=spoken())
    return {"match": archive.line(info), "steps": steps, "dice": _dice(log), "on": house().desk.match, "analysed": free}


def _dice(log: tuple[Logged, ...]) -> dict[str, Any]:
    found = archive.dice_statistics(log)
    return {seat: one | {"text": spoken().said(one["text"])} for seat, one in found.items()}


@matches.get("/matches/<int:match>/lost")
@matches.response(200, schemas.LostSchema)
@refuses(matches, {404: NO_MATCH, 409: DAMAGED})
def lost(match: int) -> dict[str, Any]:
    """What a record of the match does not have in every format, a sentence each."""
    return {"lost": [spoken().said(one) for one in Whole.of(log_of(match)).lost(*WRITERS)]}


@matches.get("/matches/<int:match>/record<ending>")
@matches.response(200, {"type": "string"}, content_type="text/plain")
@refuses(matches, {404: "There is no such match or format.", 409: DAMAGED})
def record(match: int, ending: str) -> Response:
    """The match's record; `ending` is one of .mat .sgf .txt .json."""
    if ending not in WRITERS:
        raise Problem(404, "no_format", f"There is no record{ending} of match {match}.")
    whole = Whole.of(log_of(match))
    return Response(whole.written(ending), mimetype="text/plain", headers=attachment("-".join(whole.record.names), ending))


@matches.post("/matches/<int:match>/continue")
@matches.arguments(ContinueSchema)
@matches.response(200, schemas.DoneSchema)
@refuses(matches, {403: TABLE_PIN, 404: NO_MATCH, 409: "The match is over or damaged, or another came on the table meanwhile."})
def go_on(body: dict[str, Any], match: int) -> dict[str, Any]:
    """Puts an unfinished match back on the table; the one that is there is kept as it stands."""
    house().access.need(Rank.TABLE)
    begun(match)
    outcome = house().desk.reopen(match, body["on"])
    if isinstance(outcome, Refused):
        raise refusal(outcome)
    return {"seq": house().desk.state.seq, "events": [one.event.type for one in outcome.events]}


@matches.route("/matches/<int:match>", methods=["DELETE"])
@matches.arguments(schemas.DeleteSchema)
@matches.response(200, schemas.DeletedSchema)
@refuses(matches, {403: DIRECTORS_PIN, 404: NO_MATCH, 409: "The match is on the table, or the names do not confirm it."})
def delete(body: dict[str, Any], match: int) -> dict[str, Any]:
    """Deletes a whole match; `names` must repeat the players' names."""
    house().access.need(Rank.DIRECTOR)
    desk = house().desk
    found = _listed(match)
    if match != desk.match and tuple(body["names"]) != found.state.names:
        raise Problem(409, "not_confirmed", "The names are not those of this match; nothing was deleted.")
    if not desk.delete(match):
        raise Problem(409, "match_on", "This match is on the table; start another one first.")
    house().pictures.remove(match)
    if (chooser := house().chooser) is not None:
        chooser.forget(match)
    return {"deleted": match}


@matches.get("/matches/<int:match>/pictures/<int:seq>.jpg")
@matches.response(200, {"type": "string", "format": "binary"}, content_type="image/jpeg")
@refuses(matches, {403: TABLE_PIN, 404: "The picture is not kept (any more).", 409: DAMAGED})
def evidence(match: int, seq: int) -> Response:
    """The picture kept as evidence of step `seq`, if it is still what was kept."""
    may_see()
    now = house().desk.moment_on(match)
    kept = next((one.evidence for one in (now[1] if now is not None else _read(match)) if one.seq == seq), None)
    data = house().pictures.read(kept) if kept is not None else None
    if kept is None or data is None:
        raise Problem(404, "no_picture", "This picture is not kept, or not any more.")
    answer = Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, no-cache"})
    answer.set_etag(kept.sha256)  # its address is also that of another picture, of another evening's matches
    answer.make_conditional(request)
    return answer
