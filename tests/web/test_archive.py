"""What the pages are told of kept matches: which are wanted, how each stands, its steps and its dice."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from referee.board.position import START, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.state import MatchState, Phase
from referee.records.store import MatchInfo
from tests.match.hand import FAR, NEAR, Hand
from web.archive import Wanted, dice_statistics, line, results_csv, steps

NOON = datetime(2026, 3, 14, 12).astimezone().isoformat()


def info(state: MatchState, problem: str = "") -> MatchInfo:
    return MatchInfo(7, NOON, state, problem)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (Wanted(), True),
        (Wanted(player="ANN"), True), (Wanted(player="bor"), True), (Wanted(player="cleo"), False),
        (Wanted(player="anna "), True), (Wanted(player="STRASSE"), True),  # as phones write a word, and whoever has no ß
        (Wanted(event="open"), True), (Wanted(event="Spring "), True), (Wanted(event="closed"), False),
        (Wanted(since="2026-03-14", until="2026-03-14"), True),
        (Wanted(since="2026-03-15"), False), (Wanted(until="2026-03-13"), False),
        (Wanted(since="2026-03-13"), True), (Wanted(until="2026-03-15"), True),
        (Wanted(player="anna", event="closed"), False),
    ],
)
def test_a_match_is_wanted_where_all_that_is_asked_for_fits(wanted: Wanted, fits: bool) -> None:
    assert wanted.fits(info(MatchState(names=("Anna", "Boris Straße"), event="Spring Open"))) is fits


def test_a_line_of_the_list_tells_how_a_match_stands() -> None:
    hand = Hand(3, event="Spring Open", round="Final")
    hand.do(c.AwardGame, seat=FAR, role=e.Role.DIRECTOR)
    assert hand.table.state.winner is FAR, "of the game"
    assert line(info(hand.table.state)) == {
        "id": 7, "created": NOON, "day": "2026-03-14", "names": ["Anna", "Boris"], "length": 3, "score": [0, 1], "games": 1,
        "event": "Spring Open", "round": "Final", "rules": "bray", "winner": None, "open": True, "problem": "",
    }
    damaged = line(info(hand.table.state, "A row is gone."), str.upper)
    assert (damaged["open"], damaged["problem"]) == (False, "A ROW IS GONE.")
    hand.do(c.AwardMatch, seat=NEAR, role=e.Role.DIRECTOR)
    over = line(info(hand.table.state))
    assert (over["winner"], over["open"]) == ("near", False)


def test_a_step_tells_what_happened_and_how_the_match_stood_after_it() -> None:
    hand = Hand(3)
    hand.roll(3, 1)
    hand.roll(4, 1)  # mistyped, and put right
    hand.do(c.EnterPlay, play="24/23 13/9")
    hand.roll(6, 2)
    proof = e.Evidence("1/abc.jpg", "0" * 64)
    log = tuple(replace(one, evidence=proof, frame="f7.jpg") if isinstance(one.event, e.Played) else one for one in hand.table.log)
    log = (*log[:-1], e.Logged(log[-1].seq, e.DiceLifted(FAR)), replace(log[-1], seq=log[-1].seq + 1))
    found = steps(log, pictures=True)
    assert all(one["text"] for one in found) and "dice_lifted" not in [one["type"] for one in found]
    assert [one["seq"] for one in found if one["replaced"]] == [one.seq for one in log if isinstance(one.event, e.OpeningRolled)][:1]
    (played,) = (one for one in found if one["type"] == "played")
    assert (played["role"], played["frame"], played["picture"]) == ("referee", "f7.jpg", played["seq"])
    assert (played["game"], played["score"], played["on_roll"], played["dice"], played["crawford"]) == (1, [0, 0], "far", None, False)
    assert (played["position"]["points"][23], played["position"]["points"][22], played["position"]["points"][8]) == (1, 1, 1)
    assert played["cube"]["value"] == 1
    assert (played["ids"]["gnubgid"].count(":"), played["ids"]["xgid"].startswith("XGID=")) == (1, True)
    assert played["pips"] is None, "they reach nobody who plays without aids"
    rolled = found[-1]
    assert (rolled["type"], rolled["dice"]["values"], rolled["picture"]) == ("rolled", [6, 2], None)
    assert {one["picture"] for one in steps(log, pictures=False)} == {None}
    hand.do(c.AwardMatch, seat=NEAR, role=e.Role.DIRECTOR)
    over = steps(hand.table.log, pictures=False)
    assert [one["pips"] for one in over if one["type"] == "played"] == [[162, 167]]


def thrown(*counts: int) -> list[e.Logged]:
    """Near's dice: so many ones, twos and so on, no two numbers of a throw alike where that can be."""
    numbers = [number for number, count in enumerate(counts, start=1) for _ in range(count)]
    half = len(numbers) // 2
    rolls = [e.Rolled(Seat.NEAR, dice) for dice in zip(numbers[:half], numbers[half:], strict=True)]
    turns = [event for roll in rolls for event in (roll, e.Played(Seat.NEAR, roll.dice, (), START))]
    return [e.Logged(seq, event) for seq, event in enumerate(turns, start=1)]


