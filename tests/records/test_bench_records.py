"""Randomly played matches through our formats and through GNU Backgammon and back: `referee bench records`, a small round of it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from referee.records.record import Do, Side
from tests.gnubg import needs_gnubg
from web.cli.bench import command
from web.cli.bench._random_matches import random_match
from web.cli.bench.records import LENGTHS, gnubg_faults, own_faults, write


def test_random_matches_have_every_kind_of_action_in_them() -> None:
    matches = [random_match(seed, LENGTHS[seed % len(LENGTHS)]) for seed in range(40)]
    games = [(game, truth) for record, truths in matches for game, truth in zip(record.games, truths, strict=True)]
    assert {a.do for game, _ in games for a in game.actions} == {Do.ROLL, Do.DOUBLE, Do.TAKE, Do.DROP, Do.BEAVER}
    assert {(truth.kind, game.resigned) for game, truth in games} >= {(k, r) for k in (1, 2, 3) for r in (True, False)}
    assert {truth.winner for _, truth in games} == set(Side)
    assert any(game.crawford for game, _ in games)
    assert any(a.do is Do.ROLL and a.steps is None for game, _ in games for a in game.actions)


@needs_gnubg
def test_gnubg_finds_the_same_games_and_we_find_them_in_what_it_saves(tmp_path: Path) -> None:
    played = [random_match(seed, length) for seed, length in enumerate((3, 0, 5), start=400)]
    files = write(played, tmp_path)
    assert own_faults(played, files) == []
    assert gnubg_faults(played, files, tmp_path) == []


def test_a_wrong_file_is_noticed(tmp_path: Path) -> None:
    played = [random_match(1, 1)]
    files = write(played, tmp_path)
    path = files[0][1]
    path.write_text(path.read_text().replace("Wins 1 point", "Wins 2 points").replace("Wins 3 points", "Wins 1 point"))
    path.write_text("\n".join(path.read_text().splitlines()[:-8]) + "\n")
    assert own_faults(played, files)


def test_a_folder_of_records_is_measured(tmp_path: Path) -> None:
    write([random_match(2, 1)], tmp_path)
    result = CliRunner().invoke(command, ["records", "--json", "--folder", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["files"] == 2
