"""Matches of random legal play as records, with every cube action, resignations of each size, and what truly came of each game."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from referee.board import CHECKERS, START, LegalPlays, Play, Position
from referee.records.record import Action, Do, Game, Record, Side

GAMES = 4  # of a match for money


@dataclass(frozen=True, slots=True)
class Truth:
    """One game: the board before each roll and after the last, left at near; who won how much."""

    score: tuple[int, int]
    before: tuple[Position, ...]
    last: Position
    winner: Side
    points: int
    kind: int
    """1, 2 or 3: single, gammon, backgammon."""


def random_match(seed: int, length: int) -> tuple[Record, tuple[Truth, ...]]:
    """A match to ``length`` points (0: `GAMES` games for money, with beavers), the same for the same seed."""
    rng = random.Random(seed)
    played: list[Game] = []
    truths: list[Truth] = []
    score, crawford_over = (0, 0), False
    while max(score) < length if length else len(played) < GAMES:
        crawford = length > 1 and not crawford_over and max(score) == length - 1
        crawford_over = crawford_over or crawford
        game, truth = _game(rng, length, score, crawford or length == 1)
        played.append(replace(game, number=len(played) + 1, crawford=crawford if length else None))
        truths.append(truth)
        score = (score[0] + truth.points * (truth.winner is Side.LEFT), score[1] + truth.points * (truth.winner is Side.RIGHT))
    tags = (("Event", "Random play"), ("EventDate", "2026.01.31"))
    record = Record(("Anna", "Boris"), length, tuple(played), tags, None if length else True, True if length else None)
    return record, tuple(truths)


def _game(rng: random.Random, length: int, score: tuple[int, int], no_cube: bool) -> tuple[Game, Truth]:
    actions: list[Action] = []
    before: list[Position] = []
    position, cube = START, 1
    owner: Side | None = None
    winner: Side | None = None
    kind, resigned = 1, False
    side = rng.choice(list(Side))
    hand_over = rng.random() < 0.15  # one side plays so badly that gammons and backgammons happen
    while winner is None:
        if actions and not no_cube and owner in (None, side) and cube < 32 and rng.random() < 0.04:
            actions.append(Action(side, Do.DOUBLE, value=2 * cube))
            answer = rng.random()
            if answer < 0.25:
                actions.append(Action(side.other, Do.DROP))
                winner = side
                break
            if not length and answer < 0.4:
                cube, owner = 4 * cube, side.other
                actions.append(Action(side.other, Do.BEAVER, value=cube))
            else:
                cube, owner = 2 * cube, side.other
                actions.append(Action(side.other, Do.TAKE))
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        if not actions and roll[0] == roll[1]:
            roll = (roll[0], roll[0] % 6 + 1)
        roll = (max(roll), min(roll))
        if len(actions) > 4 and rng.random() < 0.004:
            winner, kind, resigned = rng.choice(list(Side)), rng.randint(1, 3), True
            break
        before.append(position)
        plays = list(LegalPlays(position, side.seat, roll))
        steps: tuple[tuple[int, int], ...] | None = None
        if plays:
            play = _choose(rng, plays, side, hand_over)
            steps, position = tuple((m.source, m.target) for m in play.moves), play.result
        actions.append(Action(side, Do.ROLL, dice=roll, steps=steps))
        if position.off[side.index] == CHECKERS:
            winner, kind = side, _kind(position, side)
        side = side.other
    if not length and owner is None:
        kind = 1  # the Jacoby rule: no gammon before somebody took
    points = kind * cube
    game = Game(1, score, tuple(actions), winner, points, resigned)
    return game, Truth(score, tuple(before), position, winner, points, kind)


def _choose(rng: random.Random, plays: list[Play], side: Side, hand_over: bool) -> Play:
    """Mostly the play that bears off or hits most; in a game handed over the right side runs backwards as far as it can."""
    if rng.random() < 0.25:
        return rng.choice(plays)
    if hand_over and side is Side.RIGHT:
        return min(plays, key=lambda play: (play.result.off[side.index], -play.result.on_point(side.seat, 24)))
    return max(plays, key=lambda play: (play.result.off[side.index], play.result.pips(side.seat.other)))


def _kind(position: Position, winner: Side) -> int:
    loser = winner.seat.other
    if position.off[winner.other.index]:
        return 1
    return 3 if any(position.on_point(loser, p) for p in range(19, 26)) else 2
