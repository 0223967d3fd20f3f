"""Reading two-column records of any program, whole, odd and damaged, and judging them."""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.records.columns import read_columns
from referee.records.fields import parse_steps
from referee.records.formats import WRITERS, read_bytes
from referee.records.mat import write_mat
from referee.records.record import Do, NotARecord, Owner, Side
from referee.records.replay import Report, replay, why_illegal
from web.cli.bench._random_matches import random_match

HEAD = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"


def judged(rows: str, head: str = HEAD) -> Report:
    return replay(read_columns(head + rows))


def test_the_bray_game_of_three_moves() -> None:
    report = judged(
        "  1) 62: 24/18 13/11             55: 8/3(2) 6/1(2)*\n"
        "  2) 63:                          Doubles => 2\n"
        "  3)  Drops\n"
        "                                  Wins 1 point\n"
    )
    assert report.final_score == (0, 1)
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


@pytest.mark.parametrize(
    ("pattern", "instead"), [(r"(?m)^ +", ""), (r"(?m)^ +| (?= )", "")], ids=["no space before a line", "one space between fields"]
)
def test_a_record_whose_spaces_are_lost_is_read_by_whose_turn_it_is(pattern: str, instead: str) -> None:
    """As one that was copied from a page or a letter: the turns, the board and the next game's score tell what the columns did."""
    text = Path(__file__).with_name("anna_boris.mat").read_text().partition(" Game 4")[0] + " Game 4\n Anna : 4   Boris : 3\n"
    copied = read_columns(re.sub(pattern, instead, text))
    assert replay(copied).problems == ()
    kept = [(game.score, game.winner, game.points, [(a.side, a.do, a.dice, a.steps) for a in game.actions]) for game in copied.record.games]
    games = read_columns(text).record.games
    assert kept == [(game.score, game.winner, game.points, [(a.side, a.do, a.dice, a.steps) for a in game.actions]) for game in games]


def test_a_win_that_nothing_places_is_said_to_be_nobodys() -> None:
    report = judged("1) 31: 8/5 6/5 62: 24/18 13/11\nWins 2 points\n", "5 point match\nGame 1\nAnna : 0 Boris : 0\n")
    assert report.problems == ("game 1: who won it cannot be told, for its result stands in no column",)


def test_a_win_beside_the_last_checker_is_his_who_bore_it_off() -> None:
    """As older transcripts have it; beside any other roll it is the other's, who was given the game."""
    matches = (random_match(seed, 1) for seed in range(100))
    record, (truth,) = next(one for one in matches if one[1][0].last.off[0] == 15)
    text, changed = re.subn(r"(\n *\d+\) .{28})\n {6}Wins", r"\1Wins", write_mat(record))
    report = replay(read_columns(text))
    assert (changed, truth.winner) == (1, Side.LEFT)
    assert (report.problems, report.final_score) == ((), (truth.points, 0))
    assert judged("  1) 31: 8/5 6/5                 Wins 1 point\n").final_score == (0, 1)


def test_columns_parted_by_tabs_keep_an_empty_left_field_empty() -> None:
    """The right field may begin left of where the right name does."""
    head = "5 point match\n\nGame 1\nAnna: 0\t\t\tBoris : 0\n"
    rows = "1)\t\t21: 24/23 13/11\n2) 62: 24/18 13/11\t\t54: 13/8 13/9\n3) Doubles => 2\t\tTakes\n4) 64: 24/18 8/4\n"
    report = judged(rows, head)
    assert [action.side.value for action in report.games[0].game.actions] == ["right", "left"] * 3
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


def test_an_illegal_play_is_reported_played_as_written_and_judging_goes_on() -> None:
    report = judged("  1) 31: 8/5 6/5                 62: 24/18 13/10\n  2) 42: 8/4 6/4                 21: 10/8 6/5\n")
    (finding,) = report.illegal
    assert (finding.game, finding.row, finding.side, finding.play) == (1, 1, Side.RIGHT, "62: 24/18 13/10")
    assert why_illegal(finding, report.rules).code
    assert not report.breaks


