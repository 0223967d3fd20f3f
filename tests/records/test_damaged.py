"""No file, however damaged or made to hurt, is an exception or takes long: it is read as far as it goes, or refused with a reason."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.records.completing import completed
from referee.records.formats import WRITERS, lost_in, read_bytes
from referee.records.record import NotARecord
from web.cli.analyse import command as analyse
from web.cli.check import check, command
from web.cli.convert import command as convert
from web.cli.ids import command as ids

_MAT = Path(__file__).with_name("anna_boris.mat").read_bytes()
_STOOD = Path(__file__).with_name("illegal_play_stood.txt").read_bytes()
_NOISE = (
    b"31:", b"8/5", b"(9)", b"Takes", b"Wins 3 points", b" Game 2\n", b"Illegal play (", b"DI[66]", b";PL[W]AE[a:y]AW[a]", b"B[double]",
    b"\0", b"\xff\xfe", b"\xe9", b"]", b"[", b"\\", b"{", b'"', b"\xd9\xa1", b"9" * 30, b"\n", b"\x1b[31m",
)  # fmt: skip


@cache
def whole() -> list[bytes]:
    """The same match in every format, and one in which an illegal play stood."""
    record = completed(read_bytes(_MAT))
    return sorted([_MAT, _STOOD, *(WRITERS[ending](record).encode() for ending in (".sgf", ".json"))])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A whole record with a piece cut out, noise put in, another encoding, or packed."""
    data = draw(st.sampled_from(whole()))
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        how = draw(st.sampled_from(["end", "start", "middle", "noise", "twice", "encoding", "gzip"]))
        if how == "encoding":
            data = data.decode("latin-1").encode(draw(st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-7"])))
        elif how == "gzip":
            data = gzip.compress(data)[: draw(st.sampled_from([None, 10, 40, 200]))]
        else:
            noise = draw(st.sampled_from(_NOISE))
            data = {
                "end": data[:b], "start": data[a:], "middle": data[:a] + data[b:],
                "noise": data[:a] + noise + data[a:], "twice": data[:b] + data[a:],
            }[how]  # fmt: skip
        data = data[:60_000]
    return data


@settings(max_examples=30, deadline=None)
@given(damaged())
def test_a_damaged_file_gives_an_answer(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data)
    begun = time.process_time()
    result = CliRunner().invoke(command, [str(path), "--json"])
    assert result.exit_code in (0, 1), result.exception
    assert time.process_time() - begun < 2.0
    answer = json.loads(result.stdout)
    assert answer["ok"] or answer["problems"]
    assert all(c.isprintable() or c == "\n" for c in CliRunner().invoke(command, [str(path)]).stdout)  # nothing steers the terminal


@settings(max_examples=30, deadline=None)
@given(damaged())
def test_what_could_be_read_of_a_damaged_file_can_be_written_and_read_in_every_format(data: bytes) -> None:
    try:
        record = completed(read_bytes(data))
    except NotARecord:
        return
    for ending, write in WRITERS.items():
        read_bytes(write(record).encode())
        lost_in(record, ending)


def test_a_game_of_nothing_but_a_result_can_be_written() -> None:
    record = completed(read_bytes(f"{_HEAD}{_GAME}      Wins 1 point\n".encode()))
    for write in WRITERS.values():
        assert read_bytes(write(record).encode()).record.games[0].actions == ()


_HEAD = " 5 point match\n\n"
_GAME = " Game 1\n Anna : 0                       Boris : 0\n"
_PLACES = "[m][n][o][p][q][b][c][d][e][f][g][h][i][j][k]"
HEAVY: dict[str, Callable[[int], str]] = {
    "names of spaces": lambda n: _HEAD + " Game 1\n" + (" Anna : 0" + " " * 1_900 + "x\n") * n,
    "names far to the right": lambda n: _HEAD + " Game 1\n" + ("\t" * 230 + "Anna\n") * n,
    "a tag of spaces": lambda n: ("; [" + " " * 1_900 + "x\n") * n + _HEAD,
    "a match's length of letters": lambda n: f"(;FF[4]GM[6]MI[{'a' * 25_000 * n}];PL[W]DI[66])",
    "rolls never played": lambda n: _HEAD + _GAME + "  1) 31:                 42: \n" * (1_250 * n),
    "illegal plays of many legal results": lambda n: (
        _HEAD + (_GAME + "  1) 11: 24/22 13/11 8/6 6/4         11: 24/22 13/11 8/6 6/4\n") * (250 * n)
    ),
    "steps without end": lambda n: _HEAD + _GAME + ("  1) 31: " + "24/12 " * 200 + "\n") * (60 * n),
    "a play without end": lambda n: _HEAD + _GAME + "  1) 31: " + "24/12 " * (2_000 * n),
    "cubes without end": lambda n: " 0 point match\n\n" + _GAME + "  1)  Doubles => 2              Takes\n" * (1_250 * n),
    "beavers without end": lambda n: (
        " 0 point match\n\n" + _GAME + "  1)  Doubles => 2      Beavers => 4\n  2)  Beavers => 8      Takes\n" * (600 * n)
    ),
    "one line": lambda n: "x" * (500_000 * n),
    "deep trees": lambda n: "(;GM[6]W[31hefe]" * (2_500 * n) + ")" * (2_500 * n),
    "never closed": lambda n: "(;GM[6]C[" + "\\]" * (125_000 * n),
    "edited boards": lambda n: "(;GM[6]" + (f";PL[W]DI[11];AE[a:y]AW{_PLACES}AB" + "[a]" * 15) * (600 * n) + ")",
    "deep JSON": lambda n: '{"a":' + "[" * (300_000 * n),
    "a long number": lambda n: '{"format": "backgammon-referee match", "version": 1, "length": ' + "9" * (300 * n) + "}",
}  # fmt: skip


@pytest.mark.parametrize("name", HEAVY)
def test_a_file_made_to_hurt_takes_no_longer_than_its_length_accounts_for(name: str, tmp_path: Path) -> None:
    """Sixteen times the file is some sixteen times the work: what grew with the square would take 256 times as long, on any machine."""
    path = tmp_path / "heavy"
    took = []
    for times in (1, 16):
        path.write_text(HEAVY[name](times))
        begun = time.process_time()
        answer = check(path)
        took.append(time.process_time() - begun)
        assert answer["problems"] or answer["breaks"] or answer["unplayed_rolls"]
    assert took[1] < 64 * max(took[0], 0.005)
    assert took[1] < 20.0  # some ten times what the longest takes: what the growth does not tell, a part that takes too long already


def test_a_packed_file_is_not_unpacked_without_end(tmp_path: Path) -> None:
    path = tmp_path / "bomb.sgf.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"(;" * 40_000_000)))
    assert not check(path)["ok"]
    path.write_bytes(gzip.compress(b" 5 point match\n" * 4_000_000))
    assert "too large" in check(path)["problems"][0]


def test_a_large_file_is_called_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "large"
    for begins, said in ((b"SQLite format 3\0", "a database of matches"), (b"\x00\x01", "a binary file"), (b"; text", "too large")):
        with path.open("wb") as file:
            file.write(begins + b"; a comment\n" * 500)
            file.truncate(33_000_000)
        assert said in check(path)["problems"][0]


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        (b"RGMH\x01\0\0\0", "eXtreme Gammon’s own: save the match there"),
        (b'{"version":"1.0","compression":"gzip","encoding":"smile"}\n\x1f\x8b\x08\0\0\0', "BGBlitz’s own: save the match there"),
        (b"OGXM\x02\0\0\0MTCH", "OpenGammon’s own: save the match there"),
        (b"PK\x03\x04\x14\0\0\0", "a zip archive: unpack it"),
        (b"Score is 0-0 in a 5 point match.\nX: (3 1) 8-5 6-5\n", "GNU Backgammon opens files of other programs"),
    ],
)
def test_what_other_programs_keep_their_matches_in_is_told_what_to_do_with(begins: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_bytes(begins)
    assert said in check(path)["problems"][0]


def test_a_row_that_says_only_that_nobody_saw_the_roll_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "seen.txt"
    path.write_text(_HEAD + _GAME + "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2) ????                           Wins 1 point\n")
    assert check(path)["problems"] == []


def test_a_play_and_then_another_board_is_an_illegal_play_that_stood(tmp_path: Path) -> None:
    """How gnubg keeps one that was made by editing its board, and how it keeps the dice of a roll the game ended at."""
    path = tmp_path / "stood.sgf"
    board = "AE[a:y]AW[e][e][f][f][f][f][h][h][m][m][m][m][m][x][x]AB[s][s][s][s][s][q][q][q][o][l][l][l][l][g][a]"
    path.write_text(f"(;GM[6]MI[length:5];W[31hefe];B[62agln];PL[W]{board};W[42hdfd];PL[B]DI[66])")
    answer = check(path)
    assert [(f["side"], f["play"]) for f in answer["illegal_plays"]] == [("right", "62: illegal play")]
    assert answer["unplayed_rolls"] == [{"game": 1, "row": 0, "side": "right", "dice": [6, 6]}]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path, said in ((tmp_path, "folder"), (tmp_path / "none.mat", "no such file")):
        result = CliRunner().invoke(command, [str(path)])
        assert result.exit_code == 1 and said in result.output
        for other in (ids, analyse, convert):
            told = CliRunner().invoke(other, [str(path), *([str(tmp_path / "out.sgf")] if other is convert else [])])
            assert told.exit_code == 2 and said in told.output
            assert told.output.count(path.name) == 1, "the file is named once"


@pytest.mark.parametrize("text", ["[]", '[{"games": []}]', "[1, 2]", "{}", '{"format": "else"}'])
def test_json_that_is_no_record_is_called_what_it_is(text: str, tmp_path: Path) -> None:
    (tmp_path / "else.json").write_text(text)
    problems = check(tmp_path / "else.json")["problems"]
    assert problems == ['this JSON is no match record of the referee (no "format": "backgammon-referee match")']


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '{"length": 1' + "0" * 5_000 + "}"])
def test_json_that_no_program_writes_is_said_without_the_words_of_this_one(text: str, tmp_path: Path) -> None:
    (tmp_path / "else.json").write_text(text)
    problems = check(tmp_path / "else.json")["problems"]
    assert problems == ["this is no JSON of a match: what is in it is nested too deeply, or a number has too many digits"]


