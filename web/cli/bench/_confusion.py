"""Random games with illegal plays in them, and eyes that misread: what the arbiter's benchmark feeds on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.board.plays import LegalPlays
from referee.board.position import CHECKERS, START, Position, Seat
from referee.observations import About, DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition
from referee.rules.dice import right_half
from referee.rules.plays import closed_out

Roll = tuple[int, int]
BAD_THROWS = 0.03  # share of the throws that do not count


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the eyes go wrong. Rates are per picture, those of dice per die.

    - ``miscount``: one count is off by one (a checker more, one fewer, or one laid to the neighbouring point), and it is said: a
      doubt with both counts as values, or (one time in five) without any.
    - ``needless``: every count is right and yet one that is not zero is doubted.
    - ``blind_miscount``: one count is off by one and nothing is said. (Two such faults at once that make up for each
      other look exactly like an illegal play; nobody can tell them apart, and they are not drawn.)
    - ``die_value``: another face is read, and it is said, with both as values. ``die_state``: a flat die is called cocked, or a
      cocked one flat, and it is said. ``blind_die_state``: a flat die is called cocked and nothing is said.
    - ``missed_die``: a die is not reported. ``false_die``: one is reported somewhere on the board where there is none, half of
      them with little confidence, the others with a doubt.
    - ``no_cube``: the cube is not seen. ``dropped``: the picture is missing altogether.
    - ``lasting``: share of these faults that stay while nothing moves; the others are drawn anew for each picture.
    """

    miscount: float = 0.02
    needless: float = 0.02
    blind_miscount: float = 0.003
    die_value: float = 0.004
    die_state: float = 0.004
    blind_die_state: float = 0.001
    missed_die: float = 0.002
    false_die: float = 0.005
    no_cube: float = 0.02
    dropped: float = 0.001
    lasting: float = 0.5


@dataclass(frozen=True, slots=True)
class Scene:
    """One settled moment as it truly is. ``turn`` counts the game's turns from 0."""

    turn: int
    position: Position
    dice: tuple[SeenDie, ...]
    cube: SeenCube
    what: str

    @property
    def read(self) -> Reading:
        """What eyes without faults read."""
        return Reading(self.dice, SeenPosition(self.position.points, self.position.bar), self.cube)


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """``roll`` None: closed out. ``illegal``: what was left on the board at first, where that was no legal play; ``final``
    what stood in the end (``legal`` whether that is a legal result)."""

    seat: Seat
    roll: Roll | None
    before: Position
    final: Position
    illegal: Position | None = None
    legal: bool = True


# --- games ---------------------------------------------------------------------------------------------------------------


def lying(rng: random.Random, roll: tuple[int, ...], half: Half, bad: DieState = DieState.FLAT) -> tuple[SeenDie, ...]:
    """Dice somewhere in a half; the last of them in the state ``bad``."""
    left = 900.0 if half is Half.RIGHT else 300.0
    found = []
    for i, value in enumerate(roll):
        state = bad if i == len(roll) - 1 else DieState.FLAT
        on_field = state not in (DieState.ON_BAR, DieState.OFF_BOARD)
        found.append(SeenDie(value, state, half if on_field else None, (left + rng.uniform(0, 400), 200 + 150 * i + rng.uniform(0, 140))))
    return tuple(found)


def random_game(rng: random.Random, illegal_rate: float) -> tuple[list[TrueTurn], list[Scene]]:
    """A game of random plays to its end: every turn, and the scenes a camera of stills would take of it."""
    turns: list[TrueTurn] = []
    cube = SeenCube(1, None)
    scenes = [Scene(0, START, (), cube, "start")]
    near = far = 0
    while near == far:
        near, far = rng.randint(1, 6), rng.randint(1, 6)
        thrown = (*lying(rng, (near,), Half.RIGHT), *lying(rng, (far,), Half.LEFT))
        scenes.append(Scene(0, START, thrown, cube, "tie" if near == far else "throw"))
    seat = Seat.NEAR if near > far else Seat.FAR
    roll: Roll = (max(near, far), min(near, far))
    position = START
    while True:
        turn = len(turns)
        if turn:
            if closed_out(position, seat):
                turns.append(TrueTurn(seat, None, position, position))
                seat = seat.other
                continue
            if cube.owner in (None, seat) and cube.value < 64 and rng.random() < 0.01:
                offered = SeenCube(2 * cube.value, None, seat.other)
                scenes.append(Scene(turn, position, (), offered, "offer"))
                cube = SeenCube(2 * cube.value, seat.other)
            while rng.random() < BAD_THROWS:
                state = rng.choice([DieState.COCKED, DieState.COCKED, DieState.ON_CHECKER, DieState.ON_BAR, DieState.OFF_BOARD])
                bad = lying(rng, (rng.randint(1, 6), rng.randint(1, 6)), right_half(seat), state)
                scenes.append(Scene(turn, position, bad, cube, "bad throw"))
            roll = (rng.randint(1, 6), rng.randint(1, 6))
            scenes.append(Scene(turn, position, lying(rng, roll, right_half(seat)), cube, "throw"))
        results = tuple(LegalPlays(position, seat, roll).results)
        final = _eager(rng, results, seat) if results else position
        wrong = illegal_play(rng, position, seat, roll, frozenset(results or (position,))) if rng.random() < illegal_rate else None
        if wrong is not None:
            scenes.append(Scene(turn, wrong, (), cube, "illegal"))
            if rng.random() < 0.3:
                final = wrong
        if final != wrong:
            scenes.append(Scene(turn, final, (), cube, "played"))
        turns.append(TrueTurn(seat, roll, position, final, wrong, final != wrong))
        position, seat = final, seat.other
        if CHECKERS in position.off:
            return turns, scenes


