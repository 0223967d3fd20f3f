"""`referee rules` from outside."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from referee.rules import PRESETS
from web.cli.rules import command


def test_lists_prints_and_compares() -> None:
    listed = CliRunner().invoke(command, [])
    assert all(name in listed.output for name in PRESETS)
    one = CliRunner().invoke(command, ["traditional"])
    assert "thrown again." in one.output
    assert one.output.count("(asked at set-up)") == 3
    two = CliRunner().invoke(command, ["agca", "money"])
    marked = [line for line in two.output.splitlines() if line.startswith("*")]
    assert any("higher if that can be played" in line or "either" in line for line in marked + two.output.splitlines())
    assert f"{len(marked)} differences, marked *." in two.output
    same = CliRunner().invoke(command, ["wbgf", "wbgf"])
    assert "0 differences" in same.output


def test_what_only_one_of_two_sets_leaves_to_the_players_is_marked() -> None:
    run = CliRunner().invoke(command, ["bray", "ukbgf"])
    marked = [line for line in run.output.splitlines() if line.startswith("o ")]
    assert len(marked) == 5, "four that bray leaves to agreement, one that is asked under ukbgf"
    assert sum("(open to" in line for line in marked) >= 1
    assert "0 differences" in run.output and "5 marked o" in run.output


def test_as_json() -> None:
    rows = [json.loads(line) for line in CliRunner().invoke(command, ["--json"]).output.splitlines()]
    assert [row["name"] for row in rows] == list(PRESETS)
    asked = {row["name"]: [q["choice"] for q in row["left_open"] if q["asked"]] for row in rows}
    assert asked["traditional"] == ["auto_doubles", "first_throw_refusal", "backgammon_pays"]


def test_a_club_file_and_what_is_wrong_with_one(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('name = "Club"\nbase = "bray"\ncrawford = false\n')
    run = CliRunner().invoke(command, ["bray", str(club)])
    assert "1 difference, marked *." in run.output
    club.write_text("crawford = 3")
    run = CliRunner().invoke(command, [str(club)])
    assert run.exit_code == 2
    assert "crawford must be true or false" in run.output


def test_a_rule_set_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    for words in (["nonsense"], ["bray", "nonsense"], [str(tmp_path / "none.toml")]):
        run = CliRunner().invoke(command, words)
        assert run.exit_code == 2, words
        assert "rule set" in run.output
