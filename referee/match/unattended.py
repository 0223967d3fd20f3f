"""A recording is watched and nobody is there to answer: how play is taken up again after a question that stays open. Pure.

Nothing is guessed. What was not seen stays unknown; the position is set to one that was read undoubted while a valid throw lay, and
whose throw that was says whose turn it is. Where the other has thrown since, that is the first such throw: one turn is lost, and no more.
"""

from __future__ import annotations

from referee.board.position import CHECKERS, Position, Seat
from referee.match.arbiter import blocked
from referee.match.early import EARLY, early_due
from referee.match.events import DoubtResolved, Event, PositionSet, Ruled, TurnSet
from referee.match.judge import as_seen
from referee.match.memory import Memory
from referee.match.state import MatchState
from referee.match.throws import throw_of
from referee.observations import Reading
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

PATIENCE = 3
"""Different readings after a question for which its answer is waited for."""


def taken_up(state: MatchState, rules: RuleSet, memory: Memory) -> tuple[tuple[Event, ...], tuple[Reading, ...]]:
    """The events that close the open question and set position and turn, and the readings to look at again from there; both empty
    when there is no such question, or when it is too early or nothing to begin from was seen."""
    if early_due(state) and state.doubt is not None:
        # A throw before its time stands where nobody says otherwise.
        answer = state.doubt.doubt.answers[0]
        return (DoubtResolved(EARLY, 0), Ruled(EARLY, because("nobody_answered_early")), *answer.events), ()
    if not blocked(state) or len(memory.waiting) <= PATIENCE or state.doubt is None:
        return (), ()
    starts = [(number, *start) for number, kept in enumerate(memory.waiting) if (start := _begin(kept, rules)) is not None]
    # The first throw of the other: what is asked about was over then, and all that came after can be followed. Else the last one.
    over = next((start for start in starts if state.on_roll is not None and start[2] is not state.on_roll), None)
    if not starts:
        return (), ()
    number, position, seat = over or starts[-1]
    about = state.doubt.doubt.about
    ruled = Ruled(about, because("nobody_answered"))
    return (DoubtResolved(about), ruled, PositionSet(position), TurnSet(seat)), memory.waiting[number:]


def _begin(reading: Reading, rules: RuleSet) -> tuple[Position, Seat] | None:
    seen = as_seen(reading)
    if seen is None or seen.defects() or CHECKERS in seen.off:
        return None
    threw = [seat for seat in Seat if throw_of(seat, reading.dice, reading.doubts, rules).valid]
    return (seen, threw[0]) if len(threw) == 1 else None  # of two throws one is of a turn before
