"""What the players know of a match whose rule set keeps illegal plays from them: to them each reads like any other play. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeGuard

from referee.match import events as e
from referee.match.state import MatchState, Phase
from referee.match.turn import illegal_stood, once_it_stands
from referee.rules.ruleset import RuleSet


def in_silence(event: e.Event) -> TypeGuard[e.IllegalPlay | e.IllegalPlayStood]:
    """Whether the players are not told that a play is illegal: to them it is a play like any other."""
    return isinstance(event, e.IllegalPlay | e.IllegalPlayStood) and not event.announced


def told_type(event: e.Event, director: bool) -> str:
    """The name of an event as its reader may know it."""
    return e.Played.type if in_silence(event) and not director else event.type


def told_types(events: Iterable[e.Event], before: MatchState, director: bool) -> list[str]:
    """The names of events that follow on ``before``, as their reader may know them: a play that was held in silence then was a play to
    him already, and that it stands is no news."""
    known = before.held_in_silence is not None and not director
    return [told_type(one, director) for one in events if not (known and isinstance(one, e.IllegalPlayStood) and in_silence(one))]


def as_told(state: MatchState, rules: RuleSet) -> MatchState:
    """The match as the players may know it: a play held without their knowledge has been played, and no finished turn is marked."""
    if (play := state.held_in_silence) is not None:
        state = replace(once_it_stands(state, play), before=state.before, gone_on=state.gone_on)
    if state.phase is Phase.HELD and not rules.announces_plays:  # what was held is gone: a position was set, or the log is odd
        state = replace(state, phase=Phase.JUDGING)
    turn = state.last_turn
    if turn is not None and not turn.legal and not rules.announces_plays:
        state = replace(state, last_turn=replace(turn, legal=True))
    return state


def told_log(log: Iterable[e.Logged], state: MatchState) -> tuple[e.Logged, ...]:
    """``log`` as the players may read it; ``state`` is its true fold. A play that was held in silence is left out (the one held now is
    there as played), one that stood in silence is a play, and why a play was ruled on is not said."""
    found = []
    for one in log:
        event = one.event
        if in_silence(event):
            if isinstance(event, e.IllegalPlay):
                if state.held is None or state.held.seq != one.seq:
                    continue
                event = illegal_stood(state, event)
            event = event.as_played
        if isinstance(event, e.Ruled) and event.about == "play" and not state.played_by.announces_plays:
            event = replace(event, note="")
        found.append(one if event is one.event else replace(one, event=event))
    return tuple(found)
