"""What no game of backgammon has is named, and what is no fault is not: resignations, cube, scores, rules that were asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.records.columns import read_columns
from referee.records.completing import completed
from referee.records.formats import RULED_LOST, UNREAD_LOST, WRITERS, lost_in, read_bytes
from referee.records.record import Do, Parsed, Record, Side
from referee.records.replay import Report, replay
from referee.records.sgf import read_sgf
from referee.rules.presets import preset
from referee.rules.ruleset import EarliestDouble, RuleSet
from web.cli.check import command

HEAD = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"
MONEY = HEAD.replace(" 5 point", " 0 point")
FIRST = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
DOUBLED = "  1) 31: 8/5 6/5                  Doubles => 2\n"


def judged(rows: str, head: str = HEAD, rules: RuleSet | None = None) -> Report:
    return replay(read_columns(head + rows), rules)


# --- resignations ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Accepts", "Takes"])
def test_an_accepted_resignation_is_no_take(word: str) -> None:
    report = judged(FIRST + f"  2)  Resigns single              {word}\n                                  Wins 1 point\n")
    assert (report.problems, report.final_score, report.games[0].cubes[-1][0]) == ((), (0, 1), 1)


@pytest.mark.parametrize("word", ["Rejects", "Drops"])
def test_after_a_refused_resignation_play_goes_on(word: str) -> None:
    report = judged(FIRST + f"  2)  Resigns single              {word}\n  3) 42: 8/4 6/4\n      Wins 2 points\n")
    assert (report.problems, report.final_score) == ((), (2, 0))
    assert report.games[0].game.actions[-1].dice == (4, 2)


def test_a_resignation_without_a_result_counts_as_its_words_say() -> None:
    for word, points in (("single", 1), ("gammon", 2), ("a backgammon", 3)):
        parsed = read_columns(HEAD + FIRST + f"  2)  Resigns {word}\n")
        report = replay(parsed)
        assert (report.problems, report.final_score) == ((), (0, points))
        assert "Wins" in WRITERS[".mat"](completed(parsed)), "no other format has resignations: the result says it"


@pytest.mark.parametrize("words", ["Resigned Match", "Lost on time", "Timed out", "Forfeits"])
def test_who_gives_up_the_match_or_runs_out_of_time_loses_all_that_is_missing(words: str) -> None:
    """OpenGammon's words; a game that is given up costs no more than a backgammon."""
    won = " " * 34 + "Wins 5 points and the match\n"
    report = judged(FIRST + f"  2)  {words}\n" + won)
    assert (report.problems, report.final_score, report.winner) == ((), (0, 5), Side.RIGHT)
    assert RULED_LOST in lost_in(completed(read_columns(HEAD + FIRST + f"  2)  {words}\n" + won)), ".mat")
    assert judged(FIRST + f"  2)  {words}\n" + won.replace("5", "4")).problems
    assert judged(FIRST + "  2)  Resigned Game\n" + won).problems
    in_the_winners_column = judged(FIRST + f"  2) {' ' * 32}{words}\n" + won)
    assert (in_the_winners_column.problems, in_the_winners_column.final_score) == ((), (0, 5))
    assert in_the_winners_column.games[0].game.actions[-1].side is Side.LEFT


def test_a_resignation_of_unknown_size_is_told() -> None:
    report = judged(FIRST + "  2)  Resigns\n")
    assert report.final_score == (0, 0)
    assert report.problems == ("game 1: left resigned, but it is not written for how many points: it counts nothing",)


def test_a_resignation_may_say_the_points_it_costs() -> None:
    report = judged(FIRST + "  2)  Resigns gammon\n      Loses 2 points\n")
    assert (report.problems, report.final_score) == ((), (0, 2))
    assert judged(FIRST + "  2)  Loses 5 points\n").problems == ("game 1: 5 points are declared, 3 follow from the play and the cube",)