@pytest.mark.parametrize("source", ["", " "])
def test_nothing_has_no_ids(source: str) -> None:
    run = CliRunner().invoke(ids, [source])
    assert run.exit_code == 2
    assert run.output.endswith(f"Error: {source!r} names no file and is no GNUBGID or XGID: give one of them\n")


def test_a_position_id_alone_is_no_file_that_is_missing() -> None:
    """As `referee plays` writes it."""
    alone = CliRunner().invoke(ids, ["4HPwATDgc/ABMA"])
    assert (alone.exit_code, "position ID alone" in alone.output, "4HPwATDgc/ABMA:MATCH" in alone.output) == (2, True, True)
    for missing in ("4HPwATDgc/ABM", "matches/cup.mat"):
        assert "no such file" in CliRunner().invoke(ids, [missing]).output


@pytest.mark.parametrize("damaged", ["(", "()", "", "x;"])
def test_an_sgf_file_whose_first_game_does_not_begin_says_that_it_is_not_read(damaged: str) -> None:
    text = WRITERS[".sgf"](read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes()).record)
    found = read_bytes((damaged + text.removeprefix("(;")).encode())
    assert [game.number for game in found.record.games] == [2, 3, 4]
    assert found.problems == ("the file is damaged before the first game that is read: what is played there is not read",)


