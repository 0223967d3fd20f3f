"""The snapshot the pages are drawn from: the match's table view with its codes put into words, the log's last lines, and
what the camera is doing. The director sees all; players and viewers what the rule set lets them know."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from referee.board.position import Position
from referee.match.events import EarlyRoll, Fact, Logged, Reopened, Rolled, Undone
from referee.match.log import Beside, effective
from referee.match.mover import plays_now
from referee.match.shown import wording
from referee.match.shown.views import clock_view, expected_view, logged_view, table_view
from referee.match.state import MatchState, Phase
from referee.match.told import as_told, in_silence, told_log
from referee.observations import SeenPosition
from referee.rules.agreement import clock_of, questions
from web.access import Rank
from web.desk import Desk
from web.language import ENGLISH, Words

LINES = 80
WATCHED = ("looking", "watching")
_SPOKEN = frozenset({"roll_void", "flagged"})
"""Rulings on dice and time, which some rule sets have logged and not announced."""
_BAD = frozenset({"illegal_play", "illegal_play_stood", "device_lost", "flagged"})
_WARN = frozenset({"roll_void", "doubt", "paused", "undone", "opening_tied"})


def state_snapshot(
    desk: Desk, camera: dict[str, Any], audience: Rank, *, pictures: bool, words: Words = ENGLISH, ago: float = 0.0
) -> dict[str, Any]:
    """Everything the table page shows to ``audience``. Pairs are [near, far]; ``text`` is made from codes, in the language of
    ``words``, and never stored. ``pictures``: the audience may see the camera's; ``ago``: of the match as it was so many seconds ago."""
    director = audience is Rank.DIRECTOR
    state, log = desk.moment_ago(ago) if ago else desk.moment
    rules = state.rule_set or desk.service.rules
    reconcile = state.reconcile
    if not director:
        state, log = as_told(state, rules), told_log(log, state)
    seen: Position | SeenPosition | None = desk.seen if camera["status"] in WATCHED else None
    if camera["status"] not in WATCHED and state.reconcile:
        # No camera will see the board agree again: the match goes on at once, and what lay on the board is known from the log.
        state = replace(state, reconcile=False)
        seen = _before_undo(state, log)
    view = table_view(state, rules, director=director, translate=words)
    if camera["status"] not in WATCHED and state.phase is Phase.JUDGING:
        # No camera waits for the hand to leave, as after a press of the clock: the play is to be entered.
        view["expected"] = expected_view(replace(state, phase=Phase.ROLLED), words)
    view["audience"] = audience.name.lower()
    view["started"] = bool(state.seq)
    view["match"] = desk.match
    view["choices"] = {one.choice: one.value for one in questions(state.played_by)}
    view["clock_rules"] = clock_of(state.played_by)
    view["home"] = desk.home.value
    view["trouble"] = words.said(desk.service.trouble)
    view["playable"] = max((len(play.moves) for play in plays_now(state, rules)), default=0)  # numbers of the roll
    if view["held"] is not None:
        view["held"]["silent"] = state.held_in_silence is not None
    view["log"] = log_lines(log, state, words)
    view["camera"] = camera
    if view["doubt"] is not None:
        asked = next((one for one in reversed(log) if one.seq == view["doubt"]["seq"]), None)
        view["doubt"]["dice"] = desk.asked_about[1] if pictures and desk.asked_about[0] == view["doubt"]["seq"] else ()
        view["doubt"]["picture"] = pictures and asked is not None and asked.evidence is not None
    now = time.monotonic() - ago
    clock = clock_view(state, now, desk.service.stands_since)
    view["clock"] = None if clock is None else clock | {"at": now}
    view["put_back"] = list(wording.put_back(state, seen, words) if reconcile else wording.set_up(state, seen, words))
    return view


def _before_undo(state: MatchState, log: tuple[Logged, ...]) -> Position | None:
    """What lay on the board when the last play was taken back, or several one after the other: nobody says in between that the first is
    back. None where something else was put right since. A clock that stands again or a pause that goes on has moved no checker.
    ``state``: of the match of the whole ``log``."""
    first = None
    for place in reversed(range(len(log))):
        event = log[place].event
        if isinstance(event, Undone):
            first = place
        elif isinstance(event, Reopened) or Fact.PLAY in event.changes:
            break
    if first is None:
        return None
    before = state.as_of(log[first].seq - 1)
    return before.position if before.held is None else before.held.play.position


def log_lines(log: tuple[Logged, ...], state: MatchState, translate: wording.Translate = str) -> list[dict[str, Any]]:
    """The last lines of the log in words, oldest first."""
    lines: list[dict[str, Any]] = []
    beside = Beside.of(log)
    for one in reversed(effective(log)):
        text = wording.log_line(one, state, translate, beside=beside)
        if not text:
            continue
        line = logged_view(one)
        kind = line["type"]
        early = isinstance(one.event, Rolled | EarlyRoll) and one.event.premature
        lines.append(line | {
            "text": text,
            "silent": in_silence(one.event),
            "aloud": state.played_by.announces_dice or not (early or kind in _SPOKEN),
            "level": "bad" if kind in _BAD else "warn" if early or kind in _WARN else "info",
        })
        if len(lines) == LINES:
            break
    return lines[::-1]
