"""From one format to another and back: nothing is lost but what the user is told."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board import START, LegalPlays, Move, Position, make
from referee.board.matchid import LARGEST_CUBE
from referee.records.completing import completed
from referee.records.formats import WRITERS, lost_in, read_bytes
from referee.records.record import Action, Do, Game, Owner, Parsed, Record, Side
from referee.records.replay import replay
from tests.gnubg import needs_gnubg, obeyed


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A match of legal play with cube actions, cut off or resigned at any moment."""
    games = []
    score = (0, 0)
    for number in range(1, draw(st.integers(1, 3)) + 1):
        actions: list[Action] = []
        position, side, cube, owner, winner, points = START, draw(st.sampled_from(Side)), 1, None, None, 0
        for turn in range(draw(st.integers(1, 14))):
            if turn and owner in (None, side) and cube < 8 and draw(st.integers(0, 9)) == 0:
                actions.append(Action(side, Do.DOUBLE, value=2 * cube))
                if draw(st.booleans()):
                    actions.append(Action(side.other, Do.TAKE))
                    cube, owner = 2 * cube, side.other
                else:
                    actions.append(Action(side.other, Do.DROP))
                    winner, points = side, cube
                    break
            dice = (draw(st.integers(1, 6)), draw(st.integers(1, 6)))
            if turn == 0 and dice[0] == dice[1]:
                dice = (dice[0], dice[0] % 6 + 1)
            dice = (max(dice), min(dice))
            plays = list(LegalPlays(position, side.seat, dice))
            steps: tuple[tuple[int, int], ...] | None = None
            if plays:
                play = draw(st.sampled_from(plays))
                steps, position = tuple((m.source, m.target) for m in play.moves), play.result
            actions.append(Action(side, Do.ROLL, dice=dice, steps=steps))
            side = side.other
        if winner is None:
            winner, points = draw(st.sampled_from(Side)), cube * draw(st.sampled_from([1, 2, 3]))
        games.append(Game(number, score, tuple(actions), winner, points, resigned=actions[-1].do is not Do.DROP))
        score = (score[0] + points * (winner is Side.LEFT), score[1] + points * (winner is Side.RIGHT))
    return Record(("Anna", "Žižka ]\\"), 99, tuple(games), (("Event", "Club night"), ("EventDate", "2026.11.20")), crawford=True)


def _meaning(record: Record) -> object:
    """What every format must keep: who did what, where it led, who won what."""
    report = replay(Parsed(record))
    assert not (report.illegal or report.breaks or report.unplayed), report
    return [([(a.side, a.do, a.dice) for a in g.game.actions], g.positions, g.winner, g.points, g.game.score) for g in report.games]


@settings(max_examples=40, deadline=None)
@given(records())
def test_every_format_brings_the_match_back(record: Record) -> None:
    for ending, writer in WRITERS.items():
        back = read_bytes(writer(record).encode())
        assert back.problems == (), ending
        assert _meaning(back.record) == _meaning(record), ending
        assert back.record.length == 99
        assert WRITERS[ending](back.record) == writer(record) or ending == ".json", ending


def test_json_is_lossless() -> None:
    stood = Position.from_sides(START.side(Side.LEFT.seat), (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0))
    actions = (Action(Side.RIGHT, Do.ROLL, 1, (5, 1), None, position=stood, text="51: ?"), Action(Side.LEFT, Do.BEAVER, 2, value=4))
    record = Record(("a", "b"), 0, (Game(1, (0, 0), actions, Side.LEFT, 4, False, None, 2),), (("Event", "x"),), True, None)
    assert read_bytes(WRITERS[".json"](record).encode()).record == record


