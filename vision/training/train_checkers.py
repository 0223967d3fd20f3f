"""Trains the checker reader's two nets and writes ``vision/models/checkers.onnx`` and ``checkers_close.onnx``.

    python -m vision.training.train_checkers --data FOLDER... --minutes 25 --seed 3 --out vision/models/checkers.onnx
    python -m vision.training.train_checkers --close --data FOLDER... --minutes 50 --seed 3 --start vision/models/checkers.onnx \
        --out vision/models/checkers_close.onnx

Each FOLDER holds set-ups (``labels.json`` and pictures). The styles named in `checkers_data.HELD_OUT` are never trained on.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import multiprocessing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.checkers_input import BAR_COUNTS, CHANNELS, COUNTS, HIDDEN, OUTPUTS
from vision.checkers_strips import BAR, CLOSE, WIDE, Cut
from vision.training.checkers_augment import Batch, make_batch
from vision.training.checkers_data import HELD_OUT, Sample, samples_of, with_views
from vision.training.checkers_fit import block, descend, export
from vision.training.labels import is_spare
from vision.training.precision import autocast, half
from vision.training.weights import begin


class CheckerNet(nn.Module):
    """Strip maps (n, 14, length, width), bytes as floats, to `OUTPUTS` logits: a point's count, hidden, near's and far's bar."""

    def __init__(self, cut: Cut = WIDE) -> None:
        super().__init__()
        self.plain = True  # what comes in is bytes and is made -1..1 here
        self.trunk = nn.Sequential(
            block(CHANNELS, 16, 2, 0),  # `forward` pads, in bytes
            block(16, 32, 2),
            block(32, 32, 1),
            block(32, 48, 2),
            block(48, 48, 1),
            block(48, 64, 2),
            block(64, 64, 1),
            nn.Conv2d(64, 24, 1, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
        )
        cells = -(-cut.length // 16) * -(-cut.width // 16)
        self.head = nn.Sequential(nn.Dropout(0.15), nn.Linear(24 * cells, 128), nn.ReLU(inplace=True), nn.Linear(128, OUTPUTS))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        if self.plain:
            maps = functional.pad(maps, (1, 1, 1, 1)) * (1 / 127.5) - 1
        return self.head(self.trunk(maps).flatten(1))


def folded(net: CheckerNet) -> CheckerNet:
    """The same net for bytes as they are: what makes them -1..1 is put into the first convolution, which saves a fifth of the time."""
    net = copy.deepcopy(net).eval()
    first = net.trunk[0][0]
    with torch.no_grad():
        first.bias = nn.Parameter(-first.weight.sum((1, 2, 3)))
        first.weight /= 127.5
    first.padding, net.plain = (1, 1), False
    return net


def loss_of(out: torch.Tensor, batch: Batch) -> torch.Tensor:
    kind = torch.from_numpy(batch.kind)
    weight = torch.from_numpy(batch.weight)
    count = functional.cross_entropy(out[:, :COUNTS], torch.from_numpy(batch.count), reduction="none", label_smoothing=0.01)
    bars = torch.from_numpy(batch.bar)
    near, far = out[:, HIDDEN + 1 : HIDDEN + 1 + BAR_COUNTS], out[:, HIDDEN + 1 + BAR_COUNTS :]
    bar = functional.cross_entropy(near, bars[:, 0], reduction="none") + functional.cross_entropy(far, bars[:, 1], reduction="none")
    hidden = functional.binary_cross_entropy_with_logits(out[:, HIDDEN], torch.from_numpy(batch.hidden), reduction="none")
    return ((torch.where(kind == 1, bar, count) * weight) + hidden * torch.from_numpy(batch.hidden_weight) * 0.5).sum() / len(out)


def measure(net: nn.Module, samples: list[Sample]) -> tuple[float, float]:
    """Share of points and of bars read right on plain (unchanged) strips in sight."""
    from vision.checkers_colours import likeness_table
    from vision.checkers_input import net_input
    from vision.training.checkers_data import middle_of

    net.eval()
    right = whole = bar_right = bars = 0
    for s in samples:
        crop = middle_of(s)
        maps = net_input(
            np.ascontiguousarray(s.strips[crop]), s.inside[crop], s.drift, likeness_table(s.palette), s.start[crop], s.occupied[crop]
        )
        with torch.no_grad():
            out = net(torch.from_numpy(maps).float())
        seen = s.visible[:24] > 0.8
        right += int(((out[:24, :COUNTS].argmax(1).numpy() - 15 == s.points) & seen).sum())
        whole += int(seen.sum())
        if len(out) == BAR:
            continue
        near, far = out[24, HIDDEN + 1 : HIDDEN + 1 + BAR_COUNTS].argmax(), out[24, HIDDEN + 1 + BAR_COUNTS :].argmax()
        bar_right += (int(near), int(far)) == tuple(s.bar)
        bars += 1
    net.train()
    return right / max(whole, 1), bar_right / max(bars, 1)


class Source:
    """One folder of set-ups, which may still be growing."""

    def __init__(self, folder: Path, views: int, cut: Cut) -> None:
        self.folder, self.views, self.cut = folder, views, cut
        self.train: list[Sample] = []
        self.held: list[Sample] = []
        self._known: set[Path] = set()

    def look(self, rng: np.random.Generator, limit: int = 100_000) -> None:
        """Loads up to ``limit`` set-ups that were not there before."""
        alone = self.folder / "labels.json"
        for labels in [alone] if alone.exists() else sorted(self.folder.glob("*/labels.json")):
            setup = labels.parent
            if setup in self._known or limit <= 0 or is_spare(setup):
                continue
            self._known.add(setup)
            limit -= 1
            if setup.name in HELD_OUT:
                self.held += samples_of(setup, rng, 1, 0.5, self.cut)
            else:
                self.train += samples_of(setup, rng, self.views, cut=self.cut)


def make_batches(sources: list[Source], seed: int, batches: multiprocessing.Queue[Batch]) -> None:
    """Makes batches for ever, and looks for new set-ups now and then; runs in a process of its own."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    for made in itertools.count(1):
        share = np.array([len(s.train) ** 0.7 for s in sources])
        drawn = [sources[k].train for k in rng.choice(len(sources), 6, p=share / share.sum())]
        batch = make_batch(rng, [some[int(rng.integers(len(some)))] for some in drawn], 8)
        batches.put(replace(batch, maps=np.ascontiguousarray(batch.maps.transpose(0, 2, 3, 1))))
        if made % 100 == 0:
            for source in sources:
                source.look(rng, 20)
        if made % 500 == 0:
            print("pictures", [len(s.train) for s in sources], flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--views", type=int, nargs="+", default=[4], help="wrong tables drawn for each set-up, one number a folder")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from: a .pt file that was written beside the model, or an .onnx file")
    parser.add_argument("--out", type=Path, default=Path("vision/models/checkers.onnx"))
    parser.add_argument("--close", action="store_true", help="train the net of the closer look instead of the first one")
    args = parser.parse_args()
    cut = CLOSE if args.close else WIDE
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    sources = [Source(folder, views, cut) for folder, views in with_views(args.data, args.views)]
    for source in sources:
        source.look(rng)
    held = [sample for source in sources for sample in source.held]
    print("pictures", [len(s.train) for s in sources], "held out", len(held), flush=True)
    batches: multiprocessing.Queue[Batch] = multiprocessing.Queue(4)
    maker = multiprocessing.Process(target=make_batches, args=(sources, args.seed, batches), daemon=True)
    maker.start()
    net = CheckerNet(cut)
    if args.start:
        begin(net, args.start, torch.from_numpy(batches.get().maps).permute(0, 3, 1, 2).float(), maps=True, partly=True)
    net = net.to(memory_format=torch.channels_last)
    print("weights", sum(p.numel() for p in net.parameters()))
    args.out.parent.mkdir(parents=True, exist_ok=True)

    def losses() -> Iterator[torch.Tensor]:
        while True:
            batch = batches.get()
            kind = torch.bfloat16 if half() else torch.float32  # bytes are exact in both
            maps = torch.from_numpy(batch.maps).permute(0, 3, 1, 2).to(kind)
            with autocast():
                answers = net(maps).float()
            yield loss_of(answers, batch)

    def save(mean: CheckerNet) -> None:
        torch.save(mean.state_dict(), args.out.with_suffix(".pt"))
        export(folded(mean), args.out, cut)

    for step, words, mean in descend(net, losses(), args.minutes, args.rate, 50):
        assert isinstance(mean, CheckerNet)
        scores = measure(mean, held) if step % 300 == 0 else ()
        print(words, scores, flush=True)
        if step % 300 == 0:
            save(mean)
    print("held out (points, bar)", measure(mean, held), "steps", step)
    save(mean)
    maker.terminate()


if __name__ == "__main__":
    main()
