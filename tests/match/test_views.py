"""What each audience is shown: codes with their rule and words, and nothing the players may not see."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from referee.board.position import START, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.expect import expected_code
from referee.match.shown.views import event_line, position_view, scoreboard_view, table_view
from referee.match.shown.wording import event_sentence
from referee.match.told import as_told, told_log
from referee.rules.reason import because
from tests.match.hand import Hand


def _table(hand: Hand, director: bool = False) -> dict[str, Any]:
    state, rules = hand.table.state, hand.table.rules
    shown = table_view(state if director else as_told(state, rules), rules, director=director)
    assert json.loads(json.dumps(shown)) == shown, "a snapshot is plain values"
    return shown


def _told(hand: Hand) -> list[str]:
    """What the players read of the log."""
    return [event_sentence(one.event, ("Anna", "Boris")) for one in told_log(hand.table.log, hand.table.state)]


def test_a_position_is_written_from_nears_chair() -> None:
    assert position_view(START) == {"points": list(START.points), "bar": [0, 0], "off": [0, 0]}


def test_the_table_says_what_is_expected_and_by_whom() -> None:
    hand = Hand(start=False)
    said = [_table(hand)["expected"]["text"]]
    for kind, values in (
        (c.StartGame, {}), (c.EnterRoll, {"dice": (3, 1)}), (c.EnterPlay, {"play": "8/5 6/5"}), (c.Double, {}), (c.Take, {}),
        (c.Resign, {"seat": Seat.FAR}), (c.AcceptResignation, {}),
    ):
        hand.do(kind, **values)
        said.append(_table(hand)["expected"]["text"])
    assert said == [
        "Set up the starting position", "Each throws one die", "Anna to play 3-1", "Boris to roll or double", "Anna: take or drop?",
        "Boris to roll", "Anna: accept the resignation?", "Set up for the next game",
    ]


def test_the_buttons_follow_the_state() -> None:
    hand = Hand()
    assert {"enter_roll"} <= set(_table(hand)["can"])
    assert "double" not in _table(hand)["can"]
    hand.open()
    assert {"enter_roll", "double", "resign", "undo"} <= set(_table(hand)["can"])
    hand.do(c.Double)
    assert {"take", "drop"} <= set(_table(hand)["can"])
    assert "resign" not in _table(hand)["can"]


def _offered(hand: Hand) -> set[str]:
    return set(_table(hand)["can"])


@pytest.mark.parametrize("length", [0, 1, 5])
def test_no_button_is_offered_that_would_be_refused_for_the_moment_it_is(length: int) -> None:
    """Whatever the page offers without further input, the table accepts."""
    plain: dict[str, type[c.Command]] = {
        "start_game": c.StartGame, "double": c.Double, "take": c.Take, "drop": c.Drop, "beaver": c.Beaver, "pass_turn": c.PassTurn,
        "accept_resignation": c.AcceptResignation, "refuse_resignation": c.RefuseResignation, "undo": c.Undo, "pause": c.Pause,
        "resume": c.Resume,
    }
    opening = [(c.EnterRoll, {"dice": (3, 1)}), (c.EnterPlay, {"play": "8/5 6/5"})]
    ending = [(c.Resign, {"seat": Seat.NEAR}), (c.AcceptResignation, {})]
    steps: list[tuple[type[c.Command], dict[str, Any]]] = [*opening, (c.Double, {}), (c.Take, {}), *ending]
    for taken in range(len(steps) + 1):
        for name, kind in plain.items():
            hand = Hand(length, "money" if not length else "bray")
            for step, values in steps[:taken]:
                if step is c.Double and length == 1:
                    break
                hand.do(step, **values)
            accepted = isinstance(hand.say(kind), c.Accepted) if name in _offered(hand) else None
            assert accepted is not False, (name, taken)


def test_aids_reach_the_players_only_when_the_match_allows_them() -> None:
    for aids in (False, True):
        hand = Hand(0, "bray", start=False)
        hand.table.note(e.MatchStarted(("Anna", "Boris"), 0, "bray", aids))
        hand.do(c.StartGame)
        hand.roll(3, 1)
        assert ("plays" in _table(hand), "pips" in _table(hand)) == (aids, aids)
        assert len(_table(hand, director=True)["plays"]) == 16
        assert _table(hand, director=True)["pips"] == [167, 167]


def test_under_responsible_moves_an_illegal_play_is_marked_for_the_director_alone() -> None:
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    players, director = _table(hand), _table(hand, director=True)
    assert players["held"] is None
    assert players["rulings"] == []
    assert "right" not in players["expected"]["text"]
    assert (players["phase"], director["phase"]) == ("to_roll", "held")
    hand.do(c.Rule, stands=True)
    assert _told(hand)[-2:] == ["Ruled: Anna’s play stands.", "Anna played 24/18"]
    assert event_sentence(hand.table.log[-1].event, ("Anna", "Boris")) == "Anna’s illegal play 24/18 stands"
    assert [ruling["type"] for ruling in _table(hand)["rulings"]] == ["ruled"]
    assert director["held"]["code"] == "number_not_played"
    assert director["rulings"][0]["rule"] == "S2-12"


@pytest.mark.parametrize("play", ["13/10(2) 6/5*", "8/5*(2)"])
def test_an_illegal_play_that_stands_is_written_though_two_checkers_go_one_way_and_one_hits(play: str) -> None:
    hand = Hand(5)
    hand.set({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5}, dice=(3, 1))
    hand.do(c.EnterPlay, play=play, hold=True)
    hand.do(c.Rule, stands=True)
    assert _told(hand)[-1] == f"Anna’s illegal play {play} stands"


def test_a_play_that_a_director_lets_stand_while_it_is_made_is_marked_for_him_alone() -> None:
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.Rule, stands=True, play="24/18", role=e.Role.DIRECTOR)
    assert [ruling["type"] for ruling in _table(hand)["rulings"]] == ["ruled"]
    assert [ruling["type"] for ruling in _table(hand, director=True)["rulings"]] == ["ruled", "illegal_play_stood"]
    assert _told(hand)[-2:] == ["Ruled: Anna’s play stands.", "Anna played 24/18"]


def test_rulings_and_doubts_carry_code_values_rule_and_words() -> None:
    hand = Hand()
    hand.table.note(e.RollVoid(Seat.FAR, (5, None), because("cocked", "S2-06")))
    ruling = _table(hand)["rulings"][0]
    assert (ruling["type"], ruling["seat"], ruling["code"], ruling["rule"]) == ("roll_void", "far", "cocked", "S2-06")
    assert ruling["text"] == "A die is cocked; throw again."
    answers = (e.Answer(because("rolled", high=6, low=1), (e.Rolled(Seat.NEAR, (6, 1)),)),)
    hand.table.note(e.Doubt("roll", because("roll_unseen"), answers))
    doubt = _table(hand)["doubt"]
    assert (doubt["about"], doubt["code"], doubt["answers"][0]["text"]) == ("roll", "roll_unseen", "6-1")


def test_the_event_lines_carry_what_scripts_were_promised() -> None:
    hand = Hand()
    hand.open(6, 2, "24/18 13/11")
    hand.table.note(e.RollVoid(Seat.FAR, (5, None), because("cocked", "S2-06")))
    lines = {line["type"]: line for line in (event_line(one, hand.table.state.names) for one in hand.table.log)}
    assert json.loads(json.dumps(lines)) == lines
    assert {"names", "length", "rules"} <= lines["match_started"].keys()
    assert "rule_set" not in lines["match_started"]
    assert (lines["game_started"]["game"], lines["game_started"]["score"]) == (1, [0, 0])
    rolled, played, void = lines["opening_rolled"], lines["played"], lines["roll_void"]
    assert (rolled["seat"], rolled["dice"]) == ("near", [6, 2])
    assert (played["seat"], played["dice"], played["play"]) == ("near", [6, 2], "24/18 13/11")
    assert set(played["position"]) == {"points", "bar", "off"}
    assert (void["reason"], void["rule"], void["dice"]) == ("cocked", "S2-06", [5, None])
    assert all({"seq", "type", "at", "source"} <= line.keys() for line in lines.values())
    assert event_line(replace(hand.table.log[-1], at=12.34567))["at"] == 12.346


def test_the_room_sees_less() -> None:
    hand = Hand()
    hand.open()
    shown = scoreboard_view(hand.table.state)
    assert json.loads(json.dumps(shown)) == shown
    assert not {"pips", "plays", "rulings", "held"} & shown.keys()


def test_a_closed_out_player_is_told_so() -> None:
    hand = Hand()
    hand.open()
    hand.set(dict.fromkeys(range(1, 7), 2) | {8: 3}, {25: 1, 6: 14}, Seat.FAR)
    hand.table.note(e.BoardAgreed())
    assert expected_code(hand.table.state) == ("closed_out_or_double", Seat.FAR)
    assert "pass_turn" in _table(hand)["can"]


@pytest.mark.parametrize("length", [5, 1])
def test_dice_thrown_before_their_turn_are_shown_no_more_once_the_game_is_over(length: int) -> None:
    hand = Hand(length)
    hand.open()
    hand.set({1: 1}, {6: 5}, Seat.NEAR, (6, 5))
    hand.table.note(e.EarlyRoll(Seat.FAR, (5, 2)), source="tower")
    assert _table(hand)["early"] == {"seat": "far", "dice": [5, 2]}
    hand.do(c.EnterPlay, play="1/off")
    assert _table(hand)["early"] is None
    hand.do(c.Undo)
    assert _table(hand)["early"] == {"seat": "far", "dice": [5, 2]}, "the play was not that: he has thrown all the same"
