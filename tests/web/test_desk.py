"""The desk that holds the match which is on: what it does with devices and with another match, as far as no page is needed to see it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.link import LinkState
from hardware.simulator import Identity, Simulator
from referee.board import Seat
from referee.match.commands import Accepted, Command, EnterPlay, EnterRoll, Refused, SetNames, StartGame, StartMatch, Undo
from referee.match.events import ClockStopped, DeviceBack, DeviceLost
from referee.match.journal import Heard
from referee.match.state import Phase
from referee.match.table import open_table
from referee.match.witness import Witnesses
from referee.observations import TOWER, DieState, Half, Reading, Rests, SeenCube, SeenDie, SeenPosition, TowerThrow
from referee.records.store import Store
from referee.rules.reason import because
from tests.waiting import until
from tests.web.test_tower_kept import writing
from web.cli._service import make_house
from web.desk import Desk
from web.towerline import TowerLine

GONE = DeviceLost(TOWER, because("tower_lost"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path / "m.db") as store:
        yield make_house(store, stills=True).desk


def match(desk: Desk, *names: str) -> int:
    """Starts a match; its number."""
    near, far = names
    assert isinstance(desk.command(StartMatch(seen_seq=desk.state.seq, names=(near, far), length=3)), Accepted)
    return desk.match


def devices(desk: Desk) -> list[str]:
    return [type(one.event).type for one in desk.log if isinstance(one.event, DeviceLost | DeviceBack)]


def test_a_device_that_is_gone_is_told_once_in_every_match_that_goes_on_without_it(desk: Desk) -> None:
    desk.lose(GONE)
    assert desk.log == (), "no match has begun"
    first = match(desk, "Anna", "Boris")
    assert devices(desk) == ["device_lost"]
    desk.lose(GONE)
    desk.tick()
    assert devices(desk) == ["device_lost"]
    second = match(desk, "Cleo", "Dora")
    assert devices(desk) == ["device_lost"]
    desk.regain(TOWER)
    desk.regain(TOWER)
    assert devices(desk) == ["device_lost", "device_back"]
    match(desk, "Emil", "Fred")
    desk.tick()
    assert devices(desk) == []
    desk.lose(GONE)
    desk.reopen(second, desk.match)
    assert devices(desk) == ["device_lost", "device_back", "device_lost"]
    desk.reopen(first, second)
    assert devices(desk) == ["device_lost"]


def test_what_a_player_had_thought_when_another_match_was_put_on_the_table_is_not_given_back_to_him(tmp_path: Path) -> None:
    now = [100.0]
    with Store(tmp_path / "m.db") as store:
        desk = Desk(store, lambda journal: open_table(journal, clock=lambda: now[0]))
        begun: list[Command] = [
            StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3, rules="usbgf"),
            StartGame(seen_seq=0), EnterRoll(seen_seq=0, dice=(3, 1)),
        ]
        for command in begun:
            assert isinstance(desk.command(replace(command, seen_seq=desk.state.seq)), Accepted)
        now[0] += 120
        desk.tick()
        first, clock = desk.match, desk.state.clock
        assert clock is not None
        thought = clock.reading(now[0]).remaining
        second = match(desk, "Cleo", "Dora")
        now[0] += 60
        desk.reopen(first, second)
        clock = desk.state.clock
        assert clock is not None
        assert (clock.reading(now[0]).remaining, clock.reading(now[0]).running) == (thought, None)


def to_roll(desk: Desk) -> Reading:
    """Near opened 3-1 and played, far is to roll; the board as a camera sees it then, with dice that lie there."""
    commands: list[Command] = [StartGame(seen_seq=0), EnterRoll(seen_seq=0, dice=(3, 1)), EnterPlay(seen_seq=0, play="8/5 6/5")]
    for command in commands:
        assert isinstance(desk.command(replace(command, seen_seq=desk.state.seq)), Accepted)
    position = desk.state.position
    dice = tuple(SeenDie(value, DieState.FLAT, Half.LEFT, (300.0 + 50 * value, 500.0)) for value in (5, 4))
    return Reading(dice, SeenPosition(position.points, position.bar, position.off), SeenCube(1, None))


def test_whose_word_makes_a_throw_is_the_same_in_the_next_match(desk: Desk) -> None:
    desk.set_witnesses(Witnesses.ANY, camera_on=False)
    match(desk, "Anna", "Boris")
    match(desk, "Cleo", "Dora")
    to_roll(desk)
    now = time.monotonic()
    throw = TowerThrow("oak", 1, 1, (6, 2), (DieState.FLAT, DieState.FLAT), Seat.FAR, now, Rests.FIELD)
    desk.throw(throw, Heard("oak", 1, 1, "ROLL 1 1 0 far 6f 2f", now))
    assert (desk.state.phase, desk.state.dice) == (Phase.ROLLED, (6, 2)), "there is no camera to wait for"


@pytest.mark.parametrize("inside", [True, False])
def test_dice_on_the_board_are_none_in_the_next_match_either_while_the_games_are_inside_a_tower(desk: Desk, inside: bool) -> None:
    desk.set_witnesses(Witnesses.ANY, camera_on=True)
    desk.set_inside(inside)
    match(desk, "Anna", "Boris")
    match(desk, "Cleo", "Dora")
    seen = to_roll(desk)
    for second in range(3):
        desk.observe(replace(seen, captured_at=time.monotonic() + second))
    assert desk.state.phase is (Phase.TO_ROLL if inside else Phase.ROLLED)


def test_which_checkers_are_to_be_put_back_is_told_as_the_board_changes_though_nothing_is_logged(desk: Desk) -> None:
    match(desk, "Anna", "Boris")
    seen = replace(to_roll(desk), dice=())
    desk.command(Undo(seen_seq=desk.state.seq))
    told: list[int] = []
    desk.watch(lambda: told.append(desk.state.seq))
    assert desk.observe(seen) == ()
    assert told, "the board still shows the play that was taken back"


def test_that_a_device_went_or_came_is_told_as_soon_as_it_can_be_written(tmp_path: Path) -> None:
    """The disk is full for a while; and a match is continued in which the tower was gone when it was left."""
    simulator = Simulator(Identity("oak"), tty=False).start()
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        first = match(desk, "Anna", "Boris")
        line = TowerLine(desk, f"socket://127.0.0.1:{simulator.port}").start()

        def told(now: LinkState) -> bool:
            """The line's state is ``now``, and the desk was told."""
            reached = line.link.health.state is now
            line.tick()
            desk.tick()
            return reached

        try:
            assert until(lambda: told(LinkState.CONNECTED))
            for command, state in (("unplug 600", LinkState.LOST), ("unplug 0", LinkState.CONNECTED)):
                before = devices(desk)
                writing(store, False)
                simulator.command(command)
                assert until(lambda state=state: told(state))
                assert devices(desk) == before
                writing(store, True)
                told(state)
                assert devices(desk) == [*before, "device_lost" if state is LinkState.LOST else "device_back"]
            simulator.command("unplug 600")
            assert until(lambda: told(LinkState.LOST))
            second = match(desk, "Cleo", "Dora")
            simulator.command("unplug 0")
            assert until(lambda: told(LinkState.CONNECTED))
            desk.reopen(first, second)
            told(LinkState.CONNECTED)
            assert desk.state.lost == ()
        finally:
            line.stop()
            simulator.close()


