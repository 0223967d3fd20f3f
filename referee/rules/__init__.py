"""Rule sets and rulings: dice, plays, cube, scoring. Codes and values; the words are made elsewhere."""

from referee.rules.agreement import Question, agreed, questions
from referee.rules.loading import load_rules, parse_rules
from referee.rules.presets import PRESETS, Preset, RulesError, preset
from referee.rules.reason import Reason, because
from referee.rules.ruleset import ClockMode, ClockRules, RuleSet

__all__ = [
    "PRESETS",
    "ClockMode",
    "ClockRules",
    "Preset",
    "Question",
    "Reason",
    "RuleSet",
    "RulesError",
    "agreed",
    "because",
    "load_rules",
    "parse_rules",
    "preset",
    "questions",
]
