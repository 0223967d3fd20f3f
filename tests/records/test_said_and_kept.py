"""What a record loses is said, what can be kept is kept, and nobody is blamed for what the file could not say."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.board.position import START
from referee.match.journal import JournalError
from referee.records import gnubg
from referee.records.completing import completed
from referee.records.formats import WRITERS, lost_in, read_bytes
from referee.records.mat import write_mat
from referee.records.pictures import Pictures
from referee.records.record import Action, Do, Game, Owner, Record, Side
from referee.records.replay import replay
from referee.records.store import Store
from referee.rules import RulesError
from referee.rules.loading import parse_rules
from web.cli.check import check
from web.cli.convert import command as convert

HERE = Path(__file__).parent
SCRIPT = "import sys; sys.argv[0] = 'referee'; from web.cli import main; main()"
needs_gnubg = pytest.mark.skipif(gnubg.find() is None, reason="GNU Backgammon is not installed (Debian: apt install gnubg)")
BEAVER = """ 0 point match

 Game 1
 A : 0                          B : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4               52: 13/8 24/22
  3)  Doubles => 8                Drops
      Wins 4 points
"""


def session(games: int, length: int = 0) -> Record:
    """Games of a real match, over and over, for money."""
    played = replay(read_bytes((HERE / "anna_boris.mat").read_bytes())).games
    made: list[Game] = []
    score = (0, 0)
    for number in range(games):
        one = played[number % 4]
        made.append(replace(one.game, number=number + 1, score=score, crawford=None))
        score = made[-1].score_after(one.winner, one.points)
    return Record(("A", "B"), length, tuple(made), jacoby=False)


def figures(record: Record) -> list[tuple[float, float, int]]:
    return [(round(p.play_error, 3), round(p.cube_error, 3), p.decisions) for p in gnubg.analyse(record).players]


@needs_gnubg
def test_money_without_the_jacoby_rule_is_looked_at_without_it() -> None:
    record = session(1)
    said = tuple(replace(g, actions=(Action(Side.LEFT, Do.SET_POSITION, position=START), *g.actions)) for g in record.games)
    assert figures(record) == figures(replace(record, games=said)), "the starting position set once more changes nothing but the format"


@needs_gnubg
def test_nobody_is_blamed_for_not_doubling_with_the_others_cube() -> None:
    rolls = tuple(a for a in session(1).games[0].actions if a.do is Do.ROLL)
    given = Action(Side.LEFT, Do.SET_CUBE, value=4, owner=Owner.RIGHT)
    game = replace(session(1).games[0], actions=(*rolls[:4], given, *rolls[4:]), winner=Side.LEFT, points=4, resigned=True)
    found = gnubg.analyse(Record(("Anna", "Boris"), 0, (game,), jacoby=False))
    assert not [one for one in found.worst_cube if one.player == "Anna" and one.roll > 4]


@needs_gnubg
def test_a_right_beaver_is_no_mistake() -> None:
    found = gnubg.analyse(completed(read_bytes(BEAVER.encode())))
    mine = [one for one in found.worst_cube if one.player == "A"]
    assert sum(one.error for one in mine) == pytest.approx(found.players[0].cube_error, abs=0.01)
    assert not [one for one in mine if one.roll == 2]


def test_a_long_session_is_a_record_and_its_games_keep_their_ends() -> None:
    text = WRITERS[".mat"](session(120))
    report = replay(read_bytes(text.encode()))
    assert (report.complete, report.problems) == (True, ())
    ends = [game.resigned for game in completed(read_bytes(text.encode())).games]
    assert all(ends[number] == ends[number % 4] for number in range(120))


def test_another_game_than_backgammon_is_not_judged_by_its_start() -> None:
    text = '; [Variation "Nackgammon"]\n\n 5 point match\n\n Game 1\n A : 0  B : 0\n  1) 31: 8/5 6/5                 61: 23/17 24/23 \n'
    report = replay(read_bytes(text.encode()))
    assert (report.breaks, report.illegal, report.complete) == ((), (), False)
    assert any("Nackgammon" in problem for problem in report.problems)


def test_a_file_without_its_last_line_end_keeps_its_last_double() -> None:
    found = read_bytes(BEAVER[: BEAVER.index("  2)")].rstrip("\n").encode())
    assert ([a.do for a in found.record.games[0].actions], found.problems) == ([Do.ROLL, Do.DOUBLE], ())


@pytest.mark.parametrize("ending", [".txt", ".sgf", ".json"])
def test_tags_that_a_format_has_no_place_for_are_said_to_be_lost(ending: str) -> None:
    head = '; [Event "Club"]\n; [EventTime "19.30"]\n; [Comment "a"]\n; [Comment "b"]\n\n'
    record = read_bytes((head + BEAVER).encode()).record
    assert any("tag" in one for one in lost_in(record, ending))
    plain = read_bytes(('; [Event "Club"]\n\n' + BEAVER).encode()).record
    assert any("tag" in one for one in lost_in(plain, ending)) == (ending == ".txt")


@pytest.mark.parametrize("reading", [True, False])
def test_a_database_damaged_in_its_own_words_is_one_sentence(tmp_path: Path, reading: bool) -> None:
    with Store(tmp_path / "a.db") as store:
        store.new_match()
    data = bytearray((tmp_path / "a.db").read_bytes())
    data[data.index(b"CREATE TABLE matches") + 8] ^= 0x80
    (tmp_path / "b.db").write_bytes(data)
    with pytest.raises(JournalError):
        Store(tmp_path / "b.db", reading=reading).close()


def test_a_full_disk_keeps_no_half_pictures(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "a.db")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        assert pictures.keep(1, b"x" * 50_000) is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, was)
    assert pictures.used() == 0


def test_a_club_s_rules_are_not_called_like_those_of_a_book() -> None:
    with pytest.raises(RulesError, match="give this one another name"):
        parse_rules('base = "money"\njacoby = false\nbeavers = 0\nraccoons = false\n', "money")


def test_comments_and_analyses_that_no_record_holds_are_said_to_be_lost(tmp_path: Path) -> None:
    plain = """(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Anna]PB[Boris]RU[Crawford]RE[B+1]
