"""Dice that are brushed aside, badly lit, hidden or left lying cost an honest player nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START
from referee.match import events as e
from referee.match.state import Phase
from referee.observations import About, DieState, SeenDie, SeenDoubt
from referee.rules.presets import preset
from referee.rules.ruleset import TurnEnd
from tests.match.seen_table import AFTER_62, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, plays, throw
from tests.match.test_judge import moved

HIDDEN = SeenDoubt(About.DIE, "hidden", "a hand may hide dice")
WRONG_SIZE = SeenDoubt(About.PICTURE, "size", "the picture has another size")
MIDWAY = moved(AFTER_62, (12, 17), sign=-1)
"""Far has played the five of his 5-3 and thinks about the three."""


def in_doubt(seen: SeenDie, code: str = "state", *values: int) -> SeenDoubt:
    return SeenDoubt(About.DIE, code, "", centre=seen.centre, values=values)


def brushed(seen: SeenDie, by: float = 14.0) -> SeenDie:
    return replace(seen, centre=(seen.centre[0] + by, seen.centre[1]))


def test_dice_brushed_aside_and_in_doubt_in_mid_play_end_no_turn() -> None:
    thrown = throw(FAR, 5, 3)
    one, both = (brushed(thrown[0]), thrown[1]), (brushed(thrown[0]), brushed(thrown[1]))
    for dice, doubts in ((one, (in_doubt(one[0]),)), (both, (in_doubt(both[0]), in_doubt(both[1])))):
        table = begun(stills=False)
        table.see(AFTER_62, *thrown)
        assert table.see(MIDWAY, *dice, doubts=doubts, looks=14) == []
        assert table.phase is Phase.ROLLED
        assert table.see(plays(AFTER_62, FAR, 5, 3)[0], looks=6) == ["played"]


def test_a_die_misread_under_a_lamp_in_mid_play_ends_no_turn() -> None:
    table = begun(stills=False)
    thrown = throw(FAR, 5, 3)
    table.see(AFTER_62, *thrown)
    misread = replace(thrown[0], value=4, confidence=0.5)
    assert table.see(MIDWAY, misread, thrown[1], doubts=(in_doubt(misread, "value", 4, 5),), looks=14) == []
    assert table.phase is Phase.ROLLED


def test_a_die_that_stays_in_doubt_does_not_hold_up_a_whole_play_or_the_others_throw() -> None:
    thrown = throw(FAR, 5, 3)
    pushed = brushed(thrown[0])
    right = plays(AFTER_62, FAR, 5, 3)[0]
    for dice, expected in (((pushed,), ["played"]), ((pushed, *throw(NEAR, 4, 2)), ["played", "rolled"])):
        table = begun(stills=False)
        table.see(AFTER_62, *thrown)
        table.see(right, *thrown)
        assert table.see(right, *dice, doubts=(in_doubt(pushed),), looks=8) == expected
    table = begun(stills=False)
    table.see(AFTER_62, *thrown)
    assert table.see(MIDWAY, pushed, *throw(NEAR, 4, 2), doubts=(in_doubt(pushed),)) == ["illegal_play_stood", "rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_pictures_that_cannot_be_read_end_no_turn(stills: bool) -> None:
    table = begun(stills)
    thrown = throw(FAR, 5, 3)
    table.see(AFTER_62, *thrown)
    table.cube = None
    assert table.see(None, doubts=(WRONG_SIZE,), looks=3) == []
    assert table.phase is Phase.ROLLED


@pytest.mark.parametrize(("stills", "hand"), [(True, True), (False, False)])
@pytest.mark.parametrize("seen", [0, 1])
def test_dice_under_a_hand_or_cloth_are_not_lifted(stills: bool, hand: bool, seen: int) -> None:
    table = begun(stills)
    thrown = throw(FAR, 5, 3)
    table.see(AFTER_62, *thrown)
    assert table.see(MIDWAY, *thrown[:seen], doubts=(HIDDEN,), hand=hand) == []
    assert table.phase is Phase.ROLLED


@pytest.mark.parametrize(("stills", "hand"), [(True, True), (False, False)])
def test_a_die_under_a_hand_or_cloth_is_not_missing(stills: bool, hand: bool) -> None:
    table = begun(stills)
    thrown = throw(FAR, 5, 3)
    assert table.see(AFTER_62, thrown[0], doubts=(HIDDEN,), hand=hand, looks=1 if stills else 12) == []
    assert table.see(AFTER_62, *thrown) == ["rolled"]
    assert table.event(e.Rolled) == e.Rolled(FAR, (5, 3))


@pytest.mark.parametrize("before_the_turn_is_over", [True, False])
def test_a_die_left_from_the_opening_and_brushed_aside_is_no_throw(before_the_turn_is_over: bool) -> None:
    table = Table(stills=False)
    table.see(START)
    table.see(START, *OPENING)
    near, far = OPENING
    if before_the_turn_is_over:
        assert table.see(START, near, brushed(far, 12)) == []
    else:
        assert table.see(AFTER_62, far) == ["played"]
    assert "roll_void" not in table.see(AFTER_62, brushed(far, 12), looks=14)
    assert (table.phase, table.service.state.on_roll) == (Phase.TO_ROLL, FAR)
    assert table.see(AFTER_62, *throw(FAR, 5, 3, place=40)) == ["rolled"]


def test_a_die_left_lying_and_pushed_away_is_nobodys_throw() -> None:
    """Where the clock ends turns dice are left on the board, and the next player pushes them out of his way."""
    table = begun(stills=False, rules=replace(preset("bray"), turn_end=TurnEnd.LIFT_BY_ANYONE))
    thrown = throw(FAR, 5, 3)
    table.see(AFTER_62, *thrown)
    after = plays(AFTER_62, FAR, 5, 3)[0]
    table.see(after, *thrown)
    assert table.see(after, thrown[0], looks=14) == ["played"]
    assert table.see(after, brushed(thrown[0], 25), looks=14) == []
    assert table.see(after, brushed(thrown[0], 130), looks=14) == []
    assert table.see(after, brushed(thrown[0], 130), *throw(NEAR, 4, 2)) == ["rolled"]


def test_the_same_number_thrown_elsewhere_is_a_throw() -> None:
    """Far takes up his die of the opening, and one of his two shows the same."""
    table = Table(stills=False)
    table.see(START)
    table.see(START, *OPENING)
    table.see(AFTER_62, OPENING[1])
    assert table.see(AFTER_62, die(2, LEFT, place=60), looks=2) == []
    assert table.see(AFTER_62, die(2, LEFT, place=60), die(4, LEFT, place=60)) == ["rolled"]


def test_dice_left_lying_are_known_after_unreadable_pictures() -> None:
    table = Table(stills=False)
    table.see(START)
    table.see(START, *OPENING)
    table.see(AFTER_62, OPENING[1])
    cube, table.cube = table.cube, None
    table.see(None, doubts=(WRONG_SIZE,))
    table.cube = cube
    assert table.see(AFTER_62, OPENING[1], looks=14) == []


@pytest.mark.parametrize("left", [throw(NEAR, 6, 2), OPENING], ids=["in one half", "one in each"])
def test_dice_of_the_last_game_are_not_the_opening_of_the_next(left: tuple[SeenDie, SeenDie]) -> None:
    table = Table(stills=False)
    assert table.see(START, *left, looks=14) == ["game_started"]
    assert table.see(START, die(1, RIGHT, place=50), left[1], looks=14) == [], "the near player has thrown with one of them"
    assert table.see(START, die(1, RIGHT, place=50), die(3, LEFT, place=50)) == ["opening_rolled"]


def bumped(dice: tuple[SeenDie, ...], x: float = 15.0, y: float = 4.0) -> tuple[SeenDie, ...]:
    """The dice as they are seen once the board has moved a little: by a pixel more or less, as they are read."""
    return tuple(replace(d, centre=(d.centre[0] + x + i, d.centre[1] + y)) for i, d in enumerate(dice))


def test_an_opening_tie_is_told_once_though_the_board_is_bumped() -> None:
    table = Table(stills=False, rules="agca")
    table.see(START)
    tie = (die(4, RIGHT), die(4, LEFT))
    assert table.see(START, *tie) == ["opening_tied", "auto_doubled"]
    assert table.see(START, *bumped(tie), looks=6) == []
    table.see(START, tie[0], hand=True)
    assert table.see(START, *bumped(bumped(tie), -80.0, 30.0), looks=6) == []
    assert table.service.state.cube.value == 2


def test_a_void_throw_is_void_once_though_the_board_is_bumped() -> None:
    table = begun(stills=False)
    bad = (die(5, LEFT, DieState.COCKED), die(2, LEFT))
    assert table.see(AFTER_62, *bad) == ["roll_void"]
    assert table.see(AFTER_62, *bumped(bad), looks=6) == []
    assert table.see(AFTER_62, *throw(FAR, 3, 1, place=70)) == ["rolled"]


def test_a_tie_thrown_again_with_the_same_numbers_is_another_tie() -> None:
    table = Table(stills=False, rules="agca")
    table.see(START)
    table.see(START, die(4, RIGHT), die(4, LEFT))
    assert table.see(START, die(4, RIGHT, place=30), die(4, LEFT, place=50)) == ["opening_tied", "auto_doubled"]


def test_a_question_put_aside_is_not_asked_again_because_dice_are_read_a_pixel_aside() -> None:
    table = begun(stills=False)
    thrown = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *thrown, doubts=(in_doubt(thrown[0], "value", 3, 5),), looks=6) == ["doubt"]
    table.answer(None)
    for aside in (1.0, -1.0, 1.5):
        now = bumped(thrown, aside, 1.0)
        assert table.see(AFTER_62, *now, doubts=(in_doubt(now[0], "value", 3, 5),)) == []


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("doubted", [True, False])
def test_who_has_thrown_again_and_played_that_is_not_charged_with_an_illegal_play(stills: bool, doubted: bool) -> None:
    """He took a die for cocked that was read as flat."""
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 5, 2))
    again = throw(FAR, 5, 1, place=90)
    table.see(AFTER_62, *again, doubts=(in_doubt(again[1]),) if doubted else ())
    after = next(play for play in plays(AFTER_62, FAR, 5, 1) if play not in plays(AFTER_62, FAR, 5, 2))
    table.see(after, looks=1 if stills else 12)
    asked = table.service.state.doubt
    assert asked is not None
    assert e.Rolled(FAR, (5, 1)) in asked.doubt.answers[0].events
    assert not any(one.event.type == "illegal_play" for one in table.service.log)
