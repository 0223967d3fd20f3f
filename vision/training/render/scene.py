"""What one picture shows: a position, a throw, the cube; drawn from the set-up's seed and the picture's number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.board.position import START, Position

from .paint import Array, Rng, vec
from .position import Laid, draw_position, lay, with_some_on_bar
from .rest import BAD_WAYS, FLAT_WAYS, LITTLE, TOUCHING_WAYS, Die, Solid, Table, cuts, turn_for
from .spec import SetUp

NUMBERS = (1, 1, 1, 2, 2, 4, 8, 16, 32, 64)
"""What a cube is worth, as often as it shall be drawn; 1 shows 64."""
EVERY = (1, 2, 4, 8, 16, 32)
IN_GAMES = NUMBERS[:-1]
"""No player holds a 64: it takes six doubles, and looks like a cube that was put aside."""


@dataclass(frozen=True, eq=False)
class Cube:
    """Where the cube lies. ``value`` 1 when it shows 64 in the middle."""

    value: int
    shown: int
    owner: str | None
    offered_to: str | None
    centre: Array
    turn: Array
    size: float

    def label(self) -> dict[str, Any]:
        return {"value": self.value, "shown": self.shown, "owner": self.owner, "offered_to": self.offered_to}

    @property
    def as_die(self) -> Die:
        """The cube as a die whose faces 1..6 are 2..64, to share geometry."""
        slot = {2: 1, 4: 2, 8: 3, 16: 4, 32: 5, 64: 6}[self.shown]
        return Die(self.centre, self.turn, self.size, slot, "flat", None, 0)


@dataclass(frozen=True, eq=False)
class Picture:
    role: str
    position: Position
    laid: list[Laid]
    dice: list[Die]
    cube: Cube | None
    turn: dict[str, Any] | None
    hand: bool


def draw_cube(s: SetUp, rng: Rng, table: Table, role: str, values: tuple[int, ...] = NUMBERS) -> Cube | None:
    b, c = s.board, s.cube
    if role == "calibration":
        value, owner, offered = 1, None, None
    elif role == "cube":
        value, owner, offered = int(rng.choice([2, 4, 8, 16])), None, str(rng.choice(["near", "far"]))
    else:
        value = int(rng.choice(values))
        owner, offered = (None if value == 1 else str(rng.choice(["near", "far"]))), None
    shown = 64 if value == 1 else value
    slot = {2: 1, 4: 2, 8: 3, 16: 4, 32: 5, 64: 6}[shown]
    turn = turn_for(slot, 0.0, 0.0, float(rng.choice([0, 1, 2, 3]) * np.pi / 2 + rng.normal(0, 0.25)))
    way = 0.0 if owner is None else -1.0 if owner == "near" else 1.0
    side = 1.0 if (b.trays[1] and (not b.trays[0] or s.seed % 2)) else -1.0
    edge = b.inner[0] / 2 + b.rail_width
    tray = b.trays[1] if side > 0 else b.trays[0]
    for _ in range(60):
        if offered is not None:
            mine = 1 if offered == "near" else -1  # as `vision.cube.placed` has it
            at = np.array([mine * (b.bar / 2 + (b.inner[0] - b.bar) / 4) + rng.normal(0, 3), rng.normal(0, 3), 0.0])
        elif c.place == "bar":
            at = np.array(
                [
                    rng.normal(0, 0.15),
                    way * (b.inner[1] / 2 - c.size * rng.uniform(0.6, 2.0)) + (rng.normal(0, 0.6) if not way else 0),
                    b.bar_height,
                ]
            )
        elif c.place == "rail":
            at = (
                np.array([rng.normal(0, 1), way * (b.inner[1] / 2 + b.rail_width / 2), b.rail_height])
                if way
                else np.array([side * (b.inner[0] / 2 + b.rail_width / 2), rng.normal(0, 1), b.rail_height])
            )
        elif c.place == "tray" and tray > c.size + 0.2:
            at = np.array(
                [
                    side * (edge + tray / 2) + rng.normal(0, 0.15),
                    way * (b.inner[1] / 2 - c.size * rng.uniform(0.6, 3)) + (0.0 if way else rng.normal(0, 0.2)),
                    0.0,
                ]
            )
        else:
            out = edge + (tray + b.rail_width if tray else 0) + c.size * rng.uniform(0.8, 2.5)
            at = np.array([side * out, way * b.inner[1] * rng.uniform(0.25, 0.5) + rng.normal(0, 0.7), -b.base])
        centre = at + vec(0, 0, c.size / 2)
        found = Cube(value, shown, owner, offered, centre, turn, c.size)
        reach = c.size / 2 * 1.3
        clear = all(
            np.hypot(x.x - at[0], x.y - at[1]) > s.checkers.diameter / 2 + reach or x.z > at[2] + c.size or x.z + s.checkers.height < at[2]
            for x in table.laid
        )
        if clear and not cuts(centre, turn, c.size, table.solids) - {"bar", "rail"}:
            table.solids.append(found.as_die.solid())
            return found
    return None


def with_things(table: Table, s: SetUp) -> Table:
    """The ``table`` with what else stands on it."""
    table.solids += [
        Solid("thing", np.array([t.x, t.y, 5.0 - s.board.base]), np.array([t.radius, t.radius, 5.0]), t.radius) for t in s.things
    ]
    return table


def throw(s: SetUp, table: Table, rng: Rng, bad: float, leaning: float = 0.0) -> tuple[list[Die], dict[str, Any]]:
    """Two dice of one player, thrown well or badly; now and then the other pair still lies there. ``leaning``: how often both
    touch something and lean on it a little or not at all."""
    player = int(rng.integers(2))
    half = str(rng.choice(["left", "right"]))
    spec = s.dice[player]
    mine: list[Die] = []
    if leaning and rng.random() < leaning:
        table.tilts = LITTLE
        ways = [str(rng.choice(TOUCHING_WAYS)), str(rng.choice((*TOUCHING_WAYS, "cocked_die", "flat_by_die")))]
    elif rng.random() < bad:
        ways = [str(rng.choice(BAD_WAYS)), str(rng.choice(BAD_WAYS if rng.random() < 0.3 else FLAT_WAYS))]
        if ways[0] in ("cocked_die",):
            ways = ["flat", "cocked_die"]
    else:
        ways = [str(rng.choice(FLAT_WAYS)), str(rng.choice(FLAT_WAYS))]
        ways[0] = "flat" if ways[0] == "flat_by_die" else ways[0]
    split = rng.random() < 0.08
    for k, way in enumerate(ways):
        h = half if not (split and k) else ("left" if half == "right" else "right")
        got = table.throw(way, h, spec, player) or table.throw("flat", h, spec, player)
        if got is not None:
            mine.append(got)
    dice = list(mine)
    if rng.random() < 0.25:
        other = "left" if half == "right" else "right"
        for _ in range(int(rng.integers(1, 3))):
            got = table.throw(str(rng.choice(FLAT_WAYS[:7])), other, s.dice[1 - player], 1 - player)
            if got is not None:
                dice.append(got)
    valid = len(mine) == 2 and all(d.state == "flat" for d in mine) and mine[0].half == mine[1].half
    turn = {"player": ("near", "far")[player], "dice": [d.value for d in mine] if valid else None, "move": None, "valid": valid}
    return dice, turn


def draw_picture(
    s: SetUp, number: int, bad: float = 0.45, endings: float = 0.0, stacks: float = 0.0, leaning: float = 0.0, games: bool = False,
    cubes: bool = False, bars: bool = False,
) -> Picture:
    """Picture ``number`` of a set-up; 0 is the start of the game. ``bad``: how often a throw is; ``endings``: how often checkers are
    being borne off; ``stacks``: how often they are piled high; ``leaning``: how often dice lean a little; ``games``: positions as games
    have them; ``cubes``: every number as often; ``bars``: many checkers on the bar, in piles."""
    rng = np.random.default_rng([s.seed, 1000 + number])
    role = "calibration" if number == 0 else str(rng.choice(["throw"] * 16 + ["after_move"] * 2 + ["cube"] * 2))
    position = START if number == 0 else draw_position(rng, endings, stacks, games)
    if bars:
        position = with_some_on_bar(rng, position)
    laid = lay(position, s.board, s.checkers, s.home, rng, bars)
    table = with_things(Table(s.board, s.checkers, laid, rng), s)
    cube = draw_cube(s, rng, table, role, EVERY if cubes else IN_GAMES if games else NUMBERS)
    dice: list[Die] = []
    turn = None
    if role == "throw":
        dice, turn = throw(s, table, rng, bad, leaning)
    elif role != "calibration" and rng.random() < 0.2:
        turn = {"player": str(rng.choice(["near", "far"])), "dice": None, "move": None}
    return Picture(role, position, laid, dice, cube, turn, role != "calibration" and rng.random() < 0.13)
