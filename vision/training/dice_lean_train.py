"""Trains the net that tells whether a die leans, and writes its ONNX file.

    python -m vision.training.dice_lean_train --data DATA --drawn OUT --rendered CROPS --begin dice_close.onnx --model dice_lean.onnx

OUT holds what dice_make wrote, CROPS what `render --what crops --leaning 0.9` does; it is looked through again every 400 steps.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from vision.dice_crops import rotation, stretched
from vision.dice_read import LEAN_EDGE, LEAN_SIZE, SIZE
from vision.training.dice_fit import arguments, fit, prepare, write
from vision.training.dice_label import A_DIE, EDGE
from vision.training.dice_nets import OUT, CropNet, LeanNet
from vision.training.dice_pictures import boards, crops, rendered, training_folders
from vision.training.dice_samples import PLANE, glare, normal, pictured, shape_of
from vision.training.labels import rendered_set_ups
from vision.training.precision import autocast
from vision.training.weights import begin

Rng = np.random.Generator
Batch = tuple[torch.Tensor, torch.Tensor]  # inputs (n, 4, 96, 96); tilt, px, shape (2), whether that is known, corners (8)
Crop = tuple[NDArray[Any], Any]
SHARES = 0.8, 0.05, 0.15  # of rendered dice, those of labelled set-ups, drawn ones
FINE = 12.0, 50.0  # px: a die's edge in the pictures that are imitated
LEANS = 3.0  # degrees
TURN = 1.5  # degrees, by the cosine of the elevation: how far off set-up has where up is (on 96 boards 1.4 degrees at an elevation of 45,
# 2.5 at 63, 8 at 75); a net that was shown less took flat dice for leaning ones where another side showed than it thought
SEEN = 120.0  # degrees times px from which a lean is asked for: less cannot be told from flat


def sample(image: NDArray[Any], label: Any, rng: Rng) -> tuple[NDArray[Any], tuple[float, ...]]:
    """One input (4, 96, 96) and what is to be said of it; the die's place and size are known but for what the readers are wrong by."""
    turned = TURN / max(0.05, math.cos(math.radians(float(label["elevation"]))))
    spin, zoom = math.radians(float(np.clip(rng.normal(0, turned), -40, 40))), math.exp(rng.normal(0, 0.06))
    shift = rng.normal(0, 0.05, 2).clip(-0.15, 0.15)
    px = math.exp(rng.uniform(*np.log(FINE)))
    middle = int(np.clip(round(LEAN_SIZE * px / LEAN_EDGE), 30, LEAN_SIZE * 1.2))
    edge = LEAN_EDGE * middle / LEAN_SIZE
    level = label["level"] if label["level"].any() else stretched(float(label["elevation"]))
    k = edge / EDGE * zoom
    m = k * rotation(spin) @ (np.eye(2) + rng.normal(0, PLANE, (2, 2))) @ level
    flip = rng.random() < 0.5
    if flip:
        m = np.diag([-1.0, 1.0]) @ m
    corners = (label["quad"] - label["quad"].mean(0)) @ m.T / edge
    x = pictured(image, m, k, middle / 2 + shift * edge, middle, LEAN_SIZE, rng)
    told = float(np.clip(label["elevation"] + rng.normal(0, 2.5), 20, 90))
    plane = np.full((1, LEAN_SIZE, LEAN_SIZE), math.sin(math.radians(told)), np.float32)
    truth = (float(label["tilt"]), px, *shape_of(label["quad"], m), *(corners[::-1] if flip else corners).ravel())
    return np.concatenate([normal(x), plane]), truth


