"""`referee plays`: legal plays, JSON lines in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from referee.board import IdError, LegalPlays, Seat, format_play, position_from_id, position_to_id
from web.cli._outputs import one_line


@click.command(short_help="Lists every legal play of positions and rolls.")
def command() -> None:
    """Lists every legal play: JSON lines on standard input, one JSON line out for each.

    A line in is {"position_id": "4HPwATDgc/ABMA", "dice": [3, 1]}, a GNU Backgammon position ID seen from the player on
    roll; a line out {"plays": [{"play": "8/5 6/5", "position_id": "..."}]}, one entry for each different resulting
    position, seen from the same player. A line that is not such a question is answered with {"error": "..."}, said on
    standard error too, and makes the exit status 2.
    """
    bad = False
    if sys.stdin is None:  # closed by who called
        raise click.UsageError("there is no standard input to read questions from")
    for number, line in enumerate(_lines(), start=1):
        if not line.strip():
            continue
        try:
            answer = _answer(line)
        except ValueError as error:
            bad = True
            answer = {"error": str(error)}
            click.echo(one_line(f"referee plays: line {number}: {error}"), err=True)
        click.echo(json.dumps(answer))
    if bad:
        raise click.exceptions.Exit(2)


def _lines() -> Iterator[str]:
    """Standard input line by line; what is no text stands as one character that is no JSON."""
    try:
        for line in sys.stdin.buffer:
            yield line.decode("utf-8-sig", "replace")
    except OSError as error:
        raise click.UsageError(f"standard input cannot be read: {error.strerror or error}") from None


def _answer(line: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):  # a number of too many digits is no JSONDecodeError
        raise ValueError('this is not JSON; write {"position_id": "4HPwATDgc/ABMA", "dice": [3, 1]}') from None
    if not isinstance(question, dict) or not isinstance(question.get("position_id"), str):
        raise ValueError('"position_id" is missing: give a GNU Backgammon position ID as text')
    roll = roll_of(question.get("dice"))
    try:
        position = position_from_id(question["position_id"], Seat.NEAR)
    except IdError as error:
        raise ValueError(str(error)) from None
    plays = LegalPlays(position, Seat.NEAR, roll)
    return {"plays": [{"play": format_play(p), "position_id": position_to_id(p.result, Seat.NEAR)} for p in plays]}


def roll_of(dice: Any) -> tuple[int, int]:
    """A roll as JSON has it. Raises ValueError for what is none."""
    if not isinstance(dice, list) or len(dice) != 2 or not all(type(d) is int and 1 <= d <= 6 for d in dice):
        raise ValueError('"dice" must be two whole numbers from 1 to 6, like [3, 1]')
    return dice[0], dice[1]
