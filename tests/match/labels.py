"""Labelled pictures as perfect readings, and the comparison of what was refereed with what was true.

A labels file names for each picture the position, the dice, the cube and, of the game, whose turn it was, his roll, whether the throw
counts and whether the play is legal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from referee.board.position import Seat
from referee.match.arbiter.consider import consider, finish
from referee.match.arbiter.memory import Memory
from referee.match.commands import StartMatch
from referee.match.events import IllegalPlay, IllegalPlayStood, Logged, OpeningRolled, PlayCorrected, Played, Rolled
from referee.match.journal import MemoryJournal
from referee.match.table import TableService
from referee.observations import DieState, Half, Reading, SeenCube, SeenDie, SeenPosition
from referee.rules.presets import preset

GAMES = Path(__file__).parent.parent / "data" / "games"

Frame = dict[str, Any]


def frames_of(path: Path) -> list[Frame]:
    """The frames of a ``labels.json`` or of its compact form, one frame a line."""
    text = path.read_text()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    frames: list[Frame] = json.loads(text)["frames"]
    return frames


def reading_of(frame: Frame, at: float = 0.0) -> Reading:
    """What perfect eyes read. Trays are not in sight."""
    dice = tuple(
        SeenDie(d["value"], DieState(d["state"]), Half(d["half"]) if d["half"] else None, tuple(d.get("centre") or d["centre_px"]))
        for d in frame["dice"]
    )
    cube = frame.get("cube")
    seen_cube = None
    if cube is not None:
        owner, offered = cube.get("owner"), cube.get("offered_to")
        seen_cube = SeenCube(cube["value"], Seat(owner) if owner else None, Seat(offered) if offered else None)
    position = frame["position"]
    return Reading(dice, SeenPosition(tuple(position["points"]), tuple(position["bar"])), seen_cube, (), at, frame["image"])


def still_table(rules: str = "bray", stills: bool = True) -> TableService[Memory]:
    """A table whose camera gives stills (or a stream), its match begun."""
    table = TableService(MemoryJournal(), preset(rules), consider, Memory(stills=stills))
    table.command(StartMatch(seen_seq=0, names=("Near", "Far"), rules=rules, games=1))
    return table


def finished(table: TableService[Memory], readings: Iterable[Reading]) -> tuple[Logged, ...]:
    """All that was logged of the readings, the questions left at their end included."""
    for reading in readings:
        table.observe(reading)
    _, left = finish(table.state, table.memory, table.rules)
    table.note(*left)
    return table.log


@dataclass
class Turn:
    seat: Seat
    dice: list[int]
    after: tuple[Any, ...] | None = None
    legal: bool = True


def true_turns(frames: list[Frame]) -> list[Turn]:
    turns: list[Turn] = []
    for frame in frames:
        turn = frame.get("turn") or {}
        if frame["role"] == "throw" and turn.get("dice"):
            turns.append(Turn(Seat(turn["player"]), sorted(turn["dice"])))
        elif frame["role"] == "after_move" and turns:
            position = frame["position"]
            turns[-1].after = (tuple(position["points"]), tuple(position["bar"]))
            turns[-1].legal = turns[-1].legal and turn.get("legal", True)
    return turns


def seen_turns(log: Iterable[Logged]) -> list[Turn]:
    turns: list[Turn] = []
    for logged in log:
        event = logged.event
        if isinstance(event, OpeningRolled | Rolled):
            turns.append(Turn(event.seat, sorted(event.dice)))
        elif isinstance(event, Played | PlayCorrected | IllegalPlayStood):
            turns[-1].after = (event.position.points, event.position.bar)
            turns[-1].legal = turns[-1].legal and isinstance(event, Played)
        elif isinstance(event, IllegalPlay):
            turns[-1].legal = False
    return turns


def kinds(log: Iterable[Logged]) -> Counter[str]:
    return Counter(logged.event.type for logged in log)


def true_kinds(frames: list[Frame]) -> dict[str, int]:
    """How many throws are void, openings tied and doubles offered in truth."""
    throws = [frame["turn"] for frame in frames if frame["role"] == "throw"]
    ties = sum(1 for turn in throws if turn.get("tie"))
    values = [frame["cube"]["value"] for frame in frames if frame.get("cube")]
    return {
        "opening_tied": ties,
        "roll_void": sum(1 for turn in throws if turn.get("valid") is False) - ties,
        "doubled": sum(b > a for a, b in pairwise(values)),
    }
