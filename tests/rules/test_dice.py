"""Rulings on dice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import START, Position, Seat
from referee.observations import DieState, Half, SeenDie, Touch
from referee.rules import PRESETS, RuleSet, preset
from referee.rules.citing import cite
from referee.rules.dice import (
    fault,
    is_race,
    may_mix_dice,
    may_refuse_first_throw,
    premature,
    rests_well,
    right_half,
    starter,
    thrown_again,
    tied_cube,
)
from referee.rules.ruleset import EdgeTouch, HitBearingOff, IllegalMoves, PrematureRoll

NEAR, FAR = Seat.NEAR, Seat.FAR
BRAY = preset("bray")
ALL = [known.rules for known in PRESETS.values()]


def die(state: DieState = DieState.FLAT, half: Half | None = Half.RIGHT, *touches: Touch) -> SeenDie:
    return SeenDie(3, state, half, (0.0, 0.0), 1.0, touches)


def code(one: SeenDie, rules: RuleSet = BRAY, seat: Seat = NEAR) -> str:
    reason = fault(one, seat, rules)
    return reason.code if reason else ""


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
def test_flat_in_the_right_hand_half_counts(rules: RuleSet) -> None:
    assert code(die(), rules) == ""
    assert code(die(half=Half.LEFT), rules, FAR) == ""
    assert (right_half(NEAR), right_half(FAR)) == (Half.RIGHT, Half.LEFT)


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
def test_what_never_counts(rules: RuleSet) -> None:
    assert code(die(half=Half.LEFT), rules) == "wrong_half"
    assert code(die(half=Half.RIGHT), rules, FAR) == "wrong_half"
    for state in (DieState.COCKED, DieState.ON_BAR, DieState.OFF_BOARD):
        assert code(die(state, None), rules) == state.value


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
def test_flat_on_a_checker(rules: RuleSet) -> None:
    counts = rules.name in ("strato", "usbgf")
    assert rests_well(die(DieState.ON_CHECKER), rules) == counts
    assert code(die(DieState.ON_CHECKER), rules) == ("" if counts else "on_checker")
    assert code(die(DieState.ON_CHECKER, Half.LEFT), rules) == ("wrong_half" if counts else "on_checker")


@pytest.mark.parametrize("touch", [Touch.BAR, Touch.RAIL])
def test_flat_against_the_edge(touch: Touch) -> None:
    assert code(die(DieState.FLAT, Half.RIGHT, touch)) == ""
    assert code(die(DieState.FLAT, Half.RIGHT, touch), preset("agca")) == "on_bar"
    assert code(die(DieState.FLAT, Half.RIGHT, Touch.CHECKER, Touch.DIE), preset("agca")) == ""


def test_the_rule_cited_is_the_sources_own() -> None:
    cited = {rules.name: fault(die(DieState.COCKED), NEAR, rules) for rules in ALL}
    ids = {name: reason.rule for name, reason in cited.items() if reason}
    assert ids["magriel"] == "S0-34"
    assert ids["strato"] == "S1-05"
    assert ids["traditional"] == "S3-15"
    assert ids["agca"] == "S4-02"
    assert {ids[name] for name in ("bray", "usbgf", "wbgf", "ukbgf", "money")} == {"S2-06"}
    on_checker = fault(die(DieState.ON_CHECKER), NEAR, preset("agca"))
    assert on_checker is not None
    assert on_checker.rule == "S2-06"  # S4 does not speak of it


def test_no_rule_is_cited_that_says_otherwise_than_the_set_has_it() -> None:
    club = replace(BRAY, name="Thursday club")
    assert cite(club, "premature") == "S2-09"
    assert cite(replace(club, premature_roll=PrematureRoll.REROLL), "premature") == "S3-14"
    assert cite(replace(club, premature_roll=PrematureRoll.ASK), "premature") == "S0-36"
    assert cite(club, "hit_bearing_off") == "S2-15"
    assert cite(replace(club, hit_bearing_off=HitBearingOff.REST_FROZEN), "hit_bearing_off") == "S4-08"
    edge = fault(die(DieState.FLAT, Half.RIGHT, Touch.RAIL), NEAR, replace(club, edge_touch=EdgeTouch.INVALID))
    assert edge is not None and edge.rule == "S4-02"
    assert cite(replace(club, illegal_moves=IllegalMoves.EITHER_MAY), "illegal") == "S0-37"
    assert cite(preset("wbgf-responsible"), "illegal") == "S0-37", "S2-08 obliges both players to have it put right"
    assert cite(preset("wbgf"), "illegal") == "S2-08"
    unmixed = may_mix_dice(club, between_games=True)
    assert unmixed is not None and unmixed.rule == ""


def test_both_dice_are_thrown_again_or_the_faulty_one() -> None:
    good, bad = die(), die(DieState.COCKED)
    assert thrown_again((good, bad), NEAR, BRAY) == (good, bad)
    assert thrown_again((good, bad), NEAR, preset("agca")) == (bad,)
    assert thrown_again((good, good), NEAR, BRAY) == ()
    assert thrown_again((bad, bad), NEAR, preset("agca")) == (bad, bad)


def test_the_higher_die_starts() -> None:
    assert (starter(5, 3), starter(2, 3), starter(4, 4)) == (NEAR, FAR, None)


def ties(rules: RuleSet, number: int, money: bool = True) -> int:
    cube = 1
    for tie in range(number):
        cube = tied_cube(cube, tie, rules, money)
    return cube


def test_automatic_doubles_up_to_the_limit() -> None:
    assert ties(BRAY, 3) == 1
    assert ties(replace(BRAY, auto_doubles=1), 3) == 2
    assert ties(replace(BRAY, auto_doubles=2), 3) == 4
    assert ties(preset("agca"), 6) == 64
    assert ties(preset("agca"), 6, money=False) == 1


RACE = Position.from_sides((3,) * 5 + (0,) * 20, (3,) * 5 + (0,) * 20)


@pytest.mark.parametrize("roll", [(6, 2), (3, 1)])
def test_a_throw_before_its_time(roll: tuple[int, int]) -> None:
    ruled = {rules.name: premature(START, NEAR, roll, rules) for rules in ALL}
    assert ruled["bray"] is PrematureRoll.STANDS
    assert ruled["traditional"] is PrematureRoll.REROLL
    assert ruled["magriel"] is PrematureRoll.ASK
    assert (cite(BRAY, "premature"), cite(preset("traditional"), "premature")) == ("S2-09", "S3-14")
    assert premature(RACE, NEAR, roll, preset("magriel")) is None
    assert premature(RACE, NEAR, roll, preset("traditional")) is PrematureRoll.REROLL


def test_a_forced_play_may_be_thrown_after_early_where_the_set_says_so() -> None:
    closed = Position.from_sides((0,) * 24 + (1,), (2,) * 6 + (0,) * 19)
    assert premature(closed, NEAR, (6, 5), preset("magriel")) is None
    assert premature(closed, NEAR, (6, 5), BRAY) is PrematureRoll.STANDS


def test_a_race_is_where_nothing_can_be_hit() -> None:
    assert is_race(RACE)
    assert not is_race(START)
    assert not is_race(Position.from_sides((0,) * 24 + (1,), (15, *(0,) * 24)))
    assert is_race(Position.from_sides((0,) * 11 + (15,) + (0,) * 13, (0,) * 11 + (15,) + (0,) * 13))
    assert not is_race(Position.from_sides((0,) * 12 + (15,) + (0,) * 12, (0,) * 12 + (15,) + (0,) * 12))


def test_refusing_the_first_throw() -> None:
    rules = replace(preset("traditional"), first_throw_refusal=True)
    assert may_refuse_first_throw(rules, True, False, (False, False), NEAR) is None
    for why, reason in {
        "already_refused": may_refuse_first_throw(rules, True, False, (True, False), NEAR),
        "already_played": may_refuse_first_throw(rules, True, True, (False, False), NEAR),
        "no_refusal": may_refuse_first_throw(BRAY, True, False, (False, False), NEAR),
    }.items():
        assert reason is not None
        assert (reason.code, reason.rule) == (why, "S3-20")


def test_mixing_the_dice() -> None:
    rules = preset("traditional")
    assert may_mix_dice(rules, between_games=True) is None
    for reason, rule in ((may_mix_dice(rules, between_games=False), "S3-16"), (may_mix_dice(BRAY, between_games=True), "")):
        assert reason is not None
        assert reason.rule == rule
