"""What the tower's lamp and buzzer say: a ruling where it may be said aloud, else how the match stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.protocol import Show
from hardware.simulator import Simulator
from referee.board import Seat
from referee.match.commands import EnterPlay, EnterRoll, StartGame, StartMatch, Undo
from referee.match.events import Answer, DeviceLost, Doubt, Logged, Rolled, RollVoid
from referee.match.state import Phase
from referee.rules.reason import because
from referee.rules.ruleset import RefereeSpeaks
from tests.waiting import until
from tests.web import test_tower_at_table
from tests.web.test_tower_at_table import acknowledged
from web.desk import Desk
from web.towerline import TowerLine, lamp_for

at_table = test_tower_at_table.at_table


def test_the_lamp_does_not_betray_what_the_referee_must_not_say(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    """Under responsible moves an illegal play is followed by the same light as any other."""
    desk, simulator, _ = at_table
    desk.command(StartMatch(seen_seq=desk.state.seq, names=("Anna", "Boris"), length=5, rules="wbgf-responsible"))
    desk.command(StartGame(seen_seq=desk.state.seq))
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="24/18 13/11"))
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(5, 2)))
    assert until(lambda: simulator.box.lamp is Show.OFF)
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="13/8", hold=True))
    assert desk.state.phase is Phase.HELD
    assert until(lambda: simulator.box.lamp is Show.READY)


def test_an_illegal_play_is_shown_until_it_is_put_right_whatever_is_logged_beside_it(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="13/7", hold=True))
    assert until(lambda: simulator.box.lamp is Show.ILLEGAL, 5)
    desk.lose(DeviceLost("camera", because("device_lost", device="camera")))
    simulator.command("button near")
    assert acknowledged(simulator)
    assert (desk.state.phase, simulator.box.lamp) == (Phase.HELD, Show.ILLEGAL)
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="24/18 13/11"))
    assert until(lambda: simulator.box.lamp is Show.READY, 5)


def test_the_lamp_shows_how_the_match_stands_whatever_is_logged_beside_it(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    desk.service.note(Doubt("throw", because("throw_not_seen"), (Answer(because("does_not_count")),)))
    assert until(lambda: simulator.box.lamp is Show.DOUBT)
    desk.lose(DeviceLost("camera", because("device_lost", device="camera")))
    simulator.command("button near")
    assert acknowledged(simulator)
    assert simulator.box.lamp is Show.DOUBT, "the question is still open"
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    assert until(lambda: simulator.box.lamp is Show.OFF), "it is answered by what happened"
    desk.command(Undo(seen_seq=desk.state.seq, to_seq=desk.state.seq - 4))
    assert until(lambda: simulator.box.lamp is Show.READY)


@pytest.mark.parametrize("lamp", [Show.DOUBT, Show.ILLEGAL])
def test_a_box_that_was_reset_shows_how_the_match_stands(at_table: tuple[Desk, Simulator, TowerLine], lamp: Show) -> None:
    desk, simulator, line = at_table
    if lamp is Show.DOUBT:
        desk.service.note(Doubt("throw", because("throw_not_seen"), (Answer(because("does_not_count")),)))
    else:
        desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
        desk.command(EnterPlay(seen_seq=desk.state.seq, play="13/7", hold=True))
    assert until(lambda: simulator.box.lamp is lamp)
    simulator.command("reset")
    assert simulator.box.lamp is Show.OFF

    def shown() -> bool:
        line.tick()
        return simulator.box.lamp is lamp

    assert until(shown, 10)


def test_in_another_match_the_lamp_shows_how_that_one_stands_and_sounds_for_nothing_of_before(
    at_table: tuple[Desk, Simulator, TowerLine]
) -> None:
    """It is started, or put back on the table."""
    desk, simulator, _ = at_table
    void = desk.match
    desk.service.note(RollVoid(Seat.FAR, (6, 2), because("cocked")))
    assert until(lambda: simulator.box.lamp is Show.REROLL)
    desk.command(StartMatch(seen_seq=desk.state.seq, names=("Cleo", "Dora"), length=3))
    assert until(lambda: simulator.box.lamp is Show.OFF), "nobody may throw yet"
    held = desk.match
    desk.command(StartGame(seen_seq=desk.state.seq))
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="13/7", hold=True))
    assert until(lambda: simulator.box.lamp is Show.ILLEGAL)
    desk.reopen(void, held)
    assert until(lambda: simulator.box.lamp is not Show.ILLEGAL)
    assert simulator.box.lamp is Show.READY, "the throw was ruled on then"
    desk.reopen(held, void)
    assert until(lambda: simulator.box.lamp is Show.ILLEGAL)


def test_the_buzzer_calls_no_throw_that_the_rule_set_has_logged_only(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, _, _ = at_table
    void = Logged(desk.state.seq + 1, RollVoid(Seat.FAR, (6, 2), because("cocked")))
    assert desk.state.rule_set is not None
    for speaks, shown in ((RefereeSpeaks.ALWAYS, Show.REROLL), (RefereeSpeaks.LOG_ONLY, Show.READY)):
        state = replace(desk.state, rule_set=replace(desk.state.rule_set, referee_speaks=speaks))
        assert lamp_for((void,), state) is shown
        assert lamp_for((void, Logged(void.seq + 1, Rolled(Seat.FAR, (6, 2)))), replace(state, phase=Phase.ROLLED)) is Show.OFF
