"""A command's decision: the events it leads to, or a refusal."""

from __future__ import annotations

from referee.board.notation import Parsed
from referee.match.commands import Refused
from referee.match.events import Event
from referee.rules.reason import Value, because

Decision = tuple[Event, ...] | Refused


def refused(code: str, rule: str = "", **values: Value) -> Refused:
    """A refusal in one line: ``refused("crawford", "S2-25")``."""
    return Refused(because(code, rule, **values))


def unplayable(parsed: Parsed) -> Refused:
    """Why a written play is not taken: empty_source, blocked (with ``point``, the mover's own), ambiguous or illegal."""
    code = parsed.fault.value if parsed.fault else "illegal"
    return refused(code) if parsed.point is None else refused(code, point=parsed.point)
