"""What moved, and which rolls and plays explain it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.board import START, LegalPlays, Position, Seat, difference, explaining_rolls, parse_play
from referee.board.difference import ROLLS
from tests.board.positions import positions, rolls

NEAR, FAR = Seat.NEAR, Seat.FAR


def test_what_moved_is_told_for_both_players() -> None:
    hit = Position.from_sides((0,) * 23 + (1, 0), (0,) * 6 + (1,) + (0,) * 18)
    after = parse_play("24/18*/13", hit, NEAR, (6, 5)).after
    assert after is not None
    changes = difference(hit, after)
    assert (changes[NEAR].left, changes[NEAR].arrived) == ((24,), (13,))
    assert (changes[FAR].left, changes[FAR].arrived) == ((7,), (25,))
    assert difference(START, START)[NEAR].left == ()


@given(positions(), positions())
def test_changes_lead_from_one_position_to_the_other(before: Position, after: Position) -> None:
    sides = []
    for seat in Seat:
        change = difference(before, after)[seat]
        assert len(change.left) == len(change.arrived)
        counts = [0, *before.side(seat)]
        for point in change.left:
            counts[point] -= 1
        for point in change.arrived:
            counts[point] += 1
        sides.append(tuple(counts[1:]))
    assert Position.from_sides(sides[0], sides[1]) == after


@given(positions(), rolls(), st.sampled_from(Seat), st.data())
def test_the_rolls_that_explain_a_play(before: Position, roll: tuple[int, int], seat: Seat, data: st.DataObject) -> None:
    plays = list(LegalPlays(before, seat, roll))
    after = data.draw(st.sampled_from(plays)).result if plays else before
    found = explaining_rolls(before, after, seat)
    assert tuple(sorted(roll)) in found
    assert set(found) <= set(ROLLS)
    for low, high in found:
        explained = LegalPlays(before, seat, (low, high))
        assert after in explained or (after == before and not explained)


def test_rolls_that_explain_a_known_position() -> None:
    after = parse_play("8/5 6/5", START, NEAR, (3, 1)).after
    assert after is not None
    assert explaining_rolls(START, after, NEAR) == ((1, 1), (1, 3))  # 8/7/6/5 6/5 as well
    assert explaining_rolls(START, after, FAR) == ()
    assert explaining_rolls(START, START, NEAR) == ()
    ran = parse_play("24/18", Position.from_sides((0,) * 23 + (1, 0), (0,) * 25), NEAR, (4, 2)).after
    assert ran is not None
    runner = Position.from_sides((0,) * 23 + (1, 0), (0,) * 25)
    assert explaining_rolls(runner, ran, NEAR) == ((1, 5), (2, 4))
