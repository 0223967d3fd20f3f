"""What a service meets that is left running all weekend: it starts without its camera, and its log stays short enough to be read."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.simulator import Simulator
from tests.waiting import until
from tests.web.cameras import PICTURES
from tests.web.conftest import SCRIPT, Served
from tests.web.pressing import says, state
from web.cli._log import AGAIN_S, Log

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n\r\n"
PNG = cv2.imencode(".png", np.random.default_rng(1).integers(0, 255, (90, 160, 3)))[1].tobytes()
UNREAD = """
import os
reader, writer = os.pipe()
os.close(reader)
os.dup2(writer, 2)
"""


@contextmanager
def started(before: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`referee serve` as a process of its own, in which ``before`` was done."""
    command = [sys.executable, "-u", "-c", f"{before}\n{SCRIPT}", "serve", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return next(found.group(0) for line in process.stdout if (found := re.search(r"https?://127[^ ]+", line)))


def camera_said(url: str) -> tuple[str, str]:
    with urllib.request.urlopen(f"{url}api/v1/state", timeout=60) as answer:
        camera = json.load(answer)["camera"]
    return camera["status"], camera["text"]


@contextmanager
def switched_on(at: tuple[str, int]) -> Iterator[None]:
    """A camera in the network that shows the starting position."""
    jpeg = (PICTURES / "f000.jpg").read_bytes()
    part = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)
    over = threading.Event()
    with socket.create_server(at) as camera:

        def film() -> None:
            line, _ = camera.accept()
            with line:
                line.sendall(HEAD)
                while not over.wait(0.2):
                    line.sendall(part)

        filming = threading.Thread(target=film, daemon=True)
        filming.start()
        try:
            yield
        finally:
            over.set()
            filming.join(10)


@pytest.mark.parametrize("before", ["", UNREAD], ids=["", "nobody reads the console"])
def test_a_table_is_served_before_its_camera_is_switched_on(database: str, before: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as place:
        at = place.getsockname()
    address = f"http://{at[0]}:{at[1]}/video"
    says = f"camera {address} gives no picture: check its address, and that it is switched on and in this network"
    with started(before, "--db", database, "--camera", f"{address}?token=secret") as process:
        url = address_of(process)
        assert until(lambda: camera_said(url)[0] == "lost")
        assert camera_said(url)[1] == f"{says[0].upper()}{says[1:]}."
        assert process.stderr is not None
        assert before or process.stderr.readline() == f"referee: {says}\n"
        with switched_on(at):
            assert until(lambda: camera_said(url)[0] in ("looking", "watching"))


def test_what_a_camera_ends_badly_is_no_line_on_the_console(database: str) -> None:
    """As many do with every picture: the libraries that read them would write a line for each."""
    good = (PICTURES / "f000.jpg").read_bytes()
    with started("", "--db", database, "--camera", "phone") as process:
        url = address_of(process)
        for picture, status in ((good[:-2] + b"more" * 20 + good[-2:], 204), (PNG[:100] + b"no" + PNG[102:], 409)):
            sent = urllib.request.Request(f"{url}api/v1/frames", picture, {"content-type": "image/jpeg"})
            try:
                with urllib.request.urlopen(sent, timeout=60) as answer:
                    assert answer.status == status
            except urllib.error.HTTPError as refused:
                assert refused.code == status
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60)[1].strip() == ""  # but for the new line that follows ^C