def lean_loss(y: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    tilt, known = t[:, 0], t[:, 4]
    seen = ((tilt <= 0) | (tilt * t[:, 1] > SEEN)).float()
    leans = F.binary_cross_entropy_with_logits(y[:, 0], (tilt > LEANS).float(), reduction="none")
    loss = 2 * (leans * seen).sum() / seen.sum().clamp(min=1)
    loss = loss + F.smooth_l1_loss(y[:, 1], tilt.clamp(0, 45) / 20, beta=0.1)
    loss = loss + 10 * (F.smooth_l1_loss(y[:, 2:4], t[:, 2:4], reduction="none", beta=0.05).sum(1) * known).mean()
    said, corners = y[:, 4:12].reshape(-1, 4, 2), t[:, 5:13].reshape(-1, 4, 2)
    turned = [F.smooth_l1_loss(said, corners.roll(k, 1), reduction="none", beta=0.05).sum((1, 2)) for k in range(4)]
    return loss + 2 * (torch.stack(turned, 1).min(1)[0] * known).mean()  # a die has no first corner


def leaning_dice(images: NDArray[Any], labels: NDArray[Any]) -> list[Crop]:
    """Those crops that show a die of which it is known how it lies, and from where it is seen."""
    told = (labels["kind"] == A_DIE) & (labels["tilt"] >= 0) & (labels["elevation"] > 0)
    return [(images[k], labels[k]) for k in np.flatnonzero(told)]


class Batches(IterableDataset[Batch]):
    """Batches of 64 without end."""

    def __init__(self, data: Path, drawn: Path, crops_: Path, seed: int) -> None:
        real = crops(list(boards(training_folders(data))))
        made = [np.load(p) for p in sorted(drawn.glob("crops_*.npz"))]
        self.groups: list[list[Crop]] = [[], leaning_dice(*real[:2]), [c for m in made for c in leaning_dice(m["images"], m["labels"])]]
        self.crops, self.seen, self.seed = crops_, set[Path](), seed

    def look(self) -> None:
        """Adds the crop folders that were finished since."""
        new = [folder for folder in rendered_set_ups(self.crops) if folder not in self.seen]
        self.seen.update(new)
        for image, row, _ in rendered(new):
            self.groups[0] += leaning_dice(image[None], row[None])
        print(f"  {', '.join(str(len(group)) for group in self.groups)} dice", flush=True)

    def __iter__(self) -> Iterator[Batch]:
        prepare(self.seed)
        rng = np.random.default_rng(self.seed)
        for step in itertools.count():
            if step % 400 == 0:
                self.look()
            shares = np.array(SHARES) * [bool(group) for group in self.groups]
            xs, truths = [], []
            for which in rng.choice(len(self.groups), 64, p=shares / shares.sum()):
                image, label = self.groups[which][int(rng.integers(len(self.groups[which])))]
                if rng.random() < 0.1:
                    image = glare(image, label["quad"], rng, EDGE)
                x, truth = sample(image, label, rng)
                xs.append(x)
                truths.append(truth)
            yield torch.from_numpy(np.array(xs, np.float32)), torch.from_numpy(np.array(truths, np.float32))


def losses(batches: Batches, net: LeanNet) -> Iterator[torch.Tensor]:
    for x, t in DataLoader(batches, batch_size=None, num_workers=1, prefetch_factor=4):  # made in a process of its own
        with autocast():
            y = net.taught(x.to(memory_format=torch.channels_last))
        yield lean_loss(y.float(), t)


def main() -> None:
    ap = arguments(__doc__)
    ap.add_argument("--rendered", type=Path, required=True, help="crop folders of the renderer")
    args = ap.parse_args()
    prepare(args.seed)
    batches = Batches(args.data, args.drawn, args.rendered, args.seed)
    net = LeanNet().to(memory_format=torch.channels_last)
    if args.begin and args.begin.suffix == ".onnx":  # of the closer look
        closer = CropNet(OUT, more=2, finer=1)
        cut = slice((LEAN_SIZE - SIZE) // 2, (LEAN_SIZE + SIZE) // 2)
        begin(closer, args.begin, next(iter(batches))[0][..., cut, cut])
        net.body.load_state_dict(closer.body.state_dict())
    elif args.begin:
        begin(net, args.begin)
    cv2.setNumThreads(1)
    fit(net, losses(batches, net), lambda mean: write(mean, (1, 4, LEAN_SIZE, LEAN_SIZE), {0: "n"}, args), args, 1e-3)


if __name__ == "__main__":
    main()
