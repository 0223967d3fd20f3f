"""Measures the readers on real boards in the middle of a game: photographs of the starting position, whose checkers are moved about.

    python -m vision.training.recompose PHOTO.jpg... [--count 100] [--seed 7] [--dice PHOTOS/labels.jsonl]

Every checker of the new picture is one of the photograph's, from the same side of the board; what stood on a point is covered with another
point of its colour. With ``--dice`` two real dice, of the photographs' `keep` part, are laid on one half besides. Boards and dice
are real, their light is as far as a checker's stays with it; stacks are checkers laid on checkers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.plays import BAR
from referee.board.position import START, Position
from referee.observations import About, DieState, Reading
from vision.boardfile import SetUpLook
from vision.dice.crops import Look, look_at
from vision.finder import find_table
from vision.reader import Reader
from vision.table import Table
from vision.training.dice.lift import Lifted, lay, lifted
from vision.training.dice.pictures import picture_of
from vision.training.render.game import played

Rng = np.random.Generator
HEIGHT = 1440  # px that a smaller photograph is made high
ROW = 5  # checkers in a layer
ROUND = 1.3  # radii about a checker that are covered with another point: it has a side and a shadow
EVEN = 0.5  # of the usual brightness that every part of a checker must have: one in a shadow's edge looks odd elsewhere
CLEAR = 3.6, 2.5  # cm between a die and checkers, and the other die


@dataclass(frozen=True, eq=False)
class Board:
    """A photograph (BGR) of the starting position, its table, its evenly lit checkers (whose, on near's side, x, y, radius px), how much
    larger they are than the table says, and the picture without any."""

    image: NDArray[np.uint8]
    table: Table
    checkers: tuple[tuple[int, bool, float, float, float], ...]
    larger: float
    bare: NDArray[np.uint8]


def radius_at(table: Table, at: NDArray[Any]) -> float:
    """px, of a checker whose top's middle is ``at`` (3,) cm."""
    px = table.camera.project(np.array([at, at + (table.measures.checker / 2, 0, 0)]))
    return float(np.hypot(*(px[1] - px[0])))


def circles(image: NDArray[np.uint8], table: Table) -> list[tuple[int, bool, float, float, float]]:
    """Where the rims of the starting position's checkers really are: the circle near each with the steepest rim."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    dx, dy = (cv2.GaussianBlur(cv2.Sobel(grey, cv2.CV_32F, *way), (0, 0), 2) for way in ((1, 0), (0, 1)))
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    found = []
    for point, count in enumerate(START.points, 1):
        for index in range(abs(count)):
            at = np.array(table.checker_centre(point, index))
            px, usual = table.camera.project(at), radius_at(table, at)
            reach = usual * 0.65  # some stand well beside their places
            best = (-1.0, 0.0, 0.0, 0.0)
            for r in np.arange(0.9 * usual, 1.12 * usual):
                for u in np.arange(-reach, reach + 1, 2):
                    for v in np.arange(-reach, reach + 1, 2):
                        x = np.clip(px[0] + u + r * np.cos(turn), 0, grey.shape[1] - 1).astype(int)
                        y = np.clip(px[1] + v + r * np.sin(turn), 0, grey.shape[0] - 1).astype(int)
                        steep = np.abs((dx[y, x] * np.cos(turn) + dy[y, x] * np.sin(turn)).clip(-60, 60)).mean()
                        best = max(best, (float(steep) - 0.15 * float(np.hypot(u, v)), px[0] + u, px[1] + v, float(r)))
            found.append((1 if count > 0 else -1, point <= 12, *best[1:]))
    return found


def evenly_lit(grey: NDArray[Any], x: float, y: float, r: float) -> bool:
    """Whether no part of a checker lies in a shadow, by the softened picture in ``grey``."""
    turn = np.arange(0, 6.28, 0.52)
    u = np.clip(x + 0.7 * r * np.cos(turn), 0, grey.shape[1] - 1).astype(int)
    v = np.clip(y + 0.7 * r * np.sin(turn), 0, grey.shape[0] - 1).astype(int)
    return bool(grey[v, u].min() > EVEN * np.median(grey[v, u]))


def emptied(image: NDArray[np.uint8], table: Table, found: list[tuple[int, bool, float, float, float]]) -> NDArray[np.uint8]:
    """The board without its checkers, which were ``found`` point by point: each is covered with what lies there on an empty point of its
    colour on its side."""
    size, out = image.shape[1::-1], image.astype(np.float32)
    m = table.measures
    turn = np.stack([np.cos(np.linspace(0, 6.28, 32)), np.sin(np.linspace(0, 6.28, 32))], 1)
    left = list(found)

    def quad(point: int, deep: float) -> NDArray[np.float32]:
        x, y, way = table.point_base(point)
        wide = 0.55 * m.pitch
        ends = [(-wide, -0.3), (wide, -0.3), (wide, deep), (-wide, deep)]
        return table.camera.project(np.array([(x + u, y + way * v * m.checker, 0.0) for u, v in ends])).astype(np.float32)

    for point, count in enumerate(START.points, 1):
        if count:
            same = [q for q in range(1, 25) if not START.points[q - 1] and (q <= 12) == (point <= 12) and (q - point) % 2 == 0]
            deep = abs(count) * 1.03 + 0.35
            change = cv2.getPerspectiveTransform(quad(min(same, key=lambda q: abs(q - point)), deep), quad(point, deep))
            cover = np.zeros(image.shape[:2], np.float32)
            here, left = left[: abs(count)], left[abs(count) :]
            places = [np.array(table.checker_centre(point, index)) for index in range(abs(count))]
            rims = [table.camera.project(at) + ROUND * radius_at(table, at) * turn for at in places]
            rims += [np.array([x, y]) + ROUND * r * turn for *_, x, y, r in here]  # some stand beside their places
            cv2.fillConvexPoly(cover, cv2.convexHull(np.round(np.concatenate(rims)).astype(np.int32)), 1.0)
            share = cv2.GaussianBlur(cover, (0, 0), 2)[..., None]
            out = out * (1 - share) + cv2.warpPerspective(image, change, size) * share
    return out.astype(np.uint8)


def board_of(path: Path) -> Board:
    """The board in a photograph. Raises `BoardNotFound`."""
    image = picture_of(path)
    if image.shape[0] < HEIGHT:
        image = cv2.resize(image, None, fx=HEIGHT / image.shape[0], fy=HEIGHT / image.shape[0], interpolation=cv2.INTER_CUBIC)
    image = np.asarray(image, np.uint8)
    table = find_table(image)
    found = circles(image, table)
    standing = [np.array(table.checker_centre(p, i)) for p, n in enumerate(START.points, 1) for i in range(abs(n))]
    larger = float(np.median([c[4] / radius_at(table, at) for c, at in zip(found, standing, strict=True)]))
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 4)
    lit = tuple(c for c in found if evenly_lit(grey, *c[2:]))
    return Board(image, table, lit, larger, emptied(image, table, found))


def put(picture: NDArray[np.uint8], board: Board, checker: tuple[float, float, float], at: NDArray[Any]) -> None:
    """Lays one of the photograph's checkers (x, y, radius px) where its top's middle is ``at`` (3,) cm, with a shadow."""
    px, r = board.table.camera.project(at), radius_at(board.table, at) * board.larger
    x, y, radius = checker
    reach, k = int(1.25 * r) + 3, r / radius
    middle = reach + px % 1
    m = np.array([[k, 0, middle[0] - k * x], [0, k, middle[1] - k * y]])
    top = cv2.warpAffine(board.image, m, (2 * reach + 1, 2 * reach + 1), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    v, u = np.mgrid[: 2 * reach + 1, : 2 * reach + 1]
    cover = np.clip((r - np.hypot(u - middle[0], v - middle[1])) / 2 + 0.5, 0, 1)
    away = np.hypot(u - middle[0] - 3 - 0.04 * r, v - middle[1] - 3 - 0.06 * r) - 0.97 * r
    shade = 0.55 * np.clip(1 - np.clip(away, 0, None) / (0.16 * r), 0, 1)
    x0, y0 = int(px[0]) - reach, int(px[1]) - reach
    rows, columns = (slice(max(0, low), min(most, low + 2 * reach + 1)) for low, most in ((y0, picture.shape[0]), (x0, picture.shape[1])))
    part = np.s_[rows.start - y0 : rows.stop - y0, columns.start - x0 : columns.stop - x0]
    under = picture[rows, columns] * (1 - shade[part])[..., None]
    share = cover[part][..., None]
    picture[rows, columns] = (under * (1 - share) + top[part] * share).astype(np.uint8)


def composed(board: Board, position: Position, rng: Rng, seed: int | None = None) -> NDArray[np.uint8]:
    """A picture of the board with ``position`` on it, checkers a little beside their places as people put them: anew each time, or, with a
    ``seed``, as they were put where nothing has been moved since the last such picture."""
    picture, table, size = board.bare.copy(), board.table, board.table.measures.checker

    def some(rng: Rng, seat: int, near: bool, at: NDArray[Any]) -> tuple[float, float, float]:
        y = float(table.camera.project(at)[1])
        mine = [c for c in board.checkers if c[0] == seat]
        side = sorted([c for c in mine if c[1] == near] or mine, key=lambda c: abs(c[3] - y))[:5]
        return side[int(rng.integers(len(side)))][2:]

    for point, count in enumerate(position.points, 1):
        x, y, z = table.checker_centre(point, 0)
        rng = rng if seed is None else np.random.default_rng([seed, point, int(count > 0)])
        way, aside, gap = (1 if point <= 12 else -1), rng.normal(0, 0.04), (1 + abs(rng.normal(0, 0.03))) * board.larger
        first = abs(rng.normal(0, 0.05))
        for i in range(abs(count)):
            layer, index = divmod(i, ROW)
            off = rng.normal(0, [0.04, 0.0] if not layer else [0.11, 0.1])
            place = np.array([x + (aside + off[0]) * size, y + way * (first + index * gap + off[1]) * size, z * (layer + 1)])
            put(picture, board, some(rng, 1 if count > 0 else -1, point <= 12, place), place)
    for side, seat in enumerate((1, -1)):
        rng = rng if seed is None else np.random.default_rng([seed, BAR, side])
        for i in range(position.bar[side]):
            high = table.measures.bar_height + table.measures.checker_height
            place = np.array([rng.normal(0, 0.05) * size, -seat * (0.8 + 1.08 * i) * size, high])
            put(picture, board, some(rng, seat, seat > 0, place), place)
    return picture


def standing(board: Board, position: Position) -> list[tuple[float, float]]:
    """Where the lowest layer's checkers of ``position`` are, (x, y) cm each."""
    return [board.table.checker_centre(p, i)[:2] for p, n in enumerate(position.points, 1) for i in range(min(ROW, abs(n)))]


def lying(board: Board, x: float, y: float) -> tuple[NDArray[Any], Look]:
    """The middle (2,) px of the top of a die at (x, y) cm, and a look at it."""
    m = board.table.measures
    px = board.table.camera.project(np.array([x, y, m.die]))
    return px, look_at(board.table, (float(px[0]), float(px[1])), m.die, m.die)


def with_dice(picture: NDArray[np.uint8], board: Board, position: Position, dice: list[Lifted], rng: Rng) -> list[tuple[Any, float, int]]:
    """Lays two dice on one half of ``picture``, clear of its checkers: where (px), how wide (px), what they show."""
    m, taken = board.table.measures, standing(board, position)
    half, laid, at = rng.choice([-1, 1]), list[tuple[Any, float, int]](), list[tuple[float, float]]()
    while len(laid) < 2:
        x = half * (m.bar / 2 + rng.uniform(1.5, (m.inner[0] - m.bar) / 2 - 1.5))
        y = rng.uniform(2 - m.inner[1] / 2, m.inner[1] / 2 - 2)
        far = all(np.hypot(x - u, y - v) > CLEAR[0] for u, v in taken) and all(np.hypot(x - u, y - v) > CLEAR[1] for u, v in at)
        if far:
            px, look = lying(board, x, y)
            die, edge = dice[int(rng.integers(len(dice)))], look.edge * rng.uniform(0.92, 1.15)
            lay(picture, die, look, edge, rng)
            at.append((x, y))
            laid.append((px, edge, die.value))
    return laid


def count_position(true: Position, seen: Reading, counts: Counter[str]) -> None:
    position = seen.position
    right = position is not None and (position.points, position.bar) == (true.points, true.bar)
    doubt = any(d.about in (About.POINT, About.BAR, About.OFF, About.BOARD, About.PICTURE) for d in seen.doubts)
    counts[f"position {'exact' if right else 'wrong'}{', in doubt' if doubt else ''}"] += 1


def count_dice(laid: list[tuple[Any, float, int]], seen: Reading, counts: Counter[str]) -> None:
    doubted = {d.centre for d in seen.doubts if d.about is About.DIE}
    left = list(seen.dice)
    for px, edge, value in laid:
        here = min(left, key=lambda d: float(np.hypot(*(d.centre - px))), default=None)
        if here is None or np.hypot(*(here.centre - px)) > 0.7 * edge:
            counts["die not reported"] += 1
            continue
        left.remove(here)
        right = (here.value, here.state) == (value, DieState.FLAT)
        counts[f"die {'right' if right else 'wrong'}{', in doubt' if here.centre in doubted else ''}"] += 1
    counts["dice that are none"] += len(left)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("photos", type=Path, nargs="+")
    ap.add_argument("--count", type=int, default=100)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--dice", type=Path, help="labels.jsonl of photographs of dice")
    ap.add_argument("--keep", type=Path, help="a folder for the first picture of each board")
    args = ap.parse_args()
    cv2.setRNGSeed(args.seed)
    dice = lifted(args.dice, "keep") if args.dice else []
    for path in args.photos:
        rng, counts, board = np.random.default_rng(args.seed), Counter[str](), board_of(path)
        reader = Reader(board.table, SetUpLook(board.image))
        for number in range(args.count):
            position = played(rng)
            picture = composed(board, position, rng)
            laid = with_dice(picture, board, position, dice, rng) if dice else []
            _, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 85))
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
            seen = reader.read(image)
            count_position(position, seen, counts)
            count_dice(laid, seen, counts)
            if not number and args.keep:
                cv2.imwrite(str(args.keep / f"{path.stem}.png"), image)
        print(path.name, dict(sorted(counts.items())), flush=True)


if __name__ == "__main__":
    main()
