"""Rule sets: the presets' choices, a club's own file, and the sentences."""

from __future__ import annotations

import contextlib
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import Position, Seat
from referee.rules import PRESETS, RulesError, RuleSet, load_rules, parse_rules, preset
from referee.rules.plain import describe
from referee.rules.ruleset import ClockMode, RefereeSpeaks

BRAY = preset("bray")

DIFFERENCES = {
    "magriel": {
        "premature_roll": "ask", "early_roll": "race_or_forced", "illegal_moves": "either_may", "illegal_window": "throw",
        "backgammon_if": "none_off_and_home", "referee_speaks": "dice_and_cube_only",
    },
    "strato": {"die_on_checker": "valid", "gammon_if": "none_off_or_outside", "backgammon_if": "home_or_bar"},
    "bray": {},
    "traditional": {"premature_roll": "reroll", "illegal_window": "throw", "mix_dice": True},
    "agca": {
        "edge_touch": "invalid", "reroll": "faulty", "illegal_window": "throw", "higher_number": False,
        "hit_bearing_off": "rest_frozen", "backgammon_pays": 2, "auto_doubles": None, "dice_sets": "shared",
        "setup_error_until": "first_move", "chouette_drop_pays": "captain", "team_decides": "captain",
    },
    "usbgf": {"die_on_checker": "valid", "illegal_window": "valid_roll", "referee_speaks": "log_only", "clock": "simple_delay"},
    "wbgf": {},
    "wbgf-responsible": {"illegal_moves": "responsible", "referee_speaks": "dice_and_cube_only"},
    "ukbgf": {},
    "money": {"jacoby": True, "beavers": 1, "raccoons": True, "crawford": False, "aids": True},
}  # fmt: skip

BASE = {
    "die_on_checker": "invalid", "edge_touch": "ok", "reroll": "both", "premature_roll": "stands", "early_roll": "never",
    "illegal_moves": "legal_moves", "illegal_window": "valid_roll_or_double", "turn_end": "dice_lift", "higher_number": True,
    "hit_bearing_off": "rest_free", "gammon_if": "none_off", "backgammon_if": "none_off_and_home_or_bar", "backgammon_pays": 3,
    "auto_doubles": 0, "first_throw_refusal": False, "jacoby": False, "crawford": True, "beavers": 0, "raccoons": False,
    "earliest_double": "after_opening", "mix_dice": False, "dice_sets": "own", "setup_error_until": "second_turn",
    "chouette_drop_pays": "box", "team_decides": "each", "clock": "none", "referee_speaks": "always", "aids": False,
}  # fmt: skip


def plain(rules: RuleSet) -> dict[str, object]:
    values = {field.name: getattr(rules, field.name) for field in fields(rules) if field.name != "name"}
    values["clock"] = rules.clock.mode
    return {name: getattr(value, "value", value) for name, value in values.items()}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_preset_differs_from_bray_in_just_these_choices(name: str) -> None:
    assert plain(preset(name)) == BASE | DIFFERENCES[name]
    assert preset(name).name == name
    assert preset(name).defects() == ()


def test_every_preset_is_known_and_frozen() -> None:
    assert set(PRESETS) == set(DIFFERENCES)
    with pytest.raises(FrozenInstanceError):
        BRAY.crawford = False  # type: ignore[misc]
    choices = set(BASE)
    for known in PRESETS.values():
        assert set(known.asked) <= choices
        assert set(known.options) <= choices
    assert PRESETS["traditional"].asked == ("auto_doubles", "first_throw_refusal", "backgammon_pays")
    assert "die_on_checker" in PRESETS["wbgf"].asked
    assert "referee_speaks" in PRESETS["usbgf"].asked


def test_the_american_clock() -> None:
    clock = preset("usbgf").clock
    assert (clock.mode, clock.delay_s, clock.bank_s_per_point) == (ClockMode.SIMPLE_DELAY, 12, 120)


def test_the_referee_speaks_only_as_far_as_the_set_allows() -> None:
    assert BRAY.announces_plays
    for name in ("magriel", "wbgf-responsible"):
        assert not preset(name).announces_plays
        assert preset(name).announces_dice
    assert not replace(BRAY, referee_speaks=RefereeSpeaks.LOG_ONLY).announces_dice


def test_the_set_decides_which_plays_are_legal() -> None:
    near = [0] * 25
    near[19] = 1
    far = [0] * 25
    far[15] = 2
    position = Position.from_sides(tuple(near), tuple(far))
    assert len(BRAY.plays(position, Seat.NEAR, (6, 5))) == 1
    assert len(preset("agca").plays(position, Seat.NEAR, (6, 5))) == 2


CLUB = """
name = "Thursday club"
base = "usbgf"
die_on_checker = "invalid"
auto_doubles = "unlimited"
setup_error_until = 5
[clock]
delay_s = 10
"""


