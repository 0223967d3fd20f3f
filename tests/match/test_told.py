"""What players are told of a match in which the referee keeps silent: never a mark, whatever the log says, and nothing else changed."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import fold
from referee.match.log import effective
from referee.match.shown.views import event_line, table_view
from referee.match.shown.wording import log_line
from referee.match.state import Phase
from referee.match.told import as_told, told_log
from referee.records.export import record_of
from referee.rules.presets import preset
from referee.rules.reason import because
from referee.rules.ruleset import ClockMode, ClockRules, TurnEnd
from tests.match.hand import Hand
from tests.match.seen_table import AFTER_62, begun, throw
from tests.match.test_folding import LOGS
from tests.match.test_judge import moved

SILENT = preset("wbgf-responsible")
EMPTY = Position((0,) * 24, (0, 0), (15, 15))
HELD = e.IllegalPlay(Seat.NEAR, (6, 2), EMPTY, because("number_not_played", "S2-12", number=2), announced=False)


def silently(log: tuple[e.Logged, ...]) -> tuple[e.Logged, ...]:
    """The same log under a set that announces no illegal play."""
    plays = (e.IllegalPlay, e.IllegalPlayStood)
    return tuple(replace(one, event=replace(one.event, announced=False)) if isinstance(one.event, plays) else one for one in log)


def _no_name_is_a_mark(log: tuple[e.Logged, ...]) -> bool:
    """Whether nobody in the log is called what this test looks for."""
    return "illegal_play" not in repr(log) and "number_not_played" not in repr(log)


@given(LOGS.filter(_no_name_is_a_mark).map(silently), st.integers(0, 20))
@settings(max_examples=60, deadline=None)
@example((e.Logged(1, HELD),), 0)
def test_whatever_was_logged_no_mark_is_left(log: tuple[e.Logged, ...], held_at: int) -> None:
    log = silently((*log[:held_at], e.Logged(0, HELD), *log[held_at:]))
    log = tuple(replace(one, seq=seq) for seq, one in enumerate(log, start=1))
    for upto in (held_at + 1, len(log)):
        part = log[:upto]
        state = fold(part)
        told = as_told(state, SILENT)
        assert told.seq == state.seq
        assert told.held is None
        view = table_view(told, SILENT)
        assert view["held"] is None
        assert view["phase"] != "held"
        assert all(ruling["type"] not in ("illegal_play", "illegal_play_stood") for ruling in view["rulings"])
        assert view["last_turn"] is None or view["last_turn"]["legal"] is not False
        lines = json.dumps([event_line(one) for one in told_log(part, state)])
        assert "illegal_play" not in lines
        assert "number_not_played" not in lines
        record_of(told_log(part, state))


def test_under_a_set_that_announces_players_are_told_everything() -> None:
    hand = Hand(5, "bray")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    state = hand.table.state
    assert as_told(state, hand.table.rules) is state
    assert told_log(hand.table.log, state) == hand.table.log


def test_to_the_players_a_play_held_in_silence_has_been_played() -> None:
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    told = as_told(hand.table.state, hand.table.rules)
    assert (told.phase, told.on_roll, told.dice) == (Phase.TO_ROLL, Seat.FAR, None)
    assert told.position != START
    played = told_log(hand.table.log, hand.table.state)[-1].event
    assert isinstance(played, e.Played)
    assert (played.play, played.position) == ("24/18", told.position)


def test_a_roll_that_was_not_played_reads_to_the_players_like_one_that_could_not_be() -> None:
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="")
    for _ in ("held", "stood"):
        told = told_log(hand.table.log, hand.table.state)
        assert "Anna cannot move" in [log_line(one, hand.table.state) for one in told]
        hand.roll(6, 5)
    assert "Anna cannot move" not in [log_line(one, hand.table.state) for one in hand.table.log], "who may know reads what it was"


def test_to_set_the_board_right_gives_nobody_his_turn_back() -> None:
    """Before and after, the players see the other to roll: that the play was held is not betrayed."""
    for kind, values in ((c.SetPosition, {"position": START}), (c.SetupError, {})):
        hand = Hand(5, "wbgf-responsible")
        hand.roll(6, 2)
        hand.do(c.EnterPlay, play="24/18", hold=True)
        before = as_told(hand.table.state, hand.table.rules)
        logged = hand.do(kind, **values)
        after = as_told(hand.table.state, hand.table.rules)
        assert (after.phase, after.on_roll, after.turns) == (before.phase, before.on_roll, before.turns) == (Phase.TO_ROLL, Seat.FAR, 1)
        assert after.position == (START if kind is c.SetPosition else before.position)
        assert isinstance(logged[0], e.IllegalPlayStood)
        assert sum(isinstance(one.event, e.Played) for one in told_log(hand.table.log, hand.table.state)) == 1
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    hand.do(c.SetPosition, position=START, role=e.Role.DIRECTOR)
    assert hand.table.state.phase is Phase.ROLLED, "the director knows, and has it played again"


def gone_on() -> Hand:
    """Near's play, held in silence, stood when far rolled."""
    hand = Hand(5, "wbgf-responsible")
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    hand.roll(5, 3)
    return hand