def test_an_illegal_play_that_stood_survives_where_it_can_and_is_told_where_it_cannot() -> None:
    text = Path(__file__).with_name("illegal_play_stood.txt").read_text()
    record = read_bytes(text.encode()).record
    assert WRITERS[".txt"](record).split() == text.split()
    assert lost_in(record, ".txt") == ()
    assert "illegal" in lost_in(record, ".mat")[0]
    sgf = read_bytes(WRITERS[".sgf"](record).encode()).record
    assert [f.after for f in replay(read_bytes(WRITERS[".sgf"](record).encode())).illegal] == [record.games[0].actions[1].position]
    assert sgf.games[0].actions[1].position == record.games[0].actions[1].position


def test_the_schema_describes_what_is_written() -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text())
    record = read_bytes(Path(__file__).with_name("illegal_play_stood.txt").read_bytes()).record
    jsonschema.validate(json.loads(WRITERS[".json"](record)), schema)


@needs_gnubg
@pytest.mark.parametrize("ending", [".mat", ".txt", ".sgf"])
def test_gnubg_reads_what_is_written(ending: str, tmp_path: Path) -> None:
    """gnubg imports the file and exports the same games, winners and points."""
    text = Path(__file__).with_name("anna_boris.mat").read_text()
    record = completed(read_bytes(text.encode()))
    ours = tmp_path / f"match{ending}"
    ours.write_text(WRITERS[ending](record), encoding="utf-8")
    load = f"load match {ours}" if ending == ".sgf" else f"import mat {ours}"
    obeyed(f"{load}\nexport match mat {tmp_path}/back.mat\n", tmp_path)
    back = read_bytes((tmp_path / "back.mat").read_bytes())
    assert _meaning(back.record) == _meaning(record)


def _set_by_hand() -> Record:
    actions = (
        Action(Side.LEFT, Do.ROLL, dice=(3, 1), steps=((8, 5), (6, 5))),
        Action(Side.LEFT, Do.SET_CUBE, value=4, owner=Owner.RIGHT),
        Action(Side.RIGHT, Do.DOUBLE, value=8),
        Action(Side.LEFT, Do.TAKE),
        Action(Side.RIGHT, Do.ROLL, dice=(6, 2), steps=((24, 18), (13, 11))),
        Action(Side.LEFT, Do.SET_CUBE, owner=Owner.MIDDLE),
    )
    return Record(("a", "b"), 9, (Game(1, (0, 0), actions, Side.LEFT, 8, True),), crawford=True)


@needs_gnubg
def test_gnubg_finds_the_boards_of_either_players_illegal_plays_in_what_is_written(tmp_path: Path) -> None:
    """gnubg's own line for each of them names who played it; by another number it takes each player's checkers for the other's."""
    rolls = ((Side.LEFT, (6, 4)), (Side.RIGHT, (6, 3)), (Side.LEFT, (2, 1)), (Side.RIGHT, (6, 1)))
    stood = [START]
    for side, _ in rolls:  # everybody brings one checker from the midpoint to his 9-point, whatever was rolled
        stood.append(make(stood[-1], side.seat, (Move(13, 9),)))
    actions = tuple(Action(side, Do.ROLL, dice=dice, position=after) for (side, dice), after in zip(rolls, stood[1:], strict=True))
    record = Record(("Anna", "Boris"), 5, (Game(1, (2, 1), actions, crawford=False),), crawford=True)
    ours = tmp_path / "match.txt"
    ours.write_text(WRITERS[".txt"](record), encoding="utf-8")
    obeyed(f"import mat {ours}\nsave match {tmp_path}/back.sgf\n", tmp_path)
    assert replay(read_bytes((tmp_path / "back.sgf").read_bytes())).games[0].positions == tuple(stood)


def test_a_cube_set_by_hand_in_mid_game_is_replayed_and_kept_where_it_can_be() -> None:
    record = _set_by_hand()
    report = replay(Parsed(record))
    assert (report.problems, report.games[0].cubes[-1][0]) == ((), 8)
    for ending in (".sgf", ".json"):
        back = read_bytes(WRITERS[ending](record).encode())
        assert back.problems == () and replay(back).problems == (), ending
        assert [(a.value, a.owner) for a in back.record.games[0].actions if a.do is Do.SET_CUBE][:1] != []
        assert replay(back).games[0].cubes[-1][0] == 8
        assert lost_in(record, ending) == ()
    for ending in (".mat", ".txt"):
        assert any("what was set by hand" in said for said in lost_in(record, ending))


