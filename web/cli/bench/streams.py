"""The live stream under load: how long a change takes to reach every viewer of one table, and the table page meanwhile."""

from __future__ import annotations

import json
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import click

VIEWERS = 500
CHANGES = 20
LIMIT_S = 20.0  # a change that has not arrived by then is lost


def run(json_out: bool) -> int:
    """Starts a server, opens its streams, enters rolls, and reports the delays. Exit 0 when the median is below 100 ms."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        script = "from web.cli import main; main()"
        options = ["--port", "0", "--db", str(Path(folder) / "b.db"), "--streams", str(VIEWERS + 20)]
        command = [sys.executable, "-u", "-c", script, "serve", *options]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())
            if found is None:
                raise click.ClickException("the server did not start")
            report = _measure(int(found.group(1)))
        finally:
            server.terminate()
            server.wait(20)
    if json_out:
        click.echo(json.dumps(report))
    else:
        click.echo(
            f"{report['viewers']} viewers, {report['changes']} changes: median {report['median_ms']} ms, 95 % {report['p95_ms']} ms, "
            f"last viewer {report['worst_ms']} ms, lost {report['lost']}; the table page in {report['page_ms']} ms (median)"
        )
    return 0 if report["median_ms"] < 100 and not report["lost"] else 1


def _measure(port: int) -> dict[str, Any]:
    _post(port, "start_match", seq=0, names=["Anna", "Boris"], length=5)
    _post(port, "start_game", seq=1)
    watch = selectors.DefaultSelector()
    viewers = []
    for _ in range(VIEWERS):
        viewer = socket.create_connection(("127.0.0.1", port), 30)
        viewer.sendall(b"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        viewer.setblocking(False)
        watch.register(viewer, selectors.EVENT_READ)
        viewers.append(viewer)
    _until_quiet(watch)
    delays: list[float] = []
    pages: list[float] = []
    lost = 0
    seq = 2
    for change in range(CHANGES):
        dice = [6, 1 + change % 5] if change % 2 else [5, 6]
        begun = time.perf_counter()
        seq = _post(port, "roll", seq=seq, dice=dice)["seq"]
        arrived = _arrivals(watch, f'"seq":{seq},'.encode(), begun)
        delays += arrived
        lost += VIEWERS - len(arrived)
        begun = time.perf_counter()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/t/1/table", timeout=30) as answer:
            answer.read()
        pages.append(time.perf_counter() - begun)
    for viewer in viewers:
        viewer.close()
    return {
        "viewers": VIEWERS, "changes": CHANGES, "median_ms": round(statistics.median(delays) * 1000, 1),
        "p95_ms": round(statistics.quantiles(delays, n=20)[-1] * 1000, 1), "worst_ms": round(max(delays) * 1000, 1), "lost": lost,
        "page_ms": round(statistics.median(pages) * 1000, 1),
    }


def _arrivals(watch: selectors.BaseSelector, sign: bytes, begun: float) -> list[float]:
    """Seconds after ``begun`` at which each viewer had received ``sign``."""
    waiting = {key.fd for key in watch.get_map().values()}
    had: dict[int, bytes] = {}
    delays = []
    while waiting and time.perf_counter() - begun < LIMIT_S:
        for key, _ in watch.select(0.5):
            assert isinstance(key.fileobj, socket.socket)
            data = had.get(key.fd, b"")[-len(sign):] + key.fileobj.recv(1 << 16)
            had[key.fd] = data
            if key.fd in waiting and sign in data:
                waiting.discard(key.fd)
                delays.append(time.perf_counter() - begun)
    return delays


def _until_quiet(watch: selectors.BaseSelector) -> None:
    """Reads the first snapshots until nothing came for a second."""
    end = time.perf_counter() + 60
    while time.perf_counter() < end:
        ready = watch.select(1.0)
        if not ready:
            return
        for key, _ in ready:
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.recv(1 << 16)


def _post(port: int, name: str, **body: Any) -> dict[str, Any]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/{name}", json.dumps(body).encode(), {"content-type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found
