"""Whether a match would have gone otherwise to another length or under other rules: only where it would not are they put right. Pure.

So the log stays as it is, and the match, its record and who replays it go by one length and one rule set from beginning to end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.match import events as e
from referee.match.commands import Refused
from referee.match.folding import apply
from referee.match.follow import consequences
from referee.match.log import effective
from referee.match.mover import mover
from referee.match.said.cube import no_beaver, no_double, offered
from referee.match.state import IN_GAME, MatchState
from referee.rules.dice import may_refuse_first_throw
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game

Terms = tuple[RuleSet, int]
"""The rules of a match, and its length (0: a money game)."""


def otherwise(decided: Iterable[e.Event], log: Iterable[e.Logged], now: MatchState) -> Refused | None:
    """Why the match of ``log``, which has led to ``now``, cannot go on under the rules, or as the match or money game, that are
    ``decided``: what of it would have gone otherwise first. None where all of it would have gone as it went."""
    as_it_is = terms = (now.played_by, now.length)
    for event in decided:
        if isinstance(event, e.RulesSet):
            terms = (event.rule_set, terms[1])
        elif isinstance(event, e.LengthSet) and bool(event.length) != bool(now.length):
            terms = (terms[0], event.length)
    return _first_difference(log, now, as_it_is, terms) if terms != as_it_is else None


def _first_difference(log: Iterable[e.Logged], now: MatchState, as_it_is: Terms, terms: Terms) -> Refused | None:
    playing = now.game if now.play_phase in IN_GAME else 0
    replay = not as_it_is[0].same_plays(terms[0])  # which takes a while in a long match
    after = MatchState()
    for one in effective(log):
        before, after = after, apply(after, one)
        if not before.seq:
            continue
        was, would_be = ((_under(before, which), _under(after, which)) for which in (as_it_is, terms))
        # Whether the game that is being played is the Crawford game is said anew.
        anew = isinstance(one.event, e.GameStarted | e.ScoreSet) and after.game == playing
        asked = not anew and (replay or one.event.type not in _OF_PLAY)
        if asked and _allowed(one.event, was[0]) != _allowed(one.event, would_be[0]):
            return _would(_OF_PLAY.get(one.event.type, _OF_CUBE.get(one.event.type, "score_otherwise")), after)
        if _followed(one.event, *was) != _followed(one.event, *would_be):
            return _would(_OF_CUBE.get(one.event.type, "score_otherwise"), after)
    return None


def _under(state: MatchState, terms: Terms) -> MatchState:
    """``state`` as it counts by other ``terms`` than it was logged under: those of a match that was put right before."""
    rules, length = terms
    return replace(
        state, rule_set=rules, length=state.length if state.length and length else length,
        crawford_played=state.crawford_played and state.played_by.crawford,  # rules without the Crawford game have seen none
    )


_OF_PLAY = {kind.type: "play_otherwise" for kind in (e.Played, e.PlayCorrected, e.IllegalPlay, e.IllegalPlayStood)}
_OF_CUBE = {
    kind.type: "cube_otherwise"
    for kind in (e.OpeningTied, e.FirstThrowRefused, e.Doubled, e.Beavered, e.ScoreSet, e.LengthSet, e.RulesSet)
}


def _would(otherwise: str, state: MatchState) -> Refused:
    return Refused(because(otherwise, game=state.game), (because("instead"),))


def _followed(event: e.Event, before: MatchState, after: MatchState) -> tuple[e.Event, ...]:
    return consequences(before, event, after, after.played_by)


def _allowed(event: e.Event, state: MatchState) -> object:
    """What the rules of the match said of ``event`` when it came."""
    rules = state.played_by
    match event:
        case e.GameStarted() | e.ScoreSet() if state.play_phase in IN_GAME or isinstance(event, e.GameStarted):
            return crawford_game(state.length, event.score, state.crawford_before, rules)
        case e.FirstThrowRefused():
            return may_refuse_first_throw(rules, not state.length, not state.opening_turn, state.refused, event.seat) is None
        case e.Doubled():
            return no_double(state, rules) is None
        case e.Beavered():
            return no_beaver(state, rules) is None
        case e.Resigned():
            return offered(state, event.seat, event.kind, rules)
        case e.Played() | e.PlayCorrected() | e.IllegalPlay() | e.IllegalPlayStood():
            late = state.late_turn(event.seat)
            before = late.before if late is not None else state.position
            return not before.defects() and event.position in mover(state, event.seat, rules, before).outcomes(event.dice)
    return None
