"""Training samples out of labelled pictures: upright crops of dice and cubes, and marks for the detector.

A crop is `CROP` px wide with the die's edge at `EDGE` px (a cube's at `CUBE_EDGE`), turned so that the board's vertical is
upright where the camera is known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import Look, look_at, look_from
from vision.table import Camera, Table
from vision.training.dice.label import A_CUBE, A_DIE, CROP, CUBE_EDGE, EDGE, LABEL, NOTHING
from vision.training.dice.scenes import FIELD, ON_CHECKER, RAISED
from vision.training.labels import WITH_GAME, labelled_table, load_labels


def picture_of(path: Path | str) -> NDArray[Any]:
    """A picture file, BGR."""
    image = cv2.imread(str(path))
    if image is None:
        raise SystemExit(f"{path} cannot be read")
    return image


SUPPORT = {"flat": FIELD, "on_checker": ON_CHECKER, "on_bar": RAISED}


@dataclass
class Marked:
    """A picture file with marks [kind, x, y, edge px], its labelled dice and cube and, where known, its table."""

    path: Path
    name: str
    marks: list[tuple[int, float, float, float]]
    dice: list[dict[str, Any]]
    cube: dict[str, Any] | None
    table: Table | None


def training_folders(data: Path) -> list[Path]:
    """The labelled set-ups under ``data`` that may be trained on."""
    found = sorted(p.parent for p in data.glob("photoreal/*/labels.json") if p.parent.name not in WITH_GAME)
    return [*found, data / "demo-game"]


def boards(folders: list[Path]) -> Iterator[Marked]:
    for folder in folders:
        labels = load_labels(folder)
        table = labelled_table(labels)
        for frame in labels["frames"]:
            marks = []
            for d in frame["dice"]:
                look = look_at(table, (d["centre_px"][0], d["centre_px"][1]), table.measures.die, table.measures.die)
                if d.get("visible", 1.0) > 0.35:
                    marks.append((A_DIE, *d["centre_px"], look.edge))
            cube = frame.get("cube")
            if cube and cube.get("visible", 1.0) > 0.35:
                size = labels["board"]["cube_mm"] / 10
                marks.append((A_CUBE, *cube["centre_px"], look_at(table, tuple(cube["centre_px"]), size, size).edge))
                cube = {**cube, "size_cm": size}
                if frame.get("occluded"):
                    cube.setdefault("visible", 0.5)  # a hand may be over it
            yield Marked(folder / frame["image"], folder.name, marks, frame["dice"], cube, table)


def photos(labels: Path, places: Path) -> Iterator[Marked]:
    """The photographs to train on; ``places`` (of `dice.mine`) tells where the dice lie in those that give only values."""
    placed = json.loads(places.read_text(encoding="utf-8")) if places.exists() else {}
    for line in labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["part"] != "tune":
            continue
        path = labels.parent / row["image"]
        if any(d["bbox"] is None for d in row["dice"]):
            if row["image"] in placed:
                here = placed[row["image"]]
                found = [{"value": int(v), "centre_px": [x, y]} for x, y, _, v in here]
                yield Marked(path, row["source"], [(A_DIE, x, y, e) for x, y, e, _ in here], found, None, None)
            continue
        marks, dice = [], []
        for d in row["dice"]:
            x, y, w, h = d["bbox"]
            edge = max(w, h) * 1.55 if row["bbox_kind"] != "die" and d["value"] > 3 else max(w, h) / 1.22
            if row["bbox_kind"] != "die" and d["value"] <= 3:
                edge = 0.0  # two pips say little of the die's size: filled in from its neighbours
            marks.append((A_DIE, x + w / 2, y + h / 2, edge))
            dice.append({"value": d["value"], "centre_px": [x + w / 2, y + h / 2]})
        known = [m[3] for m in marks if m[3]]
        typical = float(np.median(known)) if known else 66.0
        marks = [(k, x, y, e or typical) for k, x, y, e in marks]
        yield Marked(path, row["source"], marks, dice, None, None)


def upright(image: NDArray[Any], look: Look, edge: float = EDGE) -> NDArray[Any]:
    """The crop round ``look``: `CROP` px wide, softened first where the picture is finer."""
    return look.crop(image, CROP, edge)


def level_of(look: Look) -> NDArray[np.float64]:
    """(2, 2): what makes the crop that `upright` cuts level; 0 where that is not known."""
    return np.zeros((2, 2)) if look.level is None else look.upright(True) @ np.linalg.inv(look.upright(False))


def in_crop(look: Look, quad: Any) -> NDArray[np.float64]:
    """Where the points of ``quad`` (n, 2) px of the picture lie in the crop that `upright` cuts."""
    away = (np.array(quad, np.float64) - look.centre) @ look.upright(False).T
    return np.asarray(away * EDGE / look.edge + CROP / 2, np.float64)


def crops(pictures: list[Marked]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Dice crops with labels, cube crops with labels. Unknown things are -1."""
    out: list[tuple[NDArray[Any], Any]] = []
    cubes: list[tuple[NDArray[Any], Any]] = []
    for picture in pictures:
        image = picture_of(picture.path)
        for d, mark in zip(picture.dice, [m for m in picture.marks if m[0] == A_DIE], strict=False):
            row = np.zeros((), LABEL)
            row["kind"], row["value"], row["tilt"], row["support"], row["elevation"], row["touch"] = A_DIE, d["value"], -1, -1, -1, -1
            row["quad"] = CROP / 2
            if picture.table is None:
                look = Look((mark[1], mark[2]), mark[3], 0.0, None)
            else:
                if d.get("visible", 1.0) < 0.6:
                    continue
                look = look_at(picture.table, tuple(d["centre_px"]), picture.table.measures.die, picture.table.measures.die)
                row["tilt"], row["elevation"] = d["tilt_deg"], look.elevation
                row["support"] = SUPPORT.get(d["state"], -1)
                row["quad"], row["level"] = in_crop(look, d["top_quad_px"]), level_of(look)
            out.append((upright(image, look), row))
        if picture.table is not None and picture.cube and picture.cube.get("visible", 1.0) > 0.6:
            row = np.zeros((), LABEL)
            c = picture.cube
            shown = c.get("shown") or (64 if c["value"] == 1 else c["value"])
            row["kind"], row["value"], row["support"], row["touch"], row["quad"] = A_CUBE, shown, -1, -1, CROP / 2
            look = look_at(picture.table, tuple(c["centre_px"]), c["size_cm"], c["size_cm"])
            row["elevation"] = look.elevation
            cubes.append((upright(image, look, CUBE_EDGE), row))
            die = look_at(picture.table, tuple(c["centre_px"]), c["size_cm"], picture.table.measures.die)
            row["level"] = level_of(die)
            out.append((upright(image, die), row.copy()))
    return (*_stack(out), *_stack(cubes))


