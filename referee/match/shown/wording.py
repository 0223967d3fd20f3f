"""Turns codes into sentences: the only place that does. English here; a page hands in its catalogue as ``translate``.

``names`` are the players' (near, far); empty ones read Near and Far.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from string import Formatter

from referee.board.plays import BAR, OFF
from referee.board.position import CHECKERS, START, Position, Seat
from referee.match import events as e
from referee.match.log import Beside
from referee.match.names import isolated
from referee.match.shown.expect import expected_code
from referee.match.shown.sentences import AUTHORITY, CAME, CLOCKS, EVENTS, EXPECTED, PUT_BACK, SENTENCES
from referee.match.state import BETWEEN_GAMES, MatchState
from referee.observations import CAMERA, SeenPosition
from referee.rules import plays
from referee.rules.correction import misplaced
from referee.rules.cube import dead_cube
from referee.rules.plain import sentence_of
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet

Names = tuple[str, str]
Translate = Callable[[str], str]

NOBODY: Names = ("", "")
NEARLY = 6  # checkers still in the wrong place on a board that is meant to be set up
_POINTS = frozenset({"point", "source", "target"})
_SEATS = frozenset({"seat", "owner", "other"})


def sentence(reason: Reason, names: Names = NOBODY, translate: Translate = str) -> str:
    """The sentence of a reason: a ruling, a doubt, an answer, a refusal. An unknown code reads as its own words."""
    one = 1 in (reason.get("again"), reason.get("pips"), reason.get("played"), reason.get("points"))
    kind = "_one" if one else "_of" if reason.get("seat") else ""
    template = SENTENCES.get(f"{reason.code}{kind}") or SENTENCES.get(reason.code)
    if template is None:
        words = reason.code.replace("_", " ").strip() or "unknown"
        return f"{words[0].upper()}{words[1:]}."
    values: dict[str, str] = {}
    for key, value in reason.values:
        if key == "bar" and "{point}" in template:
            values.setdefault("point", translate("the bar"))
            continue
        word = _word(key, value, names, translate)
        values[key] = f"{values[key]}, {word}" if key in values else word
    return _fill(translate(template), values)


def name_of(seat: Seat | None, names: Names, translate: Translate) -> str:
    """The player's name, or where he sits; nobody is "Nobody"."""
    if seat is None:
        return translate("Nobody")
    return isolated(names[seat.index]) or translate("Near" if seat is Seat.NEAR else "Far")


def event_sentence(
    event: e.Event, names: Names = NOBODY, translate: Translate = str, *, score: str = "", raccoon: bool = False
) -> str:
    """One line for a list of what happened; empty for what is not worth one. ``score``: what a match was won with, where it was won by
    points. ``raccoon``: it was the doubler who turned the cube again."""
    match event:
        case e.Doubt() | e.Ruled() | e.Paused() | e.DeviceLost():
            return sentence(event.reason, names, translate)
        case e.ClockStarted() | e.ClockStopped() | e.BoardAgreed() | e.DiceLifted():
            return ""
    key = "raccooned" if raccoon else _event_key(event, score)
    if key not in EVENTS:
        return ""
    values = {field.name: _field(field.name, getattr(event, field.name), names, translate) for field in fields(event)}
    match event:
        case e.NamesSet():
            values |= _both(event.names, translate)
        case e.MatchStarted():
            values |= _both(event.names if names == NOBODY else names, translate)  # they may have been put right since
            length = translate(
                "to {n} points" if event.length > 1 else "to 1 point" if event.length else "a money game"
            )
            values["length"] = length.replace("{n}", str(event.length))
            if not event.length and (event.stake != 1 or event.unit):
                values["length"] += f", {_stake(event, translate)}"
        case e.OpeningTied():
            values["die"] = str(event.dice[0])
        case e.IllegalPlay() | e.RollVoid():
            values["why"] = sentence(event.reason, names, translate)
            if event.seat is None:
                return values["why"]
        case e.GameWon():
            values["points"] = translate("1 point" if event.points == 1 else "{n} points").replace("{n}", str(event.points))
        case e.RulesSet() if key == "rules_set_choices":
            chosen = [_choice(one.name, event, translate) for one in fields(RuleSet) if one.name in event.changed]
            values["choices"] = "; ".join([*chosen, *([_stake(event, translate)] if "stake" in event.changed else [])])
        case e.LengthSet():
            values["points"] = translate("1 point" if event.length == 1 else "{n} points").replace("{n}", str(event.length))
        case e.MatchWon():
            values["score"] = score
        case e.ClockSet():
            for seat, seconds in zip(Seat, event.remaining, strict=True):
                values |= {seat.value: name_of(seat, names, translate), f"{seat.value}_time": _time(seconds)}
        case e.CubeSet() if event.owner is not None:
            values["seat"] = name_of(event.owner, names, translate)
    return _fill(translate(EVENTS[key]), values)


