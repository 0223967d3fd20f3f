"""A starting position that was set up wrongly, found when the game has begun: put right while the rule set lets it be, else it stands.

The log begins every game from the right position. Putting right means therefore that the board is made to agree with the log; when it
is too late the log is made to agree with the board. Pure.
"""

from __future__ import annotations

from referee.board.position import Position
from referee.match.commands import Refused
from referee.match.events import Answer, Event, Played, PositionSet, Ruled, SetupStands
from referee.match.said.refusal import Decision, wrong_phase
from referee.match.state import IN_GAME, MatchState, Phase
from referee.rules.correction import impossible, setup_rule, setup_stands
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet

LATEST = 8
"""Turns of a game after which a board that nobody can explain is no longer put down to how it was set up."""


def too_late(state: MatchState, rules: RuleSet) -> Reason | None:
    """Why a wrong starting position must be played on with; None while it can be put right."""
    rolls = state.turns + (state.dice is not None)
    return setup_stands(rules, rolls, moved=state.turns > 0 or state.play_phase in (Phase.JUDGING, Phase.HELD))


def setup_error(state: MatchState, position: Position | None, rules: RuleSet) -> Decision:
    """What follows when a person says that the board was set up wrongly. ``position``: how it stands now, if it is known."""
    if state.play_phase not in IN_GAME:
        return wrong_phase(state)
    why = too_late(state, rules)
    if why is None:
        return _put_right(state, rules)
    if position is None:
        return Refused(why)
    wrong = impossible(position)  # what cannot arise must be put right however late it is found
    return Refused(wrong) if wrong is not None else _stands(state, position, why)


def setup_answer(state: MatchState, seen: Position, rules: RuleSet) -> Answer | None:
    """The answer "it was set up wrongly" to the question about a board that no roll explains; None when the game is too old for it."""
    if state.turns > LATEST or impossible(seen) is not None:
        return None
    why = too_late(state, rules)
    return Answer(because("set_up_wrongly"), _put_right(state, rules) if why is None else _stands(state, seen, why))


def opened_on(state: MatchState, board: Position, play: Played, rules: RuleSet) -> tuple[Answer, ...]:
    """The answers where the opening throw was made, and ``play``, legal from there, on a ``board`` that is not the starting position: it is
    put right and played again, where that is in time, or counts as it was played."""
    counts = Answer(because("board_was_so", play=play.play), (_as_it_is(state, board), play))
    if impossible(board) is not None:
        return ()
    why = too_late(state, rules)
    if why is not None:
        return (Answer(because("set_up_wrongly"), (*_stands(state, board, why), play)),)
    return Answer(because("set_up_wrongly"), _put_right(state, rules)), counts


def _put_right(state: MatchState, rules: RuleSet) -> tuple[Event, ...]:
    return (Ruled("setup", because("setup_put_right", setup_rule(rules))), PositionSet(state.position))


def _stands(state: MatchState, board: Position, why: Reason) -> tuple[Event, ...]:
    return (Ruled("setup", why), _as_it_is(state, board))


def _as_it_is(state: MatchState, board: Position) -> SetupStands:
    near, far = (max(0, now - before) for now, before in zip(board.off, state.position.off, strict=True))
    return SetupStands(board, (near, far))