@pytest.mark.parametrize("ending", [".mat", ".txt", ".sgf", ".json"])
def test_a_step_the_wrong_way_is_an_illegal_play_that_was_made(ending: str) -> None:
    """What follows fits the board it was made on."""
    parsed = read_columns(HEAD + "  1) 65: 24/18 13/8 6/7          41: 13/9 24/23\n  2) 21: 7/5 6/5                 31: 8/5 6/5\n")
    report = replay(read_bytes(WRITERS[ending](parsed.record).encode()))
    (finding,) = report.illegal
    assert why_illegal(finding, report.rules).code == "moved_backwards"
    assert not (report.breaks or report.unplayed or report.problems)


def test_a_play_that_cannot_be_made_breaks_the_game_and_the_rest_is_not_judged() -> None:
    report = judged("  1) 31: 8/5 6/5                 62: 20/18 13/11\n  2) 42: 3/1 3/1                 66: 9/3(4)\n")
    (finding,) = report.breaks
    assert (finding.row, finding.side) == (1, Side.RIGHT)
    assert not report.illegal


@pytest.mark.parametrize("head", ["15pt match", "15 pts match", "15 pt. match", "15-point match", "15 Points Match"])
def test_a_length_is_read_however_points_are_written(head: str) -> None:
    assert read_columns(f" {head}\n{HEAD.partition(chr(10))[2]}").record.length == 15


def test_more_moves_than_a_roll_has_are_made_whatever_their_order() -> None:
    report = judged("  1) 11: 8/7 7/6 5/4 6/5 6/5     62: 24/18 13/11\n")
    (finding,) = report.illegal
    assert (finding.side, report.breaks) == (Side.LEFT, ())


def test_an_unplayed_roll_is_never_played_for_the_player() -> None:
    report = judged("  1) 31: 8/5 6/5                 62:\n  2) 42: 8/4 6/4                 21: 13/11 6/5\n")
    (finding,) = report.unplayed
    assert (finding.row, finding.side, finding.dice) == (1, Side.RIGHT, (6, 2))
    assert not (report.illegal or report.breaks)


@pytest.mark.parametrize("end", ["      Wins 1 point\n", "                                  Wins 1 point\n", "  2) Resigns single\n"])
def test_a_roll_that_nobody_played_is_told_though_the_game_was_given_up(end: str) -> None:
    (finding,) = judged(f"  1) 31: 8/5 6/5                 62:\n{end}").unplayed
    assert (finding.row, finding.side, finding.dice) == (1, Side.RIGHT, (6, 2))


@pytest.mark.parametrize("word", ["", "Cannot Move", "????", "Can't move", "(no legal moves)", "No Play", "dances!", "none", "--"])
def test_a_dance_is_no_fault(word: str) -> None:
    report = judged(f"  1) 62: 24/18 13/11             55: 8/3(2) 6/1*(2)\n  2) 63: {word}\n")
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


@pytest.mark.parametrize("word", ["Cannot Move", "Can't move", "no legal move"])
def test_a_roll_that_could_be_played_and_is_said_not_to_be_is_unplayed(word: str) -> None:
    report = judged(f"  1) 62: 24/18 13/11             31: {word}\n")
    assert [(one.side, one.dice) for one in report.unplayed] == [(Side.RIGHT, (3, 1))]
    assert not (report.illegal or report.breaks or report.problems)


def test_steps_of_every_dialect_mean_the_same() -> None:
    plays = ["24/18/16", "24/16", "24/18 18/16", "18/16 24/18"]
    boards = {judged(f"  1) 62: {play}\n").games[0].positions[-1] for play in plays}
    assert len(boards) == 1


