"""`referee chouette` from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from web.cli.chouette import command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "friday.json"


def run(file: Path, *words: str) -> Result:
    return CliRunner().invoke(command, [str(file), *words])


def said(file: Path, *words: str) -> str:
    result = run(file, *words)
    assert result.exit_code == 0, result.output
    return result.output


def test_an_evening(file: Path) -> None:
    assert said(file, "start", "Ann", "Ben", "Cleo", "Dan").startswith(
        "Box: Ann. Captain: Ben. Team: Ben, Cleo, Dan. Cube: 1, in the middle."
    )
    dropped = said(file, "double", "box", "Cleo")
    assert "Cube: 2, with Ben." in dropped
    assert [line.split() for line in dropped.splitlines()[1:]] == [["Ann", "+1"], ["Ben", "0"], ["Cleo", "-1"], ["Dan", "0"]]
    assert said(file) == dropped
    assert "between games only" in run(file, "join", "Eve").output
    assert "The other side owns the cube." in run(file, "double", "box").output
    output = said(file, "won", "team", "gammon")
    assert output.startswith("Box: Ben. Captain: Cleo.")  # she dropped in that game only
    assert "Ben                 +4" in output
    assert "Cleo                -1" in output
    assert "Ann                 -7" in output
    assert said(file, "join", "Eve").splitlines()[-1].split() == ["Eve", "0"]
    assert "(left)" in said(file, "leave", "Ann")
    before = said(file)
    said(file, "double", "team", "Ben")
    assert said(file, "undo") == before


def test_the_captain_takes_over_shares(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo", "--rules", "agca")
    assert "Team: Ben (x2)." in said(file, "double", "box", "Cleo")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["dance"], 2),
        (["won", "nobody"], 2),
        (["won", "box", "huge"], 2),
        (["double"], 2),
        (["double", "box", "Zoe"], 1),
        (["double", "team", "Ben"], 1),
        (["leave", "Zoe"], 1),
        (["start", "A", "B", "C"], 2),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(file: Path, words: list[str], status: int) -> None:
    said(file, "start", "Ann", "Ben", "Cleo")
    kept = file.read_bytes()
    result = run(file, *words)
    assert result.exit_code == status
    assert result.output.splitlines()[-1].startswith("Error: ")
    assert file.read_bytes() == kept


def test_names_that_look_alike_are_refused(file: Path) -> None:
    for names in (("Ann", "ann", "Cleo"), ("Ann ", "Ben", "Ann")):
        refused = run(file, "start", *names)
        assert (refused.exit_code, file.exists()) == (1, False) and "Ann" in refused.output.title(), refused.output
    said(file, "start", "Ann", "Ben", "Cleo")
    assert run(file, "join", "ben ").exit_code == 1
    assert "Box: Ann. Captain: Ben." in said(file, "join", " Dan")


def test_a_name_is_known_however_it_is_capitalised(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo", "Dan")
    assert "Team: Ben, Dan." in said(file, "double", "box", "cleo")
    said(file, "won", "box")
    assert "Cleo                -1  (left)" in said(file, "leave", "CLEO")
    assert said(file, "join", "cleo").splitlines()[3] == "  Cleo                -1"  # who comes back goes on with his points


def test_files_that_are_none_of_ours(file: Path) -> None:
    assert "begin with" in run(file).output
    assert run(file, "start", "Ann", "Ben").exit_code == 1
    assert not file.exists()
    assert run(file, "start", "Ann", "Ben", "Cleo", "--rules", "nope").exit_code == 2, "bad usage"
    for text in ("", "[]", '{"chouette": [[3]]}', '{"chouette": []}', '{"chouette": 3}', "[" * 9999):
        file.write_text(text)
        result = run(file)
        assert result.exit_code == 2
        assert "no chouette of ours" in result.output


def test_what_cannot_be_a_sheet_is_refused_and_nothing_is_put_beside_it(file: Path, tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    for name in (tmp_path / "club", file.with_name("f" * 300)):
        result = run(name, "won", "box")
        assert result.exit_code == 2
        assert result.output.splitlines()[-1].endswith("check that you may open it, or name another"), result.output
    assert [path.name for path in tmp_path.iterdir()] == ["club"]


@pytest.mark.parametrize("act", [["won", "box", "won"], ["tie"], ["join", ""], ["double", "box", "Zoe"], ["start", "A", "B", "C"]])
def test_a_file_with_an_act_that_cannot_have_been_is_damaged(file: Path, act: list[str]) -> None:
    said(file, "start", "Ann", "Ben", "Cleo")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"chouette": [["magriel", "Ann", "Ben", "Cleo"], act]}))
    before = file.read_bytes()
    for words in ((), ("won", "box"), ("undo",)):
        result = run(file, *words)
        assert (result.exit_code, file.read_bytes()) == (2, before)
        assert f"{file} is damaged, an act in it cannot have been (" in result.output and len(result.output) < 400


def test_names_in_a_file_steer_no_terminal_and_end_nothing(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo")
    names = ["An\x1b[2Jn\nBox: Eve", "B\ud800n", "Cleo"]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"chouette": [["magriel", *names]]}))
    assert said(file).startswith("Box: An [2Jn Box: Eve. Captain: B?n. ")
    assert said(file, "won", "box").splitlines()[1].split()[-1] == "+2"


@pytest.mark.skipif(sys.platform == "win32", reason="names there are always Unicode")
def test_rules_in_a_file_whose_name_is_no_text_are_kept(file: Path, tmp_path: Path) -> None:
    ours = tmp_path / "th\udcff.toml"
    ours.write_text('base = "magriel"\nname = "Ours"\nbackgammon_pays = 2\n')
    said(file, "--rules", str(ours), "start", "Ann", "Ben", "Cleo")
    assert "+4" in said(file, "won", "box", "backgammon")


def test_the_order_by_what_each_threw(file: Path) -> None:
    again = run(file, "start", "Ann=3", "Ben=6", "Cleo=6")
    assert again.exit_code == 1 and "Ben and Cleo threw the same; they throw again: Ben=6,N" in again.output
    assert not file.exists()
    assert said(file, "start", "Ann=3", "Ben=6,2", "Cleo=6,4").startswith("Box: Cleo. Captain: Ben. Team: Ben, Ann.")
    for bad in (("Ann=3", "Ben"), ("Ann=7", "Ben=1"), ("Ann=3", "Ann=4", "Ben=1"), ("Ann=", "Ben=2")):
        assert run(file.with_name("other.json"), "start", *bad, "Cleo=1").exit_code == 2, bad


def test_a_stake_and_ties_that_turn_the_cube(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo", "--rules", "agca", "--stake", "5")
    assert "Cube: 2, in the middle." in said(file, "tie")
    output = said(file, "won", "box", "gammon")
    assert output.splitlines()[1].split() == ["Ann", "+8", "+40"]
    assert output.splitlines()[2].split() == ["Ben", "-4", "-20"]
    assert run(file, "won", "box", "--stake", "3").exit_code == 2
    other = file.with_name("other.json")
    said(other, "start", "Ann", "Ben", "Cleo")
    assert "does not turn on a tie" in run(other, "tie").output


def test_what_cannot_be_kept_is_not_shown(tmp_path: Path) -> None:
    lost = run(tmp_path / "no such folder" / "chouette.json", "start", "Ann", "Ben", "Cleo")
    assert lost.exit_code == 2
    assert "cannot be written" in lost.output and "Box" not in lost.output


def test_a_clubs_rules_are_found_again_from_another_folder(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "ours.toml").write_text('base = "agca"\nname = "Ours"\n')
    monkeypatch.chdir(tmp_path / "club")
    said(file, "--rules", "ours.toml", "start", "Ann", "Ben", "Cleo")
    monkeypatch.chdir(tmp_path)
    assert "Cube: 2, in the middle." in said(file, "tie")  # as AGCA has it
    said(file, "double", "box")
    assert "Only the opening throw ties: a double was taken since." in run(file, "tie").output


def test_an_evening_is_reckoned_by_the_rules_it_was_begun_under(file: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text('base = "magriel"\nname = "Ours"\nbackgammon_pays = 2\n')
    said(file, "--rules", str(ours), "start", "Ann", "Ben", "Cleo")
    before = said(file, "won", "box", "backgammon")
    assert "+4" in before
    ours.write_text('base = "magriel"\nname = "Ours"\n')
    assert said(file) == before
    ours.unlink()
    assert said(file) == before
    file.write_text(file.read_text().replace('"backgammon_pays": 2', '"backgammon_pays": "two"'))
    assert "no chouette of ours" in run(file).output


def test_rules_named_in_the_middle_are_not_passed_over_in_silence(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo")
    result = run(file, "--rules", "agca", "won", "box")
    assert (result.exit_code, "agreed on with start" in result.output) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="names there are always Unicode")
def test_names_that_a_terminal_cannot_say_end_nothing(file: Path) -> None:
    program = [sys.executable, "-c", "from web.cli import main; main()"]
    words: list[str | bytes] = [*program, "chouette", str(file), "start", "Юрий", b"\xe9va", "Cleo"]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONIOENCODING="cp1252", PYTHONUTF8="1")
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Box: ????. Captain: ?va." in done.stdout
    assert said(file).startswith("Box: Юрий.")


def test_of_acts_in_the_same_moment_none_is_lost(file: Path) -> None:
    said(file, "start", "Ann", "Ben", "Cleo")
    act = command.callback
    assert act is not None
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda _: act(file, ("won", "box"), None, None), range(16)))
    assert said(file).splitlines()[1].split() == ["Ann", "+32"]
