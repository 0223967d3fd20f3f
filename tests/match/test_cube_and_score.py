"""What a cube or score that is turned or set in mid-match does to an offer to resign, to Jacoby and to the Crawford game; beavers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.board.matchid import LARGEST_CUBE
from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.said.moment import ids_of
from referee.match.shown.expect import expected_code
from referee.match.shown.views import scoreboard_view, table_view
from referee.match.shown.wording import expected, sentence
from referee.match.state import Phase
from referee.records.export import record_of
from referee.records.record import Parsed, Side
from referee.records.replay import replay
from referee.rules.presets import preset
from referee.rules.reason import because
from tests.match.hand import Hand

NEAR, FAR = Seat.NEAR, Seat.FAR


# --- who may double -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cube", "may"), [((1, None), True), ((2, FAR), True), ((2, NEAR), False), ((LARGEST_CUBE, FAR), False)],
    ids=["in the middle", "his own", "the other's", "at its end"],
)
@pytest.mark.parametrize("opened", [False, True], ids=["a turn set by hand", "after the opening"])
def test_the_text_the_buttons_and_the_page_say_alike_whether_he_may_double(cube: tuple[int, Seat | None], may: bool, opened: bool) -> None:
    hand = Hand(length=7)
    if opened:
        hand.open()
    else:
        hand.do(c.SetTurn, seat=FAR)
    hand.do(c.SetCube, value=cube[0], owner=cube[1])
    shown = table_view(hand.table.state, hand.table.rules)
    assert expected_code(hand.table.state) == ("roll_or_double" if may else "roll", FAR)
    assert ("double" in shown["can"], shown["may_double"][FAR.index]) == (may, may)
    if not may:
        hand.refused(c.Double)


# --- what may be resigned -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "cube", "offered"),
    [
        ({"jacoby": False}, 1, ["single", "gammon", "backgammon"]), ({"jacoby": False, "backgammon_pays": 2}, 1, ["single", "gammon"]),
        ({}, 1, ["single"]), ({}, 2, ["single", "gammon", "backgammon"]),
    ],
    ids=["anything", "no backgammon", "Jacoby", "Jacoby, after a take"],
)
def test_what_a_player_is_asked_that_resigns(changes: dict[str, Any], cube: int, offered: list[str]) -> None:
    hand = Hand(length=0, rules=replace(preset("money"), **changes))
    hand.open()
    if cube > 1:
        hand.do(c.SetCube, value=cube, owner=FAR)
    assert table_view(hand.table.state, hand.table.rules)["resignable"] == offered


# --- the largest cube -----------------------------------------------------------------------------------------------------


def test_no_cube_goes_beyond_the_largest_that_a_match_id_can_say() -> None:
    hand = Hand(0, "money")
    hand.open()
    assert hand.refused(c.SetCube, value=2 * LARGEST_CUBE) == "bad_cube"
    said = sentence(because("bad_cube", value=2 * LARGEST_CUBE, most=LARGEST_CUBE), ("", ""))
    assert said == "A cube shows 1, 2, 4, 8 and so on up to 32768, not 65536."
    hand.do(c.SetCube, value=LARGEST_CUBE // 2, owner=None)
    hand.do(c.Double)
    assert hand.refused(c.Beaver) == "cube_at_end"
    hand.do(c.Take)
    assert ids_of(hand.table.state).gnubgid, "a match ID has room for it"
    hand.do(c.SetCube, value=LARGEST_CUBE, owner=None)
    assert hand.refused(c.Double) == "cube_at_end"


def test_neither_a_tie_nor_a_refused_throw_turns_the_cube_beyond_its_end() -> None:
    hand = Hand(0, replace(preset("money"), auto_doubles=None, first_throw_refusal=True))
    hand.do(c.SetCube, value=LARGEST_CUBE, owner=None)
    hand.roll(3, 3)
    hand.roll(3, 1)
    hand.do(c.RefuseFirstThrow, seat=FAR)
    assert hand.table.state.cube.value == LARGEST_CUBE


# --- an offer to resign ---------------------------------------------------------------------------------------------------


def test_an_offer_to_resign_is_answered_before_the_cube_is_turned() -> None:
    hand = Hand(length=7)
    hand.open()
    hand.do(c.Resign, seat=NEAR, kind=e.Kind.GAMMON)
    assert hand.refused(c.Double, seat=FAR) == "resignation_open"
    assert "double" not in table_view(hand.table.state, hand.table.rules)["can"]
    hand.do(c.RefuseResignation)
    hand.do(c.Double)
    hand.do(c.Take)
    assert hand.do(c.Resign, seat=NEAR) == [e.Resigned(NEAR, 2, e.Kind.SINGLE)], "at the value the cube has now"
    money = Hand(0, "money")
    money.open()
    money.do(c.Double)
    money.do(c.Beaver)
    money.do(c.Resign, seat=FAR)
    assert money.refused(c.Beaver) == "resignation_open"


def test_a_cube_put_right_makes_an_open_offer_so_many_times_its_value() -> None:
    hand = Hand(length=9)
    hand.open()
    hand.do(c.Resign, seat=NEAR, kind=e.Kind.GAMMON)
    assert hand.do(c.SetCube, value=2, owner=NEAR)[1:] == [e.Resigned(NEAR, 4, e.Kind.GAMMON)]
    assert hand.do(c.SetCube, value=2, owner=FAR)[1:] == [], "the same value, the same points"
    assert hand.do(c.AcceptResignation)[-1] == e.GameWon(FAR, 4, e.Kind.GAMMON, e.How.RESIGNATION)


# --- the Jacoby rule ------------------------------------------------------------------------------------------------------


def gammon(hand: Hand) -> e.Event:
    """Near bears off his last checker against fifteen."""
    hand.set({1: 1}, {6: 15}, NEAR, (6, 5))
    return hand.do(c.EnterPlay, play="1/off")[-1]


@pytest.mark.parametrize(
    ("ties", "value", "owner", "kind", "points"),
    [
        (0, 2, NEAR, e.Kind.GAMMON, 4),
        (0, 1, NEAR, e.Kind.GAMMON, 2),
        (0, 4, None, e.Kind.GAMMON, 8),
        (0, 1, None, e.Kind.SINGLE, 1),
        (1, 2, None, e.Kind.SINGLE, 2),
        (1, 4, None, e.Kind.GAMMON, 8),
    ],
)
@pytest.mark.parametrize("taken", [False, True])
def test_jacoby_goes_by_the_cube_as_it_was_set(
    taken: bool, ties: int, value: int, owner: Seat | None, kind: e.Kind, points: int
) -> None:
    """C14: turned is a cube that somebody owns or that shows more than the automatic doubles made it."""
    hand = Hand(0, replace(preset("money"), auto_doubles=1))
    for _ in range(ties):
        hand.roll(2, 2)
    hand.open()
    if taken:
        hand.do(c.Double)
        hand.do(c.Take)
    hand.do(c.SetCube, value=value, owner=owner)
    assert gammon(hand) == e.GameWon(NEAR, points, kind)
    assert replay(Parsed(record_of(hand.table.log)), hand.table.rules).problems == (), "and the record says the same"


def test_a_cube_refused_up_at_the_first_throw_is_nobodys_double() -> None:
    hand = Hand(0, replace(preset("money"), first_throw_refusal=True))
    hand.roll(3, 1)
    hand.do(c.RefuseFirstThrow, seat=FAR)
    hand.open()
    hand.do(c.SetCube, value=2, owner=None)
    assert gammon(hand) == e.GameWon(NEAR, 2, e.Kind.SINGLE)


# --- the Crawford game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "is_it"), [(None, True), (True, True), (False, False)])
def test_between_games_a_person_says_whether_the_next_is_the_crawford_game(said: bool | None, is_it: bool) -> None:
    hand = Hand(length=5, start=False)
    hand.do(c.SetScore, score=(4, 2), crawford=said)
    assert hand.do(c.StartGame) == [e.GameStarted(1, (4, 2), is_it)]
    hand.open()
    hand.do(c.AwardGame, seat=FAR, kind=e.Kind.SINGLE, points=1)
    assert hand.do(c.StartGame) == [e.GameStarted(2, (4, 3))], "it comes once in a match, and has been"


def test_a_score_that_was_set_wrongly_uses_up_no_crawford_game() -> None:
    for start, said in ((True, None), (False, None), (True, False), (False, False)):
        hand = Hand(length=5, start=start)
        hand.do(c.SetScore, score=(4, 2), crawford=said)
        hand.do(c.SetScore, score=(3, 2))
        if not start:
            hand.do(c.StartGame)
        assert not hand.table.state.crawford
        hand.open()
        hand.do(c.AwardGame, seat=NEAR, kind=e.Kind.SINGLE, points=1)
        assert hand.do(c.StartGame) == [e.GameStarted(2, (4, 2), True)]


@pytest.mark.parametrize("paused", [False, True])
def test_between_games_what_is_said_of_the_crawford_game_is_said_of_the_next(paused: bool) -> None:
    def said(hand: Hand) -> tuple[bool, bool]:
        view = scoreboard_view(hand.table.state)
        return view["crawford"], view["post_crawford"]

    hand = Hand(length=5)
    hand.open()
    hand.do(c.AwardGame, seat=NEAR, kind=e.Kind.SINGLE, points=3)
    if paused:
        hand.do(c.Pause)
    assert said(hand) == (False, False)
    hand.do(c.SetScore, score=(4, 2))
    assert said(hand) == (True, False)
    hand.do(c.Penalise, seat=NEAR, points=2)
    assert said(hand) == (False, False), "at 4-4 nobody may come to it"
    hand.do(c.SetScore, score=(3, 2))
    hand.do(c.Penalise, seat=FAR, points=1)
    assert said(hand) == (True, False)
    hand.do(c.StartGame)
    assert said(hand) == (True, False)
    hand.open()
    hand.do(c.AwardGame, seat=FAR, kind=e.Kind.SINGLE, points=1)
    assert said(hand) == (False, True), "it has been"

    without = Hand(rules=replace(preset("bray"), crawford=False))
    without.do(c.SetScore, score=(4, 2))
    without.open()
    assert said(without) == (False, False), "where there is none, none has been"


def test_an_awarded_game_is_worth_what_its_cube_makes_it_however_much_that_is() -> None:
    hand = Hand(0, "money")
    hand.open()
    hand.do(c.SetCube, value=LARGEST_CUBE)
    hand.do(c.AwardGame, seat=FAR, kind=e.Kind.BACKGAMMON)
    assert hand.table.state.score == (0, 3 * LARGEST_CUBE)


def test_a_score_set_between_games_leaves_the_finished_game_as_it_was() -> None:
    hand = Hand(length=5)
    hand.open()
    hand.do(c.AwardGame, seat=NEAR, kind=e.Kind.SINGLE, points=1)
    hand.do(c.SetScore, score=(4, 1))
    hand.do(c.StartGame)
    first, second = record_of(hand.table.log).games
    assert (first.score, first.crawford) == ((0, 0), False)
    assert (second.score, second.crawford) == ((4, 1), True)


def test_the_score_of_a_match_that_is_over_stays_until_its_end_is_taken_back() -> None:
    for length, rules in ((1, "bray"), (0, "money")):
        hand = Hand(length, rules, games=1)
        hand.open()
        assert "set_score" in table_view(hand.table.state, hand.table.rules)["can"]
        hand.do(c.AwardMatch, seat=NEAR)
        assert "set_score" not in table_view(hand.table.state, hand.table.rules)["can"]
        assert hand.refused(c.SetScore, score=(0, 0)) == "match_over"
        hand.do(c.Undo)
        hand.do(c.SetScore, score=(0, 0))


@pytest.mark.parametrize(("value", "owner"), [(2, None), (4, NEAR), (1, FAR)])
def test_in_the_crawford_game_the_cube_stays_at_one_in_the_middle(value: int, owner: Seat | None) -> None:
    hand = Hand(length=3)
    hand.open()
    hand.do(c.SetScore, score=(2, 0))
    assert hand.refused(c.SetCube, value=value, owner=owner) == "crawford_cube"
    place = {None: "0", NEAR: "1", FAR: "-1"}[owner]
    line = f"XGID=-b----E-C---eE---c-e----B-:{value.bit_length() - 1}:{place}:1:00:2:0:%d:3:10"
    assert hand.refused(c.SetMoment, text=line % 1) == "crawford_cube"
    hand.do(c.SetCube, value=1, owner=None)
    assert hand.do(c.Resign, seat=FAR) == [e.Resigned(FAR, 1, e.Kind.SINGLE)]
    hand.do(c.SetMoment, text=line % 0)
    assert (hand.table.state.cube.value, hand.table.state.cube.owner) == (value, owner), "a game after the Crawford game"


def test_in_a_match_to_one_point_there_is_no_cube_to_set() -> None:
    hand = Hand(length=1)
    hand.open()
    assert hand.refused(c.SetCube, value=2, owner=NEAR) == "no_cube"
    assert hand.refused(c.SetMoment, text="XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:1:10") == "no_cube"
    hand.do(c.SetCube, value=1, owner=None)


def test_without_the_crawford_rule_the_cube_may_be_set_at_match_point() -> None:
    hand = Hand(3, replace(preset("bray"), crawford=False))
    hand.open()
    hand.do(c.SetScore, score=(2, 0))
    hand.do(c.SetCube, value=2, owner=NEAR)
    assert hand.table.state.cube.value == 2


# --- a cube that is turned back at once -------------------------------------------------------------------------------------


def test_a_beaver_and_a_raccoon_can_be_dropped_like_any_double() -> None:
    hand = Hand(0, "money")
    hand.open()
    assert hand.refused(c.Drop) == "no_double"
    hand.do(c.Double)
    hand.do(c.Beaver)
    assert "drop" in table_view(hand.table.state, hand.table.rules)["can"]
    assert expected(hand.table.state) == "Boris to roll or drop"
    assert hand.do(c.Drop) == [e.Dropped(FAR, 4), e.GameWon(NEAR, 2, e.Kind.SINGLE, e.How.DROP)], "the beaver doubled what was at stake"
    hand.do(c.StartGame)
    hand.open()
    hand.do(c.Double)
    hand.do(c.Beaver)
    hand.do(c.Beaver)
    assert expected(hand.table.state) == "Boris to roll; Anna may drop"
    assert hand.do(c.Drop) == [e.Dropped(NEAR, 8), e.GameWon(FAR, 4, e.Kind.SINGLE, e.How.DROP)]
    hand.do(c.StartGame)
    hand.open()
    hand.do(c.Double)
    hand.do(c.Beaver)
    hand.do(c.EnterRoll, dice=(2, 1))
    assert hand.refused(c.Drop) == "no_double", "his roll has taken it"
    report = replay(Parsed(record_of(hand.table.log)))
    assert [(game.winner, game.points) for game in report.games[:2]] == [(Side.LEFT, 2), (Side.RIGHT, 4)] and not report.problems


@pytest.mark.parametrize(("command", "more"), [(c.AwardMatch, {}), (c.Penalise, {"points": 3})], ids=["awarded", "lost by penalty points"])
def test_with_the_match_an_open_double_is_over(command: type[c.Command], more: dict[str, int]) -> None:
    hand = Hand(length=5)
    hand.open()
    hand.do(c.Double)
    hand.do(command, seat=NEAR, **more)
    assert hand.table.state.play_phase is Phase.MATCH_OVER
    assert table_view(hand.table.state, hand.table.rules)["cube"] == {"value": 1, "owner": None, "offered_by": None}


@pytest.mark.parametrize(("kind", "more"), [
    (c.Penalise, {"seat": FAR, "points": 1, "role": e.Role.DIRECTOR}),
    (c.SetNames, {"names": ("Ann", "Bob")}), (c.SetScore, {"score": (2, 2)}),
])  # fmt: skip
def test_a_drop_that_is_said_late_takes_nothing_back_that_is_no_play(kind: type[c.Command], more: dict[str, object]) -> None:
    hand = Hand(5)
    hand.open()
    hand.do(c.Double)
    hand.roll(6, 2)
    hand.do(kind, **more)
    assert hand.refused(c.Drop) == "gone_on"
    hand.do(c.Undo, rulings=True)
    hand.do(c.Drop)
    assert (hand.table.state.score, hand.table.state.names) == ((0, 1), ("Anna", "Boris"))
