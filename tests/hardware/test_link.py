"""The link on a real pseudo-terminal and a real TCP socket, against a box that misbehaves."""

from __future__ import annotations

import errno
import os
import re
import socket
import threading
import time

import pytest
import serial

from hardware.link import Link, LinkState, identify, open_port, why_not
from hardware.protocol import Die, Lie, Rest, Roll, Show, Side, Status, encode
from hardware.simulator import BadCommand, Identity, Simulator
from tests.hardware.conftest import Store
from tests.waiting import until
from web.language import as_sentence, words

pytestmark = pytest.mark.skipif(os.name != "posix", reason="cannot: no pseudo-terminals here")


def test_a_throw_arrives_and_the_lamp_answers(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, store = linked
    simulator.command("roll near 6 2")
    assert until(lambda: len(store.rows) == 1 and simulator.waiting == 0)
    (heard,) = store.rows.values()
    assert isinstance(heard.event, Roll)
    assert [d.value for d in heard.event.dice] == [6, 2]
    link.show(Show.REROLL)
    assert until(lambda: simulator.box.lamp is Show.REROLL)


def test_the_lamp_goes_out_with_the_referee(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, _ = linked
    link.show(Show.READY)
    assert until(lambda: simulator.box.lamp is Show.READY)
    link.close()
    assert until(lambda: simulator.box.lamp is Show.OFF, 10)


def test_a_bad_line_loses_nothing_and_doubles_nothing(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, _, store = linked
    simulator.command("spoil 0.1")
    simulator.command("drop 0.05")
    simulator.command("double 0.05")
    for i in range(120):
        assert until(lambda: simulator.waiting < 8)
        simulator.command(f"roll {'near' if i % 2 else 'far'} {i % 6 + 1} {i // 6 % 6 + 1}")
    assert until(lambda: simulator.waiting == 0, 20)
    rolls = [h.event for h in store.rows.values() if not isinstance(h.event, Status)]
    assert [[d.value for d in r.dice] for r in rolls if isinstance(r, Roll)] == [[i % 6 + 1, i // 6 % 6 + 1] for i in range(120)]


def test_unplugging_is_said_and_the_link_comes_back_by_itself(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, store = linked
    simulator.command("unplug 0.6")
    assert until(lambda: link.health.state is LinkState.LOST)
    assert link.health.reason
    assert until(lambda: link.health.state is LinkState.CONNECTED)
    simulator.command("throw far")
    assert until(lambda: len(store.rows) == 1)


def test_a_reset_in_mid_line_is_survived(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, store = linked
    simulator.command("throw near")
    simulator.command("reset")
    simulator.command("throw far")
    assert until(lambda: link.health.counters.resets == 1 and simulator.waiting == 0)
    assert {key[1] for key in store.rows} >= {2}


def test_what_cannot_be_stored_is_not_acknowledged(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, store = linked
    store.full = True
    simulator.command("throw near")
    assert until(lambda: store.calls >= 3)
    assert simulator.waiting == 1
    store.full = False
    assert until(lambda: simulator.waiting == 0)
    assert (len(store.rows), link.health.counters.events) == (1, 1), "however often it was tried"


def test_that_a_box_tells_what_nobody_understands_is_said_for_all_else_waits_behind_it(
    linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A firmware of one's own that says a die of no value lies flat."""
    monkeypatch.setattr("hardware.session.DEAF_AFTER", 0.2)
    simulator, link, store = linked
    simulator.box.roll(Side.NEAR, (Die(None, Lie.FLAT),), time.monotonic())
    simulator.command("throw near")
    assert until(lambda: link.health.state is LinkState.LOST)
    assert "what is not understood (ROLL): switch it off and on" in link.health.reason
    assert "was nicht verstanden wird (ROLL)" in words("de").said(as_sentence(link.health.reason))
    simulator.command("reset")
    simulator.command("throw near")
    assert until(lambda: simulator.waiting == 0)
    assert (link.health.state, len(store.rows)) == (LinkState.CONNECTED, 1)


@pytest.mark.logs
@pytest.mark.parametrize("fault", [RuntimeError("odd"), KeyError("odd"), TypeError("odd"), OSError("odd")])
def test_a_fault_in_storing_ends_neither_the_link_nor_the_event(linked: tuple[Simulator, Link, Store], fault: Exception) -> None:
    simulator, link, store = linked
    store.fault = fault
    simulator.command("throw near")
    assert until(lambda: "cannot be taken in" in link.health.reason)
    assert link.health.state is LinkState.LOST
    assert "check the cable" not in link.health.reason
    assert "kann nicht aufgenommen werden" in words("de").said(as_sentence(link.health.reason))
    assert simulator.waiting == 1
    store.fault = None
    assert until(lambda: simulator.waiting == 0 and link.health.state is LinkState.CONNECTED)
    assert (len(store.rows), link.health.reason) == (1, "")


def test_a_box_that_does_not_hear_is_not_called_connected(linked: tuple[Simulator, Link, Store], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first throw comes in and no other: it waits for the acknowledgement of that one."""
    monkeypatch.setattr("hardware.session.DEAF_AFTER", 1.0)
    monkeypatch.setattr("hardware.session.NOT_A_TOWER_AFTER", 1.0)
    simulator, link, store = linked
    simulator.faults_in.drop = 1.0
    simulator.command("throw near")
    simulator.command("throw far")
    assert until(lambda: link.health.state is LinkState.LOST)
    assert "does not hear the referee: check its cable" in link.health.reason
    until(lambda: link.health.reason.startswith("the device"), 3)
    assert "does not hear the referee" in link.health.reason, "opened anew, it tells of its throw and never of itself"
    simulator.faults_in.drop = 0.0
    assert until(lambda: link.health.state is LinkState.CONNECTED and simulator.waiting == 0)
    assert len(store.rows) == 2


@pytest.mark.parametrize(("how", "more"), [("terminal", 0.0), ("terminal", 60.0), ("tcp", 60.0)])
def test_what_lies_unread_while_the_program_stands_still_happened_when_it_did_and_ends_no_link(
    simulator: Simulator, how: str, more: float
) -> None:
    """It was held, or its disk was slow: what the box said first says that it has happened just now. The computer's clock ran on."""
    going, store, slept = threading.Event(), Store(), 0.0
    going.set()

    def clock() -> float:
        going.wait()
        return time.monotonic() + slept

    link = Link(simulator.tty if how == "terminal" else f"socket://127.0.0.1:{simulator.port}", store, clock).start()
    try:
        assert until(lambda: link.health.state is LinkState.CONNECTED)
        going.clear()
        time.sleep(0.2)
        simulator.command("roll near 6 2")
        thrown = time.monotonic()
        time.sleep(1.5)
        slept = more
        going.set()
        assert until(lambda: simulator.waiting == 0)
        (heard,) = store.rows.values()
        assert heard.at - slept < thrown + 0.5
        assert (link.health.state, link.health.opened, link.health.reason) == (LinkState.CONNECTED, 1, "")
    finally:
        going.set()
        link.close()


def test_over_tcp_the_same(simulator: Simulator) -> None:
    store = Store()
    link = Link(f"socket://127.0.0.1:{simulator.port}", store).start()
    try:
        assert until(lambda: link.health.state is LinkState.CONNECTED)
        simulator.command("button take")
        assert until(lambda: simulator.waiting == 0)
    finally:
        link.close()
    assert len(store.rows) == 1
    assert link.health.state is LinkState.CLOSED


def test_identify_says_what_the_box_is(simulator: Simulator) -> None:
    assert simulator.tty is not None
    hello = identify(simulator.tty)
    assert hello is not None
    assert hello.device == "simulated-box"


def test_a_box_nobody_can_see_into_is_refused() -> None:
    simulator = Simulator(Identity("shut", Rest.INSIDE, reads=False)).start()
    assert simulator.tty is not None
    link = Link(simulator.tty, Store()).start()
    try:
        assert until(lambda: "nobody could see a throw" in link.health.reason)
    finally:
        link.close()
        simulator.close()


def test_a_flood_and_a_line_without_end_do_no_harm() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = Link(f"socket://127.0.0.1:{server.getsockname()[1]}", Store()).start()
        client, _ = server.accept()
        with client:
            client.recv(64)  # the link asks who is there: its port is open, and what comes from now on counts
            client.sendall(b"$" + b"x" * 200_000 + os.urandom(200_000))
            client.sendall(b"$HELLO late 1 3 rest=tray reads=no*")
            client.sendall(b"\n" + encode("HELLO late 1 3 rest=tray reads=no"))
            assert until(lambda: link.health.hello is not None)
        assert until(lambda: link.health.state is LinkState.LOST)
        link.close()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/dev/no-such-tower", "there is no /dev/no-such-tower"),
        ("nonsense://x", "not a serial address"),
        ("socket://127.0.0.1:9", "nothing answers at socket://127.0.0.1:9"),
        ("socket://x", "not a serial address"),
        ("hwgrep://(", "not a serial address"),
        ("hwgrep://nope", "there is no hwgrep://nope: check the cable"),
        ("", "not a serial address"),
        ("/dev/null", "/dev/null is no serial port"),
        ("/dev/clock-tower", "there is no /dev/clock-tower"),
        ("/dev/permission-denied", "there is no /dev/permission-denied"),
        ("socket://blocks.invalid:9", "nothing answers at socket://blocks.invalid:9"),
    ],
)
def test_a_wrong_port_is_one_sentence(address: str, says: str) -> None:
    link = Link(address, Store()).start()
    try:
        assert until(lambda: says in link.health.reason), link.health.reason
        assert "Traceback" not in link.health.reason
    finally:
        link.close()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (serial.SerialException("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)"), "no permission to open"),
        (serial.SerialException("could not open port 'COM3': FileNotFoundError(2, 'Das System …', None, 2)"), "there is no COM3"),
        (serial.SerialException(errno.EACCES, "could not open port COM3"), "no permission to open COM3"),
        (serial.SerialException(errno.EBUSY, "could not open port COM3"), "COM3 is in use"),
        (serial.SerialException("Could not exclusively lock port COM3"), "COM3 is in use"),
        (OSError(errno.EBUSY, "Device or resource busy"), "COM3 is in use"),
        (OSError(errno.ENOTTY, "Unpassendes E/A-Gerät"), "COM3 is no serial port"),
        (OSError(errno.EISDIR, "Ist ein Verzeichnis"), "COM3 is no serial port"),
        (OSError(errno.ENOENT, "Datei nicht gefunden"), "there is no COM3"),
        (OSError(errno.EIO, "Input/output error"), r"COM3 does not answer \(.*Input/output error\)"),
    ],
)
def test_why_a_port_cannot_be_had_is_said_in_whichever_words_a_system_puts_it(error: Exception, says: str) -> None:
    assert re.match(says, why_not(error, "COM3"))


def test_a_port_in_use_and_a_forbidden_one_say_what_to_do(simulator: Simulator) -> None:
    assert simulator.tty is not None
    for address in ("/dev/no-such-tower", "/"):  # gone meanwhile, and one that is the administrator's alone
        assert "dialout" in why_not(PermissionError(13, "Permission denied"), address)
    port = open_port(simulator.tty)
    try:
        with pytest.raises(OSError, match=r"lock|busy") as caught:
            open_port(simulator.tty)
        assert "in use" in why_not(caught.value, simulator.tty)
    finally:
        port.close()


def test_another_box_at_the_towers_port_is_the_tower_where_the_first_is_gone(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, link, store = linked
    simulator.identity = Identity("second-box")
    simulator.command("unplug 0.3")
    assert until(lambda: link.health.hello is not None and link.health.hello.device == "second-box")
    simulator.command("throw far")
    assert until(lambda: [h.device for h in store.rows.values()] == ["second-box"])


def test_a_box_that_has_counted_to_the_end_begins_again(linked: tuple[Simulator, Link, Store]) -> None:
    simulator, _, store = linked
    simulator._boot = 65535
    simulator.command("reset")
    assert simulator.box.boot == 1, "no box says 0"
    simulator.box.seq = 65533
    for _ in range(4):
        simulator.command("throw near")
        assert until(lambda: simulator.waiting == 0)
    assert [key[1:] for key in store.rows] == [(1, 65534), (1, 65535), (2, 1), (2, 2)]


def test_the_simulator_refuses_what_it_does_not_know(simulator: Simulator) -> None:
    dice = ("roll near 7 1", "roll near -f 2", "roll near 6cf 2")
    for line in ("dance", "", "throw sideways", *dice, "button", "wait soon", "wait nan", "drop 7"):
        with pytest.raises(BadCommand, match=r"say one of|write it as"):
            simulator.command(line)


def test_a_script_with_a_word_the_simulator_does_not_know_is_refused_whole(simulator: Simulator) -> None:
    with pytest.raises(BadCommand, match="'dance' is no command"):
        simulator.run_script(["throw near", "# a remark", "", "dance  # now"])
    assert simulator.idle


class Watched(Simulator):
    """Notes which thread pulls its plug."""

    pulled_by = ""

    def unplug(self, until: float) -> None:
        self.pulled_by = threading.current_thread().name
        super().unplug(until)


def test_the_thread_that_reads_a_terminal_is_the_one_that_closes_it() -> None:
    """Else it reads from whatever was opened in its place since, or ends."""
    box = Watched().start()
    try:
        box.command("unplug 0")
        assert box.pulled_by == "simulated tower"
    finally:
        box.close()
