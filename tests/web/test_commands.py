"""`referee serve` and `referee demo` at the command line: what a user can get wrong is one sentence and an exit status."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.web.conftest import Served, answer, referee
from web.cli._service import say_address


def _one_sentence(run: object, status: int, *words: str) -> None:
    assert run.returncode == status, (run.returncode, run.stdout, run.stderr)  # type: ignore[attr-defined]
    said = run.stderr.strip()  # type: ignore[attr-defined]
    assert len(said.splitlines()) == 1, said
    assert "Traceback" not in said
    assert all(word in said for word in words), said


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_a_busy_port(command: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        more = ["--db", str(tmp_path / "m.db")] if command == "serve" else ["--no-browser"]
        said = referee if command == "serve" else answer
        _one_sentence(said(command, "--port", port, *more), 2, "already in use", port)


def test_a_camera_that_is_not_there(tmp_path: Path) -> None:
    _one_sentence(answer("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--camera", str(tmp_path / "none.mp4")), 2, "none.mp4")


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, this is no database.\n" * 20)
    before = letter.read_bytes()
    _one_sentence(answer("serve", "--port", "0", "--db", str(letter)), 2, "letter.txt", "not a database")
    assert letter.read_bytes() == before


def test_an_address_that_is_not_ours(tmp_path: Path) -> None:
    _one_sentence(answer("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--host", "203.0.113.7"), 2, "203.0.113.7")


@pytest.mark.parametrize("words", [
    "check =", "check --rules= a.mat", "convert = a.sgf", "convert a.mat =", "analyse =", "chouette = start Ann Ben Cleo", "rules =",
    "replay =", "watch = --start a.jpg", "watch a --start=", "watch a --start a.jpg -o =", "read --dice =", "read --board= a.jpg",
    "read --dice a.jpg --annotate=", "setup = -o board.json", "setup a.jpg -o =", "serve --camera=", "serve --board=", "serve --rules=",
    "tower --simulate --script=",
])
def test_the_empty_name_is_not_taken_for_this_folder(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script names a file by a variable that it never set."""
    monkeypatch.chdir(tmp_path)
    name, *rest = ["" if word == "=" else word for word in words.split()]
    run = CliRunner().invoke(import_module(f"web.cli.{name}").command, rest)
    assert run.exit_code == 2, run.output
    assert "it is empty and names nothing" in run.output or "there is no rule set ‘’" in run.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["-game.mat", "--game.mat"])
def test_a_file_whose_name_begins_with_a_dash(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script passes on what a shell makes of `*.mat`; the shell's own way to name such a file is said, and goes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("no record")
    _one_sentence(answer("check", name), 2, "No such option", f"./{name}")
    assert "./" not in answer("check", "--nosuch").stderr
    assert "not a match record" in answer("check", f"./{name}").stdout


@pytest.mark.parametrize("name", ["", ":memory:"])
def test_a_database_that_is_no_file(name: str) -> None:
    _one_sentence(answer("serve", "--port", "0", "--db", name), 2, "--db", "names no file")


def test_a_place_where_no_certificate_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "certificate").write_text("a letter")
    _one_sentence(answer("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--https"), 2, "certificate", "move what is there away")


def test_a_damaged_certificate_is_made_anew_and_the_cookie_stays_on_https(serve: Callable[..., Served], tmp_path: Path) -> None:
    options = ("serve", "--port", "0", "--db", str(tmp_path / "m.db"), "--https", "--new-pins")
    serve(*options).kill()
    kept = tmp_path / "certificate" / "server.pem"
    kept.write_text("rubbish")
    server = serve(*options)
    assert "BEGIN CERTIFICATE" in kept.read_text()
    ours = ssl.create_default_context()
    ours.check_hostname, ours.verify_mode = False, ssl.CERT_NONE
    body = json.dumps({"pin": server.said.split("PIN ")[1][:6]}).encode()
    request = urllib.request.Request(f"{server.url}api/v1/enter", body, {"content-type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=60, context=ours) as answer:
        assert {"Secure", "HttpOnly", "SameSite=Strict"} <= set(answer.headers["Set-Cookie"].split("; "))


def test_a_bad_option() -> None:
    run = referee("serve", "--port", "many")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="cannot: Windows has no signal that asks a process to end")
def test_it_ends_quietly_though_pages_are_open(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve("serve", "--port", "0", "--db", str(tmp_path / "m.db"))
    with urllib.request.urlopen(f"{server.url}api/v1/stream", timeout=60) as stream:
        assert stream.readline().startswith(b"retry")
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(120) == 0
    out, err = server.process.communicate()
    assert (out, err) == ("", "")


def test_others_are_told_the_address_they_can_reach(capsys: pytest.CaptureFixture[str]) -> None:
    say_address("http://127.0.0.1:8765/", False, "http://192.168.1.7:8765")
    assert "Others in the network open http://192.168.1.7:8765/." in capsys.readouterr().out
    say_address("http://127.0.0.1:8765/", False, "http://127.0.0.1:8765")
    assert "Others" not in capsys.readouterr().out


LOADS_SLOWLY = """
import sys, time

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            print("loading", flush=True)
            time.sleep(60)

sys.meta_path.insert(0, Slow())
from web.start import main
main()
"""


ENDS = """
import signal, web.cli

def run():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)
        print("whole")

web.cli.run = run
web.cli.main()
"""


def test_ctrl_c_pressed_twice_does_not_break_off_what_ends_the_program() -> None:
    run = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (130, "whole\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="cannot: Windows has no signal that a program sends as Ctrl-C does")
def test_ctrl_c_pressed_while_the_program_is_loaded_ends_it_without_a_word() -> None:
    loading = subprocess.Popen([sys.executable, "-c", LOADS_SLOWLY, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert loading.stdout is not None
    assert loading.stdout.readline() == "loading\n"
    loading.send_signal(signal.SIGINT)
    _, err = loading.communicate(timeout=30)
    assert (loading.returncode, err) == (130, "")


def test_what_a_table_cannot_be_called_or_reached_by_is_refused_before_anything_is_loaded_that_takes_a_while(tmp_path: Path) -> None:
    without = "import sys; sys.modules.update(dict.fromkeys(['flask', 'numpy', 'cv2', 'referee'])); from web.start import main; main()"
    serve = ["serve", "--db", str(tmp_path / "m.db")]
    for words, why in (
        ([*serve, "--table", "a/b"], "table’s name"), ([*serve, "--name", "a/b"], "host’s name"), ([*serve, "--port", "0x"], "--port"),
        ([*serve, "--port", "0", "--host", "203.0.113.7"], "not an address of this computer"), (["demo", "--speed", "0"], "--speed"),
    ):
        _one_sentence(subprocess.run([sys.executable, "-c", without, *words], capture_output=True, text=True, timeout=60), 2, why)
