"""A tower at a port, and what takes in what it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.link import Link, LinkState
from hardware.session import Heard
from hardware.simulator import Simulator
from tests.waiting import until


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    box = Simulator(repeat_every=0.03).start()
    yield box
    box.close()


class Store:
    """What a journal does: an event is stored once, by (device, boot, sequence)."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int, int], Heard] = {}
        self.calls = 0
        self.full = False
        self.fault: Exception | None = None

    def __call__(self, heard: Heard) -> bool:
        self.calls += 1
        if self.fault is not None:
            raise self.fault
        if self.full:
            return False
        self.rows.setdefault((heard.device, heard.event.stamp.boot, heard.event.stamp.seq), heard)
        return True


@pytest.fixture
def linked(simulator: Simulator) -> Iterator[tuple[Simulator, Link, Store]]:
    store = Store()
    assert simulator.tty is not None
    link = Link(simulator.tty, store).start()
    assert until(lambda: link.health.state is LinkState.CONNECTED), link.health
    yield simulator, link, store
    link.close()
