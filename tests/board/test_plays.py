"""Legal plays: the rules one by one, cases from another program, and properties that hold for every position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.board import (
    BAR,
    CHECKERS,
    OFF,
    START,
    LegalPlays,
    Play,
    Position,
    Seat,
    format_play,
    make,
    position_from_id,
    position_to_id,
)
from referee.board.plays import moves_of_die
from tests.board.positions import near_of, positions, rolls

NEAR, FAR = Seat.NEAR, Seat.FAR
CASES = [json.loads(line) for line in (Path(__file__).parent.parent / "data" / "legal_cases.jsonl").read_text().splitlines()]


NOBODY = (0,) * 25


def written(near: tuple[int, ...], far: tuple[int, ...], roll: tuple[int, int]) -> set[str]:
    return {format_play(play) for play in LegalPlays(Position.from_sides(near, far), NEAR, roll)}


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['pos']}-{c['dice'][0]}{c['dice'][1]}")
def test_agrees_with_another_program(case: dict[str, list[str]], seat: Seat) -> None:
    position = position_from_id(str(case["pos"]), seat)
    first, second = (int(d) for d in case["dice"])
    plays = LegalPlays(position, seat, (first, second))
    assert {position_to_id(result, seat) for result in plays.results} == set(case["results"])
    assert len(plays) == len(case["results"])


COUNTED = {  # distinct results of each roll from the starting position, counted by GNU Backgammon
    (1, 1): 42, (2, 1): 15, (2, 2): 75, (3, 1): 16, (3, 2): 17, (3, 3): 73, (4, 1): 14,
    (4, 2): 18, (4, 3): 17, (4, 4): 52, (5, 1): 8, (5, 2): 8, (5, 3): 9, (5, 4): 9,
    (5, 5): 4, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7, (6, 6): 11,
}  # fmt: skip


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("roll", COUNTED, ids=str)
def test_counted_plays_of_the_opening(roll: tuple[int, int], seat: Seat) -> None:
    assert len(LegalPlays(START, seat, roll)) == COUNTED[roll]


@pytest.mark.parametrize(
    ("near", "far", "roll", "plays"),
    [
        # the books' own examples (docs/rules.md, examples)
        (near_of(p1=2, p3=2, p6=1), NOBODY, (5, 2), {"6/off", "6/1 3/1"}),
        (near_of(p1=1, p2=1, p5=1, p6=1), NOBODY, (4, 3), {"6/2 5/2", "6/3 5/1"}),
        (near_of(p6=2, p5=2), NOBODY, (6, 5), {"6/1 6/off", "6/off 5/off"}),
        (near_of(p4=1, p1=1), NOBODY, (6, 1), {"4/off 1/off", "4/off"}),
        (near_of(p5=2, p3=2), NOBODY, (6, 4), {"5/1 5/off"}),
        (near_of(p24=1), near_of(p6=2, p4=2), (5, 3), set()),
        (near_of(p24=1), near_of(p6=2, p4=2), (6, 3), {"24/15"}),
        (near_of(bar=1, p8=1, p6=1), near_of(p5=2), (5, 3), {"bar/22 6/1", "bar/22 8/3", "bar/17"}),
        (near_of(bar=1, p8=1, p6=1), near_of(p5=2, p2=2), (5, 2), set()),
        (near_of(bar=2, p6=3), near_of(p6=2), (6, 4), {"bar/21"}),
    ],
)
def test_examples_of_the_books(near: tuple[int, ...], far: tuple[int, ...], roll: tuple[int, int], plays: set[str]) -> None:
    assert written(near, far, roll) == plays


def test_the_higher_number_when_only_one_can_be_played() -> None:
    position = Position.from_sides(near_of(p20=1), near_of(p16=2))  # after either number the other is blocked
    assert [format_play(p) for p in LegalPlays(position, NEAR, (6, 5))] == ["20/14"]
    assert {format_play(p) for p in LegalPlays(position, NEAR, (6, 5), higher_number=False)} == {"20/14", "20/15"}


def test_a_player_hit_while_bearing_off_may_be_frozen() -> None:
    position = Position.from_sides(near_of(p20=1, p6=2, p1=3), near_of(p1=2))
    free, frozen = LegalPlays(position, NEAR, (2, 1)), LegalPlays(position, NEAR, (2, 1), rest_frozen=True)
    assert "20/18 6/5" in {format_play(p) for p in free}
    assert {format_play(p) for p in frozen} == {"20/17"}
    entering = Position.from_sides(near_of(bar=1, p6=2), near_of(p1=2))
    assert {format_play(p) for p in LegalPlays(entering, NEAR, (2, 3), rest_frozen=True)} == {"bar/20"}
    nothing_off = Position.from_sides(near_of(p20=1, p6=14), near_of(p1=2))
    assert len(LegalPlays(nothing_off, NEAR, (2, 1), rest_frozen=True)) == len(LegalPlays(nothing_off, NEAR, (2, 1)))
    home_again = Position.from_sides(near_of(p8=1, p6=2), near_of(p1=2))
    assert {format_play(p) for p in LegalPlays(home_again, NEAR, (6, 2), rest_frozen=True)} == {"8/off", "8/2 6/4"}


def test_a_set_of_plays_is_a_set() -> None:
    plays = LegalPlays(START, NEAR, (3, 1))
    results = list(plays)
    assert len(results) == len(plays) == 16
    assert plays
    assert all(play in plays and play.result in plays for play in results)
    assert START not in plays
    assert Play((), START) not in plays
    closed = Position.from_sides(near_of(bar=1, p6=2), near_of(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2))
    assert not LegalPlays(closed, NEAR, (6, 6))
    assert list(LegalPlays(closed, NEAR, (6, 6))) == []


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (1, 2, 3), ()])
def test_no_roll_no_plays(roll: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a roll is two numbers"):
        LegalPlays(START, NEAR, roll)


def test_plays_need_thirty_checkers() -> None:
    with pytest.raises(ValueError, match="near has 14 checkers"):
        LegalPlays(Position(START.points, (0, 0), (-1, 0)), NEAR, (3, 1))


@given(positions(), rolls(), st.sampled_from(Seat))
def test_what_holds_for_every_play(position: Position, roll: tuple[int, int], seat: Seat) -> None:
    plays = LegalPlays(position, seat, roll)
    dice = sorted(roll) if roll[0] != roll[1] else [roll[0]] * 4
    assert len({len(play.moves) for play in plays}) <= 1
    for play in plays:
        after = play.result
        assert not after.defects()
        assert sum(after.side(seat.other)) == sum(position.side(seat.other))
        assert len(play.moves) <= len(dice)
        left = list(dice)
        for move in play.moves:
            assert OFF <= move.target < move.source <= BAR
            if move.target != OFF:
                left.remove(move.source - move.target)
        assert make(position, seat, play.moves) == after
        assert after != position


@given(positions(), rolls(), st.sampled_from(Seat))
def test_the_order_of_the_dice_does_not_matter(position: Position, roll: tuple[int, int], seat: Seat) -> None:
    assert set(LegalPlays(position, seat, roll).results) == set(LegalPlays(position, seat, roll[::-1]).results)


@given(positions(), rolls())
def test_both_chairs_have_the_same_plays(position: Position, roll: tuple[int, int]) -> None:
    turned = Position.from_sides(position.side(FAR), position.side(NEAR))
    near = {format_play(play) for play in LegalPlays(position, NEAR, roll)}
    assert near == {format_play(play) for play in LegalPlays(turned, FAR, roll)}


def plainly(position: Position, seat: Seat, dice: tuple[int, ...]) -> set[tuple[int, Position]]:
    """Every position reachable move by move, with the number of moves: slow, and without any of the generator's short cuts."""
    found = {(0, position)}
    for die in dice[:1]:
        for move in plain_moves(position, seat, die):
            after = make(position, seat, (move,))
            found |= {(n + 1, p) for n, p in plainly(after, seat, dice[1:])}
    return found


