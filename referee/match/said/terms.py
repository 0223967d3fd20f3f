"""The length and the rules of a match, put right once it has begun: `referee.match.otherwise` says whether they still can be. Pure."""

from __future__ import annotations

from dataclasses import fields

from referee.match import commands as c
from referee.match import events as e
from referee.match.names import clean_name
from referee.match.said.refusal import Decision, refused
from referee.match.state import IN_GAME, MatchState, Phase
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game, forfeited

LONGEST_MATCH = 99  # points
LARGEST_STAKE = 1_000_000
LONGEST_UNIT = 12


def set_length(state: MatchState, length: int, crawford: bool | None, rules: RuleSet) -> Decision:
    """The match goes on to ``length`` points; 0: as a money game. ``crawford``: whether this is said to be the Crawford game."""
    if not state.may_be_longer or (state.phase is Phase.MATCH_OVER and not length):
        return refused("match_over")
    if not 0 <= length <= LONGEST_MATCH:
        return refused("bad_length", length=length, most=LONGEST_MATCH)
    if length and max(state.score) >= length:
        return refused("score_over", length=length)
    if length and any(forfeited(length, points) for points in state.penalties):
        return refused("penalties_over", length=length)
    turned = state.play_phase in IN_GAME and (state.cube.offered_by is not None or (state.cube.value, state.cube.owner) != (1, None))
    if length == 1 and turned:
        return refused("no_cube")
    may_be = crawford_game(length, state.score, False, rules)  # one that was played was that of another length, unless it is said
    if crawford and not may_be:
        return refused("no_crawford")
    return (e.LengthSet(length, may_be if crawford is None else crawford),)


def set_rules(state: MatchState, command: c.SetRules, rules: RuleSet) -> Decision:
    """The match goes on under ``rules``. Nothing where it is played under them already."""
    before, aids = state.played_by, state.aids if command.aids is None else command.aids
    stake = state.stake if command.stake is None else command.stake
    unit = state.unit if command.unit is None else clean_name(command.unit, LONGEST_UNIT)
    if not 1 <= stake <= LARGEST_STAKE:
        return refused("bad_stake", most=LARGEST_STAKE)
    others = [field.name for field in fields(RuleSet) if getattr(before, field.name) != getattr(rules, field.name)]
    beside = {"aids": aids != state.aids, "stake": (stake, unit) != (state.stake, state.unit)}
    changed = (*(name for name in others if name != "aids"), *(name for name, differs in beside.items() if differs))
    if not changed:
        return ()
    if state.play_phase is Phase.MATCH_OVER:
        return refused("rules_of_old")
    if state.doubt is not None or (state.held is not None and state.held_in_silence is None):
        return refused("answer_first")  # its answers are those of the rules as they were
    if state.turns or state.game > 1 or state.held is not None:  # a play was made; which, and whether legal, a refusal must not tell
        if before.announces_plays != rules.announces_plays:
            return c.Refused(because("speaks_already"), (because("instead"),))
        if not rules.announces_plays and not rules.same_plays(before):
            return c.Refused(because("silent_already"), (because("instead"),))
    crawford = crawford_game(state.length, state.score, before.crawford and state.crawford_before, rules)
    return (e.RulesSet(rules.name, rules, aids, stake, unit, changed, crawford),)
