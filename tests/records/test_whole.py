"""A refereed match leaves in any format; its `.json` holds the log as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.records.export import record_of
from referee.records.formats import WRITERS, lost_in, read_bytes
from referee.records.record import NotARecord
from referee.records.replay import replay
from referee.records.store import Store
from referee.records.whole import Whole, log_of
from referee.rules.reason import because
from referee.rules.scoring import Kind
from tests.match.hand import Hand
from tests.match.random_play import play_match
from web.cli.check import command as check
from web.cli.convert import command


def test_json_holds_every_event_ruling_and_piece_of_evidence() -> None:
    table = play_match(7, 0, "money", games=2)
    seen = e.Evidence("7.jpg", "ab" * 32)
    log = tuple(replace(one, evidence=seen, frame="f1", captured="2026-11-20T12:00:00Z") for one in table.log)
    text = Whole.of(log).written(".json")
    assert log_of(text) == log
    schema = json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text())
    jsonschema.validate(json.loads(text), schema)
    assert len(read_bytes(text.encode()).record.games) == 2
    assert Whole.of(log).lost(".json") == ()


def test_a_damaged_log_is_refused_with_a_reason() -> None:
    text = Whole.of(play_match(8, 1).log).written(".json")
    with pytest.raises(NotARecord, match="damaged"):
        log_of(text.replace('"version": 1, "at"', '"version": 99, "at"'))


@pytest.mark.parametrize("ending", WRITERS)
def test_a_match_of_the_store_in_every_format(ending: str, tmp_path: Path) -> None:
    from referee.match.table import TableService
    from referee.rules.presets import preset
    from tests.match.random_play import never

    with Store(tmp_path / "matches.db") as store:
        table: TableService[None] = TableService(store.new_match(), preset("bray"), never, None)
        play_match(3, 3, table=table)
    target = tmp_path / f"out{ending}"
    result = CliRunner().invoke(command, [str(tmp_path / "matches.db"), str(target), "--match", "1"])
    assert result.exit_code == 0, result.output
    report = replay(read_bytes(target.read_bytes()))
    assert not (report.illegal or report.breaks or report.problems)
    assert report.final_score == table.state.score
    assert ("clock" in result.output) is (ending != ".json")
    missing = CliRunner().invoke(command, [str(tmp_path / "matches.db"), str(target), "--match", "9"])
    assert missing.exit_code == 2 and "no match 9" in missing.output


def test_match_without_a_store_is_bad_usage_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(Whole.of(play_match(3, 1).log).written(".json"))
    result = CliRunner().invoke(command, [str(tmp_path / "a.json"), str(tmp_path / "b.mat"), "--match", "1"])
    assert (result.exit_code, "a.json is none: leave it out" in result.output) == (2, True)
    missing = CliRunner().invoke(command, [str(tmp_path / "no.db"), str(tmp_path / "b.mat"), "--match", "1"])
    assert (missing.exit_code, "no.db: there is no such file" in missing.output) == (2, True)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        pipe = subprocess.run(
            [sys.executable, "-c", "from web.cli import main; main()", "convert", str(tmp_path / "pipe"), str(tmp_path / "b.mat")],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (pipe.returncode, "not a file" in pipe.stderr) == (2, True)


def test_which_match_of_several_is_taken_is_said(tmp_path: Path) -> None:
    store = str(tmp_path / "matches.db")
    with Store(store) as kept:
        kept.new_match().append(play_match(3, 1).log)
        alone = CliRunner().invoke(command, [store, str(tmp_path / "one.json")])
        assert "--match" not in alone.stderr, "there is no other"
        kept.new_match().append(play_match(4, 1).log)
    newest = CliRunner().invoke(command, [store, str(tmp_path / "two.json")])
    assert newest.stderr.startswith("match 2 (Anna - Boris), the newest of 2: take another with --match, by its number\n")
    chosen = CliRunner().invoke(command, [store, str(tmp_path / "again.json"), "--match", "1"])
    assert "newest" not in chosen.stderr
    assert (tmp_path / "again.json").read_text() == (tmp_path / "one.json").read_text() != (tmp_path / "two.json").read_text()


def test_automatic_doubles_survive_where_they_can_and_are_told_where_they_cannot() -> None:
    for seed in range(40):
        log = play_match(seed, 0, "agca", games=1).log
        doubled = [one.event.value for one in log if isinstance(one.event, e.AutoDoubled)]
        if doubled:
            break
    assert doubled
    for ending in (".sgf", ".json"):
        parsed = read_bytes(Whole.of(log).written(ending).encode())
        assert parsed.record.games[0].cube == doubled[-1]
        assert replay(parsed).problems == ()
        assert not any("automatic" in said for said in Whole.of(log).lost(ending))
    assert any("automatic doubles" in said for said in Whole.of(log).lost(".mat"))


def test_our_own_file_keeps_its_log_when_it_is_converted_and_what_is_lost_is_said(tmp_path: Path) -> None:
    log = play_match(7, 0, "money", games=1).log
    source = tmp_path / "whole.json"
    source.write_text(Whole.of(log).written(".json"), encoding="utf-8")
    again = CliRunner().invoke(command, [str(source), str(tmp_path / "again.json")])
    assert (again.exit_code, again.output) == (0, "")
    assert log_of((tmp_path / "again.json").read_text(encoding="utf-8")) == log
    for ending in (".mat", ".sgf", ".txt"):
        said = CliRunner().invoke(command, [str(source), str(tmp_path / f"out{ending}")])
        assert said.exit_code == 0 and "lost: the clock, rulings, doubts, resignations that were refused, and pictures" in said.output
    source.write_text(source.read_text(encoding="utf-8").replace('"version": 1, "at"', '"version": 99, "at"'), encoding="utf-8")
    damaged = CliRunner().invoke(command, [str(source), str(tmp_path / "again.json")])
    assert damaged.exit_code == 0 and "lost: the log in this record is damaged" in damaged.output


def test_a_damaged_entry_of_a_log_is_named_without_a_word_of_python() -> None:
    document = json.loads(Whole.of(play_match(9, 1).log).written(".json"))
    del document["log"][4]["at"]
    with pytest.raises(NotARecord, match=r"^the log in this record is damaged in its entry 5$"):
        log_of(json.dumps(document))


def test_half_a_character_in_a_log_is_said_and_not_carried_over(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.json", tmp_path / "other.json"
    whole = Whole.of(play_match(9, 1).log).written(".json")
    assert '"source": "' in whole
    mine.write_text(whole.replace('"source": "', '"source": "\\ud800', 1), encoding="utf-8")
    run = CliRunner().invoke(command, [str(mine), str(other)])
    assert (run.exit_code, "log in this record is damaged" in run.output) == (0, True), run.output
    assert read_bytes(other.read_bytes()).record.games


def test_a_money_match_of_the_store_says_that_the_jacoby_rule_is_lost() -> None:
    log = play_match(7, 0, "money", games=1).log
    assert any("Jacoby" in said for said in Whole.of(log).lost(".mat")) and not any("Jacoby" in said for said in Whole.of(log).lost(".sgf"))


def _penalised() -> tuple[e.Logged, ...]:
    """A match to 7: near is given two penalty points and then drops, so that the second game begins at 0-3."""
    hand = Hand(length=7)
    hand.open()
    hand.do(c.Penalise, seat=Seat.NEAR, points=2)
    hand.do(c.Double)
    hand.do(c.Drop)
    assert hand.do(c.StartGame) == [e.GameStarted(2, (0, 3))]
    hand.open()
    return hand.table.log


def test_penalty_points_are_part_of_our_own_record_and_are_told_where_they_are_not() -> None:
    log = _penalised()
    for ending in WRITERS:
        report = replay(read_bytes(Whole.of(log).written(ending).encode()))
        assert [played.game.score for played in report.games] == [(0, 0), (0, 3)], ending
        assert (report.problems == ()) is (ending == ".json"), ending
        assert any("penalties" in said for said in Whole.of(log).lost(ending)) is (ending != ".json"), ending
        assert any("penalties" in said for said in lost_in(record_of(log), ending)) is (ending != ".json"), ending
    document = json.loads(Whole.of(log).written(".json"))
    jsonschema.validate(document, json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text()))
    document["games"][1]["score"] = [0, 4]
    assert replay(read_bytes(json.dumps(document).encode())).problems == ("game 2 begins at 0-4, but the games before it make 0-3",)


def test_a_match_that_a_penalty_won_has_its_score() -> None:
    hand = Hand(length=5)
    hand.open()
    assert isinstance(hand.do(c.Penalise, seat=Seat.NEAR, points=3)[-1], e.MatchWon)
    report = replay(read_bytes(Whole.of(hand.table.log).written(".json").encode()))
    assert (report.final_score, report.problems) == ((0, 3), ())


@pytest.mark.parametrize(("length", "score", "points", "final"), [(5, (4, 4), 1, "4-5"), (3, (0, 0), 2, "0-2")])
def test_checking_a_match_that_penalties_decided_says_the_score_and_who_won(
    length: int, score: tuple[int, int], points: int, final: str, tmp_path: Path
) -> None:
    """At 4-4 one point is enough; two of three are more than half the match, which forfeits it."""
    hand = Hand(length)
    hand.do(c.SetScore, score=score)
    hand.open()
    hand.do(c.Penalise, seat=Seat.NEAR, points=points)
    for ending in (".json", ".mat", ".txt", ".sgf"):
        (tmp_path / f"m{ending}").write_text(Whole.of(hand.table.log).written(ending))
        assert any("who won the match" in said for said in Whole.of(hand.table.log).lost(ending)) is (ending != ".json")
    said = CliRunner().invoke(check, [str(tmp_path / "m.json")])
    assert said.output.endswith(f"{length} points, {final}, right won the match, nothing wrong\n"), said.output
    document = json.loads((tmp_path / "m.json").read_text())
    jsonschema.validate(document, json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text()))


def test_a_match_that_its_games_decided_loses_no_winner() -> None:
    hand = Hand(length=1)
    hand.open()
    hand.do(c.Resign, seat=Seat.FAR)
    hand.do(c.AcceptResignation)
    assert not any("who won" in said for ending in (".mat", ".txt", ".sgf") for said in Whole.of(hand.table.log).lost(ending))


@pytest.mark.parametrize("running", [False, True])
def test_a_score_set_by_hand_is_no_fault_of_our_own_record(running: bool) -> None:
    hand = Hand(length=7)
    hand.open()
    hand.do(c.Double)
    hand.do(c.Drop)
    for change in (lambda: hand.do(c.StartGame), lambda: hand.do(c.SetScore, score=(3, 0)))[:: 1 if running else -1]:
        change()
    hand.open()
    report = replay(read_bytes(Whole.of(hand.table.log).written(".json").encode()))
    assert [played.game.score for played in report.games] == [(0, 0), (3, 0)]
    assert (report.final_score, report.problems) == ((3, 0), ())


def test_a_turn_set_by_hand_is_no_fault_of_our_own_record() -> None:
    hand = Hand(length=7)
    hand.open()
    roller = hand.table.state.on_roll
    assert roller is not None
    hand.do(c.SetTurn, seat=roller.other)
    hand.do(c.EnterRoll, dice=(2, 1))
    hand.do(c.EnterPlay, play="13/11 6/5")
    for ending in WRITERS:
        assert replay(read_bytes(Whole.of(hand.table.log).written(ending).encode())).problems == (), ending


@pytest.mark.parametrize("ending", [".json", ".sgf"])
def test_a_turn_set_by_hand_before_the_opening_throw_is_no_fault_of_our_own_record(ending: str) -> None:
    hand = Hand(length=7)
    hand.do(c.SetTurn, seat=Seat.FAR)  # the referee came in when the game had begun
    hand.do(c.Double)
    hand.do(c.EnterRoll, dice=(3, 3))
    hand.do(c.EnterPlay, play="8/5(2) 6/3(2)")
    assert replay(read_bytes(Whole.of(hand.table.log).written(ending).encode())).problems == ()


@pytest.mark.parametrize("board", [c.SetPosition, c.SetupError])
@pytest.mark.parametrize("ending", [".json", ".sgf", ".txt"])
def test_a_ruling_on_the_play_before_a_board_that_was_said_to_be_right_is_kept(board: type[c.Command], ending: str) -> None:
    hand = Hand(7)
    hand.open()
    hand.do(c.EnterRoll, dice=(6, 2))
    hand.do(c.EnterPlay, play="24/18 13/11")
    hand.do(board, position=hand.table.state.position)
    hand.do(c.Rule, stands=False, play="24/16")
    ruled = hand.table.state.position
    hand.do(c.EnterRoll, dice=(6, 6))
    hand.do(c.EnterPlay, play="24/18(2) 13/7(2)")
    report = replay(read_bytes(Whole.of(hand.table.log).written(ending).encode()))
    assert ruled in report.games[0].positions
    assert report.games[0].positions[-1] == hand.table.state.position
    assert not (report.illegal or report.breaks or report.unplayed or report.problems)


@pytest.mark.parametrize(("doubled", "points"), [(True, 3), (True, 1), (False, 5), (None, 2)])
def test_a_game_that_was_awarded_is_no_fault_of_our_own_record(doubled: bool | None, points: int) -> None:
    """For other points than the cube gives, or before anybody has thrown (None)."""
    hand = Hand(length=7)
    if doubled is not None:
        hand.open()
    if doubled:
        hand.do(c.Double)
        hand.do(c.Take)
    hand.do(c.AwardGame, seat=Seat.FAR, points=points, role=e.Role.DIRECTOR)
    for ending in WRITERS:
        report = replay(read_bytes(Whole.of(hand.table.log).written(ending).encode()))
        assert any("awarded" in said for said in Whole.of(hand.table.log).lost(ending)) is (ending != ".json"), ending
        if ending == ".json":
            assert (report.final_score, report.problems) == ((0, points), ())
    document = json.loads(Whole.of(hand.table.log).written(".json"))
    jsonschema.validate(document, json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text()))
    document["games"][0]["ruled"] = False
    assert replay(read_bytes(json.dumps(document).encode())).problems


@pytest.mark.parametrize("play", ["6/8 13/7", "24/bar 13/11"])
@pytest.mark.parametrize("ending", WRITERS)
def test_a_play_that_went_backwards_and_stood_can_be_read_back(play: str, ending: str) -> None:
    hand = Hand(3)
    hand.do(c.EnterRoll, dice=(6, 2))
    points = list(hand.table.state.position.points)
    points[5 if play[0] == "6" else 23] -= 1
    bar = (0, 0)
    if play[0] == "6":
        points[7] += 1
    else:
        bar = (1, 0)
    held = Position(tuple(points), bar, (0, 0))
    hand.table.note(e.IllegalPlay(Seat.NEAR, (6, 2), held, because("moved_backwards"), True))
    hand.do(c.EnterRoll, dice=(3, 1), seat=Seat.FAR)  # he rolls on: it stands
    assert hand.table.state.last_turn is not None
    parsed = read_bytes(Whole.of(hand.table.log).written(ending).encode())
    report = replay(parsed)
    assert not report.breaks
    assert len(report.illegal) == (0 if ending == ".mat" else 1)


def test_a_record_of_before_that_tells_of_steps_backwards_is_read() -> None:
    hand = Hand(3)
    hand.do(c.EnterRoll, dice=(6, 2))
    hand.do(c.EnterPlay, play="24/18 13/11")
    document = json.loads(Whole.of(hand.table.log).written(".json"))
    action = document["games"][0]["actions"][0]
    action["steps"] = [[13, 8], [6, 6]]
    with pytest.raises(NotARecord, match="not steps"):
        read_bytes(json.dumps(document).encode())
    action["steps"] = [[13, 8], [6, 7]]
    action["position"] = {"points": list(START.points), "bar": [0, 0], "off": [0, 0]}
    assert read_bytes(json.dumps(document).encode()).record.games[0].actions[0].steps is None


def test_rules_that_count_gammons_their_own_way_are_said_to_be_lost() -> None:
    told = {}
    for name in ("bray", "agca"):
        for seed in range(40):
            log = play_match(seed, 0, name, games=3).log
            if any(isinstance(one.event, e.GameWon) and one.event.kind is not Kind.SINGLE for one in log):
                told[name] = any("gammons" in said for said in Whole.of(log).lost(".sgf"))
                break
    assert told == {"bray": False, "agca": True}


def test_the_day_of_a_match_is_the_clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        log = tuple(replace(one, captured="2026-11-26T07:15:00Z") for one in play_match(3, 1).log)
        assert record_of(log).tag("EventDate") == "2026.11.25"
        damaged = tuple(replace(one, captured="yesterday") for one in log)
        assert record_of(damaged).tag("EventDate") == ""
    finally:
        monkeypatch.undo()
        time.tzset()


def test_automatic_doubles_of_a_file_in_columns_are_not_lost_on_the_way(tmp_path: Path) -> None:
    source, target = tmp_path / "ad.mat", tmp_path / "ad.sgf"
    source.write_text(
        " 0 point match\n\n Game 1\n Anna : 0                       Bo : 0\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        "  2)  Doubles => 4                Drops\n      Wins 2 points\n"
    )
    assert CliRunner().invoke(command, [str(source), str(target)]).exit_code == 0
    report = replay(read_bytes(target.read_bytes()))
    assert (report.final_score, report.problems) == ((2, 0), ())


def test_a_record_is_not_written_over_by_what_is_made_of_it(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text(Whole.of(play_match(3, 1).log).written(".json"))
    before = source.read_bytes()
    result = CliRunner().invoke(command, [str(source), str(source)])
    assert (result.exit_code, "would be written over" in result.output) == (2, True)
    assert source.read_bytes() == before


def test_a_board_put_right_while_a_double_is_open_answers_no_double() -> None:
    hand = Hand(7)
    hand.do(c.EnterRoll, dice=(3, 1))
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.do(c.Double)
    hand.do(c.SetPosition, position=hand.table.state.position)
    hand.do(c.Take)
    hand.do(c.EnterRoll, dice=(3, 1))
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.do(c.Double)
    hand.do(c.Drop)
    for ending in (".sgf", ".txt"):
        report = replay(read_bytes(Whole.of(hand.table.log).written(ending).encode()))
        assert (report.final_score, report.problems) == (hand.table.state.score, ()), ending