def log_line(one: e.Logged, state: MatchState, translate: Translate = str, *, beside: Beside | None = None) -> str:
    """`event_sentence` as a log has it: a ruling and what was set by hand with who did it and why, a match won with its score, a roll
    with the one it put right, as the log says ``beside`` it. ``state``: the match after ``one``, or later."""
    event, beside = one.event, beside or Beside()
    score = _final_score(event, state) if isinstance(event, e.MatchWon) else ""
    text = event_sentence(event, state.names, translate, score=score, raccoon=one.seq in beside.raccoons)
    if not text:
        return ""
    if isinstance(event, _BY_HAND):
        note = event.note if isinstance(event, e.Ruled) else ""
        ways = [*(["by_director"] if one.role is e.Role.DIRECTOR else []), *(["because"] if note else [])]
        if ways:
            text = _fill(translate(AUTHORITY["_".join(ways)]), {"text": text.rstrip("."), "note": note})
    replaced = beside.replaced.get(one.seq)
    dice = getattr(replaced.event, "dice", None) if replaced is not None else None
    if dice is not None:
        text = f"{text}. {sentence(because('replaces', high=max(dice), low=min(dice)), state.names, translate)}"
    return text


_BY_HAND = (e.Ruled, e.NamesSet, e.PositionSet, e.ScoreSet, e.LengthSet, e.RulesSet, e.CubeSet, e.TurnSet, e.ClockSet, e.SetupStands)


def _final_score(event: e.MatchWon, state: MatchState) -> str:
    """The winner's points and the other's, where the match was won by them: not when it was awarded to who was short of them or behind."""
    own, other = event.points, state.score[event.seat.other.index]
    won = own == state.score[event.seat.index] and own > other and own >= state.length
    return f"{state.score_shown[event.seat.index]}-{other}" if won else ""


def remark(before: MatchState, event: e.Event, translate: Translate) -> str:
    """What is worth saying of a legal act on the page of a kept match, never at the table: a cube turned that was dead."""
    if not isinstance(event, e.Doubled) or not dead_cube(before.cube_facts, before.score, event.seat):
        return ""
    return sentence(because("dead_cube", seat=event.seat.value), before.names, translate)


def expected(state: MatchState, translate: Translate = str) -> str:
    """What is expected now, in words."""
    code, seat = expected_code(state)
    values = {"seat": name_of(seat, state.names, translate), "other": name_of(seat.other if seat else None, state.names, translate)}
    if state.dice is not None:
        values["dice"] = _dice(state.dice)
    return _fill(translate(EXPECTED[code]), values)


def put_back(state: MatchState, seen: Position | SeenPosition | None, translate: Translate = str) -> tuple[str, ...]:
    """Which checkers to move by hand so that the board agrees with the log; empty when it does or was not read."""
    if seen is None:
        return ()
    if isinstance(seen, SeenPosition):
        off = tuple(CHECKERS - seen.on_board(seat) for seat in Seat)
        seen = Position(seen.points, seen.bar, (off[0], off[1]))
    return moves_back(plays.put_back(seen, state.position), state.names, translate)


def set_up(state: MatchState, seen: Position | SeenPosition | None, translate: Translate = str) -> tuple[str, ...]:
    """Between games: which checkers of a nearly set-up board stand wrongly, as what to move; empty when it is right, was not
    read, or is not being set up yet."""
    if seen is None or state.play_phase not in BETWEEN_GAMES:
        return ()
    board = Position(seen.points, seen.bar, (0, 0))
    wrong = sum(max(0, one.stand - one.should) for one in misplaced(board) if one.point)
    moves = put_back(replace(state, position=START), seen, translate)
    return moves if wrong <= NEARLY and len(moves) <= NEARLY else ()


