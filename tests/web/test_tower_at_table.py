"""A dice tower at the running table: its throws are rolls, its buttons are the players', and it may vanish at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serial import SerialException

from hardware.link import LinkState, why_not
from hardware.protocol import Button, Press, Rest, Show, Stamp
from hardware.session import Heard as FromBox
from hardware.simulator import Identity, Simulator
from referee.board import Seat
from referee.match.commands import AnswerDoubt, EnterPlay, EnterRoll, PressClock, SetNames, StartGame, StartMatch, Undo
from referee.match.events import Ruled
from referee.match.journal import Heard
from referee.match.state import Phase
from referee.match.witness import Witnesses
from referee.observations import Reading, SeenCube, SeenPosition
from referee.records.store import Store
from tests.waiting import until
from tests.web.conftest import Served
from web.cli._service import make_house
from web.desk import Desk
from web.language import as_sentence, words
from web.towerline import TowerLine, command_of


def acknowledged(simulator: Simulator) -> bool:
    """Whether the referee takes all that the box has said."""
    return until(lambda: simulator.waiting == 0)


def opening(store: Store) -> Desk:
    """The first game is begun, and nobody has thrown yet."""
    desk = make_house(store).desk
    desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5))
    desk.command(StartGame(seen_seq=desk.state.seq))
    return desk


def opened(store: Store) -> Desk:
    """Near opened 3-1 and played; far is to roll."""
    desk = opening(store)
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(3, 1)))
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="8/5 6/5"))
    return desk


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[tuple[Desk, Simulator, TowerLine]]:
    """Near opened 3-1 and played; far is to roll. No camera."""
    simulator = Simulator(Identity("oak", Rest.FIELD, reads=True), tty=False, repeat_every=0.05).start()
    with Store(str(tmp_path / "t.db")) as store:
        desk = opened(store)
        desk.set_witnesses(Witnesses.ANY, camera_on=False)
        line = TowerLine(desk, f"socket://127.0.0.1:{simulator.port}").start()
        assert until(lambda: line.link.health.state is LinkState.CONNECTED)
        line.tick()
        yield desk, simulator, line
        line.stop()
        simulator.close()


def test_the_table_looks_for_the_tower_that_it_had_before_it_was_started_again(
    at_table: tuple[Desk, Simulator, TowerLine], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, simulator, line = at_table
    simulator.command("throw far")
    assert acknowledged(simulator)
    line.stop()
    sought: list[str] = []
    monkeypatch.setattr("hardware.link.find_tower", lambda known, **_: sought.append(known) or "no-such-port")
    again = TowerLine(desk, "auto").start()
    try:
        assert until(lambda: sought[:1] == ["oak"])
    finally:
        again.stop()


def test_what_the_tower_read_is_the_roll(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, line = at_table
    simulator.command("roll far 6 2")
    assert until(lambda: desk.state.phase is Phase.ROLLED and simulator.waiting == 0)
    assert desk.state.dice == (6, 2)
    assert desk.log[-1].source == "tower"
    kept = desk.store.heard(desk.match)
    assert [(h.device, h.sequence, h.text.split()[0]) for h in kept] == [("oak", 1, "ROLL")]
    assert line.status()["events"] == 1


def test_a_cocked_die_is_thrown_again_and_the_lamp_says_so(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    simulator.command("roll far 6c 2")
    assert until(lambda: simulator.box.lamp is Show.REROLL)
    assert desk.state.phase is Phase.TO_ROLL


def test_buttons_double_and_take_for_the_player_whose_moment_it_is(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    simulator.command("button take")  # nothing is offered: kept, and of no effect
    simulator.command("button double")
    assert until(lambda: desk.state.phase is Phase.DOUBLED)
    simulator.command("button take")
    assert until(lambda: desk.state.cube.value == 2 and simulator.waiting == 0)
    assert len(desk.store.heard(desk.match)) == 3


def test_a_clock_button_ends_the_turn_where_the_rule_set_says_so(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    simulator.command("button far")  # under this rule set lifting the dice ends a turn, not the clock
    simulator.command("button director")
    assert acknowledged(simulator)
    assert desk.state.phase is Phase.TO_ROLL
    assert [h.text.split()[-1] for h in desk.store.heard(desk.match)] == ["far", "director"]
    assert until(lambda: isinstance(desk.log[-1].event, Ruled))  # the page says that the director is called; nothing else changes
    command = command_of(Button.FAR, desk.state)
    assert isinstance(command, PressClock)
    assert command.seat is Seat.FAR


def test_a_button_pressed_long_ago_does_nothing_and_a_late_one_counts_from_when_it_was_pressed(
    at_table: tuple[Desk, Simulator, TowerLine]
) -> None:
    desk, _, line = at_table
    now = time.monotonic()
    for number, (ago, doubled) in enumerate(((65.0, False), (2.0, True)), 1):
        press = Press(Stamp(3, number, min(65535, round(1000 * ago))), Button.DOUBLE)
        assert line._store(FromBox("oak", press, now - ago))
        assert (desk.state.phase is Phase.DOUBLED) == doubled
    assert abs(desk.log[-1].at - (now - 2.0)) < 0.01 or desk.log[-1].at == desk.log[-2].at
    assert len(desk.store.heard(desk.match)) == 2


def test_a_button_that_is_heard_late_speaks_for_nobody_who_was_not_on_when_it_was_pressed(
    at_table: tuple[Desk, Simulator, TowerLine]
) -> None:
    """The line was gone for a second or two: far's press is not near's double, and no take of a cube that was not offered yet."""
    desk, _, line = at_table
    pressed = time.monotonic()
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    desk.command(EnterPlay(seen_seq=desk.state.seq, play="24/18 13/11"))
    assert line._store(FromBox("oak", Press(Stamp(3, 1, 2000), Button.DOUBLE), pressed))
    assert (desk.state.phase, desk.state.on_roll) == (Phase.TO_ROLL, Seat.NEAR)
    assert line._store(FromBox("oak", Press(Stamp(3, 2, 0), Button.DOUBLE), time.monotonic()))
    assert desk.state.cube.offered_by is Seat.NEAR
    assert line._store(FromBox("oak", Press(Stamp(3, 3, 2000), Button.TAKE), pressed))
    assert desk.state.cube.offered_by is Seat.NEAR
    assert line._store(FromBox("oak", Press(Stamp(3, 4, 0), Button.TAKE), time.monotonic()))
    assert desk.state.cube.owner is Seat.FAR


def test_a_throw_felt_but_not_seen_by_the_camera_is_asked(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, _ = at_table
    desk.set_witnesses(Witnesses.ANY, camera_on=True)
    simulator.command("throw far")

    seen = SeenPosition(desk.state.position.points, desk.state.position.bar, desk.state.position.off)

    def asked() -> bool:
        desk.observe(Reading((), seen, SeenCube(1, None), captured_at=time.monotonic()))
        desk.tick()
        return desk.state.doubt is not None

    assert until(asked)
    assert desk.state.doubt is not None
    assert desk.state.doubt.doubt.reason.code == "throw_not_seen"
    desk.command(AnswerDoubt(seen_seq=desk.state.seq, doubt_seq=desk.state.doubt.seq, answer=0))
    assert desk.state.doubt is None
    assert desk.state.phase is Phase.TO_ROLL


@pytest.mark.logs
def test_an_event_that_cannot_be_judged_is_kept_and_the_next_one_counts(
    at_table: tuple[Desk, Simulator, TowerLine], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, simulator, line = at_table
    said: list[str] = []
    line._say = said.append
    with monkeypatch.context() as broken:
        broken.setattr("referee.match.table.tower_says", lambda *_: {}["odd"])
        simulator.command("roll far 5 4")
        assert acknowledged(simulator)
    assert said == [
        "what the dice tower oak said last could not be judged (KeyError('odd')): "
        "see on the table page whether it counts, and enter it by hand if not"
    ]
    simulator.command("roll far 6 2")
    assert until(lambda: desk.state.dice == (6, 2))
    assert [one.sequence for one in desk.store.heard(desk.match)] == [1, 2]
    assert line.link.health.state is LinkState.CONNECTED


def test_a_tower_that_vanishes_is_noted_and_play_goes_on_by_hand(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    desk, simulator, line = at_table
    simulator.command("unplug 3")
    assert until(lambda: line.link.health.state is LinkState.LOST)
    line.tick()
    assert desk.state.lost == ("tower",)
    desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(6, 2)))
    assert desk.state.dice == (6, 2)
    assert until(lambda: line.link.health.state is LinkState.CONNECTED)
    line.tick()
    assert desk.state.lost == ()


def test_a_tower_that_is_not_there_is_said_on_the_console_and_on_the_table_page(
    serve: Callable[..., Served], page: Page, database: str
) -> None:
    server = serve("serve", "--port", "0", "--db", database, "--tower", "/dev/no-such-tower")
    page.goto(server.url)
    expect(page.locator("#tower")).to_contain_text("There is no /dev/no-such-tower: check the cable and the name")
    assert server.process.stderr is not None
    assert "there is no /dev/no-such-tower: check the cable" in server.process.stderr.readline()


@pytest.fixture
def shown(serve: Callable[..., Served], page: Page, database: str) -> Iterator[Simulator]:
    """The tower of a table that is served, and whose page says that it is there."""
    simulator = Simulator(Identity("oak", Rest.FIELD, reads=True), tty=False).start()
    try:
        server = serve("serve", "--port", "0", "--db", database, "--tower", f"socket://127.0.0.1:{simulator.port}")
        page.goto(server.url)
        expect(page.locator("#tower")).to_have_text("Tower oak")
        yield simulator
    finally:
        simulator.close()


def test_the_table_page_has_the_towers_counters(shown: Simulator, page: Page) -> None:
    page.click("#tower")
    events = page.locator("#tower-facts dd").first
    expect(events).to_have_text("0")
    shown.command("roll near 6 2")
    expect(events).to_have_text("1")  # while it is looked at
    expect(page.locator("#tower-facts")).to_contain_text("Damaged lines")
    expect(page.locator("#tower-facts")).to_contain_text("reads its dice")
    expect(page.locator("#tower-lost")).to_have_count(0)
    page.click("#dialog-done")
    expect(page.locator("#dialog")).to_be_hidden()


def test_that_reports_of_the_tower_were_lost_is_said_where_its_state_is_shown(
    at_table: tuple[Desk, Simulator, TowerLine], capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, line = at_table
    said: list[str] = []
    line._say = said.append
    assert line.status()["lost"] == 0
    line.link.health.counters.lost = 3
    line.tick()
    line.tick()
    assert line.status()["lost"] == 3
    assert said == ["3 report(s) of the dice tower did not arrive: enter by hand what is missing"]
    line.link.health.counters.before = 2
    line.tick()
    line.tick()
    assert said[1:] == ["2 report(s) were lost before the dice tower was heard: where they are of this match, enter them by hand"]
    assert (line.status()["lost"], line.status()["before"]) == (3, 2)


def test_the_table_page_says_that_reports_were_lost_until_somebody_has_read_it(shown: Simulator, page: Page) -> None:
    shown.command("throw near")
    assert acknowledged(shown)
    shown.box.seq += 2
    shown.command("throw near")
    expect(page.locator("#tower")).to_have_text("Tower oak: 2 reports lost")
    page.click("#tower")
    expect(page.locator("#tower-lost")).to_contain_text("2 reports of the box did not arrive: see whether throws")
    page.click("#dialog-done")
    expect(page.locator("#tower")).to_have_text("Tower oak")
    shown.box.lost, shown.box.started = 3, shown.box.started - 3600
    shown.box._status_at -= 60  # now it says how it is
    expect(page.locator("#tower")).to_have_text("Tower oak: 3 reports lost")
    page.click("#tower")
    expect(page.locator("#tower-before")).to_contain_text("3 reports of the box were lost before the referee heard it")
    page.click("#dialog-done")
    expect(page.locator("#tower")).to_have_text("Tower oak")


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("/dev/ttyUSB0", FileNotFoundError(2, "No such file or directory")),
        ("/dev/ttyUSB0", PermissionError(13, "Permission denied")),
        ("/dev/ttyUSB0", OSError(16, "Device or resource busy")),
        ("/dev/ttyUSB0", OSError(5, "Input/output error")),
        ("/dev/null", OSError(25, "Inappropriate ioctl for device")),
        ("socket://tower:1", SerialException("could not open port")),
        ("nonsense", ValueError("nonsense")),
    ],
)
def test_why_a_tower_is_not_there_is_said_in_german_too(address: str, error: Exception) -> None:
    said = as_sentence(why_not(error, address))
    assert said == words("en").said(said)
    german = words("de").said(said)
    assert german != said
    assert address in german.lower() or address in german
    assert "{" not in german


@pytest.mark.parametrize(("ago", "phase"), [(0.0, Phase.TO_ROLL), (60.0, Phase.ROLLED)])
def test_an_event_stored_before_a_restart_is_not_counted_again(
    at_table: tuple[Desk, Simulator, TowerLine], ago: float, phase: Phase
) -> None:
    """The same words under the same numbers are the same throw, unless it happened a minute later."""
    desk, simulator, line = at_table
    line.stop()

    simulator.command("roll far 6 2")
    desk.hear(Heard("oak", 1, 1, "ROLL 1 1 0 far 6f 2f", time.monotonic() - ago))
    again = TowerLine(desk, f"socket://127.0.0.1:{simulator.port}").start()
    try:
        assert acknowledged(simulator)
    finally:
        again.stop()
    assert desk.state.phase is phase


@pytest.mark.parametrize("first", [("roll far 6 2",), ("button take", "throw near", "roll far 6 2")])
def test_a_box_whose_count_begins_again_loses_no_throw(tmp_path: Path, first: tuple[str, ...]) -> None:
    """Two boxes of one name, or one whose EEPROM was erased: boot 1 comes twice, and what the second says is not taken for the first's."""
    said: list[str] = []
    with Store(str(tmp_path / "t.db")) as store:
        desk = opened(store)
        for commands, again in ((first, False), (("roll far 5 4", "button take"), True)):
            simulator = Simulator(Identity("oak", Rest.FIELD, reads=True), tty=False, repeat_every=0.05).start()
            line = TowerLine(desk, f"socket://127.0.0.1:{simulator.port}", say=said.append).start()
            try:
                for command in commands:
                    simulator.command(command)
                assert acknowledged(simulator)
            finally:
                line.stop()
                simulator.close()
            assert desk.state.dice == ((5, 4) if again else (6, 2))
            assert any("counts its resets anew" in text for text in said) == again
            if not again:
                desk.command(Undo(seen_seq=desk.state.seq))
                assert desk.state.phase is Phase.TO_ROLL
        assert len(store.heard(desk.match)) == len(first) + 2