;B[31qtst];W[62];B[double];W[drop])"""
    for text, told in ((plain, False), (plain.replace("qtst]", "qtst]C[nice]"), True), (plain.replace("qtst]", "qtst]BM[1]"), True)):
        (tmp_path / "in.sgf").write_text(text)
        said = CliRunner().invoke(convert, [str(tmp_path / "in.sgf"), str(tmp_path / "out.sgf")])
        assert (said.exit_code, "lost: comments" in said.output) == (0, told)
        assert not read_bytes((tmp_path / "out.sgf").read_bytes()).remarks


def _doubled_at_match_point(crawford: bool) -> Record:
    """Two games to 3, the second at match point and no Crawford game, for the cube was turned; whether the match has one at all."""
    roll = Action(Side.LEFT, Do.ROLL, dice=(3, 1), steps=((8, 5), (6, 5)))
    first = Game(1, (0, 0), (roll,), Side.LEFT, 2, resigned=True, crawford=False)
    actions = (roll, Action(Side.RIGHT, Do.DOUBLE, value=2), Action(Side.LEFT, Do.DROP))
    second = Game(2, (2, 0), actions, Side.RIGHT, 1, resigned=False, crawford=False)
    return Record(("A", "B"), 3, (first, second), crawford=crawford)


@pytest.mark.parametrize("ending", WRITERS)
def test_a_match_without_the_crawford_game_is_kept_or_said_to_be_lost(ending: str) -> None:
    record = _doubled_at_match_point(crawford=False)
    text = WRITERS[ending](record)
    told = not replay(read_bytes(text.encode())).problems
    assert told is not any("Crawford" in sentence for sentence in lost_in(record, ending))
    assert told is (ending != ".txt")
    assert WRITERS[ending](read_bytes(text.encode()).record) == text


@pytest.mark.parametrize("ending", WRITERS)
def test_a_crawford_game_that_came_before_is_kept_or_said_to_be_lost(ending: str) -> None:
    """As where the score was put right, or the match goes on from another table."""
    record = _doubled_at_match_point(crawford=True)
    first, second = record.games
    roll = first.actions[0]
    told = not replay(read_bytes(WRITERS[ending](record).encode())).problems
    assert told is not any("Crawford" in sentence for sentence in lost_in(record, ending))
    assert told is (ending not in (".mat", ".txt"))
    assert not lost_in(replace(record, games=(first, replace(second, actions=(roll,), crawford=True))), ".mat")


@pytest.mark.parametrize("ending", WRITERS)
def test_a_double_in_the_crawford_game_is_still_a_fault_after_the_file_was_converted(ending: str, tmp_path: Path) -> None:
    """Columns do not say which game it is; SGF must."""
    first, second = _doubled_at_match_point(crawford=True).games
    third = replace(second, number=3, score=(2, 1))  # when it is allowed again
    (tmp_path / "in.mat").write_text(write_mat(Record(("A", "B"), 3, (first, second, third))))
    assert CliRunner().invoke(convert, [str(tmp_path / "in.mat"), str(tmp_path / f"out{ending}")]).output == ""
    found = [game.crawford for game in replay(read_bytes((tmp_path / f"out{ending}").read_bytes())).games]
    assert found == [False, True, False]
    (problem,) = check(tmp_path / f"out{ending}")["problems"]
    assert problem.startswith("game 2") and problem.endswith(": right doubled in the Crawford game")


@needs_gnubg
def test_a_game_after_a_crawford_game_that_came_before_is_analysed_as_one() -> None:
    roll = Action(Side.LEFT, Do.ROLL, dice=(3, 1), steps=((8, 5), (6, 5)))
    before = Record(("A", "B"), 5, (Game(1, (4, 1), (roll,), Side.RIGHT, 1, resigned=False, crawford=False),), crawford=True)
    now = replace(before, games=(replace(before.games[0], crawford=True),))
    lucky = [gnubg.analyse(record, 0).players[0].luck for record in (before, now)]
    assert lucky[0] < lucky[1] - 0.01  # a good roll is worth less against one who may double


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe whose reader has gone")
@pytest.mark.parametrize("words", [("check", "--json"), ("ids",), ("ids", "--json")])
def test_a_reader_that_has_enough_is_no_answer_no(words: tuple[str, ...]) -> None:
    """As of ``referee check --json *.mat | head -1``: status 1 would say that a match is not legal."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", SCRIPT, *words, str(HERE / "anna_boris.mat")]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
