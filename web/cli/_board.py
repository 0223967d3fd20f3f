"""What `read`, `watch` and `replay` share: a reader of the board that the command line names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.finder import Side
    from vision.pictures import Image
    from vision.reader import Reader


def reader_of(
    start: str | None, board: str | None, near_at: Side | None, seen: Callable[[Image], None] = lambda _image: None
) -> tuple[Reader, Image | None]:
    """The reader of the board in the board file ``board``, or of the one found in the picture ``start``, which then comes with it.
    ``seen`` is called with that picture before the board is looked for in it.

    Raises `click.UsageError` for a file that cannot be used, `click.ClickException` when the picture does not show the board.
    """
    from vision.boardfile import BoardFileError, load_table
    from vision.finder import BoardNotFound, find_table
    from vision.pictures import PictureError, load_picture
    from vision.reader import Reader

    if board is not None:
        try:
            return Reader(load_table(board)), None
        except BoardFileError as error:
            raise click.UsageError(str(error)) from None
    assert start is not None
    try:
        image = load_picture(start)
    except PictureError as error:
        raise click.UsageError(str(error)) from None
    seen(image)
    try:
        return Reader(find_table(image, near_at=near_at), image), image
    except BoardNotFound as error:
        raise click.ClickException(f"{Path(start).name}: {error}") from None
