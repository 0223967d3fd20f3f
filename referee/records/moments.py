"""Every moment of a match record as GNUBGID and XGID: the board before each roll was played and each double answered.

As with GNU Backgammon the left column is the top player of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.board.matchid import MatchInfo, turned, turned_info
from referee.match.said.moment import ids_for
from referee.records.completing import as_far_as_known
from referee.records.record import Do, Parsed, Side
from referee.records.replay import PlayedGame, replay


@dataclass(frozen=True, slots=True)
class Moment:
    """What ``side`` did (``text``) at row ``row`` of game ``game``, and the two lines for the board before it."""

    game: int
    row: int
    side: Side
    text: str
    gnubgid: str
    xgid: str


def moments(parsed: Parsed) -> Iterator[Moment]:
    """In order; a game is followed as far as it is known how it was played."""
    report = replay(parsed)
    for played, known in zip(report.games, as_far_as_known(parsed.record, report).games, strict=True):
        yield from _of_game(parsed, played, len(known.actions) + 1)  # the board is known before what cannot be made on it, too


def _of_game(parsed: Parsed, played: PlayedGame, known: int) -> Iterator[Moment]:
    record, game = parsed.record, played.game
    for action, position, (cube, owner) in zip(game.actions[:known], played.positions, played.cubes, strict=False):
        info = MatchInfo(
            length=record.length, score=game.score, cube=cube, cube_owner=owner.seat if owner else None, on_roll=action.side.seat,
            to_decide=action.side.other.seat if action.do is Do.DOUBLE else None, dice=action.dice, crawford=played.crawford,
            doubled=action.do is Do.DOUBLE, jacoby=bool(record.jacoby),
        )  # fmt: skip
        if action.do in (Do.ROLL, Do.DOUBLE) and not position.defects():
            ids = ids_for(turned(position), turned_info(info))  # the left column is the top player
            yield Moment(game.number, action.row, action.side, action.text or action.do.value, ids.gnubgid, ids.xgid)
