"""Everything that comes in over the API and goes out, as schemas: they validate, and the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from referee.board.position import POINTS, Position, Seat
from referee.match import commands as said
from referee.match.decide import LARGEST_STAKE, LONGEST_UNIT
from referee.match.decide_hand import MOST_MINUTES
from referee.match.events import Kind, Role
from referee.match.names import LONGEST_EVENT, clean_name

MAX_SEQ = 2**31 - 1


class Strict(ma.Schema):
    class Meta:
        unknown = ma.RAISE


def _seat(**kwargs: Any) -> fields.Enum[Seat]:
    return fields.Enum(Seat, by_value=True, **kwargs)


def _number(low: int, high: int, **kwargs: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **kwargs)


def _pair(inner: fields.Field[Any], **kwargs: Any) -> fields.List[Any]:
    return fields.List(inner, validate=validate.Length(equal=2), **kwargs)


def _text(most: int = 300, **kwargs: Any) -> fields.String:
    # One line of text: control characters would break the text formats of match records.
    plain = validate.Regexp(r"^[^\x00-\x1f\x7f\ud800-\udfff]*\Z", error="One line of plain text.")
    return fields.String(validate=[validate.Length(max=most), plain], **kwargs)


def _is_said(value: Any) -> None:
    """A choice of a rule set as JSON writes it."""
    if not isinstance(value, bool | int | str) or (isinstance(value, str) and len(value) > 40):
        raise ma.ValidationError("A choice is true, false, a whole number or a word.")


class PositionSchema(Strict):
    """A position from near's chair: positive counts are near's checkers, negative far's."""

    points = fields.List(_number(-15, 15), required=True, validate=validate.Length(equal=POINTS))
    bar = _pair(_number(0, 15), required=True)
    off = _pair(_number(0, 15), required=True)

    @ma.validates_schema(skip_on_field_errors=True)
    def sound(self, data: dict[str, Any], **_: Any) -> None:
        if defects := _position(data).defects():
            raise ma.ValidationError("; ".join(defects) + ".")


def _position(data: dict[str, Any]) -> Position:
    return Position(tuple(data["points"]), tuple(data["bar"]), tuple(data["off"]))


class CommandSchema(Strict):
    """``seq`` is the log sequence the sender was looking at, ``match`` (as the state has it) the match; a command that something later
    overtook is refused as stale, and so is one to a match that is on the table no more."""

    seq = _number(0, MAX_SEQ, required=True, data_key="seq")
    match = _number(0, MAX_SEQ, load_default=None, allow_none=True)


class SetNamesSchema(CommandSchema):
    """``event`` null: as it was."""

    names = _pair(_text(31), required=True)
    event = _text(LONGEST_EVENT, load_default=None, allow_none=True)

    @ma.validates_schema(skip_on_field_errors=True)
    def both_named(self, data: dict[str, Any], **_: Any) -> None:
        if not all(clean_name(name) for name in data["names"]):  # whether they are two different ones is for the referee to say
            raise ma.ValidationError("Give both players a name.")


class StartMatchSchema(SetNamesSchema):
    length = _number(0, 99, load_default=0)
    rules = _text(60, load_default="bray")
    aids = fields.Boolean(load_default=None, allow_none=True)
    event = _text(LONGEST_EVENT, load_default="")
    round = _text(LONGEST_EVENT, load_default="")
    place = _text(LONGEST_EVENT, load_default="")
    transcriber = _text(LONGEST_EVENT, load_default="")
    stake = _number(1, LARGEST_STAKE, load_default=1)
    unit = _text(LONGEST_UNIT, load_default="")
    choices = fields.Dict(
        keys=_text(40), values=fields.Raw(validate=_is_said), load_default=dict,
        metadata={"description": "What the table agreed on of the questions of the rule set, by `choice`."},
    )


class MixSchema(CommandSchema):
    seat = _seat(required=True)


class SetupErrorSchema(CommandSchema):
    position = fields.Nested(PositionSchema, load_default=None, allow_none=True)


class LateSchema(CommandSchema):
    seat = _seat(required=True)
    minutes = fields.Float(required=True, validate=validate.Range(0, MOST_MINUTES))
    note = _text(300, load_default="")


class RollSchema(CommandSchema):
    dice = _pair(_number(1, 6), required=True)
    seat = _seat(load_default=None, allow_none=True)


class PlaySchema(CommandSchema):
    """``hold``: an illegal play is held for correction, as one that was seen, and not refused."""

    play = _text(60, required=True)
    hold = fields.Boolean(load_default=False)


class MovesSchema(CommandSchema):
    moves = fields.List(_pair(_number(0, 25)), required=True, validate=validate.Length(max=4))
    hold = fields.Boolean(load_default=False)


class SeatSchema(CommandSchema):
    seat = _seat(load_default=None, allow_none=True)


class ResignSchema(CommandSchema):
    seat = _seat(required=True)
    kind = fields.Enum(Kind, by_value=True, load_default=Kind.SINGLE)


class UndoSchema(CommandSchema):
    to_seq = _number(0, MAX_SEQ, load_default=None, allow_none=True)


