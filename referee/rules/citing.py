"""Which rule of the book a ruling rests on.

Every question has a rule in each source that speaks of it. A rule set cites the source it comes from; the modern sets
and a club's own, whose words are not in the book, cite S2, from which they differ. Where sources contradict each other
a ruling cites none that says otherwise than the set has it.
"""

from __future__ import annotations

from types import MappingProxyType

from referee.rules.ruleset import DieOnChecker, IllegalMoves, PrematureRoll, RuleSet

_SOURCE = {"magriel": 0, "strato": 1, "bray": 2, "traditional": 3, "agca": 4}
_BASE = 2

TOPICS = MappingProxyType(
    {  # S0 .. S4; empty where the source is silent
        "forward": ("S0-06", "S1-07", "", "", ""),
        "distance": ("S0-07", "S1-09", "S2-10", "S3-05", "S4-05"),
        "blocked": ("S0-10", "S1-07", "S2-11", "S3-06", "S4-06"),
        "all_numbers": ("S0-11", "S1-09", "S2-12", "S3-11", "S4-05"),
        "higher_number": ("S0-12", "S1-11", "S2-12", "S3-11", ""),
        "hit": ("S0-13", "S1-12", "S2-11", "S3-07", "S4-07"),
        "bar_first": ("S0-14", "S1-13", "S2-13", "S3-08", "S4-07"),
        "entering": ("S0-15", "S1-13", "S2-13", "S3-08", "S4-07"),
        "closed_out": ("S0-17", "S1-14", "S2-14", "S3-08", ""),
        "bearing_off": ("S0-18", "S1-16", "S2-15", "S3-10", "S4-08"),
        "hit_bearing_off": ("S0-19", "S1-16", "S2-15", "S3-10", "S4-08"),
        "bear_off_number": ("S0-21", "S1-17", "S2-16", "S3-10", "S4-08"),
        "double_before_roll": ("S0-23", "S1-21", "S2-20", "S3-18", "S4-11"),
        "cube_owner": ("S0-25", "S1-22", "S2-20", "S3-18", "S4-11"),
        "take_or_drop": ("S0-24", "S1-21", "S2-20", "S3-18", "S4-11"),
        "crawford": ("", "S1-24", "S2-25", "", ""),
        "beaver": ("", "", "S2-23", "", ""),
        "auto_double": ("S0-28", "", "S2-21", "S3-20", "S4-09"),
        "first_throw": ("", "", "", "S3-20", ""),
        "bad_throw": ("S0-34", "S1-05", "S2-06", "S3-15", "S4-02"),
        "premature": ("S0-36", "", "S2-09", "S3-14", ""),
        "illegal": ("S0-37", "", "S2-08", "S3-12", "S4-04"),
        "setup": ("", "", "", "", "S4-03"),
        "mixing": ("", "", "", "S3-16", ""),
    }
)


def source_of(rules: RuleSet) -> int:
    """The number of the source a rule set comes from: 0 to 4."""
    return _SOURCE.get(rules.name, _BASE)


_PREMATURE = MappingProxyType({PrematureRoll.STANDS: "S2-09", PrematureRoll.REROLL: "S3-14", PrematureRoll.ASK: "S0-36"})


def cite(rules: RuleSet, topic: str) -> str:
    """The id of the rule on ``topic`` in the source of ``rules``; where that is silent S2's, else the first that speaks. On what sources
    contradict each other about, that of one that has it as the set has."""
    ids = TOPICS[topic]
    if topic == "premature":
        return _PREMATURE[rules.premature_roll]
    if topic == "hit_bearing_off" and rules.rest_frozen:
        return "S4-08"
    if topic == "illegal" and rules.illegal_moves is not IllegalMoves.LEGAL_MOVES:
        return "S0-37"  # alone has it that an illegal play may be put right, and need not be
    return ids[source_of(rules)] or ids[_BASE] or next(filter(None, ids), "")


def cite_bad_throw(rules: RuleSet, on_checker: bool = False, at_edge: bool = False) -> str:
    """The rule on dice that do not count; for a die on a checker, or a flat one ``at_edge``, a rule that forbids it (S1-06 and S4-02 do not
    forbid the one, S4-02 alone the other)."""
    if at_edge:
        return "S4-02"
    found = cite(rules, "bad_throw")
    if on_checker and rules.die_on_checker is DieOnChecker.INVALID and found in ("S1-05", "S4-02"):
        return "S2-06"
    return found
