"""How well boards, checkers, dice and cubes are read in labelled pictures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from web.cli._given import labelled, set_up_of, set_ups_of
from web.cli.bench._eyes_score import GROUPS, count, report, words


def run(json_out: bool, folders: tuple[str, ...] = (), kept: str = "", errors: bool = False, threads: int = 1) -> int:
    """Scores every labelled set-up of ``--folders``: a shot of the starting position sets the board up, the others are read.

    ``--kept FILE`` keeps each set-up's counts (JSON lines); set-ups that are in it are not read again, so a run can be stopped and
    gone on with. ``--errors 1`` prints each wrong picture. Exit status 1 when a board was not found or nothing was there to read.
    """
    import cv2

    wanted = set_ups_of(folders)
    cv2.setNumThreads(threads)
    done = _done(kept)
    total: Counter[str] = Counter()
    lost = []
    for number, folder in enumerate(wanted, 1):
        row = done.get(folder.name)
        if row is None:
            row = _score(folder, errors)
            if kept:
                with Path(kept).open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            click.echo(f"{number}/{len(wanted)} {folder.name}: {row['why'] or _brief(row['counts'])}", err=True)
        if row["why"]:
            lost.append(row)
        total += Counter(row["counts"])
    rows = report(total)
    if json_out:
        for line in rows:
            click.echo(json.dumps(line))
        click.echo(json.dumps({"set_ups": len(wanted), "not_found": [row["set_up"] for row in lost]}))
    else:
        click.echo("\n".join(words(rows)))
        click.echo(f"{len(wanted) - len(lost)} of {len(wanted)} boards found")
        for row in lost:
            click.echo(f"  {row['set_up']}: {row['why']}")
    return 1 if lost or not rows else 0


def _done(kept: str) -> dict[str, dict[str, Any]]:
    path = Path(kept)
    if not kept or not path.exists():
        return {}
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        return {row["set_up"]: {"set_up": row["set_up"], "why": row["why"], "counts": dict(row["counts"])} for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        raise click.UsageError(f"{kept} holds no counts of an earlier run: name another file") from None


def _score(folder: Path, errors: bool) -> dict[str, Any]:
    """One set-up's counts; ``why`` says what kept its pictures from being read."""
    from vision.boardfile import SetUpLook
    from vision.finder import BoardNotFound, find_table
    from vision.pictures import load_picture
    from vision.reader import Reader
    from vision.stills import StillReader
    from web.readings import picture_doubt, reading_line

    labels, image = set_up_of(folder)
    with labelled(folder, "its labels.json has a frame without role or image"):
        rest = [(f, folder / f["image"]) for f in labels["frames"] if f["role"] != "calibration"]
    counts: Counter[str] = Counter()
    why = ""
    reader: StillReader | None = None
    try:
        reader = StillReader(Reader(find_table(image), SetUpLook(image)))
    except BoardNotFound as error:
        why = str(error)
    for frame, picture in rest:
        name = frame["image"]
        reading = picture_doubt("board", why)
        if reader is not None:
            with labelled(folder, f"{name}, which its labels.json names, is no picture that can be read"):
                image = load_picture(picture)
            reading = reader.read(image, name)
        line = reading_line(reading, name)
        with labelled(folder, f"its labels.json does not say which dice and checkers are in {name}"):
            here = count(frame, line)
        counts += here
        if errors and not any(key.endswith("right") and not key.endswith("points_right") for key in here):
            click.echo(f"{folder.name}/{name}: {_wrong(frame, line)}", err=True)
    return {"set_up": folder.name, "why": why, "counts": dict(counts)}


def _wrong(frame: dict[str, Any], line: dict[str, Any]) -> str:
    parts = []
    seen, true = line["position"], frame["position"]
    if seen is None:
        parts.append("no position")
    else:
        differ = {p + 1: (a, b) for p, (a, b) in enumerate(zip(true["points"], seen["points"], strict=True)) if a != b}
        parts += [f"points (true, seen) {differ}"] if differ else []
        parts += [f"bar {true['bar']} seen {seen['bar']}"] if true["bar"] != seen["bar"] else []
    dice = [[(d["value"], d["state"]) for d in part["dice"]] for part in (frame, line)]
    if sorted(dice[0], key=str) != sorted(dice[1], key=str):
        parts.append(f"dice {dice[0]} seen {dice[1]}")
    cube = frame.get("cube")
    parts.append(f"cube {cube and [cube['value'], cube['owner']]} seen {line['cube']}")
    return "; ".join(parts) + f"; doubts {[(d['about'], d.get('point')) for d in line['doubt']]}"


def _brief(counts: dict[str, int]) -> str:
    def together(name: str) -> int:
        return sum(counts.get(group + name, 0) for group in GROUPS)

    right, frames, positions, blind = (together(name) for name in ("right", "frames", "position", "blind"))
    return f"{right} of {frames} pictures right, {positions} positions, {blind} with an undoubted error"
