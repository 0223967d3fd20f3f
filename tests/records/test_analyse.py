"""A match looked over by GNU Backgammon: its figures are those it prints itself, and its absence is said plainly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.records import gnubg
from web.cli.analyse import command

_MATCH = str(Path(__file__).with_name("anna_boris.mat"))
needs_gnubg = pytest.mark.skipif(gnubg.find() is None, reason="cannot: GNU Backgammon is not installed")


@needs_gnubg
def test_the_figures_are_those_of_gnubgs_own_statistics() -> None:
    result = CliRunner().invoke(command, [_MATCH, "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["plies"] == 0 and "0-ply" in result.stderr
    anna, boris = answer["players"]
    # "show statistics match" of gnubg 1.07 on the same file, 0-ply
    assert (anna["name"], boris["name"]) == ("Anna", "Boris")
    assert anna["error"] == pytest.approx(3.2906, abs=0.002) and boris["error"] == pytest.approx(3.238, abs=0.002)
    assert anna["pr"] == pytest.approx(14.06, abs=0.02) and boris["pr"] == pytest.approx(14.46, abs=0.02)
    assert anna["error_rate"] == pytest.approx(28.12, abs=0.02)
    assert anna["luck"] == pytest.approx(2.097, abs=0.002) and boris["luck"] == pytest.approx(1.027, abs=0.002)
    worst = [play["error"] for play in answer["worst"]]
    assert len(worst) == 10 and worst == sorted(worst, reverse=True)


@needs_gnubg
def test_the_plays_listed_add_up_to_the_total() -> None:
    answer = json.loads(CliRunner().invoke(command, [_MATCH, "--json", "--worst", "999"]).stdout)
    for player in answer["players"]:
        mine = sum(play["error"] for play in answer["worst"] if play["player"] == player["name"])
        assert mine == pytest.approx(player["play_error"], abs=0.03)


@needs_gnubg
def test_the_time_limit_holds() -> None:
    result = CliRunner().invoke(command, [_MATCH, "--plies", "3", "--time-limit", "1"])
    assert result.exit_code == 1 and "not finished after 1 s" in result.output


def test_without_gnubg_it_says_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(gnubg, "PLACES", ())
    result = CliRunner().invoke(command, [_MATCH])
    assert result.exit_code == 1 and "not installed" in result.output and "apt install gnubg" in result.output


def test_what_is_no_match_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    (tmp_path / "x.mat").write_text("hello")
    result = CliRunner().invoke(command, [str(tmp_path / "x.mat")])
    assert result.exit_code == 1 and "no line such as" in result.output
