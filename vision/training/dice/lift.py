"""Lays dice out of photographs on fields of labelled pictures: real dice, of colours and makes nobody draws, where they are to be found.

    python -m vision.training.dice.lift --data DATA --frames FRAMES --out OUT [--seed 1] [--count 500]

Writes crops_lifted_SEED.npz and scenes_lifted_SEED.npz into OUT, in the form of `dice.make`'s. Of the photographs the `tune` part is used,
and of them the dice with boxes that lie by themselves.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import Look, look_at, rotation
from vision.training.dice.label import A_DIE, CROP, EDGE, LABEL
from vision.training.dice.make import SCENE
from vision.training.dice.pictures import Marked, boards, level_of, picture_of, training_folders, upright
from vision.training.dice.samples import recolour
from vision.training.dice.scenes import Rng
from vision.training.labels import rendered_set_ups

ROOM = 0.35  # of its box about a die that is lifted: no other die may reach in
LEAST_BOX = 26  # px
FULL = 0.45, 1.1  # shares of its box that a die may fill
LEFT_OVER, LIKE = 0.08, 22  # share of what was lifted that may be as the ground is, to so many grey levels
SHADOW = 0.5
NO_DIE, RECOLOURED = 0.35, 0.5  # shares: of what is laid that is but of a die's outline, of the dice in other colours than their own
A_PICTURE, SCENE_DIE = 5, (10.0, 20.0)  # dice on a picture; their edge in a scene, px


@dataclass(frozen=True, eq=False)
class Lifted:
    """A die cut out of a photograph: BGR, what of it is die (0 or 1), its value, its edge in px."""

    image: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    value: int
    edge: float


def lifted(labels: Path, part: str = "tune") -> list[Lifted]:
    """All dice that can be cut out of the photographs of ``labels`` that belong to a ``part``."""
    found = []
    for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
        if row["part"] != part or row["bbox_kind"] != "die":
            continue
        image = picture_of(labels.parent / row["image"])
        boxes = [die["bbox"] for die in row["dice"] if die["bbox"] is not None]
        for die in row["dice"]:
            if die["bbox"] is not None and max(die["bbox"][2:]) >= LEAST_BOX:
                one = _lift(image, die["bbox"], [box for box in boxes if box is not die["bbox"]], die["value"])
                found += [one] if one is not None else []
    return found


def _lift(image: NDArray[Any], box: list[float], others: list[list[float]], value: int) -> Lifted | None:
    x, y, w, h = box
    room = ROOM * max(w, h)
    x0, y0, x1, y1 = round(x - room), round(y - room), round(x + w + room), round(y + h + room)
    if min(x0, y0) < 0 or x1 > image.shape[1] or y1 > image.shape[0] or max(w, h) > 1.5 * min(w, h):
        return None
    if any(u < x1 and u + p > x0 and v < y1 and v + q > y0 for u, v, p, q in others):
        return None
    part = np.ascontiguousarray(image[y0:y1, x0:x1])
    mask = np.full(part.shape[:2], cv2.GC_BGD, np.uint8)
    rim, core = round(0.75 * room), round(room + 0.28 * min(w, h))
    mask[rim:-rim, rim:-rim] = cv2.GC_PR_FGD
    mask[core:-core, core:-core] = cv2.GC_FGD
    cv2.grabCut(part, mask, (0, 0, 0, 0), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    shapes, _ = cv2.findContours(((mask & 1) > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(shapes, key=cv2.contourArea))
    area = cv2.contourArea(hull)
    if not FULL[0] * w * h < area < FULL[1] * w * h:
        return None
    cover = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, hull, 1)
    ground = np.median(part[cover == 0], axis=0)
    if (np.abs(part[cover == 1] - ground).max(1) < LIKE).mean() > LEFT_OVER:  # the cut took the ground along
        return None
    return Lifted(part, np.asarray(cv2.erode(cover, np.ones((3, 3), np.uint8)), np.uint8), value, math.sqrt(area))


def lay(image: NDArray[np.uint8], die: Lifted, look: Look, edge: float, rng: Rng) -> None:
    """Lays ``die`` at ``look`` on ``image`` (BGR), ``edge`` px wide, turned by chance, as flat as the board is seen, with a shadow."""
    ys, xs = np.nonzero(die.cover)
    angle, reach = rng.uniform(0, 2 * math.pi), round(1.3 * edge) + 2
    turn = rotation(angle)
    m = np.linalg.inv(look.upright(True)) @ turn * (edge / die.edge)
    m = np.column_stack([m, reach - m @ np.array([xs.mean(), ys.mean()])])
    size, k = (2 * reach + 1, 2 * reach + 1), edge / die.edge
    source = cv2.GaussianBlur(die.image, (0, 0), 0.45 / k) if k < 0.75 else die.image
    top = cv2.warpAffine(source, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    cover = cv2.GaussianBlur(cv2.warpAffine(die.cover.astype(np.float32), m, size), (0, 0), rng.uniform(0.4, 0.9))
    fall = rng.uniform(-0.18, 0.18, 2) * edge
    shade = cv2.warpAffine(cover, np.array([[1, 0, fall[0]], [0, 1, fall[1]]]), size)
    shade = rng.uniform(0, SHADOW) * cv2.GaussianBlur(shade, (0, 0), edge * rng.uniform(0.03, 0.12))[..., None]
    x0, y0 = round(look.centre[0]) - reach, round(look.centre[1]) - reach
    here = image[y0 : y0 + size[1], x0 : x0 + size[0]]
    if here.shape[:2] != (size[1], size[0]):
        raise ValueError("too near the picture's edge")
    light = rng.uniform(0.7, 1.15)
    here[:] = np.clip(here * (1 - shade) * (1 - cover[..., None]) + light * top * cover[..., None], 0, 255).astype(np.uint8)


def like(die: Lifted, ground: NDArray[np.uint8], edge: float, rng: Rng) -> Lifted:
    """What has the outline of ``die`` and is none: filled with another piece of the ``ground`` (BGR) on which it is to lie, ``edge`` px
    wide. A cut's edge must not tell a die."""
    h, w = die.image.shape[:2]
    side = round(2 * edge)
    x, y = (int(rng.integers(n - side + 1)) for n in ground.shape[1::-1])
    piece = cv2.resize(ground[y : y + side, x : x + side], (w, h), interpolation=cv2.INTER_LINEAR)
    return replace(die, image=np.asarray(piece, np.uint8))


