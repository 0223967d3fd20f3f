"""Reads the doubling cube: its number, whose it is, and whether it is being offered."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.board.position import Seat
from referee.observations import About, SeenCube, SeenDie, SeenDoubt
from vision.dice.before import Before
from vision.dice.crops import Look, look_at
from vision.dice.find import Spot, board_finder
from vision.dice.net import CubeView, read_cubes
from vision.table import Table

NUMBERS = (2, 4, 8, 16, 32, 64)
EDGE = 2.7  # cm, of a cube
SURE_CUBE, POSSIBLE_CUBE, HINT_OF_CUBE = 0.95, 0.5, 0.1
OF_HUES = 0.3  # the probability of a cube that its hues must show, for what they tell of its number to count: of 486 cubes 29 were in doubt
# and 16 of these read wrong; with it 24 are and 12, and none of the others is wrong
SURE_NUMBER = 0.9  # of 261 labelled cubes three were told between 0.85 and this, two of them wrong; of 17 up to 0.98 one
UNCHANGED, FACE = 0.85, 0.6  # likeness to the set-up picture; edges of a square in which a cube's number is nearly all there is
ON_IT, A_DIE = 0.4, 0.9  # cube edges between a die and a cube that are one thing; a die that sure by the cube's is no cube
LOOKS = 14  # places that are read
RIVAL = 0.85  # of the best one's weight: a place that could reach it is read too, for there is one cube (of 696 pictures six had such a
# place from 0.7 on, three from here on, and in all of these the best one was the cube)
WHOLE = 0.35  # edges that a cube on the field is clear of bar and rails
NOBODYS, A_PLAYERS = 0.3, 0.45  # share of the way from the middle to a player's side: less far out it is nobody's, farther out his for sure
PUSHED, PLAINLY_PUSHED = 0.7, 0.55  # the same of one at 64, which checkers on the bar push out of the middle: nobody's, and that for sure
NOT_IN_SIGHT = SeenDoubt(About.CUBE, "hidden", "the cube is not in sight")


class CubeReader:
    """Reads the cube on and about a set-up ``table``; ``start`` (BGR uint8) is the set-up picture, when there is one."""

    def __init__(self, table: Table, start: NDArray[np.uint8] | None = None) -> None:
        self._table = table
        self._before = Before(start) if start is not None else None

    @cached_property
    def _at_set_up(self) -> tuple[SeenCube | None, tuple[SeenDoubt, ...]]:
        """What the set-up picture shows: the cube as nobody has turned it; none where none is kept in sight, or nothing tells."""
        return self.read(self._before.picture) if self._before is not None else (None, ())

    def _is_set_up(self, image: NDArray[np.uint8]) -> bool:
        """Whether ``image`` is the set-up picture itself."""
        return self._before is not None and self._before.is_of(image)

    def read(self, image: NDArray[np.uint8], dice: tuple[SeenDie, ...] = ()) -> tuple[SeenCube | None, tuple[SeenDoubt, ...]]:
        """The cube in ``image`` (BGR uint8), None when none is in sight, and doubts about it: one not seen may still be there, for not
        every cube is found, but where the set-up picture shows none either. ``dice`` are not taken for it."""
        view, rival = self._sought(image, dice)
        if view is None or view.cube < POSSIBLE_CUBE:
            return None, self._missing(image, view)
        cube, doubts = judge(view, self._table)
        if _number(view) == 64 and self._unmoved(image, view):  # wherever players keep it: nobody has doubled yet
            cube = replace(cube, value=1, owner=None)
            as_then = not self._is_set_up(image) and self._lay_at(view)  # whatever it is, nobody has doubled
            doubts = () if as_then else tuple(doubt for doubt in doubts if doubt.code == "presence")
        if rival and all(doubt.code != "presence" for doubt in doubts):
            doubts += (SeenDoubt(About.CUBE, "presence", "something else looks like the cube too", centre=_centre(view)),)
        return cube, doubts

    def _sought(self, image: NDArray[np.uint8], dice: tuple[SeenDie, ...]) -> tuple[CubeView | None, bool]:
        """`_best` of all places, seen finer where none is likely, and looked at once more where it is in doubt."""
        finder = board_finder(self._table)
        view, rival = self._best(image, dice, finder.find(image).cubes)
        if view is not None and not _plain(view):
            view, rival = self._best(image, dice, finder.surer(image).cubes)
        if view is None or view.cube < POSSIBLE_CUBE:
            view, rival = self._best(image, dice, finder.finer(image).cubes)
        return view if view is None or _plain(view) else self._once_more(image, view), rival

    def _missing(self, image: NDArray[np.uint8], view: CubeView | None) -> tuple[SeenDoubt, ...]:
        """What is in doubt where no cube is seen, though ``view`` may show a hint of one."""
        if view is not None and view.cube > HINT_OF_CUBE:
            return (SeenDoubt(About.CUBE, "presence", "this may be the cube", centre=_centre(view)),)
        nowhere = not self._is_set_up(image) and self._at_set_up == (None, (NOT_IN_SIGHT,))
        return () if nowhere else (NOT_IN_SIGHT,)

    def others(
        self, cube: SeenCube | None, cube_doubts: tuple[SeenDoubt, ...], dice: tuple[SeenDie, ...], doubts: tuple[SeenDoubt, ...]
    ) -> tuple[tuple[SeenDie, ...], tuple[SeenDoubt, ...]]:
        """``dice`` and their ``doubts`` without what is the ``cube`` itself, where that is one beyond doubt and the die is not."""
        if cube is None or cube.centre is None or any(doubt.code == "presence" for doubt in cube_doubts):
            return dice, doubts
        at, reach = cube.centre, ON_IT * self._look(cube.centre).edge
        doubted = {doubt.centre for doubt in doubts if doubt.code == "presence"}
        taken = {die.centre for die in dice if die.centre in doubted and math.dist(die.centre, at) < reach}
        return tuple(d for d in dice if d.centre not in taken), tuple(d for d in doubts if d.centre not in taken)

    def _best(self, image: NDArray[np.uint8], dice: tuple[SeenDie, ...], spots: tuple[Spot, ...]) -> tuple[CubeView | None, bool]:
        """What of the ``spots`` (the surest first) most looks like a cube, weighed with the finder's score, as the mean of two looks, None
        where nothing does; and whether something elsewhere is as surely one."""
        best, weight = None, 0.0
        sure: list[tuple[CubeView, float]] = []
        for spot in spots[:LOOKS]:
            if RIVAL * weight >= math.sqrt(spot.score):
                break  # no later one comes near
            first = read_cubes(image, [self._look(spot.centre)])[0]
            a_die = any(math.dist(d.centre, first.centre) < ON_IT * first.edge and d.confidence > A_DIE * first.cube for d in dice)
            if first.cube < HINT_OF_CUBE or a_die:
                continue
            again = read_cubes(image, [replace(self._look(first.centre), edge=first.edge)])[0]
            view = _mean([first, again], again)
            if self._adorns(image, view):
                continue
            here = view.cube * math.sqrt(spot.score)
            sure += [(view, here)] if view.cube >= SURE_CUBE else []
            if here > weight:
                best, weight = view, here
        as_sure = (view for view, here in sure if here >= RIVAL * weight)
        return best, best is not None and any(math.dist(view.centre, best.centre) > best.edge for view in as_sure)

    def _adorns(self, image: NDArray[np.uint8], view: CubeView) -> bool:
        """Whether what looks like a cube is an ornament, a block or a stream's lettering that the picture of the start shows too: then
        nothing is offered, and the cube shows 64. In that picture itself it may be a cube that a lamp outshines, unless its number is
        plain."""
        if view.cube >= POSSIBLE_CUBE and max(view.numbers) < SURE_NUMBER and self._is_set_up(image):
            return False
        offered = offered_to(view, self._table) is not None
        return (offered or _number(view) != 64) and self._unmoved(image, view, (1.0,) if offered else (1.0, FACE))

    def _unmoved(self, image: NDArray[np.uint8], view: CubeView, of: tuple[float, ...] = (1.0, FACE)) -> bool:
        """Whether it has lain there since the start, with the same face up; ``of``: edges of the squares that tell."""
        before = self._before
        return before is not None and (before.is_of(image) or all(before.same(image, view.centre, k * view.edge) > UNCHANGED for k in of))

    def _lay_at(self, view: CubeView) -> bool:
        """Whether what looks most like a cube in the set-up picture is what the ``view`` shows."""
        then = self._at_set_up[0]
        return then is not None and then.centre is not None and math.dist(then.centre, view.centre) < view.edge / 2

    def _look(self, centre: tuple[float, float]) -> Look:
        """Where to look for a cube on the field at a place (px)."""
        return look_at(self._table, centre, EDGE, EDGE)

    def _once_more(self, image: NDArray[np.uint8], view: CubeView) -> CubeView:
        """The mean of what two looks showed and of four more from a little nearer and further, leaning to either side; where that leaves
        the number in doubt, with what all these looks tell of the hues alone: marbling that is as dark as the number is of another hue."""
        look = replace(self._look(view.centre), edge=view.edge)
        looks = [replace(look, edge=k * view.edge, lean=look.lean + lean) for k, lean in ((1.1, 0.1), (1.1, -0.1), (0.9, 0.1), (0.9, -0.1))]
        seen = _mean([view, view, *read_cubes(image, looks)], view)
        if max(seen.numbers) >= SURE_NUMBER:
            return seen
        hues = _mean(read_cubes(image, [look, *looks], hues=True), seen)
        if hues.cube < OF_HUES:
            return seen
        both = [a * b + 1e-9 for a, b in zip(seen.numbers, hues.numbers, strict=True)]  # never all of them none
        return replace(seen, numbers=tuple(n / sum(both) for n in both))


def judge(view: CubeView, table: Table) -> tuple[SeenCube, tuple[SeenDoubt, ...]]:
    """The cube that ``view`` shows, with what is not sure about it."""
    centre = _centre(view)
    number, sure = _number(view), max(view.numbers)
    cube, clear = placed(view, number, table)
    cube = replace(cube, centre=centre)
    doubts = []
    if view.cube < SURE_CUBE:
        doubts.append(SeenDoubt(About.CUBE, "presence", "this may be the cube", centre=centre))
    if sure < SURE_NUMBER:
        best = np.argsort(view.numbers)[::-1][:2]
        likely = (NUMBERS[int(best[0])], NUMBERS[int(best[1])])
        doubts.append(SeenDoubt(About.CUBE, "value", f"{likely[0]} or {likely[1]}", centre=centre, values=likely))
    if not clear:
        why = "it shows 64, as before the first double" if cube.value == 64 else "it lies between the players’ sides"
        doubts.append(SeenDoubt(About.CUBE, "owner", why, centre=centre))
    return cube, tuple(doubts)


def offered_to(view: CubeView, table: Table) -> Seat | None:
    """To whom a cube is offered that lies where ``view`` shows one: on the field of one half, to the seat whose right-hand half the other
    one is. A double is offered before the roll, the taker reaches it with his right hand. None where it lies elsewhere."""
    m = table.measures
    half_w, half_h, whole = m.inner[0] / 2, m.inner[1] / 2, WHOLE * EDGE
    x, y = table.camera.spot(view.centre, EDGE)
    bar_x, _ = table.camera.spot(view.centre, EDGE + m.bar_height)  # were it on the bar
    on_field = m.bar / 2 + whole < abs(x) < half_w - whole and abs(y) < half_h - whole and abs(bar_x) > m.bar / 2
    return (Seat.NEAR if x > 0 else Seat.FAR) if on_field else None


def placed(view: CubeView, number: int, table: Table) -> tuple[SeenCube, bool]:
    """Owner or offer by where the cube lies, and whether that is clear.

    In the middle along the sides it is nobody's, nearer a player it is his; 64 is the number it shows before the first double.
    """
    taker = offered_to(view, table)
    if taker is not None:
        return SeenCube(number, None, taker), number != 64
    _, y = table.camera.spot(view.centre, EDGE)
    aside = abs(y) / (table.measures.inner[1] / 2)
    if number == 64 and aside < PUSHED:
        return SeenCube(1, None), aside < PLAINLY_PUSHED
    if aside < NOBODYS:
        return SeenCube(number, None), False
    return SeenCube(number, Seat.NEAR if y < 0 else Seat.FAR), aside > A_PLAYERS and number != 64


def _plain(view: CubeView | None) -> bool:
    """Whether a view shows a cube and its number without a doubt."""
    return view is not None and view.cube >= SURE_CUBE and max(view.numbers) >= SURE_NUMBER


def _number(view: CubeView) -> int:
    return NUMBERS[int(np.argmax(view.numbers))]


def _centre(view: CubeView) -> tuple[float, float]:
    return round(view.centre[0], 1), round(view.centre[1], 1)


def _mean(looks: list[CubeView], place: CubeView) -> CubeView:
    """What several looks at one cube show on average; where it lies and how large it is is as ``place`` has it."""
    numbers = [math.prod(of) ** (1 / len(looks)) for of in zip(*(view.numbers for view in looks), strict=True)]
    total = sum(numbers)
    return CubeView(sum(view.cube for view in looks) / len(looks), tuple(n / total for n in numbers), place.centre, place.edge)