def _eager(rng: random.Random, results: tuple[Position, ...], seat: Seat) -> Position:
    """Any play, now and then the one that takes the game furthest to its end."""
    if rng.random() < 0.5:
        return rng.choice(results)
    return max(results, key=lambda p: (p.off[seat.index], -p.side(seat)[24], -max(i for i, n in enumerate((1, *p.side(seat))) if n)))


def illegal_play(rng: random.Random, before: Position, seat: Seat, roll: Roll, legal: frozenset[Position]) -> Position | None:
    """One of the acts that players commit, as it looks on the board; None when none of the kinds tried can be made here."""
    kinds = [_other_roll, _other_roll, _half_played, _nothing, _others_checker, _too_far, _borne_off, _hit_left, _bar_forgotten]
    rng.shuffle(kinds)
    for kind in kinds:
        for _ in range(4):
            made = kind(rng, before, seat, roll)
            if made is not None and made not in legal and not made.defects():
                return made
    return None


def _moved(before: Position, seat: Seat, source: int, target: int) -> Position | None:
    """``seat``'s checker taken from ``source`` to ``target`` (his numbers, 25 bar, 0 off), hitting; None where that cannot stand."""
    sides = {s: list(before.side(s)) for s in Seat}
    mine, theirs = sides[seat], sides[seat.other]
    if source == target or not 1 <= source <= 25 or not 0 <= target <= 24 or mine[source - 1] < 1:
        return None
    mine[source - 1] -= 1
    if target:
        blot = theirs[24 - target]
        if blot > 1:
            return None
        if blot:
            theirs[24 - target] = 0
            theirs[24] += 1
        mine[target - 1] += 1
    return Position.from_sides(tuple(sides[Seat.NEAR]), tuple(sides[Seat.FAR]))


def _source(rng: random.Random, before: Position, seat: Seat) -> int:
    points = [p for p in range(1, 26) if before.on_point(seat, p)]
    return rng.choice(points) if points else 1


