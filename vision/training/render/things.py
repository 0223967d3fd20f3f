"""What lies about: cups, clock, score cards, pens, phone, sugar cubes, coins; hands and sleeves over the board."""

from __future__ import annotations

from typing import Protocol

import bpy
import numpy as np

from . import material, mesh
from .paint import Array, Rgb, Rng, vec
from .spec import Paint, SetUp


class Place(Protocol):
    """Where things are put."""

    def put(self, data: object, name: str, at: Array, turn: Array | None = None, moving: bool = False) -> bpy.types.Object: ...


def _rgb(rng: Rng) -> Rgb:
    v = rng.uniform(0.05, 0.9, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.03, 0.9))
    return (float(v[0]), float(v[1]), float(v[2]))


def _turn(a: float) -> Array:
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])


def set_out(stage: Place, s: SetUp, foot: float, rng: Rng) -> None:
    """Puts the set-up's things on the table."""
    for t in s.things:
        _MAKERS[t.name](stage, np.array([t.x, t.y, foot]), t.turn, rng)


def _add(stage: Place, m: bpy.types.Mesh, mat: bpy.types.Material, at: Array, turn: Array | None = None, name: str = "thing") -> None:
    m.materials.append(mat)
    stage.put(m, name, at, turn)


def _cup(stage: Place, at: Array, a: float, rng: Rng) -> None:
    r, h, t = rng.uniform(3.2, 4.2), rng.uniform(7, 11), 0.35
    p = Paint(str(rng.choice(["leather", "plain", "wood"])), _rgb(rng), float(rng.uniform(0.2, 0.8)))
    body = mesh.turned("cup", [(r * 0.9, 0), (r, 0.3), (r, h), (r - t, h), (r - t, 0.5), (1e-4, 0.5)], 36)
    if rng.random() < 0.2:  # lying
        turn = _turn(a) @ np.array([[0, 0, 1], [0, 1, 0], [-1.0, 0, 0]])
        _add(stage, body, material.surface("cup", p, rng, 1.0), at + vec(0, 0, r), turn)
    else:
        _add(stage, body, material.surface("cup", p, rng, 1.0), at)


def _mug(stage: Place, at: Array, a: float, rng: Rng) -> None:
    r, h, t = rng.uniform(3.5, 4.5), rng.uniform(6, 10), 0.3
    glaze = material.flat("mug", _rgb(rng), 0.15)
    _add(stage, mesh.turned("mug", [(r * 0.8, 0), (r, 0.6), (r, h), (r - t, h), (r - t, h * 0.7)], 36), glaze, at)
    drink: Rgb = (0.12, 0.06, 0.03) if rng.random() < 0.6 else (0.5, 0.32, 0.18)
    _add(stage, mesh.turned("drink", [(r - t, 0), (1e-4, 0.001)], 36), material.flat("drink", drink, 0.05), at + vec(0, 0, h * 0.8))
    n = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    for k in n:
        ball = mesh.turned("handle", [(1e-4, -0.45), (0.32, -0.32), (0.45, 0), (0.32, 0.32), (1e-4, 0.45)], 12)
        out = r + 2.0 * np.cos(k)
        _add(stage, ball, glaze, at + vec(out * np.cos(a), out * np.sin(a), h / 2 + 2.3 * np.sin(k)))


def _label(stage: Place, text: str, w: float, h: float, at: Array, turn: Array, paper: Rgb, ink: Rgb, font: int, glow: float = 0.0) -> None:
    px = 160
    m = mesh.ink(text, font, int(px * w / h), px, 0.7)[..., None]
    rgb = np.asarray(paper, np.float32) * (1 - m) + np.asarray(ink, np.float32) * m
    mat = material.sheet("label", Paint("plain", paper, 0.4), material.picture("label", rgb))
    if glow:
        n = next(x for x in mat.node_tree.nodes if x.type == "BSDF_PRINCIPLED")
        tex = next(x for x in mat.node_tree.nodes if x.type == "TEX_IMAGE")
        mat.node_tree.links.new(tex.outputs[0], n.inputs["Emission Color"])
        n.inputs["Emission Strength"].default_value = glow
    _add(stage, mesh.quad("label", w, h), mat, at, turn, "clock")


