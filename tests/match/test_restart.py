"""A table that is stopped and started again between any two looks at the board goes on with the same game."""

from __future__ import annotations

import pytest

from referee.match.arbiter.memory import Memory
from referee.match.folding import fold
from referee.match.journal import MemoryJournal
from referee.match.table import open_table
from referee.observations import Reading
from tests.match.labels import GAMES, finished, frames_of, reading_of, seen_turns, still_table


def _looks(name: str) -> list[Reading]:
    return [reading_of(frame, float(i)) for i, frame in enumerate(frames_of(GAMES / name))]


@pytest.mark.parametrize("name", ["first_turns.jsonl", "short_game.jsonl"])
def test_the_same_game_is_refereed_when_the_table_is_started_again(name: str) -> None:
    looks = _looks(name)
    whole = [(turn.seat, turn.dice, turn.after) for turn in seen_turns(finished(still_table(), looks))]
    for stop in range(1, len(looks), 3):
        first = still_table()
        for look in looks[:stop]:
            first.observe(look)
        journal = MemoryJournal()
        journal.append(first.log)
        again = open_table(journal, stills=True)
        assert again.state == first.state == fold(first.log)
        assert again.memory == Memory(stills=True), "nothing but the log is carried over"
        turns = [(turn.seat, turn.dice, turn.after) for turn in seen_turns(finished(again, looks[stop:]))]
        assert turns == whole, f"stopped before look {stop}"


@pytest.mark.parametrize("name", ["first_turns.jsonl", "short_game.jsonl"])
def test_the_same_game_is_refereed_when_the_computer_sleeps(name: str) -> None:
    looks = _looks(name)
    whole = [(turn.seat, turn.dice, turn.after) for turn in seen_turns(finished(still_table(), looks))]
    for stop in range(1, len(looks), 3):
        table = still_table()
        for look in looks[:stop]:
            table.observe(look)
        table.slept()
        assert table.memory == Memory(stills=True), "what was seen before says nothing of now"
        turns = [(turn.seat, turn.dice, turn.after) for turn in seen_turns(finished(table, looks[stop:]))]
        assert turns == whole, f"slept before look {stop}"