def test_entering_and_bearing_off_in_any_words() -> None:
    assert parse_steps("Bar/21") == parse_steps("25/21") == [(25, 21)]
    assert parse_steps("6/Off") == parse_steps("6/0") == [(6, 0)]
    assert parse_steps("13/7*(2)") == [(13, 7), (13, 7)]
    assert parse_steps("5/5") is None
    assert parse_steps("26/20") is None


def test_a_die_with_nothing_left_to_play_may_be_written() -> None:
    assert not judged("  1) 31: 8/5 6/5 0/0             62: 24/18 13/11\n").breaks
    (finding,) = judged("  1) 31: 8/5 0/0\n").illegal
    assert finding.play == "31: 8/5 0/0", "here the other number could be played"
    (finding,) = judged("  1) 31: 8/5 6/6                 62: 24/18 13/11\n").illegal
    assert finding.play == "31: 8/5 6/6", "and the game is judged on"
    (unplayed,) = judged("  1) 31: 6/6 8/8                 62: 24/18 13/11\n").unplayed
    assert unplayed.dice == (3, 1)
    assert not judged("  1) 62: 24/18 13/11             55: 8/3(2) 6/1*(2)\n  2) 63: 25/25 25/25\n").problems


def test_cube_faults_are_named() -> None:
    report = judged(
        "  1) 31: 8/5 6/5                  Doubles => 4\n"
        "  2)  Takes                      62: 24/18 13/11\n"
        "  3) 42: 8/4 6/4                  Doubles => 4\n"
        "  4)  Drops\n"
        "                                  Wins 4 points\n"
    )
    said = " ".join(report.problems)
    assert "to 4, but the cube stood at 1" in said
    assert "the other owns the cube" in said
    assert "4 points are declared, 2 follow" in said


def test_a_double_in_the_crawford_game_is_a_fault() -> None:
    report = judged(
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n                                  Wins 1 point\n",
        " 5 point match\n\n Game 1\n Anna : 4                       Boris : 0\n",
    )
    assert any("Crawford" in p for p in report.problems)


def test_scores_that_do_not_follow_are_named() -> None:
    text = (
        HEAD
        + "  1) 31: 8/5 6/5                 \n      Wins 2 points\n\n Game 2\n Anna : 3                       Boris : 0\n  1) 31: 8/5 6/5\n"
    )
    assert any("begins at 3-0, but the games before it make 2-0" in p for p in replay(read_columns(text)).problems)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_marks_do_not_matter(end: str, bom: bytes) -> None:
    text = (HEAD + "  1) 31: 8/5 6/5                 62: 24/18 13/11\n").replace("\n", end)
    assert len(read_bytes(bom + text.encode()).record.games[0].actions) == 2


@pytest.mark.parametrize(
    "data",
    [b"", b"   \n", b"hello", b"\x00\x01\x02" * 100, b"(;GM[1])", b"(;)", b"(;FF[4]SZ[19]C[31];B[pd];W[dd])", b"{}",
     b'{"format": "backgammon-referee match", "version": 99}',
     b"XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\n\nScore is X:0 O:0\n", b"\x1f\x8b\x08\x00rubbish", b" 7 point match\n"],
)  # fmt: skip
def test_what_is_no_record_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(NotARecord) as caught:
        read_bytes(data)
    assert len(str(caught.value)) > 10
    assert "\n" not in str(caught.value)


_words = st.sampled_from(
    ["31:", "62:", "8/5", "6/5*", "bar/20", "6/off", "13/7(2)", "Doubles => 2", "Takes", "Drops", "Wins 2 points", "Game 2", "Anna : 3",
     "????", "Cannot Move", "Illegal play (5;0;0;", "  ", "1)", "17)", ":", "\n", "\n", " 5 point match", "; [Event \"x\"]",
     "é", "99999999999999999999"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_words, max_size=60).map(" ".join) | st.text(max_size=300))
@example("  1) " + "31: " * 400)
def test_no_text_is_an_exception_or_takes_long(rows: str) -> None:
    begun = time.monotonic()
    for text in (HEAD + rows, rows):
        with contextlib.suppress(NotARecord):
            replay(read_columns(text))
    assert time.monotonic() - begun < 2.0