@pytest.mark.parametrize("ending", [".sgf", ".json"])
def test_a_record_whose_cube_goes_beyond_the_largest_is_read_and_that_is_said_once(ending: str) -> None:
    first, second = ([Action(side, Do.DOUBLE), Action(side.other, Do.TAKE)] for side in (Side.RIGHT, Side.LEFT))
    answer = Action(Side.RIGHT, Do.ROLL, dice=(6, 2), steps=((24, 18), (13, 11)))
    roll = Action(Side.LEFT, Do.ROLL, dice=(3, 1), steps=((8, 5), (6, 5)))
    put = Action(Side.LEFT, Do.SET_CUBE, value=LARGEST_CUBE, owner=Owner.MIDDLE)
    record = Record(("a", "b"), 0, (Game(1, (0, 0), (roll, put, *first, answer, *second), None, 0),))
    report = replay(read_bytes(WRITERS[ending](record).encode()))
    assert list(report.problems) == [
        "game 1: right doubled beyond 32768, the largest cube that is followed"
    ]
    assert report.games[0].cubes[-1] == (LARGEST_CUBE, Side.RIGHT), "who owns it is followed on"
    begun = replace(record, games=(replace(record.games[0], actions=(roll, *first), cube=2 * LARGEST_CUBE),))
    assert replay(Parsed(begun)).games[0].cubes[-1][0] == 2 * LARGEST_CUBE, "nothing turns it down"
    larger = replace(record, games=(Game(1, (0, 0), (roll, replace(put, value=2 * LARGEST_CUBE)), None, 0),))
    assert any("set to 65536, which no cube shows" in said for said in replay(read_bytes(WRITERS[ending](larger).encode())).problems)


def test_what_gnubg_writes_of_a_cube_set_by_hand() -> None:
    parsed = read_bytes(b"(;FF[4]GM[6]MI[length:9];W[31hefe];CV[4];CP[b];B[double];W[drop];CV[3];CP[x])")
    report = replay(parsed)
    assert (report.games[0].winner, report.games[0].points) == (Side.RIGHT, 4)
    assert report.problems == (
        "game 1: a cube put by hand cannot be read: 'x'", "game 1: the cube was set to 3, which no cube shows"
    )


@needs_gnubg
def test_gnubg_reads_a_cube_set_by_hand(tmp_path: Path) -> None:
    (tmp_path / "set.sgf").write_text(WRITERS[".sgf"](_set_by_hand()))
    obeyed(f"load match {tmp_path}/set.sgf\nsave match {tmp_path}/back.sgf\n", tmp_path)
    back = replay(read_bytes((tmp_path / "back.sgf").read_bytes()))
    assert (back.problems, back.games[0].cubes[-1][0], back.games[0].points) == ((), 8, 8)


BEAVERS = """
 0 point match

 Game 1
 A : 0                          B : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4                Raccoons => 8
  3)  Takes                      52: 13/8 24/22 
  4)  Doubles => 16               Drops
      Wins 8 points
"""


@needs_gnubg
@pytest.mark.parametrize("ending", [".sgf", ".mat"])
def test_a_gammon_written_with_what_the_match_took_of_it_is_one_for_gnubg_too(ending: str, tmp_path: Path) -> None:
    rows = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      62: 24/18 13/11\n  3)  Resigns 3 points\n"
    parsed = read_bytes(f" 5 point match\n\n Game 1\n a : 0    b : 2\n{rows}{' ' * 34}Wins 3 points\n".encode())
    (tmp_path / f"in{ending}").write_text(WRITERS[ending](completed(parsed)))
    obeyed(f"{'load match' if ending == '.sgf' else 'import mat'} in{ending}\nexport match mat out.mat\n", tmp_path)
    assert "Wins 4 points" in (tmp_path / "out.mat").read_text()


