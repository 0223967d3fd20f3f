"""What a command line names, opened: rules, a record, pictures, a board and its reader, labelled set-ups; or one sentence why not."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli._outputs import one_line

if TYPE_CHECKING:
    from referee.records.record import Parsed
    from referee.rules import RuleSet
    from vision.boardfile import SetUpLook
    from vision.camera.source import Frame, Source
    from vision.finder import BoardNotFound, Side
    from vision.pictures import Image
    from vision.reader import Reader
    from vision.table import Table


class Named(click.Path):
    """A file, a folder or a camera by its name; who opens it says what is wrong with it, and what to do. The empty name, as of a variable
    that a script never set, is none: `Path` would take it for the folder one is in."""

    def __init__(self, path_type: type[Path] | None = None) -> None:
        super().__init__(readable=False, path_type=path_type)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("it is empty and names nothing: give a name", param, ctx)
        return super().convert(value, param, ctx)


class Within(click.FloatRange):
    """A number in a range; ``nan``, which `FloatRange` finds in every range, is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail("it is not a number: give one, such as 10", param, ctx)
        return number


near_at_option = click.option(
    "--near-at", type=click.Choice(["left", "right", "top", "bottom"]), help="Where the near player sits in the picture."
)


def idle(where: str, *names: str) -> None:
    """Raises `click.UsageError` where one of the options ``names`` was given, which do nothing ``where`` it stands: it is counted on."""
    context = click.get_current_context()
    for param in context.command.params:
        if param.name in names and context.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{'/'.join((param.opts[-1], *param.secondary_opts))} does nothing {where}: leave it out")


def record_of(file: Path) -> Parsed:
    """The match record in ``file``. Raises `click.UsageError` for what is none."""
    from referee.records.formats import read_record

    with a_record(file):
        return read_record(file)


@contextlib.contextmanager
def a_record(file: Path) -> Iterator[None]:
    """Around whatever reads ``file`` as a match record. Raises `click.UsageError` for what is none."""
    from referee.records.record import NotARecord

    try:
        yield
    except NotARecord as error:
        raise click.UsageError(f"{file}: {error}") from None


def rules_of(name: str | Path) -> RuleSet:
    """The rule set of this name, or in this TOML file. Raises `click.UsageError`."""
    from referee.rules import RulesError, load_rules

    try:
        return load_rules(name)
    except RulesError as error:
        raise click.UsageError(str(error)) from None


def watched_rules(name: str) -> RuleSet:
    """The rule set of this name as it is refereed from pictures alone: nobody presses a clock of ours there, and so whoever lifts the dice
    ends the turn. Raises `click.UsageError`."""
    from referee.rules.ruleset import TurnEnd

    rules = rules_of(name)
    return replace(rules, turn_end=TurnEnd.LIFT_BY_ANYONE) if rules.turn_end is TurnEnd.CLOCK else rules


def source_of(src: str) -> Source:
    """The camera, video, address or folder of pictures ``src``, opened. Raises `click.UsageError`."""
    from vision.camera.source import SourceError, open_source

    try:
        return open_source(src)
    except SourceError as error:
        raise click.UsageError(str(error)) from None


def to_its_end(source: Iterable[Frame]) -> Iterator[Frame]:
    """The frames of ``source``. Raises `SourceError` where a film breaks off, after what came of it."""
    from vision.camera.source import SourceError

    for frame in source:
        if frame.image is None and not frame.still:
            raise SourceError(frame.trouble)
        yield frame


def board_of(board: str) -> tuple[Table, SetUpLook | None]:
    """The table in the board file ``board``, and the look at which it was found. Raises `click.UsageError`."""
    from vision.boardfile import BoardFileError, load_board

    try:
        return load_board(board)
    except BoardFileError as error:
        raise click.UsageError(str(error)) from None


def reader_of(start: str | None, board: str | None, near_at: Side | None) -> Reader:
    """The reader of the board in the board file ``board``, or of the one found in the picture ``start``. Says why that will hardly be read
    well.

    Raises `click.UsageError` for a file that cannot be used, `click.ClickException` when the picture does not show the board.
    """
    from vision.boardfile import SetUpLook
    from vision.finder import BoardNotFound, find_table
    from vision.pictures import PictureError, load_picture, too_small_for_setup
    from vision.reader import Reader

    if board is not None:
        if near_at is not None:
            raise click.UsageError("the board file says where near sits: leave --near-at out, or set the board up again with it")
        table, look = board_of(board)
        return Reader(table, look)
    assert start is not None
    try:
        image = load_picture(start)
    except PictureError as error:
        raise click.UsageError(str(error)) from None
    if small := too_small_for_setup(image):
        click.echo(f"referee: {small}", err=True)
    try:
        table = find_table(image, near_at=near_at)
    except BoardNotFound as error:
        raise click.ClickException(f"{Path(start).name}: {not_found(error)}") from None
    reader = Reader(table, SetUpLook(image))
    for caution in cautions(reader, image):
        click.echo(one_line(f"referee: {Path(start).name}: {caution}"), err=True)
    return reader


def cautions(reader: Reader, image: Image) -> list[str]:
    """What is said of a board that was found in ``image``."""
    from vision.camera.sharpness import TOO_SOFT, too_soft
    from vision.reader import DICE_LAY

    return [text for text, due in ((TOO_SOFT, too_soft(image, reader.table)), (DICE_LAY, reader.dice_lay)) if due]


def set_ups_of(folders: Sequence[str]) -> list[Path]:
    """The labelled set-ups that ``--folders`` names. Raises `click.UsageError` where there are none."""
    from vision.training.labels import set_ups

    if not folders:
        raise click.UsageError("name the labelled set-ups: --folders FOLDER...")
    for folder in folders:
        if not set_ups([folder]):
            why = "holds no labelled set-up (a folder with labels.json)" if Path(folder).is_dir() else "is no folder"
            raise click.UsageError(f"--folders: {folder} {why}")
    return set_ups(folders)


def set_up_of(folder: Path) -> tuple[dict[str, Any], Image]:
    """The labels of the set-up in ``folder``, and its picture of the starting position. Raises `click.UsageError`."""
    from vision.pictures import load_picture
    from vision.training.labels import load_labels, start_of

    with labelled(folder, "its labels.json names no picture of the starting position (role calibration) that can be read"):
        labels = load_labels(folder)
        return labels, load_picture(folder / start_of(labels)["image"])


@contextlib.contextmanager
def labelled(folder: Path, lack: str) -> Iterator[None]:
    """Around whatever takes something from a set-up's labels. Raises `click.UsageError` with what they ``lack`` where that is not there."""
    from vision.pictures import PictureError

    try:
        yield
    except (PictureError, OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration):
        raise click.UsageError(f"--folders: {folder}: {lack}") from None


def not_found(error: BoardNotFound) -> str:
    """Why a board was not found, and what to do on a command line."""
    from vision.finder.search import CORNERS, STANDS

    said = str(error).replace(CORNERS, f"{CORNERS} with `referee setup --corners`")
    return said.replace(STANDS, f"{STANDS} with `referee setup --position`")
