"""Rolls nobody saw, sweeps, and the questions they lead to."""

from __future__ import annotations

import pytest

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from tests.match.seen_table import (
    AFTER_62,
    FAR,
    NEAR,
    begun,
    plays,
    throw,
)


@pytest.mark.parametrize("stills", [True, False])
def test_a_roll_nobody_saw_is_asked_about_and_never_guessed(stills: bool) -> None:
    table = begun(stills)
    after = next(p for p in plays(AFTER_62, FAR, 6, 1) if p not in plays(AFTER_62, FAR, 4, 3))
    logged = table.see(after, looks=12 if not stills else 0) + table.see(after)
    assert logged == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "roll"
    assert "rolled" not in table.see(after, *throw(NEAR, 6, 5)), "nothing goes on before the answer"
    wanted = next(i for i, a in enumerate(asked.answers) if any(isinstance(v, e.Rolled) and sorted(v.dice) == [1, 6] for v in a.events))
    table.answer(wanted)
    assert table.service.state.position == after
    assert "rolled" in table.see(after, *throw(NEAR, 6, 5)), "what was seen while the question was open is gone through"


def test_an_unseen_roll_is_forgotten_when_the_position_is_back() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_a_question_put_aside_is_not_asked_again_of_the_same_sight() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    table.answer(None)
    assert table.see(after) + table.see(after) == []


def test_two_turns_that_nobody_saw_are_asked_about_together() -> None:
    table = begun()
    middle = plays(AFTER_62, FAR, 6, 1)[0]
    after = plays(middle, NEAR, 5, 4)[0]
    table.see(after)
    table.see(after)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.answers
    for answer in asked.answers:
        positions = [event.position for event in answer.events if isinstance(event, e.Played | e.PlayCorrected)]
        assert positions[-1] == after


def test_a_sweep_is_asked_about_once() -> None:
    table = begun()
    swept = Position((0,) * 24, (0, 0), (15, 15))
    assert table.see(swept) + table.see(swept) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "game_over"
    assert table.see(swept) == []
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_sweeping_up_with_the_dice_gone_is_no_illegal_play() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(Position((0,) * 24, (0, 0), (15, 15))) == ["doubt"]
    table.answer(0)
    assert table.phase is Phase.GAME_OVER
