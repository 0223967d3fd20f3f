"""Whose time runs, phase by phase, and the match's clock kept in step with what is logged. Pure.

The seat on roll pays from his turn's beginning to its end, the one who must answer a double or a resignation while he decides, the
offender while an illegal play is held (without new free seconds), unless the players are not told of it: then the other's turn has
begun; both stand while a question is open, between games and in a pause.
"""

from __future__ import annotations

from referee.board.position import Seat
from referee.match import events as e
from referee.match.clock import Clock, new_clock
from referee.match.state import IN_GAME, MatchState, Phase


def whose_time(state: MatchState) -> Seat | None:
    """Whose time should run in this state; None when both stand."""
    if state.phase not in IN_GAME or state.phase is Phase.OPENING or state.doubt is not None:
        return None
    return state.held.play.seat.other if _held_in_silence(state) and state.held is not None else state.decider


def _held_in_silence(state: MatchState) -> bool:
    """An illegal play is held that the players are not told of: to them the turn is over, and the other's time runs."""
    return state.phase is Phase.HELD and state.held is not None and not state.held.play.announced


def clock_after(before: MatchState, logged: e.Logged, after: MatchState) -> Clock | None:
    """The clock once ``logged`` led from ``before`` to ``after`` (whose own clock is still the old one)."""
    event, at, clock = logged.event, logged.at, after.clock
    if isinstance(event, e.MatchStarted):
        return new_clock(event.rule_set.clock, event.length) if event.rule_set is not None else None
    if clock is None:
        return None
    match event:
        case e.Undone():  # it stands as it stood then; the time since then is nobody's
            clock = clock.stop(before.as_of(event.to_seq).at)
        case e.ClockSet():
            clock = clock.set(*event.remaining)
        case e.ScoreSet() if not after.game and after.rule_set is not None:
            # A match that goes on from elsewhere: its reserves are those of its score.
            return new_clock(after.rule_set.clock, after.length, event.score)
        case e.ClockStopped():
            return clock.stop(at)
        case e.Flagged():
            clock = clock.stop(at)
        case e.ClockStarted() if event.seat is not clock.turn:
            return clock.start(event.seat, at)
    seat = whose_time(after)
    if after.clock_held:
        return clock
    if seat is None:
        over = after.play_phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
        return clock.end_turn(at) if over else clock.stop(at)
    new_turn = after.turns != before.turns and not isinstance(event, e.Undone) and not _held_in_silence(before)
    if clock.turn is not seat or new_turn:
        return clock.start(seat, at)
    return clock.resume(at)


def flag_fallen(state: MatchState, now: float) -> tuple[e.Event, ...]:
    """The flag that has fallen by ``now`` and was not logged yet."""
    if state.clock is None or state.flagged is not None:
        return ()
    flagged = state.clock.reading(now).flagged
    return (e.Flagged(flagged),) if flagged is not None else ()
