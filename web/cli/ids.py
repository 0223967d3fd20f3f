"""`referee ids`: every moment of a match as GNUBGID and XGID, and such a line read."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli._given import idle, record_of
from web.cli._outputs import printable


@click.command(
    name="ids", short_help="GNUBGID and XGID of every moment of a match.", epilog="Example: referee ids match.mat --game 2"
)
@click.argument("source")
@click.option("--game", type=click.IntRange(min=1), help="Only this game of a file.")
@click.option("--json", "json_out", is_flag=True, help="One JSON object a moment.")
def command(source: str, game: int | None, json_out: bool) -> None:
    """Writes the GNUBGID and the XGID of every moment of the match in the file SOURCE (.mat, .sgf, .txt, .json): the board before each
    roll was played and each double answered. Or reads SOURCE, when it is such a line itself, and writes it both ways."""
    if not source.strip():
        raise click.UsageError(f"{source!r} names no file and is no GNUBGID or XGID: give one of them")
    if Path(source).exists() or not (source.count(":") or source.startswith("XGID")):
        if not Path(source).exists() and _is_position_id(source):
            why = f"{source} is a position ID alone and says nothing of dice, cube and score"
            raise click.UsageError(f"{why}: write the match ID behind it, {source}:MATCH")
        _of_file(Path(source), game, json_out)
    else:
        idle("with such a line", "game")
        _of_line(source, json_out)


def _is_position_id(text: str) -> bool:
    from referee.board.ids import IdError, position_from_id
    from referee.board.position import Seat

    try:
        position_from_id(text, Seat.NEAR)
    except IdError:
        return False
    return True


def _of_file(path: Path, game: int | None, json_out: bool) -> None:
    import json

    from referee.records.moments import moments

    parsed = record_of(path)
    numbers = [each.number for each in parsed.record.games]
    if game is not None and game not in numbers:
        raise click.UsageError(f"{path} has no game {game}: its games are {', '.join(map(str, numbers))}")
    for one in moments(parsed):
        if game is not None and one.game != game:
            continue
        told = {"game": one.game, "row": one.row, "side": one.side.value, "text": one.text, "gnubgid": one.gnubgid, "xgid": one.xgid}
        words = f"game {one.game}, row {one.row}, {one.side.value}, {one.text}\n  {one.gnubgid}\n  {one.xgid}"
        click.echo(json.dumps(told) if json_out else printable(words))


def _of_line(text: str, json_out: bool) -> None:
    import json

    from referee.board.ids import IdError
    from referee.board.matchid import gnubgid_to_text, moment_from_text, xgid_to_text
    from referee.match.shown.views import position_view

    try:
        position, info = moment_from_text(text)
        found = {"gnubgid": gnubgid_to_text(position, info), "xgid": xgid_to_text(position, info), "position": position_view(position)}
    except IdError as error:
        raise click.UsageError(str(error)) from None
    click.echo(json.dumps(found) if json_out else f"{found['gnubgid']}\n{found['xgid']}")
