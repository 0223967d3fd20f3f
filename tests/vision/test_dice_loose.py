"""Dice read without a board: `referee read --dice` on a picture of dice of any size, seen from above."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dice.crops import Look
from vision.dice.loose import read_loose
from vision.dice.net import read_dice
from vision.dice.views import with_hues
from vision.pictures import Image, load_picture

BOARDS = Path(__file__).parent.parent / "data" / "boards"
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
COLOURS = {
    "white": ((235, 238, 240), (25, 25, 25)),
    "black": ((35, 32, 30), (235, 235, 235)),
    "red": ((40, 40, 180), (240, 240, 240)),
    "red on black": ((30, 28, 28), (45, 45, 190)),
    "blue": ((150, 70, 30), (60, 60, 200)),
}
FINE = 4  # times as fine as the picture, for smooth edges


Colour = tuple[int, int, int]  # B, G, R


def _draw(big: Image, value: int, body: Colour, pip: Colour, middle: np.ndarray, turn: float, half: float) -> None:
    """One die's top face with rounded corners, and its shadow, into a fine picture (float)."""
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])

    def at(x: float, y: float) -> tuple[int, int]:
        px = middle + spin @ np.array([x, y]) * half
        return round(float(px[0])), round(float(px[1]))

    def box(a: float, b: float) -> np.ndarray:
        return np.array([at(x, y) for x, y in ((-a, -b), (a, -b), (a, b), (-a, b))])

    left, top, right, bottom = (max(0, round(float(v))) for v in (*(middle - 3 * half), *(middle + 3 * half)))
    ground = big[top:bottom, left:right]  # beyond it there is no shadow
    shadow = np.zeros(ground.shape[:2], np.float32)
    cv2.fillConvexPoly(shadow, box(1, 1) + round(half / 5) - (left, top), 0.5)
    ground *= 1 - cv2.GaussianBlur(shadow, (0, 0), half / 5)[..., None]
    for x, y in itertools.product((-0.75, 0.75), repeat=2):
        cv2.circle(big, at(x, y), round(0.25 * half), body, -1)
    cv2.fillConvexPoly(big, box(1, 0.75), body)
    cv2.fillConvexPoly(big, box(0.75, 1), body)
    for x, y in PIPS[value]:
        cv2.circle(big, at(0.5 * x, 0.5 * y), round(0.17 * half), pip, -1)


def _mirror(big: Image, middle: np.ndarray, half: float, rng: np.random.Generator, grey: int) -> None:
    """Part of a ring lamp, mirrored in a die's top face."""
    turn, wide, long = rng.uniform(0, 360), rng.uniform(0.35, 0.6), rng.uniform(80, 160)
    axes = round(half * wide), round(half * wide * rng.uniform(0.6, 1))
    centre = round(float(middle[0])), round(float(middle[1]))
    cv2.ellipse(big, centre, axes, turn, 0, long, (grey, grey, grey), round(0.07 * half))


