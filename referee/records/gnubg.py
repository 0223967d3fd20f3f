"""GNU Backgammon as a separate program: found where it is installed, given a match, asked for its analysis.

It gets a home of its own in a temporary folder, so that it neither reads nor writes the user's settings.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from referee.records.formats import WRITERS
from referee.records.mat import names_of, other_crawford
from referee.records.record import Action, Do, Record, steps_text

PLACES = (
    "/usr/games/gnubg",
    "/usr/local/bin/gnubg",
    "/opt/homebrew/bin/gnubg",
    "/opt/local/bin/gnubg",
    "/Applications/gnubg.app/Contents/MacOS/gnubg",
    r"C:\Program Files (x86)\gnubg\gnubg-cli.exe",
    r"C:\Program Files\gnubg\gnubg-cli.exe",
)
MISSING = (
    "GNU Backgammon is not found: get it from gnu.org/software/gnubg (on Debian and Ubuntu: apt install gnubg) and try again; if it is "
    "installed already, put its folder on the PATH and start the referee again"
)


class NoAnalysis(Exception):
    """There is none; the text is one sentence why."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A checker play that cost ``error`` equity (EMG: cube 1 is the unit) beside the ``best`` one."""

    game: int
    roll: int
    player: str
    dice: tuple[int, int]
    played: str
    best: str
    error: float


@dataclass(frozen=True, slots=True)
class CubeMistake:
    """A cube action (``roll``, double, take, drop) that cost ``error`` equity (EMG) beside the ``better`` one. ``roll`` counts the
    game's rolls: the one before which it was decided."""

    game: int
    roll: int
    player: str
    act: str
    better: str
    error: float


@dataclass(frozen=True, slots=True)
class Player:
    """One player's figures. Errors and ``luck`` are totals in EMG; ``error_rate`` in thousandths of it a decision.

    ``pr`` = 500 x errors / (unforced moves + close cube decisions). ``cube_mistakes``: how many of which kind.
    """

    name: str
    decisions: int
    play_error: float
    cube_error: float
    luck: float
    cube_mistakes: tuple[tuple[str, int], ...]

    @property
    def error(self) -> float:
        return self.play_error + self.cube_error

    @property
    def error_rate(self) -> float:
        return 1000 * self.error / self.decisions if self.decisions else 0.0

    @property
    def pr(self) -> float:
        return self.error_rate / 2


@dataclass(frozen=True, slots=True)
class Analysis:
    """``players`` (left, right); ``worst`` plays and ``worst_cube`` actions, the dearest first; ``plies``: how deep it looked, for the
    figures move with it."""

    players: tuple[Player, Player]
    worst: tuple[Mistake, ...]
    worst_cube: tuple[CubeMistake, ...]
    plies: int
    seconds: float


def find() -> str | None:
    """The program: on the path, or in the places where Debian, macOS and Windows put it."""
    named = shutil.which("gnubg-cli") or shutil.which("gnubg")
    return named or next((place for place in PLACES if os.path.isfile(place) and os.access(place, os.X_OK)), None)


_SCRIPT = """
import json
asked = json.load(open({asked!r}))
for command in asked["commands"]:
    gnubg.command(command)
gnubg.command("first game")
for done in range(len(gnubg.match(analysis=0, boards=0, statistics=0)["games"])):
    if done:
        gnubg.command("next game")
    gnubg.command("analyse game")
    with open(asked["done"], "a") as file:
        file.write(".")
found = gnubg.match(analysis=1, boards=0, statistics=1)
length = found["match-info"]["match-length"]
games = []
for game in found["games"]:
    info, cube, owner, actions = game["info"], 1, -1, []
    for a in game["game"]:
        analysis, seat, equities = a.get("analysis") or {{}}, {{"X": 0, "O": 1}}.get(a.get("player")), None
        if "nd-cubeful-eq" in analysis and seat is not None:
            equities = [analysis["nd-cubeful-eq"], analysis["dt-cubeful-eq"]]
            if length:
                place = gnubg.cubeinfo(cube, owner, seat, length, (info["score-X"], info["score-O"]), 0, 0)
                equities = [gnubg.mwc2eq(chance, place) for chance in equities]
        if a.get("action") == "take":
            cube, owner = 2 * cube, seat
        elif a.get("action") == "set":
            cube = a.get("cube", cube)
            if "cube-owner" in a:
                owner = {{"X": 0, "O": 1}}.get(a["cube-owner"], -1)
        actions.append([a.get("action"), a.get("player"), a.get("dice"), a.get("move"), analysis, equities])
    games.append(actions)
with open(asked["answer"], "w") as file:
    json.dump({{"stats": found["stats"], "games": games}}, file)
"""


