"""A process that plays a match into a store for ever, to be killed at any moment: ``python -m tests.records.writer FILE SEED``.

After every accepted command it prints the sequence and a digest of the state, which is promised to be durable by then.
"""

from __future__ import annotations

import hashlib
import random
import sys

from referee.match import commands as c
from referee.match.state import MatchState
from referee.match.table import TableService
from referee.records.store import Store
from referee.rules.presets import preset
from tests.match.random_play import never, next_command


def digest(state: MatchState) -> str:
    """The whole state in a few letters."""
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def main() -> None:
    store, dice = Store(sys.argv[1]), random.Random(int(sys.argv[2]))
    table = TableService(store.latest(), preset("bray"), never, None)
    print(table.state.seq, digest(table.state), flush=True)
    while True:
        command = next_command(table, dice) if table.state.seq else c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=9)
        if command is None:
            table = TableService(store.new_match(), preset("bray"), never, None)
            continue
        assert isinstance(table.command(command), c.Accepted)
        print(table.state.seq, digest(table.state), flush=True)


if __name__ == "__main__":
    main()