def _clock(stage: Place, at: Array, a: float, rng: Rng) -> None:
    case = material.flat("clock", tuple(rng.uniform(0.02, 0.25, 3)), 0.4)
    w, d, h = rng.uniform(5, 8), rng.uniform(2.5, 4), rng.uniform(1.2, 2.5)
    _add(stage, mesh.box("clock", (w, d, h), 0.4), case, at + vec(0, 0, h), _turn(a), "clock")
    dark = rng.random() < 0.35
    paper: Rgb = (0.03, 0.03, 0.03) if dark else (0.62, 0.68, 0.55)
    ink: Rgb = (0.9, 0.15, 0.1) if dark else (0.05, 0.06, 0.05)
    for s in (-1, 1):
        text = f"{rng.integers(0, 30)}:{rng.integers(0, 60):02d}"
        _label(
            stage,
            text,
            w * 0.85,
            d * 1.0,
            at + _turn(a) @ np.array([s * w * 0.47, 0, 2 * h + 0.02]),
            _turn(a),
            paper,
            ink,
            int(rng.integers(1, 4)),
            0.6 if dark else 0.0,
        )
    if rng.random() < 0.5:
        knob = material.flat("knob", (0.7, 0.1, 0.08) if rng.random() < 0.5 else (0.7, 0.7, 0.72), 0.3)
        for s in (-1, 1):
            _add(
                stage,
                mesh.turned("knob", [(0.7, 0), (0.7, 0.5), (0.5, 0.7), (1e-4, 0.7)], 20),
                knob,
                at + _turn(a) @ np.array([s * w * 0.7, -d * 0.75, 2 * h]),
            )


def _flip(stage: Place, at: Array, a: float, rng: Rng) -> None:
    frame = material.flat("flip", tuple(rng.uniform(0.02, 0.2, 3)), 0.5)
    _add(stage, mesh.box("flip", (5.2, 3.4, 0.5), 0.1), frame, at + vec(0, 0, 0.5), _turn(a))
    paper: Rgb = (0.92, 0.91, 0.88)
    for s in (-1, 1):
        _label(
            stage,
            str(rng.integers(0, 16)),
            4.4,
            5.8,
            at + _turn(a) @ np.array([s * 2.5, 0, 1.03]),
            _turn(a),
            paper,
            (0.04, 0.04, 0.05),
            int(rng.integers(6)),
        )


def _card(stage: Place, at: Array, a: float, rng: Rng) -> None:
    h, w = 220, 150
    img = np.full((h, w, 3), rng.uniform(0.85, 0.97), np.float32)
    img[::18] *= 0.6
    img[:, [50, 100]] *= 0.6
    for k in range(int(rng.integers(2, 12))):
        m = mesh.ink(str(rng.integers(0, 20)), 5, 40, 16, 0.7)
        y, x = h - 18 * (k + 2), int(rng.choice([5, 55, 105]))
        if y > 0:
            img[y : y + 16, x : x + 40] *= 1 - 0.85 * m[..., None]
    _add(
        stage,
        mesh.quad("card", 9, 13),
        material.sheet("card", Paint("plain", (1, 1, 1), 0.8), material.picture("card", img)),
        at + vec(0, 0, 0.03),
        _turn(a),
    )


def _pen(stage: Place, at: Array, a: float, rng: Rng) -> None:
    r = rng.uniform(0.35, 0.5)
    lying = _turn(a) @ np.array([[0, 0, 1], [0, 1, 0], [-1.0, 0, 0]])
    _add(
        stage,
        mesh.turned("pen", [(0.05, -7.2), (r, -5.8), (r, 6.8), (r * 0.7, 7.0)], 12),
        material.flat("pen", _rgb(rng), 0.3),
        at + vec(0, 0, r),
        lying,
    )


def _phone(stage: Place, at: Array, a: float, rng: Rng) -> None:
    _add(stage, mesh.box("phone", (3.7, 7.6, 0.4), 0.12), material.flat("phone", (0.02, 0.02, 0.025), 0.06), at + vec(0, 0, 0.4), _turn(a))


def _sugar(stage: Place, at: Array, a: float, rng: Rng) -> None:
    white = material.surface("sugar", Paint("stone", (0.93, 0.92, 0.9) if rng.random() < 0.7 else (0.6, 0.4, 0.2), 0.9), rng, 3.0)
    for _ in range(int(rng.integers(1, 4))):
        h = rng.uniform(0.6, 0.9)
        _add(
            stage,
            mesh.box("sugar", (h, h, h * 0.8), 0.08, rng),
            white,
            at + vec(*rng.uniform(-1.8, 1.8, 2), h * 0.8),
            _turn(rng.uniform(0, 6)),
            "sugar",
        )


def _book(stage: Place, at: Array, a: float, rng: Rng) -> None:
    _add(
        stage,
        mesh.box("book", (7, 10, 1), 0.1, rng),
        material.surface("book", Paint("plain", _rgb(rng), 0.5), rng),
        at + vec(0, 0, 1),
        _turn(a),
    )


