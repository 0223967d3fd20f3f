"""The dice tower's link on a pseudo-terminal: latency, damaged lines, reconnection, idle cost."""

from __future__ import annotations

import json
import statistics
import time


def run(json_out: bool, events: int = 10_000, spoilt: float = 0.2) -> int:
    """Event to acknowledged; ``events`` events with a share ``spoilt`` of the lines damaged; reconnection; CPU of an idle link."""
    from hardware.link import Link, LinkState
    from hardware.protocol import Status
    from hardware.session import Heard
    from hardware.simulator import Simulator

    rows: set[tuple[str, int, int]] = set()
    calls = 0

    def store(heard: Heard) -> bool:
        nonlocal calls
        if isinstance(heard.event, Status):  # comes by itself, every half minute
            return True
        calls += 1
        rows.add((heard.device, heard.event.stamp.boot, heard.event.stamp.seq))
        return True

    def wait(condition: object, seconds: float = 30.0) -> float:
        begun = time.perf_counter()
        while not condition():  # type: ignore[operator]
            if time.perf_counter() - begun > seconds:
                raise TimeoutError("the tower's link did not answer")
            time.sleep(0.0005)
        return time.perf_counter() - begun

    simulator = Simulator(repeat_every=0.03).start()
    assert simulator.tty is not None
    link = Link(simulator.tty, store).start()
    wait(lambda: link.health.state is LinkState.CONNECTED)
    latencies = []
    for i in range(300):
        simulator.command("throw near" if i % 2 else "throw far")
        latencies.append(wait(lambda: simulator.waiting == 0) * 1000)
    latencies.sort()
    begun, cpu = time.perf_counter(), time.process_time()
    time.sleep(5.0)
    # The simulator's own thread polls in this process too: this is an upper bound of the link's share.
    idle = 100 * (time.process_time() - cpu) / (time.perf_counter() - begun)
    simulator.command("unplug 0.1")
    wait(lambda: link.health.state is LinkState.LOST)
    reconnect = wait(lambda: link.health.state is LinkState.CONNECTED)
    for name in ("drop", "spoil"):
        simulator.command(f"{name} {spoilt / 2}")
    wait(lambda: simulator.waiting == 0)
    before, duplicates = len(rows), calls - len(rows)
    for i in range(events):
        wait(lambda: simulator.waiting < 8)
        simulator.command("throw near" if i % 2 else "throw far")
    wait(lambda: simulator.waiting == 0)
    answer = {
        "event_to_acknowledged_ms": {
            "median": round(statistics.median(latencies), 2),
            "p99": round(latencies[int(len(latencies) * 0.99)], 2),
        },
        "events": events,
        "lines_damaged": spoilt,
        "lost": before + events - len(rows),
        "doubled": calls - len(rows) - duplicates,
        "reconnect_s": round(reconnect, 2),
        "idle_cpu_percent_link_and_simulator": round(idle, 2),
    }
    link.close()
    simulator.close()
    if json_out:
        print(json.dumps(answer))
    else:
        for key, value in answer.items():
            print(f"{key}: {value}")
    return 0 if answer["lost"] == 0 and answer["doubled"] == 0 else 1