def one_of(dice: list[Lifted], ground: NDArray[np.uint8], edge: float, rng: Rng) -> tuple[Lifted, bool]:
    """What to lay on the ``ground``: one of ``dice`` and True, or what is but `like` one (`NO_DIE` of them) and False."""
    die = dice[int(rng.integers(len(dice)))]
    return (like(die, ground, edge, rng), False) if rng.random() < NO_DIE else (die, True)


def strewn(picture: Marked, dice: list[Lifted], rng: Rng) -> tuple[NDArray[np.uint8], list[tuple[Look, float, Lifted]]]:
    """The picture with up to `A_PICTURE` lifted dice laid on its field, clear of its own dice and cube: where, how wide (px), and which."""
    image, table = picture_of(picture.path).copy(), picture.table
    assert table is not None
    w, h = (side / 2 - 2 for side in table.measures.inner)
    taken = [(m[1], m[2], m[3]) for m in picture.marks] + [(*d["centre_px"], 30.0) for d in picture.dice]
    laid: list[tuple[Look, float, Lifted]] = []
    for _ in range(A_PICTURE):
        spot = table.camera.project(np.array([rng.uniform(-w, w), rng.uniform(-h, h), table.measures.die]))
        look = look_at(table, (float(spot[0]), float(spot[1])), table.measures.die, table.measures.die)
        edge, far = look.edge * rng.uniform(0.85, 1.25), 2 * look.edge
        inside = min(look.centre) > far and look.centre[0] < image.shape[1] - far and look.centre[1] < image.shape[0] - far
        if inside and all(math.hypot(look.centre[0] - x, look.centre[1] - y) > 1.2 * (edge + e) for x, y, e in taken):
            die = dice[int(rng.integers(len(dice)))]
            lay(image, die, look, edge, rng)
            taken.append((*look.centre, edge))
            laid.append((look, edge, die))
    return image, laid


