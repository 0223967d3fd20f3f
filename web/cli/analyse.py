"""`referee analyse`: a match looked over by GNU Backgammon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli._given import Named, Within, record_of
from web.cli._outputs import printable

if TYPE_CHECKING:
    from referee.records.gnubg import Analysis


@click.command(
    name="analyse", short_help="Errors, PR and luck of a match, by GNU Backgammon.", epilog="Example: referee analyse match.mat"
)
@click.argument("file", type=Named(Path))
@click.option("--json", "json_out", is_flag=True, help="One JSON object.")
@click.option("--plies", type=click.IntRange(0, 3), default=0, show_default=True, help="How deep it looks; each one takes much longer.")
@click.option("--time-limit", type=Within(min=1), default=300.0, show_default=True, help="Seconds it may take.")
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="How many of the worst plays and cube actions.")
def command(file: Path, json_out: bool, plies: int, time_limit: float, worst: int) -> None:
    """Error rate, performance rating (PR), luck, the worst plays and cube actions of the match in FILE (.mat, .sgf, .txt, .json).

    GNU Backgammon does the looking, as a separate program that must be installed.
    """
    import json

    from referee.records.completing import as_far_as_known, completed
    from referee.records.gnubg import MISSING, NoAnalysis, analyse, find, plain_values
    from referee.records.record import Do
    from referee.records.replay import replay

    parsed = record_of(file)
    if find() is None:
        raise click.ClickException(MISSING)
    report = replay(parsed)
    record = as_far_as_known(completed(parsed, report), report)
    broken = [f"game {one.game}: {one.play} cannot be read or made: from there on this game is not looked at" for one in report.breaks]
    unread = [
        f"game {game.number}: {one.text} cannot be read: from there on this game is not looked at"
        for game in parsed.record.games for one in game.actions if one.do is Do.UNREAD
    ]
    for said in (*parsed.problems, *unread, *broken):
        click.echo(f"referee: {printable(said)}", err=True)
    all_games = len(record.games)
    click.echo(f"GNU Backgammon looks at {all_games} game(s) at {plies}-ply ...", err=True)
    try:
        found = analyse(
            record, plies, time_limit, lambda seconds, games: click.echo(f"  {seconds:.0f} s, {games} of {all_games} game(s)", err=True)
        )
    except NoAnalysis as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps({"file": str(file), **plain_values(found, worst)}) if json_out else printable(_words(found, worst)))


def _words(found: Analysis, worst: int) -> str:
    lines = [f"GNU Backgammon at {found.plies}-ply (the figures move with the depth)"]
    for one in found.players:
        if not one.decisions:  # no errors were made, nor could have been: no figure that reads as a perfect one
            lines.append(f"  {one.name}: nothing to decide, luck {one.luck:+.3f}")
            continue
        lines.append(
            f"  {one.name}: PR {one.pr:.2f}, error rate {one.error_rate:.2f} thousandths a decision ({one.decisions} decisions), "
            f"errors {one.error:.3f} (plays {one.play_error:.3f}, cube {one.cube_error:.3f}), luck {one.luck:+.3f}"
        )
        lines += [f"    cube, {kind.replace('-', ' ')}: {count}" for kind, count in one.cube_mistakes]
    lines += ["The worst plays:"] if found.worst[:worst] else []
    for play in found.worst[:worst]:
        dice = "".join(map(str, play.dice))
        lines.append(f"  {play.error:.3f}  game {play.game}, roll {play.roll}, {play.player}, {dice}: {play.played}, better {play.best}")
    lines += ["The worst cube actions:"] if found.worst_cube[:worst] else []
    for cube in found.worst_cube[:worst]:
        act, better = _ACTS[cube.act], _ACTS[cube.better]
        lines.append(f"  {cube.error:.3f}  game {cube.game}, before roll {cube.roll}, {cube.player} {act}, better: {better}")
    return "\n".join(lines)


_ACTS = {"roll": "does not double", "double": "doubles", "take": "takes", "drop": "drops"}