def test_words_of_the_cube_in_the_singular() -> None:
    taken = "  2)  Take                       62: 24/18 13/11\n      Wins 2 points\n"
    report = judged("  1) 31: 8/5 6/5                  Double to 2\n" + taken)
    assert (report.problems, report.games[0].cubes[-1][0]) == ((), 2)


# --- the cube ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Takes", "Drops"])
def test_an_answer_to_no_double_changes_nothing(word: str) -> None:
    report = judged(FIRST + f"  2)  {word}\n  3) 42: 8/4 6/4\n      Wins 1 point\n")
    (game,) = report.games
    assert (game.cubes[-1][0], game.winner, game.points) == (1, Side.LEFT, 1)
    assert [p for p in report.problems if "without a double to answer" in p] == list(report.problems) != []


def test_a_double_on_a_double_is_a_fault() -> None:
    twice = judged(FIRST + "  2)  Doubles => 2                Doubles => 2\n  3)  Takes\n      Wins 2 points\n")
    assert "game 1, row 2: right doubled while a double waited for its answer" in twice.problems


def test_a_double_before_the_opening_throw_is_a_fault() -> None:
    rows = "  1)  Doubles => 2                Takes\n  2) 31: 8/5 6/5                 62: 24/18 13/11\n      Wins 2 points\n"
    assert judged(rows).problems == ("game 1, row 1: left doubled before the opening throw",)
    refused = replace(preset("bray"), earliest_double=EarliestDouble.FIRST_TURN, first_throw_refusal=True)
    assert judged(rows, rules=refused).problems == (), "who may refuse that throw has his turn before it"
    set_up = "(;FF[4]GM[6]MI[length:5];PL[W]AE[a:y]AW[f][f][f]AB[s][s][s];W[double];B[take])"
    assert replay(read_bytes(set_up.encode())).problems == (), "a board that was set is the middle of a game"


def test_a_first_throw_of_two_equal_numbers_is_named() -> None:
    report = judged("  1) 66: 24/18(2) 13/7(2)\n")
    assert report.problems == ("game 1, row 1: left begins with 66, but the first throw is two different numbers",)
    assert not report.illegal


@pytest.mark.parametrize("after", ["52: 13/8 24/22", " Doubles => 2"])
def test_play_after_the_game_was_won_is_named_once(after: str) -> None:
    rows = f"  2)  Drops                      {after}\n  3) 31: 8/5 6/5\n                                  Wins 1 point\n"
    report = judged(DOUBLED + rows)
    assert report.problems == ("game 1, row 2: right played on after the game was won",)
    assert report.final_score == (0, 1)
    assert not report.illegal


def test_play_after_the_last_checker_is_off_is_named() -> None:
    text = "(;FF[4]GM[6]MI[length:5]RE[W+1];PL[W]AE[a:y]AW[a]AB[s][s];W[21az];B[31sz])"
    assert replay(read_bytes(text.encode())).problems == ("game 1: right played on after the game was won",)


# --- a file that begins late ---------------------------------------------------------------------------------------------------

LATE = HEAD.replace("Anna : 0", "Anna : 4")


@pytest.mark.parametrize("rows", [DOUBLED + "  2)  Drops\n                                  Wins 1 point\n", FIRST])
def test_whether_a_game_that_begins_late_at_match_point_is_the_crawford_game_is_told_by_its_cube_and_said(rows: str) -> None:
    report = judged(rows, LATE.replace("Game 1", "Game 3").replace("Boris : 0", "Boris : 2"))
    turned = "Doubles" in rows
    assert (report.problems, report.games[0].crawford) == ((), not turned)
    (said,) = report.remarks
    assert said.startswith("game 3 begins at 4-2, and the games before it are not in the file: nobody can know")
    assert said.endswith("it is taken for one after that" if turned else "it is taken for that")
    converted = completed(Parsed(Record(("Anna", "Boris"), 5, (report.games[0].game,))))
    assert converted.games[0].crawford is not turned, "and it is converted and analysed as such"


