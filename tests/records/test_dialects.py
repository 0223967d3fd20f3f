"""What other programs, pages and letters make of a record in columns, and what is understood of it."""

from __future__ import annotations

import html
import quopri
from dataclasses import replace
from pathlib import Path

import pytest

from referee.records.columns import read_columns
from referee.records.formats import WRITERS, read_bytes
from referee.records.record import Side
from referee.records.replay import Report, replay

HEAD = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"


def judged(rows: str, head: str = HEAD) -> Report:
    return replay(read_columns(head + rows))


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
def test_blanks_that_a_page_has_made_unbreakable_are_blanks_everywhere(blank: str) -> None:
    """In a board that was set, in the words of a header and in a name."""
    start = "; Set Pos=-b----E-C---eE---cAe----A-/0\n"
    rows = f"{start}  1)                             61: 13/7* 8/7\n  2) 42: 25/23 8/4\n"
    plain = judged(rows, HEAD.replace(" 5 point match", "Unlimited game").replace("Anna", "Anna B"))
    text = (HEAD.replace(" 5 point match", "Unlimited game").replace("Anna", "Anna B") + rows).replace(" ", blank)
    found = replay(read_columns(text))
    assert (found.problems, found.breaks, found.illegal) == (plain.problems, plain.breaks, plain.illegal) == ((), (), ())
    assert [game.positions for game in found.games] == [game.positions for game in plain.games]
    assert read_columns(text).record.names == ("Anna B", "Boris")


@pytest.mark.parametrize("roll", ["04: 24/18", "3l: 8/5 6/5", "7:", "626: 24/18 13/11"])
@pytest.mark.parametrize("rows", ["  2) 62: 24/18 13/11             {}\n", "  2)  Doubles => 2                {}\n"], ids=["play", "cube"])
def test_what_stands_for_a_roll_in_the_right_column_is_no_part_of_the_left_one(rows: str, roll: str) -> None:
    before, after = "  1) 53: 8/3 6/3                 31: 24/23 13/10\n", "  3) 42: 8/4 6/4                 21: 13/11 6/5\n"
    report = judged(before + rows.format(roll) + after)
    assert not (report.illegal or report.breaks or report.unplayed)
    unread = "game 1, row 2: what stands here cannot be read: the rest of the game is not judged"
    assert report.problems == (f"line 6: not understood: {roll!r}", unread)
    assert len(report.games[0].game.actions) == 6


@pytest.mark.parametrize("row", ["???                            21: 13/11 6/5", "21: 13/11 6/5                  ????"])
def test_a_turn_of_which_nothing_was_seen_is_said_to_be_unread_and_no_roll_missing(row: str) -> None:
    report = judged(f"  1) 53: 8/3 6/3                 31: 24/23 13/10\n  2) {row}\n  3) 42: 8/4 6/4                 21: 13/11 6/5\n")
    assert report.problems == ("game 1, row 2: what stands here cannot be read: the rest of the game is not judged",)
    assert not (report.illegal or report.breaks or report.unplayed)


@pytest.mark.parametrize("row", ["???", "42: 8/4 6/4                    ????", "????                            Wins 1 point"])
def test_a_last_turn_of_which_nothing_was_seen_is_no_fault(row: str) -> None:
    rows = f"  1) 53: 8/3 6/3                 31: 24/23 13/10\n  2) {row}\n" + "      Wins 1 point\n" * ("Wins" not in row)
    report = judged(rows)
    assert (report.problems, sum(report.final_score)) == ((), 1)
    marked = judged("  1) 53: 8/3 6/3 ???             31: 24/23 13/10   ??\n      Wins 1 point\n")
    assert (marked.problems, len(marked.games[0].game.actions)) == ((), 2), "an opinion of the play"


