"""Two players at a table before a live camera, as time passes: throws, checkers moved one by one, hands, hurry and habits.

`filmed` turns a random game (`_confusion.random_game`) into spans of time, `watched` into the readings that a camera's gate lets through,
misread as `Confusion` states. Durations are medians in seconds, drawn from a log-normal distribution.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.board.plays import LegalPlays, make
from referee.board.position import Position, Seat
from referee.observations import DieState, Reading, SeenCube, SeenDie
from referee.rules.dice import right_half
from vision.camera.gate import AGAIN, LATER, STILL_AFTER
from web.cli.bench._confusion import Confusion, Scene, TrueTurn, again, beside, lying

SPREAD = 0.5  # standard deviation of a duration's logarithm
NUDGE = 15.0, 60.0  # px that a hand shifts a die


@dataclass(frozen=True, slots=True)
class Pace:
    """Medians (s): ``roll`` the dice run, ``think`` before the first checker, ``hand`` over the board for each, ``between`` them,
    ``after`` the last, ``lift`` the dice are taken up, ``wait`` until the next throw. ``hurry``: share of throws made before the other's
    dice are up; ``early``: of plays whose dice are taken up before the last checker."""

    roll: float
    think: float
    hand: float
    between: float
    after: float
    lift: float
    wait: float
    hurry: float
    early: float


PACES = {
    "slow": Pace(1.0, 9.0, 1.2, 1.5, 2.0, 0.8, 3.0, 0.01, 0.01),
    "calm": Pace(0.9, 4.0, 0.8, 0.8, 1.0, 0.6, 1.5, 0.03, 0.02),
    "fast": Pace(0.7, 0.8, 0.45, 0.25, 0.3, 0.4, 0.5, 0.12, 0.05),
}


@dataclass(frozen=True, slots=True)
class Habits:
    """What happens at tables besides, as shares of the turns: ``nudge`` a hand brushes a die, ``beside`` a hit checker lies beside the bar
    for a moment (of the hits), ``back`` a play is taken back and made anew, ``kept`` the dice are laid down again after the turn,
    in their half or beside the board, ``gap`` nothing is seen for 2 to 9 s, ``hands`` a hand rests over the board."""

    nudge: float = 0.03
    beside: float = 0.3
    back: float = 0.03
    kept: float = 0.04
    gap: float = 0.02
    hands: float = 0.1


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which the board is as ``scene`` says. ``moves``: something moves, and no picture settles; ``hand``: one rests
    over the board."""

    seconds: float
    scene: Scene
    moves: bool = False
    hand: bool = False


class _Filming:
    """Writes down what is on the board, as time passes."""

    def __init__(self, turns: list[TrueTurn], pace: Pace, habits: Habits, rng: random.Random) -> None:
        self.turns, self.pace, self.habits, self.rng = turns, pace, habits, rng
        self.spans: list[Span] = []
        self.dice: dict[Seat, tuple[SeenDie, ...]] = dict.fromkeys(Seat, ())
        self.late: Seat | None = None  # whose dice are still to be taken up
        self.scene = Scene(0, Position((0,) * 24), (), SeenCube(1, None), "start")

    def lasts(self, median: float, *, moves: bool = False, hand: bool = False) -> None:
        seconds = median * math.exp(self.rng.gauss(0.0, SPREAD))
        dice = (*self.dice[Seat.NEAR], *self.dice[Seat.FAR])
        self.spans.append(Span(seconds, replace(self.scene, dice=dice), moves, hand))

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def throw(self, scene: Scene, seat: Seat | None) -> None:
        """The dice of ``scene`` come to rest; ``seat`` None: one of each player."""
        mine = {who: tuple(d for d in scene.dice if seat is who or (seat is None and d.half is right_half(who))) for who in Seat}
        for who in Seat:
            if mine[who]:
                self.dice[who] = ()
        self.lasts(self.pace.roll, moves=True)
        self.scene = scene
        self.dice.update({who: dice for who, dice in mine.items() if dice})
        self.lasts(self.pace.think if scene.what == "throw" else self.pace.after)
        if self.late is not None:
            self.take_up(self.late)
            self.lasts(self.pace.between)

    def take_up(self, seat: Seat) -> None:
        """``seat``'s dice leave the board, or are laid down somewhere."""
        self.late = None
        dice, self.dice[seat] = self.dice[seat], ()
        self.lasts(self.pace.lift, moves=True)
        if len(dice) == 2 and self.happens(self.habits.kept):
            self.lasts(self.pace.wait)
            half = right_half(seat) if self.happens(0.7) else None
            state = DieState.FLAT if half is not None else DieState.OFF_BOARD
            values = tuple(d.value or 1 for d in dice) if self.happens(0.5) else (self.rng.randint(1, 6), self.rng.randint(1, 6))
            laid = lying(self.rng, values, right_half(seat))
            self.dice[seat] = tuple(replace(d, half=half, state=state) for d in laid)
            self.lasts(self.pace.hand, moves=True)

    def play(self, scene: Scene, true: TrueTurn) -> None:
        """The checkers go, one after the other, to where ``scene`` has them, and the dice are taken up."""
        seat, start = true.seat, self.scene.position
        way = _way(start, scene.position, true)
        if true.roll is not None and self.happens(self.habits.back):
            other = self.rng.choice(tuple(LegalPlays(true.before, seat, true.roll).results) or (start,))
            way = [*_way(start, other, true), start, *way]
        early = self.happens(self.pace.early)
        for number, position in enumerate(way):
            last = number == len(way) - 1
            if early and last:
                self.dice[seat] = ()
            if self.happens(self.habits.nudge):
                self.nudge(seat)
            self.lasts(self.pace.hand, moves=True)
            hit = position.bar[seat.other.index] - self.scene.position.bar[seat.other.index]
            if hit > 0 and self.happens(self.habits.beside):
                self.scene = replace(self.scene, position=beside(position, seat.other, hit))
                self.lasts(self.pace.between)
                self.lasts(self.pace.hand, moves=True)
            self.scene = replace(self.scene, position=position)
            self.lasts(self.pace.after if last else self.pace.between)
            if self.happens(self.habits.hands):
                self.lasts(self.pace.after, hand=True)
        if self.happens(self.pace.hurry) and self.dice[seat] and scene.what == "played":
            self.late = seat
        else:
            self.take_up(seat)
        for who in Seat if true is self.turns[0] else ():
            self.dice[who] = ()  # the opening's dice are both his to take
        self.scene = replace(scene, dice=())
        if self.late is None:
            self.lasts(self.pace.wait)

    def nudge(self, seat: Seat) -> None:
        dice = list(self.dice[seat])
        if not dice:
            return
        place = self.rng.randrange(len(dice))
        far, way = self.rng.uniform(*NUDGE), self.rng.uniform(0, 2 * math.pi)
        x, y = dice[place].centre
        value = self.rng.randint(1, 6) if self.rng.random() < 0.3 else dice[place].value
        dice[place] = replace(dice[place], centre=(x + far * math.cos(way), y + far * math.sin(way)), value=value)
        self.dice[seat] = tuple(dice)

    def put_right(self, scene: Scene) -> None:
        self.lasts(self.pace.wait)
        self.lasts(self.pace.hand, moves=True)
        self.scene = replace(scene, dice=())
        self.lasts(self.pace.after + self.pace.wait)


