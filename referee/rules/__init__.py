"""Rule sets and rulings: dice, plays, cube, scoring. Codes and values; the words are made elsewhere."""

from referee.rules.loading import load_rules, parse_rules
from referee.rules.presets import PRESETS, Preset, RulesError, preset
from referee.rules.reason import Reason, because
from referee.rules.ruleset import ClockMode, ClockRules, RuleSet

__all__ = [
    "PRESETS",
    "ClockMode",
    "ClockRules",
    "Preset",
    "Reason",
    "RuleSet",
    "RulesError",
    "because",
    "load_rules",
    "parse_rules",
    "preset",
]