@pytest.mark.parametrize(("said", "holds"), [("On", True), ("yes", True), ("1", True), ("Off", False), ("No", False), (None, None)])
def test_a_mat_file_says_which_rules_hold(said: str | None, holds: bool | None) -> None:
    for name in ("Crawford", "Jacoby"):
        record = read_bytes(((f'; [{name} "{said}"]\n' if said else "") + BEAVERS).encode()).record
        other = "jacoby" if name == "Crawford" else "crawford"
        assert (getattr(record, name.lower()), getattr(record, other)) == (holds, None)


def test_a_format_without_the_cubes_value_gives_it_back() -> None:
    anna = Path(__file__).with_name("anna_boris.mat").read_text()
    for text in (anna, BEAVERS):
        record = completed(read_bytes(text.encode()))
        back = read_bytes(WRITERS[".sgf"](record).encode()).record
        for ending in (".mat", ".txt"):
            assert "=> 0" not in WRITERS[ending](back)
            turns = [line for line in WRITERS[ending](back).splitlines() if "=>" in line]
            as_gnubg = text.replace("Raccoons", "Beavers")  # it has one word for both, and passes over the other
            assert turns and turns == [line.rstrip() for line in as_gnubg.splitlines() if "=>" in line]


def test_a_double_written_without_its_value_gets_it() -> None:
    record = read_bytes(BEAVERS.replace(" => 16", "").encode()).record
    assert "Doubles => 16" in WRITERS[".mat"](record)


def test_a_take_after_a_raccoon_is_written_once() -> None:
    sgf = WRITERS[".sgf"](read_bytes(BEAVERS.encode()).record)
    assert sgf.count("W[take]") == 1 and sgf.count("B[take]") == 0


@pytest.mark.parametrize("ending", WRITERS)
def test_a_raccoon_is_read_as_one_from_every_format(ending: str) -> None:
    record = read_bytes(BEAVERS.encode()).record
    again = read_bytes(WRITERS[ending](record).encode()).record
    assert [a.do for a in again.games[0].actions][1:4] == [Do.DOUBLE, Do.BEAVER, Do.RACCOON]


def test_the_header_of_a_mat_survives_sgf() -> None:
    anna = Path(__file__).with_name("anna_boris.mat").read_text()
    back = read_bytes(WRITERS[".sgf"](completed(read_bytes(anna.encode()))).encode()).record
    assert [line for line in WRITERS[".mat"](back).splitlines() if line.startswith(";")] == anna.splitlines()[:5]


@needs_gnubg
def test_the_cube_of_gnubgs_own_sgf_is_written_as_gnubg_writes_it(tmp_path: Path) -> None:
    (tmp_path / "anna.mat").write_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes())
    obeyed(f"import mat {tmp_path}/anna.mat\nsave match {tmp_path}/gnubg.sgf\nexport match mat {tmp_path}/gnubg.mat\n", tmp_path)
    ours = WRITERS[".mat"](read_bytes((tmp_path / "gnubg.sgf").read_bytes()).record).splitlines()
    theirs = (tmp_path / "gnubg.mat").read_text().splitlines()
    assert [line for line in ours if "=>" in line] == [line for line in theirs if "=>" in line] != []


@pytest.mark.parametrize("ending", WRITERS)
def test_a_play_written_over_both_dice_is_converted_to_one_step_a_die(ending: str) -> None:
    """As the formats have it, and readers other than the two or three programs that write it the short way."""
    head = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"
    short = "  1) 64: 24/14                   44: 24/16 6/2(2)\n  2) 63: 24/15                   41: 6/1\n  3) 43: 15/8\n"
    parsed = read_bytes((head + short).encode())
    back = read_bytes(WRITERS[ending](completed(parsed)).encode())
    actions = back.record.games[0].actions
    assert [len(action.steps or ()) for action in actions] == [2, 4, 2, 2, 2]
    assert all(source - target in (action.dice or ()) for action in actions for source, target in action.steps or ())
    assert replay(back).games[0].positions == replay(parsed).games[0].positions


