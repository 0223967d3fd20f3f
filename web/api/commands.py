"""Every command of the API: what it takes, as a schema that validates and documents it, and what the referee is told by it."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from referee.board.matchid import LARGEST_CUBE
from referee.board.position import CHECKERS, POINTS, Position, Seat
from referee.match import commands as said
from referee.match.events import Kind, Role
from referee.match.names import LONGEST_EVENT, clean_name
from referee.match.said.hand import LARGEST_SCORE, LONGEST_NOTE, LONGEST_TIME, MOST_MINUTES
from referee.match.said.terms import LARGEST_STAKE, LONGEST_MATCH, LONGEST_UNIT
from referee.rules.ruleset import ClockMode, ClockRules, TurnEnd
from web.api.schemas import LONGEST_NAME, MAX_SEQ, Strict, one_line, pair

_USUAL = ClockRules()


def _seat(**kwargs: Any) -> fields.Enum[Seat]:
    return fields.Enum(Seat, by_value=True, **kwargs)


def _number(low: int, high: int, **kwargs: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **kwargs)


def _seconds(least: float, otherwise: float) -> fields.Float:
    return fields.Float(load_default=otherwise, validate=validate.Range(least, LONGEST_TIME))


class PositionSchema(Strict):
    """A position from near's chair: positive counts are near's checkers, negative far's."""

    points = fields.List(_number(-CHECKERS, CHECKERS), required=True, validate=validate.Length(equal=POINTS))
    bar = pair(_number(0, CHECKERS), required=True)
    off = pair(_number(0, CHECKERS), required=True)

    @ma.validates_schema(skip_on_field_errors=True)
    def sound(self, data: dict[str, Any], **_: Any) -> None:
        if defects := _position(data).defects():
            raise ma.ValidationError("; ".join(defects) + ".")


def _position(data: dict[str, Any]) -> Position:
    return Position(tuple(data["points"]), tuple(data["bar"]), tuple(data["off"]))


class CommandSchema(Strict):
    """``seq`` is the log sequence the sender was looking at, ``match`` (as the state has it) the match; a command that something later
    overtook is refused as stale, and so is one to a match that is on the table no more."""

    seq = _number(0, MAX_SEQ, required=True)
    match = _number(0, MAX_SEQ, load_default=None, allow_none=True)


class SetNamesSchema(CommandSchema):
    """``event`` null: as it was."""

    names = pair(one_line(LONGEST_NAME), required=True)
    event = one_line(LONGEST_EVENT, load_default=None, allow_none=True)

    @ma.validates_schema(skip_on_field_errors=True)
    def both_named(self, data: dict[str, Any], **_: Any) -> None:
        if not all(clean_name(name) for name in data["names"]):  # whether they are two different ones is for the referee to say
            raise ma.ValidationError("Give both players a name.")


class ClockSchema(Strict):
    """The clock of a match, in seconds: the reserve is ``bank_s_per_point`` for every point of it, less ``minus_per_point_scored`` for
    every point either side has; ``delay_s`` of each turn are free, in the way of ``mode``; ``overtime_s`` is given once.
    ``turn_end``: what ends a turn, null as the rule set has it."""

    mode = fields.Enum(ClockMode, by_value=True, required=True)
    delay_s = _seconds(0, _USUAL.delay_s)
    bank_s_per_point = _seconds(1, _USUAL.bank_s_per_point)
    minus_per_point_scored = _seconds(0, _USUAL.minus_per_point_scored)
    overtime_s = _seconds(0, _USUAL.overtime_s)
    turn_end = fields.Enum(TurnEnd, by_value=True, load_default=None, allow_none=True)


class SetRulesSchema(CommandSchema):
    """``clock`` null: as the rule set has it; ``aids``, ``stake``, ``unit`` null: as they are."""

    rules = one_line(60, required=True)
    aids = fields.Boolean(load_default=None, allow_none=True)
    stake = _number(1, LARGEST_STAKE, load_default=None, allow_none=True)
    unit = one_line(LONGEST_UNIT, load_default=None, allow_none=True)
    choices = fields.Dict(
        keys=one_line(40), values=fields.Raw(), load_default=dict,
        metadata={"description": "What the table agreed on of the questions of the rule set, by `choice`."},
    )
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)


class StartMatchSchema(SetNamesSchema, SetRulesSchema):
    """``clock`` and ``aids`` null: as the rule set has it."""

    length = _number(0, LONGEST_MATCH, load_default=0)
    rules = one_line(60, load_default="bray")
    event = one_line(LONGEST_EVENT, load_default="")
    round = one_line(LONGEST_EVENT, load_default="")
    place = one_line(LONGEST_EVENT, load_default="")
    transcriber = one_line(LONGEST_EVENT, load_default="")
    stake = _number(1, LARGEST_STAKE, load_default=1)
    unit = one_line(LONGEST_UNIT, load_default="")


class OfSeatSchema(CommandSchema):
    seat = _seat(required=True)


class SetupErrorSchema(CommandSchema):
    position = fields.Nested(PositionSchema, load_default=None, allow_none=True)


class LateSchema(OfSeatSchema):
    minutes = fields.Float(required=True, validate=validate.Range(0, MOST_MINUTES))
    note = one_line(LONGEST_NOTE, load_default="")


class RollSchema(CommandSchema):
    dice = pair(_number(1, 6), required=True)
    seat = _seat(load_default=None, allow_none=True)


class PlaySchema(CommandSchema):
    """``hold``: an illegal play is held for correction, as one that was seen, and not refused."""

    play = one_line(60, required=True)
    hold = fields.Boolean(load_default=False)


