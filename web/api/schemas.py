"""What goes out over the API and what comes in beside commands, as schemas: they validate, and the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from referee.match.names import LONGEST_EVENT
from referee.records.formats import WRITERS

MAX_SEQ = 2**31 - 1
LONGEST_NAME = 31  # of a player; more no .mat file holds
LATEST = 600  # s by which an overlay shows the table later at most


class Strict(ma.Schema):
    class Meta:
        unknown = ma.RAISE


def pair(inner: fields.Field[Any], **kwargs: Any) -> fields.List[Any]:
    """Two of ``inner``."""
    return fields.List(inner, validate=validate.Length(equal=2), **kwargs)


def one_line(most: int, **kwargs: Any) -> fields.String:
    """One line of plain text: control characters would break the text formats of match records."""
    plain = validate.Regexp(r"^[^\x00-\x1f\x7f\ud800-\udfff]*\Z", error="One line of plain text.")
    return fields.String(validate=[validate.Length(max=most), plain], **kwargs)


def new_pin() -> fields.String:
    return fields.String(required=True, validate=validate.Regexp(r"[0-9A-Za-z]{4,40}\Z", error="4 to 40 letters or digits."))


class PinSchema(Strict):
    pin = one_line(40, required=True)


class PinsSchema(Strict):
    """New PINs; both are needed, and end every session but the sender's."""

    table = new_pin()
    director = new_pin()

    @ma.validates_schema(skip_on_field_errors=True)
    def two_pins(self, data: dict[str, Any], **_: Any) -> None:
        if data["table"] == data["director"]:
            raise ma.ValidationError("The director’s PIN must differ from the table’s.")


class RankSchema(ma.Schema):
    """What the sender may do: viewer, table or director; ``open``: this table has no PINs."""

    rank = fields.String(required=True)
    open = fields.Boolean(required=True)


class LendingSchema(ma.Schema):
    """Whether stream programs may read the camera, how many do now, and where; ``address`` is told only once."""

    lent = fields.Boolean(required=True)
    readers = fields.Integer(required=True)
    address = fields.String(required=True, allow_none=True)


class DoneSchema(ma.Schema):
    """The command was accepted: ``events`` are the types of what was logged because of it, ``seq`` is the last one's sequence."""

    seq = fields.Integer(required=True)
    events = fields.List(fields.String(), required=True)


class ChoiceSchema(ma.Schema):
    value = fields.Raw(required=True)
    text = fields.String(required=True)


class QuestionSchema(ma.Schema):
    """A choice the rule set leaves to the players. ``asked``: put to the table at set-up; ``money``: of no weight in a match;
    ``value`` holds until somebody answers, with one of ``answers`` in `choices` of start_match."""

    choice = fields.String(required=True)
    title = fields.String(required=True)
    asked = fields.Boolean(required=True)
    money = fields.Boolean(required=True)
    value = fields.Raw(required=True)
    answers = fields.List(fields.Nested(ChoiceSchema), required=True)


class RuleSetSchema(ma.Schema):
    """``clock``: as `start_match` takes it, ``clock_says`` in words."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    aids = fields.Boolean(required=True)
    clock = fields.Dict(required=True)
    clock_says = fields.String(required=True)
    says = fields.List(fields.String(), required=True)
    questions = fields.List(fields.Nested(QuestionSchema), required=True)


class RuleSetsSchema(ma.Schema):
    rules = fields.List(fields.Nested(RuleSetSchema), required=True)


class StateSchema(ma.Schema):
    """The snapshot every page is drawn from; pairs are [near, far]. ``table``: its name in the addresses of its pages; ``program``: another
    one where the pages are others."""

    class Meta:
        unknown = ma.INCLUDE

    table = fields.String(required=True)
    program = fields.String(required=True)
    seq = fields.Integer(required=True)
    phase = fields.String(required=True)
    started = fields.Boolean(required=True)
    names = fields.List(fields.String(), required=True)
    length = fields.Integer(required=True)
    score = fields.List(fields.Integer(), required=True)
    position = fields.Dict(required=True)
    on_roll = fields.String(allow_none=True)
    dice = fields.Dict(allow_none=True)
    expected = fields.Dict(required=True)


class CameraSchema(Strict):
    """``source``: a camera's number, device or address, `phone`, or null."""

    source = one_line(400, required=True, allow_none=True)


