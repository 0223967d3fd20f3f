"""A legal play but for one checker, which is nowhere or one too many: it is asked about, and while bearing off in words of its own."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.judge import Illegal, Legal, Unsure, judge
from referee.observations import About, SeenDoubt
from tests.match.seen_table import AFTER_62, FAR, NEAR, begun, plays, throw
from tests.match.test_judge import moved, point, seen

HOME = Position((3, 3, 3, 3, 2, 1, *(0,) * 12, -2, -2, -2, -3, -3, -3), (0, 0), (0, 0))
"""Both bear off."""
STRAGGLER = Position((3, 3, 3, 3, 2, 0, 1, *(0,) * 11, -2, -2, -2, -3, -3, -3), (0, 0), (0, 0))
"""Near's last checker has yet to come home."""
SHUT_OUT = Position((3, 3, 3, 3, 2, 0, *(0,) * 12, -2, -2, -2, -2, -2, -2), (1, 0), (0, 3))


def asked(before: Position, roll: tuple[int, int], read: Position) -> str:
    verdict = judge(before, NEAR, seen(read), plays(before, NEAR, *roll))
    assert isinstance(verdict, Unsure)
    return verdict.code


def test_whoever_bears_off_is_asked_whether_the_checker_is_off() -> None:
    assert asked(HOME, (2, 1), moved(HOME, (6, 4), (5, 4), (4, 0))) == "borne_off_or_not"
    borne_off = moved(HOME, (6, 0), (5, 0))
    put_back = Position((3, 4, *borne_off.points[2:]), borne_off.bar, (1, 0))
    assert asked(HOME, (6, 5), put_back) == "borne_off_or_not", "one more than the play leaves"
    assert asked(STRAGGLER, (3, 1), moved(STRAGGLER, (7, 0), (5, 4))) == "borne_off_or_not", "it should have come home"
    assert asked(SHUT_OUT, (6, 5), moved(SHUT_OUT, (5, 0))) == "borne_off_or_not", "and took one off though he could not play"


def test_elsewhere_a_checker_is_missing_or_one_too_many() -> None:
    played = moved(START, (8, 5), (6, 5))
    assert asked(START, (3, 1), moved(played, (13, 0))) == "checker_missing"
    assert asked(START, (3, 1), moved(played, (6, 0))) == "checker_missing", "nothing was to come to that point"
    others = moved(HOME, (6, 4), (5, 4))
    assert asked(HOME, (2, 1), moved(others, (24, 0), sign=-1)) == "checker_missing", "it is not his who bears off"


def test_on_stills_a_checker_borne_off_or_not_is_asked_about_without_another_look() -> None:
    """Another picture shows no more; one that is missing elsewhere may only have been hidden."""
    table = begun()
    table.say(c.SetPosition, position=HOME)
    table.say(c.SetTurn, seat=NEAR)
    table.see(HOME)
    assert table.see(HOME, *throw(NEAR, 2, 1)) == ["rolled"]
    assert table.see(moved(HOME, (6, 4), (5, 4), (4, 0))) == ["doubt"]
    assert table.event(e.Doubt).reason.code == "borne_off_or_not"
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    missing = moved(plays(AFTER_62, FAR, 3, 1)[0], (13, 0))
    assert table.see(missing) == []
    assert table.see(missing) == ["doubt"]


WRONG = moved(HOME, (6, 1), (5, 1))
"""No play of 2-1, whatever stands on near's 1-point."""


def doubtful(count: int, *doubts: SeenDoubt, played: Position = WRONG) -> object:
    """The verdict on 2-1 ``played`` so, with so many checkers seen on the 1-point."""
    return judge(HOME, NEAR, seen(Position((count, *played.points[1:]), played.bar), *doubts), plays(HOME, NEAR, 2, 1))


@pytest.mark.parametrize("likely", [(3, 5), (-3, 3, 5), ()], ids=["three or five", "or three of the other's", "any"])
def test_one_count_in_doubt_hides_no_illegal_play_that_fifteen_checkers_tell(likely: tuple[int, ...]) -> None:
    for count in (3, 5):
        assert doubtful(count, point(1, *likely)) == Illegal(WRONG, undoubted=False)
    assert doubtful(7, point(1, 3, 5, 7), point(7)) == Illegal(WRONG, undoubted=False), "no empty point has two too many"


def test_fifteen_checkers_tell_nothing_where_they_may_stand_on_either_point_or_cannot_be_so() -> None:
    assert isinstance(doubtful(3, point(1), point(7)), Unsure)
    assert isinstance(doubtful(3, point(1, 3, 4)), Unsure), "five are none of what it may be"
    assert isinstance(doubtful(3, point(1), played=moved(HOME, (6, 1))), Unsure), "but for the doubt it is one checker off"


def test_how_many_of_the_other_players_checkers_may_stand_there_needs_no_sign() -> None:
    before = moved(HOME, (24, 23), sign=-1)
    after = moved(before, (6, 4), (5, 4))
    for likely in ((3, 2), (-3, -2)):
        miscounted = moved(after, (24, 0), sign=-1)
        assert judge(before, NEAR, seen(miscounted, point(24, *likely)), plays(before, NEAR, 2, 1)) == Legal(after, undoubted=False)


def test_what_is_missing_from_fifteen_is_not_taken_for_borne_off_while_a_count_is_in_doubt() -> None:
    wrong = moved(HOME, (6, 1), (5, 0))
    verdict = judge(HOME, NEAR, seen(wrong, point(24, -3)), plays(HOME, NEAR, 2, 1))
    assert isinstance(verdict, Unsure) and verdict.code == "unclear"


def test_a_tray_that_shows_fewer_than_are_missing_is_asked_about_unless_the_tray_is_in_doubt() -> None:
    wrong = moved(HOME, (6, 0), (5, 0))  # 2-1 bears neither off
    legal = plays(HOME, NEAR, 2, 1)
    verdict = judge(HOME, NEAR, seen(wrong, off=(1, None)), legal)
    assert isinstance(verdict, Unsure) and verdict.code == "off_differs"
    hidden = SeenDoubt(About.OFF, "hidden", "", seat=NEAR)
    assert judge(HOME, NEAR, seen(wrong, hidden, off=(1, None)), legal) == Illegal(wrong, undoubted=False)
    assert judge(HOME, NEAR, seen(wrong, off=(2, None)), legal) == Illegal(wrong)


