"""Small pictures of 96 x 96 px around dice, the cube and things that are neither; one folder a set-up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from referee.files import write_whole

from . import label, photo, things
from .draw import draw_set_up
from .frames import scratch
from .paint import Array, Rng, vec
from .rest import Die
from .scene import Picture, draw_picture
from .spec import SetUp
from .stage import Stage
from .view import Cam, place_camera

SIDE = 96
DICE_BY_CUBES = 0.15  # of the dice, among crops mostly of cubes


def make_shard(seed: int, split: str, out: Path, wanted: int, samples: int | None, leaning: float = 0.0, cubes: bool = False) -> int:
    """Renders about ``wanted`` crops of one set-up into ``out/NAME`` unless they are there; how many it made.
    ``cubes``: mostly of the cube."""
    name = f"{split}-{seed:06d}"
    folder = out / name
    if (folder / "labels.json").exists():
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    s = draw_set_up(seed, split)
    rng = np.random.default_rng([seed, 6])
    stage = Stage(s)
    base = place_camera(s.board, s.view, (1280, 720))
    base = Cam(base.k, np.zeros(5), base.r, base.t, base.size)
    film = photo.draw_film(rng)
    spp = samples or int(rng.choice([4, 5, 6, 8]))
    rows: list[dict[str, Any]] = []
    gain, number = 0.0, 0
    while len(rows) < wanted and number < wanted:
        number += 1
        p = draw_picture(s, number, 0.85, leaning=leaning, cubes=cubes)
        stage.show(p.laid, p.dice, (p.cube.centre, p.cube.turn) if p.cube else None)
        if p.dice and rng.random() < 0.1:
            at = p.dice[0].centre + vec(*rng.uniform(-3, 3, 2), rng.uniform(0.5, 3))
            things.hand(stage, at, float((-np.pi / 2 if at[1] < 0 else np.pi / 2) + rng.normal(0, 0.4)), rng)
        if not gain:
            small = base.scaled(0.2)
            stage.aim(small)
            gain = photo.gain_for(stage.render(scratch(), 4, seed), film)
        for kind, centre, size in _targets(p, stage, rng, DICE_BY_CUBES if cubes else 1.0):
            cam = base.scaled(_scale_for(base, centre, size, rng, kind))
            middle = cam.project(centre) + rng.uniform(-7, 7, 2)
            x0, y0 = (int(v) - SIDE // 2 for v in middle)
            if x0 < 0 or y0 < 0 or x0 + SIDE > cam.size[0] or y0 + SIDE > cam.size[1]:
                continue
            stage.aim(cam)
            linear = stage.render(scratch(), spp, seed * 100 + len(rows), (x0, y0, x0 + SIDE, y0 + SIDE))
            if linear.shape[:2] != (SIDE, SIDE):
                raise RuntimeError(f"a crop came out as {linear.shape}, not {SIDE} px square")
            yy, xx = np.mgrid[y0 : y0 + SIDE, x0 : x0 + SIDE].astype(np.float32)
            place = ((xx / cam.size[0] - 0.5) * 2, (yy / cam.size[1] - 0.5) * 2)
            image = f"c{len(rows):03d}.jpg"
            photo.save(str(folder / image), photo.develop(linear, film, gain, rng, place), film.quality)
            rows.append({"image": image, "kind": kind, **_labels(p, cam, np.array([x0, y0]), centre)})
    labels = {"session": name, "split": split, "set": split, **_told(s, base), "crops": rows}
    write_whole(folder / "labels.json", json.dumps(labels))
    return len(rows)


def _told(s: SetUp, cam: Cam) -> dict[str, Any]:
    """What the labels say of a set-up and its camera."""
    return {
        "style": s.board.family,
        "seed": s.seed,
        "light": s.light,
        "camera": {
            "mode": s.view.mode,
            "tilt_deg": round(s.view.tilt, 1),
            "R": np.round(cam.r, 6).tolist(),
            "t_cm": np.round(cam.t, 4).tolist(),
        },
        "dice_colours": {"near": s.dice[0].name, "far": s.dice[1].name},
        "die_mm": round(s.dice[0].size * 10, 1),
    }


def _targets(p: Picture, stage: Stage, rng: Rng, dice: float) -> list[tuple[str, Array, float]]:
    """(kind, point to look at, size in cm): this share of the dice, mostly the cube, sometimes something that is no die."""
    # Where all are wanted no chance is drawn: the seeds of earlier pictures give the same ones.
    out = [("die", d.centre, d.size) for d in p.dice if dice == 1 or rng.random() < dice]
    if p.cube is not None and rng.random() < 0.9:
        out.append(("cube", p.cube.centre, p.cube.size))
    if rng.random() < 0.4:
        others = [
            o for o in stage.scene.objects if o.name.split(".")[0] in ("hinge", "screw", "checker", "clock", "sugar", "thing", "divider")
        ]
        if others:
            kinds = sorted({o.name.split(".")[0] for o in others})  # there are thirty checkers and a few of the rest
            kind = kinds[int(rng.integers(len(kinds)))]
            others = [o for o in others if o.name.split(".")[0] == kind]
            o = others[int(rng.integers(len(others)))]
            at = np.array(o.matrix_world.translation) + vec(*rng.uniform(-1.5, 1.5, 2), 0.5)
            if all(np.linalg.norm(at - d.centre) > 2.5 for d in p.dice) and (p.cube is None or np.linalg.norm(at - p.cube.centre) > 3.5):
                out.append((o.name.split(".")[0], at, 1.4))
    if rng.random() < 0.3:
        w, h = stage.s.board.inner
        at = np.array([rng.uniform(-0.5, 0.5) * w, rng.uniform(-0.5, 0.5) * h, 0.5])
        if all(np.linalg.norm(at - d.centre) > 2.5 for d in p.dice) and (p.cube is None or np.linalg.norm(at - p.cube.centre) > 3.5):
            out.append(("field", at, 1.4))
    return out


def _scale_for(cam: Cam, centre: Array, size: float, rng: Rng, kind: str) -> float:
    """How much larger the frame must be for the thing to have the drawn number of pixels."""
    depth = float((cam.r @ centre + cam.t)[2])
    now = cam.k[0, 0] * size / depth
    want = rng.uniform(14, 45) if rng.random() < 0.7 else rng.uniform(14, 24)
    return float((want * (1.6 if kind == "cube" else 1.0)) / now)


def _labels(p: Picture, cam: Cam, corner: Array, centre: Array) -> dict[str, Any]:
    """Everything in the crop, in the crop's pixels: the die looked at first."""
    shifted = Cam(cam.k - np.array([[0, 0, corner[0]], [0, 0, corner[1]], [0, 0, 0]]), cam.dist, cam.r, cam.t, (SIDE, SIDE))
    dice = []
    for d in sorted(p.dice, key=lambda d: float(np.linalg.norm(d.centre - centre))):
        if _inside(d, shifted):
            row = label.die_label(d, shifted)
            row["size_px"] = round(float(cam.k[0, 0] * d.size / (cam.r @ d.centre + cam.t)[2]), 1)
            dice.append(row)
    cube = None
    if p.cube is not None and _inside(p.cube.as_die, shifted):
        cube = label.cube_label(p.cube, shifted)
    return {"dice": dice, "cube": cube, "K": np.round(shifted.k, 3).tolist(), "frame": [int(corner[0]), int(corner[1]), *cam.size]}


def _inside(d: Die, crop: Cam) -> bool:
    """Whether the middle of a top face is in the crop."""
    px = crop.project(d.top_quad().mean(0))
    return bool((px > 0).all() and (px < SIDE).all())
