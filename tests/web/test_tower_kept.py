"""What a dice tower tells is kept before it is acknowledged, and counts once, whenever it is told again."""

from __future__ import annotations

import time

import pytest

from hardware.protocol import BoxEvent, parse
from hardware.session import Heard as FromBox
from hardware.simulator import Simulator
from referee.match.journal import Heard
from referee.match.state import Phase
from referee.records.store import Store
from tests.web import test_tower_at_table
from tests.web.test_tower_at_table import acknowledged
from web.desk import Desk
from web.towerline import BOOTS, TowerLine

at_table = test_tower_at_table.at_table


def writing(store: Store, may: bool) -> None:
    """Connections are made anew, for one that the link was using just then would stay as it was."""
    store._engine.dispose()
    if not may:
        with store._engine.connect().execution_options(looking=True) as db:
            db.exec_driver_sql("PRAGMA query_only = ON")


@pytest.mark.parametrize(("command", "phase"), [
    ("roll far 6 2", Phase.ROLLED), ("button double", Phase.DOUBLED), ("throw far", Phase.TO_ROLL),
])  # fmt: skip
def test_what_cannot_be_stored_is_kept_by_the_box_until_it_can_be(
    at_table: tuple[Desk, Simulator, TowerLine], command: str, phase: Phase
) -> None:
    """The disk is full, or may not be written: a throw that was acknowledged and not kept would be lost."""
    desk, simulator, line = at_table
    said: list[str] = []
    line._say = said.append
    writing(desk.store, False)
    simulator.command(command)
    time.sleep(0.5)
    assert (simulator.waiting, desk.state.phase) == (1, Phase.TO_ROLL)
    writing(desk.store, True)
    assert acknowledged(simulator)
    assert (desk.state.phase, len(desk.store.heard(desk.match)), said) == (phase, 1, [])


@pytest.mark.parametrize("count", [0, 1], ids=["first count", "count begun again"])
@pytest.mark.parametrize(("age", "ago"), [(300, 0.3), (65535, 600.0)], ids=["at once", "much later"])
def test_a_throw_that_was_kept_is_known_when_the_box_tells_it_again_after_a_restart(
    at_table: tuple[Desk, Simulator, TowerLine], age: int, ago: float, count: int
) -> None:
    """Its acknowledgement was lost; a box that has waited for over a minute says no more than that."""
    desk, _, line = at_table
    now, said = time.monotonic(), list[str]()
    line._say = said.append
    for before in range(count):
        desk.hear(Heard("oak", 3 + BOOTS * before, 1, "BUTTON 3 1 0 near", now - 2 * ago))
    desk.hear(Heard("oak", 3 + BOOTS * count, 2, "ROLL 3 2 0 far 6f 2f", now - ago))
    again = parse(f"ROLL 3 2 {age} far 6f 2f")
    assert isinstance(again, BoxEvent)
    assert line._store(FromBox("oak", again, now - age / 1000))
    assert (desk.state.phase, len(desk.store.heard(desk.match)), said) == (Phase.TO_ROLL, count + 1, [])
