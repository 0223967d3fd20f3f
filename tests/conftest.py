"""What holds for every test: no unexpected log record, and on a machine that has everything, no skipped test."""

from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every server and command that a test starts compiles the whole program again

LONGEST = (
    "test_house.py", "test_setup.py", "test_started_anew.py", "test_cameras_change.py", "test_whole_setup.py", "test_setup_command.py",
    "test_pages_in_use.py", "test_finder.py", "test_clock.py", "test_many_pages.py", "test_by_hand.py", "test_following.py", "test_read.py",
    "test_runtime.py", "test_accessible.py", "test_gate.py", "test_seen_games.py", "test_dice_loose.py", "test_demo.py",
    "test_said_plainly.py", "test_left_running.py", "test_slow_lines.py", "test_store.py", "test_put_right.py",
)

for _name in ("SIGHUP", "SIGINT"):
    # nohup, and a shell for what it runs in the background, have these ignored, and whatever a test starts would ignore them too:
    # caught and dropped they end the tests no more than before, and a program that is started has them as ever
    if hasattr(signal, _name) and signal.getsignal(getattr(signal, _name)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _name), lambda *_: None)

settings.register_profile("referee", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("referee")


def pytest_xdist_auto_num_workers() -> int:
    """Two for every core, for many tests wait for a browser; at most eight, for each may hold the readers' nets."""
    return min(8, 2 * len(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else 4


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, or a worker would be alone with one at the end; then those that wait for a browser among those that
    reckon. The tests of a file stay together."""
    items.sort(key=lambda item: (item.path.name not in LONGEST, crc32(str(item.path.relative_to(item.config.rootpath)).encode())))


def pytest_collection_finish() -> None:
    """What was loaded and collected stays to the end: to look through all of it for what is left over takes a second each time."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "logs: this test expects log records of level WARNING or above")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """With REFEREE_NO_SKIPS=1 (set where every optional program is installed) a skip is a failure."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("REFEREE_NO_SKIPS") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped, though everything it needs should be here: {call.excinfo.value if call.excinfo else ''}"
    return report


@pytest.fixture(scope="session", autouse=True)
def _one_search_for_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A board that was found for one worker's tests is not looked for again for another's."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        from tests.found import share

        share(tmp_path_factory.getbasetemp().parent / "boards")


@pytest.fixture
def found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a camera's board nor a command's is looked for again in a picture in which another test has looked for it."""
    from tests.found import remembered

    monkeypatch.setattr("web.runtime.seats.find_table", remembered)  # first, for this imports it as it is
    monkeypatch.setattr("vision.finder.find_table", remembered)


class _Recorder(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def _no_unexpected_log(request: pytest.FixtureRequest) -> Iterator[None]:
    recorder = _Recorder()
    logging.getLogger().addHandler(recorder)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(recorder)
    if request.node.get_closest_marker("logs") is None:
        unexpected = [f"{r.name}: {r.getMessage()}" for r in recorder.records]
        assert not unexpected, f"unexpected log records: {unexpected}"