def _way(start: Position, end: Position, true: TrueTurn) -> list[Position]:
    """The positions on the way, one checker at a time where it is a legal play; the last is ``end``."""
    play = LegalPlays(true.before, true.seat, true.roll).results.get(end) if true.roll is not None else None
    if play is None or start != true.before:
        return [end]
    return [make(start, true.seat, play.moves[: n + 1]) for n in range(len(play.moves))] or [end]


def filmed(turns: list[TrueTurn], scenes: list[Scene], pace: Pace, habits: Habits, rng: random.Random) -> list[Span]:
    """The game of ``turns`` and ``scenes`` (from `_confusion.random_game`) as time passes."""
    film = _Filming(turns, pace, habits, rng)
    was = ""
    for scene in scenes:
        true = turns[min(scene.turn, len(turns) - 1)]
        opening = scene.turn == 0
        match scene.what:
            case "start":
                film.scene = scene
                film.lasts(3.0)
            case "tie" | "throw" | "bad throw":
                film.throw(scene, None if opening else true.seat)
                if scene.what != "throw":
                    film.dice = dict.fromkeys(Seat, ()) if opening else film.dice | {true.seat: ()}
                    film.lasts(pace.lift, moves=True)
            case "offer":
                film.scene = scene
                film.lasts(max(2.0, pace.think))
                film.lasts(pace.hand, moves=True)
                film.scene = replace(scene, cube=SeenCube(scene.cube.value, true.seat.other), what="played")
                film.lasts(max(2.0, pace.wait))
            case _ if was == "illegal":
                film.put_right(scene)
            case _:
                film.play(scene, true)
        was = scene.what
    return film.spans


def watched(spans: list[Span], rng: random.Random, confusion: Confusion, habits: Habits) -> Iterator[tuple[Scene, Reading]]:
    """What a camera's eyes read, at the gate's rhythm, with the scene as it truly is. Nothing of the start is misread."""
    now, turn, blind = 0.0, 0, (-1.0, -1.0)
    for span in spans:
        start, now = now, now + span.seconds
        if span.scene.turn != turn:
            turn = span.scene.turn
            if rng.random() < habits.gap:
                begins = start + rng.uniform(0.0, 4.0)
                blind = (begins, begins + rng.uniform(2.0, 9.0))
        if span.moves:
            continue
        scene, at = span.scene, start + STILL_AFTER
        first = scene.what == "start"
        lasting = scene.read if first else again(scene.read, rng, confusion, confusion.lasting)
        for wait in _waits(span.seconds):
            at += wait
            if at >= now:
                break
            if blind[0] <= at < blind[1] or rng.random() < confusion.dropped:
                continue
            reading = lasting if first else again(lasting, rng, confusion, 1.0 - confusion.lasting)
            yield scene, replace(reading, captured_at=at, frame=f"{at:.2f}", hand=span.hand)


def _waits(seconds: float) -> Iterator[float]:
    yield 0.0
    yield from AGAIN
    for _ in range(int(seconds / LATER) + 1):
        yield LATER
