"""Kept matches as the pages show them: the list, every step of one, its dice counted. Pure."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate, pairwise
from typing import Any

from referee.board.position import Seat
from referee.match.events import Logged, OpeningRolled, Rolled
from referee.match.folding import apply
from referee.match.log import Beside, effective, replaced_rolls
from referee.match.names import LONGEST_EVENT, clean_name
from referee.match.said.moment import ids_of
from referee.match.shown import wording
from referee.match.shown.views import cube_view, dice_view, logged_view, position_view
from referee.match.state import MatchState, Phase
from referee.records.store import MatchInfo

EXPECTED_LEAST = 5.0
"""Below this many expected throws of each number the chi-square distribution is no fair approximation."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter: parts of a player's name and of the event's, first and last day (ISO), empty for any."""

    player: str = ""
    event: str = ""
    since: str = ""
    until: str = ""

    def fits(self, info: MatchInfo) -> bool:
        """Whether a match is wanted; its day is that on which it was begun."""
        day = day_of(info)
        return (
            any(_sought(self.player) in _sought(name) for name in info.state.names)
            and _sought(self.event) in _sought(info.state.event)
            and (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
        )


def _sought(text: str) -> str:
    """``text`` as it is looked for: a phone's keyboard writes an empty place behind each word, and capital letters as it likes."""
    return clean_name(text, LONGEST_EVENT).casefold()


def begun_at(info: MatchInfo) -> datetime:
    """When a match was begun, by the clock on the wall where the program runs."""
    return datetime.fromisoformat(info.created).astimezone()


def day_of(info: MatchInfo) -> str:
    """The day (ISO) on which it was."""
    return begun_at(info).date().isoformat()


def line(info: MatchInfo, said: Callable[[str], str] = str) -> dict[str, Any]:
    """One match in the list; ``open``: it is not over and can be continued. ``problem`` says why its log cannot be used
    beyond what is shown, in the language of ``said``, empty when it can."""
    state = info.state
    return {
        "id": info.id, "created": info.created, "day": day_of(info), "names": list(state.names), "length": state.length,
        "score": list(state.score),
        "games": state.game, "event": state.event, "round": state.round, "rules": state.rules,
        "winner": state.winner.value if state.winner is not None and state.phase is Phase.MATCH_OVER else None,
        "open": state.on and not info.problem,
        "problem": said(info.problem),
    }


def steps(log: Sequence[Logged], *, pictures: bool, translate: wording.Translate = str) -> list[dict[str, Any]]:
    """Every event that still counts of a ``log`` as its reader may know it (`referee.match.told`), with the match as it stood after it;
    the evidence only with ``pictures``."""
    counting = effective(log)
    states = list(accumulate(counting, apply, initial=MatchState()))
    end = states[-1]
    if any(state.names != end.names for state in states):  # a name put right later is right on every step
        states = [replace(state, names=end.names) for state in states]
    counted = end.aids or end.phase is Phase.MATCH_OVER  # pip counts reach nobody at the table who plays without aids
    beside = Beside.of(log)
    wrong = {one.seq for one in beside.replaced.values()}
    found = []
    for one, (before, state) in zip(counting, pairwise(states), strict=True):
        text = wording.log_line(one, state, translate, beside=beside)
        if not text:
            continue
        if remark := wording.remark(before, one.event, translate):
            text = f"{text}. {remark}"
        shown, ids = state.position if state.held is None else state.held.play.position, ids_of(state)
        found.append(logged_view(one) | {
            "text": text, "role": one.role.value, "replaced": one.seq in wrong,
            "frame": one.frame, "picture": one.seq if pictures and one.evidence is not None else None,
            "game": state.game, "score": list(state.score), "position": position_view(shown),
            "on_roll": state.on_roll.value if state.on_roll else None, "ids": {"gnubgid": ids.gnubgid, "xgid": ids.xgid},
            "dice": dice_view(state),
            "cube": cube_view(state.cube),
            "crawford": state.crawford,
            "pips": [shown.pips(seat) for seat in Seat] if counted else None,
        })
    return found


def dice_statistics(log: Sequence[Logged]) -> dict[str, Any]:
    """How often each player threw each number, and both together, whose dice may be the same ones, with the chi-square test of even dice
    (5 degrees of freedom). A roll that was put right before it was played was mistyped or misread, and does not count."""
    wrong = {one.seq for one in replaced_rolls(log).values()}
    thrown: dict[Seat, Counter[int]] = {seat: Counter() for seat in Seat}
    doubles: dict[Seat, int] = dict.fromkeys(Seat, 0)
    rolls: dict[Seat, int] = dict.fromkeys(Seat, 0)
    for one in effective(log):
        event = one.event
        if one.seq in wrong:
            continue
        if isinstance(event, OpeningRolled):
            thrown[Seat.NEAR][event.dice[0]] += 1
            thrown[Seat.FAR][event.dice[1]] += 1
        elif isinstance(event, Rolled):
            thrown[event.seat].update(event.dice)
            rolls[event.seat] += 1
            doubles[event.seat] += event.dice[0] == event.dice[1]
    found = {seat.value: {"rolls": rolls[seat], "doubles": doubles[seat], **_even(thrown[seat])} for seat in Seat}
    both = sum(thrown.values(), Counter[int]())
    return found | {"both": {"rolls": sum(rolls.values()), "doubles": sum(doubles.values()), **_even(both)}}


def _even(counts: Counter[int]) -> dict[str, Any]:
    total = sum(counts.values())
    each = total / 6
    square = sum((counts[n] - each) ** 2 / each for n in range(1, 7)) if total else 0.0
    p = chi_square_tail(square)
    return {"counts": [counts[n] for n in range(1, 7)], "chi_square": round(square, 2), "p": round(p, 3), "text": _meaning(total, each, p)}


def chi_square_tail(square: float) -> float:
    """P(chi-square with 5 degrees of freedom >= ``square``): the upper incomplete gamma function Q(5/2, square/2)."""
    y = square / 2
    root = math.sqrt(y)
    return math.erfc(root) + math.exp(-y) * (2 * root + 4 * y * root / 3) / math.sqrt(math.pi)


def _meaning(total: int, each: float, p: float) -> str:
    if each < EXPECTED_LEAST:
        return f"Too few numbers to say anything about the dice: {total}."
    if p >= 0.05:
        return f"Even dice would differ from even counts this much or more in {p:.0%} of matches; nothing here speaks against them."
    if p < 0.001:
        return "Even dice would differ this much in fewer than one match in a thousand; it is a reason to count on, not a proof."
    return (
        f"Even dice would differ this much in only {p:.1%} of matches. One match in twenty looks like this by chance; "
        "it is a reason to count on, not a proof."
    )


def results_csv(found: Iterable[MatchInfo], between: str) -> str:
    """The results of finished and running matches as CSV, one a row; what stands ``between`` its cells."""
    out = io.StringIO()
    write = csv.writer(out, delimiter=between)
    write.writerow(["id", "date", "event", "round", "near", "far", "near_score", "far_score", "length", "winner"])
    for info in found:
        state = info.state
        winner = line(info)["winner"]
        write.writerow([
            info.id, day_of(info), *map(_cell, (state.event, state.round, *state.names)), *state.score_shown, state.length,
            _cell(state.names[0 if winner == "near" else 1]) if winner else "",
        ])
    return out.getvalue()


def _cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
