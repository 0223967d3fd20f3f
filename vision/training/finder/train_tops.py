"""Trains the net that tells how round checkers look, by which set-up finds the camera's place.

    python -m vision.training.finder.train_tops OUT.onnx --minutes 25 --data FOLDER...

Needs torch and onnx besides the project. Sees rays about checkers that lie flat and alone on labelled set-ups, as the finder would cut them
if it took the board for a little more inclined, narrower or more slanting than it is.
"""

from __future__ import annotations

import argparse
import multiprocessing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.finder.check import CLOSE
from vision.finder.eye import look
from vision.finder.pose import match
from vision.finder.search import CLOSE_UP
from vision.finder.tops import ANGLES, RADII, RAYS, WRAP, diameters, fitted, rays, shape_of, width_of
from vision.nets import softmax
from vision.pictures import load_picture
from vision.training.finder.draw import degrade
from vision.training.fit import block, descend, export, prepare
from vision.training.labels import WITH_GAME, is_spare, load_labels, set_ups, true_table
from vision.training.precision import autocast
from vision.training.weights import begin

MOST = 3  # pictures of a set-up
WIDEST = 960  # px of a training picture
CHECKERS = 16  # of a picture in a batch
PICTURES = 8
NEAR = 0.02  # diameters by which the ends of rays are measured

Rng = np.random.Generator