class DeviceSchema(ma.Schema):
    """``source`` is what `camera` takes."""

    source = fields.String(required=True)
    name = fields.String(required=True)


class CamerasSchema(ma.Schema):
    cameras = fields.List(fields.Nested(DeviceSchema), required=True)


class CameraStatusSchema(ma.Schema):
    """``source``: the camera's number or address, `phone`, or null for none; ``die``: how many ``px`` a die in the middle of the board is
    wide, and whether that is ``enough`` to read it well."""

    status = fields.String(required=True)
    text = fields.String(required=True)
    source = fields.String(required=True, allow_none=True)
    picture = fields.Integer(required=True, allow_none=True)
    board = fields.Boolean(required=True)
    tray = fields.List(pair(fields.Float()), required=True, allow_none=True)
    die = fields.Dict(required=True, allow_none=True)


class TraySchema(Strict):
    """``corners`` of the dice tower's tray, in order round it, as [x, y], shares of the picture's width and height; null for no tray."""

    corners = fields.List(
        pair(fields.Float(validate=validate.Range(0, 1))), required=True, allow_none=True, validate=validate.Length(equal=4)
    )


class BoardSchema(Strict):
    """``corners``: far-left, far-right, near-right, near-left as [x, y], shares of the picture's width and height."""

    corners = fields.List(
        pair(fields.Float(validate=validate.Range(0, 1))), load_default=None, allow_none=True, validate=validate.Length(equal=4)
    )
    near_at = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(["left", "right", "top", "bottom"]))


class AgoSchema(ma.Schema):
    """How long ago, in seconds; what else is asked stands beside it."""

    class Meta:
        unknown = ma.EXCLUDE

    ago = fields.Float(load_default=0.0, validate=validate.Range(0, LATEST))


class WantedSchema(Strict):
    """A filter of matches; dates are days, 2026-11-20."""

    player = one_line(60, load_default="")
    event = one_line(LONGEST_EVENT, load_default="")
    since = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?\Z", error="A day, such as 2026-11-20."))
    until = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?\Z", error="A day, such as 2026-11-20."))


class ResultsSchema(WantedSchema):
    """``bom``: for a spreadsheet program: a byte order mark tells it UTF-8, and cells are parted as the sender's language has it."""

    bom = fields.Boolean(load_default=False)


class RecordsSchema(WantedSchema):
    """``ending``: the format of the records."""

    ending = fields.String(load_default=".mat", validate=validate.OneOf(list(WRITERS)))


class MatchLineSchema(ma.Schema):
    """``day``: that of ``created`` where the program runs, as the filter, the results and the records have it."""

    id = fields.Integer(required=True)
    created = fields.String(required=True)
    day = fields.String(required=True)
    names = fields.List(fields.String(), required=True)
    length = fields.Integer(required=True)
    score = fields.List(fields.Integer(), required=True)
    games = fields.Integer(required=True)
    event = fields.String(required=True)
    round = fields.String(required=True)
    rules = fields.String(required=True)
    winner = fields.String(required=True, allow_none=True)
    open = fields.Boolean(required=True)
    problem = fields.String(required=True)


class MatchesSchema(ma.Schema):
    """``on`` is the match that is on the table."""

    matches = fields.List(fields.Nested(MatchLineSchema), required=True)
    on = fields.Integer(required=True)


class LostSchema(ma.Schema):
    lost = fields.List(fields.String(), required=True)


class MatchSchema(ma.Schema):
    """``on``: the match that is on the table; ``analysed``: whether who asks may have it analysed now."""

    match = fields.Nested(MatchLineSchema, required=True)
    steps = fields.List(fields.Dict(), required=True)
    dice = fields.Dict(required=True)
    on = fields.Integer(required=True)
    analysed = fields.Boolean(required=True)


class DeleteSchema(Strict):
    names = pair(one_line(LONGEST_NAME), required=True)


class DeletedSchema(ma.Schema):
    deleted = fields.Integer(required=True)
