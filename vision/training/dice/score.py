"""Scores the dice and cube readers on labelled set-ups with their true geometry, held-out ones apart.

    python -m vision.training.dice.score FOLDER... [--errors] [--pictures OUT.png]

A FOLDER holds labels.json, or folders that do.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import SeenCube, SeenDie, SeenDoubt
from vision.cube import CubeReader
from vision.dice.reader import DiceReader
from vision.training.dice.pictures import Marked, boards, picture_of
from vision.training.labels import WITH_GAME, set_ups


def edge_of(die: dict[str, Any]) -> float:
    q = die["top_quad_px"]
    return sum(math.dist(q[i], q[(i + 1) % 4]) for i in range(4)) / 4


class Wrong(NamedTuple):
    """Something that was read wrong: in words, where (px) and how large (px) it is, and in a few characters."""

    text: str
    centre: Any
    px: float
    short: str


def score(picture: Marked, image: NDArray[np.uint8], c: Counter[str], late: list[float]) -> list[Wrong]:
    """Counts in ``c`` what is read right and wrong in the ``image`` of ``picture``, and keeps in ``late`` how many s it took."""
    assert picture.table is not None
    began = time.process_time()
    dice, doubts = DiceReader(picture.table).read(image)
    cube, cube_doubts = CubeReader(picture.table).read(image, dice)
    late.append(time.process_time() - began)
    c["frames"] += 1
    return score_dice(picture, dice, doubts, c) + score_cube(picture, cube, cube_doubts, c)


def score_dice(picture: Marked, dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt], c: Counter[str]) -> list[Wrong]:
    doubted = {d.centre for d in doubts}
    free, wrong = list(dice), list[Wrong]()
    for t in picture.dice:
        if t.get("visible", 1.0) < 0.5:
            continue
        px = edge_of(t)
        hit = min(free, key=lambda s: math.dist(s.centre, t["centre_px"]), default=None)
        if hit is None or math.dist(hit.centre, t["centre_px"]) > 0.8 * px:
            hit = None
        else:
            free.remove(hit)
        seen = _score_die(t, hit, hit is not None and hit.centre in doubted, "big" if px >= 20 else "small", c)
        if seen:
            said = [d.text for d in doubts if hit and d.centre == hit.centre]
            true = f"{t['value']} {t['state']} {t['tilt_deg']:.0f}"
            text = f"{px:.0f} px true {true} seen {seen} {said} {hit and hit.confidence}"
            wrong.append(Wrong(text, t["centre_px"], px, f"{t['value']}{t['state'][:4]}>{seen[:6]}"))
    phantoms = [s for s in free if not any(math.dist(s.centre, t["centre_px"]) < edge_of(t) for t in picture.dice)]
    c["phantoms"] += len(phantoms)
    return wrong + [Wrong(f"phantom {s}", s.centre, 20, "phantom") for s in phantoms]


def _score_die(true: dict[str, Any], hit: SeenDie | None, unsure: bool, size: str, c: Counter[str]) -> str:
    """What was seen instead of the ``true`` die, or nothing where it was read right."""
    c[f"{size} dice"] += 1
    if hit is None:
        c[f"{size} missed"] += 1
        return "missed"
    value, state, flat = hit.value == true["value"], hit.state.value == true["state"], hit.state.value == "flat"
    c[f"{size} state right"] += state
    if true["state"] == "flat":
        c[f"{size} flat"] += 1
        c[f"{size} value right"] += value
        c[f"{size} flat called bad"] += not flat
        c[f"{size} flat doubted"] += unsure
        c[f"{size} flat wrong, no doubt"] += not (value and flat) and not unsure
    else:
        c[f"{size} bad"] += 1
        c[f"{size} bad caught"] += not flat or unsure
    return "" if state and value else f"{hit.value} {hit.state.value}"


def score_cube(picture: Marked, cube: SeenCube | None, doubts: Sequence[SeenDoubt], c: Counter[str]) -> list[Wrong]:
    true = picture.cube
    if not true:
        return []
    c["cubes"] += 1
    want = (true["value"], true["owner"], true.get("offered_to"))
    got = (cube.value, cube.owner and cube.owner.value, cube.offered_to and cube.offered_to.value) if cube else None
    c["cube right"] += got == want
    c["cube wrong, no doubt"] += got != want and not doubts
    c["cube doubted"] += bool(doubts)
    if got == want:
        return []
    text = f"cube true {want} seen {got} {[d.text for d in doubts]}"
    return [Wrong(text, true["centre_px"], 40, f"{want[0]}>{got and got[0]}")]


def _tile(image: Any, centre: Any, px: float, text: str) -> Any:
    k = 30 / px
    m = np.array([[k, 0, 64 - centre[0] * k], [0, k, 64 - centre[1] * k]])
    tile = cv2.warpAffine(image, m, (128, 128), flags=cv2.INTER_LINEAR)
    cv2.putText(tile, text, (1, 12), 0, 0.38, (0, 255, 255), 1)
    return tile


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folders", nargs="+", type=Path)
    ap.add_argument("--errors", action="store_true", help="tell what was read wrong")
    ap.add_argument("--pictures", type=Path, help="with --errors: a picture of all that was")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    tiles: list[Any] = []
    late: list[float] = []
    for folder in set_ups(args.folders):
        group = "held out" if folder.name in WITH_GAME else "others"
        for picture in boards([folder]):
            image = picture_of(picture.path)
            for wrong in score(picture, image, totals[group], late):
                if args.errors:
                    print(f"  {picture.name}/{picture.path.name} {wrong.text}")
                    tiles.append(_tile(image, wrong.centre, wrong.px, wrong.short))
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