def _cube_edge(cube: dict[str, Any]) -> float:
    """px, of a labelled cube's upper face, which may be seen aslant."""
    q = np.array(cube["top_quad_px"])
    return float(max(np.linalg.norm(q[2] - q[0]), np.linalg.norm(q[3] - q[1]))) / 1.42


def rendered(folders: list[Path]) -> list[tuple[NDArray[Any], Any, NDArray[Any] | None]]:
    """The renderer's crops (96 px, any die size): (die-sized crop, label, cube-sized crop or None) each, upright."""
    out: list[tuple[NDArray[Any], Any, NDArray[Any] | None]] = []
    for folder in folders:
        labels = json.loads((folder / "labels.json").read_text())
        turn, away, die = np.array(labels["camera"]["R"]), np.array(labels["camera"]["t_cm"]), labels["die_mm"] / 10
        for crop in labels["crops"]:
            image = picture_of(folder / crop["image"])
            dice = [d for d in crop["dice"] if d["visible"] > 0.6][:1]
            if crop["dice"] and not dice:
                continue
            row = np.zeros((), LABEL)
            row["tilt"], row["support"], row["touch"], row["quad"] = -1, -1, -1, CROP / 2
            cube = crop["cube"] if crop["kind"] == "cube" else None
            if dice and cube is None:
                d = dice[0]
                centre, size = d["centre_px"], d["size_px"]
                row["kind"], row["value"], row["tilt"] = A_DIE, d["value"], d["tilt_deg"]
                row["support"], row["touch"] = SUPPORT.get(d["state"], -1), "checker" in d["touches"]
            elif cube is not None:
                if cube["visible"] < 0.6:
                    continue
                centre, size = cube["centre_px"], _cube_edge(cube)
                row["kind"], row["value"] = A_CUBE, cube["shown"]
            else:
                centre, size = [48.0, 48.0], 20.0
                row["kind"] = NOTHING
            camera = Camera(np.array(crop["K"], float), np.zeros(5), turn, away, (96, 96))
            look = replace(look_from(camera, (centre[0], centre[1]), die, die), edge=size)
            row["elevation"], row["level"] = look.elevation, level_of(look)
            if cube is not None:
                out.append((upright(image, replace(look, edge=size / 1.95)), row, upright(image, look, CUBE_EDGE)))
            else:
                if row["kind"] == A_DIE:
                    row["quad"] = in_crop(look, dice[0]["top_quad_px"])
                out.append((upright(image, look), row, None))
    return out


