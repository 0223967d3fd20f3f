"""An illegal play is named, with the rule it breaks and the checkers to put back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from referee.board import BAR, START, LegalPlays, Move, Position, Seat, make
from referee.rules import preset
from referee.rules.plays import CODES, Illegal, PutBack, closed_out, describe_illegal, pressed_without_roll
from tests.board.positions import positions, rolls

NEAR, FAR = Seat.NEAR, Seat.FAR
BRAY = preset("bray")


def side(**points: int) -> tuple[int, ...]:
    """Checkers by point: ``p8=3`` is three on the 8-point, ``bar=1`` one on the bar."""
    counts = [0] * 25
    for name, n in points.items():
        counts[24 if name == "bar" else int(name[1:]) - 1] = n
    return tuple(counts)


def position(near: tuple[int, ...], far: tuple[int, ...]) -> Position:
    return Position.from_sides(near, far)


def moved(before: Position, seat: Seat, *steps: tuple[int, int]) -> Position:
    """``before`` after checkers of ``seat`` were put from place to place, opponent's blots staying hidden from sight."""
    return restored(before, tuple(PutBack(seat, source, target) for source, target in steps))


def restored(after: Position, steps: tuple[PutBack, ...]) -> Position:
    """``after`` with all those checkers moved by hand, at once."""
    sides = {seat: list(after.side(seat)) for seat in Seat}
    for step in steps:
        for place, change in ((step.source, -1), (step.target, 1)):
            if place:
                sides[step.seat][place - 1] += change
    assert min(min(counts) for counts in sides.values()) >= 0
    return Position.from_sides(tuple(sides[NEAR]), tuple(sides[FAR]))


def named(before: Position, roll: tuple[int, int], after: Position, seat: Seat = NEAR, rules: str = "bray") -> Illegal:
    plays = preset(rules).plays(before, seat, roll)
    assert after not in plays
    found = describe_illegal(before, seat, roll, after, preset(rules))
    right = restored(after, found.put_back)
    assert right == before or right in plays
    return found


def test_the_6_was_not_played() -> None:
    found = named(START, (6, 2), moved(START, NEAR, (13, 11)))
    assert (found.code, found.reason.get("die"), found.reason.rule) == ("number_not_played", 6, "S2-12")
    assert found.put_back == (PutBack(NEAR, 11, 13),)


def test_7_pips_with_one_checker_on_a_roll_of_6_2() -> None:
    found = named(START, (6, 2), moved(START, NEAR, (13, 6), (24, 22)))
    assert found.code == "wrong_distance"
    assert [found.reason.get(v) for v in ("pips", "source", "target", "d1", "d2")] == [7, 13, 6, 6, 2]


def test_the_opponents_checker_was_moved() -> None:
    after = moved(moved(START, NEAR, (24, 18), (13, 11)), FAR, (6, 5))
    found = named(START, (6, 2), after)
    assert (found.code, found.act) == ("opponent_moved", 6)
    assert found.reason.get("seat") == "far"
    assert found.put_back == (PutBack(FAR, 5, 6),)


def test_what_is_wrong_is_the_same_from_both_chairs() -> None:
    for seat in Seat:
        found = named(START, (6, 2), moved(START, seat, (13, 11)), seat)
        assert found.reason.get("die") == 6
        assert found.put_back == (PutBack(seat, 11, 13),)


# --- the fourteen acts ----------------------------------------------------------------------------------------------

HOME = side(p6=2, p5=2, p2=1)


def test_1_own_checker_on_the_bar_instead_of_off() -> None:
    before = position(HOME, side(p6=3))
    found = named(before, (6, 5), moved(before, NEAR, (6, BAR), (5, 0)))
    assert (found.code, found.act, found.reason.get("source")) == ("own_on_bar", 1, 6)


