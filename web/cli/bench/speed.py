"""How fast the eyes are: the gate, a full reading, rest to an announced roll, start-up, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
SIZES = ((1280, 720), (1920, 1080))
PAUSES = ("f002.jpg", "f005.jpg", "f008.jpg", "f013.jpg", "f019.jpg")  # of the demonstration game
FPS = 30
RESTS = (1.0, 1.3, 1.6)  # s of nothing before the throw: a look now and then may be under way when the dice come to rest
GATE, READING, ANNOUNCED = "the gate, a frame", "a full reading", "rest to an announced roll"
START_UP, MEMORY = "start-up to first reading", "memory"
LIMITS = {
    (GATE, 720): 4.0, (GATE, 1080): 8.0, (READING, 720): 80.0, (READING, 1080): 150.0, (ANNOUNCED, 720): 400.0, (ANNOUNCED, 1080): 500.0,
    (START_UP, 0): 2000.0, (MEMORY, 0): 300.0,
}  # fmt: skip
CHILD = """
import sys, time
from pathlib import Path
from referee.match.commands import StartMatch
from referee.records.store import Store
from web.app import create_app
from web.cli._service import make_house
from web.runtime.eyes import Runtime
with Store(Path(sys.argv[1])) as store:
    house = make_house(store)
    house.desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=3))  # a recording waits for it
    eyes = Runtime(house.desk, sys.argv[2]).start()
    while eyes.status()["status"] not in ("ended", "lost"):
        time.sleep(0.1)
    eyes.stop()
status = Path("/proc/self/status")
if status.exists():  # what getrusage says here would be the most of the process that started this one
    print(next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 1024)
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024)
"""


def run(json_out: bool, threads: int = 1) -> int:
    """Each figure beside its limit, on the demonstration's pictures. ``--threads`` is what OpenCV may use; times are the processor's own,
    so that other work on the machine does not count, but for the start-up. Exit status 1 when a limit is passed."""
    import cv2

    import web.demo
    from web.memory import share_memory

    share_memory()  # as the service does, before the same is measured
    cv2.setNumThreads(threads)
    folder = Path(web.demo.__file__).parent / "pictures"
    with one_core():
        rows = [row for size in SIZES for row in _at(folder, size)]
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as place:
        rows += [_start_up(folder, Path(place)), _memory(folder, Path(place))]
    for row in rows:
        click.echo(json.dumps(row) if json_out else _line(row))
    return 1 if any(row["ok"] is False for row in rows) else 0


@contextmanager
def one_core() -> Iterator[None]:
    """All threads on one core, where the system lets a program choose: on two that share their parts both take longer."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _row(what: str, size: tuple[int, int] | None, value: float | None, unit: str = "ms") -> dict[str, Any]:
    limit = LIMITS.get((what, size[1] if size else 0))
    ok = None if value is None or limit is None else value <= limit
    name = f"{size[0]}x{size[1]}" if size else ""
    return {"what": what, "size": name, "value": None if value is None else round(value, 1), "unit": unit, "limit": limit, "ok": ok}


def _line(row: dict[str, Any]) -> str:
    value = "cannot be told here" if row["value"] is None else f"{row['value']:.1f} {row['unit']}"
    limit = "" if row["limit"] is None else f"  (at most {row['limit']:.0f}{'' if row['ok'] is not False else ', too much'})"
    return f"{row['what']:28s} {row['size']:10s} {value}{limit}"


def _at(folder: Path, size: tuple[int, int]) -> list[dict[str, Any]]:
    from vision.boardfile import SetUpLook
    from vision.camera.gate import Gate
    from vision.finder import find_table
    from vision.reader import Reader

    def picture(name: str) -> Image:
        return _picture(folder / name, size)

    start = picture("f000.jpg")
    reader = Reader(find_table(start), SetUpLook(start))
    gate = Gate(reader.table)
    frames = _noisy(start, 60)
    gates = [_cost(partial(gate.see, frame, i / FPS)) for i, frame in enumerate(frames)]
    readings = [_cost(partial(reader.read, picture(name))) for name in PAUSES * 2]
    return [
        _row(GATE, size, median(gates)),
        _row(READING, size, median(readings[len(PAUSES) :])),
        _row(ANNOUNCED, size, _typical([_announced(reader, start, picture("f002.jpg"), rest) for rest in RESTS])),
    ]


