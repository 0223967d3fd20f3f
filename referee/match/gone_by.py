"""Turns that have gone by unseen: the board was out of sight, or an illegal play was held, and the other may have thrown and played
meanwhile. They are asked about, never charged to the player who was last seen to roll."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Position
from referee.match import judge
from referee.match.overlap import roll_ahead
from referee.match.settle import AGAIN, AT_REST, ROUND, STRANGE, Settle, Sight, Step, ask, without
from referee.match.state import MatchState
from referee.match.throws import Verdict, other_numbers, others_throw, throw_of
from referee.match.turn import stood
from referee.match.unseen import gone_on_doubt, has_played, turn_doubt
from referee.observations import SeenDie
from referee.rules.ruleset import RuleSet


def round_unseen(state: MatchState, sight: Sight, dice: tuple[SeenDie, ...], rules: RuleSet, settle: Settle) -> bool:
    """The board was out of sight for a while, and since then ``dice`` with other numbers lie there and a turn of each player has been
    made: the roll is played, and he has thrown again."""
    seen = judge.as_seen(sight.board) if sight.board is not None else None
    if settle.stills or not settle.away or seen is None or len(dice) != 2 or sight.board_for < AT_REST:
        return False
    return other_numbers(state, (die.value for die in dice)) and turn_doubt(state, seen, rules, settle.glimpse) is not None


def turn_missed(state: MatchState, seen: Position, sight: Sight, settle: Settle, rules: RuleSet) -> Step | None:
    """The board was out of sight for a while, in which the other may have played on from a legal play: asked about, never charged to
    the player who was last seen to roll. None when nothing speaks for it."""
    seat = state.on_roll
    assert seat is not None
    if settle.asked[:4] == (state.game, state.turns, "play", "turn_unseen"):
        return settle, ()  # a person is asked, or has put it aside: what came of it he tells, or a legal play
    if settle.stills or not (settle.away or settle.ahead) or (seen == settle.stood and not settle.away):
        return None
    other = others_throw(state, sight, settle, rules)
    if other.verdict is not Verdict.NONE and has_played(state.position, seen, seat.other):
        thrown = (other.roll,) if other.verdict is Verdict.VALID else other.rolls
        return replace(settle, glimpse=thrown or settle.glimpse), ()  # while his dice lie he may not have finished
    question = turn_doubt(state, seen, rules, settle.glimpse or roll_ahead(settle))
    if question is None:
        return None
    if state.doubt is not None or sight.board_for < AGAIN:
        return settle, ()
    return ask(replace(settle, glimpse=()), state, question, seen)


def round_missed(state: MatchState, seen: Position, settle: Settle) -> bool:
    """The board was out of sight, and since then dice with other numbers lay there, or the other's checkers stand elsewhere and the time
    was long enough: more turns have gone by than can be told."""
    if settle.stills or not settle.away or state.on_roll is None:
        return False
    if settle.again is not None and other_numbers(state, settle.again):
        return True
    return settle.absent >= ROUND and has_played(state.position, seen, state.on_roll.other)


def gone_on_unseen(state: MatchState, verdict: judge.Verdict | None, sight: Sight, settle: Settle, rules: RuleSet) -> Step:
    """While an illegal play is held the board has come to a position that is no correction: the other may have thrown and played
    unseen. Looked at twice, then asked about; where nothing explains it, it is a correction under way."""
    if state.held is None or state.doubt is not None or not isinstance(verdict, judge.Illegal) or not verdict.undoubted:
        return settle, ()
    again = _thrown_anew(state, sight, settle, rules)
    if not again:
        if verdict.position == state.held.play.position or (not settle.stills and sight.board_for < STRANGE):
            return settle, ()
        if settle.stills and (settle.strange is None or not judge.agrees(settle.strange, verdict.position)):
            return replace(settle, strange=sight.board), ()
    question = gone_on_doubt(state, stood(state.held.play, state.position), verdict.position, rules)
    return ask(settle, state, question, verdict.position) if question.answers or again else (settle, ())


def _thrown_anew(state: MatchState, sight: Sight, settle: Settle, rules: RuleSet) -> bool:
    """The player whose play is held has thrown other numbers: the other's turn must have gone by."""
    if state.on_roll is None or state.dice is None or sight.dice is None:
        return False
    throw = throw_of(state.on_roll, without(sight.dice, (*settle.announced, *settle.old)), sight.die_doubts, rules)
    return throw.verdict is Verdict.VALID and other_numbers(state, throw.roll)
