"""A recording goes on although a question stays open, and nothing is guessed."""

from __future__ import annotations

import pytest

from referee.board.position import Seat
from referee.match import events as e
from referee.match.unattended import taken_up
from referee.observations import SeenDie
from tests.match.labels import GAMES, frames_of, reading_of, seen_turns, still_table, true_turns
from tests.match.seen_table import AFTER_62, FAR, NEAR, begun, moved, throw


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_play_is_taken_up_again_after_a_throw_nobody_saw(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    missed = [i for i, frame in enumerate(frames) if frame["role"] == "throw" and (frame["turn"] or {}).get("dice")][3]
    table = still_table()
    for number, frame in enumerate(frames):
        if number == missed:
            continue
        table.observe(reading_of(frame, float(number)))
        events, again = taken_up(table.state, table.rules, table.memory)
        if events:
            table.note(*events)
            for reading in again:
                table.observe(reading)
    kinds = [one.event.type for one in table.log]
    assert "position_set" in kinds
    assert not any(isinstance(one.event, e.Rolled) and one.frame == frames[missed]["image"] for one in table.log)
    truth, seen = true_turns(frames), seen_turns(table.log)
    assert sum(turn not in seen for turn in truth) == 1, "only the turn of the missing throw is lost"
    assert seen[-3:] == truth[-3:]


def test_a_question_that_can_be_answered_is_waited_for() -> None:
    table = still_table()
    assert taken_up(table.state, table.rules, table.memory) == ((), ())


@pytest.mark.parametrize(("left", "begins"), [((), [NEAR]), (throw(FAR, 4, 1), [])], ids=["one throw", "two"])
def test_whose_turn_it_is_is_not_guessed_where_both_throws_lie_there(left: tuple[SeenDie, ...], begins: list[Seat]) -> None:
    table = begun()
    strange = moved(AFTER_62, (6, 4), (8, 2), (13, 3))
    for _ in range(6):
        table.see(strange)
    assert table.service.state.question == "position"
    for place in range(0, 250, 50):
        table.see(strange, *throw(NEAR, 5, 4, place=place), *left)
    events, _ = taken_up(table.service.state, table.service.rules, table.service.memory)
    assert [event.seat for event in events if isinstance(event, e.TurnSet)] == begins
