"""Makes the drawn training pictures: crops of single dice and cubes, and small scenes for the detector.

    python -m vision.training.dice.make --data DATA --out OUT [--seed 1] [--shards 12]

``DATA`` holds labelled set-ups whose fields serve as grounds (those set aside are left out). Every shard is one .npz.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.dice.grounds import glyphs, grounds
from vision.training.dice.label import A_CUBE, A_DIE, CROP, CUBE_EDGE, EDGE, LABEL, NOTHING
from vision.training.dice.raytrace import BODY, CHECKER
from vision.training.dice.scenes import Lying, Rng, Scene, render
from vision.training.labels import WITH_GAME, set_ups

SCENE = 160


def touches_checker(scene: Scene, it: Lying) -> bool:
    """Whether a flat die on the field stands within 1.5 mm of a checker."""
    top = it.top(np.array(scene.bodies, BODY))[:, :2]
    for b in scene.bodies:
        if b["kind"] == CHECKER:
            for i in range(4):
                a, d = top[i], top[(i + 1) % 4] - top[i]
                t = np.clip((b["pos"][:2] - a) @ d / (d @ d), 0, 1)
                if np.linalg.norm(a + t * d - b["pos"][:2]) < b["half"][0] + 0.15:
                    return True
    return False


def crop_scene(rng: Rng, cubes: bool) -> tuple[Scene, Lying | None, int]:
    scene = Scene(rng)
    pick = 0.9 if cubes else rng.random()
    if pick < 0.42:
        return scene, scene.flat(0, 0), A_DIE
    if pick < 0.62:
        return scene, scene.cocked(0, 0), A_DIE
    if pick < 0.76:
        return scene, scene.on_checker(0, 0), A_DIE
    if pick < 0.82:
        return scene, scene.raised(0, 0), A_DIE
    if pick < 0.94:
        cube = scene.cube(0, 0)
        for _ in range(int(rng.integers(0, 3))):
            a, d = rng.uniform(0, 7), rng.uniform(3.6, 5)
            scene.checker_if_free(d * math.cos(a), d * math.sin(a))
        if rng.random() < 0.5:
            scene.wall(0, 0, rng.uniform(0, 7), rng.uniform(2.2, 4))
        return scene, cube, A_CUBE
    for _ in range(4):
        scene.checker_if_free(*rng.normal(0, 2.5, 2))
    return scene, None, NOTHING


def make_crops(rng: Rng, count: int, fields: list[Any], letters: list[Any], cubes: bool = False) -> tuple[np.ndarray, np.ndarray]:
    edge = CUBE_EDGE if cubes else EDGE
    images, labels = np.zeros((count, CROP, CROP, 3), np.uint8), np.zeros(count, LABEL)
    big = CROP * 3 // 2
    for i in range(count):
        scene, it, kind = crop_scene(rng, cubes)
        if it is None:
            focus, half = np.array([0, 0, 1.0]), 0.7
        else:
            focus, half = it.top(np.array(scene.bodies, BODY)).mean(0), float(scene.bodies[it.body]["half"][0])
        view = render(scene, focus, fields, letters[int(rng.integers(len(letters)))], big, edge / (2 * half) * big / CROP)
        images[i] = cv2.resize(view.image, (CROP, CROP), interpolation=cv2.INTER_AREA)
        row = labels[i]
        row["kind"], row["elevation"] = kind, view.elevation
        if it is not None:
            quad = next(q for d, q in view.dice + view.cubes if d is it)
            row["value"], row["tilt"], row["support"] = it.value, it.tilt, it.support
            row["quad"] = quad * CROP / big
            row["touch"] = touches_checker(scene, it)
    return images, labels


def wide_scene(rng: Rng) -> Scene:
    scene = Scene(rng)
    for _ in range(int(rng.integers(0, 3))):
        x, y, way = *rng.uniform(-5, 5, 2), rng.uniform(0, math.pi)
        for k in range(int(rng.integers(1, 6))):
            scene.checker_if_free(x + k * 2.05 * scene.radius * math.cos(way), y + k * 2.05 * scene.radius * math.sin(way))
    if rng.random() < 0.35:
        scene.wall(0, 0, rng.uniform(0, 7), rng.uniform(2, 6))
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(-5.5, 5.5, 2)
        if not scene.free(x, y, 1.0):
            if rng.random() < 0.3:
                over = [
                    b for b in scene.bodies if b["kind"] == CHECKER and math.hypot(b["pos"][0] - x, b["pos"][1] - y) < b["half"][0] - 0.3
                ]
                if over:
                    scene.die(x, y, scene.thick, support=1)
            continue
        way = rng.random()
        if way < 0.7:
            scene.flat(x, y)
        elif way < 0.9 and scene.free(x, y, 4):
            scene.cocked(x, y)
    if rng.random() < 0.4:
        x, y = rng.uniform(-5, 5, 2)
        if scene.free(x, y, 1.8):
            scene.cube(x, y, rng.choice([0, 0, 1.0]))
    return scene


def make_scenes(rng: Rng, count: int, fields: list[Any], letters: list[Any]) -> tuple[np.ndarray, list[list[list[float]]]]:
    """Pictures, and a list of [kind, x, y, edge px] a picture."""
    images, marks = np.zeros((count, SCENE, SCENE, 3), np.uint8), []
    big = SCENE * 3 // 2
    for i in range(count):
        scene = wide_scene(rng)
        die = 2 * scene.die_looks[0]["half"][0]
        px = 15 * rng.uniform(0.7, 1.35) / die
        view = render(scene, np.zeros(3), fields, letters[int(rng.integers(len(letters)))], big, px * big / SCENE)
        images[i] = cv2.resize(view.image, (SCENE, SCENE), interpolation=cv2.INTER_AREA)
        rows = []
        for kind, seen in ((A_DIE, view.dice), (A_CUBE, view.cubes)):
            for it, quad in seen:
                x, y = quad.mean(0) * SCENE / big
                rows.append([kind, float(x), float(y), float(2 * scene.bodies[it.body]["half"][0] * px)])
        marks.append(rows)
    return images, marks


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts/truetype/dejavu"), help="letterings of cubes, the more the better")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--shards", type=int, default=12)
    ap.add_argument("--cubes", action="store_true", help="crops of doubling cubes only")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    folders = [folder for folder in set_ups([args.data]) if folder.name not in WITH_GAME]
    fonts = sorted(p for p in args.fonts.rglob("*") if p.suffix in (".ttf", ".otf"))
    for shard in range(args.shards):
        rng = np.random.default_rng([args.seed, shard])
        fields, letters = grounds(folders, rng, 60), [glyphs(rng, fonts) for _ in range(60)]
        if args.cubes:
            images, labels = make_crops(rng, 1500, fields, letters, True)
            np.savez(args.out / f"cubes_{args.seed}_{shard:03d}.npz", images=images, labels=labels)
            print(shard, flush=True)
            continue
        images, labels = make_crops(rng, 2000, fields, letters)
        np.savez(args.out / f"crops_{args.seed}_{shard:03d}.npz", images=images, labels=labels)
        images, marks = make_scenes(rng, 300, fields, letters)
        flat = np.array([[i, *row] for i, rows in enumerate(marks) for row in rows])
        np.savez(args.out / f"scenes_{args.seed}_{shard:03d}.npz", images=images, marks=flat)
        print(shard, flush=True)


if __name__ == "__main__":
    main()
