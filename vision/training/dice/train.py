"""Trains the die reader (or, with --close, that of the closer look, with --cubes the cube reader) and writes its ONNX file.

    python -m vision.training.dice.train --data DATA --drawn OUT --model vision/models/dice_read.onnx [--minutes 12] [--seed 1]

OUT holds what dice.make and dice.mine wrote.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from vision.dice import net as reader
from vision.dice.net import SIZE
from vision.training.dice.decoys import decoys
from vision.training.dice.fit import arguments, fit, told, write
from vision.training.dice.label import A_CUBE, A_DIE, CUBE_EDGE, EDGE, LABEL, NOTHING
from vision.training.dice.lift import laid_in, lifted
from vision.training.dice.nets import CUBE_OUT, CUBE_WIDTH, OUT, CropNet
from vision.training.dice.pictures import Marked, boards, crops, nothing_crops, photos, rendered, training_folders
from vision.training.dice.scenes import NUMBERS
from vision.training.dice.shown import Dice, Placing, levelled, mirrored, normal, pictured, rotation, shape_of
from vision.training.dice.stock import Groups, Stock, keep, kept, stock_of, worked
from vision.training.fit import CORES, prepare
from vision.training.labels import rendered_set_ups
from vision.training.precision import autocast
from vision.training.weights import begin

Known = dict[str, torch.Tensor]
Shown = tuple[float, reader.CropNet, tuple[float, float]]  # the edge in a stored crop, who is shown it, the edges in camera pixels imitated
SHOWN: dict[str, Shown] = {
    "die": (EDGE, reader.DIE, (11.0, 40.0)),
    "close": (EDGE, reader.CLOSE, (11.0, 64.0)),
    "cube": (CUBE_EDGE, reader.CUBE, (22.0, 60.0)),
}
LEGIBLE = 12.0  # px, the edge of a die
LAID = 12_000  # places without a die where one out of a photograph is laid
GLARE, HAND = 0.2, 0.15  # of all crops have a lamp mirrored in the middle; of the dice and cubes have fingers laid over them


def batch(stock: Stock, shown: Shown, n: int, dice: Dice) -> tuple[torch.Tensor, Known]:
    """Inputs (n, 4, 64, 64) and what is to be said of each: its label, ``aim`` (n, 3: how far off its middle is in edges, the log of the
    true edge by the assumed one), the imitated edge ``px``, whether the elevation is told (``known``), and the top face's ``shape``."""
    edge_in, net, fine = shown
    edge_out = net.edge
    images, t = stock.draw(n, dice)
    elevation, a_die = t["elevation"], t["kind"] == A_DIE
    known = (elevation > 0) & dice.happens(0.75, n)
    few = dice.happens(0.7, n)
    spread = torch.where(known, torch.where(few, 3.0, 12.0), 25.0)  # from high above the vertical is badly known
    spin = dice.normal(1, n) * spread
    anyhow = ~known & ((elevation > 80) | (elevation < 0)) & dice.happens(0.5, n)
    spin = torch.where(anyhow, dice.uniform(-180, 180, n), spin)
    zoom = (dice.normal(1, n) * torch.where(known, 0.09, 0.17)).exp()
    other = known & dice.happens(0.35, n)  # dice and cubes are not always as large as checkers like these say
    zoom = torch.where(other, dice.uniform(math.log(0.72), math.log(1.5), n).exp(), zoom)
    shift = dice.normal(0.09, n, 2).clamp(-0.25, 0.25)
    beside = a_die & dice.happens(0.06, n)
    off = beside | dice.happens(0.25, n)  # a side face in the middle, or the die's shadow; far off it is not where the die is to be found
    way = torch.where(dice.happens(0.6, n), dice.normal(0.5, n) - math.pi / 2, dice.uniform(0, 2 * math.pi, n))
    far = torch.where(beside, dice.uniform(0.75, 1.0, n), dice.uniform(0.1, 0.5, n))
    shift = torch.where(off[:, None], far[:, None] * torch.stack([way.cos(), way.sin()], 1), shift)
    px = dice.uniform(math.log(fine[0]), math.log(fine[1]), n).exp()
    middle = (SIZE * px / edge_out).round().clamp(24, SIZE * 1.2)
    k = middle / SIZE * edge_out / edge_in * zoom
    m = rotation(torch.deg2rad(spin)) * k[:, None, None]
    if net.square:
        m = torch.where(known[:, None, None], m @ levelled(t["level"], dice), m)
    m = mirrored(m, dice.happens(0.5, n) & (t["kind"] != A_CUBE))
    wide, slant, shaped = shape_of(t["quad"], m)
    goal = (middle / 2)[:, None] + shift * (edge_out * middle / SIZE)[:, None]
    x = normal(pictured(images, Placing(m, goal, k, middle), SIZE, dice))
    said = (elevation + dice.normal(3, n)).clamp(20, 90)  # set-up is a little off
    plane = torch.where(known, torch.deg2rad(said).sin(), 0.0)[:, None, None, None].expand(-1, 1, SIZE, SIZE)
    t |= {"kind": torch.where(beside, NOTHING, t["kind"]), "aim": torch.cat([shift, zoom.log()[:, None]], 1)}
    t |= {"known": known.float(), "px": px, "shape": torch.stack([wide, slant], 1), "shaped": shaped}
    return torch.cat([x, plane], 1), t


def die_loss(y: torch.Tensor, t: Known) -> torch.Tensor:
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


def cube_loss(y: torch.Tensor, t: Known) -> torch.Tensor:
    cube = (t["kind"] == 2).float()
    number = (t["value"][:, None] == torch.tensor(NUMBERS, device=y.device)).float().argmax(1)
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


