"""Who may have things put right, and until when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import START, Position, Seat
from referee.rules import preset
from referee.rules.correction import Act, Who, closes, impossible, misplaced, setup_stands, who_corrects

NEAR, FAR = Seat.NEAR, Seat.FAR


@pytest.mark.parametrize(
    ("name", "who", "announced"),
    [
        ("bray", Who.MUST, True),
        ("ukbgf", Who.MUST, True),
        ("traditional", Who.MUST, True),
        ("magriel", Who.EITHER, False),
        ("wbgf-responsible", Who.OPPONENT, False),
        ("usbgf", Who.MUST, False),
    ],
)
def test_who_acts_on_an_illegal_play(name: str, who: Who, announced: bool) -> None:
    rules = preset(name)
    assert (who_corrects(rules), rules.announces_plays) == (who, announced)


@pytest.mark.parametrize(
    ("name", "acts"),
    [
        ("magriel", {Act.THROW, Act.VALID_ROLL}),
        ("traditional", {Act.THROW, Act.VALID_ROLL}),
        ("agca", {Act.THROW, Act.VALID_ROLL}),
        ("usbgf", {Act.VALID_ROLL}),
        ("bray", {Act.VALID_ROLL, Act.VALID_DOUBLE}),
        ("ukbgf", {Act.VALID_ROLL, Act.VALID_DOUBLE}),
    ],
)
def test_what_closes_the_time_for_correction(name: str, acts: set[Act]) -> None:
    assert {act for act in Act if closes(act, preset(name))} == acts


def test_a_wrong_starting_position() -> None:
    points = list(START.points)
    points[5], points[4] = 4, 1
    found = misplaced(Position(tuple(points)))
    assert [(m.seat, m.point, m.stand, m.should) for m in found] == [(NEAR, 6, 4, 5), (NEAR, 5, 1, 0)]
    assert misplaced(START) == ()
    points[4] = 0
    short = misplaced(Position(tuple(points), off=(1, 0)))
    assert [(m.point, m.stand) for m in short] == [(6, 4), (0, 1)]


def test_until_when_it_can_be_put_right() -> None:
    agca, bray = preset("agca"), preset("bray")
    assert setup_stands(agca, rolls=1, moved=False) is None
    stands = setup_stands(agca, rolls=1, moved=True)
    assert stands is not None
    assert stands.rule == "S4-03"
    assert [setup_stands(bray, rolls, moved=True) is None for rolls in (1, 2, 3, 4)] == [True, True, False, False]
    five = replace(bray, setup_error_until=5)
    assert setup_stands(five, 4, moved=True) is None
    assert setup_stands(five, 5, moved=True) is not None


def test_positions_that_cannot_be() -> None:
    shut = (2, 2, 2, 2, 2, 2) + (0,) * 18 + (1,)
    both = impossible(Position.from_sides(shut, shut))
    assert both is not None
    assert both.rule == "S1-15"
    assert impossible(START) is None
    assert impossible(Position(START.points, bar=(1, 0))) is not None
