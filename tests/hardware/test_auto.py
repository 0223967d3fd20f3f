"""Which port the tower is at: found among those of this machine, and found again where it comes back."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from hardware.link import Link, LinkState, find_tower, identify, open_port
from hardware.protocol import Hello, Rest
from hardware.session import NotATower
from hardware.simulator import Identity, Simulator
from tests.hardware.conftest import Store
from tests.waiting import until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="cannot: no pseudo-terminals here")


def usb(device: str) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid = 0x2341
    return port


def test_auto_finds_the_tower_among_the_ports(simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulator.tty is not None
    monkeypatch.setattr(list_ports, "comports", lambda: [ListPortInfo("/dev/no-such-port"), usb(simulator.tty)])
    assert find_tower() == simulator.tty


@pytest.fixture
def two_boxes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Simulator, Simulator, list[ListPortInfo]]]:
    """Two towers on one computer, which finds those of the list."""
    first, second = Simulator(Identity("first-box")).start(), Simulator(Identity("second-box")).start()
    ports = [usb(str(first.tty)), usb(str(second.tty))]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    yield first, second, ports
    first.close()
    second.close()


def met(link: Link) -> str:
    """Whom the link is connected with."""
    hello = link.health.hello
    return hello.device if link.health.state is LinkState.CONNECTED and hello is not None else ""


def test_auto_takes_the_box_that_was_this_tables_and_not_the_next_tables(
    two_boxes: tuple[Simulator, Simulator, list[ListPortInfo]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After both were plugged in again, or the program was started again, whichever of them is found first."""
    _, second, ports = two_boxes
    monkeypatch.setattr("hardware.link.OTHERS_AFTER", 600.0)
    played = 0.0
    link = Link("auto", Store(), lambda: time.monotonic() + played, met="second-box").start()
    try:
        assert until(lambda: met(link) == "second-box", 20), link.health
        played = 3600.0  # it is looked for anew, however long ago it was looked for before
        mine, ports[:] = ports[1], ports[:1]
        second.close()
        assert until(lambda: "second-box was not found on any serial port: plug it in" in link.health.reason, 20), link.health
        second = Simulator(Identity("second-box"), boot=2).start()
        mine.device = str(second.tty)
        ports.append(mine)
        assert until(lambda: met(link) == "second-box", 20), link.health
        assert link.health.opened == 2
    finally:
        link.close()
        second.close()


