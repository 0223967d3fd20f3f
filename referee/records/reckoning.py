"""The cube and the result of a game of a record, while it is played through: what each turn of the cube does, and what does not follow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from referee.board import CHECKERS, START, Position
from referee.board.matchid import LARGEST_CUBE
from referee.records.record import Action, Do, Game, Side
from referee.rules.cube import before_opening
from referee.rules.plays import closed_out
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import Kind, kind_of_win, points_of

_TURNS = {Do.DOUBLE: "doubled", Do.TAKE: "took", Do.DROP: "dropped", Do.BEAVER: "beavered", Do.RACCOON: "raccooned"}
_TIMES = {Do.DOUBLE: 2, Do.BEAVER: 4, Do.RACCOON: 2}
"""How many times its value the cube comes to show."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a game is judged by: ``length`` 0 is money; ``jacoby`` None where the record does not say; ``stated``: the rule set is known,
    no default, so that what it says of Jacoby, beavers and the first double counts."""

    length: int
    crawford: bool
    jacoby: bool | None
    rules: RuleSet
    stated: bool


@dataclass(slots=True)
class GameSoFar:
    """A game in the middle of its record. ``offered``: who has a double open; ``beaver``: who turned it again last, ``again`` times by
    now; ``last``: who rolled last; ``placed``: the board was set by hand, with so many checkers ``off``; ``beyond``: the cube was turned
    beyond its end; ``judged`` False after a break."""

    position: Position = START
    cube: int = 1
    owner: Side | None = None
    offered: Side | None = None
    last: Side | None = None
    winner: Side | None = None
    points: int = 0
    judged: bool = True
    resigned: bool = False
    beaver: Side | None = None
    again: int = 0
    placed: bool = False
    off: tuple[int, int] = (0, 0)
    beyond: bool = False
    positions: list[Position] = field(default_factory=lambda: [START])
    cubes: list[tuple[int, Side | None]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Dropped, or borne off."""
        return self.winner is not None or (self.judged and CHECKERS in self.position.off)

    @property
    def untouched(self) -> bool:
        """Nobody has rolled yet."""
        return self.judged and self.last is None and not self.placed


def cube_at_start(game: Game, length: int) -> int:
    """The cube's value at the start. Most formats do not write automatic doubles: in money play the first double tells them."""
    first = next((a for a in game.actions if a.do in _TURNS or a.do is Do.SET_CUBE), None)
    if first is not None and first.do is Do.DOUBLE and first.value in (4, 8, 16, 32) and game.cube == 1 and not length:
        return first.value // 2
    return game.cube


