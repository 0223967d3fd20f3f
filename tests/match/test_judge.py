"""A finished play is legal, illegal or in doubt; what was seen is never put right by what is legal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board.plays import LegalPlays
from referee.board.position import START, Position, Seat
from referee.match.judge import Illegal, Legal, NothingMoved, Unsure, as_seen, counts, judge
from referee.observations import About, Reading, SeenDoubt, SeenPosition

NEAR, FAR = Seat.NEAR, Seat.FAR
Case = tuple[Position, Seat, tuple[int, int]]


def seen(position: Position, *doubts: SeenDoubt, off: tuple[int | None, int | None] = (None, None)) -> Reading:
    return Reading((), SeenPosition(position.points, position.bar, off), None, doubts)


def point(number: int, *values: int) -> SeenDoubt:
    return SeenDoubt(About.POINT, "count", "", point=number, values=values)


def moved(position: Position, *moves: tuple[int, int], sign: int = 1) -> Position:
    """Near's (or with ``sign`` -1 far's) checkers from one of near's points to another; 0 is off."""
    points = list(position.points)
    off = list(position.off)
    for source, target in moves:
        points[source - 1] -= sign
        if target:
            points[target - 1] += sign
        else:
            off[0 if sign == 1 else 1] += 1
    return replace(position, points=tuple(points), off=(off[0], off[1]))


def results(position: Position, seat: Seat, roll: tuple[int, int]) -> tuple[Position, ...]:
    return tuple(LegalPlays(position, seat, roll).results)


OPENING_31 = results(START, NEAR, (3, 1))
FIVE_POINT = moved(START, (8, 5), (6, 5))


def test_a_legal_play_is_that_play() -> None:
    assert judge(START, NEAR, seen(FIVE_POINT), OPENING_31) == Legal(FIVE_POINT)


def test_a_wrong_distance_is_illegal_and_logged_as_seen() -> None:
    wrong = moved(START, (8, 4), (6, 5))
    assert judge(START, NEAR, seen(wrong), OPENING_31) == Illegal(wrong)


def test_nothing_moved_is_told_from_other_illegal_plays() -> None:
    assert judge(START, NEAR, seen(START), OPENING_31) == NothingMoved(START)


def test_nothing_moved_is_legal_when_nothing_can_be_played() -> None:
    closed = Position((0,) * 12 + (0,) * 6 + (-2,) * 6, (1, 0), (14, 3))
    assert judge(closed, NEAR, seen(closed), ()) == Legal(closed)


def test_a_doubted_point_is_settled_by_the_one_legal_result_that_agrees_elsewhere() -> None:
    read = replace(FIVE_POINT, points=tuple(n + (i == 5) for i, n in enumerate(FIVE_POINT.points)))  # 5 on the 6-point, not 4
    assert judge(START, NEAR, seen(read, point(6, 4, 5)), OPENING_31) == Legal(FIVE_POINT, undoubted=False)


def test_several_legal_results_are_a_doubt_with_those_as_answers() -> None:
    one, other = moved(START, (13, 10), (13, 12)), moved(START, (13, 10), (24, 23))
    read = seen(one, point(13), point(12), point(24), point(23))
    read = replace(read, position=SeenPosition(tuple(other.points), (0, 0)))
    after = judge(START, NEAR, read, (one, other))
    assert isinstance(after, Unsure)
    assert after.code == "several"
    assert after.answers == (other, one)


def test_an_undoubted_point_is_never_overruled() -> None:
    """Whatever is doubted elsewhere, no answer contradicts a count the reader stands by without being a question."""
    wrong = moved(START, (8, 4), (6, 5))
    after = judge(START, NEAR, seen(wrong, point(24, 1, 2)), OPENING_31)
    assert after == Illegal(wrong, undoubted=False)


def test_likely_counts_exclude_the_others() -> None:
    read = moved(START, (8, 5), (6, 5))
    doubtful = seen(replace(read, points=tuple(0 if i == 4 else n for i, n in enumerate(read.points))), point(5, 0, 1))
    assert not isinstance(judge(START, NEAR, doubtful, OPENING_31), Legal)


def test_more_than_fifteen_is_always_a_doubt() -> None:
    read = replace(START, points=tuple(n + (i == 12) for i, n in enumerate(START.points)))
    after = judge(START, NEAR, seen(read), OPENING_31)
    assert isinstance(after, Unsure)
    assert after.code == "too_many"


def test_a_checker_that_is_nowhere_is_asked_about() -> None:
    gone = moved(FIVE_POINT, (13, 0))
    after = judge(START, NEAR, seen(gone), OPENING_31)
    assert isinstance(after, Unsure)
    assert after.code == "checker_missing"
    assert after.answers == (FIVE_POINT,)


