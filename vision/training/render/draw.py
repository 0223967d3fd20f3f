"""Draws a whole set-up from a seed: the seed and the split decide everything."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from . import families as fam
from .paint import Rgb, Rng, near_colour
from .spec import BoardSpec, CheckerSpec, CubeSpec, DiceSpec, Paint, Points, SetUp, Thing, ViewSpec
from .view import outline

T = TypeVar("T")


def pick(rng: Rng, options: Sequence[T]) -> T:
    return options[int(rng.integers(len(options)))]


def luminance(rgb: Rgb) -> float:
    return 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]


def _any_rgb(rng: Rng) -> Rgb:
    return colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.1, 0.95), rng.uniform(0.1, 0.95))


def _paint(rng: Rng, kind: str, rgb: Rgb, gloss: tuple[float, float]) -> Paint:
    soft = kind in ("felt", "cork", "cloth")
    rough = rng.uniform(0.75, 1.0) if soft else rng.uniform(*gloss)
    coat = rng.uniform(0.2, 1.0) if kind in ("wood", "marble", "pearl") and rng.random() < 0.45 else 0.0
    return Paint(kind, near_colour(rng, rgb), float(rough), float(coat))


def _checker_pair(rng: Rng, family: fam.Family) -> tuple[str, str, Rgb, Rgb, str]:
    """Names, colours and kind of the two sides; now and then hard to tell apart, never the same."""
    kind = pick(rng, family.checkers)
    table = fam.CHECKER_WOODS if kind == "wood" else fam.CHECKER_COLOURS
    names = tuple(table)
    wanted = 0.12 if rng.random() < 0.2 else 0.3
    for _ in range(200):
        a, b = pick(rng, names), pick(rng, names)
        distance = float(np.linalg.norm(np.subtract(table[a], table[b])))
        if a != b and distance > wanted:
            return a, b, near_colour(rng, table[a], 0.06), near_colour(rng, table[b], 0.06), kind
    return names[0], names[1], table[names[0]], table[names[1]], kind


def _checkers(rng: Rng, family: fam.Family) -> CheckerSpec:
    near, far, a, b, kind = _checker_pair(rng, family)
    d = rng.uniform(*family.size) / 10
    gloss = (0.05, 0.5) if rng.random() < 0.6 else (0.4, 0.9)
    metal = 0.75 if kind == "pearl" and rng.random() < 0.15 else 0.0
    rough = float(rng.uniform(*gloss))
    inlay = None
    if rng.random() < (0.35 if kind == "wood" else 0.15):
        inlay = (pick(rng, ("ring", "star", "dot", "rings", "logo")), _any_rgb(rng))
    return CheckerSpec(
        diameter=round(d, 3),
        height=round(float(np.clip(d * rng.uniform(0.2, 0.29), 0.55, 1.25)), 3),
        profile=pick(rng, ("flat", "rounded", "dimple", "ring", "groove", "dimple")),
        near=Paint(kind, a, rough, float(rng.random() < 0.3), metal),
        far=Paint(kind, b, rough, float(rng.random() < 0.3), metal),
        inlay=inlay,
        near_name=near,
        far_name=far,
        mess=float(rng.choice([0.04, 0.12, 0.25, 0.4])),
    )


def draw_dice(rng: Rng, size: float | None = None) -> DiceSpec:
    """One player's dice, of any colour; pips mostly, not always, easy to see."""
    name = pick(rng, ("white", "black", "ivory", "red", "white", *fam.DICE_COLOURS))
    rgb, clear = fam.DICE_COLOURS[name]
    rgb = near_colour(rng, rgb, 0.08)
    pips = sorted(fam.PIPS, key=lambda p: -abs(luminance(p) - luminance(rgb)))
    pip = pips[0] if rng.random() < 0.75 else pips[1 if rng.random() < 0.6 else 2]
    if rng.random() < 0.08:  # low contrast
        pip = near_colour(
            rng,
            (min(1, rgb[0] + 0.25), min(1, rgb[1] + 0.25), min(1, rgb[2] + 0.25))
            if luminance(rgb) < 0.6
            else (rgb[0] * 0.6, rgb[1] * 0.6, rgb[2] * 0.6),
            0.05,
        )
    kind = "wood" if "wood" in name else "pearl" if "pearl" in name else "marble" if name == "marble" else "plain"
    edge = rng.random()
    radius, ball = (
        (rng.uniform(0.015, 0.05), 0.0)
        if edge < 0.4
        else (rng.uniform(0.06, 0.2), 0.0)
        if edge < 0.75
        else (rng.uniform(0.02, 0.08), rng.uniform(0.68, 0.8))
    )
    return DiceSpec(
        size=float(size if size else rng.uniform(1.15, 1.65)),
        radius=float(radius),
        ball=float(ball),
        body=Paint(kind, rgb, float(rng.uniform(0.03, 0.5)), float(rng.random() < 0.3)),
        clear=clear,
        pip=near_colour(rng, pip, 0.03),
        pip_radius=float(rng.uniform(0.07, 0.125)),
        pip_spread=float(rng.uniform(0.22, 0.29)),
        name=name,
    )


