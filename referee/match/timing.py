"""Whose time runs, phase by phase, and the match's clock kept in step with what is logged. Pure.

The seat on roll pays from his turn's beginning to its end, which is the press of the clock where that ends it, the one who must
answer a double or a resignation while he decides, the offender while an illegal play is held, unless the players are not told of it:
then the other's turn has begun. Both stand while a question is open, between games and in a pause, and from the loss of the camera
until it is back or somebody goes on by hand. Free seconds are given once in a move: who is on roll again after a double, a resignation
or an illegal play goes on with what he has left of them.
"""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Seat
from referee.match import events as e
from referee.match.clock import Clock, new_clock, reserve_of
from referee.match.state import IN_GAME, MatchState, Phase
from referee.observations import CAMERA
from referee.rules.ruleset import RuleSet, TurnEnd
from referee.rules.scoring import game_over


def whose_time(state: MatchState) -> Seat | None:
    """Whose time should run in this state; None when both stand."""
    if state.phase not in IN_GAME or state.phase is Phase.OPENING or state.doubt is not None:
        return None
    if game_over(state.position) is not None:
        return None  # the last checker is off: the other's turn, with its free seconds, does not begin any more
    if _pressed(state) and state.on_roll is not None and state.resignation is None:
        return state.on_roll.other
    silent = state.held_in_silence if state.play_phase is Phase.HELD else None
    return silent.seat.other if silent is not None else state.decider


def _pressed(state: MatchState) -> bool:
    """Whether a press of the clock has ended the turn whose play is yet to be judged."""
    return state.play_phase is Phase.JUDGING and press_ends_turn(state, state.played_by)


def press_ends_turn(state: MatchState, rules: RuleSet) -> bool:
    """Whether the press of the clock ends a turn, not the lifting of the dice."""
    return rules.turn_end is TurnEnd.CLOCK and state.clock is not None


def clock_after(before: MatchState, logged: e.Logged, after: MatchState) -> Clock | None:
    """The clock once ``logged`` led from ``before`` to ``after`` (whose own clock is still the old one)."""
    event, at, clock = logged.event, logged.at, after.clock
    if isinstance(event, e.MatchStarted):
        return new_clock(event.rule_set.clock, event.length) if event.rule_set is not None else None
    if isinstance(event, e.LengthSet | e.RulesSet):
        clock = _of_other_terms(before, after, at)
    if clock is None:
        return None
    match event:
        case e.Undone():  # it stands as it stood then; the time since then is nobody's
            clock = clock.stop(before.as_of(event.to_seq).at)
        case e.ClockSet():
            clock = clock.set(*event.remaining, at)
        case e.ScoreSet() if not after.game and after.rule_set is not None:
            # A match that goes on from elsewhere: its reserves are those of its score.
            return new_clock(after.rule_set.clock, after.length, event.score)
        case e.ClockStopped():
            return clock.stop(at)
        case e.Flagged():
            clock = clock.stop(at)
        case e.DeviceLost(device=device):  # without the camera who lifts his dice ends no turn by it
            return clock.stop(at) if device == CAMERA else clock
        case e.DeviceBack(device=device) if device != CAMERA:
            return clock
        case e.NamesSet() | e.ScoreSet() | e.LengthSet() | e.RulesSet() | e.Penalised() | e.Ruled() if stands_unseen(before):
            return clock  # nobody goes on by hand with that
    if (charged := _played_anew(before, logged)) is not None:  # that turn was as long as it was, and the next begins now
        clock = replace(charged, turn=None, since=None, used=0.0)
    elif _new_move(before, event, after):  # also while both stand: the move that was stopped is over all the same
        clock = clock.end_turn(at)
    if after.clock_held:
        return clock
    seat = whose_time(after)
    return clock.stop(at) if seat is None else clock.run(seat, at)


def stands_unseen(state: MatchState) -> bool:
    """Whether the camera is lost, and both stand since then, though it is somebody's time."""
    return CAMERA in state.lost and state.clock is not None and state.clock.since is None and whose_time(state) is not None


def _of_other_terms(before: MatchState, after: MatchState, at: float) -> Clock | None:
    """The clock where the match's length or rules were put right: both reserves longer or shorter by the difference, and whole where
    nothing has run yet. What this turn has been given of free seconds it keeps."""
    clock, rules = before.clock, after.played_by.clock
    whole = new_clock(rules, after.length, after.score)
    if whole is None or clock is None or not after.game:
        return whole.end_turn(at) if whole is not None else None
    return replace(clock.add(reserve_of(rules, after.length) - reserve_of(clock.rules, before.length), at), rules=rules)


def _new_move(before: MatchState, event: e.Event, after: MatchState) -> bool:
    """Whether ``event`` ended a move (or a game) and began the next. A play held in silence has done so when it is ruled, and one that
    the press of the clock ended when it is judged."""
    if isinstance(event, e.Undone) or before.held_in_silence is not None or _pressed(before):
        return False
    return after.held_in_silence is not None or _pressed(after) or (after.turns, after.on_roll) != (before.turns, before.on_roll)


def _played_anew(before: MatchState, logged: e.Logged) -> Clock | None:
    """The clock as the end of a turn had left it that was taken back in this same moment to enter its play as it really was."""
    if not isinstance(logged.event, e.Played | e.IllegalPlay) or before.at != logged.at:
        return None
    was = before.before
    while was is not None and _over(was) == _over(before):
        was = was.before
    return was.clock if was is not None and was.game == before.game and _over(was) == _over(before) + 1 else None


def _over(state: MatchState) -> int:
    """How many turns of the game are over, to the players."""
    return state.turns + (state.held_in_silence is not None)


def flag_fallen(state: MatchState, now: float) -> tuple[e.Event, ...]:
    """The flag that has fallen by ``now`` and was not logged yet."""
    if state.clock is None or state.flagged is not None:
        return ()
    flagged = state.clock.reading(now).flagged
    return (e.Flagged(flagged),) if flagged is not None else ()
