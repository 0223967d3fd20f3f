"""Legal plays: full sets of distinct results a second on one core, the mean and the slowest roll."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

import click

from referee.board import CHECKERS, START, LegalPlays, MatchInfo, Position, Seat, match_to_id, position_from_id, position_to_id
from referee.records.gnubg import NoAnalysis, run_script
from web.cli.plays import roll_of

Case = tuple[Position, Seat, tuple[int, int]]
_GAMES_SEED = 1
_GNUBG_CASES = 200


def run(json_out: bool, cases: str | None = None, gnubg: bool = False, count: int = 4000) -> int:
    """Measures and prints. ``cases``: a file of cases with their results instead of positions from random play.

    ``gnubg`` (1) also asks GNU Backgammon's ``hint`` for the first 200 of them. ``count``: positions from random play.
    Exit status 1 when a result set disagrees.
    """
    wanted: list[frozenset[str]] | None = None
    if cases is None:
        played = random_cases(count)
    else:
        played, wanted = read_cases(Path(cases))
    report: dict[str, Any] = {"part": "plays", "cases": len(played), "source": cases or "random play"}
    report |= measure(played)
    if wanted is not None:
        report["disagreements"] = sum(
            {position_to_id(r, seat) for r in LegalPlays(position, seat, roll).results} != ids
            for (position, seat, roll), ids in zip(played, wanted, strict=True)
        )
    if gnubg:
        report |= ask_gnubg(played[:_GNUBG_CASES])
    click.echo(json.dumps(report) if json_out else _sentence(report))
    return 1 if report.get("disagreements") or report.get("gnubg_disagreements") else 0


def measure(played: list[Case]) -> dict[str, Any]:
    """Time for the full set of distinct results of every case, each from scratch; the slowest is taken the better of three."""
    best = [float("inf")] * len(played)
    total = float("inf")
    results = 0
    for _ in range(3):
        round_total = 0.0
        results = 0
        for number, (position, seat, roll) in enumerate(played):
            started = time.perf_counter()
            results += len(LegalPlays(position, seat, roll).results)
            took = time.perf_counter() - started
            round_total += took
            best[number] = min(best[number], took)
        total = min(total, round_total)
    ordinary = [t for t, (_, _, roll) in zip(best, played, strict=True) if roll[0] != roll[1]]
    doubles = [t for t, (_, _, roll) in zip(best, played, strict=True) if roll[0] == roll[1]]
    return {
        "cases_per_second": round(len(played) / total),
        "results_per_second": round(results / total),
        "slowest_ordinary_ms": round(max(ordinary, default=0.0) * 1000, 3),
        "slowest_double_ms": round(max(doubles, default=0.0) * 1000, 3),
    }


def random_cases(count: int) -> list[Case]:
    """Positions and rolls met in games of random legal plays, the same every time, and the known worst double last."""
    rng = random.Random(_GAMES_SEED)
    found: list[Case] = []
    while len(found) < count:
        position, seat = START, Seat.NEAR
        while CHECKERS not in position.off and len(found) < count:
            roll = (rng.randint(1, 6), rng.randint(1, 6))
            found.append((position, seat, roll))
            plays = list(LegalPlays(position, seat, roll))
            if plays:
                position = rng.choice(plays).result
            seat = seat.other
    return [*found, (WORST, Seat.NEAR, (1, 1))]


WORST = Position((0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1), (0, 15))
"""Every checker alone and nothing in the way: a double of ones has 2225 results, the most that a search found."""


def read_cases(path: Path) -> tuple[list[Case], list[frozenset[str]]]:
    """Cases and their expected results from JSON lines (``pos``, ``dice``, ``results``), gzipped or not."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
        played: list[Case] = [(position_from_id(r["pos"], Seat.NEAR), Seat.NEAR, roll_of(r["dice"])) for r in rows]
        if not played:
            raise ValueError("no case")
        return played, [frozenset(r["results"]) for r in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error):
        raise click.UsageError(f"{path} is not a file of cases: JSON lines with pos, dice and results") from None


_SCRIPT = """
import json, time
out = open({out!r}, "w")
for asked in json.load(open({asked!r})):
    started = time.perf_counter()
    gnubg.command("set gnubgid " + asked)
    hint = gnubg.hint(9999)
    moves = [h["move"] for h in (hint or {{}}).get("hint", [])]
    out.write(json.dumps([time.perf_counter() - started, moves]) + chr(10))
out.close()
"""


def ask_gnubg(played: list[Case]) -> dict[str, Any]:
    """The same cases put to GNU Backgammon's ``hint``: its rate, and how many cases have another number of plays."""
    asked = [f"{position_to_id(position, seat)}:{match_to_id(MatchInfo(length=7, dice=roll))}" for position, seat, roll in played]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "asked.json").write_text(json.dumps(asked))
        try:
            run_script(_SCRIPT.format(out=str(home / "out"), asked=str(home / "asked.json")), home, 300.0)
            answers = [json.loads(line) for line in (home / "out").read_text().splitlines()]
        except NoAnalysis as error:
            return {"gnubg": str(error)}
        except (OSError, ValueError):
            return {"gnubg": "gave no answer"}
    if len(answers) != len(asked):
        return {"gnubg": "gave no answer"}
    wrong = sum(len(moves) != len(LegalPlays(*case)) for (_, moves), case in zip(answers, played, strict=True))
    return {
        "gnubg_cases": len(asked),
        "gnubg_cases_per_second": round(len(asked) / sum(took for took, _ in answers)),
        "gnubg_disagreements": wrong,
    }


def _sentence(report: dict[str, Any]) -> str:
    text = (
        f"legal plays: {report['cases_per_second']:,} full result sets a second ({report['results_per_second']:,} results), "
        f"slowest ordinary roll {report['slowest_ordinary_ms']} ms, slowest double {report['slowest_double_ms']} ms, "
        f"{report['cases']} cases from {report['source']}"
    )
    if "disagreements" in report:
        text += f", {report['disagreements']} disagree with the file"
    if "gnubg_cases_per_second" in report:
        text += (
            f"; GNU Backgammon’s hint: {report['gnubg_cases_per_second']:,} a second on {report['gnubg_cases']}, "
            f"{report['gnubg_disagreements']} disagree"
        )
    elif "gnubg" in report:
        text += f"; GNU Backgammon: {report['gnubg']}"
    return text
