"""Trains the die reader (or, with --close, that of the closer look, with --cubes the cube reader) and writes its ONNX file.

    python -m vision.training.dice_train --data DATA --drawn OUT --model vision/models/dice_read.onnx [--minutes 12] [--seed 1]

OUT holds what dice_make and dice_mine wrote.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from vision import dice_read
from vision.dice_read import SIZE
from vision.training.dice_decoys import decoys
from vision.training.dice_fit import arguments, fit, prepare, write
from vision.training.dice_label import A_CUBE, A_DIE, CUBE_EDGE, EDGE, LABEL, NOTHING
from vision.training.dice_lift import Lifted, laid_in, lifted
from vision.training.dice_nets import CUBE_OUT, OUT, CropNet
from vision.training.dice_pictures import Marked, boards, crops, nothing_crops, photos, rendered, training_folders
from vision.training.dice_samples import covered, glare, sample
from vision.training.dice_scenes import NUMBERS
from vision.training.labels import rendered_set_ups
from vision.training.precision import autocast
from vision.training.weights import begin

Batch = tuple[torch.Tensor, dict[str, torch.Tensor]]  # inputs (n, 4, 64, 64), and what is to be said of each
Shown = tuple[float, float, tuple[float, float], bool]  # the edge in a stored crop, in the net's, those in camera pixels imitated, `SQUARE`
SHOWN: dict[str, Shown] = {
    "die": (EDGE, dice_read.DIE_EDGE, (11.0, 40.0), dice_read.SQUARE),
    "close": (EDGE, dice_read.CLOSE_EDGE, (11.0, 64.0), dice_read.SQUARE),
    "cube": (CUBE_EDGE, dice_read.CUBE_EDGE, (22.0, 60.0), False),
}
LEGIBLE = 12.0  # px, the edge of a die
LAID = 0.35  # of the places without a die have one out of a photograph laid there
HAND = 0.15  # of the dice and cubes have fingers laid over them
GLARE = 0.2  # of all crops have a lamp mirrored in the middle, dice or not
HIDDEN = 0.15, 0.5  # below, one can still read; above, nobody should; between it is not asked


class Pool:
    """Crops with labels in groups; a batch draws from each group by its share."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.groups: list[tuple[np.ndarray, np.ndarray, float]] = []
        self.fixed = self.rendered = 0
        self.dice: list[Lifted] = []  # that are laid where there is none

    def add(self, images: np.ndarray, labels: np.ndarray, share: float) -> None:
        if len(images):
            self.groups.append((images, labels, share))
            print(f"  {len(images)} crops, share {share}", flush=True)

    def add_mined(self, path: Path, share: float) -> None:
        """What the finder took for dice, where it was looked for; half of the share goes to what fooled the reader too."""
        if not path.exists():
            return
        mined = np.load(path)
        fooled = mined["fooled"] > 0.03
        self.add(mined["images"][fooled], mined["labels"][fooled], share / 2)
        self.add(mined["images"][~fooled], mined["labels"][~fooled], share / 2)

    def add_rendered(self, path: Path, cubes: bool, share: float) -> None:
        """All finished crop folders of the renderer under ``path``; replaces what was added from there before, where there are more now."""
        folders = rendered_set_ups(path)
        if len(folders) == self.rendered:
            return
        self.rendered = len(folders)
        made = rendered(folders)
        rows = [(c if cubes and c is not None else i, r) for i, r, c in made]
        if cubes:
            kept = [r for r in rows if r[1]["kind"] == 2]
            others = [r for r in rows if r[1]["kind"] != 2]
            rows = kept + others[:: max(1, len(others) // max(1, len(kept)))]
        self.groups = self.groups[: self.fixed]
        if rows:
            share *= min(2.0, len(rows) / (1200 if cubes else 6000))
            self.add(np.array([r[0] for r in rows]), np.array([r[1] for r in rows], LABEL), share)

    def batch(self, rng: np.random.Generator, n: int) -> Batch:
        shares = np.array([g[2] for g in self.groups])
        which = rng.choice(len(self.groups), n, p=shares / shares.sum())
        xs, rows, extra = [], np.zeros(n, LABEL), np.zeros((n, 8), np.float32)
        for i, g in enumerate(which):
            images, labels, _ = self.groups[g]
            k = int(rng.integers(len(images)))
            rows[i] = labels[k]
            image, hidden = images[k], 0.0
            if rows[i]["kind"] == NOTHING and self.dice and rng.random() < LAID:
                image, rows[i] = laid_in(image, rows[i], self.dice, rng)
            if rng.random() < GLARE:
                image = glare(image, rows[i]["quad"], rng, self.shown[0])
            if rows[i]["kind"] and rng.random() < HAND:
                behind, (image, hidden) = image, covered(image, rng, self.shown[0])
                if HIDDEN[0] < hidden < HIDDEN[1]:
                    image, hidden = behind, 0.0
            x, aim, known, beside, px, shape = sample(image, rows[i], rng, SIZE, *self.shown)
            xs.append(x)
            extra[i] = (*aim, known, px, *shape)
            if beside or hidden > HIDDEN[1]:
                rows[i]["kind"] = 0
        t = {"kind": rows["kind"], "value": rows["value"], "tilt": rows["tilt"], "support": rows["support"], "touch": rows["touch"]}
        out = {k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in t.items()}
        more = torch.from_numpy(extra)
        out |= {"aim": more[:, :3], "known": more[:, 3], "px": more[:, 4], "shape": more[:, 5:7], "shaped": more[:, 7]}
        return torch.from_numpy(np.array(xs, np.float32)), out


def die_loss(y: torch.Tensor, t: dict[str, torch.Tensor]) -> torch.Tensor:
    die = (t["kind"] == 1).float()
    loss = F.binary_cross_entropy_with_logits(y[:, 0], die)
    sure = die * (t["tilt"] < 40)
    value = F.cross_entropy(y[:, 1:7], (t["value"].long() - 1).clamp(0, 5), reduction="none", label_smoothing=0.01)
    loss = loss + 1.5 * (value * sure).sum() / sure.sum().clamp(min=1)
    visible = (t["tilt"] <= 0) | (t["tilt"] * t["px"] > 160)  # 8 degrees at 20 px: less cannot be told from flat
    has = die * (t["tilt"] >= 0) * t["known"] * visible
    tilt = F.binary_cross_entropy_with_logits(y[:, 7], (t["tilt"] > 3).float(), reduction="none")
    loss = loss + 2.5 * (tilt * has).sum() / has.sum().clamp(min=1)
    has = die * (t["support"] >= 0)
    support = F.cross_entropy(y[:, 8:11], t["support"].long().clamp(0, 2), reduction="none")
    loss = loss + (support * has).sum() / has.sum().clamp(min=1)
    has = die * (t["touch"] >= 0)
    touch = F.binary_cross_entropy_with_logits(y[:, 11], (t["touch"] > 0).float(), reduction="none")
    loss = loss + 0.3 * (touch * has).sum() / has.sum().clamp(min=1)
    has = die * t["shaped"]
    shape = F.smooth_l1_loss(y[:, OUT:], t["shape"], reduction="none", beta=0.1).sum(1)
    loss = loss + 10 * (shape * has).sum() / has.sum().clamp(min=1)
    aim = F.smooth_l1_loss(y[:, 12:15], t["aim"], reduction="none", beta=0.1).sum(1)
    has = die * ((t["tilt"] >= 0) | (t["known"] == 0))  # of what was cut out of a photograph the top face's middle is not known
    return loss + 2 * (aim * has).sum() / has.sum().clamp(min=1)


def cube_loss(y: torch.Tensor, t: dict[str, torch.Tensor]) -> torch.Tensor:
    cube = (t["kind"] == 2).float()
    number = torch.tensor([NUMBERS.index(int(v)) if int(v) in NUMBERS else 0 for v in t["value"]])
    loss = F.binary_cross_entropy_with_logits(y[:, 0], cube)
    loss = loss + 1.5 * (F.cross_entropy(y[:, 1:7], number, reduction="none", label_smoothing=0.01) * cube).sum() / cube.sum().clamp(min=1)
    aim = F.smooth_l1_loss(y[:, 7:10], t["aim"], reduction="none", beta=0.1).sum(1)
    return loss + 2 * (aim * cube).sum() / cube.sum().clamp(min=1)


def plain(picture: Marked) -> Marked:
    """The picture with only those dice that are large enough to be read: of smaller ones there would be most."""
    def edge(die: dict[str, Any]) -> float:
        quad = die["top_quad_px"]
        return max(math.dist(quad[k], quad[k - 1]) for k in range(4))

    kept = [die for die in picture.dice if edge(die) >= LEGIBLE]
    cubes = [mark for mark in picture.marks if mark[0] == A_CUBE]
    return replace(picture, marks=[(A_DIE, *die["centre_px"], edge(die)) for die in kept] + cubes, dice=kept)


def gather(args: argparse.Namespace, rng: np.random.Generator) -> Pool:
    pool = Pool(SHOWN["cube" if args.cubes else "close" if args.close else "die"])
    real = list(boards(training_folders(args.data)))
    more = list(boards(rendered_set_ups(args.frames))) if args.frames else []
    images, labels, cubes, cube_labels = crops(real)
    others = crops([plain(picture) for picture in more])
    made = [np.load(p) for p in sorted(args.drawn.glob("cubes_*.npz" if args.cubes else "crops_*.npz"))]
    pool.add(np.concatenate([m["images"] for m in made]), np.concatenate([m["labels"] for m in made]), 0.7 if args.cubes else 0.45)
    empty, empty_labels = nothing_crops(real + more, rng, 12)
    if args.cubes:
        pool.add(cubes, cube_labels, 0.25)
        pool.add(*others[2:], 0.25)
        pool.add(empty, empty_labels, 0.1)
        pool.add(*decoys(rng, 6000), 0.25)
        pool.add_mined(args.drawn / "tempting_cubes.npz", 0.25)
        pool.add_mined(args.drawn / "tempting_boards.npz", 0.1)
        pool.add_mined(args.drawn / "tempting_photos.npz", 0.1)
        dice = labels["kind"] == 1
        pool.add(images[dice], labels[dice], 0.1)
        return pool
    pool.add(images, labels, 0.3)
    pool.add(*others[:2], 0.15)
    pool.dice = lifted(args.data / "photos" / "labels.jsonl")
    pool.add(empty, empty_labels, 0.35)  # most of the dice out of photographs are laid here
    snaps = list(photos(args.data / "photos" / "labels.jsonl", args.drawn / "placed.json"))
    images, labels, _, _ = crops(snaps)
    pool.add(images, labels, 0.45 if args.close else 0.3)  # dice without a board are looked at closer
    pool.add(*nothing_crops(snaps, rng, 4), 0.03)
    pool.add_mined(args.drawn / "tempting_boards.npz", 0.25)
    pool.add_mined(args.drawn / "tempting_photos.npz", 0.2)
    pool.add_mined(args.drawn / "tempting_drawn.npz", 0.4)  # all of these fool a reader: half of the share counts
    pool.add(*decoys(rng, 10000), 0.3)
    return pool


class Batches(IterableDataset[Batch]):
    """Batches of 64 without end."""

    def __init__(self, pool: Pool, args: argparse.Namespace) -> None:
        self.pool, self.args = pool, args

    def __iter__(self) -> Iterator[Batch]:
        prepare(self.args.seed)
        rng = np.random.default_rng(self.args.seed)
        for step in itertools.count():
            if self.args.rendered and step % 500 == 0:
                self.pool.add_rendered(self.args.rendered, self.args.cubes, 0.8 if self.args.cubes else 0.9)
            yield self.pool.batch(rng, 64)


def losses(pool: Pool, net: CropNet, args: argparse.Namespace) -> Iterator[torch.Tensor]:
    for x, t in DataLoader(Batches(pool, args), batch_size=None, num_workers=1, prefetch_factor=4):  # made in a process of its own
        with autocast():
            y = (net if args.cubes else net.shaped)(x.to(memory_format=torch.channels_last))
        yield (cube_loss if args.cubes else die_loss)(y.float(), t)


def main() -> None:
    ap = arguments(__doc__)
    ap.add_argument("--rendered", type=Path, help="crop folders of the renderer; looked through again every 500 steps")
    other = ap.add_mutually_exclusive_group()
    other.add_argument("--cubes", action="store_true", help="train the cube reader")
    other.add_argument("--close", action="store_true", help="train the die reader of the closer look")
    args = ap.parse_args()
    prepare(args.seed)
    rng = np.random.default_rng(args.seed)
    pool = gather(args, rng)
    pool.fixed = len(pool.groups)
    net = CropNet(CUBE_OUT if args.cubes else OUT, more=2, finer=1 if args.close or args.cubes else 0).to(memory_format=torch.channels_last)
    if args.begin:
        begin(net, args.begin, pool.batch(rng, 256)[0])
    fit(net, losses(pool, net, args), lambda mean: write(mean, (1, 4, SIZE, SIZE), {0: "n"}, args), args, 1e-3)


if __name__ == "__main__":
    main()