def test_a_match_that_cannot_be_started_leaves_the_one_on_the_table_and_no_other(desk: Desk) -> None:
    first = match(desk, "Anna", "Boris")
    refused = desk.command(StartMatch(seen_seq=desk.state.seq, names=("Cleo", "Dora"), length=3, rules="no such rules"))
    assert isinstance(refused, Refused) and refused.reason.code == "no_rule_set"
    file = desk.store.path
    file.rename(file.with_suffix(".away"))
    refused = desk.command(StartMatch(seen_seq=desk.state.seq, names=("Cleo", "Dora"), length=3))
    assert isinstance(refused, Refused) and refused.reason.code == "store_failed"
    file.with_suffix(".away").rename(file)
    assert (desk.match, desk.state.names, [one.id for one in desk.store.matches()]) == (first, ("Anna", "Boris"), [first])
    assert isinstance(desk.command(SetNames(seen_seq=desk.state.seq, names=("Anna", "Bert"))), Accepted)


def test_a_match_that_cannot_be_continued_leaves_the_one_on_the_table(desk: Desk) -> None:
    first = match(desk, "Anna", "Boris")
    second = match(desk, "Cleo", "Dora")
    writing(desk.store, False)
    refused = desk.reopen(first, second)
    assert isinstance(refused, Refused) and refused.reason.code == "store_failed"
    writing(desk.store, True)
    assert (desk.match, desk.state.names) == (second, ("Cleo", "Dora"))


@pytest.mark.parametrize("played", [False, True])
def test_a_match_that_is_filled_in_while_the_program_is_started_again_begins(tmp_path: Path, played: bool) -> None:
    """That the clocks of the match before were stopped meanwhile is no news to who leaves it; that it went on is."""
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=7, rules="usbgf"))
        desk.command(StartGame(seen_seq=1))
        desk.command(EnterRoll(seen_seq=2, dice=(3, 1)))
        seen = desk.state.seq
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        assert isinstance(desk.log[-1].event, ClockStopped)
        another = StartMatch(seen_seq=seen, names=("Cleo", "Dan"), length=5)
        if played:
            desk.command(EnterPlay(seen_seq=desk.state.seq, play="8/5 6/5"))
            assert desk.command(another) == Refused(because("stale", by="played", seq=seen + 2, same=False))
        else:
            assert isinstance(desk.command(another), Accepted)
