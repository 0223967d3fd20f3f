"""`referee tower` as a person types it: what goes wrong is one sentence and an exit status."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest
from serial.tools.list_ports_common import ListPortInfo

from hardware.simulator import Simulator
from tests.web.conftest import SCRIPT, answer
from web.cli.bench import tower as bench_tower
from web.cli.tower import command


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["tower"], 2, "either the tower’s URL"),
        (["tower", "nonsense://x"], 2, "not a serial address"),
        (["tower", "--simulate", "--for", "nan"], 2, "not a number"),
        (["demo", "--speed", "nan"], 2, "not a number"),
        (["tower", "/dev/no-such-tower", "--for", "0.6"], 1, "there is no /dev/no-such-tower"),
        (["tower", "socket://127.0.0.1:9", "--for", "0.6"], 1, "nothing answers at socket://127.0.0.1:9"),
        (["serve", "--port", "0", "--tower", "nonsense://x"], 2, "not a serial address"),
    ],
)
def test_what_a_user_gets_wrong_is_one_sentence(words: list[str], status: int, says: str) -> None:
    run = answer(*words)
    assert run.returncode == status, run.stderr
    assert says in run.stderr
    assert "Traceback" not in run.stderr


def test_a_port_that_is_not_there_is_tried_again_and_those_that_are_there_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there: list[ListPortInfo] = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: there)
    for says in ("this computer has none", "this computer has /dev/ttyACM0, /dev/ttyUSB3"):
        assert command.main(["/dev/no-such-tower", "--for", "1.5"], standalone_mode=False) == 1
        said = capsys.readouterr().err.splitlines()
        assert said[-2].startswith("there is no /dev/no-such-tower")
        assert said[-1:] == [f"it is tried again and again (Ctrl-C ends that); of serial ports {says}"]
        there.extend(map(ListPortInfo, ("/dev/ttyUSB3", "/dev/ttyACM0")))


def test_it_says_that_what_it_shows_is_not_kept() -> None:
    said = " ".join(answer("tower", "--help").stdout.split())
    assert "taken from the box and kept nowhere" in said
    assert "referee serve --tower URL" in said


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (b"\x00\x7fELF\xff\xfe", "no tower script"),
        (b"throw near\nwait 1\ndance\n", "line 3: 'dance' is no command"),
        (b"throw near\nroll far 7 1\n", "line 2: 'roll far 7 1' is not understood: write it as roll"),
    ],
)
def test_a_script_that_cannot_be_carried_out_is_refused_before_it_begins(script: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_bytes(script)
    run = answer("tower", "--simulate", "--script", str(path))
    assert run.returncode == 2
    assert says in run.stderr
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal lies in a folder there")
def test_a_simulator_whose_reader_has_gone_leaves_nothing_behind(tmp_path: Path) -> None:
    ours, nobody = os.pipe()
    os.close(ours)
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT, "tower", "--simulate", "--for", "20"], stdout=nobody, timeout=60, env=env)
    os.close(nobody)
    assert (done.returncode, list(tmp_path.iterdir())) == (0, [])


def test_who_listens_ends_when_nobody_reads_what_is_shown() -> None:
    with closing(Simulator(tty=False, boot=7).start()) as box:
        words = [sys.executable, "-c", SCRIPT, "tower", f"socket://127.0.0.1:{box.port}", "--for", "20"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None and run.stderr is not None
            assert run.stdout.readline().startswith("connected to")
            run.stdout.close()
            box.command("throw near")
            assert "Traceback" not in run.stderr.read()
        assert (run.returncode, box.waiting) == (0, 1), "the box keeps it for who comes next"


def test_one_process_is_the_tower_and_another_listens() -> None:
    """The identity, the events and the counters of a simulated box, seen by `referee tower URL`."""
    words = [sys.executable, "-u", "-c", SCRIPT, "tower", "--simulate", "--id", "oak", "--rest", "tray", "--blind", "--boot", "7"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as box:
        try:
            assert box.stdin is not None
            assert box.stdout is not None
            said = next(line for line in box.stdout if line.startswith("tcp "))
            box.stdin.write("throw far\nbutton take\n")
            box.stdin.flush()
            listener = [sys.executable, "-u", "-c", SCRIPT, "tower", said.split()[1]]
            with subprocess.Popen(listener, stdout=subprocess.PIPE, text=True) as heard:
                assert heard.stdout is not None
                got = []
                for line in heard.stdout:
                    got.append(line.strip())
                    if "BUTTON" in line:
                        break
                heard.kill()
        finally:
            box.kill()
    assert got[0] == "connected to oak (boot 7, dice rest on tray, does not read its dice)"
    assert re.fullmatch(r"oak: THROW 7 1 \d+ far", got[1])
    assert re.fullmatch(r"oak: BUTTON 7 2 \d+ take", got[2])


def test_the_bench_loses_and_doubles_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A few damaged events through link, store and acknowledgement; the figures of the full run are in the hands of the machine."""
    bench_tower.run(True, events=40, spoilt=0.4, idle_s=1.0, singly=20)
    said = json.loads(capsys.readouterr().out)
    assert (said["lost"], said["doubled"]) == (0, 0)
    assert said["lines_damaged"] > 0


def test_a_line_that_lets_nothing_through_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_tower, "PATIENCE_S", 4.0)
    with pytest.raises(click.ClickException, match="came to nothing in 4 s: too many of its lines are damaged"):
        bench_tower.run(True, events=40, spoilt=0.9999, idle_s=0.1, singly=1)
