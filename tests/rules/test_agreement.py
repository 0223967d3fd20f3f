"""What a rule set leaves to the players is asked, and their answers make the set that is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules import PRESETS, ClockMode, ClockRules, RulesError, agreed, parse_rules, preset, questions
from referee.rules.plain import sentence_of, settled
from referee.rules.ruleset import DieOnChecker, TurnEnd


@pytest.mark.parametrize("name", PRESETS)
def test_everything_a_set_leaves_open_is_a_question_with_answers(name: str) -> None:
    found = questions(preset(name))
    assert [q.choice for q in found if q.asked] == list(PRESETS[name].asked)
    assert [q.choice for q in found if not q.asked] == list(PRESETS[name].options)
    for question in found:
        assert question.value in [answer.value for answer in question.answers]
        assert len({answer.text for answer in question.answers}) == len(question.answers) > 1
        for answer in question.answers:
            alone = {question.choice: answer.value} | ({"beavers": 1} if question.choice == "raccoons" else {})
            assert agreed(preset(name), alone).name == name


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_left_open_is_not_told_as_settled_and_the_rest_is(name: str) -> None:
    rules, told = preset(name), settled(preset(name))
    assert not {sentence_of(one.choice, getattr(rules, one.choice)) for one in questions(rules)} & set(told)
    assert sentence_of("clock", rules.clock) in told and sentence_of("crawford", rules.crawford) in told


def test_traditional_play_knows_no_limit_or_none() -> None:
    first = questions(preset("traditional"))[0]
    assert (first.choice, [answer.value for answer in first.answers]) == ("auto_doubles", [0, "unlimited"])
    assert first.money


def test_what_was_agreed_is_what_is_played() -> None:
    rules = agreed(preset("traditional"), {"auto_doubles": "unlimited", "first_throw_refusal": True, "backgammon_pays": 2})
    assert (rules.auto_doubles, rules.first_throw_refusal, rules.backgammon_pays) == (None, True, 2)
    assert agreed(preset("wbgf"), {"die_on_checker": "valid"}).die_on_checker is DieOnChecker.VALID
    assert agreed(preset("bray"), {}) == preset("bray")
    assert agreed(preset("money"), {"beavers": 0}).raccoons is False


def test_any_set_is_played_with_the_clock_the_table_has_chosen_or_without_one() -> None:
    clock = ClockRules(ClockMode.FISCHER, delay_s=5, bank_s_per_point=60)
    assert agreed(preset("bray"), {}, clock) == replace(preset("bray"), clock=clock)
    assert agreed(preset("bray"), {}, clock, TurnEnd.CLOCK).turn_end is TurnEnd.CLOCK
    assert agreed(preset("bray"), {}, ClockRules(), TurnEnd.LIFT_BY_ANYONE).turn_end is TurnEnd.LIFT_BY_ANYONE, "a clock of the club’s own"
    without = agreed(preset("usbgf"), {}, ClockRules())
    assert without.clock.mode is ClockMode.NONE
    pressed = parse_rules('base = "usbgf"\nturn_end = "clock"', "club")
    assert agreed(pressed, {}, ClockRules()).turn_end is TurnEnd.DICE_LIFT, "there is nothing to press"
    with pytest.raises(RulesError, match="above 0"):
        agreed(preset("bray"), {}, replace(clock, bank_s_per_point=0))


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("traditional", {"crawford": False}, "does not leave ‘crawford’"),
        ("traditional", {"auto_doubles": "often"}, "a whole number or unlimited"),
        ("traditional", {"auto_doubles": -1}, "cannot be negative"),
        ("traditional", {"first_throw_refusal": 1}, "true or false"),
        ("wbgf", {"die_on_checker": None}, "invalid or valid"),
        ("bray", {"raccoons": True}, "at least one beaver"),
        ("traditional", {"auto_doubles": 1}, "auto_doubles must be 0 or unlimited$"),
        ("magriel", {"auto_doubles": "unlimited"}, "auto_doubles must be 0 or 1$"),
        ("bray", {"beavers": 10**30}, "beavers must be 0 or 1 or 3$"),
        ("agca", {"jacoby": True}, "it leaves nothing"),
    ],
)
def test_what_cannot_be_agreed_is_said(name: str, chosen: dict[str, object], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        agreed(preset(name), chosen)


def test_a_clubs_own_set_asks_nothing() -> None:
    assert questions(parse_rules('base = "traditional"', "club")) == ()
