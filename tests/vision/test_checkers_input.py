"""What the checkers' nets are shown in a mirror, or with the players exchanged, is what such a board would show."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board.position import START
from vision.checkers.colours import Palette, likeness_table
from vision.checkers.input import (
    BAR_COUNTS,
    CHANNELS,
    COUNTS,
    MAPS,
    OUTPUTS,
    column_maps,
    exchanged,
    exchanged_back,
    known_columns,
    mirrored,
    net_input,
)
from vision.checkers.strips import BAR, WIDE

CELLS = 2
SIZE = (WIDE.length, WIDE.width)


def pieces(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, Palette, np.ndarray, np.ndarray]:
    """Strips, what of them is inside, their drift, a palette, the known strips and what stood on them."""
    rng = np.random.default_rng(seed)
    size = (CELLS, WIDE.length, WIDE.width)
    strips, start = rng.integers(0, 256, (2, *size, 3), dtype=np.uint8)
    samples = [np.column_stack([rng.uniform(0, 255, (3, 3)), rng.uniform(1, 900, 3)]).astype(np.float32) for _ in range(3)]
    drift = rng.uniform(-0.5, 0.5, (CELLS, 3, 2)).astype(np.float32)
    return strips, rng.random(size) < 0.9, drift, Palette(*samples), start, rng.choice([0, 128, 255], size).astype(np.uint8)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_exchanged_players_are_the_same_strips_with_the_others_colours(seed: int, known: bool) -> None:
    strips, inside, drift, palette, start, stood = pieces(seed)
    seen = (start, stood) if known else (None, None)
    columns = np.random.default_rng(seed).integers(-1, CELLS, (CELLS, 2))
    maps = np.concatenate([net_input(strips, inside, drift, likeness_table(palette), *seen), column_maps(seen[0], columns, SIZE)], 1)
    swapped = Palette(palette.far, palette.near, palette.ground)
    wanted = (start, np.where(stood == 128, 128, 255 - stood).astype(np.uint8)) if known else (None, None)
    there = np.concatenate(
        [net_input(strips, inside, drift, likeness_table(swapped), *wanted), column_maps(wanted[0], columns[:, ::-1], SIZE)], 1
    )
    assert np.abs(exchanged(maps).astype(int) - there).max() <= 1  # rounded the other way
    assert (exchanged(exchanged(maps)) == maps).all()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_mirror_turns_the_strips_and_their_parallax(seed: int) -> None:
    strips, inside, drift, palette, start, stood = pieces(seed)
    lookup = likeness_table(palette)
    columns = np.random.default_rng(seed).integers(-1, CELLS, (CELLS, 2))
    maps = np.concatenate([net_input(strips, inside, drift, lookup, start, stood), column_maps(start, columns, SIZE)], 1)
    first, end, side = (drift[:, k] * (1, -1) for k in range(3))
    turned = np.stack([side, end + side - first, first], 1).astype(np.float32)  # the corners change places
    flipped = [np.ascontiguousarray(a[:, :, ::-1]) for a in (strips, inside, start, stood)]
    there = np.concatenate(
        [net_input(flipped[0], flipped[1], turned, lookup, flipped[2], flipped[3]), column_maps(flipped[2], columns, SIZE)], 1
    )
    assert np.abs(mirrored(maps).astype(int) - there).max() <= 1
    assert (mirrored(mirrored(maps)) == maps).all()


def test_a_strip_is_compared_with_the_full_columns_on_its_side() -> None:
    columns = known_columns(START.points) + 1
    assert columns[:12].tolist() == [[6, 12]] * 12
    assert columns[12:BAR].tolist() == [[13, 19]] * 12
    assert columns[BAR].tolist() == [6, 12]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-15, 15), min_size=24, max_size=24))
def test_known_columns_stand_in_one_layer_and_are_that_players(points: list[int]) -> None:
    columns = known_columns(tuple(points))
    for k, sign in enumerate((1, -1)):
        low = [sign * n for n in points if 0 < sign * n <= 5]
        if not low:
            assert (columns[:, k] == -1).all()
        else:
            assert all(sign * points[q] == max(low) for q in columns[:, k])


def test_strips_without_known_columns_have_black_ones() -> None:
    rng = np.random.default_rng(1)
    start = rng.integers(1, 256, (CELLS, *SIZE, 3), dtype=np.uint8)
    maps = column_maps(start, np.array([[1, -1], [-1, 0]]), SIZE)
    assert maps.shape == (2, MAPS - CHANNELS, *SIZE)
    assert (maps[0, :3].transpose(1, 2, 0) == start[1]).all() and not maps[0, 3:].any()
    assert (maps[1, 3:].transpose(1, 2, 0) == start[0]).all() and not maps[1, :3].any()


def test_answers_to_exchanged_players_are_turned_back() -> None:
    answers = np.zeros((1, OUTPUTS))
    answers[0, 15 - 4] = 1  # four of far's
    answers[0, COUNTS] = 2  # hidden
    answers[0, COUNTS + 1 + 3] = 3  # three of near's on the bar
    answers[0, COUNTS + 1 + BAR_COUNTS + 1] = 4  # one of far's
    back = exchanged_back(answers)
    assert back[0, 15 + 4] == 1 and back[0, COUNTS] == 2
    assert back[0, COUNTS + 1 + 1] == 4 and back[0, COUNTS + 1 + BAR_COUNTS + 3] == 3
    assert np.count_nonzero(back) == 4
    assert (exchanged_back(back) == answers).all()
