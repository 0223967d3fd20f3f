"""What a rule set leaves to the players: the questions of set-up, and the set with their answers in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, get_type_hints

from referee.rules.loading import UNLIMITED, value_as
from referee.rules.plain import sentence_of
from referee.rules.presets import PRESETS, RulesError
from referee.rules.ruleset import ClockMode, ClockRules, RuleSet, TurnEnd

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "auto_doubles": "Automatic doubles",
        "first_throw_refusal": "Refusing the first throw",
        "backgammon_pays": "Triple games (backgammon)",
        "jacoby": "Jacoby rule",
        "beavers": "Beavers",
        "raccoons": "Raccoons",
        "die_on_checker": "A die that rests on a checker",
        "referee_speaks": "What the referee announces",
    }
)
"""A few words for each choice that some set leaves open."""

MONEY = frozenset({"auto_doubles", "first_throw_refusal", "jacoby", "beavers", "raccoons"})
"""Choices that matter in money play only."""

_NUMBERS: Mapping[str, tuple[int | None, ...]] = MappingProxyType(
    {"auto_doubles": (0, 1, None), "beavers": (0, 1, 3), "backgammon_pays": (3, 2)}
)

Said = bool | int | str
"""A value as TOML, JSON and people write it: true, 1, "valid", "unlimited"."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer, and the sentence it puts into the rules."""

    value: Said
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """``asked``: put to the table at set-up; else only open to agreement. ``money``: of no weight in a match. ``value`` holds until
    somebody answers."""

    choice: str
    title: str
    asked: bool
    money: bool
    value: Said
    answers: tuple[Choice, ...]


def questions(rules: RuleSet) -> tuple[Question, ...]:
    """What the book of ``rules`` leaves open, what is asked at set-up first; nothing for a club's own set, which has settled it."""
    known = PRESETS.get(rules.name)
    if known is None:
        return ()
    return tuple(
        Question(
            name, TITLES[name], name in known.asked, name in MONEY, _said(getattr(rules, name)),
            tuple(Choice(_said(value), sentence_of(name, value)) for value in _values(rules, name)),
        )
        for name in (*known.asked, *known.options)
    )


def questions_of(rules: RuleSet) -> list[dict[str, Any]]:
    """The `questions` of a set as plain values, for a page."""
    return [asdict(question) for question in questions(rules)]


def clock_of(rules: RuleSet) -> dict[str, Any]:
    """The clock of a set and what ends a turn, as plain values for a page."""
    return asdict(rules.clock) | {"mode": rules.clock.mode.value, "turn_end": rules.turn_end.value}


def agreed(
    rules: RuleSet, chosen: Mapping[str, object], clock: ClockRules | None = None, turn_end: TurnEnd | None = None
) -> RuleSet:
    """``rules`` with what the table chose of the answers to their `questions`, and its ``clock`` and ``turn_end`` (None: as the set has
    it). Raises `RulesError` with one sentence."""
    types = get_type_hints(RuleSet)
    open_to = {question.choice: [str(answer.value) for answer in question.answers] for question in questions(rules)}
    changes: dict[str, Any] = {}
    for name, value in chosen.items():
        if name not in open_to:
            left = ", ".join(sorted(open_to)) or "nothing"
            raise RulesError(f"the rule set {rules.name} does not leave ‘{name}’ to the table; it leaves {left}")
        try:
            changes[name] = value_as(types[name], value)
        except ValueError as error:
            raise _must_be(name, str(error)) from None
    if changes.get("beavers") == 0:
        changes.setdefault("raccoons", False)  # there is nothing to raccoon
    if clock is not None:
        changes["clock"], changes["turn_end"] = clock, turn_end or rules.turn_end
        if clock.mode is ClockMode.NONE and changes["turn_end"] is TurnEnd.CLOCK:
            changes["turn_end"] = TurnEnd.DICE_LIFT  # there is nothing to press
    found = replace(rules, **changes)
    if wrong := found.defects():
        raise RulesError("; ".join(wrong))
    for name in chosen:
        if changes[name] not in _values(rules, name):
            raise _must_be(name, " or ".join(open_to[name]))
    return found


def _must_be(name: str, allowed: str) -> RulesError:
    return RulesError(f"{name} must be {allowed}")


def _values(rules: RuleSet, name: str) -> tuple[Any, ...]:
    kind = type(getattr(rules, name))
    known = dict(PRESETS[rules.name].values).get(name) or _NUMBERS.get(name) or (tuple(kind) if issubclass(kind, Enum) else (False, True))
    return tuple(known)


def _said(value: Any) -> Said:
    if value is None:
        return UNLIMITED
    found: Said = value.value if isinstance(value, Enum) else value
    return found
