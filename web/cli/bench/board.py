"""How exactly the board is found in labelled set-ups."""

from __future__ import annotations

import json
import time
from typing import Any

import click
import numpy as np

from web.cli._given import labelled, set_up_of, set_ups_of


def run(json_out: bool, folders: tuple[str, ...] = ()) -> int:
    """One row a set-up of ``folders``: error of the checkers' places (in checkers) and of the corners (% of the board's width)."""
    from vision.finder import BoardNotFound, find_table
    from vision.training.labels import true_table

    rows, bad = [], 0
    for folder in set_ups_of(folders):
        labels, image = set_up_of(folder)
        with labelled(folder, "its labels.json does not say where camera and board are, and what stands on it"):
            truth = true_table(folder, labels)
        began = time.perf_counter()
        try:
            found = find_table(image)
        except BoardNotFound as error:
            rows.append({"set-up": folder.name, "found": False, "why": str(error)})
            bad += 1
            continue
        took = time.perf_counter() - began
        mean, worst, corner = _errors(truth, found)
        ok = found.home == truth.home and worst < 0.25 and corner < 1.5
        bad += not ok
        focal = float(found.camera.matrix[0, 0] / truth.camera.matrix[0, 0])
        rows.append({
            "set-up": folder.name, "found": True, "ok": ok, "home": found.home == truth.home, "mean": round(mean, 3),
            "worst": round(worst, 3), "corner": round(corner, 2), "focal": round(focal, 3), "seconds": round(took, 2),
        })
    for row in rows:
        click.echo(json.dumps(row) if json_out else "  ".join(f"{k} {v}" for k, v in row.items()))
    if not json_out:
        click.echo(f"{len(rows) - bad} of {len(rows)} set-ups found within 0.25 checkers at every place and 1.5 % at every corner")
    return 1 if bad else 0


def _errors(truth: Any, found: Any) -> tuple[float, float, float]:
    """(mean, worst) distance in checkers of 24 x 5 places in the picture, the worst corner in % of the board's width in the picture."""
    places = [(p, i) for p in range(1, 25) for i in range(5)]
    a = truth.camera.project(np.array([truth.checker_centre(p, i) for p, i in places]))
    b = found.camera.project(np.array([found.checker_centre(p, i) for p, i in places]))
    sides = np.array([np.add(truth.checker_centre(p, i), (dx, 0, 0)) for p, i in places for dx in (-2, 2)])
    ring = truth.camera.project(sides).reshape(-1, 2, 2)
    across = np.linalg.norm(ring[:, 0] - ring[:, 1], axis=1) * truth.measures.checker / 4
    off = np.linalg.norm(a - b, axis=1) / across
    corners = truth.corners(), found.corners()
    wide = np.linalg.norm(corners[0][3] - corners[0][2])
    return float(off.mean()), float(off.max()), float(100 * np.linalg.norm(corners[0] - corners[1], axis=1).max() / wide)