def test_a_box_that_forgets_its_boots_while_it_is_plugged_in_loses_no_throw(at_table: tuple[Desk, Simulator, TowerLine]) -> None:
    """A worn-out EEPROM: every reset is boot 1 again."""
    desk, simulator, _ = at_table
    for name in ("near", "take"):
        simulator.command(f"button {name}")
    assert acknowledged(simulator)
    simulator._boot = 0
    simulator.command("reset")
    simulator.command("roll far 6 2")
    assert acknowledged(simulator)
    assert desk.state.dice == (6, 2)
    assert len(desk.store.heard(desk.match)) == 3


def test_people_who_act_and_a_camera_that_looks_do_not_wait_for_one_another(tmp_path: Path) -> None:
    """The tower's lamp follows the log: whoever tells of news and whoever commits take their locks in one order."""
    with Store(tmp_path / "m.db") as store:
        desk = make_house(store).desk
        desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5))
        TowerLine(desk, "socket://127.0.0.1:9")

        def act() -> None:
            for i in range(60):
                desk.command(SetNames(seen_seq=desk.state.seq, names=(f"Anna{i}", "Boris")))

        def look() -> None:
            for _ in range(3000):
                desk.changed()

        threads = [threading.Thread(target=job, daemon=True) for job in (act, look, look)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in threads)
