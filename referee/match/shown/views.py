"""Plain snapshots of the match for each audience: dicts of primitives, ready for a page or a line of JSON. Pure.

Codes stay codes; ``text`` beside one is its English sentence. State and events come in as their reader may know them
(`referee.match.told`); what the players may not see by the match's ``aids``, or is not announced, is left out here, not by the page.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any

from referee.board.notation import format_play
from referee.board.position import Position, Seat
from referee.match import events as e
from referee.match.mover import mover, plays_now
from referee.match.said.cube import resignations
from referee.match.shown.expect import expected_code, possible, refusers
from referee.match.shown.wording import Names, Translate, expected, moves_back, sentence
from referee.match.state import Cube, MatchState, Ruling, Turn
from referee.observations import SeenPosition
from referee.rules.correction import who_corrects
from referee.rules.reason import Reason, Value
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import balance

Snapshot = dict[str, Any]


def position_view(position: Position | SeenPosition) -> Snapshot:
    """``{"points": [24], "bar": [near, far], "off": [near, far]}``; what is not seen is null."""
    return {"points": list(position.points), "bar": list(position.bar), "off": list(position.off)}


def reason_view(reason: Reason, names: Names, translate: Translate = str) -> Snapshot:
    """``{"code", "values", "rule", "text"}``; a value that is named more than once is a list."""
    named: dict[str, list[Value]] = {}
    for key, value in reason.values:
        named.setdefault(key, []).append(value)
    values = {key: found if len(found) > 1 else found[0] for key, found in named.items()}
    return {"code": reason.code, "values": values, "rule": reason.rule, "text": sentence(reason, names, translate)}


def event_line(logged: e.Logged, names: Names = ("", "")) -> Snapshot:
    """One line of ``watch --json``: seq, type, what the type carries, at, source, frame. A roll's dice are as thrown; the opening's
    are (near's, far's)."""
    event = logged.event
    line: Snapshot = {"seq": logged.seq, "type": event.type}
    for name in (field.name for field in fields(event) if field.name != "rule_set"):
        value = getattr(event, name)
        if isinstance(value, Reason):
            told = reason_view(value, names)
            if isinstance(event, e.RollVoid):
                line |= {"reason": told["code"], "rule": told["rule"], "text": told["text"]}
            else:
                line |= told
        elif isinstance(event, e.Doubt) and name == "answers":
            line["answers"] = [reason_view(answer.says, names) for answer in event.answers]
        else:
            line[name] = _plain(value)
    line |= {"at": round(logged.at, 3), "source": logged.source}
    if logged.frame:
        line["frame"] = logged.frame
    if logged.role is not e.Role.MACHINE:
        line["role"] = logged.role.value
    return line


def logged_view(logged: e.Logged) -> Snapshot:
    """What was logged, when, by what and on which rule."""
    event = logged.event
    reason = getattr(event, "reason", None)
    return {
        "seq": logged.seq, "type": event.type, "seat": _plain(getattr(event, "seat", None)),
        "rule": reason.rule if reason is not None else "", "at": logged.captured, "source": logged.source,
    }


def table_view(state: MatchState, rules: RuleSet, *, director: bool = False, translate: Translate = str) -> Snapshot:
    """For the people at the table, or the ``director``: everything they may see; its sentences by ``translate``."""
    names = state.names
    shown: Snapshot = scoreboard_view(state) | {
        "expected": expected_view(state, translate),
        "can": list(possible(state, rules)),
        "decider": _plain(state.decider),
        "may_double": [state.may_double(Seat.NEAR), state.may_double(Seat.FAR)],
        "aids": state.aids,
        "last_turn": _turn(state.last_turn),
        "rulings": [_ruling(ruling, names, translate) for ruling in state.rulings if ruling.announced or director],
        "doubt": _doubt(state, translate),
        "held": _held(state, rules, translate),
        "resignation": _resignation(state),
        "resignable": [kind.value for kind in resignations(state, rules)],
        "refusers": [seat.value for seat in refusers(state, rules)],
        "lost": list(state.lost),
        "reconcile": state.reconcile,
    }
    if state.aids or director:
        shown["pips"] = [state.position.pips(Seat.NEAR), state.position.pips(Seat.FAR)]
        shown["plays"] = [format_play(play) for play in plays_now(state, rules)]
    return shown


def expected_view(state: MatchState, translate: Translate) -> Snapshot:
    """What must happen next, and by whom."""
    code, seat = expected_code(state)
    return {"code": code, "seat": _plain(seat), "text": expected(state, translate)}


def scoreboard_view(state: MatchState) -> Snapshot:
    """For a big screen: no rulings, no aids."""
    return {
        "seq": state.seq,
        "phase": state.phase.value,
        "names": list(state.names),
        "length": state.length,
        "rules": state.rules,
        "event": state.event,
        "round": state.round,
        "game": state.game,
        "score": list(state.score),
        "money": _money(state) if state.seq and not state.length else None,
        "crawford": state.crawford_now,
        "post_crawford": state.played_by.crawford and state.crawford_played and not state.crawford_now,
        "cube": cube_view(state.cube),
        "on_roll": _plain(state.on_roll),
        "dice": dice_view(state),
        "position": position_view(state.position),
        "early": None if state.early is None else {"seat": state.early.seat.value, "dice": list(state.early.dice)},
        "winner": _plain(state.winner),
    }


def dice_view(state: MatchState) -> Snapshot | None:
    """The roll being played and whose turn it is; None between turns. ``opening``: each player threw one of them."""
    if state.dice is None or state.on_roll is None:
        return None
    return {"seat": state.on_roll.value, "values": list(state.dice), "opening": state.opening_turn}


def clock_view(state: MatchState, now: float, stands_since: float | None = None) -> Snapshot | None:
    """What the clock shows at ``now`` (the table's monotonic clock, seconds); None where no clock is used. A page counts on
    by itself from there: ``free_left`` first, then the running seat's ``remaining``, then ``overtime_s`` once, where ``overtime`` says
    that it has not begun. ``stands_since``: both stand from then on, though that could not be logged yet."""
    if state.clock is None:
        return None
    shown = (state.clock if stands_since is None else state.clock.stop(stands_since)).reading(now)
    return {
        "remaining": [round(seconds, 2) for seconds in shown.remaining], "free_left": round(shown.free_left, 2),
        "running": _plain(shown.running), "overtime": list(shown.overtime),
        "overtime_s": state.clock.rules.overtime_s, "flagged": _plain(state.flagged or shown.flagged),
        "held": state.clock_held, "mode": state.clock.rules.mode.value,
    }


def _money(state: MatchState) -> Snapshot:
    """Money play as its players settle it: each one's plus or minus in points, and in ``unit`` at the ``stake`` of a point."""
    points = balance(state.score)
    return {"stake": state.stake, "unit": state.unit, "points": list(points), "amounts": [n * state.stake for n in points]}


def cube_view(cube: Cube) -> Snapshot:
    """``{"value", "owner", "offered_by"}``; an owner of None is the middle."""
    return {"value": cube.value, "owner": _plain(cube.owner), "offered_by": _plain(cube.offered_by)}


def _turn(turn: Turn | None) -> Snapshot | None:
    if turn is None:
        return None
    return {
        "seq": turn.seq, "seat": turn.seat.value, "dice": _plain(turn.dice), "play": turn.play, "legal": turn.legal,
        "before": position_view(turn.before), "after": position_view(turn.after),
    }


def _ruling(ruling: Ruling, names: Names, translate: Translate) -> Snapshot:
    return {"seq": ruling.seq, "type": ruling.type, "seat": _plain(ruling.seat), "role": ruling.role.value,
            "announced": ruling.announced, **reason_view(ruling.reason, names, translate)}


def _doubt(state: MatchState, translate: Translate) -> Snapshot | None:
    if state.doubt is None:
        return None
    doubt = state.doubt.doubt
    answers = [reason_view(answer.says, state.names, translate) for answer in doubt.answers]
    told = {"seq": state.doubt.seq, "about": doubt.about, "frame": state.doubt.frame, "answers": answers}
    return told | reason_view(doubt.reason, state.names, translate)


def _held(state: MatchState, rules: RuleSet, translate: Translate) -> Snapshot | None:
    if state.held is None:
        return None
    play = state.held.play
    back = mover(state, play.seat, rules).fault(play.dice, play.position).put_back if _judgeable(state, play) else ()
    return {
        "seq": state.held.seq, "who": who_corrects(rules).value,
        "seat": play.seat.value, "dice": list(play.dice), "seen": position_view(play.position),
        "moves": [{"seat": one.seat.value, "source": one.source, "target": one.target} for one in back],
        "put_back": list(moves_back(back, state.names, translate)), **reason_view(play.reason, state.names, translate),
    }


def _judgeable(state: MatchState, play: e.IllegalPlay) -> bool:
    return not state.position.defects() and not play.position.defects() and all(1 <= die <= 6 for die in play.dice)


def _resignation(state: MatchState) -> Snapshot | None:
    offer = state.resignation
    return None if offer is None else {"seat": offer.seat.value, "points": offer.points, "kind": offer.kind.value}


def _plain(value: Any) -> Any:
    if isinstance(value, Position):
        return position_view(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