@pytest.mark.parametrize("words", ["Illegal play", "illegal move", "(Illegal play)"])
def test_an_illegal_play_without_its_board_is_told_in_one_sentence(words: str) -> None:
    report = judged(f"  1) 31: 8/5 6/5                 62: {words}\n  2) 42: 8/4 6/4                 21: 13/11 6/5\n")
    (finding,) = report.breaks
    assert (finding.row, finding.side, finding.play) == (1, Side.RIGHT, f"62: {words}")
    assert not (report.problems or report.illegal or report.unplayed)


def test_more_points_than_a_game_can_have_are_told_and_the_score_is_what_play_and_cube_give() -> None:
    """As Backgammon Studio writes who gave up; `check` does not cap a score at the match's length (INTERFACE)."""
    rows = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n"
    rows += "  3) 42: 8/4 6/4                 66: ????\n  4)  Wins 2008 point                  \n"
    report = judged(rows, HEAD.replace("Anna : 0", "Anna : 3"))
    assert report.problems == ("game 1: 2008 points are declared, 6 follow from the play and the cube",)
    assert (report.final_score, len(report.unplayed)) == ((9, 0), 1)


@pytest.mark.parametrize("name", ["Boris (GER)", "B;S", "b)", "(a) b; c)"])
def test_the_board_after_an_illegal_play_is_found_whatever_stands_in_the_names_before_it(name: str) -> None:
    """GNU Backgammon writes them as they are."""
    right = "62: Illegal play (5;0;0;0;1;Anna;{};0;0;0;1;0;0;-1;0;0;0;2;4;-1;2;0;0;0;-4;5;0;-1;0;-3;0;-5;0;0;0;0;2;0;4;2;)"
    left = "42: Illegal play (5;0;0;0;0;{};Anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;1;0;-5;4;0;0;0;-1;1;-3;-2;-1;-1;0;1;0;3;1;)"
    rows = f"  1) 31: 8/5 6/5                 {right}\n  2) {left} 31: 8/5 6/5\n"
    plain, found = judged(rows.format("Boris", "Boris")), judged(rows.format(name, name))
    assert [a.position is None for a in found.games[0].game.actions] == [True, False, False, True]
    assert (found.problems, found.games[0].positions) == (plain.problems, plain.games[0].positions)


@pytest.mark.parametrize("end", ["8/4", "8/4 ", "8/4 b", "8/4 6/4*(", "8/4 6/2", "bar/2"])
def test_a_file_that_ends_without_a_line_s_end_accuses_nobody_of_what_may_be_part_of_a_play(end: str) -> None:
    rows = "  1) 31: 8/5 6/5                 64: 24/14\n  2) 63: 24/15                   42: "
    report = judged(rows + end)
    assert not (report.illegal or report.breaks)
    assert report.problems[-1] == "the file ends in the middle of a line"
    ended = judged(f"{rows}{end}\n")
    assert len(ended.illegal) + len(ended.breaks) == 1, "with its end it is what was written"
    assert len(judged(rows + "13/9 13/10").illegal) == 1, "nothing can be missing there"


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "> > "])
@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_a_record_that_is_quoted_in_a_letter_is_read(mark: str, ending: str) -> None:
    record = read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes()).record
    text = WRITERS[ending](record)
    letter = "On Monday Anna wrote:\n" + "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines()) + "\n"
    found = read_bytes(letter.encode())
    assert found.problems == ()
    plain = read_bytes(text.encode()).record
    assert [(game.score, game.winner, game.points, game.actions) for game in found.record.games] == [
        (game.score, game.winner, game.points, game.actions) for game in plain.games
    ]


