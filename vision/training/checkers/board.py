"""What a drawn scene's board is made of: its materials, the look of its field, its case, and the lights over it."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.observations import Half
from vision.table import Measures
from vision.training.checkers import trace
from vision.training.checkers.paints import apart, colour, material
from vision.training.checkers.things import Ground, Solids

Rng = np.random.Generator
SHADES = 6  # of a player's checkers where each has its own
FIELD, RAIL, TRAY, HINGE, TABLE, FELT = 2, 8, 9, 10, 11, 13  # rows of a scene's materials, with those of `checkers.things`


def _tones(rng: Rng) -> tuple[Any, Any, Any, Any, Any]:
    """The colours of near's and far's checkers, the ground and the odd and even triangles."""
    low = rng.random() < 0.3
    ground = colour(rng)
    near = apart(rng, [ground], 0.12 if low else 0.35)
    far = apart(rng, [ground, near] if rng.random() < 0.8 else [near], 0.15 if low else 0.4)
    if rng.random() < 0.2:  # all of wood
        wood = np.array([0.9, 0.66, 0.42])
        shades = rng.permutation([rng.uniform(0.75, 1.08), rng.uniform(0.3, 0.6), rng.uniform(0.35, 1.0)])
        near, far, ground = (np.clip(wood * shade + rng.normal(0, 0.04, 3), 0, 1) for shade in shades)
    odd, even = apart(rng, [ground], 0.1), apart(rng, [ground], 0.1)
    if rng.random() < 0.25:
        odd = np.clip(near + rng.normal(0, 0.05, 3), 0, 1)  # triangles of the checkers' own colour
    if rng.random() < 0.25:
        even = np.clip(far + rng.normal(0, 0.05, 3), 0, 1)
    return near, far, ground, odd, even


def _checker_look(rng: Rng) -> dict[str, float]:
    """The turning and the inlay of both players' checkers."""
    checker = {
        "RIM": float(rng.uniform(0.02, 0.15)),
        "GROOVE": float(rng.choice([0, rng.uniform(0.1, 0.9)])),
        "GROOVE_R": float(rng.uniform(0.35, 0.85)),
        "DIMPLE": float(rng.choice([0, rng.uniform(0, 0.5)], p=[0.6, 0.4])),
    }
    if rng.random() < 0.35:  # an inlay, a star or a coloured middle
        checker |= {
            "MOTIF": float(rng.choice([1, 4, 5, 6, 8])),
            "MOTIF_R0": float(rng.choice([0.0, rng.uniform(0.3, 0.6)])),
            "MOTIF_R1": float(rng.uniform(0.5, 0.9)),
        }
    return checker


def materials(rng: Rng) -> Any:
    """A row for each thing of a scene, as `checkers.trace` has them."""
    near, far, ground, odd, even = _tones(rng)
    checker = _checker_look(rng)
    rows = []
    for tone in (near, far):
        row = material(rng, tone, **checker)
        row[trace.THIRD : trace.THIRD + 3] = list(np.clip(colour(rng), 0.02, 0.97) ** 2.2)
        row[trace.TSCALE] = float(rng.uniform(1.5, 9))
        rows.append(row)
    rows += [
        material(rng, c, GLOSS=0.0) if rng.random() < 0.7 else material(rng, c)
        for c in (ground, odd, even, colour(rng), colour(rng), colour(rng))
    ]
    rail = colour(rng)
    if rng.random() < 0.35:  # a bar of a checker's own colour
        rail = np.clip((near if rng.random() < 0.5 else far) + rng.normal(0, 0.04, 3), 0, 1)
    skin = np.array([0.9, 0.68, 0.55]) * rng.uniform(0.35, 1.05)
    rows += [
        material(rng, rail),
        material(rng, rail * 0.5),
        material(rng, [0.7, 0.6, 0.35], GLOSS=1.0, SHINE=60.0),
        material(rng, colour(rng)),  # 8 rail 9 tray 10 hinge 11 table
        material(rng, skin, AMOUNT=0.2),
        material(rng, colour(rng)),
        material(rng, colour(rng)),
    ]  # 12 skin 13 sleeve 14 cup
    for _ in range(2):  # 15 16 dice
        row = material(rng, colour(rng), AMOUNT=0.0)
        row[trace.THIRD : trace.THIRD + 3] = [0.9] * 3 if sum(row[:3]) < 0.8 else [0.02] * 3
        rows.append(row)
    rows.append(material(rng, colour(rng)))  # 17 cube
    return np.array(rows)


