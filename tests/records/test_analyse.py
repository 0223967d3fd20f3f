"""A match looked over by GNU Backgammon: its figures are those it prints itself, and its absence is said plainly."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.board.position import START
from referee.records import gnubg
from referee.records.formats import read_bytes
from referee.records.record import Action, Do, Side
from tests.gnubg import needs_gnubg
from tests.waiting import until
from web.cli.analyse import command

_MATCH = str(Path(__file__).with_name("anna_boris.mat"))


_STATISTICS = """
for command in ("set threads 1", "set analysis chequerplay evaluation plies 0", "set analysis cubedecision evaluation plies 0",
                "set analysis luckanalysis plies 0", 'import mat "%s"', "analyse match", "show statistics match"):
    gnubg.command(command)
"""


def statistics(home: Path) -> dict[str, list[tuple[float, float]]]:
    """The lines of "show statistics match" for the same file on this very machine: (Anna, Boris), one pair a section."""
    found: dict[str, list[tuple[float, float]]] = {}
    for line in gnubg.run_script(_STATISTICS % _MATCH, home, 60.0).splitlines():
        numbers = re.findall(r"([+-]\d+\.\d+) +\(", line)
        if len(numbers) == 2:
            found.setdefault(line.split(" (MWC)")[0], []).append((float(numbers[0]), float(numbers[1])))
    return found


@needs_gnubg
def test_the_figures_are_those_of_gnubgs_own_statistics(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [_MATCH, "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["plies"] == 0 and "0-ply" in result.stderr
    anna, boris = answer["players"]
    assert (anna["name"], boris["name"]) == ("Anna", "Boris")
    said = statistics(tmp_path)
    for side, player in enumerate((anna, boris)):
        assert player["error"] == pytest.approx(-said["Error total EMG"][-1][side], abs=0.002)
        assert player["error_rate"] == pytest.approx(-said["Error rate mEMG"][-1][side], abs=0.06)
        assert player["luck"] == pytest.approx(said["Luck total EMG"][-1][side], abs=0.002)
        assert player["pr"] == pytest.approx(player["error_rate"] / 2, abs=0.001)
    assert 12 < anna["pr"] < 16, "as it was told when the sample was made, within what processors differ"
    worst = [play["error"] for play in answer["worst"]]
    assert len(worst) == 10 and worst == sorted(worst, reverse=True)


@needs_gnubg
def test_how_many_games_have_been_looked_at_is_told_meanwhile() -> None:
    found = read_bytes(Path(_MATCH).read_bytes()).record
    told: list[int] = []
    gnubg.analyse(replace(found, games=found.games * 3), tick=lambda _seconds, games: told.append(games), plies=1)
    assert told == sorted(told) and any(told), "they come one by one"


@needs_gnubg
def test_the_plays_listed_add_up_to_the_total() -> None:
    answer = json.loads(CliRunner().invoke(command, [_MATCH, "--json", "--worst", "999"]).stdout)
    for player in answer["players"]:
        mine = sum(play["error"] for play in answer["worst"] if play["player"] == player["name"])
        assert mine == pytest.approx(player["play_error"], abs=0.03)


@needs_gnubg
def test_the_cube_actions_listed_add_up_to_the_total() -> None:
    answer = json.loads(CliRunner().invoke(command, [_MATCH, "--json", "--worst", "999"]).stdout)
    acts = {(one["act"], one["better"]) for one in answer["worst_cube"]}
    assert ("take", "drop") in acts and ("roll", "double") in acts
    for player in answer["players"]:
        mine = sum(one["error"] for one in answer["worst_cube"] if one["player"] == player["name"])
        assert mine == pytest.approx(player["cube_error"], abs=0.01)
    assert "The worst cube actions:" in CliRunner().invoke(command, [_MATCH]).stdout


@needs_gnubg
@pytest.mark.parametrize("cube", ["CV[4];CP[b]", "CP[b];CV[4]", "CV[2];CP[b];CV[4]", "CV[2]"])
def test_the_cube_actions_add_up_where_the_cube_was_set_by_hand(cube: str) -> None:
    sgf = f"(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]RU[Crawford];W[31hefe];{cube};B[62agln];W[63xrmj];B[double];W[take];B[53ltfi])"
    found = gnubg.analyse(read_bytes(sgf.encode()).record)
    assert ("right", "double") in {(one.player, one.act) for one in found.worst_cube}
    for player in found.players:
        mine = sum(one.error for one in found.worst_cube if one.player == player.name)
        assert mine == pytest.approx(player.cube_error, abs=0.002)


@needs_gnubg
def test_the_game_after_a_dropped_beaver_is_looked_at_whole() -> None:
    mat = (
        " 0 point match\n\n Game 1\n Anna : 0                       Boris : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n"
        "  2)  Beavers => 4                Drops\n      Wins 2 points\n\n"
        " Game 2\n Anna : 2                       Boris : 0\n  1)                             62: 24/18 6/4\n"
        "  2) 31: 24/23 13/10\n      Wins 1 point\n"
    )
    found = gnubg.analyse(read_bytes(mat.encode()).record)
    assert {(one.game, one.roll) for one in found.worst} == {(2, 1), (2, 2)}


@needs_gnubg
@pytest.mark.parametrize("names", [("Анна-Мария Иванова", "Boris"), ("Boris", "王小明王小明王小明王小明"), ("Ж" * 20, "Ж" * 20 + "а")])
def test_names_that_are_too_long_for_gnubg_do_not_keep_it_from_a_match_with_a_board_set_by_hand(names: tuple[str, str]) -> None:
    found = read_bytes(Path(_MATCH).read_bytes()).record
    game = replace(found.games[0], actions=(Action(Side.LEFT, Do.SET_POSITION, position=START), *found.games[0].actions))
    analysis = gnubg.analyse(replace(found, names=names, games=(game,)))
    assert tuple(player.name for player in analysis.players) == names, "in full, as the match has them"
    assert all(player.decisions for player in analysis.players)


@needs_gnubg
def test_the_time_limit_holds() -> None:
    result = CliRunner().invoke(command, [_MATCH, "--plies", "3", "--time-limit", "1"])
    assert result.exit_code == 1 and "not finished after 1 s" in result.output


@pytest.mark.skipif(os.name != "posix", reason="cannot: needs a shell")
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_leaves_no_program_running_however_often_it_is_pressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    program = tmp_path / "gnubg"
    program.write_text("#!/bin/sh\necho $$ > pid\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(gnubg, "find", lambda: str(program))
    poll, left = subprocess.Popen.poll, [times - 1]

    def pressed_again(process: subprocess.Popen[bytes]) -> int | None:
        if left[0]:
            left[0] -= 1
            raise KeyboardInterrupt
        return poll(process)

    def pressed(_seconds: float) -> None:
        monkeypatch.setattr(subprocess.Popen, "poll", pressed_again)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gnubg.run_script("", tmp_path, 60.0, pressed)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.skipif(os.name != "posix", reason="cannot: needs a shell")
def test_ctrl_c_while_the_program_is_being_started_leaves_none_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, start, begun = tmp_path / "gnubg", subprocess.Popen, []
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(gnubg, "find", lambda: str(program))

    def pressed_meanwhile(*words: Any, **how: Any) -> subprocess.Popen[bytes]:
        begun.append(start(*words, **how))
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
        return begun[0]

    monkeypatch.setattr(subprocess, "Popen", pressed_meanwhile)
    with pytest.raises(KeyboardInterrupt):
        gnubg.run_script("", tmp_path, 60.0)
    with pytest.raises(ProcessLookupError):
        os.kill(begun[0].pid, 0)


@pytest.mark.skipif(os.name != "posix", reason="a process cannot be asked to end there")
@pytest.mark.parametrize("asked", ["SIGTERM", "SIGHUP"])  # its window is closed
def test_asked_to_end_it_leaves_no_program_running_and_no_folder(tmp_path: Path, asked: str) -> None:
    program, pid, temporary = tmp_path / "gnubg-cli", tmp_path / "pid", tmp_path / "temporary"
    program.write_text(f"#!/bin/sh\necho $$ > {pid}.part\nmv {pid}.part {pid}\nexec sleep 600\n")
    program.chmod(0o755)
    temporary.mkdir()
    words = [sys.executable, "-c", "from web.cli import main; main()", "analyse", _MATCH]
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(temporary)}
    process = subprocess.Popen(words, env=env, stderr=subprocess.PIPE)
    assert until(pid.exists)
    process.send_signal(getattr(signal, asked))
    assert b"Traceback" not in process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert list(temporary.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.skipif(os.name != "posix", reason="cannot: what may be run is told otherwise there")
def test_gnubg_is_found_on_the_path_and_where_systems_put_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, nowhere = tmp_path / "gnubg", str(tmp_path / "nowhere")
    program.write_text("#!/bin/sh\n")
    for mode, path, places, found in (
        (0o755, str(tmp_path), (), str(program)),
        (0o755, nowhere, (nowhere, str(program)), str(program)),
        (0o644, nowhere, (str(program),), None),
        (0o755, nowhere, (str(tmp_path),), None),
    ):
        program.chmod(mode)
        monkeypatch.setenv("PATH", path)
        monkeypatch.setattr(gnubg, "PLACES", places)
        assert gnubg.find() == found


def test_without_gnubg_it_says_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(gnubg, "PLACES", ())
    result = CliRunner().invoke(command, [_MATCH])
    assert result.exit_code == 1 and "not found" in result.output and "apt install gnubg" in result.output


def test_a_name_in_a_file_does_not_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    players = gnubg.Player("An\x1b[2Jna", 9, 0.1, 0.0, 0.2, ()), gnubg.Player("Boris\r", 9, 0.1, 0.0, 0.2, ())
    monkeypatch.setattr(gnubg, "find", lambda: "gnubg")
    monkeypatch.setattr(gnubg, "analyse", lambda *_: gnubg.Analysis(players, (), (), 0, 1.0))
    shown = CliRunner().invoke(command, [_MATCH]).stdout
    assert "An\ufffd[2Jna: PR" in shown and "Boris\ufffd: PR" in shown
    assert json.loads(CliRunner().invoke(command, [_MATCH, "--json"]).stdout)["players"][0]["name"] == "An\x1b[2Jna"


def test_who_decided_nothing_has_no_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    players = gnubg.Player("Anna", 9, 0.1, 0.0, 0.2, ()), gnubg.Player("Boris", 0, 0.0, 0.0, -0.2, ())
    monkeypatch.setattr(gnubg, "find", lambda: "gnubg")
    monkeypatch.setattr(gnubg, "analyse", lambda *_: gnubg.Analysis(players, (), (), 0, 1.0))
    anna, boris = CliRunner().invoke(command, [_MATCH]).stdout.splitlines()[1:]
    assert "Anna: PR" in anna and boris == "  Boris: nothing to decide, luck -0.200"


def test_what_is_no_match_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    (tmp_path / "x.mat").write_text("hello")
    result = CliRunner().invoke(command, [str(tmp_path / "x.mat")])
    assert result.exit_code == 2 and "no line such as" in result.output


@needs_gnubg
def test_what_of_a_record_could_not_be_read_or_made_is_said_beside_the_figures(tmp_path: Path) -> None:
    lines = Path(_MATCH).read_text().splitlines()
    lines[14] = lines[14].replace("25/21 13/8 ", "3/21 2/1   ")
    lines.insert(19, "  garbage")
    lines[27] = lines[27][:5] + "castles"
    (tmp_path / "damaged.mat").write_text("\n".join(lines))
    result = CliRunner().invoke(command, [str(tmp_path / "damaged.mat"), "--json"])
    assert result.exit_code == 0 and json.loads(result.stdout)["players"]
    said = result.stderr.splitlines()
    assert said[0].startswith("referee: line 20 is not understood: 'garbage'")
    assert said[2].startswith("referee: game 2: castles cannot be read: from there on this game is not looked at")
    assert said[3].startswith("referee: game 1: 54: 3/21 2/1 cannot be read or made: from there on this game is not looked at")
    assert said[4].startswith("GNU Backgammon looks at 4 game(s)")
    worst = json.loads(result.stdout)["worst"]
    assert all(one["roll"] < 10 for one in worst if one["game"] == 1) and all(one["roll"] < 5 for one in worst if one["game"] == 2)