class SetPositionSchema(CommandSchema):
    position = fields.Nested(PositionSchema, required=True)


class MomentSchema(CommandSchema):
    text = _text(200, required=True)
    bottom = _seat(load_default=Seat.NEAR)


class SetScoreSchema(CommandSchema):
    score = _pair(_number(0, 999), required=True)
    crawford = fields.Boolean(load_default=None, allow_none=True)


class SetCubeSchema(CommandSchema):
    value = fields.Integer(strict=True, required=True, validate=validate.OneOf([2**n for n in range(13)]))
    owner = _seat(load_default=None, allow_none=True)


class SetTurnSchema(CommandSchema):
    seat = _seat(required=True)
    dice = _pair(_number(1, 6), load_default=None, allow_none=True)


class AnswerSchema(CommandSchema):
    doubt = _number(0, MAX_SEQ, required=True)
    answer = _number(0, 99, required=True, allow_none=True)


class RuleSchema(CommandSchema):
    stands = fields.Boolean(required=True)
    play = _text(60, load_default="")
    note = _text(300, load_default="")


class AwardSchema(CommandSchema):
    seat = _seat(required=True)
    kind = fields.Enum(Kind, by_value=True, load_default=Kind.SINGLE)
    points = _number(1, 999, load_default=None, allow_none=True)
    note = _text(300, load_default="")


class AwardMatchSchema(CommandSchema):
    seat = _seat(required=True)
    note = _text(300, load_default="")


class PenaliseSchema(CommandSchema):
    seat = _seat(required=True)
    points = _number(1, 99, required=True)
    note = _text(300, load_default="")


class PressSchema(CommandSchema):
    seat = _seat(required=True)


class SetClockSchema(CommandSchema):
    remaining = _pair(fields.Float(validate=validate.Range(0, 86400)), required=True)


class PinSchema(Strict):
    pin = _text(40, required=True)


class PinsSchema(Strict):
    """New PINs; both are needed, and end every session but the sender's."""

    table = fields.String(required=True, validate=validate.Regexp(r"[0-9A-Za-z]{4,40}\Z", error="4 to 40 letters or digits."))
    director = fields.String(required=True, validate=validate.Regexp(r"[0-9A-Za-z]{4,40}\Z", error="4 to 40 letters or digits."))

    @ma.validates_schema(skip_on_field_errors=True)
    def two_pins(self, data: dict[str, Any], **_: Any) -> None:
        if data["table"] == data["director"]:
            raise ma.ValidationError("The director's PIN must differ from the table's.")


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
    """The command was accepted: ``seq`` is the log's last sequence, ``events`` the types of what was logged."""

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
    name = fields.String(required=True)
    title = fields.String(required=True)
    says = fields.List(fields.String(), required=True)
    questions = fields.List(fields.Nested(QuestionSchema), required=True)


class RuleSetsSchema(ma.Schema):
    rules = fields.List(fields.Nested(RuleSetSchema), required=True)


class StateSchema(ma.Schema):
    """The snapshot every page is drawn from; pairs are [near, far]."""

    class Meta:
        unknown = ma.INCLUDE

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


def _pairs(value: Any) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a, b in value)


class CameraSchema(Strict):
    """``source``: a camera's number, device or address, `phone`, or null."""

    source = _text(400, required=True, allow_none=True)


class DeviceSchema(ma.Schema):
    """``source`` is what `camera` takes."""

    source = fields.String(required=True)
    name = fields.String(required=True)


class CamerasSchema(ma.Schema):
    cameras = fields.List(fields.Nested(DeviceSchema), required=True)


class CameraStatusSchema(ma.Schema):
    status = fields.String(required=True)
    text = fields.String(required=True)
    picture = fields.Integer(required=True, allow_none=True)
    board = fields.Boolean(required=True)
    tray = fields.List(_pair(fields.Float()), required=True, allow_none=True)


class TraySchema(Strict):
    """``corners`` of the dice tower's tray, in order round it, as [x, y], shares of the picture's width and height; null for no tray."""

    corners = fields.List(
        _pair(fields.Float(validate=validate.Range(0, 1))), required=True, allow_none=True, validate=validate.Length(equal=4)
    )


class BoardSchema(Strict):
    """``corners``: far-left, far-right, near-right, near-left as [x, y], shares of the picture's width and height."""

    corners = fields.List(
        _pair(fields.Float(validate=validate.Range(0, 1))), load_default=None, allow_none=True, validate=validate.Length(equal=4)
    )
    near_at = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(["left", "right", "top", "bottom"]))


class WantedSchema(Strict):
    """A filter of matches; dates are days, 2026-11-20."""

    player = _text(60, load_default="")
    event = _text(100, load_default="")
    since = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?\Z", error="A day, such as 2026-11-20."))
    until = fields.String(load_default="", validate=validate.Regexp(r"(\d{4}-\d\d-\d\d)?\Z", error="A day, such as 2026-11-20."))


class MatchLineSchema(ma.Schema):
    id = fields.Integer(required=True)
    created = fields.String(required=True)
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


