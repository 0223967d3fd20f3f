"""Which events of a log still count."""

from __future__ import annotations

from collections.abc import Iterable

from referee.match import events as e

_Chain = tuple[e.Logged, "_Chain | None"]


def effective(log: Iterable[e.Logged]) -> tuple[e.Logged, ...]:
    """The events that still count, in order: what an undo struck out is left out, and the undo itself."""
    chain: _Chain | None = None
    after: dict[int, _Chain | None] = {0: None}
    for logged in log:
        if isinstance(logged.event, e.Undone):
            to = max((seq for seq in after if seq <= logged.event.to_seq), default=0)
            chain = after[to]
        else:
            chain = (logged, chain)
        after[logged.seq] = chain
    found: list[e.Logged] = []
    while chain is not None:
        found.append(chain[0])
        chain = chain[1]
    return tuple(reversed(found))