def _coins(stage: Place, at: Array, a: float, rng: Rng) -> None:
    for _ in range(int(rng.integers(1, 5))):
        m = mesh.turned("coin", [(1.1, 0), (1.15, 0.1), (1.1, 0.2), (1.0, 0.16), (1e-4, 0.16)], 24)
        _add(
            stage,
            m,
            material.flat("coin", (0.7, 0.5, 0.25) if rng.random() < 0.5 else (0.6, 0.6, 0.6), 0.3, 1.0),
            at + vec(*rng.uniform(-2.5, 2.5, 2), 0),
        )


def _box(stage: Place, at: Array, a: float, rng: Rng) -> None:
    half = rng.uniform(1.5, 5.5, 3)
    _add(
        stage,
        mesh.box("box", half.tolist(), 0.1, rng),
        material.surface("box", Paint(str(rng.choice(["plain", "wood", "leather"])), _rgb(rng), 0.5), rng),
        at + vec(0, 0, half[2]),
        _turn(a),
    )


_MAKERS = {
    "cup": _cup,
    "mug": _mug,
    "clock": _clock,
    "flip": _flip,
    "card": _card,
    "pen": _pen,
    "phone": _phone,
    "sugar": _sugar,
    "book": _book,
    "coins": _coins,
    "box": _box,
}

SKINS: tuple[Rgb, ...] = (
    (0.89, 0.71, 0.6),
    (0.8, 0.6, 0.47),
    (0.62, 0.42, 0.3),
    (0.42, 0.27, 0.19),
    (0.25, 0.16, 0.12),
    (0.93, 0.77, 0.68),
)


def hand(stage: Place, at: Array, way: float, rng: Rng) -> None:
    """A hand reaching to ``at`` from the azimuth ``way`` (rad), grown from metaballs, with forearm and sleeve."""
    ball = bpy.data.metaballs.new("hand")
    ball.resolution = ball.render_resolution = 0.35
    ball.threshold = 0.2

    def bead(p: Array, r: float) -> None:
        e = ball.elements.new()
        e.co, e.radius = p.tolist(), r * 1.55

    def limb(a: Array, b: Array, ra: float, rb: float) -> None:
        for t in np.linspace(0, 1, max(3, int(np.linalg.norm(b - a) / (0.55 * min(ra, rb))))):
            bead(a + (b - a) * t, ra + (rb - ra) * t)

    left = 1.0 if rng.random() < 0.5 else -1.0
    wrist = np.array([9.5, 0.0, 2.2])
    for k in range(4):
        y = (k - 1.5) * 1.9
        knuckle = np.array([1.2 + 0.5 * abs(k - 1.3), y, 2.3])
        limb(wrist + vec(-1.0, y * 0.35, 0), knuckle, 1.15, 1.0)
        spread, curl = y * rng.uniform(0.05, 0.35), rng.uniform(0.1, 1.0)
        middle = knuckle + vec(-3.2 * np.cos(curl * 0.5), spread * 0.6, -1.4 * curl + 0.4)
        tip = middle + vec(-2.6 * np.cos(curl), spread * 0.4, -1.6 * curl)
        limb(knuckle, middle, 0.92, 0.8)
        limb(middle, tip, 0.8, 0.62)
    base = wrist + vec(-2.0, left * 2.4, -0.3)
    limb(wrist, base, 1.4, 1.2)
    limb(base, base + vec(-3.5, left * 1.6, -0.6), 1.15, 0.85)
    limb(wrist, wrist + vec(14, 0, 1.5), 1.9, 2.8)
    turn = _turn(way)
    obj = stage.put(ball, "hand", at, turn, True)
    skin = material.Nodes("skin")
    tone = np.clip(np.asarray(SKINS[int(rng.integers(len(SKINS)))]) * rng.normal(1, 0.06, 3), 0.02, 1)
    skin.set(Base_Color=material.linear((float(tone[0]), float(tone[1]), float(tone[2]))), Roughness=0.5)
    ball.materials.append(skin.mat)
    assert obj is not None
    cuff = rng.uniform(5, 12)
    sleeve = mesh.turned("sleeve", [(2.9, 0), (3.2, 0.3), (3.4, 3), (4.2, 40)], 28)
    p = Paint(str(rng.choice(["cloth", "felt", "plain"])), _rgb(rng), 0.9)
    sleeve.materials.append(material.surface("sleeve", p, rng, 1.0))
    lying = turn @ np.array([[0, 0, 1], [0, 1, 0], [-1.0, 0, 0]])
    stage.put(sleeve, "hand", at + turn @ (wrist + vec(cuff, 0, 0.8)), lying, True)
