"""Which port the tower is at: found among those of this machine, and found again where it comes back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from hardware.link import Link, LinkState, find_tower, open_port
from hardware.protocol import Rest
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
    link = Link("auto", Store(), met="second-box").start()
    try:
        assert until(lambda: met(link) == "second-box", 20), link.health
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
