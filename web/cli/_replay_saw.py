"""Reads the pictures of a bundle "what it saw" anew: a bad table becomes a test case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli._outputs import one_line

if TYPE_CHECKING:
    from vision.pictures import Image
    from vision.reader import Reader
    from vision.stills import StillReader
    from vision.table import Table
    from web.saw import Saw


def again(path: Path, json_out: bool) -> int:
    """Prints each picture's reading of now and where it differs from the one kept; exit status 1 when one does."""
    from vision.boardfile import BoardFileError
    from vision.pictures import PictureError, decode_picture
    from web.cli.read import DiceOnly
    from web.readings import reading_line
    from web.saw import SawError, unpack

    try:
        with path.open("rb") as file:
            saw = unpack(file)
        kept = [_kept(line) for line in saw.lines]
        if not saw.board and not kept:
            raise click.UsageError(f"{path.name} has no board in it: the referee had not found it yet")
        reader = _reader(saw) if saw.board else DiceOnly()  # of `referee read --dice`
        pictures = [(name, decode_picture(data, name)) for name, data in saw.pictures]
    except (SawError, PictureError, BoardFileError, OSError, ValueError) as error:
        raise click.UsageError(f"{path.name}: {error}") from None
    changed = 0
    for (name, image), before in zip(pictures, [*kept, *[None] * len(pictures)], strict=False):
        line = reading_line(reader.read(image, frame=name), name)
        differs = [] if before is None else differences(before, line)
        changed += bool(differs)
        if json_out:
            click.echo(json.dumps(line | {"differs": differs}))
        else:
            click.echo(one_line(f"{name}: {'; '.join(differs) or 'read as before'}"))
    return 1 if changed else 0


def _reader(saw: Saw) -> Reader | StillReader:
    """As the one that read the pictures was set up. Raises SawError, BoardFileError, PictureError or ValueError."""
    from vision.boardfile import SetUpLook, board_from_text, table_from_text
    from vision.pictures import decode_picture
    from vision.reader import Reader
    from vision.stills import StillReader
    from web.readings import position_from_text
    from web.saw import SawError

    table, look = board_from_text(saw.board)
    start = decode_picture(saw.start[1], "the set-up picture") if saw.start is not None else None
    if not saw.set_up:
        look = SetUpLook(_of(table, start)) if start is not None else look
        return StillReader(Reader(table, look))
    try:
        stood = json.loads(saw.set_up)
        position, place = position_from_text(json.dumps(stood["position"])), table_from_text(json.dumps(stood["board"]))
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise SawError("its set-up.json is damaged: save another bundle") from None
    look = SetUpLook(_of(place, start), position, bool(stood.get("begun"))) if start is not None else None
    return Reader(place, look).moved(table)


def _of(table: Table, start: Image) -> Image:
    """The picture ``start`` of set-up, when the camera of the ``table`` can have taken it. Raises SawError."""
    from web.saw import SawError

    if not table.camera.fits(start):
        raise SawError("its set-up picture is not of its board: save another bundle")
    return start


def _kept(text: str) -> dict[str, Any]:
    """A reading as a bundle keeps it. Raises SawError."""
    from referee.board.position import POINTS
    from web.saw import SawError

    try:
        line = dict(json.loads(text))
        differences(line, line)  # all that is compared is there
        if line["position"] is not None and len(line["position"]["points"]) != POINTS:
            raise ValueError
        return line
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SawError("its readings.jsonl is damaged: save another bundle") from None


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What two readings of one picture tell differently, a sentence each."""
    said = []
    dice = [sorted((d["value"] or 0, d["state"]) for d in line["dice"]) for line in (before, now)]
    if dice[0] != dice[1]:
        said.append(f"dice were {_dice(dice[0])}, are {_dice(dice[1])}")
    was, here = before["position"], now["position"]
    if was is None or here is None:
        if was != here:
            said.append("the position was not read, and is now" if was is None else "the position was read, and is not now")
    else:
        points = [f"{p}: {a} now {b}" for p, (a, b) in enumerate(zip(was["points"], here["points"], strict=True), 1) if a != b]
        if points or was["bar"] != here["bar"]:
            said.append(f"points {', '.join(points) or 'as before'}, bar {was['bar']} now {here['bar']}")
    if before["cube"] != now["cube"]:
        said.append(f"cube was {before['cube']}, is {now['cube']}")
    doubts = [sorted({(d["about"], d.get("point") or 0) for d in line["doubt"]}) for line in (before, now)]
    if doubts[0] != doubts[1]:
        said.append(f"in doubt were {_doubts(doubts[0])}, are {_doubts(doubts[1])}")
    return said


def _dice(dice: list[tuple[int, str]]) -> str:
    return ", ".join(f"{value or '?'} {state}" for value, state in dice) or "none"


def _doubts(doubts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{about} {point}" if point else about for about, point in doubts) or "nothing"