def _dice(body: Colour, pip: Colour, edge: float, seed: int, lamp: int = 0) -> tuple[Image, list[tuple[int, float, float]]]:
    """The six faces at random turns on grey paper, each with its value and centre (px); ``lamp`` is the grey level of one in each."""
    rng = np.random.default_rng(seed)
    w, h = round(12 * edge), round(8 * edge)
    big = np.full((h * FINE, w * FINE, 3), 165.0, np.float32)
    placed = []
    for value in range(1, 7):
        centre = np.array([(1 + (value - 1) % 3) * w / 4, (1 + (value - 1) // 3) * h / 3]) + rng.uniform(-edge / 3, edge / 3, 2)
        _draw(big, value, body, pip, FINE * centre, rng.uniform(0, math.pi), FINE * edge / 2)
        if lamp:
            _mirror(big, FINE * centre, FINE * edge / 2, rng, lamp)
        placed.append((value, float(centre[0]), float(centre[1])))
    image = cv2.resize(big, (w, h), interpolation=cv2.INTER_AREA) + rng.normal(0, 3, (h, w, 1))
    return np.clip(image, 0, 255).astype(np.uint8), placed


@pytest.mark.parametrize("edge", [26.0, 60.0])
@pytest.mark.parametrize("colours", COLOURS)
def test_dice_of_any_size_and_colour_are_read(colours: str, edge: float) -> None:
    image, placed = _dice(*COLOURS[colours], edge, len(colours))
    seen, doubts = read_loose(image)
    assert len(seen) <= len(placed)
    assert [die.centre[1] for die in seen] == sorted(die.centre[1] for die in seen)
    unsure = {doubt.centre for doubt in doubts}
    right = 0
    for value, x, y in placed:
        for die in seen:
            if math.dist(die.centre, (x, y)) < edge / 3:
                right += die.value == value
                assert die.value == value or die.centre in unsure
    assert right >= 5


@pytest.mark.parametrize(("colours", "edge"), [(((120, 75, 45), (70, 62, 125)), 40.0), (((60, 58, 58), (50, 48, 140)), 60.0)])
def test_red_pips_on_a_dark_die_that_mirrors_a_lamp_are_read_by_their_hue(colours: tuple[Colour, Colour], edge: float) -> None:
    plain = 0
    for seed in range(4):
        image, placed = _dice(*colours, edge, seed, lamp=170)
        seen, doubts = read_loose(image)
        unsure = {doubt.centre for doubt in doubts}
        sure = [die for die in seen if die.centre not in unsure]
        plain += sum(any(die.value == value and math.dist(die.centre, (x, y)) < edge / 3 for die in sure) for value, x, y in placed)
    assert plain >= 19  # of 24


def test_a_grey_picture_has_no_hues_to_tell_a_value_by() -> None:
    for seed in range(4):
        image, placed = _dice((90, 88, 86), (60, 60, 118), 40.0, seed)
        grey = np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
        looks = [Look((x, y), 40.0, 0.0, None) for _, x, y in placed]
        plain = read_dice(grey, looks, close=True)
        hues = read_dice(grey, looks, close=True, hues=True)
        assert all(with_hues(view, [view], [hue]) == view for view, hue in zip(plain, hues, strict=True))
        coloured = read_dice(image, looks, close=True, hues=True)
        assert [int(np.argmax(view.values)) + 1 for view in coloured] == [value for value, _, _ in placed]


def test_few_things_on_boards_are_taken_for_dice() -> None:
    false = pictures = 0
    for labels in sorted(BOARDS.glob("*/labels.json")):
        for frame in json.loads(labels.read_text())["frames"][::2]:
            seen, _ = read_loose(load_picture(labels.parent / frame["image"]))
            dice = [die["centre_px"] for die in frame["dice"]]
            false += sum(all(math.dist(die.centre, d) > 20 for d in dice) for die in seen)
            pictures += 1
    assert pictures >= 8
    assert false <= pictures / 2  # of the two checkers' sides, the cube and what is inlaid


def test_a_wide_picture_squeezed_into_a_square_is_read_as_it_was() -> None:
    """As collections of photographs keep them; what was cut out square is read as it is."""
    (left, first), (right, second) = (_dice(*COLOURS["blue"], 40.0, seed) for seed in (1, 2))
    wide, across = np.concatenate([left, right], 1), left.shape[1]
    below = round(wide.shape[1] / 2.2) - len(wide)
    wide = np.concatenate([wide, np.full((below, wide.shape[1], 3), 165, np.uint8)])
    squeezed = cv2.resize(wide, (len(wide), len(wide)), interpolation=cv2.INTER_AREA)
    placed = [*first, *((value, x + across, y) for value, x, y in second)]
    seen, doubts = read_loose(squeezed)
    assert len(seen) == len(placed)
    assert {doubt.centre for doubt in doubts} <= {die.centre for die in seen}
    for value, x, y in placed:
        assert any(die.value == value and math.dist(die.centre, (x / 2.2, y)) < 12 for die in seen)
    cut_out = left[:, : len(left)]
    whole = [value for value, x, _ in first if x < len(left) - 30]
    assert sorted(die.value or 0 for die in read_loose(cut_out)[0] if die.centre[0] < len(left) - 30) == sorted(whole)
