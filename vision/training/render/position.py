"""Positions worth picturing, and where thirty checkers lie: pure numpy, no scene.

Random play by simplified rules is plausible enough for a picture: nothing here judges legality.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.board.position import START, Position, Seat

from .game import played
from .paint import Rng
from .spec import BoardSpec, CheckerSpec


def _other(point: int) -> int:
    return 25 - point


def random_play(rng: Rng, plies: int) -> Position:
    """The position after ``plies`` turns of random but orderly play; stops a little before the game is over."""
    sides = [[0] * 26, [0] * 26]  # own points 1..24, 25 = bar
    for s in sides:
        for p, n in ((24, 2), (13, 5), (8, 3), (6, 5)):
            s[p] = n
    me = int(rng.integers(2))
    build = rng.random()
    for _ in range(plies):
        a, b = (int(v) for v in rng.integers(1, 7, 2))
        for die in [a] * 4 if a == b else [a, b]:
            mine, theirs = sides[me], sides[1 - me]
            if sum(mine) <= 2:
                return _position(sides)
            options = []
            for p in range(25, 0, -1):
                if not mine[p] or (mine[25] and p != 25):
                    continue
                to = p - die
                if to <= 0:
                    home = all(not mine[q] for q in range(7, 26))
                    if home and (to == 0 or not any(mine[q] for q in range(p + 1, 7))):
                        options.append((p, 0, 1.0))
                elif theirs[_other(to)] < 2:
                    keep = 2.0 if mine[to] else 0.6
                    options.append((p, to, keep + (1.5 if p > 18 else 0.0) + (1.0 if theirs[_other(to)] else 0.0) + build * mine[to]))
            if not options:
                continue
            weights = np.array([o[2] for o in options])
            p, to, _w = options[int(rng.choice(len(options), p=weights / weights.sum()))]
            mine[p] -= 1
            if to:
                if theirs[_other(to)] == 1:
                    theirs[_other(to)] = 0
                    theirs[25] += 1
                mine[to] += 1
        me = 1 - me
    return _position(sides)


def stacked(rng: Rng) -> Position:
    """Few points held, many checkers on each: the high stacks that play seldom gives."""
    points = list(rng.permutation(np.arange(1, 25)))
    counts: list[list[int]] = [[0] * 25, [0] * 25]
    for seat in range(2):
        left = 15 - (int(rng.integers(0, 8)) if rng.random() < 0.5 else 0)
        if rng.random() < 0.3:
            counts[seat][24] = min(left, int(rng.integers(1, 6)))
            left -= counts[seat][24]
        while left > 0:
            n = min(left, int(rng.choice([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15])))
            p = int(points.pop())
            counts[seat][(p if seat == 0 else 25 - p) - 1] = n
            left -= n
    return Position.from_sides(tuple(counts[0]), tuple(counts[1]))


def bearing_off(rng: Rng) -> Position:
    """Both players, or one of them, with all that is left in the home board, much of it on few points; some borne off already."""
    begun = random_play(rng, int(rng.choice([12, 30, 45])))
    sides = [begun.side(seat) for seat in Seat]
    for seat in range(2) if rng.random() < 0.7 else [int(rng.integers(2))]:
        left = int(rng.integers(2, 16)) if rng.random() < 0.7 else 15
        share = rng.dirichlet(np.full(6, rng.choice([0.3, 1.0, 4.0])))
        sides[seat] = (*(int(n) for n in rng.multinomial(left, share)), *[0] * 19)
        sides[1 - seat] = tuple(n if p >= 24 or not sides[seat][23 - p] else 0 for p, n in enumerate(sides[1 - seat]))
    return Position.from_sides(*sides)


def with_some_on_bar(rng: Rng, position: Position) -> Position:
    """The ``position`` with some of either player's checkers on the bar instead: none to five, far more than games have there."""
    sides = []
    for seat in Seat:
        side = list(position.side(seat))
        for _ in range(int(rng.choice(6, p=(0.38, 0.26, 0.16, 0.1, 0.06, 0.04)))):
            held = [p for p, n in enumerate(side[:24]) if n]
            if held:
                side[int(rng.choice(held))] -= 1
                side[24] += 1
        sides.append(tuple(side))
    return Position.from_sides(*sides)


