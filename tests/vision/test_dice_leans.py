"""Leaning dice are told from flat ones that touch something too, on boards no training was shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.dice.crops import Look, look_from
from vision.dice.lean import by_both
from vision.dice.net import read_leans
from vision.pictures import load_picture
from vision.table import Camera

LEANING = Path(__file__).parent.parent / "data" / "leaning"


def _look(row: dict[str, Any]) -> Look:
    camera = Camera(np.array(row["K"]), np.zeros(5), np.array(row["R"]), np.array(row["t_cm"]), (96, 96))
    x, y = row["centre_px"]
    return replace(look_from(camera, (x, y), row["die_mm"] / 10, row["die_mm"] / 10), edge=row["size_px"])


def test_dice_that_lean_look_likelier_to_than_flat_ones() -> None:
    rows = json.loads((LEANING / "labels.json").read_text())
    said = [read_leans(load_picture(LEANING / row["image"]), _look(row)) for row in rows]
    flat, leaning = (np.array([p for p, row in zip(said, rows, strict=True) if (row["tilt_deg"] > 0) == leans]) for leans in (False, True))
    assert len(flat) == len(leaning) == 30
    assert (leaning[:, None] > flat[None]).mean() > 0.98  # of all pairs: the area under the curve
    assert (leaning > np.quantile(flat, 0.9)).mean() >= 0.9


@pytest.mark.parametrize("seen", [0.02, 0.5, 0.98])
def test_what_both_say_is_between_them_and_agreement_is_surer(seen: float) -> None:
    assert by_both(seen, 0.1) < by_both(seen, 0.5) < by_both(seen, 0.9)
    assert by_both(0.1, seen) < by_both(0.5, seen) < by_both(0.9, seen)
