"""Random scenes for `dice.raytrace`: dice flat, cocked, on checkers and on rails among checkers, rails and a doubling cube."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.training.dice.raytrace import BODY, BOX, CHECKER, CUBE, DIE, srgb, trace

Rng = np.random.Generator
FIELD, ON_CHECKER, RAISED = 0, 1, 2  # what a die lies on
NUMBERS = (2, 4, 8, 16, 32, 64)


@dataclass
class Lying:
    """A die or cube of a scene. ``rot`` columns are its axes in the world, ``value`` its most upward face, ``tilt`` degrees."""

    body: int
    value: int
    tilt: float
    support: int
    axis: int  # 0..5, the most upward face

    def top(self, bodies: Any) -> NDArray[Any]:
        """The top face's corners (4, 3) cm, in order round it."""
        b = bodies[self.body]
        up = self.axis // 2
        u, v = [i for i in range(3) if i != up]
        sign = 1 if self.axis % 2 == 0 else -1
        out = []
        for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            local = np.zeros(3)
            local[up], local[u], local[v] = sign * b["half"][up], su * b["half"][u], sv * b["half"][v]
            out.append(b["pos"] + b["rot"] @ local)
        return np.array(out)


def colour(rng: Rng, kind: str = "any") -> NDArray[Any]:
    """A linear (b, g, r)-order-free colour: greys, ivory, woods and strong hues."""
    pick = rng.random()
    if kind == "light" or (kind == "any" and pick < 0.25):
        return np.asarray(rng.uniform(0.55, 0.95) * np.array([1, rng.uniform(0.9, 1), rng.uniform(0.65, 1)]))
    if kind == "dark" or (kind == "any" and pick < 0.45):
        return np.asarray(rng.uniform(0.004, 0.04) + rng.uniform(0, 0.015, 3))
    if pick < 0.55:
        return np.asarray(rng.uniform(0.05, 0.7) * np.array([1, rng.uniform(0.45, 0.8), rng.uniform(0.15, 0.5)]))
    hue, strength, level = rng.random() * 6, rng.uniform(0.5, 1), rng.uniform(0.05, 0.6)
    rgb = np.clip(np.abs((hue + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    return np.asarray(level * (1 - strength * (1 - rgb)) + 0.005)


def turn(axis: NDArray[Any], angle: float) -> NDArray[Any]:
    """Rotation by ``angle`` radians about a unit ``axis`` (Rodrigues)."""
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k)


class Scene:
    """Bodies being put on a table. Lengths in cm, z = 0 is the field."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.bodies: list[Any] = []
        self.dice: list[Lying] = []
        self.cubes: list[Lying] = []
        self.radius, self.thick = rng.uniform(1.6, 2.4), rng.uniform(0.65, 1.2)
        self.looks = [self._checker_look(), self._checker_look()]
        self.die_looks = [self._die_look(), self._die_look()]

    def _checker_look(self) -> dict[str, Any]:
        r = self.rng
        ring = (r.uniform(0.3, 0.9), r.uniform(0.03, 0.12), r.uniform(0.6, 1.3)) if r.random() < 0.6 else (0, 1, 1)
        return {
            "rgb": colour(r),
            "gloss": r.choice([0, 0.5, 1]),
            "noise": r.choice([0, 0.15, 0.5]),
            "ring": ring,
            "round": r.uniform(0.05, 0.3),
        }

    def _die_look(self) -> dict[str, Any]:
        r = self.rng
        rgb = colour(r)
        lum = float(rgb @ [0.3, 0.6, 0.1])
        pip = colour(r, "dark" if lum > 0.3 or (lum > 0.15 and r.random() < 0.5) else "light")
        how = r.random()
        if how < 0.4:  # of any colour that differs in brightness or, more rarely, in hue alone: red on black, gold on red
            for _ in range(10):
                other = colour(r)
                apart = np.sqrt(other) - np.sqrt(rgb)
                if (abs(float(np.sqrt(other @ [0.3, 0.6, 0.1])) - math.sqrt(lum)) if how < 0.15 else float(np.ptp(apart))) > 0.3:
                    pip = other
                    break
        half = r.uniform(0.6, 0.8)
        clear = r.uniform(0.2, 0.75) if r.random() < 0.4 else 0.0
        if clear:
            rgb = np.clip(rgb * 1.6, 0, 1)
        ball = half * r.uniform(1.3, 1.55) if r.random() < 0.35 else 0.0
        shape = {"half": (half,) * 3, "round": half * r.choice([0.04, r.uniform(0.05, 0.35)]), "ball": ball}
        finish = {"clear": clear, "gloss": r.choice([0.2, 1.0]), "sunk": r.choice([0.0, 1.0]), "noise": r.choice([0, 0, 0, 0.1, 0.35])}
        return {"rgb": rgb, "pip_rgb": pip, "pip": r.uniform(0.13, 0.25), "spread": r.uniform(0.44, 0.58), **shape, **finish}

    def add(self, kind: int, pos: Any, rot: Any, **look: Any) -> int:
        b = np.zeros((), BODY)
        b["kind"], b["pos"], b["rot"], b["grain"] = kind, pos, rot, self.rng.uniform(0.5, 4, 3)
        for key, value in look.items():
            b[key] = value
        h = b["half"]
        b["bound"] = math.hypot(h[0], h[2]) if kind == CHECKER else float(np.linalg.norm(h))
        self.bodies.append(b)
        return len(self.bodies) - 1

    def checker(self, x: float, y: float, z: float = 0.0, look: int | None = None) -> int:
        side = int(self.rng.integers(2)) if look is None else look
        return self.add(CHECKER, (x, y, z + self.thick / 2), np.eye(3), half=(self.radius, self.radius, self.thick / 2), **self.looks[side])

    def box(self, x: float, y: float, yaw: float, half: tuple[float, float, float]) -> int:
        r = self.rng
        return self.add(BOX, (x, y, half[2]), turn(np.array([0, 0, 1.0]), yaw), half=half, round=min(0.15, half[2] * 0.8), rgb=colour(r),
                        gloss=r.choice([0, 0.5]), noise=r.choice([0, 0.4]))  # fmt: skip

    def die(self, x: float, y: float, z: float = 0.0, tilt: float = 0.0, support: int = FIELD) -> Lying:
        """``tilt`` degrees about a horizontal axis; the lowest corner comes to ``z``."""
        r = self.rng
        style = self.die_looks[int(r.integers(2))]
        rot = turn(np.array([0, 0, 1.0]), r.uniform(0, 2 * math.pi))
        if tilt:
            edge = rot[:, int(r.integers(2))] * (1 if r.random() < 0.5 else -1)
            off = r.normal(0, 0.2) if r.random() < 0.7 else r.uniform(-0.8, 0.8)
            rot = turn(turn(np.array([0, 0, 1.0]), off) @ edge, math.radians(tilt)) @ rot
        one, two, three = r.permutation([1, 2, 3])
        flip = r.integers(0, 2, 3)
        pairs = [(7 - v, v) if f else (v, 7 - v) for v, f in zip([one, two, three], flip, strict=True)]
        faces = [v for pair in pairs for v in pair]
        half = style["half"][0]
        low = sum(abs(rot[2, i]) * half for i in range(3))
        rounded = style["round"] if tilt else 0.0
        low -= rounded * (sum(abs(rot[2, i]) for i in range(3)) - 1)
        if style["ball"]:
            low = min(low, style["ball"])
        body = self.add(DIE, (x, y, z + low), rot, faces=faces, turns=r.integers(0, 2, 6), **style)
        return self._remember(self.dice, body, rot, faces, support)

    def cube(self, x: float, y: float, z: float = 0.0) -> Lying:
        r = self.rng
        half = r.uniform(1.1, 1.6)
        rgb = colour(r, r.choice(["any", "light", "dark"]))
        yaw = r.choice([0, 0.5, 1, 1.5]) * math.pi + r.normal(0, 0.15) if r.random() < 0.6 else r.uniform(0, 7)
        rot = turn(np.array([0, 0, 1.0]), yaw)
        faces = r.permutation(6)
        lum = float(rgb @ [0.3, 0.6, 0.1])
        pip = colour(r, "dark" if lum > 0.3 or (lum > 0.15 and r.random() < 0.5) else "light")
        look = {"rgb": rgb, "pip_rgb": pip, "spread": r.uniform(0.75, 1.0), "gloss": r.choice([0.2, 1.0])}
        shape = {"half": (half,) * 3, "round": half * r.uniform(0.05, 0.3), "turns": r.integers(0, 4, 6)}
        body = self.add(CUBE, (x, y, z + half), rot, faces=faces, **look, **shape)
        return self._remember(self.cubes, body, rot, [NUMBERS[i] for i in faces], FIELD)

    def _remember(self, where: list[Lying], body: int, rot: Any, faces: list[int], support: int) -> Lying:
        up = int(np.argmax(np.abs(rot[2])))
        axis = up * 2 + (0 if rot[2, up] > 0 else 1)
        tilt = math.degrees(math.acos(min(1.0, abs(rot[2, up]))))
        lying = Lying(body, int(faces[axis]), tilt, support, axis)
        where.append(lying)
        return lying

    # the ways a die comes to rest

    def flat(self, x: float, y: float) -> Lying:
        """Flat on the field, often beside a checker, a rail or another die."""
        r = self.rng
        it = self.die(x, y)
        reach = self.bodies[it.body]["half"][0]
        for _ in range(int(r.integers(0, 4))):
            way, gap = r.uniform(0, 2 * math.pi), abs(r.normal(0, 0.6)) if r.random() < 0.7 else r.uniform(0, 3)
            what = r.random()
            if what < 0.65:
                d = reach * 1.42 + self.radius + gap
                self.checker_if_free(x + d * math.cos(way), y + d * math.sin(way))
            elif what < 0.8:
                self.wall(x, y, way, reach * 1.42 + gap)
            elif len(self.dice) < 4:
                d = reach * 2.83 + gap
                if self.free(x + d * math.cos(way), y + d * math.sin(way), reach):
                    self.die(x + d * math.cos(way), y + d * math.sin(way))
        return it

    def cocked(self, x: float, y: float) -> Lying:
        """Tilted, leaning on a checker's edge, a rail or something thin, or against a wall."""
        r = self.rng
        tilt = math.exp(r.uniform(math.log(6), math.log(42)))
        z = self.thick if r.random() < 0.15 else 0.0
        it = self.die(x, y, z, tilt, ON_CHECKER if z else FIELD)
        b = self.bodies[it.body]
        rot, half = b["rot"], float(b["half"][0])
        up = rot[:, it.axis // 2] * (1 if it.axis % 2 == 0 else -1)
        downhill = up[:2] / max(1e-9, float(np.linalg.norm(up[:2])))  # the top leans this way, the other side is raised
        angle = math.radians(it.tilt)
        corners: list[Any] = [b["pos"] + rot @ ((np.array(s) * 2 - 1) * half) for s in np.ndindex(2, 2, 2)]
        corner = min(corners, key=lambda p: float(p[2]))
        foot = float((corner[:2] - b["pos"][:2]) @ downhill)  # the pivot, downhill of the centre
        if z:
            self.checker(x + downhill[0] * foot * 0.6, y + downhill[1] * foot * 0.6)
        raised = 2 * half * math.cos(angle)
        what = r.random()
        at = self.thick / math.tan(angle)
        if what < 0.5 and at < raised:  # on a checker's rim
            d = foot - at - self.radius
            self.checker(x + downhill[0] * d, y + downhill[1] * d, z)
        elif what < 0.65 and not z:  # on a rail's edge or something thinner
            h = r.uniform(0.3, 0.95) * raised * math.tan(angle)
            wide = r.uniform(0.5, 3)
            d = foot - h / math.tan(angle) - wide
            self.box(x + downhill[0] * d, y + downhill[1] * d, math.atan2(downhill[1], downhill[0]), (wide, r.uniform(2, 20), h / 2))
        elif what < 0.9:  # against a wall, or a checker's side
            if r.random() < 0.5 and not z:
                self.wall(x, y, math.atan2(downhill[1], downhill[0]), foot + 2 * half * math.sin(angle))
            else:
                d = foot + self.radius + half * math.sin(angle) * 0.8
                self.checker(x + downhill[0] * d, y + downhill[1] * d, z)
        return it

    def on_checker(self, x: float, y: float) -> Lying:
        r = self.rng
        layers = 2 if r.random() < 0.25 else 1
        way, off = r.uniform(0, 2 * math.pi), r.uniform(0, self.radius * 0.8)
        look = int(r.integers(2))
        for k in range(layers):
            self.checker(x - off * math.cos(way), y - off * math.sin(way), k * self.thick, look)
        for _ in range(int(r.integers(0, 4))):
            a, d = r.uniform(0, 2 * math.pi), 2 * self.radius + abs(r.normal(0, 0.3))
            self.checker_if_free(x - off * math.cos(way) + d * math.cos(a), y - off * math.sin(way) + d * math.sin(a))
        return self.die(x, y, layers * self.thick, support=ON_CHECKER)

    def raised(self, x: float, y: float) -> Lying:
        """On a bar or a rail."""
        r = self.rng
        h, wide = r.uniform(0.3, 1.2), r.uniform(0.8, 2.8)
        off = r.uniform(-1, 1) * max(0.0, wide - 0.5)
        yaw = r.uniform(0, math.pi)
        self.box(x + off * math.cos(yaw), y + off * math.sin(yaw), yaw, (wide, 30, h))
        return self.die(x, y, 2 * h, support=RAISED)

    def wall(self, x: float, y: float, way: float, gap: float) -> int:
        r = self.rng
        wide = r.uniform(0.6, 3)
        d = gap + wide
        return self.box(x + d * math.cos(way), y + d * math.sin(way), way, (wide, 25, r.uniform(0.4, 1.3)))

    def free(self, x: float, y: float, reach: float) -> bool:
        for b in self.bodies:
            if b["kind"] == BOX:
                local = b["rot"].T @ (np.array([x, y, b["pos"][2]]) - b["pos"])
                if abs(local[0]) < b["half"][0] + reach and abs(local[1]) < b["half"][1] + reach:
                    return False
            elif math.hypot(b["pos"][0] - x, b["pos"][1] - y) < reach + b["half"][0] * (1 if b["kind"] == CHECKER else 1.42):
                return False
        return True

    def checker_if_free(self, x: float, y: float) -> None:
        if self.free(x, y, self.radius):
            self.checker(x, y)


@dataclass
class View:
    """A rendered scene: BGR picture and, for every die and cube, the top face's corners in pixels (4, 2)."""

    image: NDArray[Any]
    elevation: float
    dice: list[tuple[Lying, NDArray[Any]]]
    cubes: list[tuple[Lying, NDArray[Any]]]


def render(scene: Scene, focus: NDArray[Any], grounds: list[NDArray[Any]], glyphs: NDArray[Any], size: int,
           px_per_cm: float, elevation: float | None = None) -> View:  # fmt: skip
    """Looks at the world point ``focus`` from a random side, the vertical upright in the picture."""
    r = scene.rng
    elev = elevation if elevation is not None else math.degrees(math.asin(r.uniform(math.sin(math.radians(36)), 1)))
    e, az, far = math.radians(min(89.7, elev)), r.uniform(0, 2 * math.pi), r.uniform(45, 120)
    eye = focus + far * np.array([math.cos(e) * math.cos(az), math.cos(e) * math.sin(az), math.sin(e)])
    ahead = (focus - eye) / far
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(ahead, right), ahead])
    focal = px_per_cm * far
    lamps = []
    for _ in range(int(r.choice([0, 1, 1, 1, 2, 2]))):
        le, la = math.radians(r.uniform(20, 88)), r.uniform(0, 2 * math.pi)
        tint = 1 + r.normal(0, 0.12, 3)
        lamps.append(
            [
                math.cos(le) * math.cos(la),
                math.cos(le) * math.sin(la),
                math.sin(le),
                r.uniform(0.2, 1.1),
                math.cos(math.radians(r.uniform(1, 25))),
                *tint,
            ]
        )
    lights = np.array(lamps) if lamps else np.zeros((0, 8))
    ambient = r.uniform(0.25, 0.9) * (1 + r.normal(0, 0.1, 3))
    ground = grounds[int(r.integers(len(grounds)))]
    scale, spin = r.uniform(9, 16), r.uniform(0, 2 * math.pi)
    c, s = scale * math.cos(spin), scale * math.sin(spin)
    to_ground = np.array([[c, -s, r.uniform(1000, 4000)], [s, c, r.uniform(1000, 4000)]])
    bodies = np.array(scene.bodies, BODY) if scene.bodies else np.zeros(0, BODY)
    linear = trace(bodies, ground, to_ground, eye, axes, focal, lights, ambient, size, glyphs, int(r.integers(1 << 30)))
    bright = float(np.percentile(linear, 95))
    image = srgb(linear, r.uniform(0.5, 1.25) / max(bright, 0.05))[..., ::-1]

    def project(points: NDArray[Any]) -> NDArray[Any]:
        p = (points - eye) @ axes.T
        return np.asarray(p[:, :2] / p[:, 2:] * focal + size / 2)

    return View(
        np.ascontiguousarray(image),
        elev,
        [(d, project(d.top(bodies))) for d in scene.dice],
        [(d, project(d.top(bodies))) for d in scene.cubes],
    )
