"""`referee read`: reads still pictures, one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from web.cli._given import Named, idle, near_at_option
from web.cli._outputs import one_line


@click.command(
    "read", short_help="Reads dice, checkers and cube in pictures.",
    epilog="Example: referee read --board board.json f01.jpg f02.jpg --json",
)
@click.option("--start", "start", type=Named(), help="A picture of the starting position from the same camera.")
@click.option("--board", "board", type=Named(), help="A board file made by `referee setup`.")
@click.option("--dice", "dice_only", is_flag=True, help="Read only dice, without a board.")
@click.argument("images", nargs=-1, required=True, type=Named())
@click.option("--json", "json_out", is_flag=True, help="One JSON object a line for each picture.")
@near_at_option
@click.option("--annotate", "drawn", type=Named(), help="Write each picture with what was read drawn over it: a file, or a folder.")
@click.option("--bundle", type=Named(), metavar="FILE", help="Write a .zip of pictures, readings and board file: what it saw.")
def command(
    start: str | None, board: str | None, dice_only: bool, images: tuple[str, ...], json_out: bool, near_at: Any,
    drawn: str | None, bundle: str | None,
) -> None:
    """Reads the dice, checkers and cube in IMAGES."""
    from vision.pictures import PictureError, load_picture
    from vision.stills import StillReader
    from web.cli._given import reader_of
    from web.cli._outputs import check_output, write_drawing
    from web.readings import picture_doubt, reading_line

    if (start is not None) + (board is not None) + dice_only != 1:
        raise click.UsageError("say where the board is with one of --start IMAGE, --board board.json or --dice")
    if dice_only:
        idle("with --dice", "near_at")
    inputs = (*images, start, board)
    drawings = _drawings(drawn, images, inputs) if drawn else {}
    if bundle:
        check_output(bundle, "--bundle", inputs)
    reader: Any = DiceOnly() if dice_only else StillReader(reader_of(start, board, near_at))
    pictures, lines = list[tuple[str, bytes]](), list[str]()
    unread = 0
    for name in images:
        image, trouble = None, ""
        try:
            image = load_picture(name)
            reading = reader.read(image, Path(name).name)
        except PictureError as error:
            trouble = str(error)
            reading = picture_doubt("unreadable", trouble)
            unread += 1
        line = json.dumps(reading_line(reading, name))
        click.echo(line if json_out else one_line(trouble) or _plain(reading, name))
        if image is not None and drawn:
            write_drawing(drawings[name], image, reader.table, reading)
        if bundle and image is not None and Path(name).is_file():  # a bundle is read anew as a whole
            pictures.append((Path(name).name, Path(name).read_bytes()))
            lines.append(line)
    if bundle:
        _pack(bundle, reader.table, start, board, pictures, lines)
    if unread:
        click.echo(nl=False)  # flushes it, where there is one
        raise click.ClickException(f"{unread} of {len(images)} pictures could not be read: their lines say why")


class DiceOnly:
    """Reads dice and nothing else, without a board, with the interface of a reader of the whole table."""

    table = None

    def read(self, image: Any, frame: str) -> Any:
        from referee.observations import Reading
        from vision.dice.loose import read_loose

        dice, doubts = read_loose(image)
        return Reading(dice, None, None, doubts, frame=frame)


def _plain(reading: Any, name: str) -> str:
    parts = [f"{d.value or '?'} ({d.state.value})" for d in reading.dice]
    text = f"{one_line(name)}: dice {', '.join(parts) if parts else 'none'}"
    if reading.position is not None:
        text += f"; points {' '.join(str(n) for n in reading.position.points)}, bar {reading.position.bar[0]} {reading.position.bar[1]}"
    if reading.cube is not None:
        text += f"; cube {reading.cube.value}"
    return text + "".join(f"\n  not sure: {d.about.value}{f' {d.point}' if d.point is not None else ''}: {d.text}" for d in reading.doubts)


def _drawings(drawn: str, images: Sequence[str], inputs: Sequence[str | None]) -> dict[str, str]:
    """Where the drawing of each picture goes. Raises `click.UsageError` where that cannot be, or would take the place of something else."""
    from web.cli._outputs import check_drawing

    path = Path(drawn)
    places = dict.fromkeys(images, drawn)
    if len(places) > 1 or path.is_dir() or not path.suffix:
        folder = path if not path.suffix else path.with_suffix("")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.UsageError(f"{folder} cannot be made ({error.strerror or error}): choose another place") from None
        places = {name: str(folder / f"{Path(name).stem}.png") for name in images}
    taken: dict[str, str] = {}
    for name, place in places.items():
        if place in taken:
            raise click.UsageError(f"{taken[place]} and {name} would both be drawn into {place}: read them one after another")
        taken[place] = name
        check_drawing(place, inputs)
    return places


def _pack(
    bundle: str, table: Any, start: str | None, board: str | None, pictures: Sequence[tuple[str, bytes]], lines: Sequence[str]
) -> None:
    """Writes what it saw, in one file: see `web.saw`."""
    from vision.boardfile import board_text
    from web.cli._outputs import write_output
    from web.saw import Saw, pack

    first = (Path(start).suffix, Path(start).read_bytes()) if start is not None else None
    text = board_text(table) if table is not None else ""
    if board is not None:  # with the look at which it was found
        text = Path(board).read_text(encoding="utf-8")
    write_output(bundle, pack(Saw(text, first, pictures, lines)), "--bundle")
