"""One die of two is seen: the other was overlooked, has left the board, or was taken up. The picture does not tell which."""

from __future__ import annotations

import pytest

from referee.board.position import START
from referee.match import events as e
from referee.match.shown.wording import sentence
from referee.match.state import Phase
from tests.match.seen_table import AFTER_62, FAR, NEAR, OPENING, Table, begun, plays, throw
from tests.match.test_between import AFTER_31, both_ways, kinds
from tests.match.test_overlooked import quickly
from tests.match.test_seen_throws import value_doubt

THROWN = throw(FAR, 3, 1)
SEEN = THROWN[:1]


def asked(table: Table) -> e.Doubt:
    state = table.service.state
    assert state.doubt is not None
    return state.doubt.doubt


def asking(stills: bool) -> Table:
    """Far has thrown, and one of his dice is not seen."""
    table = begun(stills)
    for _ in range(2):
        table.see(AFTER_62, *SEEN, looks=1 if stills else 8)
    assert kinds(table, 0)[-1] == "doubt"
    return table


@both_ways
def test_a_throw_of_which_one_die_is_seen_is_asked_about_and_not_void(stills: bool) -> None:
    table = asking(stills)
    doubt = asked(table)
    assert (doubt.about, doubt.reason.code, doubt.reason.get("die1")) == ("throw", "one_die_seen", 3)
    answers = [answer.events for answer in doubt.answers]
    assert answers[:6] == [(e.Rolled(FAR, (max(3, other), min(3, other))),) for other in range(1, 7)]
    assert [(event.type, event.reason.code) for event in answers[6] if isinstance(event, e.RollVoid)] == [("roll_void", "missing_die")]
    assert "a 3" in sentence(doubt.reason)
    assert "roll_void" not in kinds(table, 0)


@both_ways
def test_the_die_that_was_overlooked_answers_it_when_it_is_seen(stills: bool) -> None:
    table = asking(stills)
    assert table.see(AFTER_62, *THROWN) == ["doubt_resolved", "rolled"]
    assert table.last == e.Rolled(FAR, (3, 1))


@both_ways
@pytest.mark.parametrize("again", [(6, 5), (6, 3)])
def test_the_die_that_left_the_board_answers_it_when_both_are_thrown_again(stills: bool, again: tuple[int, int]) -> None:
    """Also where they show the number that was seen before."""
    table = asking(stills)
    table.see(AFTER_62)
    assert table.see(AFTER_62, *throw(FAR, *again, place=40)) == ["doubt_resolved", "roll_void", "rolled"]
    void = table.event(e.RollVoid)
    assert isinstance(void, e.RollVoid)
    assert (void.seat, void.dice, void.reason.code) == (FAR, (3,), "missing_die")


@both_ways
def test_what_a_person_says_was_thrown_is_played_though_one_die_is_never_seen(stills: bool) -> None:
    table = asking(stills)
    table.answer(0)  # 3-1
    table.see(AFTER_62, *SEEN)
    table.see(AFTER_31, *SEEN, looks=2)
    assert table.phase is Phase.ROLLED, "he may change it while the die lies there"
    assert table.see(AFTER_31) == ["played"]
    assert table.last == e.Played(FAR, (3, 1), "8/5 6/5", AFTER_31)


@both_ways
def test_a_play_tells_no_roll_of_which_one_die_was_seen(stills: bool) -> None:
    """It may be an illegal play of another number."""
    table = begun(stills)
    table.see(AFTER_62, *SEEN)
    table.see(AFTER_31, looks=2 if stills else 8)
    doubt = asked(table)
    assert (doubt.about, doubt.reason.code) == ("roll", "roll_unseen")
    assert (doubt.answers[0].says.get("high"), doubt.answers[0].says.get("low")) == (3, 1)


def test_who_throws_when_the_throw_that_is_asked_about_was_played_is_a_round_further() -> None:
    table = asking(False)
    after = plays(AFTER_31, NEAR, 5, 4)[0]
    table.see(AFTER_31)
    table.see(after)
    assert table.see(after, *throw(FAR, 6, 5, place=40)) == []
    assert table.service.state.question == "throw"


def test_a_die_of_a_throw_in_doubt_that_lies_there_alone_is_no_throw() -> None:
    """While a question is open a play goes on; of what was seen then one picture shows a die, the other being lifted."""
    table = begun(False)
    table.see(AFTER_31, looks=8)
    assert asked(table).about == "roll"
    near = throw(NEAR, 5, 4)
    after = plays(AFTER_31, NEAR, 5, 4)[0]
    table.see(AFTER_31, *near, doubts=(value_doubt(near[0], 5, 3),))
    table.see(after, near[0])
    table.answer(0)
    table.see(after)
    assert "roll_void" not in kinds(table, 0)


@pytest.mark.parametrize("looks", [1, 4])
def test_one_die_of_a_roll_that_is_overlooked_for_a_while_ends_no_turn(looks: int) -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    quickly(table, AFTER_31, *SEEN, looks=2)
    table.see(AFTER_31, *SEEN, looks=looks)
    table.now -= 5
    assert table.phase is Phase.ROLLED
    other = plays(AFTER_62, FAR, 3, 1)[0]
    assert other != AFTER_31
    table.see(other, *THROWN)
    assert table.see(other) == ["played"]
    last = table.last
    assert isinstance(last, e.Played)
    assert (last.seat, last.dice, last.position) == (FAR, (3, 1), other)


def test_one_die_that_stays_alone_after_a_whole_play_ends_the_turn() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    table.see(AFTER_31, *THROWN)
    assert table.see(AFTER_31, *SEEN, looks=10) == ["played"]


def test_one_die_that_goes_as_the_play_comes_about_is_overlooked_until_the_other_throws() -> None:
    table = begun(False)
    table.see(AFTER_62, *THROWN)
    assert table.see(AFTER_31, *SEEN, looks=20) == []
    assert table.see(AFTER_31, *SEEN, *throw(NEAR, 5, 4)) == ["played", "rolled"]


def test_the_opening_throw_of_which_one_die_is_seen_is_waited_for() -> None:
    table = Table(False)
    table.see(START)
    assert table.see(START, OPENING[0], looks=12) == []
