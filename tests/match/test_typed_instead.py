"""What was really played can be typed until the other goes on, and nobody learns by it what the referee keeps silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.views import table_view
from referee.match.state import Phase
from referee.match.told import as_told, told_types
from referee.records.export import record_of
from referee.rules.presets import preset
from referee.rules.ruleset import ClockMode
from tests.match.hand import Hand
from tests.match.seen_table import AFTER_62, begun, plays, throw
from tests.match.test_judge import moved
from tests.match.test_timing import RULES, Timed

NEAR, FAR = Seat.NEAR, Seat.FAR


@pytest.mark.parametrize("rules", ["bray", "wbgf-responsible", "usbgf"])
@pytest.mark.parametrize("first", ["24/20", "8/5 6/5", "8/5"], ids=["legal", "legal too", "held in silence"])
def test_what_was_really_played_can_be_typed_until_the_other_goes_on(rules: str, first: str) -> None:
    """Whatever was entered or seen before it, held in silence or not: who types learns nothing by it."""
    if rules == "bray" and first == "8/5":
        return  # there it is held aloud
    hand = Hand(rules=rules)
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play=first)
    assert "enter_play" in table_view(as_told(hand.table.state, hand.table.rules), hand.table.rules)["can"]
    logged = hand.do(c.EnterPlay, play="13/10 6/5")
    assert told_types(logged, hand.table.state, director=False) == ["undone", "played"]
    logged = hand.do(c.EnterMoves, moves=((13, 10), (24, 23)))
    assert isinstance(logged[-1], e.Played) and logged[-1].play == "24/23 13/10"
    state = hand.table.state
    assert (state.phase, state.on_roll, state.turns, state.position) == (Phase.TO_ROLL, FAR, 1, logged[-1].position)
    (game,) = record_of(hand.table.log).games
    assert len(game.actions) == 1
    hand.roll(5, 2)
    hand.do(c.Undo)
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.do(c.SetCube, value=2, owner=FAR)
    assert hand.refused(c.EnterPlay, play="24/23 13/10") == "gone_on"


def test_nor_do_they_learn_it_of_a_play_that_has_stood_when_the_others_roll_is_taken_back() -> None:
    hand = Hand(rules="wbgf-responsible")
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5")
    hand.roll(5, 2)
    hand.do(c.Undo)
    logged = hand.do(c.EnterPlay, play="24/23 13/10")
    assert [type(one) for one in logged] == [e.Undone, e.Played]


def test_a_play_typed_instead_is_taken_as_the_first_would_have_been() -> None:
    hand = Hand(rules="wbgf-responsible")
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5 6/5")
    logged = hand.do(c.EnterPlay, play="8/5")
    assert isinstance(logged[-1], e.IllegalPlay) and not logged[-1].announced
    assert hand.do(c.EnterPlay, play="24/23 13/10")[-1] == hand.table.log[-1].event, "and that again may be put right"
    aloud = Hand()
    aloud.roll(3, 1)
    aloud.do(c.EnterPlay, play="8/5 6/5")
    assert aloud.refused(c.EnterPlay, play="8/5") == "illegal_play"
    assert isinstance(aloud.do(c.EnterPlay, play="8/5", hold=True)[-1], e.IllegalPlay)
    assert aloud.table.state.phase is Phase.HELD


def test_once_the_cube_was_turned_it_is_offered_no_more() -> None:
    hand = Hand()
    hand.open()
    assert "enter_play" in hand.can()
    hand.do(c.Double)
    hand.do(c.Take)
    assert "enter_play" not in hand.can()
    assert hand.refused(c.EnterPlay, play="24/20") == "gone_on"
    hand.do(c.Undo, to_seq=hand.table.state.seq - 2)
    assert "enter_play" in hand.can()
    hand.do(c.EnterPlay, play="24/20")


def test_a_play_that_was_ruled_on_is_not_typed_over() -> None:
    hand = Hand()
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="24/20")
    hand.do(c.Rule, stands=False, play="8/5 6/5", role=e.Role.DIRECTOR)
    assert hand.refused(c.EnterPlay, play="24/20") == "play_ruled"
    before = Hand()
    assert before.refused(c.EnterPlay, play="24/20") == "no_roll_yet"


def test_nor_is_one_of_which_the_director_ruled_afterwards_that_it_stands() -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Rule, stands=True, role=e.Role.DIRECTOR, note="shown to me")
    assert hand.refused(c.EnterPlay, play="24/20") == "play_ruled"
    assert hand.table.state.rulings[-1].role is e.Role.DIRECTOR


def test_what_the_camera_misread_is_typed_and_the_board_agrees_with_it() -> None:
    table = begun(rules=preset("wbgf-responsible"))
    table.see(AFTER_62, *throw(FAR, 3, 1))
    wrong, right = moved(AFTER_62, (17, 19), (17, 21), sign=-1), moved(AFTER_62, (17, 20), (19, 20), sign=-1)
    assert table.see(wrong) == ["illegal_play"]
    assert table.say(c.EnterPlay, play="8/5 6/5") == ["undone", "played"]
    assert table.service.state.position == right
    assert table.see(right) == []
    assert table.see(right, *throw(Seat.NEAR, 6, 5)) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_roll_that_is_typed_while_the_last_dice_lie_does_not_make_their_play_illegal(stills: bool) -> None:
    """Whoever types the other's throw before the dice are taken up has told another roll of the player whose play is made."""
    table = begun(stills)
    first = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(first, *throw(FAR, 3, 1))
    assert table.say(c.EnterRoll, dice=(6, 4)) == ["rolled"]
    table.see(first, *throw(FAR, 3, 1), *throw(NEAR, 6, 4))
    assert table.see(first, *throw(NEAR, 6, 4)) == ["doubt"]
    assert not [one for one in table.service.log if isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood)]
    table.see(first, *throw(NEAR, 6, 4))
    second = plays(first, NEAR, 6, 4)[3]
    assert [*table.see(second, *throw(NEAR, 6, 4)), *table.see(second)] == ["doubt_resolved", "rolled", "played", "rolled", "played"]
    assert (table.service.state.position, table.service.state.on_roll) == (second, FAR)


