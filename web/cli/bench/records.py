"""Match records: matches checked a second, and what GNU Backgammon makes of our exports and we of its files."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from referee.board import position_to_id
from referee.records.formats import WRITERS, read_record
from referee.records.gnubg import NoAnalysis, find, run_script
from referee.records.record import Do, NotARecord, Parsed, Record, Side
from referee.records.replay import replay
from web.cli.bench._random_matches import Truth, random_match
from web.cli.check import check

LENGTHS = (5, 3, 7, 0, 1, 9, 11, 0, 2, 5)
Match = tuple[Record, tuple[Truth, ...]]


def run(json_out: bool, folder: str | None = None, matches: int = 200, gnubg: bool = True) -> int:
    """Checks every file of ``folder``, or of one of ``matches`` random matches written as `.mat` and `.sgf`; with ``gnubg`` (0: not)
    those are also put through GNU Backgammon. Exit status 1 when anything disagrees."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as made:
        if folder is not None:
            report = {"part": "records", "source": folder, **speed(Path(folder))}
            click.echo(json.dumps(report) if json_out else _sentence(report))
            return 0
        played = [random_match(seed, LENGTHS[seed % len(LENGTHS)]) for seed in range(matches)]
        files = write(played, Path(made))
        report = {"part": "records", "source": f"{matches} random matches", **speed(Path(made))}
        faults = own_faults(played, files)
        report |= {"games": sum(len(r.games) for r, _ in played), "own_disagreements": len(faults)}
        if gnubg and find() is not None:
            try:
                theirs = gnubg_faults(played, files, Path(made))
            except NoAnalysis as error:
                raise click.ClickException(str(error)) from None
            faults += theirs
            report |= {"gnubg_files": len(files), "gnubg_disagreements": len(theirs)}
        elif gnubg:
            report["gnubg"] = "not installed"
    click.echo(json.dumps(report) if json_out else _sentence(report))
    for fault in faults[:20]:
        click.echo(fault, err=True)
    return 1 if faults else 0


def speed(folder: Path) -> dict[str, Any]:
    """Files checked a second in one thread, processor time, and the slowest."""
    files = sorted(p for p in folder.glob("*") if p.is_file() and p.suffix in (".mat", ".txt", ".sgf", ".json", ".gz"))
    if not files:
        raise click.UsageError(f"{folder} holds no match records: name a folder with .mat, .txt, .sgf, .json or .gz")
    slowest, refused, total = 0.0, 0, time.process_time()
    for path in files:
        begun = time.process_time()
        refused += not check(path)["ok"]
        slowest = max(slowest, time.process_time() - begun)
    total = time.process_time() - total
    return {"files": len(files), "refused": refused, "files_per_second": round(len(files) / total, 1), "slowest_s": round(slowest, 3)}


def write(played: list[Match], folder: Path) -> list[tuple[int, Path]]:
    """Every match as `.mat` and `.sgf`: (number, file)."""
    files = []
    for number, (record, _) in enumerate(played):
        for ending in (".mat", ".sgf"):
            path = folder / f"m{number}{ending}"
            path.write_text(WRITERS[ending](record), encoding="utf-8", newline="\n")
            files.append((number, path))
    return files


def meaning(record: Record) -> list[Any]:
    """What a file must keep: who did what and where it led, game by game; a roll the game ended at left out."""
    found = []
    for game, one in zip(record.games, replay(Parsed(record)).games, strict=True):
        actions = [(a.side, a.do, a.dice and tuple(sorted(a.dice))) for a in game.actions if a.do is not Do.RESIGN]
        found.append((game.score, one.winner, one.points, actions, one.positions))
    return found


def own_faults(played: list[Match], files: list[tuple[int, Path]]) -> list[str]:
    """Where our reading of our own files is not what was played."""
    faults = []
    wanted = [meaning(record) for record, _ in played]
    for number, path in files:
        truths = played[number][1]
        try:
            back = meaning(read_record(path).record)
        except NotARecord as error:
            faults.append(f"{path.name}: {error}")
            continue
        if back != wanted[number]:
            faults.append(f"{path.name}: read back otherwise than written")
        if [(b[0], b[1], b[2], b[4][-1]) for b in back] != [(t.score, t.winner, t.points, t.last) for t in truths]:
            faults.append(f"{path.name}: score, winner, points or last position of a game differ from what was played")
    return faults