def answers(url: str) -> bool:
    """Whether somebody does, with whatever certificate."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        with urllib.request.urlopen(url, timeout=10, context=anybody) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.mark.skipif(os.name != "posix", reason="cannot: a closed output is a shell's doing")
def test_without_an_output_it_serves_and_ends_as_with_one(database: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
    words = ["serve", "--https", "--port", str(port), "--db", database]
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", SCRIPT, *words]
    with subprocess.Popen(closed, stderr=subprocess.PIPE, text=True) as process:
        assert until(lambda: process.poll() is not None or answers(f"https://127.0.0.1:{port}/api/v1/state"))
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60)[1].strip() == ""
    assert process.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="cannot: no pseudo-terminals here")
def test_a_console_that_is_held_holds_up_nothing_at_the_table(database: str) -> None:
    """Somebody has pressed Ctrl-S in its terminal, or marked a word in its window, just as there is something to say."""
    console, its_end = os.openpty()
    tower = Simulator(tty=False).start()
    command = [sys.executable, "-u", "-c", SCRIPT, "serve", "--port", "0", "--db", database, "--tower", f"socket://127.0.0.1:{tower.port}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its_end, text=True) as process:
        try:
            table = Served(process, address_of(process))
            says(table)("start_match", names=["Anna", "Boris"], length=3)
            assert until(lambda: state(table)["camera"]["tower"]["status"] == "connected")
            os.write(console, b"\x13")
            tower.command("unplug 600")
            assert until(lambda: state(table)["lost"] == ["tower"], 30)
            os.write(console, b"\x11")
            assert until(lambda: b"nothing answers at socket" in os.read(console, 4096), 30), "and what was to be said is said then"
            os.write(console, b"\x13")
            tower.command("unplug 0")
            assert until(lambda: state(table)["lost"] == [], 30)
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()
            tower.close()
            os.close(console)
            os.close(its_end)


def test_a_crash_in_a_library_is_still_said() -> None:
    crash = "import click, web.cli, ctypes; web.cli._group = click.Command('crash', callback=lambda: ctypes.string_at(0)); web.cli.main()"
    run = subprocess.run([sys.executable, "-c", crash], capture_output=True, text=True, timeout=60)
    assert run.returncode != 0
    assert "Fatal Python error: Segmentation fault" in run.stderr


MOVED = """
import os, pathlib
from web import tls
tls.network_address = pathlib.Path(os.environ["PLACE"]).read_text
"""


def test_a_phone_is_told_where_the_table_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer had no network when the service was started, or has been carried to the club since."""
    place = tmp_path / "place"
    place.write_text("")
    monkeypatch.setenv("PLACE", str(place))
    with started(MOVED, "--db", str(tmp_path / "m.db"), "--host", "0.0.0.0", "--https") as process:
        url = address_of(process)
        unchecked = ssl.create_default_context()
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE

        def told() -> str:
            with urllib.request.urlopen(f"{url}t/1/setup", timeout=60, context=unchecked) as answer:
                return str(answer.read().decode())

        assert "192.0.2" not in told()
        for address in ("192.0.2.7", "192.0.2.9"):
            place.write_text(address)
            assert until(lambda address=address: f"https://{address}:{url.split(':')[2]}t/1/camera" in told())


FAULTY = """
from web.desk import Desk
ticks = []
def tick(self):
    ticks.append(1)
    if len(ticks) == 8:
        print('eight times', flush=True)
    raise FileNotFoundError(f'picture {len(ticks)} was deleted meanwhile')
Desk.tick = tick
"""


def test_a_fault_that_comes_again_and_again_fills_no_log(database: str) -> None:
    with started(FAULTY, "--db", database) as process:
        assert process.stdout is not None
        assert any("eight times" in line for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        _out, err = process.communicate(timeout=60)
    assert err.count("a fault in a tick") == 1, err
    assert err.count("Traceback") == 1, err
    assert "picture 1 was deleted meanwhile" in err


def test_how_often_a_fault_came_is_said_after_a_while() -> None:
    said, now = io.StringIO(), [1000.0]
    log = logging.Logger("eyes")
    log.addHandler(Log(said, lambda: now[0]))

    def read(picture: str) -> None:
        try:
            int(picture)
        except ValueError:
            log.exception("a fault while reading pictures")

    for n in range(5):
        read(f"picture {n}")
        log.warning("the board is not kept: %s", "no room")
    log.warning("the board is not kept: %s", "read-only")
    assert said.getvalue().count("Traceback") == 1
    assert said.getvalue().count("not kept") == 2, "two different sentences are two"
    now[0] += AGAIN_S
    read("picture 5")
    log.warning("the board is not kept: %s", "no room")
    again, sentence = said.getvalue().splitlines()[-2:]
    assert "a fault while reading pictures (ValueError(" in again
    assert again.endswith("'picture 5'\")): again, 5 times since this was last said")
    assert sentence.endswith(" referee: the board is not kept: no room: again, 5 times since this was last said")
