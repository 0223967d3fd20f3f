"""A match that was started under the wrong rules, or with the wrong clock, goes on under the right ones, as long as nothing of it would
have gone otherwise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import fold
from referee.match.shown.views import table_view
from referee.match.state import Phase
from referee.match.table import open_table
from referee.records.jsonrecord import read_json
from referee.records.store import Store
from referee.records.whole import Whole, log_of
from referee.rules.presets import preset
from referee.rules.ruleset import ClockMode, ClockRules, RuleSet, TurnEnd
from tests.match.hand import FAR, NEAR, Hand
from web.snapshot import log_lines

USUAL = ClockRules(ClockMode.SIMPLE_DELAY)


def told(hand: Hand) -> str:
    return str(log_lines(hand.table.log, hand.table.state)[-1]["text"])


def test_a_choice_put_right_counts_from_the_beginning() -> None:
    hand = Hand(0)
    hand.open()
    assert "set_rules" in hand.can()
    (event,) = hand.do(c.SetRules, rules="bray", choices=(("jacoby", True),))
    assert isinstance(event, e.RulesSet) and event.changed == ("jacoby",)
    assert told(hand) == (
        "The rules were put right: In money play gammons and backgammons count only when a double was offered and taken (Jacoby rule)"
    )
    hand.set({1: 1}, {23: 15}, NEAR, (6, 5))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon) and won.points == 1
    assert hand.refused(c.SetRules, rules="bray") == "score_otherwise"
    assert hand.do(c.SetRules, rules="bray", choices=(("jacoby", True),)) == [], "they are that"
    hand.do(c.Undo, to_seq=4)
    assert hand.table.rules == preset("bray"), "with what was taken back the rules are"


def test_they_are_there_again_after_a_start(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store:
        table = open_table(store.latest())
        begun = c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5)
        for said in (begun, c.StartGame(seen_seq=1), c.SetRules(seen_seq=2, rules="ukbgf")):
            assert isinstance(table.command(said), c.Accepted)
        assert store.matches()[0].state.rules == "ukbgf"
    with Store(tmp_path / "m.db") as store:
        table = open_table(store.latest())
        assert table.rules == table.state.rule_set == preset("ukbgf")
        assert table_view(table.state, table.rules)["rules"] == "ukbgf"


def test_the_name_says_which_set_and_not_what_was_chosen_before() -> None:
    hand = Hand(0, "money", choices=(("beavers", 3),))
    hand.do(c.SetRules, rules="bray", choices=(("jacoby", True),), aids=True)
    assert told(hand) == "The rules were set to bray"
    assert (hand.table.rules, hand.table.state.aids) == (replace(preset("bray"), jacoby=True), True)
    hand.do(c.SetRules, rules="bray")
    assert (hand.table.rules, hand.table.state.aids) == (preset("bray"), True)
    hand.do(c.SetRules, rules="bray", aids=False)
    assert told(hand) == "The rules were put right: Pip counts, legal plays and equity are not shown to the players"
    assert hand.refused(c.SetRules, rules="bray", choices=(("clock", 1),)) == "bad_choice"
    assert hand.refused(c.SetRules, rules="brey") == "no_rule_set"


def test_a_clubs_own_set_that_is_offered_no_more_stays_what_it_was() -> None:
    club = replace(preset("bray"), name="club", beavers=2)
    hand = Hand(0, club)
    again = open_table(hand.table._journal)
    assert again.rules == club
    assert isinstance(again.command(c.SetRules(seen_seq=again.state.seq, rules="club", aids=True)), c.Accepted)
    assert (again.rules, again.state.aids) == (club, True)


def test_the_crawford_rule_holds_from_the_game_that_is_being_played() -> None:
    hand = Hand(3, replace(preset("bray"), crawford=False))
    hand.do(c.SetScore, score=(2, 0))
    hand.open()
    hand.do(c.Double)
    logged = hand.do(c.SetRules, rules="wbgf")
    assert [type(one) for one in logged] == [e.RulesSet, e.Ruled, e.CubeSet], "nobody may double in it"
    assert hand.table.state.crawford
    assert hand.refused(c.SetRules, rules="money") == "cube_otherwise", "the double was annulled"
    hand.do(c.Undo)
    hand.do(c.Undo)
    hand.do(c.SetRules, rules="wbgf")
    assert (hand.table.state.crawford, hand.refused(c.Double)) == (True, "crawford")
    hand.do(c.SetRules, rules="money")
    assert not hand.table.state.crawford
    hand.do(c.Double)

    later = Hand(3, replace(preset("bray"), crawford=False), start=False)
    for _ in range(2):
        later.do(c.StartGame)
        later.do(c.AwardGame, seat=NEAR if later.table.state.game == 1 else FAR, points=2 if later.table.state.game == 1 else 1)
    assert later.refused(c.SetRules, rules="wbgf") == "score_otherwise", "game 2 was played with the cube"


def test_a_game_that_began_at_a_score_set_by_hand_would_have_been_the_crawford_game() -> None:
    for first, second in ((c.SetScore, c.StartGame), (c.StartGame, c.SetScore)):
        hand = Hand(3, replace(preset("bray"), crawford=False), start=False)
        for say in (first, second):
            hand.do(say, **({"score": (2, 0)} if say is c.SetScore else {}))
        hand.open()
        hand.do(c.Double)
        hand.do(c.Drop)
        assert hand.refused(c.SetRules, rules="wbgf") in ("score_otherwise", "cube_otherwise"), "it was played with the cube"


def test_a_double_that_a_score_set_by_hand_annulled_keeps_the_crawford_rule() -> None:
    hand = Hand(3, "wbgf")
    hand.open()
    hand.do(c.Double)
    assert [type(one) for one in hand.do(c.SetScore, score=(2, 0))] == [e.ScoreSet, e.Ruled, e.CubeSet]
    assert hand.refused(c.SetRules, rules="money") == "cube_otherwise"


def test_a_match_put_right_twice_is_held_against_what_it_was_put_to() -> None:
    hand = Hand(5)
    hand.set({1: 1}, {23: 15}, NEAR, (6, 5))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon) and won.points == 3
    hand.do(c.SetRules, rules="bray", choices=(("jacoby", True),))
    assert hand.refused(c.SetLength, length=0) == "score_otherwise", "in money play under the Jacoby rule it was one point"
    hand.do(c.SetRules, rules="bray")
    hand.do(c.SetLength, length=0)
    assert hand.refused(c.SetRules, rules="bray", choices=(("jacoby", True),)) == "score_otherwise"


def test_the_record_says_which_game_was_the_crawford_game_under_the_rules_put_right() -> None:
    for before, right in ((False, "wbgf"), (True, "money")):
        hand = Hand(3, replace(preset("bray"), crawford=before), start=False)
        hand.do(c.SetScore, score=(2, 0))
        hand.do(c.StartGame)
        hand.open()
        hand.do(c.SetRules, rules=right)
        assert hand.table.state.crawford is not before
        assert [game.crawford for game in Whole.of(hand.table.log).record.games] == [not before]


def test_a_play_that_would_not_be_legal_keeps_the_rules_as_they_are() -> None:
    hand = Hand(5, "agca")
    hand.open()
    hand.set({20: 1}, {16: 2}, NEAR, (6, 5))  # either number can be played, not both
    hand.do(c.SetRules, rules="bray")
    hand.do(c.SetRules, rules="agca")
    hand.do(c.EnterPlay, play="20/15")
    assert hand.refused(c.SetRules, rules="bray") == "play_otherwise"
    hand.do(c.Undo)
    hand.do(c.SetRules, rules="bray")
    assert hand.refused(c.EnterPlay, play="20/15") == "illegal_play"


def test_an_automatic_double_that_was_left_out_is_not_made_up_for() -> None:
    hand = Hand(0)
    hand.roll(4, 4)
    assert hand.refused(c.SetRules, rules="bray", choices=(("auto_doubles", 1),)) == "cube_otherwise"
    hand.do(c.Undo)
    hand.do(c.SetRules, rules="bray", choices=(("auto_doubles", 1),))
    hand.roll(4, 4)
    assert hand.table.state.cube.value == 2


def test_a_beaver_that_would_not_have_been() -> None:
    hand = Hand(0, "money")
    hand.open()
    hand.do(c.Double)
    hand.do(c.Beaver)
    assert hand.refused(c.SetRules, rules="bray", choices=(("jacoby", True),)) == "cube_otherwise"


def test_what_waits_for_an_answer_is_answered_under_the_rules_it_was_asked_under() -> None:
    hand = Hand(5)
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/4 6/5", hold=True)
    assert hand.table.state.phase is Phase.HELD
    assert hand.refused(c.SetRules, rules="ukbgf") == "answer_first"
    hand.do(c.Rule, stands=True)
    hand.do(c.SetRules, rules="ukbgf")
    assert hand.refused(c.SetRules, rules="wbgf-responsible") == "speaks_already"
    hand.do(c.AwardMatch, seat=NEAR)
    assert "set_rules" not in hand.can()
    assert hand.refused(c.SetRules, rules="wbgf") == "rules_of_old"


def test_a_refusal_tells_the_players_nothing_of_a_play_that_is_held_in_silence() -> None:
    """Where the referee keeps silent, whoever asks is told the same after a legal play and after one that was not."""
    said = []
    for play in ("8/5 6/5", "8/4 6/5"):
        hand = Hand(5, "wbgf-responsible")
        hand.open(play=play)
        said.append((hand.refused(c.SetRules, rules="wbgf"), type(hand.do(c.SetRules, rules="wbgf-responsible", clock=USUAL)[0])))
    assert said[0] == said[1] == ("speaks_already", e.RulesSet)
    hand = Hand(5, "wbgf-responsible")
    hand.do(c.SetRules, rules="wbgf")
    assert hand.table.rules.announces_plays


@pytest.mark.parametrize("play", ["20/15", "20/14", "20/16"])
def test_nor_of_one_that_other_rules_would_judge_otherwise(play: str) -> None:
    """Either number can be played, not both: with the higher one no rules are broken, with the lower one some, else all."""
    hand = Hand(5, replace(preset("wbgf-responsible"), name="club", higher_number=False))
    hand.set({20: 1}, {16: 2}, NEAR, (6, 5))
    hand.do(c.EnterPlay, play=play, hold=True)
    assert hand.refused(c.SetRules, rules="wbgf-responsible") == "silent_already"
    assert hand.do(c.SetRules, rules="club", clock=USUAL)


def test_a_clock_is_put_right() -> None:
    hand = Hand(5)
    hand.open()
    hand.do(c.SetRules, rules="bray", clock=USUAL, turn_end=TurnEnd.CLOCK)
    assert told(hand) == (
        "The rules were put right: A turn ends when its player presses the clock; Simple delay, 2 min for each point and "
        "12 s free in each turn"
    )
    state = hand.table.state
    assert state.clock is not None and (state.clock.turn, state.clock.free) == (FAR, (12.0, 12.0))
    assert state.clock.reserve == (600.0, 600.0)
    hand.do(c.SetClock, remaining=(100.0, 50.0))
    hand.do(c.SetRules, rules="bray", clock=replace(USUAL, mode=ClockMode.FISCHER, bank_s_per_point=180.0))
    state = hand.table.state
    assert state.clock is not None and state.clock.rules.mode is ClockMode.FISCHER
    assert state.clock.reserve == pytest.approx((400.0, 350.0)), "as much more as five points have"
    assert "press_clock" not in hand.can()
    hand.do(c.SetRules, rules="bray")
    assert hand.table.state.clock is None


def test_who_ran_out_of_time_by_the_wrong_clock_has_time_again() -> None:
    short = replace(preset("bray"), clock=ClockRules(ClockMode.BRONSTEIN, 0.0, 1.0))
    hand = Hand(5, short)
    hand.open()
    hand.do(c.SetClock, remaining=(0.0, 0.0))
    hand.do(c.StartClock)
    hand.table.tick()
    assert hand.table.state.flagged is FAR
    hand.do(c.SetRules, rules="bray", clock=USUAL)
    hand.table.tick()
    assert hand.table.state.flagged is None


def test_the_stake_is_put_right() -> None:
    hand = Hand(0, "money", stake=50, unit="EUR")
    hand.do(c.AwardGame, seat=NEAR)
    assert hand.refused(c.SetRules, rules="money", stake=0) == "bad_stake"
    hand.do(c.SetRules, rules="money", stake=5)
    assert told(hand) == "The rules were put right: 5 EUR a point"
    assert table_view(hand.table.state, hand.table.rules)["money"]["amounts"] == [5, -5]


@pytest.mark.parametrize("taken_back", [False, True])
def test_the_record_says_the_rules_it_ends_with(taken_back: bool) -> None:
    hand = Hand(5)
    hand.do(c.SetRules, rules="agca")
    if taken_back:
        hand.do(c.Undo)
    hand.open()
    text = Whole.of(hand.table.log).written(".json")
    wanted: RuleSet = preset("bray" if taken_back else "agca")
    assert read_json(text).rules == wanted
    assert fold(log_of(text)) == hand.table.state
    odd = json.loads(text)
    odd["log"][2]["event"] = {"rules": 1}
    assert read_json(json.dumps(odd)).rules is None