@pytest.mark.parametrize("first", ["24/20", "8/5"], ids=["a play", "one that is held in silence"])
@pytest.mark.parametrize("mode", [ClockMode.SIMPLE_DELAY, ClockMode.BRONSTEIN, ClockMode.FISCHER])
def test_a_play_entered_as_it_really_was_gives_no_time_back(first: str, mode: ClockMode) -> None:
    """Of both players: whoever enters another play charges nobody, and the other's turn begins with it."""
    at = Timed(replace(preset("wbgf-responsible"), clock=replace(RULES.clock, mode=mode)))
    at.begin()
    at.do(c.EnterPlay, after=112, play=first)
    charged = at.shown
    assert charged[0][0] < 513 and charged[1] == "far"
    for play in ("13/10 6/5", first, "8/5 6/5"):
        at.do(c.EnterPlay, after=30, play=play)
        assert at.shown == charged
    at.do(c.EnterRoll, after=20, dice=(6, 2))
    at.do(c.EnterPlay, play="24/18 13/11")
    assert at.shown == ([charged[0][0], {ClockMode.FISCHER: charged[0][1] - 8}.get(mode, 592.0)], "near")


@pytest.mark.parametrize("again", [False, True], ids=["stand", "run again"])
def test_a_play_can_be_entered_as_it_really_was_when_the_clocks_were_stopped_to_talk_it_over(again: bool) -> None:
    at = Timed()
    at.begin()
    at.do(c.EnterPlay, after=112, play="24/20")
    at.do(c.StopClock, after=20)
    if again:
        at.do(c.StartClock, after=60)
    at.do(c.EnterPlay, after=20, play="8/5 6/5")
    assert at.shown == ([500.0, 600.0], "far" if again else None)
    if not again:
        at.do(c.StartClock, after=60)
    at.now += 20
    assert at.shown == ([500.0, 592.0], "far")


def test_nor_does_it_stop_clocks_that_stood_before_that_turn() -> None:
    at = Timed()
    at.begin()
    at.do(c.StopClock)
    at.do(c.EnterPlay, play="24/20")
    at.do(c.StartClock)
    refused = at.table.command(c.EnterPlay(seen_seq=at.table.state.seq, play="8/5 6/5"))
    assert isinstance(refused, c.Refused) and refused.reason.code == "gone_on"


@pytest.mark.parametrize("rules", ["bray", "wbgf-responsible"])
@pytest.mark.parametrize("played", ["8/5 6/5", "8/5"], ids=["legal", "held in silence"])
@pytest.mark.parametrize(
    ("acts", "offered"),
    [
        ([(c.SetNames, {"names": ("Ann", "Bob")})], False),
        ([(c.Resign, {"seat": FAR}), (c.RefuseResignation, {})], False),
        ([(c.Rule, {"stands": True, "role": e.Role.DIRECTOR})], False),
        ([(c.SetScore, {"score": (1, 1)})], False),
        ([(c.Pause, {}), (c.Resume, {})], True),
        ([(c.SetNames, {"names": ("Ann", "Bob")}), (c.Undo, {})], True),
    ],
    ids=["names", "resignation", "ruling", "score", "pause", "taken back"],
)  # fmt: skip
def test_another_play_is_offered_only_where_it_would_be_taken(
    rules: str, played: str, acts: list[tuple[type[c.Command], dict[str, object]]], offered: bool
) -> None:
    """Also in silence, where the page must say the same of an illegal play as of a legal one."""
    if rules == "bray" and played == "8/5":
        return  # there it is held aloud
    hand = Hand(rules=rules)
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play=played)
    for kind, values in acts:
        hand.do(kind, **values)
    shown = table_view(as_told(hand.table.state, hand.table.rules), hand.table.rules)
    assert ("enter_play" in shown["can"]) is offered
    assert isinstance(hand.say(c.EnterPlay, play="13/10 6/5"), c.Accepted) is offered