class MatchSchema(ma.Schema):
    """``lost``: what a .mat file cannot carry of this match; ``on``: the match that is on the table."""

    match = fields.Nested(MatchLineSchema, required=True)
    steps = fields.List(fields.Dict(), required=True)
    dice = fields.Dict(required=True)
    lost = fields.List(fields.String(), required=True)
    on = fields.Integer(required=True)


class DeleteSchema(Strict):
    names = _pair(_text(31), required=True)


class DeletedSchema(ma.Schema):
    deleted = fields.Integer(required=True)


COMMANDS: dict[str, tuple[type[CommandSchema], type[said.Command], str]] = {
    "start_match": (StartMatchSchema, said.StartMatch, "Starts a match; one that is being played is kept as it stands."),
    "mix_dice": (MixSchema, said.MixDice, "Before a game a player has the dice mixed, where the rule set knows it."),
    "setup_error": (
        SetupErrorSchema, said.SetupError,
        "The starting position was set up wrongly: put right in time, else it stands as `position`, the board as it is now.",
    ),
    "late": (LateSchema, said.Late, "A player came late: penalty points by the minutes."),
    "start_game": (CommandSchema, said.StartGame, "The board is set up: the game begins with the opening roll."),
    "roll": (RollSchema, said.EnterRoll, "A throw; in the opening [near's die, far's die]. Corrects a roll already entered."),
    "refuse_first_throw": (MixSchema, said.RefuseFirstThrow, "The opening throw is refused by doubling, where the rule set knows it."),
    "play": (PlaySchema, said.EnterPlay, "The play of the roll, in notation; empty when nothing can be played."),
    "moves": (MovesSchema, said.EnterMoves, "The play as [from, to] in the mover's numbers, 25 the bar, 0 off."),
    "pass": (CommandSchema, said.PassTurn, "The seat on roll is closed out and does not roll."),
    "double": (SeatSchema, said.Double, "The seat on roll offers the cube."),
    "take": (CommandSchema, said.Take, "The double is taken."),
    "drop": (CommandSchema, said.Drop, "The double is dropped."),
    "beaver": (CommandSchema, said.Beaver, "The cube is turned again at once."),
    "resign": (ResignSchema, said.Resign, "A seat offers to lose a single game, a gammon or a backgammon."),
    "accept": (CommandSchema, said.AcceptResignation, "The resignation is accepted."),
    "refuse": (CommandSchema, said.RefuseResignation, "The resignation is refused."),
    "undo": (
        UndoSchema, said.Undo,
        "Strikes out everything after to_seq, whole acts with what followed from them; without it, the last thing that changed the game.",
    ),
    "position": (SetPositionSchema, said.SetPosition, "Sets the position."),
    "moment": (MomentSchema, said.SetMoment, "Puts the game to the moment of an XGID or GNUBGID, whose bottom player is `bottom`."),
    "names": (SetNamesSchema, said.SetNames, "Puts the players' names and the event's right."),
    "score": (SetScoreSchema, said.SetScore, "Sets the score."),
    "cube": (SetCubeSchema, said.SetCube, "Sets the cube."),
    "turn": (SetTurnSchema, said.SetTurn, "Sets who is on roll."),
    "answer": (AnswerSchema, said.AnswerDoubt, "Answers the open question; answer null: none of these."),
    "rule": (RuleSchema, said.Rule, "Rules on the play that is held."),
    "award": (AwardSchema, said.AwardGame, "Gives the game to a seat."),
    "award_match": (AwardMatchSchema, said.AwardMatch, "Gives the match to a seat."),
    "penalise": (PenaliseSchema, said.Penalise, "Gives penalty points."),
    "press": (PressSchema, said.PressClock, "A seat ends its turn on the clock."),
    "clock_start": (CommandSchema, said.StartClock, "The clock runs on."),
    "clock_stop": (CommandSchema, said.StopClock, "Both clocks stand."),
    "clock_set": (SetClockSchema, said.SetClock, "Sets both reserves, in seconds; both stand."),
    "pause": (CommandSchema, said.Pause, "Nothing is judged until it is resumed."),
    "resume": (CommandSchema, said.Resume, "Judging goes on."),
}
"""Every command of the API: what it takes, what it makes, what it is for."""


def build(name: str, data: dict[str, Any], role: Role = Role.REFEREE) -> said.Command:
    """The command called ``name`` from validated ``data``, on the authority of ``role``."""
    values = dict(data)
    values.pop("match", None)
    values["role"] = role
    values["seen_seq"] = values.pop("seq")
    if "doubt" in values:
        values["doubt_seq"] = values.pop("doubt")
    if isinstance(values.get("position"), dict):
        values["position"] = _position(values["position"])
    if "moves" in values:
        values["moves"] = _pairs(values["moves"])
    if "choices" in values:
        values["choices"] = tuple(values["choices"].items())
    for key in ("names", "dice", "score", "remaining"):
        if isinstance(values.get(key), list):
            values[key] = tuple(v.strip() if isinstance(v, str) else v for v in values[key])
    return COMMANDS[name][1](**values)
