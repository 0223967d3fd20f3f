"""The dice tower at a table with a real store: latency, damaged lines, reconnection, idle cost."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.box import KEPT

if TYPE_CHECKING:
    from hardware.simulator import Simulator
    from web.desk import Desk

THROWS = ("throw far", "throw near")
APART_S = 0.03  # between events that come one by one
PATIENCE_S = 30.0  # for whatever the link has to do


def run(json_out: bool, events: int = 10_000, spoilt: float = 0.2, idle_s: float = 20.0, singly: int = 300) -> int:
    """Event to committed and acknowledged, of ``singly`` events that come one by one; ``events`` events with a share ``spoilt`` of the
    lines damaged; reconnection; CPU of an idle link by itself. Exit status 1 when an event was lost or doubled or the idle link
    uses 1 % of a core or more."""
    from hardware.link import LinkState
    from hardware.simulator import Simulator
    from referee.match.commands import StartMatch
    from referee.records.store import Store
    from web.cli._service import make_house
    from web.towerline import TowerLine

    if not (singly and spoilt < 1):
        raise click.UsageError("--singly is 1 or more, and --spoilt a share below 1")
    temporary = tempfile.TemporaryDirectory(prefix="referee-bench-", ignore_cleanup_errors=True)
    with temporary as folder, Store(str(Path(folder) / "bench.db")) as store:
        desk = make_house(store).desk
        desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5))
        simulator = Simulator(repeat_every=0.03).start()
        line = TowerLine(desk, simulator.tty or f"socket://127.0.0.1:{simulator.port}").start()
        try:
            link = line.link
            _wait(lambda: link.health.state is LinkState.CONNECTED)
            latencies, commits = _latencies(simulator, singly), _commits(desk, singly)
            simulator.command("unplug 0.1")
            _wait(lambda: link.health.state is LinkState.LOST)
            reconnect = _wait(lambda: link.health.state is LinkState.CONNECTED)
            took = _flood(simulator, events, spoilt)
            kept = [one for one in store.heard(desk.match) if one.text.startswith("THROW")]  # STATUS comes by itself
        finally:
            line.stop()
            simulator.close()
    idle = round(_idle(idle_s), 2)
    missing = len(latencies) + events - len({(one.boot, one.sequence) for one in kept})
    doubled = len(kept) - len({(one.boot, one.sequence) for one in kept})
    answer = {
        "event_to_committed_and_acknowledged_ms": _spread(latencies),
        "of_which_the_commit_ms": _spread(commits),
        "events": events,
        "share_of_lines_damaged": spoilt,
        "lines_damaged": simulator.faults_in.damaged + simulator.faults_out.damaged,
        "lost": missing,
        "doubled": doubled,
        "events_a_second_while_damaged": round(events / took),
        "reconnect_s": round(reconnect, 2),
        "idle_cpu_percent_of_a_core": idle,
    }
    if json_out:
        print(json.dumps(answer))
    else:
        for key, value in answer.items():
            print(f"{key}: {value}")
    return 0 if missing == 0 and doubled == 0 and idle < 1.0 else 1


def _latencies(simulator: Simulator, count: int) -> list[float]:
    """ms from each of some throws, which come one by one, to its acknowledgement."""
    found = []
    for i in range(count):
        simulator.command(THROWS[i % 2])
        found.append(_wait(lambda: simulator.waiting == 0) * 1000)
        time.sleep(APART_S)
    return found


def _commits(desk: Desk, count: int) -> list[float]:
    """ms that committing an event takes by itself."""
    from referee.match.journal import Heard

    found = []
    for i in range(count):
        begun = time.perf_counter()
        desk.hear(Heard("none", 1, i + 1, "LIFT 1 1 0 near", 0.0))
        found.append((time.perf_counter() - begun) * 1000)
        time.sleep(APART_S)
    return found


def _flood(simulator: Simulator, events: int, spoilt: float) -> float:
    """Seconds until so many throws, sent as fast as the box can, are acknowledged over a line that damages a share ``spoilt``."""
    for name in ("drop", "spoil"):
        simulator.command(f"{name} {spoilt / 2}")
    begun = time.perf_counter()
    for i in range(events):
        _wait(lambda: simulator.waiting < KEPT)
        simulator.command(THROWS[i % 2])
    _wait(lambda: simulator.waiting == 0)
    return time.perf_counter() - begun


def _spread(ms: list[float]) -> dict[str, float]:
    ms = sorted(ms)
    return {"median": round(statistics.median(ms), 2), "p99": round(ms[int(len(ms) * 0.99)], 2)}


def _wait(condition: Callable[[], bool]) -> float:
    """Seconds until ``condition`` holds. Raises `click.ClickException` when that takes longer than `PATIENCE_S`."""
    begun = time.perf_counter()
    while not condition():
        if time.perf_counter() - begun > PATIENCE_S:
            why = "too many of its lines are damaged (--spoilt), or this computer is too busy"
            raise click.ClickException(f"the tower’s link came to nothing in {PATIENCE_S:g} s: {why}")
        time.sleep(0.0005)
    return time.perf_counter() - begun


def _idle(seconds: float) -> float:
    """Percent of a core that an idle link uses by itself: the tower is simulated by another process."""
    from hardware.link import Link, LinkState

    words = [sys.executable, "-c", "from web.cli import main; main()", "tower", "--simulate"]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as box:
        try:
            assert box.stdout is not None
            link = Link(box.stdout.readline().split()[1], lambda _heard: True).start()
            _wait(lambda: link.health.state is LinkState.CONNECTED)
            time.sleep(0.5)
            begun, cpu = time.perf_counter(), time.process_time()
            time.sleep(seconds)
            used = time.process_time() - cpu
            link.close()
            return 100 * used / (time.perf_counter() - begun)
        finally:
            box.kill()