def run_script(script: str, home: Path, limit_s: float, tick: Callable[[float], None] = lambda seconds: None) -> str:
    """Runs Python inside the program, with ``home`` as its home; what it printed. ``tick`` is called about once a second with the
    seconds so far. Raises `NoAnalysis` when it is missing or takes longer than ``limit_s``."""
    program = find()
    if program is None:
        raise NoAnalysis(MISSING)
    file = home / "script.py"
    file.write_text(script, encoding="utf-8")
    env = {**os.environ, "HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home), "LOCALAPPDATA": str(home)}
    begun = time.monotonic()
    with _running([program, "-t", "-q", "-r", "-p", str(file)], env, home) as process:
        while True:
            spent = time.monotonic() - begun
            try:
                out, _ = process.communicate(timeout=max(0.05, min(1.0, limit_s - spent)))
                return out.decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                spent = time.monotonic() - begun
                tick(spent)
                if spent >= limit_s:
                    raise NoAnalysis(f"GNU Backgammon had not finished after {limit_s:g} s: allow more time, or look less deep") from None


@contextlib.contextmanager
def _running(command: list[str], env: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """It runs, and is ended whatever happens. Raises `NoAnalysis` when it cannot be started.

    It is started in a thread of its own, in which no signal is answered: one answered while it starts would leave it running."""
    asked, answered = threading.Event(), threading.Event()
    begun: list[subprocess.Popen[bytes]] = []
    refused: list[OSError] = []

    def start() -> None:
        asked.wait()
        try:
            begun.append(
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, cwd=folder)
            )
        except OSError as error:
            refused.append(error)
        finally:
            answered.set()

    threading.Thread(target=start, daemon=True).start()
    try:
        asked.set()
        answered.wait()
        for error in refused:
            raise NoAnalysis(f"GNU Backgammon ({command[0]}) cannot be started: {error.strerror or error}")
        yield begun[0]
    finally:
        try:
            answered.wait()
        finally:  # though whoever waits should press Ctrl-C once more meanwhile
            for process in begun:
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.kill()
    finally:
        process.kill()  # of one that has ended this does nothing
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=5.0)


Tick = Callable[[float, int], None]
"""Told about once a second how it goes on: the seconds so far, the games that have been looked at."""