def _points(rng: Rng, f: fam.Family, odd: Rgb, even: Rgb) -> Points:
    """The points of a board, in these two colours."""
    pk = pick(rng, f.point)
    return Points(
        odd=_paint(rng, pk, odd, f.gloss),
        even=_paint(rng, pk, even, f.gloss),
        base=float(rng.uniform(0.72, 1.0)),
        curve=float(rng.choice([1.0, 1.0, 1.0, rng.uniform(0.65, 1.6)])),
        outline=(_any_rgb(rng) if rng.random() < 0.5 else pick(rng, ((0.9, 0.85, 0.7), (0.05, 0.05, 0.05), (0.75, 0.6, 0.25))))
        if rng.random() < 0.3
        else None,
        outline_cm=float(rng.uniform(0.05, 0.18)),
        tip=pick(rng, ("", "", "", "", "", "dot", "ring", "diamond")),
    )


def _board(rng: Rng, name: str, checkers: CheckerSpec) -> BoardSpec:
    f = fam.FAMILIES[name]
    d = checkers.diameter
    pitch = d * rng.uniform(1.01, 1.09)
    hinge_bar = pick(rng, f.hinge_bar)
    flush = rng.random() < (0.12 if hinge_bar else 0.25)  # no raised bar: a seam, a strip or a hinge
    bar = d * rng.uniform(0.85, 1.35) if not flush else d * rng.uniform(0.3, 1.2)
    if hinge_bar and rng.random() < 0.3:
        bar = rng.uniform(1.2, 3.2)
    width = 12 * pitch + bar + rng.choice([0.0, rng.uniform(0, 0.8)])
    border = float(rng.choice([0.0, 0.0, rng.uniform(0.2, 2.0)]))
    height = d * rng.uniform(10.1, 11.6) + 2 * border
    rail_h = float(rng.uniform(0.9, 2.6)) * (0.4 if rng.random() < 0.06 else 1)
    bar_h = float(rng.uniform(0.05, 0.3)) if flush else rail_h * float(rng.choice([1.0, 1.0, rng.uniform(0.5, 1.0)]))
    trays = pick(rng, f.trays)
    tray_w = d * rng.uniform(1.08, 1.5)
    left, right = (tray_w, tray_w) if trays == 2 else (0.0, 0.0)
    if trays == 1:
        left, right = (tray_w, 0.0) if rng.random() < 0.5 else (0.0, tray_w)
    field_rgb = pick(rng, f.field_rgb)
    pairs = f.pairs or ((_any_rgb(rng), _any_rgb(rng)),)
    odd, even = pick(rng, pairs)
    if rng.random() < 0.15:
        odd, even = _any_rgb(rng), _any_rgb(rng)
    field = _paint(rng, pick(rng, f.field), field_rgb, f.gloss)
    points = _points(rng, f, odd, even)
    rail = _paint(rng, pick(rng, f.rail), pick(rng, f.rail_rgb), (f.gloss[0], f.gloss[1]))
    tray = field if rng.random() < 0.5 else _paint(rng, pick(rng, ("felt", "vinyl", "wood")), pick(rng, f.field_rgb), (0.4, 0.9))
    return BoardSpec(
        family=name,
        inner=(round(float(width), 2), round(float(height), 2)),
        bar=round(float(bar), 2),
        pitch=round(float(pitch), 3),
        border=round(border, 2),
        point_length=round(float(height / 2 * rng.uniform(0.74, 0.93)), 2),
        rail_height=round(rail_h, 2),
        bar_height=round(bar_h, 2),
        rail_width=round(float(rng.uniform(1.0, 3.2)), 2),
        base=round(float(rng.uniform(0.6, 3.5)), 2),
        hinge_bar=hinge_bar,
        hinges=int(rng.choice([0, 2, 2, 3])) if hinge_bar else 0,
        metal=pick(rng, ((0.8, 0.62, 0.25), (0.75, 0.75, 0.77), (0.12, 0.12, 0.12), (0.6, 0.4, 0.2))),
        trays=(float(left), float(right)),
        tray_dividers=int(rng.choice([0, 1, 2])),
        screws=bool(rng.random() < 0.2),
        bevel=float(rng.uniform(0.03, 0.3)),
        field=field,
        rail=rail,
        tray=tray,
        points=points,
        ornament=pick(rng, f.ornaments),
        ornament_rgb=(_any_rgb(rng) if rng.random() < 0.4 else odd, even),
        middle_line=bool(rng.random() < 0.12),
    )