@pytest.mark.parametrize(("number", "score"), [(2, "Boris : 0"), (2, "Boris : 1"), (3, "Boris : 0"), (5, "Boris : 0")])
def test_where_no_game_at_match_point_can_have_been_before_it_is_the_crawford_game(number: int, score: str) -> None:
    report = judged(DOUBLED, LATE.replace("Game 1", f"Game {number}").replace("Boris : 0", score))
    assert report.problems == (f"game {number}, row 1: right doubled in the Crawford game",)
    assert report.remarks == ()


def test_where_the_crawford_game_must_have_been_before_or_the_file_says_it_nothing_is_remarked() -> None:
    both = LATE.replace("Game 1", "Game 6").replace("Boris : 0", "Boris : 4")
    off = '; [Crawford "Off"]\n' + LATE.replace("Game 1", "Game 3").replace("Boris : 0", "Boris : 2")
    for head in (both, off, LATE.replace("Game 1", "Game 3").replace("Anna : 4", "Anna : 3")):
        report = judged(FIRST, head)
        assert (report.problems, report.remarks, report.games[0].crawford) == ((), (), False)
    assert judged(FIRST, LATE, preset("money")).remarks == ()


def test_the_check_says_what_it_took_and_finds_nothing_wrong_in_it(tmp_path: Path) -> None:
    file = tmp_path / "late.mat"
    file.write_text(LATE.replace("Game 1", "Game 3").replace("Boris : 0", "Boris : 2") + FIRST)
    result = CliRunner().invoke(command, [str(file)])
    first, second = result.stdout.splitlines()
    assert result.exit_code == 0 and first.endswith("nothing wrong") and "Crawford" in second
    answer = json.loads(CliRunner().invoke(command, [str(file), "--json"]).stdout)
    assert answer["problems"] == [] and answer["remarks"] == [second.strip()]


# --- headers and columns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [" (Crawford)", " - Crawford game", ".", ""])
def test_a_game_begins_whatever_stands_behind_its_number(words: str) -> None:
    second = HEAD.split("\n\n", 1)[1].replace("Anna : 0", "Anna : 2").replace("Game 1", f"Game 2{words}")
    text = HEAD + FIRST + "      Wins 2 points\n\n" + second + FIRST + "      Wins 1 point\n"
    report = replay(read_columns(text))
    assert (len(report.games), report.final_score, report.problems) == (2, (3, 0), ())


def test_a_player_may_be_called_game_7() -> None:
    report = replay(read_columns(HEAD.replace(" Anna", " Game 7") + FIRST))
    assert (len(report.games), report.problems) == (1, ())


def test_a_lone_field_belongs_to_the_name_it_stands_under() -> None:
    head = "  5 point match\n\n Game 1\n n : 0         H : 0\n"
    narrow = head + "  1)             52: 24/22 13/8\n  2) 31: 8/5 6/5\n  3)             64: 24/14\n"
    report = replay(read_columns(narrow))
    assert [a.side for a in report.games[0].game.actions] == [Side.RIGHT, Side.LEFT, Side.RIGHT]
    assert report.problems == ()


def test_scores_and_numbers_that_cannot_be_are_named() -> None:
    assert judged(FIRST, HEAD.replace("Anna : 0", "Anna : 9")).problems == ("game 1 begins at 9-0, which cannot be in a match to 5",)
    second = HEAD.split("\n\n", 1)[1].replace("Anna : 0", "Anna : 2")
    for number in (1, 4):
        text = HEAD + FIRST + "      Wins 2 points\n\n" + second.replace("Game 1", f"Game {number}") + FIRST
        assert replay(read_columns(text)).problems == (f"game {number} follows game 1",)


