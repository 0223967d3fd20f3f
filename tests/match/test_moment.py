"""A moment of a match as one line, both ways, checked against GNU Backgammon's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.board.matchid import gnubgid_to_text, match_from_id, moment_from_text
from referee.board.position import START, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.commands import Accepted, Refused
from referee.match.folding import fold
from referee.match.said.moment import ids_of
from referee.match.shown.views import table_view
from referee.match.state import Phase
from referee.records import gnubg
from tests.match.hand import Hand
from tests.match.random_play import play_match
from web.cli.ids import command

MATCH = Path(__file__).parents[1] / "records" / "anna_boris.mat"


@pytest.mark.parametrize("kind", ["gnubgid", "xgid"])
def test_any_moment_written_is_the_moment_read(kind: str) -> None:
    table = play_match(5, 5, boldness=0.3)
    log, hand, states = table.log, Hand(length=5), []
    for end in range(4, len(log), 7):
        state = fold(log[:end])
        if state.play_phase in (Phase.TO_ROLL, Phase.ROLLED, Phase.DOUBLED) and state.on_roll is not None and 15 not in state.position.off:
            states.append(state)
    assert len(states) > 10
    for state in states:
        text = getattr(ids_of(state), kind)
        # An XGID is written with the player on roll at the bottom.
        bottom = (state.on_roll or Seat.NEAR) if kind == "xgid" else Seat.NEAR
        outcome = hand.table.command(c.SetMoment(seen_seq=hand.table.state.seq, text=text, bottom=bottom))
        assert isinstance(outcome, Accepted), (outcome, text)
        now = hand.table.state
        assert (now.position, now.score) == (state.position, state.score)
        assert (now.cube.value, now.cube.owner) == (state.cube.value, state.cube.owner)
        assert now.on_roll is state.on_roll and now.cube.offered_by is state.cube.offered_by
        assert sorted(now.dice or ()) == sorted(state.dice or ())
        assert now.crawford == state.crawford
        assert getattr(ids_of(now), kind) == text


@pytest.mark.parametrize(
    "copied",
    [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10  X:Anna   O:Boris Score is X:4 O:2 5 pt.(s) match.  +13-14-15-16-17-18---",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10X:Anna   O:BorisScore is X:4 O:2 5 pt.(s) match. +13-14-15-16-17-18---",
        "xgid=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10",
        "GNU Backgammon  Position ID: 4HPwATDgc/ABMA                  Match ID   : {} +13-14-15-16-17-18------19-20-21-22-",
        "Position-ID: 4HPwATDgc/ABMA   Match-ID: {}",
    ],
)
def test_what_other_programs_copy_beside_an_id_does_no_harm(copied: str) -> None:
    told = moment_from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10")
    hand = Hand(length=5)
    hand.do(c.SetMoment, text=copied.format(gnubgid_to_text(*told).split(":")[1]))
    state = hand.table.state
    assert (state.position, state.score, state.crawford, state.dice, state.on_roll) == (START, (4, 2), True, (3, 1), Seat.NEAR)


def test_what_cannot_be_taken_over_is_refused() -> None:
    hand = Hand(length=5)
    assert hand.refused(c.SetMoment, text="nonsense") == "not_an_id"
    assert hand.refused(c.SetMoment, text="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10") == "id_of_another_length"
    assert hand.refused(c.SetMoment, text="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:5:0:0:5:10") == "score_over"
    hand.do(c.SetMoment, text="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10")
    state = hand.table.state
    assert (state.position, state.score, state.crawford, state.dice, state.on_roll) == (START, (4, 2), True, (3, 1), Seat.NEAR)
    assert isinstance(hand.table.log[-1].event, e.TurnSet)


@pytest.mark.parametrize(
    ("length", "line", "code", "rule"),
    [
        (5, "0:0:1:D:4:0:1:5:10", "crawford", "S2-25"),
        (1, "0:0:1:D:0:0:0:1:10", "no_cube", "S1-01"),
        (5, "1:-1:1:D:0:0:0:5:10", "not_your_cube", "S2-20"),
        (5, "1:1:-1:D:0:0:0:5:10", "not_your_cube", "S2-20"),
    ],
)
def test_a_moment_with_a_double_that_nobody_may_offer_is_refused_with_the_rule_books_reason(
    length: int, line: str, code: str, rule: str
) -> None:
    hand = Hand(length)
    hand.open()
    seq = hand.table.state.seq
    text = f"XGID=-b----E-C---eE---c-e----B-:{line}"
    position, info = moment_from_text(text)
    for one in (text, gnubgid_to_text(position, info)):
        outcome = hand.say(c.SetMoment, text=one)
        assert isinstance(outcome, Refused)
        assert (outcome.reason.code, outcome.reason.rule) == (code, rule)
    assert hand.table.state.seq == seq
    hand.do(c.SetMoment, text=text.replace(":D:", ":00:"))
    assert "double" not in table_view(hand.table.state, hand.table.rules)["can"], "nor may he offer it at that moment"


def test_a_moment_with_a_double_waits_for_its_answer() -> None:
    hand = Hand(length=5)
    hand.open()
    hand.do(c.SetMoment, text="XGID=-b----E-C---eE---c-e----B-:1:1:1:D:4:0:0:5:10")
    assert hand.do(c.Take) == [e.Taken(Seat.FAR, 4)]


_SCRIPT = """
import json
gnubg.command('import mat "%s"')
gnubg.command("first game")
found = []
for _ in range(12):
    gnubg.command("next roll")
    found.append(gnubg.gnubgid())
print("FOUND" + json.dumps(found))
"""


@pytest.mark.skipif(gnubg.find() is None, reason="cannot: GNU Backgammon is not installed")
def test_the_ids_of_a_file_are_those_gnubg_shows(tmp_path: Path) -> None:
    theirs = next(line for line in gnubg.run_script(_SCRIPT % MATCH, tmp_path, 60.0).splitlines() if line.startswith("FOUND"))
    ours = [json.loads(line) for line in CliRunner().invoke(command, [str(MATCH), "--json", "--game", "1"]).stdout.splitlines()]
    rolled = [one for one in json.loads(theirs[5:]) if match_from_id(one.partition(":")[2]).dice is not None]
    assert len(rolled) > 4
    assert [one["gnubgid"] for one in ours][: len(rolled)] == rolled


def test_a_line_is_written_both_ways_and_a_wrong_one_refused() -> None:
    for line in ("4HPwATDgc/ABMA:cIkFAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"):
        found = json.loads(CliRunner().invoke(command, [line, "--json"]).stdout)
        assert found["position"]["points"] == list(START.points)
        assert "31" in found["xgid"]
    for wrong in ("XGID=nothing", "a:b", "none.mat"):
        result = CliRunner().invoke(command, [wrong])
        assert result.exit_code == 2 and "Error: " in result.output, result.output
