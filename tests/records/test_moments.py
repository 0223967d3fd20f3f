"""The cube of every moment is the one that `check` has at it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from referee.records.columns import read_columns
from referee.records.completing import completed
from referee.records.formats import WRITERS, read_bytes
from referee.records.moments import moments
from referee.records.record import Parsed, Side
from referee.records.replay import replay
from referee.records.turned import TurnedCube
from referee.rules.presets import preset
from web.cli.ids import command

MONEY = " 0 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"
FIRST = "  1) 31: 8/5 6/5                  "


def shown(parsed: Parsed) -> list[tuple[str, int]]:
    """What was done and the cube it was done at, out of the XGIDs."""
    return [(one.text.split("=")[0].strip(), 2 ** int(one.xgid.split(":")[1])) for one in moments(parsed)]


def test_after_opening_ties_the_cube_is_what_the_first_double_tells() -> None:
    text = MONEY + FIRST + (
        "Doubles => 8\n  2)  Takes                      62: 24/18 13/11\n  3)  Doubles => 16               Drops\n      Wins 8 points\n"
    )
    parsed = read_columns(text)
    assert shown(parsed) == [("31: 8/5 6/5", 4), ("Doubles", 4), ("62: 24/18 13/11", 8), ("Doubles", 8)]
    assert replay(parsed).problems == ()
    in_a_match = read_columns(text.replace(" 0 point", " 25 point"))
    assert shown(in_a_match)[:3] == [("31: 8/5 6/5", 1), ("Doubles", 1), ("62: 24/18 13/11", 2)]


def test_a_chain_of_beavers_doubles_the_cube_each_time() -> None:
    text = MONEY + FIRST + (
        "Doubles => 2\n  2)  Beavers => 4                Beavers => 8\n  3)  Beavers => 16               Beavers => 32\n"
        "  4)  Beavers => 64               62: 24/18 13/11\n      Wins 64 points\n"
    )  # fmt: skip
    parsed = read_columns(text)
    assert shown(parsed)[-1] == ("62: 24/18 13/11", 64)
    (game,) = replay(parsed, replace(preset("bray"), beavers=3, raccoons=True)).games
    assert game.cubes[-1] == (64, Side.LEFT)
    raccoons = read_columns(text.replace("Beavers => 8", "Raccoons => 8").replace("Beavers => 32", "Raccoons => 32"))
    assert shown(raccoons) == shown(parsed)


def test_a_cube_set_by_hand_is_shown_as_set() -> None:
    sgf = "(;FF[4]GM[6]MI[length:9];W[31hefe];CV[4];CP[b];B[double];W[take];B[62agln])"
    assert [cube for _, cube in shown(read_bytes(sgf.encode()))] == [1, 4, 8]


def test_writers_follow_the_cube_as_check_does() -> None:
    text = MONEY + FIRST + (
        "Doubles => 2\n  2)  Beavers => 4                Raccoons => 8\n  3)  Takes                      62: 24/18 13/11\n"
        "      Wins 8 points\n"
    )
    record = completed(read_columns(text))
    for ending, writer in WRITERS.items():
        back = read_bytes(writer(record).encode())
        assert shown(back)[-1][1] == replay(back).games[0].cubes[-1][0] == 8, ending
    cube = TurnedCube()
    for action in record.games[0].actions:
        cube.after(action)
    assert (cube.value, cube.owner) == replay(Parsed(record)).games[0].cubes[-1]


def test_a_game_that_the_record_does_not_have_is_said(tmp_path: Path) -> None:
    (tmp_path / "money.mat").write_text(MONEY + FIRST)
    run = CliRunner().invoke(command, [str(tmp_path / "money.mat"), "--game", "9"])
    assert (run.exit_code, "has no game 9: its games are 1" in run.output) == (2, True)


def test_no_moment_is_told_of_a_board_that_nobody_knows() -> None:
    """After a play that cannot be made, or what could not be read, the board as it was before that stood beside every roll."""
    after = "  3) 51: 13/8 6/5                 43: 24/20 13/10\n"
    broken = read_columns(MONEY + FIRST + "62: 24/18 13/11\n  2) 43: 20/16 4/1                31: 8/5 6/5\n" + after)
    assert [one.text for one in moments(broken)] == ["31: 8/5 6/5", "62: 24/18 13/11", "43: 20/16 4/1"]
    unread = read_columns(MONEY + FIRST + "62: 24/18 13/11\n  2) castles\n" + after)
    assert [one.text for one in moments(unread)] == ["31: 8/5 6/5", "62: 24/18 13/11"]