def test_2_opponents_checker_taken_off() -> None:
    before = position(HOME, side(p6=3, p24=1))
    found = named(before, (6, 5), moved(moved(before, NEAR, (6, 0)), FAR, (24, 0)))
    assert (found.code, found.act) == ("opponent_borne_off", 2)
    assert PutBack(FAR, 0, 24) in found.put_back


def test_3_opponents_checker_entered_instead_of_ones_own() -> None:
    before = position(side(bar=1, p8=3), side(bar=1, p6=3))
    found = named(before, (3, 1), moved(moved(before, FAR, (BAR, 22)), NEAR, (8, 7)))
    assert (found.code, found.act) == ("opponent_entered", 3)


BLOT = position(side(p8=2, p13=2), side(p20=1, p6=3))  # far's blot stands on near's 5-point
HIT = make(BLOT, NEAR, (Move(8, 5, True), Move(13, 12)))


def test_4_hit_checker_put_off_the_board() -> None:
    found = named(BLOT, (3, 1), replace(HIT, bar=(0, 0), off=(HIT.off[0], HIT.off[1] + 1)))
    assert (found.code, found.act, found.reason.get("point")) == ("hit_checker_off", 4, 20)
    assert found.put_back == (PutBack(FAR, 0, BAR),)


def test_5_hit_checker_put_on_a_point() -> None:
    found = named(BLOT, (3, 1), moved(HIT, FAR, (BAR, 21)))
    assert (found.code, found.act) == ("hit_checker_on_point", 5)
    assert found.put_back == (PutBack(FAR, 21, BAR),)


def test_4_and_5_are_named_when_the_rest_is_wrong_too() -> None:
    wrong = moved(HIT, NEAR, (12, 13))
    assert named(BLOT, (3, 1), moved(wrong, FAR, (BAR, 0))).code == "hit_checker_off"
    assert named(BLOT, (3, 1), moved(wrong, FAR, (BAR, 21))).code == "hit_checker_on_point"


def test_7_and_14_clock_pressed_without_a_roll() -> None:
    found = pressed_without_roll(START, NEAR, BRAY)
    assert found is not None
    assert CODES[found.code][0] == 7
    mistake = pressed_without_roll(START, NEAR, BRAY, by_mistake=True)
    assert mistake is not None
    assert CODES[mistake.code][0] == 14


def test_7_closed_out_players_need_not_roll() -> None:
    closed = position(side(bar=1), side(**{f"p{p}": 2 for p in range(1, 7)}))
    assert closed_out(closed, NEAR)
    assert not closed_out(closed, FAR)
    assert pressed_without_roll(closed, NEAR, BRAY) is None


def test_8_checker_on_the_bar_that_was_not_hit() -> None:
    found = named(START, (6, 2), moved(moved(START, NEAR, (24, 18), (13, 11)), FAR, (8, BAR)))
    assert (found.code, found.act) == ("not_hit_on_bar", 8)
    assert found.put_back == (PutBack(FAR, BAR, 8),)


def test_9_borne_off_while_one_is_outside() -> None:
    before = position(side(p9=1, p6=2), side(p6=3))
    found = named(before, (6, 1), moved(before, NEAR, (6, 0), (6, 5)))
    assert (found.code, found.act, found.reason.rule) == ("borne_off_early", 9, "S2-15")


def test_9_borne_off_with_a_number_too_small_or_a_higher_point_left() -> None:
    before = position(HOME, side(p6=3))
    assert named(before, (4, 3), moved(before, NEAR, (5, 0), (6, 3))).code == "borne_off_number"
    assert named(before, (4, 3), moved(before, NEAR, (2, 0), (6, 3))).code == "borne_off_number"
    contact = position(side(p6=2, p5=2), side(p23=1, p6=3))  # who comes off from the home board has not hit the blot that he would have met
    assert named(contact, (4, 3), moved(contact, NEAR, (6, 0))).code == "borne_off_number"


def test_9_one_number_bears_off_one_checker() -> None:
    before = position(side(p2=2, p1=4), side(p6=3))
    assert named(before, (2, 1), moved(before, NEAR, (2, 0), (2, 0))).code == "borne_off_besides"


