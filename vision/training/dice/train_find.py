"""Trains the finder of dice and cubes and writes its ONNX file.

    python -m vision.training.dice.train_find --data DATA --drawn OUT --model vision/models/dice_find.onnx [--minutes 12] [--seed 1]

OUT holds what dice.make and dice.mine wrote.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from vision.dice.crops import Look, rotation
from vision.dice.find import DIE_PX, STRIDE
from vision.training.dice.decoys import ornament
from vision.training.dice.fit import arguments, fit, write
from vision.training.dice.label import A_DIE
from vision.training.dice.lift import Lifted, lay, lifted, one_of
from vision.training.dice.nets import FindNet
from vision.training.dice.pictures import Marked, boards, marked_crops, photos, picture_of, training_folders
from vision.training.dice.samples import recolour, worsen
from vision.training.fit import CORES, prepare
from vision.training.labels import rendered_set_ups
from vision.training.precision import autocast
from vision.training.weights import begin

WINDOW = 160
STRETCHED, LAID = 0.3, 0.45  # shares: of windows that are stretched, of those on which dice out of photographs are laid
TILES, SEAM = 4, 4  # crops in a row of a window made of them; px about each of which nothing is said


def targets(marks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heat (2, h, w), log edge (h, w) and where it counts. ``marks`` rows: kind, x, y, edge in window pixels."""
    n = WINDOW // STRIDE
    heat, size, count = np.zeros((2, n, n), np.float32), np.zeros((n, n), np.float32), np.zeros((n, n), np.float32)
    yy, xx = np.mgrid[:n, :n]
    for kind, x, y, edge in marks:
        cx, cy = x / STRIDE - 0.5, y / STRIDE - 0.5
        d2 = (xx - cx) ** 2 + (yy - cy) ** 2
        spot = np.exp(-d2 / (2 * 0.8**2))
        plane = int(kind) - 1
        heat[plane] = np.maximum(heat[plane], spot)
        px, py = round(cx), round(cy)
        if 0 <= px < n and 0 <= py < n:
            heat[plane, py, px] = 1
        near = d2 <= 2
        size[near], count[near] = np.log(edge / DIE_PX) if kind == 1 else np.log(edge / (2 * DIE_PX)), 1
    return heat, size, count


