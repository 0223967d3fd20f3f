"""Dice that their players touch, slide aside, lay down again or leave lying, plays changed by consent, and readings that flicker: nobody is
accused for it, no throw is made of it, and nothing hangs without a question."""

from __future__ import annotations

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.commands import EnterRoll
from referee.match.state import Phase
from referee.observations import DieState, Half, SeenDie
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, moved, plays, throw
from tests.match.test_seen_honest import AFTER_54, accused, given, kinds, on_point, quick, watched
from tests.match.test_seen_throws import value_doubt

AFTER_31 = moved(AFTER_62, (17, 20), (19, 20), sign=-1)  # far's 8/5 6/5
HALF = moved(AFTER_62, (17, 20), sign=-1)
THROWN, NEXT = throw(FAR, 3, 1), throw(NEAR, 5, 4, place=20)
Place = tuple[Half, float, float]
places = st.tuples(st.sampled_from((LEFT, RIGHT)), st.floats(100, 500), st.floats(150, 600))


def lying(value: int, place: Place) -> SeenDie:
    half, x, y = place
    return SeenDie(value, DieState.FLAT, half, (x if half is LEFT else x + 600, y))


@for_all(places, places, st.booleans())
def test_dice_of_the_roll_may_be_slid_anywhere_on_the_board(first: Place, second: Place, one: bool) -> None:
    slid = (THROWN[0] if one else lying(3, first), lying(1, second))
    apart = [abs(slid[0].centre[i] - slid[1].centre[i]) for i in (0, 1)]
    if max(apart) < 40 or any(abs(s.centre[i] - t.centre[i]) < 40 for s in slid for t in THROWN for i in (0, 1) if s not in THROWN):
        return
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, HALF, *slid)
    assert table.phase is Phase.ROLLED
    quick(table, AFTER_31, *slid, n=12)
    assert (kinds(table)[-1], table.phase) == ("rolled", Phase.ROLLED)
    quick(table, AFTER_31)
    quick(table, AFTER_31, *NEXT)
    assert kinds(table)[-2:] == ["played", "rolled"]
    assert not accused(table)


def test_numbers_that_the_other_throws_once_more_are_his_when_he_moves_with_them() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31, *THROWN)
    quick(table, AFTER_31, *throw(NEAR, 3, 1, place=20))
    played = plays(AFTER_31, NEAR, 3, 1)[0]
    quick(table, played, *throw(NEAR, 3, 1, place=20), n=8)
    quick(table, played, n=12)
    assert not accused(table)
    assert (table.service.state.position, table.service.state.on_roll) == (played, FAR)


def test_a_die_left_of_a_turn_that_was_not_seen_makes_no_bad_throw_with_the_others_dice() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31)
    quick(table, AFTER_31, NEXT[0])
    quick(table, AFTER_54, NEXT[0])
    quick(table, AFTER_54, NEXT[0], *throw(FAR, 6, 2, place=40), n=20)
    assert not accused(table)


def test_dice_laid_down_in_ones_own_half_are_no_throw_of_the_other_who_then_throws() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31)
    laid = throw(FAR, 5, 2, place=30)
    quick(table, AFTER_31, *laid, n=20)
    quick(table, AFTER_31, *laid, *NEXT)
    after = moved(AFTER_31, (13, 8), (13, 9))
    quick(table, after, *laid, *NEXT)
    quick(table, after, *laid, n=12)
    assert not accused(table)
    assert kinds(table)[-3:] == ["rolled", "dice_lifted", "played"]


def test_dice_that_lie_there_as_the_other_throws_are_not_his_next_throw() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31)
    laid = throw(FAR, 5, 2, place=30)
    quick(table, AFTER_31, *laid, *NEXT)
    after = moved(AFTER_31, (13, 8), (13, 9))
    quick(table, after, *laid, *NEXT)
    quick(table, after, *laid, n=12)
    assert kinds(table)[-3:] == ["rolled", "dice_lifted", "played"]