@pytest.mark.parametrize("play", ["62: Illegal play (1;2;3)", "62: 24-18 13-11", "62: 24/18 x"])
def test_a_play_that_cannot_be_read_accuses_nobody_and_ends_the_judging(play: str) -> None:
    report = judged(f"  1) 31: 8/5 6/5                 {play}\n  2) 42: 8/4 6/4\n")
    assert (report.unplayed, report.illegal) == ((), ())
    assert [(f.row, f.side) for f in report.breaks] == [(1, Side.RIGHT)]
    record = Record(("Anna", "Boris"), 5, tuple(played.game for played in report.games))
    assert [UNREAD_LOST in lost_in(record, ending) for ending in WRITERS] == [True, True, True, False], "what is left of it would be judged"


@pytest.mark.parametrize("play", ["62alk9", "62aall", "62aglnaglnagln"])
def test_a_play_of_an_sgf_file_that_cannot_be_read_accuses_nobody_and_ends_the_judging(play: str) -> None:
    """Left out it had the plays that followed judged on a board that never was."""
    parsed = read_sgf(f"(;GM[6]MI[length:5][game:0][ws:0][bs:0];W[31hefe];B[{play}];W[42hdfd];B[61gmlm])")
    report = replay(parsed)
    assert (report.unplayed, report.illegal) == ((), ())
    assert [(f.action, f.side) for f in report.breaks] == [(2, Side.RIGHT)]
    assert parsed.problems == (f"game 1: not a move: {play!r}",)


def test_a_roll_that_lacks_its_colon_is_named_and_counts() -> None:
    """Left out it had the plays after it judged on a board that never was."""
    colons = "  1)                             31: 8/5 6/5\n  2) 62: 24/18 13/11             61: 13/7* 8/7\n  3) 51: bar/24 13/8\n"
    whole = judged(colons)
    assert not (whole.illegal or whole.breaks or whole.unplayed or whole.problems)
    for lacking, line in (("31:", 5), ("62:", 6), ("61:", 6)):
        report = judged(colons.replace(lacking, lacking[:2] + " "))
        assert (report.illegal, report.breaks, report.unplayed) == ((), (), ())
        assert report.problems == (f"line {line}: behind the roll {lacking[:2]} a colon is missing",)
        assert report.games[0].positions == whole.games[0].positions


@pytest.mark.parametrize("row", [
    "  2) 62 / 24/18 13/11             51: 13/8 6/5\n", "  2) castles\n", "  2) 62: 24/18                    51: 13/8 6/5\n 13/11 6/5\n",
    "  2) Doubels => 2                 Takes\n", "  2) " + "62: " * 9 + "\n", "  2) " + "x" * 2_001 + "\n",
])  # fmt: skip
def test_of_what_comes_after_a_row_that_cannot_be_read_nobody_is_accused(row: str) -> None:
    report = judged(f"  1)                             31: 8/5 6/5\n{row}  3) 42: 18/12                   Takes\n      Wins 4 points\n")
    assert report.breaks == report.unplayed == report.illegal == ()
    assert report.problems[0].startswith("line 7" if "\n 13" in row else "line 6")
    assert report.problems[-1].endswith("what stands here cannot be read: the rest of the game is not judged")
    assert report.final_score == (4, 0)


@pytest.mark.parametrize("line", ["24/12", " Date: 24/12", "Date: 24/12/2025", " " * 33 + "24/12", " 24/12 25/12   6/1"])
def test_a_date_between_the_rows_ends_nothing(line: str) -> None:
    """Every play before it is whole: it can be the rest of none."""
    for before in (FIRST, "  1) 31: 8/5 6/5                 62: 24/16\n", "  1) 31: 8/5 6/5                 33: 24/18(2)\n"):
        report = judged(f"{before}{line}\n  2) 42: 8/4 6/4\n")
        assert report.problems == (f"line 6 is not understood: {line.strip()!r}",)
        assert report.games[0].judged and not report.breaks


