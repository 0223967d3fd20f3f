"""Set-up tells how far behind the points the rails stand, and how sure it is of that."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from vision.finder import find_table
from vision.finder.rails import PLACES, place, places, span
from vision.pictures import load_picture
from vision.table import WIDEST_BORDER, Table
from vision.training.labels import true_rails, true_table

BOARDS = Path(__file__).parent.parent / "data" / "boards"
BORDERED, PLAIN = ("test-000129", "train-001001", "train-001002"), ("test-022012", "test-023021", "train-002000")


@cache
def _found(name: str) -> Table:
    return find_table(load_picture(BOARDS / name / "f00.jpg"))


@pytest.mark.parametrize("name", BORDERED + PLAIN)
def test_set_up_tells_between_what_the_rails_stand(name: str) -> None:
    found = _found(name).measures
    nearest, furthest = found.rails
    stands = true_rails(_found(name), true_table(BOARDS / name))
    assert nearest - 0.3 < stands < furthest + 0.3
    assert furthest - nearest < WIDEST_BORDER / 2, "more is known than without looking"


def test_what_strips_say_of_a_rail_is_weighed_together_and_kept_as_wide_as_it_is_unsure() -> None:
    def says(rail: float, how: float) -> np.ndarray:
        return how * -(((np.arange(PLACES) - place(rail)) / 2) ** 2)

    low, high = span(np.array([says(0.7, 1.0)] * 4))
    assert low < 0.7 < high < low + 1.2
    vague = span(np.array([says(0.7, 0.2)] * 4))
    assert vague[0] < low and high < vague[1], "who is less sure says more places"
    torn = span(np.array([says(0.1, 1.0)] * 2 + [says(1.5, 1.0)] * 2))
    assert torn[0] < 0.2 and torn[1] > 1.4, "where two halves disagree, both may be right"
    nothing = span(np.zeros((4, PLACES)))
    assert nothing[1] - nothing[0] > 0.8 * (places()[-1] - places()[0])