def changed() -> Table:
    """Far has played 3-1, and then, before near throws, another 3-1."""
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31)
    quick(table, AFTER_31, n=8)
    return table


CHANGED = moved(AFTER_62, (1, 2), (12, 15), sign=-1)


def test_when_a_play_was_changed_by_consent_and_that_is_told_late_the_match_goes_on() -> None:
    table = changed()
    quick(table, CHANGED, n=30)
    asked = table.service.state.doubt
    assert asked is not None
    assert [answer.says.code for answer in asked.doubt.answers][-1] == "played_otherwise"
    after = plays(CHANGED, NEAR, 5, 4)[0]
    quick(table, CHANGED, *NEXT)
    quick(table, after, *NEXT)
    quick(table, after)
    table.answer(len(asked.doubt.answers) - 1)
    quick(table, after)
    assert (table.service.state.reconcile, table.service.state.position, table.service.state.on_roll) == (False, after, FAR)


@pytest.mark.parametrize("read", [True, False], ids=["read", "in part in doubt"])
def test_who_plays_from_a_board_that_the_other_has_changed_is_not_accused(read: bool) -> None:
    table = changed()
    doubts = [] if read else [on_point(2, 0, -1)]
    quick(table, CHANGED, n=6, doubts=doubts)
    after = plays(CHANGED, NEAR, 5, 4)[0]
    quick(table, after, *NEXT, n=1)
    quick(table, CHANGED, *NEXT, n=1)
    quick(table, after, *NEXT)
    quick(table, after, n=20)
    assert not accused(table)
    asked = table.service.state.doubt
    assert asked is not None
    assert asked.doubt.reason.code == ("play_changed" if read else "changed_since")


def test_a_number_read_in_doubt_and_then_once_without_is_looked_at_again() -> None:
    table = begun(False)
    wrong = (THROWN[0], SeenDie(4, THROWN[1].state, LEFT, THROWN[1].centre))
    quick(table, AFTER_62, *wrong, n=1, doubts=(value_doubt(wrong[1], 4, 1),))
    quick(table, AFTER_62, *wrong, n=1)
    assert "rolled" not in kinds(table)
    quick(table, AFTER_62, *THROWN, n=6)
    assert table.event(e.Rolled) == e.Rolled(FAR, (3, 1)) or table.service.state.question == "throw"


@for_all(st.lists(st.booleans(), min_size=50, max_size=50))
def test_a_die_that_flickers_makes_a_roll_that_most_looks_show_or_a_question(looks: list[bool]) -> None:
    table = begun(False)
    other = (THROWN[0], SeenDie(4, THROWN[1].state, LEFT, THROWN[1].centre))
    made = []
    for true in looks:
        quick(table, AFTER_62, *(THROWN if true else other), n=1)
        made.append(true)
        if table.phase is Phase.ROLLED:
            rolled = table.event(e.Rolled)
            assert isinstance(rolled, e.Rolled)
            last = [one is (1 in rolled.dice) for one in made[-7:]]
            assert sum(last) >= 2
            assert sum(last) >= 3 * last.count(False)
            return
    assert table.service.state.question == "throw"


def test_after_the_other_was_seen_to_throw_the_next_throw_is_not_that_of_the_turn_before_his() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, AFTER_31)
    hers = throw(FAR, 6, 2, place=40)
    quick(table, AFTER_31, *hers)  # near's turn, a dance, was not seen
    quick(table, moved(AFTER_31, (1, 7), (12, 14), sign=-1), *throw(NEAR, 4, 2, place=10), n=12)
    assert "rolled" not in kinds(table)[-1:]
    assert table.service.state.doubt is not None
    assert Seat.NEAR is table.service.state.on_roll