def test_a_clubs_own_set(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(CLUB)
    rules = load_rules(path)
    assert plain(rules) == plain(preset("usbgf")) | {"die_on_checker": "invalid", "auto_doubles": None, "setup_error_until": 5}
    assert (rules.name, rules.clock.delay_s, rules.clock.bank_s_per_point) == ("Thursday club", 10.0, 120.0)
    assert load_rules(str(path)) == rules
    path.write_bytes(b"\xef\xbb\xbf" + CLUB.encode())  # as Windows' editors save it
    assert load_rules(path) == rules
    path.write_text("base = 'bray'")
    assert load_rules(path) == replace(BRAY, name="club")


@pytest.mark.parametrize("text", ["", "# ours\n"])
def test_an_empty_file_is_no_rule_set(text: str, tmp_path: Path) -> None:
    """A disk that was full leaves one: nobody is to play by other rules than those the club wrote."""
    path = tmp_path / "club.toml"
    path.write_text(text)
    with pytest.raises(RulesError, match=r"club\.toml is empty"):
        load_rules(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("die_on_chcker = 'x'", "did you mean ‘die_on_checker’"),
        ("die_on_checker = 'maybe'", "die_on_checker must be invalid or valid"),
        ("base = 'brey'", "base must be one of magriel, strato, bray"),
        ("raccoons = 1", "raccoons must be true or false"),
        ("raccoons = true", "raccoons need at least one beaver"),
        ("beavers = -1", "beavers cannot be negative"),
        ("auto_doubles = 'often'", "auto_doubles must be a whole number or unlimited"),
        ("auto_doubles = true", "auto_doubles must be a whole number or unlimited"),
        ("setup_error_until = 'noon'", "setup_error_until must be"),
        ("backgammon_pays = 4", "backgammon_pays must be 3 or 2"),
        ("clock = 3", "clock must be a table"),
        ("[clock]\nmode = 'sundial'", "clock.mode must be none, simple_delay, bronstein or fischer"),
        ("[clock]\ndelay = 3", "did you mean ‘clock.delay_s’"),
        ("[clock]\nmode = 'fischer'\ndelay_s = -1", "clock.delay_s must be a number of seconds"),
        ("[clock]\nmode = 'fischer'\ndelay_s = nan", "clock.delay_s must be a number of seconds"),
        ("name = 5", "name must be a text of 1 to 60 characters"),
        ("name = ''", "name must be a text of 1 to 60 characters"),
        ('name = "two\\nlines"', "name must be a text of 1 to 60 characters"),
        ("turn_end = 'clock'", "turn_end clock needs a clock mode"),
        ("[", "is not TOML"),
        ("a = " + "[" * 50_000, "is no rule set: what is in it is nested too deeply"),
        ("beavers = " + "1" * 5_000, "is no rule set: what is in it is nested too deeply, or a number has too many digits"),
        ("base = 'nope'\nraccoons = 3", "raccoons must be true or false"),
    ],
)
def test_what_is_wrong_with_a_set_is_said(text: str, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text, "club", "club.toml")
    message = str(caught.value)
    assert said in message
    assert message.startswith("club.toml")


@given(st.text(max_size=80))
def test_any_text_is_a_set_or_refused(text: str) -> None:
    with contextlib.suppress(RulesError):
        assert parse_rules(text, "club").defects() == ()


def test_sets_that_cannot_be_had(tmp_path: Path) -> None:
    (tmp_path / "big.toml").write_text("#" * 200_000)
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe\x00")
    for name in ("brey", str(tmp_path / "none.toml"), str(tmp_path), str(tmp_path / "big.toml"), str(tmp_path / "odd.toml")):
        with pytest.raises(RulesError) as caught:
            load_rules(name)
        assert "\n" not in str(caught.value)
    with pytest.raises(RulesError, match="there is no rule set ‘x’"):
        preset("x")


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_choice_has_a_sentence_of_its_own(name: str) -> None:
    lines = describe(preset(name))
    assert [line.choice for line in lines] == [f.name for f in fields(RuleSet) if f.name != "name"]
    assert len({line.text for line in lines}) == len(lines)
    assert all(line.text.endswith(".") and line.text[0].isupper() for line in lines)
    base = {line.choice: line.text for line in describe(BRAY)}
    assert {line.choice for line in lines if line.text != base[line.choice]} == set(DIFFERENCES[name])


def words_of(choice: str, value: object) -> str:
    """How the rules with another ``value`` of this choice are told."""
    changed: dict[str, Any] = {choice: value}
    (line,) = (line for line in describe(replace(BRAY, **changed)) if line.choice == choice)
    return line.text


@pytest.mark.parametrize(("choice", "value"), [("auto_doubles", None), ("auto_doubles", 1), ("first_throw_refusal", True)])
def test_what_is_for_money_play_alone_says_so(choice: str, value: object) -> None:
    assert words_of(choice, value).startswith("In money play")


@pytest.mark.parametrize(("choice", "value"), [("auto_doubles", 3), ("auto_doubles", 1), ("beavers", 2), ("setup_error_until", 1)])
def test_numbers_are_put_in_words(choice: str, value: int) -> None:
    text = words_of(choice, value)
    assert str(value) in text or "once" in text or "one " in text
