"""Trains the checker reader's two nets and writes ``vision/models/checkers.onnx`` and ``checkers_close.onnx``.

    python -m vision.training.checkers.train --data FOLDER... --minutes 25 --seed 3 --out vision/models/checkers.onnx
    python -m vision.training.checkers.train --close --data FOLDER... --minutes 50 --seed 3 --out vision/models/checkers_close.onnx

Beside each it writes the net of the strips' places, whose name ends in "_place".

Each FOLDER holds set-ups (``labels.json`` and pictures). Those named in `labels.HELD_OUT` are never trained on.
"""

from __future__ import annotations

import copy
import itertools
import multiprocessing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.checkers.input import BAR_COUNTS, COUNTS, HIDDEN, MAPS, OUTPUTS, PICTURE
from vision.checkers.net import KNOWN, place_model
from vision.checkers.strips import BAR, CLOSE, WIDE, Cut
from vision.training.checkers.augment import Batch, make_batch
from vision.training.checkers.data import Sample, all_maps, samples_of, with_views
from vision.training.fit import arguments, block, descend, export, prepare
from vision.training.labels import HELD_OUT, is_spare, set_ups
from vision.training.precision import autocast, half
from vision.training.weights import begin


def bytes_padded(maps: torch.Tensor) -> torch.Tensor:
    """Bytes as -1..1, with the edge that the first convolution wants."""
    return functional.pad(maps, (1, 1, 1, 1)) * (1 / 127.5) - 1


