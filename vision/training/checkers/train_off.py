"""Trains the nets that count the checkers of one place, borne-off ones and those on the bar: ``checkers_off.onnx``, ``checkers_bar.onnx``.

    python -m vision.training.checkers.train_off --data FOLDER... --minutes 25 --seed 3 --out vision/models/checkers_off.onnx
    python -m vision.training.checkers.train_off --bar --data FOLDER... --minutes 25 --seed 3 --start vision/models/checkers_off.onnx

Each FOLDER holds set-ups whose labels tell what is borne off, or lies on the bar, as the renderer writes them.
"""

from __future__ import annotations

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
from torch.utils.data import DataLoader, IterableDataset

from referee.board.position import CHECKERS, START
from vision.checkers.colours import Palette, learn_palette, likeness_table, occupancy, plain_palette
from vision.checkers.input import CHANNELS, mirrored, net_input
from vision.checkers.strips import BARS, OFF, Cut, Image, StripCutter, strip_frames
from vision.pictures import load_picture
from vision.table import Table
from vision.training.checkers.augment import ColourChange, cover, mean_colour, small_thing
from vision.training.checkers.data import with_views, wrong_tables
from vision.training.fit import arguments, block, descend, export, prepare
from vision.training.labels import HELD_OUT, is_spare, labelled_table, load_labels, set_ups, start_of
from vision.training.precision import autocast
from vision.training.weights import begin

MARGIN = 8  # px
CELL = 8  # px of the strip to a place of the net
NUMBERS = CHECKERS + 1  # of a player's checkers
SIGNS = 32  # maps that are summed over the strip


@dataclass(frozen=True, slots=True)
class Place:
    """What a net counts: how positions and pictures of nothing else are called in the labels, the number a checker there has for its point,
    and the ``cut`` of the place."""

    name: str
    pictures: str
    point: int
    cut: Cut


BORNE_OFF = Place("off", "sides", -1, OFF)
ON_BAR = Place("bar", "bars", 0, BARS)


@dataclass(frozen=True, eq=False)
class Side:
    """What lies at one place in one picture: strips with margins, and how many there are of near's and far's checkers.
    ``spots`` (k, 3): each one's place along and across the strip without margins, px, and whose it is; None where it is not labelled."""

    cut: Cut
    now: Image
    start: Image
    inside: NDArray[np.bool_]
    drift: NDArray[np.float32]
    palette: Palette
    counts: tuple[int, int]
    spots: NDArray[np.float64] | None


def spots_of(place: Place, true: Table, table: Table, checkers: list[list[Any]]) -> NDArray[np.float64]:
    """Where in the ``place``'s strip of ``table`` those among the labelled ``checkers`` of the ``true`` table that lie there are seen."""
    there = [c for c in checkers if c[4] == place.point]
    if not there:
        return np.zeros((0, 3))
    px = true.camera.project(np.array([c[:3] for c in there], np.float64))
    (frame,) = strip_frames(table, place.cut)
    away = table.camera.on_plane(px, frame.z) - np.array(frame.origin)
    step = float(np.hypot(*frame.u))
    along, across = (away @ np.array(way) / step**2 for way in (frame.u, frame.v))
    return np.column_stack([along, across + place.cut.width / 2, [c[3] == "far" for c in there]])


