"""The opening and every other throw, as the arbiter sees them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import About, DieState, SeenDie, SeenDoubt
from referee.rules.presets import preset
from tests.match.seen_table import (
    AFTER_62,
    FAR,
    LEFT,
    NEAR,
    OPENING,
    RIGHT,
    Table,
    begun,
    die,
    plays,
    throw,
)
from tests.match.test_judge import moved


@pytest.mark.parametrize("stills", [True, False])
def test_nothing_begins_before_the_starting_position(stills: bool) -> None:
    table = Table(stills)
    assert table.see(AFTER_62, *OPENING) == []
    assert table.see(START, doubts=(SeenDoubt(About.POINT, "count", "", point=6, values=(4, 5)),)) == []
    assert table.see(START) == ["game_started"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_tie_is_thrown_again_by_both(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(4, RIGHT), die(4, LEFT)) == ["opening_tied"]
    assert table.see(START, die(4, RIGHT), die(4, LEFT)) == []
    assert table.see(START, die(1, RIGHT), die(4, LEFT)) == [], "far has not thrown again yet"
    assert table.see(START, die(1, RIGHT), die(3, LEFT, place=50)) == ["opening_rolled"]
    assert table.last == e.OpeningRolled(FAR, (1, 3))


@pytest.mark.parametrize("stills", [True, False])
def test_one_die_at_rest_waits_for_the_other(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(6, RIGHT)) == []
    assert table.see(START, die(6, RIGHT), die(2, LEFT, DieState.COCKED)) == ["roll_void"]
    assert table.event(e.RollVoid).seat is FAR
    assert table.see(START, die(6, RIGHT), die(2, LEFT, place=40)) == ["opening_rolled"]


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (die(3, LEFT, DieState.COCKED), "cocked"),
        (die(3, LEFT, DieState.ON_CHECKER), "on_checker"),
        (die(3, None, DieState.ON_BAR), "on_bar"),
        (die(3, None, DieState.OFF_BOARD), "off_board"),
        (die(3, RIGHT), "wrong_half"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_throw_is_void_once_and_thrown_again(stills: bool, bad: SeenDie, code: str) -> None:
    table = begun(stills)
    thrown = (die(5, LEFT), bad)
    assert table.see(AFTER_62, *thrown, looks=1 if stills else 22) == ["roll_void"]  # one in either half may be of the opening
    assert table.last.reason.code == code  # type: ignore[attr-defined]
    assert table.see(AFTER_62, *thrown) == []
    assert table.see(AFTER_62, *throw(FAR, 3, 1, place=20)) == ["rolled"]
    assert table.last == e.Rolled(FAR, (3, 1))


def test_a_die_on_a_checker_counts_where_the_rule_set_says_so() -> None:
    table = begun(rules="strato")
    assert table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.ON_CHECKER)) == ["rolled"]


def test_only_the_faulty_die_is_thrown_again_where_the_rule_set_says_so() -> None:
    both, faulty = begun(), begun(rules="agca")
    for table in (both, faulty):
        table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.COCKED))
    again = (die(5, LEFT), die(2, LEFT, place=90))
    assert both.see(AFTER_62, *again) == []
    assert faulty.see(AFTER_62, *again) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_dice_beside_the_board_are_nobodys_throw(stills: bool) -> None:
    table = begun(stills)
    spare = (die(6, None, DieState.OFF_BOARD), die(1, None, DieState.OFF_BOARD))
    assert table.see(AFTER_62, *spare) == []
    assert table.see(AFTER_62, *spare, *throw(FAR, 3, 1)) == ["rolled"]


def test_a_third_die_that_is_hardly_believed_is_passed_over() -> None:
    table = begun()
    phantom = replace(die(6, LEFT, place=70), confidence=0.3)
    assert table.see(AFTER_62, *throw(FAR, 3, 1), phantom) == ["rolled"]


def test_three_dice_in_one_half_are_no_throw_to_accept() -> None:
    table = begun()
    assert "rolled" not in table.see(AFTER_62, *throw(FAR, 3, 1), die(6, LEFT, place=70))


def value_doubt(seen: SeenDie, *values: int) -> SeenDoubt:
    return SeenDoubt(About.DIE, "value", "", centre=seen.centre, values=values)


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_in_doubt_is_looked_at_again_before_anything_is_said(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),), looks=1) == []
    assert table.see(AFTER_62, *dice) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_that_stays_in_doubt_is_asked_about(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),), looks=4) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert [answer.events[0] for answer in asked.answers[:2]] == [e.Rolled(FAR, (3, 1)), e.Rolled(FAR, (5, 1))]
    table.answer(1)
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 1))
    assert table.see(plays(AFTER_62, FAR, 5, 1)[0]) == ["played"]


def test_of_a_throw_in_doubt_the_higher_number_is_named_first() -> None:
    table = begun()
    dice = throw(FAR, 3, 1)
    table.see(AFTER_62, *dice, doubts=(value_doubt(dice[1], 1, 4),), looks=4)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert [answer.events[0] for answer in asked.answers[:2]] == [e.Rolled(FAR, (3, 1)), e.Rolled(FAR, (4, 3))]


def test_a_die_in_doubt_is_told_by_the_play() -> None:
    table = begun()
    dice = throw(FAR, 3, 1)
    table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),))
    after = next(p for p in plays(AFTER_62, FAR, 5, 1) if p not in plays(AFTER_62, FAR, 3, 1))
    assert table.see(after) == ["rolled", "played"]
    assert table.event(e.Rolled) == e.Rolled(FAR, (5, 1))


@pytest.mark.parametrize("stills", [True, False])
def test_who_threw_dice_in_doubt_is_charged_with_no_play_that_other_numbers_explain(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 6, 1)  # the one, which seems to lean, is a two
    table.see(AFTER_62, *dice, doubts=(SeenDoubt(About.DIE, "state", "", centre=dice[1].centre),), looks=1)
    after = next(p for p in plays(AFTER_62, FAR, 6, 2) if p not in plays(AFTER_62, FAR, 6, 1))
    logged = [kind for _ in range(3) for kind in table.see(after)]
    assert "illegal_play" not in logged
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert e.Rolled(FAR, (6, 2)) in [answer.events[0] for answer in asked.answers]


def test_a_throw_in_doubt_that_is_thrown_again_was_void() -> None:
    table = begun()
    doubt = SeenDoubt(About.DIE, "state", "", centre=die(5, LEFT).centre)
    table.see(AFTER_62, die(5, LEFT, DieState.COCKED), die(2, LEFT), doubts=(doubt,))
    assert table.see(AFTER_62, *throw(FAR, 3, 1, place=25)) == ["roll_void", "rolled"]


def test_a_throw_in_doubt_that_may_have_been_played_unseen_is_not_called_void_at_the_next() -> None:
    table = begun()
    table.see(AFTER_62, die(5, LEFT))  # the other die is overlooked
    middle = plays(AFTER_62, FAR, 5, 1)[0]
    later = throw(FAR, 6, 4, place=25)
    doubt = SeenDoubt(About.DIE, "state", "", centre=later[0].centre)
    assert "roll_void" not in table.see(plays(middle, NEAR, 4, 3)[0], *later, doubts=(doubt,))


def test_what_was_seen_while_a_throw_was_asked_about_is_no_play_of_the_next_throw() -> None:
    """A throw in doubt is taken up and thrown again: the empty board between the two is not the new roll left unplayed."""
    table = begun(stills=False)
    first = throw(FAR, 5, 1)
    doubt = SeenDoubt(About.DIE, "state", "it may not lie flat", centre=first[1].centre)
    assert table.see(AFTER_62, *first, doubts=(doubt,), looks=6) == ["doubt"]
    table.see(AFTER_62)
    clear = table.see(AFTER_62, *throw(FAR, 6, 5, place=40))
    assert clear[-1] == "rolled"
    assert "illegal_play" not in table.see(AFTER_62, *throw(FAR, 6, 5, place=40), looks=8)
    assert table.phase is Phase.ROLLED


@pytest.mark.parametrize("stills", [True, False])
def test_a_disturbed_die_is_no_new_roll(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(AFTER_62, die(3, LEFT), die(4, LEFT, place=130)) == []
    assert table.service.state.dice == (3, 1)
    assert table.see(plays(AFTER_62, FAR, 3, 1)[0]) == ["played"]


@pytest.mark.parametrize(("rules", "expected"), [("bray", True), ("traditional", False)])
def test_a_premature_throw_stands_or_is_thrown_again(rules: str, expected: bool) -> None:
    table = begun(rules=rules)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    after = plays(AFTER_62, FAR, 3, 1)[0]
    early = throw(NEAR, 5, 2)
    assert table.see(after, *throw(FAR, 3, 1), *early) == ([] if expected else ["roll_void"])
    assert table.see(after, *early) == (["played", "rolled"] if expected else ["played"])
    if expected:
        assert table.last == e.Rolled(NEAR, (5, 2), premature=True)


@pytest.mark.parametrize("stills", [True, False])
def test_one_die_that_lies_wrong_beyond_doubt_makes_the_throw_bad_whatever_the_other_is(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62)
    on_checker, unsure = die(1, LEFT, DieState.ON_CHECKER), die(2, LEFT)
    doubt = SeenDoubt(About.DIE, "state", "it may not lie flat", centre=unsure.centre)
    assert table.see(AFTER_62, on_checker, unsure, doubts=(doubt,)) == ["roll_void"]


def test_a_mark_that_hardly_looks_like_a_die_and_lay_there_before_is_none_of_the_throw() -> None:
    table = begun(False)
    table.see(AFTER_62)
    mark = replace(die(5, LEFT, place=90), confidence=0.4)
    doubt = SeenDoubt(About.DIE, "value", "5 or 4", centre=mark.centre, values=(5, 4))
    assert table.see(AFTER_62, mark, doubts=(doubt,)) == []
    assert table.see(AFTER_62, mark, *throw(FAR, 3, 1), doubts=(doubt,)) == ["rolled"]
    assert table.event(e.Rolled).dice == (3, 1)


@pytest.mark.parametrize("stills", [True, False])
def test_a_throw_in_doubt_that_is_read_clearly_where_it_lies_was_not_void(stills: bool) -> None:
    """Under a lamp a 4-2 looked like a 5-3."""
    table = begun(stills)
    lit, clear = throw(FAR, 5, 3), throw(FAR, 4, 2)
    clear = (replace(clear[0], centre=lit[0].centre), replace(clear[1], centre=lit[1].centre))
    table.see(AFTER_62, *lit, doubts=(value_doubt(lit[0], 5, 4), value_doubt(lit[1], 3, 2)), looks=1 if stills else 2)
    assert table.see(AFTER_62, *clear) == ["rolled"]
    assert table.event(e.Rolled) == e.Rolled(FAR, (4, 2))


def test_a_cocked_die_that_is_laid_flat_by_hand_makes_no_throw_though_it_is_played() -> None:
    table = begun(stills=False)
    a, b = throw(FAR, 4, 3)
    assert table.see(AFTER_62, a, replace(b, state=DieState.COCKED)) == ["roll_void"]
    assert table.see(AFTER_62, a, b) == []
    after = plays(AFTER_62, FAR, 4, 3)[5]
    assert table.see(after, a, b) + table.see(after) == []
    assert table.see(after, looks=12) == ["doubt"]  # what was rolled is asked, the void throw first
    table.answer(0)
    rolled = table.event(e.Rolled)
    assert isinstance(rolled, e.Rolled)
    assert rolled.dice == (4, 3)


def test_an_opening_die_that_is_laid_flat_by_hand_makes_no_throw_though_it_is_played() -> None:
    table = Table(stills=False)
    table.see(START)
    a, b = OPENING
    assert table.see(START, a, replace(b, state=DieState.COCKED)) == ["roll_void"]
    assert table.see(START, *OPENING) + table.see(AFTER_62, *OPENING) + table.see(AFTER_62) == []
    assert table.see(AFTER_62, looks=12) == ["doubt"]


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("looks", [2, 6])
@pytest.mark.parametrize("answered", [True, False])
def test_who_throws_again_before_he_has_moved_is_asked_whether_that_throw_counts(stills: bool, looks: int, answered: bool) -> None:
    table = begun(stills)  # to the players a die was cocked, or the other had laid them there for him
    assert table.see(AFTER_62, *throw(FAR, 6, 5, place=7)) == ["rolled"]
    table.see(AFTER_62, looks=0 if stills else looks)  # the second may say that nothing was moved
    assert table.see(AFTER_62, *throw(FAR, 4, 3)) == ["doubt"]
    if answered:
        table.answer(0)
    after = plays(AFTER_62, FAR, 4, 3)[5]
    said = table.see(after, *throw(FAR, 4, 3)) + table.see(after)
    said += table.see(after, *throw(NEAR, 5, 4)) + table.see(after, *throw(NEAR, 5, 4))
    assert said == ([] if answered else ["doubt_resolved", "rolled"]) + ["played", "rolled"]
    assert table.service.state.last_turn is not None
    assert table.service.state.last_turn.dice == (4, 3)


AGAIN_53 = (die(3, RIGHT, place=40), die(5, LEFT, place=40))  # far starts with 5-3
AFTER_53 = moved(START, (12, 17), (1, 4), sign=-1)


def opened_and_taken_up() -> Table:
    """Near is to start with 6-2; both take their dice up."""
    table = Table(False)
    table.see(START)
    table.see(START, *OPENING)
    table.see(START, looks=2)
    table.now -= 5.0
    return table


def test_an_opening_that_both_throw_again_accuses_nobody_and_is_asked_about() -> None:
    table = opened_and_taken_up()
    assert table.see(START, *AGAIN_53) == ["doubt"]
    table.see(AFTER_53, *AGAIN_53)
    table.see(AFTER_53)
    table.answer(0)
    table.see(AFTER_53)
    assert not any(isinstance(one.event, e.IllegalPlay | e.RollVoid) for one in table.service.log)
    assert (table.service.state.position, table.service.state.on_roll) == (AFTER_53, NEAR)


def test_an_opening_that_ties_as_it_is_thrown_again_is_asked_about() -> None:
    table = opened_and_taken_up()
    table.see(START, die(4, RIGHT, place=40), die(4, LEFT, place=40))
    table.answer(0)
    assert (table.phase, table.service.state.tie) == (Phase.OPENING, (4, 4))
    table.see(START)
    assert table.see(START, *AGAIN_53) == ["opening_rolled"]


BY_THE_RAIL = die(1, None, DieState.ON_BAR, place=60)
MAY_LIE_FLAT = SeenDoubt(About.DIE, "state", "", centre=BY_THE_RAIL.centre)


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_that_may_lie_on_the_rail_or_on_the_field_is_told_by_the_play(stills: bool) -> None:
    table = begun(stills)
    first = die(3, LEFT)
    assert table.see(AFTER_62, first, BY_THE_RAIL, doubts=(MAY_LIE_FLAT,), looks=1) == []
    after = plays(AFTER_62, FAR, 3, 1)[0]
    assert table.see(after, looks=1 if stills else 8) == ["rolled", "played"]
    assert isinstance(table.last, e.Played)
    assert (table.last.dice, table.last.position) == ((3, 1), after)


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_that_goes_on_looking_as_if_it_lay_on_the_rail_is_asked_about_by_its_number(stills: bool) -> None:
    table = begun(stills)
    for _ in range(2):
        table.see(AFTER_62, die(3, LEFT), BY_THE_RAIL, doubts=(MAY_LIE_FLAT,), looks=1 if stills else 8)
    waiting = table.service.state.doubt
    assert waiting is not None
    assert waiting.doubt.reason.code == "throw_unsure"
    assert [answer.says.code for answer in waiting.doubt.answers] == ["rolled", "does_not_count"]
    void = waiting.doubt.answers[1].events[0]
    assert isinstance(void, e.RollVoid)
    assert void.reason.code == "on_bar"


def test_a_die_on_the_rail_beyond_doubt_makes_a_throw_void_whatever_else_lies_there() -> None:
    table = begun()
    assert table.see(AFTER_62, die(3, LEFT), BY_THE_RAIL) == ["roll_void"]


@pytest.mark.parametrize("stills", [True, False])
def test_so_it_is_in_the_opening(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(6, RIGHT), BY_THE_RAIL, doubts=(MAY_LIE_FLAT,), looks=1) == []
    after = plays(START, NEAR, 6, 1)[0]
    assert table.see(after, looks=1 if stills else 8) == ["opening_rolled", "played"]
    assert table.event(e.OpeningRolled) == e.OpeningRolled(NEAR, (6, 1))


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("doubles", [0, 1])
def test_an_opening_that_may_be_a_tie_and_is_thrown_again_was_one_but_turns_no_cube(stills: bool, doubles: int) -> None:
    table = Table(stills, replace(preset("bray"), auto_doubles=doubles))
    table.see(START)
    unsure = replace(die(4, RIGHT), confidence=0.7)
    doubt = SeenDoubt(About.DIE, "value", "", centre=unsure.centre, values=(4, 5))
    assert table.see(START, unsure, die(5, LEFT), doubts=(doubt,), looks=1 if stills else 2) == []
    said = "roll_void" if doubles else "opening_tied"
    assert table.see(START, die(6, RIGHT, place=50), die(2, LEFT, place=50)) == [said, "opening_rolled"]
    assert table.service.state.cube.value == 1


@pytest.mark.parametrize("stills", [True, False])
def test_but_where_a_die_of_it_seemed_to_be_cocked_it_was_void_and_turns_no_cube(stills: bool) -> None:
    table = Table(stills, replace(preset("money"), auto_doubles=1))
    table.see(START)
    dice = (die(5, RIGHT, DieState.COCKED), die(4, LEFT))
    doubts = (SeenDoubt(About.DIE, "state", "", centre=dice[0].centre), value_doubt(dice[1], 5))
    table.see(START, *dice, doubts=doubts, looks=1 if stills else 2)
    assert table.see(START, die(6, RIGHT, place=50), die(2, LEFT, place=50))[-2:] == ["roll_void", "opening_rolled"]
    assert table.service.state.cube.value == 1