@given(st.binary(max_size=300))
def test_no_bytes_are_an_exception(data: bytes) -> None:
    try:
        replay(read_bytes(data))
    except NotARecord as error:
        assert str(error)


def test_a_resignation_is_as_large_as_the_declared_points_allow() -> None:
    (game,) = judged(
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      62: 24/18 13/11\n      Wins 4 points\n"
    ).games
    assert (game.winner, game.points, game.resigned) == (Side.LEFT, 4, True)
    assert [a.do for a in game.game.actions] == [Do.ROLL, Do.DOUBLE, Do.TAKE, Do.ROLL]


@pytest.mark.parametrize("words", ["Resigned Game", "Resigned Match", "Resign normal", "00: ????", "00:", "Loss 1 point"])
@pytest.mark.parametrize("gap", ["", " " * 31], ids=["his column", "the winner's"])
def test_words_for_giving_up_beside_a_result(words: str, gap: str) -> None:
    """Servers write them in either column; the result says who won."""
    report = judged(f"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) {gap}{words}\n                                  Wins 1 point\n")
    (game,) = report.games
    assert (game.winner, game.points, game.resigned) == (Side.RIGHT, 1, True)
    assert not (report.problems or report.unplayed or report.breaks)


def test_points_are_declared_as_they_were_won_or_as_far_as_the_match_had_room() -> None:
    rows = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      42: 8/4 6/4\n      Wins {} points\n"
    late = HEAD.replace(" : 0", " : 4")
    assert [judged(rows.format(points), late).problems for points in (1, 2)] == [(), ()]
    assert judged(rows.format(1), late).final_score == (6, 4)
    assert len(judged(rows.format(1)).problems) == 1, "the match had room for more"


CLOSED = "(;GM[6]MI[length:5];PL[W]AE[a:y]AW[a][a][b][b][c][c][d][d][e][e][f][f][g][h][i]AB[y][m][m][m][m][m][m][m][m][m][m][m][m][m][m]"


def test_what_is_no_fault_is_not_named() -> None:
    """Who is closed out need not roll; the first double in money play may be of a cube that opening ties had turned; a file that
    begins late may have had its Crawford game before."""
    closed = replay(read_bytes(f"{CLOSED};W[21ihhf];W[double];B[take];W[11gf])".encode()))
    assert closed.problems == ()
    session = HEAD.replace(" 5 point", " 0 point")
    money = judged("  1) 31: 8/5 6/5                  Doubles => 8\n  2)  Takes\n      Wins 8 points\n", session)
    assert money.problems == ()
    late = HEAD.replace("Game 1", "Game 6").replace("Anna : 0", "Anna : 4").replace("Boris : 0", "Boris : 2")
    report = judged("  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n                                  Wins 1 point\n", late)
    assert report.problems == ()


def test_a_player_who_can_enter_must_have_rolled() -> None:
    report = judged("  1) 31: 8/5 6/5\n  2) 42: 8/4 6/4\n")
    assert report.problems == ("game 1, row 2: left rolled twice running",)


# --- dialects and odd text ---------------------------------------------------------------------------------------------------

GAME = HEAD + (
    "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
    "  2)  Doubles => 2                Takes\n"
    "  3) 42: 8/4 6/4                 55: Cannot Move\n"
    "      Wins 2 points\n"
)