def dense_of(spots: NDArray[np.float64], inside: NDArray[np.bool_], cut: Cut) -> NDArray[np.float32]:
    """(2, length / 8, width / 8): how many of near's and far's checkers each place of the strip shows; ``inside`` (1, length, width) is
    what of it lies in the picture."""
    dense = np.zeros((2, cut.length // CELL, cut.width // CELL), np.float32)
    for along, across, seat in spots:
        i, j = int(along // CELL), int(across // CELL)
        if 0 <= i < dense.shape[1] and 0 <= j < dense.shape[2]:
            dense[int(seat), i, j] += 1
    return np.asarray(dense * inside[0, CELL // 2 :: CELL, CELL // 2 :: CELL], np.float32)


def sides_of(place: Place, folder: Path, rng: np.random.Generator, views: int) -> list[Side]:
    """The ``place`` in every picture of a set-up that nothing covers, seen through ``views`` slightly wrong tables."""
    labels = load_labels(folder)
    frames = labels["frames"]
    first = start_of(labels)
    if "R" not in labels["camera"] or first["position"]["points"] != list(START.points):
        return []
    true = labelled_table(labels)
    frames = [*frames, *labels.get(place.pictures, ())]
    pictures = {f["image"]: load_picture(folder / f["image"]) for f in frames if not f.get("occluded") and place.name in f["position"]}
    if first["image"] not in pictures:
        return []
    found = []
    for table in wrong_tables(true, pictures[first["image"]], rng, views):
        cutter = StripCutter(table, MARGIN, place.cut)
        palette = learn_palette(StripCutter(table).cut(pictures[first["image"]]))
        start = cutter.cut(pictures[first["image"]])
        for f in frames:
            if f["image"] in pictures:
                near, far = f["position"][place.name]
                now = cutter.cut(pictures[f["image"]])
                spots = spots_of(place, true, table, f["checkers"]) if "checkers" in f else None
                found.append(Side(place.cut, now, start, cutter.inside, cutter.drift, palette, (near, far), spots))
    return found


@dataclass(frozen=True, eq=False)
class Example:
    """The net's input (14, length, width), the two counts, and where they lie as `dense_of` has it.
    ``known`` is 0 where that is not labelled."""

    maps: NDArray[np.uint8]
    counts: tuple[int, int]
    dense: NDArray[np.float32]
    known: float


def shown(counts: tuple[int, int], dense: NDArray[np.float32] | None) -> tuple[int, int]:
    """How many are to be counted: what lies elsewhere, or out of the picture, is not to be guessed where ``dense`` tells."""
    return counts if dense is None else (int(dense[0].sum()), int(dense[1].sum()))


def example(side: Side, rng: np.random.Generator) -> Example:
    """One random change of a picture."""
    change, cut = ColourChange(rng), side.cut
    i, j = rng.integers(0, 2 * MARGIN + 1, 2)

    def crop(strip: NDArray[np.generic]) -> NDArray[np.generic]:
        return strip[:, i : i + cut.length, j : j + cut.width]

    spots = np.zeros((0, 3)) if side.spots is None else side.spots + (MARGIN - i, MARGIN - j, 0)
    inside = np.asarray(crop(side.inside), np.bool_)
    dense = dense_of(spots, inside, cut)
    now, start = change(crop(side.now)), change(crop(side.start))
    near, far = (change.samples(s) for s in (side.palette.near, side.palette.far))
    ground, drift, counts = change.samples(side.palette.ground), side.drift.copy(), side.counts
    if rng.random() < 0.4:  # the light has changed since set-up
        now = now * np.exp(rng.normal(0, 0.15)) + rng.normal(0, 4)
    if rng.random() < 0.5:
        now = now + rng.standard_normal(now.shape, dtype=np.float32) * rng.uniform(1, 9)
    if rng.random() < 0.4:
        now[0] = cv2.GaussianBlur(now[0], (0, 0), float(rng.uniform(0.4, 1.2)))
    if cut is BARS and rng.random() < 0.2:  # a die
        small_thing(rng, now[0], cut)
    if rng.random() < 0.1 and counts == (0, 0):  # a cup, a sleeve: no checker
        cover(rng, now[0], 0, cut)
    before = np.clip(start, 0, 255).astype(np.uint8)
    strip = np.clip(now, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:  # the colours exchanged
        near, far, counts, dense = far, near, (counts[1], counts[0]), dense[::-1]
    if rng.random() < 0.5:  # near's end and far's
        strip, before, inside, dense = strip[:, ::-1], before[:, ::-1], inside[:, ::-1], dense[:, ::-1]
        drift[:, :, 0] *= -1
        drift[:, 0], drift[:, 1], drift[:, 2] = drift[:, 1].copy(), drift[:, 0].copy(), drift[:, 2] + drift[:, 1] - drift[:, 0]
    counts = shown(counts, dense if side.spots is not None else None)
    known = rng.random() > 0.06
    palette = Palette(near, far, ground) if known else plain_palette(mean_colour(near), mean_colour(far))
    empty = occupancy((), cut) if known else None
    maps = net_input(np.ascontiguousarray(strip), inside, drift, likeness_table(palette), before if known else None, empty)
    if cut is BARS and rng.random() < 0.5:  # left and right, which beside a board are never alike
        maps, dense = mirrored(maps), dense[:, :, ::-1]
    return Example(maps[0], counts, np.ascontiguousarray(dense), float(side.spots is not None or side.counts == (0, 0)))


class OffNet(nn.Module):
    """Strip maps (n, 14, length, width), bytes as floats, to how likely near's and far's 0..15 checkers there are (n, 32), as
    logits; in training besides to the counts of each place (n, 2, length / 8, width / 8).

    A player's count is told by sums over the places where something of his seems to lie, so that what is learned at one place and of
    one player holds for all, and an empty strip of any kind is an empty one."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            block(CHANNELS, 16, 2, 0),
            block(16, 32, 2),
            block(32, 32, 1),
            block(32, 48, 2),
            block(48, 48, 1),
            block(48, 64, 1),
            block(64, 64, 1),
        )
        self.dense = nn.Conv2d(64, 2, 1)  # not held above none: where nothing lies its slope would be lost
        self.there = nn.Sequential(nn.Conv2d(64, 2, 1), nn.Sigmoid())
        self.signs = nn.Sequential(nn.Conv2d(64, SIGNS, 1), nn.ReLU())
        self.counts = nn.Sequential(nn.Linear(2 + SIGNS, 64), nn.ReLU(), nn.Linear(64, NUMBERS))
        with torch.no_grad():
            self.there[0].bias.fill_(-2)

    def places(self, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = self.trunk(functional.pad(maps, (1, 1, 1, 1)) * (1 / 127.5) - 1)
        return self.dense(seen), self.there(seen), self.signs(seen)

    def told(self, dense: torch.Tensor, there: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
        told = []
        for seat in range(2):
            own = there[:, seat : seat + 1]
            sums = [dense[:, seat : seat + 1].sum((2, 3)), own.sum((2, 3)) / 8, (own * signs).sum((2, 3)) / 8]
            told.append(self.counts(torch.cat(sums, 1)))
        return torch.cat(told, 1)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return self.told(*self.places(maps))


class Batches(IterableDataset[list[Example]]):
    """Batches of 16 random examples without end, seven in ten of them of pictures with checkers there."""

    def __init__(self, sides: list[Side], seed: int) -> None:
        self.sides, self.seed = sides, seed
        self.some = [k for k, s in enumerate(sides) if any(s.counts)]
        self.none = [k for k, s in enumerate(sides) if not any(s.counts)]

    def drawn(self, rng: np.random.Generator, n: int) -> list[int]:
        return [int(rng.choice(self.some if rng.random() < 0.7 else self.none)) for _ in range(n)]

    def __iter__(self) -> Iterator[list[Example]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed)
        while True:
            yield [example(self.sides[k], rng) for k in self.drawn(rng, 16)]


def prior_of(sides: list[Side], picked: list[int]) -> torch.Tensor:
    """(16,): log of how often each count is among the ``picked``. What the net learns beside it is how likely a picture is at a count,
    not how likely the count is."""
    often = np.bincount([n for k in picked for n in sides[k].counts], minlength=NUMBERS) + 0.01 * len(picked)
    return torch.from_numpy(np.log(often / often.sum())).float()


def aims(counts: torch.Tensor) -> torch.Tensor:
    """(n, 2, 16): the true ``counts`` (n, 2), a little spread, because one more or less of many is nearly right."""
    away = (torch.arange(NUMBERS)[None, None] - counts[:, :, None]) / (0.25 + 0.05 * counts[:, :, None])
    return torch.softmax(-0.5 * away**2, 2)


def loss_of(dense: torch.Tensor, told: torch.Tensor, prior: torch.Tensor, made: list[Example]) -> torch.Tensor:
    """How far the counts of all places (n, 2, length / 8, width / 8) are off, and how unlikely the true ones are ``told`` (n, 32) to be."""
    counts = torch.tensor([e.counts for e in made]).float()
    places = torch.from_numpy(np.stack([e.dense for e in made]))
    known = torch.tensor([e.known for e in made])
    near = functional.avg_pool2d(dense - places, 3, 1, 1) * 3  # a checker may be seen in the next place
    error = functional.smooth_l1_loss(near, torch.zeros_like(near), beta=0.3, reduction="none").sum((1, 2, 3))
    where = (error * known / (1 + counts.sum(1) / 3)).mean()  # not the high piles alone
    likely = functional.log_softmax(told.view(-1, 2, NUMBERS) + prior, 2)
    return 0.5 * where - (aims(counts) * likely).sum(2).mean()


def measure(net: nn.Module, held: list[Side], prior: torch.Tensor) -> str:
    """How the counts come out on unchanged strips, each count as likely as in training, ``prior``."""
    net.eval()
    cells: dict[str, list[tuple[float, float]]] = {"none": [], "one": [], "few": [], "many": []}
    for s in held:
        m, cut = MARGIN, s.cut
        inner = (slice(None), slice(m, m + cut.length), slice(m, m + cut.width))
        table = likeness_table(s.palette)
        maps = net_input(np.ascontiguousarray(s.now[inner]), s.inside[inner], s.drift, table, s.start[inner], occupancy((), cut))
        with torch.no_grad():
            out = torch.log_softmax(net(torch.from_numpy(maps).float()).view(2, NUMBERS) + prior, 1).numpy()
        places = None if s.spots is None else dense_of(s.spots, s.inside[inner], cut)
        for k, n in enumerate(shown(s.counts, places)):
            cell = "none" if not n else "one" if n == 1 else "few" if n < 5 else "many"
            cells[cell].append((float(out[k].argmax() == n), float(out[k, n])))
    net.train()
    means = {k: np.mean(v, 0) for k, v in cells.items() if v}
    return ", ".join(f"{k}: {100 * right:.1f} % of {len(cells[k])}, {-likely:.2f} nats" for k, (right, likely) in means.items())


def main() -> None:
    parser = arguments(__doc__, minutes=20, rate=3e-3)
    parser.add_argument("--bar", action="store_true", help="train the net that counts what lies on the bar")
    parser.add_argument("--out", type=Path, help="vision/models/checkers_off.onnx, or checkers_bar.onnx")
    args = parser.parse_args()
    rng = prepare(args.seed)
    place = ON_BAR if args.bar else BORNE_OFF
    out = args.out or Path(f"vision/models/checkers_{place.name}.onnx")
    train: list[Side] = []
    held: list[Side] = []
    for data, views in with_views(args.data, args.views):
        for folder in set_ups([data]):
            if folder.name in HELD_OUT or is_spare(folder):
                held += sides_of(place, folder, rng, 1)
            else:
                train += sides_of(place, folder, rng, views)
    batches = Batches(train, args.seed)
    print("pictures with", len(batches.some), "and without", len(batches.none), "held out", len(held), flush=True)
    prior = prior_of(train, batches.drawn(rng, 3000))
    net = OffNet()
    if args.start:
        maps = np.stack([example(train[k], rng).maps for k in rng.integers(0, len(train), 48)])
        begin(net, args.start, torch.from_numpy(maps).float(), maps=True, partly=True)

    def losses() -> Iterator[torch.Tensor]:
        for made in DataLoader(batches, batch_size=None, num_workers=1, prefetch_factor=4):  # made in a process of its own
            maps = torch.from_numpy(np.stack([e.maps for e in made])).float()
            with autocast():
                places = net.places(maps)
            dense, there, signs = (seen.float() for seen in places)
            yield loss_of(dense, net.told(dense, there, signs), prior, made)

    for step, words, mean in descend(net, losses(), args.minutes, args.rate, 100):
        print(words, measure(mean, held, prior) if step % 500 == 0 else "", flush=True)
        torch.save(mean.state_dict(), out.with_suffix(".pt"))
    print("held out", measure(mean, held, prior), "steps", step)
    export(mean, (torch.zeros(1, CHANNELS, place.cut.length, place.cut.width),), out, ["strips"], ["answers"])


if __name__ == "__main__":
    main()
