"""SGF as its description lets programs write it, and as those of other games do."""

from __future__ import annotations

import pytest

from referee.records.formats import read_bytes
from referee.records.record import Side
from referee.records.replay import replay

HEAD = "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Anna]PB[Boris]"


@pytest.mark.parametrize("first", ["CA[UTF-8]", "AP[club:1]", "PW[Anna]"])
def test_text_may_stand_before_a_tree_whatever_its_first_property(first: str) -> None:
    tree = HEAD.replace("CA[UTF-8]", "").replace("PW[Anna]", "").replace("(;", f"(;{first}", 1) + ";B[31qtst])"
    report = replay(read_bytes(f"Our match of the club night:\n{tree}\n".encode()))
    assert (len(report.games), report.problems) == (1, ())


@pytest.mark.parametrize("game", ["06", " 6", "6 "])
def test_a_number_may_be_written_with_more_than_its_figure(game: str) -> None:
    assert len(read_bytes(HEAD.replace("GM[6]", f"GM[{game}]").encode() + b";B[31qtst])").record.games) == 1


@pytest.mark.parametrize("key", ["CO", "CP"])
@pytest.mark.parametrize("place", ["root", "node"])
def test_whose_the_cube_is_may_be_said_in_either_word_and_place(key: str, place: str) -> None:
    set_up = f"CV[2]{key}[w]"
    tree = HEAD + (set_up if place == "root" else "") + ";B[31qtst]" + (";" + set_up if place == "node" else "") + ";W[double];B[drop])"
    report = replay(read_bytes(tree.encode()))
    assert (report.final_score, report.problems) == ((2, 0), ())
    assert report.games[0].cubes[-1] == (2, Side.LEFT)
    assert len(replay(read_bytes(tree.replace(f"{key}[w]", f"{key}[b]").encode())).problems) == 1, "he does not own it"


def test_a_cube_that_is_out_of_play_or_in_the_middle_is_no_fault() -> None:
    for set_up in ("CO[n]", "CO[c]", "CO[none]"):
        report = replay(read_bytes(f"{HEAD}{set_up};B[31qtst];{set_up};W[62xrmk])".encode()))
        assert report.problems == ()


def test_moves_behind_a_bracket_too_many_are_said_not_to_be_read() -> None:
    """Nothing was said, and the game was taken to have been given up there."""
    game = HEAD + "RE[W+1];B[31qtst];W[62xrmk];B[42qusu];W[64xn])\n"
    text = game + game.replace("game:0", "game:1").replace("ws:0", "ws:1")
    assert replay(read_bytes(f"(text; before B[it])\n{text}".encode())).problems == ()
    for number, place in ((1, text.index(";W[62")), (2, text.rindex(";W[62"))):
        report = replay(read_bytes(f"{text[:place]}){text[place:]}".encode()))
        assert report.problems == (f"game {number}: more of it stands behind its end, outside of its tree: that is not read",)


@pytest.mark.parametrize("damage", [("W[42", "W42"), ("W[42", "[W42"), ("hdfd]", "hdfd]]")])
def test_of_a_file_that_is_damaged_in_one_game_the_games_before_are_read(damage: tuple[str, str]) -> None:
    """As of one in columns: a single bracket that was lost made it no SGF file."""
    games = [f"{HEAD}RE[W+1]\n;B[31qtst]\n;W[42hdfd])".replace("game:0][ws:0", f"game:{n}][ws:{n}") for n in range(4)]
    text = "\n".join([*games[:2], games[2].replace(*damage), games[3]])
    report = replay(read_bytes(text.encode()))
    assert ([game.game.number for game in report.games], report.final_score) == ([1, 2], (2, 0))
    assert report.problems == ("the file is damaged in game 3 of it: neither that nor what follows is read",)


@pytest.mark.parametrize("other", ["(;FF[4]GM[1];B[aa];W[bb])", "(;FF[4]GM[];B[31qtst])"])
def test_a_tree_that_is_no_backgammon_loses_no_other_game(other: str) -> None:
    """The whole file was refused for it."""
    games = [f"{HEAD}RE[W+1]\n;B[31qtst]\n;W[42hdfd])".replace("game:0][ws:0", f"game:{n}][ws:{n}") for n in range(2)]
    report = replay(read_bytes(f"{games[0]}\n{other}\n{games[1]};W[62]".encode()))
    told = "game 2: more of it stands behind its end, outside of its tree: that is not read"
    assert report.problems == ("the tree 2 of the file is no game of backgammon (GM[6]): it is not read", told)
    assert (len(report.games), report.final_score) == (2, (2, 0))


def test_the_games_of_a_session_that_says_no_score_add_up() -> None:
    """As early versions of GNU Backgammon write money play."""
    root = "(;FF[4]GM[6]AP[GNU Backgammon:0.10]PW[Anna]PB[Boris]RU[Jacoby]"
    plays = ";W[31hefe];B[62agln]"
    report = replay(read_bytes(f"{root}RE[W+1R]{plays})\n{root}RE[B+2R]{plays};W[double];B[take])\n{root}{plays})".encode()))
    assert (report.problems, report.final_score) == ((), (1, 2))
    assert [played.game.score for played in report.games] == [(0, 0), (1, 0), (1, 2)]