@pytest.mark.parametrize(
    "odd",
    [
        GAME.replace("\n", "\r\n"),
        GAME.replace("\n", "\r"),
        "\ufeff" + GAME,
        GAME + "\x1a",
        GAME.rstrip("\n"),
        GAME.replace("Doubles => 2", "Doubles=>2"),
        GAME.replace("Doubles => 2", "Redoubles => 2"),
        GAME.replace("Wins 2 points", "Wins 2 points and the match"),
        GAME.upper(),
        GAME.replace("\n", "   \n\n"),
        GAME.replace(": ", ":\u00a0"),
        GAME.replace(" ", "\u00a0"),
        "; [Site \"x\"]\n# [Event \"y\"]\n; no tag\n" + GAME,
    ],
    ids=[
        "crlf", "cr", "bom", "end mark", "no end", "no spaces", "redoubles", "the match", "capitals", "blank lines",
        "nbsp", "all nbsp", "tags",
    ],
)  # fmt: skip
def test_the_same_match_however_its_text_is_made(odd: str) -> None:
    wanted, found = replay(read_columns(GAME)), replay(read_bytes(odd.encode()))
    assert (found.final_score, found.problems) == (wanted.final_score, wanted.problems) == ((2, 0), ())
    assert [game.positions for game in found.games] == [game.positions for game in wanted.games]
    assert [(f.row, f.side) for f in found.unplayed] == [(3, Side.RIGHT)], "55 can be played here, whatever the file says"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_same_match_in_every_encoding(encoding: str) -> None:
    text = GAME.replace("Anna", "Zoë")
    assert read_bytes(text.encode(encoding)).record.names == ("Zoë", "Boris")


def test_a_file_cut_off_in_the_middle_of_a_play_accuses_nobody() -> None:
    whole = replay(read_columns(GAME[: GAME.index(" 42:")] + "\n"))
    for end in (" 42: 8/4 6/", " 42: 8/4 bar/", " 4", " 42: 8/4 13", " 42: 8/4 bar"):
        found = read_columns(GAME[: GAME.index(" 42:")] + end)
        assert found.problems == ("the file ends in the middle of a line",)
        report = replay(found)
        assert (report.illegal, report.breaks, report.unplayed) == ((), (), ())
        assert report.games[0].positions == whole.games[0].positions


def test_a_file_cut_off_where_a_game_begins_keeps_the_games_before() -> None:
    for cut in ("\n Game 2\n ", "\n Game 2\n Anna : 2", "\n Game 2\n Anna : 2             Bor"):
        found = read_columns(GAME + cut)
        report = replay(found)
        assert found.problems == ("the file ends where a game begins",), cut
        assert (len(report.games), report.final_score) == (1, (2, 0))


def test_a_game_without_its_names_goes_on_from_the_score_before() -> None:
    found = read_columns(GAME + "\n Game 2\n  1) 31: 8/5 6/5                 62: 24/18 13/11\n")
    assert found.problems == ("line 11: no names and score under 'Game 2'",)
    report = replay(found)
    assert (len(report.games), report.final_score, report.problems) == (2, (2, 0), found.problems)


@pytest.mark.parametrize("head", ["Unlimited game", "unlimited match", "Money session"])
def test_a_session_may_be_headed_in_words(head: str) -> None:
    assert read_columns(GAME.replace(" 5 point match", head)).record.length == 0


# --- games that begin elsewhere ----------------------------------------------------------------------------------------------

SET = "; Set Pos=-b----E-C---eE---cAe----A-/{}\n"
NACKGAMMON = "0;0;0;1;0;0;-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0;6;4;"  # what a position line says behind the names


@pytest.mark.parametrize(("cube", "value", "owner"), [("0", 1, None), ("1", 2, Owner.RIGHT), ("-2", 4, Owner.LEFT)])
def test_a_game_from_a_board_that_was_set(cube: str, value: int, owner: Owner | None) -> None:
    """Capitals are the left player's, whoever begins; a minus gives him the cube."""
    report = judged(SET.format(cube) + "  1)                             61: 13/7* 8/7\n  2) 42: 25/23 8/4\n")
    assert not (report.illegal or report.breaks or report.problems)
    (game,) = report.games
    assert game.cubes[2] == (value, owner and owner.side)