def rendered_crops(folders: list[Path], cubes: bool) -> tuple[np.ndarray, np.ndarray]:
    """The renderer's crops and their labels; for the reader of ``cubes`` as many of other things as of cubes."""
    rows = [(c if cubes and c is not None else i, r) for i, r, c in rendered(folders)]
    if cubes:
        kept = [r for r in rows if r[1]["kind"] == A_CUBE]
        others = [r for r in rows if r[1]["kind"] != A_CUBE]
        rows = kept + others[:: max(1, len(others) // max(1, len(kept)))]
    return np.array([r[0] for r in rows], np.uint8), np.array([r[1] for r in rows], LABEL)


def gather(args: argparse.Namespace, rng: np.random.Generator) -> Groups:
    groups = Groups()
    real = list(boards(training_folders(args.data)))
    more = list(boards(rendered_set_ups(args.frames))) if args.frames else []
    images, labels, cubes, cube_labels = crops(real)
    others = crops([plain(picture) for picture in more])
    made = [np.load(p) for p in sorted(args.drawn.glob("cubes_*.npz" if args.cubes else "crops_*.npz"))]
    drawn = [np.concatenate([m[name] for m in made]) for name in ("images", "labels")]
    groups.put("drawn", drawn[0], drawn[1], 0.7 if args.cubes else 0.45)
    if args.rendered:
        found = rendered_crops(rendered_set_ups(args.rendered), args.cubes)
        groups.put("rendered", *found, (0.8 if args.cubes else 0.9) * min(2.0, len(found[0]) / (1200 if args.cubes else 6000)))
    empty, empty_labels = nothing_crops(real + more, rng, 12)
    groups.put("decoys", *decoys(rng, 6000 if args.cubes else 10_000), 0.25 if args.cubes else 0.3)
    if args.cubes:
        groups.put("boards", cubes, cube_labels, 0.25)
        groups.put("frames", *others[2:], 0.25)
        groups.put("bare", empty, empty_labels, 0.1)
        groups.put_mined(args.drawn / "tempting_cubes.npz", 0.25)
        groups.put_mined(args.drawn / "tempting_boards.npz", 0.1)
        groups.put_mined(args.drawn / "tempting_photos.npz", 0.1)
        dice = labels["kind"] == A_DIE
        groups.put("dice", images[dice], labels[dice], 0.1)
        return groups
    groups.put("boards", images, labels, 0.3)
    groups.put("frames", *others[:2], 0.15)
    groups.put("bare", empty, empty_labels, 0.35)
    snaps = list(photos(args.data / "photos" / "labels.jsonl", args.drawn / "placed.json"))
    images, labels, _, _ = crops(snaps)
    groups.put("photographs", images, labels, 0.45 if args.close else 0.3)  # dice without a board are looked at closer
    groups.put("photographs, bare", *nothing_crops(snaps, rng, 4), 0.03)
    groups.put_mined(args.drawn / "tempting_boards.npz", 0.25)
    groups.put_mined(args.drawn / "tempting_photos.npz", 0.2)
    groups.put_mined(args.drawn / "tempting_drawn.npz", 0.4)  # all of these fool a reader: half of the share counts
    loose = lifted(args.data / "photos" / "labels.jsonl")
    places = [(group, k) for group in groups for k in np.flatnonzero(group.labels["kind"] == NOTHING)]
    laid = [laid_in(group.images[k], group.labels[k], loose, rng) for group, k in (places[i] for i in rng.integers(len(places), size=LAID))]
    groups.put("laid", np.array([one[0] for one in laid]), np.array([one[1] for one in laid], LABEL), 0.5)
    return groups


def losses(stock: Stock, net: CropNet, args: argparse.Namespace) -> Iterator[torch.Tensor]:
    dice = Dice(args.seed, args.device)
    while True:
        x, t = batch(stock, shown_by(args), args.batch, dice)
        with autocast(args.device):
            y = (net if args.cubes else net.shaped)(x.to(memory_format=torch.channels_last))
        yield (cube_loss if args.cubes else die_loss)(y.float(), t)


def begun(args: argparse.Namespace, x: torch.Tensor) -> CropNet:
    """The net that is trained, with the weights it begins with; ``x`` as in `begin`."""
    net = CropNet(CUBE_OUT, CUBE_WIDTH) if args.cubes else CropNet(OUT, finer=int(args.close))
    if args.start:
        begin(net, args.start, x)
    return net


def shown_by(args: argparse.Namespace) -> Shown:
    return SHOWN["cube" if args.cubes else "close" if args.close else "die"]


def main() -> None:
    ap = arguments(__doc__, crops=True)
    ap.add_argument("--rendered", type=Path, help="crop folders of the renderer")
    ap.add_argument("--keep-crops", type=Path, help="instead of training, write the crops as files that begin with this name")
    other = ap.add_mutually_exclusive_group()
    other.add_argument("--cubes", action="store_true", help="train the cube reader")
    other.add_argument("--close", action="store_true", help="train the die reader of the closer look")
    args = told(ap)
    rng = prepare(args.seed, CORES)
    groups = kept(args.crops) if args.crops else gather(args, rng)
    if args.keep_crops:
        keep(groups, args.keep_crops)
        return
    work = partial(worked, edge=shown_by(args)[0], glares=GLARE, hands=HAND)
    stock = stock_of(groups, work, args.seed, args.device, args.each, args.makers)
    net = begun(args, batch(stock, shown_by(args), 256, Dice(args.seed, args.device))[0].cpu())
    net = net.to(args.device, memory_format=torch.channels_last)
    fit(net, losses(stock, net, args), lambda mean: write(mean, (1, 4, SIZE, SIZE), args), args, 1e-3)


if __name__ == "__main__":
    main()