def _position(sides: list[list[int]]) -> Position:
    return Position.from_sides(tuple(sides[0][1:26]), tuple(sides[1][1:26]))


def draw_position(rng: Rng, endings: float = 0.0, stacks: float = 0.0, games: bool = False) -> Position:
    """A mid-game position: mostly random play of any length, some high stacks, some starts; ``endings`` is the share of `bearing_off`,
    ``stacks`` that of `stacked` beside it. With ``games`` a moment of a whole game."""
    if games:
        return played(rng)
    if endings and rng.random() < endings:  # without them nothing is drawn: seeds keep their pictures
        return bearing_off(rng)
    if stacks and rng.random() < stacks:
        return stacked(rng)
    kind = rng.random()
    if kind < 0.04:
        return START
    if kind < 0.24:
        return stacked(rng)
    return random_play(rng, int(rng.choice([2, 6, 12, 20, 30, 45, 60, 75])))


@dataclass(frozen=True, slots=True)
class Laid:
    """One checker: middle of its underside (x, y, z) cm, whose (0 near, 1 far), where, and whether it stands on its rim."""

    x: float
    y: float
    z: float
    seat: int
    place: str  # "point", "bar", "off"
    point: int = 0
    turn: float = 0.0
    on_edge: bool = False


def point_base(board: BoardSpec, home: str, point: int) -> tuple[float, float, float]:
    """As `vision.table.Table.point_base`: near's ``point`` 1..24 to (x, y, way)."""
    column = point - 1 if point <= 12 else 24 - point
    half = (board.inner[0] - board.bar) / 2
    slack = (half - 6 * board.pitch) / 2
    along = slack + (column % 6 + 0.5) * board.pitch
    x = board.inner[0] / 2 - along if column < 6 else -board.bar / 2 - along
    if home == "left":
        x = -x
    edge = board.inner[1] / 2 - board.border
    return (x, -edge, 1.0) if point <= 12 else (x, edge, -1.0)


def lay(position: Position, board: BoardSpec, checkers: CheckerSpec, home: str, rng: Rng, piles: bool = False) -> list[Laid]:
    """Lays a position out with the carelessness of people: first layers, second layers, bar, borne off. ``piles``: what is on the bar
    lies in piles of any height."""
    d = checkers.diameter
    room = board.inner[1] / 2 - board.border
    out: list[Laid] = []
    for point in range(1, 25):
        n = position.points[point - 1]
        if n:
            opposite = abs(position.points[24 - point])  # the point across the board
            most = int(room / d) if opposite * d > room - 0.3 else int((2 * room - max(opposite, 5) * d) / d)
            per_layer = max(4, min(most, int(rng.choice([5, 5, 5, 6, 6, 7]))))
            out += _column(point, abs(n), 0 if n > 0 else 1, per_layer, board, checkers, home, rng)
    out = _apart(out, board, d)
    if piles:
        out += _piled_on_bar(position.bar, board, checkers, rng)
    else:
        for seat in range(2):
            out += _on_bar(position.bar[seat], seat, board, checkers, rng)
    for seat in range(2):
        out += _off(position.off[seat], seat, board, checkers, home, rng)
    return out