def moves_back(moves: Iterable[plays.PutBack], names: Names, translate: Translate) -> tuple[str, ...]:
    """Checkers to move by hand, as sentences; equal ones together."""
    lines = []
    for move, count in Counter(moves).items():
        template = translate(PUT_BACK["move_one" if count == 1 else "move"])
        values = {"count": str(count), "seat": name_of(move.seat, names, translate)}
        lines.append(_fill(template, values | {"source": point_name(move.source, translate), "target": point_name(move.target, translate)}))
    return tuple(lines)


def point_name(point: int, translate: Translate) -> str:
    """A point in the player's own numbers, in words."""
    if point == BAR:
        return translate("the bar")
    return translate("the tray") if point == OFF else translate("the {n}-point").replace("{n}", str(point))


def _event_key(event: e.Event, score: str) -> str:
    """The name of the event's sentence: its type, with what makes it read differently."""
    key = event.type
    match event:
        case e.GameStarted() if event.crawford:
            key += "_crawford"
        case e.Rolled() if event.premature:
            key += "_premature"
        case e.EarlyRoll() if not event.premature:
            key += "_felt"
        case e.Played() if not event.play:
            key = "danced"
        case e.PlayCorrected() if not event.play:
            key += "_nothing"
        case e.IllegalPlayStood() if event.play:
            key += "_play"
        case e.Resigned() | e.GameWon():
            key += f"_{event.kind.value}"
        case e.CubeSet() if event.owner is None:
            key += "_middle"
        case e.TurnSet() if event.dice:
            key += "_dice"
        case e.MatchWon() if score:
            key += "_score"
        case e.NamesSet() if event.event:
            key += "_event"
        case e.LengthSet() if not event.length:
            key += "_money"
        case e.RulesSet() if "name" not in event.changed and not event.rule_set.defects():
            key += "_choices"
    return key


def _stake(event: e.MatchStarted | e.RulesSet, translate: Translate) -> str:
    return f"{event.stake} {event.unit}".rstrip() + f" {translate('a point')}"


def _choice(name: str, event: e.RulesSet, translate: Translate) -> str:
    """What a choice of the rules says that was put right, as a part of a sentence."""
    if name != "clock":
        return translate(sentence_of(name, event.aids if name == "aids" else getattr(event.rule_set, name))).rstrip(".")
    clock = event.rule_set.clock
    return _fill(translate(CLOCKS[clock.mode]), {"minutes": f"{clock.bank_s_per_point / 60:g}", "free": f"{clock.delay_s:g}"})


def _field(name: str, value: object, names: Names, translate: Translate) -> str:
    match name, value:
        case "device", str():
            return translate("camera" if value == CAMERA else "dice tower")
        case "dice", tuple():
            return _dice(value)
        case "score", (near, far):
            return ", ".join(f"{name_of(seat, names, translate)} {points}" for seat, points in zip(Seat, (near, far), strict=True))
        case _, Seat():
            return name_of(value, names, translate)
        case _, int() | str():
            return str(value)
    return ""


def _both(names: Names, translate: Translate) -> dict[str, str]:
    return {seat.value: name_of(seat, names, translate) for seat in Seat}


def _time(seconds: float) -> str:
    """As a clock's face shows it: a second that has begun to run is still there."""
    minutes, rest = divmod(math.ceil(seconds - 0.001), 60)
    return f"{minutes}:{rest:02}"


def _dice(dice: tuple[int | None, ...]) -> str:
    return "-".join("?" if die is None else str(die) for die in sorted(dice, key=lambda die: -(die or 0)))


def _word(key: str, value: int | str, names: Names, translate: Translate) -> str:
    if key in _SEATS and isinstance(value, str):
        if value in ("near", "far"):
            return name_of(Seat(value), names, translate)
        return value or translate("the middle")
    if key in _POINTS and isinstance(value, int):
        return point_name(value, translate)
    if key == "by" and isinstance(value, str):
        return translate(CAME.get(value, CAME["other"]))
    if key == "play" and not value:
        return translate("no move")
    return str(value)


def _fill(template: str, values: dict[str, str]) -> str:
    """Puts the values in; one that is missing reads "?", so that a sentence never fails. Full stops are not doubled."""
    wanted = {field: values.get(field, "?") for _, field, _, _ in Formatter().parse(template) if field}
    text = re.sub(r"\.\.$", ".", template.format_map(wanted))
    return text[:1].upper() + text[1:]
