"""Matches in which everything odd happens that a table can log come home in every format, or what does not come is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from referee.board.position import START
from referee.match import commands as c
from referee.match.commands import Accepted
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.records.formats import CUBE_LOST, ROLLS_LOST, RULED_LOST, WRITERS, read_bytes
from referee.records.record import Do, Parsed, Record
from referee.records.replay import replay
from referee.records.whole import Whole
from referee.rules.presets import PRESETS, preset
from referee.rules.scoring import Kind
from tests.match.hand import FAR, NEAR
from tests.match.random_play import never, next_command

SEATS = (NEAR, FAR)
NAMES = (("A: b", "Zoë"), ("x" * 40, "y"), ("Game 7", "Takes"))


def odd_match(seed: int) -> TableService[Any]:
    """A match under some rule set that may be left unfinished: boards, cubes, turns and scores set by hand, penalties, games awarded,
    resignations of every size, illegal plays that stand, things undone, names, length and rules changed."""
    dice = random.Random(seed)
    rules = dice.choice(list(PRESETS))
    length = dice.choice((0, 1, 3, 5, 7)) if rules != "money" else 0
    table = TableService[Any](MemoryJournal(), preset(rules), never, None)
    begun = c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=length, rules=rules, games=0 if length else 2)
    assert isinstance(table.command(begun), Accepted)
    boards = [START]
    for _ in range(500):
        say = {"seen_seq": table.state.seq, "role": c.Role.DIRECTOR}
        odd: list[Callable[..., c.Command]] = [
            partial(c.Penalise, seat=dice.choice(SEATS), points=1),
            partial(c.SetScore, score=(dice.randint(0, 2), dice.randint(0, 2))),
            partial(c.SetPosition, position=dice.choice(boards)),
            partial(c.SetupError, position=dice.choice(boards)),
            partial(c.SetCube, value=1 << dice.randint(0, 4), owner=dice.choice((None, *SEATS))),
            partial(c.SetTurn, seat=dice.choice(SEATS)),
            c.Undo,
            partial(c.AwardGame, seat=dice.choice(SEATS), points=dice.choice((None, 1, 3))),
            partial(c.EnterPlay, play=dice.choice(("13/10", "24/18", "", "6/5 6/5 6/5", "13/8 13/9")), hold=True),
            partial(c.SetRules, rules=dice.choice(list(PRESETS))),
            partial(c.SetLength, length=dice.choice((0, 1, 3, 5, 7))),
            partial(c.SetNames, names=dice.choice(NAMES)),
            partial(c.Resign, seat=dice.choice(SEATS), kind=dice.choice(list(Kind))),
        ]
        command = dice.choice(odd)(**say) if dice.random() < 0.03 else next_command(table, dice)
        if command is None:
            break
        table.command(command)  # which may refuse it
        if table.state.phase is Phase.HELD:
            table.command(c.Rule(seen_seq=table.state.seq, role=c.Role.DIRECTOR, stands=True))
        boards = [*boards, table.state.position][-10:]
    return table


def told(record: Record, cubes: bool, results: bool, rolls: bool) -> list[Any]:
    """Each game's score, result, rolls with the board and the cube before each, and last board, as far as they are asked for."""
    found: list[Any] = []
    for game, played in zip(record.games, replay(Parsed(record)).games, strict=True):
        around = zip(game.actions, played.positions, played.cubes, strict=False)
        rolled = [(one.side, sorted(one.dice or ()), at, cube if cubes else ()) for one, at, cube in around if one.do is Do.ROLL]
        found.append((game.score, (played.winner, played.points) if results else (), rolled if rolls else ()))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_an_odd_match_comes_home_in_every_format_or_its_loss_is_said(seed: int) -> None:
    table = odd_match(seed)
    whole = Whole.of(table.log)
    if not whole.record.games:
        return
    ours = read_bytes(whole.written(".json").encode())
    report = replay(ours)
    assert (report.problems, report.breaks, report.final_score) == ((), (), table.state.score)
    for ending in WRITERS:
        back, lost = read_bytes(whole.written(ending).encode()), whole.lost(ending)
        assert back.problems == () and replay(back).breaks == (), ending
        cubes = CUBE_LOST not in lost
        asked = {"cubes": cubes, "results": cubes and RULED_LOST not in lost, "rolls": ROLLS_LOST not in lost}
        assert told(back.record, **asked) == told(ours.record, **asked), (ending, lost)