def plain_moves(position: Position, seat: Seat, die: int) -> list[tuple[int, int, bool]]:
    own = {p: position.on_point(seat, p) for p in range(1, 26)}
    found = []
    for source in [BAR] if own[BAR] else [p for p in range(1, 25) if own[p]]:
        target = source - die
        if target > 0:
            there = position.on_point(seat.other, 25 - target)
            if there < 2:
                found.append((source, target, there == 1))
        elif not any(own[p] for p in range(7, 26)) and (target == 0 or not any(own[p] for p in range(source + 1, 7))):
            found.append((source, OFF, False))
    return found


@given(positions(), rolls(), st.sampled_from(Seat))
@example(Position.from_sides(near_of(p6=2, p1=1), NOBODY), (6, 1), NEAR)
def test_agrees_with_trying_everything(position: Position, roll: tuple[int, int], seat: Seat) -> None:
    if roll[0] == roll[1]:
        if len({p for p in range(1, 26) if position.on_point(seat, p)}) > 6:
            return  # trying everything would take too long
        reached = plainly(position, seat, (roll[0],) * 4)
        longest = max(n for n, _ in reached)
    else:
        high, low = max(roll), min(roll)
        reached = plainly(position, seat, (high, low)) | plainly(position, seat, (low, high))
        longest = max(n for n, _ in reached)
        if longest == 1:
            highest = plainly(position, seat, (high,))
            reached = highest if max(n for n, _ in highest) else plainly(position, seat, (low,))
    wanted = {p for n, p in reached if n == longest} if longest else set()
    assert set(LegalPlays(position, seat, roll).results) == wanted


@given(positions(), st.integers(1, 6), st.sampled_from(Seat))
def test_moves_of_one_die(position: Position, die: int, seat: Seat) -> None:
    assert set(moves_of_die(position, seat, die)) == set(plain_moves(position, seat, die))


def test_every_checker_is_counted_when_bearing_off() -> None:
    position = Position.from_sides(near_of(p1=2), near_of(p1=2))
    (play,) = LegalPlays(position, NEAR, (6, 5))
    assert play.result.off == (CHECKERS, 13)
