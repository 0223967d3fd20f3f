"""Scores the dice and cube readers on labelled set-ups with their true geometry, held-out ones apart.

    python -m vision.training.dice_score FOLDER... [--errors] [--pictures OUT.png]

A FOLDER holds labels.json, or folders that do.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cube import CubeReader
from vision.dice import DiceReader
from vision.training.dice_label import HELD_OUT
from vision.training.dice_pictures import Marked, boards, picture_of


def edge_of(die: dict[str, Any]) -> float:
    q = die["top_quad_px"]
    return sum(math.dist(q[i], q[(i + 1) % 4]) for i in range(4)) / 4


def score(picture: Marked, c: Counter[str], errors: bool, tiles: list[Any], occluded: bool, late: list[float]) -> None:
    image = picture_of(picture.path)
    assert picture.table is not None
    began = time.process_time()
    dice, doubts = DiceReader(picture.table).read(image)
    cube, cube_doubts = CubeReader(picture.table).read(image, dice)
    late.append(time.process_time() - began)
    doubted = {d.centre for d in doubts}
    free = list(dice)
    for t in picture.dice:
        if t.get("visible", 1.0) < 0.5:
            continue
        px = edge_of(t)
        hit = min(free, key=lambda s: math.dist(s.centre, t["centre_px"]), default=None)
        if hit is None or math.dist(hit.centre, t["centre_px"]) > 0.8 * px:
            hit = None
        size = "big" if px >= 20 else "small"
        c[f"{size} dice"] += 1
        wrong = ""
        if hit is None:
            c[f"{size} missed"] += 1
            wrong = "missed"
        else:
            free.remove(hit)
            unsure = hit.centre in doubted
            c[f"{size} state right"] += hit.state.value == t["state"]
            if t["state"] == "flat":
                c[f"{size} flat"] += 1
                c[f"{size} value right"] += hit.value == t["value"]
                c[f"{size} flat called bad"] += hit.state.value != "flat"
                c[f"{size} flat doubted"] += unsure
                if (hit.value != t["value"] or hit.state.value != "flat") and not unsure:
                    c[f"{size} flat wrong, no doubt"] += 1
            else:
                c[f"{size} bad"] += 1
                c[f"{size} bad caught"] += hit.state.value != "flat" or unsure
            if hit.state.value != t["state"] or hit.value != t["value"]:
                wrong = f"{hit.value} {hit.state.value}"
        if wrong and errors:
            said = [d.text for d in doubts if hit and d.centre == hit.centre]
            true = f"{t['value']} {t['state']} {t['tilt_deg']:.0f}"
            print(f"  {picture.name}/{picture.path.name} {px:.0f} px true {true} seen {wrong} {said} {hit and hit.confidence}")
            tiles.append(_tile(image, t["centre_px"], px, f"{t['value']}{t['state'][:4]}>{wrong[:6]}"))
    for s in free:
        if any(math.dist(s.centre, t["centre_px"]) < edge_of(t) for t in picture.dice):
            continue
        c["phantoms"] += 1
        if errors:
            print(f"  {picture.name}/{picture.path.name} phantom {s}")
            tiles.append(_tile(image, s.centre, 20, "phantom"))
    c["frames"] += 1
    cubed = picture.cube
    if cubed and not occluded:
        c["cubes"] += 1
        want = (cubed["value"], cubed["owner"], cubed.get("offered_to"))
        got = (cube.value, cube.owner and cube.owner.value, cube.offered_to and cube.offered_to.value) if cube else None
        c["cube right"] += got == want
        c["cube wrong, no doubt"] += got != want and not cube_doubts
        c["cube doubted"] += bool(cube_doubts)
        if got != want and errors:
            print(f"  {picture.name}/{picture.path.name} cube true {want} seen {got} {[d.text for d in cube_doubts]}")
            tiles.append(_tile(image, cubed["centre_px"], 40, f"{want[0]}>{got and got[0]}"))


def _tile(image: Any, centre: Any, px: float, text: str) -> Any:
    k = 30 / px
    m = np.array([[k, 0, 64 - centre[0] * k], [0, k, 64 - centre[1] * k]])
    tile = cv2.warpAffine(image, m, (128, 128), flags=cv2.INTER_LINEAR)
    cv2.putText(tile, text, (1, 12), 0, 0.38, (0, 255, 255), 1)
    return tile


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("folders", nargs="+", type=Path)
    ap.add_argument("--errors", action="store_true")
    ap.add_argument("--pictures", type=Path)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    folders = sorted(
        p for f in args.folders for p in ([f] if (f / "labels.json").exists() else [q.parent for q in f.glob("*/labels.json")])
    )
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    tiles: list[Any] = []
    late: list[float] = []
    for folder in folders:
        group = "held out" if folder.name in HELD_OUT else "others"
        for picture in boards([folder]):
            score(picture, totals[group], args.errors, tiles, False, late)
    for group, c in totals.items():
        print(group)
        for size in ("big", "small"):
            n, f = max(1, c[f"{size} dice"]), max(1, c[f"{size} flat"])
            k = {
                name: c[f"{size} {name}"]
                for name in ("value right", "state right", "missed", "bad", "bad caught", "flat called bad", "flat doubted")
            }
            print(
                f"  {size}: value {100 * k['value right'] / f:.1f} %, state {100 * k['state right'] / n:.1f} %, missed {k['missed']}, "
                f"bad caught {k['bad caught']}/{k['bad']}, flat called bad {k['flat called bad']}, doubted {k['flat doubted']}, "
                f"wrong without doubt {c[f'{size} flat wrong, no doubt']}"
            )
        print(f"  cube {c['cube right']}/{c['cubes']}, wrong without doubt {c['cube wrong, no doubt']}, doubted {c['cube doubted']}")
        print(f"  phantoms {c['phantoms']} in {c['frames']} frames")
    print(f"{1000 * float(np.median(late)):.0f} ms a picture (median)")
    if args.pictures and tiles:
        while len(tiles) % 12:
            tiles.append(np.zeros_like(tiles[0]))
        cv2.imwrite(str(args.pictures), np.vstack([np.hstack(tiles[i : i + 12]) for i in range(0, len(tiles), 12)]))


if __name__ == "__main__":
    main()