def turn_cube(state: GameSoFar, action: Action, where: str, by: Conditions, problems: list[str]) -> None:
    """A double, its answer or a beaver. One that answers nothing is named and changes nothing."""
    side, do = action.side, action.do
    if do is Do.BEAVER and state.beaver is side.other:
        do = Do.RACCOON  # some programs have one word for both

    def fault(why: str) -> None:
        problems.append(f"{where}: {side.value} {_TURNS[do]} {why}")

    beyond = state.cube * _TIMES.get(do, 0) > LARGEST_CUBE
    if beyond and not state.beyond:
        state.beyond = True
        fault(f"beyond {LARGEST_CUBE}, the largest cube that is followed")
    if do is Do.DOUBLE:
        for why in _double_faults(state, side, by):
            fault(why)
        if action.value and action.value != 2 * state.cube and not beyond:
            fault(f"to {action.value}, but the cube stood at {state.cube}")
        state.offered, state.again = side, 0
    elif do in (Do.TAKE, Do.DROP):
        again = state.beaver is not None and (do is Do.TAKE or state.beaver is side.other)  # a beaver may be answered like a double
        if state.offered is not side.other and not again:
            fault("without a double to answer")
        elif do is Do.DROP:
            state.winner, state.points, state.offered = side.other, state.cube // (2 if again else 1), None
        else:
            if state.beaver is None:
                state.cube, state.owner = _up(state.cube, 2), side
            state.offered = None
    else:
        if (do is Do.BEAVER and state.offered is not side.other) or (do is Do.RACCOON and state.beaver is not side.other):
            fault("without a double to turn")
            return
        if by.length:
            fault("in a match, which has no beavers")
        elif by.stated and (not by.rules.raccoons if state.again % 2 else state.again // 2 >= by.rules.beavers):
            fault(f"more often than the rule set {by.rules.name} allows")
        state.again += 1
        if do is Do.BEAVER:
            state.cube, state.owner, state.beaver, state.offered = _up(state.cube, 4), side, side, None
        else:
            state.cube, state.beaver = _up(state.cube, 2), side
        if action.value and action.value != state.cube and not beyond:
            fault(f"to {action.value}, but it makes {state.cube}")


def _up(cube: int, times: int) -> int:
    """What a cube shows that is turned to so many times its value, as far as it is followed."""
    return max(cube, min(times * cube, LARGEST_CUBE))


def _double_faults(state: GameSoFar, side: Side, by: Conditions) -> list[str]:
    why = []
    if state.offered is not None:
        why.append("while a double waited for its answer")
    if state.untouched and not before_opening(by.rules):
        why.append("before the opening throw")
    if by.crawford:
        why.append("in the Crawford game")
    elif by.length == 1:
        why.append("in a match to one point")
    if state.owner is side.other:
        why.append("although the other owns the cube")
    if state.judged and state.last is side and not closed_out(state.position, side.other.seat):
        why.append("out of turn")
    return why


def on_a_cube(value: int) -> bool:
    """Whether a cube can show ``value``."""
    return 1 <= value <= LARGEST_CUBE and not value & (value - 1)


def put_cube(state: GameSoFar, action: Action, where: str, problems: list[str]) -> None:
    """The cube was put by hand: an open offer is withdrawn."""
    if action.value:
        if not on_a_cube(action.value):
            problems.append(f"{where}: the cube was set to {action.value}, which no cube shows")
        else:
            state.cube = action.value
    if action.owner is not None:
        state.owner = action.owner.side
    state.offered = state.beaver = None


def settle_result(state: GameSoFar, game: Game, by: Conditions, problems: list[str]) -> None:
    """Winner and points as they follow from board, cube and resignation; says where the declared ones differ."""
    where = f"game {game.number}"
    said = by.rules.jacoby if by.stated else by.jacoby
    turned = state.owner is not None or state.cube > cube_at_start(game, by.length)  # by a take, or set by hand as after one
    jacoby = not by.length and not turned and (said if said is not None else game.points == state.cube)  # .mat: its points say
    for side in Side:
        if state.judged and state.position.off[side.index] == CHECKERS and state.winner is None:
            state.winner = side
            state.points = _borne_off(state, side, 0, jacoby, by)
            # Of a board put by hand nobody can tell which checkers were borne off, and which were never on it.
            short = _borne_off(state, side, state.off[side.other.index], jacoby, by)
            state.points = short if (game.winner, game.points) == (side, short) else state.points
    if game.ruled and game.winner is not None and state.winner is None:
        state.winner, state.points, state.resigned = game.winner, game.points, True
        return
    if (game.winner is not None or game.actions) and all(action.do is Do.RESIGN for action in game.actions):
        problems.append(f"{where} has a result but nothing was played in it: it counts nothing")
        return
    declared, points = game.winner, game.points
    last = game.actions[-1] if game.actions else None
    if declared is None:
        if state.winner is not None or last is None or last.do is not Do.RESIGN:
            return
        if not ("point" in last.text.lower() and last.value):
            _resign(state, last, jacoby, by, where, problems)
            return
        declared, points = last.side.other, last.value  # "Loses 2 points"
    if state.winner is None:
        # Nothing on the board or the cube ended it: a resignation, of the size that the declared points allow.
        size = 1 if jacoby or points <= state.cube else 2 if points <= 2 * state.cube else 3
        state.winner, state.points, state.resigned = declared, min(size, by.rules.backgammon_pays) * state.cube, True
    elif state.winner is not declared:
        problems.append(f"{where}: {state.winner.value} won it, the record says {declared.value}")
    if points != state.points and not no_more_than_it_took(replace(game, winner=declared, points=points), by.length, state.points):
        problems.append(f"{where}: {points} points are declared, {state.points} follow from the play and the cube")


def no_more_than_it_took(game: Game, length: int, points: int) -> bool:
    """Whether the game that gave its winner so many ``points`` is written with what he still needed of a match to ``length``, as some
    programs have it."""
    return bool(length) and game.winner is not None and game.points == length - game.score[game.winner.index] < points


def _borne_off(state: GameSoFar, side: Side, missing: int, jacoby: bool, by: Conditions) -> int:
    """The points that ``side`` has won by bearing off all his checkers; the other began with so many ``missing``."""
    kind = Kind.SINGLE if jacoby else kind_of_win(state.position, side.seat, by.rules, missing=missing)
    return points_of(kind, state.cube, by.rules)


def _resign(state: GameSoFar, action: Action, jacoby: bool, by: Conditions, where: str, problems: list[str]) -> None:
    """A game that ends in a resignation and no result: its words give the points, when they tell how much was given up."""
    words = re.findall(r"single|backgammon|gammon", action.text.lower())
    if not words:
        problems.append(f"{where}: {action.side.value} resigned, but it is not written for how many points: it counts nothing")
        return
    kind = Kind.SINGLE if jacoby else Kind(words[0])
    state.winner, state.points, state.resigned = action.side.other, points_of(kind, state.cube, by.rules), True