def _cost(do: Callable[[], object]) -> float:
    """Processor time, ms."""
    began = time.process_time()
    do()
    return 1000 * (time.process_time() - began)


def _picture(path: Path, size: tuple[int, int]) -> Image:
    import cv2

    from vision.pictures import load_picture

    return np.asarray(cv2.resize(load_picture(path), size, interpolation=cv2.INTER_AREA), np.uint8)


def _noisy(image: Image, count: int, seed: int = 1) -> Iterator[Image]:
    """The picture as a camera goes on giving it."""
    rng = np.random.default_rng(seed)
    noise = [rng.normal(0, 2, (*image.shape[:2], 1)).round().astype(np.int16) for _ in range(4)]
    for i in range(count):
        yield np.clip(image + noise[i % 4], 0, 255).astype(np.uint8)


def _typical(values: list[float | None]) -> float | None:
    """The median; None where one is missing."""
    known = [value for value in values if value is not None]
    return median(known) if len(known) == len(values) else None


def _announced(reader: Any, before: Image, thrown: Image, rest: float) -> float | None:
    """ms from the first frame in which the opening dice lie to the roll's announcement; what comes while a picture is read is dropped."""
    from referee.board.position import START
    from referee.match import commands as said
    from referee.match.journal import MemoryJournal
    from referee.match.table import open_table
    from vision.camera.gate import Gate, Rhythm
    from vision.following import Following

    table = open_table(MemoryJournal(), "bray")
    table.command(said.StartMatch(seen_seq=0, names=("Near", "Far"), length=0, games=1))
    table.command(said.StartGame(seen_seq=table.state.seq))
    gate, rhythm, busy = Gate(reader.table), Rhythm(), 0.0
    eyes = Following(reader, lambda: START)
    for i, image in enumerate([*_noisy(before, int(rest * FPS)), *_noisy(thrown, 2 * FPS, 2)]):
        at = i / FPS
        if at < busy:
            continue
        began = time.process_time()
        if rhythm.wants(gate.see(image, at).settled, at):
            reading = eyes.read(image, f"{i}", at)
            new = table.observe(reading) if reading is not None else ()
            busy = at + time.process_time() - began
            if any(one.event.type == "opening_rolled" for one in new):
                return 1000 * (busy - rest)
    return None


def _start_up(folder: Path, place: Path) -> dict[str, Any]:
    """`referee read` on a board that is set up, from the command to its line."""
    from vision.boardfile import SetUpLook, save_table
    from vision.finder import find_table
    from vision.pictures import load_picture

    board = place / "board.json"
    start = load_picture(folder / "f000.jpg")
    save_table(find_table(start), board, SetUpLook(start))
    words = ["read", "--board", str(board), str(folder / "f002.jpg"), "--json"]
    times = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "from web.cli import main; main()", *words], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return _row(START_UP, None, 1000 * min(times))


def _memory(folder: Path, place: Path) -> dict[str, Any]:
    """The most that the service held while it set a table up and followed the demonstration's first pictures, as a camera sends them."""
    import cv2

    film = place / "few.mp4"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZES[0])
    for path in sorted(folder.glob("*.jpg"))[:6]:
        for image in _noisy(_picture(path, SIZES[0]), 3 * FPS):
            writer.write(image)
    writer.release()
    child = subprocess.run([sys.executable, "-c", CHILD, str(place / "m.db"), str(film)], capture_output=True, text=True, timeout=600)
    try:
        return _row(MEMORY, None, float(child.stdout.split()[-1]), "MB")
    except (IndexError, ValueError):
        return _row(MEMORY, None, None, "MB")