@pytest.mark.parametrize("ending", [".mat", ".sgf", ".txt"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_record_in_a_letter_that_was_saved_as_it_was_sent_is_read(ending: str, end: bytes) -> None:
    """Letters are sent in lines of 76 letters, with = where one is torn or would lose its blank, and for what is not ASCII."""
    record = read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes()).record
    text = WRITERS[ending](replace(record, names=("Änna", "B=20")))
    found, plain = (read_bytes(data) for data in (quopri.encodestring(text.encode()).replace(b"\n", end), text.encode()))
    assert found.problems == ()
    assert found.record == plain.record


@pytest.mark.parametrize("width", [71, 79, 81])
def test_a_line_ruled_between_two_games_is_part_of_no_letter(width: int) -> None:
    text = Path(__file__).with_name("anna_boris.mat").read_text().replace("Anna", "A=20").replace(" Game 2", "=" * width + "\n Game 2")
    found = read_bytes(text.encode())
    assert found.record.names == ("A=20", "Boris")
    assert len(found.problems) == 1 and "line 24 is not understood" in found.problems[0]


@pytest.mark.parametrize("kept", [True, False], ids=["as it is", "line by line"])
def test_a_record_in_a_saved_web_page_is_read(kept: bool) -> None:
    text = Path(__file__).with_name("anna_boris.mat").read_text().replace("Boris", "<B & C>")
    shown = html.escape(text)
    body = f"<pre>\n{shown}</pre>" if kept else f"<p>{shown.replace('  ', '&nbsp; ')}</p>".replace("\n", "<br>\n")
    page = f"<!DOCTYPE html>\n<html><head><title>A match</title></head>\n<body>{body}</body></html>\n"
    found, plain = replay(read_bytes(page.encode())), replay(read_columns(text))
    assert (found.problems, found.breaks, found.final_score) == ((), (), plain.final_score)
    assert [game.positions for game in found.games] == [game.positions for game in plain.games]
    assert read_bytes(page.encode()).record.names == ("Anna", "<B & C>")


@pytest.mark.parametrize(("word", "points"), [("Drops", 1), ("Takes", 2)])
def test_an_answer_below_the_double_is_the_other_player_s(word: str, points: int) -> None:
    """As older transcripts have it, in a line without a number."""
    report = judged(f"  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2\n      {word}      Wins {points} points\n")
    assert [action.side for action in report.games[0].game.actions] == [Side.LEFT, Side.RIGHT, Side.LEFT, Side.RIGHT]
    assert (report.final_score, report.problems) == ((points, 0), ())


@pytest.mark.parametrize("number", ["", "2) "])
def test_a_result_or_a_resignation_behind_a_name_is_that_player_s(number: str) -> None:
    """It was the left one's, whoever was named."""
    rows = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2) 42: 8/4 6/4\n"
    rows += f"     anna resigns gammon\n     {number}Boris wins 2 points\n"
    report = judged(rows)
    assert (report.final_score, report.problems) == ((0, 2), ())
    assert report.games[0].game.actions[-1].side is Side.LEFT
    assert "Carla" in judged(rows.replace("Boris wins", "Carla wins")).problems[0]


@pytest.mark.parametrize("line", ["Clock 12:30 and 11:45", "12:30", "  2) 42: 8/4 6/4   12:30         64: 24/14   11:45"])
def test_a_time_of_day_is_no_roll(line: str) -> None:
    report = judged(f"  1) 31: 8/5 6/5                 62: 24/18 13/11\n{line}\n  3) 42: 8/4 6/4                 21: 13/11 6/5\n")
    assert not (report.illegal or report.breaks or report.unplayed)
    assert all(problem.startswith("line 6") for problem in report.problems)
    assert len(judged("  1) 31:8/5 6/5                 62:24/18 13/11\n").games[0].game.actions) == 2


@pytest.mark.parametrize("heading", [" G8me 2\n", "\n", " Game l\n"])
def test_a_game_whose_heading_is_lost_is_no_part_of_the_one_before(heading: str) -> None:
    first = f"{HEAD}  1) 31: 8/5 6/5                 62: 24/18 13/11\n      Wins 1 point\n\n"
    text = f"{first}{heading} Anna : 1                       Boris : 0\n  1) 42: 8/4 6/4                 64: 24/14\n      Wins 2 points\n"
    report = replay(read_columns(text))
    assert not (report.illegal or report.breaks or report.unplayed)
    assert ([game.game.number for game in report.games], report.final_score) == ([1, 2], (3, 0))
    assert report.problems[-1].endswith("a game begins here, and no line such as ‘Game 2’ is above it")
    assert len(report.problems) == 1 + bool(heading.strip())


