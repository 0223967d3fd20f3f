"""Where dice come to rest: flat, leaning on something, on checkers, bar, rail, table; pure numpy.

A leaning die is turned, set with its lowest corner on what is under it, and slid towards its neighbour until they
touch. That is what a camera sees of a cocked die; friction is not simulated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .paint import Array, Rng
from .position import Laid
from .spec import BoardSpec, CheckerSpec, DiceSpec

# Opposite faces add up to seven; normals in the die's own frame.
NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, -1, 0), 5: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}


@dataclass(frozen=True, eq=False)
class Solid:
    """Something a die can touch: an upright cylinder (``radius`` > 0), a box, or another die (``turn`` given)."""

    kind: str  # checker, rail, bar, die, tray
    centre: Array
    half: Array  # half extents; for a cylinder (r, r, half height)
    radius: float = 0.0
    turn: Array | None = None

    def inside(self, p: Array) -> Array:
        """Which of the points (n, 3) lie inside."""
        q = p - self.centre
        if self.turn is not None:
            q = q @ self.turn
        if self.radius:
            return np.asarray((np.hypot(q[:, 0], q[:, 1]) < self.radius) & (np.abs(q[:, 2]) < self.half[2]))
        return np.asarray((np.abs(q) < self.half).all(1))

    def rim(self) -> Array:
        """Points on its edges, to test against the die."""
        if self.radius:
            a = np.linspace(0, 2 * np.pi, 48, endpoint=False)
            ring = np.stack([np.cos(a) * self.radius, np.sin(a) * self.radius, np.full(48, self.half[2])], 1)
            return np.concatenate([ring, ring * (1, 1, -1)]) + self.centre
        t = np.linspace(-1, 1, 7 if self.turn is not None else 60)
        edges = []
        for axis in range(3):
            for s1 in (-1, 1):
                for s2 in (-1, 1):
                    e = np.empty((len(t), 3))
                    e[:, axis] = t
                    e[:, (axis + 1) % 3] = s1
                    e[:, (axis + 2) % 3] = s2
                    edges.append(e)
        pts = np.concatenate(edges) * self.half
        return (pts @ self.turn.T if self.turn is not None else pts) + self.centre


@dataclass(frozen=True, eq=False)
class Die:
    """A die at rest. ``turn`` maps its own frame to the board frame."""

    centre: Array
    turn: Array
    size: float
    value: int
    state: str
    half: str | None
    owner: int
    touches: tuple[str, ...] = field(default=())

    @property
    def tilt(self) -> float:
        """Degrees between the most upward face and the vertical."""
        return float(np.degrees(np.arccos(np.clip((self.turn @ np.array(NORMALS[self.value]))[2], -1, 1))))

    def top_quad(self) -> Array:
        """(4, 3) corners of the most upward face."""
        n = np.array(NORMALS[self.value], float)
        u = np.roll(n, 1)
        v = np.cross(n, u)
        return np.array([self.centre + self.turn @ (n + a * u + b * v) * self.size / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])

    def solid(self) -> Solid:
        return Solid("die", self.centre, np.full(3, self.size / 2), 0.0, self.turn)


def _samples(n: int = 7) -> Array:
    t = np.linspace(-1, 1, n)
    g = np.stack(np.meshgrid(t, t, t, indexing="ij"), -1).reshape(-1, 3)
    return np.asarray(g[(np.abs(g) > 0.999).any(1)])


_SURFACE = _samples()


def _rot(axis: int, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    m = np.eye(3)
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


def turn_for(value: int, tilt: float, lean: float, spin: float) -> Array:
    """A rotation with ``value`` up, spun about its normal, then tilted (rad) so that it leans towards azimuth ``lean``."""
    n = np.array(NORMALS[value], float)
    u = np.roll(n, 1)
    base = np.stack([u, np.cross(n, u), n])  # rows: the frame with `value` on top
    around = _rot(2, lean) @ _rot(1, tilt) @ _rot(2, -lean)
    return np.asarray(around @ _rot(2, spin) @ base)


def reach(turn: Array, dice: DiceSpec) -> float:
    """How far below its centre the lowest point of a die with rounded edges lies: its support function downwards."""
    straight = dice.size / 2 - dice.radius * dice.size
    box = float(np.abs(turn[2]).sum() * straight + dice.radius * dice.size)
    return min(box, dice.ball * dice.size) if dice.ball else box


def cuts(centre: Array, turn: Array, size: float, solids: list[Solid], slack: float = 0.015) -> set[str]:
    """Kinds of the solids the die cuts into by more than ``slack`` cm."""
    found = set()
    points = _SURFACE * (size / 2 - slack) @ turn.T + centre
    for s in solids:
        if np.abs(s.centre[:2] - centre[:2])[0] > s.half[0] + size * 1.3 and s.turn is None:
            continue
        if np.abs(s.centre[:2] - centre[:2])[1] > s.half[1] + size * 1.3 and s.turn is None:
            continue
        q = (s.rim() - centre) @ turn
        if s.inside(points).any() or (np.abs(q) < size / 2 - slack).all(1).any():
            found.add(s.kind)
    return found


def solids_of(board: BoardSpec, checkers: CheckerSpec, laid: list[Laid]) -> list[Solid]:
    """Checkers, rails and bar as solids."""
    out = []
    w, h = board.inner
    rh, rw = board.rail_height, board.rail_width
    for s in (-1, 1):
        out.append(Solid("rail", np.array([0, s * (h / 2 + rw / 2), rh / 2]), np.array([w / 2 + rw, rw / 2, rh / 2])))
        out.append(Solid("rail", np.array([s * (w / 2 + rw / 2), 0, rh / 2]), np.array([rw / 2, h / 2, rh / 2])))
    if board.bar_height > 0.05:
        out.append(Solid("bar", np.array([0, 0, board.bar_height / 2]), np.array([board.bar / 2, h / 2, board.bar_height / 2])))
    for c in laid:
        if c.on_edge:
            out.append(
                Solid("tray", np.array([c.x, c.y, c.z]), np.array([checkers.diameter / 2, checkers.height / 2, checkers.diameter / 2]))
            )
        else:
            r = checkers.diameter / 2
            out.append(Solid("checker", np.array([c.x, c.y, c.z + checkers.height / 2]), np.array([r, r, checkers.height / 2]), r))
    return out


class Table:
    """A table in the act of being thrown on: knows what lies there and places one die after another."""

    def __init__(self, board: BoardSpec, checkers: CheckerSpec, laid: list[Laid], rng: Rng) -> None:
        self.board, self.checkers, self.laid, self.rng = board, checkers, laid, rng
        self.solids = solids_of(board, checkers, laid)
        self.dice: list[Die] = []
        self.tilts = (5.0, 42.0)
        self.spec: DiceSpec

    def throw(self, how: str, half: str, dice: DiceSpec, owner: int) -> Die | None:
        """Places a die ``how`` (a name of `WAYS`) in or near ``half``; None when there is no room for it."""
        self.spec = dice
        for _ in range(40):
            die = WAYS[how](self, half, dice.size, owner)
            if die is not None:
                self.dice.append(die)
                self.solids.append(die.solid())
                return die
        return None

    def _made(self, xy: Array, z: float, turn: Array, size: float, value: int, state: str, owner: int, field_half: bool) -> Die | None:
        centre = np.array([xy[0], xy[1], z + reach(turn, self.spec)])
        if cuts(centre, turn, size, self.solids):
            return None
        near = cuts(centre, turn, size, self.solids, -0.05) if state in ("flat", "cocked") else set()
        half = ("right" if xy[0] > 0 else "left") if field_half else None
        return Die(centre, turn, size, value, state, half, owner, tuple(sorted(near - {"tray", "thing"})))

    def _spot(self, half: str, margin: float) -> Array:
        b = self.board
        x = self.rng.uniform(b.bar / 2 + margin, b.inner[0] / 2 - margin)
        y = self.rng.normal(0, 0.3) if self.rng.random() < 0.6 else self.rng.uniform(-1, 1)
        return np.array([x if half == "right" else -x, float(np.clip(y, -1, 1)) * (b.inner[1] / 2 - margin)])

    def _value(self) -> int:
        return int(self.rng.integers(1, 7))

    def _flat_turn(self, value: int) -> Array:
        return turn_for(value, 0.0, 0.0, self.rng.uniform(0, 2 * np.pi))

    def flat(self, half: str, size: float, owner: int) -> Die | None:
        value = self._value()
        return self._made(self._spot(half, size * 0.75), 0.0, self._flat_turn(value), size, value, "flat", owner, True)

    def _slide(self, half: str, turn: Array, size: float, target: Solid, toward: Array) -> Array | None:
        """Slides the die from afar towards ``target``; the place (x, y) of first contact, when that is with the target."""
        start = target.centre[:2].copy()
        if target.kind in ("rail", "bar"):
            along = 0 if target.half[0] > target.half[1] else 1
            start[along] = self._spot(half, size)[along]
            away = np.zeros(2)
            away[1 - along] = toward[1 - along]
            toward = away
        toward = toward / (np.linalg.norm(toward) + 1e-9)
        height = reach(turn, self.spec)
        far, last = None, None
        for t in np.arange(-(float(np.abs(target.half[:2] @ np.abs(toward))) + size * 1.6), 0.5, 0.03):
            xy = start + toward * t
            hit = cuts(np.array([*xy, height]), turn, size, self.solids, 0.0)
            if hit:
                last = hit
                break
            far = xy
        if far is None or last is None or target.kind not in last:
            return None
        return np.asarray(far + toward * 0.012)

    def _leaning(self, half: str, size: float, owner: int, target: Solid, tilt: float) -> Die | None:
        rng = self.rng
        a = rng.uniform(0, 2 * np.pi)
        if target.kind == "rail":
            inward = -target.centre[:2]
            toward = -inward
            a = float(np.arctan2(toward[1] * (target.half[0] > target.half[1]), toward[0] * (target.half[0] <= target.half[1])))
        elif target.kind == "bar":
            toward = np.array([-1.0 if half == "right" else 1.0, 0.0])
            a = float(np.arctan2(0.0, toward[0]))
        toward = np.array([np.cos(a), np.sin(a)])
        value = self._value()
        back = rng.random() < 0.7  # its foot away from the neighbour, its bottom face on the neighbour's edge
        lean = a + (np.pi if back else 0.0) + rng.normal(0, 0.25)
        spin = lean + rng.choice([0, 1, 2, 3]) * np.pi / 2 + (rng.normal(0, 0.12) if rng.random() < 0.6 else rng.uniform(-0.8, 0.8))
        turn = turn_for(value, tilt, lean, spin)
        xy = self._slide(half, turn, size, target, toward)
        if xy is None:
            return None
        b = self.board
        if not (b.bar / 2 < abs(xy[0]) < b.inner[0] / 2 and abs(xy[1]) < b.inner[1] / 2) or (xy[0] > 0) != (half == "right"):
            return None
        state = "flat" if tilt == 0 else "cocked"
        return self._made(xy, 0.0, turn, size, value, state, owner, True)

    def _tilt(self) -> float:
        return float(np.radians(self.rng.uniform(*self.tilts)))

    def _pick(self, kind: str, half: str) -> Solid | None:
        side = [s for s in self.solids if s.kind == kind and (kind in ("bar", "rail") or (s.centre[0] > 0) == (half == "right"))]
        if kind == "rail":
            side = [s for s in side if s.half[0] > s.half[1] or (s.centre[0] > 0) == (half == "right")]
        if kind == "checker":
            side = [s for s in side if s.centre[2] < self.checkers.height and abs(s.centre[0]) < self.board.inner[0] / 2]
        return side[int(self.rng.integers(len(side)))] if side else None

    def touching(self, kind: str, half: str, size: float, owner: int, tilt: float) -> Die | None:
        target = self._pick(kind, half)
        return None if target is None else self._leaning(half, size, owner, target, tilt)

    def on_checker(self, half: str, size: float, owner: int) -> Die | None:
        rng = self.rng
        tops = [c for c in self.laid if c.place == "point" and (c.x > 0) == (half == "right")]
        if not tops:
            return None
        c = tops[int(rng.integers(len(tops)))]
        z = c.z + self.checkers.height
        mates = [o for o in tops if o is not c and abs(o.z - c.z) < 0.1 and np.hypot(o.x - c.x, o.y - c.y) < self.checkers.diameter * 1.08]
        if mates and rng.random() < 0.4:  # across two checkers
            o = mates[int(rng.integers(len(mates)))]
            xy = np.array([(c.x + o.x) / 2, (c.y + o.y) / 2]) + rng.normal(0, 0.2, 2)
        else:
            a, r = rng.uniform(0, 2 * np.pi), self.checkers.diameter / 2 * 0.92 * np.sqrt(rng.random())
            xy = np.array([c.x + r * np.cos(a), c.y + r * np.sin(a)])
        value = self._value()
        return self._made(xy, z, self._flat_turn(value), size, value, "on_checker", owner, True)

    def on_bar(self, half: str, size: float, owner: int) -> Die | None:
        b = self.board
        xy = np.array([self.rng.uniform(-0.45, 0.45) * b.bar, self.rng.uniform(-0.47, 0.47) * b.inner[1]])
        value = self._value()
        return self._made(xy, b.bar_height, self._flat_turn(value), size, value, "on_bar", owner, False)

    def on_rail(self, half: str, size: float, owner: int) -> Die | None:
        b, rng = self.board, self.rng
        mid = b.rail_width * rng.uniform(0.2, 0.8)
        s = 1.0 if half == "right" else -1.0
        if rng.random() < 0.6:
            xy = np.array([s * rng.uniform(2, b.inner[0] / 2), rng.choice([-1, 1]) * (b.inner[1] / 2 + mid)])
        else:
            xy = np.array([s * (b.inner[0] / 2 + mid), rng.uniform(-0.5, 0.5) * b.inner[1]])
        value = self._value()
        return self._made(xy, b.rail_height, self._flat_turn(value), size, value, "on_bar", owner, False)

    def off_board(self, half: str, size: float, owner: int) -> Die | None:
        b, rng = self.board, self.rng
        s = 1.0 if half == "right" else -1.0
        tray = b.trays[1] if s > 0 else b.trays[0]
        value = self._value()
        edge = b.inner[0] / 2 + b.rail_width
        if tray > max(3, 2 * size) and rng.random() < 0.5:
            xy = np.array([s * (edge + rng.uniform(size, tray - size)), rng.uniform(-0.48, 0.48) * b.inner[1]])
            return self._made(xy, 0.0, self._flat_turn(value), size, value, "off_board", owner, False)
        if rng.random() < 0.5:
            xy = np.array([s * (edge + (tray + b.rail_width if tray else 0) + rng.uniform(1.2, 9)), rng.uniform(-0.5, 0.5) * b.inner[1]])
        else:
            xy = np.array([s * rng.uniform(0, b.inner[0] / 2), rng.choice([-1, 1]) * (b.inner[1] / 2 + b.rail_width + rng.uniform(1.2, 6))])
        return self._made(xy, -b.base, self._flat_turn(value), size, value, "off_board", owner, False)


WAYS: dict[str, Callable[[Table, str, float, int], Die | None]] = {
    "flat": Table.flat,
    "flat_by_checker": lambda t, half, size, owner: t.touching("checker", half, size, owner, 0.0),
    "flat_by_rail": lambda t, half, size, owner: t.touching("rail", half, size, owner, 0.0),
    "flat_by_bar": lambda t, half, size, owner: t.touching("bar", half, size, owner, 0.0),
    "flat_by_die": lambda t, half, size, owner: t.touching("die", half, size, owner, 0.0),
    "cocked_checker": lambda t, half, size, owner: t.touching("checker", half, size, owner, t._tilt()),
    "cocked_rail": lambda t, half, size, owner: t.touching("rail", half, size, owner, t._tilt()),
    "cocked_bar": lambda t, half, size, owner: t.touching("bar", half, size, owner, t._tilt()),
    "cocked_die": lambda t, half, size, owner: t.touching("die", half, size, owner, t._tilt()),
    "on_checker": Table.on_checker,
    "on_bar": Table.on_bar,
    "on_rail": Table.on_rail,
    "off_board": Table.off_board,
}
"""How a die may lie, by name."""

FLAT_WAYS = ("flat", "flat", "flat", "flat", "flat", "flat", "flat_by_checker", "flat_by_rail", "flat_by_bar", "flat_by_die")
BAD_WAYS = (
    "cocked_checker",
    "cocked_checker",
    "cocked_checker",
    "cocked_rail",
    "cocked_rail",
    "cocked_bar",
    "cocked_die",
    "on_checker",
    "on_checker",
    "on_checker",
    "on_bar",
    "on_rail",
    "off_board",
)
TOUCHING_WAYS = ("cocked_checker", "cocked_checker", "cocked_rail", "cocked_bar", "flat_by_checker", "flat_by_rail", "flat_by_bar")
LITTLE = (5.0, 20.0)  # degrees that are easily taken for flat
