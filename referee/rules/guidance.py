"""What a referee at the board can neither see nor decide, and reminds the players of."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.rules.citing import source_of
from referee.rules.ruleset import RuleSet

GUIDANCE: Mapping[str, str] = MappingProxyType(
    {
        "S1-04": "Shake the dice in the cup and toss them from a fair height onto the right-hand side, so that they bounce and roll.",
        "S2-01": "Play with precision dice and a cup each; a cup with an inner lip keeps the dice honest.",
        "S3-01": "Each player has fifteen checkers, a pair of dice and a shaker; the cube lies ready at 64.",
        "S3-03": "When both want the same colour or direction, throw one die each; the higher chooses both.",
    }
)
"""A sentence for each rule of which that is so, by its id."""


def guidance(rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """The reminders of the source ``rules`` comes from: (rule id, sentence)."""
    source = f"S{source_of(rules)}-"
    return tuple((rule, text) for rule, text in GUIDANCE.items() if rule.startswith(source))