class PlaceNet(nn.Module):
    """What a strip's thirteen maps of the table and its known columns (n, 13, length, width), bytes as floats, say to the net that looks
    at the picture: three sets of maps, a half, a quarter and an eighth as fine. It is asked once for a table."""

    def __init__(self) -> None:
        super().__init__()
        known = MAPS - PICTURE
        self.halves = nn.Conv2d(known, 16, 3, 2, 0, bias=False)
        self.fine = nn.Sequential(block(known, 16, 2, 0), block(16, 24, 2))
        self.quarters = nn.Conv2d(24, 32, 1)
        self.coarse = nn.Sequential(block(24, 48, 2), block(48, 48, 1))
        self.eighths = nn.Conv2d(48, 48, 1)

    def forward(self, place: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        place = bytes_padded(place)
        fine = self.fine(place)
        return self.halves(place), self.quarters(fine), self.eighths(self.coarse(fine))


class PictureNet(nn.Module):
    """The picture's seven maps (n, 7, length, width), bytes as floats, and what `PlaceNet` says of the place to `OUTPUTS` logits: a
    point's count, hidden, near's and far's bar."""

    def __init__(self, cut: Cut) -> None:
        super().__init__()
        self.plain = True  # what comes in is bytes and is made -1..1 here
        self.first = nn.Conv2d(PICTURE, 16, 3, 2, 0, bias=False)
        self.first_norm: nn.Module = nn.BatchNorm2d(16)
        self.fine = nn.Sequential(block(16, 32, 2), block(32, 32, 1))
        self.coarse = nn.Sequential(block(32, 48, 2), block(48, 48, 1))
        self.whole = nn.Sequential(
            block(48, 64, 2), block(64, 64, 1), nn.Conv2d(64, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True)
        )
        cells = -(-cut.length // 16) * -(-cut.width // 16)
        self.head = nn.Sequential(nn.Dropout(0.15), nn.Linear(24 * cells, 128), nn.ReLU(inplace=True), nn.Linear(128, OUTPUTS))

    def forward(self, picture: torch.Tensor, halves: torch.Tensor, quarters: torch.Tensor, eighths: torch.Tensor) -> torch.Tensor:
        seen = functional.relu(self.first_norm(self.first(bytes_padded(picture) if self.plain else picture) + halves))
        return self.head(self.whole(self.coarse(self.fine(seen) + quarters) + eighths).flatten(1))


class CheckerNet(nn.Module):
    """Both as one, for training: all twenty maps (n, 20, length, width), bytes as floats, to `OUTPUTS` logits."""

    def __init__(self, cut: Cut = WIDE) -> None:
        super().__init__()
        self.place, self.picture = PlaceNet(), PictureNet(cut)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return self.picture(maps[:, :PICTURE], *self.place(maps[:, PICTURE:]))


def folded(net: CheckerNet) -> CheckerNet:
    """The same net with the first normalisation, and what makes bytes of the picture -1..1, put into the first convolutions."""
    net = copy.deepcopy(net).eval()
    first, norm, halves = net.picture.first, net.picture.first_norm, net.place.halves
    assert isinstance(norm, nn.BatchNorm2d) and norm.running_mean is not None and norm.running_var is not None
    with torch.no_grad():
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        halves.weight *= scale[:, None, None, None]
        first.weight *= scale[:, None, None, None]
        first.bias = nn.Parameter(norm.bias - norm.running_mean * scale - first.weight.sum((1, 2, 3)))
        first.weight /= 127.5
    first.padding, net.picture.plain, net.picture.first_norm = (1, 1), False, nn.Identity()
    return net


def save(net: CheckerNet, path: Path, cut: Cut) -> None:
    """Writes the weights, and the two halves of the net as ONNX files: ``path`` and, for the place, the same name with "_place"."""
    ready = folded(net).cpu()
    torch.save({name: weight.cpu() for name, weight in net.state_dict().items()}, path.with_suffix(".pt"))
    place = torch.zeros(1, MAPS - PICTURE, cut.length, cut.width)
    with torch.no_grad():
        known = ready.place(place)
    export(ready.place, (place,), path.with_name(place_model(path.name)), ["place"], [*KNOWN])
    export(ready.picture, (torch.zeros(1, PICTURE, cut.length, cut.width), *known), path, ["strips", *KNOWN], ["answers"])


def go_on(net: CheckerNet, path: Path, maps: torch.Tensor) -> None:
    """Puts the weights of ``path`` into the net: a .pt file, or the picture's of the two ONNX files, beside which the place's lies;
    ``maps`` as in `begin`."""
    if path.suffix != ".onnx":
        net.load_state_dict(torch.load(path))
        return
    begin(net.place, path.with_name(place_model(path.name)), maps[:, PICTURE:])
    with torch.no_grad():
        known = net.place.eval()(maps[:, PICTURE:])
        net.place.train()
    begin(net.picture, path, maps[:, :PICTURE], *known, maps=True)


def loss_of(out: torch.Tensor, batch: Batch) -> torch.Tensor:
    def there(of: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(of).to(out.device)

    kind, weight, bars = there(batch.kind), there(batch.weight), there(batch.bar)
    count = functional.cross_entropy(out[:, :COUNTS], there(batch.count), reduction="none", label_smoothing=0.01)
    near, far = out[:, HIDDEN + 1 : HIDDEN + 1 + BAR_COUNTS], out[:, HIDDEN + 1 + BAR_COUNTS :]
    bar = functional.cross_entropy(near, bars[:, 0], reduction="none") + functional.cross_entropy(far, bars[:, 1], reduction="none")
    hidden = functional.binary_cross_entropy_with_logits(out[:, HIDDEN], there(batch.hidden), reduction="none")
    return ((torch.where(kind == 1, bar, count) * weight) + hidden * there(batch.hidden_weight) * 0.5).sum() / len(out)


def measure(net: nn.Module, samples: list[Sample]) -> tuple[float, float]:
    """Share of points and of bars read right on plain (unchanged) strips in sight."""
    net.eval()
    device = next(net.parameters()).device
    right = whole = bar_right = bars = 0
    for s in samples:
        maps = all_maps(s)
        with torch.no_grad():
            out = net(torch.from_numpy(maps).float().to(device)).cpu()
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
    """What one maker of batches has loaded of one folder of set-ups, which may still be growing: every so many of them (``makers``), from
    the ``first`` on."""

    def __init__(self, folder: Path, views: int, cut: Cut, first: int, makers: int) -> None:
        self.folder, self.views, self.cut, self.part = folder, views, cut, slice(first, None, makers)
        self.samples: list[Sample] = []
        self._known: set[Path] = set()

    def look(self, rng: np.random.Generator, limit: int) -> None:
        """Loads up to ``limit`` set-ups that were not there before."""
        there = [setup for setup in set_ups([self.folder]) if not is_spare(setup)]
        own = [setup for setup in there[self.part] if setup.name not in HELD_OUT and setup not in self._known]
        for setup in own[:limit]:
            self._known.add(setup)
            self.samples += samples_of(setup, rng, self.views, cut=self.cut)


def make_batches(sources: list[Source], seed: int, batches: multiprocessing.Queue[Batch]) -> None:
    """Makes batches for ever, of what it has loaded so far; runs in a process of its own."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    for made in itertools.count():
        if made % 10 == 0:
            for source in sources:
                source.look(rng, 2)
        if made % 500 == 0:
            print("pictures", [len(s.samples) for s in sources], flush=True)
        there = [source for source in sources if source.samples]
        share = np.array([len(source.samples) ** 0.7 for source in there])
        drawn = [there[k].samples for k in rng.choice(len(there), 6, p=share / share.sum())]
        batch = make_batch(rng, [some[int(rng.integers(len(some)))] for some in drawn], 8)
        batches.put(replace(batch, maps=np.ascontiguousarray(batch.maps.transpose(0, 2, 3, 1))))


def main() -> None:
    parser = arguments(__doc__, minutes=15, rate=2e-3)
    parser.add_argument("--out", type=Path, default=Path("vision/models/checkers.onnx"))
    parser.add_argument("--close", action="store_true", help="train the net of the closer look instead of the first one")
    parser.add_argument("--makers", type=int, default=1, help="processes that load set-ups and make batches of them")
    parser.add_argument("--device", type=torch.device, default="cpu", help="cuda: a GPU, which wants some seven makers")
    args = parser.parse_args()
    cut = CLOSE if args.close else WIDE
    rng = prepare(args.seed)
    aside = [setup for setup in set_ups(args.data) if setup.name in HELD_OUT]
    held = [sample for setup in aside for sample in samples_of(setup, rng, 1, 0.5, cut)]
    print("held out", len(held), flush=True)
    batches: multiprocessing.Queue[Batch] = multiprocessing.Queue(4 * args.makers)
    makers = []
    for k in range(args.makers):
        sources = [Source(folder, views, cut, k, args.makers) for folder, views in with_views(args.data, args.views)]
        makers.append(multiprocessing.Process(target=make_batches, args=(sources, args.seed + k, batches), daemon=True))
        makers[-1].start()
    net = CheckerNet(cut)
    if args.start:
        go_on(net, args.start, torch.from_numpy(batches.get().maps).permute(0, 3, 1, 2).float())
    net = net.to(args.device, memory_format=torch.channels_last)
    print("weights", sum(p.numel() for p in net.parameters()))
    args.out.parent.mkdir(parents=True, exist_ok=True)

    def losses() -> Iterator[torch.Tensor]:
        while True:
            batch = batches.get()
            kind = torch.bfloat16 if half() else torch.float32  # bytes are exact in both
            maps = torch.from_numpy(batch.maps).to(args.device).permute(0, 3, 1, 2).to(kind)
            with autocast(args.device):
                answers = net(maps).float()
            yield loss_of(answers, batch)

    for step, words, mean in descend(net, losses(), args.minutes, args.rate, 50):
        assert isinstance(mean, CheckerNet)
        scores = measure(mean, held) if step % 300 == 0 else ()
        print(words, scores, flush=True)
        if step % 300 == 0:
            save(mean, args.out, cut)
    print("held out (points, bar)", measure(mean, held), "steps", step)
    save(mean, args.out, cut)
    for maker in makers:
        maker.terminate()


if __name__ == "__main__":
    main()