def in_shades(rng: Rng, spread: float, mats: Any, solids: Any) -> tuple[Any, Any]:
    """``mats`` with rows for near's and far's checkers in `SHADES` shades each, the darkest by so large a share darker (``spread``), and
    which of the rows each of the ``solids`` has."""
    rows = []
    for seat in (0, 1):
        for shade in np.linspace(1 - spread, 1, SHADES):
            row = mats[seat].copy()
            row[:6] *= shade * np.tile(np.exp(rng.normal(0, 0.03, 3)), 2)
            rows.append(row)
    checkers = solids < 2
    own = np.where(checkers, len(mats) + SHADES * solids + rng.integers(0, SHADES, len(solids)), solids)
    return np.concatenate([mats, rows]), own


def field_row(rng: Rng, m: Measures) -> Any:
    """The field's measures and its look, as `checkers.textures.field_material` has them."""
    outline = float(rng.choice([0, 0.12, 0.25], p=[0.6, 0.25, 0.15]))
    ornament = (float(rng.uniform(2, 7)), float(rng.uniform(2, 6))) if rng.random() < 0.25 else (0.0, 1.0)
    slack = (m.inner[0] - m.bar - 12 * m.pitch) / 4
    return np.array(
        [
            m.inner[0] / 2,
            m.inner[1] / 2,
            m.bar / 2,
            m.pitch,
            slack,
            m.border,
            m.point_length,
            rng.uniform(0.8, 1.0),
            outline,
            ornament[0],
            ornament[1],
            float(rng.choice([0, rng.uniform(0.6, 2)], p=[0.85, 0.15])),
            *range(FIELD, FIELD + 6),
        ]
    )


def case(rng: Rng, m: Measures, home: Half) -> tuple[Solids, Ground]:
    """Rails, bar, trays and hinges, and where things can lie beside the home board."""
    fixed = Solids()

    def box(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float, mat: int) -> None:
        fixed.block([(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2], [(x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2], mat)

    w, h, rh, thick = m.inner[0] / 2, m.inner[1] / 2, m.rail_height, rng.uniform(1.0, 2.5)
    floor = -rng.uniform(0.5, 2.5)
    sides = [float(rng.choice([0, rng.uniform(4.5, 6.5)])) for _ in range(2)]
    box(-w - thick - sides[0], w + thick + sides[1], h, h + thick, floor, rh, RAIL)
    box(-w - thick - sides[0], w + thick + sides[1], -h - thick, -h, floor, rh, RAIL)
    for sign, tray in ((-1, sides[0]), (1, sides[1])):
        x0, x1 = sorted((sign * w, sign * (w + thick)))
        box(x0, x1, -h, h, floor, rh, RAIL)
        if tray:
            x0, x1 = sorted((sign * (w + thick), sign * (w + thick + tray)))
            box(x0, x1, -h, h, floor, 0.0, TRAY)
            x0, x1 = sorted((sign * (w + thick + tray), sign * (w + 2 * thick + tray)))
            box(x0, x1, -h - thick, h + thick, floor, rh, RAIL)
    for sign in (-1, 1):
        x0, x1 = sorted((sign * 0.04, sign * m.bar / 2))
        box(x0, x1, -h, h, -0.5, m.bar_height, RAIL)
    if rng.random() < 0.6:
        for y in (-h * 0.6, h * 0.6):
            box(-0.9, 0.9, y - 1.4, y + 1.4, 0, m.bar_height + 0.05, HINGE)
    if rng.random() < 0.2:  # felt where hit checkers lie
        for y in (-h * 0.6, h * 0.6):
            box(-m.bar * 0.45, m.bar * 0.45, y - h * 0.3, y + h * 0.3, 0, m.bar_height + 0.04, FELT)
    right = home is Half.RIGHT
    return fixed, Ground(m, 1.0 if right else -1.0, sides[int(right)], thick, floor)


def lamps(rng: Rng) -> tuple[Any, Any]:
    """One to three lights, as `checkers.trace.render` has them, and the light from all sides."""
    lights = []
    warm = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.6, 1.1)])
    for i in range(int(rng.integers(1, 4))):
        direction = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
        direction /= np.linalg.norm(direction)
        power = rng.uniform(0.5, 1.2) if i == 0 else rng.uniform(0.1, 0.6)
        lights.append([*direction, *(warm * power), float(rng.choice([0.05, 0.25, 0.6]))])
    found = np.array(lights)
    found[:, :3] /= np.linalg.norm(found[:, :3], axis=1, keepdims=True)
    return found, warm * rng.uniform(0.12, 0.7)
