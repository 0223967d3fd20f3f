"""`referee setup`: finds the board and keeps it in a board file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli._given import Named, cautions, near_at_option
from web.cli._outputs import one_line

if TYPE_CHECKING:
    from referee.board.position import Position
    from vision.camera.source import Source
    from vision.finder import Corners
    from vision.pictures import Image
    from vision.reader import Reader
    from vision.table import Table

LOOKS = 10  # pictures of a video or camera that are tried
APART_S = 0.5  # between pictures of what moves
FARTHEST = 100_000.0  # px from the picture's corner: no corner of a board is there, and nothing can be reckoned with more


@click.command("setup", short_help="Finds the board in a picture.", epilog="Example: referee setup start.jpg -o board.json")
@click.argument("src", type=Named())
@click.option("-o", "--output", type=Named(), metavar="FILE", required=True, help="The board file to write (JSON).")
@click.option("--position", "position_text", metavar="P", help="The position on the board, as JSON or XGID, when it is not the start.")
@click.option("--corners", nargs=4, metavar="x,y x,y x,y x,y", help="The four inner corners of the playing field, when it is not found.")
@near_at_option
@click.option("--tray", nargs=4, metavar="x,y x,y x,y x,y", help="Corners of a dice tower’s tray, in order round it: throws count there.")
@click.option("--annotate", "drawn", type=Named(), metavar="FILE", help="Also write the picture with what was found drawn over it.")
def command(
    src: str, output: str, position_text: str | None, corners: tuple[str, ...] | None, near_at: Any, tray: tuple[str, ...] | None,
    drawn: str | None,
) -> None:
    """Finds the board in SRC, a picture, a folder of pictures, a video or a camera, from one look at the starting position."""
    from referee.board.position import START
    from vision.boardfile import SetUpLook, board_text
    from vision.finder import BoardNotFound, find_table
    from vision.pictures import too_small_for_setup
    from vision.reader import Reader
    from web.cli._given import not_found
    from web.cli._outputs import check_drawing, check_output, write_drawing, write_output
    from web.readings import position_from_text

    try:
        position = START if position_text is None else position_from_text(position_text)
        field, round_tray = _corners(corners), _corners(tray)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    check_output(output, "-o", (src,))
    if drawn:
        check_drawing(drawn, (src,))
    reason = f"{src} gave no picture"
    image: Image | None = None
    for image in _pictures(src):
        if small := too_small_for_setup(image):
            raise click.ClickException(f"{small} for set-up")
        try:
            table = find_table(image, position, field, near_at)
        except BoardNotFound as error:
            reason = not_found(error)
            continue
        if round_tray:
            table = _with_tray(table, round_tray)
        look = SetUpLook(image, position)
        write_output(output, board_text(table, look), "-o")
        if drawn:
            write_drawing(drawn, image, table, stood=position)
        _say(Reader(table, look), image, output)
        return
    if image is not None and position != START:
        reason = _from_the_other_chair(image, position, field, near_at) or reason
    raise click.ClickException(reason)


def _from_the_other_chair(image: Image, position: Position, corners: Corners | None, near_at: Any) -> str | None:
    """A sentence where ``position``, which was not found in ``image``, stands there as the other player sees it."""
    from referee.board.matchid import turned
    from vision.finder import BoardNotFound, find_table, opposite

    try:
        theirs = opposite(find_table(image, turned(position), corners, near_at))
    except BoardNotFound:
        return None
    return (
        f"the board is in the given position as the player at the {theirs} of the picture sees it, not near: "
        f"write it from near's chair, or make that player near with --near-at {theirs}"
    )


def _with_tray(table: Table, corners: Corners) -> Table:
    from dataclasses import replace

    import numpy as np

    from vision.table import TrayError, tray_at

    try:
        return replace(table, trays=(tray_at(table, np.array(corners)),))
    except TrayError as error:
        raise click.UsageError(f"--tray: {error}") from None


def _corners(texts: tuple[str, ...] | None) -> Corners | None:
    """The four that were given, if any. Raises ValueError with what is wrong with one."""
    if not texts:
        return None
    first, second, third, fourth = map(_corner, texts)
    return first, second, third, fourth


def _corner(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
        if not max(abs(x), abs(y)) < FARTHEST or y != y:
            raise ValueError
    except ValueError:
        raise ValueError(f"{text} is not a corner: write it as x,y in pixels, such as 281.5,92") from None
    return x, y


def _pictures(src: str) -> Iterator[Image]:
    """Up to `LOOKS` pictures of the source."""
    from vision.camera.source import SourceError, is_picture
    from vision.pictures import PictureError, load_picture
    from web.cli._given import source_of

    if is_picture(Path(src)):
        try:
            yield load_picture(src)
        except PictureError as error:
            raise click.UsageError(str(error)) from None
        return
    source = source_of(src)
    try:
        yield from islice(_apart(source), LOOKS)
    except SourceError as error:
        raise click.ClickException(str(error)) from None
    finally:
        source.close()


def _apart(source: Source) -> Iterator[Image]:
    """The pictures of a source; of what moves only one every `APART_S`. Raises `SourceError` where none of them can be read."""
    from vision.camera.source import SourceError

    last: float | None = None
    trouble = ""
    for frame in source:
        trouble = trouble or frame.trouble
        if frame.image is not None and (frame.still or last is None or frame.at - last >= APART_S):
            last = frame.at
            yield frame.image
    if last is None and trouble:
        raise SourceError(trouble)


def _say(reader: Reader, image: Image, output: str) -> None:
    from vision.table import READ_WELL

    table = reader.table
    die = table.die_px
    colours = f"near plays {_name(table.near_rgb)}, far {_name(table.far_rgb)}"
    click.echo(f"Found the board, home on near's {table.home.value}; {colours}. Written to {one_line(output)}.")
    if not table.die_large_enough:
        click.echo(f"Dice will be about {die:.0f} pixels wide, fewer than {READ_WELL:.0f}: move the camera nearer, use 1920x1080, or zoom.")
    else:
        click.echo(f"Dice will be about {die:.0f} pixels wide: enough.")
    for caution in cautions(reader, image):
        click.echo(f"{caution[0].upper()}{caution[1:]}.")


def _name(rgb: tuple[float, float, float]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(round(v) for v in rgb))
