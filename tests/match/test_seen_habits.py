"""What people do at a board by habit: nobody is accused for it, and what cannot be told is asked."""

from __future__ import annotations

from referee.board.position import Position
from referee.match import events as e
from referee.match.state import Phase
from tests.match.seen_table import FAR, NEAR, Table, begun, plays, throw
from tests.match.test_seen_honest import accused, given, watched

BEFORE = Position((2, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, -4, 0, -2, 0, 0, 1, 0, 0, -2, -2, -5))
HIT = next(play for play in plays(BEFORE, FAR, 5, 3) if play.bar == (1, 0))  # far's 9/6* 9/4
ASIDE = Position(HIT.points, (0, 0), (1, 0))


def hit_and_laid_aside() -> Table:
    """Far hits with 5-3, lays near's checker beside the bar and takes up his dice."""
    table = begun(False)
    given(table, BEFORE)
    watched(table, BEFORE, *throw(FAR, 5, 3), seconds=2)
    watched(table, ASIDE, *throw(FAR, 5, 3), seconds=2)
    return table


def test_a_hit_checker_is_waited_for_and_put_on_the_bar() -> None:
    table = hit_and_laid_aside()
    watched(table, ASIDE, seconds=2.5)
    assert table.phase is Phase.JUDGING
    watched(table, HIT, seconds=1)
    assert not accused(table)
    assert isinstance(table.last, e.Played)
    assert table.service.state.position == HIT


def test_a_hit_checker_that_stays_beside_the_bar_is_asked_about_and_settled_by_what_follows() -> None:
    table = hit_and_laid_aside()
    watched(table, ASIDE, seconds=6)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "hit_beside"
    assert [answer.says.code for answer in doubt.doubt.answers] == ["played", "illegal_as_seen"]
    thrown, entered = throw(NEAR, 4, 1, place=20), plays(HIT, NEAR, 4, 1)[0]
    watched(table, ASIDE, *thrown, seconds=4)
    watched(table, entered, *thrown, seconds=2)
    watched(table, entered, seconds=3)
    assert not accused(table)
    assert table.service.state.position == entered
    assert table.service.state.on_roll is FAR
