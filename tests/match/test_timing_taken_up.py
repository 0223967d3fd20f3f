"""What takes a clock away from its table: the computer sleeps, the program starts anew, the disk is full."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.match import commands as c
from referee.match import events as e
from referee.match.journal import Heard, JournalError, MemoryJournal
from referee.match.state import Phase
from referee.match.witness import Witnesses
from referee.observations import TowerThrow
from referee.records.store import Store
from tests.match.full_disk import FullDisk
from tests.match.test_timing import FAR, Timed


def test_after_a_sleep_both_stand_as_when_it_began_also_where_the_clock_of_the_system_has_gone_on() -> None:
    at = Timed()
    at.begin()
    at.now += 20
    at.table.tick()
    at.now += 7200  # Windows
    at.table.slept()
    assert at.shown == ([592.0, 600.0], None)
    at.table.tick()
    assert at.table.state.flagged is None
    at.do(c.StartClock, after=60)
    at.now += 5
    assert at.shown == ([587.0, 600.0], "near"), "what was left of the turn's free seconds was used"


def test_a_clock_that_stood_before_a_sleep_is_not_stopped_twice() -> None:
    at = Timed()
    at.begin()
    at.do(c.StopClock, after=5)
    at.table.slept()
    assert sum(isinstance(one.event, e.ClockStopped) for one in at.table.log) == 1


def test_after_a_restart_both_stand_where_the_last_committed_instant_left_them(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        at = Timed(journal=store.latest())
        at.begin()
        at.do(c.EnterPlay, after=32, play="8/5 6/5")
        at.do(c.SetScore, after=22, score=(1, 0))
    with Store(tmp_path / "a.db") as store:
        again = Timed(journal=store.latest())
        again.now = 5.0  # another process, another monotonic clock
        assert again.shown == ([580.0, 590.0], None)
        again.now += 100
        assert again.shown == ([580.0, 590.0], None)
        again.do(c.EnterRoll, dice=(6, 6))
        again.now += 100
        assert again.shown == ([580.0, 590.0], None), "until a person starts it"
        again.do(c.StartClock)
        again.now += 10
        assert again.shown == ([580.0, 580.0], "far")


def test_an_undo_starts_no_clock_that_a_restart_stopped(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        at = Timed(journal=store.latest())
        at.begin()
        at.do(c.EnterPlay, after=20, play="8/5 6/5")
    with Store(tmp_path / "a.db") as store:
        again = Timed(journal=store.latest())
        again.do(c.Undo)
        assert (again.table.state.phase, again.shown) == (Phase.ROLLED, ([600.0, 600.0], None))
        again.do(c.StartClock, after=100)
        assert again.shown == ([600.0, 600.0], "near")


@pytest.mark.parametrize("acts", [False, True])
def test_where_the_disk_was_full_at_the_start_the_clock_stands_from_the_last_instant_all_the_same(acts: bool) -> None:
    disk = FullDisk()
    at = Timed(journal=disk)
    at.begin()
    at.now += 20
    disk.full = True
    again = Timed(journal=disk)
    again.now = at.now + 3600
    again.table.tick()
    assert again.shown == ([600.0, 600.0], None)
    disk.full = False
    if acts:  # in the same moment as there is room
        again.do(c.EnterPlay, play="8/5 6/5")
    again.table.tick()
    assert again.shown == ([600.0, 600.0], None)


def test_where_the_disk_is_full_while_the_computer_sleeps_twice_nobody_pays_for_what_lay_between() -> None:
    disk = FullDisk()
    at = Timed(journal=disk)
    at.begin()
    at.now += 20
    at.table.tick()
    disk.full = True
    for _ in range(2):
        at.now += 3600
        at.table.slept()
        at.table.tick()
    disk.full = False
    at.table.tick()
    assert at.shown == ([592.0, 600.0], None)


def test_what_was_kept_as_time_passed_is_told_though_the_fallen_flag_could_not_be() -> None:
    class NoFlag(MemoryJournal):
        def append(self, events: Sequence[e.Logged], heard: Sequence[Heard] = ()) -> None:
            if any(isinstance(one.event, e.Flagged) for one in events):
                raise JournalError("The disk is full.")
            super().append(events, heard)

    at = Timed(journal=NoFlag())
    at.begin()
    at.do(c.EnterPlay, play="8/5 6/5")
    at.table.set_witnesses(Witnesses.BOTH, camera_on=False)
    at.now += 700
    at.table.throw(TowerThrow("oak", 1, 1, None, seat=FAR, captured_at=at.now))
    at.now += 10
    assert [one.event.type for one in at.table.tick()] == ["doubt"]
    assert at.table.trouble