def test_what_was_no_legal_play_is_converted_as_it_was_written() -> None:
    text = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n  1) 64: 24/13\n"
    record = completed(read_bytes(text.encode()))
    assert "64: 24/13" in WRITERS[".mat"](record)


def test_a_roll_that_readers_would_play_for_the_player_is_said_to_be_left_out() -> None:
    last = Position((0,) * 5 + (1,) + (0,) * 17 + (-15,), (0, 0), (14, 0))
    rolled = (Action(Side.LEFT, Do.SET_POSITION, position=last), Action(Side.LEFT, Do.ROLL, dice=(6, 5)))
    record = Record(("Anna", "Boris"), 5, (Game(1, (0, 0), rolled, Side.LEFT, 1),))
    for ending, write in WRITERS.items():
        kept = any(action.do is Do.ROLL for action in read_bytes(write(record).encode()).record.games[0].actions)
        assert any("one play was legal" in said for said in lost_in(record, ending)) is not kept, ending


@pytest.mark.parametrize(("old", "new"), [("Anna", "Anna"), ("PW[Anna]", "PW[Carla]"), ("length:5", "length:7")])
def test_of_several_matches_in_one_sgf_file_the_first_is_read_and_that_is_said(old: str, new: str) -> None:
    text = WRITERS[".sgf"](completed(read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes())))
    one, two = read_bytes(text.encode()), read_bytes((text + text.replace(old, new)).encode())
    assert one.problems == ()
    assert two.record == one.record
    assert two.problems == ("another match begins with the tree 5 of the file: only the first one is read",)


@pytest.mark.parametrize("program", ["", "Another:1.0"])
def test_an_sgf_file_may_count_its_games_from_1_as_the_format_is_described(program: str) -> None:
    """gnubg counts them from 0, and so do we."""
    text = WRITERS[".sgf"](completed(read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes())))
    described = re.sub(r"game:(\d)", lambda found: f"game:{int(found[1]) + 1}", text).replace("AP[backgammon-referee]", f"AP[{program}]")
    one, two = read_bytes(described.encode()), read_bytes((described + described).encode())
    assert [game.number for game in one.record.games] == [1, 2, 3, 4]
    assert (one.record, one.problems) == (read_bytes(text.encode()).record, ())
    assert (two.record, len(two.problems)) == (one.record, 1)


def test_the_crawford_game_of_an_early_gnubg_is_told() -> None:
    """It wrote the two words of the rule as two values."""
    text = WRITERS[".sgf"](completed(read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes())))
    early = text.replace("RU[Crawford:CrawfordGame]", "RU[Crawford][CrawfordGame]")
    assert early != text
    assert read_bytes(early.encode()).record == read_bytes(text.encode()).record


def test_what_an_sgf_file_says_of_the_match_may_be_in_capitals() -> None:
    """As the format is described: it was taken for a money session."""
    text = WRITERS[".sgf"](completed(read_bytes(Path(__file__).with_name("anna_boris.mat").read_bytes())))
    capitals = re.sub(r"\[(length|game|ws|bs):", lambda found: f"[{found[1].title()}:", text)
    assert read_bytes(capitals.encode()).record == read_bytes(text.encode()).record


@pytest.mark.parametrize(
    ("result", "score"), [("W+2", (2, 0)), ("b+1r ", (0, 1)), ("?", (0, 0)), ("0", (0, 0)), ("W+T", None), ("B+Resign", None)]
)
def test_a_result_in_sgf_that_names_no_points_is_told(result: str, score: tuple[int, int] | None) -> None:
    """Other games' programs write W+T or B+Resign; a game without a result is one that was not finished."""
    report = replay(read_bytes(f"(;GM[6]MI[length:5]PW[A]PB[B]RE[{result}];W[31hefe];B[52lqln])".encode()))
    assert report.final_score == (score or (0, 0))
    assert [text for text in report.problems if "does not say who won" in text] == list(report.problems)
    assert bool(report.problems) is (score is None)