def test_players_take_a_play_that_stood_in_silence_back_like_any_other() -> None:
    hand = gone_on()
    line = next(one for one in told_log(hand.table.log, hand.table.state) if isinstance(one.event, e.Played))
    hand.do(c.Undo, to_seq=line.seq - 1)
    told = as_told(hand.table.state, hand.table.rules)
    assert (told.phase, told.on_roll, told.dice, told.position) == (Phase.ROLLED, Seat.NEAR, (6, 2), START)
    assert not any(isinstance(one.event, e.Played) for one in effective(told_log(hand.table.log, hand.table.state)))


def test_to_the_director_it_is_held_again_as_the_log_has_it() -> None:
    hand = gone_on()
    stood = next(one for one in hand.table.log if isinstance(one.event, e.IllegalPlayStood))
    hand.do(c.Undo, to_seq=stood.seq - 1, role=e.Role.DIRECTOR)
    assert hand.table.state.phase is Phase.HELD


def test_step_by_step_the_roll_goes_first_and_the_play_next() -> None:
    hand = gone_on()
    hand.do(c.Undo)
    told = as_told(hand.table.state, hand.table.rules)
    assert (told.phase, told.on_roll, told.last_turn is not None) == (Phase.TO_ROLL, Seat.FAR, True)
    hand.do(c.Undo)
    assert (hand.table.state.phase, hand.table.state.dice) == (Phase.ROLLED, (6, 2))
    hand.do(c.EnterPlay, play="24/16")
    assert hand.table.state.on_roll is Seat.FAR


def test_step_by_step_also_where_the_camera_saw_it() -> None:
    table = begun(rules=replace(preset("bray"), referee_speaks=SILENT.referee_speaks))
    table.see(AFTER_62, *throw(Seat.FAR, 3, 1))
    wrong = moved(AFTER_62, (17, 19), (17, 21), sign=-1)
    assert table.see(wrong) == ["illegal_play"]
    assert table.see(wrong, *throw(Seat.NEAR, 6, 5)) == ["illegal_play_stood", "rolled"]
    assert table.say(c.Undo) and table.service.state.phase is Phase.TO_ROLL
    assert table.say(c.Undo)
    assert (table.service.state.on_roll, table.service.state.held) == (Seat.FAR, None)


def test_an_offer_to_resign_is_over_with_the_play_whether_it_is_held_in_silence_or_not() -> None:
    """Who plays on has taken it back; an answer that comes late neither ends his game nor tells that his play is illegal."""
    for play in ("8/5 6/5", "8/5"):
        for answer in (c.AcceptResignation, c.RefuseResignation):
            hand = Hand(rules="wbgf-responsible")
            hand.roll(3, 1)
            hand.do(c.Resign, seat=Seat.NEAR)
            seen = hand.table.state.seq
            hand.do(c.EnterPlay, play=play)
            late = hand.table.command(answer(seen_seq=seen))
            assert isinstance(late, c.Refused)
            assert late.reason.code == "no_resignation"
            assert (as_told(hand.table.state, SILENT).phase, hand.table.state.score) == (Phase.TO_ROLL, (0, 0))


def test_a_throw_before_its_turn_is_the_roll_after_a_play_held_in_silence_as_after_any_other() -> None:
    """Else the page would have him roll or double who has thrown, and tell that the play is illegal."""
    for play in ("8/5 6/5", "8/5"):
        hand = Hand(rules="wbgf-responsible")
        hand.roll(3, 1)
        hand.table.note(e.EarlyRoll(Seat.FAR, (4, 2)), source="tower")
        hand.do(c.EnterPlay, play=play)
        state = as_told(hand.table.state, SILENT)
        assert (state.phase, state.on_roll, state.dice, state.early) == (Phase.ROLLED, Seat.FAR, (4, 2), None)
        assert state.last_turn is not None and state.last_turn.play == play


def test_what_comes_after_a_play_held_in_silence_moves_no_number_of_it_and_accuses_nobody() -> None:
    """A question of the camera since: to a legal play it is nothing, and a press of the clock after it is nobody's."""
    clock = ClockRules(ClockMode.SIMPLE_DELAY)
    for play in ("8/5 6/5", "8/5"):
        hand = Hand(rules=replace(SILENT, name="pressed", clock=clock, turn_end=TurnEnd.CLOCK))
        hand.roll(3, 1)
        hand.do(c.EnterPlay, play=play)
        ended = hand.table.state.seq
        hand.table.note(e.Doubt("cube", because("cube_astray")), source="camera")
        turn = as_told(hand.table.state, hand.table.rules).last_turn
        assert turn is not None and turn.seq == ended
        assert hand.refused(c.PressClock, seat=Seat.FAR) == "turn_has_ended"