def test_what_a_number_bears_off_is_not_said_to_be_past_bearing_off() -> None:
    before = position(side(p3=3), side(p6=3))  # 3/off is legal, by both numbers
    found = named(before, (2, 1), moved(before, NEAR, (3, 2), (3, 0)))
    assert (found.code, found.act, found.reason.rule) == ("borne_off_besides", 9, "S2-16")


def test_of_two_checkers_the_higher_was_borne_off_and_the_other_moved() -> None:
    before = position(side(p6=2, p5=2), side(p6=3))
    found = named(before, (6, 6), moved(before, NEAR, (6, 0), (5, 4)))
    assert (found.code, found.reason.get("source"), found.reason.get("target")) == ("wrong_distance", 5, 4)


def test_a_checker_borne_off_and_another_moved_with_the_same_number() -> None:
    before = position(side(p5=2, p3=2, p1=1), side(p6=3))
    found = named(before, (2, 1), moved(before, NEAR, (3, 2), (1, 0)))
    assert (found.code, found.reason.get("die")) == ("played_twice", 1)


def test_10_entered_where_no_number_enters() -> None:
    before = position(side(bar=1, p8=3), side(p6=2))
    found = named(before, (3, 1), moved(before, NEAR, (BAR, 20), (8, 7)))
    assert (found.code, found.act, found.reason.get("target")) == ("entered_wrong", 10, 20)


def test_11_hit_checker_left_in_place() -> None:
    before = position(side(p24=2), side(p7=1, p3=2))  # 18 holds a blot, 22 is closed: 24/16 on 6-2 must hit
    found = named(before, (6, 2), moved(before, NEAR, (24, 16)))
    assert (found.code, found.act, found.reason.get("point")) == ("hit_left", 11, 7)
    assert found.put_back == (PutBack(FAR, 7, BAR),)


def test_11_checker_hidden_by_the_one_it_hit() -> None:
    found = named(BLOT, (3, 1), moved(BLOT, NEAR, (8, 0), (13, 12)))
    assert (found.code, found.reason.get("point")) == ("hit_left", 20)


def test_12_nothing_moved() -> None:
    found = named(START, (6, 2), START)
    assert (found.code, found.act, found.put_back) == ("no_move", 12, ())


def test_13_forced_hit_on_entering() -> None:
    walls = side(p5=2, p4=2, p3=2, p2=2, p1=2, p6=1)
    before = position(side(bar=1, p9=1), walls)
    hit = make(before, NEAR, (Move(BAR, 19, True), Move(9, 8)))
    assert hit in LegalPlays(before, NEAR, (6, 1))
    for place in (0, 9):
        found = named(before, (6, 1), moved(hit, FAR, (BAR, place)))
        assert (found.code, found.act) == ("forced_hit_not_barred", 13)


def test_every_act_of_the_list_has_a_code() -> None:
    assert {act for act, _ in CODES.values()} == set(range(15))


# --- the mover's own numbers ----------------------------------------------------------------------------------------


def test_higher_number_must_be_played() -> None:
    before = position(side(p20=1), side(p16=2))  # near's 9-point is closed: 20/14 or 20/15, then nothing
    assert all(len(p.moves) == 1 for p in LegalPlays(before, NEAR, (6, 5)))
    found = named(before, (6, 5), moved(before, NEAR, (20, 15)))
    assert (found.code, found.reason.get("die"), found.reason.rule) == ("higher_not_played", 6, "S2-12")
    assert moved(before, NEAR, (20, 15)) in preset("agca").plays(before, NEAR, (6, 5))


def test_both_numbers_must_be_played_when_they_can() -> None:
    before = position(side(p20=1, p10=1), side(p10=2))  # near's 15-point is closed
    assert all(len(play.moves) == 2 for play in LegalPlays(before, NEAR, (6, 5)))
    found = named(before, (6, 5), moved(before, NEAR, (10, 4)))  # after that the 5 cannot be played
    assert (found.code, found.reason.rule) == ("both_not_played", "S2-12")