_SCRIPT = """
import json
out = open({out!r}, "w")
for path in json.load(open({asked!r})):
    gnubg.command(("load match " if path.endswith(".sgf") else "import mat ") + '"%s"' % path)
    gnubg.command('save match "%s.saved.sgf"' % path)
    gnubg.command('export match mat "%s.saved.mat"' % path)
    match = gnubg.match(analysis=0, boards=1, statistics=0)
    games = [[g["info"]["score-X"], g["info"]["score-O"], g["info"].get("winner"), g["info"].get("points-won"),
              [a["board"] for a in g["game"] if a.get("action") == "move"]] for g in match["games"]]
    out.write(json.dumps([match["match-info"]["match-length"], games]) + chr(10))
out.close()
"""


def gnubg_faults(played: list[Match], files: list[tuple[int, Path]], home: Path) -> list[str]:
    """Where GNU Backgammon finds other games, points or positions in our files, or we others in what it saves. Raises `NoAnalysis`."""
    asked, out = home / "asked.list", home / "out.list"
    asked.write_text(json.dumps([str(path) for _, path in files]))
    said = run_script(_SCRIPT.format(asked=str(asked), out=str(out)), home, 900.0)
    lines = out.read_text().splitlines() if out.exists() else []
    if len(lines) != len(files):
        raise NoAnalysis(f"GNU Backgammon read {len(lines)} of {len(files)} files: {said[-200:]!r}")
    faults = []
    events = [meaning(record) for record, _ in played]
    for (number, path), line in zip(files, lines, strict=True):
        record, truths = played[number]
        length, games = json.loads(line)
        if (length, len(games)) != (record.length, len(truths)):
            faults.append(f"{path.name}: gnubg finds {len(games)} game(s) to {length}")
            continue
        for index, (game, truth) in enumerate(zip(games, truths, strict=True), start=1):
            near, far, winner, points, boards = game
            rolled = [action.side.seat for action in record.games[index - 1].actions if action.do is Do.ROLL]
            wanted = [position_to_id(position, seat) for position, seat in zip(truth.before, rolled, strict=True)]
            if ((near, far), winner, points) != (truth.score, "X" if truth.winner is Side.LEFT else "O", truth.points):
                said = f"gnubg says {near}-{far}, {winner} wins {points}"
                faults.append(f"{path.name}, game {index}: {said}; played: {truth.score}, {truth.points}")
            elif boards != wanted:
                faults.append(f"{path.name}, game {index}: gnubg meets other positions")
        for saved in (f"{path}.saved.mat", f"{path}.saved.sgf"):
            back, meant = meaning(read_record(Path(saved)).record), events[number]
            if saved.endswith(".mat") and not record.length:
                # gnubg's .mat forgets the Jacoby rule: it keeps the score right and writes the points of the gammon
                back, meant = [(b[0], b[1], *b[3:]) for b in back], [(w[0], w[1], *w[3:]) for w in meant]
            if back != meant:
                faults.append(f"{Path(saved).name}: what gnubg saved is read otherwise than played")
    return faults


def _sentence(report: dict[str, Any]) -> str:
    text = (
        f"records: {report['files_per_second']:,} files checked a second (processor time, one thread), slowest {report['slowest_s']} s, "
        f"{report['files']} files from {report['source']}, {report['refused']} refused"
    )
    if "own_disagreements" in report:
        text += f"; {report['games']} games read back, {report['own_disagreements']} files differ"
    if "gnubg_disagreements" in report:
        text += f"; GNU Backgammon imported and saved {report['gnubg_files']} of them, {report['gnubg_disagreements']} disagreements"
    elif "gnubg" in report:
        text += f"; GNU Backgammon: {report['gnubg']}"
    return text