def crop_of(image: NDArray[np.uint8], look: Look, edge: float, value: int) -> tuple[NDArray[Any], Any]:
    """A stored crop and its label: how the die lies is not told, for a photograph seldom shows it as this camera would."""
    row = np.zeros((), LABEL)
    row["kind"], row["value"], row["tilt"], row["support"], row["touch"], row["quad"] = A_DIE, value, -1, -1, -1, CROP / 2
    row["elevation"], row["level"] = look.elevation, level_of(look)
    here = Look(look.centre, edge, look.lean, look.elevation, look.level)
    return upright(image, here), row


def laid_in(crop: NDArray[np.uint8], label: Any, dice: list[Lifted], rng: Rng) -> tuple[NDArray[np.uint8], Any]:
    """A stored crop of a place without a die, with one of ``dice`` laid in its middle, in its own colours or others, and its label; or
    with but what has the outline of one (`one_of`), and the label as it was."""
    image, row, edge = crop.copy(), label.copy(), EDGE * rng.uniform(0.93, 1.07)
    die, is_die = one_of(dice, image, edge, rng)
    if is_die:
        row["kind"], row["value"] = A_DIE, die.value
        if rng.random() < RECOLOURED:
            die = replace(die, image=np.clip(recolour(die.image, rng), 0, 255).astype(np.uint8))
    (a, b), (c, d) = label["level"] if label["level"].any() else np.eye(2)
    lay(image, die, Look((CROP / 2, CROP / 2), edge, 0.0, None, ((a, b), (c, d))), edge, rng)
    return image, row


def scene_of(image: NDArray[np.uint8], marks: list[list[float]], rng: Rng) -> tuple[NDArray[np.uint8], list[list[float]]]:
    """A window of ``image`` about one of the ``marks`` (kind, x, y, edge), scaled, and the marks in it."""
    _, x, y, edge = marks[int(rng.integers(len(marks)))]
    k = rng.uniform(*SCENE_DIE) / edge
    middle = np.array([x, y]) + rng.uniform(-0.35, 0.35, 2) * SCENE / k
    m = np.array([[k, 0, SCENE / 2 - k * middle[0]], [0, k, SCENE / 2 - k * middle[1]]])
    source = cv2.GaussianBlur(image, (0, 0), 0.42 / k) if k < 0.7 else image
    out = cv2.warpAffine(source, m, (SCENE, SCENE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rows = [[kind, k * x + m[0, 2], k * y + m[1, 2], k * e] for kind, x, y, e in marks]
    return np.asarray(out, np.uint8), [row for row in rows if min(row[1:3]) > -SCENE / 4 and max(row[1:3]) < SCENE * 5 / 4]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--frames", type=Path, help="whole rendered set-ups")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=500, help="pictures on which dice are laid")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    cv2.setRNGSeed(args.seed)
    rng = np.random.default_rng(args.seed)
    dice = lifted(args.data / "photos" / "labels.jsonl")
    print(f"{len(dice)} dice lifted", flush=True)
    pictures = list(boards(training_folders(args.data) + (rendered_set_ups(args.frames) if args.frames else [])))
    made: list[tuple[NDArray[Any], Any]] = []
    scenes: list[NDArray[np.uint8]] = []
    marks: list[list[float]] = []
    for _ in range(args.count):
        picture = pictures[int(rng.integers(len(pictures)))]
        image, laid = strewn(picture, dice, rng)
        made += [crop_of(image, look, edge, die.value) for look, edge, die in laid]
        if not laid or len(picture.marks) < len(picture.dice) + (picture.cube is not None):  # what is half hidden has no mark
            continue
        scene, rows = scene_of(image, [[*m] for m in picture.marks] + [[A_DIE, *look.centre, edge] for look, edge, _ in laid], rng)
        marks += [[len(scenes), *row] for row in rows]
        scenes.append(scene)
    images, labels = np.array([m[0] for m in made]), np.array([m[1] for m in made], LABEL)
    np.savez(args.out / f"crops_lifted_{args.seed}.npz", images=images, labels=labels)
    np.savez(args.out / f"scenes_lifted_{args.seed}.npz", images=np.array(scenes), marks=np.array(marks))
    print(f"{len(made)} crops, {len(scenes)} scenes")


if __name__ == "__main__":
    main()