def test_dice_are_counted_and_compared_with_even_ones() -> None:
    found = dice_statistics(thrown(5, 15, 10, 10, 10, 10))
    near, far, both = found["near"], found["far"], found["both"]
    assert (near["rolls"], near["doubles"], near["counts"]) == (30, 0, [5, 15, 10, 10, 10, 10])
    assert (near["chi_square"], near["p"]) == (5.0, 0.416)
    assert near["text"] == "Even dice would differ from even counts this much or more in 42% of matches; nothing here speaks against them."
    assert both == near
    assert (far["rolls"], far["chi_square"], far["p"], far["text"]) == (
        0, 0.0, 1.0, "Too few numbers to say anything about the dice: 0."
    )
    few = dice_statistics(thrown(4, 4, 6, 4, 6, 4))["near"]
    assert (few["chi_square"], few["text"]) == (1.14, "Too few numbers to say anything about the dice: 28.")
    assert not dice_statistics(thrown(5, 5, 5, 5, 5, 5))["near"]["text"].startswith("Too few"), "five of each are enough"


def test_both_opening_dice_are_one_each_and_no_roll_of_anybody() -> None:
    hand = Hand(3)
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.roll(2, 2)
    found = dice_statistics(hand.table.log)
    assert (found["near"]["counts"], found["near"]["rolls"]) == ([0, 0, 1, 0, 0, 0], 0)
    assert (found["far"]["counts"], found["far"]["rolls"], found["far"]["doubles"]) == ([1, 2, 0, 0, 0, 0], 1, 1)
    assert (found["both"]["counts"], found["both"]["rolls"], found["both"]["doubles"]) == ([1, 2, 1, 0, 0, 0], 1, 1)


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_results_are_a_table_in_which_no_name_is_a_formula(first: str) -> None:
    state = MatchState(names=(f"{first}A1", "Boris"), length=3, score=(3, 1), winner=NEAR, phase=Phase.MATCH_OVER, event="Open, spring")
    name = f"'{first}A1" if first != "\r" else f"\"'{first}A1\""
    rows = results_csv([info(state), info(replace(state, winner=FAR)), info(replace(state, phase=Phase.GAME_OVER))], ",").split("\r\n")[:-1]
    assert rows[0] == "id,date,event,round,near,far,near_score,far_score,length,winner"
    assert rows[1] == f"7,2026-03-14,\"Open, spring\",,{name},Boris,3,1,3,{name}"
    assert [row.rpartition(",")[2] for row in rows[2:]] == ["Boris", ""]
    assert results_csv([info(state)], ";").split("\r\n")[1].count(";") == 9