def _column(point: int, n: int, seat: int, per_layer: int, board: BoardSpec, c: CheckerSpec, home: str, rng: Rng) -> list[Laid]:
    x, y, way = point_base(board, home, point)
    mess = c.mess * rng.uniform(0.3, 1.3)
    lean = rng.normal(0, 0.02 + 0.05 * mess)
    gap0 = abs(rng.normal(0, mess)) * 0.6
    spots: list[tuple[float, float]] = []
    along = gap0 + c.diameter / 2
    for i in range(min(n, per_layer)):
        spots.append((x + lean * i * c.diameter + rng.normal(0, 0.35 * mess), y + way * along))
        along += c.diameter * 1.003 + abs(rng.normal(0, mess)) * 0.25
    laid = [Laid(sx, sy, 0.0, seat, "point", point, float(rng.uniform(0, 6.28))) for sx, sy in spots]
    layer, below = 1, spots
    rest = n - len(spots)
    while rest > 0:
        bridging = len(below) > 1 and rng.random() < 0.35  # each lies across two of the layer below
        places = (
            [((below[i][0] + below[i + 1][0]) / 2, (below[i][1] + below[i + 1][1]) / 2) for i in range(len(below) - 1)]
            if bridging
            else list(below)
        )
        places = places[:rest]
        now = [(px + rng.normal(0, 0.5 * mess), py + rng.normal(0, 0.15 * mess)) for px, py in places]
        laid += [Laid(sx, sy, layer * c.height, seat, "point", point, float(rng.uniform(0, 6.28))) for sx, sy in now]
        rest -= len(now)
        below = now
        layer += 1
    return laid


def _apart(laid: list[Laid], board: BoardSpec, d: float) -> list[Laid]:
    """Pushes checkers of one layer apart until none cut into another, within the rails and off the bar."""
    if not laid:
        return laid
    xy = np.array([(c.x, c.y) for c in laid])
    z = np.array([c.z for c in laid])
    same = np.abs(z[:, None] - z[None]) < 0.2
    np.fill_diagonal(same, False)
    side = np.sign(xy[:, 0])
    for _ in range(30):
        delta = xy[:, None] - xy[None]
        dist = np.maximum(np.hypot(delta[..., 0], delta[..., 1]), 1e-3)
        push = np.where(same & (dist < d), (d - dist) / 2 + 0.002, 0.0)
        xy = xy + (delta / dist[..., None] * push[..., None]).sum(1)
        lo, hi = board.bar / 2 + d / 2, board.inner[0] / 2 - d / 2
        xy[:, 0] = side * np.clip(np.abs(xy[:, 0]), lo, hi)
        xy[:, 1] = np.clip(xy[:, 1], -board.inner[1] / 2 + d / 2, board.inner[1] / 2 - d / 2)
        if not push.any():
            break
    return [Laid(float(p[0]), float(p[1]), c.z, c.seat, c.place, c.point, c.turn) for c, p in zip(laid, xy, strict=True)]