def test_auto_takes_another_box_where_the_first_stays_away(
    two_boxes: tuple[Simulator, Simulator, list[ListPortInfo]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.link.OTHERS_AFTER", 0.5)
    link = Link("auto", Store(), met="broken-box").start()
    try:
        assert until(lambda: met(link) != "", 20), link.health
    finally:
        link.close()


@pytest.mark.parametrize("usb_is_first", [True, False])
def test_auto_takes_a_usb_port_before_another_and_its_own_box_before_any(
    two_boxes: tuple[Simulator, Simulator, list[ListPortInfo]], usb_is_first: bool
) -> None:
    """What else a computer has as serial ports is seldom the tower; but the box that was the table's is known by its name."""
    first, second, ports = two_boxes
    ports.sort(key=lambda port: port.device)
    plugged, built_in = ports if usb_is_first else ports[::-1]
    ports[:] = [usb(plugged.device), ListPortInfo(built_in.device)]
    assert find_tower() == plugged.device
    for box in (first, second):
        assert find_tower(known=box.identity.device) == box.tty


def test_auto_waits_for_no_port_that_is_silent_once_the_tables_box_has_answered(
    simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = os.openpty()
    try:
        monkeypatch.setattr("hardware.session.NOT_A_TOWER_AFTER", 30.0)
        monkeypatch.setattr(list_ports, "comports", lambda: [usb(os.ttyname(silent[1])), usb(str(simulator.tty))])
        begun = time.monotonic()
        assert find_tower(patience=30.0, known="simulated-box") == simulator.tty
        assert time.monotonic() - begun < 15
    finally:
        for end in silent:
            os.close(end)


def test_auto_gives_a_box_of_the_same_name_a_moment_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = [Simulator(Identity("dice-box")).start() for _ in range(2)]
    monkeypatch.setattr("hardware.link.NAMESAKE", 20.0)
    monkeypatch.setattr(list_ports, "comports", lambda: [usb(str(box.tty)) for box in boxes])
    try:
        boxes[1].command("hang 1.2")
        with pytest.raises(NotATower, match="two dice towers here are called dice-box"):
            find_tower(known="dice-box")
    finally:
        for box in boxes:
            box.close()


@pytest.mark.parametrize("known", ["", "dice-box", "broken-box"])
def test_auto_says_that_two_boxes_of_one_name_cannot_be_told_apart(monkeypatch: pytest.MonkeyPatch, known: str) -> None:
    """As both are built with the name the firmware has unless it is given another: one may be the next table's."""
    boxes = [Simulator(Identity("dice-box")).start() for _ in range(2)]
    ports = [usb(str(box.tty)) for box in boxes]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    monkeypatch.setattr("hardware.link.OTHERS_AFTER", 0.0)
    link = Link("auto", Store(), met=known).start()
    try:
        assert until(lambda: link.health.reason, 20), link.health
        assert "two dice towers here are called dice-box and cannot be told apart: name this table’s port" in link.health.reason
        assert link.health.opened == 0
        del ports[0]
        assert until(lambda: met(link) == "dice-box", 20), link.health
    finally:
        link.close()
        for box in boxes:
            box.close()


def test_auto_says_that_nothing_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: [ListPortInfo("/dev/no-such-port")])
    with pytest.raises(NotATower, match="no tower was found on any serial port: plug it in"):
        find_tower(0.2)


def test_auto_says_why_a_tower_that_is_plugged_in_is_not_found(simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program has it open, or the user may not open it: to plug it in would not help."""
    assert simulator.tty is not None
    monkeypatch.setattr(list_ports, "comports", lambda: [usb(simulator.tty or "")])
    port = open_port(simulator.tty)
    try:
        with pytest.raises(NotATower, match=f"{simulator.tty} is in use by another program: close it"):
            find_tower(0.5)
    finally:
        port.close()


@pytest.mark.parametrize(
    ("identity", "version", "why"),
    [
        (Identity("old-box"), 2, "speaks version 2 of the protocol"),
        (Identity("shut", Rest.INSIDE, reads=False), 1, "nobody could see a throw"),
    ],
    ids=["version", "shut"],
)
def test_auto_says_why_a_tower_that_it_found_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, identity: Identity, version: int, why: str
) -> None:
    monkeypatch.setattr("hardware.box.VERSION", version)  # of the box's firmware
    box = Simulator(identity).start()
    try:
        monkeypatch.setattr(list_ports, "comports", lambda: [usb("/dev/no-such-port"), ListPortInfo(str(box.tty))])
        with pytest.raises(NotATower, match=why):
            find_tower(1.0)
    finally:
        box.close()


def test_a_tower_that_comes_back_under_another_name_is_found_there(
    linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plugged into another socket, or given another number by the system; another box that is plugged in meanwhile is left alone."""
    simulator, link, store = linked
    other, moved = Simulator(Identity("other-box")).start(), Simulator(Identity(), boot=2).start()
    try:
        ports = [usb(str(simulator.tty)), ListPortInfo("/dev/no-such-port")]
        monkeypatch.setattr(list_ports, "comports", lambda: ports)
        simulator.close()
        ports[:] = [usb(str(other.tty)), usb(str(moved.tty)), ListPortInfo("/dev/no-such-port")]
        assert until(lambda: link.health.state is LinkState.LOST)
        assert until(lambda: link.health.state is LinkState.CONNECTED, 20), link.health
        other.command("throw far")
        moved.command("throw near")
        assert until(lambda: moved.waiting == 0)
        assert [(h.device, h.event.stamp.boot) for h in store.rows.values()] == [("simulated-box", 2)]
        assert other.waiting == 1
    finally:
        other.close()
        moved.close()


def test_a_port_that_was_another_boxs_is_looked_at_when_it_comes_again(
    linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hub was pulled out, and the tower has the number that the other box had."""
    simulator, link, store = linked
    other, moved = Simulator(Identity("other-box")).start(), Simulator(Identity(), boot=2).start()
    second, ports = tmp_path / "second", [usb(str(simulator.tty)), usb(str(tmp_path / "second"))]
    seen_gone = threading.Event()

    def comports() -> list[ListPortInfo]:
        if not ports:
            seen_gone.set()
        return ports

    monkeypatch.setattr(list_ports, "comports", comports)
    try:
        second.symlink_to(os.readlink(str(other.tty)))
        simulator.command("unplug 0")  # it is met again, with the other box beside it
        assert until(lambda: link.health.opened == 2)
        simulator.close()
        ports[:] = []
        assert seen_gone.wait(30)
        second.unlink()
        second.symlink_to(os.readlink(str(moved.tty)))
        ports[:] = [usb(str(second))]
        moved.command("throw near")
        assert until(lambda: moved.waiting == 0, 30), link.health
        assert [(h.device, h.event.stamp.boot) for h in store.rows.values()] == [("simulated-box", 2)]
    finally:
        other.close()
        moved.close()


def test_a_tower_that_is_gone_is_looked_for_once_at_what_came_since_and_never_at_what_was_there(
    linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening a port resets many boxes, and the next table's is being played with."""
    simulator, link, _ = linked
    there, came = Simulator(Identity("other-box")).start(), Simulator(Identity("third-box")).start()
    ports, asked, silent = [usb(str(simulator.tty)), usb(str(there.tty))], list[str](), os.openpty()

    def ask(address: str) -> Hello | None:
        asked.append(address)
        return identify(address)

    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    monkeypatch.setattr("hardware.link.identify", ask)
    monkeypatch.setattr("hardware.link.RETRY_AFTER", 0.05)
    monkeypatch.setattr("hardware.session.NOT_A_TOWER_AFTER", 0.3)
    try:
        simulator.command("unplug 0")  # it is met again, with the other box beside it
        assert until(lambda: link.health.opened == 2)
        simulator.close()
        assert until(lambda: link.health.state is LinkState.LOST)
        ports[:] = [usb(device) for device in (str(there.tty), str(came.tty), os.ttyname(silent[1]))]
        assert until(lambda: len(asked) > 1)
        time.sleep(1.5)
        assert sorted(asked) == sorted([str(came.tty), os.ttyname(silent[1])])
    finally:
        for end in silent:
            os.close(end)
        there.close()
        came.close()


@pytest.mark.parametrize("answers", [True, False], ids=["another box", "no tower"])
def test_what_has_taken_the_towers_port_is_not_taken_for_it(
    linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    """Two things that were plugged in again in another order have changed names: the tower is found where it answers now."""
    simulator, link, store = linked
    other, moved = Simulator(Identity("other-box")).start(), Simulator(Identity(), boot=2).start()
    silent = os.openpty()
    monkeypatch.setattr("hardware.session.NOT_A_TOWER_AFTER", 0.5)
    try:
        ports = [usb(str(simulator.tty))]
        monkeypatch.setattr(list_ports, "comports", lambda: ports)
        simulator.close()
        assert until(lambda: link.health.state is LinkState.LOST)
        ports.append(usb(str(moved.tty)))
        Path(str(simulator.tty)).parent.mkdir(exist_ok=True)
        os.symlink(os.readlink(str(other.tty)) if answers else os.ttyname(silent[1]), str(simulator.tty))
        other.command("throw far")
        moved.command("throw near")
        assert until(lambda: moved.waiting == 0, 30), link.health
        assert [(h.device, h.event.stamp.boot) for h in store.rows.values()] == [("simulated-box", 2)]
        assert other.waiting == 1
    finally:
        for end in silent:
            os.close(end)
        shutil.rmtree(Path(str(simulator.tty)).parent, ignore_errors=True)
        other.close()
        moved.close()