@pytest.mark.parametrize("play", ["62:", "62: 24/18", "66: 24/18(2)"])
def test_moves_under_a_row_that_lacks_some_are_no_remark(play: str) -> None:
    report = judged(f"  1) 31: 8/5 6/5                 {play}\n                                    13/11\n  2) 42: 8/4 6/4\n")
    assert not report.games[0].judged
    assert not (report.illegal or report.unplayed or report.breaks)


def test_a_remark_between_the_rows_ends_nothing() -> None:
    report = judged(FIRST + "  a fine start, and the lamp fell over\n  2) 42: 8/4 5/3\n")
    assert report.problems == ("line 6 is not understood: 'a fine start, and the lamp fell over'",)
    assert report.games[0].judged


@pytest.mark.parametrize("node", ["B[castles]", "AE[a:y]AW[a]AB[zz]"])
def test_of_what_comes_after_a_node_of_an_sgf_file_that_cannot_be_read_nobody_is_accused(node: str) -> None:
    parsed = read_sgf(f"(;GM[6]MI[length:5][game:0][ws:0][bs:0];W[31hefe];{node};W[42aeac];B[61alyz])")
    report = replay(parsed)
    assert (report.illegal, report.breaks, report.unplayed) == ((), (), ())
    assert "cannot be read" in report.problems[-1] and not report.games[0].judged
    again = replay(read_bytes(WRITERS[".json"](parsed.record).encode()))
    assert (again.illegal, again.games[0].judged) == ((), False), "our own format keeps that it is not known"
    assert UNREAD_LOST in lost_in(parsed.record, ".mat") and UNREAD_LOST not in lost_in(parsed.record, ".json")


def test_words_and_letters_of_an_sgf_file_are_read_in_capitals_and_with_spaces_too() -> None:
    plain = "(;GM[6]MI[length:5][game:0][ws:0][bs:0];W[31hefe];B[double];W[take];B[62agln])"
    loose = "(;GM[6]MI[length: 5][game: 0][ws: 0][bs: 0];W[ 31HEFE];B[Double ];W[ take];B[62agln])"
    assert read_sgf(loose) == read_sgf(plain)
    assert read_sgf(loose).record.length == 5


def test_a_mark_behind_a_play_that_can_be_read_does_no_harm() -> None:
    report = judged("  1) 31: 8/5 6/5 !               62: 24/18?! 13/11 ??\n  2) 42: 8/4 6/4\n")
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


# --- the rules that were asked for -------------------------------------------------------------------------------------------

CRAWFORD = HEAD.replace("Anna : 0", "Anna : 4")
DROPPED = DOUBLED + "  2)  Drops\n                                  Wins 1 point\n"


def test_the_named_rules_say_whether_there_is_a_crawford_game() -> None:
    said = ("game 1, row 1: right doubled in the Crawford game",)
    assert judged(DROPPED, CRAWFORD).problems == said
    assert judged(DROPPED, CRAWFORD, replace(preset("bray"), crawford=False)).problems == ()
    without = '; [Crawford "Off"]\n' + CRAWFORD
    assert judged(DROPPED, without).problems == ()
    assert judged(DROPPED, without, preset("bray")).problems == said
    sgf = WRITERS[".sgf"](read_columns(without + DROPPED).record)  # it names no Crawford rule
    assert replay(read_sgf(sgf)).problems == ()


def test_the_named_rules_say_whether_the_jacoby_rule_holds() -> None:
    resigned = FIRST + "      Wins 2 points\n"
    assert judged(resigned, MONEY).problems == ()
    assert judged(resigned, MONEY, replace(preset("bray"), jacoby=False)).problems == ()
    report = judged(resigned, MONEY, replace(preset("bray"), jacoby=True))
    assert report.problems == ("game 1: 2 points are declared, 1 follow from the play and the cube",)
    turned = DOUBLED + "  2)  Takes                      62: 24/18 13/11\n      Wins 4 points\n"
    assert judged(turned, MONEY, replace(preset("bray"), jacoby=True)).problems == ()