def _on_bar(n: int, seat: int, board: BoardSpec, c: CheckerSpec, rng: Rng) -> list[Laid]:
    if not n:
        return []
    way = -1.0 if (seat == 0) == (rng.random() < 0.6) else 1.0
    y = rng.uniform(0.6, 0.3 * board.inner[1] / 2) + c.diameter / 2
    out = []
    piled = rng.random() < 0.25
    for i in range(n):
        z = board.bar_height
        if i >= 4 or (piled and i):
            z += c.height * (i if piled else i // 4)
        out.append(Laid(float(rng.normal(0, 0.1)), way * y, z, seat, "bar", 0, float(rng.uniform(0, 6.28))))
        if not piled:
            y = y + c.diameter * 1.01 + abs(rng.normal(0, 0.3)) if i % 4 != 3 else rng.uniform(2, 3)
    return out


def _piled_on_bar(bar: tuple[int, int], board: BoardSpec, c: CheckerSpec, rng: Rng) -> list[Laid]:
    """Both players' checkers on the bar, in piles beside each other, none of which lies in another."""
    piles = []
    for seat in Seat:
        left = bar[seat.index]
        while left:
            piles.append((seat.index, min(left, int(rng.choice((1, 1, 2, 2, 3, 4, 5))))))
            left -= piles[-1][1]
    if not piles:
        return []
    step, along = 1.03 * c.diameter, 0.94 * board.inner[1]
    between = [float(rng.choice((0.03, 1.0)))] * (len(piles) - 1)
    gaps = rng.dirichlet([1.0, *between, 1.0])[:-1].cumsum() * max(0.0, along - len(piles) * step)
    out = []
    for k, pile in enumerate(rng.permutation(len(piles))):
        x, y = float(rng.normal(0, 0.08) * c.diameter), float(gaps[k] + (k + 0.5) * step - along / 2)
        seat, levels = piles[pile]
        for level in range(levels):
            aside, ahead = np.clip(rng.normal(0, 0.08, 2), -0.2, 0.2) * c.diameter * (level > 0)
            z = board.bar_height + level * c.height
            out.append(Laid(x + float(aside), y + 0.3 * float(ahead), z, seat, "bar", 0, float(rng.uniform(0, 6.28))))
    return out


def _off(n: int, seat: int, board: BoardSpec, c: CheckerSpec, home: str, rng: Rng) -> list[Laid]:
    """Borne-off checkers: in the tray on the home side where there is one, else in piles beside the board."""
    if not n:
        return []
    side = 1.0 if home == "right" else -1.0
    width = board.trays[1] if side > 0 else board.trays[0]
    if not width and max(board.trays) > 0 and rng.random() < 0.7:
        side, width = -side, max(board.trays)
    way = -1.0 if seat == 0 else 1.0
    rail = board.inner[0] / 2 + board.rail_width
    out = []
    if width > c.diameter + 0.2 and rng.random() < 0.85:
        x = side * (rail + width / 2)
        edge = board.inner[1] / 2 - 0.2
        if rng.random() < 0.5:  # on their rims, as in a rack
            for i in range(n):
                y = way * (edge - (i + 0.5) * c.height * 1.02)
                out.append(Laid(x + float(rng.normal(0, 0.1)), y, c.diameter / 2, seat, "off", 0, float(rng.uniform(0, 6.28)), True))
            return out
        room = max(0.05, (width - c.diameter) / 2 - 0.1)
        for pile, level in _piled(n, int(board.inner[1] / 2 / (c.diameter + 0.2)), rng):
            y = way * (edge - (pile + 0.5) * (c.diameter + 0.2))
            out.append(
                Laid(
                    x + float(np.clip(rng.normal(0, 0.15), -room, room)),
                    y + float(rng.normal(0, 0.1)),
                    level * c.height,
                    seat,
                    "off",
                    0,
                    float(rng.uniform(0, 6.28)),
                )
            )
        return out
    x0 = side * (rail + (width + board.rail_width if width else 0) + c.diameter / 2 + rng.uniform(0.3, 3.0))
    y0 = way * rng.uniform(0.25, 0.48) * board.inner[1]
    rows = min(5, 1 + int(abs(y0) / (c.diameter + 0.15) - 0.6))  # not beyond the middle, where the other player's may lie
    for pile, level in _piled(n, n, rng):
        column, row = divmod(pile, rows)
        x = x0 + side * column * (c.diameter + 0.2)
        y = y0 - way * row * (c.diameter + 0.15)
        out.append(
            Laid(
                x + float(rng.normal(0, 0.12)),
                y + float(rng.normal(0, 0.05)),
                -board.base + level * c.height,
                seat,
                "off",
                0,
                float(rng.uniform(0, 6.28)),
            )
        )
    return out


def _piled(n: int, most: int, rng: Rng) -> list[tuple[int, int]]:
    """Which pile each of ``n`` checkers lies in and at what height: piles alike but for the last, or each as it comes; where there is
    room for fewer piles than checkers, ``most``, they are alike and as high as that takes."""
    high = max(int(rng.choice([1, 2, 3, 4, 4, 5, 5])), -(-n // most))
    loose = rng.random() < 0.2 and n <= most
    places: list[tuple[int, int]] = []
    pile = 0
    while len(places) < n:
        levels = int(rng.integers(1, 6)) if loose else high
        places += [(pile, level) for level in range(min(levels, n - len(places)))]
        pile += 1
    return places
