"""Looks through the training pictures with the present readers: what they take for dice or cubes and is none, and where the dice lie
in photographs whose labels give only values.

    python -m vision.training.dice.mine --data DATA --out OUT [--frames FRAMES]

Writes tempting_boards.npz, tempting_photos.npz, tempting_drawn.npz, tempting_cubes.npz (crops, labels, and how much the reader was fooled)
and placed.json.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import Look, look_at
from vision.dice.find import Spot, board_finder, find
from vision.dice.loose import read_loose
from vision.dice.net import read_cubes, read_dice
from vision.training.dice.decoys import decoys
from vision.training.dice.label import A_DIE, CROP, CUBE_EDGE, EDGE, LABEL, NOTHING
from vision.training.dice.pictures import Marked, boards, level_of, picture_of, training_folders, upright
from vision.training.labels import rendered_set_ups

LOOKS = (0.6, 0.0, 0.0), (0.8, 0.0, 0.0), (1.1, 0.0, 0.0), (0.8, 10.0, 6.0), (0.8, -8.0, -10.0)  # edges, and px beside the middle
DOUBTED, PLAIN, SIZES = 0.2, 0.9, (0.55, 0.75, 1.0, 1.4)  # of what fools a reader so much it is asked whether it is a die, of which
# both readers then are so sure, looked for with these edges, by the finder's
SOME, OF_DRAWN = 1000, (0.0, 0.05, 0.1, 0.55, 0.1, 0.2)  # drawn at a time; no hinges: the worst of them are as square as dice

Mined = list[tuple[NDArray[Any], Any, float]]


def nothing(look: Look) -> NDArray[Any]:
    row = np.zeros((), LABEL)
    row["kind"], row["tilt"], row["support"], row["touch"], row["quad"] = NOTHING, -1, -1, -1, CROP / 2
    row["elevation"], row["level"] = -1 if look.elevation is None else look.elevation, level_of(look)
    return row


def on_board(picture: Marked, cubes: bool) -> Mined:
    """Where the finder sees dice (or cubes) in a picture of a known table and none is."""
    image, out = picture_of(picture.path), []
    assert picture.table is not None
    edge = max([m[3] for m in picture.marks if m[0] == A_DIE] or [40.0])
    found = board_finder(picture.table).find(image)
    for spot in found.cubes if cubes else found.dice:
        if not cubes and any(math.dist(spot.centre, d["centre_px"]) < 0.9 * edge for d in picture.dice):
            continue
        if cubes and picture.cube and math.dist(spot.centre, picture.cube["centre_px"]) < 1.5 * edge:
            continue
        size = 2.7 if cubes else picture.table.measures.die
        look = look_at(picture.table, spot.centre, size, size)
        fooled = read_cubes(image, [look])[0].cube if cubes else read_dice(image, [look])[0].die
        out.append((upright(image, look, CUBE_EDGE if cubes else EDGE), nothing(look), fooled))
    return out


def plainly_a_die(image: NDArray[Any], spot: Look) -> bool:
    """Whether both readers are sure of a die and of its value there: photographs show dice that nobody has marked."""
    for size in SIZES:
        seen = read_dice(image, [replace(spot, edge=size * spot.edge)])[0]
        if seen.die > 0.5:
            there = [Look(seen.centre, seen.edge, 0.0, None)]
            one, other = read_dice(image, there)[0], read_dice(image, there, True)[0]
            sure = min(one.die, other.die, max(one.values), max(other.values)) > PLAIN
            if sure and one.value == other.value:
                return True
    return False


def marked(image: NDArray[Any], scale: float) -> list[Spot]:
    """What the finder marks in a photograph of a board at no known distance, seen ``scale`` times as large and ever smaller."""
    spots: list[Spot] = []
    while scale * min(image.shape[:2]) >= 48:
        spots += [s for s in find(image, scale, 0.25, 25).dice if 0.55 < s.edge * scale / 12 < 1.8]
        scale /= 1.5
    return spots


def in_photo(image: NDArray[Any], boxes: list[list[float]], each: int) -> Mined:
    """The same in a photograph, at all sizes, ``each`` spots that fool the reader most."""
    spots = marked(image, min(1.4, 4000 / max(image.shape[:2])))
    looks = [
        Look(spot.centre, spot.edge, 0.0, None)
        for spot in spots
        if not any(abs(spot.centre[0] - x - w / 2) < w and abs(spot.centre[1] - y - h / 2) < h for x, y, w, h in boxes)
    ]
    fooled = sorted(((read_dice(image, [look])[0].die, look) for look in looks), key=lambda one: -one[0])
    none = ((die, look) for die, look in fooled if die < DOUBTED or not plainly_a_die(image, look))
    return [(upright(image, look), nothing(look), die) for die, look in islice(none, each)]


def among_drawn(rng: np.random.Generator, count: int, most: int) -> Mined:
    """Of ``count`` drawn `decoys` the ``most`` that fool a reader most in any of the `LOOKS`."""
    out: Mined = []
    for _ in range(0, count, SOME):
        for image, label in zip(*decoys(rng, SOME, OF_DRAWN), strict=True):
            looks = [Look((CROP / 2 + x, CROP / 2 + y), k * EDGE, 0.0, float(label["elevation"])) for k, x, y in LOOKS]
            fooled = max(v.die for close in (False, True) for v in read_dice(image, looks, close))
            out.append((image, label, fooled))
        out = sorted(out, key=lambda o: -o[2])[:most]
        print(f"{out[-1][2]:.3f}", end=" ", flush=True)
    return out


def placed(image: NDArray[Any], values: list[int]) -> list[list[float]]:
    """[x, y, edge px, value] of every die where the reader's surest dice are as many as the labelled ``values`` and agree with them.
    One may disagree where no more were seen: it is taken to be the value that is left."""
    seen = read_loose(image)[0]
    sure = sorted(seen, key=lambda d: -d.confidence)[: len(values)]
    told = Counter(d.value or 0 for d in sure)
    left, more = Counter(values) - told, told - Counter(values)
    if len(sure) < len(values) or left.total() > (len(seen) == len(values)):
        return []
    spots, rows = marked(image, 1.4), []
    for d in sure:
        near = [s for s in spots if math.dist(s.centre, d.centre) < 0.4 * s.edge]
        if not near:
            return []
        edge = read_dice(image, [Look(d.centre, max(near, key=lambda s: s.score).edge, 0.0, None)])[0].edge
        rows.append([*d.centre, edge, float(next(iter(left)) if d.value in more else d.value or 0)])
    return rows


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--frames", type=Path, help="whole rendered set-ups")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--boards-only", action="store_true", help="leave what was written of the photographs as it is")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    folders = training_folders(args.data)
    folders += rendered_set_ups(args.frames) if args.frames else []
    dice: Mined = []
    cubes: Mined = []
    for picture in boards(folders):
        dice += on_board(picture, False)
        cubes += on_board(picture, True)
    _write(args.out / "tempting_boards.npz", dice)
    _write(args.out / "tempting_cubes.npz", cubes)
    _write(args.out / "tempting_drawn.npz", among_drawn(np.random.default_rng(1), 20000, 3000))
    if not args.boards_only:
        _look_through_photographs(args.data / "photos" / "labels.jsonl", args.out)


def _look_through_photographs(labels: Path, out: Path) -> None:
    seen: dict[str, list[list[float]]] = {}
    more: Mined = []
    for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
        if row["part"] != "tune":
            continue
        image = picture_of(labels.parent / row["image"])
        boxes = [d["bbox"] for d in row["dice"]]
        if None in boxes:
            rows = placed(image, [d["value"] for d in row["dice"]])
            if not rows:
                continue
            seen[row["image"]] = rows
            boxes = [[x - e * 0.6, y - e * 0.6, e * 1.2, e * 1.2] for x, y, e, _ in rows]
        more += in_photo(image, boxes, 24)
    _write(out / "tempting_photos.npz", more)
    (out / "placed.json").write_text(json.dumps(seen))
    print(f"{len(seen)} photographs placed")


def _write(path: Path, mined: Mined) -> None:
    images = np.array([m[0] for m in mined], np.uint8).reshape(-1, CROP, CROP, 3)
    np.savez(path, images=images, labels=np.array([m[1] for m in mined], LABEL), fooled=np.array([m[2] for m in mined], np.float32))
    print(f"{path.name}: {len(mined)}, {sum(m[2] > 0.1 for m in mined)} of them fool the reader", flush=True)


if __name__ == "__main__":
    main()