@pytest.mark.parametrize("prose", ["Each move is one node, such as ;B[31...].", "Look for the first ;B[ in it:"])
def test_what_a_letter_says_of_the_format_is_no_damage_to_the_game_below_it(prose: str) -> None:
    text = WRITERS[".sgf"](read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes()).record)
    found = read_bytes(f"{prose}\n{text}".encode())
    assert (found.problems, found.record) == ((), read_bytes(text.encode()).record)


def test_an_sgf_file_that_was_cut_off_keeps_what_stands_before_the_cut() -> None:
    anna = read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes()).record
    text = WRITERS[".sgf"](anna)
    second = text.index("\n(;")
    for end in (len(text) - 3, second + 400, second + 150, second + 5):
        found = read_bytes(text[:end].encode())
        games = found.record.games
        whole = read_bytes(text.encode()).record.games
        assert games[0].actions == whole[0].actions
        assert list(games[-1].actions) == list(whole[len(games) - 1].actions[: len(games[-1].actions)])
        assert len(found.problems) == 1 and found.problems[0].startswith("the file ends in the middle of game ")
    assert len(read_bytes(text[: second + 5].encode()).record.games) == 1
    assert read_bytes(text[: second + 5].encode()).problems == ("the file ends in the middle of game 2",)
    one = read_bytes(b"(;GM[6]MI[length:5];W[31hefe];B[52mrmu];W[6").record.games
    assert [a.dice for a in one[0].actions] == [(3, 1), (5, 2)]
    for nothing in (b"(;GM[6]MI[len", b"(;", b"(;GM[1]SZ[19];B[aa];W["):
        with pytest.raises(NotARecord):
            read_bytes(nothing)
