"""docs/rules.md: every rule of the five sources is accounted for, with a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.rules import preset
from referee.rules.citing import TOPICS, cite
from referee.rules.guidance import GUIDANCE
from referee.rules.presets import PRESETS
from web.cli.rules import command

ROOT = Path(__file__).parent.parent.parent
LAST = {"S0": 37, "S1": 25, "S2": 25, "S3": 20, "S4": 14}
IDS = [f"{source}-{number:02}" for source, last in LAST.items() for number in range(1, last + 1)]
"""Every rule of the five sources."""

_ROW = re.compile(r"^\| (S[0-4]-\d\d) \| ([^|]+) \| (enforced|procedure|guidance) \| ([^|]+) \|$", re.MULTILINE)
ROWS = {match[0]: match[1:] for match in _ROW.findall((ROOT / "docs" / "rules.md").read_text())}


def test_every_rule_is_in_the_table_once_and_in_order() -> None:
    assert [match[0] for match in _ROW.findall((ROOT / "docs" / "rules.md").read_text())] == IDS


@pytest.mark.parametrize("rule", IDS)
def test_the_test_that_proves_it_exists(rule: str) -> None:
    _, _, proof = ROWS[rule]
    named = re.findall(r"`([^`]+)::([^`]+)`", proof)
    assert named
    for file, function in named:
        assert f"def {function}(" in (ROOT / file).read_text(), f"{rule} names {file}::{function}, which is not there"


def test_guidance_is_shown() -> None:
    assert {rule for rule, (_, how, _) in ROWS.items() if how == "guidance"} == set(GUIDANCE)
    names = {"S1": "strato", "S2": "bray", "S3": "traditional"}
    for source, name in names.items():
        said = CliRunner().invoke(command, [name]).output
        assert all((text in said) == rule.startswith(source) for rule, text in GUIDANCE.items()), "those of its own source alone"


def test_only_rules_that_are_there_are_cited() -> None:
    cited = {rule for ids in TOPICS.values() for rule in ids if rule}
    for file in (ROOT / "referee").rglob("*.py"):
        cited |= set(re.findall(r"\bS[0-4]-\d\d\b", file.read_text()))
    assert cited <= set(IDS)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("name", PRESETS)
def test_every_ruling_has_a_rule_in_every_set(name: str, topic: str) -> None:
    assert cite(preset(name), topic) in IDS
