"""Reads the dice in a picture: value, state, half, what they touch, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from referee.observations import DieState, SeenDie, SeenDoubt
from vision.dice.find import BoardFinder, Spot, board_finder
from vision.dice.judge import SURE_OVER, judge, place_of
from vision.dice.lean import FLAT, HINT, LEGIBLE, RIM_POSSIBLE, SIZE, Flat, as_large, leaning, present, standing, sure_flat
from vision.dice.looks import CLEAR_SPOT, CLOSER, DiceLooks
from vision.dice.net import DieView
from vision.dice.possible import possible, possible_to_both
from vision.dice.raised import Raised
from vision.dice.set_up import AtSetUp
from vision.dice.sides import burnt_out, is_a_side, may_be_a_side, side_doubts, top_burnt_out
from vision.dice.support import rim_score
from vision.dice.views import CLEAR_DIE, Dice, in_picture, sureness, undoubted
from vision.table import Table

LEAST_SPOT = 0.2  # the finder's score from which a place is read: of 219 dice of `photoreal` none has less, of 367 other places half have
MOST, LARGE = 14, 24  # places that are read; those of larger dice, where none of the usual size is sure
PAIR, SURE_FINER = 2, 0.92  # so many plain dice are a throw: where there are none, or one is left over, the finder looks once more, finer;
# where what it finds then is a die, and its value, as surely as this, it is one (seven of 56 real dice that were missed on photographs of
# boards)
AWAY = 1.2, 1.6  # edges on the board's plane between the middles of two dice that touch, or seem to where one hides the other; of 3,500
# looks about 438 dice one was as sure as `CLEAR_DIE`, at a die
UNUSUAL = 0.84  # a die of another size than the board's is always in doubt, unless there are two clear ones of one size:
ALIKE = 1.15  # how much larger one may be than the other
NOT_UPON = 2.5  # checker radii from the middle of a die, if it stood on a checker, to the nearest one's: of 17 that did all had less than 1


class DiceReader:
    """Reads dice on and about a set-up ``table``. ``start`` (BGR uint8) is the set-up picture, when there is one: what lies there unchanged
    is no thrown die."""

    def __init__(self, table: Table, start: NDArray[np.uint8] | None = None) -> None:
        self._table = table
        self.at_set_up = AtSetUp(table, start) if start is not None else None

    def read(self, image: NDArray[np.uint8], raised: Raised | None = None) -> Dice:
        """The dice in ``image`` (BGR uint8), from left to right, and doubts about them. ``raised``: where checkers stand, when that was
        read; without it any die may lean on something."""
        return OnBoard(image, self._table, self.at_set_up, raised).read()


@dataclass(frozen=True, eq=False)
class OnBoard:
    """One ``image`` (BGR uint8) of a set-up ``table``; ``at_set_up``: what it showed then, None when that is not known; ``raised``: where
    checkers stand, None when they were not read."""

    image: NDArray[np.uint8]
    table: Table
    at_set_up: AtSetUp | None
    raised: Raised | None

    def read(self) -> Dice:
        """Where may dice lie; which of that are dice; how do they lie; what is in doubt."""
        views = self._dice(self._places())
        known = self._known(views)
        alone = [v for v, (seen, _) in zip(views, known, strict=True) if not is_a_side(seen, views, self.table)]
        if len(alone) < len(views):  # a die that leans on nothing but its own side
            views, known = alone, self._known(alone)
        judged = [self._judged(v, seen, _without(v, views), flat) for v, (seen, flat) in zip(views, known, strict=True)]
        return tuple(die for die, _ in judged), tuple(doubt for _, doubts in judged for doubt in doubts)

    @property
    def _finder(self) -> BoardFinder:
        return board_finder(self.table)

    @cached_property
    def _looks(self) -> DiceLooks:
        return DiceLooks(self.image, self.table)

    @cached_property
    def _closer(self) -> Callable[[DieView], DieView]:
        return cache(self._looks.closer)

    # where dice may lie: of the board's usual size; where that leaves a throw unfinished, seen finer; where none settles the size, larger

    def _places(self) -> list[DieView]:
        views = self._usual([spot for spot in self._finder.find(self.image).dice if spot.score >= LEAST_SPOT])
        plain = self._plain(views)
        if len(plain) % PAIR:  # one of a throw lies somewhere: it need not be marked as plainly
            more = self._more(views, self._finder.surer(self.image).dice)
            views, plain = views + more, plain + self._plain(more)
        if not plain or len(plain) % PAIR:
            finer = [spot for spot in self._finder.finer(self.image).dice if spot.score >= LEAST_SPOT]
            more = self._more(views, finer, SURE_FINER)
            views, plain = views + more, plain + self._plain(more)
        if len(plain) % PAIR:
            beside = [Spot(place, CLEAR_SPOT, v.edge) for v in plain for place in self._looks.beside(v, AWAY)]
            views += self._more(plain, beside, CLEAR_DIE)
        if self.raised is None or plain:
            return views
        return self._with_larger(views, self._larger(self.raised))

    def _more(self, known: list[DieView], spots: Sequence[Spot], sure: float = 0.0) -> list[DieView]:
        """What at ``spots`` is as ``sure`` a die as that, and none of the ``known`` ones."""
        new = [spot for spot in spots if not self._looks.seen_at(spot.centre, known, sure)]
        seen = [v for v in self._usual(new) if sureness(v) >= sure]
        return self._looks.one_each([v for v in seen if not self._looks.seen_at(v.centre, known, sure)])

    def _usual(self, found: Sequence[Spot]) -> list[DieView]:
        """What is seen where dice of the board's usual size were ``found`` and the picture is not as it was at set-up."""
        spots = [(spot, self._looks.usual(spot.centre)) for spot in found]
        fresh = [(spot, look) for spot, look in spots if self._changed(spot.centre, look.edge)]
        views = [self._looks.once_more(v) for v in self._looks.at(fresh[:MOST])]
        bare = self.raised if self.at_set_up is not None else None  # beside whose checkers the board is known to be bare
        alike = _alike([v for v in views if not bare.covers(v.centre)]) if bare is not None else []
        return [v if v in alike or as_large(v, self._usual_edge(v)) else _unusual(v) for v in views]

    def _larger(self, raised: Raised) -> list[DieView]:
        """The same where larger dice may lie beside checkers: over one, its own hole or inlay is a large one."""
        found = (spot for spot in self._finder.larger(self.image) if not raised.covers(spot.centre))
        spots = ((spot, replace(self._looks.usual(spot.centre), edge=spot.edge)) for spot in found)
        fresh = islice((spot for spot in spots if self._changed(spot[0].centre, spot[0].edge)), LARGE)
        return [self._looks.once_more(v) for v in self._looks.at(list(fresh)) if self._changed(v.centre, v.edge)]

    def _with_larger(self, views: list[DieView], larger: list[DieView]) -> list[DieView]:
        """``views`` of the usual size and ``larger`` ones: on small boards dice are large; but all dice of a board are of one size."""
        alike = _alike(larger) if self.at_set_up is not None else []
        size = max((v.edge for v in larger if sureness(v) >= CLEAR_DIE), default=0.0)
        usual = [v if v.edge > size / SIZE else _unusual(v) for v in views]
        others = (v for v in larger if v not in alike and place_of(v, self.table).state is not DieState.OFF_BOARD)  # borne off: glints
        return [*usual, *alike, *map(_unusual, others)]

    def _usual_edge(self, v: DieView) -> float:
        """The edge (px) of this board's dice where a view lies."""
        return self._looks.usual(v.centre).edge

    def _plain(self, views: list[DieView]) -> list[DieView]:
        """Those that tell how large this board's dice are: that show a die with its value, not just a few pixels, and a new one, which the
        closer look takes for one too."""
        plain = (v for v in views if undoubted(v) and v.edge >= LEGIBLE)
        return self._looks.one_each([v for v in plain if not self._as_it_was(v) and self._closer(v).die > 0])

    # which of it are dice: what shows enough of one for where it lies, and was not there at set-up

    def _dice(self, views: list[DieView]) -> list[DieView]:
        closer = [self._closer(v) for v in views if in_picture(v.centre, self.image) and self._possible(v)]
        dice = [v for v in self._looks.one_each([v for v in closer if v.die > 0]) if not self._as_it_was(v, views)]
        likely = [v for v in dice if v.die >= SURE_OVER or not self._upon(v)]
        if len(likely) == len(dice):
            return dice
        settled = len(self._plain(likely))
        return likely if settled and not settled % PAIR else dice  # with no die of a throw missing, it is a checker's marbling, or a hinge

    def _upon(self, v: DieView) -> bool:
        """Whether a view shows what would stand on a checker, the bar or a rail."""
        return (self.raised is not None and self.raised.covers(v.centre)) or place_of(v, self.table).state is DieState.ON_BAR

    def _possible(self, v: DieView) -> bool:
        """Whether a view is worth reporting as a die, if need be by the closer look at it."""
        return possible(v, self.raised) or (v.edge >= CLOSER and possible_to_both(self._closer(v), self.raised))

    def _changed(self, centre: tuple[float, float], edge: float) -> bool:
        """Whether a place (px) does not look just as it did at set-up, as far as that is known."""
        return self.at_set_up is None or not self.at_set_up.unchanged(self.image, centre, edge)

    def _as_it_was(self, v: DieView, others: Sequence[DieView] = ()) -> bool:
        """Whether what a view shows was there at set-up."""
        return self.at_set_up is not None and self.at_set_up.shows(self.image, v, others, self._finder.find(self.image).cubes)

    # how they lie, and what is in doubt

    def _judged(self, v: DieView, seen: DieView, others: list[DieView], flat: Flat) -> tuple[SeenDie, list[SeenDoubt]]:
        """What the die of a view comes to beside the ``others``, with its doubts: of how it lies, and whether a lamp has burnt its top out.
        ``seen`` and ``flat``: what `_known` has of it."""
        die, doubts = judge(seen, self.table, others, self.rim(seen), flat)
        side = side_doubts(die) if may_be_a_side(self.image, self._looks.look(v)) else ()
        doubts += [doubt for doubt in side if doubt.code not in {one.code for one in doubts}]
        if side or (any(doubt.code == "value" for doubt in doubts) and top_burnt_out(self.image, seen.centre, seen.edge)):
            doubts.append(burnt_out(die.centre))
        return die, doubts

    def _known(self, views: list[DieView]) -> list[tuple[DieView, Flat]]:
        """Each of the ``views`` with what is known of what lies about the die, other dice too; and what it takes to be sure that it lies
        flat. Where no checkers were read, with how it seems to lean alone."""
        if self.raised is None:
            return [(self._looks.about(v, 0.0), FLAT) for v in views]
        return [self._beside(self.raised, v, self.raised.gap(v.centre, [w.centre for w in _without(v, views)])) for v in views]

    def _beside(self, raised: Raised, v: DieView, gap: float) -> tuple[DieView, Flat]:
        """The same of one die that has this ``gap`` (die widths) to the nearest thing it could lean on."""
        v = self._looks.about(v, gap)
        in_tray = self.table.in_tray(v.centre)
        flat = sure_flat(v, gap, in_tray, raised.upon(v.centre), raised.wedged(v.centre))
        die = present(v, gap, self._usual_edge(v))
        return replace(v, die=die, tilted=leaning(v, gap, in_tray), support=standing(v, gap)), flat

    def rim(self, v: DieView) -> float:
        """How much of a checker's rim is seen about the die of a view, 0 where nothing else tells of a checker there, or where the rim is
        an ornament's: triangles make one by chance."""
        if self.raised is not None and self.raised.upon(v.centre) > NOT_UPON and v.support[1] < HINT:
            return 0.0
        rim = rim_score(self.image, v.centre, self.table)
        ornament = self.at_set_up is not None and rim > RIM_POSSIBLE and self.at_set_up.shows_rim(v, rim)
        return 0.0 if ornament else rim


def _without(v: DieView, views: list[DieView]) -> list[DieView]:
    """The others."""
    return [w for w in views if w is not v]


def _unusual(v: DieView) -> DieView:
    """A view of a die of another size than the board's."""
    return replace(v, die=v.die * UNUSUAL)


def _alike(views: list[DieView]) -> list[DieView]:
    """The clear ones among ``views`` that another is as large as."""
    clear = [v for v in views if sureness(v) >= CLEAR_DIE]
    return [v for v in clear if any(w is not v and 1 / ALIKE < v.edge / w.edge < ALIKE for w in clear)]