@pytest.mark.parametrize("word", ["Doubls => 2", "Do)ubles => 2", "Dobles ==> 2"])
def test_a_double_in_the_right_column_that_cannot_be_read_is_no_part_of_the_left_one(word: str) -> None:
    report = judged(f"  1) 31: 8/5 6/5                  {word}\n  2)  Takes                      62: 24/18 13/11\n")
    unread = "game 1, row 1: what stands here cannot be read: the rest of the game is not judged"
    assert (report.breaks, report.problems) == ((), (f"line 5: not understood: {word!r}", unread))
    assert judged("  1) 31: 8/5 6/5                  Redoubles => 2\n  2)  Takes\n").problems == ()


@pytest.mark.parametrize("more", ["", "\n Game 2\n Anna : 1                       Boris : 0\n  1) 31: 8/5 6/5\n"])
def test_a_score_below_a_game_is_no_game(more: str) -> None:
    first = f"{HEAD}  1) 31: 8/5 6/5                 62: 24/18 13/11\n      Wins 1 point\n\n"
    report = replay(read_columns(f"{first} Anna : 1                       Boris : 0\n{more}"))
    assert report.problems == ("line 8 is not understood: 'Anna : 1                       Boris : 0'",)
    assert (len(report.games), report.final_score) == (1 + bool(more), (1, 0))


@pytest.mark.parametrize(("old", "new"), [
    (" 5 point", "Match 1: 5 point"), ("8/5 6/5 ", "8/5 ILLEGAL? 6/5 "),
    ("\n  2)", "\nXGID=-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:5:10\n  2)"),
    ("\n Anna", "\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10\n Anna"),
], ids=["the number of the match", "a doubt of a move", "a position as ID", "one above the names"])  # fmt: skip
def test_what_programs_add_to_a_record_does_no_harm(old: str, new: str) -> None:
    plain = HEAD + "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2) 42: 8/4 6/4\n"
    found = judged("", plain.replace(old, new))
    assert old in plain and (found.problems, found.breaks, found.illegal) == ((), (), ())
    assert found.games[0].positions == judged("", plain).games[0].positions


def test_a_match_that_was_forfeited_before_a_roll_is_its_winner_s() -> None:
    """As OpenGammon writes it; a game of which the plays are missing says no such thing."""
    report = judged("  1)                \n   Wins 5 points and the match\n")
    assert (report.problems, report.final_score, report.winner) == ((), (5, 0), Side.LEFT)
    nothing = ("game 1 has a result but nothing was played in it: it counts nothing",)
    for less in ("Wins 5 points", "Wins 4 points and the match", "Wins 2 points"):
        assert judged(f"   {less}\n").problems == nothing
    assert judged("   Wins the match\n", HEAD.replace("5 point", "0 point")).problems == nothing, "money play is over when it is"
    margin = judged("Wins 5 points and the match\n")
    assert (margin.winner, margin.problems[1:]) == (None, nothing), "nothing tells whose it is"


@pytest.mark.parametrize("margin", ["", " ", "  "])
def test_a_result_at_the_margin_is_in_no_column_and_play_or_score_tell_whose_it_is(margin: str) -> None:
    """blunderDB wrote every winner's there."""
    names = " Game {}\n Anna : 0                       Boris : {}\n"
    plays = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
    dropped = f"{plays}  2) 42: 8/4 6/4                  Doubles => 2\n  3)  Drops\n{margin}Wins 1 point\n"
    given_up = f"{plays}{margin}Wins 2 points\n"
    report = judged(dropped + names.format(2, 1) + given_up + names.format(3, 3) + given_up)
    assert report.problems == ()
    assert ([played.winner for played in report.games], report.final_score) == ([Side.RIGHT] * 3, (0, 5))
    unknown = judged(given_up)
    assert unknown.problems == ("game 1: who won it cannot be told, for its result stands in no column",)
