"""The very firmware image, run in simavr: pins toggled, its UART read by the real link."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.link import Link, LinkState
from hardware.protocol import Button, Press, Show, Side, Throw, encode
from hardware.session import Heard
from tests.waiting import until

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
RUNNER = Path(__file__).with_name("simavr_runner.c")
HEADERS = Path("/usr/include/simavr/sim_avr.h")

pytestmark = pytest.mark.skipif(
    not (shutil.which("avr-gcc") and shutil.which("gcc") and shutil.which("make") and HEADERS.exists()),
    reason="cannot: needs avr-gcc, avr-libc, gcc, make and libsimavr-dev",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("firmware")
    subprocess.run(["make", "-C", str(FIRMWARE), f"BUILD={folder}", "BOX_ID=oak-box"], check=True, capture_output=True)
    libraries = ["-lsimavrparts", "-lsimavr", "-lelf", "-lutil", "-lpthread"]
    include = ["-I/usr/include/simavr", "-I/usr/include/simavr/parts"]
    subprocess.run(["gcc", "-O2", *include, "-o", str(folder / "runner"), str(RUNNER), *libraries], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def one_mouth(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one-mouth")
    subprocess.run(["make", "-C", str(FIRMWARE), f"BUILD={folder}", "BOX_MOUTHS=1"], check=True, capture_output=True)
    shutil.copy(built / "runner", folder)
    return folder


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("BOX_ID=my oak box", "BOX_ID is 1 to 16 letters, digits"),
        ("BOX_ID=the-box-beside-the-window", "BOX_ID is 1 to 16 letters, digits"),
        ("BOX_ID=Anna's", "BOX_ID is 1 to 16 letters, digits"),
        ("BOX_REST=feild", "BOX_REST is field or tray"),
        ("BOX_MOUTHS=3", "BOX_MOUTHS is 1 or 2"),
    ],
)
def test_a_setting_that_the_referee_would_not_understand_builds_no_box(setting: str, says: str, tmp_path: Path) -> None:
    made = subprocess.run(["make", "-C", str(FIRMWARE), f"BUILD={tmp_path}", setting], capture_output=True, text=True, check=False)
    assert made.returncode != 0
    assert says in made.stderr
    assert not list(tmp_path.iterdir())


class Chip:
    """The simulated ATmega328P with the image in it."""

    def __init__(self, built: Path) -> None:
        self._process = subprocess.Popen(
            [str(built / "runner"), str(built / "dice-box.elf")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._process.stdout is not None
        self.changes: list[str] = []
        self.tty = ""
        while not self.tty:
            line = self._process.stdout.readline()
            assert line, "the runner ended"
            if found := re.match(r"tty (\S+)", line):
                self.tty = found[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        self.changes.extend(line.strip() for line in self._process.stdout)

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, ms: int) -> None:
        """Lets that much of the chip's own time pass before the next change of a pin."""
        self.say(f"wait {ms}")

    def pulse(self, pin: str, level: int, ms: int) -> None:
        self.say(f"pin {pin} {level}")
        self.wait(ms)
        self.say(f"pin {pin} {1 - level}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def table(built: Path) -> Iterator[tuple[Chip, Link, list[Heard]]]:
    heard: list[Heard] = []
    chip = Chip(built)

    def store(one: Heard) -> bool:
        heard.append(one)
        return True

    link = Link(chip.tty, store).start()
    assert until(lambda: link.health.state is LinkState.CONNECTED), link.health
    yield chip, link, heard
    link.close()
    chip.close()


def test_it_says_what_it_is(table: tuple[Chip, Link, list[Heard]]) -> None:
    hello = table[1].health.hello
    assert hello is not None
    assert (hello.device, hello.boot, hello.rest.value, hello.reads) == ("oak-box", 1, "field", False)


def test_dice_through_a_beam_are_one_throw(table: tuple[Chip, Link, list[Heard]]) -> None:
    chip, _, heard = table
    for _ in range(2):  # two dice, one after the other
        chip.pulse("D 3", 1, 30)
        chip.wait(100)
    assert until(lambda: len(heard) == 1)
    event = heard[0].event
    assert isinstance(event, Throw)
    assert event.side is Side.FAR
    chip.wait(1000)
    chip.pulse("D 2", 1, 30)
    assert until(lambda: len(heard) == 2)
    assert isinstance(heard[1].event, Throw)
    assert heard[1].event.side is Side.NEAR


def test_a_box_with_one_mouth_does_not_say_who_throws(one_mouth: Path) -> None:
    heard: list[Heard] = []

    def store(one: Heard) -> bool:
        heard.append(one)
        return True

    chip = Chip(one_mouth)
    link = Link(chip.tty, store).start()
    try:
        assert until(lambda: link.health.state is LinkState.CONNECTED), link.health
        chip.pulse("D 3", 1, 30)  # nothing is wired there
        chip.wait(1000)
        chip.pulse("D 2", 1, 30)
        chip.wait(1000)
        chip.pulse("D 6", 0, 60)
        assert until(lambda: len(heard) >= 2)
    finally:
        link.close()
        chip.close()
    assert [str(one.event).split()[0::4] for one in heard] == [["THROW", "any"], ["BUTTON", "double"]]


def test_buttons_are_debounced_and_named(table: tuple[Chip, Link, list[Heard]]) -> None:
    chip, _, heard = table
    for pin in ("D 4", "D 5", "D 6", "D 7", "B 0", "B 1"):
        for _ in range(3):  # the contact bounces
            chip.pulse(pin, 0, 2)
            chip.wait(2)
        chip.pulse(pin, 0, 60)
        chip.wait(60)
    assert until(lambda: len(heard) >= 6)
    assert [h.event.button for h in heard if isinstance(h.event, Press)] == list(Button)


def test_the_lamp_obeys(table: tuple[Chip, Link, list[Heard]]) -> None:
    chip, link, _ = table
    link.show(Show.READY)
    assert until(lambda: "B5 1" in chip.changes)
    link.show(Show.OFF)
    assert until(lambda: chip.changes[-1:] == ["B5 0"])


@pytest.mark.parametrize("message", ["SING 3", "SHOW purple", "ACK one two", "ACK 1"])
def test_an_unknown_message_is_answered(table: tuple[Chip, Link, list[Heard]], message: str) -> None:
    chip, link, heard = table
    link.close()
    answer = encode(f"WHAT {message.split()[0]}")
    port = os.open(chip.tty, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(port, encode(message))
        got = b""
        while answer not in got:
            got += os.read(port, 200)
    finally:
        os.close(port)
    assert heard == []


def test_it_keeps_eight_events_and_the_order_while_nobody_listens(table: tuple[Chip, Link, list[Heard]]) -> None:
    """What happens while the host is away is told when it comes back: eight events, the newest beyond them counted as lost."""
    chip, link, heard = table
    link.close()
    for pin in ("D 4", "D 5", "D 6", "D 7", "B 0", "B 1", "D 4", "D 5", "D 6"):
        chip.pulse(pin, 0, 60)
        chip.wait(60)

    def store(one: Heard) -> bool:
        heard.append(one)
        return True

    again = Link(chip.tty, store).start()
    try:
        assert until(lambda: len(heard) >= 8)
    finally:
        again.close()
    pressed = [h.event.button for h in heard if isinstance(h.event, Press)]
    assert pressed == [*Button, Button.NEAR, Button.FAR]
    assert [h.event.stamp.seq for h in heard] == list(range(1, 9))


def test_while_nobody_listens_what_happens_at_the_table_has_the_room(built: Path, tmp_path: Path) -> None:
    """The box says at times that it is well, but not while that waits to be heard."""
    sources = shutil.copytree(FIRMWARE, tmp_path / "firmware")
    main = (sources / "main.c").read_text()
    assert "STATUS_MS = 30000" in main
    (sources / "main.c").write_text(main.replace("STATUS_MS = 30000", "STATUS_MS = 200"))
    subprocess.run(["make", "-C", str(sources), f"BUILD={tmp_path}"], check=True, capture_output=True)
    shutil.copy(built / "runner", tmp_path)
    heard: list[Heard] = []

    def store(one: Heard) -> bool:
        heard.append(one)
        return True

    chip = Chip(tmp_path)
    chip.wait(1000)
    for pin in ("D 4", "D 5", "D 6", "D 7", "B 0", "B 1", "D 4"):
        chip.pulse(pin, 0, 60)
        chip.wait(60)
    chip.say("mark")
    assert until(lambda: "mark 1" in chip.changes, 30)
    link = Link(chip.tty, store).start()
    try:
        assert until(lambda: sum(isinstance(h.event, Press) for h in heard) >= 7), [str(h.event) for h in heard]
    finally:
        link.close()
        chip.close()


def test_a_reset_counts_a_boot_and_events_go_on(table: tuple[Chip, Link, list[Heard]]) -> None:
    chip, link, heard = table
    chip.say("reset")
    assert until(lambda: link.health.hello is not None and link.health.hello.boot == 2)
    chip.pulse("D 2", 1, 30)
    assert until(lambda: len(heard) == 1)
    assert (heard[0].event.stamp.boot, heard[0].event.stamp.seq) == (2, 1)


def test_it_fits_with_room_to_spare(built: Path) -> None:
    size = subprocess.run(["avr-size", str(built / "dice-box.elf")], check=True, capture_output=True, text=True).stdout
    text, data, bss = map(int, size.splitlines()[1].split()[:3])
    assert text + data < 32768 // 2
    assert data + bss < 2048 // 2
    readme = (FIRMWARE / "README.md").read_text()
    said = re.search(r"takes about ([\d,]+) of 32,768 bytes of flash and ([\d,]+) of 2,048 bytes of RAM", readme)
    assert said is not None
    told = [int(n.replace(",", "")) for n in said.groups()]
    assert told == pytest.approx([text + data, data + bss], rel=0.1), "other compilers differ a little"