def test_more_of_a_double_could_be_played() -> None:
    found = named(START, (6, 6), moved(START, NEAR, (24, 18), (24, 18)))
    assert found.code == "double_not_finished"
    assert [found.reason.get(v) for v in ("die", "played", "possible")] == [6, 2, 4]


def test_a_number_played_twice() -> None:
    assert named(START, (6, 2), moved(START, NEAR, (24, 18), (13, 7))).reason.get("die") == 6
    assert named(START, (6, 2), moved(START, NEAR, (24, 18), (13, 5))).code == "too_many_pips"


def test_more_checkers_than_numbers() -> None:
    found = named(START, (3, 1), moved(START, NEAR, (8, 5), (6, 5), (24, 23)))
    assert (found.code, found.reason.get("moved")) == ("too_many_moves", 3)


def test_a_double_is_four_moves_and_no_more() -> None:
    five = moved(START, NEAR, (8, 7), (8, 7), (6, 5), (6, 5), (6, 5))
    assert named(START, (1, 1), five).code == "too_many_moves"
    assert named(START, (2, 2), moved(START, NEAR, (13, 7), (13, 9))).code == "too_many_pips"


def test_no_open_point_between() -> None:
    before = position(side(p24=1, p8=2), side(p7=2, p3=2))
    found = named(before, (6, 2), moved(before, NEAR, (24, 16)))
    assert (found.code, found.reason.get("source"), found.reason.get("target")) == ("blocked_between", 24, 16)


def test_backwards_and_bar_first() -> None:
    assert named(START, (6, 2), moved(START, NEAR, (6, 8), (24, 18))).code == "moved_backwards"
    before = position(side(bar=1, p13=2), side(p6=3))
    assert named(before, (3, 1), moved(before, NEAR, (13, 10), (13, 12))).code == "bar_first"
    before = position(side(bar=2, p13=2), side(p5=2))
    assert named(before, (3, 1), moved(before, NEAR, (BAR, 21))).code == "bar_first"


def test_frozen_after_a_hit_while_bearing_off() -> None:
    before = position(side(p20=1, p6=3), side(p1=3))
    found = named(before, (3, 1), moved(before, NEAR, (6, 3), (6, 5)), rules="agca")
    assert (found.code, found.reason.rule) == ("rest_frozen", "S4-08")


def test_moving_without_a_legal_play() -> None:
    closed = position(side(bar=1, p8=2), side(**{f"p{p}": 2 for p in range(1, 7)}))
    assert named(closed, (3, 1), moved(closed, NEAR, (8, 5))).code == "no_play"


@given(positions(), positions(), rolls(), st.sampled_from(Seat), st.sampled_from(["bray", "agca"]))
def test_anything_at_all_is_named(before: Position, after: Position, roll: tuple[int, int], seat: Seat, rules: str) -> None:
    if after not in preset(rules).plays(before, seat, roll):
        assert named(before, roll, after, seat, rules).code in CODES


@given(positions(), rolls(), st.sampled_from(Seat), st.data())
def test_one_checker_gone_astray_is_put_back(before: Position, roll: tuple[int, int], seat: Seat, data: st.DataObject) -> None:
    """From a legal play one of the mover's checkers is put elsewhere: the ruling says how to restore the position."""
    plays = list(LegalPlays(before, seat, roll))
    start = data.draw(st.sampled_from(plays)).result if plays else before
    standing = [p for p in range(1, 26) if start.on_point(seat, p)]
    free = [p for p in range(1, 25) if not start.on_point(seat.other, 25 - p)]
    if not standing or not free:
        return
    after = moved(start, seat, (data.draw(st.sampled_from(standing)), data.draw(st.sampled_from(free))))
    if after in LegalPlays(before, seat, roll) or (after == before and not plays):
        return
    named(before, roll, after, seat)
