"""Facts are believed when enough readings agree; looks at one standing position complete each other."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import START, Seat
from referee.match.arbiter.settle import Runs, combine, look
from referee.match.judge import as_seen
from referee.observations import About, DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition

DIE = SeenDie(5, DieState.FLAT, Half.RIGHT, (400.0, 300.0))
BOARD = SeenPosition(START.points, START.bar)


def reading(at: float, *dice: SeenDie, **changes: object) -> Reading:
    return replace(Reading(dice, BOARD, SeenCube(1, None), (), at), **changes)  # type: ignore[arg-type]


def test_a_still_is_a_settled_moment() -> None:
    _, sight = look(Runs(), reading(0.0, DIE), stills=True)
    assert sight.dice == (DIE,)
    assert sight.board is not None
    assert sight.cube == SeenCube(1, None)


def test_on_a_stream_one_reading_settles_nothing() -> None:
    runs, sight = look(Runs(), reading(0.0, DIE))
    assert (sight.dice, sight.board, sight.cube) == (None, None, None)
    runs, sight = look(runs, reading(0.2, DIE))
    assert sight.dice == (DIE,)
    assert sight.board is not None
    assert sight.cube is None, "the cube must rest for a second"
    runs, sight = look(runs, reading(1.2, DIE))
    assert sight.cube == SeenCube(1, None)


def test_a_flicker_of_one_reading_does_not_unsettle_the_dice_for_long() -> None:
    runs, _ = look(Runs(), reading(0.0, DIE))
    runs, sight = look(runs, reading(0.2, replace(DIE, value=6)))
    assert sight.dice is None
    runs, sight = look(runs, reading(0.4, DIE))
    assert sight.dice == (DIE,)


def test_a_hand_over_the_board_settles_nothing() -> None:
    runs, _ = look(Runs(), reading(0.0, DIE, hand=True))
    _, sight = look(runs, reading(0.2, DIE, hand=True))
    assert sight.dice is None
    assert sight.board is None


def test_looks_at_one_position_complete_each_other() -> None:
    first = reading(0.0, doubts=(SeenDoubt(About.POINT, "count", "", point=6, values=(4, 5)),))
    second = reading(0.2, doubts=(SeenDoubt(About.BAR, "count", "", seat=Seat.FAR, values=(0, 1)),))
    both = combine(first, second)
    assert both is not None
    assert as_seen(both) == START


def test_looks_that_contradict_each_other_are_not_combined() -> None:
    other = SeenPosition(tuple(n - (i == 5) for i, n in enumerate(START.points)), (0, 0))
    assert combine(reading(0.0), reading(0.2, position=other)) is None


def test_a_count_the_other_look_does_not_allow_stays_in_doubt() -> None:
    other = SeenPosition(tuple(n - (i == 5) for i, n in enumerate(START.points)), (0, 0))
    doubt = SeenDoubt(About.POINT, "count", "", point=6, values=(3, 4))
    both = combine(reading(0.0), reading(0.2, position=other, doubts=(doubt,)))
    assert both is not None
    assert as_seen(both) is None


def test_another_number_where_a_die_was_taken_up_is_another_die() -> None:
    runs = Runs()
    for at in (0.0, 0.1):
        runs, _ = look(runs, reading(at, DIE))
    runs, _ = look(runs, reading(0.2))
    runs, sight = look(runs, reading(0.3, replace(DIE, value=3)))
    assert sight.disputed, "it may have been overlooked for a moment"
    for at in (0.4, 0.5):
        runs, _ = look(runs, reading(at))
    runs, _ = look(runs, reading(0.6, replace(DIE, value=2)))
    runs, sight = look(runs, reading(0.7, replace(DIE, value=2)))
    assert (sight.dice, sight.disputed) == ((replace(DIE, value=2),), ())