def draw_view(rng: Rng, mode: str) -> ViewSpec:
    (t0, t1), (a0, a1) = fam.VIEWS[mode]
    azimuth = rng.uniform(a0, a1) * (rng.choice([-1, 1]) if a0 > 0 else 1)
    dist = (
        (0.0,) * 5
        if rng.random() < 0.25
        else (
            float(rng.uniform(-0.14, 0.05)),
            float(rng.uniform(-0.02, 0.03)),
            float(rng.normal(0, 0.0006)),
            float(rng.normal(0, 0.0006)),
            0.0,
        )
    )
    return ViewSpec(
        mode=mode,
        tilt=float(rng.uniform(t0, t1)),
        azimuth=float(azimuth),
        roll=float(rng.normal(0, 2.5)),
        fov=float(rng.uniform(26, 72)),
        fill=float(rng.choice([rng.uniform(0.55, 0.99), rng.uniform(0.82, 0.99), rng.uniform(0.9, 1.0)])),
        shift=(float(rng.uniform(-0.8, 0.8)), float(rng.uniform(-0.8, 0.8))),
        dist=dist,
    )


RADII = {
    "cup": 4.5,
    "mug": 6.5,
    "clock": 9.0,
    "flip": 7.0,
    "card": 8.5,
    "pen": 7.5,
    "phone": 8.5,
    "sugar": 3.5,
    "book": 12.5,
    "coins": 4.0,
    "box": 7.5,
}


def _things(rng: Rng, board: BoardSpec, checkers: CheckerSpec, home: str) -> tuple[Thing, ...]:
    """Things around the board, none under it, and room for borne-off checkers on the home side."""
    box = outline(board)
    lo, hi = box[:, :2].min(0), box[:, :2].max(0)
    out: list[Thing] = []
    for _ in range(int(rng.choice([0, 1, 2, 2, 3, 4]))):
        name = pick(rng, fam.THINGS)
        r = RADII[name]
        for _try in range(20):
            side = int(rng.integers(4))
            d = r + rng.uniform(0.3, 12)
            if side == (0 if home == "left" else 1):
                d += 2.5 * checkers.diameter
            x, y = rng.uniform(lo[0], hi[0]), rng.uniform(lo[1], hi[1])
            x, y = (lo[0] - d, y) if side == 0 else (hi[0] + d, y) if side == 1 else (x, lo[1] - d) if side == 2 else (x, hi[1] + d)
            if all(np.hypot(x - t.x, y - t.y) > r + t.radius for t in out):
                out.append(Thing(name, float(x), float(y), r, float(rng.uniform(0, 2 * np.pi))))
                break
    return tuple(out)