class TopNet(nn.Module):
    """(n, 3, 64, 40) rays to (n, 1, 64, 40): logits of where along each the top ends."""

    def __init__(self) -> None:
        super().__init__()
        self.a = block(3, 16, 1)
        self.b = nn.Sequential(block(16, 32, 2), block(32, 32, 1))
        self.c = nn.Sequential(block(32, 48, 2), block(48, 48, 1), block(48, 48, 1), block(48, 32, 1))
        self.up_b = nn.Sequential(block(32, 32, 1), block(32, 16, 1))
        self.end = nn.Sequential(block(16, 16, 1), nn.Conv2d(16, 1, 3, 1, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.a(x)
        b = self.b(a)
        b = self.up_b(b + self.up(self.c(b)))
        out: torch.Tensor = self.end(a + self.up(b))
        return out


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture with its checkers: ``xy`` (n, 2) px of their tops, ``across`` (n, 2, 2) px their diameters along the board, as columns."""

    image: NDArray[np.uint8]
    xy: NDArray[np.float64]
    across: NDArray[np.float64]


def pictures(folder: Path) -> list[Seen]:
    """Some pictures of a set-up without a hand, at most `WIDEST` px wide, with those of its checkers that the finder's eye marks: where
    on their points they lie is not labelled to a fraction."""
    labels = load_labels(folder)
    table = true_table(folder, labels)
    out = []
    frames = [f for f in labels["frames"] if not f["occluded"] and not f["image"].startswith("s")]
    for frame in frames[:: max(1, len(frames) // MOST)][:MOST]:
        points = frame["position"]["points"]
        tops = np.array([table.checker_centre(p, i) for p, n in enumerate(points, start=1) if abs(n) <= 5 for i in range(abs(n))])
        if len(tops) < 6:
            continue
        image: Any = load_picture(folder / frame["image"])
        px = table.camera.project(tops)
        across = diameters(table.camera, tops, table.measures.checker)
        wide = width_of(across)
        (x0, y0), (x1, y1) = np.maximum(px.min(0) - 2 * wide.max(), 0), np.minimum(px.max(0) + 2 * wide.max(), table.camera.size)
        marks = look(image, (x0, y0, x1, y1), int(np.clip(max(x1 - x0, y1 - y0) * CLOSE_UP / np.median(wide), 320, 1280)))
        of, off = match(px, wide, marks)
        there = (of >= 0) & (off < CLOSE)
        if there.sum() < 6:
            continue
        k = min(1.0, WIDEST / image.shape[1])
        if k < 1:
            image = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        out.append(Seen(image, (marks.xy[of[there]] + 0.5) * k - 0.5, across[there] * k))
    return out


def ends_of(tops: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, ANGLES) where rays from the origin leave tops, ellipses about ``middle`` (n, 2) that ``tops`` (n, 2, 2) makes of a circle of
    diameter 1."""
    inverse = np.linalg.inv(tops)
    way, at = np.einsum("nij,aj->nai", inverse, RAYS), np.einsum("nij,nj->ni", inverse, middle)[:, None]
    a, b, c = (way * way).sum(2), (way * at).sum(2), (at * at).sum(2) - 0.25
    return np.asarray((b + np.sqrt(np.maximum(b * b - a * c, 0))) / a)


def sample(rng: Rng, seen: Seen, plain: bool = False) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]]:
    """(n, 3, 64, 40) rays about some checkers, (n, ANGLES) where the tops end and (n, 2) how far from round they are. ``plain``: about
    all, nearly as the board lies, and as they are."""
    size = 0.3 if plain else 1.0
    wrong = np.eye(2) + rng.normal(0, 0.06 * size, (2, 2))
    if not plain:
        wrong = wrong @ np.diag(rng.choice([-1.0, 1.0], 2))
    which = np.arange(len(seen.xy)) if plain else rng.permutation(len(seen.xy))[:CHECKERS]
    across = seen.across[which] @ wrong
    xy = seen.xy[which] + (seen.across[which] @ rng.normal(0, 0.05 * size, (len(which), 2, 1)))[..., 0]
    x = rays(seen.image, xy, across)
    if not plain:
        strip = (x.transpose(0, 2, 3, 1).reshape(-1, len(RADII), 3)[..., ::-1] * 255).astype(np.uint8)
        worse = degrade(rng, strip)[..., ::-1].reshape(len(x), -1, len(RADII), 3)
        x = np.asarray(worse.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    inverse = np.linalg.inv(across)
    tops = inverse @ seen.across[which]
    return x, ends_of(tops, (inverse @ (seen.xy[which] - xy)[..., None])[..., 0]).astype(np.float32), shape_of(tops)


def make_batches(train: list[list[Seen]], seed: int, batches: multiprocessing.Queue[Any]) -> None:
    """Makes batches for ever; runs in a process of its own."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    while True:
        some = [train[int(k)] for k in rng.integers(len(train), size=PICTURES)]
        parts = [sample(rng, one[int(rng.integers(len(one)))]) for one in some]
        batches.put((np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])))


def measure(net: nn.Module, held: list[list[Seen]]) -> str:
    """By how much shapes are off: of one checker in the mean, and of all of a picture together."""
    net.eval()
    rng = np.random.default_rng(0)
    one, alike = [], []
    for seen in (s for some in held for s in some[:1]):
        x, _, told = sample(rng, seen, plain=True)
        with torch.no_grad():
            ends = softmax(net(torch.from_numpy(x)).double().numpy()[:, 0, WRAP:-WRAP]) @ RADII
        off = fitted(ends) - told
        one.append(np.abs(off).mean())
        alike.append(np.abs(off.mean(0)).mean())
    net.train()
    return f"off by {np.mean(one):.4f} a checker, {np.mean(alike):.4f} a picture"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from: a .pt file that was written beside the model, or an .onnx file")
    args = parser.parse_args()
    prepare(args.seed)
    train: list[list[Seen]] = []
    held: list[list[Seen]] = []
    for folder in set_ups(args.data):
        aside = folder.name in WITH_GAME or is_spare(folder)
        if seen := pictures(folder):
            (held if aside else train).append(seen)
    print(f"{len(train)} set-ups to train on, {len(held)} kept aside", flush=True)
    batches: multiprocessing.Queue[Any] = multiprocessing.Queue(4)
    maker = multiprocessing.Process(target=make_batches, args=(train, args.seed, batches), daemon=True)
    maker.start()
    net = TopNet()
    if args.start:
        begin(net, args.start, torch.from_numpy(batches.get()[0]))
    radii, ways = torch.from_numpy(RADII).float(), torch.from_numpy(RAYS).float()

    def losses() -> Any:
        while True:
            x, ends = (torch.from_numpy(v) for v in batches.get())
            with autocast():
                answers = net(x.contiguous(memory_format=torch.channels_last))
            off = torch.softmax(answers.float()[:, 0, WRAP:-WRAP], 2) @ radii - ends
            off = off - (off @ ways) @ ways.T * (2 / ANGLES)  # where its middle lies to a fraction nobody knows
            yield functional.smooth_l1_loss(off / NEAR, torch.zeros_like(off))

    def save(mean: nn.Module) -> None:
        torch.save(mean.state_dict(), args.out.with_suffix(".pt"))
        export(mean, (torch.zeros(1, 3, ANGLES + 2 * WRAP, len(RADII)),), args.out, ["rays"], ["ends"])

    for step, words, mean in descend(net, losses(), args.minutes, args.rate, 100):
        print(words, measure(mean, held) if step % 500 == 0 else "", flush=True)
        if step % 500 == 0:
            save(mean)
    print("kept aside:", measure(mean, held))
    save(mean)
    maker.terminate()


if __name__ == "__main__":
    main()
