"""A command's decision: the events it leads to, or a refusal."""

from __future__ import annotations

from referee.board.notation import NotationError, Parsed, parse_play
from referee.match.commands import Refused
from referee.match.events import Event
from referee.match.mover import Mover
from referee.match.state import MatchState
from referee.rules.reason import Value, because

Decision = tuple[Event, ...] | Refused


def refused(code: str, **values: Value) -> Refused:
    """A refusal that rests on no rule, in one line: ``refused("not_on_roll", seat="near")``."""
    return Refused(because(code, "", **values))


def already(code: str) -> Refused:
    """Nothing is to be done, for it is so: whoever says so as well is told of no fault."""
    return refused(code, same=True)


def wrong_phase(state: MatchState) -> Refused:
    """That is not to be done in this phase of play."""
    return refused("wrong_phase", phase=state.play_phase.value)


def written_play(text: str, mover: Mover, dice: tuple[int, int]) -> Parsed | Refused:
    """What ``text`` means for ``mover`` who plays ``dice``; refused where it or the position says nothing."""
    before, rules = mover.before, mover.rules
    if defects := before.defects():
        return refused("not_thirty", what="; ".join(defects))
    try:
        return parse_play(text, before, mover.seat, dice, higher_number=rules.higher_number, rest_frozen=rules.rest_frozen)
    except NotationError as error:
        return refused("not_notation", text=str(error))


def unplayable(parsed: Parsed) -> Refused:
    """Why a written play is not taken: empty_source, blocked (with ``point``, the mover's own), ambiguous or illegal."""
    code = parsed.fault.value if parsed.fault else "illegal"
    return refused(code) if parsed.point is None else refused(code, point=parsed.point)
