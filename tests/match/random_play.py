"""Plays a match at random through a table service, by commands alone: every cube action, resignations, dances."""

from __future__ import annotations

import random
from typing import Any

from referee.board.notation import format_play
from referee.board.position import Seat
from referee.match import commands as c
from referee.match.events import Kind
from referee.match.journal import MemoryJournal
from referee.match.mover import plays_now
from referee.match.state import MatchState, Phase
from referee.match.table import TableService
from referee.rules.presets import preset
from referee.rules.ruleset import RuleSet


def next_command(table: TableService[Any], dice: random.Random, boldness: float = 0.1) -> c.Command | None:
    """A sensible next command for the state, None when the match is over."""
    state = table.state
    seq = state.seq
    if state.resignation is not None:
        return c.AcceptResignation(seen_seq=seq) if dice.random() < 0.7 else c.RefuseResignation(seen_seq=seq)
    match state.play_phase:
        case Phase.MATCH_OVER:
            return None
        case Phase.SETTING_UP | Phase.GAME_OVER:
            return c.StartGame(seen_seq=seq)
        case Phase.DOUBLED:
            choice = dice.random()
            if choice < 0.1 and not state.length and table.rules.beavers:
                return c.Beaver(seen_seq=seq)
            return c.Take(seen_seq=seq) if choice < 0.7 else c.Drop(seen_seq=seq)
        case Phase.TO_ROLL if dice.random() < boldness and state.on_roll and state.may_double(state.on_roll) and state.cube.value < 64:
            return c.Double(seen_seq=seq)
        case Phase.ROLLED:
            if dice.random() < boldness / 20:
                return c.Resign(seen_seq=seq, seat=dice.choice(list(Seat)), kind=dice.choice(list(Kind)))
            plays = tuple((format_play(play), play.result) for play in plays_now(state, table.rules))
            return c.EnterPlay(seen_seq=seq, play=_eager(plays, state, dice) if plays else "")
    return c.EnterRoll(seen_seq=seq, dice=(dice.randint(1, 6), dice.randint(1, 6)))


def _eager(plays: tuple[Any, ...], state: MatchState, dice: random.Random) -> str:
    """Mostly the play that hits or bears off most, so that games end and have gammons in them."""
    assert state.on_roll is not None
    seat = state.on_roll
    if dice.random() < 0.3:
        return str(dice.choice(plays)[0])
    return str(max(plays, key=lambda play: (play[1].off[seat.index], play[1].pips(seat.other)))[0])


def play_match(
    seed: int, length: int = 5, rules: RuleSet | str = "bray", boldness: float = 0.1, table: TableService[Any] | None = None, games: int = 0
) -> TableService[Any]:
    """A whole match of seeded dice; a command refused is an error."""
    dice = random.Random(seed)
    table = table or TableService(MemoryJournal(), preset(rules) if isinstance(rules, str) else rules, never, None)
    if not table.state.seq:
        name = rules if isinstance(rules, str) else rules.name
        table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=length, rules=name, games=games))
    for _ in range(50_000):
        command = next_command(table, dice, boldness)
        if command is None:
            return table
        outcome = table.command(command)
        assert isinstance(outcome, c.Accepted), (command, outcome)
    raise AssertionError("the match does not end")


def never(state: MatchState, reading: object, memory: None, rules: RuleSet) -> tuple[None, tuple[()]]:
    """Judges no reading: a table refereed by hand."""
    return None, ()