def test_a_tray_that_shows_the_missing_checker_makes_it_an_illegal_play() -> None:
    gone = moved(FIVE_POINT, (13, 0))
    assert judge(START, NEAR, seen(gone, off=(1, 0)), OPENING_31) == Illegal(gone)


def test_a_tray_that_differs_is_asked_about() -> None:
    home = Position((3, 3, 3, 3, 2, 1, *(0,) * 12, -2, -2, -2, -3, -3, -3), (0, 0), (0, 0))
    after = moved(home, (6, 0), (5, 0))
    verdict = judge(home, NEAR, seen(after, off=(1, None)), results(home, NEAR, (6, 5)))
    assert isinstance(verdict, Unsure)
    assert verdict.code == "off_differs"
    assert judge(home, NEAR, seen(after, off=(2, 0)), results(home, NEAR, (6, 5))) == Legal(after)


def test_a_hit_checker_put_off_the_board_is_illegal() -> None:
    before = moved(START, (1, 4), sign=-1)
    points = moved(before, (8, 4), (6, 4)).points
    hit = replace(before, points=tuple(2 if i == 3 else n for i, n in enumerate(points)))
    gone = replace(hit, bar=(0, 0), off=(0, 1))
    assert Position(hit.points, (0, 1)) in results(before, NEAR, (4, 2))
    assert judge(before, NEAR, seen(gone), results(before, NEAR, (4, 2))) == Illegal(gone)


def test_a_board_that_cannot_be_read_is_a_doubt() -> None:
    assert judge(START, NEAR, Reading((), None, None), OPENING_31) == Unsure("unreadable")
    assert judge(START, NEAR, seen(START, SeenDoubt(About.BOARD, "moved", "")), OPENING_31) == Unsure("unreadable")


def test_what_is_missing_from_fifteen_is_off_only_when_nothing_is_in_doubt() -> None:
    after = moved(START, (6, 0))
    assert as_seen(seen(after)) == after
    assert as_seen(seen(after, point(6, 4, 5))) is None


@st.composite
def plays_of_random_games(draw: st.DrawFn) -> Case:
    """A position some random turns into a game."""
    position, seat = START, draw(st.sampled_from(Seat))
    for _ in range(draw(st.integers(0, 30))):
        found = results(position, seat, (draw(st.integers(1, 6)), draw(st.integers(1, 6))))
        if found:
            position = found[draw(st.integers(0, len(found) - 1))]
        seat = seat.other
        if 15 in position.off:
            break
    return position, seat, (draw(st.integers(1, 6)), draw(st.integers(1, 6)))


@settings(max_examples=60, deadline=None)
@given(plays_of_random_games(), st.data())
def test_every_legal_play_read_undoubted_is_that_play(case: Case, data: st.DataObject) -> None:
    before, seat, roll = case
    legal = results(before, seat, roll)
    played = data.draw(st.sampled_from(legal)) if legal else before
    assert judge(before, seat, seen(played), legal) == Legal(played)


@settings(max_examples=150, deadline=None)
@given(plays_of_random_games(), st.data())
def test_no_legal_play_is_called_illegal_for_one_miscounted_point(case: Case, data: st.DataObject) -> None:
    """One count off by one, said or not: the play, or a question, but never an illegal play. (A blot just hit that is not seen on
    the bar is the one exception: it looks as if it had been put off the board.)"""
    before, seat, roll = case
    legal = results(before, seat, roll)
    played = data.draw(st.sampled_from(legal)) if legal else before
    read = list(counts(played))
    places = [i for i, n in enumerate(read) if n and not (i > 23 and played.bar[i - 24] > before.bar[i - 24])]
    place = data.draw(st.sampled_from(places))
    read[place] += data.draw(st.sampled_from((-1, 1)))
    reading = Reading((), SeenPosition(tuple(read[:24]), (read[24], read[25])), None)
    assert isinstance(judge(before, seat, reading, legal), Legal | Unsure)


@pytest.mark.parametrize("seat", Seat)
def test_the_other_players_checker_moved_is_illegal(seat: Seat) -> None:
    sign = -1 if seat is NEAR else 1
    source, target = (12, 9) if seat is NEAR else (13, 10)
    wrong = moved(START, (source, target), sign=sign)
    assert judge(START, seat, seen(wrong), results(START, seat, (3, 1))) == Illegal(wrong)


def test_a_blot_that_is_overlooked_beside_one_that_was_hit_is_asked_about() -> None:
    """It may as well have been hit by another play of the roll and put off the board."""
    before = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -1, -1, -6, 0, 0, 0, 0, 2), (0, 0), (0, 0))
    legal = results(before, NEAR, (6, 1))
    played = next(position for position in legal if position.points[16] == 1 and position.points[17] == -1)
    read = replace(played, points=(*played.points[:17], 0, *played.points[18:]))
    assert isinstance(judge(before, NEAR, seen(read), legal), Unsure)
