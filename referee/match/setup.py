"""A starting position that was set up wrongly, found when the game has begun: put right while the rule set lets it be, else it stands.

The log begins every game from the right position. Putting right means therefore that the board is made to agree with the log; when it
is too late the log is made to agree with the board. Pure.
"""

from __future__ import annotations

from referee.board.position import Position
from referee.match.commands import Refused
from referee.match.events import Answer, Event, PositionSet, Ruled, SetupStands
from referee.match.refusal import Decision, refused
from referee.match.state import IN_GAME, MatchState
from referee.rules.citing import cite
from referee.rules.correction import impossible, setup_stands
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet

LATEST = 8
"""Turns of a game after which a board that nobody can explain is no longer put down to how it was set up."""


def too_late(state: MatchState, rules: RuleSet) -> Reason | None:
    """Why a wrong starting position must be played on with; None while it can be put right."""
    rolls = state.turns + (state.dice is not None)
    return setup_stands(rules, rolls, moved=state.turns > 0)


def setup_error(state: MatchState, position: Position | None, rules: RuleSet) -> Decision:
    """What follows when a person says that the board was set up wrongly. ``position``: how it stands now, if it is known."""
    if state.play_phase not in IN_GAME:
        return refused("wrong_phase", phase=state.play_phase.value)
    why = too_late(state, rules)
    if why is None:
        return _put_right(state, rules)
    if position is None:
        return refused(why.code, why.rule)
    wrong = impossible(position)  # what cannot arise must be put right however late it is found
    return Refused(wrong) if wrong is not None else _stands(state, position, why)


def setup_answer(state: MatchState, seen: Position, rules: RuleSet) -> Answer | None:
    """The answer "it was set up wrongly" to the question about a board that no roll explains; None when the game is too old for it."""
    if state.turns > LATEST or impossible(seen) is not None:
        return None
    why = too_late(state, rules)
    return Answer(because("set_up_wrongly"), _put_right(state, rules) if why is None else _stands(state, seen, why))


def _put_right(state: MatchState, rules: RuleSet) -> tuple[Event, ...]:
    return (Ruled("setup", because("setup_put_right", cite(rules, "setup"))), PositionSet(state.position))


def _stands(state: MatchState, board: Position, why: Reason) -> tuple[Event, ...]:
    near, far = (max(0, now - before) for now, before in zip(board.off, state.position.off, strict=True))
    return (Ruled("setup", why), SetupStands(board, (near, far)))
