"""Matches looked over by GNU Backgammon in the background: one at a time, as a program of its own, so that the table never waits."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from referee.records.gnubg import Analysis, NoAnalysis, Tick, analyse, find
from referee.records.record import Record
from web.language import as_sentence

log = logging.getLogger(__name__)

KEPT = 8
"""Finished analyses that are remembered while the program runs."""
LIMIT_S = 1800.0

Analyser = Callable[[Record, int, float, Tick], Analysis]


class Status(Enum):
    """``MISSING``: GNU Backgammon is not installed; ``BUSY``: it looks at another match."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    MISSING = "missing"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Job:
    """A match as its log stood at ``seq``, and how far the look at it has come: ``done`` of its ``games``. ``trouble``: one sentence,
    why there is none."""

    match: int
    seq: int
    status: Status
    begun: float = 0.0
    found: Analysis | None = None
    trouble: str = ""
    done: int = 0
    games: int = 0

    @property
    def seconds(self) -> float:
        """How long it has been looked at so far, or was."""
        if self.status is Status.RUNNING:
            return time.monotonic() - self.begun
        return self.found.seconds if self.found is not None else 0.0


class _Ended(Exception):
    """Nobody wants it any more."""


class Analyst:
    """Thread-safe."""

    def __init__(self, look: Analyser = analyse, installed: Callable[[], str | None] = find) -> None:
        self._look, self._installed = look, installed
        self._guard = threading.Lock()
        self._done: OrderedDict[int, Job] = OrderedDict()
        self._now: Job | None = None
        self._thread: threading.Thread | None = None
        self._end = threading.Event()  # of the look that is on, each its own

    def job(self, match: int, seq: int) -> Job:
        """How it stands with ``match``, whose log is ``seq`` long: an analysis of an earlier state of it counts no more."""
        with self._guard:
            if self._now is not None and self._now.match == match:
                return self._now
            done = self._done.get(match)
            if done is not None and done.seq == seq:
                return done
            if self._installed() is None:
                return Job(match, seq, Status.MISSING)
            return Job(match, seq, Status.BUSY if self._now is not None else Status.NONE)

    def start(self, match: int, seq: int, record: Record, plies: int = 0) -> Job:
        """Begins, unless it is being done, another match is, or the program is missing. How it then stands."""
        with self._guard:
            if self._now is None and self._installed() is not None:
                self._now = Job(match, seq, Status.RUNNING, time.monotonic(), games=len(record.games))
                self._end = threading.Event()
                self._thread = threading.Thread(target=self._run, args=(self._now, record, plies, self._end), name="analysis", daemon=True)
                self._thread.start()
        return self.job(match, seq)

    def stop(self, match: int | None = None) -> None:
        """Ends the look at ``match``, or at whatever is looked at, and waits for it."""
        with self._guard:
            thread, now, end = self._thread, self._now, self._end
        if thread is None or now is None or match not in (None, now.match):
            return
        end.set()
        thread.join(timeout=10)

    def _run(self, job: Job, record: Record, plies: int, end: threading.Event) -> None:
        def tick(_seconds: float, games: int) -> None:
            if end.is_set():
                raise _Ended
            with self._guard:
                self._now = replace(job, done=games)

        fault = "The analysis ended with a fault; it is in the log of the program."
        done: Job | None = Job(job.match, job.seq, Status.FAILED, trouble=fault)
        try:
            found = self._look(record, plies, LIMIT_S, tick)
            done = Job(job.match, job.seq, Status.DONE, found=found)
        except NoAnalysis as error:
            done = Job(job.match, job.seq, Status.FAILED, trouble=as_sentence(str(error)))
        except _Ended:
            done = None
        except Exception:
            log.exception("a fault while analysing")
        with self._guard:
            self._now = None
            if done is not None:
                self._done[job.match] = done
                self._done.move_to_end(job.match)
                while len(self._done) > KEPT:
                    self._done.popitem(last=False)
