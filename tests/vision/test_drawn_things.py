"""What is drawn to train on must be possible: nothing lies inside anything else, and the labels list what is there."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.table import Measures
from vision.training.checkers.things import Ground, lay_beside

BOARD = Measures((52.0, 44.0), 4.0, 3.8, 0.0, 17.0, 1.5, 1.5, 3.6, 0.9, 1.4)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 5.0]), st.sampled_from([-1.0, 1.0]))
def test_borne_off_checkers_are_drawn_as_labelled_and_apart(seed: int, tray: float, way: float) -> None:
    beside, lying = lay_beside(np.random.default_rng(seed), Ground(BOARD, way, tray, 2.0, -1.5))
    seats = [mat for mat in (*beside.cylinder_mats, *beside.box_mats) if mat < 2]
    assert seats.count(0) == sum(c[3] == "near" for c in lying) <= 15
    assert seats.count(1) == sum(c[3] == "far" for c in lying) <= 15
    assert all(way * c[0] > BOARD.inner[0] / 2 for c in lying)
    solid = np.array([c for c, mat in zip(beside.cylinders, beside.cylinder_mats, strict=True) if mat < 2]).reshape(-1, 5)
    for k, (x, y, bottom, top, radius) in enumerate(solid):
        others = np.delete(solid, k, 0)
        beneath = (others[:, 2] < top - 0.01) & (others[:, 3] > bottom + 0.01)
        away = np.hypot(others[beneath, 0] - x, others[beneath, 1] - y)
        assert away.min(initial=np.inf) > 2 * radius * 0.9