def test_dice_that_were_laid_there_for_the_other_are_taken_up_and_thrown() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)  # near has laid them there
    watched(table, AFTER_62, seconds=3.5)
    quick(table, AFTER_62, *throw(FAR, 6, 4, place=40))
    assert not accused(table)
    assert table.service.state.question == "throw"
    table.answer(0)
    assert table.service.state.dice == (6, 4)


def test_that_nothing_was_moved_is_said_once_he_could_have_thrown_again() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    watched(table, AFTER_62, seconds=4.0)
    assert not accused(table)
    watched(table, AFTER_62, seconds=2.0)
    assert accused(table) == ["illegal_play"]


def test_who_was_on_the_bar_and_takes_his_dice_up_is_told_at_once_that_he_can_enter() -> None:
    table, hit = begun(False), moved(AFTER_62, (1, 0), sign=-1)
    hit = Position(hit.points, (0, 1))
    given(table, hit)
    quick(table, hit, *THROWN)
    watched(table, hit, seconds=1.0)
    assert accused(table) == ["illegal_play"]


def test_the_dice_of_the_opening_laid_down_again_where_they_lay_are_no_throw() -> None:
    table = Table(False)
    quick(table, START)
    quick(table, START, *OPENING)
    quick(table, AFTER_62, *OPENING)
    quick(table, AFTER_62)
    quick(table, AFTER_62, *OPENING, n=60)
    quick(table, AFTER_62, *THROWN)
    assert not accused(table)
    assert table.event(e.Rolled) == e.Rolled(FAR, (3, 1))


def test_the_same_numbers_thrown_beside_the_others_dice_are_not_those_slid_aside() -> None:
    table = begun(False)
    quick(table, AFTER_62, *THROWN)
    quick(table, HALF, *THROWN)
    hers = throw(NEAR, 3, 1, place=20)
    quick(table, HALF, *THROWN, *hers, n=9)
    quick(table, HALF, *hers)
    quick(table, AFTER_31, *hers)
    assert (table.service.state.position, table.service.state.on_roll, table.phase) == (AFTER_31, NEAR, Phase.ROLLED)
    after = moved(AFTER_31, (6, 3), (6, 5))
    quick(table, after, *hers)
    quick(table, after, n=12)
    assert not accused(table)
    assert (table.service.state.position, table.service.state.on_roll) == (after, FAR)


@pytest.mark.parametrize("stills", [True, False])
def test_who_is_told_to_have_thrown_on_a_board_that_was_changed_is_not_charged_with_that(stills: bool) -> None:
    table = begun(stills)
    shifted = moved(AFTER_62, (6, 5))
    table.see(shifted, looks=3 if stills else 40)
    table.say(EnterRoll, dice=(3, 1), seat=FAR)
    table.see(shifted, *THROWN)
    after = moved(shifted, (17, 20), (19, 20), sign=-1)
    table.see(after, *THROWN)
    table.see(after, looks=2 if stills else 20)
    assert not accused(table)
    assert table.event(e.Doubt).reason.code == "board_shifted"


@pytest.mark.parametrize("knocked", [(8, 7), (1, 2), (20, 21)], ids=["the other's", "one more of his own", "one that he played"])
@pytest.mark.parametrize("back", [True, False])
def test_a_checker_that_a_sleeve_moves_as_the_dice_are_taken_up_is_put_back_before_anybody_is_accused(
    knocked: tuple[int, int], back: bool
) -> None:
    table, thrown = begun(False), throw(FAR, 3, 1)
    watched(table, AFTER_62, *thrown, seconds=2)
    watched(table, AFTER_31, *thrown, seconds=2)
    watched(table, moved(AFTER_31, knocked, sign=1 if knocked == (8, 7) else -1), seconds=2.5 if back else 5)
    assert accused(table) == ([] if back else ["illegal_play"])
    watched(table, AFTER_31, seconds=1)
    assert table.last == e.Played(FAR, (3, 1), "8/5 6/5", AFTER_31) if back else isinstance(table.last, e.PlayCorrected)