TABLE_KINDS = ("wood", "wood", "wood", "cloth", "felt", "plain", "stone", "leather", "marble")


def draw_set_up(seed: int, split: str) -> SetUp:
    """The set-up of ``seed``; ``split`` "train" or "test" (families and views kept for testing)."""
    rng = np.random.default_rng([seed, 0 if split == "train" else 1])
    if split == "test":
        name = pick(rng, fam.TEST_FAMILIES)
        mode = pick(rng, fam.TEST_VIEWS) if rng.random() < 0.5 else pick(rng, tuple(fam.VIEWS))
    else:
        name = pick(rng, tuple(f for f in fam.FAMILIES if f not in fam.TEST_FAMILIES))
        mode = pick(rng, tuple(v for v in fam.VIEWS if v not in fam.TEST_VIEWS))
    checkers = _checkers(rng, fam.FAMILIES[name])
    board = _board(rng, name, checkers)
    near = draw_dice(rng)
    far = draw_dice(rng, near.size * rng.uniform(0.95, 1.05)) if rng.random() < 0.7 else near
    body = _paint(rng, pick(rng, ("plain", "plain", "wood", "pearl")), pick(rng, fam.NEUTRAL + fam.STRONG), (0.05, 0.6))
    ink = (
        pick(rng, ((0.95, 0.94, 0.9), (0.85, 0.68, 0.25), (0.8, 0.1, 0.1)))
        if luminance(body.rgb) < 0.45
        else pick(rng, ((0.03, 0.03, 0.03), (0.5, 0.05, 0.08), (0.08, 0.1, 0.4)))
    )
    places = ["bar", "rail", "side"] + (["tray", "tray"] if max(board.trays) else [])
    cube = CubeSpec(float(rng.uniform(2.0, 3.2)), float(rng.uniform(0.03, 0.2)), body, ink, int(rng.integers(6)), pick(rng, places))
    kind = pick(rng, TABLE_KINDS)
    rgb = (
        pick(rng, fam.WOODS)
        if kind == "wood"
        else pick(rng, fam.NEUTRAL)
        if kind in ("stone", "marble")
        else pick(rng, fam.STRONG + fam.NEUTRAL)
    )
    table = _paint(rng, kind, rgb, (0.1, 0.8))
    home = pick(rng, ("left", "right"))
    things = _things(rng, board, checkers, home)
    return SetUp(
        seed=seed,
        board=board,
        checkers=checkers,
        dice=(near, far),
        cube=cube,
        view=draw_view(rng, mode),
        home=home,
        light=pick(rng, fam.LIGHTS),
        table=table,
        table_edge=bool(rng.random() < 0.25),
        things=things,
    )


def made_harder(s: SetUp, rooms: float, alike: float, varied: float = 0.0) -> SetUp:
    """The set-up, now and then harder to read: with the share ``rooms`` in a bright room that glossy checkers mirror, with the share
    ``alike`` with one player's checkers of the colour of a point they stand on or of the field, with the share ``varied`` with every
    checker of its own shade, as wood has. Drawn apart from all else, so that seeds keep their pictures without it."""
    rng = np.random.default_rng([s.seed, 13])
    room, same = rng.random() < rooms, rng.random() < alike
    c, b = s.checkers, s.board
    near, far = c.near, c.far
    if room:
        near, far = (
            replace(p, rough=float(rng.uniform(0.02, 0.3)), coat=float(rng.random() < 0.5) if not p.metal else p.coat) for p in (near, far)
        )
    if same:
        like = near_colour(rng, pick(rng, (b.points.odd.rgb, b.points.even.rgb, b.field.rgb)), 0.05)
        other, change = (far, near) if rng.random() < 0.5 else (near, far)
        if np.linalg.norm(np.subtract(other.rgb, like)) > 0.2:
            changed = replace(change, rgb=like)
            near, far = (changed, far) if change is near else (near, changed)
    shades = float(rng.uniform(0.1, 0.6)) if rng.random() < varied else 0.0
    return replace(s, checkers=replace(c, near=near, far=far, varied=shades), room=room)