def marked_crops(folders: list[Path]) -> Iterator[tuple[NDArray[Any], list[tuple[int, float, float, float]]]]:
    """The renderer's crops (96 px) as they are, with marks; without those in which a die or cube is half hidden."""
    for folder in folders:
        for crop in json.loads((folder / "labels.json").read_text())["crops"]:
            marks, cube = [(A_DIE, *d["centre_px"], d["size_px"]) for d in crop["dice"]], crop["cube"]
            if cube is not None:
                marks.append((A_CUBE, *cube["centre_px"], _cube_edge(cube)))
            if all(thing["visible"] > 0.6 for thing in (*crop["dice"], *([cube] if cube is not None else []))):
                yield picture_of(folder / crop["image"]), marks


def nothing_crops(pictures: list[Marked], rng: np.random.Generator, each: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Crops of places where no die is, half of them at strong corners."""
    out = []
    for picture in pictures:
        image = picture_of(picture.path)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        edge = float(np.median([m[3] for m in picture.marks if m[0] == A_DIE] or [20.0]))
        corners = cv2.goodFeaturesToTrack(grey, 200, 0.02, edge)
        spots = [tuple(map(float, c.ravel())) for c in (corners if corners is not None else [])]
        for k in range(each):
            if spots and k % 2:
                x, y = spots[int(rng.integers(len(spots)))]
            else:
                x, y = rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0])
            if any(m[0] == A_DIE and math.hypot(m[1] - x, m[2] - y) < 0.9 * m[3] for m in picture.marks):
                continue
            if any(math.hypot(d["centre_px"][0] - x, d["centre_px"][1] - y) < edge for d in picture.dice):
                continue
            row = np.zeros((), LABEL)
            row["kind"], row["tilt"], row["support"], row["touch"], row["quad"], row["elevation"] = NOTHING, -1, -1, -1, CROP / 2, -1
            look = Look((x, y), edge, 0.0, None)
            if picture.table is not None:
                look = look_at(picture.table, (x, y), picture.table.measures.die, picture.table.measures.die)
                row["elevation"], row["level"] = look.elevation, level_of(look)
            out.append((upright(image, look), row))
    return _stack(out)


def _stack(rows: list[tuple[NDArray[Any], Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    images = np.array([r[0] for r in rows], np.uint8).reshape(-1, CROP, CROP, 3)
    return images, np.array([r[1] for r in rows], LABEL)
