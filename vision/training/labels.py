"""The true `Table` of a labelled set-up, for training and measuring the readers."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.board.position import START, Position
from referee.observations import Half
from vision.colours import checker_colours
from vision.pictures import load_picture
from vision.table import Camera, Measures, Table

HELD_OUT = ("dev03", "dev06", "dev09", "dev12", "hd03", "hd06")  # two styles, blue felt and grey vinyl: never trained on
WITH_GAME = (*HELD_OUT, "photoreal-game")  # a game that the checkers' nets alone are shown
SPARE = 7  # one drawn or rendered set-up in so many is never trained on, for calibrating


def is_spare(setup: Path) -> bool:
    """Whether a drawn or rendered set-up is kept for calibrating; told by its name alone."""
    return setup.name.startswith(("s", "train-")) and zlib.crc32(setup.name.encode()) % SPARE == 0


def rendered_set_ups(folder: Path) -> list[Path]:
    """The finished rendered set-ups in ``folder`` that may be trained on."""
    return sorted(p.parent for p in folder.glob("train-*/labels.json") if not is_spare(p.parent))


def load_labels(folder: Path | str) -> dict[str, Any]:
    """The labels.json of a set-up's ``folder``."""
    value: dict[str, Any] = json.loads((Path(folder) / "labels.json").read_text(encoding="utf-8"))
    return value


def start_of(labels: dict[str, Any]) -> dict[str, Any]:
    """The frame of the starting position, by which the board is found and measured."""
    frame: dict[str, Any] = next(f for f in labels["frames"] if f["role"] == "calibration")
    return frame


def labelled_table(labels: dict[str, Any]) -> Table:
    """The table as labelled; its colours are left black."""
    c, b = labels["camera"], labels["board"]
    camera = Camera(
        matrix=np.array(c["K"], np.float64), dist=np.array(c["dist"], np.float64),
        rotation=np.array(c["R"], np.float64), translation=np.array(c["t_cm"], np.float64), size=(int(c["size"][0]), int(c["size"][1])),
    )
    border = b.get("border_cm", 0.0)
    measures = Measures(
        inner=(b["inner_cm"][0], b["inner_cm"][1]), bar=b["bar_cm"], pitch=b["point_cm"], border=border, point_length=b["point_len_cm"],
        rail_height=b["rail_h_cm"], bar_height=b["bar_h_cm"],
        checker=b["checker_mm"] / 10, checker_height=b["checker_thick_mm"] / 10, die=b["die_mm"] / 10, rails=(border, border),
    )
    return Table(camera, measures, Half(b["home"]), (0, 0, 0), (0, 0, 0))


def true_table(folder: Path | str, labels: dict[str, Any] | None = None) -> Table:
    """The same of a set-up's ``folder``, its colours measured in the calibration picture."""
    labels = labels or load_labels(folder)
    table, start = labelled_table(labels), start_of(labels)
    near, far = checker_colours(load_picture(Path(folder) / start["image"]), table, true_position(start))
    return replace(table, near_rgb=near, far_rgb=far)


def true_rails(found: Table, true: Table) -> float:
    """How far (cm) behind the bases of the ``found`` table the rails of the ``true`` one's long sides are seen."""
    w, h = true.measures.inner[0] / 2, true.measures.inner[1] / 2
    feet = np.array([(x, y, 0.0) for x in np.linspace(-0.9 * w, 0.9 * w, 9) for y in (-h, h)])
    seen = found.camera.on_plane(true.camera.project(feet), 0.0)
    return float(np.abs(seen[:, 1]).mean()) - found.measures.base


def true_position(frame: dict[str, Any]) -> Position:
    """The labelled position of one frame."""
    p = frame["position"]
    if p["points"] == list(START.points):
        return START
    return Position(tuple(p["points"]), tuple(p["bar"]), tuple(p["off"]))


def set_ups(folders: Iterable[Path | str]) -> list[Path]:
    """The labelled set-ups among and inside ``folders``, at any depth and behind links, by name."""
    return sorted(Path(here) for folder in folders for here, _, files in os.walk(folder, followlinks=True) if "labels.json" in files)