def test_the_named_rules_say_how_often_the_cube_is_turned_again() -> None:
    once = DOUBLED + "  2)  Beavers => 4               62: 24/18 13/11\n      Wins 4 points\n"
    answered = "  3)  Takes                      62: 24/18 13/11\n      Wins 8 points\n"
    raccoon = DOUBLED + "  2)  Beavers => 4                Raccoons => 8\n" + answered
    none, one, both = (replace(preset("bray"), beavers=n, raccoons=r) for n, r in ((0, False), (1, False), (1, True)))
    assert judged(once, MONEY).problems == judged(raccoon, MONEY).problems == ()
    assert judged(once, MONEY, none).problems == ("game 1, row 2: left beavered more often than the rule set bray allows",)
    assert judged(once, MONEY, one).problems == judged(raccoon, MONEY, both).problems == ()
    assert judged(raccoon, MONEY, one).problems == ("game 1, row 2: right raccooned more often than the rule set bray allows",)


def test_a_dropped_beaver_loses_what_was_doubled() -> None:
    """As GNU Backgammon writes it: "root refuses the cube and gives up 2 points"."""
    beaver = DOUBLED + "  2)  Beavers => 4                Drops\n      Wins 2 points\n"
    assert (judged(beaver, MONEY).problems, judged(beaver, MONEY).final_score) == ((), (2, 0))
    raccoon = DOUBLED + "  2)  Beavers => 4                Raccoons => 8\n  3)  Drops                       Wins 4 points\n"
    assert (judged(raccoon, MONEY).problems, judged(raccoon, MONEY).final_score) == ((), (0, 4))
    own = DOUBLED + "  2)  Beavers => 4\n  3)  Drops                       Wins 2 points\n"
    assert judged(own, MONEY).problems[0] == "game 1, row 3: left dropped without a double to answer"


def test_a_beaver_of_nothing_changes_nothing() -> None:
    report = judged(FIRST + "  2)  Beavers => 4\n      Wins 1 point\n", MONEY)
    assert report.games[0].cubes[-1][0] == 1 and report.problems == ("game 1, row 2: left beavered without a double to turn",)
    assert Do.BEAVER in [a.do for a in report.games[0].game.actions]


SGF = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Anna]PB[Boris]RE[B+2];B[31qtst];W[42hdfd])"


@pytest.mark.parametrize("result", ["B+2", "B+2R", "B+2Resign"])
def test_a_resignation_may_be_written_out(result: str) -> None:
    assert replay(read_bytes(SGF.replace("B+2", result).encode())).final_score == (0, 2)


@pytest.mark.parametrize("before", ["", "Our match (Anna and Boris);\n5 point match\n", "\ufeff\n"])
def test_text_may_stand_before_the_first_tree(before: str) -> None:
    report = replay(read_bytes((before + SGF).encode()))
    assert (report.final_score, report.problems) == ((0, 2), ())


@pytest.mark.parametrize("dice", ["", "DI[21]"], ids=["a board", "a board and dice"])
@pytest.mark.parametrize("place", ["root", "node"])
def test_a_game_of_an_sgf_file_may_begin_from_a_board_wherever_it_is_set(place: str, dice: str) -> None:
    """In the first node of its tree, as the format has it, or in the second, as gnubg has it; dice beside it make no illegal play of it."""
    board = f"PL[W]{dice}AE[a:y]AW[a][a][b][b]AB[x][x][w][w]"
    head = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Anna]PB[Boris]"
    report = replay(read_bytes((head + (board if place == "root" else f";{board}") + ";W[21bzaz];B[21wzxz])").encode()))
    assert [a.do for a in report.games[0].game.actions] == [Do.SET_POSITION, Do.ROLL, Do.ROLL]
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


def test_the_usual_board_of_an_sgf_file_is_not_set() -> None:
    usual = "AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"
    assert read_bytes(SGF.replace(";B[31", usual + ";B[31").encode()).record == read_bytes(SGF.encode()).record
