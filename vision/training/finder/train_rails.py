"""Trains the net that tells how far behind the points the rails stand, and writes ``vision/models/rails.onnx``.

    python -m vision.training.finder.train_rails --data FOLDER... --minutes 20 --seed 1 --out vision/models/rails.onnx

Each FOLDER holds set-ups as the renderer writes them; of each its start is looked at, on the board as set-up finds it. Every seventh set-up
is kept aside: on these the net is measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.finder import BoardNotFound, find_table
from vision.finder.rails import COLUMNS, PLACES, ROWS, STEP, place, places, shown, strips
from vision.light import well_lit
from vision.nets import softmax
from vision.pictures import load_picture
from vision.training.fit import block, descend, export, prepare
from vision.training.labels import is_spare, labelled_table, load_labels, set_ups, start_of, true_rails

MARGIN = 8, 6  # px above and below, and at either end, by which strips are moved in training
MOVED, WIDER = 1.5, 0.06  # px that set-up may be wrong by beside its own mistakes (one deviation), and share of the strip's length
BATCH = 48
AS_GOOD = 0.08  # cm: places so near the true one are nearly as good (one deviation)

Rng = np.random.Generator


class RailNet(nn.Module):
    """(n, 5, rows, columns) strips to (n, `PLACES`) logits of where the rail stands. The same is seen all along a strip: what its columns
    say is averaged, and their strongest word is heard."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(block(5, 12, (1, 2)), block(12, 24, 2), block(24, 32), block(32, 48, 2), block(48, 48), block(48, 24))
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(2 * 24 * ROWS // 4, 96), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(96, PLACES)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = self.body(x)
        answer: torch.Tensor = self.head(torch.cat([seen.mean(3), seen.amax(3)], 1))
        return answer


@dataclass(frozen=True, eq=False)
class Board:
    """A set-up's strips with margins, (4, rows, columns, 3), their sight (4, 2), and how far behind the bases its rails stand, cm."""

    cut: NDArray[np.uint8]
    sight: NDArray[np.float32]
    rail: float


def board(folder: Path) -> Board | None:
    """A set-up as it is found; None where it is not."""
    labels = load_labels(folder)
    image = well_lit(load_picture(folder / start_of(labels)["image"]))
    try:
        table = find_table(image)
    except BoardNotFound:
        return None
    cut, sight = strips(image, table, ROWS + 2 * MARGIN[0], COLUMNS + 2 * MARGIN[1])
    return Board(cut, sight, true_rails(table, labelled_table(labels)))


def moved(rng: Rng, b: Board) -> tuple[NDArray[np.uint8], NDArray[np.float32], float]:
    """One strip of a board as a set-up that is a little off might cut it, with its sight; and where its rail stands, in places."""
    k = int(rng.integers(4))
    up, wide = float(np.clip(rng.normal(0, MOVED), -MARGIN[0], MARGIN[0])), 1 + rng.normal(0, WIDER)
    middle = (np.array([COLUMNS, ROWS]) - 1) / 2
    to = np.array([[wide, 0, 0], [0, 1, 0]], float)
    to[:, 2] = middle - to[:, :2] @ (middle + MARGIN[::-1] + (rng.uniform(-3, 3), up))
    strip = cv2.warpAffine(b.cut[k], to, (COLUMNS, ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(strip, np.uint8), b.sight[k] + rng.normal(0, 0.05, 2).astype(np.float32), place(b.rail) - up


def worsened(rng: Rng, cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Strips (n, rows, columns, 3) as other cameras, in other light, might show them, and in other colours."""
    n = len(cuts)
    x = (cuts.astype(np.float32) / 255) ** rng.uniform(0.6, 1.6, (n, 1, 1, 1)).astype(np.float32)
    x = np.stack([np.ascontiguousarray(strip[..., rng.permutation(3)]) for strip in x])
    grey = (rng.random((n, 1, 1, 1)) < 0.2) * rng.uniform(0, 1, (n, 1, 1, 1))
    x += grey.astype(np.float32) * (x.mean(3, keepdims=True) - x)
    x *= rng.normal(1, 0.1, (n, 1, 1, 3)).astype(np.float32) * rng.uniform(0.6, 1.3, (n, 1, 1, 1)).astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.3):
        x[k] = cv2.GaussianBlur(x[k], (0, 0), rng.uniform(0.3, 1.2))
    x += rng.standard_normal(x.shape, np.float32) * rng.uniform(0, 0.04, (n, 1, 1, 1)).astype(np.float32)
    return np.clip(x * 255, 0, 255).astype(np.uint8)


def examples(boards: list[Board], seed: int, n: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Batches of ``n``: inputs, and how good an answer each place is, (n, `PLACES`) that sum to 1."""
    rng = np.random.default_rng(seed)
    while True:
        cuts, sights, where = zip(*(moved(rng, boards[int(rng.integers(len(boards)))]) for _ in range(n)), strict=True)
        off = (np.arange(PLACES) - np.clip(where, 0, PLACES - 1)[:, None]) * STEP / AS_GOOD
        seen = shown(worsened(rng, np.stack(cuts)), np.stack(sights))
        yield torch.from_numpy(seen), torch.from_numpy(softmax(-off * off / 2).astype(np.float32))


def losses(net: nn.Module, batches: Iterator[tuple[torch.Tensor, torch.Tensor]]) -> Iterator[torch.Tensor]:
    for x, good in batches:
        yield functional.cross_entropy(net(x), good)


def measured(net: nn.Module, boards: list[Board]) -> str:
    """How the net does on ``boards``, in words."""
    off, said = [], []
    inside = slice(MARGIN[0], -MARGIN[0]), slice(MARGIN[1], -MARGIN[1])
    net.eval()
    for b in boards:
        with torch.no_grad():
            x = torch.from_numpy(shown(np.ascontiguousarray(b.cut[:, inside[0], inside[1]]), b.sight))
            p = softmax(net(x).numpy().astype(np.float64).mean(0))
        off.append(abs(float(p @ places()) - b.rail))
        said.append(-float(np.log(max(1e-9, np.interp(b.rail, places(), p)))))
    net.train()
    return f"kept aside: off by {np.mean(off):.3f} cm, by 0.3 or more {np.mean(np.array(off) >= 0.3):.3f}, {np.mean(said):.3f} nats"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    prepare(args.seed)
    folders = set_ups(args.data)
    found: dict[bool, list[Board]] = {True: [], False: []}
    for n, folder in enumerate(folders):
        if (b := board(folder)) is not None:
            found[is_spare(folder)].append(b)
        print(f"\r{n + 1} of {len(folders)} set-ups", end="", flush=True)
    print(f": {len(found[False])} boards to be shown, {len(found[True])} kept aside")
    net = RailNet()
    last: Any = net
    for step, words, last in descend(net, losses(net, examples(found[False], args.seed, BATCH)), args.minutes, 2e-3, 100):
        if step % 500 == 0:
            print(words, measured(last, found[True]), flush=True)
    print(measured(last, found[True]))
    export(last, (torch.zeros(2, 5, ROWS, COLUMNS),), args.out, ["x"], ["y"])


if __name__ == "__main__":
    main()