class MovesSchema(CommandSchema):
    moves = fields.List(pair(_number(0, 25)), required=True, validate=validate.Length(max=4))
    hold = fields.Boolean(load_default=False)


class SeatSchema(CommandSchema):
    seat = _seat(load_default=None, allow_none=True)


class ResignSchema(OfSeatSchema):
    kind = fields.Enum(Kind, by_value=True, load_default=Kind.SINGLE)


class UndoSchema(CommandSchema):
    to_seq = _number(0, MAX_SEQ, load_default=None, allow_none=True)


class SetPositionSchema(CommandSchema):
    position = fields.Nested(PositionSchema, required=True)


class MomentSchema(CommandSchema):
    text = one_line(200, required=True)
    bottom = _seat(load_default=Seat.NEAR)


class SetScoreSchema(CommandSchema):
    score = pair(_number(0, LARGEST_SCORE), required=True)
    crawford = fields.Boolean(load_default=None, allow_none=True)


class SetLengthSchema(CommandSchema):
    length = _number(0, LONGEST_MATCH, required=True)
    crawford = fields.Boolean(load_default=None, allow_none=True)


class SetCubeSchema(CommandSchema):
    value = fields.Integer(strict=True, required=True, validate=validate.OneOf([2**n for n in range(LARGEST_CUBE.bit_length())]))
    owner = _seat(load_default=None, allow_none=True)


class SetTurnSchema(OfSeatSchema):
    dice = pair(_number(1, 6), load_default=None, allow_none=True)


class AnswerSchema(CommandSchema):
    doubt = _number(0, MAX_SEQ, required=True)
    answer = _number(0, 99, required=True, allow_none=True)


class RuleSchema(CommandSchema):
    stands = fields.Boolean(required=True)
    play = one_line(60, load_default="")
    note = one_line(LONGEST_NOTE, load_default="")


class AwardSchema(OfSeatSchema):
    kind = fields.Enum(Kind, by_value=True, load_default=Kind.SINGLE)
    points = _number(1, LARGEST_SCORE, load_default=None, allow_none=True)
    note = one_line(LONGEST_NOTE, load_default="")


class AwardMatchSchema(OfSeatSchema):
    on_time = fields.Boolean(load_default=False)
    note = one_line(LONGEST_NOTE, load_default="")


class PenaliseSchema(OfSeatSchema):
    points = _number(1, 99, required=True)
    note = one_line(LONGEST_NOTE, load_default="")


class SetClockSchema(CommandSchema):
    remaining = pair(fields.Float(validate=validate.Range(0, LONGEST_TIME)), required=True)


COMMANDS: dict[str, tuple[type[CommandSchema], type[said.Command], str]] = {
    "start_match": (StartMatchSchema, said.StartMatch, "Starts a match; one that is being played is kept as it stands."),
    "mix_dice": (OfSeatSchema, said.MixDice, "Before a game a player has the dice mixed, where the rule set knows it."),
    "setup_error": (
        SetupErrorSchema, said.SetupError,
        "The starting position was set up wrongly: put right in time, else it stands as `position`, the board as it is now.",
    ),
    "late": (LateSchema, said.Late, "A player came late: penalty points by the minutes."),
    "start_game": (CommandSchema, said.StartGame, "The board is set up: the game begins with the opening roll."),
    "roll": (RollSchema, said.EnterRoll, "A throw; in the opening [near’s die, far’s die]. Corrects a roll already entered."),
    "refuse_first_throw": (OfSeatSchema, said.RefuseFirstThrow, "The opening throw is refused by doubling, where the rule set knows it."),
    "play": (PlaySchema, said.EnterPlay, "The play of the roll, in notation; empty when nothing can be played."),
    "moves": (MovesSchema, said.EnterMoves, "The play as [from, to] in the mover’s numbers, 25 the bar, 0 off."),
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
    "names": (SetNamesSchema, said.SetNames, "Puts the players’ names and the event’s right."),
    "score": (SetScoreSchema, said.SetScore, "Sets the score."),
    "length": (
        SetLengthSchema, said.SetLength, "Sets the length of a match started to another one (0: money), and both clocks by the difference.",
    ),
    "rules": (SetRulesSchema, said.SetRules, "Sets the rules, as long as nothing of the match would have gone otherwise under them."),
    "cube": (SetCubeSchema, said.SetCube, "Sets the cube."),
    "turn": (SetTurnSchema, said.SetTurn, "Sets who is on roll."),
    "answer": (AnswerSchema, said.AnswerDoubt, "Answers the open question; answer null: none of these."),
    "rule": (RuleSchema, said.Rule, "Rules on the play that is held."),
    "award": (AwardSchema, said.AwardGame, "Gives the game to a seat."),
    "award_match": (AwardMatchSchema, said.AwardMatch, "Gives the match to a seat; `on_time`: because the other’s time ran out."),
    "penalise": (PenaliseSchema, said.Penalise, "Gives penalty points."),
    "press": (OfSeatSchema, said.PressClock, "A seat ends its turn on the clock."),
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
        values["moves"] = tuple((source, target) for source, target in values["moves"])
    if "choices" in values:
        values["choices"] = tuple(values["choices"].items())
    if values.get("clock") is not None:
        values["turn_end"] = values["clock"].pop("turn_end")
        values["clock"] = ClockRules(**values["clock"])
    for key in ("names", "dice", "score", "remaining"):
        if isinstance(values.get(key), list):
            values[key] = tuple(values[key])
    return COMMANDS[name][1](**values)