def window(image: np.ndarray, marks: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A turned, scaled piece of a picture, more often than not near a mark, with its marks."""
    h, w = image.shape[:2]
    dice = marks[marks[:, 0] == 1] if len(marks) else marks
    edges = np.append(dice[:, 3], marks[marks[:, 0] == 2][:, 3] / 2) if len(marks) else np.array([])
    typical = float(rng.choice(edges)) if len(edges) else max(w / 75, DIE_PX)
    k = DIE_PX * np.exp(rng.uniform(np.log(0.7), np.log(1.45))) / typical
    if len(marks) and rng.random() < 0.75:
        m = marks[int(rng.integers(len(marks)))]
        cx, cy = m[1:3] + rng.uniform(-0.45, 0.45, 2) * WINDOW / k
    else:
        cx, cy = rng.uniform(0, w), rng.uniform(0, h)
    angle = rng.normal(0, 0.25) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    m = rotation(angle) * k
    if rng.random() < STRETCHED:
        wider = np.exp(rng.normal(0, 0.2))
        m = np.diag([wider, 1 / wider]) @ m
    if rng.random() < 0.5:
        m = m @ np.diag([-1.0, 1.0])
    m = np.column_stack([m, WINDOW / 2 - m @ np.array([cx, cy])])
    if k < 0.7:
        reach = WINDOW / k
        x0, y0 = int(np.clip(cx - reach, 0, w - 1)), int(np.clip(cy - reach, 0, h - 1))
        image = image[y0 : int(cy + reach) + 1, x0 : int(cx + reach) + 1]
        m[:, 2] += m[:, :2] @ [x0, y0]
        image = cv2.GaussianBlur(image, (0, 0), 0.42 / k)
        marks = marks - np.array([0, x0, y0, 0]) if len(marks) else marks
    out = cv2.warpAffine(image, m, (WINDOW, WINDOW), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if len(marks):
        p = marks[:, 1:3] @ m[:, :2].T + m[:, 2]
        marks = np.column_stack([marks[:, 0], p, marks[:, 3] * k])
    return out, marks


def strewn(image: np.ndarray, marks: np.ndarray, dice: list[Lifted], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A window with up to three dice out of photographs laid where it has no marks, and with their marks. Some are but of a
    die's outline (`one_of`)."""
    image, rows = image.copy(), [list(m) for m in marks]
    size = DIE_PX * np.exp(rng.uniform(np.log(0.75), np.log(1.4)))
    squat = rng.uniform(0.6, 1.0) if rng.random() < 0.6 else 1.0
    level = np.array([[1, 0], [0, 1 / squat]]) @ rotation(rng.normal(0, 0.2))
    for _ in range(int(rng.integers(1, 4))):
        edge = size * rng.uniform(0.93, 1.07)
        x, y = rng.uniform(1.4 * edge + 4, WINDOW - 1.4 * edge - 5, 2)
        if any(np.hypot(x - u, y - v) < 0.8 * (edge + e) for _, u, v, e in rows):
            continue
        die, is_die = one_of(dice, image, edge, rng)
        lay(image, die, Look((float(x), float(y)), edge, 0.0, None, ((level[0, 0], level[0, 1]), (level[1, 0], level[1, 1]))), edge, rng)
        if is_die:
            rows.append([A_DIE, x, y, edge])
    return image, np.array(rows, np.float64).reshape(-1, 4)


def tiled(crops: list[tuple[np.ndarray, np.ndarray]], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A window of the middles of so many crops, its marks, and where (n, n) they count: not at the seams."""
    side = WINDOW // TILES
    out, told = np.zeros((WINDOW, WINDOW, 3), np.uint8), np.zeros((WINDOW, WINDOW), np.uint8)
    found = []
    for tile in range(TILES**2):
        image, marks = crops[int(rng.integers(len(crops)))]
        corner = np.array([tile % TILES, tile // TILES]) * side
        edge = (marks[0, 3] / marks[0, 0]) if len(marks) else 22.0  # a cube is two dice wide
        middle = marks[0, 1:3] if len(marks) else np.array(image.shape[1::-1]) / 2
        k = DIE_PX * np.exp(rng.uniform(np.log(0.7), np.log(1.45))) / edge
        m = rotation(rng.uniform(0, 2 * np.pi)) @ np.diag([rng.choice([-1.0, 1.0]), 1.0]) * k
        m = np.column_stack([m, side / 2 + rng.uniform(-0.2, 0.2, 2) * side - m @ middle])
        if k < 0.7:
            image = cv2.GaussianBlur(image, (0, 0), 0.42 / k)
        here = (slice(corner[1], corner[1] + side), slice(corner[0], corner[0] + side))
        out[here] = cv2.warpAffine(image, m, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        inside = cv2.warpAffine(np.full(image.shape[:2], 255, np.uint8), m, (side, side))
        inside[[*range(SEAM), *range(-SEAM, 0)]] = inside[:, [*range(SEAM), *range(-SEAM, 0)]] = 0
        told[here] = cv2.erode(inside, np.ones((3, 3), np.uint8))
        if len(marks):
            found.append(np.column_stack([marks[:, 0], marks[:, 1:3] @ m[:, :2].T + m[:, 2] + corner, marks[:, 3] * k]))
    small = cv2.resize(told, (WINDOW // STRIDE, WINDOW // STRIDE), interpolation=cv2.INTER_AREA)
    return out, np.concatenate(found) if found else np.zeros((0, 4)), (small > 254).astype(np.float32)


def focal(y: torch.Tensor, t: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    """Zhou et al., Objects as Points (2019), eq. 1, where it is ``told``."""
    p = torch.sigmoid(y).clamp(1e-4, 1 - 1e-4)
    hit = (t == 1).float() * told
    loss = hit * (1 - p) ** 2 * torch.log(p) + (told - hit) * (1 - t) ** 4 * p**2 * torch.log(1 - p)
    return -loss.sum() / hit.sum().clamp(min=1)


Group = tuple[list[tuple[np.ndarray, np.ndarray]], float, bool]  # pictures with marks, their share of a batch, whether they are crops


def gather(args: argparse.Namespace, rng: np.random.Generator) -> list[Group]:
    folders = training_folders(args.data)
    if args.frames:
        folders += rendered_set_ups(args.frames)

    def load(items: list[Marked]) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(picture_of(m.path), np.array(m.marks, np.float64).reshape(-1, 4)) for m in items]

    drawn = []
    for p in sorted(args.drawn.glob("scenes_*.npz")):
        made = np.load(p)
        drawn += [(image, made["marks"][made["marks"][:, 0] == i][:, 1:]) for i, image in enumerate(made["images"])]
    snaps = photos(args.data / "photos" / "labels.jsonl", args.drawn / "placed.json")
    inlaid = [(ornament(rng, 3 * WINDOW // 2, rng.uniform(0.8, 2) * DIE_PX, True), np.zeros((0, 4))) for _ in range(500)]
    groups = [(load(list(boards(folders))), 0.4, False), (load(list(snaps)), 0.2, False), (drawn, 0.2, False), (inlaid, 0.06, False)]
    if args.rendered:
        crops = [(image, np.array(marks, np.float64).reshape(-1, 4)) for image, marks in marked_crops(rendered_set_ups(args.rendered))]
        groups.append((crops, 0.14, True))
    return groups


class Batches(IterableDataset[tuple[torch.Tensor, ...]]):
    """Batches of 16 windows with heat, log edge, where that counts, and where anything is told; without end."""

    def __init__(self, groups: list[Group], dice: list[Lifted], seed: int) -> None:
        self.groups, self.dice, self.seed = groups, dice, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        rng = prepare(self.seed)
        while True:
            yield batch(self.groups, self.dice, rng)


def losses(groups: list[Group], dice: list[Lifted], net: FindNet, seed: int) -> Iterator[torch.Tensor]:
    for x, heat, size, count, told in DataLoader(Batches(groups, dice, seed), batch_size=None, num_workers=1, prefetch_factor=4):
        with autocast():
            y = net(x.to(memory_format=torch.channels_last)).float()
        counts = count * told
        off = (F.smooth_l1_loss(y[:, 2], size, reduction="none", beta=0.1) * counts).sum() / counts.sum().clamp(min=1)
        yield focal(y[:, :2], heat, told[:, None]) + 0.5 * off


def batch(groups: list[Group], dice: list[Lifted], rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
    shares = np.array([share for _, share, _ in groups])
    xs, goals = [], []
    for _ in range(16):
        pictures, _, crops = groups[int(rng.choice(len(groups), p=shares / shares.sum()))]
        told = np.ones((WINDOW // STRIDE, WINDOW // STRIDE), np.float32)
        if crops:
            image, marks, told = tiled(pictures, rng)
        else:
            image, marks = window(*pictures[int(rng.integers(len(pictures)))], rng)
            if rng.random() < LAID:
                image, marks = strewn(image, marks, dice, rng)
        x: Any = recolour(image, rng)
        if rng.random() < 0.3:
            x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.0))
        xs.append((worsen(x, rng) / 255).transpose(2, 0, 1).astype(np.float32))
        goals.append((*targets(marks), told))
    return torch.from_numpy(np.array(xs)), *(torch.from_numpy(np.array([g[k] for g in goals])) for k in range(4))


def lowered(net: nn.Module, by: float) -> FindNet:
    """The net with its log odds of dice, at all four places of a cell, lowered ``by`` so much."""
    assert isinstance(net, FindNet)
    other = deepcopy(net)
    with torch.no_grad():
        other.body[-2].bias[:4] -= by
    return other


def main() -> None:
    ap = arguments(__doc__)
    ap.add_argument("--rendered", type=Path, help="crop folders of the renderer")
    ap.add_argument("--lower", type=float, default=0.0, help="in the end, the log odds of dice: for limits to mean what they did")
    args = ap.parse_args()
    rng = prepare(args.seed, CORES)
    groups = gather(args, rng)
    dice = lifted(args.data / "photos" / "labels.jsonl")
    print([len(pictures) for pictures, _, _ in groups], f"{len(dice)} dice to lay", flush=True)
    net = FindNet()
    if args.start:
        begin(net, args.start, batch(groups, dice, rng)[0])
    net = net.to(memory_format=torch.channels_last)
    shape = 1, 3, WINDOW, WINDOW
    fit(net, losses(groups, dice, net, args.seed), lambda mean: write(lowered(mean, args.lower), shape, args, any_size=True), args, 1e-4)


if __name__ == "__main__":
    main()