def analyse(record: Record, plies: int = 0, limit_s: float = 300.0, tick: Tick = lambda seconds, games: None) -> Analysis:
    """Both players' errors and luck in ``record``, looked at ``plies`` deep (luck always at 0). Raises `NoAnalysis`."""
    begun = time.monotonic()
    actions = [a for game in record.games for a in game.actions]
    stood = any(a.do is Do.ROLL and a.position is not None for a in actions)
    ending = ".sgf" if _beyond_mat(record, actions) else ".txt" if stood else ".mat"
    shown = replace(record, names=names_of(record))  # it cuts a longer name even inside a character, and its Python fails over the rest
    with tempfile.TemporaryDirectory(prefix="referee-gnubg-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        match, answer, asked, done = home / f"match{ending}", home / "answer.json", home / "asked.json", home / "done"
        match.write_text(WRITERS[ending](shown), encoding="utf-8", newline="\n")
        commands = [
            "set threads 1",
            f"set analysis chequerplay evaluation plies {plies}",
            f"set analysis cubedecision evaluation plies {plies}",
            "set analysis luckanalysis plies 0",
            f'{"load match" if ending == ".sgf" else "import mat"} "{match.as_posix()}"',  # in quotes a backslash need not stand for itself
        ]
        asked.write_text(json.dumps({"commands": commands, "done": str(done), "answer": str(answer)}), encoding="utf-8")
        run_script(_SCRIPT.format(asked=str(asked)), home, limit_s, lambda spent: tick(spent, _size(done)))
        try:
            found = json.loads(answer.read_text(encoding="utf-8"))
            players = _player(record.names[0] or "left", found["stats"]["X"]), _player(record.names[1] or "right", found["stats"]["O"])
            names = {"X": players[0].name, "O": players[1].name}
            worst, worst_cube = _mistakes(found["games"], names), _cube_mistakes(found["games"], names)
        except (OSError, ValueError, KeyError, TypeError):
            raise NoAnalysis("GNU Backgammon gave no analysis of this match") from None
    return Analysis(players, tuple(worst), tuple(worst_cube), plies, time.monotonic() - begun)


def _size(file: Path) -> int:
    """How long it is; nothing while it is not there."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _beyond_mat(record: Record, actions: list[Action]) -> bool:
    """Whether the record holds what a `.mat` cannot say and GNU Backgammon would take to be otherwise: a position or a cube set by hand, a
    cube turned by ties, money without the Jacoby rule, a match without the Crawford game or with another than one would think; or a
    dropped beaver, after which it passes over the first plays of the next game."""
    if any(b.do is Do.DROP and a.do in (Do.BEAVER, Do.RACCOON) for a, b in pairwise(actions)):
        return True
    by_hand = any(a.do in (Do.SET_POSITION, Do.SET_CUBE) for a in actions) or any(game.cube != 1 for game in record.games)
    crawford = other_crawford(record) or (record.crawford is False and record.length > 1)
    return by_hand or (record.jacoby is False and not record.length) or crawford


def _player(name: str, stats: dict[str, Any]) -> Player:
    """In this program's figures the move error is a total and the cube's a rate; the cube's total is the sum of its kinds."""
    moves, cube = stats["moves"], stats["cube"]
    cube_error = sum(float(value) for key, value in cube.items() if key.startswith("err-") and key.endswith("-skill"))
    kinds = tuple((key, int(value)) for key, value in cube.items() if key.startswith(("missed-", "wrong-")) and value)
    decisions = int(moves["unforced-moves"]) + int(cube["close-cube"])
    return Player(name, decisions, float(moves["error-skill"]), cube_error, float(stats["dice"]["luck"]), kinds)


def _mistakes(games: list[Any], names: dict[str, str]) -> list[Mistake]:
    found = []
    for number, actions in enumerate(games, start=1):
        for roll, (_, player, dice, move, analysis, _) in enumerate([a for a in actions if a[0] == "move"], start=1):
            candidates = analysis.get("moves") or []
            same = [c for c in candidates if _net(c["move"]) == _net(move or [])]
            played = min(same, key=lambda c: sorted(c["move"]) != sorted(move or []), default=None)
            if played is None:
                continue
            best = max(candidates, key=lambda c: float(c["score"]))
            error = float(best["score"]) - float(played["score"])
            if error > 0.0005:
                shown = (steps_text(played["move"]), steps_text(best["move"]))
                found.append(Mistake(number, roll, names[player], (int(dice[0]), int(dice[1])), *shown, error))
    return sorted(found, key=lambda one: -one.error)


def _cube_mistakes(games: list[Any], names: dict[str, str]) -> list[CubeMistake]:
    """Doubles missed or made wrongly, wrong takes and drops. Equities are the one on roll's, not doubling and doubled and taken; a drop
    is worth one to him."""
    found = []
    for number, actions in enumerate(games, start=1):
        roll, taken = 1, None
        doubler: str | None = None
        for action, player, _, _, _, equities in actions:
            act, error = "", 0.0
            answered, doubler = doubler, player if action == "double" else None
            if action == "double" and answered not in (None, player):
                taken = None  # a beaver: the double was the decision
            elif action in ("move", "double") and equities is not None:
                alone, taken = float(equities[0]), float(equities[1])
                doubled = min(taken, 1.0)
                act, better = ("double", "roll") if action == "double" else ("roll", "double")
                error = alone - doubled if action == "double" else doubled - alone
            elif action in ("take", "drop") and taken is not None:
                act, better = (action, "drop" if action == "take" else "take")
                error = taken - 1.0 if action == "take" else 1.0 - taken
            if act and error > 0.0005:
                found.append(CubeMistake(number, roll, names[player], act, better, error))
            roll += action == "move"
    return sorted(found, key=lambda one: -one.error)


def _net(steps: list[list[int]]) -> list[tuple[int, int]]:
    """What a play changes, however its steps are written: 24/20 20/14 is 24/14."""
    change: Counter[int] = Counter()
    for source, target in steps:
        change[source] -= 1
        change[target] += 1
    return sorted((point, count) for point, count in change.items() if count)


def plain_values(found: Analysis, worst: int) -> dict[str, Any]:
    """An analysis as plain values, with the ``worst`` plays and cube actions, as the command line and the API tell it."""
    players = [
        {
            "side": side,
            "name": one.name,
            "decisions": one.decisions,
            "error_rate": round(one.error_rate, 3),
            "pr": round(one.pr, 3),
            "error": round(one.error, 4),
            "play_error": round(one.play_error, 4),
            "cube_error": round(one.cube_error, 4),
            "cube_mistakes": dict(one.cube_mistakes),
            "luck": round(one.luck, 4),
        }
        for side, one in zip(("left", "right"), found.players, strict=True)
    ]
    plays = [
        {"game": one.game, "roll": one.roll, "player": one.player, "dice": list(one.dice), "play": one.played, "best": one.best,
         "error": round(one.error, 4)}
        for one in found.worst[:worst]
    ]  # fmt: skip
    cubes = [
        {"game": one.game, "roll": one.roll, "player": one.player, "act": one.act, "better": one.better, "error": round(one.error, 4)}
        for one in found.worst_cube[:worst]
    ]
    head = {"engine": "GNU Backgammon", "plies": found.plies, "seconds": round(found.seconds, 2)}
    return {**head, "players": players, "worst": plays, "worst_cube": cubes}
