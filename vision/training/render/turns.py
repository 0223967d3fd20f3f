"""The turns of a game on one board, a picture after each throw and each play: what `referee watch` is to make of them.

Pure: a `Picture` is to be rendered, and says what its label tells of the turn. Unlike in single pictures, checkers that were not moved lie
where they lay, and so does the cube.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from referee.board.plays import LegalPlays, Roll
from referee.board.position import POINTS, START, Position, Seat

from .game import choose
from .paint import Rng
from .position import Laid, lay
from .rest import BAD_WAYS, FLAT_WAYS, Die, Table
from .scene import Cube, Picture, draw_cube, with_things
from .spec import SetUp

BAD, ILLEGAL, TAKEN = 0.15, 0.1, 0.85  # how often a throw is bad first, a play is illegal first, a double is taken
FIRST_DROP = 6  # turns before which every double is taken
HIGHEST = 16  # the cube is worth at most
TRIES = 200

Turn = dict[str, Any]


def game_pictures(s: SetUp, turns: int, doubles: float) -> list[Picture]:
    """The start of the game, then so many ``turns`` of it at most. ``doubles``: how often a player who may double does. An illegal play is
    put right in the next picture. Raises RuntimeError where dice find no room."""
    return _Game(s).played(turns, doubles)


def illegal_play(position: Position, seat: Seat, roll: Roll, rng: Rng) -> Position | None:
    """A legal result of ``roll`` with one checker of ``seat`` moved up to three points further, None where no such thing is illegal."""
    results = list(LegalPlays(position, seat, roll).results)
    legal = results or [position]
    for _ in range(TRIES):
        played = legal[int(rng.integers(len(legal)))]
        points = list(played.points)
        start = int(rng.choice([p for p in range(POINTS) if points[p] * seat.sign > 0]))
        end = start - int(rng.integers(1, 4)) * seat.sign
        if not 0 <= end < POINTS or points[end] * seat.sign < 0:
            continue
        points[start] -= seat.sign
        points[end] += seat.sign
        moved = Position(tuple(points), played.bar, played.off)
        if moved != position and moved not in results:
            return moved
    return None


@dataclass(eq=False)
class _Game:
    """A game as it is pictured: the ``pictures`` so far, what the last one showed, and where the cube is to lie next (value, owner, offered
    to), None where it lies."""

    s: SetUp
    pictures: list[Picture] = field(default_factory=list)
    laid: list[Laid] | None = None
    cube: Cube | None = None
    cube_next: tuple[int, str | None, str | None] | None = (1, None, None)

    def played(self, turns: int, doubles: float) -> list[Picture]:
        """The whole of it."""
        rng = np.random.default_rng([self.s.seed, 77])
        position, value, holder = START, 1, None
        self._show("calibration", position)
        seat, roll = self._opening()
        for turn in range(turns):
            if turn:
                if doubles and holder in (None, seat) and value < HIGHEST and rng.random() < doubles:
                    value, holder = 2 * value, seat.other
                    self.cube_next = (value, None, holder.value)
                    taken = rng.random() < TAKEN or turn < FIRST_DROP
                    self._show("cube", position, _turn(seat, double=value, answer="take" if taken else "drop"))
                    if not taken:
                        break
                    self.cube_next = (value, holder.value, None)
                if rng.random() < BAD:
                    self._show("throw", position, _turn(seat, valid=False), partial(self._bad, seat))
                roll = _values(self._show("throw", position, _turn(seat, valid=True), partial(self._good, seat)))
            wrong = illegal_play(position, seat, roll, rng) if rng.random() < ILLEGAL else None
            if wrong is not None:
                self._show("after_move", wrong, _turn(seat, legal=False))
            position = choose(position, seat, roll, rng)
            self._show("after_move", position, _turn(seat))
            if not any(position.side(seat)):
                break
            seat = seat.other
        return self.pictures

    def _opening(self) -> tuple[Seat, Roll]:
        """Who begins, with what: ties are thrown again."""
        while True:
            near, far = _values(self._show("throw", START, {}, self._one_each))
            if near != far:
                return Seat.NEAR if near > far else Seat.FAR, (near, far)

    def _show(
        self, role: str, position: Position, turn: Turn | None = None, thrown: Callable[[Table], list[Die]] | None = None
    ) -> list[Die]:
        """One more picture; the dice of what is ``thrown`` in it."""
        rng = np.random.default_rng([self.s.seed, 1000 + len(self.pictures)])
        self.laid = _as_before(self.laid, lay(position, self.s.board, self.s.checkers, self.s.home, rng))
        table = with_things(Table(self.s.board, self.s.checkers, self.laid, rng), self.s)
        if self.cube_next is not None:
            self.cube, self.cube_next = self._cube(table, rng, *self.cube_next), None
        elif self.cube is not None:
            table.solids.append(self.cube.as_die.solid())
        dice = thrown(table) if thrown is not None else []
        self.pictures.append(Picture(role, position, self.laid, dice, self.cube, _told(turn, dice), False))
        return dice

    def _cube(self, table: Table, rng: Rng, value: int, owner: str | None, offered: str | None) -> Cube | None:
        """The cube where it is to lie; None where there is no room for it."""
        role = "calibration" if value == 1 else "cube" if offered else "throw"
        for _ in range(TRIES):
            before = len(table.solids)
            cube = draw_cube(self.s, rng, table, role, (value,))
            if value == 1 or (cube is not None and (cube.value, cube.owner, cube.offered_to) == (value, owner, offered)):
                return cube
            del table.solids[before:]
        return None

    def _one_each(self, table: Table) -> list[Die]:
        return _all(table.throw("flat", _half(seat), self.s.dice[seat.index], seat.index) for seat in Seat)

    def _good(self, seat: Seat, table: Table) -> list[Die]:
        """Two dice that lie well."""
        return _all(self._lying_well(seat, table, first) for first in (True, False))

    def _lying_well(self, seat: Seat, table: Table, first: bool) -> Die | None:
        for _ in range(TRIES // 10):
            way = str(table.rng.choice(FLAT_WAYS))
            die = table.throw("flat" if first and way == "flat_by_die" else way, _half(seat), self.s.dice[seat.index], seat.index)
            if die is not None:
                return die
        return None

    def _bad(self, seat: Seat, table: Table) -> list[Die]:
        """One die that lies badly, and one that lies well."""
        way, half, dice = str(table.rng.choice(BAD_WAYS)), _half(seat), self.s.dice[seat.index]
        way = "cocked_checker" if way == "cocked_die" else way
        bad = table.throw(way, half, dice, seat.index) or table.throw("on_rail", half, dice, seat.index)
        return _all([bad, table.throw("flat", half, dice, seat.index) or table.throw("flat", half, dice, seat.index)])


def _half(seat: Seat) -> str:
    """Where a player throws, as the near one sees it."""
    return "right" if seat is Seat.NEAR else "left"


def _all(dice: Iterable[Die | None]) -> list[Die]:
    found = [die for die in dice if die is not None]
    if len(found) < 2:
        raise RuntimeError("there is no room for two dice")
    return found


def _values(dice: list[Die]) -> Roll:
    return dice[0].value, dice[1].value


def _turn(seat: Seat, **more: Any) -> Turn:
    """What a label says of a turn."""
    return {"player": seat.value, "dice": None, "move": None, **more}


def _told(turn: Turn | None, dice: list[Die]) -> Turn | None:
    """``turn`` with the ``dice`` of a throw that counts; an empty one is the opening's, near's die first."""
    if turn is None or not dice:
        return turn
    a, b = _values(dice)
    if not turn:
        if a == b:
            return {"player": None, "dice": None, "move": None, "valid": False, "tie": True}
        turn = _turn(Seat.NEAR if a > b else Seat.FAR, valid=True)
        a, b = max(a, b), min(a, b)
    return {**turn, "dice": [a, b]} if turn["valid"] else turn


def _as_before(before: list[Laid] | None, new: list[Laid]) -> list[Laid]:
    """The checkers as they are to lie, but where as many of one player's lay they lie as they did ``before``."""
    lay_there, out = _by_place(before or []), list[Laid]()
    for place, laid in _by_place(new).items():
        known = lay_there.get(place, [])
        out += known if len(known) == len(laid) and known[0].seat == laid[0].seat else laid
    return out


def _by_place(laid: list[Laid]) -> dict[tuple[Any, ...], list[Laid]]:
    """The checkers of each point; of bar and beside the board of each player."""
    found: dict[tuple[Any, ...], list[Laid]] = {}
    for one in laid:
        found.setdefault((one.place, one.point, None if one.place == "point" else one.seat), []).append(one)
    return found