def test_the_usual_board_that_was_set_changes_nothing() -> None:
    usual = judged("; Set Pos=-b----E-C---eE---c-e----B-/0\n  1) 31: 8/5 6/5\n")
    assert [a.do for a in usual.games[0].game.actions] == [Do.ROLL]
    assert judged("; Set Pos=-b----E-C---eE---c-e----B-Z/0\n  1) 31: 8/5 6/5\n").problems == ()
    (problem,) = judged("; Set Pos=-P----E-C---eE---c-e----B-/0\n  1) 31: 8/5 6/5\n").problems
    assert "line 5" in problem


@pytest.mark.parametrize("gap", ["", " " * 31], ids=["left", "right"])
def test_another_starting_position_written_as_an_illegal_play_accuses_nobody(gap: str) -> None:
    names = "Anna;Boris" if gap else "Boris;Anna"
    start = f"{gap}12: Illegal play (5;0;1;0;1;{names};{NACKGAMMON})"
    left, right = "64: 24/18 18/14", "43: 24/20 23/20"
    rows = f"  1) {start}\n  2) {left:27} {right}\n" if gap else f"  1) {start} {right}\n  2) {left}\n"
    report = judged(rows)
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


def test_a_first_play_that_was_illegal_is_still_one() -> None:
    """Its mover's checkers alone stand elsewhere."""
    board = "-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-4;0;0;-1;0;2"
    report = judged(f"  1) 62: Illegal play (5;0;1;0;1;Boris;Anna;0;0;0;1;0;0;{board};0;3;1;)\n")
    assert len(report.illegal) == 1


# --- several matches and headers in one file ---------------------------------------------------------------------------------


def test_of_several_matches_in_a_file_the_first_is_read() -> None:
    second = "; [Event \"The second\"]\n" + GAME.replace(" 5 point", " 7 point").replace("Anna", "Zoe")
    found = read_columns("; [Event \"The first\"]\n" + GAME + "\n" + second)
    assert (found.record.length, found.record.names, found.record.tag("Event")) == (5, ("Anna", "Boris"), "The first")
    (problem,) = found.problems
    assert "another match begins here" in problem
    assert (len(found.record.games), len(found.record.tags), replay(found).final_score) == (1, 1, (2, 0))


def test_a_header_may_stand_above_every_game() -> None:
    more = GAME.replace("Game 1", "Game 2").replace("Anna : 0", "Anna : 2")
    report = replay(read_columns(GAME + "\n" + more))
    assert (len(report.games), report.final_score, report.problems) == (2, (4, 0), ())


def test_a_player_may_be_called_what_a_header_says() -> None:
    assert read_columns(GAME.replace("Anna ", "7 point match ").replace("Boris", "(;GM[6]")).record.names == ("7 point match", "(;GM[6]")


def test_a_name_may_end_in_what_looks_like_a_score() -> None:
    record = read_columns(GAME.replace("Anna : 0      ", "A : 3 : 0").replace("Boris : 0", "B : 4 : 1")).record
    assert (record.names, record.games[0].score) == (("A : 3", "B : 4"), (0, 1))


@pytest.mark.parametrize("name", ["Maximilian von Hohenzollern", "Александр Петр"])
def test_a_name_that_fills_gnubg_s_column_is_read(name: str) -> None:
    """It leaves no space between a score that ends beyond its column and the other's name."""
    found = read_columns(GAME.replace("Anna : 0                       Boris : 0", f"{name} : 10Boris  B : 0"))
    assert (found.record.names, found.record.games[0].score, found.problems) == ((name, "Boris  B"), (10, 0), ())


@pytest.mark.parametrize("end", [". ", ")"], ids=["a point", "no space"])
def test_rows_may_be_numbered_with_a_point_or_without_a_space(end: str) -> None:
    other = read_columns(re.sub(r"(?m)^( *\d+)\) (?! )", rf"\g<1>{end}", GAME))
    assert [(a.row, a.side, a.do) for a in other.record.games[0].actions] == [
        (a.row, a.side, a.do) for a in read_columns(GAME).record.games[0].actions
    ]
    assert other.problems == ()