def _other_roll(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    """Played as if another number had been thrown."""
    other = (roll[0], rng.randint(1, 6)) if rng.random() < 0.8 else (rng.randint(1, 6), rng.randint(1, 6))
    results = tuple(LegalPlays(before, seat, other).results)
    return rng.choice(results) if results else None


def _half_played(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    source = _source(rng, before, seat)
    return _moved(before, seat, source, max(0, source - rng.choice(roll))) if source > 6 else None


def _nothing(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    return before


def _others_checker(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    source = _source(rng, before, seat.other)
    return _moved(before, seat.other, source, source - roll[0]) if 6 < source < 25 else None


def _too_far(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    source = _source(rng, before, seat)
    target = source - sum(roll) - rng.choice((-1, 1))
    return _moved(before, seat, source, target) if target > 0 else None


def _borne_off(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    source = _source(rng, before, seat)
    return _moved(before, seat, source, 0) if source <= 6 and not before.bar[seat.index] else None


def _hit_left(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    """A hit checker put off the board instead of on the bar."""
    hits = [play for play in LegalPlays(before, seat, roll) if any(move.hit for move in play.moves)]
    return beside(rng.choice(hits).result, seat.other, 1) if hits else None


def beside(position: Position, seat: Seat, hit: int) -> Position:
    """``position`` with the checkers of ``seat`` that were just hit beside the bar, where no camera counts them."""
    bar, off = list(position.bar), list(position.off)
    bar[seat.index], off[seat.index] = bar[seat.index] - hit, off[seat.index] + hit
    return Position(position.points, (bar[0], bar[1]), (off[0], off[1]))


def _bar_forgotten(rng: random.Random, before: Position, seat: Seat, roll: Roll) -> Position | None:
    source = _source(rng, before, seat)
    return _moved(before, seat, source, source - roll[0]) if before.bar[seat.index] and 6 < source < 25 else None


# --- eyes ----------------------------------------------------------------------------------------------------------------


def pictures(scenes: list[Scene], rng: random.Random, confusion: Confusion, looks: int) -> Iterator[tuple[Scene, Reading]]:
    """What the eyes read of each scene, ``looks`` times (1: a still). No picture of the start is dropped or misread."""
    now = 0.0
    for number, scene in enumerate(scenes):
        now += 4.0
        if scene.what == "start":
            for look in range(looks):
                yield scene, replace(scene.read, captured_at=now + 0.5 * look, frame=f"{number}")
            continue
        if rng.random() < confusion.dropped:
            continue
        lasting = again(scene.read, rng, confusion, confusion.lasting)
        for look in range(looks):
            reading = again(lasting, rng, confusion, 1.0 - confusion.lasting)
            yield scene, replace(reading, captured_at=now + 0.5 * look, frame=f"{number}")


def again(reading: Reading, rng: random.Random, confusion: Confusion, share: float) -> Reading:
    """``reading`` with this ``share`` of the faults of ``confusion``."""
    reading = _checkers(reading, rng, confusion, share)
    seen, doubts = [], list(reading.doubts)
    for die in reading.dice:
        if rng.random() < share * confusion.missed_die:
            continue
        if rng.random() < share * confusion.die_value and die.value is not None:
            wrong = rng.choice([v for v in range(1, 7) if v != die.value])
            values = (wrong, die.value)
            doubts.append(SeenDoubt(About.DIE, "value", f"{wrong} or {die.value}", centre=die.centre, values=values))
            die = replace(die, value=wrong, confidence=0.7)
        if rng.random() < share * confusion.die_state and die.state in (DieState.FLAT, DieState.COCKED):
            doubts.append(SeenDoubt(About.DIE, "state", "flat or cocked", centre=die.centre))
            die = replace(die, state=DieState.COCKED if die.state is DieState.FLAT else DieState.FLAT, confidence=0.7)
        elif rng.random() < share * confusion.blind_die_state and die.state is DieState.FLAT:
            die = replace(die, state=DieState.COCKED)
        seen.append(die)
    if rng.random() < share * confusion.false_die:
        sure = rng.random() < 0.5
        extra = replace(lying(rng, (rng.randint(1, 6),), rng.choice(list(Half)))[0], confidence=0.8 if sure else 0.3)
        seen.append(extra)
        if sure:
            doubts.append(SeenDoubt(About.DIE, "false", "perhaps no die", centre=extra.centre))
    cube = None if rng.random() < share * confusion.no_cube else reading.cube
    return replace(reading, dice=tuple(seen), doubts=tuple(doubts), cube=cube)


def _checkers(reading: Reading, rng: random.Random, confusion: Confusion, share: float) -> Reading:
    assert reading.position is not None
    chance = rng.random()
    said, needless, blind = (share * rate for rate in (confusion.miscount, confusion.needless, confusion.blind_miscount))
    places = [i for i, n in enumerate((*reading.position.points, *reading.position.bar)) if n]
    if not places:
        return reading
    place = rng.choice(places)
    if chance < said:
        return _miscounted(reading, rng, place, True)
    if chance < said + needless:
        count = abs((*reading.position.points, *reading.position.bar)[place])
        return replace(reading, doubts=(*reading.doubts, _doubt(place, (count, count + rng.choice((-1, 1))))))
    if chance < said + needless + blind:
        return _miscounted(reading, rng, place, False)
    return reading


def _miscounted(reading: Reading, rng: random.Random, place: int, said: bool) -> Reading:
    position = reading.position
    assert position is not None
    counts = [*position.points, *position.bar]
    sign = 1 if counts[place] > 0 else -1
    doubts = list(reading.doubts)
    right = counts[place]
    counts[place] += sign * rng.choice((-1, 1))
    values = (abs(counts[place]), abs(right))
    if said:
        doubts.append(_doubt(place, values if rng.random() < 0.8 else ()))
        neighbour = place + rng.choice((-1, 1))
        if place < 24 and 0 <= neighbour < 24 and counts[neighbour] * sign >= 0 and rng.random() < 0.3:
            counts[place] = right - sign
            counts[neighbour] += sign
            doubts[-1] = _doubt(place, (abs(right) - 1, abs(right)))
            doubts.append(_doubt(neighbour, (abs(counts[neighbour]), abs(counts[neighbour]) - 1)))
    seen = SeenPosition(tuple(counts[:24]), (counts[24], counts[25]))
    return replace(reading, position=seen, doubts=tuple(doubts))


def _doubt(place: int, values: tuple[int, ...]) -> SeenDoubt:
    text = " or ".join(map(str, values)) or "not seen"
    if place < 24:
        return SeenDoubt(About.POINT, "count", text, point=place + 1, values=values)
    return SeenDoubt(About.BAR, "count", text, seat=(Seat.NEAR, Seat.FAR)[place - 24], values=values)
